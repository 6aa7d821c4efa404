//! Judges beside people and beside each other.

use std::collections::{BTreeMap, BTreeSet};

use super::{Session, count};
use crate::agreement::{Figures, Steadiness};
use crate::ratings;
use crate::view::{Agreement, AgreementRow, Policy, Profile, ScoreOptions, SteadinessRow};

/// The mean of all raters, as one side of a pairing.
const PEOPLE: &str = "people";

/// What is rated: model, criterion, sample position, turn.
type Place = (usize, String, u32, u32);

/// One side's values with one entry per run or rater.
type Values = BTreeMap<Place, Vec<f64>>;

/// What is compared, by criterion and model; no model for all of them.
type Groups<T> = BTreeMap<(String, Option<usize>), Vec<T>>;

impl Session {
    /// Agreement of judges with people and with each other, and each judge's steadiness over runs.
    ///
    /// What is missing is left out whatever the policy says: a policy's zero is nobody's opinion.
    pub fn agreement(&mut self, options: &ScoreOptions) -> Agreement {
        let options = ScoreOptions {
            policy: Some(Policy::Exclude),
            ..options.clone()
        };
        self.link();
        let judges = self.judges_values(&options);
        let (raters, strangers) = self.raters_values();
        let mut agreement = Agreement {
            raters: raters.keys().cloned().collect(),
            ratings: count(
                raters
                    .values()
                    .flat_map(BTreeMap::values)
                    .map(Vec::len)
                    .sum(),
            ),
            strangers,
            ..Agreement::default()
        };
        let mut people = Values::new();
        for (place, values) in raters.values().flatten() {
            people.entry(place.clone()).or_default().push(mean(values));
        }
        if !people.is_empty() {
            for (judge, values) in &judges {
                self.pair(
                    ("human_judge", PEOPLE, judge),
                    &people,
                    values,
                    &mut agreement,
                );
            }
        }
        self.pair_all("judge_judge", &judges, &mut agreement);
        self.pair_all("human_human", &raters, &mut agreement);
        for (judge, values) in &judges {
            self.steadiness(judge, values, &mut agreement);
        }
        agreement
    }

    /// A file of ratings to be filled in by people.
    pub fn ratings_template(&mut self) -> String {
        self.link();
        let world = self.world();
        let mut places = Vec::new();
        for model in world.models {
            for sample in &world.benchmark.samples {
                for (turn_idx, turn) in (0u32..).zip(&sample.turns) {
                    let asked = self.protocol.requests_of(sample, turn);
                    let requests = self.protocol.requests().into_iter();
                    let asked = requests.filter(|info| asked.contains(&info.id.as_str()));
                    for criterion in asked.flat_map(|info| info.criteria) {
                        let name = model.submission.name.clone();
                        places.push((sample.id.clone(), turn_idx, name, criterion));
                    }
                }
            }
        }
        ratings::template(places.into_iter())
    }

    /// Every judge's scores by place, one per run.
    fn judges_values(&self, options: &ScoreOptions) -> BTreeMap<String, Values> {
        let world = self.world();
        let scores = self.protocol.score(&world, options);
        let criteria = self.protocol.criteria();
        let mut judges: BTreeMap<String, Values> = BTreeMap::new();
        for (at, (model, of_model)) in world.models.iter().zip(&scores.models).enumerate() {
            for judge in &of_model.judges {
                let values = judges.entry(judge.judge.clone()).or_default();
                let mut parts = judge.parts.as_slice();
                for (unit_idx, unit) in (0u32..).zip(&judge.units) {
                    let (own, rest) =
                        parts.split_at(parts.partition_point(|part| part.unit <= unit_idx));
                    parts = rest;
                    let mut push = |criterion: &str, value: f64| {
                        let place = (at, criterion.to_owned(), unit.sample, unit.turn);
                        values.entry(place).or_default().push(value);
                    };
                    for part in own {
                        let info = criteria.get(usize::from(part.criterion));
                        push(info.map_or("", |info| &info.id), part.value);
                    }
                }
                // Where a reply is one number, runs are pooled in its unit, so the replies themselves are asked.
                let mut seen = BTreeSet::new();
                for given in &model.given {
                    let is_of_judge = model.judges[usize::from(given.judge)] == judge.judge;
                    let reading = match options.profile {
                        Profile::Paper => given.readings.paper(),
                        Profile::Released => given.readings.released(),
                    };
                    let (Some(sample), Some(turn), Some(slot), None, true, Ok(value)) = (
                        given.sample.get(),
                        given.turn.get(),
                        given.slot.get(),
                        given.verdict.get(),
                        is_of_judge,
                        reading,
                    ) else {
                        continue;
                    };
                    if seen.insert((slot, given.criterion, given.run)) {
                        let criterion = model.criteria[usize::from(given.criterion)].clone();
                        let place = (at, criterion, sample, turn);
                        values.entry(place).or_default().push(value);
                    }
                }
                // A protocol whose replies have totals of their own has given them by run already.
                for (sample, total) in (0u32..).zip(&judge.totals) {
                    let place = (at, "total".to_owned(), sample, 0);
                    if let Some(total) = total.filter(|_| !values.contains_key(&place)) {
                        values.insert(place, vec![total]);
                    }
                }
            }
        }
        judges.retain(|_, values| !values.is_empty());
        judges
    }

