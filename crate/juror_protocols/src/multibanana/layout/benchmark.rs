//! Folders of task folders → sets: `data/<task>/` with `NNN_prompt.txt`, `NNN_0.jpg`, … and `types.json`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::findings::copied_samples;
use crate::multibanana::layout::origin::{self, Origins};
use crate::multibanana::layout::{self, DIFFICULTIES, EXTENSIONS, Role, Types, role};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::ReplyFile;
use juror_model::sample::{Benchmark, Candidate, Picture, Sample, Texts, Turn, TurnKind};
use juror_model::tree::{FileId, FileTree, base_name, copy_of, join, parent};
use juror_reading::count::counted;
use juror_reading::py;
use juror_statistics::small::{CollectSmall, SortSmall};

/// What was found in a folder of task folders.
#[derive(Debug, Default)]
struct Base {
    texts: Vec<FileId>,
    num_prompts: usize,
    num_outputs: usize,
    is_sure: bool,
}

/// Folders that hold prompts in folders below them.
///
/// A model's folder may be a copy of the whole tree, so a folder without generated pictures comes first.
pub(crate) fn candidates(tree: &FileTree) -> Vec<Candidate> {
    let mut bases: BTreeMap<&str, Base> = BTreeMap::new();
    for (file, entry) in tree.files() {
        let folder = parent(&entry.path);
        let Some(role) = role(base_name(&entry.path)).filter(|_| !is_hidden(folder)) else {
            continue;
        };
        let base = bases.entry(parent(folder)).or_default();
        match role {
            Role::Prompt { .. } => {
                base.num_prompts += 1;
                base.texts.push(file);
                base.is_sure |= layout::task(base_name(folder)).is_some();
            }
            Role::Types => base.texts.push(file),
            Role::Generated { .. } | Role::Judge { .. } => base.num_outputs += 1,
            Role::Reference { .. } => {}
        }
    }
    bases.retain(|_, base| base.num_prompts > 0);
    let mut found: Vec<(&str, Base)> = bases.into_iter().collect();
    found.sort_small_by_key(|(path, base)| {
        let depth = path.matches('/').count();
        let num_prompts = std::cmp::Reverse(base.num_prompts);
        (!base.is_sure, base.num_outputs > 0, num_prompts, depth)
    });
    found
        .into_iter()
        .filter_map(|(path, mut base)| {
            // By name, so that the order of listing decides nothing.
            base.texts.sort_small_by_key(|file| tree.path(*file));
            let is_types = |file: &&FileId| base_name(tree.path(**file)) == "types.json";
            let list = base.texts.iter().find(is_types).or(base.texts.first());
            let list = *list?;
            base.texts.extend(tree.find(&join(path, origin::FILE)));
            Some(Candidate {
                list,
                rank: if base.is_sure { 0 } else { 4 },
                files: base.texts,
            })
        })
        .collect()
}

/// `.git`, `.cache` and the like are not searched, as the authors' code does not.
fn is_hidden(folder: &str) -> bool {
    base_name(folder).starts_with('.')
}

/// One set's files.
#[derive(Debug, Default)]
struct Set {
    prompt: Option<FileId>,
    references: BTreeMap<u32, FileId>,
    /// Files that stand for a reference as well, with the one that is used.
    doubles: Vec<(FileId, FileId)>,
}

