//! Measured values in a session: what there is to measure, what came of it, and the score rows that it makes.
//!
//! They stand in the scores as those of one more judge, named [`MEASURED`], whose totals are empty: so every view of
//! scores shows them, and no total can hold them. What is expected is every picture turn that has a counterpart; an
//! output without a value is an incident and never a number.

use std::collections::{BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use super::{Probed, Session, count};
use crate::error::Error;
use crate::measure::{
    self, Against, FORMAT, MEASURED, METRICS, Measure, MeasureCount, MeasureFile, MeasureKind,
    Merged, MetricInfo, Place, Sizes,
};
use crate::model::compact::Index;
use crate::model::incident::IncidentKind;
use crate::model::linked::{ModelData, World};
use crate::model::options::ScoreOptions;
use crate::model::origin::{Origin, OriginInterval, OriginMean};
use crate::model::problem::{Problem, Severity};
use crate::model::row::ScoreRow;
use crate::model::sample::{Sample, Turn, TurnKind};
use crate::model::score::{JudgeScores, Scores, Unit};
use crate::model::submission::OutputState;
use crate::model::terms::{CriterionInfo, Direction};
use crate::small::SortSmall;
use crate::statistics::Moments;
use crate::tree::FileId;
use crate::view::MeasureView;

/// Where a pack has the values that were measured in the session that wrote it.
const FILE: &str = "measures.jsonl";

/// How a session deals with measured values; one that never meets any links nothing of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measuring {
    pub(super) read: fn(&str) -> Option<MeasureFile>,
    merge: fn(&Session) -> MergedMeasures,
    score: fn(&Session, &ScoreOptions, &mut Scores),
    detail: fn(&Session, &ModelData, &Unit, IncidentKind) -> String,
    views: fn(&Session, &ModelData, u32, u32) -> Vec<MeasureView>,
    added: fn(&Session) -> Option<(String, String)>,
}

impl Measuring {
    /// Everything.
    pub(super) const FULL: Self = Self {
        read: measure::read,
        merge: merge_measures,
        score: score_measures,
        detail: measure_detail,
        views: views_of_measures,
        added: text_of_added,
    };
    /// Nothing is read, so nothing is there.
    pub(super) const NONE: Self = Self {
        read: |_| None,
        merge: |_| MergedMeasures::default(),
        score: |_, _, _| {},
        detail: |_, _, _, _| String::new(),
        views: |_, _, _, _| Vec::new(),
        added: |_| None,
    };
}

/// What measured values come to before they are scored.
#[derive(Debug, Default)]
pub(super) struct MergedMeasures {
    merged: Merged,
    kinds: Vec<MeasureKind>,
    criteria: Vec<CriterionInfo>,
    counts: Vec<MeasureCount>,
    pub(super) problems: Vec<Problem>,
}

/// What to measure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct MeasureQuery {
    /// Ids of metrics.
    pub metrics: Vec<String>,
    /// What outputs are held against: `golden`, `reference:K`, `references`, `model:NAME`.
    pub against: Vec<String>,
    /// Rule of sizes.
    pub sizes: Sizes,
    /// Models; all of them if empty.
    pub models: Vec<String>,
    /// Whether what has a value is measured again.
    pub again: bool,
}

/// Two pictures to be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasurePair {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// What the output is held against.
    pub against: String,
    /// Number of the counterpart among the sample's pictures, from 1; 0 for another model's output.
    pub number: u32,
    /// File of the output.
    pub output: u32,
    /// File of the counterpart.
    pub counterpart: u32,
    /// Metrics that have no value yet.
    pub metrics: Vec<String>,
}

/// What measuring would take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasurePlan {
    /// Protocol id, which every record names.
    pub protocol: String,
    /// Pairs to be measured, in the order of the benchmark.
    pub pairs: Vec<MeasurePair>,
    /// Values to be computed: a pair has one for each of its metrics.
    pub values: u32,
    /// Values that are there already.
    pub done: u32,
    /// Different picture files among the pairs.
    pub pictures: u32,
    /// Pairs that cannot be measured, as records that say why.
    pub refused: Vec<Measure>,
    /// Of them, those whose sizes differ.
    pub odd_sizes: u32,
}

