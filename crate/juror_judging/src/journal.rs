//! `journal.jsonl`: replies as append-only records, keyed by request, judge and run.
//!
//! A record is never changed or removed; scores are always derived from the raw text.

use serde::{Deserialize, Serialize};

use juror_model::judge::{Params, Wire};
use juror_model::request::RequestKey;
use juror_reading::limits::{self, BadLines};
use juror_reading::names;
use juror_reading::py::{self, Value};

use crate::records::Records;
use crate::{lenient, provider};

/// The format's name and version, in every record.
pub const FORMAT: &str = "juror-journal/1";

/// One reply, as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "JournalRecord")
)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// Protocol id.
    pub protocol: String,
    /// Model.
    pub model: String,
    /// Sample id; a whole number is read as its digits.
    #[serde(deserialize_with = "lenient::id")]
    pub sample: String,
    /// Turn, from 0; `0.0` and `"0"` are read as 0.
    #[serde(deserialize_with = "lenient::whole")]
    pub turn: u32,
    /// Sub-score asked for.
    pub criterion: String,
    /// Judge id; empty if the user named none.
    #[serde(default)]
    pub judge: String,
    /// Run, from 1; read as [`turn`](Self::turn) is.
    #[serde(default = "one", deserialize_with = "lenient::whole")]
    pub run: u32,
    /// When the reply came, ISO 8601 in UTC.
    #[serde(default)]
    pub time: String,
    /// SHA-256 of the request, if it was known.
    #[serde(default)]
    pub request: Option<String>,
    /// SHA-256 of the prompt pack; of what came from a batch engine or a sheet its beginning.
    #[serde(default)]
    pub prompts: String,
    /// The raw reply; empty if the call failed.
    #[serde(default)]
    pub reply: String,
    /// Why the call failed.
    #[serde(default)]
    pub error: Option<String>,
    /// What the judge was asked with, where that is known: the service's name of the model, temperature and the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub params: Option<Params>,
    /// The model that answered, where the service names it: an alias may answer as one version or another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub answered_by: Option<String>,
    /// Set where the reply belongs to an anchor set: when that was asked again. Such a reply is compared with the stored
    /// one of the same request, judge and run, and never counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub anchor: Option<String>,
    /// What the service answered with a success, whole, where no reply could be read of it: it is paid for, and is read
    /// again wherever the record is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub body: Option<PaidBody>,
}

/// An answer that was paid for, as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PaidBody {
    /// How the service was spoken to.
    pub wire: Wire,
    /// The body.
    pub text: String,
}

fn one() -> u32 {
    1
}

impl Record {
    /// The request that it answers.
    pub fn key(&self) -> RequestKey {
        self.view().key()
    }
}

/// A journal with the lines that could not be read.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// Records with their line numbers, from 1.
    pub records: Records,
    /// Line number and reason.
    pub bad_lines: BadLines,
    /// Whether there are results of a batch engine among the lines.
    pub is_batch: bool,
}

/// Reads a journal alone: a program that never meets a batch engine's results links no reader of them.
pub fn read_records(text: &str) -> Journal {
    read_lines(
        text,
        |_| (),
        |journal, number, _, error| journal.refuse(number, error),
    )
}

