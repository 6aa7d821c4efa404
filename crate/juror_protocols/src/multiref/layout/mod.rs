//! JSON entries → samples: the synthetic half by `instructions.conditions`, the real-world half by `prompt` and `image1`, `image2`, ….

use std::collections::HashSet;

use crate::contract::{Layout, Loaded};
use crate::multiref::names::{Half, input_number, stem, token_condition};
use crate::multiref::{CATEGORIES, MultiRef, condition};
use juror_model::problem::Problem;
use juror_model::reply::{ReplyFile, refuse_json};
use juror_model::sample::{Benchmark, Candidate, Texts};
use juror_model::submission::Submission;
use juror_model::tree::FileTree;
use juror_reading::py::{self, Value};
use juror_reading::text::Marks;
use juror_statistics::small::SortSmall;

mod benchmark;
mod models;

pub(super) use benchmark::{candidates, is_begun_by};

impl Layout for MultiRef {
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        benchmark::load(tree, candidate, texts).map(Loaded::from)
    }

    fn imply(&self, _replies: &[&ReplyFile]) -> Benchmark {
        // An entry with results is an entry of the benchmark too, so nothing is ever only implied.
        Benchmark::default()
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        benchmark.map_or_else(Vec::new, |benchmark| models::submissions(tree, benchmark))
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        // The evaluator opens both the list it is given and the one it resumes from by `json.load(open(path, "r"))`.
        refuse_json(marks, replies);
    }

    fn read_replies(&self, _path: &str, text: String) -> ReplyFile {
        models::read_replies(text)
    }
}

/// One entry of a list, as far as it can be understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Which half.
    pub half: Half,
    /// What tells it from the others: the golden answer's file name without extension, or `row_id`.
    pub id: String,
    /// What the generator is asked for.
    pub instruction: String,
    /// The plain wording that was made into the instruction; empty if there is none.
    pub original_instruction: String,
    /// Kinds of reference in the order of the instruction; unknown ones too.
    pub conditions: Vec<String>,
    /// Name in the instruction and path.
    pub pictures: Vec<(String, String)>,
    /// The caption; empty if there is none.
    pub caption: String,
    /// The golden answer.
    pub original: Option<String>,
    /// The category of a real-world request.
    pub category: Option<&'static str>,
    /// Path of the generated picture.
    pub output: Option<String>,
    /// Name of the model that made it.
    pub model: Option<String>,
    /// What the evaluator wrote.
    pub evaluations: Option<Value>,
}

/// Whether a list's item looks like an entry of either half.
pub fn half(item: &Value) -> Option<Half> {
    let has = |key: &str| item.get(key).is_some();
    if has("original_image_path") && (has("instructions") || has("conditions")) {
        return Some(Half::Synthetic);
    }
    let has_inputs = input_mapping(item)
        .is_some_and(|entries| entries.iter().any(|(key, _)| input_number(key).is_some()));
    (text(item, &["prompt", "instruction"]).is_some() && has_inputs).then_some(Half::RealWorld)
}

/// Reads an entry; `position` (from 1) names it where nothing else does.
///
/// # Errors
/// Place and what was found there.
pub fn entry(item: &Value, position: usize) -> Result<Entry, (String, String)> {
    if !matches!(item, Value::Dict(_)) {
        return Err((
            String::new(),
            format!("Expected an object, found {}.", item.describe()),
        ));
    }
    match half(item) {
        Some(Half::Synthetic) => synthetic(item, position),
        Some(Half::RealWorld) => real_world(item, position),
        None => Err((
            String::new(),
            "Expected original_image_path with instructions, or prompt with image_path_mapping; found neither.".to_owned(),
        )),
    }
}

