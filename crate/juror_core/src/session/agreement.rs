//! Judges beside people and beside each other.

use std::collections::{BTreeMap, BTreeSet};

use super::{Session, SessionError, count};
use crate::agreement::{
    Distance, Figures, Resampling, Steadiness, alpha_by_cluster, confusion, most_common,
};
use crate::limits::RATERS;
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::ratings;
use crate::small::{CollectSmall, SortSmall};
use crate::view::agreement::{
    Agreement, AgreementRow, Disagreement, PairDetail, PairKey, PeopleRow, SteadinessRow,
};

/// The mean of all raters, as one side of a pairing.
pub(super) const PEOPLE: &str = "people";

/// Disagreements that are listed.
const MAX_DISAGREEMENTS: usize = 100;

/// What is rated: model, criterion, sample position, turn.
pub(super) type Place = (usize, String, u32, u32);

/// One side's values with one entry per run or rater.
pub(super) type Values = BTreeMap<Place, Vec<f64>>;

/// What is compared, by criterion and model; no model for all of them.
type Groups<T> = BTreeMap<(String, Option<usize>), Vec<T>>;

/// Position of the sample, and both sides' scores.
type Pair = (u32, (f64, f64));

/// Agreement of judges with people and with each other, and each judge's steadiness over runs.
///
/// What is missing is left out whatever the policy says: a policy's zero is nobody's opinion.
pub fn agreement(session: &mut Session, options: &ScoreOptions) -> Agreement {
    let options = ScoreOptions {
        policy: Some(Policy::Exclude),
        judge: None,
        run: None,
        ..options.clone()
    };
    session.link();
    session.merge_ratings();
    let judges = session.judges_values(&options, None);
    let (raters, strangers) = session.raters_values();
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
    let people = mean_of_all(&raters);
    agreement.people = people_rows(&raters);
    let several = raters.len() > 1;
    let all_judges = judges;
    let (raters, left_out) = those_with_most(&raters);
    let (judges, left_out_judges) = those_with_most(&all_judges);
    agreement.left_out = left_out + left_out_judges;
    for (judge, values) in &judges {
        if several {
            let sides = ("human_judge", PEOPLE, *judge);
            pair(session, sides, &people, values, &mut agreement);
        }
        for (rater, ratings) in &raters {
            let sides = ("human_judge", *rater, *judge);
            pair(session, sides, ratings, values, &mut agreement);
        }
    }
    pair_all(session, "judge_judge", &judges, &mut agreement);
    pair_all(session, "human_human", &raters, &mut agreement);
    for (judge, values) in &judges {
        steadiness(session, judge, values, &mut agreement);
    }
    agreement
}

/// One pairing with all its intervals, its confusion matrix and the largest disagreements.
///
/// # Errors
/// `unknown_pair`: the two sides have no unit in common.
pub fn agreement_pair(session: &mut Session, key: &PairKey) -> Result<PairDetail, SessionError> {
    let options = ScoreOptions {
        policy: Some(Policy::Exclude),
        ..key.options.clone()
    };
    session.link();
    session.merge_ratings();
    let judges = session.judges_values(&options, None);
    let (mut raters, _) = session.raters_values();
    if raters.len() > 1 && key.a == PEOPLE && key.kind == "human_judge" {
        let people = mean_of_all(&raters);
        raters.insert(PEOPLE.to_owned(), people);
    }
    let (first, second) = match key.kind.as_str() {
        "human_judge" => (raters.get(&key.a), judges.get(&key.b)),
        "judge_judge" => (judges.get(&key.a), judges.get(&key.b)),
        _ => (raters.get(&key.a), raters.get(&key.b)),
    };
    let world = session.world();
    let is_asked = |(model, criterion, ..): &Place| {
        *criterion == key.criterion
            && (key.model.is_empty() || world.models[*model].submission.name == key.model)
    };
    let sides = first.zip(second);
    let found: Vec<(&Place, (f64, f64))> = sides
        .into_iter()
        .flat_map(|(first, second)| pairs_of(first, second))
        .filter(|(place, _)| is_asked(place))
        .collect();
    if found.is_empty() {
        let message = format!("{} and {} have no score in common here.", key.a, key.b);
        return Err(SessionError::new("unknown_pair", message));
    }
    let pairs: Vec<Pair> = found.iter().map(|(place, both)| (place.2, *both)).collect();
    let scores: Vec<(f64, f64)> = found.iter().map(|(_, both)| *both).collect();
    let steps = session.steps_of(&key.criterion);
    Ok(PairDetail {
        row: row_of(
            (&key.kind, &key.a, &key.b),
            (key.model.clone(), key.criterion.clone()),
            &pairs,
            Bootstrap::Yes,
        ),
        counts: confusion(&scores, &steps),
        steps,
        disagreements: disagreements(session, found),
    })
}

