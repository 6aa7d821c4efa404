//! Failure labels: what can be said of an output, what people said, and how often.

use crate::study::LinkedSession;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::count;
use super::labelled::{Labelled, Offered, Output};
use super::loader::may_be_ratings;
use super::state::Session;
use crate::error::Error;
use crate::label_file::{self, LabelRecord, MAX_CHARS, NONE};
use crate::view::labels::{
    LabelChange, LabelChoice, LabelSheet, LabelSheetQuery, LabelledOutput, LabelsFile, OtherLabels,
};
use crate::view::rating::RateKey;
use juror_model::problem::{Problem, Severity};
use juror_model::submission::OutputState;
use juror_model::terms::FailureLabel;
use juror_model::tree::{self, FileId};
use juror_reading::limits;
use juror_statistics::small::SortSmall;

mod counts;
mod export;

pub use counts::label_counts;

/// Every label that is not `none`; only in rows and in the filter.
pub(super) const ANY: &str = "any";

/// Letters that set labels, as they lie on a keyboard; the others mean something at the desk for rating.
const LETTERS: &str = "qwertyiopadfghjklzcvbm";

/// What can be said of a sample's outputs, and what was said.
///
/// # Errors
/// `unknown_sample`.
pub fn label_sheet(
    session: &LinkedSession<'_>,
    query: &LabelSheetQuery,
) -> Result<LabelSheet, Error> {
    let (world, found) = (session.world(), session.labels());
    let at = world.benchmark.index_of(&query.sample);
    let at = at.ok_or_else(|| Error::UnknownSample(query.sample.clone()))?;
    let sample = &world.benchmark.samples[at as usize];
    let own_words = found.offered.labels.len()..found.labels.len();
    let mut places: Vec<u32> = found.offered.of_sample(at).to_vec();
    places.extend(own_words.map(count));
    let of_sample = || found.outputs.iter().filter(|output| output.sample == at);
    for label in of_sample().flat_map(Output::labels) {
        if !places.contains(&label) {
            places.push(label);
        }
    }
    let labels = places.iter().map(|place| {
        let label = &found.labels[*place as usize];
        LabelChoice {
            id: label.id.clone(),
            name: label.name.clone(),
            meaning: label.meaning.clone(),
            key: (LETTERS.chars().nth(*place as usize)).map_or_else(String::new, String::from),
        }
    });
    let mut outputs = Vec::new();
    for turn in 0..count(sample.turns.len()) {
        let slot = world.benchmark.turn_slot(at, turn).unwrap_or_default();
        for (model, data) in (0u32..).zip(world.models) {
            let known = of_sample().find(|one| one.model == model && one.turn == turn);
            let is_there = data.outputs.get(slot as usize) == Some(&OutputState::Present);
            if !is_there && known.is_none() {
                continue;
            }
            let by = known.map_or(&[][..], |output| &output.by);
            let is_own = |by: &&(String, Vec<u32>)| by.0 == query.rater;
            let own = by.iter().find(is_own);
            outputs.push(LabelledOutput {
                key: RateKey {
                    sample: sample.id.clone(),
                    turn,
                    model: data.submission.name.clone(),
                },
                own: own.map_or_else(Vec::new, |(_, own)| names(found, own)),
                others: (by.iter().filter(|by| !is_own(by)))
                    .map(|(rater, set)| OtherLabels {
                        rater: rater.clone(),
                        labels: names(found, set),
                    })
                    .collect(),
            });
        }
    }
    Ok(LabelSheet {
        labels: labels.collect(),
        outputs,
    })
}

/// Ids of what a person said of an output that they looked at.
fn names(found: &Labelled, labels: &[u32]) -> Vec<String> {
    if labels.is_empty() {
        return vec![NONE.to_owned()];
    }
    let labels = labels.iter();
    labels
        .map(|at| found.labels[*at as usize].id.clone())
        .collect()
}

