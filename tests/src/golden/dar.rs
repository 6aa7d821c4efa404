//! Dynamic Attention Rebalancing against NumPy; `tests/golden/dar.py` wrote the vectors.

use juror_metrics::{
    Array, Axis, Call, Dar, Focus, Layout, MetricError, Reference, SweepRow, Tensor,
};
use serde_json::{Value, json};

use super::{Outcome, Tallies, run as run_vectors};

/// Calls in the file.
pub const NUM_CASES: usize = 13;
/// Sweeps over calls in the file.
pub const NUM_SWEEPS: usize = 5;

/// Which vectors are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The right ones.
    Right,
    /// Those of a named mistake: `without_root` and `over_rows` in calls, `halved` in sweeps.
    Wrong(&'static str),
}

/// Runs every case.
pub fn run(expected: Expected) -> Tallies {
    let mut vectors = vectors();
    if let Expected::Wrong(name) = expected {
        let groups = vectors["groups"].as_array_mut().into_iter().flatten();
        let cases = groups.filter_map(|group| group["cases"].as_array_mut());
        for case in cases.flatten() {
            if !case["wrong"][name].is_null() {
                case["expected"] = case["wrong"][name].take();
            }
        }
    }
    run_vectors(&vectors, |group, case| {
        let found = if group == "sweep" {
            swept(case)
        } else {
            found(case)
        };
        Outcome::Value(found.unwrap_or_else(|error| json!(error.to_string())))
    })
}

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../golden/dar.json")).unwrap_or_default()
}

/// The calls of the file by name with what is expected, for what else is to be compared on them.
///
/// # Panics
/// If a case is none.
pub fn cases() -> Vec<(String, Call, Value)> {
    let vectors = vectors();
    let cases = vectors["groups"][0]["cases"].as_array();
    cases
        .into_iter()
        .flatten()
        .map(|case| {
            let name = case["id"].as_str().unwrap_or("?").to_owned();
            let call = call(case).expect("the file holds calls");
            (name, call, case["expected"].clone())
        })
        .collect()
}

fn call(case: &Value) -> Result<Call, MetricError> {
    let tensor = |name: &str, formula: &Value| {
        let whole = |key: &str| formula[key].as_i64().unwrap_or(1);
        let shape: Vec<usize> =
            serde_json::from_value(formula["shape"].clone()).unwrap_or_default();
        let count = i64::try_from(shape.iter().product::<usize>()).unwrap_or(0);
        let [a, p, s] = [whole("a"), whole("p"), whole("s")];
        let array = Array {
            data: (0..count)
                .map(|at| (a * at % p - (p - 1) / 2) as f64 / s as f64)
                .collect(),
            shape,
            is_bytes: false,
        };
        Tensor::new(name, array, Layout::TokensHeads)
    };
    let options: Dar = serde_json::from_value(case["options"].clone()).unwrap_or_default();
    let references = Reference::list(case["references"].as_str().unwrap_or_default())?;
    Call::new(
        tensor("Q", &case["q"])?,
        tensor("K", &case["k"])?,
        references,
        options,
    )
}

fn found(case: &Value) -> Result<Value, MetricError> {
    let call = call(case)?;
    let weighing = call.weigh();
    let maps = call.maps(&weighing.weights, Focus::default())?;
    Ok(json!({
        "rows": weighing.rows,
        "relevance": weighing.relevance,
        "normalised": weighing.normalised,
        "weights": weighing.weights,
        "before": maps.before,
        "after": maps.after,
    }))
}

fn swept(case: &Value) -> Result<Value, MetricError> {
    let axes = case["axes"].as_array().into_iter().flatten();
    let axes: Result<Vec<Axis>, MetricError> = axes
        .map(|axis| axis.as_str().unwrap_or_default().parse())
        .collect();
    let rows = call(case)?.sweep(&axes?, Focus::default())?.rows;
    let row = |row: &SweepRow| {
        json!({
            "raised": row.raised,
            "lowered": row.lowered,
            "above": row.above,
            "above_before": row.above_before,
            "above_after": row.above_after,
            "total_variation": row.total_variation,
            "raised_but_lost": row.against.raised_but_lost,
            "lowered_but_gained": row.against.lowered_but_gained,
        })
    };
    Ok(rows.iter().map(row).collect())
}
