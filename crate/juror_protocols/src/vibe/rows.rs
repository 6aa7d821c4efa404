//! Verdicts of all models → units, items, runs, and the rows of every grouping that the paper reports.
//!
//! The number of a task is the mean over runs of each run's mean over items, in either profile: so the paper prints it, and so
//! the authors' files have it. Its spread is the sample deviation of the runs' means, which the paper prints behind ±.
//! Its interval is over items, each one averaged over runs; where runs lack items, it is still around the mean.

use crate::published::Published;
use crate::vibe::tasks::{PARTS, levels_of, part_id, task_of, tasks_of, words_of};
use crate::vibe::{differences, published};
use juror_model::terms::{CriterionInfo, Difference, Direction, Formula, ScopeInfo};
use std::collections::{BTreeSet, HashMap};

use super::rules::{Conditions, Root, Rounding, Span, VibeRules};
use super::slices::{
    LEVEL_STYLE, SLICES, STYLED_LEVEL, STYLES, Slice, level_style_key, level_style_rows, style_key,
};
use super::{Level, Metric, Task, Vibe, score};
use crate::contract::Scoring;
use crate::resolve::{Resolution, UnitValue, judges, resolve};
use crate::table::{Head, mean_of};
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::origin::{Gaps, Origin, OriginInterval, OriginMean, OriginPart};
use juror_model::row::ScoreRow;
use juror_model::sample::{Benchmark, Sample};
use juror_model::score::{CriterionScore, JudgeScores, ModelScores, Scores};
use juror_model::submission::OutputState;
use juror_statistics::Moments;
use juror_statistics::small::{CollectSmall, SortSmall};

impl Scoring for Vibe {
    fn criteria(&self) -> Vec<CriterionInfo> {
        let mut criteria = Vec::new();
        for metric in Metric::ALL {
            let id = metric.id();
            criteria.push(criterion(
                id.to_owned(),
                metric.short(),
                words_of(id),
                metric.meaning(),
            ));
            let parts = PARTS.iter().filter(|(of, _)| *of == metric);
            for (key, short) in parts.flat_map(|(_, shorts)| metric.keys().iter().zip(*shorts)) {
                criteria.push(criterion(
                    part_id(metric, key),
                    &format!("{}-{short}", part_prefix(metric)),
                    words_of(key),
                    "A criterion of its own in the paper; one of several in the authors' reply.",
                ));
            }
        }
        criteria.push(CriterionInfo {
            max: 100.0,
            scale: 1.0,
            ..criterion(
                "total".to_owned(),
                "Score",
                "Score".to_owned(),
                "Per item the geometric mean of its metrics; then means over items, runs, tasks and levels.",
            )
        });
        criteria
    }

