//! What files of people's ratings and labels have in common: a CSV whose head says what it is, and rows named by their lines.

use juror_model::problem::{Problem, Severity};
use juror_reading::limits::BadLines;
use juror_reading::names::whole_id;
use juror_reading::text::table;

/// How far the head of a file may reach.
const HEAD_BYTES: usize = 64 << 10;

/// Whether [`open`] may find a head with these columns; never wrong where this says no.
pub(crate) fn may_have(text: &str, columns: &[&str]) -> bool {
    let head = &text.as_bytes()[..text.len().min(HEAD_BYTES)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    columns.iter().all(|column| head.contains(column))
}

/// A file with its head read.
pub(crate) struct Sheet<'a> {
    pub(crate) reader: csv::Reader<&'a [u8]>,
    head: csv::StringRecord,
    /// What ends a field.
    pub(crate) separator: u8,
    /// Where the columns stand that it must have, in their order.
    pub(crate) columns: Vec<usize>,
}

/// Reads the head of a file, whose columns may stand in any order; `None` where one of these is missing.
pub(crate) fn open<'a>(text: &'a str, columns: &[&str]) -> Option<Sheet<'a>> {
    let (sign, text) = table(text);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .delimiter(sign)
        .from_reader(text.as_bytes());
    let mut sheet = Sheet {
        head: reader.headers().ok()?.clone(),
        separator: sign,
        reader,
        columns: Vec::new(),
    };
    let known: Option<Vec<usize>> = columns.iter().map(|name| sheet.column(name)).collect();
    sheet.columns = known?;
    Some(sheet)
}

impl Sheet<'_> {
    /// The index of a column; upper and lower case are equal.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        let mut head = self.head.iter();
        head.position(|known| known.eq_ignore_ascii_case(name))
    }
}

/// The line of a row, from 1; or that of a row which cannot be read, with what is wrong with it.
pub(crate) fn line_of(
    row: Result<csv::StringRecord, csv::Error>,
) -> Result<(u32, csv::StringRecord), (u32, String)> {
    let line = |position: Option<&csv::Position>| {
        let line = position.map_or(0, csv::Position::line);
        u32::try_from(line).unwrap_or(u32::MAX)
    };
    match row {
        Ok(row) => Ok((line(row.position()), row)),
        Err(error) => Err((
            line(error.position()),
            format!("This row cannot be read: {error}."),
        )),
    }
}

/// The turn that a field states, from 0; an empty one is the first.
pub(crate) fn turn(field: &str) -> Result<u32, String> {
    let number = if field.is_empty() { "0" } else { field };
    let number = whole_id(number).parse();
    number.map_err(|_| format!("Expected a turn from 0, found \"{field}\"."))
}

/// What is wrong with rows of a file.
pub(crate) fn problems(path: &str, code: &str, hint: &str, bad: &BadLines) -> Vec<Problem> {
    let problem = |(line, message): (u32, String)| Problem {
        severity: Severity::Error,
        code: code.to_owned(),
        path: path.to_owned(),
        place: format!("line {line}"),
        message,
        hint: hint.to_owned(),
    };
    bad.told().map(problem).collect()
}
