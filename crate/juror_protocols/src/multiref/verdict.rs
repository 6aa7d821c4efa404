//! A judge's reply → IQ, IF and SF; an entry of the authors' evaluator → metrics.
//!
//! The authors published no judge prompt and no parser, so both profiles read replies alike:
//! one JSON object with three whole numbers from 1 to 5.

use super::{JUDGED, REQUEST, atoms};
use crate::contract::Reading;
use crate::multiref::MultiRef;
use crate::reply;
use crate::thoughts;
use crate::tolerant::{Key, Shape, Wanted};
use juror_model::options::Profile;
use juror_model::prompt::PromptPack;
use juror_model::reply::{Fault, ParsedReply, Read, Verdict};
use juror_model::sample::Sample;
use juror_model::terms::Atom;
use juror_reading::limits;
use juror_reading::py::{self, Value};
use juror_statistics::small::CollectSmall;

/// What the reply has to look like.
pub const GRAMMAR: &str =
    "{\"IQ\": whole number from 1 to 5, \"IF\": the same, \"SF\": the same, \"reason\": text}";

impl Reading for MultiRef {
    fn read(&self, _sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        Read::Several(verdict_of(request, reply))
    }

    /// One raw reply as `juror parse` prints it; the score is the mean of the three, or the metric itself.
    fn parse(
        &self,
        _sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        let read = if request == REQUEST {
            read(reply).map(|scores| {
                let criteria = JUDGED.iter().zip(scores);
                let criteria = criteria.map(|(name, score)| ((*name).to_owned(), score));
                (criteria.collect(), scores.iter().sum::<f64>() / 3.0)
            })
        } else {
            of_profile(request, profile, reply)
                .map(|x| (std::iter::once((request.to_owned(), x)).collect_small(), x))
        };
        match read {
            Ok((criteria, score)) => reply::finite(ParsedReply::Ok {
                criteria,
                score: Some(score),
                reason: reason(reply),
            }),
            Err(finding) => ParsedReply::Incident {
                kind: match finding.fault {
                    Fault::OutOfRange => "out_of_range",
                    Fault::FailedCall => "failed_call",
                    _ => "unparsable",
                }
                .to_owned(),
                detail: finding.detail,
            },
        }
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        if request == REQUEST {
            GRAMMAR.to_owned()
        } else {
            "a number".to_owned()
        }
    }

