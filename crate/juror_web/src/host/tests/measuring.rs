//! A run of image metrics as the page drives it.

use js_sys::{JSON, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use super::super::control::JobControl;
use super::super::measuring::Measuring;

const PAIR: &str = r#"{"model":"a","sample":"3","turn":0,"against":"golden","number":2,"output":10,"counterpart":11,"metrics":["mse"]}"#;
const CAME: &str = r#"{"id":0,"pairs":[
    {"values":[{"metric":"mse","value":0.5,"backend":"gpu","problem":null,"fallback":null,"width":8,"height":6,"reference":"rr","candidate":"cc"}]},
    {"unreadable":"it was moved"},{"values":[]},{"values":[]}],
    "spent":[{"reading_ms":1,"decoding_ms":2,"computing_ms":3,"gpu_ms":4}]}"#;

fn json(text: &str) -> JsValue {
    JSON::parse(text).expect("JSON")
}

/// A run over so many pairs.
fn run(pairs: usize) -> Measuring {
    let pairs = vec![PAIR; pairs].join(",");
    Measuring::new(
        "weave".to_owned(),
        json(&format!("[{pairs}]")),
        "equal".into(),
    )
    .expect("a run")
}

async fn text(promise: Promise) -> String {
    let value = JsFuture::from(promise).await.expect("an answer");
    JSON::stringify(&value).expect("plain data").into()
}

async fn next(run: &Measuring, came: JsValue) -> String {
    text(run.next(came).expect("it is taken")).await
}

#[wasm_bindgen_test]
async fn what_came_of_a_piece_is_told_with_its_records_and_the_next_piece_is_given() {
    let run = run(5);
    let standing = json(r#"{"backend":"cpu","adapter":"","fallback":"no GPU here"}"#);
    let lanes = run.stands(standing, 8).expect("it stands");
    assert_eq!(
        String::from(JSON::stringify(&lanes).expect("plain data")),
        r#"{"more":1,"each":2,"feed":null}"#
    );
    let told = text(run.told()).await;
    assert!(told.contains(r#""fallback":"no GPU here""#), "{told}");
    assert!(told.ends_with(r#""records":[]}"#), "{told}");
    let first = next(&run, JsValue::NULL).await;
    let pairs = [PAIR; 4].join(",");
    assert_eq!(
        first,
        format!(r#"{{"id":0,"metrics":["mse"],"pairs":[{pairs}]}}"#)
    );
    let second = next(&run, json(CAME)).await;
    assert!(second.starts_with(r#"{"id":4,"#), "{second}");
    let told = text(run.told()).await;
    assert!(
        told.contains(r#""kind":"unreadable","message":"The file cannot be read: it was moved""#),
        "{told}"
    );
    // As a file has it: what is no problem is left out.
    let record = r#""records":[{"format":"juror-measures/1","protocol":"weave","model":"a","sample":"3","turn":0,"metric":"mse","against":"golden","number":2,"sizes":"equal","value":0.5,"backend":"gpu","width":8,"height":6,"output":"cc","counterpart":"rr"}]}"#;
    assert!(told.ends_with(record), "{told}");
    assert_eq!(next(&run, JsValue::NULL).await, "null");
}

#[wasm_bindgen_test]
async fn a_lane_waits_in_a_pause_until_the_run_goes_on_or_is_stopped() {
    let run = run(8);
    run.control(JobControl::Pause);
    let waiting = run.next(JsValue::NULL).expect("it is asked");
    // What there is to tell is told all the same.
    let told = text(run.told()).await;
    assert!(told.contains(r#""paused":true"#), "{told}");
    run.control(JobControl::Resume);
    let piece = text(waiting).await;
    assert!(piece.starts_with(r#"{"id":0,"#), "{piece}");
    run.control(JobControl::Pause);
    let waiting = run.next(JsValue::NULL).expect("it is asked");
    run.control(JobControl::Cancel);
    assert_eq!(text(waiting).await, "null");
    run.end(None);
    let told = text(run.told()).await;
    assert!(told.contains(r#""finished":true"#), "{told}");
    assert!(told.contains("It was stopped."), "{told}");
}

#[wasm_bindgen_test]
async fn a_worker_that_dies_ends_the_run_with_its_message_and_lanes_that_wait_with_it() {
    let run = run(8);
    run.control(JobControl::Pause);
    let waiting = run.next(JsValue::NULL).expect("it is asked");
    run.end(Some("The metrics stopped.".to_owned()));
    assert_eq!(text(waiting).await, "null");
    let told = text(run.told()).await;
    assert!(
        told.contains(r#""stopped":"The metrics stopped.""#),
        "{told}"
    );
}
