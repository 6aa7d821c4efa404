//! Two sides' means of the same models: do they rank them alike?

use super::Moments;
use super::correlation::{kendall_tau_b, ranks, spearman, spearman_exact_p};
use super::small::SortSmall;

/// Means that lie no further apart are equal: sums of the same numbers in another order differ in the last digits alone.
const GRAIN: f64 = 1e-10;

/// Which end of the scale is the first place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    /// The highest mean.
    #[default]
    Highest,
    /// The lowest mean.
    Lowest,
}

/// How two sides rank the same models.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// By model: its place on each side, from 1; equal means share the mean of theirs.
    pub ranks: Vec<(f64, f64)>,
    /// Kendall's τ-b; `None` where one side has all models equal, or there are fewer than two.
    pub tau_b: Option<f64>,
    /// Spearman's ρ; `None` in the same cases.
    pub rho: Option<f64>,
    /// The exact p-value of ρ; see [`spearman_exact_p`].
    pub rho_p: Option<f64>,
    /// Pairs of models.
    pub pairs: u32,
    /// Pairs that are equal on one side at least: they count as neither kept nor exchanged.
    pub tied: u32,
    /// Positions of the models that the sides put in opposite order.
    pub exchanged: Vec<(usize, usize)>,
    /// Mean of the second side's means less the first one's.
    pub mean_difference: Option<f64>,
    /// Mean of the sizes of these differences.
    pub mean_absolute: Option<f64>,
}

impl Ranking {
    /// Of each model's means on the two sides.
    ///
    /// # Example
    /// ```
    /// use juror_statistics::ranking::{First, Ranking};
    /// let found = Ranking::new(&[(9.0, 8.0), (7.0, 5.0), (6.0, 7.0)], First::Highest);
    /// assert_eq!(found.ranks, [(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)]);
    /// assert_eq!((found.pairs, found.exchanged), (3, vec![(1, 2)]));
    /// ```
    pub fn new(means: &[(f64, f64)], first: First) -> Self {
        let side = |of: fn(&(f64, f64)) -> f64| {
            let towards = match first {
                First::Highest => -1.0,
                First::Lowest => 1.0,
            };
            // Ranks count from the lowest on.
            settled(means.iter().map(|mean| towards * of(mean)).collect())
        };
        let (a, b) = (side(|mean| mean.0), side(|mean| mean.1));
        let mut found = Self {
            ranks: ranks(&a).into_iter().zip(ranks(&b)).collect(),
            tau_b: kendall_tau_b(&a, &b),
            rho: spearman(&a, &b),
            rho_p: spearman_exact_p(&a, &b),
            ..Self::default()
        };
        for at in 0..a.len() {
            for other in at + 1..a.len() {
                found.pairs += 1;
                let order = (a[at] - a[other]) * (b[at] - b[other]);
                if order < 0.0 {
                    found.exchanged.push((at, other));
                }
                found.tied += u32::from(order == 0.0);
            }
        }
        let (mut signed, mut sizes) = (Moments::default(), Moments::default());
        for (a, b) in means {
            signed.push(b - a);
            sizes.push((b - a).abs());
        }
        (found.mean_difference, found.mean_absolute) = (signed.mean(), sizes.mean());
        found
    }
}

/// The same numbers, those that differ by rounding alone made equal.
fn settled(mut values: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_small_by(|x, y| values[*x].total_cmp(&values[*y]));
    let mut before = f64::NEG_INFINITY;
    for at in order {
        if values[at] - before > GRAIN {
            before = values[at];
        }
        values[at] = before;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_is_no_exchange_and_shares_its_places() {
        let means = [(3.0, 1.0), (2.0, 2.0), (2.0 + 1e-13, 3.0)];
        let found = Ranking::new(&means, First::Highest);
        assert_eq!(found.ranks, [(1.0, 3.0), (2.5, 2.0), (2.5, 1.0)]);
        assert_eq!(found.exchanged, [(0, 1), (0, 2)]);
        assert_eq!((found.pairs, found.tied), (3, 1));
        // C − D = −2 over √(2 · 3).
        assert!((found.tau_b.unwrap_or_default() + 2.0 / 6f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn where_lower_is_better_the_lowest_is_first_and_everything_else_is_the_same() {
        let means = [(3.0, 1.0), (2.0, 2.0), (1.0, 4.0)];
        let (up, down) = (
            Ranking::new(&means, First::Highest),
            Ranking::new(&means, First::Lowest),
        );
        assert_eq!(up.ranks, [(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]);
        assert_eq!(down.ranks, [(3.0, 1.0), (2.0, 2.0), (1.0, 3.0)]);
        let rest = |found: Ranking| Ranking {
            ranks: Vec::new(),
            ..found
        };
        assert_eq!(rest(up), rest(down));
    }

    #[test]
    fn one_model_and_none_have_places_and_no_figures() {
        let one = Ranking::new(&[(3.0, 1.0)], First::Highest);
        assert_eq!((one.ranks.len(), one.pairs), (1, 0));
        assert_eq!((one.tau_b, one.rho, one.rho_p), (None, None, None));
        assert_eq!(
            (one.mean_difference, one.mean_absolute),
            (Some(-2.0), Some(2.0))
        );
        assert_eq!(Ranking::new(&[], First::Highest), Ranking::default());
    }
}
