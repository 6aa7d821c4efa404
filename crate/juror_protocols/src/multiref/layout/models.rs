//! Result lists and folders of pictures → models; an entry's `evaluations` → replies.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use crate::findings::{self, NotAsked};
use crate::multiref::layout;
use crate::multiref::layout::benchmark::{id, is_in_a_neighbours};
use crate::multiref::names::Half;
use crate::multiref::{
    EVALUATOR, REQUEST, WITHOUT_REFERENCE, condition, conditions, evaluator, verdict,
};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{LineProblem, ReplyFile, ReplyLine, StoredReply};
use juror_model::sample::Benchmark;
use juror_model::submission::Submission;
use juror_model::tree::{
    FileId, FileTree, UnreadFormat, base_name, has_ending, is_below, is_picture, join, loose_name,
    parent, unique_names, unread_format,
};
use juror_reading::keyed::Keyed;
use juror_reading::py::{self, Fault, Scanner, Value};
use juror_statistics::small::CollectSmall;

/// Extensions of pictures.
const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// The models: by result lists first, then by folders whose pictures are named after samples.
pub(crate) fn submissions(tree: &FileTree, benchmark: &Benchmark) -> Vec<Submission> {
    let mut models: BTreeMap<String, Submission> = BTreeMap::new();
    let lists = benchmark.result_lists.iter();
    for list in lists.filter(|list| tree.is_listed(list.file)) {
        let model = models
            .entry(list.model.clone())
            .or_insert_with(|| Submission {
                name: list.model.clone(),
                folder: parent(tree.path(list.file)).to_owned(),
                outputs: vec![None; benchmark.num_turns()],
                ..Submission::default()
            });
        model.reply_files.push(list.file);
        for (slot, output) in &list.outputs {
            let known = &mut model.outputs[*slot as usize];
            *known = known.or(output.filter(|file| tree.is_listed(*file)));
        }
    }
    for model in models.values_mut() {
        let files = model.outputs.iter().flatten();
        let folders: BTreeSet<&str> = files.map(|file| parent(tree.path(*file))).collect_small();
        let folder = folders.into_iter().next().unwrap_or(&model.folder);
        model.output_folder = folder.to_owned();
    }
    let folders = folders(tree, benchmark, &models);
    let owners = list_owners(tree, benchmark, &models);
    let listed = models.values().map(|model| model.folder.as_str());
    let homes = homes(&benchmark.folder, listed, folders.keys());
    let names = unique_names(homes.iter().copied());
    let homes: Vec<String> = homes.into_iter().map(str::to_owned).collect();
    for (((folder, outputs), name), home) in folders.into_iter().zip(names).zip(homes) {
        let owner = owners.of(&folder);
        let is_of_list = owner.is_some();
        let name = owner.map_or(name, str::to_owned);
        let is_anothers = models.get(&name).is_some_and(|known| {
            let is_named_so = base_name(&known.folder).eq_ignore_ascii_case(&name);
            is_named_so && is_in_a_neighbours(&home, &known.folder)
        });
        let name = if is_anothers { last_two(&home) } else { name };
        let model = models.entry(name.clone()).or_insert_with(|| Submission {
            name,
            folder: home,
            outputs: vec![None; benchmark.num_turns()],
            ..Submission::default()
        });
        if !is_of_list || model.outputs.iter().all(Option::is_none) {
            model.output_folder.clone_from(&folder);
        }
        for (slot, file) in outputs {
            let known = &mut model.outputs[slot as usize];
            match *known {
                Some(other) if other != file => {
                    model.known_files.push(file);
                    model.problems.push(Problem {
                        severity: Severity::Warning,
                        code: "duplicate_output".to_owned(),
                        path: tree.path(file).to_owned(),
                        place: String::new(),
                        message: format!(
                            "Two files are meant for the same output; {} is used.",
                            tree.path(other)
                        ),
                        hint: "Remove one of the two.".to_owned(),
                    });
                }
                _ => *known = Some(file),
            }
        }
    }
    add_extra(tree, benchmark, &mut models);
    for (file, folder) in conditions::files(tree) {
        let is_own = |name: &&String| base_name(folder).eq_ignore_ascii_case(name);
        // What references were turned into is every model's; that one knows it is enough.
        let owner = models.keys().find(is_own).or(models.keys().next());
        if let Some(model) = owner.cloned().and_then(|name| models.get_mut(&name)) {
            model.known_files.push(file);
        }
    }
    models.into_values().collect()
}

