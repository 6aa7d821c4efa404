//! Wilcoxon's signed-rank test of paired differences.
//!
//! Source: Wilcoxon, "Individual comparisons by ranking methods", 1945; the choices are those of `scipy.stats.wilcoxon` 1.17:
//! zeros are dropped; the p-value is exact up to 50 differences without ties and zeros, and up to 13 with them;
//! beyond, it is by the normal approximation with the tie correction and without a continuity correction.

use crate::small::SortSmall;

use super::normal;

/// Differences up to which a p-value without ties and zeros is exact.
const MAX_EXACT: usize = 50;
/// Differences, zeros included, up to which one with ties or zeros is exact.
const MAX_EXACT_TIED: usize = 13;

/// What the test comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// The smaller of the two rank sums.
    pub statistic: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Whether p is counted out rather than approximated.
    pub is_exact: bool,
}

/// Tests whether differences lie around 0; `None` where none is other than 0.
///
/// # Example
/// ```
/// use juror_statistics::wilcoxon::signed_rank;
/// // All four signs are equal, which 2 of 16 ways of drawing signs give.
/// let test = signed_rank(&[1.0, 2.0, 3.0, 4.0]).unwrap();
/// assert_eq!((test.statistic, test.p, test.is_exact), (0.0, 0.125, true));
/// ```
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    let mut sizes: Vec<(f64, bool)> = differences
        .iter()
        .filter(|d| **d != 0.0)
        .map(|d| (d.abs(), *d > 0.0))
        .collect();
    if sizes.is_empty() {
        return None;
    }
    sizes.sort_small_by(|a, b| a.0.total_cmp(&b.0));
    // Ranks are doubled, so that shared ones are whole: of the ranks i to j each has i + j.
    let (mut doubled, mut ties) = (Vec::with_capacity(sizes.len()), 0.0);
    for tied in sizes.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let rank = 2 * doubled.len() + tied.len() + 1;
        doubled.extend(std::iter::repeat_n(rank, tied.len()));
        let count = tied.len() as f64;
        ties += count * count * count - count;
    }
    let positive: usize = doubled
        .iter()
        .zip(&sizes)
        .filter(|(_, (_, is_positive))| *is_positive)
        .map(|(rank, _)| rank)
        .sum();
    let all: usize = doubled.iter().sum();
    let is_plain = ties == 0.0 && sizes.len() == differences.len();
    let limit = if is_plain { MAX_EXACT } else { MAX_EXACT_TIED };
    let is_exact = differences.len() <= limit;
    let p = if is_exact {
        exact(&doubled, positive)
    } else {
        approximate(sizes.len() as f64, ties, positive as f64 / 2.0)
    };
    Some(SignedRank {
        statistic: positive.min(all - positive) as f64 / 2.0,
        p,
        is_exact,
    })
}

/// Twice the chance of a rank sum at least as far out, when each sign is drawn anew.
fn exact(doubled: &[usize], positive: usize) -> f64 {
    let all: usize = doubled.iter().sum();
    // Chance of each doubled rank sum, rank by rank.
    let mut chances = vec![0.0; all + 1];
    chances[0] = 1.0;
    let mut reach = 0;
    for rank in doubled {
        reach += rank;
        for sum in (0..=reach).rev() {
            let with = sum.checked_sub(*rank).map_or(0.0, |rest| chances[rest]);
            chances[sum] = 0.5 * (chances[sum] + with);
        }
    }
    let below: f64 = chances[..=positive].iter().sum();
    let above: f64 = chances[positive..].iter().sum();
    (2.0 * below.min(above)).min(1.0)
}

fn approximate(n: f64, ties: f64, positive: f64) -> f64 {
    let mean = n * (n + 1.0) / 4.0;
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
    normal::two_sided((positive - mean) / variance.sqrt())
}