/// One way to choose counterparts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgainstInfo {
    /// `golden`, `reference:1`, `references`, `model:NAME`.
    pub id: String,
    /// In words: `the golden answer`.
    pub label: String,
    /// Turns of the benchmark that have it.
    pub turns: u32,
}

/// What can be measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureOffer {
    /// Metrics of a pair of pictures.
    pub metrics: Vec<MetricInfo>,
    /// Counterparts that the benchmark or the models at hand have.
    pub against: Vec<AgainstInfo>,
}

/// What became of a file of measured values that was handed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureImport {
    /// Values taken in.
    pub taken: u32,
    /// What could not be read, with the line.
    pub problems: Vec<String>,
}

/// A picture that an output is held against.
struct Counterpart {
    number: u32,
    file: Option<FileId>,
}

/// Puts the names of measured criteria behind those of the replies, where units find them.
fn name_measured(session: &mut Session) {
    let kinds = session
        .cache
        .measures
        .iter()
        .flat_map(|ground| &ground.kinds);
    let names: Vec<String> = kinds.map(ToString::to_string).collect();
    let linked = session.cache.linked.iter_mut();
    for model in linked.flat_map(|linked| &mut linked.models) {
        model.criteria.truncate(model.num_given.len());
        model.criteria.extend_from_slice(&names);
    }
}

/// Takes measured values in; one about the same output, counterpart and metric replaces an earlier one.
///
/// A value that is not finite is none: the PSNR of equal pictures is left out and said to be infinite.
pub fn add_measures(session: &mut Session, records: Vec<Measure>) {
    session
        .measures
        .extend(records.into_iter().map(|mut record| {
            if record.value.is_some_and(|value| !value.is_finite()) {
                record.value = None;
                let why =
                    "The pictures are equal, so that the value is infinite; a mean leaves it out.";
                record.problem.get_or_insert_with(|| why.to_owned());
            }
            record
        }));
    session.cache.rescore();
}

/// Takes the text of a file of measured values in.
///
/// # Errors
/// It is something else, in words.
pub fn import_measures(session: &mut Session, text: &str) -> Result<MeasureImport, Error> {
    let Some(file) = measure::read(text) else {
        return Err(Error::Measures(format!(
            "This is no file of measured values: its first line should name the format {FORMAT}."
        )));
    };
    let found = MeasureImport {
        taken: count(file.records.len()),
        problems: (file.bad_lines.told())
            .map(|(line, message)| format!("Line {line}: {message}"))
            .collect(),
    };
    add_measures(
        session,
        file.records.into_iter().map(|(_, record)| record).collect(),
    );
    Ok(found)
}

/// Forgets the values that were measured in this session; those in files stay.
pub fn drop_measures(session: &mut Session) {
    session.measures.clear();
    session.cache.rescore();
}

/// Every measured value at hand, one per line, in an order that does not depend on how they came.
pub fn measures(session: &mut Session) -> String {
    session.link();
    session.settle_measures();
    let ground = session.cache.measures.iter();
    measure::write(ground.flat_map(|ground| ground.merged.records.values()))
}

/// What can be measured.
pub fn measure_offer(session: &mut Session) -> MeasureOffer {
    session.link();
    let world = session.world();
    let mut kinds = vec![Against::Golden];
    let samples = world.benchmark.samples.iter();
    let most = samples
        .map(|sample| inputs(sample).count())
        .max()
        .unwrap_or(0);
    kinds.extend((1..=count(most)).map(Against::Reference));
    if most > 1 {
        kinds.push(Against::References);
    }
    if world.models.len() > 1 {
        let names = world
            .models
            .iter()
            .map(|model| model.submission.name.clone());
        kinds.extend(names.map(Against::Model));
    }
    let of = |against: &Against| {
        let has = |(slot, at, _, turn): &(u32, u32, u32, &Turn)| {
            let sample = &world.benchmark.samples[*at as usize];
            turn.kind == TurnKind::Image
                && counterparts(&world, against, "", (sample, turn, *slot))
                    .iter()
                    .any(|one| one.file.is_some())
        };
        count(world.benchmark.turns().filter(has).count())
    };
    let against = kinds.iter().map(|against| AgainstInfo {
        id: against.to_string(),
        label: against.label(),
        turns: of(against),
    });
    MeasureOffer {
        metrics: METRICS.to_vec(),
        against: against.filter(|info| info.turns > 0).collect(),
    }
}

