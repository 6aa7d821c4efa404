#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::Probed;
use juror_agents::{AgentWhich, Due, Framework, Kind, Set};
use juror_judging::provider::PictureWire;
use juror_model::host::FileMeta;
use juror_model::judge::{Params, Wire};
use juror_model::options::ScoreOptions;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn probe(_: &[u8], _: u64) -> Probed {
    Probed::Picture {
        width: 1,
        height: 1,
    }
}

/// Opens files with these contents, after whatever is open already.
fn open(session: &mut Session, files: &[(&str, &str)]) {
    let metas: Vec<FileMeta> = files
        .iter()
        .map(|(path, text)| FileMeta {
            path: (*path).to_owned(),
            size: Some(text.len() as u64),
        })
        .collect();
    session.add_files(&metas);
    loop {
        let wants = session.wants(100);
        if wants.is_empty() {
            return;
        }
        for want in wants {
            let path = session.path(want.file).to_owned();
            let content = files.iter().find(|(known, _)| *known == path);
            session.provide(
                want.file,
                content.map_or("", |(_, text)| text).as_bytes().to_vec(),
            );
        }
    }
}

fn benchmark() -> Session {
    let mut session = Session::new(probe);
    open(
        &mut session,
        &[
            ("data/add/001_prompt.txt", "Join them."),
            ("data/add/001_0.png", "a"),
            ("data/add/001_1.jpg", "b"),
            ("data/add/002_prompt.txt", "Join those."),
            ("data/add/002_0.png", "c"),
            ("data/add/002_1.png", "d"),
            ("data/single/003_prompt.txt", "Change it."),
            ("data/single/003_0.png", "e"),
        ],
    );
    session
}

fn set(framework: Framework) -> Set {
    Set {
        name: "N".to_owned(),
        framework,
        planner: "p".to_owned(),
        generator: "g".to_owned(),
    }
}

fn key(framework: Framework, sample: &str) -> AgentKey {
    AgentKey {
        set: set(framework),
        sample: sample.to_owned(),
        steps: 3,
    }
}

fn scope(framework: Framework) -> AgentScope {
    AgentScope {
        set: set(framework),
        steps: 3,
        domains: Vec::new(),
        per_domain: 0,
    }
}

/// The record of the call that is due, answered: a picture with these bytes, or the planner with this text.
fn answer(session: &mut Session, key: &AgentKey, text: &str) -> Record {
    let record = crate::agent_call(&session.linked(), key)
        .unwrap()
        .record
        .unwrap();
    if record.kind == Kind::Picture {
        return record
            .with_picture(&[PNG, text.as_bytes()].concat())
            .unwrap();
    }
    Record {
        reply: text.to_owned(),
        ..record
    }
}

/// Answers one call after another and keeps them.
fn make(session: &mut Session, key: &AgentKey, texts: &[&str]) -> Vec<Record> {
    let mut records = Vec::new();
    for text in texts {
        let record = answer(session, key, text);
        crate::add_trajectories(session, vec![record.clone()]);
        records.push(record);
    }
    records
}

fn query(framework: Framework) -> AgentQuery {
    AgentQuery {
        set: set(framework),
        steps: 0,
        options: ScoreOptions::default(),
        which: AgentWhich::Begun,
        text: String::new(),
        offset: 0,
        limit: 10,
    }
}

/// Lists the kept pictures, as a host does.
fn list(session: &mut Session) -> Vec<String> {
    let paths: Vec<String> = crate::agent_files(&session.linked())
        .into_iter()
        .map(|file| file.path)
        .collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    open(session, &files);
    paths
}

