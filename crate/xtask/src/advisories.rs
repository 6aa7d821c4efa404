//! Whether any of the packages that we build on has a known flaw, by the advisory database of the Rust Foundation.
//!
//! Neither the tool nor the database comes with Rust. Where one is not at hand the check says so in a line, and does not fail:
//! a machine without the database knows no less than before.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, bail};

use crate::process::{Unmet, on_path};
use crate::workspace::Workspace;

/// What a tool prints when its database cannot be brought.
const UNREACHED: [&str; 6] = [
    "failed to fetch",
    "couldn't fetch",
    "failed to load advisory",
    "unable to fetch",
    "not found in database cache",
    "failed to open advisory database",
];

/// Every package of the lock files is held against the database.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    let locks = ["Cargo.lock", "tests/fuzz/Cargo.lock"].map(|path| workspace.root.join(path));
    let Some(tool) = on_path("cargo-audit") else {
        return Err(Unmet::new(
            "cargo-audit is not installed; `cargo install --locked cargo-audit` brings it",
        )
        .into());
    };
    for lock in locks {
        audit(&tool, &lock).with_context(|| workspace.relative(&lock))?;
    }
    Ok(())
}

fn audit(tool: &Path, lock: &PathBuf) -> anyhow::Result<()> {
    let ask = |further: &[&str]| -> anyhow::Result<Output> {
        Command::new(tool)
            .args(["audit", "--quiet", "--file"])
            .arg(lock)
            .args(further)
            .stdin(Stdio::null())
            .output()
            .context("cannot start cargo-audit")
    };
    let mut output = ask(&[])?;
    if is_unreached(&output) {
        // One that was brought earlier is better than none.
        output = ask(&["--no-fetch", "--stale"])?;
    }
    let said = said(&output);
    if is_unreached(&output) {
        let line = said.lines().find(|line| is_about_database(line));
        let why = line.unwrap_or_default().trim();
        return Err(Unmet::new(format!("the advisory database cannot be reached: {why}")).into());
    }
    if !output.status.success() {
        bail!("{said}");
    }
    Ok(())
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

fn is_unreached(output: &Output) -> bool {
    !output.status.success() && said(output).lines().any(is_about_database)
}

fn is_about_database(line: &str) -> bool {
    let line = line.to_lowercase();
    UNREACHED.iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_is_not_there_is_told_from_a_flaw() {
        let away = "error: couldn't fetch advisory database: git operation failed";
        assert!(is_about_database(away));
        assert!(!is_about_database("error: 1 vulnerability found!"));
    }
}
