//! How far judges and people agree, and how steady a judge is: the figures by which the five papers vouch for their judges.
//!
//! Pearson and Spearman with Fisher's interval, Cohen's κ (unweighted) with its large-sample interval,
//! mean absolute and mean squared error with t intervals. Golden values from `scipy 1.17.1`.

use std::collections::BTreeMap;

use crate::statistics::{Moments, half_width_95};
use crate::view::Estimate;

/// 97.5 % quantile of the standard normal distribution.
const Z_975: f64 = 1.959_963_984_540_054;

/// Pearson's r of paired values; `None` below two pairs or where one side is constant.
///
/// # Example
/// ```
/// let r = juror_core::agreement::pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.5]).unwrap();
/// assert!((r - 4.5 / (2.0f64 * 10.166_666_666_666_666).sqrt()).abs() < 1e-12);
/// ```
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len().min(y.len());
    if n < 2 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / n as f64;
    let (mean_x, mean_y) = (mean(&x[..n]), mean(&y[..n]));
    let (mut sxx, mut syy, mut sxy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        let (dx, dy) = (a - mean_x, b - mean_y);
        sxx += dx * dx;
        syy += dy * dy;
        sxy += dx * dy;
    }
    let scale = sxx.sqrt() * syy.sqrt();
    (scale > 0.0).then(|| (sxy / scale).clamp(-1.0, 1.0))
}

/// Spearman's ρ: Pearson's r of the ranks, ties at their mean rank.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// Ranks from 1; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tied in order.chunk_by(|a, b| values[*a].total_cmp(&values[*b]).is_eq()) {
        let rank = (2 * start + tied.len() + 1) as f64 / 2.0;
        for at in tied {
            ranks[*at] = rank;
        }
        start += tied.len();
    }
    ranks
}

/// Fisher's 95 % interval of a correlation of n pairs; `None` below four pairs or at ±1.
fn fisher(r: f64, n: usize) -> Option<(f64, f64)> {
    if n < 4 || r.abs() >= 1.0 {
        return None;
    }
    let half = Z_975 / (n as f64 - 3.0).sqrt();
    let z = libm::atanh(r);
    Some((libm::tanh(z - half), libm::tanh(z + half)))
}

/// Cohen's κ over equal values as categories, with its large-sample 95 % interval.
///
/// `None` without pairs and where chance alone would always agree.
pub fn kappa(x: &[f64], y: &[f64]) -> Option<Estimate> {
    let n = x.len().min(y.len()) as f64;
    let mut counts: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    let mut equal = 0.0;
    // Adding 0 makes one category of 0 and −0.
    for (a, b) in x.iter().zip(y).map(|(a, b)| (a + 0.0, b + 0.0)) {
        counts.entry(a.to_bits()).or_default().0 += 1.0;
        counts.entry(b.to_bits()).or_default().1 += 1.0;
        equal += f64::from(u8::from(a.to_bits() == b.to_bits()));
    }
    let observed = equal / n;
    let chance = counts.values().map(|(a, b)| a * b).sum::<f64>() / (n * n);
    if n < 1.0 || chance >= 1.0 {
        return None;
    }
    let value = (observed - chance) / (1.0 - chance);
    let half = Z_975 * (observed * (1.0 - observed) / n).sqrt() / (1.0 - chance);
    Some(Estimate {
        value,
        low: Some(value - half),
        high: Some(value + half),
    })
}

/// All figures of one pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Pairs.
    pub n: u32,
    /// Pearson's r.
    pub pearson: Option<Estimate>,
    /// Spearman's ρ.
    pub spearman: Option<Estimate>,
    /// Cohen's κ.
    pub kappa: Option<Estimate>,
    /// Mean absolute error.
    pub mae: Option<Estimate>,
    /// Mean squared error.
    pub mse: Option<Estimate>,
}

impl Figures {
    /// Of paired values.
    pub fn new(pairs: &[(f64, f64)]) -> Self {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let correlation = |r: Option<f64>| {
            r.map(|value| {
                let interval = fisher(value, pairs.len());
                Estimate {
                    value,
                    low: interval.map(|(low, _)| low),
                    high: interval.map(|(_, high)| high),
                }
            })
        };
        let mean_of = |error: fn(f64) -> f64| {
            let mut moments = Moments::default();
            for (a, b) in pairs {
                moments.push(error(a - b));
            }
            let half = half_width_95(&moments);
            moments.mean().map(|value| Estimate {
                value,
                low: half.map(|half| (value - half).max(0.0)),
                high: half.map(|half| value + half),
            })
        };
        Self {
            n: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
            pearson: correlation(pearson(&x, &y)),
            spearman: correlation(spearman(&x, &y)),
            kappa: kappa(&x, &y),
            mae: mean_of(f64::abs),
            mse: mean_of(|d| d * d),
        }
    }
}

