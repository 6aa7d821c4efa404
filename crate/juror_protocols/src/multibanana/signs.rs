//! By what the authors' folder is known: prompts in folders of tasks.

use super::{MultiBanana, layout};
use crate::contract::Signs;
use juror_model::sample::Candidate;
use juror_model::tree::FileTree;

impl Signs for MultiBanana {
    fn id(&self) -> &'static str {
        "multibanana"
    }

    fn title(&self) -> &'static str {
        "MultiBanana"
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        layout::candidates(tree)
    }
}
