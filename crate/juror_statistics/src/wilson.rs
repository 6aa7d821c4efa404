//! Wilson's interval of a share: how often something was found among so many looked at.
//!
//! Source: Wilson 1927; the same as `scipy.stats.binomtest(k, n).proportion_ci(method="wilson")`.

use crate::clusters::Interval;
use crate::level::Level;

/// The interval of `count` among `n`, from 0 to 1, which holds the share `count / n`:
///
/// `(p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n)`.
///
/// It never leaves 0 to 1, and stays wider than nothing where none or all were found. `None` where nothing was looked at,
/// or less than was found.
///
/// ```
/// use juror_statistics::{level::Level, wilson::interval};
/// let ends = interval(0, 10, Level::P95).unwrap();
/// assert_eq!((ends.low, (ends.high * 1000.0).round()), (0.0, 278.0));
/// ```
pub fn interval(count: u32, n: u32, level: Level) -> Option<Interval> {
    if n == 0 || count > n {
        return None;
    }
    let (k, n, z2) = (f64::from(count), f64::from(n), level.z() * level.z());
    let middle = k + z2 / 2.0;
    let half = level.z() * (k * (n - k) / n + z2 / 4.0).sqrt();
    let end = |sum: f64| (sum / (n + z2)).clamp(0.0, 1.0);
    // The ends themselves are exact where rounding would leave something over.
    Some(Interval {
        low: if count == 0 { 0.0 } else { end(middle - half) },
        high: if k < n { end(middle + half) } else { 1.0 },
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_found_by_hand_and_holds_the_share() {
        // 5 of 10 with z² = 3.8415: (6.9207 ± 1.96 √(2.5 + 0.9604)) / 13.8415.
        let ends = interval(5, 10, Level::P95).unwrap();
        assert!((ends.low - 0.236_6).abs() < 1e-4 && (ends.high - 0.763_4).abs() < 1e-4);
        for n in 1..40 {
            for count in 0..=n {
                let ends = interval(count, n, Level::P99).unwrap();
                let share = f64::from(count) / f64::from(n);
                assert!((0.0..=share).contains(&ends.low) && (share..=1.0).contains(&ends.high));
                assert!(ends.low < ends.high);
            }
        }
    }

    #[test]
    fn nothing_looked_at_has_no_interval() {
        assert!(interval(0, 0, Level::P95).is_none());
        assert!(interval(3, 2, Level::P95).is_none());
    }

    #[test]
    fn a_surer_interval_is_wider() {
        let width = |level| {
            interval(3, 20, level)
                .map(|ends| ends.high - ends.low)
                .unwrap()
        };
        assert!(width(Level::P90) < width(Level::P95) && width(Level::P95) < width(Level::P99));
    }
}
