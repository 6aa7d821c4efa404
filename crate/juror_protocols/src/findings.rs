//! Findings about judge output that hold for every protocol.

use std::collections::BTreeMap;

use juror_model::problem::{Problem, Severity};
use juror_model::reply::{LineProblem, NOT_ASKED, REFUSED, ReplyFile};
use juror_model::tree::{FileId, FileTree};
use juror_reading::count::counted;
use juror_reading::limits::{FINDINGS_PER_FILE, MORE};

/// The findings of one file: of each kind the first ones, then a line that says how many more there are.
pub(super) struct OfFile<'a> {
    path: &'a str,
    problems: &'a mut Vec<Problem>,
    more: BTreeMap<String, (Severity, usize)>,
    counts: BTreeMap<String, usize>,
}

impl<'a> OfFile<'a> {
    pub(super) fn new(path: &'a str, problems: &'a mut Vec<Problem>) -> Self {
        Self {
            path,
            problems,
            more: BTreeMap::new(),
            counts: BTreeMap::new(),
        }
    }

    /// Adds a finding about a line, or about the whole file where the line is 0.
    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: &str,
        line: u32,
        message: impl FnOnce() -> String,
        hint: &str,
    ) {
        let count = self.counts.entry(code.to_owned()).or_default();
        *count += 1;
        if *count > FINDINGS_PER_FILE {
            self.add_more(severity, code, 1);
            return;
        }
        self.problems.push(Problem {
            severity,
            code: code.to_owned(),
            path: self.path.to_owned(),
            place: match line {
                0 => String::new(),
                line => format!("line {line}"),
            },
            message: message(),
            hint: hint.to_owned(),
        });
    }

    /// What is wrong with lines that could not be read.
    pub(super) fn add_lines(&mut self, replies: &ReplyFile, severity: impl Fn(&str) -> Severity) {
        for bad in replies.problems.iter() {
            let message = || bad.message.clone();
            self.add(severity(bad.code), bad.code, bad.line, message, bad.hint);
        }
        for (code, count) in replies.problems.more() {
            self.add_more(severity(code), code, count);
        }
    }

    /// Adds findings that are only counted.
    fn add_more(&mut self, severity: Severity, code: &str, count: usize) {
        let (_, known) = self.more.entry(code.to_owned()).or_insert((severity, 0));
        *known += count;
    }
}

impl Drop for OfFile<'_> {
    fn drop(&mut self) {
        for (code, (severity, count)) in std::mem::take(&mut self.more) {
            self.problems.push(Problem {
                severity,
                code,
                path: self.path.to_owned(),
                place: String::new(),
                message: format!("{MORE}{count} more of this kind in the file."),
                hint: String::new(),
            });
        }
    }
}

/// Replies under keys by which nothing is asked: how many, and the first.
#[derive(Debug, Default)]
pub(super) struct NotAsked {
    count: usize,
    first: Option<(u32, String)>,
}

impl NotAsked {
    /// Notes one: its line, and what it is about.
    pub(super) fn note(&mut self, line: u32, about: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(|| (line, about()));
    }

    /// The finding with what was expected in place of the first.
    pub(super) fn problem(self, expected: &str, hint: &'static str) -> Option<LineProblem> {
        let (line, about) = self.first?;
        let message = if self.count == 1 {
            format!("{about} is nothing that the benchmark asks for. Expected {expected}.")
        } else {
            format!(
                "{} keys hold replies to nothing that the benchmark asks for; the first: {about}. Expected {expected}.",
                self.count
            )
        };
        Some(LineProblem {
            line,
            code: NOT_ASKED,
            message,
            hint,
        })
    }
}

/// Letters and digits of a name, in lower case: two spellings of one name have them in common.
pub(super) fn folded(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Lines that only the authors' program cannot read count in the paper's profile; other lines that cannot be read count nowhere.
pub(super) fn severity_of(code: &str) -> Severity {
    if code == REFUSED || code == NOT_ASKED {
        Severity::Warning
    } else {
        Severity::Error
    }
}

/// Lines that could not be read, and those about samples that the benchmark does not have.
pub(super) fn check(
    replies: &ReplyFile,
    positions: &[Option<u32>],
    path: &str,
    problems: &mut Vec<Problem>,
) {
    let mut of_file = OfFile::new(path, problems);
    of_file.add_lines(replies, severity_of);
    for (line, at) in replies.lines.iter().zip(positions) {
        if let (Some(id), None) = (line.sample.as_deref(), at) {
            of_file.add(
                Severity::Warning,
                "unknown_sample",
                line.number,
                || format!("The benchmark has no sample {id}."),
                "By the paper's rules the verdict counts nowhere. Check that it belongs to this benchmark.",
            );
        }
    }
}

/// Names files in the folder of a task inside that of a task: a copy that went one folder too deep is no other model.
pub(super) fn nested_task(tree: &FileTree, files: &[FileId]) -> Option<Problem> {
    let first = files.iter().map(|file| tree.path(*file)).min()?;
    let (are, do_not) = if files.len() == 1 {
        ("is", "does not")
    } else {
        ("are", "do not")
    };
    Some(Problem::new(
        first,
        ("nested_task", Severity::Warning),
        String::new(),
        format!(
            "{} {are} in the folder of a task inside that of a task and {do_not} count.",
            counted(files.len(), "file", "files")
        ),
        "Remove the inner folder if it is a copy; else move its files where the others of their task are.",
    ))
}

/// Names samples whose names or folders say that they are copies of others next to them.
pub(super) fn copied_samples<'a>(paths: impl Iterator<Item = &'a str>) -> Option<Problem> {
    let mut paths: Vec<&str> = paths.collect();
    paths.sort_unstable();
    let first = paths.first()?;
    let (are, do_not) = if paths.len() == 1 {
        ("is", "does not")
    } else {
        ("are", "do not")
    };
    Some(Problem::new(
        first,
        ("copied_samples", Severity::Warning),
        String::new(),
        format!(
            "{} of the benchmark {are} called a copy, beside the original, and {do_not} count.",
            counted(paths.len(), "sample", "samples")
        ),
        "Remove the copies. If they are meant, give them names of their own.",
    ))
}
