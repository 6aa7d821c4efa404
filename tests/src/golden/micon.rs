//! MICON-Bench against the vectors of the authors' functions.

use juror_model::prompt::{PromptPack, sha256};
use juror_protocols::micon::card::Card;
use juror_protocols::micon::score::{self, CaseScore};
use juror_protocols::micon::verdict::{self, Judged};
use juror_protocols::micon::{CHECKPOINT_IDS, DIMENSIONS, NUM_CHECKPOINTS, STORY, Task, request};
use juror_reading::py;
use serde_json::{Value, json};

use super::{Outcome, Tallies};

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/micon.json");

/// Where the authors' judge texts are looked for, from the repository's root.
pub const OFFICIAL_PROMPTS_PATH: &str = "../shared/data/official-prompts/micon";

/// The rules that a must-fail test exchanges for wrong ones, and the judge texts.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Checkpoint values to dimension scores.
    pub dimensions: fn(&Task, &[f64; NUM_CHECKPOINTS]) -> [Option<f64>; 6],
    /// A story's rounded total.
    pub story: fn(f64, f64) -> f64,
    /// What the judge script takes from a reply.
    pub released_value: fn(&str) -> Option<py::Value>,
    /// The texts that requests are put together from: the authors', if they are at hand.
    pub pack: PromptPack,
}

impl Rules {
    /// Juror's own, with the authors' texts where they are at hand.
    pub fn juror() -> Self {
        Self {
            dimensions: score::dimension_scores,
            story: |mean, candidate| py::round(score::story_total(mean, candidate), 2),
            released_value: verdict::released_value,
            pack: official().unwrap_or_else(request::built_in_pack),
        }
    }
}

/// The authors' texts, where the folder is at hand; those that are missing in it are Juror's own.
#[cfg(not(target_arch = "wasm32"))]
pub fn official() -> Option<PromptPack> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(OFFICIAL_PROMPTS_PATH);
    let files: Vec<(String, String)> = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let path = entry.path().to_str()?.to_owned();
            let text = std::fs::read_to_string(entry.path()).ok()?;
            Some((path, text))
        })
        .filter(|(path, _)| request::may_hold_prompts(path))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    request::official_pack(&files)
}

/// There are no files in Wasm.
#[cfg(target_arch = "wasm32")]
pub fn official() -> Option<PromptPack> {
    None
}

/// Runs all cases.
///
/// # Panics
/// If the vectors are not JSON.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    super::run(&vectors, |group, case| {
        let input = &case["input"];
        match group {
            "aggregate_checkpoints" => Outcome::Value(aggregate_checkpoints(rules, input)),
            "process_judgment" => Outcome::Value(process_judgment(rules, input)),
            "hybrid" => Outcome::Value(json!((rules.story)(
                number(&input["traditional_0_1"]),
                number(&input["candidate_0_10"])
            ))),
            "story_hybrid" => Outcome::Value(story_hybrid(rules, input)),
            "judge_parse" => Outcome::Value(match (rules.released_value)(text(input)) {
                Some(value) => plain(&value),
                None => Value::Null,
            }),
            "candidate_parse" => Outcome::Value(candidate_parse(text(input))),
            "aggregate_by_task" => Outcome::Value(aggregate_by_task(input)),
            "judge_prompt" => judge_prompt(&rules.pack, case),
            other => Outcome::Skip(format!("the group {other} is new")),
        }
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// A vector's value as the authors' code has it in memory.
fn python(value: &Value) -> py::Value {
    py::loads(&value.to_string()).unwrap_or(py::Value::Null)
}

fn shown(x: f64) -> Value {
    if x.is_nan() {
        json!({"$nan": true})
    } else {
        json!(x)
    }
}

fn plain(value: &py::Value) -> Value {
    match value {
        py::Value::Null => Value::Null,
        py::Value::Bool(b) => json!(b),
        py::Value::Int(x) | py::Value::Long(x, _) | py::Value::Float(x) => shown(*x),
        py::Value::Str(text) => json!(text),
        py::Value::List(items) => items.iter().map(plain).collect(),
        py::Value::Dict(entries) => Value::Object(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), plain(value)))
                .collect(),
        ),
    }
}

