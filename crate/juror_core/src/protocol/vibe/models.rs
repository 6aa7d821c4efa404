//! Folders → models: what results, outputs and summaries each folder holds.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Task;
use super::benchmark::{is_level, sample_id};
use super::layout::{Role, file_role};
use crate::arrange::{Arrange, Gather};
use crate::protocol::{Benchmark, Submission};
use crate::tree::{FileId, FileTree, base_name, join, parent, unique_names};
use crate::view::{Problem, Severity};

/// Endings of picture files.
const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// Finds the models' folders.
///
/// A folder is a model's if below it, under a level's and a task's folder or without them, lies a result file
/// or a picture named after an item of that task. Pictures in the folders of the benchmark's own lists are not outputs.
pub(super) fn submissions(tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
    let empty = Benchmark::default();
    let benchmark = benchmark.unwrap_or(&empty);
    let found = Finder::new(tree, benchmark).find();
    let names = unique_names(found.keys().map(String::as_str));
    found
        .into_iter()
        .zip(names)
        .map(|((path, folder), name)| folder.submission(tree, benchmark, path, name))
        .collect()
}

/// What was found below one folder.
#[derive(Debug, Default)]
struct Folder {
    /// Run (none last), path, file.
    results: Vec<(u32, String, FileId)>,
    /// Files that stand for a turn; those that a list names first.
    outputs: Vec<(FileId, u32)>,
    known: Vec<FileId>,
    others: Vec<FileId>,
}

struct Finder<'a> {
    tree: &'a FileTree,
    benchmark: &'a Benchmark,
    /// Files of the benchmark itself.
    own: BTreeSet<FileId>,
    /// Folders that hold the benchmark's lists and pictures.
    own_folders: BTreeSet<String>,
    /// Turn numbers by sample id in lower case.
    slots: HashMap<String, u32>,
}

impl<'a> Finder<'a> {
    fn new(tree: &'a FileTree, benchmark: &'a Benchmark) -> Self {
        let pictures = benchmark
            .samples
            .iter()
            .flat_map(|sample| &sample.pictures)
            .filter_map(|picture| picture.file);
        let own: BTreeSet<FileId> = pictures.chain(benchmark.files.iter().copied()).gather();
        let own_folders = own
            .iter()
            .map(|file| parent(tree.path(*file)).to_owned())
            .gather();
        let slots = benchmark
            .turns()
            .map(|(slot, sample, _, _)| {
                let id = &benchmark.samples[sample as usize].id;
                (id.to_lowercase(), slot)
            })
            .collect();
        Self {
            tree,
            benchmark,
            own,
            own_folders,
            slots,
        }
    }

    fn find(&self) -> BTreeMap<String, Folder> {
        let mut folders: BTreeMap<String, Folder> = BTreeMap::new();
        let mut rest = Vec::new();
        let mut named: BTreeSet<FileId> = BTreeSet::new();
        for list in &self.benchmark.result_lists {
            let folder = folders.entry(list.model.clone()).or_default();
            for (slot, file) in &list.outputs {
                let Some(file) = file.filter(|file| !self.own.contains(file)) else {
                    continue;
                };
                folder.outputs.push((file, *slot));
                named.insert(file);
            }
        }
        for (file, entry) in self.tree.files() {
            if self.own.contains(&file) || named.contains(&file) {
                continue;
            }
            match file_role(&entry.path) {
                Some((_, Role::Results { run })) => {
                    let folder = folders.entry(model_folder(&entry.path)).or_default();
                    let run = run.unwrap_or(u32::MAX);
                    folder.results.push((run, entry.path.clone(), file));
                }
                Some((_, Role::Summary)) => {
                    let folder = folders.entry(model_folder(&entry.path)).or_default();
                    folder.known.push(file);
                }
                _ => match self.slot(&entry.path) {
                    Some(slot) => {
                        let folder = folders.entry(model_folder(&entry.path)).or_default();
                        folder.outputs.push((file, slot));
                    }
                    None => rest.push((file, entry.path.as_str())),
                },
            }
        }
        folders.retain(|_, folder| !folder.results.is_empty() || !folder.outputs.is_empty());
        for (file, path) in rest {
            let mut above = parent(path);
            while !above.is_empty() {
                if let Some(folder) = folders.get_mut(above) {
                    folder.others.push(file);
                    break;
                }
                above = parent(above);
            }
        }
        folders
    }

