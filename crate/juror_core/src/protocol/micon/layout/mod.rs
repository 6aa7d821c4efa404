//! Files → cases, outputs and judgements: `data/<task>/cases/*.yaml`, `generations/<model>/<task>/`, `judgments/<task>/<case>/`.
//!
//! Nothing depends on the folders above these names, so a whole `Evaluation` folder reads like any part of it.

use crate::keyed::Keyed;
use crate::model::problem::Problem;
use crate::model::reply::{ReplyFile, refuse_json};
use crate::model::sample::{Benchmark, Candidate, Texts};
use crate::model::submission::Submission;
use crate::protocol::contract::{Layout, Loaded};
use crate::protocol::micon::{Micon, Task};
use crate::py::{self, Value};
use crate::text::Marks;
use crate::tree::{FileTree, without_end};

pub mod benchmark;
pub mod models;
pub mod yaml;

impl Layout for Micon {
    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        benchmark::candidates(tree)
    }

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

    fn judged_at(&self, path: &str) -> Option<String> {
        judged_at(path)
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        models::read_replies(path, text)
    }

    fn mark_replies(&self, path: &str, marks: Marks, replies: &mut ReplyFile) {
        // The authors' aggregation loads verdicts; candidates' scores it asks for again, and never reads them.
        if reply_path(path).is_some_and(|place| place.kind == ReplyKind::Verdict) {
            refuse_json(marks, replies);
        }
    }
}

/// Extensions of pictures in the order in which the authors' scripts look for them.
pub const OUTPUT_EXTENSIONS: [&str; 3] = ["png", "jpg", "jpeg"];
/// Name of the file with the stories' answer sets, in the story task's folder.
pub const ANSWER_SETS: &str = "simple_candidate_template.json";

/// A case card's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CasePath<'a> {
    /// The data folder, which holds the tasks; empty at the top.
    pub data: &'a str,
    /// Folder name of the task.
    pub task: &'static str,
    /// File name without its extension: the case's id for the judge.
    pub case: &'a str,
}

/// `<data>/<task>/cases/<case>.yaml`.
///
/// # Example
/// ```
/// use juror_core::protocol::micon::layout::case_path;
/// let found = case_path("Evaluation/data/story_infer/cases/case_0001.yaml").unwrap();
/// assert_eq!((found.data, found.task, found.case), ("Evaluation/data", "story_infer", "case_0001"));
/// assert_eq!(case_path("data/other_task/cases/case_0001.yaml"), None);
/// ```
pub fn case_path(path: &str) -> Option<CasePath<'_>> {
    let stem = without_end(path, ".yaml")?;
    let (folder, case) = split(stem);
    let (folder, cases) = split(folder);
    let (data, task) = split(folder);
    let task = Task::find(task)?.id;
    (cases == "cases" && !case.is_empty()).then_some(CasePath { data, task, case })
}

/// The data folder of `<data>/story_infer/simple_candidate_template.json`.
pub fn answer_sets_path(path: &str) -> Option<&str> {
    let (folder, name) = split(path);
    let (data, task) = split(folder);
    (name.eq_ignore_ascii_case(ANSWER_SETS) && task == crate::protocol::micon::STORY)
        .then_some(data)
}

/// An output's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputPath<'a> {
    /// The folder that outputs and judgements have in common, as far as names tell; empty at the top.
    pub root: &'a str,
    /// The model's folder.
    pub folder: &'a str,
    /// The model.
    pub model: &'a str,
    /// Folder name of the task.
    pub task: &'static str,
    /// File name without its extension.
    pub case: &'a str,
    /// Lower comes first where several files stand for one output; `None` for an extension that the authors' scripts do not look for.
    pub rank: Option<u8>,
}

