//! `metrics.jsonl`: one line per judged dialogue, read in one pass with every reply kept in its place.
//!
//! Such a file grows to tens of megabytes, nearly all of it reasons.
//! So nothing is copied out of it: a reply is a byte range, and its reason is only decoded when somebody looks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::findings::NotAsked;
use crate::weave::verdict::{self, Score};
use crate::weave::{ACC, CRITERIA, IQ, KP, VC};
use juror_model::linked::intern;
use juror_model::reply::{Fault, LineProblem, Readings, ReplyFile, ReplyLine, StoredReply};
use juror_reading::bytes::has_controls;
use juror_reading::keyed::Keyed;
use juror_reading::py::{self, Scanner, Value};
use juror_reading::text::Marks;

/// The domain that the authors' summary gives to a line that names none.
const NO_DOMAIN: &str = "unknown";

/// So many lines show how many replies a file of a given length has.
const LINES_TO_JUDGE_BY: u32 = 200;

/// Reads the file; lines that are not JSON are listed and passed over, as the authors' summary does.
pub fn read(text: String) -> ReplyFile {
    let mut reader = Reader::new();
    let mut start = 0;
    let mut number = 0;
    while start < text.len() {
        number += 1;
        let usual_end = reader.usual_line(&text, start, number);
        start = usual_end.unwrap_or_else(|| {
            let rest = &text.as_bytes()[start..];
            let end = memchr::memchr(b'\n', rest).map_or(text.len(), |at| start + at + 1);
            reader.line(&text, start..end, number);
            end
        });
        if number == LINES_TO_JUDGE_BY {
            // Room for what the rest promises, so that the list is not copied as it grows.
            let times = text.len() / start;
            reader
                .file
                .replies
                .reserve(times * reader.file.replies.len());
            reader.file.lines.reserve(times * reader.file.lines.len());
        }
    }
    let Reader {
        mut file,
        not_asked,
        ..
    } = reader;
    let hint = "Correct the key: paper leaves such a reply out, the authors' summary counts what is in an object whose key begins with \"turn \".";
    if let Some(problem) = not_asked.problem(&expected_keys(), hint) {
        file.problems.push(problem);
    }
    file.text = text;
    file
}

/// Keys of turns and of replies, as they have to be spelled.
fn expected_keys() -> String {
    format!(
        "\"turn 0\", \"turn 1\" and so on with {}",
        CRITERIA.join(", ")
    )
}

/// What the authors' summary makes of marks: it goes through the file line by line, so a byte order mark spoils the first one,
/// and bytes that are not UTF-8 end it without a result.
pub fn mark(marks: Marks, file: &mut ReplyFile) {
    const ORDER_MARK: &str = "The file begins with a byte order mark, with which line 1 is no JSON for the authors' code: it skips the line with a warning, so scored as authors' code it does not count.";
    const BROKEN: &str = "The file is not UTF-8 throughout, at which the authors' summary stops (UnicodeDecodeError) and writes no result: scored as authors' code there are no scores.";
    if marks.is_broken {
        file.refuse(0..u32::MAX, Fault::Undecodable, BROKEN);
    } else if marks.has_order_mark && file.lines.first().is_some_and(|line| line.number == 1) {
        file.refuse(0..1, Fault::Ignored, ORDER_MARK);
    }
}

struct Reader<'t> {
    file: ReplyFile,
    /// Turn keys of the line at hand: a repeated key replaces the first one's value.
    turns: Vec<TurnKey<'t>>,
    turn_places: Keyed,
    /// Keys of the line at hand that have two values, each with the bytes of the file that the last one is in.
    repeated: Vec<(Range<usize>, String)>,
    /// Replies by whose keys nothing is asked.
    not_asked: NotAsked,
    /// Replies of the line at hand that a repeated key replaced.
    dropped: Vec<Range<usize>>,
    /// Where criteria and domains stand in the file's lists.
    criteria: Keyed,
    domains: Keyed,
}

