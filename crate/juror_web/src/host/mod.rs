//! The browser's host of jobs: it drives the state machine of `juror_judging::job` with calls, pauses and storage.
//!
//! A job knows nothing of the page but the few functions of [`JobPage`]: where bytes of files come from and who is told.
//! It holds its session weakly: once everything was closed there is nobody to judge for, and nothing more is sent.
//! What came before that is kept all the same, as it was paid for.
//!
//! | in | what |
//! |---|---|
//! | `call` | one call of a service: headers, time limit, limit of bytes |
//! | `control` | what a page does with a job under way |
//! | `pace` | the loop of one job: what is due, pauses, what failed, what the page is told |
//! | `judge` | a judge's request, from the session to the journal |
//! | `agents` | a call of an agent loop |
//! | `generate` | a call of a generator, from the session to the model's outputs |
//! | `answered` | pictures that services answer with |
//! | `turn` | whose turn a job is among the tabs of this browser, and the look at another tab's |
//! | `measuring` | a run of image metrics, dealt out to workers of the page |
//! | `storage` | this browser's database, and what is done to its stores |
//! | `kept` | what is kept of a benchmark: replies, calls and pictures, ratings, names of judges |
//! | `brought` | what a person brings: pasted replies, names of judges |
//! | `pack` | an evidence pack, opened, checked and written |
//! | `packs` | several of them: each checked by itself, the first one compared with the others |
//! | `base64` | base64 by the browser, so that pictures need not pass through Wasm's memory |

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use js_sys::{Map, Promise, Uint8Array};
use juror_agents::AgentKey;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use crate::convert::promise;
use crate::error;
use crate::session::{Open, Session, from_js};

pub mod agents;
mod answered;
mod base64;
pub mod brought;
mod call;
mod control;
mod generate;
mod judge;
mod kept;
pub mod measuring;
mod pace;
pub mod pack;
pub mod packs;
mod storage;
#[cfg(all(test, target_arch = "wasm32"))]
mod tests;
mod turn;

use agents::AgentSettings;
use control::{JobControl, JobKind};
use generate::GenerateSettings;
use judge::JobSettings;
use pace::{Control, Run, Unsent};
use turn::Who;

#[wasm_bindgen]
extern "C" {
    /// What a job needs of the worker that it runs in.
    pub type JobPage;

    /// The bytes of a file, by its number.
    #[wasm_bindgen(method, catch)]
    async fn bytes(this: &JobPage, file: f64) -> Result<JsValue, JsValue>;

    /// The bytes of a picture as it is sent: file, treatment and the second file that this needs.
    #[wasm_bindgen(method, catch)]
    async fn picture(
        this: &JobPage,
        file: Option<u32>,
        treatment: JsValue,
        other: Option<u32>,
    ) -> Result<JsValue, JsValue>;

    /// Pictures as the one row that they are joined to, as PNG.
    #[wasm_bindgen(method, catch)]
    async fn row(this: &JobPage, files: Vec<u32>) -> Result<JsValue, JsValue>;

    /// A generated picture as the file of this name is written: `{bytes, came_as}`; an error where it is no whole picture.
    #[wasm_bindgen(method, catch)]
    async fn fit(this: &JobPage, bytes: Uint8Array, name: &str) -> Result<JsValue, JsValue>;

    /// Lists the pictures that came among the open files, before the next call may show them.
    #[wasm_bindgen(method)]
    fn list(this: &JobPage);

    /// The session has what came.
    #[wasm_bindgen(method)]
    fn came(this: &JobPage);

    /// Whether what this browser keeps is shown with what is open.
    #[wasm_bindgen(method, js_name = showsKept)]
    fn shows_kept(this: &JobPage) -> bool;

    /// The session was given what other tabs have kept (`KeptCounts`).
    #[wasm_bindgen(method)]
    fn given(this: &JobPage, given: JsValue);

    /// The job has ended.
    #[wasm_bindgen(method)]
    fn ended(this: &JobPage);

    /// Where the job stands (`RunState`).
    #[wasm_bindgen(method, js_name = onState)]
    fn on_state(this: &JobPage, state: JsValue);
}