/// `<…>/generations/<model>/<task>/<case>.png`, or the same without the folders above the model.
///
/// # Example
/// ```
/// use juror_core::protocol::micon::layout::output_path;
/// let found = output_path("E/outputs/generations/BAGEL/story_infer/case_1.jpg").unwrap();
/// assert_eq!((found.root, found.model, found.case, found.rank), ("E", "BAGEL", "case_1", Some(1)));
/// assert_eq!(output_path("story_infer/case_1.jpg"), None); // names no model
/// ```
pub fn output_path(path: &str) -> Option<OutputPath<'_>> {
    let (folder, name) = split(path);
    let (folder, task) = split(folder);
    let task = Task::find(task)?.id;
    let (above, model) = split(folder);
    let (case, extension) = name.rsplit_once('.')?;
    if model.is_empty() || case.is_empty() || !is_picture(extension) {
        return None;
    }
    let rank = OUTPUT_EXTENSIONS
        .iter()
        .position(|known| known.eq_ignore_ascii_case(extension))
        .and_then(|at| u8::try_from(at).ok())
        // The exact spelling first: on most systems the authors' scripts see no other.
        .map(|at| {
            if extension.bytes().any(|b| b.is_ascii_uppercase()) {
                at + 3
            } else {
                at
            }
        });
    Some(OutputPath {
        root: without(without(above, "generations"), "outputs"),
        folder,
        model,
        task,
        case,
        rank,
    })
}

fn is_picture(extension: &str) -> bool {
    ["png", "jpg", "jpeg", "webp", "gif", "bmp"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(extension))
}

/// What a file of judge output holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// `<model>.json`: the verdict as the authors' judge script took it.
    Verdict,
    /// `<model>_error.txt`: a reply that it could not read, or the error of the call.
    Error,
    /// `<model>_candidate_eval_details.json`: a story's candidate score.
    Details,
}

/// A judgement's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyPath<'a> {
    /// The folder that outputs and judgements have in common, as far as names tell; empty at the top.
    pub root: &'a str,
    /// The folder that holds the tasks: `judgments`.
    pub folder: &'a str,
    /// Name of the time-stamped folder above; empty if there is none.
    pub stamp: &'a str,
    /// The model.
    pub model: &'a str,
    /// Folder name of the task.
    pub task: &'static str,
    /// Folder name of the case.
    pub case: &'a str,
    /// What it holds.
    pub kind: ReplyKind,
}

/// `<…>/judgments/<task>/<case>/<model>.json` and its companions, in the new and the legacy places.
///
/// # Example
/// ```
/// use juror_core::protocol::micon::layout::{ReplyKind, reply_path};
/// let found = reply_path("E/outputs/eval_res/m/m_20260101_120000/judgments/story_infer/case_1/m_error.txt").unwrap();
/// assert_eq!((found.root, found.stamp, found.model, found.kind), ("E", "m_20260101_120000", "m", ReplyKind::Error));
/// let legacy = reply_path("E/outputs/judgments/story_infer/case_1/m.json").unwrap();
/// assert_eq!((legacy.root, legacy.stamp, legacy.model), ("E", "", "m"));
/// ```
pub fn reply_path(path: &str) -> Option<ReplyPath<'_>> {
    let (folder, name) = split(path);
    let (folder, case) = split(folder);
    let (folder, task) = split(folder);
    let task = Task::find(task)?.id;
    let (model, kind) = if let Some(model) = without_end(name, "_candidate_eval_details.json") {
        (model, ReplyKind::Details)
    } else if let Some(model) = without_end(name, "_error.txt") {
        (model, ReplyKind::Error)
    } else {
        (without_end(name, ".json")?, ReplyKind::Verdict)
    };
    if model.is_empty() || case.is_empty() {
        return None;
    }
    let above = without(folder, "judgments");
    let (parent, last) = split(above);
    let (above, stamp) = if last != model && last.starts_with(model) {
        (parent, last)
    } else {
        (above, "")
    };
    let above = without(above, model);
    let root = without(without(above, "eval_res"), "outputs");
    Some(ReplyPath {
        root,
        folder,
        stamp,
        model,
        task,
        case,
        kind,
    })
}

