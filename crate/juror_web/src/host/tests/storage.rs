//! What a browser keeps: that it is read again, what is forgotten, and what older pages have written.

use js_sys::{Array, Function, JSON, Map, Promise, Reflect, Uint8Array};
use juror_judging::journal;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use super::super::Target;
use super::super::kept::{self, Kept};
use super::super::storage::{self, LABELS, PICTURES, REPLIES, TRAJECTORIES};
use super::function;
use crate::session::{Session, from_js};

/// What a page before this one has kept for the benchmark `old`: a version of the database, and the stores that it had.
const OLD_PAGE: &str = r"
const all = [
  ['replies', { autoIncrement: true }],
  ['trajectories', { autoIncrement: true }],
  ['pictures', { keyPath: ['benchmark', 'sha256'] }],
  ['ratings', { autoIncrement: true }],
  ['raters', { keyPath: ['benchmark', 'rater'] }],
  ['judges', { keyPath: ['benchmark', 'path'] }],
  ['opened', { keyPath: 'id' }],
];
const gone = new Promise((resolve, reject) => {
  const request = indexedDB.deleteDatabase('juror');
  request.onsuccess = () => resolve();
  request.onerror = request.onblocked = () => reject(new Error('the database is held'));
});
return gone.then(() => new Promise((resolve, reject) => {
  const request = indexedDB.open('juror', version);
  request.onupgradeneeded = () => {
    for (const [name, key] of all.slice(0, stores)) request.result.createObjectStore(name, key).createIndex('benchmark', 'benchmark');
  };
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const db = request.result;
    const benchmark = 'old';
    const values = [
      ['replies', { benchmark, record: { format: 'juror-journal/1', protocol: 'weave', model: 'm', sample: '7', turn: 1, criterion: 'kp', judge: 'j', run: 1, time: '2026-01-02T03:04:05.678Z', request: 'ab', prompts: 'cd', reply: '{\x22score\x22: 7}', error: null, params: { model: 'm-1', temperature: 0, max_tokens: null, extra: { seed: 7 } } } }],
      ['replies', { benchmark, record: { format: 'juror-journal/1', protocol: 'weave', model: 'm', sample: '8', turn: 0, criterion: 'kp' } }],
      ['replies', { benchmark, record: { format: 'of a page to come' } }],
      ['trajectories', { benchmark, record: { format: 'juror-trajectory/1', protocol: 'multibanana', name: 'Nano', framework: 'ipr', planner: 'p', generator: 'g', sample: 'add/2', step: 1, kind: 'picture', time: '2026-01-02T03:04:05.678Z', request: null, prompts: '', prompt: 'Add it.', references: [0], given: null, parameters: { size: '1024x1024', n: 1 }, by: 'call', picture: { path: 'Nano +IPR step 1/add/002_generated.png', sha256: 'ef' }, reply: '', error: null } }],
      ['pictures', { benchmark, sha256: 'ef', blob: new Blob([new Uint8Array([1, 2, 3])]) }],
      ['ratings', { benchmark, rating: { sample: '7', turn: 0, model: 'm', criterion: 'kp', rater: 'Ada', score: null, time: '2026-01-02T03:04:05.678Z', note: '', seed: null } }],
      ['raters', { benchmark, rater: 'Ada', scope: { rater: 'Ada', seed: 7, models: [], criteria: [], samples: 3 }, time: '2026-01-02T03:04:05.678Z' }],
      ['judges', { benchmark, path: 'bench/m/replies', judge: 'gpt-4o' }],
    ].filter(([name]) => db.objectStoreNames.contains(name));
    const transaction = db.transaction([...new Set(values.map(([name]) => name))], 'readwrite');
    for (const [name, value] of values) transaction.objectStore(name).add(value);
    transaction.oncomplete = () => { db.close(); resolve(); };
    transaction.onabort = () => reject(transaction.error);
  };
}));
";

async fn old_page(version: u32, stores: u32) {
    let written = Function::new_with_args("version, stores", OLD_PAGE)
        .call2(&JsValue::NULL, &version.into(), &stores.into())
        .expect("the old page runs");
    let written = JsFuture::from(Promise::resolve(&written)).await;
    written.expect("the open database gives way, and the old page writes");
}

