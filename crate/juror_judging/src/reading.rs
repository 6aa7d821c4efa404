//! Whatever form replies come back in: a journal, the results of a batch engine, or a sheet.

use crate::journal::{self, Journal, Record};
use crate::provider::{self, Answer};
use crate::{batch, sheet};
use juror_reading::py::json_from_service;
use serde_json::value::RawValue;

/// Reads again what a service answered, where no reply could be read of it when it came: the readers learn more forms.
pub fn read_again(record: &mut Record) {
    let Some(body) = record.body.as_ref().filter(|_| record.reply.is_empty()) else {
        return;
    };
    match provider::read(body.wire, 200, &body.text) {
        Answer::Reply { text, model, .. } => {
            record.reply = text;
            record.error = None;
            record.answered_by = (!model.is_empty()).then_some(model);
        }
        Answer::Failed(failure) => {
            record.error = Some(format!("{}: {}", failure.kind.id(), failure.message));
        }
    }
}

/// Reads a journal, the results of a batch engine, or both in one file; or a sheet of replies. Blank lines are passed over.
pub fn read(text: &str) -> Journal {
    if sheet::is_sheet(text) {
        return sheet::read(text);
    }
    let whole = if is_of_lines(text) {
        None
    } else {
        whole_values(text)
    };
    whole.unwrap_or_else(|| journal::read_lines(text, read_again, other))
}

/// Whether the first line that is not blank is one JSON object.
fn is_of_lines(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_none_or(|line| {
        let line = line.trim();
        line.starts_with('{') && line.ends_with('}')
    })
}

/// Reads a JSON list, or objects over several lines each; records are numbered by their places. `None` where it is neither.
fn whole_values(text: &str) -> Option<Journal> {
    let mut journal = Journal::default();
    let mut number = 0;
    // As text: a key that an object has twice is found as it is in a line.
    let mut take = |value: &RawValue| {
        number += 1;
        journal::read_one(&mut journal, (number, value.get()), read_again, other);
    };
    let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    for value in values {
        let value = value.ok()?;
        match value.get().as_bytes().first()? {
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
                items.into_iter().for_each(&mut take);
            }
            b'{' => take(value),
            _ => return None,
        }
    }
    journal.records.shrink();
    Some(journal)
}

/// A line that is no record of ours.
fn other(journal: &mut Journal, number: u32, line: &str, error: &serde_json::Error) {
    let value = json_from_service(line).unwrap_or_default();
    match batch::read_line(&value) {
        batch::Line::Result(mut record) => {
            journal.is_batch = true;
            read_again(&mut record);
            journal.take(number, *record);
        }
        // The file that was sent, opened beside what came back.
        batch::Line::Request => {}
        batch::Line::Unknown(id) => {
            journal.is_batch = true;
            journal.bad_lines.push((
                number,
                format!("This is the result of {id:?}, which is no request of Juror's."),
            ));
        }
        batch::Line::Nameless => {
            journal.is_batch = true;
            journal.bad_lines.push((
                number,
                "This result does not say which request it answers: Vertex AI writes no ids. Run the batch where ids come back: Gemini's own batch mode, OpenAI's or Anthropic's.".to_owned(),
            ));
        }
        batch::Line::Other => journal.refuse(number, error),
    }
}

#[cfg(test)]
mod tests {
    use juror_model::judge::Wire;

    use super::*;
    use crate::journal::{FORMAT, PaidBody, write};

    fn failed(text: &str) -> Record {
        Record {
            format: FORMAT.to_owned(),
            protocol: "weave".to_owned(),
            error: Some("not_json: It could not be read then.".to_owned()),
            body: Some(PaidBody {
                wire: Wire::OpenAi,
                text: text.to_owned(),
            }),
            ..Record::default()
        }
    }

    #[test]
    fn whole_numbers_are_read_as_spreadsheets_write_them_in_lines_and_in_lists() {
        let line = |fields: &str| {
            format!(
                r#"{{"format": "juror-journal/1", "protocol": "weave", "model": "m", "criterion": "c", "reply": "7", {fields}}}"#
            )
        };
        let good = [
            (r#""sample": "1", "turn": 0"#, ("1", 0, 1)),
            (r#""sample": 1, "turn": 2.0, "run": "3""#, ("1", 2, 3)),
            (r#""sample": 1.0, "turn": "0", "run": "2.0""#, ("1", 0, 2)),
            (
                r#""sample": 1830000000000000001, "turn": 0"#,
                ("1830000000000000001", 0, 1),
            ),
            (r#""sample": "1.5", "turn": 0"#, ("1.5", 0, 1)),
        ];
        let bad = [
            (r#""sample": 1.5, "turn": 0"#, "floating point `1.5`"),
            (r#""sample": 1e300, "turn": 0"#, "floating point"),
            (r#""sample": "1", "turn": -1"#, "a whole number from 0"),
            (r#""sample": "1", "turn": 0.5"#, "floating point `0.5`"),
            (r#""sample": "1", "turn": null"#, "null"),
            (r#""sample": true, "turn": 0"#, "boolean"),
            (
                r#""sample": "1", "turn": 4294967296"#,
                "a whole number from 0",
            ),
            (
                r#""sample": "1", "turn": 0, "reply": "1""#,
                "duplicate field `reply`",
            ),
            (
                r#""sample": "1", "turn": 0, "turn": 1"#,
                "duplicate field `turn`",
            ),
        ];
        let lines: Vec<String> = good.iter().map(|(fields, _)| line(fields)).collect();
        let lines: Vec<String> = lines
            .into_iter()
            .chain(bad.iter().map(|(fields, _)| line(fields)))
            .collect();
        let spread: Vec<String> = lines
            .iter()
            .map(|line| line.replace(", ", ",\n  "))
            .collect();
        let list = format!("[\n{}\n]", spread.join(",\n"));
        for text in [lines.join("\n"), list] {
            let journal = read(&text);
            let found: Vec<_> = journal.records.iter().map(|(_, record)| record).collect();
            let found: Vec<_> = found
                .iter()
                .map(|record| (record.sample, record.turn, record.run))
                .collect();
            assert_eq!(found, good.map(|(_, key)| key));
            let reasons: Vec<&(u32, String)> = journal.bad_lines.iter().collect();
            assert_eq!(reasons.len(), bad.len(), "{reasons:?}");
            for ((_, reason), (fields, expected)) in reasons.iter().zip(bad) {
                assert!(reason.contains(expected), "{fields}: {reason}");
            }
        }
    }

    #[test]
    fn an_answer_that_was_paid_for_and_could_not_be_read_is_read_again_from_the_journal() {
        let whole = r#"{"model": "m-1", "choices": [{"message": {"content": "7"}, "finish_reason": "stop"}]}"#;
        let journal = read(&write(&[failed(whole), failed("<html>")]));
        let found: Vec<_> = journal.records.iter().map(|(_, record)| record).collect();
        assert_eq!((found[0].reply, found[0].error), ("7", None));
        assert_eq!(found[0].answered_by, Some("m-1"));
        assert!(
            found[1]
                .error
                .is_some_and(|error| error.starts_with("not_json"))
        );
        assert_eq!(found[1].body, failed("<html>").body.as_ref(), "it stays");
    }
}
