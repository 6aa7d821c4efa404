//! `DuelBench`: a benchmark of this folder alone. Two pictures' worth of questions about each output: who wins against a
//! reference picture (`win`, `tie`, `loss`), and how it looks from 0 to 10.

use juror_model::ability::{Demo, Folders};
use juror_model::terms::Words;
use juror_protocols::contract::{Counting, Protocol};

pub(super) mod demo;
mod layout;
mod request;
mod rows;
mod score;
mod signs;
mod verdict;

/// The protocol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duel {
    /// What a total is at most once the duel is lost.
    pub(super) cap: f64,
}

/// As it is meant.
pub(super) const DUEL: Duel = Duel { cap: 3.0 };
/// Without its cap.
pub(super) const LENIENT: Duel = Duel { cap: 10.0 };

/// The kinds of request, each one criterion.
const KINDS: [&str; 2] = ["duel", "look"];

impl Counting for Duel {}

impl Protocol for Duel {
    fn words(&self) -> Words {
        Words {
            sample: "round".to_owned(),
            samples: "rounds".to_owned(),
            units: "rounds".to_owned(),
            domain: "theme".to_owned(),
            category: String::new(),
        }
    }

    fn demo(&self) -> Option<Demo> {
        Some(Demo {
            place: 6,
            about: "Four rounds of two models.",
            folders: Folders {
                benchmark: "rounds.duel, references/<round>.png".to_owned(),
                outputs: "outputs/<model>/<round>.png, judge-<name>.tsv".to_owned(),
                judge_texts: String::new(),
            },
        })
    }
}
