//! A prompt with placeholders → the parts of a judge request, and what a generator is given.

use super::Declared;
use crate::contract::Requests;
use crate::error::Error;
use crate::output;
use juror_model::linked::World;
use juror_model::prompt::PromptPack;
use juror_model::request::{Draft, GeneratorInput, InputKey, PartView, RequestKey, Treatment};
use juror_model::sample::{Picture, Sample, Turn};
use juror_model::terms::RequestInfo;
use juror_model::tree::join;

impl Requests for Declared {
    fn requests(&self) -> Vec<RequestInfo> {
        let last = self.says.requests.len().saturating_sub(1);
        let requests = self.says.requests.iter().enumerate();
        requests
            .map(|(at, request)| {
                let own = request.criteria.iter();
                let own = own.map(|criterion| self.says.criteria[*criterion].id.clone());
                // The total is known once the last one is answered.
                let total = (at == last).then(|| "total".to_owned());
                RequestInfo {
                    id: request.id.clone(),
                    short: request.short.clone(),
                    label: request.label.clone(),
                    criteria: own.chain(total).collect(),
                }
            })
            .collect()
    }

    fn requests_of(&self, _sample: &Sample, _turn: &Turn) -> Vec<&str> {
        let requests = self.says.requests.iter();
        requests.map(|request| request.id.as_str()).collect()
    }

    /// The judge texts of a protocol file: what its own requests ask with.
    fn built_in_pack(&self) -> PromptPack {
        let requests = self.says.requests.iter();
        let texts = requests.filter_map(|request| {
            let (text, _) = request.prompt.as_ref()?;
            Some((request.id.clone(), text.clone()))
        });
        PromptPack::found(&self.path, texts.collect(), &[])
    }

    /// The request about one sample of one model.
    fn request(
        &self,
        world: &World<'_>,
        _pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error> {
        let word = &self.says.sample_word;
        let (_, sample, slot, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown(word, &key.sample))?;
        let mut requests = self.says.requests.iter();
        let request = requests
            .find(|request| request.id == key.criterion)
            .ok_or_else(|| Error::unknown("request", &key.criterion))?;
        let Some((_, pieces)) = &request.prompt else {
            return Err(Error::NoPrompt(format!(
                "{} has no prompt for the request {}.",
                self.path, key.criterion
            )));
        };
        let mut draft = Draft::default();
        for (number, picture) in (1..).zip(&sample.pictures) {
            if picture.file.is_none() {
                draft.notes.push(format!(
                    "{} (reference {number}) is missing, so the judge would not see it.",
                    join(&world.benchmark.folder, &picture.path)
                ));
            }
        }
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(own) => text.push_str(own),
                Piece::Instruction => text.push_str(&turn.instruction),
                Piece::Id => text.push_str(&sample.id),
                Piece::Tag(tag) => text.push_str(&tag_text(sample, tag, word)?),
                Piece::References => {
                    let pictures = (1..).zip(&sample.pictures);
                    let parts = pictures.map(|(number, picture)| reference(world, picture, number));
                    push_pictures(&mut draft, &mut text, parts);
                }
                &Piece::Reference(number) => {
                    let at = usize::try_from(number - 1).unwrap_or(usize::MAX);
                    let picture = sample.pictures.get(at).ok_or_else(|| {
                        Error::MissingFile(format!(
                            "The prompt shows reference {number}, and this {word} has {}.",
                            sample.pictures.len()
                        ))
                    })?;
                    let part = reference(world, picture, number);
                    push_pictures(&mut draft, &mut text, [part]);
                }
                Piece::Output => {
                    let part = output(world, key, slot, &turn.output_name, &mut draft.notes);
                    push_pictures(&mut draft, &mut text, [part]);
                }
            }
        }
        push_pictures(&mut draft, &mut text, []);
        Ok(draft)
    }

    /// What a generator is given: the references, then the instruction.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
        let (_, sample, _, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown(&self.says.sample_word, &key.sample))?;
        let pictures = (1..).zip(&sample.pictures);
        let mut parts: Vec<PartView> = pictures
            .map(|(number, picture)| reference(world, picture, number))
            .collect();
        parts.push(PartView::Text {
            text: turn.instruction.clone(),
        });
        Ok(GeneratorInput::one_message(parts, Vec::new()))
    }
}

/// One piece of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text as it is.
    Text(String),
    /// The sample's instruction.
    Instruction,
    /// The sample's id.
    Id,
    /// The values of a tag.
    Tag(String),
    /// All references in order.
    References,
    /// One reference, from 1.
    Reference(u32),
    /// The picture that is judged.
    Output,
}

