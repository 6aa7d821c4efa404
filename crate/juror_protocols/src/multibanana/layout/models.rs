//! Folders → models: `NNN_generated.*` and judge files in task folders, in place, in a copy of the whole tree, or by themselves.

use std::collections::{BTreeMap, HashSet};

use crate::multibanana::layout::benchmark::rank;
use crate::multibanana::layout::{Role, role};
use crate::multibanana::{REQUEST, verdict};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{ReplyFile, ReplyLine, StoredReply};
use juror_model::sample::Benchmark;
use juror_model::submission::Submission;
use juror_model::tree::{FileId, FileTree, base_name, join, parent, unique_names};
use juror_statistics::small::SortSmall;

/// What was found below one folder that holds task folders.
#[derive(Debug, Default)]
struct Folder {
    is_model: bool,
    outputs: Vec<(FileId, u32)>,
    replies: Vec<FileId>,
    known: Vec<FileId>,
    copies: Vec<FileId>,
    extra: Vec<FileId>,
}

/// Finds the models: a folder is one if a task folder in it holds generated pictures or judge files.
pub(crate) fn submissions(tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
    let empty = Benchmark::default();
    let benchmark = benchmark.unwrap_or(&empty);
    let own: HashSet<FileId> = benchmark
        .samples
        .iter()
        .flat_map(|sample| sample.pictures.iter().filter_map(|picture| picture.file))
        .chain(benchmark.files.iter().copied())
        .collect();
    let samples = benchmark.samples.iter();
    let tasks: HashSet<&str> = samples.map(|sample| sample.domain.as_str()).collect();
    let is_task =
        |name: &str| crate::multibanana::layout::task(name).is_some() || tasks.contains(name);
    let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
    let mut summaries = Vec::new();
    for (file, entry) in tree.files() {
        let name = base_name(&entry.path);
        if own.contains(&file) {
            continue;
        }
        if is_summary(name) {
            summaries.push(file);
            continue;
        }
        let task_folder = parent(&entry.path);
        let task = base_name(task_folder);
        if task_folder.is_empty() || task.starts_with('.') {
            continue;
        }
        let folder = parent(task_folder);
        let slot = |number: &str| {
            let sample = benchmark.index_of(&format!("{task}/{number}"))?;
            benchmark.turn_slot(sample, 0)
        };
        match role(name) {
            Some(Role::Generated { number }) => {
                let found = folders.entry(folder).or_default();
                match slot(number) {
                    Some(slot) => found.outputs.push((file, slot)),
                    None => found.extra.push(file),
                }
                found.is_model |= slot(number).is_some() || is_task(task);
            }
            Some(Role::Judge { .. }) => {
                let found = folders.entry(folder).or_default();
                found.replies.push(file);
                found.is_model = true;
            }
            Some(Role::Reference { .. }) if is_task(task) => {
                folders.entry(folder).or_default().copies.push(file);
            }
            Some(Role::Prompt { .. } | Role::Types) => {
                folders.entry(folder).or_default().known.push(file);
            }
            _ if is_task(task) => folders.entry(folder).or_default().extra.push(file),
            _ => {}
        }
    }
    folders.retain(|_, folder| folder.is_model);
    let names = names(&folders);
    let mut models: Vec<Submission> = folders
        .into_iter()
        .zip(names)
        .map(|((path, folder), name)| folder.submission(tree, benchmark, path, name))
        .collect();
    for file in summaries {
        claim_summary(tree, file, &mut models);
    }
    models
}

/// The last part of each folder's path; task folders dropped by themselves have no folder to be named after.
fn names(folders: &BTreeMap<&str, Folder>) -> Vec<String> {
    let mut names = unique_names(folders.keys().copied());
    for name in names.iter_mut().filter(|name| name.is_empty()) {
        "generated".clone_into(name);
    }
    names
}

/// `results_gpt.csv`, `results_gemini.json`: what the authors' script makes of the judge files.
fn is_summary(name: &str) -> bool {
    let stem = name
        .strip_suffix(".csv")
        .or_else(|| name.strip_suffix(".json"));
    stem.is_some_and(|stem| stem.starts_with("results_"))
}

/// A summary belongs to the model whose folder it lies in or beside; the scores never rest on it.
fn claim_summary(tree: &FileTree, file: FileId, models: &mut [Submission]) {
    let folder = parent(tree.path(file));
    let shared = |model: &Submission| {
        let parts = folder.split('/').zip(model.folder.split('/'));
        parts.take_while(|(a, b)| a == b).count()
    };
    // Of equally near ones the first.
    let nearest = models.iter_mut().rev().max_by_key(|model| shared(model));
    if let Some(model) = nearest {
        model.known_files.push(file);
    }
}

