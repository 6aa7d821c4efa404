//! What a generator is given: pictures of the dialogue's history, renumbered text, and how both are packed.
//!
//! Source: the WEAVE paper's in-context modes and the authors' loader; `paper` is as intended, `released` as the loader does it.

use crate::error::Error;
use crate::output;
use std::collections::BTreeSet;

use juror_model::linked::World;
use juror_model::options::Profile;
use juror_model::request::{
    Context, GeneratorInput, Given, InputKey, InputMessage, Packing, PartView, Treatment,
};
use juror_model::sample::{Sample, Span, Turn, TurnKind};
use juror_model::tree::{FileId, join};
use juror_statistics::small::CollectSmall;

/// The numbers of all `Image #k` in a text, in order, repeats included. Case and spacing matter.
///
/// # Example
/// ```
/// use juror_protocols::weave::request::context::image_numbers;
/// assert_eq!(image_numbers("See Image #12 and Image #3, not image #4"), [12, 3]);
/// ```
pub fn image_numbers(text: &str) -> Vec<u32> {
    numbers(text, "Image #")
}

/// The numbers behind each occurrence of a word such as `GT #`.
pub fn numbers(text: &str, word: &str) -> Vec<u32> {
    mentions(text, word)
        .into_iter()
        .map(|mention| mention.number)
        .collect()
}

/// One `Image #k` in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) number: u32,
}

/// All places where `word`, which ends with a mark of ASCII, is followed by digits; Python's `\d` also takes digits of other scripts.
pub(crate) fn mentions(text: &str, word: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let Some(mark) = word.bytes().last() else {
        return found;
    };
    // Most texts have no mark: they are done with at once.
    for at in memchr::memchr_iter(mark, text.as_bytes()) {
        let Some(before) = text[..=at].strip_suffix(word) else {
            continue;
        };
        let (start, rest) = (before.len(), &text[at + 1..]);
        let len = rest
            .char_indices()
            .find(|(_, c)| decimal(*c).is_none())
            .map_or(rest.len(), |(at, _)| at);
        if len > 0 {
            let number = rest[..len]
                .chars()
                .filter_map(decimal)
                .fold(0u32, |n, d| n.saturating_mul(10).saturating_add(d));
            found.push(Mention {
                start,
                end: start + word.len() + len,
                number,
            });
        }
    }
    found
}

/// A text cut at its mentions.
pub(crate) fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut copied = 0;
    for mention in mentions(text, "Image #") {
        if mention.start > copied {
            spans.push(Span {
                text: text[copied..mention.start].to_owned(),
                picture: None,
            });
        }
        spans.push(Span {
            text: text[mention.start..mention.end].to_owned(),
            picture: Some(mention.number),
        });
        copied = mention.end;
    }
    if copied < text.len() {
        spans.push(Span {
            text: text[copied..].to_owned(),
            picture: None,
        });
    }
    spans
}

/// The value of a decimal digit: ASCII, full width, Arabic-Indic and its extended form, Devanagari.
fn decimal(c: char) -> Option<u32> {
    let code = u32::from(c);
    ['0', '\u{ff10}', '\u{660}', '\u{6f0}', '\u{966}']
        .into_iter()
        .map(u32::from)
        .find_map(|zero| (zero..zero + 10).contains(&code).then(|| code - zero))
}

/// `t2i`, `edit`, `fusion` or `vqa`: by the kind of answer and the number of mentions, not of distinct pictures.
///
/// # Example
/// ```
/// use juror_model::sample::TurnKind;
/// use juror_protocols::weave::request::context::class;
/// assert_eq!(class("Image #1 then Image #1", TurnKind::Image), "fusion");
/// ```
pub fn class(instruction: &str, kind: TurnKind) -> &'static str {
    match (kind, image_numbers(instruction).len()) {
        (TurnKind::Text, _) => "vqa",
        (TurnKind::Image, 0) => "t2i",
        (TurnKind::Image, 1) => "edit",
        (TurnKind::Image, _) => "fusion",
    }
}

