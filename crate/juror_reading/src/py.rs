//! Python semantics that the authors' scripts lean on: `json.loads`, `round`, and the messages of their errors.
//!
//! Scores must agree with those scripts digit by digit, so this module follows the Python language reference
//! (`json`, `float.__round__`) rather than the JSON standard: `NaN` is a number, the last of two equal keys wins,
//! and a ten-digit error position counts characters, not bytes.

use std::borrow::Cow;
use std::fmt;

use crate::bytes::{self, controls, has_controls, splat, zeros};
use crate::keyed::Keyed;
use crate::limits;

/// A JSON value as `json.loads` builds it, with keys in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without fraction and exponent that `f64` holds exactly, or one beyond 64 bits as the nearest `f64`.
    Int(f64),
    /// Such a number of 2^53 or more on either side of zero, as far as 64 bits reach: the nearest `f64`, which has the
    /// sign, and the digits.
    Long(f64, u64),
    /// Any other number, `NaN` and infinities included.
    Float(f64),
    /// A string; lone surrogates become U+FFFD.
    Str(String),
    /// A list.
    List(Vec<Value>),
    /// A dictionary: keys are unique, the last value won, in the order of first appearance.
    Dict(Vec<(String, Value)>),
}

impl Value {
    /// The value of a key, if this is a dictionary that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Dict(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The number that Python arithmetic sees: `true` is 1.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Int(x) | Value::Long(x, _) | Value::Float(x) => Some(*x),
            Value::Bool(b) => Some(f64::from(u8::from(*b))),
            _ => None,
        }
    }

    /// What a sample, an item or a case is called by this value: a text as it is, a whole number by its digits.
    ///
    /// `15.0` is `15`, as equal numbers are equal keys in Python, and pandas writes `15.0` once a column has a gap.
    ///
    /// # Example
    /// ```
    /// use juror_reading::py::loads;
    /// let id = |text: &str| loads(text).unwrap().id_text();
    /// assert_eq!(id("15.0").as_deref(), Some("15"));
    /// assert_eq!(id("1830000000000000001").as_deref(), Some("1830000000000000001"));
    /// assert_eq!(id("\"015\"").as_deref(), Some("015"));
    /// assert_eq!(id("1.5"), None);
    /// ```
    pub fn id_text(&self) -> Option<String> {
        match self {
            Value::Str(text) => Some(text.clone()),
            Value::Long(x, digits) => Some(long_text(*x, *digits)),
            Value::Int(x) | Value::Float(x) if x.fract() == 0.0 => {
                // Adding zero takes the sign from -0.
                Some(format!("{}", x + 0.0))
            }
            _ => None,
        }
    }

    /// The name of the Python type, as in `TypeError` messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::Long(..) => "int",
            Value::Float(_) => "float",
            Value::Str(_) => "str",
            Value::List(_) => "list",
            Value::Dict(_) => "dict",
        }
    }

    /// The value in words for a message to the user: `text "7"`, `a list`.
    pub fn describe(&self) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Bool(b) => format!("{b}"),
            Value::Long(x, digits) => long_text(*x, *digits),
            Value::Int(x) | Value::Float(x) => format!("{x}"),
            Value::Str(text) => format!("text \"{}\"", shorten(text, 40)),
            Value::List(_) => "a list".to_owned(),
            Value::Dict(_) => "an object".to_owned(),
        }
    }
}

/// JSON from a service, as `serde_json` has it; a number that no `f64` holds (`1e400`) is `null` instead of an error, so
/// that it does not cost the reply beside it.
pub fn json_from_service(text: &str) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match loads(text) {
        Ok(value) => Ok(plain_json(value)),
        Err(_) => Err(error),
    })
}

/// 2^53: from here on `f64` leaves whole numbers out.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn long_text(x: f64, digits: u64) -> String {
    format!("{}{digits}", if x < 0.0 { "-" } else { "" })
}

