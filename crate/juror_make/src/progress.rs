//! How far a project is, as a table.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// One line of the table: a kind of thing and how many of it got how far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeProgressRow")
)]
pub struct ProgressRow {
    /// What is counted: a type of reference, a combination, a task.
    pub group: String,
    /// How many are to be.
    pub drawn: u32,
    /// How many are there.
    pub made: u32,
    /// How many a program or a model let pass.
    pub passed: u32,
    /// How many are in.
    pub accepted: u32,
    /// Why others are out, with how many.
    pub rejected: Vec<(String, u32)>,
}

impl ProgressRow {
    /// An empty line.
    pub fn of(group: &str) -> Self {
        Self {
            group: group.to_owned(),
            ..Self::default()
        }
    }

    /// Counts one that is out, by its reason.
    pub fn reject(&mut self, reason: &str) {
        match self.rejected.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => self.rejected.push((reason.to_owned(), 1)),
        }
    }
}

/// Calls that are due, by what they are for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeDue")
)]
pub struct Due {
    /// As in a request.
    pub kind: String,
    /// How many.
    pub count: u32,
}

/// How far a project is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeProgress")
)]
pub struct Progress {
    /// The table.
    pub rows: Vec<ProgressRow>,
    /// Calls that are due.
    pub due: Vec<Due>,
    /// What holds the project up besides, and what came out otherwise than asked, in sentences.
    pub remarks: Vec<String>,
    /// Samples that are in the benchmark's files as they are now.
    pub samples: u32,
}

impl Progress {
    /// The table as Markdown, then what is due, then the remarks.
    pub fn markdown(&self) -> String {
        let mut out = String::from(
            "| group | drawn | made | passed | accepted | rejected |\n|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let reasons = row.rejected.iter();
            let reasons: Vec<String> = reasons
                .map(|(reason, count)| format!("{reason} {count}"))
                .collect();
            let [drawn, made, passed, accepted] = [row.drawn, row.made, row.passed, row.accepted];
            let group = juror_reading::escape::markdown(&row.group);
            let reasons = juror_reading::escape::markdown(&reasons.join(", "));
            let _ = writeln!(
                out,
                "| {group} | {drawn} | {made} | {passed} | {accepted} | {reasons} |"
            );
        }
        for due in &self.due {
            let _ = write!(out, "\nDue: {} × {}.", due.count, due.kind);
        }
        for remark in &self.remarks {
            let _ = write!(out, "\n{remark}");
        }
        let samples = self.samples;
        // Writing to a text never fails.
        let _ = writeln!(out, "\nSamples in the benchmark's files: {samples}.");
        out
    }
}

/// Calls counted by what they are for, in the order in which each kind comes first.
pub(crate) fn due_of(requests: &[crate::Request]) -> Vec<Due> {
    let mut found: Vec<Due> = Vec::new();
    for request in requests {
        match found.iter_mut().find(|due| due.kind == request.kind) {
            Some(due) => due.count += 1,
            None => found.push(Due {
                kind: request.kind.clone(),
                count: 1,
            }),
        }
    }
    found
}
