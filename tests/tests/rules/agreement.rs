//! Judges beside people and beside each other, through the session, by hand arithmetic.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "these figures are whole numbers, exactly")]

use std::fmt::Write as _;

use juror_judging::journal;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::subset::Subset;
use juror_session::Session;
use juror_session::plots::{PlotKind, PlotQuery};
use juror_session::rating_file::Rating;
use juror_session::view::agreement::{
    Agreement, AgreementQuery, AgreementRow, PairKey, RankingRow, RankingsQuery,
};
use juror_session::view::rating::{RateItems, RateScope};
use juror_statistics::level::Level;
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

/// Agreement over all samples, with intervals as usual.
fn compared(session: &mut Session) -> Agreement {
    juror_session::agreement(
        &session.study(&ScoreOptions::default()),
        &AgreementQuery::default(),
    )
    .unwrap()
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
    let agreement = compared(&mut session(&two_judges(), ""));
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
    let agreement = compared(&mut session(&two_judges(), ratings));
    assert_eq!(agreement.raters, ["ann", "bob"]);
    assert_eq!((agreement.ratings, agreement.unknown_samples), (4, 1));
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
    let agreement = compared(&mut session(&records, ""));
    let steady = &agreement.steadiness[0];
    assert_eq!((steady.runs, steady.n, steady.max_spread), (2, 4, 4.0));
    // Means of the runs 4 and 5: SD √½, over √2 is ½.
    assert_eq!(
        (steady.averages.as_slice(), steady.expected),
        ([4.0, 5.0].as_slice(), 4)
    );
    assert_eq!(steady.largest_difference, 1.0);
    assert!((steady.sd_of_averages - 0.5f64.sqrt()).abs() < 1e-12);
    assert!((steady.standard_error - 0.5).abs() < 1e-12);
    assert!((steady.sd - 8f64.sqrt() / 4.0).abs() < 1e-12);
}

#[test]
fn the_template_names_what_can_be_rated_and_is_no_rating_itself() {
    let mut session = session(&two_judges(), "");
    let template = juror_session::ratings_template(&session.linked(), RateItems::Criteria, None);
    assert_eq!(template.lines().count(), 1 + IDS.len() * 3);
    assert!(template.contains("0,0,m,key_point,,\n"));
    let one: Subset = "1".parse().unwrap();
    let some = juror_session::ratings_template(&session.linked(), RateItems::Criteria, Some(&one));
    let id = some.lines().nth(1).unwrap().split(',').next().unwrap();
    let mut own = template
        .lines()
        .filter(|line| line.split(',').next() == Some(id));
    assert!(
        some.lines().skip(1).eq(own.by_ref()) && some.lines().count() == 4,
        "{some}"
    );
    let mut again = self::session(&two_judges(), &template);
    assert_eq!(compared(&mut again).ratings, 0);
    assert!(juror_session::unknown_files(&again.linked()).is_empty());
}