fn plain_json(value: Value) -> serde_json::Value {
    use serde_json::Value as Json;
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => Json::Bool(flag),
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        Value::Int(x) if x.abs() < EXACT => Json::from(x as i64),
        Value::Long(x, digits) if x > 0.0 => Json::from(digits),
        Value::Long(x, digits) => match 0_i64.checked_sub_unsigned(digits) {
            Some(whole) => Json::from(whole),
            None => Json::from(x),
        },
        Value::Int(x) | Value::Float(x) => Json::from(x),
        Value::Str(text) => Json::String(text),
        Value::List(items) => items.into_iter().map(plain_json).collect(),
        Value::Dict(entries) => {
            let entries = entries.into_iter();
            Json::Object(
                entries
                    .map(|(key, value)| (key, plain_json(value)))
                    .collect(),
            )
        }
    }
}

/// The first `max` characters of a text, with an ellipsis where it was cut.
pub fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Why a text is not JSON, in Python's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct JsonError {
    /// `Expecting value`, `Extra data`, …
    pub message: &'static str,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Character, from 0.
    pub char: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            message,
            line,
            column,
            char,
        } = self;
        write!(f, "{message}: line {line} column {column} (char {char})")
    }
}

/// Reads one JSON text, as `json.loads` does.
///
/// # Example
/// ```
/// use juror_reading::py;
/// assert_eq!(py::loads("[true, 7]"), Ok(py::Value::List(vec![py::Value::Bool(true), py::Value::Int(7.0)])));
/// assert_eq!(py::loads("{'a': 1}").unwrap_err().to_string(),
///     "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)");
/// ```
pub fn loads(text: &str) -> Result<Value, JsonError> {
    whole(text, |scanner| scanner.value(0))
}

/// What `read` makes of a text that is all of one JSON value.
fn whole<'a, T>(
    text: &'a str,
    read: impl FnOnce(&mut Scanner<'a>) -> Result<T, Fault>,
) -> Result<T, JsonError> {
    let mut scanner = Scanner::new(text);
    scanner.space();
    let found = read(&mut scanner).and_then(|found| scanner.end().map(|()| found));
    found.map_err(|fault| fault.locate(text))
}

/// Reads one JSON text as [`loads`] does, but gives the items of a list away one by one, so that a long list is never in
/// memory as a tree; returns what is no list.
///
/// After an error, items that came before it were given as well.
pub fn load_items(text: &str, mut each: impl FnMut(Value)) -> Result<Option<Value>, JsonError> {
    whole(text, |scanner| {
        if scanner.peek() != Some(b'[') {
            return scanner.value(0).map(Some);
        }
        scanner.at += 1;
        scanner.items(|scanner| {
            each(scanner.value(1)?);
            Ok(())
        })?;
        Ok(None)
    })
}

/// Why no object ends a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoObject {
    /// There is no opening brace.
    None,
    /// Why what begins at the first opening brace is no object that ends the text.
    Json(JsonError),
    /// So many beginnings of objects lead so far that the search was given up.
    Tangled,
}

/// The first object that goes on to the end of a text.
///
/// Every opening brace may begin it, so the search is given up once it has gone over the text [`limits::SEARCH_PASSES`] times.
pub fn last_object(text: &str) -> Result<Value, NoObject> {
    last_object_noting(text).map(|found| found.object)
}

/// An object at the end of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct LastObject {
    /// It.
    pub object: Value,
    /// The first key that an object in it has twice with different values, in whatever capitals.
    pub repeated: Option<String>,
    /// The byte that it begins at.
    pub start: usize,
}

/// The same with what else is known of it.
pub fn last_object_noting(text: &str) -> Result<LastObject, NoObject> {
    let mut scanner = Scanner::new(text);
    let mut left = text.len().saturating_mul(limits::SEARCH_PASSES);
    let mut first_error = None;
    for (open, _) in text.match_indices('{') {
        scanner.at = open;
        let found = scanner.skip(0).and_then(|()| scanner.end());
        if found.is_ok() {
            scanner.at = open;
            let object = scanner.value(0).map_err(|_| NoObject::Tangled)?;
            return Ok(LastObject {
                object,
                repeated: scanner.repeated.take(),
                start: open,
            });
        }
        if let Err(fault) = found
            && first_error.is_none()
        {
            let at = fault.at.saturating_sub(open);
            first_error = Some(Fault { at, ..fault }.locate(&text[open..]));
        }
        left = match left.checked_sub(scanner.at.saturating_sub(open)) {
            Some(left) => left,
            None => return Err(NoObject::Tangled),
        };
    }
    Err(first_error.map_or(NoObject::None, NoObject::Json))
}