/// A folder's name with that of the folder around it.
fn last_two(folder: &str) -> String {
    join(base_name(parent(folder)), base_name(folder))
}

/// The folders after which models are called, by those of their outputs: the one around a folder that is called after outputs in
/// general, where it has no other such folder, no model's list and is not around the benchmark.
fn homes<'a>(
    benchmark: &str,
    listed: impl Iterator<Item = &'a str>,
    folders: impl Iterator<Item = &'a String>,
) -> Vec<&'a str> {
    let folders: Vec<&str> = folders.map(String::as_str).collect();
    let all: Vec<&str> = folders.iter().copied().chain(listed).collect();
    let home = |folder: &'a str| {
        let above = parent(folder);
        let is_general = OF_OUTPUTS.contains(&base_name(folder).to_lowercase().as_str());
        let is_around = above == benchmark || is_below(benchmark, above);
        let is_shared = || {
            let mut others = all.iter().filter(|other| **other != folder);
            others.any(|other| *other == above || is_below(other, above))
        };
        if is_general && !above.is_empty() && !is_around && !is_shared() {
            above
        } else {
            folder
        }
    };
    folders.iter().map(|folder| home(folder)).collect()
}

/// What folders of outputs are called, whosever they are.
pub(super) const OF_OUTPUTS: [&str; 14] = [
    "images",
    "imgs",
    "image",
    "img",
    "pictures",
    "outputs",
    "output",
    "results",
    "generated",
    "generations",
    "synthetic",
    "real-world",
    "real_world",
    "realworld",
];

/// The models of lists, by the folders whose pictures are theirs as well where a list leaves them out.
struct ListOwners(BTreeMap<String, Option<String>>);

/// The folders of the models' lists and of their outputs; one that several models share, and one around the benchmark, is
/// nobody's.
fn list_owners(
    tree: &FileTree,
    benchmark: &Benchmark,
    models: &BTreeMap<String, Submission>,
) -> ListOwners {
    let mut owners: BTreeMap<String, Option<String>> = BTreeMap::new();
    for model in models.values() {
        let lists = model
            .reply_files
            .iter()
            .map(|file| parent(tree.path(*file)));
        for folder in lists.chain([model.output_folder.as_str()]) {
            let is_around = folder == benchmark.folder || is_below(&benchmark.folder, folder);
            let owner = Some(model.name.clone()).filter(|_| !is_around);
            let known = owners
                .entry(folder.to_owned())
                .or_insert_with(|| owner.clone());
            if *known != owner {
                *known = None;
            }
        }
    }
    ListOwners(owners)
}

impl ListOwners {
    /// Whose a folder of pictures is: the nearest one's around it, past folders that are called after outputs in general.
    fn of(&self, folder: &str) -> Option<&str> {
        let mut at = folder;
        while !at.is_empty() {
            if let Some(owner) = self.0.get(at) {
                return owner.as_deref();
            }
            let name = base_name(at).to_lowercase();
            if !OF_OUTPUTS.contains(&name.as_str()) {
                return None;
            }
            at = parent(at);
        }
        None
    }
}

/// Pictures in a model's own folder that are no output under the names that they have.
fn add_extra(tree: &FileTree, benchmark: &Benchmark, models: &mut BTreeMap<String, Submission>) {
    let pictures = benchmark.samples.iter().flat_map(|sample| &sample.pictures);
    let given: BTreeSet<FileId> = pictures.filter_map(|picture| picture.file).collect_small();
    let names = benchmark.turns().map(|(.., turn)| &turn.output_name);
    let names: BTreeSet<String> = names.map(|name| loose_name(name)).collect_small();
    for (name, model) in models {
        // Lists of several models in one folder leave open whose its pictures are.
        if !base_name(&model.folder).eq_ignore_ascii_case(name) {
            continue;
        }
        let known: BTreeSet<FileId> = (model.outputs.iter().flatten())
            .chain(&model.known_files)
            .copied()
            .collect_small();
        let extra = tree.files().filter(|(file, entry)| {
            is_below(&entry.path, &model.folder)
                && may_be_output(&entry.path, &names)
                && !conditions::is_condition_folder(parent(&entry.path))
                && !given.contains(file)
                && !known.contains(file)
        });
        model.extra_files = extra.map(|(file, _)| file).collect();
        let has_output = model.outputs.iter().any(Option::is_some);
        if let Some(first) = model.extra_files.first().filter(|_| !has_output) {
            parent(tree.path(*first)).clone_into(&mut model.output_folder);
        }
    }
}