/// The records by which a person sets a label or takes it back: `none` takes the place of every other label, and gives way to
/// any.
///
/// # Errors
/// `bad_label`: no name, no label, or one that is too long or means something else; `unknown_turn`, `unknown_model`.
pub fn label_change(
    session: &LinkedSession<'_>,
    change: &LabelChange,
) -> Result<Vec<LabelRecord>, Error> {
    let (world, found) = (session.world(), session.labels());
    let (rater, label) = (change.rater.trim(), change.label.trim());
    let refused = |why: String| Err(Error::BadLabel(why));
    if rater.is_empty() {
        return refused("Enter your name first: labels are filed under it.".to_owned());
    }
    if label.is_empty() || label.chars().any(char::is_control) {
        return refused("A label is a few words on one line.".to_owned());
    }
    if label.chars().count() > MAX_CHARS {
        return refused(format!("A label has at most {MAX_CHARS} characters."));
    }
    if label.eq_ignore_ascii_case(ANY) {
        return refused(format!(
            "“{label}” means every label together in counts: use another word."
        ));
    }
    let key = &change.key;
    if world.turn(&key.sample, key.turn).is_none() {
        return Err(Error::no_turn(key.turn, &key.sample));
    }
    if world.model(&key.model).is_none() {
        return Err(Error::no_model(&key.model));
    }
    let label = found.offered.canonical(label);
    let record = |label: &str, is_removed: bool| LabelRecord {
        sample: key.sample.clone(),
        turn: key.turn,
        model: key.model.clone(),
        label: label.to_owned(),
        rater: rater.to_owned(),
        is_removed,
        time: change.time.clone(),
    };
    let is_here = |one: &&LabelRecord| {
        !one.is_removed
            && one.rater == rater
            && (&one.sample, one.turn, &one.model) == (&key.sample, key.turn, &key.model)
    };
    let gives_way = |one: &&LabelRecord| {
        change.is_set && one.label != label && (label == NONE || one.label == NONE)
    };
    let standing = found.merged.iter().filter(is_here);
    let mut records: Vec<LabelRecord> = standing
        .filter(gives_way)
        .map(|one| record(&one.label, true))
        .collect();
    records.push(record(&label, !change.is_set));
    Ok(records)
}

/// Takes the labels that the host keeps, instead of those that it gave before.
pub fn use_labels(session: &mut Session, kept: Vec<LabelRecord>) {
    if session.data.kept_labels != kept {
        session.data.kept_labels = kept;
        session.data.cache.relabel();
    }
}

/// Reads a file of labels and keeps nothing; `None` if it is something else.
pub fn read_labels(path: &str, text: &str) -> Option<LabelsFile> {
    let (labels, problems) = label_file::read(path, text)?;
    Some(LabelsFile { labels, problems })
}

/// The merged labels of one rater, or of all, as a file that merges with others.
pub fn labels_csv(session: &LinkedSession<'_>, rater: Option<&str>) -> String {
    let merged = session.labels().merged.iter();
    label_file::write(merged.filter(|one| rater.is_none_or(|rater| one.rater == rater)))
}

/// Every label that the benchmark's outputs are offered, and those in people's own words.
pub fn failure_labels(session: &LinkedSession<'_>) -> Vec<FailureLabel> {
    session.labels().labels.clone()
}

impl Session {
    /// Whether there are labels at all, set or taken back.
    pub(super) fn has_labels(&self) -> bool {
        !self.data.kept_labels.is_empty() || !self.loader.read.labels.is_empty()
    }

    /// People's labels, tied to outputs; none until files are tied together.
    pub(super) fn labels(&self) -> &Labelled {
        static EMPTY: std::sync::OnceLock<Labelled> = std::sync::OnceLock::new();
        let cache = &self.data.cache;
        match &cache.linked {
            Some(_) => cache.labels.get_or_init(|| labelled(self)),
            None => EMPTY.get_or_init(Labelled::default),
        }
    }

    /// What is wrong with files of labels.
    pub(super) fn label_problems(&self) -> impl Iterator<Item = &Problem> {
        let files = self.loader.read.labels.values();
        files.flat_map(|(_, problems)| problems)
    }

