//! Replies → score rows for both profiles, steered by `MiconRules`.
//!
//! Each difference between paper and code is one field of `MiconRules`, so its effect is the score with that one field exchanged.

use std::collections::HashSet;

use super::card::lacks_answers;
use super::score::{self, case_weighted};
use super::verdict::Judged;
use super::{CANDIDATE, DIMENSIONS, Micon, STORY, TASKS, Task};
use crate::contract::{Scoring, is_in};
use crate::micon::{differences, published};
use crate::published::Published;
use crate::resolve::{self, Resolution, UnitValue};
use crate::table::{Cell, Head};
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::origin::Origin;
use juror_model::published::PrintedCost;
use juror_model::reply::Fault;
use juror_model::sample::{Benchmark, Sample};
use juror_model::score::{CriterionScore, JudgeScores, ModelScores, Scores};
use juror_model::submission::OutputState;
use juror_model::terms::{CriterionInfo, Difference, Direction, Formula, ScopeInfo};
use juror_reading::py;
use juror_statistics::small::SortSmall;

/// Position of the candidate score among the criteria.
const CANDIDATE_AT: usize = DIMENSIONS.len();
/// Position of the total.
const TOTAL_AT: usize = CANDIDATE_AT + 1;
/// Dimensions, candidate score and total.
const NUM_CRITERIA: usize = TOTAL_AT + 1;

impl Scoring for Micon {
    fn criteria(&self) -> Vec<CriterionInfo> {
        let criterion =
            |id: &str, short: &str, label: &str, meaning: &str, max: f64| CriterionInfo {
                id: id.to_owned(),
                short: short.to_owned(),
                label: label.to_owned(),
                meaning: meaning.to_owned(),
                min: 0.0,
                max,
                allowed: None,
                scale: 1.0,
                decimals: 2,
                direction: Direction::Up,
            };
        let mut criteria: Vec<CriterionInfo> = DIMENSIONS
            .iter()
            .map(|dimension| {
                let letter = dimension.letter.to_string();
                criterion(&letter, &letter, dimension.label, dimension.meaning, 1.0)
            })
            .collect();
        criteria.push(criterion(
            CANDIDATE,
            "Cand",
            "Candidate score",
            "The picture shows one of the continuations that people wrote down as right; stories only.",
            score::MAX_CANDIDATE,
        ));
        criteria.push(criterion(
            "total",
            "Avg",
            "Total",
            "What the paper's tables show: the mean of the dimensions in percent, for stories with the candidate score.",
            100.0,
        ));
        criteria
    }

    /// Scores for all models and judges.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        let policy = options.policy();
        let rules = MiconRules::new(options.profile, policy);
        let criteria = Micon.criteria();
        let mut scores = Scores::default();
        let mut has_runs = false;
        for model in world.models {
            let mut of_model = ModelScores {
                mode: "img",
                judges: Vec::new(),
            };
            for judge in resolve::judges(model) {
                let standing = ModelResults::new(world, model, judge, options.profile, rules);
                let head = Head {
                    model: &model.submission.name,
                    judge: &standing.scores.judge,
                    profile: options.profile,
                    policy,
                };
                has_runs |= standing.runs.len() > 1;
                rows(world, &standing, &head, &criteria, &mut scores);
                of_model.judges.push(standing.scores);
            }
            scores.models.push(of_model);
        }
        scores.scopes = GROUPS
            .iter()
            .map(|(scope, label, key)| scope_info(scope, label, keys(world, *key)))
            .collect();
        if has_runs {
            let mut runs: Vec<u32> = scores
                .rows
                .iter()
                .filter(|row| row.scope == "run")
                .filter_map(|row| row.key.parse().ok())
                .collect();
            runs.sort_small();
            runs.dedup();
            let keys = runs.iter().map(u32::to_string).collect();
            scores.scopes.push(scope_info("run", "Run", keys));
        }
        scores
    }

    /// What incidents of a kind count as.
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        match (kind, options.policy(), options.profile) {
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Exclude, _) => {
                "left out"
            }
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Zero, _) => {
                "counts 0"
            }
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Upstream, _) => {
                "left out, unless there is a judgement of it"
            }
            (_, _, Profile::Paper) => "left out; a story then has no total",
            (IncidentKind::OutOfRange, _, Profile::Released) => "counts as it is",
            (_, _, Profile::Released) => {
                "left out; a story without a candidate score counts by its checkpoints alone"
            }
        }
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        turn_total(counted)
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn published(&self) -> Published {
        published::published()
    }

    fn printed_costs(&self) -> Vec<PrintedCost> {
        published::printed_costs()
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        if scope == "run" {
            return None;
        }
        let samples = benchmark.samples.iter();
        let (task, count) = key.rsplit_once('/').unwrap_or_default();
        let members = samples.map(|sample| match scope {
            TASK_REFERENCES => sample.domain == task && num_references(sample) == Some(count),
            _ => is_in(sample, scope, key),
        });
        Some(members.collect())
    }

    fn derived_groups(&self, sample: &Sample) -> Vec<(&'static str, String)> {
        let own = num_references(sample);
        let own = own.map(|count| (TASK_REFERENCES, format!("{}/{count}", sample.domain)));
        own.into_iter().collect()
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}

