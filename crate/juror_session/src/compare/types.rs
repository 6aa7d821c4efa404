//! What a comparison is asked for and what it tells, as plain data.

use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::terms::{CriterionInfo, ScopeInfo};
use serde::{Deserialize, Serialize};

use juror_statistics::clusters;
use juror_statistics::correction::Correction;
use juror_statistics::level::Level;

/// Replicates of the bootstrap, unless others are asked for.
pub const REPLICATES: u32 = 2000;
/// The most replicates that are drawn.
pub const MAX_REPLICATES: u32 = 100_000;

/// What is taken to err together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Cluster {
    /// Nothing beyond a sample: each one is its own cluster.
    #[default]
    Sample,
    /// Samples with the same reference pictures.
    ReferenceSet,
    /// Samples of one fine group: domain or task.
    Domain,
    /// Samples of one coarse group; of one fine group where there is no coarse one.
    Category,
}

/// What models are compared on, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct CompareQuery {
    /// Scope of the score rows; empty for the widest.
    pub scope: String,
    /// Key within the scope; empty for its first.
    pub key: String,
    /// Criterion; empty for the total.
    pub criterion: String,
    /// Judge, or several joined by ` + ` for their mean; `None` for the one that most models have.
    pub judge: Option<String>,
    /// How p-values are adjusted.
    pub correction: Correction,
    /// What is drawn anew by the bootstrap, and what standard errors are clustered by.
    pub cluster: Cluster,
    /// Seed of the bootstrap.
    pub seed: u32,
    /// Replicates of the bootstrap, at most 100,000; 0 for no bootstrap.
    pub replicates: u32,
    /// Level of every interval; a difference is separated at 5 % whatever it is.
    pub level: Level,
}

impl Default for CompareQuery {
    fn default() -> Self {
        Self {
            scope: String::new(),
            key: String::new(),
            criterion: String::new(),
            judge: None,
            correction: Correction::default(),
            cluster: Cluster::default(),
            seed: 1,
            replicates: REPLICATES,
            level: Level::default(),
        }
    }
}

/// The two ends of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<clusters::Interval> for Interval {
    fn from(clusters::Interval { low, high }: clusters::Interval) -> Self {
        Self { low, high }
    }
}

/// A column of the score table whose models are to be ranked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct StandingsQuery {
    /// Profile and policy.
    pub options: ScoreOptions,
    /// Scope of the score rows.
    pub scope: String,
    /// Key within the scope.
    pub key: String,
    /// Criterion.
    pub criterion: String,
}

/// The rank of a model in a column of the score table, among those that the same judge judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ModelRank {
    /// Model.
    pub model: String,
    /// Judge.
    pub judge: String,
    /// 1 for the best number shown; equal numbers share a rank. `None` without a number, and of a figure that does not rate.
    pub rank: Option<u32>,
    /// Letter of the tie group as the comparison of models has it; empty where it has none.
    pub group: String,
    /// The other models of that group: the samples do not tell its best from them.
    pub tied_with: Vec<String>,
}

/// How both intervals of a difference came about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct IntervalSteps {
    /// Standard error of the mean difference, by clusters.
    pub standard_error: f64,
    /// Degrees of freedom: clusters − 1.
    pub df: f64,
    /// The quantile of Student's t that the level goes by: t(0.975; df) at 95 %.
    pub t: f64,
    /// How the bootstrap's ends were read off; `None` without replicates.
    pub bootstrap: Option<BootstrapSteps>,
}

/// How the ends of a bootstrap interval were read off the sorted means of the replicates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BootstrapSteps {
    /// Bias: how far the difference lies from their middle, in standard deviations of the normal distribution.
    pub bias: f64,
    /// Acceleration: how the standard error changes with the mean, by leaving out one cluster after another.
    pub acceleration: f64,
    /// The quantile of the normal distribution that the level goes by: 1.96 at 95 %.
    pub z: f64,
    /// The share of them below which the lower end lies.
    pub low_share: f64,
    /// The share of them below which the upper end lies.
    pub high_share: f64,
}

