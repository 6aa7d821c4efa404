//! Samples worth looking at: the worst, the most disputed, or a draw that a seed repeats, with outputs side by side.
//!
//! An overview of only numbers hides the samples behind them.
//! Only samples with a picture to show are chosen, and each is shown at one turn, so that like is next to like.

use crate::study::Study;
use juror_model::linked::{ModelData, World};
use juror_model::sample::TurnKind;
use juror_model::score::{JudgeScores, ModelScores};
use juror_model::submission::OutputState;
use juror_model::terms::Direction;
use sha2::{Digest, Sha256};

use super::count;
use super::filter::most_frequent;
use crate::measure::MEASURED;
use crate::view::{
    Dispute, HighlightPick, HighlightQuery, HighlightedOutput, HighlightedSample, Highlights,
};
use juror_model::tree::FileId;
use juror_statistics::small::SortSmall;

/// Outputs that stand side by side; of more models, those with the best and the worst scores of the sample are shown.
const MAX_SIDE_BY_SIDE: usize = 4;
/// The most samples that are handed out at once.
const MAX_HIGHLIGHTS: u32 = 100;

/// Samples worth looking at: a sample without a picture by any model is none.
///
/// Samples that come out equal stand in the order of the benchmark; a draw has the random order of the sample list.
pub fn highlights(study: &Study<'_>, query: &HighlightQuery) -> Highlights {
    study.expect(&query.options);
    let world = study.world();
    let scores = &study.scores().models;
    let dispute = dispute(scores);
    let judge = common_judge(scores);
    let candidates =
        (0..count(world.benchmark.samples.len())).filter(|at| shown_turn(&world, *at).is_some());
    let mut chosen: Vec<(u32, Option<f64>)> = match query.pick {
        HighlightPick::Random => candidates.map(|at| (at, None)).collect(),
        HighlightPick::Lowest => with_value(candidates, |at| {
            mean(scores.iter().filter_map(|model| total(model, judge, at)))
        }),
        HighlightPick::Disputed => with_value(candidates, |at| {
            distance_of(scores, (at, judge), dispute).filter(|distance| *distance > 0.0)
        }),
    };
    let is_down = (study.criteria().iter())
        .any(|info| info.id == "total" && info.direction == Direction::Down);
    match query.pick {
        HighlightPick::Random => chosen.sort_small_by_cached_key(|(at, _)| {
            place_of(query.seed, &world.benchmark.samples[*at as usize].id)
        }),
        HighlightPick::Lowest if !is_down => {
            chosen.sort_small_by(|(_, a), (_, b)| order(*a, *b));
        }
        _ => chosen.sort_small_by(|(_, a), (_, b)| order(*b, *a)),
    }
    chosen.truncate(query.len.min(MAX_HIGHLIGHTS) as usize);
    let models = world.models.iter();
    Highlights {
        models: models.map(|model| model.submission.name.clone()).collect(),
        dispute,
        judge: judge.filter(|_| has_several(scores)).map(str::to_owned),
        samples: (chosen.into_iter())
            .map(|(at, value)| highlighted(&world, (scores, judge), (at, value), is_down))
            .collect(),
    }
}

/// The turn at which a sample is shown: the last one of those with the most models' pictures; `None` without any.
pub(super) fn shown_turn(world: &World<'_>, sample: u32) -> Option<u32> {
    let turns = &world.benchmark.samples.get(sample as usize)?.turns;
    let base = world.benchmark.turn_slot(sample, 0)? as usize;
    let shown = (0u32..).zip(turns).zip(base..);
    let shown = shown.filter(|((_, turn), _)| turn.kind == TurnKind::Image);
    let counted = shown.map(|((index, _), slot)| {
        let models = world.models.iter();
        let num = models.filter(|model| picture_at(model, slot).is_some());
        (num.count(), index)
    });
    let (num, index) = counted.max()?;
    (num > 0).then_some(index)
}

/// A model's picture for a turn, if there is one that can be shown.
pub(super) fn picture_at(model: &ModelData, slot: usize) -> Option<FileId> {
    let is_shown = model.outputs.get(slot) != Some(&OutputState::Unreadable);
    let file = model.submission.outputs.get(slot).copied().flatten();
    file.filter(|_| is_shown)
}

/// Where a seed puts a sample: the first eight bytes of the SHA-256 of `SEED:ID`.
pub(super) fn place_of(seed: u32, id: &str) -> [u8; 8] {
    let hash = Sha256::digest(format!("{seed}:{id}"));
    std::array::from_fn(|at| hash[at])
}

/// The samples that have the value that they are chosen by.
fn with_value(
    samples: impl Iterator<Item = u32>,
    value: impl Fn(u32) -> Option<f64>,
) -> Vec<(u32, Option<f64>)> {
    let valued = samples.filter_map(|at| Some((at, Some(value(at)?))));
    valued.collect()
}

fn order(a: Option<f64>, b: Option<f64>) -> std::cmp::Ordering {
    a.unwrap_or_default().total_cmp(&b.unwrap_or_default())
}

/// Whoever scored a model's outputs; measured values are nobody's verdict.
fn judges(model: &ModelScores) -> impl Iterator<Item = &JudgeScores> {
    let judges = model.judges.iter();
    judges.filter(|judge| judge.judge != MEASURED)
}

fn total_by(judge: &JudgeScores, sample: u32) -> Option<f64> {
    judge.totals.get(sample as usize).copied().flatten()
}

