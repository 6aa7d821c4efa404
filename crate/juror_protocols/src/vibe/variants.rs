//! What an item's request can be varied by: how the generator is told what to do.
//!
//! Source: the VIBE paper's comparison of visual with textual instructions. Its long texts are not public: a list may have them
//! as `text_prompt.long_prompt`. The sentence that points to what is written in a picture is Juror's own.

use super::layout::LONG_TEXT;
use super::tasks::task_of;
use super::{Task, Vibe};
use crate::contract::Requests as _;
use crate::error::Error;
use juror_model::experiment::{Factor, FactorLevel};
use juror_model::linked::World;
use juror_model::request::{GeneratorInput, InputKey, PartView, Treatment};
use juror_model::sample::{Sample, Turn};

const VISUAL_SHORT: &str = "visual_short";
const VISUAL_LONG: &str = "visual_long";
const TEXT: &str = "text";
const EMBEDDED: &str = "embedded";

/// The text that a generator gets with a picture that says the rest.
const POINTER: &str = "Edit this picture as the annotations in it say.";

pub(super) fn factors() -> Vec<Factor> {
    let levels = [
        (VISUAL_SHORT, "the list’s text, with the drawn instruction"),
        (
            VISUAL_LONG,
            "the list’s long text, with the drawn instruction",
        ),
        (TEXT, "the list’s long text, with the picture as it is"),
        (
            EMBEDDED,
            "the text is written into the picture beside what is drawn",
        ),
    ];
    vec![Factor::new("told_by", "How the generator is told", &levels)]
}

pub(super) fn varied_input(
    world: &World<'_>,
    key: &InputKey,
    level: &FactorLevel,
) -> Result<GeneratorInput, Error> {
    let (_, sample, _, turn) = world
        .turn(&key.sample, key.turn)
        .ok_or_else(|| Error::unknown("sample", &key.sample))?;
    let make = match level.level.as_str() {
        VISUAL_LONG => told_at_length,
        TEXT => told_by_text,
        EMBEDDED => embedded,
        other => return Err(Error::unknown("level", other)),
    };
    if level.level != VISUAL_LONG && task_of(sample) == Some(Task::PoseControl) {
        return Err(Error::NotAsked(
            "In Pose Control the pose is a picture of its own, and no text says the same."
                .to_owned(),
        ));
    }
    let drawn = sample.pictures.iter();
    let mut drawn = drawn.filter(|picture| ["instruction", "pose"].contains(&&*picture.label));
    if drawn.next().is_none() {
        return Err(Error::NotAsked(
            "The item has no drawn instruction, so there is nothing to tell in another way."
                .to_owned(),
        ));
    }
    make(Vibe.generator_input(world, key)?, sample, turn)
}

/// The long text that the list has of an item.
fn long_text(sample: &Sample) -> Option<&str> {
    let mut details = sample.details.iter();
    let (_, text) = details.find(|(label, _)| label == LONG_TEXT)?;
    Some(text)
}

fn asked_long_text(sample: &Sample) -> Result<&str, Error> {
    long_text(sample).ok_or_else(|| {
        Error::NotAsked(
            "The list has no long text of the item: add it as text_prompt.long_prompt.".to_owned(),
        )
    })
}

fn parts(input: &mut GeneratorInput) -> impl Iterator<Item = &mut PartView> {
    let messages = input.messages.iter_mut();
    messages.flat_map(|message| &mut message.parts)
}

/// Puts this in the place of the text.
fn retold(input: &mut GeneratorInput, with: &str) {
    for part in parts(input) {
        if let PartView::Text { text } = part {
            with.clone_into(text);
        }
    }
}

fn told_at_length(
    mut input: GeneratorInput,
    sample: &Sample,
    _turn: &Turn,
) -> Result<GeneratorInput, Error> {
    retold(&mut input, asked_long_text(sample)?);
    Ok(input)
}

fn told_by_text(
    mut input: GeneratorInput,
    sample: &Sample,
    _turn: &Turn,
) -> Result<GeneratorInput, Error> {
    retold(&mut input, asked_long_text(sample)?);
    for part in parts(&mut input) {
        if let PartView::Image {
            treatment, other, ..
        } = part
        {
            *treatment = Treatment::AsIs;
            *other = None;
        }
    }
    // They are about the merged picture.
    input.notes.clear();
    Ok(input)
}

/// The long text, or the list's own where there is none, inside of the merged picture.
fn embedded(
    mut input: GeneratorInput,
    sample: &Sample,
    turn: &Turn,
) -> Result<GeneratorInput, Error> {
    let text = long_text(sample).unwrap_or(&turn.instruction).trim();
    if text.is_empty() {
        return Err(Error::NotAsked(
            "The list has no text of the item that could be written into the picture.".to_owned(),
        ));
    }
    let mut is_written = false;
    for part in parts(&mut input) {
        if let PartView::Image { treatment, .. } = part
            && *treatment == Treatment::Merged
        {
            *treatment = Treatment::Embedded(text.to_owned());
            is_written = true;
        }
    }
    if !is_written {
        return Err(Error::NotAsked(
            "The picture or its drawn instruction is not among the files; open the folder that holds them as well."
                .to_owned(),
        ));
    }
    retold(&mut input, POINTER);
    // They are about the merged picture.
    input.notes.clear();
    input.notes.push(match long_text(sample) {
        Some(_) => "The list’s long text is written into the picture.".to_owned(),
        None => {
            "The list’s own text is written into the picture, as it has no long one.".to_owned()
        }
    });
    Ok(input)
}