/// All models compared on one criterion in one group of samples.
///
/// Numbers are on the scale that the paper prints, with full precision.
/// A sample's number is the mean over its turns, each one averaged over runs (and judges); of totals, the sample's total.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Comparison {
    /// Display name of the benchmark.
    pub benchmark: String,
    /// Profile in force.
    pub profile: Profile,
    /// Policy in force.
    pub policy: Policy,
    /// Scope compared on.
    pub scope: String,
    /// Key compared on.
    pub key: String,
    /// What its samples, and no others, pass in the sample list; empty for all samples, `None` where no expression says it.
    pub filter: Option<String>,
    /// Criterion compared on.
    pub criterion: String,
    /// Its label, scale and digits.
    pub info: CriterionInfo,
    /// Judge, or several joined by ` + `; empty where the replies do not say.
    pub judge: String,
    /// How p-values were adjusted.
    pub correction: Correction,
    /// What was taken to err together.
    pub cluster: Cluster,
    /// Seed of the bootstrap.
    pub seed: u32,
    /// Replicates that were drawn for each interval.
    pub replicates: u32,
    /// Level of every interval.
    pub level: Level,
    /// Samples in the group.
    pub samples: u32,
    /// Clusters that they fall into.
    pub clusters: u32,
    /// Models: those with a number first, the best of them in front.
    pub models: Vec<ComparedModel>,
    /// Every two models, in the order of `models`; `a` comes before `b` there.
    pub pairs: Vec<ComparedPair>,
    /// Pairs with a p-value: what the correction counts.
    pub comparisons: u32,
    /// The smallest difference that can be shown, the median over the pairs that have one.
    pub detectable: Option<f64>,
    /// The tie groups in words.
    pub sentence: String,
    /// What to know about it.
    pub notes: Vec<String>,
    /// Groups of samples that models can be compared on.
    pub scopes: Vec<ScopeInfo>,
    /// Judges that can be chosen.
    pub judges: Vec<ComparedJudge>,
}

/// A judge, or several for their mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedJudge {
    /// Judge id; several joined by ` + `.
    pub judge: String,
    /// Models that it judged, or that all of them judged.
    pub models: u32,
}

/// One model's mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedModel {
    /// Model.
    pub model: String,
    /// Mean over the samples that have a number.
    pub mean: Option<f64>,
    /// Samples in the mean.
    pub n: u32,
    /// Samples that should be in it.
    pub expected: u32,
    /// Of those in it, samples in which some unit has no score.
    pub partial: u32,
    /// Clusters in the mean.
    pub clusters: u32,
    /// Sample standard deviation over samples; `None` below two.
    pub sd: Option<f64>,
    /// Interval by Student's t; standard errors are clustered where clusters are more than samples.
    pub interval: Option<Interval>,
    /// Interval by drawing clusters again, bias-corrected and accelerated.
    pub bootstrap: Option<Interval>,
    /// The mean if every missing sample got the lowest number of the scale.
    pub bound_low: Option<f64>,
    /// The mean if every missing sample got the highest number of the scale.
    pub bound_high: Option<f64>,
    /// Letter of the tie group; empty without a number.
    pub group: String,
    /// What the score table says for the same group, criterion and judge: benchmarks also average over turns or tasks.
    pub reported: Option<f64>,
}

/// Two models on the samples that both have a number for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedPair {
    /// The model that is higher in the table.
    pub a: String,
    /// The other one.
    pub b: String,
    /// Samples that both have a number for.
    pub n: u32,
    /// Clusters that they fall into.
    pub clusters: u32,
    /// Samples expected of either that are not among them.
    pub left_out: u32,
    /// Why: a sample that neither has counts under both models.
    pub reasons: Vec<LeftOut>,
    /// Mean of a − b.
    pub difference: Option<f64>,
    /// Sample standard deviation of the differences; `None` below two.
    pub sd: Option<f64>,
    /// Interval by Student's t.
    pub interval: Option<Interval>,
    /// Interval by drawing clusters again, bias-corrected and accelerated.
    pub bootstrap: Option<Interval>,
    /// How both came about; `None` where there are none.
    pub steps: Option<IntervalSteps>,
    /// Paired t.
    pub t: Option<f64>,
    /// Its degrees of freedom: clusters − 1.
    pub df: Option<f64>,
    /// Two-sided p-value of the paired t test; `None` where differences do not vary.
    pub p_t: Option<f64>,
    /// Two-sided p-value of Wilcoxon's signed-rank test over clusters' means.
    pub p_wilcoxon: Option<f64>,
    /// Whether that p-value is counted out rather than approximated.
    pub wilcoxon_exact: bool,
    /// The p-value that separates, after correction: the t test's, or Wilcoxon's where differences do not vary.
    pub p_corrected: Option<f64>,
    /// Whether it is below 0.05.
    pub separated: bool,
    /// The smallest difference that this n can show: two-sided α 0.05 for a single test, power 0.8.
    pub detectable: Option<f64>,
    /// The pair in words.
    pub sentence: String,
}

/// Samples of a pair that one model has no number for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LeftOut {
    /// The model without a number.
    pub model: String,
    /// Kind of the incident, `not_asked` or `other_turns`.
    pub kind: String,
    /// In words.
    pub label: String,
    /// Samples.
    pub count: u32,
}

/// The samples behind a pair, the largest difference first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairedSample {
    /// Sample id.
    pub sample: String,
    /// First model's number.
    pub a: f64,
    /// Second model's number, over the same turns.
    pub b: f64,
    /// a − b.
    pub difference: f64,
}
