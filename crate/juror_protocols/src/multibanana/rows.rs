//! Replies → score rows for both profiles, steered by [`MultiBananaRules`].
//!
//! Source: MultiBanana, Tables 3 and 12 to 14, and the authors' `extract_results`.
//! A task's row is the plain mean over its sets; every wider row is the unweighted mean over task types, as in Table 3.
//! Each difference between paper and code is one field of [`MultiBananaRules`], so its effect is the score with that one field exchanged.

use std::collections::{HashMap, HashSet};

use super::layout::{self, DIFFICULTIES, ORIGINS, STRUCTURES};
use super::score::{total, weights};
use super::verdict::Atoms;
use super::{LABELS, MAX_SCORE, MIN_SCORE, MultiBanana, PAPER_JUDGES};
use crate::contract::Scoring;
use crate::multibanana::{CRITERIA, differences, published, score};
use crate::published::Published;
use crate::resolve::{self, UnitValue};
use crate::table::{Cell, Head, mean_of, means_of_judges};
use juror_model::incident::IncidentKind;
use juror_model::judge::AND;
use juror_model::linked::{LinkedReply, ModelData, World};
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::origin::{Gaps, Origin, OriginMean, OriginPart};
use juror_model::reply::Fault;
use juror_model::row::ScoreRow;
use juror_model::sample::{Benchmark, Sample};
use juror_model::score::{CriterionScore, JudgeScores, ModelScores, Scores};
use juror_model::terms::{CriterionInfo, Difference, Direction, Formula, ScopeInfo};
use juror_statistics::level::Level;
use juror_statistics::small::SortSmall;

/// Five criteria and the total.
const NUM_COLUMNS: usize = LABELS.len() + 1;
/// Position of the total among the columns.
const TOTAL: usize = LABELS.len();

impl Scoring for MultiBanana {
    fn criteria(&self) -> Vec<CriterionInfo> {
        let texts = [
            ("IA", "Everything that the instruction asks for is there."),
            (
                "RC",
                "What was taken from the references looks like the references.",
            ),
            (
                "BSM",
                "Subjects and background fit together in light, style and scale.",
            ),
            ("PR", "Nothing breaks the laws of nature."),
            ("VQ", "The picture is pleasing and clean as a whole."),
        ];
        let info = |id: &str, short: &str, label: &str, meaning: &str| CriterionInfo {
            id: id.to_owned(),
            short: short.to_owned(),
            label: label.to_owned(),
            meaning: meaning.to_owned(),
            min: MIN_SCORE,
            max: MAX_SCORE,
            allowed: None,
            scale: 1.0,
            decimals: 3,
            direction: Direction::Up,
        };
        let mut criteria: Vec<CriterionInfo> = CRITERIA
            .iter()
            .zip(LABELS)
            .zip(texts)
            .map(|((id, label), (short, meaning))| info(id, short, label, meaning))
            .collect();
        criteria.push(info(
            "total",
            "Total",
            "Total",
            "The five criteria together: weighted 3:3:1:1:1 in the paper, plain in the released code.",
        ));
        criteria
    }

