//! Prompt packs: the judge texts of a protocol, built in or read from the authors' own files.
//!
//! The authors keep their texts as string constants in Python files; [`python_strings`] reads those and executes nothing.

use std::collections::HashMap;

use crate::request::PackInfo;
use sha2::{Digest, Sha256};

use juror_statistics::small::SortSmall;

/// Digits of a hash that tell packs apart where people read them.
const SHORT_HASH: usize = 12;

/// The judge texts of one protocol, by kind of request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptPack {
    /// Name, origin and hash.
    pub info: PackInfo,
    texts: Vec<(String, String)>,
}

/// The judge texts of an authors' release, by the hash of the pack that they make.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    /// Hash of the pack: see [`PromptPack::new`].
    pub sha256: &'static str,
    /// Repository, commit and path.
    pub source: &'static str,
}

/// Whether a pack is called so by this program: `juror-weave/1`.
fn is_own_name(name: &str) -> bool {
    let parts = name
        .strip_prefix("juror-")
        .and_then(|it| it.split_once('/'));
    parts.is_some_and(|(id, version)| {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        !id.is_empty() && !version.is_empty() && is_number(version)
    })
}

impl PackInfo {
    /// Where the texts come from, in words: `official texts from eval/prompts.py (3855d33c4448)`.
    pub fn words(&self) -> String {
        let whose = if self.official {
            "official texts from "
        } else if is_own_name(&self.name) {
            "juror's wording, "
        } else {
            "texts from "
        };
        let hash: String = self.sha256.chars().take(SHORT_HASH).collect();
        format!("{whose}{} ({hash})", self.name)
    }
}

impl PromptPack {
    /// Puts a pack of our own wording together and hashes it.
    ///
    /// The hash is SHA-256 over `kind NUL text NUL` in the order of the kinds' names, so it depends on nothing but the texts.
    pub fn new(name: &str, mut texts: Vec<(String, String)>) -> Self {
        texts.sort_small();
        let mut hasher = Sha256::new();
        for (kind, text) in &texts {
            for part in [kind, text] {
                hasher.update(part.as_bytes());
                hasher.update([0]);
            }
        }
        let info = PackInfo {
            name: name.to_owned(),
            sha256: hex(&hasher.finalize()),
            official: false,
        };
        Self { info, texts }
    }

    /// Puts a pack of texts from files together: official where the texts are those of a release, whatever the files are called.
    ///
    /// Line ends count as one, as a checkout changes them.
    pub fn found(path: &str, mut texts: Vec<(String, String)>, releases: &[Release]) -> Self {
        for (_, text) in &mut texts {
            if text.contains('\r') {
                *text = text.replace("\r\n", "\n").replace('\r', "\n");
            }
        }
        // A path never reads as the name of our own wording.
        let name = if is_own_name(path) {
            format!("./{path}")
        } else {
            path.to_owned()
        };
        let mut pack = Self::new(&name, texts);
        pack.info.official = releases.iter().any(|one| one.sha256 == pack.info.sha256);
        pack
    }

    /// This pack with more texts, under another name.
    #[must_use]
    pub fn with(&self, name: &str, more: Vec<(String, String)>) -> Self {
        let mut texts = self.texts.clone();
        texts.extend(more);
        Self::new(name, texts)
    }

    /// The text for this kind of request.
    pub fn text(&self, kind: &str) -> Option<&str> {
        self.texts
            .iter()
            .find(|(k, _)| k == kind)
            .map(|(_, text)| text.as_str())
    }
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}

/// SHA-256 in hex.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of a kind and of texts, each with its length in bytes in front, so that no two lists of texts are hashed alike.
pub fn digest<'a>(kind: &str, texts: impl IntoIterator<Item = &'a str>) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(kind);
    for text in texts {
        hasher.update(format!("\n{} ", text.len()));
        hasher.update(text);
    }
    hasher.finalize().into()
}