/// Everything in which ways of scoring differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MiconRules {
    /// Which replies are let in beyond those of the strict reader.
    pub(super) partial: Leniency,
    pub(super) off_scale: Leniency,
    pub(super) own_totals: Leniency,
    pub(super) candidates: Leniency,
    pub(super) outputs: Policy,
    pub(super) mean: Mean,
    pub(super) rounding: Rounding,
    pub(super) plain_stories: Leniency,
    pub(super) stops: Stops,
}

/// Whether replies of a kind count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leniency {
    /// They are incidents.
    Refused,
    /// They count as the authors' code counts them.
    Counted,
}

/// What a total is the mean of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mean {
    /// The dimensions' means: the paper's appendix and the code.
    Dimensions,
    /// All checkpoints: the paper's main text.
    Checkpoints,
}

/// Whether a case's total is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    None,
    /// To two digits.
    PerCase,
}

/// What a reply does that the authors' report writer cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stops {
    LeftOut,
    /// There is no report at all.
    NoResult,
}

impl MiconRules {
    /// The rules of a profile under a policy.
    pub(super) fn new(profile: Profile, policy: Policy) -> Self {
        let leniency = match profile {
            Profile::Paper => Leniency::Refused,
            Profile::Released => Leniency::Counted,
        };
        Self {
            partial: leniency,
            off_scale: leniency,
            own_totals: leniency,
            candidates: leniency,
            outputs: policy,
            mean: Mean::Dimensions,
            rounding: match profile {
                Profile::Paper => Rounding::None,
                Profile::Released => Rounding::PerCase,
            },
            plain_stories: leniency,
            stops: match policy {
                Policy::Upstream => Stops::NoResult,
                Policy::Exclude | Policy::Zero => Stops::LeftOut,
            },
        }
    }
}

