//! A judge's reply → the numbers of a request's criteria, by one strict reader.
//!
//! There is no code of authors to imitate, so both profiles read alike.

use crate::atoms::of_criteria;
use crate::contract::{Reading, Scoring};
use crate::declared::Declared;
use crate::error::Error;
use juror_model::options::Profile;
use juror_model::prompt::PromptPack;
use juror_model::sample::Sample;
use juror_model::terms::Atom;
use std::collections::BTreeMap;

use super::declaration::{Criterion, Declaration, Form, Request, Step};
use super::json::Json;
use crate::reply;
use crate::thoughts;
use crate::tolerant::{Key, Shape, Wanted};
use juror_model::reply::{Fault, ParsedReply, Read, Verdict};
use juror_reading::limits;
use juror_reading::py::shorten;
use juror_statistics::small::{CollectSmall, SortSmall};

impl Reading for Declared {
    fn read(&self, _sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        let reader = Reader::new(&self.says, request);
        let unknown = Verdict::fault(juror_model::reply::Fault::Unparsable);
        Read::Several(reader.map_or(unknown, |reader| reader.verdict(reply)))
    }

    fn parse(
        &self,
        _sample: Option<&Sample>,
        request: &str,
        _profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        match Reader::new(&self.says, request) {
            Some(reader) => reader.parse(reply, |numbers| self.score_of(request, numbers)),
            None => ParsedReply::Incident {
                kind: "unparsable".to_owned(),
                detail: format!("{} has no request {request}.", self.path),
            },
        }
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        Reader::new(&self.says, request).map_or_else(String::new, Reader::grammar)
    }

    fn wanted(&self, _sample: Option<&Sample>, request: &str) -> Option<Wanted> {
        Some(Reader::new(&self.says, request)?.wanted())
    }

    fn atoms(&self, _sample: &Sample, request: &str, _pack: &PromptPack) -> Vec<Atom> {
        let asked = Reader::new(&self.says, request).map(Reader::ids);
        let asked = asked.unwrap_or_default();
        let criteria = self.criteria().into_iter();
        // The reply gives them in the request's order.
        let mut atoms = of_criteria(
            request,
            criteria.filter(|info| asked.contains(&info.id.as_str())),
        );
        atoms.sort_small_by_key(|atom| asked.iter().position(|id| *id == atom.id));
        atoms
    }

    fn compose(&self, _sample: &Sample, request: &str, values: &[f64]) -> String {
        let reader = Reader::new(&self.says, request);
        reader.map_or_else(String::new, |reader| reader.compose(values))
    }
}

/// Why a reply gives no scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) fault: Fault,
    /// What was expected, what was found, what to do.
    pub(super) detail: String,
}

/// A request with its criteria.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    request: &'a Request,
    criteria: &'a [Criterion],
}

impl<'a> Reader<'a> {
    /// The reader of this request's replies, if there is such a request.
    pub(super) fn new(says: &'a Declaration, request: &str) -> Option<Self> {
        let request = says.requests.iter().find(|known| known.id == request)?;
        Some(Self {
            request,
            criteria: &says.criteria,
        })
    }

