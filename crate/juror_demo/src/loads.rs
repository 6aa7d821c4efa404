//! Every suite must load through the engine as the benchmark that it stands for, with the incidents that were planned and no
//! finding besides.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its input should stop"
)]

use std::collections::BTreeMap;
use std::sync::OnceLock;

use juror_model::host::FileMeta;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_session::view::Overview;
use juror_session::{Probed, Session};
use serde_json::Value;

use super::kit::MODELS;
use super::suite::Files;
use super::{SEED, SUITES};

/// A suite as it is published; each is drawn once for all tests.
pub(super) fn suite(name: &str) -> Files {
    static DRAWN: [OnceLock<Files>; SUITES.len()] = [const { OnceLock::new() }; SUITES.len()];
    let at = SUITES.iter().position(|(suite, _)| *suite == name).unwrap();
    let (_, draw) = SUITES[at];
    DRAWN[at].get_or_init(|| draw(SEED).unwrap()).clone()
}

/// Width and height of a PNG; everything else is no picture.
pub(super) fn probe(head: &[u8], _size: u64) -> Probed {
    let number = |at: usize| -> Option<u32> {
        Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?))
    };
    match (head.starts_with(b"\x89PNG"), number(16), number(20)) {
        (true, Some(width), Some(height)) => Probed::Picture { width, height },
        _ => Probed::Bad {
            message: "no PNG".to_owned(),
            hint: String::new(),
        },
    }
}

/// A session over a suite's files as the page opens them: what the index lists, in its order.
fn opened(files: &Files) -> Session {
    let index: Value = serde_json::from_slice(files.get("index.json").unwrap()).unwrap();
    let paths: Vec<String> = index["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["path"].as_str().unwrap().to_owned())
        .collect();
    let metas: Vec<FileMeta> = paths
        .iter()
        .map(|path| FileMeta {
            path: path.clone(),
            size: Some(files.get(path).unwrap().len() as u64),
        })
        .collect();
    let mut session = Session::new(probe);
    session.add_files(&metas);
    loop {
        let wants = session.wants(64);
        if wants.is_empty() {
            return session;
        }
        for want in wants {
            let bytes = files.get(&paths[want.file as usize]).unwrap();
            let end = want.head.map_or(bytes.len(), |head| {
                bytes.len().min(usize::try_from(head).unwrap())
            });
            session.provide(want.file, bytes[..end].to_vec());
        }
    }
}

fn options(profile: Profile) -> ScoreOptions {
    ScoreOptions {
        profile,
        policy: Some(Policy::Exclude),
        judge: None,
        run: None,
        reading: juror_model::options::ReplyReading::Strict,
    }
}

/// Incidents by kind, with a count for each model.
fn incidents(overview: &Overview) -> BTreeMap<&str, Vec<u32>> {
    let groups = overview.incidents.iter();
    groups
        .map(|group| (group.kind.as_str(), group.per_model.clone()))
        .collect()
}

/// The overall total of each model under the judge that comes first.
fn totals(session: &mut Session, profile: Profile) -> Vec<f64> {
    let rows = juror_session::score_rows(&session.study(&options(profile))).to_vec();
    let total = |model: &str| {
        let row = rows.iter().find(|row| {
            row.model == model
                && row.scope == "overall"
                && row.criterion == "total"
                && row.mean.is_some()
        });
        row.unwrap_or_else(|| panic!("{model} has an overall total"))
            .mean
            .unwrap()
    };
    MODELS.iter().map(|model| total(model)).collect()
}

struct Expected {
    name: &'static str,
    title: &'static str,
    samples: u32,
    codes: &'static [&'static str],
    incidents: &'static [(&'static str, [u32; 3])],
    scopes: &'static [&'static str],
}

#[track_caller]
fn check(expected: &Expected) {
    let files = suite(expected.name);
    let mut session = opened(&files);
    let overview = juror_session::overview(&session.study(&options(Profile::Paper)));
    let info = overview.benchmark.as_ref().unwrap();
    assert_eq!(info.protocol, expected.name);
    assert_eq!(info.title, expected.title);
    assert_eq!(
        (info.samples, info.missing_pictures, info.unreadable_samples),
        (expected.samples, 0, 0)
    );
    let codes: Vec<&str> = overview
        .problems
        .iter()
        .map(|problem| problem.code.as_str())
        .collect();
    assert_eq!(codes, expected.codes, "{:#?}", overview.problems);
    assert_eq!(
        overview.num_unknown_files, 0,
        "{:?}",
        overview.unknown_files
    );
    let names: Vec<&str> = overview
        .models
        .iter()
        .map(|model| model.name.as_str())
        .collect();
    assert_eq!(names, MODELS);
    let planned: BTreeMap<&str, Vec<u32>> = expected
        .incidents
        .iter()
        .map(|(kind, counts)| (*kind, counts.to_vec()))
        .collect();
    assert_eq!(incidents(&overview), planned);
    let rows = juror_session::score_rows(&session.study(&options(Profile::Paper))).to_vec();
    for scope in expected.scopes {
        let keys: Vec<&str> = rows
            .iter()
            .filter(|row| row.scope == *scope && row.model == MODELS[0] && row.mean.is_some())
            .map(|row| row.key.as_str())
            .collect();
        assert!(!keys.is_empty(), "{} is reported by {scope}", expected.name);
    }
    for profile in [Profile::Paper, Profile::Released] {
        let [good, middling, weak] = totals(&mut session, profile).try_into().unwrap();
        assert!(
            good > middling && middling > weak,
            "{profile:?}: {good} {middling} {weak}"
        );
    }
}

