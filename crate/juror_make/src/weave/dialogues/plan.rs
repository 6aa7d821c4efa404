//! Plans of dialogues: what a model is asked for, and the rules that its reply follows.

use std::collections::BTreeSet;

use juror_reading::py::Value;

use super::Item;
use crate::Error;
use crate::reply::object;
use crate::weave::mentions;

/// Steps of a plan, at least.
pub const MIN_STEPS: usize = 3;
/// Steps of a plan, at most.
pub const MAX_STEPS: usize = 6;

/// A turn that makes a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the user asks for, with `Image #k`.
    pub instruction: String,
    /// What can be checked in the picture.
    pub requirement: String,
    /// The pictures that it names, by number.
    pub uses: Vec<usize>,
    /// What of each named picture stays, with the marker `<image>`.
    pub kept: Vec<(usize, String)>,
}

const GRAMMAR: &str = "Pictures are named as Image #k. A requirement is one sentence about what is visible in the new picture; it names no picture by number.";

/// The text that asks for a plan by which something goes and comes back.
pub(super) fn ask_removal(item: &Item) -> String {
    format!(
        "Plan a dialogue of {MIN_STEPS} to {MAX_STEPS} edits of this picture, which is Image #1: {}. Edit number n makes Image #(n + 1). Choose an object X that is clearly visible.\n\n- Each edit is an object with action, instruction and requirement; action is “remove”, “replace”, “other” or “restore”.\n- Exactly one edit removes X or replaces it. A later one, the only “restore”, brings X back from an earlier picture that still has it: its instruction names the picture that is edited and the picture that has X.\n- Every other edit names exactly the one picture that it edits; at least one is about {}.\n- {GRAMMAR}\n\nAnswer with one JSON object only: {{\"object\": X, \"edits\": [{{\"action\": ACTION, \"instruction\": TEXT, \"requirement\": TEXT}}, …]}}",
        item.scene, item.dimension
    )
}

/// The text that asks for alternatives of one picture.
pub(super) fn ask_alternatives(item: &Item) -> String {
    format!(
        "Imagine {} different alternatives of this picture, which is Image #1: {}. They differ in {}.\n\n- Each alternative starts from Image #1, and its instruction names Image #1 and no other picture.\n- Write out what is done in full words; use no notation such as Nf3 or A->B.\n- {GRAMMAR}\n\nAnswer with one JSON object only: {{\"alternatives\": [{{\"instruction\": TEXT, \"requirement\": TEXT}}, …]}}",
        item.alternatives, item.scene, item.dimension
    )
}

/// The text that asks for steps that each need a picture.
pub(super) fn ask_sequence(item: &Item) -> String {
    format!(
        "Plan {MIN_STEPS} to {MAX_STEPS} pictures that follow one another as a story or a procedure about: {}. Step number n makes Image #n.\n\n- The first instruction describes its picture in full and names no other. Every later one names at least one earlier picture that it goes on from.\n- At least one character or main thing can be recognised throughout; the name of each is in the instructions of two steps or more.\n- {GRAMMAR}\n\nAnswer with one JSON object only: {{\"characters\": [NAME, …], \"steps\": [{{\"instruction\": TEXT, \"requirement\": TEXT}}, …]}}",
        item.scene
    )
}

/// The text that asks for a question that compares alternatives.
pub(super) fn ask_comparison() -> String {
    "These pictures are alternatives of the first one. Write a question of the user that compares at least two of them, and the right answer, which can be checked by the pictures. Name pictures as Image #k.\n\nAnswer with one JSON object only: {\"question\": TEXT, \"answer\": TEXT}".to_owned()
}

pub(super) fn text(value: &Value, key: &str) -> Result<String, Error> {
    let text = value.get(key).and_then(Value::as_str).unwrap_or_default();
    match text.trim() {
        "" => Err(Error::reply(format!("Expected “{key}” as a text."))),
        text if text.contains("<image>") => {
            Err(Error::reply(format!("“{key}” has the marker <image>.")))
        }
        text => Ok(text.to_owned()),
    }
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], Error> {
    match value.get(key) {
        Some(Value::List(items)) => Ok(items),
        _ => Err(Error::reply(format!("Expected “{key}” as a list."))),
    }
}

/// A step whose instruction names only pictures up to `last`; `number` counts steps from 1.
pub(super) fn step(value: &Value, number: usize, last: usize) -> Result<Step, Error> {
    let (instruction, requirement) = (text(value, "instruction")?, text(value, "requirement")?);
    let uses: BTreeSet<usize> = mentions(&instruction).into_iter().collect();
    if let Some(k) = uses.iter().find(|k| !(1..=last).contains(*k)) {
        return Err(Error::reply(format!(
            "Step {number} names Image #{k}, which is not there yet."
        )));
    }
    if !mentions(&requirement).is_empty() {
        return Err(Error::reply(format!(
            "The requirement of step {number} names a picture by number."
        )));
    }
    Ok(Step {
        instruction,
        requirement,
        uses: uses.into_iter().collect(),
        kept: Vec::new(),
    })
}

