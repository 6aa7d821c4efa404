//! Replies to something that a benchmark does not ask, and keys that say two things: each is named, and changes nothing that
//! the authors' own summary does not count.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_core::session;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::problem::Problem;
use juror_tests::generate::{File, open};
use juror_tests::program::demo_suite;
use serde_json::{Value, json};

const MODEL: &str = "aurora-synth";
const PROFILES: [Profile; 2] = [Profile::Paper, Profile::Released];

/// The rows of a profile, and its incidents.
fn shown(files: &[File], profile: Profile) -> [Value; 2] {
    let options = ScoreOptions {
        profile,
        ..ScoreOptions::default()
    };
    let report = session::report(&mut open(files), &options);
    let report = serde_json::to_value(report).unwrap();
    ["scores", "incidents"].map(|part| report[part].clone())
}

fn both(files: &[File]) -> [[Value; 2]; 2] {
    PROFILES.map(|profile| shown(files, profile))
}

/// Findings of this code.
fn found(files: &[File], code: &str) -> Vec<Problem> {
    let mut problems = session::problems(&mut open(files));
    problems.retain(|problem| problem.code == code);
    problems
}

/// The only finding of this code.
#[track_caller]
fn only(files: &[File], code: &str) -> Problem {
    let found = found(files, code);
    assert_eq!(found.len(), 1, "{code}: {found:?}");
    found.into_iter().next().unwrap()
}

fn record(protocol: &str, (sample, turn, criterion): (&str, u32, &str)) -> String {
    let record = json!({"format": "juror-journal/1", "protocol": protocol, "model": MODEL, "sample": sample, "turn": turn,
        "criterion": criterion, "judge": "", "run": 1, "reply": "{\"score\": 1, \"reasoning\": \"x\"}"});
    record.to_string() + "\n"
}

#[test]
fn a_record_about_what_the_benchmark_does_not_ask_counts_for_nobody_and_is_named() {
    let cases: [(&str, &[(&str, u32, &str)]); 5] = [
        (
            "weave",
            &[
                ("99", 0, "key_point"),
                ("0", 9, "key_point"),
                ("0", 0, "Key_point"),
                ("0", 0, "accuracy"),
            ],
        ),
        (
            "multibanana",
            &[
                ("Add/003", 0, "judge"),
                ("add\\003", 0, "judge"),
                ("003", 0, "judge"),
                ("add/003", 1, "judge"),
                ("add/003", 0, "Judge"),
            ],
        ),
        (
            "multiref",
            &[
                ("harbour", 0, "judge"),
                ("synthetic/harbour", 1, "judge"),
                ("synthetic/harbour", 0, "IQ"),
            ],
        ),
        (
            "vibe",
            &[
                ("Addition/nope", 0, "Instruction_Adherence"),
                ("Addition/nope", 0, "instruction_adherence"),
            ],
        ),
        ("micon", &[("object_composition/case_9", 0, "checkpoints")]),
    ];
    for (protocol, records) in cases {
        let files = demo_suite(protocol);
        let before = both(&files);
        assert_eq!(found(&files, "unknown_id"), [], "{protocol}");
        for asked in records {
            let mut files = files.clone();
            files.push(("stray.jsonl".to_owned(), record(protocol, *asked).into()));
            let after = both(&files);
            assert!(before == after, "{protocol}: {asked:?} changes numbers");
            let problem = only(&files, "unknown_id");
            assert_eq!(
                (&*problem.path, &*problem.place),
                ("stray.jsonl", "line 1"),
                "{asked:?}"
            );
            assert!(problem.message.contains(asked.0), "{}", problem.message);
        }
        let all: String = records
            .iter()
            .map(|asked| record(protocol, *asked))
            .collect();
        let mut files = files.clone();
        files.push(("stray.jsonl".to_owned(), all.into_bytes()));
        let problem = only(&files, "unknown_id");
        let count = records.len();
        let is_counted = problem.message.starts_with(&format!("{count} replies"));
        assert!(count == 1 || is_counted, "{}", problem.message);
    }
}

#[test]
fn a_record_about_what_is_asked_counts_and_is_not_named() {
    let mut files = demo_suite("multiref");
    let before = both(&files);
    let record = record("multiref", ("synthetic/harbour", 0, "judge"))
        .replace("\"judge\":\"\"", "\"judge\":\"another\"");
    files.push(("stray.jsonl".to_owned(), record.into_bytes()));
    assert_eq!(found(&files, "unknown_id"), []);
    assert!(before != both(&files));
}
