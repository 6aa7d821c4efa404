//! Folders → models: `NNN_generated.*` and judge files in task folders, in place, in a copy of the whole tree, or by themselves.

use std::collections::{BTreeMap, HashSet};

use crate::findings::nested_task;
use crate::multibanana::layout::benchmark::rank;
use crate::multibanana::layout::{Role, role};
use crate::multibanana::{REQUEST, verdict};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{ReplyFile, ReplyLine, StoredReply};
use juror_model::sample::Benchmark;
use juror_model::submission::Submission;
use juror_model::tree::{
    FileId, FileTree, base_name, has_ending, is_picture, join, loose_name, parent, unique_names,
    unread_format,
};
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
    /// Files in the folder of a task inside that of a task, whatever they are.
    nested: Vec<FileId>,
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
    let asked = benchmark.turns().map(|(.., turn)| &turn.output_name);
    let asked: HashSet<String> = asked.map(|name| loose_name(name)).collect();
    let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
    let mut summaries = Vec::new();
    let mut strays = Vec::new();
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
        let (folder, is_nested) = if is_task(task) {
            outside(parent(task_folder), is_task)
        } else {
            (parent(task_folder), false)
        };
        if is_nested {
            let found = folders.entry(folder).or_default();
            found.take_nested(file, name);
            // The benchmark's own folder becomes no model by a copy in it.
            let is_own = benchmark.list.is_some() && folder == benchmark.folder;
            let is_output = matches!(
                role(name),
                Some(Role::Generated { .. } | Role::Judge { .. })
            );
            found.is_model |= is_output && !is_own;
            continue;
        }
        let slot = |number: &str| {
            let sample = benchmark.index_of(&format!("{task}/{number}"))?;
            benchmark.turn_slot(sample, 0)
        };
        let place = Place {
            is_in_task: is_task(task),
            has_list: benchmark.list.is_some(),
        };
        let found = folders.entry(folder).or_default();
        found.take(file, name, slot, place);
        if !is_task(task)
            && may_be_output(&entry.path, &asked)
            && let Some(around) = around_task(task_folder, is_task)
        {
            strays.push((file, folder, around));
        }
    }
    folders.retain(|_, folder| folder.is_model);
    add_strays(&mut folders, strays);
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

/// Files in folders inside those of tasks, with the folders that they would be of by their place and those of their tasks.
fn add_strays<'a>(
    folders: &mut BTreeMap<&'a str, Folder>,
    strays: Vec<(FileId, &'a str, &'a str)>,
) {
    for (file, own, around) in strays {
        // One that is in a model's own place is that model's already.
        if !folders.contains_key(own)
            && let Some(folder) = folders.get_mut(around)
        {
            folder.extra.push(file);
        }
    }
}

/// The folder around this one that is named after no task, and whether it is another one.
fn outside(folder: &str, is_task: impl Fn(&str) -> bool) -> (&str, bool) {
    let mut outside = folder;
    while is_task(base_name(outside)) {
        outside = parent(outside);
    }
    (outside, outside != folder)
}

/// The folder that holds the task's folder which this one is in.
fn around_task(folder: &str, is_task: impl Fn(&str) -> bool) -> Option<&str> {
    let mut above = std::iter::successors(Some(folder), |folder| Some(parent(folder)))
        .take_while(|folder| !folder.is_empty());
    let task = above.find(|folder| is_task(base_name(folder)))?;
    Some(outside(parent(task), is_task).0)
}

/// Whether a file that is in no task's folder itself may be an output: a picture of any format, or an output's name without its
/// ending.
fn may_be_output(path: &str, names: &HashSet<String>) -> bool {
    is_picture(path)
        || unread_format(path).is_some()
        || !has_ending(path) && names.contains(&loose_name(path))
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

/// A summary belongs to the model whose folder it is in or next to; the scores never rest on it.
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

/// Where a file is.
#[derive(Clone, Copy)]
struct Place {
    /// Whether its folder is a task's.
    is_in_task: bool,
    /// Whether it is known which sets there are.
    has_list: bool,
}

impl Folder {
    /// A file by its name; `slot` has the turn of a set's number.
    fn take(
        &mut self,
        file: FileId,
        name: &str,
        slot: impl Fn(&str) -> Option<u32>,
        Place {
            is_in_task,
            has_list,
        }: Place,
    ) {
        // A number that no set has is none: `generated_003.png` is no reference.
        let is_of_set = |number: &str| !has_list || slot(number).is_some();
        match role(name) {
            Some(Role::Generated { number }) => {
                match slot(number) {
                    Some(slot) => self.outputs.push((file, slot)),
                    None => self.extra.push(file),
                }
                self.is_model |= slot(number).is_some() || is_in_task;
            }
            Some(Role::Judge { .. }) => {
                self.replies.push(file);
                self.is_model = true;
            }
            Some(Role::Reference { number, .. }) if is_in_task && is_of_set(number) => {
                self.copies.push(file);
            }
            Some(Role::Prompt { .. } | Role::Types) => self.known.push(file),
            _ if is_in_task => self.extra.push(file),
            _ => {}
        }
    }

    /// A file in the folder of a task inside that of a task.
    fn take_nested(&mut self, file: FileId, name: &str) {
        self.nested.push(file);
        match role(name) {
            Some(Role::Generated { .. }) | None => self.extra.push(file),
            Some(_) => self.known.push(file),
        }
    }

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
        let mut problems: Vec<Problem> = nested_task(tree, &self.nested).into_iter().collect();
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
