//! Compares models: means with intervals, paired differences, tie groups, and all of it in words.
//!
//! A sample is what is compared: its number is the mean over its turns, each one averaged over runs first.
//! Two models are compared on the turns that both have numbers for, so that nothing is said by what one of them lacks.

use crate::list::group_filter;
use crate::study::Study;
use std::collections::HashSet;

use super::count;
use crate::error::Error;
use crate::measure::{MEASURED, is_measured};
use crate::state::Session;
use juror_evidence::report::tables::by_hand;
use juror_model::experiment::judge_of;
use juror_model::judge::AND;
use juror_model::linked::World;
use juror_model::options::ScoreOptions;
use juror_model::score::{JudgeScores, Scores};
use juror_model::terms::{CriterionInfo, Direction, ScopeInfo, Words};
use juror_protocols::contract::Protocol;
use juror_protocols::contract::scale_ends;
use juror_reading::limits::PAIRS;
use juror_statistics::clusters::{Clusters, Draws};
use juror_statistics::level::Level;
use juror_statistics::paired::{ALPHA, Paired};
use juror_statistics::small::{CollectSmall, SortSmall, arrange_numbers};
use juror_statistics::{MIN_FOR_INTERVAL, Moments, t_quantile, ties};

mod by_group;
mod export;
mod levels;
pub(super) mod standings;
mod table;
mod two_sides;
mod types;
mod words;

pub(super) use by_group::ByGroup;
pub use by_group::group_means;
pub use types::{
    BootstrapSteps, Cluster, CompareQuery, ComparedJudge, ComparedModel, ComparedPair, Comparison,
    Interval, IntervalSteps, LeftOut, MAX_REPLICATES, ModelRank, PairedSample, REPLICATES,
    StandingsQuery,
};

pub(super) use levels::{Differences, LevelOf, LevelValues, LevelsOf, ScoresByJudge};
pub(super) use two_sides::TwoSides;

use table::{Column, Reader};
use words::Speaker;
pub(super) use words::{p_value, printed};

/// Said where a mean or a difference has no interval; so many are [`MIN_FOR_INTERVAL`].
const TOO_FEW: &str =
    "n too small for an interval: a mean or a difference of fewer than five has none.";
/// Clusters below which intervals are told to be too narrow.
const FEW_CLUSTERS: u32 = 10;
/// Differences that lie no further apart are equal: 0.7 − 0.5 and 0.4 − 0.2 differ only in the last bit.
const GRAIN: f64 = 1e-10;

/// Compares all models on one criterion in one group of samples.
///
/// # Errors
/// `unknown_group`, `unknown_criterion` or `unknown_judge`: the query names what is not there.
pub fn compare(study: &Study<'_>, query: &CompareQuery) -> Result<Comparison, Error> {
    let criteria = study.criteria();
    let mut found = inputs(study, query, &criteria)?.comparison(study.options());
    found.filter = group_filter(study, &found.scope, &found.key);
    let models: Vec<&str> = (found.models.iter())
        .map(|model| model.model.as_str())
        .collect();
    let named = study.models_named_by_hand(&found.judge, &models);
    found.notes.extend(by_hand(&named, models.len()));
    Ok(found)
}

/// The samples that two models are compared on, the largest difference first, then in the order of the benchmark.
///
/// # Errors
/// As for [`compare`](fn@crate::compare), and `unknown_model`.
pub fn paired_samples(
    study: &Study<'_>,
    query: &CompareQuery,
    (a, b): (&str, &str),
) -> Result<Vec<PairedSample>, Error> {
    let criteria = study.criteria();
    let inputs = inputs(study, query, &criteria)?;
    let mut samples = inputs.paired(inputs.find(a)?, inputs.find(b)?);
    samples.sort_small_by(|x, y| y.difference.abs().total_cmp(&x.difference.abs()));
    Ok(samples)
}

/// Everything that a comparison of the scores at hand rests on.
fn inputs<'a>(
    session: &'a Session,
    query: &CompareQuery,
    criteria: &'a [CriterionInfo],
) -> Result<CompareInputs<'a>, Error> {
    inputs_of(session, session.data.scores(), query, criteria)
}

/// Everything that a comparison of scores rests on.
fn inputs_of<'a>(
    session: &'a Session,
    scores: &'a Scores,
    query: &CompareQuery,
    criteria: &'a [CriterionInfo],
) -> Result<CompareInputs<'a>, Error> {
    inputs_over(session, scores, query, criteria, Extent::Group)
}

