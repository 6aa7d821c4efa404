//! Findings about files: what is wrong where, and the mend.

use serde::{Deserialize, Serialize};

/// A finding about the files themselves, with the place and the mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Stable code: `bad_json`, `bad_item`, `bad_line`, `bad_path`, `missing_picture`, `not_a_picture`, …
    pub code: String,
    /// Path of the file, as it was given.
    pub path: String,
    /// Place in the file: `line 12, column 3`, `item 50, chats[3].key_point`; empty where the whole file is meant.
    pub place: String,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it; empty where nothing can be done.
    pub hint: String,
}

impl Problem {
    /// A finding at a place of a file; both are empty where it is about all of them.
    pub fn new(
        path: &str,
        (code, severity): (&str, Severity),
        place: String,
        message: String,
        hint: &str,
    ) -> Self {
        Self {
            severity,
            code: code.to_owned(),
            path: path.to_owned(),
            place,
            message,
            hint: hint.to_owned(),
        }
    }

    /// Where it is, what it is and what to do, in one line.
    pub fn words(&self) -> String {
        let Self {
            path,
            place,
            message,
            hint,
            ..
        } = self;
        let comma = if path.is_empty() || place.is_empty() {
            ""
        } else {
            ", "
        };
        let colon = if path.is_empty() && place.is_empty() {
            ""
        } else {
            ": "
        };
        let line = [path, comma, place, colon, message, " ", hint].concat();
        line.trim_end().to_owned()
    }
}

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something could not be read and is missing from the numbers.
    Error,
    /// The numbers stand, but somebody should look.
    Warning,
    /// Worth knowing.
    Note,
}

/// One kind of finding that could change a number, in one line: every host shows it with its numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "FindingInShort")
)]
pub struct Notice {
    /// How bad it is.
    pub severity: Severity,
    /// Stable code of its findings.
    pub code: String,
    /// How many findings there are of this kind.
    pub count: u32,
    /// The first of them in words.
    pub text: String,
}

/// One line for each kind of finding that could change a number: notes could not.
pub fn in_short<'a>(problems: impl IntoIterator<Item = &'a Problem>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    for problem in problems {
        if problem.severity == Severity::Note {
            continue;
        }
        if let Some(known) = notices.iter_mut().find(|one| one.code == problem.code) {
            known.count += 1;
            continue;
        }
        notices.push(Notice {
            severity: problem.severity,
            code: problem.code.clone(),
            count: 1,
            text: problem.words(),
        });
    }
    notices
}