    /// Everything for all models.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        let rules = VibeRules::new(options.profile, options.policy());
        let layout = Layout::new(world);
        let mut scores = Scores {
            scopes: layout.scopes(world),
            ..Scores::default()
        };
        for model in world.models {
            let mut of_model = ModelScores {
                mode: "img",
                judges: Vec::new(),
            };
            for judge in judges(model) {
                let (of_judge, table) = judge_model(world, &layout, model, judge, rules);
                let head = Head {
                    model: &model.submission.name,
                    judge: &of_judge.judge,
                    profile: options.profile,
                    policy: rules.policy,
                };
                scores.rows.extend(table.rows(&head, &layout, rules));
                of_model.judges.push(of_judge);
            }
            scores.models.push(of_model);
        }
        scores
    }

    /// What incidents of a kind count as.
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        match (kind, options.policy()) {
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Zero) => {
                "counts 0; a task without any output is left out, and its level with it"
            }
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Upstream) => {
                "counts as judged with an empty picture, else left out"
            }
            (IncidentKind::Unparsable | IncidentKind::OutOfRange, Policy::Upstream) => {
                "left out; the authors' code asks again and stops after 51 failures"
            }
            _ => "left out",
        }
    }

    /// Known without the sub-scores for one run of the tasks whose formula is a mean of metrics; elsewhere the item's
    /// own total says it.
    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        let is_known = |(at, (name, _)): (usize, &(&str, Option<f64>))| {
            *name != Metric::OrientationAlignment.id()
                && counted[..at].iter().all(|(other, _)| other != name)
        };
        if !counted.iter().enumerate().all(is_known) {
            return None;
        }
        let values: Option<Vec<f64>> = counted.iter().map(|(_, value)| *value).collect();
        let item = match *values?.as_slice() {
            [value] => value,
            [a, b] => score::direction(a, b),
            [ia, cp, vc] => score::adherence(ia, cp, vc),
            _ => return None,
        };
        Some(item * 100.0)
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn published(&self) -> Published {
        published::published()
    }

    /// Which samples a group is of; a run is of none.
    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        if scope == "run" {
            return None;
        }
        let is_in = |sample: &Sample| {
            let Some(task) = task_of(sample) else {
                return false;
            };
            match (scope, key) {
                ("overall", _) => task.level() != Level::Multi,
                ("level", level) => task.level().id() == level,
                ("combined", "single") => task.level() == Level::Deictic,
                ("combined", "double") => task == Task::TwoTasks,
                ("combined", "triple") => task == Task::ThreeTasks,
                ("style", key) => STYLES
                    .iter()
                    .any(|style| sample.has_tag("style", style) && style_key(task, style) == key),
                (LEVEL_STYLE, key) => STYLES.iter().any(|style| {
                    sample.has_tag("style", style) && level_style_key(task.level(), style) == key
                }),
                ("combination" | "cushions", key) => sample.has_tag(scope, key),
                (_, id) => task.id() == id,
            }
        };
        Some(benchmark.samples.iter().map(is_in).collect())
    }

    fn derived_groups(&self, sample: &Sample) -> Vec<(&'static str, String)> {
        let level = task_of(sample).map(Task::level);
        let level = level.filter(|level| *level == STYLED_LEVEL);
        let own = STYLES.iter().filter(|style| sample.has_tag("style", style));
        let own = level.into_iter().flat_map(|level| {
            own.clone()
                .map(move |style| (LEVEL_STYLE, level_style_key(level, style)))
        });
        own.collect()
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}

fn criterion(id: String, short: &str, label: String, meaning: &str) -> CriterionInfo {
    CriterionInfo {
        id,
        short: short.to_owned(),
        label,
        meaning: meaning.to_owned(),
        min: 0.0,
        max: 1.0,
        allowed: None,
        scale: 100.0,
        decimals: 2,
        direction: Direction::Up,
    }
}

/// The task before the abbreviation of a part: `CP` is one in three tasks.
fn part_prefix(metric: Metric) -> &'static str {
    match metric {
        Metric::BiiCicCp => "PC",
        Metric::ReorientationContextualPreservation => "RO",
        _ => "BI",
    }
}

impl VibeRules {
    /// An item's score from 0 to 1.
    fn item(self, task: Task, asked: &[MetricResult<'_>], strays: &[f64]) -> Option<f64> {
        let there: Vec<f64> = asked.iter().filter_map(|asked| asked.value).collect();
        let is_whole = there.len() == asked.len() && strays.is_empty();
        if self.is_authors() || (self.fields == Span::Given && !is_whole) {
            let all: Vec<f64> = there.iter().chain(strays).copied().collect();
            return score::geometric_mean(&all);
        }
        let value = match (task, there.as_slice()) {
            _ if there.len() < asked.len() => return None,
            (Task::Reorientation, &[oa, kept]) => match (self.root, asked[1].subs.as_deref()) {
                (Root::Three, Some(&[ic, vi])) => score::reorientation(oa, ic, vi),
                _ => score::direction(oa, kept),
            },
            (Task::Billiards, &[value]) => value,
            (_, &[a, b]) => score::direction(a, b),
            (_, &[ia, cp, vc]) => score::adherence(ia, cp, vc),
            _ => return None,
        };
        Some(match self.rounding {
            Rounding::None => value,
            Rounding::Files => score::stored(value),
        })
    }
}

/// What was asked about one item in one run, and what came of it.
#[derive(Debug)]
struct MetricResult<'a> {
    /// Index of the unit.
    unit: usize,
    metric: Metric,
    value: Option<f64>,
    /// One per key, unless the metric was not asked or gives none.
    subs: Option<Vec<f64>>,
    is_gated: bool,
    given: UnitValue<'a>,
}

