//! A sample → what the judge is asked: the task, the instruction, the named inputs, the generated picture.
//!
//! The authors published no prompt, so the text is Juror's own; order and scale follow the paper.

use super::REQUEST;
use super::names::input_number;
use crate::contract::{Conditions, Requests};
use crate::error::Error;
use crate::multiref::{JUDGED, MultiRef, conditions, evaluator, rows};
use crate::output;
use juror_model::judge::{JudgePreset, Wire};
use juror_model::linked::{FilePair, World};
use juror_model::prompt::PromptPack;
use juror_model::request::{Draft, GeneratorInput, InputKey, PartView, RequestKey, Treatment};
use juror_model::sample::{Picture, Sample, Span, Turn};
use juror_model::terms::RequestInfo;
use juror_model::tree::join;

/// The kind of text in a prompt pack.
pub const TEXT: &str = "judge";

impl Requests for MultiRef {
    fn requests(&self) -> Vec<RequestInfo> {
        let criteria = JUDGED.iter().map(|id| (*id).to_owned());
        let mut requests = vec![RequestInfo {
            id: REQUEST.to_owned(),
            short: "Judge".to_owned(),
            label: "Judge: quality, instruction, sources".to_owned(),
            criteria: criteria.collect(),
        }];
        let metrics = rows::criteria().into_iter();
        let metrics = metrics.filter(|info| evaluator::ORDER.contains(&info.id.as_str()));
        requests.extend(metrics.map(|info| RequestInfo {
            criteria: vec![info.id.clone()],
            id: info.id,
            short: info.short,
            label: info.label,
        }));
        requests
    }

    fn requests_of(&self, sample: &Sample, _turn: &Turn) -> Vec<&'static str> {
        rows::requests_of(sample)
    }

    /// Juror's own wording.
    fn built_in_pack(&self) -> PromptPack {
        let texts = vec![(
            TEXT.to_owned(),
            include_str!("prompts/judge.txt").to_owned(),
        )];
        PromptPack::new("juror-multiref/1", texts)
    }

    fn may_hold_prompts(&self, _path: &str) -> bool {
        false
    }

    fn official_pack(&self, _files: &[(&str, &str)]) -> Option<PromptPack> {
        None
    }

    /// The request about one sample of one model.
    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error> {
        let (_, sample, slot, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("sample", &key.sample))?;
        if key.criterion != REQUEST {
            return Err(Error::NotAsked(format!(
                "{} is computed from the picture by the authors' evaluator; there is nothing to ask a judge.",
                key.criterion
            )));
        }
        let prompt = pack.text(TEXT).ok_or_else(|| Error::no_prompt(TEXT))?;
        let mut notes =
            vec!["The authors published no judge prompt: the wording is Juror's own.".to_owned()];
        let named: Vec<(String, PartView)> = inputs(sample)
            .map(|(number, picture)| {
                let name = picture.label.trim_matches(['<', '>']).to_owned();
                (name, part(world, picture, number, "dataset"))
            })
            .collect();
        for (name, view) in &named {
            if matches!(view, PartView::Image { file: None, .. }) {
                notes.push(format!(
                    "The input <{name}> is missing, so the judge would not see it."
                ));
            }
        }
        let (file, path) = output::asked(world, key, slot, &turn.output_name);
        if file.is_none() {
            notes.push(format!(
                "The generated picture {path} is missing, so there is nothing to judge."
            ));
        }
        let output = image(file, path, "output", None);
        let named = named
            .iter()
            .map(|(name, view)| (name.as_str(), view.clone()));
        let parts = parts(prompt, &turn.instruction, named.collect(), output);
        let parts = parts.into_iter().map(|part| match part {
            RequestPart::Text(text) => PartView::Text { text },
            RequestPart::Input(picture) | RequestPart::Output(picture) => picture,
        });
        Ok(Draft {
            system: None,
            parts: parts.collect(),
            notes,
        })
    }

    /// What a generator is given: the inputs, then the instruction.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
        let (_, sample, _, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("sample", &key.sample))?;
        let mut parts: Vec<PartView> = inputs(sample)
            .map(|(number, picture)| part(world, picture, number, "dataset"))
            .collect();
        parts.push(PartView::Text {
            text: turn.instruction.clone(),
        });
        Ok(GeneratorInput::one_message(parts, Vec::new()))
    }

    fn class(&self, _turn: &Turn) -> &'static str {
        "multi-reference"
    }

    fn is_computed(&self, request: &str) -> bool {
        request != REQUEST
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        spans(text)
    }

    fn conditions(&self) -> Option<&dyn Conditions> {
        Some(self)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new("gpt-4o-mini", "GPT-4o mini", Wire::OpenAi, "gpt-4o-mini")
                .temperature(0.0)
                .note("The paper names the model alone; temperature 0 is Juror's choice."),
        ]
    }
}