/// [`loads`], and the first key that an object at any depth has twice with different values, in whatever capitals.
///
/// Python takes the last of two equal keys, other readers the first, and each passes over the one in other capitals: what a
/// judge meant by it is not known.
///
/// # Example
/// ```
/// use juror_reading::py::loads_noting;
/// let repeated = |text: &str| loads_noting(text).unwrap().1;
/// assert_eq!(repeated("{\"score\": 3, \"score\": 8}").as_deref(), Some("score"));
/// assert_eq!(repeated("[{\"a\": {\"b\": 1, \"b\": 2}}]").as_deref(), Some("b"));
/// assert_eq!(repeated("{\"score\": 3, \"Score\": 8}").as_deref(), Some("Score"));
/// assert_eq!(repeated("{\"score\": 3, \"score\": 3}"), None);
/// ```
pub fn loads_noting(text: &str) -> Result<(Value, Option<String>), JsonError> {
    whole(text, |scanner| {
        let value = scanner.value(0)?;
        Ok((value, scanner.repeated.take()))
    })
}

/// What went wrong, at which byte.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    message: &'static str,
    at: usize,
}

impl Fault {
    /// The fault with its line and column, both from 1, in the text that was read.
    pub fn locate(self, text: &str) -> JsonError {
        let before = &text[..self.at.min(text.len())];
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        JsonError {
            message: self.message,
            line,
            column: before[line_start..].chars().count() + 1,
            char: before.chars().count(),
        }
    }
}

/// Deepest nesting that is read.
const MAX_DEPTH: u32 = limits::JSON_DEPTH;
/// Keys in other capitals are looked for among so many of an object: a verdict has fewer.
const MAX_KEYS: usize = 64;

/// So many bytes of a string are looked at before a search is set up that pays for longer ones: most keys end within.
const SHORT: usize = 16;

/// Walks over JSON text without copying it.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// Whether the text has control characters anywhere, which only then are looked for in strings.
    has_controls: bool,
    /// How far it is read, in bytes; always at the begin of a character.
    pub at: usize,
    /// The first key that an object had twice with different values.
    repeated: Option<String>,
}

/// A string as it stands in the text, between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct RawStr<'a> {
    pub(crate) raw: &'a str,
    escaped: bool,
}

impl<'a> RawStr<'a> {
    /// Compares without decoding where nothing is escaped.
    #[inline]
    pub fn is(&self, text: &str) -> bool {
        if self.escaped {
            self.decode() == text
        } else {
            self.raw == text
        }
    }

    /// The text with escapes resolved.
    pub fn decode(&self) -> String {
        self.text().into_owned()
    }

    /// What follows a prefix, if the text begins with it.
    pub fn strip_prefix(&self, prefix: &str) -> Option<Cow<'a, str>> {
        match self.text() {
            Cow::Borrowed(text) => text.strip_prefix(prefix).map(Cow::Borrowed),
            Cow::Owned(text) => text
                .strip_prefix(prefix)
                .map(|rest| Cow::Owned(rest.to_owned())),
        }
    }

    /// The same, borrowed where nothing is escaped.
    pub fn text(&self) -> Cow<'a, str> {
        if self.escaped {
            Cow::Owned(unescape(self.raw))
        } else {
            Cow::Borrowed(self.raw)
        }
    }
}