impl<'a> MetricResult<'a> {
    fn new(rules: VibeRules, unit: usize, metric: Metric, given: UnitValue<'a>) -> Self {
        let num_subs = metric.keys().len();
        let (value, subs) = match given {
            UnitValue::Missing => (None, None),
            UnitValue::Lowest => (Some(0.0), Some(vec![0.0; num_subs])),
            UnitValue::Atoms(atoms) => (
                rules.metric(metric, atoms),
                atoms.get(..num_subs).map(<[f64]>::to_vec),
            ),
        };
        let mut asked = Self {
            unit,
            metric,
            value,
            subs,
            is_gated: false,
            given,
        };
        if rules.conditions == Conditions::Enforced
            && let Some([condition, dependent]) = asked.subs.as_deref_mut()
            && matches!(
                metric,
                Metric::LightDirectionConsistency | Metric::WindContextualPreservation
            )
            && *condition < 1.0
        {
            *dependent = 0.0;
        }
        asked
    }

    /// Sub-scores with their keys, where the metric has several that are scores.
    fn parts(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        let has_parts = has_parts(self.metric) && !self.is_gated;
        let keys = if has_parts { self.metric.keys() } else { &[] };
        keys.iter().enumerate().map(|(at, key)| {
            let sub = self.subs.as_ref().and_then(|subs| subs.get(at).copied());
            (*key, sub.filter(|sub| !sub.is_nan()))
        })
    }
}

/// Whether the sub-scores of a metric are shown beside it: those of one that stands for itself are not, nor are limbs.
pub(super) fn has_parts(metric: Metric) -> bool {
    !metric.is_single() && metric != Metric::PoseConsistency
}

/// The number that a model is known by under some rules: the overall score, or the mean of the tasks at hand
/// where a level is incomplete.
pub(super) fn headline(world: &World<'_>, model: &ModelData, rules: VibeRules) -> Option<f64> {
    let layout = Layout::new(world);
    let judge = *judges(model).first()?;
    let (_, table) = judge_model(world, &layout, model, judge, rules);
    let head = Head {
        model: &model.submission.name,
        judge: "",
        profile: rules.reader,
        policy: rules.policy,
    };
    let rows = table.rows(&head, &layout, rules);
    let overall = rows.iter().find(|row| row.scope == "overall");
    overall.and_then(|row| row.mean).or_else(|| {
        let tasks = rows
            .iter()
            .filter(|row| row.scope == "task" && row.criterion == "total");
        let means: Vec<f64> = tasks.filter_map(|row| row.mean).collect();
        (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
    })
}

/// The groups at hand.
struct Layout {
    tasks: Vec<Task>,
    /// Parts of tasks.
    slices: Vec<Slice>,
    /// Per sample: its task and the positions of its slices.
    of_sample: Vec<(Option<Task>, Vec<usize>)>,
    criteria: HashMap<String, u16>,
}

impl Layout {
    fn new(world: &World<'_>) -> Self {
        let tasks = tasks_of(world.benchmark);
        let samples = &world.benchmark.samples;
        let slices: Vec<Slice> = tasks
            .iter()
            .flat_map(|task| Slice::of_task(*task, samples))
            .collect();
        let of_sample = samples
            .iter()
            .map(|sample| {
                let task = task_of(sample);
                let is_in = |slice: &Slice| {
                    Some(slice.task) == task && sample.has_tag(slice.scope, &slice.value)
                };
                let own = slices.iter().enumerate().filter(|(_, slice)| is_in(slice));
                (task, own.map(|(at, _)| at).collect())
            })
            .collect();
        let criteria = (0u16..)
            .zip(Vibe.criteria())
            .map(|(at, info)| (info.id, at))
            .collect();
        Self {
            tasks,
            slices,
            of_sample,
            criteria,
        }
    }

    fn scopes(&self, world: &World<'_>) -> Vec<ScopeInfo> {
        let scope = |scope: &str, label: &str, keys: Vec<String>| ScopeInfo {
            scope: scope.to_owned(),
            label: label.to_owned(),
            keys,
        };
        let levels = levels_of(&self.tasks);
        let mut scopes = Vec::new();
        if !levels.is_empty() {
            scopes.push(scope("overall", "Overall", vec!["all".to_owned()]));
            let keys = levels.iter().map(|level| level.id().to_owned());
            scopes.push(scope("level", "Level", keys.collect()));
        }
        if self.has_combined() {
            let keys = self.combined().map(|(key, _)| key.to_owned());
            scopes.push(scope("combined", "Task set", keys.collect()));
        }
        let keys = self.tasks.iter().map(|task| task.id().to_owned());
        scopes.push(scope("task", "Task", keys.collect()));
        for (name, label) in SLICES.into_iter().zip(["Style", "Combination", "Cushions"]) {
            let own = self.slices.iter().filter(|slice| slice.scope == name);
            scopes.push(scope(name, label, own.map(Slice::key).collect()));
            if name == "style" {
                let keys = self.level_styles().into_iter();
                let keys = keys.map(|style| level_style_key(STYLED_LEVEL, style));
                scopes.push(scope(LEVEL_STYLE, "Level and style", keys.collect()));
            }
        }
        let mut runs: BTreeSet<(Task, u32)> = BTreeSet::new();
        for model in world.models {
            for judge in judges(model) {
                runs.extend(runs_of(self, model, judge));
            }
        }
        if runs.iter().any(|(_, run)| *run > 1) {
            let keys = runs.iter().map(|(task, run)| run_key(*task, *run));
            scopes.push(scope("run", "Run", keys.collect()));
        }
        scopes.retain(|scope| !scope.keys.is_empty());
        scopes
    }

    /// The styles that the level's tasks have.
    fn level_styles(&self) -> Vec<&'static str> {
        let is_there = |style: &&'static str| {
            let of_level = |slice: &Slice| slice.task.level() == STYLED_LEVEL;
            let mut own = self.slices.iter().filter(|slice| of_level(slice));
            own.any(|slice| slice.scope == "style" && slice.value == **style)
        };
        STYLES.into_iter().filter(is_there).collect()
    }

    fn has_combined(&self) -> bool {
        self.tasks.iter().any(|task| task.level() == Level::Multi)
    }

    /// One, two and three tasks at once, with the task that holds them; single tasks are the deictic level.
    fn combined(&self) -> impl Iterator<Item = (&'static str, Option<Task>)> {
        let has_deictic = levels_of(&self.tasks).contains(&Level::Deictic);
        let has = |task: Task| self.tasks.contains(&task);
        [
            ("single", None, has_deictic),
            ("double", Some(Task::TwoTasks), has(Task::TwoTasks)),
            ("triple", Some(Task::ThreeTasks), has(Task::ThreeTasks)),
        ]
        .into_iter()
        .filter(|(_, _, is_there)| *is_there)
        .map(|(key, task, _)| (key, task))
    }
}