/// When the judging of this file began, as its time-stamped folder `<model>_<YYYYmmdd>_<HHMMSS>` says.
///
/// # Example
/// ```
/// use juror_core::protocol::micon::layout::judged_at;
/// let path = |stamp: &str| format!("E/outputs/eval_res/m/{stamp}/judgments/story_infer/case_1/m.json");
/// assert_eq!(judged_at(&path("m_20260102_134502")).as_deref(), Some("2026-01-02T13:45:02"));
/// assert_eq!(judged_at(&path("m_second_try")), None);
/// ```
pub fn judged_at(path: &str) -> Option<String> {
    let place = reply_path(path)?;
    let (day, time) = place.stamp.get(place.model.len()..)?.rsplit_once('_')?;
    let day = day.strip_prefix('_')?;
    let is_number =
        |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(day, 8) || !is_number(time, 6) {
        return None;
    }
    let (year, month, day) = (&day[..4], &day[4..6], &day[6..]);
    let (hour, minute, second) = (&time[..2], &time[2..4], &time[4..]);
    Some(format!("{year}-{month}-{day}T{hour}:{minute}:{second}"))
}

/// The model whose report this is: `reports/<model>_summary.csv` or `reports/<model>_report.txt`.
pub fn report_path(path: &str) -> Option<&str> {
    let (folder, name) = split(path);
    let model = without_end(name, "_summary.csv").or_else(|| without_end(name, "_report.txt"))?;
    (split(folder).1 == "reports" && !model.is_empty()).then_some(model)
}

/// The folder above and the last part.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The folder above, if this is the last part's name.
fn without<'a>(folder: &'a str, name: &str) -> &'a str {
    let (above, last) = split(folder);
    if last == name { above } else { folder }
}

/// A reference's path inside the data folder: a leading `data` (or that folder's own name) stands for the folder itself.
///
/// An absolute path stays as it is; no file of a source has one.
///
/// # Example
/// ```
/// use juror_core::protocol::micon::layout::reference_path;
/// assert_eq!(reference_path("E/data", "data/story_infer/refs/a.png"), "story_infer/refs/a.png");
/// assert_eq!(reference_path("E/micon", "micon/x.png"), "x.png");
/// assert_eq!(reference_path("E/data", "./story_infer/refs/a.png"), "story_infer/refs/a.png");
/// ```
pub fn reference_path(data: &str, path: &str) -> String {
    let slashed = path.replace('\\', "/");
    if slashed.starts_with('/') {
        return slashed;
    }
    let parts: Vec<&str> = slashed
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    match parts.as_slice() {
        [first, rest @ ..] if *first == "data" || *first == split(data).1 => rest.join("/"),
        all => all.join("/"),
    }
}

/// A case card as far as the evaluation uses it, and what a reader may want to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// Its own `case_id`: it names the prompt file. `unknown` where the card has none, as in the authors' code.
    pub case_id: String,
    /// References as name and path, in the order of the card.
    pub refs: Vec<(String, String)>,
    /// What the generator was asked.
    pub generation_prompt: String,
    /// What the picture is to achieve.
    pub goal: String,
    /// Constraints that the judge is told are hard.
    pub constraints_hard: Vec<String>,
    /// Further lists, which the evaluation does not use.
    pub constraints_soft: Vec<String>,
    /// See above.
    pub expectations: Vec<String>,
}

/// Something wrong with a card: its place in the card, and what was expected and found.
pub type Remark = (String, String);

