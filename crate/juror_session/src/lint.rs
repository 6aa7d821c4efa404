//! Findings about a submission before anything is judged: missing, misnamed, extra, unreadable, repeated, copied outputs.

use crate::overview::problems;
use crate::study::LinkedSession;
use juror_reading::count::counted;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::alike::{feature_needs, lint_alike};
use super::count;
pub use super::fingerprint::Fingerprint;
use super::picture::Probed;
use super::state::Session;
use crate::error::Error;
use crate::view::lint::{LintFeatures, LintFinding, LintReport};
use juror_model::linked::ModelData;
use juror_model::problem::Severity;
use juror_model::sample::{Sample, Turn, TurnKind};
use juror_model::submission::OutputState;
use juror_model::tree::{
    FileId, base_name, has_ending, is_picture, join, loose_name, parent, unread_format,
    without_backup_end,
};
use juror_statistics::alike::{ALIKE, FLOOR};
use juror_statistics::small::SortSmall;

/// Perceptual hashes that differ in at most this many of 64 bits look alike.
///
/// Measured with `imagehash` on 298 pictures of the demo suites and of WEAVEBench: of the same picture at half the size and as
/// JPEG of quality 50, 98 % are within this and [`COPY_LEVELS`]; of unrelated pairs none is, and their hashes differ in 30 bits
/// (median).
pub const COPY_DISTANCE: u32 = 6;

/// No cell of a 16 × 16 grid may differ by more grey levels than this for a copy.
///
/// The hash has only the lowest frequencies, so an edit of one part may leave it as it was; that part's cells then differ by
/// more, while scaling and compression changed no cell's mean by more than 7 levels in the same 298 pictures.
pub const COPY_LEVELS: u8 = 16;

/// What to do about files of formats that are not read.
pub(super) const CONVERT: &str =
    "TIFF, HEIC and AVIF pictures are not read: convert them to PNG. Save documents as plain text.";

/// Width and height in pixels.
type Size = (u32, u32);

/// So many sizes are told with their counts where they are mixed.
const SIZES_LISTED: usize = 6;

/// An answer of fewer letters than this may well be the same as another one: `B`, `Yes.`, `The king moves to e4.`
const TELLING_LETTERS: usize = 40;

/// The files whose bytes [`lint`](fn@crate::lint) compares: those that share their size with another output or benchmark picture.
///
/// Read them and hand them to [`provide_picture`](crate::provide_picture).
pub fn lint_needs(session: &LinkedSession<'_>) -> Vec<FileId> {
    // A file of unknown size may share it with any other.
    let mut by_size: BTreeMap<Option<u64>, Vec<FileId>> = BTreeMap::new();
    for file in compared_files(session) {
        by_size
            .entry(session.loader.tree.size(file))
            .or_default()
            .push(file);
    }
    let is_any_unknown = by_size.contains_key(&None);
    let mut needs: Vec<FileId> = by_size
        .into_values()
        .filter(|files| is_any_unknown || files.len() > 1)
        .flatten()
        .collect();
    needs.retain(|file| !session.loader.read.hashes.contains_key(file));
    needs
}

/// The pictures that [`provide_print`] is still to be told of: readable outputs, and what they may copy.
pub fn print_needs(session: &LinkedSession<'_>) -> Vec<FileId> {
    let world = session.world();
    let mut needs: Vec<FileId> = Vec::new();
    for model in world.models {
        for (slot, at, _, turn) in world.benchmark.turns() {
            let output = model.submission.outputs.get(slot as usize).copied();
            if turn.kind == TurnKind::Image
                && let Some(output) = output.flatten()
            {
                let pictures = &world.benchmark.samples[at as usize].pictures;
                needs.push(output);
                needs.extend(pictures.iter().filter_map(|picture| picture.file));
            }
        }
    }
    needs.sort_small();
    needs.dedup();
    needs.retain(|file| {
        let is_picture = matches!(
            session.loader.read.pictures.get(file),
            Some(Probed::Picture { .. })
        );
        is_picture && !session.data.prints.contains_key(file)
    });
    needs
}

/// Takes what a whole picture looks like; the reason where it cannot be decoded, though its header is sound.
pub fn provide_print(session: &mut Session, file: FileId, print: Result<Fingerprint, Error>) {
    let print = print.map_err(|error| error.to_string());
    session.data.prints.insert(file, print);
}

