//! Replies and metrics → score rows.
//!
//! Source: MultiRef, Tables 4 (synthetic half) and 11 (real-world half).
//! A condition's column is the mean over the samples that have it; the average is over columns, not over samples;
//! the real-world half is a macro mean over five categories.

use crate::contract::Scoring;
use crate::multiref::{differences, published};
use crate::published::Published;
use std::collections::BTreeSet;

use super::names::{CAPTION_FACTOR as CAPTION, Half, WITHOUT_CAPTION as WITHOUT, conditions_of};
use super::score::{caption, judged, macro_mean, upward};
use super::{CATEGORIES, CONDITIONS, JUDGED, MultiRef, REQUEST, WITHOUT_REFERENCE, condition};
use crate::resolve::{self, Resolution, UnitValue};
use crate::table::{Cell, Head, mean_of};
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::origin::{Gaps, OriginMean, OriginPart};
use juror_model::row::ScoreRow;
use juror_model::sample::Sample;
use juror_model::score::{CriterionScore, JudgeScores, ModelScores, Scores};
use juror_model::terms::{CriterionInfo, Difference, Direction, Formula, ScopeInfo};
use juror_statistics::small::SortSmall;

/// Three judged criteria, ten conditions, two metrics without reference.
const NUM_VALUES: usize = JUDGED.len() + CONDITIONS.len() + WITHOUT_REFERENCE.len();
/// Position of the first condition among the criteria.
const FIRST_CONDITION: usize = JUDGED.len();

impl Scoring for MultiRef {
    fn criteria(&self) -> Vec<CriterionInfo> {
        criteria()
    }

    fn is_bounded(&self, criterion: &str) -> bool {
        JUDGED.contains(&criterion)
    }

    /// Scores for all models and judges.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        let policy = options.policy();
        let rules = MultiRefRules::new(options.profile, policy);
        let criteria = criteria();
        let groups = Groups::new(world);
        let mut scores = Scores::default();
        for model in world.models {
            let mut of_model = ModelScores {
                mode: match halves(world, model) {
                    [true, false] => "synthetic",
                    [false, true] => "real-world",
                    _ => "both",
                },
                judges: Vec::new(),
            };
            for judge in judges(model) {
                let standing = ModelResults::new(world, model, judge, rules);
                let head = Head {
                    model: &model.submission.name,
                    judge: &standing.scores.judge,
                    profile: options.profile,
                    policy,
                };
                scores.rows.extend(standing.rows(&groups, &head, &criteria));
                of_model.judges.push(standing.scores);
            }
            scores.models.push(of_model);
        }
        scores.scopes = scopes(&groups, &scores.rows);
        scores
    }

    /// What incidents of a kind count as.
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        match (kind, options.policy(), options.profile) {
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Zero, _) => {
                "counts the worst score"
            }
            (IncidentKind::MissingOutput | IncidentKind::UnreadableOutput, Policy::Upstream, _) => {
                "left out, unless it was evaluated"
            }
            (IncidentKind::OutOfRange, _, Profile::Released) => "counts as it is",
            _ => "left out",
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

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}

