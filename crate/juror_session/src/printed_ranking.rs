//! What a paper prints of models that two sides rank.

use std::collections::BTreeSet;

use super::state::Session;
use juror_model::judge::{PEOPLE, behind};
use juror_model::reliability::{FigureKind, PrintedFigure};
use juror_model::terms::CriterionInfo;
use juror_protocols::published::{is_meant, is_same_model};

/// What the paper prints of the models that two sides rank, and where it does.
pub(super) struct PrintedRanking {
    /// By model: the first side's mean and the second one's.
    pub(super) means: Vec<[Option<f64>; 2]>,
    /// Mean absolute difference of the sides' means.
    pub(super) mean_absolute: Option<f64>,
    /// `Table 12`, or several; empty where nothing is printed.
    pub(super) source: String,
}

impl PrintedRanking {
    /// Of these models in one group of samples. Where people are a side, the means are those that the paper prints of people and
    /// judges on the same outputs, else those of its main tables.
    pub(super) fn new(
        session: &Session,
        sides: [&str; 2],
        (scope, key): (&str, &str),
        criterion: &CriterionInfo,
        models: &[&str],
    ) -> Self {
        let mut sources = BTreeSet::new();
        let figures = session.loader.protocol.reliability();
        let of_sides = figures.iter().filter(|figure| {
            let group = if key.is_empty() { "" } else { scope };
            figure.pairing == "rankings"
                && (&*figure.scope, &*figure.key, &*figure.criterion)
                    == (group, key, &*criterion.id)
        });
        let of_sides: Vec<&PrintedFigure> = of_sides.collect();
        let is_study = sides.contains(&PEOPLE) && !of_sides.is_empty();
        let published = session.loader.protocol.published();
        let mut mean = |side: &str, model: &str| -> Option<f64> {
            let (value, source) = if is_study {
                let mut means = of_sides.iter().filter(|one| one.kind == FigureKind::Mean);
                let found =
                    means.find(|one| is_same(one, side, "") && is_same_model(&one.model, model))?;
                (found.value, found.source.clone())
            } else {
                let group = match key {
                    "" => ("overall", "all"),
                    key => (scope, key),
                };
                let mut rows = published.rows.iter();
                let row =
                    rows.find(|row| row.judge.is_meant(side) && is_same_model(&row.model, model))?;
                let mut cells = row.cells.iter();
                let cell = cells.find(|cell| {
                    (cell.scope, cell.key) == group && cell.criterion == criterion.id
                })?;
                (cell.value, cell.table.to_owned())
            };
            sources.insert(source);
            Some(value)
        };
        let means = models.iter();
        let means = means
            .map(|model| sides.map(|side| mean(side, model)))
            .collect();
        let mut deviations = of_sides.iter();
        let deviation = deviations.find(|figure| {
            figure.kind == FigureKind::MeanAbsoluteDeviation
                && (figure.a == PEOPLE) == sides.contains(&PEOPLE)
                && is_same(figure, sides[0], sides[1])
        });
        Self {
            means,
            mean_absolute: deviation.map(|figure| figure.value),
            source: sources.into_iter().collect::<Vec<_>>().join(", "),
        }
    }
}

/// Whether the sides are the printed judges, in either order; where no id is known, nobody is, unless nobody is named. Of a
/// mean of two judges these are its sides.
pub(super) fn is_same(figure: &PrintedFigure, a: &str, b: &str) -> bool {
    let [of_a, of_b] = &figure.ids;
    if of_a.is_empty() && of_b.is_empty() {
        let is_unnamed = figure.a.is_empty() && figure.b.is_empty();
        return is_unnamed || (figure.kind == FigureKind::Mean && figure.a == a);
    }
    let means = |ids: &[String], side: &str| ids.is_empty() || is_meant(ids, side);
    let are =
        |a: &str, b: &str| (means(of_a, a) && means(of_b, b)) || (means(of_a, b) && means(of_b, a));
    match (behind(a).as_slice(), b.is_empty()) {
        ([one, other], true) if !of_b.is_empty() => are(one, other),
        // One judge is no mean of two, nor is a mean one of its judges.
        ([_], true) => of_b.is_empty() && means(of_a, a),
        (_, true) => false,
        _ => are(a, b),
    }
}
