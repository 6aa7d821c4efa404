//! Objects in a text, read loosely and written as JSON.

use super::lines::is_named;
use super::value::{self, Place};
use super::{Allowance, Allowances, Shape, Unclear, Wanted};

/// How deep objects and lists may be in each other.
const DEPTH: u32 = 32;

/// The objects of a text that hold a wanted key.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) found: Vec<Object>,
    /// The text without them.
    pub(super) around: String,
    /// Where in it the text behind the last of them begins.
    pub(super) behind: usize,
}

/// One object.
#[derive(Debug)]
pub(super) struct Object {
    /// It, as JSON.
    pub(super) text: String,
    /// Wanted keys and their numbers.
    pub(super) numbers: Vec<(usize, String)>,
    pub(super) allowances: Allowances,
}

/// A value as it is written.
#[derive(Debug)]
enum Json {
    Text(String),
    /// A number or a word, in JSON's spelling.
    Literal(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Why a text is no object.
enum Broken {
    /// It ends too early.
    CutOff,
    /// Something else is in it.
    Junk,
}

/// Finds them.
pub(super) fn objects(wanted: &Wanted, text: &str) -> Result<Objects, Unclear> {
    let mut objects = Objects::default();
    let mut at = 0;
    while let Some(open) = text[at..].find(['{', '｛']).map(|found| at + found) {
        objects.around.push_str(&text[at..open]);
        let mut scanner = Scanner::new(wanted, &text[open..]);
        let read = scanner.value(0);
        let end = match &read {
            Ok(_) => open + scanner.at,
            Err(_) => open + closing(&text[open..]).unwrap_or(text.len() - open),
        };
        let span = &text[open..end];
        match read {
            Ok(value @ Json::Object(_)) if holds(wanted, &value) => {
                objects
                    .found
                    .push(object(wanted, value, scanner.allowances));
                objects.behind = objects.around.len();
            }
            Err(_) if mentions(wanted, span) => {
                let is_cut = matches!(read, Err(Broken::CutOff));
                return Err(if is_cut {
                    Unclear::CutOff
                } else {
                    Unclear::Two
                });
            }
            // An object without a wanted key is no verdict, and braces in words are no object.
            _ => objects.around.push_str(span),
        }
        at = end;
    }
    objects.around.push_str(&text[at..]);
    note_around(&mut objects);
    Ok(objects)
}

/// Names what is around the objects.
fn note_around(objects: &mut Objects) {
    let mut rest = objects.around.clone();
    let has_fence = rest.contains("```");
    for fence in ["```json", "```JSON", "```python", "```"] {
        rest = rest.replace(fence, "");
    }
    for object in &mut objects.found {
        if has_fence {
            object.allowances.insert(Allowance::Fences);
        }
        if !rest.trim().is_empty() {
            object.allowances.insert(Allowance::Prose);
        }
    }
}

/// The length of the text up to the brace that closes its first one, whatever is between.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '｛' => depth += 1,
            '}' | '｝' if depth == 1 => return Some(at + c.len_utf8()),
            '}' | '｝' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a text names a wanted key.
fn mentions(wanted: &Wanted, span: &str) -> bool {
    let low = span.to_lowercase();
    let mut names = wanted.keys.iter().map(|key| key.name.to_lowercase());
    names.any(|name| low.contains(&name)) || low.contains("score") || low.contains("\"pass\"")
}

/// Whether an object has a wanted key at any depth.
fn holds(wanted: &Wanted, value: &Json) -> bool {
    match value {
        Json::Object(entries) => entries.iter().any(|(name, value)| {
            wanted.keys.iter().any(|key| is_named(key, name)) || holds(wanted, value)
        }),
        Json::List(items) => items.iter().any(|item| holds(wanted, item)),
        _ => false,
    }
}

/// An object with its numbers; one that is the only entry of another is taken out of it.
fn object(wanted: &Wanted, mut value: Json, mut allowances: Allowances) -> Object {
    let is_key = |name: &str| wanted.keys.iter().any(|key| is_named(key, name));
    if matches!(wanted.shape, Shape::Object | Shape::Scores | Shape::Lines) {
        loop {
            match value {
                Json::Object(mut entries) if matches!(&*entries, [(name, Json::Object(_))] if !is_key(name)) =>
                {
                    let inner = entries.pop().map(|(_, inner)| inner);
                    value = inner.unwrap_or(Json::Object(Vec::new()));
                    allowances.insert(Allowance::Prose);
                }
                other => {
                    value = other;
                    break;
                }
            }
        }
    }
    let mut numbers = Vec::new();
    if let Json::Object(entries) = &value {
        for (name, value) in entries {
            let Some(key) = wanted.keys.iter().position(|key| is_named(key, name)) else {
                continue;
            };
            let number = match value {
                Json::Object(inner) => inner
                    .iter()
                    .find(|(name, _)| name == "score" || name == "pass")
                    .map(|(_, value)| value),
                value => Some(value),
            };
            match number {
                Some(Json::Literal(number)) => numbers.push((key, number.clone())),
                // The strict reader then says that it is no number.
                _ => numbers.push((key, "null".to_owned())),
            }
        }
    }
    let mut text = String::new();
    write(&value, &mut text);
    Object {
        text,
        numbers,
        allowances,
    }
}

fn write(value: &Json, out: &mut String) {
    match value {
        Json::Text(text) => *out += &serde_json::Value::from(&**text).to_string(),
        Json::Literal(literal) => *out += literal,
        Json::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                *out += if at > 0 { ", " } else { "" };
                write(item, out);
            }
            out.push(']');
        }
        Json::Object(entries) => {
            out.push('{');
            for (at, (name, value)) in entries.iter().enumerate() {
                *out += if at > 0 { ", " } else { "" };
                *out += &serde_json::Value::from(&**name).to_string();
                *out += ": ";
                write(value, out);
            }
            out.push('}');
        }
    }
}

