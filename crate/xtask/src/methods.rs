//! Holds types small: one that offers more than so many public methods does several things at once.
//!
//! A type's methods are counted over all its `impl` blocks in a crate, those of traits apart; a public trait's own are too.
//! Where several files of a crate have a type of one name, each is counted for itself.

use std::collections::{BTreeMap, BTreeSet};

use crate::purity::{Token, tokens};

/// The most public methods of a type.
const MAX_METHODS: usize = 25;

/// Every type of a crate with more public methods than that, as one line; `files` are paths and their texts.
pub(crate) fn violations(files: &[(String, String)]) -> Vec<String> {
    let mut homes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, source) in files {
        for pair in tokens(source).windows(2) {
            if matches!(pair[0].text, "struct" | "enum" | "union" | "trait") {
                homes.entry(pair[1].text).or_default().insert(path);
            }
        }
    }
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (path, source) in files {
        for (name, count) in blocks(&tokens(source)) {
            let homes = homes.get(name);
            let is_one_of_several =
                homes.is_some_and(|homes| homes.len() > 1 && homes.contains(path.as_str()));
            let home = if is_one_of_several { path.as_str() } else { "" };
            *counts.entry((name, home)).or_default() += count;
        }
    }
    let large = counts.into_iter().filter(|(_, count)| *count > MAX_METHODS);
    large
        .map(|((name, home), count)| {
            let home = if home.is_empty() {
                String::new()
            } else {
                format!(" in {home}")
            };
            format!(
                "{name}{home} has {count} public methods, more than {MAX_METHODS}: make views of it functions, or split it"
            )
        })
        .collect()
}

/// The name and the number of public methods of each `impl` block of a type and of each public trait.
fn blocks<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        at += 1;
        let is_statement = before.is_none_or(|token| matches!(token.text, "}" | ";" | "]" | "{"));
        let is_trait = token.text == "trait" && before.is_some_and(|token| token.text == "pub");
        if !(is_trait || token.text == "impl" && is_statement) {
            continue;
        }
        let Some(head) = (tokens[at..].iter()).position(|token| matches!(token.text, "{" | ";"))
        else {
            break;
        };
        let name = name_of(&tokens[at..at + head]);
        at += head + 1;
        let (count, len) = methods(&tokens[at..], is_trait);
        at += len;
        found.extend(name.map(|name| (name, count)));
    }
    found
}

/// The type of an `impl` block's head, without its path and its parameters; `None` for a trait's.
fn name_of<'a>(head: &[Token<'a>]) -> Option<&'a str> {
    let mut depth = 0_usize;
    let mut name = None;
    for token in head {
        match token.text {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "for" => return None,
            "where" | ":" => break,
            word if word.starts_with(|first: char| first.is_alphabetic()) => name = Some(word),
            _ => {}
        }
    }
    name
}

/// How many public methods a block has, and how many tokens it takes; all of a trait's are public.
fn methods(tokens: &[Token<'_>], is_trait: bool) -> (usize, usize) {
    let (mut depth, mut count, mut is_public) = (1_usize, 0, false);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            "pub" if depth == 1 => {
                // One for the crate alone is nobody's to count.
                is_public = tokens.get(at + 1).is_none_or(|next| next.text != "(");
            }
            "fn" if depth == 1 => {
                count += usize::from(is_public || is_trait);
                is_public = false;
            }
            ";" if depth == 1 => is_public = false,
            _ => {}
        }
        if depth == 0 {
            return (count, at + 1);
        }
    }
    (count, tokens.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A type with so many public methods, and a private and an inner function in each block.
    fn block(of: &str, first: usize, count: usize) -> String {
        let methods = (first..first + count)
            .map(|number| format!("    pub fn m{number}(&self) {{ fn inner() {{}} inner() }}\n"));
        let methods: String = methods.collect();
        format!(
            "impl {of} {{\n{methods}    pub(crate) fn own(&self) {{}}\n    fn hidden() {{}}\n}}\n"
        )
    }

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(String, String)> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        violations(&files)
    }

    #[test]
    fn a_type_with_too_many_public_methods_over_all_its_blocks_is_named() {
        let half = block("Session", 0, 13);
        let few = block("Session", 13, MAX_METHODS - 13);
        let many = block("Session", 13, MAX_METHODS - 12);
        let home = format!("pub struct Session;\n{half}");
        assert_eq!(found(&[("a.rs", &home), ("b.rs", &few)]), [""; 0]);
        assert_eq!(
            found(&[("a.rs", &home), ("b.rs", &many)]),
            [
                "Session has 26 public methods, more than 25: make views of it functions, or split it"
            ]
        );
    }

    #[test]
    fn generic_types_count_and_traits_on_them_do_not() {
        let generic = block("<'a, T: Into<u8>> crate::Holder<'a, T>", 0, MAX_METHODS + 1);
        assert_eq!(found(&[("a.rs", &generic)]).len(), 1);
        let of_trait = block("<T> From<T> for Holder<T>", 0, MAX_METHODS + 1);
        assert_eq!(found(&[("a.rs", &of_trait)]), [""; 0]);
    }

    #[test]
    fn a_public_trait_with_too_many_methods_is_named_and_a_small_one_is_not() {
        let wide = |count: usize| {
            let methods = vec!["    fn m(&self);\n"; count].concat();
            format!("pub trait Wide: Send {{\n{methods}}}\n")
        };
        assert_eq!(found(&[("a.rs", &wide(MAX_METHODS + 1))]).len(), 1);
        assert_eq!(found(&[("a.rs", &wide(MAX_METHODS))]), [""; 0]);
    }

    #[test]
    fn two_types_of_one_name_are_counted_apart() {
        let one = format!("pub struct Part;\n{}", block("Part", 0, 20));
        assert_eq!(found(&[("a.rs", &one), ("b.rs", &one)]), [""; 0]);
    }
}