fn run_key(task: Task, run: u32) -> String {
    format!("{}/{run}", task.id())
}

/// The tasks that a model has neither an output nor a verdict of: it was not tried on them, as models that take one
/// picture are not tried on poses.
fn untried(world: &World<'_>, model: &ModelData) -> [bool; Task::ALL.len()] {
    let mut is_untried = [true; Task::ALL.len()];
    let tasks: Vec<Option<Task>> = world.benchmark.samples.iter().map(task_of).collect();
    let mut try_slot = |slot: u32, sample: u32| {
        let is_there = matches!(
            model.outputs.get(slot as usize),
            Some(OutputState::Present | OutputState::Unreadable | OutputState::Inaccessible)
        );
        if let (true, Some(task)) = (is_there, tasks[sample as usize]) {
            is_untried[task as usize] = false;
        }
    };
    for (slot, sample, _, _) in world.benchmark.turns() {
        try_slot(slot, sample);
    }
    for given in model.given.iter() {
        if let Some(task) = given.sample.get().and_then(|at| tasks[at as usize]) {
            is_untried[task as usize] = false;
        }
    }
    is_untried
}

/// The runs of each task that a judge has replies of.
fn runs_of(layout: &Layout, model: &ModelData, judge: u16) -> BTreeSet<(Task, u32)> {
    let of_judge = model.scored_of(judge);
    of_judge
        .filter_map(|(_, given)| {
            let (task, _) = &layout.of_sample[given.sample.get()? as usize];
            Some(((*task)?, given.run))
        })
        .collect_small()
}

/// Takes out the units of runs that were never made for a task: what is judged three times for one task and once for
/// another lacks nothing. A task without any verdict is expected once.
fn drop_runs_not_made(
    layout: &Layout,
    model: &ModelData,
    judge: u16,
    resolution: &mut Resolution<'_>,
) {
    let made = runs_of(layout, model, judge);
    let first = resolution.runs.first().copied().unwrap_or(1);
    let is_expected: Vec<bool> = resolution
        .scores
        .units
        .iter()
        .map(|unit| {
            let Some(task) = layout.of_sample[unit.sample as usize].0 else {
                return false;
            };
            let has_any = made.range((task, 0)..=(task, u32::MAX)).next().is_some();
            made.contains(&(task, unit.run)) || (!has_any && unit.run == first)
        })
        .collect();
    let mut keep = is_expected.iter();
    resolution
        .scores
        .units
        .retain(|_| keep.next() == Some(&true));
    let mut keep = is_expected.iter();
    resolution.slots.retain(|_| keep.next() == Some(&true));
    let mut keep = is_expected.iter();
    resolution.values.retain(|_| keep.next() == Some(&true));
}

