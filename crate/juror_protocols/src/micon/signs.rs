//! By what the authors' folder is known: case cards in `<task>/cases/`.

use super::{Micon, layout};
use crate::contract::Signs;
use juror_model::sample::Candidate;
use juror_model::tree::FileTree;

impl Signs for Micon {
    fn id(&self) -> &'static str {
        "micon"
    }

    fn title(&self) -> &'static str {
        "MICON-Bench"
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        layout::candidates(tree)
    }
}
