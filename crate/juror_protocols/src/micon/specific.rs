//! Checkpoint questions in each case's own words: a file of texts by case, over the generic ones of a prompt pack.
//!
//! Source: the MICON-Bench paper, Table 9: ids, their number and hard marks stay, and only the words change; those of G never do.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Task;
use super::atoms::question;
use super::request::{built_in_pack, checkpoints_of, questions_of};
use crate::error::Error;
use juror_model::problem::{Problem, Severity};
use juror_model::prompt::PromptPack;
use juror_model::sample::Sample;
use juror_model::tree::base_name;

/// The name of the file: `{"TASK/CASE": {"A_check_1": "question", …}, …}`.
pub const SPECIFIC: &str = "micon-specific.json";
/// Cases and checkpoints that a finding names.
const MAX_NAMED: usize = 3;
const HINT: &str = "Write {\"TASK/CASE\": {\"A_check_1\": \"question\"}}, as juror make micon does, and open the file again. Until then the generic checkpoints are asked.";

/// Questions by id, by case.
type Texts = BTreeMap<String, BTreeMap<String, String>>;

/// Whether a file of this path holds questions by case.
pub(super) fn is_specific(path: &str) -> bool {
    base_name(path) == SPECIFIC
}

/// The judge's questions about a case: its own ones where the pack has them, else those of its task.
pub(super) fn questions_about<'a>(pack: &'a PromptPack, task: &Task, case: &str) -> &'a str {
    let own = pack.text(&key(case));
    own.unwrap_or_else(|| questions_of(pack, task))
}

fn key(case: &str) -> String {
    format!("specific {case}")
}

fn texts_of(text: &str) -> Result<Texts, Error> {
    let wrong = |found: &str| {
        let message = format!("Expected questions by case and id, found {found}.");
        Error::Form(message)
    };
    let value: Value = serde_json::from_str(text).map_err(|cause| wrong(&cause.to_string()))?;
    let cases = value.as_object().ok_or_else(|| wrong("no object"))?;
    if cases.is_empty() {
        return Err(wrong("no case"));
    }
    let mut texts = Texts::new();
    for (case, own) in cases {
        let own = own.as_object().ok_or_else(|| wrong(case))?;
        let questions = texts.entry(case.clone()).or_default();
        for (id, question) in own {
            let question = question.as_str().ok_or_else(|| wrong(case))?;
            questions.insert(id.clone(), question.to_owned());
        }
    }
    Ok(texts)
}

fn task_of_case(case: &str) -> Option<&'static Task> {
    Task::find(case.split_once('/')?.0)
}

/// Why a question is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Id,
    Overall,
    Form,
}

impl Fault {
    fn code(self) -> &'static str {
        match self {
            Self::Id => "unknown_checkpoint",
            Self::Overall => "specific_overall",
            Self::Form => "specific_form",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Id => "the task of the case has no such checkpoint",
            Self::Overall => "questions of G are the same for all cases",
            Self::Form => "a question is one line of text without the id of a checkpoint",
        }
    }
}

/// The questions of a case that differ from the generic ones, or why one cannot be asked.
struct Own<'a> {
    changed: BTreeMap<&'a str, &'a str>,
    faults: Vec<(Fault, &'a str)>,
}

/// Reads the questions of a case; what is the generic question of any of the packs is no question of its own.
fn own<'a>(task: &Task, texts: &'a BTreeMap<String, String>, packs: &[&PromptPack]) -> Own<'a> {
    let mut found = Own {
        changed: BTreeMap::new(),
        faults: Vec::new(),
    };
    let known: Vec<&str> = task
        .checkpoints()
        .map(|(at, _)| super::CHECKPOINT_IDS[at])
        .collect();
    for (id, text) in texts {
        let text = text.trim();
        let is_generic = || {
            let mut packs = packs.iter();
            packs.any(|pack| question(questions_of(pack, task), id) == text)
        };
        if !known.contains(&id.as_str()) {
            found.faults.push((Fault::Id, id));
            continue;
        }
        if is_generic() {
            continue;
        }
        if id.starts_with('G') {
            found.faults.push((Fault::Overall, id));
        } else if text.is_empty() || text.lines().count() > 1 || !checkpoints_of(text).is_empty() {
            found.faults.push((Fault::Form, id));
        } else {
            found.changed.insert(id, text);
        }
    }
    found
}

