//! A judge's reply → the sub-scores of one metric, by two readers.
//!
//! The strict reader (`paper`) wants the object as the last part of the reply, every key in it, and values on the scale that
//! the paper and the prompt give; the imitation (`released`) does what the authors' `metrics/registry` does:
//! a fenced object first, then everything between the first and the last brace, and whatever Python can cast.
//! A reply that either of them refuses is no score; the authors' code then asks again, and stops after more than fifty failures.
//!
//! # Atoms
//! Both readers give the numbers of a metric in one order: a value for each of [`Metric::keys`]
//! (limbs: 1 for `MATCH`, 0 for `MISMATCH`, NaN for `N/A`), for [`Metric::OrientationAlignment`] then three flags
//! (1 if the axis needs modification), and last the metric's score as the authors store it.

use super::{Metric, Task, score};
use crate::contract::Reading;
use crate::error::Error;
use crate::reply;
use crate::thoughts;
use crate::tolerant::{Key, Shape, Wanted};
use crate::vibe::Vibe;
use crate::vibe::tasks::{part_id, words_of};
use juror_model::incident::IncidentKind;
use juror_model::options::Profile;
use juror_model::prompt::PromptPack;
use juror_model::reply::{Fault, ParsedReply, Read, Verdict};
use juror_model::sample::Sample;
use juror_model::terms::Atom;
use juror_reading::limits;
use juror_reading::py::{self, NoObject, Value};
use std::collections::BTreeMap;

impl Reading for Vibe {
    fn read(&self, sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        let Some(metric) = Metric::named(request) else {
            return Read::Several(Verdict::fault(Fault::Ignored));
        };
        if limits::long_reply(reply).is_some() {
            return Read::Several(Verdict::fault(Fault::Unparsable));
        }
        let task = sample.and_then(crate::vibe::tasks::task_of);
        Read::Several(Verdict {
            paper: strict(task, metric, reply)
                .map(Vec::into_boxed_slice)
                .map_err(|rejected| rejected.fault),
            released: released(metric, reply)
                .map(|stored| atoms(metric, &stored).into_boxed_slice())
                .map_err(|rejected| rejected.fault),
        })
    }

    fn parse(
        &self,
        sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        let Some(metric) = Metric::named(request) else {
            return ParsedReply::Incident {
                kind: "unparsable".to_owned(),
                detail: format!(
                    "{request} is no metric of VIBE; only the authors' mean of an item takes it in."
                ),
            };
        };
        if let Some(detail) = limits::long_reply(reply) {
            return ParsedReply::Incident {
                kind: "unparsable".to_owned(),
                detail,
            };
        }
        let task = sample.and_then(crate::vibe::tasks::task_of);
        match stored_member(metric, reply) {
            Some(stored) => parse_stored(task, metric, profile, &stored),
            None => parse_reply(task, metric, profile, reply),
        }
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        Metric::named(request).map_or_else(String::new, |metric| grammar(metric).to_owned())
    }

    fn wanted(&self, _sample: Option<&Sample>, request: &str) -> Option<Wanted> {
        let metric = Metric::named(request)?;
        let keys = metric.keys().iter().map(|key| Key::new(key, 1.0));
        let is_plain = ![Metric::PoseConsistency, Metric::OrientationAlignment].contains(&metric);
        Some(Wanted {
            keys: keys.collect(),
            shape: if is_plain {
                Shape::Scores
            } else {
                Shape::Whole
            },
        })
    }

    fn tasks(&self) -> Vec<&'static str> {
        Task::ALL.into_iter().map(Task::id).collect()
    }

    fn atoms(&self, sample: &Sample, request: &str, _pack: &PromptPack) -> Vec<Atom> {
        super::atoms::of(sample, request)
    }

    fn compose(&self, _sample: &Sample, request: &str, values: &[f64]) -> String {
        super::atoms::compose(request, values)
    }

    fn said(&self, _sample: &Sample, request: &str, numbers: &[f64]) -> Vec<f64> {
        super::atoms::said(request, numbers)
    }
}

/// Why a reply gives no sub-scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The kind.
    pub fault: Fault,
    /// What was found; in the authors' words if their reader refused it.
    pub detail: String,
}