impl<'a> Scanner<'a> {
    /// A scanner at the begin of a text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            has_controls: has_controls(text),
            at: 0,
            repeated: None,
        }
    }

    /// A scanner within a text, for a caller who knows or finds out that there is no control character in what it reads.
    pub fn ahead(text: &'a str, at: usize) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            has_controls: false,
            at,
            repeated: None,
        }
    }

    /// The first key that an object had twice with different values among what [`Self::value`] read since this was asked last.
    pub fn take_repeated(&mut self) -> Option<String> {
        self.repeated.take()
    }

    /// The text from a byte behind to where the scanner stands.
    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    fn fail<T>(&self, message: &'static str) -> Result<T, Fault> {
        Err(Fault {
            message,
            at: self.at,
        })
    }

    /// The next byte; `None` at the end.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Passes over JSON's white space.
    pub fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Nothing but white space may follow.
    pub fn end(&mut self) -> Result<(), Fault> {
        self.space();
        if self.at < self.bytes.len() {
            self.fail("Extra data")
        } else {
            Ok(())
        }
    }

    /// Steps over `{` or to the next key; `None` at the closing brace.
    ///
    /// Call with `first` for the first key after the opening brace.
    #[inline]
    pub fn key(&mut self, first: &mut bool) -> Result<Option<RawStr<'a>>, Fault> {
        self.space();
        let is_first = std::mem::take(first);
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            _ if is_first => {}
            Some(b',') => {
                self.at += 1;
                self.space();
            }
            _ => return self.fail("Expecting ',' delimiter"),
        }
        if self.peek() != Some(b'"') {
            return self.fail("Expecting property name enclosed in double quotes");
        }
        let key = self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return self.fail("Expecting ':' delimiter");
        }
        self.at += 1;
        self.space();
        Ok(Some(key))
    }

    /// Reads a string; the scanner stands on its opening quote.
    #[inline]
    pub fn string(&mut self) -> Result<RawStr<'a>, Fault> {
        let start = self.at + 1;
        let len = plain_len(self.bytes.get(start..start + SHORT).unwrap_or_default());
        let end = start + len;
        if self.bytes.get(end) != Some(&b'"') {
            return self.string_from(end);
        }
        self.at = end + 1;
        Ok(RawStr {
            raw: &self.text[start..end],
            escaped: false,
        })
    }

    /// Reads a string that is probably long.
    #[inline]
    pub fn long_string(&mut self) -> Result<RawStr<'a>, Fault> {
        self.string_from(self.at + 1)
    }

    /// Reads a string from a byte inside it, before which nothing needs attention.
    fn string_from(&mut self, mut at: usize) -> Result<RawStr<'a>, Fault> {
        let start = self.at + 1;
        let mut escaped = false;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let stop = memchr::memchr2(b'"', b'\\', rest);
            let plain = &rest[..stop.unwrap_or(rest.len())];
            if self.has_controls
                && let Some(control) = plain.iter().position(|b| *b < 0x20)
            {
                self.at = at + control;
                return self.fail("Invalid control character at");
            }
            at += plain.len();
            match rest.get(plain.len()) {
                None => return self.fail("Unterminated string starting at"),
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(RawStr {
                        raw: &self.text[start..at],
                        escaped,
                    });
                }
                Some(_) => {
                    escaped = true;
                    at = self.escape(at)?;
                }
            }
        }
    }

    /// Checks one escape sequence and returns the byte after it.
    fn escape(&mut self, at: usize) -> Result<usize, Fault> {
        match self.bytes.get(at + 1) {
            None => self.fail("Unterminated string starting at"),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => {
                let digits = self.bytes.get(at + 2..at + 6).unwrap_or_default();
                if digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit) {
                    return Ok(at + 6);
                }
                self.at = at + 1;
                self.fail("Invalid \\uXXXX escape")
            }
            Some(_) => {
                self.at = at;
                self.fail("Invalid \\escape")
            }
        }
    }

    /// Reads a number or a Python constant such as `NaN`; `None` if neither stands here.
    pub(crate) fn number(&mut self) -> Option<Value> {
        if let Some(x) = self.small_int() {
            return Some(Value::Int(x));
        }
        let rest = &self.bytes[self.at..];
        for (word, x) in [
            ("NaN", f64::NAN),
            ("Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                return Some(Value::Float(x));
            }
        }
        let digits = |from: usize| {
            rest.get(from..)
                .unwrap_or_default()
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count()
        };
        let sign = usize::from(rest.first() == Some(&b'-'));
        let whole = match rest.get(sign) {
            Some(b'0') => 1,
            Some(b'1'..=b'9') => digits(sign),
            _ => return None,
        };
        let mut len = sign + whole;
        let mut is_int = true;
        if rest.get(len) == Some(&b'.') && digits(len + 1) > 0 {
            len += 1 + digits(len + 1);
            is_int = false;
        }
        if matches!(rest.get(len), Some(b'e' | b'E')) {
            let exponent_sign = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits(len + 1 + exponent_sign);
            if exponent > 0 {
                len += 1 + exponent_sign + exponent;
                is_int = false;
            }
        }
        let text = &self.text[self.at..self.at + len];
        self.at += len;
        // The same number either way; the shorter one is far quicker.
        let x = match text.parse::<u32>() {
            Ok(x) => f64::from(x),
            Err(_) => text.parse::<f64>().unwrap_or(f64::NAN),
        };
        if !is_int {
            return Some(Value::Float(x));
        }
        let digits = &text[sign..];
        Some(match digits.parse() {
            Ok(digits) if x.abs() >= EXACT => Value::Long(x, digits),
            _ => Value::Int(x),
        })
    }

    /// One or two digits and then something else: nearly every score.
    #[inline]
    pub fn small_int(&mut self) -> Option<f64> {
        let digit = |at: usize| {
            self.bytes
                .get(at)
                .filter(|b| b.is_ascii_digit())
                .map(|b| b - b'0')
        };
        let is_end =
            |at: usize| matches!(self.bytes.get(at), Some(b',' | b'}' | b' ' | b'\n') | None);
        let first = digit(self.at)?;
        let (len, value) = match digit(self.at + 1) {
            Some(second) if first > 0 => (2, first * 10 + second),
            Some(_) => return None,
            None => (1, first),
        };
        if !is_end(self.at + len) {
            return None;
        }
        self.at += len;
        Some(f64::from(value))
    }

    /// Steps over a whole number without sign that prints as it stands, and returns it.
    #[inline]
    pub fn digits(&mut self) -> Option<&'a str> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let len = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let is_plain = match rest.first() {
            Some(b'0') => len == 1,
            _ => (1..10).contains(&len),
        };
        let start = self.at;
        self.at += len;
        is_plain.then(|| self.since(start))
    }

    /// Steps over a short string without escapes, if one stands here, and returns what is in it.
    pub fn plain_string(&mut self) -> Option<&'a str> {
        (self.peek() == Some(b'"')).then_some(())?;
        let string = self.string().ok()?;
        (!string.escaped).then_some(string.raw)
    }

    /// Steps over exactly this text, if it stands here.
    #[inline]
    pub fn word(&mut self, word: &str) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let found = rest.starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    /// Steps over this key and to its value, if it stands here as `json.dump` writes it: no escapes, `": "` behind it.
    #[inline]
    pub fn plain_key(&mut self, name: &str) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let behind = rest
            .strip_prefix(b"\"")
            .and_then(|rest| rest.strip_prefix(name.as_bytes()));
        let found = behind.is_some_and(|rest| rest.starts_with(b"\": "));
        if found {
            self.at += name.len() + 4;
            self.space();
        }
        found
    }

    /// Notes a key that stands in other capitals among the entries, with another value.
    fn note_capitals(&mut self, entries: &[(String, Value)], key: &str, value: &Value) {
        let mut known = entries.iter().take(MAX_KEYS);
        if self.repeated.is_none()
            && known.any(|(other, known)| other.eq_ignore_ascii_case(key) && known != value)
        {
            self.repeated = Some(key.to_owned());
        }
    }

    /// Reads any value into a tree.
    pub fn value(&mut self, depth: u32) -> Result<Value, Fault> {
        if depth > MAX_DEPTH {
            return self.fail("Nested too deeply");
        }
        match self.peek() {
            Some(b'"') => Ok(Value::Str(self.string()?.decode())),
            Some(b'{') => {
                self.at += 1;
                let mut entries: Vec<(String, Value)> = Vec::new();
                let mut index = Keyed::default();
                let mut first = true;
                while let Some(key) = self.key(&mut first)? {
                    let key = key.decode();
                    let value = self.value(depth + 1)?;
                    match index.find(&key, &entries, |(known, _)| known) {
                        None => {
                            self.note_capitals(&entries, &key, &value);
                            entries.push((key, value));
                        }
                        Some(place) => {
                            if entries[place].1 != value {
                                self.repeated.get_or_insert(key);
                            }
                            entries[place].1 = value;
                        }
                    }
                }
                Ok(Value::Dict(entries))
            }
            Some(b'[') => {
                self.at += 1;
                let mut items = Vec::new();
                self.items(|scanner| {
                    items.push(scanner.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Value::List(items))
            }
            Some(b'n') if self.word("null") => Ok(Value::Null),
            Some(b't') if self.word("true") => Ok(Value::Bool(true)),
            Some(b'f') if self.word("false") => Ok(Value::Bool(false)),
            _ => match self.number() {
                Some(number) => Ok(number),
                None => self.fail("Expecting value"),
            },
        }
    }

    /// Calls `each` on every item of a list; the scanner stands behind the opening bracket.
    pub fn items(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            each(self)?;
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.fail("Expecting ',' delimiter"),
            }
            self.space();
        }
    }

    /// Checks any value and steps over it without building it.
    pub fn skip(&mut self, depth: u32) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return self.fail("Nested too deeply");
        }
        match self.peek() {
            Some(b'"') => self.string().map(|_| ()),
            Some(b'{') => {
                self.at += 1;
                let mut first = true;
                while self.key(&mut first)?.is_some() {
                    self.skip(depth + 1)?;
                }
                Ok(())
            }
            Some(b'[') => {
                self.at += 1;
                self.items(|scanner| scanner.skip(depth + 1))
            }
            _ => self.value(depth).map(|_| ()),
        }
    }
}

