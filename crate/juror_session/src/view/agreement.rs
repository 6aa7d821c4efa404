//! How far judges and people agree, as it is shown.

use juror_model::options::{Profile, ScoreOptions};
use juror_model::reliability::PrintedFigure;
use juror_model::terms::{CriterionInfo, Estimate, ScopeInfo};
use juror_statistics::level::Level;
use serde::{Deserialize, Serialize};

/// What agreement is asked of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct AgreementQuery {
    /// Profile. A judge counts where it is a panel, which is then compared with the others; run and policy do not.
    pub options: ScoreOptions,
    /// Scope of the score rows whose groups get rows of their own; empty for all samples together only.
    pub scope: String,
    /// Level of every interval.
    pub level: Level,
}

/// How far judges agree with people and with each other, and how steady each is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Agreement {
    /// Raters, by name.
    pub raters: Vec<String>,
    /// Ratings that belong to a sample, model and criterion at hand.
    pub ratings: u32,
    /// Ratings that do not.
    #[serde(rename = "strangers")]
    pub unknown_samples: u32,
    /// People and judges that are not compared one by one, as there are more than can be; the means over all count them.
    pub left_out: u32,
    /// All raters at once, where there are several.
    pub people: Vec<PeopleRow>,
    /// Pairings: people with judges, judges with each other, people with each other.
    pub pairs: Vec<AgreementRow>,
    /// The same pairings over ten parts of what both rated; nothing of fewer than twenty outputs.
    pub partitions: Vec<PartitionRow>,
    /// Judges with several runs.
    pub steadiness: Vec<SteadinessRow>,
    /// The scopes that rows can be made by.
    pub scopes: Vec<ScopeInfo>,
    /// The one in force; empty without one.
    pub scope: String,
    /// Groups of it that have no rows, as there are more than can be.
    pub keys_left_out: u32,
    /// Level of every interval.
    pub level: Level,
    /// The paper's figures of reliability, with the figures here that are of the same kind.
    pub printed: Vec<PrintedRow>,
}

/// Agreement of all raters with each other: Krippendorff's α over the outputs that two or more of them rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PeopleRow {
    /// Criterion, or `total`.
    pub criterion: String,
    /// Group of samples; empty for all of them.
    pub key: String,
    /// Raters who share an output with another one.
    pub raters: u32,
    /// Outputs that two or more rated.
    pub n: u32,
    /// Outputs that anybody rated.
    pub expected: u32,
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
    /// Group of samples; empty for all of them. Groups have rows over all models only.
    pub key: String,
    /// Units that both rated.
    pub n: u32,
    /// Units that one of the two rated, or both.
    pub expected: u32,
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

/// Pearson's r of two sides over ten equal parts of the units that both rated.
///
/// The units stand in the order of the SHA-256 of `juror-partitions/1`, the seed 1, sample, turn and model, each of the latter
/// with its length in bytes in front, and are cut into parts whose sizes differ by one at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PartitionRow {
    /// [`AgreementRow::kind`].
    pub kind: String,
    /// [`AgreementRow::a`].
    pub a: String,
    /// [`AgreementRow::b`].
    pub b: String,
    /// Criterion, or `total`.
    pub criterion: String,
    /// Group of samples; empty for all of them.
    pub key: String,
    /// Units that both rated.
    pub n: u32,
    /// Units that one of the two rated, or both.
    pub expected: u32,
    /// Parts that the units are cut into.
    pub parts: u32,
    /// Parts that have an r: in the others one side is constant.
    pub defined: u32,
    /// Mean of the parts' r, with Student's interval of the parts: mean ± t · SD / √parts.
    pub r: Option<Estimate>,
    /// Sample SD of the parts' r.
    pub sd: Option<f64>,
    /// The smallest of them.
    pub least: Option<f64>,
    /// The largest.
    pub most: Option<f64>,
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
    /// [`Agreement::scope`].
    #[serde(default)]
    pub scope: String,
    /// [`AgreementRow::key`].
    #[serde(default)]
    pub key: String,
    /// Level of every interval.
    #[serde(default)]
    pub level: Level,
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
    /// Judge; of several judges with runs also `panel:mean(a,b)`, the mean of all of them in each run.
    pub judge: String,
    /// Model; empty for all models together.
    pub model: String,
    /// Criterion.
    pub criterion: String,
    /// Group of samples; empty for all of them. Groups have rows over all models and of each one.
    pub key: String,
    /// Runs.
    pub runs: u32,
    /// Units scored in every run.
    pub n: u32,
    /// Units scored in any run.
    pub expected: u32,
    /// Each run's mean score over the units scored in every run.
    pub averages: Vec<f64>,
    /// The largest difference between two of these.
    pub largest_difference: f64,
    /// Their sample SD.
    pub sd_of_averages: f64,
    /// Standard error of the mean score over runs: that SD / √runs.
    pub standard_error: f64,
    /// Mean over units of the sample SD over runs.
    pub sd: f64,
    /// The largest difference between two runs of one unit.
    pub max_spread: f64,
}

/// One figure that the paper prints, with the user's own of the same kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedRow {
    /// As printed.
    pub figure: PrintedFigure,
    /// The user's own, each of one pair of sides; none where nothing of that kind is at hand.
    pub own: Vec<OwnFigure>,
}

/// A figure of the user's own next to a printed one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OwnFigure {
    /// One side, as in the table that the figure is of.
    pub a: String,
    /// The other side; empty where one judge is held against itself.
    pub b: String,
    /// Model; empty for all models together.
    pub model: String,
    /// Group of samples; empty for all of them.
    pub key: String,
    /// The figure.
    pub value: f64,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Outputs that count.
    pub n: u32,
    /// Outputs that could.
    pub expected: u32,
    /// Whether the judge is the paper's.
    pub is_same_judge: bool,
    /// Whether it is of the printed model and group.
    pub is_same_group: bool,
    /// The own figure less the printed one; `None` where they are not of the same group.
    pub difference: Option<f64>,
}