/// The columns of Tables 4 and 11, the average last.
pub(super) fn criteria() -> Vec<CriterionInfo> {
    let info = |id: &str, short: &str, label: &str, meaning: &str| CriterionInfo {
        id: id.to_owned(),
        short: short.to_owned(),
        label: label.to_owned(),
        meaning: meaning.to_owned(),
        min: 0.0,
        max: 1.0,
        allowed: None,
        scale: 1.0,
        decimals: 3,
        direction: Direction::Up,
    };
    let texts = [
        ("Image quality", "The picture is technically sound."),
        (
            "Instruction following",
            "What the instruction asks for is there.",
        ),
        (
            "Source fidelity",
            "What was taken from the inputs looks like the inputs.",
        ),
    ];
    let mut criteria: Vec<CriterionInfo> = JUDGED
        .iter()
        .zip(texts)
        .map(|(id, (label, meaning))| CriterionInfo {
            min: 1.0,
            max: 5.0,
            scale: judged(1.0),
            ..info(id, id, label, meaning)
        })
        .collect();
    criteria.extend(CONDITIONS.iter().map(|condition| {
        let meaning = format!("The picture follows this reference: {}.", condition.metric);
        CriterionInfo {
            direction: condition.direction,
            ..info(condition.id, condition.label, condition.label, &meaning)
        }
    }));
    criteria.push(CriterionInfo {
        direction: Direction::Neither,
        ..info(
            "fid",
            "\u{201c}FID\u{201d}",
            "Squared mean feature",
            "The square of the mean Inception feature of one picture, which the authors call FID; it rates nothing and enters no average.",
        )
    });
    criteria.push(CriterionInfo {
        max: 10.0,
        scale: 0.1,
        ..info(
            "aesthetics",
            "Aesthetics",
            "Aesthetics",
            "A predictor likes the picture; it enters no average.",
        )
    });
    criteria.push(info(
        "total",
        "AVG",
        "Average over conditions",
        "The mean of the conditions' columns, errors turned over.",
    ));
    criteria
}

/// The judge, the sample's conditions, and the two metrics without reference for the synthetic half.
pub(super) fn requests_of(sample: &Sample) -> Vec<&'static str> {
    let mut requests = vec![REQUEST];
    if sample.category == Half::Synthetic.id() {
        requests.extend(conditions_of(sample));
        requests.extend(WITHOUT_REFERENCE);
    }
    requests
}

/// Everything in which ways of scoring differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MultiRefRules {
    /// Whether numbers that a metric cannot take count.
    pub(super) reading: Profile,
    /// How the caption's score is brought to 0 to 1.
    pub(super) captions: Profile,
    /// What a missing or unreadable output counts.
    pub(super) outputs: Policy,
}

impl MultiRefRules {
    /// The rules of a profile under a policy.
    pub(super) fn new(profile: Profile, outputs: Policy) -> Self {
        Self {
            reading: profile,
            captions: profile,
            outputs,
        }
    }
}

/// The total of one sample: the mean over its conditions, errors turned over; of a judge, the mean of the three, by five.
pub(super) fn turn_total(counted: &[(&str, Option<f64>)]) -> Option<f64> {
    let of = |is_wanted: &dyn Fn(&str) -> bool| -> Vec<f64> {
        let wanted = counted.iter().filter(|(request, _)| is_wanted(request));
        wanted.filter_map(|(_, value)| *value).collect()
    };
    let fidelity = of(&|request| condition(request).is_some());
    macro_mean(&fidelity).or_else(|| macro_mean(&of(&|request| request == REQUEST)))
}

fn scopes(groups: &Groups, rows: &[ScoreRow]) -> Vec<ScopeInfo> {
    let info = |scope: &str, label: &str, keys: Vec<String>| ScopeInfo {
        scope: scope.to_owned(),
        label: label.to_owned(),
        keys: keys
            .into_iter()
            .filter(|key| rows.iter().any(|row| row.scope == scope && row.key == *key))
            .collect(),
    };
    let halves = [Half::Synthetic, Half::RealWorld].map(|half| half.id().to_owned());
    vec![
        info("overall", "Overall", vec!["all".to_owned()]),
        info("category", "Subset", halves.to_vec()),
        info("domain", "Kind", groups.kinds.clone()),
        info("references", "References", groups.keys_of("references")),
        info(
            "condition",
            "Type of reference",
            groups.keys_of("condition"),
        ),
    ]
    .into_iter()
    .filter(|info| !is_slice(&info.scope) || !info.keys.is_empty())
    .collect()
}

/// Whether a scope is one of [`Groups::slices`].
fn is_slice(scope: &str) -> bool {
    matches!(scope, "references" | "condition")
}

