//! Compares judges with people and with each other.

use crate::study::{LinkedSession, Study};
use std::collections::{BTreeMap, BTreeSet};

use super::count;
use super::printed::{Own, deviations};
use super::rating::rated_of;
use super::sides::{chosen_panel, is_of_panel, mean_over_judges};
use super::slices::{Place, Slice, Slices};
use super::state::Session;
use super::subset::is_drawn;
use super::values::{Judges, Values, mean, mean_of_all};
use crate::coefficients::{
    Distance, Figures, PARTS, Partitions, Resampling, Steadiness, alpha_by_cluster, confusion,
    most_common,
};
use crate::compare::comparable;
use crate::error::Error;
use crate::panels::check_judge;
use crate::rating_file;
use crate::view::agreement::{
    Agreement, AgreementQuery, AgreementRow, Disagreement, PairDetail, PairKey, PartitionRow,
    PeopleRow, PrintedRow, SteadinessRow,
};
use crate::view::rating::RateItems;
use juror_model::judge::{PEOPLE, is_derived};
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::prompt;
use juror_model::row::ScoreRow;
use juror_model::score::Scores;
use juror_model::subset::Subset;
use juror_model::terms::ScopeInfo;
use juror_reading::limits::RATERS;
use juror_statistics::level::Level;
use juror_statistics::small::{CollectSmall, SortSmall};

/// Disagreements that are listed.
const MAX_DISAGREEMENTS: usize = 100;

/// Position of the sample, and both sides' scores.
type Pair = (u32, (f64, f64));

/// What is hashed before seed, sample, turn and model; another way to order units would get another name.
const PARTITIONS: &str = "juror-partitions/1";
const PARTITION_SEED: &str = "1";

/// Agreement of judges with people and with each other, and each judge's steadiness over runs.
///
/// What is missing is left out whatever the policy says: a policy's zero is nobody's opinion. People have the totals and the
/// criteria that their answers to a judge's questions make, wherever they gave none themselves. A panel that the options choose
/// is one judge more, and is not held against those whom it is made of.
///
/// # Errors
/// `unknown_group`: there is no such scope, or its groups are not of samples. `unknown_judge`: nobody is of the panel's name.
pub fn agreement(study: &Study<'_>, query: &AgreementQuery) -> Result<Agreement, Error> {
    study.expect(&query.options);
    let inputs = AgreementInputs::new(study, &query.scope)?;
    let raters = &inputs.raters;
    let people = mean_of_all(raters);
    let mut agreement = Agreement {
        raters: raters.keys().cloned().collect(),
        ratings: inputs.num_ratings,
        unknown_samples: inputs.unknown_samples,
        people: people_rows(raters, &inputs.slices, query.level),
        scopes: inputs.scopes.clone(),
        scope: query.scope.clone(),
        keys_left_out: inputs.slices.left_out,
        level: query.level,
        ..Agreement::default()
    };
    let several = raters.len() > 1;
    let (raters, left_out) = those_with_most(raters);
    let (judges, left_out_judges) = those_with_most(&inputs.judges);
    agreement.left_out = left_out + left_out_judges;
    let mut pairing = Pairing {
        session: study,
        slices: &inputs.slices,
        level: query.level,
        to: &mut agreement,
    };
    for (judge, values) in &judges {
        if several {
            pairing.pair(("human_judge", PEOPLE, *judge), &people, values);
        }
        for (rater, ratings) in &raters {
            pairing.pair(("human_judge", *rater, *judge), ratings, values);
        }
    }
    pairing.pair_all("judge_judge", &judges);
    pairing.pair_all("human_human", &raters);
    let shown: BTreeSet<&str> = judges.iter().map(|(judge, _)| *judge).collect();
    pairing.all_steadiness(&inputs, &shown);
    agreement.printed = printed_beside(study, &inputs, &agreement)?;
    Ok(agreement)
}

/// The paper's figures of reliability, with the figures that were found and the score rows of everybody.
fn printed_beside(
    study: &Study<'_>,
    inputs: &AgreementInputs,
    found: &Agreement,
) -> Result<Vec<PrintedRow>, Error> {
    let printed = study.loader.protocol.reliability();
    if printed.is_empty() {
        return Ok(Vec::new());
    }
    let deviations = deviations(study, &printed, &inputs.options, found)?;
    let mut rows = inputs.rows.clone();
    if study.data.at_hand().people.iter().any(|one| one == PEOPLE) {
        let options = ScoreOptions {
            judge: Some(PEOPLE.to_owned()),
            ..inputs.options.clone()
        };
        rows.extend(study.scores_of(&options).rows);
    }
    let own = Own {
        found,
        rows: &rows,
        deviations: &deviations,
    };
    Ok(super::printed::beside(printed, &own))
}

