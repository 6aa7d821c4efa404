//! Files → samples: the lists of all tasks below one root make one benchmark.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::vibe::Task;
use crate::vibe::billiards::NUM_CUSHIONS;
use crate::vibe::layout::{self, Annotation, Place, Role, Status, annotations, bases, file_role};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::ReplyFile;
use juror_model::sample::{
    Benchmark, Candidate, Picture, ResultList, Sample, Texts, Turn, TurnKind,
};
use juror_model::tree::{FileId, FileTree, base_name, join, parent};
use juror_reading::py::{self, Value};
use juror_statistics::small::SortSmall;

/// The largest list that is read.
const MAX_LIST_BYTES: u64 = 64 << 20;

/// A sample's id: ids of tasks overlap, so the task comes first.
pub(crate) fn sample_id(task: Task, id: &str) -> String {
    format!("{}/{id}", task.id())
}

/// Whether a folder's name is that of a level, by either scheme.
pub(crate) fn is_level(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("level-") || name.starts_with("dimension-")
}

/// The folder that a task's list hangs below: without its task's folder, its level's, and `Tasks`.
pub(crate) fn root(list: &str) -> &str {
    let mut folder = parent(list);
    let is_named = |folder: &str, what: fn(&str) -> bool| what(base_name(folder));
    if is_named(folder, |name| {
        Task::named(name).is_some() || name.eq_ignore_ascii_case("multi-tasks")
    }) {
        folder = parent(folder);
    }
    if is_named(folder, is_level) {
        folder = parent(folder);
    }
    if is_named(folder, |name| name.eq_ignore_ascii_case("tasks")) {
        folder = parent(folder);
    }
    folder
}

/// The lists below each root, the roots with most tasks first; with them the models' lists of outputs, which name the files.
pub(crate) fn candidates(tree: &FileTree) -> Vec<Candidate> {
    let mut roots: BTreeMap<&str, Vec<(Task, &str, FileId)>> = BTreeMap::new();
    // Per folder and task the list that generation wrote, or the one of the first run.
    let mut outputs: BTreeMap<(&str, Task), (u32, FileId)> = BTreeMap::new();
    for (file, entry) in tree.files() {
        if entry.size.is_some_and(|size| size > MAX_LIST_BYTES) {
            continue;
        }
        match file_role(&entry.path) {
            Some((task, Role::Annotations)) => {
                let lists = roots.entry(root(&entry.path)).or_default();
                lists.push((task, &entry.path, file));
            }
            Some((task, Role::Results { run })) => {
                let run = run.unwrap_or(0);
                let list = outputs
                    .entry((parent(&entry.path), task))
                    .or_insert((run, file));
                *list = (*list).min((run, file));
            }
            _ => {}
        }
    }
    let mut found: Vec<(u8, usize, Candidate)> = roots
        .into_values()
        .map(|mut lists| {
            lists.sort_small();
            let beside = lists.iter().filter_map(|(task, path, _)| {
                let path = join(parent(path), layout::CUSHIONS);
                tree.find(&path).filter(|_| *task == Task::Billiards)
            });
            let beside: Vec<FileId> = beside.collect();
            // A list in a folder of its task's or level's name is no accident.
            let is_placed = |path: &str| {
                let folder = base_name(parent(path));
                Task::named(folder).is_some()
                    || folder.eq_ignore_ascii_case("multi-tasks")
                    || is_level(folder)
            };
            let rank = u8::from(!lists.iter().any(|(_, path, _)| is_placed(path)));
            let candidate = Candidate {
                list: lists[0].2,
                files: lists
                    .iter()
                    .map(|(_, _, file)| *file)
                    .chain(beside)
                    .chain(outputs.values().map(|(_, file)| *file))
                    .collect(),
                rank,
            };
            (rank, usize::MAX - lists.len(), candidate)
        })
        .collect();
    found.sort_small_by_key(|(rank, order, _)| (*rank, *order));
    found
        .into_iter()
        .map(|(_, _, candidate)| candidate)
        .collect()
}

