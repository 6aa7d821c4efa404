//! YAML → values, as the authors' `yaml.safe_load` builds them: the case cards are the only YAML that Juror reads.
//!
//! The parser knows YAML 1.2; the authors' library follows YAML 1.1, where a bare `yes` is a truth value and `010` is eight.
//! Those rules for bare words are here, so that a card means the same to both.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use juror_reading::keyed::Keyed;
use juror_reading::limits::{YAML_BYTES, YAML_DEPTH};
use juror_reading::py::Value;

/// Where and why a text is not a card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (line {line}, column {column})")]
#[non_exhaustive]
pub struct YamlError {
    /// What is wrong.
    pub message: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Reads one YAML document, keys in their order; nothing at all is `null`.
///
/// # Errors
/// Not YAML, more than one document, an unknown tag, or a key that is a list or a mapping.
///
/// # Example
/// ```
/// use juror_protocols::micon::layout::yaml;
/// use juror_reading::py::Value;
/// let card = yaml::load("refs:\n  RB: b.png\n  RA: a.png\nsure: yes\n").unwrap();
/// assert_eq!(card.get("sure"), Some(&Value::Bool(true)));
/// let Some(Value::Dict(refs)) = card.get("refs") else { panic!() };
/// assert_eq!(refs[0].0, "RB"); // the order of the file
/// ```
pub fn load(text: &str) -> Result<Value, YamlError> {
    let mut reader = Reader {
        events: Parser::new_from_str(text.strip_prefix('\u{feff}').unwrap_or(text)),
        anchors: HashMap::new(),
        num_bytes: 0,
        line: 1,
        column: 1,
    };
    let mut document = None;
    loop {
        match reader.next()? {
            None | Some(Event::StreamEnd) => return Ok(document.unwrap_or(Value::Null)),
            Some(Event::DocumentStart(_)) if document.is_some() => {
                return Err(reader.error("There is a second document in the file"));
            }
            Some(Event::DocumentStart(_)) => {
                let first = reader.next()?;
                document = Some(reader.value(first, 0)?);
            }
            Some(_) => {}
        }
    }
}

struct Reader<'a> {
    events: Parser<'a, saphyr_parser::StrInput<'a>>,
    /// What anchors name, with its bytes.
    anchors: HashMap<usize, (Value, usize)>,
    /// What all values come to in memory, those that aliases repeat and anchors keep included.
    num_bytes: usize,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<Event<'a>>, YamlError> {
        match self.events.next_event() {
            None => Ok(None),
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                self.column = span.start.col() + 1;
                Ok(Some(event))
            }
            Some(Err(error)) => Err(YamlError {
                message: error.info().to_owned(),
                line: error.marker().line(),
                column: error.marker().col() + 1,
            }),
        }
    }

    fn error(&self, message: &str) -> YamlError {
        YamlError {
            message: message.to_owned(),
            line: self.line,
            column: self.column,
        }
    }

    /// Counts bytes before they are taken: repeated aliases must not fill the memory.
    fn take(&mut self, bytes: usize) -> Result<(), YamlError> {
        self.num_bytes = self.num_bytes.saturating_add(bytes);
        if self.num_bytes > YAML_BYTES {
            let mebibytes = YAML_BYTES >> 20;
            return Err(self.error(&format!(
                "The document comes to more than {mebibytes} MiB, aliases (*name) counted as often as they stand"
            )));
        }
        Ok(())
    }

    /// The value that starts with this event.
    fn value(&mut self, event: Option<Event<'a>>, depth: u32) -> Result<Value, YamlError> {
        if depth > YAML_DEPTH {
            return Err(self.error("The document is nested too deeply"));
        }
        let before = self.num_bytes;
        let (value, anchor) = match event {
            Some(Event::Scalar(text, style, anchor, tag)) => {
                let is_bare = style == ScalarStyle::Plain;
                self.take(size_of::<Value>() + text.len())?;
                (self.scalar(&text, is_bare, tag.as_deref())?, anchor)
            }
            Some(Event::SequenceStart(anchor, tag)) => {
                self.check_tag(tag.as_deref(), "seq")?;
                self.take(size_of::<Value>())?;
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        Some(Event::SequenceEnd) => break,
                        event => items.push(self.value(event, depth + 1)?),
                    }
                }
                (Value::List(items), anchor)
            }
            Some(Event::MappingStart(anchor, tag)) => {
                self.check_tag(tag.as_deref(), "map")?;
                self.take(size_of::<Value>())?;
                (self.mapping(depth)?, anchor)
            }
            Some(Event::Alias(anchor)) => {
                let known = self.anchors.get(&anchor).map(|(_, bytes)| *bytes);
                let bytes = known.ok_or_else(|| self.error("An alias names no anchor"))?;
                self.take(bytes)?;
                let known = self.anchors.get(&anchor);
                (known.map_or(Value::Null, |(value, _)| value.clone()), 0)
            }
            _ => return Err(self.error("A value is missing here")),
        };
        if anchor > 0 {
            let bytes = self.num_bytes - before;
            self.take(bytes)?;
            self.anchors.insert(anchor, (value.clone(), bytes));
        }
        Ok(value)
    }

    /// Keys in order of first appearance; the last of two equal ones wins, as in Python.
    fn mapping(&mut self, depth: u32) -> Result<Value, YamlError> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        let mut index = Keyed::default();
        loop {
            let event = match self.next()? {
                Some(Event::MappingEnd) => return Ok(Value::Dict(entries)),
                event => event,
            };
            let key = self.value(event, depth + 1)?;
            let Some(key) = text_of(&key) else {
                return Err(self.error("A key must be a word or a number"));
            };
            let event = self.next()?;
            let value = self.value(event, depth + 1)?;
            index.put(&mut entries, key, value);
        }
    }

    fn scalar(&self, text: &str, is_bare: bool, tag: Option<&Tag>) -> Result<Value, YamlError> {
        match tag {
            None if is_bare => Ok(bare(text)),
            None => Ok(Value::Str(text.to_owned())),
            Some(tag) if tag.handle == "!" && tag.suffix.is_empty() => {
                Ok(Value::Str(text.to_owned()))
            }
            Some(tag) if tag.is_yaml_core_schema() => match tag.suffix.as_str() {
                "str" => Ok(Value::Str(text.to_owned())),
                "null" | "bool" | "int" | "float" => Ok(bare(text)),
                _ => Err(self.unknown_tag(tag)),
            },
            Some(tag) => Err(self.unknown_tag(tag)),
        }
    }

    fn check_tag(&self, tag: Option<&Tag>, expected: &str) -> Result<(), YamlError> {
        match tag {
            Some(tag) if !(tag.is_yaml_core_schema() && tag.suffix == expected) => {
                Err(self.unknown_tag(tag))
            }
            _ => Ok(()),
        }
    }

    fn unknown_tag(&self, tag: &Tag) -> YamlError {
        self.error(&format!("The tag {tag} is not understood"))
    }
}

