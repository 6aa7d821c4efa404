//! The judge texts that the authors keep as string constants of their Python files; nothing is executed.

use super::TASKS;
use super::request::{HARD_HEADING, guideline_key};
use juror_model::prompt;

/// The guidelines of all tasks and the heading of hard constraints in the authors' `build_prompts.py`; nothing is executed.
pub(super) fn builder_texts(source: &str) -> Option<Vec<(String, String)>> {
    let mut texts = Vec::new();
    for task in &TASKS {
        let guideline = [format!("\"{}\"", task.id), format!("'{}'", task.id)]
            .iter()
            .flat_map(|key| {
                source
                    .match_indices(key.as_str())
                    .map(|(at, key)| at + key.len())
            })
            .find_map(|after| {
                let value = source[after..].trim_start().strip_prefix(':')?.trim_start();
                let quote = ["\"\"\"", "'''"]
                    .into_iter()
                    .find(|quote| value.starts_with(quote))?;
                let end = value[3..].find(quote)? + 6;
                prompt::python_literals(&value[..end]).into_iter().next()
            })?;
        texts.push((guideline_key(task), guideline));
    }
    let function = source.split_once("def _format_goal_constraints")?.1;
    let heading = prompt::python_literals(function)
        .into_iter()
        .find(|text| text.ends_with(':') && !text.contains('{'))?;
    texts.push((HARD_HEADING.to_owned(), heading));
    Some(texts)
}

/// The story request in the authors' `candidate_evaluator.py`, with our names for its fields; nothing is executed.
pub(super) fn candidate_text_of(source: &str) -> Option<String> {
    let function = source.split_once("def _build_evaluation_prompt")?.1;
    let literals = prompt::python_literals(function);
    let at = |wanted: &str| literals.iter().position(|text| text == wanted);
    let (positive, negative) = (at("{i}. {pos}\n")?, at("{i}. {neg}\n")?);
    let head = literals.get(positive.checked_sub(1)?)?;
    let middle = literals.get(negative.checked_sub(1)?)?;
    let tail = literals.get(negative + 1)?;
    if negative != positive + 2 || !head.contains("{background}") {
        return None;
    }
    let head = head
        .replace("{len(reference_images)}", "{NUM_REFERENCES}")
        .replace("{background}", "{BACKGROUND}");
    Some(format!("{head}{{POSITIVE}}{middle}{{NEGATIVE}}{tail}"))
}

/// The system message in the authors' `candidate_evaluator.py`.
pub(super) fn system_text_of(source: &str) -> Option<String> {
    let literals = prompt::python_literals(source);
    let found = literals
        .windows(3)
        .find(|words| words[0] == "system" && words[1] == "content")?;
    Some(found[2].clone())
}
