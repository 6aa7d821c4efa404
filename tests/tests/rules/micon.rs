//! MICON-Bench's scoring rules by hand arithmetic, on a benchmark small enough to check with a pencil.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::manual_midpoint,
    reason = "hand arithmetic reads as a sum over a count"
)]

use juror_judging::journal;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::reply::ParsedReply;
use juror_model::request::{Context, InputKey, Packing, PartView, RequestKey, Treatment};
use juror_model::row::ScoreRow;
use juror_protocols::micon::{CHECKPOINT_IDS, Task};
use juror_session::Session;
use juror_session::compare::CompareQuery;
use juror_session::groups::RowUnit;
use juror_session::measure::Measure;
use juror_session::measures::MeasureQuery;
use juror_session::view::costs::CostQuery;
use juror_session::view::{Overview, PastedReply, SampleQuery};
use juror_tests::generate::{File, open};
use serde_json::{Value, json};
use std::fmt::Write as _;

const PAPER: ScoreOptions = ScoreOptions {
    profile: Profile::Paper,
    policy: None,
    judge: None,
    run: None,
    reading: juror_model::options::ReplyReading::Strict,
};
const RELEASED: ScoreOptions = ScoreOptions {
    profile: Profile::Released,
    policy: None,
    judge: None,
    run: None,
    reading: juror_model::options::ReplyReading::Strict,
};
const OBJECT: &str = "object_composition";
const COMPONENT: &str = "local_element_transfer";
const STORY: &str = "story_infer";

/// A verdict of the requested form in which these checkpoints failed.
fn verdict(task: &str, failed: &[&str]) -> Value {
    let mut results = json!({});
    for (at, _) in Task::find(task).unwrap().checkpoints() {
        let id = CHECKPOINT_IDS[at];
        results[id] = json!({"pass": u8::from(!failed.contains(&id))});
    }
    json!({"checkpoint_results": results, "hard_constraint_results": {"H1": 1}, "rationale_short": "why", "flags": []})
}

/// The authors' details file about a story.
fn details(score: f64) -> Value {
    json!({"case_id": "case_0001", "evaluation_result": {"score": score, "reasoning": "r", "matches_positive": true, "matches_negative": false, "error": null, "parse_error": null}})
}

#[derive(Clone, Default)]
struct Suite {
    files: Vec<File>,
}

impl Suite {
    fn file(mut self, path: &str, content: &str) -> Self {
        self.files
            .push((path.to_owned(), content.as_bytes().to_vec()));
        self
    }

    /// A card with these references, and the references themselves.
    fn case(mut self, task: &str, case: &str, refs: &[&str]) -> Self {
        let mut card = format!("task_type: {task}\ncase_id: {case}\nrefs:\n");
        for name in refs {
            card = format!("{card}  {name}: data/{task}/refs/{case}_{name}.png\n");
            self = self.file(
                &format!("E/data/{task}/refs/{case}_{name}.png"),
                &format!("{task} {case} {name}"),
            );
        }
        card += "generation_prompt: |\n  Put them together.\ngoal: One scene.\nconstraints_hard:\n  - all there\nconstraints_soft: []\nparticipating_dimensions: [A, B]\n";
        self.file(&format!("E/data/{task}/cases/{case}.yaml"), &card)
    }

    fn output(self, model: &str, path: &str) -> Self {
        self.file(
            &format!("E/outputs/generations/{model}/{path}"),
            &format!("{model} {path}"),
        )
    }

    /// A file of judge output in the model's folder of the second of January.
    fn judged(self, model: &str, case: &str, suffix: &str, content: &str) -> Self {
        let folder = format!("E/outputs/eval_res/{model}/{model}_20260102_000000/judgments");
        self.file(&format!("{folder}/{case}/{model}{suffix}"), content)
    }

    fn open(&self) -> Session {
        open(&self.files)
    }

    fn overview(&self, options: &ScoreOptions) -> Overview {
        juror_session::overview(&self.open().study(options))
    }
}

/// Five cases: the first story has an answer set, the second is not in that file.
fn cases() -> Suite {
    let answers = json!({"cases": [{"case_id": "case_0001", "background_summary": "A ball rolls.", "positive_candidates": ["It falls.", "It stops."], "negative_candidates": ["It flies."]}]});
    Suite::default()
        .case(OBJECT, "case_0001", &["RA", "RB"])
        .case(OBJECT, "case_0002", &["RB", "RA", "RC"])
        .case(COMPONENT, "case_0001", &["RA", "RB", "RC"])
        .case(STORY, "case_0001", &["RB", "RA"])
        .case(STORY, "case_0002", &["RA", "RB", "RC"])
        .file(
            "E/data/story_infer/simple_candidate_template.json",
            &answers.to_string(),
        )
}

/// All files of it.
pub(super) fn files() -> Vec<File> {
    suite().files
}

/// Two models: alpha gave everything, beta one picture of five.
fn suite() -> Suite {
    let story_failures = [
        "A_check_2",
        "C_check_3",
        "D_check_1",
        "E_check_1",
        "G_check_2",
    ];
    cases()
        .output("alpha", "object_composition/case_0001.png")
        .output("alpha", "object_composition/case_0002.jpg")
        .output("alpha", "local_element_transfer/case_0001.png")
        .output("alpha", "story_infer/case_0001.png")
        .output("alpha", "story_infer/case_0002.png")
        .judged(
            "alpha",
            "object_composition/case_0001",
            ".json",
            &verdict(OBJECT, &["A_check_1", "D_check_2"]).to_string(),
        )
        .judged(
            "alpha",
            "object_composition/case_0002",
            ".json",
            &verdict(OBJECT, &[]).to_string(),
        )
        .judged(
            "alpha",
            "local_element_transfer/case_0001",
            ".json",
            &verdict(COMPONENT, &["B_check_2"]).to_string(),
        )
        .judged(
            "alpha",
            "story_infer/case_0001",
            ".json",
            &verdict(STORY, &story_failures).to_string(),
        )
        .judged(
            "alpha",
            "story_infer/case_0001",
            "_candidate_eval_details.json",
            &details(7.0).to_string(),
        )
        .judged(
            "alpha",
            "story_infer/case_0002",
            ".json",
            &verdict(STORY, &[]).to_string(),
        )
        .output("beta", "object_composition/case_0001.png")
        .judged(
            "beta",
            "object_composition/case_0001",
            ".json",
            &verdict(OBJECT, &[]).to_string(),
        )
        .file(
            "E/outputs/eval_res/alpha/alpha_20260102_000000/reports/alpha_summary.csv",
            "task_type\n",
        )
}

/// One case with one reply of alpha's judge.
fn with_reply(suffix: &str, reply: &str) -> Suite {
    Suite::default()
        .case(OBJECT, "case_0001", &["RA", "RB"])
        .output("alpha", "object_composition/case_0001.png")
        .judged("alpha", "object_composition/case_0001", suffix, reply)
}

