//! Runs what measures and what photographs the product; the programs themselves live with the tests.

use anyhow::bail;

use crate::process::{Unmet, progress, run as run_child, shown, watch};
use crate::workspace::Workspace;
use crate::{build, chromium, test};

/// The benchmark that runs when none is named.
pub(crate) const DEFAULT: &str = "weave";

/// The benchmark that has no page.
const METRICS: &str = "metrics";

/// Runs one benchmark natively (`bench_NAME` of `juror_tests`) and then in the browser (`npm run bench:browser`).
pub(crate) fn run(workspace: &Workspace, name: &str) -> anyhow::Result<()> {
    let binary = format!("bench_{name}");
    if !test::has_target(workspace, "bin", &binary)? {
        return Err(Unmet::new(format!("juror_tests has no program `{binary}`")).into());
    }
    if name == METRICS {
        return metrics(workspace, &binary);
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

/// The image metrics: in Wasm first, in node, whose engine is Chromium's; then natively beside the Python tools, which
/// prints one table of both.
fn metrics(workspace: &Workspace, binary: &str) -> anyhow::Result<()> {
    progress("benchmark metrics, Wasm");
    let mut command = test::wasm_tests(workspace, "bench_wasm")?;
    command.args(["--profile", "wasm", "--", "--nocapture"]);
    let mut lines = Vec::new();
    let ended_well = watch(&mut command, |line| {
        match line.trim_start().strip_prefix("TIMED\t") {
            Some(timed) => lines.push(timed.to_owned()),
            None => return Some(line.to_owned()),
        }
        None
    })?;
    if !ended_well {
        bail!("`{}` failed", shown(&command));
    }
    progress("benchmark metrics, native");
    let mut command = workspace.cargo(&["run", "--release", "--package", "juror_tests"]);
    command
        .args(["--bin", binary])
        .env("JUROR_WASM_TIMES", lines.join("\n"));
    run_child(&mut command)
}

/// Builds the page and takes the screenshots (`npm run shots`).
pub(crate) fn shots(workspace: &Workspace) -> anyhow::Result<()> {
    build::run(workspace, build::Kind::App)?;
    let mut command = workspace.npm_script("shots", &[])?;
    command.env(chromium::VARIABLE, chromium::find()?);
    run_child(&mut command)
}
