//! Which benchmark files are of, by their names alone; and that the engine of that one benchmark shows what the engine with
//! all of them shows, or says that it lacks something.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{declared, micon, multiref, trust, vibe};
use juror_model::options::ScoreOptions;
use juror_model::tree::FileTree;
use juror_protocols::contract::{Protocol, Signs};
use juror_protocols::recognition;
use juror_protocols::registry::{ALL, SIGNS};
use juror_session::{Lack, Session};
use juror_tests::generate::{File, PROBE, metas, open, read};
use juror_tests::program::demo_suite;
use serde_json::{Value, json};

/// What becomes of files that a user opens.
#[derive(Debug, PartialEq, Eq)]
enum Opened {
    /// The first engine of this benchmark shows them.
    By(&'static str),
    /// Its first engine gets no further than their replies, and the one with every question goes on.
    ByFull(&'static str),
    /// The first engine of this benchmark hands them to the one with every benchmark before it shows anything.
    HandedOnBy(&'static str),
    /// Nothing is sure, so the engine with every benchmark reads them.
    ByAll,
}

fn file(path: &str, content: &str) -> File {
    (path.to_owned(), content.as_bytes().to_vec())
}

/// The benchmark that the names of files tell.
fn recognised(files: &[File]) -> Option<&'static str> {
    let mut tree = FileTree::default();
    for meta in metas(files) {
        let _ = tree.add(&meta);
    }
    recognition::recognised(&tree, SIGNS).map(Signs::id)
}

/// One benchmark alone.
fn alone(id: &str) -> &'static [&'static dyn Protocol] {
    let at = ALL.iter().position(|known| known.id() == id).unwrap();
    &ALL[at..=at]
}

fn scores(session: &mut Session) -> Value {
    json!(juror_session::score_rows(
        &session.study(&ScoreOptions::default())
    ))
}

/// What a first engine shows of what is open.
fn shown(session: &mut Session) -> Value {
    let choices = juror_session::benchmark_choices(session);
    json!({"scores": scores(session), "choices": choices})
}

/// What becomes of files whose benchmark is said to be `id`; an error where an engine shows something else than the one with
/// every benchmark and does not say so.
fn opened_as(files: &[File], id: Option<&'static str>) -> Result<Opened, String> {
    let mut all = open(files);
    let Some(id) = id else {
        return Ok(Opened::ByAll);
    };
    let first = Session::for_first_questions(PROBE, alone(id)).among(SIGNS);
    let mut first = read(first, files);
    match juror_session::lack(&mut first) {
        Lack::Benchmarks => Ok(Opened::HandedOnBy(id)),
        Lack::Readers => Ok(Opened::ByFull(id)),
        Lack::Nothing if shown(&mut first) == shown(&mut all) => Ok(Opened::By(id)),
        Lack::Nothing => Err(format!("the first engine of {id} shows something else")),
    }
}

fn opened(files: &[File]) -> Opened {
    opened_as(files, recognised(files)).unwrap()
}

/// A benchmark of each protocol with models' outputs and replies, in its authors' layout.
fn suites() -> Vec<(&'static str, Vec<File>)> {
    vec![
        ("weave", trust::weave()),
        ("micon", micon::files()),
        ("vibe", vibe::suite()),
        ("multibanana", declared::banana()),
        ("multiref", multiref::files()),
    ]
}

fn below(folder: &str, files: &[File]) -> Vec<File> {
    let moved = files.iter();
    moved
        .map(|(path, bytes)| (format!("{folder}/{path}"), bytes.clone()))
        .collect()
}

/// What is left when these are not opened.
fn without(files: &[File], is_left_out: impl Fn(&str) -> bool) -> Vec<File> {
    let rest = files.iter().filter(|(path, _)| !is_left_out(path));
    rest.cloned().collect()
}

#[test]
fn a_folder_of_one_benchmark_is_shown_by_its_own_engine() {
    for (id, files) in suites() {
        assert_eq!(opened(&files), Opened::By(id));
        let has_scores = |row: &Value| row["mean"].is_number();
        let scores = scores(&mut open(&files));
        assert!(scores.as_array().unwrap().iter().any(has_scores), "{id}");
    }
}

#[test]
fn a_first_engine_that_lacks_a_models_replies_is_told_from_the_whole_one() {
    let files = trust::weave();
    let mut fewer = files.clone();
    fewer.retain(|(path, _)| path != "result/alpha/metrics.jsonl");
    let first = || Session::for_first_questions(PROBE, alone("weave")).among(SIGNS);
    let all = shown(&mut open(&files));
    assert_eq!(shown(&mut read(first(), &files)), all);
    assert_ne!(shown(&mut read(first(), &fewer)), all);
}

#[test]
fn it_is_so_in_other_folders_with_separators_of_windows_and_among_leftovers_of_macos() {
    for (id, files) in suites() {
        let nested = below("Downloads/My benchmark (2)", &files);
        assert_eq!(opened(&nested), Opened::By(id));
        let windows: Vec<File> = nested
            .iter()
            .map(|(path, bytes)| (path.replace('/', "\\"), bytes.clone()))
            .collect();
        assert_eq!(opened(&windows), Opened::By(id));
        let mut zipped = nested.clone();
        for (other, of_other) in suites() {
            let leftovers = of_other.iter().map(|(path, _)| {
                let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
                file(
                    &format!("__MACOSX/{other}/{folder}/._{name}"),
                    "\0\u{5}\u{16}\u{7}",
                )
            });
            zipped.extend(leftovers);
        }
        zipped.push(file("Downloads/.DS_Store", "Bud1"));
        assert_eq!(opened(&zipped), Opened::By(id));
    }
}

#[test]
fn the_order_of_listing_makes_no_difference() {
    for (id, mut files) in suites() {
        files.reverse();
        assert_eq!(opened(&files), Opened::By(id));
    }
}

#[test]
fn where_two_benchmarks_are_open_nothing_is_sure() {
    for (id, files) in suites() {
        for (other, of_other) in suites() {
            if id == other {
                continue;
            }
            let both = [below("x", &files), below("y", &of_other)].concat();
            assert_eq!(opened(&both), Opened::ByAll, "{id} and {other}");
        }
    }
}

#[test]
fn a_file_that_declares_a_benchmark_leaves_nothing_sure() {
    assert_eq!(opened(&trust::small()), Opened::ByAll);
    for (_, mut files) in suites() {
        files.push(file("more/juror.json", "{}"));
        assert_eq!(opened(&files), Opened::ByAll);
    }
}

#[test]
fn results_without_their_benchmark_are_nobodys_for_sure() {
    let is_of_benchmark = |path: &str| {
        ["bench/", "E/data/", "data/", "D/", "B/"]
            .iter()
            .any(|folder| path.starts_with(folder))
    };
    for (id, files) in suites() {
        let results = without(&files, is_of_benchmark);
        assert!(!results.is_empty() && results.len() < files.len(), "{id}");
        assert_eq!(opened(&results), Opened::ByAll, "{id}");
    }
    assert_eq!(opened(&[]), Opened::ByAll);
}

#[test]
fn a_benchmark_without_results_is_recognised_and_stays_so_when_they_come() {
    for (id, files) in suites() {
        let is_result = |path: &str| {
            ["result/", "E/outputs/", "runs/", "out/"]
                .iter()
                .any(|folder| path.starts_with(folder))
        };
        let bare = without(&files, is_result);
        assert!(bare.len() < files.len(), "{id}");
        assert_eq!(opened(&bare), Opened::By(id));
    }
}

#[test]
fn what_only_looks_like_a_benchmark_by_its_name_is_handed_on() {
    let mut files = vec![file("project/test.json", r#"{"scripts": {}}"#)];
    assert_eq!(opened(&files), Opened::HandedOnBy("weave"));
    files.extend(multiref::files().into_iter().map(|(path, bytes)| {
        let path = path.replace("benchmark990v3", "mine");
        (path, bytes)
    }));
    assert_eq!(opened(&files), Opened::HandedOnBy("weave"));
    // The engine with every benchmark finds the list by its content.
    let overview = juror_session::overview(&open(&files).study(&ScoreOptions::default()));
    assert_eq!(overview.benchmark.unwrap().protocol, "multiref");
}

/// MultiRef's list under a name that tells nothing.
fn unnamed_list() -> File {
    let files = multiref::files();
    let list = files.iter().find(|(path, _)| path.contains("benchmark990"));
    ("notes/list.json".to_owned(), list.unwrap().1.clone())
}

#[test]
fn another_benchmark_that_only_its_content_tells_is_told_by_the_own_engine_too() {
    let mut files = trust::weave();
    files.push(unnamed_list());
    assert_eq!(opened(&files), Opened::By("weave"));
    let is_told = |session: &mut Session| {
        let problems = juror_session::problems(&session.linked());
        problems.iter().any(|found| found.code == "other_benchmark")
    };
    let own = Session::with_protocols(PROBE, alone("weave"));
    assert!(is_told(&mut read(own.among(SIGNS), &files)));
    // One that is not told of the others says nothing.
    let deaf = Session::with_protocols(PROBE, alone("weave"));
    assert!(!is_told(&mut read(deaf, &files)));
}

#[test]
fn results_of_batch_engines_and_sheets_wait_for_the_engine_that_reads_them() {
    let result = json!({"custom_id": "juror-1-0", "response": {"status_code": 200, "body": {}}});
    for (path, text) in [
        ("batch/results.jsonl", result.to_string()),
        ("batch/my-journal.jsonl", result.to_string()),
        ("replies.txt", "Put what the judge said".to_owned()),
    ] {
        let mut files = trust::weave();
        files.push(file(path, &text));
        assert_eq!(opened(&files), Opened::ByFull("weave"), "{path}");
    }
    let mut files = trust::weave();
    files.push(file("table.csv", "sample,model,score\n"));
    assert_eq!(opened(&files), Opened::By("weave"));
    files.push(file(
        "people.csv",
        "Rater,Sample,Model,Turn,Criterion,Score,Time\nme,6,alpha,0,visual_consistency,7,\n",
    ));
    assert_eq!(opened(&files), Opened::ByFull("weave"));
}

#[test]
fn a_wrong_answer_is_found_out_before_anything_is_shown() {
    for (id, files) in suites() {
        for (other, _) in suites() {
            if other != id {
                let opened = opened_as(&files, Some(other));
                assert_eq!(opened, Ok(Opened::HandedOnBy(other)), "{id} as {other}");
            }
        }
    }
    // A session that is not told of the other benchmarks takes its own for all there is: this is what `lack` is held against.
    let both = [below("x", &trust::weave()), below("y", &micon::files())].concat();
    let mut deaf = read(Session::with_protocols(PROBE, alone("micon")), &both);
    assert_eq!(juror_session::lack(&mut deaf), Lack::Nothing);
    assert_ne!(shown(&mut deaf), shown(&mut open(&both)));
}

#[test]
fn a_demo_suite_that_is_opened_as_a_folder_is_shown_by_its_own_engine() {
    for (id, _) in suites() {
        let files = demo_suite(id);
        let opened = opened(&files);
        assert!(
            opened == Opened::By(id) || opened == Opened::ByFull(id),
            "{id}: {opened:?}"
        );
    }
}
