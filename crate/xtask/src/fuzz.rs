//! Feeds what Juror reads with made-up bytes: builds the targets of `tests/fuzz`, writes their first inputs, divides the time.
//!
//! libFuzzer needs coverage counters in the code, which the compiler's own pass adds on any toolchain: neither nightly Rust
//! nor cargo-fuzz is called. What is missing is told in one line.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, bail};

use crate::build::files_below;
use crate::names::Ran;
use crate::process::{ask, on_path, progress, run};
use crate::totals::Totals;
use crate::workspace::Workspace;

mod seeds;

/// Minutes of a run where none are named.
pub(crate) const DEFAULT_MINUTES: u64 = 5;
/// Inputs that each target is fed with among the tests: a number and not a time, from one seed. Runs may still differ: a hash
/// map, for one, has its keys in a random order.
const TEST_RUNS: u64 = 1_000;
/// Targets that open a whole session with each input, which takes hundreds of times as long.
const OF_SESSIONS: [&str; 2] = ["pack", "session"];
/// Their inputs among the tests: more than the first ones that they have.
const TEST_RUNS_OF_SESSIONS: u64 = 80;
/// What a target may take for them beside the other tests: only one that stands still is ended by it.
const TEST_SECS_AT_MOST: u64 = 300;
/// What one input may take: more is a finding.
const SECS_OF_INPUT: u64 = 20;
/// The same among the tests, where the first session of a target takes some seconds of a core that it has to share.
const TEST_SECS_OF_INPUT: u64 = 120;
/// What a target may take, with libFuzzer's own tables: more is a finding.
const MEMORY_MIB: u32 = 768;

/// Counters on every edge, and comparisons told to the fuzzer.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

/// How a target went.
#[derive(Debug, Default, PartialEq, Eq)]
struct Row {
    target: String,
    runs: u64,
    /// Edges of the code that were reached.
    edges: u64,
    /// Inputs that reached something new.
    new_inputs: u64,
    /// The input that crashed it, and how it is tried again.
    crash: Option<(PathBuf, String)>,
    /// What it said as it crashed.
    why: String,
}

/// Fuzzes for so many minutes and prints a table; ends with 1 where an input was found that crashes, hangs or eats memory.
pub(crate) fn minutes(workspace: &Workspace, minutes: u64) -> anyhow::Result<ExitCode> {
    if let Some(missing) = missing(workspace) {
        println!("fuzzing was not run: {missing}");
        return Ok(ExitCode::from(2));
    }
    // Another seed each time: a long run is to find what the last one did not.
    let rows = fuzz(workspace, Budget::Secs(minutes * 60), 0)?;
    println!("\n{}", table(&rows));
    if rows.iter().all(|row| row.crash.is_none()) {
        Ok(ExitCode::SUCCESS)
    } else {
        Ok(ExitCode::FAILURE)
    }
}

/// The same among the tests: so many inputs for each target, from one seed; targets count as tests.
pub(crate) fn among_tests(workspace: &Workspace) -> anyhow::Result<Ran> {
    if let Some(missing) = missing(workspace) {
        println!("SKIPPED fuzzing: {missing}");
        let skipped = targets(workspace)?.len() as u64;
        return Ok(Ran {
            totals: Totals {
                skipped,
                ..Totals::default()
            },
            ..Ran::default()
        });
    }
    let rows = fuzz(workspace, Budget::Runs, 1)?;
    println!("\n{}", table(&rows));
    let crashed = rows.iter().filter(|row| row.crash.is_some());
    let failed: Vec<String> = crashed
        .map(|row| format!("{}: {}", row.target, row.why))
        .collect();
    Ok(Ran {
        totals: Totals {
            passed: (rows.len() - failed.len()) as u64,
            failed: failed.len() as u64,
            skipped: 0,
        },
        failed,
        ..Ran::default()
    })
}

