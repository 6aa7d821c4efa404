//! Stands between cargo and rustc where Juror's own crates are compiled for tests: Clippy's compiler makes the code of each and
//! reads it on the way, then rustdoc reads it.
//!
//! `cargo clippy` and `cargo doc` would have every dependency read once more, and each crate again in both. Here what the tests
//! need anyway serves for all.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use anyhow::{Context as _, anyhow, bail};

use crate::process::{own_program, quietly, shown};
use crate::workspace::Workspace;

/// By this name the program knows that cargo calls it in place of rustc.
const NAME: &str = "xtask_reader";

/// Whether cargo calls this program in place of rustc.
pub(crate) fn is_called() -> bool {
    let called = std::env::args_os().next().map(PathBuf::from);
    called.is_some_and(|path| path.file_stem() == Some(OsStr::new(NAME)))
}

/// Compiles what rustc was to compile, with the arguments that it was to get, of which its own path is the first.
pub(crate) fn compile() -> anyhow::Result<ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut compiler = Command::new("clippy-driver");
    compiler.args(&arguments);
    if is_of_units(&arguments) || is_of_xtask(&arguments) {
        compiler.arg("-Copt-level=0");
    }
    let compiled = ended_with(&mut compiler)?;
    if compiled != 0 {
        return Ok(ExitCode::from(compiled));
    }
    // As `cargo doc --no-deps`: what only those need that cargo was called for has its pages natively.
    let is_wanted = std::env::var_os("CARGO_PRIMARY_PACKAGE").is_some();
    let Some(arguments) = of_rustdoc(&arguments).filter(|_| is_wanted) else {
        return Ok(ExitCode::SUCCESS);
    };
    let program = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    ended_with(Command::new(program).args(arguments)).map(ExitCode::from)
}

/// Whether this makes the unit tests of a library, which run for a second: to optimise its code a second time takes minutes.
fn is_of_units(arguments: &[OsString]) -> bool {
    let has = |end: &str| (arguments.iter()).any(|word| Path::new(word).ends_with(end));
    has("--test") && has("src/lib.rs")
}

/// Whether this makes the task runner, which is only read here: the one that runs was compiled before.
fn is_of_xtask(arguments: &[OsString]) -> bool {
    let named = arguments.windows(2);
    let mut named = named.filter(|pair| pair[0] == "--crate-name");
    named.any(|pair| pair[1] == "xtask") && !arguments.iter().any(|word| word == "--test")
}

/// What a program ended with; 1 where that is no number of a process.
fn ended_with(command: &mut Command) -> anyhow::Result<u8> {
    let status = command.status();
    let status = status.with_context(|| format!("cannot start `{}`", shown(command)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.unwrap_or(1))
}

/// Options of rustc that rustdoc is to have as well; each has a value.
const SHARED: [&str; 13] = [
    "--cap-lints",
    "--cfg",
    "--check-cfg",
    "--color",
    "--crate-name",
    "--crate-type",
    "--diagnostic-width",
    "--edition",
    "--error-format",
    "--extern",
    "--json",
    "--target",
    "-L",
];

/// What rustdoc is called with after a compilation of a library or a program; nothing after that of a test, of a build script,
/// or after a mere question to rustc.
fn of_rustdoc(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let mut own: Vec<OsString> = Vec::new();
    let mut makes_code = false;
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        let word = argument.to_string_lossy();
        let (option, stated) = match word.split_once('=') {
            Some((option, stated)) if option.starts_with("--") => (option, Some(stated)),
            _ => (&*word, None),
        };
        match option {
            "--test" => return None,
            "--emit" => makes_code = stated.is_some_and(|kinds| kinds.contains("link")),
            "--crate-name" => {
                let name = rest.next()?;
                if name.to_string_lossy().starts_with("build_script_") {
                    return None;
                }
                own.extend([argument.clone(), name.clone()]);
            }
            "--crate-type" => {
                let kind = stated.map_or_else(|| rest.next().cloned(), |it| Some(it.into()))?;
                // As of what nobody else can call.
                if kind == "bin" {
                    own.push("--document-private-items".into());
                }
                own.extend(["--crate-type".into(), kind]);
            }
            "--out-dir" => {
                let folder = rest.next()?;
                own.extend(["--out-dir".into(), folder_of_pages(folder.as_ref())?.into()]);
            }
            _ if SHARED.contains(&option) => {
                own.push(argument.clone());
                if stated.is_none() {
                    own.push(rest.next()?.clone());
                }
            }
            _ if !option.starts_with('-') && word.ends_with(".rs") => own.push(argument.clone()),
            _ => {}
        }
    }
    makes_code.then_some(own)
}

/// Where `cargo doc` would write: rustc writes to `TARGET/PROFILE/deps`.
fn folder_of_pages(deps: &Path) -> Option<PathBuf> {
    Some(deps.parent()?.parent()?.join("doc"))
}

/// Has cargo compile Juror's crates in this way.
///
/// Every native build among the tests does, as cargo keeps what another compiler made apart.
pub(crate) fn set(workspace: &Workspace, command: &mut Command) -> anyhow::Result<()> {
    command.env("RUSTC_WORKSPACE_WRAPPER", program(workspace)?);
    Ok(())
}