/// The findings, and how far pictures were compared.
///
/// # Errors
/// `no_benchmark`: there is nothing to check against.
pub fn lint_report(session: &LinkedSession<'_>) -> Result<LintReport, Error> {
    lint_report_with(session, &[])
}

/// The same, with what networks hardly tell apart.
///
/// # Errors
/// Those of [`lint_report`].
pub fn lint_report_with(
    session: &LinkedSession<'_>,
    features: &[LintFeatures],
) -> Result<LintReport, Error> {
    let findings = lint_with(session, features)?;
    let mut to_compare = print_needs(session);
    to_compare.extend(lint_needs(session));
    to_compare.sort_small();
    to_compare.dedup();
    let outputs = session
        .data
        .models()
        .iter()
        .flat_map(|model| &model.submission.outputs);
    Ok(LintReport {
        outputs: count(outputs.flatten().count()),
        findings,
        to_compare: count(to_compare.len()),
        compared: count(session.data.prints.len()),
        copy_distance: COPY_DISTANCE,
        copy_levels: u32::from(COPY_LEVELS),
        pictures: feature_needs(session),
        alike: ALIKE,
        alike_floor: FLOOR,
    })
}

/// All findings; the first error is raised where there is no benchmark to check against.
pub fn lint(session: &LinkedSession<'_>) -> Result<Vec<LintFinding>, Error> {
    lint_with(session, &[])
}

/// The same, with what networks hardly tell apart: features of the pictures that [`feature_needs`] names,
/// of one network each.
///
/// # Errors
/// Those of [`lint`].
pub fn lint_with(
    session: &LinkedSession<'_>,
    features: &[LintFeatures],
) -> Result<Vec<LintFinding>, Error> {
    let problems = problems(session);
    if session.loader.benchmark.is_none() {
        return Err(Error::NoBenchmark("No sample list was found, so there is nothing to check outputs against. Name the benchmark's folder as well."
                    .to_owned()));
    }
    let mut found: Vec<LintFinding> = problems.into_iter().map(LintFinding::from).collect();
    let mut by_hash: HashMap<&str, (&str, FileId)> = HashMap::new();
    for model in session.data.models() {
        let from = found.len();
        lint_outputs(session, model, &mut found);
        lint_empty(session, model, &mut found);
        lint_capitals(session, model, &mut found);
        lint_sizes(session, model, &mut found);
        lint_copies(session, model, &mut by_hash, &mut found);
        lint_near_copies(session, model, &mut found);
        for finding in &mut found[from..] {
            finding.model.clone_from(&model.submission.name);
        }
    }
    for features in features {
        let alike = lint_alike(session, features, &found);
        found.extend(alike);
    }
    let failures = session.data.prints.iter().filter_map(|(file, print)| {
        let message = print.as_ref().err()?;
        Some((session.loader.tree.path(*file), *file, message))
    });
    let mut failures: Vec<_> = failures.collect();
    failures.sort_small();
    found.extend(failures.into_iter().map(|(path, file, message)| {
        LintFinding {
            file: Some(file),
            ..finding(Severity::Error, "corrupt_picture", path)
                .saying(message, "Generate or copy the picture again.")
        }
    }));
    name_samples(session, &mut found);
    found.sort_small_by_key(|finding| finding.severity);
    Ok(found)
}

/// Names the sample of every finding about an output or a picture of the benchmark, in `place` too where that is free.
fn name_samples(session: &Session, found: &mut [LintFinding]) {
    let world = session.world();
    let mut by_path: HashMap<&str, (u32, Option<u32>, &str)> = HashMap::new();
    for (at, sample) in (0u32..).zip(&world.benchmark.samples) {
        for file in sample.pictures.iter().filter_map(|picture| picture.file) {
            by_path
                .entry(session.loader.tree.path(file))
                .or_insert((at, None, ""));
        }
    }
    for model in world.models {
        for (slot, at, turn, _) in world.benchmark.turns() {
            let output = model.submission.outputs.get(slot as usize).copied();
            if let Some(file) = output.flatten() {
                let owner = (at, Some(turn), model.submission.name.as_str());
                by_path.insert(session.loader.tree.path(file), owner);
            }
        }
    }
    for finding in found {
        if finding.sample.is_some() {
            continue;
        }
        let Some((at, turn, model)) = by_path.get(finding.path.as_str()) else {
            continue;
        };
        let sample = &world.benchmark.samples[*at as usize];
        if finding.place.is_empty() {
            finding.place = place_of(session, sample, *turn);
        }
        if finding.model.is_empty() {
            (*model).clone_into(&mut finding.model);
        }
        finding.turn = turn.filter(|_| sample.turns.len() > 1);
        finding.sample = Some(sample.id.clone());
    }
}

