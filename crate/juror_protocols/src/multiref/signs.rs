//! By what the authors' folder is known: lists under the names of their releases, and how any list begins.

use super::{MultiRef, layout};
use crate::contract::Signs;
use juror_model::sample::Candidate;
use juror_model::tree::FileTree;

impl Signs for MultiRef {
    fn id(&self) -> &'static str {
        "multiref"
    }

    fn title(&self) -> &'static str {
        "MultiRef-Bench"
    }

    fn is_told_by_texts(&self) -> bool {
        true
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        layout::candidates(tree)
    }

    fn is_begun_by(&self, head: &str) -> bool {
        layout::is_begun_by(head)
    }
}