    fn wanted(&self, _sample: Option<&Sample>, request: &str) -> Option<Wanted> {
        const LONG: [&[&str]; 3] = [
            &["Image Quality"],
            &["Instruction Following"],
            &["Source Fidelity"],
        ];
        let keys = JUDGED.iter().zip(LONG).map(|(name, also)| Key {
            name: (*name).to_owned(),
            also,
            high: 5.0,
        });
        (request == REQUEST).then(|| Wanted {
            keys: keys.collect(),
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

/// Why something gives no scores.
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

/// IQ, IF and SF of a reply.
///
/// # Example
/// ```
/// use juror_protocols::multiref::verdict::read;
/// assert_eq!(read("```json\n{\"IQ\": 4, \"IF\": 3, \"SF\": 5, \"reason\": \"sharp\"}\n```"), Ok([4.0, 3.0, 5.0]));
/// ```
pub fn read(reply: &str) -> Result<[f64; 3], ReplyFault> {
    if let Some(detail) = limits::long_reply(reply) {
        return Err(ReplyFault::new(Fault::Unparsable, detail));
    }
    let verdict = object(reply).map_err(|mut finding| {
        finding.detail = thoughts::told(reply, finding.detail);
        finding
    })?;
    let mut scores = [f64::NAN; 3];
    for (score, name) in scores.iter_mut().zip(JUDGED) {
        let expected = format!("Expected {GRAMMAR}.");
        let unparsable = |found: String| ReplyFault::new(Fault::Unparsable, found);
        let value = verdict
            .get(name)
            .ok_or_else(|| unparsable(format!("The object has no \"{name}\". {expected}")))?;
        let number = match value {
            Value::Int(x) | Value::Long(x, _) | Value::Float(x) if !x.is_nan() => *x,
            other => {
                return Err(unparsable(format!(
                    "{name} is {}, not a number. {expected}",
                    other.describe()
                )));
            }
        };
        if !(1.0..=5.0).contains(&number) || number.fract() != 0.0 {
            return Err(ReplyFault::new(
                Fault::OutOfRange,
                format!("{name} is {number}, which is not on the scale. {expected}"),
            ));
        }
        *score = number;
    }
    Ok(scores)
}

/// One JSON object, alone or in one Markdown fence.
fn object(reply: &str) -> Result<Value, ReplyFault> {
    let unparsable =
        |found: &str| ReplyFault::new(Fault::Unparsable, format!("{found} Expected {GRAMMAR}."));
    if reply.trim().is_empty() {
        return Err(unparsable("The reply is empty."));
    }
    let body = reply::unfenced(reply).map_err(|error| unparsable(&error.to_string()))?;
    match py::loads_noting(body) {
        Ok((verdict @ Value::Dict(_), repeated)) => {
            reply::unambiguous(repeated).map_err(|error| unparsable(&error.to_string()))?;
            Ok(verdict)
        }
        Ok((other, _)) => Err(unparsable(&format!(
            "The reply is {}, not an object.",
            other.describe()
        ))),
        Err(error) => Err(unparsable(&format!("The reply is not JSON: {error}."))),
    }
}

/// A metric by the reader of a profile: the released code checks no range.
pub fn of_profile(id: &str, profile: Profile, raw: &str) -> Result<f64, ReplyFault> {
    match (metric(id, raw), profile) {
        (Err(finding), Profile::Released) if finding.fault == Fault::OutOfRange => {
            py::loads(raw.trim())
                .ok()
                .and_then(|value| value.as_number())
                .ok_or(finding)
        }
        (read, _) => read,
    }
}

/// The judge's reason.
pub fn reason(reply: &str) -> String {
    object(reply)
        .ok()
        .and_then(|verdict| verdict.get("reason")?.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// The key of an entry's `evaluations` that tells about a metric; `None` if none does.
///
/// Its own key comes first, then `<metric>_error`; `error` and `warning` stand for the whole entry.
///
/// # Example
/// ```
/// use juror_protocols::multiref::verdict::key_of;
/// assert_eq!(key_of(&["fid", "sketch_error"], "sketch"), Some("sketch_error"));
/// assert_eq!(key_of(&["generated_image", "error"], "mask"), Some("error"));
/// assert_eq!(key_of(&["fid"], "mask"), None);
/// ```
pub fn key_of<'a>(keys: &[&'a str], id: &str) -> Option<&'a str> {
    let error = format!("{id}_error");
    [id, &error, "error", "warning"]
        .iter()
        .find_map(|wanted| keys.iter().find(|key| *key == wanted))
        .copied()
}

/// One metric: a number, or the text of an exception in its place.
///
/// NaN is what the authors' code writes where a metric failed and swallowed its own exception.
/// A number that the metric cannot take is off the scale.
///
/// # Example
/// ```
/// use juror_model::reply::Fault;
/// use juror_protocols::multiref::verdict::metric;
/// assert_eq!(metric("depth", "0.25"), Ok(0.25));
/// assert_eq!(metric("canny", "NaN").unwrap_err().fault, Fault::FailedCall);
/// assert_eq!(metric("sketch", "\"boom\"").unwrap_err().fault, Fault::FailedCall);
/// assert_eq!(metric("mask", "1.5").unwrap_err().fault, Fault::OutOfRange);
/// ```
pub fn metric(id: &str, raw: &str) -> Result<f64, ReplyFault> {
    let again = "Fix it and run the evaluation again; it resumes.";
    let value = py::loads(raw.trim()).map_err(|error| {
        let detail = format!("Expected a number for {id}, found no JSON: {error}.");
        ReplyFault::new(Fault::Unparsable, detail)
    })?;
    match value {
        Value::Int(x) | Value::Long(x, _) | Value::Float(x) if x.is_nan() => Err(ReplyFault::new(
            Fault::FailedCall,
            format!(
                "{id} is NaN: the authors' evaluator failed there and did not say why. {again}"
            ),
        )),
        Value::Int(x) | Value::Long(x, _) | Value::Float(x) => check(id, x),
        Value::Str(text) => Err(ReplyFault::new(
            Fault::FailedCall,
            format!("{id} could not be computed: {}. {again}", first_line(&text)),
        )),
        other => Err(ReplyFault::new(
            Fault::Unparsable,
            format!("{id} is {}, not a number.", other.describe()),
        )),
    }
}

/// A number beyond what the metric can be is no number of this metric.
fn check(id: &str, x: f64) -> Result<f64, ReplyFault> {
    let (low, high) = range(id);
    if (low..=high).contains(&x) {
        return Ok(x);
    }
    Err(ReplyFault::new(
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
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    py::shorten(line.trim_end_matches('.'), 200)
}

/// Both readings of a reply or metric.
pub(super) fn verdict_of(request: &str, reply: &str) -> Verdict {
    let atoms = |profile| {
        if request == REQUEST {
            return read(reply).map(|scores| scores.to_vec().into_boxed_slice());
        }
        of_profile(request, profile, reply).map(|x| vec![x].into_boxed_slice())
    };
    Verdict {
        paper: atoms(Profile::Paper).map_err(|finding| finding.fault),
        released: atoms(Profile::Released).map_err(|finding| finding.fault),
    }
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
    fn exceptions_lose_their_traceback() {
        let raw = r#""Error processing entry: boom\nTraceback\n  line 1""#;
        let detail = metric("depth", raw).map_err(|finding| finding.detail);
        assert_eq!(
            detail,
            Err("depth could not be computed: Error processing entry: boom. Fix it and run the evaluation again; it resumes.".to_owned())
        );
    }

    #[test]
    fn metrics_have_their_ranges() {
        let fault = |id: &str, raw: &str| metric(id, raw).map_err(|finding| finding.fault);
        assert_eq!(fault("subject", "-0.5"), Ok(-0.5));
        assert_eq!(fault("caption", "19.5"), Ok(19.5));
        assert_eq!(fault("aesthetics", "5.5"), Ok(5.5));
        assert_eq!(fault("fid", "-1"), Err(Fault::OutOfRange));
        assert_eq!(fault("depth", "[0.1]"), Err(Fault::Unparsable));
        assert_eq!(fault("depth", "oops"), Err(Fault::Unparsable));
    }
}