/// What measuring this would take.
///
/// # Errors
/// What is wrong with the query, in words.
pub fn measure_plan(session: &mut Session, query: &MeasureQuery) -> Result<MeasurePlan, Error> {
    session.link();
    session.settle_measures();
    let kinds = kinds_of(query).map_err(Error::Measures)?;
    let world = session.world();
    for name in query.models.iter().chain(&models_of(&kinds)) {
        if world.model(name).is_none() {
            return Err(Error::Measures(format!("There is no model {name}.")));
        }
    }
    let mut plan = MeasurePlan {
        protocol: session.protocol.id().to_owned(),
        ..MeasurePlan::default()
    };
    let mut pictures = HashSet::new();
    let is_meant = |name: &String| query.models.is_empty() || query.models.contains(name);
    for model in world
        .models
        .iter()
        .filter(|model| is_meant(&model.submission.name))
    {
        let name = &model.submission.name;
        for (slot, at, turn_idx, turn) in picture_turns(&world) {
            let sample = &world.benchmark.samples[at as usize];
            for (against, of_metrics) in &kinds {
                let sides = counterparts(&world, against, name, (sample, turn, slot));
                for side in sides {
                    let mut pair = MeasurePair {
                        model: name.clone(),
                        sample: sample.id.clone(),
                        turn: turn_idx,
                        against: against.to_string(),
                        number: side.number,
                        output: 0,
                        counterpart: 0,
                        metrics: Vec::new(),
                    };
                    let refusal = refusal_of(session, &world, model, slot, &side, query.sizes);
                    for kind in of_metrics {
                        let metric = kind.metric().id;
                        let known = records_of(session, kind, name, (&sample.id, turn_idx));
                        let mut known = known.filter(|one| one.number == side.number);
                        // What was refused before may be there now.
                        if known.any(|one| !one.output.is_empty() && !query.again) {
                            plan.done += 1;
                        } else if let Some(kind) = refusal {
                            plan.odd_sizes += u32::from(kind == IncidentKind::SizeDiffers);
                            let problem = kind.label().to_owned();
                            plan.refused.push(refused(
                                &plan.protocol,
                                &pair,
                                metric,
                                query.sizes,
                                problem,
                            ));
                        } else {
                            pair.metrics.push(metric.to_owned());
                        }
                    }
                    let output = model.submission.outputs[slot as usize];
                    if let (Some(output), Some(file), false) =
                        (output, side.file, pair.metrics.is_empty())
                    {
                        pictures.extend([output, file]);
                        (pair.output, pair.counterpart) = (output, file);
                        plan.values += count(pair.metrics.len());
                        plan.pairs.push(pair);
                    }
                }
            }
        }
    }
    plan.pictures = count(pictures.len());
    Ok(plan)
}

/// Why a pair cannot be measured, as far as is known without its pixels.
fn refusal_of(
    session: &Session,
    world: &World<'_>,
    model: &ModelData,
    slot: u32,
    side: &Counterpart,
    sizes: Sizes,
) -> Option<IncidentKind> {
    let output = match model.outputs.get(slot as usize) {
        Some(OutputState::Present) => model.submission.outputs.get(slot as usize)?,
        Some(state @ (OutputState::Unreadable | OutputState::Inaccessible)) => {
            return state.incident();
        }
        _ => return Some(IncidentKind::MissingOutput),
    };
    let size = |file: Option<FileId>| match session.read.pictures.get(&file?) {
        Some(Probed::Picture { width, height }) => Some((*width, *height)),
        _ => None,
    };
    let is_bad = |file: FileId| {
        let probed = session.read.pictures.get(&file);
        probed.is_some_and(|probed| probed.fault().is_some())
            || session.read.failures.contains_key(&file)
            || world.tree.entry(file).is_none()
    };
    if side.file.is_none_or(is_bad) {
        return Some(IncidentKind::NoCounterpart);
    }
    let differ = size(*output)
        .zip(size(side.file))
        .is_some_and(|(a, b)| a != b);
    (differ && sizes == Sizes::Equal).then_some(IncidentKind::SizeDiffers)
}

