//! Factors and levels: how the name of a submission or a judge, or a file beside its outputs, says what it is a variant of.
//!
//! A variant is written `BASE@factor=level`, several factors with `,` or with another `@`: `OmniGen@order=switched,caption=without`.
//! A submission says the same in a file [`VARIANT_FILE`] in its folder, which counts where both say something:
//! `{"base": "OmniGen", "levels": {"order": "switched"}}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;

/// The file in a submission's folder that states its base and levels.
pub const VARIANT_FILE: &str = "variant.json";
/// The factor whose levels are the prompt packs that a judge was asked with.
pub const PACK: &str = "pack";
/// The factor whose levels are the judges themselves.
pub const JUDGE: &str = "judge";
/// The level of a submission that is its base as it is, and states no level of the factor.
pub const BASE: &str = "base";
/// The longest name of a factor or a level, in characters.
const MAX_NAME: usize = 200;

/// What something is a variant of, and by what.
///
/// # Example
/// ```
/// use juror_model::experiment::Variant;
/// let variant = Variant::of_name("OmniGen@order=switched@caption=without");
/// assert_eq!((variant.base.as_str(), variant.levels["order"].as_str()), ("OmniGen", "switched"));
/// assert_eq!(variant.name(), "OmniGen@caption=without,order=switched");
/// // What is no list of levels is a part of the name.
/// assert_eq!(Variant::of_name("me@home").base, "me@home");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variant {
    /// What it is a variant of; its own name where it is none.
    pub base: String,
    /// Levels by factor.
    pub levels: BTreeMap<String, String>,
}

impl Variant {
    /// What a name says of itself; a name that states no levels is its own base.
    pub fn of_name(name: &str) -> Self {
        let stated = name.match_indices('@').find_map(|(at, _)| {
            let (base, rest) = (name[..at].trim(), &name[at + 1..]);
            let levels = levels_of(rest)?;
            (!base.is_empty()).then(|| Self {
                base: base.to_owned(),
                levels,
            })
        });
        stated.unwrap_or_else(|| Self {
            base: name.to_owned(),
            levels: BTreeMap::new(),
        })
    }

    /// What a [`VARIANT_FILE`] says of the submission of this name; a base that it does not state is that of the name.
    ///
    /// # Errors
    /// It is no object, or what it states can be no base, factor or level.
    pub fn read(text: &str, name: &str) -> Result<Self, Error> {
        let stated: Value = serde_json::from_str(text).map_err(|cause| Error::VariantJson {
            cause: cause.to_string(),
        })?;
        let Value::Object(stated) = stated else {
            return Err(Error::VariantShape {
                found: kind(&stated),
            });
        };
        let mut variant = Self::of_name(name);
        match stated.get("base") {
            None | Some(Value::Null) => {}
            Some(Value::String(base)) if !base.trim().is_empty() => {
                base.trim().clone_into(&mut variant.base);
            }
            Some(other) => {
                return Err(Error::VariantBase {
                    found: other.to_string(),
                });
            }
        }
        let levels = match stated.get("levels") {
            None if stated.contains_key("base") => return Ok(variant),
            None => {
                return Err(Error::VariantShape {
                    found: "neither of them",
                });
            }
            Some(Value::Object(levels)) => levels,
            Some(other) => return Err(Error::VariantShape { found: kind(other) }),
        };
        for (factor, level) in levels {
            let refused = || Error::VariantLevel {
                factor: factor.clone(),
                found: level.to_string(),
            };
            let text = match level {
                Value::String(text) => text.trim().to_owned(),
                Value::Number(_) | Value::Bool(_) => level.to_string(),
                _ => return Err(refused()),
            };
            let factor = factor.trim();
            if !is_name(factor) || !is_name(&text) {
                return Err(refused());
            }
            variant.levels.insert(factor.to_owned(), text);
        }
        Ok(variant)
    }

    /// The name that says the same.
    pub fn name(&self) -> String {
        let levels: Vec<String> = self
            .levels
            .iter()
            .map(|(factor, level)| format!("{factor}={level}"))
            .collect();
        if levels.is_empty() {
            self.base.clone()
        } else {
            format!("{}@{}", self.base, levels.join(","))
        }
    }

    /// The level of a factor, and what is the same on every level of it.
    pub fn apart(&self, factor: &str) -> (Option<String>, Self) {
        let mut rest = self.clone();
        (rest.levels.remove(factor), rest)
    }
}

/// The judge that a name is of, whatever prompts or levels it names besides.
///
/// # Example
/// ```
/// use juror_model::experiment::judge_of;
/// assert_eq!(judge_of("gpt-4o@pack=0f3a9c21"), "gpt-4o");
/// ```
pub fn judge_of(name: &str) -> String {
    Variant::of_name(name).base
}

/// `order=switched,caption=without` or with `@` between; `None` of anything else, and where a factor has two levels.
fn levels_of(text: &str) -> Option<BTreeMap<String, String>> {
    let mut levels = BTreeMap::new();
    for part in text.split([',', '@']) {
        let (factor, level) = part.split_once('=')?;
        let (factor, level) = (factor.trim(), level.trim());
        let is_new = is_name(factor)
            && is_name(level)
            && levels.insert(factor.to_owned(), level.to_owned()).is_none();
        if !is_new {
            return None;
        }
    }
    Some(levels)
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().count() <= MAX_NAME
        && !text
            .chars()
            .any(|c| matches!(c, '=' | ',' | '@') || c.is_control())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// What varies along a factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// What was generated: submissions are its levels.
    #[default]
    Submission,
    /// How it was judged: judges and their prompts are.
    Judging,
}

