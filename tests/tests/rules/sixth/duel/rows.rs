//! Replies → rows: plain means over rounds, overall and by theme.

use juror_model::compact::Number;
use juror_model::incident::IncidentKind;
use juror_model::linked::World;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::score::{ModelScores, Scores};
use juror_model::terms::{CriterionInfo, Direction, Formula, ScopeInfo};
use juror_protocols::contract::Scoring;
use juror_protocols::resolve::{UnitValue, judges, resolve};
use juror_protocols::table::{Cell, Head};

use super::score::total;
use super::{Duel, KINDS};

impl Scoring for Duel {
    fn criteria(&self) -> Vec<CriterionInfo> {
        let info = |id: &str| CriterionInfo {
            id: id.to_owned(),
            short: id.to_owned(),
            label: id.to_owned(),
            meaning: String::new(),
            min: 0.0,
            max: 10.0,
            allowed: None,
            scale: 1.0,
            decimals: 2,
            direction: Direction::Up,
        };
        ["duel", "look", "total"].map(info).to_vec()
    }

    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        let policy = self.policy(options);
        let samples = &world.benchmark.samples;
        let mut themes: Vec<String> = samples.iter().map(|sample| sample.domain.clone()).collect();
        themes.dedup();
        let mut scores = Scores::default();
        for model in world.models {
            let mut of_model = ModelScores {
                mode: "img",
                judges: Vec::new(),
            };
            for judge in judges(model) {
                let mut resolution = resolve(self, world, model, judge, (options.profile, policy));
                let mut values = vec![[None; 2]; samples.len()];
                for (at, unit) in resolution.scores.units.iter_mut().enumerate() {
                    let value = match resolution.values[at] {
                        UnitValue::Atoms(atoms) => atoms.first().copied(),
                        UnitValue::Lowest => Some(0.0),
                        UnitValue::Missing => None,
                    };
                    unit.counted = Number::from(value);
                    values[unit.sample as usize][at % 2] = value;
                }
                let totals = values
                    .iter()
                    .map(|[duel, look]| Some(total((*duel)?, (*look)?, self.cap)));
                resolution.scores.totals = totals.collect();
                let head = Head {
                    model: &model.submission.name,
                    judge: &resolution.scores.judge,
                    profile: options.profile,
                    policy,
                };
                let all = std::iter::once(("overall", "all"));
                for (scope, key) in all.chain(themes.iter().map(|theme| ("domain", theme.as_str())))
                {
                    for (at, criterion) in self.criteria().iter().enumerate() {
                        let mut cell = Cell::default();
                        for (place, sample) in samples.iter().enumerate() {
                            if scope == "overall" || sample.domain == key {
                                let of_total = resolution.scores.totals[place];
                                cell.push(values[place].get(at).copied().unwrap_or(of_total));
                            }
                        }
                        scores.rows.push(cell.row(&head, (scope, key), criterion));
                    }
                }
                of_model.judges.push(resolution.scores);
            }
            scores.models.push(of_model);
        }
        let scope = |scope: &str, label: &str, keys: Vec<String>| ScopeInfo {
            scope: scope.to_owned(),
            label: label.to_owned(),
            keys,
        };
        scores.scopes = vec![
            scope("overall", "Overall", vec!["all".to_owned()]),
            scope("domain", "Theme", themes),
        ];
        scores
    }

    fn counts_as(&self, _kind: IncidentKind, _options: &ScoreOptions) -> &'static str {
        "left out"
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        let of = |kind: &str| counted.iter().find(|(name, _)| *name == kind)?.1;
        Some(total(of(KINDS[0])?, of(KINDS[1])?, self.cap))
    }

    fn formulas(&self, _profile: Profile) -> Vec<Formula> {
        vec![Formula {
            criterion: "total".to_owned(),
            text: "(duel + look) / 2, at most 3 once the duel is lost".to_owned(),
            source: "DuelBench".to_owned(),
        }]
    }
}
