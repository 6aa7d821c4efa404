//! A paper's figures of how reliable its numbers are: judges compared with people and each other, errors over runs, settings.

use serde::{Deserialize, Serialize};

/// The kind of a printed figure. Figures of one kind can be compared, others cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// Pearson's r over all outputs.
    Pearson,
    /// Mean of Pearson's r over ten equal parts of the outputs.
    PearsonParts,
    /// Spearman's ρ.
    Spearman,
    /// Cohen's κ.
    Kappa,
    /// Mean absolute error, on the judge's scale.
    Mae,
    /// Mean squared error, on the same.
    Mse,
    /// Standard error of the mean score over runs.
    StandardError,
    /// Largest difference between two runs' mean scores.
    LargestDifference,
    /// Mean absolute difference of the models' mean scores by two judges.
    MeanAbsoluteDeviation,
    /// A mean score under a setting of the paper's.
    Mean,
    /// Seconds for one picture.
    Seconds,
}

impl FigureKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Pearson,
        Self::PearsonParts,
        Self::Spearman,
        Self::Kappa,
        Self::Mae,
        Self::Mse,
        Self::StandardError,
        Self::LargestDifference,
        Self::MeanAbsoluteDeviation,
        Self::Mean,
        Self::Seconds,
    ];

    /// Stable name, as files have it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::PearsonParts => "pearson_parts",
            Self::Spearman => "spearman",
            Self::Kappa => "kappa",
            Self::Mae => "mae",
            Self::Mse => "mse",
            Self::StandardError => "standard_error",
            Self::LargestDifference => "largest_difference",
            Self::MeanAbsoluteDeviation => "mean_absolute_deviation",
            Self::Mean => "mean",
            Self::Seconds => "seconds",
        }
    }

    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Self::Pearson => "Pearson r",
            Self::PearsonParts => "Pearson r, mean of ten parts",
            Self::Spearman => "Spearman ρ",
            Self::Kappa => "Cohen’s κ",
            Self::Mae => "Mean absolute error",
            Self::Mse => "Mean squared error",
            Self::StandardError => "Standard error over runs",
            Self::LargestDifference => "Largest difference between runs",
            Self::MeanAbsoluteDeviation => "Mean absolute deviation of the models’ means",
            Self::Mean => "Mean score",
            Self::Seconds => "Seconds for one picture",
        }
    }
}

/// One printed figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedFigure {
    /// What it is.
    pub kind: FigureKind,
    /// The same in words: `Pearson r`.
    pub label: String,
    /// What is compared: `human_judge`, `judge_judge`, `human_human`, `runs`, `rankings`, or nothing but models: `scores`;
    /// another word or none where the paper compares what is not rated here, or settings of its own.
    pub pairing: String,
    /// One side as the paper names it: `people`, or a judge; empty where nobody is named.
    pub a: String,
    /// The other side.
    pub b: String,
    /// Model; empty for several together.
    pub model: String,
    /// Scope of the group that it is of; empty for all samples.
    pub scope: String,
    /// Key of that group.
    pub key: String,
    /// Criterion of the protocol, or another thing's name.
    pub criterion: String,
    /// As printed.
    pub value: f64,
    /// Half of the interval printed with ±; of a value measured from a drawing, how exactly that could be done.
    pub half: Option<f64>,
    /// Where it is printed: `Table 4`.
    pub source: String,
    /// What is to be known of it; empty if nothing is.
    pub remark: String,
    /// Ids of judges that mean each side, in lower case and without anything but letters and digits; `*` at the end is any rest.
    #[serde(skip)]
    pub ids: [Vec<String>; 2],
}