/// Scores that a result file holds besides the task's metrics, by turn and run: the authors' mean takes them in.
fn strays(world: &World<'_>, model: &ModelData, judge: u16) -> HashMap<(u32, u32), Vec<f64>> {
    let mut strays: HashMap<(u32, u32), Vec<f64>> = HashMap::new();
    for (_, given) in model.scored_of(judge) {
        let (Some(slot), Some(sample)) = (given.slot.get(), given.sample.get()) else {
            continue;
        };
        if model.outputs.get(slot as usize) == Some(&OutputState::Inaccessible) {
            continue;
        }
        let name = &model.criteria[usize::from(given.criterion)];
        let metrics = crate::vibe::tasks::metrics_of(&world.benchmark.samples[sample as usize]);
        if metrics.iter().any(|metric| metric.id() == name) {
            continue;
        }
        let verdict = given.verdict.get().map(|at| &model.verdicts[at as usize]);
        if let Some(Ok(atoms)) = verdict.map(|verdict| &verdict.released) {
            strays
                .entry((slot, given.run))
                .or_default()
                .extend(atoms.last());
        }
    }
    strays
}

/// One judge's verdicts for one model.
fn judge_model(
    world: &World<'_>,
    layout: &Layout,
    model: &ModelData,
    judge: u16,
    rules: VibeRules,
) -> (JudgeScores, Table) {
    let mut resolution = resolve(&Vibe, world, model, judge, (rules.reader, rules.policy));
    drop_runs_not_made(layout, model, judge, &mut resolution);
    let is_untried = untried(world, model);
    let strays = strays(world, model, judge);
    let mut table = Table::new(layout, resolution.runs.clone());
    let mut at = 0;
    while at < resolution.scores.units.len() {
        let sample = resolution.scores.units[at].sample;
        let rest = &resolution.scores.units[at..];
        let end = at + rest.partition_point(|unit| unit.sample == sample);
        if let (Some(task), _) = &layout.of_sample[sample as usize] {
            let task = *task;
            let mut total = Moments::default();
            for run_idx in 0..resolution.runs.len() {
                let run = resolution.runs[run_idx];
                let mut asked = ask(rules, model, &resolution, at..end, run);
                if asked.is_empty() {
                    continue;
                }
                if is_untried[task as usize] {
                    for asked in &mut asked {
                        (asked.value, asked.subs) = (None, None);
                    }
                }
                gate(rules, &mut asked);
                let stray = strays
                    .get(&(resolution.slots[at], run))
                    .map_or(&[][..], Vec::as_slice);
                let item = rules.item(task, &asked, stray);
                if let Some(item) = item {
                    total.push(item * 100.0);
                }
                table.push(layout, sample, run_idx, &asked, item);
                settle(layout, &mut resolution.scores, &asked);
            }
            resolution.scores.totals[sample as usize] = total.mean();
        }
        at = end;
    }
    resolution.scores.parts.sort_small_by_key(|part| part.unit);
    (resolution.scores, table)
}

/// The metrics of one item in one run.
fn ask<'a>(
    rules: VibeRules,
    model: &ModelData,
    resolution: &Resolution<'a>,
    units: std::ops::Range<usize>,
    run: u32,
) -> Vec<MetricResult<'a>> {
    units
        .filter(|&at| resolution.scores.units[at].run == run)
        .filter_map(|at| {
            let name = &model.criteria[usize::from(resolution.scores.units[at].criterion)];
            let metric = Metric::named(name)?;
            Some(MetricResult::new(rules, at, metric, resolution.values[at]))
        })
        .collect()
}

