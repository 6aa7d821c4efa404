//! A judge's reply → five numbers, by two readers.
//!
//! The strict reader (`paper`) wants each label on a line of its own with a whole number from 1 to 10;
//! the imitation (`released`) does what the authors' `extract_scores` does: the first match of
//! `<label>:\s*(\d+)` anywhere counts, whatever is around it and however large the number is.

use crate::contract::Reading;
use crate::multibanana::MultiBanana;
use crate::reply::{behind_label, names_label};
use crate::thoughts;
use crate::tolerant::{Key, Shape, Wanted};
use juror_model::reply::{Fault, ParsedReply, Read, Verdict};
use juror_model::sample::Sample;
use juror_model::terms::Atom;
use std::collections::BTreeMap;

use super::{CRITERIA, LABELS, MAX_SCORE, MIN_SCORE, atoms};
use juror_model::options::Profile;
use juror_model::prompt::PromptPack;
use juror_reading::limits;
use juror_reading::py;
use juror_statistics::small::CollectSmall;

impl Reading for MultiBanana {
    fn read(&self, _sample: Option<&Sample>, _request: &str, reply: &str) -> Read {
        Read::Several(verdict_of(reply))
    }

    fn parse(
        &self,
        _sample: Option<&Sample>,
        _request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        parse(profile, reply)
    }

    fn grammar(&self, _sample: Option<&Sample>, _request: &str) -> String {
        GRAMMAR.to_owned()
    }

    fn wanted(&self, _sample: Option<&Sample>, _request: &str) -> Option<Wanted> {
        Some(Wanted {
            keys: LABELS.map(|label| Key::new(label, MAX_SCORE)).to_vec(),
            shape: Shape::Lines,
        })
    }

    fn atoms(&self, _sample: &Sample, request: &str, _pack: &PromptPack) -> Vec<Atom> {
        atoms::of(request)
    }

    fn compose(&self, _sample: &Sample, _request: &str, values: &[f64]) -> String {
        atoms::compose(values)
    }
}

/// Scores in the order of [`LABELS`].
pub type Atoms = [f64; 5];

/// What the reply has to look like.
pub const GRAMMAR: &str = "Reasoning: text, then five lines: Instruction Alignment, Reference Consistency, Background-Subject Match, Physical Realism, Visual Quality, each followed by a colon and a whole number from 1 to 10";

/// What the authors' scripts write in place of a reply when the call fails.
const ERROR_PREFIX: &str = "Error during evaluation:";

/// Why a reply gives no scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyFault {
    /// The kind of failure.
    pub fault: Fault,
    /// What was expected, what was found, what to do.
    pub detail: String,
}

impl ReplyFault {
    fn new(fault: Fault, detail: impl Into<String>) -> Self {
        Self {
            fault,
            detail: detail.into(),
        }
    }
}

/// The reading of a profile.
pub fn read(profile: Profile, reply: &str) -> Result<Atoms, ReplyFault> {
    if let Some(detail) = limits::long_reply(reply) {
        return Err(ReplyFault::new(Fault::Unparsable, detail));
    }
    match profile {
        Profile::Paper => paper(reply),
        Profile::Released => released(reply),
    }
}

/// Strict: five labels, each on its own line with one whole number from 1 to 10.
///
/// A label inside a sentence of the reasoning is passed over, so only the final block counts.
/// `7`, `7.` and `7/10` are the number 7; two lines of one label with different numbers are refused, not chosen from.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::verdict::paper;
/// let reply = "Reasoning: Instruction Alignment: 2 at first sight.\nInstruction Alignment: 5.\nReference Consistency: 6.\n\
///     Background-Subject Match: 7/10\nPhysical Realism: 8\nVisual Quality: 9.";
/// assert_eq!(paper(reply), Ok([5.0, 6.0, 7.0, 8.0, 9.0]));
/// ```
pub fn paper(reply: &str) -> Result<Atoms, ReplyFault> {
    if let Some(failure) = failed_call(reply) {
        return Err(failure);
    }
    let refuse = |detail: String| ReplyFault::new(Fault::Unparsable, detail);
    thoughts::apart(reply, strict, refuse).map_err(|mut finding| {
        if finding.fault == Fault::Unparsable {
            finding.detail = thoughts::told(reply, finding.detail);
        }
        finding
    })
}

