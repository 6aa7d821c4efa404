//! The pictures that an output is held against.

use crate::measure::Against;
use crate::state::Session;
use juror_model::linked::World;
use juror_model::sample::{Sample, Turn, TurnKind};
use juror_model::tree::FileId;

/// What an output is held against.
pub(super) struct Counterpart {
    pub(super) number: u32,
    pub(super) file: Option<FileId>,
    /// Whether it is a picture; a prompt is none, and objects are in several.
    pub(super) is_picture: bool,
}

pub(super) fn picture_turns<'a>(
    world: &World<'a>,
) -> impl Iterator<Item = (u32, u32, u32, &'a Turn)> {
    world
        .benchmark
        .turns()
        .filter(|(_, _, _, turn)| turn.kind == TurnKind::Image)
}

/// The pictures that no turn has to produce, with their numbers.
pub(super) fn inputs(sample: &Sample) -> impl Iterator<Item = (u32, Option<FileId>)> {
    let produced = |number: u32| sample.turns.iter().any(|turn| turn.picture == Some(number));
    (1u32..)
        .zip(&sample.pictures)
        .filter(move |(number, _)| !produced(*number))
        .map(|(number, picture)| (number, picture.file))
}

/// What a model's output of a turn is held against; nothing where there is nothing to be expected.
pub(super) fn counterparts(
    session: &Session,
    world: &World<'_>,
    against: &Against,
    model: &str,
    (sample, turn, slot): (&Sample, &Turn, u32),
) -> Vec<Counterpart> {
    let side = |(number, file)| Counterpart {
        number,
        file,
        is_picture: true,
    };
    match against {
        Against::Golden => {
            let number = turn.picture.filter(|number| *number > 0);
            let golden = number.and_then(|number| {
                let picture = sample.pictures.get(number as usize - 1)?;
                Some(side((number, picture.file)))
            });
            golden.into_iter().collect()
        }
        Against::Reference(place) => {
            let found = inputs(sample).nth(*place as usize - 1);
            found.map(side).into_iter().collect()
        }
        Against::References => inputs(sample).map(side).collect(),
        Against::Model(name) if name == model => Vec::new(),
        Against::Model(name) => {
            let other = world.model(name);
            let file = other.and_then(|other| *other.submission.outputs.get(slot as usize)?);
            vec![side((0, file))]
        }
        Against::Prompt | Against::Objects => {
            let is_measured = session.loader.protocol.is_measured_by_networks(sample);
            let whole = Counterpart {
                number: 0,
                file: None,
                is_picture: false,
            };
            is_measured.then_some(whole).into_iter().collect()
        }
    }
}
