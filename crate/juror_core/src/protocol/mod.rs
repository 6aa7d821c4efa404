//! What all protocols have in common: samples with turns, models with outputs, replies with two readings.
//!
//! Each protocol is one folder with `layout.rs` (files → samples), `request.rs`, `verdict.rs` and `score.rs`;
//! it offers itself to the session through [`Protocol`](contract::Protocol) and nothing else.

use std::collections::HashSet;

use crate::model::incident::IncidentKind;
use crate::model::score::{JudgeScores, Unit};

pub mod contract;
pub mod declared;
mod findings;
pub mod micon;
pub mod multibanana;
pub mod multiref;
pub mod published;
pub mod registry;
pub(crate) mod reply;
pub mod resolve;
pub mod table;
pub mod vibe;
pub mod weave;

/// The units of a model's judges with an incident; what befell an output is given once, however many of them would have rated
/// it.
pub(crate) fn units_with_incidents<'a>(
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
