//! How a score row came about: its mean as a sum and its interval as a formula, both with every value filled in.
//!
//! The scorers set a row's mean and interval by `ScoreRow::settle`, which takes them from here,
//! so what explains a number is what it was computed by.
//! A report states the numbers alone; whoever has the replies computes these again.

use serde::{Deserialize, Serialize};

use juror_reading::py;
use juror_statistics::level::Level;
use juror_statistics::{MIN_FOR_INTERVAL, Moments, t_quantile};

/// Added before the authors of VIBE round, so that ties and what lies just below them go up.
const TRACE: f64 = 1e-12;

/// Where the numbers of one score row come from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Origin {
    /// The mean; `None` where there is nothing to compute one of.
    pub mean: Option<OriginMean>,
    /// Its 95 % interval; `None` where none is defined.
    pub interval: Option<OriginInterval>,
}

/// Rows are equal by their numbers: a report that was written and read again says no more of them.
impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A mean: a sum over a divisor, brought to the printed scale, and rounded where the authors' code rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OriginMean {
    /// Sum of the values, where single ones are averaged and not parts.
    pub sum: Option<f64>,
    /// What is averaged or weighted, where that has numbers of its own; empty where single values are.
    pub parts: Vec<OriginPart>,
    /// What a part without a number does.
    pub gaps: Gaps,
    /// What the sum is divided by: how many values or parts are in it, or the sum of the weights.
    pub divisor: f64,
    /// From the judge's scale to the printed one: times this, and then
    pub multiplier: f64,
    /// divided by this.
    pub denominator: f64,
    /// Where the authors' code rounds.
    pub rounding: Option<Rounded>,
}

/// One part of a mean: another row's mean, or a mean that has no row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OriginPart {
    /// Judge.
    pub judge: String,
    /// Scope.
    pub scope: String,
    /// Key within the scope.
    pub key: String,
    /// Criterion.
    pub criterion: String,
    /// Whether there is a row of that name with this number; rounding may have changed it there.
    pub is_row: bool,
    /// The number; `None` where there is none.
    pub value: Option<f64>,
    /// What it is multiplied by.
    pub weight: f64,
    /// Whether `1 − value` enters: an error with its good end up.
    pub is_turned: bool,
}

/// What a part without a number does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Gaps {
    /// It is excluded, and only the others count.
    LeftOut,
    /// There is no mean without it.
    NoNumber,
}

/// How the authors' code rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Rounded {
    /// To so many digits after the point.
    pub digits: u8,
    /// Whether ties always go up, as `round(x + 1e-12, digits)` makes them; else as Python's `round` has them.
    pub is_up: bool,
}

/// A 95 % interval of a mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OriginInterval {
    /// Student's t: center ± t · SE, where SE = SD / √n.
    Student {
        /// The mean in the middle, before the authors' rounding where that comes later.
        center: f64,
        /// Values.
        n: u32,
        /// Their sample standard deviation (n − 1), on the scale of the values.
        sd: f64,
        /// Standard error of their mean, on the scale of the values.
        se: f64,
        /// Degrees of freedom.
        df: f64,
        /// The quantile t(0.975; df).
        t: f64,
        /// From the scale of the values to the printed one: times this, and then
        multiplier: f64,
        /// divided by this.
        denominator: f64,
    },
    /// Of two separate samples, whose squared standard errors add: center ± t · √(a + b), with the degrees of freedom of
    /// Welch and Satterthwaite, (a + b)² / (a² / (n − 1) + b² / (m − 1)).
    Welch {
        /// The mean in the middle.
        center: f64,
        /// Values of the first and of the second sample.
        n: [u32; 2],
        /// Their standard errors, on the scale of the values.
        se: [f64; 2],
        /// What the standard errors are multiplied by.
        weights: [f64; 2],
        /// The sum of the squared products.
        variance: f64,
        /// Degrees of freedom.
        df: f64,
        /// The quantile t(0.975; df).
        t: f64,
        /// From the scale of the values to the printed one: divided by this.
        denominator: f64,
    },
    /// Of parts whose samples are separate: center ± √(Σ half²) / k over their half-widths.
    Parts {
        /// The mean in the middle.
        center: f64,
        /// Half the width of each part's interval, in the order of the parts that count.
        halves: Vec<f64>,
        /// Those intervals, for other levels; a report does not state them.
        #[serde(skip)]
        parts: Vec<OriginInterval>,
    },
    /// Of judges of the same outputs, whose errors do not cancel: the means of the ends.
    Ends {
        /// Lower ends.
        lows: Vec<f64>,
        /// Upper ends.
        highs: Vec<f64>,
        /// The judges' intervals, for other levels; a report does not state them.
        #[serde(skip)]
        parts: Vec<OriginInterval>,
    },
}

impl OriginMean {
    /// A mean of single values: their sum over their number, in the scale's factor.
    pub fn of_values(sum: f64, n: u32, multiplier: f64) -> Self {
        Self {
            sum: Some(sum),
            parts: Vec::new(),
            gaps: Gaps::LeftOut,
            divisor: f64::from(n),
            multiplier,
            denominator: 1.0,
            rounding: None,
        }
    }

