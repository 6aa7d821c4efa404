//! What judges and people said of each question that a verdict is made of.

use crate::study::LinkedSession;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::compare::comparable;
use super::count;
use super::panels::check_judge;
use super::said::readable_replies;
use super::slices::Slices;
use super::state::Session;
use super::values::mean;
use crate::coefficients::{Figures, Resampling};
use crate::error::Error;
use crate::rating_file::Rating;
use crate::view::agreement::{AtomQuery, AtomRow};
use juror_model::judge::{Panel, PanelRule, behind};
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::sample::Sample;
use juror_model::submission::OutputState;
use juror_model::terms::Atom;
use juror_reading::escape::{csv_field, csv_number};
use juror_statistics::level::Level;

/// One answer: to which question of which output, and what.
struct Answer {
    model: usize,
    sample: u32,
    turn: u32,
    run: u32,
    atom: Atom,
    value: f64,
}

/// An output's question: model, sample, turn, id.
type Place = (usize, u32, u32, String);

/// A judge's answers by output and question, one for each run, and the questions.
type Answers = (BTreeMap<Place, Vec<f64>>, BTreeMap<Place, Atom>);

/// What two sides said of one question.
struct Compared<'a> {
    atom: &'a Atom,
    /// The groups of samples that it was asked about.
    domains: BTreeSet<&'a str>,
    /// What both answered.
    pairs: Vec<(f64, f64)>,
    /// Outputs that either answered it about.
    expected: u32,
}

/// What a judge's replies of one run say, as ratings of somebody of its name: questions that a reply does not answer are left
/// out, and of several replies to one request the first readable one counts.
pub fn answers(
    session: &LinkedSession<'_>,
    profile: Profile,
    judge: &str,
    run: u32,
) -> Vec<Rating> {
    let world = session.world();
    let found = answers_of(session, profile, judge, Only::All).into_iter();
    let ratings = found
        .filter(|answer| answer.run == run)
        .map(|answer| Rating {
            sample: world.benchmark.samples[answer.sample as usize].id.clone(),
            turn: answer.turn,
            model: world.models[answer.model].submission.name.clone(),
            criterion: answer.atom.id,
            rater: judge.to_owned(),
            score: Some(answer.value),
            ..Rating::default()
        });
    ratings.collect()
}

/// How far two judges agree on each question, those on which they differ most first; people and panels are judges here as well.
///
/// Runs and raters are averaged before they are compared. Equal ids with other questions, as tasks may have them, are rows of
/// their own. With a scope, the rows of all samples come first and those of its groups behind, in the scope's order.
///
/// # Errors
/// `unknown_judge` or `unknown_group`: the query names what is not there.
pub fn atom_agreement(session: &mut Session, query: &AtomQuery) -> Result<Vec<AtomRow>, Error> {
    let linked = session.linked();
    check_judge(&linked, &query.a)?;
    check_judge(&linked, &query.b)?;
    let alone = [&query.a, &query.b].map(|judge| behind(judge));
    let seated = alone.iter().flatten().chain([&query.a, &query.b]);
    let session = &session.linked_with(seated.map(String::as_str));
    let slices = slices(session, query)?;
    let mut rows = question_rows(session, query, Only::All).0;
    for (at, key) in slices.keys().enumerate() {
        let mut own = question_rows(session, query, Only::Group(&slices, at)).0;
        for row in &mut own {
            key.clone_into(&mut row.key);
        }
        rows.extend(own);
    }
    Ok(rows)
}

/// The groups of the scope that is asked for.
fn slices(session: &Session, query: &AtomQuery) -> Result<Slices, Error> {
    if query.scope.is_empty() {
        return Ok(Slices::default());
    }
    let options = ScoreOptions {
        profile: query.profile,
        policy: Some(Policy::Exclude),
        ..ScoreOptions::default()
    };
    let world = session.world();
    let scores = session.loader.protocol.score(&world, &options);
    let scopes = comparable(&*session.loader.protocol, &world, &scores);
    Slices::new(session, &scopes, &query.scope)
}

