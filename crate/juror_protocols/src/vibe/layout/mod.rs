//! The authors' folders and files: which task a file belongs to, what an annotation and a result item hold,
//! and where the pictures that they name lie.
//!
//! Both naming schemes of the data set are understood (`Level-1-Deictic`, `Dimension-I`, …): a task is known by the name
//! of its file or folder, never by its level's.

use crate::contract::{Layout, Loaded};
use crate::vibe::{Level, Task, Vibe};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{ReplyFile, refuse_json};
use juror_model::sample::{Benchmark, Candidate, Texts};
use juror_model::submission::Submission;
use juror_model::tree::{FileTree, base_name, join, parent};
use juror_reading::py::{self, Value};
use juror_reading::text::{Marks, separator};
use juror_statistics::small::SortSmall;
use std::collections::BTreeMap;

mod benchmark;
mod models;
#[cfg(feature = "generating")]
mod outputs;
mod replies;

pub(super) use benchmark::candidates;

impl Layout for Vibe {
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        benchmark::load(tree, candidate, texts).map(Loaded::from)
    }

    fn imply(&self, replies: &[&ReplyFile]) -> Benchmark {
        benchmark::imply(replies)
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        models::submissions(tree, benchmark)
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        replies::read(path, text)
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        refuse_json(marks, replies);
    }

    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        _benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        replies::check(replies, positions, path, problems);
    }
}

/// What an item's text without anything drawn is called among its details.
pub(in crate::vibe) const LONG_TEXT: &str = "Long text";

/// One item of a task's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Position in the list, from 1.
    pub position: usize,
    /// The id as text.
    pub id: String,
    /// Path of the picture to edit.
    pub source: String,
    /// Path of the drawn instruction, a transparent layer or a pose; `None` if the list gives none or an empty one.
    pub instruction: Option<String>,
    /// Path of the golden answer, in Billiards.
    pub target: Option<String>,
    /// What is asked for in words.
    pub prompt: String,
    /// The same in words that make do without anything drawn; `None` if the list has no `text_prompt.long_prompt`.
    pub long_prompt: Option<String>,
    /// The tasks that are asked for at once, as the item's column `tasks` has them; empty without one.
    pub tasks: Vec<String>,
    /// Cushions that the ball touches, where the list says it, as those of cases made by a procedure do.
    pub cushions: Option<String>,
}

/// What a file's name makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A task's list of annotations.
    Annotations,
    /// A model's outputs, or its verdicts of the run of this number.
    Results {
        /// From 1; `None` for the list that generation wrote, without a number.
        run: Option<u32>,
    },
    /// Means of one run or of all: derived, so never read.
    Summary,
}

/// The task and the role of a file, by its path.
///
/// `<Task>_results.json` and `<Task>_results_<run>.json` are a model's, `<Task>_summary….json` are summaries;
/// a list is named after its task, or is `dataset.json` in the task's folder.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Task, layout::{Role, file_role}};
/// assert_eq!(file_role("Tasks/Level-2-Morphological/Pose_Control/dataset.json"),
///     Some((Task::PoseControl, Role::Annotations)));
/// assert_eq!(file_role("out/m/Level-3-Causal/Flow/Flow_results_2.json"),
///     Some((Task::FlowSimulation, Role::Results { run: Some(2) })));
/// assert_eq!(file_role("out/m/Billiards/Billiards_summary.json"), Some((Task::Billiards, Role::Summary)));
/// assert_eq!(file_role("package.json"), None);
/// ```
pub fn file_role(path: &str) -> Option<(Task, Role)> {
    let name = base_name(path);
    let (stem, extension) = name.rsplit_once('.')?;
    if !extension.eq_ignore_ascii_case("json") {
        return None;
    }
    if let Some(task) = Task::named(stem) {
        return Some((task, Role::Annotations));
    }
    let folder_task = || Task::named(base_name(parent(path)));
    if stem.eq_ignore_ascii_case("dataset") {
        return Some((folder_task()?, Role::Annotations));
    }
    for (word, is_summary) in [("_results", false), ("_summary", true)] {
        let Some(at) = stem.to_ascii_lowercase().rfind(word) else {
            continue;
        };
        let suffix = &stem[at + word.len()..];
        let run = match suffix.strip_prefix('_') {
            Some(number) => Some(number.parse::<u32>().ok().filter(|run| *run > 0)?),
            None if suffix.is_empty() => None,
            None => return None,
        };
        let task = Task::named(&stem[..at]).or_else(folder_task)?;
        let role = if is_summary {
            Role::Summary
        } else {
            Role::Results { run }
        };
        return Some((task, role));
    }
    None
}

