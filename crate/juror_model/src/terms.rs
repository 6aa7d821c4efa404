//! What a protocol calls and rates things: criteria, kinds of request, groups, formulas, places where paper and code differ.

use juror_statistics::clusters::Interval;
use serde::{Deserialize, Serialize};

/// What the judge rates, and on which scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CriterionInfo {
    /// Stable name, as in the authors' files: `key_point`, `visual_consistency`, `image_quality`, `accuracy`, or `total`.
    pub id: String,
    /// Short name as in the paper's tables: `KP`, `VC`, `IQ`, `ACC`, `Avg`.
    pub short: String,
    /// Full name.
    pub label: String,
    /// One sentence: what a high score means.
    pub meaning: String,
    /// Judge's scale, lower end.
    pub min: f64,
    /// Judge's scale, upper end.
    pub max: f64,
    /// The only values allowed, where the scale is not every integer.
    pub allowed: Option<Vec<f64>>,
    /// Factor from the judge's scale to the printed one (WEAVEBench: 0.1).
    pub scale: f64,
    /// Digits after the point that the paper prints.
    pub decimals: u8,
    /// Which end of the scale is the good one.
    pub direction: Direction,
}

/// Which end of a scale is the good one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Higher is better.
    #[default]
    Up,
    /// Lower is better.
    Down,
    /// Neither: a figure that describes and does not rate.
    Neither,
}

/// What a verdict is made of: one question that a person can answer in the judge's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Atom {
    /// Its name among the atoms of a sample: a checkpoint's id, `metric/sub-score`, or a criterion.
    pub id: String,
    /// The kind of request whose reply gives it.
    pub request: String,
    /// A name in a few words.
    pub label: String,
    /// The judge's question, or what a high score means.
    pub question: String,
    /// The answers that can be given, in rising order.
    pub steps: Vec<Step>,
    /// To fail it limits what the sample can reach.
    pub is_hard: bool,
}

impl Atom {
    /// Whether this is one of its answers.
    pub fn takes(&self, score: f64) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| (step.value - score).abs() < 1e-9)
    }
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Step {
    /// As a rating holds it.
    pub value: f64,
    /// What it means; empty where the number says it.
    pub name: String,
}

/// What can be wrong with an output, for a person to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FailureLabel {
    /// Stable name, as files have it: lower case with hyphens, or what a person called it.
    pub id: String,
    /// A name in a few words.
    pub name: String,
    /// One sentence: when it applies; empty of a label in a person's own words.
    pub meaning: String,
}

/// One kind of judge request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RequestInfo {
    /// Stable name: `key_point`, `checkpoints`, `Instruction_Adherence`.
    pub id: String,
    /// Short name: `KP`.
    pub short: String,
    /// Full name.
    pub label: String,
    /// Ids of the criteria that its reply gives scores for.
    pub criteria: Vec<String>,
}

/// What a benchmark calls its parts, in lower case and the singular.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Words {
    /// `dialogue`, `case`, `set`.
    pub sample: String,
    /// The same in the plural.
    pub samples: String,
    /// What `n` counts, in the plural: `turns` where a sample has several, else as `samples`.
    pub units: String,
    /// The fine group: `domain`, `task`.
    pub domain: String,
    /// The coarse group: `category`, `family`, `level`; empty if there is none.
    pub category: String,
}

/// A group of samples that scores are given for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ScopeInfo {
    /// `overall`, `category`, `domain`, `turn`.
    pub scope: String,
    /// Column heading: `Category`.
    pub label: String,
    /// Keys in display order: `Science`, `Creation`, … (`all` for `overall`).
    pub keys: Vec<String>,
}

/// One place where the paper and the released code differ, with its effect on the numbers at hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Difference {
    /// Stable id: `range_check`, `missing_output`, `rounding`, …
    pub id: String,
    /// Heading in a few words.
    pub title: String,
    /// What the paper says.
    pub paper: String,
    /// What the authors' code does.
    pub released: String,
    /// Whether a scoring rule can be switched here; `false` for notes without an effect on given replies.
    pub has_effect: bool,
    /// Per model, in the order of the overview's models.
    pub effects: Vec<Effect>,
}

/// The effect of one difference on one model's overall total.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Effect {
    /// Model.
    pub model: String,
    /// Overall total under the `paper` profile.
    pub paper: Option<f64>,
    /// The same with only this rule taken from the released code; `None` where no number comes out.
    pub with_rule: Option<f64>,
    /// Why there is no number, or what changed: `2 replies outside 0–10 are counted`.
    pub note: String,
}

/// A figure with its interval, where there is one: of 95 %, unless another level is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// The mean with its interval cut at the ends of its scale, beyond which no mean is.
    #[must_use]
    pub fn within(self, scale: [f64; 2]) -> Self {
        let Some((low, high)) = self.low.zip(self.high) else {
            return self;
        };
        let cut = Interval { low, high }.within(self.value, scale);
        Self {
            low: Some(cut.low),
            high: Some(cut.high),
            ..self
        }
    }
}

/// A formula in words and symbols.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Formula {
    /// Criterion id.
    pub criterion: String,
    /// `0.4·KP + 0.1·VC + 0.2·IQ + 0.3·ACC`.
    pub text: String,
    /// Where it comes from: `WEAVE, equation (2)`.
    pub source: String,
}