/// Reads all sets below the candidate's base folder.
pub(crate) fn load(
    tree: &FileTree,
    candidate: &Candidate,
    texts: &Texts,
) -> Result<Benchmark, Box<Problem>> {
    let base = parent(parent(tree.path(candidate.list))).to_owned();
    let (mut sets, types_files) = sets(tree, &base);
    let mut problems: Vec<Problem> = take_copies(tree, &mut sets).into_iter().collect();
    problems.extend(double_references(tree, &sets));
    problems.extend(no_types(&base, &sets, &types_files));
    problems.extend(unknown_tasks(&base, &sets));
    let mut types: BTreeMap<&str, Types> = BTreeMap::new();
    for (task, file) in &types_files {
        let (path, text) = (tree.path(*file), texts.get(file));
        problems.extend(text.and_then(|text| layout::repeated_types(path, text)));
        match text.map(|text| layout::types(path, text)) {
            Some(Ok(read)) => {
                problems.extend(unknown_labels(path, &read));
                types.insert(task, read);
            }
            Some(Err(problem)) => problems.push(*problem),
            // That it cannot be read is a finding of its own.
            None => {}
        }
    }
    let mut samples = Vec::new();
    let mut num_unreadable = 0;
    let mut traces = Vec::new();
    for ((task, number), set) in &sets {
        let folder = join(&base, task);
        let prompt = set.prompt.and_then(|file| texts.get(&file));
        let Some(prompt) = prompt else {
            num_unreadable += 1;
            traces.extend(set.references.values());
            if set.prompt.is_none() {
                problems.push(problem(
                    Severity::Error,
                    "no_prompt",
                    &join(&folder, &format!("{number}_prompt.txt")),
                    "The set has references and no prompt.".to_owned(),
                    "Download the file again from the benchmark's archive; the set is left out.",
                ));
            }
            continue;
        };
        let kind = layout::task(task);
        check_references(
            &folder,
            number,
            set,
            kind.map(|kind| kind.references),
            &mut problems,
        );
        let labels = types.get(task).map(|types| layout::labels(types, number));
        samples.push(sample(tree, &base, (task, number), set, prompt, labels));
    }
    if samples.is_empty() {
        return Err(Box::new(problem(
            Severity::Error,
            "no_sets",
            &base,
            "No set of this folder could be read.".to_owned(),
            "MultiBanana's data folder has one folder per task with NNN_prompt.txt and NNN_0.jpg, NNN_1.jpg, … in it.",
        )));
    }
    sort(&mut samples);
    tag_origins(tree, &base, texts, &mut samples, &mut problems);
    let mut benchmark = Benchmark::new(Some(candidate.list), base.clone(), samples);
    benchmark.files.clone_from(&candidate.files);
    benchmark.num_unreadable = num_unreadable;
    benchmark.traces = traces;
    benchmark.problems = problems;
    Ok(benchmark)
}

/// Says of each set where its references come from, as far as the file of origins tells.
fn tag_origins(
    tree: &FileTree,
    base: &str,
    texts: &Texts,
    samples: &mut [Sample],
    problems: &mut Vec<Problem>,
) {
    let file = tree.find(&join(base, origin::FILE));
    let Some((file, text)) = file.and_then(|file| Some((file, texts.get(&file)?))) else {
        return;
    };
    let pictures = samples.iter().flat_map(|sample| &sample.pictures);
    match Origins::read(text, pictures.map(|picture| picture.path.as_str())) {
        Ok(origins) => {
            for sample in samples {
                let paths = sample.pictures.iter().map(|picture| picture.path.as_str());
                let origin = origins.of(paths);
                let tag = origin.map(|origin| ("origin".into(), origin.to_owned()));
                sample.tags.extend(tag);
            }
        }
        Err(message) => problems.push(problem(
            Severity::Warning,
            "bad_origins",
            tree.path(file),
            message.to_owned(),
            "No set is in a group of origins until the file is fixed; all other scores are unaffected.",
        )),
    }
}

type Sets<'a> = BTreeMap<(&'a str, &'a str), Set>;

/// All sets below a base folder by task and number, and each task's `types.json`.
fn sets<'a>(tree: &'a FileTree, base: &str) -> (Sets<'a>, Vec<(&'a str, FileId)>) {
    let mut sets = Sets::new();
    let mut types = Vec::new();
    for (file, entry) in tree.files() {
        let folder = parent(&entry.path);
        // A folder at the top has no base folder and the top is no task.
        if parent(folder) != base || folder.is_empty() || is_hidden(folder) {
            continue;
        }
        let task = base_name(folder);
        match role(base_name(&entry.path)) {
            Some(Role::Prompt { number }) => {
                sets.entry((task, number)).or_default().prompt = Some(file);
            }
            Some(Role::Reference { number, index }) => {
                let set = sets.entry((task, number)).or_default();
                let known = set.references.entry(index).or_insert(file);
                let other = *known;
                if rank(&entry.path) < rank(tree.path(other)) {
                    *known = file;
                    set.doubles.push((other, file));
                } else if other != file {
                    set.doubles.push((file, other));
                }
            }
            Some(Role::Types) => types.push((task, file)),
            _ => {}
        }
    }
    // A picture such as 9_1.png in a results folder makes no set; only prompts tell which folders are tasks.
    let tasks: BTreeSet<&str> = sets
        .iter()
        .filter(|(_, set)| set.prompt.is_some())
        .map(|((task, _), _)| *task)
        .collect_small();
    sets.retain(|(task, _), _| tasks.contains(task));
    (sets, types)
}

