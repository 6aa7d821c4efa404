//! Agreement figures against SciPy, scikit-learn, the `krippendorff` package and Krippendorff's own example;
//! `tests/golden/agreement.py` wrote the vectors.

use juror_model::terms::Estimate;
use juror_session::coefficients::{
    Distance, Figures, Partitions, Resampling, alpha, alpha_by_cluster, confusion, kappa,
    weighted_kappa, weighted_kappa_by_cluster,
};
use juror_statistics::correlation::{pearson, spearman};
use juror_statistics::level::Level;
use serde_json::{Value, json};

use super::{Outcome, Tallies, run as run_vectors};

/// Values in the file.
pub const NUM_VALUES: usize = 292;

/// A figure of two sides.
type OfPairs = fn(&[f64], &[f64]) -> Option<f64>;

/// A figure of units with its interval by clusters.
type OfClusters = fn(&[Vec<f64>], &[u32], Distance) -> Option<Estimate>;

/// A figure of pairs with its interval by clusters.
type OfClusteredPairs = fn(&[(f64, f64)], &[u32]) -> Option<Estimate>;

/// All figures of clustered pairs at a level.
type OfPairsAt = fn(&[(f64, f64)], &[u32], Level) -> Figures;

/// Pearson's r of pairs over ten parts at a level.
type OfParts = fn(&[(f64, f64)], Level) -> Option<Partitions>;

/// A figure of units with its interval by clusters at a level.
type OfClustersAt = fn(&[Vec<f64>], &[u32], Distance, Level) -> Option<Estimate>;

/// What is compared; a test replaces one to see it fail.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Krippendorff's α.
    pub alpha: fn(&[Vec<f64>], Distance) -> Option<f64>,
    /// κ with quadratic weights.
    pub weighted_kappa: OfPairs,
    /// Spearman's ρ.
    pub spearman: OfPairs,
    /// The same with its interval.
    pub spearman_estimate: fn(&[(f64, f64)]) -> Option<Estimate>,
    /// Cohen's κ with its interval.
    pub kappa: fn(&[f64], &[f64], Level) -> Option<Estimate>,
    /// All figures of pairs at a level, with weighted κ and α by clusters.
    pub figures: OfPairsAt,
    /// α with its interval at a level.
    pub alpha_at: OfClustersAt,
    /// Pearson's r over ten parts.
    pub partitions: OfParts,
    /// α with its interval.
    pub alpha_by_cluster: OfClusters,
    /// The weighted κ with its interval.
    pub weighted_kappa_by_cluster: OfClusteredPairs,
}

impl Rules {
    /// Juror's.
    pub const JUROR: Self = Self {
        alpha,
        weighted_kappa,
        spearman,
        spearman_estimate: |pairs| Figures::new(pairs, Resampling::None, Level::P95).spearman,
        kappa,
        figures: |pairs, clusters, level| {
            Figures::new(pairs, Resampling::Clusters(clusters), level)
        },
        alpha_at: alpha_by_cluster,
        partitions: Partitions::new,
        alpha_by_cluster: |units, clusters, distance| {
            alpha_by_cluster(units, clusters, distance, Level::P95)
        },
        weighted_kappa_by_cluster: |pairs, clusters| {
            weighted_kappa_by_cluster(pairs, clusters, Level::P95)
        },
    };
}

/// Runs every case.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value =
        serde_json::from_str(include_str!("../../golden/agreement.json")).unwrap_or_default();
    run_vectors(&vectors, |group, case| {
        Outcome::Value(found(rules, group, case))
    })
}

fn found(rules: &Rules, group: &str, case: &Value) -> Value {
    let units = || case["units"].as_array().into_iter().flatten().map(numbers);
    let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
    let pairs = || -> Vec<(f64, f64)> { a.iter().copied().zip(b.iter().copied()).collect() };
    let clusters = || -> Vec<u32> {
        let numbers = case["clusters"].as_array().into_iter().flatten();
        let numbers = numbers.filter_map(Value::as_u64);
        numbers.filter_map(|one| u32::try_from(one).ok()).collect()
    };
    if let Some(level) = level(&case["level"]) {
        let pairs = pairs();
        let alone: Vec<u32> = (0..).take(pairs.len()).collect();
        let clusters = Some(clusters()).filter(|own| !own.is_empty());
        let clusters = clusters.unwrap_or(alone);
        let alpha_at = |distance| {
            let units: Vec<Vec<f64>> = units().collect();
            ends((rules.alpha_at)(&units, &clusters, distance, level))
        };
        let figures = || (rules.figures)(&pairs, &clusters, level);
        return match group {
            "partitions" => parts((rules.partitions)(&pairs, level)),
            "mae_levels" => ends(figures().mae),
            "mse_levels" => ends(figures().mse),
            // The formula; what is shown of it has no interval that cannot be.
            "kappa_levels" => ends((rules.kappa)(&a, &b, level)),
            "weighted_kappa_levels" => ends(figures().weighted_kappa),
            "alpha_interval_levels" => alpha_at(Distance::Interval),
            "alpha_ordinal_levels" => alpha_at(Distance::Ordinal),
            _ => Value::Null,
        };
    }
    match group {
        "alpha_interval" => json!((rules.alpha)(
            &units().collect::<Vec<_>>(),
            Distance::Interval
        )),
        "alpha_ordinal" => json!((rules.alpha)(
            &units().collect::<Vec<_>>(),
            Distance::Ordinal
        )),
        "kappa" => json!((rules.kappa)(&a, &b, Level::P95).map(|kappa| kappa.value)),
        "weighted_kappa" => json!((rules.weighted_kappa)(&a, &b)),
        "pearson" => json!(pearson(&a, &b)),
        "spearman" => json!((rules.spearman)(&a, &b)),
        "confusion" => {
            let steps: Vec<f64> = (0..=10).map(f64::from).collect();
            json!(confusion(&pairs(), &steps))
        }
        "pearson_interval" => ends(Figures::new(&pairs(), Resampling::None, Level::P95).pearson),
        "spearman_bounds" => ends((rules.spearman_estimate)(&pairs())),
        "kappa_bounds" => ends((rules.kappa)(&a, &b, Level::P95)),
        "weighted_kappa_bounds" => ends((rules.weighted_kappa_by_cluster)(&pairs(), &clusters())),
        "alpha_interval_bounds" => ends((rules.alpha_by_cluster)(
            &units().collect::<Vec<_>>(),
            &clusters(),
            Distance::Interval,
        )),
        "alpha_ordinal_bounds" => ends((rules.alpha_by_cluster)(
            &units().collect::<Vec<_>>(),
            &clusters(),
            Distance::Ordinal,
        )),
        _ => Value::Null,
    }
}

/// The level that a case names, if it names one.
fn level(name: &Value) -> Option<Level> {
    match name.as_str()? {
        "90" => Some(Level::P90),
        "95" => Some(Level::P95),
        "99" => Some(Level::P99),
        _ => None,
    }
}

/// What ten parts come to.
fn parts(found: Option<Partitions>) -> Value {
    json!(found.map(|found| json!({
        "defined": found.defined,
        "mean": found.r.map(|r| r.value),
        "sd": found.sd,
        "ends": ends(found.r),
    })))
}

/// Both ends of an interval, either of which may not exist; null without the figure itself.
fn ends(estimate: Option<Estimate>) -> Value {
    json!(estimate.map(|one| [one.low, one.high]))
}

fn numbers(list: &Value) -> Vec<f64> {
    let numbers = list.as_array().into_iter().flatten();
    numbers.filter_map(Value::as_f64).collect()
}
