//! What a commit must pass before it is one: every step runs, each says ok or FAILED. It is the first suite of the tests.

use std::collections::HashMap;
use std::fs;
use std::panic::resume_unwind;
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
use crate::process::{Unmet, own_program, quiet};
use crate::purity;
use crate::reader;
use crate::script_circles;
use crate::setup;
use crate::signatures;
use crate::steps::Steps;
use crate::test::{Suite, TESTED, in_node, whole_edge};
use crate::words;
use crate::workspace::Workspace;

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
    ("plain words", words::check),
    ("clippy and rustdoc native", read_native),
    ("clippy and rustdoc wasm32", read_wasm),
    ("generated files", bless::check),
    (FOR_NODE, |it| {
        quiet(&mut in_node(it, &["test", "--quiet", "--no-run"])?)
    }),
    (FOR_FUZZ, fuzz::compile),
    ("build", |_| build()),
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

/// The steps that go on beside the others from the beginning, one after another: rustc puts each of the page's modules together
/// on one core, and so does all that reads scripts. They share no folder of builds with the others.
const ASIDE: [&str; 5] = ["build", "single file", "TypeScript format", "tsc", "eslint"];

/// What only a later suite needs, where that follows: one core has nothing to do while the page is built to its end.
const FOR_NODE: &str = "tests as Wasm, compiled";
const FOR_FUZZ: &str = "fuzz targets, compiled";

/// Whether a step belongs to a run of these suites.
fn is_among(name: &str, suites: &[Suite]) -> bool {
    match name {
        FOR_NODE => suites.contains(&Suite::Wasm),
        FOR_FUZZ => suites.contains(&Suite::Fuzz),
        _ => true,
    }
}

/// The titles of the steps in a run of these suites.
pub(crate) fn steps(suites: &[Suite]) -> Vec<String> {
    let own = STEPS.iter().map(|(name, _)| *name);
    let own = own.filter(|name| is_among(name, suites));
    setup::STEPS
        .into_iter()
        .chain(own)
        .map(str::to_owned)
        .collect()
}

/// Runs all steps and prints what failed below its line.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    let suites = [Suite::Check];
    let totals = all(workspace, &Steps::new(steps(&suites)), &suites)?.totals;
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
pub(crate) const QUICK: [&str; 9] = [
    "fmt",
    "dependency direction",
    "purity",
    "import circles",
    "circles of scripts",
    "methods per type",
    "typed errors",
    "plain words",
    "clippy and rustdoc native",
];

/// The same as a suite of tests, of which each step is one.
pub(crate) fn all(workspace: &Workspace, steps: &Steps, suites: &[Suite]) -> anyhow::Result<Ran> {
    setup::all(workspace, steps)?;
    Ok(some(workspace, steps, |name| is_among(name, suites)))
}

/// Runs the steps whose names are wanted; each is a test.
pub(crate) fn some(
    workspace: &Workspace,
    steps: &Steps,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> Ran {
    let wanted = || STEPS.iter().filter(|(name, _)| is_wanted(name));
    let is_aside = |name: &str| ASIDE.contains(&name);
    std::thread::scope(|scope| {
        let aside = scope.spawn(move || {
            let aside = wanted().filter(|(name, _)| is_aside(name));
            let outcomes = aside.map(|(name, step)| (*name, timed(workspace, *step)));
            outcomes.collect::<HashMap<_, _>>()
        });
        let mut aside = Some(aside);
        let mut done = HashMap::new();
        let mut ran = Ran::default();
        for (name, step) in wanted() {
            steps.begin(name);
            if let Some(aside) = aside.take_if(|_| is_aside(name)) {
                done = aside.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            let outcome = done.remove(name);
            let outcome = outcome.unwrap_or_else(|| timed(workspace, *step));
            tell(&mut ran, name, outcome);
        }
        ran
    })
}

/// What came of a step, and how many seconds it took.
type Outcome = (anyhow::Result<()>, f64);

fn timed(workspace: &Workspace, step: fn(&Workspace) -> anyhow::Result<()>) -> Outcome {
    let start = Instant::now();
    let outcome = step(workspace);
    (outcome, start.elapsed().as_secs_f64())
}

/// Counts what came of a step, and says it.
fn tell(ran: &mut Ran, name: &str, (outcome, secs): Outcome) {
    let totals = &mut ran.totals;
    match outcome {
        Ok(()) => {
            totals.passed += 1;
            println!("ok, {secs:.1} s");
        }
        Err(error) if error.is::<Unmet>() && name == "advisories" => {
            totals.skipped += 1;
            println!("SKIPPED {name}: {error:#}");
        }
        Err(error) => {
            totals.failed += 1;
            ran.failed.push(name.to_owned());
            println!("FAILED {name}, {secs:.1} s\n{error:#}\n");
        }
    }
}

fn fmt(workspace: &Workspace) -> anyhow::Result<()> {
    // Only the names of the files: the mend is one command.
    quiet(&mut workspace.cargo(&["fmt", "--all", "--check", "--", "-l"]))
        .context("run `cargo fmt --all`")?;
    let mut command = workspace.cargo(&["fmt", "--check", "--manifest-path"]);
    quiet(command.arg(fuzz::manifest(workspace)).args(["--", "-l"]))
        .context("run `cargo fmt` in tests/fuzz")
}

/// All that the native tests run, and what writes JavaScript: Clippy and rustdoc read it while it is compiled.
fn read_native(workspace: &Workspace) -> anyhow::Result<()> {
    let selections: [&[&str]; 2] = [
        &TESTED,
        &["--package", bindgen::CRATE, "--features", bindgen::FEATURE],
    ];
    for selection in selections {
        let mut command = workspace.cargo(&["build", "--quiet"]);
        command.args(selection).args(TARGETS);
        reader::set(workspace, &mut command)?;
        reader::without_warnings(&mut command)?;
    }
    Ok(())
}

/// Windows replaces no program while it runs, and this is one of those that would be built.
const TARGETS: &[&str] = if cfg!(windows) {
    &["--lib", "--tests"]
} else {
    &["--all-targets"]
};

/// What all modules of the page have, at once, as their tests run it: what one of them leaves out and another does not miss,
/// rustc warns of when the page is built.
fn read_wasm(workspace: &Workspace) -> anyhow::Result<()> {
    let mut command = whole_edge(workspace, &["build", "--quiet", "--all-targets"])?;
    reader::without_warnings(&mut command)
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
        "juror_session",
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

/// Another instance of this program, so that what it prints is shown only if it fails or warns: each module is a selection of
/// features, of which Clippy reads all at once.
fn build() -> anyhow::Result<()> {
    let mut command = Command::new(own_program()?);
    reader::without_warnings(command.args(["build", "app"]))
}

fn sizes(_: &Workspace) -> anyhow::Result<()> {
    quiet(Command::new(own_program()?).args(["size", "--check"]))
}