impl Folder {
    fn submission(
        mut self,
        tree: &FileTree,
        benchmark: &Benchmark,
        path: &str,
        name: String,
    ) -> Submission {
        // By name, so that the order of listing decides nothing.
        for files in [
            &mut self.replies,
            &mut self.known,
            &mut self.copies,
            &mut self.extra,
        ] {
            files.sort_small_by_key(|file| tree.path(*file));
        }
        let mut outputs: Vec<Option<FileId>> = vec![None; benchmark.num_turns()];
        let mut problems = Vec::new();
        let mut known = self.known;
        for (file, slot) in self.outputs {
            let output = &mut outputs[slot as usize];
            let Some(other) = *output else {
                *output = Some(file);
                continue;
            };
            let is_better = rank(tree.path(file)) < rank(tree.path(other));
            let (used, unused) = if is_better {
                (file, other)
            } else {
                (other, file)
            };
            *output = Some(used);
            known.push(unused);
            problems.push(problem(
                "duplicate_output",
                tree.path(unused),
                format!(
                    "Two files are meant for the same output; {} is used.",
                    tree.path(used)
                ),
                "Remove one of the two.",
            ));
        }
        problems.extend(
            self.copies
                .iter()
                .filter_map(|file| other_copy(tree, benchmark, path, *file)),
        );
        known.extend(self.copies);
        Submission {
            name,
            folder: path.to_owned(),
            output_folder: path.to_owned(),
            outputs,
            reply_files: self.replies,
            extra_files: self.extra,
            unrecognised: Vec::new(),
            known_files: known,
            judges: BTreeMap::new(),
            expected: BTreeMap::new(),
            problems,
        }
    }
}

/// A model's copy of a reference that is not the benchmark's: the authors' script would show the judge this one.
fn other_copy(
    tree: &FileTree,
    benchmark: &Benchmark,
    folder: &str,
    file: FileId,
) -> Option<Problem> {
    let path = tree.path(file);
    let inside = path.strip_prefix(folder)?.trim_start_matches('/');
    let original = tree.find(&join(&benchmark.folder, inside))?;
    let sizes = (tree.size(file)?, tree.size(original)?);
    (original != file && sizes.0 != sizes.1).then(|| {
        problem(
            "other_reference",
            path,
            format!(
                "This copy of a reference has {} bytes and {} has {}.",
                sizes.0,
                tree.path(original),
                sizes.1
            ),
            "Requests show the benchmark's own. If the judging was done beside this copy, the judge saw another picture.",
        )
    })
}

fn problem(code: &str, path: &str, message: String, hint: &str) -> Problem {
    Problem {
        severity: Severity::Warning,
        code: code.to_owned(),
        path: path.to_owned(),
        place: String::new(),
        message,
        hint: hint.to_owned(),
    }
}

/// A judge file: its whole text is one reply, and its name says to what and whose.
pub(crate) fn read_replies(path: &str, text: String) -> ReplyFile {
    let task = base_name(parent(path));
    let (sample, judge) = match role(base_name(path)) {
        Some(Role::Judge { number, judge }) => (Some(format!("{task}/{number}")), judge),
        _ => (None, ""),
    };
    let verdict = verdict::verdict_of(&text);
    ReplyFile {
        lines: vec![ReplyLine {
            number: 1,
            sample,
            domain: 0,
        }],
        replies: vec![StoredReply {
            line: 0,
            turn: Some(0).into(),
            criterion: 0,
            raw: 0..u32::try_from(text.len()).unwrap_or(u32::MAX),
            readings: verdict.readings(),
        }],
        verdicts: vec![verdict],
        judge: judge.to_owned(),
        criteria: vec![REQUEST.to_owned()],
        domains: vec![task.to_owned()],
        text,
        ..ReplyFile::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_model::host::FileMeta;

    fn tree(paths: &[&str]) -> FileTree {
        let mut tree = FileTree::default();
        for path in paths {
            let meta = FileMeta {
                path: (*path).to_owned(),
                size: Some(1),
            };
            assert_eq!(tree.add(&meta).1, Ok(()));
        }
        tree
    }

    #[test]
    fn judge_files_alone_make_models() {
        let tree = tree(&[
            "run/a/3_back/006_gpt_judge.txt",
            "run/b/add/1_gemini_judge.txt",
            "run/b/results/results_gemini.csv",
            "notes/other.txt",
        ]);
        let models = submissions(&tree, None);
        let found: Vec<_> = models
            .iter()
            .map(|model| (&*model.name, &*model.reply_files, &*model.known_files))
            .collect();
        assert_eq!(found, [("a", &[0][..], &[][..]), ("b", &[1][..], &[2][..])]);
    }

    #[test]
    fn a_judge_file_is_one_reply() {
        let file = read_replies(
            "m/3_back/006_gpt_judge.txt",
            "Error during evaluation: x".to_owned(),
        );
        assert_eq!(file.lines[0].sample.as_deref(), Some("3_back/006"));
        assert_eq!((&*file.judge, &*file.domains[0]), ("gpt", "3_back"));
        assert_eq!(file.replies[0].raw, 0..26);
        assert!(file.verdicts[0].paper.is_err());
    }
}
