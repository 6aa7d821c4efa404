//! An instruction of the synthetic half in its parts: the start, a clause for each reference, the caption.
//!
//! The authors' program writes `Generate an image`, one sentence for each reference and `following the caption: …`; a rewritten
//! instruction keeps the names in angle brackets and everything behind `caption:`. So sentences are clauses where each names one reference, and
//! where one names several they cannot be told apart.

use crate::error::Error;

/// How an instruction by the authors' program begins.
const START: &str = "Generate an image ";

/// An instruction in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clauses {
    /// The text before the first clause; may be empty.
    pub(super) start: String,
    /// Position of the reference, and what is said of it, in the order of the text.
    pub(super) in_text: Vec<(usize, String)>,
    /// The caption with what leads to it; empty without one.
    pub(super) caption: String,
}

impl Clauses {
    /// Cuts an instruction; `tokens` are the names of the references with their brackets.
    ///
    /// # Errors
    /// A reference is named nowhere or in two sentences, a sentence names two, or the caption is not at the end.
    pub(super) fn of(text: &str, caption: Option<&str>, tokens: &[&str]) -> Result<Self, Error> {
        let apart = || {
            Error::NotAsked(
                "The clauses of the instruction cannot be told apart: each reference needs one sentence that names it alone."
                    .to_owned(),
            )
        };
        let (text, caption) = match caption {
            Some(caption) => without_caption(text, caption)?,
            None => (text.trim().to_owned(), String::new()),
        };
        let (mut start, text) = match text.strip_prefix(START) {
            Some(rest) => (START.trim_end().to_owned(), rest),
            None => (String::new(), text.as_str()),
        };
        let mut in_text: Vec<(usize, String)> = Vec::new();
        for sentence in sentences(text) {
            let mut named = (0..tokens.len()).filter(|at| sentence.contains(tokens[*at]));
            match (named.next(), named.next()) {
                (Some(at), None) if in_text.iter().all(|(of, _)| *of != at) => {
                    in_text.push((at, sentence.to_owned()));
                }
                (None, _) => {
                    // A clause that names nothing goes with the one before it.
                    let before = in_text.last_mut().map_or(&mut start, |(_, text)| text);
                    if !before.is_empty() {
                        before.push(' ');
                    }
                    before.push_str(sentence);
                }
                _ => return Err(apart()),
            }
        }
        if in_text.len() != tokens.len() {
            return Err(apart());
        }
        Ok(Self {
            start,
            in_text,
            caption,
        })
    }
}

/// Pieces that end in a full stop, an exclamation mark, a question mark or a line's end, without the space between them.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let end = after_sentence(rest).unwrap_or(rest.len());
        let (sentence, behind) = rest.split_at(end);
        rest = behind.trim_start();
        let sentence = sentence.trim_end();
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Where the first sentence ends.
fn after_sentence(text: &str) -> Option<usize> {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        if letter == '\n'
            || matches!(letter, '.' | '!' | '?') && next.is_some_and(char::is_whitespace)
        {
            return Some(at + letter.len_utf8());
        }
    }
    None
}

/// An instruction without its caption, and the caption with what leads to it.
///
/// # Errors
/// The caption is not at the end behind a colon, or what leads to it names a reference.
pub(super) fn without_caption(text: &str, caption: &str) -> Result<(String, String), Error> {
    let unstated = || {
        Error::NotAsked(
            "The instruction does not end in the caption, so it cannot be left out or kept last."
                .to_owned(),
        )
    };
    let is_end = |c: char| c.is_whitespace() || matches!(c, '.' | '"' | '”');
    let text = text.trim();
    let caption = caption.trim().trim_end_matches(is_end);
    let lead = text.trim_end_matches(is_end);
    let lead = lead.strip_suffix(caption).filter(|_| !caption.is_empty());
    let lead = lead.ok_or_else(unstated)?;
    let lead = lead.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '“'));
    if !lead.ends_with(':') {
        return Err(unstated());
    }
    let at = lead
        .strip_suffix("following the caption:")
        .map_or_else(|| clause_start(lead), str::len);
    let (left, led) = text.split_at(at);
    if lead[at..].contains('<') {
        return Err(unstated());
    }
    let left = left.trim_end();
    let cut = left.trim_end_matches([',', ';', ':', '–', '—']).trim_end();
    let full_stop = if cut == left { "" } else { "." };
    Ok((format!("{cut}{full_stop}"), led.to_owned()))
}