fn find(
    overview: &Overview,
    model: &str,
    scope: &str,
    key: &str,
    criterion: &str,
) -> Option<ScoreRow> {
    let mut rows = overview.scores.iter().filter(|row| {
        (
            row.model.as_str(),
            row.scope.as_str(),
            row.key.as_str(),
            row.criterion.as_str(),
        ) == (model, scope, key, criterion)
    });
    let found = rows.next().cloned();
    assert_eq!(
        rows.next(),
        None,
        "one row for {model} {scope} {key} {criterion}"
    );
    found
}

fn row(overview: &Overview, model: &str, scope: &str, key: &str, criterion: &str) -> ScoreRow {
    find(overview, model, scope, key, criterion)
        .unwrap_or_else(|| panic!("{model} {scope} {key} {criterion}"))
}

#[track_caller]
fn assert_row(row: &ScoreRow, mean: f64, n: u32, expected: u32) {
    let found = row.mean.unwrap_or(f64::NAN);
    assert!(
        (found - mean).abs() < 1e-9,
        "expected {mean}, found {found}"
    );
    assert_eq!((row.n, row.expected), (n, expected));
}

/// The kinds of alpha's incidents with their details.
fn incidents(suite: &Suite, options: &ScoreOptions) -> Vec<(String, String)> {
    let report = juror_session::report(&suite.open().study(options));
    let of_alpha = report
        .incidents
        .into_iter()
        .filter(|incident| incident.model == "alpha");
    of_alpha
        .map(|incident| (incident.kind, incident.detail))
        .collect()
}

fn total(suite: &Suite, options: &ScoreOptions) -> Option<f64> {
    row(&suite.overview(options), "alpha", "overall", "all", "total").mean
}

#[test]
fn everything_in_the_authors_folders_is_found_and_claimed() {
    let overview = suite().overview(&PAPER);
    let info = overview.benchmark.unwrap();
    assert_eq!(
        (
            info.protocol.as_str(),
            info.samples,
            info.pictures,
            info.missing_pictures
        ),
        ("micon", 5, 13, 0)
    );
    let names: Vec<(&str, u32, u32)> = overview
        .models
        .iter()
        .map(|model| (model.name.as_str(), model.pictures, model.expected))
        .collect();
    assert_eq!(names, [("alpha", 5, 7), ("beta", 1, 7)]);
    assert_eq!(overview.unknown_files, Vec::<String>::new());
    let told: Vec<_> = (overview.problems.iter())
        .map(|problem| (&*problem.code, &*problem.path))
        .collect();
    assert_eq!(
        told,
        [("partial_judge", "alpha")],
        "six of seven are judged"
    );
    let scopes: Vec<(&str, Vec<&str>)> = overview
        .scopes
        .iter()
        .map(|scope| {
            (
                scope.scope.as_str(),
                scope.keys.iter().map(String::as_str).collect(),
            )
        })
        .collect();
    assert_eq!(
        scopes,
        [
            ("overall", vec!["all"]),
            ("category", vec!["image tasks", "story"]),
            ("domain", vec![OBJECT, COMPONENT, STORY]),
            ("references", vec!["2", "3"]),
            (
                "task_references",
                vec![
                    "object_composition/2",
                    "object_composition/3",
                    "local_element_transfer/3",
                    "story_infer/2",
                    "story_infer/3"
                ]
            ),
        ]
    );
}

#[test]
fn the_papers_scores_follow_by_hand_in_every_group() {
    let overview = suite().overview(&PAPER);
    let total = |scope: &str, key: &str| row(&overview, "alpha", scope, key, "total");
    // A capped to 0.4, D 3/4: (0.4 + 1 + 1 + 0.75 + 1) / 5 = 0.83.
    assert_row(&total("domain", OBJECT), (83.0 + 100.0) / 2.0, 2, 2);
    // B capped to 0.4 by its second check.
    assert_row(&total("domain", COMPONENT), 88.0, 1, 1);
    let mean = (2.0 / 3.0 + 1.0 + 2.0 / 3.0 + 2.0 / 3.0 + 0.4 + 2.0 / 3.0) / 6.0;
    let story = 40.0 * mean + 6.0 * 7.0;
    // The second story has no candidate score, hence no total.
    assert_row(&total("domain", STORY), story, 1, 2);
    assert_row(
        &total("category", "image tasks"),
        (83.0 + 100.0 + 88.0) / 3.0,
        3,
        3,
    );
    assert_row(&total("category", "story"), story, 1, 2);
    assert_row(&total("references", "2"), (83.0 + story) / 2.0, 2, 2);
    assert_row(&total("references", "3"), (100.0 + 88.0) / 2.0, 2, 3);
    assert_row(
        &total("overall", "all"),
        (83.0 + 100.0 + 88.0 + story) / 4.0,
        4,
        5,
    );
    let of = |key: &str, criterion: &str| row(&overview, "alpha", "domain", key, criterion);
    assert_row(&of(OBJECT, "A"), 0.7, 2, 2);
    assert_row(&of(OBJECT, "D"), 0.875, 2, 2);
    assert_row(&of(STORY, "E"), 0.7, 2, 2);
    assert_row(&of(STORY, "candidate"), 7.0, 1, 2);
    assert_eq!(
        find(&overview, "alpha", "domain", OBJECT, "E"),
        None,
        "Object has no E"
    );
    assert_eq!(
        find(&overview, "alpha", "domain", OBJECT, "candidate"),
        None
    );
    assert_row(
        &row(&overview, "alpha", "overall", "all", "A"),
        (0.4 + 1.0 + 1.0 + 2.0 / 3.0 + 1.0) / 5.0,
        5,
        5,
    );
}

#[test]
fn the_codes_scores_are_rounded_per_case_and_a_story_outside_the_answer_sets_gets_40_at_most() {
    let overview = suite().overview(&RELEASED);
    let total = |scope: &str, key: &str| row(&overview, "alpha", scope, key, "total");
    assert_row(&total("domain", STORY), (69.11 + 40.0) / 2.0, 2, 2);
    assert_row(
        &total("overall", "all"),
        (83.0 + 100.0 + 88.0 + 69.11 + 40.0) / 5.0,
        5,
        5,
    );
    assert_row(
        &row(&overview, "alpha", "overall", "all", "candidate"),
        7.0,
        1,
        2,
    );
}

#[test]
fn a_story_without_any_answer_sets_counts_by_its_checkpoints_in_released_only() {
    let mut suite = suite();
    suite
        .files
        .retain(|(path, _)| !path.contains("simple_candidate_template"));
    let overview = suite.overview(&RELEASED);
    assert_row(
        &row(&overview, "alpha", "domain", STORY, "total"),
        (69.11 + 100.0) / 2.0,
        2,
        2,
    );
    assert!(
        overview
            .problems
            .iter()
            .any(|problem| problem.code == "no_answer_sets")
    );
    assert_eq!(
        row(&suite.overview(&PAPER), "alpha", "domain", STORY, "total").n,
        1
    );
}

