//! WEAVEBench: 100 multi-turn dialogues in which every answer is a picture or a text.
//!
//! Source: the WEAVE paper and the authors' evaluation code (`eval/`); where the two differ, both are here.
//!
#![doc = include_str!("README.md")]

use crate::contract::Protocol;
use juror_model::ability::{Ability, Demo, Folders};
use juror_model::terms::Words;

mod atoms;
#[cfg(feature = "counting")]
mod counting;
pub mod layout;
mod published;
pub mod request;
mod rows;
pub mod score;
mod signs;
#[cfg(feature = "counting")]
mod variants;
pub mod verdict;

/// The WEAVEBench protocol.
#[derive(Clone, Copy, Debug)]
pub struct Weave;

/// Key point: are the requirements met?
pub const KP: u16 = 0;
/// Visual consistency: did the rest stay as it was?
pub const VC: u16 = 1;
/// Image quality.
pub const IQ: u16 = 2;
/// Accuracy of a text answer.
pub const ACC: u16 = 3;

/// Criterion ids as the authors' files spell them, in the order of the constants above.
pub const CRITERIA: [&str; 4] = [
    "key_point",
    "visual_consistency",
    "image_quality",
    "accuracy",
];

/// The names of the authors' prompt constants, in the same order.
pub const PROMPT_NAMES: [&str; 4] = [
    "prompt_keypoint_checklist",
    "prompt_visual_consistency",
    "prompt_image_quality",
    "prompt_txt_acc",
];

/// The domains of each category, as the authors' summary groups them.
pub const CATEGORIES: [(&str, &[&str]); 4] = [
    (
        "Science",
        &[
            "optics",
            "geography",
            "astronomy",
            "chemistry",
            "physics",
            "biology",
        ],
    ),
    ("Creation", &["edit", "recall", "fusion", "story"]),
    ("Logic", &["spatial", "mathematics"]),
    (
        "Game",
        &["chess_game", "visual_jigsaw", "minecraft", "maze"],
    ),
];

/// The category of a domain; empty for a domain outside the table.
pub fn category_of(domain: &str) -> &'static str {
    CATEGORIES
        .iter()
        .find(|(_, domains)| domains.contains(&domain))
        .map_or("", |(category, _)| category)
}

#[cfg(not(feature = "counting"))]
impl crate::contract::Counting for Weave {}

impl Protocol for Weave {
    fn words(&self) -> Words {
        Words {
            sample: "dialogue".to_owned(),
            samples: "dialogues".to_owned(),
            units: "turns".to_owned(),
            domain: "domain".to_owned(),
            category: "category".to_owned(),
        }
    }

    fn abilities(&self) -> &'static [Ability] {
        &[Ability::ListedGroups]
    }

    fn demo(&self) -> Option<Demo> {
        Some(Demo {
            place: 1,
            about: "Dialogues of several turns, in which each answer is a picture or a text.",
            folders: Folders {
                benchmark: "test/test.json, test/imgs/".to_owned(),
                outputs: "result/<model>/imgs/, metrics.jsonl".to_owned(),
                judge_texts: "eval/prompts.py".to_owned(),
            },
        })
    }
}
