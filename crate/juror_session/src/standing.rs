//! Who has a score at all: models that a judge replied about, and judges that replied to more than a part.
//!
//! - A model that a judge gave no reply about is *not judged* by it: no mean, whatever is missing of its outputs.
//!   As soon as one reply is there, missing outputs count as the policy says.
//! - A judge is *partial* for a model where it lacks more than one in ten of the replies to requests that the benchmark asks
//!   about outputs that are there. It is marked with its counts and stays in the scores, with its own n beside its means:
//!   no judge is related to another one, so that nobody's replies put another judge out. Replies to what the benchmark does
//!   not ask count for nobody.
//! - People who rated are in the scores where they are chosen, and only there.

use std::collections::BTreeSet;

use super::count;
use super::data::Data;
use super::state::Session;
use crate::measure::MEASURED;
use crate::view::{PartialJudge, Unread};
use juror_model::compact::Number;
use juror_model::host::Phase;
use juror_model::incident::IncidentKind;
use juror_model::judge::is_person;
use juror_model::linked::{LinkedReply, ModelData, World};
use juror_model::options::ScoreOptions;
use juror_model::origin::Origin;
use juror_model::problem::{Problem, Severity};
use juror_model::reply::Fault;
use juror_model::row::ScoreRow;
use juror_model::score::{JudgeScores, Scores};
use juror_statistics::small::CollectSmall;

/// Who lacks more than one of so many replies has a part of them.
const LACKING_ONE_OF: u64 = 10;

/// Whether so many replies are a part of those that there could be, rather than all but a few.
fn is_part(replies: u32, of: u32) -> bool {
    u64::from(of.saturating_sub(replies)) * LACKING_ONE_OF > u64::from(of)
}