/// How steady a judge is over its runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steadiness {
    /// Runs.
    pub runs: u32,
    /// Units with a score in every run.
    pub n: u32,
    /// Standard error of the mean score over runs: SD of the runs' means / √runs.
    pub standard_error: f64,
    /// Mean over units of the sample SD over runs.
    pub sd: f64,
    /// The largest difference between two runs of one unit.
    pub max_spread: f64,
}

impl Steadiness {
    /// Of units with one value per run each; `None` below two runs or without units.
    pub fn new(units: &[Vec<f64>]) -> Option<Self> {
        let runs = units.first()?.len();
        if runs < 2 {
            return None;
        }
        let mut run_means = Moments::default();
        for run in 0..runs {
            let sum: f64 = units.iter().filter_map(|unit| unit.get(run)).sum();
            run_means.push(sum / units.len() as f64);
        }
        let (mut sds, mut max_spread) = (Moments::default(), 0.0f64);
        for unit in units {
            let mut moments = Moments::default();
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &value in unit {
                moments.push(value);
                (low, high) = (low.min(value), high.max(value));
            }
            sds.push(moments.sd()?);
            max_spread = max_spread.max(high - low);
        }
        Some(Self {
            runs: u32::try_from(runs).unwrap_or(u32::MAX),
            n: u32::try_from(units.len()).unwrap_or(u32::MAX),
            standard_error: run_means.sd()? / (runs as f64).sqrt(),
            sd: sds.mean()?,
            max_spread,
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const X: [f64; 12] = [9., 4., 6., 7., 8., 5., 5., 6., 6., 2., 10., 1.];
    const Y: [f64; 12] = [7., 5., 5., 6., 6., 5., 4., 6., 8., 3., 9., 2.];

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} and not {wanted}");
    }

    /// `scipy.stats.pearsonr` with its confidence interval, `spearmanr`, `t.interval`; κ by hand: (1/6 − 5/36)/(31/36) = 1/31.
    #[test]
    fn figures_agree_with_scipy() {
        let pairs: Vec<(f64, f64)> = X.into_iter().zip(Y).collect();
        let figures = Figures::new(&pairs);
        let pearson = figures.pearson.unwrap();
        near(pearson.value, 0.881_936_316_312_726_5);
        near(pearson.low.unwrap(), 0.623_734_696_377_198_1);
        near(pearson.high.unwrap(), 0.966_598_995_805_274_3);
        near(figures.spearman.unwrap().value, 0.880_155_787_806_504_5);
        near(figures.kappa.unwrap().value, 1.0 / 31.0);
        let mae = figures.mae.unwrap();
        near(mae.value, 13.0 / 12.0);
        assert!((mae.low.unwrap() - 0.658_551_894_566_579_4).abs() < 1e-9);
        near(figures.mse.unwrap().value, 19.0 / 12.0);
    }

    #[test]
    fn ties_without_shared_ranks_would_not_agree() {
        let broken: Vec<f64> = X
            .iter()
            .zip(0..)
            .map(|(x, at)| x + 1e-9 * f64::from(at))
            .collect();
        assert!((spearman(&broken, &Y).unwrap() - spearman(&X, &Y).unwrap()).abs() > 1e-4);
    }

    #[test]
    fn what_is_not_defined_is_no_number() {
        assert_eq!(pearson(&[1.0], &[1.0]), None);
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(kappa(&[], &[]), None);
        assert_eq!(kappa(&[1.0, 1.0], &[1.0, 1.0]), None);
        assert_eq!(Steadiness::new(&[vec![1.0]]), None);
        assert_eq!(Steadiness::new(&[]), None);
    }

    #[test]
    fn steadiness_of_a_hand_counted_set() {
        let steady = Steadiness::new(&[vec![1.0, 3.0], vec![5.0, 5.0]]).unwrap();
        assert_eq!((steady.runs, steady.n, steady.max_spread), (2, 2, 2.0));
        // Means of the runs 3 and 4: SD √½, over √2 is ½. SDs of the units √2 and 0.
        near(steady.standard_error, 0.5);
        near(steady.sd, 2f64.sqrt() / 2.0);
    }
}
