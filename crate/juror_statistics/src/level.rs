//! How sure an interval is to be.

use serde::{Deserialize, Serialize};

/// The share of intervals that hold what they are of, were everything drawn again and again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum Level {
    /// 90 %.
    #[serde(rename = "90")]
    P90,
    /// 95 %.
    #[default]
    #[serde(rename = "95")]
    P95,
    /// 99 %.
    #[serde(rename = "99")]
    P99,
}

impl Level {
    /// The share up to the upper end: 0.95, 0.975 or 0.995.
    pub const fn upper(self) -> f64 {
        match self {
            Self::P90 => 0.95,
            Self::P95 => 0.975,
            Self::P99 => 0.995,
        }
    }

    /// The share below the lower end: 0.05, 0.025 or 0.005.
    pub const fn lower(self) -> f64 {
        match self {
            Self::P90 => 0.05,
            Self::P95 => 0.025,
            Self::P99 => 0.005,
        }
    }

    /// The normal distribution's quantile of [`Level::upper`]: `scipy.stats.norm.ppf`, SciPy 1.17.1.
    pub const fn z(self) -> f64 {
        match self {
            Self::P90 => 1.644_853_626_951_472_2,
            Self::P95 => 1.959_963_984_540_054,
            Self::P99 => 2.575_829_303_548_900_4,
        }
    }

    /// In percent: 90, 95 or 99.
    pub const fn percent(self) -> u32 {
        match self {
            Self::P90 => 90,
            Self::P95 => 95,
            Self::P99 => 99,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal;

    #[test]
    fn each_level_lies_between_its_ends() {
        for level in [Level::P90, Level::P95, Level::P99] {
            let inside = f64::from(level.percent()) / 100.0;
            assert!((level.upper() - level.lower() - inside).abs() < 1e-12);
            assert!((normal::quantile(level.upper()) - level.z()).abs() < 1e-9);
        }
    }
}