/// Whether a file may be a picture: of any format, or an output's name without its ending.
fn may_be_output(path: &str, names: &BTreeSet<String>) -> bool {
    is_picture(path)
        || unread_format(path) == Some(UnreadFormat::Picture)
        || !has_ending(path) && names.contains(&loose_name(path))
}

/// Folders outside the benchmark's own whose pictures are named `<id>.png`, perhaps in `synthetic/` and `real-world/`.
fn folders(
    tree: &FileTree,
    benchmark: &Benchmark,
    models: &BTreeMap<String, Submission>,
) -> BTreeMap<String, Vec<(u32, FileId)>> {
    let mut claimed: BTreeSet<FileId> = BTreeSet::new();
    let mut closed: BTreeSet<&str> = BTreeSet::new();
    for sample in &benchmark.samples {
        for file in sample.pictures.iter().filter_map(|picture| picture.file) {
            claimed.insert(file);
            closed.insert(parent(tree.path(file)));
        }
    }
    claimed.extend(
        models
            .values()
            .flat_map(|model| model.outputs.iter().flatten()),
    );
    let mut slots: HashMap<String, Vec<(&str, u32)>> = HashMap::new();
    for (slot, sample, _, _) in benchmark.turns() {
        let sample = &benchmark.samples[sample as usize];
        if let Some((half, stem)) = sample.id.split_once('/') {
            let known = slots.entry(stem.to_lowercase()).or_default();
            known.push((half, slot));
        }
    }
    let mut found: BTreeMap<String, Vec<(u32, FileId)>> = BTreeMap::new();
    for (file, entry) in tree.files() {
        let name = base_name(&entry.path);
        let Some((stem, extension)) = name.rsplit_once('.') else {
            continue;
        };
        let folder = parent(&entry.path);
        let is_picture = PICTURES.contains(&extension.to_lowercase().as_str());
        let mut above = std::iter::successors(Some(folder), |folder| {
            Some(parent(folder)).filter(|folder| !folder.is_empty())
        });
        let is_own = above.any(|folder| closed.contains(folder));
        let is_made = conditions::is_condition_folder(folder);
        if !is_picture || is_own || is_made || claimed.contains(&file) || folder.is_empty() {
            continue;
        }
        let half = match base_name(folder).to_lowercase().as_str() {
            "synthetic" => Some(Half::Synthetic),
            "real-world" | "real_world" | "realworld" | "real" => Some(Half::RealWorld),
            _ => None,
        };
        let model = if half.is_some() {
            parent(folder)
        } else {
            folder
        };
        let known = slots
            .get(&stem.to_lowercase())
            .map_or(&[][..], Vec::as_slice);
        let mut fitting = known
            .iter()
            .filter(|(own, _)| half.is_none_or(|half| half.id() == *own));
        // A name that both halves have says nothing without the half.
        if let (Some((_, slot)), None) = (fitting.next(), fitting.next()) {
            let outputs = found.entry(model.to_owned()).or_default();
            outputs.push((*slot, file));
        }
    }
    found
}

/// The metrics of every entry, each with the place in the text that tells about it.
pub(crate) fn read_replies(text: String) -> ReplyFile {
    let mut criteria = vec![REQUEST.to_owned()];
    criteria.extend(evaluator::ORDER.map(str::to_owned));
    let mut file = ReplyFile {
        criteria,
        domains: vec!["unknown".to_owned()],
        judge: EVALUATOR.to_owned(),
        ..ReplyFile::default()
    };
    match scan(&text) {
        Ok(scanned) => {
            let mut seen = HashMap::new();
            let mut not_asked = NotAsked::default();
            for (position, item) in (1..).zip(scanned) {
                for key in not_asked_keys(&text, &item) {
                    not_asked.note(item.line, || format!("\"{}\"", py::shorten(key, 60)));
                }
                let first = file.replies.len();
                push(&mut file, &text, position, &item, &mut seen);
                tell_repeated(&mut file, first, &item);
            }
            let expected = format!("\"evaluations\" with {}", evaluator::ORDER.join(", "));
            let hint =
                "Correct the key, or run the evaluation again: such a number counts nowhere.";
            if let Some(problem) = not_asked.problem(&expected, hint) {
                file.problems.push(problem);
            }
        }
        Err(fault) => {
            let error = fault.locate(&text);
            file.problems.push(LineProblem {
                line: u32::try_from(error.line).unwrap_or(u32::MAX),
                code: "bad_json",
                message: format!("This is not JSON: {} at column {}.", error.message, error.column),
                hint: "Nothing of the file counts. Fix it, or run the evaluation again; it resumes.",
            });
        }
    }
    file.text = text;
    file
}

