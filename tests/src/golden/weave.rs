//! WEAVEBench against the vectors of the authors' functions.

use std::collections::BTreeSet;

use juror_model::host::FileMeta;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::prompt::sha256;
use juror_model::request::{Context, PartView, RequestKey};
use juror_model::sample::{Picture, TurnKind};
use juror_protocols::weave::request::context;
use juror_protocols::weave::{CATEGORIES, layout, request, score, verdict};
use juror_reading::py;
use juror_session::{Probed, Session};
use serde_json::{Value, json};

use super::{Outcome, Tallies};
use crate::OFFICIAL_WEAVE_PROMPTS;

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/weave.json");

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The total of four criterion means.
    pub total: fn(&[Option<f64>; 4]) -> Option<f64>,
    /// Renumbering of an instruction.
    pub refine: fn(&str, Option<&str>) -> String,
    /// Whether references to the model's own pictures are looked for in its folder.
    pub generated_role: &'static str,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        total: |means| score::weighted_total(means, Profile::Released),
        refine: context::refine_instruction,
        generated_role: "GEN",
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
            "summarize" => Outcome::Value(summarize(rules, input)),
            "parse_json" => Outcome::Value(parse_json(text(input))),
            "patterns" => Outcome::Value(json!({
                "image": context::numbers(text(input), "Image #"),
                "gt": context::numbers(text(input), "GT #"),
            })),
            "pack_prompt" => Outcome::Value(pack_prompt(input)),
            "judge_requests" => judge_requests(rules, case),
            "refine_instruction" => Outcome::Value(refine_instruction(rules, input)),
            "image_paths" => Outcome::Value(image_paths(input)),
            "yes_front" => Outcome::Value(yes_front(input)),
            "yes_first" => Outcome::Value(yes_first(input)),
            "detect_mode" => Outcome::Value(json!(context::class(
                text(&input["user"]),
                if input["assistant_type"] == "text" {
                    TurnKind::Text
                } else {
                    TurnKind::Image
                },
            ))),
            "concatenate" => Outcome::Value(concatenate(input)),
            "weights" => {
                let mean = |key: &str| input[key].as_f64();
                let means = [mean("KP"), mean("VC"), mean("IQ"), mean("ACC")];
                Outcome::Value(json!((rules.total)(&means)))
            }
            other => Outcome::Skip(format!("the group {other} is new")),
        }
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn probe(_: &[u8], _: u64) -> Probed {
    Probed::Picture {
        width: 8,
        height: 8,
    }
}

/// A session over files given by path and content, loaded to the end.
pub fn session(files: &[(String, Vec<u8>)]) -> Session {
    let mut session = Session::new(probe);
    let metas: Vec<FileMeta> = files
        .iter()
        .map(|(path, bytes)| FileMeta {
            path: path.clone(),
            size: Some(bytes.len() as u64),
        })
        .collect();
    session.add_files(&metas);
    loop {
        let wants = session.wants(usize::MAX);
        if wants.is_empty() {
            return session;
        }
        for want in wants {
            session.provide(want.file, files[want.file as usize].1.clone());
        }
    }
}