/// Which samples the inputs have.
#[derive(Clone, Copy)]
enum Extent {
    /// Those of the group that the query names.
    Group,
    /// All, to be taken by group; by turns where the scope's groups are of turns.
    Scope,
}

fn inputs_over<'a>(
    session: &'a Session,
    scores: &'a Scores,
    query: &CompareQuery,
    criteria: &'a [CriterionInfo],
    extent: Extent,
) -> Result<CompareInputs<'a>, Error> {
    let world = session.world();
    let scopes = comparable(&*session.loader.protocol, &world, scores);
    let (scope, key) = group(&scopes, query)?;
    let wanted = if query.criterion.is_empty() {
        "total"
    } else {
        &query.criterion
    };
    let criterion = criteria.iter().find(|info| info.id == wanted);
    let criterion = criterion
        .ok_or_else(|| Error::UnknownCriterion(format!("There is no criterion {wanted}.")))?;
    let judges = judges(scores, &criterion.id);
    let judge = if is_measured(&criterion.id) {
        // Whoever is asked for, nobody else has values of it.
        MEASURED.to_owned()
    } else {
        judge(&judges, query)?
    };
    let protocol = &session.loader.protocol;
    let (mut members, mut turns) = (
        protocol.members(world.benchmark, &scope, &key),
        protocol.turns(world.benchmark, &scope, &key),
    );
    if matches!(extent, Extent::Scope) {
        members = None;
        for is_in in turns.iter_mut().flatten() {
            *is_in = true;
        }
    }
    let reader = Reader {
        protocol: &*session.loader.protocol,
        world,
        criteria,
        criterion,
        members: members.unwrap_or_else(|| vec![true; world.benchmark.samples.len()]),
        turns,
    };
    let models = world.models.iter().zip(&scores.models);
    let columns = models
        .map(|(model, of_model)| {
            let chosen: Option<Vec<&JudgeScores>> = split(&judges, &judge)
                .into_iter()
                .map(|name| of_model.judges.iter().find(|own| own.judge == name))
                .collect();
            chosen.map(|chosen| reader.column(model, &chosen))
        })
        .collect();
    Ok(CompareInputs {
        clusters: reader.clusters(query.cluster),
        query: CompareQuery {
            scope,
            key,
            criterion: criterion.id.clone(),
            judge: Some(judge),
            replicates: query.replicates.min(MAX_REPLICATES),
            ..query.clone()
        },
        columns,
        reader,
        scores,
        scopes,
        judges,
    })
}

impl Session {
    /// The differences that a comparison of two models rests on, by position of the sample, and how many samples are left out.
    ///
    /// Scores are those of the options that were scored last.
    pub(super) fn differences(
        &self,
        query: &CompareQuery,
        (a, b): (&str, &str),
    ) -> Result<(Vec<(u32, f64)>, u32), Error> {
        let criteria = self.criteria();
        let inputs = inputs(self, query, &criteria)?;
        let (at_a, at_b) = (inputs.find(a)?, inputs.find(b)?);
        let mut found: Vec<(u32, f64)> = inputs
            .both(at_a, at_b)
            .map(|(sample, a, b)| (count(sample), a - b))
            .collect();
        settle(&mut found);
        let (left_out, _) = inputs.left_out((at_a, a), (at_b, b));
        Ok((found, left_out))
    }
}

/// The scopes whose keys are groups of samples or a turn.
pub(super) fn comparable(
    protocol: &dyn Protocol,
    world: &World<'_>,
    scores: &Scores,
) -> Vec<ScopeInfo> {
    let is_of_samples = |info: &&ScopeInfo| {
        let key = info.keys.first();
        key.is_some_and(|key| {
            protocol
                .members(world.benchmark, &info.scope, key)
                .is_some()
        })
    };
    scores
        .scopes
        .iter()
        .filter(is_of_samples)
        .cloned()
        .collect()
}