/// Rewrites `Image #k` for a generator that only sees the mentioned pictures.
///
/// One mention becomes `image` (or `pattern`, its `{num}` being 1);
/// several are numbered 1…n by the order of their values, so two mentions of one picture both become `Image #1`.
///
/// # Example
/// ```
/// use juror_protocols::weave::request::context::refine_instruction;
/// assert_eq!(refine_instruction("See Image #5 and Image #2", None), "See Image #2 and Image #1");
/// assert_eq!(refine_instruction("Only Image #4 here", None), "Only image here");
/// ```
pub fn refine_instruction(text: &str, pattern: Option<&str>) -> String {
    let found = mentions(text, "Image #");
    let distinct: BTreeSet<u32> = found.iter().map(|mention| mention.number).collect_small();
    let pattern = pattern.unwrap_or(if found.len() == 1 {
        "image"
    } else {
        "Image #{num}"
    });
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for mention in &found {
        let rank = distinct
            .iter()
            .position(|number| *number == mention.number)
            .unwrap_or(0)
            + 1;
        out.push_str(&text[copied..mention.start]);
        out.push_str(&pattern.replace("{num}", &rank.to_string()));
        copied = mention.end;
    }
    out + &text[copied..]
}

/// A picture that a generator is to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// 0-based position in the dialogue's pictures.
    pub index: usize,
    /// The model's own picture rather than the data set's.
    pub is_generated: bool,
}

/// Which pictures a message brings along, as the authors' loader picks them.
///
/// `complete` takes positions 0…max of the 1-based numbers: position 0 is Python's −1, the dialogue's last picture.
///
/// # Errors
/// `complete` without any `Image #`: Python's `max()` of nothing.
pub fn released_pictures(
    context: Context,
    message: &str,
    num_pictures: usize,
    is_generated: impl Fn(usize) -> bool,
) -> Result<Vec<Shown>, Error> {
    let mentioned = image_numbers(message);
    let stops = |words: &str| Error::Stops(words.to_owned());
    let at = |number: u32| -> Result<usize, Error> {
        let index = match (number as usize).checked_sub(1) {
            None => num_pictures.checked_sub(1),
            Some(index) => Some(index).filter(|index| *index < num_pictures),
        };
        index.ok_or_else(|| stops("list index out of range"))
    };
    let own = |index: usize| {
        context != Context::No && context != Context::CompleteDataset && is_generated(index)
    };
    let numbers: Vec<u32> = match context {
        Context::No | Context::Partial => mentioned,
        Context::Complete | Context::CompleteDataset => {
            let max = mentioned
                .iter()
                .max()
                .ok_or_else(|| stops("max() arg is an empty sequence"))?;
            (0..=*max).collect()
        }
    };
    numbers
        .into_iter()
        .map(|number| {
            at(number).map(|index| Shown {
                index,
                is_generated: own(index),
            })
        })
        .collect()
}

/// Which pictures a message should bring along: by number, each once, so that the k-th is the renumbered `Image #k`.
pub fn intended_pictures(
    context: Context,
    message: &str,
    num_pictures: usize,
    is_generated: impl Fn(usize) -> bool,
) -> Vec<Shown> {
    let mentioned: BTreeSet<usize> = image_numbers(message)
        .into_iter()
        .filter_map(|number| (number as usize).checked_sub(1))
        .filter(|index| *index < num_pictures)
        .collect_small();
    let own = |index: usize| {
        matches!(context, Context::Partial | Context::Complete) && is_generated(index)
    };
    let indexes: Vec<usize> = match context {
        Context::No | Context::Partial => mentioned.into_iter().collect(),
        Context::Complete | Context::CompleteDataset => mentioned
            .last()
            .map_or_else(Vec::new, |max| (0..=*max).collect()),
    };
    indexes
        .into_iter()
        .map(|index| Shown {
            index,
            is_generated: own(index),
        })
        .collect()
}

/// A piece of packed text: text, or the 0-based position of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text.
    Text(String),
    /// A picture.
    Picture(usize),
}

/// `yes-front`: every picture mentioned anywhere in the history, by number, each behind its `Image #k:`.
///
/// Numbers beyond the dialogue's pictures are passed over.
pub fn yes_front<'a>(history: impl Iterator<Item = &'a str>, num_pictures: usize) -> Vec<Piece> {
    let mentioned: BTreeSet<u32> = history.flat_map(image_numbers).collect_small();
    mentioned
        .into_iter()
        .filter(|number| (1..=num_pictures).contains(&(*number as usize)))
        .flat_map(|number| {
            [
                Piece::Text(format!("Image #{number}:")),
                Piece::Picture(number as usize - 1),
            ]
        })
        .collect()
}

