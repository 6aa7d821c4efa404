//! How often each label was set by group and model, and how far two people agree on it.

use crate::study::Study;
use std::collections::BTreeSet;

use super::{ANY, Labelled, Output};
use crate::coefficients::kappa_on_scale;
use crate::compare::comparable;
use crate::count;
use crate::error::Error;
use crate::slices::Slices;
use crate::state::Session;
use crate::subset::Grouping;
use crate::view::labels::{LabelAgreement, LabelCounts, LabelQuery, LabelRater, LabelRow};
use juror_model::linked::{ModelData, World};
use juror_model::submission::OutputState;
use juror_model::terms::{Estimate, ScopeInfo};
use juror_statistics::level::Level;
use juror_statistics::small::SortSmall;
use juror_statistics::wilson;

/// Raters that are compared with each other: those who looked at most outputs.
const MAX_RATERS: usize = 20;

/// How often each label was set, over all outputs and in each group of a scope, and how far raters agree on it.
///
/// A share is of the outputs that somebody looked at, which are those with a label or with `none`: what nobody labelled is
/// unknown and not faultless.
///
/// # Errors
/// `unknown_group`: there is no such scope, or its groups are not of samples. `unknown_judge`: nobody of this name labelled.
pub fn label_counts(study: &Study<'_>, query: &LabelQuery) -> Result<LabelCounts, Error> {
    // The scopes are the same under all options.
    let world = study.world();
    let protocol = &*study.loader.protocol;
    let mut scopes = comparable(protocol, &world, study.scores());
    // Where nothing is scored there are no scopes of scores; labels have groups all the same.
    let own = groupings(study);
    let is_scored = scopes.iter().any(|info| info.scope == query.scope);
    let mut unscored = own.iter().filter(|_| !is_scored);
    let slices = match unscored.find(|(info, _)| info.scope == query.scope) {
        Some((info, grouping)) => slices_of(study, info, grouping),
        None => Slices::new(study, &scopes, &query.scope)?,
    };
    for (info, _) in own {
        if scopes.iter().all(|known| known.scope != info.scope) {
            scopes.push(info);
        }
    }
    let found = study.labels();
    let raters = raters(found);
    if !query.rater.is_empty() && raters.iter().all(|one| one.rater != query.rater) {
        return Err(Error::UnknownJudge(query.rater.clone()));
    }
    let set: BTreeSet<u32> = (found.outputs.iter())
        .filter(|output| output.is_seen(&query.rater))
        .flat_map(|output| output.labels().filter(|at| output.has(&query.rater, *at)))
        .collect();
    let mut rows = Vec::new();
    for (key, slice) in [("", None)].into_iter().chain(slices.numbered()) {
        let is_in = |sample: u32, turn: u32| slice.is_none_or(|at| slices.has(at, sample, turn));
        let tallies = Tallies::new(study, &query.rater, &set, is_in);
        tallies.rows(study, key, query.level, &mut rows);
    }
    let expected = Expected::new(study);
    let (agreement, left_out) = agreement(found, &raters, &expected, query.level);
    let notes = notes(study, found, &raters, left_out);
    Ok(LabelCounts {
        scope: query.scope.clone(),
        keys_left_out: slices.left_out,
        rater: query.rater.clone(),
        level: query.level,
        raters,
        labels: (set.iter().map(|at| found.labels[*at as usize].clone())).collect(),
        rows,
        agreement,
        notes,
        scopes,
    })
}

/// The scopes by which samples are grouped whether they are scored or not, with their keys, of which there are several.
fn groupings(session: &Session) -> Vec<(ScopeInfo, Grouping)> {
    let samples = &session.world().benchmark.samples;
    let mut found = Vec::new();
    for (scope, grouping) in Grouping::of(&*session.loader.protocol, samples) {
        let mut seen = BTreeSet::new();
        let keys = samples.iter().flat_map(|sample| grouping.keys(sample));
        let keys: Vec<String> = keys
            .filter(|key| !key.is_empty() && seen.insert((*key).to_owned()))
            .map(str::to_owned)
            .collect();
        if keys.len() > 1 {
            let label = scope.clone();
            found.push((ScopeInfo { scope, label, keys }, grouping));
        }
    }
    found
}

/// The samples of each group.
fn slices_of(session: &Session, info: &ScopeInfo, grouping: &Grouping) -> Slices {
    let samples = &session.world().benchmark.samples;
    Slices::of_groups(&info.keys, |key| {
        let is_in = samples.iter().map(|one| grouping.keys(one).contains(&key));
        is_in.collect()
    })
}

