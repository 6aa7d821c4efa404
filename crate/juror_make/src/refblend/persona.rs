//! Rewriting an instruction in somebody's voice, and what a rewriting must not do.
//!
//! Source: the MultiRef paper, section 2.2, and `diversity_enhance.py`. The request is in our own words; the checks are
//! ours too, as the authors' program takes whatever comes.

use std::collections::BTreeSet;

use crate::{Error, PromptPart, Request, Wanted};

/// Tries of one rewriting; the plain text stays after them.
pub const MAX_TRIES: u32 = 3;
/// A rewriting may be so many times as long as the plain text.
const MAX_GROWTH: usize = 4;
/// Words of the voice from this length on must not show.
const MIN_LETTERS: usize = 5;

/// Whose voice it may be.
const OCCUPATIONS: [&str; 8] = [
    "a lighthouse keeper",
    "a pastry chef",
    "a night-shift nurse",
    "a bicycle mechanic",
    "a retired geography teacher",
    "a stage-lighting designer",
    "a beekeeper",
    "a radio announcer",
];
const MANNERS: [&str; 5] = [
    "who never wastes a word",
    "who is easily delighted",
    "who explains everything as if to a child",
    "who is fond of old-fashioned expressions",
    "who thinks in pictures and comparisons",
];

/// Our own forty voices.
pub fn voices() -> Vec<String> {
    let all = OCCUPATIONS
        .iter()
        .flat_map(|who| MANNERS.map(|manner| format!("{who} {manner}")));
    all.collect()
}

/// The request of a try.
pub fn request(thing: &str, plain: &str, voice: &str, lead: &str, attempt: u32) -> Request {
    let tail = if plain.contains(lead) {
        format!("\n- Everything behind “{lead}” stays as it is, letter by letter, and stays last.")
    } else {
        String::new()
    };
    Request {
        kind: "persona".to_owned(),
        thing: thing.to_owned(),
        attempt,
        system: Some("You help with language and make it more varied.".to_owned()),
        parts: vec![PromptPart::text(format!(
            "Write in the voice of {voice}.\nRewrite the text below so that it is more varied and sounds like this voice.\n\n- Never mention whose voice it is.\n- Sentence structure, words and tone are free.\n- Names in angle brackets such as <depth_image> stay as they are, each as often as before.{tail}\n\nThe text:\n{plain}\n\nAnswer with the rewritten text alone."
        ))],
        wanted: Wanted::Text,
        lacked: String::new(),
    }
}

/// What keeps a rewriting from being used; the rewriting without blanks at its ends if nothing does.
///
/// # Errors
/// It is empty, names other references, changes what stands behind `lead`, is too long, or tells whose voice it is.
pub fn check(plain: &str, voice: &str, lead: &str, reply: &str) -> Result<String, Error> {
    let reply = reply.trim();
    if reply.is_empty() {
        return Err(Error::reply("The reply is empty."));
    }
    if tokens(reply) != tokens(plain) {
        return Err(Error::reply(
            "It does not name the same references as often as the plain text.",
        ));
    }
    let behind = |text: &str| {
        text.split_once(lead)
            .map(|(_, tail)| tail.trim_end().to_owned())
    };
    if let Some(tail) = behind(plain)
        && behind(reply).as_ref() != Some(&tail)
    {
        return Err(Error::reply(format!(
            "What stands behind “{lead}” was changed."
        )));
    }
    if reply.chars().count() > MAX_GROWTH * plain.chars().count() {
        return Err(Error::reply(format!(
            "It is more than {MAX_GROWTH} times as long as the plain text."
        )));
    }
    let (of_voice, own, said) = (words(voice), words(plain), words(reply));
    let told = of_voice.difference(&own).find(|word| said.contains(*word));
    if let Some(word) = told {
        return Err(Error::reply(format!(
            "It tells whose voice it is: “{word}”."
        )));
    }
    Ok(reply.to_owned())
}

/// Names in angle brackets, sorted, each as often as it stands there.
fn tokens(text: &str) -> Vec<&str> {
    let parts = text.split('<').skip(1);
    let mut found: Vec<&str> = parts
        .filter_map(|part| Some(part.split_once('>')?.0))
        .collect();
    found.sort_unstable();
    found
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphabetic());
    let long = words.filter(|word| word.chars().count() >= MIN_LETTERS);
    long.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "Generate an image with <subject_1>. Take the depth from <depth_image>. The picture shows: A cat.";
    const VOICE: &str = "a pastry chef who never wastes a word";
    const LEAD: &str = "The picture shows:";

    #[test]
    fn there_are_forty_voices() {
        let mut voices = voices();
        assert_eq!(voices.len(), 40);
        voices.sort();
        voices.dedup();
        assert_eq!(voices.len(), 40);
    }

    #[test]
    fn a_rewriting_that_keeps_names_and_caption_is_taken_and_others_say_why_not() {
        let good =
            "  Bring <subject_1> to life, as deep as <depth_image>! The picture shows: A cat.\n";
        assert_eq!(check(PLAIN, VOICE, LEAD, good).as_deref(), Ok(good.trim()));
        for (bad, why) in [
            ("  ", "empty"),
            ("Draw <subject_1>. The picture shows: A cat.", "references"),
            (
                "Draw <subject_1>, <subject_1>, <depth_image>. The picture shows: A cat.",
                "references",
            ),
            (
                "Draw <subject_1> by <depth_image>. The picture shows: A dog.",
                "behind",
            ),
            ("Draw <subject_1> by <depth_image>.", "behind"),
            (
                "As a pastry, <subject_1> by <depth_image>. The picture shows: A cat.",
                "pastry",
            ),
        ] {
            let told = check(PLAIN, VOICE, LEAD, bad).expect_err(bad);
            assert!(told.to_string().contains(why), "{told}");
        }
        let long = good.replace("life", &"life ".repeat(100));
        assert!(check(PLAIN, VOICE, LEAD, &long).is_err());
        // A word that the instruction has itself tells nothing.
        assert!(
            check(
                &PLAIN.replace("depth from", "pastry from"),
                VOICE,
                LEAD,
                &good.replace("life", "pastry")
            )
            .is_ok()
        );
    }

    #[test]
    fn the_authors_form_keeps_everything_behind_its_first_caption() {
        let plain =
            "Generate an image as deep as <depth_image>. following the caption: A caption: red..";
        let good = "Let <depth_image> lead, and mind the caption: A caption: red..";
        assert!(check(plain, VOICE, "caption:", good).is_ok());
        let cut = "Let <depth_image> lead, and mind the caption: red..";
        assert!(check(plain, VOICE, "caption:", cut).is_err());
    }
}
