//! Drawn answers by their list: the cases that are answered, the picture of each, and its row.

use std::collections::BTreeMap;

use juror_protocols::vibe::billiards::{Case, Unreadable};
use juror_protocols::vibe::checker::{Check, Decision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Checked;
use crate::Error;

/// Endings of pictures that are looked for, in this order.
const ENDINGS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
/// The three decisions by VIBE's names.
const NAMES: [&str; 3] = [
    "Context_Preservation",
    "Path_Correctness",
    "Collision_Correctness",
];
/// The reason of a decision that finds nothing wrong.
const RIGHT: &str = "As in the right answer.";

/// An item of the list that `juror make billiards` writes, as far as it is needed here.
#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    billiards: Option<Value>,
}

/// An item of a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The case's id; of an item without one its number.
    pub id: String,
    /// The case with its truth, or why there is none.
    pub case: Result<Case, Error>,
}

/// The cases of a list, in its order.
///
/// # Errors
/// [`Error::List`] for a text that is no list, and for a list without any truth; its words go on from the file's name.
///
/// # Example
/// ```
/// use juror_make::billiards::listed;
/// let error = listed("[]").unwrap_err().to_string();
/// assert_eq!(error, "is no list that juror make billiards wrote: it is empty");
/// ```
pub fn listed(text: &str) -> Result<Vec<Listed>, Error> {
    let refused = |why: &dyn std::fmt::Display| {
        Error::List(format!("is no list that juror make billiards wrote: {why}"))
    };
    let items: Vec<Item> = serde_json::from_str(text).map_err(|error| refused(&error))?;
    let found: Vec<Listed> = (1..).zip(items).map(read).collect();
    if found.iter().any(|item| item.case.is_ok()) {
        return Ok(found);
    }
    let why = found.into_iter().find_map(|item| item.case.err());
    Err(why.map_or_else(|| refused(&"it is empty"), |why| refused(&why)))
}

fn read((number, item): (usize, Item)) -> Listed {
    let named = item.id.unwrap_or_else(|| format!("item {number}"));
    let Some(truth) = item.billiards else {
        let why = "it has no truth (\"billiards\"); take a list that juror make billiards wrote";
        return Listed {
            id: named,
            case: Err(Error::List(why.to_owned())),
        };
    };
    match serde_json::from_value::<Case>(truth) {
        Ok(case) => Listed {
            id: case.id.clone(),
            case: Ok(case),
        },
        Err(error) => Listed {
            id: named,
            case: Err(Error::List(format!("its truth cannot be read: {error}"))),
        },
    }
}

/// The file name under which the picture of a case is there; the first ending in order if there are several.
///
/// # Example
/// ```
/// use juror_make::billiards::picture_of;
/// let names = ["b.png", "a.webp", "a.jpg"];
/// assert_eq!(picture_of("a", |name| names.contains(&name)).as_deref(), Some("a.jpg"));
/// assert_eq!(picture_of("c", |name| names.contains(&name)), None);
/// ```
pub fn picture_of(id: &str, is_there: impl Fn(&str) -> bool) -> Option<String> {
    let mut names = ENDINGS.map(|ending| format!("{id}.{ending}")).into_iter();
    names.find(|name| is_there(name))
}

/// What is said of a case without a picture.
pub fn no_picture(id: &str) -> String {
    format!("there is no picture of {id}; expected {id}.png, .jpg, .jpeg or .webp")
}

/// What is found of a part of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "BilliardsOutcome")
)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As in the right answer.
    Right,
    /// Not as in the right answer.
    Wrong,
    /// The part cannot be read, so there is no verdict.
    Unsure,
}

/// A part of an answer, with what is found of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "BilliardsTold")
)]
pub struct Told {
    /// VIBE's name of the decision.
    pub name: &'static str,
    /// What is found.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: String,
}

pub(super) fn told(check: &Check, unsure: [Option<Unreadable>; 3]) -> [Told; 3] {
    let decisions = [&check.context, &check.path, &check.collision];
    let told = |at: usize| {
        let (outcome, reason) = match (unsure[at], decisions[at]) {
            (Some(why), _) => (Outcome::Unsure, why.to_string()),
            (None, Ok(())) => (Outcome::Right, RIGHT.to_owned()),
            (None, Err(why)) => (Outcome::Wrong, why.to_string()),
        };
        Told {
            name: NAMES[at],
            outcome,
            reason,
        }
    };
    [told(0), told(1), told(2)]
}

/// One answer's line: VIBE's object for the metric, so that a result file can have it as it is.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    #[serde(rename = "Billiards")]
    billiards: Verdict,
}

/// The line of an answer of which parts cannot be read: not in VIBE's form, so that nothing counts it.
#[derive(Serialize)]
struct UnsureLine<'a> {
    id: &'a str,
    unsure: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct Verdict {
    #[serde(rename = "Context_Preservation")]
    context: Scored,
    #[serde(rename = "Path_Correctness")]
    path: Scored,
    #[serde(rename = "Collision_Correctness")]
    collision: Scored,
    score: f64,
}

#[derive(Serialize)]
struct Scored {
    reason: String,
    score: u8,
}

impl Scored {
    fn of(decision: &Decision) -> Self {
        match decision {
            Ok(()) => Self {
                reason: RIGHT.to_owned(),
                score: 1,
            },
            Err(error) => Self {
                reason: error.to_string(),
                score: 0,
            },
        }
    }
}

fn json(line: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(line).map_err(|error| Error::List(error.to_string()))
}

/// The line of an answer whose every part is decided.
pub fn line(id: &str, check: &Check) -> Result<String, Error> {
    json(&Line {
        id,
        billiards: Verdict {
            context: Scored::of(&check.context),
            path: Scored::of(&check.path),
            collision: Scored::of(&check.collision),
            score: check.score(),
        },
    })
}

pub(super) fn checked_line(id: &str, checked: &Checked) -> Result<String, Error> {
    if checked.score().is_some() {
        return line(id, &checked.check);
    }
    let named = NAMES.into_iter().zip(checked.unsure());
    json(&UnsureLine {
        id,
        unsure: named
            .filter_map(|(name, why)| Some((name, why?.to_string())))
            .collect(),
    })
}