/// The style that a source's path names: `animation`, `real-world` or `sketch`.
///
/// # Example
/// ```
/// use juror_protocols::vibe::layout::style;
/// assert_eq!(style("Common_Corpus/Real_World/7.png"), Some("real-world"));
/// assert_eq!(style("images/sketch_7.png"), Some("sketch"));
/// assert_eq!(style("images/7.png"), None);
/// ```
pub fn style(path: &str) -> Option<&'static str> {
    let path = path.to_ascii_lowercase().replace('\\', "/");
    // A folder says it first; a file's name only where it begins with the word.
    let styles = [
        ("animation", "animation"),
        ("anime", "animation"),
        ("real-world", "real-world"),
        ("real_world", "real-world"),
        ("realworld", "real-world"),
        ("real", "real-world"),
        ("sketch", "sketch"),
    ];
    let named = |part: &str| {
        styles
            .iter()
            .find(|(word, _)| part == *word)
            .map(|(_, style)| *style)
    };
    let file = base_name(&path);
    parent(&path).split('/').find_map(named).or_else(|| {
        let begins = |word: &str| {
            file.strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        let found = styles.iter().find(|(word, _)| begins(word));
        found.map(|(_, style)| *style)
    })
}

/// The folders in which a path of an annotation may start, likeliest first.
///
/// The deictic tasks and their combinations name sources from the data set's root, which holds `Tasks`;
/// everything else is named from the task's own folder. Other folders above the list are tried after it.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Task, layout::{Place, bases}};
/// let list = "D/Tasks/Level-1-Deictic/Removal/Removal.json";
/// assert_eq!(bases(Task::Removal, Place::Source, list)[0], "D");
/// assert_eq!(bases(Task::Removal, Place::Instruction, list)[0], "D/Tasks/Level-1-Deictic/Removal");
/// ```
pub fn bases(task: Task, place: Place, list: &str) -> Vec<String> {
    let mut folders = Vec::new();
    let mut folder = parent(list);
    loop {
        folders.push(folder.to_owned());
        if folder.is_empty() {
            break;
        }
        folder = parent(folder);
    }
    if place == Place::Source && task.has_shared_sources() {
        let is_root = |folder: &String| {
            let below = list.get(folder.len()..).unwrap_or_default();
            below
                .trim_start_matches('/')
                .to_ascii_lowercase()
                .starts_with("tasks/")
        };
        // The outermost first where no folder is called Tasks.
        let at = folders.iter().position(is_root);
        let root = folders.remove(at.unwrap_or(folders.len() - 1));
        folders.insert(0, root);
    }
    folders
}

/// Which of an annotation's paths is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The picture to edit.
    Source,
    /// The drawn instruction or the golden answer.
    Instruction,
}

