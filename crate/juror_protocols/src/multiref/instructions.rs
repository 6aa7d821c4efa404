//! How the authors made the synthetic half: which references are good enough, and how an instruction is put together.
//!
//! Source: `select_new_condition.py` (`validate_entry`) and `generate_instructions_new.py` (`generate_basic_instruction`).
//! The sentence templates are the authors' own and are read from their `condition_mapping.json`.

use crate::error::Error;
use juror_reading::py::Value;

/// The judge keys that each kind of reference must pass; `pose` and `style` are never chosen by the program,
/// `bbox` is asked for the mask's alignment, and nothing is asked of `subject` and `depth`.
const NEEDED: [(&str, &[&str]); 8] = [
    (
        "semantic_map",
        &["Semantic-Map Quality", "Semantic-Map Alignment"],
    ),
    ("sketch", &["Sketch Quality", "Sketch Alignment"]),
    ("canny", &["Canny Quality", "Canny Alignment"]),
    ("mask", &["Mask Alignment"]),
    ("caption", &["Caption Alignment"]),
    ("bbox", &["Mask Alignment"]),
    ("subject", &[]),
    ("depth", &[]),
];

/// Which of these kinds of reference are good enough: every needed key is 3, 4 or 5.
///
/// # Errors
/// The first key that the judge's ratings do not have: Python's `KeyError`, which loses the entry.
///
/// # Example
/// ```
/// use juror_protocols::multiref::instructions::valid_conditions;
/// use juror_reading::py::loads;
/// let judge = loads("{\"Mask Alignment\": 2}").unwrap();
/// assert_eq!(valid_conditions(&judge, &["pose", "mask", "depth"]), Ok(vec![("mask", false), ("depth", true)]));
/// ```
pub fn valid_conditions(
    judge: &Value,
    conditions: &[&str],
) -> Result<Vec<(&'static str, bool)>, Error> {
    let is_passed = |key: &&'static str| -> Result<bool, Error> {
        let rating = judge
            .get(key)
            .ok_or_else(|| Error::Stops((*key).to_owned()))?;
        Ok(rating
            .as_number()
            .is_some_and(|x| [3.0, 4.0, 5.0].contains(&x)))
    };
    let is_valid = |keys: &[&'static str]| -> Result<bool, Error> {
        for key in keys {
            if !is_passed(key)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    NEEDED
        .iter()
        .filter(|(id, _)| conditions.contains(id))
        .map(|(id, keys)| Ok((*id, is_valid(keys)?)))
        .collect()
}

/// An instruction with the pictures that it names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instruction {
    /// The text with its tokens.
    pub text: String,
    /// Token without brackets → path.
    pub pictures: Vec<(String, Value)>,
}

/// The authors' basic instruction: a start phrase, one template per condition in the given order, then the caption.
///
/// `mapping` is their `condition_mapping.json`; `choose` takes a length and gives an index below it.
/// A caption that ends in a full stop gets a second one.
///
/// # Example
/// ```
/// use juror_protocols::multiref::instructions::instruction;
/// use juror_reading::py::loads;
/// let mapping = loads("{\"depth\": {\"template\": [\"as deep as <depth_image>.\"], \"path_key\": \"depth_path\", \
///     \"image_fill_key\": \"depth_image\"}}").unwrap();
/// let conditions = loads("{\"depth_path\": \"d.png\", \"caption\": \"A cat.\"}").unwrap();
/// let found = instruction(&["caption", "depth"], &conditions, &mapping, |_| 0);
/// assert_eq!(found.text, "Generate an image as deep as <depth_image>. following the caption: A cat..");
/// assert_eq!(found.pictures[0].0, "depth_image");
/// ```
pub fn instruction(
    listed: &[&str],
    conditions: &Value,
    mapping: &Value,
    mut choose: impl FnMut(usize) -> usize,
) -> Instruction {
    let mut texts = vec!["Generate an image".to_owned()];
    let mut pictures: Vec<(String, Value)> = Vec::new();
    for id in listed.iter().filter(|id| **id != "caption") {
        let Some(info) = mapping.get(id) else {
            continue;
        };
        if let Some(Value::List(templates)) = info.get("template") {
            let chosen = templates.get(choose(templates.len()));
            texts.push(
                chosen
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
            );
        }
        let key = info
            .get("path_key")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let path = match conditions.get(key) {
            Some(Value::List(paths)) if !paths.is_empty() => {
                paths.get(choose(paths.len())).cloned()
            }
            Some(Value::List(_)) | None => None,
            Some(path) => Some(path.clone()),
        };
        let token = info.get("image_fill_key").and_then(Value::as_str);
        if let (Some(path), Some(token)) = (path, token) {
            pictures.retain(|(name, _)| name != token);
            pictures.push((token.to_owned(), path));
        }
    }
    if listed.contains(&"caption") {
        let caption = conditions.get("caption").and_then(Value::as_str);
        let caption = caption.unwrap_or("<caption>");
        texts.push(format!("following the caption: {caption}."));
    }
    Instruction {
        text: texts.join(" "),
        pictures,
    }
}
