//! What a sample's request can be varied by: formats of references, their order, the caption, and turns.
//!
//! Source: the MultiRef paper's Table 5 and its section on formats of references.
//! Only synthetic samples are varied: a real-world request calls its pictures by number and has no caption.

use super::clauses::{Clauses, without_caption};
use super::names::{
    CAPTION as CAPTION_TEXT, CAPTION_FACTOR as CAPTION, Half, WITHOUT_CAPTION as WITHOUT,
    token_condition,
};
use super::{MultiRef, condition};
use crate::contract::Requests as _;
use crate::error::Error;
use juror_model::experiment::{Factor, FactorLevel};
use juror_model::linked::World;
use juror_model::request::{GeneratorInput, InputKey, InputMessage, PartView, Treatment};
use juror_model::sample::{Sample, Turn};
use juror_statistics::random::SplitMix64;

/// Factors with their levels, the first of which is the request as it is.
pub(super) fn factors() -> Vec<Factor> {
    vec![
        Factor::new(
            "bbox_format",
            "Ground of boxes",
            &[("ori", "as it is"), ("white", "black becomes white")],
        ),
        Factor::new(
            "depth_format",
            "Colours of depth",
            &[
                ("ori", "as it is"),
                ("color", "grey becomes the colours of Turbo"),
            ],
        ),
        Factor::new(
            "mask_format",
            "Colour of masks",
            &[
                ("ori", "as it is"),
                ("color", "white becomes a light colour"),
            ],
        ),
        Factor::new(
            "order",
            "Order of references",
            &[
                ("original", "as listed"),
                (
                    "switched",
                    "pictures and clauses reversed, the caption last",
                ),
            ],
        ),
        Factor::new(
            CAPTION,
            "Caption",
            &[("with", "told"), (WITHOUT, "left out, and not scored")],
        ),
        Factor::new(
            "packing",
            "Turns",
            &[
                ("together", "all references at once"),
                (
                    "one_per_turn",
                    "one reference a turn, the caption in the last one",
                ),
            ],
        ),
    ]
}

pub(super) fn varied_input(
    world: &World<'_>,
    key: &InputKey,
    level: &FactorLevel,
) -> Result<GeneratorInput, Error> {
    let (_, sample, _, turn) = world
        .turn(&key.sample, key.turn)
        .ok_or_else(|| Error::unknown("sample", &key.sample))?;
    if sample.category != Half::Synthetic.id() {
        return Err(Error::NotAsked(
            "It is a real-world request, which has neither typed references nor a caption."
                .to_owned(),
        ));
    }
    let input = MultiRef.generator_input(world, key)?;
    match (level.factor.as_str(), level.level.as_str()) {
        ("bbox_format", "white") => recoloured(input, sample, "bbox", &Treatment::Whitened),
        ("depth_format", "color") => recoloured(input, sample, "depth", &Treatment::Turbo),
        ("mask_format", "color") => {
            let colour = light_colour(&sample.id);
            recoloured(input, sample, "mask", &Treatment::Tinted(colour))
        }
        ("order", "switched") => switched(input, sample, turn),
        (CAPTION, WITHOUT) => uncaptioned(input, sample, turn),
        ("packing", "one_per_turn") => in_turns(input, sample, turn),
        _ => Err(Error::unknown("level", &level.level)),
    }
}

/// A colour whose channels are 128 to 255, the same for one sample wherever it is made: `SplitMix64`, seeded by the FNV-1a hash
/// of the sample's id.
fn light_colour(id: &str) -> [u8; 3] {
    let seed = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut random = SplitMix64::new(seed);
    [(); 3].map(|()| u8::try_from(128 + random.below(128)).unwrap_or(u8::MAX))
}

/// Which kind of reference a part is.
fn kind(part: &PartView, sample: &Sample) -> Option<&'static str> {
    let PartView::Image { number, .. } = part else {
        return None;
    };
    let at = (*number)?.checked_sub(1)?;
    let label = &sample.pictures.get(at as usize)?.label;
    token_condition(label.trim_matches(['<', '>']))
}

fn recoloured(
    mut input: GeneratorInput,
    sample: &Sample,
    id: &str,
    to: &Treatment,
) -> Result<GeneratorInput, Error> {
    let mut is_changed = false;
    for part in input
        .messages
        .iter_mut()
        .flat_map(|message| &mut message.parts)
    {
        if kind(part, sample) == Some(id)
            && let PartView::Image { treatment, .. } = part
        {
            *treatment = to.clone();
            is_changed = true;
        }
    }
    let label = condition(id).map_or(id, |condition| condition.label);
    is_changed
        .then_some(input)
        .ok_or_else(|| Error::NotAsked(format!("{label} is not among the sample's references.")))
}