/// A sample, or a turn of it, in the benchmark's own word.
fn place_of(session: &Session, sample: &Sample, turn: Option<u32>) -> String {
    match turn.filter(|_| sample.turns.len() > 1) {
        Some(turn) => format!("idx {}, turn {}", sample.id, turn + 1),
        None => format!("{} {}", session.loader.protocol.words().sample, sample.id),
    }
}

fn compared_files(session: &Session) -> Vec<FileId> {
    let world = session.world();
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
    files.sort_small();
    files.dedup();
    files
}

fn lint_outputs(session: &Session, model: &ModelData, found: &mut Vec<LintFinding>) {
    let world = session.world();
    let extra: Vec<(&str, FileId)> = model
        .submission
        .extra_files
        .iter()
        .map(|file| {
            let path = session.loader.tree.path(*file);
            (inside(path, &model.submission.output_folder), *file)
        })
        .collect();
    let missing: Vec<MissingOutput<'_>> = world
        .benchmark
        .turns()
        .zip(model.outputs.iter())
        .filter(|(_, state)| matches!(state, OutputState::Missing | OutputState::NotGiven))
        .map(|((slot, sample, turn_idx, turn), state)| MissingOutput {
            expected: model.submission.expected_path(slot, turn),
            sample: &world.benchmark.samples[sample as usize],
            turn: turn_idx,
            kind: turn.kind,
            is_given: *state == OutputState::Missing,
        })
        .collect();
    let names: Vec<&str> = missing
        .iter()
        .map(|one| inside(&one.expected, &model.submission.output_folder))
        .collect();
    let near = renames(&names, &extra);
    // Of a kind of which nothing has its right name there is more than nothing where something has nearly its name.
    let is_misnamed = |kind| near.keys().any(|at| missing[*at].kind == kind);
    let misnamed = [TurnKind::Image, TurnKind::Text].map(is_misnamed);
    let mut num_missing = 0;
    for (at, one) in missing.iter().enumerate() {
        if !one.is_given && !misnamed[usize::from(one.kind == TurnKind::Text)] {
            continue;
        }
        let MissingOutput {
            expected, sample, ..
        } = one;
        let (code, hint) = match near.get(&at) {
            Some(file) => (
                "misnamed_output",
                format!("Rename {} to {expected}.", session.loader.tree.path(*file)),
            ),
            None => (
                "missing_output",
                "Generate it, or accept that it scores as lowest under the paper's formulas."
                    .to_owned(),
            ),
        };
        let from = near.get(&at).copied();
        num_missing += usize::from(from.is_none());
        found.push(LintFinding {
            place: place_of(session, sample, Some(one.turn)),
            sample: Some(sample.id.clone()),
            turn: (sample.turns.len() > 1).then_some(one.turn),
            file: from,
            rename_from: from.map(|file| session.loader.tree.path(file).to_owned()),
            rename_to: from.map(|_| expected.clone()),
            ..finding(Severity::Error, code, expected).saying("The output is missing.", &hint)
        });
    }
    let renamed: HashSet<FileId> = near.into_values().collect();
    let extra = extra.into_iter().map(|(_, file)| file);
    let extra: Vec<FileId> = extra.filter(|file| !renamed.contains(file)).collect();
    lint_extra(session, model, (&extra, num_missing), found);
}

/// Files that no turn asks for; while outputs are missing one of them may be the only copy.
fn lint_extra(
    session: &Session,
    model: &ModelData,
    (extra, num_missing): (&[FileId], usize),
    found: &mut Vec<LintFinding>,
) {
    let is_all_missing = model
        .outputs
        .iter()
        .all(|state| *state == OutputState::NotGiven);
    let hint = match num_missing {
        0 if !is_all_missing => "Check its name, or remove it.".to_owned(),
        0 => "Check its name: no output of this model has the name that is asked for. Keep the file until they have.".to_owned(),
        missing => format!(
            "Check its name: {} of this model. Keep the file until that is cleared up.",
            counted(missing, "output is missing", "outputs are missing")
        ),
    };
    for file in extra {
        let format = unread_format(session.loader.tree.path(*file));
        let hint = if format.is_some() { CONVERT } else { &hint };
        found.push(LintFinding {
            file: Some(*file),
            ..finding(
                Severity::Warning,
                "extra_file",
                session.loader.tree.path(*file),
            )
            .saying("No turn of the benchmark asks for this file.", hint)
        });
    }
}

