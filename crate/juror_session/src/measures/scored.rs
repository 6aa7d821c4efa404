//! The units and score rows that measured values make.

use std::collections::BTreeSet;

use super::counterpart::{Counterpart, counterparts, picture_turns};
use super::plan::refusal_of;
use super::{kinds, records_of};
use crate::measure::{MEASURED, Measure, MeasureKind, MetricInfo, Sizes};
use crate::state::Session;
use juror_model::compact::Index;
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::options::ScoreOptions;
use juror_model::origin::{Origin, OriginInterval, OriginMean};
use juror_model::row::ScoreRow;
use juror_model::score::{JudgeScores, Scores, Unit};
use juror_model::terms::Direction;
use juror_statistics::Moments;

/// Rows and units of measured values.
pub(super) fn score_measures(session: &Session, options: &ScoreOptions, scores: &mut Scores) {
    let inputs = session.data.cache.measures.as_ref();
    if inputs.is_none_or(|inputs| inputs.kinds.is_empty()) {
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
    let places = session
        .data
        .cache
        .measures
        .iter()
        .flat_map(|inputs| inputs.merged.records.keys());
    let own = places.filter(|place| place.model == name);
    let own: BTreeSet<&MeasureKind> = own.map(|place| &place.kind).collect();
    let first = model.num_given.len();
    let own: Vec<(usize, &MeasureKind)> = (first..)
        .zip(kinds(session))
        .filter(|(_, kind)| own.contains(kind))
        .collect();
    let mut units = Vec::new();
    for (slot, at, turn_idx, turn) in picture_turns(world) {
        let sample = &world.benchmark.samples[at as usize];
        for (criterion, kind) in &own {
            let sides = counterparts(session, world, &kind.against, name, (sample, turn, slot));
            if sides.is_empty() {
                continue;
            }
            let records: Vec<&Measure> =
                records_of(session, kind, name, (&sample.id, turn_idx)).collect();
            let sizes = kind.rule_of_sizes();
            let value = measured_value(session, world, model, (slot, sizes), &sides, &records);
            units.push(Unit {
                sample: at,
                turn: turn_idx,
                criterion: u16::try_from(*criterion).unwrap_or(u16::MAX),
                run: 1,
                incident: value.err(),
                counted: value.ok().into(),
                given: Index::NONE,
            });
        }
    }
    units
}

/// A value, or the incident in its place.
fn measured_value(
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
    let kinds: Vec<(usize, &MeasureKind)> = (model.num_given.len()..).zip(kinds(session)).collect();
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
                    policy: session.loader.protocol.policy(options),
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
        profile: juror_model::options::Profile::default(),
        policy: juror_model::options::Policy::Exclude,
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
        panel: None,
        origin: Origin::default(),
    };
    row.settle(Origin {
        mean: Some(origin),
        interval: mean.and_then(|mean| OriginInterval::student(mean, moments, (1.0, 1.0))),
    })
}