impl Rejected {
    fn unparsable(detail: impl Into<String>) -> Self {
        Self {
            fault: Fault::Unparsable,
            detail: detail.into(),
        }
    }

    fn out_of_range(detail: impl Into<String>) -> Self {
        Self {
            fault: Fault::OutOfRange,
            detail: detail.into(),
        }
    }
}

/// How the authors' reader casts a score, and what it then takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cast {
    /// `float()`, then 0, ½ or 1; the message says `0/0.5/1`.
    Half,
    /// The same, but the message says `0/1/0.5`.
    HalfLast,
    /// `float()`, then 0 or 1.
    Whole,
    /// `int()`, which cuts 0.9 down to 0, then 0 or 1.
    Int,
}

impl Cast {
    fn of(metric: Metric) -> Self {
        match metric {
            Metric::InstructionAdherence
            | Metric::ContextualPreservation
            | Metric::WindDirectionConsistency => Self::Half,
            Metric::WindContextualPreservation | Metric::ReorientationContextualPreservation => {
                Self::HalfLast
            }
            Metric::LightDirectionConsistency | Metric::Billiards => Self::Whole,
            Metric::VisualCoherence
            | Metric::BiiCicCp
            | Metric::OrientationAlignment
            | Metric::PoseConsistency => Self::Int,
        }
    }

    fn score(self, key: &str, value: &Value) -> Result<Value, Rejected> {
        let (number, kind) = match self {
            Self::Int => (py::int(value), "int"),
            _ => (py::float(value), "float"),
        };
        let number = number
            .ok_or_else(|| Rejected::unparsable(format!("{key} score is not {kind}-castable.")))?;
        let scale = match self {
            Self::Half | Self::HalfLast => THREE,
            Self::Whole | Self::Int => BINARY,
        };
        if scale.contains(&number) {
            return Ok(if self == Self::Int {
                Value::Int(number)
            } else {
                Value::Float(number)
            });
        }
        let scale = match self {
            Self::Half => "0/0.5/1",
            Self::HalfLast => "0/1/0.5",
            Self::Whole | Self::Int => "0/1",
        };
        Err(Rejected::out_of_range(format!(
            "{key} score must be {scale}."
        )))
    }
}

/// What the authors' `extract_json_candidate` cuts out of a reply: the object of the first Markdown fence that holds one,
/// else everything from the first `{` to the last `}`.
///
/// # Example
/// ```
/// use juror_protocols::vibe::verdict::json_candidate;
/// assert_eq!(json_candidate("{x} ```json\n{\"k\": 1}\n``` end"), Some("{\"k\": 1}"));
/// assert_eq!(json_candidate("{\"a\": 1} and {\"b\": 2}"), Some("{\"a\": 1} and {\"b\": 2}"));
/// assert_eq!(json_candidate("} {"), None);
/// ```
pub fn json_candidate(reply: &str) -> Option<&str> {
    let fence = "```";
    let mut from = 0;
    while let Some(found) = reply[from..].find(fence) {
        let open = from + found;
        if let Some(body) = fenced_body(&reply[open + fence.len()..]) {
            if let Some(object) = closed_object(body) {
                return Some(object);
            }
            // What closes a later one would close this one too.
            break;
        }
        // One back tick on: a run of four holds two fences.
        from = open + 1;
    }
    let (start, end) = (reply.find('{')?, reply.rfind('}')?);
    (start < end).then(|| &reply[start..=end])
}

/// The text after an opening fence, if an object follows it at once.
fn fenced_body(after_fence: &str) -> Option<&str> {
    // Python's IGNORECASE folds the long s, which has two bytes.
    let words = ["json", "jſon"].into_iter();
    let mut words = words.filter_map(|word| {
        let head = after_fence.get(..word.len())?;
        (head.eq_ignore_ascii_case(word)).then(|| &after_fence[word.len()..])
    });
    let body = words.next().unwrap_or(after_fence);
    let body = body.trim_start_matches(py::is_space);
    body.starts_with('{').then_some(body)
}

/// The shortest text up to a `}` with a closing fence behind it.
fn closed_object(body: &str) -> Option<&str> {
    body.match_indices("```").find_map(|(close, _)| {
        let object = body[..close].trim_end_matches(py::is_space);
        object.ends_with('}').then_some(object)
    })
}

