//! Files → dialogues and outputs: `test.json` beside `imgs/`, `result/<model>/imgs/`, `metrics.jsonl`.

use crate::contract::{Layout, Loaded};
use crate::error::Error;
use juror_reading::text::Marks;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::weave::request::context::image_numbers;
use crate::weave::{CRITERIA, Weave, category_of};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::ReplyFile;
use juror_model::sample::{
    Benchmark, Candidate, Compare, KeyPoint, Picture, Sample, Texts, Turn, TurnKind,
};
use juror_model::submission::Submission;
use juror_model::tree::{
    FileId, FileTree, base_name, join, parent, told_apart, unique_names, without_end,
};
use juror_reading::py::{self, Value};
use juror_statistics::small::{CollectSmall, SortSmall};

mod findings;
pub mod metrics;
mod names;

/// A reply about a later turn does not make its dialogue that long: a wrong number must not fill the memory.
const MAX_IMPLIED_TURNS: u32 = 1000;

impl Layout for Weave {
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        load(tree, candidate, texts).map(Loaded::from)
    }

    /// The benchmark that replies imply: dialogues by `idx`, turns by what was rated.
    fn imply(&self, files: &[&ReplyFile]) -> Benchmark {
        let num_lines = files.iter().map(|file| file.lines.len()).sum();
        let mut dialogues: Vec<Implied<'_>> = Vec::with_capacity(num_lines);
        for file in files {
            let kinds: Vec<Option<TurnKind>> =
                file.criteria.iter().map(|name| kind_of(name)).collect();
            // The replies of a line follow one another.
            let mut last = None;
            for reply in &file.replies {
                let line = &file.lines[reply.line as usize];
                let turn = reply.turn.get().filter(|turn| *turn < MAX_IMPLIED_TURNS);
                let kind = kinds[usize::from(reply.criterion)];
                let (Some(id), Some(turn), Some(kind)) = (line.sample.as_deref(), turn, kind)
                else {
                    continue;
                };
                if last.replace(reply.line) != Some(reply.line) {
                    let domain = &file.domains[usize::from(line.domain)];
                    dialogues.push(Implied::new(id, domain));
                }
                if let Some(dialogue) = dialogues.last_mut() {
                    dialogue.rate(turn as usize, kind);
                }
            }
        }
        // Stable: of the lines about one dialogue the first stays the first, and names the domain.
        dialogues.sort_small_by(|a, b| a.order.cmp(&b.order));
        dialogues.dedup_by(|later, first| {
            let is_same = later.id == first.id;
            if is_same {
                first.absorb(later);
            }
            is_same
        });
        let samples = dialogues.into_iter().map(Implied::sample).collect();
        Benchmark::new(None, String::new(), samples)
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        submissions(tree, benchmark)
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        let judge = judge_of(path).unwrap_or_default();
        ReplyFile {
            judge: judge.to_owned(),
            ..metrics::read(text)
        }
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        metrics::mark(marks, replies);
    }

    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        findings::check(replies, positions, benchmark, path, problems);
    }
}

/// Reads a sample list: items that are wrong are listed, the rest loads.
///
/// The error is about the list as a whole: not JSON, not a list, or no item with `chats`.
pub fn load(
    tree: &FileTree,
    candidate: &Candidate,
    texts: &Texts,
) -> Result<Benchmark, Box<Problem>> {
    let list = candidate.list;
    let text = texts.get(&list).map_or("", String::as_str);
    let path = tree.path(list);
    let mut reader = Reader {
        tree,
        path,
        folder: parent(path).to_owned(),
        samples: Vec::new(),
        problems: Vec::new(),
        positions: HashMap::new(),
        num_items: 0,
        has_chats: false,
    };
    read_items(path, text, &mut reader)?;
    let num_unreadable = reader.num_items - reader.samples.len();
    let mut benchmark = Benchmark::new(Some(list), reader.folder, reader.samples);
    benchmark.num_unreadable = u32::try_from(num_unreadable).unwrap_or(u32::MAX);
    benchmark.problems = reader.problems;
    Ok(benchmark)
}

