//! Judges beside people and beside each other, through the session, by hand arithmetic.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "these figures are whole numbers, exactly")]

use juror_core::journal;
use juror_core::model::options::ScoreOptions;
use juror_core::ratings::Rating;
use juror_core::session::{self, Session};
use juror_core::view::agreement::{Agreement, AgreementRow, PairKey};
use juror_core::view::rating::RateScope;
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
    let agreement = session::agreement(&mut session(&two_judges(), ""), &ScoreOptions::default());
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
    let agreement = session::agreement(
        &mut session(&two_judges(), ratings),
        &ScoreOptions::default(),
    );
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
    let agreement = session::agreement(&mut session(&records, ""), &ScoreOptions::default());
    let steady = &agreement.steadiness[0];
    assert_eq!((steady.runs, steady.n, steady.max_spread), (2, 4, 4.0));
    // Means of the runs 4 and 5: SD √½, over √2 is ½.
    assert!((steady.standard_error - 0.5).abs() < 1e-12);
    assert!((steady.sd - 8f64.sqrt() / 4.0).abs() < 1e-12);
}

#[test]
fn the_template_names_what_can_be_rated_and_is_no_rating_itself() {
    let mut session = session(&two_judges(), "");
    let template = session::ratings_template(&mut session);
    assert_eq!(template.lines().count(), 1 + IDS.len() * 3);
    assert!(template.contains("0,0,m,key_point,,\n"));
    let mut again = self::session(&two_judges(), &template);
    assert_eq!(
        session::agreement(&mut again, &ScoreOptions::default()).ratings,
        0
    );
    assert!(session::unknown_files(&mut again).is_empty());
}

#[test]
fn a_rating_that_cannot_be_read_is_a_problem_with_its_line() {
    let ratings = "sample,model,criterion,rater,score\n0,m,image_quality,ann,good\n";
    let problems = session::problems(&mut session(&two_judges(), ratings));
    let bad = problems
        .iter()
        .find(|problem| problem.code == "bad_rating")
        .unwrap();
    assert_eq!(
        (bad.path.as_str(), bad.place.as_str()),
        ("r/ratings.csv", "line 2")
    );
}

#[test]
fn each_rater_is_compared_with_each_judge_and_all_of_them_with_each_other() {
    let ratings = "sample,model,criterion,rater,score\n\
        0,m,image_quality,ann,2\n1,m,image_quality,ann,4\n2,m,image_quality,ann,6\n\
        0,m,image_quality,bob,4\n1,m,image_quality,bob,4\n";
    let mut session = session(&two_judges(), ratings);
    let agreement = session::agreement(&mut session, &ScoreOptions::default());
    let sides: Vec<(&str, &str, u32)> = agreement
        .pairs
        .iter()
        .filter(|row| row.kind == "human_judge" && row.b == "a")
        .map(|row| (row.a.as_str(), row.criterion.as_str(), row.n))
        .collect();
    assert_eq!(
        sides,
        [
            ("people", "image_quality", 3),
            ("ann", "image_quality", 3),
            ("bob", "image_quality", 2)
        ]
    );
    // Two outputs were rated by both: 2 4 and 4 4. Dₒ = 2·4/4, Dₑ = 2 · 3/3: 1 − 2/2.
    let all = &agreement.people[0];
    assert_eq!((all.raters, all.n), (2, 2));
    assert_eq!(all.alpha_interval.unwrap().value, 0.0);
    assert_eq!(all.common.unwrap().share, 0.75);
    let key = PairKey {
        options: ScoreOptions::default(),
        kind: "human_judge".to_owned(),
        a: "bob".to_owned(),
        b: "a".to_owned(),
        model: String::new(),
        criterion: "image_quality".to_owned(),
    };
    let detail = session::agreement_pair(&mut session, &key).unwrap();
    assert_eq!(detail.steps.len(), 11);
    // Bob says 4 where the judge says 2 and 4.
    assert_eq!((detail.counts[4][2], detail.counts[4][4]), (1, 1));
    let total: u32 = detail.counts.iter().flatten().sum();
    assert_eq!(total, detail.row.n);
    let largest = &detail.disagreements[0];
    assert_eq!(
        (largest.sample.as_str(), largest.a, largest.b),
        ("0", 4.0, 2.0)
    );
    assert_eq!(
        detail.disagreements.len(),
        1,
        "equal scores are no disagreement"
    );
    let nobody = PairKey {
        a: "carl".to_owned(),
        ..key
    };
    assert_eq!(
        session::agreement_pair(&mut session, &nobody)
            .unwrap_err()
            .code,
        "unknown_pair"
    );
}

#[test]
fn one_rater_and_raters_without_an_output_in_common_have_no_agreement() {
    let ratings = "sample,model,criterion,rater,score\n0,m,image_quality,ann,2\n";
    let agreement = session::agreement(
        &mut session(&two_judges(), ratings),
        &ScoreOptions::default(),
    );
    assert!(agreement.people.is_empty());
    let apart = format!("{ratings}1,m,image_quality,bob,2\n");
    let agreement = session::agreement(
        &mut session(&two_judges(), &apart),
        &ScoreOptions::default(),
    );
    assert!(agreement.people.is_empty());
    assert!(agreement.pairs.iter().all(|row| row.kind != "human_human"));
}