/// Reads a task's list: items that are wrong are listed, the rest is read.
///
/// # Errors
/// The file is not a list of annotations at all.
pub fn annotations(
    path: &str,
    text: &str,
) -> Result<(Vec<Annotation>, Vec<Problem>), Box<Problem>> {
    let value = py::loads(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
        let place = format!("line {}, column {}", error.line, error.column);
        let message = format!("This is not JSON: {}.", error.message);
        let hint = "Fix the file here, or download it again from the benchmark's archive.";
        Box::new(problem(path, "bad_json", place, message, hint))
    })?;
    let hint = "A task's list is a list of objects with id, file_paths and text_prompt.";
    let not_a_list = |message: String| {
        Err(Box::new(problem(
            path,
            "not_a_list",
            String::new(),
            message,
            hint,
        )))
    };
    let Value::List(items) = value else {
        return not_a_list(format!(
            "Expected a list of items, found {}.",
            value.describe()
        ));
    };
    if !items.iter().any(|item| item.get("file_paths").is_some()) {
        return not_a_list("No item has file_paths, so this is not a task of VIBE.".to_owned());
    }
    let (mut read, mut problems) = (Vec::new(), Vec::new());
    for (position, item) in (1..).zip(&items) {
        match annotation(position, item) {
            Ok(annotation) => read.push(annotation),
            Err((place, message)) => problems.push(problem(
                path,
                "bad_item",
                if place.is_empty() {
                    format!("item {position}")
                } else {
                    format!("item {position}, {place}")
                },
                message,
                "This item is left out; the rest was loaded.",
            )),
        }
    }
    Ok((read, problems))
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

/// One item; the error is its place and what was found there.
fn annotation(position: usize, item: &Value) -> Result<Annotation, (&'static str, String)> {
    let expected = |value: Option<&Value>, what: &str| match value {
        Some(value) => format!("Expected {what}, found {}.", value.describe()),
        None => format!("Expected {what}, found no such key."),
    };
    if !matches!(item, Value::Dict(_)) {
        return Err(("", expected(Some(item), "an object")));
    }
    let id = id_text(item.get("id"))
        .ok_or_else(|| ("id", expected(item.get("id"), "text or a number")))?;
    let paths = item.get("file_paths");
    let Some(paths @ Value::Dict(_)) = paths else {
        return Err(("file_paths", expected(paths, "an object")));
    };
    let Some(source) = paths.get("source").and_then(Value::as_str) else {
        return Err(("file_paths.source", expected(paths.get("source"), "a path")));
    };
    let optional = |key: &'static str, place: &'static str| match paths.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Str(path)) if path.trim().is_empty() => Ok(None),
        Some(Value::Str(path)) => Ok(Some(path.clone())),
        other => Err((place, expected(other, "a path"))),
    };
    let instruction = optional("visual_instruction", "file_paths.visual_instruction")?;
    let target = optional("target", "file_paths.target")?;
    let prompt = item.get("text_prompt").map(|texts| match texts {
        Value::Str(_) => Some(texts),
        _ => texts.get("input_prompt"),
    });
    let prompt = match prompt {
        None => String::new(),
        Some(Some(Value::Str(text))) => text.clone(),
        Some(other) => return Err(("text_prompt.input_prompt", expected(other, "text"))),
    };
    let long_prompt = item
        .get("text_prompt")
        .and_then(|texts| texts.get("long_prompt")?.as_str())
        .filter(|text| !text.trim().is_empty());
    let cushions = item.get("billiards").and_then(|case| case.get("k"));
    Ok(Annotation {
        position,
        id,
        source: source.to_owned(),
        instruction,
        target,
        prompt,
        long_prompt: long_prompt.map(str::to_owned),
        tasks: tasks(item.get("tasks")),
        cushions: id_text(cushions),
    })
}

