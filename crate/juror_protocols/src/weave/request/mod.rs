//! A turn → what the judge is asked: text and pictures in the exact order.
//!
//! Key point and visual consistency: prompt, then the numbered requirements, cut at every `<image>`;
//! the generated picture fills the first marker, each requirement's reference the next.
//!
//! A picture that cannot be read is treated as a missing one: it is left out and the rest is asked. The authors' code leaves
//! out what is missing, but stops at what is cut off and drops the dialogue with all its turns; a score should not depend on
//! which of the two befell an earlier picture.

use crate::contract::Requests;
use crate::contract::Scoring as _;
use crate::error::Error;
use crate::output;
use crate::weave::{ACC, CRITERIA, IQ, PROMPT_NAMES, Weave};
use juror_model::judge::{JudgePreset, Wire};
use juror_model::linked::World;
use juror_model::prompt;
use juror_model::prompt::{PromptPack, Release};
use juror_model::request::{Draft, GeneratorInput, InputKey, PartView, RequestKey, Treatment};
use juror_model::sample::{Compare, Sample, Span, Turn, TurnKind};
use juror_model::terms::RequestInfo;
use juror_model::tree::{base_name, join};

pub mod context;

/// Where a picture belongs in a prompt.
const MARKER: &str = "<image>";

/// The authors' judge texts.
const RELEASES: &[Release] = &[Release {
    sha256: "3855d33c444855eacfa0de8787941f360787158874a86840392c498894599235",
    source: "weichow23/weave dfc17dd997f754f4860e195a412d414d074eb9ae eval/prompts.py",
}];

impl Requests for Weave {
    fn requests(&self) -> Vec<RequestInfo> {
        let criteria = self.criteria().into_iter().take(CRITERIA.len());
        criteria
            .map(|info| RequestInfo {
                criteria: vec![info.id.clone()],
                id: info.id,
                short: info.short,
                label: info.label,
            })
            .collect()
    }

    fn requests_of(&self, _sample: &Sample, turn: &Turn) -> Vec<&'static str> {
        match turn.kind {
            TurnKind::Image => vec!["key_point", "visual_consistency", "image_quality"],
            TurnKind::Text => vec!["accuracy"],
        }
    }

    fn built_in_pack(&self) -> PromptPack {
        let texts = [
            include_str!("../prompts/key_point.txt"),
            include_str!("../prompts/visual_consistency.txt"),
            include_str!("../prompts/image_quality.txt"),
            include_str!("../prompts/accuracy.txt"),
        ];
        let texts = CRITERIA
            .iter()
            .zip(texts)
            .map(|(id, text)| ((*id).to_owned(), text.to_owned()))
            .collect();
        PromptPack::new("juror-weave/1", texts)
    }

    fn may_hold_prompts(&self, path: &str) -> bool {
        let name = base_name(path);
        name == "prompts.py"
            || PROMPT_NAMES
                .iter()
                .any(|constant| name.strip_suffix(".txt") == Some(constant))
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        let mut texts: Vec<Option<String>> = vec![None; CRITERIA.len()];
        let mut origin = "";
        for (path, content) in files {
            let found = match base_name(path).strip_suffix(".txt") {
                Some(name) => vec![(name.to_owned(), (*content).to_owned())],
                None => prompt::python_strings(content),
            };
            for (name, text) in found {
                if let Some(at) = PROMPT_NAMES.iter().position(|constant| *constant == name) {
                    texts[at].get_or_insert(text);
                    origin = path;
                }
            }
        }
        let texts: Option<Vec<String>> = texts.into_iter().collect();
        let texts = CRITERIA
            .iter()
            .zip(texts?)
            .map(|(id, text)| ((*id).to_owned(), text))
            .collect();
        Some(PromptPack::found(origin, texts, RELEASES))
    }

    /// The request for one criterion of one turn.
    fn request(
        &self,
        world: &World<'_>,
        prompts: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error> {
        let (_, sample, slot, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::no_turn(key.turn, "sample", &key.sample))?;
        let criterion = asked(turn, key)?;
        let prompt = prompts
            .text(&key.criterion)
            .ok_or_else(|| Error::no_prompt(&key.criterion))?;
        if criterion == ACC {
            let model = world.model(&key.model);
            let answer = model.and_then(|model| model.answers.get(&slot));
            return Ok(answer_request(prompt, turn, answer.map(String::as_str)));
        }
        let pictures = Pictures {
            world,
            sample,
            base: slot - key.turn,
            model: &key.model,
        };
        picture_request(prompt, turn, criterion, &pictures)
    }

    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
        context::input(world, key)
    }

    fn class(&self, turn: &Turn) -> &'static str {
        context::class(&turn.instruction, turn.kind)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        context::spans(text)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new(
                "gpt-4o",
                "GPT-4o (2024-08-06)",
                Wire::OpenAi,
                "gpt-4o-2024-08-06",
            )
            .max_tokens(1400)
            .note("The paper's appendix and the released settings name GPT-4o."),
            JudgePreset::new(
                "gpt-4.1",
                "GPT-4.1 (2025-04-14)",
                Wire::OpenAi,
                "gpt-4.1-2025-04-14",
            )
            .max_tokens(1400)
            .note("The paper's section on reliability and its Figure 6 name GPT-4.1."),
        ]
    }
}

