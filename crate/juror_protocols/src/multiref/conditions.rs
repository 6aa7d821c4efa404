//! Conditions whose numbers come from files made elsewhere: what a network outside of Juror made of each output, held
//! against the sample's reference.
//!
//! `MODEL/CONDITION/SAMPLE.png` is a depth map, a sketch, a mask, a region map or a skeleton of the model's output for a
//! sample; `.npy` holds the same as numbers, a box as four, a CLIP feature as a vector.
//! The references of features are `references/CONDITION/SAMPLE.npy`; the other references are the benchmark's pictures.
//! Edges need no file: they are found in the output itself.
//! The two metrics without a reference are taken the same way: `MODEL/fid/SAMPLE.npy` holds the 2,048 features of Inception,
//! `MODEL/aesthetics/SAMPLE.npy` the rating, or a CLIP feature of 768 numbers beside `references/aesthetics/head.npy`.

use std::collections::BTreeMap;

use super::names::{CAPTION, Half, conditions_of, stem, token_condition};
use super::{EVALUATOR, WITHOUT_REFERENCE, condition};
use juror_model::linked::{FilePair, NetworkReference, World};
use juror_model::sample::Sample;
use juror_model::submission::OutputState;
use juror_model::tree::{FileId, FileTree, base_name, parent};
use juror_model::trust::Owners;

/// The folder, in a model's place, of the files made from references.
const REFERENCES: &str = "references";
/// Extensions of maps; features are only in the last.
const MAPS: [&str; 6] = ["png", "jpg", "jpeg", "webp", "bmp", NPY];
const NPY: &str = "npy";
/// The name of the file with the weights and the bias of the aesthetic predictor's linear layer.
const HEAD: &str = "head";

/// How a condition's number is made; `None` of what no pair of files gives.
fn metric(id: &str) -> Option<&'static str> {
    Some(match id {
        "depth" => "depth",
        "sketch" => "sketch",
        "canny" => "canny",
        "mask" => "mask",
        "pose" => "pose",
        "semantic_map" => "semantic_map",
        // The authors' evaluator extracts the reference's box by the rule that it was released with.
        "bbox" => "bbox_released",
        "caption" | "subject" | "style" => "cosine",
        "fid" => "fid_multiref",
        "aesthetics" => "aesthetics",
        _ => return None,
    })
}

/// Whether both sides are features, as no picture of the benchmark is.
fn is_of_features(id: &str) -> bool {
    metric(id) == Some("cosine") || is_without_reference(id)
}

/// Whether an output's numbers are held against nothing.
fn is_without_reference(id: &str) -> bool {
    WITHOUT_REFERENCE.contains(&id)
}

/// The condition or the metric without reference whose files lie in a folder of this name.
fn folder_id(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let without = WITHOUT_REFERENCE.into_iter().find(|id| *id == name);
    condition(&name).map(|found| found.id).or(without)
}

/// The number that the authors' evaluator writes: a caption's is a hundred times the cosine, and never below 0.
pub(super) fn evaluated(id: &str, value: f64) -> f64 {
    if id == "caption" {
        100.0 * value.max(0.0)
    } else {
        value
    }
}

/// The id of the condition or metric whose folder a file lies in, if it may be one of these files.
fn folder_condition(path: &str) -> Option<&'static str> {
    let (_, extension) = base_name(path).rsplit_once('.')?;
    let id = folder_id(base_name(parent(path)))?;
    let is_map = MAPS.contains(&extension.to_lowercase().as_str());
    let is_npy = extension.eq_ignore_ascii_case(NPY);
    (is_npy || is_map && !is_of_features(id)).then_some(id)
}

/// Whether a folder holds a condition's files instead of outputs.
pub(super) fn is_condition_folder(folder: &str) -> bool {
    folder_id(base_name(folder)).is_some()
}

/// A file made elsewhere.
struct Made<'a> {
    /// The folder above the condition's, in lower case.
    above: String,
    file: FileId,
    /// The models that it may be of, as [`juror_model::trust`] says it; `None` for every one.
    heard: Option<Vec<&'a str>>,
}

/// Files made elsewhere by condition and name without extension, in lower case.
struct Files<'a>(BTreeMap<(&'static str, String), Vec<Made<'a>>>);

impl<'a> Files<'a> {
    fn new(tree: &'a FileTree, owners: &'a Owners) -> Self {
        let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (file, entry) in tree.files() {
            if let Some(id) = folder_condition(&entry.path) {
                let made = Made {
                    above: parent(parent(&entry.path)).to_lowercase(),
                    file,
                    heard: owners.heard(&entry.path),
                };
                let place = (id, stem(&entry.path).to_lowercase());
                let here = found.entry(place).or_default();
                // Numbers before pictures of them.
                if entry.path.to_lowercase().ends_with(NPY) {
                    here.insert(0, made);
                } else {
                    here.push(made);
                }
            }
        }
        Self(found)
    }

    /// The file of a condition below a folder of this name, under one of the names, which may be of this model.
    fn find(&self, folder: &str, model: &str, id: &'static str, names: &[&str]) -> Option<FileId> {
        let folder = folder.to_lowercase();
        let inner = format!("/{folder}");
        let is_here = |made: &&Made<'_>| {
            let is_heard = (made.heard.as_ref()).is_none_or(|heard| heard.contains(&model));
            is_heard && (made.above == folder || made.above.ends_with(&inner))
        };
        names.iter().find_map(|name| {
            let files = self.0.get(&(id, name.to_lowercase()))?;
            files.iter().find(is_here).map(|made| made.file)
        })
    }
}

