//! By what the authors' folder is known: lists that are named after their tasks.

use super::{Vibe, layout};
use crate::contract::Signs;
use juror_model::sample::Candidate;
use juror_model::tree::FileTree;

impl Signs for Vibe {
    fn id(&self) -> &'static str {
        "vibe"
    }

    fn title(&self) -> &'static str {
        "VIBE"
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        layout::candidates(tree)
    }
}