#[test]
fn a_missing_picture_counts_0_in_paper_and_is_skipped_in_released() {
    let of_beta = |options: &ScoreOptions| {
        row(
            &suite().overview(options),
            "beta",
            "overall",
            "all",
            "total",
        )
    };
    assert_row(&of_beta(&PAPER), 100.0 / 5.0, 5, 5);
    assert_row(&of_beta(&RELEASED), 100.0, 1, 5);
    let exclude = ScoreOptions {
        policy: Some(Policy::Exclude),
        ..PAPER
    };
    assert_row(&of_beta(&exclude), 100.0, 1, 5);
    let report = juror_session::report(&suite().open().study(&PAPER));
    let missing = report
        .incidents
        .iter()
        .filter(|incident| incident.model == "beta");
    let kinds: Vec<&str> = missing.map(|incident| incident.kind.as_str()).collect();
    assert_eq!(kinds, ["missing_output"; 6], "two requests for each story");
}

#[test]
fn unreadable_pictures_are_incidents_of_the_model() {
    let suite = Suite::default()
        .case(OBJECT, "case_0001", &["RA", "RB"])
        .file(
            "E/outputs/generations/alpha/object_composition/case_0001.png",
            "bad",
        );
    assert_eq!(incidents(&suite, &PAPER)[0].0, "unreadable_output");
    // Nobody has judged the model, so it has no score, be its outputs as they may.
    assert_eq!(total(&suite, &PAPER), None);
    assert_eq!(total(&suite, &RELEASED), None);
}

#[test]
fn replies_that_only_the_authors_reader_takes_are_incidents_in_paper() {
    let all = verdict(OBJECT, &[]);
    let mut half = all.clone();
    half["checkpoint_results"]["C_check_1"]["pass"] = json!(0.5);
    let mut incomplete = all.clone();
    incomplete["checkpoint_results"]
        .as_object_mut()
        .unwrap()
        .remove("A_check_1");
    let mut text = all.clone();
    text["checkpoint_results"]["A_check_1"]["pass"] = json!("1");
    for (reply, kind, released) in [
        (half.to_string(), "out_of_range", Some(96.67)),
        // The missing hard checkpoint has failed: A is min(2/3, 0.4).
        (incomplete.to_string(), "unparsable", Some(88.0)),
        (text.to_string(), "unparsable", None),
        (
            json!({"overall": 87.5}).to_string(),
            "unparsable",
            Some(87.5),
        ),
        (json!({"pass": 1}).to_string(), "unparsable", Some(0.0)),
        (format!("Here it is: {all}"), "unparsable", Some(100.0)),
        ("[]".to_owned(), "unparsable", None),
    ] {
        let suite = with_reply(".json", &reply);
        let found = incidents(&suite, &PAPER);
        assert_eq!(found[0].0, kind, "{reply}");
        assert!(
            found[0].1.contains("alpha.json:1: ") && found[0].1.contains("Expected"),
            "{}",
            found[0].1
        );
        assert_eq!(total(&suite, &PAPER), None, "{reply}");
        let found = total(&suite, &RELEASED);
        assert!(
            match (found, released) {
                (Some(found), Some(released)) => (found - released).abs() < 1e-9,
                (found, released) => found == released,
            },
            "{reply}: expected {released:?}, found {found:?}"
        );
    }
}

#[test]
fn the_accepted_forms_of_a_judgement_score_the_same() {
    let results = verdict(OBJECT, &["A_check_1"])["checkpoint_results"].clone();
    let plain: serde_json::Map<String, Value> = results
        .as_object()
        .unwrap()
        .iter()
        .map(|(id, value)| (id.clone(), value["pass"].clone()))
        .collect();
    for reply in [
        json!({"checkpoint_results": results}),
        json!({"checkpoint_results": plain}),
        json!({"checkpoints": results}),
        Value::Object(plain),
        results,
    ] {
        for options in [&PAPER, &RELEASED] {
            let found = total(&with_reply(".json", &reply.to_string()), options).unwrap();
            assert!((found - 88.0).abs() < 1e-9, "{reply}");
        }
    }
}

#[test]
fn failed_calls_and_refused_replies_stand_in_the_error_file() {
    let failed = with_reply("_error.txt", "Error: Connection refused");
    assert_eq!(incidents(&failed, &PAPER)[0].0, "failed_call");
    let refused = with_reply("_error.txt", "I cannot judge this.");
    assert_eq!(incidents(&refused, &RELEASED)[0].0, "unparsable");
    // A verdict beside the note of an earlier failure counts.
    let mended = refused.judged(
        "alpha",
        "object_composition/case_0001",
        ".json",
        &verdict(OBJECT, &[]).to_string(),
    );
    assert_eq!(total(&mended, &PAPER), Some(100.0));
    assert_eq!(mended.overview(&PAPER).problems, vec![]);
}

#[test]
fn flags_of_the_wrong_type_stop_the_authors_report_and_nothing_else() {
    let mut reply = verdict(OBJECT, &[]);
    reply["flags"] = Value::Null;
    let suite = with_reply(".json", &reply.to_string());
    assert_eq!(total(&suite, &PAPER), Some(100.0));
    let overview = suite.overview(&RELEASED);
    assert_eq!(
        row(&overview, "alpha", "overall", "all", "total").mean,
        None
    );
    let problem = overview
        .problems
        .iter()
        .find(|problem| problem.code == "no_result")
        .unwrap();
    assert!(
        problem.message.contains("object_composition/case_0001"),
        "{}",
        problem.message
    );
}

#[test]
fn a_candidate_reply_that_cannot_be_read_is_an_incident_in_paper_and_0_in_released() {
    let story = |reply: &str| {
        cases()
            .output("alpha", "story_infer/case_0001.png")
            .judged(
                "alpha",
                "story_infer/case_0001",
                ".json",
                &verdict(STORY, &[]).to_string(),
            )
            .judged(
                "alpha",
                "story_infer/case_0001",
                "_candidate_eval_details.json",
                reply,
            )
    };
    let mut failed = details(0.0);
    failed["evaluation_result"]["error"] = json!("timeout");
    let suite = story(&failed.to_string());
    let exclude = ScoreOptions {
        policy: Some(Policy::Exclude),
        ..PAPER
    };
    assert_eq!(total(&suite, &exclude), None);
    let kinds: Vec<String> = incidents(&suite, &exclude)
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    assert!(kinds.contains(&"failed_call".to_owned()), "{kinds:?}");
    assert!((total(&suite, &RELEASED).unwrap() - 40.0).abs() < 1e-9);
    assert!((total(&story(&details(10.0).to_string()), &exclude).unwrap() - 100.0).abs() < 1e-9);
}

#[test]
fn the_latest_folder_of_judgements_counts_and_the_older_one_is_named() {
    let suite = with_reply(".json", &verdict(OBJECT, &[]).to_string()).file(
        "E/outputs/eval_res/alpha/alpha_20250101_000000/judgments/object_composition/case_0001/alpha.json",
        &verdict(OBJECT, &["G_check_1"]).to_string(),
    );
    assert_eq!(total(&suite, &PAPER), Some(100.0));
    let overview = suite.overview(&PAPER);
    let problem = overview
        .problems
        .iter()
        .find(|problem| problem.code == "older_judgements")
        .unwrap();
    assert!(
        problem.path.contains("alpha_20250101_000000")
            && problem
                .message
                .starts_with("1 file of judgements here is not used: alpha_20260102_000000"),
        "{problem:?}"
    );
    assert_eq!(overview.unknown_files, Vec::<String>::new());
}

