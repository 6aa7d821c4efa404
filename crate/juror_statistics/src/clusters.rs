//! Means of numbers that come in clusters: samples that share something may err together.
//!
//! Sources: Liang and Zeger, "Longitudinal data analysis using generalized linear models", 1986, for the standard error;
//! Efron, "Better bootstrap confidence intervals", 1987, for the corrected percentiles.
//! Of clusters of one number each, the standard error and its interval are Student's.

use super::level::Level;
use super::{normal, t_quantile};
use crate::random::SplitMix64;
use crate::small::arrange_numbers;

/// Two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of a mean, cut at the ends of its scale: no mean is beyond them, so the cut part covers nothing.
    ///
    /// A mean that is itself beyond them keeps its interval.
    ///
    /// # Example
    /// ```
    /// use juror_statistics::clusters::Interval;
    /// let wide = Interval { low: 0.8, high: 1.2 };
    /// assert_eq!(wide.within(1.0, [0.0, 1.0]), Interval { low: 0.8, high: 1.0 });
    /// assert_eq!(wide.within(1.1, [0.0, 1.0]), wide);
    /// ```
    #[must_use]
    pub fn within(self, mean: f64, [low, high]: [f64; 2]) -> Self {
        if !(low..=high).contains(&mean) {
            return self;
        }
        Self {
            low: self.low.max(low),
            high: self.high.min(high),
        }
    }
}

/// How often, and from which seed, clusters are drawn anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// Seed.
    pub seed: u64,
    /// Replicates; without any there is no interval.
    pub replicates: u32,
}

/// An interval by drawing clusters anew, with what its ends were read off by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// The interval.
    pub interval: Interval,
    /// How far the mean lies from the middle of the replicates' means, in standard deviations of the normal distribution.
    pub bias: f64,
    /// How the standard error changes with the mean.
    pub acceleration: f64,
    /// The quantile of the normal distribution that the level goes by.
    pub z: f64,
    /// The shares of the sorted replicates' means below which the lower and the upper end lie.
    pub shares: [f64; 2],
}

/// Numbers summed up by cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    sums: Vec<f64>,
    sizes: Vec<f64>,
    sum: f64,
    n: f64,
}

impl Clusters {
    /// Sums up numbers, each with the name of its cluster; clusters stand in the order in which they are met.
    pub fn new<K: std::hash::Hash + Eq>(values: impl IntoIterator<Item = (K, f64)>) -> Self {
        let mut clusters = Self::default();
        let mut known = std::collections::HashMap::new();
        for (name, value) in values {
            let at = *known.entry(name).or_insert_with(|| {
                clusters.sums.push(0.0);
                clusters.sizes.push(0.0);
                clusters.sums.len() - 1
            });
            clusters.sums[at] += value;
            clusters.sizes[at] += 1.0;
            clusters.sum += value;
            clusters.n += 1.0;
        }
        clusters
    }

