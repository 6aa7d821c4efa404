//! Scores by two groupings at once, as drawings show them, by hand arithmetic.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_judging::journal;
use juror_session::Session;
use juror_session::view::grouped::{Grouped, GroupedQuery};
use juror_statistics::level::Level;
use juror_tests::generate::{Dialogue, File, open};
use serde_json::json;

/// Six dialogues of six domains; the last one has no reply.
fn judged() -> Session {
    let dialogues: Vec<_> = (0..6)
        .map(|idx| {
            Dialogue {
                idx,
                num_pictures: 1,
                num_texts: 0,
            }
            .item()
        })
        .collect();
    let scores = [2, 4, 4, 6, 8];
    let records: Vec<journal::Record> = (0..)
        .zip(scores)
        .map(|(sample, score): (usize, u32)| journal::Record {
            format: journal::FORMAT.to_owned(),
            protocol: "weave".to_owned(),
            model: "m".to_owned(),
            sample: sample.to_string(),
            criterion: "image_quality".to_owned(),
            judge: "a".to_owned(),
            run: 1,
            reply: json!({"score": score, "reasoning": "r"}).to_string(),
            ..journal::Record::default()
        })
        .collect();
    let files: Vec<File> = vec![
        (
            "b/test.json".to_owned(),
            serde_json::to_vec(&dialogues).unwrap(),
        ),
        (
            "r/journal.jsonl".to_owned(),
            journal::write(&records).into_bytes(),
        ),
    ];
    open(&files)
}

fn asked(session: &mut Session, rows: &str, columns: &str) -> Grouped {
    let query = GroupedQuery {
        criteria: vec!["image_quality".to_owned()],
        rows: rows.to_owned(),
        columns: columns.to_owned(),
        ..GroupedQuery::default()
    };
    juror_session::grouped(&session.study(&query.options), &query).unwrap()
}

#[test]
fn a_cell_has_the_plain_mean_of_its_samples_and_counts_every_score() {
    let session = &mut judged();
    let found = asked(session, "domain", "");
    assert_eq!(found.columns, [""]);
    assert_eq!(found.scales[0].values, [2.0, 4.0, 6.0, 8.0]);
    assert_eq!(found.scales[0].end, None);
    let second = &found.cells[1];
    assert_eq!(
        (second.n, second.expected, &*second.counts),
        (1, 1, &[0, 1, 0, 0][..])
    );
    assert!((second.mean.unwrap() - 0.4).abs() < 1e-12, "as printed");
    assert_eq!(second.ci_low, None, "of one sample there is no interval");
    let missing = found.cells.iter().find(|cell| cell.n == 0).unwrap();
    assert_eq!(
        (missing.expected, missing.mean),
        (1, None),
        "unknown and not zero"
    );
}

#[test]
fn groups_of_two_scopes_cross_and_their_scores_add_up_to_those_of_one() {
    let session = &mut judged();
    let whole = asked(session, "category", "");
    let crossed = asked(session, "category", "domain");
    for row in &whole.cells {
        let parts = || crossed.cells.iter().filter(|cell| cell.row == row.row);
        assert!(parts().count() > 1, "a category has several domains here");
        assert_eq!(parts().map(|cell| cell.n).sum::<u32>(), row.n);
        for (at, count) in row.counts.iter().enumerate() {
            assert_eq!(parts().map(|cell| cell.counts[at]).sum::<u32>(), *count);
        }
    }
    let science = &whole.cells[0];
    if science.n == 5 {
        assert!((science.mean.unwrap() - 0.48).abs() < 1e-12 && science.ci_low.is_some());
    }
}

#[test]
fn a_cells_interval_is_at_the_level_that_is_asked_for() {
    let session = &mut judged();
    let mut width = |level| {
        let query = GroupedQuery {
            criteria: vec!["image_quality".to_owned()],
            rows: "category".to_owned(),
            level,
            ..GroupedQuery::default()
        };
        let found = juror_session::grouped(&session.study(&query.options), &query).unwrap();
        let mut ends = found
            .cells
            .iter()
            .filter_map(|cell| cell.ci_low.zip(cell.ci_high));
        ends.next().map(|(low, high)| high - low)
    };
    let [narrow, usual, wide] = [Level::P90, Level::P95, Level::P99].map(&mut width);
    assert!(narrow.unwrap() < usual.unwrap() && usual < wide);
}

#[test]
fn what_is_not_there_is_named() {
    let session = &mut judged();
    let query = |rows: &str, criterion: &str| GroupedQuery {
        criteria: vec![criterion.to_owned()],
        rows: rows.to_owned(),
        ..GroupedQuery::default()
    };
    let code = |session: &mut Session, query: GroupedQuery| {
        juror_session::grouped(&session.study(&query.options), &query)
            .unwrap_err()
            .code()
    };
    assert_eq!(code(session, query("planet", "total")), "unknown_group");
    assert_eq!(code(session, query("domain", "charm")), "unknown_criterion");
}