/// `yes-first` for one user message: the first mention is followed by its picture, later ones stay text.
///
/// `seen` holds the numbers whose picture was shown already and grows by the ones shown here.
pub fn yes_first(message: &str, num_pictures: usize, seen: &mut BTreeSet<u32>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut copied = 0;
    for mention in mentions(message, "Image #") {
        if mention.start > copied {
            pieces.push(Piece::Text(message[copied..mention.start].to_owned()));
        }
        pieces.push(Piece::Text(message[mention.start..mention.end].to_owned()));
        if (1..=num_pictures).contains(&(mention.number as usize)) && seen.insert(mention.number) {
            pieces.push(Piece::Picture(mention.number as usize - 1));
        }
        copied = mention.end;
    }
    if copied < message.len() || pieces.is_empty() {
        pieces.push(Piece::Text(message[copied..].to_owned()));
    }
    pieces
}

/// `yes-first` for one user message as the authors do it: the first mention *of the message* gets its picture.
pub fn released_yes_first_user(message: &str, num_pictures: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut copied = 0;
    for (at, mention) in mentions(message, "Image #").into_iter().enumerate() {
        if mention.start > copied {
            pieces.push(Piece::Text(message[copied..mention.start].to_owned()));
        }
        pieces.push(Piece::Text(message[mention.start..mention.end].to_owned()));
        if at == 0 && (1..=num_pictures).contains(&(mention.number as usize)) {
            pieces.push(Piece::Picture(mention.number as usize - 1));
        }
        copied = mention.end;
    }
    if copied < message.len() {
        pieces.push(Piece::Text(message[copied..].to_owned()));
    }
    pieces
}

/// `yes-first` for one assistant message as the authors do it: the text before each mention is repeated from the start,
/// because the place of the last mention is never moved on.
pub fn released_yes_first_assistant(message: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = mentions(message, "Image #")
        .into_iter()
        .filter(|mention| mention.start > 0)
        .map(|mention| Piece::Text(message[..mention.start].to_owned()))
        .collect();
    if !message.is_empty() {
        pieces.push(Piece::Text(message.to_owned()));
    }
    pieces
}

/// The input for one turn.
pub fn input(world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
    let (_, sample, slot, turn) = world
        .turn(&key.sample, key.turn)
        .ok_or_else(|| Error::no_turn(key.turn, "sample", &key.sample))?;
    let own = Own::of(world, sample, slot - key.turn, &key.model);
    let builder = Builder {
        world,
        sample,
        own: &own,
        key,
        notes: Vec::new(),
        pictures: Vec::new(),
    };
    match key.packing {
        Packing::Separate => builder.separate(turn),
        Packing::YesFront | Packing::YesFirst => builder.dialogue(),
    }
}

/// The pictures that a model made itself, by 0-based position in the dialogue's pictures.
struct Own(Vec<Option<FileId>>);

impl Own {
    fn of(world: &World<'_>, sample: &Sample, base: u32, model: &str) -> Self {
        let mut own = vec![None; sample.pictures.len()];
        if let Some(model) = world.model(model) {
            for (slot, turn) in (base..).zip(&sample.turns) {
                let Some(number) = turn.picture else { continue };
                if let Some(file) = output::shown(model, slot) {
                    own[number as usize - 1] = Some(file);
                }
            }
        }
        Self(own)
    }
}

struct Builder<'a> {
    world: &'a World<'a>,
    sample: &'a Sample,
    own: &'a Own,
    key: &'a InputKey,
    notes: Vec<String>,
    pictures: Vec<FileId>,
}

