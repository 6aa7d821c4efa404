//! Replies to something that a benchmark does not ask, and keys that say two things: each is named, and changes nothing that
//! the authors' own summary does not count.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

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
    let report = juror_session::report(&open(files).study(&options));
    let report = serde_json::to_value(report).unwrap();
    ["scores", "incidents"].map(|part| report[part].clone())
}

fn both(files: &[File]) -> [[Value; 2]; 2] {
    PROFILES.map(|profile| shown(files, profile))
}

/// Findings of this code.
fn found(files: &[File], code: &str) -> Vec<Problem> {
    let mut problems = juror_session::problems(&open(files).linked());
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

/// A suite with the first match of a text in one of its files replaced.
#[track_caller]
fn with(files: &[File], end: &str, from: &str, to: &str) -> Vec<File> {
    let mut files = files.to_vec();
    let mut ours = files.iter_mut();
    let is_it = |path: &str| path.contains(MODEL) && path.ends_with(end) || path == end;
    let (_, bytes) = ours.find(|(path, _)| is_it(path)).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(from), "{end} has no {from}");
    *bytes = text.replacen(from, to, 1).into_bytes();
    files
}

fn text_of(files: &[File], end: &str) -> String {
    let is_it = |path: &str| path.contains(MODEL) && path.ends_with(end);
    let (_, bytes) = files.iter().find(|(path, _)| is_it(path)).unwrap();
    String::from_utf8(bytes.clone()).unwrap()
}

/// Sample, turn and criterion.
type Asked = (&'static str, u32, &'static str);

fn record(protocol: &str, (sample, turn, criterion): Asked) -> String {
    let record = json!({"format": "juror-journal/1", "protocol": protocol, "model": MODEL, "sample": sample, "turn": turn,
        "criterion": criterion, "judge": "", "run": 1, "reply": "{\"score\": 1, \"reasoning\": \"x\"}"});
    record.to_string() + "\n"
}