#[test]
fn a_rating_that_cannot_be_read_is_a_problem_with_its_line() {
    let ratings = "sample,model,criterion,rater,score\n0,m,image_quality,ann,good\n";
    let problems = juror_session::problems(&session(&two_judges(), ratings).linked());
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
fn ratings_that_count_nowhere_are_named_with_why() {
    let head = "sample,turn,model,criterion,rater,score\n";
    let stray = |rows: &str| -> Vec<String> {
        let mut session = session(&two_judges(), &format!("{head}{rows}"));
        let findings = juror_session::problems(&session.linked()).into_iter();
        findings
            .filter(|found| found.code.starts_with("stray") || found.code.ends_with("off_scale"))
            .map(|found| format!("{}: {}", found.code, found.message))
            .collect()
    };
    let good = "0,0,m,image_quality,ann,2\n0,0,m,key_point,ann,10\n0,0,m,total,ann,0.9\n";
    assert_eq!(stray(good), Vec::<String>::new());
    for (row, expected) in [
        (
            "0,0,m,Image Quality,ann,2",
            "stray_criteria: 1 rating is by a criterion that is not asked of the output; such ratings count nowhere (first: sample 0, turn 0, of m, Image Quality, by ann).",
        ),
        // A turn with a picture is not asked for the accuracy of an answer.
        (
            "0,0,m,accuracy,ann,1",
            "stray_criteria: 1 rating is by a criterion that is not asked of the output; such ratings count nowhere (first: sample 0, turn 0, of m, accuracy, by ann).",
        ),
        (
            "0,1,m,key_point,ann,1",
            "stray_ratings: 1 rating is about outputs that are not here; such ratings count nowhere (first: sample 0, turn 1, of m, key_point, by ann).",
        ),
        (
            "0,0,m,key_point,ann,11",
            "ratings_off_scale: 1 rating is off the scale of the criterion; such values count as they are (first: sample 0, turn 0, of m, key_point, by ann).",
        ),
    ] {
        assert_eq!(stray(&format!("{good}{row}\n")), [expected], "{row}");
    }
}

/// WEAVEBench with the dialogues 6, of two turns, and 15, of one, beside these ratings.
fn with_turns(ratings: &str) -> Session {
    let mut files = crate::trust::weave();
    files.push(("ratings.csv".to_owned(), ratings.as_bytes().to_vec()));
    open(&files)
}

fn codes(session: &mut Session) -> Vec<(String, String)> {
    let found = juror_session::problems(&session.linked()).into_iter();
    let found = found.filter(|found| found.code.contains("rating"));
    found.map(|found| (found.code, found.message)).collect()
}

#[test]
fn a_rating_without_a_turn_counts_where_there_is_one_turn_alone() {
    let mut session = with_turns(
        "sample,model,criterion,rater,score\n6,alpha,key_point,ann,3\n15,alpha,key_point,ann,4\n",
    );
    assert_eq!(compared(&mut session).ratings, 1);
    let [(code, message)] = &*codes(&mut session) else {
        panic!("one finding");
    };
    assert_eq!(code, "turnless_ratings");
    assert!(
        message.starts_with("1 rating is without a turn, of samples that have several"),
        "{message}"
    );
    // With its turn each counts.
    let mut session = with_turns(
        "sample,turn,model,criterion,rater,score\n6,0,alpha,key_point,ann,3\n6,1,alpha,key_point,ann,3\n15,,alpha,key_point,ann,4\n",
    );
    assert_eq!(compared(&mut session).ratings, 3);
    assert_eq!(codes(&mut session), []);
}

#[test]
fn ratings_that_are_kept_count_as_those_of_the_file_they_came_from() {
    let text =
        "sample,model,criterion,rater,score\n6,alpha,key_point,ann,3\n15,alpha,key_point,ann,4\n";
    let read = juror_session::read_ratings("r.csv", text).unwrap().ratings;
    let kept: Vec<Rating> = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
    assert_eq!(kept, read);
    let mut session = with_turns("");
    juror_session::use_ratings(&mut session, kept.clone());
    assert_eq!(compared(&mut session).ratings, 1);
    assert_eq!(codes(&mut session)[0].0, "turnless_ratings");
    // It takes nothing's place, and is still there to be exported.
    let of_turn = Rating {
        lacks_turn: false,
        score: Some(9.0),
        ..kept[0].clone()
    };
    juror_session::use_ratings(&mut session, [vec![of_turn], kept].concat());
    assert_eq!(compared(&mut session).ratings, 2);
    let csv = juror_session::ratings_csv(&session.linked(), Some("ann"));
    let has = |row: &str| csv.lines().any(|line| line.starts_with(row));
    assert!(has("6,0,alpha,key_point,ann,9,"), "{csv}");
    assert!(has("6,,alpha,key_point,ann,3,"), "{csv}");
    // What was kept before this was told apart has its turn.
    let older = r#"{"sample":"6","turn":0,"model":"alpha","criterion":"key_point","rater":"ann","score":3.0,"time":"","note":"","seed":null}"#;
    let older: Rating = serde_json::from_str(older).unwrap();
    juror_session::use_ratings(&mut session, vec![older]);
    assert_eq!(compared(&mut session).ratings, 1);
    assert_eq!(codes(&mut session), []);
}

#[test]
fn two_ratings_of_which_none_is_later_are_named() {
    let rows = |second: u32| {
        format!(
            "sample,turn,model,criterion,rater,score\n15,0,alpha,key_point,ann,3\n15,0,alpha,key_point,ann,{second}\n"
        )
    };
    let [(code, message)] = &*codes(&mut with_turns(&rows(9))) else {
        panic!("one finding");
    };
    assert_eq!(code, "rating_twice");
    assert!(
        message.ends_with("nothing says which is later, so the last row counts."),
        "{message}"
    );
    assert_eq!(codes(&mut with_turns(&rows(3))), []);
}

#[test]
fn each_rater_is_compared_with_each_judge_and_all_of_them_with_each_other() {
    let ratings = "sample,model,criterion,rater,score\n\
        0,m,image_quality,ann,2\n1,m,image_quality,ann,4\n2,m,image_quality,ann,6\n\
        0,m,image_quality,bob,4\n1,m,image_quality,bob,4\n";
    let mut session = session(&two_judges(), ratings);
    let agreement = compared(&mut session);
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
        scope: String::new(),
        key: String::new(),
        level: Level::P95,
    };
    let detail = juror_session::agreement_pair(&session.study(&key.options), &key).unwrap();
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
        juror_session::agreement_pair(&session.study(&nobody.options), &nobody)
            .unwrap_err()
            .code(),
        "unknown_pair"
    );
}

