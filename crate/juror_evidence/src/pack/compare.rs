//! Two packs beside each other: their samples, requests, verdicts and scores, as each of them states them.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::verify::{
    Finding, changes, is_same_verdict, request_key, score_key, score_words, verdict_key,
    verdict_words,
};
use super::{Manifest, OpenedPack, PackError, PartRow, RequestRow, VerdictRow};
use crate::report::Report;
use juror_model::row::ScoreRow;
use juror_statistics::small::{CollectSmall, SortSmall};

/// Changed verdicts, and changed files, that are listed one by one.
const MAX_LISTED: usize = 1000;

/// What two packs have in common and what not; `old` is of the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackComparison {
    /// No setting, sample, request, verdict or score differs; files may, by their names too.
    pub same: bool,
    /// Each model of which something differs, the largest change of a total first.
    pub models: Vec<ModelChange>,
    /// Benchmark, profile, policy, prompt pack, judges or models that differ.
    pub settings: Vec<Finding>,
    /// Files that were opened and differ, or are in one pack only.
    pub other_files: u32,
    /// Those files; at most 1000.
    pub files: Vec<Finding>,
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
    /// Those verdicts of samples that both have; at most 1000.
    pub verdicts: Vec<Finding>,
    /// What that does to each score.
    pub scores: Vec<ScoreChange>,
}

/// What differs of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ModelChange {
    /// Model.
    pub model: String,
    /// Whether the first pack has it.
    pub in_first: bool,
    /// Whether the second one has it.
    pub in_second: bool,
    /// Requests about it that differ, or are in one pack only.
    pub requests: u32,
    /// Verdicts on it that differ, or are in one pack only.
    pub verdicts: u32,
    /// Files that differ, or are in one pack only, and that these verdicts or requests name.
    pub files: u32,
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
    /// The first pack's mean.
    pub old_mean: Option<f64>,
    /// The second pack's.
    pub new_mean: Option<f64>,
    /// Second minus first, where both have a mean.
    pub difference: Option<f64>,
}

impl ScoreChange {
    /// Whether it is an overall total whose mean differs: the effect that a line of a model has.
    pub fn is_total(&self) -> bool {
        self.scope == "overall" && self.criterion == "total" && self.old_mean != self.new_mean
    }
}

/// Compares two packs by what they state; whether that is true is found out by recomputing each of them.
///
/// # Errors
/// A manifest or a report cannot be read.
pub fn compare(first: &OpenedPack, second: &OpenedPack) -> Result<PackComparison, PackError> {
    let mut found = PackComparison::default();
    let manifests = [
        Manifest::read(&first.manifest)?,
        Manifest::read(&second.manifest)?,
    ];
    settings(&manifests[0], &manifests[1], &mut found.settings);
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

    let changed_files = files(&manifests, &mut found);
    let mut models = Models::new(&manifests, &changed_files);
    let changed = changes(&requests[0], &requests[1], request_key, |a, b| {
        a.sha256 == b.sha256
    });
    found.other_requests = count(changed.len());
    let in_second = changed.iter().filter(|(_, new)| new.is_some()).count();
    found.same_requests = count(requests[1].len() - in_second);
    for (old, new) in changed {
        models.count_request(old, new);
    }

    let changed = changes(&verdicts[0], &verdicts[1], verdict_key, is_same_verdict);
    found.other_verdicts = count(changed.len());
    let in_second = changed.iter().filter(|(_, new)| new.is_some()).count();
    found.same_verdicts = count(verdicts[1].len() - in_second);
    for (old, new) in &changed {
        models.count_verdict(*old, *new);
    }
    let is_in_both = |row: &VerdictRow| {
        let sample = row.sample.as_str();
        one.contains(sample) && other.contains(sample)
    };
    let listed = changed
        .into_iter()
        .filter(|(old, new)| new.or(*old).is_some_and(is_in_both));
    found
        .verdicts
        .extend(listed.take(MAX_LISTED).map(verdict_finding));

    let reports = [report(&first.report)?, report(&second.report)?];
    let changed = changes(&reports[0].scores, &reports[1].scores, score_key, |a, b| {
        a == b
    });
    for (old, new) in changed {
        found.scores.extend(score_change(old, new));
    }
    found.models = models.sorted(&found.scores);
    found.same = found.settings.is_empty()
        && found.only_first.is_empty()
        && found.only_second.is_empty()
        && found.other_requests == 0
        && found.other_verdicts == 0
        && found.scores.is_empty();
    Ok(found)
}

/// One verdict that differs.
fn verdict_finding((old, new): (Option<&VerdictRow>, Option<&VerdictRow>)) -> Finding {
    let row = new.or(old);
    Finding {
        kind: "verdict".to_owned(),
        about: row.map_or_else(String::new, |row| {
            format!(
                "{} of {}, judge {:?}, run {}",
                row.criterion, row.model, row.judge, row.run
            )
        }),
        sample: row.map_or_else(String::new, |row| row.sample.clone()),
        turn: row.map(|row| row.turn),
        old: verdict_words(old),
        new: verdict_words(new),
    }
}

