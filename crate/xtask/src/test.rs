//! Runs every test of the workspace and ends with how many there were.

use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread::ScopedJoinHandle;
use std::time::Instant;

use anyhow::Context;

use crate::bindgen::{self, Bindgen};
use crate::browsers;
use crate::build;
use crate::check;
use crate::chromium;
use crate::fuzz;
use crate::names::{self, Ran};
use crate::process::{Unmet, built, on_path, shown, watch};
use crate::reader;
use crate::setup;
use crate::steps::Steps;
use crate::totals::{Libtest, Totals, playwright};
use crate::workspace::{WASM_TARGET, Workspace};

/// A part of the tests that can be run by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suite {
    /// What a commit must pass before it is one.
    Check,
    /// The workspace on this machine.
    Rust,
    /// Made-up bytes for all that is read.
    Fuzz,
    /// The core and the image metrics compiled to Wasm, in node, and the browser's edge in a browser.
    Wasm,
    /// The built page in Chromium, and in the browsers beside it that are there.
    Browser,
    /// What tells most in a few minutes: sources, units, rules, vectors, and each view once. No part of the whole.
    Quick,
}

impl Suite {
    /// The order in which they run: first what every commit must pass, whose builds the others find done.
    const ALL: [Self; 5] = [
        Self::Check,
        Self::Rust,
        Self::Fuzz,
        Self::Wasm,
        Self::Browser,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Rust => "rust",
            Self::Fuzz => "fuzz",
            Self::Wasm => "wasm",
            Self::Browser => "browser",
            Self::Quick => "--quick",
        }
    }

    /// The titles of what it does, in order, among the suites that are run.
    fn steps(self, workspace: &Workspace, suites: &[Self]) -> Vec<String> {
        match self {
            Self::Check => check::steps(suites),
            Self::Rust => [COMMAND, RUST].map(str::to_owned).to_vec(),
            Self::Fuzz => vec![FUZZ.to_owned()],
            Self::Wasm => [RUNNER, WASM, EDGE].map(str::to_owned).to_vec(),
            Self::Browser => {
                let app = build::steps(workspace, build::Kind::App);
                let single = build::Kind::Single.step();
                let own = [single, BROWSERS, COMMAND, GPU_CHECKS, SIXTH, PAGE];
                app.into_iter().chain(own.map(str::to_owned)).collect()
            }
            Self::Quick => {
                let own = check::QUICK.into_iter().chain([RUST_QUICKLY]);
                let app = build::steps(workspace, build::Kind::App);
                let all = own.map(str::to_owned).chain(app);
                all.chain([PAGE.to_owned()]).collect()
            }
        }
    }
}

const COMMAND: &str = "the command `juror`";
const RUST: &str = "Rust tests";
const RUST_QUICKLY: &str = "Rust units, rules and vectors";
const FUZZ: &str = "fuzzing";
const RUNNER: &str = "the runner of tests as Wasm";
const WASM: &str = "tests as Wasm in node";
const EDGE: &str = "the edge's tests in a headless browser";
const BROWSERS: &str = "browsers";
const GPU_CHECKS: &str = "checks of the GPU as Wasm";
const SIXTH: &str = "the engine with a sixth benchmark as Wasm";
const PAGE: &str = "tests of the page";

/// Reads the words after `test`; none means all suites.
pub(crate) fn suites_from_words(words: &[&str]) -> anyhow::Result<Vec<Suite>> {
    if words.is_empty() {
        return Ok(Suite::ALL.to_vec());
    }
    let find = |word: &&str| {
        let mut all = Suite::ALL.into_iter().chain([Suite::Quick]);
        all.find(|suite| suite.name() == *word)
    };
    words
        .iter()
        .map(|word| {
            find(word).ok_or_else(|| {
                Unmet::usage("usage: cargo xtask test [--quick|check|rust|fuzz|wasm|browser]")
                    .into()
            })
        })
        .collect()
}

/// How one suite went.
struct Row {
    suite: Suite,
    ran: Ran,
    secs: f64,
}

