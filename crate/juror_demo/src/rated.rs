//! People as judges: who answers every question as a judge did has the judge's scores, in every suite.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its input should stop"
)]
#![expect(clippy::float_cmp, reason = "answers and shares of them are exact")]

use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_session::Session;
use juror_session::rating_file::Rating;
use juror_session::view::agreement::{AgreementQuery, AtomQuery};
use juror_statistics::level::Level;

use super::SUITES;
use super::loads::suite;
use super::spoiled::{Failing, opened};

/// A suite, read whole.
fn read(name: &str) -> Session {
    opened(&suite(name), &Failing::new())
}

/// What is only computed has no question that a person could answer.
fn is_computed(name: &str, judge: &str) -> bool {
    name == "multiref" && judge == "evaluator"
}

fn options(judge: Option<&str>, run: Option<u32>) -> ScoreOptions {
    ScoreOptions {
        profile: Profile::Paper,
        policy: Some(Policy::Exclude),
        judge: judge.map(str::to_owned),
        run,
        reading: juror_model::options::ReplyReading::Strict,
    }
}

/// A mean with its place and count.
type Mean = (String, Option<f64>, u32);

/// Every mean, without saying whose it is.
fn means(session: &mut Session, options: &ScoreOptions) -> Vec<Mean> {
    let rows = juror_session::score_rows(&session.study(options)).iter();
    let mut lines: Vec<Mean> = rows
        .map(|row| {
            let place = [&row.model, &row.scope, &row.key, &row.criterion].map(String::as_str);
            (place.join(" "), row.mean, row.n)
        })
        .collect();
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    lines
}

fn is_near((place, mean, n): &Mean, other: &Mean) -> bool {
    let is_same = match (mean, other.1) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        (a, b) => a.is_none() && b.is_none(),
    };
    is_same && (place, n) == (&other.0, &other.2)
}

fn rated_by(rater: &str, answers: &[Rating]) -> Vec<Rating> {
    let named = answers.iter().cloned().map(|rating| Rating {
        rater: rater.to_owned(),
        ..rating
    });
    named.collect()
}

/// The judges of a suite that a person can stand in for.
fn judges(name: &str, session: &mut Session) -> Vec<String> {
    let judges = juror_session::judges_and_runs(&session.linked()).judges;
    let judges = judges.into_iter().filter(|judge| !is_computed(name, judge));
    judges.collect()
}

#[test]
fn who_answers_every_question_as_a_judge_did_has_the_judges_scores_and_who_answers_one_otherwise_has_not()
 {
    for (name, _) in SUITES {
        let mut session = read(name);
        for judge in judges(name, &mut session) {
            let answers = juror_session::answers(&session.linked(), Profile::Paper, &judge, 1);
            assert!(!answers.is_empty(), "{name} {judge}");
            let expected = means(&mut session, &options(Some(&judge), Some(1)));
            let alone = means(&mut session, &options(None, None));

            juror_session::use_ratings(&mut session, rated_by("ann", &answers));
            let as_ann = options(Some("people:ann"), Some(1));
            let own = means(&mut session, &as_ann);
            assert!(expected.iter().any(|(_, mean, _)| mean.is_some()));
            assert_eq!(own.len(), expected.len(), "{name} {judge}");
            for (own, expected) in own.iter().zip(&expected) {
                assert!(
                    is_near(own, expected),
                    "{name} {judge}: {own:?}, not {expected:?}"
                );
            }
            // Nobody else's numbers move.
            assert_eq!(
                means(&mut session, &options(None, None)),
                alone,
                "{name} {judge}"
            );

            let mut other = rated_by("ann", &answers);
            let first = other[0].score.unwrap();
            other[0].score = Some(if first == 0.0 { 1.0 } else { 0.0 });
            juror_session::use_ratings(&mut session, other);
            assert_ne!(means(&mut session, &as_ann), own, "{name} {judge}");
            juror_session::use_ratings(&mut session, Vec::new());
        }
    }
}