/// Rows of questions as CSV: one for each row, the groups of a scope behind all samples.
pub fn atoms_csv(rows: &[AtomRow]) -> String {
    let mut out = String::from(
        "id,label,question,is_hard,domain,key,n,expected,equal,kappa,kappa_low,kappa_high,mean_a,mean_b\n",
    );
    for row in rows {
        let words = [&row.id, &row.label, &row.question].map(|text| csv_field(text));
        let groups = [&row.domain, &row.key].map(|text| csv_field(text));
        let fields = [
            row.n.to_string(),
            row.expected.to_string(),
            csv_number(row.equal),
            csv_number(row.kappa.map(|kappa| kappa.value)),
            csv_number(row.kappa.and_then(|kappa| kappa.low)),
            csv_number(row.kappa.and_then(|kappa| kappa.high)),
            csv_number(row.mean_a),
            csv_number(row.mean_b),
        ];
        let (words, groups, fields) = (words.join(","), groups.join(","), fields.join(","));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{words},{},{groups},{fields}", row.is_hard);
    }
    out
}

/// Which outputs count.
#[derive(Clone, Copy)]
pub(super) enum Only<'a> {
    /// All of them.
    All,
    /// Those of the model at this position.
    Model(usize),
    /// Those in the group of this place.
    Group(&'a Slices, usize),
}

impl Only<'_> {
    fn has(self, model: usize, sample: u32, turn: u32) -> bool {
        match self {
            Self::All => true,
            Self::Model(only) => only == model,
            Self::Group(slices, at) => slices.has(at, sample, turn),
        }
    }
}

/// The same, only of some outputs, and both answers to every question that is answered by yes or no.
pub(super) fn question_rows(
    session: &Session,
    query: &AtomQuery,
    only: Only<'_>,
) -> (Vec<AtomRow>, Vec<(f64, f64)>) {
    let (first, asked_first) = by_place(session, query.profile, &query.a, only);
    let (second, asked) = by_place(session, query.profile, &query.b, only);
    let world = session.world();
    let mut rows: BTreeMap<(&str, &str), Compared<'_>> = BTreeMap::new();
    let mut answered = Vec::new();
    let places: BTreeSet<&Place> = first.keys().chain(second.keys()).collect();
    for place in places {
        let Some(atom) = asked.get(place).or_else(|| asked_first.get(place)) else {
            continue;
        };
        let row = rows
            .entry((&atom.id, &atom.question))
            .or_insert_with(|| Compared {
                atom,
                domains: BTreeSet::new(),
                pairs: Vec::new(),
                expected: 0,
            });
        row.expected += 1;
        let Some((values, others)) = first.get(place).zip(second.get(place)) else {
            continue;
        };
        let domain = &world.benchmark.samples[place.1 as usize].domain;
        row.domains.insert(domain);
        let both = (mean(values), mean(others));
        row.pairs.push(both);
        if atom.steps.len() == 2 {
            answered.push(both);
        }
    }
    let rows = rows.into_values().filter(|row| !row.pairs.is_empty());
    let mut rows: Vec<AtomRow> = rows.map(|row| atom_row(row, query.level)).collect();
    rows.sort_by(|a, b| a.equal.total_cmp(&b.equal).then_with(|| b.n.cmp(&a.n)));
    (rows, answered)
}

/// How many questions of yes or no there are about the outputs of a model that are there.
pub(super) fn expected_answers(session: &Session, model: usize) -> u32 {
    let world = session.world();
    let protocol = &session.loader.protocol;
    let pack = &session.loader.packs[session.loader.pack];
    let mut expected = 0;
    for (slot, sample, _, turn) in world.benchmark.turns() {
        if world.models[model].outputs.get(slot as usize) != Some(&OutputState::Present) {
            continue;
        }
        let sample = &world.benchmark.samples[sample as usize];
        for request in protocol.requests_of(sample, turn) {
            let atoms = protocol.atoms(sample, request, pack);
            expected += atoms.iter().filter(|atom| atom.steps.len() == 2).count();
        }
    }
    count(expected)
}