/// Runs the suites one after another, also after a failing one, and prints the totals.
///
/// Rust's tests, fuzzing and the tests as Wasm go on beside each other: each has stretches that keep one core busy alone.
pub(crate) fn run(workspace: &Workspace, suites: &[Suite]) -> ExitCode {
    let mut rows = Vec::new();
    let goes_beside = |suite: &Suite| matches!(suite, Suite::Rust | Suite::Fuzz | Suite::Wasm);
    let is_beside = |one: &Suite, next: &Suite| goes_beside(one) && goes_beside(next);
    for group in suites.chunk_by(is_beside) {
        let before = rows.len();
        let is_built = has_passed(&rows, Suite::Check);
        let ended: Vec<Row> = std::thread::scope(|scope| {
            let begin = |(idx, &suite): (usize, &Suite)| {
                scope.spawn(move || {
                    let (number, count) = (before + idx + 1, suites.len());
                    println!("\nsuite {number} of {count}: {}", suite.name());
                    one(workspace, suite, suites, is_built)
                })
            };
            let running: Vec<_> = group.iter().enumerate().map(begin).collect();
            let ended = running.into_iter().map(ScopedJoinHandle::join);
            ended
                .map(|row| row.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        });
        rows.extend(ended);
    }
    let (table, sum) = summary(&rows);
    println!("\n{table}");
    if sum.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs one of the suites; `is_built` if the checks of this run have passed.
fn one(workspace: &Workspace, suite: Suite, suites: &[Suite], is_built: bool) -> Row {
    let steps = Steps::new(suite.steps(workspace, suites));
    let start = Instant::now();
    let held = |ran: anyhow::Result<Ran>| {
        let mut ran = ran?;
        names::hold(workspace, suite.name(), &mut ran)?;
        Ok(ran)
    };
    let outcome = match suite {
        Suite::Check => check::all(workspace, &steps, suites),
        Suite::Rust => held(rust(workspace, &steps)),
        Suite::Fuzz => {
            steps.begin(FUZZ);
            fuzz::among_tests(workspace)
        }
        Suite::Wasm => wasm(workspace, &steps),
        Suite::Browser => held(browser(workspace, &steps, is_built)),
        Suite::Quick => quick(workspace, &steps),
    };
    let ran = outcome.unwrap_or_else(|error| {
        eprintln!("xtask: {} tests did not run: {error:#}", suite.name());
        Ran {
            totals: Totals::default().with_status(false),
            failed: vec![format!("the suite did not run: {error:#}")],
            ..Ran::default()
        }
    });
    Row {
        suite,
        ran,
        secs: start.elapsed().as_secs_f64(),
    }
}

/// Whether a suite ran before, and nothing in it failed.
fn has_passed(rows: &[Row], suite: Suite) -> bool {
    rows.iter()
        .any(|row| row.suite == suite && row.ran.totals.failed == 0)
}

/// Names that are shown of what failed: a run in which everything failed is told by its table.
const MOST_NAMED: usize = 12;

/// What failed, the table of suites and, as its last line, their sum.
fn summary(rows: &[Row]) -> (String, Totals) {
    let failed = rows.iter().flat_map(|row| {
        let suite = row.suite.name();
        let names = row.ran.failed.iter();
        names.map(move |name| format!("FAILED in {suite}: {name}"))
    });
    let mut lines: Vec<String> = failed.collect();
    if let Some(more) = lines.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        lines.truncate(MOST_NAMED);
        lines.push(format!("and {more} more, named above"));
    }
    lines.push(format!(
        "{:<10}{:>8}{:>8}{:>9}{:>10}",
        "suite", "passed", "failed", "skipped", "seconds"
    ));
    let mut sum = Totals::default();
    for row in rows {
        let Totals {
            passed,
            failed,
            skipped,
        } = row.ran.totals;
        let name = row.suite.name();
        lines.push(format!(
            "{name:<10}{passed:>8}{failed:>8}{skipped:>9}{:>10.1}",
            row.secs
        ));
        sum.add(row.ran.totals);
    }
    lines.push(format!(
        "{} passed, {} failed, {} skipped",
        sum.passed, sum.failed, sum.skipped
    ));
    (lines.join("\n"), sum)
}

/// What is built, read and tested natively, with the tests that write the generated files: one selection of packages and
/// features for all of it, since cargo compiles a crate again for each. The program that writes JavaScript for Wasm is compiled
/// where it is needed.
pub(crate) const TESTED: [&str; 5] = [
    "--workspace",
    "--exclude",
    "xtask_bindgen",
    "--features",
    "juror_cli/gpu,juror_cli/networks,juror_web/typescript",
];

/// The tests in node, and with whose features the modules are built that tests put into a page: one selection for the same
/// reason.
const AS_WASM: [&str; 8] = [
    "--package",
    "juror_tests",
    "--features",
    "page",
    "--test",
    "wasm",
    "--test",
    "pictures",
];

/// The features that the whole engine turns on in the packages under it.
const SHARED: &str = "juror_protocols/counting,serde_json/float_roundtrip";

/// Where the tests that write generated files put them; without it, below each crate.
pub(crate) const TYPES_DIR: &str = "TS_RS_EXPORT_DIR";

fn rust(workspace: &Workspace, steps: &Steps) -> anyhow::Result<Ran> {
    steps.begin(COMMAND);
    let cli = build_cli(workspace)?;
    browsers::prepare_gpu();
    let demos = build::write_demo(workspace)?;
    steps.begin(RUST);
    let mut ran = Ran::default();
    // Examples in the documentation apart: rustdoc compiles them together, but one by one where their output is to be shown.
    let programs: [&[&str]; 2] = [
        &["--lib", "--bins", "--tests", "--", "--show-output"],
        &["--doc"],
    ];
    for words in programs {
        let mut command = native_tests(workspace, words)?;
        command.env("JUROR_CLI", &cli).env("JUROR_DEMO", &demos);
        ran.add(counted(&mut command)?);
    }
    Ok(ran)
}

/// The native tests that `words` select.
fn native_tests(workspace: &Workspace, words: &[&str]) -> anyhow::Result<Command> {
    let mut command = workspace.cargo(&["test"]);
    command.args(TESTED).arg("--no-fail-fast").args(words);
    command.env(TYPES_DIR, workspace.stamps().join("types"));
    reader::set(workspace, &mut command)?;
    Ok(command)
}

/// Runs test programs and counts their tests.
fn counted(command: &mut Command) -> anyhow::Result<Ran> {
    let mut libtest = Libtest::default();
    let ended_well = watch(command, |line| libtest.line(line))?;
    Ok(libtest.ran(ended_well))
}

/// Five minutes once everything was built: what a change breaks most often.
fn quick(workspace: &Workspace, steps: &Steps) -> anyhow::Result<Ran> {
    let mut ran = check::some(workspace, steps, |name| check::QUICK.contains(&name));
    steps.begin(RUST_QUICKLY);
    let words = ["--lib", "--test", "rules", "--test", "vectors", "--"];
    let mut command = native_tests(workspace, &words)?;
    ran.add(counted(command.arg("--show-output"))?);
    let audience = build::Audience::ThisMachine;
    build::run(workspace, build::Kind::App, audience, steps)?;
    steps.begin(PAGE);
    let chromium = chromium::find()?;
    ran.add(in_browser(workspace, |command| {
        command.args(["--grep", "@smoke"]);
        command.env(chromium::VARIABLE, chromium);
    })?);
    Ok(ran)
}

fn wasm(workspace: &Workspace, steps: &Steps) -> anyhow::Result<Ran> {
    if !has_target(workspace, "test", "wasm")? {
        return Err(Unmet::new("juror_tests has no test target `wasm` yet").into());
    }
    steps.begin(RUNNER);
    setup::for_wasm_tests(workspace)?;
    let config = runner(&bindgen::test_runner(workspace)?);
    steps.begin(WASM);
    let mut command = in_node(workspace, &["test", "--no-fail-fast"])?;
    command.args(["--config", &config]);
    let mut ran = counted(&mut command)?;
    names::hold(workspace, "wasm", &mut ran)?;
    steps.begin(EDGE);
    ran.add(edge(workspace, &config)?);
    Ok(ran)
}

/// What starts a Wasm test, as cargo's configuration.
fn runner(program: &Path) -> String {
    // A JSON string is a TOML string too; the environment variable for this would split the path at spaces.
    let runner = serde_json::Value::from(program.display().to_string());
    format!("target.{WASM_TARGET}.runner=[{runner}]")
}

/// Cargo with `juror_web` as the first engine of a benchmark has it.
fn first_edge(workspace: &Workspace, words: &[&str]) -> anyhow::Result<Command> {
    // What is compiled for one serves the other: the features of the packages under them are the same. Networks, which are a
    // module of their own, are there for those that they turn on.
    edge_with(workspace, words, &["session,weave,networks", SHARED])
}

/// Cargo with `juror_web` as all modules of the page together have it.
pub(crate) fn whole_edge(workspace: &Workspace, words: &[&str]) -> anyhow::Result<Command> {
    let modules = workspace.config.wasm.module.iter();
    let mut features: Vec<&str> = modules.map(|module| module.features.as_str()).collect();
    features.push(SHARED);
    edge_with(workspace, words, &features)
}

fn edge_with(workspace: &Workspace, words: &[&str], features: &[&str]) -> anyhow::Result<Command> {
    let mut command = wasm_tests(workspace, words)?;
    command
        .args(["--package", &workspace.config.wasm.package])
        .args(["--no-default-features", "--features", &features.join(" ")]);
    Ok(command)
}

/// Cargo with the tests in node.
pub(crate) fn in_node(workspace: &Workspace, words: &[&str]) -> anyhow::Result<Command> {
    let mut command = wasm_tests(workspace, words)?;
    command.args(AS_WASM);
    Ok(command)
}

/// Cargo for tests as Wasm, or for what they put into a page: compiled in one way, so that they share Juror's own crates.
fn wasm_tests(workspace: &Workspace, words: &[&str]) -> anyhow::Result<Command> {
    let mut command = workspace.cargo_wasm(words);
    for package in SELDOM_BUSY {
        let setting = format!("profile.dev.package.{package}.opt-level=0");
        command.args(["--config", &setting]);
    }
    reader::set(workspace, &mut command)?;
    Ok(command)
}

/// Packages that natively read folders over and over, or run networks, and as Wasm read a few files in all: compiling them takes
/// longer then than all of those tests.
const SELDOM_BUSY: [&str; 11] = [
    "juror_billiards",
    "juror_model",
    "juror_protocols",
    "juror_reading",
    "juror_sources",
    "juror_statistics",
    "rten",
    "rten-gemm",
    "rten-simd",
    "rten-tensor",
    "rten-vecmath",
];

/// The tests of `juror_web` in a headless Chromium: with the first engine, then with all that the page has.
fn edge(workspace: &Workspace, runner: &str) -> anyhow::Result<Ran> {
    let Some(driver) = on_path("chromedriver") else {
        println!(
            "SKIPPED: the edge's tests in a browser, as chromedriver is not installed; on Debian: `sudo apt-get install -y chromium-driver`"
        );
        return Ok(Ran {
            totals: Totals {
                skipped: 1,
                ..Totals::default()
            },
            ..Ran::default()
        });
    };
    let capabilities = workspace.stamps().join("webdriver.json");
    let options = serde_json::json!({
        "goog:chromeOptions": {
            "binary": chromium::find()?,
            // As root in a container Chromium has no sandbox.
            "args": ["headless", "disable-gpu", "disable-dev-shm-usage", "no-sandbox"],
        }
    });
    fs::create_dir_all(workspace.stamps())?;
    fs::write(&capabilities, options.to_string())?;
    let mut ran = Ran::default();
    for mut command in [
        first_edge(workspace, &["test"])?,
        whole_edge(workspace, &["test"])?,
    ] {
        command
            .args(["--lib", "--config", runner])
            .env("CHROMEDRIVER", &driver)
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &capabilities)
            // A browser that is slow beside fuzzing does not hang.
            .env("WASM_BINDGEN_TEST_TIMEOUT", "600");
        ran.add(counted(&mut command)?);
    }
    names::hold(workspace, "edge", &mut ran)?;
    Ok(ran)
}