/// The criterion that is asked for, if the turn is judged on it.
fn asked(turn: &Turn, key: &RequestKey) -> Result<u16, Error> {
    let criterion = CRITERIA
        .iter()
        .position(|name| *name == key.criterion)
        .and_then(|at| u16::try_from(at).ok())
        .ok_or_else(|| Error::unknown("criterion", &key.criterion))?;
    let wants = if turn.kind == TurnKind::Text {
        "accuracy"
    } else {
        "key_point, visual_consistency and image_quality"
    };
    if (criterion == ACC) != (turn.kind == TurnKind::Text) {
        return Err(Error::NotAsked(format!(
            "Turn {} is judged on {wants}, not on {}.",
            key.turn, key.criterion
        )));
    }
    Ok(criterion)
}

/// The request about a text answer, which is shown as `None` where there is none.
fn answer_request(prompt: &str, turn: &Turn, answer: Option<&str>) -> Draft {
    let mut draft = Draft::default();
    if answer.is_none() {
        draft.notes.push(format!(
            "{} is missing, so the judge is shown the word None.",
            turn.output_name
        ));
    }
    draft.parts.push(PartView::Text {
        text: answers(prompt, &turn.answer, answer.unwrap_or("None")),
    });
    draft
}

/// The request about a generated picture, with those that the criterion compares it with.
fn picture_request(
    prompt: &str,
    turn: &Turn,
    criterion: u16,
    pictures: &Pictures<'_>,
) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    let mut shown = vec![pictures.generated(turn.picture.unwrap_or(0), "output")];
    let text = if criterion == IQ {
        prompt.to_owned()
    } else {
        let compared = turn.key_points.iter();
        shown.extend(compared.filter_map(|point| match point.compare {
            Compare::Dataset(number) => Some(pictures.dataset(number)),
            Compare::Generated(number) => Some(pictures.generated(number, "generated")),
            Compare::Nothing => None,
        }));
        requirements(prompt, turn)
    };
    let (markers, given) = (text.matches(MARKER).count(), shown.len());
    if markers < given {
        draft.notes.push(format!(
            "The text has {markers} places for {given} pictures, so the last {} are not shown.",
            given - markers
        ));
    }
    let packed = pack(&text, shown).map_err(|error| {
        Error::Stops(format!(
            "{error}. The authors' code drops the whole dialogue here."
        ))
    })?;
    for part in packed {
        match part {
            Packed::Text(text) => draft.parts.push(PartView::Text { text }),
            Packed::Picture(picture) => {
                draft.notes.extend(missing_note(&picture));
                draft.parts.push(picture);
            }
        }
    }
    Ok(draft)
}

/// What is said of a picture that is not there.
fn missing_note(picture: &PartView) -> Option<String> {
    let PartView::Image {
        file: None,
        path,
        role,
        ..
    } = picture
    else {
        return None;
    };
    let what = if role == "output" {
        "The generated picture"
    } else {
        "The reference"
    };
    Some(format!(
        "{what} {path} is missing or cannot be read: the authors' code leaves a missing one out, and the judge sees the rest."
    ))
}

