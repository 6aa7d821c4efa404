//! The command `juror`, for tests that run it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::json;
use tempfile::TempDir;

use crate::generate::{Dialogue, File, tiny_png};

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
            .args([
                "build",
                "--package",
                "juror_cli",
                "--features",
                "gpu,networks",
            ])
            .arg("--target-dir")
            .arg(target);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let built = command.status().is_ok_and(|status| status.success());
        assert!(built, "{command:?}");
        target
            .join("debug")
            .join(format!("juror{}", std::env::consts::EXE_SUFFIX))
    })
}

/// The demo suites as folders: `JUROR_DEMO`, or drawn beside the test that asks.
///
/// # Panics
/// They cannot be drawn.
pub fn demos() -> &'static Path {
    static DEMOS: OnceLock<PathBuf> = OnceLock::new();
    DEMOS.get_or_init(|| {
        if let Some(path) = std::env::var_os("JUROR_DEMO") {
            return path.into();
        }
        let exe = std::env::current_exe().unwrap_or_default();
        let target = exe.ancestors().nth(3).expect("a test lies in target");
        let out = target.join("demo-of-tests");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["run", "--package", "xtask"]);
        command.arg("--target-dir").arg(target);
        command.args(["--", "demo", "--out"]).arg(&out);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let drawn = command.status().is_ok_and(|status| status.success());
        assert!(drawn, "{command:?}");
        out
    })
}

/// The files of a demo suite, by their paths in its folder; the list of what the page fetches of it is none of them.
///
/// # Panics
/// It cannot be read.
pub fn demo_suite(id: &str) -> Vec<File> {
    let folder = demos().join(id);
    let files = walkdir::WalkDir::new(&folder)
        .sort_by_file_name()
        .into_iter();
    let files = files.map(|entry| entry.expect("an entry of a demo suite"));
    let read = |entry: walkdir::DirEntry| {
        let path = entry
            .path()
            .strip_prefix(&folder)
            .expect("it is below the folder");
        let path = path.to_string_lossy().replace('\\', "/");
        let bytes = std::fs::read(entry.path()).expect("a file of a demo suite");
        (path, bytes)
    };
    files
        .filter(|entry| entry.file_type().is_file() && entry.file_name() != "index.json")
        .map(read)
        .collect()
}

/// A folder in which a test writes files and runs the program; gone with this value.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Default for Folder {
    fn default() -> Self {
        Self(TempDir::new().expect("a folder for temporary files"))
    }
}

impl Folder {
    /// A WEAVEBench of these dialogues in `bench`, and in `alpha` every output that they ask a model for, which nobody
    /// has judged.
    ///
    /// # Panics
    /// It cannot be written.
    pub fn weave(dialogues: impl Iterator<Item = Dialogue>) -> Self {
        let folder = Self::default();
        let (mut items, mut grey) = (Vec::new(), 0_u8);
        for dialogue in dialogues {
            items.push(dialogue.item());
            for number in 1..=dialogue.num_pictures + 1 {
                grey = grey.wrapping_add(1);
                let picture = dialogue.picture(number);
                folder.write(&format!("bench/imgs/{picture}"), &tiny_png(grey));
                if number > 1 {
                    let output = tiny_png(grey.wrapping_mul(7));
                    folder.write(&format!("alpha/imgs/{picture}"), &output);
                }
            }
            for turn in dialogue.num_pictures..dialogue.num_pictures + dialogue.num_texts {
                let answer = dialogue.answer(turn);
                folder.write(&format!("alpha/imgs/{answer}"), b"An answer.");
            }
        }
        folder.write("bench/test.json", json!(items).to_string().as_bytes());
        folder
    }

    /// A path in the folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file, and the folders above it where there are none.
    ///
    /// # Panics
    /// It cannot be written.
    pub fn write(&self, path: &str, content: &[u8]) {
        let path = self.path(path);
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&path, content));
        assert!(written.is_ok(), "{}: {written:?}", path.display());
    }

    /// Runs a command in the folder, its words apart by blanks; its exit code, stdout and stderr.
    ///
    /// # Panics
    /// It cannot be run, or prints what is no text.
    pub fn run(&self, words: &str) -> (i32, String, String) {
        Self::ran(self.command(words))
    }

    /// A command in the folder, its words apart by blanks, with nothing on stdin.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(program());
        command
            .args(words.split(' '))
            .current_dir(self.0.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end; its exit code, stdout and stderr.
    ///
    /// # Panics
    /// It cannot be run, or prints what is no text.
    pub fn ran(mut command: Command) -> (i32, String, String) {
        let output = command.output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("what is printed is text");
        let code = output.status.code().unwrap_or(-1);
        (code, text(output.stdout), text(output.stderr))
    }
}