/// An item of a list with the places of its evaluations.
struct Scanned {
    line: u32,
    item: Value,
    evaluations: Vec<(String, Range<usize>)>,
    /// Keys with two values that differ, and where the last one is.
    repeated: Vec<(String, Range<usize>)>,
}

/// Keys of an entry that hold a number under a name much like a metric's, or numbers under one like `evaluations`.
fn not_asked_keys<'a>(text: &str, scanned: &'a Scanned) -> Vec<&'a str> {
    let is_number = |place: &Range<usize>| {
        let value = py::loads(&text[place.clone()]);
        value.is_ok_and(|value| value.as_number().is_some())
    };
    // The evaluator writes other numbers too, such as its time.
    let is_like_a_metric = |key: &str| {
        let key = findings::folded(key);
        let mut metrics = evaluator::ORDER.iter().map(|id| findings::folded(id));
        key.len() > 2 && metrics.any(|id| key.starts_with(&id) || id.starts_with(&key))
    };
    let is_misspelt = |key: &str| {
        !evaluator::ORDER.contains(&key) && !key.ends_with("_error") && is_like_a_metric(key)
    };
    let of_metrics = scanned.evaluations.iter();
    let of_metrics = of_metrics.filter(|(key, place)| is_misspelt(key) && is_number(place));
    let keys = of_metrics.map(|(key, _)| key.as_str());
    let Value::Dict(entries) = &scanned.item else {
        return keys.collect();
    };
    let misspelt = entries.iter().filter(|(key, value)| {
        key != "evaluations"
            && findings::folded(key).trim_end_matches('s') == "evaluation"
            && matches!(value, Value::Dict(_))
    });
    keys.chain(misspelt.map(|(key, _)| key.as_str())).collect()
}

/// Takes the replies of an entry whose keys have two values from the paper's reading, and names the keys.
fn tell_repeated(file: &mut ReplyFile, first: usize, scanned: &Scanned) {
    let count = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    for (key, place) in &scanned.repeated {
        let replies = file.replies.iter().enumerate().skip(first);
        let touched = replies.filter(|(_, reply)| place.contains(&(reply.raw.start as usize)));
        let touched: Vec<u32> = touched.map(|(at, _)| count(at)).collect();
        file.repeat(touched, key);
        file.tell_repeated(scanned.line, key);
    }
}

/// Walks over a list as [`layout::items`] does and keeps places.
fn scan(text: &str) -> Result<Vec<Scanned>, Fault> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut scanner = Scanner::new(text);
    scanner.at = start;
    scanner.space();
    let mut found = Vec::new();
    let mut lines = Lines::default();
    if scanner.peek() == Some(b'[') {
        scanner.at += 1;
        scanner.items(|scanner| {
            found.push(item(text, &mut lines, scanner)?);
            Ok(())
        })?;
        scanner.end()?;
        return Ok(found);
    }
    let whole = item(text, &mut Lines::default(), &mut scanner.clone())?;
    if layout::half(&whole.item).is_some() {
        return Ok(vec![whole]);
    }
    if scanner.peek() == Some(b'{') {
        scanner.at += 1;
        let mut first = true;
        while scanner.key(&mut first)?.is_some() {
            if scanner.peek() == Some(b'[') {
                scanner.at += 1;
                scanner.items(|scanner| {
                    found.push(item(text, &mut lines, scanner)?);
                    Ok(())
                })?;
            } else {
                scanner.skip(1)?;
            }
        }
    }
    Ok(found)
}

/// Lines counted so far, so that none is counted twice.
#[derive(Default)]
struct Lines {
    seen: usize,
    ends: usize,
}

impl Lines {
    /// The line of a byte behind all that were asked for, from 1.
    fn line_at(&mut self, text: &str, at: usize) -> u32 {
        let between = text.as_bytes().get(self.seen..at).unwrap_or_default();
        self.ends += memchr::memchr_iter(b'\n', between).count();
        self.seen = at;
        u32::try_from(self.ends + 1).unwrap_or(u32::MAX)
    }
}

