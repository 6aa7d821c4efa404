//! A judge's reply → checkpoint values or a candidate score, by two readers.
//!
//! The strict reader (`paper`) wants 0 or 1 for every checkpoint of the task and a candidate score from 0 to 10;
//! the imitation (`released`) does what the authors' `run_judge.py`, `aggregate_scores.py` and `candidate_evaluator.py` do together:
//! whatever JSON can be found is taken, a missing checkpoint is a failed one, and a candidate reply without a number scores 0.

use crate::contract::Reading;
use crate::error::Error;
use crate::micon::{Micon, task_of};
use juror_model::reply::{Fault, ParsedReply, Read, Verdict};
use juror_model::sample::Sample;
use juror_model::terms::Atom;
use std::collections::BTreeMap;

use super::{CANDIDATE, CHECKPOINT_IDS, DIMENSIONS, NUM_CHECKPOINTS, Task, atoms, score};
use crate::reply;
use crate::thoughts;
use crate::tolerant::{Key, Shape, Wanted};
use juror_model::options::Profile;
use juror_model::prompt::PromptPack;
use juror_reading::limits;
use juror_reading::py::{self, Value};
use juror_statistics::small::CollectSmall;

impl Reading for Micon {
    fn read(&self, sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        Read::Several(verdict_of(task_of(sample), request, reply))
    }

    fn parse(
        &self,
        sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        parse(task_of(sample), request, profile, reply)
    }

    fn grammar(&self, sample: Option<&Sample>, request: &str) -> String {
        grammar(task_of(sample), request)
    }

    fn wanted(&self, sample: Option<&Sample>, request: &str) -> Option<Wanted> {
        if request == CANDIDATE {
            return Some(Wanted {
                keys: vec![Key::new("score", 10.0)],
                shape: Shape::Object,
            });
        }
        let task = task_of(sample);
        let is_asked =
            |at: usize| task.is_none_or(|task| task.checkpoints().any(|(own, _)| own == at));
        let ids = CHECKPOINT_IDS.iter().enumerate();
        let ids = ids.filter(|(at, _)| is_asked(*at));
        Some(Wanted {
            keys: ids.map(|(_, id)| Key::new(id, 1.0)).collect(),
            shape: Shape::Checkpoints,
        })
    }

    fn tasks(&self) -> Vec<&'static str> {
        super::TASKS.iter().map(|task| task.id).collect()
    }

    fn atoms(&self, sample: &Sample, request: &str, pack: &PromptPack) -> Vec<Atom> {
        atoms::of(sample, request, pack)
    }

    fn compose(&self, sample: &Sample, request: &str, values: &[f64]) -> String {
        atoms::compose(sample, request, values)
    }

    fn said(&self, sample: &Sample, request: &str, numbers: &[f64]) -> Vec<f64> {
        atoms::said(sample, request, numbers)
    }
}

/// A reply's numbers, in an order that only this protocol knows; see [`Judged::atoms`].
pub type Atoms = Box<[f64]>;

/// Why a reply gives no score, for programs and for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyFault {
    /// The kind.
    pub fault: Fault,
    /// What was expected, what was found.
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

/// What a checkpoint reply says.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    /// A value for each of [`CHECKPOINT_IDS`]: NaN where the strict reader has none, 0 where the authors' code assumes failure.
    Checkpoints([f64; NUM_CHECKPOINTS]),
    /// The judge named no checkpoint and wrote scores of its own, which the authors' code keeps.
    Own {
        /// The judge's own total; 0 where it gave none.
        overall: f64,
        /// The judge's own dimension scores, in the order of [`DIMENSIONS`].
        scores: [Option<f64>; 6],
    },
}

impl Judged {
    /// As a list of numbers: twenty checkpoint values, or the judge's own total and six dimension scores (NaN for none).
    pub fn atoms(&self) -> Atoms {
        match self {
            Self::Checkpoints(values) => Box::new(*values),
            Self::Own { overall, scores } => std::iter::once(*overall)
                .chain(scores.iter().map(|score| score.unwrap_or(f64::NAN)))
                .collect(),
        }
    }

    /// From [`Self::atoms`].
    pub fn of(atoms: &[f64]) -> Self {
        if let Ok(values) = <[f64; NUM_CHECKPOINTS]>::try_from(atoms) {
            return Self::Checkpoints(values);
        }
        let score = |at: usize| atoms.get(at + 1).copied().filter(|score| !score.is_nan());
        Self::Own {
            overall: atoms.first().copied().unwrap_or(0.0),
            scores: std::array::from_fn(score),
        }
    }
}

