//! One judge or one run alone: numbers by hand, denominators that stay, and plots that count what the tables average.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_evidence::report::tables::Intervals;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::row::ScoreRow;
use juror_session::Session;
use juror_session::compare::CompareQuery;
use juror_session::plots::{Plot, PlotKind, PlotQuery};
use juror_session::view::SampleQuery;
use juror_tests::generate::{File, metas, open};
use serde_json::json;

fn file(path: &str, content: &str) -> File {
    (path.to_owned(), content.as_bytes().to_vec())
}

/// Four samples, two models with all outputs but one (`n` lacks `4`), and these verdicts on a scale from 0 to 10:
/// model, sample, judge, run, score.
fn session(verdicts: &[(&str, &str, &str, u32, f64)]) -> Session {
    let mut files = vec![protocol(&["1", "2", "3", "4"].map(str::to_owned))];
    for (model, id) in ["1", "2", "3", "4"]
        .map(|id| ("m", id))
        .into_iter()
        .chain(["1", "2", "3"].map(|id| ("n", id)))
    {
        files.push(file(&format!("{model}/{id}.png"), "output"));
    }
    files.push(file(
        "journal.jsonl",
        &verdicts.iter().map(line).collect::<String>(),
    ));
    open(&files)
}

fn protocol(ids: &[String]) -> File {
    let samples: Vec<_> = ids
        .iter()
        .map(|id| json!({"id": id, "instruction": "Do."}))
        .collect();
    let protocol = json!({
        "format": "juror-protocol/1",
        "id": "small",
        "title": "Small",
        "samples": samples,
        "criteria": [{"id": "fit", "label": "Fit", "range": [0, 10]}],
        "requests": [{"id": "judge", "reply": {"form": "lines"}}],
    });
    file("bench/juror.json", &protocol.to_string())
}

fn line((model, sample, judge, run, score): &(&str, &str, &str, u32, f64)) -> String {
    json!({"format": "juror-journal/1", "protocol": "small", "model": model, "sample": sample, "turn": 0,
        "criterion": "judge", "judge": judge, "run": run, "reply": format!("Fit: {score}")})
    .to_string()
        + "\n"
}

/// Judge `a` twice over everything of `m`, once over `n`.
const BY_A: [(&str, &str, &str, u32, f64); 11] = [
    ("m", "1", "a", 1, 2.0),
    ("m", "2", "a", 1, 4.0),
    ("m", "3", "a", 1, 6.0),
    ("m", "4", "a", 1, 8.0),
    ("m", "1", "a", 2, 4.0),
    ("m", "2", "a", 2, 4.0),
    ("m", "3", "a", 2, 6.0),
    ("m", "4", "a", 2, 10.0),
    ("n", "1", "a", 1, 5.0),
    ("n", "2", "a", 1, 4.0),
    ("n", "3", "a", 1, 1.0),
];

/// Beside [`BY_A`], judge `b` over a half of `m` and none of `n`.
fn two_judges() -> Session {
    let half = [("m", "1", "b", 1, 9.0), ("m", "2", "b", 1, 7.0)];
    session(&[&BY_A[..], &half].concat())
}

/// Beside [`BY_A`], judge `b` over all of `m` and none of `n`.
fn two_full_judges() -> Session {
    let all = [
        ("m", "1", "b", 1, 9.0),
        ("m", "2", "b", 1, 7.0),
        ("m", "3", "b", 1, 5.0),
        ("m", "4", "b", 1, 6.0),
    ];
    session(&[&BY_A[..], &all].concat())
}

fn with(judge: Option<&str>, run: Option<u32>) -> ScoreOptions {
    ScoreOptions {
        judge: judge.map(str::to_owned),
        run,
        ..ScoreOptions::default()
    }
}

/// Overall totals: model, judge, mean, n, expected.
fn overall(
    session: &mut Session,
    options: &ScoreOptions,
) -> Vec<(String, String, Option<f64>, u32, u32)> {
    let is_it = |row: &&ScoreRow| row.scope == "overall" && row.criterion == "total";
    let tell = |row: &ScoreRow| {
        (
            row.model.clone(),
            row.judge.clone(),
            row.mean,
            row.n,
            row.expected,
        )
    };
    juror_session::score_rows(&session.study(options))
        .iter()
        .filter(is_it)
        .map(tell)
        .collect()
}