/// Reads a case card: with it, what can be lived with.
///
/// # Errors
/// It is not YAML or not a mapping, or its `refs` are not one: the authors' judge stops at such a case.
///
/// # Example
/// ```
/// use juror_core::protocol::micon::layout::card;
/// let (card, remarks) = card("case_id: c1\nrefs: {RB: b.png, RA: a.png}\ngoal: g\ngeneration_prompt: |\n  Put A on B.\n").unwrap();
/// assert_eq!(card.refs[0], ("RB".to_owned(), "b.png".to_owned()));
/// assert_eq!(card.generation_prompt, "Put A on B.\n");
/// assert!(remarks.is_empty());
/// ```
pub fn card(text: &str) -> Result<(Card, Vec<Remark>), Remark> {
    let value = yaml::load(text).map_err(|error| {
        (
            format!("line {}, column {}", error.line, error.column),
            format!("This is not YAML: {}.", error.message),
        )
    })?;
    if !matches!(value, Value::Dict(_)) {
        let found = value.describe();
        return Err((
            String::new(),
            format!("Expected keys such as case_id and refs, found {found}."),
        ));
    }
    let mut remarks = Vec::new();
    let refs = match value.get("refs") {
        None => Vec::new(),
        Some(Value::Dict(entries)) => entries
            .iter()
            .map(|(name, path)| match path {
                Value::Str(path) => Ok((name.clone(), path.clone())),
                other => Err((
                    format!("refs.{name}"),
                    format!("Expected a path, found {}.", other.describe()),
                )),
            })
            .collect::<Result<_, _>>()?,
        Some(other) => {
            return Err((
                "refs".to_owned(),
                format!("Expected names with paths, found {}.", other.describe()),
            ));
        }
    };
    if refs.is_empty() {
        remarks.push(("refs".to_owned(), "The card names no reference.".to_owned()));
    }
    let mut text = |key: &str, default: &str| text_entry(&value, key, default, &mut remarks);
    let case_id = text("case_id", "unknown")?;
    let generation_prompt = text("generation_prompt", "")?;
    let goal = text("goal", "")?;
    let constraints_hard = list_entry(&value, "constraints_hard", &mut remarks)?;
    // The evaluation does without these two, so a mistake in them is only remarked on.
    let mut spare = |key: &str| {
        list_entry(&value, key, &mut remarks).unwrap_or_else(|remark| {
            remarks.push(remark);
            Vec::new()
        })
    };
    let constraints_soft = spare("constraints_soft");
    let expectations = spare("expectation_list");
    let card = Card {
        case_id,
        refs,
        generation_prompt,
        goal,
        constraints_hard,
        constraints_soft,
        expectations,
    };
    Ok((card, remarks))
}

/// A text of the card; what is not text is shown as Python shows it, with a remark.
fn text_entry(
    card: &Value,
    key: &str,
    default: &str,
    remarks: &mut Vec<Remark>,
) -> Result<String, Remark> {
    let Some(value) = card.get(key) else {
        remarks.push((key.to_owned(), "The card has no such key.".to_owned()));
        return Ok(default.to_owned());
    };
    let found = value.describe();
    if let Some(text) = value.as_str() {
        return Ok(text.to_owned());
    }
    match yaml::text_of(value) {
        Some(text) => {
            let shown = py::shorten(&text, 40);
            remarks.push((
                key.to_owned(),
                format!("Expected text, found {found}; the judge is shown {shown}. Put it in quotes if that is wrong."),
            ));
            Ok(text)
        }
        None => Err((key.to_owned(), format!("Expected text, found {found}."))),
    }
}

/// A list of texts of the card; empty where there is none.
fn list_entry(card: &Value, key: &str, remarks: &mut Vec<Remark>) -> Result<Vec<String>, Remark> {
    let items = match card.get(key) {
        None => return Ok(Vec::new()),
        Some(Value::Null) => {
            remarks.push((
                key.to_owned(),
                "The list is empty; the authors' prompt builder needs [] here.".to_owned(),
            ));
            return Ok(Vec::new());
        }
        Some(Value::List(items)) => items,
        Some(other) => {
            return Err((
                key.to_owned(),
                format!("Expected a list of texts, found {}.", other.describe()),
            ));
        }
    };
    let item = |(at, item): (usize, &Value)| {
        yaml::text_of(item).ok_or_else(|| {
            (
                format!("{key}[{at}]"),
                format!("Expected text, found {}.", item.describe()),
            )
        })
    };
    items.iter().enumerate().map(item).collect()
}