/// Reads a reply strictly and as the authors do; without the task, only the ids that are there are checked.
pub fn read(
    task: Option<&Task>,
    request: &str,
    reply: &str,
) -> (Result<Atoms, ReplyFault>, Result<Atoms, ReplyFault>) {
    if let Some(detail) = limits::long_reply(reply) {
        let long = ReplyFault::new(Fault::Unparsable, detail);
        return (Err(long.clone()), Err(long));
    }
    if request == CANDIDATE {
        let one = |score: f64| -> Atoms { Box::new([score]) };
        return (
            strict_candidate(reply).map(|read| one(read.0)),
            Ok(one(released_candidate(reply))),
        );
    }
    (
        strict_checkpoints(task, reply).map(|(values, _)| Judged::Checkpoints(values).atoms()),
        released_checkpoints(task, reply).map(|judged| judged.atoms()),
    )
}

/// One raw reply as `juror parse` prints it.
pub fn parse(task: Option<&Task>, request: &str, profile: Profile, reply: &str) -> ParsedReply {
    if let Some(detail) = limits::long_reply(reply) {
        return ParsedReply::Incident {
            kind: kind(Fault::Unparsable).to_owned(),
            detail,
        };
    }
    let result = match (request == CANDIDATE, profile) {
        (true, Profile::Paper) => strict_candidate(reply).map(|(score, _)| candidate(score)),
        (true, Profile::Released) => Ok(candidate(released_candidate(reply))),
        (false, Profile::Paper) => strict_checkpoints(task, reply)
            .map(|(values, _)| checkpoints(task, &Judged::Checkpoints(values), profile)),
        (false, Profile::Released) => {
            released_checkpoints(task, reply).map(|judged| checkpoints(task, &judged, profile))
        }
    };
    match result {
        Ok((criteria, score)) => {
            let parsed = ParsedReply::Ok {
                criteria,
                score,
                reason: reason(request, reply),
            };
            match profile {
                Profile::Paper => parsed,
                Profile::Released => reply::finite(parsed),
            }
        }
        Err(finding) => ParsedReply::Incident {
            kind: kind(finding.fault).to_owned(),
            detail: finding.detail,
        },
    }
}

/// What the reply has to look like.
pub fn grammar(task: Option<&Task>, request: &str) -> String {
    if request == CANDIDATE {
        return "{\"score\": number from 0 to 10, \"reasoning\": text, \"matches_positive\": true or false, \"matches_negative\": true or false}".to_owned();
    }
    let ids = match task {
        Some(task) => {
            let count = task.checkpoints().count();
            format!("all {count} checkpoints of {}", task.id)
        }
        None => "every checkpoint of the task".to_owned(),
    };
    format!(
        "{{\"checkpoint_results\": {{\"A_check_1\": {{\"pass\": 0 or 1}}, … {ids}}}, \"rationale_short\": text, \"flags\": [text]}}"
    )
}

fn kind(fault: Fault) -> &'static str {
    match fault {
        Fault::OutOfRange => "out_of_range",
        Fault::FailedCall => "failed_call",
        Fault::Unparsable | Fault::Ignored | Fault::Stops | Fault::Undecodable => "unparsable",
    }
}

fn candidate(score: f64) -> (BTreeMap<String, f64>, Option<f64>) {
    (
        std::iter::once((CANDIDATE.to_owned(), score)).collect_small(),
        Some(score),
    )
}

/// Dimension scores and the checkpoint total; without the task, the checkpoints themselves.
fn checkpoints(
    task: Option<&Task>,
    judged: &Judged,
    profile: Profile,
) -> (BTreeMap<String, f64>, Option<f64>) {
    match (judged, task) {
        (Judged::Checkpoints(values), Some(task)) => {
            let scores = score::dimension_scores(task, values);
            let total = 100.0 * score::mean_of(&scores);
            let total = match profile {
                Profile::Paper => total,
                Profile::Released => py::round(total, 2),
            };
            (by_letter(&scores), Some(total))
        }
        (Judged::Checkpoints(values), None) => {
            let named = CHECKPOINT_IDS.iter().zip(values);
            // The strict reader has NaN where a checkpoint is missing.
            let is_missing = |value: f64| value.is_nan() && profile == Profile::Paper;
            let present = named.filter(|(_, value)| !is_missing(**value));
            (
                present
                    .map(|(id, value)| ((*id).to_owned(), *value))
                    .collect(),
                None,
            )
        }
        (Judged::Own { overall, scores }, _) => (by_letter(scores), Some(*overall)),
    }
}