/// `is_built` if the checks of this run have just built the page and the single file.
fn browser(workspace: &Workspace, steps: &Steps, is_built: bool) -> anyhow::Result<Ran> {
    let bindgen = if is_built {
        Bindgen::prepare(workspace)?
    } else {
        let visitors = build::Audience::Visitors;
        let bindgen = build::run(workspace, build::Kind::App, visitors, steps)?;
        build::page(workspace, build::Kind::Single, steps)?;
        bindgen
    };
    steps.begin(BROWSERS);
    let shell = chromium::shell();
    let chromium = chromium::find()?;
    browsers::prepare();
    steps.begin(COMMAND);
    let cli = build_cli(workspace)?;
    steps.begin(GPU_CHECKS);
    let checks = build_gpu_checks(workspace, &bindgen)?;
    steps.begin(SIXTH);
    let sixth = build_sixth(workspace, &bindgen)?;
    steps.begin(PAGE);
    in_browser(workspace, |command| {
        command
            .envs(shell.map(|shell| (chromium::SHELL_VARIABLE, shell)))
            .env(chromium::VARIABLE, chromium)
            .env("JUROR_CLI", cli)
            .env("JUROR_GPU_CHECKS", checks)
            .env("JUROR_SIXTH", sixth);
    })
}

/// Runs the tests of the page and counts them; `given` adds what they need.
fn in_browser(workspace: &Workspace, given: impl FnOnce(&mut Command)) -> anyhow::Result<Ran> {
    let report = workspace.stamps().join("playwright.json");
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut command = workspace.npm_script("test:browser", &["--reporter=list,json"])?;
    given(&mut command);
    let status = command
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report)
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot start `{}`", shown(&command)))?;
    let json = fs::read_to_string(&report).context("Playwright wrote no report")?;
    let report = playwright(&json)?;
    for name in &report.flaky {
        println!("FLAKY, passed on its second try alone: {name}");
    }
    Ok(Ran {
        totals: report.totals.with_status(status.success()),
        names: report.names,
        failed: report.failed,
    })
}