/// Takes out sets whose folders or numbers say that they are copies of others next to them, and names them.
fn take_copies(tree: &FileTree, sets: &mut Sets<'_>) -> Option<Problem> {
    let known: BTreeSet<(&str, &str)> = (sets.iter())
        .filter(|(_, set)| set.prompt.is_some())
        .map(|(key, _)| *key)
        .collect_small();
    let tasks: BTreeSet<&str> = known.iter().map(|(task, _)| *task).collect_small();
    let is_copy = |(task, number): &(&str, &str)| {
        copy_of(task).is_some_and(|original| tasks.contains(original))
            || copy_of(number).is_some_and(|original| known.contains(&(*task, original)))
    };
    let mut copies = Vec::new();
    sets.retain(|key, set| {
        let is_copy = is_copy(key);
        if is_copy {
            copies.extend(
                set.prompt
                    .or_else(|| set.references.values().next().copied()),
            );
        }
        !is_copy
    });
    copied_samples(copies.into_iter().map(|file| tree.path(file)))
}

/// Names references that are there in two formats: the judge is shown one of them.
fn double_references(tree: &FileTree, sets: &Sets<'_>) -> Option<Problem> {
    let doubles = sets.values().flat_map(|set| &set.doubles);
    let mut doubles: Vec<(&str, &str)> = doubles
        .map(|(unused, used)| (tree.path(*unused), tree.path(*used)))
        .collect();
    doubles.sort_small();
    let (unused, used) = doubles.first()?;
    let more = match doubles.len() - 1 {
        0 => String::new(),
        more => format!(
            " So it is with {}.",
            counted(more, "other file", "other files")
        ),
    };
    Some(problem(
        Severity::Warning,
        "duplicate_reference",
        unused,
        format!("Two files are the same reference; {used} is shown to the judge.{more}"),
        "Remove the one that is not meant.",
    ))
}

/// Names folders of sets that are none of the benchmark's tasks, where others are: their sets count among all.
fn unknown_tasks(base: &str, sets: &Sets<'_>) -> Option<Problem> {
    let tasks: BTreeSet<&str> = sets.keys().map(|(task, _)| *task).collect_small();
    let (known, unknown): (Vec<&str>, Vec<&str>) =
        (tasks.into_iter()).partition(|task| layout::task(task).is_some());
    let first = unknown.first().filter(|_| !known.is_empty())?;
    Some(problem(
        Severity::Warning,
        "unknown_task",
        &join(base, first),
        format!(
            "{} called like no task of the benchmark: {}. Their sets count among all sets.",
            counted(
                unknown.len(),
                "folder with sets is",
                "folders with sets are"
            ),
            unknown.join(", "),
        ),
        "Move what is not meant out of the benchmark's folder.",
    ))
}

/// Names labels that are none of the benchmark's: they make groups of their own.
fn unknown_labels(path: &str, types: &Types) -> Option<Problem> {
    let labels = types.values().flatten().map(String::as_str);
    let unknown: BTreeSet<&str> = labels
        .filter(|label| !DIFFICULTIES.contains(label))
        .collect_small();
    let words: Vec<String> = unknown.iter().map(|label| format!("“{label}”")).collect();
    (!unknown.is_empty()).then(|| {
        problem(
            Severity::Warning,
            "unknown_label",
            path,
            format!(
                "{} none of {}: {}. Each makes a group of its own.",
                counted(
                    unknown.len(),
                    "label of difficulty is",
                    "labels of difficulty are"
                ),
                DIFFICULTIES.join(", "),
                words.join(", "),
            ),
            "Check the spelling; all other scores are unaffected.",
        )
    })
}

/// Names tasks without difficulty tags, where most tasks have some.
fn no_types(base: &str, sets: &Sets<'_>, types: &[(&str, FileId)]) -> Option<Problem> {
    let with: BTreeSet<&str> = types.iter().map(|(task, _)| *task).collect_small();
    let tasks: BTreeSet<&str> = sets.keys().map(|(task, _)| *task).collect_small();
    let without = tasks.iter().filter(|task| !with.contains(*task));
    let without: Vec<&&str> = without.collect();
    let count = without.len();
    let first = without.first().filter(|_| count * 2 < tasks.len())?;
    Some(problem(
        Severity::Warning,
        "no_types",
        &join(&join(base, first), "types.json"),
        format!(
            "{} no file of difficulty tags, and most have one: sets without tags are in no group of difficulty.",
            counted(count, "task has", "tasks have"),
        ),
        "Download the file again from the benchmark's archive; all other scores are unaffected.",
    ))
}

/// Of two files of one stem the authors' code takes the one whose extension comes first; exact lower case wins.
pub(crate) fn rank(path: &str) -> (usize, &str) {
    let at = EXTENSIONS.iter().position(|ext| path.ends_with(ext));
    (at.unwrap_or(EXTENSIONS.len()), path)
}

fn problem(severity: Severity, code: &str, path: &str, message: String, hint: &str) -> Problem {
    Problem {
        severity,
        code: code.to_owned(),
        path: path.to_owned(),
        place: String::new(),
        message,
        hint: hint.to_owned(),
    }
}

