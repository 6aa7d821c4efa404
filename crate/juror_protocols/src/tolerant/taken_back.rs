//! Words behind an object that take its numbers back: "On reflection, 5 is fairer."
//!
//! An object is a verdict as long as nothing behind it says otherwise. Which of the two a judge meant is not decided here: such a
//! reply has none.

use super::value::narrow;
use super::{Allowances, Shape, Wanted};

/// Beginnings of sentences that withdraw the text before them.
const SECOND_THOUGHTS: [&[&str]; 21] = [
    &["wait"],
    &["sorry"],
    &["oops"],
    &["actually"],
    &["apologies"],
    &["my", "apologies"],
    &["hold", "on"],
    &["scratch", "that"],
    &["on", "reflection"],
    &["upon", "reflection"],
    &["on", "second", "thought"],
    &["on", "second", "thoughts"],
    &["thinking", "again"],
    &["looking", "again"],
    &["let", "me", "reconsider"],
    &["let", "me", "revise"],
    &["let", "me", "correct"],
    &["let", "me", "change"],
    &["i", "take", "that", "back"],
    &["i", "made", "a", "mistake"],
    &["i", "misread"],
];
/// The same, with a mark behind them: "Correction of colours" begins a remark.
const MARKED: [&str; 4] = ["correction", "corrected", "revised", "edit"];
/// Words before a score: "lower it to 5", "it should be 5", "I give 5".
const BEFORE: [&str; 30] = [
    "to", "be", "is", "was", "it", "a", "an", "at", "as", "say", "give", "gives", "gave", "score",
    "scores", "scored", "rating", "rate", "rated", "grade", "assign", "assigned", "deserve",
    "deserves", "make", "exactly", "only", "now", "just", "than",
];
/// Words behind a number that are nothing which it counts.
const BEHIND: [&str; 11] = [
    "out", "point", "points", "instead", "too", "rather", "then", "now", "though", "would", "is",
];
/// Words of a sentence about all numbers together, which an object of several does not hold.
const TOGETHER: [&str; 7] = [
    "average",
    "mean",
    "overall",
    "total",
    "sum",
    "aggregate",
    "final",
];

/// Whether the text behind an object gives another number than it, or withdraws the text before.
pub(super) fn is(wanted: &Wanted, numbers: &[(usize, String)], behind: &str) -> bool {
    let text = narrow(behind, &mut Allowances::new()).to_lowercase();
    let mut sentences = text
        .split(['\n', '!', '?', ';', '。'])
        // A full stop within a number ends nothing.
        .flat_map(|line| line.split(". "));
    sentences.any(|sentence| {
        let words = words(sentence);
        is_second_thought(&words) || gives_another(wanted, numbers, &words)
    })
}

/// A word of a sentence.
#[derive(Debug)]
struct Word<'a> {
    text: &'a str,
    /// Whether a mark is behind it, or nothing.
    is_last: bool,
}

/// The words of a sentence; numbers keep their fraction.
fn words(sentence: &str) -> Vec<Word<'_>> {
    let is_mark = |c: char| "/(),:=–—".contains(c);
    let parts = sentence.split_inclusive(|c: char| c.is_whitespace() || is_mark(c));
    let mut words: Vec<Word<'_>> = Vec::new();
    for part in parts {
        let text = part.trim_matches(|c: char| !c.is_alphanumeric());
        if text.is_empty() {
            // Of a mark behind a blank.
            if let Some(word) = words.last_mut() {
                word.is_last |= part.contains(is_mark);
            }
            continue;
        }
        words.push(Word {
            text,
            is_last: part.ends_with(is_mark),
        });
    }
    if let Some(word) = words.last_mut() {
        word.is_last = true;
    }
    words
}

fn is_second_thought(words: &[Word<'_>]) -> bool {
    let begins = |begin: &[&str]| {
        let pairs = words.iter().zip(begin);
        words.len() >= begin.len() && pairs.into_iter().all(|(word, known)| word.text == *known)
    };
    let is_marked = |word: &Word<'_>| word.is_last && MARKED.contains(&word.text);
    SECOND_THOUGHTS.iter().any(|begin| begins(begin)) || words.first().is_some_and(is_marked)
}

/// Whether a sentence has a number of the scale that the object does not have, where a score is expected.
fn gives_another(wanted: &Wanted, numbers: &[(usize, String)], words: &[Word<'_>]) -> bool {
    // Of these, sentences name sums and shares.
    if matches!(wanted.shape, Shape::Checkpoints | Shape::Whole) {
        return false;
    }
    let is_together = words.iter().any(|word| TOGETHER.contains(&word.text));
    if wanted.keys.len() > 1 && is_together {
        return false;
    }
    let high = wanted.keys.iter().map(|key| key.high).fold(0.0, f64::max);
    let is_known = |number: f64| {
        let mut known = numbers.iter().map(|(_, known)| known.parse::<f64>());
        known.any(|known| known == Ok(number))
    };
    // "From 0 to 10" is no score.
    let is_of_scale_itself = words
        .iter()
        .any(|word| ["from", "scale"].contains(&word.text));
    let mut before = "";
    let others = words.iter().enumerate().filter(|(at, word)| {
        let last = std::mem::replace(&mut before, word.text);
        let Ok(number) = word.text.parse::<f64>() else {
            return false;
        };
        let text = |at: usize| words.get(at).map_or("", |word| word.text);
        let is_of_scale = text(at + 1) == "of" && text(at + 2).parse() == Ok(high);
        let is_free = word.is_last || is_of_scale || BEHIND.contains(&text(at + 1));
        if number.total_cmp(&high).is_eq() && is_of_scale_itself {
            return false;
        }
        let is_placed = *at == 0 || BEFORE.contains(&last);
        is_free && is_placed && (0.0..=high).contains(&number) && !is_known(number)
    });
    others.count() > 0
}
