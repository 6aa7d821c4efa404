//! Golden vectors: input → output of the authors' functions, case by case.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

pub mod agreement;
pub mod dar;
pub mod folder;
pub mod metrics;
pub mod micon;
pub mod multibanana;
pub mod multiref;
pub mod multiref_metrics;
pub mod pillow;
pub mod rankings;
pub mod refblend;
pub mod statistics;
pub mod torch_metrics;
pub mod vibe;
pub mod weave;

/// How a group of cases went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases that agree.
    pub passed: usize,
    /// Cases that were left out, with the reason.
    pub skipped: Vec<String>,
    /// Cases that disagree: id, expected, found.
    pub failed: Vec<String>,
}

/// Groups by name.
pub type Tallies = BTreeMap<String, Tally>;

/// What a case comes to under the implementation at hand.
pub enum Outcome {
    /// A value to compare.
    Value(Value),
    /// The case cannot be run here.
    Skip(String),
}

/// Runs every case of a vector file.
pub fn run(vectors: &Value, mut case: impl FnMut(&str, &Value) -> Outcome) -> Tallies {
    let mut tallies = Tallies::new();
    for group in vectors["groups"].as_array().into_iter().flatten() {
        let name = group["group"].as_str().unwrap_or_default();
        let tolerance = group["tolerance"].as_f64().unwrap_or(1e-9);
        let tally = tallies.entry(name.to_owned()).or_default();
        for golden in group["cases"].as_array().into_iter().flatten() {
            let id = golden["id"].as_str().unwrap_or("?");
            match case(name, golden) {
                Outcome::Skip(reason) => tally.skipped.push(format!("{id}: {reason}")),
                Outcome::Value(found) if agree(&golden["expected"], &found, tolerance) => {
                    tally.passed += 1;
                }
                Outcome::Value(found) => {
                    tally.failed.push(format!(
                        "{id}: expected {}, found {found}",
                        golden["expected"]
                    ));
                }
            }
        }
    }
    tallies
}

/// Whether two values are equal, numbers within the tolerance.
///
/// `{"$raises": …}` wants the same exception type, and the same message where one is given;
/// `{"$nan": true}` wants NaN, which stands as `{"$nan": true}` on both sides.
pub fn agree(expected: &Value, found: &Value, tolerance: f64) -> bool {
    match (expected, found) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= tolerance,
            _ => a == b,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b, tolerance))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| agree(a, b, tolerance)))
        }
        _ => expected == found,
    }
}

/// Passed, failed and skipped cases of all groups, and one line per group.
pub fn summary(tallies: &Tallies) -> (usize, usize, usize, String) {
    let mut lines = String::new();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, tally) in tallies {
        passed += tally.passed;
        failed += tally.failed.len();
        skipped += tally.skipped.len();
        // Writing to a string cannot fail.
        let _ = writeln!(
            lines,
            "  {name}: {} passed, {} failed, {} skipped",
            tally.passed,
            tally.failed.len(),
            tally.skipped.len()
        );
        for line in tally.failed.iter().chain(tally.skipped.first()) {
            let _ = writeln!(lines, "    {line}");
        }
    }
    (passed, failed, skipped, lines)
}

/// Prints how a run went, and fails where a case disagrees; how many cases passed and were skipped.
///
/// # Panics
/// A case disagrees.
#[track_caller]
#[expect(
    clippy::print_stdout,
    reason = "the counts per group are part of what a test run says"
)]
pub fn report(name: &str, tallies: &Tallies) -> (usize, usize) {
    report_to(name, tallies, |said| println!("{said}"))
}

/// The same where standard output goes nowhere, as in Wasm.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub fn report_to(name: &str, tallies: &Tallies, say: impl FnOnce(&str)) -> (usize, usize) {
    let (passed, failed, skipped, lines) = summary(tallies);
    say(&format!(
        "{name}: {passed} passed, {failed} failed, {skipped} skipped\n{lines}"
    ));
    assert_eq!(failed, 0, "{lines}");
    (passed, skipped)
}

/// The groups in which a case disagrees: those that notice a wrong rule.
pub fn noticed(tallies: Tallies) -> Vec<String> {
    let groups = tallies.into_iter();
    groups
        .filter(|(_, tally)| !tally.failed.is_empty())
        .map(|(group, _)| group)
        .collect()
}
