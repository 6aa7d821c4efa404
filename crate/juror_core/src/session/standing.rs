//! Who has a score at all: models that a judge replied about, and judges that replied to more than a part.
//!
//! - A model that a judge gave no reply about is *not judged* by it: no mean, whatever is missing of its outputs.
//!   As soon as one reply is there, missing outputs count as the policy says.
//! - A judge is *partial* for a model where it replied to less than a quarter of the requests that another judge replied
//!   to, of those judges that answer some of the same kinds of request: who rates pictures is not held against who measures
//!   them. A partial judge is told of and stays out of the scores until it is chosen: its mean is over a few samples, and
//!   every missing output would count once more for it. One with more is in the tables, with its own n.

use std::collections::{BTreeMap, HashSet};

use super::Session;
use super::count;
use super::link::Linked;
use crate::protocol::{Fault, Given, JudgeScores, ModelData, Number, Scores, World};
use crate::report::ScoreRow;
use crate::report::origin::Origin;
use crate::view::{PartialJudge, Problem, Severity, Unread};

/// A judge with a part of the replies about a model, as an index into [`ModelData::judges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Partial {
    pub(super) judge: u16,
    /// Requests that it replied to.
    replies: u32,
    /// Requests that another judge replied to.
    of: u32,
}

/// The partial judges of a model.
pub(super) fn partial_judges(model: &ModelData) -> Vec<Partial> {
    let present = model.num_by_judge.iter().filter(|count| **count > 0);
    if present.count() < 2 {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    // Judge → kind of request → outputs that it was answered about, whatever the run.
    let mut counts: BTreeMap<u16, BTreeMap<u16, u32>> = BTreeMap::new();
    for given in model.given.iter().filter(|given| is_reply(given)) {
        let of_judge = counts.entry(given.judge).or_default();
        let of_kind = of_judge.entry(given.criterion).or_default();
        if let Some(slot) = given.slot.get() {
            *of_kind += u32::from(seen.insert((given.judge, given.criterion, slot)));
        }
    }
    let partial = |(&judge, own): (&u16, &BTreeMap<u16, u32>)| {
        let is_of_a_kind =
            |other: &&BTreeMap<u16, u32>| own.keys().any(|kind| other.contains_key(kind));
        let replies: u32 = own.values().sum();
        let others = counts.values().filter(is_of_a_kind);
        let of = others.map(|other| other.values().sum()).max().unwrap_or(0);
        (replies * 4 < of).then_some(Partial { judge, replies, of })
    };
    counts.iter().filter_map(partial).collect()
}

/// Whether there is a reply, rather than the error of a call.
fn is_reply(given: &Given) -> bool {
    given.readings.paper() != Err(Fault::FailedCall)
}

/// Takes the numbers away where nobody was judged: what is missing counts once there is a reply.
pub(super) fn blank_unjudged(world: &World<'_>, scores: &mut Scores) {
    let mut unjudged: Vec<(&str, String)> = Vec::new();
    for (model, of_model) in world.models.iter().zip(&mut scores.models) {
        for judge in &mut of_model.judges {
            if has_reply(model, &judge.judge) {
                continue;
            }
            blank(judge);
            unjudged.push((&model.submission.name, judge.judge.clone()));
        }
    }
    for row in &mut scores.rows {
        let is_own = |(model, judge): &(&str, String)| *model == row.model && *judge == row.judge;
        if unjudged.iter().any(is_own) {
            blank_row(row);
        }
    }
}

fn has_reply(model: &ModelData, judge: &str) -> bool {
    let known = model.judges.iter().position(|name| name == judge);
    let mut given = model.given.iter();
    given.any(|given| Some(usize::from(given.judge)) == known && is_reply(given))
}

fn blank(judge: &mut JudgeScores) {
    for unit in &mut judge.units {
        unit.counted = Number::NONE;
    }
    judge.totals.iter_mut().for_each(|total| *total = None);
    judge.parts.clear();
}

fn blank_row(row: &mut ScoreRow) {
    row.mean = None;
    row.n = 0;
    row.sd = None;
    row.ci_low = None;
    row.ci_high = None;
    row.origin = Origin::default();
}

impl Linked {
    /// Finds the partial judges of every model.
    pub(super) fn find_partial_judges(&mut self) {
        self.partial = self.models.iter().map(partial_judges).collect();
    }
}

impl Session {
    /// The judges that replied to a part only and are left out of the scores in force.
    pub(super) fn partial_judges(&self) -> Vec<PartialJudge> {
        let is_chosen = (self.cache.scores.iter()).any(|(options, _)| options.judge.is_some());
        let Some(linked) = self.cache.linked.as_ref().filter(|_| !is_chosen) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (model, partial) in linked.models.iter().zip(&linked.partial) {
            found.extend(partial.iter().map(|partial| PartialJudge {
                model: model.submission.name.clone(),
                judge: model.judges[usize::from(partial.judge)].clone(),
                replies: partial.replies,
                of: partial.of,
            }));
        }
        found
    }

    /// Whether nobody has replied about a model, so far as is known: with a measured criterion it is judged.
    pub(super) fn is_unjudged(model: &ModelData) -> bool {
        !model.given.iter().any(is_reply)
    }

    /// Findings about what the scores in force leave out.
    pub fn problems_of_standing(&self) -> Vec<Problem> {
        let finding = |code: &str, path: &str, message: String, hint: String| Problem {
            severity: Severity::Warning,
            code: code.to_owned(),
            path: path.to_owned(),
            place: String::new(),
            message,
            hint,
        };
        let mut found: Vec<Problem> = self
            .partial_judges()
            .into_iter()
            .map(|partial| {
                let PartialJudge {
                    model,
                    judge,
                    replies,
                    of,
                } = partial;
                let name = match judge.as_str() {
                    "" => "The judge without a name",
                    name => name,
                };
                let message = format!(
                    "{name} replied to {replies} of {of} requests about {model}: a part only, so it is left out of the scores."
                );
                let hint = "Choose this judge to see its scores alone, or add its other replies.";
                finding("partial_judge", &model, message, hint.to_owned())
            })
            .collect();
        if self.has_results_only() {
            found.push(finding(
                "benchmark_not_open",
                "",
                "Benchmark not open: totals may be incomplete.".to_owned(),
                "Open the benchmark’s own folder as well: without it nobody knows which samples, turns and outputs are missing."
                    .to_owned(),
            ));
        }
        found
    }

    /// Whether scores are of results alone: nobody knows what should be there.
    pub(super) fn has_results_only(&self) -> bool {
        self.benchmark.is_none() && !self.world().benchmark.samples.is_empty()
    }

    /// How many files and folders the host could not bring; their scores are left out.
    pub fn unopened(&self) -> Unread {
        let mut failed: Vec<(&str, &str)> = Vec::new();
        for (file, (_, message)) in &self.read.failures {
            failed.push((self.tree.path(*file), message));
        }
        let folders = self.closed_folders.iter();
        failed.extend(folders.map(|(path, message)| (path.as_str(), message.as_str())));
        let first = failed.iter().min();
        Unread {
            files: count(self.read.failures.len()),
            folders: count(self.closed_folders.len()),
            example: first.map_or_else(String::new, |(path, _)| (*path).to_owned()),
            message: first.map_or_else(String::new, |(_, message)| (*message).to_owned()),
        }
    }
}
