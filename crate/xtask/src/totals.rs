//! Counts what test programs report, so that a run ends with numbers and not with a wall of text.

use crate::names::{self, Ran};

/// Tests of one suite, by outcome.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Totals {
    /// Whether anything ran at all; skipping is not running.
    pub(crate) fn executed(self) -> u64 {
        self.passed + self.failed
    }

    /// Adds another suite's counts.
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// The counts of a suite that ended with this status.
    /// A suite that failed without a failing test (it did not compile, it crashed) counts as one failure, and so
    /// does one that executed nothing.
    pub(crate) fn with_status(mut self, ended_well: bool) -> Self {
        if self.failed == 0 && (!ended_well || self.executed() == 0) {
            self.failed = 1;
        }
        self
    }
}

/// Reads the output of libtest (and of wasm-bindgen's runner, which prints the same line) as it comes.
///
/// `cargo test -- --show-output` repeats what passed tests printed.
/// Of that only lines that begin with `SKIPPED` are let through, and a test that printed one counts as skipped:
/// libtest itself has no way to say at run time that a test could not be run.
#[derive(Debug, Default)]
pub(crate) struct Libtest {
    totals: Totals,
    section: Section,
    /// Tests of the present program that printed SKIPPED.
    skipped_here: u64,
    names: Vec<String>,
    failed: Vec<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Section {
    #[default]
    Running,
    /// Output of passed tests; says whether the present one was counted as skipped.
    Successes { counted: bool },
}

impl Libtest {
    /// Takes one line; returns what to show of it.
    pub(crate) fn line(&mut self, line: &str) -> Option<String> {
        if self.section == Section::Running
            && let Some((name, outcome)) = names::of_line(line)
        {
            // The second word is wasm-bindgen's.
            if matches!(outcome, "FAILED" | "FAIL") {
                self.failed.push(name.clone());
            }
            self.names.push(name);
        }
        if let Some(mut totals) = result_line(line) {
            let skipped = self.skipped_here.min(totals.passed);
            totals.passed -= skipped;
            totals.skipped += skipped;
            self.totals.add(totals);
            self.section = Section::Running;
            self.skipped_here = 0;
            return Some(line.to_owned());
        }
        match (line, self.section) {
            ("successes:", _) => {
                self.section = Section::Successes { counted: false };
                None
            }
            ("failures:", _) => {
                self.section = Section::Running;
                Some(line.to_owned())
            }
            (_, Section::Running) => Some(line.to_owned()),
            (line, Section::Successes { counted }) => self.success_line(line, counted),
        }
    }

    fn success_line(&mut self, line: &str, counted: bool) -> Option<String> {
        if line.starts_with("---- ") {
            self.section = Section::Successes { counted: false };
            return None;
        }
        if !line.starts_with("SKIPPED") {
            return None;
        }
        if !counted {
            self.skipped_here += 1;
            self.section = Section::Successes { counted: true };
        }
        Some(line.to_owned())
    }

