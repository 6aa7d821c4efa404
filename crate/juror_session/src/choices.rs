//! What the user chose, for another session that takes the place of one with the same files.

use serde::{Deserialize, Serialize};

use super::state::Session;

/// What the user chose, or sees without having chosen it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// Path of the file that represents the benchmark which the user chose.
    pub chosen: Option<String>,
    /// The same of the benchmark that is shown.
    pub shown: Option<String>,
    /// Hash of the prompt pack in use.
    pub prompts: String,
}

/// What the user chose, or sees without having chosen it.
pub fn choices(session: &Session) -> Choices {
    let loader = &session.loader;
    let list = loader.candidate.as_ref().map(|found| found.candidate.list);
    let shown = loader.benchmark.as_ref().and(list);
    Choices {
        chosen: loader.chosen.clone(),
        shown: shown.map(|list| loader.tree.path(list).to_owned()),
        prompts: loader.packs[loader.pack].info.sha256.clone(),
    }
}
