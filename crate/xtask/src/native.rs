//! Builds the program `juror` as it is given to others: what it says when it fails names no folder of the machine that built it.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::process::{progress, run as run_child};
use crate::workspace::Workspace;

/// Builds `target/native/release/juror` and looks through its bytes for the builder's folders.
///
/// A folder of its own: other flags would have everything in `target/release` built anew, back and forth.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    progress("building juror for others");
    let target = workspace.root.join("target/native");
    let mut command = workspace.cargo(&["build", "--release", "-p", "juror_cli", "--target-dir"]);
    command.arg(&target);
    workspace.set_native_flags(&mut command);
    run_child(&mut command)?;
    let program = target
        .join("release")
        .join(format!("juror{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::read(&program).with_context(|| format!("there is no {}", program.display()))?;
    for (folder, _) in workspace.builders_folders() {
        if names(&bytes, &folder) {
            bail!(
                "{} holds the path {} of this machine",
                program.display(),
                folder.display()
            );
        }
    }
    progress(&format!("{}: {} bytes", program.display(), bytes.len()));
    Ok(())
}

/// Whether a program holds the path of a folder or of something in it.
fn names(program: &[u8], folder: &Path) -> bool {
    let mut path = folder.as_os_str().as_encoded_bytes().to_vec();
    path.push(b'/');
    program.windows(path.len()).any(|part| part == path)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    use std::process::Command;

    /// A program that panics, compiled from a folder with or without the flags; its bytes.
    fn compiled(dir: &Path, flags: &[String]) -> Vec<u8> {
        fs::create_dir_all(dir).unwrap();
        let (source, program) = (dir.join("told.rs"), dir.join("told"));
        fs::write(
            &source,
            "fn main() { let none: Option<u8> = std::env::args().nth(9).map(|_| 1); none.unwrap(); }",
        )
        .unwrap();
        let compiler = Path::new(env!("CARGO")).with_file_name("rustc");
        let status = Command::new(compiler)
            .args(["-C", "debuginfo=0", "-C", "strip=symbols", "-o"])
            .arg(&program)
            .arg(&source)
            .args(flags)
            .status()
            .unwrap();
        assert!(status.success());
        fs::read(program).unwrap()
    }

    #[test]
    fn a_program_for_others_does_not_say_where_it_was_built_and_one_without_the_flags_does() {
        let dir = std::env::temp_dir().join(format!("juror-native-{}", std::process::id()));
        let flag = format!("--remap-path-prefix={}=juror", dir.display());
        assert!(names(&compiled(&dir, &[]), &dir));
        assert!(!names(&compiled(&dir, &[flag]), &dir));
        fs::remove_dir_all(&dir).unwrap();
    }
}
