//! Judges beside people and beside each other, through the session, by hand arithmetic.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "these figures are whole numbers, exactly")]

use juror_core::journal;
use juror_core::session::Session;
use juror_core::view::{Agreement, AgreementRow, ScoreOptions};
use juror_tests::generate::{Dialogue, File, open};
use serde_json::json;

const IDS: [usize; 4] = [0, 1, 2, 3];

fn record(sample: usize, judge: &str, run: u32, score: u32) -> journal::Record {
    journal::Record {
        format: journal::FORMAT.to_owned(),
        protocol: "weave".to_owned(),
        model: "m".to_owned(),
        sample: sample.to_string(),
        turn: 0,
        criterion: "image_quality".to_owned(),
        judge: judge.to_owned(),
        run,
        time: String::new(),
        request: None,
        prompts: String::new(),
        reply: json!({"score": score, "reasoning": "r"}).to_string(),
        error: None,
        ..journal::Record::default()
    }
}

fn session(records: &[journal::Record], ratings: &str) -> Session {
    let dialogues: Vec<_> = IDS
        .iter()
        .map(|idx| {
            Dialogue {
                idx: *idx,
                num_pictures: 1,
                num_texts: 0,
            }
            .item()
        })
        .collect();
    let files: Vec<File> = vec![
        (
            "b/test.json".to_owned(),
            serde_json::to_vec(&dialogues).unwrap(),
        ),
        (
            "r/journal.jsonl".to_owned(),
            journal::write(records).into_bytes(),
        ),
        ("r/ratings.csv".to_owned(), ratings.as_bytes().to_vec()),
    ];
    open(&files)
}

fn row<'a>(agreement: &'a Agreement, kind: &str, b: &str) -> &'a AgreementRow {
    agreement
        .pairs
        .iter()
        .find(|row| row.kind == kind && row.b == b && row.criterion == "image_quality")
        .unwrap()
}

fn two_judges() -> Vec<journal::Record> {
    let scores = [(2, 4), (4, 4), (6, 8), (8, 8)];
    let pairs = IDS.into_iter().zip(scores);
    pairs
        .flat_map(|(id, (a, b))| [record(id, "a", 1, a), record(id, "b", 1, b)])
        .collect()
}

#[test]
fn two_judges_agree_as_far_as_a_pencil_says() {
    let agreement = session(&two_judges(), "").agreement(&ScoreOptions::default());
    let row = row(&agreement, "judge_judge", "b");
    assert_eq!((row.a.as_str(), row.n, row.model.as_str()), ("a", 4, ""));
    // Deviations −3 −1 1 3 and −2 −2 2 2: r = 16 / √(20 · 16).
    let r = row.pearson.unwrap();
    assert!((r.value - 16.0 / 320f64.sqrt()).abs() < 1e-12);
    assert!(r.low.unwrap() < r.value && r.value < r.high.unwrap());
    assert_eq!(row.mae.unwrap().value, 1.0);
    assert_eq!(row.mse.unwrap().value, 2.0);
    // Two of four are equal; by chance 4·4/16 of 4 and 8: (1·2 + 1·2)/16 = 1/4, so (1/2 − 1/4)/(3/4).
    assert!((row.kappa.unwrap().value - 1.0 / 3.0).abs() < 1e-12);
    assert!(agreement.steadiness.is_empty(), "each judge has one run");
}

#[test]
fn people_are_averaged_before_they_are_compared() {
    let ratings = "sample,model,criterion,rater,score\n\
        0,m,image_quality,ann,1\n0,m,image_quality,bob,3\n\
        1,m,image_quality,ann,4\n2,m,image_quality,ann,6\n9,m,image_quality,ann,6\n";
    let agreement = session(&two_judges(), ratings).agreement(&ScoreOptions::default());
    assert_eq!(agreement.raters, ["ann", "bob"]);
    assert_eq!((agreement.ratings, agreement.strangers), (4, 1));
    let with_a = row(&agreement, "human_judge", "a");
    assert_eq!((with_a.n, with_a.mae.unwrap().value), (3, 0.0));
    let with_b = row(&agreement, "human_judge", "b");
    assert!(with_b.mae.unwrap().value > 0.0);
    assert_eq!(row(&agreement, "human_human", "bob").n, 1);
}

#[test]
fn runs_tell_how_steady_a_judge_is() {
    let records: Vec<_> = IDS
        .into_iter()
        .flat_map(|id| {
            [
                record(id, "a", 1, 4),
                record(id, "a", 2, if id == 0 { 8 } else { 4 }),
            ]
        })
        .collect();
    let agreement = session(&records, "").agreement(&ScoreOptions::default());
    let steady = &agreement.steadiness[0];
    assert_eq!((steady.runs, steady.n, steady.max_spread), (2, 4, 4.0));
    // Means of the runs 4 and 5: SD √½, over √2 is ½.
    assert!((steady.standard_error - 0.5).abs() < 1e-12);
    assert!((steady.sd - 8f64.sqrt() / 4.0).abs() < 1e-12);
}

#[test]
fn the_template_names_what_can_be_rated_and_is_no_rating_itself() {
    let mut session = session(&two_judges(), "");
    let template = session.ratings_template();
    assert_eq!(template.lines().count(), 1 + IDS.len() * 3);
    assert!(template.contains("0,0,m,key_point,,\n"));
    let mut again = self::session(&two_judges(), &template);
    assert_eq!(again.agreement(&ScoreOptions::default()).ratings, 0);
    assert!(again.unknown_files().is_empty());
}

#[test]
fn a_rating_that_cannot_be_read_is_a_problem_with_its_line() {
    let ratings = "sample,model,criterion,rater,score\n0,m,image_quality,ann,good\n";
    let problems = session(&two_judges(), ratings).problems();
    let bad = problems
        .iter()
        .find(|problem| problem.code == "bad_rating")
        .unwrap();
    assert_eq!(
        (bad.path.as_str(), bad.place.as_str()),
        ("r/ratings.csv", "line 2")
    );
}
