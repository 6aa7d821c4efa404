//! The data that every view shows: the files and the records of this session, linked, scored and merged.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::fingerprint::Fingerprint;
use super::labelled::Labelled;
use super::linked::{Linked, RequestHash};
use super::list_inputs::ListInputs;
use super::measured::MergedMeasures;
use crate::label_file::LabelRecord;
use crate::measure::Measure;
use crate::rating_file::{self, Rating};
use juror_judging::journal::Record;
use juror_model::linked::ModelData;
use juror_model::options::{ReplyReading, ScoreOptions};
use juror_model::score::Scores;
use juror_model::submission::Kind;
use juror_model::terms::Difference;
use juror_model::tree::FileId;
use juror_model::trust::Owners;

/// A choice of judge and run.
pub(super) type Choice = (Option<String>, Option<u32>);

/// The records of this session that are not in files, and the results derived from both.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) pasted: Vec<Record>,
    /// Judges named by hand, by the path of the file or folder of replies that does not state its own.
    pub(super) named_judges: BTreeMap<String, String>,
    /// What models are judged on, as somebody said, by name.
    pub(super) kinds: BTreeMap<String, Kind>,
    /// Calls of agent loops that were kept.
    pub(super) trajectories: Vec<juror_agents::Record>,
    /// Calls of generators that were kept.
    #[cfg(feature = "generating")]
    pub(super) generated: Vec<juror_judging::generating::Record>,
    /// Ratings that the host keeps, in addition to those in files.
    pub(super) kept_ratings: Vec<Rating>,
    /// Failure labels that the host keeps, in addition to those in files.
    pub(super) kept_labels: Vec<LabelRecord>,
    /// Values that were measured in this session, in addition to those in files.
    pub(super) measures: Vec<Measure>,
    /// Requests that replies answer and that are others now, as the last check found.
    pub(super) stale: HashSet<RequestHash>,
    /// What whole pictures look like, or why they cannot be decoded.
    pub(super) prints: HashMap<FileId, Result<Fingerprint, String>>,
    /// How replies are read.
    pub(super) reading: ReplyReading,
    pub(super) cache: Cache,
}

/// Something derived that a view takes for a question and puts back.
#[derive(Debug)]
pub(super) struct Kept<T>(Mutex<Option<T>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Kept<T> {
    /// Takes it out; nothing if nothing was put in.
    pub(super) fn take(&self) -> Option<T> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        place.take()
    }

    /// Puts it in for the next question.
    pub(super) fn put(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }
}

/// Everything derived, rebuilt when its inputs have changed.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// Every file was read, and no other one came since; otherwise that is not known.
    pub(super) is_complete: bool,
    pub(super) linked: Option<Linked>,
    pub(super) scores: Option<(ScoreOptions, Scores)>,
    /// Under a choice of judge and run.
    pub(super) differences: Kept<(Choice, Vec<Difference>)>,
    pub(super) list: Kept<Box<ListInputs>>,
    pub(super) ratings: Option<rating_file::Merged>,
    pub(super) measures: Option<MergedMeasures>,
    pub(super) labels: OnceLock<Labelled>,
}

impl Data {
    /// Whose folders are whose; `None` until linking has told.
    pub(super) fn owners(&self) -> Option<&Owners> {
        let linked = self.cache.linked.as_ref();
        linked.map(|linked| &*linked.owners)
    }

    /// The models with everything tied to them.
    pub(super) fn models(&self) -> &[ModelData] {
        self.cache
            .linked
            .as_ref()
            .map_or(&[], |linked| &linked.models)
    }

    /// The scores that were asked for last, with how they are made; none of nothing before.
    pub(super) fn scored(&self) -> &(ScoreOptions, Scores) {
        static EMPTY: OnceLock<(ScoreOptions, Scores)> = OnceLock::new();
        let scored = self.cache.scores.as_ref();
        scored.unwrap_or_else(|| EMPTY.get_or_init(Default::default))
    }

    /// The scores that were asked for last.
    pub(super) fn scores(&self) -> &Scores {
        &self.scored().1
    }
}

impl Cache {
    /// Forgets what depends on the contents of files, not on their names.
    pub(super) fn relink(&mut self) {
        self.is_complete = false;
        self.linked = None;
        self.differences.take();
        self.ratings = None;
        self.labels.take();
        self.rescore();
    }

    /// Forgets labels and what is filtered by them: nothing is scored by labels.
    pub(super) fn relabel(&mut self) {
        self.labels.take();
        self.list.take();
    }

    /// Forgets scores and what shows them: measured values have come or gone.
    pub(super) fn rescore(&mut self) {
        self.scores = None;
        self.list.take();
        self.measures = None;
    }
}