/// What sides are compared by.
struct AgreementInputs {
    /// Under these options.
    options: ScoreOptions,
    /// All scopes whose groups are of samples.
    scopes: Vec<ScopeInfo>,
    /// The groups of the chosen one.
    slices: Slices,
    /// Each judge's values, those of a chosen panel among them.
    judges: Judges,
    /// Each rater's.
    raters: Judges,
    /// Ratings that people gave, and those that belong to nothing here.
    num_ratings: u32,
    unknown_samples: u32,
    /// The score rows of all judges, and of what is measured.
    rows: Vec<ScoreRow>,
}

impl AgreementInputs {
    fn new(session: &Study<'_>, scope: &str) -> Result<Self, Error> {
        let panel = chosen_panel(session.options()).map(str::to_owned);
        let options = left_out(session.options());
        if let Some(panel) = &panel {
            check_judge(session, panel)?;
        }
        let world = session.world();
        let mut scores = session.loader.protocol.score(&world, &options);
        let scopes = comparable(&*session.loader.protocol, &world, &scores);
        let slices = Slices::new(session, &scopes, scope)?;
        let mut judges = session.values_of(&scores, &options, None);
        if let Some(panel) = panel {
            let values = session.values_of_one(&options, &panel, None);
            judges.insert(panel, values);
        }
        let (rated, _) = session.raters_values();
        let num_ratings = rated.values().flat_map(BTreeMap::values).map(Vec::len);
        let (raters, unknown_samples) = session.people_values(&options, None);
        session.add_measured(&options, &mut scores);
        scores.rows.retain(|row| !is_derived(&row.judge));
        Ok(Self {
            scopes,
            slices,
            judges,
            num_ratings: count(num_ratings.sum()),
            raters,
            unknown_samples,
            rows: scores.rows,
            options,
        })
    }
}

/// The options under which sides are compared: what is missing is left out, and nobody is chosen.
fn left_out(options: &ScoreOptions) -> ScoreOptions {
    ScoreOptions {
        policy: Some(Policy::Exclude),
        judge: None,
        run: None,
        ..options.clone()
    }
}