/// Divides a prompt at its placeholders.
///
/// A word in braces is a placeholder; in double braces it is itself in single ones. Other braces are text, as JSON has many.
///
/// # Errors
/// The word in braces that is none.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, Error> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(word) = rest.strip_prefix("{{").and_then(word) {
            if rest[2 + word.len()..].starts_with("}}") {
                plain.push_str(&rest[1..word.len() + 3]);
                rest = &rest[word.len() + 4..];
                continue;
            }
            plain.push('{');
            rest = &rest[1..];
            continue;
        }
        let Some(word) = word(&rest[1..]) else {
            plain.push('{');
            rest = &rest[1..];
            continue;
        };
        let piece =
            piece(word).ok_or_else(|| Error::unknown("placeholder", &format!("{{{word}}}")))?;
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(piece);
        rest = &rest[word.len() + 2..];
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// The word before the next closing brace, if it looks like a placeholder's.
fn word(text: &str) -> Option<&str> {
    let (word, _) = text.split_once('}')?;
    let is_fit = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let starts = word.starts_with(char::is_alphabetic);
    (starts && word.chars().all(is_fit)).then_some(word)
}

fn piece(word: &str) -> Option<Piece> {
    let piece = match word {
        "instruction" => Piece::Instruction,
        "id" => Piece::Id,
        "references" => Piece::References,
        "output" => Piece::Output,
        _ => {
            if let Some(tag) = word.strip_prefix("tags.").filter(|tag| !tag.is_empty()) {
                Piece::Tag(tag.to_owned())
            } else {
                let number = word.strip_prefix("reference.")?.parse().ok();
                Piece::Reference(number.filter(|number| *number > 0)?)
            }
        }
    };
    Some(piece)
}

/// Ends the text so far and lets pictures follow.
fn push_pictures(
    draft: &mut Draft,
    text: &mut String,
    pictures: impl IntoIterator<Item = PartView>,
) {
    if !text.is_empty() {
        let text = std::mem::take(text);
        draft.parts.push(PartView::Text { text });
    }
    draft.parts.extend(pictures);
}

/// The values of a tag, parted by commas.
fn tag_text(sample: &Sample, tag: &str, word: &str) -> Result<String, Error> {
    let values = sample.tags.iter().filter(|(own, _)| own == tag);
    let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
    if values.is_empty() {
        return Err(Error::NoPrompt(format!(
            "The prompt asks for the tag {tag}, which this {word} does not have."
        )));
    }
    Ok(values.join(", "))
}

fn reference(world: &World<'_>, picture: &Picture, number: u32) -> PartView {
    PartView::Image {
        file: picture.file,
        path: join(&world.benchmark.folder, &picture.path),
        role: "dataset".to_owned(),
        number: Some(number),
        treatment: Treatment::AsIs,
        other: None,
    }
}

fn output(
    world: &World<'_>,
    key: &RequestKey,
    slot: u32,
    name: &str,
    notes: &mut Vec<String>,
) -> PartView {
    let (file, path) = output::asked(world, key, slot, name);
    if file.is_none() {
        notes.push(format!(
            "The generated picture {path} is missing, so there is nothing to judge."
        ));
    }
    PartView::Image {
        file,
        path,
        role: "output".to_owned(),
        number: None,
        treatment: Treatment::AsIs,
        other: None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn braces_that_are_no_placeholder_are_text() {
        let text =
            "{id}: {instruction} {\"a\": {\"b\": 7}} {{output}} {output}{tags.x-y}{reference.2}{";
        let text_of = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(
            pieces(text).unwrap(),
            [
                Piece::Id,
                text_of(": "),
                Piece::Instruction,
                text_of(" {\"a\": {\"b\": 7}} {output} "),
                Piece::Output,
                Piece::Tag("x-y".to_owned()),
                Piece::Reference(2),
                text_of("{"),
            ]
        );
        assert_eq!(pieces("{{{id}}}").unwrap(), [text_of("{{id}}")]);
        assert_eq!(pieces("").unwrap(), []);
    }

    #[test]
    fn a_mistyped_placeholder_is_refused_and_not_shown_to_the_judge() {
        for wrong in [
            "{instuction}",
            "{reference.0}",
            "{tags.}",
            "{references.1}",
            "{Output}",
        ] {
            assert_eq!(
                pieces(&format!("See {wrong}.")).unwrap_err().to_string(),
                format!("There is no placeholder {wrong}.")
            );
        }
    }
}
