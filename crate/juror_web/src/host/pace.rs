//! Carries a job out: asks its state machine in the core what to do next, begins it, sleeps, and tells how it stands.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use futures_channel::oneshot;
use gloo_timers::callback::Timeout;
use juror_judging::job::{Job, JobProgress, Next, Received};
use juror_judging::provider::{Failure, FailureKind, Usage};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::JobPage;
use super::turn::Turn;
pub(super) use crate::convert::message_of;
use crate::error;
use crate::session::to_js;

const TELL_EVERY_MS: f64 = 250.0;
/// The longest sleep, so that the clock of the machine may jump.
const LONGEST_SLEEP_MS: f64 = 5000.0;
const MAX_INCIDENTS: usize = 200;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds of a clock that only runs forward.
    #[wasm_bindgen(js_namespace = performance)]
    pub(super) fn now() -> f64;
}

/// Where a job stands, for the page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct RunState<I> {
    /// How far it is.
    progress: JobProgress,
    /// What was given up, the newest last, at most 200.
    incidents: Vec<I>,
    /// Another tab does it.
    #[serde(rename = "isElsewhere", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    is_elsewhere: Option<bool>,
}

/// What came of an attempt: the answer's status and what it says of its tokens, where there was one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallOutcome {
    pub(super) status: Option<u16>,
    pub(super) retry_after_ms: Option<f64>,
    pub(super) usage: Option<Usage>,
}

impl CallOutcome {
    /// An answer of this status.
    pub(super) fn with(status: Option<u16>, usage: Option<Usage>) -> Self {
        Self {
            status,
            retry_after_ms: None,
            usage,
        }
    }

    /// The same answer with what it says of its tokens.
    pub(super) fn counted(self, usage: Usage) -> Self {
        Self {
            usage: Some(usage),
            ..self
        }
    }

    /// Whether it is a success, which is paid for whatever is in it.
    pub(super) fn is_paid(self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }

    fn received(self) -> Received {
        match self.status {
            Some(status) => Received::Status(status, self.usage.unwrap_or_default()),
            None => Received::Nothing,
        }
    }
}

/// Why an attempt ended before it came to an answer's meaning.
#[derive(Debug)]
pub(super) enum Unsent {
    /// Everything was closed: nothing was paid, nothing is to be kept.
    Superseded,
    /// A picture that cannot be read, a request that cannot be put together: no other attempt will do better.
    Bad(String),
}

impl From<JsValue> for Unsent {
    fn from(cause: JsValue) -> Self {
        let code = js_sys::Reflect::get(&cause, &"code".into()).ok();
        if code.and_then(|code| code.as_string()).as_deref() == Some("superseded") {
            return Self::Superseded;
        }
        Self::Bad(message_of(&cause))
    }
}

impl From<Unsent> for JsValue {
    fn from(cause: Unsent) -> Self {
        match cause {
            Unsent::Superseded => error("superseded", "Everything was closed in the meantime."),
            Unsent::Bad(message) => error("unsent", &message),
        }
    }
}

impl From<juror_session::error::Error> for Unsent {
    fn from(cause: juror_session::error::Error) -> Self {
        Self::Bad(cause.to_string())
    }
}

/// What the tasks of a job are: how one is sent, and what is written down of one that was given up.
pub(super) trait Work: Sized {
    /// What the page is told of a task that was given up.
    type Incident: Clone + Serialize;

    /// The page that it works for.
    fn page(&self) -> &JobPage;

    /// Sends a task and deals with what comes back.
    async fn send(&self, run: &Run<Self>, task: u32) -> Result<(), Unsent>;

    /// A text without the keys in it.
    fn clean(&self, text: &str) -> String;

    fn incident(&self, task: u32, failure: &Failure) -> Self::Incident;

    /// Writes down that a task was given up.
    async fn give_up(&self, run: &Run<Self>, task: u32, failure: &Failure);
}

/// What is done with a job from outside.
pub(super) trait Control {
    fn pause(&self);
    fn resume(&self);
    fn cancel(&self);
}

/// One job under way.
pub(super) struct Run<W: Work> {
    work: W,
    job: RefCell<Job>,
    incidents: RefCell<VecDeque<W::Incident>>,
    /// What came for the attempts under way: it is paid for, whatever goes wrong with it here.
    came: RefCell<BTreeMap<u32, CallOutcome>>,
    /// Storage failed: nothing may be paid for that cannot be kept.
    broken: RefCell<Option<String>>,
    told: Cell<f64>,
    sleep: Sleep,
    turn: Turn,
}

impl<W: Work> Control for Run<W> {
    fn pause(&self) {
        self.job.borrow_mut().pause();
        self.tell_now();
    }

    fn resume(&self) {
        self.job.borrow_mut().resume();
        self.sleep.end();
        self.tell_now();
    }

    fn cancel(&self) {
        self.job.borrow_mut().cancel();
        self.sleep.end();
    }
}

