//! What belongs to a score row: the incidents in its group, and the scores that its mean is made of.

use crate::study::Study;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::count;
use super::state::Session;
use crate::view::RowIncidents;
use juror_model::judge::behind;
use juror_model::linked::{ModelData, World};
use juror_model::origin::Origin;
use juror_model::score::{JudgeScores, Scores, Unit};
use juror_statistics::small::SortSmall;

/// Units behind a score row that are listed.
const MAX_UNITS: usize = 500;

/// The units that a score row is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RowUnits {
    /// All of them; more than the row's own count where turns, runs or criteria are averaged first.
    pub total: u32,
    /// Of them, those with a value.
    pub n: u32,
    /// Sum of the values.
    pub sum: f64,
    /// The lowest first, those without a score in front; at most five hundred.
    pub units: Vec<RowUnit>,
    /// How the row's mean and interval were computed.
    pub origin: Origin,
    /// Of a panel: what it does with its judges' answers, and how far they answered together, a sentence each.
    pub panel: Vec<String>,
}

/// One score behind a mean, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RowUnit {
    /// Sample id.
    pub sample: String,
    /// Turn, from 0; `None` where the sample's total is meant.
    pub turn: Option<u32>,
    /// Run, from 1; `None` where the sample's total over runs is meant.
    pub run: Option<u32>,
    /// What entered the mean: on the judge's scale, a total on the printed one.
    pub value: Option<f64>,
    /// `ok`, or the kind of the incident.
    pub status: String,
}

/// A group of units that has score rows.
pub(super) struct Group<'a> {
    scope: &'a str,
    key: &'a str,
    /// By sample; absent where the group is not one of samples.
    members: Option<Vec<bool>>,
    /// By slot; absent where the group has every turn of its samples.
    turns: Option<Vec<bool>>,
}

impl Group<'_> {
    /// Whether it is the group of this name.
    pub(super) fn is(&self, scope: &str, key: &str) -> bool {
        (self.scope, self.key) == (scope, key)
    }

    pub(super) fn has(&self, world: &World<'_>, unit: &Unit) -> bool {
        if self.scope == "run" {
            let (domain, run) = domain_and_run(self.key);
            let sample = &world.benchmark.samples[unit.sample as usize];
            return run == Some(unit.run) && domain.is_none_or(|domain| domain == sample.domain);
        }
        if let Some(turns) = &self.turns {
            let slot = world.benchmark.turn_slot(unit.sample, unit.turn);
            return slot.is_some_and(|slot| turns[slot as usize]);
        }
        let members = self.members.as_ref();
        members.is_some_and(|members| members[unit.sample as usize])
    }
}

/// A group by run: all of run 2 is `2`, that of one domain `Addition/2`.
pub(super) fn domain_and_run(key: &str) -> (Option<&str>, Option<u32>) {
    let (domain, run) = key.rsplit_once('/').unzip();
    (domain, run.unwrap_or(key).parse().ok())
}

/// One judge's totals of each part of each sample, such as its runs or its turns, with the first unit of the part that is not
/// well.
fn for_totals_by(
    part_of: fn(&Unit) -> u32,
    session: &Session,
    model: &ModelData,
    judge: &JudgeScores,
    mut each: impl FnMut(&Unit, Option<f64>),
) {
    for units in judge.units.chunk_by(|a, b| a.sample == b.sample) {
        let mut parts: Vec<u32> = units.iter().map(part_of).collect();
        parts.sort_small();
        parts.dedup();
        for part in parts {
            let of_part = || units.iter().filter(|unit| part_of(unit) == part);
            let counted: Vec<(&str, Option<f64>)> = of_part()
                .map(|unit| {
                    (
                        &*model.criteria[usize::from(unit.criterion)],
                        unit.counted.get(),
                    )
                })
                .collect();
            let unwell = of_part().find(|unit| unit.incident.is_some());
            if let Some(unit) = unwell.or_else(|| of_part().next()) {
                each(unit, session.loader.protocol.turn_total(&counted));
            }
        }
    }
}