/// Builds a module that tests put into a page; returns its Wasm.
fn build_as_wasm(workspace: &Workspace, program: &str) -> anyhow::Result<PathBuf> {
    let command = in_node(workspace, &["build", "--bin", program])?;
    built(command, program)
}

/// Builds the checks of the GPU's twins as a module for a page; returns its folder.
fn build_gpu_checks(workspace: &Workspace, bindgen: &Bindgen) -> anyhow::Result<PathBuf> {
    let wasm = build_as_wasm(workspace, "gpu_checks")?;
    let folder = workspace.stamps().join("gpu-checks");
    bindgen.write(&wasm, &folder, "checks")?;
    Ok(folder)
}

/// Builds the page's engine with a benchmark that is in the tests alone; returns its folder.
fn build_sixth(workspace: &Workspace, bindgen: &Bindgen) -> anyhow::Result<PathBuf> {
    let wasm = build_as_wasm(workspace, "sixth")?;
    let folder = workspace.stamps().join("sixth");
    bindgen.write(&wasm, &folder, "sixth")?;
    Ok(folder)
}

/// Whether `juror_tests` has a target of this kind and name.
pub(crate) fn has_target(workspace: &Workspace, kind: &str, name: &str) -> anyhow::Result<bool> {
    let metadata = workspace.metadata()?;
    let mut targets = metadata
        .packages
        .iter()
        .filter(|package| package.name.as_str() == "juror_tests")
        .flat_map(|package| &package.targets);
    Ok(targets.any(|target| {
        target.name == name && target.kind.iter().any(|found| found.to_string() == kind)
    }))
}

