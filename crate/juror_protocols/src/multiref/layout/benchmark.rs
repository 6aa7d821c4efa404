//! JSON lists and pictures → samples of both halves, and what the lists say of models' outputs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::multiref::layout::models::OF_OUTPUTS;
use crate::multiref::layout::{self, Entry};
use crate::multiref::names::{CAPTION, Half, stem};
use crate::multiref::{CONDITIONS, condition};
use juror_model::problem::{Problem, Severity};
use juror_model::sample::{
    Benchmark, Candidate, Picture, ResultList, Sample, Texts, Turn, TurnKind,
};
use juror_model::tree::{
    FileId, FileTree, base_name, folders_of, is_below, is_deeper, is_picture, join, parent,
    unique_names,
};
use juror_reading::count::counted;
use juror_reading::py::Value;
use juror_statistics::small::{CollectSmall, SortSmall};

/// The largest file that is tried as a list.
const MAX_LIST_BYTES: u64 = 256 << 20;
/// With more JSON files than this and no known name among them, they are somebody else's verdicts.
const MAX_UNNAMED: usize = 200;
/// JSON files that hold no entries of the benchmark: those of the authors' repository, and what RefBlend holds out of it.
const NO_LISTS: [&str; 7] = [
    "condition_mapping.json",
    "config.json",
    "dataset_info.json",
    "package.json",
    "package-lock.json",
    "persona.json",
    "train.json",
];

/// The names that the authors' releases use, for both halves together or for each.
fn is_known(name: &str) -> bool {
    let name = name.to_lowercase();
    name == "combined1990.json"
        || name.starts_with("benchmark990")
        || name.starts_with("final_1000_prompts")
}

/// Whether a list of either half begins so: an entry names its references and what is asked of them.
pub(crate) fn is_begun_by(head: &str) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| head.contains(&format!("\"{key}\"")));
    let is_json = head.trim_start().starts_with(['[', '{']);
    is_json
        && (has(&["original_image_path", "instructions", "conditions"])
            || has(&["prompt", "image_path_mapping"]))
}

/// All JSON files together: which of them are lists, and which are results, only their content tells.
pub(crate) fn candidates(tree: &FileTree) -> Vec<Candidate> {
    let mut files: Vec<(bool, usize, &str, FileId)> = tree
        .files()
        .filter(|(_, entry)| entry.is_at_most(MAX_LIST_BYTES))
        .filter_map(|(file, entry)| {
            let name = base_name(&entry.path);
            let is_json = name.len() > 5 && name.to_lowercase().ends_with(".json");
            let is_list = is_json && !NO_LISTS.contains(&name) && !name.starts_with('.');
            let depth = entry.path.matches('/').count();
            is_list.then_some((!is_known(name), depth, entry.path.as_str(), file))
        })
        .collect();
    files.sort_small();
    let Some((is_unknown, _, _, list)) = files.first().copied() else {
        return Vec::new();
    };
    if is_unknown && files.len() > MAX_UNNAMED {
        return Vec::new();
    }
    vec![Candidate {
        list,
        files: files.into_iter().map(|(_, _, _, file)| file).collect(),
        rank: if is_unknown { 3 } else { 0 },
    }]
}

/// Entries of one file with the ids that their samples have; entries that cannot be read with place and message.
pub(crate) struct List {
    pub(crate) entries: Vec<(String, Entry)>,
    pub(crate) bad: Vec<(String, String)>,
}

/// Reads a list's items. Of several entries of one id the second is `…#2`, in every file alike.
pub(crate) fn list(items: &[Value]) -> List {
    let mut list = List {
        entries: Vec::new(),
        bad: Vec::new(),
    };
    let mut seen: HashMap<String, u32> = HashMap::new();
    for (position, item) in (1..).zip(items) {
        match layout::entry(item, position) {
            Ok(entry) => {
                let id = id(&entry, &mut seen);
                list.entries.push((id, entry));
            }
            Err((place, message)) => {
                let separator = if place.is_empty() { "" } else { ", " };
                list.bad
                    .push((format!("entry {position}{separator}{place}"), message));
            }
        }
    }
    list
}

/// `synthetic/00012`, `real-world/247`.
pub(crate) fn id(entry: &Entry, seen: &mut HashMap<String, u32>) -> String {
    let id = format!("{}/{}", entry.half.id(), entry.id);
    let count = seen.entry(id.clone()).or_default();
    *count += 1;
    if *count == 1 {
        id
    } else {
        format!("{id}#{count}")
    }
}