/// `result.jsonl` from the lines of `metrics.jsonl`, out of the score rows of the whole engine.
fn summarize(rules: &Rules, input: &Value) -> Value {
    let lines: Vec<&str> = input
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut session = session(&[(
        "result/m/metrics.jsonl".to_owned(),
        lines.join("\n").into_bytes(),
    )]);
    let overview = juror_session::overview(&session.study(&ScoreOptions {
        profile: Profile::Released,
        policy: None,
        judge: None,
        run: None,
        reading: juror_model::options::ReplyReading::Strict,
    }));
    let group = |scope: &str, key: &str| {
        let rows = overview
            .scores
            .iter()
            .filter(|row| row.scope == scope && row.key == key && row.n > 0);
        let means: serde_json::Map<String, Value> = rows
            .filter(|row| row.criterion != "total")
            .map(|row| (row.criterion.clone(), number(row.mean)))
            .collect();
        let mean = |name: &str| means.get(name).and_then(Value::as_f64);
        let known = [
            "key_point",
            "visual_consistency",
            "image_quality",
            "accuracy",
        ]
        .map(mean);
        let average = if means.is_empty() {
            json!("No data")
        } else {
            number((rules.total)(&known))
        };
        (Value::Object(means), average)
    };
    let is_stopped = overview
        .scores
        .iter()
        .any(|row| row.criterion != "total" && row.n > 0 && row.mean.is_none());
    if is_stopped {
        return stopped_summary(&lines);
    }
    let domains: Vec<String> = overview
        .scopes
        .iter()
        .filter(|scope| scope.scope == "domain")
        .flat_map(|scope| scope.keys.clone())
        .collect();
    let mut out = json!({"domains": {}, "categories": {}});
    for domain in &domains {
        let (means, average) = group("domain", domain);
        out["domains"][domain] = json!({"categories": means, "AVG": average});
    }
    for (category, members) in CATEGORIES {
        let (means, average) = group("category", category);
        let averages: serde_json::Map<String, Value> = domains
            .iter()
            .filter(|domain| members.contains(&domain.as_str()))
            .map(|domain| (domain.clone(), group("domain", domain).1))
            .collect();
        out["categories"][category] =
            json!({"categories": means, "domains": averages, "AVG": average});
    }
    let (means, average) = group("overall", "all");
    out["overall"] = json!({"metrics": means, "AVG": average});
    out
}

/// What the summary prints when it stops: the message that the reader gives for the offending score.
fn stopped_summary(lines: &[&str]) -> Value {
    let mut message = String::new();
    for line in lines {
        let Ok(line) = py::loads(line) else { continue };
        let py::Value::Dict(entries) = line else {
            continue;
        };
        for (_, turn) in entries.iter().filter(|(key, _)| key.starts_with("turn ")) {
            let py::Value::Dict(criteria) = turn else {
                continue;
            };
            for (_, stored) in criteria {
                match stored.get("score") {
                    Some(score) if score.as_number().is_none() && message.is_empty() => {
                        message = verdict::python_add_error(score.type_name());
                    }
                    _ => {}
                }
            }
        }
    }
    json!({"no_result": true, "stdout": format!("Error processing data: {message}")})
}

fn number(x: Option<f64>) -> Value {
    match x {
        Some(x) if x.is_nan() => json!({"$nan": true}),
        other => json!(other),
    }
}

fn parse_json(reply: &str) -> Value {
    match verdict::released_value(reply) {
        Ok(value) => plain(&value),
        Err(error) => json!({"$raises": "JSONDecodeError", "message": error.to_string()}),
    }
}

