//! The tolerant reading: a reply in a form that strict readers refuse, rewritten into the form that they take.
//!
//! What a reply says is never judged here. Each allowance takes one thing off the text and has a name; the strict reader of
//! the protocol then reads what is left. Where a reply has two verdicts that differ, or part of one that cannot be read, none
//! counts: no allowance chooses.

mod json;
mod lines;
mod taken_back;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeSet;

use crate::contract::Reading;
use crate::thoughts::{self, Thoughts};
use juror_model::reply::{Fault, Read, Verdict};
use juror_model::sample::Sample;
use juror_reading::limits;

/// One thing that a tolerant reading takes off a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Allowance {
    /// `<think>…</think>`, channels, and what else sets thoughts apart.
    Thoughts,
    /// Tags around the answer, such as `<|begin_of_box|>` and `<answer>`.
    AnswerTags,
    /// Words before or behind the one JSON object.
    Prose,
    /// Markdown fences around it.
    Fences,
    /// Bold, italics and code.
    Bold,
    /// Bullets and numbering.
    Bullets,
    /// Headings.
    Headings,
    /// Tables of label and number.
    Tables,
    /// `8/10`, `8 out of 10`.
    OutOf,
    /// A number in quotes or brackets.
    Quotes,
    /// Words behind the number of a line.
    Explanations,
    /// Full-width digits, colons and commas.
    FullWidth,
    /// A comma behind the last entry of an object or list.
    TrailingCommas,
    /// Single quotes, comments, words of Python, line breaks within text.
    Syntax,
    /// Another spelling of a label or key.
    Spelling,
    /// Labelled lines where an object is asked for, or an object where lines are.
    OtherForm,
    /// Nothing else: a sign, blanks or a line break between label and number.
    Setting,
}

impl Allowance {
    /// Its name.
    pub fn words(self) -> &'static str {
        match self {
            Self::Thoughts => "thoughts set aside",
            Self::AnswerTags => "tags around the answer",
            Self::Prose => "words around the object",
            Self::Fences => "Markdown fences",
            Self::Bold => "bold",
            Self::Bullets => "bullets",
            Self::Headings => "headings",
            Self::Tables => "tables",
            Self::OutOf => "\"8/10\"",
            Self::Quotes => "numbers in quotes",
            Self::Explanations => "words behind the number",
            Self::FullWidth => "full-width characters",
            Self::TrailingCommas => "trailing commas",
            Self::Syntax => "loose JSON",
            Self::Spelling => "spelling of labels",
            Self::OtherForm => "lines for an object, or an object for lines",
            Self::Setting => "signs, blanks and line breaks before the number",
        }
    }
}

/// The allowances of one reading.
pub type Allowances = BTreeSet<Allowance>;

/// One number that a verdict needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its label or key in the strict form.
    pub name: String,
    /// What else it is called.
    pub also: &'static [&'static str],
    /// The highest number of its scale, as in `8/10`.
    pub high: f64,
}

impl Key {
    /// A key that is called one thing only.
    pub fn new(name: &str, high: f64) -> Self {
        Self {
            name: name.to_owned(),
            also: &[],
            high,
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.name).chain(self.also.iter().copied())
    }
}

/// How the strict form holds its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Lines of label, colon and number.
    Lines,
    /// An object of key and number.
    Object,
    /// An object of key and object, whose `score` is the number.
    Scores,
    /// An object of key and number, or of key and object whose `pass` is the number.
    Checkpoints,
    /// An object with more than numbers in it: no lines can stand for it.
    Whole,
}

/// What a strict reader wants of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The numbers, in the order of the strict form.
    pub keys: Vec<Key>,
    /// The strict form.
    pub shape: Shape,
}

/// A reply in the strict form, and what was taken off it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// Text for the strict reader.
    pub text: String,
    /// What made it so.
    pub allowances: Allowances,
}

/// Why a reply has no one clear verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unclear {
    /// The reply ends too early.
    #[error("The reply ends before its verdict does.")]
    CutOff,
    /// There are two, or a part of one.
    #[error("The reply has two verdicts that differ, or one that is hard to read beside another.")]
    Two,
    /// There is none.
    #[error("The reply has no verdict in any form that the tolerant reading knows.")]
    None,
}

/// A reply that the tolerant reading reads and the strict one does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerated {
    /// The strict reading of the cleaned text.
    pub read: Read,
    /// The cleaned text.
    pub cleaned: Cleaned,
}

