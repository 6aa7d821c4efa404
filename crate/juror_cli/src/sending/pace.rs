//! Carries a job out: asks its state machine what to do next, sends, hands over what comes, and says how far it is.
//!
//! The work and its journal are this thread's only; each call has a thread of its own.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use juror_judging::batch::utc;
use juror_judging::job::{Job, JobProgress, Next, Received};
use juror_judging::provider::{Failure, FailureKind, Usage};
use juror_judging::spending::Call;
use juror_reading::count::counted;

use super::call::{Called, Caller, Posted};
use crate::say;

/// How often it is said how far the job is.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// The longest wait for an answer, after which it is looked whether there is something to say.
const LONGEST_WAIT_MS: f64 = 1000.0;

/// What came of the call of a task.
type Answer = (u32, Called);

/// A call that is about to be sent.
pub(crate) struct Prepared<A> {
    /// What the work needs to know once there is an answer.
    pub(crate) asked: A,
    pub(crate) url: String,
    pub(crate) body: Posted,
}

/// What an answer came to.
pub(crate) enum Outcome {
    /// What was asked for.
    Answered(Usage),
    /// Something else, which may be paid for.
    Failed(Failure, Usage),
}

/// What a job is about.
pub(crate) trait Work {
    /// What is known of a call while it is on its way.
    type Asked;

    /// The call of a task.
    ///
    /// # Errors
    /// There is none, and no other attempt will do better.
    fn prepare(&mut self, at: u32) -> anyhow::Result<Prepared<Self::Asked>>;

    /// What the call costs.
    fn cost(asked: &Self::Asked) -> Call<'_>;

    /// Takes an answer of any status, and keeps what was asked for.
    fn take(&mut self, at: u32, asked: Self::Asked, status: u16, text: &str) -> Outcome;

    /// A message without keys.
    fn clean(&self, message: &str) -> String;

    /// An attempt failed; another one may follow.
    fn note(&mut self, _at: u32, _failure: &Failure) {}

    /// An attempt failed for good: the task is given up.
    fn give_up(&mut self, at: u32, failure: &Failure);

    /// Whether nothing more can be kept, so that nothing more is sent.
    fn is_broken(&self) -> bool;
}

/// One job over its work.
pub(crate) struct Run<W: Work> {
    pub(crate) work: W,
    pub(crate) job: Job,
    caller: Caller,
    answers: (Sender<Answer>, Receiver<Answer>),
    /// What was asked by the calls that have not ended.
    asked: BTreeMap<u32, W::Asked>,
    began: Instant,
    said: Instant,
}

impl<W: Work> Run<W> {
    pub(crate) fn new(work: W, job: Job, caller: Caller) -> Self {
        Self {
            work,
            job,
            caller,
            answers: channel(),
            asked: BTreeMap::new(),
            began: Instant::now(),
            said: Instant::now(),
        }
    }