/// A value as Python's `str` prints it, which is how the authors' prompt builder shows whatever is not text.
///
/// `None` for lists and mappings: those are mistakes in a card.
///
/// # Example
/// ```
/// use juror_protocols::micon::layout::yaml::text_of;
/// use juror_reading::py::Value;
/// assert_eq!(text_of(&Value::Bool(false)).as_deref(), Some("False"));
/// assert_eq!(text_of(&Value::Float(2.0)).as_deref(), Some("2.0"));
/// ```
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::Null => Some("None".to_owned()),
        Value::Float(x) if x.is_finite() && x.fract() == 0.0 => Some(format!("{x:.1}")),
        Value::Int(x) | Value::Long(x, _) | Value::Float(x) => Some(format!("{x}")),
        Value::List(_) | Value::Dict(_) => None,
    }
}

/// A bare word by the rules of YAML 1.1.
fn bare(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Value::Bool(true);
        }
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Value::Bool(false);
        }
        _ => {}
    }
    let is_numeric = |c: char| c.is_ascii_digit() || c == '.';
    if !text.trim_start_matches(['+', '-']).starts_with(is_numeric) {
        return Value::Str(text.to_owned());
    }
    whole(text)
        .map(Value::Int)
        .or_else(|| fraction(text).map(Value::Float))
        .unwrap_or_else(|| Value::Str(text.to_owned()))
}

/// `12`, `1_000`, `0x1F`, `0b101`, `017` (eight-based) or `1:30` (sixty-based).
fn whole(text: &str) -> Option<f64> {
    let (sign, unsigned) = signed(text);
    let digits = unsigned.replace('_', "");
    let in_base = |digits: &str, base: u32| {
        let read = digits.chars().try_fold(0.0, |sum, c| {
            Some(sum * f64::from(base) + f64::from(c.to_digit(base)?))
        });
        read.filter(|_| !digits.is_empty())
    };
    let value = if let Some(rest) = digits.strip_prefix("0b") {
        in_base(rest, 2)?
    } else if let Some(rest) = digits.strip_prefix("0x") {
        in_base(rest, 16)?
    } else if let Some(rest) = digits.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        in_base(rest, 8)?
    } else if digits.contains(':') {
        sixties(&digits)?
    } else {
        in_base(&digits, 10)?
    };
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit());
    is_number.then_some(sign * value)
}