#[test]
fn of_two_evaluations_the_newest_alone_counts_and_cases_that_it_lacks_are_not_judged() {
    let suite = cases()
        .output("alpha", "object_composition/case_0001.png")
        .output("alpha", "local_element_transfer/case_0001.png")
        .judged(
            "alpha",
            "object_composition/case_0001",
            ".json",
            &verdict(OBJECT, &[]).to_string(),
        )
        .file(
            "E/outputs/alpha_20250101_000000/judgments/local_element_transfer/case_0001/alpha.json",
            &verdict(COMPONENT, &["B_check_2"]).to_string(),
        );
    let overview = suite.overview(&RELEASED);
    assert_row(
        &row(&overview, "alpha", "overall", "all", "total"),
        100.0,
        1,
        5,
    );
    for options in [&PAPER, &RELEASED] {
        let of_task = row(
            &suite.overview(options),
            "alpha",
            "domain",
            COMPONENT,
            "total",
        );
        assert_eq!((of_task.mean, of_task.n), (None, 0));
    }
    let superseded = overview
        .problems
        .iter()
        .find(|problem| problem.code == "older_judgements")
        .unwrap();
    assert!(
        superseded.path.contains("alpha_20250101_000000")
            && superseded.message.contains("Of 1 it has no judgement"),
        "{superseded:?}"
    );
    assert_eq!(overview.unknown_files, Vec::<String>::new());
}

#[test]
fn a_judgement_behind_a_byte_order_mark_counts_in_paper_and_is_dropped_in_released() {
    let reply = verdict(OBJECT, &[]).to_string();
    let exclude = |profile| ScoreOptions {
        profile,
        policy: Some(Policy::Exclude),
        ..PAPER
    };
    let suite = with_reply(".json", &format!("\u{feff}{reply}"));
    assert_eq!(total(&suite, &exclude(Profile::Paper)), Some(100.0));
    assert_eq!(total(&suite, &exclude(Profile::Released)), None);
    let (_, detail) = incidents(&suite, &RELEASED)
        .into_iter()
        .find(|(kind, _)| kind == "unparsable")
        .unwrap();
    assert!(detail.contains("byte order mark"), "{detail}");
}

#[test]
fn an_incident_of_flags_that_are_null_says_why() {
    let mut reply = verdict(OBJECT, &[]);
    reply["flags"] = Value::Null;
    let suite = with_reply(".json", &reply.to_string());
    let (_, detail) = incidents(&suite, &RELEASED)
        .into_iter()
        .find(|(kind, _)| kind == "unparsable")
        .unwrap();
    assert!(detail.contains("flags"), "{detail}");
}

#[test]
fn judgements_in_the_legacy_folder_belong_to_the_models_of_their_names() {
    let suite = Suite::default()
        .case(OBJECT, "case_0001", &["RA", "RB"])
        .file(
            "E/outputs/judgments/object_composition/case_0001/alpha.json",
            &verdict(OBJECT, &[]).to_string(),
        )
        .file(
            "E/outputs/judgments/object_composition/case_0001/beta.json",
            &verdict(OBJECT, &["G_check_1"]).to_string(),
        );
    let overview = suite.overview(&PAPER);
    assert_row(
        &row(&overview, "alpha", "overall", "all", "total"),
        100.0,
        1,
        1,
    );
    assert_row(
        &row(&overview, "beta", "overall", "all", "total"),
        90.0,
        1,
        1,
    );
}

#[test]
fn judgements_alone_imply_their_cases() {
    let mut suite = suite();
    suite.files.retain(|(path, _)| path.contains("judgments/"));
    let overview = suite.overview(&RELEASED);
    let info = overview.benchmark.clone().unwrap();
    assert_eq!(
        (info.protocol.as_str(), info.samples, info.path.as_str()),
        ("micon", 5, "")
    );
    assert_row(
        &row(&overview, "alpha", "domain", OBJECT, "total"),
        91.5,
        2,
        2,
    );
    assert_row(
        &row(&overview, "alpha", "domain", STORY, "total"),
        (69.11 + 100.0) / 2.0,
        2,
        2,
    );
    assert_eq!(find(&overview, "alpha", "references", "2", "total"), None);
}

#[test]
fn a_judgement_of_an_unknown_case_is_listed_and_counts_nowhere() {
    let suite = with_reply(".json", &verdict(OBJECT, &[]).to_string()).judged(
        "alpha",
        "object_composition/case_9999",
        ".json",
        &verdict(OBJECT, &["A_check_1"]).to_string(),
    );
    for options in [&PAPER, &RELEASED] {
        assert_eq!(total(&suite, options), Some(100.0));
    }
    let overview = suite.overview(&PAPER);
    let problem = overview
        .problems
        .iter()
        .find(|problem| problem.code == "unknown_sample")
        .unwrap();
    assert!(problem.message.contains("object_composition/case_9999"));
}

#[test]
fn bad_cards_are_listed_and_the_rest_loads() {
    let suite = suite()
        .file(
            "E/data/object_composition/cases/case_0003.yaml",
            "refs: [a\n",
        )
        .file(
            "E/data/object_composition/cases/case_0004.yaml",
            "refs: {RA: data/x.png}\ncase_id: case_4\ngeneration_prompt: p\ngoal: g\n",
        );
    let overview = suite.overview(&PAPER);
    let info = overview.benchmark.unwrap();
    assert_eq!(
        (info.samples, info.unreadable_samples, info.missing_pictures),
        (6, 1, 1)
    );
    let codes: Vec<&str> = overview
        .problems
        .iter()
        .map(|problem| problem.code.as_str())
        .collect();
    assert_eq!(
        codes,
        [
            "partial_judge",
            "bad_card",
            "missing_picture",
            "other_case_id"
        ]
    );
    assert!(overview.problems[1].path.ends_with("case_0003.yaml"));
}

fn key(sample: &str, criterion: &str) -> RequestKey {
    RequestKey {
        model: "alpha".to_owned(),
        sample: sample.to_owned(),
        turn: 0,
        criterion: criterion.to_owned(),
    }
}

/// A request's pictures as role and treatment, and its text.
fn shown(suite: &Suite, sample: &str, criterion: &str) -> (Vec<(String, Treatment)>, String) {
    let request = juror_session::request(&suite.open().linked(), &key(sample, criterion)).unwrap();
    assert_eq!(request.error, None);
    let (mut pictures, mut texts) = (Vec::new(), Vec::new());
    for (at, part) in request.parts.iter().enumerate() {
        match part {
            PartView::Text { text } => {
                assert_eq!(at, 0, "the text comes first");
                texts.push(text.clone());
            }
            PartView::Image {
                role,
                treatment,
                file,
                ..
            } => {
                assert!(file.is_some());
                pictures.push((role.clone(), treatment.clone()));
            }
        }
    }
    assert_eq!(texts.len(), 1);
    (pictures, texts.remove(0))
}