fn by_letter(scores: &[Option<f64>; 6]) -> BTreeMap<String, f64> {
    DIMENSIONS
        .iter()
        .zip(scores)
        .filter_map(|(dimension, score)| Some((dimension.letter.to_string(), (*score)?)))
        .collect_small()
}

/// The judge's reason: `rationale_short`, `reasoning`, or that of the authors' details file.
pub fn reason(request: &str, reply: &str) -> String {
    let value = match strict_object(reply) {
        Ok(value) => Some(value),
        Err(_) => released_value(reply),
    };
    let value = value.as_ref();
    let text = |value: Option<&Value>, key: &str| {
        value
            .and_then(|value| value.get(key))
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let found = if request == CANDIDATE {
        let details = value.and_then(|value| value.get("evaluation_result"));
        text(details, "reasoning").or_else(|| text(value, "reasoning"))
    } else {
        text(value, "rationale_short")
    };
    found.unwrap_or_default()
}

/// One JSON object, alone or in one Markdown fence.
fn strict_object(reply: &str) -> Result<Value, ReplyFault> {
    match failed_call(reply.trim()) {
        Some(error) => Err(error),
        None => reply::object(reply).map_err(|error| {
            let detail = thoughts::told(reply, error.to_string());
            ReplyFault::new(Fault::Unparsable, detail)
        }),
    }
}

/// What the authors write into `<model>_error.txt` where the call itself failed.
fn failed_call(text: &str) -> Option<ReplyFault> {
    let error = text.strip_prefix("Error: ")?;
    Some(ReplyFault::new(
        Fault::FailedCall,
        format!(
            "There is no reply, only the error of the call: \"{}\". Ask the judge again.",
            py::shorten(error, 120)
        ),
    ))
}

/// The map of checkpoints in a verdict, wherever the accepted forms put it.
enum Found<'a> {
    Map(Vec<(&'a str, &'a Value)>),
    /// `checkpoint_results` is there and is something that has no items.
    NotAMap(&'a Value),
    None,
}

/// `checkpoint_results`, else `checkpoints`, else the ids at the top.
///
/// An empty `checkpoint_results` hides a filled `checkpoints`, as in the authors' code.
fn checkpoint_map(verdict: &Value) -> Found<'_> {
    let Value::Dict(top) = verdict else {
        return Found::None;
    };
    let nested = verdict
        .get("checkpoint_results")
        .or_else(|| verdict.get("checkpoints"));
    let entries = match nested {
        Some(Value::Dict(entries)) => entries.as_slice(),
        Some(other) if is_true(other) => return Found::NotAMap(other),
        _ => [].as_slice(),
    };
    let mut map: Vec<(&str, &Value)> = Vec::new();
    map.extend(entries.iter().map(|(id, value)| (id.as_str(), value)));
    if map.is_empty() {
        map.extend(
            top.iter()
                .filter(|(key, _)| is_checkpoint_id(key))
                .map(|(id, value)| (id.as_str(), value)),
        );
    }
    if map.is_empty() {
        return Found::None;
    }
    for (_, value) in &mut map {
        if let Some(pass) = value.get("pass") {
            *value = pass;
        }
    }
    Found::Map(map)
}

/// Python's truth of a value.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(b) => *b,
        Value::Int(x) | Value::Long(x, _) | Value::Float(x) => *x != 0.0,
        Value::Str(text) => !text.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Dict(entries) => !entries.is_empty(),
    }
}

/// `^[A-Z]_check_\d+$` in Python.
fn is_checkpoint_id(key: &str) -> bool {
    let key = key.strip_suffix('\n').unwrap_or(key);
    let Some((letter, number)) = key.split_once("_check_") else {
        return false;
    };
    let is_number =
        |text: &str| !text.is_empty() && text.chars().all(|c| py::decimal_digit(c).is_some());
    matches!(letter.as_bytes(), [b'A'..=b'Z']) && is_number(number)
}

