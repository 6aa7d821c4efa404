//! JSON objects whose keys stay in the order in which they were put in, whatever map the JSON library is built with.

use juror_reading::py::Value;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A JSON value with ordered objects.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Text(String),
    Number(f64),
    /// Beyond what a number of 64 bits with a fraction holds.
    Whole(i128),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::List(texts.into_iter().map(Self::from).collect())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(is_true) => Self::Bool(*is_true),
            Value::Int(x) | Value::Float(x) => Self::Number(*x),
            Value::Long(x, digits) if *x < 0.0 => Self::Whole(-i128::from(*digits)),
            Value::Long(_, digits) => Self::Whole(i128::from(*digits)),
            Value::Str(text) => Self::Text(text.clone()),
            Value::List(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Dict(entries) => {
                let entries = entries.iter();
                Self::Object(
                    entries
                        .map(|(key, value)| (key.clone(), value.into()))
                        .collect(),
                )
            }
        }
    }
}

/// Indented by two spaces, with a line end behind it.
pub(crate) fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    // Texts and finite numbers always serialise.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(is_true) => serializer.serialize_bool(*is_true),
            Self::Whole(x) => serializer.serialize_i128(*x),
            Self::Text(text) => serializer.serialize_str(text),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "whole, and ratings are small"
            )]
            Self::Number(x) if x.fract() == 0.0 && x.abs() < 1e15 => {
                serializer.serialize_i64(*x as i64)
            }
            Self::Number(x) => serializer.serialize_f64(*x),
            Self::List(items) => items.serialize(serializer),
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
