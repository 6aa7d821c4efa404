//! A judge's reply → a score, by two readers.
//!
//! The strict reader (`paper`) wants one JSON object whose score is on the scale;
//! the imitation (`released`) does what the authors' `parse_json` and summary do: anything goes until arithmetic fails.

use super::{ACC, CRITERIA, atoms};
use crate::error::Error;
use crate::thoughts;
use crate::tolerant::{Key, Shape, Wanted};
use crate::weave::Weave;
use crate::{contract, reply};
use juror_model::options::Profile;
use juror_model::prompt::PromptPack;
use juror_model::reply::{Fault, ParsedReply, Read, Reading, Readings};
use juror_model::sample::Sample;
use juror_model::terms::Atom;
use juror_reading::limits;
use juror_reading::py::{self, Value};
use juror_statistics::small::CollectSmall;

impl contract::Reading for Weave {
    fn read(&self, _sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        Read::One(readings(request, reply))
    }

    fn parse(
        &self,
        _sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        parse(request, profile, reply)
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        grammar(request).to_owned()
    }

    fn wanted(&self, _sample: Option<&Sample>, _request: &str) -> Option<Wanted> {
        Some(Wanted {
            keys: vec![Key::new("score", 10.0)],
            shape: Shape::Object,
        })
    }

    fn atoms(&self, _sample: &Sample, request: &str, _pack: &PromptPack) -> Vec<Atom> {
        atoms::of(request)
    }

    fn compose(&self, _sample: &Sample, _request: &str, values: &[f64]) -> String {
        atoms::compose(values)
    }
}

/// The `score` of a verdict as far as the two readers care.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Score {
    /// An integer or a float.
    Number(f64),
    /// `true` or `false`, which Python adds as 1 or 0.
    Bool(bool),
    /// A whole number of so many digits that Python's division overflows.
    TooLong,
    /// Text, null, a list or an object: Python's name of the type.
    Other(&'static str),
    /// The verdict is an object without this key.
    Absent,
    /// The verdict is not an object.
    NotAnObject,
}

impl Score {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Int(x) if x.is_infinite() => Self::TooLong,
            Value::Int(x) | Value::Long(x, _) | Value::Float(x) => Self::Number(*x),
            Value::Bool(b) => Self::Bool(*b),
            other => Self::Other(other.type_name()),
        }
    }

    pub(super) fn of_verdict(value: &Value) -> Self {
        match value {
            Value::Dict(_) => value.get("score").map_or(Self::Absent, Self::of),
            _ => Self::NotAnObject,
        }
    }
}

/// Strict: a whole number from 0 to 10; 0, 5 or 10 for accuracy.
pub(super) fn strict_score(criterion: u16, score: &Score) -> Reading {
    let x = match *score {
        Score::Number(x) => x,
        Score::TooLong => return Err(Fault::OutOfRange),
        _ => return Err(Fault::Unparsable),
    };
    if x.is_nan() {
        return Err(Fault::Unparsable);
    }
    let is_on_scale = if criterion == ACC {
        [0.0, 5.0, 10.0].contains(&x)
    } else {
        (0.0..=10.0).contains(&x) && x.fract() == 0.0
    };
    if is_on_scale {
        Ok(x)
    } else {
        Err(Fault::OutOfRange)
    }
}

/// As the authors' summary adds it up.
pub(super) fn released_score(score: &Score) -> Reading {
    match score {
        Score::Number(x) => Ok(*x),
        Score::Bool(b) => Ok(f64::from(u8::from(*b))),
        Score::Other(_) | Score::TooLong => Err(Fault::Stops),
        Score::Absent | Score::NotAnObject => Err(Fault::Ignored),
    }
}

/// Both readings of a raw reply.
pub fn readings(criterion: &str, reply: &str) -> Readings {
    if limits::long_reply(reply).is_some() {
        return Readings::new(Err(Fault::Unparsable), Err(Fault::Unparsable));
    }
    Readings::new(strict(criterion, reply).1, released(reply).1)
}

/// The strict reader: the object, and its score on the scale.
fn strict(criterion: &str, reply: &str) -> (Result<Value, Error>, Reading) {
    let verdict = reply::object(reply);
    let reading = match &verdict {
        Ok(verdict) => strict_score(criterion_index(criterion), &Score::of_verdict(verdict)),
        Err(_) => Err(Fault::Unparsable),
    };
    (verdict, reading)
}

/// The authors' reader: the value, and its score as their summary adds it up.
fn released(reply: &str) -> (Result<Value, py::JsonError>, Reading) {
    let value = released_value(reply);
    let reading = match &value {
        Ok(value) => released_score(&Score::of_verdict(value)),
        Err(_) => Err(Fault::Unparsable),
    };
    (value, reading)
}

