//! VIBE against the vectors of the authors' functions.

use std::collections::BTreeSet;

use juror_image::{Rgba, merge};
use juror_model::prompt::sha256;
use juror_protocols::vibe::{Metric, Task, layout, request, score, verdict};
use juror_reading::py;
use serde_json::{Map, Value, json};

use super::{Outcome, Tallies};
use crate::OFFICIAL_VIBE_PROMPTS;

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/vibe.json");

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What is cut out of a reply.
    pub candidate: fn(&str) -> Option<&str>,
    /// The score of an item of a result file.
    pub item_score: fn(&py::Value) -> Option<f64>,
    /// Whether visual coherence is not asked for.
    pub is_gated: fn(&py::Value) -> bool,
    /// Equation (2).
    pub adherence: fn(f64, f64, f64) -> f64,
    /// The pictures of a request.
    pub shown: fn(Task, Metric) -> Vec<request::Shown>,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        candidate: verdict::json_candidate,
        item_score: score::item_score,
        is_gated: score::is_gated,
        adherence: score::adherence,
        shown: request::shown,
    };
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
            "parse" => Outcome::Value(parse(input)),
            "json_candidate" => Outcome::Value(json_candidate(rules, text(input))),
            "overall_geomean" => Outcome::Value(json!((rules.item_score)(&value(input)))),
            "aggregate_runs" => Outcome::Value(aggregate_runs(input)),
            "pipeline" => Outcome::Value(pipeline(rules, input)),
            "merge_layer" => Outcome::Value(merge_layer(case)),
            "request" => judge_request(rules, input),
            "resolve_generated" => Outcome::Value(resolve_generated(input)),
            "paper_formulas" => Outcome::Value(paper_formula(rules, input)),
            other => Outcome::Skip(format!("the group {other} is new")),
        }
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A JSON value as Python reads it.
fn value(json: &Value) -> py::Value {
    py::loads(&json.to_string()).expect("a value of serde_json is JSON")
}