    /// An unweighted mean of parts.
    pub fn of_parts(parts: Vec<OriginPart>, gaps: Gaps) -> Self {
        let there = parts.iter().filter(|part| part.value.is_some()).count();
        Self {
            sum: None,
            parts,
            gaps,
            divisor: there as f64,
            multiplier: 1.0,
            denominator: 1.0,
            rounding: None,
        }
    }

    /// The same with the divisor that brings it to the printed scale.
    #[must_use]
    pub fn divided_by(self, denominator: f64) -> Self {
        Self {
            denominator,
            ..self
        }
    }

    /// The same with another divisor than the number of parts.
    #[must_use]
    pub fn over(self, divisor: f64) -> Self {
        Self { divisor, ..self }
    }

    /// The same rounded as Python's `round` does, or with ties up.
    #[must_use]
    pub fn rounded(self, digits: u8, is_up: bool) -> Self {
        let rounding = Some(Rounded { digits, is_up });
        Self { rounding, ..self }
    }

    /// The mean; `None` of nothing, and where a part is missing that has to be there.
    pub fn value(&self) -> Option<f64> {
        let is_gap = self.parts.iter().any(|part| part.value.is_none());
        if self.divisor == 0.0 || (is_gap && self.gaps == Gaps::NoNumber) {
            return None;
        }
        let term = |part: &OriginPart| {
            let value = part.value?;
            Some(part.weight * if part.is_turned { 1.0 - value } else { value })
        };
        let sum = self
            .sum
            .unwrap_or_else(|| self.parts.iter().filter_map(term).sum());
        let mean = sum / self.divisor * self.multiplier / self.denominator;
        Some(match self.rounding {
            None => mean,
            Some(Rounded { digits, is_up }) => {
                py::round(if is_up { mean + TRACE } else { mean }, digits.into())
            }
        })
    }
}

impl OriginInterval {
    /// Student's t of these values around a center on the printed scale; `None` below [`MIN_FOR_INTERVAL`] values.
    pub fn student(
        center: f64,
        values: &Moments,
        (multiplier, denominator): (f64, f64),
    ) -> Option<Self> {
        if values.n() < MIN_FOR_INTERVAL {
            return None;
        }
        let df = f64::from(values.n().checked_sub(1)?);
        Some(Self::Student {
            center,
            n: values.n(),
            sd: values.sd()?,
            se: values.variance_of_mean()?.sqrt(),
            df,
            t: t_quantile(0.975, df),
            multiplier,
            denominator,
        })
    }

    /// Two separate samples; `None` where one has fewer than [`MIN_FOR_INTERVAL`] values.
    pub fn welch(
        center: f64,
        samples: [&Moments; 2],
        weights: [f64; 2],
        denominator: f64,
    ) -> Option<Self> {
        if samples.iter().any(|values| values.n() < MIN_FOR_INTERVAL) {
            return None;
        }
        let [first, second] = [
            samples[0].variance_of_mean()?,
            samples[1].variance_of_mean()?,
        ];
        let [a, b] = [
            weights[0] * weights[0] * first,
            weights[1] * weights[1] * second,
        ];
        let n = samples.map(Moments::n);
        let [spare_a, spare_b] = n.map(|n| f64::from(n) - 1.0);
        let is_flat = a + b == 0.0;
        let df = (a + b) * (a + b) / (a * a / spare_a + b * b / spare_b);
        Some(Self::Welch {
            center,
            n,
            se: [first.sqrt(), second.sqrt()],
            weights,
            variance: a + b,
            df: if is_flat { spare_a + spare_b } else { df },
            t: t_quantile(0.975, if is_flat { spare_a + spare_b } else { df }),
            denominator,
        })
    }

    /// Both ends.
    pub fn ends(&self) -> (f64, f64) {
        let around = |center: f64, half: f64| (center - half, center + half);
        match self {
            Self::Student {
                center,
                se,
                t,
                multiplier,
                denominator,
                ..
            } => around(*center, t * se * multiplier / denominator),
            Self::Welch {
                center,
                variance,
                t,
                denominator,
                ..
            } => around(*center, t * variance.sqrt() / denominator),
            Self::Parts { center, halves, .. } => {
                let squares: f64 = halves.iter().map(|half| half * half).sum();
                around(*center, squares.sqrt() / halves.len() as f64)
            }
            Self::Ends { lows, highs, .. } => {
                let mean = |ends: &[f64]| ends.iter().sum::<f64>() / ends.len() as f64;
                (mean(lows), mean(highs))
            }
        }
    }

    /// Both ends at a level: the same standard errors with the quantile of that level.
    pub fn ends_at(&self, level: Level) -> (f64, f64) {
        self.at(level).ends()
    }