    /// Scores for all models and judges.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        let groups = Groups::new(world);
        let criteria = MultiBanana.criteria();
        let policy = options.policy();
        let rules = MultiBananaRules::new(options.profile, policy);
        let mut scores = Scores::default();
        for model in world.models {
            let mut of_model = ModelScores {
                mode: "img",
                judges: Vec::new(),
            };
            let mut rows: Vec<(String, Vec<ScoreRow>)> = Vec::new();
            for judge in resolve::judges(model) {
                let standing = ModelResults::new(world, &groups, model, judge, rules);
                let head = Head {
                    model: &model.submission.name,
                    judge: &standing.scores.judge,
                    profile: options.profile,
                    policy,
                };
                let mut found = standing.rows(&groups, &head, &criteria);
                if standing.scores.stopped.is_some() {
                    found.iter_mut().for_each(without_number);
                }
                rows.push((standing.scores.judge.clone(), found));
                of_model.judges.push(standing.scores);
            }
            let both = rows_of_both(&rows);
            scores
                .rows
                .extend(rows.into_iter().flat_map(|(_, rows)| rows));
            scores.rows.extend(both);
            scores.models.push(of_model);
        }
        scores.scopes = scopes(&scores.rows);
        scores
    }

    /// What incidents of a kind count as.
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        match (kind, options.policy(), options.profile) {
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Zero, _) => {
                "scores 1, the lowest"
            }
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Upstream, _) => {
                "left out, unless there is a judge file about it"
            }
            (IncidentKind::OutOfRange, _, Profile::Released) => "counts as it is",
            _ => "left out",
        }
    }

    /// Gemini and GPT, the two judges of the paper's tables.
    fn joined_judges(&self, judges: &[&str]) -> Vec<usize> {
        paper_judges(judges).map_or_else(Vec::new, Vec::from)
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        let runs: Vec<f64> = counted.iter().filter_map(|(_, total)| *total).collect();
        score::mean(&runs)
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn published(&self) -> Published {
        published::published()
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        Some(members(benchmark, scope, key))
    }

    /// Appendix F.4 compares origins at 99 %.
    fn level(&self, scope: &str) -> Level {
        match scope {
            "origin" => Level::P99,
            _ => Level::default(),
        }
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}

/// A row as it is where the authors' summary writes no result.
fn without_number(row: &mut ScoreRow) {
    *row = row.clone().settle(Origin::default());
    (row.sd, row.worst, row.best) = (None, None, None);
}

/// Why the authors' summary stops at one of a judge's files, if it does.
fn stopped(
    world: &World<'_>,
    model: &ModelData,
    judge: u16,
    rules: MultiBananaRules,
) -> Option<String> {
    if rules.weights == Profile::Paper || rules.outputs != Policy::Upstream {
        return None;
    }
    let stops = |given: &LinkedReply| {
        let verdict = given.verdict.get();
        let verdict = verdict.and_then(|at| model.verdicts.get(at as usize));
        verdict.is_some_and(|verdict| verdict.released == Err(Fault::Stops))
    };
    let (_, culprit) = model.scored_of(judge).find(|(_, given)| stops(given))?;
    let sample = culprit.sample.get();
    let sample = sample.and_then(|at| world.benchmark.samples.get(at as usize));
    let name = sample.map_or("an unknown set", |sample| &sample.id);
    Some(format!(
        "The authors' summary stops at the judge file of {name}, which has a number of too many digits (OverflowError), and writes no result."
    ))
}

/// Everything in which ways of scoring differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MultiBananaRules {
    /// Whose total.
    pub(super) weights: Profile,
    /// Scores outside 1 to 10.
    pub(super) off_scale: Leniency,
    /// Replies that are not in the grammar but have numbers behind the labels.
    pub(super) off_grammar: Leniency,
    /// What a missing or unreadable output counts.
    pub(super) outputs: Policy,
    /// Judge files about sets that the benchmark does not have.
    pub(super) unknown_samples: Leniency,
    /// Whether a task's means are rounded to three digits.
    pub(super) rounding: Rounding,
}

/// Whether something counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leniency {
    /// It is an incident.
    Refused,
    /// It counts as the authors' code counts it.
    Counted,
}

/// When figures are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// On display only.
    None,
    /// Each task's means to three digits.
    PerTask,
}

impl MultiBananaRules {
    /// The rules of a profile under a policy.
    pub(super) fn new(profile: Profile, outputs: Policy) -> Self {
        let (leniency, rounding) = match profile {
            Profile::Paper => (Leniency::Refused, Rounding::None),
            Profile::Released => (Leniency::Counted, Rounding::PerTask),
        };
        Self {
            weights: profile,
            off_scale: leniency,
            off_grammar: leniency,
            outputs,
            unknown_samples: leniency,
            rounding,
        }
    }
}

