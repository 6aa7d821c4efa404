//! The loop: readers that share a backlog until nothing is wanted, the session is replaced, or the user cancels.
//!
//! Decoding is work of its own beside them: what is added while decoders have pictures, or still come, is read at once.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use js_sys::{Array, Uint8Array};
use juror_model::host::{FileMeta, Phase, Want};
use juror_model::tree::FileId;
use juror_session::{Session, Undecodable};
use juror_sources::backlog::{Backlog, LANES, Step};
use serde::Deserialize;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::sources::{Sources, Unread, Wanted, release};
use super::waiting::{Waiters, now, pause};
use super::{LoadingPage, superseded};
use crate::listing::FileColumns;
use crate::session::{Open, from_js, to_js};

/// How often the page is told how far reading has come.
pub(super) const PROGRESS_EVERY_MS: f64 = 100.0;
/// How long pictures are decoded in this thread before waiting messages are let in.
const PAUSE_EVERY_MS: f64 = 30.0;

/// How reading stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Nothing was to be read yet.
    Idle,
    /// It goes on.
    UnderWay,
    /// The user has stopped it.
    Cancelled,
    /// Everything was read.
    Done,
}

impl Reading {
    /// As the page calls it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::UnderWay => "reading",
            Self::Cancelled => "cancelled",
            Self::Done => "done",
        }
    }
}

/// What is to be read before anybody is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Nothing more.
    Reached,
    /// All before this step.
    Step(Phase),
    /// Everything.
    Everything,
}

/// Whether another engine takes over from this one, as the page says (`HandedOn`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandedOn {
    /// None does.
    Nothing,
    /// One does; what this one knows is shown meanwhile.
    Soon,
    /// One does, as this one lacks something: it shows nothing more.
    Lacking,
}

impl HandedOn {
    fn of(word: &str) -> Self {
        match word {
            "soon" => Self::Soon,
            "lacking" => Self::Lacking,
            _ => Self::Nothing,
        }
    }
}

/// What keeps a picture from being decoded (`Flaw`).
#[derive(Debug, Deserialize)]
struct Flaw {
    message: String,
    hint: String,
}

/// What decoding in this thread found.
#[derive(Debug, Deserialize)]
struct Checked {
    flaw: Option<Flaw>,
}

/// The reading of one session's files.
pub(super) struct Loop {
    session: Weak<Open>,
    pub(super) page: LoadingPage,
    sources: RefCell<Sources>,
    backlog: RefCell<Backlog>,
    reading: Cell<Reading>,
    /// Readers are at work.
    is_looping: Cell<bool>,
    /// The session was replaced: nothing is told to anybody any more.
    is_over: Cell<bool>,
    /// Loops that are under way, with what comes at their end.
    loops: Cell<u32>,
    /// Readers that have not met the others yet.
    lanes: Cell<usize>,
    goal: Cell<Goal>,
    /// Whether another engine takes over, once that was asked.
    handed_on: Cell<Option<HandedOn>>,
    /// Those that wait for room in memory, or for what is to be done next.
    room: Waiters,
    met: Waiters,
    ended: Waiters,
    reached: Waiters,
    /// When the page was told last how far it is.
    told: Cell<f64>,
    /// When waiting messages were let in last between pictures.
    paused: Cell<f64>,
    /// The comparison of pictures that goes on, by its number.
    #[cfg(feature = "full")]
    pub(super) comparing: Cell<u32>,
}

impl Loop {
    pub(super) fn new(session: &Rc<Open>, page: LoadingPage, decoders: usize) -> Self {
        Self {
            session: Rc::downgrade(session),
            page,
            sources: RefCell::default(),
            backlog: RefCell::new(Backlog::new(decoders)),
            reading: Cell::new(Reading::Idle),
            is_looping: Cell::new(false),
            is_over: Cell::new(false),
            loops: Cell::new(0),
            lanes: Cell::new(0),
            goal: Cell::new(Goal::Reached),
            handed_on: Cell::new(None),
            room: Waiters::default(),
            met: Waiters::default(),
            ended: Waiters::default(),
            reached: Waiters::default(),
            told: Cell::new(f64::NEG_INFINITY),
            paused: Cell::new(f64::NEG_INFINITY),
            #[cfg(feature = "full")]
            comparing: Cell::new(0),
        }
    }