fn sixties(digits: &str) -> Option<f64> {
    let mut parts = digits.split(':');
    let first = parts.next()?;
    if first.starts_with('0') || first.is_empty() || !first.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    parts.try_fold(first.parse::<f64>().ok()?, |sum, part| {
        let is_sixtieth = matches!(part.len(), 1 | 2) && part.bytes().all(|b| b.is_ascii_digit());
        let part = part
            .parse::<u8>()
            .ok()
            .filter(|part| is_sixtieth && *part < 60)?;
        Some(sum * 60.0 + f64::from(part))
    })
}

/// `1.5`, `.5`, `1.5e+3` (the exponent's sign is needed), `.inf`, `.nan`.
fn fraction(text: &str) -> Option<f64> {
    let (sign, unsigned) = signed(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (before, after) = mantissa.split_once('.')?;
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let has_exponent = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    });
    let is_start = before.starts_with(|c: char| c.is_ascii_digit())
        || (before.is_empty() && after.starts_with(|c: char| c.is_ascii_digit()));
    if !(is_start && is_digits(before) && is_digits(after) && has_exponent) {
        return None;
    }
    let plain = unsigned.replace('_', "");
    Some(sign * plain.parse::<f64>().ok()?)
}

fn signed(text: &str) -> (f64, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Str(text.to_owned())
    }

    #[test]
    fn bare_words_mean_what_they_mean_to_the_authors_library() {
        for (word, expected) in [
            ("yes", Value::Bool(true)),
            ("Off", Value::Bool(false)),
            ("~", Value::Null),
            ("", Value::Null),
            ("0011", Value::Int(9.0)),
            ("0019", text("0019")),
            ("1_000", Value::Int(1000.0)),
            ("0x1F", Value::Int(31.0)),
            ("-0b11", Value::Int(-3.0)),
            ("1:30", Value::Int(90.0)),
            ("1:60", text("1:60")),
            ("1.5", Value::Float(1.5)),
            ("1.", Value::Float(1.0)),
            (".5", Value::Float(0.5)),
            ("1.5e3", text("1.5e3")),
            ("1.5e+3", Value::Float(1500.0)),
            ("-.inf", Value::Float(f64::NEG_INFINITY)),
            ("1.2.3", text("1.2.3")),
            ("+", text("+")),
            ("_1", text("_1")),
            ("case_0001", text("case_0001")),
            ("2024-05-01", text("2024-05-01")),
        ] {
            assert_eq!(bare(word), expected, "{word:?}");
        }
    }

    #[test]
    fn quotes_blocks_anchors_and_comments_are_read() {
        let card = load(
            "# a card\na: 'yes'\nb: |\n  one\n  two\nc: >-\n  one\n  two\nd: &x [1, 'x']\ne: *x\nf: !!str 12\na: \"n\\u00e9\"\n",
        )
        .unwrap();
        assert_eq!(
            card.get("a"),
            Some(&text("né")),
            "the last of two keys wins"
        );
        assert_eq!(card.get("b"), Some(&text("one\ntwo\n")));
        assert_eq!(card.get("c"), Some(&text("one two")));
        assert_eq!(card.get("e"), card.get("d"));
        assert_eq!(card.get("f"), Some(&text("12")));
        assert_eq!(load("").unwrap(), Value::Null);
    }

    #[test]
    fn errors_say_where() {
        let error = load("a: 1\nb: [1, 2\nc: 3\n").unwrap_err();
        assert!(error.line >= 2, "{error}");
        for bad in [
            "a: b: c",
            "a: 1\n---\nb: 2\n",
            "a: !python/object x",
            "\"open",
            "? [a]\n: b\n",
            "*x",
        ] {
            assert!(load(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_bomb_of_aliases_is_an_error_and_deep_nesting_no_overflow() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..10 {
            let before = level - 1;
            let aliases = vec![format!("*a{before}"); 10].join(", ");
            bomb = format!("{bomb}a{level}: &a{level} [{aliases}]\n");
        }
        assert!(load(&bomb).is_err());
        assert!(load(&"[".repeat(5000)).is_err());
    }
}