/// An output that is not there under its name.
struct MissingOutput<'a> {
    expected: String,
    sample: &'a Sample,
    turn: u32,
    kind: TurnKind,
    /// Whether others of its kind are there under theirs.
    is_given: bool,
}

/// Answers that say nothing.
fn lint_empty(session: &Session, model: &ModelData, found: &mut Vec<LintFinding>) {
    for ((file, _), slot) in outputs_of(session, model) {
        let answer = model.answers.get(&slot);
        if answer.is_some_and(|answer| answer.trim().is_empty()) {
            found.push(LintFinding {
                file: Some(file),
                ..finding(
                    Severity::Error,
                    "empty_output",
                    session.loader.tree.path(file),
                )
                .saying(
                    "The answer is empty.",
                    "Generate it again: a judge would be shown nothing.",
                )
            });
        }
    }
}

/// Whether an output says enough for its equal to be a copy: a short answer is soon the same, and nothing equals nothing.
fn is_telling(session: &Session, model: &ModelData, file: FileId, slot: u32) -> bool {
    match model.answers.get(&slot) {
        Some(answer) => answer.trim().chars().count() >= TELLING_LETTERS,
        None => session.loader.tree.size(file) != Some(0),
    }
}

/// Outputs whose names differ from the requested ones only in capitals.
fn lint_capitals(session: &Session, model: &ModelData, found: &mut Vec<LintFinding>) {
    let world = session.world();
    for ((file, entry_name), slot) in outputs_of(session, model) {
        let expected = world
            .benchmark
            .turn_at(slot)
            .map_or("", |turn| &turn.output_name);
        let expected = base_name(expected);
        if entry_name != expected && entry_name.eq_ignore_ascii_case(expected) {
            let path = session.loader.tree.path(file);
            found.push(LintFinding {
                file: Some(file),
                rename_from: Some(path.to_owned()),
                rename_to: Some(join(parent(path), expected)),
                ..finding(Severity::Warning, "other_case", path).saying(
                    &format!("The name differs from {expected} in capitals."),
                    &format!(
                        "Rename it to {expected}: the authors' code does not find it on Linux."
                    ),
                )
            });
        }
    }
}

/// Outputs of another size than most of the model's, unless it is the size of one of their own sample's pictures.
///
/// No protocol asks for one size, and editing models keep their input's: only a size that nothing explains is odd.
/// Where no size is that of most, the sizes are counted, and an output is odd whose shape is not the one expected.
fn lint_sizes(session: &Session, model: &ModelData, found: &mut Vec<LintFinding>) {
    let world = session.world();
    let mut counts: BTreeMap<Size, usize> = BTreeMap::new();
    let sizes: Vec<(FileId, u32, Size)> = outputs_of(session, model)
        .into_iter()
        .filter_map(|((file, _), slot)| Some((file, slot, size_in_pixels(session, file)?)))
        .collect();
    for (.., size) in &sizes {
        *counts.entry(*size).or_default() += 1;
    }
    let mut counts: Vec<(Size, usize)> = counts.into_iter().collect();
    counts.sort_small_by(|(_, a), (_, b)| b.cmp(a));
    let usual = counts.first().copied();
    let usual = usual.filter(|(_, number)| number * 2 > sizes.len());
    let mut num_unexplained = 0;
    for (slot, at, _, turn) in world.benchmark.turns() {
        let Ok(known) = sizes.binary_search_by_key(&slot, |(_, slot, _)| *slot) else {
            continue;
        };
        let (file, _, own) = sizes[known];
        let sample = &world.benchmark.samples[at as usize];
        let is_explained = sample
            .pictures
            .iter()
            .filter_map(|picture| size_in_pixels(session, picture.file?))
            .any(|size| size == own);
        if is_explained || usual.is_some_and(|(usual, _)| usual == own) {
            continue;
        }
        num_unexplained += 1;
        let expected = expected_size(session, model, slot, sample, turn);
        let because = match (usual, expected) {
            (Some((usual, number)), expected) => {
                let more = expected.filter(|(size, _)| ![own, usual].contains(size));
                let more = more.map_or_else(String::new, |(size, whose)| {
                    format!("; {whose} {}", size_words(size))
                });
                let (of, usual) = (sizes.len(), size_words(usual));
                format!("{number} of {of} outputs are {usual}{more}")
            }
            (None, Some((size, whose))) if !is_same_shape(size, own) => {
                format!("{whose} {}: another shape", size_words(size))
            }
            (None, _) => continue,
        };
        found.push(LintFinding {
            file: Some(file),
            ..finding(
                Severity::Warning,
                "odd_size",
                session.loader.tree.path(file),
            )
            .saying(
                &format!("The picture is {}, while {because}.", size_words(own)),
                "Check that it was not cropped, scaled or saved by another program.",
            )
        });
    }
    if usual.is_none() && num_unexplained > 0 {
        let listed = counts.iter().take(SIZES_LISTED);
        let mut parts: Vec<String> = listed
            .map(|(size, number)| format!("{number} of {}", size_words(*size)))
            .collect();
        if let Some(more) = counts
            .len()
            .checked_sub(SIZES_LISTED)
            .filter(|more| *more > 0)
        {
            parts.push(counted(more, "further size", "further sizes"));
        }
        let folder = &model.submission.output_folder;
        found.push(finding(Severity::Note, "mixed_sizes", folder).saying(
                &format!(
                    "The {} outputs have mixed sizes, and no size is that of most of them: {}. The size of {num_unexplained} is \
                     not that of any picture of its own sample either.",
                    sizes.len(),
                    parts.join(", "),
                ),
                "Check that all were made with the same settings.",
            ));
    }
}

