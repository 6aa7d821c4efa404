//! Statistics against the vectors of SciPy and statsmodels.

use juror_statistics::clusters::{Clusters, Draws, Interval};
use juror_statistics::correction::Correction;
use juror_statistics::level::Level;
use juror_statistics::normal;
use juror_statistics::paired::{Paired, TTest, detectable};
use juror_statistics::wilcoxon::{SignedRank, signed_rank};
use serde_json::{Value, json};

use super::{Outcome, Tallies};

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/statistics.json");
/// Cases in the file.
pub const NUM_CASES: usize = 147;

/// Without a bootstrap, where a case is not about it.
const NO_DRAWS: Draws = Draws {
    seed: 0,
    replicates: 0,
};

/// How p-values are adjusted for many comparisons.
pub type Adjust = fn(Correction, &[Option<f64>]) -> Vec<Option<f64>>;

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Student's interval of clusters.
    pub interval: fn(&Clusters, Level) -> Option<Interval>,
    /// Student's test of differences.
    pub t_test: fn(&Paired) -> Option<TTest>,
    /// The signed-rank test.
    pub signed_rank: fn(&[f64]) -> Option<SignedRank>,
    /// The smallest difference that can be shown, from standard error and degrees of freedom.
    pub detectable: fn(f64, f64) -> f64,
    /// The name of the cluster that a number is taken to be in.
    pub cluster: fn(usize, u64) -> u64,
    /// The interval of replicates.
    pub bootstrap: fn(&Clusters, Draws, Level) -> Option<Interval>,
    /// How p-values are adjusted.
    pub adjust: Adjust,
    /// The normal quantile.
    pub quantile: fn(f64) -> f64,
    /// The difference of a pair; `None` if it is left out.
    pub difference: fn(Option<f64>, Option<f64>) -> Option<f64>,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        interval: Clusters::t_interval_at,
        t_test: |paired| paired.t_test,
        signed_rank,
        detectable,
        cluster: |_, name| name,
        bootstrap: Clusters::bootstrap,
        adjust: Correction::adjust,
        quantile: normal::quantile,
        difference: |a, b| Some(a? - b?),
    };
}

/// Runs all cases.
///
/// # Panics
/// If the vectors are not JSON.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    super::run(&vectors, |group, case| {
        let values = numbers(&case["values"]);
        let singles = || values.iter().copied().enumerate();
        Outcome::Value(match group {
            "t_interval" | "t_interval_at" => {
                ends((rules.interval)(&Clusters::new(singles()), level(case)))
            }
            "paired_t" => json!(
                Paired::new(singles().collect(), NO_DRAWS, Level::P95)
                    .and_then(|paired| (rules.t_test)(&paired))
                    .map(|test| json!({"t": test.t, "df": test.df, "ln_p": test.p.ln()}))
            ),
            "wilcoxon" => json!(
                (rules.signed_rank)(&values)
                    .map(|test| json!({"statistic": test.statistic, "p": test.p}))
            ),
            "detectable" => {
                let clusters = Clusters::new(singles());
                let error = clusters.standard_error().filter(|error| *error > 0.0);
                json!(
                    error
                        .zip(clusters.df())
                        .map(|(error, df)| (rules.detectable)(error, df))
                )
            }
            "clustered" => clustered(rules, case, &values),
            "bootstrap" | "bootstrap_at" => {
                let draws = Draws {
                    seed: case["seed"].as_u64().unwrap_or_default(),
                    replicates: case["replicates"]
                        .as_u64()
                        .and_then(|count| u32::try_from(count).ok())
                        .unwrap_or_default(),
                };
                let clusters = Clusters::new(named(rules, case, &values));
                ends((rules.bootstrap)(&clusters, draws, level(case)))
            }
            "holm" => adjusted(rules, Correction::Holm, case),
            "benjamini_hochberg" => adjusted(rules, Correction::BenjaminiHochberg, case),
            "normal_quantile" => json!((rules.quantile)(case["p"].as_f64().unwrap_or(f64::NAN))),
            "missing_pairs" => missing_pairs(rules, case),
            other => return Outcome::Skip(format!("the group {other} is new")),
        })
    })
}

fn numbers(values: &Value) -> Vec<f64> {
    let values = values.as_array().into_iter().flatten();
    values.filter_map(Value::as_f64).collect()
}

/// The level that a case states; 95 % where it states none.
fn level(case: &Value) -> Level {
    match case["level"].as_u64() {
        Some(90) => Level::P90,
        Some(99) => Level::P99,
        _ => Level::P95,
    }
}

fn ends(interval: Option<Interval>) -> Value {
    json!(interval.map(|ends| [ends.low, ends.high]))
}

/// Numbers with the names of their clusters.
fn named(rules: &Rules, case: &Value, values: &[f64]) -> Vec<(u64, f64)> {
    let names = case["clusters"].as_array().into_iter().flatten();
    let names = names.filter_map(Value::as_u64).enumerate();
    let names = names.map(|(at, name)| (rules.cluster)(at, name));
    names.zip(values.iter().copied()).collect()
}

fn clustered(rules: &Rules, case: &Value, values: &[f64]) -> Value {
    let named = named(rules, case, values);
    let clusters = Clusters::new(named.clone());
    let interval = (rules.interval)(&clusters, Level::P95);
    let test = Paired::new(named, NO_DRAWS, Level::P95).and_then(|paired| (rules.t_test)(&paired));
    json!({
        "mean": clusters.mean(),
        "error": clusters.standard_error(),
        "df": clusters.df(),
        "low": interval.map(|ends| ends.low),
        "high": interval.map(|ends| ends.high),
        "p": test.map(|test| test.p),
    })
}

fn adjusted(rules: &Rules, correction: Correction, case: &Value) -> Value {
    let p: Vec<Option<f64>> = numbers(&case["p"]).into_iter().map(Some).collect();
    json!((rules.adjust)(correction, &p))
}

fn missing_pairs(rules: &Rules, case: &Value) -> Value {
    let column = |name: &str| -> Vec<Option<f64>> {
        let values = case[name].as_array().into_iter().flatten();
        values.map(Value::as_f64).collect()
    };
    let pairs = column("a").into_iter().zip(column("b"));
    let differences: Vec<f64> = pairs
        .filter_map(|(a, b)| (rules.difference)(a, b))
        .collect();
    let paired = |level| {
        let singles = differences.iter().copied().enumerate();
        Paired::new(singles.collect(), NO_DRAWS, level)
    };
    let at = |level| ends(paired(level).and_then(|found| found.interval));
    let (ends_90, ends_99) = (at(Level::P90), at(Level::P99));
    let Some(paired) = paired(Level::P95) else {
        return Value::Null;
    };
    let test = (rules.t_test)(&paired);
    json!({
        "n": paired.n,
        "mean": paired.mean,
        "sd": paired.sd,
        "t": test.map(|test| test.t),
        "df": test.map(|test| test.df),
        "p_t": test.map(|test| test.p),
        "low": paired.interval.map(|ends| ends.low),
        "high": paired.interval.map(|ends| ends.high),
        "p_wilcoxon": (rules.signed_rank)(&differences).map(|test| test.p),
        "ends_90": ends_90,
        "ends_99": ends_99,
    })
}