fn plain(value: &py::Value) -> Value {
    match value {
        py::Value::Null => Value::Null,
        py::Value::Bool(b) => json!(b),
        py::Value::Int(x) | py::Value::Long(x, _) | py::Value::Float(x) => number(Some(*x)),
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

fn pack_prompt(input: &Value) -> Value {
    let pictures: Vec<Value> = input["images"].as_array().cloned().unwrap_or_default();
    match request::pack(text(&input["prompt"]), pictures) {
        Err(error) => json!({"$raises": "ValueError", "message": error.to_string()}),
        Ok(parts) => parts
            .into_iter()
            .map(|part| match part {
                request::Packed::Text(text) => json!(text),
                request::Packed::Picture(picture) => picture,
            })
            .collect(),
    }
}

fn refine_instruction(rules: &Rules, input: &Value) -> Value {
    let content = text(&input["text"]);
    if input["mode"] == "yes" {
        return json!(content);
    }
    json!((rules.refine)(content, input["new_pattern"].as_str()))
}

fn image_paths(input: &Value) -> Value {
    let names = |key: &str| -> Vec<&str> {
        input[key]
            .as_array()
            .into_iter()
            .flatten()
            .map(text)
            .collect()
    };
    let images = names("images");
    let content = text(&input["content"]);
    if let Some(output) = input["output"].as_str() {
        let kind = if output == "text" {
            TurnKind::Text
        } else {
            TurnKind::Image
        };
        let pictures: Vec<Picture> = images
            .iter()
            .map(|path| Picture {
                path: (*path).to_owned(),
                file: None,
                label: String::new(),
            })
            .collect();
        let turn = input["turn"]
            .as_u64()
            .and_then(|turn| usize::try_from(turn).ok());
        return match layout::output_name(kind, content, &pictures, turn) {
            Ok(name) => json!([format!("save/imgs/{name}")]),
            Err(error) => json!({"$raises": "ValueError", "message": error.to_string()}),
        };
    }
    let mode = match text(&input["mode"]) {
        "partial" => Context::Partial,
        "yes" => Context::Complete,
        _ => Context::No,
    };
    let generated = names("already_generated");
    let shown = context::released_pictures(mode, content, images.len(), |at| {
        generated.contains(&images[at])
    });
    match shown {
        Err(error) => json!({"$raises": "ValueError", "message": error.to_string()}),
        Ok(shown) => shown
            .into_iter()
            .map(|shown| {
                let folder = if shown.is_generated { "save" } else { "test" };
                json!(format!("{folder}/{}", images[shown.index]))
            })
            .collect(),
    }
}

/// The pictures that the packing vectors were made with.
const PACKED: [&str; 4] = [
    "D/imgs/a.jpg",
    "D/imgs/b.jpg",
    "D/imgs/c.png",
    "D/imgs/d.jpeg",
];

fn pieces(pieces: Vec<context::Piece>) -> Value {
    pieces
        .into_iter()
        .map(|piece| match piece {
            context::Piece::Text(text) => json!(text),
            context::Piece::Picture(at) => json!(PACKED[at]),
        })
        .collect()
}

fn yes_front(input: &Value) -> Value {
    let history = input
        .as_array()
        .into_iter()
        .flatten()
        .map(|message| text(&message["content"]));
    pieces(context::yes_front(history, PACKED.len()))
}

fn yes_first(input: &Value) -> Value {
    let content = text(&input["content"]);
    pieces(if input["role"] == "user" {
        context::released_yes_first_user(content, PACKED.len())
    } else {
        context::released_yes_first_assistant(content)
    })
}

fn concatenate(input: &Value) -> Value {
    let sizes = input["sizes_wh"].as_array().into_iter().flatten();
    let greys = input["grey"].as_array().into_iter().flatten();
    let side = |value: &Value| {
        value
            .as_u64()
            .and_then(|side| u32::try_from(side).ok())
            .unwrap_or(0)
    };
    let pictures: Result<Vec<_>, _> = sizes
        .zip(greys)
        .map(|(size, grey)| {
            let grey = u8::try_from(side(grey)).unwrap_or(0);
            juror_image::Rgb::filled(side(&size[0]), side(&size[1]), [grey; 3])
        })
        .collect();
    let joined = juror_image::concatenate(&pictures.expect("the sizes are small"))
        .expect("the pictures are sound");
    let image = &joined.image;
    let row = image.data.len() - image.width as usize * 3;
    let sum: u64 = image.data[row..].iter().map(|byte| u64::from(*byte)).sum();
    let mean = sum as f64 / (f64::from(image.width) * 3.0);
    json!({
        "size_wh": [image.width, image.height],
        "font_size": joined.font_px,
        "bottom_row_means": [(mean * 1000.0).round() / 1000.0],
    })
}

/// The dialogue of a case with its keys in the order of the vectors, in which requirements are asked for.
fn item_as_written(case: &str) -> String {
    fn items(value: Option<&py::Value>) -> &[py::Value] {
        match value {
            Some(py::Value::List(items)) => items,
            _ => &[],
        }
    }
    let vectors = py::loads(VECTORS).expect("the vectors are JSON");
    let groups = items(vectors.get("groups")).iter();
    let mut cases = groups.flat_map(|group| items(group.get("cases")));
    let is_it = |one: &&py::Value| one.get("id").and_then(py::Value::as_str) == Some(case);
    let found = cases.find(is_it);
    let item = found.and_then(|one| one.get("input")?.get("item"));
    written(item.expect("the case has a dialogue"))
}

/// A value as JSON, which has its keys in their order.
fn written(value: &py::Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        py::Value::List(items) => format!("[{}]", joined(items.iter().map(written).collect())),
        py::Value::Dict(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, value)| format!("{}: {}", json!(key), written(value)));
            format!("{{{}}}", joined(entries.collect()))
        }
        // With its digits alone.
        py::Value::Int(number) => number.to_string(),
        other => plain(other).to_string(),
    }
}

