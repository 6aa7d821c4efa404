//! JSON with its keys as they were written, and readers that say by JSON path what is wrong with a value.
//!
//! A mistyped or repeated key would change scores without a word, so nothing that is not asked for is passed over.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use juror_reading::py::shorten;

/// A JSON value; objects keep the order of their keys, and repeated ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; it is finite, as JSON has no other.
    Number(f64),
    /// A whole number that `f64` does not hold exactly.
    Long(i128),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text; the message of an error has line and column.
    pub(super) fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// The value in words: `text "7"`, `[5, 1]`, `an object`.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Long(number) => number.to_string(),
            Self::Text(text) => format!("text \"{}\"", shorten(text, 40)),
            Self::List(items) if items.len() <= 3 && items.iter().all(Self::is_number) => {
                let items: Vec<String> = items.iter().map(Self::describe).collect();
                format!("[{}]", items.join(", "))
            }
            Self::List(items) => match items.len() {
                1 => "a list of 1 item".to_owned(),
                count => format!("a list of {count} items"),
            },
            Self::Object(_) => "an object".to_owned(),
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Long(_))
    }

    /// The first value of a key, if this is an object that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries
                .iter()
                .find(|(known, _)| known == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value at a JSON Pointer (RFC 6901).
    pub(super) fn pointer(&self, pointer: &str) -> Option<&Self> {
        let mut found = self;
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            found = match found {
                Self::List(items) => items.get(part.parse::<usize>().ok()?)?,
                object => object.get(&part)?,
            };
        }
        Some(found)
    }
}

/// A whole number, as `f64` where that holds it exactly.
fn whole(number: i128) -> Json {
    if number.unsigned_abs() < 1 << 53 {
        Json::Number(number as f64)
    } else {
        Json::Long(number)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(whole(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(whole(number.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Json, E> {
        if number.is_finite() {
            Ok(Json::Number(number))
        } else {
            Err(E::custom("number out of range"))
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        u32::try_from(entries.len()).map_err(A::Error::custom)?;
        Ok(Json::Object(entries))
    }
}

/// The largest number of a protocol file, so that no sum of scores runs over.
pub(super) const MAX_NUMBER: f64 = 1e12;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonFault {
    /// JSON Pointer to the value: `/criteria/2/range`; empty for the whole.
    pub(super) place: String,
    /// What was expected and what was found.
    pub(super) message: String,
    /// What to do about it.
    pub(super) hint: String,
}

/// All that is wrong, in the order of reading.
pub(super) type Findings = Vec<JsonFault>;

/// The keys of one kind of object.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// What the object is called in the JSON Schema.
    pub name: &'static str,
    /// Keys that must be there.
    pub required: &'static [&'static str],
    /// Keys that may be there.
    pub optional: &'static [&'static str],
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct At<'a> {
    pub(super) json: &'a Json,
    pub(super) place: String,
}

impl<'a> At<'a> {
    pub(super) fn top(json: &'a Json) -> Self {
        Self {
            json,
            place: String::new(),
        }
    }

    /// A part of this value.
    fn child(&self, name: &str, json: &'a Json) -> Self {
        let name = name.replace('~', "~0").replace('/', "~1");
        Self {
            json,
            place: format!("{}/{name}", self.place),
        }
    }

    /// Notes what is wrong here.
    pub(super) fn refuse(&self, message: String, hint: &str, found: &mut Findings) {
        found.push(JsonFault {
            place: self.place.clone(),
            message,
            hint: hint.to_owned(),
        });
    }

    /// The same, in the form `Expected …, found ….`
    pub(super) fn expected<T>(&self, what: &str, hint: &str, found: &mut Findings) -> Option<T> {
        let message = format!("Expected {what}, found {}.", self.json.describe());
        self.refuse(message, hint, found);
        None
    }

    pub(super) fn text(&self, what: &str, found: &mut Findings) -> Option<&'a str> {
        match self.json {
            Json::Text(text) if !text.trim().is_empty() => Some(text),
            _ => self.expected(what, "", found),
        }
    }

    pub(super) fn number(&self, found: &mut Findings) -> Option<f64> {
        match self.json {
            Json::Number(number) if number.abs() <= MAX_NUMBER => Some(*number),
            Json::Number(_) | Json::Long(_) => {
                self.expected("a number of at most 13 digits", "", found)
            }
            _ => self.expected("a number", "", found),
        }
    }

    pub(super) fn flag(&self, found: &mut Findings) -> Option<bool> {
        match self.json {
            Json::Bool(flag) => Some(*flag),
            _ => self.expected("true or false", "", found),
        }
    }

    /// One of some words, as its position.
    pub(super) fn choice(&self, words: &[&str], found: &mut Findings) -> Option<usize> {
        let known = match self.json {
            Json::Text(text) => words.iter().position(|word| word == text),
            _ => None,
        };
        if known.is_none() {
            let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            self.expected::<()>(&quoted.join(" or "), &did_you_mean(self.json, words), found);
        }
        known
    }

    pub(super) fn list(&self, what: &str, found: &mut Findings) -> Option<Vec<Self>> {
        match self.json {
            Json::List(items) => Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| self.child(&at.to_string(), item))
                    .collect(),
            ),
            _ => self.expected(what, "", found),
        }
    }

    /// A text, or a list of texts.
    pub(super) fn texts(&self, what: &str, found: &mut Findings) -> Option<Vec<Self>> {
        let items = match self.json {
            Json::Text(_) => vec![self.clone()],
            _ => self.list(what, found)?,
        };
        let are_texts = items
            .iter()
            .filter(|item| item.text("a text", found).is_some())
            .count();
        (are_texts == items.len()).then_some(items)
    }

    /// The keys of an object whose keys are the user's own: none twice.
    pub(super) fn entries(&self, what: &str, found: &mut Findings) -> Option<Vec<(&'a str, Self)>> {
        let Json::Object(entries) = self.json else {
            return self.expected(what, "", found);
        };
        let mut seen: HashSet<&str> = HashSet::new();
        let mut once: Vec<(&str, Self)> = Vec::new();
        for (key, value) in entries {
            let at = self.child(key, value);
            if seen.insert(key) {
                once.push((key, at));
            } else {
                at.refuse(
                    "The key is given twice.".to_owned(),
                    "Remove one of the two.",
                    found,
                );
            }
        }
        Some(once)
    }

    /// An object of a known kind: no key twice, none unknown, none missing.
    pub(super) fn object(&self, keys: &Keys, found: &mut Findings) -> Option<Object<'a>> {
        let known: Vec<&str> = [keys.required, keys.optional].concat();
        let what = format!("an object with {}", known.join(", "));
        let entries = self.entries(&what, found)?;
        for (key, at) in &entries {
            if !known.contains(key) {
                let hint = did_you_mean(&Json::Text((*key).to_owned()), &known);
                let hint = match hint.as_str() {
                    "" => format!("Known keys: {}.", known.join(", ")),
                    _ => hint,
                };
                at.refuse("The key is not known.".to_owned(), &hint, found);
            }
        }
        let object = Object { entries };
        for key in keys.required {
            if object.get(key).is_none() {
                self.refuse(format!("Expected a key \"{key}\"."), "", found);
            }
        }
        Some(object)
    }
}

