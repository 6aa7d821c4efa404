//! Paths → what a file is: `<task>/NNN_0.jpg`, `NNN_prompt.txt`, `NNN_generated.png`, `NNN_gpt_judge.txt`, `types.json`.

use crate::contract::{Layout, Loaded};
use crate::multibanana::MultiBanana;
use juror_model::reply::{REPEATED_KEY, ReplyFile, refuse_text, twice};
use juror_model::sample::{Benchmark, Candidate, Texts};
use juror_model::submission::Submission;
use juror_model::tree::FileTree;
use juror_reading::text::Marks;
use std::collections::{BTreeMap, BTreeSet};

use juror_model::problem::{Problem, Severity};
use juror_reading::py::{self, Value};
use juror_statistics::small::{CollectSmall, SortSmall};

mod benchmark;
mod models;
mod origin;

pub(super) use benchmark::candidates;
pub use origin::ORIGINS;

impl Layout for MultiBanana {
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
        models::read_replies(path, text)
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        // The authors search the text wherever a label is in it, after a byte order mark too.
        refuse_text(marks, replies);
    }
}

/// Picture extensions in the order in which the authors' code tries them; lower case only.
pub const EXTENSIONS: [&str; 6] = [".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp"];

/// Task types with two references.
pub const TWO_REFERENCE_TYPES: [&str; 11] = [
    "add",
    "replace",
    "background",
    "color",
    "material",
    "pose",
    "hair",
    "makeup",
    "tone",
    "style",
    "text",
];

/// What a multi-reference task asks for besides its objects, as the folder names spell it.
pub const STRUCTURES: [&str; 4] = ["object", "local", "global", "back"];

/// Reference counts of the multi-reference tasks.
pub const REFERENCE_COUNTS: std::ops::RangeInclusive<u32> = 3..=8;

/// A task type by its folder name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// `single`, `two-reference` or `multi-reference`.
    pub family: &'static str,
    /// `object`, `local`, `global` or `back`; `None` outside the multi-reference family.
    pub structure: Option<&'static str>,
    /// How many references a set of this type has.
    pub references: u32,
}

/// The task type that a folder of this name holds; `None` if it is none of the 36.
///
/// The two-reference type `background` is also known as `back`, as the paper's Table 5 heads it.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::layout::task;
/// let task = task("5_local").unwrap();
/// assert_eq!((task.family, task.structure, task.references), ("multi-reference", Some("local"), 5));
/// assert!(juror_protocols::multibanana::layout::task("9_local").is_none());
/// ```
pub fn task(name: &str) -> Option<Task> {
    let (family, structure, references) = if name == "single" {
        ("single", None, 1)
    } else if name == "back" || TWO_REFERENCE_TYPES.contains(&name) {
        ("two-reference", None, 2)
    } else {
        let (count, structure) = name.split_once('_')?;
        let structure = STRUCTURES.into_iter().find(|known| *known == structure)?;
        let count = REFERENCE_COUNTS
            .into_iter()
            .find(|known| known.to_string() == count)?;
        ("multi-reference", Some(structure), count)
    };
    Some(Task {
        family,
        structure,
        references,
    })
}

/// The position of a task in the paper's tables; tasks that are not among them come last.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::layout::task_order;
/// assert!(task_order("single") < task_order("add") && task_order("tone") < task_order("3_object"));
/// assert!(task_order("3_back") < task_order("4_object") && task_order("8_back") < task_order("x"));
/// ```
pub fn task_order(name: &str) -> (u32, usize) {
    let Some(task) = task(name) else {
        return (u32::MAX, 0);
    };
    let name = if name == "back" { "background" } else { name };
    let position = match task.structure {
        Some(structure) => STRUCTURES.iter().position(|known| *known == structure),
        None => TWO_REFERENCE_TYPES.iter().position(|known| *known == name),
    };
    (task.references, position.unwrap_or(0))
}

/// What a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role<'a> {
    /// `NNN_k.<ext>`: reference k of set NNN.
    Reference {
        /// Set number, as written.
        number: &'a str,
        /// Index, from 0.
        index: u32,
    },
    /// `NNN_prompt.txt`.
    Prompt {
        /// Set number, as written.
        number: &'a str,
    },
    /// `NNN_generated.<ext>`.
    Generated {
        /// Set number, as written.
        number: &'a str,
    },
    /// `NNN_<judge>_judge.txt`.
    Judge {
        /// Set number, as written.
        number: &'a str,
        /// `gemini`, `gpt`, `qwenvl` or another name.
        judge: &'a str,
    },
    /// `types.json`: difficulty labels.
    Types,
}

