//! People's failure labels: a CSV with the columns sample, model, label and rater; turn where samples have several; state
//! and time where Juror wrote it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sheet;
use juror_model::problem::Problem;
use juror_reading::escape::{csv_guarded, csv_unguarded};
use juror_reading::limits::BadLines;
use juror_reading::names::{composed, whole_id};

/// The label of an output that a person looked at and found nothing wrong with: what is not labelled at all is unknown.
pub const NONE: &str = "none";

/// The most characters of a label.
pub const MAX_CHARS: usize = 80;

/// One label that one person gave one output, or took back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct LabelRecord {
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Model.
    pub model: String,
    /// Id of a label of the protocol, [`NONE`], or a label in the rater's own words.
    pub label: String,
    /// Who labelled.
    pub rater: String,
    /// Whether the label is taken back.
    pub is_removed: bool,
    /// When, ISO 8601 in UTC; empty if unknown, which is before every known time.
    pub time: String,
}

impl LabelRecord {
    /// What is labelled, and by whom: of two records with the same key the later counts.
    fn key(&self) -> (&str, &str, u32, &str, &str) {
        (
            &self.rater,
            &self.sample,
            self.turn,
            &self.model,
            &self.label,
        )
    }
}

/// The columns that make a CSV a file of labels.
const COLUMNS: [&str; 4] = ["sample", "model", "label", "rater"];

/// The states that the column `state` knows; an empty one is the first.
const STATES: [&str; 2] = ["set", "removed"];

/// Whether [`read`] may find a head of labels in a file; never wrong where this says no.
pub fn may_be(text: &str) -> bool {
    sheet::may_have(text, &COLUMNS)
}

/// Reads a file of labels; `None` if its head says that it is something else. Rows without a label are left for later.
pub fn read(path: &str, text: &str) -> Option<(Vec<LabelRecord>, Vec<Problem>)> {
    let mut sheet = sheet::open(text, &COLUMNS)?;
    let [turn, state, time] = ["turn", "state", "time"].map(|name| sheet.column(name));
    let (mut records, mut bad) = (Vec::new(), BadLines::default());
    for row in sheet.reader.records() {
        let (line, row) = match sheet::line_of(row) {
            Ok(row) => row,
            Err(unread) => {
                bad.push(unread);
                continue;
            }
        };
        let field = |at: Option<usize>| at.and_then(|at| row.get(at)).unwrap_or_default();
        let text = |at: usize| composed(csv_unguarded(field(Some(sheet.columns[at])))).into_owned();
        let [sample, model, label, rater] = [0, 1, 2, 3].map(text);
        if label.is_empty() {
            continue;
        }
        match facts(&label, field(turn), field(state)) {
            Err(why) => bad.push((line, why)),
            Ok((turn, is_removed)) => records.push(LabelRecord {
                sample: whole_id(&sample).to_owned(),
                turn,
                model,
                label,
                rater,
                is_removed,
                time: csv_unguarded(field(time)).to_owned(),
            }),
        }
    }
    let hint = "The label is left out; the others count.";
    Some((records, sheet::problems(path, "bad_label", hint, &bad)))
}

/// Turn and state of a row, or what is wrong with it.
fn facts(label: &str, turn: &str, state: &str) -> Result<(u32, bool), String> {
    if label.chars().count() > MAX_CHARS {
        return Err(format!(
            "Expected a label of at most {MAX_CHARS} characters, found {}.",
            label.chars().count()
        ));
    }
    let number = sheet::turn(turn)?;
    let is_state = |known: &&str| known.eq_ignore_ascii_case(state);
    match STATES.iter().position(is_state) {
        Some(at) => Ok((number, at == 1)),
        None if state.is_empty() => Ok((number, false)),
        None => Err(format!(
            "Expected \"set\" or \"removed\" as state, found \"{state}\"."
        )),
    }
}

/// One record per rater, output and label, in this order; those taken back are among them.
///
/// Later is the one with the greater time; of two with the same time, or none, the one that comes later here.
pub fn merge<'a>(all: impl IntoIterator<Item = &'a LabelRecord>) -> Vec<LabelRecord> {
    let mut by_key: BTreeMap<_, &LabelRecord> = BTreeMap::new();
    for record in all {
        let known = by_key.entry(record.key()).or_insert(record);
        if record.time >= known.time {
            *known = record;
        }
    }
    by_key.into_values().cloned().collect()
}

