//! `juror check`: structured answers to made cases, scored exactly and without a judge.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use juror_protocols::vibe::billiards::Case;
use juror_protocols::vibe::checker::{Answer, Decision, check};
use serde::{Deserialize, Serialize};

/// An item of the list that `juror make billiards` writes, as far as it is needed here.
#[derive(Deserialize)]
struct Item {
    billiards: Case,
}

/// One answer's line: VIBE's object for the metric, so that it can stand in a result file as it is.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    #[serde(rename = "Billiards")]
    billiards: Verdict,
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

/// Checks the answers on stdin, one JSON object on each line, against the cases of a list.
///
/// Gives the lines of the verdicts, and in words which answers could not be checked.
pub(crate) fn billiards(list: &Path) -> anyhow::Result<(String, Vec<String>)> {
    let text =
        std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let items: Vec<Item> = serde_json::from_str(&text).with_context(|| {
        format!(
            "{} is no list that juror make billiards wrote",
            list.display()
        )
    })?;
    let cases: BTreeMap<&str, &Case> = items
        .iter()
        .map(|item| (item.billiards.id.as_str(), &item.billiards))
        .collect();
    let mut answers = String::new();
    std::io::stdin()
        .read_to_string(&mut answers)
        .context("cannot read the answers from stdin")?;
    let (mut verdicts, mut faults) = (String::new(), Vec::new());
    let lines = (1..).zip(answers.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let answer: Answer = match serde_json::from_str(line) {
            Ok(answer) => answer,
            Err(error) => {
                faults.push(format!("line {number}: this is no answer: {error}"));
                continue;
            }
        };
        let Some(case) = cases.get(answer.id.as_str()) else {
            faults.push(format!(
                "line {number}: the list has no case {:?}",
                answer.id
            ));
            continue;
        };
        let found = check(case, &answer);
        let score = found.score();
        let verdict = Line {
            id: &case.id,
            billiards: Verdict {
                context: Scored::of(found.context),
                path: Scored::of(found.path),
                collision: Scored::of(found.collision),
                score,
            },
        };
        verdicts += &serde_json::to_string(&verdict)?;
        verdicts.push('\n');
    }
    Ok((verdicts, faults))
}