fn atom_row(compared: Compared<'_>, level: Level) -> AtomRow {
    let Compared {
        atom,
        domains,
        pairs,
        expected,
    } = compared;
    let figures = Figures::new(&pairs, Resampling::None, level);
    let of = |side: fn(&(f64, f64)) -> f64| mean(&pairs.iter().map(side).collect::<Vec<_>>());
    AtomRow {
        domain: match domains.len() {
            1 => domains
                .first()
                .map_or_else(String::new, |one| (*one).to_owned()),
            _ => String::new(),
        },
        key: String::new(),
        n: count(pairs.len()),
        expected,
        equal: figures.equal.unwrap_or(f64::NAN),
        kappa: figures.kappa,
        mean_a: of(|pair| pair.0),
        mean_b: of(|pair| pair.1),
        id: atom.id.clone(),
        label: atom.label.clone(),
        question: atom.question.clone(),
        is_hard: atom.is_hard,
    }
}

/// A judge's answers, of a panel by the mean the means of its judges' where all of them answered.
fn by_place(session: &Session, profile: Profile, judge: &str, only: Only<'_>) -> Answers {
    let panel = Panel::named(judge).filter(|panel| panel.rule == PanelRule::Mean);
    let Some(panel) = panel else {
        return by_place_of_one(session, profile, judge, only);
    };
    let judges = panel.judges.iter();
    let judges = judges.map(|judge| by_place_of_one(session, profile, judge, only));
    let judges: Vec<Answers> = judges.collect();
    let Some(((first, asked), others)) = judges.split_first() else {
        return Answers::default();
    };
    let together = first.iter().filter_map(|(place, values)| {
        let means = others
            .iter()
            .map(|(of, _)| of.get(place).map(|own| mean(own)));
        let mut means: Vec<f64> = means.collect::<Option<_>>()?;
        means.push(mean(values));
        Some((place.clone(), vec![mean(&means)]))
    });
    (together.collect(), asked.clone())
}

fn by_place_of_one(session: &Session, profile: Profile, judge: &str, only: Only<'_>) -> Answers {
    let (mut values, mut asked) = Answers::default();
    for answer in answers_of(session, profile, judge, only) {
        let place = (
            answer.model,
            answer.sample,
            answer.turn,
            answer.atom.id.clone(),
        );
        values
            .entry(place.clone())
            .or_insert_with(Vec::new)
            .push(answer.value);
        asked.insert(place, answer.atom);
    }
    (values, asked)
}

/// All answers of a judge, of each request and run those of the first readable reply.
fn answers_of(session: &Session, profile: Profile, judge: &str, only: Only<'_>) -> Vec<Answer> {
    let world = session.world();
    let pack = &session.loader.packs[session.loader.pack];
    let mut answers = Vec::new();
    for reply in readable_replies(session, profile, judge) {
        let (model, sample, turn, criterion, run) = reply.place;
        if !only.has(model, sample, turn) {
            continue;
        }
        let of: &Sample = &world.benchmark.samples[sample as usize];
        let request = &world.models[model].criteria[usize::from(criterion)];
        let atoms = session.loader.protocol.atoms(of, request, pack).into_iter();
        let stated = atoms.zip(reply.said).filter(|(_, value)| !value.is_nan());
        answers.extend(stated.map(|(atom, value)| Answer {
            model,
            sample,
            turn,
            run,
            atom,
            value,
        }));
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_an_empty_cell() {
        let row = AtomRow {
            id: "a".to_owned(),
            label: String::new(),
            question: "Is it?".to_owned(),
            is_hard: false,
            domain: String::new(),
            key: String::new(),
            n: 0,
            expected: 3,
            equal: f64::NAN,
            kappa: None,
            mean_a: f64::NAN,
            mean_b: 0.5,
        };
        let csv = atoms_csv(&[row]);
        let line = csv.lines().nth(1).unwrap_or_default();
        assert_eq!(line, "a,,Is it?,false,,,0,3,,,,,,0.5");
    }
}
