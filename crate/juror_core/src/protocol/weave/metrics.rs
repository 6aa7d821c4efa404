//! `metrics.jsonl`: one line per judged dialogue, read in one pass with every reply kept where it stands.
//!
//! Such a file grows to tens of megabytes, nearly all of it reasons.
//! So nothing is copied out of it: a reply is a byte range, and its reason is only decoded when somebody looks.

use std::borrow::Cow;
use std::ops::Range;

use super::CRITERIA;
use super::layout::id_text;
use super::verdict::{self, Score};
use crate::protocol::{LineProblem, Readings, ReplyFile, ReplyLine, StoredReply, intern};
use crate::py::{Fault, Scanner, Value};

/// The domain that the authors' summary gives to a line that names none.
const NO_DOMAIN: &str = "unknown";

/// Reads the file; lines that are not JSON are listed and passed over, as the authors' summary does.
pub fn read(text: String) -> ReplyFile {
    let mut reader = Reader {
        file: ReplyFile {
            criteria: CRITERIA.iter().map(|name| (*name).to_owned()).collect(),
            ..ReplyFile::default()
        },
        turn_starts: Vec::new(),
    };
    let mut start = 0;
    let mut number = 0;
    let line_ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    for end in line_ends.chain([text.len()]) {
        number += 1;
        reader.line(&text, start..end, number);
        start = end;
    }
    let mut file = reader.file;
    file.text = text;
    file
}

struct Reader<'t> {
    file: ReplyFile,
    /// Turn keys of the line at hand, with the position of their first reply: a repeated key replaces the first one's value.
    turn_starts: Vec<(Cow<'t, str>, usize)>,
}

/// What stands in a line besides its turns.
#[derive(Default)]
struct Head<'t> {
    sample: Option<String>,
    domain: Option<Cow<'t, str>>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, text: &'t str, range: Range<usize>, number: u32) {
        let content = text[range.clone()].trim_end_matches(['\r', '\n']);
        if content.trim().is_empty() {
            return;
        }
        let num_replies = self.file.replies.len();
        self.turn_starts.clear();
        let mut scanner = Scanner::new(content);
        match self.object(&mut scanner, range.start) {
            Err(fault) => {
                self.file.replies.truncate(num_replies);
                let error = fault.locate(content);
                let is_last = range.end == text.len() && !text.ends_with('\n');
                self.problem(
                    number,
                    "bad_line",
                    format!("This line is not JSON: {} at column {}.", error.message, error.column),
                    if is_last {
                        "The file ends in the middle of a line: the dialogue counts as not judged. Run the judging again; it resumes."
                    } else {
                        "The dialogue counts as not judged. Remove the line and run the judging again; it resumes."
                    },
                );
            }
            Ok(None) => self.problem(
                number,
                "bad_line",
                "Expected an object with idx, domain and turns.".to_owned(),
                "The line is passed over.",
            ),
            Ok(Some(head)) => {
                if head.sample.is_none() {
                    self.problem(
                        number,
                        "no_idx",
                        "The line has no idx, so it is not known which dialogue it judges."
                            .to_owned(),
                        "Only the authors' summary counts it.",
                    );
                }
                let domain = self.domain(head.domain.as_deref().unwrap_or(NO_DOMAIN));
                self.file.lines.push(ReplyLine {
                    number,
                    sample: head.sample,
                    domain,
                });
            }
        }
    }

    fn problem(&mut self, line: u32, code: &'static str, message: String, hint: &'static str) {
        self.file.problems.push(LineProblem {
            line,
            code,
            message,
            hint,
        });
    }

    fn domain(&mut self, name: &str) -> u16 {
        intern(&mut self.file.domains, name)
    }

    /// One line; `None` if it is JSON but not an object.
    fn object(
        &mut self,
        scanner: &mut Scanner<'t>,
        base: usize,
    ) -> Result<Option<Head<'t>>, Fault> {
        scanner.space();
        if scanner.peek() != Some(b'{') {
            scanner.skip(0)?;
            scanner.end()?;
            return Ok(None);
        }
        scanner.at += 1;
        let mut head = Head::default();
        let mut first = true;
        while let Some(key) = scanner.key(&mut first)? {
            if key.is("idx") {
                head.sample = sample_id(scanner)?;
            } else if key.is("domain") {
                head.domain = Some(match scanner.peek() {
                    Some(b'"') => scanner.string()?.text(),
                    _ => scanner.value(1)?.describe().into(),
                });
            } else {
                let suffix = key.strip_prefix("turn ");
                if let Some(suffix) = &suffix {
                    self.forget_turn(suffix);
                }
                match suffix {
                    Some(suffix) if scanner.peek() == Some(b'{') => {
                        self.turn(scanner, base, suffix)?;
                    }
                    _ => scanner.skip(1)?,
                }
            }
        }
        scanner.end()?;
        Ok(Some(head))
    }

    /// Drops what an equal key gave before in this line: the last of two equal keys wins.
    fn forget_turn(&mut self, suffix: &str) {
        let Some(index) = self.turn_starts.iter().position(|(name, _)| name == suffix) else {
            return;
        };
        let (_, start) = self.turn_starts.remove(index);
        let next = self.turn_starts.get(index).map(|(_, at)| *at);
        let end = next.unwrap_or(self.file.replies.len());
        self.file.replies.drain(start..end);
        for (_, at) in &mut self.turn_starts[index..] {
            *at -= end - start;
        }
    }

    /// The replies of one turn; the scanner stands on the opening brace.
    fn turn(
        &mut self,
        scanner: &mut Scanner<'t>,
        base: usize,
        suffix: Cow<'t, str>,
    ) -> Result<(), Fault> {
        let start = self.file.replies.len();
        // "turn 3" and nothing else names a turn; the authors' summary counts any key that begins with "turn ".
        let is_canonical =
            &*suffix == "0" || suffix.starts_with(|c: char| ('1'..='9').contains(&c));
        let turn = suffix.parse::<u32>().ok().filter(|_| is_canonical);
        self.turn_starts.push((suffix, start));
        let line = u32::try_from(self.file.lines.len()).unwrap_or(u32::MAX);
        scanner.at += 1;
        let mut first = true;
        while !scanner.word("}") {
            let criterion = match usual_criterion(scanner, &mut first) {
                Some(known) => known,
                None => match scanner.key(&mut first)? {
                    None => break,
                    Some(key) => intern(&mut self.file.criteria, &key.text()),
                },
            };
            let from = base + scanner.at;
            let score = stored_score(scanner)?;
            let raw = offset(from)..offset(base + scanner.at);
            let readings = Readings::new(
                verdict::strict_score(criterion, &score),
                verdict::released_score(&score),
            );
            let reply = StoredReply {
                line,
                turn,
                criterion,
                raw,
                readings,
            };
            match self.file.replies[start..]
                .iter_mut()
                .find(|reply| reply.criterion == criterion)
            {
                Some(older) => *older = reply,
                None => self.file.replies.push(reply),
            }
        }
        Ok(())
    }
}

