//! Values → score rows: one cell per group and criterion, and rows that are means of other rows.

use juror_model::options::{Policy, Profile};
use juror_model::origin::{Gaps, Origin, OriginInterval, OriginMean, OriginPart};
use juror_model::row::ScoreRow;
use juror_model::terms::CriterionInfo;
use juror_statistics::Moments;

/// Whose rows are made, and by which rules.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// Model.
    pub model: &'a str,
    /// Judge id.
    pub judge: &'a str,
    /// Whose formulas.
    pub profile: Profile,
    /// What missing outputs count as.
    pub policy: Policy,
}

impl Head<'_> {
    /// A row without a number.
    pub fn row(&self, scope: &str, key: &str, criterion: &str) -> ScoreRow {
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
            panel: None,
            origin: Origin::default(),
        }
    }
}

/// One criterion in one group of samples: plain mean, on the judge's scale until it is made a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    values: Moments,
    missing: u32,
}

impl Cell {
    /// Takes one expected value in; `None` if there is none.
    pub fn push(&mut self, value: Option<f64>) {
        match value {
            Some(value) => self.values.push(value),
            None => self.missing += 1,
        }
    }

    /// The mean on the judge's scale.
    pub fn mean(&self) -> Option<f64> {
        self.values.mean()
    }

    /// Values in the mean.
    pub fn n(&self) -> u32 {
        self.values.n()
    }

    /// Values that should be in it.
    pub fn expected(&self) -> u32 {
        self.values.n() + self.missing
    }

    /// The cell as a row on the printed scale, with its t interval and the bounds that the missing values leave open.
    pub fn row(
        &self,
        head: &Head<'_>,
        (scope, key): (&str, &str),
        criterion: &CriterionInfo,
    ) -> ScoreRow {
        let scale = criterion.scale;
        let mean = OriginMean::of_values(self.values.sum(), self.n(), scale);
        let center = mean.value();
        let expected = self.expected();
        let bound = |score: f64| {
            (expected > 0).then(|| {
                (self.values.sum() + score * f64::from(self.missing)) / f64::from(expected) * scale
            })
        };
        let row = ScoreRow {
            n: self.n(),
            expected,
            sd: self.values.sd().map(|sd| sd * scale),
            worst: bound(criterion.min),
            best: bound(criterion.max),
            ..head.row(scope, key, &criterion.id)
        };
        row.settle(Origin {
            mean: Some(mean),
            interval: center
                .and_then(|center| OriginInterval::student(center, &self.values, (scale, 1.0))),
        })
    }
}

/// The unweighted mean of other rows' means, whose samples are separate: half-widths add in squares.
///
/// Of rows without a number `gaps` says whether they are left out or leave no number at all.
/// Counts add up, and the bounds are over all rows.
pub fn mean_of(
    head: &Head<'_>,
    (scope, key): (&str, &str),
    criterion: &str,
    rows: &[&ScoreRow],
    gaps: Gaps,
) -> ScoreRow {
    let parts = rows.iter().map(|row| OriginPart::of(row)).collect();
    let mean = OriginMean::of_parts(parts, gaps);
    let counted = || rows.iter().filter(|row| row.mean.is_some());
    let halves: Option<Vec<f64>> = counted()
        .map(|row| Some((row.ci_high? - row.ci_low?) / 2.0))
        .collect();
    let interval = mean.value().zip(halves);
    let interval = interval.map(|(center, halves)| OriginInterval::Parts {
        center,
        halves,
        parts: intervals(counted()),
    });
    let row = ScoreRow {
        n: rows.iter().map(|row| row.n).sum(),
        expected: rows.iter().map(|row| row.expected).sum(),
        worst: mean_over(rows, |row| row.worst),
        best: mean_over(rows, |row| row.best),
        ..head.row(scope, key, criterion)
    };
    row.settle(Origin {
        mean: Some(mean),
        interval,
    })
}

