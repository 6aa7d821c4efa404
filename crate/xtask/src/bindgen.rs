//! The JavaScript beside our Wasm modules, and the runner of their tests: both written by wasm-bindgen's own libraries,
//! in a small crate that is compiled when they are needed.
//!
//! Cargo.lock holds them at the version of the macro in `juror_web`; nothing is installed on the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{built, run};
use crate::workspace::Workspace;

/// The crate, as cargo knows it.
pub(crate) const CRATE: &str = "xtask_bindgen";
/// The feature of its runner.
pub(crate) const FEATURE: &str = "runner";
const RUNNER: &str = "xtask_wasm_runner";

/// The program that writes JavaScript for Wasm modules.
#[derive(Debug)]
pub(crate) struct Bindgen(PathBuf);

impl Bindgen {
    /// Compiles it, which the second time finds nothing to do.
    pub(crate) fn prepare(workspace: &Workspace) -> anyhow::Result<Self> {
        let command = workspace.cargo(&["build", "--package", CRATE, "--bin", CRATE]);
        Ok(Self(built(command, CRATE)?))
    }

    /// Writes a built Wasm file and the JavaScript that starts it in a page into a folder, under a name.
    pub(crate) fn write(&self, wasm: &Path, folder: &Path, name: &str) -> anyhow::Result<()> {
        run(Command::new(&self.0).arg(wasm).arg(folder).arg(name))
    }
}

/// The runner for Wasm tests.
pub(crate) fn test_runner(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let mut command = workspace.cargo(&["build", "--package", CRATE, "--bin", RUNNER]);
    command.args(["--features", FEATURE]);
    built(command, RUNNER)
}