    /// The session as long as it is open.
    pub(super) fn open(&self) -> Option<Rc<Open>> {
        if self.is_over.get() {
            return None;
        }
        self.session.upgrade()
    }

    /// Asks the session; it is free again before anybody else is asked.
    pub(super) fn ask<T>(&self, question: impl FnOnce(&mut Session) -> T) -> Option<T> {
        Some(question(&mut self.open()?.session.borrow_mut()))
    }

    pub(super) fn reading(&self) -> Reading {
        self.reading.get()
    }

    /// Takes files that the session has numbered, and reads what is wanted of them.
    pub(super) fn take(
        self: &Rc<Self>,
        files: &FileColumns,
        metas: &[FileMeta],
    ) -> Result<(), JsValue> {
        self.sources.borrow_mut().add(files, metas)?;
        let put_off = self.backlog.borrow_mut().recall();
        self.ask(|session| session.put_off(&put_off));
        // A cancelled reading stays so until the user resumes it.
        if self.reading.get() == Reading::Cancelled {
            self.tell_changed();
        } else {
            self.begin();
        }
        Ok(())
    }

    /// Has a loop under way.
    pub(super) fn begin(self: &Rc<Self>) {
        if self.is_over.get() {
            return;
        }
        self.reading.set(Reading::UnderWay);
        if self.is_looping.replace(true) {
            self.room.wake();
            return;
        }
        self.loops.set(self.loops.get() + 1);
        let own = Rc::clone(self);
        spawn_local(async move {
            own.run().await;
            own.loops.set(own.loops.get() - 1);
            own.ended.wake();
        });
    }

    /// The same after the page has said that another engine takes over: where that is this very one, it goes on by itself.
    pub(super) fn go_on(self: &Rc<Self>) {
        self.handed_on.set(None);
        self.begin();
    }

    pub(super) fn cancel(&self) {
        if self.reading.get() == Reading::UnderWay {
            self.reading.set(Reading::Cancelled);
        }
        self.tell_progress();
    }

    pub(super) fn read_anew(self: &Rc<Self>) {
        self.backlog.borrow_mut().clear();
        self.begin();
    }

    pub(super) fn show(&self, file: FileId) {
        self.backlog.borrow_mut().show(file);
    }

    pub(super) fn catch_up(&self, goal: Goal) {
        self.goal.set(goal);
    }

    /// Waits until the goal is reached, or there is no session to reach it.
    pub(super) async fn up_to_date(&self) {
        while self.goal.get() != Goal::Reached && self.open().is_some() {
            self.reached.wait().await;
        }
    }

    /// Waits until no loop is under way.
    pub(super) async fn through(&self) {
        while self.loops.get() > 0 && self.open().is_some() {
            self.ended.wait().await;
        }
    }

    /// Everything was closed, or another engine takes over.
    pub(super) fn end(&self) {
        if self.is_over.replace(true) {
            return;
        }
        self.page.stop_decoders();
        for waiters in [&self.room, &self.met, &self.ended, &self.reached] {
            waiters.wake();
        }
    }

    /// Reads until nothing is wanted; nothing where the session was replaced meanwhile.
    async fn run(self: &Rc<Self>) -> Option<()> {
        let mut phase = None;
        self.handed_on.set(None);
        while self.is_at_work() {
            if self.reading.get() != Reading::UnderWay {
                self.room.wait().await;
                continue;
            }
            let now = self.ask(|session| session.progress().phase)?;
            if now != phase {
                // With the replies there are scores.
                if now.is_none_or(|now| now > Phase::Replies) {
                    self.hand_on();
                }
                let is_shown = self.handed_on.get() != Some(HandedOn::Lacking);
                if phase.is_some() && self.goal.get() == Goal::Reached && is_shown {
                    self.page.on_changed(to_js(&phase).unwrap_or_default());
                }
                phase = now;
                if let (Goal::Step(goal), Some(now)) = (self.goal.get(), now)
                    && now >= goal
                {
                    self.reach_goal();
                }
                self.tell_progress();
            }
            if self.ask(|session| self.backlog.borrow_mut().refill(wants_of(session)))? {
                self.read_together().await;
            } else if self.backlog.borrow().is_decoding() {
                self.room.wait().await;
            } else {
                break;
            }
            self.open()?;
        }
        self.page.stop_decoders();
        self.is_looping.set(false);
        if self.reading.get() == Reading::UnderWay {
            let handed_on = self.hand_on();
            if handed_on != HandedOn::Nothing {
                // The engine that takes over reads to the end.
                self.reach_goal();
                self.tell_progress();
                if handed_on == HandedOn::Soon {
                    self.tell_changed();
                }
                return Some(());
            }
            self.reading.set(Reading::Done);
        }
        // What could not be brought back is told by whoever tried.
        let _ = self.page.on_end().await;
        self.open()?;
        self.reach_goal();
        self.tell_progress();
        self.tell_changed();
        Some(())
    }