/// How many bytes from the start need no attention inside a string: no quote, no backslash, no control character.
///
/// Eight bytes at a time, which is the quickest way for keys.
#[inline]
fn plain_len(text: &[u8]) -> usize {
    let mut len = 0;
    for chunk in text.chunks_exact(8) {
        let word = bytes::word(chunk);
        let quote = zeros(word ^ splat(b'"'));
        let backslash = zeros(word ^ splat(b'\\'));
        // The lowest mark is exact, and the one that counts.
        let stop = quote | backslash | controls(word);
        if stop != 0 {
            return len + (stop.trailing_zeros() / 8) as usize;
        }
        len += 8;
    }
    len
}

/// Resolves the escapes of a checked string.
fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => out.push(unicode_escape(&mut chars)),
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// Reads the digits behind `\u`, and the low half of a surrogate pair where one follows.
fn unicode_escape(chars: &mut std::str::Chars<'_>) -> char {
    let hex = |chars: &mut std::str::Chars<'_>| {
        chars
            .by_ref()
            .take(4)
            .fold(0, |unit, c| unit * 16 + c.to_digit(16).unwrap_or(0))
    };
    let unit = hex(chars);
    if !(0xD800..0xDC00).contains(&unit) {
        return char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let mut ahead = chars.clone();
    if ahead.next() == Some('\\') && ahead.next() == Some('u') {
        let low = hex(&mut ahead);
        if (0xDC00..0xE000).contains(&low) {
            *chars = ahead;
            let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
    }
    char::REPLACEMENT_CHARACTER
}

/// Python's `float(value)`, `None` where it raises: numbers, booleans, and text such as `" 1e0 "`, `"1_0"` or `"nan"`.
///
/// # Example
/// ```
/// use juror_reading::py::{Value, float};
/// assert_eq!(float(&Value::Str(" 0.5\n".into())), Some(0.5));
/// assert_eq!(float(&Value::Bool(true)), Some(1.0));
/// assert_eq!(float(&Value::Null), None);
/// ```
pub fn float(value: &Value) -> Option<f64> {
    let Value::Str(text) = value else {
        return value.as_number();
    };
    let plain = plain_digits(text)?;
    let unsigned = plain.trim_start_matches(['+', '-']);
    let is_word = ["inf", "infinity", "nan"]
        .iter()
        .any(|word| unsigned.eq_ignore_ascii_case(word));
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    // Rust's grammar for decimals is Python's once underscores and foreign digits are gone.
    (is_word || is_number).then(|| plain.parse().ok()).flatten()
}

/// Python's `int(value)`, `None` where it raises: fractions are cut off, text must be a whole number.
///
/// # Example
/// ```
/// use juror_reading::py::{Value, int};
/// assert_eq!(int(&Value::Float(0.9)), Some(0.0));
/// assert_eq!(int(&Value::Str("1".into())), Some(1.0));
/// assert_eq!(int(&Value::Str("1.0".into())), None);
/// assert_eq!(int(&Value::Float(f64::NAN)), None);
/// ```
pub fn int(value: &Value) -> Option<f64> {
    let Value::Str(text) = value else {
        return value.as_number().filter(|x| x.is_finite()).map(f64::trunc);
    };
    let plain = plain_digits(text)?;
    let digits = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    let is_whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_whole.then(|| plain.parse().ok()).flatten()
}

/// A number's text without surrounding space and with ASCII digits; `None` if an underscore stands elsewhere than between digits.
fn plain_digits(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.trim_matches(is_space).chars().peekable();
    let mut after_digit = false;
    while let Some(c) = chars.next() {
        if c == '_' {
            let before_digit = chars.peek().copied().and_then(decimal_digit).is_some();
            if !(after_digit && before_digit) {
                return None;
            }
            after_digit = false;
            continue;
        }
        let value = decimal_digit(c);
        after_digit = value.is_some();
        out.push(
            value
                .and_then(|value| char::from_digit(u32::from(value), 10))
                .unwrap_or(c),
        );
    }
    Some(out)
}

/// `round(x, digits)`: the decimal nearest to the exact binary value, an exact tie to the even digit.
///
/// `NaN` and infinities come back as they are. `digits` above 15 are not rounded at all.
///
/// # Example
/// ```
/// use juror_reading::py::round;
/// assert_eq!(round(0.125, 2), 0.12); // an exact tie
/// assert_eq!(round(2.675, 2), 2.67); // just below one in binary
/// assert_eq!(round(2.5, 0), 2.0);
/// ```
pub fn round(x: f64, digits: usize) -> f64 {
    if !x.is_finite() || digits > 15 {
        return x;
    }
    // A tie is x·10ⁿ = k + ½ exactly. Then x·10ⁿ·2 is an odd integer below 2^53 and both products are exact.
    let scale = 10f64.powi(i32::try_from(digits).unwrap_or(0));
    let scaled = x * scale;
    #[expect(clippy::float_cmp, reason = "a tie is exact or none")]
    let is_tie = scaled.fract().abs() == 0.5 && exact_product(x, scale, scaled);
    if is_tie {
        return scaled.round_ties_even() / scale;
    }
    format!("{x:.digits$}").parse().unwrap_or(x)
}

/// Whether `a·b` is `product` without rounding, by Dekker's splitting (no fused multiply-add in Wasm).
fn exact_product(a: f64, b: f64, product: f64) -> bool {
    let split = |x: f64| {
        let high = x * 134_217_729.0;
        let high = high - (high - x);
        (high, x - high)
    };
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    let error = a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2);
    error == 0.0
}

