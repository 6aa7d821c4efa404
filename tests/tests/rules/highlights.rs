//! Samples worth looking at and ranks, on benchmarks small enough to check by eye.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::options::ScoreOptions;
use juror_session::Session;
use juror_session::compare::{CompareQuery, ModelRank, StandingsQuery};
use juror_session::view::{
    Dispute, HighlightPick, HighlightQuery, Highlights, SampleQuery, SampleSort,
};
use juror_tests::generate::{File, open};

/// What one model has of one set.
enum Has {
    /// A picture with replies by these judges.
    Scores(&'static [(&'static str, u32)]),
    /// Nothing.
    Nothing,
}

use Has::{Nothing, Scores};

fn reply(score: u32) -> String {
    format!(
        "Fine.\n\nInstruction Alignment: {score}\nReference Consistency: {score}\n\
        Background-Subject Match: {score}\nPhysical Realism: {score}\nVisual Quality: {score}"
    )
}

/// A benchmark of one task; each model has something of each set.
fn session(models: &[(&str, Vec<Has>)]) -> Session {
    let mut files: Vec<File> = Vec::new();
    let mut write = |path: String, text: String| files.push((path, text.into_bytes()));
    for set in 0..models.first().map_or(0, |(_, has)| has.len()) {
        write(
            format!("data/add/{set:03}_prompt.txt"),
            format!("Paint {set}."),
        );
        write(format!("data/add/{set:03}_0.jpg"), "reference".to_owned());
        write(format!("data/add/{set:03}_1.jpg"), "reference".to_owned());
    }
    for (model, sets) in models {
        for (set, has) in sets.iter().enumerate() {
            let Scores(scores) = has else { continue };
            let path = format!("{model}/add/{set:03}");
            write(format!("{path}_generated.png"), "output".to_owned());
            for (judge, score) in *scores {
                write(format!("{path}_{judge}_judge.txt"), reply(*score));
            }
        }
    }
    open(&files)
}

/// Of four sets the third has no output at all, and on the first one `b` has none.
fn small() -> Session {
    session(&[
        (
            "a",
            vec![
                Scores(&[("gpt", 6)]),
                Scores(&[("gpt", 9)]),
                Nothing,
                Scores(&[("gpt", 5)]),
            ],
        ),
        (
            "b",
            vec![
                Nothing,
                Scores(&[("gpt", 3)]),
                Nothing,
                Scores(&[("gpt", 5)]),
            ],
        ),
    ])
}

fn picked(session: &mut Session, pick: HighlightPick, seed: u32) -> Highlights {
    let query = HighlightQuery {
        pick,
        seed,
        len: 8,
        ..HighlightQuery::default()
    };
    juror_session::highlights(&session.study(&query.options), &query)
}

fn numbers(found: &Highlights) -> Vec<&str> {
    let ids = found.samples.iter().map(|sample| sample.id.as_str());
    ids.map(|id| id.rsplit('/').next().unwrap()).collect()
}

#[test]
fn the_lowest_scored_samples_come_first_and_one_without_any_picture_does_not_come() {
    let found = picked(&mut small(), HighlightPick::Lowest, 1);
    // A missing output counts 1, the lowest: (6 + 1) / 2 = 3.5, (5 + 5) / 2 = 5, (9 + 3) / 2 = 6; the third has nothing to show.
    assert_eq!(numbers(&found), ["000", "003", "001"]);
    let values: Vec<f64> = found
        .samples
        .iter()
        .filter_map(|sample| sample.value)
        .collect();
    assert_eq!(values, [3.5, 5.0, 6.0]);
}

#[test]
fn outputs_stand_side_by_side_with_their_scores_and_a_gap_where_there_is_none() {
    let found = picked(&mut small(), HighlightPick::Lowest, 1);
    assert_eq!(found.models, ["a", "b"]);
    let [a, b] = &found.samples[0].outputs[..] else {
        panic!("two models stand side by side");
    };
    assert!(a.file.is_some() && b.file.is_none());
    assert_eq!((a.score, b.score), (Some(6.0), Some(1.0)));
    assert_eq!(found.samples[0].instruction, "Paint 0.");
}