/// Reads the module-level assignments `name = "text"` of a Python file; nothing is executed.
///
/// Understood: single and triple quotes, the prefixes `r`, `u`, `b` and `f` (an `f` text is taken as written),
/// the escapes of plain strings, adjacent strings, strings in parentheses, and `.strip()` behind a string.
/// An assignment of anything else is passed over.
///
/// # Example
/// ```
/// let found = juror_model::prompt::python_strings("A = 'x\\n' \\\n  'y'\nB = 3\n");
/// assert_eq!(found, [("A".to_owned(), "x\ny".to_owned())]);
/// ```
pub fn python_strings(source: &str) -> Vec<(String, String)> {
    // A name that is assigned again is at its last place.
    let mut found: Vec<Option<(String, String)>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut reader = PythonReader::new(source);
    while !reader.rest.is_empty() {
        if let Some((name, text)) = reader.assignment() {
            if let Some(earlier) = places.insert(name.clone(), found.len()) {
                found[earlier] = None;
            }
            found.push(Some((name, text)));
        } else {
            reader.skip_statement();
        }
    }
    found.into_iter().flatten().collect()
}

/// Every string literal of a Python text in its order, wherever it is; nothing is executed.
///
/// An `f` text is taken as written, with its `{fields}`.
///
/// # Example
/// ```
/// let found = juror_model::prompt::python_literals("def f(x):\n    a = f'1 {x}' # 'no'\n    return a, r\"\\d\"");
/// assert_eq!(found, ["1 {x}", "\\d"]);
/// ```
pub fn python_literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = PythonReader::new(source);
    while let Some(at) = reader.rest.find(['"', '\'', '#']) {
        let (before, rest) = reader.rest.split_at(at);
        if rest.starts_with('#') {
            reader.rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        let word = before
            .bytes()
            .rev()
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
            .count();
        reader.rest = &reader.rest[at - word..];
        if let Some(text) = reader.strings() {
            found.push(text);
        } else {
            reader.rest = &rest[1..];
        }
    }
    found
}

/// What may open and close a string, the longer ones first.
const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];

struct PythonReader<'a> {
    rest: &'a str,
    /// One bit for each of [`QUOTES`] at each byte, counted from the end: from here on, no such quote closes a string.
    ///
    /// Without it, a file of strings that are opened and never closed would be searched to its end for each of them.
    unclosed: Vec<u8>,
}