/// Reads a file name; letters of the fixed parts may be in any case, as file systems do.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::layout::{Role, role};
/// assert_eq!(role("006_0.jpg"), Some(Role::Reference { number: "006", index: 0 }));
/// assert_eq!(role("006_gpt_judge.txt"), Some(Role::Judge { number: "006", judge: "gpt" }));
/// assert_eq!(role("006.jpg"), None);
/// ```
pub fn role(name: &str) -> Option<Role<'_>> {
    if name.eq_ignore_ascii_case("types.json") {
        return Some(Role::Types);
    }
    if let Some(number) = strip_suffix(name, "_prompt.txt") {
        return Some(Role::Prompt { number }).filter(|_| !number.is_empty());
    }
    if let Some(stem) = strip_suffix(name, "_judge.txt") {
        let (number, judge) = judge_stem(stem)?;
        return Some(Role::Judge { number, judge })
            .filter(|_| !number.is_empty() && !judge.is_empty());
    }
    let stem = EXTENSIONS
        .iter()
        .find_map(|extension| strip_suffix(name, extension))?;
    if let Some(number) = strip_suffix(stem, "_generated") {
        return Some(Role::Generated { number }).filter(|_| !number.is_empty());
    }
    let (number, index) = stem.rsplit_once('_')?;
    let is_index = !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
    let index = index.parse().ok().filter(|_| is_index)?;
    Some(Role::Reference { number, index }).filter(|_| !number.is_empty())
}

/// `NNN_<judge>`: a number of the released data ends at the first `_`; any other at the last.
fn judge_stem(stem: &str) -> Option<(&str, &str)> {
    let (number, judge) = stem.split_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let is_digits_again = judge.starts_with(|c: char| c.is_ascii_digit());
    if is_number && !is_digits_again {
        return Some((number, judge));
    }
    stem.rsplit_once('_')
}

fn strip_suffix<'a>(name: &'a str, suffix: &str) -> Option<&'a str> {
    let at = name.len().checked_sub(suffix.len())?;
    let tail = name.get(at..)?;
    tail.eq_ignore_ascii_case(suffix).then(|| &name[..at])
}

/// The references that the authors' code shows the judge: names from index `start` to the first gap, sorted as text.
///
/// `judge.py` (gemini, gpt) starts at 1 and so leaves out reference 0 of the released data;
/// `qwenvl_judge.py` starts at 0, as the paper means it.
/// Of several extensions the first of [`EXTENSIONS`] counts; sorted as text, `_10` comes before `_2`.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::layout::references;
/// let has = |name: &str| ["006_0.jpg", "006_1.png", "006_3.jpg"].contains(&name);
/// assert_eq!(references("006", 0, has), ["006_0.jpg", "006_1.png"]);
/// assert_eq!(references("006", 1, has), ["006_1.png"]);
/// ```
pub fn references(number: &str, start: u32, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names: Vec<String> = (start..)
        .map_while(|index| first_existing(&format!("{number}_{index}"), &exists))
        .collect();
    names.sort_small();
    names
}

/// The generated picture of a set that the authors' code judges.
pub fn generated(number: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
    first_existing(&format!("{number}_generated"), exists)
}

fn first_existing(stem: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
    EXTENSIONS
        .iter()
        .map(|extension| format!("{stem}{extension}"))
        .find(|name| exists(name))
}

/// The sets that the authors' code finds to judge in a folder: those with a generated picture, sorted as text.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::layout::judged_numbers;
/// assert_eq!(judged_numbers(["b_generated.png", "a_generated_generated.png", "c_generated.JPG"]), ["a", "b"]);
/// ```
pub fn judged_numbers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let numbers: BTreeSet<String> = names
        .into_iter()
        .filter_map(|name| {
            let stem = EXTENSIONS.iter().find_map(|ext| name.strip_suffix(ext))?;
            stem.ends_with("_generated")
                .then(|| stem.replace("_generated", ""))
        })
        .collect_small();
    numbers.into_iter().collect()
}

/// The labels of difficulty that the benchmark has, in the order of its tables.
pub(crate) const DIFFICULTIES: [&str; 5] = ["domain", "scale", "rare", "ling", "font"];

/// Difficulty labels by set number, as `types.json` gives them.
pub type Types = BTreeMap<String, Vec<String>>;

