//! Replies that are metrics of files made elsewhere: what can be computed, and what came of it as records.
//!
//! This crate computes no metric: a host does, and brings the values back. From there on they are replies like those that
//! the authors' program wrote, by the same judge; what is missing stays an incident.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{Session, count};
use crate::journal::{self, Record};
use crate::model::linked::FilePair;

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
pub fn condition_plan(session: &mut Session) -> ConditionPlan {
    session.link();
    let world = session.world();
    let mut known = HashSet::new();
    for model in world.models {
        for given in model.given.iter() {
            // What the evaluator failed at can be completed: the first readable reply stands.
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
    for pair in session.protocol.file_pairs(&world) {
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
        let FilePair {
            candidate: Some(candidate),
            reference: Some(reference),
            ..
        } = pair
        else {
            plan.missing += 1;
            if plan.wanted.len() < MAX_NAMED {
                plan.wanted.push(pair.missing);
            }
            continue;
        };
        plan.pairs.push(ConditionPair {
            model: pair.model,
            sample: pair.sample,
            turn: pair.turn,
            criterion: pair.criterion.to_owned(),
            judge: pair.judge.to_owned(),
            metric: pair.metric.to_owned(),
            candidate,
            reference,
        });
    }
    plan
}

/// The values as replies, each at this time (ISO 8601); [`add_records`](crate::session::add_records) makes them count.
pub fn condition_records(session: &Session, values: &[ConditionValue], time: &str) -> Vec<Record> {
    let record = |found: &ConditionValue| {
        let pair = &found.pair;
        Record {
            format: journal::FORMAT.to_owned(),
            protocol: session.protocol.id().to_owned(),
            model: pair.model.clone(),
            sample: pair.sample.clone(),
            turn: pair.turn,
            criterion: pair.criterion.clone(),
            judge: pair.judge.clone(),
            run: 1,
            time: time.to_owned(),
            reply: format!(
                "{:?}",
                session.protocol.evaluated(&pair.criterion, found.value)
            ),
            ..Record::default()
        }
    };
    let finite = values.iter().filter(|found| found.value.is_finite());
    finite.map(record).collect()
}

impl ConditionPlan {
    /// What is missing, in words; empty where nothing is.
    pub fn missing_words(&self) -> String {
        if self.missing == 0 {
            return String::new();
        }
        let more = self.missing.saturating_sub(count(self.wanted.len()));
        let more = if more == 0 {
            String::new()
        } else {
            format!(" and {more} more")
        };
        format!(
            "{} files are missing: {}{more}",
            self.missing,
            self.wanted.join(", ")
        )
    }
}
