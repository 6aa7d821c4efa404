//! Findings before anything is judged, as they are shown.

use juror_model::problem::{Problem, Severity};
use serde::{Deserialize, Serialize};

/// A finding about the files of a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LintFinding {
    /// How bad it is.
    pub severity: Severity,
    /// Stable code: `missing_output`, `misnamed_output`, `extra_file`, `other_case`, `not_a_picture`, `corrupt_picture`,
    /// `odd_size`, `mixed_sizes`, `repeated_output`, `shared_output`, `copied_output`, `near_copy`, `alike_input`,
    /// `alike_reference`, `alike_output`, …
    pub code: String,
    /// Path of the file, as it was given.
    pub path: String,
    /// Place in the file, or what it belongs to.
    pub place: String,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Model; empty where the finding is about no model.
    pub model: String,
    /// Id of the sample that it is about, where it is about one.
    pub sample: Option<String>,
    /// Turn of that sample, from 0; absent where the sample has but one, or all of it is meant.
    pub turn: Option<u32>,
    /// File number, where the file exists and is a picture of the session.
    pub file: Option<u32>,
    /// File number of the picture that it repeats or copies.
    pub other: Option<u32>,
    /// Path of that picture.
    pub other_path: String,
    /// In how many of 64 bits the perceptual hashes of the two differ.
    pub distance: Option<u32>,
    /// The cosine of the two by a network's features, where one was asked.
    pub cosine: Option<f64>,
    /// The path that the file should have.
    pub rename_to: Option<String>,
    /// The path of the file to be renamed.
    pub rename_from: Option<String>,
}

impl LintFinding {
    /// About a file, without words yet.
    pub(crate) fn of(severity: Severity, code: &str, path: &str) -> Self {
        Self {
            severity,
            code: code.to_owned(),
            path: path.to_owned(),
            place: String::new(),
            message: String::new(),
            hint: String::new(),
            model: String::new(),
            sample: None,
            turn: None,
            file: None,
            other: None,
            other_path: String::new(),
            distance: None,
            cosine: None,
            rename_to: None,
            rename_from: None,
        }
    }

    /// With what was found, and what to do about it.
    pub(crate) fn saying(self, message: &str, hint: &str) -> Self {
        Self {
            message: message.to_owned(),
            hint: hint.to_owned(),
            ..self
        }
    }
}

impl From<Problem> for LintFinding {
    fn from(problem: Problem) -> Self {
        Self {
            severity: problem.severity,
            code: problem.code,
            path: problem.path,
            place: problem.place,
            message: problem.message,
            hint: problem.hint,
            model: String::new(),
            sample: None,
            turn: None,
            file: None,
            other: None,
            other_path: String::new(),
            distance: None,
            cosine: None,
            rename_to: None,
            rename_from: None,
        }
    }
}

/// The findings, and how far pictures were compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LintReport {
    /// The gravest first.
    pub findings: Vec<LintFinding>,
    /// Outputs found.
    pub outputs: u32,
    /// Files whose content was not compared yet.
    pub to_compare: u32,
    /// Pictures whose content was compared.
    pub compared: u32,
    /// Hashes differ in at most this many of 64 bits for a near copy.
    pub copy_distance: u32,
    /// And no part of the two pictures differs by more than this many of 255 grey levels.
    pub copy_levels: u32,
    /// The pictures whose features networks compare, by file number.
    pub pictures: Vec<u32>,
    /// Two pictures with at least this cosine count as alike.
    pub alike: f64,
    /// Below this cosine no percentile counts.
    pub alike_floor: f64,
}

/// Features of pictures by one network, as a host brings them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LintFeatures {
    /// Id of the network's pack.
    pub network: String,
    /// Pictures, by file number.
    pub files: Vec<u32>,
    /// Their features one after the other, each of length 1 and as many numbers.
    #[cfg_attr(feature = "typescript", ts(type = "Float32Array"))]
    pub numbers: Vec<f32>,
}
