//! Seconds that outputs took, of two models on the same samples, as they are shown.

use juror_model::published::PrintedCost;
use juror_model::terms::Estimate;
use juror_statistics::level::Level;
use serde::{Deserialize, Serialize};

/// What is asked of a file of seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct CostQuery {
    /// Name of the file, for what is said about it.
    pub path: String,
    /// CSV with the columns `model`, `sample` and `seconds`.
    pub text: String,
    /// The model that is compared with; the first of the file if empty.
    pub base: String,
    /// The other one; the second of the file if empty.
    pub other: String,
    /// Groups of samples with rows of their own, as a subset names them; `references` where there are such if empty.
    pub scope: String,
    /// Level of the intervals.
    pub level: Level,
}

/// Two models' seconds on the same samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Costs {
    /// Models of the file, in its order.
    pub models: Vec<String>,
    /// The one that is compared with.
    pub base: String,
    /// The other one.
    pub other: String,
    /// Scope of the groups; empty without any.
    pub scope: String,
    /// Level of the intervals.
    pub level: Level,
    /// All samples, then each group.
    pub rows: Vec<CostRow>,
    /// What the paper prints, by group.
    pub printed: Vec<PrintedCost>,
    /// What could not be read or belongs to no sample, with the line.
    pub problems: Vec<String>,
}

/// Two models in one group of samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CostRow {
    /// Key of the group; empty for all samples.
    pub key: String,
    /// Samples that both have seconds of.
    pub n: u32,
    /// Samples that either has seconds of.
    pub expected: u32,
    /// Mean seconds of the first on what both have.
    pub base: Option<f64>,
    /// The same of the other.
    pub other: Option<f64>,
    /// The other's less the first's on the same samples, with Student's interval where there are five or more.
    pub difference: Option<Estimate>,
    /// The difference as a share of the first's mean: 0.08 for 8 % more.
    pub share: Option<f64>,
}
