//! Averages over the rows of an experiment: plain, and weighted by how many samples the whole benchmark has of each.

use crate::compare::LevelValues;
use crate::count;
use crate::state::Session;
use crate::subset::as_name;
use crate::view::experiments::{AverageCell, Within};
use juror_model::terms::Estimate;
use juror_statistics::level::Level;
use juror_statistics::{MIN_FOR_INTERVAL, t_quantile};

/// How rows are averaged.
pub(super) struct Weights {
    pub(super) id: &'static str,
    pub(super) label: String,
    /// One for each row; they add up to 1.
    pub(super) shares: Vec<f64>,
}

/// The two ways for the groups of a scope; none where a sample is in two of them, or nothing is to be averaged.
pub(super) fn weights(session: &Session, scope: &str, keys: &[String]) -> Vec<Weights> {
    let world = session.world();
    let protocol = &session.loader.protocol;
    let mut sizes = Vec::new();
    let mut taken = vec![false; world.benchmark.samples.len()];
    for key in keys {
        let Some(members) = protocol.members(world.benchmark, scope, key) else {
            return Vec::new();
        };
        let mut size = 0u32;
        for (taken, _) in taken.iter_mut().zip(&members).filter(|(_, is_in)| **is_in) {
            if std::mem::replace(taken, true) {
                return Vec::new();
            }
            size += 1;
        }
        sizes.push(f64::from(size));
    }
    if keys.len() < 2 || scope == "turn" {
        return Vec::new();
    }
    let words = protocol.words();
    let table = match scope {
        "domain" => as_name(&words.domain),
        "category" => as_name(&words.category),
        other => other.to_owned(),
    };
    let totals = protocol.totals();
    let printed = |key: &String| {
        let mut own = totals.iter();
        own.find(|one| one.table == table && one.row == *key && one.column.is_empty())
    };
    let of_paper: Option<Vec<_>> = keys.iter().map(printed).collect();
    let (counts, source) = match of_paper.as_deref() {
        Some([first, ..]) => {
            let source = format!("as its authors count them ({})", first.source);
            let counts = of_paper.iter().flatten().map(|total| f64::from(total.n));
            (counts.collect(), source)
        }
        _ => (sizes, "as they are open here".to_owned()),
    };
    let plain = vec![1.0; keys.len()];
    let share = |counts: Vec<f64>| -> Vec<f64> {
        let sum: f64 = counts.iter().sum();
        counts.into_iter().map(|one| one / sum.max(1.0)).collect()
    };
    vec![
        Weights {
            id: "plain",
            label: format!("Plain average of the {} groups", keys.len()),
            shares: share(plain),
        },
        Weights {
            id: "weighted",
            label: format!(
                "Average weighted by the full benchmark's {}, {source}",
                words.samples
            ),
            shares: share(counts),
        },
    ]
}

/// One level's average; rows are those of its groups, in the order of the weights.
///
/// The groups have no sample in common, so the errors of their differences are independent: the squares of the weighted
/// standard errors add up, and the degrees of freedom are Welch's and Satterthwaite's.
pub(super) fn average(
    rows: &[Option<&LevelValues>],
    weights: &[f64],
    level: Level,
    bound: Option<f64>,
) -> AverageCell {
    let means: Option<Vec<f64>> = rows
        .iter()
        .map(|row| row.and_then(|row| row.values.mean()))
        .collect();
    let sum = |values: &[f64]| -> f64 { values.iter().zip(weights).map(|(x, w)| x * w).sum() };
    let sizes = rows.iter().flatten().map(|row| row.values.len());
    let expected = rows.iter().map(|row| row.map(|row| row.expected));
    let mut cell = AverageCell {
        mean: means.as_deref().map(sum),
        n: count(sizes.sum()),
        expected: expected.sum(),
        ..AverageCell::default()
    };
    let differences: Option<Vec<_>> = rows
        .iter()
        .map(|row| row.and_then(|row| row.differences.as_ref()))
        .collect();
    let Some(differences) = differences else {
        return cell;
    };
    let means: Option<Vec<f64>> = differences.iter().map(|one| one.values.mean()).collect();
    let Some(value) = means.as_deref().map(sum) else {
        return cell;
    };
    let (mut square, mut denominator, mut is_enough) = (0.0, 0.0, true);
    for (one, weight) in differences.iter().zip(weights).filter(|(_, w)| **w > 0.0) {
        is_enough &= one.values.len() >= MIN_FOR_INTERVAL as usize;
        let (Some(error), Some(df)) = (one.values.standard_error(), one.values.df()) else {
            is_enough = false;
            continue;
        };
        let part = (weight * error) * (weight * error);
        square += part;
        denominator += part * part / df;
    }
    let half = if denominator > 0.0 {
        t_quantile(level.upper(), square * square / denominator) * square.sqrt()
    } else {
        0.0
    };
    let ends = is_enough.then_some((value - half, value + half));
    let difference = Estimate {
        value,
        low: ends.map(|(low, _)| low),
        high: ends.map(|(_, high)| high),
    };
    cell.within = bound.map(|bound| within(difference, bound));
    cell.difference = Some(difference);
    cell
}

/// A difference held against a bound on its size.
pub(super) fn within(difference: Estimate, bound: f64) -> Within {
    let ends = difference.low.zip(difference.high);
    Within {
        difference: difference.value.abs() < bound,
        interval: ends.map(|(low, high)| -bound < low && high < bound),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::compare::Differences;
    use juror_statistics::clusters::Clusters;

    fn row(values: &[f64], differences: &[f64]) -> LevelValues {
        let clusters = |values: &[f64]| Clusters::new(values.iter().copied().enumerate());
        LevelValues {
            values: clusters(values),
            expected: count(values.len()),
            differences: Some(Differences {
                values: clusters(differences),
                expected: count(differences.len()),
                first: Some(1.0),
                p: None,
            }),
            interaction: None,
        }
    }

    #[test]
    fn groups_of_equal_spread_average_as_one_sample_does() {
        // Each group: mean 1, variance 2.5 of five differences, so the standard error is √0.5 and the average's √0.5 / √2.
        let one = row(&[1.0; 5], &[-1.0, 0.0, 1.0, 2.0, 3.0]);
        let cell = average(
            &[Some(&one), Some(&one)],
            &[0.5, 0.5],
            Level::P95,
            Some(2.5),
        );
        let difference = cell.difference.unwrap();
        assert!((difference.value - 1.0).abs() < 1e-12);
        // t(0.975, 8) = 2.306004: Satterthwaite's degrees of freedom add up where spreads are equal.
        let half = 2.306_004_135 * 0.5;
        assert!((difference.high.unwrap() - 1.0 - half).abs() < 1e-8);
        let within = cell.within.unwrap();
        assert_eq!((within.difference, within.interval), (true, Some(true)));
    }

    #[test]
    fn a_group_without_a_number_leaves_no_average() {
        let one = row(&[1.0; 5], &[0.0; 5]);
        let none = row(&[], &[]);
        let cell = average(&[Some(&one), Some(&none)], &[0.5, 0.5], Level::P95, None);
        assert_eq!((cell.mean, cell.difference), (None, None));
        assert_eq!((cell.n, cell.expected), (5, Some(5)));
        let cell = average(&[Some(&one), None], &[0.5, 0.5], Level::P95, None);
        assert_eq!((cell.mean, cell.expected), (None, None));
    }
}
