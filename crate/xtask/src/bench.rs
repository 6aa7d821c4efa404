//! Runs what measures and what photographs the product; the programs themselves live with the tests.

use std::process::Command;

use crate::bindgen::Bindgen;
use crate::build;
use crate::chromium;
use crate::process::{Unmet, built, progress, run as run_child};
use crate::setup;
use crate::steps::Steps;
use crate::test;
use crate::workspace::Workspace;

/// The benchmark that runs when none is named.
pub(crate) const DEFAULT: &str = "weave";

/// The benchmark that has no page, and a script of its own.
const METRICS: &str = "metrics";

/// The benchmark whose program also writes what the page measures.
const NEURAL: &str = "neural";

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
    let wanted = ["--package", "juror_tests", "--bin", &binary];
    let mut command = workspace.cargo(&["build", "--release"]);
    command.args(wanted);
    let program = built(command, &binary)?;
    run_child(&mut Command::new(&program))?;
    build::alone(workspace, build::Kind::App)?;
    progress(&format!("benchmark {name}, browser"));
    let mut command = workspace.npm_script("bench:browser", &[])?;
    command
        .env(chromium::VARIABLE, chromium::find()?)
        .env("JUROR_BENCH", name);
    if name == NEURAL {
        command.env("JUROR_BENCH_PROGRAM", program);
    }
    run_child(&mut command)
}

/// The image metrics: one program natively and as Wasm, which a script asks by turns with other tools, in Chromium and
/// in Python; it prints the tables.
fn metrics(workspace: &Workspace, binary: &str) -> anyhow::Result<()> {
    setup::all(workspace, &Steps::new(setup::STEPS))?;
    let bindgen = Bindgen::prepare(workspace)?;
    progress("benchmark metrics, building the program");
    let wanted = ["build", "--package", "juror_tests", "--bin", binary];
    let mut command = workspace.cargo(&wanted);
    command.arg("--release");
    let program = built(command, binary)?;
    progress("benchmark metrics, building the same as Wasm");
    let mut command = workspace.cargo_wasm(&wanted);
    command.args(["--profile", &workspace.config.wasm.profile]);
    let wasm = built(command, binary)?;
    let folder = workspace.stamps().join("bench-metrics");
    bindgen.write(&wasm, &folder, "juror")?;
    // The level of the module that the page measures with.
    build::optimise(workspace, &folder.join("juror_bg.wasm"), "-O3")?;
    progress("benchmark metrics");
    let mut command = workspace.npm_script("bench:metrics", &[])?;
    command
        .env(chromium::VARIABLE, chromium::find()?)
        .env("JUROR_BENCH_PROGRAM", program)
        .env("JUROR_BENCH_WASM", folder);
    run_child(&mut command)
}

/// Builds the page and takes the screenshots (`npm run shots`).
pub(crate) fn shots(workspace: &Workspace) -> anyhow::Result<()> {
    build::alone(workspace, build::Kind::App)?;
    let mut command = workspace.npm_script("shots", &[])?;
    command.env(chromium::VARIABLE, chromium::find()?);
    run_child(&mut command)
}
