//! A judge's reply → IQ, IF and SF; an entry of the authors' evaluator → metrics.
//!
//! The authors published no judge prompt and no parser, so both profiles read replies alike:
//! one JSON object with three whole numbers from 1 to 5.

use std::collections::BTreeMap;

use super::{CONDITIONS, JUDGED, WITHOUT_REFERENCE};
use crate::protocol::Fault;
use crate::py::{self, Value};
use crate::view::ParsedReply;

/// What the reply has to look like.
pub const GRAMMAR: &str =
    "{\"IQ\": whole number from 1 to 5, \"IF\": the same, \"SF\": the same, \"reason\": text}";

/// Why something gives no scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of failure.
    pub fault: Fault,
    /// What was expected, what was found, what to do.
    pub detail: String,
}

impl Finding {
    fn new(fault: Fault, detail: impl Into<String>) -> Self {
        Self {
            fault,
            detail: detail.into(),
        }
    }
}

/// IQ, IF and SF of a reply.
///
/// # Example
/// ```
/// use juror_core::protocol::multiref::verdict::read;
/// assert_eq!(read("```json\n{\"IQ\": 4, \"IF\": 3, \"SF\": 5, \"reason\": \"sharp\"}\n```"), Ok([4.0, 3.0, 5.0]));
/// ```
pub fn read(reply: &str) -> Result<[f64; 3], Finding> {
    let verdict = object(reply)?;
    let mut scores = [f64::NAN; 3];
    for (score, name) in scores.iter_mut().zip(JUDGED) {
        let expected = format!("Expected {GRAMMAR}.");
        let unparsable = |found: String| Finding::new(Fault::Unparsable, found);
        let value = verdict
            .get(name)
            .ok_or_else(|| unparsable(format!("The object has no \"{name}\". {expected}")))?;
        let number = match value {
            Value::Int(x) | Value::Float(x) if !x.is_nan() => *x,
            other => {
                return Err(unparsable(format!(
                    "{name} is {}, not a number. {expected}",
                    other.describe()
                )));
            }
        };
        if !(1.0..=5.0).contains(&number) || number.fract() != 0.0 {
            return Err(Finding::new(
                Fault::OutOfRange,
                format!("{name} is {number}, which is not on the scale. {expected}"),
            ));
        }
        *score = number;
    }
    Ok(scores)
}

/// One JSON object, alone or in one Markdown fence.
fn object(reply: &str) -> Result<Value, Finding> {
    let unparsable =
        |found: &str| Finding::new(Fault::Unparsable, format!("{found} Expected {GRAMMAR}."));
    let text = reply.trim();
    if text.is_empty() {
        return Err(unparsable("The reply is empty."));
    }
    let body = match text.strip_prefix("```") {
        None => text,
        Some(fenced) => fenced
            .strip_prefix("json")
            .or_else(|| fenced.strip_prefix("JSON"))
            .unwrap_or(fenced)
            .strip_suffix("```")
            .ok_or_else(|| unparsable("The Markdown fence is not closed."))?
            .trim(),
    };
    match py::loads(body) {
        Ok(verdict @ Value::Dict(_)) => Ok(verdict),
        Ok(other) => Err(unparsable(&format!(
            "The reply is {}, not an object.",
            other.describe()
        ))),
        Err(error) => Err(unparsable(&format!("The reply is not JSON: {error}."))),
    }
}

/// One raw reply as `juror parse` prints it; the score is the mean of the three.
pub fn parse(reply: &str) -> ParsedReply {
    match read(reply) {
        Ok(scores) => ParsedReply::Ok {
            criteria: JUDGED
                .iter()
                .zip(scores)
                .map(|(name, score)| ((*name).to_owned(), score))
                .collect::<BTreeMap<_, _>>(),
            score: Some(scores.iter().sum::<f64>() / 3.0),
            reason: reason(reply),
        },
        Err(finding) => ParsedReply::Incident {
            kind: if finding.fault == Fault::OutOfRange {
                "out_of_range"
            } else {
                "unparsable"
            }
            .to_owned(),
            detail: finding.detail,
        },
    }
}

