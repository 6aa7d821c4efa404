//! Failure labels: set, taken back, read from files, filtered by, counted, and compared between people.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::options::ScoreOptions;
use juror_session::Session;
use juror_session::label_file::LabelRecord;
use juror_session::view::SampleQuery;
use juror_session::view::labels::{LabelChange, LabelCounts, LabelQuery, LabelSheetQuery};
use juror_session::view::rating::{RateKey, RateScope};
use juror_tests::generate::{File, open};

/// Six sets of two tasks with outputs of two models, but for one of the second model.
fn files() -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut write = |path: String| files.push((path, b"text".to_vec()));
    for (task, pictures) in [("single", 1), ("add", 2)] {
        for number in 1..=3 {
            write(format!("data/{task}/{task}{number}_prompt.txt"));
            for index in 0..pictures {
                write(format!("data/{task}/{task}{number}_{index}.jpg"));
            }
            write(format!("m/{task}/{task}{number}_generated.png"));
            if (task, number) != ("add", 3) {
                write(format!("n/{task}/{task}{number}_generated.png"));
            }
        }
    }
    files
}

fn with(more: &[(&str, &str)]) -> Session {
    let mut files = files();
    files.extend(
        more.iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())),
    );
    open(&files)
}

fn ids(session: &mut Session) -> Vec<String> {
    let all = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    all.rows.into_iter().map(|row| row.id).collect()
}

fn filtered(session: &mut Session, q: &str) -> Vec<String> {
    let query = SampleQuery {
        q: q.to_owned(),
        ..SampleQuery::default()
    };
    let list = juror_session::samples(&session.study(&query.options), &query);
    assert!(list.fault.is_none(), "{:?}", list.fault);
    list.rows.into_iter().map(|row| row.id).collect()
}

fn counts(session: &mut Session, scope: &str, rater: &str) -> LabelCounts {
    let query = LabelQuery {
        scope: scope.to_owned(),
        rater: rater.to_owned(),
        ..LabelQuery::default()
    };
    juror_session::label_counts(&session.study_under_any(), &query).unwrap()
}

/// `(count, n, expected)` of a row.
fn cell(counts: &LabelCounts, key: &str, model: &str, label: &str) -> (u32, u32, u32) {
    let mut rows = counts.rows.iter();
    let is_it = |row: &&juror_session::view::labels::LabelRow| {
        (&*row.key, &*row.model, &*row.label) == (key, model, label)
    };
    let row = rows.find(is_it).unwrap();
    (row.count, row.n, row.expected)
}

const FILE: &str = "sample,turn,model,label,rater\n\
    single/1,0,m,artefact,ann\n\
    single/1,0,m,Wrong place,ann\n\
    single/2,0,m,none,ann\n\
    add/1,0,m,odd hands,ann\n\
    single/1,0,n,artefact,ann\n\
    single/1,0,m,artefact,bob\n\
    single/2,0,m,artefact,bob\n\
    single/1,0,n,none,bob\n\
    add/3,0,n,artefact,bob\n\
    nowhere,0,m,artefact,bob\n";

/// The file with the samples' ids as the benchmark has them.
fn file(session: &mut Session) -> String {
    let ids = ids(session);
    let mut text = FILE.to_owned();
    for id in &ids {
        // The list names a set by its task and number in one way or another.
        let task = if id.contains("single") {
            "single"
        } else {
            "add"
        };
        let number = id.chars().last().unwrap();
        text = text.replace(&format!("{task}/{number},"), &format!("{id},"));
    }
    text
}

fn labelled() -> Session {
    let text = file(&mut with(&[]));
    with(&[("labels.csv", &text)])
}

