//! Calls, pauses and jobs in a worker of a headless browser; what stands for a service is put in the place of `fetch`.

use std::rc::Rc;

use js_sys::{Function, JSON, Map, Reflect, Uint8Array};
use juror_judging::provider::{FailureKind, auth};
use juror_model::judge::Wire;
use juror_reading::limits::RESPONSE_BYTES;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use wasm_bindgen_test::wasm_bindgen_test;

mod brought;
mod measuring;
mod packs;
mod storage;
mod turn;

use super::call::{Body, Called, Service, post};
use super::pace::{Sleep, now};
use super::{Host, base64};
use crate::session::Session;
use turn::{opened, page, until};

const KEY: &str = "sk-abc/DEF+123._x-9876543210";

/// A function of JavaScript.
fn function(arguments: &str, body: &str) -> Function {
    Function::new_with_args(arguments, body)
}

/// Puts a service in the place of `fetch` for as long as it lives.
struct Stub(JsValue);

impl Stub {
    fn new(body: &str) -> Self {
        let global = js_sys::global();
        let real = Reflect::get(&global, &"fetch".into()).expect("a worker has fetch");
        Reflect::set(&global, &"fetch".into(), &function("url, init", body))
            .expect("it can be replaced");
        Self(real)
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        Reflect::set(&js_sys::global(), &"fetch".into(), &self.0).expect("it can be put back");
    }
}

async fn posted(timeout_secs: u32) -> Called {
    let service = Service {
        url: "https://judge.example/v1/chat/completions",
        auth: auth(Wire::OpenAi),
        key: KEY,
        timeout_secs,
    };
    let body = Body::Text(js_sys::JsString::from("{}"));
    let Ok(called) = post(&service, body).await else {
        panic!("the call could not be made");
    };
    called
}

fn number(name: &str) -> f64 {
    let value = Reflect::get(&js_sys::global(), &name.into()).expect("a global");
    value.as_f64().unwrap_or(f64::NAN)
}

fn text(name: &str) -> String {
    let value = Reflect::get(&js_sys::global(), &name.into()).expect("a global");
    value.as_string().unwrap_or_default()
}

#[wasm_bindgen_test]
async fn a_call_that_takes_too_long_is_aborted_and_says_so() {
    let _stub = Stub::new(
        "self.aborted = 0;
         return new Promise((_, reject) => init.signal.addEventListener('abort', () => { self.aborted += 1; reject(init.signal.reason); }));",
    );
    let (text, came) = posted(1).await;
    let failure = text.expect_err("no answer");
    assert_eq!(failure.kind, FailureKind::Timeout, "{}", failure.message);
    assert!((number("aborted") - 1.0).abs() < f64::EPSILON);
    assert_eq!(came.status, None);
}

#[wasm_bindgen_test]
async fn a_call_that_nobody_answers_fails_as_one_of_the_network_and_without_the_key() {
    let _stub = Stub::new(&format!(
        "return Promise.reject(new TypeError('no way to {KEY}'));"
    ));
    let (text, _) = posted(60).await;
    let failure = text.expect_err("no answer");
    assert_eq!(failure.kind, FailureKind::Network);
    assert_eq!(failure.message, "no way to [key]");
}

#[wasm_bindgen_test]
async fn what_is_thrown_without_being_an_error_is_told_as_well() {
    let _stub = Stub::new("return Promise.reject('gone');");
    let (text, _) = posted(60).await;
    assert_eq!(text.expect_err("no answer").message, "gone");
}

#[wasm_bindgen_test]
async fn an_answer_without_end_is_read_up_to_the_limit_and_the_rest_is_not_fetched() {
    let _stub = Stub::new(
        "self.pieces = 0; self.cancelled = 0;
         const piece = new Uint8Array(2 ** 20).fill(0x20);
         return Promise.resolve(new Response(new ReadableStream({
           pull(to) { self.pieces += 1; to.enqueue(piece); },
           cancel() { self.cancelled += 1; },
         })));",
    );
    let (text, came) = posted(60).await;
    let text = text.expect("a word in its place");
    assert!(text.contains("longer than 64 MiB"), "{text}");
    assert_eq!(came.status, Some(200));
    assert!((number("cancelled") - 1.0).abs() < f64::EPSILON);
    let most = (RESPONSE_BYTES >> 20) as f64 + 4.0;
    assert!(number("pieces") < most, "{} pieces", number("pieces"));
}

#[wasm_bindgen_test]
async fn a_call_carries_the_key_in_its_header_and_nothing_about_the_page() {
    let _stub = Stub::new(
        "self.sent = JSON.stringify([url, init.method, init.headers.get('authorization'), init.headers.get('content-type'), init.body, init.credentials, init.referrerPolicy, init.cache, init.redirect]);
         return Promise.resolve(new Response('\\ufeffwell', { status: 429, headers: { 'retry-after': '2.5' } }));",
    );
    let (said, came) = posted(60).await;
    assert_eq!(said.expect("an answer"), "well");
    assert_eq!(came.status, Some(429));
    assert_eq!(came.retry_after_ms, Some(2500.0));
    let expected = format!(
        r#"["https://judge.example/v1/chat/completions","POST","Bearer {KEY}","application/json","{{}}","omit","no-referrer","no-store","error"]"#
    );
    assert_eq!(text("sent"), expected);
}