/// The jobs under way, at most one of each kind.
#[wasm_bindgen]
pub struct Host {
    judging: Slot,
    agents: Slot,
    generating: Slot,
    /// Ends the look at another tab's job.
    watching: RefCell<Option<AbortController>>,
    /// Generated pictures that storage did not take, as `Blob`s by content.
    loose: Map,
}

/// Where a job of one kind is, while it runs.
type Slot = Rc<RefCell<Option<Rc<dyn Control>>>>;

#[wasm_bindgen]
impl Host {
    /// No job is under way. Pictures that storage does not take are put into `loose`, by content: the hosts of several
    /// engines share them.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(loose: Map) -> Self {
        Self {
            judging: Slot::default(),
            agents: Slot::default(),
            generating: Slot::default(),
            watching: RefCell::default(),
            loose,
        }
    }

    /// Begins a judging job (`JobSettings`) once no other tab does the same; the promise says whether this browser can tell
    /// that.
    pub fn judge(
        &self,
        session: &Session,
        settings: JsValue,
        page: JobPage,
    ) -> Result<Promise, JsValue> {
        let settings: JobSettings = from_js(settings)?;
        let (target, slot) = (Target::of(&session.0), Rc::clone(&self.judging));
        Ok(promise(async move {
            let begun = turn::begin(&target, &settings.who(), &page).await?;
            let run = judge::begin(&target.open()?, settings, begun, page);
            start(&slot, run.map_err(|cause| refused(&cause))?)
        }))
    }

    /// Begins a job of agents (`AgentSettings`) in the same way.
    pub fn make(
        &self,
        session: &Session,
        settings: JsValue,
        page: JobPage,
    ) -> Result<Promise, JsValue> {
        let settings: AgentSettings = from_js(settings)?;
        let (target, slot) = (Target::of(&session.0), Rc::clone(&self.agents));
        let loose = self.loose.clone();
        Ok(promise(async move {
            let begun = turn::begin(&target, &settings.who(), &page).await?;
            let run = agents::begin(&target.open()?, settings, begun, loose, page);
            start(&slot, run.map_err(|cause| refused(&cause))?)
        }))
    }

    /// Begins a generator's job (`GenerateSettings`) in the same way.
    pub fn generate(
        &self,
        session: &Session,
        settings: JsValue,
        page: JobPage,
    ) -> Result<Promise, JsValue> {
        let settings: GenerateSettings = from_js(settings)?;
        let (target, slot) = (Target::of(&session.0), Rc::clone(&self.generating));
        let loose = self.loose.clone();
        Ok(promise(async move {
            let begun = turn::begin(&target, &settings.who(), &page).await?;
            let run = generate::begin(&target.open()?, settings, begun, loose, page);
            start(&slot, run.map_err(|cause| refused(&cause))?)
        }))
    }

    /// Tells the page how the job of another tab stands, until that has ended or the page looks elsewhere. `who`: the judge,
    /// the set of agents as JSON, or the model.
    #[wasm_bindgen(js_name = lookOn)]
    pub fn look_on(
        &self,
        session: &Session,
        kind: JobKind,
        who: &str,
        page: JobPage,
    ) -> Result<(), JsValue> {
        self.look_away();
        let (target, who) = (Target::of(&session.0), Who::named(kind, who)?);
        let watching = AbortController::new()?;
        let signal = watching.signal();
        self.watching.replace(Some(watching));
        spawn_local(async move {
            // Nobody waits for it: who looks elsewhere ends it by an error.
            let _ = turn::look_on(target, who, page, signal).await;
        });
        Ok(())
    }

    /// Looks at no other tab's job any more.
    #[wasm_bindgen(js_name = lookAway)]
    pub fn look_away(&self) {
        if let Some(watching) = self.watching.take() {
            watching.abort();
        }
    }

    /// Keeps what a person brings for the call that is due (`AgentKey`): the planner's reply as a text, or the picture as
    /// a `Blob`.
    pub fn hand(
        &self,
        session: &Session,
        key: JsValue,
        brought: JsValue,
        benchmark: String,
    ) -> Result<Promise, JsValue> {
        let key: AgentKey = from_js(key)?;
        let target = Target::of(&session.0);
        Ok(promise(async move {
            agents::hand(&target, &key, brought, &benchmark).await?;
            Ok(JsValue::UNDEFINED)
        }))
    }

    /// Whether a job of this kind is under way.
    #[must_use]
    #[wasm_bindgen(js_name = isRunning)]
    pub fn is_running(&self, kind: JobKind) -> bool {
        self.slot(kind).borrow().is_some()
    }

    /// Pauses or ends the job of this kind, or has it go on; nothing where none is under way.
    pub fn control(&self, kind: JobKind, what: JobControl) {
        // Whoever is told of it may ask this host again.
        let Some(job) = self.slot(kind).borrow().clone() else {
            return;
        };
        match what {
            JobControl::Pause => job.pause(),
            JobControl::Resume => job.resume(),
            JobControl::Cancel | JobControl::__Invalid => job.cancel(),
        }
    }

    fn slot(&self, kind: JobKind) -> &Slot {
        match kind {
            JobKind::Judge | JobKind::__Invalid => &self.judging,
            JobKind::Agents => &self.agents,
            JobKind::Generate => &self.generating,
        }
    }
}