/// What the authors' code stores for a reply: the metric's object with its `score`, values cast.
///
/// # Errors
/// The message of the authors' reader; their code then asks the judge again.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Metric, verdict};
/// let half = r#"{"Contextual_Preservation": {"reason": "r", "score": "0.5"}}"#;
/// assert_eq!(verdict::released(Metric::ContextualPreservation, half).unwrap().get("score"),
///     Some(&juror_reading::py::Value::Float(0.5)));
/// assert_eq!(verdict::released(Metric::Billiards, "no").unwrap_err().detail,
///     "JSON parse failed: No JSON object found in response.");
/// ```
pub fn released(metric: Metric, reply: &str) -> Result<Value, Rejected> {
    let Some(candidate) = json_candidate(reply) else {
        return Err(Rejected::unparsable(
            "JSON parse failed: No JSON object found in response.",
        ));
    };
    let verdict = py::loads(candidate)
        .map_err(|error| Rejected::unparsable(format!("JSON parse failed: {error}")))?;
    if metric.is_single() {
        let inner = wrapped(metric, &verdict)?;
        return released_sub(metric, metric.id(), inner).map(Value::Dict);
    }
    let mut stored = if metric == Metric::PoseConsistency {
        released_limbs(wrapped(metric, &verdict)?)?
    } else {
        released_subs(metric, &verdict)?
    };
    let atoms = atoms(metric, &Value::Dict(stored.clone()));
    let score = score::released_metric(metric, &atoms);
    stored.push(("score".to_owned(), Value::Float(score)));
    Ok(Value::Dict(stored))
}

/// The object under the metric's own name.
fn wrapped(metric: Metric, verdict: &Value) -> Result<&Value, Rejected> {
    let id = metric.id();
    match verdict.get(id) {
        None => Err(Rejected::unparsable(format!("Missing key: {id}"))),
        Some(inner @ Value::Dict(_)) => Ok(inner),
        Some(_) => Err(Rejected::unparsable(format!("{id} is not an object."))),
    }
}

type Entries = Vec<(String, Value)>;

fn released_subs(metric: Metric, verdict: &Value) -> Result<Entries, Rejected> {
    let missing: Vec<String> = metric
        .keys()
        .iter()
        .filter(|key| verdict.get(key).is_none())
        .map(|key| format!("'{key}'"))
        .collect();
    if !missing.is_empty() {
        return Err(Rejected::unparsable(format!(
            "Missing keys: [{}]",
            missing.join(", ")
        )));
    }
    metric
        .keys()
        .iter()
        .map(|key| {
            let sub = verdict.get(key).unwrap_or(&Value::Null);
            if !matches!(sub, Value::Dict(_)) {
                return Err(Rejected::unparsable(format!("{key} is not an object.")));
            }
            Ok((
                (*key).to_owned(),
                Value::Dict(released_sub(metric, key, sub)?),
            ))
        })
        .collect()
}

fn released_sub(metric: Metric, key: &str, sub: &Value) -> Result<Entries, Rejected> {
    let needs = sub.get("needs_modification");
    let is_axis = metric == Metric::OrientationAlignment;
    if is_axis && !matches!(needs, Some(Value::Bool(_))) {
        return Err(Rejected::unparsable(format!(
            "{key} needs_modification is not a boolean."
        )));
    }
    let score = Cast::of(metric).score(key, sub.get("score").unwrap_or(&Value::Null))?;
    let reason = sub.get("reason").cloned();
    let mut entries = vec![
        (
            "reason".to_owned(),
            reason.unwrap_or_else(|| Value::Str(String::new())),
        ),
        ("score".to_owned(), score),
    ];
    if let Some(needs) = needs.filter(|_| is_axis) {
        entries.push(("needs_modification".to_owned(), needs.clone()));
    }
    Ok(entries)
}

/// What a limb's label may be.
const LABELS: [&str; 3] = ["MATCH", "MISMATCH", "N/A"];

