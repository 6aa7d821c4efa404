//! Reads the files that a session wants, in the browser: the loop from what is wanted to what is known of it.
//!
//! What is read next is decided in `juror_sources::backlog`. Files that the page holds are read there, several to a message,
//! and entries of ZIPs by whoever opened those; files at addresses are fetched here. Every read is awaited, so that
//! questions of the page are answered in between.
//!
//! A loop holds its session weakly and ends with it: another engine that takes over has a loop of its own, which reads
//! anew what this one had read, and answers only once it knows what the page shows already.
//!
//! | in | what |
//! |---|---|
//! | `lanes` | the loop: readers, decoding, what the page is told |
//! | `sources` | where files lie, and their bytes |
//! | `pictures` | pictures that questions are about, besides those that are read anyway |
//! | `waiting` | waiting for each other, and pauses |

use std::rc::Rc;

use js_sys::{Array, Promise, Uint8Array};
use juror_model::host::Phase;
use wasm_bindgen::prelude::*;

use crate::convert::promise;
use crate::listing::{FileColumns, metas};
use crate::session::{Session, from_js, to_js};
use lanes::{Goal, Loop, Reading};
pub use sources::demo_files;

mod lanes;
mod pictures;
mod sources;
#[cfg(all(test, target_arch = "wasm32"))]
mod tests;
pub(crate) mod waiting;

#[wasm_bindgen]
extern "C" {
    /// What the loop needs of the worker that it runs in. What gives a promise never throws by itself.
    pub type LoadingPage;

    /// Reads files that the page holds (`HeldRead[]`); resolves to what that gave (`ReadBytes[]`), in their order.
    #[wasm_bindgen(method)]
    fn held(this: &LoadingPage, reads: JsValue) -> Promise;

    /// The bytes of a file that neither the page holds nor an address leads to: the first so many, or all.
    #[wasm_bindgen(method)]
    fn apart(this: &LoadingPage, file: u32, head: Option<f64>) -> Promise;

    /// The bytes of a file at an address where they came with its list.
    #[wasm_bindgen(method, js_name = atHand)]
    fn at_hand(this: &LoadingPage, file: u32) -> Option<Uint8Array>;

    /// Whether pictures are known to be whole.
    #[wasm_bindgen(method, js_name = areWhole)]
    fn are_whole(this: &LoadingPage) -> bool;

    /// Finds out in workers which pictures decode (`Flaw[]`, or `null` where no worker can say).
    #[wasm_bindgen(method, catch)]
    async fn decode(this: &LoadingPage, pictures: Array) -> Result<JsValue, JsValue>;

    /// The same for one picture in this thread (`{flaw: Flaw}`, or `null` without decoders).
    #[wasm_bindgen(method, catch)]
    async fn check(this: &LoadingPage, picture: &Uint8Array) -> Result<JsValue, JsValue>;

    /// Nothing is decoded for a while.
    #[wasm_bindgen(method, js_name = stopDecoders)]
    fn stop_decoders(this: &LoadingPage);

    /// How far reading has come (`Progress`), and how it stands (`Reading`).
    #[wasm_bindgen(method, js_name = onProgress)]
    fn on_progress(this: &LoadingPage, progress: JsValue, reading: &str);

    /// Answers may have changed: everything of this step (`Phase`) was read, or everything there is.
    #[wasm_bindgen(method, js_name = onChanged)]
    fn on_changed(this: &LoadingPage, phase: JsValue);

    /// Whether another engine takes over (`HandedOn`): asked once, when the replies were read.
    #[wasm_bindgen(method, js_name = handOn)]
    fn hand_on(this: &LoadingPage) -> String;

    /// The reading has ended; what this brings is known before the page hears of that.
    #[wasm_bindgen(method, catch, js_name = onEnd)]
    async fn on_end(this: &LoadingPage) -> Result<JsValue, JsValue>;

    /// What a picture looks like (`{hash, cells}`).
    #[cfg(feature = "full")]
    #[wasm_bindgen(method, catch)]
    async fn print(this: &LoadingPage, picture: &Uint8Array) -> Result<JsValue, JsValue>;

    /// So many pictures of so many were compared.
    #[cfg(feature = "full")]
    #[wasm_bindgen(method, js_name = onCompared)]
    fn on_compared(this: &LoadingPage, done: u32, total: u32);
}