#[test]
fn with_one_judge_what_is_disputed_is_where_models_are_furthest_apart() {
    let found = picked(&mut small(), HighlightPick::Disputed, 1);
    assert_eq!(found.dispute, Dispute::Models);
    // 9 − 3 = 6, 6 − 1 = 5; equal scores are no dispute.
    assert_eq!(numbers(&found), ["001", "000"]);
    assert_eq!(found.samples[0].value, Some(6.0));
}

#[test]
fn with_several_judges_what_is_disputed_is_where_they_are_furthest_apart() {
    let session = &mut session(&[
        (
            "a",
            vec![
                Scores(&[("gpt", 9), ("gemini", 8)]),
                Scores(&[("gpt", 5), ("gemini", 9)]),
            ],
        ),
        ("b", vec![Scores(&[("gpt", 1)]), Scores(&[("gpt", 5)])]),
    ]);
    let found = picked(session, HighlightPick::Disputed, 1);
    assert_eq!(found.dispute, Dispute::Judges);
    // The models are furthest apart on the first, the judges on the second.
    assert_eq!(numbers(&found), ["001", "000"]);
    assert_eq!(found.samples[0].value, Some(4.0));
}

/// Two models are judged by one judge, a third by another one.
fn mixed() -> Session {
    session(&[
        ("a", vec![Scores(&[("gpt", 6)]), Scores(&[("gpt", 5)])]),
        ("b", vec![Scores(&[("gpt", 2)]), Scores(&[("gpt", 5)])]),
        (
            "c",
            vec![Scores(&[("gemini", 10)]), Scores(&[("gemini", 1)])],
        ),
    ])
}

#[test]
fn scores_of_two_judges_have_no_mean_and_no_distance_between_models() {
    let session = &mut mixed();
    let found = picked(session, HighlightPick::Lowest, 1);
    assert_eq!(found.judge.as_deref(), Some("gpt"));
    // (6 + 2) / 2 and (5 + 5) / 2; over both judges the second would be the lowest: (5 + 5 + 1) / 3.
    assert_eq!(numbers(&found), ["000", "001"]);
    assert_eq!(found.samples[0].value, Some(4.0));
    let scores: Vec<Option<f64>> = found.samples[0]
        .outputs
        .iter()
        .map(|output| output.score)
        .collect();
    assert_eq!(scores, [Some(6.0), Some(2.0), None]);
    let disputed = picked(session, HighlightPick::Disputed, 1);
    assert_eq!(numbers(&disputed), ["000"]);
    assert_eq!(disputed.samples[0].value, Some(4.0));
    // One judge alone is named nowhere.
    assert_eq!(picked(&mut small(), HighlightPick::Lowest, 1).judge, None);
}

#[test]
fn orders_and_filters_of_several_models_go_by_one_judges_scores() {
    let session = &mut mixed();
    let list = |session: &mut Session, sort: SampleSort, q: &str| {
        let query = SampleQuery {
            q: q.to_owned(),
            sort,
            ..SampleQuery::default()
        };
        juror_session::samples(&session.study(&query.options), &query)
    };
    let ids = |session: &mut Session, sort: SampleSort, q: &str| -> Vec<String> {
        let rows = list(session, sort, q).rows;
        let last = |id: &str| id.rsplit('/').next().unwrap().to_owned();
        rows.iter().map(|row| last(&row.id)).collect()
    };
    let lowest = list(session, SampleSort::ScoreAsc, "");
    assert_eq!(lowest.rows[0].value, Some(4.0));
    // The other judge's score is shown, by its name.
    assert_eq!(lowest.rows[0].cells[2].score, Some(10.0));
    let judges: Vec<Option<&str>> = lowest.judges.iter().map(Option::as_deref).collect();
    assert_eq!(judges, [Some("gpt"), Some("gpt"), Some("gemini")]);
    assert_eq!(ids(session, SampleSort::Spread, ""), ["000", "001"]);
    assert_eq!(ids(session, SampleSort::Index, "spread>3"), ["000"]);
    // Over both judges it would be 9.
    assert!(ids(session, SampleSort::Index, "spread>4").is_empty());
    assert!(ids(session, SampleSort::Index, "model:c>model:a").is_empty());
    assert_eq!(ids(session, SampleSort::Index, "model:a>model:b"), ["000"]);
    // Of a judge that is named its own model is compared.
    assert_eq!(
        ids(session, SampleSort::ScoreAsc, "judge:gemini"),
        ["001", "000"]
    );
}

