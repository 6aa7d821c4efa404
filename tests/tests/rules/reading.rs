//! The tolerant reading of replies, through a session: what it adds, what it never adds, and where it is told.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_evidence::report;
use juror_model::options::{Profile, ReplyReading, ScoreOptions};
use juror_model::problem::Severity;
use juror_session::Session;
use juror_tests::generate::{File, open};
use serde_json::{Value, json};

const LABELS: [&str; 5] = juror_protocols::multibanana::LABELS;

fn options(reading: ReplyReading) -> ScoreOptions {
    ScoreOptions {
        reading,
        ..ScoreOptions::default()
    }
}

fn released() -> ScoreOptions {
    ScoreOptions {
        profile: Profile::Released,
        ..ScoreOptions::default()
    }
}

fn block(values: [u32; 5], line: impl Fn(&str, u32) -> String) -> String {
    let lines = LABELS.iter().zip(values);
    let lines = lines.map(|(label, value)| line(label, value));
    lines.collect::<Vec<_>>().join("\n")
}

fn plain(label: &str, value: u32) -> String {
    format!("{label}: {value}")
}

fn bold(label: &str, value: u32) -> String {
    format!("**{label}**: {value}")
}

/// MultiBanana with a set for each reply of the judge `gpt`.
fn suite(replies: &[String]) -> Session {
    let mut files: Vec<File> = Vec::new();
    let mut file = |path: String, text: &str| files.push((path, text.as_bytes().to_vec()));
    for (at, reply) in replies.iter().enumerate() {
        let set = format!("{:03}", at + 1);
        file(format!("data/add/{set}_prompt.txt"), "Add it.");
        file(format!("data/add/{set}_0.jpg"), "reference");
        file(format!("data/add/{set}_1.jpg"), "reference");
        file(format!("outputs/m/add/{set}_generated.png"), "output");
        file(format!("outputs/m/add/{set}_gpt_judge.txt"), reply);
    }
    open(&files)
}

fn thoughtful() -> String {
    let draft = block([3, 2, 4, 3, 4], plain);
    let last = block([9, 8, 9, 8, 9], plain);
    format!("<think>\nFirst pass.\n{draft}\nToo harsh.\n</think>\n\nReasoning: fine.\n\n{last}\n")
}

/// The overall total with its count.
fn total(session: &mut Session, options: &ScoreOptions) -> (Option<f64>, u32) {
    let rows = juror_session::score_rows(&session.study(options));
    let mut own = rows.iter().filter(|row| row.scope == "overall");
    let row = own.find(|row| row.criterion == "total").unwrap();
    (row.mean, row.n)
}

fn problem(
    session: &mut Session,
    options: &ScoreOptions,
    code: &str,
) -> Option<(Severity, String)> {
    juror_session::score_rows(&session.study(options));
    let found = juror_session::problems_of_standing(session);
    let mut own = found.into_iter().filter(|problem| problem.code == code);
    own.next().map(|one| (one.severity, one.message))
}

#[test]
fn the_final_block_behind_a_models_thoughts_counts_once_the_tolerant_reading_is_chosen() {
    let mut session = suite(&[thoughtful(), thoughtful()]);
    let strict = options(ReplyReading::Strict);
    let tolerant = options(ReplyReading::Tolerant);
    assert_eq!(total(&mut session, &strict), (None, 0));
    let (mean, n) = total(&mut session, &tolerant);
    assert!((mean.unwrap() - 77.0 / 9.0).abs() < 1e-12 && n == 2);
    // The choice is never kept by itself.
    assert_eq!(total(&mut session, &strict), (None, 0));
}

#[test]
fn the_strict_incident_names_the_thoughts_and_how_to_exclude_them() {
    let mut session = suite(&[thoughtful()]);
    let report = juror_session::report(&session.study(&options(ReplyReading::Strict)));
    let details: Vec<&str> = report.incidents.iter().map(|one| &*one.detail).collect();
    assert!(
        details
            .iter()
            .any(|detail| detail.contains("thoughts of a reasoning model")
                && detail.contains("send them apart")),
        "{details:?}"
    );
}

#[test]
fn the_authors_reading_of_a_draft_is_a_warning_under_released_and_stays_their_number() {
    let mut session = suite(&[thoughtful()]);
    let (mean, _) = total(&mut session, &released());
    assert!((mean.unwrap() - 3.2).abs() < 1e-12);
    let (severity, message) = problem(&mut session, &released(), "thoughts_read").unwrap();
    assert_eq!(severity, Severity::Warning);
    assert!(
        message.starts_with("1 reply is read within <think>"),
        "{message}"
    );
    // Where the thoughts hold no draft there is nothing to warn of.
    let last = block([9, 8, 9, 8, 9], plain);
    let mut harmless = suite(&[format!("<think>Lit.</think>\n{last}")]);
    assert_eq!(problem(&mut harmless, &released(), "thoughts_read"), None);
}