/// Combinations and categories in the paper's order.
pub(super) struct Groups {
    kinds: Vec<String>,
    of_sample: Vec<usize>,
    is_synthetic: Vec<bool>,
    /// Conditions that any sample has, by position in [`CONDITIONS`].
    conditions: BTreeSet<usize>,
    /// Groups of samples of either half that their tags make.
    slices: Vec<Slice>,
}

/// The samples with one tag: so many references, or this type of reference among them.
struct Slice {
    scope: &'static str,
    key: String,
    /// By sample.
    has: Vec<bool>,
    /// Conditions that any of its samples has, by position in [`CONDITIONS`].
    conditions: BTreeSet<usize>,
}

impl Slice {
    fn new(scope: &'static str, key: String, samples: &[Sample]) -> Self {
        let has: Vec<bool> = samples
            .iter()
            .map(|sample| sample.has_tag(scope, &key))
            .collect();
        let members = samples.iter().zip(&has).filter(|(_, has)| **has);
        Self {
            conditions: conditions_in(members.map(|(sample, _)| sample)),
            scope,
            key,
            has,
        }
    }

    /// Numbers of references by value, types of reference in the order of Table 4.
    fn all(samples: &[Sample]) -> Vec<Self> {
        let tags = samples.iter().flat_map(|sample| &sample.tags);
        let mut counts: Vec<u32> = tags
            .filter(|(scope, _)| *scope == "references")
            .filter_map(|(_, count)| count.parse().ok())
            .collect();
        counts.sort_small();
        counts.dedup();
        let by_count = counts
            .into_iter()
            .map(|count| Self::new("references", count.to_string(), samples));
        let by_condition = CONDITIONS
            .iter()
            .map(|condition| Self::new("condition", condition.id.to_owned(), samples));
        by_count
            .chain(by_condition)
            .filter(|slice| slice.has.contains(&true))
            .collect()
    }
}

/// The conditions that any of these samples has, by position in [`CONDITIONS`].
fn conditions_in<'a>(samples: impl Iterator<Item = &'a Sample>) -> BTreeSet<usize> {
    let ids = samples.flat_map(conditions_of);
    ids.filter_map(|id| CONDITIONS.iter().position(|known| known.id == id))
        .collect()
}

impl Groups {
    pub(super) fn new(world: &World<'_>) -> Self {
        let samples = &world.benchmark.samples;
        let mut kinds: Vec<String> = samples.iter().map(|sample| sample.domain.clone()).collect();
        let order = |kind: &str| {
            let category = CATEGORIES.iter().position(|(name, _)| *name == kind);
            let parts: Vec<usize> = kind
                .split('+')
                .map(|id| CONDITIONS.iter().position(|known| known.id == id))
                .map(|at| at.unwrap_or(usize::MAX))
                .collect();
            (category.is_some(), category, parts.len(), parts)
        };
        kinds.sort_small_by_key(|kind| order(kind));
        kinds.dedup();
        let at = |name: &str| kinds.iter().position(|kind| kind == name).unwrap_or(0);
        Self {
            of_sample: samples.iter().map(|sample| at(&sample.domain)).collect(),
            is_synthetic: samples
                .iter()
                .map(|sample| sample.category == Half::Synthetic.id())
                .collect(),
            kinds,
            conditions: conditions_in(samples.iter()),
            slices: Slice::all(samples),
        }
    }

    fn keys_of(&self, scope: &str) -> Vec<String> {
        let own = self.slices.iter().filter(|slice| slice.scope == scope);
        own.map(|slice| slice.key.clone()).collect()
    }
}

/// One value of each column; the outer `None` is nothing expected, the inner one nothing found.
type Values = [Option<Option<f64>>; NUM_VALUES];

/// One model's results by one judge.
pub(super) struct ModelResults {
    scores: JudgeScores,
    /// Per sample: mean over runs.
    samples: Vec<Values>,
    /// The condition that the model was not told of, by position in [`CONDITIONS`]: it is not scored.
    untold: Option<usize>,
}