/// Where the last clause begins: behind the last comma, semicolon or sentence.
fn clause_start(text: &str) -> usize {
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        let behind = at + letter.len_utf8();
        let is_space = text[behind..].starts_with(char::is_whitespace);
        if letter == '\n' || matches!(letter, '.' | '!' | '?' | ',' | ';') && is_space {
            start = behind;
        }
    }
    start + (text.len() - start - text[start..].trim_start().len())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const TOKENS: [&str; 2] = ["<depth_image>", "<style_image>"];

    /// The text before the references' clauses, those clauses by position of their reference, and the caption's.
    type Parts = (String, Vec<(usize, String)>, String);

    fn clauses(text: &str, caption: Option<&str>) -> Option<Parts> {
        let clauses = Clauses::of(text, caption, &TOKENS).ok()?;
        Some((clauses.start, clauses.in_text, clauses.caption))
    }

    #[test]
    fn an_instruction_of_the_authors_program_falls_into_its_parts() {
        let text = "Generate an image as deep as <depth_image>. Paint it like <style_image> following the caption: A cat..";
        let found = clauses(text, Some("A cat.")).unwrap();
        assert_eq!(found.0, "Generate an image");
        assert_eq!(
            found.1,
            [
                (0, "as deep as <depth_image>.".to_owned()),
                (1, "Paint it like <style_image>".to_owned())
            ]
        );
        assert_eq!(found.2, "following the caption: A cat..");
    }

    #[test]
    fn a_sentence_without_a_reference_goes_with_the_one_before_it() {
        let text = "Hello. Take <style_image>! It is fine. Then mind <depth_image>.";
        let found = clauses(text, None).unwrap();
        assert_eq!(found.0, "Hello.");
        assert_eq!(
            found.1[0],
            (1, "Take <style_image>! It is fine.".to_owned())
        );
        assert_eq!(found.1[1], (0, "Then mind <depth_image>.".to_owned()));
    }

    #[test]
    fn what_cannot_be_told_apart_is_refused() {
        for text in [
            "Mix <depth_image> with <style_image>.",
            "Take <depth_image>. Take it from <depth_image>. And <style_image>.",
            "Take <depth_image>.",
        ] {
            assert_eq!(clauses(text, None), None, "{text}");
        }
        assert!(clauses("Take <depth_image>. And <style_image>.", None).is_some());
    }

    #[test]
    fn a_caption_is_cut_off_with_the_words_that_lead_to_it() {
        let left = |text: &str| without_caption(text, "A red cat, asleep.").ok();
        let split = |text: &str| left(text).map(|(left, _)| left);
        for (text, wanted) in [
            (
                "Draw <depth_image>. following the caption: A red cat, asleep..",
                "Draw <depth_image>.",
            ),
            (
                "Draw <depth_image>, guided by the caption: A red cat, asleep.",
                "Draw <depth_image>.",
            ),
            (
                "Draw <depth_image>. The picture shows: “A red cat, asleep.”",
                "Draw <depth_image>.",
            ),
        ] {
            assert_eq!(split(text).as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "Draw <depth_image> as the caption says.",
            "Draw <depth_image> A red cat, asleep.",
            "Draw <depth_image> and caption: A red cat, asleep.",
            "Caption: A red cat, asleep. Draw <depth_image>.",
        ] {
            assert_eq!(left(text), None, "{text}");
        }
        assert_eq!(without_caption("A:", " "), without_caption("B:", ""));
    }
}
