//! Two packs beside each other: their samples, requests, verdicts and scores, as each of them states them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::verify::{
    Finding, changes, is_same_verdict, request_key, score_key, score_words, verdict_key,
    verdict_words,
};
use super::{Manifest, OpenedPack, PackError, RequestRow, VerdictRow};
use crate::report::Report;
use juror_statistics::small::CollectSmall;

/// Changed verdicts that are listed one by one.
const MAX_LISTED: usize = 1000;

/// What two packs have in common and what not; `old` is of the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackComparison {
    /// Nothing of what is compared differs.
    pub same: bool,
    /// Benchmark, profile, policy, prompt pack, judges or models that differ.
    pub settings: Vec<Finding>,
    /// Samples that both have requests or verdicts for.
    pub samples: u32,
    /// Samples of the first one alone.
    pub only_first: Vec<String>,
    /// Samples of the second one alone.
    pub only_second: Vec<String>,
    /// Requests of the same hash.
    pub same_requests: u32,
    /// Requests of another hash, or in one pack alone.
    pub other_requests: u32,
    /// Verdicts that agree.
    pub same_verdicts: u32,
    /// Verdicts that do not.
    pub other_verdicts: u32,
    /// Those verdicts; at most 1000.
    pub verdicts: Vec<Finding>,
    /// What that does to each score.
    pub scores: Vec<ScoreChange>,
}

/// A score row that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ScoreChange {
    /// Model.
    pub model: String,
    /// Judge id.
    pub judge: String,
    /// Grouping.
    pub scope: String,
    /// Group.
    pub key: String,
    /// Sub-score, or `total`.
    pub criterion: String,
    /// The first pack's mean with its count.
    pub old: String,
    /// The second pack's.
    pub new: String,
    /// Second minus first, where both have a mean.
    pub difference: Option<f64>,
}

/// Compares two packs by what they state; whether that is true is found out by recomputing each of them.
///
/// # Errors
/// A manifest or a report cannot be read.
pub fn compare(first: &OpenedPack, second: &OpenedPack) -> Result<PackComparison, PackError> {
    let mut found = PackComparison::default();
    settings(
        &Manifest::read(&first.manifest)?,
        &Manifest::read(&second.manifest)?,
        &mut found.settings,
    );
    let requests = [
        rows::<RequestRow>(&first.requests)?,
        rows(&second.requests)?,
    ];
    let verdicts = [
        rows::<VerdictRow>(&first.verdicts)?,
        rows(&second.verdicts)?,
    ];
    let samples = |at: usize| -> BTreeSet<&str> {
        let asked = requests[at].iter().map(|row| row.sample.as_str());
        let judged = verdicts[at].iter().map(|row| row.sample.as_str());
        asked.chain(judged).collect_small()
    };
    let (one, other) = (samples(0), samples(1));
    let only = |a: &BTreeSet<&str>, b: &BTreeSet<&str>| {
        a.difference(b)
            .map(|id| (*id).to_owned())
            .collect::<Vec<_>>()
    };
    found.samples = count(one.intersection(&other).count());
    found.only_first = only(&one, &other);
    found.only_second = only(&other, &one);

    let changed = changes(&requests[0], &requests[1], request_key, |a, b| {
        a.sha256 == b.sha256
    });
    found.other_requests = count(changed.len());
    let in_second = changed.iter().filter(|(_, new)| new.is_some()).count();
    found.same_requests = count(requests[1].len() - in_second);

    let changed = changes(&verdicts[0], &verdicts[1], verdict_key, is_same_verdict);
    found.other_verdicts = count(changed.len());
    let in_second = changed.iter().filter(|(_, new)| new.is_some()).count();
    found.same_verdicts = count(verdicts[1].len() - in_second);
    for (old, new) in changed.into_iter().take(MAX_LISTED) {
        let Some(row) = new.or(old) else { continue };
        found.verdicts.push(Finding {
            kind: "verdict".to_owned(),
            about: format!(
                "{} of {}, judge {:?}, run {}",
                row.criterion, row.model, row.judge, row.run
            ),
            sample: row.sample.clone(),
            turn: Some(row.turn),
            old: verdict_words(old),
            new: verdict_words(new),
        });
    }

    let reports = [report(&first.report)?, report(&second.report)?];
    let changed = changes(&reports[0].scores, &reports[1].scores, score_key, |a, b| {
        a == b
    });
    for (old, new) in changed {
        let Some(row) = old.or(new) else { continue };
        let mean = |row: Option<&juror_model::row::ScoreRow>| row.and_then(|row| row.mean);
        found.scores.push(ScoreChange {
            model: row.model.clone(),
            judge: row.judge.clone(),
            scope: row.scope.clone(),
            key: row.key.clone(),
            criterion: row.criterion.clone(),
            old: score_words(old, new),
            new: score_words(new, old),
            difference: mean(new).zip(mean(old)).map(|(new, old)| new - old),
        });
    }
    found.same = found.settings.is_empty()
        && found.only_first.is_empty()
        && found.only_second.is_empty()
        && found.other_requests == 0
        && found.other_verdicts == 0
        && found.scores.is_empty();
    Ok(found)
}

fn settings(first: &Manifest, second: &Manifest, out: &mut Vec<Finding>) {
    let rows = [
        ("benchmark", first.title.clone(), second.title.clone()),
        (
            "profile",
            format!("{:?}", first.profile).to_lowercase(),
            format!("{:?}", second.profile).to_lowercase(),
        ),
        (
            "policy",
            format!("{:?}", first.policy).to_lowercase(),
            format!("{:?}", second.policy).to_lowercase(),
        ),
        (
            "reading",
            format!("{:?}", first.reading).to_lowercase(),
            format!("{:?}", second.reading).to_lowercase(),
        ),
        (
            "prompts",
            format!("{} {}", first.prompts.name, first.prompts.sha256),
            format!("{} {}", second.prompts.name, second.prompts.sha256),
        ),
        ("models", first.models.join(", "), second.models.join(", ")),
        ("judges", first.judges.join(", "), second.judges.join(", ")),
    ];
    for (about, old, new) in rows {
        if old != new {
            out.push(Finding {
                kind: "setting".to_owned(),
                about: about.to_owned(),
                old,
                new,
                ..Finding::default()
            });
        }
    }
}

fn rows<T: for<'a> Deserialize<'a>>(text: &str) -> Result<Vec<T>, PackError> {
    text.lines()
        .map(|line| {
            serde_json::from_str(line).map_err(|error| PackError::Unreadable {
                reason: error.to_string(),
            })
        })
        .collect()
}

fn report(text: &str) -> Result<Report, PackError> {
    serde_json::from_str(text).map_err(|error| PackError::Unreadable {
        reason: error.to_string(),
    })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
