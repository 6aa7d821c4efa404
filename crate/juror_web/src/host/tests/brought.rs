//! What a person brings: that it is in the session and on disk, or in the tab alone.

use js_sys::{Array, JSON, Promise, Reflect};
use juror_model::host::FileMeta;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use super::super::control::KeptIn;
use super::super::kept::{self, Kept};
use super::super::storage::{self, JUDGES};
use crate::session::Session;

/// A benchmark that declares itself; each test names its own, as all share one storage.
fn benchmark(title: &str) -> String {
    format!(
        r#"{{"format": "juror-protocol/1", "id": "small", "title": "Small",
            "samples": [{{"id": "1", "instruction": "{title}"}}], "criteria": [{{"id": "fit", "label": "Fit", "range": [1, 10]}}],
            "requests": [{{"id": "judge", "reply": {{"form": "lines"}}}}]}}"#
    )
}

/// One pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";

/// A session that has read it, and one output of the model `m`.
fn opened(title: &str) -> Session {
    read(&[
        ("bench/juror.json", benchmark(title).as_bytes()),
        ("m/1.png", PNG),
    ])
}

/// A session that has read these files.
fn read(files: &[(&str, &[u8])]) -> Session {
    let session = Session::new();
    {
        let open = &mut session.0.session.borrow_mut();
        let listed: Vec<FileMeta> = files
            .iter()
            .map(|(path, _)| FileMeta {
                path: (*path).to_owned(),
                size: None,
            })
            .collect();
        open.add_files(&listed);
        loop {
            let wants = open.wants(100);
            if wants.is_empty() {
                break;
            }
            for want in wants {
                let (_, bytes) = files[want.file as usize];
                open.provide(want.file, bytes.to_vec());
            }
        }
    }
    session
}

fn id_of(session: &Session) -> String {
    let id = juror_session::benchmark_id(&session.0.session.borrow());
    id.expect("a benchmark is open")
}

fn reply(model: &str) -> JsValue {
    let reply = format!(
        r#"{{"key": {{"model": "{model}", "sample": "1", "turn": 0, "criterion": "judge"}}, "judge": "j", "run": 1,
            "text": "Fit: 7", "time": "2026-01-02T03:04:05.678Z"}}"#
    );
    JSON::parse(&reply).expect("JSON")
}

async fn came(promise: Promise) -> JsValue {
    JsFuture::from(promise).await.expect("it is done")
}

fn field(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).expect("an object")
}

async fn num_kept(benchmark: &str) -> usize {
    let kept = kept::replies(benchmark).await;
    kept.expect("storage is read").len()
}

#[wasm_bindgen_test]
async fn a_pasted_reply_is_on_disk_until_it_is_taken_out_with_its_copies() {
    let session = opened("Paste.");
    let id = id_of(&session);
    for copies in 1..=2 {
        let pasted = Kept::paste(&session, reply("m"), KeptIn::Storage).expect("a reply");
        let pasted = came(pasted).await;
        assert_eq!(field(&pasted, "kept"), JsValue::TRUE);
        assert_eq!(field(&pasted, "stored"), JsValue::TRUE);
        assert_eq!(field(&pasted, "duplicate"), JsValue::from(copies > 1));
        assert_eq!(num_kept(&id).await, copies);
    }
    let removed = Kept::remove_pasted(&session, reply("m"), KeptIn::Storage).expect("a reply");
    assert_eq!(came(removed).await, JsValue::from(2));
    assert_eq!(num_kept(&id).await, 0);
    assert!(session.0.session.borrow().journal().is_empty());
}

#[wasm_bindgen_test]
async fn what_is_pasted_to_a_demo_suite_stays_in_the_tab() {
    let session = opened("Demo.");
    let id = id_of(&session);
    let pasted = Kept::paste(&session, reply("m"), KeptIn::Tab).expect("a reply");
    let pasted = came(pasted).await;
    assert_eq!(field(&pasted, "kept"), JsValue::TRUE);
    assert_eq!(field(&pasted, "stored"), JsValue::FALSE);
    assert_eq!(num_kept(&id).await, 0);
    let journal = session.0.session.borrow().journal();
    assert!(journal.contains("Fit: 7"), "{journal}");
    let together = came(Kept::paste_together(&session, journal, KeptIn::Tab)).await;
    assert_eq!(field(&together, "stored"), JsValue::FALSE);
    assert_eq!(num_kept(&id).await, 0);
}

#[wasm_bindgen_test]
async fn a_reply_to_a_request_that_is_not_there_is_refused_by_its_code_and_kept_nowhere() {
    let session = opened("Refuse.");
    let pasted = Kept::paste(&session, reply("nobody"), KeptIn::Storage).expect("a reply");
    let cause = JsFuture::from(pasted).await.expect_err("a refusal");
    let code = field(&cause, "code").as_string().unwrap_or_default();
    assert!(code.starts_with("unknown_"), "{code}");
    assert_eq!(num_kept(&id_of(&session)).await, 0);
    assert!(session.0.session.borrow().journal().is_empty());
}

