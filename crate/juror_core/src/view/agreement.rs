//! How far judges and people agree, as it is shown.

use crate::model::options::ScoreOptions;
use crate::model::terms::Estimate;
use serde::{Deserialize, Serialize};

/// How far judges agree with people and with each other, and how steady each is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Agreement {
    /// Raters, by name.
    pub raters: Vec<String>,
    /// Ratings that belong to a sample, model and criterion at hand.
    pub ratings: u32,
    /// Ratings that do not.
    pub strangers: u32,
    /// People and judges that are not compared one by one, as there are more than can be; the means over all count them.
    pub left_out: u32,
    /// All raters at once, where there are several.
    pub people: Vec<PeopleRow>,
    /// Pairings: people with judges, judges with each other, people with each other.
    pub pairs: Vec<AgreementRow>,
    /// Judges with several runs.
    pub steadiness: Vec<SteadinessRow>,
}

/// Agreement of all raters with each other: Krippendorff's α over the outputs that two or more of them rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PeopleRow {
    /// Criterion, or `total`.
    pub criterion: String,
    /// Raters who share an output with another one.
    pub raters: u32,
    /// Outputs that two or more rated.
    pub n: u32,
    /// α by the differences of scores.
    pub alpha_interval: Option<Estimate>,
    /// α by the order of scores.
    pub alpha_ordinal: Option<Estimate>,
    /// The most common score of all, and its share.
    pub common: Option<CommonScore>,
}

/// The score that one side gave most often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CommonScore {
    /// The score.
    pub score: f64,
    /// Its share of the side's scores, 0 to 1.
    pub share: f64,
}

/// Agreement of two sides over the units that both rated, runs averaged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgreementRow {
    /// `human_judge` (a rater, or the mean of all, with a judge), `judge_judge` or `human_human`.
    pub kind: String,
    /// One side: a judge or rater; `people` for the mean of all raters.
    pub a: String,
    /// The other side.
    pub b: String,
    /// Model; empty for all models together.
    pub model: String,
    /// Criterion, or `total`.
    pub criterion: String,
    /// Units that both rated.
    pub n: u32,
    /// Pearson's r.
    pub pearson: Option<Estimate>,
    /// Spearman's ρ.
    pub spearman: Option<Estimate>,
    /// Cohen's κ, unweighted.
    pub kappa: Option<Estimate>,
    /// κ with quadratic weights; its interval is by bootstrap, and rows of one model have none.
    pub weighted_kappa: Option<Estimate>,
    /// Krippendorff's α by the differences of scores; its interval as that of the weighted κ.
    pub alpha_interval: Option<Estimate>,
    /// Krippendorff's α by the order of scores; the same.
    pub alpha_ordinal: Option<Estimate>,
    /// Mean absolute error, on the judge's scale (totals: on the printed one).
    pub mae: Option<Estimate>,
    /// Mean squared error, on the same scale.
    pub mse: Option<Estimate>,
    /// Share of units with equal scores, 0 to 1.
    pub equal: Option<f64>,
    /// The most common score of one side.
    pub common_a: Option<CommonScore>,
    /// The most common score of the other side.
    pub common_b: Option<CommonScore>,
}

/// Names one pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct PairKey {
    /// Profile and policy.
    pub options: ScoreOptions,
    /// [`AgreementRow::kind`].
    pub kind: String,
    /// [`AgreementRow::a`].
    pub a: String,
    /// [`AgreementRow::b`].
    pub b: String,
    /// [`AgreementRow::model`].
    pub model: String,
    /// [`AgreementRow::criterion`].
    pub criterion: String,
}

/// One pairing in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairDetail {
    /// All figures, with every interval.
    pub row: AgreementRow,
    /// The steps of the scale: rows and columns of the matrix.
    pub steps: Vec<f64>,
    /// `counts[i][j]`: the first side gave `steps[i]`, the second `steps[j]`; means count as the nearest step.
    pub counts: Vec<Vec<u32>>,
    /// The largest differences first, at most a hundred.
    pub disagreements: Vec<Disagreement>,
}

/// One unit on which two sides differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Disagreement {
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Model.
    pub model: String,
    /// The first side's score.
    pub a: f64,
    /// The second side's.
    pub b: f64,
    /// What raters noted about it.
    pub notes: Vec<String>,
}

/// How steady a judge is over its runs, on the judge's scale (totals: on the printed one).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SteadinessRow {
    /// Judge.
    pub judge: String,
    /// Model; empty for all models together.
    pub model: String,
    /// Criterion.
    pub criterion: String,
    /// Runs.
    pub runs: u32,
    /// Units scored in every run.
    pub n: u32,
    /// Standard error of the mean score over runs.
    pub standard_error: f64,
    /// Mean over units of the sample SD over runs.
    pub sd: f64,
    /// The largest difference between two runs of one unit.
    pub max_spread: f64,
}
