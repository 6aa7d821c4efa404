//! Values → score rows: one cell per group and criterion, and rows that are means of other rows.

use crate::report::ScoreRow;
use crate::statistics::{Moments, half_width_95};
use crate::view::{CriterionInfo, Policy, Profile};

/// Whose rows are made, and by which rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'a> {
    pub(crate) model: &'a str,
    pub(crate) judge: &'a str,
    pub(crate) profile: Profile,
    pub(crate) policy: Policy,
}

impl Head<'_> {
    /// A row without a number.
    pub(crate) fn row(&self, scope: &str, key: &str, criterion: &str) -> ScoreRow {
        ScoreRow {
            model: self.model.to_owned(),
            judge: self.judge.to_owned(),
            profile: self.profile,
            policy: self.policy,
            scope: scope.to_owned(),
            key: key.to_owned(),
            criterion: criterion.to_owned(),
            mean: None,
            n: 0,
            expected: 0,
            sd: None,
            ci_low: None,
            ci_high: None,
            worst: None,
            best: None,
        }
    }
}

/// One criterion in one group of samples: plain mean, on the judge's scale until it is made a row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    values: Moments,
    missing: u32,
}

impl Cell {
    /// Takes one expected value in; `None` if there is none.
    pub(crate) fn push(&mut self, value: Option<f64>) {
        match value {
            Some(value) => self.values.push(value),
            None => self.missing += 1,
        }
    }

    /// The mean on the judge's scale.
    pub(crate) fn mean(&self) -> Option<f64> {
        self.values.mean()
    }

    /// Values in the mean.
    pub(crate) fn n(&self) -> u32 {
        self.values.n()
    }

    /// Values that should be in it.
    pub(crate) fn expected(&self) -> u32 {
        self.values.n() + self.missing
    }

    /// The cell as a row on the printed scale, with its t interval and the bounds that the missing values leave open.
    pub(crate) fn row(
        &self,
        head: &Head<'_>,
        (scope, key): (&str, &str),
        criterion: &CriterionInfo,
    ) -> ScoreRow {
        let scale = criterion.scale;
        let mean = self.mean().map(|mean| mean * scale);
        let half = half_width_95(&self.values).map(|half| half * scale);
        let expected = self.expected();
        let bound = |score: f64| {
            (expected > 0).then(|| {
                (self.values.sum() + score * f64::from(self.missing)) / f64::from(expected) * scale
            })
        };
        ScoreRow {
            mean,
            n: self.n(),
            expected,
            sd: self.values.sd().map(|sd| sd * scale),
            ci_low: mean.zip(half).map(|(mean, half)| mean - half),
            ci_high: mean.zip(half).map(|(mean, half)| mean + half),
            worst: bound(criterion.min),
            best: bound(criterion.max),
            ..head.row(scope, key, &criterion.id)
        }
    }
}

/// The unweighted mean of other rows' means, whose samples are separate: half-widths add in squares.
///
/// No number while one of the rows has none. Counts add up.
pub(crate) fn mean_of(
    head: &Head<'_>,
    (scope, key): (&str, &str),
    criterion: &str,
    rows: &[&ScoreRow],
) -> ScoreRow {
    let count = rows.len() as f64;
    let mean = |field: fn(&ScoreRow) -> Option<f64>| {
        let values: Option<Vec<f64>> = rows.iter().map(|row| field(row)).collect();
        values
            .filter(|values| !values.is_empty())
            .map(|values| values.iter().sum::<f64>() / count)
    };
    let halves: Option<Vec<f64>> = rows
        .iter()
        .map(|row| Some((row.ci_high? - row.ci_low?) / 2.0))
        .collect();
    let half =
        halves.map(|halves| halves.iter().map(|half| half * half).sum::<f64>().sqrt() / count);
    let center = mean(|row| row.mean);
    ScoreRow {
        mean: center,
        n: rows.iter().map(|row| row.n).sum(),
        expected: rows.iter().map(|row| row.expected).sum(),
        ci_low: center.zip(half).map(|(mean, half)| mean - half),
        ci_high: center.zip(half).map(|(mean, half)| mean + half),
        worst: mean(|row| row.worst),
        best: mean(|row| row.best),
        ..head.row(scope, key, criterion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Head<'_> = Head {
        model: "m",
        judge: "",
        profile: Profile::Paper,
        policy: Policy::Exclude,
    };

    fn criterion() -> CriterionInfo {
        CriterionInfo {
            id: "x".to_owned(),
            short: String::new(),
            label: String::new(),
            meaning: String::new(),
            min: 1.0,
            max: 5.0,
            allowed: None,
            scale: 0.2,
            decimals: 3,
            direction: crate::view::Direction::Up,
        }
    }

    fn row(values: &[Option<f64>]) -> ScoreRow {
        let mut cell = Cell::default();
        for value in values {
            cell.push(*value);
        }
        cell.row(&HEAD, ("task", "a"), &criterion())
    }

    #[test]
    fn a_missing_value_lowers_n_and_opens_the_bounds() {
        let row = row(&[Some(5.0), Some(4.0), None]);
        assert_eq!((row.n, row.expected), (2, 3));
        let near =
            |found: Option<f64>, wanted: f64| (found.unwrap_or(f64::NAN) - wanted).abs() < 1e-12;
        assert!(near(row.mean, 0.9));
        assert!(near(row.worst, 10.0 / 3.0 * 0.2));
        assert!(near(row.best, 14.0 / 3.0 * 0.2));
    }

    #[test]
    fn a_mean_of_rows_is_not_weighted_by_their_counts() {
        let (a, b) = (row(&[Some(5.0); 9]), row(&[Some(1.0)]));
        let mean = mean_of(&HEAD, ("overall", "all"), "x", &[&a, &b]);
        assert!((mean.mean.unwrap_or(f64::NAN) - 0.6).abs() < 1e-12);
        assert_eq!((mean.n, mean.ci_low), (10, None));
        assert_eq!(mean_of(&HEAD, ("overall", "all"), "x", &[]).mean, None);
        assert_eq!(
            mean_of(&HEAD, ("overall", "all"), "x", &[&a, &row(&[None])]).mean,
            None
        );
    }
}