#[test]
fn a_plan_counts_what_is_still_to_be_called() {
    let mut session = benchmark();
    let plan = crate::plan_agents(&session.linked(), &scope(Framework::Ipr));
    assert_eq!((plan.tasks.len(), plan.pictures, plan.plans), (3, 9, 6));
    // Two references each in two sets, one in the third; the planner sees the picture as well.
    assert_eq!(
        (plan.pictures_to_generator, plan.pictures_to_planner),
        (15, 16)
    );
    assert_eq!(
        plan.domains,
        [("single".to_owned(), 1), ("add".to_owned(), 2)]
    );
    let few = AgentScope {
        domains: vec!["add".to_owned()],
        per_domain: 1,
        ..scope(Framework::Cafg)
    };
    let plan = crate::plan_agents(&session.linked(), &few);
    assert_eq!((plan.tasks.len(), plan.pictures_to_generator), (1, 9));
    make(
        &mut session,
        &key(Framework::Ipr, "add/001"),
        &["1", "B", "2"],
    );
    let plan = crate::plan_agents(&session.linked(), &scope(Framework::Ipr));
    assert_eq!((plan.pictures, plan.plans, plan.finished), (7, 5, 0));
    make(&mut session, &key(Framework::Ipr, "add/001"), &["C", "3"]);
    let plan = crate::plan_agents(&session.linked(), &scope(Framework::Ipr));
    assert_eq!((plan.tasks.len(), plan.finished), (2, 1));
    // Another maker's trajectories under the same name would be one model of two makers.
    let mut other = scope(Framework::Ipr);
    other.set.planner = "q".to_owned();
    assert!(
        crate::plan_agents(&session.linked(), &other)
            .problem
            .unwrap()
            .contains("choose another name")
    );
    other.set.name = "M".to_owned();
    assert_eq!(crate::plan_agents(&session.linked(), &other).problem, None);
    assert_eq!(
        crate::plan_agents(&session.linked(), &scope(Framework::Sra)).problem,
        None
    );
}

#[test]
fn kept_pictures_are_outputs_of_a_model_for_each_step() {
    let mut session = benchmark();
    make(
        &mut session,
        &key(Framework::Sra, "add/001"),
        &["1", "{\"indices\": [1], \"prompt\": \"B\"}", "2"],
    );
    make(
        &mut session,
        &key(Framework::Sra, "add/002"),
        &["3", "{\"indices\": []}"],
    );
    let paths = list(&mut session);
    assert_eq!(
        paths,
        [
            "agents/N +SRA step 1/add/001_generated.png",
            "agents/N +SRA step 2/add/001_generated.png",
            "agents/N +SRA step 1/add/002_generated.png",
            // The planner ended there, so this is the picture of the first step again.
            "agents/N +SRA step 2/add/002_generated.png",
        ]
    );
    assert!(crate::agent_files(&session.linked()).is_empty());
    assert_eq!(crate::agent_export(&session.linked()).len(), 4);
    let views = crate::agent_sets(&session.linked());
    assert_eq!(views[0].models, ["N +SRA step 1", "N +SRA step 2"]);
    assert_eq!(
        (views[0].trajectories, views[0].finished, views[0].stopped),
        (2, 2, 1)
    );
    let strips = crate::agent_strips(
        &session.study(&query(Framework::Sra).options),
        &query(Framework::Sra),
    );
    assert_eq!((strips.total, strips.strips.len()), (2, 2));
    let [first, second] = &strips.strips[..] else {
        unreachable!("two strips")
    };
    assert_eq!(first.steps[1].references, [1]);
    assert_eq!(
        (&*first.steps[1].prompt, first.steps[1].is_carried),
        ("B", false)
    );
    assert_eq!(
        (&*second.steps[1].model, second.steps[1].is_carried),
        ("N +SRA step 2", true)
    );
    let all = AgentQuery {
        which: AgentWhich::All,
        offset: 1,
        limit: 1,
        ..query(Framework::Sra)
    };
    let page = crate::agent_strips(&session.study(&all.options), &all);
    assert_eq!(
        (page.total, page.strips.len(), &*page.strips[0].sample),
        (3, 1, "add/001")
    );
}

