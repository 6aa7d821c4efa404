//! The pictures that an output is held against.

use crate::measure::Against;
use crate::state::Session;
use juror_model::linked::{ModelData, World};
use juror_model::sample::{Sample, Turn, TurnKind};
use juror_model::tree::{FileId, FileTree, join};

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

/// The folder of box files, in a model's folder of outputs and in the benchmark's.
const BOXES: &str = "boxes";

/// Whether any box file may be open.
pub(super) fn has_boxes(tree: &FileTree) -> bool {
    let mut files = tree.files();
    files.any(|(_, entry)| entry.path.split('/').any(|part| part == BOXES))
}

/// The output's box file, `boxes/SAMPLE.json` in the model's folder, then each reference's picture with its box file,
/// `boxes/SAMPLE.REFERENCE.json` in the benchmark's; and the paths of the box files.
///
/// # Errors
/// A file is not open, in words.
pub(super) fn object_files(
    world: &World<'_>,
    model: &ModelData,
    sample: &Sample,
) -> Result<(Vec<FileId>, Vec<String>), String> {
    let (mut files, mut names) = (Vec::new(), Vec::new());
    let mut take = |folder: &str, reference: &str| {
        let path = join(folder, &format!("{BOXES}/{}{reference}.json", sample.id));
        let file = world.tree.find(&path);
        let file = file.ok_or_else(|| format!("There is no box file {path}."))?;
        names.push(path);
        Ok::<_, String>(file)
    };
    files.push(take(&model.submission.output_folder, "")?);
    for (number, picture) in inputs(sample) {
        let label = &sample.pictures[number as usize - 1].label;
        let boxes = take(&world.benchmark.folder, &format!(".{label}"))?;
        let picture = picture.ok_or_else(|| format!("The reference {label} is not open."))?;
        files.extend([picture, boxes]);
    }
    Ok((files, names))
}