/// The pictures of the one message, and the clauses that name them, in the order of the list.
fn cut(
    input: &GeneratorInput,
    sample: &Sample,
    turn: &Turn,
) -> Result<(Vec<PartView>, Clauses), Error> {
    let parts = input.messages.iter().flat_map(|message| &message.parts);
    let pictures: Vec<PartView> = parts
        .filter(|part| matches!(part, PartView::Image { .. }))
        .cloned()
        .collect();
    if pictures.len() < 2 {
        return Err(Error::NotAsked(
            "The sample has fewer than two reference pictures.".to_owned(),
        ));
    }
    let label = |part: &PartView| match part {
        PartView::Image {
            number: Some(number),
            ..
        } => sample.pictures.get((*number as usize).checked_sub(1)?),
        _ => None,
    };
    let tokens: Vec<&str> = pictures
        .iter()
        .map(|part| label(part).map_or("", |picture| &picture.label))
        .collect();
    let clauses = Clauses::of(&turn.instruction, caption(sample), &tokens)?;
    Ok((pictures, clauses))
}

fn caption(sample: &Sample) -> Option<&str> {
    let mut details = sample.details.iter();
    let (_, text) = details.find(|(label, _)| label == CAPTION_TEXT)?;
    sample.has_tag("condition", "caption").then_some(text)
}

/// Pictures and clauses from the last to the first, and the caption behind them.
fn switched(input: GeneratorInput, sample: &Sample, turn: &Turn) -> Result<GeneratorInput, Error> {
    let (mut pictures, clauses) = cut(&input, sample, turn)?;
    pictures.reverse();
    let texts = clauses.in_text.iter().rev().map(|(_, text)| text.as_str());
    let text = [clauses.start.as_str()].into_iter().chain(texts);
    let text: Vec<&str> = text.chain([clauses.caption.as_str()]).collect();
    pictures.push(PartView::Text {
        text: joined(&text),
    });
    Ok(GeneratorInput::one_message(pictures, input.notes))
}

fn uncaptioned(
    mut input: GeneratorInput,
    sample: &Sample,
    turn: &Turn,
) -> Result<GeneratorInput, Error> {
    let caption = caption(sample).ok_or_else(|| {
        Error::NotAsked("Caption is not among the sample's references.".to_owned())
    })?;
    let left = without_caption(&turn.instruction, caption)?.0;
    for part in input
        .messages
        .iter_mut()
        .flat_map(|message| &mut message.parts)
    {
        if let PartView::Text { text } = part {
            text.clone_from(&left);
        }
    }
    Ok(input)
}

/// A turn for each reference, in the order of the list: its picture, then its clause; the start stands in the first turn and the
/// caption in the last.
fn in_turns(input: GeneratorInput, sample: &Sample, turn: &Turn) -> Result<GeneratorInput, Error> {
    let (pictures, clauses) = cut(&input, sample, turn)?;
    let last = pictures.len() - 1;
    let messages = pictures.into_iter().enumerate().map(|(at, picture)| {
        let own = clauses.in_text.iter().find(|(of, _)| *of == at);
        let text = [
            if at == 0 { clauses.start.as_str() } else { "" },
            own.map_or("", |(_, text)| text),
            if at == last {
                clauses.caption.as_str()
            } else {
                ""
            },
        ];
        InputMessage {
            role: "user".to_owned(),
            parts: vec![
                picture,
                PartView::Text {
                    text: joined(&text),
                },
            ],
        }
    });
    Ok(GeneratorInput {
        messages: messages.collect(),
        ..input
    })
}

/// Texts that are not empty, with a space between.
fn joined(texts: &[&str]) -> String {
    let texts: Vec<&str> = texts
        .iter()
        .copied()
        .filter(|text| !text.is_empty())
        .collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_light_colour_is_light_and_belongs_to_its_sample() {
        let mut seen = Vec::new();
        for number in 0..200 {
            let colour = light_colour(&format!("synthetic/{number}"));
            assert!(colour.iter().all(|channel| *channel >= 128), "{colour:?}");
            seen.push(colour);
        }
        assert_eq!(light_colour("synthetic/7"), seen[7]);
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 190, "{}", seen.len());
    }

    #[test]
    fn every_factor_has_a_level_that_changes_something_behind_the_first() {
        for factor in factors() {
            assert_eq!(factor.levels.len(), 2, "{}", factor.id);
        }
    }
}