    /// Milliseconds since the job began.
    pub(crate) fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * 1000.0
    }

    /// Runs the job to its end.
    pub(crate) fn carry_out(&mut self) {
        loop {
            while let Ok((at, called)) = self.answers.1.try_recv() {
                self.take(at, called);
            }
            let now = self.now();
            match self.job.next(now) {
                Next::Finished => return,
                Next::Send(at) => self.send(at),
                Next::WaitUntil(until) => self.wait(until - now),
                Next::Wait => self.wait(LONGEST_WAIT_MS),
            }
            if self.said.elapsed() >= TELL_EVERY {
                self.tell();
            }
        }
    }

    /// Waits for an answer, or for so many milliseconds.
    fn wait(&mut self, ms: f64) {
        let ms = Duration::from_secs_f64(ms.clamp(1.0, LONGEST_WAIT_MS) / 1000.0);
        if let Ok((at, called)) = self.answers.1.recv_timeout(ms) {
            self.take(at, called);
        }
    }

    fn send(&mut self, at: u32) {
        let Prepared { asked, url, body } = match self.work.prepare(at) {
            Ok(prepared) => prepared,
            // No other attempt will do better, and nothing was paid.
            Err(error) => return self.fail_unsent(at, &format!("{error:#}")),
        };
        if !self.job.reserve(at, W::cost(&asked)) {
            return;
        }
        let (caller, answers) = (self.caller.clone(), self.answers.0.clone());
        let call = move || {
            let called = catch_unwind(AssertUnwindSafe(|| caller.post(&url, &body)));
            let called = called.unwrap_or_else(|_| {
                let message = "Juror failed in the middle of the call.";
                Called::nothing(Failure::new(FailureKind::Network, message))
            });
            // Where nobody waits for it any more, the program is at its end.
            let _ = answers.send((at, called));
        };
        match std::thread::Builder::new().spawn(call) {
            Ok(_) => drop(self.asked.insert(at, asked)),
            Err(error) => self.fail_unsent(at, &format!("No thread could be started: {error}.")),
        }
    }

    fn fail_unsent(&mut self, at: u32, message: &str) {
        let failure = Failure {
            kind: FailureKind::BadRequest,
            message: message.to_owned(),
        };
        self.fail(at, &failure, None, Received::Nothing);
    }

    /// Deals with what a call brought.
    fn take(&mut self, at: u32, called: Called) {
        let Some(asked) = self.asked.remove(&at) else {
            return;
        };
        let wait = called.retry_after_ms;
        let received = |usage: Usage| match called.status {
            Some(status) => Received::Status(status, usage),
            None => Received::Nothing,
        };
        let text = match called.text {
            Ok(text) => text,
            Err(failure) => return self.fail(at, &failure, wait, received(Usage::default())),
        };
        let status = called.status.unwrap_or_default();
        let outcome = self.work.take(at, asked, status, &text);
        if self.work.is_broken() {
            self.job.cancel();
        }
        match outcome {
            Outcome::Answered(usage) => self.job.answered(at, self.now(), usage),
            Outcome::Failed(failure, usage) => self.fail(at, &failure, wait, received(usage)),
        }
    }

    /// An attempt failed; where no other one follows, the task is given up and named.
    fn fail(&mut self, at: u32, failure: &Failure, wait_ms: Option<f64>, received: Received) {
        let failure = Failure {
            kind: failure.kind,
            message: self.work.clean(&failure.message),
        };
        self.work.note(at, &failure);
        let now = self.now();
        let is_over = (self.job).failed(at, now, &failure, wait_ms, received);
        if is_over {
            self.work.give_up(at, &failure);
            if self.work.is_broken() {
                self.job.cancel();
            }
        }
    }

    /// Says how far the job is.
    fn tell(&mut self) {
        self.said = Instant::now();
        let progress = self.job.progress(self.now());
        let left = progress.secs_left.filter(|_| !progress.finished);
        let left = left.map_or(String::new(), |secs| format!(", about {} left", span(secs)));
        say(&format!("juror: {}{left}", standing(&progress)));
        if let Some(note) = &progress.wait_note {
            say(&format!("juror: {note}"));
        }
    }
}

/// Why a job stopped, with hints for a terminal.
pub(crate) fn why_stopped(progress: &JobProgress) -> Option<String> {
    let why = progress.stopped.as_ref()?;
    // The page's hint is about browsers.
    let here = "Check the connection and the address.";
    let why = why.replace(FailureKind::Network.hint(), here);
    // No address of a picture is asked from here.
    let why = why.replace(FailureKind::UnnamedHost.hint(), "");
    Some(why.trim_end().to_owned())
}

/// How far a job is, in words.
pub(crate) fn standing(progress: &JobProgress) -> String {
    let mut parts = vec![format!(
        "{} of {} answered",
        progress.answered, progress.total
    )];
    if progress.failed > 0 {
        parts.push(format!("{} failed", progress.failed));
    }
    if progress.retries > 0 {
        parts.push(counted(progress.retries, "retry", "retries"));
    }
    if progress.spent > 0.0 {
        parts.push(format!("{:.4} spent", progress.spent));
    }
    parts.join(", ")
}

/// A time in words.
fn span(secs: f64) -> String {
    if secs < 90.0 {
        format!("{secs:.0} s")
    } else if secs < 5400.0 {
        format!("{:.0} min", secs / 60.0)
    } else {
        format!("{:.1} h", secs / 3600.0)
    }
}

/// A seed for the waits of a job.
pub(crate) fn seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// When it is, as a record has it: to the millisecond, as browsers write it.
pub(crate) fn time() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default();
    let seconds = utc(since.as_secs());
    let seconds = seconds.trim_end_matches('Z');
    format!("{seconds}.{:03}Z", since.subsec_millis())
}
