//! What a program that calls generators asks of a session: what is sent for a turn, and where the picture goes.

use std::collections::HashMap;

use super::request::generator_input;
use super::state::Session;
use crate::study::LinkedSession;
use crate::view::InputView;
use juror_model::experiment::FactorLevel;
use juror_model::request::{InputKey, PartView};
use juror_protocols::contract::ListedOutput;

mod kept;
mod plan;
#[cfg(test)]
mod tests;

pub use kept::{
    GeneratePlan, GenerateScope, GeneratedFile, GeneratedFolder, GeneratedModel, GeneratedText,
    add_generated, add_unknown_generated, generate_tasks, generated_files, generated_folder,
    generated_head, generated_models, is_folder_name, plan_generate,
};
pub use plan::{
    AskedTurns, KnownOutput, KnowsOutputs, OutputKind, OutputPlan, OutputRules, OutputTask, Reasons,
};

/// What a generator is given for a turn, and what becomes of its picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratorCall {
    /// What it is given.
    pub input: InputView,
    /// Where its picture goes in the model's folder; empty where none is expected.
    pub place: String,
    /// Numbers of pictures that it should be given as it made them itself, and is given as the data set has them.
    pub stand_ins: Vec<u32>,
}

/// The call for a turn.
pub fn generator_call(session: &LinkedSession<'_>, key: &InputKey) -> GeneratorCall {
    let input = generator_input(session, key);
    let place = place_of(session, &input.output);
    let mut stand_ins = Vec::new();
    if shows_own_outputs(session, key.variant.as_ref()) {
        let world = session.world();
        let turns = world.sample(&key.sample).map(|sample| &sample.turns);
        let earlier = turns.into_iter().flatten().take(key.turn as usize);
        let made: Vec<u32> = earlier.filter_map(|turn| turn.picture).collect();
        for part in input.messages.iter().flat_map(|message| &message.parts) {
            if let PartView::Image {
                role,
                number: Some(number),
                ..
            } = part
                && role == "dataset"
                && made.contains(number)
                && !stand_ins.contains(number)
            {
                stand_ins.push(*number);
            }
        }
    }
    GeneratorCall {
        input,
        place,
        stand_ins,
    }
}

/// Where in a model's folder the output of this name goes; empty where none is expected.
fn place_of(session: &Session, output_name: &str) -> String {
    match session.loader.protocol.dialogues() {
        Some(own) if !output_name.is_empty() => own.output_place(output_name),
        _ => output_name.to_owned(),
    }
}

/// A list of a model's outputs that the authors' programs read in addition to the pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputList {
    /// Where in the model's folder it is.
    pub path: String,
    /// Positions of a sample and of its turn, with the place of the output.
    outputs: Vec<(usize, usize, String)>,
}

impl OutputList {
    /// Where in the model's folder the outputs are that it may name.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.outputs.iter().map(|(.., place)| place.as_str())
    }

    /// The list that names those of its outputs that are there: `text` changed as little as that takes.
    ///
    /// # Errors
    /// The text is no such list.
    pub fn listed(
        &self,
        session: &LinkedSession<'_>,
        text: &str,
        is_there: &dyn Fn(&str) -> bool,
    ) -> Result<String, juror_protocols::error::Error> {
        let Some(lists) = session.loader.protocol.output_lists() else {
            return Ok(text.to_owned());
        };
        let samples = &session.world().benchmark.samples;
        let outputs = self.outputs.iter().filter_map(|(sample, turn, place)| {
            let sample = samples.get(*sample)?;
            let instruction = &sample.turns.get(*turn)?.instruction;
            Some(ListedOutput {
                sample,
                instruction,
                place,
            })
        });
        let outputs: Vec<ListedOutput<'_>> = outputs.collect();
        lists.listed(&self.path, text, &outputs, is_there)
    }
}

/// The lists of a model's outputs that the authors' programs read; none where they look for the pictures themselves.
pub fn output_lists(session: &LinkedSession<'_>) -> Vec<OutputList> {
    let Some(lists) = session.loader.protocol.output_lists() else {
        return Vec::new();
    };
    let mut found: Vec<OutputList> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    for (at, sample) in session.world().benchmark.samples.iter().enumerate() {
        for (turn, asked) in sample.turns.iter().enumerate() {
            let place = place_of(session, &asked.output_name);
            let Some(path) = lists.list_of(&place) else {
                continue;
            };
            let position = *positions.entry(path).or_insert_with_key(|path| {
                found.push(OutputList {
                    path: path.clone(),
                    outputs: Vec::new(),
                });
                found.len() - 1
            });
            found[position].outputs.push((at, turn, place));
        }
    }
    found
}

/// Whether a generator is shown its own outputs of earlier turns: on this level of a factor, or as it is without one.
pub fn shows_own_outputs(session: &Session, level: Option<&FactorLevel>) -> bool {
    let dialogues = session.loader.protocol.dialogues();
    dialogues.is_some_and(|own| own.shows_own_outputs(level))
}