#[test]
fn one_rater_and_raters_without_an_output_in_common_have_no_agreement() {
    let ratings = "sample,model,criterion,rater,score\n0,m,image_quality,ann,2\n";
    let agreement = compared(&mut session(&two_judges(), ratings));
    assert!(agreement.people.is_empty());
    let apart = format!("{ratings}1,m,image_quality,bob,2\n");
    let agreement = compared(&mut session(&two_judges(), &apart));
    assert!(agreement.people.is_empty());
    assert!(agreement.pairs.iter().all(|row| row.kind != "human_human"));
}

#[test]
fn a_later_rating_of_the_same_rater_counts_and_the_page_is_told() {
    let ratings = "sample,model,criterion,rater,score,time\n\
        0,m,image_quality,ann,9,2026-11-20T11:00:00.000Z\n0,m,image_quality,ann,1,2026-11-20T10:00:00.000Z\n";
    let mut session = session(&two_judges(), ratings);
    let replaced = |session: &mut Session| {
        let problems = juror_session::problems(&session.linked());
        problems
            .iter()
            .filter(|one| one.code == "rating_replaced")
            .count()
    };
    assert_eq!(compared(&mut session).ratings, 1);
    assert_eq!(replaced(&mut session), 1);
    let csv = juror_session::ratings_csv(&session.linked(), Some("ann"));
    assert!(
        csv.contains("0,0,m,image_quality,ann,9,2026-11-20T11:00:00.000Z,,\n"),
        "{csv}"
    );
    // What the browser keeps merges with the file, and what was taken back there is gone.
    juror_session::use_ratings(
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
    assert_eq!(compared(&mut session).ratings, 0);
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
    juror_session::use_ratings(
        &mut session,
        vec![
            chosen(1.0, "2026-11-20T12:00:00.000Z"),
            chosen(10.0, "2026-11-20T12:00:01.000Z"),
        ],
    );
    let csv = juror_session::ratings_csv(&session.linked(), None);
    assert!(csv.contains(",ann,10,"), "{csv}");
    let problems = juror_session::problems(&session.linked());
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
    let tasks = juror_session::rate_plan(&session.linked(), &scope)
        .tasks
        .into_iter();
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
    let plan = juror_session::rate_plan(&session.linked(), &scope);
    assert_eq!(
        plan.criteria.len(),
        3,
        "a text's criterion is not asked for here"
    );
    assert_eq!(plan.criteria[0].steps.len(), 11);
    let item = juror_session::rate_item(&session.linked(), &plan.tasks[0].key).unwrap();
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

/// A reply of a judge to a model's picture of a turn.
fn reply(model: &str, sample: usize, judge: &str, score: u32) -> journal::Record {
    journal::Record {
        model: model.to_owned(),
        ..record(sample, judge, 1, score)
    }
}

/// Three models of twelve samples by two judges: `a` puts them x, y, z, and `b` x, z, y; z's last sample is by `a` alone.
fn three_models() -> Vec<journal::Record> {
    let mut records = Vec::new();
    for sample in 0..12 {
        let odd = u32::try_from(sample % 2).unwrap();
        for (model, a, b) in [("x", 9, 8), ("y", 6, 3), ("z", 3, 5)] {
            records.push(reply(model, sample, "a", a + odd));
            if (model, sample) != ("z", 11) {
                records.push(reply(model, sample, "b", b + odd));
            }
        }
        records.push(reply("w", sample, "a", 1));
    }
    records
}

/// Twelve samples in two domains.
fn twelve(records: &[journal::Record], ratings: &str) -> Session {
    let dialogues: Vec<_> = (0..12)
        .map(|idx| {
            let mut item = Dialogue {
                idx,
                num_pictures: 1,
                num_texts: 0,
            }
            .item();
            item["domain"] = json!(if idx < 6 { "Physics" } else { "Chemistry" });
            item
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

fn ranked(session: &mut Session, a: &str, b: &str, scope: &str) -> Vec<RankingRow> {
    let query = RankingsQuery {
        a: a.to_owned(),
        b: b.to_owned(),
        criterion: "image_quality".to_owned(),
        scope: scope.to_owned(),
        profile: Profile::Paper,
        level: Level::P95,
    };
    juror_session::rankings(session, &query).unwrap().rows
}

#[test]
fn two_judges_rank_models_on_what_both_rated_and_what_both_tests_say_of_an_exchange_is_told() {
    let mut session = twelve(&three_models(), "");
    let rows = ranked(&mut session, "a", "b", "");
    assert_eq!((rows.len(), rows[0].key.as_str()), (1, ""));
    let row = &rows[0];
    let places: Vec<(&str, u32, f64, f64)> = row
        .models
        .iter()
        .map(|model| (&*model.model, model.n, model.rank_a, model.rank_b))
        .collect();
    assert_eq!(
        places,
        [
            ("x", 12, 1.0, 1.0),
            ("y", 12, 2.0, 3.0),
            ("z", 11, 3.0, 2.0)
        ]
    );
    assert!(row.models.iter().all(|model| model.expected == 12));
    assert_eq!(row.left_out, ["w"], "who one side alone rated is named");
    assert!(row.notes.iter().any(|note| note.contains("left out: w")));
    assert!(row.notes.iter().any(|note| note.contains("11 to 12")));
    // ρ = 1 − 6 · 2 / 24, τ = (2 − 1)/3; of the six orders all but the exact one and its reverse lie within.
    assert!((row.rho.unwrap() - 0.5).abs() < 1e-12);
    assert!((row.tau_b.unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(row.rho_p, Some(1.0));
    assert_eq!((row.pairs, row.tied, row.exchanged.len()), (3, 0, 1));
    let exchanged = &row.exchanged[0];
    assert_eq!((&*exchanged.model, &*exchanged.other), ("y", "z"));
    assert_eq!((exchanged.n, exchanged.expected), (11, 12));
    let [by_a, by_b] = [exchanged.by_a, exchanged.by_b];
    // On the printed scale, which is a tenth of the judge's.
    assert!((by_a.difference.unwrap() - 0.3).abs() < 1e-12);
    assert!((by_b.difference.unwrap() + 0.2).abs() < 1e-12);
    assert!(by_a.separated && by_b.separated);
    // x −0.1, y −0.3, z +0.2 throughout.
    assert!((row.mean_difference.unwrap() + 0.2 / 3.0).abs() < 1e-12);
    assert!((row.mean_absolute.unwrap() - 0.2).abs() < 1e-12);
    let y = row.models[1].difference;
    assert!((y.value + 0.3).abs() < 1e-12);
    assert!((y.high.unwrap() - y.low.unwrap()).abs() < 1e-9);
}

#[test]
fn a_scatter_plot_has_the_totals_that_peoples_answers_make_and_none_of_who_left_some_out() {
    let mut ratings = "sample,model,criterion,rater,score\n".to_owned();
    for sample in 0..12 {
        for (rater, score) in [("ann", 2), ("bob", 5)] {
            for criterion in ["key_point", "visual_consistency", "image_quality"] {
                if (rater, criterion) != ("bob", "key_point") {
                    // Writing to a string cannot fail.
                    let _ = writeln!(ratings, "{sample},x,{criterion},{rater},{score}");
                }
            }
        }
    }
    let mut records = three_models();
    for criterion in ["key_point", "visual_consistency"] {
        records.extend((0..12).map(|sample| journal::Record {
            criterion: criterion.to_owned(),
            ..reply("x", sample, "a", 8)
        }));
    }
    let mut session = twelve(&records, &ratings);
    let query = PlotQuery {
        kind: PlotKind::Scatter,
        criterion: "total".to_owned(),
        a: "judge:a".to_owned(),
        b: "rater:ann".to_owned(),
        ..PlotQuery::default()
    };
    let plot = juror_session::plot(&session.study(&query.options), &query);
    let people: Vec<&str> = plot.sides.iter().map(String::as_str).collect();
    assert!(
        people.contains(&"people") && people.contains(&"rater:ann"),
        "{people:?}"
    );
    assert!(!people.contains(&"rater:bob"), "{people:?}");
    let marks = &plot.lines[0].marks;
    assert_eq!(marks.iter().map(|mark| mark.n).sum::<u32>(), 12);
    assert!(
        marks
            .iter()
            .all(|mark| mark.y_low <= 0.2 && 0.2 <= mark.y_high),
        "{marks:?}"
    );
    assert_eq!(plot.lines[0].missing, 0);
}

#[test]
fn a_judge_and_itself_exchange_nothing_and_people_are_a_side_as_any_other() {
    let mut ratings = "sample,model,criterion,rater,score\n".to_owned();
    for sample in 0..12 {
        for (model, score) in [("x", 2), ("y", 5), ("z", 5)] {
            for criterion in ["key_point", "visual_consistency", "image_quality"] {
                // Writing to a string cannot fail.
                let _ = writeln!(ratings, "{sample},{model},{criterion},ann,{score}");
            }
        }
    }
    let mut session = twelve(&three_models(), &ratings);
    let same = &ranked(&mut session, "a", "a", "")[0];
    assert!((same.rho.unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(same.tau_b, Some(1.0));
    assert!(same.exchanged.is_empty());
    assert_eq!(
        (same.mean_difference, same.mean_absolute),
        (Some(0.0), Some(0.0))
    );
    for people in ["people", "people:ann"] {
        let row = &ranked(&mut session, "a", people, "")[0];
        assert_eq!((row.models.len(), row.pairs, row.tied), (3, 3, 1));
        assert!(
            row.notes.iter().any(|note| note.contains("1 of 3 pairs")),
            "{:?}",
            row.notes
        );
        // x is first for the judge and last for people; y and z are tied, which is no exchange.
        assert_eq!(row.exchanged.len(), 2);
        assert!(row.exchanged.iter().all(|pair| pair.model == "x"));
    }
    let nobody = RankingsQuery {
        a: "a".to_owned(),
        b: "carl".to_owned(),
        ..RankingsQuery::default()
    };
    assert_eq!(
        juror_session::rankings(&mut session, &nobody)
            .unwrap_err()
            .code(),
        "unknown_judge"
    );
}

#[test]
fn each_group_of_a_scope_has_rows_that_are_those_of_its_samples_alone() {
    let mut session = twelve(&three_models(), "");
    let of = |session: &mut Session, scope: &str| {
        let query = AgreementQuery {
            scope: scope.to_owned(),
            ..AgreementQuery::default()
        };
        juror_session::agreement(&session.study(&query.options), &query)
    };
    let all = of(&mut session, "").unwrap();
    let scopes: Vec<&str> = all.scopes.iter().map(|info| info.scope.as_str()).collect();
    assert!(scopes.contains(&"domain"), "{scopes:?}");
    let by_domain = of(&mut session, "domain").unwrap();
    let rows = |agreement: &Agreement| -> Vec<(String, u32, u32)> {
        let own = agreement.pairs.iter();
        let own = own.filter(|row| row.model.is_empty() && row.criterion == "image_quality");
        own.map(|row| (row.key.clone(), row.n, row.expected))
            .collect()
    };
    // w by one judge and one sample of z are expected, and compared they cannot be.
    assert_eq!(rows(&all), [(String::new(), 35, 48)]);
    let groups = rows(&by_domain);
    assert_eq!(groups.len(), 3);
    assert!(groups.contains(&("Physics".to_owned(), 18, 24)));
    assert!(groups.contains(&("Chemistry".to_owned(), 17, 24)));
    // The same samples alone, in a session of their own, have the same figures.
    let physics: Vec<_> = three_models()
        .into_iter()
        .filter(|record| record.sample.parse::<u32>().unwrap() < 6)
        .collect();
    let alone = of(&mut twelve(&physics, ""), "").unwrap();
    let alone = alone
        .pairs
        .iter()
        .find(|row| row.model.is_empty() && row.criterion == "image_quality");
    let group = by_domain
        .pairs
        .iter()
        .find(|row| row.key == "Physics" && row.criterion == "image_quality");
    let (alone, group) = (alone.unwrap(), group.unwrap());
    assert_eq!(
        (alone.n, alone.pearson, alone.mae),
        (group.n, group.pearson, group.mae)
    );
    assert_eq!(alone.alpha_interval, group.alpha_interval);
    let ranked = ranked(&mut session, "a", "b", "domain");
    let keys: Vec<(&str, u32)> = ranked.iter().map(|row| (row.key.as_str(), row.n)).collect();
    assert_eq!(keys.len(), 3);
    assert!(keys.contains(&("Physics", 18)) && keys.contains(&("Chemistry", 17)));
    assert_eq!(
        of(&mut session, "nonsense").unwrap_err().code(),
        "unknown_group"
    );
}

#[test]
fn ten_parts_need_twenty_outputs_and_an_interval_is_of_the_level_asked_for() {
    let of = |records: &[journal::Record], level| {
        let query = AgreementQuery {
            level,
            ..AgreementQuery::default()
        };
        juror_session::agreement(&twelve(records, "").study(&query.options), &query).unwrap()
    };
    let few: Vec<_> = three_models()
        .into_iter()
        .filter(|record| record.model == "x")
        .collect();
    assert!(of(&few, Level::P95).partitions.is_empty());
    let [narrow, wide] = [Level::P90, Level::P99].map(|level| of(&three_models(), level));
    for found in [&narrow, &wide] {
        let parts = found.partitions.iter();
        let mut parts = parts.filter(|row| row.criterion == "image_quality");
        let part = parts.next().unwrap();
        assert_eq!((part.parts, part.n, part.expected), (10, 35, 48));
        assert!(part.defined > 4 && part.least <= part.most);
    }
    let width = |found: &Agreement| {
        let parts = found.partitions[0].r.unwrap();
        let pair = found.pairs[0].pearson.unwrap();
        [parts, pair].map(|one| one.high.unwrap() - one.low.unwrap())
    };
    let (narrow, wide) = (width(&narrow), width(&wide));
    assert!(
        narrow[0] < wide[0] && narrow[1] < wide[1],
        "{narrow:?} {wide:?}"
    );
}
