//! Orders of two sides, runs and intervals at other levels against SciPy; `tests/golden/rankings.py` wrote the vectors.

use juror_session::coefficients::{Figures, Resampling};
use juror_statistics::correlation::{kendall_tau_b, spearman, spearman_exact_p};
use juror_statistics::level::Level;
use juror_statistics::runs::RunAverages;
use serde_json::{Value, json};

use super::{Outcome, Tallies};

/// Cases in the file.
pub const NUM_CASES: usize = 55;

/// A figure of two lists.
type OfPairs = fn(&[f64], &[f64]) -> Option<f64>;

/// What is compared; a test replaces one to see it fail.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Kendall's τ-b.
    pub tau_b: OfPairs,
    /// Spearman's ρ.
    pub rho: OfPairs,
    /// Its exact p-value.
    pub rho_exact_p: OfPairs,
    /// How far averages of runs lie apart.
    pub runs: fn(&[f64]) -> Option<RunAverages>,
    /// Which level is taken where one is asked for.
    pub level: fn(Level) -> Level,
}

impl Rules {
    /// Juror's.
    pub const JUROR: Self = Self {
        tau_b: kendall_tau_b,
        rho: spearman,
        rho_exact_p: spearman_exact_p,
        runs: RunAverages::new,
        level: |level| level,
    };
}

/// Runs every case.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value =
        serde_json::from_str(include_str!("../../golden/rankings.json")).unwrap_or_default();
    super::run(&vectors, |group, case| {
        let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
        Outcome::Value(match group {
            "tau_b" => json!((rules.tau_b)(&a, &b)),
            "rho" => json!((rules.rho)(&a, &b)),
            "rho_exact_p" => json!((rules.rho_exact_p)(&a, &b)),
            "runs" => json!((rules.runs)(&numbers(&case["averages"])).map(|runs| json!({
                "largest": runs.largest_difference,
                "sd": runs.sd,
                "error": runs.standard_error,
            }))),
            "intervals" => {
                let level = serde_json::from_value(case["level"].clone()).unwrap_or_default();
                intervals(&a, &b, (rules.level)(level))
            }
            other => return Outcome::Skip(format!("the group {other} is new")),
        })
    })
}

fn intervals(a: &[f64], b: &[f64], level: Level) -> Value {
    let pairs: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
    let figures = Figures::new(&pairs, Resampling::None, level);
    let ends = [figures.pearson, figures.spearman, figures.mae]
        .map(|one| one.map(|one| [one.low, one.high]));
    json!({"pearson": ends[0], "spearman": ends[1], "mae": ends[2]})
}

fn numbers(list: &Value) -> Vec<f64> {
    let numbers = list.as_array().into_iter().flatten();
    numbers.filter_map(Value::as_f64).collect()
}