/// Reads the lists; samples come from the known names, or from every list where there is none.
pub(crate) fn load(
    tree: &FileTree,
    candidate: &Candidate,
    texts: &Texts,
) -> Result<Benchmark, Box<Problem>> {
    let finder = Finder::new(tree);
    let (lists, refused) = lists(tree, candidate, texts);
    let is_named = |file: FileId| is_known(base_name(tree.path(file)));
    let has_named = lists.iter().any(|(file, _)| is_named(*file));
    let (mut problems, refused): (Vec<Problem>, Vec<Problem>) = refused
        .into_iter()
        .partition(|problem| is_known(base_name(&problem.path)));
    let mut samples: Vec<Sample> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut known_bad: BTreeSet<&(String, String)> = BTreeSet::new();
    let mut num_unreadable = 0;
    let mut sources: Vec<FileId> = Vec::new();
    for (file, list) in &lists {
        let path = tree.path(*file);
        if has_named && !is_named(*file) {
            continue;
        }
        sources.push(*file);
        // A list of results repeats the benchmark's entries, and what is wrong with them.
        let is_new = |(id, _): &&(String, Entry)| !known.contains(id);
        let num_new = list.entries.iter().filter(is_new).count();
        let is_new = num_new * 2 > list.entries.len() || samples.is_empty();
        if is_new {
            num_unreadable += u32::try_from(list.bad.len()).unwrap_or(u32::MAX);
        }
        for bad in &list.bad {
            let is_repeated = !known_bad.insert(bad) && !is_new;
            if is_repeated {
                continue;
            }
            let (place, message) = bad;
            problems.push(Problem::new(
                path,
                ("bad_item", Severity::Error),
                place.clone(),
                message.clone(),
                "This entry is left out; the rest was loaded.",
            ));
        }
        for (id, entry) in &list.entries {
            if known.insert(id.clone()) {
                let sample = sample(&finder, path, id, entry);
                check(path, &sample, entry, &mut problems);
                samples.push(sample);
            }
        }
    }
    let Some(first) = sources.first() else {
        let first = problems.into_iter().chain(refused).next();
        return Err(Box::new(first.unwrap_or_else(|| {
            not_entries(tree.path(candidate.list), String::new())
        })));
    };
    let folder = parent(tree.path(*first)).to_owned();
    let mut benchmark = Benchmark::new(Some(*first), folder, samples);
    benchmark.num_unreadable = num_unreadable;
    let (results, of_names) = results(&finder, &benchmark, &lists);
    problems.extend(of_names);
    benchmark.problems = problems;
    benchmark.result_lists = results;
    let results = benchmark.result_lists.iter().map(|list| list.file);
    let mut results: BTreeSet<FileId> = results.collect();
    // The benchmark's own list says nothing of outputs: results may be of a part of it.
    benchmark.is_of_results = !has_named && sources.iter().all(|file| results.contains(file));
    for file in &sources {
        results.remove(file);
    }
    let files = lists.iter().map(|(file, _)| *file);
    benchmark.files = files.filter(|file| !results.contains(file)).collect();
    Ok(benchmark)
}

/// The files that are lists of entries, and why the others are none.
fn lists(
    tree: &FileTree,
    candidate: &Candidate,
    texts: &Texts,
) -> (Vec<(FileId, List)>, Vec<Problem>) {
    let mut lists = Vec::new();
    let mut refused = Vec::new();
    let readable = candidate
        .files
        .iter()
        .filter_map(|file| Some((*file, texts.get(file)?)));
    for (file, text) in readable {
        let path = tree.path(file);
        match layout::items(text).map(|items| list(&items)) {
            Ok(list) if !list.entries.is_empty() => lists.push((file, list)),
            Ok(_) => refused.push(not_entries(path, String::new())),
            Err((place, message)) => refused.push(Problem::new(
                path,
                ("bad_json", Severity::Error),
                place,
                message,
                "Fix the file here, or download it again from the benchmark's archive.",
            )),
        }
    }
    (lists, refused)
}

fn not_entries(path: &str, place: String) -> Problem {
    Problem::new(
        path,
        ("not_a_list", Severity::Error),
        place,
        "No item is an entry of MultiRef-Bench.".to_owned(),
        "An entry has original_image_path and instructions, or prompt and image_path_mapping.",
    )
}

