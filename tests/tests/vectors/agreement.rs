//! Agreement figures against the Python tools, natively.

use juror_core::agreement::Distance;
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
        spearman: juror_core::agreement::pearson,
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["spearman", "weighted_kappa"]);
}
