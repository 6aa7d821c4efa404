//! Measured values in a session: what there is to measure, what came of it, and the score rows that it makes.
//!
//! They stand in the scores as those of one more judge, named [`MEASURED`](measure::MEASURED), whose totals are empty:
//! so every view of scores shows them, and no total can hold them. What is expected is every picture turn that has a
//! counterpart; an output without a value is an incident and never a number.

use crate::study::LinkedSession;
use serde::{Deserialize, Serialize};

use super::count;
use super::data::Data;
use super::measured::MergedMeasures;
use super::state::{Measuring, Session};
use crate::error::Error;
use crate::measure::{self, FORMAT, Measure, MeasureKind, Merged, Place};
use crate::view::MeasureView;
use juror_model::incident::IncidentKind;
use juror_model::linked::ModelData;
use juror_model::options::ScoreOptions;
use juror_model::score::{Scores, Unit};
use juror_model::summary::MeasureCount;
use juror_model::terms::CriterionInfo;
use merged::merge_measures;
use scored::score_measures;
use shown::{measure_detail, views_of_measures};

mod counterpart;
mod merged;
mod plan;
mod recheck;
mod scored;
mod shown;

pub use plan::{AgainstInfo, MeasureOffer, MeasurePlan, MeasureQuery, measure_offer, measure_plan};
pub(super) use recheck::check_measures;
pub use recheck::{MeasureCheck, measures_to_check};

/// Where a pack has the values that were measured in the session that wrote it.
const FILE: &str = "measures.jsonl";

impl Measuring {
    /// Everything.
    pub(super) const FULL: Self = Self {
        merge: merge_measures,
        score: score_measures,
        detail: measure_detail,
        views: views_of_measures,
        added: text_of_added,
    };
    /// Nothing is read, so nothing is there.
    pub(super) const NONE: Self = Self {
        merge: |_| MergedMeasures::default(),
        score: |_, _, _| {},
        detail: |_, _, _, _| String::new(),
        views: |_, _, _, _| Vec::new(),
        added: |_| None,
    };
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

/// What models were measured by, in the order of the criteria that it makes.
fn kinds(session: &Session) -> impl Iterator<Item = &MeasureKind> {
    let inputs = session.data.cache.measures.iter();
    inputs.flat_map(|inputs| &inputs.kinds)
}

/// Puts the names of measured criteria behind those of the replies, where units find them.
fn name_measured(session: &mut Session) {
    let names: Vec<String> = kinds(session).map(ToString::to_string).collect();
    let linked = session.data.cache.linked.iter_mut();
    for model in linked.flat_map(|linked| &mut linked.models) {
        model.criteria.truncate(model.num_given.len());
        model.criteria.extend_from_slice(&names);
    }
}

/// Takes measured values in; one about the same output, counterpart and metric replaces an earlier one.
///
/// A value that is not finite is none: the PSNR of equal pictures is left out and said to be infinite.
pub fn add_measures(session: &mut Session, records: Vec<Measure>) {
    let records = records.into_iter().map(finite);
    session.data.measures.extend(records);
    session.data.cache.rescore();
}

/// The record with a reason in the place of a value that is not finite.
fn finite(mut record: Measure) -> Measure {
    if record.value.is_some_and(|value| !value.is_finite()) {
        record.value = None;
        let why = "The pictures are equal, so that the value is infinite; a mean leaves it out.";
        record.problem.get_or_insert_with(|| why.to_owned());
    }
    record
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
    session.data.measures.clear();
    session.data.cache.rescore();
}

/// Every measured value at hand, one per line, in an order that does not depend on how they came.
pub fn measures(session: &LinkedSession<'_>) -> String {
    let inputs = session.data.cache.measures.iter();
    measure::write(inputs.flat_map(|inputs| inputs.merged.records.values()))
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
    let inputs = session.data.cache.measures.as_ref();
    let found = inputs.map(|inputs| inputs.merged.records.range(place(0)..=place(u32::MAX)));
    found.into_iter().flatten().map(|(_, record)| record)
}

fn text_of_added(session: &Session) -> Option<(String, String)> {
    let mut merged = Merged::default();
    session
        .data
        .measures
        .iter()
        .for_each(|record| merged.push(record));
    let is_free = |name: &String| session.loader.tree.find(name).is_none();
    let names = (2..).map(|number| format!("measures-{number}.jsonl"));
    let name = std::iter::once(FILE.to_owned())
        .chain(names)
        .find(is_free)?;
    (!merged.records.is_empty()).then(|| (name, measure::write(merged.records.values())))
}

impl Data {
    /// What was measured, by criterion.
    pub(super) fn measure_counts(&self) -> Vec<MeasureCount> {
        let inputs = self.cache.measures.as_ref();
        inputs.map_or_else(Vec::new, |inputs| inputs.counts.clone())
    }

    /// On what values were measured, as a sentence after a space; empty where nothing was.
    pub(super) fn measure_words(&self) -> String {
        let words = |found: &MeasureCount| {
            let on = [("cpu", found.cpu), ("gpu", found.gpu), ("file", found.file)];
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
}

impl Session {
    /// The protocol's criteria, then those of measured values.
    pub(super) fn criteria(&self) -> Vec<CriterionInfo> {
        let mut criteria = self.loader.protocol.criteria();
        let measured = self.data.cache.measures.iter();
        criteria.extend(measured.flat_map(|inputs| inputs.criteria.iter().cloned()));
        criteria
    }

    /// Brings all records together, unless that is done.
    pub(super) fn settle_measures(&mut self) {
        if self.data.cache.measures.is_none() {
            self.data.cache.measures = Some((self.measuring.merge)(self));
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
