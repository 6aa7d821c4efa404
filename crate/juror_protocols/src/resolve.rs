//! Replies → what every expected reply gives, for protocols that judge one output by one or more requests.
//!
//! A unit is one request about one turn in one run.
//! The first readable reply of a unit counts, so a repeated or later reply never changes a score silently.

use std::collections::BTreeSet;

use crate::contract::Protocol;
use juror_model::compact::Number;
use juror_model::incident::IncidentKind;
use juror_model::linked::{LinkedReply, ModelData, World};
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
            totals: vec![None; world.benchmark.samples.len()],
            ..scores(model, judge)
        },
        slots: Vec::new(),
        values: Vec::new(),
        runs: runs(model, judge),
    };
    // Those that the protocol asks come first; names of others in files take no room.
    let num_criteria = protocol.requests().len().min(model.criteria.len());
    let width = num_criteria * resolution.runs.len();
    let replies = Replies::new(model, judge, world.benchmark.num_turns() * width, |reply| {
        let criterion = usize::from(reply.criterion);
        let run = resolution.runs.binary_search(&reply.run).ok()?;
        let slot = reply.slot.get()? as usize;
        (criterion < num_criteria).then_some(slot * width + run * num_criteria + criterion)
    });
    for (slot, sample, turn_idx, turn) in world.benchmark.turns() {
        let of_output = output(model, slot).incident();
        for request in protocol.requests_of(&world.benchmark.samples[sample as usize], turn) {
            let asked = &model.criteria[..num_criteria];
            let position = asked.iter().position(|known| known == request);
            let Some(criterion) = position.and_then(|at| u16::try_from(at).ok()) else {
                continue;
            };
            for at in 0..resolution.runs.len() {
                let place = slot as usize * width + at * num_criteria + usize::from(criterion);
                let given = chosen(replies.of(place), |given| {
                    verdict(model, given).is_some_and(|verdict| verdict.of(profile).is_ok())
                });
                let value = value(model, profile, policy, of_output, given);
                if let (UnitValue::Atoms(_), Some(given)) = (value, given) {
                    resolution.scores.counted[given as usize] = true;
                }
                resolution.scores.units.push(Unit {
                    sample,
                    turn: turn_idx,
                    criterion,
                    run: resolution.runs[at],
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

/// A judge's scores of a model before any reply counts.
pub fn scores(model: &ModelData, judge: u16) -> JudgeScores {
    let judge = model.judges.get(usize::from(judge));
    JudgeScores {
        judge: judge.cloned().unwrap_or_default(),
        counted: vec![false; model.given.len()],
        ..JudgeScores::default()
    }
}

/// The state of a turn's output.
pub fn output(model: &ModelData, slot: u32) -> OutputState {
    let state = model.outputs.get(slot as usize).copied();
    state.unwrap_or(OutputState::NotGiven)
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

/// A judge's replies by unit.
#[derive(Debug)]
pub struct Replies {
    /// Where the replies of each unit begin in `all`; those of the next one begin where they end.
    starts: Vec<u32>,
    /// Positions in [`ModelData::given`], unit by unit, in source order.
    all: Vec<u32>,
}

impl Replies {
    /// The replies of a judge, each in the unit that `place` gives it; those without one are of none.
    pub fn new(
        model: &ModelData,
        judge: u16,
        num_units: usize,
        mut place: impl FnMut(&LinkedReply) -> Option<usize>,
    ) -> Self {
        // Counted two places on, so that after the sums each unit's begin is one place on, and after filling its end.
        let mut starts = vec![0; num_units + 2];
        let mut placed = Vec::with_capacity(model.given.len());
        for (at, reply) in model.scored_of(judge) {
            let unit = place(reply).filter(|unit| *unit < num_units);
            let Some(unit) = unit.and_then(|unit| u32::try_from(unit).ok()) else {
                continue;
            };
            starts[unit as usize + 2] += 1;
            placed.push((at, unit));
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut all = vec![0; placed.len()];
        for (at, unit) in placed {
            let next = &mut starts[unit as usize + 1];
            all[*next as usize] = at;
            *next += 1;
        }
        Self { starts, all }
    }

    /// The replies of a unit, in source order.
    pub fn of(&self, unit: usize) -> &[u32] {
        &self.all[self.starts[unit] as usize..self.starts[unit + 1] as usize]
    }
}

/// The reply of a unit that counts: the first readable one, else the first.
pub fn chosen(replies: &[u32], is_readable: impl Fn(u32) -> bool) -> Option<u32> {
    let readable = replies.iter().find(|given| is_readable(**given));
    readable.or(replies.first()).copied()
}

fn verdict(model: &ModelData, given: u32) -> Option<&Verdict> {
    let position = model.given[given as usize].verdict.get()?;
    model.verdicts.get(position as usize)
}

/// What a unit comes to by the reply that counts.
fn value(
    model: &ModelData,
    profile: Profile,
    policy: Policy,
    of_output: Option<IncidentKind>,
    given: Option<u32>,
) -> UnitValue<'_> {
    match of_output.map(|incident| without_output(incident, policy)) {
        Some(WithoutOutput::LeftOut) => UnitValue::Missing,
        Some(WithoutOutput::Lowest) => UnitValue::Lowest,
        Some(WithoutOutput::AsJudged) | None => {
            let verdict = given.and_then(|given| verdict(model, given));
            let atoms = verdict.and_then(|verdict| verdict.of(profile).ok());
            atoms.map_or(UnitValue::Missing, UnitValue::Atoms)
        }
    }
}

/// What a unit counts whose output is missing or cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutOutput {
    /// Nothing.
    LeftOut,
    /// The lowest score.
    Lowest,
    /// What the judge said of the request without it.
    AsJudged,
}

/// What an output's incident makes of its units.
pub fn without_output(incident: IncidentKind, policy: Policy) -> WithoutOutput {
    match (incident, policy) {
        // Nothing is known about one that could not be opened, so no policy makes a number of it.
        (IncidentKind::InaccessibleOutput, _) | (_, Policy::Exclude) => WithoutOutput::LeftOut,
        (_, Policy::Zero) => WithoutOutput::Lowest,
        (_, Policy::Upstream) => WithoutOutput::AsJudged,
    }
}

/// The incident of a reply under a profile.
pub fn of_reply(model: &ModelData, profile: Profile, given: Option<u32>) -> Option<IncidentKind> {
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