/// The judge requests of one dialogue with the authors' texts, as lengths and hashes.
#[expect(
    clippy::too_many_lines,
    reason = "the parts of a request as the authors' function puts them together"
)]
fn judge_requests(rules: &Rules, case: &Value) -> Outcome {
    let Some(prompts) = OFFICIAL_WEAVE_PROMPTS else {
        return Outcome::Skip(format!(
            "the authors' judge texts are not at {}",
            crate::OFFICIAL_WEAVE_PROMPTS_PATH
        ));
    };
    let input = &case["input"];
    let item = &input["item"];
    let id = item["idx"].to_string();
    let is_answer_missing =
        |turn: usize| turn == 1 && text(&case["note"]).contains("answer file missing");
    let mut files: Vec<(String, Vec<u8>)> = vec![(
        "D/test/test.json".to_owned(),
        format!("[{}]", item_as_written(text(&case["id"]))).into_bytes(),
    )];
    let images: Vec<&str> = item["images"]
        .as_array()
        .into_iter()
        .flatten()
        .map(text)
        .collect();
    for image in &images {
        files.push((format!("D/test/{image}"), b"x".to_vec()));
        files.push((format!("result/m/{image}"), b"x".to_vec()));
    }
    let chats: Vec<&Value> = item["chats"].as_array().into_iter().flatten().collect();
    let stem = images[0]
        .trim_start_matches("imgs/")
        .trim_end_matches(".jpg");
    for turn in 0..chats.len() / 2 {
        if chats[2 * turn + 1]["type"] == "text" && !is_answer_missing(turn) {
            files.push((
                format!("result/m/imgs/{stem}_{turn}.txt"),
                format!("answer {turn}").into_bytes(),
            ));
        }
    }
    let source: Vec<String> = prompts
        .iter()
        .map(|(name, text)| format!("{name} = {}", python_literal(text)))
        .collect();
    files.push((
        "eval/prompts.py".to_owned(),
        source.join("\n\n").into_bytes(),
    ));
    let mut session = session(&files);

    let wants_turn = |kind: &str| match text(&input["mode"]) {
        "img" => kind == "image",
        "txt" => kind == "text",
        _ => true,
    };
    let mut requests = Vec::new();
    let mut keys = json!({});
    for turn in 0..chats.len() / 2 {
        let kind = text(&chats[2 * turn + 1]["type"]);
        let mut names = BTreeSet::new();
        let criteria: &[&str] = match kind {
            "image" => &["key_point", "visual_consistency", "image_quality"],
            _ => &["accuracy"],
        };
        for criterion in criteria.iter().filter(|_| wants_turn(kind)) {
            let key = RequestKey {
                model: "m".to_owned(),
                sample: id.clone(),
                turn: u32::try_from(turn).unwrap_or(0),
                criterion: (*criterion).to_owned(),
            };
            let view = juror_session::request(&session.linked(), &key)
                .expect("the model and the sample exist");
            if view.error.is_some() {
                return Outcome::Value(
                    json!({"returned": false, "requests": requests, "result_keys": null}),
                );
            }
            assert!(view.pack.official, "the authors' texts were loaded");
            requests.push(
                view.parts
                    .iter()
                    .map(|part| fingerprint(rules, part))
                    .collect::<Value>(),
            );
            names.insert(*criterion);
        }
        keys[format!("turn {turn}")] = json!(names);
    }
    Outcome::Value(json!({"returned": true, "requests": requests, "result_keys": keys}))
}

fn fingerprint(rules: &Rules, part: &PartView) -> Value {
    match part {
        PartView::Text { text } => {
            json!(format!(
                "T:{}:{}",
                text.chars().count(),
                &sha256(text.as_bytes())[..16]
            ))
        }
        PartView::Image { path, role, .. } => {
            let origin = if role == "dataset" {
                "GT"
            } else {
                rules.generated_role
            };
            json!(format!(
                "{origin}:{}",
                path.rsplit('/').next().unwrap_or_default()
            ))
        }
    }
}

/// A Python string constant in the authors' manner.
fn python_literal(text: &str) -> String {
    format!(
        "\"\"\"{}\"\"\"",
        text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"")
    )
}