/// Reads records, and completes each by `complete`; every other line goes to `other`, with its number and why it is none.
pub(crate) fn read_lines(
    text: &str,
    complete: impl Fn(&mut Record),
    other: impl Fn(&mut Journal, u32, &str, &serde_json::Error),
) -> Journal {
    let mut journal = Journal::default();
    for (number, line) in (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
    {
        read_one(&mut journal, (number, line), &complete, &other);
    }
    journal.records.shrink();
    journal
}

/// Reads one line; one that is no record goes to `other`.
pub(crate) fn read_one(
    journal: &mut Journal,
    (number, line): (u32, &str),
    complete: impl Fn(&mut Record),
    other: impl Fn(&mut Journal, u32, &str, &serde_json::Error),
) {
    if let Some(reason) = limits::long_line(line) {
        journal.bad_lines.push((number, reason));
        return;
    }
    match serde_json::from_str::<Record>(line) {
        Ok(mut record) if record.format == FORMAT => {
            if record.error.is_none() {
                record.error = ended_early(line);
            }
            complete(&mut record);
            journal.take(number, record);
        }
        Ok(record) => journal.bad_lines.push((
            number,
            format!("Expected the format {FORMAT}, found {}.", record.format),
        )),
        Err(error) => other(journal, number, line, &error),
    }
}

/// What services call the reason for which a reply ended, and scripts copy into their records.
const REASONS: [&str; 4] = ["finish_reason", "stop_reason", "finishReason", "stopReason"];

/// Why the reply of a line is not whole, where the line gives a reason for its end.
fn ended_early(line: &str) -> Option<String> {
    if !REASONS.iter().any(|name| line.contains(name)) {
        return None;
    }
    let value = py::loads(line).ok()?;
    let reason = REASONS.iter().find_map(|name| value.get(name))?;
    let reason = match reason {
        Value::Str(text) => text.as_str(),
        // Gemini counts its reasons, and the first is that of a whole reply.
        Value::Null | Value::Int(1.0) => return None,
        _ => "unknown",
    };
    let kind = provider::ended_early(reason)?.id();
    Some(
        [
            kind,
            ": The record says that the reply ended early: ",
            reason,
        ]
        .concat(),
    )
}

impl Journal {
    /// Appends a record whose names of model and sample are composed, as those of files are.
    pub(crate) fn take(&mut self, number: u32, mut record: Record) {
        names::compose(&mut record.model);
        names::compose(&mut record.sample);
        self.records.push(number, record);
    }

    /// Notes a line that is no record.
    pub(crate) fn refuse(&mut self, number: u32, error: &serde_json::Error) {
        self.bad_lines
            .push((number, format!("This is not a journal record: {error}.")));
    }
}

/// Writes records, one per line.
pub fn write(records: &[Record]) -> String {
    records
        .iter()
        .map(|record| serde_json::to_string(record).unwrap_or_default() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_a_script_says_was_cut_off_is_none() {
        let line = |end: &str| {
            format!(
                r#"{{"format": "juror-journal/1", "protocol": "weave", "model": "m", "sample": "1", "turn": 0, "criterion": "c", "reply": "Score: 1"{end}}}"#
            )
        };
        let error = |end: &str| {
            let journal = read_records(&line(end));
            assert_eq!(journal.records.len(), 1, "{end}: {:?}", journal.bad_lines);
            let record = journal.records.get(0).expect("there is one");
            record.error.unwrap_or_default().to_owned()
        };
        for (end, kind) in [
            (r#", "finish_reason": "length""#, "cut_off: "),
            (r#", "stop_reason": "max_tokens""#, "cut_off: "),
            (r#", "finishReason": "MAX_TOKENS""#, "cut_off: "),
            (r#", "finish_reason": "content_filter""#, "content_filter: "),
            (r#", "stop_reason": "refusal""#, "refused: "),
        ] {
            let found = error(end);
            assert!(found.starts_with(kind), "{end}: {found}");
        }
        for end in [
            "",
            r#", "finish_reason": null"#,
            r#", "finish_reason": "stop""#,
            r#", "stop_reason": "end_turn""#,
            r#", "finishReason": "STOP""#,
            r#", "finishReason": 1"#,
            r#", "time": "finish_reason""#,
        ] {
            assert_eq!(error(end), "", "{end}");
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_foreign_lines_are_named() {
        let record = Record {
            format: FORMAT.to_owned(),
            protocol: "weave".to_owned(),
            model: "m".to_owned(),
            sample: "3".to_owned(),
            turn: 0,
            criterion: "key_point".to_owned(),
            judge: String::new(),
            run: 1,
            time: String::new(),
            request: None,
            prompts: String::new(),
            reply: "{\"score\": 7}\n```".to_owned(),
            error: None,
            ..Record::default()
        };
        let other = Record {
            format: "juror-journal/9".to_owned(),
            ..record.clone()
        };
        let text = write(&[record.clone(), other]) + "\n{half";
        let journal = read_records(&text);
        let found: Vec<_> = journal.records.iter().collect();
        assert_eq!(found, [(1, record.view())]);
        assert_eq!(
            journal
                .bad_lines
                .iter()
                .map(|(line, _)| *line)
                .collect::<Vec<_>>(),
            [2, 4]
        );
    }
}