fn item(text: &str, lines: &mut Lines, scanner: &mut Scanner<'_>) -> Result<Scanned, Fault> {
    let line = lines.line_at(text, scanner.at);
    let mut scanned = Scanned {
        line,
        item: Value::Null,
        evaluations: Vec::new(),
        repeated: Vec::new(),
    };
    if scanner.peek() != Some(b'{') {
        scanned.item = scanner.value(1)?;
        return Ok(scanned);
    }
    let begin = scanner.at;
    scanner.at += 1;
    let mut entries: Vec<(String, Value)> = Vec::new();
    let mut index = Keyed::default();
    let mut first = true;
    let mut evaluations: Option<&str> = None;
    // What else has two values may say which sample this is, so all that is told of it is in doubt.
    let mut others = Vec::new();
    while let Some(key) = scanner.key(&mut first)? {
        let key = key.decode();
        let start = scanner.at;
        let value = if key == "evaluations" && scanner.peek() == Some(b'{') {
            scanned.evaluations = places(text, scanner, &mut scanned.repeated)?;
            let value = scanner.since(start);
            if evaluations.is_some_and(|known| known != value) {
                scanned.repeated.push((key.clone(), start..scanner.at));
            }
            evaluations = Some(value);
            Value::Dict(Vec::new())
        } else {
            scanner.take_repeated();
            let value = scanner.value(2)?;
            others.extend(scanner.take_repeated());
            value
        };
        let known = index.find(&key, &entries, |(known, _)| known);
        if known.is_some_and(|at| entries[at].1 != value) {
            others.push(key.clone());
        }
        index.put(&mut entries, key, value);
    }
    let all = others.into_iter().map(|key| (key, begin..scanner.at));
    scanned.repeated.extend(all);
    scanned.item = Value::Dict(entries);
    Ok(scanned)
}

/// Key and place of every value of an object, and those that have two which differ; the scanner is on its brace.
fn places(
    text: &str,
    scanner: &mut Scanner<'_>,
    repeated: &mut Vec<(String, Range<usize>)>,
) -> Result<Vec<(String, Range<usize>)>, Fault> {
    scanner.at += 1;
    let mut places: Vec<(String, Range<usize>)> = Vec::new();
    let mut index = Keyed::default();
    let mut first = true;
    while let Some(key) = scanner.key(&mut first)? {
        let key = key.decode();
        let start = scanner.at;
        scanner.skip(3)?;
        let place = start..scanner.at;
        let known = index.find(&key, &places, |(known, _)| known);
        let known = known.map(|at| places[at].1.clone());
        if known.is_some_and(|known| text[known] != text[place.clone()]) {
            repeated.push((key.clone(), place.clone()));
        }
        index.put(&mut places, key, place);
    }
    Ok(places)
}

/// The replies of one entry: what is listed, and what was computed without being listed.
fn push(
    file: &mut ReplyFile,
    text: &str,
    position: usize,
    scanned: &Scanned,
    seen: &mut HashMap<String, u32>,
) {
    let Ok(entry) = layout::entry(&scanned.item, position) else {
        return;
    };
    let sample = id(&entry, seen);
    if scanned.evaluations.is_empty() {
        return;
    }
    let line = u32::try_from(file.lines.len()).unwrap_or(u32::MAX);
    file.lines.push(ReplyLine {
        number: scanned.line,
        sample: Some(sample),
        domain: 0,
    });
    let keys: Vec<&str> = scanned
        .evaluations
        .iter()
        .map(|(key, _)| key.as_str())
        .collect();
    for (criterion, metric) in (1_u16..).zip(evaluator::ORDER) {
        let is_asked = WITHOUT_REFERENCE.contains(&metric)
            || entry.conditions.iter().any(|id| id == metric)
            || condition(metric).is_some() && keys.contains(&metric);
        let Some(key) = verdict::key_of(&keys, metric).filter(|_| is_asked) else {
            continue;
        };
        let place = scanned.evaluations.iter().find(|(known, _)| known == key);
        let Some((_, range)) = place else { continue };
        let verdict = verdict::verdict_of(metric, &text[range.clone()]);
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        file.replies.push(StoredReply {
            line,
            turn: Some(0).into(),
            criterion,
            raw: offset(range.start)..offset(range.end),
            readings: verdict.readings(),
        });
        file.verdicts.push(verdict);
    }
}