/// What is not here that fuzzing needs, and how to get it.
fn missing(workspace: &Workspace) -> Option<String> {
    if !cfg!(any(target_os = "linux", target_os = "macos")) {
        return Some("libFuzzer runs on Linux and macOS".to_owned());
    }
    let compiler = std::env::var_os("CXX").map_or_else(|| on_path("c++"), |path| Some(path.into()));
    if compiler.is_none_or(|path| ask(path, &["--version"]).is_none()) {
        return Some(
            "no C++ compiler builds libFuzzer: install g++ or clang (Debian: `apt-get install g++`)"
                .to_owned(),
        );
    }
    let mut fetch = workspace.cargo(&["fetch", "--quiet"]);
    fetch.arg("--manifest-path").arg(manifest(workspace));
    let has_all = fetch.stdin(Stdio::null()).stderr(Stdio::null()).status();
    (!has_all.is_ok_and(|status| status.success())).then(|| {
        "its packages are not here: run `cargo fetch --manifest-path tests/fuzz/Cargo.toml` where the registry is reached"
            .to_owned()
    })
}

/// The package of the targets.
pub(crate) fn manifest(workspace: &Workspace) -> PathBuf {
    workspace.root.join("tests/fuzz/Cargo.toml")
}

/// Names of all targets, in order.
fn targets(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let folder = workspace.root.join("tests/fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| workspace.relative(&folder))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "rs")
            && let Some(name) = path.file_stem()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Where inputs and crashes lie.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join("target/fuzz")
}

/// How long targets are fed.
#[derive(Debug, Clone, Copy)]
enum Budget {
    /// Seconds over all targets.
    Secs(u64),
    /// As many inputs as each target is fed with among the tests.
    Runs,
}

impl Budget {
    /// What a target, one of so many of which so many are fed at once, gets in words and as libFuzzer's flag.
    fn of_one(self, target: &str, num_targets: usize, lanes: usize) -> (String, Vec<String>) {
        match self {
            Self::Secs(secs) => {
                let secs = (secs * lanes as u64 / num_targets.max(1) as u64).max(1);
                (format!("for {secs} s"), flags_of_time(secs, SECS_OF_INPUT))
            }
            Self::Runs => {
                let is_of_sessions = OF_SESSIONS.contains(&target);
                let runs = if is_of_sessions {
                    TEST_RUNS_OF_SESSIONS
                } else {
                    TEST_RUNS
                };
                let mut flags = flags_of_time(TEST_SECS_AT_MOST, TEST_SECS_OF_INPUT);
                flags.push(format!("-runs={runs}"));
                (format!("with {runs} inputs"), flags)
            }
        }
    }
}

/// What a target may take in all, and for one input; what took less is not written down as slow.
fn flags_of_time(secs: u64, secs_of_input: u64) -> Vec<String> {
    vec![
        format!("-max_total_time={secs}"),
        format!("-timeout={secs_of_input}"),
        format!("-report_slow_units={secs_of_input}"),
    ]
}

fn fuzz(workspace: &Workspace, budget: Budget, seed: u32) -> anyhow::Result<Vec<Row>> {
    let targets = targets(workspace)?;
    let programs = build(workspace)?;
    seeds::write(workspace, &folder(workspace))?;
    // A target keeps one core busy; each lane has the next one that waits.
    let lanes = std::thread::available_parallelism().map_or(1, NonZero::get);
    let lanes = lanes.min(targets.len());
    let waiting = Mutex::new(targets.iter().enumerate());
    let lane = || -> anyhow::Result<Vec<(usize, Row)>> {
        let mut rows = Vec::new();
        loop {
            let next = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next();
            let Some((at, target)) = next else {
                return Ok(rows);
            };
            let (words, flags) = budget.of_one(target, targets.len(), lanes);
            progress(&format!("fuzzing {target} {words}"));
            rows.push((at, one(workspace, &programs, target, budget, &flags, seed)?));
        }
    };
    let mut rows = Vec::new();
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().try_for_each(|lane| {
            let own = lane.join().unwrap_or_else(|it| resume_unwind(it))?;
            rows.extend(own);
            anyhow::Ok(())
        })
    })?;
    rows.sort_by_key(|(at, _)| *at);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Builds all targets for the tests that follow, which say what is missing.
