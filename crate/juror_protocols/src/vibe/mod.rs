//! VIBE: edits told by a drawn instruction and a text, judged by sub-scores in three runs.
//!
//! Source: the VIBE paper and the authors' evaluation code; where the two differ, both are here.
//! Ten tasks on three levels, and two sets of combined tasks; each task has its own metrics, and a metric is one judge request.
//!
#![doc = include_str!("README.md")]

use crate::contract::Protocol;
use juror_model::ability::{Ability, Demo, Folders};
use juror_model::terms::Words;

mod atoms;
pub use juror_billiards as billiards;
pub mod checker;
#[cfg(feature = "counting")]
mod counting;
mod differences;
#[cfg(feature = "counting")]
mod labels;
pub mod layout;
mod published;
pub mod request;
mod rows;
mod rules;
pub mod score;
mod signs;
mod slices;
mod tasks;
#[cfg(feature = "counting")]
mod variants;
pub mod verdict;

pub use tasks::{Level, Metric, Task};

/// The VIBE protocol.
#[derive(Clone, Copy, Debug)]
pub struct Vibe;

#[cfg(not(feature = "counting"))]
impl crate::contract::Counting for Vibe {}

impl Protocol for Vibe {
    fn words(&self) -> Words {
        Words {
            sample: "item".to_owned(),
            samples: "items".to_owned(),
            units: "items".to_owned(),
            domain: "task".to_owned(),
            category: "level".to_owned(),
        }
    }

    fn abilities(&self) -> &'static [Ability] {
        &[Ability::MadeCases]
    }

    fn demo(&self) -> Option<Demo> {
        Some(Demo {
            place: 4,
            about: "Edits that a drawing asks for, judged by sub-scores in three runs, with billiards made by a procedure.",
            folders: Folders {
                benchmark: "Tasks/Level-*/<task>/*.json, Common_Corpus/".to_owned(),
                outputs: "<model>/Level-*/<task>/<task>_results*.json, imgs/".to_owned(),
                judge_texts: "prompt/".to_owned(),
            },
        })
    }
}
