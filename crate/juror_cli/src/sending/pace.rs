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

/// What came for a task.
enum Brought {
    /// Of its call.
    Answer(Called),
    /// From the address that the answer names.
    Picture(Result<Vec<u8>, Failure>),
}

/// What came, with its task.
type Answer = (u32, Brought);

/// A call that is about to be sent.
pub(crate) struct Prepared<A> {
    /// What the work needs to know once there is an answer.
    pub(crate) asked: A,
    pub(crate) caller: Caller,
    pub(crate) url: String,
    pub(crate) body: Posted,
}

/// What is to be done for a task.
pub(crate) enum Step<A> {
    /// A call.
    Send(Prepared<A>),
    /// What was paid for earlier is read again.
    ReadAgain(A, String),
    /// Nothing, nor for what follows in its chain.
    Nothing,
}

/// What an answer came to.
pub(crate) enum Outcome<A> {
    /// What was asked for.
    Answered(Usage),
    /// The same, and nothing follows in its chain.
    Ended(Usage),
    /// The address of it.
    Fetch(A, Caller, String),
    /// Something else, which may be paid for.
    Failed(Failure, Usage),
}

/// The status of every answer that is kept as paid for, and of one that names an address.
const SUCCESS: u16 = 200;

/// What a job is about.
pub(crate) trait Work {
    /// What is known of a call while it is on its way.
    type Sent;

    /// The call of a task.
    ///
    /// # Errors
    /// There is none, and no other attempt will do better.
    fn prepare(&mut self, at: u32) -> anyhow::Result<Step<Self::Sent>>;

    /// What the call costs.
    fn cost(asked: &Self::Sent) -> Call<'_>;

    /// Takes an answer of any status, and keeps what was asked for.
    fn take(&mut self, at: u32, asked: Self::Sent, status: u16, text: &str) -> Outcome<Self::Sent>;

    /// Takes what is at the address that an answer names, and keeps it.
    fn fetched(
        &mut self,
        _at: u32,
        _asked: Self::Sent,
        bytes: Result<Vec<u8>, Failure>,
    ) -> Outcome<Self::Sent> {
        let unasked = || Failure::new(FailureKind::UnnamedHost, "No address was asked.");
        let failure = bytes.err().unwrap_or_else(unasked);
        Outcome::Failed(failure, Usage::default())
    }

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
    answers: (Sender<Answer>, Receiver<Answer>),
    /// What was asked by the calls that have not ended.
    asked: BTreeMap<u32, W::Sent>,
    began: Instant,
    said: Instant,
}

impl<W: Work> Run<W> {
    pub(crate) fn new(work: W, job: Job) -> Self {
        Self {
            work,
            job,
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
            while let Ok((at, brought)) = self.answers.1.try_recv() {
                self.take(at, brought);
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
        if let Ok((at, brought)) = self.answers.1.recv_timeout(ms) {
            self.take(at, brought);
        }
    }

    fn send(&mut self, at: u32) {
        let Prepared {
            asked,
            caller,
            url,
            body,
        } = match self.work.prepare(at) {
            Ok(Step::Send(prepared)) => prepared,
            Ok(Step::ReadAgain(asked, text)) => {
                let outcome = self.work.take(at, asked, SUCCESS, &text);
                return self.settle(at, outcome, None, SUCCESS);
            }
            Ok(Step::Nothing) => {
                let outcome = Outcome::Ended(Usage::default());
                return self.settle(at, outcome, None, SUCCESS);
            }
            // No other attempt will do better, and nothing was paid.
            Err(error) => return self.fail_unsent(at, &format!("{error:#}")),
        };
        if !self.job.reserve(at, W::cost(&asked)) {
            return;
        }
        self.spawn(at, asked, move || {
            let called = catch_unwind(AssertUnwindSafe(|| caller.post(&url, &body)));
            Brought::Answer(called.unwrap_or_else(|_| Called::nothing(broken_call())))
        });
    }

    /// Has something brought by a thread of its own.
    fn spawn(&mut self, at: u32, asked: W::Sent, bring: impl FnOnce() -> Brought + Send + 'static) {
        let answers = self.answers.0.clone();
        let bring = move || {
            // Where nobody waits for it any more, the program is at its end.
            let _ = answers.send((at, bring()));
        };
        match std::thread::Builder::new().spawn(bring) {
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

    /// Deals with what came for a task.
    fn take(&mut self, at: u32, brought: Brought) {
        let Some(asked) = self.asked.remove(&at) else {
            return;
        };
        let called = match brought {
            Brought::Answer(called) => called,
            Brought::Picture(bytes) => {
                let outcome = self.work.fetched(at, asked, bytes);
                return self.settle(at, outcome, None, SUCCESS);
            }
        };
        let wait = called.retry_after_ms;
        let text = match called.text {
            Ok(text) => text,
            Err(failure) => {
                let received = (called.status).map_or(Received::Nothing, |status| {
                    Received::Status(status, Usage::default())
                });
                return self.fail(at, &failure, wait, received);
            }
        };
        let status = called.status.unwrap_or_default();
        let outcome = self.work.take(at, asked, status, &text);
        self.settle(at, outcome, wait, status);
    }

    /// Does what an answer came to.
    fn settle(&mut self, at: u32, outcome: Outcome<W::Sent>, wait_ms: Option<f64>, status: u16) {
        if self.work.is_broken() {
            self.job.cancel();
        }
        match outcome {
            Outcome::Answered(usage) => self.job.answered(at, self.now(), usage),
            Outcome::Ended(usage) => {
                self.job.answered(at, self.now(), usage);
                self.job.end_chain(at);
            }
            Outcome::Fetch(asked, caller, url) => self.spawn(at, asked, move || {
                let fetched = catch_unwind(AssertUnwindSafe(|| caller.fetch(&url)));
                Brought::Picture(fetched.unwrap_or_else(|_| Err(broken_call())))
            }),
            Outcome::Failed(failure, usage) => {
                self.fail(at, &failure, wait_ms, Received::Status(status, usage));
            }
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

fn broken_call() -> Failure {
    let message = "Juror failed in the middle of the call.";
    Failure::new(FailureKind::Network, message)
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

/// Says of a job that has ended how far it came, and which answers of a service have a cost that is estimated.
pub(crate) fn tell_ended(progress: &JobProgress, service: &str) {
    say(&format!("juror: {}", standing(progress)));
    let uncounted = progress.uncounted + progress.implausible;
    if uncounted > 0 && progress.spent > 0.0 {
        say(&format!(
            "juror: {service} counts no tokens of {}, or wrong ones: what they cost is estimated",
            counted(uncounted, "answer", "answers")
        ));
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