/// Makes dialogues of a list's items.
struct Reader<'a> {
    tree: &'a FileTree,
    path: &'a str,
    folder: String,
    samples: Vec<Sample>,
    problems: Vec<Problem>,
    /// By `idx`, from 1.
    positions: HashMap<String, usize>,
    num_items: usize,
    has_chats: bool,
}

impl Reader<'_> {
    fn item(&mut self, item: &Value) {
        self.num_items += 1;
        self.has_chats |= item.get("chats").is_some();
        let position = self.num_items;
        let path = self.path;
        let problem = |code, place, message, hint| {
            Problem::new(path, (code, Severity::Error), place, message, hint)
        };
        let sample = match sample(self.tree, &self.folder, item) {
            Ok(sample) => sample,
            Err((place, message)) => {
                let id = item
                    .get("idx")
                    .map(|idx| {
                        format!(" (idx {})", idx.id_text().unwrap_or_else(|| idx.describe()))
                    })
                    .unwrap_or_default();
                let separator = if place.is_empty() { "" } else { ", " };
                self.problems.push(problem(
                    "bad_item",
                    format!("item {position}{id}{separator}{place}"),
                    message,
                    "This dialogue is left out; the rest was loaded.",
                ));
                return;
            }
        };
        if let Some(first) = self.positions.get(&sample.id) {
            self.problems.push(problem(
                "duplicate_idx",
                format!("item {position}"),
                format!("idx {} was used by item {first} already.", sample.id),
                "Replies name dialogues by idx, so this one is left out.",
            ));
            return;
        }
        self.positions.insert(sample.id.clone(), position);
        check_sample(path, &self.folder, &sample, &mut self.problems);
        self.samples.push(sample);
    }
}

/// Reads the list's items, if it is one with dialogues.
fn read_items(path: &str, text: &str, reader: &mut Reader<'_>) -> Result<(), Box<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let other = py::load_items(text, |item| reader.item(&item)).map_err(|error| {
        let place = format!("line {}, column {}", error.line, error.column);
        let message = format!("This is not JSON: {}.", error.message);
        let hint = "Fix the file here, or download it again from the benchmark's archive.";
        Problem::new(path, ("bad_json", Severity::Error), place, message, hint)
    })?;
    let message = match other {
        None if reader.has_chats => return Ok(()),
        None => "No item has chats, so these are not WEAVEBench dialogues.".to_owned(),
        Some(other) => format!("Expected a list of dialogues, found {}.", other.describe()),
    };
    let hint = "WEAVEBench's test.json is a list of objects with idx, domain, images and chats.";
    Err(Box::new(Problem::new(
        path,
        ("not_a_list", Severity::Error),
        String::new(),
        message,
        hint,
    )))
}

/// Findings about a dialogue that can be used all the same.
fn check_sample(path: &str, folder: &str, sample: &Sample, problems: &mut Vec<Problem>) {
    for (number, picture) in (1..)
        .zip(&sample.pictures)
        .filter(|(_, picture)| picture.file.is_none())
    {
        problems.push(Problem::new(
            path,
            ("missing_picture", Severity::Error),
            format!("idx {}, Image #{number}", sample.id),
            format!(
                "The picture {} is not among the files.",
                join(folder, &picture.path)
            ),
            "Open the folder that holds it as well; scores from replies are not affected.",
        ));
    }
    if sample.category.is_empty() {
        problems.push(Problem::new(
            path,
            ("unknown_domain", Severity::Warning),
            format!("idx {}", sample.id),
            format!(
                "The domain {} is in no category of the paper.",
                sample.domain
            ),
            "It counts in the overall score and its own row only.",
        ));
    }
}