fn released_limbs(limbs: &Value) -> Result<Entries, Rejected> {
    let limb = |key: &&str| {
        let label = limbs
            .get(key)
            .ok_or_else(|| Rejected::unparsable(format!("Missing key: {key}")))?;
        let Value::Str(label) = label else {
            return Err(Rejected::unparsable(format!("{key} must be a string.")));
        };
        let label = label.trim_matches(py::is_space);
        if LABELS.contains(&label) {
            return Ok(((*key).to_owned(), Value::Str(label.to_owned())));
        }
        Err(Rejected::out_of_range(format!(
            "{key} must be one of ['MATCH', 'MISMATCH', 'N/A'], got: {label}"
        )))
    };
    Metric::PoseConsistency.keys().iter().map(limb).collect()
}

/// The atoms of a stored metric object: what is absent or cannot be cast is NaN.
///
/// An item that was not asked because its edit had failed holds a score of 0 and nothing else.
pub fn atoms(metric: Metric, stored: &Value) -> Vec<f64> {
    let number = |value: Option<&Value>| value.and_then(py::float).unwrap_or(f64::NAN);
    let sub = |key: &&str| match stored.get(key) {
        _ if metric.is_single() => number(stored.get("score")),
        Some(Value::Str(label)) => limb_atom(label),
        sub => number(sub.and_then(|sub| sub.get("score"))),
    };
    let mut atoms: Vec<f64> = metric.keys().iter().map(sub).collect();
    if metric == Metric::OrientationAlignment {
        atoms.extend(metric.keys().iter().map(|key| {
            let needs = stored
                .get(key)
                .and_then(|sub| sub.get("needs_modification"));
            number(needs)
        }));
    }
    atoms.push(number(stored.get("score")));
    atoms
}

fn limb_atom(label: &str) -> f64 {
    match label {
        "MATCH" => 1.0,
        "MISMATCH" => 0.0,
        _ => f64::NAN,
    }
}

/// The atoms of a reply by the strict reader.
///
/// The object may stand in a Markdown fence; analysis may come before it, nothing may come behind it.
/// Without a task the widest scale of the metric's tasks holds.
///
/// # Errors
/// What was expected and what was found.
pub fn strict(task: Option<Task>, metric: Metric, reply: &str) -> Result<Vec<f64>, Rejected> {
    let read = |reply: &str| strict_reply(task, metric, reply);
    thoughts::apart(reply, read, Rejected::unparsable).map_err(|mut rejected| {
        if rejected.fault == Fault::Unparsable {
            rejected.detail = thoughts::told(reply, rejected.detail);
        }
        rejected
    })
}

/// The last object's atoms, unless an object right before it gives others.
fn strict_reply(task: Option<Task>, metric: Metric, reply: &str) -> Result<Vec<f64>, Rejected> {
    let (found, mut before) = strict_object(task, metric, reply)?;
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    // A draft in the analysis is no verdict, but two that differ are not one.
    for _ in 0..MAX_DRAFTS {
        let Some(end) = before.rfind('}') else {
            break;
        };
        let Ok((draft, earlier)) = strict_object(task, metric, &before[..=end]) else {
            break;
        };
        if bits(&draft) != bits(&found) {
            return Err(Rejected::unparsable(
                "The reply has two objects that differ; only one can be the verdict.",
            ));
        }
        before = earlier;
    }
    Ok(found)
}

/// Objects before the last one that are compared with it.
const MAX_DRAFTS: usize = 8;

/// The last object's atoms, and the text before it.
fn strict_object(
    task: Option<Task>,
    metric: Metric,
    reply: &str,
) -> Result<(Vec<f64>, &str), Rejected> {
    let (verdict, before) = last_object(reply).map_err(|detail| {
        Rejected::unparsable(format!("{detail} Expected {}.", grammar(metric)))
    })?;
    let is_wrapped = metric.is_single() || metric == Metric::PoseConsistency;
    let inner = if is_wrapped {
        verdict.get(metric.id()).ok_or_else(|| {
            Rejected::unparsable(format!(
                "The object has no \"{}\". Expected {}.",
                metric.id(),
                grammar(metric)
            ))
        })?
    } else {
        &verdict
    };
    Ok((strict_stored(task, metric, inner)?, before))
}