/// The records of one output, by number of the counterpart.
fn records_of<'a>(
    session: &'a Session,
    kind: &MeasureKind,
    model: &str,
    (sample, turn): (&str, u32),
) -> impl Iterator<Item = &'a Measure> + use<'a> {
    let place = |number| Place {
        kind: kind.clone(),
        model: model.to_owned(),
        sample: sample.to_owned(),
        turn,
        number,
    };
    let ground = session.cache.measures.as_ref();
    let found = ground.map(|ground| ground.merged.records.range(place(0)..=place(u32::MAX)));
    found.into_iter().flatten().map(|(_, record)| record)
}

/// The records of files by path, then those of this session; the last one of a place stands.
fn merge_measures(session: &Session) -> MergedMeasures {
    let mut ground = MergedMeasures::default();
    let world = session.world();
    let mut strays = 0;
    let mut take = |merged: &mut Merged, record: &Measure| {
        let is_own = record.protocol == session.protocol.id();
        if is_own
            && world.model(&record.model).is_some()
            && world.turn(&record.sample, record.turn).is_some()
        {
            merged.push(record);
        } else {
            strays += 1;
        }
    };
    let mut files: Vec<_> = session.read.measures.iter().collect();
    files.sort_small_by_key(|(file, _)| session.tree.path(**file));
    for (file, (_, measures)) in files {
        let heard = session.heard(*file);
        for (_, record) in &measures.records {
            if heard.includes(&record.model) {
                take(&mut ground.merged, record);
            }
        }
        let bad = measures.bad_lines.told().map(|(line, message)| {
            let hint = "The value is left out; the others count.";
            Problem::new(
                session.tree.path(*file),
                ("bad_line", Severity::Error),
                format!("line {line}"),
                message,
                hint,
            )
        });
        ground.problems.extend(bad);
    }
    for record in &session.measures {
        take(&mut ground.merged, record);
    }
    let kinds: BTreeSet<&MeasureKind> = ground
        .merged
        .records
        .keys()
        .map(|place| &place.kind)
        .collect();
    ground.kinds = kinds.into_iter().cloned().collect();
    ground.criteria = ground.kinds.iter().map(criterion).collect();
    ground.counts = counts(&ground);
    ground.tell(strays);
    ground
}

/// Rows and units of measured values.
fn score_measures(session: &Session, options: &ScoreOptions, scores: &mut Scores) {
    let ground = session.cache.measures.as_ref();
    if ground.is_none_or(|ground| ground.kinds.is_empty()) {
        return;
    }
    let world = session.world();
    let mut judged: Vec<JudgeScores> = Vec::new();
    for model in world.models {
        judged.push(JudgeScores {
            judge: MEASURED.to_owned(),
            units: measured_units(session, &world, model),
            totals: vec![None; world.benchmark.samples.len()],
            counted: vec![false; model.given.len()],
            ..JudgeScores::default()
        });
    }
    for (model, judge) in world.models.iter().zip(&judged) {
        let rows = measured_rows(session, &world, options, model, judge, scores);
        scores.rows.extend(rows);
    }
    for (model, judge) in scores.models.iter_mut().zip(judged) {
        if !judge.units.is_empty() {
            model.judges.push(judge);
        }
    }
}

/// One unit for each picture turn that has a counterpart, of every criterion that the model was measured by.
fn measured_units(session: &Session, world: &World<'_>, model: &ModelData) -> Vec<Unit> {
    let name = model.submission.name.as_str();
    let kinds = session
        .cache
        .measures
        .iter()
        .flat_map(|ground| &ground.kinds);
    let places = session
        .cache
        .measures
        .iter()
        .flat_map(|ground| ground.merged.records.keys());
    let own = places.filter(|place| place.model == name);
    let own: BTreeSet<&MeasureKind> = own.map(|place| &place.kind).collect();
    let first = model.num_given.len();
    let own: Vec<(usize, &MeasureKind)> = (first..)
        .zip(kinds)
        .filter(|(_, kind)| own.contains(kind))
        .collect();
    let mut units = Vec::new();
    for (slot, at, turn_idx, turn) in picture_turns(world) {
        let sample = &world.benchmark.samples[at as usize];
        for (criterion, kind) in &own {
            let sides = counterparts(world, &kind.against, name, (sample, turn, slot));
            if sides.is_empty() {
                continue;
            }
            let records: Vec<&Measure> =
                records_of(session, kind, name, (&sample.id, turn_idx)).collect();
            let fate = fate(session, world, model, (slot, kind.sizes), &sides, &records);
            units.push(Unit {
                sample: at,
                turn: turn_idx,
                criterion: u16::try_from(*criterion).unwrap_or(u16::MAX),
                run: 1,
                incident: fate.err(),
                counted: fate.ok().into(),
                given: Index::NONE,
            });
        }
    }
    units
}