/// Findings about a sample that can be used all the same.
fn check(path: &str, sample: &Sample, entry: &Entry, problems: &mut Vec<Problem>) {
    let missing = sample
        .pictures
        .iter()
        .filter(|picture| picture.file.is_none());
    problems.extend(missing.map(|picture| {
        Problem::new(
            path,
            ("missing_picture", Severity::Error),
            format!("{}, {}", sample.id, picture.label),
            format!("The picture {} is not among the files.", picture.path),
            "Open the folder that holds it as well; scores from replies are not affected.",
        )
    }));
    for id in entry.conditions.iter().filter(|id| condition(id).is_none()) {
        problems.push(Problem::new(
            path,
            ("unknown_condition", Severity::Warning),
            sample.id.clone(),
            format!("{id} is none of the ten kinds of reference."),
            "The authors' evaluator skips it silently.",
        ));
    }
    if entry.half == Half::RealWorld && entry.category.is_none() {
        problems.push(Problem::new(
            path,
            ("no_category", Severity::Warning),
            sample.id.clone(),
            "The request has none of the paper's five categories.".to_owned(),
            "It counts in no category, so not in the real-world mean.",
        ));
    }
}

fn sample(finder: &Finder<'_>, list: &str, id: &str, entry: &Entry) -> Sample {
    let folder = parent(list);
    let mut pictures: Vec<Picture> = entry
        .pictures
        .iter()
        .map(|(name, path)| Picture {
            path: path.clone(),
            file: finder.find(folder, path),
            label: format!("<{name}>"),
        })
        .collect();
    let mut golden = None;
    if let Some(path) = &entry.original {
        pictures.push(Picture {
            path: path.clone(),
            file: finder.find(folder, path),
            label: "Golden answer".to_owned(),
        });
        golden = u32::try_from(pictures.len()).ok();
    }
    // The page puts the benchmark's folder before a path; a found picture is named as it lies there.
    for picture in &mut pictures {
        let found = picture.file.map(|file| finder.tree.path(file));
        let inside = found.and_then(|path| {
            if folder.is_empty() {
                Some(path)
            } else {
                path.strip_prefix(folder)?.strip_prefix('/')
            }
        });
        if let Some(inside) = inside {
            inside.clone_into(&mut picture.path);
        }
    }
    let details = [
        ("Plain wording", &entry.original_instruction),
        (CAPTION, &entry.caption),
    ];
    Sample {
        id: id.to_owned(),
        domain: match entry.half {
            Half::Synthetic => combination(&entry.conditions),
            Half::RealWorld => entry.category.unwrap_or("no category").to_owned(),
        },
        category: Cow::Borrowed(entry.half.id()),
        tags: tags(entry),
        details: details
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(label, text)| (label.to_owned(), text.clone()))
            .collect(),
        pictures,
        turns: vec![Turn {
            kind: TurnKind::Image,
            instruction: entry.instruction.clone(),
            answer: String::new(),
            picture: golden,
            key_points: Vec::new(),
            output_name: format!("{id}.png"),
        }],
    }
}