#[test]
fn an_opened_folder_says_what_the_storage_said() {
    let mut kept = benchmark();
    make(
        &mut kept,
        &key(Framework::Ipr, "add/001"),
        &["1", "B", "2", "C", "3"],
    );
    let paths = list(&mut kept);
    let text = crate::trajectories(&kept) + "{half\n";
    let mut opened = benchmark();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    files.push(("agents/trajectories.jsonl", &text));
    open(&mut opened, &files);
    let (a, b) = (
        crate::agent_strips(
            &kept.study(&query(Framework::Ipr).options),
            &query(Framework::Ipr),
        ),
        crate::agent_strips(
            &opened.study(&query(Framework::Ipr).options),
            &query(Framework::Ipr),
        ),
    );
    let prompts = |strips: &AgentStrips| -> Vec<String> {
        strips.strips[0]
            .steps
            .iter()
            .map(|step| step.prompt.clone())
            .collect()
    };
    assert_eq!(prompts(&a), ["Join them.", "B", "C"]);
    assert_eq!(prompts(&a), prompts(&b));
    assert_eq!(a.strips[0].due, b.strips[0].due);
    assert_eq!(
        crate::agent_sets(&kept.linked()),
        crate::agent_sets(&opened.linked())
    );
    assert_eq!(crate::trajectories(&opened), crate::trajectories(&kept));
    // What could not be read is told, and the file is no stranger.
    let overview = crate::overview(&opened.study(&ScoreOptions::default()));
    assert_eq!(overview.unknown_files, Vec::<String>::new());
    let problems = overview
        .problems
        .iter()
        .filter(|problem| problem.code == "bad_line");
    assert_eq!(
        problems.map(|problem| &*problem.place).collect::<Vec<_>>(),
        ["line 6"]
    );
    // Records without their pictures promise none: those outputs are missing.
    let mut bare = benchmark();
    open(&mut bare, &[("agents/trajectories.jsonl", &text)]);
    assert!(
        crate::agent_files(&bare.linked()).is_empty()
            && crate::agent_sets(&bare.linked())[0].models[0].is_empty()
    );
    // Both at once are not twice as much, and nothing is left to pay.
    crate::add_trajectories(&mut opened, kept.data.trajectories.clone());
    assert_eq!(crate::trajectories(&opened), crate::trajectories(&kept));
    assert!(crate::agent_files(&opened.linked()).is_empty());
    assert_eq!(
        crate::plan_agents(&opened.linked(), &scope(Framework::Ipr)).finished,
        1
    );
}

#[test]
fn a_folder_that_was_opened_before_its_benchmark_is_understood() {
    let mut kept = benchmark();
    make(&mut kept, &key(Framework::Ipr, "add/001"), &["1"]);
    let text = crate::trajectories(&kept);
    let mut session = Session::new(probe);
    open(&mut session, &[("agents/trajectories.jsonl", &text)]);
    assert!(crate::agent_sets(&session.linked()).is_empty());
    let files = [
        ("agents/trajectories.jsonl", text.as_str()),
        ("data/add/001_prompt.txt", "Join them."),
        ("data/add/001_0.png", "a"),
        ("data/add/001_1.jpg", "b"),
    ];
    // Contents are looked up by path, so the file that is open already is given again.
    open(&mut session, &files[..]);
    assert_eq!(crate::agent_sets(&session.linked())[0].trajectories, 1);
}

#[test]
fn a_call_is_hashed_once_its_references_are_known_and_a_changed_one_is_paid_again() {
    let mut session = benchmark();
    let key = key(Framework::Cafg, "add/001");
    let call = crate::agent_call(&session.linked(), &key).unwrap();
    assert_eq!((call.needs.len(), call.record.unwrap().request), (2, None));
    for (file, bytes) in call.needs.iter().zip(["a", "b"]) {
        crate::provide_picture(&mut session, *file, bytes.as_bytes());
    }
    let call = crate::agent_call(&session.linked(), &key).unwrap();
    assert!(call.needs.is_empty() && call.record.unwrap().request.is_some());
    make(&mut session, &key, &["1"]);
    assert_eq!(
        crate::agent_call(&session.linked(), &key).unwrap().due,
        Due::Plan { step: 1 }
    );
    let file = session.loader.tree.find("data/add/001_0.png").unwrap();
    crate::provide_picture(&mut session, file, b"other");
    assert_eq!(
        crate::agent_call(&session.linked(), &key).unwrap().due,
        Due::Picture { step: 1 }
    );
    let unknown = AgentKey {
        sample: "add/009".to_owned(),
        ..key
    };
    assert_eq!(
        crate::agent_call(&session.linked(), &unknown)
            .unwrap_err()
            .code(),
        "unknown_sample"
    );
}

