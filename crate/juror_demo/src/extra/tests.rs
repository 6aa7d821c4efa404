//! Every extra must load with its suite: nothing to complain of, another judge for every score of the first, and people.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its input should stop"
)]

use std::collections::BTreeSet;
use std::sync::OnceLock;

use juror_model::options::Profile;
use juror_session::Session;
use juror_session::view::agreement::AgreementQuery;
use serde_json::Value;

use super::{OTHER, RATERS, attention, files};
use crate::judge::JUDGE;
use crate::loads::suite;
use crate::spoiled::{Failing, opened};
use crate::suite::{Files, INDEX};
use crate::{SEED, SUITES};

/// A suite's extra as it is published; each is drawn once for all tests.
fn extra(name: &str) -> Files {
    static DRAWN: [OnceLock<Files>; SUITES.len()] = [const { OnceLock::new() }; SUITES.len()];
    let at = SUITES.iter().position(|(suite, _)| *suite == name).unwrap();
    let draw = || files(name, SEED, &suite(name)).unwrap();
    DRAWN[at].get_or_init(draw).clone()
}

/// A suite with its extra, read whole.
fn with_extra(name: &str) -> Session {
    let mut all = suite(name);
    all.extend(extra(name));
    opened(&all, &Failing::new())
}

/// The judge of a suite that comes first.
fn first(name: &str) -> &'static str {
    match name {
        "multibanana" => "gemini",
        "multiref" | "weave" => JUDGE,
        _ => "",
    }
}

#[test]
fn each_extra_is_the_same_on_every_run_small_and_listed_whole() {
    for (name, draw) in SUITES {
        let found = extra(name);
        assert!(found == files(name, SEED, &suite(name)).unwrap(), "{name}");
        let other = files(name, SEED + 1, &draw(SEED + 1).unwrap()).unwrap();
        assert!(found != other, "{name} depends on the seed");
        let index: Value = serde_json::from_slice(&found[INDEX]).unwrap();
        let listed = index["files"].as_array().unwrap().iter();
        let listed: Vec<&str> = listed
            .map(|entry| entry["path"].as_str().unwrap())
            .collect();
        let rest: Vec<&str> = (found.keys().map(String::as_str))
            .filter(|path| *path != INDEX)
            .collect();
        assert_eq!(listed, rest, "{name}");
        let own = suite(name);
        assert!(rest.iter().all(|path| !own.contains_key(*path)), "{name}");
        let total: usize = found.values().map(Vec::len).sum();
        assert!(total < 400_000, "{name} has {total} bytes");
    }
}

#[test]
fn a_suite_with_its_extra_has_no_problem_that_it_lacks_without() {
    for (name, _) in SUITES {
        let query = juror_model::options::ScoreOptions::default();
        let of = |session: &mut Session| {
            let overview = juror_session::overview(&session.study(&query));
            let problems = overview.problems.iter();
            let lines: BTreeSet<String> = problems
                .map(|problem| format!("{} {}", problem.code, problem.message))
                .collect();
            let incidents: u32 = (overview.incidents.iter())
                .flat_map(|group| &group.per_model)
                .sum();
            (lines, overview.num_unknown_files, incidents)
        };
        let alone = of(&mut opened(&suite(name), &Failing::new()));
        assert_eq!(of(&mut with_extra(name)), alone, "{name}");
    }
}

#[test]
fn the_other_judge_answers_whatever_the_first_one_did() {
    for (name, _) in SUITES {
        let mut session = with_extra(name);
        let mut places = |judge: &str| -> BTreeSet<String> {
            let answers =
                juror_session::answers(&session.linked(), Profile::Paper, judge, 1).into_iter();
            let place = |one: juror_session::rating_file::Rating| {
                format!(
                    "{} {} {} {}",
                    one.model, one.sample, one.turn, one.criterion
                )
            };
            answers.map(place).collect()
        };
        let (own, other) = (places(first(name)), places(OTHER));
        assert!(own.len() > 30, "{name}: {}", own.len());
        let missing: Vec<&String> = own.difference(&other).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

#[test]
fn judges_and_people_agree_neither_in_everything_nor_in_nothing() {
    for (name, _) in SUITES {
        let mut session = with_extra(name);
        let found = juror_session::agreement(
            &session.study(&juror_model::options::ScoreOptions::default()),
            &AgreementQuery::default(),
        )
        .unwrap();
        let judge = first(name);
        let sides = [
            ("judge_judge", vec![judge], OTHER),
            ("human_judge", RATERS.to_vec(), judge),
            ("human_judge", RATERS.to_vec(), OTHER),
            ("human_human", vec![RATERS[0]], RATERS[1]),
        ];
        for (kind, firsts, second) in sides {
            let mut rows = found.pairs.iter().filter(|row| {
                let is_of = |a: &str, b: &str| firsts.contains(&a) && b == second;
                row.kind == kind
                    && row.criterion == "total"
                    && row.model.is_empty()
                    && (is_of(&row.a, &row.b) || is_of(&row.b, &row.a))
            });
            let row = rows.next();
            let row = row.unwrap_or_else(|| panic!("{name} {kind} {second}"));
            assert!(row.n >= 8, "{name} {kind} {second}: {}", row.n);
            let rho = row.spearman.as_ref().unwrap().value;
            assert!((0.3..0.999).contains(&rho), "{name} {kind} {second}: {rho}");
        }
    }
}

#[test]
fn every_set_has_a_whole_trajectory_of_which_each_step_is_better() {
    let mut session = with_extra("multibanana");
    let sets = juror_session::agent_sets(&session.linked());
    let [set] = sets.as_slice() else {
        panic!("{sets:?}");
    };
    assert_eq!(
        (set.steps, set.trajectories, set.finished, set.failed),
        (3, 13, 13, 0)
    );
    assert_eq!(set.models.len(), 3);
    let rows =
        juror_session::score_rows(&session.study(&juror_model::options::ScoreOptions::default()));
    for judge in ["gemini", "gpt", OTHER] {
        let mean = |model: &String| {
            let mut rows = rows.iter();
            let row = rows.find(|row| {
                (&row.model, &*row.judge, &*row.scope, &*row.criterion)
                    == (model, judge, "overall", "total")
            });
            row.unwrap().mean.unwrap()
        };
        let means: Vec<f64> = set.models.iter().map(mean).collect();
        assert!(means.is_sorted_by(|a, b| a < b), "{judge}: {means:?}");
    }
}

#[test]
fn the_tensors_are_finite_and_as_long_as_their_index_says() {
    let files = attention::files(SEED).unwrap();
    assert!(files == attention::files(SEED).unwrap());
    let index: Value = serde_json::from_slice(&files[INDEX]).unwrap();
    assert_eq!(index["references"], "14x14,14x14");
    let file = &files["attention.safetensors"];
    let length = usize::try_from(u64::from_le_bytes(file[..8].try_into().unwrap())).unwrap();
    let header: Value = serde_json::from_slice(&file[8..8 + length]).unwrap();
    assert_eq!(header["q"]["shape"], serde_json::json!([432, 2, 8]));
    assert_eq!(
        header["k"]["shape"],
        serde_json::json!([2 * 14 * 14 + 24, 2, 8])
    );
    let body = &file[8 + length..];
    assert_eq!(header["q"]["data_offsets"][1], body.len());
    let numbers = body.as_chunks().0.iter();
    let numbers: Vec<f32> = numbers
        .map(|two: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16))
        .collect();
    assert!(numbers.iter().all(|number| number.is_finite()));
    assert!(numbers.iter().any(|number| *number < 0.0));
}