fn raters(found: &Labelled) -> Vec<LabelRater> {
    let mut names: BTreeSet<&str> = found.unknown_samples.keys().map(String::as_str).collect();
    let by = || found.outputs.iter().flat_map(|output| &output.by);
    names.extend(by().map(|(rater, _)| rater.as_str()));
    let rater = |name: &str| {
        let own = || by().filter(|(rater, _)| rater == name);
        LabelRater {
            rater: name.to_owned(),
            outputs: count(own().count()),
            labels: own().map(|(_, labels)| count(labels.len())).sum(),
            unknown_samples: found.unknown_samples.get(name).copied().unwrap_or_default(),
        }
    };
    names.into_iter().map(rater).collect()
}

/// Outputs of one model in one group.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    count: u32,
    n: u32,
    expected: u32,
}

/// Outputs of one group, by model and label, the last label standing for any.
struct Tallies<'a> {
    set: &'a BTreeSet<u32>,
    by_model: Vec<Vec<Tally>>,
}

impl<'a> Tallies<'a> {
    fn new(
        session: &Session,
        rater: &str,
        set: &'a BTreeSet<u32>,
        is_in: impl Fn(u32, u32) -> bool,
    ) -> Self {
        let (world, found) = (session.world(), session.labels());
        let mut by_model = vec![vec![Tally::default(); set.len() + 1]; world.models.len()];
        let offered = |sample: u32| set.iter().map(move |at| found.is_offered(*at, sample));
        for (slot, sample, turn, _) in world.benchmark.turns() {
            if !is_in(sample, turn) {
                continue;
            }
            let offered: Vec<bool> = offered(sample).chain([true]).collect();
            for (tallies, model) in by_model.iter_mut().zip(world.models) {
                if model.outputs.get(slot as usize) == Some(&OutputState::Present) {
                    for (tally, is_offered) in tallies.iter_mut().zip(&offered) {
                        tally.expected += u32::from(*is_offered);
                    }
                }
            }
        }
        let seen = (found.outputs.iter()).filter(|output| output.is_seen(rater));
        for output in seen.filter(|output| is_in(output.sample, output.turn)) {
            let model = &world.models[output.model as usize];
            let slot = world.benchmark.turn_slot(output.sample, output.turn);
            let state = slot.and_then(|slot| model.outputs.get(slot as usize));
            // One that was never opened is not expected; that it was labelled says that it was there.
            let is_expected = state == Some(&OutputState::Present);
            let tallies = &mut by_model[output.model as usize];
            for (tally, at) in tallies.iter_mut().zip(set.iter().map(Some).chain([None])) {
                let has = at.map_or_else(|| output.has_any(rater), |at| output.has(rater, *at));
                let is_offered = at.is_none_or(|at| found.is_offered(*at, output.sample));
                tally.count += u32::from(has);
                tally.n += u32::from(has || is_offered);
                tally.expected += u32::from((has || is_offered) && !(is_offered && is_expected));
            }
        }
        Self { set, by_model }
    }

    /// All models together where there are several, then model by model.
    fn rows(&self, session: &Session, key: &str, level: Level, rows: &mut Vec<LabelRow>) {
        let (world, found) = (session.world(), session.labels());
        let ids = self.set.iter().map(|at| &*found.labels[*at as usize].id);
        let ids: Vec<&str> = ids.chain([ANY]).collect();
        let mut models: Vec<(&str, Vec<Tally>)> = Vec::new();
        if self.by_model.len() > 1 {
            let mut all = vec![Tally::default(); ids.len()];
            for (sum, one) in self.by_model.iter().flat_map(|of| (0..).zip(of)) {
                let sum: &mut Tally = &mut all[sum];
                sum.count += one.count;
                sum.n += one.n;
                sum.expected += one.expected;
            }
            models.push(("", all));
        }
        let names = world.models.iter().map(|model| &*model.submission.name);
        models.extend(names.zip(self.by_model.iter().cloned()));
        for (model, tallies) in models {
            // The sum of all labels first.
            let order = (ids.len() - 1..ids.len()).chain(0..ids.len() - 1);
            for at in order {
                let Tally { count, n, expected } = tallies[at];
                let ends = wilson::interval(count, n, level);
                rows.push(LabelRow {
                    key: key.to_owned(),
                    model: model.to_owned(),
                    label: ids[at].to_owned(),
                    count,
                    n,
                    expected,
                    share: ends.map(|ends| Estimate {
                        value: f64::from(count) / f64::from(n),
                        low: Some(ends.low),
                        high: Some(ends.high),
                    }),
                });
            }
        }
    }
}

/// The outputs that are there.
struct Expected<'a> {
    world: World<'a>,
    outputs: u32,
    /// Those that each label is offered for.
    by_label: Vec<u32>,
}

