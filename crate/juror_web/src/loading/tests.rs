//! The loop in a worker of a headless browser; what stands for the page is a few functions of JavaScript.

use js_sys::{Array, Function, JSON, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{Loading, LoadingPage};
use crate::session::Session;

/// A page that holds files of one byte and notes what it is asked and told.
const PAGE: &str = r"
    const log = [];
    const bytes = () => new Uint8Array([32]);
    return Object.assign({
        log,
        held(reads) {
            log.push(`held ${reads.map(({ held, head }) => `${held}:${head}`).join(' ')}`);
            return Promise.resolve(reads.map(() => ({ bytes: bytes() })));
        },
        apart(file, head) {
            log.push(`apart ${file}:${head}`);
            return Promise.resolve(bytes());
        },
        atHand: () => undefined,
        areWhole: () => false,
        decode: (pictures) => Promise.resolve(pictures.map(() => null)),
        check: () => Promise.resolve(null),
        stopDecoders() {},
        handOn: () => 'nothing',
        onProgress({ phase }, reading) { log.push(`${reading} ${phase}`); },
        onChanged(phase) { log.push(`changed ${phase}`); },
        onEnd() { log.push('end'); return Promise.resolve(); },
    }, other(log));
";

/// Files in columns, as the worker puts them.
const COLUMNS: &str = r"
    const zips = [];
    const addresses = [];
    files.forEach(({ zip, url }, at) => {
        if (zip !== undefined) zips.push({ name: zip, first: at, files: 1 });
        if (url !== undefined) addresses.push({ file: at, url });
    });
    return {
        paths: files.map(({ path }) => path).join('\0'),
        sizes: Float64Array.from(files, ({ size }) => size ?? -1),
        held: Uint32Array.from(files, ({ held }) => held ?? 0xffffffff),
        elsewhere: { zips, addresses },
    };
";

struct Opened {
    // Kept, as the loop ends with it.
    session: Session,
    loading: Loading,
    page: JsValue,
}

/// A session that reads by a page which does some things differently: an object of JavaScript with `log` at hand.
fn opened(other: &str) -> Opened {
    opened_with("", other)
}

/// The same with words of JavaScript before, whose names the object can use.
fn opened_with(before: &str, other: &str) -> Opened {
    let other = Function::new_with_args("log", &format!("{before} return {{{other}}};"));
    let page = Function::new_with_args("other", PAGE)
        .call1(&JsValue::UNDEFINED, &other)
        .expect("a page");
    let session = Session::new();
    let loading = Loading::new(&session, page.clone().unchecked_into::<LoadingPage>(), 2);
    Opened {
        session,
        loading,
        page,
    }
}

impl Opened {
    fn add(&self, files: &str) {
        let files = JSON::parse(files).expect("the test's own JSON");
        let columns = Function::new_with_args("files", COLUMNS).call1(&JsValue::UNDEFINED, &files);
        let columns = columns.expect("columns").unchecked_into();
        self.loading.add(&columns).expect("it takes files");
    }

    /// What the page was asked and told.
    fn log(&self) -> Vec<String> {
        let log = Reflect::get(&self.page, &"log".into()).expect("a list");
        let lines = Array::from(&log);
        lines.iter().filter_map(|line| line.as_string()).collect()
    }

    fn call(&self, name: &str) {
        let method = Reflect::get(&self.page, &name.into()).expect("a method");
        let method: Function = method.dyn_into().expect("a function");
        method.call0(&self.page).expect("it does not throw");
    }

    /// Codes of what is wrong with the files.
    fn unread(&self) -> Vec<String> {
        let session = &mut self.session.0.session.borrow_mut();
        let problems = juror_session::problems(&session.linked());
        let problems = problems.into_iter();
        problems
            .map(|one| format!("{} {}", one.path, one.message))
            .collect()
    }
}

async fn settled(promise: Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise).await
}

/// Two files that are read whole before anything is known.
const TWO: &str = r#"[
    {"path": "result/m/metrics.jsonl", "size": 1, "held": 5},
    {"path": "result/n/metrics.jsonl", "size": 1, "held": 7}
]"#;