/// One raw reply as `juror parse` prints it.
pub fn parse(criterion: &str, profile: Profile, reply: &str) -> ParsedReply {
    if let Some(detail) = limits::long_reply(reply) {
        return incident("unparsable", detail);
    }
    match profile {
        Profile::Paper => parse_strict(criterion, reply),
        Profile::Released => parse_released(criterion, reply),
    }
}

/// What the reply has to look like.
pub fn grammar(criterion: &str) -> &'static str {
    if criterion_index(criterion) == ACC {
        "{\"score\": 0, 5 or 10, \"reasoning\": text}"
    } else {
        "{\"score\": whole number from 0 to 10, \"reasoning\": text}"
    }
}

fn criterion_index(criterion: &str) -> u16 {
    CRITERIA
        .iter()
        .position(|name| *name == criterion)
        .and_then(|at| u16::try_from(at).ok())
        .unwrap_or(u16::MAX)
}

fn incident(kind: &str, detail: String) -> ParsedReply {
    ParsedReply::Incident {
        kind: kind.to_owned(),
        detail,
    }
}

fn scored(criterion: &str, score: f64, verdict: &Value) -> ParsedReply {
    ParsedReply::Ok {
        criteria: std::iter::once((criterion.to_owned(), score)).collect_small(),
        score: Some(score),
        reason: verdict
            .get("reasoning")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}

fn parse_strict(criterion: &str, reply: &str) -> ParsedReply {
    let wanted = grammar(criterion);
    let (verdict, reading) = strict(criterion, reply);
    let verdict = match verdict {
        Ok(verdict) => verdict,
        Err(error) => {
            let detail = thoughts::told(reply, format!("{error} Expected {wanted}."));
            return incident("unparsable", detail);
        }
    };
    match (reading, verdict.get("score")) {
        (Ok(x), _) => scored(criterion, x, &verdict),
        (Err(Fault::OutOfRange), Some(value)) => incident(
            "out_of_range",
            format!(
                "The score {} is not on the scale. Expected {wanted}.",
                value.describe()
            ),
        ),
        (Err(_), Some(value)) => incident(
            "unparsable",
            format!(
                "The score is {}, not a number. Expected {wanted}.",
                value.describe()
            ),
        ),
        (Err(_), None) => incident(
            "unparsable",
            format!("The object has no \"score\". Expected {wanted}."),
        ),
    }
}

/// What the authors' `parse_json` hands on: fences removed wherever they stand, then `json.loads`.
///
/// # Errors
/// Python's `JSONDecodeError`; the authors' judging then drops the whole dialogue.
pub fn released_value(reply: &str) -> Result<Value, py::JsonError> {
    py::loads(&reply.replace("```json", "").replace("```", ""))
}

fn parse_released(criterion: &str, reply: &str) -> ParsedReply {
    let (value, reading) = released(reply);
    let value = match value {
        Ok(value) => value,
        Err(error) => {
            return incident(
                "unparsable",
                format!("json.loads: {error}. The authors' code drops the whole dialogue."),
            );
        }
    };
    match (reading, Score::of_verdict(&value)) {
        (Ok(x), _) if !x.is_finite() => incident("out_of_range", reply::endless("The score", x)),
        (Err(_), Score::TooLong) => incident("out_of_range", overflow_message()),
        (Ok(x), _) => scored(criterion, x, &value),
        (Err(_), Score::Other(kind)) => incident("unparsable", stop_message(kind)),
        (Err(_), Score::NotAnObject) => incident(
            "unparsable",
            format!(
                "The reply is {}; the authors' summary passes over it.",
                value.describe()
            ),
        ),
        (Err(_), _) => incident(
            "unparsable",
            "There is no \"score\"; the authors' summary passes over it.".to_owned(),
        ),
    }
}

/// Python's complaint about adding a value of this type to a sum.
pub fn python_add_error(type_name: &str) -> String {
    format!("unsupported operand type(s) for +=: 'int' and '{type_name}'")
}

/// What a score of too many digits does to it.
fn overflow_message() -> String {
    "Error processing data: integer division result too large for a float. The authors' summary stops and writes no result."
        .to_owned()
}

/// What a score that cannot be added does to the authors' summary.
fn stop_message(type_name: &str) -> String {
    format!(
        "Error processing data: {}. The authors' summary stops and writes no result.",
        python_add_error(type_name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_that_contradicts_itself_is_refused_by_the_strict_reader_alone() {
        let reply = "{\"score\": 3, \"reasoning\": \"r\", \"score\": 8}";
        let found = readings("key_point", reply);
        assert_eq!(found.paper(), Err(Fault::Unparsable));
        // Python's dictionaries keep the last.
        assert_eq!(found.released(), Ok(8.0));
        let same = reply.replace('3', "8");
        assert_eq!(readings("key_point", &same).paper(), Ok(8.0));
    }

    fn strict(criterion: &str, reply: &str) -> Result<f64, String> {
        match parse(criterion, Profile::Paper, reply) {
            ParsedReply::Ok { score, .. } => Ok(score.unwrap_or(f64::NAN)),
            ParsedReply::Incident { kind, .. } => Err(kind),
        }
    }

    #[test]
    fn the_strict_reader_takes_one_object_on_the_scale() {
        let unparsable = Err("unparsable".to_owned());
        let out_of_range = Err("out_of_range".to_owned());
        for (reply, expected) in [
            ("{\"score\": 7, \"reasoning\": \"ok\"}", Ok(7.0)),
            ("```json\n{\"score\": 10}\n```", Ok(10.0)),
            ("  {\"score\": 0}\n", Ok(0.0)),
            ("{\"score\": 7.0}", Ok(7.0)),
            ("{\"score\": 7.5}", out_of_range.clone()),
            ("{\"score\": 11}", out_of_range.clone()),
            ("{\"score\": -1}", out_of_range.clone()),
            ("{\"score\": Infinity}", out_of_range.clone()),
            ("{\"score\": NaN}", unparsable.clone()),
            ("{\"score\": \"7\"}", unparsable.clone()),
            ("{\"score\": true}", unparsable.clone()),
            ("{\"score\": null}", unparsable.clone()),
            ("{\"Score\": 7}", unparsable.clone()),
            ("[{\"score\": 7}]", unparsable.clone()),
            ("Here: {\"score\": 7}", unparsable.clone()),
            ("{\"score\": 7} trailing", unparsable.clone()),
            ("```json\n{\"score\": 7}", unparsable.clone()),
            ("7", unparsable.clone()),
            ("", unparsable.clone()),
        ] {
            assert_eq!(strict("key_point", reply), expected, "{reply}");
            let short = readings("key_point", reply).paper().ok();
            assert_eq!(
                short,
                expected.ok(),
                "both ways of reading agree on {reply}"
            );
        }
    }

    #[test]
    fn accuracy_knows_three_values() {
        assert_eq!(strict("accuracy", "{\"score\": 5}"), Ok(5.0));
        assert_eq!(
            strict("accuracy", "{\"score\": 6}"),
            Err("out_of_range".to_owned())
        );
    }

    #[test]
    fn a_score_without_end_is_an_incident_and_never_a_silent_null() {
        let long = format!("{{\"score\": {}}}", "9".repeat(400));
        for (reply, wanted) in [
            ("{\"score\": NaN}", "is NaN"),
            ("{\"score\": 1e400}", "is infinite"),
            (&long, "integer division result too large for a float"),
        ] {
            match parse("key_point", Profile::Released, reply) {
                ParsedReply::Incident { detail, .. } => {
                    assert!(detail.contains(wanted), "{reply}: {detail}");
                }
                ParsedReply::Ok { .. } => panic!("{reply}"),
            }
        }
        // Python's sum overflows only at the whole number; the others stay what they are.
        let released = |reply: &str| readings("key_point", reply).released();
        assert_eq!(released(&long), Err(Fault::Stops));
        assert!(released("{\"score\": NaN}").is_ok_and(f64::is_nan));
        assert_eq!(released("{\"score\": 1e400}"), Ok(f64::INFINITY));
        let short = format!("{{\"score\": {}}}", "9".repeat(300));
        assert!(matches!(
            parse("key_point", Profile::Released, &short),
            ParsedReply::Ok { .. }
        ));
    }

    #[test]
    fn the_authors_reader_takes_what_python_can_add() {
        for (reply, expected) in [
            ("{\"score\": 15}", Ok(15.0)),
            ("{\"score\": true}", Ok(1.0)),
            ("{\"score\": 7.5}", Ok(7.5)),
            ("{\"score\": \"7\"}", Err(Fault::Stops)),
            ("{\"score\": null}", Err(Fault::Stops)),
            ("{\"Score\": 7}", Err(Fault::Ignored)),
            ("[1]", Err(Fault::Ignored)),
            ("Here: {\"score\": 7}", Err(Fault::Unparsable)),
        ] {
            assert_eq!(readings("key_point", reply).released(), expected, "{reply}");
        }
    }
}