/// The size of a picture whose header was read.
fn size_in_pixels(session: &Session, file: FileId) -> Option<Size> {
    match session.loader.read.pictures.get(&file) {
        Some(Probed::Picture { width, height }) => Some((*width, *height)),
        _ => None,
    }
}

/// The size that an output may be held against, with whose it is: that of the picture which the data set has in its place,
/// or the one in which all other models agree, where there are two at least.
fn expected_size(
    session: &Session,
    model: &ModelData,
    slot: u32,
    sample: &Sample,
    turn: &Turn,
) -> Option<(Size, &'static str)> {
    let number = turn.picture.and_then(|number| number.checked_sub(1));
    let target = number.and_then(|at| sample.pictures.get(at as usize)?.file);
    if let Some(size) = target.and_then(|file| size_in_pixels(session, file)) {
        return Some((size, "the data set's picture in its place is"));
    }
    let others = session.data.models().iter();
    let others = others.filter(|other| other.submission.name != model.submission.name);
    let sizes: Vec<Size> = others
        .filter_map(|other| {
            let file = other.submission.outputs.get(slot as usize).copied();
            size_in_pixels(session, file.flatten()?)
        })
        .collect();
    let first = *sizes.first()?;
    let agree = sizes.len() > 1 && sizes.iter().all(|size| *size == first);
    agree.then_some((first, "the other models' outputs are all"))
}

/// Outputs that equal a picture of the benchmark, or another output, byte by byte.
fn lint_copies<'a>(
    session: &'a Session,
    model: &'a ModelData,
    all: &mut HashMap<&'a str, (&'a str, FileId)>,
    found: &mut Vec<LintFinding>,
) {
    let world = session.world();
    let hash = |file: FileId| session.loader.read.hashes.get(&file).map(String::as_str);
    let mut originals: HashMap<&str, (FileId, String)> = HashMap::new();
    for sample in &world.benchmark.samples {
        for (number, picture) in (1u32..).zip(&sample.pictures) {
            if let Some((file, hash)) = picture.file.and_then(|file| Some((file, hash(file)?))) {
                originals
                    .entry(hash)
                    .or_insert_with(|| (file, as_target(sample, number)));
            }
        }
    }
    let mut seen: HashMap<&str, FileId> = HashMap::new();
    for ((file, _), slot) in outputs_of(session, model) {
        let Some(hash) = hash(file).filter(|_| is_telling(session, model, file, slot)) else {
            continue;
        };
        let mut note = |code: &str, other: FileId, message: String| {
            found.push(LintFinding {
                file: Some(file),
                other: Some(other),
                other_path: session.loader.tree.path(other).to_owned(),
                ..finding(Severity::Warning, code, session.loader.tree.path(file)).saying(
                    &message,
                    "Check that the model's own output was saved here.",
                )
            });
        };
        if let Some((original, target)) = originals.get(hash) {
            note(
                "copied_output",
                *original,
                format!(
                    "The output is a byte-for-byte copy of the benchmark's {}{target}.",
                    session.loader.tree.path(*original)
                ),
            );
        }
        match seen.get(hash) {
            Some(first) if *first != file => {
                note(
                    "repeated_output",
                    *first,
                    format!(
                        "The output equals {} byte for byte.",
                        session.loader.tree.path(*first)
                    ),
                );
            }
            Some(_) => {}
            None => {
                seen.insert(hash, file);
            }
        }
        // Two models may well give the same text; the same picture is another matter.
        let is_picture = world
            .benchmark
            .turn_at(slot)
            .is_some_and(|turn| turn.kind == TurnKind::Image);
        let (name, first) = *all.entry(hash).or_insert((&model.submission.name, file));
        if is_picture && name != model.submission.name && !originals.contains_key(hash) {
            note(
                "shared_output",
                first,
                format!(
                    "The output equals {name}'s {} byte for byte.",
                    session.loader.tree.path(first)
                ),
            );
        }
    }
}