/// A number as a paper prints it: 84.4 of a table with two decimals is `84.40`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedNumber {
    /// The number.
    pub value: f64,
    /// Digits after the point in the printed table.
    pub decimals: u8,
}

impl std::fmt::Display for PrintedNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.*}", usize::from(self.decimals), self.value)
    }
}

/// What a protocol can vary in its requests to a generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Factor {
    /// As names of submissions have it: `mask_format`.
    pub id: String,
    /// What is varied, in words.
    pub label: String,
    /// Levels with what each does, in words; the first one is the request as it is.
    pub levels: Vec<(String, String)>,
}

impl Factor {
    /// A factor of these levels, each with what it does.
    pub fn new(id: &str, label: &str, levels: &[(&str, &str)]) -> Self {
        let levels = levels.iter();
        Self {
            id: id.to_owned(),
            label: label.to_owned(),
            levels: levels
                .map(|(id, about)| ((*id).to_owned(), (*about).to_owned()))
                .collect(),
        }
    }

    /// Position of a level; the request stays as it is on the first one.
    pub fn position(&self, level: &str) -> Option<usize> {
        self.levels.iter().position(|(id, _)| id == level)
    }
}

/// A level of a factor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct FactorLevel {
    /// Factor: `mask_format`.
    pub factor: String,
    /// Level: `color`.
    pub level: String,
}

impl FactorLevel {
    /// The level of this factor, if the factors have it.
    ///
    /// # Errors
    /// There is no such factor or level; the error tells what there is instead.
    ///
    /// # Example
    /// ```
    /// use juror_model::experiment::{Factor, FactorLevel};
    /// let factors = [Factor::new("order", "Order", &[("original", "as listed"), ("switched", "reversed")])];
    /// let level = |factor: &str, level: &str| FactorLevel { factor: factor.to_owned(), level: level.to_owned() };
    /// assert_eq!(level("order", "switched").position(&factors), Ok(1));
    /// let told = level("order", "random").position(&factors).unwrap_err();
    /// assert_eq!(told.to_string(), "order has no level random; it has original, switched.");
    /// ```
    pub fn position(&self, factors: &[Factor]) -> Result<usize, Error> {
        let list = |names: Vec<&str>| names.join(", ");
        if factors.is_empty() {
            return Err(Error::NoFactors);
        }
        let Some(factor) = factors.iter().find(|factor| factor.id == self.factor) else {
            let known = factors.iter().map(|factor| factor.id.as_str()).collect();
            return Err(Error::UnknownFactor {
                factor: self.factor.clone(),
                known: list(known),
            });
        };
        factor.position(&self.level).ok_or_else(|| {
            let known = factor.levels.iter().map(|(id, _)| id.as_str()).collect();
            Error::UnknownLevel {
                factor: self.factor.clone(),
                level: self.level.clone(),
                known: list(known),
            }
        })
    }
}

/// A number that a paper prints for one level of a factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedLevel {
    /// Factor: `order`.
    pub factor: String,
    /// What was varied, as the paper names it: `OmniGen`.
    pub base: String,
    /// Level: `switched`.
    pub level: String,
    /// Whether the benchmark has this level by itself, so that what states none is of it.
    #[serde(skip)]
    pub is_usual: bool,
    /// Scope of the row.
    pub scope: String,
    /// Key within the scope.
    pub key: String,
    /// Criterion.
    pub criterion: String,
    /// As printed.
    pub value: f64,
    /// Digits after the point in the printed table.
    pub decimals: u8,
    /// Where: `Table 9`.
    pub source: String,
    /// What is to be known about it; mostly empty.
    pub note: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_factors_stand_after_commas_or_after_another_sign() {
        let written = ["M@a=1,b=2", "M@b=2@a=1", " M @ a = 1 , b = 2 "];
        for name in written {
            assert_eq!(Variant::of_name(name).name(), "M@a=1,b=2", "{name}");
        }
        let (level, rest) = Variant::of_name(written[0]).apart("a");
        assert_eq!(
            (level.as_deref(), rest.name().as_str()),
            (Some("1"), "M@b=2")
        );
    }

    #[test]
    fn a_name_that_states_no_levels_stays_whole() {
        for name in ["M", "M@", "M@a", "M@a=", "@a=1", "M@a=1,a=2", "M@a=1,b"] {
            let variant = Variant::of_name(name);
            assert_eq!((variant.base.as_str(), variant.levels.len()), (name, 0));
        }
        // The levels come after the last sign that they can come after.
        assert_eq!(Variant::of_name("me@home@a=1").base, "me@home");
    }

    #[test]
    fn a_file_counts_before_the_name_and_a_bad_one_says_what_is_wrong() {
        let read = |text: &str| Variant::read(text, "M@a=1");
        let stated = read(r#"{"base": "N", "levels": {"a": "2", "steps": 30}}"#);
        assert_eq!(
            stated.map(|one| one.name()).ok(),
            Some("N@a=2,steps=30".to_owned())
        );
        let named = read(r#"{"levels": {"b": true}}"#);
        assert_eq!(
            named.map(|one| one.name()).ok(),
            Some("M@a=1,b=true".to_owned())
        );
        for (text, word) in [
            ("{", "Expected JSON"),
            ("[1]", "found a list"),
            ("{}", "neither of them"),
            (r#"{"base": 3}"#, "found 3"),
            (r#"{"levels": {"a": ["x"]}}"#, "a: [\"x\"]"),
            (r#"{"levels": {"a": "x=y"}}"#, "x=y"),
        ] {
            let error = read(text).err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
