//! Installs what a fresh machine lacks: with nothing but rustup's Rust and Node, every other verb works.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{Unmet, ask, progress, run};
use crate::steps::Steps;
use crate::workspace::{WASM_TARGET, Workspace};

/// The steps of [`all`].
pub(crate) const STEPS: [&str; 2] = ["Rust target wasm32", "npm packages"];

/// Everything that builds and the page need.
pub(crate) fn all(workspace: &Workspace, steps: &Steps) -> anyhow::Result<()> {
    let [target, packages] = STEPS;
    steps.begin(target);
    node(workspace)?;
    wasm_target()?;
    steps.begin(packages);
    npm_packages(workspace)
}

/// What the Wasm tests need: no npm packages.
pub(crate) fn for_wasm_tests(workspace: &Workspace) -> anyhow::Result<()> {
    node(workspace)?;
    wasm_target()
}

fn node(workspace: &Workspace) -> anyhow::Result<()> {
    let wanted = &workspace.config.tools.node;
    let hint = format!("install Node {wanted} or later from https://nodejs.org and put it on PATH");
    let found = ask("node", &["--version"])
        .ok_or_else(|| Unmet::new(format!("node was not found; {hint}")))?;
    if Version::parse(&found) < Version::parse(wanted) {
        return Err(Unmet::new(format!("node is {found}, too old; {hint}")).into());
    }
    Ok(())
}

/// The standard library for wasm32.
pub(crate) fn wasm_target() -> anyhow::Result<()> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libdir = ask(
        rustc,
        &["--print", "target-libdir", "--target", WASM_TARGET],
    );
    if libdir.is_some_and(|dir| has_std(Path::new(&dir))) {
        return Ok(());
    }
    let hint =
        format!("run `rustup target add {WASM_TARGET}` (rustup comes from https://rustup.rs)");
    progress(&format!("installing the Rust target {WASM_TARGET}"));
    run(Command::new("rustup").args(["target", "add", WASM_TARGET]))
        .map_err(|error| Unmet::new(format!("no {WASM_TARGET} target: {error:#}; {hint}")).into())
}

fn has_std(libdir: &Path) -> bool {
    fs::read_dir(libdir).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

/// The npm packages of www, exactly as package-lock.json pins them.
fn npm_packages(workspace: &Workspace) -> anyhow::Result<()> {
    let www = workspace.www();
    let lock = www.join("package-lock.json");
    if !lock.is_file() {
        return Err(Unmet::new(
            "www/package-lock.json is missing; run `npm install` in www and commit it",
        )
        .into());
    }
    // npm writes this file last, so an interrupted installation is not taken for a finished one.
    if is_newer(&www.join("node_modules/.package-lock.json"), &lock) {
        return Ok(());
    }
    progress("installing the npm packages of www");
    run(&mut workspace.npm(&["ci", "--no-fund", "--no-audit"]))
        .map_err(|error| Unmet::new(format!("{error:#}; run `npm ci` in www yourself")).into())
}

/// Whether `made` exists and is at least as new as `from`.
fn is_newer(made: &Path, from: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified());
    matches!((time(made), time(from)), (Ok(made), Ok(from)) if made >= from)
}

/// Major, minor and patch, in that order; what cannot be read is 0.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32, u32);

impl Version {
    fn parse(text: &str) -> Self {
        let mut numbers = text
            .trim_start_matches('v')
            .split(['.', '-', '+'])
            .map(|part| part.parse().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        Self(next(), next(), next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers_and_not_as_text() {
        assert!(Version::parse("v20.9.0") < Version::parse("20.19.0"));
        assert!(Version::parse("v22.1.0-nightly") > Version::parse("20.19.0"));
        assert_eq!(Version::parse("v20.19.0"), Version(20, 19, 0));
    }
}
