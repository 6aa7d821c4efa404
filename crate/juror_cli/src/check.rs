//! `juror check`: answers to made cases, structured or drawn, scored exactly and without a judge.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use juror_make::billiards::check_picture;
use juror_protocols::vibe::billiards::{Case, Unreadable};
use juror_protocols::vibe::checker::{Answer, Check, Decision, check};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Endings of pictures that are looked for, in this order.
const ENDINGS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];

/// An item of the list that `juror make billiards` writes, as far as it is needed here.
#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    billiards: Option<Value>,
}

/// One answer's line: VIBE's object for the metric, so that it can stand in a result file as it is.
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

impl Verdict {
    fn of(check: Check) -> Self {
        Self {
            score: check.score(),
            context: Scored::of(check.context),
            path: Scored::of(check.path),
            collision: Scored::of(check.collision),
        }
    }
}

#[derive(Serialize)]
struct Scored {
    reason: String,
    score: u8,
}

impl Scored {
    fn of(decision: Decision) -> Self {
        match decision {
            Ok(()) => Self {
                reason: "As in the right answer.".to_owned(),
                score: 1,
            },
            Err(error) => Self {
                reason: error.to_string(),
                score: 0,
            },
        }
    }
}

/// Lines for stdout, and in words which answers could not be checked.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) lines: String,
    pub(crate) faults: Vec<String>,
}

impl Report {
    fn push(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        self.lines += &serde_json::to_string(line)?;
        self.lines.push('\n');
        Ok(())
    }
}

/// The cases of a list by id, in its order; an item without a truth has the reason.
fn cases(list: &Path) -> anyhow::Result<Vec<(String, Result<Case, String>)>> {
    let text =
        std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let refused = || {
        format!(
            "{} is no list that juror make billiards wrote",
            list.display()
        )
    };
    let items: Vec<Item> = serde_json::from_str(&text).with_context(refused)?;
    let found = (1..).zip(items).map(|(number, item)| {
        let named = item.id.unwrap_or_else(|| format!("item {number}"));
        let Some(truth) = item.billiards else {
            let why =
                "it has no truth (\"billiards\"); take a list that juror make billiards wrote";
            return (named, Err(why.to_owned()));
        };
        match serde_json::from_value::<Case>(truth) {
            Ok(case) => (case.id.clone(), Ok(case)),
            Err(error) => (named, Err(format!("its truth cannot be read: {error}"))),
        }
    });
    let found: Vec<_> = found.collect();
    if found.iter().all(|(_, case)| case.is_err()) {
        let why = found.into_iter().next().and_then(|(_, case)| case.err());
        bail!("{}: {}", refused(), why.unwrap_or("it is empty".to_owned()));
    }
    Ok(found)
}

/// Checks the answers on stdin, one JSON object on each line, against the cases of a list.
pub(crate) fn billiards(list: &Path) -> anyhow::Result<Report> {
    let cases: BTreeMap<String, Result<Case, String>> = cases(list)?.into_iter().collect();
    let mut answers = String::new();
    std::io::stdin()
        .read_to_string(&mut answers)
        .context("cannot read the answers from stdin")?;
    let mut report = Report::default();
    let lines = (1..).zip(answers.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let answer: Answer = match serde_json::from_str(line) {
            Ok(answer) => answer,
            Err(error) => {
                let fault = format!("line {number}: this is no answer: {error}");
                report.faults.push(fault);
                continue;
            }
        };
        match cases.get(answer.id.as_str()) {
            Some(Ok(case)) => report.push(&Line {
                id: &case.id,
                billiards: Verdict::of(check(case, &answer)),
            })?,
            Some(Err(why)) => report
                .faults
                .push(format!("line {number}: {}: {why}", answer.id)),
            None => report.faults.push(format!(
                "line {number}: the list has no case {:?}",
                answer.id
            )),
        }
    }
    Ok(report)
}

/// Checks drawn answers: the pictures of a folder that are named after the cases of a list.
pub(crate) fn pictures(list: &Path, folder: &Path) -> anyhow::Result<Report> {
    if !folder.is_dir() {
        bail!(
            "{} is no folder; name the one that holds the pictures",
            folder.display()
        );
    }
    let mut report = Report::default();
    for (id, case) in cases(list)? {
        let case = match case {
            Ok(case) => case,
            Err(why) => {
                let fault = format!("{}: {id}: {why}", list.display());
                report.faults.push(fault);
                continue;
            }
        };
        let mut paths = ENDINGS
            .map(|ending| folder.join(format!("{id}.{ending}")))
            .into_iter();
        let Some(path) = paths.find(|path| path.is_file()) else {
            report.faults.push(format!(
                "{}: there is no picture of {id}; expected {id}.png, .jpg, .jpeg or .webp",
                folder.display()
            ));
            continue;
        };
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                report
                    .faults
                    .push(format!("cannot read {}: {error}", path.display()));
                continue;
            }
        };
        match check_picture(&case, &bytes) {
            Ok(found) if found.score().is_some() => report.push(&Line {
                id: &case.id,
                billiards: Verdict::of(found.check),
            })?,
            Ok(found) => report.push(&UnsureLine {
                id: &case.id,
                unsure: reasons(found.unsure()),
            })?,
            Err(error) => report.faults.push(format!("{}: {error}", path.display())),
        }
    }
    Ok(report)
}

/// Why parts could not be read, by VIBE's names.
fn reasons(unsure: [Option<Unreadable>; 3]) -> BTreeMap<&'static str, String> {
    let names = [
        "Context_Preservation",
        "Path_Correctness",
        "Collision_Correctness",
    ];
    let named = names.into_iter().zip(unsure);
    named
        .filter_map(|(name, why)| Some((name, why?.to_string())))
        .collect()
}
