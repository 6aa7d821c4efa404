//! The command `juror`, for tests that run it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the program is: `JUROR_CLI`, or built beside the test that asks.
///
/// # Panics
/// It cannot be built.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        if let Some(path) = std::env::var_os("JUROR_CLI") {
            return path.into();
        }
        // target/debug/deps/cli-… → target
        let exe = std::env::current_exe().unwrap_or_default();
        let target = exe.ancestors().nth(3).expect("a test lies in target");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["build", "--package", "juror_cli", "--target-dir"])
            .arg(target);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let built = command.status().is_ok_and(|status| status.success());
        assert!(built, "{command:?}");
        target
            .join("debug")
            .join(format!("juror{}", std::env::consts::EXE_SUFFIX))
    })
}
