//! From which cosine of a network's features two pictures count as alike.
//!
//! The numbers are choices of Juror: WEAVE's paper, of which the idea is (edits that changed nothing), only says "abnormally high".

use std::fmt;

use crate::clusters::percentile;

/// Two pictures with at least this cosine count as alike: an angle of 10° between their features.
pub const ALIKE: f64 = 0.985;

/// Below this cosine no percentile counts.
///
/// Two pictures that are each 10° from a third one, such as two copies of it, are at most 20° apart: cos 2a = 2 cos² a − 1.
pub const FLOOR: f64 = 2.0 * ALIKE * ALIKE - 1.0;

/// No cosine is below this.
pub const NO_FLOOR: f64 = -1.0;

/// Of fewer cosines there is no percentile: the highest one would always be above it.
pub const MIN_COSINES: usize = 100;

/// The share of cosines that is not abnormally high.
const SHARE: f64 = 0.99;

/// From which cosine a pair of one kind counts.
///
/// # Example
/// ```
/// use juror_statistics::alike::{Bar, FLOOR};
/// assert!(Bar::of(&[0.2], FLOOR).is_passed(0.985) && !Bar::of(&[0.2], FLOOR).is_passed(0.984));
/// let mut cosines = vec![0.5; 199];
/// cosines.push(0.95);
/// assert!(Bar::of(&cosines, FLOOR).is_passed(0.95));
/// assert!(!Bar::of(&cosines, FLOOR).is_passed(0.94));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// The 99th percentile of the kind, or the floor where that is higher; `None` where only [`ALIKE`] counts.
    percentile: Option<f64>,
}

impl Bar {
    /// The bar of a kind with these cosines, in any order.
    pub fn of(cosines: &[f64], floor: f64) -> Self {
        let mut sorted = cosines.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let found = (sorted.len() >= MIN_COSINES).then(|| percentile(&sorted, SHARE).max(floor));
        Self {
            percentile: found.filter(|cosine| *cosine < ALIKE),
        }
    }

    /// Whether a pair with this cosine counts.
    pub fn is_passed(self, cosine: f64) -> bool {
        cosine >= ALIKE || self.percentile.is_some_and(|bar| cosine > bar)
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.percentile {
            None => write!(f, "{ALIKE} or more"),
            Some(bar) => write!(
                f,
                "{ALIKE} or more, or above {bar:.4}, the 99th percentile of its kind"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_counts_only_of_many_cosines_and_above_the_floor() {
        let spread = |count: u32| -> Vec<f64> {
            let cosines = 0..count;
            cosines
                .map(|at| 0.90 + 0.08 * f64::from(at) / f64::from(count))
                .collect()
        };
        assert!(Bar::of(&spread(200), FLOOR).is_passed(0.9796));
        assert!(!Bar::of(&spread(200), FLOOR).is_passed(0.978));
        // Of 99 cosines the highest one is not above anything.
        assert!(!Bar::of(&spread(99), FLOOR).is_passed(0.9796));
        let low: Vec<f64> = spread(200).iter().map(|cosine| cosine - 0.2).collect();
        assert!(!Bar::of(&low, FLOOR).is_passed(0.79));
        assert!(Bar::of(&low, NO_FLOOR).is_passed(0.79));
        // Where nearly everything is alike, the fixed bar stays.
        assert!(Bar::of(&vec![0.999; 200], FLOOR).is_passed(ALIKE));
    }

    #[test]
    fn a_bar_says_from_which_cosine_on_a_pair_counts() {
        assert_eq!(Bar::of(&[], FLOOR).to_string(), "0.985 or more");
        let words = Bar::of(&vec![0.95; 100], FLOOR).to_string();
        assert!(
            words.contains("above 0.9500, the 99th percentile"),
            "{words}"
        );
    }
}
