#![doc = include_str!("../README.md")]
//!
//! Spread, intervals and comparisons of means.
//!
//! [`clusters`] has means of samples that may hang together, [`paired`] differences of two models on the same samples,
//! [`wilcoxon`] their ranks, [`correction`] what many comparisons at once cost, [`ties`] the groups that are left.
//! [`correlation`] and [`ranking`] tell how far two sides go together, [`runs`] how steady one is, [`level`] how sure intervals are.
//! [`alike`] has the cosine from which two pictures count as alike.
//! Student's t: W. H. Press et al., Numerical Recipes, 6.4 (continued fraction of the incomplete beta function);
//! golden values from `scipy 1.17.1`, `scipy.stats.t.ppf`.
//! Logarithms come from `libm`: the platforms' own differ in the last digit, and a report must not.

pub mod alike;
pub mod clusters;
pub mod correction;
pub mod correlation;
pub mod level;
pub mod normal;
pub mod paired;
pub mod random;
pub mod ranking;
pub mod runs;
pub mod small;
pub mod ties;
pub mod wilcoxon;
pub mod wilson;

use level::Level;

/// Count, sum and squared deviations of a stream of numbers, by Welford's update.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    n: u32,
    sum: f64,
    mean: f64,
    m2: f64,
}

impl Moments {
    /// Takes one number in.
    pub fn push(&mut self, x: f64) {
        self.n += 1;
        self.sum += x;
        let delta = x - self.mean;
        self.mean += delta / f64::from(self.n);
        self.m2 += delta * (x - self.mean);
    }

    /// Takes in the numbers of another set, by the pairwise update of Chan, Golub and `LeVeque`.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        let (n, m) = (f64::from(self.n), f64::from(other.n));
        let delta = other.mean - self.mean;
        self.m2 += other.m2 + delta * delta * n * m / (n + m);
        self.mean += delta * m / (n + m);
        self.n += other.n;
        self.sum += other.sum;
    }

    /// The same numbers with their sum as a plain loop over all of them gives it.
    ///
    /// Merging adds sums of parts, and the last digit may differ from that of one long sum.
    #[must_use]
    pub fn with_sum(self, sum: f64) -> Self {
        Self { sum, ..self }
    }

    /// How many numbers.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Their sum in the order of arrival, as a plain loop gives it.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Sum over count, as the authors' scripts compute it; `None` for no number.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / f64::from(self.n))
    }

    /// Sample standard deviation (n − 1); `None` below two numbers.
    pub fn sd(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.m2 / f64::from(self.n - 1)).max(0.0).sqrt())
    }

    /// Squared standard error of the mean; `None` below two numbers.
    pub fn variance_of_mean(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.m2 / f64::from(self.n - 1)).max(0.0) / f64::from(self.n))
    }
}

/// So many numbers it takes for an interval of their mean; of fewer, "n too small" is said.
///
/// The t interval holds as far as means are spread normally, which means of a few scores with two ends are not: of 0, 100 and
/// 100 it is [−76.8, 210.1]. An interval of more numbers may still end beyond the scale, and is told as it is: cut off at the
/// scale's end it would look surer than it is. Only drawings end with the scale.
pub const MIN_FOR_INTERVAL: u32 = 5;

/// Half the width of the 95 % interval of a mean: t(0.975, n − 1) · sd / √n.
///
/// `None` below [`MIN_FOR_INTERVAL`] numbers; 0 for equal ones.
pub fn half_width_95(moments: &Moments) -> Option<f64> {
    half_width(moments, Level::P95)
}

/// Half the width of an interval of a mean: t(upper, n − 1) · sd / √n; see [`half_width_95`].
pub fn half_width(moments: &Moments, level: Level) -> Option<f64> {
    if moments.n() < MIN_FOR_INTERVAL {
        return None;
    }
    let variance = moments.variance_of_mean()?;
    Some(t_quantile(level.upper(), f64::from(moments.n() - 1)) * variance.sqrt())
}