#[wasm_bindgen_test]
async fn an_answer_that_breaks_off_has_a_status_all_the_same() {
    let _stub = Stub::new(
        "return Promise.resolve(new Response(new ReadableStream({ pull(to) { to.error(new TypeError('broke off')); } })));",
    );
    let (text, came) = posted(60).await;
    let failure = text.expect_err("half an answer");
    assert_eq!(failure.message, "broke off");
    // It is paid for, so it is not asked for again.
    assert!(!failure.kind.retries());
    assert_eq!(came.status, Some(200));
}

#[wasm_bindgen_test]
async fn a_refusal_that_breaks_off_is_asked_again() {
    let _stub = Stub::new(
        "return Promise.resolve(new Response(new ReadableStream({ pull(to) { to.error(new TypeError('broke off')); } }), { status: 503 }));",
    );
    let (text, came) = posted(60).await;
    assert!(text.expect_err("half an answer").kind.retries());
    assert_eq!(came.status, Some(503));
}

#[wasm_bindgen_test]
async fn a_pause_ends_early_where_it_is_ended_and_by_itself_where_it_is_not() {
    let sleep = Sleep::default();
    let from_outside = sleep.clone();
    let began = now();
    spawn_local(async move { from_outside.end() });
    sleep.wait(5000.0).await;
    assert!(now() - began < 4000.0, "it was waited to the end");
    // Nobody ends this one.
    sleep.wait(1.0).await;
    // One that is ended before it begins is waited for.
    sleep.end();
    sleep.wait(1.0).await;
}

#[wasm_bindgen_test]
fn base64_is_the_same_with_the_browsers_own_function_and_without() {
    let bytes: Vec<u8> = (0..=255).cycle().take(100_001).collect();
    let array = Uint8Array::from(bytes.as_slice());
    let own = base64::encoded(&array).expect("base64");
    let decoded = base64::decoded(&String::from(&own)).expect("bytes");
    assert_eq!(decoded.to_vec(), bytes);
    let plain = Uint8Array::from(bytes.as_slice());
    // As in a browser that has no such function.
    Reflect::set(&plain, &"toBase64".into(), &JsValue::UNDEFINED).expect("it can be hidden");
    assert_eq!(base64::encoded(&plain).expect("base64"), own);
    base64::decoded("no base64!").expect_err("no base64");
}

const SETTINGS: &str = r#"{
    "wire": "openai", "base": "", "key": "sk-abc/DEF+123._x-9876543210",
    "params": {"model": "m", "temperature": null, "max_tokens": null, "extra": {}},
    "limits": {"concurrency": 1, "per_minute": 0, "max_attempts": 1, "timeout_secs": 5, "stop_after": 0, "input_price": null,
        "output_price": null, "picture_price": null, "picture_tokens": 1000, "reply_tokens": 300, "max_reply_tokens": null, "budget": null},
    "scope": {"judge": "j", "models": [], "criteria": [], "runs": 1, "which": "open"},
    "anchors": 0, "anchorsOnly": false
}"#;

/// Begins a job over the smallest benchmark.
async fn judged(host: &Host, settings: &str, told: &str) -> Result<JsValue, JsValue> {
    let settings = JSON::parse(settings).expect("JSON");
    let session = opened();
    let begun = host.judge(&session, settings, page(told));
    JsFuture::from(begun.expect("settings")).await
}

#[wasm_bindgen_test]
async fn a_job_with_nothing_to_ask_ends_and_says_so_without_the_key() {
    let host = Host::new(Map::new());
    let session = opened();
    let settings = JSON::parse(SETTINGS).expect("JSON");
    let begun = host.judge(&session, settings, page("ended"));
    let is_sure = JsFuture::from(begun.expect("settings")).await;
    assert_eq!(is_sure.expect("it begins"), JsValue::TRUE);
    let state = until("ended", " ended").await;
    assert!(state.contains(r#""finished":true"#), "{state}");
    assert!(!state.contains("9876543210"), "{state}");
    assert!(!host.is_running(super::JobKind::Judge));
}

#[wasm_bindgen_test]
async fn settings_with_a_budget_and_no_price_are_refused_by_their_code_and_leave_the_turn() {
    let host = Host::new(Map::new());
    let settings = SETTINGS.replace(r#""budget": null"#, r#""budget": 1"#);
    for _ in 0..2 {
        let refused = judged(&host, &settings, "refused").await;
        let refused = refused.expect_err("a refusal");
        let code = Reflect::get(&refused, &"code".into()).expect("an error");
        assert_eq!(code.as_string().as_deref(), Some("bad_limits"));
        assert!(!host.is_running(super::JobKind::Judge));
    }
}

#[wasm_bindgen_test]
fn a_session_that_was_closed_is_no_jobs_any_more() {
    let session = Session::new();
    let target = super::Target::of(&session.0);
    assert!(target.ask(|_| ()).is_ok());
    assert_eq!(Rc::strong_count(&session.0), 1);
    drop(session);
    assert!(matches!(
        target.ask(|_| ()),
        Err(super::pace::Unsent::Superseded)
    ));
}