    /// Every rater's scores by place, and how many ratings have none.
    fn raters_values(&self) -> (BTreeMap<String, Values>, u32) {
        let world = self.world();
        let mut raters: BTreeMap<String, Values> = BTreeMap::new();
        let mut strangers = 0;
        for rating in self.read.ratings.values().flat_map(|(_, found, _)| found) {
            let model = world
                .models
                .iter()
                .position(|model| model.submission.name == rating.model);
            let sample = world.benchmark.index_of(&rating.sample);
            let slot = sample.and_then(|sample| world.benchmark.turn_slot(sample, rating.turn));
            match (model, sample, slot) {
                (Some(model), Some(sample), Some(_)) => {
                    let place = (model, rating.criterion.clone(), sample, rating.turn);
                    let values = raters.entry(rating.rater.clone()).or_default();
                    values.entry(place).or_default().push(rating.score);
                }
                _ => strangers += 1,
            }
        }
        (raters, strangers)
    }

    fn pair_all(&self, kind: &str, sides: &BTreeMap<String, Values>, to: &mut Agreement) {
        let sides: Vec<(&String, &Values)> = sides.iter().collect();
        for (at, (a, first)) in sides.iter().enumerate() {
            for (b, second) in &sides[at + 1..] {
                self.pair((kind, a, b), first, second, to);
            }
        }
    }

    /// One row per criterion over all models, and per model where there are several.
    fn pair(
        &self,
        (kind, a, b): (&str, &str, &str),
        first: &Values,
        second: &Values,
        to: &mut Agreement,
    ) {
        let mut groups: Groups<(f64, f64)> = BTreeMap::new();
        let mut models = BTreeSet::new();
        for (place, values) in first {
            let Some(others) = second.get(place) else {
                continue;
            };
            let (model, criterion, ..) = place;
            models.insert(*model);
            for model in [None, Some(*model)] {
                let pairs = groups.entry((criterion.clone(), model)).or_default();
                pairs.push((mean(values), mean(others)));
            }
        }
        for ((criterion, model), pairs) in groups {
            if model.is_some() && models.len() < 2 {
                continue;
            }
            let figures = Figures::new(&pairs);
            to.pairs.push(AgreementRow {
                kind: kind.to_owned(),
                a: a.to_owned(),
                b: b.to_owned(),
                model: self.model_name(model),
                criterion,
                n: figures.n,
                pearson: figures.pearson,
                spearman: figures.spearman,
                kappa: figures.kappa,
                mae: figures.mae,
                mse: figures.mse,
            });
        }
    }

    fn steadiness(&self, judge: &str, values: &Values, to: &mut Agreement) {
        let runs = values.values().map(Vec::len).max().unwrap_or(0);
        let mut groups: Groups<Vec<f64>> = BTreeMap::new();
        for ((model, criterion, ..), values) in values {
            if values.len() == runs {
                for model in [None, Some(*model)] {
                    let units = groups.entry((criterion.clone(), model)).or_default();
                    units.push(values.clone());
                }
            }
        }
        for ((criterion, model), units) in groups {
            let Some(steady) = Steadiness::new(&units) else {
                continue;
            };
            to.steadiness.push(SteadinessRow {
                judge: judge.to_owned(),
                model: self.model_name(model),
                criterion,
                runs: steady.runs,
                n: steady.n,
                standard_error: steady.standard_error,
                sd: steady.sd,
                max_spread: steady.max_spread,
            });
        }
    }

    fn model_name(&self, model: Option<usize>) -> String {
        model.map_or_else(String::new, |at| {
            self.world().models[at].submission.name.clone()
        })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
