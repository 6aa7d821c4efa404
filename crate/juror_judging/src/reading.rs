//! Whatever form replies come back in: a journal, the results of a batch engine, or a sheet.

use crate::journal::{self, Journal};
use crate::{batch, sheet};
use juror_reading::py::json_from_service;

/// Reads a journal, the results of a batch engine, or both in one file; or a sheet of replies. Blank lines are passed over.
pub fn read(text: &str) -> Journal {
    if sheet::is_sheet(text) {
        return sheet::read(text);
    }
    journal::read_lines(text, other)
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
        batch::Line::Other => journal.refuse(number, error),
    }
}
