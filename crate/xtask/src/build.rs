//! Builds the page: demo suites, the Rust core as Wasm, then Vite.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::bindgen::Bindgen;
use crate::process::{Unmet, built, progress, run as run_child};
use crate::steps::Steps;
use crate::workspace::{Module, Workspace};
use crate::{demo, setup};

/// The three shapes of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The site with its chunks, in www/dist.
    App,
    /// One module for other people's pages.
    Embed,
    /// One HTML file for `file://`.
    Single,
}

impl Kind {
    /// Reads the words after `build`; none means the app.
    pub(crate) fn from_words(words: &[&str]) -> anyhow::Result<Self> {
        match words {
            [] | ["app"] => Ok(Self::App),
            ["embed"] => Ok(Self::Embed),
            ["single"] => Ok(Self::Single),
            _ => Err(Unmet::usage("usage: cargo xtask build [app|embed|single]").into()),
        }
    }

    /// The step of its building.
    pub(crate) fn step(self) -> &'static str {
        match self {
            Self::App => "page",
            Self::Embed => "embed",
            Self::Single => "single file",
        }
    }

    fn script(self) -> &'static str {
        match self {
            Self::App => "build",
            Self::Embed => "build:embed",
            Self::Single => "build:single",
        }
    }
}

const BINDGEN: &str = "what writes the JavaScript beside Wasm";
const DEMO: &str = "demo suites";

/// The titles of what [`run`] does.
pub(crate) fn steps(workspace: &Workspace, kind: Kind) -> Vec<String> {
    let before = setup::STEPS.into_iter().chain([BINDGEN, DEMO]);
    let modules = workspace.config.wasm.module.iter().map(Module::step);
    let before = before.map(str::to_owned).chain(modules);
    before.chain([kind.step().to_owned()]).collect()
}

/// Installs what is missing, then builds; returns what writes JavaScript for those who have more modules.
pub(crate) fn run(workspace: &Workspace, kind: Kind, steps: &Steps) -> anyhow::Result<Bindgen> {
    if !workspace.has_npm_script(kind.script())? {
        return Err(Unmet::new(format!(
            "{kind:?} is not built yet: www/package.json has no script `{}`",
            kind.script()
        ))
        .into());
    }
    setup::all(workspace, steps)?;
    steps.begin(BINDGEN);
    let bindgen = Bindgen::prepare(workspace)?;
    steps.begin(DEMO);
    write_demo(workspace)?;
    build_wasm(workspace, &bindgen, steps)?;
    page(workspace, kind, steps)?;
    Ok(bindgen)
}

/// Like [`run`], with steps of its own.
pub(crate) fn alone(workspace: &Workspace, kind: Kind) -> anyhow::Result<()> {
    run(workspace, kind, &Steps::new(steps(workspace, kind))).map(drop)
}

/// Builds the page alone, of the demo suites and the Wasm that are there.
pub(crate) fn page(workspace: &Workspace, kind: Kind, steps: &Steps) -> anyhow::Result<()> {
    steps.begin(kind.step());
    run_child(&mut workspace.npm_script(kind.script(), &[])?)
}