fn counted(steps: &[Value]) -> Result<(), Error> {
    if (MIN_STEPS..=MAX_STEPS).contains(&steps.len()) {
        return Ok(());
    }
    Err(Error::reply(format!(
        "Expected {MIN_STEPS} to {MAX_STEPS} steps, found {}.",
        steps.len()
    )))
}

/// What holds of a picture that is edited.
pub(super) const REST: &str = "Everything that was not asked to change is as in <image>.";

/// A plan by which an object goes and comes back from a picture that still has it.
///
/// # Errors
/// It does not follow the grammar, or the restoring turn does not name the picture that still has the object.
pub fn read_removal(reply: &str) -> Result<Vec<Step>, Error> {
    let plan = object(reply)?;
    let thing = text(&plan, "object")?;
    let edits = list(&plan, "edits")?;
    counted(edits)?;
    // Whether each picture has the object, from Image #1 on.
    let mut has = vec![true];
    let mut restored = 0;
    let mut steps = Vec::new();
    for (number, edit) in (1..).zip(edits) {
        let mut step = step(edit, number, number)?;
        let action = text(edit, "action")?;
        let (with, without): (Vec<usize>, Vec<usize>) =
            step.uses.iter().partition(|k| has[**k - 1]);
        let is_in = match (action.as_str(), &*with, &*without) {
            ("restore", &[donor], &[base]) => {
                restored += 1;
                step.kept = vec![
                    (donor, format!("{thing} is back and looks as in <image>.")),
                    (base, REST.to_owned()),
                ];
                true
            }
            ("restore", ..) => {
                return Err(Error::reply(format!(
                    "The restoring step {number} has to name a picture without “{thing}” and one that still has it."
                )));
            }
            ("remove" | "replace", &[_], &[]) if has.iter().all(|has| *has) => false,
            ("remove" | "replace", ..) => {
                return Err(Error::reply(format!(
                    "Step {number} has to remove “{thing}” for the first time, from one picture."
                )));
            }
            ("other", &[_], &[]) => true,
            ("other", &[], &[_]) => false,
            _ => {
                return Err(Error::reply(format!(
                    "Expected step {number} to be “remove”, “replace”, “other” or “restore” of one picture."
                )));
            }
        };
        if action != "restore" {
            step.kept = step.uses.iter().map(|k| (*k, REST.to_owned())).collect();
        }
        has.push(is_in);
        steps.push(step);
    }
    if restored != 1 {
        return Err(Error::reply(format!(
            "Expected one step that restores “{thing}”, found {restored}."
        )));
    }
    Ok(steps)
}

/// Whether a word is a move in chess notation or an arrow.
fn is_condensed(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let rest = word.trim_start_matches(['K', 'Q', 'R', 'B', 'N']);
    let is_square = |text: &str| matches!(text.as_bytes(), [file, rank] if (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank));
    let target = rest.rsplit_once('x').map_or(rest, |(_, target)| target);
    rest != word && is_square(target) || rest.contains('x') && is_square(target)
}

/// So many alternatives of Image #1.
///
/// # Errors
/// It does not follow the grammar, has another number of them, or uses condensed notation.
pub fn read_alternatives(reply: &str, wanted: usize) -> Result<Vec<Step>, Error> {
    let plan = object(reply)?;
    let alternatives = list(&plan, "alternatives")?;
    if alternatives.len() != wanted {
        return Err(Error::reply(format!(
            "Expected {wanted} alternatives, found {}.",
            alternatives.len()
        )));
    }
    let steps = (1..).zip(alternatives).map(|(number, value)| {
        let mut step = step(value, number, number)?;
        if step.uses != [1] {
            return Err(Error::reply(format!(
                "Alternative {number} has to name Image #1 and no other picture."
            )));
        }
        let mut words = step.instruction.split_whitespace();
        if let Some(word) = words.find(|word| is_condensed(word) || word.contains("->")) {
            return Err(Error::reply(format!(
                "Write “{word}” of alternative {number} out in words."
            )));
        }
        step.kept = vec![(1, REST.to_owned())];
        Ok(step)
    });
    steps.collect()
}

