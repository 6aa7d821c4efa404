//! The names of all tests, as a file for each suite in `tests/names`: a test that is there and did not run fails the run.
//!
//! A name that ran and is not there is no fault: `cargo xtask bless tests` adds it, and takes out what is gone on purpose.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;

use crate::process::progress;
use crate::totals::Totals;
use crate::workspace::Workspace;

/// Where the lists are, below the root.
const LISTS: &str = "tests/names";
/// The suites that have one. The edge's tests are apart from those in node, as they need a browser's driver.
pub(crate) const SUITES: [&str; 4] = ["rust", "wasm", "edge", "browser"];

/// Tests that ran or were skipped: how many, and which.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) totals: Totals,
    /// As the test programs name them, in the order in which they ended.
    pub(crate) names: Vec<String>,
    /// The names of those that failed.
    pub(crate) failed: Vec<String>,
}

impl Ran {
    /// Adds another program's tests.
    pub(crate) fn add(&mut self, other: Self) {
        self.totals.add(other.totals);
        self.names.extend(other.names);
        self.failed.extend(other.failed);
    }
}

/// The name and the outcome in a line that libtest prints of a test. The name is without what changes as sources do: the
/// line of an example in the documentation, and what is expected of it.
pub(crate) fn of_line(line: &str) -> Option<(String, &str)> {
    let (name, outcome) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let name = match name.split_once(" (line ") {
        Some((before, after)) if after.split_once(')').is_some() => before,
        _ => name.strip_suffix(" - should panic").unwrap_or(name),
    };
    Some((name.to_owned(), outcome))
}

/// How often each name occurs: several programs may have a test of the same name.
fn counted<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// The names in `wanted` that occur less often in `found`.
fn missing<'a>(wanted: &'a str, found: &[String]) -> Vec<&'a str> {
    let found = counted(found.iter().map(String::as_str));
    let wanted = counted(wanted.lines().filter(|line| !line.is_empty()));
    let is_missing = |(name, count): &(&str, usize)| found.get(name).is_none_or(|it| it < count);
    wanted
        .into_iter()
        .filter(is_missing)
        .map(|(name, _)| name)
        .collect()
}

/// Compares what ran with the committed list and notes it for [`bless`]; each missing name counts as failed.
pub(crate) fn hold(workspace: &Workspace, suite: &str, ran: &mut Ran) -> anyhow::Result<()> {
    let noted = noted(workspace, suite);
    let dir = noted.parent().context("a file is in a folder")?;
    fs::create_dir_all(dir)?;
    ran.names.sort();
    fs::write(&noted, ran.names.join("\n") + "\n").context("cannot note the names of tests")?;
    let list = workspace.root.join(LISTS).join(format!("{suite}.txt"));
    let wanted = fs::read_to_string(&list).unwrap_or_default();
    let gone = missing(&wanted, &ran.names);
    // Some tests exist on one system only.
    if !gone.is_empty() && cfg!(target_os = "linux") {
        let failed = gone.iter().map(|name| format!("{name} (did not run)"));
        ran.failed.extend(failed);
        println!(
            "{} tests of {LISTS}/{suite}.txt did not run; if they are gone on purpose, run `cargo xtask bless tests`",
            gone.len()
        );
        ran.totals.failed += gone.len() as u64;
    }
    let new = missing(&ran.names.join("\n"), &lines(&wanted)).len();
    if new > 0 {
        println!("{new} tests are not in {LISTS}/{suite}.txt: `cargo xtask bless tests` adds them");
    }
    Ok(())
}

/// Replaces the committed lists by the names of the last runs.
pub(crate) fn bless(workspace: &Workspace) -> anyhow::Result<()> {
    let dir = workspace.root.join(LISTS);
    fs::create_dir_all(&dir)?;
    for suite in SUITES {
        let Ok(names) = fs::read_to_string(noted(workspace, suite)) else {
            progress(&format!("{suite}: not run here yet, its list stays"));
            continue;
        };
        let list = dir.join(format!("{suite}.txt"));
        let old = fs::read_to_string(&list).unwrap_or_default();
        let (new, gone) = (
            missing(&names, &lines(&old)).len(),
            missing(&old, &lines(&names)).len(),
        );
        fs::write(&list, &names).with_context(|| workspace.relative(&list))?;
        progress(&format!(
            "{suite}: {} tests, {new} new, {gone} gone",
            names.lines().count()
        ));
    }
    Ok(())
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Where the names of a suite's last run are.
fn noted(workspace: &Workspace, suite: &str) -> PathBuf {
    workspace
        .stamps()
        .join("names")
        .join(format!("{suite}.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_test_stays_when_its_line_or_outcome_changes() {
        let name = |line: &str| of_line(line).map(|(name, _)| name).unwrap_or_default();
        assert_eq!(name("test a::b ... ok"), "a::b");
        assert_eq!(name("test a::b ... FAILED"), "a::b");
        assert_eq!(name("test a::b - should panic ... ok"), "a::b");
        let example = "crate/x/src/a.rs - a::B";
        assert_eq!(name(&format!("test {example} (line 12) ... ok")), example);
        let refused = format!("test {example} (line 40) - compile fail ... ok");
        assert_eq!(name(&refused), example);
        for other in [
            "test result: ok. 3 passed",
            "running 3 tests",
            "tests a ... ok",
        ] {
            assert_eq!(of_line(other), None);
        }
    }

    #[test]
    fn a_test_that_did_not_run_is_missed_and_a_new_one_is_not() {
        let ran = ["a", "b", "b", "d"].map(str::to_owned);
        assert_eq!(missing("a\nb\nb\n", &ran), Vec::<&str>::new());
        assert_eq!(missing("a\nb\nc\n", &ran), ["c"]);
    }

    #[test]
    fn of_two_tests_of_one_name_each_is_missed() {
        let ran = ["a", "b"].map(str::to_owned);
        assert_eq!(missing("a\nb\nb\n", &ran), ["b"]);
    }
}
