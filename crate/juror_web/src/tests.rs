//! Questions and answers over the edge, in a worker of a headless browser, as the page has it.
//!
//! `cargo xtask test wasm` runs these tests twice: with a first engine and with the one that has every benchmark.

#[cfg(feature = "full")]
use js_sys::Uint8Array;
use js_sys::{JSON, Reflect};
#[cfg(feature = "full")]
use wasm_bindgen::JsCast as _;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use crate::session::Session;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// The client that is generated from the questions: what the page sends.
const CLIENT: &str = include_str!("../../../www/src/engine/types/questions.ts");

const OPTIONS: &str = r#"{"profile": "paper", "policy": null, "judge": null, "run": null}"#;

fn json(text: &str) -> JsValue {
    JSON::parse(text).expect("the test's own JSON")
}

fn ask(question: &str) -> Result<JsValue, JsValue> {
    Session::new().ask(json(question), f64::INFINITY)
}

/// Code and message of what was thrown.
fn refusal(question: &str) -> (String, String) {
    let error = ask(question).expect_err("a refusal");
    let text = |name: &str| {
        let value = Reflect::get(&error, &name.into()).expect("an error is an object");
        value.as_string().unwrap_or_default()
    };
    (text("code"), text("message"))
}

/// Topic and name of every question that the page can send.
fn sent() -> Vec<(&'static str, &'static str)> {
    let entries = CLIENT.lines().filter_map(|line| {
        let (name, rest) = line.trim().split_once(": { topic: '")?;
        Some((rest.split_once('\'')?.0, name))
    });
    entries.collect()
}

#[wasm_bindgen_test]
fn an_overview_comes_as_a_plain_object() {
    let overview = ask(&format!(
        r#"{{"shown": {{"overview": {{"options": {OPTIONS}}}}}}}"#
    ))
    .expect("an overview");
    let models = Reflect::get(&overview, &"models".into()).expect("an object");
    assert!(js_sys::Array::is_array(&models));
}

#[cfg(feature = "full")]
#[wasm_bindgen_test]
fn a_report_comes_as_bytes() {
    let report = ask(&format!(
        r#"{{"replies": {{"report": {{"options": {OPTIONS}, "format": "json"}}}}}}"#
    ))
    .expect("a report");
    let bytes = report.dyn_into::<Uint8Array>().expect("bytes").to_vec();
    assert_eq!(bytes.first(), Some(&b'{'));
}

#[wasm_bindgen_test]
fn what_the_session_cannot_answer_keeps_its_own_code() {
    let (code, message) = refusal(&format!(
        r#"{{"shown": {{"sample": {{"id": "7", "options": {OPTIONS}}}}}}}"#
    ));
    assert_eq!(code, "unknown_sample", "{message}");
}

#[wasm_bindgen_test]
fn a_question_with_a_wrong_part_is_named_with_what_is_wrong() {
    let (code, message) = refusal(r#"{"shown": {"sample": {"id": 7}}}"#);
    assert_eq!(code, "bad_argument");
    assert!(
        message.starts_with("The question shown.sample cannot be read: "),
        "{message}"
    );
    let (code, _) = refusal(r#"{"shown": {"overview": {"options": {"profile": "printed"}}}}"#);
    assert_eq!(code, "bad_argument");
}

#[wasm_bindgen_test]
fn the_generated_client_sends_nothing_that_nobody_answers() {
    let sent = sent();
    assert!(
        sent.len() > 60,
        "{} questions were found in the client",
        sent.len()
    );
    for (topic, name) in sent {
        let Err(error) = ask(&format!(r#"{{"{topic}": {{"{name}": {{}}}}}}"#)) else {
            continue;
        };
        let code = Reflect::get(&error, &"code".into()).expect("an error is an object");
        let is_whole = cfg!(feature = "full") || topic == "shown";
        let code = code.as_string().unwrap_or_default();
        assert_eq!(code == "not_here", !is_whole, "{topic}.{name}: {code}");
        assert_ne!(code, "unknown_question", "{topic}.{name}");
    }
}

#[cfg(feature = "full")]
#[wasm_bindgen_test]
fn a_question_that_nobody_knows_is_refused_by_its_name() {
    for (question, name) in [
        (r#"{"shown": {"weather": {}}}"#, "shown.weather"),
        (r#"{"weather": {"overview": {}}}"#, "weather.overview"),
    ] {
        let (code, message) = refusal(question);
        assert_eq!(
            (code.as_str(), message),
            ("unknown_question", format!("There is no question {name}."))
        );
    }
    for question in ["7", "null", "{}", "[]"] {
        assert_eq!(refusal(question).0, "unknown_question", "{question}");
    }
}

#[cfg(feature = "full")]
#[wasm_bindgen_test]
fn an_answer_that_is_nothing_is_null() {
    let id = ask(r#"{"judging": {"benchmarkId": {}}}"#).expect("an answer");
    assert!(id.is_null());
    let needs = ask(r#"{"agents": {"agentSets": {}}}"#).expect("an answer");
    assert!(js_sys::Array::is_array(&needs));
}

#[cfg(not(feature = "full"))]
#[wasm_bindgen_test]
fn the_first_engine_sends_on_what_it_does_not_know() {
    let (code, message) = refusal(r#"{"list": {"samples": {}}}"#);
    assert_eq!(code, "not_here");
    assert!(message.contains("list.samples"), "{message}");
}
