//! A set → what the judge is asked: text A, the references, text B with the instruction, the generated picture, text C.

use super::LABELS;
use crate::prompt::{self, PromptPack};
use crate::tree::base_name;

/// The kinds of text in a prompt pack, in the order in which a request has them.
pub const TEXTS: [&str; 3] = ["judge_a", "judge_b", "judge_c"];

/// Where text B has the instruction.
const FIELD: &str = "{instruction}";

/// The authors' texts as files of their own.
const FILES: [&str; 3] = ["prompt_a.txt", "prompt_b.txt", "prompt_c.txt"];

/// One part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<P> {
    /// Text.
    Text(String),
    /// A reference, in order.
    Reference(P),
    /// The generated picture.
    Output(P),
}

/// The parts of the one user message, in order.
///
/// # Errors
/// The name of a text that the pack does not have.
///
/// # Example
/// ```
/// use juror_core::protocol::multibanana::request::{Part, built_in, parts};
/// let parts = parts(&built_in(), "A cat.", vec!["0.jpg", "1.jpg"], "out.png").unwrap();
/// assert_eq!(parts.len(), 6);
/// assert_eq!(parts[2], Part::Reference("1.jpg"));
/// assert!(matches!(&parts[3], Part::Text(text) if text.contains("A cat.")));
/// assert_eq!(parts[4], Part::Output("out.png"));
/// ```
pub fn parts<P>(
    pack: &PromptPack,
    instruction: &str,
    references: Vec<P>,
    output: P,
) -> Result<Vec<Part<P>>, String> {
    let text = |kind: &str| {
        pack.text(kind)
            .map(str::to_owned)
            .ok_or_else(|| format!("The prompt pack has no text for {kind}."))
    };
    let [a, b, c] = TEXTS;
    let mut parts = vec![Part::Text(text(a)?)];
    parts.extend(references.into_iter().map(Part::Reference));
    parts.push(Part::Text(text(b)?.replace(FIELD, instruction)));
    parts.push(Part::Output(output));
    parts.push(Part::Text(text(c)?));
    Ok(parts)
}

/// Juror's own wording, with the protocol's reply grammar.
pub fn built_in() -> PromptPack {
    let texts = [
        include_str!("prompts/judge_a.txt"),
        include_str!("prompts/judge_b.txt"),
        include_str!("prompts/judge_c.txt"),
    ];
    PromptPack::new("juror-multibanana/1", false, named(texts))
}

fn named(texts: [&str; 3]) -> Vec<(String, String)> {
    TEXTS
        .iter()
        .zip(texts)
        .map(|(kind, text)| ((*kind).to_owned(), text.to_owned()))
        .collect()
}

/// Whether a file of this path may hold the authors' judge texts.
pub fn may_hold_prompts(path: &str) -> bool {
    let name = base_name(path);
    name == "judge.py" || FILES.contains(&name)
}

/// The authors' judge texts, out of `judge.py` or of three text files.
///
/// In the program they are the string before, the string with, and the string behind the one that has `{instruction}`.
pub fn official(files: &[(&str, &str)]) -> Option<PromptPack> {
    let program = files
        .iter()
        .filter(|(path, _)| base_name(path) == "judge.py")
        .find_map(|(path, source)| Some((*path, in_program(source)?)));
    if let Some((path, texts)) = program {
        let [a, b, c] = &texts;
        return Some(PromptPack::new(path, true, named([a, b, c])));
    }
    let file = |name: &str| files.iter().find(|(path, _)| base_name(path) == name);
    let [a, b, c] = FILES.map(file);
    let texts = [a?.1, b?.1, c?.1];
    is_complete(&texts).then(|| PromptPack::new(a.map_or("", |a| a.0), true, named(texts)))
}

fn in_program(source: &str) -> Option<[String; 3]> {
    let source = source.replace("\r\n", "\n");
    let literals = prompt::python_literals(&source);
    let at = literals.iter().position(|text| text.contains(FIELD))?;
    let texts = [
        literals.get(at.checked_sub(1)?)?,
        &literals[at],
        literals.get(at + 1)?,
    ];
    is_complete(&texts.map(String::as_str)).then(|| texts.map(String::clone))
}

/// Text B takes the instruction and text C asks for every label.
fn is_complete(texts: &[&str; 3]) -> bool {
    texts[1].contains(FIELD)
        && LABELS
            .iter()
            .all(|label| texts[2].contains(&format!("{label}:")))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_in_a_program_and_in_files() {
        let c = LABELS.map(|label| format!("{label}: <n>.\n")).concat();
        let program = format!(
            "X = ['.jpg']\n\ndef texts(instruction):\n    a = f\"\"\"First \n Images:\"\"\"\n\n    b = f\"\"\"Do: {{instruction}}\nSee:\"\"\"\n    c = \"\"\"\n{c}\"\"\"\n    return a, b, c\n"
        );
        let pack = official(&[("up/judge.py", &program)]).unwrap();
        assert_eq!(pack.text("judge_a"), Some("First \n Images:"));
        assert_eq!(pack.text("judge_b"), Some("Do: {instruction}\nSee:"));
        assert_eq!(pack.text("judge_c"), Some(format!("\n{c}").as_str()));
        let files = [
            ("p/prompt_a.txt", "First \n Images:"),
            ("p/prompt_b.txt", "Do: {instruction}\nSee:"),
            ("p/prompt_c.txt", &format!("\n{c}")),
        ];
        let again = official(&files).unwrap();
        assert_eq!(pack.info.sha256, again.info.sha256);
        assert!(pack.info.official);
        assert_eq!(official(&files[..2]), None);
        assert_eq!(official(&[("judge.py", "print('hello')")]), None);
    }

    #[test]
    fn the_built_in_texts_are_complete() {
        let pack = built_in();
        let texts = TEXTS.map(|kind| pack.text(kind).unwrap());
        assert!(is_complete(&texts));
    }
}
