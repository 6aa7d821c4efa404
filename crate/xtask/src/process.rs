//! Child processes: how one is started, watched and reported, the same for every verb.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use cargo_metadata::Message;

/// Something that this program cannot install or understand; the text says what to do. Ends the process with 2.
#[derive(Debug)]
pub(crate) struct Unmet(String);

impl Unmet {
    /// A requirement that is not met, with the remedy in the text.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A command line that was not understood.
    pub(crate) fn usage(usage: &str) -> Self {
        Self(format!("command not understood\n{usage}"))
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unmet {}

/// Where this program was started from: a build may put a new one into its place meanwhile, of which the system no longer says
/// the path.
pub(crate) fn own_program() -> anyhow::Result<PathBuf> {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = PATH.get() {
        return Ok(path.clone());
    }
    let path = std::env::current_exe().context("the system does not say where this program is")?;
    Ok(PATH.get_or_init(|| path).clone())
}

/// Announces a step that takes time.
pub(crate) fn progress(text: &str) {
    println!("xtask: {text}");
}

/// The command as a person would type it, without its environment.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_stem().unwrap_or(program.as_os_str());
    let mut text = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// Runs with the terminal's own streams; a non-zero exit is an error.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", shown(command));
    }
    Ok(())
}

/// Runs silently; a non-zero exit is an error that carries everything the child printed.
pub(crate) fn quiet(command: &mut Command) -> anyhow::Result<()> {
    quietly(command).map(drop)
}

/// The same; returns what the child printed.
pub(crate) fn quietly(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !output.status.success() {
        bail!(
            "`{}` ended with {}\n{}",
            shown(command),
            output.status,
            both_streams(&output)
        );
    }
    Ok(both_streams(&output))
}

fn both_streams(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text.trim_end().to_owned()
}

/// What the child prints to stdout, or `None` if it cannot be started or fails. For questions such as `--version`.
pub(crate) fn ask(program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs and hands every line of stdout to `line`, which returns what the terminal gets to see.
/// Returns whether the child ended well.
pub(crate) fn watch(
    command: &mut Command,
    mut line: impl FnMut(&str) -> Option<String>,
) -> anyhow::Result<bool> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    let stdout = child
        .stdout
        .take()
        .context("the child's stdout is not piped")?;
    for bytes in BufReader::new(stdout).split(b'\n') {
        let bytes = bytes.context("cannot read the child's output")?;
        let text = String::from_utf8_lossy(&bytes);
        if let Some(text) = line(text.trim_end_matches('\r')) {
            // Held for this line alone: what goes on beside has lines of its own to say.
            writeln!(std::io::stdout(), "{text}")?;
        }
    }
    Ok(child.wait()?.success())
}

/// Runs `cargo build`, and says where the program or the Wasm module of this name is.
pub(crate) fn built(command: Command, name: &str) -> anyhow::Result<PathBuf> {
    built_with(command, &[], name)
}

/// As [`built`], with arguments of rustc's own, which come last.
pub(crate) fn built_with(
    mut command: Command,
    rustc: &[&str],
    name: &str,
) -> anyhow::Result<PathBuf> {
    command.arg("--message-format=json-render-diagnostics");
    if !rustc.is_empty() {
        command.arg("--").args(rustc);
    }
    let mut program = None;
    let ended_well = watch(&mut command, |line| {
        if let Ok(Message::CompilerArtifact(artifact)) = serde_json::from_str(line)
            && artifact.target.name == name
        {
            let mut files = artifact.filenames.into_iter();
            let module = || files.find(|file| file.extension() == Some("wasm"));
            program = artifact.executable.or_else(module);
        }
        None
    })?;
    match program {
        Some(program) if ended_well => Ok(program.into_std_path_buf()),
        _ => bail!("`{}` failed", shown(&command)),
    }
}

/// The first file of this name on `PATH`; `name` comes without `.exe`.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|dir| dir.join(&file))
        .find(|path| path.is_file())
}