/// The atoms of a stored metric object by the strict reader; see [`strict`].
///
/// # Errors
/// What was expected and what was found.
pub fn strict_stored(
    task: Option<Task>,
    metric: Metric,
    stored: &Value,
) -> Result<Vec<f64>, Rejected> {
    let expected = |detail: String| format!("{detail} Expected {}.", grammar(metric));
    let Value::Dict(entries) = stored else {
        return Err(Rejected::unparsable(expected(format!(
            "\"{}\" is {}, not an object.",
            metric.id(),
            stored.describe()
        ))));
    };
    if let Some((_, error)) = entries.iter().find(|(key, _)| key == "error") {
        return Err(Rejected {
            fault: Fault::FailedCall,
            detail: format!("The file holds the error {}.", error.describe()),
        });
    }
    if is_skipped(metric, stored) {
        return Ok(atoms(metric, stored));
    }
    let mut values = Vec::new();
    let mut flags = Vec::new();
    for (at, key) in metric.keys().iter().enumerate() {
        let sub = if metric.is_single() {
            stored
        } else {
            stored.get(key).ok_or_else(|| {
                Rejected::unparsable(expected(format!("The object has no \"{key}\".")))
            })?
        };
        let value = match (metric, sub) {
            (Metric::PoseConsistency, Value::Str(label)) if LABELS.contains(&label.as_str()) => {
                limb_atom(label)
            }
            (Metric::PoseConsistency, other) => {
                return Err(Rejected::unparsable(expected(format!(
                    "\"{key}\" is {}.",
                    other.describe()
                ))));
            }
            _ => strict_score(task, metric, at, sub)?,
        };
        values.push(value);
        if metric == Metric::OrientationAlignment {
            let Some(Value::Bool(needs)) = sub.get("needs_modification") else {
                return Err(Rejected::unparsable(expected(format!(
                    "\"{key}\" has no needs_modification that is true or false."
                ))));
            };
            flags.push(f64::from(u8::from(*needs)));
        }
    }
    values.extend(flags);
    values.push(f64::NAN);
    let score = score::released_metric(metric, &values);
    if let Some(last) = values.last_mut() {
        *last = score;
    }
    Ok(values)
}

/// Whether the authors' code stored this without asking: visual coherence after an edit that had failed altogether.
pub fn is_skipped(metric: Metric, stored: &Value) -> bool {
    metric == Metric::VisualCoherence
        && metric.keys().iter().all(|key| stored.get(key).is_none())
        && stored.get("score").and_then(py::float) == Some(0.0)
}

fn strict_score(
    task: Option<Task>,
    metric: Metric,
    at: usize,
    sub: &Value,
) -> Result<f64, Rejected> {
    let key = metric.keys()[at];
    let wanted = grammar(metric);
    let score = match sub {
        Value::Dict(_) => sub.get("score"),
        other => {
            return Err(Rejected::unparsable(format!(
                "\"{key}\" is {}, not an object. Expected {wanted}.",
                other.describe()
            )));
        }
    };
    let Some(score) = score else {
        return Err(Rejected::unparsable(format!(
            "\"{key}\" has no \"score\". Expected {wanted}."
        )));
    };
    let (Value::Int(x) | Value::Long(x, _) | Value::Float(x)) = *score else {
        return Err(Rejected::unparsable(format!(
            "The score of \"{key}\" is {}, not a number. Expected {wanted}.",
            score.describe()
        )));
    };
    let scale = scale(task, metric, at);
    if scale.contains(&x) {
        return Ok(x);
    }
    let values: Vec<String> = scale.iter().map(ToString::to_string).collect();
    Err(Rejected::out_of_range(format!(
        "The score of \"{key}\" is {x}. Expected one of {}.",
        values.join(", ")
    )))
}

const BINARY: &[f64] = &[0.0, 1.0];
const THREE: &[f64] = &[0.0, 0.5, 1.0];

/// The values that a sub-score may have by the paper and the prompts.
///
/// Three levels: the sketch's operator in Draft Instantiation, the directions of light and wind,
/// and the two criteria of a turned object; everything else is met or not.
pub fn scale(task: Option<Task>, metric: Metric, at: usize) -> &'static [f64] {
    match (metric, at) {
        (Metric::InstructionAdherence, 1)
            if task.is_none_or(|task| task == Task::DraftInstantiation) =>
        {
            THREE
        }
        (Metric::LightDirectionConsistency, 0)
        | (Metric::WindDirectionConsistency | Metric::ReorientationContextualPreservation, _) => {
            THREE
        }
        _ => BINARY,
    }
}