/// The five labels' scores under the strict grammar.
fn strict(reply: &str) -> Result<Atoms, ReplyFault> {
    let mut scores = [f64::NAN; 5];
    for (score, label) in scores.iter_mut().zip(LABELS) {
        *score = strict_score(reply, label)?;
    }
    Ok(scores)
}

/// One label's score under the strict grammar.
fn strict_score(reply: &str, label: &str) -> Result<f64, ReplyFault> {
    let unparsable =
        |found: String| ReplyFault::new(Fault::Unparsable, format!("{found} Expected {GRAMMAR}."));
    let mut numbers: Vec<f64> = Vec::new();
    let mut odd = None;
    for line in reply.lines() {
        let value = line
            .trim()
            .strip_prefix(label)
            .and_then(|rest| rest.strip_prefix(':'));
        let number = value.and_then(strict_number);
        let again = || names_label(line, label).filter(|_| !numbers.is_empty());
        let unread = value.or_else(|| behind_label(line, label)).or_else(again);
        match (number, unread) {
            (Some(number), _) => numbers.push(number),
            // A draft must not stand in for a final line in another form.
            (None, Some(_)) if !numbers.is_empty() => {
                return Err(unparsable(format!(
                    "{label} is given again, in a line that cannot be read: \"{}\".",
                    py::shorten(line.trim(), 60)
                )));
            }
            (None, _) => odd = odd.or(value.map(str::trim)),
        }
    }
    let Some(&number) = numbers.first() else {
        return Err(match odd {
            Some(value) => unparsable(format!(
                "{label} is \"{}\", not a number.",
                py::shorten(value, 40)
            )),
            None => unparsable(format!("No line gives {label}.")),
        });
    };
    #[expect(clippy::float_cmp, reason = "the same digits are the same number")]
    if let Some(other) = numbers.iter().find(|other| **other != number) {
        return Err(unparsable(format!(
            "{label} is given twice, as {number} and as {other}."
        )));
    }
    if !(MIN_SCORE..=MAX_SCORE).contains(&number) || number.fract() != 0.0 {
        return Err(ReplyFault::new(
            Fault::OutOfRange,
            format!(
                "{label} is {number}, which is not a whole number from 1 to 10. Judge this set again."
            ),
        ));
    }
    Ok(number)
}

/// `7`, `7.`, `7/10`, `7/10.`; also a negative or fractional number, so that it can be called off the scale.
fn strict_number(value: &str) -> Option<f64> {
    let value = value.trim();
    let value = value.strip_suffix('.').unwrap_or(value);
    let value = value.strip_suffix("/10").unwrap_or(value);
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    value.parse().ok().filter(|_| is_number)
}

/// As the authors' `extract_scores`: five independent searches, the first match of each counts, no range check.
///
/// `\s` and `\d` are Python's: white space and decimal digits of any script.
/// A reply in which one label does not match gives nothing at all, and the authors' summary says nothing about it.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::verdict::released;
/// let reply = "| Instruction Alignment: 15 | Reference Consistency: 5/10 | Background-Subject Match: 4.5 | Physical Realism:\n5 | Visual Quality: 08 |";
/// assert_eq!(released(reply), Ok([15.0, 5.0, 4.0, 5.0, 8.0]));
/// ```
pub fn released(reply: &str) -> Result<Atoms, ReplyFault> {
    let mut scores = [f64::NAN; 5];
    for (score, label) in scores.iter_mut().zip(LABELS) {
        let Some(found) = first_match(reply, label) else {
            return Err(failed_call(reply).unwrap_or_else(|| {
                ReplyFault::new(
                    Fault::Ignored,
                    format!(
                        "\"{label}:\" is nowhere followed by a number; the authors' summary passes over the file without a word."
                    ),
                )
            }));
        };
        if found.is_infinite() {
            return Err(ReplyFault::new(
                Fault::Stops,
                format!(
                    "{label} has a number of so many digits that the authors' summary stops (OverflowError: int too large to convert to float) and writes no result. Judge this set again."
                ),
            ));
        }
        *score = found;
    }
    Ok(scores)
}

/// The number of the leftmost match of `<label>:\s*(\d+)`.
fn first_match(reply: &str, label: &str) -> Option<f64> {
    reply.match_indices(label).find_map(|(at, _)| {
        let value = reply[at + label.len()..]
            .strip_prefix(':')?
            .trim_start_matches(py::is_space);
        let digits: String = value
            .chars()
            .map_while(py::decimal_digit)
            .map(|digit| char::from(b'0' + digit))
            .collect();
        digits.parse().ok()
    })
}