#[test]
fn a_later_rating_of_the_same_rater_counts_and_the_page_is_told() {
    let ratings = "sample,model,criterion,rater,score,time\n\
        0,m,image_quality,ann,9,2026-11-20T11:00:00.000Z\n0,m,image_quality,ann,1,2026-11-20T10:00:00.000Z\n";
    let mut session = session(&two_judges(), ratings);
    let replaced = |session: &mut Session| {
        let problems = session::problems(session);
        problems
            .iter()
            .filter(|one| one.code == "rating_replaced")
            .count()
    };
    assert_eq!(
        session::agreement(&mut session, &ScoreOptions::default()).ratings,
        1
    );
    assert_eq!(replaced(&mut session), 1);
    let csv = session::ratings_csv(&mut session, Some("ann"));
    assert!(
        csv.contains("0,0,m,image_quality,ann,9,2026-11-20T11:00:00.000Z,,\n"),
        "{csv}"
    );
    // What the browser keeps merges with the file, and what was taken back there is gone.
    session::use_ratings(
        &mut session,
        vec![Rating {
            sample: "0".to_owned(),
            model: "m".to_owned(),
            criterion: "image_quality".to_owned(),
            rater: "ann".to_owned(),
            time: "2026-11-20T12:00:00.000Z".to_owned(),
            ..Rating::default()
        }],
    );
    assert_eq!(
        session::agreement(&mut session, &ScoreOptions::default()).ratings,
        0
    );
}

#[test]
fn what_a_rater_corrects_in_the_browser_is_no_conflict() {
    let mut session = session(&two_judges(), "");
    let chosen = |score: f64, time: &str| Rating {
        sample: "0".to_owned(),
        model: "m".to_owned(),
        criterion: "image_quality".to_owned(),
        rater: "ann".to_owned(),
        score: Some(score),
        time: time.to_owned(),
        ..Rating::default()
    };
    session::use_ratings(
        &mut session,
        vec![
            chosen(1.0, "2026-11-20T12:00:00.000Z"),
            chosen(10.0, "2026-11-20T12:00:01.000Z"),
        ],
    );
    let csv = session::ratings_csv(&mut session, None);
    assert!(csv.contains(",ann,10,"), "{csv}");
    let problems = session::problems(&mut session);
    assert!(problems.iter().all(|one| one.code != "rating_replaced"));
}

/// Sample ids of a plan, in order.
fn order(session: &mut Session, rater: &str, seed: u32, samples: u32) -> Vec<String> {
    let scope = RateScope {
        rater: rater.to_owned(),
        seed,
        samples,
        ..RateScope::default()
    };
    let tasks = session::rate_plan(session, &scope).tasks.into_iter();
    tasks.map(|task| task.key.sample).collect()
}

#[test]
fn raters_share_a_subset_and_not_its_order() {
    // No replies: what can be rated are outputs.
    let dialogues: Vec<_> = (0..30)
        .map(|idx| Dialogue {
            idx,
            num_pictures: 1,
            num_texts: 0,
        })
        .collect();
    let items: Vec<_> = dialogues.iter().map(Dialogue::item).collect();
    let mut files: Vec<File> = vec![(
        "b/test.json".to_owned(),
        serde_json::to_vec(&items).unwrap(),
    )];
    for dialogue in &dialogues {
        for number in 1..=2 {
            files.push((
                format!("b/imgs/{}", dialogue.picture(number)),
                b"x".to_vec(),
            ));
        }
        files.push((
            format!("result/secret/imgs/{}", dialogue.picture(2)),
            b"y".to_vec(),
        ));
    }
    let mut session = open(&files);
    let [ann, bob] = ["ann", "bob"].map(|rater| order(&mut session, rater, 1, 10));
    assert_eq!(ann.len(), 10);
    assert_ne!(ann, bob);
    let sorted = |ids: &[String]| {
        let mut ids = ids.to_vec();
        ids.sort();
        ids
    };
    assert_eq!(sorted(&ann), sorted(&bob));
    assert_eq!(order(&mut session, "ann", 1, 10), ann, "the same each time");
    assert_ne!(sorted(&order(&mut session, "ann", 2, 10)), sorted(&ann));
    let larger = order(&mut session, "ann", 1, 20);
    assert!(ann.iter().all(|id| larger.contains(id)));
    assert_eq!(order(&mut session, "ann", 1, 0).len(), 30);
    let scope = RateScope {
        rater: "ann".to_owned(),
        ..RateScope::default()
    };
    let plan = session::rate_plan(&mut session, &scope);
    assert_eq!(
        plan.criteria.len(),
        3,
        "a text's criterion is not asked for here"
    );
    assert_eq!(plan.criteria[0].steps.len(), 11);
    let item = session::rate_item(&mut session, &plan.tasks[0].key).unwrap();
    let shown = serde_json::to_string(&item).unwrap();
    assert!(
        !shown.contains("secret") && !shown.contains(".png"),
        "{shown}"
    );
    let kinds: Vec<&str> = item
        .pictures
        .iter()
        .map(|picture| picture.kind.as_str())
        .collect();
    assert_eq!(kinds, ["reference", "golden"]);
    assert!(item.output.unwrap().file.is_some());
}
