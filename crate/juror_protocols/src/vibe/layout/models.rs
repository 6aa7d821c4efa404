//! Folders → models: what results, outputs and summaries each folder holds.
//!
//! Two layouts are read. The evaluation's has a folder for each model, with the levels' and tasks' folders in it.
//! The authors' generator writes into the data set: `Tasks/<level>/<task>/<model>_run_v1/`, a folder for each model in that of
//! each task; the folders of one name are one model then.
//!
//! A list's word counts: where it names `7.png` and beside it lies `7.jpg` alone, the output is missing, of single and of
//! combined tasks, because the authors' code does not find it either and has an empty picture judged in its place.
//! Where no list names an output, any picture that is named after its item is it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::vibe::Task;
use crate::vibe::layout::benchmark::{is_level, sample_id};
use crate::vibe::layout::{Role, file_role};
use juror_model::problem::{Problem, Severity};
use juror_model::sample::Benchmark;
use juror_model::submission::Submission;
use juror_model::tree::{FileId, FileTree, base_name, is_picture, join, parent, unique_names};
use juror_statistics::small::{CollectSmall, SortSmall};

/// Finds the models' folders.
///
/// A folder is a model's if below it, under a level's and a task's folder or without them, lies a result file
/// or a picture named after an item of that task. Pictures in the folders of the benchmark's own lists are not outputs.
pub(crate) fn submissions(tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
    let empty = Benchmark::default();
    let benchmark = benchmark.unwrap_or(&empty);
    let found = Finder::new(tree, benchmark).find();
    let names = unique_names(found.keys().map(String::as_str));
    let listed = benchmark.result_lists.iter();
    let listed: Listed = listed.flat_map(|list| &list.outputs).copied().collect();
    found
        .into_iter()
        .zip(names)
        .map(|((path, folder), name)| folder.submission(tree, benchmark, &listed, &path, name))
        .collect()
}

/// Turn number and output of every entry of a list of results.
type Listed = HashSet<(u32, Option<FileId>)>;

