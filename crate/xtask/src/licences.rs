//! Under which terms what we build on may be passed on: an allow list, so that another licence is looked at before it comes in.

use std::collections::BTreeSet;

use anyhow::{Context, bail};
use cargo_metadata::MetadataCommand;

use crate::fuzz;
use crate::workspace::Workspace;

/// Licences that ask for no more than that their text goes along.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    // libFuzzer, which fuzz targets alone are linked with.
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Every package that goes into a build, of others as of ours, stands under an allowed licence.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    let mut refused = BTreeSet::new();
    for manifest in [workspace.root.join("Cargo.toml"), fuzz::manifest(workspace)] {
        let metadata = MetadataCommand::new()
            .manifest_path(&manifest)
            .exec()
            .with_context(|| format!("cannot list what {} builds on", manifest.display()))?;
        refused.extend(metadata.packages.iter().filter_map(|package| {
            let licence = package.license.as_deref().unwrap_or("none");
            let is_allowed = accepts(licence);
            (!is_allowed).then(|| format!("{} {}: {licence}", package.name, package.version))
        }));
    }
    let lock = workspace.www().join("package-lock.json");
    let text = std::fs::read_to_string(&lock);
    let text = text.with_context(|| format!("cannot read {}", lock.display()))?;
    let listed = serde_json::from_str(&text);
    refused.extend(refused_of_npm(
        &listed.with_context(|| format!("cannot read {}", lock.display()))?,
    ));
    if !refused.is_empty() {
        bail!(
            "these licences are not on the list in licences.rs:\n{}",
            Vec::from_iter(refused).join("\n")
        );
    }
    Ok(())
}

/// The npm packages under other licences that go into the page: all of the lock file but those that only build or test it.
fn refused_of_npm(lock: &serde_json::Value) -> Vec<String> {
    let packages = lock["packages"].as_object().into_iter().flatten();
    let used = packages.filter(|(path, package)| !path.is_empty() && package["dev"] != true);
    let refused = used.filter_map(|(path, package)| {
        let licence = package["license"].as_str().unwrap_or("none");
        let version = package["version"].as_str().unwrap_or_default();
        (!accepts(licence)).then(|| format!("{path} {version}: {licence}"))
    });
    refused.collect()
}

/// Whether an SPDX expression leaves a choice that is allowed; a slash is the old way of writing `OR`.
fn accepts(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let found = either(&mut words);
    found && words.is_empty()
}

/// Alternatives, up to a closing parenthesis; words are taken from the end of the list.
fn either(words: &mut Vec<&str>) -> bool {
    let mut found = both(words);
    while words.last() == Some(&"OR") {
        words.pop();
        found |= both(words);
    }
    found
}

fn both(words: &mut Vec<&str>) -> bool {
    let mut found = one(words);
    while words.last() == Some(&"AND") {
        words.pop();
        found &= one(words);
    }
    found
}

fn one(words: &mut Vec<&str>) -> bool {
    match words.pop() {
        Some("(") => {
            let found = either(words);
            words.pop() == Some(")") && found
        }
        Some(name) if words.last() == Some(&"WITH") => {
            words.pop();
            let exception = words.pop().unwrap_or_default();
            ALLOWED.contains(&format!("{name} WITH {exception}").as_str())
        }
        Some(name) => ALLOWED.contains(&name),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_is_allowed_by_one_choice_or_by_all_of_its_parts() {
        for (expression, is_allowed) in [
            ("MIT", true),
            ("MIT OR GPL-3.0", true),
            ("MIT/Apache-2.0", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
            ("GPL-3.0", false),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR GPL-3.0) AND AGPL-3.0", false),
            ("GPL-2.0 WITH Classpath-exception-2.0", false),
            ("MIT MIT", false),
            ("(MIT", false),
            ("none", false),
            ("", false),
        ] {
            assert_eq!(accepts(expression), is_allowed, "{expression}");
        }
    }

    #[test]
    fn packages_of_npm_that_go_into_the_page_are_looked_at_and_others_are_not() {
        let lock = |used: &str| {
            serde_json::json!({ "packages": {
                "": { "name": "juror-www" },
                "node_modules/used": { "version": "1.0.0", "license": used },
                "node_modules/tool": { "version": "2.0.0", "license": "GPL-3.0", "dev": true },
            } })
        };
        assert_eq!(refused_of_npm(&lock("MIT")), [""; 0]);
        let refused = refused_of_npm(&lock("GPL-3.0"));
        assert_eq!(refused, ["node_modules/used 1.0.0: GPL-3.0"]);
        let unnamed = serde_json::json!({ "packages": { "node_modules/a": { "version": "1" } } });
        assert_eq!(refused_of_npm(&unnamed), ["node_modules/a 1: none"]);
    }
}
