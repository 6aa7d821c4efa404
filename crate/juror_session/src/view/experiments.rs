//! Experiments: compared levels of a factor, as they are asked for and shown.

use super::agreement::AtomRow;
use juror_model::experiment::{PrintedLevel, PrintedNumber, Side};
use juror_model::options::Profile;
use juror_model::terms::{CriterionInfo, Estimate, ScopeInfo};
use juror_statistics::correction::Correction;
use juror_statistics::level::Level;
use serde::{Deserialize, Serialize};

/// Rows by criterion rather than by the groups of a scope.
pub const BY_CRITERION: &str = "criterion";

/// What is asked of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct ExperimentQuery {
    /// Factor; empty for the first at hand.
    pub factor: String,
    /// A second factor, whose levels are rows of the same table; empty for none.
    pub by_factor: String,
    /// What was varied: a base, or a variant that other factors make of one; empty for all of them.
    pub base: String,
    /// The level that stands first, which the others are held against; empty for the base as it is, or else the first in
    /// order.
    pub first: String,
    /// Rows: a scope, or `criterion`; empty for `criterion`.
    pub by: String,
    /// The criterion of rows by a scope; empty for the total.
    pub criterion: String,
    /// Who judged the levels of a factor of submissions, several joined by ` + `; `None` for whoever scored most of them.
    pub judge: Option<String>,
    /// Whose formulas, and which reading of the replies.
    pub profile: Profile,
    /// How p-values are adjusted, over the whole table.
    pub correction: Correction,
    /// Level of every interval.
    pub level: Level,
    /// How large a difference of averages may be at most, on the printed scale; `None` to ask nothing of it.
    pub bound: Option<f64>,
}

/// An experiment: the levels of each base, compared.
///
/// Numbers are on the scale that the paper prints, with full precision. A sample's number is that of Compare: the mean over
/// its turns, each one averaged over runs; what is missing is left out whatever the policy says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Experiments {
    /// The benchmark's name.
    pub benchmark: String,
    /// What its samples are called, in the plural.
    pub samples: String,
    /// The factors at hand and those that the paper prints.
    pub factors: Vec<FactorInfo>,
    /// The one in force; empty where there is none.
    pub factor: String,
    /// What varies along it.
    pub side: Side,
    /// The second factor in force; empty where there is none.
    pub by_factor: String,
    /// Levels of the second factor, in order; rows are compared with the first one of their table.
    pub by_levels: Vec<String>,
    /// Rows: a scope, or `criterion`.
    pub by: String,
    /// The scopes that rows can be made by.
    pub scopes: Vec<ScopeInfo>,
    /// The criterion of rows by a scope.
    pub criterion: String,
    /// All criteria.
    pub criteria: Vec<CriterionInfo>,
    /// The judges that can be chosen.
    pub judges: Vec<String>,
    /// The columns, the first one first.
    pub levels: Vec<LevelInfo>,
    /// Formulas and reading.
    pub profile: Profile,
    /// How p-values are adjusted.
    pub correction: Correction,
    /// Level of every interval.
    pub level: Level,
    /// Tests in the table, which the correction is over.
    pub comparisons: u32,
    /// The bound that was asked for.
    pub bound: Option<f64>,
    /// One for each base, and judge where judging is varied.
    pub blocks: Vec<ExperimentBlock>,
    /// What the paper prints of this factor.
    pub printed: Vec<PrintedLevel>,
    /// Beside each of these the mean here of the same base, level and row, where the rows that are shown have it.
    pub own: Vec<Option<f64>>,
    /// What to know about the numbers.
    pub notes: Vec<String>,
}

/// A factor and what there is of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FactorInfo {
    /// Factor.
    pub factor: String,
    /// What varies along it.
    pub side: Side,
    /// Its levels at hand, in order.
    pub levels: Vec<String>,
    /// What was varied: bases, or models where judging is.
    pub bases: Vec<String>,
    /// Whether the paper prints numbers of it.
    pub is_printed: bool,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelInfo {
    /// Level.
    pub level: String,
    /// What else it is called: the name of a prompt pack that is open; mostly empty.
    pub title: String,
}

/// One base with its levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ExperimentBlock {
    /// What was varied.
    pub base: String,
    /// Whose judging was varied; empty where submissions are the levels.
    pub judge: String,
    /// One for each level of the second factor that it has; a single one without a name where there is no second factor.
    pub lanes: Vec<ExperimentLane>,
    /// Groups or criteria, and the total last; each one at every level of the second factor.
    pub rows: Vec<ExperimentRow>,
    /// Means over the rows, where these are groups without a sample in common.
    pub averages: Vec<AverageRow>,
    /// How far the judges of the levels agree question by question, the first column's with each other one's.
    pub questions: Vec<LevelQuestions>,
    /// What came out, to be pasted.
    pub sentence: String,
}