/// A pack with the questions of such a file for its cases; `None` where the file has none.
///
/// # Example
/// ```
/// use juror_protocols::contract::{Requests, TextsBySample};
/// use juror_protocols::micon::Micon;
/// let pack = Micon.built_in_pack();
/// let text = r#"{"object_composition/case_0001": {"A_check_1": "Can the fox and the ball be seen?"}}"#;
/// let own = Micon.laid_over(&pack, "made/micon-specific.json", text).unwrap();
/// assert_ne!(own.info.sha256, pack.info.sha256);
/// assert_eq!(Micon.laid_over(&pack, "micon-specific.json", "[]"), None);
/// ```
pub(super) fn laid_over(pack: &PromptPack, path: &str, text: &str) -> Option<PromptPack> {
    let built_in = built_in_pack();
    let mut texts = Vec::new();
    for (case, own_texts) in &texts_of(text).ok()? {
        let Some(task) = task_of_case(case) else {
            continue;
        };
        let own = own(task, own_texts, &[pack, &built_in]);
        if !own.changed.is_empty() {
            texts.push((
                key(case),
                with_own(questions_of(pack, task), task, &own.changed),
            ));
        }
    }
    let is_own_base = pack.info.sha256 == built_in.info.sha256;
    let name = if is_own_base {
        path.to_owned()
    } else {
        format!("{path}, over {}", pack.info.name)
    };
    Some(pack.with(&name, texts))
}

/// The generic questions with some replaced; ids, marks and headings stay.
fn with_own(generic: &str, task: &Task, own: &BTreeMap<&str, &str>) -> String {
    let ids = || task.checkpoints().map(|(at, _)| super::CHECKPOINT_IDS[at]);
    let line = |line: &str| {
        let text = line.trim_start_matches(['-', ' ']);
        let id = ids().find(|id| {
            let rest = text.strip_prefix(id);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        });
        let question = id.and_then(|id| own.get(id));
        match (question, line.split_once(':')) {
            (Some(question), Some((head, _))) => format!("{head}: {question}"),
            _ => line.to_owned(),
        }
    };
    let lines: Vec<String> = generic.lines().map(line).collect();
    lines.join("\n")
}

/// What of such a file is not asked, and why; cases that it does not list are a note.
pub(super) fn problems(path: &str, text: &str, samples: &[Sample]) -> Vec<Problem> {
    let problem = |(code, severity): (&str, Severity), place: String, message: String| {
        Problem::new(path, (code, severity), place, message, HINT)
    };
    let texts = match texts_of(text) {
        Ok(texts) => texts,
        Err(error) => {
            let kind = ("bad_specific_texts", Severity::Error);
            return vec![problem(kind, String::new(), error.to_string())];
        }
    };
    let mut found = Vec::new();
    let is_known = |case: &String| samples.iter().any(|sample| sample.id == *case);
    let unknown: Vec<&str> = texts
        .keys()
        .filter(|case| !is_known(case))
        .map(String::as_str)
        .collect();
    if !unknown.is_empty() {
        found.push(problem(
            ("unknown_case", Severity::Warning),
            named(&unknown),
            "These cases are not in the benchmark that is open, so nothing asks their questions."
                .to_owned(),
        ));
    }
    let built_in = built_in_pack();
    let mut faults: BTreeMap<Fault, Vec<String>> = BTreeMap::new();
    for (case, own_texts) in texts.iter().filter(|(case, _)| is_known(case)) {
        let Some(task) = task_of_case(case) else {
            continue;
        };
        for (fault, id) in own(task, own_texts, &[&built_in]).faults {
            faults
                .entry(fault)
                .or_default()
                .push(format!("{case} {id}"));
        }
    }
    for (fault, places) in faults {
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        let message = format!(
            "The generic question is asked in place of this one: {}.",
            fault.message()
        );
        found.push(problem(
            (fault.code(), Severity::Warning),
            named(&places),
            message,
        ));
    }
    let missing = samples
        .iter()
        .filter(|one| !texts.contains_key(&one.id))
        .count();
    if missing > 0 {
        let message = format!(
            "{missing} of {} cases have no questions of their own in it and are asked the generic ones.",
            samples.len()
        );
        let kind = ("cases_without_texts", Severity::Note);
        found.push(problem(kind, String::new(), message));
    }
    found
}

