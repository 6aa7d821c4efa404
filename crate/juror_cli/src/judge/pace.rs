//! Carries a job out: asks its state machine what to do next, sends, writes down what comes, and says how far it is.
//!
//! The session and the journal are this thread's only; each call has a thread of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use juror_core::recording::{Recorder, words};
use juror_core::session;
use juror_core::view::{JobBody, JobTask};
use juror_judging::batch::utc;
use juror_judging::job::{Job, JobProgress, Next, Received};
use juror_judging::journal::Record;
use juror_judging::provider::{self, Failure, FailureKind, Usage};
use juror_judging::spending::Call;
use juror_reading::count::counted;

use super::call::{Called, Caller, Service};
use super::kept::Journal;
use super::{Order, body, ended};
use crate::batch::Pictures;
use crate::host::Host;
use crate::say;

/// How often it is said how far the job is.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// The longest wait for an answer, after which it is looked whether there is something to say.
const LONGEST_WAIT_MS: f64 = 1000.0;

/// What came of the call of a task.
type Answer = (u32, Called);

/// One job.
struct Run<'a> {
    host: &'a mut Host,
    order: &'a Order,
    job: Job,
    tasks: Vec<JobTask>,
    recorder: Recorder,
    journal: Journal,
    pictures: Pictures,
    caller: Caller,
    answers: (Sender<Answer>, Receiver<Answer>),
    /// What was asked by the calls that have not ended.
    asked: BTreeMap<u32, JobBody>,
    /// Tasks whose last failure was written down with what was paid for.
    told: BTreeSet<u32>,
    /// What was written down.
    records: Vec<Record>,
    /// Why nothing more can be kept, and what came since.
    broken: Option<(anyhow::Error, u32)>,
    began: Instant,
    said: Instant,
}

/// Runs a job to its end; whether every task was answered.
///
/// # Errors
/// Its limits contradict each other, or what came could not be kept.
pub(super) fn run(
    host: &mut Host,
    order: &Order,
    tasks: Vec<JobTask>,
    key: String,
    journal: Journal,
) -> anyhow::Result<bool> {
    let count = u32::try_from(tasks.len()).context("there are too many requests")?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = since.map_or(0, |since| since.as_secs());
    let head = session::record_head(&host.session);
    let asked_with = (order.wire, &order.params);
    let mut run = Run {
        job: Job::new(count, order.limits.clone(), seed)?,
        recorder: Recorder::new(head, &order.scope.judge, asked_with, &key).begun(time()),
        caller: Caller::new(Service {
            url: order.url.clone(),
            auth: provider::auth(order.wire),
            key,
            timeout_secs: order.limits.timeout_secs,
        })?,
        host,
        order,
        tasks,
        journal,
        pictures: Pictures::inline(order.wire),
        answers: channel(),
        asked: BTreeMap::new(),
        told: BTreeSet::new(),
        records: Vec::new(),
        broken: None,
        began: Instant::now(),
        said: Instant::now(),
    };
    run.carry_out();
    run.finish()
}

impl Run<'_> {
    /// Milliseconds since the job began.
    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * 1000.0
    }

    fn carry_out(&mut self) {
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
        let task = self.tasks[at as usize].clone();
        self.told.remove(&at);
        let filled = body::filled(self.host, self.order, &mut self.pictures, &task);
        let (body, text) = match filled {
            Ok(filled) => filled,
            // No other attempt will do better, and nothing was paid.
            Err(error) => return self.fail_unsent(at, &format!("{error:#}")),
        };
        let call = Call::Text {
            body: &body.text,
            pictures: u32::try_from(body.pictures.len()).unwrap_or(u32::MAX),
        };
        if !self.job.reserve(at, call) {
            return;
        }
        let (caller, answers) = (self.caller.clone(), self.answers.0.clone());
        let call = move || {
            let called = catch_unwind(AssertUnwindSafe(|| caller.post(&text)));
            let called = called.unwrap_or_else(|_| {
                let message = "Juror failed in the middle of the call.";
                Called::nothing(Failure::new(FailureKind::Network, message))
            });
            // Where nobody waits for it any more, the program is at its end.
            let _ = answers.send((at, called));
        };
        match std::thread::Builder::new().spawn(call) {
            Ok(_) => drop(self.asked.insert(at, body)),
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
        let Some(body) = self.asked.remove(&at) else {
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
        let task = &self.tasks[at as usize];
        let status = called.status.unwrap_or_default();
        let recorded = (self.recorder).answer((task, &body), (status, &text), time());
        let is_kept = recorded.record.is_some();
        if let Some(record) = recorded.record {
            self.keep(record);
        }
        match recorded.failure {
            Some(failure) => {
                if is_kept {
                    self.told.insert(at);
                }
                self.fail(at, &failure, wait, received(recorded.usage));
            }
            None => self.job.answered(at, self.now(), recorded.usage),
        }
    }

    /// An attempt failed; where no other one follows, the task is given up and named.
    fn fail(&mut self, at: u32, failure: &Failure, wait_ms: Option<f64>, received: Received) {
        let failure = Failure {
            kind: failure.kind,
            message: self.recorder.clean(&failure.message),
        };
        let now = self.now();
        let is_over = (self.job).failed(at, now, &failure, wait_ms, received);
        if !is_over {
            return;
        }
        let task = &self.tasks[at as usize];
        say(&format!(
            "juror: failed: {}: {}",
            ended::name(task),
            words(&failure)
        ));
        // The record with what was paid for says it already.
        if !self.told.remove(&at) {
            let record = self.recorder.given_up(task, &failure, time());
            self.keep(record);
        }
    }

    /// Writes a record down; where that fails, nothing more is sent.
    fn keep(&mut self, record: Record) {
        match self.journal.append(&record) {
            Ok(()) => self.records.push(record),
            Err(error) => {
                self.job.cancel();
                let broken = self.broken.get_or_insert((error, 0));
                broken.1 += 1;
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

    /// Gives the session what came, and says how it ended; whether every task was answered.
    fn finish(mut self) -> anyhow::Result<bool> {
        self.pictures.tell_converted();
        let progress = self.job.progress(self.now());
        session::add_records(&mut self.host.session, self.records);
        say(&format!("juror: {}", standing(&progress)));
        let uncounted = progress.uncounted + progress.implausible;
        if uncounted > 0 && progress.spent > 0.0 {
            say(&format!(
                "juror: the service counts no tokens of {}, or wrong ones: what they cost is estimated",
                counted(uncounted, "answer", "answers")
            ));
        }
        if let Some((error, lost)) = self.broken {
            return Err(error.context(format!(
                "{} could not be kept, so nothing more was sent. Make room and start again to go on with the rest",
                counted(lost, "answer", "answers")
            )));
        }
        if let Some(why) = &progress.stopped {
            // The page's hint is about browsers.
            let here = "Check the connection and the address.";
            let why = why.replace(FailureKind::Network.hint(), here);
            say(&format!("juror: stopped: {why}"));
        }
        Ok(progress.answered == progress.total)
    }
}

/// How far a job is, in words.
fn standing(progress: &JobProgress) -> String {
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

/// When it is, as a record has it: to the millisecond, as browsers write it.
fn time() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default();
    let seconds = utc(since.as_secs());
    let seconds = seconds.trim_end_matches('Z');
    format!("{seconds}.{:03}Z", since.subsec_millis())
}