/// The judge that most models have: scores of one judge only are compared between models, as in the sample list.
fn common_judge(scores: &[ModelScores]) -> Option<&str> {
    most_frequent(scores.iter().flat_map(judges).map(|judge| &*judge.judge))
}

/// Whether more than one judge has scores.
fn has_several(scores: &[ModelScores]) -> bool {
    let mut names = scores.iter().flat_map(judges).map(|judge| &judge.judge);
    let first = names.next();
    !names.all(|name| Some(name) == first)
}

/// A model's total on a sample by a judge.
fn total(model: &ModelScores, judge: Option<&str>, sample: u32) -> Option<f64> {
    let own = judges(model).find(|own| Some(&*own.judge) == judge)?;
    total_by(own, sample)
}

/// Who can disagree: judges over one output where there are several, else models over one sample.
fn dispute(scores: &[ModelScores]) -> Dispute {
    if scores.iter().any(|model| judges(model).count() > 1) {
        return Dispute::Judges;
    }
    if scores
        .iter()
        .filter(|model| judges(model).count() > 0)
        .count()
        > 1
    {
        return Dispute::Models;
    }
    Dispute::Nobody
}

/// How far those who can disagree are apart over a sample.
fn distance_of(
    scores: &[ModelScores],
    (sample, judge): (u32, Option<&str>),
    dispute: Dispute,
) -> Option<f64> {
    match dispute {
        Dispute::Judges => scores
            .iter()
            .filter_map(|model| distance(judges(model).filter_map(|judge| total_by(judge, sample))))
            .reduce(f64::max),
        Dispute::Models => distance(
            scores
                .iter()
                .filter_map(|model| total(model, judge, sample)),
        ),
        Dispute::Nobody => None,
    }
}

/// From the lowest to the highest of at least two numbers.
fn distance(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let ends = numbers.fold(
        (f64::INFINITY, f64::NEG_INFINITY, 0),
        |(low, high, n), x| (low.min(x), high.max(x), n + 1),
    );
    let (low, high, n) = ends;
    (n > 1).then_some(high - low)
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = numbers.fold((0.0, 0u32), |(sum, n), x| (sum + x, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

fn highlighted(
    world: &World<'_>,
    (scores, judge): (&[ModelScores], Option<&str>),
    (at, value): (u32, Option<f64>),
    is_down: bool,
) -> HighlightedSample {
    let sample = &world.benchmark.samples[at as usize];
    let turn = shown_turn(world, at).unwrap_or(0);
    let slot = world.benchmark.turn_slot(at, turn).unwrap_or(0) as usize;
    let outputs: Vec<HighlightedOutput> = (0u32..)
        .zip(world.models)
        .zip(scores)
        .map(|((index, model), of_model)| HighlightedOutput {
            model: index,
            file: picture_at(model, slot),
            score: total(of_model, judge, at),
        })
        .collect();
    HighlightedSample {
        id: sample.id.clone(),
        instruction: (sample.turns.get(turn as usize))
            .map(|turn| turn.instruction.clone())
            .unwrap_or_default(),
        turn: (sample.turns.len() > 1).then_some(turn),
        value,
        outputs: side_by_side(outputs, is_down),
    }
}

/// As many as stand side by side, in the order of the models: of more, the best and the worst by turns.
fn side_by_side(outputs: Vec<HighlightedOutput>, is_down: bool) -> Vec<HighlightedOutput> {
    if outputs.len() <= MAX_SIDE_BY_SIDE {
        return outputs;
    }
    let mut shown: Vec<HighlightedOutput> = outputs;
    shown.retain(|output| output.file.is_some());
    shown.sort_small_by(|a, b| match (a.score, b.score) {
        (Some(a), Some(b)) if is_down => a.total_cmp(&b),
        (Some(a), Some(b)) => b.total_cmp(&a),
        // Without a score, between the best and the worst.
        _ => std::cmp::Ordering::Equal,
    });
    let worst = shown.split_off(shown.len().min(MAX_SIDE_BY_SIDE / 2));
    let from = worst.len().saturating_sub(MAX_SIDE_BY_SIDE / 2);
    shown.extend(worst.into_iter().skip(from));
    shown.sort_small_by_key(|output| output.model);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(scores: &[Option<f64>]) -> Vec<HighlightedOutput> {
        let outputs = (0u32..)
            .zip(scores)
            .map(|(model, score)| HighlightedOutput {
                model,
                file: Some(model),
                score: *score,
            });
        outputs.collect()
    }

    fn shown(outputs: Vec<HighlightedOutput>, is_down: bool) -> Vec<u32> {
        let shown = side_by_side(outputs, is_down);
        shown.iter().map(|output| output.model).collect()
    }

    #[test]
    fn of_many_models_the_best_two_and_the_worst_two_stand_side_by_side() {
        let scores = [5.0, 9.0, 1.0, 7.0, 2.0, 8.0].map(Some);
        assert_eq!(shown(scored(&scores), false), [1, 2, 4, 5]);
        assert_eq!(shown(scored(&scores), true), [1, 2, 4, 5]);
    }

    #[test]
    fn of_few_models_all_stand_side_by_side_even_without_a_picture() {
        let mut outputs = scored(&[Some(1.0), None, Some(3.0)]);
        outputs[1].file = None;
        assert_eq!(shown(outputs, false), [0, 1, 2]);
    }

    #[test]
    fn of_many_models_those_without_a_picture_are_not_shown() {
        let mut outputs = scored(&[9.0, 8.0, 7.0, 6.0, 5.0].map(Some));
        outputs[0].file = None;
        assert_eq!(shown(outputs, false), [1, 2, 3, 4]);
    }
}