fn by_letter(scores: &[Option<f64>; 6]) -> Value {
    DIMENSIONS
        .iter()
        .zip(scores)
        .filter_map(|(dimension, score)| Some((dimension.letter.to_string(), shown((*score)?))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The values of a checkpoint map; absent ones are 0.
fn values(checkpoints: &Value) -> [f64; NUM_CHECKPOINTS] {
    CHECKPOINT_IDS.map(|id| checkpoints[id].as_f64().unwrap_or(0.0))
}

fn aggregate_checkpoints(rules: &Rules, input: &Value) -> Value {
    match Task::find(text(&input["task"])) {
        Some(task) => by_letter(&(rules.dimensions)(task, &values(&input["checkpoints"]))),
        None => json!({}),
    }
}

fn process_judgment(rules: &Rules, input: &Value) -> Value {
    let task = Task::find(text(&input["task"])).expect("a known task");
    let judgment = python(&input["judgment"]);
    match verdict::aggregate(Some(task), &judgment) {
        Ok(Judged::Checkpoints(values)) => {
            let scores = (rules.dimensions)(task, &values);
            json!({"scores": by_letter(&scores), "overall": score::released_total(&scores, None)})
        }
        Ok(Judged::Own { overall, scores }) => match judgment.get("overall") {
            None => json!({"unchanged": true}),
            Some(_) => json!({"scores": by_letter(&scores), "overall": overall}),
        },
        Err(finding) => {
            let message = finding
                .detail
                .split_once("TypeError: ")
                .map_or("", |(_, message)| message.trim_end_matches('.'));
            json!({"$raises": "TypeError", "message": message})
        }
    }
}

fn story_hybrid(rules: &Rules, input: &Value) -> Value {
    let task = Task::find(STORY).expect("a known task");
    let scores = (rules.dimensions)(task, &values(&input["checkpoints"]));
    let mut out = json!({"scores": by_letter(&scores)});
    match input["candidate_metrics"]["candidate_score"].as_f64() {
        Some(candidate) => {
            let mean = score::mean_of(&scores);
            out["overall"] = json!((rules.story)(mean, candidate));
            out["traditional_mllm_score"] = json!(py::round(mean, 2));
            out["candidate_score"] = json!(candidate);
        }
        None => out["overall"] = json!(score::released_total(&scores, None)),
    }
    out
}

fn candidate_parse(reply: &str) -> Value {
    let read = verdict::released_candidate_read(reply);
    json!({
        "score": shown(read.score),
        "matches_positive": plain(&read.matches_positive),
        "matches_negative": plain(&read.matches_negative),
        "path": read.path,
    })
}

fn aggregate_by_task(input: &Value) -> Value {
    let cases: Vec<CaseScore> = input
        .as_array()
        .into_iter()
        .flatten()
        .map(|case| CaseScore {
            task: text(&case["task_type"]).to_owned(),
            scores: DIMENSIONS
                .map(|dimension| case["scores"][dimension.letter.to_string()].as_f64()),
            total: case["overall"].as_f64().unwrap_or(0.0),
        })
        .collect();
    let (tasks, mean) = score::report(&cases);
    let mut per_task = serde_json::Map::new();
    for task in tasks {
        per_task.insert(
            task.task,
            json!({
                "total_count": task.count,
                "avg_overall": task.mean,
                "avg_scores": by_letter(&task.scores),
                "min_overall": task.min,
                "max_overall": task.max,
            }),
        );
    }
    json!({"per_task": per_task, "overall_micro_average": mean})
}

/// With the authors' texts, all of it; otherwise the ids and marks must agree, and the hash is left out.
fn judge_prompt(pack: &PromptPack, case: &Value) -> Outcome {
    let input = &case["input"];
    let expected = &case["expected"];
    let task = Task::find(text(&input["task_type"])).expect("a known task");
    let texts = |key: &str| -> Vec<String> {
        let items = input[key].as_array().into_iter().flatten();
        items.map(|item| text(item).to_owned()).collect()
    };
    let card = Card {
        case_id: text(&input["case_id"]).to_owned(),
        refs: input["refs"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, path)| (name.clone(), text(path).to_owned()))
            .collect(),
        generation_prompt: text(&input["generation_prompt"]).to_owned(),
        goal: text(&input["goal"]).to_owned(),
        constraints_hard: texts("constraints_hard"),
        ..Card::default()
    };
    let prompt = match request::checkpoint_text(pack, task, &card) {
        Ok(prompt) => prompt,
        Err(error) => return Outcome::Value(json!({"error": error.to_string()})),
    };
    let is_noted = request::with_order(prompt.clone(), card.refs.len()) != prompt;
    let shape = &prompt[prompt.rfind("\"checkpoint_results\"").unwrap_or(0)..];
    let mut found = json!({
        "checkpoints": shape
            .lines()
            .filter(|line| line.contains("_check_"))
            .map(|line| {
                let mut words = line.split('"').skip(1).step_by(2);
                let id = words.next();
                json!([id, words.find(|word| word.starts_with('H'))])
            })
            .collect::<Vec<_>>(),
        "image_order_note_prepended": is_noted,
    });
    let is_equal = ["checkpoints", "image_order_note_prepended"]
        .iter()
        .all(|key| found[key] == expected[key]);
    let guideline = format!("guideline {}", task.id);
    let is_own = pack.text(&guideline) == request::built_in_pack().text(&guideline);
    if is_own && is_equal {
        return Outcome::Skip(
            "the authors' guidelines (build_prompts.py) are not at hand; ids and marks agree, the hash was left out"
                .to_owned(),
        );
    }
    found["sha256"] = json!(sha256(prompt.as_bytes()));
    found["chars"] = json!(prompt.chars().count());
    Outcome::Value(found)
}
