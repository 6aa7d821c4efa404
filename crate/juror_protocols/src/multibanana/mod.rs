//! MultiBanana: 36 task types with one to eight references; a judge gives five whole numbers from 1 to 10.
//!
//! Source: the MultiBanana paper and the authors' `judge.py` and `qwenvl_judge.py`; where they differ, all are here.
//!
#![doc = include_str!("README.md")]

use crate::contract::Protocol;
use juror_model::ability::{Ability, Demo, Folders};
use juror_model::terms::Words;

mod atoms;
#[cfg(feature = "counting")]
mod counting;
mod differences;
pub mod layout;
mod published;
pub mod request;
mod rows;
pub mod score;
mod signs;
#[cfg(feature = "counting")]
mod variants;
pub mod verdict;

/// The MultiBanana protocol.
#[derive(Clone, Copy, Debug)]
pub struct MultiBanana;

/// The five criteria as the judge's reply spells them, in the order of all five-number arrays here.
pub const LABELS: [&str; 5] = [
    "Instruction Alignment",
    "Reference Consistency",
    "Background-Subject Match",
    "Physical Realism",
    "Visual Quality",
];

/// Criterion ids: the authors' column names in lower case.
pub const CRITERIA: [&str; 5] = [
    "instruction_alignment",
    "reference_consistency",
    "background_subject_match",
    "physical_realism",
    "visual_quality",
];

/// The one request kind: a judge rates all five criteria in one reply.
pub const REQUEST: &str = "judge";

/// Lower end of the judge's scale.
pub const MIN_SCORE: f64 = 1.0;
/// Upper end of the judge's scale.
pub const MAX_SCORE: f64 = 10.0;

/// The judges whose replies the paper's tables average.
pub const PAPER_JUDGES: [&str; 2] = ["gemini", "gpt"];

#[cfg(not(feature = "counting"))]
impl crate::contract::Counting for MultiBanana {}

impl Protocol for MultiBanana {
    fn words(&self) -> Words {
        Words {
            sample: "set".to_owned(),
            samples: "sets".to_owned(),
            units: "sets".to_owned(),
            domain: "task".to_owned(),
            category: "family".to_owned(),
        }
    }

    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Agents]
    }

    fn demo(&self) -> Option<Demo> {
        Some(Demo {
            place: 2,
            about: "Sets of one to eight references, by two judges, with outputs that agents made in loops.",
            folders: Folders {
                benchmark: "<task>/NNN_0.jpg, NNN_prompt.txt, types.json".to_owned(),
                outputs: "NNN_generated.png, NNN_gemini_judge.txt".to_owned(),
                judge_texts: "judge.py".to_owned(),
            },
        })
    }
}