/// What a picture of a sample is where a turn asks for it, in words to follow its path; nothing of a mere input.
fn as_target(sample: &Sample, number: u32) -> String {
    let mut turns = sample.turns.iter();
    match turns.position(|turn| turn.picture == Some(number)) {
        Some(_) if sample.turns.len() == 1 => ", the target".to_owned(),
        Some(at) => format!(", the target of turn {}", at + 1),
        None => String::new(),
    }
}

/// Outputs that look like one of their own sample's inputs all over, though their bytes differ.
fn lint_near_copies(session: &Session, model: &ModelData, found: &mut Vec<LintFinding>) {
    let world = session.world();
    let print = |file: FileId| {
        let print = session.data.prints.get(&file)?.as_ref().ok()?;
        (!print.is_flat()).then_some(print)
    };
    let hash = |file: FileId| session.loader.read.hashes.get(&file);
    for (slot, at, turn_idx, _) in world.benchmark.turns() {
        let output = model
            .submission
            .outputs
            .get(slot as usize)
            .copied()
            .flatten();
        let Some((file, own)) = output.and_then(|file| Some((file, print(file)?))) else {
            continue;
        };
        let sample = &world.benchmark.samples[at as usize];
        // What the turn itself asks for is no copy but the right answer; nor was any later turn's target shown before it.
        let is_shown = |number: u32| {
            let mut own_and_later = sample.turns.iter().skip(turn_idx as usize);
            !own_and_later.any(|turn| turn.picture == Some(number))
        };
        let inputs = (1u32..)
            .zip(&sample.pictures)
            .filter(|(number, _)| is_shown(*number))
            .filter_map(|(number, picture)| Some((number, picture.file?)))
            .filter(|(_, input)| hash(*input).is_none() || hash(*input) != hash(file));
        let nearest = inputs
            .filter_map(|(number, input)| Some((own.distance(print(input)?), number, input)))
            .min_by_key(|(distance, ..)| *distance);
        let Some(((distance, levels), number, input)) =
            nearest.filter(|((distance, levels), ..)| {
                *distance <= COPY_DISTANCE && *levels <= COPY_LEVELS
            })
        else {
            continue;
        };
        let target = as_target(sample, number);
        found.push(LintFinding {
                file: Some(file),
                other: Some(input),
                other_path: session.loader.tree.path(input).to_owned(),
                distance: Some(distance),
                ..finding(Severity::Warning, "near_copy", session.loader.tree.path(file)).saying(
                    &format!(
                        "The output looks like {}{target}: their perceptual hashes differ in {distance} of 64 bits and no part by \
                         more than {levels} of 255 grey levels.",
                        session.loader.tree.path(input)
                    ),
                    "Look at both: if the instruction asks for a change, none was made.",
                )
            });
    }
}

