//! Objects that keep their keys in order: the order of key points decides the order of a judge's pictures.

use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// A JSON value with ordered objects.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Null,
    Number(usize),
    Real(f64),
    Flag(bool),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Number(value) => value.serialize(serializer),
            Self::Real(value) => value.serialize(serializer),
            Self::Flag(value) => value.serialize(serializer),
            Self::Text(value) => value.serialize(serializer),
            Self::List(values) => values.serialize(serializer),
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

/// A text value.
pub(crate) fn text(value: impl Into<String>) -> Json {
    Json::Text(value.into())
}

/// An object with its keys in the given order.
pub(crate) fn object<const N: usize>(entries: [(&str, Json); N]) -> Json {
    Json::Object(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}