/// Reads all lists of a candidate; one that is broken is a problem, and the others load.
pub(crate) fn load(
    tree: &FileTree,
    candidate: &Candidate,
    texts: &Texts,
) -> Result<Benchmark, Box<Problem>> {
    let folder = root(tree.path(candidate.list)).to_owned();
    let mut loader = Loader {
        cushions: HashMap::new(),
        tree,
        folder: &folder,
        samples: Vec::new(),
        by_id: HashMap::new(),
        problems: Vec::new(),
        num_unreadable: 0,
    };
    let mut first_refusal = None;
    let mut num_lists = 0;
    let is_list =
        |file: &&FileId| matches!(file_role(tree.path(**file)), Some((_, Role::Annotations)));
    for &file in candidate
        .files
        .iter()
        .filter(|file| is_cushions(tree, **file))
    {
        loader.read_cushions(tree.path(file), texts.get(&file));
    }
    for &file in candidate.files.iter().filter(is_list) {
        let path = tree.path(file);
        let (Some(text), Some((task, _))) = (texts.get(&file), file_role(path)) else {
            loader.problems.push(problem(
                path,
                "unreadable_list",
                String::new(),
                "The task's list could not be read.".to_owned(),
                "Its samples are left out; open the file again.",
            ));
            continue;
        };
        match annotations(path, text) {
            Ok((items, problems)) => {
                num_lists += 1;
                loader.num_unreadable += u32::try_from(problems.len()).unwrap_or(u32::MAX);
                loader.problems.extend(problems);
                loader.take(task, path, items);
            }
            Err(refusal) => {
                loader.problems.push((*refusal).clone());
                first_refusal.get_or_insert(refusal);
            }
        }
    }
    if let (0, Some(refusal)) = (num_lists, first_refusal) {
        return Err(refusal);
    }
    let Loader {
        samples,
        problems,
        num_unreadable,
        ..
    } = loader;
    let mut benchmark = Benchmark::new(Some(candidate.list), folder, samples);
    let is_own = |file: &&FileId| is_list(file) || is_cushions(tree, **file);
    benchmark.files = candidate.files.iter().filter(is_own).copied().collect();
    benchmark.problems = problems;
    benchmark.num_unreadable = num_unreadable;
    let lists = candidate.files.iter().filter(|file| !is_list(file));
    benchmark.result_lists = lists
        .filter_map(|&file| result_list(tree, &benchmark, file, texts.get(&file)?))
        .collect();
    Ok(benchmark)
}

/// Whether a file says how many cushions the balls touch.
fn is_cushions(tree: &FileTree, file: FileId) -> bool {
    base_name(tree.path(file)) == layout::CUSHIONS
}

/// The outputs that a model's list names; what is wrong with the list is said where its verdicts are read.
fn result_list(
    tree: &FileTree,
    benchmark: &Benchmark,
    file: FileId,
    text: &str,
) -> Option<ResultList> {
    let path = tree.path(file);
    let (task, _) = file_role(path)?;
    let Ok(Value::List(items)) = py::loads(text.trim_start_matches('\u{feff}')) else {
        return None;
    };
    let mut list = ResultList {
        file,
        model: crate::vibe::layout::models::model_folder(path),
        outputs: Vec::new(),
        missing: Vec::new(),
    };
    let has_file = |path: &str| tree.find(path).is_some();
    for item in &items {
        let sample = layout::id_text(item.get("id"))
            .and_then(|id| benchmark.index_of(&sample_id(task, &id)));
        let slot = sample.and_then(|sample| benchmark.turn_slot(sample, 0));
        let saved = item.get("saved_image_path").and_then(Value::as_str);
        let (Some(slot), Some(saved)) = (slot, saved) else {
            continue;
        };
        // A path of the machine that generated it cannot be followed; its last part can.
        let is_absolute = saved.starts_with('/') || saved.get(1..2) == Some(":");
        let slashed = saved.replace('\\', "/");
        let saved = if is_absolute {
            base_name(&slashed)
        } else {
            &slashed
        };
        let found = layout::generated_path(parent(path), saved, has_file);
        let output = tree.find(&found);
        if output.is_none() && !is_absolute && Status::of(item) == Status::Success {
            list.missing.push((slot, found));
        }
        list.outputs.push((slot, output));
    }
    Some(list)
}