pub(crate) fn compile(workspace: &Workspace) -> anyhow::Result<()> {
    if missing(workspace).is_none() {
        build(workspace)?;
    }
    Ok(())
}

/// Builds all targets; returns the folder of the programs.
fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    progress("building the fuzz targets");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = ask(rustc, &["-vV"]).context("rustc does not answer")?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    // With a target named, build scripts and macros stay without counters.
    let host = host.context("rustc does not name its target")?;
    // Macros and build scripts are those of Juror's own builds, which they are found among.
    let folder = workspace.root.join("target");
    let mut command = workspace.cargo(&["build", "--quiet", "--bins", "--target", host]);
    command
        .arg("--manifest-path")
        .arg(manifest(workspace))
        .arg("--target-dir")
        .arg(&folder)
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        .env("CARGO_INCREMENTAL", "0");
    run(&mut command)?;
    Ok(folder.join(host).join("debug"))
}

/// First inputs as libFuzzer's flag, by their names in a folder: the folder would be read in the order of its file system, which
/// decides over all that follows, and what earlier runs found would come first.
fn in_order(seeds: &Path) -> anyhow::Result<String> {
    let mut paths = files_below(seeds)?;
    paths.sort_unstable();
    let names = paths
        .iter()
        .filter_map(|path| path.strip_prefix(seeds).ok());
    let names: Vec<String> = names.map(|name| name.display().to_string()).collect();
    let list = seeds.with_extension("list");
    fs::write(&list, names.join(",")).with_context(|| list.display().to_string())?;
    Ok(format!("-seed_inputs=@{}", list.display()))
}

/// Runs one target as long as libFuzzer's flags say.
fn one(
    workspace: &Workspace,
    programs: &Path,
    target: &str,
    budget: Budget,
    flags: &[String],
    seed: u32,
) -> anyhow::Result<Row> {
    let folder = folder(workspace);
    let [corpus, crashes] = ["corpus", "crashes"].map(|name| folder.join(name).join(target));
    for made in [&corpus, &crashes] {
        fs::create_dir_all(made)?;
    }
    let seeds = folder.join("seeds").join(target);
    let program = programs.join(target);
    let mut command = Command::new(&program);
    match budget {
        Budget::Secs(_) => command.args([&corpus, &seeds]),
        Budget::Runs => command.current_dir(&seeds).arg(in_order(&seeds)?),
    };
    command
        .args(flags)
        .arg(format!("-seed={seed}"))
        .arg(format!("-rss_limit_mb={MEMORY_MIB}"))
        .arg(format!("-artifact_prefix={}/", crashes.display()))
        .args(["-max_len=16384", "-len_control=20", "-print_final_stats=1"])
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let dictionary = workspace
        .root
        .join(format!("tests/fuzz/seeds/{target}.dict"));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let stderr = child.stderr.take().context("its output is not piped")?;
    let mut row = Row {
        target: target.to_owned(),
        ..Row::default()
    };
    let mut said = Vec::new();
    for line in BufReader::new(stderr).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        row.take(&line, &program);
        // What went wrong; the rest is progress.
        if !line.starts_with('#') && said.len() < 40 {
            said.push(line.chars().take(2000).collect::<String>());
        }
    }
    let ended_well = child.wait()?.success();
    if !ended_well {
        println!("{}", said.join("\n"));
        row.why = why(&said);
        if row.crash.is_none() {
            bail!("{target} ended without naming an input");
        }
    }
    Ok(row)
}

/// The lines of a panic, or the first line of an error of libFuzzer's, in one line.
fn why(said: &[String]) -> String {
    let is_start =
        |line: &&String| line.contains("panicked at") || line.contains("ERROR: libFuzzer");
    let from = said.iter().position(|line| is_start(&line)).unwrap_or(0);
    let lines = said[from..].iter().map(|line| line.trim());
    let all = lines.filter(|line| !line.is_empty()).take(4);
    all.collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(400)
        .collect()
}