/// The way back.
fn plain(value: &py::Value) -> Value {
    match value {
        py::Value::Null => Value::Null,
        py::Value::Bool(b) => json!(b),
        py::Value::Int(x) | py::Value::Long(x, _) | py::Value::Float(x) => json!(x),
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

fn metric(name: &Value) -> Metric {
    Metric::named(text(name)).expect("the vectors know no other metrics")
}

fn parse(input: &Value) -> Value {
    match verdict::released(metric(&input["metric"]), text(&input["text"])) {
        Ok(stored) => {
            let payload = plain(&stored);
            json!({"score": payload["score"], "payload": payload, "error": null})
        }
        Err(rejected) => json!({"score": null, "payload": null, "error": rejected.detail}),
    }
}

fn json_candidate(rules: &Rules, reply: &str) -> Value {
    let candidate = (rules.candidate)(reply);
    let loads = match candidate.map(py::loads) {
        None => {
            json!({"$raises": "ValueError", "message": "No JSON object found in response."})
        }
        Some(Ok(value)) => plain(&value),
        Some(Err(error)) => json!({"$raises": "JSONDecodeError", "message": error.to_string()}),
    };
    json!({"candidate": candidate, "loads": loads})
}

fn summary(summary: &score::Summary) -> Value {
    let entries = summary.iter().map(|(name, x)| (name.clone(), json!(x)));
    Value::Object(entries.collect())
}

fn aggregate(runs: &[py::Value]) -> Value {
    let joined = score::aggregate_runs(runs);
    json!({"n": joined.n, "mean": summary(&joined.mean), "var": summary(&joined.var)})
}

fn aggregate_runs(input: &Value) -> Value {
    let runs: Vec<py::Value> = list(input).map(value).collect();
    aggregate(&runs)
}

/// Sets a field, as a Python dictionary does.
fn set(item: &mut py::Value, key: &str, value: py::Value) {
    let py::Value::Dict(entries) = item else {
        return;
    };
    match entries.iter_mut().find(|(known, _)| known == key) {
        Some(entry) => entry.1 = value,
        None => entries.push((key.to_owned(), value)),
    }
}

/// The authors' loop over runs, items and metrics, with a judge that reads from a script.
fn pipeline(rules: &Rules, input: &Value) -> Value {
    let metrics: Vec<Metric> = list(&input["metrics"]).map(metric).collect();
    let (mut calls, mut summaries, mut first_items) = (Vec::new(), Vec::new(), Value::Null);
    for run in 1..=input["repeat"].as_u64().unwrap_or(1) {
        let mut items: Vec<py::Value> = list(&input["items"]).map(value).collect();
        for item in items.iter_mut().filter(|item| score::is_success(item)) {
            for &metric in &metrics {
                judge(rules, input, run, item, metric, &mut calls);
            }
        }
        if run == 1 {
            first_items = items.iter().map(plain).collect();
        }
        summaries.push(summary(&score::run_summary(&items, &metrics)));
    }
    let runs: Vec<py::Value> = summaries.iter().map(value).collect();
    json!({
        "run_summaries": summaries,
        "aggregate": aggregate(&runs),
        "items_after_run1": first_items,
        "calls": calls,
    })
}

/// One metric of one item: gated, asked, or without an annotation.
fn judge(
    rules: &Rules,
    input: &Value,
    run: u64,
    item: &mut py::Value,
    metric: Metric,
    calls: &mut Vec<Value>,
) {
    let field = |key: &str| item.get(key).map_or(Value::Null, plain);
    let id = layout::id_text(item.get("id")).unwrap_or_default();
    let stored = if metric == Metric::VisualCoherence && (rules.is_gated)(item) {
        let reason = "Skipped because Instruction_Adherence.score == 0";
        Some(value(&json!({"reason": reason, "score": 0})))
    } else {
        calls.push(json!([
            run,
            id,
            metric.id(),
            field("saved_image_path"),
            field("input_prompt")
        ]));
        let script = &input["script"];
        [run.to_string(), "*".to_owned()]
            .iter()
            .find_map(|run| script[format!("{run}/{id}/{}", metric.id())].as_str())
            .map(|reply| verdict::released(metric, reply).expect("the script can be read"))
    };
    match stored {
        Some(stored) => set(item, metric.id(), stored),
        None => set(
            item,
            "_eval_errors",
            value(&json!(["scripted: no annotation"])),
        ),
    }
    if let Some(score) = (rules.item_score)(item) {
        set(item, "score", py::Value::Float(score));
    }
}

fn picture(pixels: &Value) -> Rgba {
    let byte = |value: &Value| u8::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0);
    let count = |value: &Value| u32::try_from(list(value).count()).unwrap_or(0);
    Rgba {
        width: count(&pixels[0]),
        height: count(pixels),
        data: list(pixels)
            .flat_map(list)
            .flat_map(list)
            .map(byte)
            .collect(),
    }
}

/// Resized layers may differ by two levels, as the vectors say; everything else is exact.
fn merge_layer(case: &Value) -> Value {
    let input = &case["input"];
    let source = picture(&input["source_rgba"]);
    let merged = if input["layer_rgba"].is_array() {
        merge(&source, &picture(&input["layer_rgba"])).expect("the pictures are sound")
    } else {
        source.clone()
    };
    let rows = merged.data.chunks_exact(4 * merged.width as usize);
    let found: Value = rows
        .map(|row| {
            row.chunks_exact(4)
                .map(|pixel| json!(pixel))
                .collect::<Value>()
        })
        .collect();
    let layer = picture(&input["layer_rgba"]);
    let is_resized = (layer.width, layer.height) != (source.width, source.height);
    if is_resized && super::agree(&case["expected"], &found, 2.0) {
        return case["expected"].clone();
    }
    found
}

fn judge_request(rules: &Rules, input: &Value) -> Outcome {
    let Some(prompts) = OFFICIAL_VIBE_PROMPTS else {
        return Outcome::Skip(format!(
            "the authors' judge texts are not at {}",
            crate::OFFICIAL_VIBE_PROMPTS_PATH
        ));
    };
    let task = Task::named(text(&input["task"])).expect("the vectors know no other tasks");
    let metric = metric(&input["metric"]);
    let file = format!("prompt/{}", request::prompt_file(task, metric));
    if file != text(&input["prompt_file"]) {
        return Outcome::Value(json!({"prompt_file": file}));
    }
    let paths: Vec<String> = prompts
        .iter()
        .map(|(name, _)| format!("prompt/{name}.txt"))
        .collect();
    let files: Vec<(&str, &str)> = paths
        .iter()
        .zip(prompts)
        .map(|(path, (_, content))| (path.as_str(), content))
        .collect();
    let pack = request::official_pack(&files).expect("the authors' texts are complete");
    let judge_text = pack.text(&request::kind(task, metric)).unwrap_or_default();
    let asked = request::text(task, metric, judge_text, text(&input["input_prompt"]));
    let shown = (rules.shown)(task, metric);
    // The vectors name the second picture by what it is only where three are sent.
    let is_named = shown.len() == 3;
    let name = |picture: &request::Shown| match picture {
        request::Shown::Source => "source(img1)",
        request::Shown::Generated => "generated(img3)",
        request::Shown::Merged if is_named => "merged(img2)",
        _ => "merged_or_instruction_or_target(img2)",
    };
    Outcome::Value(json!({
        "sha256": sha256(asked.as_bytes()),
        "chars": asked.chars().count(),
        "residual_clause_present": request::asks_for_residue(&asked),
        "images": shown.iter().map(name).collect::<Vec<_>>(),
    }))
}

fn resolve_generated(input: &Value) -> Value {
    let existing: BTreeSet<&str> = list(&input["existing"]).map(text).collect();
    let saved = text(&input["saved_image_path"]);
    json!(layout::generated_path("", saved, |path| existing.contains(path)))
}

/// A formula of the paper, to the six decimals of the vectors.
fn paper_formula(rules: &Rules, input: &Value) -> Value {
    let number = |key: &str| input[key].as_f64().unwrap_or(f64::NAN);
    let metric = |metric: Metric, atoms: Vec<f64>| {
        let mut atoms = atoms;
        atoms.push(f64::NAN);
        score::paper_metric(metric, &atoms).unwrap_or(f64::NAN)
    };
    let numbers = |key: &str| -> Vec<f64> { list(&input[key]).filter_map(Value::as_f64).collect() };
    let x = match text(&input["task"]) {
        "deictic" => (rules.adherence)(
            metric(Metric::InstructionAdherence, numbers("IA")),
            metric(Metric::ContextualPreservation, vec![number("CP")]),
            metric(Metric::VisualCoherence, numbers("VC")),
        ),
        "reorientation" => {
            let mut axes = numbers("axes");
            // Which axes need modification plays no part in the paper.
            axes.extend([1.0, 0.0, 0.0]);
            let oa = metric(Metric::OrientationAlignment, axes);
            score::reorientation(oa, number("IC"), number("VI"))
        }
        "light" => score::direction(
            metric(
                Metric::LightDirectionConsistency,
                vec![number("DMC"), number("PLC")],
            ),
            number("CP"),
        ),
        "flow" => score::direction(
            number("WDC"),
            metric(
                Metric::WindContextualPreservation,
                vec![number("WIP"), number("WPP")],
            ),
        ),
        "billiards" => score::billiards(number("CP"), number("PC"), number("CC")),
        other => return json!(Map::from_iter([("unknown task".to_owned(), json!(other))])),
    };
    json!(py::round(x, 6))
}
