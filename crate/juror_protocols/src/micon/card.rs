//! Case cards and stories' answer sets: read from their files, kept as a sample's details, and read back out of these.

use std::collections::HashMap;

use super::layout::yaml;
use crate::error::Error;
use juror_model::sample::{Picture, Sample};
use juror_reading::keyed::Keyed;
use juror_reading::py::{self, Value};

/// Name of the file with the stories' answer sets, in the story task's folder.
pub const ANSWER_SETS: &str = "simple_candidate_template.json";

/// Labels of a sample's details; each may be followed by a number.
const GOAL: &str = "Goal";
const HARD: &str = "Hard constraint";
const SOFT: &str = "Soft constraint";
const EXPECTATION: &str = "Expectation";
const CASE_ID: &str = "Case id in the card";
const PATH_OF: &str = "Path of";
const BACKGROUND: &str = "The story so far";
const POSITIVE: &str = "Right continuation";
const NEGATIVE: &str = "Wrong continuation";
const NO_ANSWERS: &str = "Answer set";

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
/// use juror_protocols::micon::card::card;
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

/// Answer sets by the case that they are of.
pub(super) type ByCase<'a> = HashMap<&'a str, &'a AnswerSet>;

pub(super) fn by_case(sets: &[(String, AnswerSet)]) -> ByCase<'_> {
    sets.iter().map(|(id, set)| (id.as_str(), set)).collect()
}

/// A card and the case's answer set as the details of its sample, by label; `answers` are the answer sets, if there are any
/// for this task.
pub(super) fn details(
    card: &Card,
    answers: Option<&ByCase<'_>>,
    case: &str,
) -> Vec<(String, String)> {
    let mut details = Vec::new();
    let mut detail = |label: String, text: &str| details.push((label, text.to_owned()));
    if !card.goal.is_empty() {
        detail(GOAL.to_owned(), &card.goal);
    }
    for (label, texts) in [
        (HARD, &card.constraints_hard),
        (SOFT, &card.constraints_soft),
        (EXPECTATION, &card.expectations),
    ] {
        for (number, text) in (1..).zip(texts) {
            detail(format!("{label} {number}"), text);
        }
    }
    if let Some(sets) = answers {
        match sets.get(case) {
            Some(set) => {
                detail(BACKGROUND.to_owned(), &set.background);
                for (label, texts) in [(POSITIVE, &set.positive), (NEGATIVE, &set.negative)] {
                    for (number, text) in (1..).zip(texts) {
                        detail(format!("{label} {number}"), text);
                    }
                }
            }
            None => detail(
                NO_ANSWERS.to_owned(),
                "The file of answer sets has none for this case.",
            ),
        }
    }
    if card.case_id != case {
        detail(CASE_ID.to_owned(), &card.case_id);
    }
    for (name, written) in &card.refs {
        detail(format!("{PATH_OF} {name}"), written);
    }
    details
}

/// The card of a sample, as far as a request shows it.
pub fn card_of(sample: &Sample) -> Card {
    let text = |label: &str| {
        let mut found = sample.details.iter().filter(|(known, _)| known == label);
        found.next().map(|(_, text)| text.clone())
    };
    let case = sample.id.split_once('/').map_or("", |(_, case)| case);
    let path = |picture: &Picture| {
        text(&format!("{PATH_OF} {}", picture.label)).unwrap_or_else(|| picture.path.clone())
    };
    Card {
        case_id: text(CASE_ID).unwrap_or_else(|| case.to_owned()),
        refs: sample
            .pictures
            .iter()
            .map(|picture| (picture.label.clone(), path(picture)))
            .collect(),
        generation_prompt: sample
            .turns
            .first()
            .map(|turn| turn.instruction.clone())
            .unwrap_or_default(),
        goal: text(GOAL).unwrap_or_default(),
        constraints_hard: numbered(sample, HARD),
        constraints_soft: numbered(sample, SOFT),
        expectations: numbered(sample, EXPECTATION),
    }
}

/// A story's answer set.
///
/// # Errors
/// There is none.
pub fn answers_of(sample: &Sample) -> Result<AnswerSet, Error> {
    let background = sample.details.iter().find(|(label, _)| label == BACKGROUND);
    match background {
        Some((_, background)) => Ok(AnswerSet {
            background: background.clone(),
            positive: numbered(sample, POSITIVE),
            negative: numbered(sample, NEGATIVE),
        }),
        None if lacks_answers(sample) => Err(Error::MissingFile(format!(
            "{ANSWER_SETS} has no entry for this case, so there is nothing to compare with; the authors' code counts a candidate score of 0."
        ))),
        None => Err(Error::MissingFile(format!(
            "{ANSWER_SETS} is not at hand; open the data folder that holds it."
        ))),
    }
}

/// Whether the file of answer sets is there and says nothing about this story.
pub fn lacks_answers(sample: &Sample) -> bool {
    sample.details.iter().any(|(label, _)| label == NO_ANSWERS)
}

/// The details whose label is this one with a number.
fn numbered(sample: &Sample, label: &str) -> Vec<String> {
    let is_numbered = |known: &str| {
        let number = known
            .strip_prefix(label)
            .and_then(|rest| rest.strip_prefix(' '));
        number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    let found = sample
        .details
        .iter()
        .filter(|(known, _)| is_numbered(known));
    found.map(|(_, text)| text.clone()).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

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