impl<'a> PythonReader<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            rest: source,
            unclosed: Vec::new(),
        }
    }

    /// `name = strings` at the start of a line; where there is none, nothing is read.
    fn assignment(&mut self) -> Option<(String, String)> {
        let start = self.rest;
        let found = self.assigned();
        if found.is_none() {
            self.rest = start;
        }
        found
    }

    fn assigned(&mut self) -> Option<(String, String)> {
        let name_len = self
            .rest
            .bytes()
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
            .count();
        if name_len == 0 || self.rest.as_bytes()[0].is_ascii_digit() {
            return None;
        }
        let (name, after) = self.rest.split_at(name_len);
        let mut after = after.trim_start_matches([' ', '\t']);
        if let Some(annotated) = after.strip_prefix(':') {
            after = annotated.trim_start().strip_prefix("str")?.trim_start();
        }
        let value = after.strip_prefix('=')?;
        if value.starts_with('=') {
            return None;
        }
        self.rest = value;
        let text = self.strings()?;
        self.skip_statement();
        Some((name.to_owned(), text))
    }

    /// One or more adjacent strings, perhaps in parentheses, perhaps stripped.
    fn strings(&mut self) -> Option<String> {
        self.space(false);
        let is_grouped = self.take("(");
        let mut text = String::new();
        let mut count = 0;
        loop {
            self.space(is_grouped);
            let Some(piece) = self.string() else { break };
            text.push_str(&piece);
            count += 1;
        }
        if count == 0 {
            return None;
        }
        if is_grouped {
            self.space(true);
            if !self.take(")") {
                return None;
            }
        }
        if self.take(".strip()") {
            text = text.trim().to_owned();
        }
        Some(text)
    }

    /// One string literal with its prefix.
    fn string(&mut self) -> Option<String> {
        let prefix_len = self
            .rest
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .count();
        let prefix = self.rest[..prefix_len].to_ascii_lowercase();
        let body = &self.rest[prefix_len..];
        if prefix_len > 2 || !prefix.bytes().all(|b| b"rubf".contains(&b)) {
            return None;
        }
        let kind = QUOTES.iter().position(|quote| body.starts_with(quote))?;
        let quote = QUOTES[kind];
        let inner = &body[quote.len()..];
        let end = self.closing_quote(inner, kind)?;
        self.rest = &inner[end + quote.len()..];
        let raw = &inner[..end].replace("\r\n", "\n");
        Some(if prefix.contains('r') {
            raw.clone()
        } else {
            python_unescape(raw)
        })
    }

    /// Where the string ends: the first closing quote behind no backslash.
    fn closing_quote(&mut self, inner: &str, kind: usize) -> Option<usize> {
        let bytes = inner.as_bytes();
        let is_unclosed = |at: usize| {
            let known = self.unclosed.get(bytes.len() - at);
            known.is_some_and(|kinds| kinds & (1 << kind) != 0)
        };
        let mut at = 0;
        while let Some(step) = step(bytes, at, QUOTES[kind]) {
            match step {
                0 => return Some(at),
                _ if is_unclosed(at) => break,
                _ => at += step,
            }
        }
        let end = at;
        if self.unclosed.len() <= bytes.len() {
            self.unclosed.resize(bytes.len() + 1, 0);
        }
        let mut at = 0;
        while at < end {
            self.unclosed[bytes.len() - at] |= 1 << kind;
            at += step(bytes, at, QUOTES[kind]).unwrap_or(1);
        }
        None
    }

    fn take(&mut self, word: &str) -> bool {
        self.rest
            .strip_prefix(word)
            .map(|rest| self.rest = rest)
            .is_some()
    }

    /// Blanks, joined lines, and inside parentheses also line ends and comments.
    fn space(&mut self, across_lines: bool) {
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            self.rest = self
                .rest
                .strip_prefix("\\\n")
                .or_else(|| self.rest.strip_prefix("\\\r\n"))
                .unwrap_or(self.rest);
            if across_lines {
                self.rest = self.rest.trim_start();
                if self.rest.starts_with('#') {
                    self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
                }
            }
            if self.rest.len() == before {
                return;
            }
        }
    }

    /// To the start of the next line, over any string that begins in this one.
    fn skip_statement(&mut self) {
        loop {
            let Some(at) = self.rest.find(['\n', '"', '\'', '#']) else {
                self.rest = "";
                return;
            };
            let rest = &self.rest[at..];
            match rest.as_bytes()[0] {
                b'\n' => {
                    self.rest = &rest[1..];
                    return;
                }
                b'#' => self.rest = rest.find('\n').map_or("", |end| &rest[end..]),
                _ => {
                    self.rest = rest;
                    if self.string().is_none() {
                        self.rest = &rest[1..];
                    }
                }
            }
        }
    }
}

/// How many bytes on a string goes from here: none at its closing quote; `None` where it ends without one.
fn step(bytes: &[u8], at: usize, quote: &str) -> Option<usize> {
    match bytes.get(at)? {
        b'\\' => Some(2),
        b'\n' if quote.len() == 1 => None,
        _ if bytes[at..].starts_with(quote.as_bytes()) => Some(0),
        _ => Some(1),
    }
}