/// Visual coherence is 0 without being asked where instruction adherence is 0, whatever a judge says of it;
/// only a number that the authors' own file holds stands in their profile, as their summary does not look twice.
fn gate(rules: VibeRules, asked: &mut [MetricResult<'_>]) {
    let has_failed = asked.iter().any(|asked| {
        asked.metric == Metric::InstructionAdherence
            && asked.value == Some(0.0)
            && matches!(asked.given, UnitValue::Atoms(_))
    });
    for coherence in asked
        .iter_mut()
        .filter(|asked| has_failed && asked.metric == Metric::VisualCoherence)
    {
        let num_keys = Metric::VisualCoherence.keys().len();
        let is_filed = matches!(coherence.given, UnitValue::Atoms(atoms) if atoms.len() == num_keys + 2 && !atoms[0].is_nan());
        if rules.is_authors() && is_filed {
            continue;
        }
        coherence.value = Some(0.0);
        coherence.subs = None;
        coherence.is_gated = true;
    }
}

/// Writes into the units what came of them.
fn settle(layout: &Layout, scores: &mut JudgeScores, asked: &[MetricResult<'_>]) {
    for asked in asked {
        let unit = &mut scores.units[asked.unit];
        unit.counted = asked.value.into();
        match (asked.value, unit.incident) {
            // Nothing went wrong with what need not be asked.
            (Some(_), Some(IncidentKind::MissingReply | IncidentKind::InaccessibleReply))
                if asked.is_gated =>
            {
                unit.incident = None;
            }
            // The file says that it was skipped, but the edit had not failed.
            (None, None) => unit.incident = Some(IncidentKind::MissingReply),
            _ => {}
        }
        let Some(value) = asked.value else { continue };
        let unit = u32::try_from(asked.unit).unwrap_or(u32::MAX);
        let mut part = |id: &str, value: f64| {
            if let Some(&criterion) = layout.criteria.get(id) {
                scores.parts.push(CriterionScore {
                    unit,
                    criterion,
                    value,
                });
            }
        };
        part(asked.metric.id(), value);
        for (key, sub) in asked.parts() {
            if let Some(sub) = sub {
                part(&part_id(asked.metric, key), sub);
            }
        }
    }
}

/// One number per item and run, in a group of items.
#[derive(Clone, Debug, Default)]
struct Series {
    /// Per run: sample and value.
    runs: Vec<Vec<(u32, Option<f64>)>>,
}

impl Series {
    fn push(&mut self, run: usize, sample: u32, value: Option<f64>) {
        if self.runs.len() <= run {
            self.runs.resize(run + 1, Vec::new());
        }
        self.runs[run].push((sample, value));
    }

    fn of_run(&self, run: usize) -> Self {
        Self {
            runs: self.runs.get(run).cloned().into_iter().collect(),
        }
    }

    fn means(&self, rounding: Rounding) -> Vec<f64> {
        let run_mean = |run: &Vec<(u32, Option<f64>)>| {
            let values: Vec<f64> = run.iter().filter_map(|(_, value)| *value).collect();
            match rounding {
                _ if values.is_empty() => None,
                Rounding::None => Some(values.iter().sum::<f64>() / values.len() as f64 * 100.0),
                Rounding::Files => score::percent(&values),
            }
        };
        self.runs.iter().filter_map(run_mean).collect()
    }

    /// The mean over runs of their means over items, in percent.
    fn row(
        &self,
        head: &Head<'_>,
        (scope, key): (&str, &str),
        criterion: &str,
        (rounding, runs): (Rounding, &[u32]),
    ) -> ScoreRow {
        let means = self.means(rounding);
        let mut by_item: HashMap<u32, Moments> = HashMap::new();
        let (mut n, mut expected) = (0, 0);
        let mut order = Vec::new();
        for (sample, value) in self.runs.iter().flatten() {
            expected += 1;
            if let Some(value) = value {
                n += 1;
                if !by_item.contains_key(sample) {
                    order.push(*sample);
                }
                by_item.entry(*sample).or_default().push(value * 100.0);
            }
        }
        let mut items = Moments::default();
        for sample in order {
            if let Some(mean) = by_item[&sample].mean() {
                items.push(mean);
            }
        }
        let variance = match rounding {
            _ if means.is_empty() => None,
            Rounding::None => Some(score::variance(&means)),
            Rounding::Files => Some(score::over_runs(&means).1),
        };
        let mean = self.mean_of_runs(head, (scope, key), criterion, (rounding, runs));
        let interval = mean
            .value()
            .and_then(|center| OriginInterval::student(center, &items, (1.0, 1.0)));
        let bound = |missing: f64| {
            let filled = |run: &Vec<(u32, Option<f64>)>| {
                let values = run
                    .iter()
                    .map(|(sample, value)| (*sample, Some(value.unwrap_or(missing))));
                values.collect()
            };
            let whole = Self {
                runs: self.runs.iter().map(filled).collect(),
            };
            let means = whole.means(rounding);
            match rounding {
                _ if means.is_empty() => None,
                Rounding::None => Some(score::mean(&means)),
                Rounding::Files => Some(score::over_runs(&means).0),
            }
        };
        let row = ScoreRow {
            n,
            expected,
            sd: match means.len() {
                0 => None,
                1 => items.sd(),
                _ => variance.map(f64::sqrt),
            },
            worst: bound(0.0),
            best: bound(1.0),
            ..head.row(scope, key, criterion)
        };
        row.settle(Origin {
            mean: Some(mean),
            interval,
        })
    }

    /// The mean over runs, each one a percentage, which the authors' files have rounded already; of one run, that percentage.
    fn mean_of_runs(
        &self,
        head: &Head<'_>,
        (scope, key): (&str, &str),
        criterion: &str,
        (rounding, runs): (Rounding, &[u32]),
    ) -> OriginMean {
        let round = |mean: OriginMean| match rounding {
            Rounding::None => mean,
            Rounding::Files => mean.rounded(2, true),
        };
        let of_run = |run: &[(u32, Option<f64>)]| {
            let values: Vec<f64> = run.iter().filter_map(|(_, value)| *value).collect();
            let n = u32::try_from(values.len()).unwrap_or(u32::MAX);
            round(OriginMean::of_values(values.iter().sum(), n, 100.0))
        };
        let means = self.runs.iter().map(|run| of_run(run)).zip(runs);
        let mut means: Vec<(OriginMean, &u32)> =
            means.filter(|(mean, _)| mean.divisor > 0.0).collect();
        if means.len() < 2 {
            let only = means.pop().map(|(mean, _)| mean);
            return only.unwrap_or_else(|| of_run(&[]));
        }
        let parts = means.into_iter().map(|(mean, run)| OriginPart {
            judge: head.judge.to_owned(),
            scope: "run".to_owned(),
            key: format!("{key}/{run}"),
            criterion: criterion.to_owned(),
            is_row: scope == "task",
            value: mean.value(),
            weight: 1.0,
            is_turned: false,
        });
        round(OriginMean::of_parts(parts.collect(), Gaps::LeftOut))
    }
}

/// All series of one judge and model.
struct Table {
    runs: Vec<u32>,
    /// Per task: criterion and series, in the order of the task's metrics.
    tasks: Vec<Vec<(String, Series)>>,
    slices: Vec<Vec<(String, Series)>>,
}

impl Table {
    fn new(layout: &Layout, runs: Vec<u32>) -> Self {
        let columns = |task: Task| {
            let mut columns: Vec<(String, Series)> = Vec::new();
            for &metric in task.metrics() {
                columns.push((metric.id().to_owned(), Series::default()));
                if has_parts(metric) {
                    let keys = metric.keys().iter();
                    columns.extend(keys.map(|key| (part_id(metric, key), Series::default())));
                }
            }
            columns.push(("total".to_owned(), Series::default()));
            columns
        };
        Self {
            runs,
            tasks: Task::ALL.map(columns).into(),
            slices: layout
                .slices
                .iter()
                .map(|slice| columns(slice.task))
                .collect(),
        }
    }

    fn push(
        &mut self,
        layout: &Layout,
        sample: u32,
        run: usize,
        asked: &[MetricResult<'_>],
        item: Option<f64>,
    ) {
        let (task, slices) = &layout.of_sample[sample as usize];
        let Some(task) = task else { return };
        let of_slices = self.slices.iter_mut().enumerate();
        let of_slices = of_slices.filter(|(at, _)| slices.contains(at));
        let of_task = self.tasks.get_mut(*task as usize).into_iter();
        for columns in of_task.chain(of_slices.map(|(_, columns)| columns)) {
            let mut put = |id: &str, value: Option<f64>| {
                if let Some((_, series)) = columns.iter_mut().find(|(known, _)| known == id) {
                    series.push(run, sample, value);
                }
            };
            for asked in asked {
                put(asked.metric.id(), asked.value);
                for (key, sub) in asked.parts() {
                    put(&part_id(asked.metric, key), sub);
                }
            }
            put("total", item);
        }
    }

    /// The rows of every grouping, widest first.
    fn rows(&self, head: &Head<'_>, layout: &Layout, rules: VibeRules) -> Vec<ScoreRow> {
        let row = |scope: &str, key: &str, (criterion, series): &(String, Series)| {
            series.row(head, (scope, key), criterion, (rules.rounding, &self.runs))
        };
        let mut of_tasks = Vec::new();
        let mut of_runs = Vec::new();
        for &task in &layout.tasks {
            let columns = &self.tasks[task as usize];
            of_tasks.extend(columns.iter().map(|column| row("task", task.id(), column)));
            for (at, run) in self.runs.iter().enumerate().filter(|_| self.runs.len() > 1) {
                let is_made = |(_, series): &(String, Series)| {
                    series.runs.get(at).is_some_and(|run| !run.is_empty())
                };
                if !columns.iter().any(is_made) {
                    continue;
                }
                let key = run_key(task, *run);
                of_runs.extend(columns.iter().map(|(criterion, series)| {
                    let column = (criterion.clone(), series.of_run(at));
                    row("run", &key, &column)
                }));
            }
        }
        let of_slices = layout.slices.iter().zip(&self.slices);
        let of_slices: Vec<ScoreRow> = of_slices
            .flat_map(|(slice, columns)| {
                let key = slice.key();
                let rows = columns.iter().map(|column| row(slice.scope, &key, column));
                rows.collect::<Vec<_>>()
            })
            .collect();
        let of_level_styles: Vec<ScoreRow> = layout
            .level_styles()
            .into_iter()
            .flat_map(|style| level_style_rows(head, style, &of_slices))
            .collect();
        let total = |task: Task| {
            of_tasks
                .iter()
                .find(|row: &&ScoreRow| row.key == task.id() && row.criterion == "total")
        };
        let levels: Vec<ScoreRow> = levels_of(&layout.tasks)
            .into_iter()
            .map(|level| level_row(head, level, total))
            .collect();
        let mut rows = Vec::new();
        if !levels.is_empty() {
            rows.push(overall_row(head, &levels));
        }
        let combined = layout.combined().filter(|_| layout.has_combined());
        let combined: Vec<ScoreRow> = combined
            .filter_map(|(key, task)| {
                let source = match task {
                    Some(task) => total(task)?,
                    None => levels.iter().find(|row| row.key == Level::Deictic.id())?,
                };
                Some(ScoreRow {
                    scope: "combined".to_owned(),
                    key: key.to_owned(),
                    ..source.clone()
                })
            })
            .collect();
        rows.extend(levels);
        rows.extend(combined);
        rows.extend(of_tasks);
        rows.extend(of_slices);
        rows.extend(of_level_styles);
        rows.extend(of_runs);
        rows
    }
}

/// A level's average: no number while one of its tasks has none.
fn level_row<'a>(
    head: &Head<'_>,
    level: Level,
    total: impl Fn(Task) -> Option<&'a ScoreRow>,
) -> ScoreRow {
    let absent = |task: Task| head.row("task", task.id(), "total");
    let rows: Vec<(ScoreRow, bool)> = level
        .tasks()
        .map(|task| total(task).map_or_else(|| (absent(task), false), |row| (row.clone(), true)))
        .collect();
    mean_of_whole(head, ("level", level.id()), "total", &rows)
}

/// The mean of rows, of which each says whether it is shown: no number and no bounds while one of them has none.
pub(super) fn mean_of_whole(
    head: &Head<'_>,
    group: (&str, &str),
    criterion: &str,
    rows: &[(ScoreRow, bool)],
) -> ScoreRow {
    let all: Vec<&ScoreRow> = rows.iter().map(|(row, _)| row).collect();
    let mut row = mean_of(head, group, criterion, &all, Gaps::NoNumber);
    let parts = row.origin.mean.iter_mut().flat_map(|mean| &mut mean.parts);
    for (part, (_, is_row)) in parts.zip(rows) {
        part.is_row = *is_row;
    }
    if row.mean.is_none() {
        (row.worst, row.best) = (None, None);
    }
    row
}

/// The mean of the levels that have one.
fn overall_row(head: &Head<'_>, levels: &[ScoreRow]) -> ScoreRow {
    let there: Vec<&ScoreRow> = levels.iter().filter(|row| row.mean.is_some()).collect();
    let all: Vec<&ScoreRow> = levels.iter().collect();
    let of = |rows: &[&ScoreRow]| mean_of(head, ("overall", "all"), "total", rows, Gaps::LeftOut);
    let bounds = of(&there);
    ScoreRow {
        worst: bounds.worst,
        best: bounds.best,
        ..of(&all)
    }
}