/// A copy of this program under the other name, which stays where it is while cargo builds the original anew.
fn program(workspace: &Workspace) -> anyhow::Result<&'static Path> {
    static COPY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let copy = COPY.get_or_init(|| copied(workspace).map_err(|error| format!("{error:#}")));
    let copy = copy.as_ref().map_err(|error| anyhow!("{error}"))?;
    Ok(copy)
}

fn copied(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let program = own_program()?;
    let folder = workspace.root.join("target/reader");
    let copy = folder.join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::read(&program).with_context(|| format!("cannot read {}", program.display()))?;
    if fs::read(&copy).is_ok_and(|now| now == bytes) {
        return Ok(copy);
    }
    fs::create_dir_all(&folder)?;
    // Another run may be compiling with the one that is there.
    let partial = folder.join(format!("{NAME}-{}", std::process::id()));
    fs::copy(&program, &partial)
        .and_then(|_| fs::rename(&partial, &copy))
        .with_context(|| format!("cannot write {}", copy.display()))?;
    Ok(copy)
}

/// Runs a build silently; a warning is an error that carries everything that was said, which cargo says again as long as it holds.
pub(crate) fn without_warnings(command: &mut Command) -> anyhow::Result<()> {
    command.env("CARGO_TERM_COLOR", "never");
    // What a later Rust will refuse in packages of others is no fault of ours.
    command.env("CARGO_FUTURE_INCOMPAT_REPORT_FREQUENCY", "never");
    let said = quietly(command)?;
    if warns(&said) {
        bail!("`{}` warns\n{said}", shown(command));
    }
    Ok(())
}

/// Whether a compiler warned of something.
fn warns(said: &str) -> bool {
    said.lines().any(|line| line.starts_with("warning: "))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    const LIBRARY: &str = "/bin/rustc --crate-name pear --edition=2024 crate/pear/src/lib.rs --error-format=json \
        --json=diagnostic-rendered-ansi --crate-type lib --emit=dep-info,metadata,link -C opt-level=1 --warn=missing_docs \
        --cfg feature=\"core\" -C metadata=12 --out-dir /t/target/debug/deps -L dependency=/t/target/debug/deps \
        --extern stem=/t/target/debug/deps/libstem-1.rmeta --remap-path-prefix=/t=juror";

    #[test]
    fn rustdoc_reads_a_library_with_what_rustc_made_it_from() {
        let wanted = words(
            "--crate-name pear --edition=2024 crate/pear/src/lib.rs --error-format=json --json=diagnostic-rendered-ansi \
            --crate-type lib --cfg feature=\"core\" --out-dir /t/target/doc -L dependency=/t/target/debug/deps \
            --extern stem=/t/target/debug/deps/libstem-1.rmeta",
        );
        assert_eq!(of_rustdoc(&words(LIBRARY)).unwrap(), wanted);
    }

    #[test]
    fn of_a_program_it_reads_what_is_private_too() {
        let program = LIBRARY.replace("--crate-type lib", "--crate-type bin");
        let own = of_rustdoc(&words(&program)).unwrap();
        assert!(own.contains(&"--document-private-items".into()), "{own:?}");
        let library = of_rustdoc(&words(LIBRARY)).unwrap();
        assert!(!library.contains(&"--document-private-items".into()));
    }

    #[test]
    fn tests_build_scripts_and_questions_are_not_read() {
        for other in [
            LIBRARY.replace("--crate-type lib", "--test"),
            LIBRARY.replace("--crate-name pear", "--crate-name build_script_build"),
            LIBRARY.replace("dep-info,metadata,link", "dep-info,metadata"),
            "/bin/rustc -vV".to_owned(),
            "/bin/rustc - --crate-name ___ --print=file-names --crate-type bin".to_owned(),
        ] {
            assert_eq!(of_rustdoc(&words(&other)), None, "{other}");
        }
    }

    #[test]
    fn unit_tests_of_a_library_are_told_from_the_library_and_from_other_tests() {
        let units = LIBRARY.replace("--crate-type lib", "--test");
        assert!(is_of_units(&words(&units)));
        assert!(!is_of_units(&words(LIBRARY)));
        let program = units.replace("src/lib.rs", "src/main.rs");
        assert!(!is_of_units(&words(&program)));
    }

    #[test]
    fn the_task_runner_is_told_from_its_tests_and_from_other_programs() {
        let runner = LIBRARY.replace("--crate-name pear", "--crate-name xtask");
        assert!(is_of_xtask(&words(&runner)));
        assert!(!is_of_xtask(&words(LIBRARY)));
        let tests = runner.replace("--crate-type lib", "--test");
        assert!(!is_of_xtask(&words(&tests)));
    }

    #[test]
    fn a_line_of_a_warning_is_one_and_a_name_with_the_word_is_none() {
        assert!(warns(
            "   Compiling pear\nwarning: unused variable\n --> a.rs"
        ));
        assert!(!warns("   Compiling warnings v0.1.0\nA warning: none"));
    }
}