#[test]
fn a_checkpoint_request_shows_the_references_in_the_cards_order_and_the_output_last() {
    let (pictures, text) = shown(&suite(), "object_composition/case_0002", "checkpoints");
    let as_is = |role: &str| (role.to_owned(), Treatment::AsIs);
    assert_eq!(pictures, ["RB", "RA", "RC", "output"].map(as_is));
    assert!(text.contains("- RB: data/object_composition/refs/case_0002_RB.png\n- RA: "));
    assert!(
        text.contains("\"Put them together.\n\""),
        "the prompt stands in quotes as the card has it"
    );
    assert!(text.contains("- H1: all there") && text.contains("\"D_check_4\": {\"pass\": 0 or 1}"));
}

#[test]
fn a_missing_reference_is_left_out_of_the_request_and_noted() {
    let mut suite = suite();
    suite
        .files
        .retain(|(path, _)| !path.ends_with("object_composition/refs/case_0002_RA.png"));
    let request = juror_session::request(
        &suite.open().linked(),
        &key("object_composition/case_0002", "checkpoints"),
    )
    .unwrap();
    assert_eq!(request.parts.len(), 4);
    assert!(
        request.notes[0].contains("case_0002_RA.png is missing"),
        "{:?}",
        request.notes
    );
}

#[test]
fn a_candidate_request_shows_ra_rb_rc_as_rgb_and_both_answer_lists() {
    let (pictures, text) = shown(&suite(), "story_infer/case_0001", "candidate");
    let rgb = |role: &str| (role.to_owned(), Treatment::RgbPng);
    assert_eq!(
        pictures,
        ["RA", "RB", "output"].map(rgb),
        "though the card has RB first"
    );
    assert!(text.contains("first 2 pictures") && text.contains("A ball rolls."));
    assert!(text.contains("1. It falls.\n2. It stops.\n") && text.contains("1. It flies.\n"));
}

#[test]
fn where_the_authors_would_not_ask_there_is_no_request_but_a_reason() {
    let error = |suite: &Suite, key: &RequestKey| {
        juror_session::request(&suite.open().linked(), key)
            .unwrap()
            .error
            .unwrap_or_default()
    };
    assert!(
        error(&suite(), &key("story_infer/case_0002", "candidate"))
            .contains("no entry for this case")
    );
    assert!(
        error(&suite(), &key("object_composition/case_0001", "candidate"))
            .contains("not judged on candidate")
    );
    let of_beta = RequestKey {
        model: "beta".to_owned(),
        ..key("story_infer/case_0001", "checkpoints")
    };
    assert!(
        error(&suite(), &of_beta).contains("beta/story_infer/case_0001.png is not among the files")
    );
}

#[test]
fn a_generator_is_given_the_references_and_the_instruction() {
    let input = juror_session::generator_input(
        &suite().open().linked(),
        &InputKey {
            model: String::new(),
            sample: "object_composition/case_0002".to_owned(),
            turn: 0,
            context: Context::No,
            packing: Packing::Separate,
            profile: Profile::Paper,
            variant: None,
        },
    );
    let parts = &input.messages[0].parts;
    assert_eq!((parts.len(), input.pictures.len()), (4, 3));
    assert!(matches!(&parts[0], PartView::Image { role, .. } if role == "RB"));
    assert!(matches!(&parts[3], PartView::Text { text } if text == "Put them together.\n"));
}

#[test]
fn a_pasted_reply_is_explained_by_both_readers_and_scored() {
    let suite = Suite::default()
        .case(OBJECT, "case_0001", &["RA", "RB"])
        .output("alpha", "object_composition/case_0001.png");
    let mut session = suite.open();
    let reply = verdict(OBJECT, &["A_check_1", "D_check_2"]).to_string();
    let pasted = PastedReply {
        key: key("object_composition/case_0001", "checkpoints"),
        judge: "j".to_owned(),
        run: 1,
        time: String::new(),
        text: format!("```json\n{reply}\n```"),
    };
    let result = juror_session::paste(&mut session, &pasted).unwrap();
    let ParsedReply::Ok {
        criteria,
        score,
        reason,
    } = result.paper
    else {
        panic!("{:?}", result.paper);
    };
    assert!((criteria["A"] - 0.4).abs() < 1e-12 && (criteria["D"] - 0.75).abs() < 1e-12);
    assert!((score.unwrap() - 83.0).abs() < 1e-9);
    assert_eq!(reason, "why");
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_row(
        &row(&overview, "alpha", "overall", "all", "total"),
        83.0,
        1,
        1,
    );
    let view =
        juror_session::sample(&session.study(&PAPER), "object_composition/case_0001").unwrap();
    let output = &view.turns[0].outputs[0];
    assert!((output.score.unwrap() - 83.0).abs() < 1e-9);
    assert!((output.verdicts[0].parts["A"] - 0.4).abs() < 1e-12);
    assert!(
        view.details
            .contains(&("Goal".to_owned(), "One scene.".to_owned()))
    );
    assert_eq!(view.pictures[1].label, "RB");
}

#[test]
fn sample_rows_hold_dimensions_and_candidate_scores() {
    let report = juror_session::report(&suite().open().study(&PAPER));
    let score = |sample: &str, criterion: &str| {
        let mut rows = report.samples.iter().filter(|row| {
            (
                row.model.as_str(),
                row.sample.as_str(),
                row.criterion.as_str(),
            ) == ("alpha", sample, criterion)
        });
        rows.next().unwrap().score
    };
    assert_eq!(score("object_composition/case_0001", "A"), Some(0.4));
    assert_eq!(score("story_infer/case_0001", "E"), Some(0.4));
    assert_eq!(score("story_infer/case_0001", "candidate"), Some(7.0));
    assert_eq!(score("story_infer/case_0002", "candidate"), None);
}

/// A journal with two runs of one judge over two cases.
fn runs() -> Suite {
    let record = |case: &str, run: u32, failed: &[&str]| journal::Record {
        format: journal::FORMAT.to_owned(),
        protocol: "micon".to_owned(),
        model: "alpha".to_owned(),
        sample: format!("object_composition/{case}"),
        turn: 0,
        criterion: "checkpoints".to_owned(),
        judge: "j".to_owned(),
        run,
        time: String::new(),
        request: None,
        prompts: String::new(),
        reply: verdict(OBJECT, failed).to_string(),
        error: None,
        ..journal::Record::default()
    };
    let records = [
        record("case_0001", 1, &[]),
        record("case_0002", 1, &["G_check_1"]),
        record("case_0001", 2, &["A_check_1"]),
        record("case_0002", 2, &["G_check_1", "G_check_2"]),
    ];
    Suite::default()
        .case(OBJECT, "case_0001", &["RA", "RB"])
        .case(OBJECT, "case_0002", &["RA", "RB"])
        .output("alpha", "object_composition/case_0001.png")
        .output("alpha", "object_composition/case_0002.png")
        .file("replies.journal.jsonl", &journal::write(&records))
}

#[test]
fn several_runs_are_averaged_per_case_and_shown_one_by_one() {
    let overview = runs().overview(&PAPER);
    // Case 1: 100 and 88; case 2: 90 and 80.
    assert_row(
        &row(&overview, "alpha", "overall", "all", "total"),
        (94.0 + 85.0) / 2.0,
        2,
        2,
    );
    assert_row(&row(&overview, "alpha", "run", "1", "total"), 95.0, 2, 2);
    assert_row(&row(&overview, "alpha", "run", "2", "total"), 84.0, 2, 2);
    assert_eq!(overview.scopes.last().unwrap().keys, ["1", "2"]);
}

