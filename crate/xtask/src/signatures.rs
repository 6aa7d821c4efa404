//! Holds the errors of our libraries typed: a public signature whose error is a text tells its caller nothing to branch on.
//!
//! Public are functions, methods, type aliases and fields with a bare `pub`, and all that a public trait asks for.

use crate::purity::{Token, tokens};

/// Every `Result` of a crate's public signatures with a text for its error, as one line; `files` are paths and their texts.
pub(crate) fn violations(files: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, source) in files {
        let own = source.split("\n#[cfg(test)]\n").next().unwrap_or_default();
        for (name, error) in public_texts(&tokens(own)) {
            found.push(format!(
                "{path}: {name} gives Result<_, {error}>: make it a kind of the crate's error"
            ));
        }
    }
    found
}

/// The names of public items with such a `Result`, and the error's type.
fn public_texts<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        at += 1;
        if !is(rest, 0, "pub") || is(rest, 1, "(") {
            continue;
        }
        let len = item_len(rest);
        let (head, body) = rest.split_at(len);
        let name = (head.iter().skip(1))
            .find(|token| !MODIFIERS.contains(&token.text))
            .map_or("", |token| token.text);
        let of_trait = head.iter().any(|token| token.text == "trait");
        let block = if of_trait {
            &body[..block_len(body)]
        } else {
            &[]
        };
        let texts = [head, block].into_iter().flat_map(texts);
        found.extend(texts.map(|error| (name, error)));
        at += len - 1;
    }
    found
}

/// What may stand between `pub` and a name.
const MODIFIERS: [&str; 9] = [
    "async", "const", "enum", "fn", "static", "struct", "trait", "type", "unsafe",
];

fn is(tokens: &[Token<'_>], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.text == text)
}

/// How far a public item's signature goes: to its block, its semicolon, or, of a field, to the comma or the end of its block.
fn item_len(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let is_arrow = token.text == ">" && at > 0 && matches!(tokens[at - 1].text, "-" | "=");
        match token.text {
            "{" | ";" | "," | "}" if depth == 0 => return at.max(1),
            "(" | "[" | "<" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            ">" if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    tokens.len()
}

/// The length of a block at the start of these tokens.
fn block_len(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// The texts that stand for errors in the `Result`s of a signature.
fn texts(tokens: &[Token<'_>]) -> Vec<String> {
    let starts = (0..tokens.len()).filter(|at| {
        let is_other = *at >= 2 && is(tokens, at - 1, "::") && !is(tokens, at - 2, "result");
        is(tokens, *at, "Result") && is(tokens, at + 1, "<") && !is_other
    });
    let errors = starts.filter_map(|at| second_argument(&tokens[at + 2..]));
    let words = errors.map(|error| {
        let words: Vec<&str> = error.iter().map(|token| token.text).collect();
        words.concat()
    });
    words
        .filter(|error| {
            error.ends_with("String") || error.starts_with('&') && error.ends_with("str")
        })
        .collect()
}

/// The second of the types between `<`, which is left out, and its `>`.
fn second_argument<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t [Token<'a>]> {
    let (mut depth, mut start) = (0_usize, None);
    for (at, token) in tokens.iter().enumerate() {
        let is_arrow = token.text == ">" && at > 0 && tokens[at - 1].text == "-";
        match token.text {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            ">" if is_arrow => {}
            "," if depth == 0 && start.is_none() => start = Some(at + 1),
            "," | ">" if depth == 0 => return start.map(|start| &tokens[start..at]),
            ">" => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        violations(&[("a.rs".to_owned(), source.to_owned())])
    }

    #[test]
    fn a_public_function_whose_error_is_a_text_is_named() {
        for (source, named) in [
            (
                "pub fn read(text: &str) -> Result<u8, String> { todo!() }",
                "read gives Result<_, String>",
            ),
            (
                "impl A {\n    pub async fn go<T: Fn(u8) -> u8>(&self) -> Result<Vec<(u8, T)>, &'static str> {} }",
                "go gives Result<_, &'static",
            ),
            (
                "pub type Decision = Result<(), std::string::String>;",
                "Decision gives Result<_, std::string::String>",
            ),
            (
                "pub struct A { one: u8, pub two: Result<u8, String>, }",
                "two gives",
            ),
            (
                "pub trait Reads { fn one(&self); fn two(&self) -> Result<u8, String>; }",
                "Reads gives",
            ),
            (
                "pub fn each(\n    read: fn(&str) -> Result<u8, String>,\n) {}",
                "each gives",
            ),
            (
                "pub fn inner() -> Result<Result<u8, String>, Error> {}",
                "inner gives",
            ),
        ] {
            let lines = found(source);
            assert!(
                lines.len() == 1 && lines[0].contains(named),
                "{source}: {lines:?}"
            );
        }
    }

    #[test]
    fn typed_errors_and_what_nobody_else_can_call_are_let_be() {
        for source in [
            "pub fn read() -> Result<String, Error> { let it: Result<u8, String> = one(); }",
            "pub fn read() -> Result<Vec<String>, Error> {}",
            "pub fn read() -> anyhow::Result<String> {}",
            "fn read() -> Result<u8, String> {}",
            "pub(crate) fn read() -> Result<u8, String> {}",
            "pub struct A { pub one: u8, two: Result<u8, String> }",
            "trait Reads { fn two(&self) -> Result<u8, String>; }",
            "fn f() {}\n#[cfg(test)]\nmod tests { pub fn read() -> Result<u8, String> {} }",
            "/// pub fn read() -> Result<u8, String>\npub fn read() {}",
        ] {
            assert_eq!(found(source), [""; 0], "{source}");
        }
    }
}
