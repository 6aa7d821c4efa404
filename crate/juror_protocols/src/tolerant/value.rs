//! One number in the forms in which judges write it.

use super::{Allowance, Allowances};
use crate::reply::has_number;

/// What a text at the place of a number is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// One number, in the digits of JSON.
    Number(String),
    /// Something that could be another number than the one it seems.
    Unclear,
    /// Words.
    Words,
}

/// Full-width characters as those that programs read.
pub(super) fn narrow(text: &str, allowances: &mut Allowances) -> String {
    let narrowed: String = text.chars().map(narrow_char).collect();
    if narrowed != text {
        allowances.insert(Allowance::FullWidth);
    }
    narrowed
}

/// The ASCII character of a full-width one.
pub(super) fn narrow_char(c: char) -> char {
    match c {
        // The full-width forms are those of ASCII, in its order.
        '\u{ff01}'..='\u{ff5e}' => u32::from(c)
            .checked_sub(0xfee0)
            .and_then(char::from_u32)
            .unwrap_or(c),
        '\u{3000}' | '\u{a0}' => ' ',
        '、' => ',',
        '−' => '-',
        _ => c,
    }
}

/// Reads the text behind a label.
pub(super) fn read(text: &str, high: f64, allowances: &mut Allowances) -> Place {
    let mut own = Allowances::new();
    let text = narrow(text, &mut own);
    let text = text.trim();
    let begun = unmarked(text, &mut own);
    if is_half_marked(text, &text[..text.len() - begun.len()]) {
        return Place::Unclear;
    }
    let begun = ["score", "rating", "rated", "value"]
        .iter()
        .find_map(|word| without_word(begun, word))
        .map_or(begun, |rest| {
            unmarked(rest.trim_start_matches([':', '=', ' ']), &mut own)
        });
    let begun = begun.strip_prefix("\\boxed{").unwrap_or(begun);
    let begun = begun.strip_prefix('+').unwrap_or(begun);
    let Some((number, rest)) = number(begun) else {
        return if is_hedged(begun) {
            Place::Unclear
        } else {
            Place::Words
        };
    };
    let rest = behind_marks(rest, &mut own);
    let Some(rest) = without_scale(rest, high, &mut own) else {
        return Place::Unclear;
    };
    if !is_end(behind_marks(rest, &mut own), &mut own) {
        return Place::Unclear;
    }
    allowances.append(&mut own);
    Place::Number(number)
}

/// Whether the marks before a number are no pair around it: `<7` is less than 7.
fn is_half_marked(text: &str, marks: &str) -> bool {
    let has_number = text.contains(|c: char| c.is_numeric());
    let is_open = |open: char, close: char| marks.contains(open) && !text.contains(close);
    let is_odd = |mark: char| marks.contains(mark) && text.matches(mark).count() == 1;
    has_number && (is_open('<', '>') || marks.contains('>') || is_open('(', ')') || is_odd('"'))
}

/// Whether words in a number's place may mean one: few words, or some of them numbers.
pub(super) fn may_be_meant(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let num_words = words.filter(|word| !word.is_empty()).count();
    !text.trim().is_empty() && (num_words <= FEW_WORDS || has_number(text))
}

/// So many words are no comment on a picture.
const FEW_WORDS: usize = 4;

/// The text without a word that it begins with.
fn without_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    let rest = &text[word.len()..];
    (head.eq_ignore_ascii_case(word) && !rest.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// Whether a text is one number only.
pub(super) fn is_bare(text: &str, high: f64) -> bool {
    matches!(read(text, high, &mut Allowances::new()), Place::Number(_))
}

/// The text behind marks of bold, quotes and brackets.
fn unmarked<'a>(text: &'a str, own: &mut Allowances) -> &'a str {
    let rest =
        text.trim_start_matches(|c: char| c.is_whitespace() || "*_`\"'[<>($“”‘’".contains(c));
    note_marks(&text[..text.len() - rest.len()], own);
    rest
}

/// The text behind closing marks.
fn behind_marks<'a>(text: &'a str, own: &mut Allowances) -> &'a str {
    let rest =
        text.trim_start_matches(|c: char| c.is_whitespace() || "*_`\"']>)}$“”‘’".contains(c));
    note_marks(&text[..text.len() - rest.len()], own);
    rest
}