fn row(
    model: &str,
    judge: &str,
    mean: Option<f64>,
    n: u32,
    expected: u32,
) -> (String, String, Option<f64>, u32, u32) {
    (model.to_owned(), judge.to_owned(), mean, n, expected)
}

#[test]
fn one_judge_alone_has_the_rows_that_it_has_among_all() {
    let mut session = two_full_judges();
    let all = juror_session::score_rows(&session.study(&with(None, None))).to_vec();
    for judge in ["a", "b"] {
        let alone = juror_session::score_rows(&session.study(&with(Some(judge), None))).to_vec();
        let among: Vec<&ScoreRow> = all.iter().filter(|row| row.judge == judge).collect();
        assert!(!among.is_empty());
        for row in among {
            assert!(alone.contains(row), "{judge}: {row:?}");
        }
        assert!(alone.iter().all(|row| row.judge == judge));
    }
    // And nothing of it stays behind.
    assert_eq!(
        juror_session::score_rows(&session.study(&with(None, None))),
        all
    );
}

/// What is told of judges with a part: model, judge, replies, of so many, and whether another one has more.
fn parts(session: &mut Session, options: &ScoreOptions) -> Vec<(String, String, u32, u32, bool)> {
    let tell = |found: juror_session::view::PartialJudge| {
        (
            found.model,
            found.judge,
            found.replies,
            found.of,
            found.has_fuller,
        )
    };
    let found = juror_session::overview(&session.study(options)).partial_judges;
    found.into_iter().map(tell).collect()
}

fn part(
    model: &str,
    judge: &str,
    replies: u32,
    of: u32,
    has_fuller: bool,
) -> (String, String, u32, u32, bool) {
    (model.to_owned(), judge.to_owned(), replies, of, has_fuller)
}

#[test]
fn a_judge_with_a_part_of_the_replies_is_marked_and_stays_in_the_tables() {
    let mut session = two_judges();
    for profile in [Profile::Paper, Profile::Released] {
        let options = ScoreOptions {
            profile,
            ..with(None, None)
        };
        let rows = overall(&mut session, &options);
        assert!(rows.contains(&row("m", "b", Some(8.0), 2, 4)), "{rows:?}");
        assert_eq!(
            parts(&mut session, &options),
            [part("m", "b", 2, 4, true)],
            "{profile:?}"
        );
    }
    let overview = juror_session::overview(&session.study(&with(None, None)));
    let told = &overview.problems[0];
    assert_eq!(told.code, "partial_judge");
    assert_eq!(
        told.message,
        "b replied to 2 of 4 requests about m: its means are over this part only."
    );
    // Chosen, it has the same row, and nobody beside it.
    let alone = overall(&mut session, &with(Some("b"), None));
    assert_eq!(alone[0], row("m", "b", Some(8.0), 2, 4));
    assert_eq!(
        parts(&mut session, &with(Some("b"), None)),
        [part("m", "b", 2, 4, false)]
    );
}

/// Twenty samples of one model: judge `full` about all of them, judge `other` about so many, and these lines.
fn twenty(of_other: usize, more: &[String]) -> Session {
    let ids: Vec<String> = (1..=20).map(|id| id.to_string()).collect();
    let mut files = vec![protocol(&ids)];
    let mut lines = more.to_vec();
    for (at, id) in ids.iter().enumerate() {
        files.push(file(&format!("m/{id}.png"), "output"));
        lines.push(line(&("m", id, "full", 1, 4.0)));
        if at < of_other {
            lines.push(line(&("m", id, "other", 1, 8.0)));
        }
    }
    files.push(file("journal.jsonl", &lines.concat()));
    open(&files)
}

#[test]
fn a_judge_that_lacks_a_tenth_of_the_replies_is_not_marked_and_one_that_lacks_more_is() {
    let mut session = twenty(18, &[]);
    let rows = overall(&mut session, &with(None, None));
    assert_eq!(rows[1], row("m", "other", Some(8.0), 18, 20));
    assert_eq!(parts(&mut session, &with(None, None)), []);
    let mut session = twenty(17, &[]);
    let rows = overall(&mut session, &with(None, None));
    assert_eq!(rows[1], row("m", "other", Some(8.0), 17, 20));
    assert_eq!(
        parts(&mut session, &with(None, None)),
        [part("m", "other", 17, 20, true)]
    );
}

