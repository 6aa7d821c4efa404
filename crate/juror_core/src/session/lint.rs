//! Findings about a submission before anything is judged: missing, misnamed, extra, unreadable, repeated, copied outputs.

use std::collections::{BTreeMap, HashMap};

use super::{Session, SessionError};
use crate::protocol::{ModelData, OutputState};
use crate::tree::{FileId, base_name, join};
use crate::view::{Problem, Severity};

impl Session {
    /// The files whose bytes [`Session::lint`] compares: those that share their size with another output or benchmark picture.
    ///
    /// Read them and hand them to [`Session::provide_picture`].
    pub fn lint_needs(&mut self) -> Vec<FileId> {
        self.link();
        // A file of unknown size may share it with any other.
        let mut by_size: BTreeMap<Option<u64>, Vec<FileId>> = BTreeMap::new();
        for file in self.compared_files() {
            by_size.entry(self.tree.size(file)).or_default().push(file);
        }
        let is_any_unknown = by_size.contains_key(&None);
        let mut needs: Vec<FileId> = by_size
            .into_values()
            .filter(|files| is_any_unknown || files.len() > 1)
            .flatten()
            .collect();
        needs.retain(|file| !self.read.hashes.contains_key(file));
        needs
    }

    /// All findings; the first error is raised where there is no benchmark to check against.
    pub fn lint(&mut self) -> Result<Vec<Problem>, SessionError> {
        let mut found = self.problems();
        if self.benchmark.is_none() {
            return Err(SessionError::new(
                "no_benchmark",
                "No sample list was found, so there is nothing to check outputs against. Name the benchmark's folder as well."
                    .to_owned(),
            ));
        }
        for model in self.models() {
            self.lint_outputs(model, &mut found);
            self.lint_copies(model, &mut found);
        }
        found.sort_by_key(|problem| problem.severity);
        Ok(found)
    }

    fn compared_files(&self) -> Vec<FileId> {
        let world = self.world();
        let pictures = world
            .benchmark
            .samples
            .iter()
            .flat_map(|sample| &sample.pictures)
            .filter_map(|picture| picture.file);
        let outputs = world
            .models
            .iter()
            .flat_map(|model| model.submission.outputs.iter().flatten())
            .copied();
        let mut files: Vec<FileId> = pictures.chain(outputs).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    fn lint_outputs(&self, model: &ModelData, found: &mut Vec<Problem>) {
        let world = self.world();
        let mut by_stem: HashMap<String, FileId> = HashMap::new();
        for file in &model.submission.extra_files {
            let path = inside(self.tree.path(*file), &model.submission.output_folder);
            by_stem.insert(stem(path).to_lowercase(), *file);
        }
        let mut renamed = Vec::new();
        for ((_, sample, turn_idx, turn), state) in world.benchmark.turns().zip(&model.outputs) {
            if *state != OutputState::Missing {
                continue;
            }
            let expected = join(&model.submission.output_folder, &turn.output_name);
            let sample = &world.benchmark.samples[sample as usize];
            let place = match sample.turns.len() {
                1 => format!("{} {}", self.protocol.words().sample, sample.id),
                _ => format!("idx {}, turn {turn_idx}", sample.id),
            };
            let near = by_stem.get(&stem(&turn.output_name).to_lowercase());
            renamed.extend(near);
            let (code, hint) = match near {
                Some(file) => (
                    "misnamed_output",
                    format!("Rename {} to {}.", self.tree.path(*file), turn.output_name),
                ),
                None => (
                    "missing_output",
                    "Generate it, or accept that it counts the lowest score under paper."
                        .to_owned(),
                ),
            };
            found.push(Problem {
                severity: Severity::Error,
                code: code.to_owned(),
                path: expected,
                place,
                message: "The output is missing.".to_owned(),
                hint,
            });
        }
        for file in model
            .submission
            .extra_files
            .iter()
            .filter(|file| !renamed.contains(file))
        {
            found.push(Problem {
                severity: Severity::Warning,
                code: "extra_file".to_owned(),
                path: self.tree.path(*file).to_owned(),
                place: String::new(),
                message: "No turn of the benchmark asks for this file.".to_owned(),
                hint: "Remove it, or check its name.".to_owned(),
            });
        }
        for ((file, entry_name), slot) in self.outputs_of(model) {
            let expected = world
                .benchmark
                .turn_at(slot)
                .map_or("", |turn| &turn.output_name);
            let expected = base_name(expected);
            if entry_name != expected && entry_name.eq_ignore_ascii_case(expected) {
                found.push(Problem {
                    severity: Severity::Warning,
                    code: "other_case".to_owned(),
                    path: self.tree.path(file).to_owned(),
                    place: String::new(),
                    message: format!("The name differs from {expected} in capitals."),
                    hint: format!(
                        "Rename it to {expected}: the authors' code does not find it on Linux."
                    ),
                });
            }
        }
    }

    /// Outputs that equal a picture of the benchmark, or another output, byte by byte.
    fn lint_copies(&self, model: &ModelData, found: &mut Vec<Problem>) {
        let world = self.world();
        let hash = |file: FileId| self.read.hashes.get(&file).map(String::as_str);
        let mut originals: HashMap<&str, FileId> = HashMap::new();
        for picture in world
            .benchmark
            .samples
            .iter()
            .flat_map(|sample| &sample.pictures)
        {
            if let Some((file, hash)) = picture.file.and_then(|file| Some((file, hash(file)?))) {
                originals.entry(hash).or_insert(file);
            }
        }
        let mut seen: HashMap<&str, FileId> = HashMap::new();
        for ((file, _), _) in self.outputs_of(model) {
            let Some(hash) = hash(file) else { continue };
            let mut note = |code: &str, message: String| {
                found.push(Problem {
                    severity: Severity::Warning,
                    code: code.to_owned(),
                    path: self.tree.path(file).to_owned(),
                    place: String::new(),
                    message,
                    hint: "Check that the model's own output was saved here.".to_owned(),
                });
            };
            if let Some(original) = originals.get(hash) {
                note(
                    "copied_output",
                    format!(
                        "The output is a byte-for-byte copy of the benchmark's {}.",
                        self.tree.path(*original)
                    ),
                );
            }
            match seen.get(hash) {
                Some(first) if *first != file => {
                    note(
                        "repeated_output",
                        format!(
                            "The output equals {} byte for byte.",
                            self.tree.path(*first)
                        ),
                    );
                }
                Some(_) => {}
                None => {
                    seen.insert(hash, file);
                }
            }
        }
    }

    /// Every output file of a model with its name and turn number.
    fn outputs_of(&self, model: &ModelData) -> Vec<((FileId, &str), u32)> {
        let outputs = (0u32..).zip(&model.submission.outputs);
        outputs
            .filter_map(|(slot, file)| {
                file.map(|file| ((file, base_name(self.tree.path(file))), slot))
            })
            .collect()
    }
}

/// A path without its last extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// A path as it stands inside a folder; of a file elsewhere, its name.
fn inside<'a>(path: &'a str, folder: &str) -> &'a str {
    path.strip_prefix(folder)
        .and_then(|rest| rest.strip_prefix('/'))
        .unwrap_or_else(|| base_name(path))
}