/// The names in a column `tasks`: a list of them, or a text with `+` or commas between.
fn tasks(value: Option<&Value>) -> Vec<String> {
    let split = |text: &str| -> Vec<String> {
        let names = text.split(['+', ',']).map(str::trim);
        let names = names.filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    match value {
        Some(Value::Str(text)) => split(text),
        Some(Value::List(items)) => items
            .iter()
            .filter_map(Value::as_str)
            .flat_map(split)
            .collect(),
        _ => Vec::new(),
    }
}

/// Which single tasks an item of a combined task asks for, as `AD+RM`: by its column `tasks`, else by its id, which
/// `AD+RM_animation_03` begins with them. `None` where neither says so many different deictic tasks as the task combines.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Task, layout::combination};
/// assert_eq!(combination(Task::TwoTasks, "RM+AD_animation_03", &[]).as_deref(), Some("AD+RM"));
/// let named = ["Translation", "RP"].map(str::to_owned);
/// assert_eq!(combination(Task::TwoTasks, "7", &named).as_deref(), Some("RP+TR"));
/// assert_eq!(combination(Task::ThreeTasks, "AD+RM_animation_03", &[]), None);
/// ```
pub fn combination(task: Task, id: &str, tasks: &[String]) -> Option<String> {
    let num_tasks = match task {
        Task::TwoTasks => 2,
        Task::ThreeTasks => 3,
        _ => return None,
    };
    let find = |name: &str| {
        let by_short = || {
            let mut all = Task::ALL.into_iter();
            all.find(|known| known.short().eq_ignore_ascii_case(name))
        };
        let found = Task::named(name).or_else(by_short);
        found.filter(|found| found.level() == Level::Deictic)
    };
    let combined = |names: &mut dyn Iterator<Item = &str>| {
        let found: Option<Vec<Task>> = names.map(find).collect();
        let mut found = found?;
        found.sort_small();
        found.dedup();
        let shorts: Vec<&str> = found.iter().map(|task| task.short()).collect();
        (shorts.len() == num_tasks).then(|| shorts.join("+"))
    };
    let head = id.split('_').next().unwrap_or(id);
    combined(&mut tasks.iter().map(String::as_str)).or_else(|| combined(&mut head.split('+')))
}

/// A file next to the list of the billiards that says how many cushions each ball touches: columns `id` and `cushions` or `k`.
pub(crate) const CUSHIONS: &str = "cushions.csv";

/// Cushions by id, from a file of [`CUSHIONS`]' columns.
///
/// # Errors
/// The file has no such columns, with the message.
pub(crate) fn cushions(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(separator(text))
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let head: Vec<String> = reader
        .headers()
        .map_err(|error| format!("This is not CSV: {error}."))?
        .iter()
        .map(str::to_lowercase)
        .collect();
    let column = |names: &[&str]| head.iter().position(|name| names.contains(&name.as_str()));
    let (Some(id), Some(count)) = (column(&["id"]), column(&["cushions", "k"])) else {
        return Err(format!(
            "Expected the columns id and cushions, found {}.",
            head.join(", ")
        ));
    };
    let records = reader.records().filter_map(Result::ok);
    let pairs = records.filter_map(|record| {
        let cell = |at: usize| record.get(at).map(str::to_owned);
        cell(id).zip(cell(count))
    });
    Ok(pairs.filter(|(_, count)| !count.is_empty()).collect())
}

/// Ids are compared as text: `7` and `"7"` are the same.
pub fn id_text(id: Option<&Value>) -> Option<String> {
    id?.id_text()
}

/// The file that a result item's `saved_image_path` means: below the list's folder, else in its `imgs`,
/// else the first place, which is then missing. Both are [`normal_path`]s.
///
/// # Example
/// ```
/// use juror_protocols::vibe::layout::generated_path;
/// let exists = |path: &str| path == "m/imgs/b.png";
/// assert_eq!(generated_path("m", "b.png", exists), "m/imgs/b.png");
/// assert_eq!(generated_path("m", "c.png", exists), "m/c.png");
/// assert_eq!(generated_path("m", "imgs/../a.png", exists), "m/a.png");
/// ```
pub fn generated_path(folder: &str, saved: &str, exists: impl Fn(&str) -> bool) -> String {
    let saved = saved.replace('\\', "/");
    let direct = normal_path(&join(folder, &saved));
    if exists(&direct) {
        return direct;
    }
    let in_imgs = normal_path(&join(&join(folder, "imgs"), &saved));
    if exists(&in_imgs) { in_imgs } else { direct }
}

/// A path as Python's `os.path.normpath` has it: no empty parts, no `.`, and `..` takes the part before it along.
///
/// # Example
/// ```
/// use juror_protocols::vibe::layout::normal_path;
/// assert_eq!(normal_path("imgs/../a.png"), "a.png");
/// assert_eq!(normal_path("m//./imgs/"), "m/imgs");
/// assert_eq!(normal_path("../a.png"), "../a.png");
/// assert_eq!(normal_path(""), ".");
/// ```
pub fn normal_path(path: &str) -> String {
    let root = if path.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last().copied()) {
            ("" | ".", _) => {}
            ("..", None) if !root.is_empty() => {}
            ("..", Some(last)) if last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let normal = format!("{root}{}", parts.join("/"));
    if normal.is_empty() {
        ".".to_owned()
    } else {
        normal
    }
}

/// How a result item's generation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// `success`, exactly.
    Success,
    /// The item has no status, as in the authors' own example; their code passes over it.
    Absent,
    /// Anything else; their code passes over it.
    Other(String),
}

