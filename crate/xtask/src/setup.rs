//! Installs what a fresh machine lacks: with nothing but rustup's Rust and Node, every other verb works.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow};

use crate::process::{Unmet, ask, on_path, progress, run};
use crate::workspace::{WASM_TARGET, Workspace};

/// The installed tools, by their place on disk.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) wasm_pack: PathBuf,
    pub(crate) wasm_bindgen: PathBuf,
}

impl Tools {
    /// `PATH` for child processes: the pinned wasm-bindgen comes first.
    pub(crate) fn path(&self) -> anyhow::Result<OsString> {
        let user = std::env::var_os("PATH").unwrap_or_default();
        if on_path("wasm-bindgen").as_deref() == Some(&*self.wasm_bindgen) {
            return Ok(user);
        }
        let bin = self
            .wasm_bindgen
            .parent()
            .context("a tool lies in a folder")?;
        Ok(std::env::join_paths(
            std::iter::once(bin.to_path_buf()).chain(std::env::split_paths(&user)),
        )?)
    }

    /// The runner for Wasm tests, which comes with wasm-bindgen.
    pub(crate) fn test_runner(&self) -> PathBuf {
        self.wasm_bindgen.with_file_name(format!(
            "wasm-bindgen-test-runner{}",
            std::env::consts::EXE_SUFFIX
        ))
    }
}

/// Everything that builds and the page need.
pub(crate) fn all(workspace: &Workspace) -> anyhow::Result<Tools> {
    node(workspace)?;
    wasm_target()?;
    let tools = tools(workspace)?;
    npm_packages(workspace)?;
    Ok(tools)
}

/// What the Wasm tests need: no npm packages.
pub(crate) fn for_wasm_tests(workspace: &Workspace) -> anyhow::Result<Tools> {
    node(workspace)?;
    wasm_target()?;
    tools(workspace)
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

/// Writes a built Wasm file and the JavaScript that starts it in a page into a folder, under a name.
pub(crate) fn bind(tools: &Tools, wasm: &Path, folder: &Path, name: &str) -> anyhow::Result<()> {
    let mut command = Command::new(&tools.wasm_bindgen);
    command
        .arg(wasm)
        .args(["--target", "web", "--no-typescript", "--out-name", name])
        .arg("--out-dir")
        .arg(folder);
    run(&mut command)
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

fn tools(workspace: &Workspace) -> anyhow::Result<Tools> {
    let lock =
        fs::read_to_string(workspace.root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let bindgen = locked_version(&lock, "wasm-bindgen")?;
    Ok(Tools {
        wasm_pack: tool(&Tool {
            package: "wasm-pack",
            binary: "wasm-pack",
            version: &workspace.config.tools.wasm_pack,
            flags: &["--locked"],
        })?,
        wasm_bindgen: tool(&Tool {
            package: "wasm-bindgen-cli",
            binary: "wasm-bindgen",
            version: &bindgen,
            // Its published lock file does not resolve.
            flags: &[],
        })?,
    })
}

/// A program from crates.io at one exact version.
struct Tool<'a> {
    package: &'a str,
    binary: &'a str,
    version: &'a str,
    flags: &'a [&'a str],
}

/// Finds the tool on `PATH` or in our own folder, or installs it there.
fn tool(tool: &Tool<'_>) -> anyhow::Result<PathBuf> {
    if let Some(path) = on_path(tool.binary).filter(|path| fits(path, tool.version)) {
        return Ok(path);
    }
    let root = tools_root()?.join(format!("{}-{}", tool.package, tool.version));
    let path = root
        .join("bin")
        .join(format!("{}{}", tool.binary, std::env::consts::EXE_SUFFIX));
    if fits(&path, tool.version) {
        return Ok(path);
    }
    progress(&format!(
        "installing {} {} into {} (some minutes, once)",
        tool.package,
        tool.version,
        root.display()
    ));
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["install", tool.package, "--version", tool.version])
        .args(tool.flags)
        .arg("--force")
        .arg("--root")
        .arg(&root)
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTFLAGS");
    let hint = format!(
        "run `cargo install {} --version {}` yourself",
        tool.package, tool.version
    );
    run(&mut command).map_err(|error| Unmet::new(format!("{error:#}; {hint}")))?;
    if !fits(&path, tool.version) {
        return Err(Unmet::new(format!(
            "{} does not answer with {}; {hint}",
            path.display(),
            tool.version
        ))
        .into());
    }
    Ok(path)
}

/// `$CARGO_HOME/juror-tools`: outside the user's own bin, and shared by every clone.
fn tools_root() -> anyhow::Result<PathBuf> {
    let cargo_home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir()
            .ok_or_else(|| Unmet::new("no home folder; set CARGO_HOME"))?
            .join(".cargo"),
    };
    Ok(cargo_home.join("juror-tools"))
}

/// Whether the program is there and says that it is this version.
fn fits(path: &Path, version: &str) -> bool {
    path.is_file() && ask(path, &["--version"]).is_some_and(|answer| says_version(&answer, version))
}

/// The answer is `name version`, perhaps with a revision in brackets after it.
fn says_version(answer: &str, version: &str) -> bool {
    answer.split_whitespace().nth(1) == Some(version)
}

/// The version of a package in Cargo.lock; there must be exactly one.
fn locked_version(lock: &str, name: &str) -> anyhow::Result<String> {
    let lock: toml::Table = lock.parse().context("in Cargo.lock")?;
    let packages = lock
        .get("package")
        .and_then(toml::Value::as_array)
        .context("Cargo.lock lists no packages")?;
    let versions: Vec<&str> = packages
        .iter()
        .filter(|package| package.get("name").and_then(toml::Value::as_str) == Some(name))
        .filter_map(|package| package.get("version").and_then(toml::Value::as_str))
        .collect();
    match versions[..] {
        [version] => Ok(version.to_owned()),
        _ => Err(anyhow!(
            "expected one version of {name} in Cargo.lock, found {versions:?}"
        )),
    }
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
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers_and_not_as_text() {
        assert!(Version::parse("v20.9.0") < Version::parse("20.19.0"));
        assert!(Version::parse("v22.1.0-nightly") > Version::parse("20.19.0"));
        assert_eq!(Version::parse("v20.19.0"), Version(20, 19, 0));
    }

    #[test]
    fn a_tool_fits_only_at_its_exact_version() {
        assert!(says_version("wasm-bindgen 0.2.130", "0.2.130"));
        assert!(says_version("wasm-bindgen 0.2.130 (abc123)", "0.2.130"));
        assert!(!says_version("wasm-bindgen 0.2.13", "0.2.130"));
        assert!(!says_version("", "0.2.130"));
    }

    #[test]
    fn the_locked_version_is_read_by_exact_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").unwrap(), "0.2.130");
    }

    #[test]
    fn two_locked_versions_are_an_error() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\n";
        assert!(
            locked_version(lock, "a")
                .unwrap_err()
                .to_string()
                .contains("2.0.0")
        );
    }
}