/// A turn's key behind `turn `, the positions of its replies, and its value.
struct TurnKey<'t> {
    suffix: Cow<'t, str>,
    replies: Range<usize>,
    value: &'t str,
}

/// The fields of a line other than its turns.
#[derive(Default)]
struct Head<'t> {
    sample: Option<String>,
    domain: Option<Cow<'t, str>>,
}

impl<'t> Reader<'t> {
    fn new() -> Self {
        Self {
            file: ReplyFile {
                criteria: CRITERIA.iter().map(|name| (*name).to_owned()).collect(),
                ..ReplyFile::default()
            },
            turns: Vec::new(),
            turn_places: Keyed::default(),
            repeated: Vec::new(),
            not_asked: NotAsked::default(),
            dropped: Vec::new(),
            criteria: Keyed::default(),
            domains: Keyed::default(),
        }
    }

    /// The short way through a line that is laid out as `json.dump` lays out what the authors' code collects.
    ///
    /// Returns where the next line starts; `None` for any other layout, which [`Self::line`] reads by the rules.
    fn usual_line(&mut self, text: &'t str, start: usize, number: u32) -> Option<usize> {
        let num_replies = self.file.replies.len();
        let mut scanner = Scanner::ahead(text, start);
        let object = self.usual_object(&mut scanner);
        let end = scanner.at;
        let is_line = matches!(text.as_bytes().get(end), Some(b'\n') | None);
        let Some((sample, domain)) = object.filter(|_| is_line && !has_controls(&text[start..end]))
        else {
            self.file.replies.truncate(num_replies);
            return None;
        };
        let domain = self.domain(domain);
        self.file.lines.push(ReplyLine {
            number,
            sample: Some(sample.to_owned()),
            domain,
        });
        Some(text.len().min(end + 1))
    }

    /// The `idx` and the domain; its turns are in order, and none of them is empty.
    fn usual_object(&mut self, scanner: &mut Scanner<'t>) -> Option<(&'t str, &'t str)> {
        (scanner.word("{") && scanner.plain_key("idx")).then_some(())?;
        let sample = scanner.digits()?;
        (scanner.word(", ") && scanner.plain_key("domain")).then_some(())?;
        let domain = scanner.plain_string()?;
        let mut next = 0;
        while scanner.word(", \"turn ") {
            let turn = scanner
                .digits()?
                .parse()
                .ok()
                .filter(|turn| *turn >= next)?;
            next = turn + 1;
            scanner.word("\": {").then_some(())?;
            self.usual_turn(scanner, turn)?;
        }
        scanner.word("}").then_some((sample, domain))
    }

    /// The replies of a turn; the scanner is after the opening brace.
    fn usual_turn(&mut self, scanner: &mut Scanner<'t>, turn: u32) -> Option<()> {
        let line = index(self.file.lines.len());
        let mut is_known = [false; CRITERIA.len()];
        loop {
            let criterion = usual_criterion(scanner)?;
            if std::mem::replace(&mut is_known[usize::from(criterion)], true) {
                return None;
            }
            let from = scanner.at;
            let score = Score::Number(usual_score(scanner)?);
            self.file.replies.push(StoredReply {
                line,
                turn: Some(turn).into(),
                criterion,
                raw: index(from)..index(scanner.at),
                readings: readings(criterion, &score),
            });
            if scanner.word("}") {
                return Some(());
            }
            scanner.word(", ").then_some(())?;
        }
    }