#[test]
fn multibanana_loads_with_two_judges_and_its_planned_incidents() {
    check(&Expected {
        name: "multibanana",
        title: "MultiBanana",
        samples: 13,
        codes: &["not_a_picture"],
        incidents: &[
            ("missing_output", [0, 1, 0]),
            ("unreadable_output", [0, 0, 1]),
            ("failed_call", [0, 1, 0]),
            ("unparsable", [0, 0, 1]),
            ("out_of_range", [0, 0, 1]),
        ],
        scopes: &[
            "category",
            "domain",
            "references",
            "structure",
            "difficulty",
            "origin",
        ],
    });
}

#[test]
fn micon_loads_with_stories_and_its_planned_incidents() {
    check(&Expected {
        name: "micon",
        title: "MICON-Bench",
        samples: 12,
        codes: &[],
        incidents: &[
            ("missing_output", [0, 1, 0]),
            ("missing_reply", [0, 0, 1]),
            ("unparsable", [0, 1, 1]),
        ],
        scopes: &["domain", "references"],
    });
}

#[test]
fn vibe_loads_with_three_runs_and_its_planned_incidents() {
    check(&Expected {
        name: "vibe",
        title: "VIBE",
        samples: 16,
        codes: &["score_mismatch"],
        incidents: &[
            ("missing_output", [0, 9, 0]),
            ("missing_reply", [0, 1, 0]),
            ("failed_call", [0, 0, 1]),
            ("out_of_range", [0, 0, 1]),
        ],
        scopes: &[
            "level",
            "task",
            "run",
            "combined",
            "style",
            "combination",
            "cushions",
        ],
    });
}

#[test]
fn multiref_loads_with_both_halves_and_its_planned_incidents() {
    check(&Expected {
        name: "multiref",
        title: "MultiRef-Bench",
        samples: 13,
        codes: &[],
        incidents: &[
            ("missing_output", [0, 0, 5]),
            ("failed_call", [0, 2, 0]),
            ("unparsable", [0, 0, 1]),
            ("out_of_range", [0, 0, 1]),
        ],
        scopes: &["category", "domain"],
    });
}

#[test]
fn a_suite_without_one_of_its_lists_does_not_pass_as_whole() {
    let mut files = suite("vibe");
    let list = "VIBE-Benchmark-Dataset/Tasks/Level-3-Causal/Billiards/Billiards.json";
    files.insert(list.to_owned(), b"[{".to_vec());
    let mut session = opened(&files);
    let overview = juror_session::overview(&session.study(&options(Profile::Paper)));
    assert_eq!(overview.benchmark.unwrap().samples, 13);
    assert!(overview.problems.iter().any(|problem| problem.path == list));
}

#[test]
fn each_suite_is_the_same_on_every_run_small_and_listed_whole() {
    for (name, draw) in SUITES {
        let first = suite(name);
        assert!(
            first == draw(SEED).unwrap(),
            "{name} is drawn the same again"
        );
        let differs = first != draw(SEED + 1).unwrap();
        assert!(differs, "{name} depends on the seed");
        let index: Value = serde_json::from_slice(first.get("index.json").unwrap()).unwrap();
        assert!(index["name"].as_str().unwrap().starts_with("Demo · "));
        assert_eq!(index["files"].as_array().unwrap().len(), first.len() - 1);
        let total: usize = first.values().map(Vec::len).sum();
        assert!(total < 1_500_000, "{name} has {total} bytes");
    }
}

#[test]
fn the_suites_that_are_drawn_are_those_that_protocols_declare_in_the_order_of_the_page() {
    let declared: Vec<String> = juror_protocols::registry::demos()
        .into_iter()
        .map(|suite| suite.id)
        .collect();
    let drawn: Vec<&str> = super::SUITES.iter().map(|(name, _)| *name).collect();
    assert_eq!(drawn, declared);
}
