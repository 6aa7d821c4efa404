//! What a judge's readable replies say of each question.

use std::collections::BTreeSet;

use super::state::Session;
use super::tally::RequestRun;
use juror_model::linked::{LinkedReply, ModelData};
use juror_model::options::Profile;
use juror_model::sample::Sample;

/// What a judge said to one request.
pub(super) struct SaidReply {
    pub(super) place: RequestRun,
    /// Of each question in the protocol's order; NaN where the reply says nothing of it. There may be more than questions.
    pub(super) said: Vec<f64>,
    /// The position of the reply among the model's.
    pub(super) given: usize,
}

/// The first readable reply of a judge to each request in each run, in the order in which they stand.
pub(super) fn readable_replies(session: &Session, profile: Profile, judge: &str) -> Vec<SaidReply> {
    let world = session.world();
    let protocol = &session.loader.protocol;
    let mut replies = Vec::new();
    for (at, model) in world.models.iter().enumerate() {
        let Some(own) = model.judges.iter().position(|name| name == judge) else {
            continue;
        };
        let mut seen = BTreeSet::new();
        let given = model.given.iter().enumerate();
        for (position, given) in given.filter(|(_, given)| usize::from(given.judge) == own) {
            let Some((sample, turn)) = given.sample.get().zip(given.turn.get()) else {
                continue;
            };
            let Some(numbers) = numbers(model, given, profile) else {
                continue;
            };
            if !seen.insert((sample, turn, given.criterion, given.run)) {
                continue;
            }
            let of: &Sample = &world.benchmark.samples[sample as usize];
            let request = &model.criteria[usize::from(given.criterion)];
            replies.push(SaidReply {
                place: (at, sample, turn, given.criterion, given.run),
                said: protocol.said(of, request, &numbers),
                given: position,
            });
        }
    }
    replies
}

/// The numbers of a readable reply, in the protocol's own order.
fn numbers(model: &ModelData, given: &LinkedReply, profile: Profile) -> Option<Vec<f64>> {
    if let Some(verdict) = given.verdict.get() {
        let verdict = model.verdicts.get(verdict as usize)?;
        return verdict.of(profile).ok().map(<[f64]>::to_vec);
    }
    let reading = match profile {
        Profile::Paper => given.readings.paper(),
        Profile::Released => given.readings.released(),
    };
    reading.ok().map(|value| vec![value])
}
