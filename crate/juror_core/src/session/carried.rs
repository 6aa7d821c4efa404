//! What a session has beside its files, for another one that takes its place with the same files: no reply that was pasted, no
//! judge that was named and no choice is lost on the way.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::state::Session;
use crate::labels::LabelRecord;
use crate::measure::Measure;
use crate::ratings::Rating;
use juror_judging::journal::Record;
use juror_model::submission::Kind;

/// What the user chose, or sees without having chosen it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// Path of the file that stands for the benchmark which the user chose.
    pub chosen: Option<String>,
    /// The same of the benchmark that is shown.
    pub shown: Option<String>,
    /// Hash of the prompt pack in use.
    pub prompts: String,
}

/// What came in a session beside its files, for the one that takes its place.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Handover {
    pasted: Vec<Record>,
    named_judges: BTreeMap<String, String>,
    #[serde(default)]
    kinds: BTreeMap<String, Kind>,
    trajectories: Vec<juror_agents::Record>,
    measures: Vec<Measure>,
    kept_ratings: Vec<Rating>,
    #[serde(default)]
    kept_labels: Vec<LabelRecord>,
}

impl Handover {
    /// How many replies there are among it.
    pub fn num_replies(&self) -> usize {
        self.pasted.len()
    }
}

/// What the user chose, or sees without having chosen it.
pub fn choices(session: &Session) -> Choices {
    let loader = &session.loader;
    let list = loader.candidate.as_ref().map(|found| found.candidate.list);
    let shown = loader.benchmark.as_ref().and(list);
    Choices {
        chosen: loader.chosen.clone(),
        shown: shown.map(|list| loader.tree.path(list).to_owned()),
        prompts: loader.packs[loader.pack].info.sha256.clone(),
    }
}

/// What came in this session beside its files, for the one that takes its place.
pub fn handover(session: &Session) -> Handover {
    let data = &session.data;
    Handover {
        pasted: data.pasted.clone(),
        named_judges: data.named_judges.clone(),
        kinds: data.kinds.clone(),
        trajectories: data.trajectories.clone(),
        measures: data.measures.clone(),
        kept_ratings: data.kept_ratings.clone(),
        kept_labels: data.kept_labels.clone(),
    }
}

/// Takes over what came in another session, before anything else came in this one.
pub fn take_over(session: &mut Session, handover: Handover) {
    let data = &mut session.data;
    data.pasted = handover.pasted;
    for record in &mut data.pasted {
        (session.loader.readers.again)(record);
    }
    data.named_judges = handover.named_judges;
    data.kinds = handover.kinds;
    data.trajectories = handover.trajectories;
    data.measures = handover.measures;
    data.kept_ratings = handover.kept_ratings;
    data.kept_labels = handover.kept_labels;
    data.cache.relink();
}