impl Conditions for MultiRef {
    fn file_pairs(&self, world: &World<'_>) -> Vec<FilePair> {
        conditions::pairs(world)
    }

    fn evaluated(&self, criterion: &str, value: f64) -> f64 {
        conditions::evaluated(criterion, value)
    }
}

/// One part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestPart<P> {
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
/// use juror_protocols::multiref::request::{RequestPart, parts};
/// let parts = parts("Rate.", "Put <image2> on <image1>.", vec![("image1", 'a'), ("image2", 'b')], 'c');
/// assert_eq!(parts[1], RequestPart::Text("<image1>:".to_owned()));
/// assert_eq!(parts[4], RequestPart::Input('b'));
/// assert_eq!(parts.last(), Some(&RequestPart::Output('c')));
/// ```
pub fn parts<P>(
    prompt: &str,
    instruction: &str,
    inputs: Vec<(&str, P)>,
    output: P,
) -> Vec<RequestPart<P>> {
    let mut parts = vec![RequestPart::Text(format!(
        "{prompt}\n\nInstruction: {instruction}\n\nInput pictures:"
    ))];
    for (name, picture) in inputs {
        parts.push(RequestPart::Text(format!("<{name}>:")));
        parts.push(RequestPart::Input(picture));
    }
    parts.push(RequestPart::Text("Generated picture:".to_owned()));
    parts.push(RequestPart::Output(output));
    parts
}

/// The inputs with their numbers, without the golden answer, which no judge sees.
fn inputs(sample: &Sample) -> impl Iterator<Item = (u32, &Picture)> {
    let golden = sample.turns.first().and_then(|turn| turn.picture);
    let numbered = (1..).zip(&sample.pictures);
    numbered.filter(move |(number, _)| golden != Some(*number))
}

fn part(world: &World<'_>, picture: &Picture, number: u32, role: &str) -> PartView {
    let path = picture.file.map_or_else(
        || join(&world.benchmark.folder, &picture.path),
        |file| world.tree.path(file).to_owned(),
    );
    image(picture.file, path, role, Some(number))
}

fn image(file: Option<u32>, path: String, role: &str, number: Option<u32>) -> PartView {
    PartView::Image {
        file,
        path,
        role: role.to_owned(),
        number,
        treatment: Treatment::AsIs,
        other: None,
    }
}

/// An instruction with its tokens marked: `<image2>` is the second input of a real-world request.
///
/// The typed tokens of the synthetic half stand in the order of the instruction's own list, which the text does not tell.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let Some(len) = rest[open..].find('>') else {
            break;
        };
        let token = &rest[open + 1..open + len];
        let picture = input_number(token);
        let (before, after) = (&rest[..open], &rest[open + len + 1..]);
        if !before.is_empty() {
            spans.push(Span {
                text: before.to_owned(),
                picture: None,
            });
        }
        spans.push(Span {
            text: rest[open..=open + len].to_owned(),
            picture,
        });
        rest = after;
    }
    if !rest.is_empty() {
        spans.push(Span {
            text: rest.to_owned(),
            picture: None,
        });
    }
    spans
}