/// The total of a case from what its units came to: the checkpoint units carry it, one per run.
pub fn turn_total(counted: &[(&str, Option<f64>)]) -> Option<f64> {
    let of_runs = counted.iter().filter(|(request, _)| *request != CANDIDATE);
    let totals: Vec<f64> = of_runs.filter_map(|(_, total)| *total).collect();
    mean(&totals)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// What a case comes to: dimensions, candidate score and total.
#[derive(Clone, Copy, Debug, Default)]
struct CaseValues([Option<f64>; NUM_CRITERIA]);

/// One judge's view of a model.
pub(super) struct ModelResults {
    pub(super) scores: JudgeScores,
    /// Per sample and criterion, the mean over runs.
    cases: Vec<CaseValues>,
    /// Totals per run.
    runs: Vec<(u32, Vec<Option<f64>>)>,
}

impl ModelResults {
    pub(super) fn new(
        world: &World<'_>,
        model: &ModelData,
        judge: u16,
        profile: Profile,
        rules: MiconRules,
    ) -> Self {
        let mut resolution =
            resolve::resolve(&Micon, world, model, judge, (profile, rules.outputs));
        let stopped = stopped(world, model, judge, rules);
        let num_runs = resolution.runs.len();
        let mut cases = Vec::with_capacity(world.benchmark.samples.len());
        let mut runs: Vec<(u32, Vec<Option<f64>>)> = resolution
            .runs
            .iter()
            .map(|run| (*run, Vec::new()))
            .collect();
        let mut first = 0;
        for (position, sample) in world.benchmark.samples.iter().enumerate() {
            let of_sample = resolution.scores.units[first..]
                .iter()
                .take_while(|unit| unit.sample as usize == position)
                .count();
            let mut of_runs = Vec::with_capacity(num_runs);
            for (at, (_, totals)) in runs.iter_mut().enumerate() {
                // Units stand by request, then by run: checkpoints first, a story's candidate behind.
                let checkpoints = (at < of_sample).then_some(first + at);
                let candidate = (num_runs + at < of_sample).then_some(first + num_runs + at);
                let values = case(
                    model,
                    sample,
                    rules,
                    &mut resolution,
                    checkpoints,
                    candidate,
                );
                totals.push(values.0[TOTAL_AT]);
                of_runs.push(values);
            }
            let candidates = first + num_runs..first + of_sample.max(num_runs);
            push_candidates(&mut resolution.scores, candidates);
            let over_runs = |criterion: usize| {
                let values: Vec<f64> = of_runs.iter().filter_map(|run| run.0[criterion]).collect();
                mean(&values)
            };
            let values: [Option<f64>; NUM_CRITERIA] = std::array::from_fn(over_runs);
            resolution.scores.totals[position] = values[TOTAL_AT];
            cases.push(CaseValues(values));
            first += of_sample;
        }
        resolution.scores.stopped = stopped;
        Self {
            scores: resolution.scores,
            cases,
            runs,
        }
    }

    /// The mean total over all cases; the error says why the authors' scripts write no report.
    pub(super) fn overall(&self) -> Result<Option<f64>, String> {
        if let Some(stopped) = &self.scores.stopped {
            return Err(stopped.clone());
        }
        let totals: Vec<f64> = self
            .cases
            .iter()
            .filter_map(|case| case.0[TOTAL_AT])
            .collect();
        Ok(mean(&totals))
    }

    /// The tasks' means weighted by the published benchmark's case counts.
    pub(super) fn case_weighted(&self, world: &World<'_>) -> Option<f64> {
        let of_task = |task: &Task| {
            let pairs = self.cases.iter().zip(&world.benchmark.samples);
            let own = pairs.filter(|(_, sample)| sample.domain == task.id);
            let totals: Vec<f64> = own.filter_map(|(case, _)| case.0[TOTAL_AT]).collect();
            mean(&totals)
        };
        case_weighted(&std::array::from_fn(|at| of_task(&TASKS[at])))
    }
}

/// Where the authors' report writer would stop.
fn stopped(world: &World<'_>, model: &ModelData, judge: u16, rules: MiconRules) -> Option<String> {
    if rules.stops == Stops::LeftOut {
        return None;
    }
    let stops = |verdict: u32| {
        let verdict = model.verdicts.get(verdict as usize);
        verdict.is_some_and(|verdict| verdict.released == Err(Fault::Stops))
    };
    let mut of_judge = model.scored_of(judge);
    let (_, culprit) = of_judge.find(|(_, given)| given.verdict.get().is_some_and(stops))?;
    let position = culprit.sample.get().map(|at| at as usize);
    let sample = position.and_then(|at| world.benchmark.samples.get(at));
    let name = sample.map_or("an unknown case", |sample| &sample.id);
    Some(format!(
        "The authors' aggregation stops at the judgement of {name}, whose flags or own scores are not of the type that it needs, and writes no report."
    ))
}

/// The values of one case in one run; the units take note of what was counted.
fn case(
    model: &ModelData,
    sample: &Sample,
    rules: MiconRules,
    resolution: &mut Resolution<'_>,
    checkpoints: Option<usize>,
    candidate: Option<usize>,
) -> CaseValues {
    let mut values = CaseValues::default();
    let (Some(unit), Some(task)) = (checkpoints, Task::find(&sample.domain)) else {
        return values;
    };
    let judged = judged(model, task, rules, resolution, unit);
    let candidate_score =
        candidate.and_then(|unit| candidate_score(model, rules, resolution, unit));
    if let Some(unit) = candidate {
        resolution.scores.units[unit].counted = candidate_score.into();
    }
    values.0[CANDIDATE_AT] = candidate_score;
    let total = match judged {
        None => None,
        Some(Judged::Own { overall, scores }) => {
            values.0[..CANDIDATE_AT].copy_from_slice(&scores);
            Some(overall)
        }
        Some(Judged::Checkpoints(passes)) => {
            let scores = score::dimension_scores(task, &passes);
            values.0[..CANDIDATE_AT].copy_from_slice(&scores);
            let mean = match rules.mean {
                Mean::Dimensions => score::mean_of(&scores),
                Mean::Checkpoints => score::checkpoint_mean(task, &passes),
            };
            let stand_in = candidate.and_then(|unit| {
                let incident = resolution.scores.units[unit].incident;
                // Without an entry in the answer sets the authors' code puts 0; without a picture it does not ask.
                let is_asked =
                    incident == Some(IncidentKind::MissingReply) && lacks_answers(sample);
                (is_asked && rules.plain_stories == Leniency::Counted).then_some(0.0)
            });
            match (candidate.is_some(), candidate_score.or(stand_in)) {
                (true, Some(score)) => Some(score::story_total(mean, score)),
                (true, None) if rules.plain_stories == Leniency::Refused => None,
                _ => Some(mean * 100.0),
            }
        }
    };
    let total = total.map(|total| match (rules.rounding, judged) {
        (Rounding::PerCase, Some(Judged::Checkpoints(_))) => py::round(total, 2),
        _ => total,
    });
    values.0[TOTAL_AT] = total;
    resolution.scores.units[unit].counted = total.into();
    let parts = (0u16..).zip(&values.0[..CANDIDATE_AT]);
    resolution
        .scores
        .parts
        .extend(parts.filter_map(|(criterion, value)| {
            Some(CriterionScore {
                unit: u32::try_from(unit).unwrap_or(u32::MAX),
                criterion,
                value: (*value)?,
            })
        }));
    values
}

/// The candidate scores of a case as parts of their units, which stand behind those of its checkpoints.
fn push_candidates(scores: &mut JudgeScores, units: std::ops::Range<usize>) {
    for unit in units {
        if let Some(value) = scores.units[unit].counted.get() {
            scores.parts.push(CriterionScore {
                unit: u32::try_from(unit).unwrap_or(u32::MAX),
                criterion: u16::try_from(CANDIDATE_AT).unwrap_or(u16::MAX),
                value,
            });
        }
    }
}

/// What the checkpoint reply of a unit comes to.
fn judged(
    model: &ModelData,
    task: &Task,
    rules: MiconRules,
    resolution: &mut Resolution<'_>,
    unit: usize,
) -> Option<Judged> {
    match resolution.values[unit] {
        UnitValue::Lowest => return Some(Judged::Checkpoints([0.0; super::NUM_CHECKPOINTS])),
        UnitValue::Atoms(atoms) => return Some(Judged::of(atoms)),
        UnitValue::Missing => {}
    }
    let judged = Judged::of(lenient(model, resolution, unit)?);
    let leniency = match &judged {
        Judged::Own { .. } => rules.own_totals,
        Judged::Checkpoints(values) => {
            let is_on_scale = |(at, _): (usize, usize)| [0.0, 1.0].contains(&values[at]);
            if task.checkpoints().all(is_on_scale) {
                rules.partial
            } else {
                rules.off_scale
            }
        }
    };
    if leniency == Leniency::Refused {
        return None;
    }
    count_reply(resolution, unit);
    Some(judged)
}

/// The authors' reading of a reply that the strict reader refuses, where one of the rules may want it.
fn lenient<'a>(
    model: &'a ModelData,
    resolution: &Resolution<'_>,
    unit: usize,
) -> Option<&'a [f64]> {
    let unit = &resolution.scores.units[unit];
    let is_of_output =
        |kind: IncidentKind| kind.is_models() || kind == IncidentKind::InaccessibleOutput;
    if unit.incident.is_some_and(is_of_output) {
        return None;
    }
    let position = model.given[unit.given.get()? as usize].verdict.get()?;
    let verdict = model.verdicts.get(position as usize)?;
    verdict.of(Profile::Released).ok()
}

