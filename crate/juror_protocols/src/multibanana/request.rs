//! A set → what the judge is asked: text A, the references, text B with the instruction, the generated picture, text C.

use super::{LABELS, REQUEST};
use crate::contract::Requests;
use crate::error::Error;
use crate::multibanana::{CRITERIA, MultiBanana};
use crate::output;
use juror_model::judge::{JudgePreset, Wire};
use juror_model::linked::World;
use juror_model::prompt::{self, PromptPack, Release};
use juror_model::request::{Draft, GeneratorInput, InputKey, PartView, RequestKey, Treatment};
use juror_model::sample::{Picture, Sample, Span, Turn};
use juror_model::terms::RequestInfo;
use juror_model::tree::{base_name, join};
use juror_statistics::small::SortSmall;

/// The authors' judge texts.
const RELEASES: &[Release] = &[Release {
    sha256: "19c123e7166f1f8a18888e9beffa7fdd9bc4afc5d2a4c8ff5caf279ce91138b7",
    source: "matsuolab/multibanana f312acd2832acbfd88b7cdb4a9e191d4ecd8a2b2 judge.py",
}];

impl Requests for MultiBanana {
    fn requests(&self) -> Vec<RequestInfo> {
        let mut criteria: Vec<String> = CRITERIA.iter().map(|id| (*id).to_owned()).collect();
        criteria.push("total".to_owned());
        vec![RequestInfo {
            id: REQUEST.to_owned(),
            short: "Judge".to_owned(),
            label: "Judge, five criteria".to_owned(),
            criteria,
        }]
    }

    fn requests_of(&self, _sample: &Sample, _turn: &Turn) -> Vec<&'static str> {
        vec![REQUEST]
    }

    fn built_in_pack(&self) -> PromptPack {
        built_in()
    }

    /// Whether a file of this path may hold the authors' judge texts.
    fn may_hold_prompts(&self, path: &str) -> bool {
        let name = base_name(path);
        name == "judge.py" || FILES.contains(&name)
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        official(files)
    }

    /// The request about one set of one model.
    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error> {
        let (_, sample, slot, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("set", &key.sample))?;
        if key.criterion != REQUEST {
            return Err(Error::unknown("request", &key.criterion));
        }
        if turn.instruction.is_empty() && world.benchmark.list.is_none() {
            return Err(Error::MissingFile(
                "The benchmark's folder was not opened, so neither prompt nor references are known."
                    .to_owned(),
            ));
        }
        let mut notes = Vec::new();
        let references: Vec<PartView> = shown(&sample.pictures)
            .into_iter()
            .map(|(number, picture)| part(world, picture, number))
            .collect();
        match references.len() {
            0 => notes.push("No reference is among the files: the authors' script does not judge such a set.".to_owned()),
            1 => notes.push("The authors' judge.py counts references from 1 and would not judge this set at all.".to_owned()),
            _ => notes.push("The authors' judge.py counts references from 1 and would leave out the first one; this request has them all, as the paper says.".to_owned()),
        }
        let (file, path) = output::asked(world, key, slot, &turn.output_name);
        if file.is_none() {
            notes.push(format!(
                "The generated picture {path} is missing: the authors' script does not judge this set."
            ));
        }
        let output = PartView::Image {
            file,
            path,
            role: "output".to_owned(),
            number: None,
            treatment: Treatment::AsIs,
            other: None,
        };
        let parts = parts(pack, &turn.instruction, references, output)?;
        let parts = parts.into_iter().map(|part| match part {
            RequestPart::Text(text) => PartView::Text { text },
            RequestPart::Reference(picture) | RequestPart::Output(picture) => picture,
        });
        Ok(Draft {
            system: None,
            parts: parts.collect(),
            notes,
        })
    }

    /// What a generator is given: the references, then the instruction.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
        let (_, sample, _, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("set", &key.sample))?;
        let pictures = (1..).zip(&sample.pictures);
        let mut parts: Vec<PartView> = pictures
            .map(|(number, picture)| part(world, picture, number))
            .collect();
        parts.push(PartView::Text {
            text: turn.instruction.clone(),
        });
        Ok(GeneratorInput::one_message(parts, Vec::new()))
    }

    fn class(&self, _turn: &Turn) -> &'static str {
        "multi-reference"
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        spans(text)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new(
                "gemini",
                "Gemini 2.5 Flash",
                Wire::Gemini,
                "gemini-2.5-flash",
            ),
            JudgePreset::new(
                "gpt",
                "GPT-5 (2025-08-07)",
                Wire::OpenAi,
                "gpt-5-2025-08-07",
            )
            .extra("max_completion_tokens", 8192),
            JudgePreset::new(
                "qwenvl",
                "Qwen3-VL-8B",
                Wire::OpenAi,
                "Qwen/Qwen3-VL-8B-Instruct",
            )
            .max_tokens(1024)
            .note(
                "The authors run it locally in bfloat16 with the model's own settings of sampling.",
            ),
        ]
    }
}

/// The kinds of text in a prompt pack, in the order in which a request has them.
pub const TEXTS: [&str; 3] = ["judge_a", "judge_b", "judge_c"];