    /// CSV files that are too large to be looked at for ratings or labels.
    pub(super) fn large_sheets(&self) -> Vec<Problem> {
        let files = self.loader.tree.files().filter(|(_, entry)| {
            may_be_ratings(&entry.path) && !entry.is_at_most(limits::RATINGS_BYTES)
        });
        let problem = |(_, entry): (FileId, &tree::Entry)| Problem {
            severity: Severity::Warning,
            code: "large_sheet".to_owned(),
            path: entry.path.clone(),
            place: String::new(),
            message: format!(
                "The file has more than {} MiB, so it was not searched for ratings or labels.",
                limits::RATINGS_BYTES >> 20
            ),
            hint: "If it holds some, split it into several files.".to_owned(),
        };
        files.map(problem).collect()
    }
}

/// By model, sample and turn, what each rater set.
type Places = BTreeMap<(u32, u32, u32), BTreeMap<String, Vec<u32>>>;

/// The files' labels, in the order of their paths, and then those that the host keeps, tied to outputs.
fn labelled(session: &Session) -> Labelled {
    let offered = Offered::new(session.world().benchmark, |sample| {
        session.loader.protocol.failure_labels(sample)
    });
    let mut files: Vec<(FileId, &Vec<LabelRecord>)> = (session.loader.read.labels.iter())
        .map(|(file, (found, _))| (*file, found))
        .collect();
    files.sort_small_by_key(|(file, _)| session.loader.tree.path(*file));
    let of_files = files.into_iter().flat_map(|(file, found)| {
        let heard = session.heard(file);
        let own = found.iter();
        own.filter(move |one| heard.includes(&one.model))
    });
    let all: Vec<LabelRecord> = of_files
        .chain(&session.data.kept_labels)
        .map(|one| LabelRecord {
            label: offered.canonical(&one.label),
            ..one.clone()
        })
        .collect();
    let merged = label_file::merge(&all);
    let mut found = Labelled {
        labels: offered.labels.clone(),
        offered,
        ..Labelled::default()
    };
    let own_words: BTreeSet<&str> = merged
        .iter()
        .filter(|one| !one.is_removed && one.label != NONE)
        .map(|one| one.label.as_str())
        .filter(|label| found.labels.iter().all(|known| known.id != *label))
        .collect();
    found
        .labels
        .extend(own_words.iter().map(|label| FailureLabel {
            id: (*label).to_owned(),
            name: (*label).to_owned(),
            meaning: String::new(),
        }));
    let places: BTreeMap<String, u32> = (found.labels.iter().map(|label| label.id.clone()))
        .zip(0u32..)
        .collect();
    // Of several models of one name the first.
    let mut models: HashMap<&str, u32> = HashMap::new();
    for (model, at) in session.world().models.iter().zip(0u32..) {
        models.entry(&model.submission.name).or_insert(at);
    }
    let mut outputs = Places::new();
    for one in merged.iter().filter(|one| !one.is_removed) {
        let Some(place) = place_of(session, &models, one) else {
            *found.unknown_samples.entry(one.rater.clone()).or_default() += 1;
            continue;
        };
        let by = outputs.entry(place).or_default();
        let own = by.entry(one.rater.clone()).or_default();
        own.extend(places.get(&one.label));
    }
    found.outputs = (outputs.into_iter())
        .map(|((model, sample, turn), by)| Output {
            model,
            sample,
            turn,
            by: (by.into_iter())
                .map(|(rater, mut own)| {
                    own.sort_small();
                    (rater, own)
                })
                .collect(),
        })
        .collect();
    found.merged = merged;
    found
}

/// The output that a label is of: it is there, or was never opened.
fn place_of(
    session: &Session,
    models: &HashMap<&str, u32>,
    one: &LabelRecord,
) -> Option<(u32, u32, u32)> {
    let world = session.world();
    let model = *models.get(one.model.as_str())?;
    let sample = world.benchmark.index_of(&one.sample)?;
    let slot = world.benchmark.turn_slot(sample, one.turn)?;
    let state = world.models[model as usize].outputs.get(slot as usize)?;
    matches!(state, OutputState::Present | OutputState::NotGiven)
        .then_some((model, sample, one.turn))
}
