//! Runs what measures and what photographs the product; the programs themselves live with the tests.

use crate::process::{Unmet, progress, run as run_child};
use crate::workspace::Workspace;
use crate::{build, chromium, test};

/// The benchmark that runs when none is named.
pub(crate) const DEFAULT: &str = "weave";

/// Runs one benchmark natively (`bench_NAME` of `juror_tests`) and then in the browser (`npm run bench:browser`).
pub(crate) fn run(workspace: &Workspace, name: &str) -> anyhow::Result<()> {
    let binary = format!("bench_{name}");
    if !test::has_target(workspace, "bin", &binary)? {
        return Err(Unmet::new(format!("juror_tests has no program `{binary}`")).into());
    }
    progress(&format!("benchmark {name}, native"));
    run_child(&mut workspace.cargo(&[
        "run",
        "--release",
        "--package",
        "juror_tests",
        "--bin",
        &binary,
    ]))?;
    build::run(workspace, build::Kind::App)?;
    progress(&format!("benchmark {name}, browser"));
    let mut command = workspace.npm_script("bench:browser", &[])?;
    command
        .env(chromium::VARIABLE, chromium::find()?)
        .env("JUROR_BENCH", name);
    run_child(&mut command)
}

/// Builds the page and takes the screenshots (`npm run shots`).
pub(crate) fn shots(workspace: &Workspace) -> anyhow::Result<()> {
    build::run(workspace, build::Kind::App)?;
    let mut command = workspace.npm_script("shots", &[])?;
    command.env(chromium::VARIABLE, chromium::find()?);
    run_child(&mut command)
}