/// A value, or the incident in its place.
fn fate(
    session: &Session,
    world: &World<'_>,
    model: &ModelData,
    (slot, sizes): (u32, Sizes),
    sides: &[Counterpart],
    records: &[&Measure],
) -> Result<f64, IncidentKind> {
    let of = |side: &Counterpart| records.iter().find(|one| one.number == side.number);
    let values: Option<Vec<f64>> = sides.iter().map(|side| of(side)?.value).collect();
    if let Some(values) = values {
        return Ok(values.iter().sum::<f64>() / values.len() as f64);
    }
    let refusal = |side| refusal_of(session, world, model, slot, side, sizes);
    if let Some(kind) = sides.iter().find_map(refusal) {
        return Err(kind);
    }
    let has_problem =
        |side| of(side).is_some_and(|one| one.problem.is_some() && !one.output.is_empty());
    Err(if sides.iter().any(has_problem) {
        IncidentKind::Unmeasurable
    } else {
        IncidentKind::NotMeasured
    })
}

/// The means over every group of the protocol's that is one of samples or turns.
fn measured_rows(
    session: &Session,
    world: &World<'_>,
    options: &ScoreOptions,
    model: &ModelData,
    judge: &JudgeScores,
    scores: &Scores,
) -> Vec<ScoreRow> {
    let mut rows = Vec::new();
    let kinds = session
        .cache
        .measures
        .iter()
        .flat_map(|ground| &ground.kinds);
    let kinds: Vec<(usize, &MeasureKind)> = (model.num_given.len()..).zip(kinds).collect();
    // VIBE's groups by run are of replies.
    let scopes = scores.scopes.iter().filter(|info| info.scope != "run");
    for (scope, key) in scopes.flat_map(|info| info.keys.iter().map(|key| (&info.scope, key))) {
        let group = session.group(scope, key);
        for (at, kind) in &kinds {
            let units = judge
                .units
                .iter()
                .filter(|unit| usize::from(unit.criterion) == *at);
            let (mut moments, mut expected) = (Moments::default(), 0);
            for unit in units.filter(|unit| group.has(world, unit)) {
                expected += 1;
                if let Some(value) = unit.counted.get() {
                    moments.push(value);
                }
            }
            if expected > 0 {
                rows.push(ScoreRow {
                    model: model.submission.name.clone(),
                    judge: MEASURED.to_owned(),
                    profile: options.profile,
                    policy: session.protocol.policy(options),
                    scope: scope.clone(),
                    key: key.clone(),
                    criterion: kind.to_string(),
                    ..row(kind.metric(), &moments, expected)
                });
            }
        }
    }
    rows
}

fn measure_detail(session: &Session, model: &ModelData, unit: &Unit, kind: IncidentKind) -> String {
    let world = session.world();
    let at = usize::from(unit.criterion).checked_sub(model.num_given.len());
    let ground = session.cache.measures.as_ref();
    let Some(of) = ground.zip(at).and_then(|(ground, at)| ground.kinds.get(at)) else {
        return String::new();
    };
    let sample = &world.benchmark.samples[unit.sample as usize];
    let Some((_, _, slot, turn)) = world.turn(&sample.id, unit.turn) else {
        return String::new();
    };
    let name = &model.submission.name;
    let sides = counterparts(&world, &of.against, name, (sample, turn, slot));
    let against = of.against.label();
    match kind {
        IncidentKind::NoCounterpart => format!("There is no readable picture of {against}."),
        IncidentKind::SizeDiffers => {
            let size = |file: Option<FileId>| match file
                .and_then(|file| session.read.pictures.get(&file))
            {
                Some(Probed::Picture { width, height }) => format!("{width} × {height}"),
                _ => "unknown".to_owned(),
            };
            let output = size(
                model
                    .submission
                    .outputs
                    .get(slot as usize)
                    .copied()
                    .flatten(),
            );
            let others: Vec<String> = sides.iter().map(|side| size(side.file)).collect();
            format!(
                "The output is {output} pixels, {against} {}.",
                others.join(", ")
            )
        }
        IncidentKind::Unmeasurable => {
            let records = records_of(session, of, name, (&sample.id, unit.turn));
            let mut problems = records.filter_map(|one| one.problem.clone());
            problems.next().unwrap_or_default()
        }
        _ => "No value for this output was computed or opened yet.".to_owned(),
    }
}

