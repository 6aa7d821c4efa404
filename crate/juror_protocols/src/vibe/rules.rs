//! The rules of scoring that paper and code may differ in: each difference is one field.

use super::{Metric, score};
use juror_model::options::{Policy, Profile};

/// Whether all of something counts, or only what the authors' code lets in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// All parts, as in the paper.
    All,
    /// Axes that need modification; limbs that can be judged; metrics that are there, and whatever else looks like one.
    Given,
}

/// Whether a condition between two sub-scores holds by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conditions {
    /// A sub-score whose condition fails is 0.
    Enforced,
    /// It is what the judge says.
    AsGiven,
}

/// The shape of equation (4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// The cube root of three criteria.
    Three,
    /// The square root of the alignment and the mean of the other two.
    Two,
}

/// Where numbers are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// Nowhere.
    None,
    /// Metrics and items to four digits, runs and means to two, as in the authors' files.
    Files,
}

/// The rules of scoring that paper and code may differ in.
#[derive(Clone, Copy, Debug)]
pub(super) struct VibeRules {
    /// Whose reader.
    pub(super) reader: Profile,
    pub(super) policy: Policy,
    pub(super) axes: Span,
    pub(super) limbs: Span,
    pub(super) fields: Span,
    pub(super) conditions: Conditions,
    pub(super) root: Root,
    pub(super) rounding: Rounding,
}

impl VibeRules {
    pub(super) fn new(profile: Profile, policy: Policy) -> Self {
        match profile {
            Profile::Paper => Self {
                reader: profile,
                policy,
                axes: Span::All,
                limbs: Span::All,
                fields: Span::All,
                conditions: Conditions::Enforced,
                root: Root::Three,
                rounding: Rounding::None,
            },
            Profile::Released => Self {
                reader: profile,
                policy,
                axes: Span::Given,
                limbs: Span::Given,
                fields: Span::Given,
                conditions: Conditions::AsGiven,
                root: Root::Two,
                rounding: Rounding::Files,
            },
        }
    }

    /// Every rule is the authors', so what their files hold counts as it is.
    pub(super) fn is_authors(self) -> bool {
        self.rounding == Rounding::Files && self.fields == Span::Given
    }

    /// A metric's value from 0 to 1; `None` if an atom is missing.
    pub(super) fn metric(self, metric: Metric, atoms: &[f64]) -> Option<f64> {
        if self.is_authors() {
            return atoms.last().copied().filter(|score| !score.is_nan());
        }
        let as_released = match metric {
            Metric::OrientationAlignment => self.axes == Span::Given,
            Metric::PoseConsistency => self.limbs == Span::Given,
            Metric::LightDirectionConsistency | Metric::WindContextualPreservation => {
                self.conditions == Conditions::AsGiven
            }
            _ => false,
        };
        let value = if as_released {
            Some(score::released_value(metric, atoms)).filter(|value| !value.is_nan())
        } else {
            score::paper_metric(metric, atoms)
        };
        value.map(|value| match self.rounding {
            Rounding::None => value,
            Rounding::Files => score::stored(value),
        })
    }
}
