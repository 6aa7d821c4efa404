//! How files other than a benchmark's own are read; what is not among the readers of a session is not linked.

use crate::label_file::{self, LabelRecord};
use crate::measure::{self, MeasureFile};
use crate::rating_file::{self, Rating};
use juror_evidence::pack::{Manifest, Pictures};
use juror_judging::journal::{self, Journal, Record};
use juror_judging::reading;
use juror_model::problem::Problem;

/// What a file of people's ratings says, and what is wrong with it.
type RatingsFile = (Vec<Rating>, Vec<Problem>);

/// What a file of failure labels says, and what is wrong with it.
type LabelsFile = (Vec<LabelRecord>, Vec<Problem>);

/// How files other than a benchmark's own are read; what is not among them is not linked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readers {
    /// Whether they are all that there are.
    pub(super) are_all: bool,
    pub(crate) journal: fn(&str) -> Journal,
    /// Reads again what was paid for and could not be read before.
    pub(crate) again: fn(&mut Record),
    pub(super) ratings: fn(&str, &str) -> Option<RatingsFile>,
    pub(super) labels: fn(&str, &str) -> Option<LabelsFile>,
    pub(super) trajectories: fn(&str) -> Option<juror_agents::File>,
    pub(super) measures: fn(&str) -> Option<MeasureFile>,
    /// How the pictures of an unpacked evidence pack went in, by its manifest.
    pub(super) pack: fn(&str) -> Option<Pictures>,
}

impl Readers {
    /// Everything that Juror can read.
    pub(crate) const ALL: Self = Self {
        are_all: true,
        journal: reading::read,
        again: reading::read_again,
        ratings: rating_file::read,
        labels: label_file::read,
        trajectories: juror_agents::read,
        measures: measure::read,
        pack: |text| Some(Manifest::read(text).ok()?.pictures),
    };
    /// Only journals, without results of batch engines.
    pub(super) const JOURNALS: Self = Self {
        are_all: false,
        journal: journal::read_records,
        again: |_| (),
        ratings: |_, _| None,
        labels: |_, _| None,
        trajectories: |_| None,
        measures: |_| None,
        pack: |_| None,
    };
}
