//! What many comparisons at once cost: p-values adjusted for how many there are.
//!
//! Sources: Holm, "A simple sequentially rejective multiple test procedure", 1979;
//! Benjamini and Hochberg, "Controlling the false discovery rate", 1995.

use serde::{Deserialize, Serialize};

use crate::small::SortSmall;

/// How p-values are adjusted for the number of comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// Holm's step-down method: the chance of a single false separation stays below the level.
    #[default]
    Holm,
    /// Benjamini and Hochberg's step-up method: of the separations found, the expected share of false ones stays below it.
    BenjaminiHochberg,
    /// Each p-value stands for itself.
    None,
}

impl Correction {
    /// Adjusts the p-values of one family; those that are absent count nothing and stay absent.
    ///
    /// With m values in ascending order p₁ … pₘ, Holm gives the running maximum of min(1, (m − i + 1) · pᵢ),
    /// and Benjamini and Hochberg the running minimum from the end of m · pᵢ / i.
    ///
    /// # Example
    /// ```
    /// use juror_statistics::correction::Correction;
    /// let p = [Some(0.04), None, Some(0.01), Some(0.03)];
    /// assert_eq!(Correction::Holm.adjust(&p), [Some(0.06), None, Some(0.03), Some(0.06)]);
    /// assert_eq!(Correction::BenjaminiHochberg.adjust(&p), [Some(0.04), None, Some(0.03), Some(0.04)]);
    /// ```
    pub fn adjust(self, p_values: &[Option<f64>]) -> Vec<Option<f64>> {
        let mut order: Vec<(usize, f64)> = p_values
            .iter()
            .enumerate()
            .filter_map(|(at, p)| Some((at, (*p)?)))
            .collect();
        order.sort_small_by(|a, b| a.1.total_cmp(&b.1));
        let count = order.len();
        let mut adjusted = p_values.to_vec();
        match self {
            Self::None => {}
            Self::Holm => {
                let mut largest = 0.0f64;
                for (rank, (at, p)) in order.into_iter().enumerate() {
                    largest = largest.max(((count - rank) as f64 * p).min(1.0));
                    adjusted[at] = Some(largest);
                }
            }
            Self::BenjaminiHochberg => {
                let mut least = 1.0f64;
                for (rank, (at, p)) in order.into_iter().enumerate().rev() {
                    least = least.min(count as f64 * p / (rank + 1) as f64);
                    adjusted[at] = Some(least);
                }
            }
        }
        adjusted
    }

    /// As it stands in a sentence: `Holm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holm => "Holm",
            Self::BenjaminiHochberg => "Benjamini–Hochberg",
            Self::None => "no",
        }
    }
}
