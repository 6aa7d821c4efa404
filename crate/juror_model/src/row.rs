//! The rows of a report: scores, samples, incidents.

use crate::options::{Policy, Profile};
use crate::origin::{Origin, OriginInterval, OriginMean, OriginPart};
use serde::{Deserialize, Serialize};

/// The judge in a score row whose value was measured: nobody judged.
pub const MEASURED: &str = "measured";

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
    /// How far the judges of a panel answered together; `None` for a judge that is no panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub panel: Option<PanelCounts>,
    /// How mean and interval came about; a report does not state it.
    #[serde(skip)]
    pub origin: Origin,
}

/// How far a panel's judges answered together, over the requests behind one score row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PanelCounts {
    /// Requests that all of its judges answered, in the same run. Of people: everyone who rated anything.
    pub had_all: u32,
    /// Requests that at least one of them answered.
    pub had_any: u32,
    /// Answers to single questions that are in the row: one for each criterion or checkpoint that was put together.
    pub answers: u32,
    /// Of them, those at which no answer stood alone in front, so that one of several was taken.
    pub ties: u32,
}

/// One expected unit and its fate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleRow {
    /// Model.
    pub model: String,
    /// Judge id.
    pub judge: String,
    /// Run, from 1.
    pub run: u32,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Sub-score.
    pub criterion: String,
    /// What entered the mean, on the judge's scale; `None` if nothing did.
    pub score: Option<f64>,
    /// `ok`, or the kind of the incident.
    pub status: String,
    /// Whether the median or majority of a panel behind it was a tie; scores of other judges have none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tied: bool,
}

/// Anything that kept a unit from being scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// Model.
    pub model: String,
    /// Judge id.
    pub judge: String,
    /// Run, from 1.
    pub run: u32,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Sub-score.
    pub criterion: String,
    /// Stable kind.
    pub kind: String,
    /// What was expected, what was found.
    pub detail: String,
}

impl ScoreRow {
    /// The row with mean and interval as they come out of their origin.
    #[must_use]
    pub fn settle(self, origin: Origin) -> Self {
        let ends = origin.interval.as_ref().map(OriginInterval::ends);
        Self {
            mean: origin.mean.as_ref().and_then(OriginMean::value),
            ci_low: ends.map(|(low, _)| low),
            ci_high: ends.map(|(_, high)| high),
            origin,
            ..self
        }
    }

    /// The row with another mean, around which its interval does not move.
    #[must_use]
    pub fn with_mean(self, mean: OriginMean) -> Self {
        Self {
            mean: mean.value(),
            origin: Origin {
                mean: Some(mean),
                ..self.origin
            },
            ..self
        }
    }

    /// The row without an interval, where what it is made of is not separate.
    #[must_use]
    pub fn without_interval(self) -> Self {
        let mean = self.origin.mean.clone();
        let interval = None;
        self.settle(Origin { mean, interval })
    }
}

impl OriginPart {
    /// A row's mean.
    pub fn of(row: &ScoreRow) -> Self {
        Self {
            judge: row.judge.clone(),
            scope: row.scope.clone(),
            key: row.key.clone(),
            criterion: row.criterion.clone(),
            is_row: true,
            value: row.mean,
            weight: 1.0,
            is_turned: false,
        }
    }
}
