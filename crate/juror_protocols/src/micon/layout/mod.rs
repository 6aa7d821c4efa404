//! Files → cases, outputs and judgements: `data/<task>/cases/*.yaml`, `generations/<model>/<task>/`, `judgments/<task>/<case>/`.
//!
//! Nothing depends on the folders above these names, so a whole `Evaluation` folder reads like any part of it.

use crate::contract::{Layout, Loaded};
use crate::micon::card::ANSWER_SETS;
use crate::micon::{Micon, Task};
use juror_model::problem::Problem;
use juror_model::reply::{ReplyFile, refuse_json};
use juror_model::sample::{Benchmark, Candidate, Texts};
use juror_model::submission::Submission;
use juror_model::tree::{FileTree, without_end};
use juror_reading::text::Marks;

pub mod benchmark;
pub mod models;
pub mod yaml;

pub(super) use benchmark::candidates;

impl Layout for Micon {
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
/// use juror_protocols::micon::layout::case_path;
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
    (name.eq_ignore_ascii_case(ANSWER_SETS) && task == crate::micon::STORY).then_some(data)
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
    /// Whether the task's folder is in the folder of a task: no output, whatever its name.
    pub is_nested: bool,
}

/// `<…>/generations/<model>/<task>/<case>.png`, or the same without the folders above the model.
///
/// # Example
/// ```
/// use juror_protocols::micon::layout::output_path;
/// let found = output_path("E/outputs/generations/BAGEL/story_infer/case_1.jpg").unwrap();
/// assert_eq!((found.root, found.model, found.case, found.rank), ("E", "BAGEL", "case_1", Some(1)));
/// assert_eq!(output_path("story_infer/case_1.jpg"), None); // names no model
/// ```
pub fn output_path(path: &str) -> Option<OutputPath<'_>> {
    let (folder, name) = split(path);
    let (folder, task) = split(folder);
    let task = Task::find(task)?.id;
    let (folder, is_nested) = outside_tasks(folder);
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
        is_nested,
    })
}

/// The model's folder around a task's, which is never a task's itself, and whether there are folders of tasks between the two.
fn outside_tasks(folder: &str) -> (&str, bool) {
    let mut outside = folder;
    while Task::find(split(outside).1).is_some() {
        outside = split(outside).0;
    }
    (outside, outside != folder)
}

/// The root, the model and the model's folder of a file at any depth in the folder of a task.
///
/// # Example
/// ```
/// use juror_protocols::micon::layout::place_in_task;
/// let found = place_in_task("E/outputs/generations/m/story_infer/case_1/0.png");
/// assert_eq!(found, Some(("E", "m", "E/outputs/generations/m")));
/// assert_eq!(place_in_task("E/outputs/generations/m/notes.txt"), None);
/// ```
pub fn place_in_task(path: &str) -> Option<(&str, &str, &str)> {
    let mut folder = split(path).0;
    while Task::find(split(folder).1).is_none() {
        if folder.is_empty() {
            return None;
        }
        folder = split(folder).0;
    }
    let (folder, _) = outside_tasks(folder);
    let (above, model) = split(folder);
    let root = without(without(above, "generations"), "outputs");
    (!model.is_empty()).then_some((root, model, folder))
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
    /// Whether the task's folder is in the folder of a task: no judgement that counts.
    pub is_nested: bool,
}

/// `<…>/judgments/<task>/<case>/<model>.json` and its companions, in the new and the legacy places.
///
/// # Example
/// ```
/// use juror_protocols::micon::layout::{ReplyKind, reply_path};
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
    let (folder, is_nested) = outside_tasks(folder);
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
        is_nested,
    })
}

/// When the judging of this file began, as its time-stamped folder `<model>_<YYYYmmdd>_<HHMMSS>` says.
///
/// # Example
/// ```
/// use juror_protocols::micon::layout::judged_at;
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

/// A reference's path inside the data folder: a leading `data` (or that folder's own name) is the folder itself.
///
/// An absolute path stays as it is; no file of a source has one.
///
/// # Example
/// ```
/// use juror_protocols::micon::layout::reference_path;
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
    fn a_folder_named_after_a_task_is_no_model() {
        let found = output_path("generations/m/story_infer/story_infer/c.png").unwrap();
        assert_eq!((found.model, found.is_nested), ("m", true));
        let found = reply_path("judgments/story_infer/story_infer/c/m.json").unwrap();
        assert_eq!((found.folder, found.is_nested), ("judgments", true));
        assert!(!output_path("m/story_infer/c.png").unwrap().is_nested);
        assert_eq!(output_path("story_infer/story_infer/c.png"), None);
    }

    #[test]
    fn the_authors_order_of_extensions_holds_and_others_are_told_apart() {
        let rank = |name: &str| output_path(&format!("m/story_infer/{name}")).unwrap().rank;
        assert!(rank("c.png") < rank("c.jpg") && rank("c.jpg") < rank("c.jpeg"));
        assert!(rank("c.jpeg") < rank("c.PNG"));
        assert_eq!(rank("c.webp"), None);
    }
}