/// Strict: 0 or 1 (or false and true) for every checkpoint of the task; other ids are passed over.
fn strict_checkpoints(
    task: Option<&Task>,
    reply: &str,
) -> Result<([f64; NUM_CHECKPOINTS], Value), ReplyFault> {
    let again = |detail: String| {
        let wanted = grammar(task, super::CHECKPOINTS);
        ReplyFault::new(Fault::Unparsable, format!("{detail} Expected {wanted}."))
    };
    let verdict = strict_object(reply).map_err(|finding| match finding.fault {
        Fault::Unparsable => again(finding.detail),
        _ => finding,
    })?;
    let map = match checkpoint_map(&verdict) {
        Found::Map(map) => map,
        Found::NotAMap(other) => {
            return Err(again(format!(
                "\"checkpoint_results\" is {}.",
                other.describe()
            )));
        }
        Found::None => return Err(again("The object names no checkpoint.".to_owned())),
    };
    let mut values = [f64::NAN; NUM_CHECKPOINTS];
    let (mut missing, mut off_scale) = (Vec::new(), None);
    for (at, id) in CHECKPOINT_IDS.iter().enumerate() {
        let is_asked = task.is_none_or(|task| task.checkpoints().any(|(own, _)| own == at));
        let value = map
            .iter()
            .find(|(key, _)| key == id)
            .map(|(_, value)| value);
        match (is_asked, value) {
            (false, _) => {}
            (true, None) => missing.push(*id),
            (true, Some(Value::Bool(pass))) => values[at] = f64::from(u8::from(*pass)),
            (true, Some(Value::Int(x) | Value::Long(x, _) | Value::Float(x))) => {
                values[at] = *x;
                if ![0.0, 1.0].contains(x) {
                    off_scale.get_or_insert((*id, *x));
                }
            }
            (true, Some(other)) => {
                return Err(again(format!("{id} is {}.", other.describe())));
            }
        }
    }
    if missing.len() == NUM_CHECKPOINTS || (task.is_some() && !missing.is_empty()) {
        let detail = match missing.as_slice() {
            [one] => format!("{one} is missing."),
            many => format!(
                "{} checkpoints are missing: {}.",
                many.len(),
                many.join(", ")
            ),
        };
        return Err(again(detail));
    }
    match off_scale {
        Some((id, x)) => Err(ReplyFault::new(
            Fault::OutOfRange,
            format!("{id} is {x}. Expected 0 or 1."),
        )),
        None => Ok((values, verdict)),
    }
}

/// What the authors' judge script saves for a reply; `None` where it asks again and gives up in the end.
///
/// First the whole reply as JSON of any kind, then the first fence marked `json`,
/// then the first stretch of braces that are nested at most twice: of a complete verdict inside prose that is the inner map.
///
/// # Example
/// ```
/// use juror_protocols::micon::verdict::released_value;
/// let inner = released_value(r#"Here: {"checkpoint_results": {"A_check_1": {"pass": 1}}}"#).unwrap();
/// assert!(inner.get("A_check_1").is_some());
/// assert_eq!(released_value("The image is good."), None);
/// ```
pub fn released_value(reply: &str) -> Option<Value> {
    if let Ok(value) = py::loads(reply) {
        return Some(value);
    }
    fenced(reply)
        .and_then(|body| py::loads(body).ok())
        .or_else(|| braces(reply).and_then(|body| py::loads(body).ok()))
}

/// The first match of ```` ```json\s*(\{.*?\})\s*``` ```` over several lines.
fn fenced(reply: &str) -> Option<&str> {
    let bodies = reply
        .match_indices("```json")
        .map(|(at, mark)| reply[at + mark.len()..].trim_start_matches(py::is_space));
    // Where nothing closes the first one, nothing closes a later one.
    let body = bodies.into_iter().find(|body| body.starts_with('{'))?;
    let closes = |end: &usize| {
        body[end + 1..]
            .trim_start_matches(py::is_space)
            .starts_with("```")
    };
    let end = body.match_indices('}').map(|(end, _)| end).find(closes)?;
    Some(&body[..=end])
}

/// The first match of `\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}`: braces with at most one level inside.
fn braces(reply: &str) -> Option<&str> {
    reply.match_indices('{').find_map(|(open, _)| {
        let mut depth = 0;
        for (at, c) in reply[open..].match_indices(['{', '}']) {
            match c {
                "{" if depth == 2 => return None,
                "{" => depth += 1,
                _ if depth == 1 => return Some(&reply[open..=open + at]),
                _ => depth -= 1,
            }
        }
        None
    })
}