fn note_marks(marks: &str, own: &mut Allowances) {
    if marks.contains(['*', '_', '`']) {
        own.insert(Allowance::Bold);
    }
    if marks.contains(|c: char| "\"'[]<>()“”‘’{}$".contains(c)) {
        own.insert(Allowance::Quotes);
    }
}

/// The number that a text begins with, and what is behind it.
fn number(text: &str) -> Option<(String, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = digits.len()
        - digits
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    if whole == 0 {
        return None;
    }
    let rest = &digits[whole..];
    let fraction = rest.strip_prefix('.').map_or(0, |behind| {
        behind.len()
            - behind
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len()
    });
    let end = text.len() - rest.len() + if fraction > 0 { fraction + 1 } else { 0 };
    let sign = if text.len() > digits.len() { "-" } else { "" };
    // JSON has no leading zeros.
    let zeros = &digits[..whole];
    let zeros = zeros.trim_start_matches('0');
    let whole = if zeros.is_empty() { "0" } else { zeros };
    let fraction = &text[text.len() - rest.len()..end];
    Some((format!("{sign}{whole}{fraction}"), &text[end..]))
}

/// What is behind `/10` or `out of 10`, or the whole text; `None` where it is of another scale.
fn without_scale<'a>(text: &'a str, high: f64, own: &mut Allowances) -> Option<&'a str> {
    let text = text.trim_start();
    let inner = text.strip_prefix('(').map_or(text, str::trim_start);
    let scale = inner.strip_prefix('/').or_else(|| {
        let rest = without_word(inner, "out")?.trim_start();
        without_word(rest, "of")
    });
    let Some(scale) = scale else {
        return Some(text);
    };
    let (found, rest) = number(behind_marks(scale, own))?;
    if found.parse() != Ok(high) {
        return None;
    }
    own.insert(Allowance::OutOf);
    Some(rest)
}

/// Whether a value ends here: with nothing, or with words that hold no other number.
fn is_end(text: &str, own: &mut Allowances) -> bool {
    let text = text.trim();
    let text = without_word(text, "points").map_or(text, str::trim_start);
    if !text.contains(char::is_alphanumeric) {
        // A tick or a star is no number; other signs may change the one before them.
        let is_mere_sign = |c: char| !c.is_ascii() && !"≈±→–—".contains(c);
        return text
            .chars()
            .all(|c| c.is_whitespace() || ".,;|!)".contains(c) || is_mere_sign(c));
    }
    own.insert(Allowance::Explanations);
    let is_apart = text.starts_with([',', ';', '.', '(', '-', '–', '—', ':', '|']);
    is_apart && !is_doubtful(text)
}

/// Whether words behind a number may take it back: they hedge, or name another number than that of a picture.
fn is_doubtful(text: &str) -> bool {
    const DOUBTS: [&str; 22] = [
        "maybe",
        "perhaps",
        "possibly",
        "draft",
        "tentative",
        "tentatively",
        "initial",
        "initially",
        "provisional",
        "revised",
        "changed",
        "unsure",
        "wait",
        "actually",
        "reconsider",
        "originally",
        "rather",
        "instead",
        "was",
        "then",
        "adjusted",
        "closer",
    ];
    const NUMBERED: [&str; 8] = [
        "image",
        "images",
        "reference",
        "references",
        "picture",
        "pictures",
        "figure",
        "panel",
    ];
    let low = text.to_lowercase();
    let words = low.split(|c: char| !c.is_alphanumeric());
    let mut before = "";
    for word in words.filter(|word| !word.is_empty()) {
        let is_other = word.contains(|c: char| c.is_numeric()) && !NUMBERED.contains(&before);
        let is_choice = ["or", "to"].contains(&before) && has_number(word);
        if is_other || is_choice || DOUBTS.contains(&word) {
            return true;
        }
        before = word;
    }
    false
}

/// Whether words before a number say that it is not meant exactly.
fn is_hedged(text: &str) -> bool {
    const HEDGES: [&str; 12] = [
        "about",
        "around",
        "approximately",
        "approx",
        "roughly",
        "between",
        "either",
        "maybe",
        "perhaps",
        "somewhere",
        "nearly",
        "almost",
    ];
    let has_number = text.contains(|c: char| c.is_numeric());
    let low = text.to_lowercase();
    let word = low.split(|c: char| !c.is_alphanumeric()).next();
    let is_sign = text.starts_with(|c: char| !c.is_alphanumeric());
    has_number && (is_sign || word.is_some_and(|word| HEDGES.contains(&word)))
}