/// Every known condition once, and how many references there are: conditions of a synthetic sample, the caption among them, and
/// input pictures of a real-world request.
fn tags(entry: &Entry) -> Vec<(Cow<'static, str>, String)> {
    let mut conditions: Vec<&String> = Vec::new();
    for id in entry.conditions.iter().filter(|id| condition(id).is_some()) {
        if !conditions.contains(&id) {
            conditions.push(id);
        }
    }
    let num_references = match entry.half {
        Half::Synthetic => conditions.len(),
        Half::RealWorld => entry.pictures.len(),
    };
    let conditions = conditions.into_iter();
    let mut tags: Vec<(Cow<'static, str>, String)> = conditions
        .map(|id| ("condition".into(), id.clone()))
        .collect();
    if num_references > 0 {
        tags.push(("references".into(), num_references.to_string()));
    }
    tags
}

/// The kinds of reference in the paper's order: `bbox+caption`.
fn combination(conditions: &[String]) -> String {
    let known = CONDITIONS.iter().map(|condition| condition.id);
    let listed: Vec<&str> = known
        .filter(|id| conditions.iter().any(|own| own == id))
        .collect();
    if listed.is_empty() {
        return "no known condition".to_owned();
    }
    listed.join("+")
}

/// The lists that name outputs, each with its model, and findings about the models' names.
fn results(
    finder: &Finder<'_>,
    benchmark: &Benchmark,
    lists: &[(FileId, List)],
) -> (Vec<ResultList>, Vec<Problem>) {
    let mut own: BTreeSet<FileId> = BTreeSet::new();
    for sample in &benchmark.samples {
        own.extend(sample.pictures.iter().filter_map(|picture| picture.file));
    }
    let names_output = |entry: &Entry| entry.output.is_some() || entry.evaluations.is_some();
    let output_lists: Vec<OutputList<'_>> = lists
        .iter()
        .filter(|(_, list)| list.entries.iter().any(|(_, entry)| names_output(entry)))
        .map(|(file, list)| OutputList::of(finder.tree.path(*file), *file, list))
        .collect();
    let folders = WithPictures::of(finder.tree);
    let mut problems = Vec::new();
    let mut found = Vec::new();
    let models: Vec<String> = output_lists
        .iter()
        .map(|one| one.model(&output_lists, &folders))
        .collect();
    let models = kept_apart(&output_lists, models);
    for (one, model) in output_lists.iter().zip(models) {
        problems.extend(one.other_names(&model));
        let outputs = one.list.entries.iter().filter_map(|(id, entry)| {
            let sample = benchmark.index_of(id)?;
            let slot = benchmark.turn_slot(sample, 0)?;
            let path = entry.output.as_ref()?;
            let folder = parent(one.path);
            let is_around = is_around(folder, &benchmark.folder);
            let beside = || finder.find_beside(folder, path).filter(|_| !is_around);
            let output = finder.find(folder, path).or_else(beside);
            Some((slot, output.filter(|output| !own.contains(output))))
        });
        found.push(ResultList {
            file: one.file,
            model,
            outputs: outputs.collect(),
            missing: Vec::new(),
        });
    }
    (found, problems)
}

/// The models of the lists, where one that is deeper in a neighbour's folder than a model's own is another model.
fn kept_apart(output_lists: &[OutputList<'_>], models: Vec<String>) -> Vec<String> {
    let mut homes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (one, model) in output_lists.iter().zip(&models) {
        let folder = parent(one.path);
        if base_name(folder).eq_ignore_ascii_case(model) {
            homes.entry(model).or_default().insert(folder);
        }
    }
    let names = |one: &OutputList<'_>, model: &String| {
        let folder = parent(one.path);
        let homes = homes.get(model.as_str())?;
        let is_in_a_neighbours = |home: &&str| is_in_a_neighbours(folder, home);
        if !homes.iter().any(is_in_a_neighbours) {
            return None;
        }
        let at = homes.iter().position(|home| *home == folder);
        let named = unique_names(homes.iter().copied());
        Some(at.map_or_else(|| base_name(folder).to_owned(), |at| named[at].clone()))
    };
    let apart: Vec<Option<String>> = (output_lists.iter().zip(&models))
        .map(|(one, model)| names(one, model))
        .collect();
    let named = apart.into_iter().zip(models);
    named.map(|(apart, model)| apart.unwrap_or(model)).collect()
}

/// The folders that have pictures in them or below them.
struct WithPictures<'a>(BTreeSet<&'a str>);

impl<'a> WithPictures<'a> {
    fn of(tree: &'a FileTree) -> Self {
        let paths = tree.files().map(|(_, entry)| entry.path.as_str());
        Self(folders_of(paths.filter(|path| is_picture(path))))
    }
}

/// Whether a folder is deeper inside the folder that a model's is directly in, and not in the model's own: what is there is not
/// that model's, whatever its name.
pub(super) fn is_in_a_neighbours(folder: &str, home: &str) -> bool {
    !is_around(home, folder) && is_deeper(folder, parent(home))
}

/// Whether a folder is the benchmark's or around it.
fn is_around(folder: &str, benchmark: &str) -> bool {
    folder == benchmark || is_below(benchmark, folder)
}

/// A list that names outputs, with the names of models in it.
struct OutputList<'a> {
    path: &'a str,
    file: FileId,
    list: &'a List,
    /// With how many entries have each, as they come.
    names: Vec<(&'a str, usize)>,
}

impl<'a> OutputList<'a> {
    fn of(path: &'a str, file: FileId, list: &'a List) -> Self {
        let mut names: Vec<(&str, usize)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let models = list.entries.iter();
        let models = models.filter_map(|(_, entry)| entry.model.as_deref());
        for model in models.filter(|name| !name.trim().is_empty()) {
            let place = *places.entry(model).or_insert(names.len());
            match names.get_mut(place) {
                Some((_, count)) => *count += 1,
                None => names.push((model, 1)),
            }
        }
        Self {
            path,
            file,
            list,
            names,
        }
    }