/// The `idx` of a line, if it is a whole number or a text.
fn sample_id(scanner: &mut Scanner<'_>) -> Result<Option<String>, Fault> {
    let start = scanner.at;
    let value = scanner.value(1)?;
    let (Value::Int(_) | Value::Str(_)) = value else {
        return Ok(None);
    };
    let text = scanner.since(start);
    // So few digits print as they stand.
    let is_short = text.len() < 16 && text.bytes().all(|b| b.is_ascii_digit());
    Ok(Some(if is_short {
        text.to_owned()
    } else {
        id_text(&value)
    }))
}

/// Files are read whole, and Wasm cannot hold one of more than 4 GiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The `score` of a stored verdict, with the rest stepped over.
fn stored_score(scanner: &mut Scanner<'_>) -> Result<Score, Fault> {
    let start = scanner.at;
    if let Some(x) = usual_score(scanner) {
        return Ok(Score::Number(x));
    }
    scanner.at = start;
    if scanner.peek() != Some(b'{') {
        scanner.skip(2)?;
        return Ok(Score::NotAnObject);
    }
    scanner.at += 1;
    let mut score = Score::Absent;
    let mut first = true;
    while let Some(key) = scanner.key(&mut first)? {
        if key.is("score") {
            score = Score::of(&scanner.value(3)?);
        } else {
            scanner.skip(3)?;
        }
    }
    Ok(score)
}

/// The short way to the score of a verdict that is laid out as nearly all are: `{"score": 7, "reasoning": "…"}`.
///
/// `None` for any other layout, which the rules then read from its start.
#[inline]
fn usual_score(scanner: &mut Scanner<'_>) -> Option<f64> {
    (scanner.word("{") && scanner.plain_key("score")).then_some(())?;
    let x = scanner.small_int()?;
    (scanner.word(", ") && scanner.plain_key("reasoning")).then_some(())?;
    (scanner.peek() == Some(b'"')).then_some(())?;
    scanner.long_string().ok()?;
    scanner.word("}").then_some(x)
}

/// The short way to the next key of a turn, if it is a known criterion; otherwise the scanner stays.
#[inline]
fn usual_criterion(scanner: &mut Scanner<'_>, first: &mut bool) -> Option<u16> {
    let start = scanner.at;
    let is_next = *first || scanner.word(", ");
    let known = CRITERIA
        .iter()
        .position(|name| is_next && scanner.plain_key(name));
    match known {
        Some(_) => *first = false,
        None => scanner.at = start,
    }
    known.and_then(|at| u16::try_from(at).ok())
}