    /// Reads a line by the rules of JSON; what is not JSON becomes a problem.
    fn line(&mut self, text: &'t str, range: Range<usize>, number: u32) {
        let content = text[range.clone()].trim_end_matches(['\r', '\n']);
        if content.trim().is_empty() {
            return;
        }
        let num_replies = self.file.replies.len();
        self.turns.clear();
        self.turn_places = Keyed::default();
        self.dropped.clear();
        self.repeated.clear();
        let mut scanner = Scanner::new(content);
        match self.object(&mut scanner, range.clone(), number) {
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
                self.drop_replies();
                self.tell_repeated(num_replies, number);
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
        intern(&mut self.file.domains, &mut self.domains, name)
    }

    /// One line; `None` if it is JSON but not an object.
    fn object(
        &mut self,
        scanner: &mut Scanner<'t>,
        line: Range<usize>,
        number: u32,
    ) -> Result<Option<Head<'t>>, py::Fault> {
        scanner.space();
        if scanner.peek() != Some(b'{') {
            scanner.skip(0)?;
            scanner.end()?;
            return Ok(None);
        }
        scanner.at += 1;
        let mut head = Head::default();
        let mut first = true;
        let mut plain: [Option<&str>; 2] = [None; 2];
        while let Some(key) = scanner.key(&mut first)? {
            let start = scanner.at;
            let place = ["idx", "domain"].iter().position(|name| key.is(name));
            if place == Some(0) {
                head.sample = sample_id(scanner)?;
            } else if place == Some(1) {
                head.domain = Some(match scanner.peek() {
                    Some(b'"') => scanner.string()?.text(),
                    _ => scanner.value(1)?.describe().into(),
                });
            } else if let Some(suffix) = key.strip_prefix("turn ") {
                self.turn(scanner, line.start, suffix, number)?;
            } else if scanner.peek() == Some(b'{') {
                let value = scanner.value(1)?;
                if holds_replies(&value) {
                    self.not_asked
                        .note(number, || format!("\"{}\"", py::shorten(&key.text(), 60)));
                }
            } else {
                scanner.skip(1)?;
            }
            let value = scanner.since(start);
            if let Some(known) = place.and_then(|place| plain.get_mut(place)) {
                if known.is_some_and(|known| known != value) {
                    // Another domain changes nothing by the paper's rules.
                    let touched = if place == Some(0) { line.clone() } else { 0..0 };
                    self.repeated.push((touched, key.decode()));
                }
                *known = Some(value);
            }
        }
        scanner.end()?;
        Ok(Some(head))
    }

    /// Drops what an equal key gave before in this line: the last of two equal keys wins.
    fn forget_turn(&mut self, suffix: &str, value: &str, bytes: Range<usize>) {
        let known = (self.turn_places).find(suffix, &self.turns, |known| &known.suffix);
        if let Some(known) = known.and_then(|place| self.turns.get_mut(place)) {
            self.dropped.push(std::mem::take(&mut known.replies));
            if known.value != value {
                self.repeated.push((bytes, format!("turn {suffix}")));
            }
        }
    }

    /// Takes the replies of the line that have a key with two values from the paper's reading, and names the keys.
    fn tell_repeated(&mut self, first: usize, number: u32) {
        for (bytes, key) in std::mem::take(&mut self.repeated) {
            let replies = self.file.replies.iter().enumerate().skip(first);
            let touched = replies.filter(|(_, reply)| bytes.contains(&(reply.raw.start as usize)));
            let touched: Vec<u32> = touched.map(|(at, _)| index(at)).collect();
            self.file.repeat(touched, &key);
            self.file.tell_repeated(number, &key);
        }
    }

    /// Takes out what later equal keys of the line replaced.
    fn drop_replies(&mut self) {
        if self.dropped.is_empty() {
            return;
        }
        self.dropped.sort_by_key(|replies| replies.start);
        let mut dropped = self.dropped.iter().filter(|replies| !replies.is_empty());
        let mut next = dropped.next();
        let mut at = 0;
        self.file.replies.retain(|_| {
            while next.is_some_and(|replies| replies.end <= at) {
                next = dropped.next();
            }
            let is_kept = next.is_none_or(|replies| at < replies.start);
            at += 1;
            is_kept
        });
    }