#[test]
fn an_answer_that_was_paid_for_and_not_read_is_there_before_the_call_is_made_again() {
    let mut session = benchmark();
    let key = key(Framework::Cafg, "add/001");
    let services = |size: &str| AgentServices {
        planner_wire: Wire::OpenAi,
        planner_base: String::new(),
        planner: Params {
            model: "p".to_owned(),
            ..Params::default()
        },
        generator_wire: PictureWire::OpenAi,
        generator_base: String::new(),
        generator: Params {
            model: "g".to_owned(),
            extra: [("size".to_owned(), size.into())].into_iter().collect(),
            ..Params::default()
        },
    };
    let body = |session: &mut Session, size: &str| {
        let body = crate::agent_body(&session.linked(), &key, &services(size));
        body.unwrap().unwrap()
    };
    let draft = body(&mut session, "auto");
    assert_eq!(draft.paid, None);
    let failed = Record {
        error: Some("not_json: Expected JSON.".to_owned()),
        body: Some("{\"data\": [{\"b64".to_owned()),
        ..draft.record
    };
    let line = juror_agents::write([&failed]);
    let read = juror_agents::read(&line).unwrap();
    assert_eq!(read.records, [failed]);
    crate::add_trajectories(&mut session, read.records);
    let again = body(&mut session, "auto");
    assert_eq!(again.paid.as_deref(), Some("{\"data\": [{\"b64"));
    // What was asked with another size answers another call.
    assert_eq!(body(&mut session, "1024x1024").paid, None);
}

#[test]
fn calls_are_put_together_for_their_services() {
    let mut session = benchmark();
    let key = key(Framework::Cafg, "add/001");
    let params = |model: &str, extra: serde_json::Value| Params {
        model: model.to_owned(),
        temperature: None,
        max_tokens: Some(500),
        extra: extra.as_object().cloned().unwrap_or_default(),
    };
    let mut services = AgentServices {
        planner_wire: Wire::OpenAi,
        planner_base: "http://localhost:1".to_owned(),
        planner: params("p", serde_json::json!({})),
        generator_wire: PictureWire::OpenAi,
        generator_base: "http://localhost:2".to_owned(),
        generator: params("g", serde_json::json!({"size": "auto"})),
    };
    let body = crate::agent_body(&session.linked(), &key, &services)
        .unwrap()
        .unwrap();
    assert_eq!(
        (&*body.url, body.json),
        ("http://localhost:2/v1/images/edits", None)
    );
    let sent: Vec<_> = body
        .pictures
        .iter()
        .map(|p| (&*p.field, &*p.path, p.file.is_some()))
        .collect();
    assert_eq!(
        sent,
        [
            ("image[]", "data/add/001_0.png", true),
            ("image[]", "data/add/001_1.jpg", true)
        ]
    );
    assert!(
        body.fields
            .contains(&("prompt".to_owned(), "Join them.".to_owned()))
    );
    assert_eq!(body.record.parameters["size"], "auto");
    let made = make(&mut session, &key, &["1"])[0].picture.clone().unwrap();
    let body = crate::agent_body(&session.linked(), &key, &services)
        .unwrap()
        .unwrap();
    assert_eq!(&*body.url, "http://localhost:1/v1/chat/completions");
    let json = body.json.unwrap();
    assert!(
        json.contains("data:@juror-media-type-2@;base64,@juror-picture-2@")
            && json.contains("\"max_tokens\":500")
    );
    // Kept and not listed yet, the picture is known by its content.
    let last = body.pictures.last().unwrap();
    assert_eq!(
        (last.file, last.sha256.as_deref()),
        (None, Some(&*made.sha256))
    );
    make(&mut session, &key, &["Next."]);
    services.generator_wire = PictureWire::Gemini;
    let body = crate::agent_body(&session.linked(), &key, &services)
        .unwrap()
        .unwrap();
    assert!(body.url.ends_with("/v1beta/models/g:generateContent"));
    assert!(body.json.unwrap().contains("responseModalities"));
    services.generator = params("g", serde_json::json!({"contents": []}));
    assert_eq!(
        crate::agent_body(&session.linked(), &key, &services)
            .unwrap_err()
            .code(),
        "bad_parameters"
    );
}
