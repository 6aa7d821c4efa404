//! MultiBanana against the vectors of the authors' functions.

use std::path::Path;

use juror_model::options::Profile;
use juror_model::prompt::{PromptPack, sha256};
use juror_protocols::multibanana::score::{self, TaskRow};
use juror_protocols::multibanana::verdict::{self, Atoms};
use juror_protocols::multibanana::{LABELS, layout, request};
use juror_reading::py;
use serde_json::{Value, json};

use super::{Outcome, Tallies};

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/multibanana.json");

/// Where the authors' texts are looked for, from the repository's root.
pub const OFFICIAL_PROMPTS_PATH: &str = "../shared/data/official-prompts/multibanana";

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The total of five scores.
    pub total: fn(Profile, &Atoms) -> f64,
    /// The imitation of the authors' reader; `None` where it gives nothing.
    pub released: fn(&str) -> Option<Atoms>,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        total: score::total,
        released: |reply| verdict::released(reply).ok(),
    };
}

/// The authors' texts; `None` where they are not at hand, as in Wasm.
pub fn official() -> Option<PromptPack> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let files: Vec<(String, String)> = ["prompt_a.txt", "prompt_b.txt", "prompt_c.txt"]
        .into_iter()
        .filter_map(|name| {
            let text = std::fs::read_to_string(root.join(OFFICIAL_PROMPTS_PATH).join(name)).ok()?;
            Some((name.to_owned(), text))
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    request::official(&files)
}

/// Runs all cases.
///
/// # Panics
/// If the vectors are not JSON.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let official = official();
    super::run(&vectors, |group, case| {
        let input = &case["input"];
        match group {
            "extract_scores" => {
                let scores = (rules.released)(input.as_str().unwrap_or_default());
                Outcome::Value(json!(scores.map(|scores| named(&scores))))
            }
            "extract_results" => Outcome::Value(extract_results(input)),
            "reference_files" => Outcome::Value(reference_files(input)),
            "discovery" => Outcome::Value(discovery(case)),
            "judge_prompt" => match &official {
                Some(pack) => Outcome::Value(judge_prompt(pack, input)),
                None => Outcome::Skip(format!(
                    "the authors' judge texts are not at {OFFICIAL_PROMPTS_PATH}"
                )),
            },
            "paper_total" => Outcome::Value(paper_total(rules, input)),
            other => Outcome::Skip(format!("the group {other} is new")),
        }
    })
}

fn named(scores: &Atoms) -> Value {
    let pairs = LABELS.iter().zip(scores);
    Value::Object(
        pairs
            .map(|(label, score)| ((*label).to_owned(), json!(score)))
            .collect(),
    )
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn extract_results(input: &Value) -> Value {
    let files = input["files"].as_object();
    let files = files.into_iter().flatten();
    let files = files.filter_map(|(path, text)| Some((path.as_str(), text.as_str()?)));
    let rows = score::extract_results(input["model"].as_str().unwrap_or_default(), files);
    let rounded = |row: &TaskRow| {
        let mut out = json!({"samples": row.samples});
        for (label, mean) in LABELS.iter().zip(row.means) {
            out[label.replace([' ', '-'], "_")] = json!(py::round(mean, 3));
        }
        out["Average"] = json!(py::round(row.average, 3));
        (row.task.clone(), out)
    };
    json!({
        "json": Value::Object(rows.iter().map(rounded).collect()),
        "csv": score::results_csv(&rows),
    })
}

fn reference_files(input: &Value) -> Value {
    let files = texts(&input["files"]);
    let number = input["number"].as_str().unwrap_or_default();
    let from = |start| layout::references(number, start, |name| files.contains(&name));
    json!({"judge_py": from(1), "qwenvl_judge_py": from(0)})
}

/// One case lists the sets of a folder, the other asks for one set's picture.
fn discovery(case: &Value) -> Value {
    let names = texts(&case["input"]);
    if case["expected"].is_array() {
        return json!(layout::judged_numbers(names));
    }
    let number = names[0].split('_').next().unwrap_or_default();
    json!(layout::generated(number, |name| names.contains(&name)))
}

fn judge_prompt(pack: &PromptPack, input: &Value) -> Value {
    let instruction = input.as_str().unwrap_or_default();
    let parts = request::parts(pack, instruction, vec!["r", "s"], "g").unwrap_or_default();
    let mut found = Vec::new();
    let mut order = Vec::new();
    for part in &parts {
        match part {
            request::RequestPart::Text(text) => {
                order.push(["text a", "text b", "text c"][found.len().min(2)]);
                found.push(text.as_str());
            }
            request::RequestPart::Reference("r") => order.push("reference 0..n-1"),
            request::RequestPart::Reference(_) => {}
            request::RequestPart::Output(_) => order.push("generated"),
        }
    }
    let [a, b, c] = found[..] else {
        return json!(found);
    };
    json!({"a_sha256": sha256(a.as_bytes()), "b": b, "c_sha256": sha256(c.as_bytes()), "order": order})
}

fn paper_total(rules: &Rules, input: &Value) -> Value {
    let scores = |judge: &str| {
        let mut scores = [f64::NAN; 5];
        let values = input[judge].as_array().into_iter().flatten();
        for (score, value) in scores.iter_mut().zip(values) {
            *score = value.as_f64().unwrap_or(f64::NAN);
        }
        scores
    };
    let (gpt, gemini) = (scores("gpt"), scores("gemini"));
    let paper = [&gpt, &gemini].map(|scores| (rules.total)(Profile::Paper, scores));
    json!({
        "gpt_total": paper[0],
        "gemini_total": paper[1],
        "mean_total": score::mean(&paper),
        "gpt_plain": (rules.total)(Profile::Released, &gpt),
        "gemini_plain": (rules.total)(Profile::Released, &gemini),
    })
}