impl<W: Work + 'static> Run<W> {
    pub(super) fn new(job: Job, work: W, turn: Turn) -> Self {
        Self {
            work,
            job: RefCell::new(job),
            incidents: RefCell::default(),
            came: RefCell::default(),
            broken: RefCell::default(),
            told: Cell::new(0.0),
            sleep: Sleep::default(),
            turn,
        }
    }

    /// Runs until every task has ended, or the job stopped.
    pub(super) async fn to_its_end(self: &Rc<Self>) {
        loop {
            let next = self.job.borrow_mut().next(now());
            let until = match next {
                Next::Finished => break,
                Next::Send(task) => {
                    let run = Rc::clone(self);
                    spawn_local(async move {
                        run.attempt(task).await;
                        run.sleep.end();
                    });
                    self.tell();
                    continue;
                }
                Next::WaitUntil(until) => until - now(),
                Next::Wait => LONGEST_SLEEP_MS,
            };
            self.tell();
            self.sleep.wait(until).await;
        }
        self.tell_now();
    }

    async fn attempt(&self, task: u32) {
        match self.work.send(self, task).await {
            Ok(()) => {}
            Err(Unsent::Superseded) => {
                self.cancel();
                let nothing = Failure {
                    kind: FailureKind::Network,
                    message: String::new(),
                };
                self.job
                    .borrow_mut()
                    .failed(task, now(), &nothing, None, Received::Nothing);
            }
            Err(Unsent::Bad(message)) => {
                let came = self.came.borrow().get(&task).copied().unwrap_or_default();
                let failure = Failure {
                    kind: FailureKind::BadRequest,
                    message,
                };
                self.fail(task, failure, came).await;
            }
        }
        self.came.borrow_mut().remove(&task);
    }
}

impl<W: Work> Run<W> {
    /// The state machine; it is free again before anybody else is asked.
    pub(super) fn job<T>(&self, what: impl FnOnce(&mut Job) -> T) -> T {
        what(&mut self.job.borrow_mut())
    }

    /// The turn that it has.
    pub(super) fn turn(&self) -> &Turn {
        &self.turn
    }

    /// It is over: other tabs may have the turn, and the page is told.
    pub(super) fn ended(&self) {
        self.turn.end();
        self.work.page().ended();
    }

    /// An answer came.
    pub(super) fn came(&self, task: u32, came: CallOutcome) {
        self.came.borrow_mut().insert(task, came);
    }

    /// A task brought what it was to bring.
    pub(super) fn answered(&self, task: u32, usage: Usage) {
        self.job.borrow_mut().answered(task, now(), usage);
    }

    /// An attempt failed; where no other one follows, the task is given up. A success is paid for although it failed.
    pub(super) async fn fail(&self, task: u32, failure: Failure, came: CallOutcome) {
        let failure = Failure {
            kind: failure.kind,
            message: self.work.clean(&failure.message),
        };
        let is_over = self.job.borrow_mut().failed(
            task,
            now(),
            &failure,
            came.retry_after_ms,
            came.received(),
        );
        if is_over {
            let incident = self.work.incident(task, &failure);
            {
                let mut incidents = self.incidents.borrow_mut();
                incidents.push_back(incident);
                if incidents.len() > MAX_INCIDENTS {
                    incidents.pop_front();
                }
            }
            self.work.give_up(self, task, &failure).await;
        }
        self.tell();
    }

    /// Sends nothing more, because what comes cannot be kept.
    pub(super) fn stop(&self, why: String) {
        self.broken.replace(Some(why));
        self.cancel();
    }

    /// Tells how the job stands, unless that was told a moment ago.
    pub(super) fn tell(&self) {
        if now() - self.told.get() >= TELL_EVERY_MS {
            self.tell_now();
        }
    }

    fn tell_now(&self) {
        self.told.set(now());
        let mut progress = self.job.borrow_mut().progress(now());
        if let Some(why) = &*self.broken.borrow() {
            progress.stopped = Some(why.clone());
        }
        let state = RunState {
            progress,
            incidents: self.incidents.borrow().iter().cloned().collect(),
            is_elsewhere: None,
        };
        // Plain data always crosses.
        if let Ok(state) = to_js(&state) {
            self.turn.tell(&state);
            self.work.page().on_state(state);
        }
    }
}

/// A pause that can be ended from outside.
#[derive(Clone, Default)]
pub(super) struct Sleep(Rc<RefCell<Option<oneshot::Sender<()>>>>);

impl Sleep {
    /// Waits so many milliseconds, or until `end`.
    pub(super) async fn wait(&self, ms: f64) {
        let (waker, woken) = oneshot::channel();
        self.0.replace(Some(waker));
        let own = self.clone();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and 5000"
        )]
        let ms = ms.clamp(1.0, LONGEST_SLEEP_MS) as u32;
        let timer = Timeout::new(ms, move || own.end());
        // The one who holds the other end sends before dropping it.
        let _ = woken.await;
        drop(timer);
    }

    /// Ends the pause under way, if there is one.
    pub(super) fn end(&self) {
        if let Some(waker) = self.0.take() {
            let _ = waker.send(());
        }
    }
}