/// The outermost object that ends the reply, alone or in a fence, and the text before it.
fn last_object(reply: &str) -> Result<(Value, &str), Error> {
    let form = |found: &str| Error::Form(found.to_owned());
    let text = reply.trim();
    if text.is_empty() {
        return Err(form("The reply is empty."));
    }
    let body = text.strip_suffix("```").map_or(text, str::trim_end);
    if !body.ends_with('}') {
        let Some(end) = body.rfind('}') else {
            return Err(form("There is no object in the reply."));
        };
        return Err(Error::Form(format!(
            "There is text behind the object: \"{}\".",
            py::shorten(body[end + 1..].trim(), 60)
        )));
    }
    let found = py::last_object_noting(body).map_err(|found| match found {
        NoObject::None => form("There is no object in the reply."),
        NoObject::Json(error) => Error::Form(format!(
            "The reply does not end with one JSON object: {error}."
        )),
        NoObject::Tangled => form(
            "The reply has so many opening braces that the search for its object was given up.",
        ),
    })?;
    reply::unambiguous(found.repeated)?;
    Ok((found.object, &body[..found.start]))
}

/// What the reply has to end with.
pub fn grammar(metric: Metric) -> &'static str {
    match metric {
        Metric::InstructionAdherence => {
            "{\"Visual_Instruction_Localization_Correctness\": {\"reason\": text, \"score\": 0 or 1}, \"Visual_Operator_Type_Compliance\": {\"reason\": text, \"score\": 0 or 1, in Draft Instantiation also 0.5}, \"Textual_Action_Semantic_Compliance\": {\"reason\": text, \"score\": 0 or 1}}"
        }
        Metric::ContextualPreservation => {
            "{\"Contextual_Preservation\": {\"reason\": text, \"score\": 0 or 1}}"
        }
        Metric::VisualCoherence => {
            "{\"Style_Consistency\": {\"reason\": text, \"score\": 0 or 1}, \"Visual_Seamlessness\": {\"reason\": text, \"score\": 0 or 1}, \"Artifact-Free_Generation\": {\"reason\": text, \"score\": 0 or 1}}"
        }
        Metric::PoseConsistency => {
            "{\"Pose_Consistency\": {\"Left_Arm\": \"MATCH\", \"MISMATCH\" or \"N/A\", \"Right_Arm\": the same, \"Left_Leg\": the same, \"Right_Leg\": the same}}"
        }
        Metric::BiiCicCp => {
            "{\"Body Instance Integrity\": {\"reason\": text, \"score\": 0 or 1}, \"Character Identity Consistency\": {\"reason\": text, \"score\": 0 or 1}, \"Context Preservation\": {\"reason\": text, \"score\": 0 or 1}}"
        }
        Metric::OrientationAlignment => {
            "{\"Yaw\": {\"needs_modification\": true or false, \"reason\": text, \"score\": 0 or 1}, \"Pitch\": the same, \"Roll\": the same}"
        }
        Metric::ReorientationContextualPreservation => {
            "{\"Identity_Consistency\": {\"reason\": text, \"score\": 0, 0.5 or 1}, \"Visual_Integrity\": {\"reason\": text, \"score\": 0, 0.5 or 1}}"
        }
        Metric::LightDirectionConsistency => {
            "{\"Direction_Matching_Consistency\": {\"reason\": text, \"score\": 0, 0.5 or 1}, \"Physical_Lighting_Consistency\": {\"reason\": text, \"score\": 0 or 1}}"
        }
        Metric::WindDirectionConsistency => {
            "{\"Wind_Direction_Consistency\": {\"reason\": text, \"score\": 0, 0.5 or 1}}"
        }
        Metric::WindContextualPreservation => {
            "{\"Wind-Identity_Preservation\": {\"reason\": text, \"score\": 0 or 1}, \"Wind-Other_Preservation\": {\"reason\": text, \"score\": 0 or 1}}"
        }
        Metric::Billiards => {
            "{\"Context_Preservation\": {\"reason\": text, \"score\": 0 or 1}, \"Path_Correctness\": {\"reason\": text, \"score\": 0 or 1}, \"Collision_Correctness\": {\"reason\": text, \"score\": 0 or 1}}"
        }
    }
}

