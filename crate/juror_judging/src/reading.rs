//! Whatever form replies come back in: a journal, the results of a batch engine, or a sheet.

use crate::journal::{self, Journal};
use crate::{batch, sheet};
use juror_reading::py::json_from_service;

/// Reads a journal, the results of a batch engine, or both in one file; or a sheet of replies. Blank lines are passed over.
pub fn read(text: &str) -> Journal {
    if sheet::is_sheet(text) {
        return sheet::read(text);
    }
    if !is_of_lines(text)
        && let Some(journal) = whole_values(text)
    {
        return journal;
    }
    journal::read_lines(text, other)
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