/// An error message in the reply's place, or nothing at all.
fn failed_call(reply: &str) -> Option<ReplyFault> {
    let text = reply.trim();
    let hint = "Delete the file and run the judging again: the authors' script skips every set that has one.";
    if text.is_empty() {
        let detail = format!("The judge gave no answer; the file is empty. {hint}");
        return Some(ReplyFault::new(Fault::FailedCall, detail));
    }
    let message = text.strip_prefix(ERROR_PREFIX)?;
    let message = py::shorten(message.trim(), 200);
    Some(ReplyFault::new(
        Fault::FailedCall,
        format!("The call failed: {message}. {hint}"),
    ))
}

/// One raw reply as `juror parse` prints it.
pub fn parse(profile: Profile, reply: &str) -> ParsedReply {
    match read(profile, reply) {
        Ok(scores) => ParsedReply::Ok {
            criteria: CRITERIA
                .iter()
                .zip(scores)
                .map(|(id, score)| ((*id).to_owned(), score))
                .collect_small::<BTreeMap<_, _>>(),
            score: Some(super::score::total(profile, &scores)),
            reason: reason(reply).to_owned(),
        },
        Err(ReplyFault { fault, detail }) => ParsedReply::Incident {
            kind: match fault {
                Fault::OutOfRange => "out_of_range",
                Fault::FailedCall => "failed_call",
                _ => "unparsable",
            }
            .to_owned(),
            detail,
        },
    }
}

/// The text before the five scores, without the word `Reasoning:`.
pub fn reason(reply: &str) -> &str {
    let end = reply
        .match_indices(LABELS[0])
        .map(|(at, _)| at)
        .filter(|at| reply[..*at].trim_end_matches([' ', '\t']).ends_with('\n'))
        .last()
        .unwrap_or(reply.len());
    let text = reply[..end].trim();
    text.strip_prefix("Reasoning:").unwrap_or(text).trim()
}

