#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::Probed;
use crate::input_folder::{RequestedPart, generator_request};
use juror_judging::generating::{Record, State};
use juror_judging::provider::{FailureKind, PictureWire};
use juror_model::host::FileMeta;
use juror_model::judge::Params;

fn probe(_: &[u8], _: u64) -> Probed {
    Probed::Picture {
        width: 1,
        height: 1,
    }
}

/// A session of files with these contents.
fn open(files: &[(&str, &str)]) -> Session {
    let mut session = Session::new(probe);
    let metas = files.iter().map(|(path, text)| FileMeta {
        path: (*path).to_owned(),
        size: Some(text.len() as u64),
    });
    session.add_files(&metas.collect::<Vec<_>>());
    loop {
        let wants = session.wants(100);
        if wants.is_empty() {
            return session;
        }
        for want in wants {
            let path = session.path(want.file).to_owned();
            let content = files.iter().find(|(known, _)| *known == path);
            let content = content.map_or("", |(_, text)| text);
            session.provide(want.file, content.as_bytes().to_vec());
        }
    }
}

const BENCHMARK: [(&str, &str); 6] = [
    ("data/add/001_prompt.txt", "Join them."),
    ("data/add/001_0.png", "a"),
    ("data/add/001_1.jpg", "b"),
    ("data/add/002_prompt.txt", "Join those."),
    ("data/add/002_0.png", "c"),
    ("data/add/002_1.png", "d"),
];

fn scope() -> GenerateScope {
    GenerateScope {
        name: "gen".to_owned(),
        wire: PictureWire::OpenAi,
        params: Params {
            model: "gen-1".to_owned(),
            ..Params::default()
        },
        texts: false,
        level: None,
        filter: String::new(),
        goes_on: false,
        again: false,
        limit: 0,
    }
}

/// What came of a sample.
fn record(session: &Session, sample: &str, state: State) -> Record {
    let file = format!("{sample}_generated.jpg");
    Record {
        sample: sample.to_owned(),
        state,
        sha256: "ab".to_owned(),
        file,
        time: "2026-01-01T00:00:00Z".to_owned(),
        ..generated_head(session, &scope(), "example.com")
    }
}

#[test]
fn what_was_made_is_not_asked_for_again_unless_it_was_made_otherwise() {
    let mut session = open(&BENCHMARK);
    let plan = plan_generate(&mut session, &scope());
    assert_eq!((plan.requests, plan.given, plan.made), (2, 4, 0));
    assert_eq!((plan.model.as_str(), plan.problem), ("gen", None));
    let made = record(&session, "add/001", State::Made);
    add_generated(&mut session, vec![made.clone()]);
    let plan = plan_generate(&mut session, &scope());
    assert_eq!((plan.requests, plan.made), (1, 1));
    let mut other = scope();
    other
        .params
        .extra
        .insert("size".to_owned(), "1024x1024".into());
    let plan = plan_generate(&mut session, &other);
    assert_eq!((plan.requests, plan.made, plan.changed[0].count), (1, 0, 1));
    other.again = true;
    let plan = plan_generate(&mut session, &other);
    assert_eq!((plan.requests, plan.changed.len()), (2, 0));
    // Another name is another model.
    other.name = "gen b".to_owned();
    let plan = plan_generate(&mut session, &other);
    assert_eq!((plan.requests, plan.made), (2, 0));
    assert_eq!(add_unknown_generated(&mut session, vec![made]), 0);
}

#[test]
fn what_the_service_declined_is_asked_for_again_only_where_that_is_wanted() {
    let mut session = open(&BENCHMARK);
    let given_up = |session: &Session, kind| Record {
        kind: Some(kind),
        error: Some("It says no.".to_owned()),
        ..record(session, "add/002", State::GivenUp)
    };
    let declined = given_up(&session, FailureKind::ContentFilter);
    let mut again = scope();
    again.again = true;
    add_generated(&mut session, vec![declined]);
    let plan = plan_generate(&mut session, &scope());
    assert_eq!((plan.requests, plan.lacking.len()), (1, 1));
    assert!(
        plan.lacking[0].reason.starts_with("It says no."),
        "{plan:?}"
    );
    assert_eq!(plan_generate(&mut session, &again).requests, 2);
    let models = generated_models(&session);
    assert_eq!((models[0].made, models[0].given_up), (0, 1));
    // A service that could not be reached declined nothing.
    let mut session = open(&BENCHMARK);
    let failed = given_up(&session, FailureKind::Network);
    add_generated(&mut session, vec![failed]);
    assert_eq!(plan_generate(&mut session, &scope()).requests, 2);
}

