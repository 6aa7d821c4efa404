//! Builds the page: demo suites, the Rust core as Wasm, then Vite.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::bindgen::Bindgen;
use crate::freshness::{self, Stamp, sources_of};
use crate::precompress;
use crate::process::{Unmet, built_with, progress, run as run_child};
use crate::setup;
use crate::steps::Steps;
use crate::workspace::{Lto, Module, Workspace, is_trial};

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
            _ => Err(
                Unmet::usage("usage: cargo xtask build [app [--brotli]|embed|single|native]")
                    .into(),
            ),
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

/// Who the modules are built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Visitors: as small and as fast as they can be.
    Visitors,
    /// Whoever sits at this machine and waits for the build.
    ThisMachine,
}

impl Audience {
    /// What may stand already: what is made for visitors serves here too.
    fn served_by(self) -> &'static [Self] {
        match self {
            Self::Visitors => &[Self::Visitors],
            Self::ThisMachine => &[Self::ThisMachine, Self::Visitors],
        }
    }

    /// Whether the modules are optimised as a whole, by rustc and by wasm-opt.
    fn is_worth_optimising(self) -> bool {
        self == Self::Visitors && !is_trial()
    }
}

const BINDGEN: &str = "what writes the JavaScript beside Wasm";
const DEMO: &str = "demo suites";
const BROTLI: &str = "files in Brotli";

/// The titles of what [`run`] does.
pub(crate) fn steps(workspace: &Workspace, kind: Kind) -> Vec<String> {
    let before = setup::STEPS.into_iter().chain([BINDGEN, DEMO]);
    let modules = workspace.config.wasm.module.iter().map(Module::step);
    let before = before.map(str::to_owned).chain(modules);
    before.chain([kind.step().to_owned()]).collect()
}

/// Installs what is missing, then builds; returns what writes JavaScript for those who have more modules.
pub(crate) fn run(
    workspace: &Workspace,
    kind: Kind,
    audience: Audience,
    steps: &Steps,
) -> anyhow::Result<Bindgen> {
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
    build_wasm(workspace, &bindgen, audience, steps)?;
    page(workspace, kind, steps)?;
    Ok(bindgen)
}

/// Like [`run`] for visitors, with steps of its own.
pub(crate) fn alone(workspace: &Workspace, kind: Kind) -> anyhow::Result<()> {
    let steps = Steps::new(steps(workspace, kind));
    run(workspace, kind, Audience::Visitors, &steps).map(drop)
}

/// The app for hosts that send Brotli as it is on their disk.
pub(crate) fn precompressed(workspace: &Workspace) -> anyhow::Result<()> {
    let mut titles = steps(workspace, Kind::App);
    titles.push(BROTLI.to_owned());
    let steps = Steps::new(titles);
    run(workspace, Kind::App, Audience::Visitors, &steps)?;
    steps.begin(BROTLI);
    let sums = precompress::folder(&workspace.dist())?;
    println!(
        "{} files of {} bytes have a file in Brotli next to them, {} bytes together.",
        sums.files, sums.raw, sums.brotli
    );
    Ok(())
}

/// Builds the page alone, of the demo suites and the Wasm that are there.
pub(crate) fn page(workspace: &Workspace, kind: Kind, steps: &Steps) -> anyhow::Result<()> {
    steps.begin(kind.step());
    run_child(&mut workspace.npm_script(kind.script(), &[])?)
}