/// What a promise of the edge brings.
async fn brought(promise: Promise) -> JsValue {
    JsFuture::from(promise).await.expect("it is brought")
}

fn text(value: &JsValue) -> String {
    let text = JSON::stringify(value).expect("plain data");
    text.as_string().expect("a text")
}

fn code(cause: &JsValue) -> String {
    let code = Reflect::get(cause, &"code".into()).expect("an error");
    code.as_string().unwrap_or_default()
}

fn reply(sample: &str, time: &str) -> journal::Record {
    journal::Record {
        format: journal::FORMAT.to_owned(),
        protocol: "weave".to_owned(),
        model: "m".to_owned(),
        sample: sample.to_owned(),
        criterion: "kp".to_owned(),
        run: 1,
        time: time.to_owned(),
        reply: "{\"score\": 7}\n".to_owned(),
        ..journal::Record::default()
    }
}

/// A call that brought a picture.
fn call() -> juror_agents::Record {
    let record = r#"{"format": "juror-trajectory/1", "protocol": "multibanana", "name": "Nano", "framework": "ipr", "planner": "p",
        "generator": "g", "sample": "add/2", "step": 1, "kind": "picture", "prompt": "Add it.", "references": [0],
        "parameters": {"size": "1024x1024", "n": 1}, "picture": {"path": "a.png", "sha256": "ef"}}"#;
    from_js(JSON::parse(record).expect("JSON")).expect("a record")
}

#[wasm_bindgen_test]
async fn replies_are_read_again_in_their_order_and_by_their_benchmark() {
    let records = [reply("7", "first"), reply("8", "second")];
    kept::keep_replies("kept", &records).await.expect("on disk");
    let other = [reply("9", "third")];
    kept::keep_replies("kept too", &other)
        .await
        .expect("on disk");
    assert_eq!(kept::replies("kept").await.expect("read"), records);
    assert_eq!(kept::replies("kept too").await.expect("read"), other);
    assert_eq!(kept::replies("neither").await.expect("read"), []);
}

#[wasm_bindgen_test]
async fn what_is_written_has_the_shape_that_older_pages_read() {
    kept::keep_replies("shape", &[reply("7", "now")])
        .await
        .expect("on disk");
    let values = storage::all_of(REPLIES, "shape").await.expect("read");
    let expected = r#"{"benchmark":"shape","record":{"format":"juror-journal/1","protocol":"weave","model":"m","sample":"7","turn":0,"criterion":"kp","judge":"","run":1,"time":"now","request":null,"prompts":"","reply":"{\"score\": 7}\n","error":null}}"#;
    assert_eq!(text(&values.into_iter().collect::<Array>().at(0)), expected);
}

#[wasm_bindgen_test]
async fn a_reply_that_is_forgotten_goes_with_its_copies_and_leaves_the_others() {
    let records = [reply("7", "now"), reply("8", "now"), reply("7", "now")];
    kept::keep_replies("some", &records).await.expect("on disk");
    kept::keep_replies("others", &records)
        .await
        .expect("on disk");
    kept::forget_some("some", &records[..1])
        .await
        .expect("forgotten");
    assert_eq!(kept::replies("some").await.expect("read"), records[1..2]);
    assert_eq!(kept::replies("others").await.expect("read").len(), 3);
    Kept::forget_replies("others".to_owned())
        .await
        .expect("forgotten");
    assert_eq!(kept::replies("others").await.expect("read"), []);
    assert_eq!(kept::replies("some").await.expect("read").len(), 1);
}

#[wasm_bindgen_test]
async fn a_call_and_its_picture_are_kept_and_forgotten_together() {
    let bytes = Uint8Array::from(&[1_u8, 2, 3][..]);
    kept::keep_call("made", &call(), Some(&bytes))
        .await
        .expect("on disk");
    assert_eq!(kept::calls("made").await.expect("read"), [call()]);
    let loose = Map::new();
    let picture = kept::picture_bytes(&loose, "made", "ef").await;
    assert_eq!(picture.expect("kept").to_vec(), [1, 2, 3]);
    Kept::forget_calls("made".to_owned())
        .await
        .expect("forgotten");
    assert_eq!(kept::calls("made").await.expect("read"), []);
    let gone = kept::picture_bytes(&loose, "made", "ef").await;
    assert_eq!(code(&gone.expect_err("it is gone")), "forgotten");
    let blob = kept::blob_of(&bytes).expect("a blob");
    loose.set(&"ef".into(), &blob.into());
    let loose = kept::picture_bytes(&loose, "made", "ef").await;
    assert_eq!(loose.expect("at hand").to_vec(), [1, 2, 3]);
}