/// The value below which Student's t with `df` degrees of freedom falls with probability `p`.
///
/// `p` in (0, 1), `df` > 0 and not necessarily whole; ±∞ at the ends, NaN outside.
///
/// # Example
/// ```
/// let t = juror_statistics::t_quantile(0.975, 1.0);
/// assert!((t - 12.706_204_736_174_694).abs() < 1e-8); // tan(0.475 π)
/// ```
pub fn t_quantile(p: f64, df: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if p < 0.5 {
        return -t_quantile(1.0 - p, df);
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    // A bracket first, so that Newton's steps can be refused where they leave it.
    let (mut low, mut high) = (0.0, 1.0);
    while t_cdf(high, df) < p && high < 1e300 {
        low = high;
        high *= 2.0;
    }
    let ln_scale = ln_gamma(0.5 * (df + 1.0))
        - ln_gamma(0.5 * df)
        - 0.5 * libm::log(df * std::f64::consts::PI);
    let density = |t: f64| libm::exp(ln_scale - 0.5 * (df + 1.0) * libm::log1p(t * t / df));
    let mut t = 0.5 * (low + high);
    for _ in 0..200 {
        let error = t_cdf(t, df) - p;
        if error < 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - error / density(t);
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if (next - t).abs() <= 1e-15 * t {
            return next;
        }
        t = next;
    }
    t
}

/// The chance that Student's t is at least this far from 0 on either side.
///
/// P(|T| ≥ |t|) = I(df / (df + t²); df/2, ½). 1 for t = 0, 0 for an infinite t, NaN where an argument is.
///
/// # Example
/// ```
/// let p = juror_statistics::t_two_sided(1.0, 1.0);
/// assert!((p - 0.5).abs() < 1e-12); // 1 − 2 · arctan(1) / π
/// ```
pub fn t_two_sided(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() {
        return f64::NAN;
    }
    incomplete_beta(df / (df + t * t), 0.5 * df, 0.5)
}

/// P(T ≤ t) for t ≥ 0.
fn t_cdf(t: f64, df: f64) -> f64 {
    1.0 - 0.5 * incomplete_beta(df / (df + t * t), 0.5 * df, 0.5)
}

/// Regularised incomplete beta function `I_x(a, b)`.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = libm::exp(
        ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * libm::log(x) + b * libm::log1p(-x),
    );
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        for numerator in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / guard(1.0 + numerator * d);
            c = guard(1.0 + numerator / c);
            fraction *= d * c;
        }
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

/// ln Γ(x) for x > 0: Stirling's series after shifting x above 12; relative error below 1e-14.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 12.0 {
        shift += libm::log(x);
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0
        - inverse
            * (1.0 / 360.0
                - inverse * (1.0 / 1260.0 - inverse * (1.0 / 1680.0 - inverse / 1188.0))))
        / x;
    (x - 0.5) * libm::log(x) - x + 0.5 * libm::log(std::f64::consts::TAU) + series - shift
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// `scipy.stats.t.ppf(0.975, df)`, SciPy 1.17.1.
    const T_975: [(f64, f64); 8] = [
        (1.0, 12.706_204_736_174_694),
        (2.0, 4.302_652_729_749_462),
        (3.0, 3.182_446_305_283_707_8),
        (10.0, 2.228_138_851_986_274),
        (30.0, 2.042_272_456_301_237_8),
        (2.5, 3.574_654_842_003_681_7),
        (324.0, 1.967_312_771_699_222_7),
        (100_000.0, 1.959_987_707_534_609_5),
    ];

    #[test]
    fn t_quantiles_agree_with_scipy() {
        for (df, expected) in T_975 {
            let found = t_quantile(0.975, df);
            assert!(
                (found - expected).abs() < 1e-9 * expected,
                "df {df}: {found} and not {expected}"
            );
        }
    }

    #[test]
    fn the_normal_quantile_is_not_taken_for_t() {
        assert!((t_quantile(0.975, 10.0) - 1.959_964).abs() > 0.2);
    }

    #[test]
    fn merged_halves_are_the_whole() {
        let numbers = [3.0, 7.5, 7.5, 0.0, 10.0, 1.0, 2.0];
        let of = |numbers: &[f64]| {
            let mut moments = Moments::default();
            for x in numbers {
                moments.push(*x);
            }
            moments
        };
        let whole = of(&numbers);
        for cut in 0..=numbers.len() {
            let mut merged = of(&numbers[..cut]);
            merged.merge(&of(&numbers[cut..]));
            assert_eq!(merged.n(), whole.n());
            assert!(
                (merged.sd().unwrap() - whole.sd().unwrap()).abs() < 1e-14,
                "cut at {cut}"
            );
            assert!(
                (merged.mean().unwrap() - whole.mean().unwrap()).abs() < 1e-14,
                "cut at {cut}"
            );
        }
    }

    #[test]
    fn moments_of_a_hand_counted_set() {
        let mut moments = Moments::default();
        assert_eq!(
            (moments.mean(), moments.sd(), half_width_95(&moments)),
            (None, None, None)
        );
        for x in [2.0, 4.0, 4.0, 6.0] {
            moments.push(x);
        }
        assert_eq!(moments.mean(), Some(4.0));
        assert!((moments.sd().unwrap() - (8.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(half_width_95(&moments), None, "four are too few");
        moments.push(4.0);
        // t(0.975, 4) · sqrt(8/4) / sqrt(5)
        let half = 2.776_445_105_197_793_4 * 2.0_f64.sqrt() / 5.0_f64.sqrt();
        assert!((half_width_95(&moments).unwrap() - half).abs() < 1e-9);
    }
}