#[test]
fn the_row_of_a_run_is_made_of_the_totals_of_that_run() {
    let mut session = runs().open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let behind = |session: &mut Session, key: &str| {
        let at = overview
            .scores
            .iter()
            .position(|row| row.scope == "run" && row.key == key && row.criterion == "total");
        let units =
            juror_session::row_units(&session.study(&PAPER), u32::try_from(at.unwrap()).unwrap());
        // 100 - 12 by weights in binary is not 88 to the last bit.
        let rounded = |value: f64| (value * 1e9).round() / 1e9;
        let of_unit = |unit: &RowUnit| (unit.sample.clone(), unit.run, unit.value.map(rounded));
        units.units.iter().map(of_unit).collect::<Vec<_>>()
    };
    let case = |number: u32, run: u32, total: f64| {
        let sample = format!("object_composition/case_000{number}");
        (sample, Some(run), Some(total))
    };
    assert_eq!(
        behind(&mut session, "1"),
        [case(2, 1, 90.0), case(1, 1, 100.0)]
    );
    assert_eq!(
        behind(&mut session, "2"),
        [case(2, 2, 80.0), case(1, 2, 88.0)]
    );
    // A run is no group of samples to compare models on.
    let compared =
        juror_session::compare(&session.study(&PAPER), &CompareQuery::default()).unwrap();
    assert!(compared.scopes.iter().all(|info| info.scope != "run"));
    assert_eq!(
        juror_session::group_filter(&session.study(&PAPER), "run", "1"),
        None
    );
}

#[test]
fn every_difference_shows_the_total_with_its_one_rule_exchanged() {
    let overview = suite().overview(&PAPER);
    let mean = (2.0 / 3.0 + 1.0 + 2.0 / 3.0 + 2.0 / 3.0 + 0.4 + 2.0 / 3.0) / 6.0;
    let story = 40.0 * mean + 42.0;
    let paper = (83.0 + 100.0 + 88.0 + story) / 4.0;
    let flat_story = 40.0 * 13.0 / 18.0 + 42.0;
    for (id, expected) in [
        (
            "checkpoint_mean",
            (1300.0 / 15.0 + 100.0 + 1400.0 / 15.0 + flat_story) / 4.0,
        ),
        ("missing_output", paper),
        ("incomplete_judgement", paper),
        ("plain_stories", (83.0 + 100.0 + 88.0 + story + 40.0) / 5.0),
        ("rounding", (83.0 + 100.0 + 88.0 + 69.11) / 4.0),
        (
            "task_weights",
            (200.0 * 91.5 + 240.0 * 88.0 + 103.0 * story) / 543.0,
        ),
    ] {
        let difference = overview
            .differences
            .iter()
            .find(|difference| difference.id == id)
            .unwrap();
        let effect = &difference.effects[0];
        assert_eq!(effect.model, "alpha");
        assert!((effect.paper.unwrap() - paper).abs() < 1e-9, "{id}");
        let with_rule = effect.with_rule.unwrap();
        assert!(
            (with_rule - expected).abs() < 1e-9,
            "{id}: expected {expected}, found {with_rule}"
        );
    }
    let of_beta = &overview
        .differences
        .iter()
        .find(|difference| difference.id == "missing_output")
        .unwrap()
        .effects[1];
    assert_eq!(
        (of_beta.paper, of_beta.with_rule),
        (Some(20.0), Some(100.0))
    );
}

#[test]
fn lenient_readings_are_told_apart_in_the_differences() {
    let effect = |reply: &Value, id: &str| {
        let overview = with_reply(".json", &reply.to_string()).overview(&PAPER);
        let found = overview
            .differences
            .into_iter()
            .find(|difference| difference.id == id);
        found.unwrap().effects[0].with_rule
    };
    let mut incomplete = verdict(OBJECT, &[]);
    incomplete["checkpoint_results"]
        .as_object_mut()
        .unwrap()
        .remove("A_check_1");
    let mut double = verdict(OBJECT, &[]);
    double["checkpoint_results"]["A_check_1"]["pass"] = json!(2);
    let own = json!({"overall": 87.5});
    for (reply, id) in [
        (&incomplete, "incomplete_judgement"),
        (&double, "off_scale"),
        (&own, "own_totals"),
    ] {
        for rule in ["incomplete_judgement", "off_scale", "own_totals"] {
            assert_eq!(
                effect(reply, rule).is_some(),
                rule == id,
                "{id} under {rule}"
            );
        }
    }
    assert_eq!(effect(&own, "own_totals"), Some(87.5));
}

/// Texts in the shape of the authors' files, with words of our own.
fn prompt_files(suite: Suite, template: &str) -> Suite {
    use juror_protocols::micon::TASKS;
    let guidelines: Vec<String> = TASKS
        .iter()
        .map(|task| format!("    \"{}\": \"\"\"G {}\"\"\",\n", task.id, task.label))
        .collect();
    let builder = format!(
        "m = {{\n{}}}\ndef _format_goal_constraints(self):\n    lines.append(\"Hard:\")\n",
        guidelines.concat()
    );
    let evaluator = "def _build_evaluation_prompt(self):\n    p = f\"\"\"N {len(reference_images)} {background}\n\"\"\"\n    p += f\"{i}. {pos}\\n\"\n    p += \"\"\"M\n\"\"\"\n    p += f\"{i}. {neg}\\n\"\n    p += \"\"\"End\"\"\"\n    m = [{\"role\": \"system\", \"content\": \"S\"}]\n";
    let mut suite = suite
        .file("prompts/judge_prompt.template.txt", template)
        .file("prompts/build_prompts.py", &builder)
        .file("prompts/candidate_evaluator.py", evaluator);
    for task in &TASKS {
        suite = suite.file(
            &format!("prompts/{}.qa.txt", task.questions),
            "- A_check_1 (H1): ?",
        );
    }
    suite
}

#[test]
fn the_authors_texts_are_used_where_they_are_at_hand_and_change_the_request() {
    let official = prompt_files(suite(), "Image order. {TASK_TYPE}\n{TASK_QA_BLOCK}");
    let overview = official.overview(&PAPER);
    assert!(!overview.pack.official, "{:?}", overview.pack);
    let (_, text) = shown(&official, "object_composition/case_0001", "checkpoints");
    assert_eq!(
        text,
        "Image order. object_composition\nG Object\n\n- A_check_1 (H1): ?"
    );
    let (_, text) = shown(&official, "story_infer/case_0001", "candidate");
    assert_eq!(
        text,
        "N 2 A ball rolls.\n1. It falls.\n2. It stops.\nM\n1. It flies.\nEnd"
    );
    let system = |suite: &Suite, sample, criterion| {
        let request =
            juror_session::request(&suite.open().linked(), &key(sample, criterion)).unwrap();
        request.system
    };
    assert_eq!(
        system(&official, "story_infer/case_0001", "candidate").as_deref(),
        Some("S")
    );
    assert_eq!(
        system(&official, "object_composition/case_0001", "checkpoints"),
        None
    );
    assert_ne!(
        system(&suite(), "story_infer/case_0001", "candidate").as_deref(),
        Some("S")
    );
    // A template without a word on the order of pictures gets a line in front.
    let silent = prompt_files(suite(), "{TASK_TYPE}");
    let (_, text) = shown(&silent, "object_composition/case_0001", "checkpoints");
    assert!(
        text.contains("first 2 picture(s)") && text.ends_with("\n\nobject_composition"),
        "{text}"
    );
}

