//! The formulas: equations (1) and (2), the authors' rounding, and the rules in which ways of scoring differ.

use super::{ACC, IQ, KP, VC};
use juror_model::linked::LinkedReply;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::origin::OriginMean;
use juror_model::reply::Reading;
use juror_reading::py;

/// The judge's scale ends here.
pub(super) const MAX_SCORE: f64 = 10.0;

/// Weights of equation (1): pictures only.
pub const IMAGE_WEIGHTS: [(u16, f64); 3] = [(KP, 0.5), (VC, 0.2), (IQ, 0.3)];

/// Weights of equation (2): pictures and texts.
pub const ALL_WEIGHTS: [(u16, f64); 4] = [(KP, 0.4), (VC, 0.1), (IQ, 0.2), (ACC, 0.3)];

/// Everything in which ways of scoring differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WeaveRules {
    pub(super) scale: Scale,
    pub(super) repeats: Repeats,
    pub(super) partial_total: PartialTotal,
    pub(super) rounding: Rounding,
    /// What a missing or unreadable output counts.
    pub(super) outputs: Policy,
    pub(super) failures: Failures,
    pub(super) stops: Stops,
    pub(super) unknown_samples: UnknownSamples,
}

/// Which scores are let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Whole numbers on the scale.
    Checked,
    /// Whatever Python can add.
    AsStored,
}

/// What a second reply to the same request counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    /// Nothing: the first readable reply of a run counts.
    Once,
    /// As much as the first.
    Each,
}

/// The total where the equations give none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartialTotal {
    /// No number.
    Undefined,
    /// The plain mean of the criteria at hand.
    PlainMean,
}

/// When figures are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// On display only.
    None,
    /// Criterion means to three digits, then the total.
    Twice,
}

/// How far an unreadable reply reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failures {
    /// Its own criterion and turn.
    Unit,
    /// The whole dialogue.
    Dialogue,
}

/// What a score that Python cannot add does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stops {
    LeftOut,
    /// The summary stops and there is no number at all.
    NoResult,
}

/// What replies to unknown dialogues or turns count; also whose domain a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownSamples {
    /// Nothing; the benchmark names the domain.
    LeftOut,
    /// As any other; the line names the domain.
    Counted,
}

impl WeaveRules {
    /// The rules of a profile under a policy.
    pub(super) fn new(profile: Profile, policy: Policy) -> Self {
        let is_released = profile == Profile::Released;
        let is_upstream = policy == Policy::Upstream;
        Self {
            scale: if is_released {
                Scale::AsStored
            } else {
                Scale::Checked
            },
            repeats: if is_released {
                Repeats::Each
            } else {
                Repeats::Once
            },
            partial_total: if is_released {
                PartialTotal::PlainMean
            } else {
                PartialTotal::Undefined
            },
            rounding: if is_released {
                Rounding::Twice
            } else {
                Rounding::None
            },
            unknown_samples: if is_released {
                UnknownSamples::Counted
            } else {
                UnknownSamples::LeftOut
            },
            outputs: policy,
            failures: if is_upstream {
                Failures::Dialogue
            } else {
                Failures::Unit
            },
            stops: if is_upstream {
                Stops::NoResult
            } else {
                Stops::LeftOut
            },
        }
    }

    /// Whether replies are gone through line by line rather than unit by unit.
    pub(super) fn counts_by_line(self) -> bool {
        self.repeats == Repeats::Each || self.unknown_samples == UnknownSamples::Counted
    }

    pub(super) fn reading(self, given: &LinkedReply) -> Reading {
        match self.scale {
            Scale::Checked => given.readings.paper(),
            Scale::AsStored => given.readings.released(),
        }
    }
}

/// The weighted sum of the values that are there.
pub(super) fn weighted(weights: &[(u16, f64)], values: &[Option<f64>]) -> f64 {
    let term = |(at, weight): &(u16, f64)| values[usize::from(*at)].map(|value| weight * value);
    weights.iter().filter_map(term).sum()
}

/// The total of criterion means: equation (1) without texts, (2) with them, only accuracy for texts.
pub(super) fn total(means: &[Option<f64>], rules: WeaveRules) -> Option<f64> {
    let (weights, divisor) = weights_of(means, rules)?;
    let total = weighted(&weights, means) / divisor;
    Some(if rules.rounding == Rounding::Twice {
        py::round(total, 3)
    } else {
        total
    })
}

/// What the total of criterion means is a weighted sum of, and what that is divided by.
pub(super) fn weights_of(
    means: &[Option<f64>],
    rules: WeaveRules,
) -> Option<(Vec<(u16, f64)>, f64)> {
    let is_present = |criterion: u16| means[usize::from(criterion)].is_some();
    let present: Vec<(u16, f64)> = (0u16..)
        .zip(means)
        .filter(|(_, mean)| mean.is_some())
        .map(|(at, _)| (at, 1.0))
        .collect();
    Some(match ([KP, VC, IQ].map(is_present), is_present(ACC)) {
        ([true, true, true], true) => (ALL_WEIGHTS.to_vec(), 1.0),
        ([true, true, true], false) => (IMAGE_WEIGHTS.to_vec(), 1.0),
        ([false, false, false], true) if present.len() == 1 => (present, 1.0),
        _ if rules.partial_total == PartialTotal::PlainMean && !present.is_empty() => {
            let count = present.len() as f64;
            (present, count)
        }
        _ => return None,
    })
}

/// The total of four criterion means on the printed scale, as a profile computes it.
///
/// # Example
/// ```
/// use juror_model::options::Profile;
/// use juror_protocols::weave::score::weighted_total;
/// let total = weighted_total(&[Some(0.55), Some(0.8), Some(0.7), None], Profile::Paper).unwrap();
/// assert!((total - 0.645).abs() < 1e-12); // 0.5·0.55 + 0.2·0.8 + 0.3·0.7
/// ```
pub fn weighted_total(means: &[Option<f64>; 4], profile: Profile) -> Option<f64> {
    total(
        means,
        WeaveRules::new(
            profile,
            ScoreOptions {
                profile,
                ..ScoreOptions::default()
            }
            .policy(),
        ),
    )
}

/// A mean rounded where the rules say so.
pub(super) fn as_ruled(mean: OriginMean, rules: WeaveRules) -> OriginMean {
    match rules.rounding {
        Rounding::None => mean,
        Rounding::Twice => mean.rounded(3, false),
    }
}

/// The total of one turn from the values of its units.
pub fn turn_total(values: &[Option<f64>; 4]) -> Option<f64> {
    let rules = WeaveRules::new(Profile::Paper, Policy::Zero);
    total(
        &values.map(|value| value.map(|value| value / MAX_SCORE)),
        rules,
    )
}