/// Every output file of a model with its name and turn number.
fn outputs_of<'s>(session: &'s Session, model: &ModelData) -> Vec<((FileId, &'s str), u32)> {
    let outputs = (0u32..).zip(&model.submission.outputs);
    outputs
        .filter_map(|(slot, file)| {
            file.map(|file| ((file, base_name(session.loader.tree.path(file))), slot))
        })
        .collect()
}

fn size_words((width, height): Size) -> String {
    format!("{width} × {height}")
}

/// Whether the aspects of two sizes differ by at most 2 %: models round to multiples of 8 or 16 pixels.
fn is_same_shape(a: Size, b: Size) -> bool {
    let aspect = |(width, height): Size| f64::from(width) / f64::from(height.max(1));
    let (a, b) = (aspect(a), aspect(b));
    a.max(b) <= 1.02 * a.min(b)
}

/// A path without its last extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// A path within a folder; of a file elsewhere, its name.
fn inside<'a>(path: &'a str, folder: &str) -> &'a str {
    path.strip_prefix(folder)
        .and_then(|rest| rest.strip_prefix('/'))
        .unwrap_or_else(|| base_name(path))
}

fn finding(severity: Severity, code: &str, path: &str) -> LintFinding {
    LintFinding::of(severity, code, path)
}

/// Which extra file each missing output may be: by the same stem, else by the same words and numbers where only one has them,
/// in its own folder before all others; then, the only file of a folder that is called after the output; last, where all names
/// have more words before or behind, and the same ones.
fn renames(missing: &[&str], extra: &[(&str, FileId)]) -> BTreeMap<usize, FileId> {
    let mut found = BTreeMap::new();
    let exact = |name: &str| stem(name).to_lowercase();
    let beside = |name: &str| format!("{}/{}", parent(name), loose_name(name));
    // A text is no picture under another name; without an ending it may be either.
    let is_either = |name: &str| !is_picture(name) && !has_ending(name);
    let of_folder = |name: &str| beside(&format!("{}.", parent(name)));
    let by_name = [&exact as &dyn Fn(&str) -> String, &beside, &loose_name];
    let keys = by_name.map(|key| (key, key)).into_iter();
    for (key, key_of_extra) in keys.chain([(&beside as _, &of_folder as _)]) {
        let mut wanted: HashMap<(bool, String), Vec<usize>> = HashMap::new();
        for (at, name) in missing.iter().enumerate() {
            if !found.contains_key(&at) {
                let key = (is_picture(name), key(name));
                wanted.entry(key).or_default().push(at);
            }
        }
        let taken: HashSet<FileId> = found.values().copied().collect();
        let mut given: HashMap<(bool, String), Vec<FileId>> = HashMap::new();
        for (name, file) in extra {
            let name = without_backup_end(name);
            if taken.contains(file) || unread_format(name).is_some() {
                continue;
            }
            let own = key_of_extra(name);
            if is_either(name) {
                given.entry((true, own.clone())).or_default().push(*file);
            }
            given
                .entry((is_picture(name), own))
                .or_default()
                .push(*file);
        }
        for (name, places) in wanted {
            if let ([at], Some([file])) = (places.as_slice(), given.get(&name).map(Vec::as_slice)) {
                found.insert(*at, *file);
            }
        }
    }
    for is_of_folder in [true, false] {
        add_affixed(missing, extra, is_of_folder, &mut found);
    }
    found
}

/// The text before and after the meant part of names.
type Affixes = (String, String);

/// Adds outputs whose names are meant with the same words before and behind each: `run7-1_2.png`, `run7-1_3.png`.
///
/// With `is_of_folder`, an output is looked for only in its own folder.
fn add_affixed(
    missing: &[&str],
    extra: &[(&str, FileId)],
    is_of_folder: bool,
    found: &mut BTreeMap<usize, FileId>,
) {
    let folder = |name: &str| {
        let folder = if is_of_folder { parent(name) } else { "" };
        folder.to_owned()
    };
    let mut wanted: HashMap<(bool, String, String), Vec<usize>> = HashMap::new();
    for (at, name) in missing.iter().enumerate() {
        if !found.contains_key(&at) {
            let key = (is_picture(name), folder(name), loose_name(name));
            wanted.entry(key).or_default().push(at);
        }
    }
    let taken: HashSet<FileId> = found.values().copied().collect();
    let mut pairs: BTreeMap<Affixes, Vec<(usize, FileId)>> = BTreeMap::new();
    for (name, file) in extra {
        let name = without_backup_end(name);
        if taken.contains(file) || unread_format(name).is_some() {
            continue;
        }
        let loose = loose_name(name);
        let words: Vec<&str> = loose.split(' ').take(MAX_WORDS).collect();
        for (begin, end) in parts(words.len()) {
            let key = (is_picture(name), folder(name), words[begin..end].join(" "));
            if let Some([at]) = wanted.get(&key).map(Vec::as_slice) {
                let affixes = (words[..begin].join(" "), words[end..].join(" "));
                pairs.entry(affixes).or_default().push((*at, *file));
            }
        }
    }
    // What is around the most names is around them all; where two ways are as good, none is taken.
    let most = pairs.values().map(Vec::len).max().unwrap_or(0);
    let mut best = pairs.into_values().filter(|pairs| pairs.len() == most);
    let (Some(best), None) = (best.next(), best.next()) else {
        return;
    };
    let places: HashSet<usize> = best.iter().map(|(at, _)| *at).collect();
    if best.len() > 1 && places.len() == best.len() {
        found.extend(best);
    }
}