/// Where a job keeps what it makes.
struct Place {
    benchmark: String,
    /// Where it goes if storage does not take it.
    loose: Map,
}

/// Runs a job to its end; whether this browser can tell that no other tab does the same.
fn start<W: pace::Work + 'static>(slot: &Slot, run: Run<W>) -> Result<JsValue, JsValue> {
    if slot.borrow().is_some() {
        return Err(error("job_running", "Such a job is running already."));
    }
    let is_sure = run.turn().is_sure;
    let run = Rc::new(run);
    *slot.borrow_mut() = Some(Rc::clone(&run) as Rc<dyn Control>);
    let slot = Rc::clone(slot);
    spawn_local(async move {
        run.to_its_end().await;
        slot.borrow_mut().take();
        run.ended();
    });
    Ok(is_sure.into())
}

/// Why a job does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
enum Refused {
    /// Its limits contradict each other.
    #[error(transparent)]
    Limits(#[from] juror_judging::error::Error),
    /// The name of the trajectories cannot be taken.
    #[error("{0}")]
    Set(String),
    /// Nothing can be asked for, or only in place of what is there.
    #[error("{0}")]
    Outputs(String),
}

fn refused(cause: &Refused) -> JsValue {
    let code = match cause {
        Refused::Limits(_) => "bad_limits",
        Refused::Set(_) => "bad_set",
        Refused::Outputs(_) => "bad_generate",
    };
    error(code, &cause.to_string())
}

/// A session that a job works for, as long as that is open.
struct Target(Weak<Open>);

impl Target {
    fn of(session: &Rc<Open>) -> Self {
        Self(Rc::downgrade(session))
    }

    fn open(&self) -> Result<Rc<Open>, Unsent> {
        self.0.upgrade().ok_or(Unsent::Superseded)
    }

    /// Asks the session; it is free again before anybody else is asked.
    fn ask<T>(&self, question: impl FnOnce(&mut juror_session::Session) -> T) -> Result<T, Unsent> {
        Ok(question(&mut self.open()?.session.borrow_mut()))
    }

    /// Brings the contents of files, which the hash of a request needs.
    async fn bring(&self, page: &JobPage, needs: Vec<u32>) -> Result<(), Unsent> {
        for file in needs {
            let bytes = Uint8Array::from(page.bytes(f64::from(file)).await?).to_vec();
            self.ask(|session| juror_session::provide_picture(session, file, &bytes))?;
        }
        Ok(())
    }
}

/// When it is, as a record has it.
fn time() -> String {
    js_sys::Date::new_0().to_iso_string().into()
}

/// A number for a job's jitter.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "milliseconds of this century fit"
)]
fn seed() -> u64 {
    js_sys::Date::now() as u64
}