fn parse_reply(task: Option<Task>, metric: Metric, profile: Profile, reply: &str) -> ParsedReply {
    let stored = released(metric, reply);
    match profile {
        Profile::Paper => match strict(task, metric, reply) {
            Ok(atoms) => parsed(metric, profile, &atoms, stored.as_ref().ok()),
            Err(rejected) => incident(&rejected),
        },
        Profile::Released => match stored {
            Ok(stored) => {
                let atoms = atoms(metric, &stored);
                parsed(metric, profile, &atoms, Some(&stored))
            }
            Err(mut rejected) => {
                rejected
                    .detail
                    .push_str(" The authors' code asks again, and stops after 51 failures.");
                incident(&rejected)
            }
        },
    }
}

fn parse_stored(
    task: Option<Task>,
    metric: Metric,
    profile: Profile,
    stored: &Value,
) -> ParsedReply {
    let atoms = match profile {
        Profile::Paper => match strict_stored(task, metric, stored) {
            Ok(atoms) => atoms,
            Err(rejected) => return incident(&rejected),
        },
        Profile::Released => atoms(metric, stored),
    };
    if profile == Profile::Released && atoms.last().is_none_or(|score| score.is_nan()) {
        return ParsedReply::Incident {
            kind: "unparsable".to_owned(),
            detail: format!(
                "{} holds no score; the authors' code passes over it.",
                metric.id()
            ),
        };
    }
    parsed(metric, profile, &atoms, Some(stored))
}

fn incident(rejected: &Rejected) -> ParsedReply {
    let kind = match rejected.fault {
        Fault::OutOfRange => IncidentKind::OutOfRange,
        Fault::FailedCall => IncidentKind::FailedCall,
        _ => IncidentKind::Unparsable,
    };
    ParsedReply::Incident {
        kind: kind.id().to_owned(),
        detail: rejected.detail.clone(),
    }
}

