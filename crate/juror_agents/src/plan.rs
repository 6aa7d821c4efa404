//! A planner's reply → the next prompt and the references to show: text as it is, or for SRA one JSON object.

use serde::{Deserialize, Serialize};

use super::{Framework, Start};
use juror_protocols::reply;
use juror_reading::py::{self, Value};
use juror_statistics::small::SortSmall;

/// What a reply could not be taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "AgentMark")
)]
pub struct Mark {
    /// `empty_reply`, `bad_reply`, `dropped_indices`.
    pub kind: String,
    /// In words: what was found, and what was done.
    pub message: String,
}

impl Mark {
    fn new(kind: &str, message: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            message: message.to_owned(),
        }
    }
}

/// What a planner's reply comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// P^{t+1}.
    pub prompt: String,
    /// U^{t+1}, in ascending order.
    pub references: Vec<u32>,
    /// What is to be known of the reply.
    pub mark: Option<Mark>,
    /// Every reference is reflected well: nothing more is to be made.
    pub stops: bool,
}

/// Reads a planner's reply to the picture that `previous` was the prompt of.
///
/// IPR and CAFG: the text without white space around it; an empty one keeps the previous prompt.
/// SRA: one JSON object, bare or in one fence, `{"indices": [0-based whole numbers], "prompt": text}`.
/// Of the indices whole numbers below I count, once each, in ascending order; an empty list stops the trajectory.
/// Anything else keeps the previous prompt and shows all references, with a mark that says why.
///
/// A list that names only what does not exist is such a case: it says that something is wrong, so it does not stop.
///
/// # Example
/// ```
/// use juror_agents::{Framework, Loops, Start, plan::read};
/// use juror_protocols::registry::ALL;
/// let loops = ALL.iter().find_map(|protocol| Loops::of(*protocol)).unwrap();
/// let start = Start { loops: &loops, framework: Framework::Sra, instruction: "A", num_references: 3, steps: 3 };
/// let plan = read(&start, "A", r#"{"indices": [2, 0, 2, 7], "prompt": " B "}"#);
/// assert_eq!((plan.prompt.as_str(), plan.references), ("B", vec![0, 2]));
/// assert!(read(&start, "A", r#"{"indices": []}"#).stops);
/// ```
pub fn read(start: &Start<'_>, previous: &str, text: &str) -> Plan {
    let all: Vec<u32> = (0..start.num_references).collect();
    let kept = |mark| Plan {
        prompt: previous.to_owned(),
        references: all.clone(),
        mark: Some(mark),
        stops: false,
    };
    if start.framework == Framework::Sra {
        return match selection(start.num_references, text) {
            Ok(selection) => selection.plan(previous),
            Err(found) => kept(Mark::new(
                "bad_reply",
                &format!("{found} The previous prompt stays, with all references."),
            )),
        };
    }
    let prompt = text.trim_matches(py::is_space);
    if prompt.is_empty() {
        let message = "The planner's reply is empty. The previous prompt stays.";
        return kept(Mark::new("empty_reply", message));
    }
    Plan {
        prompt: prompt.to_owned(),
        references: all,
        mark: None,
        stops: false,
    }
}

/// What an SRA reply says.
struct Selection {
    indices: Vec<u32>,
    /// Entries that are no index of a reference, as written.
    dropped: Vec<String>,
    prompt: String,
}

fn selection(num_references: u32, text: &str) -> Result<Selection, String> {
    let object = reply::object(text).map_err(|error| error.to_string())?;
    let Some(Value::List(items)) = object.get("indices") else {
        return Err(match object.get("indices") {
            None => "The reply has no indices.".to_owned(),
            Some(other) => format!("Its indices are {}, not a list.", other.describe()),
        });
    };
    let mut indices = Vec::new();
    let mut dropped = Vec::new();
    for item in items {
        match index(item, num_references) {
            Some(index) => indices.push(index),
            None => dropped.push(written(item)),
        }
    }
    indices.sort_small();
    indices.dedup();
    if items.is_empty() {
        // What it would tell the generator does not matter any more.
        return Ok(Selection {
            indices,
            dropped,
            prompt: String::new(),
        });
    }
    if indices.is_empty() {
        let found = dropped.join(", ");
        return Err(format!("None of its indices is a reference's: {found}."));
    }
    match object.get("prompt") {
        Some(Value::Str(prompt)) => Ok(Selection {
            indices,
            dropped,
            prompt: prompt.trim_matches(py::is_space).to_owned(),
        }),
        None => Err("The reply has no prompt.".to_owned()),
        Some(other) => Err(format!("Its prompt is {}, not a text.", other.describe())),
    }
}

/// A whole number from 0 below `end`; `1.0`, `true` and `"1"` are none.
fn index(item: &Value, end: u32) -> Option<u32> {
    match item {
        Value::Int(number) => (0..end).find(|index| (f64::from(*index) - number).abs() < 0.5),
        _ => None,
    }
}

/// An entry as it was written.
fn written(item: &Value) -> String {
    match item {
        Value::Float(number) => format!("{number:?}"),
        other => other.describe(),
    }
}

impl Selection {
    fn plan(self, previous: &str) -> Plan {
        let stops = self.indices.is_empty();
        let is_kept = self.prompt.is_empty() && !stops;
        let mark = if is_kept {
            let message = "The planner's prompt is empty. The previous prompt stays.";
            Some(Mark::new("empty_reply", message))
        } else if self.dropped.is_empty() {
            None
        } else {
            let message = format!("No index of a reference: {}.", self.dropped.join(", "));
            Some(Mark::new("dropped_indices", &message))
        };
        Plan {
            prompt: if is_kept || stops {
                previous.to_owned()
            } else {
                self.prompt
            },
            references: self.indices,
            mark,
            stops,
        }
    }
}
