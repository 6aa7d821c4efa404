//! Scores by two groupings at once: means for small multiples, and how often each score was given in each group.

use crate::study::Study;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::compare::{ByGroup, CompareQuery, comparable};
use super::count;
use super::slices::Slices;
use super::state::Session;
use crate::error::Error;
use crate::measure::{MEASURED, is_measured};
use crate::view::grouped::{Grouped, GroupedCell, GroupedQuery, GroupedScale};
use juror_model::terms::CriterionInfo;
use juror_statistics::small::arrange_numbers;

/// So many values, and each is counted on its own.
const MAX_VALUES: usize = 11;
/// Ranges where there are more.
const NUM_RANGES: usize = 10;

/// One score: where it is, and what it is on the scale that is counted.
struct PlacedScore {
    sample: u32,
    turn: u32,
    value: f64,
}

/// Scores of every model and judge by row and column.
///
/// A cell's mean is Compare's: the plain mean of its samples, each counting once; a row of the score table may be made otherwise, as
/// where the benchmark's formula weighs groups.
///
/// # Errors
/// `unknown_group`: there is no such scope, or its groups are not of samples. `unknown_criterion`.
pub fn grouped(study: &Study<'_>, query: &GroupedQuery) -> Result<Grouped, Error> {
    study.expect(&query.options);
    let world = study.world();
    let scores = study.scores();
    let scopes = comparable(&*study.loader.protocol, &world, scores);
    let rows = Slices::new(study, &scopes, &query.rows)?;
    let columns = Slices::new(study, &scopes, &query.columns)?;
    let known = study.criteria();
    for id in &query.criteria {
        if known.iter().all(|info| info.id != *id) {
            return Err(Error::UnknownCriterion(format!(
                "There is no criterion {id}."
            )));
        }
    }
    let is_asked =
        |info: &&CriterionInfo| query.criteria.is_empty() || query.criteria.contains(&info.id);
    let keys = |slices: &Slices| -> Vec<String> {
        let keys = slices.keys().map(str::to_owned);
        keys.collect()
    };
    let mut found = Grouped {
        rows: keys(&rows),
        columns: keys(&columns),
        keys_left_out: rows.left_out + columns.left_out,
        ..Grouped::default()
    };
    if query.columns.is_empty() {
        found.columns = vec![String::new()];
    }
    // Totals are of turns as soon as one of the groupings is.
    let scope = if columns.is_of_turns() {
        &query.columns
    } else {
        &query.rows
    };
    for info in known.iter().filter(is_asked) {
        let (all_inputs, lines) = lines(study, info, scope, &known)?;
        let all = lines.iter().flat_map(|(.., given)| given);
        let scale = scale(info, all.map(|one| one.value).collect());
        for (at, judge, given) in &lines {
            for (row, row_at) in rows.numbered() {
                for (column, column_at) in places(&columns, &query.columns) {
                    let is_in = |sample: u32, turn: u32| {
                        let has = |slices: &Slices, at: Option<usize>| {
                            at.is_none_or(|at| slices.has(at, sample, turn))
                        };
                        has(&rows, row_at) && has(&columns, column_at)
                    };
                    let mean = all_inputs[judge].mean(*at, row, is_in, query.level);
                    if mean.expected > 0 {
                        let own = given.iter().filter(|one| is_in(one.sample, one.turn));
                        found.cells.push(GroupedCell {
                            model: world.models[*at].submission.name.clone(),
                            judge: (*judge).to_owned(),
                            criterion: info.id.clone(),
                            row: row.to_owned(),
                            column: column.to_owned(),
                            n: mean.n,
                            expected: mean.expected,
                            mean: mean.mean,
                            ci_low: mean.low,
                            ci_high: mean.high,
                            counts: counts(own, &scale),
                        });
                    }
                }
            }
        }
        found.scales.push(scale);
    }
    Ok(found)
}

/// By judge what means rest on.
type Grounds<'a> = BTreeMap<&'a str, ByGroup<'a>>;
/// A model's place, a judge, and the scores that the judge gave the model.
type Line<'a> = (usize, &'a str, Vec<PlacedScore>);

/// Every model by every judge under one criterion; of a measured one, which no judge gives, there is none.
fn lines<'a>(
    session: &'a Session,
    info: &CriterionInfo,
    scope: &str,
    criteria: &'a [CriterionInfo],
) -> Result<(Grounds<'a>, Vec<Line<'a>>), Error> {
    let (mut all_inputs, mut lines) = (Grounds::new(), Vec::new());
    if is_measured(&info.id) {
        return Ok((all_inputs, lines));
    }
    let models = session
        .world()
        .models
        .iter()
        .zip(&session.data.scores().models);
    for (at, (model, own)) in models.enumerate() {
        for judge in own.judges.iter().filter(|judge| judge.judge != MEASURED) {
            let inputs = match all_inputs.entry(judge.judge.as_str()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => {
                    let query = CompareQuery {
                        scope: scope.to_owned(),
                        criterion: info.id.clone(),
                        judge: Some(judge.judge.clone()),
                        ..CompareQuery::default()
                    };
                    free.insert(ByGroup::new(session, query, criteria)?)
                }
            };
            let mut given = Vec::new();
            let mut give = |sample, turn, value| {
                given.push(PlacedScore {
                    sample,
                    turn,
                    value,
                });
            };
            if info.id == "total" {
                for (sample, turn, value) in inputs.numbers(at) {
                    give(sample, turn, value);
                }
            } else {
                session.for_values(model, judge, info, |unit, value, _| {
                    if let Some(value) = value {
                        give(unit.sample, unit.turn, value);
                    }
                });
            }
            lines.push((at, judge.judge.as_str(), given));
        }
    }
    Ok((all_inputs, lines))
}

/// The columns with their places; one of all where no scope is named.
fn places<'a>(columns: &'a Slices, scope: &str) -> impl Iterator<Item = (&'a str, Option<usize>)> {
    let all = scope.is_empty().then_some(("", None));
    all.into_iter().chain(columns.numbered())
}

/// How often each value was given.
fn counts<'a>(own: impl Iterator<Item = &'a PlacedScore>, scale: &GroupedScale) -> Vec<u32> {
    let mut counts = vec![0; scale.values.len()];
    for one in own {
        let place = scale.values.partition_point(|from| *from <= one.value);
        if let Some(count) = counts.get_mut(place.saturating_sub(1)) {
            *count += 1;
        }
    }
    counts
}

/// The values that scores have: each on its own where they are few, else ranges of equal width.
fn scale(info: &CriterionInfo, mut values: Vec<f64>) -> GroupedScale {
    arrange_numbers(&mut values);
    values.dedup();
    let criterion = info.id.clone();
    if values.len() <= MAX_VALUES {
        return GroupedScale {
            criterion,
            values,
            end: None,
        };
    }
    let factor = if info.id == "total" { info.scale } else { 1.0 };
    let ends = [info.min * factor, info.max * factor];
    let low = values.first().map_or(ends[0], |first| first.min(ends[0]));
    let high = values.last().map_or(ends[1], |last| last.max(ends[1]));
    let from = |at: usize| low + (high - low) * f64::from(count(at)) / f64::from(count(NUM_RANGES));
    GroupedScale {
        criterion,
        values: (0..NUM_RANGES).map(from).collect(),
        end: Some(high),
    }
}
