//! Holds the floors of a crate: files that import each other in a circle must lie in one folder.
//!
//! A file stands in its module's folder: `session/mod.rs` and `session.rs` both in `session`. Tests are no part of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::purity::for_paths;

/// The circles through more than one folder among a crate's files, each as one line.
///
/// `files` are paths from `src` on, with `/` between folders, and their texts.
pub(crate) fn violations(files: &[(String, String)]) -> Vec<String> {
    let modules: BTreeMap<Vec<&str>, &str> = files
        .iter()
        .map(|(path, _)| (module_of(path), path.as_str()))
        .collect();
    let graph: BTreeMap<&str, BTreeSet<&str>> = files
        .iter()
        .map(|(path, source)| (path.as_str(), imports(path, source, &modules)))
        .collect();
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for &start in graph.keys() {
        if done.contains(start) {
            continue;
        }
        let reached = reachable(&graph, start);
        let circle: Vec<&str> = reached
            .into_iter()
            .filter(|&file| reachable(&graph, file).contains(start))
            .collect();
        let folders: BTreeSet<String> = circle.iter().map(|file| folder_of(file, files)).collect();
        if folders.len() > 1 {
            found.push(format!(
                "these files import each other in a circle: {}",
                circle.join(", ")
            ));
        }
        done.extend(circle);
    }
    found
}

/// `session/list.rs` is `session::list`, `session/mod.rs` is `session`, `lib.rs` is the crate itself.
fn module_of(path: &str) -> Vec<&str> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let mut parts: Vec<&str> = stem.split('/').collect();
    match parts.last() {
        Some(&"mod") => {
            parts.pop();
        }
        Some(&("lib" | "main")) if parts.len() == 1 => parts.clear(),
        _ => {}
    }
    parts
}

/// The folder that a file belongs to: its own, where its module has further files.
fn folder_of(path: &str, files: &[(String, String)]) -> String {
    let own = path.strip_suffix(".rs").unwrap_or(path);
    let has_own = files.iter().any(|(other, _)| {
        other
            .strip_prefix(own)
            .is_some_and(|rest| rest.starts_with('/'))
    });
    if has_own {
        return own.to_owned();
    }
    path.rsplit_once('/')
        .map_or_else(String::new, |(folder, _)| folder.to_owned())
}

/// What a file imports of its own crate.
fn imports<'a>(
    path: &str,
    source: &str,
    modules: &BTreeMap<Vec<&'a str>, &'a str>,
) -> BTreeSet<&'a str> {
    let own = module_of(path);
    let mut found = BTreeSet::new();
    for_paths(without_tests(source), &mut |_, named| {
        let Some(full) = absolute(&own, named) else {
            return;
        };
        let longest = (1..=full.len())
            .rev()
            .find_map(|len| modules.get(&full[..len]));
        if let Some(&file) = longest
            && file != path
        {
            found.insert(file);
        }
    });
    found
}

/// A source up to its own tests.
fn without_tests(source: &str) -> &str {
    source
        .find("\n#[cfg(test)]\n")
        .map_or(source, |end| &source[..end])
}

/// A path from the crate's root on; `None` for one into another crate.
fn absolute<'a>(own: &[&'a str], named: &[&'a str]) -> Option<Vec<&'a str>> {
    match named.split_first()? {
        (&"crate", rest) => Some(rest.to_vec()),
        (&"self", rest) => Some([own, rest].concat()),
        (&"super", _) => {
            let ups = named.iter().take_while(|part| **part == "super").count();
            let base = own.get(..own.len().checked_sub(ups)?)?;
            Some([base, &named[ups..]].concat())
        }
        _ => None,
    }
}

fn reachable<'a>(
    graph: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    start: &'a str,
) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        for &next in graph.get(file).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(String, String)> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        violations(&files)
    }

    #[test]
    fn a_circle_through_two_folders_is_named_and_one_within_a_folder_is_not() {
        let between = [
            (
                "model/sample.rs",
                "use crate::protocol::contract::Protocol;",
            ),
            (
                "protocol/contract.rs",
                "use crate::model::{sample::Sample, other};",
            ),
        ];
        assert_eq!(
            circles(&between),
            ["these files import each other in a circle: model/sample.rs, protocol/contract.rs"]
        );
        let within = [
            (
                "weave/score.rs",
                "fn f() -> super::verdict::Verdict { todo!() }",
            ),
            ("weave/verdict.rs", "use super::score::total;"),
        ];
        assert_eq!(circles(&within), [""; 0]);
    }

    #[test]
    fn a_module_with_files_of_its_own_stands_in_its_folder_and_tests_do_not_count() {
        let own = [
            ("view.rs", "pub use self::list::List;"),
            ("view/list.rs", "use super::Overview;"),
        ];
        assert_eq!(circles(&own), [""; 0]);
        let tested = [
            ("tree.rs", "use crate::model::Problem;"),
            (
                "model.rs",
                "fn f() {}\n#[cfg(test)]\nmod tests { use crate::tree::FileTree; }",
            ),
        ];
        assert_eq!(circles(&tested), [""; 0]);
        let used = [
            tested[0],
            ("model.rs", "use crate::tree::FileTree;\nuse std::fmt;"),
        ];
        assert_eq!(
            circles(&used).len(),
            0,
            "both lie in the crate's own folder"
        );
    }
}