#[wasm_bindgen_test]
async fn where_one_of_two_stores_refuses_neither_is_written() {
    let picture = JSON::parse(r#"{"benchmark": "half", "sha256": "ef"}"#).expect("JSON");
    let refused = storage::change(&[TRAJECTORIES, PICTURES], |transaction| {
        transaction.object_store(PICTURES)?.put(&picture, None)?;
        // A function cannot be stored.
        let calls = transaction.object_store(TRAJECTORIES)?;
        calls.add(&function("", ""), None).map(drop)
    });
    assert_eq!(code(&refused.await.expect_err("a refusal")), "storage");
    let kept = storage::one(PICTURES, &["half", "ef"]).await.expect("read");
    assert_eq!(kept, None);
    // The same key again is refused only once it is to be written.
    let twice = storage::change(&[PICTURES], |transaction| {
        let pictures = transaction.object_store(PICTURES)?;
        pictures.add(&picture, None)?;
        pictures.add(&picture, None).map(drop)
    });
    assert_eq!(code(&twice.await.expect_err("a refusal")), "storage");
    let kept = storage::one(PICTURES, &["half", "ef"]).await.expect("read");
    assert_eq!(kept, None);
}

#[wasm_bindgen_test]
async fn what_the_page_kept_before_is_read() {
    old_page(5, 7).await;
    let replies = kept::replies("old").await.expect("read");
    // The third is of no version that this one knows.
    assert_eq!(replies.len(), 2);
    let [first, second] = &replies[..] else {
        panic!("two replies");
    };
    assert_eq!(first.reply, "{\"score\": 7}");
    assert_eq!(first.request.as_deref(), Some("ab"));
    let params = first.params.as_ref().expect("parameters");
    assert_eq!(params.temperature, Some(0.0));
    assert_eq!(params.extra.get("seed"), Some(&7.into()));
    assert_eq!((second.judge.as_str(), second.run), ("", 1));
    let calls = kept::calls("old").await.expect("read");
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].set.name, "Nano");
    assert_eq!(calls[0].parameters.get("n"), Some(&1.into()));
    let picture = kept::picture_bytes(&Map::new(), "old", "ef").await;
    assert_eq!(picture.expect("kept").to_vec(), [1, 2, 3]);
    let ratings = Kept::ratings("old".to_owned()).await.expect("read");
    let expected = r#"[{"sample":"7","turn":0,"model":"m","criterion":"kp","rater":"Ada","score":null,"time":"2026-01-02T03:04:05.678Z","note":"","seed":null}]"#;
    assert_eq!(text(&ratings), expected);
    let raters = Kept::raters("old".to_owned()).await.expect("read");
    let expected = r#"[{"benchmark":"old","rater":"Ada","scope":{"rater":"Ada","seed":7,"models":[],"criteria":[],"items":"criteria","samples":3,"per":""},"time":"2026-01-02T03:04:05.678Z"}]"#;
    assert_eq!(text(&raters), expected);
    let session = Session::new();
    let given = brought(Kept::restore(&session, "old".to_owned())).await;
    assert_eq!(text(&given), r#"{"replies":2,"calls":1}"#);
}

#[wasm_bindgen_test]
async fn a_database_of_an_earlier_version_gets_its_missing_stores_and_keeps_what_is_there() {
    old_page(1, 1).await;
    assert_eq!(kept::replies("old").await.expect("read").len(), 2);
    for (store, _) in storage::STORES {
        let values = storage::all_of(store, "old").await.expect(store);
        assert_eq!(values.is_empty(), store != REPLIES, "{store}");
    }
}