fn synthetic(item: &Value, position: usize) -> Result<Entry, (String, String)> {
    let original = text(item, &["original_image_path"]).filter(|path| !path.is_empty());
    let instructions = item.get("instructions").unwrap_or(&Value::Null);
    let listed = match (instructions, instructions.get("conditions")) {
        (Value::Dict(_), Some(Value::List(listed))) => listed.as_slice(),
        // Entries for which no combination was found have an empty list in place of the object.
        (Value::List(_) | Value::Null, _) | (Value::Dict(_), None) => &[],
        (Value::Dict(_), Some(other)) => {
            return Err((
                "instructions.conditions".to_owned(),
                format!("Expected a list, found {}.", other.describe()),
            ));
        }
        (other, _) => {
            return Err((
                "instructions".to_owned(),
                format!("Expected an object, found {}.", other.describe()),
            ));
        }
    };
    let mut conditions = Vec::new();
    let mut known = HashSet::new();
    for (at, id) in listed.iter().enumerate() {
        let Some(id) = id.as_str() else {
            return Err((
                format!("instructions.conditions[{at}]"),
                format!("Expected text, found {}.", id.describe()),
            ));
        };
        let id = condition_id(id);
        if known.insert(id) {
            conditions.push(id.to_owned());
        }
    }
    if conditions.is_empty() {
        return Err((
            "instructions".to_owned(),
            "No conditions are listed, so nothing was asked for.".to_owned(),
        ));
    }
    let known = item.get("conditions").unwrap_or(&Value::Null);
    let original_instruction = text(instructions, &["original_prompts"]).unwrap_or_default();
    let enhanced = match instructions.get("enhance_prompts") {
        Some(Value::List(prompts)) => prompts.first().and_then(Value::as_str),
        Some(Value::Str(prompt)) => Some(prompt.as_str()),
        _ => None,
    };
    let instruction = enhanced
        .filter(|prompt| !prompt.trim().is_empty())
        .unwrap_or(&original_instruction)
        .to_owned();
    let results = item.get("results").unwrap_or(&Value::Null);
    Ok(Entry {
        half: Half::Synthetic,
        id: original
            .as_deref()
            .map_or_else(|| position.to_string(), |path| stem(path).to_owned()),
        pictures: references(instructions, known, &conditions),
        caption: text(known, &["caption"]).unwrap_or_default(),
        original_instruction: if original_instruction == instruction {
            String::new()
        } else {
            original_instruction
        },
        instruction,
        conditions,
        original,
        category: None,
        output: text(results, &["image_path"]).filter(|path| !path.is_empty()),
        model: text(results, &["model_name"]),
        evaluations: evaluations(item),
    })
}

/// The pictures of the listed conditions: as the instruction chose them, else the first of each kind.
fn references(instructions: &Value, known: &Value, conditions: &[String]) -> Vec<(String, String)> {
    let chosen = match instructions.get("image_path_mapping") {
        Some(Value::Dict(entries)) => entries.as_slice(),
        _ => &[],
    };
    let mut pictures: Vec<(String, String)> = Vec::new();
    for condition in conditions.iter().filter_map(|id| condition(id)) {
        if condition.token.is_empty() {
            continue;
        }
        let by_token = chosen
            .iter()
            .find(|(token, _)| token_condition(token) == Some(condition.id));
        let value = by_token
            .map(|(_, path)| path)
            .or_else(|| known.get(condition.key))
            .or_else(|| {
                known
                    .get("single_mask_path")
                    .filter(|_| condition.id == "mask")
            });
        let path = match value {
            Some(Value::List(paths)) => paths.first().and_then(Value::as_str),
            Some(value) => value.as_str(),
            None => None,
        };
        let token = by_token.map_or(condition.token, |(token, _)| token);
        if let Some(path) = path {
            pictures.push((token.to_owned(), path.to_owned()));
        }
    }
    pictures
}

/// `single_mask` is the mask; the paper writes `art_style` for `style`.
fn condition_id(id: &str) -> &str {
    match id {
        "single_mask" => "mask",
        "art_style" => "style",
        other => other,
    }
}