fn count_reply(resolution: &mut Resolution<'_>, unit: usize) {
    if let Some(given) = resolution.scores.units[unit].given.get() {
        resolution.scores.counted[given as usize] = true;
    }
}

/// The candidate score of a unit.
fn candidate_score(
    model: &ModelData,
    rules: MiconRules,
    resolution: &mut Resolution<'_>,
    unit: usize,
) -> Option<f64> {
    match resolution.values[unit] {
        UnitValue::Lowest => Some(0.0),
        UnitValue::Atoms(atoms) => atoms.first().copied(),
        UnitValue::Missing => {
            let atoms = lenient(model, resolution, unit)?;
            if rules.candidates == Leniency::Refused {
                return None;
            }
            count_reply(resolution, unit);
            atoms.first().copied()
        }
    }
}

/// The groups that scores are given for: scope, its label, and the key of a sample.
type Group = (&'static str, &'static str, fn(&Sample) -> Option<String>);

const GROUPS: [Group; 5] = [
    ("overall", "Overall", |_| Some("all".to_owned())),
    ("category", "Kind", |sample| {
        Some(sample.category.to_string())
    }),
    ("domain", "Task", |sample| Some(sample.domain.clone())),
    ("references", "References", |sample| {
        num_references(sample).map(str::to_owned)
    }),
    (TASK_REFERENCES, "Task and references", |sample| {
        num_references(sample).map(|count| format!("{}/{count}", sample.domain))
    }),
];

/// The groups of one task's cases with so many references, as Table 5 has them of one task: `object_composition/2`.
pub(super) const TASK_REFERENCES: &str = "task_references";