/// A packed prompt: text, or the position of a picture in the list that was packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packed<T> {
    /// Text between markers; never empty.
    Text(String),
    /// The picture at a marker.
    Picture(T),
}

/// Cuts a prompt at every `<image>` and puts the pictures there, in order; surplus pictures are dropped.
///
/// # Errors
/// More markers than pictures, in the authors' words: their code then drops the whole dialogue.
///
/// # Example
/// ```
/// use juror_protocols::weave::request::{Packed, pack};
/// assert_eq!(pack("a<image>b", vec![7]), Ok(vec![Packed::Text("a".into()), Packed::Picture(7), Packed::Text("b".into())]));
/// ```
pub fn pack<T>(prompt: &str, pictures: Vec<T>) -> Result<Vec<Packed<T>>, Error> {
    let needed = prompt.matches(MARKER).count();
    if needed > pictures.len() {
        return Err(Error::Stops(format!(
            "Not enough images provided. Need {needed}, but got {}",
            pictures.len()
        )));
    }
    let mut pictures = pictures.into_iter();
    let mut parts = Vec::new();
    for (at, text) in prompt.split(MARKER).enumerate() {
        if at > 0 {
            parts.extend(pictures.next().map(Packed::Picture));
        }
        if !text.is_empty() {
            parts.push(Packed::Text(text.to_owned()));
        }
    }
    Ok(parts)
}

/// The prompt of a picture turn with its numbered requirements.
pub fn requirements(prompt: &str, turn: &Turn) -> String {
    let numbered: Vec<String> = (1..)
        .zip(&turn.key_points)
        .map(|(number, point)| format!("{number}. {}", point.text))
        .collect();
    format!("{prompt}{}", numbered.join("\n"))
}

/// The prompt of a text turn: Python's `str.format` with the two answers, and `{{` for a brace.
pub fn answers(prompt: &str, standard: &str, generated: &str) -> String {
    let mut out = String::with_capacity(prompt.len() + standard.len() + generated.len());
    let mut rest = prompt;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let fields = [
            ("{{", "{"),
            ("}}", "}"),
            ("{standard_answer}", standard),
            ("{generated_answer}", generated),
        ];
        let (used, text) = fields
            .into_iter()
            .find(|(field, _)| rest.starts_with(field))
            .unwrap_or((&rest[..1], &rest[..1]));
        out.push_str(text);
        rest = &rest[used.len()..];
    }
    out + rest
}

struct Pictures<'a> {
    world: &'a World<'a>,
    sample: &'a Sample,
    base: u32,
    model: &'a str,
}

impl Pictures<'_> {
    fn dataset(&self, number: u32) -> PartView {
        let picture = (number as usize)
            .checked_sub(1)
            .and_then(|at| self.sample.pictures.get(at));
        PartView::Image {
            file: picture.and_then(|picture| picture.file),
            path: join(
                &self.world.benchmark.folder,
                picture.map_or("", |picture| &picture.path),
            ),
            role: "dataset".to_owned(),
            number: Some(number),
            treatment: Treatment::Jpeg,
            other: None,
        }
    }

    /// The model's own picture that replaces the benchmark's picture of this number.
    fn generated(&self, number: u32, role: &str) -> PartView {
        let model = self.world.model(self.model);
        let at = self
            .sample
            .turns
            .iter()
            .position(|turn| turn.picture == Some(number));
        let slot = at.and_then(|at| u32::try_from(at).ok().map(|at| self.base + at));
        let name = (number as usize)
            .checked_sub(1)
            .and_then(|at| self.sample.pictures.get(at))
            .map_or("", |picture| &picture.path);
        let folder = model.map_or("", |model| &model.submission.output_folder);
        let expected = join(folder, base_name(name));
        let file = match (slot, model) {
            (Some(slot), Some(model)) => output::shown(model, slot),
            // No turn asks for this picture; a model's folder may hold one of that name all the same.
            _ => self.world.tree.find(&expected),
        };
        let path = file.map_or(expected, |file| self.world.tree.path(file).to_owned());
        PartView::Image {
            file,
            path,
            role: role.to_owned(),
            number: Some(number),
            treatment: Treatment::Jpeg,
            other: None,
        }
    }
}