impl<'a> Expected<'a> {
    fn new(session: &'a Session) -> Self {
        let (world, found) = (session.world(), session.labels());
        let mut outputs = 0;
        let mut by_label = vec![0; found.labels.len()];
        for (slot, sample, _, _) in world.benchmark.turns() {
            let n = world.models.iter().filter(|model| is_there(model, slot));
            let n = count(n.count());
            outputs += n;
            for (label, sum) in (0u32..).zip(&mut by_label) {
                *sum += n * u32::from(found.is_offered(label, sample));
            }
        }
        Self {
            world,
            outputs,
            by_label,
        }
    }

    fn has(&self, output: &Output) -> bool {
        let slot = self.world.benchmark.turn_slot(output.sample, output.turn);
        slot.is_some_and(|slot| is_there(&self.world.models[output.model as usize], slot))
    }
}

fn is_there(model: &ModelData, slot: u32) -> bool {
    model.outputs.get(slot as usize) == Some(&OutputState::Present)
}

/// Every pair of raters, label by label, and how many raters are too many.
fn agreement(
    found: &Labelled,
    raters: &[LabelRater],
    expected: &Expected<'_>,
    level: Level,
) -> (Vec<LabelAgreement>, usize) {
    let mut most: Vec<&LabelRater> = raters.iter().filter(|one| one.outputs > 0).collect();
    most.sort_small_by(|a, b| b.outputs.cmp(&a.outputs));
    let left_out = most.len().saturating_sub(MAX_RATERS);
    most.truncate(MAX_RATERS);
    most.sort_small_by(|a, b| a.rater.cmp(&b.rater));
    let mut rows = Vec::new();
    for (at, a) in most.iter().enumerate() {
        for b in &most[at + 1..] {
            let (a, b) = (&*a.rater, &*b.rater);
            let both: Vec<&Output> = (found.outputs.iter())
                .filter(|output| output.is_seen(a) && output.is_seen(b))
                .collect();
            if both.is_empty() {
                continue;
            }
            let any = both
                .iter()
                .map(|output| (output.has_any(a), output.has_any(b)));
            let beyond = both.iter().filter(|output| !expected.has(output));
            rows.push(LabelAgreement {
                expected: expected.outputs + count(beyond.count()),
                ..row((a, b), ANY, any, level)
            });
            for (label, info) in (0u32..).zip(&found.labels) {
                let mut beyond = 0;
                let says = both.iter().filter_map(|output| {
                    let (by_a, by_b) = (output.has(a, label), output.has(b, label));
                    let is_offered = found.is_offered(label, output.sample);
                    let counts = by_a || by_b || is_offered;
                    beyond += u32::from(counts && !(is_offered && expected.has(output)));
                    counts.then_some((by_a, by_b))
                });
                let mut one = row((a, b), &info.id, says, level);
                one.expected = expected.by_label[label as usize] + beyond;
                // What neither of them ever set says nothing.
                if one.both + one.only_a + one.only_b > 0 {
                    rows.push(one);
                }
            }
        }
    }
    (rows, left_out)
}

fn row(
    (a, b): (&str, &str),
    label: &str,
    says: impl Iterator<Item = (bool, bool)>,
    level: Level,
) -> LabelAgreement {
    let says: Vec<(bool, bool)> = says.collect();
    let number = |wanted: (bool, bool)| count(says.iter().filter(|one| **one == wanted).count());
    let of = |side: fn(&(bool, bool)) -> bool| -> Vec<f64> {
        let says = says.iter();
        says.map(|one| f64::from(u8::from(side(one)))).collect()
    };
    LabelAgreement {
        a: a.to_owned(),
        b: b.to_owned(),
        label: label.to_owned(),
        n: count(says.len()),
        expected: 0,
        both: number((true, true)),
        only_a: number((true, false)),
        only_b: number((false, true)),
        kappa: kappa_on_scale(&of(|one| one.0), &of(|one| one.1), level),
    }
}

/// What to know about the numbers.
fn notes(
    session: &Session,
    found: &Labelled,
    raters: &[LabelRater],
    left_out: usize,
) -> Vec<String> {
    let mut notes = Vec::new();
    if found.outputs.is_empty() {
        notes.push("Nobody has labelled an output of what is open.".to_owned());
    }
    let unknown_samples: u32 = raters.iter().map(|one| one.unknown_samples).sum();
    if unknown_samples > 0 {
        notes.push(format!(
            "{unknown_samples} {} of samples, turns, models or outputs that are not open, and not counted.",
            if unknown_samples == 1 { "label is" } else { "labels are" }
        ));
    }
    if left_out > 0 {
        notes.push(format!(
            "{left_out} raters are not compared with the others: the {MAX_RATERS} who looked at most outputs are."
        ));
    }
    if session.world().models.len() > 1 && !found.outputs.is_empty() {
        notes.push("All models together are outputs counted one by one: a model of which more was looked at weighs more.".to_owned());
    }
    notes
}
