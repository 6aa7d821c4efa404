//! The output that a request shows: its file, if it can be shown, and where it lies or should lie.

use juror_model::linked::{ModelData, World};
use juror_model::request::RequestKey;
use juror_model::submission::OutputState;
use juror_model::tree::{FileId, join};

/// The file of a model's output, where it is there and can be read.
pub(crate) fn shown(model: &ModelData, slot: u32) -> Option<FileId> {
    let slot = slot as usize;
    let is_present = model.outputs.get(slot) == Some(&OutputState::Present);
    let file = model.submission.outputs.get(slot).copied().flatten();
    file.filter(|_| is_present)
}

/// The output that a request asks about, with its path; `name` is the one that it should have in the model's folder.
pub(crate) fn asked(
    world: &World<'_>,
    key: &RequestKey,
    slot: u32,
    name: &str,
) -> (Option<FileId>, String) {
    let model = world.model(&key.model);
    let file = model.and_then(|model| shown(model, slot));
    let folder = model.map_or("", |model| &model.submission.output_folder);
    let path = file.map_or_else(
        || join(folder, name),
        |file| world.tree.path(file).to_owned(),
    );
    (file, path)
}