/// Position of the column that a request or judged criterion fills.
fn column(id: &str) -> Option<usize> {
    let judged = JUDGED.iter().copied();
    let conditions = CONDITIONS.iter().map(|condition| condition.id);
    let mut all = judged.chain(conditions).chain(WITHOUT_REFERENCE);
    all.position(|known| known == id)
}

/// The good end is up: what a missing output counts, on the judge's scale; `None` where no number is bad.
fn worst(request: &str) -> Option<Vec<f64>> {
    match condition(request) {
        _ if request == REQUEST => Some(vec![1.0; JUDGED.len()]),
        Some(condition) if condition.direction == Direction::Down => Some(vec![1.0]),
        Some(_) => Some(vec![0.0]),
        None => None,
    }
}

impl ModelResults {
    pub(super) fn new(
        world: &World<'_>,
        model: &ModelData,
        judge: u16,
        rules: MultiRefRules,
    ) -> Self {
        let mut resolution = resolve::resolve(
            &MultiRef,
            world,
            model,
            judge,
            (rules.reading, rules.outputs),
        );
        keep_asked(world, model, judge, &mut resolution);
        let mut sums = vec![[(0.0, 0_u32, false); NUM_VALUES]; world.benchmark.samples.len()];
        let Resolution {
            mut scores, values, ..
        } = resolution;
        for ((at, unit), value) in (0u32..).zip(&mut scores.units).zip(values) {
            let request = model.criteria[usize::from(unit.criterion)].as_str();
            let atoms: Option<Vec<f64>> = match value {
                UnitValue::Missing => None,
                UnitValue::Lowest => worst(request),
                UnitValue::Atoms(atoms) => Some(atoms.to_vec()),
            };
            let names: Vec<&str> = if request == REQUEST {
                JUDGED.to_vec()
            } else {
                vec![request]
            };
            let sums = &mut sums[unit.sample as usize];
            for (position, name) in names.iter().enumerate() {
                let Some(column) = column(name) else { continue };
                sums[column].2 = true;
                let Some(x) = atoms.as_ref().and_then(|atoms| atoms.get(position)) else {
                    continue;
                };
                let x = if *name == "caption" {
                    caption(rules.captions, *x)
                } else {
                    *x
                };
                sums[column].0 += x;
                sums[column].1 += 1;
                scores.parts.push(CriterionScore {
                    unit: at,
                    criterion: u16::try_from(column).unwrap_or(u16::MAX),
                    value: x,
                });
            }
            unit.counted = atoms
                .and_then(|atoms| counted(request, &atoms, rules))
                .into();
        }
        let samples: Vec<Values> = sums
            .iter()
            .map(|sums| {
                sums.map(|(sum, count, is_expected)| {
                    is_expected.then(|| (count > 0).then(|| sum / f64::from(count)))
                })
            })
            .collect();
        scores.totals = samples.iter().map(total_of).collect();
        scores.shrink();
        Self {
            scores,
            samples,
            untold: untold(model),
        }
    }