/// An object's values by key.
#[derive(Clone, Debug)]
pub(super) struct Object<'a> {
    entries: Vec<(&'a str, At<'a>)>,
}

impl<'a> Object<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&At<'a>> {
        self.entries
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, at)| at)
    }
}

/// A hint that names the known word nearest to what was written; empty if none is near.
pub(super) fn did_you_mean(written: &Json, words: &[&str]) -> String {
    let Json::Text(written) = written else {
        return String::new();
    };
    let nearest = words
        .iter()
        .map(|word| (distance(written, word), word))
        .min();
    match nearest {
        Some((distance, word)) if distance <= 2 && distance < word.len() => {
            format!("Did you mean \"{word}\"?")
        }
        _ => String::new(),
    }
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 64 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, of_a) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, of_b) in b.iter().enumerate() {
            let changed = diagonal + usize::from(of_a != *of_b);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_a_repeated_one_is_told() {
        let json = Json::read("\u{feff}{\"b\": 1, \"a\": [2, null], \"b\": 3}").unwrap();
        let mut found = Vec::new();
        let entries = At::top(&json).entries("an object", &mut found).unwrap();
        let keys: Vec<&str> = entries.iter().map(|(key, _)| *key).collect();
        assert_eq!(keys, ["b", "a"]);
        assert_eq!((found.len(), &*found[0].place), (1, "/b"));
        assert_eq!(json.pointer("/a/0"), Some(&Json::Number(2.0)));
        assert_eq!(json.pointer("/a/x"), None);
    }

    #[test]
    fn a_mistyped_key_is_named_with_the_likely_one() {
        let json = Json::read(r#"{"wieght": 3, "id": "x"}"#).unwrap();
        let keys = Keys {
            name: "criterion",
            required: &["id", "range"],
            optional: &["weight"],
        };
        let mut found = Vec::new();
        At::top(&json).object(&keys, &mut found).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|f| (&*f.place, &*f.message, &*f.hint))
            .collect();
        assert_eq!(
            found,
            [
                (
                    "/wieght",
                    "The key is not known.",
                    "Did you mean \"weight\"?"
                ),
                ("", "Expected a key \"range\".", ""),
            ]
        );
    }

    #[test]
    fn numbers_that_json_cannot_hold_are_refused() {
        assert!(Json::read("1e999").is_err());
        assert!(Json::read("NaN").is_err());
        assert_eq!(Json::read("-0.5").unwrap(), Json::Number(-0.5));
    }
}
