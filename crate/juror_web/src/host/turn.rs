//! One job of a kind at a time among all tabs of this browser: what two tabs ask at once is paid for twice.
//!
//! The tab that has the turn holds a lock, which the browser takes back when the tab ends, and tells the others how its
//! job stands.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::{Function, Object, Promise, Reflect};
use juror_agents::Set;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortSignal, BroadcastChannel, MessageEvent};

use super::control::JobKind;
use super::kept;
use super::pace::now;
use super::{JobPage, Target};
use crate::error;
use crate::session::to_js;

/// How often what another tab's job brings is fetched by a tab that looks on.
const LOOK_EVERY_MS: f64 = 3000.0;

#[wasm_bindgen]
extern "C" {
    /// The browser's locks; web-sys counts them among what may still change.
    type LockManager;

    #[wasm_bindgen(method, catch)]
    fn request(
        this: &LockManager,
        name: &str,
        options: &JsValue,
        granted: &Function,
    ) -> Result<Promise, JsValue>;
}

/// Absent where the page came over plain http from another machine; refused to some pages from disk.
fn locks() -> Option<LockManager> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    locks.is_object().then(|| locks.unchecked_into())
}

/// Whose job it is: what tabs call its turn, and how it is told that another tab has it.
pub(super) struct Who {
    kind: &'static str,
    by: String,
    asks: String,
}

impl Who {
    /// One who asks this judge.
    pub(super) fn judge(judge: &str) -> Self {
        Self {
            kind: "judge",
            by: judge.to_owned(),
            asks: format!("asks “{judge}” about this benchmark"),
        }
    }

    /// One who makes trajectories of this name by these agents.
    pub(super) fn agents(set: &Set) -> Self {
        Self {
            kind: "agents",
            // Plain fields always become a text.
            by: serde_json::to_string(set).unwrap_or_default(),
            asks: "makes these pictures".to_owned(),
        }
    }

    /// One who asks for the outputs of this model.
    pub(super) fn generator(model: &str) -> Self {
        Self {
            kind: "generate",
            by: model.to_owned(),
            asks: format!("makes the pictures of “{model}”"),
        }
    }

    /// As the page names it: the judge, the set of agents as JSON, or the model.
    pub(super) fn named(kind: JobKind, who: &str) -> Result<Self, JsValue> {
        match kind {
            JobKind::Judge | JobKind::__Invalid => Ok(Self::judge(who)),
            JobKind::Generate => Ok(Self::generator(who)),
            JobKind::Agents => {
                let set = serde_json::from_str(who);
                set.map(|set| Self::agents(&set))
                    .map_err(|cause| error("bad_argument", &cause.to_string()))
            }
        }
    }

    fn name(&self, benchmark: &str) -> String {
        format!("juror {} {benchmark} {}", self.kind, self.by)
    }
}

/// The turn, as long as it is held: it ends when it is dropped.
pub(super) struct Turn {
    held: RefCell<Option<TurnLock>>,
    /// Whether this browser can tell that no other tab has it.
    pub(super) is_sure: bool,
}

struct TurnLock {
    /// Whoever looks on.
    channel: Option<BroadcastChannel>,
    release: Function,
}

impl Turn {
    /// Tells those who look on.
    pub(super) fn tell(&self, state: &JsValue) {
        if let Some(TurnLock {
            channel: Some(channel),
            ..
        }) = &*self.held.borrow()
        {
            // Whoever looks on misses one; the next one tells more.
            let _ = channel.post_message(state);
        }
    }

    /// Lets other tabs have it.
    pub(super) fn end(&self) {
        let Some(TurnLock { channel, release }) = self.held.take() else {
            return;
        };
        if let Some(channel) = channel {
            channel.close();
        }
        let _ = release.call0(&JsValue::UNDEFINED);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.end();
    }
}

/// Takes the turn of this name; none if another tab has it.
async fn take(name: &str) -> Option<Turn> {
    let release = match asked(name).await {
        Some(Some(release)) => Some(release),
        Some(None) => return None,
        None => None,
    };
    let held = release.map(|release| TurnLock {
        channel: BroadcastChannel::new(name).ok(),
        release,
    });
    Some(Turn {
        is_sure: held.is_some(),
        held: RefCell::new(held),
    })
}

/// Asks for a lock: what releases it, nothing where another tab has it; none at all where the browser cannot tell.
async fn asked(name: &str) -> Option<Option<Function>> {
    let locks = locks()?;
    let (told, granted) = oneshot::channel();
    let on_lock = Closure::once(move |lock: JsValue| -> JsValue {
        if lock.is_null() {
            let _ = told.send(None);
            return JsValue::UNDEFINED;
        }
        let mut release = None;
        let held = Promise::new(&mut |done, _| release = Some(done));
        let _ = told.send(release);
        held.into()
    });
    let options = options([("ifAvailable", &JsValue::TRUE)])?;
    let ended = locks.request(name, &options, on_lock.as_ref().unchecked_ref());
    let ended = ended.ok()?;
    // A refusal drops the one who would have told.
    spawn_local(async move {
        let _ = JsFuture::from(ended).await;
        drop(on_lock);
    });
    granted.await.ok()
}