/// Both readings of a reply.
pub(super) fn verdict_of(reply: &str) -> Verdict {
    let atoms = |profile| {
        read(profile, reply)
            .map(|scores| scores.to_vec().into_boxed_slice())
            .map_err(|finding| finding.fault)
    };
    Verdict {
        paper: atoms(Profile::Paper),
        released: atoms(Profile::Released),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn block(values: [&str; 5]) -> String {
        let lines: Vec<String> = LABELS
            .iter()
            .zip(values)
            .map(|(label, value)| format!("{label}: {value}\n"))
            .collect();
        lines.concat()
    }

    #[test]
    fn the_strict_reader_takes_whole_numbers_on_the_scale() {
        for (value, expected) in [
            ("7", Ok(7.0)),
            ("7.", Ok(7.0)),
            (" 10. ", Ok(10.0)),
            ("1/10", Ok(1.0)),
            ("7/10.", Ok(7.0)),
            ("05", Ok(5.0)),
            ("0", Err(Fault::OutOfRange)),
            ("11", Err(Fault::OutOfRange)),
            ("-3", Err(Fault::OutOfRange)),
            ("8.5", Err(Fault::OutOfRange)),
            ("<7>", Err(Fault::Unparsable)),
            ("**7**", Err(Fault::Unparsable)),
            ("7/9", Err(Fault::Unparsable)),
            ("about 7", Err(Fault::Unparsable)),
            ("7, Reference Consistency: 6", Err(Fault::Unparsable)),
            ("inf", Err(Fault::Unparsable)),
            ("１０", Err(Fault::Unparsable)),
            ("", Err(Fault::Unparsable)),
        ] {
            let read = paper(&block([value, "5", "5", "5", "5"]));
            let first = read
                .map(|scores| scores[0])
                .map_err(|finding| finding.fault);
            assert_eq!(first, expected, "{value}");
        }
    }

    #[test]
    fn a_draft_never_stands_in_for_a_final_block_in_another_form() {
        let draft = block(["4", "3", "2", "4", "3"]);
        for form in [
            |label: &str| format!("**{label}:** 7\n"),
            |label: &str| format!("**{label}**: 7\n"),
            |label: &str| format!("- {label}: 7\n"),
            |label: &str| format!("| {label} | 7 |\n"),
            |label: &str| format!("### {label}: 7\n"),
            |label: &str| format!("{label}: **7**\n"),
            |label: &str| format!("{label}: 7 out of 10\n"),
        ] {
            let last: String = LABELS.iter().map(|label| form(label)).collect();
            let finding = paper(&format!("{draft}\nFinal:\n{last}")).unwrap_err();
            assert_eq!(finding.fault, Fault::Unparsable, "{last}");
            assert!(finding.detail.contains("given again"), "{}", finding.detail);
            // The other way round the last line is the one that is read.
            assert_eq!(
                paper(&format!("{last}\nFinal:\n{draft}")),
                Ok([4.0, 3.0, 2.0, 4.0, 3.0])
            );
        }
        // A sentence that mentions a label is no line of it.
        let after =
            "So the Visual Quality: it convinces.\nVisual Quality is what I looked at last.";
        assert!(paper(&format!("{draft}{after}")).is_ok());
        for last in [
            "Revised Visual Quality: 7",
            "The Visual Quality: I changed it to 3",
            "(e) Visual Quality: 3",
            "Visual Quality (final): 3",
            "Visual\u{a0}Quality: 3",
            "So I give visual-quality: three",
            "{\"Instruction Alignment\": 7, \"Visual Quality\": 8}",
            "In the end: Background Subject Match: 9",
        ] {
            let finding = paper(&format!("{draft}{last}")).unwrap_err();
            assert_eq!(finding.fault, Fault::Unparsable, "{last}");
            // Before the block it is a draft.
            assert!(paper(&format!("{last}\n{draft}")).is_ok(), "{last}");
        }
    }

    #[test]
    fn two_blocks_are_refused_only_if_they_differ() {
        let one = block(["5", "5", "4", "5", "8"]);
        assert_eq!(paper(&format!("{one}{one}")), Ok([5.0, 5.0, 4.0, 5.0, 8.0]));
        let finding = paper(&format!("{one}{}", block(["5", "5", "4", "5", "9"]))).unwrap_err();
        assert_eq!(finding.fault, Fault::Unparsable);
        assert!(
            finding
                .detail
                .starts_with("Visual Quality is given twice, as 8 and as 9."),
            "{}",
            finding.detail
        );
    }

    #[test]
    fn a_number_of_400_digits_stops_the_authors_summary() {
        let long = "9".repeat(400);
        let finding = released(&block([&long, "5", "5", "5", "5"])).unwrap_err();
        assert_eq!(finding.fault, Fault::Stops);
        assert!(
            finding.detail.contains("OverflowError"),
            "{}",
            finding.detail
        );
        let short = "9".repeat(300);
        assert!(released(&block([&short, "5", "5", "5", "5"])).is_ok());
    }

    #[test]
    fn a_draft_in_the_thoughts_of_a_model_is_no_verdict() {
        let (draft, last) = (block(["3"; 5]), block(["9", "8", "9", "8", "9"]));
        for reply in [
            format!("<think>\n{draft}</think>\n{last}"),
            format!("<think>\n{draft}"),
            format!("{draft}</think>\nThe lamp is lit."),
        ] {
            let finding = paper(&reply).unwrap_err();
            assert_eq!(finding.fault, Fault::Unparsable);
            assert!(
                finding.detail.contains("thoughts of a reasoning model")
                    && finding.detail.contains("--reading tolerant"),
                "{}",
                finding.detail
            );
        }
        // Thoughts without a draft hide nothing.
        let plain = format!("<think>The lamp is lit.</think>\n{last}");
        assert_eq!(paper(&plain), Ok([9.0, 8.0, 9.0, 8.0, 9.0]));
    }

    #[test]
    fn errors_and_empty_files_are_failed_calls_in_both_profiles() {
        for reply in ["Error during evaluation: 429 quota", "", " \n"] {
            for profile in [Profile::Paper, Profile::Released] {
                let fault = read(profile, reply).map_err(|finding| finding.fault);
                assert_eq!(fault, Err(Fault::FailedCall), "{reply:?}");
            }
        }
        assert_eq!(
            released("no scores").map_err(|finding| finding.fault),
            Err(Fault::Ignored)
        );
    }

    #[test]
    fn the_reason_ends_where_the_last_block_starts() {
        let reply = "Reasoning: The Instruction Alignment is fine.\n\nInstruction Alignment: 7.";
        assert_eq!(reason(reply), "The Instruction Alignment is fine.");
        assert_eq!(reason("only words"), "only words");
    }
}