impl ExperimentBlock {
    /// Whose numbers a column has at a level of the second factor.
    pub fn source(&self, by_level: &str, column: usize) -> Option<&LevelSource> {
        let mut lanes = self.lanes.iter();
        let lane = lanes.find(|lane| lane.level == by_level)?;
        lane.sources.get(column)?.as_ref()
    }
}

/// One level of the second factor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ExperimentLane {
    /// Level of the second factor; empty without one.
    pub level: String,
    /// By column: whose numbers these are; `None` where nothing is of both levels.
    pub sources: Vec<Option<LevelSource>>,
}

/// Whose numbers a level is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelSource {
    /// Model.
    pub model: String,
    /// Judge; empty for replies that name none.
    pub judge: String,
}

/// One group of samples, or one criterion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ExperimentRow {
    /// Key of the scope, or criterion; `total` of the last row.
    pub key: String,
    /// What it is called.
    pub label: String,
    /// The criterion of its numbers.
    pub criterion: String,
    /// Level of the second factor; empty without one.
    pub by_level: String,
    /// Who judged, where it is not whom the columns name.
    pub judge: Option<String>,
    /// One for each column.
    pub cells: Vec<LevelCell>,
}

/// One level in one row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelCell {
    /// Mean of the level's own samples, with its interval from five on; `None` without any.
    pub mean: Option<Estimate>,
    /// Samples in the mean.
    pub n: u32,
    /// Samples that should be; `None` where nothing is of this level.
    pub expected: Option<u32>,
    /// How it differs from the first column; `None` of that one, and where they share no sample.
    pub difference: Option<LevelDifference>,
    /// How that difference itself differs from the one at the first level of the second factor, over the samples that have
    /// all four numbers; `None` without a second factor, at its first level, and where no sample has all four.
    pub interaction: Option<LevelDifference>,
    /// What the paper prints of this base, level and row.
    pub printed: Option<PrintedNumber>,
}

/// A level against the first one, on the samples that both have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelDifference {
    /// Mean paired difference, this level less the first, with its interval from five samples on.
    pub value: Estimate,
    /// Samples that both have.
    pub n: u32,
    /// Samples that both should have.
    pub expected: u32,
    /// The ends of the interval that hold for all differences of the table together; `None` where there is none.
    pub corrected: Option<[f64; 2]>,
    /// Two-sided p-value of the paired test; `None` where nothing can be inferred.
    pub p: Option<f64>,
    /// The same, corrected over the table.
    pub p_corrected: Option<f64>,
    /// Whether the levels are told apart: the corrected p-value is below 0.05.
    pub separated: bool,
    /// The difference as a share of the first level's mean over the same samples; `None` where that is 0.
    pub relative: Option<f64>,
    /// Against the bound that was asked for; of the total only.
    pub within: Option<Within>,
}

/// A difference held against a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Within {
    /// Whether its size is below the bound.
    pub difference: bool,
    /// Whether its whole interval is; `None` without one.
    pub interval: Option<bool>,
}

/// A mean over the rows of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AverageRow {
    /// `plain` or `weighted`.
    pub id: String,
    /// How it is made, in words.
    pub label: String,
    /// Level of the second factor; empty without one.
    pub by_level: String,
    /// The weight of each row of the block but the total, in their order; they add up to 1.
    pub weights: Vec<f64>,
    /// One for each column.
    pub cells: Vec<AverageCell>,
}

/// One level's average.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AverageCell {
    /// The average of the rows' means; `None` while one of them has none.
    pub mean: Option<f64>,
    /// Samples behind it.
    pub n: u32,
    /// Samples that should be; `None` while nothing is of this level in one of the rows.
    pub expected: Option<u32>,
    /// The same average of the rows' paired differences, with its interval by their standard errors. It follows from the
    /// rows and is not among the tests that are corrected. `None` while one of them has none.
    pub difference: Option<Estimate>,
    /// Against the bound that was asked for.
    pub within: Option<Within>,
    /// What the paper prints as this base's and level's average, where the rows are by the scope that it averages.
    pub printed: Option<PrintedNumber>,
}

/// How far the judges of two levels agree on the questions that verdicts are made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelQuestions {
    /// Level of the second factor; empty without one.
    pub by_level: String,
    /// The level that is held against the first one.
    pub level: String,
    /// Answers to questions of yes or no that both levels have.
    pub n: u32,
    /// Such questions about the outputs that are there.
    pub expected: u32,
    /// Share of them that are the same, 0 to 1; `None` of none.
    pub equal: Option<f64>,
    /// Cohen's κ of them; `None` where one level has one answer throughout.
    pub kappa: Option<Estimate>,
    /// Question by question, those first on which they differ most.
    pub rows: Vec<AtomRow>,
}
