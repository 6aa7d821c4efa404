//! Outputs that a network hardly tells apart from what was shown for them, from another sample's picture, or from each other.
//!
//! This crate runs no network: a host does, and brings the features. A pair that bytes or hashes gave away is not named again,
//! and neither is what the benchmark itself asks for.

use std::collections::{HashMap, HashSet};

use juror_model::linked::ModelData;
use juror_model::problem::Severity;
use juror_model::sample::{Sample, TurnKind};
use juror_model::tree::FileId;
use juror_statistics::alike::{Bar, FLOOR};
use juror_statistics::small::SortSmall as _;

use super::picture::Probed;
use super::state::Session;
use super::study::LinkedSession;
use crate::view::lint::{LintFeatures, LintFinding};

/// The pictures whose features [`lint`](fn@crate::lint) compares: readable outputs and every picture of the benchmark.
///
/// There are none where no model has an output.
pub fn feature_needs(session: &LinkedSession<'_>) -> Vec<FileId> {
    let world = session.world();
    let outputs = world
        .models
        .iter()
        .flat_map(|model| outputs(session, model));
    let mut needs: Vec<FileId> = outputs.map(|output| output.file).collect();
    if needs.is_empty() {
        return needs;
    }
    let samples = world.benchmark.samples.iter();
    needs.extend(samples.flat_map(pictures));
    needs.sort_small();
    needs.dedup();
    let is_picture = |file: &FileId| {
        matches!(
            session.loader.read.pictures.get(file),
            Some(Probed::Picture { .. })
        )
    };
    needs.retain(is_picture);
    needs
}

/// A picture output and where it belongs.
#[derive(Clone, Copy)]
struct Output {
    file: FileId,
    sample: usize,
    turn: usize,
}

/// Every picture output of a model.
fn outputs(session: &Session, model: &ModelData) -> Vec<Output> {
    let turns = session.world().benchmark.turns();
    let turns = turns.filter(|(.., turn)| turn.kind == TurnKind::Image);
    let found = turns.filter_map(|(slot, sample, turn, _)| {
        let file = model.submission.outputs.get(slot as usize).copied();
        Some(Output {
            file: file.flatten()?,
            sample: sample as usize,
            turn: turn as usize,
        })
    });
    found.collect()
}

fn pictures(sample: &Sample) -> impl Iterator<Item = FileId> {
    sample.pictures.iter().filter_map(|picture| picture.file)
}

/// What an output was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Input,
    Reference,
    Output,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Input, Self::Reference, Self::Output];

    fn code(self) -> &'static str {
        match self {
            Self::Input => "alike_input",
            Self::Reference => "alike_reference",
            Self::Output => "alike_output",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Input => "Look at both: if the instruction asks for a change, none was made.",
            Self::Reference => "Look at both: the output shows what another sample is about.",
            Self::Output => "Look at both: one output may have been saved for two samples.",
        }
    }
}

/// The nearest picture of a kind.
struct Nearest {
    kind: Kind,
    model: usize,
    file: FileId,
    other: FileId,
    cosine: f64,
}

/// The comparison by one network.
struct Comparison<'s> {
    session: &'s Session,
    rows: HashMap<FileId, &'s [f32]>,
    /// Pairs that are findings already.
    known: HashSet<(FileId, FileId)>,
}

/// Pairs that a network hardly tells apart; each pair once, and of an output the nearest picture of each kind.
///
/// Takes time in the product of the numbers of outputs and pictures.
pub(crate) fn lint_alike(
    session: &Session,
    features: &LintFeatures,
    found: &[LintFinding],
) -> Vec<LintFinding> {
    let known = found.iter();
    let known = known.filter_map(|finding| Some(ordered(finding.file?, finding.other?)));
    let width = features.numbers.len() / features.files.len().max(1);
    let rows = features.numbers.chunks_exact(width.max(1));
    let comparison = Comparison {
        session,
        rows: features.files.iter().copied().zip(rows).collect(),
        known: known.collect(),
    };
    let nearest = comparison.nearest();
    let mut alike = Vec::new();
    let mut seen = HashSet::new();
    for kind in Kind::ALL {
        let of_kind = || nearest.iter().filter(|one| one.kind == kind);
        let cosines: Vec<f64> = of_kind().map(|one| one.cosine).collect();
        let bar = Bar::of(&cosines, FLOOR);
        let passed = of_kind().filter(|one| bar.is_passed(one.cosine));
        for one in passed {
            if seen.insert(ordered(one.file, one.other)) {
                alike.push(comparison.finding(one, bar, &features.network));
            }
        }
    }
    alike
}

fn ordered(a: FileId, b: FileId) -> (FileId, FileId) {
    (a.min(b), a.max(b))
}

/// The first of the nearest.
fn best(found: impl Iterator<Item = (f64, FileId)>) -> Option<(f64, FileId)> {
    found.fold(None, |best: Option<(f64, FileId)>, one| {
        if best.is_some_and(|best| best.0 >= one.0) {
            best
        } else {
            Some(one)
        }
    })
}