/// The judge's reason.
pub fn reason(reply: &str) -> String {
    object(reply)
        .ok()
        .and_then(|verdict| verdict.get("reason")?.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// Ids of all metrics in the order in which the authors' evaluator writes them.
pub fn metrics() -> impl Iterator<Item = &'static str> {
    super::evaluator::ORDER.into_iter()
}

/// One metric of an entry's `evaluations`; `None` if the entry says nothing about it.
///
/// `{"error": …}` and `{"warning": …}` stand for the whole entry, `<metric>_error` for one metric;
/// NaN is what the authors' code writes where a metric failed and swallowed its own exception.
///
/// # Example
/// ```
/// use juror_core::{protocol::{Fault, multiref::verdict::metric}, py};
/// let evaluations = py::loads("{\"depth\": 0.25, \"sketch_error\": \"boom\", \"canny\": NaN}").unwrap();
/// assert_eq!(metric(&evaluations, "depth"), Some(Ok(0.25)));
/// assert_eq!(metric(&evaluations, "sketch").unwrap().unwrap_err().fault, Fault::FailedCall);
/// assert_eq!(metric(&evaluations, "canny").unwrap().unwrap_err().fault, Fault::FailedCall);
/// assert_eq!(metric(&evaluations, "mask"), None);
/// ```
pub fn metric(evaluations: &Value, id: &str) -> Option<Result<f64, Finding>> {
    let failed = |message: String| Some(Err(Finding::new(Fault::FailedCall, message)));
    let again = "Mend it and run the evaluation again; it resumes.";
    match evaluations.get(id) {
        Some(Value::Int(x) | Value::Float(x)) if x.is_nan() => {
            return failed(format!(
                "{id} is NaN: the authors' evaluator failed there and did not say why."
            ));
        }
        Some(Value::Int(x) | Value::Float(x)) => {
            return Some(check(id, *x));
        }
        Some(other) => {
            return Some(Err(Finding::new(
                Fault::Unparsable,
                format!("{id} is {}, not a number.", other.describe()),
            )));
        }
        None => {}
    }
    if let Some(error) = evaluations.get(&format!("{id}_error")) {
        let error = first_line(error);
        return failed(format!("{id} could not be computed: {error}. {again}"));
    }
    for key in ["error", "warning"] {
        if let Some(message) = evaluations.get(key) {
            let message = first_line(message);
            return failed(format!(
                "The evaluator gave up on this sample: {message}. {again}"
            ));
        }
    }
    None
}

/// A number beyond what the metric can be is no number of this metric.
fn check(id: &str, x: f64) -> Result<f64, Finding> {
    let (low, high) = range(id);
    if (low..=high).contains(&x) {
        return Ok(x);
    }
    Err(Finding::new(
        Fault::OutOfRange,
        format!("{id} is {x}, which is outside {low} to {high}."),
    ))
}

/// What a metric can be.
///
/// The caption's score is 100 times a cosine as the code writes it and below 1 as the tables print it.
pub fn range(id: &str) -> (f64, f64) {
    match id {
        "caption" => (0.0, 100.0),
        "subject" | "style" => (-1.0, 1.0),
        "fid" => (0.0, f64::INFINITY),
        "aesthetics" => (f64::NEG_INFINITY, f64::INFINITY),
        _ => (0.0, 1.0),
    }
}

/// Exceptions come with their traceback; the first line says what happened.
fn first_line(value: &Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.describe(), str::to_owned);
    let line = text.lines().next().unwrap_or_default().trim();
    py::shorten(line.trim_end_matches('.'), 200)
}

/// Whether an object looks like an entry's `evaluations`.
pub fn is_evaluations(value: &Value) -> bool {
    let known = CONDITIONS
        .iter()
        .map(|condition| condition.id)
        .chain(WITHOUT_REFERENCE)
        .chain(["error", "warning"]);
    known.into_iter().any(|id| value.get(id).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_whole_numbers_from_1_to_5() {
        let fault = |reply: &str| read(reply).map_err(|finding| finding.fault);
        for (value, expected) in [
            ("5", Ok([5.0, 3.0, 2.0])),
            ("1.0", Ok([1.0, 3.0, 2.0])),
            ("0", Err(Fault::OutOfRange)),
            ("6", Err(Fault::OutOfRange)),
            ("4.5", Err(Fault::OutOfRange)),
            ("Infinity", Err(Fault::OutOfRange)),
            ("NaN", Err(Fault::Unparsable)),
            ("\"4\"", Err(Fault::Unparsable)),
            ("true", Err(Fault::Unparsable)),
            ("null", Err(Fault::Unparsable)),
        ] {
            let reply = format!("{{\"IQ\": {value}, \"IF\": 3, \"SF\": 2}}");
            assert_eq!(fault(&reply), expected, "{value}");
        }
        for reply in [
            "",
            "[4, 3, 2]",
            "IQ 4, IF 3, SF 2",
            "{\"IQ\": 4, \"IF\": 3}",
            "```json\n{\"IQ\": 4, \"IF\": 3, \"SF\": 2}",
        ] {
            assert_eq!(fault(reply), Err(Fault::Unparsable), "{reply}");
        }
    }

    #[test]
    fn an_entrys_error_reaches_every_metric() {
        let evaluations = py::loads(
            "{\"error\": \"Error processing entry: boom\\nTraceback\\n  line 1\", \"generated_image\": \"g.png\"}",
        )
        .unwrap_or(Value::Null);
        for id in metrics() {
            let finding = metric(&evaluations, id).and_then(Result::err);
            let detail = finding.map(|finding| finding.detail).unwrap_or_default();
            assert!(
                detail.contains("Error processing entry: boom. Mend it"),
                "{detail}"
            );
        }
    }

    #[test]
    fn impossible_numbers_are_refused() {
        let evaluations = py::loads("{\"mask\": 1.5, \"subject\": -0.5, \"depth\": \"0.1\"}")
            .unwrap_or(Value::Null);
        let fault =
            |id: &str| metric(&evaluations, id).map(|read| read.map_err(|finding| finding.fault));
        assert_eq!(fault("mask"), Some(Err(Fault::OutOfRange)));
        assert_eq!(fault("subject"), Some(Ok(-0.5)));
        assert_eq!(fault("depth"), Some(Err(Fault::Unparsable)));
    }
}