    /// The turn that a picture is the output of: its folders name the task, its name the item.
    fn slot(&self, path: &str) -> Option<u32> {
        let (stem, extension) = base_name(path).rsplit_once('.')?;
        let is_picture = PICTURES
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known));
        if !is_picture || self.own_folders.contains(parent(path)) {
            return None;
        }
        let is_in_data = |name: &str| {
            let folder = join(&self.benchmark.folder, name).to_lowercase() + "/";
            path.to_lowercase().starts_with(&folder)
        };
        if self.benchmark.list.is_some() && (is_in_data("Tasks") || is_in_data("Common_Corpus")) {
            return None;
        }
        let mut folder = parent(path);
        let task = loop {
            match Task::named(base_name(folder)) {
                Some(task) => break task,
                None if folder.is_empty() => return None,
                None => folder = parent(folder),
            }
        };
        let id = sample_id(task, stem).to_lowercase();
        let with_extension = format!("{id}.{}", extension.to_lowercase());
        [id, with_extension]
            .iter()
            .find_map(|id| self.slots.get(id).copied())
    }
}

/// A result's or output's path without its own name, `imgs`, and the folders of task and level.
///
/// A path that consists of nothing else is known by its first folder.
pub(super) fn model_folder(path: &str) -> String {
    let mut folder = parent(path);
    let is_part = |name: &str| {
        name.eq_ignore_ascii_case("imgs")
            || name.eq_ignore_ascii_case("multi-tasks")
            || name.eq_ignore_ascii_case("tasks")
            || Task::named(name).is_some()
            || is_level(name)
    };
    while !folder.is_empty() && is_part(base_name(folder)) {
        folder = parent(folder);
    }
    if folder.is_empty() {
        path.split_once('/')
            .map_or("", |(first, _)| first)
            .to_owned()
    } else {
        folder.to_owned()
    }
}

impl Folder {
    fn submission(
        mut self,
        tree: &FileTree,
        benchmark: &Benchmark,
        path: String,
        name: String,
    ) -> Submission {
        let mut outputs: Vec<Option<FileId>> = vec![None; benchmark.num_turns()];
        let mut problems = Vec::new();
        for &(file, slot) in &self.outputs {
            let output = &mut outputs[slot as usize];
            let is_in_imgs =
                |file: FileId| base_name(parent(tree.path(file))).eq_ignore_ascii_case("imgs");
            let is_listed = |file: FileId| {
                let lists = benchmark.result_lists.iter();
                lists
                    .flat_map(|list| &list.outputs)
                    .any(|pair| *pair == (slot, Some(file)))
            };
            let (used, unused) = match *output {
                None => (file, None),
                Some(other) if other == file => (file, None),
                Some(other) if !is_listed(other) && is_in_imgs(file) && !is_in_imgs(other) => {
                    (file, Some(other))
                }
                Some(other) => (other, Some(file)),
            };
            *output = Some(used);
            if let Some(unused) = unused {
                problems.push(Problem {
                    severity: Severity::Warning,
                    code: "duplicate_output".to_owned(),
                    path: tree.path(unused).to_owned(),
                    place: String::new(),
                    message: format!(
                        "Two files stand for the same output; {} is used.",
                        tree.path(used)
                    ),
                    hint: "Remove one of the two.".to_owned(),
                });
            }
        }
        // Numbered runs first: where the list without a number holds verdicts too, they are those of a run.
        self.results.arrange();
        Submission {
            name,
            output_folder: path.clone(),
            folder: path,
            outputs,
            reply_files: self.results.into_iter().map(|(_, _, file)| file).collect(),
            extra_files: self.others,
            known_files: self.known,
            problems,
        }
    }
}