/// The escapes of a plain Python string; unknown ones stay as written.
fn python_unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('\n') => {}
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('0') => out.push('\0'),
            Some(c @ ('\\' | '\'' | '"')) => out.push(c),
            Some(kind @ ('x' | 'u' | 'U')) => {
                let len = match kind {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let digits: String = chars.clone().take(len).collect();
                match u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32)
                {
                    Some(c) if digits.len() == len => {
                        out.push(c);
                        chars.nth(len - 1);
                    }
                    _ => out.extend(['\\', kind]),
                }
            }
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_and_code_is_passed_over() {
        let source = r#"
"""Module text with A = 'not me'."""
import os  # B = "nor me"
PLAIN = "one \"two\" \u00e9\x41 \d"
RAW = r'a\nb'
LONG = """
line <image>
  "quoted" ''' \
joined
"""
GROUP = ("a"   # first
         'b'
         """c""").strip()
COUNT = 3
def f():
    INNER = "indented"
    return "x"
PLAIN = "again"
typed: str = 'T'
OPEN = "never closed
LAST = f"{x} ok"
"#;
        let found = python_strings(source);
        let expected = [
            ("RAW", "a\\nb"),
            ("LONG", "\nline <image>\n  \"quoted\" ''' joined\n"),
            ("GROUP", "abc"),
            ("PLAIN", "again"),
            ("typed", "T"),
            ("LAST", "{x} ok"),
        ];
        let expected: Vec<_> = expected
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into();
        assert_eq!(found, expected);
        assert_eq!(
            python_strings("P = \"one \\\"two\\\" \\u00e9\\x41 \\d\"")[0].1,
            "one \"two\" éA \\d"
        );
    }

    #[test]
    fn the_hash_names_the_texts_and_not_the_file() {
        let texts = |a: &str| {
            vec![
                ("kp".to_owned(), a.to_owned()),
                ("iq".to_owned(), "q".to_owned()),
            ]
        };
        let mut reversed = texts("a");
        reversed.reverse();
        assert_eq!(
            PromptPack::new("x", texts("a")).info.sha256,
            PromptPack::new("y", reversed).info.sha256
        );
        assert_ne!(
            PromptPack::new("x", texts("a")).info.sha256,
            PromptPack::new("x", texts("b")).info.sha256
        );
    }

    #[test]
    fn texts_are_official_by_their_hash_whatever_their_line_ends_and_files_are() {
        const RELEASE: Release = Release {
            sha256: "f3e5ef7b2b4bf18d50ab4e7d6d1b0d3c35a4d8a1b3a1a3d70bd7e1a2b1f3a4c5",
            source: "authors/bench 0123abc prompts.py",
        };
        let texts = |text: &str| vec![("kp".to_owned(), text.to_owned())];
        let unix = PromptPack::found("eval/prompts.py", texts("a\nb\n"), &[RELEASE]);
        assert!(!unix.info.official, "nobody pinned this");
        let sha256: &'static str = Box::leak(unix.info.sha256.clone().into_boxed_str());
        let pinned = [RELEASE, Release { sha256, ..RELEASE }];
        for text in ["a\nb\n", "a\r\nb\r\n", "a\rb\r"] {
            let pack = PromptPack::found("any/name.txt", texts(text), &pinned);
            assert!(pack.info.official, "{text:?}");
            assert_eq!(pack.text("kp"), Some("a\nb\n"));
        }
        assert!(
            !PromptPack::found("eval/prompts.py", texts("a\nb"), &pinned)
                .info
                .official
        );
    }

    #[test]
    fn the_words_of_a_pack_tell_official_own_and_other_texts_apart() {
        let words = |pack: PromptPack| pack.info.words();
        let texts = || vec![("kp".to_owned(), "a".to_owned())];
        let own = PromptPack::new("juror-weave/1", texts());
        let hash = own.info.sha256[..12].to_owned();
        assert_eq!(
            words(own),
            format!("juror's wording, juror-weave/1 ({hash})")
        );
        let other = |path| words(PromptPack::found(path, texts(), &[]));
        assert_eq!(
            other("x/prompts.py"),
            format!("texts from x/prompts.py ({hash})")
        );
        assert_eq!(
            other("juror-vibe/1"),
            format!("texts from ./juror-vibe/1 ({hash})")
        );
        let mut official = PromptPack::found("p", texts(), &[]);
        official.info.official = true;
        assert_eq!(words(official), format!("official texts from p ({hash})"));
    }
}