#[wasm_bindgen_test]
async fn a_session_is_given_what_it_does_not_know_and_nothing_twice() {
    let session = Session::new();
    let target = Target::of(&session.0);
    let records = [reply("7", "now"), reply("8", "now")];
    kept::keep_replies("given", &records)
        .await
        .expect("on disk");
    // A job of this page has brought the first, and no question was answered since.
    session.0.fresh.borrow_mut().push(records[0].clone());
    let given = kept::give(&target, "given").await.expect("open");
    assert_eq!((given.replies, given.calls), (2, 0));
    let journal = session.0.session.borrow().journal();
    assert_eq!(journal.lines().count(), 2);
    let given = kept::give(&target, "given").await.expect("open");
    assert_eq!((given.replies, given.calls), (0, 0));
    let closed = session;
    drop(closed);
    let closed = kept::give(&target, "given").await;
    assert_eq!(code(&closed.expect_err("nobody is there")), "superseded");
}

#[wasm_bindgen_test]
async fn ratings_are_kept_and_forgotten_by_their_rater() {
    let rating = |rater: &str| {
        format!(
            r#"{{"sample":"7","turn":0,"model":"m","criterion":"kp","rater":"{rater}","score":6.5,"time":"now","note":"n","seed":3}}"#
        )
    };
    let both = format!("[{},{}]", rating("Ada"), rating("Bo"));
    let id = || "rated".to_owned();
    Kept::keep_ratings(id(), JSON::parse(&both).expect("JSON"))
        .await
        .expect("on disk");
    for rater in ["Ada", "Bo"] {
        let session = format!(
            r#"{{"benchmark":"rated","rater":"{rater}","scope":{{"rater":"{rater}","seed":7,"models":[],"criteria":[],"samples":3,"per":""}},"time":"now"}}"#
        );
        let session = JSON::parse(&session).expect("JSON");
        Kept::keep_rater(session).await.expect("on disk");
    }
    assert_eq!(text(&Kept::ratings(id()).await.expect("read")), both);
    let label = |rater: &str| {
        format!(
            r#"{{"sample":"7","turn":0,"model":"m","label":"artefact","rater":"{rater}","is_removed":false,"time":"now"}}"#
        )
    };
    let labels = format!("[{},{}]", label("Ada"), label("Bo"));
    Kept::keep_labels(id(), JSON::parse(&labels).expect("JSON"))
        .await
        .expect("on disk");
    Kept::forget_rater(id(), "Ada".to_owned())
        .await
        .expect("forgotten");
    let left = Kept::ratings(id()).await.expect("read");
    assert_eq!(text(&left), format!("[{}]", rating("Bo")));
    let left = storage::all_of(LABELS, "rated").await.expect("read");
    assert_eq!(left.len(), 1, "the other rater's label stays");
    let raters = text(&Kept::raters(id()).await.expect("read"));
    assert!(
        raters.contains(r#""rater":"Bo""#) && !raters.contains("Ada"),
        "{raters}"
    );
}

#[wasm_bindgen_test]
async fn a_browser_that_refuses_storage_says_why_and_is_asked_again_the_next_time() {
    let refuse = function(
        "",
        "self.realOpen = IDBFactory.prototype.open;
         IDBFactory.prototype.open = () => { throw new DOMException('Storage is not for files.', 'SecurityError'); };
         return new Promise((resolve) => { indexedDB.deleteDatabase('juror').onsuccess = () => resolve(); });",
    );
    let refused = refuse.call0(&JsValue::NULL).expect("it can be refused");
    brought(Promise::resolve(&refused)).await;
    let records = [reply("7", "now")];
    let cause = kept::keep_replies("refused", &records).await;
    let cause = cause.expect_err("a refusal");
    assert_eq!(code(&cause), "storage");
    let message = super::super::pace::message_of(&cause);
    assert!(
        message.starts_with("The browser’s storage cannot be used")
            && message.contains("Storage is not for files.")
            && message.ends_with("leave the private window."),
        "{message}"
    );
    // It stops nothing: a session is given nothing, which is no error.
    let session = Session::new();
    let given = brought(Kept::restore(&session, "refused".to_owned())).await;
    assert_eq!(text(&given), r#"{"replies":0,"calls":0}"#);
    function("", "IDBFactory.prototype.open = self.realOpen;")
        .call0(&JsValue::NULL)
        .expect("it can be put back");
    kept::keep_replies("refused", &records)
        .await
        .expect("on disk");
    assert_eq!(kept::replies("refused").await.expect("read"), records);
}
