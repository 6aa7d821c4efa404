//! What a set's request can be varied by: what it puts first.
//!
//! Source: the MultiBanana paper's Table 15, which tells of three prompts and prints none; the sentences are Juror's own.

use super::MultiBanana;
use crate::contract::Requests as _;
use crate::error::Error;
use juror_model::experiment::{Factor, FactorLevel};
use juror_model::linked::World;
use juror_model::request::{GeneratorInput, InputKey, PartView};

const NONE: &str = "none";
const REFERENCE: &str = "reference";
const MATCH: &str = "match";

/// The sentence that a level adds behind the instruction.
fn sentence(level: &str) -> Option<&'static str> {
    Some(match level {
        REFERENCE => {
            "Above all, keep whatever is taken from a reference picture exactly as it looks there."
        }
        MATCH => {
            "Above all, make whatever is taken from a reference picture fit the background in light, size and style."
        }
        _ => return None,
    })
}

pub(super) fn factors() -> Vec<Factor> {
    let levels = [
        (NONE, "the instruction as it is"),
        (
            REFERENCE,
            "a sentence behind it puts faithful references first",
        ),
        (
            MATCH,
            "a sentence behind it puts a good fit to the background first",
        ),
    ];
    vec![Factor::new(
        "priority",
        "What the prompt puts first",
        &levels,
    )]
}

pub(super) fn varied_input(
    world: &World<'_>,
    key: &InputKey,
    level: &FactorLevel,
) -> Result<GeneratorInput, Error> {
    let added = sentence(&level.level).ok_or_else(|| Error::unknown("level", &level.level))?;
    let mut input = MultiBanana.generator_input(world, key)?;
    let parts = input
        .messages
        .iter_mut()
        .flat_map(|message| &mut message.parts);
    for part in parts {
        if let PartView::Text { text } = part {
            *text = format!("{} {added}", text.trim_end());
        }
    }
    Ok(input)
}
