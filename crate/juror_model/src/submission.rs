//! One model's folder and the state of its outputs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::incident::IncidentKind;
use crate::problem::Problem;
use crate::sample::Turn;
use crate::tree::{FileId, join};

/// What a model is judged on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "ModelKind")
)]
pub enum Kind {
    /// On pictures only.
    #[serde(rename = "img")]
    Pictures,
    /// On texts only.
    #[serde(rename = "txt")]
    Texts,
    /// On both.
    #[serde(rename = "umm")]
    Both,
}

impl Kind {
    /// By its stable name, which is the authors' own.
    pub fn named(id: &str) -> Option<Self> {
        match id {
            "img" => Some(Self::Pictures),
            "txt" => Some(Self::Texts),
            "umm" => Some(Self::Both),
            _ => None,
        }
    }
}

/// One model's folder.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    /// Model name: the folder's.
    pub name: String,
    /// Path of the folder.
    pub folder: String,
    /// Folder that outputs are expected in.
    pub output_folder: String,
    /// Per turn of the benchmark: the output file.
    pub outputs: Vec<Option<FileId>>,
    /// Files of the authors' judge output.
    pub reply_files: Vec<FileId>,
    /// Files in the folder that match no turn.
    pub extra_files: Vec<FileId>,
    /// Those among them that look like text answers under other names.
    pub unrecognised: Vec<FileId>,
    /// Who judged, of files of judge output whose place says so.
    pub judges: BTreeMap<FileId, String>,
    /// Other files that the protocol knows and does not read, such as summaries.
    pub known_files: Vec<FileId>,
    /// Where outputs belong that are not there, by turn number, as far as the files at hand show it.
    pub expected: BTreeMap<u32, String>,
    /// Findings about the folder.
    pub problems: Vec<Problem>,
}

impl Submission {
    /// The path at which an output belongs: where this model's others of its kind lie, else in the data set's own folders.
    pub fn expected_path(&self, slot: u32, turn: &Turn) -> String {
        let known = self.expected.get(&slot).cloned();
        known.unwrap_or_else(|| join(&self.output_folder, &turn.output_name))
    }
}

/// The state of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputState {
    /// Present, as far as is known.
    Present,
    /// No file of the expected name.
    Missing,
    /// The file is no picture or text that can be shown or judged.
    Unreadable,
    /// The file is there, but the host could not bring its bytes: nothing is known about it.
    Inaccessible,
    /// The model's folder holds no outputs at all: only replies were given, so nothing is said about outputs.
    NotGiven,
}

impl OutputState {
    /// What keeps the output from being judged.
    pub fn incident(self) -> Option<IncidentKind> {
        match self {
            Self::Present | Self::NotGiven => None,
            Self::Missing => Some(IncidentKind::MissingOutput),
            Self::Unreadable => Some(IncidentKind::UnreadableOutput),
            Self::Inaccessible => Some(IncidentKind::InaccessibleOutput),
        }
    }
}