impl Row {
    /// Takes what a line of libFuzzer's says.
    fn take(&mut self, line: &str, program: &Path) {
        let number = |text: &str| text.trim().parse().ok();
        if let Some(runs) = line.strip_prefix("stat::number_of_executed_units:") {
            self.runs = number(runs).unwrap_or(self.runs);
        } else if let Some(new) = line.strip_prefix("stat::new_units_added:") {
            self.new_inputs = number(new).unwrap_or(self.new_inputs);
        } else if let Some((_, rest)) = line.split_once(" cov: ") {
            let edges = rest.split(' ').next().and_then(number);
            self.edges = edges.unwrap_or(self.edges);
        } else if let Some((_, path)) = line.split_once("Test unit written to ") {
            let again = format!("RUST_BACKTRACE=1 {} {path}", program.display());
            self.crash = Some((path.trim().into(), again));
        }
    }
}

/// The rows as people read them, each crash with its input and the command that repeats it.
fn table(rows: &[Row]) -> String {
    let mut lines = vec![format!(
        "{:<10}{:>12}{:>10}{:>12}  crash",
        "target", "runs", "edges", "new inputs"
    )];
    for row in rows {
        let crash = if row.crash.is_some() { "CRASH" } else { "none" };
        lines.push(format!(
            "{:<10}{:>12}{:>10}{:>12}  {crash}",
            row.target, row.runs, row.edges, row.new_inputs
        ));
    }
    let runs: u64 = rows.iter().map(|row| row.runs).sum();
    lines.push(format!("{runs} runs in all"));
    for row in rows {
        if let Some((path, again)) = &row.crash {
            lines.push(format!(
                "{}: {}\n  again: {again}",
                row.target,
                path.display()
            ));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_told_with_its_assertion_or_with_what_the_fuzzer_says() {
        let said = |lines: &[&str]| {
            lines
                .iter()
                .map(|&line| line.to_owned())
                .collect::<Vec<_>>()
        };
        let panicked = said(&[
            "INFO: Seed: 1",
            "thread 'main' (7) panicked at pictures.rs:15:5:",
            "assertion `left == right` failed: as it is checked",
            "  left: true",
            " right: false",
            "==7== ERROR: libFuzzer: deadly signal",
        ]);
        let all = "thread 'main' (7) panicked at pictures.rs:15:5: assertion `left == right` failed: as it is checked left: true right: false";
        assert_eq!(why(&panicked), all);
        let slow = said(&[
            "INFO: Seed: 1",
            "==7== ERROR: libFuzzer: timeout after 120 seconds",
        ]);
        assert_eq!(
            why(&slow),
            "==7== ERROR: libFuzzer: timeout after 120 seconds"
        );
        assert_eq!(why(&[]), "");
    }

    #[test]
    fn a_row_has_what_the_fuzzer_says_and_a_crash_its_input_and_its_command() {
        let mut row = Row {
            target: "texts".to_owned(),
            ..Row::default()
        };
        for line in [
            "#12\tNEW    cov: 29822 ft: 50769 corp: 52/174b lim: 4 exec/s: 15 rss: 56Mb",
            "stat::number_of_executed_units: 1687",
            "stat::new_units_added:          313",
            "thread panicked at a place",
        ] {
            row.take(line, Path::new("/p/texts"));
        }
        let calm = table(&[Row {
            target: "calm".to_owned(),
            ..Row::default()
        }]);
        assert!(calm.contains("none") && !calm.contains("again"), "{calm}");
        assert_eq!((row.runs, row.edges, row.new_inputs), (1687, 29822, 313));
        assert_eq!(row.crash, None);
        let line = "artifact_prefix='/c/'; Test unit written to /c/crash-1";
        row.take(line, Path::new("/p/texts"));
        let text = table(&[row]);
        assert!(text.contains("CRASH"), "{text}");
        assert!(
            text.ends_with("texts: /c/crash-1\n  again: RUST_BACKTRACE=1 /p/texts /c/crash-1"),
            "{text}"
        );
    }
}