/// What files made elsewhere can complete, and what is missing for it, in the order of the benchmark.
pub(super) fn pairs(world: &World<'_>) -> Vec<FilePair> {
    let models = world.models.iter().map(|model| &*model.submission);
    let owners = Owners::of(models).beside(world.tree, Some(world.benchmark));
    let files = Files::new(world.tree, &owners);
    let mut pairs = Vec::new();
    for model in world.models {
        let name = &model.submission.name;
        for (slot, at, turn, _) in world.benchmark.turns() {
            let sample = &world.benchmark.samples[at as usize];
            let output = model.submission.outputs.get(slot as usize).copied();
            let is_there = model.outputs.get(slot as usize) == Some(&OutputState::Present);
            let Some(output) = output.flatten().filter(|_| is_there) else {
                continue;
            };
            if sample.category != Half::Synthetic.id() {
                continue;
            }
            let own = own_name(sample);
            let names = [own, stem(world.tree.path(output))];
            for id in conditions_of(sample).chain(WITHOUT_REFERENCE) {
                let Some(metric) = metric(id) else { continue };
                let made = files.find(name, name, id, &names);
                let (candidate, reference) = if id == "canny" {
                    (Some(output), reference(sample, id))
                } else if is_without_reference(id) {
                    let head = files.find(REFERENCES, name, id, &[HEAD]);
                    (made, head.filter(|_| id == "aesthetics").or(made))
                } else if is_of_features(id) {
                    (made, files.find(REFERENCES, name, id, &names))
                } else {
                    (made, reference(sample, id))
                };
                let extension = if is_of_features(id) { NPY } else { "png" };
                let wanted = |folder: &str| format!("{folder}/{id}/{own}.{extension}");
                let missing = match (candidate, reference) {
                    // Numbers that no average needs are not asked for.
                    (None, _) if is_without_reference(id) => String::new(),
                    (None, _) => wanted(name),
                    (_, None) if is_of_features(id) => wanted(REFERENCES),
                    (_, None) => format!("the benchmark's {id} of {}", sample.id),
                    _ => String::new(),
                };
                pairs.push(FilePair {
                    model: name.clone(),
                    sample: sample.id.clone(),
                    turn,
                    criterion: id,
                    judge: EVALUATOR,
                    metric,
                    candidate,
                    reference,
                    missing,
                    output,
                    network: network(sample, id),
                });
            }
        }
    }
    pairs
}

/// A sample's id without its half.
fn own_name(sample: &Sample) -> &str {
    sample
        .id
        .split_once('/')
        .map_or(&*sample.id, |(_, own)| own)
}

/// Which network that is opened stands in for the files, and what it holds the output against; `None` where none does.
fn network(sample: &Sample, id: &str) -> Option<(&'static str, NetworkReference)> {
    let own = || reference(sample, id);
    Some(match id {
        "depth" => ("depth", NetworkReference::Map(own()?)),
        "sketch" => ("sketch", NetworkReference::Map(own()?)),
        "pose" => ("pose", NetworkReference::Map(own()?)),
        "subject" | "style" => ("clip", NetworkReference::Picture(own()?)),
        "caption" => {
            let mut details = sample.details.iter();
            let (_, text) = details.find(|(label, _)| label == CAPTION)?;
            ("clip", NetworkReference::Text(text.clone()))
        }
        "fid" => ("inception", NetworkReference::Nothing),
        "aesthetics" => ("aesthetics", NetworkReference::Nothing),
        _ => return None,
    })
}

/// The sample's reference of this kind.
fn reference(sample: &Sample, id: &str) -> Option<FileId> {
    let is_meant = |label: &str| {
        let token = label.trim_start_matches('<').trim_end_matches('>');
        token_condition(token) == Some(id)
    };
    let mut pictures = sample.pictures.iter();
    pictures.find(|picture| is_meant(&picture.label))?.file
}

/// The files that any pair may use, so that nobody takes them for something unknown.
pub(super) fn files(tree: &FileTree) -> impl Iterator<Item = (FileId, &str)> {
    let all = tree.files();
    all.filter_map(|(file, entry)| {
        folder_condition(&entry.path).map(|_| (file, parent(parent(&entry.path))))
    })
}

#[cfg(test)]
mod tests {
    use super::super::CONDITIONS;
    use super::*;

    #[test]
    fn every_condition_has_a_metric_and_a_folder() {
        for condition in CONDITIONS {
            assert!(metric(condition.id).is_some(), "{}", condition.id);
            let path = format!("results/alpha/{}/00012.npy", condition.id);
            assert_eq!(folder_condition(&path), Some(condition.id));
            assert!(is_condition_folder(parent(&path)));
        }
        for id in WITHOUT_REFERENCE {
            assert!(metric(id).is_some(), "{id}");
            assert_eq!(folder_condition(&format!("alpha/{id}/00012.npy")), Some(id));
            assert!(folder_condition(&format!("alpha/{id}/00012.png")).is_none());
        }
        assert_eq!(metric("hed"), None);
        assert!(!is_condition_folder("results/alpha"));
        assert!(folder_condition("results/alpha/00012.npy").is_none());
    }

    #[test]
    fn pictures_are_maps_and_no_features() {
        assert!(folder_condition("alpha/depth/1.PNG").is_some());
        assert!(folder_condition("alpha/subject/1.png").is_none());
        assert!(folder_condition("alpha/depth/1.txt").is_none());
    }

    #[test]
    fn a_caption_is_a_hundred_times_the_cosine_and_nothing_else_is() {
        let close = |found: f64, wanted: f64| (found - wanted).abs() < 1e-12;
        assert!(close(evaluated("caption", 0.31), 31.0));
        assert!(close(evaluated("caption", -0.31), 0.0));
        assert!(close(evaluated("subject", -0.31), -0.31));
    }
}