#[wasm_bindgen_test]
async fn what_the_page_holds_is_read_with_one_question_and_the_end_is_told_last() {
    let opened = opened("");
    assert_eq!(opened.loading.reading(), "idle");
    opened.add(TWO);
    assert_eq!(opened.loading.reading(), "reading");
    settled(opened.loading.through()).await.expect("it ends");
    assert_eq!(opened.loading.reading(), "done");
    let log = opened.log();
    let held: Vec<_> = log.iter().filter(|line| line.starts_with("held")).collect();
    assert_eq!(held, ["held 5:null 7:null"], "{log:?}");
    assert_eq!(
        log[log.len() - 3..],
        ["end", "done null", "changed null"],
        "{log:?}"
    );
}

#[wasm_bindgen_test]
async fn what_cannot_be_read_is_named_with_its_reason() {
    for (held, why) in [
        (
            "held: () => Promise.resolve([{ message: 'It is gone.' }])",
            "It is gone.",
        ),
        ("held: () => Promise.resolve([])", "The page gave nothing."),
        (
            "held: () => Promise.reject(new Error('No page.'))",
            "No page.",
        ),
    ] {
        let opened = opened(held);
        opened.add(r#"[{"path": "result/m/metrics.jsonl", "size": 1, "held": 0}]"#);
        settled(opened.loading.through()).await.expect("it ends");
        let unread = opened.unread();
        assert!(
            unread.iter().any(|one| one.contains(why)),
            "{why}: {unread:?}"
        );
    }
}

#[wasm_bindgen_test]
async fn a_damaged_entry_of_a_zip_is_named_by_its_zip() {
    let opened = opened(
        "apart: () => Promise.reject(Object.assign(new Error('cut'), { entry: 'm/metrics.jsonl', why: 'it is cut off' }))",
    );
    opened.add(r#"[{"path": "result/m/metrics.jsonl", "size": 1, "zip": "all.zip"}]"#);
    settled(opened.loading.through()).await.expect("it ends");
    let unread = opened.unread();
    let is_named = |one: &String| one.contains("all.zip") && one.contains("it is cut off");
    assert!(unread.iter().any(is_named), "{unread:?}");
}

/// The reads of this page wait until `release` is called.
const SLOW: &str = "
    held(reads) {
        log.push('held');
        return new Promise((resolve) => { this.release = () => resolve(reads.map(() => ({ bytes: new Uint8Array([32]) }))); });
    }";

/// Lets the loop come to its read.
async fn a_moment() {
    super::waiting::pause().await;
}

#[wasm_bindgen_test]
async fn a_cancelled_reading_stays_so_until_it_goes_on() {
    let opened = opened(SLOW);
    opened.add(TWO);
    a_moment().await;
    opened.loading.cancel();
    opened.call("release");
    settled(opened.loading.through()).await.expect("it ends");
    assert_eq!(opened.loading.reading(), "cancelled");
    opened.add(r#"[{"path": "result/o/metrics.jsonl", "size": 1, "held": 9}]"#);
    a_moment().await;
    assert_eq!(opened.loading.reading(), "cancelled");
    let asked = |opened: &Opened| opened.log().iter().filter(|line| *line == "held").count();
    assert_eq!(asked(&opened), 1);
    opened.loading.read();
    a_moment().await;
    assert_eq!(asked(&opened), 2);
    opened.call("release");
    settled(opened.loading.through()).await.expect("it ends");
    assert_eq!(opened.loading.reading(), "done");
}

/// A benchmark of one dialogue, whose pictures a decoder has until `release` is called.
const UNDECODED: &str = r#"
    decode: (pictures) => {
        log.push(`decode ${pictures.length}`);
        return new Promise((resolve) => { released.push(() => resolve(pictures.map(() => null))); });
    },
    held(reads) {
        log.push(`held ${reads.map(({ held }) => held).join(' ')}`);
        const content = { 0: suite, 3: '{"idx": 1, "domain": "game"}\n' };
        const given = ({ held }) => new Uint8Array(content[held] === undefined ? picture : new TextEncoder().encode(content[held]));
        return Promise.resolve(reads.map((read) => ({ bytes: given(read) })));
    },
    release() { for (const one of released.splice(0)) one(); },
"#;
const ONE_DIALOGUE: &str = r"
    const released = [];
    const picture = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='), (one) => one.charCodeAt(0));
    const suite = JSON.stringify([{ idx: 1, domain: 'game', images: ['imgs/1_1.png', 'imgs/1_2.png'], chats: [
        { role: 'user', type: 'text', content: 'Change Image #1.' },
        { role: 'assistant', type: 'image', content: 'Image #2', key_point: { 'GT #2': 'It is as in <image>.' } },
    ] }]);
";

#[wasm_bindgen_test]
async fn what_is_added_while_a_decoder_has_pictures_is_read_at_once() {
    let opened = opened_with(ONE_DIALOGUE, UNDECODED);
    opened.add(
        r#"[
        {"path": "b/test.json", "size": 400, "held": 0},
        {"path": "b/imgs/1_1.png", "size": 70, "held": 1},
        {"path": "b/imgs/1_2.png", "size": 70, "held": 2}
    ]"#,
    );
    until(&opened, "decode 2").await;
    opened.add(r#"[{"path": "result/m/metrics.jsonl", "size": 40, "held": 3}]"#);
    until(&opened, "held 3").await;
    assert_eq!(opened.loading.reading(), "reading");
    let log = opened.log();
    assert!(!log.contains(&"end".to_owned()), "{log:?}");
    opened.call("release");
    settled(opened.loading.through()).await.expect("it ends");
    assert_eq!(opened.loading.reading(), "done");
    let log = opened.log();
    let decoded = log.iter().filter(|line| line.starts_with("decode"));
    assert_eq!(decoded.count(), 1, "{log:?}");
}

#[wasm_bindgen_test]
async fn a_cancelled_reading_waits_for_what_decoders_have() {
    let opened = opened_with(ONE_DIALOGUE, UNDECODED);
    opened.add(
        r#"[
        {"path": "b/test.json", "size": 400, "held": 0},
        {"path": "b/imgs/1_1.png", "size": 70, "held": 1}
    ]"#,
    );
    until(&opened, "decode 1").await;
    opened.loading.cancel();
    a_moment().await;
    assert!(!opened.log().contains(&"end".to_owned()));
    opened.call("release");
    settled(opened.loading.through()).await.expect("it ends");
    assert_eq!(opened.loading.reading(), "cancelled");
}

/// Waits until the page has noted this line.
async fn until(opened: &Opened, line: &str) {
    for _ in 0..100 {
        if opened.log().iter().any(|one| one == line) {
            return;
        }
        a_moment().await;
    }
    panic!("no “{line}” in {:?}", opened.log());
}

#[wasm_bindgen_test]
async fn an_engine_that_takes_over_is_up_to_date_once_it_has_read_as_much() {
    let opened = opened(SLOW);
    opened.loading.catch_up(JsValue::NULL).expect("a goal");
    opened.add(TWO);
    let up_to_date = opened.loading.up_to_date();
    a_moment().await;
    let waits = Promise::resolve(&JsValue::from_str("waits"));
    let first = Promise::race(&Array::of2(&up_to_date, &waits));
    assert_eq!(settled(first).await.expect("one of them"), "waits");
    opened.call("release");
    settled(up_to_date).await.expect("it is reached");
    // The page is not told of anything that it had shown before.
    let log = opened.log();
    let changed = log
        .iter()
        .filter(|line| line.starts_with("changed"))
        .count();
    assert!(changed <= 1, "{log:?}");
}

#[wasm_bindgen_test]
async fn an_engine_that_hands_on_reads_on_and_tells_of_its_numbers_unless_it_lacks_something() {
    for (word, changed) in [("soon", true), ("lacking", false)] {
        let opened = opened(&format!(
            "asked: 0, handOn() {{ this.asked += 1; return '{word}'; }}"
        ));
        opened.add(TWO);
        settled(opened.loading.through()).await.expect("it ends");
        let log = opened.log();
        assert_eq!(opened.loading.reading(), "reading", "{log:?}");
        assert!(!log.contains(&"end".to_owned()), "{log:?}");
        assert_eq!(log.contains(&"changed null".to_owned()), changed, "{log:?}");
        let asked = Reflect::get(&opened.page, &"asked".into()).expect("a number");
        assert_eq!(asked, 1);
    }
}

#[wasm_bindgen_test]
async fn where_the_engine_that_takes_over_is_this_one_it_reads_to_the_end() {
    // The page goes on while the loop is still under way, and has nothing to hand on when it is asked again.
    let opened = opened(
        r"
        asked: 0,
        handOn() { this.asked += 1; return this.asked === 1 ? 'soon' : 'nothing'; },
        onChanged(phase) { log.push(`changed ${phase}`); if (phase === 'replies') this.goOn(); },
        goOn() {},
        ",
    );
    let loading = opened.loading.0.clone();
    let go_on = Closure::<dyn FnMut()>::new(move || loading.go_on());
    let set = Reflect::set(&opened.page, &"goOn".into(), go_on.as_ref());
    set.expect("a property");
    opened.add(TWO);
    settled(opened.loading.through()).await.expect("it ends");
    let log = opened.log();
    assert_eq!(opened.loading.reading(), "done", "{log:?}");
    assert!(log.contains(&"end".to_owned()), "{log:?}");
}

#[wasm_bindgen_test]
async fn who_waits_for_a_reading_that_is_ended_goes_on_and_the_page_hears_nothing_more() {
    let opened = opened(SLOW);
    opened.loading.catch_up(JsValue::NULL).expect("a goal");
    opened.add(TWO);
    a_moment().await;
    let (through, up_to_date) = (opened.loading.through(), opened.loading.up_to_date());
    let Opened {
        session,
        loading,
        page,
    } = opened;
    drop(loading);
    settled(through).await.expect("it is ended");
    settled(up_to_date).await.expect("it is ended");
    let log = || Array::from(&Reflect::get(&page, &"log".into()).expect("a list")).length();
    let before = log();
    let release = Reflect::get(&page, &"release".into()).expect("a method");
    let release: Function = release.dyn_into().expect("a function");
    release.call0(&page).expect("it does not throw");
    a_moment().await;
    assert_eq!(log(), before);
    drop(session);
}

#[wasm_bindgen_test]
async fn bytes_come_from_the_page_and_an_error_keeps_its_code() {
    let opened = opened(
        "held: ([{ held }]) => Promise.resolve([held === 0 ? { bytes: new Uint8Array([1, 2]) } : { message: 'No.' }]),
         apart: () => Promise.reject(Object.assign(new Error('Not in the pack.'), { code: 'left_out' }))",
    );
    opened.add(
        r#"[{"path": "a.bin", "size": 2, "held": 0}, {"path": "b.bin", "size": 2, "held": 1}, {"path": "c.bin", "size": null}]"#,
    );
    let bytes = settled(opened.loading.bytes(0)).await.expect("bytes");
    assert_eq!(bytes.unchecked_into::<Uint8Array>().to_vec(), [1, 2]);
    for (file, code) in [(1, "unreadable_file"), (2, "left_out"), (3, "unknown_file")] {
        let error = settled(opened.loading.bytes(file))
            .await
            .expect_err("an error");
        let found = Reflect::get(&error, &"code".into()).expect("an object");
        assert_eq!(found.as_string().as_deref(), Some(code));
    }
}

#[wasm_bindgen_test]
async fn a_file_at_an_address_is_fetched_and_a_refusal_names_the_address() {
    let global = js_sys::global();
    let real = Reflect::get(&global, &"fetch".into()).expect("a worker has fetch");
    let stub = Function::new_with_args(
        "url",
        "return Promise.resolve(url.endsWith('gone') ? new Response('', { status: 404 }) : new Response('well'));",
    );
    Reflect::set(&global, &"fetch".into(), &stub).expect("it can be replaced");
    let opened = opened("");
    opened.add(
        r#"[{"path": "a.bin", "size": 4, "url": "https://files.example/a"}, {"path": "b.bin", "size": 4, "url": "https://files.example/gone"}]"#,
    );
    let bytes = settled(opened.loading.bytes(0)).await;
    let refused = settled(opened.loading.bytes(1)).await;
    Reflect::set(&global, &"fetch".into(), &real).expect("it can be put back");
    let bytes = bytes.expect("bytes").unchecked_into::<Uint8Array>();
    assert_eq!(bytes.to_vec(), b"well");
    let message = Object::from(refused.expect_err("a refusal")).to_string();
    assert_eq!(
        String::from(message),
        "Error: The server answered 404 for https://files.example/gone."
    );
}

#[wasm_bindgen_test]
async fn bytes_that_came_with_the_list_are_not_fetched_and_stay_what_they_are() {
    let opened = opened(
        "came: new Uint8Array([1, 2, 3]), atHand(file) { return file === 0 ? this.came : undefined; }",
    );
    opened.add(
        r#"[{"path": "a.bin", "size": 3, "url": "https://files.example/a"}, {"path": "b.bin", "size": 3, "url": "broken:"}]"#,
    );
    for _ in 0..2 {
        let bytes = settled(opened.loading.bytes(0)).await.expect("bytes");
        let bytes = bytes.unchecked_into::<Uint8Array>();
        assert_eq!(bytes.to_vec(), [1, 2, 3]);
        bytes.fill(0, 0, 3);
    }
    settled(opened.loading.bytes(1))
        .await
        .expect_err("what did not come is fetched");
}

/// What the files of a suite with this index come with, where its files together are `abc`.
async fn contents(index: &str) -> Vec<String> {
    let global = js_sys::global();
    let real = Reflect::get(&global, &"fetch".into()).expect("a worker has fetch");
    let stub = Function::new_with_args(
        "url",
        &format!(
            "const status = url === 'https://files.example/of/files.bin' || url.endsWith('.json') ? 200 : 404;
            const response = new Response(url.endsWith('.json') ? `{index}` : 'abc', {{ status }});
            return Promise.resolve(Object.defineProperty(response, 'url', {{ value: url }}));"
        ),
    );
    Reflect::set(&global, &"fetch".into(), &stub).expect("it can be replaced");
    let given = settled(super::demo_files(
        "https://files.example/of/demo/index.json".to_owned(),
    ))
    .await;
    Reflect::set(&global, &"fetch".into(), &real).expect("it can be put back");
    let [listed, contents] = [0, 1].map(|at| {
        let given = Array::from(given.as_ref().expect("a list and contents"));
        Array::from(&given.get(at))
    });
    assert_eq!(listed.length(), 2);
    let texts = contents
        .iter()
        .map(|bytes| bytes.unchecked_into::<Uint8Array>().to_vec());
    texts
        .map(|bytes| String::from_utf8(bytes).expect("a text"))
        .collect()
}

#[wasm_bindgen_test]
async fn files_that_lie_together_come_with_their_list_only_where_all_of_them_do() {
    let index = |together: &str, last: u32| {
        format!(
            r#"{{"name": "Demo",{together} "files": [{{"path": "x", "size": 1}}, {{"path": "y/z", "size": {last}}}]}}"#
        )
    };
    let there = r#" "together": "../files.bin","#;
    assert_eq!(contents(&index(there, 2)).await, ["a", "bc"]);
    // Of another version, gone, and never there.
    let gone = r#" "together": "../gone.bin","#;
    for index in [
        index(there, 3),
        index(there, 1),
        index(gone, 2),
        index("", 2),
    ] {
        assert!(contents(&index).await.is_empty(), "{index}");
    }
}

#[wasm_bindgen_test]
fn words_of_what_is_no_error_are_its_own() {
    for (thrown, words) in [
        (JsValue::from("gone"), "gone"),
        (JsValue::from(7), "7"),
        (JsValue::NULL, "null"),
        (js_sys::Error::new("broken").into(), "broken"),
    ] {
        assert_eq!(crate::convert::message_of(&thrown), words);
    }
}
