//! One job of a kind at a time, and looking on.

use std::cell::RefCell;

use js_sys::{JSON, Object, Reflect};
use juror_model::host::FileMeta;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::AbortController;

use super::super::pace::Sleep;
use super::super::turn::{self, Turn, Who};
use super::super::{JobPage, Target};
use super::{function, text};
use crate::session::Session;

/// The smallest benchmark that declares itself.
const BENCHMARK: &str = r#"{"format": "juror-protocol/1", "id": "small", "title": "Small",
    "samples": [{"id": "1", "instruction": "Do."}], "criteria": [{"id": "fit", "label": "Fit", "range": [1, 10]}],
    "requests": [{"id": "judge", "reply": {"form": "lines"}}]}"#;

/// A session that has read it.
pub(super) fn opened() -> Session {
    let session = Session::new();
    {
        let open = &mut session.0.session.borrow_mut();
        open.add_files(&[FileMeta {
            path: "bench/juror.json".to_owned(),
            size: None,
        }]);
        loop {
            let wants = open.wants(100);
            if wants.is_empty() {
                break;
            }
            for want in wants {
                open.provide(want.file, BENCHMARK.into());
            }
        }
    }
    session
}

/// A page that writes down what it is told under a name.
pub(super) fn page(told: &str) -> JobPage {
    let page = Object::new();
    let set = |name: &str, body: &str| {
        Reflect::set(&page, &name.into(), &function("told", body)).expect("an object takes it");
    };
    set("bytes", "return Promise.resolve(new Uint8Array());");
    set("onState", &format!("self.{told} = JSON.stringify(told);"));
    set("came", "");
    set("showsKept", "return true;");
    set("given", "");
    set("ended", &format!("self.{told} += ' ended';"));
    page.unchecked_into()
}

async fn begun(session: &Session, judge: &str) -> Result<Turn, String> {
    let begun = turn::begin(&Target::of(&session.0), &Who::judge(judge), &page("begun")).await;
    begun.map(|begun| begun.turn).map_err(|cause| {
        let code = Reflect::get(&cause, &"code".into()).expect("an error");
        code.as_string().unwrap_or_default()
    })
}

/// The turn once it was given back, which takes the browser a moment.
async fn freed(session: &Session, judge: &str) -> Turn {
    for _ in 0..500 {
        if let Ok(turn) = begun(session, judge).await {
            return turn;
        }
        Sleep::default().wait(10.0).await;
    }
    panic!("the turn of {judge} is never given back");
}

#[wasm_bindgen_test]
async fn one_tab_at_a_time_has_the_turn_of_a_judge_and_gives_it_back() {
    let session = opened();
    let first = begun(&session, "a").await.expect("the first");
    assert!(first.is_sure);
    let second = begun(&session, "a").await.err();
    assert_eq!(second.as_deref(), Some("elsewhere"));
    let other = begun(&session, "b").await.expect("another judge");
    drop((first, other));
    freed(&session, "a").await;
}

#[wasm_bindgen_test]
async fn a_job_without_a_benchmark_is_refused() {
    let none = begun(&Session::new(), "a").await.err();
    assert_eq!(none.as_deref(), Some("no_benchmark"));
}

#[wasm_bindgen_test]
async fn where_the_browser_has_no_locks_a_job_runs_and_says_that_it_cannot_tell() {
    function(
        "",
        "Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });",
    )
    .call0(&JsValue::NULL)
    .expect("they can be hidden");
    let session = opened();
    let first = begun(&session, "unsure").await.expect("the first");
    let second = begun(&session, "unsure").await.expect("the second");
    assert!(!first.is_sure && !second.is_sure);
    function("", "delete navigator.locks;")
        .call0(&JsValue::NULL)
        .expect("they can be shown");
    assert!(begun(&session, "unsure").await.expect("the turn").is_sure);
}

/// Lets others go on until something is told.
pub(super) async fn until(name: &str, word: &str) -> String {
    for _ in 0..500 {
        let told = text(name);
        if told.contains(word) {
            return told;
        }
        Sleep::default().wait(10.0).await;
    }
    panic!("{name} is still {:?}", text(name));
}

thread_local! {
    static ENDED: RefCell<bool> = const { RefCell::new(false) };
}

#[wasm_bindgen_test]
async fn who_looks_on_hears_how_the_job_stands_and_that_its_tab_was_closed() {
    let session = opened();
    let held = begun(&session, "seen").await.expect("the turn");
    let watching = AbortController::new().expect("a controller");
    let look = turn::look_on(
        Target::of(&session.0),
        Who::judge("seen"),
        page("seen"),
        watching.signal(),
    );
    spawn_local(async move {
        look.await.expect("it ends well");
        ENDED.replace(true);
    });
    Sleep::default().wait(1.0).await;
    let state = r#"{"progress":{"finished":false,"stopped":null},"incidents":[]}"#;
    held.tell(&JSON::parse(state).expect("JSON"));
    let seen = until("seen", "isElsewhere").await;
    assert_eq!(
        seen,
        r#"{"progress":{"finished":false,"stopped":null},"incidents":[],"isElsewhere":true}"#
    );
    drop(held);
    let seen = until("seen", "closed before its job had ended").await;
    assert!(seen.contains(r#""finished":true"#), "{seen}");
    while !ENDED.take() {
        Sleep::default().wait(10.0).await;
    }
}

#[wasm_bindgen_test]
async fn who_looks_elsewhere_hears_no_more_and_keeps_nobody_waiting() {
    let session = opened();
    let held = begun(&session, "left").await.expect("the turn");
    let watching = AbortController::new().expect("a controller");
    let look = turn::look_on(
        Target::of(&session.0),
        Who::judge("left"),
        page("left"),
        watching.signal(),
    );
    watching.abort();
    look.await.expect_err("the look was ended");
    let state = r#"{"progress":{"finished":false,"stopped":null},"incidents":[]}"#;
    held.tell(&JSON::parse(state).expect("JSON"));
    drop(held);
    freed(&session, "left").await;
    assert_eq!(text("left"), "");
}