    /// Those of these conditions that are scored.
    fn scored<'a>(&self, conditions: &'a BTreeSet<usize>) -> impl Iterator<Item = &'a usize> {
        let untold = self.untold;
        conditions.iter().filter(move |at| Some(**at) != untold)
    }

    fn rows(&self, groups: &Groups, head: &Head<'_>, criteria: &[CriterionInfo]) -> Vec<ScoreRow> {
        let kinds = groups.kinds.len();
        let mut by_kind = vec![[Cell::default(); NUM_VALUES]; kinds];
        let mut synthetic = [Cell::default(); NUM_VALUES];
        for ((values, kind), is_synthetic) in self
            .samples
            .iter()
            .zip(&groups.of_sample)
            .zip(&groups.is_synthetic)
        {
            for (column, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                by_kind[*kind][column].push(*value);
                if *is_synthetic {
                    synthetic[column].push(*value);
                }
            }
        }
        let kind_rows: Vec<Vec<ScoreRow>> = groups
            .kinds
            .iter()
            .zip(&by_kind)
            .map(|(kind, cells)| rows_of(head, ("domain", kind), cells, criteria))
            .collect();
        let half = ("category", Half::Synthetic.id());
        let of_synthetic = rows_of(head, half, &synthetic, criteria);
        let of_synthetic = self.with_average(
            head,
            half,
            of_synthetic,
            (&groups.is_synthetic, &groups.conditions),
        );
        let of_real = real_world(head, groups, &kind_rows);
        let mut rows = overall(&of_synthetic, &of_real);
        rows.extend(of_synthetic);
        rows.extend(of_real);
        rows.extend(kind_rows.into_iter().flatten());
        for slice in &groups.slices {
            rows.extend(self.slice(head, slice, criteria));
        }
        rows
    }

    /// The rows of a slice: plain means over its samples, and the average over the columns of the conditions that they have.
    fn slice(&self, head: &Head<'_>, slice: &Slice, criteria: &[CriterionInfo]) -> Vec<ScoreRow> {
        let mut cells = [Cell::default(); NUM_VALUES];
        let members = self.samples.iter().zip(&slice.has);
        for (values, _) in members.filter(|(_, has)| **has) {
            for (cell, value) in cells.iter_mut().zip(values) {
                if let Some(value) = value {
                    cell.push(*value);
                }
            }
        }
        let group = (slice.scope, slice.key.as_str());
        let rows = rows_of(head, group, &cells, criteria);
        self.with_average(head, group, rows, (&slice.has, &slice.conditions))
    }

    /// A group's rows with the average over the columns of its conditions.
    fn with_average(
        &self,
        head: &Head<'_>,
        (scope, key): (&str, &str),
        mut rows: Vec<ScoreRow>,
        (members, conditions): (&[bool], &BTreeSet<usize>),
    ) -> Vec<ScoreRow> {
        let columns: Option<Vec<&ScoreRow>> = self
            .scored(conditions)
            .map(|at| rows.iter().find(|row| row.criterion == CONDITIONS[*at].id))
            .collect();
        let Some(columns) = columns.filter(|columns| !columns.is_empty()) else {
            return rows;
        };
        let parts = columns.iter().map(|row| OriginPart {
            is_turned: is_error(row),
            ..OriginPart::of(row)
        });
        let mean = OriginMean::of_parts(parts.collect(), Gaps::NoNumber);
        let turned: Vec<ScoreRow> = columns.into_iter().map(turned_over).collect();
        let turned: Vec<&ScoreRow> = turned.iter().collect();
        let average = mean_of(head, (scope, key), "total", &turned, Gaps::NoNumber);
        // Samples have several conditions, so the columns are not independent.
        let average = average.with_mean(mean).without_interval();
        // Its samples are those that any column has, not the sum over columns.
        let has = |is_wanted: &dyn Fn(&Option<Option<f64>>) -> bool| {
            let of_sample = |values: &&Values| {
                values[FIRST_CONDITION..FIRST_CONDITION + CONDITIONS.len()]
                    .iter()
                    .any(is_wanted)
            };
            let own = self.samples.iter().zip(members);
            let own = own.filter(|(_, is_in)| **is_in).map(|(values, _)| values);
            u32::try_from(own.filter(of_sample).count()).unwrap_or(u32::MAX)
        };
        rows.push(ScoreRow {
            n: has(&|value| matches!(value, Some(Some(_)))),
            expected: has(&|value| value.is_some()),
            ..average
        });
        rows
    }

    /// The average over columns, and per-sample for comparison.
    pub(super) fn overall(&self, groups: &Groups) -> (Option<f64>, Option<f64>) {
        let column = |at: &usize| {
            let mut cell = Cell::default();
            let values = self
                .samples
                .iter()
                .map(|values| values[FIRST_CONDITION + at]);
            values.flatten().for_each(|value| cell.push(value));
            Some(upward(CONDITIONS[*at].direction, cell.mean()?))
        };
        let columns: Option<Vec<f64>> = self.scored(&groups.conditions).map(column).collect();
        let samples: Vec<f64> = self
            .samples
            .iter()
            .zip(&groups.is_synthetic)
            .filter(|(_, is_synthetic)| **is_synthetic)
            .filter_map(|(values, _)| fidelity(values))
            .collect();
        (
            columns.and_then(|columns| macro_mean(&columns)),
            macro_mean(&samples),
        )
    }
}