impl Status {
    /// The status of a result item.
    pub fn of(item: &Value) -> Self {
        match item.get("status") {
            Some(Value::Str(text)) if text == "success" => Self::Success,
            Some(Value::Str(text)) => Self::Other(text.clone()),
            Some(Value::Null) | None => Self::Absent,
            Some(other) => Self::Other(other.describe()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Annotation>, Vec<Problem>) {
        annotations("D/Removal.json", text).unwrap_or_default()
    }

    #[test]
    fn a_wrong_item_is_named_with_its_place_and_the_rest_is_read() {
        let (items, problems) = read(
            r#"[
            {"id": 7, "file_paths": {"source": "a.png", "visual_instruction": ""}, "text_prompt": {"input_prompt": "p"}},
            {"id": "8", "file_paths": {"source": 3}},
            {"id": "9", "file_paths": {"source": "b.png", "visual_instruction": "l.png", "target": "t.png"}},
            {"id": null, "file_paths": {"source": "b.png"}},
            3
        ]"#,
        );
        assert_eq!(items.len(), 2);
        assert_eq!((items[0].id.as_str(), &items[0].instruction), ("7", &None));
        assert_eq!(items[1].instruction.as_deref(), Some("l.png"));
        assert_eq!(
            (items[1].target.as_deref(), items[1].prompt.as_str()),
            (Some("t.png"), "")
        );
        let places: Vec<&str> = problems
            .iter()
            .map(|problem| problem.place.as_str())
            .collect();
        assert_eq!(
            places,
            ["item 2, file_paths.source", "item 4, id", "item 5"]
        );
        assert_eq!(problems[0].message, "Expected a path, found 3.");
    }

    #[test]
    fn files_that_are_no_task_list_are_refused_with_the_reason() {
        let refused = |text: &str| match annotations("x.json", text) {
            Err(problem) => (problem.code, problem.place),
            Ok(_) => panic!("{text} is no list"),
        };
        assert_eq!(refused("[1,]").0, "bad_json");
        assert_eq!(refused("[\n1,]").1, "line 2, column 3");
        assert_eq!(refused("{}").0, "not_a_list");
        assert_eq!(refused("[{\"idx\": 1, \"chats\": []}]").0, "not_a_list");
    }

    #[test]
    fn both_naming_schemes_lead_to_the_same_root() {
        for list in [
            "V/Tasks/Level-1-Deictic/Multi-Tasks/2-Tasks.json",
            "V/Tasks/Dimension-I/Multi-Tasks/2-Tasks.json",
            "V/2-Tasks.json",
        ] {
            let (task, _) = file_role(list).unwrap_or((Task::Billiards, Role::Summary));
            let found = bases(task, Place::Source, list);
            let expected = if list.contains("Tasks/") { "V" } else { "" };
            assert_eq!(found[0], expected, "{list}: {found:?}");
        }
        assert_eq!(
            bases(Task::Removal, Place::Source, "Tasks/Removal.json")[0],
            ""
        );
    }

    #[test]
    fn runs_are_told_from_stray_names() {
        assert_eq!(
            file_role("m/Removal_results.json"),
            Some((Task::Removal, Role::Results { run: None }))
        );
        assert_eq!(file_role("m/Removal_results_0.json"), None);
        assert_eq!(file_role("m/Removal_results_old.json"), None);
        assert_eq!(file_role("m/Removal_resultsold.json"), None);
        assert_eq!(
            file_role("m/Removal/all_results_3.json"),
            Some((Task::Removal, Role::Results { run: Some(3) }))
        );
    }
}