/// What the authors' aggregation makes of a reply that their judge script took.
fn released_checkpoints(task: Option<&Task>, reply: &str) -> Result<Judged, ReplyFault> {
    if let Some(error) = failed_call(reply) {
        return Err(error);
    }
    let value = released_value(reply).ok_or_else(|| {
        ReplyFault::new(
            Fault::Unparsable,
            "The authors' parser finds no JSON, asks twice more and then leaves the case out.",
        )
    })?;
    aggregate(task, &value)
}

/// The authors' `_process_checkpoints` and what their reports then need.
///
/// # Errors
/// [`Fault::Unparsable`] where the case is dropped, [`Fault::Stops`] where no report is written at all.
pub fn aggregate(task: Option<&Task>, verdict: &Value) -> Result<Judged, ReplyFault> {
    let dropped = |error: String| {
        ReplyFault::new(
            Fault::Unparsable,
            format!("The authors' aggregation drops the case: {error}."),
        )
    };
    if !matches!(verdict, Value::Dict(_)) {
        return Err(dropped(format!(
            "the reply is {}, not an object",
            verdict.describe()
        )));
    }
    let judged = match checkpoint_map(verdict) {
        Found::Map(map) => {
            let values = summed(task, &map)
                .map_err(|error| dropped(format!("{}: {error}", type_of(&error))))?;
            Judged::Checkpoints(values)
        }
        Found::NotAMap(other) => {
            let kind = other.type_name();
            return Err(dropped(format!(
                "AttributeError: '{kind}' object has no attribute 'items'"
            )));
        }
        Found::None => own_scores(verdict)?,
    };
    check_flags(verdict)?;
    Ok(judged)
}

/// The checkpoint values as Python adds them up, dimension by dimension: absent ones are 0.
///
/// # Errors
/// The message of Python's `TypeError` for the first value that cannot be added.
pub fn summed(
    task: Option<&Task>,
    map: &[(&str, &Value)],
) -> Result<[f64; NUM_CHECKPOINTS], Error> {
    let mut values = [0.0; NUM_CHECKPOINTS];
    let (mut dimension, mut sum) = (' ', "int");
    for (at, id) in CHECKPOINT_IDS.iter().enumerate() {
        let is_asked = task.is_none_or(|task| task.checkpoints().any(|(own, _)| own == at));
        if !is_asked {
            continue;
        }
        if !id.starts_with(dimension) {
            sum = "int";
            dimension = id.chars().next().unwrap_or(' ');
        }
        let Some((_, value)) = map.iter().find(|(key, _)| key == id) else {
            continue;
        };
        if matches!(value, Value::Int(x) if x.is_infinite()) {
            return Err(Error::Stops(
                "integer division result too large for a float".to_owned(),
            ));
        }
        let Some(x) = value.as_number() else {
            let kind = value.type_name();
            return Err(Error::Stops(format!(
                "unsupported operand type(s) for +: '{sum}' and '{kind}'"
            )));
        };
        values[at] = x;
        if matches!(value, Value::Float(_)) {
            sum = "float";
        }
    }
    Ok(values)
}

/// Python's name of what a sum of checkpoints raises.
fn type_of(error: &Error) -> &'static str {
    if error.to_string().starts_with("integer") {
        "OverflowError"
    } else {
        "TypeError"
    }
}

/// The judge's own `overall` and `scores`, kept where it names no checkpoint.
fn own_scores(verdict: &Value) -> Result<Judged, ReplyFault> {
    let stops = |what: &str, value: &Value| {
        ReplyFault::new(
            Fault::Stops,
            format!(
                "The judge named no checkpoint and its own \"{what}\" is {}: the authors' aggregation stops here and writes no report.",
                value.describe()
            ),
        )
    };
    let overall = match verdict.get("overall") {
        None => 0.0,
        Some(value) => value.as_number().ok_or_else(|| stops("overall", value))?,
    };
    let mut scores = [None; 6];
    match verdict.get("scores") {
        None => {}
        Some(Value::Dict(entries)) => {
            for (letter, value) in entries {
                let score = value.as_number().ok_or_else(|| stops("scores", value))?;
                let at = DIMENSIONS
                    .iter()
                    .position(|dimension| letter.chars().eq([dimension.letter]));
                if let Some(at) = at {
                    scores[at] = Some(score);
                }
            }
        }
        Some(other) => return Err(stops("scores", other)),
    }
    Ok(Judged::Own { overall, scores })
}