fn views_of_measures(
    session: &Session,
    model: &ModelData,
    sample: u32,
    turn: u32,
) -> Vec<MeasureView> {
    let Some(ground) = &session.cache.measures else {
        return Vec::new();
    };
    let world = session.world();
    let models = world.models.iter().zip(&session.scores().models);
    let own = models.filter(|(data, _)| data.submission.name == model.submission.name);
    let judges = own.flat_map(|(_, scores)| &scores.judges);
    let here = judges
        .filter(|judge| judge.judge == MEASURED)
        .flat_map(|judge| {
            let start = judge.units.partition_point(|unit| unit.sample < sample);
            let of_sample = judge.units[start..]
                .iter()
                .take_while(move |unit| unit.sample == sample);
            of_sample.filter(move |unit| unit.turn == turn)
        });
    here.filter_map(|unit| {
        let kind = ground
            .kinds
            .get(usize::from(unit.criterion).checked_sub(model.num_given.len())?)?;
        let id = &world.benchmark.samples[sample as usize].id;
        let records = records_of(session, kind, &model.submission.name, (id, turn));
        let backends: BTreeSet<&str> = records
            .filter(|one| one.value.is_some())
            .map(|one| one.backend.as_str())
            .collect();
        Some(MeasureView {
            criterion: kind.to_string(),
            short: kind.short(),
            value: unit.counted.get(),
            decimals: kind.metric().decimals,
            unit: kind.metric().unit.to_owned(),
            status: unit.incident.map_or("ok", IncidentKind::id).to_owned(),
            detail: unit.incident.map_or_else(String::new, |incident| {
                session.incident_detail(model, unit, incident)
            }),
            backend: backends.into_iter().collect::<Vec<_>>().join(", "),
        })
    })
    .collect()
}

fn text_of_added(session: &Session) -> Option<(String, String)> {
    let mut merged = Merged::default();
    session
        .measures
        .iter()
        .for_each(|record| merged.push(record));
    let is_free = |name: &String| session.tree.find(name).is_none();
    let names = (2..).map(|number| format!("measures-{number}.jsonl"));
    let name = std::iter::once(FILE.to_owned())
        .chain(names)
        .find(is_free)?;
    (!merged.records.is_empty()).then(|| (name, measure::write(merged.records.values())))
}

impl Session {
    /// The protocol's criteria, then those of measured values.
    pub(super) fn criteria(&self) -> Vec<CriterionInfo> {
        let mut criteria = self.protocol.criteria();
        let measured = self.cache.measures.iter();
        criteria.extend(measured.flat_map(|ground| ground.criteria.iter().cloned()));
        criteria
    }

    /// What was measured, by criterion.
    pub(super) fn measure_counts(&self) -> Vec<MeasureCount> {
        let ground = self.cache.measures.as_ref();
        ground.map_or_else(Vec::new, |ground| ground.counts.clone())
    }

    /// On what values were measured, as a sentence after a space; empty where nothing was.
    pub(super) fn measure_words(&self) -> String {
        let words = |found: &MeasureCount| {
            let on = [("cpu", found.cpu), ("gpu", found.gpu)];
            let on = on.into_iter().filter(|(_, number)| *number > 0);
            let on: Vec<String> = on
                .map(|(name, number)| format!("{number} on {name}"))
                .collect();
            format!(
                "{} ({})",
                found.criterion,
                if on.is_empty() {
                    "no value".to_owned()
                } else {
                    on.join(", ")
                }
            )
        };
        let counts = self.measure_counts();
        let all: Vec<String> = counts.iter().map(words).collect();
        if all.is_empty() {
            return String::new();
        }
        format!(" Measured values: {}.", all.join("; "))
    }

    /// Brings all records together, unless that is done.
    pub(super) fn settle_measures(&mut self) {
        if self.cache.measures.is_none() {
            self.cache.measures = Some((self.measuring.merge)(self));
            name_measured(self);
        }
    }