    fn criteria(self) -> impl Iterator<Item = &'a Criterion> {
        let criteria = self.criteria;
        self.request.criteria.iter().map(move |at| &criteria[*at])
    }

    /// What the reply has to look like.
    pub(super) fn grammar(self) -> String {
        let scales = self.criteria().map(|criterion| {
            let scale = criterion.scale_in_words();
            match self.request.form {
                Form::Json => format!("\"{}\": {scale}", criterion.reply),
                Form::Lines => format!("{}: {scale}", criterion.reply),
            }
        });
        let mut scales: Vec<String> = scales.collect();
        match self.request.form {
            Form::Json => {
                let reason = self.request.reason.iter();
                scales.extend(reason.map(|key| format!("\"{key}\": text")));
                format!("{{{}}}", scales.join(", "))
            }
            Form::Lines => format!("lines with {}", scales.join("; ")),
        }
    }

    /// What a rewritten reply has to give.
    fn wanted(self) -> Wanted {
        let mut names = self.criteria().map(|criterion| &criterion.reply);
        let shape = match self.request.form {
            Form::Lines => Shape::Lines,
            Form::Json if names.any(|name| name.starts_with('/')) => Shape::Whole,
            Form::Json => Shape::Object,
        };
        let key = |criterion: &Criterion| {
            let whole = criterion.reply.as_str();
            // Of a pointer, the key that it ends with.
            let last = whole.rsplit('/').next().filter(|_| shape == Shape::Whole);
            Key::new(last.unwrap_or(whole), criterion.high)
        };
        Wanted {
            keys: self.criteria().map(key).collect(),
            shape,
        }
    }

    /// The ids of its criteria, in its own order.
    fn ids(self) -> Vec<&'a str> {
        self.criteria()
            .map(|criterion| criterion.id.as_str())
            .collect()
    }

    /// The reply with these numbers, in the order of the request's criteria.
    fn compose(self, values: &[f64]) -> String {
        let pairs = self.criteria().zip(values);
        match self.request.form {
            Form::Json => {
                let mut top = serde_json::Map::new();
                for (criterion, value) in pairs {
                    put(&mut top, &criterion.reply, *value);
                }
                if let Some(key) = &self.request.reason {
                    top.insert(key.clone(), "".into());
                }
                serde_json::Value::Object(top).to_string()
            }
            Form::Lines => {
                let lines = pairs.map(|(criterion, value)| format!("{}: {value}", criterion.reply));
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// The numbers in the order of the request's criteria.
    pub(super) fn read(self, reply: &str) -> Result<Vec<f64>, Refusal> {
        if let Some(detail) = limits::long_reply(reply) {
            let fault = Fault::Unparsable;
            return Err(Refusal { fault, detail });
        }
        let reply = &*unquoted(reply);
        self.check_call(reply)?;
        let refuse = |detail: String| self.unparsable(&detail);
        thoughts::apart(reply, |reply| self.numbers(reply), refuse).map_err(|mut refusal| {
            if refusal.fault == Fault::Unparsable {
                refusal.detail = thoughts::told(reply, refusal.detail);
            }
            refusal
        })
    }

    fn numbers(self, reply: &str) -> Result<Vec<f64>, Refusal> {
        match self.request.form {
            Form::Json => {
                let object = object(reply).map_err(|error| self.unparsable(&error.to_string()))?;
                self.criteria()
                    .map(|criterion| self.in_object(&object, criterion))
                    .collect()
            }
            Form::Lines => self
                .criteria()
                .map(|criterion| self.in_lines(reply, criterion))
                .collect(),
        }
    }

    /// Both readings, which are one.
    pub(super) fn verdict(self, reply: &str) -> Verdict {
        match self.read(reply) {
            Ok(numbers) => Verdict {
                paper: Ok(numbers.clone().into_boxed_slice()),
                released: Ok(numbers.into_boxed_slice()),
            },
            Err(refusal) => Verdict::fault(refusal.fault),
        }
    }

    /// One raw reply as `juror parse` prints it; `score` makes the one number of the criteria.
    pub(super) fn parse(
        self,
        reply: &str,
        score: impl FnOnce(&[f64]) -> Option<f64>,
    ) -> ParsedReply {
        match self.read(reply) {
            Ok(numbers) => ParsedReply::Ok {
                score: score(&numbers),
                criteria: self
                    .criteria()
                    .map(|criterion| criterion.id.clone())
                    .zip(numbers)
                    .collect_small::<BTreeMap<_, _>>(),
                reason: self.reason(reply),
            },
            Err(Refusal { fault, detail }) => ParsedReply::Incident {
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

    fn unparsable(self, message: &str) -> Refusal {
        Refusal {
            fault: Fault::Unparsable,
            detail: format!("{message} Expected {}.", self.grammar()),
        }
    }

    /// An error message in the reply's place, or nothing at all.
    fn check_call(self, reply: &str) -> Result<(), Refusal> {
        let text = reply.trim();
        let mut beginnings = self.request.failed.iter();
        let is_failed = beginnings.any(|beginning| text.starts_with(beginning.trim()));
        if !text.is_empty() && !is_failed {
            return Ok(());
        }
        let detail = if text.is_empty() {
            "The judge gave no answer; the reply is empty. Judge it again.".to_owned()
        } else {
            format!("The call failed: {}. Judge it again.", shorten(text, 200))
        };
        Err(Refusal {
            fault: Fault::FailedCall,
            detail,
        })
    }

    fn in_object(self, object: &Json, criterion: &Criterion) -> Result<f64, Refusal> {
        let key = criterion.reply.as_str();
        if let Json::Object(entries) = object {
            let is_asked = |known: &str| self.criteria().any(|one| one.reply == known);
            let is_key =
                |known: &str| known == key || known.eq_ignore_ascii_case(key) && !is_asked(known);
            let values = || entries.iter().filter(|(known, _)| is_key(known));
            let mut others = values().skip(1);
            if let Some((_, first)) = values().next()
                && others.any(|(_, other)| other != first)
            {
                return Err(self.unparsable(&format!("\"{key}\" is given twice.")));
            }
        }
        let value = match key.strip_prefix('/') {
            Some(_) => object.pointer(key),
            None => object.get(key),
        };
        match value {
            Some(Json::Number(number)) => on_scale(criterion, *number),
            Some(other) => {
                let found = other.describe();
                Err(self.unparsable(&format!("\"{key}\" is {found}, not a number.")))
            }
            None => Err(self.unparsable(&format!("The object has no \"{key}\"."))),
        }
    }

    /// A label inside a sentence is passed over; two lines of one label with different numbers are refused.
    fn in_lines(self, reply: &str, criterion: &Criterion) -> Result<f64, Refusal> {
        let label = criterion.reply.as_str();
        let mut numbers: Vec<f64> = Vec::new();
        let mut odd = None;
        for line in reply.lines() {
            let value = value_of(line, label);
            let found = value.and_then(|value| number(value, criterion.high));
            let again = || reply::names_label(line, label).filter(|_| !numbers.is_empty());
            let unread = value
                .or_else(|| reply::behind_label(line, label))
                .or_else(again);
            match (found, unread) {
                (Some(number), _) => numbers.push(number),
                // A draft must not stand in for a final line in another form.
                (None, Some(_)) if !numbers.is_empty() => {
                    let line = shorten(line.trim(), 60);
                    return Err(self.unparsable(&format!(
                        "{label} is given again, in a line that cannot be read: \"{line}\"."
                    )));
                }
                (None, _) => odd = odd.or(value.map(str::trim)),
            }
        }
        let Some(&number) = numbers.first() else {
            return Err(self.unparsable(&match odd {
                Some(value) => format!("{label} is \"{}\", not a number.", shorten(value, 40)),
                None => format!("No line gives {label}."),
            }));
        };
        #[expect(clippy::float_cmp, reason = "the same digits are the same number")]
        if let Some(other) = numbers.iter().find(|other| **other != number) {
            let message = format!("{label} is given twice, as {number} and as {other}.");
            return Err(self.unparsable(&message));
        }
        on_scale(criterion, number)
    }

    /// What the judge gives as its reasons.
    fn reason(self, reply: &str) -> String {
        let reply = &*unquoted(reply);
        match (self.request.form, &self.request.reason) {
            (Form::Json, Some(key)) => match object(reply).as_ref().map(|object| object.get(key)) {
                Ok(Some(Json::Text(text))) => text.clone(),
                _ => String::new(),
            },
            (Form::Json, None) => String::new(),
            (Form::Lines, _) => {
                let is_score = |line: &&str| {
                    self.criteria().any(|criterion| {
                        let value = value_of(line, &criterion.reply);
                        value.is_some_and(|value| number(value, criterion.high).is_some())
                    })
                };
                let before: Vec<&str> = reply.lines().take_while(|line| !is_score(line)).collect();
                let text = before.join("\n");
                let text = text.trim();
                text.strip_prefix("Reasoning:")
                    .unwrap_or(text)
                    .trim()
                    .to_owned()
            }
        }
    }
}

/// Puts a number where a key or a JSON Pointer says.
fn put(top: &mut serde_json::Map<String, serde_json::Value>, key: &str, value: f64) {
    let Some(pointer) = key.strip_prefix('/') else {
        top.insert(key.to_owned(), value.into());
        return;
    };
    let unescaped = |part: &str| part.replace("~1", "/").replace("~0", "~");
    let Some((folder, rest)) = pointer.split_once('/') else {
        top.insert(unescaped(pointer), value.into());
        return;
    };
    let folder = unescaped(folder);
    let below = top
        .entry(folder)
        .or_insert_with(|| serde_json::Map::new().into());
    if let Some(below) = below.as_object_mut() {
        put(below, &format!("/{rest}"), value);
    }
}

/// A reply that was kept as a JSON string, as a line of a list has it, without its quotes and escapes.
fn unquoted(reply: &str) -> std::borrow::Cow<'_, str> {
    let text = reply.trim();
    if text.len() > 1
        && text.starts_with('"')
        && text.ends_with('"')
        && let Ok(text) = serde_json::from_str::<String>(text)
    {
        return text.into();
    }
    reply.into()
}

fn on_scale(criterion: &Criterion, number: f64) -> Result<f64, Refusal> {
    let is_step = criterion.step == Step::Any || number.fract() == 0.0;
    if is_step && (criterion.low..=criterion.high).contains(&number) {
        return Ok(number);
    }
    Err(Refusal {
        fault: Fault::OutOfRange,
        detail: format!(
            "{} is {number}, which is not a {}. Judge it again.",
            criterion.reply,
            criterion.scale_in_words()
        ),
    })
}

/// The text after a label at the beginning of a line.
fn value_of<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    line.trim().strip_prefix(label)?.strip_prefix(':')
}

/// `7`, `7.`, `7/10` where 10 is the highest score; also a negative or fractional number.
fn number(value: &str, high: f64) -> Option<f64> {
    let value = value.trim();
    let value = value.strip_suffix('.').unwrap_or(value);
    let value = value.strip_suffix(&format!("/{high}")).unwrap_or(value);
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    value.parse().ok().filter(|_| is_number)
}

/// One JSON object, alone or in one Markdown fence.
fn object(reply: &str) -> Result<Json, Error> {
    let body = reply::alone(reply)?;
    match Json::read(body) {
        Ok(object @ Json::Object(_)) => Ok(object),
        Ok(other) => Err(Error::Form(format!(
            "The reply is {}, not an object.",
            other.describe()
        ))),
        Err(error) => Err(Error::Form(format!("The reply is not JSON: {error}."))),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::schema;
    use super::*;

    fn says(form: &str, extra: &str) -> Declaration {
        let text = format!(
            r#"{{"format": "juror-protocol/1", "id": "x", "title": "X", "samples": [],
            "criteria": [{{"id": "fit", "label": "Fit", "range": [1, 10], "integer": true}},
                {{"id": "look", "label": "Look", "range": [0, 1], "reply": "{}"}}],
            "requests": [{{"id": "judge", "reply": {{"form": "{form}", "failed": "Error:"{extra}}}}}]}}"#,
            if form == "json" { "/scores/1" } else { "Look" }
        );
        let mut found = Vec::new();
        let (says, _) = schema::read(&Json::read(&text).unwrap(), &mut found).unwrap();
        assert_eq!(found, []);
        says
    }

    fn read(says: &Declaration, reply: &str) -> Result<Vec<f64>, Fault> {
        let reader = Reader::new(says, "judge").unwrap();
        reader.read(reply).map_err(|refusal| refusal.fault)
    }

    #[test]
    fn labelled_lines_hold_one_number_each() {
        let says = says("lines", "");
        for (reply, wanted) in [
            ("Fit: 7\nLook: 0.5", Ok(vec![7.0, 0.5])),
            (
                "Fit: 4\nLook: 0.5\nFinal:\n**Fit:** 7\n**Look:** 1",
                Err(Fault::Unparsable),
            ),
            ("**Fit:** 4\nFinal:\nFit: 7\nLook: 0.5", Ok(vec![7.0, 0.5])),
            (
                "Fit: 2 in a sentence.\n Fit: 7/10.\nLook: 1/1",
                Ok(vec![7.0, 1.0]),
            ),
            ("\"Fit: 7\\nLook: 0.5\"", Ok(vec![7.0, 0.5])),
            ("Fit: 7.5\nLook: 0.5", Err(Fault::OutOfRange)),
            ("Fit: 11\nLook: 0.5", Err(Fault::OutOfRange)),
            ("Fit: 7\nLook: -0.1", Err(Fault::OutOfRange)),
            ("Fit: 7\nLook: 5/10", Err(Fault::Unparsable)),
            ("Fit: 7\nFit: 8\nLook: 1", Err(Fault::Unparsable)),
            ("Fit: 7\nFit: 7\nLook: 1", Ok(vec![7.0, 1.0])),
            ("**Fit**: 7\nLook: 1", Err(Fault::Unparsable)),
            ("Fit: 7", Err(Fault::Unparsable)),
            (" \n", Err(Fault::FailedCall)),
            ("Error: 429", Err(Fault::FailedCall)),
        ] {
            assert_eq!(read(&says, reply), wanted, "{reply}");
        }
    }

    #[test]
    fn one_object_holds_the_keys() {
        let says = says("json", ", \"reason\": \"why\"");
        for (reply, wanted) in [
            (
                "{\"fit\": 7, \"scores\": [0, 0.5], \"why\": \"x\"}",
                Ok(vec![7.0, 0.5]),
            ),
            (
                "```json\n{\"fit\": 7.0, \"scores\": [0, 1]}\n```",
                Ok(vec![7.0, 1.0]),
            ),
            (
                "{\"fit\": \"7\", \"scores\": [0, 1]}",
                Err(Fault::Unparsable),
            ),
            (
                "{\"fit\": true, \"scores\": [0, 1]}",
                Err(Fault::Unparsable),
            ),
            (
                "{\"fit\": 7, \"fit\": 8, \"scores\": [0, 1]}",
                Err(Fault::Unparsable),
            ),
            ("{\"fit\": 7, \"scores\": [0]}", Err(Fault::Unparsable)),
            ("{\"fit\": 0, \"scores\": [0, 1]}", Err(Fault::OutOfRange)),
            ("{\"fit\": NaN, \"scores\": [0, 1]}", Err(Fault::Unparsable)),
            (
                "Sure: {\"fit\": 7, \"scores\": [0, 1]}",
                Err(Fault::Unparsable),
            ),
            ("[7]", Err(Fault::Unparsable)),
        ] {
            assert_eq!(read(&says, reply), wanted, "{reply}");
        }
        let reader = Reader::new(&says, "judge").unwrap();
        assert_eq!(reader.reason("{\"why\": \"so\"}"), "so");
        assert_eq!(
            reader.grammar(),
            "{\"fit\": whole number from 1 to 10, \"/scores/1\": number from 0 to 1, \"why\": text}"
        );
    }
}
