//! Weighs the built page: what a reader downloads before the demo shows is a reviewed number.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::build::files_below;
use crate::glob;
use crate::process::Unmet;
use crate::workspace::{Budget, ReadmeCell, Workspace};

/// Whether every budget was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Within,
    Above,
}

impl Verdict {
    /// For `size --check`.
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Within => ExitCode::SUCCESS,
            Self::Above => ExitCode::FAILURE,
        }
    }
}

/// A file of the page with its sizes in bytes.
struct File {
    path: String,
    raw: u64,
    gzip: u64,
}

/// Prints every file that a budget counts, the sums, and what is wrong.
pub(crate) fn print(workspace: &Workspace) -> anyhow::Result<Verdict> {
    let dist = workspace.dist();
    if !dist.is_dir() {
        return Err(Unmet::new("www/dist is missing; run `cargo xtask build`").into());
    }
    let html =
        fs::read_to_string(dist.join("index.html")).context("cannot read www/dist/index.html")?;
    let readme = workspace.root.join("README.md");
    let readme = fs::read_to_string(readme).context("cannot read README.md")?;
    let mut verdict = Verdict::Within;
    for budget in &workspace.config.budget {
        let dir = workspace.www().join(&budget.dir);
        if !dir.is_dir() {
            println!("not built: {} (www/{} is missing)", budget.name, budget.dir);
            continue;
        }
        let files = weigh(&dir, budget)?;
        let (text, mut problems) = report(budget, &files, &html);
        problems.extend(misprints(budget, &files, &readme));
        println!("{text}");
        for problem in &problems {
            println!("FAILED {}: {problem}", budget.name);
            verdict = Verdict::Above;
        }
    }
    Ok(verdict)
}

fn weigh(dir: &Path, budget: &Budget) -> anyhow::Result<Vec<File>> {
    let mut files = Vec::new();
    for path in files_below(dir)? {
        let name = path.strip_prefix(dir)?.to_string_lossy().replace('\\', "/");
        if is_included(budget, &name) {
            let bytes = fs::read(&path)?;
            files.push(File {
                path: name,
                raw: bytes.len() as u64,
                gzip: gzip_len(&bytes)?,
            });
        }
    }
    Ok(files)
}

/// The size after `gzip -9`.
fn gzip_len(bytes: &[u8]) -> anyhow::Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

fn is_included(budget: &Budget, path: &str) -> bool {
    budget
        .include
        .iter()
        .any(|pattern| glob::matches(pattern, path))
}

/// Where README's table of sizes says more than 1 % more or less than there is.
fn misprints(budget: &Budget, files: &[File], readme: &str) -> Vec<String> {
    let is_counted = |file: &&File| {
        let mut excludes = budget.exclude.iter();
        !excludes.any(|exclude| glob::matches(&exclude.files, &file.path))
    };
    let bytes: u64 = files.iter().filter(is_counted).map(|file| file.gzip).sum();
    let mut found = Vec::new();
    for ReadmeCell { row, column } in &budget.readme {
        let line = readme
            .lines()
            .find(|line| line.starts_with(&format!("| {row} |")));
        let cell = line
            .and_then(|line| line.split('|').nth(*column))
            .unwrap_or_default();
        let digits = cell.trim_start().split(' ').next().unwrap_or_default();
        let kilobytes = digits.replace(',', "").parse::<u64>().unwrap_or(0);
        if (1000 * kilobytes).abs_diff(bytes) > bytes / 100 {
            let right = (bytes + 500) / 1000;
            found.push(format!(
                "README says {cell:?} in column {column} of \"{row}\", and it is {right} kB"
            ));
        }
    }
    found
}