/// The scores that the row at this position among the score rows is made of.
pub fn row_units(study: &Study<'_>, row: u32) -> RowUnits {
    let (world, scores) = (study.world(), study.scores());
    let Some(row) = scores.rows.get(row as usize) else {
        return RowUnits::default();
    };
    let criteria = study.criteria();
    let origin = row.origin.clone();
    let panel = (study.panelling.words)(row);
    let Some(info) = criteria.into_iter().find(|info| info.id == row.criterion) else {
        // A part of a metric has a row and no column of its own.
        return RowUnits {
            origin,
            panel,
            ..RowUnits::default()
        };
    };
    let group = study.group(&row.scope, &row.key);
    let mut found: Vec<RowUnit> = Vec::new();
    let models = world.models.iter().zip(&scores.models);
    for (model, of_model) in models.filter(|(model, _)| model.submission.name == row.model) {
        let is_meant =
            |name: &str| name == row.judge || behind(&row.judge).iter().any(|one| one == name);
        for judge in of_model
            .judges
            .iter()
            .filter(|judge| is_meant(&judge.judge))
        {
            let is_total = info.id == "total";
            let is_of_run = group.scope == "run";
            let is_of_turns = group.turns.is_some();
            let mut each = |unit: &Unit, value: Option<f64>| {
                let sample = &world.benchmark.samples[unit.sample as usize];
                if !group.has(&world, unit) {
                    return;
                }
                found.push(RowUnit {
                    sample: sample.id.clone(),
                    turn: (!is_total || is_of_turns).then_some(unit.turn),
                    run: (!is_total || is_of_run).then_some(unit.run),
                    value,
                    status: match unit.incident {
                        Some(kind) if !is_total || value.is_none() => kind.id(),
                        _ => "ok",
                    }
                    .to_owned(),
                });
            };
            if is_total && is_of_run {
                for_totals_by(|unit| unit.run, study, model, judge, each);
            } else if is_total && is_of_turns {
                for_totals_by(|unit| unit.turn, study, model, judge, each);
            } else {
                study.for_values(model, judge, &info, |unit, value, _| each(unit, value));
            }
        }
    }
    let key = |unit: &RowUnit| unit.value.unwrap_or(f64::NEG_INFINITY);
    found.sort_small_by(|a, b| key(a).total_cmp(&key(b)));
    let values = found.iter().filter_map(|unit| unit.value);
    RowUnits {
        total: count(found.len()),
        n: count(values.clone().count()),
        sum: values.sum(),
        units: found.into_iter().take(MAX_UNITS).collect(),
        origin,
        panel,
    }
}

impl Session {
    pub(super) fn group<'a>(&self, scope: &'a str, key: &'a str) -> Group<'a> {
        let benchmark = self.world().benchmark;
        Group {
            scope,
            key,
            members: self.loader.protocol.members(benchmark, scope, key),
            turns: self.loader.protocol.turns(benchmark, scope, key),
        }
    }

    /// Incidents by score row; rows without any are left out.
    pub(super) fn row_incidents(&self, scores: &Scores) -> Vec<RowIncidents> {
        let world = self.world();
        let requests = self.loader.protocol.requests();
        let judges = scores.models.iter().flat_map(|of_model| &of_model.judges);
        let mut units = judges.flat_map(|judge| &judge.units);
        if units.all(|unit| unit.incident.is_none()) {
            return Vec::new();
        }
        let groups: Vec<Group<'_>> = (scores.scopes.iter())
            .flat_map(|info| info.keys.iter().map(|key| self.group(&info.scope, key)))
            .collect();
        let mut counts: HashMap<(&str, &str, &str, &str, &str), u32> = HashMap::new();
        for (model, of_model) in world.models.iter().zip(&scores.models) {
            for judge in &of_model.judges {
                for unit in judge.units.iter().filter(|unit| unit.incident.is_some()) {
                    let request = &model.criteria[usize::from(unit.criterion)];
                    let known = requests.iter().find(|known| known.id == *request);
                    let criteria =
                        known.map_or(std::slice::from_ref(request), |known| &known.criteria);
                    for group in groups.iter().filter(|group| group.has(&world, unit)) {
                        for criterion in criteria.iter().map(String::as_str).chain(["total"]) {
                            let (model, judge) = (&*model.submission.name, &*judge.judge);
                            let place = (model, judge, group.scope, group.key, criterion);
                            *counts.entry(place).or_default() += 1;
                        }
                    }
                }
            }
        }
        let of_row = |(at, row): (u32, &juror_model::row::ScoreRow)| {
            // A mean of judges has the incidents of each of them.
            let behind = behind(&row.judge);
            let judges = std::iter::once(&*row.judge).chain(behind.iter().map(String::as_str));
            let mut seen = Vec::new();
            let mut incidents = 0;
            for judge in judges {
                if !seen.contains(&judge) {
                    seen.push(judge);
                    let place = (&*row.model, judge, &*row.scope, &*row.key, &*row.criterion);
                    incidents += counts.get(&place).copied().unwrap_or(0);
                }
            }
            (incidents > 0).then(|| RowIncidents {
                row: at,
                incidents,
                is_unjudged: row.mean.is_none() && self.is_not_judged(&row.model, &row.judge),
            })
        };
        (0u32..).zip(&scores.rows).filter_map(of_row).collect()
    }
}