    /// The name that most entries have, of equally many the first; without one the file's.
    fn declared(&self) -> &'a str {
        let most = self.names.iter().rev().max_by_key(|(_, count)| *count);
        most.map_or_else(|| stem(self.path), |(name, _)| name)
    }

    /// The folder's name where an entry has it, or where the name that most have is that of another model's folder; else the
    /// name that most have.
    fn model(&self, all: &[Self], folders: &WithPictures<'_>) -> String {
        let folder = parent(self.path);
        let own = base_name(folder);
        let mut names = self.names.iter();
        if let Some((name, _)) = names.find(|(name, _)| name.eq_ignore_ascii_case(own)) {
            return (*name).to_owned();
        }
        let declared = self.declared();
        let is_theirs = |theirs: &str| {
            let is_elsewhere =
                theirs != folder && !is_below(theirs, folder) && !is_below(folder, theirs);
            is_elsewhere && base_name(theirs).eq_ignore_ascii_case(declared)
        };
        let has_same = |other: &Self| {
            let entries = || self.list.entries.iter().map(|(id, _)| id);
            let ids: BTreeSet<&String> = entries().collect_small();
            other.list.entries.iter().any(|(id, _)| ids.contains(id))
        };
        // Another list tells of the same outputs, or each folder has its own pictures.
        let is_taken = all
            .iter()
            .any(|one| is_theirs(parent(one.path)) && has_same(one))
            || folders.0.contains(folder) && folders.0.iter().any(|theirs| is_theirs(theirs));
        if is_taken { own } else { declared }.to_owned()
    }

    /// Names entries that call the model otherwise.
    fn other_names(&self, model: &str) -> Option<Problem> {
        let mut others = self.names.iter().filter(|(name, _)| *name != model);
        let (first, count) = others.next()?;
        let count = others.fold(*count, |sum, (_, count)| sum + count);
        Some(Problem::new(
            self.path,
            ("other_model_named", Severity::Warning),
            String::new(),
            format!(
                "{} another model (such as {first}) than {model}, for which the whole list counts.",
                counted(count, "entry names", "entries name"),
            ),
            "Correct model_name, or put the entries of the other model into a list of their own in its folder.",
        ))
    }
}

/// Finds the files that paths in a list mean: next to the list, from the top, or by the end of the path.
pub(crate) struct Finder<'a> {
    tree: &'a FileTree,
    by_name: HashMap<String, Vec<FileId>>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(tree: &'a FileTree) -> Self {
        let mut by_name: HashMap<String, Vec<FileId>> = HashMap::new();
        for (file, entry) in tree.files() {
            let name = base_name(&entry.path).to_lowercase();
            by_name.entry(name).or_default().push(file);
        }
        Self { tree, by_name }
    }

    /// The only file of this name in the list's folder, or in folders there that are called after outputs in general: a model's
    /// folder may have had another name where its list was made.
    fn find_beside(&self, folder: &str, path: &str) -> Option<FileId> {
        let path = path.replace('\\', "/").to_lowercase();
        let is_beside = |file: &&FileId| {
            let mut at = parent(self.tree.path(**file));
            while at != folder && OF_OUTPUTS.contains(&base_name(at).to_lowercase().as_str()) {
                at = parent(at);
            }
            at == folder
        };
        let candidates = self.by_name.get(base_name(&path))?;
        let mut found = candidates.iter().filter(is_beside);
        let file = found.next()?;
        found.next().is_none().then_some(*file)
    }

    /// The paths in results are those of the machine that made them, so the longest common end counts if it is the only one.
    ///
    /// The folder must agree as well as the name: every model's pictures have the same names.
    fn find(&self, folder: &str, path: &str) -> Option<FileId> {
        let path = path.replace('\\', "/");
        let exact = self.tree.find(&join(folder, &path));
        if let Some(file) = exact.or_else(|| self.tree.find(&path)) {
            return Some(file);
        }
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."))
            .collect();
        let common = |file: &FileId| {
            let theirs = self.tree.path(*file).rsplit('/');
            let pairs = parts.iter().rev().zip(theirs);
            pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
        };
        let candidates = self.by_name.get(&parts.last()?.to_lowercase())?;
        let best = candidates.iter().map(common).max()?;
        if best < parts.len().min(2) {
            return None;
        }
        let mut found = candidates.iter().filter(|file| common(file) == best);
        let file = found.next()?;
        found.next().is_none().then_some(*file)
    }
}