/// Reads a `types.json`: set number → one label, a list of labels, or labels with commas between them.
pub fn types(path: &str, text: &str) -> Result<Types, Box<Problem>> {
    let problem = |place: String, message: String| {
        Box::new(Problem {
            severity: Severity::Warning,
            code: "bad_types".to_owned(),
            path: path.to_owned(),
            place,
            message,
            hint: "The sets of this task have no difficulty tags until the file is fixed; all other scores are unaffected.".to_owned(),
        })
    };
    let value = py::loads(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
        problem(
            format!("line {}, column {}", error.line, error.column),
            format!("This is not JSON: {}.", error.message),
        )
    })?;
    let Value::Dict(entries) = value else {
        let message = format!(
            "Expected an object from set numbers to labels, found {}.",
            value.describe()
        );
        return Err(problem(String::new(), message));
    };
    let mut types = Types::new();
    for (number, value) in entries {
        let wrong = |value: &Value| {
            problem(
                number.clone(),
                format!(
                    "Expected a label or a list of labels, found {}.",
                    value.describe()
                ),
            )
        };
        let texts = match &value {
            Value::Null => Vec::new(),
            Value::Str(text) => vec![text.as_str()],
            Value::List(items) => items
                .iter()
                .map(|item| item.as_str().ok_or_else(|| wrong(item)))
                .collect::<Result<_, _>>()?,
            other => return Err(wrong(other)),
        };
        let mut labels: Vec<String> = texts
            .iter()
            .flat_map(|text| text.split(','))
            .map(|label| label.trim().to_lowercase())
            .filter(|label| !label.is_empty())
            .collect();
        labels.dedup();
        types.insert(number, labels);
    }
    Ok(types)
}

/// A word about a set number that a `types.json` gives twice with different labels; nothing, where it is not JSON at all.
pub(crate) fn repeated_types(path: &str, text: &str) -> Option<Problem> {
    let (_, repeated) = py::loads_noting(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?;
    Some(Problem::new(
        path,
        (REPEATED_KEY, Severity::Warning),
        String::new(),
        format!("{}: the last one counts.", twice(&repeated?)),
        "Remove the labels that are not meant; they decide which groups the set is in.",
    ))
}

/// The labels of a set: its number may be written with or without leading zeros.
pub fn labels<'a>(types: &'a Types, number: &str) -> &'a [String] {
    let bare = |number: &str| {
        let bare = number.trim_start_matches('0');
        if bare.is_empty() { "0" } else { bare }.to_owned()
    };
    types
        .get(number)
        .or_else(|| {
            types
                .iter()
                .find(|(other, _)| bare(other) == bare(number))
                .map(|(_, labels)| labels)
        })
        .map_or(&[], Vec::as_slice)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn there_are_36_task_types() {
        let multi = REFERENCE_COUNTS.flat_map(|x| STRUCTURES.map(|s| format!("{x}_{s}")));
        let names: Vec<String> = ["single"]
            .into_iter()
            .chain(TWO_REFERENCE_TYPES)
            .map(str::to_owned)
            .chain(multi)
            .collect();
        assert_eq!(names.len(), 36);
        assert!(names.iter().all(|name| task(name).is_some()));
        assert_eq!(task("back"), task("background"));
        for wrong in ["2_local", "03_local", "3_light", "Single", "results", ""] {
            assert_eq!(task(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_tell_what_a_file_is() {
        let reference = |number, index| Some(Role::Reference { number, index });
        assert_eq!(role("x_1_0.JPG"), reference("x_1", 0));
        assert_eq!(role("014_10.webp"), reference("014", 10));
        assert_eq!(
            role("014_generated.png"),
            Some(Role::Generated { number: "014" })
        );
        assert_eq!(role("014_prompt.txt"), Some(Role::Prompt { number: "014" }));
        let judge = |number, judge| Some(Role::Judge { number, judge });
        assert_eq!(role("a_b_qwenvl_judge.txt"), judge("a_b", "qwenvl"));
        assert_eq!(role("006_my_judge_judge.txt"), judge("006", "my_judge"));
        assert_eq!(role("006_2_gpt_judge.txt"), judge("006_2", "gpt"));
        assert_eq!(role("types.json"), Some(Role::Types));
        for other in [
            "_judge.txt",
            "_0.jpg",
            "014_.jpg",
            "014_x.jpg",
            "014_0.tif",
            "é.jpg",
            "results_gpt.csv",
        ] {
            assert_eq!(role(other), None, "{other}");
        }
    }

    #[test]
    fn difficulty_labels_come_in_every_form() {
        let text = r#"{"006": "domain", "7": ["scale", "rare"], "008": "Scale, ling", "009": null, "010": ""}"#;
        let types = types("t/types.json", text).unwrap();
        assert_eq!(labels(&types, "006"), ["domain"]);
        assert_eq!(labels(&types, "007"), ["scale", "rare"]);
        assert_eq!(labels(&types, "8"), ["scale", "ling"]);
        assert!(labels(&types, "009").is_empty() && labels(&types, "011").is_empty());
    }

    #[test]
    fn a_bad_types_file_says_where() {
        for (text, place) in [
            ("{\"006\": 3}", "006"),
            ("[1]", ""),
            ("{\n  oops", "line 2, column 3"),
        ] {
            let problem = types("t/types.json", text).unwrap_err();
            assert_eq!((&*problem.path, &*problem.place), ("t/types.json", place));
        }
    }
}