    /// Whether reading goes on, or what was read before it was cancelled is still decoded.
    fn is_at_work(&self) -> bool {
        self.reading.get() == Reading::UnderWay || self.backlog.borrow().is_decoding()
    }

    /// Whether another engine takes over, which the page decides once.
    fn hand_on(&self) -> HandedOn {
        self.handed_on.get().unwrap_or_else(|| {
            let handed_on = HandedOn::of(&self.page.hand_on());
            self.handed_on.set(Some(handed_on));
            handed_on
        })
    }

    /// Has all readers at work until they meet.
    async fn read_together(self: &Rc<Self>) {
        self.lanes.set(LANES);
        for _ in 0..LANES {
            let own = Rc::clone(self);
            spawn_local(async move {
                own.lane().await;
                own.lanes.set(own.lanes.get() - 1);
                own.met.wake();
            });
        }
        while self.lanes.get() > 0 && !self.is_over.get() {
            self.met.wait().await;
        }
    }

    /// One of the readers that share the backlog; what is left of it after a cancel waits until reading goes on.
    async fn lane(self: &Rc<Self>) -> Option<()> {
        while self.reading.get() == Reading::UnderWay {
            let wants = match self.step()? {
                Step::Nothing => return Some(()),
                Step::Wait => {
                    self.room.wait().await;
                    continue;
                }
                Step::Read(wants) => wants,
            };
            let is_decoding = wants
                .first()
                .is_some_and(|want| want.phase == Phase::Decoding);
            if is_decoding && self.page.are_whole() {
                self.ask(|session| {
                    for want in &wants {
                        session.provide_decoded(want.file, Ok(()));
                    }
                })?;
                continue;
            }
            self.backlog.borrow_mut().begun();
            let got = self.read(&wants).await;
            self.hand_over(&wants, got)?;
            self.backlog.borrow_mut().handed_over();
            self.room.wake();
            if self.tell_now_and_then() {
                pause().await;
            }
        }
        Some(())
    }

    fn step(&self) -> Option<Step> {
        self.ask(|session| {
            let sources = self.sources.borrow();
            let size = |file| sources.size(file);
            self.backlog.borrow_mut().step(wants_of(session), size)
        })
    }

    /// Reads several files at once.
    pub(super) async fn read(&self, wants: &[Want]) -> Vec<Result<Uint8Array, Unread>> {
        let wanted: Vec<Wanted> = wants.iter().map(Wanted::from).collect();
        let reads = self.sources.borrow().read(&self.page, &wanted);
        reads.given().await
    }

    /// All bytes of a file.
    pub(super) async fn bytes(&self, file: FileId) -> Result<Uint8Array, JsValue> {
        if self.is_over.get() {
            return Err(superseded());
        }
        let wanted = [Wanted { file, head: None }];
        let reads = self.sources.borrow().read(&self.page, &wanted);
        reads.alone().await
    }