/// Steps that each go on from an earlier picture.
///
/// # Errors
/// It does not follow the grammar, a step has no link, or a character is not in two steps.
pub fn read_sequence(reply: &str) -> Result<Vec<Step>, Error> {
    let plan = object(reply)?;
    let values = list(&plan, "steps")?;
    counted(values)?;
    let mut steps = Vec::new();
    for (number, value) in (1..).zip(values) {
        let mut step = step(value, number, number - 1)?;
        if number > 1 && step.uses.is_empty() {
            return Err(Error::reply(format!(
                "Step {number} names no earlier picture that it goes on from."
            )));
        }
        let kept = "What recurs can be recognised as that of <image>.";
        step.kept = step.uses.iter().map(|k| (*k, kept.to_owned())).collect();
        steps.push(step);
    }
    let characters = list(&plan, "characters")?;
    if characters.is_empty() {
        return Err(Error::reply("Expected at least one name in “characters”."));
    }
    for character in characters {
        let name = character.as_str().unwrap_or_default().trim().to_lowercase();
        let texts = steps.iter().map(|step| step.instruction.to_lowercase());
        if name.is_empty() || texts.filter(|text| text.contains(&name)).count() < 2 {
            return Err(Error::reply(format!(
                "“{name}” has to be in the instructions of two steps or more."
            )));
        }
    }
    Ok(steps)
}

/// A question over so many pictures that compares two of them, and its answer.
///
/// # Errors
/// It does not follow the grammar, or names fewer pictures or one that is not there.
pub fn read_comparison(reply: &str, num_images: usize) -> Result<(String, String), Error> {
    let found = object(reply)?;
    let (question, answer) = (text(&found, "question")?, text(&found, "answer")?);
    let asked: BTreeSet<usize> = mentions(&question).into_iter().collect();
    let mut named = asked.iter().copied().chain(mentions(&answer));
    if let Some(k) = named.find(|k| !(1..=num_images).contains(k)) {
        return Err(Error::reply(format!("There is no Image #{k}.")));
    }
    if asked.len() < 2 {
        return Err(Error::reply(
            "The question has to name at least two pictures as Image #k.",
        ));
    }
    Ok((question, answer))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn removal(restore: &str) -> Value {
        json!({"object": "the cup", "edits": [
            {"action": "remove", "instruction": "Take the cup off Image #1.", "requirement": "No cup."},
            {"action": "other", "instruction": "Make Image #2 darker.", "requirement": "It is dark."},
            {"action": "restore", "instruction": restore, "requirement": "The cup is there."}]})
    }

    #[test]
    fn a_plan_is_kept_only_if_its_restoring_turn_names_the_picture_that_still_has_the_object() {
        let read = |restore: &str| read_removal(&removal(restore).to_string());
        let steps = read("Put the cup of Image #1 into Image #3.").expect("Image #1 has it");
        assert_eq!((steps.len(), &*steps[2].uses), (3, &[1, 3][..]));
        for wrong in [
            "Put the cup of Image #2 into Image #3.",
            "Put the cup back into Image #3.",
            "Put the cup of Image #1 back.",
        ] {
            let told = read(wrong).expect_err(wrong).to_string();
            assert!(told.contains("one that still has it"), "{told}");
        }
        let twice = removal("Put the cup of Image #1 into Image #3.")
            .to_string()
            .replace("other", "remove");
        assert!(read_removal(&twice).is_err());
        assert!(read("Put the cup of Image #1 into Image #4.").is_err());
    }

    #[test]
    fn alternatives_are_written_out() {
        let read = |words: &str| {
            let one =
                json!({"instruction": format!("On Image #1, {words}."), "requirement": "So."});
            read_alternatives(&json!({"alternatives": [one.clone(), one]}).to_string(), 2)
        };
        assert!(read("move the queen to c7").is_ok());
        for words in ["play Qc7", "play Nxf3", "go A->B", "see Image #2"] {
            assert!(read(words).is_err(), "{words}");
        }
    }

    #[test]
    fn a_sequence_links_every_step_and_keeps_its_characters() {
        let plan = json!({"characters": ["Mira"], "steps": [
            {"instruction": "Mira at a desk.", "requirement": "A desk."},
            {"instruction": "Mira of Image #1 walks out.", "requirement": "A door."},
            {"instruction": "The street after Image #2.", "requirement": "A street."}]})
        .to_string();
        assert!(read_sequence(&plan).is_ok());
        for (from, to) in [
            ("Mira of Image #1", "Mira"),
            ("Mira at", "A desk at"),
            ("Image #2", "Image #3"),
        ] {
            assert!(read_sequence(&plan.replace(from, to)).is_err(), "{to}");
        }
        let one = "{\"question\": \"Is Image #1 darker than Image #2?\", \"answer\": \"Yes.\"}";
        assert!(read_comparison(one, 2).is_ok());
        assert!(read_comparison(one, 1).is_err());
        assert!(read_comparison(&one.replace("Image #2", "before"), 2).is_err());
    }
}