    /// The same interval at a level, down to the intervals that it is made of.
    fn at(&self, level: Level) -> Self {
        let mut own = self.clone();
        match &mut own {
            Self::Student { df, t, .. } | Self::Welch { df, t, .. } => {
                *t = t_quantile(level.upper(), *df);
            }
            Self::Parts { halves, parts, .. } => {
                let ends = parts.iter().map(|part| part.ends_at(level));
                *halves = ends.map(|(low, high)| (high - low) / 2.0).collect();
            }
            Self::Ends { lows, highs, parts } => {
                let ends = parts.iter().map(|part| part.ends_at(level));
                (*lows, *highs) = ends.unzip();
            }
        }
        own
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn part(value: Option<f64>) -> OriginPart {
        OriginPart {
            judge: String::new(),
            scope: "task".to_owned(),
            key: "a".to_owned(),
            criterion: "total".to_owned(),
            is_row: true,
            value,
            weight: 1.0,
            is_turned: false,
        }
    }

    #[test]
    fn a_gap_is_left_out_or_leaves_no_number() {
        let parts = || vec![part(Some(2.0)), part(None), part(Some(5.0))];
        let of = |gaps| OriginMean::of_parts(parts(), gaps).value();
        assert_eq!(of(Gaps::LeftOut), Some(3.5));
        assert_eq!(of(Gaps::NoNumber), None);
        assert_eq!(
            OriginMean::of_parts(Vec::new(), Gaps::LeftOut).value(),
            None
        );
    }

    #[test]
    fn weights_errors_scale_and_rounding_enter_in_their_order() {
        let mut parts = vec![part(Some(0.25)), part(Some(0.5))];
        parts[0].is_turned = true;
        parts[1].weight = 3.0;
        // (0.75 + 3 · 0.5) / 4 = 0.5625
        let mean = OriginMean::of_parts(parts, Gaps::NoNumber).over(4.0);
        assert_eq!(mean.value(), Some(0.5625));
        // A tie goes to the even digit in Python's way, and up in VIBE's.
        assert_eq!(mean.clone().rounded(3, false).value(), Some(0.562));
        assert_eq!(mean.rounded(3, true).value(), Some(0.563));
        assert_eq!(
            OriginMean::of_values(30.0, 4, 1.0).divided_by(10.0).value(),
            Some(0.75)
        );
    }

    #[test]
    fn intervals_by_hand() {
        let mut values = Moments::default();
        for x in [2.0, 4.0, 4.0, 6.0] {
            values.push(x);
        }
        assert!(OriginInterval::student(4.0, &values, (1.0, 1.0)).is_none());
        assert!(OriginInterval::welch(0.0, [&values; 2], [1.0; 2], 1.0).is_none());
        values.push(4.0);
        let student = OriginInterval::student(4.0, &values, (1.0, 1.0)).unwrap();
        let half = 2.776_445_105_197_793_4 * 2.0_f64.sqrt() / 5.0_f64.sqrt();
        let (low, high) = student.ends();
        assert!((low - (4.0 - half)).abs() < 1e-9 && (high - (4.0 + half)).abs() < 1e-9);
        // Two samples alike, each with a weight of 1: half of the width by √2, and twice the degrees of freedom.
        let welch = OriginInterval::welch(0.0, [&values; 2], [1.0; 2], 1.0).unwrap();
        let OriginInterval::Welch { df, .. } = welch else {
            panic!("{welch:?}")
        };
        assert!((df - 8.0).abs() < 1e-12);
        let parts = OriginInterval::Parts {
            center: 1.0,
            halves: vec![3.0, 4.0],
            parts: Vec::new(),
        };
        assert_eq!(parts.ends(), (-1.5, 3.5));
        let ends = OriginInterval::Ends {
            lows: vec![1.0, 2.0],
            highs: vec![3.0, 6.0],
            parts: Vec::new(),
        };
        assert_eq!(ends.ends(), (1.5, 4.5));
    }

    #[test]
    fn an_interval_at_another_level_is_as_wide_as_its_quantile_says() {
        let mut values = Moments::default();
        for x in [2.0, 4.0, 4.0, 6.0, 4.0] {
            values.push(x);
        }
        let student = OriginInterval::student(4.0, &values, (1.0, 1.0)).unwrap();
        assert_eq!(student.ends_at(Level::P95), student.ends());
        // scipy.stats.t.ppf(0.995, 4), SciPy 1.17.1; the standard error is √0.4.
        let half = 4.604_094_871_415_897 * 0.4_f64.sqrt();
        let near = |(low, high): (f64, f64), half: f64| {
            assert!((low - (4.0 - half)).abs() < 1e-9 && (high - (4.0 + half)).abs() < 1e-9);
        };
        near(student.ends_at(Level::P99), half);
        let two = || vec![student.clone(), student.clone()];
        let parts = OriginInterval::Parts {
            center: 4.0,
            halves: vec![1.0, 1.0],
            parts: two(),
        };
        near(parts.ends_at(Level::P99), half / 2.0_f64.sqrt());
        let ends = OriginInterval::Ends {
            lows: vec![0.0, 0.0],
            highs: vec![0.0, 0.0],
            parts: two(),
        };
        near(ends.ends_at(Level::P99), half);
    }
}
