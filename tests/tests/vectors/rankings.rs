//! Orders of two sides, runs and intervals at other levels against SciPy.

use juror_statistics::correlation::{kendall_tau_b, ranks, spearman};
use juror_statistics::level::Level;
use juror_statistics::runs::RunAverages;
use juror_tests::golden::{self, rankings};

const RIGHT: rankings::Rules = rankings::Rules::JUROR;

#[test]
fn every_vector_of_rankings_agrees() {
    let counts = golden::report("rankings", &rankings::run(&RIGHT));
    assert_eq!(counts, (rankings::NUM_CASES, 0));
}

/// The groups that notice a wrong rule.
fn noticed(wrong: &rankings::Rules) -> Vec<String> {
    golden::noticed(rankings::run(wrong))
}

#[test]
fn each_wrong_rule_fails_where_it_matters() {
    let wrong = rankings::Rules {
        // τ-a, which divides by all pairs.
        tau_b: |a, b| {
            let (mut sum, mut pairs) = (0.0, 0.0);
            for (at, (x, y)) in a.iter().zip(b).enumerate() {
                for (z, w) in a.iter().zip(b).skip(at + 1) {
                    let order = (x - z) * (y - w);
                    sum += if order == 0.0 { 0.0 } else { order.signum() };
                    pairs += 1.0;
                }
            }
            kendall_tau_b(a, b).map(|_| sum / pairs)
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["tau_b"]);
    let wrong = rankings::Rules {
        // 1 − 6 Σd² / (n (n² − 1)), which holds without ties alone.
        rho: |a, b| {
            let n = a.len() as f64;
            let both = ranks(a).into_iter().zip(ranks(b));
            let squares: f64 = both.map(|(x, y)| (x - y) * (x - y)).sum();
            spearman(a, b).map(|_| 1.0 - 6.0 * squares / (n * (n * n - 1.0)))
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["rho"]);
    let wrong = rankings::Rules {
        // One tail alone.
        rho_exact_p: |a, b| (RIGHT.rho_exact_p)(a, b).map(|p| p / 2.0),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["rho_exact_p"]);
    let wrong = rankings::Rules {
        runs: |averages| {
            let found = (RIGHT.runs)(averages)?;
            Some(RunAverages {
                standard_error: found.sd,
                ..found
            })
        },
        level: |_| Level::P95,
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["intervals", "runs"]);
}
