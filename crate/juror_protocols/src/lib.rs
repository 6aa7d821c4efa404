#![doc = include_str!("../README.md")]
//!
//! What all protocols have in common: samples with turns, models with outputs, replies with two readings.
//!
//! Each protocol is one folder with `layout.rs` (files → samples), `request.rs`, `verdict.rs` and `score.rs`;
//! it offers itself to the session through [`Protocol`](contract::Protocol) and nothing else.

use std::collections::HashSet;

use juror_model::incident::IncidentKind;
use juror_model::score::{JudgeScores, Unit};

pub mod atoms;
pub mod contract;
pub mod declared;
pub mod error;
pub mod findings;
#[cfg(feature = "counting")]
pub mod labels;
pub mod micon;
pub mod multibanana;
pub mod multiref;
mod output;
#[cfg(feature = "counting")]
mod printed;
pub mod published;
pub mod recognition;
pub mod registry;
pub mod reply;
pub mod resolve;
pub mod table;
pub mod thoughts;
pub mod tolerant;
pub mod vibe;
pub mod weave;

/// The units of a model's judges with an incident; what befell an output is given once, however many of them would have rated
/// it.
pub fn units_with_incidents<'a>(
    judges: impl Iterator<Item = &'a JudgeScores>,
) -> impl Iterator<Item = (&'a Unit, IncidentKind)> {
    let mut seen = HashSet::new();
    let units = judges.flat_map(|judge| &judge.units);
    units.filter_map(move |unit| {
        let kind = unit.incident?;
        let place = (unit.sample, unit.turn, unit.criterion, unit.run);
        (!kind.is_of_output() || seen.insert(place)).then_some((unit, kind))
    })
}