/// Where text B has the instruction.
const FIELD: &str = "{instruction}";

/// The authors' texts as files of their own.
const FILES: [&str; 3] = ["prompt_a.txt", "prompt_b.txt", "prompt_c.txt"];

/// One part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestPart<P> {
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
/// use juror_protocols::multibanana::request::{RequestPart, built_in, parts};
/// let parts = parts(&built_in(), "A cat.", vec!["0.jpg", "1.jpg"], "out.png").unwrap();
/// assert_eq!(parts.len(), 6);
/// assert_eq!(parts[2], RequestPart::Reference("1.jpg"));
/// assert!(matches!(&parts[3], RequestPart::Text(text) if text.contains("A cat.")));
/// assert_eq!(parts[4], RequestPart::Output("out.png"));
/// ```
pub fn parts<P>(
    pack: &PromptPack,
    instruction: &str,
    references: Vec<P>,
    output: P,
) -> Result<Vec<RequestPart<P>>, Error> {
    let text = |kind: &str| {
        pack.text(kind)
            .map(str::to_owned)
            .ok_or_else(|| Error::no_prompt(kind))
    };
    let [a, b, c] = TEXTS;
    let mut parts = vec![RequestPart::Text(text(a)?)];
    parts.extend(references.into_iter().map(RequestPart::Reference));
    parts.push(RequestPart::Text(text(b)?.replace(FIELD, instruction)));
    parts.push(RequestPart::Output(output));
    parts.push(RequestPart::Text(text(c)?));
    Ok(parts)
}

/// Juror's own wording, with the protocol's reply grammar.
pub fn built_in() -> PromptPack {
    let texts = [
        include_str!("prompts/judge_a.txt"),
        include_str!("prompts/judge_b.txt"),
        include_str!("prompts/judge_c.txt"),
    ];
    PromptPack::new("juror-multibanana/1", named(texts))
}

fn named(texts: [&str; 3]) -> Vec<(String, String)> {
    TEXTS
        .iter()
        .zip(texts)
        .map(|(kind, text)| ((*kind).to_owned(), text.to_owned()))
        .collect()
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
        return Some(PromptPack::found(path, named([a, b, c]), RELEASES));
    }
    let file = |name: &str| files.iter().find(|(path, _)| base_name(path) == name);
    let [a, b, c] = FILES.map(file);
    let texts = [a?.1, b?.1, c?.1];
    is_complete(&texts).then(|| PromptPack::found(a.map_or("", |a| a.0), named(texts), RELEASES))
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

/// The references with their numbers, in the authors' order: file names sorted as text.
fn shown(pictures: &[Picture]) -> Vec<(u32, &Picture)> {
    let mut shown: Vec<(u32, &Picture)> = (1..).zip(pictures).collect();
    shown.sort_small_by_key(|(_, picture)| base_name(&picture.path));
    shown
}

fn part(world: &World<'_>, picture: &Picture, number: u32) -> PartView {
    PartView::Image {
        file: picture.file,
        path: join(&world.benchmark.folder, &picture.path),
        role: "dataset".to_owned(),
        number: Some(number),
        treatment: Treatment::AsIs,
        other: None,
    }
}

/// An instruction with its mentions of `image 1`, `Image 2`, … marked; they are numbered from 1.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut plain = 0;
    let lower = text.to_ascii_lowercase();
    for (at, word) in lower.match_indices("image") {
        let behind = &lower[at + word.len()..];
        let digits = behind.trim_start_matches([' ', '#']);
        let skipped = behind.len() - digits.len();
        let len = digits.bytes().take_while(u8::is_ascii_digit).count();
        let number = digits[..len].parse().ok().filter(|number| *number > 0);
        if skipped > 2 || number.is_none() || at < plain {
            continue;
        }
        let end = at + word.len() + skipped + len;
        if at > plain {
            spans.push(Span {
                text: text[plain..at].to_owned(),
                picture: None,
            });
        }
        spans.push(Span {
            text: text[at..end].to_owned(),
            picture: number,
        });
        plain = end;
    }
    if plain < text.len() {
        spans.push(Span {
            text: text[plain..].to_owned(),
            picture: None,
        });
    }
    spans
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
        assert!(!pack.info.official, "not the authors' own words");
        assert_eq!(official(&files[..2]), None);
        assert_eq!(official(&[("judge.py", "print('hello')")]), None);
    }

    #[test]
    fn mentions_of_pictures_are_marked() {
        let found = spans("The cat of Image 1 on image2, an image.");
        let marked: Vec<_> = found
            .iter()
            .map(|span| (&*span.text, span.picture))
            .collect();
        assert_eq!(
            marked,
            [
                ("The cat of ", None),
                ("Image 1", Some(1)),
                (" on ", None),
                ("image2", Some(2)),
                (", an image.", None),
            ]
        );
    }

    #[test]
    fn the_built_in_texts_are_complete() {
        let pack = built_in();
        let texts = TEXTS.map(|kind| pack.text(kind).unwrap());
        assert!(is_complete(&texts));
    }
}