impl Builder<'_> {
    /// Pictures, then the message.
    fn separate(mut self, turn: &Turn) -> Result<GeneratorInput, Error> {
        let count = self.sample.pictures.len();
        let is_generated = |index: usize| self.own.0[index].is_some();
        let shown = match self.key.profile {
            Profile::Paper => {
                intended_pictures(self.key.context, &turn.instruction, count, is_generated)
            }
            Profile::Released => {
                released_pictures(self.key.context, &turn.instruction, count, is_generated)
                    .map_err(|error| {
                        Error::Stops(format!("The authors' loader stops on this turn: {error}."))
                    })?
            }
        };
        if self.key.profile == Profile::Released
            && matches!(
                self.key.context,
                Context::Complete | Context::CompleteDataset
            )
        {
            self.notes.push(format!(
                "The loader puts the dialogue's last picture, Image #{count}, first."
            ));
        }
        let is_complete = matches!(
            self.key.context,
            Context::Complete | Context::CompleteDataset
        );
        let text = if is_complete {
            turn.instruction.clone()
        } else {
            refine_instruction(&turn.instruction, None)
        };
        let mut parts: Vec<PartView> = shown.into_iter().map(|shown| self.picture(shown)).collect();
        parts.push(PartView::Text { text });
        Ok(self.finish(vec![InputMessage {
            role: "user".to_owned(),
            parts,
        }]))
    }

    /// The dialogue up to the turn, with pictures in front or at their first mention.
    fn dialogue(mut self) -> Result<GeneratorInput, Error> {
        if matches!(self.key.context, Context::No | Context::Partial) {
            return Err(Error::Options(
                "yes-front and yes-first pack the whole history: choose a complete context."
                    .to_owned(),
            ));
        }
        let count = self.sample.pictures.len();
        let last = self.key.turn as usize;
        let mut history: Vec<(&str, &str)> = Vec::new();
        for turn in &self.sample.turns[..last] {
            history.extend([
                ("user", turn.instruction.as_str()),
                ("assistant", turn.answer.as_str()),
            ]);
        }
        history.push(("user", self.sample.turns[last].instruction.as_str()));
        let mut front = match self.key.packing {
            Packing::YesFront => yes_front(history.iter().map(|(_, text)| *text), count),
            _ => Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let mut messages = Vec::new();
        for (role, text) in history {
            let pieces = match (self.key.packing, self.key.profile, role) {
                (Packing::YesFirst, Profile::Paper, "user") => yes_first(text, count, &mut seen),
                (Packing::YesFirst, Profile::Released, "user") => {
                    released_yes_first_user(text, count)
                }
                (Packing::YesFirst, Profile::Released, _) => released_yes_first_assistant(text),
                _ => vec![Piece::Text(text.to_owned())],
            };
            let pieces: Vec<Piece> = front.drain(..).chain(pieces).collect();
            let parts = pieces.into_iter().map(|piece| self.piece(piece)).collect();
            messages.push(InputMessage {
                role: role.to_owned(),
                parts,
            });
        }
        Ok(self.finish(messages))
    }

    fn piece(&mut self, piece: Piece) -> PartView {
        match piece {
            Piece::Text(text) => PartView::Text { text },
            Piece::Picture(index) => {
                let is_generated =
                    self.key.context == Context::Complete && self.own.0[index].is_some();
                self.picture(Shown {
                    index,
                    is_generated,
                })
            }
        }
    }

    fn picture(&mut self, shown: Shown) -> PartView {
        let picture = &self.sample.pictures[shown.index];
        let number = u32::try_from(shown.index + 1).unwrap_or(u32::MAX);
        let is_produced = self
            .sample
            .turns
            .iter()
            .any(|turn| turn.picture == Some(number));
        let wants_own = matches!(self.key.context, Context::Partial | Context::Complete)
            && !self.key.model.is_empty();
        if wants_own && is_produced && !shown.is_generated {
            self.notes.push(format!("Image #{number} was not generated, so the data set's own picture stands in: that is the target."));
        }
        let (file, path, role) = match self.own.0[shown.index].filter(|_| shown.is_generated) {
            Some(file) => (
                Some(file),
                self.world.tree.path(file).to_owned(),
                "generated",
            ),
            None => (
                picture.file,
                join(&self.world.benchmark.folder, &picture.path),
                "dataset",
            ),
        };
        self.pictures.extend(file);
        PartView::Image {
            file,
            path,
            role: role.to_owned(),
            number: Some(number),
            treatment: Treatment::AsIs,
            other: None,
        }
    }

    fn finish(mut self, messages: Vec<InputMessage>) -> GeneratorInput {
        self.notes.dedup();
        GeneratorInput {
            messages,
            pictures: self.pictures,
            notes: self.notes,
            given: Given::Apart,
        }
    }
}