#[test]
fn replies_to_what_nobody_asks_make_no_other_judge_partial() {
    let mut clean = twenty(20, &[]);
    let before = overall(&mut clean, &with(None, None));
    // One judge answers hundreds of criteria and samples that the benchmark does not have.
    let junk: Vec<String> = (0..400)
        .map(|at| {
            let known = line(&("m", &(at % 20 + 1).to_string(), "full", 1, 1.0));
            known.replace(
                "\"criterion\":\"judge\"",
                &format!("\"criterion\":\"junk{at}\""),
            )
        })
        .collect();
    assert!(junk[7].contains("junk7"));
    let mut session = twenty(20, &junk);
    assert_eq!(overall(&mut session, &with(None, None)), before);
    assert_eq!(parts(&mut session, &with(None, None)), []);
}

#[test]
fn an_only_judge_with_a_part_is_shown_and_told_as_such() {
    let mut session = session(&[("m", "1", "a", 1, 2.0)]);
    let rows = overall(&mut session, &with(None, None));
    assert_eq!(rows[0], row("m", "a", Some(2.0), 1, 4));
    assert_eq!(
        parts(&mut session, &with(None, None)),
        [part("m", "a", 1, 4, false)]
    );
    let message = &juror_session::overview(&session.study(&with(None, None))).problems[0].message;
    assert_eq!(
        message,
        "a replied to 1 of 4 requests about m: its means are over this part only."
    );
    // What a missing output keeps from being asked is no part that it lacks; nobody replied about the other model at all.
    let mut session = self::session(&BY_A);
    assert_eq!(parts(&mut session, &with(None, Some(1))), []);
}