    /// The tests of all programs so far, which ended well or not.
    pub(crate) fn ran(self, ended_well: bool) -> Ran {
        Ran {
            totals: self.totals.with_status(ended_well),
            names: self.names,
            failed: self.failed,
        }
    }
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`
fn result_line(line: &str) -> Option<Totals> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut totals = Totals::default();
    for part in counts.split(';') {
        let Some((number, what)) = part.trim().split_once(' ') else {
            continue;
        };
        let Ok(number) = number.parse() else { continue };
        match what {
            "passed" => totals.passed = number,
            "failed" => totals.failed = number,
            "ignored" => totals.skipped = number,
            _ => {}
        }
    }
    Some(totals)
}

/// How many tests of the page may need their second try before the run fails: more is no busy machine.
pub(crate) const MOST_FLAKY: usize = 3;

/// What Playwright reports: the counts, and the tests that passed on their second try alone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Playwright {
    pub(crate) totals: Totals,
    /// File and title of each test, in the order of the report.
    pub(crate) names: Vec<String>,
    /// The same of those that failed.
    pub(crate) failed: Vec<String>,
    /// The same of those that passed on their second try.
    pub(crate) flaky: Vec<String>,
}

/// Reads the report of Playwright's `json` reporter.
/// Tests that failed before they passed are named, and beyond [`MOST_FLAKY`] of them all count as failed.
/// Errors outside of tests (a file that does not load) count as failures too.
pub(crate) fn playwright(json: &str) -> anyhow::Result<Playwright> {
    let report: serde_json::Value = serde_json::from_str(json)?;
    let stats = &report["stats"];
    let count = |name: &str| {
        stats[name]
            .as_u64()
            .ok_or_else(|| anyhow::anyhow!("Playwright's report has no stats.{name}"))
    };
    let errors = report["errors"].as_array().map_or(0, Vec::len) as u64;
    let mut outcomes = Vec::new();
    for suite in report["suites"].as_array().into_iter().flatten() {
        collect(suite, &mut outcomes);
    }
    let named = |outcome: &str| {
        let with_it = outcomes.iter().filter(|(_, found)| *found == outcome);
        with_it.map(|(name, _)| name.clone()).collect()
    };
    let flaky: Vec<String> = named("flaky");
    let mut failed: Vec<String> = named("unexpected");
    let num_flaky = count("flaky")?;
    let is_tolerated = num_flaky <= MOST_FLAKY as u64;
    if !is_tolerated {
        failed.extend(flaky.iter().cloned());
    }
    Ok(Playwright {
        totals: Totals {
            passed: count("expected")? + if is_tolerated { num_flaky } else { 0 },
            failed: count("unexpected")? + errors + if is_tolerated { 0 } else { num_flaky },
            skipped: count("skipped")?,
        },
        names: outcomes.into_iter().map(|(name, _)| name).collect(),
        failed,
        flaky,
    })
}

/// The tests of a suite and of those in it, each with its outcome.
fn collect<'a>(suite: &'a serde_json::Value, found: &mut Vec<(String, &'a str)>) {
    for spec in suite["specs"].as_array().into_iter().flatten() {
        let word = |name: &str| spec[name].as_str().unwrap_or_default();
        // One project runs them all.
        let outcome = spec["tests"][0]["status"].as_str().unwrap_or_default();
        found.push((format!("{}: {}", word("file"), word("title")), outcome));
    }
    for inner in suite["suites"].as_array().into_iter().flatten() {
        collect(inner, found);
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn read(output: &str) -> (Totals, String) {
        let mut libtest = Libtest::default();
        let shown: Vec<String> = output
            .lines()
            .filter_map(|line| libtest.line(line))
            .collect();
        (libtest.totals, shown.join("\n"))
    }

    fn totals(passed: u64, failed: u64, skipped: u64) -> Totals {
        Totals {
            passed,
            failed,
            skipped,
        }
    }

    #[test]
    fn result_lines_of_several_programs_are_summed() {
        let (sum, _) = read(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 5 filtered out; finished in 0.1s",
        );
        assert_eq!(sum, totals(4, 2, 1));
    }

    #[test]
    fn each_test_is_named_once_though_what_it_printed_is_repeated() {
        let mut libtest = Libtest::default();
        for line in WITH_SKIPPED.lines() {
            libtest.line(line);
        }
        assert_eq!(libtest.ran(true).names, ["a", "b", "c"]);
    }

    #[test]
    fn a_line_that_only_mentions_a_result_is_not_counted() {
        let (sum, shown) = read("the test result: ok. 3 passed; 0 failed");
        assert_eq!(sum, totals(0, 0, 0));
        assert_eq!(shown, "the test result: ok. 3 passed; 0 failed");
    }

    #[test]
    fn the_line_of_the_wasm_runner_is_read_too() {
        let (sum, _) = read(
            "test result: ok. 7 passed; 0 failed; 2 ignored; 0 filtered out; finished in 0.01s",
        );
        assert_eq!(sum, totals(7, 0, 2));
    }

    const WITH_SKIPPED: &str = "\
running 3 tests
test a ... ok
test b ... ok
test c ... ok

successes:

---- a stdout ----
SKIPPED ../shared/data is absent
SKIPPED and so is another
a says more

---- b stdout ----
chatter
test of what is printed ... ok


successes:
    a
    b
    c

test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
SKIPPED outside of a test program";

    #[test]
    fn a_passed_test_that_printed_skipped_counts_once_as_skipped() {
        let (sum, shown) = read(WITH_SKIPPED);
        assert_eq!(sum, totals(2, 0, 1));
        assert!(shown.contains("SKIPPED ../shared/data is absent"));
        assert!(!shown.contains("chatter"), "{shown}");
    }

    #[test]
    fn without_the_word_skipped_the_same_output_counts_as_passed() {
        let (sum, _) = read(&WITH_SKIPPED.replace("SKIPPED", "NOTE"));
        assert_eq!(sum, totals(3, 0, 0));
    }

    #[test]
    fn output_of_failed_tests_is_shown() {
        let (sum, shown) = read(
            "successes:\n\n---- a stdout ----\nchatter\n\nfailures:\n\n---- b stdout ----\npanicked\n\n\
             test result: FAILED. 1 passed; 1 failed; 0 ignored",
        );
        assert_eq!(sum, totals(1, 1, 0));
        assert!(
            shown.contains("panicked") && !shown.contains("chatter"),
            "{shown}"
        );
    }

    #[test]
    fn a_suite_that_executed_nothing_is_a_failure() {
        assert_eq!(totals(0, 0, 4).with_status(true), totals(0, 1, 4));
        assert_eq!(totals(1, 0, 4).with_status(true), totals(1, 0, 4));
    }

    #[test]
    fn a_suite_that_crashed_without_a_failing_test_is_a_failure() {
        assert_eq!(totals(9, 0, 0).with_status(false), totals(9, 1, 0));
        assert_eq!(totals(9, 2, 0).with_status(false), totals(9, 2, 0));
    }

    #[test]
    fn playwright_counts_load_errors_as_failed() {
        let clean = r#"{"stats":{"expected":5,"skipped":1,"unexpected":0,"flaky":0},"errors":[]}"#;
        assert_eq!(playwright(clean).unwrap().totals, totals(5, 0, 1));
        let bad = r#"{"stats":{"expected":5,"skipped":1,"unexpected":2,"flaky":0},"errors":[{"message":"x"}]}"#;
        assert_eq!(playwright(bad).unwrap().totals, totals(5, 3, 1));
    }

    #[test]
    fn tests_that_needed_a_second_try_are_named_and_too_many_of_them_fail_the_run() {
        let report = |flaky: usize| {
            format!(
                r#"{{"stats":{{"expected":5,"skipped":0,"unexpected":0,"flaky":{flaky}}},"errors":[],"suites":[{{"specs":[
                {{"title":"steady","file":"a.spec.ts","tests":[{{"status":"expected"}}]}}],"suites":[{{"specs":[
                {{"title":"lucky","file":"a.spec.ts","tests":[{{"status":"flaky"}}]}}]}}]}}]}}"#
            )
        };
        let few = playwright(&report(MOST_FLAKY)).unwrap();
        assert_eq!(few.totals, totals(5 + MOST_FLAKY as u64, 0, 0));
        assert_eq!(few.flaky, ["a.spec.ts: lucky"]);
        assert_eq!(few.names, ["a.spec.ts: steady", "a.spec.ts: lucky"]);
        let many = playwright(&report(MOST_FLAKY + 1)).unwrap();
        assert_eq!(many.totals, totals(5, MOST_FLAKY as u64 + 1, 0));
        assert_eq!(
            (few.failed.len(), many.failed),
            (0, vec!["a.spec.ts: lucky".to_owned()])
        );
    }

    #[test]
    fn tests_that_failed_are_named() {
        let mut libtest = Libtest::default();
        libtest.line("test a ... ok");
        libtest.line("test b ... FAILED");
        libtest.line("test c ... FAIL");
        assert_eq!(libtest.ran(false).failed, ["b", "c"]);
        let report = r#"{"stats":{"expected":1,"skipped":0,"unexpected":1,"flaky":0},"errors":[],"suites":[{"specs":[
            {"title":"right","file":"a.spec.ts","tests":[{"status":"expected"}]},
            {"title":"wrong","file":"a.spec.ts","tests":[{"status":"unexpected"}]}]}]}"#;
        assert_eq!(playwright(report).unwrap().failed, ["a.spec.ts: wrong"]);
    }

    #[test]
    fn a_playwright_report_without_counts_is_an_error() {
        assert!(playwright(r#"{"stats":{"expected":5}}"#).is_err());
    }
}