    /// Adds the rows and units of measured values to the scores.
    pub(super) fn add_measured(&self, options: &ScoreOptions, scores: &mut Scores) {
        (self.measuring.score)(self, options, scores);
    }

    /// Why a measured value is not there.
    pub(super) fn detail_of_measure(
        &self,
        model: &ModelData,
        unit: &Unit,
        kind: IncidentKind,
    ) -> String {
        (self.measuring.detail)(self, model, unit, kind)
    }

    /// The measured values of one output.
    pub(super) fn measures_of(
        &self,
        model: &ModelData,
        sample: u32,
        turn: u32,
    ) -> Vec<MeasureView> {
        (self.measuring.views)(self, model, sample, turn)
    }

    /// The values of this session that stand in no file: a name that is free, and the text; `None` without any.
    pub(super) fn added_measures(&self) -> Option<(String, String)> {
        (self.measuring.added)(self)
    }
}

impl MergedMeasures {
    /// Findings about the values as a whole.
    fn tell(&mut self, strays: u32) {
        if strays > 0 {
            let message = format!(
                "{strays} measured values are about another benchmark, or a model or sample that is not at hand."
            );
            self.problems.push(Problem::new(
                "",
                ("stray_measure", Severity::Warning),
                String::new(),
                message,
                "Open what they were measured on, or leave their file out.",
            ));
        }
        if let Some(first) = self.merged.changed.first() {
            let message = format!(
                "{} values were measured on other pictures before, the first of {}, sample {}, turn {}.",
                self.merged.changed.len(),
                first.model,
                first.sample,
                first.turn + 1
            );
            self.problems.push(Problem::new(
                "",
                ("other_pictures", Severity::Warning),
                String::new(),
                message,
                "The later value counts. Leave the file with the earlier ones out.",
            ));
        }
        for mixed in self
            .counts
            .iter()
            .filter(|found| found.cpu > 0 && found.gpu > 0)
        {
            let message = format!(
                "{} was computed on a CPU for {} values and on a GPU for {}.",
                mixed.criterion, mixed.cpu, mixed.gpu
            );
            self.problems.push(Problem::new("", ("mixed_backends", Severity::Warning), String::new(), message, "SSIM may differ by 2·10⁻⁵ between the two; measure all on one for numbers that compare to the last digit."));
        }
    }
}

/// Values by criterion and backend.
fn counts(ground: &MergedMeasures) -> Vec<MeasureCount> {
    let mut counts: Vec<MeasureCount> = (ground.kinds.iter())
        .map(|kind| MeasureCount {
            criterion: kind.to_string(),
            ..MeasureCount::default()
        })
        .collect();
    for (place, record) in &ground.merged.records {
        let at = ground.kinds.binary_search(&place.kind);
        if let (Ok(at), Some(_)) = (at, record.value) {
            let found = &mut counts[at];
            found.values += 1;
            *(if record.backend == "gpu" {
                &mut found.gpu
            } else {
                &mut found.cpu
            }) += 1;
        }
    }
    counts
}

/// A criterion on its own scale.
fn criterion(kind: &MeasureKind) -> CriterionInfo {
    let metric = kind.metric();
    CriterionInfo {
        id: kind.to_string(),
        short: kind.short(),
        label: kind.label(),
        meaning: if metric.unit.is_empty() {
            metric.meaning.to_owned()
        } else {
            format!("{} In {}.", metric.meaning, metric.unit)
        },
        min: metric.min,
        max: metric.max.unwrap_or(UNBOUNDED),
        allowed: None,
        scale: 1.0,
        decimals: metric.decimals,
        direction: metric.direction,
    }
}

/// Above every PSNR of pictures that differ: 10 log₁₀(255² · 3 · 10⁸) for one level in the largest picture that is read.
const UNBOUNDED: f64 = 133.0;