/// Who is asked: every judge that replied, and a nameless one for the judged scores while nobody has rated.
pub(super) fn judges(model: &ModelData) -> Vec<u16> {
    let mut judges = resolve::judges(model);
    let mut given = model.given.iter();
    let is_rated = given.any(|given| model.criteria[usize::from(given.criterion)] == REQUEST);
    if !is_rated && !judges.contains(&0) {
        judges.push(0);
    }
    judges
}

/// The halves that a model took part in, synthetic first; both if there is nothing to tell by.
fn halves(world: &World<'_>, model: &ModelData) -> [bool; 2] {
    let mut halves = [false; 2];
    let mut take = |sample: u32| {
        let sample = &world.benchmark.samples[sample as usize];
        halves[usize::from(sample.category != Half::Synthetic.id())] = true;
    };
    for (_, sample, _, _) in world.benchmark.turns().filter(|(slot, _, _, _)| {
        model
            .submission
            .outputs
            .get(*slot as usize)
            .is_some_and(Option::is_some)
    }) {
        take(sample);
    }
    for sample in model.given.iter().filter_map(|given| given.sample.get()) {
        take(sample);
    }
    if halves == [false; 2] {
        [true; 2]
    } else {
        halves
    }
}

/// The condition that a variant of a model was not told of, by position in [`CONDITIONS`].
fn untold(model: &ModelData) -> Option<usize> {
    let level = model.variant.levels.get(CAPTION)?;
    let caption = || CONDITIONS.iter().position(|known| known.id == CAPTION);
    (level == WITHOUT).then(caption).flatten()
}

/// A judge is expected to give what it gave at least once, in the halves that the model took part in; nobody is expected to give
/// a score for a caption that the model was not told.
fn keep_asked(world: &World<'_>, model: &ModelData, judge: u16, resolution: &mut Resolution<'_>) {
    let is_judge = |criterion: u16| model.criteria[usize::from(criterion)] == REQUEST;
    let mut rates = false;
    let mut measures = false;
    for given in model.given.iter().filter(|given| given.judge == judge) {
        rates |= is_judge(given.criterion);
        measures |= !is_judge(given.criterion);
    }
    let halves = halves(world, model);
    let untold = untold(model);
    let keep: Vec<bool> = resolution
        .scores
        .units
        .iter()
        .map(|unit| {
            let sample = &world.benchmark.samples[unit.sample as usize];
            let of = model.criteria[usize::from(unit.criterion)].as_str();
            if untold.is_some_and(|at| CONDITIONS[at].id == of) {
                return false;
            }
            let is_asked = if is_judge(unit.criterion) {
                rates || !measures
            } else {
                measures
            };
            is_asked && halves[usize::from(sample.category != Half::Synthetic.id())]
        })
        .collect();
    let mut kept = keep.iter();
    resolution
        .scores
        .units
        .retain(|_| kept.next() == Some(&true));
    let mut kept = keep.iter();
    resolution.slots.retain(|_| kept.next() == Some(&true));
    let mut kept = keep.iter();
    resolution.values.retain(|_| kept.next() == Some(&true));
}