#[test]
fn a_draw_is_repeated_by_its_seed_and_stands_in_the_random_order_of_the_list() {
    let one: Vec<Has> = (0..12).map(|_| Scores(&[("gpt", 5)])).collect();
    let session = &mut session(&[("a", one)]);
    let first = picked(session, HighlightPick::Random, 7);
    assert_eq!(first, picked(session, HighlightPick::Random, 7));
    assert_ne!(
        numbers(&first),
        numbers(&picked(session, HighlightPick::Random, 8))
    );
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery {
            sort: SampleSort::Random,
            seed: 7,
            limit: 8,
            ..SampleQuery::default()
        },
    );
    let ids: Vec<&str> = list.rows.iter().map(|row| row.id.as_str()).collect();
    let drawn: Vec<&str> = first
        .samples
        .iter()
        .map(|sample| sample.id.as_str())
        .collect();
    assert_eq!(drawn, ids);
    assert_eq!(first.dispute, Dispute::Nobody);
}

#[test]
fn a_row_of_the_list_shows_each_models_output_or_that_there_is_none() {
    let list = juror_session::samples(
        &small().study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    let shown = |row: usize| -> Vec<bool> {
        let cells = list.rows[row].cells.iter();
        cells.map(|cell| cell.shown.is_some()).collect()
    };
    assert_eq!(shown(0), [true, false]);
    assert_eq!(shown(1), [true, true]);
    assert_eq!(shown(2), [false, false]);
}

fn overall() -> StandingsQuery {
    StandingsQuery {
        scope: "overall".to_owned(),
        key: "all".to_owned(),
        criterion: "total".to_owned(),
        ..StandingsQuery::default()
    }
}

/// Twelve sets on which `best` and `near` alternate and `far` is always lower.
fn ranked() -> Session {
    let scores = |of: fn(usize) -> &'static [(&'static str, u32)]| -> Vec<Has> {
        (0..12).map(|at| Scores(of(at))).collect()
    };
    session(&[
        (
            "far",
            scores(|at| {
                if at % 2 == 0 {
                    &[("gpt", 2)]
                } else {
                    &[("gpt", 3)]
                }
            }),
        ),
        (
            "near",
            scores(|at| {
                if at % 2 == 0 {
                    &[("gpt", 9)]
                } else {
                    &[("gpt", 7)]
                }
            }),
        ),
        (
            "best",
            scores(|at| {
                if at % 2 == 0 {
                    &[("gpt", 7)]
                } else {
                    &[("gpt", 10)]
                }
            }),
        ),
    ])
}

#[test]
fn models_are_ranked_by_what_is_shown_and_tied_as_the_comparison_has_it() {
    let session = &mut ranked();
    let standings = juror_session::standings(&session.study(&overall().options), &overall());
    let of = |model: &str| -> &ModelRank {
        standings
            .iter()
            .find(|standing| standing.model == model)
            .unwrap()
    };
    assert_eq!(of("best").rank, Some(1));
    assert_eq!(of("near").rank, Some(2));
    assert_eq!(of("far").rank, Some(3));
    assert_eq!(of("best").tied_with, ["near"]);
    assert_eq!(of("near").tied_with, ["best"]);
    // Its sibling that is told apart has no mark.
    assert!(of("far").tied_with.is_empty());
    let compared = juror_session::compare(
        &session.study(&ScoreOptions::default()),
        &CompareQuery::default(),
    )
    .unwrap();
    for model in compared.models {
        assert_eq!(of(&model.model).group, model.group, "{}", model.model);
    }
}

#[test]
fn a_column_that_no_comparison_knows_has_ranks_of_nobody() {
    let query = StandingsQuery {
        key: "nothing".to_owned(),
        ..overall()
    };
    assert!(juror_session::standings(&ranked().study(&query.options), &query).is_empty());
}