#[test]
fn a_judgement_shows_the_time_of_its_time_stamped_folder() {
    let mut session = suite().open();
    let sample = juror_session::sample(&session.study(&PAPER), "object_composition/case_0001");
    assert_eq!(
        sample.unwrap().turns[0].outputs[0].verdicts[0].time,
        "2026-01-02T00:00:00",
        "by the clock of whoever judged, so without a zone"
    );
    let legacy = cases()
        .output("alpha", "object_composition/case_0001.png")
        .file(
            "E/outputs/judgments/object_composition/case_0001/alpha.json",
            &verdict(OBJECT, &[]).to_string(),
        );
    let sample =
        juror_session::sample(&legacy.open().study(&PAPER), "object_composition/case_0001");
    let shown = &sample.unwrap().turns[0].outputs[0].verdicts[0];
    assert!(shown.raw.is_some());
    assert_eq!(shown.time, "");
}

#[test]
fn every_row_says_of_what_it_is_the_mean() {
    crate::origin::check(&mut suite().open());
    crate::origin::check(&mut runs().open());
}

#[test]
fn a_task_s_cases_are_grouped_by_their_references() {
    let suite = suite();
    let overview = suite.overview(&PAPER);
    let info = overview.scopes.iter();
    let info = info.clone().find(|info| info.scope == "task_references");
    let keys: Vec<String> = [
        (OBJECT, 2),
        (OBJECT, 3),
        (COMPONENT, 3),
        (STORY, 2),
        (STORY, 3),
    ]
    .map(|(task, count)| format!("{task}/{count}"))
    .into();
    assert_eq!(info.unwrap().keys, keys);
    let total = |key: &str| row(&overview, "alpha", "task_references", key, "total");
    assert_row(&total(&keys[0]), 83.0, 1, 1);
    assert_row(&total(&keys[1]), 100.0, 1, 1);
    assert_row(&total(&keys[2]), 88.0, 1, 1);
    assert_eq!((total(&keys[4]).mean, total(&keys[4]).expected), (None, 1));
    let mut session = suite.open();
    let filter = juror_session::group_filter(&session.study(&PAPER), "task_references", &keys[0]);
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery {
            q: filter.unwrap(),
            ..SampleQuery::default()
        },
    );
    let ids: Vec<&str> = list.rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, [format!("{OBJECT}/case_0001")]);
}

#[test]
fn seconds_of_two_models_are_paired_by_case_beside_the_printed_ones() {
    let mut text = "model,sample,seconds,note\n".to_owned();
    for (task, case, base, other) in [
        (OBJECT, "case_0001", 50.0, 54.0),
        (STORY, "case_0001", 60.0, 66.0),
        (OBJECT, "case_0002", 70.0, 77.0),
    ] {
        let _ = write!(
            text,
            "BAGEL,{task}/{case},{base},\nBAGEL+DAR,{task}/{case},{other},x\n"
        );
    }
    // Twice the same case counts once, one without its counterpart and what is no number not at all.
    let _ = write!(
        text,
        "BAGEL,{OBJECT}/case_0001,52,\nBAGEL,{COMPONENT}/case_0001,99,\n"
    );
    let _ = write!(
        text,
        "BAGEL,{STORY}/case_0002,fast,\nBAGEL,nothing/case_0001,1,\n"
    );
    let query = CostQuery {
        path: "s.csv".to_owned(),
        text,
        ..CostQuery::default()
    };
    let mut session = cases().open();
    let found = juror_session::costs(&session.linked(), &query).unwrap();
    assert_eq!(
        (&*found.base, &*found.other, &*found.scope),
        ("BAGEL", "BAGEL+DAR", "references")
    );
    let row = |key: &str| found.rows.iter().find(|row| row.key == key).unwrap();
    let all = row("");
    assert_eq!((all.n, all.expected), (3, 4));
    assert_eq!(all.base, Some((51.0 + 60.0 + 70.0) / 3.0));
    let difference = all.difference.unwrap();
    assert!((difference.value - (3.0 + 6.0 + 7.0) / 3.0).abs() < 1e-12);
    assert_eq!(difference.low, None, "three are too few for an interval");
    let two = row("2");
    assert_eq!((two.n, two.base, two.other), (2, Some(55.5), Some(60.0)));
    assert!((two.share.unwrap() - 4.5 / 55.5).abs() < 1e-12);
    assert_eq!((row("3").n, row("3").expected), (1, 2));
    assert_eq!(
        found.problems,
        [
            "s.csv, line 10: Expected seconds from 0, found \"fast\".",
            "s.csv, line 11: The benchmark has no sample nothing/case_0001.",
        ]
    );
    // Table 7's +8.0 % and +10.5 %.
    let printed = |model: &str, key: &str| {
        let mut costs = found.printed.iter();
        let cost = costs
            .find(|cost| cost.base == model && cost.key == key)
            .unwrap();
        100.0 * (cost.other_seconds / cost.base_seconds - 1.0)
    };
    assert!((printed("BAGEL", "2") - 8.0).abs() < 0.05);
    assert!((printed("BAGEL", "3") - 10.5).abs() < 0.05);
    assert!((printed("OmniGen2", "3") - 3.9).abs() < 0.05);
    for (text, other, said) in [
        (
            "model,seconds\nm,1\n",
            "",
            "columns model, sample and seconds",
        ),
        (query.text.as_str(), "UNO", "has no seconds of UNO"),
    ] {
        let bad = CostQuery {
            text: text.to_owned(),
            other: other.to_owned(),
            ..query.clone()
        };
        let error = juror_session::costs(&session.linked(), &bad).unwrap_err();
        assert_eq!(error.code(), "bad_costs");
        assert!(error.to_string().contains(said), "{error}");
    }
}

/// The rows of measured values by criterion and task: mean, n and how many are expected.
fn measured(session: &mut Session, criterion: &str, key: &str) -> Option<(Option<f64>, u32, u32)> {
    let rows = juror_session::score_rows(&session.study(&PAPER));
    let scope = if key == "all" { "overall" } else { "domain" };
    let row = rows.iter().find(|row| {
        row.model == "alpha" && row.criterion == criterion && row.scope == scope && row.key == key
    })?;
    Some((row.mean, row.n, row.expected))
}