/// One pairing with all its intervals, its confusion matrix and the largest disagreements.
///
/// # Errors
/// `unknown_pair`: the two sides have no unit in common.
pub fn agreement_pair(study: &Study<'_>, key: &PairKey) -> Result<PairDetail, Error> {
    study.expect(&key.options);
    let AgreementInputs {
        slices,
        judges,
        mut raters,
        ..
    } = AgreementInputs::new(study, &key.scope)?;
    if raters.len() > 1 && key.a == PEOPLE && key.kind == "human_judge" {
        let people = mean_of_all(&raters);
        raters.insert(PEOPLE.to_owned(), people);
    }
    let (first, second) = match key.kind.as_str() {
        "human_judge" => (raters.get(&key.a), judges.get(&key.b)),
        "judge_judge" => (judges.get(&key.a), judges.get(&key.b)),
        _ => (raters.get(&key.a), raters.get(&key.b)),
    };
    let world = study.world();
    let group = slices.at(&key.key);
    let is_in = |place: &Place| slices.of(place).any(|slice| Some(slice) == group);
    let is_asked = |place: &Place| {
        place.1 == key.criterion
            && (key.model.is_empty() || world.models[place.0].submission.name == key.model)
            && (key.key.is_empty() || is_in(place))
    };
    let sides = first.zip(second);
    let expected = sides.map_or(0, |(first, second)| {
        either(first, second)
            .filter(|place| is_asked(place))
            .count()
    });
    let found: Vec<(&Place, (f64, f64))> = sides
        .into_iter()
        .flat_map(|(first, second)| pairs_of(first, second))
        .filter(|(place, _)| is_asked(place))
        .collect();
    if found.is_empty() {
        return Err(Error::UnknownPair {
            a: key.a.clone(),
            b: key.b.clone(),
        });
    }
    let pairs: Vec<Pair> = found.iter().map(|(place, both)| (place.2, *both)).collect();
    let scores: Vec<(f64, f64)> = found.iter().map(|(_, both)| *both).collect();
    let steps = study.steps_of(&key.criterion);
    Ok(PairDetail {
        row: row_of(
            Compared {
                kind: &key.kind,
                a: &key.a,
                b: &key.b,
                model: key.model.clone(),
                criterion: &key.criterion,
                key: key.key.clone(),
                expected: count(expected),
            },
            &pairs,
            Bootstrap::Yes,
            key.level,
        ),
        counts: confusion(&scores, &steps),
        steps,
        disagreements: disagreements(study, found),
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
        let of_place = session.data.merged_ratings().iter().filter(|rating| {
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

/// A file of ratings to be filled in by people: of criteria, or of the questions that a judge answers; of the samples
/// of a subset only, where there is one.
pub fn ratings_template(
    session: &LinkedSession<'_>,
    items: RateItems,
    subset: Option<&Subset>,
) -> String {
    let drawn = is_drawn(session, subset);
    let world = session.world();
    let mut places = Vec::new();
    for model in world.models {
        let samples = world.benchmark.samples.iter().zip(&drawn);
        for (sample, _) in samples.filter(|(_, is_drawn)| **is_drawn) {
            for (turn_idx, turn) in (0u32..).zip(&sample.turns) {
                for criterion in rated_of(session, sample, turn, items) {
                    let name = model.submission.name.clone();
                    places.push((sample.id.clone(), turn_idx, name, criterion));
                }
            }
        }
    }
    rating_file::template(places.into_iter())
}

/// What pairings are made with, and where their rows go.
struct Pairing<'a> {
    session: &'a Session,
    slices: &'a Slices,
    level: Level,
    to: &'a mut Agreement,
}

/// Scores of each unit that every run has, one a run, and how many units any run has.
type Repeated = (Vec<Vec<f64>>, usize);

/// One slice of what two sides rated.
#[derive(Default)]
struct Group<'a> {
    /// What both rated.
    pairs: Vec<(&'a Place, (f64, f64))>,
    /// What either rated.
    expected: usize,
}

impl Pairing<'_> {
    fn pair_all(&mut self, kind: &str, sides: &[(&str, &Values)]) {
        for (at, (a, first)) in sides.iter().enumerate() {
            let others = sides[at + 1..].iter();
            for (b, second) in others.filter(|(b, _)| !is_of_panel(a, b)) {
                self.pair((kind, a, b), first, second);
            }
        }
    }

    /// One row per criterion over all models, per model where there are several, and per group of samples over all models.
    fn pair(&mut self, (kind, a, b): (&str, &str, &str), first: &Values, second: &Values) {
        let mut groups: BTreeMap<(&str, Slice), Group<'_>> = BTreeMap::new();
        let mut models = BTreeSet::new();
        let both: BTreeMap<&Place, (f64, f64)> = pairs_of(first, second).collect();
        for place in either(first, second) {
            let slices = [Slice::All, Slice::Model(place.0)].into_iter();
            for slice in slices.chain(self.slices.of(place)) {
                let group = groups.entry((&place.1, slice)).or_default();
                group.expected += 1;
                if let Some(scores) = both.get(place) {
                    models.insert(place.0);
                    group.pairs.push((place, *scores));
                }
            }
        }
        for ((criterion, slice), mut group) in groups {
            let is_only_model = matches!(slice, Slice::Model(_)) && models.len() < 2;
            if group.pairs.is_empty() || is_only_model {
                continue;
            }
            // Rows of single models are many: their bootstrap waits until one of them is looked at.
            let bootstrap = match slice {
                Slice::Model(_) | Slice::Both(..) => Bootstrap::No,
                Slice::All | Slice::Key(_) => Bootstrap::Yes,
            };
            let of = Compared {
                kind,
                a,
                b,
                model: self.model_name(slice),
                criterion,
                key: self.slices.key(slice),
                expected: count(group.expected),
            };
            let pairs = group.pairs.iter();
            let pairs: Vec<Pair> = pairs.map(|(place, both)| (place.2, *both)).collect();
            if matches!(bootstrap, Bootstrap::Yes) {
                self.partition(&of, &mut group.pairs);
            }
            let row = row_of(of, &pairs, bootstrap, self.level);
            self.to.pairs.push(row);
        }
    }

    /// The same over parts, where there are enough outputs for them.
    fn partition(&mut self, of: &Compared<'_>, pairs: &mut [(&Place, (f64, f64))]) {
        if pairs.len() < 2 * PARTS {
            return;
        }
        let world = self.session.world();
        pairs.sort_small_by_cached_key(|(place, _)| {
            let sample = &world.benchmark.samples[place.2 as usize].id;
            let (turn, model) = (place.3.to_string(), &world.models[place.0].submission.name);
            prompt::digest(PARTITIONS, [PARTITION_SEED, sample, &turn, model])
        });
        let scores: Vec<(f64, f64)> = pairs.iter().map(|(_, both)| *both).collect();
        let Some(found) = Partitions::new(&scores, self.level) else {
            return;
        };
        self.to.partitions.push(PartitionRow {
            kind: of.kind.to_owned(),
            a: of.a.to_owned(),
            b: of.b.to_owned(),
            criterion: of.criterion.to_owned(),
            key: of.key.clone(),
            n: count(scores.len()),
            expected: of.expected,
            parts: count(PARTS),
            defined: found.defined,
            r: found.r,
            sd: found.sd,
            least: found.least,
            most: found.most,
        });
    }

    /// The steadiness of each judge that has several runs, and of the mean of all of these.
    fn all_steadiness(&mut self, inputs: &AgreementInputs, shown: &BTreeSet<&str>) {
        let mut by_run = self.session.values_by_run(&inputs.options, &inputs.judges);
        by_run.retain(|judge, _| shown.contains(judge.as_str()));
        // A panel is made of the others.
        let own = by_run.iter().filter(|(judge, _)| !is_derived(judge));
        let own = own.map(|(judge, values)| (judge.as_str(), values));
        if let Some((mean, values)) = mean_over_judges(&own.collect()) {
            by_run.insert(mean, values);
        }
        for (judge, values) in &by_run {
            self.steadiness(judge, values);
        }
    }

    /// One row per criterion over all models, per model, per group, and per model in each group.
    fn steadiness(&mut self, judge: &str, values: &Values) {
        // Not everything is judged in every run.
        let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, values) in values {
            let most = runs.entry(&place.1).or_default();
            *most = values.len().max(*most);
        }
        let mut groups: BTreeMap<(&str, Slice), Repeated> = BTreeMap::new();
        for (place, values) in values {
            let keys = self.slices.of(place).flat_map(|slice| match slice {
                Slice::Key(at) => vec![slice, Slice::Both(place.0, at)],
                _ => vec![slice],
            });
            let slices = [Slice::All, Slice::Model(place.0)].into_iter();
            for slice in slices.chain(keys) {
                let (units, expected) = groups.entry((&place.1, slice)).or_default();
                *expected += 1;
                if Some(&values.len()) == runs.get(place.1.as_str()) {
                    units.push(values.clone());
                }
            }
        }
        for ((criterion, slice), (units, expected)) in groups {
            let Some(steady) = Steadiness::new(&units) else {
                continue;
            };
            self.to.steadiness.push(SteadinessRow {
                judge: judge.to_owned(),
                model: self.model_name(slice),
                criterion: criterion.to_owned(),
                key: self.slices.key(slice),
                runs: steady.runs,
                n: steady.n,
                expected: count(expected),
                averages: steady.averages,
                largest_difference: steady.of_averages.largest_difference,
                sd_of_averages: steady.of_averages.sd,
                standard_error: steady.of_averages.standard_error,
                sd: steady.sd,
                max_spread: steady.max_spread,
            });
        }
    }

    fn model_name(&self, slice: Slice) -> String {
        match slice {
            Slice::Model(at) | Slice::Both(at, _) => {
                self.session.world().models[at].submission.name.clone()
            }
            Slice::All | Slice::Key(_) => String::new(),
        }
    }
}

impl Session {
    /// Every judge's scores by place, one per run; only of one criterion if it is named.
    pub(super) fn judges_values(&self, options: &ScoreOptions, only: Option<&str>) -> Judges {
        let scores = self.loader.protocol.score(&self.world(), options);
        self.values_of(&scores, options, only)
    }

    /// The same of scores under these options; of people where they are the judge in them.
    pub(super) fn values_of(
        &self,
        scores: &Scores,
        options: &ScoreOptions,
        only: Option<&str>,
    ) -> Judges {
        let world = self.world();
        let criteria = self.loader.protocol.criteria();
        let mut judges = Judges::new();
        for (at, (model, of_model)) in world.models.iter().zip(&scores.models).enumerate() {
            // People are one side already, by what they rated, unless they are who was chosen.
            let own = of_model.judges.iter();
            let is_chosen = |judge: &str| options.judge.as_deref() == Some(judge);
            for judge in own.filter(|own| !is_derived(&own.judge) || is_chosen(&own.judge)) {
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
        let mut unknown_samples = 0;
        for rating in self.data.merged_ratings() {
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
                _ => unknown_samples += 1,
            }
        }
        (raters, unknown_samples)
    }
}

/// Whether a row gets its bootstrap intervals.
#[derive(Clone, Copy)]
pub(super) enum Bootstrap {
    Yes,
    No,
}

/// What a row is of.
#[derive(Default)]
pub(super) struct Compared<'a> {
    pub(super) kind: &'a str,
    pub(super) a: &'a str,
    pub(super) b: &'a str,
    pub(super) model: String,
    pub(super) criterion: &'a str,
    pub(super) key: String,
    pub(super) expected: u32,
}

pub(super) fn row_of(
    of: Compared<'_>,
    pairs: &[Pair],
    bootstrap: Bootstrap,
    level: Level,
) -> AgreementRow {
    let (samples, scores): (Vec<u32>, Vec<(f64, f64)>) = pairs.iter().copied().unzip();
    let figures = match bootstrap {
        Bootstrap::Yes => Figures::new(&scores, Resampling::Clusters(&samples), level),
        Bootstrap::No => Figures::new(&scores, Resampling::None, level),
    };
    AgreementRow {
        kind: of.kind.to_owned(),
        a: of.a.to_owned(),
        b: of.b.to_owned(),
        model: of.model,
        criterion: of.criterion.to_owned(),
        key: of.key,
        expected: of.expected,
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

/// The units that one of two sides scored, or both.
fn either<'a>(first: &'a Values, second: &'a Values) -> impl Iterator<Item = &'a Place> {
    let rest = second.keys().filter(|place| !first.contains_key(*place));
    first.keys().chain(rest)
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

/// A sample's position, and what each rater gave.
type Rated<'a> = (u32, &'a [(&'a str, f64)]);

/// All raters at once, by criterion and group of samples; nothing where no two share an output.
fn people_rows(raters: &BTreeMap<String, Values>, slices: &Slices, level: Level) -> Vec<PeopleRow> {
    let mut units: BTreeMap<&Place, Vec<(&str, f64)>> = BTreeMap::new();
    for (rater, values) in raters {
        for (place, values) in values {
            units.entry(place).or_default().push((rater, mean(values)));
        }
    }
    let mut groups: BTreeMap<(&str, Slice), (Vec<Rated<'_>>, usize)> = BTreeMap::new();
    for (place, scores) in &units {
        for slice in [Slice::All].into_iter().chain(slices.of(place)) {
            let (shared, expected) = groups.entry((&place.1, slice)).or_default();
            *expected += 1;
            if scores.len() > 1 {
                shared.push((place.2, scores));
            }
        }
    }
    groups.retain(|_, (shared, _)| !shared.is_empty());
    let rows = groups
        .into_iter()
        .map(|((criterion, slice), (units, expected))| {
            let samples: Vec<u32> = units.iter().map(|(sample, _)| *sample).collect();
            let scores: Vec<Vec<f64>> = units
                .iter()
                .map(|(_, scores)| scores.iter().map(|(_, score)| *score).collect())
                .collect();
            let all = units.iter().flat_map(|(_, scores)| *scores);
            let raters: BTreeSet<&str> = all.map(|(rater, _)| *rater).collect_small();
            let alpha = |distance| alpha_by_cluster(&scores, &samples, distance, level);
            PeopleRow {
                criterion: criterion.to_owned(),
                key: slices.key(slice),
                raters: count(raters.len()),
                n: count(units.len()),
                expected: count(expected),
                alpha_interval: alpha(Distance::Interval),
                alpha_ordinal: alpha(Distance::Ordinal),
                common: most_common(&scores.concat()),
            }
        });
    rows.collect()
}