/// Goes over a text.
struct Scanner<'a> {
    wanted: &'a Wanted,
    text: &'a str,
    at: usize,
    allowances: Allowances,
}

impl<'a> Scanner<'a> {
    fn new(wanted: &'a Wanted, text: &'a str) -> Self {
        Self {
            wanted,
            text,
            at: 0,
            allowances: Allowances::new(),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character behind white space and comments, in its narrow form.
    fn peek(&mut self) -> Result<char, Broken> {
        loop {
            let rest = self.rest();
            let text = rest.trim_start();
            self.at += rest.len() - text.len();
            let end = if text.starts_with("//") || text.starts_with('#') {
                text.find('\n')
            } else if text.starts_with("/*") {
                text.find("*/").map(|end| end + 2)
            } else {
                let c = text.chars().next().ok_or(Broken::CutOff)?;
                return Ok(value::narrow_char(c));
            };
            self.at += end.ok_or(Broken::CutOff)?;
            self.allowances.insert(Allowance::Syntax);
        }
    }

    /// Goes over one character.
    fn step(&mut self) {
        if let Some(c) = self.rest().chars().next() {
            if value::narrow_char(c) != c {
                self.allowances.insert(Allowance::FullWidth);
            }
            self.at += c.len_utf8();
        }
    }

    fn value(&mut self, depth: u32) -> Result<Json, Broken> {
        if depth > DEPTH {
            return Err(Broken::Junk);
        }
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.list(depth),
            '"' | '\'' | '“' | '‘' => self.string().map(Json::Text),
            _ => self.literal(),
        }
    }

    fn object(&mut self, depth: u32) -> Result<Json, Broken> {
        self.step();
        let mut entries = Vec::new();
        loop {
            match self.peek()? {
                '}' => break,
                '"' | '\'' | '“' | '‘' => {}
                c if c.is_alphabetic() => {}
                _ => return Err(Broken::Junk),
            }
            let name = self.name()?;
            if self.peek()? != ':' {
                return Err(Broken::Junk);
            }
            self.step();
            let value = self.value(depth + 1)?;
            entries.push(self.entry(name, value));
            if !self.go_on('}')? {
                break;
            }
        }
        self.step();
        Ok(Json::Object(entries))
    }

    fn list(&mut self, depth: u32) -> Result<Json, Broken> {
        self.step();
        let mut items = Vec::new();
        while self.peek()? != ']' {
            items.push(self.value(depth + 1)?);
            if !self.go_on(']')? {
                break;
            }
        }
        self.step();
        Ok(Json::List(items))
    }

    /// Whether another entry may follow; goes over the comma.
    fn go_on(&mut self, close: char) -> Result<bool, Broken> {
        match self.peek()? {
            ',' => {
                self.step();
                if self.peek()? == close {
                    self.allowances.insert(Allowance::TrailingCommas);
                }
                Ok(true)
            }
            c if c == close => Ok(false),
            _ => Err(Broken::Junk),
        }
    }

    /// A key, in quotes or without.
    fn name(&mut self) -> Result<String, Broken> {
        if matches!(self.peek()?, '"' | '\'' | '“' | '‘') {
            return self.string();
        }
        let rest = self.rest();
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let end = rest.find(|c| !is_name(c)).ok_or(Broken::CutOff)?;
        self.at += end;
        self.allowances.insert(Allowance::Syntax);
        Ok(rest[..end].to_owned())
    }

    fn string(&mut self) -> Result<String, Broken> {
        let mut left = self.rest().chars();
        let open = left.next().ok_or(Broken::CutOff)?;
        let close = match open {
            '“' => '”',
            '‘' => '’',
            other => value::narrow_char(other),
        };
        if open != '"' {
            self.allowances.insert(Allowance::Syntax);
        }
        let mut text = String::new();
        loop {
            let c = left.next().ok_or(Broken::CutOff)?;
            match c {
                '\\' => {
                    let c = left.next().ok_or(Broken::CutOff)?;
                    match c {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        'b' | 'f' => {}
                        'u' => text.push(escaped(&mut left)?),
                        other => text.push(other),
                    }
                }
                c if c == close || (close == '"' && c == '＂') => break,
                c => {
                    if c.is_control() {
                        self.allowances.insert(Allowance::Syntax);
                    }
                    text.push(c);
                }
            }
        }
        self.at = self.text.len() - left.as_str().len();
        Ok(text)
    }

    /// A number or a word.
    fn literal(&mut self) -> Result<Json, Broken> {
        let rest = self.rest();
        let is_part = |c: char| {
            let c = value::narrow_char(c);
            c.is_alphanumeric() || "+-./ ".contains(c)
        };
        let end = rest.find(|c| !is_part(c)).ok_or(Broken::CutOff)?;
        let mut own = Allowances::new();
        let written = value::narrow(&rest[..end], &mut own);
        let written = written.trim();
        let word = match written {
            "true" | "True" => "true",
            "false" | "False" => "false",
            "null" | "None" => "null",
            "NaN" | "Infinity" | "-Infinity" => written,
            _ => "",
        };
        self.at += end;
        if !word.is_empty() {
            if word != written {
                self.allowances.insert(Allowance::Syntax);
            }
            return Ok(Json::Literal(word.to_owned()));
        }
        self.allowances.append(&mut own);
        if serde_json::from_str::<serde_json::Number>(written).is_ok() {
            return Ok(Json::Literal(written.to_owned()));
        }
        // What is left may be a number on a scale, which the entry's key decides.
        if written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            return Ok(Json::Text(written.to_owned()));
        }
        Err(Broken::Junk)
    }