#[test]
fn a_draft_within_thoughts_as_ollama_prints_them_is_warned_of_and_set_aside_alike() {
    let thoughts = thoughtful().replace("<think>", "Thinking...");
    let printed = thoughts.replace("</think>", "...done thinking.");
    let mut session = suite(std::slice::from_ref(&printed));
    let (mean, _) = total(&mut session, &released());
    assert!((mean.unwrap() - 3.2).abs() < 1e-12);
    let (severity, _) = problem(&mut session, &released(), "thoughts_read").unwrap();
    assert_eq!(severity, Severity::Warning);
    let tolerant = |reply: String| total(&mut suite(&[reply]), &options(ReplyReading::Tolerant));
    assert_eq!(tolerant(printed), tolerant(thoughtful()));
    // A judge that begins a line with the same word only thinks aloud.
    let aloud = format!(
        "Thinking... of the lamp.\n{}",
        block([9, 8, 9, 8, 9], plain)
    );
    let mut harmless = suite(&[aloud]);
    assert_eq!(problem(&mut harmless, &released(), "thoughts_read"), None);
    let (mean, _) = total(&mut harmless, &released());
    assert!((mean.unwrap() - 8.6).abs() < 1e-12, "{mean:?}");
}

#[test]
fn each_allowance_is_named_and_counted_for_its_judge_as_an_offer_and_as_provenance() {
    let other = block([9, 8, 9, 8, 9], bold);
    let mut session = suite(&[
        thoughtful(),
        other.clone(),
        other,
        block([7, 7, 7, 7, 7], plain),
    ]);
    let strict = options(ReplyReading::Strict);
    let (severity, message) = problem(&mut session, &strict, "tolerant_offer").unwrap();
    assert_eq!(severity, Severity::Warning);
    assert_eq!(
        message,
        "3 more replies can be read: bold 2, thoughts set aside 1."
    );
    let tolerant = options(ReplyReading::Tolerant);
    assert_eq!(problem(&mut session, &tolerant, "tolerant_offer"), None);
    let (severity, _) = problem(&mut session, &tolerant, "read_tolerantly").unwrap();
    assert_eq!(severity, Severity::Note);
    let json: Value =
        serde_json::from_str(&juror_session::report(&session.study(&tolerant)).to_json()).unwrap();
    assert_eq!(json["provenance"]["reading"], "tolerant");
    assert_eq!(
        json["provenance"]["tolerance"],
        json!([{"judge": "gpt", "replies": 3, "allowances": [
            {"name": "bold", "replies": 2}, {"name": "thoughts set aside", "replies": 1}]}])
    );
    // A report of the strict reading says nothing of it, as before there was another one.
    let strict: Value =
        serde_json::from_str(&juror_session::report(&session.study(&strict)).to_json()).unwrap();
    assert!(strict["provenance"].get("reading").is_none());
    assert!(strict["provenance"].get("tolerance").is_none());
}

#[test]
fn two_verdicts_that_differ_are_refused_by_every_reading() {
    let (first, second) = (block([3, 2, 4, 3, 4], bold), block([9, 8, 9, 8, 9], bold));
    let cut = block([9, 8, 9, 8, 9], bold).replace("**Visual Quality**: 9", "**Visual Quality**:");
    let off = block([9, 8, 9, 8, 11], bold);
    let mut session = suite(&[format!("{first}\n\n{second}"), cut, off]);
    for reading in [ReplyReading::Strict, ReplyReading::Tolerant] {
        assert_eq!(total(&mut session, &options(reading)), (None, 0));
    }
    assert_eq!(
        problem(
            &mut session,
            &options(ReplyReading::Strict),
            "tolerant_offer"
        ),
        None
    );
}

#[test]
fn a_csv_of_scores_states_the_tolerant_reading_and_has_no_null() {
    let mut session = suite(&[thoughtful()]);
    let tolerant = options(ReplyReading::Tolerant);
    let csv = report::csv_as(
        juror_session::score_rows(&session.study(&tolerant)),
        tolerant.reading(),
    );
    assert!(csv.lines().next().unwrap().ends_with(",best,reading"));
    assert!(csv.lines().skip(1).all(|line| line.ends_with(",tolerant")));
    // A number without end is an empty field.
    let mut rows = juror_session::score_rows(&session.study(&tolerant)).to_vec();
    rows[0].mean = Some(f64::NAN);
    rows[0].best = Some(f64::INFINITY);
    let csv = report::csv(&rows);
    assert!(!csv.contains("null") && !csv.contains("NaN"), "{csv}");
}

#[test]
fn a_number_of_400_digits_leaves_the_released_profile_without_scores_and_says_why() {
    let long = "9".repeat(400);
    let reply = block([9, 8, 9, 8, 9], plain).replacen('9', &long, 1);
    let mut session = suite(&[reply, block([7; 5], plain)]);
    assert_eq!(total(&mut session, &released()).0, None);
    let report = juror_session::report(&session.study(&released()));
    let problems = report.provenance.problems.iter();
    let mut own = problems.filter(|problem| problem.code == "no_result");
    let message = &own.next().unwrap().message;
    assert!(message.contains("OverflowError"), "{message}");
    assert_eq!(total(&mut session, &options(ReplyReading::Strict)).1, 1);
}
