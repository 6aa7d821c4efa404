//! Holds the page's scripts free of import circles, those of types included: what imports each other cannot be read apart.

use std::collections::BTreeSet;

use crate::graph::{self, Graph};

/// The circles among scripts, each as one line.
///
/// `files` are paths from `www/src` on, with `/` between folders, and their texts.
pub(crate) fn violations(files: &[(String, String)]) -> Vec<String> {
    let known: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let graph: Graph<'_> = files
        .iter()
        .map(|(path, text)| (path.as_str(), imports(path, text, &known)))
        .collect();
    let circles = graph::circles(&graph).into_iter();
    circles
        .map(|circle| {
            format!(
                "these files import each other in a circle: {}",
                circle.join(", ")
            )
        })
        .collect()
}

/// What a script imports of the page's own: statically, for its types, or when it is asked for.
fn imports<'a>(path: &str, text: &str, known: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("'.") {
        let before = text[..at].trim_end();
        let is_import = ["from", "import", "import("]
            .iter()
            .any(|word| before.ends_with(word));
        let Some((named, _)) = text[at + 1..].split_once('\'') else {
            continue;
        };
        let script = resolved(folder, named) + ".ts";
        if let Some(known) = known.get(script.as_str()).filter(|_| is_import) {
            found.insert(*known);
        }
    }
    found
}

/// `a/b` and `../c` make `a/c`.
fn resolved(folder: &str, named: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in named.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn scripts_that_import_downwards_pass() {
        let found = violations(&files(&[
            (
                "state/store.ts",
                "import { ask } from '../engine/ask';\nimport './look';",
            ),
            ("state/look.ts", "const text = 'import nothing';"),
            (
                "engine/ask.ts",
                "import type { Overview } from './types/Overview';",
            ),
            ("engine/types/Overview.ts", "export type Overview = string;"),
        ]));
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn a_circle_is_told_once_whatever_closes_it() {
        for closing in [
            "import { store } from '../state/store';",
            "import type { Store } from '../state/store';",
            "import '../state/store';",
            "const later = () => import('../state/store');",
            "export {\n  store,\n} from '../state/store';",
        ] {
            let found = violations(&files(&[
                ("state/store.ts", "import { ask } from '../engine/ask';"),
                ("engine/ask.ts", closing),
                ("main.ts", "import './state/store';"),
            ]));
            assert_eq!(
                found,
                ["these files import each other in a circle: engine/ask.ts, state/store.ts"],
                "{closing}"
            );
        }
    }
}