/// Draws the demo suites unless they are as the present source would draw them.
fn write_demo(workspace: &Workspace) -> anyhow::Result<()> {
    let out = workspace.root.join("www/public/demo");
    let source = hash_of_files(&workspace.root.join("crate/xtask/src/demo"))?;
    // The generator of VIBE's Billiards, which draws a part of one suite.
    let generator = "crate/juror_core/src/protocol/vibe/billiards";
    let generator = hash_of_files(&workspace.root.join(generator))?;
    // What all of it is drawn from.
    let stream = hash_of_file(&workspace.root.join("crate/juror_core/src/random.rs"))?;
    let stamp = workspace.stamps().join("demo");
    let expected = |out: &Path| -> anyhow::Result<String> {
        Ok(format!(
            "{source:016x} {generator:016x} {stream:016x} {:016x}",
            hash_of_files(out)?
        ))
    };
    if out.is_dir()
        && fs::read_to_string(&stamp).is_ok_and(|text| expected(&out).is_ok_and(|now| now == text))
    {
        return Ok(());
    }
    if out.is_dir() {
        fs::remove_dir_all(&out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    fs::create_dir_all(&out)?;
    demo::write(&out).context("cannot draw the demo suites")?;
    write_stamp(&stamp, &expected(&out)?)
}

fn write_stamp(stamp: &Path, text: &str) -> anyhow::Result<()> {
    let dir = stamp.parent().context("a stamp lies in a folder")?;
    fs::create_dir_all(dir)?;
    fs::write(stamp, text).with_context(|| format!("cannot write {}", stamp.display()))
}

/// A hash over the content of a file.
fn hash_of_file(path: &Path) -> anyhow::Result<u64> {
    let mut hasher = DefaultHasher::new();
    fs::read(path)
        .with_context(|| format!("cannot read {}", path.display()))?
        .hash(&mut hasher);
    Ok(hasher.finish())
}

/// A hash over names and contents of all files below `dir`.
fn hash_of_files(dir: &Path) -> anyhow::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for path in files_below(dir)? {
        path.strip_prefix(dir)?.hash(&mut hasher);
        fs::read(&path)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// All files below `dir`, sorted by path.
pub(crate) fn files_below(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// rustc, wasm-bindgen and wasm-opt for each module that `wasm-pack.toml` names.
///
/// rustc puts a module together on one core, so wasm-opt has the last one on another core meanwhile.
fn build_wasm(workspace: &Workspace, bindgen: &Bindgen, steps: &Steps) -> anyhow::Result<()> {
    let used: Vec<PathBuf> = std::thread::scope(|scope| {
        let mut optimised = Vec::new();
        for module in &workspace.config.wasm.module {
            steps.begin(&module.step());
            let wasm = build_module(workspace, bindgen, module)?;
            optimised.push(scope.spawn(move || optimise(workspace, &wasm, &module.wasm_opt)));
        }
        let ended = optimised.into_iter().map(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ended.collect::<anyhow::Result<_>>()
    })?;
    // What the last build kept of wasm-opt's work stays only if this build used it.
    for file in files_below(&wasm_opt_cache(workspace))? {
        if !used.contains(&file) {
            fs::remove_file(&file)?;
        }
    }
    Ok(())
}

fn wasm_opt_cache(workspace: &Workspace) -> PathBuf {
    // Another binaryen comes with another node_modules, and that takes this cache with it.
    workspace.stamps().join("wasm-opt")
}

/// Compiles a module and writes its JavaScript; returns where the Wasm lies.
fn build_module(
    workspace: &Workspace,
    bindgen: &Bindgen,
    module: &Module,
) -> anyhow::Result<PathBuf> {
    let config = &workspace.config.wasm;
    let mut command = workspace.cargo_wasm(&["build", "--lib", "--package", &config.package]);
    command
        .args(["--profile", &config.profile, "--no-default-features"])
        .args(["--features", &module.features]);
    let built = built(command, &config.package)?;
    let out_dir = workspace.root.join(&module.out_dir);
    // What an earlier version wrote there is not served with what this one writes.
    if out_dir.is_dir() {
        fs::remove_dir_all(&out_dir)
            .with_context(|| format!("cannot empty {}", out_dir.display()))?;
    }
    bindgen.write(&built, &out_dir, &module.out_name)?;
    Ok(out_dir.join(format!("{}_bg.wasm", module.out_name)))
}

/// Runs wasm-opt in place, or takes its result for the same input from the last build.
pub(crate) fn optimise(workspace: &Workspace, wasm: &Path, level: &str) -> anyhow::Result<PathBuf> {
    let input = fs::read(wasm).with_context(|| format!("there is no {}", wasm.display()))?;
    let args: Vec<&str> = (workspace.config.wasm_opt.args.iter().map(String::as_str))
        .chain([level])
        .collect();
    let mut command = workspace.node_script("binaryen/bin/wasm-opt")?;
    let mut hasher = DefaultHasher::new();
    (&input, &args).hash(&mut hasher);
    let cache = wasm_opt_cache(workspace);
    let cached = cache.join(format!("{:016x}.wasm", hasher.finish()));
    if !cached.is_file() {
        fs::create_dir_all(&cache)?;
        let partial = cached.with_extension("partial");
        run_child(command.args(&args).arg(wasm).arg("-o").arg(&partial))?;
        fs::rename(&partial, &cached)?;
    }
    let output = fs::read(&cached)?;
    if !output.starts_with(b"\0asm") {
        bail!("wasm-opt wrote something that is not Wasm");
    }
    let name = wasm.file_name().unwrap_or_default().to_string_lossy();
    progress(&format!(
        "{name}: {} bytes, {} before wasm-opt",
        output.len(),
        input.len()
    ));
    fs::write(wasm, output).with_context(|| format!("cannot write {}", wasm.display()))?;
    Ok(cached)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn no_word_after_build_means_the_app() {
        assert_eq!(Kind::from_words(&[]).unwrap(), Kind::App);
        assert_eq!(Kind::from_words(&["single"]).unwrap(), Kind::Single);
    }

    #[test]
    fn an_unknown_word_after_build_is_refused() {
        assert!(Kind::from_words(&["apps"]).unwrap_err().is::<Unmet>());
    }

    #[test]
    fn the_hash_of_a_folder_sees_names_and_contents() {
        let dir = std::env::temp_dir().join(format!("juror-xtask-hash-{}", std::process::id()));
        fs::create_dir_all(dir.join("inner")).unwrap();
        fs::write(dir.join("inner/a"), "1").unwrap();
        let first = hash_of_files(&dir).unwrap();
        assert_eq!(first, hash_of_files(&dir).unwrap());
        fs::write(dir.join("inner/a"), "2").unwrap();
        let second = hash_of_files(&dir).unwrap();
        fs::rename(dir.join("inner/a"), dir.join("inner/b")).unwrap();
        let third = hash_of_files(&dir).unwrap();
        fs::remove_dir_all(&dir).unwrap();
        assert!(first != second && second != third && first != third);
    }
}