/// The first few, and how many more.
fn named(all: &[&str]) -> String {
    let first = all[..all.len().min(MAX_NAMED)].join(", ");
    match all.len().saturating_sub(MAX_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const CASE: &str = "object_composition/case_0001";
    const FOX: &str = "Can the fox and the ball be seen?";

    fn sample(id: &str) -> Sample {
        Sample {
            id: id.to_owned(),
            domain: id.split_once('/').unwrap().0.to_owned(),
            category: "".into(),
            tags: Vec::new(),
            details: Vec::new(),
            pictures: Vec::new(),
            turns: Vec::new(),
        }
    }

    fn file(id: &str, question: &str) -> String {
        serde_json::json!({CASE: {id: question}}).to_string()
    }

    /// Codes of the findings about a file with one question.
    fn codes(text: &str, samples: &[&str]) -> Vec<String> {
        let samples: Vec<Sample> = samples.iter().map(|id| sample(id)).collect();
        let found = problems("made/micon-specific.json", text, &samples).into_iter();
        let said = found.inspect(|one| {
            assert!(one.path == "made/micon-specific.json" && one.hint.contains("A_check_1"));
        });
        said.map(|one| one.code).collect()
    }

    #[test]
    fn a_case_is_asked_its_own_question_under_the_same_ids_and_marks() {
        let (pack, task) = (built_in_pack(), task_of_case(CASE).unwrap());
        let own = laid_over(&pack, "x/micon-specific.json", &file("A_check_1", FOX)).unwrap();
        let (generic, specific) = (questions_of(&pack, task), questions_about(&own, task, CASE));
        assert_eq!(checkpoints_of(generic), checkpoints_of(specific));
        assert!(specific.contains(&format!("\n- A_check_1 (H1): {FOX}\n")));
        assert_eq!(question(specific, "A_check_1"), FOX);
        let changed = generic.lines().zip(specific.lines());
        assert_eq!(changed.filter(|(a, b)| a != b).count(), 1);
        assert_eq!(
            questions_about(&own, task, "object_composition/case_0002"),
            generic,
            "a case that is not listed keeps the generic questions"
        );
        assert_ne!(own.info.sha256, pack.info.sha256);
        assert!(!own.info.official && own.info.name == "x/micon-specific.json");
    }

    #[test]
    fn questions_that_are_the_generic_ones_leave_the_pack_as_it_is() {
        let (pack, task) = (built_in_pack(), task_of_case(CASE).unwrap());
        for id in ["A_check_2", "G_check_1"] {
            let text = file(id, question(questions_of(&pack, task), id));
            let same = laid_over(&pack, "micon-specific.json", &text).unwrap();
            assert_eq!(same.info.sha256, pack.info.sha256);
            assert!(codes(&text, &[CASE]).is_empty());
        }
    }

    #[test]
    fn what_cannot_be_asked_is_named_with_the_file_and_keeps_the_generic_question() {
        let pack = built_in_pack();
        for (id, text, code) in [
            ("A_check_9", FOX, "unknown_checkpoint"),
            ("E_check_1", FOX, "unknown_checkpoint"),
            ("G_check_1", FOX, "specific_overall"),
            ("A_check_1", " ", "specific_form"),
            (
                "A_check_1",
                "Is the fox there?\nAnd the ball?",
                "specific_form",
            ),
            ("A_check_1", "As in B_check_1?", "specific_form"),
        ] {
            let text = file(id, text);
            assert_eq!(codes(&text, &[CASE]), [code], "{text}");
            let own = laid_over(&pack, "micon-specific.json", &text).unwrap();
            assert_eq!(own.info.sha256, pack.info.sha256, "{text}");
        }
        let right = file("A_check_1", FOX);
        assert!(codes(&right, &[CASE]).is_empty());
        let other = "object_composition/case_0002";
        assert_eq!(codes(&right, &[CASE, other]), ["cases_without_texts"]);
        assert_eq!(codes(&right, &[other])[0], "unknown_case");
    }

    #[test]
    fn a_file_of_another_form_makes_no_pack_and_is_an_error() {
        for text in [
            "",
            "[]",
            "{}",
            "{\"a/b\": \"x\"}",
            "{\"a/b\": {\"A_check_1\": 1}}",
        ] {
            assert_eq!(
                laid_over(&built_in_pack(), "micon-specific.json", text),
                None
            );
            assert_eq!(codes(text, &[CASE]), ["bad_specific_texts"], "{text}");
        }
    }
}
