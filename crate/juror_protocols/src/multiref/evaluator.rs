//! What the authors' evaluator does with an entry before any model runs: which references it compares, in which order.
//!
//! Source: `process_for_eval.py` (`process_entry`) and `eval_condition.py` (`evaluate_all`).

use super::condition;
use juror_reading::py::Value;

/// Metrics in the order in which the evaluator computes and writes them.
pub const ORDER: [&str; 12] = [
    "fid",
    "aesthetics",
    "depth",
    "sketch",
    "canny",
    "semantic_map",
    "bbox",
    "mask",
    "pose",
    "caption",
    "style",
    "subject",
];

/// The selection that `process_entry` hands to the evaluator, always the same.
pub const SELECTION: [&str; 12] = [
    "fid",
    "aesthetics",
    "mask",
    "caption",
    "sketch",
    "subject",
    "depth",
    "canny",
    "bbox",
    "semantic_map",
    "style",
    "pose",
];

/// What becomes of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It is evaluated.
    Evaluated {
        /// Path of the generated picture.
        generated: String,
        /// Path of the golden answer.
        original: String,
        /// Condition and what it is compared with: a path, or the caption.
        references: Vec<(&'static str, Value)>,
    },
    /// `{"error": …}` replaces the whole entry.
    Error(String),
    /// `{"warning": …}` does.
    Warning(&'static str),
}

/// The authors' `process_entry` up to the first model call.
///
/// Conditions whose file is missing are left out without a word; the entries of `style_path` and `subject_paths`
/// are taken unchecked, and of a list always the first one.
/// A path that is a list where one path is expected (`mask_path` in real files) is an error for the whole entry.
/// Files of a condition count as missing unless `exists` finds them.
///
/// # Example
/// ```
/// use juror_protocols::multiref::evaluator::{Fate, select};
/// use juror_reading::py::loads;
/// let entry = loads("{\"original_image_path\": \"o.jpg\", \"results\": {\"image_path\": \"g.png\"}, \
///     \"instructions\": {\"conditions\": []}}").unwrap();
/// assert_eq!(select(&entry, |_| true), Fate::Warning("No condition types specified in instructions.conditions"));
/// assert_eq!(select(&entry, |_| false), Fate::Error("Generated image not found: g.png".to_owned()));
/// ```
pub fn select(entry: &Value, exists: impl Fn(&str) -> bool) -> Fate {
    try_select(entry, &exists).unwrap_or_else(|message| {
        // What os.path.exists raises is caught around the whole entry.
        Fate::Error(format!("Error processing entry: {message}"))
    })
}

fn try_select(entry: &Value, exists: &dyn Fn(&str) -> bool) -> Result<Fate, String> {
    let Some(results @ Value::Dict(_)) = entry.get("results") else {
        let found = entry.get("results").map_or("None".to_owned(), python_text);
        return Ok(Fate::Error(format!("Invalid results field: {found}")));
    };
    let generated = match picture(results.get("image_path"), "Generated", exists)? {
        Ok(path) => path,
        Err(found) => return Ok(found),
    };
    let original = match picture(entry.get("original_image_path"), "Original", exists)? {
        Ok(path) => path,
        Err(found) => return Ok(found),
    };
    let listed = entry
        .get("instructions")
        .and_then(|instructions| instructions.get("conditions"));
    let listed = match listed {
        Some(Value::List(listed)) if !listed.is_empty() => listed,
        _ => {
            return Ok(Fate::Warning(
                "No condition types specified in instructions.conditions",
            ));
        }
    };
    let mut references: Vec<(&'static str, Value)> = Vec::new();
    let known = entry.get("conditions").unwrap_or(&Value::Null);
    for condition in listed.iter().filter_map(|id| condition(id.as_str()?)) {
        let Some(value) = known.get(condition.key) else {
            continue;
        };
        if let Some(reference) = reference(condition.id, value, exists)? {
            references.retain(|(id, _)| *id != condition.id);
            references.push((condition.id, reference));
        }
    }
    if references.is_empty() {
        return Ok(Fate::Warning("No valid conditions found for evaluation"));
    }
    Ok(Fate::Evaluated {
        generated,
        original,
        references,
    })
}

/// The path of a picture that has to be there, or what becomes of the entry without it.
fn picture(
    value: Option<&Value>,
    what: &str,
    exists: &dyn Fn(&str) -> bool,
) -> Result<Result<String, Fate>, String> {
    let text = value.map_or_else(String::new, python_text);
    if let Some(value) = value
        && is_true(value)
        && is_file(value, exists)?
    {
        return Ok(Ok(text));
    }
    Ok(Err(Fate::Error(format!("{what} image not found: {text}"))))
}

/// What a condition is compared with; `None` if it is left out.
fn reference(
    id: &str,
    value: &Value,
    exists: &dyn Fn(&str) -> bool,
) -> Result<Option<Value>, String> {
    let first = match value {
        Value::List(items) => items.first(),
        _ => None,
    };
    Ok(match id {
        "caption" => Some(value.clone()),
        "style" => Some(first.unwrap_or(value).clone()),
        "subject" => match (first, value) {
            (Some(first), _) => Some(first.clone()),
            (None, Value::Str(path)) => exists(path).then(|| value.clone()),
            _ => None,
        },
        _ => is_file(value, exists)?.then(|| value.clone()),
    })
}

/// Python's `os.path.exists`, which takes text and numbers and raises for anything else.
fn is_file(value: &Value, exists: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    match value {
        Value::Str(path) => Ok(exists(path)),
        Value::Int(_) | Value::Long(..) | Value::Bool(_) => Ok(false),
        other => Err(format!(
            "stat: path should be string, bytes, os.PathLike or integer, not {}",
            other.type_name()
        )),
    }
}

/// Python's truth of a value.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(b) => *b,
        Value::Int(x) | Value::Long(x, _) | Value::Float(x) => *x != 0.0,
        Value::Str(text) => !text.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Dict(entries) => !entries.is_empty(),
    }
}