#[test]
fn a_file_of_labels_is_counted_by_model_and_group_out_of_what_was_looked_at() {
    let session = &mut labelled();
    let all = counts(session, "", "");
    assert_eq!(cell(&all, "", "m", "artefact"), (2, 3, 6));
    assert_eq!(
        cell(&all, "", "n", "artefact"),
        (1, 1, 5),
        "what is not there was not looked at"
    );
    assert_eq!(cell(&all, "", "", "any"), (4, 4, 11));
    assert_eq!(
        cell(&all, "", "m", "wrong-place"),
        (1, 3, 6),
        "a name is its label"
    );
    assert_eq!(
        cell(&all, "", "m", "odd hands"),
        (1, 3, 6),
        "own words are a label"
    );
    assert!(all.rows.iter().all(|row| row.label != "text-wrong"));
    let raters: Vec<(&str, u32, u32, u32)> = (all.raters.iter())
        .map(|one| (&*one.rater, one.outputs, one.labels, one.unknown_samples))
        .collect();
    assert_eq!(raters, [("ann", 4, 4, 0), ("bob", 3, 2, 2)]);
    assert!(
        all.notes
            .iter()
            .any(|note| note.starts_with("2 labels are")),
        "{:?}",
        all.notes
    );
    let own = counts(session, "task", "ann");
    assert_eq!(cell(&own, "", "m", "artefact"), (1, 3, 6));
    assert_eq!(cell(&own, "single", "m", "any"), (1, 2, 3));
    let nobody = own
        .rows
        .iter()
        .find(|row| row.key == "add" && row.model == "n")
        .unwrap();
    assert_eq!(
        (nobody.n, nobody.expected, nobody.share),
        (0, 2, None),
        "unknown and not zero"
    );
    let share = own
        .rows
        .iter()
        .find(|row| row.n == 2)
        .unwrap()
        .share
        .unwrap();
    assert!((share.value - 0.5).abs() < 1e-12 && share.low.unwrap() > 0.09);
    assert_eq!(own.to_csv().lines().count(), own.rows.len() + 1);
    assert!(
        own.to_csv().contains("\ntask,add,n,any,ann,0,0,2,,,,95\n"),
        "{}",
        own.to_csv()
    );
    assert!(
        own.scopes.iter().any(|info| info.scope == "task"),
        "without any score"
    );
    let query = LabelQuery {
        rater: "eve".to_owned(),
        ..LabelQuery::default()
    };
    assert!(juror_session::label_counts(&session.study_under_any(), &query).is_err());
}

#[test]
fn who_only_set_labels_is_among_those_who_rated() {
    let text =
        "sample,turn,model,label,rater\nadd/add1,0,m,artefact,ann\nadd/add1,0,m,style-break,ann\n";
    let mut session = with(&[("labels.csv", text)]);
    let plan = juror_session::rate_plan(&session.linked(), &RateScope::default());
    let raters: Vec<(&str, u32, u32)> = (plan.raters.iter())
        .map(|one| (one.rater.as_str(), one.ratings, one.labels))
        .collect();
    assert_eq!(raters, [("ann", 0, 2)]);
    let plan = juror_session::rate_plan(&with(&[]).linked(), &RateScope::default());
    assert!(plan.raters.is_empty());
}

#[test]
fn two_people_are_compared_on_what_both_looked_at() {
    let found = counts(&mut labelled(), "", "");
    let row = |label: &str| {
        found
            .agreement
            .iter()
            .find(|row| row.label == label)
            .unwrap()
    };
    let artefact = row("artefact");
    // Three outputs: both, bob alone, ann alone; a third of all equal, where chance would have 5/9.
    assert_eq!(
        (artefact.n, artefact.both, artefact.only_a, artefact.only_b),
        (3, 1, 1, 1)
    );
    // Of the eleven outputs that are there.
    assert_eq!(artefact.expected, 11);
    assert!((artefact.kappa.unwrap().value + 0.5).abs() < 1e-12);
    assert_eq!(row("wrong-place").both, 0);
    assert!(
        found.agreement.iter().all(|row| row.label != "odd hands"),
        "not both looked there"
    );
    let line = found.agreement_csv();
    assert!(line.contains("\nann,bob,artefact,3,11,1,1,1,0,"), "{line}");
}