/// What people wrote about a story's next picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerSet {
    /// What happened so far.
    pub background: String,
    /// Right continuations.
    pub positive: Vec<String>,
    /// Wrong ones.
    pub negative: Vec<String>,
}

/// Answer sets by case id, in the order of the file.
pub type AnswerSets = Vec<(String, AnswerSet)>;

/// Reads the stories' answer sets by case id; the last of two with one id wins, at the first one's place.
///
/// # Errors
/// Not JSON, or not an object with a list of `cases`.
pub fn answer_sets(text: &str) -> Result<(AnswerSets, Vec<Remark>), Remark> {
    let value = py::loads(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
        (
            format!("line {}, column {}", error.line, error.column),
            format!("This is not JSON: {}.", error.message),
        )
    })?;
    let Some(Value::List(cases)) = value.get("cases") else {
        return Err((
            "cases".to_owned(),
            "Expected an object with a list of cases.".to_owned(),
        ));
    };
    let mut sets = AnswerSets::new();
    let mut remarks = Vec::new();
    let mut index = Keyed::default();
    for (at, case) in cases.iter().enumerate() {
        match answer_set(case) {
            Err((place, message)) => {
                let separator = if place.is_empty() { "" } else { "." };
                remarks.push((format!("cases[{at}]{separator}{place}"), message));
            }
            Ok((id, set)) => match index.find(&id, &sets, |(known, _)| known) {
                Some(known) => {
                    remarks.push((
                        format!("cases[{at}]"),
                        format!("{id} is there twice; the last one counts."),
                    ));
                    sets[known].1 = set;
                }
                None => sets.push((id, set)),
            },
        }
    }
    Ok((sets, remarks))
}