/// The mean of several judges' rows about the same outputs, whose errors do not cancel: the interval is as wide as the mean of theirs.
///
/// `None` of no rows; no number while one of them has none.
pub fn mean_of_judges(judge: &str, rows: &[&ScoreRow]) -> Option<ScoreRow> {
    let first = *rows.first()?;
    let parts = rows.iter().map(|row| OriginPart::of(row)).collect();
    let all = |field: fn(&ScoreRow) -> Option<f64>| -> Option<Vec<f64>> {
        rows.iter().map(|row| field(row)).collect()
    };
    let ends = all(|row| row.ci_low).zip(all(|row| row.ci_high));
    let row = ScoreRow {
        judge: judge.to_owned(),
        n: rows.iter().map(|row| row.n).min().unwrap_or(0),
        expected: rows.iter().map(|row| row.expected).max().unwrap_or(0),
        sd: None,
        worst: mean_over(rows, |row| row.worst),
        best: mean_over(rows, |row| row.best),
        ..first.clone()
    };
    Some(row.settle(Origin {
        mean: Some(OriginMean::of_parts(parts, Gaps::NoNumber)),
        interval: ends.map(|(lows, highs)| OriginInterval::Ends {
            lows,
            highs,
            parts: intervals(rows.iter()),
        }),
    }))
}

/// The rows that several judges all have, each as the mean of theirs, in the order of the first one's.
pub fn means_of_judges(judge: &str, judges: &[&[ScoreRow]]) -> Vec<ScoreRow> {
    let Some((first, others)) = judges.split_first() else {
        return Vec::new();
    };
    let same = |a: &ScoreRow, b: &ScoreRow| {
        (&a.model, &a.scope, &a.key, &a.criterion) == (&b.model, &b.scope, &b.key, &b.criterion)
    };
    let together = first.iter().filter_map(|row| {
        let own = others.iter();
        let own: Option<Vec<&ScoreRow>> = own
            .map(|rows| rows.iter().find(|other| same(row, other)))
            .collect();
        mean_of_judges(judge, &[vec![row], own?].concat())
    });
    together.collect()
}

/// The intervals of rows, as they came about.
fn intervals<'a>(rows: impl Iterator<Item = &'a &'a ScoreRow>) -> Vec<OriginInterval> {
    rows.filter_map(|row| row.origin.interval.clone()).collect()
}

/// A field's mean over rows; `None` of nothing, and while one of them has none.
fn mean_over(rows: &[&ScoreRow], field: fn(&ScoreRow) -> Option<f64>) -> Option<f64> {
    let values: Option<Vec<f64>> = rows.iter().map(|row| field(row)).collect();
    values
        .filter(|values| !values.is_empty())
        .map(|values| values.iter().sum::<f64>() / values.len() as f64)
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
            direction: juror_model::terms::Direction::Up,
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
    fn judges_together_have_the_rows_that_all_of_them_have() {
        let named = |judge: &str, key: &str, values: &[Option<f64>]| ScoreRow {
            judge: judge.to_owned(),
            key: key.to_owned(),
            ..row(values)
        };
        let a = [
            named("a", "x", &[Some(5.0), Some(4.0)]),
            named("a", "y", &[Some(1.0)]),
        ];
        let b = [named("b", "x", &[Some(2.0), None])];
        let both = means_of_judges("a and b", &[&a, &b]);
        let [both] = both.as_slice() else {
            panic!("{both:?}");
        };
        assert_eq!((&*both.judge, &*both.key), ("a and b", "x"));
        // (0.9 + 0.4) / 2 over the fewer of the two counts.
        assert!((both.mean.unwrap_or(f64::NAN) - 0.65).abs() < 1e-12);
        assert_eq!((both.n, both.expected), (1, 2));
        assert!(means_of_judges("none", &[]).is_empty());
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
        let mean = mean_of(&HEAD, ("overall", "all"), "x", &[&a, &b], Gaps::NoNumber);
        assert!((mean.mean.unwrap_or(f64::NAN) - 0.6).abs() < 1e-12);
        assert_eq!((mean.n, mean.ci_low), (10, None));
        let with =
            |rows: &[&ScoreRow], gaps| mean_of(&HEAD, ("overall", "all"), "x", rows, gaps).mean;
        assert_eq!(with(&[], Gaps::NoNumber), None);
        assert_eq!(with(&[&a, &row(&[None])], Gaps::NoNumber), None);
        assert_eq!(with(&[&a, &row(&[None])], Gaps::LeftOut), a.mean);
    }
}