/// The reading of one session's files; `free()` ends it.
#[wasm_bindgen]
pub struct Loading(Rc<Loop>);

impl Drop for Loading {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[wasm_bindgen]
impl Loading {
    /// Nothing is read yet. So many pictures can be decoded at once.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(session: &Session, page: LoadingPage, decoders: usize) -> Self {
        Self(Rc::new(Loop::new(&session.0, page, decoders)))
    }

    /// Adds files and reads what is wanted of them, unless reading was cancelled; returns the number of the first.
    pub fn add(&self, files: &FileColumns) -> Result<u32, JsValue> {
        let metas = metas(files)?;
        let first = self.0.ask(|session| session.add_files(&metas));
        self.0.take(files, &metas)?;
        first.ok_or_else(superseded)
    }

    /// The same for files that the session has numbered already, as those of a pack.
    pub fn take(&self, files: &FileColumns) -> Result<(), JsValue> {
        self.0.take(files, &metas(files)?)
    }

    /// Reads what is wanted, also after it was cancelled.
    pub fn read(&self) {
        self.0.go_on();
    }

    /// Reads nothing more; what is under way still comes.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Reads anew what the session wants: another benchmark was chosen.
    #[wasm_bindgen(js_name = readAnew)]
    pub fn read_anew(&self) {
        self.0.read_anew();
    }

    /// Has a file that the page shows read before the others.
    pub fn show(&self, file: u32) {
        self.0.show(file);
    }

    /// How reading stands (`Reading`).
    #[must_use]
    #[wasm_bindgen(getter)]
    pub fn reading(&self) -> String {
        self.0.reading().word().to_owned()
    }

    /// The step that reading is at (`Phase`), `null` where it is at none: what another engine is to catch up with.
    pub fn phase(&self) -> Result<JsValue, JsValue> {
        let phase = (self.0.reading() == Reading::UnderWay)
            .then(|| self.0.ask(|session| session.progress().phase).flatten());
        to_js(&phase.flatten())
    }

    /// Says what the engine before had read, which nobody is answered before: all before this step (`Phase`), or everything.
    #[wasm_bindgen(js_name = catchUp)]
    pub fn catch_up(&self, phase: JsValue) -> Result<(), JsValue> {
        let phase: Option<Phase> = from_js(phase)?;
        self.0.catch_up(phase.map_or(Goal::Everything, Goal::Step));
        Ok(())
    }

    /// Resolves once what the engine before had read is known, or this reading is ended.
    #[wasm_bindgen(js_name = upToDate)]
    pub fn up_to_date(&self) -> Promise {
        let reading = Rc::clone(&self.0);
        promise(async move {
            reading.up_to_date().await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Resolves once everything was read, or reading was cancelled or ended.
    pub fn through(&self) -> Promise {
        let reading = Rc::clone(&self.0);
        promise(async move {
            reading.through().await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// All bytes of a file (`Uint8Array`).
    pub fn bytes(&self, file: u32) -> Promise {
        let reading = Rc::clone(&self.0);
        promise(async move { Ok(reading.bytes(file).await?.into()) })
    }

    /// Brings the session the contents of pictures that an answer rests on.
    pub fn bring(&self, files: Vec<u32>) -> Promise {
        let reading = Rc::clone(&self.0);
        promise(async move {
            reading.bring(files).await?;
            Ok(JsValue::UNDEFINED)
        })
    }
}

#[cfg(feature = "full")]
#[wasm_bindgen]
impl Loading {
    /// Holds the replies against their requests as they are now (`ReplyCheck`), for which it reads the requests' pictures.
    #[wasm_bindgen(js_name = checkReplies)]
    pub fn check_replies(&self) -> Promise {
        let reading = Rc::clone(&self.0);
        promise(async move { reading.check_replies().await })
    }

    /// Reads all pictures for what they hold and look like; resolves early where that is stopped.
    pub fn compare(&self) -> Promise {
        let reading = Rc::clone(&self.0);
        promise(async move {
            reading.compare().await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Ends the comparison under way.
    #[wasm_bindgen(js_name = stopCompare)]
    pub fn stop_compare(&self) {
        self.0.stop_compare();
    }
}

/// Whoever asked is not answered any more.
fn superseded() -> JsValue {
    crate::error("superseded", "Everything was closed in the meantime.")
}