/// Scope and key in force.
fn group(scopes: &[ScopeInfo], query: &CompareQuery) -> Result<(String, String), Error> {
    let scope = if query.scope.is_empty() {
        scopes.first()
    } else {
        scopes.iter().find(|info| info.scope == query.scope)
    };
    let unknown = || Error::UnknownGroup {
        scope: query.scope.clone(),
        key: query.key.clone(),
    };
    let Some(info) = scope else {
        // Of nothing that was opened, everything is the whole.
        let is_open = query.scope.is_empty() || query.scope == "overall";
        return if is_open && scopes.is_empty() {
            Ok(("overall".to_owned(), "all".to_owned()))
        } else {
            Err(unknown())
        };
    };
    let key = if query.key.is_empty() {
        info.keys.first()
    } else {
        info.keys.iter().find(|key| **key == query.key)
    };
    Ok((info.scope.clone(), key.ok_or_else(unknown)?.clone()))
}

/// The judges at hand, those that most models have in front, and all together where some model has several.
fn judges(scores: &Scores, criterion: &str) -> Vec<ComparedJudge> {
    let mut judges: Vec<ComparedJudge> = Vec::new();
    let all = scores.models.iter().flat_map(|model| &model.judges);
    for judge in all.filter(|judge| (judge.judge == MEASURED) == is_measured(criterion)) {
        match judges.iter_mut().find(|known| known.judge == judge.judge) {
            Some(known) => known.models += 1,
            None => judges.push(ComparedJudge {
                judge: judge.judge.clone(),
                models: 1,
            }),
        }
    }
    judges.sort_small_by_key(|judge| std::cmp::Reverse(judge.models));
    let names: Vec<String> = judges.iter().map(|judge| judge.judge.clone()).collect();
    let has_all = |model: &&juror_model::score::ModelScores| {
        let has = |name: &String| model.judges.iter().any(|own| own.judge == *name);
        names.iter().all(has)
    };
    let all = count(scores.models.iter().filter(has_all).count());
    // A mean over one judge's prompts or other levels of it would mix what is asked.
    let distinct: HashSet<String> = names.iter().map(|name| judge_of(name)).collect();
    if names.len() > 1 && all > 0 && distinct.len() == names.len() {
        judges.push(ComparedJudge {
            judge: names.join(AND),
            models: all,
        });
    }
    judges
}

/// The judge in force.
fn judge(judges: &[ComparedJudge], query: &CompareQuery) -> Result<String, Error> {
    let Some(wanted) = &query.judge else {
        let first = judges.first();
        return Ok(first.map(|known| known.judge.clone()).unwrap_or_default());
    };
    let is_known = |name: &str| judges.iter().any(|known| known.judge == name);
    if is_known(wanted) || split(judges, wanted).into_iter().all(is_known) {
        return Ok(wanted.clone());
    }
    Err(Error::UnknownJudge(wanted.clone()))
}

/// The judges that a name means: a judge of that name, or those that it joins.
fn split<'a>(judges: &[ComparedJudge], name: &'a str) -> Vec<&'a str> {
    let parts: Vec<&str> = name.split(AND).collect();
    let is_joined = parts.len() > 1
        && parts
            .iter()
            .all(|part| judges.iter().any(|known| known.judge == *part));
    if is_joined { parts } else { vec![name] }
}

/// How many models from the best on are tested: all, or as many as [`PAIRS`] allows; those without a mean take no pair.
fn num_tested(models: &[(usize, ComparedModel)]) -> usize {
    let num_scored = models.iter().take_while(|(_, model)| model.mean.is_some());
    let num_scored = num_scored.count();
    let most = (1..=num_scored).take_while(|num| num * (num - 1) / 2 <= PAIRS);
    match most.last() {
        Some(most) if most < num_scored => most,
        _ => models.len(),
    }
}

/// What a comparison rests on.
struct CompareInputs<'a> {
    reader: Reader<'a>,
    scores: &'a Scores,
    scopes: Vec<ScopeInfo>,
    judges: Vec<ComparedJudge>,
    /// Per model; `None` for one that the judge did not judge.
    columns: Vec<Option<Column>>,
    /// Per sample.
    clusters: Vec<u32>,
    /// With everything resolved.
    query: CompareQuery,
}

