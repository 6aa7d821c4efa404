//! `juror-report/1`: tidy rows, of which every table and plot is a pivot.

use serde::{Deserialize, Serialize};

use crate::view::{Policy, Profile};

/// One mean with its count, spread and bounds.
///
/// All figures are on the scale that the paper prints (WEAVEBench: 0 to 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ScoreRow {
    /// Model.
    pub model: String,
    /// Judge id; empty where the replies do not say.
    pub judge: String,
    /// Formulas.
    pub profile: Profile,
    /// What incidents count as.
    pub policy: Policy,
    /// Grouping: `overall`, `category`, `domain`, `turn`.
    pub scope: String,
    /// Group: `all`, `Science`, `edit`, `0`.
    pub key: String,
    /// Sub-score, or `total`.
    pub criterion: String,
    /// Mean; `None` where there is nothing to average or the profile defines no number.
    pub mean: Option<f64>,
    /// Units (turns) in the mean.
    pub n: u32,
    /// Units that should be in it.
    pub expected: u32,
    /// Sample standard deviation over the units (n − 1); `None` below two units and for totals.
    pub sd: Option<f64>,
    /// Lower end of the 95 % interval of the mean.
    pub ci_low: Option<f64>,
    /// Upper end of the 95 % interval of the mean.
    pub ci_high: Option<f64>,
    /// The mean if every unscored unit got the lowest score.
    pub worst: Option<f64>,
    /// The mean if every unscored unit got the highest score.
    pub best: Option<f64>,
}
