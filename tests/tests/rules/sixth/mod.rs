//! A sixth benchmark from one folder outside the five: it lists, requests, parses, scores and shows by its registration alone.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::host::FileMeta;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::reply::ParsedReply;
use juror_model::request::{PartView, RequestKey};
use juror_model::row::ScoreRow;
use juror_protocols::contract::{Protocol, Reading as _};
use juror_session::compare::CompareQuery;
use juror_session::view::SampleQuery;
use juror_session::{Probed, Session};

mod duel;

/// The one line that registers it, beside a benchmark that it must not be taken for.
static WITH_DUEL: &[&dyn Protocol] = &[&juror_protocols::micon::Micon, &duel::DUEL];
static WITH_LENIENT: &[&dyn Protocol] = &[&juror_protocols::micon::Micon, &duel::LENIENT];

const PAPER: ScoreOptions = ScoreOptions {
    profile: Profile::Paper,
    policy: None,
    judge: None,
    run: None,
    reading: juror_model::options::ReplyReading::Strict,
};

/// A session over the benchmark's own demo suite.
fn opened(protocols: &'static [&'static dyn Protocol]) -> Session {
    let files = duel::demo::files();
    let mut session = Session::with_protocols(
        |_, _| Probed::Picture {
            width: 8,
            height: 8,
        },
        protocols,
    );
    let metas: Vec<FileMeta> = files
        .iter()
        .map(|(path, bytes)| FileMeta {
            path: path.clone(),
            size: u64::try_from(bytes.len()).ok(),
        })
        .collect();
    session.add_files(&metas);
    loop {
        let wants = session.wants(usize::MAX);
        if wants.is_empty() {
            return session;
        }
        for want in wants {
            session.provide(want.file, files[want.file as usize].1.clone());
        }
    }
}

fn mean(rows: &[ScoreRow], model: &str, key: &str, criterion: &str) -> f64 {
    let mut rows = rows.iter();
    let row = rows.find(|row| (&*row.model, &*row.key, &*row.criterion) == (model, key, criterion));
    row.unwrap().mean.unwrap()
}

fn is_near(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() < 1e-12
}

#[test]
fn a_benchmark_of_one_folder_is_in_the_overview_with_scores_worked_out_by_hand() {
    let mut session = opened(WITH_DUEL);
    let overview = juror_session::overview(&session.study(&PAPER));
    let benchmark = overview.benchmark.unwrap();
    assert_eq!(
        (&*benchmark.protocol, &*benchmark.title, benchmark.samples),
        ("duelbench", "DuelBench", 4)
    );
    assert!(overview.abilities.is_empty());
    let models: Vec<&str> = overview.models.iter().map(|model| &*model.name).collect();
    assert_eq!(models, ["amber", "birch"]);
    let rows = juror_session::score_rows(&session.study(&PAPER));
    // (10, 8) → 9; (0, 9) → 4.5, capped at 3; (5, 7) → 6; (10, 10) → 10.
    assert!(is_near(mean(rows, "amber", "all", "total"), 7.0));
    assert!(is_near(mean(rows, "amber", "all", "duel"), 6.25));
    assert!(is_near(mean(rows, "amber", "all", "look"), 8.5));
    assert!(is_near(mean(rows, "amber", "sea", "total"), 6.0));
    assert!(is_near(mean(rows, "amber", "city", "total"), 8.0));
    // (0, 2) → 1; (5, 6) → 5.5; an unreadable look; a missing output counts as lowest.
    assert!(is_near(mean(rows, "birch", "all", "total"), 6.5 / 3.0));
}

#[test]
fn the_same_benchmark_without_its_cap_scores_otherwise() {
    let mut session = opened(WITH_LENIENT);
    let rows = juror_session::score_rows(&session.study(&PAPER));
    assert!(is_near(mean(rows, "amber", "all", "total"), 7.375));
    assert!(!is_near(mean(rows, "amber", "all", "total"), 7.0));
}

#[test]
fn a_benchmark_of_one_folder_shows_in_samples_and_compare() {
    let mut session = opened(WITH_DUEL);
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    let ids: Vec<&str> = list.rows.iter().map(|row| &*row.id).collect();
    assert_eq!(ids.len(), 4);
    assert!(["r1", "r2", "r3", "r4"].iter().all(|id| ids.contains(id)));
    let view =
        serde_json::to_value(juror_session::sample(&session.study(&PAPER), "r2").unwrap()).unwrap();
    assert!(view.to_string().contains("A boat."));
    assert!(view.to_string().contains("Verdict: loss"));
    let compared =
        juror_session::compare(&session.study(&PAPER), &CompareQuery::default()).unwrap();
    let text = serde_json::to_string(&compared).unwrap();
    assert!(text.contains("amber") && text.contains("birch"), "{text}");
}

#[test]
fn a_benchmark_of_one_folder_asks_and_reads_its_own_replies() {
    let mut session = opened(WITH_DUEL);
    let key = |criterion: &str| RequestKey {
        model: "amber".to_owned(),
        sample: "r3".to_owned(),
        turn: 0,
        criterion: criterion.to_owned(),
    };
    for (kind, start) in [("duel", "Does it beat"), ("look", "From 0 to 10: A tram.")] {
        let asked = juror_session::request(&session.linked(), &key(kind)).unwrap();
        let [PartView::Text { text }, pictures @ ..] = asked.parts.as_slice() else {
            panic!("{:?}", asked.parts);
        };
        assert!(text.starts_with(start));
        let is_there = |part: &PartView| matches!(part, PartView::Image { file: Some(_), .. });
        assert!(pictures.iter().all(is_there));
        assert_eq!(pictures.len(), if kind == "duel" { 2 } else { 1 });
        assert_eq!(asked.grammar, duel::DUEL.grammar(None, kind));
    }
    let read = |reply| duel::DUEL.parse(None, "duel", Profile::Paper, reply);
    assert!(matches!(
        read("Verdict: tie"),
        ParsedReply::Ok {
            score: Some(5.0),
            ..
        }
    ));
    assert!(matches!(
        read("Verdict: maybe"),
        ParsedReply::Incident { .. }
    ));
}