/// Whether there is a reply, rather than the error of a call.
fn is_reply(given: &LinkedReply) -> bool {
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

pub(super) fn has_reply(model: &ModelData, judge: &str) -> bool {
    let known = model.judges.iter().position(|name| name == judge);
    let known = known.and_then(|at| u16::try_from(at).ok());
    known.is_some_and(|judge| model.scored_of(judge).any(|(_, given)| is_reply(given)))
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

/// How many requests a judge replied to, of those about outputs that are there.
fn num_replies(judge: &JudgeScores) -> (u32, u32) {
    let (mut replies, mut missing) = (0, 0);
    for unit in &judge.units {
        match unit.incident {
            // A call that failed brought no reply.
            Some(IncidentKind::MissingReply | IncidentKind::FailedCall) => missing += 1,
            Some(IncidentKind::InaccessibleReply) => {}
            Some(kind) if kind.is_of_output() => {}
            _ => replies += 1,
        }
    }
    (replies, replies + missing)
}

fn has_failed_call(judge: &JudgeScores) -> bool {
    let mut units = judge.units.iter();
    units.any(|unit| unit.incident == Some(IncidentKind::FailedCall))
}

impl PartialJudge {
    /// What the part is and what it means, and what can be done.
    fn words(&self) -> (String, &'static str) {
        let Self {
            model, replies, of, ..
        } = self;
        let name = match self.judge.as_str() {
            "" => "The judge without a name",
            name => name,
        };
        let part = format!("{name} replied to {replies} of {of} requests about {model}");
        if *replies == 0 {
            let hint = "The incidents and juror inspect name the reason of each.";
            return (
                format!("{part}: its calls failed, or its replies are about something else."),
                hint,
            );
        }
        let hint = "Add the other replies, or compare it over the same samples only: n stands beside each mean.";
        (format!("{part}: its means are over this part only."), hint)
    }
}

/// Judges in the scores in force that lack replies to much of what could be asked: outputs that are there.
pub(super) fn partial_judges(session: &Session) -> Vec<PartialJudge> {
    // Until the replies are read, everybody lacks some.
    if matches!(
        session.loader.reads.phase,
        Some(Phase::Benchmark | Phase::Replies)
    ) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (model, scores) in session
        .data
        .models()
        .iter()
        .zip(&session.data.scores().models)
    {
        let judges = scores.judges.iter();
        let judges = judges.filter(|judge| judge.judge != MEASURED);
        let counts: Vec<(&JudgeScores, (u32, u32))> = judges
            // A judge that was not asked yet is no finding; one whose every call failed is.
            .filter(|judge| has_reply(model, &judge.judge) || has_failed_call(judge))
            .map(|judge| (judge, num_replies(judge)))
            .collect();
        for (judge, (replies, of)) in &counts {
            let is_fuller = |(_, (others, _)): &(&JudgeScores, (u32, u32))| others > replies;
            if is_part(*replies, *of) {
                found.push(PartialJudge {
                    model: model.submission.name.clone(),
                    judge: judge.judge.clone(),
                    replies: *replies,
                    of: *of,
                    has_fuller: counts.iter().any(is_fuller),
                });
            }
        }
    }
    found
}

/// Findings about what the scores in force leave out.
pub fn problems_of_standing(session: &Session) -> Vec<Problem> {
    let finding = |code: &str, path: &str, message: String, hint: String| Problem {
        severity: Severity::Warning,
        code: code.to_owned(),
        path: path.to_owned(),
        place: String::new(),
        message,
        hint,
    };
    let mut found: Vec<Problem> = Vec::new();
    for partial in partial_judges(session) {
        let (message, hint) = partial.words();
        found.push(finding(
            "partial_judge",
            &partial.model,
            message,
            hint.to_owned(),
        ));
    }
    for row in &session.data.scores().rows {
        if row.scope != "overall" || row.criterion != "total" {
            continue;
        }
        if let Some((rule, counts)) = (session.panelling.words)(row).split_first() {
            found.push(Problem {
                severity: Severity::Note,
                ..finding("panel", &row.model, counts.join(" "), rule.clone())
            });
        }
    }
    found.extend((session.tolerating.problems)(session));
    if session.has_results_only() {
        found.push(finding(
                "benchmark_not_open",
                "",
                "Benchmark not open: totals may be incomplete.".to_owned(),
                "Open the benchmark’s own folder as well: without it Juror cannot tell which samples, turns and outputs are missing."
                    .to_owned(),
            ));
    }
    found
}

/// Whether nobody has replied about a model, so far as is known: with a measured criterion it is judged.
pub(super) fn is_unjudged(model: &ModelData) -> bool {
    let derived = model.derived();
    let counts = |given: &LinkedReply| {
        let is_derived = derived[usize::from(given.judge)];
        is_reply(given) && (!is_derived || model.scored_judges == [given.judge])
    };
    !model.given.iter().any(counts)
}

/// How many files and folders the host could not bring; their scores are left out.
pub fn unopened(session: &Session) -> Unread {
    let mut failed: Vec<(&str, &str)> = Vec::new();
    for (file, (_, message)) in &session.loader.read.failures {
        failed.push((session.loader.tree.path(*file), message));
    }
    let folders = session.loader.closed_folders.iter();
    failed.extend(folders.map(|(path, message)| (path.as_str(), message.as_str())));
    let first = failed.iter().min();
    Unread {
        files: count(session.loader.read.failures.len()),
        folders: count(session.loader.closed_folders.len()),
        example: first.map_or_else(String::new, |(path, _)| (*path).to_owned()),
        message: first.map_or_else(String::new, |(_, message)| (*message).to_owned()),
    }
}

impl Data {
    /// The people whose ratings the scores in force leave out, by model.
    fn people_left_out(&self) -> impl Iterator<Item = (&ModelData, &String)> {
        let is_chosen = (self.cache.scores.iter()).any(|(options, _)| options.judge.is_some());
        let models = if is_chosen { &[] } else { self.models() };
        models.iter().flat_map(|model| {
            let given = model.judges.iter().zip(&model.num_by_judge);
            let people = given.filter(|(name, count)| **count > 0 && is_person(name));
            people.map(move |(name, _)| (model, name))
        })
    }
}

impl Session {
    /// The scores with those of the people who rated behind them, where there are such, and how many judges of each model are
    /// in force.
    pub(super) fn scores_with_left_out(
        &self,
        options: &ScoreOptions,
    ) -> Option<(Scores, Vec<usize>)> {
        let mut left_out: Vec<(String, String)> = Vec::new();
        for (model, person) in self.data.people_left_out() {
            left_out.push((model.submission.name.clone(), person.clone()));
        }
        if left_out.is_empty() {
            return None;
        }
        let mut scores = self.data.scores().clone();
        let in_force = scores.models.iter().map(|model| model.judges.len());
        let in_force = in_force.collect_small();
        let names: BTreeSet<&String> = left_out.iter().map(|(_, judge)| judge).collect_small();
        for name in names {
            let alone = self.scores_of(&ScoreOptions {
                judge: Some(name.clone()),
                ..options.clone()
            });
            let places = self.data.models().iter().zip(&mut scores.models);
            for ((model, of_model), alone) in places.zip(alone.models) {
                let model = &model.submission.name;
                let is_own = |(of, judge): &(String, String)| of == model && judge == name;
                if left_out.iter().any(is_own) {
                    let own = alone.judges.into_iter();
                    (of_model.judges).extend(own.filter(|judge| judge.judge == *name));
                }
            }
        }
        Some((scores, in_force))
    }

    /// Whether scores are of results alone: nobody knows what should be there.
    pub(super) fn has_results_only(&self) -> bool {
        let benchmark = self.world().benchmark;
        let is_implied = self.loader.benchmark.is_none() || benchmark.is_of_results;
        is_implied && !benchmark.samples.is_empty()
    }
}
