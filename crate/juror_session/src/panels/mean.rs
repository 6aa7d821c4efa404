//! The mean of a panel's judges: each is scored separately, and their scores are averaged.

use std::collections::BTreeMap;

use crate::count;
use crate::state::Session;
use juror_model::compact::{Index, Number};
use juror_model::judge::Panel;
use juror_model::options::ScoreOptions;
use juror_model::row::ScoreRow;
use juror_model::score::{CriterionScore, JudgeScores, Scores, Unit};
use juror_model::terms::Difference;
use juror_protocols::table::means_of_judges;

impl Session {
    /// The scores of a panel by the mean: those of each of its judges, averaged.
    pub(crate) fn mean_scores(&self, options: &ScoreOptions, name: &str, panel: &Panel) -> Scores {
        let alone: Vec<Scores> = (panel.judges.iter())
            .map(|judge| self.scores_of(&alone_with(options, judge)))
            .collect();
        let Some(first) = alone.first() else {
            return Scores::default();
        };
        let is_own = |judge: &str| panel.judges.iter().any(|own| own == judge);
        let rows_of = |scores: &Scores, judge: &String| -> Vec<ScoreRow> {
            let own = scores.rows.iter().filter(|row| row.judge == *judge);
            own.cloned().collect()
        };
        let rows: Vec<Vec<ScoreRow>> = (alone.iter().zip(&panel.judges))
            .map(|(scores, judge)| rows_of(scores, judge))
            .collect();
        let rows: Vec<&[ScoreRow]> = rows.iter().map(Vec::as_slice).collect();
        let mut mean = first.clone();
        mean.rows.retain(|row| !is_own(&row.judge));
        mean.rows.splice(0..0, means_of_judges(name, &rows));
        for (at, of_model) in mean.models.iter_mut().enumerate() {
            let found = (alone.iter().zip(&panel.judges)).map(|(scores, judge)| {
                let mut judges = scores.models[at].judges.iter();
                judges.find(|own| own.judge == *judge)
            });
            let found: Option<Vec<&JudgeScores>> = found.collect();
            of_model.judges.retain(|judge| !is_own(&judge.judge));
            of_model
                .judges
                .splice(0..0, found.and_then(|found| mean_of_units(name, &found)));
        }
        mean
    }

    /// What each difference between paper and code does to a panel by the mean: what it does to its judges, averaged.
    pub(crate) fn mean_differences(
        &self,
        options: &ScoreOptions,
        panel: &Panel,
    ) -> Vec<Difference> {
        let alone = panel.judges.iter();
        let alone: Vec<Vec<Difference>> = alone
            .map(|judge| self.differences_of(&alone_with(options, judge)))
            .collect();
        let mut mean = alone.first().cloned().unwrap_or_default();
        for (at, difference) in mean.iter_mut().enumerate() {
            for (model, effect) in difference.effects.iter_mut().enumerate() {
                let effects = alone
                    .iter()
                    .filter_map(|one| one.get(at)?.effects.get(model));
                let effects: Vec<_> = effects.collect();
                effect.paper = mean_of(effects.iter().map(|effect| effect.paper));
                effect.with_rule = mean_of(effects.iter().map(|effect| effect.with_rule));
                let mut notes: Vec<&str> = effects.iter().map(|effect| &*effect.note).collect();
                notes.retain(|note| !note.is_empty());
                notes.dedup();
                effect.note = notes.join("; ");
            }
        }
        mean
    }
}

/// The same choices with only one judge of the panel.
fn alone_with(options: &ScoreOptions, judge: &str) -> ScoreOptions {
    ScoreOptions {
        judge: Some(judge.to_owned()),
        ..options.clone()
    }
}