/// What was found below one folder.
#[derive(Debug, Default)]
struct Folder {
    /// Run (none last), path, file.
    results: Vec<(u32, String, FileId)>,
    /// Files that stand for a turn; those that a list names first.
    outputs: Vec<(FileId, u32)>,
    /// Where outputs belong that a list names and that are not there.
    missing: BTreeMap<u32, String>,
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
        let own: BTreeSet<FileId> = pictures
            .chain(benchmark.files.iter().copied())
            .collect_small();
        let own_folders = own
            .iter()
            .map(|file| parent(tree.path(*file)).to_owned())
            .collect_small();
        let ids = || {
            benchmark.turns().map(|(slot, sample, _, _)| {
                (benchmark.samples[sample as usize].id.to_lowercase(), slot)
            })
        };
        let mut slots: HashMap<String, u32> = ids().collect();
        // Ids of combined tasks are files' names: a picture of another kind is theirs as well as one of a plain id.
        for (id, slot) in ids() {
            if let Some((stem, _)) = id.rsplit_once('.').filter(|_| is_picture(&id)) {
                slots.entry(stem.to_owned()).or_insert(slot);
            }
        }
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
        let lists = self.benchmark.result_lists.iter();
        for list in lists.filter(|list| self.tree.is_listed(list.file)) {
            let folder = folders.entry(list.model.clone()).or_default();
            folder.missing.extend(list.missing.iter().cloned());
            for (slot, file) in &list.outputs {
                let is_there =
                    |file: &FileId| !self.own.contains(file) && self.tree.is_listed(*file);
                let Some(file) = file.filter(is_there) else {
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
                        folder.take(file, slot, &entry.path);
                    }
                    None => rest.push((file, entry.path.as_str())),
                },
            }
        }
        folders.retain(|_, folder| !folder.results.is_empty() || !folder.outputs.is_empty());
        let moved = self.split_off(&mut folders);
        for (file, path) in rest {
            let own = model_folder(path);
            if let Some(folder) = folders.get_mut(moved.get(&own).unwrap_or(&own)) {
                folder.others.push(file);
                continue;
            }
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

    /// Knows a model by one folder more where its own is called like a folder of tasks and is beside other models' folders; returns
    /// its new folder by the one before.
    fn split_off(&self, folders: &mut BTreeMap<String, Folder>) -> BTreeMap<String, String> {
        let around: BTreeSet<String> = (folders.keys())
            .map(|folder| parent(folder).to_owned())
            .collect();
        let first_in = |folder: &str, path: &str| {
            let inner = path.strip_prefix(folder)?.trim_start_matches('/');
            let (first, _) = inner.split_once('/')?;
            Some(join(folder, first))
        };
        let mut moved = BTreeMap::new();
        for (key, folder) in folders.iter().filter(|(key, _)| around.contains(*key)) {
            let results = folder.results.iter().map(|(_, path, _)| path.as_str());
            let outputs = folder.outputs.iter().map(|(file, _)| self.tree.path(*file));
            let mut inner = results.chain(outputs).map(|path| first_in(key, path));
            if let Some(Some(first)) = inner.next()
                && inner.all(|other| other.as_ref() == Some(&first))
                && !folders.contains_key(&first)
            {
                moved.insert(key.clone(), first);
            }
        }
        for (key, first) in &moved {
            if let Some(folder) = folders.remove(key) {
                folders.insert(first.clone(), folder);
            }
        }
        moved
    }

    /// The turn that a picture is the output of: its folders name the task, its name the item.
    fn slot(&self, path: &str) -> Option<u32> {
        let (stem, extension) = base_name(path).rsplit_once('.')?;
        if !is_picture(path) || self.own_folders.contains(parent(path)) {
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
/// Folders of one name in several tasks' folders are one model: their path is told without the tasks' part.
pub(crate) fn model_folder(path: &str) -> String {
    let mut folder = parent(path);
    let is_part = |name: &str| {
        name.eq_ignore_ascii_case("imgs")
            || name.eq_ignore_ascii_case("multi-tasks")
            || name.eq_ignore_ascii_case("tasks")
            || Task::named(name).is_some()
            || is_level(name)
    };
    let without_parts = |mut folder| {
        while !str::is_empty(folder) && is_part(base_name(folder)) {
            folder = parent(folder);
        }
        folder
    };
    folder = without_parts(folder);
    if folder.is_empty() {
        return path
            .split_once('/')
            .map_or("", |(first, _)| first)
            .to_owned();
    }
    // In the generator's layout the model's folder lies in the task's, once for each task.
    let (above, name) = (parent(folder), base_name(folder));
    if Task::named(base_name(above)).is_some()
        || base_name(above).eq_ignore_ascii_case("multi-tasks")
    {
        return join(without_parts(above), name);
    }
    folder.to_owned()
}

/// The folder that all of these paths lie in.
fn common_folder<'a>(mut paths: impl Iterator<Item = &'a str>) -> String {
    let mut common = paths.next().map_or("", parent);
    for path in paths {
        while !common.is_empty()
            && !path
                .strip_prefix(common)
                .is_some_and(|rest| rest.starts_with('/'))
        {
            common = parent(common);
        }
    }
    common.to_owned()
}

impl Folder {
    /// Takes a picture that is named after an item, unless the list next to it gives that item's output another name.
    fn take(&mut self, file: FileId, slot: u32, path: &str) {
        let listed = self.missing.get(&slot);
        let is_beside = |listed: &String| {
            let folder = parent(listed);
            [folder.to_owned(), join(folder, "imgs")].contains(&parent(path).to_owned())
        };
        if listed.is_some_and(is_beside) {
            self.others.push(file);
        } else {
            self.outputs.push((file, slot));
        }
    }

    /// Pictures that lie where a list has one of the same name and another kind, with the name that it has.
    fn of_other_kinds(&self, tree: &FileTree) -> Vec<(FileId, &str)> {
        let mut listed: HashMap<String, &str> = HashMap::new();
        for path in self.missing.values() {
            let name = base_name(path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            for folder in [parent(path).to_owned(), join(parent(path), "imgs")] {
                listed.insert(join(&folder, stem), name);
            }
        }
        let name_of = |file: &FileId| {
            let path = tree.path(*file);
            let (stem, _) = path.rsplit_once('.').filter(|_| is_picture(path))?;
            Some((*file, *listed.get(stem)?))
        };
        self.others.iter().filter_map(name_of).collect()
    }

    /// Where each output belongs that is not there: where a list has it, else beside this model's others of its task.
    fn expected(
        &self,
        tree: &FileTree,
        benchmark: &Benchmark,
        outputs: &[Option<FileId>],
    ) -> BTreeMap<u32, String> {
        let mut folders: BTreeMap<&str, &str> = BTreeMap::new();
        let turns = || benchmark.turns().zip(outputs);
        let domain = |sample: u32| benchmark.samples[sample as usize].domain.as_str();
        for ((_, sample, _, _), output) in turns() {
            if let Some(file) = output {
                let folder = parent(tree.path(*file));
                folders.entry(domain(sample)).or_insert(folder);
            }
        }
        // One of another kind than listed shows which place is in use.
        let others = self.others.iter().map(|file| tree.path(*file));
        let others: HashSet<&str> = others.filter(|path| is_picture(path)).map(parent).collect();
        let mut expected = BTreeMap::new();
        for ((slot, sample, _, turn), _) in turns().filter(|(_, output)| output.is_none()) {
            let folder = folders.get(domain(sample)).copied();
            let path = match (self.missing.get(&slot), folder) {
                // Both places are looked at, and the others show which one is in use.
                (Some(listed), Some(folder)) if folder == join(parent(listed), "imgs") => {
                    join(folder, base_name(listed))
                }
                (Some(listed), _) if others.contains(&*join(parent(listed), "imgs")) => {
                    join(&join(parent(listed), "imgs"), base_name(listed))
                }
                (Some(listed), _) => listed.clone(),
                (None, Some(folder)) => join(folder, base_name(&turn.output_name)),
                (None, None) => continue,
            };
            expected.insert(slot, path);
        }
        expected
    }

    /// The folder that everything of the model lies in: the one it is known by, unless it has one in each task's folder.
    fn place(&self, tree: &FileTree, path: &str) -> String {
        let results = self.results.iter().map(|(_, path, _)| path.as_str());
        let outputs = self.outputs.iter().map(|(file, _)| tree.path(*file));
        let inside = |own: &str| {
            own.strip_prefix(path)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let own = || results.clone().chain(outputs.clone());
        if path.is_empty() || own().all(inside) {
            path.to_owned()
        } else {
            common_folder(own())
        }
    }

    fn submission(
        mut self,
        tree: &FileTree,
        benchmark: &Benchmark,
        listed: &Listed,
        path: &str,
        name: String,
    ) -> Submission {
        let mut outputs: Vec<Option<FileId>> = vec![None; benchmark.num_turns()];
        let mut problems = Vec::new();
        problems.extend(self.of_other_kinds(tree).into_iter().map(|(file, listed)| Problem {
            severity: Severity::Warning,
            code: "other_name_listed".to_owned(),
            path: tree.path(file).to_owned(),
            place: String::new(),
            message: format!(
                "The list of results names {listed} instead, which is not there: the output counts as missing, as in the authors' code."
            ),
            hint: "Rename the picture as the list has it, or correct the list.".to_owned(),
        }));
        for &(file, slot) in &self.outputs {
            let output = &mut outputs[slot as usize];
            let is_in_imgs =
                |file: FileId| base_name(parent(tree.path(file))).eq_ignore_ascii_case("imgs");
            let is_listed = |file: FileId| listed.contains(&(slot, Some(file)));
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
                        "Two files are meant for the same output; {} is used.",
                        tree.path(used)
                    ),
                    hint: "Remove one of the two.".to_owned(),
                });
            }
        }
        // Numbered runs first: where the list without a number holds verdicts too, they are those of a run.
        self.results.sort_small();
        let folder = self.place(tree, path);
        Submission {
            name,
            output_folder: folder.clone(),
            folder,
            judges: BTreeMap::new(),
            expected: self.expected(tree, benchmark, &outputs),
            outputs,
            reply_files: self.results.into_iter().map(|(_, _, file)| file).collect(),
            extra_files: self.others,
            unrecognised: Vec::new(),
            known_files: self.known,
            problems,
        }
    }
}