#[test]
fn a_kept_picture_is_listed_unless_its_folder_is_open() {
    let mut session = open(&BENCHMARK);
    let made = record(&session, "add/001", State::Made);
    let again = Record {
        sha256: "cd".to_owned(),
        ..made.clone()
    };
    add_generated(&mut session, vec![made.clone(), again]);
    let files = generated_files(&session);
    let [file] = files.as_slice() else {
        panic!("one file was made: {files:?}");
    };
    assert_eq!(
        (file.path.as_str(), file.is_there),
        ("gen/add/001_generated.jpg", false)
    );
    assert_eq!(file.sha256, "cd", "the last one counts");
    for folder in ["gen", "saved/gen"] {
        let path = format!("{folder}/add/001_generated.jpg");
        let mut files = BENCHMARK.to_vec();
        files.push((&path, "x"));
        let mut session = open(&files);
        add_generated(&mut session, vec![made.clone()]);
        assert!(generated_files(&session)[0].is_there, "{path}");
    }
}

#[test]
fn a_name_that_is_taken_or_no_folder_can_have_is_refused() {
    let mut files = BENCHMARK.to_vec();
    files.push(("gen/add/001_generated.jpg", "x"));
    let mut session = open(&files);
    let problem =
        |session: &mut Session, scope: &GenerateScope| plan_generate(session, scope).problem;
    let taken = problem(&mut session, &scope()).unwrap();
    assert!(taken.contains("have a model gen already"), "{taken}");
    // One that this browser made is gone on with.
    let made = record(&session, "add/001", State::Made);
    add_generated(&mut session, vec![made]);
    assert_eq!(problem(&mut session, &scope()), None);
    for name in ["", ".gen", "a/b", "a:b"] {
        let scope = GenerateScope {
            name: name.to_owned(),
            ..scope()
        };
        let words = problem(&mut session, &scope).unwrap();
        assert!(words.contains("cannot be the name of a folder"), "{words}");
    }
    let filtered = GenerateScope {
        filter: "nonsense:".to_owned(),
        ..scope()
    };
    let words = problem(&mut session, &filtered).unwrap();
    assert!(words.starts_with("The filter:"), "{words}");
}

#[test]
fn a_models_folder_is_exported_with_its_journal_and_another_models_is_not() {
    let mut session = open(&BENCHMARK);
    let made = record(&session, "add/001", State::Made);
    let other = Record {
        model: "gen b".to_owned(),
        ..made.clone()
    };
    add_generated(&mut session, vec![made.clone(), other]);
    let folder = generated_folder(&session.linked(), "gen").unwrap();
    let paths: Vec<&str> = folder
        .pictures
        .iter()
        .map(|one| one.path.as_str())
        .collect();
    assert_eq!(paths, ["gen/add/001_generated.jpg"]);
    assert_eq!(folder.texts[0].path, "gen.generate.jsonl");
    let (records, bad) = juror_judging::generating::read(&folder.texts[0].text);
    assert_eq!((records, bad), (vec![made], None));
    assert!(generated_folder(&session.linked(), "none").is_err());
}

#[test]
fn a_request_says_what_its_line_says() {
    let mut session = open(&BENCHMARK);
    let query = crate::input_folder::InputQuery {
        model: "gen".to_owned(),
        ..Default::default()
    };
    let key = query.keys("add/001", 0..1).remove(0);
    let call = generator_call(&session.linked(), &key);
    let request = generator_request(&session, &call.input).unwrap();
    assert_eq!(request.pictures.len(), 2);
    let parts: Vec<&RequestedPart> = request
        .messages
        .iter()
        .flat_map(|(_, parts)| parts)
        .collect();
    let pictures = parts
        .iter()
        .filter(|part| matches!(part, RequestedPart::Picture(_)));
    assert_eq!(pictures.count(), 2);
    let text = RequestedPart::Text("Join them.".to_owned());
    assert!(parts.contains(&&text), "{parts:?}");
}