    /// Gives the session what was read of files.
    fn hand_over(
        self: &Rc<Self>,
        wants: &[Want],
        got: Vec<Result<Uint8Array, Unread>>,
    ) -> Option<()> {
        let came = got.iter().flatten();
        let came = came.map(|bytes| u64::from(bytes.length())).sum();
        self.backlog.borrow_mut().came(came);
        let mut pictures = Vec::new();
        for (want, got) in wants.iter().zip(got) {
            if let Ok(bytes) = &got {
                let mut sources = self.sources.borrow_mut();
                sources.learn(want.into(), bytes.length());
            }
            match got {
                Err(unread) => self.ask(|session| tell_unread(session, want.file, &unread))?,
                Ok(bytes) if want.phase == Phase::Decoding => pictures.push((want.file, bytes)),
                Ok(bytes) => {
                    self.ask(|session| session.provide(want.file, bytes.to_vec()))?;
                    release(&bytes);
                }
            }
        }
        if !pictures.is_empty() {
            self.backlog.borrow_mut().decoding();
            let own = Rc::clone(self);
            spawn_local(async move {
                own.decode(pictures).await;
                own.backlog.borrow_mut().decoded();
                own.tell_now_and_then();
                own.room.wake();
            });
        }
        Some(())
    }

    /// Finds out whether pictures decode: in workers, or here where there are none for them.
    async fn decode(&self, pictures: Vec<(FileId, Uint8Array)>) -> Option<()> {
        let all: Array = pictures.iter().map(|(_, bytes)| bytes).collect();
        let flaws = self.page.decode(all).await.unwrap_or_default();
        let flaws: Option<Vec<Option<Flaw>>> = from_js(flaws).unwrap_or_default();
        let mut flaws = flaws.map(Vec::into_iter);
        for (file, bytes) in pictures {
            self.open()?;
            match &mut flaws {
                None => self.decode_here(file, &bytes).await?,
                Some(flaws) => self.tell_decoded(file, flaws.next().flatten())?,
            }
            release(&bytes);
        }
        Some(())
    }

    /// The same in this thread; questions of the page come in between.
    async fn decode_here(&self, file: FileId, bytes: &Uint8Array) -> Option<()> {
        if now() - self.paused.get() > PAUSE_EVERY_MS {
            pause().await;
            self.paused.set(now());
        }
        self.open()?;
        let checked = self.page.check(bytes).await.unwrap_or_default();
        match from_js::<Option<Checked>>(checked).ok().flatten() {
            Some(Checked { flaw }) => self.tell_decoded(file, flaw),
            // Without decoders the header stands for the picture.
            None => self.ask(|session| session.provide(file, bytes.to_vec())),
        }
    }

    fn tell_decoded(&self, file: FileId, flaw: Option<Flaw>) -> Option<()> {
        let fault = flaw.map(|Flaw { message, hint }| Undecodable { message, hint });
        self.ask(|session| session.provide_decoded(file, fault.map_or(Ok(()), Err)))
    }

    fn reach_goal(&self) {
        self.goal.set(Goal::Reached);
        self.reached.wake();
    }

    /// Tells the page how far reading has come.
    fn tell_progress(&self) {
        let Some(progress) = self.ask(Session::progress) else {
            return;
        };
        self.told.set(now());
        // Plain data always crosses.
        if let Ok(progress) = to_js(&progress) {
            self.page.on_progress(progress, self.reading.get().word());
        }
    }

    /// The same where that is due; whether it was.
    fn tell_now_and_then(&self) -> bool {
        let is_due = now() - self.told.get() > PROGRESS_EVERY_MS;
        if is_due {
            self.tell_progress();
        }
        is_due
    }

    /// Tells the page that answers may have changed.
    fn tell_changed(&self) {
        if let Some(phase) = self.ask(|session| session.progress().phase) {
            self.page.on_changed(to_js(&phase).unwrap_or_default());
        }
    }
}

impl From<&Want> for Wanted {
    fn from(want: &Want) -> Self {
        Self {
            file: want.file,
            head: want.head,
        }
    }
}

/// What the session wants next; what is on the screen comes first.
fn wants_of(session: &mut Session) -> impl FnOnce(&[FileId], usize) -> Vec<Want> {
    |shown, limit| {
        if !shown.is_empty() {
            session.prioritize(shown);
        }
        session.wants(limit)
    }
}

/// Tells the session why a file could not be read.
fn tell_unread(session: &mut Session, file: FileId, unread: &Unread) {
    match &unread.damaged {
        Some(damaged) => session.damaged_entry(file, &damaged.zip, &damaged.entry, &damaged.why),
        None => session.failed(file, &unread.message),
    }
}