/// One item; the error is its place and what was found there.
fn sample(tree: &FileTree, folder: &str, item: &Value) -> Result<Sample, (String, String)> {
    let at = |place: &str, message: String| (place.to_owned(), message);
    if !matches!(item, Value::Dict(_)) {
        return Err(at(
            "",
            format!("Expected an object, found {}.", item.describe()),
        ));
    }
    let need = |key: &str, what: &str| {
        item.get(key)
            .ok_or_else(|| at(key, format!("Expected {what}, found no such key.")))
    };
    let idx = need("idx", "a number")?;
    let id = idx.id_text().ok_or_else(|| {
        at(
            "idx",
            format!("Expected a whole number, found {}.", idx.describe()),
        )
    })?;
    let domain = need("domain", "text")?;
    let domain = domain.as_str().ok_or_else(|| {
        at(
            "domain",
            format!("Expected text, found {}.", domain.describe()),
        )
    })?;
    let Value::List(images) = need("images", "a list of paths")? else {
        return Err(at("images", "Expected a list of paths.".to_owned()));
    };
    let mut pictures = Vec::new();
    for (position, image) in images.iter().enumerate() {
        let Some(path) = image.as_str() else {
            return Err((
                format!("images[{position}]"),
                format!("Expected a path, found {}.", image.describe()),
            ));
        };
        pictures.push(Picture {
            path: path.to_owned(),
            file: tree.find(&join(folder, path)),
            label: format!("Image #{}", position + 1),
        });
    }
    let Value::List(chats) = need("chats", "a list of messages")? else {
        return Err(at("chats", "Expected a list of messages.".to_owned()));
    };
    if chats.len() % 2 == 1 {
        return Err(at(
            "chats",
            format!(
                "Expected pairs of user and assistant, found {} messages.",
                chats.len()
            ),
        ));
    }
    let mut turns = Vec::new();
    for (index, pair) in chats.chunks_exact(2).enumerate() {
        turns.push(turn(index, &pair[0], &pair[1], &pictures)?);
    }
    Ok(Sample {
        id,
        category: category_of(domain).into(),
        domain: domain.to_owned(),
        tags: Vec::new(),
        details: Vec::new(),
        pictures,
        turns,
    })
}

/// One user/assistant pair.
fn turn(
    index: usize,
    user: &Value,
    assistant: &Value,
    pictures: &[Picture],
) -> Result<Turn, (String, String)> {
    let text = |offset: usize, message: &Value, key: &str, expected: Option<&str>| {
        let place = format!("chats[{}].{key}", 2 * index + offset);
        let found = match message.get(key) {
            Some(Value::Str(found)) => found.clone(),
            Some(other) => {
                return Err((place, format!("Expected text, found {}.", other.describe())));
            }
            None => return Err((place, "Expected text, found no such key.".to_owned())),
        };
        match expected {
            Some(role) if found != role => {
                Err((place, format!("Expected \"{role}\", found \"{found}\".")))
            }
            _ => Ok(found),
        }
    };
    text(0, user, "role", Some("user"))?;
    let instruction = text(0, user, "content", None)?;
    text(1, assistant, "role", Some("assistant"))?;
    let answer = text(1, assistant, "content", None)?;
    let place = |key: &str| format!("chats[{}].{key}", 2 * index + 1);
    let kind = match text(1, assistant, "type", None)?.as_str() {
        "image" => TurnKind::Image,
        "text" => TurnKind::Text,
        other => {
            return Err((
                place("type"),
                format!("Expected \"image\" or \"text\", found \"{other}\"."),
            ));
        }
    };
    if kind == TurnKind::Text {
        let output_name = output_name(kind, &answer, pictures, Some(index)).unwrap_or_default();
        return Ok(Turn {
            kind,
            instruction,
            answer,
            picture: None,
            key_points: Vec::new(),
            output_name,
        });
    }
    let Some(&number) = image_numbers(&answer).first() else {
        return Err((
            place("content"),
            format!("Expected Image #k, found \"{}\".", py::shorten(&answer, 60)),
        ));
    };
    let Ok(output_name) = output_name(kind, &answer, pictures, Some(index)) else {
        return Err((
            place("content"),
            format!(
                "Image #{number} is asked for, but there are {} pictures.",
                pictures.len()
            ),
        ));
    };
    let key_points = match assistant.get("key_point") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Dict(entries)) => entries
            .iter()
            .map(|(key, value)| key_point(key, value, pictures.len()))
            .collect::<Result<_, _>>()
            .map_err(|(key, message)| (place(&format!("key_point.{key}")), message))?,
        Some(other) => {
            return Err((
                place("key_point"),
                format!("Expected an object or null, found {}.", other.describe()),
            ));
        }
    };
    Ok(Turn {
        kind,
        instruction,
        answer,
        picture: Some(number),
        key_points,
        output_name,
    })
}