#[test]
fn who_rated_a_part_is_scored_on_that_part_whatever_becomes_of_missing_outputs_elsewhere() {
    for (name, _) in SUITES {
        let mut session = read(name);
        let judge = judges(name, &mut session).remove(0);
        let mut answers = juror_session::answers(&session.linked(), Profile::Paper, &judge, 1);
        let last = answers.last().unwrap().sample.clone();
        answers.retain(|answer| answer.sample == last);
        juror_session::use_ratings(&mut session, rated_by("ann", &answers));
        for profile in [Profile::Paper, Profile::Released] {
            let of = |policy| ScoreOptions {
                profile,
                policy: Some(policy),
                ..options(Some("people:ann"), None)
            };
            let left_out = means(&mut session, &of(Policy::Exclude));
            assert!(left_out.iter().any(|(_, _, n)| *n > 0), "{name}");
            for policy in [Policy::Zero, Policy::Upstream] {
                let same = means(&mut session, &of(policy));
                for (own, expected) in same.iter().zip(&left_out) {
                    assert!(
                        is_near(own, expected),
                        "{name} {profile:?} {policy:?}: {own:?}, not {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_sample_of_which_a_question_is_left_open_has_no_score_by_that_person() {
    let mut session = read("micon");
    let judge = judges("micon", &mut session).remove(0);
    let answers = juror_session::answers(&session.linked(), Profile::Paper, &judge, 1);
    let n_of = |session: &mut Session, answers: &[Rating]| {
        juror_session::use_ratings(session, rated_by("ann", answers));
        let rows = juror_session::score_rows(&session.study(&options(Some("people:ann"), None)));
        let overall = rows.iter().find(|row| {
            row.model == answers[0].model && row.scope == "overall" && row.criterion == "total"
        });
        overall.unwrap().n
    };
    let whole = n_of(&mut session, &answers);
    assert_eq!(n_of(&mut session, &answers[1..]), whole - 1);
}

#[test]
fn everybody_together_is_the_mean_of_those_who_rated() {
    for (name, _) in SUITES {
        let mut session = read(name);
        let judges = judges(name, &mut session);
        let [first, .., last] = judges.as_slice() else {
            continue;
        };
        let mut ratings = Vec::new();
        for (rater, judge) in [("ann", first), ("bob", last)] {
            let answers = juror_session::answers(&session.linked(), Profile::Paper, judge, 1);
            ratings.extend(rated_by(rater, &answers));
        }
        juror_session::use_ratings(&mut session, ratings);
        let mut mean_of = |judge: &str| -> Vec<(String, f64, u32)> {
            let rows = juror_session::score_rows(&session.study(&options(Some(judge), None)));
            let rows = rows
                .iter()
                .filter(|row| row.scope == "overall" && row.criterion == "total");
            let rows = rows.filter_map(|row| Some((row.model.clone(), row.mean?, row.n)));
            rows.collect()
        };
        let (ann, bob) = (mean_of("people:ann"), mean_of("people:bob"));
        let all = mean_of("people");
        assert!(!all.is_empty(), "{name}");
        for (model, mean, n) in all {
            let of = |own: &[(String, f64, u32)]| own.iter().find(|one| one.0 == model).cloned();
            let (Some(a), Some(b)) = (of(&ann), of(&bob)) else {
                continue;
            };
            if a.2 == n && b.2 == n {
                let expected = f64::midpoint(a.1, b.1);
                assert!(
                    (mean - expected).abs() < 1e-6,
                    "{name} {model}: {mean}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn two_of_three_people_outvote_the_third_where_the_majority_counts() {
    for (name, _) in SUITES {
        let mut session = read(name);
        let judge = judges(name, &mut session).remove(0);
        let answers = juror_session::answers(&session.linked(), Profile::Paper, &judge, 1);
        let expected = means(&mut session, &options(Some(&judge), Some(1)));
        let mut other = answers.clone();
        for answer in &mut other {
            // The lowest answer of every scale here is 0 or 1; where that is what the judge said, nothing changes.
            answer.score = Some(if answer.score == Some(0.0) { 0.0 } else { 1.0 });
        }
        let mut ratings = rated_by("ann", &answers);
        ratings.extend(rated_by("bob", &answers));
        ratings.extend(rated_by("cid", &other));
        juror_session::use_ratings(&mut session, ratings);
        let has_n = |mean: &&Mean| mean.2 > 0;
        for panel in ["panel:majority(people)", "panel:median(people)"] {
            let found = means(&mut session, &options(Some(panel), None));
            for mean in found.iter().filter(has_n) {
                let judges = expected.iter().find(|one| one.0 == mean.0).unwrap();
                // A person rates no output that is missing, which the judge's counts may hold.
                assert!(
                    is_near(mean, judges) || judges.2 != mean.2,
                    "{name} {panel}: {mean:?}, not {judges:?}"
                );
            }
            assert!(found.iter().any(|mean| mean.2 > 0), "{name} {panel}");
        }
        let all = means(&mut session, &options(Some("people"), None));
        let differs = |mean: &Mean| {
            let same = expected.iter().find(|one| one.0 == mean.0);
            same.is_some_and(|one| !is_near(mean, one))
        };
        assert!(
            all.iter().any(differs),
            "{name}: the third is heard in the mean"
        );
    }
}

#[test]
fn the_question_that_splits_two_judges_comes_first() {
    let mut session = read("micon");
    let judge = judges("micon", &mut session).remove(0);
    let mut answers = juror_session::answers(&session.linked(), Profile::Paper, &judge, 1);
    for answer in &mut answers {
        if answer.criterion == "C_check_2" {
            answer.score = answer.score.map(|score| 1.0 - score);
        }
    }
    juror_session::use_ratings(&mut session, rated_by("ann", &answers));
    let query = AtomQuery {
        a: "people:ann".to_owned(),
        b: judge,
        scope: String::new(),
        profile: Profile::Paper,
        level: Level::P95,
    };
    let rows = juror_session::atom_agreement(&mut session, &query).unwrap();
    let (split, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.equal < 0.5);
    assert!(!split.is_empty() && !others.is_empty());
    assert!(
        split
            .iter()
            .all(|row| row.id == "C_check_2" && row.equal == 0.0)
    );
    assert!(others.iter().all(|row| row.equal == 1.0));
    assert_eq!(rows[0].id, "C_check_2");
    assert!(rows.iter().all(|row| !row.question.is_empty() && row.n > 0));
}

#[test]
fn who_answered_every_question_stands_beside_the_judge_with_totals_in_every_suite() {
    for (name, _) in SUITES {
        let mut session = read(name);
        let judge = judges(name, &mut session).remove(0);
        let answers = juror_session::answers(&session.linked(), Profile::Paper, &judge, 1);
        juror_session::use_ratings(&mut session, rated_by("ann", &answers));
        let found = juror_session::agreement(
            &session.study(&ScoreOptions::default()),
            &AgreementQuery::default(),
        )
        .unwrap();
        let mut pairs = found.pairs.iter();
        let total = pairs.find(|row| {
            row.kind == "human_judge"
                && (&*row.b, &*row.criterion, &*row.model) == (&*judge, "total", "")
        });
        assert!(total.is_some_and(|row| row.n > 0), "{name}");
        // What the paper prints of people and its judge has a figure of the same kind beside it.
        let mut printed = found
            .printed
            .iter()
            .filter(|row| row.figure.pairing == "human_judge" && row.figure.criterion == "total");
        let is_printed = ["vibe", "multibanana"].contains(&name);
        assert_eq!(printed.any(|row| !row.own.is_empty()), is_printed, "{name}");
    }
}
