//! The numbers of one cell, and what is corrected over all of them.

use crate::compare::{Differences, LevelValues};
use crate::count;
use crate::view::experiments::{Experiments, LevelCell, LevelDifference};
use juror_model::terms::Estimate;
use juror_statistics::clusters::Clusters;
use juror_statistics::correction::Correction;
use juror_statistics::level::Level;
use juror_statistics::paired::ALPHA;
use juror_statistics::{MIN_FOR_INTERVAL, t_quantile};

/// An estimate with Student's interval over samples, where there are enough.
fn estimate(values: &Clusters, level: Level) -> Option<Estimate> {
    let value = values.mean()?;
    let ends = ends(values, level.upper());
    Some(Estimate {
        value,
        low: ends.map(|ends| ends[0]),
        high: ends.map(|ends| ends[1]),
    })
}

/// The ends of the interval above whose upper one this share of Student's t does not lie.
fn ends(values: &Clusters, upper: f64) -> Option<[f64; 2]> {
    let mean = values.mean()?;
    let is_enough = values.len() >= MIN_FOR_INTERVAL as usize;
    let half = t_quantile(upper, values.df()?) * values.standard_error()?;
    is_enough.then_some([mean - half, mean + half])
}

pub(super) fn cell(
    values: Option<&LevelValues>,
    level: Level,
    scale: Option<[f64; 2]>,
) -> LevelCell {
    let Some(own) = values else {
        return LevelCell::default();
    };
    let difference = own.differences.as_ref();
    let difference = difference.and_then(|found| difference_of(found, level));
    let interaction = own.interaction.as_ref();
    let interaction = interaction.and_then(|found| difference_of(found, level));
    LevelCell {
        mean: estimate(&own.values, level).map(|mean| match scale {
            Some(scale) => mean.within(scale),
            None => mean,
        }),
        n: count(own.values.len()),
        expected: Some(own.expected),
        difference,
        interaction,
        printed: None,
    }
}

fn difference_of(found: &Differences, level: Level) -> Option<LevelDifference> {
    let value = estimate(&found.values, level)?;
    let first = found.first.filter(|first| *first != 0.0);
    Some(LevelDifference {
        n: count(found.values.len()),
        expected: found.expected,
        corrected: None,
        p: found.p,
        p_corrected: None,
        separated: false,
        relative: first.map(|first| value.value / first.abs()),
        within: None,
        value,
    })
}

/// Corrects p-values and intervals over all differences of the table, those of differences among them.
///
/// Holm's steps have no intervals of their own, so those are Bonferroni's, which are never narrower than what the steps say.
pub(super) fn correct(found: &mut Experiments) {
    let cells = found.blocks.iter_mut().flat_map(|block| &mut block.rows);
    let cells = cells.flat_map(|row| &mut row.cells);
    let differences =
        cells.flat_map(|cell| cell.difference.iter_mut().chain(&mut cell.interaction));
    let mut differences: Vec<&mut LevelDifference> = differences.collect();
    let raw: Vec<Option<f64>> = differences.iter().map(|one| one.p).collect();
    let comparisons = raw.iter().flatten().count();
    let corrected = found.correction.adjust(&raw);
    for (difference, p) in differences.iter_mut().zip(corrected) {
        difference.p_corrected = p;
        difference.separated = p.is_some_and(|p| p < ALPHA);
        difference.corrected = match found.correction {
            Correction::Holm => widened(difference, found.level, comparisons),
            Correction::BenjaminiHochberg | Correction::None => None,
        };
    }
    found.comparisons = count(comparisons);
}

/// The interval of one difference that holds together with those of all comparisons.
fn widened(difference: &LevelDifference, level: Level, comparisons: usize) -> Option<[f64; 2]> {
    let Estimate { value, high, .. } = difference.value;
    let df = f64::from(difference.n) - 1.0;
    let half = high? - value;
    let upper = 1.0 - level.lower() / comparisons.max(1) as f64;
    let factor = t_quantile(upper, df) / t_quantile(level.upper(), df);
    Some([value - half * factor, value + half * factor])
}