/// The authors' table joins the flags with `;`, which needs texts.
fn check_flags(verdict: &Value) -> Result<(), ReplyFault> {
    let culprit = match verdict.get("flags") {
        None | Some(Value::Str(_) | Value::Dict(_)) => None,
        Some(Value::List(items)) => items.iter().find(|item| item.as_str().is_none()),
        Some(other) => Some(other),
    };
    match culprit {
        None => Ok(()),
        Some(value) => Err(ReplyFault::new(
            Fault::Stops,
            format!(
                "\"flags\" holds {}: the authors' table writer stops here and writes no report.",
                value.describe()
            ),
        )),
    }
}

/// Strict: one object with a number from 0 to 10, or the authors' details file about such a reply.
fn strict_candidate(reply: &str) -> Result<(f64, Value), ReplyFault> {
    let wanted = grammar(None, CANDIDATE);
    let unparsable =
        |detail: String| ReplyFault::new(Fault::Unparsable, format!("{detail} Expected {wanted}."));
    let verdict = strict_object(reply).map_err(|finding| match finding.fault {
        Fault::Unparsable => unparsable(finding.detail),
        _ => finding,
    })?;
    let details = verdict.get("evaluation_result");
    if let Some(details) = details {
        check_details(details)?;
    }
    match details.unwrap_or(&verdict).get("score") {
        None => Err(unparsable("The object has no \"score\".".to_owned())),
        Some(Value::Int(x) | Value::Long(x, _) | Value::Float(x)) if (0.0..=10.0).contains(x) => {
            Ok((*x, verdict))
        }
        Some(value @ (Value::Int(_) | Value::Long(..) | Value::Float(_))) => Err(ReplyFault::new(
            Fault::OutOfRange,
            format!(
                "The score is {}. Expected a number from 0 to 10.",
                value.describe()
            ),
        )),
        Some(other) => Err(unparsable(format!("The score is {}.", other.describe()))),
    }
}

/// Where the authors' details file tells that its number is no judgement but a stand-in.
fn check_details(details: &Value) -> Result<(), ReplyFault> {
    let text = |key: &str| details.get(key).and_then(Value::as_str);
    let reasoning = text("reasoning").unwrap_or_default();
    let finding = |fault, detail: String| {
        Err(ReplyFault::new(
            fault,
            format!("{detail} Ask the judge again."),
        ))
    };
    if let Some(error) = text("parse_error") {
        return finding(
            Fault::Unparsable,
            format!("The authors' code could not read the reply and put 0: \"{error}\"."),
        );
    }
    match (text("error"), reasoning) {
        (Some(error), reasoning) if reasoning.starts_with("Parse error") => finding(
            Fault::Unparsable,
            format!("The authors' code could not read the reply and put 0: \"{error}\"."),
        ),
        (Some(error), _) => finding(
            Fault::FailedCall,
            format!("The authors' code got no reply and put 0: \"{error}\"."),
        ),
        (None, NO_CLIENT) => finding(
            Fault::FailedCall,
            "No judge was set up, and the authors' code put 5.".to_owned(),
        ),
        (None, FROM_TEXT) => finding(
            Fault::Unparsable,
            "The reply was not JSON; the authors' code took a number out of its text.".to_owned(),
        ),
        _ => Ok(()),
    }
}

/// How the authors' details file marks a score that was put in without a judge.
const NO_CLIENT: &str = "No MLLM client available for evaluation";
/// How it marks one that was found in a reply that is not JSON.
const FROM_TEXT: &str = "Extracted from non-JSON response";
/// How it marks a reply without any score.
const NO_SCORE: &str = "Failed to parse MLLM response";

/// What the authors' candidate parser makes of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateRead {
    /// From 0 to 10; 0 where nothing could be read.
    pub score: f64,
    /// Whether the picture is one of the right continuations.
    pub matches_positive: Value,
    /// Whether it is one of the wrong ones.
    pub matches_negative: Value,
    /// `json`, or what the authors' code notes where the reply is not what it asked for.
    pub path: String,
}

/// What the authors' code counts: never a failure.
fn released_candidate(reply: &str) -> f64 {
    // The authors' details file holds the score that was counted.
    if let Ok(value) = py::loads(reply)
        && let Some(details) = value.get("evaluation_result")
    {
        return details.get("score").and_then(py::float).unwrap_or(0.0);
    }
    released_candidate_read(reply).score
}

