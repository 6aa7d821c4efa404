//! `juror check`: answers to made cases, structured or drawn, scored exactly and without a judge.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use juror_make::billiards::{Listed, check_picture, line, listed, no_picture, picture_of};
use juror_protocols::vibe::checker::{Answer, check};

/// Lines for stdout, and in words which answers could not be checked.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) lines: String,
    pub(crate) faults: Vec<String>,
}

impl Report {
    fn push(&mut self, line: &str) {
        self.lines += line;
        self.lines.push('\n');
    }
}

/// The cases of a list, in its order; an item without a truth has the reason.
fn cases(list: &Path) -> anyhow::Result<Vec<Listed>> {
    let text =
        std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    listed(&text).map_err(|error| anyhow::anyhow!("{} {error}", list.display()))
}

/// Checks the answers on stdin, one JSON object on each line, against the cases of a list.
pub(crate) fn billiards(list: &Path) -> anyhow::Result<Report> {
    let cases = cases(list)?.into_iter();
    let cases: BTreeMap<String, _> = cases.map(|item| (item.id, item.case)).collect();
    let mut answers = String::new();
    std::io::stdin()
        .read_to_string(&mut answers)
        .context("cannot read the answers from stdin")?;
    let mut report = Report::default();
    let lines = (1..).zip(answers.lines());
    for (number, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        let answer: Answer = match serde_json::from_str(text) {
            Ok(answer) => answer,
            Err(error) => {
                let fault = format!("line {number}: this is no answer: {error}");
                report.faults.push(fault);
                continue;
            }
        };
        match cases.get(answer.id.as_str()) {
            Some(Ok(case)) => report.push(&line(&case.id, &check(case, &answer))?),
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
    for Listed { id, case } in cases(list)? {
        let case = match case {
            Ok(case) => case,
            Err(why) => {
                let fault = format!("{}: {id}: {why}", list.display());
                report.faults.push(fault);
                continue;
            }
        };
        let Some(name) = picture_of(&id, |name| folder.join(name).is_file()) else {
            let fault = format!("{}: {}", folder.display(), no_picture(&id));
            report.faults.push(fault);
            continue;
        };
        let path = folder.join(name);
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
            Ok(found) => report.push(&found.line(&case.id)?),
            Err(error) => report.faults.push(format!("{}: {error}", path.display())),
        }
    }
    Ok(report)
}