/// Reads a reply that the strict reader refused.
///
/// # Errors
/// It has no one clear verdict.
pub fn read(
    protocol: &(impl Reading + ?Sized),
    sample: Option<&Sample>,
    request: &str,
    reply: &str,
) -> Result<Tolerated, Unclear> {
    let wanted = protocol.wanted(sample, request).ok_or(Unclear::None)?;
    let mut found: Option<Tolerated> = None;
    let stored = stored_value(request, reply);
    let all = match stored {
        None => clean(&wanted, reply)?,
        Some(value) => match clean(&wanted, value) {
            // One that is a number of its own is asked for under its name.
            Err(Unclear::None) => clean(&wanted, &format!("{{{reply}}}"))?,
            all => all?,
        },
    };
    for mut cleaned in all {
        if cleaned.allowances.is_empty() {
            cleaned.allowances.insert(Allowance::Setting);
        }
        let read = protocol.read(sample, request, &cleaned.text);
        match &found {
            _ if !is_read(&read) => return Err(Unclear::Two),
            Some(earlier) if numbers(&earlier.read) != numbers(&read) => return Err(Unclear::Two),
            Some(_) => {}
            None => found = Some(Tolerated { read, cleaned }),
        }
    }
    found.ok_or(Unclear::None)
}

/// The value of a reply that is stored under the name of its request, `"name": value`.
fn stored_value<'a>(request: &str, reply: &'a str) -> Option<&'a str> {
    let rest = reply.trim_start().strip_prefix('"')?;
    let rest = rest.strip_prefix(request)?.strip_prefix('"')?;
    rest.trim_start().strip_prefix(':')
}

fn is_read(read: &Read) -> bool {
    numbers(read).is_ok()
}

/// The strict reader's numbers, as their bits, so that what is not a number equals itself.
fn numbers(read: &Read) -> Result<Vec<u64>, Fault> {
    let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect();
    match read {
        Read::One(readings) => readings.paper().map(|x| bits(&[x])),
        Read::Several(Verdict { paper, .. }) => paper.as_deref().map(bits).map_err(|fault| *fault),
    }
}

/// Every verdict of a reply in the strict form.
fn clean(wanted: &Wanted, reply: &str) -> Result<Vec<Cleaned>, Unclear> {
    if limits::long_reply(reply).is_some() {
        return Err(Unclear::None);
    }
    let mut allowances = Allowances::new();
    let mut text = match thoughts::of(reply) {
        Thoughts::None => reply.to_owned(),
        Thoughts::Aside(text) => {
            allowances.insert(Allowance::Thoughts);
            text
        }
        Thoughts::Unfinished => return Err(Unclear::CutOff),
    };
    without_tags(&mut text, &mut allowances);
    let objects = json::objects(wanted, &text)?;
    let mut labelled = lines::Labelled::of(wanted, &objects.around);
    if objects.found.is_empty() {
        labelled.check()?;
        allowances.append(&mut labelled.allowances);
        let text = match wanted.shape {
            Shape::Lines => labelled.lines(wanted),
            Shape::Whole => return Err(Unclear::None),
            Shape::Object | Shape::Scores | Shape::Checkpoints => {
                allowances.insert(Allowance::OtherForm);
                labelled.object(wanted)?
            }
        };
        return Ok(vec![Cleaned { text, allowances }]);
    }
    let behind = &objects.around[objects.behind..];
    let mut all = Vec::new();
    for mut object in objects.found {
        let is_taken_back = taken_back::is(wanted, &object.numbers, behind);
        if labelled.contradicts(&object.numbers) || is_taken_back {
            return Err(Unclear::Two);
        }
        object.allowances.extend(&allowances);
        if wanted.shape == Shape::Lines {
            object.allowances.insert(Allowance::OtherForm);
            object.text = lines::of_numbers(wanted, &object.numbers);
        }
        all.push(Cleaned {
            text: object.text,
            allowances: object.allowances,
        });
    }
    Ok(all)
}

/// Takes off the tags around an answer, and what a program leaves behind it.
fn without_tags(text: &mut String, allowances: &mut Allowances) {
    const MARKS: [&str; 12] = [
        "<|begin_of_box|>",
        "<|end_of_box|>",
        "<answer>",
        "</answer>",
        "<output>",
        "</output>",
        "<|im_end|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|end|>",
        "</s>",
        "\u{feff}",
    ];
    for mark in MARKS {
        if text.contains(mark) {
            *text = text.replace(mark, "\n");
            allowances.insert(Allowance::AnswerTags);
        }
    }
}