/// Two judges whose answers to each question are compared; people are judges as `people:NAME`, all of them as `people`, and
/// several judges together as `panel:median(a,b)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct AtomQuery {
    /// One judge.
    pub a: String,
    /// The other.
    pub b: String,
    /// Scope of the score rows whose groups get rows of their own; empty for all samples together only.
    #[serde(default)]
    pub scope: String,
    /// How replies are read.
    pub profile: Profile,
    /// Level of every interval.
    #[serde(default)]
    pub level: Level,
}

/// Two judges whose order of the models is compared; people are judges as `people:NAME`, all of them as `people`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct RankingsQuery {
    /// One judge.
    pub a: String,
    /// The other.
    pub b: String,
    /// Criterion; empty for the total.
    pub criterion: String,
    /// Scope of the score rows whose groups are ranked on their own as well; empty for all samples together only.
    pub scope: String,
    /// Whose formulas.
    pub profile: Profile,
    /// Level of every interval.
    pub level: Level,
}

/// How two judges rank the models, on what both of them rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Rankings {
    /// One judge.
    pub a: String,
    /// The other.
    pub b: String,
    /// The criterion, on the printed scale.
    pub criterion: CriterionInfo,
    /// The scope in force; empty without one.
    pub scope: String,
    /// Groups of it that have no rows, as there are more than can be.
    pub keys_left_out: u32,
    /// Level of every interval; pairs of models are told apart at 5 % whatever it is.
    pub level: Level,
    /// All samples, then each group.
    pub rows: Vec<RankingRow>,
}

/// Two judges' orders of the models in one group of samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RankingRow {
    /// Group of samples; empty for all of them.
    pub key: String,
    /// Samples that both rated, over all models.
    pub n: u32,
    /// Samples that there are to rate, over all models.
    pub expected: u32,
    /// Models with a sample that both rated, the first side's best first.
    pub models: Vec<RankedModel>,
    /// Models without one.
    pub left_out: Vec<String>,
    /// Kendall's τ-b of the means.
    pub tau_b: Option<f64>,
    /// Spearman's ρ of the means.
    pub rho: Option<f64>,
    /// Exact two-sided p-value of ρ over all orders of the models; `None` above nine models.
    pub rho_p: Option<f64>,
    /// Pairs of models.
    pub pairs: u32,
    /// Pairs that are equal on one side at least.
    pub tied: u32,
    /// Pairs that the two put in opposite order.
    pub exchanged: Vec<ExchangedPair>,
    /// Mean over the models of the second side's mean less the first one's.
    pub mean_difference: Option<f64>,
    /// Mean over the models of the size of that difference.
    pub mean_absolute: Option<f64>,
    /// The same as the paper prints it of these two sides; `None` where it does not.
    pub printed_mean_absolute: Option<f64>,
    /// Where the paper prints the models' means: `Table 12`; empty where it does not.
    pub printed_source: String,
    /// What to know about these numbers.
    pub notes: Vec<String>,
}

/// A model's means by two judges, on the samples that both rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RankedModel {
    /// The model.
    pub model: String,
    /// Samples that both rated.
    pub n: u32,
    /// Samples that there are to rate.
    pub expected: u32,
    /// The first side's mean.
    pub mean_a: f64,
    /// The second side's.
    pub mean_b: f64,
    /// The model's place on the first side, from 1; equal means share the mean of theirs.
    pub rank_a: f64,
    /// On the second side.
    pub rank_b: f64,
    /// The second side's mean less the first one's, with Student's interval over samples; none below five.
    pub difference: Estimate,
    /// The first side's mean as the paper prints it; `None` where it does not.
    pub printed_a: Option<f64>,
    /// The second side's.
    pub printed_b: Option<f64>,
}

/// Two models that two judges put in opposite order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ExchangedPair {
    /// One model: the first side's better one.
    pub model: String,
    /// The other: the second side's better one.
    pub other: String,
    /// Samples on which both models were rated by both judges: what both sides' tests rest on.
    pub n: u32,
    /// Samples that there are to rate.
    pub expected: u32,
    /// By the first judge.
    pub by_a: PairTest,
    /// By the second.
    pub by_b: PairTest,
}

/// One judge's paired test of two models: that of Compare, on the samples that the other judge rated as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairTest {
    /// Mean of the model less the other one on the samples that both models have.
    pub difference: Option<f64>,
    /// p-value, by Holm for all pairs of this judge; `None` where there is no test.
    pub p: Option<f64>,
    /// Whether it is below 5 %.
    pub separated: bool,
}

/// How far two judges agree on one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AtomRow {
    /// The question's id: a checkpoint's, `metric/sub-score`, a criterion.
    pub id: String,
    /// A name in a few words.
    pub label: String,
    /// The question.
    pub question: String,
    /// Whether to fail it limits the score.
    pub is_hard: bool,
    /// The group of samples that it is asked about; empty for several.
    pub domain: String,
    /// The group of the scope that is asked for; empty for all samples together.
    pub key: String,
    /// Outputs that both answered it about.
    pub n: u32,
    /// Outputs that one of the two answered it about, or both.
    pub expected: u32,
    /// Share of them with the same answer, 0 to 1.
    pub equal: f64,
    /// Cohen's κ, unweighted; `None` where one of the two gave one answer throughout.
    pub kappa: Option<Estimate>,
    /// Mean answer of the first.
    pub mean_a: f64,
    /// Mean answer of the second.
    pub mean_b: f64,
}