#[test]
fn a_list_of_table_4_makes_rows_of_the_object_and_spatial_tasks_alone() {
    let list = "model,sample,metric,value\n\
        alpha,object_composition/case_0001,T2I,0.35\n\
        alpha,object_composition/case_0002,T2I,0.37\n\
        alpha,object_composition/case_0001,LPIPS,0.5\n\
        alpha,local_element_transfer/case_0001,T2I,0.9\n\
        alpha,object_composition/case_0002,I2I,90\n\
        gamma,object_composition/case_0001,T2I,0.3\n";
    let mut session = suite().file("E/table4.csv", list).open();
    let close = |found: Option<(Option<f64>, u32, u32)>, wanted: (f64, u32, u32)| {
        let (mean, n, expected) = found.unwrap();
        assert!((mean.unwrap() - wanted.0).abs() < 1e-12, "{mean:?}");
        assert_eq!((n, expected), (wanted.1, wanted.2));
    };
    close(measured(&mut session, "clip@prompt", OBJECT), (0.36, 2, 2));
    // The other task's value is no part of the whole either.
    close(measured(&mut session, "clip@prompt", "all"), (0.36, 2, 2));
    close(measured(&mut session, "lpips@objects", OBJECT), (0.5, 1, 2));
    assert_eq!(measured(&mut session, "clip@prompt", COMPONENT), None);
    assert_eq!(measured(&mut session, "clip@objects", OBJECT), None);
    let problems = juror_session::problems(&session.linked());
    let codes: Vec<&str> = problems.iter().map(|one| one.code.as_str()).collect();
    for code in ["bad_line", "stray_measure", "unasked_measure"] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    let overview = juror_session::overview(&session.study(&PAPER));
    let lpips = overview
        .criteria
        .iter()
        .find(|one| one.id == "lpips@objects");
    assert_eq!(
        lpips.unwrap().direction,
        juror_model::terms::Direction::Down
    );
    let counts = &overview.measures;
    assert_eq!(counts.iter().map(|one| one.file).sum::<u32>(), 3);
    // What is written again says whose values they are, and reads as the same rows.
    let written = juror_session::measures(&session.linked());
    assert!(written.contains("\"protocol\":\"micon\""), "{written}");
    let mut again = suite().file("E/measures.jsonl", &written).open();
    close(measured(&mut again, "clip@prompt", OBJECT), (0.36, 2, 2));
}

/// A value of I2I that was computed here.
fn computed(case: &str, value: Option<f64>) -> Measure {
    Measure {
        format: juror_session::measure::FORMAT.to_owned(),
        protocol: "micon".to_owned(),
        model: "alpha".to_owned(),
        sample: format!("{OBJECT}/{case}"),
        metric: "clip".to_owned(),
        against: "objects".to_owned(),
        value,
        problem: value.is_none().then(|| "no box".to_owned()),
        backend: "cpu".to_owned(),
        output: "aa".to_owned(),
        ..Measure::default()
    }
}

#[test]
fn a_list_and_computed_values_of_table_4_are_a_finding_where_both_are_there() {
    let found = |listed: &[&str], own: &[Measure]| {
        let mut list = "model,sample,metric,value\n".to_owned();
        for case in listed {
            writeln!(list, "alpha,{OBJECT}/{case},I2I,0.25").unwrap();
        }
        let mut session = suite().file("E/table4.csv", &list).open();
        juror_session::add_measures(&mut session, own.to_vec());
        let problems = juror_session::problems(&session.linked());
        let has = |code: &str| problems.iter().any(|one| one.code == code);
        let codes = ["two_sources", "mixed_sources"].map(has);
        (
            codes,
            measured(&mut session, "clip@objects", OBJECT).unwrap(),
        )
    };
    let (first, second) = ("case_0001", "case_0002");
    let near = |mean: Option<f64>, wanted: f64| (mean.unwrap() - wanted).abs() < 1e-12;
    let (codes, (mean, n, _)) = found(&[first], &[]);
    assert!(codes == [false; 2] && near(mean, 0.25) && n == 1);
    // The later one counts, be it that there is none.
    let (codes, (mean, n, _)) = found(&[first], &[computed(first, Some(0.75))]);
    assert!(codes == [true, false] && near(mean, 0.75) && n == 1);
    let (codes, (mean, n, _)) = found(&[first], &[computed(first, None)]);
    assert!(codes == [true, false] && mean.is_none() && n == 0);
    let (codes, (mean, n, _)) = found(&[first], &[computed(second, Some(0.75))]);
    assert!(codes == [false, true] && near(mean, 0.5) && n == 2);
    // What could not even be tried takes nothing away.
    let refused = Measure {
        output: String::new(),
        ..computed(first, None)
    };
    let (codes, (mean, n, _)) = found(&[first], &[refused]);
    assert!(codes == [false; 2] && near(mean, 0.25) && n == 1);
}

#[test]
fn objects_are_offered_and_planned_with_their_box_files() {
    let plain = juror_session::measure_offer(&suite().open().linked());
    assert!(!plain.against.iter().any(|one| one.id == "objects"));
    let own = format!("E/outputs/generations/alpha/boxes/{OBJECT}/case_0001.json");
    let of = |label: &str| format!("E/data/boxes/{OBJECT}/case_0001.{label}.json");
    let boxed = suite()
        .file(&own, "{}")
        .file(&of("RA"), "{}")
        .file(&of("RB"), "{}");
    let mut session = boxed.open();
    let session = session.linked();
    let offer = juror_session::measure_offer(&session);
    let objects = offer.against.iter().find(|one| one.id == "objects");
    // Both cases of the Object task; other tasks are not measured so.
    assert_eq!(objects.unwrap().turns, 2);
    let query = MeasureQuery {
        metrics: ["clip", "ssim", "lpips"].map(str::to_owned).to_vec(),
        against: vec!["objects".to_owned()],
        models: vec!["alpha".to_owned()],
        ..MeasureQuery::default()
    };
    let plan = juror_session::measure_plan(&session, &query).unwrap();
    let [pair] = &plan.pairs[..] else {
        panic!("{:?}", plan.pairs);
    };
    assert_eq!(pair.metrics, ["clip", "lpips"]);
    assert_eq!(pair.box_files, [own, of("RA"), of("RB")]);
    // The output's box file, then picture and box file of each reference.
    assert_eq!(pair.objects.len(), 5);
    let refused: Vec<&str> = (plan.refused.iter())
        .filter_map(|one| one.problem.as_deref())
        .collect();
    let wanted = "alpha/boxes/object_composition/case_0002.json";
    assert!(
        refused.len() == 2 && refused.iter().all(|one| one.contains(wanted)),
        "{refused:?}"
    );
}

#[test]
fn the_printed_similarities_of_table_4_stand_beside_measured_rows() {
    let published = juror_protocols::registry::ALL
        .iter()
        .find(|one| one.id() == "micon")
        .unwrap()
        .published();
    let row = published.rows.iter().find(|row| {
        row.model == "OmniGen2 + DAR" && row.judge.is_meant(juror_session::measure::MEASURED)
    });
    let cells = &row.unwrap().cells;
    assert_eq!(cells.len(), 8);
    let cell = |key: &str, criterion: &str| {
        let found = cells
            .iter()
            .find(|one| one.key == key && one.criterion == criterion);
        found.unwrap().value.to_string()
    };
    assert_eq!(cell(OBJECT, "clip@prompt"), "0.3648");
    assert_eq!(
        cell("spatial_geometric_constraints", "lpips@objects"),
        "0.636"
    );
}