/// Where the ten decimal digits of each script start (Unicode category Nd), ASCII aside.
const DIGIT_ZEROS: [u32; 67] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x1_04A0, 0x1_0D30, 0x1_1066, 0x1_10F0, 0x1_1136, 0x1_11D0, 0x1_12F0, 0x1_1450, 0x1_14D0,
    0x1_1650, 0x1_16C0, 0x1_1730, 0x1_18E0, 0x1_1950, 0x1_1C50, 0x1_1D50, 0x1_1DA0, 0x1_1F50,
    0x1_6A60, 0x1_6AC0, 0x1_6B50, 0x1_D7CE, 0x1_D7D8, 0x1_D7E2, 0x1_D7EC, 0x1_D7F6, 0x1_E140,
    0x1_E2F0, 0x1_E4F0, 0x1_E950, 0x1_FBF0,
];

/// What Python's `\d` matches and `int` reads: the value of a decimal digit of any script.
pub fn decimal_digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
    }
    let code = u32::from(c);
    let zero = DIGIT_ZEROS[..DIGIT_ZEROS.partition_point(|zero| *zero <= code)].last()?;
    u8::try_from(code - zero).ok().filter(|digit| *digit < 10)
}

/// What Python's `\s` matches and `str.strip` removes: white space, and the four separators of ASCII.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[expect(clippy::float_cmp, reason = "rounding is exact or wrong")]
mod tests;