/// Builds the command line program for tests that compare it with the page, and says where it is.
fn build_cli(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    // The same packages and features as for the tests: with others, cargo would unite features differently and compile twice.
    // A program of tests is built with it, since that brings in the features of what only tests depend on.
    let mut command = workspace.cargo(&["build"]);
    command.args(TESTED);
    // What forges packs for the tests of the page lies beside it.
    command.args(["--bin", "juror", "--bin", "forge", "--test", "wasm"]);
    reader::set(workspace, &mut command)?;
    built(command, "juror")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn no_word_after_test_means_every_suite() {
        assert_eq!(suites_from_words(&[]).unwrap(), Suite::ALL);
        assert_eq!(suites_from_words(&["wasm"]).unwrap(), [Suite::Wasm]);
        assert_eq!(suites_from_words(&["--quick"]).unwrap(), [Suite::Quick]);
    }

    #[test]
    fn an_unknown_suite_is_refused() {
        assert!(
            suites_from_words(&["rust", "wsam"])
                .unwrap_err()
                .is::<Unmet>()
        );
    }

    fn row(suite: Suite, passed: u64, failed: u64, skipped: u64) -> Row {
        let totals = Totals {
            passed,
            failed,
            skipped,
        };
        Row {
            suite,
            ran: Ran {
                totals,
                failed: (0..failed).map(|idx| format!("test {idx}")).collect(),
                ..Ran::default()
            },
            secs: 1.0,
        }
    }

    #[test]
    fn only_checks_that_all_passed_spare_the_browser_suite_its_build() {
        let checked = |failed| [row(Suite::Check, 19, failed, 0), row(Suite::Rust, 5, 1, 0)];
        assert!(has_passed(&checked(0), Suite::Check));
        assert!(!has_passed(&checked(1), Suite::Check));
        assert!(!has_passed(&checked(0)[1..], Suite::Check));
    }

    #[test]
    fn the_last_line_of_the_summary_is_the_sum() {
        let (text, sum) = summary(&[row(Suite::Rust, 5, 0, 1), row(Suite::Wasm, 2, 3, 0)]);
        assert_eq!(
            text.lines().last().unwrap(),
            "7 passed, 3 failed, 1 skipped"
        );
        assert_eq!(text.lines().count(), 3 + 4);
        assert_eq!(sum.failed, 3);
    }

    #[test]
    fn the_last_20_lines_name_what_failed() {
        let suites = Suite::ALL.map(|suite| row(suite, 5, 40, 0));
        let (text, _) = summary(&suites);
        assert!(text.lines().count() <= 20, "{text}");
        assert!(text.starts_with("FAILED in check: test 0\n"), "{text}");
        assert!(text.contains("and 188 more"), "{text}");
    }
}