impl CompareInputs<'_> {
    /// The position of a model.
    fn find(&self, name: &str) -> Result<usize, Error> {
        let mut models = self.reader.world.models.iter();
        let at = models.position(|model| model.submission.name == name);
        at.ok_or_else(|| Error::UnknownModel(format!("There is no model {name}.")))
    }

    fn comparison(&self, options: &ScoreOptions) -> Comparison {
        let draws = Draws {
            seed: u64::from(self.query.seed),
            replicates: self.query.replicates,
        };
        let mut models: Vec<(usize, ComparedModel)> = (0..self.columns.len())
            .map(|at| (at, self.model(at, draws)))
            .collect();
        let is_down = self.reader.criterion.direction == Direction::Down;
        models.sort_small_by(|(_, x), (_, y)| match (x.mean, y.mean) {
            (Some(x), Some(y)) if is_down => x.total_cmp(&y),
            (Some(x), Some(y)) => y.total_cmp(&x),
            (x, y) => y.is_some().cmp(&x.is_some()),
        });
        let num_tested = num_tested(&models);
        let mut pairs = self.pairs(&models[..num_tested], draws);
        let raw: Vec<Option<f64>> = pairs.iter().map(|(_, p)| *p).collect();
        let corrected = self.query.correction.adjust(&raw);
        for ((pair, _), p) in pairs.iter_mut().zip(corrected) {
            pair.p_corrected = p;
            pair.separated = p.is_some_and(|p| p < ALPHA);
        }
        let mut pairs: Vec<ComparedPair> = pairs.into_iter().map(|(pair, _)| pair).collect();
        let mut models: Vec<ComparedModel> = models.into_iter().map(|(_, model)| model).collect();
        let tested = &models[..num_tested];
        let num_scored = tested.iter().filter(|model| model.mean.is_some()).count();
        let separated = pairs.iter().filter(|pair| pair.separated);
        let separated: HashSet<(&str, &str)> = separated
            .map(|pair| (pair.a.as_str(), pair.b.as_str()))
            .collect();
        let groups = ties::groups(num_scored, |best, other| {
            separated.contains(&(models[best].model.as_str(), models[other].model.as_str()))
        });
        for (model, group) in models.iter_mut().zip(groups) {
            model.group = letters(group);
        }
        let words = self.reader.protocol.words();
        let comparisons = count(raw.iter().flatten().count());
        let speaker = self.speaker(options, &words, comparisons);
        for pair in &mut pairs {
            pair.sentence = speaker.pair(pair);
        }
        let sentence = speaker.groups(&models, &pairs);
        let benchmark = self.reader.protocol.title().to_owned();
        self.finish(options, benchmark, sentence, models, pairs)
    }

    fn finish(
        &self,
        options: &ScoreOptions,
        benchmark: String,
        sentence: String,
        models: Vec<ComparedModel>,
        pairs: Vec<ComparedPair>,
    ) -> Comparison {
        let members: Vec<u32> = self.members().map(|at| self.clusters[at]).collect();
        let distinct: HashSet<u32> = members.iter().copied().collect();
        let mut detectable: Vec<f64> = pairs.iter().filter_map(|pair| pair.detectable).collect();
        arrange_numbers(&mut detectable);
        let query = self.query.clone();
        Comparison {
            benchmark,
            profile: options.profile,
            policy: self.reader.protocol.policy(options),
            notes: self.notes(&models, &pairs),
            scope: query.scope,
            key: query.key,
            filter: None,
            criterion: query.criterion,
            info: self.reader.criterion.clone(),
            judge: query.judge.unwrap_or_default(),
            correction: query.correction,
            cluster: query.cluster,
            seed: query.seed,
            replicates: query.replicates,
            level: query.level,
            samples: count(members.len()),
            clusters: count(distinct.len()),
            comparisons: count(pairs.iter().filter(|p| p.p_corrected.is_some()).count()),
            detectable: median(&detectable),
            models,
            pairs,
            sentence,
            scopes: self.scopes.clone(),
            judges: self.judges.clone(),
        }
    }

    fn speaker<'b>(
        &'b self,
        options: &'b ScoreOptions,
        words: &'b Words,
        comparisons: u32,
    ) -> Speaker<'b> {
        let CompareQuery { scope, key, .. } = &self.query;
        let label = self.scopes.iter().find(|info| info.scope == *scope);
        Speaker {
            benchmark: self.reader.protocol.title(),
            group: label
                .filter(|_| scope != "overall")
                .map(|info| (info.label.as_str(), key.as_str())),
            criterion: self.reader.criterion,
            judge: self.query.judge.as_deref().unwrap_or_default(),
            options,
            words,
            query: &self.query,
            comparisons,
        }
    }

    /// A model's number of each sample over those of its turns that are in a part of the group, by cluster, and how many
    /// samples should have one. `is_in` takes sample and turn.
    fn values_where(&self, at: usize, is_in: impl Fn(u32, u32) -> bool) -> (Clusters, u32) {
        let Some(column) = &self.columns[at] else {
            return (Clusters::new(std::iter::empty::<(u32, f64)>()), 0);
        };
        let (mut values, mut expected) = (Vec::new(), 0);
        for sample in self.members() {
            let turns = self.turns(sample).zip(0..);
            let slots = turns.filter(|(_, turn)| is_in(count(sample), *turn));
            let slots = slots.map(|(slot, _)| slot);
            let value = column.value(slots.clone());
            expected += u32::from(value.is_some() || column.is_asked(slots));
            values.extend(value.map(|value| (self.clusters[sample], value)));
        }
        (Clusters::new(values), expected)
    }

    /// Positions of the samples in the group.
    fn members(&self) -> impl Iterator<Item = usize> {
        let members = self.reader.members.iter().enumerate();
        members.filter(|(_, is_in)| **is_in).map(|(at, _)| at)
    }

    /// The numbers of a sample's turns.
    fn turns(&self, sample: usize) -> std::ops::Range<usize> {
        let benchmark = self.reader.world.benchmark;
        let first = benchmark.turn_slot(count(sample), 0).unwrap_or(0) as usize;
        first..first + benchmark.samples[sample].turns.len()
    }

    fn model(&self, at: usize, draws: Draws) -> ComparedModel {
        let name = &self.reader.world.models[at].submission.name;
        let mut found = ComparedModel {
            model: name.clone(),
            mean: None,
            n: 0,
            expected: 0,
            partial: 0,
            clusters: 0,
            sd: None,
            interval: None,
            bootstrap: None,
            bound_low: None,
            bound_high: None,
            group: String::new(),
            reported: self.reported(name),
        };
        let Some(column) = &self.columns[at] else {
            return found;
        };
        let (mut moments, mut values) = (Moments::default(), Vec::new());
        for sample in self.members() {
            let value = column.value(self.turns(sample));
            found.expected += u32::from(value.is_some() || column.is_expected(sample));
            let Some(value) = value else { continue };
            found.partial += u32::from(column.has_gap(sample));
            moments.push(value);
            values.push((self.clusters[sample], value));
        }
        let clusters = Clusters::new(values);
        let info = self.reader.criterion;
        let ends = [info.min * info.scale, info.max * info.scale];
        let missing = f64::from(found.expected - moments.n());
        let bound = |end: f64| {
            (found.expected > 0)
                .then(|| (moments.sum() + missing * end) / f64::from(found.expected))
        };
        found.bound_low = bound(ends[0].min(ends[1]));
        found.bound_high = bound(ends[0].max(ends[1]));
        found.mean = clusters.mean();
        found.n = moments.n();
        found.clusters = count(clusters.len());
        found.sd = moments.sd();
        if found.clusters >= MIN_FOR_INTERVAL {
            let scale = scale_ends(self.reader.protocol, &info.id);
            let around = clusters.t_interval_at(self.query.level).zip(found.mean);
            let cut = around.map(|(ends, mean)| match scale {
                Some(scale) => ends.within(mean, scale),
                None => ends,
            });
            found.interval = cut.map(Interval::from);
            found.bootstrap = clusters
                .bootstrap(draws, self.query.level)
                .map(Interval::from);
        }
        found
    }

    /// The mean that the score table has at this place.
    fn reported(&self, model: &str) -> Option<f64> {
        let judge = self.query.judge.as_deref().unwrap_or_default();
        let mut rows = self.scores.rows.iter();
        let row = rows.find(|row| {
            row.model == model
                && row.judge == judge
                && row.scope == self.query.scope
                && row.key == self.query.key
                && row.criterion == self.query.criterion
        });
        row.and_then(|row| row.mean)
    }

    /// Every two models with their p-value, not corrected yet.
    fn pairs(
        &self,
        models: &[(usize, ComparedModel)],
        draws: Draws,
    ) -> Vec<(ComparedPair, Option<f64>)> {
        let mut pairs = Vec::new();
        for (first, (at_a, a)) in models.iter().enumerate() {
            for (at_b, b) in &models[first + 1..] {
                if a.mean.is_some() && b.mean.is_some() {
                    pairs.push(self.pair((*at_a, &a.model), (*at_b, &b.model), draws));
                }
            }
        }
        pairs
    }

    fn pair(
        &self,
        (at_a, a): (usize, &str),
        (at_b, b): (usize, &str),
        draws: Draws,
    ) -> (ComparedPair, Option<f64>) {
        let mut pair = ComparedPair {
            a: a.to_owned(),
            b: b.to_owned(),
            n: 0,
            clusters: 0,
            left_out: 0,
            reasons: Vec::new(),
            difference: None,
            sd: None,
            interval: None,
            bootstrap: None,
            steps: None,
            t: None,
            df: None,
            p_t: None,
            p_wilcoxon: None,
            wilcoxon_exact: false,
            p_corrected: None,
            separated: false,
            detectable: None,
            sentence: String::new(),
        };
        (pair.left_out, pair.reasons) = self.left_out((at_a, a), (at_b, b));
        let mut values: Vec<(u32, f64)> = self
            .both(at_a, at_b)
            .map(|(sample, a, b)| (self.clusters[sample], a - b))
            .collect();
        settle(&mut values);
        let Some(paired) = Paired::new(values, draws, self.query.level) else {
            return (pair, None);
        };
        pair.n = paired.n;
        pair.clusters = paired.num_clusters;
        pair.difference = Some(paired.mean);
        pair.sd = paired.sd;
        if pair.clusters >= MIN_FOR_INTERVAL {
            pair.interval = paired.interval.map(Interval::from);
            pair.bootstrap = paired.bootstrap.map(|found| found.interval.into());
            pair.steps = steps_of(&paired, self.query.level);
        }
        pair.t = paired.t_test.map(|test| test.t);
        pair.df = paired.t_test.map(|test| test.df);
        pair.p_t = paired.t_test.map(|test| test.p);
        let ranks = paired.signed_rank.filter(|_| paired.num_clusters > 1);
        pair.p_wilcoxon = ranks.map(|test| test.p);
        pair.wilcoxon_exact = ranks.is_some_and(|test| test.is_exact);
        pair.detectable = paired.detectable;
        let p = pair.p_t.or(pair.p_wilcoxon);
        (pair, p)
    }

    /// Samples with both models' numbers over the turns that both have.
    fn both(&self, a: usize, b: usize) -> impl Iterator<Item = (usize, f64, f64)> {
        let columns = self.columns[a].as_ref().zip(self.columns[b].as_ref());
        columns.into_iter().flat_map(move |(a, b)| {
            let members = self.members();
            members.filter_map(move |sample| {
                let (a, b) = a.both(b, self.turns(sample))?;
                Some((sample, a, b))
            })
        })
    }

    fn paired(&self, a: usize, b: usize) -> Vec<PairedSample> {
        let samples = &self.reader.world.benchmark.samples;
        self.both(a, b)
            .map(|(sample, a, b)| PairedSample {
                sample: samples[sample].id.clone(),
                a,
                b,
                difference: a - b,
            })
            .collect()
    }

    /// Counts the samples that only one model has a number for, or neither, with the reasons.
    fn left_out(&self, a: (usize, &str), b: (usize, &str)) -> (u32, Vec<LeftOut>) {
        let (mut num, mut reasons): (u32, Vec<LeftOut>) = (0, Vec::new());
        let (Some(first), Some(second)) = (&self.columns[a.0], &self.columns[b.0]) else {
            return (num, reasons);
        };
        let mut note = |model: &str, (kind, label): (&str, &str)| {
            let known = |one: &&mut LeftOut| one.model == model && one.kind == kind;
            match reasons.iter_mut().find(known) {
                Some(one) => one.count += 1,
                None => reasons.push(LeftOut {
                    model: model.to_owned(),
                    kind: kind.to_owned(),
                    label: label.to_owned(),
                    count: 1,
                }),
            }
        };
        for sample in self.members() {
            let turns = self.turns(sample);
            let is_wanted = first.is_expected(sample) || second.is_expected(sample);
            if !is_wanted || first.both(second, turns.clone()).is_some() {
                continue;
            }
            num += 1;
            let lacks = [first, second].map(|column| column.value(turns.clone()).is_none());
            if lacks == [false, false] {
                note(b.1, ("other_turns", "Scored on other turns"));
            }
            for ((column, (_, name)), lacks) in [(first, a), (second, b)].into_iter().zip(lacks) {
                if lacks {
                    note(name, column.reason(sample));
                }
            }
        }
        (num, reasons)
    }

    /// What to know about the numbers.
    fn notes(&self, models: &[ComparedModel], pairs: &[ComparedPair]) -> Vec<String> {
        let mut notes = Vec::new();
        let num_scored = models.iter().filter(|model| model.mean.is_some()).count();
        let tested: HashSet<&str> = pairs.iter().flat_map(|pair| [&*pair.a, &*pair.b]).collect();
        if num_scored > tested.len().max(1) {
            notes.push(format!(
                "The best {} of {num_scored} models are tested against each other, which is {} pairs; the others have a mean and no group. Open fewer models to test them.",
                tested.len(),
                pairs.len()
            ));
        }
        let judge = self.query.judge.as_deref().unwrap_or_default();
        for (model, column) in self.reader.world.models.iter().zip(&self.columns) {
            if column.is_none() {
                let name = &model.submission.name;
                notes.push(format!("{name} was not judged by {judge}."));
            }
        }
        let words = self.reader.protocol.words();
        if models.iter().any(|model| model.partial > 0) {
            notes.push(format!(
                "Some {} have a score although a part of them has none: they count by their other parts.",
                words.samples
            ));
        }
        let is_other = |model: &&ComparedModel| {
            let pair = model.mean.zip(model.reported);
            pair.is_some_and(|(mean, reported)| {
                (mean - reported).abs() > 1e-9 * mean.abs().max(1.0)
            })
        };
        if models.iter().any(|model| is_other(&model)) {
            notes.push(format!(
                "Each of the {} counts once here; the score table averages as the benchmark does, over {} or groups, and shows another number.",
                words.samples, words.units
            ));
        }
        let least = pairs.iter().map(|pair| pair.clusters).min().unwrap_or(0);
        if (2..FEW_CLUSTERS).contains(&least) {
            let what = match self.query.cluster {
                Cluster::Sample => words.samples.as_str(),
                _ => "clusters",
            };
            notes.push(format!(
                "With fewer than {FEW_CLUSTERS} {what} in a comparison, bootstrap intervals are too narrow and tests rest on differences being about normal."
            ));
        }
        let of_models = models.iter().filter(|model| model.mean.is_some());
        let of_pairs = pairs.iter().filter(|pair| pair.difference.is_some());
        let sizes = of_models.map(|model| model.clusters);
        let mut sizes = sizes.chain(of_pairs.map(|pair| pair.clusters));
        if sizes.any(|size| size < MIN_FOR_INTERVAL) {
            notes.push(TOO_FEW.to_owned());
        }
        let modes: std::collections::BTreeSet<&str> = self
            .scores
            .models
            .iter()
            .map(|model| model.mode)
            .collect_small();
        if modes.len() > 1 && self.query.criterion == "total" {
            notes.push(
                "Some models are judged on pictures and some on texts as well, so their totals follow different formulas; single criteria compare like with like."
                    .to_owned(),
            );
        }
        for model in &self.scores.models {
            notes.extend(model.judges.iter().filter_map(|own| own.stopped.clone()));
        }
        notes
    }
}

