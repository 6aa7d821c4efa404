//! Agreement figures against the Python tools, natively.

use juror_model::terms::Estimate;
use juror_session::coefficients::{Distance, Figures, Partitions, Resampling};
use juror_statistics::level::Level;
use juror_tests::golden::{self, agreement};

const RIGHT: agreement::Rules = agreement::Rules::JUROR;

#[test]
fn every_agreement_vector_agrees() {
    let counts = golden::report("agreement", &agreement::run(&RIGHT));
    assert_eq!(counts, (agreement::NUM_VALUES, 0));
}

/// The groups that notice a wrong rule.
fn noticed(wrong: &agreement::Rules) -> Vec<String> {
    golden::noticed(agreement::run(wrong))
}

#[test]
fn each_wrong_rule_fails_where_it_matters() {
    let wrong = agreement::Rules {
        alpha: |units, _| (RIGHT.alpha)(units, Distance::Interval),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["alpha_ordinal"]);
    let wrong = agreement::Rules {
        // Whoever rated alone counts as a pair of one: the denominators are then too large.
        alpha: |units, distance| {
            let padded: Vec<Vec<f64>> = units
                .iter()
                .map(|unit| match unit.as_slice() {
                    [alone] => vec![*alone, *alone],
                    _ => unit.clone(),
                })
                .collect();
            (RIGHT.alpha)(&padded, distance)
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["alpha_interval", "alpha_ordinal"]);
    let wrong = agreement::Rules {
        weighted_kappa: |a, b| Some((RIGHT.weighted_kappa)(a, b)? * (1.0 + 1e-9)),
        spearman: juror_statistics::correlation::pearson,
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["spearman", "weighted_kappa"]);
}

/// The same figure with its interval made wider or narrower around it.
fn scaled(estimate: Estimate, by: f64) -> Estimate {
    let end = |end: Option<f64>| end.map(|end| estimate.value + by * (end - estimate.value));
    Estimate {
        low: end(estimate.low),
        high: end(estimate.high),
        ..estimate
    }
}

#[test]
fn each_wrong_interval_fails_where_it_matters_though_its_figure_is_right() {
    let wrong = agreement::Rules {
        // Fisher's variance, which is Pearson's: too narrow for ranks.
        spearman_estimate: |pairs| {
            let ranked = |side: fn(&(f64, f64)) -> f64| {
                let values: Vec<f64> = pairs.iter().map(side).collect();
                let below = |value: f64| values.iter().filter(|other| **other < value).count();
                let equal =
                    |value: f64| values.iter().filter(|other| **other - value == 0.0).count();
                let rank = |value: &f64| below(*value) as f64 + (equal(*value) + 1) as f64 / 2.0;
                values.iter().map(rank).collect::<Vec<f64>>()
            };
            let (a, b) = (ranked(|pair| pair.0), ranked(|pair| pair.1));
            let ranks: Vec<(f64, f64)> = a.into_iter().zip(b).collect();
            Figures::new(&ranks, Resampling::None, Level::P95).pearson
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["spearman_bounds"]);
    let wrong = agreement::Rules {
        kappa: |a, b, level| Some(scaled((RIGHT.kappa)(a, b, level)?, 1.0 + 1e-9)),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["kappa_bounds", "kappa_levels"]);
    let wrong = agreement::Rules {
        // Units drawn one by one, as if those of a sample had nothing in common.
        alpha_by_cluster: |units, _, distance| {
            let alone: Vec<u32> = (0..).take(units.len()).collect();
            (RIGHT.alpha_by_cluster)(units, &alone, distance)
        },
        weighted_kappa_by_cluster: |pairs, _| {
            let alone: Vec<u32> = (0..).take(pairs.len()).collect();
            (RIGHT.weighted_kappa_by_cluster)(pairs, &alone)
        },
        ..RIGHT
    };
    let all = [
        "alpha_interval_bounds",
        "alpha_ordinal_bounds",
        "weighted_kappa_bounds",
    ];
    assert_eq!(noticed(&wrong), all);
}

#[test]
fn each_level_has_ends_of_its_own_and_ten_parts_their_own_interval() {
    let wrong = agreement::Rules {
        // The usual level, whatever is asked for.
        figures: |pairs, clusters, _| (RIGHT.figures)(pairs, clusters, Level::P95),
        kappa: |a, b, _| (RIGHT.kappa)(a, b, Level::P95),
        ..RIGHT
    };
    let of_pairs = [
        "kappa_levels",
        "mae_levels",
        "mse_levels",
        "weighted_kappa_levels",
    ];
    assert_eq!(noticed(&wrong), of_pairs);
    let wrong = agreement::Rules {
        alpha_at: |units, clusters, distance, _| {
            (RIGHT.alpha_at)(units, clusters, distance, Level::P95)
        },
        ..RIGHT
    };
    let of_units = ["alpha_interval_levels", "alpha_ordinal_levels"];
    assert_eq!(noticed(&wrong), of_units);
    let wrong = agreement::Rules {
        partitions: |pairs, _| (RIGHT.partitions)(pairs, Level::P95),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["partitions"]);
    let wrong = agreement::Rules {
        // The normal distribution in the place of Student's.
        partitions: |pairs, level| {
            let found = (RIGHT.partitions)(pairs, level)?;
            let half = level.z() * found.sd? / f64::from(found.defined).sqrt();
            let r = found.r?;
            Some(Partitions {
                r: Some(Estimate {
                    low: Some(r.value - half),
                    high: Some(r.value + half),
                    ..r
                }),
                ..found
            })
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["partitions"]);
}