    /// The replies of one turn, if its value is an object; the scanner is in front of it.
    fn turn(
        &mut self,
        scanner: &mut Scanner<'t>,
        base: usize,
        suffix: Cow<'t, str>,
        number: u32,
    ) -> Result<(), py::Fault> {
        let (from, start) = (scanner.at, self.file.replies.len());
        if scanner.peek() == Some(b'{') {
            self.replies_of_turn(scanner, base, &suffix, number)?;
        } else {
            scanner.skip(1)?;
        }
        let value = scanner.since(from);
        self.forget_turn(&suffix, value, base + from..base + scanner.at);
        let turn = TurnKey {
            suffix,
            replies: start..self.file.replies.len(),
            value,
        };
        let known = (self.turn_places).find(&turn.suffix, &self.turns, |known| &known.suffix);
        match known {
            Some(place) => self.turns[place] = turn,
            None => self.turns.push(turn),
        }
        Ok(())
    }

    /// The same of an object; the scanner is on its opening brace.
    fn replies_of_turn(
        &mut self,
        scanner: &mut Scanner<'t>,
        base: usize,
        suffix: &str,
        number: u32,
    ) -> Result<(), py::Fault> {
        // "turn 3" and nothing else names a turn; the authors' summary counts any key that begins with "turn ".
        let is_canonical = suffix == "0" || suffix.starts_with(|c: char| ('1'..='9').contains(&c));
        let turn = suffix.parse::<u32>().ok().filter(|_| is_canonical);
        let line = index(self.file.lines.len());
        scanner.at += 1;
        let mut first = true;
        let mut places: BTreeMap<u16, (usize, &str)> = BTreeMap::new();
        while let Some(key) = scanner.key(&mut first)? {
            let criterion = intern(&mut self.file.criteria, &mut self.criteria, &key.text());
            let from = scanner.at;
            let (score, repeated) = stored_score(scanner)?;
            let value = scanner.since(from);
            let bytes = base + from..base + scanner.at;
            let reply = StoredReply {
                line,
                turn: turn.into(),
                criterion,
                raw: index(bytes.start)..index(bytes.end),
                readings: readings(criterion, &score),
            };
            if turn.is_none() || usize::from(criterion) >= CRITERIA.len() {
                self.not_asked.note(number, || {
                    let key = py::shorten(&key.text(), 60);
                    format!("\"{key}\" in \"turn {}\"", py::shorten(suffix, 60))
                });
            }
            self.repeated
                .extend(repeated.map(|key| (bytes.clone(), key)));
            let end = self.file.replies.len();
            let (place, known) = *places.entry(criterion).or_insert((end, value));
            if known != value {
                self.repeated.push((bytes, key.decode()));
            }
            if place < end {
                self.file.replies[place] = reply;
            } else {
                self.file.replies.push(reply);
            }
        }
        Ok(())
    }
}

/// Whether an object is a stored reply, or has one for a value.
fn holds_replies(value: &Value) -> bool {
    let Value::Dict(entries) = value else {
        return false;
    };
    let mut values = entries.iter().map(|(_, value)| value);
    value.get("score").is_some() || values.any(|value| value.get("score").is_some())
}

/// The `idx` of a line, if it is a whole number or a text.
fn sample_id(scanner: &mut Scanner<'_>) -> Result<Option<String>, py::Fault> {
    let start = scanner.at;
    let value = scanner.value(1)?;
    let text = scanner.since(start);
    // So few digits print as they stand.
    let is_short = text.len() < 16 && text.bytes().all(|b| b.is_ascii_digit());
    Ok(if is_short {
        Some(text.to_owned())
    } else {
        value.id_text()
    })
}

/// Files are read whole, and Wasm cannot hold one of more than 4 GiB.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn readings(criterion: u16, score: &Score) -> Readings {
    Readings::new(
        verdict::strict_score(criterion, score),
        verdict::released_score(score),
    )
}