/// Mean, spread and bounds; those of a metric without an end are not there while something is missing.
fn row(metric: &MetricInfo, moments: &Moments, expected: u32) -> ScoreRow {
    let origin = OriginMean::of_values(moments.sum(), moments.n(), 1.0);
    let mean = origin.value();
    let missing = expected - moments.n();
    let bound = |end: Option<f64>| match (missing, end) {
        (0, _) => mean,
        (_, Some(end)) => Some((moments.sum() + f64::from(missing) * end) / f64::from(expected)),
        (_, None) => None,
    };
    let (low, high) = (Some(metric.min), metric.max);
    let (worst, best) = match metric.direction {
        Direction::Down => (high, low),
        Direction::Up | Direction::Neither => (low, high),
    };
    let row = ScoreRow {
        model: String::new(),
        judge: String::new(),
        profile: crate::model::options::Profile::default(),
        policy: crate::model::options::Policy::Exclude,
        scope: String::new(),
        key: String::new(),
        criterion: String::new(),
        mean: None,
        n: moments.n(),
        expected,
        sd: moments.sd(),
        ci_low: None,
        ci_high: None,
        worst: bound(worst),
        best: bound(best),
        origin: Origin::default(),
    };
    row.settle(Origin {
        mean: Some(origin),
        interval: mean.and_then(|mean| OriginInterval::student(mean, moments, (1.0, 1.0))),
    })
}

/// Counterparts with what is to be measured against each.
fn kinds_of(query: &MeasureQuery) -> Result<Vec<(Against, Vec<MeasureKind>)>, String> {
    let mut kinds = Vec::new();
    for text in &query.against {
        let against = Against::read(text).ok_or_else(|| {
            format!("Expected golden, reference:K, references or model:NAME, found {text:?}.")
        })?;
        let mut of_metrics = Vec::new();
        for metric in &query.metrics {
            let kind = MeasureKind::new(metric, against.clone(), query.sizes);
            of_metrics.push(kind.ok_or_else(|| {
                let known: Vec<&str> = METRICS.iter().map(|known| known.id).collect();
                format!(
                    "There is no metric {metric} of two pictures; known: {}.",
                    known.join(", ")
                )
            })?);
        }
        kinds.push((against, of_metrics));
    }
    Ok(kinds)
}

/// The models that outputs are held against.
fn models_of(kinds: &[(Against, Vec<MeasureKind>)]) -> Vec<String> {
    let names = kinds.iter().filter_map(|(against, _)| match against {
        Against::Model(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

fn picture_turns<'a>(world: &World<'a>) -> impl Iterator<Item = (u32, u32, u32, &'a Turn)> {
    world
        .benchmark
        .turns()
        .filter(|(_, _, _, turn)| turn.kind == TurnKind::Image)
}

/// The pictures that no turn has to produce, with their numbers.
fn inputs(sample: &Sample) -> impl Iterator<Item = (u32, Option<FileId>)> {
    let produced = |number: u32| sample.turns.iter().any(|turn| turn.picture == Some(number));
    (1u32..)
        .zip(&sample.pictures)
        .filter(move |(number, _)| !produced(*number))
        .map(|(number, picture)| (number, picture.file))
}

/// What a model's output of a turn is held against; nothing where there is nothing to be expected.
fn counterparts(
    world: &World<'_>,
    against: &Against,
    model: &str,
    (sample, turn, slot): (&Sample, &Turn, u32),
) -> Vec<Counterpart> {
    let side = |(number, file)| Counterpart { number, file };
    match against {
        Against::Golden => {
            let number = turn.picture.filter(|number| *number > 0);
            let golden = number.and_then(|number| {
                let picture = sample.pictures.get(number as usize - 1)?;
                Some(side((number, picture.file)))
            });
            golden.into_iter().collect()
        }
        Against::Reference(place) => {
            let found = inputs(sample).nth(*place as usize - 1);
            found.map(side).into_iter().collect()
        }
        Against::References => inputs(sample).map(side).collect(),
        Against::Model(name) if name == model => Vec::new(),
        Against::Model(name) => {
            let other = world.model(name);
            let file = other.and_then(|other| *other.submission.outputs.get(slot as usize)?);
            vec![side((0, file))]
        }
    }
}

/// A pair that cannot be measured, as a record.
fn refused(
    protocol: &str,
    pair: &MeasurePair,
    metric: &str,
    sizes: Sizes,
    problem: String,
) -> Measure {
    Measure {
        format: FORMAT.to_owned(),
        protocol: protocol.to_owned(),
        model: pair.model.clone(),
        sample: pair.sample.clone(),
        turn: pair.turn,
        metric: metric.to_owned(),
        against: pair.against.clone(),
        number: pair.number,
        sizes,
        problem: Some(problem),
        backend: "cpu".to_owned(),
        ..Measure::default()
    }
}
