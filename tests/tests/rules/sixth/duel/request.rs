//! Two requests about each output.

use juror_model::linked::World;
use juror_model::prompt::PromptPack;
use juror_model::request::{
    Draft, GeneratorInput, InputKey, InputMessage, PartView, RequestKey, Treatment,
};
use juror_model::sample::{Sample, Turn};
use juror_model::terms::RequestInfo;
use juror_protocols::contract::Requests;
use juror_protocols::error::Error;

use super::{Duel, KINDS};

impl Requests for Duel {
    fn requests(&self) -> Vec<RequestInfo> {
        let info = |id: &str| RequestInfo {
            id: id.to_owned(),
            short: id.to_owned(),
            label: id.to_owned(),
            criteria: vec![id.to_owned()],
        };
        KINDS.map(info).to_vec()
    }

    fn requests_of(&self, _sample: &Sample, _turn: &Turn) -> Vec<&str> {
        KINDS.to_vec()
    }

    fn built_in_pack(&self) -> PromptPack {
        let texts = [
            ("duel", "Does it beat this prompt's reference? "),
            ("look", "From 0 to 10: "),
        ];
        let texts = texts.map(|(kind, text)| (kind.to_owned(), text.to_owned()));
        PromptPack::new("duelbench/1", texts.to_vec())
    }

    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error> {
        let (slot, sample, _, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("round", &key.sample))?;
        let text = pack
            .text(&key.criterion)
            .ok_or_else(|| Error::no_prompt(&key.criterion))?;
        let output = world
            .model(&key.model)
            .and_then(|model| model.submission.outputs[slot as usize]);
        let mut parts = vec![PartView::Text {
            text: format!("{text}{}", turn.instruction),
        }];
        let references = (1..)
            .zip(&sample.pictures)
            .filter(|_| key.criterion == KINDS[0]);
        parts.extend(references.map(|(number, picture)| PartView::Image {
            file: picture.file,
            path: picture.path.clone(),
            role: "dataset".to_owned(),
            number: Some(number),
            treatment: Treatment::AsIs,
            other: None,
        }));
        parts.push(PartView::Image {
            file: output,
            path: turn.output_name.clone(),
            role: "output".to_owned(),
            number: None,
            treatment: Treatment::AsIs,
            other: None,
        });
        Ok(Draft {
            system: None,
            parts,
            notes: Vec::new(),
        })
    }

    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
        let (_, _, _, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("round", &key.sample))?;
        Ok(GeneratorInput {
            messages: vec![InputMessage {
                role: "user".to_owned(),
                parts: vec![PartView::Text {
                    text: turn.instruction.clone(),
                }],
            }],
            pictures: Vec::new(),
            notes: Vec::new(),
            ..GeneratorInput::default()
        })
    }
}