#[test]
fn samples_are_found_by_the_labels_of_the_models_that_are_looked_at() {
    let session = &mut labelled();
    let all = ids(session);
    let found = filtered(session, "label:artefact");
    assert_eq!(found.len(), 2);
    assert_eq!(filtered(session, "label:artefact model:n").len(), 1);
    assert_eq!(
        filtered(session, "label:none").len(),
        0,
        "bob saw a failure where ann saw none"
    );
    assert_eq!(
        filtered(session, "label:\"odd hands\",wrong-place").len(),
        2
    );
    assert_eq!(filtered(session, "-label:any").len(), all.len() - 3);
    assert_eq!(
        filtered(session, "label:ANY"),
        filtered(session, "label:any")
    );
    let query = SampleQuery {
        q: "label:artefac".to_owned(),
        ..SampleQuery::default()
    };
    let fault = juror_session::samples(&session.study(&query.options), &query)
        .fault
        .unwrap();
    assert_eq!(fault.replacement.as_deref(), Some("artefact"));
    let facets = juror_session::facets(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    let facet = facets.iter().find(|facet| facet.field == "label").unwrap();
    let count = |value: &str| {
        facet
            .values
            .iter()
            .find(|one| one.value == value)
            .unwrap()
            .count
    };
    assert_eq!((count("any"), count("none"), count("artefact")), (3, 0, 2));
    assert!(
        juror_session::facets(
            &with(&[]).study(&ScoreOptions::default()),
            &SampleQuery::default()
        )
        .iter()
        .all(|facet| facet.field != "label")
    );
}

fn change(session: &mut Session, label: &str, is_set: bool, time: &str) -> Vec<LabelRecord> {
    let sample = ids(session)[0].clone();
    let change = LabelChange {
        key: RateKey {
            sample,
            turn: 0,
            model: "m".to_owned(),
        },
        rater: "ann".to_owned(),
        label: label.to_owned(),
        is_set,
        time: time.to_owned(),
    };
    juror_session::label_change(&session.linked(), &change).unwrap()
}

/// The labels that ann has set on the first sample of m.
fn own(session: &mut Session) -> Vec<String> {
    let query = LabelSheetQuery {
        sample: ids(session)[0].clone(),
        rater: "ann".to_owned(),
    };
    let sheet = juror_session::label_sheet(&session.linked(), &query).unwrap();
    let mut outputs = sheet.outputs.into_iter();
    outputs.find(|output| output.key.model == "m").unwrap().own
}

#[test]
fn labels_are_set_and_taken_back_and_none_gives_way() {
    let session = &mut with(&[]);
    let mut kept = Vec::new();
    let steps: [(&str, bool, &[&str]); 5] = [
        ("none", true, &["none"]),
        ("Artefact", true, &["artefact"]),
        ("odd hands", true, &["artefact", "odd hands"]),
        ("artefact", false, &["odd hands"]),
        ("none", true, &["none"]),
    ];
    for (at, (label, is_set, expected)) in steps.into_iter().enumerate() {
        kept.extend(change(
            session,
            label,
            is_set,
            &format!("2026-11-20T10:0{at}:00.000Z"),
        ));
        juror_session::use_labels(session, kept.clone());
        assert_eq!(own(session), expected, "after {label}");
    }
    // Nothing is scored by labels, and a list that was asked for before sees them.
    let _ = juror_session::score_rows(&session.study(&ScoreOptions::default()));
    assert_eq!(filtered(session, "label:none").len(), 1);
    let csv = juror_session::labels_csv(&session.linked(), None);
    let (again, problems) = juror_session::label_file::read("labels.csv", &csv).unwrap();
    assert_eq!((again.len(), problems.len()), (3, 0), "{csv}");
    let other = &mut with(&[("labels.csv", &csv)]);
    assert_eq!(own(other), ["none"]);
}

#[test]
fn what_cannot_be_a_label_is_refused_with_its_mend() {
    let session = &mut with(&[]);
    let key = RateKey {
        sample: ids(session)[0].clone(),
        turn: 0,
        model: "m".to_owned(),
    };
    let long = "x".repeat(81);
    for (rater, label) in [
        ("", "artefact"),
        ("ann", " "),
        ("ann", "any"),
        ("ann", &*long),
    ] {
        let change = LabelChange {
            key: key.clone(),
            rater: rater.to_owned(),
            label: label.to_owned(),
            is_set: true,
            time: String::new(),
        };
        let error = juror_session::label_change(&session.linked(), &change).unwrap_err();
        assert_eq!(error.code(), "bad_label", "{label}");
    }
}

#[test]
fn a_models_folder_labels_its_own_outputs_alone_and_bad_rows_are_named() {
    let text = file(&mut with(&[]));
    let session = &mut with(&[("m/labels.csv", &text)]);
    let all = counts(session, "", "");
    assert_eq!(
        cell(&all, "", "n", "any").1,
        0,
        "what m's folder says of n is not heard"
    );
    assert_eq!(cell(&all, "", "m", "any").1, 3);
    let codes = |session: &mut Session| -> Vec<String> {
        let problems = juror_session::problems(&session.linked()).into_iter();
        problems.map(|one| one.code).collect()
    };
    assert!(codes(session).contains(&"foreign_records".to_owned()));
    let bad = "sample,turn,model,label,rater,state\nsingle/1,0,m,artefact,ann,perhaps\n";
    let problems = juror_session::problems(&with(&[("labels.csv", bad)]).linked());
    let bad = problems.iter().find(|one| one.code == "bad_label").unwrap();
    assert_eq!((&*bad.path, &*bad.place), ("labels.csv", "line 2"));
}
