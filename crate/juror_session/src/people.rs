//! People as judges: what they rated, put together as the replies that a judge would have given.
//!
//! A person's score is the protocol's own on that reply, with its caps, gates and roots, and only where the person answered
//! everything that the reply is made of. Each is a judge `people:NAME`; all of them are the judge `people`, whose runs they are
//! in the order of their names. They are scored where they are chosen, and beside no other judge.

use std::collections::BTreeMap;

use super::state::Session;
use crate::rating_file::Rating;
use juror_judging::journal::{FORMAT, Record};
use juror_model::judge::{PEOPLE, person};
use juror_model::sample::Benchmark;
use juror_statistics::small::{CollectSmall, SortSmall};

/// What one person said of one output: by question the score, and when.
type Answers<'a> = BTreeMap<&'a str, &'a Rating>;

/// The replies that ratings amount to.
pub(super) fn replies(session: &Session, benchmark: &Benchmark, ratings: &[Rating]) -> Vec<Record> {
    let mut outputs: BTreeMap<(&str, &str, u32, &str), Answers<'_>> = BTreeMap::new();
    for rating in ratings.iter().filter(|rating| rating.score.is_some()) {
        let output = (&*rating.rater, &*rating.sample, rating.turn, &*rating.model);
        let answers = outputs.entry(output).or_default();
        answers.insert(&rating.criterion, rating);
    }
    let mut names: Vec<&str> = outputs.keys().map(|(rater, ..)| *rater).collect_small();
    names.sort_small();
    names.dedup();
    let mut replies = Vec::new();
    for ((rater, sample, turn, model), answers) in &outputs {
        let number = names.binary_search(rater).unwrap_or(0);
        for (request, reply, time) in said(session, benchmark, (sample, *turn), answers) {
            let record = |judge: String, run: usize| Record {
                format: FORMAT.to_owned(),
                protocol: session.loader.protocol.id().to_owned(),
                model: (*model).to_owned(),
                sample: (*sample).to_owned(),
                turn: *turn,
                criterion: request.clone(),
                judge,
                run: super::count(run),
                time: time.clone(),
                reply: reply.clone(),
                ..Record::default()
            };
            replies.push(record(person(rater), 1));
            replies.push(record(PEOPLE.to_owned(), number + 1));
        }
    }
    replies
}

/// The requests that somebody answered whole about an output, each with the reply and the time of its last answer.
fn said(
    session: &Session,
    benchmark: &Benchmark,
    (sample, turn): (&str, u32),
    answers: &Answers<'_>,
) -> Vec<(String, String, String)> {
    let protocol = &session.loader.protocol;
    let pack = &session.loader.packs[session.loader.pack];
    let at = benchmark.index_of(sample);
    let of = at.and_then(|at| benchmark.samples.get(at as usize));
    let Some((sample, turn)) = of.and_then(|of| Some((of, of.turns.get(turn as usize)?))) else {
        return Vec::new();
    };
    let mut said = Vec::new();
    for request in protocol.requests_of(sample, turn) {
        let atoms = protocol.atoms(sample, request, pack);
        let given: Option<Vec<&Rating>> = atoms
            .iter()
            .map(|atom| {
                let rating = answers.get(atom.id.as_str())?;
                atom.takes(rating.score?).then_some(*rating)
            })
            .collect();
        let Some(given) = given.filter(|given| !given.is_empty()) else {
            continue;
        };
        let values: Vec<f64> = given.iter().filter_map(|rating| rating.score).collect();
        let time = given.iter().map(|rating| rating.time.as_str()).max();
        said.push((
            request.to_owned(),
            protocol.compose(sample, request, &values),
            time.unwrap_or_default().to_owned(),
        ));
    }
    said
}