/// One unit for each that all judges have, with the mean of what counted; `None` of nobody.
fn mean_of_units(name: &str, judges: &[&JudgeScores]) -> Option<JudgeScores> {
    let (first, others) = judges.split_first()?;
    let key = |unit: &Unit| (unit.sample, unit.turn, unit.criterion, unit.run);
    let places: Vec<BTreeMap<_, usize>> = others
        .iter()
        .map(|judge| {
            let units = judge.units.iter().enumerate();
            units.map(|(at, unit)| (key(unit), at)).collect()
        })
        .collect();
    let mut mean = JudgeScores {
        judge: name.to_owned(),
        stopped: judges.iter().find_map(|judge| judge.stopped.clone()),
        ..JudgeScores::default()
    };
    for (at, unit) in first.units.iter().enumerate() {
        let own = places.iter().map(|places| places.get(&key(unit)).copied());
        let Some(own) = own.collect::<Option<Vec<usize>>>() else {
            continue;
        };
        let all: Vec<(&JudgeScores, usize)> = (others.iter().zip(own))
            .map(|(judge, at)| (*judge, at))
            .collect();
        let all = [vec![(*first, at)], all].concat();
        let incident = all.iter().find_map(|(judge, at)| judge.units[*at].incident);
        let counted = mean_of(all.iter().map(|(judge, at)| judge.units[*at].counted.get()));
        let unit_at = count(mean.units.len());
        mean.units.push(Unit {
            incident,
            counted: counted.map_or(Number::NONE, |value| Some(value).into()),
            given: Index::NONE,
            ..*unit
        });
        let parts: Vec<&[CriterionScore]> =
            all.iter().map(|(judge, at)| parts_of(judge, *at)).collect();
        for part in parts.first().copied().unwrap_or_default() {
            let of_all = parts.iter().map(|parts| {
                let mut own = parts.iter();
                own.find(|own| own.criterion == part.criterion)
                    .map(|own| own.value)
            });
            if let Some(value) = mean_of(of_all) {
                mean.parts.push(CriterionScore {
                    unit: unit_at,
                    value,
                    ..*part
                });
            }
        }
    }
    mean.totals = (0..first.totals.len())
        .map(|at| {
            mean_of(
                judges
                    .iter()
                    .map(|judge| judge.totals.get(at).copied().flatten()),
            )
        })
        .collect();
    Some(mean)
}

/// The criteria of a unit.
fn parts_of(judge: &JudgeScores, unit: usize) -> &[CriterionScore] {
    let unit = count(unit);
    let start = judge.parts.partition_point(|part| part.unit < unit);
    let end = judge.parts.partition_point(|part| part.unit <= unit);
    &judge.parts[start..end]
}

/// The mean where all are there; `None` of nothing.
fn mean_of(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_judges_is_of_the_units_that_all_of_them_have() {
        let unit = |sample: u32, counted: Option<f64>| Unit {
            sample,
            turn: 0,
            criterion: 0,
            run: 1,
            incident: None,
            counted: counted.into(),
            given: Index::NONE,
        };
        let part = |unit: u32, value: f64| CriterionScore {
            unit,
            criterion: 0,
            value,
        };
        let judge =
            |units: Vec<Unit>, parts: Vec<CriterionScore>, totals: Vec<Option<f64>>| JudgeScores {
                units,
                parts,
                totals,
                ..JudgeScores::default()
            };
        let a = judge(
            vec![unit(0, Some(4.0)), unit(1, Some(6.0)), unit(2, None)],
            vec![part(0, 4.0), part(1, 6.0)],
            vec![Some(4.0), Some(6.0), None],
        );
        let b = judge(
            vec![unit(1, Some(9.0)), unit(2, Some(1.0))],
            vec![part(0, 9.0), part(1, 1.0)],
            vec![None, Some(9.0), Some(1.0)],
        );
        let both = mean_of_units("both", &[&a, &b]).unwrap_or_default();
        let counted: Vec<_> = both.units.iter().map(|unit| unit.counted.get()).collect();
        assert_eq!(counted, [Some(7.5), None]);
        assert_eq!(both.parts, [part(0, 7.5)]);
        assert_eq!(both.totals, [None, Some(7.5), None]);
        assert!(mean_of_units("nobody", &[]).is_none());
    }
}
