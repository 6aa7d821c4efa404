//! Models' means in each group of a scope, as they are shown.

use juror_model::options::ScoreOptions;
use juror_model::terms::{CriterionInfo, ScopeInfo};
use juror_statistics::level::Level;
use serde::{Deserialize, Serialize};

/// What is asked of a scope's groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct GroupMeansQuery {
    /// Profile and policy.
    pub options: ScoreOptions,
    /// Scope of the score rows: `origin`, `references`, ….
    pub scope: String,
    /// Criterion; empty for the total.
    pub criterion: String,
    /// Judge, or several joined by ` + `; the one that most models have if not given.
    pub judge: Option<String>,
    /// Level of the intervals; the scope's own if not given.
    pub level: Option<Level>,
}

/// Models' means in each group of a scope, and whether the groups tell themselves apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GroupMeans {
    /// Scope in force.
    pub scope: String,
    /// What it is called.
    pub label: String,
    /// Criterion in force.
    pub criterion: CriterionInfo,
    /// Judge in force.
    pub judge: String,
    /// Level in force.
    pub level: Level,
    /// The groups, in the scope's order.
    pub keys: Vec<String>,
    /// Groups that are too many to be shown.
    pub keys_left_out: u32,
    /// Models in the order of loading.
    pub models: Vec<GroupedModel>,
    /// The scopes that can be asked for.
    pub scopes: Vec<ScopeInfo>,
}

/// One model in each group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GroupedModel {
    /// Model.
    pub model: String,
    /// One for each of [`GroupMeans::keys`].
    pub groups: Vec<GroupMean>,
    /// Whether each mean lies within the intervals of all others; `None` where fewer than two groups have an interval.
    pub is_alike: Option<bool>,
    /// The same in words, rounded as printed.
    pub sentence: String,
}

/// One model's mean in one group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GroupMean {
    /// Key of the group.
    pub key: String,
    /// Samples with a score.
    pub n: u32,
    /// Samples that should have one.
    pub expected: u32,
    /// Mean over samples, on the printed scale.
    pub mean: Option<f64>,
    /// Lower end of Student's interval; `None` of fewer than five samples.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// The groups whose intervals the mean lies outside of.
    pub outside: Vec<String>,
}