fn problem(path: &str, code: &str, place: String, message: String, hint: &str) -> Problem {
    Problem {
        severity: Severity::Error,
        code: code.to_owned(),
        path: path.to_owned(),
        place,
        message,
        hint: hint.to_owned(),
    }
}

struct Loader<'a> {
    tree: &'a FileTree,
    folder: &'a str,
    samples: Vec<Sample>,
    /// Sample ids with the list and position that used them.
    by_id: HashMap<String, (String, usize)>,
    problems: Vec<Problem>,
    num_unreadable: u32,
    /// By folder: cushions by id.
    cushions: HashMap<String, BTreeMap<String, String>>,
}

impl Loader<'_> {
    fn read_cushions(&mut self, path: &str, text: Option<&String>) {
        let read = text.map_or_else(
            || Err("The file could not be read.".to_owned()),
            |text| layout::cushions(text),
        );
        match read {
            Ok(found) => drop(self.cushions.insert(parent(path).to_owned(), found)),
            Err(message) => self.problems.push(problem(
                path,
                "bad_cushions",
                String::new(),
                message,
                "Name its columns id and cushions; until then no item has a number of cushions from it.",
            )),
        }
    }

    /// The groups that an item is in besides its task.
    fn tags(
        &mut self,
        task: Task,
        list: &str,
        item: &Annotation,
    ) -> Vec<(Cow<'static, str>, String)> {
        let mut tags: Vec<(Cow<'static, str>, String)> = Vec::new();
        let mut tag = |scope: &'static str, key: String| tags.push((scope.into(), key));
        if let Some(style) = layout::style(&item.source) {
            tag("style", style.to_owned());
        }
        if let Some(key) = layout::combination(task, &item.id, &item.tasks) {
            tag("combination", key);
        }
        if task == Task::Billiards {
            let beside = self.cushions.get(parent(list));
            let beside = beside.and_then(|by_id| by_id.get(&item.id).cloned());
            if let Some(count) = item.cushions.clone().or(beside) {
                let number = count.parse().ok();
                match number.filter(|number| NUM_CUSHIONS.contains(number)) {
                    Some(number) => tag("cushions", number.to_string()),
                    None => self.problems.push(problem(
                        list,
                        "bad_cushions",
                        format!("item {}", item.position),
                        format!(
                            "Expected {} to {} cushions, found {count}.",
                            NUM_CUSHIONS.start(),
                            NUM_CUSHIONS.end()
                        ),
                        "The item is in no group of cushions; it counts in all others.",
                    )),
                }
            }
        }
        tags
    }

    fn take(&mut self, task: Task, list: &str, items: Vec<Annotation>) {
        for item in items {
            let id = sample_id(task, &item.id);
            if let Some((other, position)) = self.by_id.get(&id) {
                self.problems.push(problem(
                    list,
                    "duplicate_id",
                    format!("item {}", item.position),
                    format!("{id} was used by item {position} of {other} already."),
                    "Results name items by task and id, so this one is left out.",
                ));
                self.num_unreadable += 1;
                continue;
            }
            self.by_id
                .insert(id.clone(), (list.to_owned(), item.position));
            let sample = self.sample(task, list, id, &item);
            self.samples.push(sample);
        }
    }

    fn sample(&mut self, task: Task, list: &str, id: String, item: &Annotation) -> Sample {
        let mut pictures =
            vec![self.picture(task, Place::Source, list, item, &item.source, "source")];
        if let Some(path) = &item.instruction {
            let label = if task == Task::PoseControl {
                "pose"
            } else {
                "instruction"
            };
            pictures.push(self.picture(task, Place::Instruction, list, item, path, label));
        }
        let mut golden = None;
        if let Some(path) = &item.target {
            pictures.push(self.picture(
                task,
                Place::Instruction,
                list,
                item,
                path,
                "golden answer",
            ));
            golden = u32::try_from(pictures.len()).ok();
        }
        Sample {
            id,
            domain: task.id().to_owned(),
            category: Cow::Borrowed(task.level().id()),
            tags: self.tags(task, list, item),
            details: (item.long_prompt.iter())
                .map(|text| (layout::LONG_TEXT.to_owned(), text.clone()))
                .collect(),
            pictures,
            turns: vec![Turn {
                kind: TurnKind::Image,
                instruction: item.prompt.clone(),
                answer: String::new(),
                picture: golden,
                key_points: Vec::new(),
                output_name: self.output_name(task, list, &item.id),
            }],
        }
    }

    /// Where a model's output of an item is expected below its folder: in the folders that the data set uses, as the authors'
    /// evaluation knows `Flow` and no `Flow_Simulation`.
    fn output_name(&self, task: Task, list: &str, id: &str) -> String {
        let below = list.get(self.folder.len()..).unwrap_or(list);
        let level = below.split('/').find(|part| is_level(part));
        let level = level.map_or_else(String::new, |level| format!("{level}/"));
        let name = if base_name(id).contains('.') {
            id.to_owned()
        } else {
            format!("{id}.png")
        };
        let folder = Some(base_name(parent(list))).filter(|name| Task::named(name) == Some(task));
        format!("{level}{}/imgs/{name}", folder.unwrap_or(task.id()))
    }

    fn picture(
        &mut self,
        task: Task,
        place: Place,
        list: &str,
        item: &Annotation,
        path: &str,
        label: &str,
    ) -> Picture {
        let bases = bases(task, place, list);
        let found = bases
            .iter()
            .find_map(|base| self.tree.find(&join(base, path)));
        let full = match found {
            Some(file) => self.tree.path(file).to_owned(),
            None => join(&bases[0], path),
        };
        let inside = full
            .strip_prefix(self.folder)
            .map_or(full.as_str(), |rest| rest.trim_start_matches('/'));
        if found.is_none() {
            self.problems.push(problem(
                list,
                "missing_picture",
                format!("item {}, {label}", item.position),
                format!("The picture {full} is not among the files."),
                "Open the folder that holds it as well; scores from verdicts are not affected.",
            ));
        }
        Picture {
            path: inside.to_owned(),
            file: found,
            label: label.to_owned(),
        }
    }
}

/// The benchmark that result files imply: their items, judged on the metrics of their task.
pub(crate) fn imply(files: &[&ReplyFile]) -> Benchmark {
    let mut samples: Vec<Sample> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    let mut lines: Vec<(Task, &str)> = files
        .iter()
        .flat_map(|file| {
            let task = file.domains.first().and_then(|name| Task::named(name));
            let ids = file.lines.iter().filter_map(|line| line.sample.as_deref());
            ids.filter_map(move |id| Some((task?, id)))
        })
        .collect();
    // Stable: the order within a task is that of its files.
    lines.sort_small_by_key(|(task, _)| *task);
    for (task, id) in lines {
        if !known.insert(id) {
            continue;
        }
        samples.push(Sample {
            id: id.to_owned(),
            domain: task.id().to_owned(),
            category: Cow::Borrowed(task.level().id()),
            tags: Vec::new(),
            details: Vec::new(),
            pictures: Vec::new(),
            turns: vec![Turn {
                kind: TurnKind::Image,
                instruction: String::new(),
                answer: String::new(),
                picture: None,
                key_points: Vec::new(),
                output_name: String::new(),
            }],
        });
    }
    Benchmark::new(None, String::new(), samples)
}