/// Makes sizes equal that differ only in their last digits, so that ties and zeros are recognised.
fn settle(differences: &mut [(u32, f64)]) {
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_small_by(|x, y| differences[*x].1.abs().total_cmp(&differences[*y].1.abs()));
    let mut size = 0.0;
    for at in order {
        let difference = &mut differences[at].1;
        if difference.abs() - size > GRAIN {
            size = difference.abs();
        }
        *difference = if size > 0.0 {
            size.copysign(*difference)
        } else {
            0.0
        };
    }
}

fn median(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    let high = *sorted.get(half)?;
    if sorted.len() % 2 == 1 {
        return Some(high);
    }
    Some(f64::midpoint(sorted[half - 1], high))
}

/// a, b, …, z, aa, ab, …
fn letters(number: usize) -> String {
    let own = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
    match number / 26 {
        0 => own.to_string(),
        more => letters(more - 1) + &own.to_string(),
    }
}

/// How both intervals of a difference came about.
fn steps_of(paired: &Paired, level: Level) -> Option<IntervalSteps> {
    let standard_error = paired.standard_error?;
    let df = f64::from(paired.num_clusters) - 1.0;
    Some(IntervalSteps {
        standard_error,
        df,
        t: t_quantile(level.upper(), df),
        bootstrap: paired.bootstrap.map(|found| {
            let [low_share, high_share] = found.shares;
            BootstrapSteps {
                bias: found.bias,
                acceleration: found.acceleration,
                z: found.z,
                low_share,
                high_share,
            }
        }),
    })
}
