//! Scores by two groupings at once, as drawings show them.

use serde::{Deserialize, Serialize};

use juror_model::options::ScoreOptions;
use juror_statistics::level::Level;

/// What is grouped by what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct GroupedQuery {
    /// Profile, policy, judge and run.
    pub options: ScoreOptions,
    /// Criteria, `total` among them; all where none is named.
    pub criteria: Vec<String>,
    /// Scope of the rows: `references`, `task`, …
    pub rows: String,
    /// Scope of the columns; empty for one column of all samples.
    pub columns: String,
    /// Level of every interval.
    #[serde(default)]
    pub level: Level,
}

/// Scores by row and column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Grouped {
    /// Keys of the rows, in the scope's order.
    pub rows: Vec<String>,
    /// Keys of the columns, in the scope's order; one empty key where there is one column of all.
    pub columns: Vec<String>,
    /// The values that scores of each criterion have.
    pub scales: Vec<GroupedScale>,
    /// Those with an expected score, by model, judge, criterion, row and column.
    pub cells: Vec<GroupedCell>,
    /// Groups that are too many to be shown.
    pub keys_left_out: u32,
}

/// Which scores a criterion has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GroupedScale {
    /// The criterion.
    pub criterion: String,
    /// Its values in rising order, or where ranges begin; on the judge's scale, of the total on the printed one.
    pub values: Vec<f64>,
    /// Where the last range ends, if these are ranges.
    pub end: Option<f64>,
}

/// The scores of one model under one judge, in one row and column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GroupedCell {
    /// Model.
    pub model: String,
    /// Judge.
    pub judge: String,
    /// Criterion.
    pub criterion: String,
    /// Key of the row.
    pub row: String,
    /// Key of the column; empty for all.
    pub column: String,
    /// Samples with a score.
    pub n: u32,
    /// Samples that should have one.
    pub expected: u32,
    /// Mean over samples on the printed scale, each counting once.
    pub mean: Option<f64>,
    /// Lower end of its t interval; `None` below five samples.
    pub ci_low: Option<f64>,
    /// Upper end.
    pub ci_high: Option<f64>,
    /// How many scores have each value of the scale, one by one.
    pub counts: Vec<u32>,
}