/// A value as Python's `str` prints it, inside messages.
fn python_text(value: &Value) -> String {
    fn inner(value: &Value) -> String {
        match value {
            Value::Str(text) => format!("'{text}'"),
            other => python_text(other),
        }
    }
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(x) => format!("{x}"),
        long @ Value::Long(..) => long.describe(),
        Value::Float(x) => format!("{x:?}"),
        Value::Str(text) => text.clone(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(inner).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Dict(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("'{key}': {}", inner(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// The evaluator looked up a reference that it was not given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingReference {
    /// Metrics that were computed before.
    pub called: Vec<&'static str>,
    /// The metric whose reference is missing: Python's `KeyError`.
    pub metric: &'static str,
}

/// The metrics that the authors' `evaluate_all` computes, in its order.
///
/// # Errors
/// An empty selection means everything (an operator precedence slip), so the first missing reference stops it.
///
/// # Example
/// ```
/// use juror_protocols::multiref::evaluator::plan;
/// assert_eq!(plan(&["mask", "fid", "depth"], &["depth"]), Ok(vec!["fid", "depth"]));
/// assert_eq!(plan(&[], &["depth"]).unwrap_err().metric, "sketch");
/// ```
pub fn plan(
    selection: &[&str],
    references: &[&str],
) -> Result<Vec<&'static str>, MissingReference> {
    let mut called = Vec::new();
    for metric in ORDER {
        let has_reference =
            super::WITHOUT_REFERENCE.contains(&metric) || references.contains(&metric);
        if selection.is_empty() && !has_reference {
            return Err(MissingReference { called, metric });
        }
        if has_reference && (selection.is_empty() || selection.contains(&metric)) {
            called.push(metric);
        }
    }
    Ok(called)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use juror_reading::py::loads;

    #[test]
    fn values_print_as_in_python() {
        let value = loads("[null, true, 1, 1.5, \"a\", {\"k\": []}]").unwrap();
        assert_eq!(python_text(&value), "[None, True, 1, 1.5, 'a', {'k': []}]");
    }
}
