//! What a paper prints for its benchmark.

use serde::{Deserialize, Serialize};

/// What a paper prints for its benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PublishedResults {
    /// What the numbers are over: `100 dialogues`.
    pub of: String,
    /// So many samples.
    pub num_samples: u32,
    /// One row per model and judge.
    pub rows: Vec<PublishedRow>,
}

/// One model of a paper under one judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PublishedRow {
    /// Name in the paper's tables.
    pub model: String,
    /// Judge, as the paper names it.
    pub judge: String,
    /// Whether a judge at hand has a name of this one; what it is cannot be seen, and files that name none may be anybody's.
    pub is_same_judge: bool,
    /// Printed numbers.
    pub cells: Vec<PublishedCell>,
}

/// One printed number under the address of a score row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PublishedCell {
    /// Scope of the score row.
    pub scope: String,
    /// Key of the score row.
    pub key: String,
    /// Criterion of the score row.
    pub criterion: String,
    /// As printed.
    pub value: f64,
    /// The standard deviation printed with it.
    pub sd: Option<f64>,
    /// Where it is printed: `Table 2`.
    pub table: String,
    /// What other printed numbers make of it.
    pub computed: Option<f64>,
    /// By this rule.
    pub rule: String,
    /// Whether it follows from them as far as rounding allows; `None` where no parts are printed.
    pub follows: Option<bool>,
}

/// What a method adds to the time of an output, as printed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedCost {
    /// The model without the method.
    pub base: String,
    /// The model with it.
    pub other: String,
    /// Scope of the group of samples: `references`.
    pub scope: String,
    /// Its key.
    pub key: String,
    /// Seconds for one output without it.
    pub base_seconds: f64,
    /// Seconds for one output with it.
    pub other_seconds: f64,
    /// Where it is printed and what it was measured on.
    pub source: String,
}
