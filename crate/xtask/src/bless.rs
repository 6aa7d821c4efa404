//! Regenerates the files that are made from Rust: the TypeScript types of what the engine answers, and the client of the
//! questions that `juror_web` answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::build::files_below;
use crate::process::{progress, quiet};
use crate::reader;
use crate::test::{TESTED, TYPES_DIR};
use crate::workspace::Workspace;

/// Where the page imports the types from.
const TYPES: &str = "www/src/engine/types";

/// Text of each generated file by its name.
type Files = BTreeMap<String, String>;

/// Replaces the committed types by the present ones.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let fresh = generate(workspace)?;
    let dir = workspace.root.join(TYPES);
    let changes = differences(&read(&dir)?, &fresh);
    if dir.is_dir() {
        fs::remove_dir_all(&dir).with_context(|| format!("cannot empty {TYPES}"))?;
    }
    for (name, text) in &fresh {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(&path, text).with_context(|| format!("cannot write {TYPES}/{name}"))?;
    }
    progress(&format!(
        "{} types in {TYPES}, {} changed",
        fresh.len(),
        changes.len()
    ));
    for change in changes {
        println!("  {change}");
    }
    Ok(())
}

/// Fails if the committed types are not the present ones.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    let differences = differences(&read(&workspace.root.join(TYPES))?, &generate(workspace)?);
    if !differences.is_empty() {
        bail!(
            "{TYPES} is stale; run `cargo xtask bless`\n{}",
            differences.join("\n")
        );
    }
    Ok(())
}

/// ts-rs writes one file per type from a test per type; the client comes from a test too.
fn generate(workspace: &Workspace) -> anyhow::Result<Files> {
    let dir = std::env::temp_dir().join(format!("juror-types-{}", std::process::id()));
    if dir.is_dir() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    // The programs of the tests, which are compiled in any case.
    let mut command = workspace.cargo(&["test", "--quiet"]);
    command
        .args(TESTED)
        .args(["--lib", "export_bindings"])
        .env(TYPES_DIR, &dir);
    reader::set(workspace, &mut command)?;
    let files = quiet(&mut command).and_then(|()| read(&dir));
    fs::remove_dir_all(&dir)?;
    let files = files?;
    for (name, crate_name) in [
        ("Overview.ts", "juror_session"),
        ("questions.ts", "juror_web"),
    ] {
        if !files.contains_key(name) {
            bail!("{crate_name} exported no {name}; expected it of its `export_bindings` tests");
        }
    }
    Ok(files)
}

fn read(dir: &Path) -> anyhow::Result<Files> {
    if !dir.is_dir() {
        return Ok(Files::new());
    }
    let file = |path: std::path::PathBuf| -> anyhow::Result<(String, String)> {
        let name = path.strip_prefix(dir)?.to_string_lossy().replace('\\', "/");
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        // Git may check files out with the line ends of the system.
        Ok((name, text.replace("\r\n", "\n")))
    };
    files_below(dir)?.into_iter().map(file).collect()
}

/// One line per file that is missing, stale or left over.
fn differences(committed: &Files, fresh: &Files) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, text) in fresh {
        match committed.get(name) {
            None => lines.push(format!("missing: {name}")),
            Some(old) if old != text => lines.push(format!("stale: {name}")),
            Some(_) => {}
        }
    }
    let left_over = committed.keys().filter(|name| !fresh.contains_key(*name));
    lines.extend(left_over.map(|name| format!("left over: {name}")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(entries: &[(&str, &str)]) -> Files {
        entries
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn equal_files_do_not_differ() {
        let one = files(&[("A.ts", "a"), ("B.ts", "b")]);
        assert!(differences(&one, &one.clone()).is_empty());
    }

    #[test]
    fn missing_stale_and_left_over_files_are_named() {
        let committed = files(&[("A.ts", "a"), ("C.ts", "c")]);
        let fresh = files(&[("A.ts", "b"), ("B.ts", "b")]);
        assert_eq!(
            differences(&committed, &fresh),
            ["stale: A.ts", "missing: B.ts", "left over: C.ts"]
        );
    }
}
