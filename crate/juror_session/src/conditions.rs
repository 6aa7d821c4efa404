//! Replies that are metrics of files made elsewhere: what can be computed, and what came of it as records.
//!
//! This crate computes no metric: a host does, and brings the values back. From there on they are replies like those that
//! the authors' program wrote, by the same judge; what is missing stays an incident.

use crate::study::LinkedSession;
use juror_reading::count::counted;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::count;
use super::state::Session;
use juror_judging::journal::{self, Record};
use juror_model::linked::NetworkReference;

/// How many missing files are named.
const MAX_NAMED: usize = 20;

/// What can be computed from the files at hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ConditionPlan {
    /// Pairs without a reply, in the order of the benchmark.
    pub pairs: Vec<ConditionPair>,
    /// Pairs that have one.
    pub done: u32,
    /// Pairs without a reply of which a file is missing.
    pub missing: u32,
    /// The first of the missing files, by the names that are looked for.
    pub wanted: Vec<String>,
    /// Pairs without a reply and without files that a network could compute, for hosts that have one.
    pub networks: Vec<NetworkPair>,
}

/// An output that a network could measure, and what it is held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct NetworkPair {
    /// The pair; its candidate is the output, and its reference too where there is no file for it.
    pub pair: ConditionPair,
    /// What the network computes, as packs name it.
    pub task: &'static str,
    /// What the output is held against.
    pub reference: NetworkReference,
    /// The file that is missing instead, where it is counted among [`ConditionPlan::missing`]; else empty.
    pub missing: String,
}

/// What a network made of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct NetworkValue {
    /// Which pair, with its value.
    pub found: ConditionValue,
    /// Which network computed it: pack, hash, runner, backend.
    pub network: String,
}

/// Two files to be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ConditionPair {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// The kind of request that the value answers.
    pub criterion: String,
    /// Who would have answered it.
    pub judge: String,
    /// Id of the metric.
    pub metric: String,
    /// File that was made of the output, or the output itself.
    pub candidate: u32,
    /// File that it is held against.
    pub reference: u32,
}

/// What came of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ConditionValue {
    /// Which pair.
    pub pair: ConditionPair,
    /// The metric's value.
    pub value: f64,
}

/// What files made elsewhere can complete: replies that the authors' program would have given and has not.
pub fn condition_plan(session: &LinkedSession<'_>) -> ConditionPlan {
    let world = session.world();
    let mut known = HashSet::new();
    for model in world.models {
        for given in model.given.iter() {
            // A request at which the evaluator failed can be completed: the first readable reply counts.
            let Some(slot) = given.slot.get().filter(|_| given.readings.paper().is_ok()) else {
                continue;
            };
            let judge = usize::from(given.judge);
            known.insert((
                model.submission.name.as_str(),
                slot,
                model.criteria[usize::from(given.criterion)].as_str(),
                model.judges[judge].as_str(),
            ));
        }
    }
    let mut plan = ConditionPlan::default();
    let conditions = session.loader.protocol.conditions();
    let pairs = conditions.map_or_else(Vec::new, |own| own.file_pairs(&world));
    for pair in pairs {
        let slot = world
            .turn(&pair.sample, pair.turn)
            .map(|(_, _, slot, _)| slot);
        let is_known = slot.is_some_and(|slot| {
            known.contains(&(pair.model.as_str(), slot, pair.criterion, pair.judge))
        });
        if is_known {
            plan.done += 1;
            continue;
        }
        let of = |candidate, reference| ConditionPair {
            model: pair.model.clone(),
            sample: pair.sample.clone(),
            turn: pair.turn,
            criterion: pair.criterion.to_owned(),
            judge: pair.judge.to_owned(),
            metric: pair.metric.to_owned(),
            candidate,
            reference,
        };
        let (Some(candidate), Some(reference)) = (pair.candidate, pair.reference) else {
            let is_missing = !pair.missing.is_empty();
            if let Some((task, reference)) = pair.network.clone() {
                plan.networks.push(NetworkPair {
                    pair: of(pair.output, pair.output),
                    task,
                    reference,
                    missing: pair.missing.clone(),
                });
            }
            if is_missing {
                plan.missing += 1;
                if plan.wanted.len() < MAX_NAMED {
                    plan.wanted.push(pair.missing);
                }
            }
            continue;
        };
        plan.pairs.push(of(candidate, reference));
    }
    plan
}

/// The values as replies, each at this time (ISO 8601); [`add_records`](crate::add_records) makes them count.
pub fn condition_records(session: &Session, values: &[ConditionValue], time: &str) -> Vec<Record> {
    let conditions = session.loader.protocol.conditions();
    let record = |found: &ConditionValue| {
        let pair = &found.pair;
        Record {
            format: journal::FORMAT.to_owned(),
            protocol: session.loader.protocol.id().to_owned(),
            model: pair.model.clone(),
            sample: pair.sample.clone(),
            turn: pair.turn,
            criterion: pair.criterion.clone(),
            judge: pair.judge.clone(),
            run: 1,
            time: time.to_owned(),
            reply: format!(
                "{:?}",
                conditions.map_or(found.value, |own| own
                    .evaluated(&pair.criterion, found.value))
            ),
            ..Record::default()
        }
    };
    let finite = values.iter().filter(|found| found.value.is_finite());
    finite.map(record).collect()
}

/// Values that networks made, as replies that name them.
pub fn network_records(session: &Session, values: &[NetworkValue], time: &str) -> Vec<Record> {
    let record = |value: &NetworkValue| {
        let found = std::slice::from_ref(&value.found);
        let mut records = condition_records(session, found, time);
        for record in &mut records {
            record.answered_by = Some(value.network.clone());
        }
        records
    };
    values.iter().flat_map(record).collect()
}

impl ConditionPlan {
    /// What is missing besides what networks computed, in words; empty where nothing is.
    pub fn missing_words(&self, computed: &[NetworkValue]) -> String {
        let is_computed = |one: &&NetworkPair| {
            !one.missing.is_empty() && computed.iter().any(|value| value.found.pair == one.pair)
        };
        let found: HashSet<&str> = (self.networks.iter().filter(is_computed))
            .map(|one| one.missing.as_str())
            .collect();
        let missing = self.missing.saturating_sub(count(found.len()));
        if missing == 0 {
            return String::new();
        }
        let wanted = self.wanted.iter().map(String::as_str);
        let wanted: Vec<&str> = wanted.filter(|file| !found.contains(file)).collect();
        let more = missing.saturating_sub(count(wanted.len()));
        let more = if more == 0 {
            String::new()
        } else {
            format!(" and {more} more")
        };
        format!(
            "{} missing: {}{more}",
            counted(missing, "file is", "files are"),
            wanted.join(", ")
        )
    }
}
