//! Replies → the fate of every expected reply, for protocols that judge one output by one or more requests.
//!
//! A unit is one request about one turn in one run.
//! The first readable reply of a unit counts, so a repeated or later reply never changes a score silently.

use std::collections::{BTreeSet, HashMap};

use crate::contract::Protocol;
use juror_model::compact::Number;
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile};
use juror_model::reply::{Fault, Verdict};
use juror_model::score::{JudgeScores, Unit};
use juror_model::submission::OutputState;
use juror_statistics::small::CollectSmall;

/// What a unit's reply gives to the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnitValue<'a> {
    /// Nothing.
    Missing,
    /// The lowest score, as the policy `zero` has it for a missing or unreadable output.
    Lowest,
    /// The numbers of the reply, in the protocol's own order.
    Atoms(&'a [f64]),
}

/// One judge's units for one model with their values.
#[derive(Debug)]
pub struct Resolution<'a> {
    /// Units in the order sample, turn, request, run; `counted`, `parts` and `totals` are left to the protocol.
    pub scores: JudgeScores,
    /// Turn number of each unit.
    pub slots: Vec<u32>,
    /// The value of each unit.
    pub values: Vec<UnitValue<'a>>,
    /// Runs that this judge has replies of, in order; only the first if there is none.
    pub runs: Vec<u32>,
}

/// The judges that replied for a model, as indexes into [`ModelData::judges`]; the nameless one if none did.
pub fn judges(model: &ModelData) -> Vec<u16> {
    match &*model.scored_judges {
        [] => vec![0],
        present => present.to_vec(),
    }
}

/// Finds the reply of every unit that the benchmark asks for.
pub fn resolve<'a>(
    protocol: &dyn Protocol,
    world: &World<'_>,
    model: &'a ModelData,
    judge: u16,
    (profile, policy): (Profile, Policy),
) -> Resolution<'a> {
    let mut resolution = Resolution {
        scores: JudgeScores {
            judge: model
                .judges
                .get(usize::from(judge))
                .cloned()
                .unwrap_or_default(),
            counted: vec![false; model.given.len()],
            totals: vec![None; world.benchmark.samples.len()],
            ..JudgeScores::default()
        },
        slots: Vec::new(),
        values: Vec::new(),
        runs: runs(model, judge),
    };
    let replies = replies(model, judge, profile);
    for (slot, sample, turn_idx, turn) in world.benchmark.turns() {
        let state = model.outputs.get(slot as usize).copied();
        let of_output = state.and_then(OutputState::incident);
        for request in protocol.requests_of(&world.benchmark.samples[sample as usize], turn) {
            let position = model.criteria.iter().position(|known| known == request);
            let Some(criterion) = position.and_then(|at| u16::try_from(at).ok()) else {
                continue;
            };
            for at in 0..resolution.runs.len() {
                let run = resolution.runs[at];
                let reply = replies.get(&(slot, criterion, run)).copied();
                let (value, given) = value(model, profile, policy, of_output, reply);
                if let (UnitValue::Atoms(_), Some(given)) = (value, given) {
                    resolution.scores.counted[given as usize] = true;
                }
                resolution.scores.units.push(Unit {
                    sample,
                    turn: turn_idx,
                    criterion,
                    run,
                    incident: of_output.or_else(|| of_reply(model, profile, given)),
                    counted: Number::NONE,
                    given: given.into(),
                });
                resolution.slots.push(slot);
                resolution.values.push(value);
            }
        }
    }
    resolution
}

/// The runs of a judge.
fn runs(model: &ModelData, judge: u16) -> Vec<u32> {
    let of_judge = model.scored_of(judge);
    let runs: BTreeSet<u32> = of_judge.map(|(_, given)| given.run).collect_small();
    if runs.is_empty() {
        vec![1]
    } else {
        runs.into_iter().collect()
    }
}

/// The first reply to a unit, and the first readable one.
#[derive(Clone, Copy, Debug)]
struct Reply {
    first: u32,
    readable: Option<u32>,
}

fn replies(model: &ModelData, judge: u16, profile: Profile) -> HashMap<(u32, u16, u32), Reply> {
    let mut replies = HashMap::new();
    for (at, given) in model.scored_of(judge) {
        let Some(slot) = given.slot.get() else {
            continue;
        };
        let reply = replies
            .entry((slot, given.criterion, given.run))
            .or_insert(Reply {
                first: at,
                readable: None,
            });
        if verdict(model, at).is_some_and(|verdict| verdict.of(profile).is_ok()) {
            reply.readable.get_or_insert(at);
        }
    }
    replies
}

fn verdict(model: &ModelData, given: u32) -> Option<&Verdict> {
    let position = model.given[given as usize].verdict.get()?;
    model.verdicts.get(position as usize)
}

/// What a unit comes to, and the reply behind it.
fn value(
    model: &ModelData,
    profile: Profile,
    policy: Policy,
    of_output: Option<IncidentKind>,
    reply: Option<Reply>,
) -> (UnitValue<'_>, Option<u32>) {
    let given = reply.map(|reply| reply.readable.unwrap_or(reply.first));
    match (of_output, policy) {
        // Nothing is known about one that could not be opened, so no policy makes a number of it.
        (Some(IncidentKind::InaccessibleOutput), _) | (Some(_), Policy::Exclude) => {
            return (UnitValue::Missing, given);
        }
        (Some(_), Policy::Zero) => return (UnitValue::Lowest, given),
        (Some(_), Policy::Upstream) | (None, _) => {}
    }
    let atoms = given
        .and_then(|given| verdict(model, given))
        .and_then(|verdict| verdict.of(profile).ok());
    (atoms.map_or(UnitValue::Missing, UnitValue::Atoms), given)
}

/// The incident of a reply under a profile.
fn of_reply(model: &ModelData, profile: Profile, given: Option<u32>) -> Option<IncidentKind> {
    let Some(given) = given else {
        return Some(model.without_reply());
    };
    let readings = model.given[given as usize].readings;
    let reading = match (verdict(model, given), profile) {
        (Some(verdict), profile) => verdict.of(profile).err(),
        (None, Profile::Paper) => readings.paper().err(),
        (None, Profile::Released) => readings.released().err(),
    };
    match reading? {
        Fault::OutOfRange => Some(IncidentKind::OutOfRange),
        Fault::FailedCall => Some(IncidentKind::FailedCall),
        Fault::Unparsable | Fault::Ignored | Fault::Stops | Fault::Undecodable => {
            Some(IncidentKind::Unparsable)
        }
    }
}