/// Labels as a CSV that [`read`] reads back.
pub fn write<'a>(records: impl IntoIterator<Item = &'a LabelRecord>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(["sample", "turn", "model", "label", "rater", "state", "time"]);
    for record in records {
        let _ = writer.write_record([
            &csv_guarded(&record.sample),
            &record.turn.to_string(),
            &csv_guarded(&record.model),
            &csv_guarded(&record.label),
            &csv_guarded(&record.rater),
            STATES[usize::from(record.is_removed)],
            &csv_guarded(&record.time),
        ]);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn record(rater: &str, label: &str, is_removed: bool, time: &str) -> LabelRecord {
        LabelRecord {
            sample: "s".to_owned(),
            model: "m".to_owned(),
            label: label.to_owned(),
            rater: rater.to_owned(),
            is_removed,
            time: time.to_owned(),
            ..LabelRecord::default()
        }
    }

    #[test]
    fn columns_are_found_by_name_in_any_order_and_a_missing_state_is_set() {
        let text = "\u{feff}Rater,label,model,sample\nann,artefact,\"a, b\",7\nann,,x,8\n";
        let (found, problems) = read("l.csv", text).unwrap();
        assert_eq!(problems, []);
        assert_eq!(found.len(), 1, "a row without a label is left for later");
        let one = &found[0];
        assert_eq!((&*one.model, one.turn, one.is_removed), ("a, b", 0, false));
        assert!(read("r.csv", "sample,model,criterion,rater,score\n").is_none());
        assert!(may_be(text) && !may_be("Task,Samples,Average\n"));
    }

    #[test]
    fn a_wrong_row_is_named_with_its_line_and_the_others_count() {
        let long = "x".repeat(MAX_CHARS + 1);
        let text = format!(
            "sample,turn,model,label,rater,state\n1,x,m,l,r,\n1,0,m,l,r,gone\n1,0,m,{long},r,set\n1,2,m,l,r,REMOVED\n"
        );
        let (found, problems) = read("l.csv", &text).unwrap();
        assert_eq!(
            (found.len(), found[0].turn, found[0].is_removed),
            (1, 2, true)
        );
        let places: Vec<&str> = problems.iter().map(|one| one.place.as_str()).collect();
        assert_eq!(places, ["line 2", "line 3", "line 4"]);
        assert!(problems[1].message.contains("\"gone\""), "{problems:?}");
    }

    #[test]
    fn what_was_written_reads_back_whatever_a_spreadsheet_would_make_of_it() {
        let names = [
            "=cmd|' /C calc'!A0",
            "@SUM(A1)",
            "-2+3",
            "'=1",
            "a \"b\",\nc",
        ];
        let all: Vec<LabelRecord> = names
            .iter()
            .enumerate()
            .map(|(at, name)| LabelRecord {
                sample: (*name).to_owned(),
                turn: u32::try_from(at).unwrap(),
                model: (*name).to_owned(),
                label: (*name).to_owned(),
                rater: (*name).to_owned(),
                is_removed: at % 2 == 1,
                time: (*name).to_owned(),
            })
            .collect();
        let text = write(&all);
        for line in text.lines().skip(1) {
            assert!(!line.starts_with(['=', '+', '-', '@']), "{text}");
        }
        assert_eq!(read("l.csv", &text).unwrap(), (all, vec![]));
    }

    #[test]
    fn the_later_record_counts_in_whatever_order_they_come_and_labels_of_one_output_stand_beside_each_other()
     {
        let set = record("ann", "artefact", false, "2026-11-20T10:00:00.000Z");
        let removed = record("ann", "artefact", true, "2026-11-20T11:00:00.000Z");
        let other = record("ann", NONE, false, "");
        for order in [[&set, &removed, &other], [&other, &removed, &set]] {
            assert_eq!(merge(order), [removed.clone(), other.clone()]);
        }
        let timeless = [record("ann", "x", false, ""), record("ann", "x", true, "")];
        assert!(merge(&timeless)[0].is_removed);
    }
}
