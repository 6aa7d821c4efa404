//! What a program that calls generators asks of a session: what is sent for a turn, and where the picture goes.

use super::request::generator_input;
use super::state::Session;
use crate::study::LinkedSession;
use crate::view::InputView;
use juror_model::experiment::FactorLevel;
use juror_model::request::{InputKey, PartView};

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
    let place = match input.output.as_str() {
        "" => String::new(),
        name => match session.loader.protocol.dialogues() {
            Some(own) => own.output_place(name),
            None => name.to_owned(),
        },
    };
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

/// Whether a generator is shown its own outputs of earlier turns: on this level of a factor, or as it is without one.
pub fn shows_own_outputs(session: &Session, level: Option<&FactorLevel>) -> bool {
    let dialogues = session.loader.protocol.dialogues();
    dialogues.is_some_and(|own| own.shows_own_outputs(level))
}
