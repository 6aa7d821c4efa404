//! Looks into the pure crates for effects: a score must depend on its arguments alone.
//!
//! It reads tokens, not text: comments and strings do not count, line breaks and braces in `use` do not hide.

/// What a pure crate must not name: files, processes, network, environment, clocks, browser, unseeded randomness.
const BANNED: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::time::SystemTime",
    "std::time::Instant",
    "Instant::now",
    "SystemTime::now",
    "std::hash::RandomState",
    "std::collections::hash_map::RandomState",
    "web_sys",
    "js_sys",
    "wasm_bindgen",
];

/// Every banned path in a Rust source, with its line.
pub(crate) fn violations(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_paths(source, &mut |line, path| {
        for banned in BANNED {
            let banned_path: Vec<&str> = banned.split("::").collect();
            // `use` may begin with a leading `::`, and a path may go on after the banned part.
            let text = format!("line {line}: {banned}");
            if path.starts_with(&banned_path) && !found.contains(&text) {
                found.push(text);
            }
        }
    });
    found
}

/// Hands every path that a Rust source names to `report`, with its line; those of `use` trees in full.
///
/// Who may see an item (`pub(super)`, `pub(in crate::session)`) is no path to anything.
pub(crate) fn for_paths(source: &str, report: &mut dyn FnMut(usize, &[&str])) {
    let tokens = tokens(source);
    let mut rest = &tokens[..];
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if first.text == "use" {
            let end = after
                .iter()
                .position(|token| token.text == ";")
                .unwrap_or(after.len());
            expand(&after[..end], &mut Vec::new(), report);
            rest = &after[end..];
        } else if first.text == "pub" {
            rest = without_visibility(after);
        } else if is_word(first.text) {
            let (path, after) = inline_path(rest, first);
            report(first.line, &path);
            rest = after;
        }
    }
}

/// What comes after `pub`, without `(crate)`, `(in crate::session)` and the like; a tuple's type is none of them.
fn without_visibility<'a, 'b>(after: &'b [Token<'a>]) -> &'b [Token<'a>] {
    let texts: Vec<&str> = after.iter().take(3).map(|token| token.text).collect();
    match texts.as_slice() {
        ["(", "crate" | "self" | "super", ")"] => &after[3..],
        ["(", "in", ..] => {
            let end = after.iter().position(|token| token.text == ")");
            end.map_or(&[], |end| &after[end + 1..])
        }
        _ => after,
    }
}

/// A token and its line, counted from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    line: usize,
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Reads `first::second::…` and returns the path and the tokens after it.
fn inline_path<'a, 'b>(
    mut rest: &'b [Token<'a>],
    first: &Token<'a>,
) -> (Vec<&'a str>, &'b [Token<'a>]) {
    let mut path = vec![first.text];
    while let [separator, word, after @ ..] = rest
        && separator.text == "::"
        && is_word(word.text)
    {
        path.push(word.text);
        rest = after;
    }
    (path, rest)
}

/// Hands every full path of a use tree to `report`; renames (`as x`) end a path.
fn expand<'a>(
    tree: &[Token<'a>],
    prefix: &mut Vec<&'a str>,
    report: &mut dyn FnMut(usize, &[&str]),
) {
    for branch in branches(tree) {
        let depth = prefix.len();
        let mut position = 0;
        while let Some(token) = branch.get(position) {
            position += 1;
            match token.text {
                "::" => {}
                "as" => break,
                "{" => {
                    let inner = &branch[position..branch.len().saturating_sub(1).max(position)];
                    expand(inner, prefix, report);
                    break;
                }
                "self" if !prefix.is_empty() => {}
                word => prefix.push(word),
            }
        }
        if let Some(first) = branch.first() {
            report(first.line, prefix);
        }
        prefix.truncate(depth);
    }
}

/// Splits a use tree at its outer commas.
fn branches<'a, 'b>(tree: &'b [Token<'a>]) -> Vec<&'b [Token<'a>]> {
    let mut depth = 0_usize;
    tree.split(|token| {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        token.text == "," && depth == 0
    })
    .collect()
}

/// Words, `::` and single punctuation marks; comments, strings and characters are left out.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut position = 0;
    let mut line = 1;
    while let Some(first) = source[position..].chars().next() {
        let rest = &source[position..];
        let skipped = skipped_len(rest);
        let len = match skipped {
            0 if rest.starts_with("::") => 2,
            0 if is_word(rest) => word_len(rest),
            0 => first.len_utf8(),
            len => len,
        };
        if skipped == 0 && !first.is_whitespace() {
            tokens.push(Token {
                text: &rest[..len],
                line,
            });
        }
        line += rest[..len].matches('\n').count();
        position += len;
    }
    tokens
}