fn answer_set(case: &Value) -> Result<(String, AnswerSet), Remark> {
    let expected = |place: &str, what: &str, found: Option<&Value>| {
        let found = found.map_or("no such key".to_owned(), Value::describe);
        (place.to_owned(), format!("Expected {what}, found {found}."))
    };
    if !matches!(case, Value::Dict(_)) {
        return Err(expected("", "an object", Some(case)));
    }
    let id = match case.get("case_id") {
        Some(Value::Str(id)) if !id.is_empty() => id.clone(),
        other => return Err(expected("case_id", "text", other)),
    };
    let background = match case.get("background_summary") {
        None => String::new(),
        Some(Value::Str(text)) => text.clone(),
        other => return Err(expected("background_summary", "text", other)),
    };
    let texts = |key: &str| match case.get(key) {
        None => Ok(Vec::new()),
        Some(Value::List(items)) => items
            .iter()
            .enumerate()
            .map(|(at, item)| match item.as_str() {
                Some(text) => Ok(text.to_owned()),
                None => Err(expected(&format!("{key}[{at}]"), "text", Some(item))),
            })
            .collect(),
        other => Err(expected(key, "a list of texts", other)),
    };
    let set = AnswerSet {
        background,
        positive: texts("positive_candidates")?,
        negative: texts("negative_candidates")?,
    };
    Ok((id, set))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_authors_folders_are_found_wherever_they_are_dropped() {
        for (path, root) in [
            ("E/outputs/generations/m/story_infer/c.png", "E"),
            ("outputs/generations/m/story_infer/c.png", ""),
            ("generations/m/story_infer/c.png", ""),
            ("m/story_infer/c.png", ""),
        ] {
            let found = output_path(path).unwrap();
            assert_eq!(
                (found.root, found.model, found.case),
                (root, "m", "c"),
                "{path}"
            );
        }
        for (path, root, stamp) in [
            (
                "E/outputs/eval_res/m/m_2/judgments/story_infer/c/m.json",
                "E",
                "m_2",
            ),
            ("E/outputs/m_2/judgments/story_infer/c/m.json", "E", "m_2"),
            ("m_2/judgments/story_infer/c/m.json", "", "m_2"),
            ("outputs/judgments/story_infer/c/m.json", "", ""),
            ("judgments/story_infer/c/m.json", "", ""),
            ("m/story_infer/c/m.json", "", ""),
            ("story_infer/c/m.json", "", ""),
        ] {
            let found = reply_path(path).unwrap();
            assert_eq!(
                (found.root, found.stamp, found.model),
                (root, stamp, "m"),
                "{path}"
            );
        }
    }

    #[test]
    fn other_files_are_no_outputs_and_no_judgements() {
        for path in [
            "data/story_infer/refs/case_1_RA.png",
            "generations/m/unknown_task/case_1.png",
            "generations/m/story_infer/notes.txt",
        ] {
            assert_eq!(output_path(path), None, "{path}");
        }
        for path in [
            "data/story_infer/cases/case_1.yaml",
            "data/story_infer/simple_candidate_template.json",
            "judgments/story_infer/case_1/m.csv",
            "judgments/other/case_1/m.json",
        ] {
            assert_eq!(reply_path(path), None, "{path}");
        }
        assert_eq!(
            answer_sets_path("d/story_infer/simple_candidate_template.json"),
            Some("d")
        );
        assert_eq!(
            report_path("E/outputs/eval_res/m/m_1/reports/m_summary.csv"),
            Some("m")
        );
        assert_eq!(case_path("story_infer/cases/c.yml"), None);
    }

    #[test]
    fn the_authors_order_of_extensions_holds_and_others_are_told_apart() {
        let rank = |name: &str| output_path(&format!("m/story_infer/{name}")).unwrap().rank;
        assert!(rank("c.png") < rank("c.jpg") && rank("c.jpg") < rank("c.jpeg"));
        assert!(rank("c.jpeg") < rank("c.PNG"));
        assert_eq!(rank("c.webp"), None);
    }

    #[test]
    fn a_bad_card_says_where_and_a_doubtful_one_is_read_with_a_remark() {
        let place = |text: &str| card(text).unwrap_err().0;
        assert_eq!(place("refs: [a.png]\n"), "refs");
        assert_eq!(place("refs: {RA: 1}\n"), "refs.RA");
        assert_eq!(
            place("refs: {RA: a}\nconstraints_hard: none\n"),
            "constraints_hard"
        );
        assert_eq!(place("refs: {RA: a}\ngoal: [x]\n"), "goal");
        assert_eq!(place("just words\n"), "");
        assert!(place("a: b: c\n").starts_with("line 1"));
        let (read, remarks) = card(
            "case_id: 0011\nrefs: {RA: a}\ngoal: no\nconstraints_hard:\ngeneration_prompt: p\n",
        )
        .unwrap();
        assert_eq!((read.case_id.as_str(), read.goal.as_str()), ("9", "False"));
        let places: Vec<&str> = remarks.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, ["case_id", "goal", "constraints_hard"]);
    }

    #[test]
    fn answer_sets_are_read_one_by_one() {
        let text = r#"{"cases": [
            {"case_id": "c1", "background_summary": "b", "positive_candidates": ["p"], "negative_candidates": ["n"]},
            {"case_id": "c2", "positive_candidates": "p"}, 7, {"case_id": "c1", "background_summary": "later"}]}"#;
        let (sets, remarks) = answer_sets(text).unwrap();
        assert_eq!(sets.len(), 1);
        assert_eq!(sets[0].1.background, "later");
        let places: Vec<&str> = remarks.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(
            places,
            ["cases[1].positive_candidates", "cases[2]", "cases[3]"]
        );
        assert_eq!(answer_sets("[]").unwrap_err().0, "cases");
        assert_eq!(answer_sets("{").unwrap_err().0, "line 1, column 2");
    }
}