/// What a unit comes to on the printed scale, the good end up.
fn counted(request: &str, atoms: &[f64], rules: MultiRefRules) -> Option<f64> {
    if request == REQUEST {
        return macro_mean(atoms).map(judged);
    }
    let x = *atoms.first()?;
    Some(match condition(request) {
        Some(_) if request == "caption" => caption(rules.captions, x),
        Some(condition) => upward(condition.direction, x),
        None => x,
    })
}

/// The mean over a sample's conditions, errors turned over.
fn fidelity(values: &Values) -> Option<f64> {
    let found: Vec<f64> = CONDITIONS
        .iter()
        .zip(&values[FIRST_CONDITION..])
        .filter_map(|(condition, value)| Some(upward(condition.direction, (*value)??)))
        .collect();
    macro_mean(&found)
}

fn total_of(values: &Values) -> Option<f64> {
    fidelity(values).or_else(|| {
        let found: Option<Vec<f64>> = values[..JUDGED.len()]
            .iter()
            .map(|value| (*value)?)
            .collect();
        macro_mean(&found?).map(judged)
    })
}

/// A row per column that anything was expected in.
fn rows_of(
    head: &Head<'_>,
    group: (&str, &str),
    cells: &[Cell; NUM_VALUES],
    criteria: &[CriterionInfo],
) -> Vec<ScoreRow> {
    let pairs = cells
        .iter()
        .zip(criteria)
        .filter(|(cell, _)| cell.expected() > 0);
    pairs
        .map(|(cell, info)| {
            let row = cell.row(head, group, info);
            // Nothing bounds a figure that rates nothing.
            if info.direction == Direction::Neither && row.n < row.expected {
                return ScoreRow {
                    worst: None,
                    best: None,
                    ..row
                };
            }
            row
        })
        .collect()
}

/// Whether a column's good end is down.
fn is_error(row: &ScoreRow) -> bool {
    condition(&row.criterion).is_some_and(|known| known.direction == Direction::Down)
}

/// A column with its good end up.
fn turned_over(row: &ScoreRow) -> ScoreRow {
    if !is_error(row) {
        return row.clone();
    }
    let turn = |x: Option<f64>| x.map(|x| upward(Direction::Down, x));
    ScoreRow {
        mean: turn(row.mean),
        ci_low: turn(row.ci_high),
        ci_high: turn(row.ci_low),
        worst: turn(row.best),
        best: turn(row.worst),
        ..row.clone()
    }
}

/// The macro mean over the five categories; requests without one count in none.
fn real_world(head: &Head<'_>, groups: &Groups, kinds: &[Vec<ScoreRow>]) -> Vec<ScoreRow> {
    let group = ("category", Half::RealWorld.id());
    let is_category = |kind: &String| CATEGORIES.iter().any(|(name, _)| name == kind);
    let rows: Vec<&ScoreRow> = groups
        .kinds
        .iter()
        .zip(kinds)
        .filter(|(kind, _)| is_category(kind))
        .flat_map(|(_, rows)| rows)
        .collect();
    JUDGED
        .iter()
        .filter_map(|id| {
            let of: Vec<&ScoreRow> = rows
                .iter()
                .copied()
                .filter(|row| row.criterion == *id)
                .collect();
            (!of.is_empty()).then(|| mean_of(head, group, id, &of, Gaps::NoNumber))
        })
        .collect()
}

/// One half's rows where there is only one; of both, only what the halves do not share.
fn overall(synthetic: &[ScoreRow], real: &[ScoreRow]) -> Vec<ScoreRow> {
    let is_shared = |row: &ScoreRow| {
        let has = |rows: &[ScoreRow]| rows.iter().any(|other| other.criterion == row.criterion);
        has(synthetic) && has(real)
    };
    synthetic
        .iter()
        .chain(real)
        .filter(|row| !is_shared(row))
        .map(|row| ScoreRow {
            scope: "overall".to_owned(),
            key: "all".to_owned(),
            ..row.clone()
        })
        .collect()
}