pub(crate) fn word_len(text: &str) -> usize {
    text.find(|part: char| !part.is_alphanumeric() && part != '_')
        .unwrap_or(text.len())
}

/// The length of a comment, string or character at the start of `rest`; 0 if there is none.
pub(crate) fn skipped_len(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_len(rest);
    }
    if let Some(len) = raw_string_len(rest) {
        return len;
    }
    match rest.as_bytes() {
        [b'"', ..] => quoted_len(rest, '"'),
        [b'\'', b'\\', ..] => quoted_len(rest, '\''),
        // 'x' is a character, 'x a lifetime.
        [b'\'', ..] => {
            let mut chars = rest[1..].chars();
            let len = chars.next().map_or(0, char::len_utf8);
            if chars.next() == Some('\'') {
                len + 2
            } else {
                0
            }
        }
        _ => 0,
    }
}

fn block_comment_len(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut position = 0;
    while position < rest.len() {
        let bytes = &rest.as_bytes()[position..];
        if bytes.starts_with(b"/*") {
            depth += 1;
            position += 2;
        } else if bytes.starts_with(b"*/") {
            depth -= 1;
            position += 2;
            if depth == 0 {
                return position;
            }
        } else {
            position += 1;
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#`, with `b` or `c` before the `r`.
fn raw_string_len(rest: &str) -> Option<usize> {
    let body = rest
        .strip_prefix(['b', 'c'])
        .unwrap_or(rest)
        .strip_prefix('r')?;
    let quote = body.find(|mark| mark != '#')?;
    let content = body[quote..].strip_prefix('"')?;
    let end = format!("\"{}", &body[..quote]);
    let start = rest.len() - content.len();
    Some(
        content
            .find(&end)
            .map_or(rest.len(), |at| start + at + end.len()),
    )
}

fn quoted_len(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (position, mark) in rest.char_indices().skip(1) {
        match mark {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            mark if mark == quote => return position + quote.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PURE: &str = r##"
//! Knows no std::fs.
/* nor /* nested */ std::net::TcpStream */
use std::collections::{BTreeMap, btree_map};
use std::fmt;
const TEXT: &str = "std::env::var(\"X\") and js_sys";
const RAW: &str = r#"web_sys " std::fs"#;
const BYTES: &[u8] = b"std::fs";
fn first<'a>(text: &'a str, std: char) -> bool { std == '"' || std == '\'' }
fn my_web_sys_like(duration: std::time::Duration) {}
"##;

    #[test]
    fn pure_source_with_banned_words_in_comments_and_strings_passes() {
        assert_eq!(violations(PURE), Vec::<String>::new());
    }

    #[test]
    fn each_planted_effect_is_found_behind_the_pure_source() {
        for (planted, banned) in [
            ("fn f() { std::fs::read(\"x\"); }", "std::fs"),
            ("fn f() { std :: fs\n:: read(\"x\"); }", "std::fs"),
            ("fn f() -> ::std::net::IpAddr { }", "std::net"),
            ("use std::{fmt, fs};", "std::fs"),
            (
                "use std::{fmt, time::{Duration, SystemTime}};",
                "std::time::SystemTime",
            ),
            ("use std::fs::{self, File};", "std::fs"),
            ("use std::{env::{self}};", "std::env"),
            ("use ::std::env as outside;", "std::env"),
            (
                "use std::time::*; fn f() { Instant::now(); }",
                "Instant::now",
            ),
            ("pub use web_sys::console;", "web_sys"),
            ("fn f() { js_sys::Math::random(); }", "js_sys"),
            ("fn f() { std::process::exit(1) }", "std::process"),
        ] {
            let found = violations(&format!("{PURE}{planted}"));
            let text = format!(": {banned}");
            assert!(
                found.iter().any(|line| line.ends_with(&text)),
                "{planted}: {found:?}"
            );
        }
    }

    #[test]
    fn the_line_is_counted_from_one_and_over_strings() {
        let source = "const A: &str = \"\n\n\";\n/*\n*/ use std::fs;\n";
        assert_eq!(violations(source), ["line 5: std::fs"]);
    }
}
