//! What a turn's request can be varied by: how much of its dialogue is given, whose pictures, and how they are put together.
//!
//! Source: the WEAVE paper's Figure 6, whose bars are the levels. Its parts (b) and (c) vary requests that have pictures of the
//! dialogue before them, so that the request as it is stands beside their levels as one of its own.

use super::Weave;
use crate::contract::Requests as _;
use crate::error::Error;
use juror_model::experiment::{Factor, FactorLevel};
use juror_model::linked::World;
use juror_model::request::{Context, GeneratorInput, Given, InputKey, Packing};

/// One level: its id, what it does, and what of the dialogue is given in which way.
type Level = (&'static str, &'static str, Context, Packing, Given);

/// What of the dialogue is given; the first level is the request as it is.
const CONTEXT: [Level; 6] = [
    (
        "no",
        "pictures of this message, from the data set",
        Context::No,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "partial",
        "the same, the model’s own where it made them",
        Context::Partial,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "complete",
        "all pictures so far, the model’s own where it made them",
        Context::Complete,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "complete-gt",
        "all pictures so far, from the data set",
        Context::CompleteDataset,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "yes-front",
        "the whole dialogue, all pictures before the first message",
        Context::Complete,
        Packing::YesFront,
        Given::Apart,
    ),
    (
        "yes-first",
        "the whole dialogue, each picture at its first mention",
        Context::Complete,
        Packing::YesFirst,
        Given::Apart,
    ),
];

/// Whose pictures the dialogue before a turn has.
const HISTORY: [Level; 3] = [
    (
        "none",
        "pictures of this message alone, from the data set",
        Context::No,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "own",
        "all pictures so far, the model’s own where it made them",
        Context::Complete,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "golden",
        "all pictures so far, from the data set",
        Context::CompleteDataset,
        Packing::Separate,
        Given::Apart,
    ),
];

/// How pictures and texts are put together.
const PACKING: [Level; 5] = [
    (
        "separate",
        "pictures of this message, then its text",
        Context::No,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "sequence",
        "all pictures so far one by one, then the text",
        Context::Complete,
        Packing::Separate,
        Given::Apart,
    ),
    (
        "concatenated",
        "the same pictures as one numbered row",
        Context::Complete,
        Packing::Separate,
        Given::OneRow,
    ),
    (
        "yes-front",
        "the whole dialogue, all pictures before the first message",
        Context::Complete,
        Packing::YesFront,
        Given::Apart,
    ),
    (
        "yes-first",
        "the whole dialogue, each picture at its first mention",
        Context::Complete,
        Packing::YesFirst,
        Given::Apart,
    ),
];

/// Factors by id, each with its label and levels.
const FACTORS: [(&str, &str, &[Level]); 3] = [
    ("context", "What of the dialogue is given", &CONTEXT),
    ("history", "Whose pictures came before", &HISTORY),
    ("packing", "How pictures and texts are packed", &PACKING),
];

pub(super) fn factors() -> Vec<Factor> {
    let factor = |(id, label, levels): (&str, &str, &[Level])| {
        let levels: Vec<(&str, &str)> =
            levels.iter().map(|(id, about, ..)| (*id, *about)).collect();
        Factor::new(id, label, &levels)
    };
    FACTORS.map(factor).into()
}

/// Whether the model's own pictures are among those of a level.
#[cfg(feature = "generating")]
pub(super) fn shows_own_outputs(level: &FactorLevel) -> bool {
    let levels = FACTORS.iter().filter(|(id, ..)| *id == level.factor);
    let mut found = levels.flat_map(|(.., levels)| levels.iter());
    found.any(|(id, _, context, ..)| {
        *id == level.level && matches!(context, Context::Partial | Context::Complete)
    })
}

pub(super) fn varied_input(
    world: &World<'_>,
    key: &InputKey,
    level: &FactorLevel,
) -> Result<GeneratorInput, Error> {
    let factor = FACTORS.iter().find(|(id, ..)| *id == level.factor);
    let (.., levels) = factor.ok_or_else(|| Error::unknown("factor", &level.factor))?;
    let found = levels.iter().find(|(id, ..)| *id == level.level);
    let (.., context, packing, given) =
        found.ok_or_else(|| Error::unknown("level", &level.level))?;
    let key = InputKey {
        context: *context,
        packing: *packing,
        ..key.clone()
    };
    let mut input = Weave.generator_input(world, &key)?;
    input.given = *given;
    Ok(input)
}
