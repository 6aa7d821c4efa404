//! What a commit must pass before it is one: every step runs, each says ok or FAILED. It is the first suite of the tests.

use std::collections::HashSet;
use std::fs;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, bail};
use cargo_metadata::DependencyKind;

use crate::advisories;
use crate::bindgen;
use crate::bless;
use crate::build::files_below;
use crate::circles;
use crate::dependencies::{self, Package};
use crate::fuzz;
use crate::licences;
use crate::methods;
use crate::names::Ran;
use crate::process::{Unmet, quiet};
use crate::purity;
use crate::script_circles;
use crate::setup;
use crate::signatures;
use crate::steps::Steps;
use crate::test::NATIVE;
use crate::workspace::Workspace;

/// The step that builds the page.
const BUILD: &str = "build";

type Step = (&'static str, fn(&Workspace) -> anyhow::Result<()>);

const STEPS: &[Step] = &[
    ("fmt", fmt),
    ("dependency direction", dependency_direction),
    ("licences", licences::check),
    ("advisories", advisories::check),
    ("purity", pure_sources),
    ("import circles", import_circles),
    ("circles of scripts", circles_of_scripts),
    ("methods per type", methods_per_type),
    ("typed errors", typed_errors),
    ("clippy native", clippy_native),
    ("clippy wasm32", clippy_wasm),
    ("rustdoc", rustdoc),
    ("generated files", bless::check),
    (BUILD, |_| build()),
    ("single file", |it| {
        quiet(&mut it.npm_script("build:single", &[])?)
    }),
    ("TypeScript format", |it| {
        quiet(&mut it.npm_script("format:check", &[])?).context("run `npm run format` in www")
    }),
    ("tsc", |it| quiet(&mut it.npm_script("typecheck", &[])?)),
    ("eslint", |it| quiet(&mut it.npm_script("lint", &[])?)),
    ("size budgets", sizes),
];

/// The titles of the steps.
pub(crate) fn steps() -> Vec<String> {
    let own = STEPS.iter().map(|(name, _)| *name);
    setup::STEPS
        .into_iter()
        .chain(own)
        .map(str::to_owned)
        .collect()
}

/// Runs all steps and prints what failed below its line.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let totals = all(workspace, &Steps::new(steps()))?.totals;
    println!(
        "{} steps ok, {} failed, {} not checked",
        totals.passed, totals.failed, totals.skipped
    );
    Ok(if totals.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The steps that read sources or compile nothing but what Rust's tests need.
pub(crate) const QUICK: [&str; 8] = [
    "fmt",
    "dependency direction",
    "purity",
    "import circles",
    "circles of scripts",
    "methods per type",
    "typed errors",
    "clippy native",
];

/// The same as a suite of tests, of which each step is one.
pub(crate) fn all(workspace: &Workspace, steps: &Steps) -> anyhow::Result<Ran> {
    setup::all(workspace, steps)?;
    Ok(some(workspace, steps, |_| true))
}

/// Runs the steps whose names are wanted; each is a test.
///
/// The page is built from the beginning on: rustc puts each of its modules together on one core, and the other steps have
/// the other ones meanwhile. They share no folder of builds with it.
pub(crate) fn some(workspace: &Workspace, steps: &Steps, is_wanted: fn(&str) -> bool) -> Ran {
    let mut ran = Ran::default();
    let totals = &mut ran.totals;
    let mut page = is_wanted(BUILD).then(|| std::thread::spawn(build));
    for (name, step) in STEPS.iter().filter(|(name, _)| is_wanted(name)) {
        steps.begin(name);
        let start = Instant::now();
        let outcome = match page.take_if(|_| *name == BUILD) {
            Some(page) => page
                .join()
                .unwrap_or_else(|it| std::panic::resume_unwind(it)),
            None => step(workspace),
        };
        let secs = start.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => {
                totals.passed += 1;
                println!("ok, {secs:.1} s");
            }
            Err(error) if error.is::<Unmet>() && *name == "advisories" => {
                totals.skipped += 1;
                println!("SKIPPED {name}: {error:#}");
            }
            Err(error) => {
                totals.failed += 1;
                ran.failed.push((*name).to_owned());
                println!("FAILED {name}, {secs:.1} s\n{error:#}\n");
            }
        }
    }
    ran
}

fn fmt(workspace: &Workspace) -> anyhow::Result<()> {
    // Only the names of the files: the mend is one command.
    quiet(&mut workspace.cargo(&["fmt", "--all", "--check", "--", "-l"]))
        .context("run `cargo fmt --all`")?;
    let mut command = workspace.cargo(&["fmt", "--check", "--manifest-path"]);
    quiet(command.arg(fuzz::manifest(workspace)).args(["--", "-l"]))
        .context("run `cargo fmt` in tests/fuzz")
}

/// The packages and features of the tests, so that both find the same dependencies built.
fn clippy_native(workspace: &Workspace) -> anyhow::Result<()> {
    let mut command = workspace.cargo(&["clippy", "--quiet", "--all-targets"]);
    quiet(command.args(NATIVE).args(["--", "-D", "warnings"]))?;
    let mut command = workspace.cargo(&["clippy", "--quiet", "--all-targets"]);
    command.args(["--package", bindgen::CRATE, "--features", bindgen::FEATURE]);
    quiet(command.args(["--", "-D", "warnings"]))
}

/// Once for each module: what one of them leaves out must not be missed by another.
/// Of those that differ in the benchmark alone one stands for the others.
fn clippy_wasm(workspace: &Workspace) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    for module in &workspace.config.wasm.module {
        let alike = module
            .each
            .iter()
            .fold(module.features.clone(), |features, word| {
                features.replace(word.as_str(), "")
            });
        if !seen.insert(alike) {
            continue;
        }
        let mut command = workspace.cargo_wasm(&["clippy", "--quiet", "--all-targets"]);
        command.args(["--package", "juror_web", "--no-default-features"]);
        command.args(["--features", &module.features]);
        quiet(command.args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

/// With the packages, features and targets of Clippy, whose reading of the dependencies serves here too.
fn rustdoc(workspace: &Workspace) -> anyhow::Result<()> {
    let mut native = workspace.cargo(&["doc", "--quiet", "--no-deps"]);
    native.args(NATIVE);
    let mut web = workspace.cargo_wasm(&["doc", "--quiet", "--no-deps"]);
    web.args(["--package", "juror_web", "--no-default-features"]);
    web.args(["--features", "full benchmarks"]);
    for command in [&mut native, &mut web] {
        quiet(command.env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// The walk over `cargo metadata` that the design asks for.
fn dependency_direction(workspace: &Workspace) -> anyhow::Result<()> {
    let metadata = workspace.metadata()?;
    let packages: Vec<Package> = metadata
        .packages
        .iter()
        .map(|package| {
            let names = |is_in_tests: bool| {
                let edges = package.dependencies.iter();
                edges
                    .filter(|edge| (edge.kind == DependencyKind::Development) == is_in_tests)
                    .map(|edge| edge.name.clone())
                    .collect()
            };
            Package {
                name: package.name.to_string(),
                dependencies: names(false),
                test_dependencies: names(true),
            }
        })
        .collect();
    let found = dependencies::violations(&packages);
    if !found.is_empty() {
        bail!("{}", found.join("\n"));
    }
    Ok(())
}

/// No effect in the crates below the hosts, as far as they exist.
fn pure_sources(workspace: &Workspace) -> anyhow::Result<()> {
    let mut found = Vec::new();
    for name in [
        "juror_reading",
        "juror_statistics",
        "juror_model",
        "juror_sources",
        "juror_protocols",
        "juror_judging",
        "juror_agents",
        "juror_evidence",
        "juror_core",
        "juror_image",
        "juror_make",
        "juror_metrics",
        "juror_neural",
    ] {
        let dir = workspace.root.join("crate").join(name).join("src");
        if !dir.is_dir() {
            continue;
        }
        for path in files_below(&dir)? {
            if path.extension().is_some_and(|extension| extension == "rs") {
                let source =
                    fs::read_to_string(&path).with_context(|| workspace.relative(&path))?;
                let lines = purity::violations(&source);
                found.extend(
                    lines
                        .iter()
                        .map(|line| format!("{}: {line}", workspace.relative(&path))),
                );
            }
        }
    }
    if !found.is_empty() {
        bail!("{}", found.join("\n"));
    }
    Ok(())
}

/// No circle of imports through more than one folder of a crate.
fn import_circles(workspace: &Workspace) -> anyhow::Result<()> {
    in_each_crate(workspace, circles::violations)
}

/// No type that offers more than a reader can keep in mind.
fn methods_per_type(workspace: &Workspace) -> anyhow::Result<()> {
    in_each_crate(workspace, methods::violations)
}

/// No public signature of a library with a text for its error.
fn typed_errors(workspace: &Workspace) -> anyhow::Result<()> {
    in_each_crate(workspace, signatures::violations)
}

/// What is wrong with a crate's files, which come as paths from `src` on and their texts; tests are no part of them.
fn in_each_crate(
    workspace: &Workspace,
    violations: fn(&[(String, String)]) -> Vec<String>,
) -> anyhow::Result<()> {
    let mut found = Vec::new();
    for entry in fs::read_dir(workspace.root.join("crate"))? {
        let dir = entry?.path().join("src");
        let mut files = Vec::new();
        for path in files_below(&dir)? {
            let name = path
                .strip_prefix(&dir)?
                .to_string_lossy()
                .replace('\\', "/");
            let is_rust = path.extension().is_some_and(|extension| extension == "rs");
            if is_rust && !name.ends_with("tests.rs") {
                files.push((name, fs::read_to_string(&path)?));
            }
        }
        let name = workspace.relative(&dir);
        found.extend(
            violations(&files)
                .into_iter()
                .map(|line| format!("{name}: {line}")),
        );
    }
    if !found.is_empty() {
        bail!("{}", found.join("\n"));
    }
    Ok(())
}

/// No circle of imports among the page's scripts.
fn circles_of_scripts(workspace: &Workspace) -> anyhow::Result<()> {
    let dir = workspace.www().join("src");
    let mut files = Vec::new();
    for path in files_below(&dir)? {
        let name = path
            .strip_prefix(&dir)?
            .to_string_lossy()
            .replace('\\', "/");
        // What wasm-bindgen writes is not there before a build.
        let is_script = path.extension().is_some_and(|extension| extension == "ts");
        if is_script && !name.starts_with("engine/pkg/") {
            files.push((name, fs::read_to_string(&path)?));
        }
    }
    let found = script_circles::violations(&files);
    if !found.is_empty() {
        bail!("{}", found.join("\n"));
    }
    Ok(())
}

/// Another instance of this program, so that what it prints is shown only if it fails.
fn build() -> anyhow::Result<()> {
    quiet(Command::new(std::env::current_exe()?).args(["build", "app"]))
}

fn sizes(_: &Workspace) -> anyhow::Result<()> {
    quiet(Command::new(std::env::current_exe()?).args(["size", "--check"]))
}