fn options<const N: usize>(options: [(&str, &JsValue); N]) -> Option<JsValue> {
    let object = Object::new();
    for (name, value) in options {
        Reflect::set(&object, &name.into(), value).ok()?;
    }
    Some(object.into())
}

/// A job whose turn it is.
pub(super) struct StartedJob {
    pub(super) turn: Turn,
    pub(super) benchmark: String,
}

/// Takes the turn of a job: the session has what other tabs brought, and none of them begins the same before the turn
/// ends.
pub(super) async fn begin(
    target: &Target,
    who: &Who,
    page: &JobPage,
) -> Result<StartedJob, JsValue> {
    let benchmark = target
        .ask(|session| juror_session::benchmark_id(session))?
        .ok_or_else(|| error("no_benchmark", "Open a benchmark first."))?;
    let Some(turn) = take(&who.name(&benchmark)).await else {
        let message = format!(
            "Another tab of this browser {} already. Started here as well, every call would be paid for twice.",
            who.asks
        );
        return Err(error("elsewhere", &message));
    };
    give(target, &benchmark, page).await?;
    Ok(StartedJob { turn, benchmark })
}

/// What other tabs have kept since this one read it: none of that is to be asked for again.
async fn give(target: &Target, benchmark: &str, page: &JobPage) -> Result<(), JsValue> {
    if page.shows_kept() {
        let given = kept::give(target, benchmark).await?;
        page.given(to_js(&given)?);
    }
    Ok(())
}

/// Looks at the job that another tab has the turn for, until that has ended or nobody looks on any more; what it brings
/// comes here too.
pub(super) async fn look_on(
    target: Target,
    who: Who,
    page: JobPage,
    signal: AbortSignal,
) -> Result<(), JsValue> {
    let Some(benchmark) = target.ask(|session| juror_session::benchmark_id(session))? else {
        return Ok(());
    };
    let Some(locks) = locks() else {
        return Ok(());
    };
    let look = Rc::new(Look {
        target,
        benchmark,
        page,
        signal,
        last: RefCell::new(JsValue::UNDEFINED),
        taken: Cell::new(now()),
    });
    let name = who.name(&look.benchmark);
    let channel = BroadcastChannel::new(&name)?;
    let looking = Rc::clone(&look);
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        looking.heard(event.data());
    });
    channel.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    let free = Closure::once(|| {});
    let ended = options([("mode", &"shared".into()), ("signal", &look.signal)])
        .map(|options| locks.request(&name, &options, free.as_ref().unchecked_ref()));
    let ended = match ended {
        Some(Ok(ended)) => JsFuture::from(ended).await,
        Some(Err(cause)) => Err(cause),
        None => Ok(JsValue::UNDEFINED),
    };
    channel.close();
    ended?;
    look.ended()?;
    look.take().await
}

/// A look at another tab's job.
struct Look {
    target: Target,
    benchmark: String,
    page: JobPage,
    signal: AbortSignal,
    /// How it stood (`RunState`), once that was told.
    last: RefCell<JsValue>,
    /// When what it brought was fetched last.
    taken: Cell<f64>,
}

impl Look {
    /// The other tab told how its job stands.
    fn heard(self: &Rc<Self>, state: JsValue) {
        if self.signal.aborted() || self.target.open().is_err() || !state.is_object() {
            return;
        }
        // A property of a plain object can be set.
        let _ = Reflect::set(&state, &"isElsewhere".into(), &JsValue::TRUE);
        self.last.replace(state.clone());
        self.page.on_state(state);
        if now() - self.taken.get() > LOOK_EVERY_MS {
            let look = Rc::clone(self);
            spawn_local(async move {
                // The next look fetches it.
                let _ = look.take().await;
            });
        }
    }

    /// Fetches what the job has brought.
    async fn take(&self) -> Result<(), JsValue> {
        self.taken.set(now());
        give(&self.target, &self.benchmark, &self.page).await?;
        self.page.came();
        Ok(())
    }

    /// The other tab has given the turn back.
    fn ended(&self) -> Result<(), JsValue> {
        let last = self.last.borrow().clone();
        if last.is_undefined() || self.target.open().is_err() {
            return Ok(());
        }
        let progress = Reflect::get(&last, &"progress".into())?;
        if Reflect::get(&progress, &"finished".into())?.is_truthy() {
            return Ok(());
        }
        Reflect::set(&progress, &"finished".into(), &JsValue::TRUE)?;
        if Reflect::get(&progress, &"stopped".into())?.is_null() {
            let why = "The other tab was closed before its job had ended. What came is kept; start here to go on with the rest.";
            Reflect::set(&progress, &"stopped".into(), &why.into())?;
        }
        self.page.on_state(last);
        Ok(())
    }
}