/// A name of more words is looked at as far as this.
const MAX_WORDS: usize = 24;

/// The parts of so many words, each by its begin and end, but the whole.
fn parts(len: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..len).flat_map(move |begin| (begin + 1..=len).map(move |end| (begin, end)));
    all.filter(move |(begin, end)| end - begin < len)
}

/// Commands that carry out renames and overwrite nothing; to be read before they are run.
pub fn rename_script<'a>(renames: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    use std::fmt::Write as _;
    let quoted = |path: &str| format!("'{}'", path.replace('\'', "'\\''"));
    let mut script = String::from("#!/bin/sh\n");
    for (from, to) in renames {
        let _ = writeln!(script, "mv -n -- {} {}", quoted(from), quoted(to));
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_taken_for_a_missing_output_only_where_nothing_else_can_be_meant() {
        let extra = [
            ("IMG_007_output.jpg", 1),
            ("B.PNG", 2),
            ("8 (1).png", 3),
            ("8-1.png", 4),
        ];
        let found = renames(&["7.png", "b.png", "8_1.png", "9.png"], &extra);
        assert_eq!(found, [(0, 1), (1, 2)].into());
        assert_eq!(
            renames(&["a/1.png", "b/1.png"], &[("01.png", 1)]),
            BTreeMap::new()
        );
        // The folder tells apart what has one name in several of them.
        let extra = [("a/1_gen.png", 1), ("b/1_gen.png", 2), ("c/out_1.png", 3)];
        assert_eq!(
            renames(&["a/1_generated.jpg", "b/1_generated.jpg"], &extra),
            [(0, 1), (1, 2)].into()
        );
        // A folder that is called after an output and holds one picture.
        let missing = ["a/case_1.png", "a/case_2.png"];
        let extra = [
            ("a/case_1/0.png", 1),
            ("a/case_2/0.png", 2),
            ("a/case_2/1.png", 3),
        ];
        assert_eq!(renames(&missing, &extra), [(0, 1)].into());
        // The same words before or behind every name.
        let missing = ["d0_2.png", "d1_2.png", "d1_4.png", "d0_1.txt"];
        let extra = [
            ("flux-v2-d0_2.png", 1),
            ("flux-v2-d1_2.png", 2),
            ("flux-v2-d3_2.png", 3),
            ("d1_4.png.bak", 4),
            ("d0_1-answer.txt", 5),
        ];
        let found = renames(&missing, &extra);
        assert_eq!(found, [(0, 1), (1, 2), (2, 4), (3, 5)].into());
        let extra = [("1_2.png", 1), ("2_1.png", 2)];
        assert_eq!(renames(&["1.png", "2.png"], &extra), BTreeMap::new());
        let extra = [
            ("a_1.png", 1),
            ("b_2.png", 2),
            ("a_2.png", 3),
            ("b_1.png", 4),
        ];
        assert_eq!(renames(&["1.png", "2.png"], &extra), BTreeMap::new());
    }

    #[test]
    fn a_rename_is_quoted_so_that_no_name_becomes_a_command() {
        assert_eq!(
            rename_script([("m/it's; rm *.png", "m/$(a) b.png")]),
            "#!/bin/sh\nmv -n -- 'm/it'\\''s; rm *.png' 'm/$(a) b.png'\n"
        );
    }

    #[test]
    fn a_copy_needs_a_near_hash_and_near_cells() {
        let print = |hash, cell| Fingerprint {
            hash,
            cells: vec![cell; 256].into(),
        };
        assert_eq!(print(0b1011, 10).distance(&print(0b0001, 14)), (2, 4));
        assert!(print(0, 10).is_flat(), "all flat pictures have one hash");
    }
}
