//! Wilson's interval of a share against SciPy.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_statistics::clusters::Interval;
use juror_statistics::level::Level;
use juror_statistics::wilson;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    count: u32,
    n: u32,
    level: Level,
    low: f64,
    high: f64,
}

/// Both sides round a handful of operations in their own order.
const TOLERANCE: f64 = 1e-12;

/// The cases of which an interval is another one than SciPy's.
fn failing(interval: impl Fn(u32, u32, Level) -> Interval) -> Vec<(u32, u32)> {
    let vectors: Vectors = serde_json::from_str(include_str!("../../golden/wilson.json")).unwrap();
    assert_eq!(vectors.cases.len(), 36);
    let is_off = |case: &Case| {
        let ends = interval(case.count, case.n, case.level);
        let off = |a: f64, b: f64| (a - b).abs() > TOLERANCE;
        off(ends.low, case.low) || off(ends.high, case.high)
    };
    let cases = vectors.cases.into_iter().filter(is_off);
    cases.map(|case| (case.count, case.n)).collect()
}

#[test]
fn every_interval_of_scipy_agrees() {
    assert_eq!(
        failing(|count, n, level| wilson::interval(count, n, level).unwrap()),
        []
    );
}

#[test]
fn the_interval_of_the_normal_approximation_fails_everywhere() {
    let wald = |count: u32, n: u32, level: Level| {
        let p = f64::from(count) / f64::from(n);
        let half = level.z() * (p * (1.0 - p) / f64::from(n)).sqrt();
        Interval {
            low: p - half,
            high: p + half,
        }
    };
    assert_eq!(failing(wald).len(), 36);
}