#[wasm_bindgen_test]
async fn replies_that_come_together_are_counted_and_what_is_no_reply_is_named_by_its_line() {
    let session = opened("Together.");
    let id = id_of(&session);
    let line = r#"{"format": "juror-journal/1", "protocol": "small", "model": "m", "sample": "1", "turn": 0, "criterion": "judge", "judge": "j", "run": 1, "reply": "Fit: 7"}"#;
    let text = format!("{line}\n{{\"format\": \"juror-journal/1\"\n");
    let together = came(Kept::paste_together(&session, text, KeptIn::Storage)).await;
    assert_eq!(field(&together, "taken"), JsValue::from(1));
    assert_eq!(field(&together, "unreadable"), JsValue::from(0));
    assert_eq!(field(&together, "stored"), JsValue::TRUE);
    let problems: Array = field(&together, "problems").into();
    let problem = problems.get(0).as_string().unwrap_or_default();
    assert!(problem.starts_with("Line 2: "), "{problem}");
    assert_eq!(num_kept(&id).await, 1);
    let nothing = came(Kept::paste_together(
        &session,
        String::new(),
        KeptIn::Storage,
    ))
    .await;
    assert_eq!(field(&nothing, "taken"), JsValue::from(0));
    assert_eq!(field(&nothing, "stored"), JsValue::FALSE);
}

#[wasm_bindgen_test]
async fn of_two_names_for_one_place_the_later_stands_until_it_is_taken_back() {
    // Its replies do not state their judge.
    let dialogue = r#"[{"idx": 0, "domain": "edit", "images": ["imgs/1.png", "imgs/2.png"], "chats": [
        {"role": "user", "type": "text", "content": "Paint Image #1 blue."},
        {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"GT #1": "It is blue."}}]}]"#;
    let verdict = r#"{"score": 8, "reasoning": "Blue."}"#;
    let replies = format!(
        r#"{{"idx": 0, "domain": "edit", "turn 0": {{"key_point": {verdict}, "visual_consistency": {verdict}, "image_quality": {verdict}}}}}"#
    );
    let file = "result/m/metrics.jsonl";
    let session = read(&[
        ("bench/test.json", dialogue.as_bytes()),
        ("bench/imgs/1.png", PNG),
        ("bench/imgs/2.png", PNG),
        ("result/m/imgs/2.png", PNG),
        (file, replies.as_bytes()),
    ]);
    let counting = || -> Vec<String> {
        let names = juror_session::judge_names(&session.0.session.borrow_mut().linked());
        names.into_iter().map(|one| one.judge).collect()
    };
    let id = id_of(&session);
    let places = || vec![file.to_owned(), "b".to_owned()];
    let name = |judge: &str, places, place| {
        came(Kept::name_judge(&session, places, judge.to_owned(), place))
    };
    assert_eq!(
        name("gpt-4o", places(), KeptIn::Storage).await,
        JsValue::TRUE
    );
    let later = name(" gpt-4.1 ", places(), KeptIn::Storage).await;
    assert_eq!(later, JsValue::TRUE);
    assert_eq!(counting(), ["gpt-4.1"]);
    let back = name("", vec![file.to_owned(), "c".to_owned()], KeptIn::Storage).await;
    assert_eq!(back, JsValue::TRUE);
    assert_eq!(counting(), [""; 0]);
    let in_tab = name("gpt-5", vec![file.to_owned()], KeptIn::Tab).await;
    assert_eq!(in_tab, JsValue::FALSE);
    assert_eq!(counting(), ["gpt-5"]);
    let left = storage::all_of(JUDGES, &id).await.expect("read");
    let names: Vec<String> = left
        .iter()
        .filter_map(|one| field(one, "judge").as_string())
        .collect();
    assert_eq!(names, ["gpt-4.1"]);
}

#[wasm_bindgen_test]
async fn a_name_that_is_none_is_refused_and_not_kept() {
    let session = opened("Misname.");
    let id = id_of(&session);
    let named = Kept::name_judge(
        &session,
        vec!["a".to_owned()],
        "two\nlines".to_owned(),
        KeptIn::Storage,
    );
    JsFuture::from(named).await.expect_err("a refusal");
    assert!(storage::all_of(JUDGES, &id).await.expect("read").is_empty());
}

#[wasm_bindgen_test]
async fn what_is_brought_to_a_session_that_was_closed_is_answered_to_nobody() {
    let session = opened("Close.");
    let pasted = Kept::paste_together(&session, String::new(), KeptIn::Storage);
    drop(session);
    let cause = JsFuture::from(pasted).await.expect_err("nobody waits");
    assert_eq!(field(&cause, "code"), JsValue::from("superseded"));
}
