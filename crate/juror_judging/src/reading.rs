//! Whatever form replies come back in: a journal, the results of a batch engine, or a sheet.

use crate::journal::{self, Journal, Record};
use crate::provider::{self, Answer};
use crate::{batch, sheet};
use juror_reading::py::json_from_service;

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
    let mut journal = whole.unwrap_or_else(|| journal::read_lines(text, other));
    for (_, record) in &mut journal.records {
        read_again(record);
    }
    journal
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
    let mut take = |value: serde_json::Value| {
        number += 1;
        let line = value.to_string();
        journal::read_one(&mut journal, number, &line, other);
    };
    let values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    for value in values {
        match value.ok()? {
            serde_json::Value::Array(items) => items.into_iter().for_each(&mut take),
            object @ serde_json::Value::Object(_) => take(object),
            _ => return None,
        }
    }
    journal.compose();
    Some(journal)
}

/// A line that is no record of ours.
fn other(journal: &mut Journal, number: u32, line: &str, error: &serde_json::Error) {
    let value = json_from_service(line).unwrap_or_default();
    match batch::read_line(&value) {
        batch::Line::Result(record) => {
            journal.is_batch = true;
            journal.records.push((number, *record));
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
    fn an_answer_that_was_paid_for_and_could_not_be_read_is_read_again_from_the_journal() {
        let whole = r#"{"model": "m-1", "choices": [{"message": {"content": "7"}, "finish_reason": "stop"}]}"#;
        let journal = read(&write(&[failed(whole), failed("<html>")]));
        let found: Vec<_> = journal.records.iter().map(|(_, record)| record).collect();
        assert_eq!((found[0].reply.as_str(), &found[0].error), ("7", &None));
        assert_eq!(found[0].answered_by.as_deref(), Some("m-1"));
        assert!(
            found[1]
                .error
                .as_deref()
                .is_some_and(|error| error.starts_with("not_json"))
        );
        assert_eq!(found[1].body, failed("<html>").body, "it stays");
    }
}