/// The table of one budget and what is wrong with it.
fn report(budget: &Budget, files: &[File], html: &str) -> (String, Vec<String>) {
    let mut problems = Vec::new();
    let mut lines = vec![format!("{:>10}{:>10}  {}", "raw", "gzip -9", budget.name)];
    let (mut raw, mut gzip) = (0, 0);
    for file in files.iter().filter(|file| is_included(budget, &file.path)) {
        let File {
            path,
            raw: raw_bytes,
            gzip: gzip_bytes,
        } = file;
        let line = format!("{raw_bytes:>10}{gzip_bytes:>10}  {path}");
        let mut excludes = budget.exclude.iter();
        let Some(exclude) = excludes.find(|exclude| glob::matches(&exclude.files, path)) else {
            lines.push(line);
            raw += raw_bytes;
            gzip += gzip_bytes;
            continue;
        };
        lines.push(format!("{line} (not counted: {})", exclude.reason));
        if html.contains(path) {
            problems.push(format!("{path} is excluded, but index.html loads it"));
        }
    }
    lines.push(format!("{raw:>10}{gzip:>10}  total"));
    let limits = [
        (gzip, budget.gzip_bytes, "after gzip"),
        (raw, budget.raw_bytes, "as it is"),
    ];
    for (bytes, allowed, which) in limits {
        let Some(allowed) = allowed else { continue };
        lines.push(format!(
            "{:>20}  of {allowed} bytes allowed {which}",
            format!("{:.0} %", bytes as f64 / allowed as f64 * 100.0)
        ));
        if bytes > allowed {
            problems.push(format!(
                "{bytes} bytes, {} above the budget",
                bytes - allowed
            ));
        }
    }
    if let Some(aim) = budget.aim_gzip_bytes.filter(|aim| gzip > *aim) {
        lines.push(format!(
            "{:>20}  above the aim of {aim} bytes after gzip",
            gzip - aim
        ));
    }
    if raw == 0 {
        problems.push("no file matches".to_owned());
    }
    if limits.iter().all(|(_, allowed, _)| allowed.is_none()) {
        problems.push("it limits nothing: gzip_bytes or raw_bytes is missing".to_owned());
    }
    for exclude in &budget.exclude {
        if !files
            .iter()
            .any(|file| glob::matches(&exclude.files, &file.path))
        {
            problems.push(format!(
                "exclude `{}` matches no file; remove it",
                exclude.files
            ));
        }
    }
    (lines.join("\n"), problems)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::workspace::Exclude;

    fn budget(gzip_bytes: u64, exclude: &[&str]) -> Budget {
        Budget {
            each: Vec::new(),
            name: "first load".to_owned(),
            dir: "dist".to_owned(),
            gzip_bytes: Some(gzip_bytes),
            raw_bytes: None,
            aim_gzip_bytes: None,
            include: vec!["**.js".to_owned(), "**.html".to_owned()],
            exclude: exclude
                .iter()
                .map(|files| Exclude {
                    files: (*files).to_owned(),
                    reason: "loaded on demand".to_owned(),
                })
                .collect(),
            readme: Vec::new(),
        }
    }

    fn files() -> Vec<File> {
        [
            ("index.html", 10),
            ("assets/a.js", 20),
            ("assets/zip-1.js", 40),
            ("b.png", 800),
        ]
        .map(|(path, gzip)| File {
            path: path.to_owned(),
            raw: 2 * gzip,
            gzip,
        })
        .into()
    }

    #[test]
    fn the_sum_is_of_included_files_without_excluded_ones() {
        let (text, problems) = report(
            &budget(30, &["assets/zip-*.js"]),
            &files(),
            "<script src=assets/a.js>",
        );
        assert!(problems.is_empty(), "{problems:?}");
        assert!(
            text.ends_with(
                "60        30  total\n               100 %  of 30 bytes allowed after gzip"
            ),
            "{text}"
        );
        assert!(text.contains("not counted: loaded on demand"), "{text}");
    }

    #[test]
    fn one_byte_above_the_budget_fails() {
        let (_, problems) = report(&budget(29, &["assets/zip-*.js"]), &files(), "");
        assert_eq!(problems, ["30 bytes, 1 above the budget"]);
    }

    #[test]
    fn a_budget_of_files_as_they_are_counts_their_own_bytes() {
        let as_they_are = |bytes| Budget {
            gzip_bytes: None,
            raw_bytes: bytes,
            ..budget(0, &[])
        };
        let (text, problems) = report(&as_they_are(Some(140)), &files(), "");
        assert!(problems.is_empty(), "{problems:?}");
        assert!(
            text.ends_with("100 %  of 140 bytes allowed as it is"),
            "{text}"
        );
        let (_, problems) = report(&as_they_are(Some(139)), &files(), "");
        assert_eq!(problems, ["140 bytes, 1 above the budget"]);
        let (_, problems) = report(&as_they_are(None), &files(), "");
        assert_eq!(problems.len(), 1, "a budget without a limit: {problems:?}");
    }

    #[test]
    fn an_aim_that_is_missed_is_printed_and_fails_nothing() {
        let aiming = |bytes| Budget {
            aim_gzip_bytes: Some(bytes),
            ..budget(30, &["assets/zip-*.js"])
        };
        let (text, problems) = report(&aiming(29), &files(), "");
        assert!(problems.is_empty(), "{problems:?}");
        assert!(
            text.ends_with("                   1  above the aim of 29 bytes after gzip"),
            "{text}"
        );
        let (text, _) = report(&aiming(30), &files(), "");
        assert!(!text.contains("aim"), "{text}");
    }

    #[test]
    fn a_size_in_the_readme_that_is_more_than_a_hundredth_off_fails() {
        let said = |size: &str| {
            format!("| when | what | kB |\n|---|---|---|\n| at first | page | {size} |\n")
        };
        let weighed = |gzip| {
            let path = "index.html".to_owned();
            [File { path, raw: 1, gzip }]
        };
        let printed = Budget {
            readme: vec![ReadmeCell {
                row: "at first".to_owned(),
                column: 3,
            }],
            ..budget(0, &[])
        };
        let problems = |size: &str, gzip| misprints(&printed, &weighed(gzip), &said(size));
        assert_eq!(problems("1,530", 1_531_400), Vec::<String>::new());
        assert_eq!(problems("107 more", 107_400), Vec::<String>::new());
        assert_eq!(
            problems("1,530", 1_546_000),
            ["README says \" 1,530 \" in column 3 of \"at first\", and it is 1546 kB"]
        );
        assert_eq!(misprints(&printed, &weighed(9), "no table").len(), 1);
    }

    #[test]
    fn a_file_that_the_page_loads_cannot_be_excluded() {
        let (_, problems) = report(
            &budget(90, &["assets/zip-*.js"]),
            &files(),
            "<link href=assets/zip-1.js>",
        );
        assert_eq!(
            problems,
            ["assets/zip-1.js is excluded, but index.html loads it"]
        );
    }

    #[test]
    fn an_exclude_that_matches_nothing_fails() {
        let (_, problems) = report(&budget(90, &["assets/gone.js"]), &files(), "");
        assert_eq!(
            problems,
            ["exclude `assets/gone.js` matches no file; remove it"]
        );
    }

    #[test]
    fn an_empty_page_does_not_pass() {
        let (_, problems) = report(&budget(90, &[]), &[], "");
        assert_eq!(problems, ["no file matches"]);
    }

    #[test]
    fn gzip_shrinks_repetition_and_keeps_its_frame() {
        assert_eq!(gzip_len(b"").unwrap(), 20);
        assert!(gzip_len(&[b'a'; 10_000]).unwrap() < 100);
    }
}