#[test]
fn a_record_about_what_the_benchmark_does_not_ask_counts_for_nobody_and_is_named() {
    let cases: [(&str, &[Asked]); 5] = [
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

#[test]
fn turns_and_criteria_under_other_keys_are_named_with_what_was_expected() {
    let files = demo_suite("weave");
    assert_eq!(found(&files, "not_asked"), []);
    for (from, to, word) in [
        ("\"turn 0\"", "\"Turn 0\"", "\"Turn 0\""),
        ("\"turn 0\"", "\"turn0\"", "\"turn0\""),
        ("\"turn 0\"", "\"turn 00\"", "in \"turn 00\""),
        ("\"turn 0\"", "\"turn 9\"", "turn 9 of dialogue 0"),
        (
            "\"key_point\"",
            "\"Key_point\"",
            "\"Key_point\" in \"turn 0\"",
        ),
        (
            "\"key_point\"",
            "\"keypoint\"",
            "\"keypoint\" in \"turn 0\"",
        ),
        ("\"key_point\"", "\"accuracy\"", "accuracy of turn 0"),
    ] {
        let problem = only(
            &with(&files, "metrics_demo-judge.jsonl", from, to),
            "not_asked",
        );
        assert!(
            problem.path.contains(MODEL) && problem.place == "line 1",
            "{problem:?}"
        );
        let message = &problem.message;
        assert!(
            message.contains(word) && message.contains("Expected "),
            "{message}"
        );
    }
    // A note of one's own is no reply.
    let noted = with(
        &files,
        "metrics_demo-judge.jsonl",
        "\"turn 0\"",
        "\"note\":{\"by\":\"me\"},\"turn 0\"",
    );
    assert_eq!(found(&noted, "not_asked"), []);
    assert!(both(&files) == both(&noted));
}

#[test]
fn metrics_under_other_keys_are_named_with_what_was_expected() {
    let vibe = demo_suite("vibe");
    assert_eq!(found(&vibe, "not_asked"), []);
    for other in [
        "instruction_adherence",
        "InstructionAdherence",
        "Pose_Consistency",
    ] {
        let (from, to) = ("\"Instruction_Adherence\"", format!("\"{other}\""));
        let problem = only(
            &with(&vibe, "Addition_results_1.json", from, &to),
            "not_asked",
        );
        let message = &problem.message;
        let expected = "Expected Instruction_Adherence, Contextual_Preservation, Visual_Coherence";
        assert!(
            message.contains(other) && message.contains(expected),
            "{message}"
        );
    }
    let multiref = demo_suite("multiref");
    assert_eq!(found(&multiref, "not_asked"), []);
    for (from, to) in [
        ("\"canny\": 0.", "\"CANNY\": 0."),
        ("\"canny\": 0.", "\"canny_mse\": 0."),
        ("\"evaluations\"", "\"Evaluations\""),
    ] {
        let problem = only(
            &with(&multiref, "results_synthetic.json", from, to),
            "not_asked",
        );
        let name = to.split('"').nth(1).unwrap();
        let message = &problem.message;
        assert!(
            message.contains(name) && message.contains("depth, sketch, canny"),
            "{message}"
        );
    }
}

/// What the paper's and the authors' profile make of a change.
#[track_caller]
fn assert_repeated(files: &[File], changed: &[File], last: &[File], key: &str) {
    let problem = only(changed, "repeated_key");
    assert!(
        problem.message.contains(&format!("\"{key}\"")),
        "{problem:?}"
    );
    assert!(problem.path.contains(MODEL), "{problem:?}");
    let [paper, released] = both(changed);
    assert!(
        released[0] == both(last)[1][0],
        "Python takes the last {key}"
    );
    let told = paper[1].to_string();
    assert!(
        told.contains("is given twice, with different values"),
        "{key}: {told}"
    );
    assert!(paper != both(files)[0]);
}

#[test]
fn a_key_with_two_values_is_an_incident_in_paper_and_named() {
    let weave = demo_suite("weave");
    let end = "metrics_demo-judge.jsonl";
    let line = text_of(&weave, end);
    let start = line.find("\"turn 0\"").unwrap();
    let turn = &line[start..line.find(",\"turn 1\"").unwrap()];
    let other = turn.replacen("\"score\":9", "\"score\":2", 1);
    let point = &turn[turn.find("\"key_point\"").unwrap()..turn.find(",\"visual").unwrap()];
    let other_point = point.replacen("\"score\":9", "\"score\":2", 1);
    let last = with(&weave, end, "\"score\":9", "\"score\":2");
    for (from, to, key) in [
        ("\"score\":9", "\"score\":9,\"score\":2", "score"),
        (turn, &*format!("{turn},{other}"), "turn 0"),
        (point, &*format!("{point},{other_point}"), "key_point"),
    ] {
        assert_repeated(&weave, &with(&weave, end, from, to), &last, key);
    }
    let vibe = demo_suite("vibe");
    let end = "Addition_results_1.json";
    let (from, to) = (
        "\"Instruction_Adherence\": {",
        "\"Instruction_Adherence\": {\"score\": 0.25, ",
    );
    let changed = with(&vibe, end, from, to);
    assert_repeated(&vibe, &changed, &vibe, "score");
    let multiref = demo_suite("multiref");
    let end = "results_synthetic.json";
    let changed = with(
        &multiref,
        end,
        "\"canny\": 0.",
        "\"canny\": 0.9, \"canny\": 0.",
    );
    assert_repeated(&multiref, &changed, &multiref, "canny");
    let changed = with(
        &multiref,
        end,
        "\"evaluations\"",
        "\"evaluations\": {\"canny\": 0.9}, \"evaluations\"",
    );
    assert_repeated(&multiref, &changed, &multiref, "evaluations");
}

#[test]
fn a_key_given_twice_with_the_same_value_is_no_fault() {
    let weave = demo_suite("weave");
    let line = text_of(&weave, "metrics_demo-judge.jsonl");
    let turn = &line[line.find("\"turn 0\"").unwrap()..line.find(",\"turn 1\"").unwrap()];
    for (from, to) in [
        ("\"score\":9", "\"score\":9,\"score\":9"),
        (turn, &*format!("{turn},{turn}")),
    ] {
        let same = with(&weave, "metrics_demo-judge.jsonl", from, to);
        assert_eq!(found(&same, "repeated_key"), []);
        assert!(both(&weave) == both(&same));
    }
}

#[test]
fn a_set_with_two_labels_in_types_json_is_named() {
    let suite = demo_suite("multibanana");
    assert_eq!(found(&suite, "repeated_key"), []);
    let at = "data/add/types.json";
    let (_, bytes) = suite.iter().find(|(path, _)| path == at).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let key = text.split('"').nth(1).unwrap();
    let twice = text.replacen('{', &format!("{{\"{key}\": \"no such label\", "), 1);
    let twice = with(&suite, at, &text, &twice);
    let problem = only(&twice, "repeated_key");
    assert!(
        problem.path == at && problem.message.contains(key),
        "{problem:?}"
    );
    assert!(both(&suite) == both(&twice));
}

#[test]
fn a_result_file_of_a_run_that_is_lost_empty_or_left_over_is_named() {
    let suite = demo_suite("vibe");
    assert_eq!(found(&suite, "uneven_runs"), []);
    let end = "Addition_results_1.json";
    let is_it = |path: &str| path.contains(MODEL) && path.ends_with(end);
    let mut lost = suite.clone();
    lost.retain(|(path, _)| !is_it(path));
    let mut left_over = suite.clone();
    let (path, bytes) = suite.iter().find(|(path, _)| is_it(path)).unwrap();
    left_over.push((path.replace("_1.json", "_4.json"), bytes.clone()));
    let text = text_of(&suite, end);
    for (files, words) in [
        (
            lost,
            "Addition has runs 2 and 3; the rest of the benchmark has runs 1 to 3.",
        ),
        (with(&suite, end, &text, "[]"), "Addition has runs 2 and 3;"),
        (left_over, "Addition has runs 1 to 4;"),
    ] {
        let problem = only(&files, "uneven_runs");
        assert!(problem.path.contains(MODEL), "{problem:?}");
        assert!(problem.message.contains(words), "{problem:?}");
    }
}

#[test]
fn an_item_that_is_there_twice_and_reads_the_same_is_no_conflict() {
    let suite = demo_suite("vibe");
    let end = "Addition_results_1.json";
    let mut items: Vec<Value> = serde_json::from_str(&text_of(&suite, end)).unwrap();
    items.push(items[0].clone());
    let as_text = |items: &[Value]| serde_json::to_string(items).unwrap();
    let text = text_of(&suite, end);
    let same = with(&suite, end, &text, &as_text(&items));
    assert_eq!(found(&same, "conflicting_reply"), []);
    let item = items.last_mut().unwrap();
    item["Visual_Coherence"]["Style_Consistency"]["score"] = json!(0.5);
    let other = with(&suite, end, &text, &as_text(&items));
    assert_eq!(found(&other, "conflicting_reply").len(), 1);
}