/// Sub-scores under their names, the metric's score, and the reasons one after the other.
fn parsed(metric: Metric, profile: Profile, atoms: &[f64], stored: Option<&Value>) -> ParsedReply {
    let score = match profile {
        Profile::Paper => score::paper_metric(metric, atoms),
        Profile::Released => atoms.last().copied(),
    };
    // What was skipped has a score and no parts.
    let score = score.or_else(|| atoms.last().copied().filter(|score| !score.is_nan()));
    let mut criteria = BTreeMap::new();
    if !metric.is_single() {
        let parts = metric.keys().iter().zip(atoms);
        criteria.extend(
            parts
                .filter(|(_, atom)| !atom.is_nan())
                .map(|(key, atom)| (part_id(metric, key), *atom)),
        );
    }
    criteria.extend(score.map(|score| (metric.id().to_owned(), score)));
    let reason_of = |object: Option<&Value>| {
        let reason = object.and_then(|object| object.get("reason"));
        reason
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let mut reason = reason_of(stored);
    if reason.is_empty() {
        let reasons = metric.keys().iter().filter_map(|key| {
            let sub = stored?.get(key);
            let text = match sub {
                Some(Value::Str(label)) => label.clone(),
                sub => reason_of(sub),
            };
            (!text.is_empty()).then(|| format!("{}: {text}", words_of(key)))
        });
        reason = reasons.collect::<Vec<_>>().join("\n");
    }
    ParsedReply::Ok {
        criteria,
        score,
        reason,
    }
}

/// The stored object behind `"<metric>":`, if the text is one.
pub(crate) fn stored_member(metric: Metric, raw: &str) -> Option<Value> {
    let name = format!("\"{}\"", metric.id());
    let rest = raw.trim().strip_prefix(&name)?;
    let value = rest.trim_start().strip_prefix(':')?;
    py::loads(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subs(keys: &[&str], scores: &[&str]) -> String {
        let entries: Vec<String> = keys
            .iter()
            .zip(scores)
            .map(|(key, score)| format!("\"{key}\": {{\"reason\": \"r\", \"score\": {score}}}"))
            .collect();
        format!("{{{}}}", entries.join(", "))
    }

    fn kind(read: Result<Vec<f64>, Rejected>) -> Result<Vec<f64>, Fault> {
        read.map_err(|rejected| rejected.fault)
    }

    #[test]
    fn the_strict_reader_takes_analysis_before_the_object_and_nothing_behind_it() {
        let object = "{\"Contextual_Preservation\": {\"reason\": \"a } b\", \"score\": 1}}";
        let metric = Metric::ContextualPreservation;
        let read = |reply: &str| kind(strict(None, metric, reply));
        let good = Ok(vec![1.0, 1.0]);
        assert_eq!(read(object), good);
        assert_eq!(read(&format!("## Target\n{{the box}}\n{object}\n")), good);
        assert_eq!(read(&format!("Decision\n```json\n{object}\n```")), good);
        assert_eq!(
            read(&format!("{object}\nI hope this helps.")),
            Err(Fault::Unparsable)
        );
        assert_eq!(read(&object[..object.len() - 1]), Err(Fault::Unparsable));
        assert_eq!(
            read("{\"reason\": \"r\", \"score\": 1}"),
            Err(Fault::Unparsable)
        );
        assert_eq!(read(""), Err(Fault::Unparsable));
    }

    #[test]
    fn the_strict_reader_casts_nothing_and_keeps_to_the_scale() {
        let keys = Metric::VisualCoherence.keys();
        for (first, expected) in [
            ("1", Ok(vec![1.0, 1.0, 0.0, 0.6667])),
            ("1.0", Ok(vec![1.0, 1.0, 0.0, 0.6667])),
            ("0.5", Err(Fault::OutOfRange)),
            ("0.9", Err(Fault::OutOfRange)),
            ("NaN", Err(Fault::OutOfRange)),
            ("true", Err(Fault::Unparsable)),
            ("\"1\"", Err(Fault::Unparsable)),
            ("null", Err(Fault::Unparsable)),
        ] {
            let reply = subs(keys, &[first, "1", "0"]);
            assert_eq!(
                kind(strict(None, Metric::VisualCoherence, &reply)),
                expected,
                "{first}"
            );
        }
    }

    #[test]
    fn half_an_operator_exists_in_draft_instantiation_only() {
        let metric = Metric::InstructionAdherence;
        let reply = subs(metric.keys(), &["1", "0.5", "1"]);
        assert!(strict(Some(Task::DraftInstantiation), metric, &reply).is_ok());
        assert!(strict(None, metric, &reply).is_ok());
        assert_eq!(
            kind(strict(Some(Task::Removal), metric, &reply)),
            Err(Fault::OutOfRange)
        );
        let other = subs(metric.keys(), &["0.5", "1", "1"]);
        assert_eq!(
            kind(strict(Some(Task::DraftInstantiation), metric, &other)),
            Err(Fault::OutOfRange)
        );
    }

    #[test]
    fn half_a_light_direction_is_read_strictly_and_refused_by_the_authors() {
        let metric = Metric::LightDirectionConsistency;
        let reply = subs(metric.keys(), &["0.5", "0"]);
        assert_eq!(kind(strict(None, metric, &reply)), Ok(vec![0.5, 0.0, 0.25]));
        assert_eq!(
            released(metric, &reply).map_err(|rejected| rejected.fault),
            Err(Fault::OutOfRange)
        );
    }

    #[test]
    fn a_skipped_metric_and_an_error_are_told_apart() {
        let metric = Metric::VisualCoherence;
        let stored = |text: &str| py::loads(text).unwrap_or(Value::Null);
        let skipped = stored("{\"reason\": \"Skipped\", \"score\": 0}");
        assert!(is_skipped(metric, &skipped));
        assert!(!is_skipped(Metric::ContextualPreservation, &skipped));
        let read = strict_stored(None, metric, &skipped).unwrap_or_default();
        assert!(
            read[..3].iter().all(|x| x.is_nan()) && read[3] == 0.0,
            "{read:?}"
        );
        let failed = stored("{\"error\": \"e\", \"raw\": \"\"}");
        assert_eq!(
            kind(strict_stored(None, metric, &failed)),
            Err(Fault::FailedCall)
        );
    }
}