/// Draws the demo suites unless they are as the present source would draw them; returns their folder.
pub(crate) fn write_demo(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let out = workspace.root.join("www/public/demo");
    let source = hash_of_files(&workspace.root.join("crate/juror_demo/src"))?;
    // The generator of VIBE's Billiards, which draws a part of one suite.
    let generator = "crate/juror_billiards/src";
    let generator = hash_of_files(&workspace.root.join(generator))?;
    // What all of it is drawn from.
    let stream = hash_of_file(&workspace.root.join("crate/juror_statistics/src/random.rs"))?;
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
        return Ok(out);
    }
    if out.is_dir() {
        fs::remove_dir_all(&out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    fs::create_dir_all(&out)?;
    juror_demo::write(&out).context("cannot draw the demo suites")?;
    write_stamp(&stamp, &expected(&out)?)?;
    Ok(out)
}

pub(crate) fn write_stamp(stamp: &Path, text: &str) -> anyhow::Result<()> {
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
pub(crate) fn hash_of_files(dir: &Path) -> anyhow::Result<u64> {
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
/// rustc puts a module together on one core, so wasm-opt has the last one on another core meanwhile; a trial does without.
fn build_wasm(
    workspace: &Workspace,
    bindgen: &Bindgen,
    audience: Audience,
    steps: &Steps,
) -> anyhow::Result<()> {
    let around = freshness::around(workspace)?;
    std::thread::scope(|scope| {
        let mut optimised = Vec::new();
        for module in &workspace.config.wasm.module {
            steps.begin(&module.step());
            let stamp = |audience| Stamp::of(workspace, module, audience, around);
            let mut standing = audience.served_by().iter();
            if standing.any(|&audience| stamp(audience).holds()) || !is_asked_for(module) {
                continue;
            }
            let Built { wasm, sources } = build_module(workspace, bindgen, module, audience)?;
            let level = module.wasm_opt.as_deref();
            let level = level.filter(|_| audience.is_worth_optimising());
            let stamp = stamp(audience);
            optimised.push(scope.spawn(move || {
                if let Some(level) = level {
                    optimise(workspace, &wasm, level)?;
                }
                stamp.set(&sources)
            }));
        }
        optimised
            .into_iter()
            .try_for_each(|thread| match thread.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })
}

/// Whether a trial is to have this module anew: all of them, or those that `JUROR_MODULES` names.
fn is_asked_for(module: &Module) -> bool {
    let names = std::env::var("JUROR_MODULES").ok().filter(|_| is_trial());
    names.is_none_or(|names| names.split(',').any(|name| name == module.out_name))
}

/// A module with its JavaScript.
struct Built {
    wasm: PathBuf,
    sources: Vec<PathBuf>,
}

/// Compiles a module and writes its JavaScript.
fn build_module(
    workspace: &Workspace,
    bindgen: &Bindgen,
    module: &Module,
    audience: Audience,
) -> anyhow::Result<Built> {
    let config = &workspace.config.wasm;
    let profile = match audience {
        Audience::Visitors => &config.profile,
        Audience::ThisMachine => &config.local_profile,
    };
    // The crate is an ordinary library, on which a module that links other benchmarks can rest.
    let mut command = workspace.cargo_wasm(&["rustc", "--lib", "--crate-type", "cdylib"]);
    command
        .args(["--package", &config.package])
        .args(["--profile", profile, "--no-default-features"])
        .args(["--features", &module.features]);
    let is_fat = module.lto == Lto::Fat && audience.is_worth_optimising();
    let rustc: &[&str] = if is_fat { &["-Clto=fat"] } else { &[] };
    let built = built_with(command, rustc, &config.package)?;
    let out_dir = workspace.root.join(&module.out_dir);
    // What an earlier version wrote there is not served with what this one writes.
    if out_dir.is_dir() {
        fs::remove_dir_all(&out_dir)
            .with_context(|| format!("cannot empty {}", out_dir.display()))?;
    }
    bindgen.write(&built, &out_dir, &module.out_name)?;
    Ok(Built {
        wasm: out_dir.join(format!("{}_bg.wasm", module.out_name)),
        sources: sources_of(&built)?,
    })
}

/// Runs wasm-opt in place.
pub(crate) fn optimise(workspace: &Workspace, wasm: &Path, level: &str) -> anyhow::Result<()> {
    let before = fs::metadata(wasm)
        .with_context(|| format!("there is no {}", wasm.display()))?
        .len();
    let mut command = workspace.node_script("binaryen/bin/wasm-opt")?;
    let partial = wasm.with_extension("partial");
    command.args(&workspace.config.wasm_opt.args).arg(level);
    run_child(command.arg(wasm).arg("-o").arg(&partial))?;
    if !fs::read(&partial)?.starts_with(b"\0asm") {
        bail!("wasm-opt wrote something that is not Wasm");
    }
    fs::rename(&partial, wasm).with_context(|| format!("cannot write {}", wasm.display()))?;
    let name = wasm.file_name().unwrap_or_default().to_string_lossy();
    let after = fs::metadata(wasm)?.len();
    progress(&format!("{name}: {after} bytes, {before} before wasm-opt"));
    Ok(())
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
    fn what_is_built_for_visitors_serves_here_and_not_the_other_way_round() {
        assert!(
            Audience::ThisMachine
                .served_by()
                .contains(&Audience::Visitors)
        );
        assert!(
            !Audience::Visitors
                .served_by()
                .contains(&Audience::ThisMachine)
        );
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
