//! What was opened, counted: the benchmark, each model under test, and what was measured. The page shows it, and a report
//! states it.

use crate::terms::Words;
use serde::{Deserialize, Serialize};

/// The benchmark in a few numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BenchmarkInfo {
    /// Protocol id: `weave`.
    pub protocol: String,
    /// Display name: `WEAVEBench`.
    pub title: String,
    /// What its samples and groups are called.
    pub words: Words,
    /// Path of the sample list; of a benchmark of many files, their folder.
    pub path: String,
    /// Samples (dialogues) that could be read.
    pub samples: u32,
    /// Samples that could not.
    pub unreadable_samples: u32,
    /// Turns that ask for a picture.
    pub picture_turns: u32,
    /// Turns that ask for a text.
    pub text_turns: u32,
    /// Pictures named by the sample list.
    pub pictures: u32,
    /// Pictures named but absent.
    pub missing_pictures: u32,
}

/// One model under test, counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ModelSummary {
    /// Name: the folder's.
    pub name: String,
    /// Folder that it was found in.
    pub path: String,
    /// What it is judged on: `img` (pictures only), `txt` (texts only), `umm` (both).
    pub mode: String,
    /// Pictures found.
    pub pictures: u32,
    /// Pictures expected.
    pub pictures_expected: u32,
    /// Text answers found.
    pub answers: u32,
    /// Text answers expected.
    pub answers_expected: u32,
    /// Criterion scores that could be read.
    pub scored: u32,
    /// Criterion scores expected in this mode.
    pub expected: u32,
    /// Scores with an incident under the current options; what befell an output counts once, not once for each judge.
    pub incidents: u32,
    /// Judges whose replies were found.
    pub judges: Vec<String>,
    /// Files that replies were read from.
    pub reply_files: Vec<String>,
    /// Whether nobody has replied about it, so that it has no score.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_unjudged: bool,
    /// Outputs that could not be opened, which are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_outputs: u32,
    /// Files that look like text answers and have names that no turn asks for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unrecognised_answers: u32,
    /// Whether what it is judged on was said, or rests on files that could not be told apart.
    #[serde(default, skip_serializing_if = "is_false")]
    pub kind_is_stated: bool,
    /// Whether files that hold or may hold its replies could not be opened.
    #[serde(default, skip_serializing_if = "is_false")]
    pub has_unread_replies: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// One criterion of measured values as a report states it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureCount {
    /// Criterion: `ssim@golden`.
    pub criterion: String,
    /// Outputs with a value.
    pub values: u32,
    /// Values that a CPU computed; of a mean over references each one counts.
    pub cpu: u32,
    /// Values that a GPU computed.
    pub gpu: u32,
    /// Values that were computed elsewhere, by a list that does not say on what.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
    pub file: u32,
    /// The networks that computed values, each with pack, hash, runner and backend.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub networks: Vec<String>,
}