#[test]
fn the_filter_finds_the_samples_of_a_judge_with_a_part() {
    let mut session = two_judges();
    let mut found = |q: &str| {
        let list = juror_session::samples(
            &session.study(&ScoreOptions::default()),
            &SampleQuery {
                q: q.to_owned(),
                ..SampleQuery::default()
            },
        );
        assert_eq!(list.fault, None, "{q}");
        let ids = list.rows.into_iter().map(|row| row.id);
        ids.collect::<Vec<_>>()
    };
    assert_eq!(found("judge:b scored:yes"), ["1", "2"]);
    assert_eq!(found("judge:b score>8"), ["1"]);
    assert_eq!(found("judge:b model:m judged:none"), ["3", "4"]);
    assert_eq!(found("judge:b"), ["1", "2", "3", "4"]);
    // Unnamed it counts as the other does: what it lacks is an incident; a sample's score is the mean of both.
    assert_eq!(found("model:m incident:any"), ["3", "4"]);
    assert_eq!(found("model:m score>8"), ["4"]);
    assert_eq!(found("disagreement>5"), ["1"]);
    let facets = juror_session::facets(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    let judges = facets.iter().find(|facet| facet.field == "judge").unwrap();
    let counts = judges.values.iter().map(|one| (&*one.value, one.scored));
    assert_eq!(counts.collect::<Vec<_>>(), [("a", Some(4)), ("b", Some(2))]);
}

#[test]
fn one_missing_output_is_one_incident_however_many_judges_there_are() {
    let both = |judges: &[&str]| {
        let ids = ["1", "2", "3"];
        let verdicts = judges
            .iter()
            .flat_map(|judge| ids.map(|id| ("n", id, *judge, 1, 5.0)));
        let mut session = session(&verdicts.collect::<Vec<_>>());
        let overview = juror_session::overview(&session.study(&with(None, None)));
        let mut groups = overview.incidents.iter();
        let missing = groups.find(|group| group.kind == "missing_output").unwrap();
        let rows = juror_session::samples(
            &session.study(&ScoreOptions::default()),
            &SampleQuery::default(),
        )
        .rows;
        let in_list = rows[3].cells[1].incidents;
        (
            missing.per_model.clone(),
            missing.outputs.clone(),
            overview.models[1].incidents,
            in_list,
        )
    };
    let one = both(&["a"]);
    assert_eq!(one, (vec![0, 1], Some(vec![0, 1]), 1, 1));
    assert_eq!(both(&["a", "b"]), one);
}

#[test]
fn a_judge_without_replies_has_none_of_all_expected() {
    let mut session = two_judges();
    let found = overall(&mut session, &with(Some("b"), None));
    // The missing output of `n` counts 0 by the usual policy.
    assert_eq!(found[0], row("m", "b", Some(8.0), 2, 4));
    assert_eq!(
        (found[1].0.as_str(), found[1].1.as_str(), found[1].4),
        ("n", "b", 4)
    );
    let nobody = overall(&mut session, &with(Some("nobody"), None));
    assert_eq!(nobody[0], row("m", "nobody", None, 0, 4));
    let view = juror_session::sample(&session.study(&with(Some("nobody"), None)), "1").unwrap();
    assert!(
        view.turns[0].outputs[0]
            .verdicts
            .iter()
            .all(|verdict| verdict.raw.is_none())
    );
}

#[test]
fn one_run_alone_leaves_what_is_expected_as_it_is() {
    let mut session = two_full_judges();
    let second = overall(&mut session, &with(None, Some(2)));
    assert_eq!(second[0], row("m", "a", Some(6.0), 4, 4));
    assert_eq!(second[1], row("m", "b", None, 0, 4));
    assert_eq!((second[2].0.as_str(), second[2].4), ("n", 4));
    let first = overall(&mut session, &with(Some("a"), Some(1)));
    assert_eq!(first[0], row("m", "a", Some(5.0), 4, 4));
    // The mean of both runs lies between; a run that is not chosen would show here.
    assert_eq!(
        overall(&mut session, &with(Some("a"), None))[0].2,
        Some(5.5)
    );
    let report = juror_session::report(&session.study(&with(Some("a"), Some(2))));
    assert!(
        report
            .samples
            .iter()
            .all(|row| (row.judge.as_str(), row.run) == ("a", 2))
    );
    assert_eq!(
        (report.provenance.judge.as_deref(), report.provenance.run),
        (Some("a"), Some(2))
    );
}

#[test]
fn the_judges_and_runs_at_hand_do_not_depend_on_the_choice() {
    let mut session = two_judges();
    let all = juror_session::overview(&session.study(&with(None, None))).at_hand;
    assert_eq!(
        (all.judges.as_slice(), all.runs.as_slice()),
        (
            ["a".to_owned(), "b".to_owned()].as_slice(),
            [1, 2].as_slice()
        )
    );
    assert_eq!(
        juror_session::overview(&session.study(&with(Some("b"), Some(1)))).at_hand,
        all
    );
}

#[test]
fn sentences_of_a_comparison_name_the_chosen_run() {
    let mut session = two_judges();
    let mut sentences = |run: Option<u32>| {
        let options = with(None, run);
        let found =
            juror_session::compare(&session.study(&options), &CompareQuery::default()).unwrap();
        [found.sentence, found.pairs[0].sentence.clone()]
    };
    for sentence in sentences(Some(1)) {
        assert!(sentence.contains("Small (judge: a; run 1)"), "{sentence}");
    }
    // All runs together go without saying.
    for sentence in sentences(None) {
        assert!(sentence.contains("Small (judge: a)"), "{sentence}");
    }
}

/// The judge that the list says each model's scores are by, and the scores of the first sample.
fn listed(session: &mut Session, q: &str, judge: Option<&str>) -> (Vec<String>, Vec<Option<f64>>) {
    let query = SampleQuery {
        options: with(judge, None),
        q: q.to_owned(),
        len: Some(1),
        ..SampleQuery::default()
    };
    let list = juror_session::samples(&session.study(&query.options), &query);
    let name = |judge: &Option<String>| judge.clone().unwrap_or_else(|| "nobody".to_owned());
    let judges = list.judges.iter().map(name).collect();
    (
        judges,
        list.rows[0].cells.iter().map(|cell| cell.score).collect(),
    )
}

#[test]
fn the_list_says_whose_its_scores_are_where_there_are_several_judges() {
    let mut session = two_full_judges();
    let named = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    // Of `m` there are 3 by `a` and 9 by `b`; the first judge's is shown.
    assert_eq!(
        listed(&mut session, "", None),
        (named(["a", "a"]), vec![Some(3.0), Some(5.0)])
    );
    // Where one judge is chosen, above the list or in its filter, nothing is left to be said.
    assert_eq!(
        listed(&mut session, "", Some("b")),
        (Vec::new(), vec![Some(9.0), None])
    );
    assert_eq!(
        listed(&mut session, "judge:b", None),
        (Vec::new(), vec![Some(9.0), None])
    );
    let mut apart = self::session(&[("m", "1", "a", 1, 2.0), ("n", "1", "b", 1, 5.0)]);
    assert_eq!(
        listed(&mut apart, "", None),
        (named(["a", "b"]), vec![Some(2.0), Some(5.0)])
    );
    let mut alone = self::session(&[("m", "1", "a", 1, 2.0), ("n", "1", "a", 1, 5.0)]);
    assert_eq!(
        listed(&mut alone, "", None),
        (Vec::new(), vec![Some(2.0), Some(5.0)])
    );
}

#[test]
fn the_total_of_an_output_says_whose_it_is() {
    let mut session = two_judges();
    let mut total = |judge: Option<&str>| {
        let view = juror_session::sample(&session.study(&with(judge, None)), "1").unwrap();
        let output = &view.turns[0].outputs[0];
        (output.judge.clone(), output.score)
    };
    assert_eq!(total(None), (Some("a".to_owned()), Some(3.0)));
    assert_eq!(total(Some("b")), (Some("b".to_owned()), Some(9.0)));
}

fn query(kind: PlotKind, criterion: &str, a: &str, b: &str) -> PlotQuery {
    PlotQuery {
        kind,
        criterion: criterion.to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        judge: "a".to_owned(),
        ..PlotQuery::default()
    }
}

/// Low end, count and count by policy of the marks that have any.
fn marks(plot: &Plot, line: usize) -> Vec<(f64, u32, u32)> {
    let marks = plot.lines[line].marks.iter();
    marks
        .filter(|mark| mark.n > 0)
        .map(|mark| (mark.low, mark.n, mark.ruled))
        .collect()
}

#[test]
fn a_distribution_counts_every_score_and_shows_gaps() {
    let mut session = two_full_judges();
    let plot = juror_session::plot(
        &session.study(&query(PlotKind::Distribution, "fit", "", "").options),
        &query(PlotKind::Distribution, "fit", "", ""),
    );
    assert!(!plot.is_binned && !plot.is_printed);
    assert_eq!(plot.lines[0].marks.len(), 11);
    assert_eq!(
        marks(&plot, 0),
        [
            (2.0, 1, 0),
            (4.0, 3, 0),
            (6.0, 2, 0),
            (8.0, 1, 0),
            (10.0, 1, 0)
        ]
    );
    assert_eq!((plot.lines[1].n, plot.lines[1].missing), (4, 0));
    // The missing output of `n` is a 0 that no judge gave.
    assert_eq!(
        marks(&plot, 2),
        [(0.0, 1, 1), (1.0, 1, 0), (4.0, 1, 0), (5.0, 1, 0)]
    );
    assert_eq!(plot.lines[2].ruled, 1);
    // So is its total, which has no other part; no judge's own is.
    let plot = juror_session::plot(
        &session.study(&query(PlotKind::Distribution, "total", "", "").options),
        &query(PlotKind::Distribution, "total", "", ""),
    );
    let ruled = plot.lines.iter().map(|line| line.ruled);
    assert_eq!(ruled.collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn a_paired_difference_by_hand() {
    let mut session = two_judges();
    let plot = juror_session::plot(
        &session.study(&query(PlotKind::Difference, "total", "m", "n").options),
        &query(PlotKind::Difference, "total", "m", "n"),
    );
    let line = &plot.lines[0];
    // Means over runs 3, 4, 6, 9 minus 5, 4, 1, 0.
    assert_eq!((line.n, line.signs), (4, [2, 1, 1]));
    assert_eq!(line.mean, Some((-2.0 + 0.0 + 5.0 + 9.0) / 4.0));
    assert!((line.sd.unwrap() - 4.966_554_809).abs() < 1e-6);
    assert_eq!((line.ci_low, line.ci_high), (None, None), "n too small");
    let swapped = juror_session::plot(
        &session.study(&query(PlotKind::Difference, "total", "n", "m").options),
        &query(PlotKind::Difference, "total", "n", "m"),
    );
    assert_eq!(swapped.lines[0].mean, Some(-3.0));
    assert_eq!(swapped.lines[0].signs, [1, 1, 2]);
    assert_eq!(line.marks.iter().map(|mark| mark.n).sum::<u32>(), 4);
    let none = line
        .marks
        .iter()
        .find(|mark| mark.low == 0.0 && mark.high == 0.0)
        .unwrap();
    let behind = juror_session::behind(
        &session.study(&query(PlotKind::Difference, "total", "m", "n").options),
        &query(PlotKind::Difference, "total", "m", "n"),
        0,
        none.id,
    );
    assert_eq!((behind.total, behind.rows[0].sample.as_str()), (1, "2"));
}

#[test]
fn a_plotted_difference_is_that_of_the_comparison() {
    let mut session = two_judges();
    for criterion in ["total", "fit"] {
        let plot = juror_session::plot(
            &session.study(&query(PlotKind::Difference, criterion, "m", "n").options),
            &query(PlotKind::Difference, criterion, "m", "n"),
        );
        let compared = CompareQuery {
            criterion: criterion.to_owned(),
            judge: Some("a".to_owned()),
            ..CompareQuery::default()
        };
        let compared =
            juror_session::compare(&session.study(&ScoreOptions::default()), &compared).unwrap();
        let (line, pair) = (&plot.lines[0], &compared.pairs[0]);
        assert_eq!((pair.a.as_str(), pair.b.as_str()), ("m", "n"));
        assert_eq!(
            (line.n, line.missing),
            (pair.n, pair.left_out),
            "{criterion}"
        );
        // Of four samples there is none in either place.
        assert_eq!(
            (line.ci_low, line.ci_high, pair.interval),
            (None, None, None)
        );
        for (plotted, compared) in [(line.mean, pair.difference), (line.sd, pair.sd)] {
            assert!(
                (plotted.unwrap() - compared.unwrap()).abs() < 1e-12,
                "{criterion}"
            );
        }
    }
    // A judge of one of the two alone has no difference to show.
    let mut other = query(PlotKind::Difference, "total", "m", "n");
    other.judge = "b".to_owned();
    assert_eq!(
        juror_session::plot(&session.study(&other.options), &other).lines[0]
            .mean
            .map(f64::is_finite),
        None
    );
    other.judge = "nobody".to_owned();
    assert_eq!(
        juror_session::plot(&session.study(&other.options), &other).lines[0].n,
        0
    );
}

#[test]
fn the_samples_behind_all_marks_are_all_samples() {
    let mut session = two_judges();
    for kind in [
        PlotKind::Distribution,
        PlotKind::Difference,
        PlotKind::Scatter,
    ] {
        for criterion in ["fit", "total"] {
            let (a, b) = if kind == PlotKind::Scatter {
                ("judge:a", "judge:b")
            } else {
                ("m", "n")
            };
            let query = query(kind, criterion, a, b);
            let plot = juror_session::plot(&session.study(&query.options), &query);
            assert!(
                plot.lines.iter().any(|line| line.n > 0),
                "{kind:?} {criterion}"
            );
            for (at, line) in (0u32..).zip(&plot.lines) {
                let mut total = 0;
                for mark in &line.marks {
                    let behind =
                        juror_session::behind(&session.study(&query.options), &query, at, mark.id);
                    assert_eq!(behind.total, mark.n, "{kind:?} {criterion} {mark:?}");
                    assert!(
                        behind
                            .rows
                            .iter()
                            .all(|row| row.x >= mark.low && row.x <= mark.high)
                    );
                    total += mark.n;
                }
                assert_eq!(total, line.n);
            }
        }
    }
}

#[test]
fn a_scatter_plot_pairs_what_both_rated() {
    let mut session = two_judges();
    let plot = juror_session::plot(
        &session.study(&query(PlotKind::Scatter, "fit", "judge:a", "judge:b").options),
        &query(PlotKind::Scatter, "fit", "judge:a", "judge:b"),
    );
    assert_eq!(plot.sides, ["judge:a", "judge:b"]);
    // Judge `a` averaged over runs: 3 and 4; judge `b`: 9 and 7. The other five are rated by `a` alone.
    let found: Vec<(f64, f64, u32)> = plot.lines[0]
        .marks
        .iter()
        .map(|mark| (mark.low, mark.y_low, mark.n))
        .collect();
    assert_eq!(found, [(4.0, 7.0, 1), (3.0, 9.0, 1)]);
    assert_eq!(plot.lines[0].missing, 5);
    let mae = plot.agreement.unwrap().mae.unwrap().value;
    assert!((mae - 4.5).abs() < 1e-12, "{mae}");
    let without = juror_session::plot(
        &session.study(&query(PlotKind::Scatter, "fit", "judge:a", "people").options),
        &query(PlotKind::Scatter, "fit", "judge:a", "people"),
    );
    assert!(without.lines.is_empty() && without.agreement.is_none());
}

#[test]
fn a_model_without_a_reply_is_not_judged_in_markdown_and_latex_and_one_with_a_reply_is() {
    let of_m = ["1", "2", "3", "4"].map(|id| ("m", id, "a", 1, 2.0));
    let mut session = session(&of_m);
    let options = with(Some("a"), None);
    let tables = juror_session::tables(&session.study(&options));
    let markdown = tables.to_markdown();
    assert!(
        markdown.contains("| n | Not judged (n 0 of 4)"),
        "{markdown}"
    );
    assert!(!markdown.contains("| m | Not judged"), "{markdown}");
    let latex = tables.to_latex(Intervals::Hidden);
    assert!(latex.contains("n & Not judged"), "{latex}");
    // The table on the page goes by the same word.
    let overview = juror_session::overview(&session.study(&options));
    let mut unjudged: Vec<&str> = (overview.row_incidents.iter())
        .filter(|of| of.is_unjudged)
        .map(|of| overview.scores[of.row as usize].model.as_str())
        .collect();
    unjudged.dedup();
    assert_eq!(unjudged, ["n"]);
    // Of the criterion that a judge was not asked about, of a model that it judged, there is no number and no such word.
    let compared =
        juror_session::compare(&session.study(&options), &CompareQuery::default()).unwrap();
    let compared = compared.to_markdown();
    assert!(compared.contains("| n |  | No score |"), "{compared}");
}

#[test]
fn of_one_model_alone_no_table_says_what_bold_means() {
    const BOLD: &str = "Bold: not significantly different";
    let is_said = |mut session: Session, judge: &str| {
        let tables = juror_session::tables(&session.study(&with(Some(judge), None)));
        let texts = [tables.to_markdown(), tables.to_latex(Intervals::Shown)];
        texts.map(|text| text.contains(BOLD))
    };
    assert_eq!(is_said(twenty(18, &[]), "full"), [false; 2]);
    assert_eq!(is_said(two_judges(), "a"), [true; 2]);
}

#[test]
fn of_fewer_than_five_there_is_no_interval_in_any_export_and_it_is_said() {
    const FEW: &str = "n too small for an interval";
    let mut few = two_judges();
    let options = with(Some("a"), None);
    let tables = juror_session::tables(&few.study(&options));
    assert!(tables.to_markdown().contains(FEW));
    assert!(tables.to_latex(Intervals::Shown).contains(FEW));
    assert!(!tables.to_latex(Intervals::Hidden).contains(FEW));
    let compared = juror_session::compare(&few.study(&options), &CompareQuery::default()).unwrap();
    let intervals = compared.models.iter().map(|model| model.interval);
    assert!(
        intervals
            .chain([compared.pairs[0].interval])
            .all(|ends| ends.is_none())
    );
    assert!(
        compared
            .models
            .iter()
            .all(|model| model.bootstrap.is_none())
    );
    assert!(compared.notes.iter().any(|note| note.contains(FEW)));
    assert!(compared.pairs[0].sentence.contains(FEW));
    assert!(
        compared
            .to_markdown()
            .contains("| n too small | n too small |")
    );
    // Of eighteen there is one, and nothing to be said.
    let mut many = twenty(18, &[]);
    let options = with(Some("other"), None);
    let markdown = juror_session::tables(&many.study(&options)).to_markdown();
    assert!(
        markdown.contains('[') && !markdown.contains(FEW),
        "{markdown}"
    );
    let compared = juror_session::compare(&many.study(&options), &CompareQuery::default()).unwrap();
    assert!(compared.models[0].interval.is_some() && compared.models[0].bootstrap.is_some());
    assert!(!compared.notes.iter().any(|note| note.contains(FEW)));
}

#[test]
fn a_session_is_complete_again_only_when_further_files_were_read() {
    let mut session = session(&[("m", "1", "a", 1, 8.0)]);
    let options = ScoreOptions::default();
    let checked = |session: &mut Session| {
        // Asked twice, as what was found the first time is kept.
        let first = session.study(&options).is_complete();
        assert_eq!(session.study(&options).is_complete(), first);
        first
    };
    assert!(checked(&mut session));
    let (path, bytes) = file("n/4.png", "output");
    let first = session.add_files(&metas(&[(path, bytes.clone())]));
    assert!(!checked(&mut session));
    loop {
        let wants = session.wants(usize::MAX);
        for want in &wants {
            assert_eq!(want.file, first);
            session.provide(want.file, bytes.clone());
        }
        if wants.is_empty() {
            break;
        }
    }
    assert!(checked(&mut session));
}
