//! Failure labels as they are set, counted and compared.

use serde::{Deserialize, Serialize};

use super::rating::RateKey;
use crate::label_file::LabelRecord;
use juror_model::problem::Problem;
use juror_model::terms::{Estimate, FailureLabel, ScopeInfo};
use juror_statistics::level::Level;

/// Whose labels of which sample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct LabelSheetQuery {
    /// Sample id.
    pub sample: String,
    /// The person who labels; the labels of others are separate.
    pub rater: String,
}

/// What can be said of a sample's outputs, and what was said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelSheet {
    /// The sample's labels: the protocol's, then those in people's own words.
    pub labels: Vec<LabelChoice>,
    /// The outputs that are there, turn by turn and by model.
    pub outputs: Vec<LabelledOutput>,
}

/// A label that can be set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelChoice {
    /// Its id.
    pub id: String,
    /// A name in a few words.
    pub name: String,
    /// When it applies; empty of a label in a person's own words.
    pub meaning: String,
    /// The letter that sets it, the same for all samples of the benchmark; empty where the letters are used up.
    pub key: String,
}

/// An output and its labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelledOutput {
    /// Which output.
    pub key: RateKey,
    /// Ids of the labels that the rater set; `none` for an output without a failure.
    pub own: Vec<String>,
    /// What others set.
    pub others: Vec<OtherLabels>,
}

/// What one other person set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OtherLabels {
    /// Who.
    pub rater: String,
    /// Ids of labels.
    pub labels: Vec<String>,
}

/// A label that is set or taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct LabelChange {
    /// Of which output.
    pub key: RateKey,
    /// By whom.
    pub rater: String,
    /// Id or name of a label, `none`, or own words.
    pub label: String,
    /// Whether it is to be there.
    pub is_set: bool,
    /// When, ISO 8601 in UTC.
    pub time: String,
}

/// A file of labels, read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelsFile {
    /// Its labels, those taken back among them.
    pub labels: Vec<LabelRecord>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// What is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct LabelQuery {
    /// Rows for each group of this scope too; empty for all outputs together.
    pub scope: String,
    /// Whose labels; empty for everybody's: an output then has a label that at least one person set.
    pub rater: String,
    /// Level of the intervals.
    pub level: Level,
}

/// How often each label was set, and how far raters agree on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelCounts {
    /// The scopes that can be asked for.
    pub scopes: Vec<ScopeInfo>,
    /// The scope in force.
    pub scope: String,
    /// Groups of it that are too many to be counted.
    pub keys_left_out: u32,
    /// Whose labels are counted; empty for everybody's.
    pub rater: String,
    /// Level of the intervals.
    pub level: Level,
    /// Who labelled, by name.
    pub raters: Vec<LabelRater>,
    /// The labels that were set at least once, in the order in which they are offered.
    pub labels: Vec<FailureLabel>,
    /// Group by group, model by model, label by label.
    pub rows: Vec<LabelRow>,
    /// Pair of raters by pair, label by label.
    pub agreement: Vec<LabelAgreement>,
    /// What to know about the numbers.
    pub notes: Vec<String>,
}

/// What one person's labels come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelRater {
    /// Who.
    pub rater: String,
    /// Outputs that have a label or are marked as without a failure.
    pub outputs: u32,
    /// Failure labels on them.
    pub labels: u32,
    /// Labels of samples, turns, models or outputs that are not open.
    #[serde(rename = "strangers")]
    pub unknown_samples: u32,
}

/// How often one label was set on a model's outputs of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelRow {
    /// The group; empty for all.
    pub key: String,
    /// The model; empty for all of them.
    pub model: String,
    /// Id of the label; `any` for outputs with at least one.
    pub label: String,
    /// Outputs that have it.
    pub count: u32,
    /// Outputs that somebody looked at and that it is offered for: those with any label, `none` among them.
    pub n: u32,
    /// Outputs that are there and that it is offered for.
    pub expected: u32,
    /// `count / n`, 0 to 1, with Wilson's interval; `None` where nobody looked.
    pub share: Option<Estimate>,
}

/// How far two people agree on one label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabelAgreement {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Id of the label; `any` for at least one.
    pub label: String,
    /// Outputs that both looked at and that it is offered for.
    pub n: u32,
    /// Outputs that are there and that it is offered for.
    pub expected: u32,
    /// Both set it.
    pub both: u32,
    /// Only the first set it.
    pub only_a: u32,
    /// Only the second set it.
    pub only_b: u32,
    /// Cohen's κ of set and not set; `None` where both say the same of every output, so that chance alone would agree.
    pub kappa: Option<Estimate>,
}