/// The authors' `_parse_response`: never fails, 0 where nothing can be read.
///
/// # Example
/// ```
/// use juror_protocols::micon::verdict::released_candidate_read;
/// assert_eq!(released_candidate_read("{\"score\": 14}").score, 10.0);
/// assert_eq!(released_candidate_read("Score 9/10").score, 9.0);
/// assert_eq!(released_candidate_read("good image").score, 0.0);
/// ```
pub fn released_candidate_read(reply: &str) -> CandidateRead {
    let body = unfenced(reply.trim_matches(py::is_space));
    let other = |score: f64, path: String| CandidateRead {
        score,
        matches_positive: Value::Bool(false),
        matches_negative: Value::Bool(false),
        path,
    };
    let Ok(value) = py::loads(body) else {
        return match score_in_text(body) {
            Some(score) => other(clamped(score), FROM_TEXT.to_owned()),
            None => other(0.0, NO_SCORE.to_owned()),
        };
    };
    if !matches!(value, Value::Dict(_)) {
        let kind = value.type_name();
        return other(
            0.0,
            format!("Parse error: '{kind}' object has no attribute 'get'"),
        );
    }
    let given = value.get("score").unwrap_or(&Value::Int(0.0));
    if matches!(given, Value::Int(x) if x.is_infinite()) {
        let error = "int too large to convert to float";
        return other(0.0, format!("Parse error: {error}"));
    }
    let Some(score) = py::float(given) else {
        let error = match given {
            Value::Str(text) => format!("could not convert string to float: {}", quoted(text)),
            other => format!(
                "float() argument must be a string or a real number, not '{}'",
                other.type_name()
            ),
        };
        return other(0.0, format!("Parse error: {error}"));
    };
    let flag = |key: &str| value.get(key).cloned().unwrap_or(Value::Bool(false));
    CandidateRead {
        score: clamped(score),
        matches_positive: flag("matches_positive"),
        matches_negative: flag("matches_negative"),
        path: "json".to_owned(),
    }
}

/// The text between the first fence and the next; an open fence loses its last character, as in the authors' code.
fn unfenced(text: &str) -> &str {
    let start = match (text.find("```json"), text.find("```")) {
        (Some(at), _) => at + "```json".len(),
        (None, Some(at)) => at + "```".len(),
        (None, None) => return text,
    };
    let body = &text[start..];
    let body = match body.find("```") {
        Some(end) => &body[..end],
        None => body
            .char_indices()
            .next_back()
            .map_or("", |(last, _)| &body[..last]),
    };
    body.trim_matches(py::is_space)
}

/// Python's `max(0.0, min(10.0, x))`, by which NaN becomes 10.
fn clamped(x: f64) -> f64 {
    let x = if x < 10.0 { x } else { 10.0 };
    if x > 0.0 { x } else { 0.0 }
}

/// The number of the first match of `score["\s:]+(\d+(?:\.\d+)?)`, in any case.
fn score_in_text(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    // Python's IGNORECASE folds the long s.
    let words = lower.match_indices(['s', 'ſ']);
    let mut ends = words.filter_map(|(at, first)| {
        let rest = &lower[at + first.len()..];
        rest.starts_with("core")
            .then_some(at + first.len() + "core".len())
    });
    ends.find_map(|end| {
        let rest = &text[end..];
        let number = rest.trim_start_matches(|c| c == '"' || c == ':' || py::is_space(c));
        let digits = |text: &str| {
            text.chars()
                .take_while(|c| py::decimal_digit(*c).is_some())
                .map(char::len_utf8)
                .sum::<usize>()
        };
        let mut len = digits(number);
        if len == 0 || number.len() == rest.len() {
            return None;
        }
        if number[len..].starts_with('.') {
            let fraction = digits(&number[len + 1..]);
            len += if fraction > 0 { 1 + fraction } else { 0 };
        }
        py::float(&Value::Str(number[..len].to_owned()))
    })
}

/// Python's `repr` of a text, as its error messages show it.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Both readings of a reply, without their words.
pub fn verdict_of(task: Option<&Task>, request: &str, reply: &str) -> Verdict {
    let (paper, released) = read(task, request, reply);
    Verdict {
        paper: paper.map_err(|finding| finding.fault),
        released: released.map_err(|finding| finding.fault),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