/// One requirement: `GT` is looked for before `Image`, as the authors' code does.
fn key_point(key: &str, value: &Value, num_pictures: usize) -> Result<KeyPoint, (String, String)> {
    let Some(text) = value.as_str() else {
        return Err((
            key.to_owned(),
            format!("Expected text, found {}.", value.describe()),
        ));
    };
    let number = |word: &str| {
        crate::weave::request::context::numbers(key, word)
            .first()
            .copied()
    };
    let compare = match (key.contains("GT"), key.contains("Image")) {
        (true, _) => number("GT #").map(Compare::Dataset),
        (false, true) => number("Image #").map(Compare::Generated),
        (false, false) => Some(Compare::Nothing),
    };
    let Some(compare) = compare else {
        return Err((
            key.to_owned(),
            "Expected a key such as GT #1 or Image #2.".to_owned(),
        ));
    };
    if let Compare::Dataset(number) | Compare::Generated(number) = compare
        && (number == 0 || number as usize > num_pictures)
    {
        return Err((
            key.to_owned(),
            format!("There are {num_pictures} pictures, and this is about number {number}."),
        ));
    }
    Ok(KeyPoint {
        key: key.to_owned(),
        text: text.to_owned(),
        compare,
    })
}

/// The file that a turn's output is expected in: the name of the picture that it replaces,
/// or the first picture's name with `_<turn>.txt` for its extension.
///
/// # Errors
/// In the authors' words, a text answer without a turn; and an answer without `Image #k`.
pub fn output_name(
    kind: TurnKind,
    answer: &str,
    pictures: &[Picture],
    turn: Option<usize>,
) -> Result<String, Error> {
    let name = |picture: &Picture| base_name(&picture.path.replace('\\', "/")).to_owned();
    match kind {
        TurnKind::Text => {
            let turn = turn.ok_or_else(|| Error::Stops("QA need turn_idx input".to_owned()))?;
            let first = pictures.first().map(name).unwrap_or_default();
            Ok(format!("{}_{turn}.txt", answer_stem(&first)))
        }
        TurnKind::Image => {
            let number = image_numbers(answer).first().copied().unwrap_or(0) as usize;
            number
                .checked_sub(1)
                .and_then(|at| pictures.get(at))
                .map(name)
                .ok_or_else(|| Error::MissingFile("no such picture".to_owned()))
        }
    }
}

/// A picture's name without `.jpg`, `.png` or `.jpeg` in any case at its end.
fn answer_stem(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    [".jpg", ".png", ".jpeg"]
        .iter()
        .find_map(|extension| {
            lower
                .ends_with(extension)
                .then(|| &name[..name.len() - extension.len()])
        })
        .unwrap_or(name)
}

/// What a turn that was rated on this criterion asks for.
fn kind_of(criterion: &str) -> Option<TurnKind> {
    let at = CRITERIA.iter().position(|name| *name == criterion)?;
    Some(if at == usize::from(crate::weave::ACC) {
        TurnKind::Text
    } else {
        TurnKind::Image
    })
}

/// A dialogue as far as its replies tell.
struct Implied<'a> {
    id: &'a str,
    /// Numbers come by value, then other ids.
    order: (u64, &'a str),
    domain: &'a str,
    turns: Vec<Option<TurnKind>>,
}

impl<'a> Implied<'a> {
    fn new(id: &'a str, domain: &'a str) -> Self {
        Self {
            id,
            order: (id.parse().unwrap_or(u64::MAX), id),
            domain,
            turns: Vec::new(),
        }
    }

    /// Takes over what a later line adds about the same dialogue.
    fn absorb(&mut self, later: &Self) {
        for (turn, kind) in later.turns.iter().enumerate() {
            if let Some(kind) = kind {
                self.rate(turn, *kind);
            }
        }
    }

    fn rate(&mut self, turn: usize, kind: TurnKind) {
        if self.turns.len() <= turn {
            self.turns.resize(turn + 1, None);
        }
        self.turns[turn].get_or_insert(kind);
    }