fn real_world(item: &Value, position: usize) -> Result<Entry, (String, String)> {
    let mut pictures: Vec<(u32, String, String)> = Vec::new();
    for (name, path) in input_mapping(item).unwrap_or_default() {
        let Some(number) = input_number(name) else {
            continue;
        };
        let Some(path) = path.as_str() else {
            return Err((
                format!("image_path_mapping.{name}"),
                format!("Expected a path, found {}.", path.describe()),
            ));
        };
        pictures.push((number, name.clone(), path.to_owned()));
    }
    pictures.sort_small();
    let results = item.get("results").unwrap_or(&Value::Null);
    let id = item.get("row_id").or_else(|| item.get("id"));
    Ok(Entry {
        half: Half::RealWorld,
        id: id
            .and_then(Value::id_text)
            .filter(|id| !id.is_empty())
            .unwrap_or_else(|| position.to_string()),
        instruction: text(item, &["prompt", "instruction"]).unwrap_or_default(),
        original_instruction: String::new(),
        conditions: Vec::new(),
        pictures: pictures
            .into_iter()
            .map(|(_, name, path)| (name, path))
            .collect(),
        caption: String::new(),
        original: text(
            item,
            &[
                "original_image_path",
                "ground_truth",
                "ground_truth_path",
                "gt_path",
                "output_image_path",
            ],
        )
        .filter(|path| !path.is_empty()),
        category: category(item),
        output: text(results, &["image_path"]).filter(|path| !path.is_empty()),
        model: text(results, &["model_name"]),
        evaluations: evaluations(item),
    })
}

/// Name → path of a real-world request's inputs.
fn input_mapping(item: &Value) -> Option<&[(String, Value)]> {
    match item
        .get("image_path_mapping")
        .or_else(|| item.get("images"))
    {
        Some(Value::Dict(entries)) => Some(entries),
        _ => None,
    }
}

/// The category of a real-world request, by name or number, under whatever key it is.
///
/// # Example
/// ```
/// use juror_protocols::multiref::layout::category;
/// use juror_reading::py::loads;
/// let of = |text: &str| category(&loads(text).unwrap());
/// assert_eq!(of("{\"taxonomy\": \"element replacement\"}"), Some("Element Replacement"));
/// assert_eq!(of("{\"taxonomy\": {\"category\": 5}}"), Some("Attribute Transfer"));
/// assert_eq!(of("{\"category\": \"2. Element Addition\"}"), Some("Element Addition"));
/// assert_eq!(of("{\"category\": \"other\"}"), None);
/// ```
pub fn category(item: &Value) -> Option<&'static str> {
    let Value::Dict(entries) = item else {
        return None;
    };
    entries
        .iter()
        .filter(|(key, _)| {
            let key = key.to_lowercase();
            ["taxonomy", "category", "class", "type"]
                .iter()
                .any(|word| key.contains(word))
        })
        .find_map(|(_, value)| category_of(value))
}

fn category_of(value: &Value) -> Option<&'static str> {
    let by_number = |number: f64| {
        CATEGORIES
            .iter()
            .find(|(_, known)| (f64::from(*known) - number).abs() < 0.5)
            .map(|(name, _)| *name)
    };
    match value {
        Value::Int(x) => by_number(*x).filter(|_| (1.0..=5.0).contains(x)),
        Value::Str(text) => {
            let folded = folded(text);
            let by_name = CATEGORIES
                .iter()
                .find(|(name, _)| folded.contains(&self::folded(name)));
            let number = text.trim().parse::<u32>().ok();
            by_name
                .map(|(name, _)| *name)
                .or_else(|| by_number(f64::from(number?)))
        }
        Value::List(items) => items.iter().find_map(category_of),
        Value::Dict(_) => category(value),
        _ => None,
    }
}

/// Letters in lower case and nothing else; `and` and plural endings do not tell categories apart.
fn folded(text: &str) -> String {
    let letters: String = text
        .to_lowercase()
        .chars()
        .filter(char::is_ascii_alphabetic)
        .collect();
    letters
        .replace("modifications", "modification")
        .replace("styleandappearance", "styleappearance")
}

fn evaluations(item: &Value) -> Option<Value> {
    item.get("evaluations")
        .filter(|value| matches!(value, Value::Dict(_)))
        .cloned()
}

/// The text under the first of these keys that has one.
fn text(item: &Value, keys: &[&str]) -> Option<String> {
    keys.iter()
        .find_map(|key| item.get(key)?.as_str())
        .map(str::to_owned)
}

