//! A sixth benchmark without code: a `juror.json` in the folder says how it is listed, judged and scored.
//!
//! The format is `juror-protocol/1`; `juror schema` prints its JSON Schema.
//! [`Declared`] without a file only finds such files; loading one gives a protocol of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{Counting, Protocol};
use juror_model::problem::Problem;
use juror_model::terms::Words;

mod declaration;
mod json;
mod keys;
mod layout;
mod pattern;
mod request;
mod rows;
mod samples;
pub mod schema;
mod signs;
mod verdict;

use declaration::Declaration;
pub use json::Keys;

/// The name of a protocol file.
pub const NAME: &str = "juror.json";

/// A protocol that a file declares.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Path of the file.
    path: String,
    /// SHA-256 over everything that replies are read by: the file's text, ids and models.
    sha256: String,
    says: Declaration,
    /// Ids of all samples.
    ids: BTreeSet<String>,
    /// Ids that are names of pictures, by what stands before the ending: files and replies may leave it out, or have another.
    by_stem: BTreeMap<String, String>,
    /// Names of the folders that hold outputs.
    models: BTreeSet<String>,
}

impl Declared {
    fn new(path: &str, says: Declaration) -> Self {
        Self {
            path: path.to_owned(),
            says,
            ..Self::finder()
        }
    }

    /// The finder of protocol files, which declares nothing itself.
    pub const fn finder() -> Self {
        Self {
            path: String::new(),
            sha256: String::new(),
            says: Declaration::nothing(),
            ids: BTreeSet::new(),
            by_stem: BTreeMap::new(),
            models: BTreeSet::new(),
        }
    }

    /// The protocol of a file, without its samples: enough to read replies.
    ///
    /// # Errors
    /// What is wrong with the file, with the JSON path.
    pub fn from_text(path: &str, text: &str) -> Result<Self, Box<Problem>> {
        Ok(Self::read_file(path, text)?.0)
    }
}

/// What a text declares.
#[cfg(test)]
pub(crate) fn of_text(text: &str) -> Declared {
    let mut found = Vec::new();
    let says = json::Json::read(text).map(|says| schema::read(&says, &mut found));
    let says = says.ok().flatten().map(|(says, _)| says);
    assert!(found.is_empty(), "{found:?}");
    Declared::new("juror.json", says.unwrap_or(Declaration::nothing()))
}

impl Counting for Declared {}

impl Protocol for Declared {
    fn declaration(&self) -> &str {
        &self.sha256
    }

    fn words(&self) -> Words {
        let group = |scope: &str| {
            let mut groupings = self.says.groupings.iter();
            let own = groupings.find(|own| own.scope == scope);
            own.map_or_else(String::new, |own| own.label.to_lowercase())
        };
        Words {
            sample: self.says.sample_word.clone(),
            samples: self.says.samples_word.clone(),
            units: self.says.samples_word.clone(),
            domain: group("domain"),
            category: group("category"),
        }
    }
}