impl Comparison<'_> {
    /// Of every output the nearest picture of each kind.
    fn nearest(&self) -> Vec<Nearest> {
        let world = self.session.world();
        let samples = &world.benchmark.samples;
        let mut nearest = Vec::new();
        for (model, data) in world.models.iter().enumerate() {
            let outputs = outputs(self.session, data);
            for own in &outputs {
                let found = [
                    (Kind::Input, self.nearest_input(own, &samples[own.sample])),
                    (Kind::Reference, self.nearest_reference(own, samples)),
                    (Kind::Output, self.nearest_output(own, &outputs, samples)),
                ];
                let found = found.into_iter();
                nearest.extend(found.filter_map(|(kind, found)| {
                    let (cosine, other) = found?;
                    Some(Nearest {
                        kind,
                        model,
                        file: own.file,
                        other,
                        cosine,
                    })
                }));
            }
        }
        nearest
    }

    /// What the turn itself asks for is no copy but the right answer; nor was any later turn's target shown before it.
    fn nearest_input(&self, own: &Output, sample: &Sample) -> Option<(f64, FileId)> {
        let is_shown = |number: u32| {
            let mut own_and_later = sample.turns.iter().skip(own.turn);
            !own_and_later.any(|turn| turn.picture == Some(number))
        };
        let numbered = (1u32..).zip(&sample.pictures);
        let shown = numbered.filter(|(number, _)| is_shown(*number));
        self.nearest_of(own, shown.filter_map(|(_, picture)| picture.file))
    }

    /// Another sample's picture counts where it is none of the own sample's, and nearer than all of these.
    fn nearest_reference(&self, own: &Output, samples: &[Sample]) -> Option<(f64, FileId)> {
        let hash = |file: FileId| self.session.loader.read.hashes.get(&file);
        let theirs: Vec<FileId> = pictures(&samples[own.sample]).collect();
        let hashes: HashSet<&String> = theirs.iter().filter_map(|file| hash(*file)).collect();
        let is_theirs = |file: &FileId| {
            theirs.contains(file) || hash(*file).is_some_and(|hash| hashes.contains(hash))
        };
        let others = samples.iter().enumerate();
        let others = others.filter(|(at, _)| *at != own.sample);
        let others = others.flat_map(|(_, sample)| pictures(sample));
        let found = self.nearest_of(own, others.filter(|file| !is_theirs(file)))?;
        let explained = theirs.iter();
        let explained = explained.filter_map(|file| self.cosine(own.file, *file));
        let explained = explained.fold(f64::NEG_INFINITY, f64::max);
        (found.0 > explained).then_some(found)
    }

    /// Another output counts unless the answers that the benchmark expects for the two are as near to each other.
    fn nearest_output(
        &self,
        own: &Output,
        outputs: &[Output],
        samples: &[Sample],
    ) -> Option<(f64, FileId)> {
        let golden = |output: &Output| {
            let sample = samples.get(output.sample)?;
            let number = sample.turns.get(output.turn)?.picture?.checked_sub(1)?;
            sample.pictures.get(number as usize)?.file
        };
        let others = outputs.iter().filter(|other| other.file != own.file);
        let is_asked = |other: &&Output| {
            let asked = golden(own).zip(golden(other));
            let asked = asked.and_then(|(a, b)| self.cosine(a, b));
            asked
                .zip(self.cosine(own.file, other.file))
                .is_some_and(|(asked, found)| asked >= found)
        };
        let others = others.filter(|other| !is_asked(other));
        self.nearest_of(own, others.map(|other| other.file))
    }

    /// The nearest of these that is no finding yet, with its cosine.
    fn nearest_of(
        &self,
        own: &Output,
        others: impl Iterator<Item = FileId>,
    ) -> Option<(f64, FileId)> {
        let new = others.filter(|other| !self.known.contains(&ordered(own.file, *other)));
        best(new.filter_map(|other| Some((self.cosine(own.file, other)?, other))))
    }

    fn cosine(&self, a: FileId, b: FileId) -> Option<f64> {
        let pairs = self.rows.get(&a)?.iter().zip(*self.rows.get(&b)?);
        Some(pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum())
    }

    fn finding(&self, one: &Nearest, bar: Bar, network: &str) -> LintFinding {
        let path = |file| self.session.loader.tree.path(file);
        let model = &self.session.world().models[one.model];
        let message = format!(
            "{network} hardly tells the output apart from {}: the cosine of their features is {:.4}. What counts is {bar}.",
            path(one.other),
            one.cosine
        );
        LintFinding {
            model: model.submission.name.clone(),
            file: Some(one.file),
            other: Some(one.other),
            other_path: path(one.other).to_owned(),
            cosine: Some(one.cosine),
            ..LintFinding::of(Severity::Warning, one.kind.code(), path(one.file))
        }
        .saying(&message, one.kind.hint())
    }
}