    /// How many clusters.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// The mean of all numbers; `None` for none.
    pub fn mean(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.sum / self.n)
    }

    /// The mean of each cluster.
    pub fn means(&self) -> impl Iterator<Item = f64> {
        self.sums.iter().zip(&self.sizes).map(|(sum, n)| sum / n)
    }

    /// Degrees of freedom of the standard error: one less than there are clusters; `None` below two.
    pub fn df(&self) -> Option<f64> {
        (self.len() > 1).then(|| (self.len() - 1) as f64)
    }

    /// Standard error of the mean; `None` below two clusters, 0 for equal numbers.
    ///
    /// √(G / (G − 1) · Σ (S − m · x̄)²) / n over G clusters, each with its sum S and size m.
    /// Of clusters of one number each that is s / √n.
    ///
    /// # Example
    /// ```
    /// use juror_statistics::clusters::Clusters;
    /// // Two clusters with the sums 2 and 6 of two numbers each: √(2 · (2² + 2²)) / 4.
    /// let clusters = Clusters::new([("a", 1.0), ("a", 1.0), ("b", 2.0), ("b", 4.0)]);
    /// assert_eq!(clusters.standard_error(), Some(1.0));
    /// ```
    pub fn standard_error(&self) -> Option<f64> {
        let (mean, df) = (self.mean()?, self.df()?);
        let first = self.sums[0] / self.sizes[0];
        // Rounding of the mean must not make a spread of none.
        if self.means().all(|mean| mean.total_cmp(&first).is_eq()) {
            return Some(0.0);
        }
        let squares: f64 = self
            .sums
            .iter()
            .zip(&self.sizes)
            .map(|(sum, n)| (sum - n * mean) * (sum - n * mean))
            .sum();
        Some(((df + 1.0) / df * squares).sqrt() / self.n)
    }

    /// The 95 % interval of the mean by Student's t with the clustered standard error; `None` below two clusters.
    pub fn t_interval(&self) -> Option<Interval> {
        self.t_interval_at(Level::P95)
    }

    /// The same at another level.
    pub fn t_interval_at(&self, level: Level) -> Option<Interval> {
        let half = t_quantile(level.upper(), self.df()?) * self.standard_error()?;
        let mean = self.mean()?;
        Some(Interval {
            low: mean - half,
            high: mean + half,
        })
    }

    /// The interval of the mean by drawing clusters again with replacement, bias-corrected and accelerated.
    ///
    /// The same seed gives the same interval everywhere.
    /// `None` below two clusters and without replicates; of equal cluster means, their value twice.
    pub fn bootstrap(&self, draws: Draws, level: Level) -> Option<Interval> {
        self.bootstrap_steps(draws, level)
            .map(|found| found.interval)
    }

    /// The same with its steps: the ends lie at the shares Φ(b + (b + z) / (1 − a · (b + z))) for both quantiles z of the
    /// normal distribution (±1.96 at 95 %), with the bias b and the acceleration a.
    pub fn bootstrap_steps(&self, draws: Draws, level: Level) -> Option<Bootstrap> {
        let count = u32::try_from(self.len()).ok().filter(|count| *count > 1)?;
        let mean = self.mean()?;
        let acceleration = self.acceleration();
        let mut means = self.replicates(draws, count);
        arrange_numbers(&mut means);
        // Drawing every cluster once gives the mean again, but for the order of adding.
        let grain = 1e-12 * means.first()?.abs().max(means.last()?.abs());
        let below = means.partition_point(|x| *x < mean - grain);
        let up_to = means.partition_point(|x| *x <= mean + grain);
        let bias = normal::quantile((below + up_to) as f64 / (2 * means.len()) as f64);
        let z = normal::quantile(level.upper());
        let shares = [-z, z].map(|z| {
            let shifted = bias + z;
            normal::cdf(bias + shifted / (1.0 - acceleration * shifted))
        });
        let [low, high] = shares.map(|share| percentile(&means, share));
        Some(Bootstrap {
            interval: Interval { low, high },
            bias,
            acceleration,
            z,
            shares,
        })
    }

    /// Means of clusters drawn with replacement, as many as there are.
    fn replicates(&self, draws: Draws, count: u32) -> Vec<f64> {
        let mut random = SplitMix64::new(draws.seed);
        let mut means = Vec::with_capacity(draws.replicates as usize);
        for _ in 0..draws.replicates {
            let (mut sum, mut n) = (0.0, 0.0);
            for _ in 0..count {
                let at = random.below(count) as usize;
                sum += self.sums[at];
                n += self.sizes[at];
            }
            means.push(sum / n);
        }
        means
    }

    /// How the standard error changes with the mean, by leaving out one cluster after another; 0 where nothing changes.
    fn acceleration(&self) -> f64 {
        let without: Vec<f64> = self
            .sums
            .iter()
            .zip(&self.sizes)
            .map(|(sum, n)| (self.sum - sum) / (self.n - n))
            .collect();
        let center = without.iter().sum::<f64>() / without.len() as f64;
        let (mut cubes, mut squares) = (0.0, 0.0);
        for mean in without {
            let pull = center - mean;
            cubes += pull * pull * pull;
            squares += pull * pull;
        }
        if squares > 0.0 {
            cubes / (6.0 * squares * squares.sqrt())
        } else {
            0.0
        }
    }
}

/// The value below which this share of sorted numbers lies, by straight lines between them; NaN of none.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let floor = place.floor();
    // A place is at most the last index.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let at = floor as usize;
    let (low, high) = (sorted[at], sorted[(at + 1).min(last)]);
    low + (high - low) * (place - floor)
}