/// How many references a case has, where its card says it.
fn num_references(sample: &Sample) -> Option<&str> {
    let mut tags = sample.tags.iter();
    let own = tags.find(|(scope, _)| *scope == "references");
    own.map(|(_, count)| count.as_str())
}

/// The keys of a group in the order of the benchmark; numbers by value, also behind a task.
fn keys(world: &World<'_>, key: fn(&Sample) -> Option<String>) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for key in world.benchmark.samples.iter().filter_map(key) {
        if seen.insert(key.clone()) {
            keys.push(key);
        }
    }
    if keys.iter().all(|key| key.parse::<u32>().is_ok()) {
        keys.sort_small_by_key(|key| key.parse::<u32>().unwrap_or(u32::MAX));
    }
    let parts = |key: &str| {
        let (task, count) = key.rsplit_once('/')?;
        let at = TASKS.iter().position(|known| known.id == task);
        Some((at.unwrap_or(TASKS.len()), count.parse::<u32>().ok()?))
    };
    if keys.iter().all(|key| parts(key).is_some()) {
        keys.sort_small_by_key(|key| parts(key));
    }
    keys
}

/// Whether a case is judged on a criterion.
fn is_asked(sample: &Sample, criterion: usize) -> bool {
    match criterion {
        TOTAL_AT => true,
        CANDIDATE_AT => sample.domain == STORY,
        dimension => Task::find(&sample.domain).is_some_and(|task| task.num_checks[dimension] > 0),
    }
}

fn scope_info(scope: &str, label: &str, keys: Vec<String>) -> ScopeInfo {
    ScopeInfo {
        scope: scope.to_owned(),
        label: label.to_owned(),
        keys,
    }
}

/// The rows of one judge for one model.
fn rows(
    world: &World<'_>,
    standing: &ModelResults,
    head: &Head<'_>,
    criteria: &[CriterionInfo],
    scores: &mut Scores,
) {
    let is_stopped = standing.scores.stopped.is_some();
    let samples = &world.benchmark.samples;
    for (scope, _, key_of) in GROUPS {
        for key in keys(world, key_of) {
            let own: Vec<(&Sample, &CaseValues)> = samples
                .iter()
                .zip(&standing.cases)
                .filter(|(sample, _)| key_of(sample).as_deref() == Some(key.as_str()))
                .collect();
            for (at, criterion) in criteria.iter().enumerate() {
                let mut cell = Cell::default();
                for (sample, values) in &own {
                    if is_asked(sample, at) {
                        cell.push(values.0[at]);
                    }
                }
                push(&cell, head, (scope, &key), criterion, is_stopped, scores);
            }
        }
    }
    if standing.runs.len() < 2 {
        return;
    }
    for (run, totals) in &standing.runs {
        let mut cell = Cell::default();
        for total in totals {
            cell.push(*total);
        }
        let key = run.to_string();
        push(
            &cell,
            head,
            ("run", &key),
            &criteria[TOTAL_AT],
            is_stopped,
            scores,
        );
    }
}

/// One row, unless nothing is expected of it; where the authors' scripts write no report, without its number.
fn push(
    cell: &Cell,
    head: &Head<'_>,
    place: (&str, &str),
    criterion: &CriterionInfo,
    is_stopped: bool,
    scores: &mut Scores,
) {
    if cell.expected() == 0 {
        return;
    }
    let mut row = cell.row(head, place, criterion);
    if is_stopped {
        row = row.settle(Origin::default());
        (row.sd, row.worst, row.best) = (None, None, None);
    }
    scores.rows.push(row);
}

/// What there is in a model's replies and outputs for the rules to differ on.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent findings, each about one rule"
)]
pub(super) struct Facts {
    pub(super) is_output_amiss: bool,
    pub(super) is_lenient: bool,
    pub(super) is_candidate_lenient: bool,
    pub(super) is_stopping: bool,
}

impl Facts {
    pub(super) fn of(model: &ModelData) -> Self {
        let is_amiss =
            |state: &OutputState| matches!(state, OutputState::Missing | OutputState::Unreadable);
        let mut facts = Self {
            is_output_amiss: model.outputs.iter().any(is_amiss),
            ..Self::default()
        };
        for given in model.given.iter() {
            let position = given.verdict.get().map(|at| at as usize);
            let Some(verdict) = position.and_then(|at| model.verdicts.get(at)) else {
                continue;
            };
            let is_lenient = verdict.paper.is_err() && verdict.released.is_ok();
            if model.criteria[usize::from(given.criterion)] == CANDIDATE {
                facts.is_candidate_lenient |= is_lenient;
            } else {
                facts.is_lenient |= is_lenient;
            }
            facts.is_stopping |= verdict.released == Err(Fault::Stops);
        }
        facts
    }
}