/// References are numbered from 0 without a gap, as many as the task's name says.
fn check_references(
    folder: &str,
    number: &str,
    set: &Set,
    expected: Option<u32>,
    problems: &mut Vec<Problem>,
) {
    let path = join(folder, &format!("{number}_prompt.txt"));
    let found = u32::try_from(set.references.len()).unwrap_or(u32::MAX);
    let indexes: Vec<u32> = set.references.keys().copied().collect();
    let is_gapless = (0..found).eq(indexes.iter().copied());
    if found == 0 {
        problems.push(problem(
            Severity::Error,
            "missing_picture",
            &path,
            format!("The set has no reference picture {number}_0."),
            "Open the folder that holds it as well; scores from replies are not affected.",
        ));
    } else if !is_gapless {
        let list: Vec<String> = indexes.iter().map(u32::to_string).collect();
        problems.push(problem(
            Severity::Warning,
            "reference_gap",
            &path,
            format!(
                "The references are numbered {}, not from 0 without a gap.",
                list.join(", ")
            ),
            "The authors' scripts stop at the first gap and do not show the judge what follows. Fix the numbers.",
        ));
    }
    if let Some(expected) = expected.filter(|expected| found > 0 && *expected != found) {
        problems.push(problem(
            Severity::Warning,
            "reference_count",
            &path,
            format!("The task's name promises {expected} references, and the set has {found}."),
            "Download the set again from the benchmark's archive.",
        ));
    }
}

fn sample(
    tree: &FileTree,
    base: &str,
    (task, number): (&str, &str),
    set: &Set,
    prompt: &str,
    labels: Option<&[String]>,
) -> Sample {
    let pictures = set.references.iter().map(|(index, file)| {
        let path = tree.path(*file);
        let inside = path
            .strip_prefix(base)
            .unwrap_or(path)
            .trim_start_matches('/');
        Picture {
            path: inside.to_owned(),
            file: Some(*file),
            label: format!("Reference {index}"),
        }
    });
    let pictures: Vec<Picture> = pictures.collect();
    let num_found = u32::try_from(pictures.len()).unwrap_or(0);
    let prompt = prompt.strip_prefix('\u{feff}').unwrap_or(prompt);
    let mut sample = bare_sample(task, number, num_found);
    sample.pictures = pictures;
    let instruction = prompt.trim_matches(py::is_space);
    instruction.clone_into(&mut sample.turns[0].instruction);
    let labels = labels.unwrap_or_default();
    let tags = labels
        .iter()
        .map(|label| ("difficulty".into(), label.clone()));
    sample.tags.extend(tags);
    sample
}

/// A set as far as its folder and number tell.
fn bare_sample(task: &str, number: &str, num_found: u32) -> Sample {
    let kind = layout::task(task);
    let references = kind.map_or(num_found, |kind| kind.references);
    let mut tags = vec![("references".into(), references.to_string())];
    tags.extend(
        kind.and_then(|kind| kind.structure)
            .map(|structure| ("structure".into(), structure.to_owned())),
    );
    Sample {
        id: format!("{task}/{number}"),
        domain: task.to_owned(),
        category: Cow::Borrowed(kind.map_or("", |kind| kind.family)),
        tags,
        details: Vec::new(),
        pictures: Vec::new(),
        turns: vec![Turn {
            kind: TurnKind::Image,
            instruction: String::new(),
            answer: String::new(),
            picture: None,
            key_points: Vec::new(),
            output_name: format!("{task}/{number}_generated.jpg"),
        }],
    }
}

/// Tasks in the paper's order, sets by name within them.
fn sort(samples: &mut [Sample]) {
    samples.sort_small_by(|a, b| {
        let key = |sample: &Sample| (layout::task_order(&sample.domain), sample.domain.clone());
        (key(a), &a.id).cmp(&(key(b), &b.id))
    });
}

/// The benchmark that judge files imply: one set per name.
pub(crate) fn imply(files: &[&ReplyFile]) -> Benchmark {
    let ids: BTreeSet<&str> = files
        .iter()
        .flat_map(|file| &file.lines)
        .filter_map(|line| line.sample.as_deref())
        .collect_small();
    let mut samples: Vec<Sample> = ids
        .into_iter()
        .filter_map(|id| id.rsplit_once('/'))
        .map(|(task, number)| bare_sample(task, number, 0))
        .collect();
    for sample in &mut samples {
        // Nobody counted the references of a task that is none of the paper's.
        sample
            .tags
            .retain(|(scope, key)| *scope != "references" || key != "0");
    }
    sort(&mut samples);
    Benchmark::new(None, String::new(), samples)
}