/// The entries of a list: itself, the one list in an object, or only the object.
///
/// # Errors
/// What was expected and found.
pub fn items(text: &str) -> Result<Vec<Value>, (String, String)> {
    let value = py::loads(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
        (
            format!("line {}, column {}", error.line, error.column),
            format!("This is not JSON: {}.", error.message),
        )
    })?;
    match value {
        Value::List(items) => Ok(items),
        Value::Dict(_) if half(&value).is_some() => Ok(vec![value]),
        Value::Dict(entries) => {
            // `real_world` and `synthetic` may stand side by side, each with its list.
            let lists: Vec<Value> = entries
                .into_iter()
                .filter_map(|(_, value)| match value {
                    Value::List(items) => Some(items),
                    _ => None,
                })
                .flatten()
                .collect();
            if lists.is_empty() {
                return Err((
                    String::new(),
                    "Expected a list of entries, found an object without one.".to_owned(),
                ));
            }
            Ok(lists)
        }
        other => Err((
            String::new(),
            format!("Expected a list of entries, found {}.", other.describe()),
        )),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use juror_reading::py::loads;

    fn read(text: &str) -> Result<Entry, (String, String)> {
        entry(&loads(text).unwrap(), 7)
    }

    #[test]
    fn a_synthetic_entry_tells_its_references_and_results() {
        let found = read(
            r#"{"original_image_path": "orig/00012.jpg",
                "conditions": {"mask_path": ["m1.png", "m2.png"], "depth_path": "d.png", "caption": "A cat."},
                "instructions": {"conditions": ["single_mask", "caption", "pose", "hed"],
                    "image_path_mapping": {"mask_image": "m2.png", "pose_1": "p.png"},
                    "original_prompts": "plain", "enhance_prompts": ["fancy"]},
                "results": {"image_path": "out/12.png", "model_name": "ACE"},
                "evaluations": {"mask": 0.5}}"#,
        )
        .unwrap();
        assert_eq!((found.half, &*found.id), (Half::Synthetic, "00012"));
        assert_eq!(found.conditions, ["mask", "caption", "pose", "hed"]);
        let pictures: Vec<_> = found.pictures.iter().map(|(t, p)| (&**t, &**p)).collect();
        assert_eq!(pictures, [("mask_image", "m2.png"), ("pose_1", "p.png")]);
        assert_eq!(
            (&*found.instruction, &*found.original_instruction),
            ("fancy", "plain")
        );
        assert_eq!(
            (found.output.as_deref(), found.model.as_deref()),
            (Some("out/12.png"), Some("ACE"))
        );
        assert!(found.evaluations.is_some());
    }

    #[test]
    fn a_real_world_entry_has_numbered_inputs() {
        let found = read(
            r#"{"row_id": 247, "prompt": "Put <image2> on <image10>.", "taxonomy": 1,
                "image_path_mapping": {"image10": "c/10.jpg", "image2": "c/2.jpg"}}"#,
        )
        .unwrap();
        assert_eq!((found.half, &*found.id), (Half::RealWorld, "247"));
        let names: Vec<_> = found.pictures.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["image2", "image10"]);
        assert_eq!(found.category, Some("Element Replacement"));
    }

    #[test]
    fn a_bad_entry_says_where() {
        for (text, place) in [
            ("3", ""),
            ("{\"prompt\": \"no pictures\"}", ""),
            (
                r#"{"original_image_path": "o.jpg", "instructions": []}"#,
                "instructions",
            ),
            (
                r#"{"original_image_path": "o.jpg", "instructions": {"conditions": "mask"}}"#,
                "instructions.conditions",
            ),
            (
                r#"{"original_image_path": "o.jpg", "instructions": {"conditions": ["mask", 3]}}"#,
                "instructions.conditions[1]",
            ),
            (
                r#"{"prompt": "x", "image_path_mapping": {"image1": "a", "image2": null}}"#,
                "image_path_mapping.image2",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().0, place, "{text}");
        }
    }

    #[test]
    fn lists_come_alone_or_by_half() {
        assert_eq!(items("[1, 2]").unwrap().len(), 2);
        assert_eq!(
            items(r#"{"real_world": [1], "synthetic": [2, 3]}"#)
                .unwrap()
                .len(),
            3
        );
        assert_eq!(items("{\"a\": 1}").unwrap_err().0, "");
        assert_eq!(items("[1,").unwrap_err().0, "line 1, column 4");
    }
}