    fn sample(self) -> Sample {
        // The authors' code leaves a turn unrated where it is outside the mode, so it is of the other kind.
        let is_texts_only = !self.turns.contains(&Some(TurnKind::Image));
        let unrated = if is_texts_only {
            TurnKind::Image
        } else {
            TurnKind::Text
        };
        let turn = |kind: Option<TurnKind>| Turn {
            kind: kind.unwrap_or(unrated),
            instruction: String::new(),
            answer: String::new(),
            picture: None,
            key_points: Vec::new(),
            output_name: String::new(),
        };
        Sample {
            id: self.id.to_owned(),
            category: category_of(self.domain).into(),
            domain: self.domain.to_owned(),
            tags: Vec::new(),
            details: Vec::new(),
            pictures: Vec::new(),
            turns: self.turns.into_iter().map(turn).collect(),
        }
    }
}

/// Whether a file is one that the authors' programs write next to outputs.
fn is_of_results(path: &str) -> bool {
    let name = base_name(path);
    ["metrics.jsonl", "result.jsonl"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a folder is called as programs call folders of outputs, other than `imgs`.
fn is_like_imgs(name: &str) -> bool {
    let known = [
        "images",
        "image",
        "img",
        "pictures",
        "outputs",
        "output",
        "generated",
    ];
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a file of results has a name that differs in case from one next to it, which is the one that programs read.
fn is_shadowed(tree: &FileTree, file: FileId, path: &str) -> bool {
    let name = base_name(path).to_lowercase();
    if !is_of_results(path) || base_name(path) == name {
        return false;
    }
    let exact = tree.find(&join(parent(path), &name));
    exact.is_some_and(|exact| exact != file)
}

/// Finds the models' folders.
///
/// A folder is a model's if it holds `metrics.jsonl`, `metrics_<judge>.jsonl` or `result.jsonl`,
/// or if it or its `imgs` folder holds a file of an expected output's name and is not the benchmark's own.
///
/// Further judges of a model are told by a file's name, `metrics_<judge>.jsonl`, or by a folder of the model's name elsewhere
/// that holds no output but verdicts: `result_<judge>/<model>/metrics.jsonl`.
pub fn submissions(tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
    let empty = Benchmark::default();
    let benchmark = benchmark.unwrap_or(&empty);
    let slots = slots_by_name(benchmark);
    let pictures = || benchmark.samples.iter().flat_map(|sample| &sample.pictures);
    let inputs: BTreeSet<String> = pictures()
        .map(|picture| base_name(&picture.path.replace('\\', "/")).to_lowercase())
        .collect_small();
    let own: BTreeSet<FileId> = pictures()
        .filter_map(|picture| picture.file)
        .collect_small();

    let near = names::Near::new(benchmark);
    let judged = Judged::of(tree);
    let mut folders: BTreeMap<String, Folder> = BTreeMap::new();
    for (file, entry) in tree.files() {
        if own.contains(&file) || Some(file) == benchmark.list {
            continue;
        }
        let name = base_name(&entry.path).to_lowercase();
        let folder = parent(&entry.path);
        if is_shadowed(tree, file, &entry.path) {
            continue;
        }
        let is_of_a_judge = judge_of(&entry.path).is_some();
        if is_of_a_judge || is_of_results(&entry.path) {
            let found = folders.entry(folder.to_owned()).or_default();
            found.is_model = true;
            match name.as_str() {
                _ if is_of_a_judge => found.others_replies.push(file),
                "metrics.jsonl" => found.replies.push(file),
                _ => found.known.push(file),
            }
            continue;
        }
        let is_in_imgs = base_name(folder).eq_ignore_ascii_case("imgs");
        let is_beside = judged.has_outputs(folder);
        let around = if is_in_imgs || is_beside {
            parent(folder)
        } else {
            ""
        };
        // A dropped folder named imgs is itself the model's.
        let model_folder = if around.is_empty() { folder } else { around };
        if model_folder == benchmark.folder && benchmark.list.is_some() {
            continue;
        }
        let found = folders.entry(model_folder.to_owned()).or_default();
        found.outputs_in_imgs |= is_in_imgs;
        if is_beside && slots.contains_key(&name) {
            found.like_imgs = Some(folder.to_owned());
        }
        match slots.get(&name) {
            Some(slots) => {
                found.is_model = true;
                found.outputs.push((file, slots.clone()));
            }
            None if inputs.contains(&name) => found.known.push(file),
            None => {
                found.near += usize::from(near.is_output(&name));
                found.copies += usize::from(near.is_input(&name));
                found.others.push(file);
            }
        }
    }
    folders.retain(|_, folder| {
        folder.is_model |= folder.is_misnamed();
        folder.replies.append(&mut folder.others_replies);
        folder.is_model
    });
    let folders = joined(folders, tree);
    let names = unique_names(folders.keys().map(String::as_str));
    folders
        .into_iter()
        .zip(names)
        .map(|((path, folder), name)| folder.submission(tree, benchmark, &near, path, name))
        .collect()
}

/// The folders of verdicts.
struct Judged<'a> {
    folders: BTreeSet<&'a str>,
    /// The folders that those are in.
    around: BTreeSet<&'a str>,
}

impl<'a> Judged<'a> {
    fn of(tree: &'a FileTree) -> Self {
        let paths = tree.files().map(|(_, entry)| entry.path.as_str());
        let folders: BTreeSet<&str> = paths
            .filter(|path| is_of_results(path) || judge_of(path).is_some())
            .map(parent)
            .collect_small();
        let around = folders.iter().map(|folder| parent(folder)).collect_small();
        Self { folders, around }
    }

    /// Whether a folder is called as programs call folders of outputs, and is beside verdicts or where other models' verdicts are:
    /// it holds a model's outputs as well as `imgs`.
    fn has_outputs(&self, folder: &str) -> bool {
        let model = parent(folder);
        let is_model = self.folders.contains(model)
            || !model.is_empty() && self.around.contains(parent(model));
        is_model && is_like_imgs(base_name(folder))
    }
}

/// The turns that ask for an output of each name, in lower case.
fn slots_by_name(benchmark: &Benchmark) -> HashMap<String, Vec<u32>> {
    let mut slots: HashMap<String, Vec<u32>> = HashMap::new();
    let turns = benchmark.turns();
    for (slot, .., turn) in turns.filter(|(.., turn)| !turn.output_name.is_empty()) {
        let name = turn.output_name.to_lowercase();
        slots.entry(name).or_default().push(slot);
    }
    slots
}

/// The judge that `metrics_<judge>.jsonl` names.
///
/// # Example
/// ```
/// use juror_protocols::weave::layout::judge_of;
/// assert_eq!(judge_of("result/m/metrics_gpt-4.1.jsonl"), Some("gpt-4.1"));
/// assert_eq!(judge_of("result/m/metrics.jsonl"), None);
/// ```
pub fn judge_of(path: &str) -> Option<&str> {
    let stem = without_end(base_name(path), ".jsonl")?;
    let judge = stem
        .strip_prefix("metrics")?
        .strip_prefix(['_', '-', '.'])?;
    (!judge.is_empty()).then_some(judge)
}

/// Folders that hold nothing but verdicts about a model whose outputs lie in one other folder of the same name are those of
/// another judge.
fn joined(mut folders: BTreeMap<String, Folder>, tree: &FileTree) -> BTreeMap<String, Folder> {
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in folders.keys() {
        let paths = by_name.entry(base_name(path).to_owned()).or_default();
        paths.push(path.clone());
    }
    for paths in by_name.into_values().filter(|paths| paths.len() > 1) {
        let (whole, bare): (Vec<&String>, Vec<&String>) =
            (paths.iter()).partition(|path| !folders[*path].outputs.is_empty());
        let [whole] = whole.as_slice() else { continue };
        let names = told_apart(paths.iter().map(String::as_str));
        let names: HashMap<&String, &String> = paths.iter().zip(&names).collect();
        for path in bare {
            let judge = names.get(path).map_or("", |name| parent(name)).to_owned();
            let Some(other) = folders.remove(path) else {
                continue;
            };
            if let Some(folder) = folders.get_mut(*whole) {
                // A file whose own name states a judge is that judge's.
                let unstated =
                    (other.replies.iter()).filter(|file| judge_of(tree.path(**file)).is_none());
                let of_judge = unstated.map(|file| (*file, judge.clone()));
                folder.judges.extend(of_judge);
                folder.replies.extend(other.replies);
                folder.known.extend(other.known);
                folder.others.extend(other.others);
                folder.other_judges.push((path.clone(), judge));
            }
        }
    }
    folders
}

/// What was found below one folder.
#[derive(Debug, Default)]
struct Folder {
    /// Verdicts of judges whom their names tell.
    others_replies: Vec<FileId>,
    /// Judges whom the folders of their verdicts tell.
    judges: BTreeMap<FileId, String>,
    /// Those folders, with the judges.
    other_judges: Vec<(String, String)>,
    is_model: bool,
    outputs_in_imgs: bool,
    /// The folder of outputs that is called otherwise.
    like_imgs: Option<String>,
    outputs: Vec<(FileId, Vec<u32>)>,
    replies: Vec<FileId>,
    known: Vec<FileId>,
    others: Vec<FileId>,
    /// Those of them that are called nearly as pictures that are asked for.
    near: usize,
    /// Those of them that are called nearly as inputs, as in a copy of the benchmark's own folder.
    copies: usize,
}

impl Folder {
    /// Whether it is a model's whose outputs are all misnamed: most files are called nearly as what is asked for.
    fn is_misnamed(&self) -> bool {
        self.near > 0 && self.copies == 0 && 2 * self.near >= self.others.len()
    }

    fn submission(
        self,
        tree: &FileTree,
        benchmark: &Benchmark,
        near: &names::Near,
        path: String,
        name: String,
    ) -> Submission {
        let mut outputs: Vec<Option<FileId>> = vec![None; benchmark.num_turns()];
        let mut problems: Vec<Problem> = (self.other_judges.iter())
            .map(|(folder, judge)| Problem {
                severity: Severity::Note,
                code: "other_judge".to_owned(),
                path: folder.clone(),
                place: String::new(),
                message: format!(
                    "The folder holds verdicts about {name} and no outputs: they count as those of another judge, {judge}."
                ),
                hint: "Give the folder another name if it is another model.".to_owned(),
            })
            .collect();
        for (file, slots) in &self.outputs {
            for &slot in slots {
                let output = &mut outputs[slot as usize];
                let path = tree.path(*file);
                // The exact name wins over one in another case, and imgs/ over the folder itself.
                let rank = |file: FileId| {
                    let path = tree.path(file);
                    (
                        benchmark
                            .turn_at(slot)
                            .is_some_and(|turn| turn.output_name == base_name(path)),
                        base_name(parent(path)).eq_ignore_ascii_case("imgs"),
                    )
                };
                match *output {
                    Some(other) if rank(other) >= rank(*file) => {
                        problems.push(duplicate_output(path, tree.path(other)));
                    }
                    other => {
                        if let Some(other) = other {
                            problems.push(duplicate_output(tree.path(other), path));
                        }
                        *output = Some(*file);
                    }
                }
            }
        }
        let unrecognised = near.unrecognised(tree, benchmark, &outputs, &self.others);
        problems.extend(names::problem(&path, &name, unrecognised.len()));
        let output_folder = match self.like_imgs {
            _ if self.outputs_in_imgs || self.outputs.is_empty() => join(&path, "imgs"),
            Some(folder) => folder,
            None => path.clone(),
        };
        Submission {
            name,
            folder: path,
            output_folder,
            outputs,
            reply_files: self.replies,
            extra_files: self.others,
            unrecognised,
            known_files: self.known,
            judges: self.judges,
            expected: BTreeMap::new(),
            problems,
        }
    }
}

fn duplicate_output(unused: &str, used: &str) -> Problem {
    Problem {
        severity: Severity::Warning,
        code: "duplicate_output".to_owned(),
        path: unused.to_owned(),
        place: String::new(),
        message: format!("Two files are meant for the same output; {used} is used."),
        hint: "Remove one of the two.".to_owned(),
    }
}
