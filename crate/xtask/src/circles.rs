//! Holds the floors of a crate: files that import each other in a circle must lie in one folder.
//!
//! A file stands in its module's folder: `session/mod.rs` and `session.rs` both in `session`. Tests are no part of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::{self, Graph};
use crate::purity::for_paths;

/// The circles through more than one folder among a crate's files, each as one line.
///
/// `files` are paths from `src` on, with `/` between folders, and their texts.
pub(crate) fn violations(files: &[(String, String)]) -> Vec<String> {
    let modules: BTreeMap<Vec<&str>, &str> = files
        .iter()
        .map(|(path, _)| (module_of(path), path.as_str()))
        .collect();
    let graph: Graph<'_> = files
        .iter()
        .map(|(path, source)| (path.as_str(), imports(path, source, &modules)))
        .collect();
    let between_folders = graph::circles(&graph).into_iter().filter(|circle| {
        let folders: BTreeSet<String> = circle.iter().map(|file| folder_of(file, files)).collect();
        folders.len() > 1
    });
    between_folders
        .map(|circle| {
            format!(
                "these files import each other in a circle: {}",
                circle.join(", ")
            )
        })
        .collect()
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
        let Some(full) = absolute(&own, named).or_else(|| below(&own, named, modules)) else {
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

/// A path that begins with a module of the file's own, such as `models::submissions`, from the crate's root on.
///
/// A word alone may be anything: a variable, a field, the declaration of the module.
fn below<'a>(
    own: &[&'a str],
    named: &[&'a str],
    modules: &BTreeMap<Vec<&'a str>, &'a str>,
) -> Option<Vec<&'a str>> {
    let child = [own, named.get(..1)?].concat();
    let is_path = named.len() > 1 && modules.contains_key(&child);
    is_path.then(|| [own, named].concat())
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
    fn a_path_into_a_module_of_the_files_own_counts_and_its_bare_name_does_not() {
        let through_child = [
            (
                "micon/layout/mod.rs",
                "mod models;\nfn f() { models::submissions() }",
            ),
            (
                "micon/layout/models.rs",
                "use crate::micon::verdict::verdict_of;",
            ),
            ("micon/verdict.rs", "use super::layout::Card;"),
        ];
        assert_eq!(
            circles(&through_child),
            [
                "these files import each other in a circle: micon/layout/mod.rs, micon/layout/models.rs, micon/verdict.rs"
            ]
        );
        let imported = [
            (
                "micon/layout/mod.rs",
                "mod models;\nuse models::submissions;",
            ),
            through_child[1],
            through_child[2],
        ];
        assert_eq!(circles(&imported), circles(&through_child));
        let bare = [
            (
                "micon/layout/mod.rs",
                "mod models;\nfn f(models: &[Model]) { models.len() }",
            ),
            through_child[1],
            through_child[2],
        ];
        assert_eq!(circles(&bare), [""; 0]);
    }

    #[test]
    fn who_may_see_an_item_is_no_import_and_a_path_in_a_tuple_is() {
        let seen = [
            (
                "session/mod.rs",
                "mod compare;\npub use compare::table::Column;",
            ),
            (
                "session/compare/mod.rs",
                "pub(in crate::session) mod table;",
            ),
            (
                "session/compare/table.rs",
                "pub(in crate::session) struct Column(pub(super) u32);",
            ),
        ];
        assert_eq!(circles(&seen), [""; 0]);
        let named = [
            seen[0],
            seen[1],
            (
                "session/compare/table.rs",
                "pub struct Column(pub (crate::session::Session, u32));",
            ),
        ];
        assert_eq!(circles(&named).len(), 1);
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
