//! MultiRef-Bench against the vectors of the authors' functions.

use std::path::Path;

use juror_model::prompt::sha256;
use juror_protocols::multiref::evaluator::{self, Fate};
use juror_protocols::multiref::{CONDITIONS, instructions, score};
use juror_reading::py;
use serde_json::{Map, Value, json};

use super::{Outcome, Tallies};

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/multiref.json");

/// Where the authors' sentence templates are looked for, from the repository's root.
pub const TEMPLATES_PATH: &str = "../shared/data/official-prompts/multiref/condition_mapping.json";

/// Metrics in order, or the reference that is missing.
pub type Plan = Result<Vec<&'static str>, evaluator::MissingReference>;

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The average of ten columns.
    pub average: fn(&[f64; 10]) -> f64,
    /// Which of these metrics are computed for these references.
    pub plan: fn(&[&str], &[&str]) -> Plan,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        average: score::average,
        plan: evaluator::plan,
    };
}

/// The authors' templates; `None` where they are not at hand, as in Wasm.
pub fn templates() -> Option<py::Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let text = std::fs::read_to_string(root.join(TEMPLATES_PATH)).ok()?;
    py::loads(&text).ok()
}

/// Runs all cases.
///
/// # Panics
/// If the vectors are not JSON.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let templates = templates();
    super::run(&vectors, |group, case| {
        let input = &case["input"];
        match group {
            "entry_selection" => Outcome::Value(entry_selection(input)),
            "evaluate_all" => Outcome::Value(evaluate_all(rules, input)),
            "validate_entry" => Outcome::Value(validate_entry(input)),
            "basic_instruction" => match &templates {
                Some(templates) => Outcome::Value(basic_instruction(templates, input)),
                None => Outcome::Skip(format!(
                    "the authors' templates are not at {TEMPLATES_PATH}"
                )),
            },
            "table4_avg" => {
                let mut columns = [f64::NAN; 10];
                for (column, condition) in columns.iter_mut().zip(CONDITIONS) {
                    let name = if condition.id == "style" {
                        "art_style"
                    } else {
                        condition.id
                    };
                    *column = input[name].as_f64().unwrap_or(f64::NAN);
                }
                Outcome::Value(json!((rules.average)(&columns)))
            }
            other => Outcome::Skip(format!("the group {other} is new")),
        }
    })
}

/// The same value in the core's own reading.
fn python(value: &Value) -> py::Value {
    py::loads(&value.to_string()).unwrap_or(py::Value::Null)
}

/// Values of these vectors are texts and lists of texts.
fn plain(value: &py::Value) -> Value {
    match value {
        py::Value::Str(text) => json!(text),
        py::Value::List(items) => items.iter().map(plain).collect(),
        other => json!(other.describe()),
    }
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn entry_selection(input: &Value) -> Value {
    let files = texts(&input["existing_files"]);
    match evaluator::select(&python(&input["entry"]), |path| files.contains(&path)) {
        Fate::Error(message) => json!({"result": {"error": message}, "called_with": null}),
        Fate::Warning(message) => json!({"result": {"warning": message}, "called_with": null}),
        Fate::Evaluated {
            generated,
            original,
            references,
        } => {
            let references: Map<String, Value> = references
                .iter()
                .map(|(id, value)| ((*id).to_owned(), plain(value)))
                .collect();
            // The evaluator that the vectors were made with answers `ok`.
            json!({
                "result": {"ok": 1, "original_image_path": original},
                "called_with": [generated, references, evaluator::SELECTION],
            })
        }
    }
}

/// The evaluator that the vectors were made with gives 0.5 and raises for sketches.
fn evaluate_all(rules: &Rules, input: &Value) -> Value {
    let references: Vec<&str> = input["refs"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(id, _)| id.as_str())
        .collect();
    let selection = texts(&input["conditions_to_evaluate"]);
    let name = |metric: &&str| format!("eval_{metric}");
    match (rules.plan)(&selection, &references) {
        Err(missing) => json!({
            "called": missing.called.iter().map(name).collect::<Vec<_>>(),
            "result": {"$raises": "KeyError", "message": format!("'{}'", missing.metric)},
        }),
        Ok(called) => {
            let result: Map<String, Value> = called
                .iter()
                .map(|metric| match *metric {
                    "sketch" => ("sketch_error".to_owned(), json!("boom")),
                    metric => (metric.to_owned(), json!(0.5)),
                })
                .collect();
            json!({"called": called.iter().map(name).collect::<Vec<_>>(), "result": result})
        }
    }
}

fn validate_entry(input: &Value) -> Value {
    let conditions = texts(&input["conditions"]);
    match instructions::valid_conditions(&python(&input["judge"]), &conditions) {
        Err(error) => json!({"$raises": "KeyError", "message": format!("'{error}'")}),
        Ok(valid) => Value::Object(
            valid
                .iter()
                .map(|(id, valid)| ((*id).to_owned(), json!(valid)))
                .collect(),
        ),
    }
}

/// The paths are those that the vectors were made with; every choice takes the case's index modulo the length.
fn basic_instruction(templates: &py::Value, input: &Value) -> Value {
    let conditions = python(&json!({
        "depth_path": "d.png", "canny_path": "c.png", "mask_path": "m.png", "pose_path": "p.png",
        "semantic_map_path": "x.png", "subject_paths": ["s1.png", "s2.png"],
        "style_path": ["a.png", "b.png"], "caption": input["caption"],
    }));
    let index = input["choice_index"]
        .as_u64()
        .and_then(|index| usize::try_from(index).ok());
    let listed = texts(&input["conditions"]);
    let made = instructions::instruction(&listed, &conditions, templates, |len| {
        index.unwrap_or(0) % len
    });
    let images: Map<String, Value> = made
        .pictures
        .iter()
        .map(|(token, path)| (token.clone(), plain(path)))
        .collect();
    json!({
        "text_sha256": sha256(made.text.as_bytes()),
        "chars": made.text.chars().count(),
        "starts_with": made.text.chars().take(18).collect::<String>(),
        "ends_with_double_stop": made.text.ends_with(".."),
        "images": images,
    })
}