/// The largest differences first; equal ones in the order of models and samples.
fn disagreements(session: &Session, mut found: Vec<(&Place, (f64, f64))>) -> Vec<Disagreement> {
    let world = session.world();
    found.retain(|(_, (a, b))| a - b != 0.0);
    found.sort_small_by(|(_, (a, b)), (_, (c, d))| (c - d).abs().total_cmp(&(a - b).abs()));
    found.truncate(MAX_DISAGREEMENTS);
    let named = found.into_iter().map(|(place, (a, b))| {
        let (model, criterion, sample, turn) = place;
        let model = &world.models[*model].submission.name;
        let sample = &world.benchmark.samples[*sample as usize].id;
        let of_place = session.merged_ratings().iter().filter(|rating| {
            rating.sample == *sample
                && rating.turn == *turn
                && rating.model == *model
                && rating.criterion == *criterion
                && !rating.note.is_empty()
        });
        Disagreement {
            notes: of_place
                .map(|rating| format!("{}: {}", rating.rater, rating.note))
                .collect(),
            sample: sample.clone(),
            turn: *turn,
            model: model.clone(),
            a,
            b,
        }
    });
    named.collect()
}

/// A file of ratings to be filled in by people.
pub fn ratings_template(session: &mut Session) -> String {
    session.link();
    let world = session.world();
    let mut places = Vec::new();
    for model in world.models {
        for sample in &world.benchmark.samples {
            for (turn_idx, turn) in (0u32..).zip(&sample.turns) {
                let asked = session.protocol.requests_of(sample, turn);
                let requests = session.protocol.requests().into_iter();
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

fn pair_all(session: &Session, kind: &str, sides: &[(&str, &Values)], to: &mut Agreement) {
    for (at, (a, first)) in sides.iter().enumerate() {
        for (b, second) in &sides[at + 1..] {
            pair(session, (kind, a, b), first, second, to);
        }
    }
}

/// One row per criterion over all models, and per model where there are several.
fn pair(
    session: &Session,
    (kind, a, b): (&str, &str, &str),
    first: &Values,
    second: &Values,
    to: &mut Agreement,
) {
    let mut groups: Groups<Pair> = BTreeMap::new();
    let mut models = BTreeSet::new();
    for (place, scores) in pairs_of(first, second) {
        let (model, criterion, sample, _) = place;
        models.insert(*model);
        for model in [None, Some(*model)] {
            let pairs = groups.entry((criterion.clone(), model)).or_default();
            pairs.push((*sample, scores));
        }
    }
    for ((criterion, model), pairs) in groups {
        if model.is_some() && models.len() < 2 {
            continue;
        }
        // Rows of single models are many: their bootstrap waits until one of them is looked at.
        let bootstrap = match model {
            None => Bootstrap::Yes,
            Some(_) => Bootstrap::No,
        };
        let name = model_name(session, model);
        let row = row_of((kind, a, b), (name, criterion), &pairs, bootstrap);
        to.pairs.push(row);
    }
}

fn steadiness(session: &Session, judge: &str, values: &Values, to: &mut Agreement) {
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
            model: model_name(session, model),
            criterion,
            runs: steady.runs,
            n: steady.n,
            standard_error: steady.standard_error,
            sd: steady.sd,
            max_spread: steady.max_spread,
        });
    }
}

fn model_name(session: &Session, model: Option<usize>) -> String {
    model.map_or_else(String::new, |at| {
        session.world().models[at].submission.name.clone()
    })
}

impl Session {
    /// Every judge's scores by place, one per run; of one criterion alone if it is named.
    pub(super) fn judges_values(
        &self,
        options: &ScoreOptions,
        only: Option<&str>,
    ) -> BTreeMap<String, Values> {
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
                        if only.is_some_and(|only| only != criterion) {
                            return;
                        }
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
                for given in model.given.iter() {
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
                    let criterion = &model.criteria[usize::from(given.criterion)];
                    if only.is_none_or(|only| only == criterion)
                        && seen.insert((slot, given.criterion, given.run))
                    {
                        let criterion = criterion.clone();
                        let place = (at, criterion, sample, turn);
                        values.entry(place).or_default().push(value);
                    }
                }
                // A protocol whose replies have totals of their own has given them by run already.
                let totals = only.is_none_or(|only| only == "total");
                for (sample, total) in (0u32..).zip(&judge.totals).filter(|_| totals) {
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
    pub(super) fn raters_values(&self) -> (BTreeMap<String, Values>, u32) {
        let world = self.world();
        let mut raters: BTreeMap<String, Values> = BTreeMap::new();
        let mut strangers = 0;
        for rating in self.merged_ratings() {
            let Some(score) = rating.score else { continue };
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
                    values.entry(place).or_default().push(score);
                }
                _ => strangers += 1,
            }
        }
        (raters, strangers)
    }
}

/// Whether a row gets its bootstrap intervals.
#[derive(Clone, Copy)]
pub(super) enum Bootstrap {
    Yes,
    No,
}

pub(super) fn row_of(
    (kind, a, b): (&str, &str, &str),
    (model, criterion): (String, String),
    pairs: &[Pair],
    bootstrap: Bootstrap,
) -> AgreementRow {
    let (samples, scores): (Vec<u32>, Vec<(f64, f64)>) = pairs.iter().copied().unzip();
    let figures = match bootstrap {
        Bootstrap::Yes => Figures::new(&scores, Resampling::Clusters(&samples)),
        Bootstrap::No => Figures::new(&scores, Resampling::None),
    };
    AgreementRow {
        kind: kind.to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        model,
        criterion,
        n: figures.n,
        pearson: figures.pearson,
        spearman: figures.spearman,
        kappa: figures.kappa,
        weighted_kappa: figures.weighted_kappa,
        alpha_interval: figures.alpha_interval,
        alpha_ordinal: figures.alpha_ordinal,
        mae: figures.mae,
        mse: figures.mse,
        equal: figures.equal,
        common_a: figures.common_a,
        common_b: figures.common_b,
    }
}

/// The units that both sides scored, each side's runs averaged.
fn pairs_of<'a>(
    first: &'a Values,
    second: &'a Values,
) -> impl Iterator<Item = (&'a Place, (f64, f64))> {
    first.iter().filter_map(|(place, values)| {
        let others = second.get(place)?;
        Some((place, (mean(values), mean(others))))
    })
}

