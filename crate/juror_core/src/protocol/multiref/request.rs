//! A sample → what the judge is asked: the task, the instruction, the named inputs, the generated picture.
//!
//! The authors published no prompt, so the text is Juror's own; order and scale follow the paper.

use crate::prompt::PromptPack;

/// The kind of text in a prompt pack.
pub const TEXT: &str = "judge";

/// One part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<P> {
    /// Text.
    Text(String),
    /// An input, by its position in the sample.
    Input(P),
    /// The generated picture.
    Output(P),
}

/// The parts of the one user message: text, instruction, then `<name>:` and picture for each input, the output last.
///
/// # Example
/// ```
/// use juror_core::protocol::multiref::request::{Part, parts};
/// let parts = parts("Rate.", "Put <image2> on <image1>.", vec![("image1", 'a'), ("image2", 'b')], 'c');
/// assert_eq!(parts[1], Part::Text("<image1>:".to_owned()));
/// assert_eq!(parts[4], Part::Input('b'));
/// assert_eq!(parts.last(), Some(&Part::Output('c')));
/// ```
pub fn parts<P>(
    prompt: &str,
    instruction: &str,
    inputs: Vec<(&str, P)>,
    output: P,
) -> Vec<Part<P>> {
    let mut parts = vec![Part::Text(format!(
        "{prompt}\n\nInstruction: {instruction}\n\nInput pictures:"
    ))];
    for (name, picture) in inputs {
        parts.push(Part::Text(format!("<{name}>:")));
        parts.push(Part::Input(picture));
    }
    parts.push(Part::Text("Generated picture:".to_owned()));
    parts.push(Part::Output(output));
    parts
}

/// Juror's own wording.
pub fn built_in() -> PromptPack {
    let texts = vec![(
        TEXT.to_owned(),
        include_str!("prompts/judge.txt").to_owned(),
    )];
    PromptPack::new("juror-multiref/1", false, texts)
}