    /// An entry under the key as it is asked for, with a number where the key has one.
    fn entry(&mut self, name: String, value: Json) -> (String, Json) {
        let known = self.wanted.keys.iter().find(|key| is_named(key, &name));
        let inner = ["score", "pass"]
            .into_iter()
            .find(|inner| name.eq_ignore_ascii_case(inner));
        let asked = match (known, inner) {
            (Some(key), _) => &*key.name,
            (None, Some(inner)) if self.wanted.shape != Shape::Object => inner,
            _ => return (name, value),
        };
        if asked != name {
            self.allowances.insert(Allowance::Spelling);
        }
        let high = known
            .or(self.wanted.keys.first())
            .map_or(1.0, |key| key.high);
        let value = match value {
            Json::Text(text) => {
                let is_in_quotes = self.text[..self.at].trim_end().ends_with(['"', '\'', '”']);
                let mut own = Allowances::new();
                match value::read(&text, high, &mut own) {
                    Place::Number(number) => {
                        if is_in_quotes {
                            own.insert(Allowance::Quotes);
                        } else if own.is_empty() {
                            // `08`, `+8` and `8.` are no numbers of JSON.
                            own.insert(Allowance::Syntax);
                        }
                        self.allowances.append(&mut own);
                        Json::Literal(number)
                    }
                    _ => Json::Text(text),
                }
            }
            other => other,
        };
        (asked.to_owned(), value)
    }
}

/// The character of four hexadecimal digits; of half a pair, the mark for what cannot be read.
fn escaped(left: &mut std::str::Chars<'_>) -> Result<char, Broken> {
    let mut code = 0;
    for _ in 0..4 {
        let digit = left.next().ok_or(Broken::CutOff)?;
        code = code * 16 + digit.to_digit(16).ok_or(Broken::Junk)?;
    }
    Ok(char::from_u32(code).unwrap_or('\u{fffd}'))
}