/// Tasks and the groups of tasks and sets that rows are given for.
pub(super) struct Groups {
    /// In the paper's order; tasks that only judge files name come last.
    tasks: Vec<String>,
    /// Position of each task among them.
    places: HashMap<String, usize>,
    of_sample: Vec<usize>,
    /// Scope, key, tasks.
    unions: Vec<(&'static str, String, Vec<usize>)>,
    /// Difficulty label, and per sample whether it has it; `None` for sets of tasks without labels.
    difficulties: Vec<(String, Vec<Option<bool>>)>,
    /// Where references come from, and per sample whether they do.
    origins: Vec<(&'static str, Vec<bool>)>,
}

impl Groups {
    pub(super) fn new(world: &World<'_>) -> Self {
        let samples = &world.benchmark.samples;
        let mut tasks: Vec<String> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut find = |name: &str| {
            places.get(name).copied().unwrap_or_else(|| {
                places.insert(name.to_owned(), tasks.len());
                tasks.push(name.to_owned());
                tasks.len() - 1
            })
        };
        let of_sample = samples.iter().map(|sample| find(&sample.domain)).collect();
        let unknown_samples = world.models.iter().flat_map(|model| &model.domains);
        for name in unknown_samples {
            find(name);
        }
        let unions = unions(&tasks);
        Self {
            tasks,
            places,
            of_sample,
            unions,
            difficulties: difficulties(samples),
            origins: origins(samples),
        }
    }

    fn task(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

/// The groups of tasks: all, by family, by structure, by reference count.
fn unions(tasks: &[String]) -> Vec<(&'static str, String, Vec<usize>)> {
    let of = |is_in: &dyn Fn(layout::Task) -> bool| -> Vec<usize> {
        let known = tasks.iter().enumerate();
        known
            .filter(|(_, name)| layout::task(name).is_some_and(is_in))
            .map(|(at, _)| at)
            .collect()
    };
    let mut unions = vec![("overall", "all".to_owned(), (0..tasks.len()).collect())];
    for family in ["single", "two-reference", "multi-reference"] {
        let members = of(&|task| task.family == family);
        unions.push(("category", family.to_owned(), members));
    }
    for structure in STRUCTURES {
        let members = of(&|task| task.structure == Some(structure));
        unions.push(("structure", structure.to_owned(), members));
    }
    for count in 1..=*layout::REFERENCE_COUNTS.end() {
        let members = of(&|task| task.references == count);
        unions.push(("references", count.to_string(), members));
    }
    unions.retain(|(_, _, members)| !members.is_empty());
    unions
}

/// Labels in the paper's order, others by name.
fn difficulties(samples: &[Sample]) -> Vec<(String, Vec<Option<bool>>)> {
    let labels_of = |sample: &Sample| -> Vec<String> {
        let tags = sample.tags.iter();
        tags.filter(|(scope, _)| *scope == "difficulty")
            .map(|(_, label)| label.clone())
            .collect()
    };
    let is_labelled: HashSet<&str> = samples
        .iter()
        .filter(|sample| !labels_of(sample).is_empty())
        .map(|sample| sample.domain.as_str())
        .collect();
    let mut labels: Vec<String> = samples.iter().flat_map(labels_of).collect();
    let order = |label: &str| DIFFICULTIES.iter().position(|name| *name == label);
    labels.sort_small_by(|a, b| {
        let key = |label: &str| (order(label).unwrap_or(DIFFICULTIES.len()), label.to_owned());
        key(a).cmp(&key(b))
    });
    labels.dedup();
    let has = |label: &str, sample: &Sample| {
        let is_known = is_labelled.contains(sample.domain.as_str());
        is_known.then(|| labels_of(sample).iter().any(|own| own == label))
    };
    labels
        .into_iter()
        .map(|label| {
            let of_samples = samples.iter().map(|sample| has(&label, sample)).collect();
            (label, of_samples)
        })
        .collect()
}

/// The groups by origin that any set is in.
fn origins(samples: &[Sample]) -> Vec<(&'static str, Vec<bool>)> {
    let group = |origin: &'static str| {
        let has = |sample: &Sample| sample.has_tag("origin", origin);
        (origin, samples.iter().map(has).collect::<Vec<bool>>())
    };
    let groups = ORIGINS.into_iter().map(group);
    groups.filter(|(_, has)| has.contains(&true)).collect()
}

/// Which sets a group is of, as [`Groups`] has them.
pub(super) fn members(benchmark: &Benchmark, scope: &str, key: &str) -> Vec<bool> {
    let samples = &benchmark.samples;
    if scope == "difficulty" {
        let (label, wanted) = match key.strip_prefix("without ") {
            Some(label) => (label, false),
            None => (key, true),
        };
        let all = difficulties(samples);
        let own = all.into_iter().find(|(known, _)| known == label);
        let has = own.map_or_else(|| vec![None; samples.len()], |(_, has)| has);
        return has.into_iter().map(|has| has == Some(wanted)).collect();
    }
    if scope == "origin" {
        let samples = samples.iter();
        return samples.map(|sample| sample.has_tag(scope, key)).collect();
    }
    let tasks: Vec<String> = samples.iter().map(|sample| sample.domain.clone()).collect();
    let mut all = unions(&tasks).into_iter();
    match all.find(|(own, known, _)| *own == scope && known == key) {
        Some((_, _, members)) => {
            let mut is_in = vec![false; samples.len()];
            for at in members {
                is_in[at] = true;
            }
            is_in
        }
        None => tasks.iter().map(|task| task == key).collect(),
    }
}

/// The scopes that rows were given for, with their keys in order of appearance.
fn scopes(rows: &[ScoreRow]) -> Vec<ScopeInfo> {
    [
        ("overall", "Overall"),
        ("category", "Family"),
        ("structure", "Structure"),
        ("references", "References"),
        ("domain", "Task"),
        ("difficulty", "Difficulty"),
        ("origin", "Origin of references"),
    ]
    .into_iter()
    .map(|(scope, label)| {
        let own = rows.iter().filter(|row| row.scope == scope);
        let mut seen: HashSet<&str> = HashSet::new();
        let keys = own.filter(|row| seen.insert(&row.key));
        let keys: Vec<String> = keys.map(|row| row.key.clone()).collect();
        ScopeInfo {
            scope: scope.to_owned(),
            label: label.to_owned(),
            keys,
        }
    })
    .filter(|info| info.scope == "overall" || !info.keys.is_empty())
    .collect()
}

/// One model's results by one judge.
pub(super) struct ModelResults {
    scores: JudgeScores,
    /// Per sample: mean over the judge's runs.
    sets: Vec<Option<[f64; NUM_COLUMNS]>>,
    /// Task and scores of judge files about unknown sets.
    unknown_samples: Vec<(usize, [f64; NUM_COLUMNS])>,
    rules: MultiBananaRules,
}

impl ModelResults {
    pub(super) fn new(
        world: &World<'_>,
        groups: &Groups,
        model: &ModelData,
        judge: u16,
        rules: MultiBananaRules,
    ) -> Self {
        let resolve =
            |profile| resolve::resolve(&MultiBanana, world, model, judge, (profile, rules.outputs));
        let (strict, lenient) = (resolve(Profile::Paper), resolve(Profile::Released));
        let values: Vec<Option<Atoms>> = (0..strict.values.len())
            .map(|at| {
                let is_off_scale =
                    strict.scores.units[at].incident == Some(IncidentKind::OutOfRange);
                let value = match atoms(strict.values[at]) {
                    None if is_off_scale => rules.off_scale,
                    None => rules.off_grammar,
                    Some(strict) if atoms(lenient.values[at]) != Some(strict) => rules.off_grammar,
                    Some(_) => Leniency::Refused,
                };
                let lenient = atoms(lenient.values[at]);
                match value {
                    Leniency::Refused => atoms(strict.values[at]),
                    Leniency::Counted if rules.off_scale == Leniency::Refused => {
                        lenient.filter(|scores| scores.iter().all(|score| is_on_scale(*score)))
                    }
                    Leniency::Counted => lenient,
                }
            })
            .collect();
        let mut scores = match rules.weights {
            Profile::Paper => strict.scores,
            Profile::Released => lenient.scores,
        };
        scores.stopped = stopped(world, model, judge, rules);
        let columns = |atoms: &Atoms| {
            let mut columns = [0.0; NUM_COLUMNS];
            columns[..TOTAL].copy_from_slice(atoms);
            columns[TOTAL] = total(rules.weights, atoms);
            columns
        };
        let mut sums = vec![([0.0; NUM_COLUMNS], 0_u32); world.benchmark.samples.len()];
        for ((at, unit), value) in (0u32..).zip(&mut scores.units).zip(&values) {
            let Some(columns) = value.as_ref().map(columns) else {
                continue;
            };
            unit.counted = Some(columns[TOTAL]).into();
            let parts = (0u16..)
                .zip(columns)
                .map(|(criterion, value)| CriterionScore {
                    unit: at,
                    criterion,
                    value,
                });
            scores.parts.extend(parts);
            let (sum, count) = &mut sums[unit.sample as usize];
            sum.iter_mut().zip(columns).for_each(|(sum, x)| *sum += x);
            *count += 1;
        }
        let sets: Vec<Option<[f64; NUM_COLUMNS]>> = sums
            .into_iter()
            .map(|(sum, count)| (count > 0).then(|| sum.map(|sum| sum / f64::from(count))))
            .collect();
        scores.totals = sets.iter().map(|set| set.map(|set| set[TOTAL])).collect();
        scores.shrink();
        let mut standing = Self {
            scores,
            sets,
            unknown_samples: Vec::new(),
            rules,
        };
        if rules.unknown_samples == Leniency::Counted {
            standing.count_unknown_samples(groups, model, judge, columns);
        }
        standing
    }

    /// The authors' summary goes by folder names and asks no benchmark.
    fn count_unknown_samples(
        &mut self,
        groups: &Groups,
        model: &ModelData,
        judge: u16,
        columns: impl Fn(&Atoms) -> [f64; NUM_COLUMNS],
    ) {
        for (at, given) in model.scored_of(judge) {
            let verdict = given.verdict.get().map(|at| &model.verdicts[at as usize]);
            let scores =
                verdict.and_then(|verdict| verdict.released.as_deref().ok()?.try_into().ok());
            let task = groups.task(&model.domains[usize::from(given.domain)]);
            if let (None, Some(scores), Some(task)) = (given.slot.get(), scores, task) {
                self.unknown_samples.push((task, columns(scores)));
                self.scores.counted[at as usize] = true;
            }
        }
    }

    /// One row per group and column.
    fn rows(&self, groups: &Groups, head: &Head<'_>, criteria: &[CriterionInfo]) -> Vec<ScoreRow> {
        let tasks = self.task_rows(groups, head, criteria);
        let mut rows = Vec::new();
        for (scope, key, members) in &groups.unions {
            for (column, info) in criteria.iter().enumerate() {
                let parts: Vec<&ScoreRow> = members
                    .iter()
                    .map(|task| &tasks[*task][column])
                    .filter(|row| row.expected > 0)
                    .collect();
                if !parts.is_empty() {
                    rows.push(mean_of(head, (scope, key), &info.id, &parts, Gaps::LeftOut));
                }
            }
        }
        rows.extend(tasks.into_iter().flatten().filter(|row| row.expected > 0));
        for (label, of_samples) in &groups.difficulties {
            for (key, wanted) in [(label.clone(), true), (format!("without {label}"), false)] {
                let has = of_samples.iter().map(|has| *has == Some(wanted));
                rows.extend(self.plain_rows(head, ("difficulty", &key), has, criteria));
            }
        }
        for (origin, of_samples) in &groups.origins {
            let has = of_samples.iter().copied();
            rows.extend(self.plain_rows(head, ("origin", origin), has, criteria));
        }
        rows
    }

    /// Plain means over the sets of a group, whatever their tasks.
    fn plain_rows(
        &self,
        head: &Head<'_>,
        group: (&str, &str),
        has: impl Iterator<Item = bool>,
        criteria: &[CriterionInfo],
    ) -> Vec<ScoreRow> {
        let members = self.sets.iter().zip(has).filter(|(_, has)| *has);
        let members: Vec<_> = members.map(|(set, _)| set).collect();
        let row = |(column, info): (usize, &CriterionInfo)| {
            let mut cell = Cell::default();
            for set in &members {
                cell.push(set.map(|set| set[column]));
            }
            (cell.expected() > 0).then(|| cell.row(head, group, info))
        };
        criteria.iter().enumerate().filter_map(row).collect()
    }

    /// Every task's row in every column.
    fn task_rows(
        &self,
        groups: &Groups,
        head: &Head<'_>,
        criteria: &[CriterionInfo],
    ) -> Vec<Vec<ScoreRow>> {
        let mut cells = vec![[Cell::default(); NUM_COLUMNS]; groups.tasks.len()];
        let mut push = |task: usize, value: Option<[f64; NUM_COLUMNS]>| {
            for (column, cell) in cells[task].iter_mut().enumerate() {
                cell.push(value.map(|value| value[column]));
            }
        };
        for (set, task) in self.sets.iter().zip(&groups.of_sample) {
            push(*task, *set);
        }
        for (task, columns) in &self.unknown_samples {
            push(*task, Some(*columns));
        }
        let tasks = groups.tasks.iter().zip(cells);
        tasks
            .map(|(task, cells)| {
                let rows = cells.iter().zip(criteria);
                let mut rows: Vec<ScoreRow> = rows
                    .map(|(cell, info)| cell.row(head, ("domain", task), info))
                    .collect();
                self.finish(&mut rows);
                rows
            })
            .collect()
    }

    /// A task's row as the authors' summary writes it: the total from the means, then three digits.
    fn finish(&self, rows: &mut [ScoreRow]) {
        if self.rules.rounding == Rounding::None {
            return;
        }
        let weights = weights(self.rules.weights);
        let means = rows[..TOTAL].iter().zip(weights);
        let parts = means.map(|(row, weight)| OriginPart {
            weight,
            ..OriginPart::of(row)
        });
        let total = OriginMean::of_parts(parts.collect(), Gaps::NoNumber);
        let mut total = Some(total.over(weights.iter().sum()));
        for (at, row) in rows.iter_mut().enumerate() {
            let own = row.origin.mean.take().filter(|_| row.mean.is_some());
            let mean = if at == TOTAL {
                own.and(total.take())
            } else {
                own
            };
            if let Some(mean) = mean {
                *row = row.clone().with_mean(mean.rounded(3, false));
            }
        }
    }

    /// The mean over task types, and for comparison the mean over sets.
    pub(super) fn overall(&self, groups: &Groups) -> (Option<f64>, Option<f64>) {
        let mut tasks = vec![Cell::default(); groups.tasks.len()];
        let mut all = Cell::default();
        for (set, task) in self.sets.iter().zip(&groups.of_sample) {
            let total = set.map(|set| set[TOTAL]);
            tasks[*task].push(total);
            all.push(total);
        }
        for (task, columns) in &self.unknown_samples {
            tasks[*task].push(Some(columns[TOTAL]));
            all.push(Some(columns[TOTAL]));
        }
        let means: Vec<f64> = tasks.iter().filter_map(Cell::mean).collect();
        (super::score::mean(&means), all.mean())
    }

    /// Judge id.
    pub(super) fn judge(&self) -> &str {
        &self.scores.judge
    }
}

fn atoms(value: UnitValue<'_>) -> Option<Atoms> {
    match value {
        UnitValue::Missing => None,
        UnitValue::Lowest => Some([MIN_SCORE; LABELS.len()]),
        UnitValue::Atoms(atoms) => atoms.try_into().ok(),
    }
}

fn is_on_scale(score: f64) -> bool {
    (MIN_SCORE..=MAX_SCORE).contains(&score)
}

/// The two judges of the paper's tables, if there is one of each.
pub(super) fn paper_judges(judges: &[&str]) -> Option<[usize; 2]> {
    let one = |family: &str| {
        let mut found = judges
            .iter()
            .enumerate()
            .filter(|(_, judge)| judge.to_lowercase().starts_with(family));
        found
            .next()
            .filter(|_| found.next().is_none())
            .map(|(at, _)| at)
    };
    let [gemini, gpt] = PAPER_JUDGES.map(one);
    Some([gemini?, gpt?])
}

/// Rows of the mean of Gemini and GPT, as in Tables 3 and 14.
fn rows_of_both(rows: &[(String, Vec<ScoreRow>)]) -> Vec<ScoreRow> {
    let judges: Vec<&str> = rows.iter().map(|(judge, _)| judge.as_str()).collect();
    let Some([a, b]) = paper_judges(&judges) else {
        return Vec::new();
    };
    let name = [&*rows[a].0, &*rows[b].0].join(AND);
    means_of_judges(&name, &[&rows[a].1, &rows[b].1])
}
