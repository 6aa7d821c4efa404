//! MultiRef-Bench: 1,000 real-world requests and 990 synthetic samples with typed references.
//!
//! Source: the MultiRef paper and the authors' evaluation code (`eval/`, `conditions/`).
//! The code computes the reference metrics and has no judge; the paper has a judge and prints no prompt for it.
//!
#![doc = include_str!("README.md")]

use crate::contract::Protocol;
use juror_model::ability::{Ability, Demo, Folders};
pub use juror_model::terms::Direction;
use juror_model::terms::Words;

mod atoms;
#[cfg(feature = "counting")]
mod clauses;
mod conditions;
#[cfg(feature = "counting")]
mod counting;
mod differences;
pub mod evaluator;
pub mod instructions;
pub mod layout;
pub mod names;
mod published;
pub mod request;
mod rows;
pub mod score;
mod signs;
#[cfg(feature = "counting")]
mod variants;
pub mod verdict;

/// The MultiRef-Bench protocol.
#[derive(Clone, Copy, Debug)]
pub struct MultiRef;

/// The request kind that a judge answers; every metric is a kind of its own.
pub const REQUEST: &str = "judge";

/// The judge id of the authors' evaluator, which computes the metrics.
pub const EVALUATOR: &str = "evaluator";

/// A kind of reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Id in the authors' files.
    pub id: &'static str,
    /// Key of its path in `conditions`.
    pub key: &'static str,
    /// Name in an instruction, without the angle brackets; empty for the caption, which is appended as text.
    pub token: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What the authors' evaluator measures.
    pub metric: &'static str,
    /// Whether 0 is best: an error, which the average takes as `1 − x`.
    pub direction: Direction,
}

/// The ten kinds of reference, in the order of the paper's Table 4.
pub const CONDITIONS: [Condition; 10] = [
    Condition {
        id: "bbox",
        key: "bbox_path",
        token: "bbox_image",
        label: "Bounding box",
        metric: "intersection over union of two boxes",
        direction: Direction::Up,
    },
    Condition {
        id: "semantic_map",
        key: "semantic_map_path",
        token: "semantic_image",
        label: "Semantic map",
        metric: "mean intersection over union of matched regions",
        direction: Direction::Up,
    },
    Condition {
        id: "mask",
        key: "mask_path",
        token: "mask_image",
        label: "Mask",
        metric: "intersection over union of two masks",
        direction: Direction::Up,
    },
    Condition {
        id: "depth",
        key: "depth_path",
        token: "depth_image",
        label: "Depth",
        metric: "mean squared error of two depth maps",
        direction: Direction::Down,
    },
    Condition {
        id: "canny",
        key: "canny_path",
        token: "canny_image",
        label: "Canny edges",
        metric: "mean squared error of two edge maps",
        direction: Direction::Down,
    },
    Condition {
        id: "sketch",
        key: "sketch_path",
        token: "sketch_image",
        label: "Sketch",
        metric: "mean squared error of two sketches",
        direction: Direction::Down,
    },
    Condition {
        id: "caption",
        key: "caption",
        token: "",
        label: "Caption",
        metric: "CLIP similarity of picture and caption",
        direction: Direction::Up,
    },
    Condition {
        id: "pose",
        key: "pose_path",
        token: "pose_image",
        label: "Pose",
        metric: "precision times recall of painted skeleton pixels",
        direction: Direction::Up,
    },
    Condition {
        id: "subject",
        key: "subject_paths",
        token: "subject_1",
        label: "Subject",
        metric: "CLIP similarity of two pictures",
        direction: Direction::Up,
    },
    Condition {
        id: "style",
        key: "style_path",
        token: "style_image",
        label: "Art style",
        metric: "CLIP similarity of two pictures",
        direction: Direction::Up,
    },
];

/// What is measured without a reference; neither enters the average.
pub const WITHOUT_REFERENCE: [&str; 2] = ["fid", "aesthetics"];

/// What the judge rates from 1 to 5: image quality, instruction following, source fidelity.
pub const JUDGED: [&str; 3] = ["IQ", "IF", "SF"];

/// The five kinds of real-world request, in the order of the paper's Table 11, with their numbers in the authors' taxonomy.
pub const CATEGORIES: [(&str, u32); 5] = [
    ("Element Addition", 2),
    ("Spatial/Environment Modifications", 4),
    ("Element Replacement", 1),
    ("Attribute Transfer", 5),
    ("Style and Appearance Modifications", 3),
];

/// The condition of this id.
pub fn condition(id: &str) -> Option<&'static Condition> {
    CONDITIONS.iter().find(|condition| condition.id == id)
}

#[cfg(not(feature = "counting"))]
impl crate::contract::Counting for MultiRef {}

impl Protocol for MultiRef {
    fn words(&self) -> Words {
        Words {
            sample: "sample".to_owned(),
            samples: "samples".to_owned(),
            units: "samples".to_owned(),
            domain: "kind".to_owned(),
            category: "subset".to_owned(),
        }
    }

    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Conditions]
    }

    fn demo(&self) -> Option<Demo> {
        Some(Demo {
            place: 5,
            about: "Samples with typed references, measured by an evaluator and rated by a judge.",
            folders: Folders {
                benchmark: "a JSON list with conditions and instructions, images/".to_owned(),
                outputs: "the same list with results and evaluations".to_owned(),
                judge_texts: String::new(),
            },
        })
    }
}
