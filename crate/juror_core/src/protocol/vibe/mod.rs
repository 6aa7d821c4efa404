//! VIBE: edits told by a drawn instruction and a text, judged by sub-scores in three runs.
//!
//! Source: the VIBE paper and the authors' evaluation code; where the two differ, both are here.
//! Ten tasks on three levels, and two sets of combined tasks; each task has its own metrics, and a metric is one judge request.
//!
#![doc = include_str!("README.md")]

use crate::model::ability::{Ability, Demo};
use crate::model::terms::Words;
use crate::protocol::contract::Protocol;

pub mod billiards;
pub mod checker;
mod differences;
pub mod layout;
mod published;
pub mod request;
mod rows;
pub mod score;
mod tasks;
pub mod verdict;

pub use tasks::{Level, Metric, Task};

/// The VIBE protocol.
#[derive(Clone, Copy, Debug)]
pub struct Vibe;

impl Protocol for Vibe {
    fn id(&self) -> &'static str {
        "vibe"
    }

    fn title(&self) -> &'static str {
        "VIBE"
    }

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
        })
    }
}