/// Those with most scores by name, as many as [`RATERS`], and how many are left out: pairs grow with their square.
fn those_with_most(sides: &BTreeMap<String, Values>) -> (Vec<(&str, &Values)>, u32) {
    let mut kept: Vec<(&str, &Values)> = sides
        .iter()
        .map(|(name, values)| (name.as_str(), values))
        .collect();
    let num_left_out = kept.len().saturating_sub(RATERS);
    if num_left_out > 0 {
        kept.sort_small_by_key(|(_, values)| std::cmp::Reverse(values.len()));
        kept.truncate(RATERS);
        kept.sort_small_by_key(|(name, _)| *name);
    }
    (kept, count(num_left_out))
}

/// The mean of all raters at each place.
pub(super) fn mean_of_all(raters: &BTreeMap<String, Values>) -> Values {
    let mut people = Values::new();
    for (place, values) in raters.values().flatten() {
        people.entry(place.clone()).or_default().push(mean(values));
    }
    people
}

/// A sample's position, and what each rater gave.
type Rated<'a> = (u32, &'a [(&'a str, f64)]);

/// All raters at once, by criterion; nothing where no two share an output.
fn people_rows(raters: &BTreeMap<String, Values>) -> Vec<PeopleRow> {
    let mut units: BTreeMap<&Place, Vec<(&str, f64)>> = BTreeMap::new();
    for (rater, values) in raters {
        for (place, values) in values {
            units.entry(place).or_default().push((rater, mean(values)));
        }
    }
    let mut by_criterion: BTreeMap<&str, Vec<Rated<'_>>> = BTreeMap::new();
    for (place, scores) in units.iter().filter(|(_, scores)| scores.len() > 1) {
        let of_criterion = by_criterion.entry(&place.1).or_default();
        of_criterion.push((place.2, scores));
    }
    let rows = by_criterion.into_iter().map(|(criterion, units)| {
        let samples: Vec<u32> = units.iter().map(|(sample, _)| *sample).collect();
        let scores: Vec<Vec<f64>> = units
            .iter()
            .map(|(_, scores)| scores.iter().map(|(_, score)| *score).collect())
            .collect();
        let all = units.iter().flat_map(|(_, scores)| *scores);
        let raters: BTreeSet<&str> = all.map(|(rater, _)| *rater).collect_small();
        PeopleRow {
            criterion: criterion.to_owned(),
            raters: count(raters.len()),
            n: count(units.len()),
            alpha_interval: alpha_by_cluster(&scores, &samples, Distance::Interval),
            alpha_ordinal: alpha_by_cluster(&scores, &samples, Distance::Ordinal),
            common: most_common(&scores.concat()),
        }
    });
    rows.collect()
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