/// One score row that differs.
fn score_change(old: Option<&ScoreRow>, new: Option<&ScoreRow>) -> Option<ScoreChange> {
    let row = old.or(new)?;
    Some(ScoreChange {
        model: row.model.clone(),
        judge: row.judge.clone(),
        scope: row.scope.clone(),
        key: row.key.clone(),
        criterion: row.criterion.clone(),
        old: score_words(old, new),
        new: score_words(new, old),
        old_mean: mean(old),
        new_mean: mean(new),
        difference: mean(new).zip(mean(old)).map(|(new, old)| new - old),
    })
}

fn mean(row: Option<&ScoreRow>) -> Option<f64> {
    row.and_then(|row| row.mean)
}

/// Compares the files that were opened by their hashes, and names the paths of those that differ.
fn files<'a>(manifests: &'a [Manifest; 2], found: &mut PackComparison) -> HashSet<&'a str> {
    let [old, new] = manifests.each_ref().map(|manifest| {
        let sources = manifest.sources();
        let hashed = sources.map(|entry| (entry.path.as_str(), entry.sha256.as_str()));
        hashed.collect::<HashMap<&str, &str>>()
    });
    let mut changed = HashSet::new();
    for entry in manifests.iter().flat_map(Manifest::sources) {
        let path = entry.path.as_str();
        let [old, new] = [&old, &new].map(|hashes| hashes.get(path).copied().unwrap_or("none"));
        if old == new || !changed.insert(path) {
            continue;
        }
        if changed.len() <= MAX_LISTED {
            found.files.push(Finding {
                kind: "file".to_owned(),
                about: path.to_owned(),
                old: old.to_owned(),
                new: new.to_owned(),
                ..Finding::default()
            });
        }
    }
    found.other_files = count(changed.len());
    changed
}

/// What differs of each model, with the paths of its files among those that changed.
struct Models<'a> {
    manifests: &'a [Manifest; 2],
    changed_files: &'a HashSet<&'a str>,
    found: Vec<(ModelChange, HashSet<&'a str>)>,
}

impl<'a> Models<'a> {
    /// A model that one pack lacks has changed.
    fn new(manifests: &'a [Manifest; 2], changed_files: &'a HashSet<&'a str>) -> Self {
        let mut models = Self {
            manifests,
            changed_files,
            found: Vec::new(),
        };
        for name in manifests.iter().flat_map(|manifest| &manifest.models) {
            if !manifests.iter().all(|one| one.models.contains(name)) {
                models.at(name);
            }
        }
        models
    }

    /// The place of a model, which is added if it is new.
    fn at(&mut self, name: &str) -> &mut (ModelChange, HashSet<&'a str>) {
        let known = self.found.iter().position(|(one, _)| one.model == name);
        let at = known.unwrap_or(self.found.len());
        if known.is_none() {
            let [in_first, in_second] = [0, 1].map(|at: usize| {
                let mut models = self.manifests[at].models.iter();
                models.any(|model| model == name)
            });
            let change = ModelChange {
                model: name.to_owned(),
                in_first,
                in_second,
                ..ModelChange::default()
            };
            self.found.push((change, HashSet::new()));
        }
        &mut self.found[at]
    }

    /// Counts a file where it is one of those that changed: what both packs have in common changes no model.
    fn name_file(&mut self, model: &str, path: &str) {
        if let Some(path) = self.changed_files.get(path) {
            let (change, files) = self.at(model);
            change.files += u32::from(files.insert(path));
        }
    }

    fn count_request(&mut self, old: Option<&RequestRow>, new: Option<&RequestRow>) {
        for (at, row) in [old, new].into_iter().flatten().enumerate() {
            self.at(&row.model).0.requests += u32::from(at == 0);
            for part in &row.parts {
                if let PartRow::Image { path, .. } = part {
                    self.name_file(&row.model, path);
                }
            }
        }
    }

    fn count_verdict(&mut self, old: Option<&VerdictRow>, new: Option<&VerdictRow>) {
        for (at, row) in [old, new].into_iter().flatten().enumerate() {
            self.at(&row.model).0.verdicts += u32::from(at == 0);
            // A source ends with the number of its line.
            let path = row.source.rsplit_once(':').map(|(path, _)| path);
            self.name_file(&row.model, path.unwrap_or(&row.source));
        }
    }

    /// The largest change of a total first; a model without one, or that one pack lacks, comes behind.
    fn sorted(mut self, scores: &[ScoreChange]) -> Vec<ModelChange> {
        for score in scores.iter().filter(|score| score.is_total()) {
            self.at(&score.model);
        }
        let largest = |model: &str| {
            let own = scores.iter().filter(|one| one.is_total());
            let sizes = own
                .filter(|one| one.model == model)
                .map(|one| one.difference.map_or(-0.5, f64::abs));
            sizes.fold(-1.0, f64::max)
        };
        let models = self.found.into_iter();
        let mut models: Vec<ModelChange> = models.map(|(change, _)| change).collect();
        models.sort_small_by(|a, b| largest(&b.model).total_cmp(&largest(&a.model)));
        models
    }
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