/// The `score` of a stored verdict, and the first key that it has twice with different values.
fn stored_score(scanner: &mut Scanner<'_>) -> Result<(Score, Option<String>), py::Fault> {
    let start = scanner.at;
    if let Some(x) = usual_score(scanner) {
        return Ok((Score::Number(x), None));
    }
    scanner.at = start;
    if scanner.peek() != Some(b'{') {
        scanner.skip(2)?;
        return Ok((Score::NotAnObject, None));
    }
    scanner.take_repeated();
    let value = scanner.value(2)?;
    Ok((Score::of_verdict(&value), scanner.take_repeated()))
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

/// Steps over the name of a criterion.
#[inline]
fn usual_criterion(scanner: &mut Scanner<'_>) -> Option<u16> {
    let mut is = |criterion: u16| scanner.plain_key(CRITERIA[usize::from(criterion)]);
    // Written out, as each name is then compared in a step or two.
    if is(KP) {
        Some(KP)
    } else if is(VC) {
        Some(VC)
    } else if is(IQ) {
        Some(IQ)
    } else {
        is(ACC).then_some(ACC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_the_rules(line: &str) -> ReplyFile {
        let mut reader = Reader::new();
        reader.line(line, 0..line.len(), 1);
        reader.file
    }

    #[test]
    fn the_short_way_reads_what_the_rules_read() {
        let turn = r#""key_point": {"score": 7, "reasoning": "so \"it\" is"}, "image_quality": {"score": 11, "reasoning": ""}"#;
        for line in [
            r#"{"idx": 0, "domain": "optics"}"#.to_owned(),
            format!(r#"{{"idx": 12, "domain": "maze", "turn 0": {{{turn}}}}}"#),
            format!(r#"{{"idx": 5, "domain": "é", "turn 0": {{{turn}}}, "turn 2": {{{turn}}}}}"#),
            format!(
                r#"{{"idx": 5, "domain": "edit", "turn 3": {{"accuracy": {{"score": 10, "reasoning": "{}"}}}}}}"#,
                "long ".repeat(30)
            ),
        ] {
            for behind in ["", "\n", "\n{"] {
                let text = format!("{line}{behind}");
                let mut short = Reader::new();
                let next = short.usual_line(&text, 0, 1);
                assert_eq!(next, Some(text.len().min(line.len() + 1)), "{text}");
                assert_eq!(
                    format!("{:?}", short.file),
                    format!("{:?}", by_the_rules(&line))
                );
            }
        }
    }

    #[test]
    fn the_short_way_leaves_every_other_layout_to_the_rules() {
        let good = r#"{"idx": 1, "domain": "edit", "turn 0": {"accuracy": {"score": 5, "reasoning": "x"}}}"#;
        assert_eq!(Reader::new().usual_line(good, 0, 1), Some(good.len()));
        let accuracy = r#""accuracy": {"score": 5, "reasoning": "x"}"#;
        for (part, other) in [
            ("1,", "01,"),
            ("1,", "1.5,"),
            ("1,", "\"1\","),
            ("\"edit\"", "\"e\\u0064it\""),
            ("\"edit\"", "null"),
            ("turn 0", "turn 00"),
            ("turn 0", "turn 4294967296"),
            ("turn 0", "turn"),
            ("accuracy", "clarity"),
            ("accuracy", "accuracy "),
            (accuracy, &format!("{accuracy}, {accuracy}")),
            (accuracy, ""),
            ("5,", "5.0,"),
            ("5,", "true,"),
            ("x\"", "x\", \"score\": 3"),
            ("x\"", "\t\""),
            ("x\"", "\\x\""),
            ("x\"", "x"),
            ("}}}", "}}, \"turn 0\": {}}"),
            ("}}}", "}}} "),
            ("}}}", "}}}\r"),
            ("}}}", "}}"),
            (": 5", ":\n5"),
        ] {
            let line = good.replacen(part, other, 1);
            assert_ne!(line, good);
            let mut reader = Reader::new();
            assert_eq!(reader.usual_line(&line, 0, 1), None, "{line}");
            assert!(
                reader.file.replies.is_empty() && reader.file.lines.is_empty(),
                "{line} leaves nothing behind"
            );
        }
    }
}
