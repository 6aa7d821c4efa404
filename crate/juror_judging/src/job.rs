//! A judging job as a state machine: what to send next, when to try again, when to stop.
//!
//! It does no I/O and knows no clock: the host passes the time in, sends what [`Job::next`] names and reports how each
//! attempt ended. So the browser and the tests drive the very same rules, to the last branch.
//!
//! Every task ends exactly once, as answered or as failed; an attempt that ended is never reported twice.
//!
//! A call is sent only after [`Job::reserve`] has set aside what it may cost ([`super::spending`] says how much that is),
//! so that calls under way together cannot exceed the budget that each of them would keep.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::provider::{Failure, FailureKind, Usage};
use super::spending::{Call, Purse};
use crate::error::Error;
use juror_statistics::random::SplitMix64;

pub use super::spending::Priced;

/// What bounds a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JobLimits {
    /// Attempts under way at once, at least 1.
    pub concurrency: u32,
    /// Attempts begun within any minute; 0 for no limit.
    pub per_minute: u32,
    /// Attempts at one task, at least 1.
    pub max_attempts: u32,
    /// How long an attempt may take, in seconds.
    pub timeout_secs: u32,
    /// Failures of one kind in a row, over all tasks, that stop the job; 0 for never.
    pub stop_after: u32,
    /// Price of a million input tokens, where the user gave one.
    pub input_price: Option<f64>,
    /// Price of a million output tokens.
    pub output_price: Option<f64>,
    /// Price of a picture that a generator makes.
    pub picture_price: Option<f64>,
    /// Tokens that a picture in a request is taken for.
    pub picture_tokens: f64,
    /// Tokens that a reply is taken for where the service counts none.
    pub reply_tokens: f64,
    /// The most tokens of a reply that the service is told to give; `None` where it decides.
    pub max_reply_tokens: Option<f64>,
    /// What may be spent, in the currency of the prices; no call is sent that may exceed it. `None` for no cap.
    pub budget: Option<f64>,
}

impl Default for JobLimits {
    fn default() -> Self {
        Self {
            concurrency: 4,
            per_minute: 0,
            max_attempts: 6,
            timeout_secs: 180,
            stop_after: 8,
            input_price: None,
            output_price: None,
            picture_price: None,
            picture_tokens: 1000.0,
            reply_tokens: 300.0,
            max_reply_tokens: None,
            budget: None,
        }
    }
}

/// What the host is to do now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Prepare this task, send it if [`Job::reserve`] lets it go, and report with [`Job::answered`] or [`Job::failed`].
    Send(u32),
    /// Nothing before this time, in milliseconds; ask again then, or when an attempt ends.
    WaitUntil(f64),
    /// Nothing before an attempt ends or the user resumes.
    Wait,
    /// Every task has ended, or the job was stopped and nothing is under way any more.
    Finished,
}

/// Where a job stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JobProgress {
    /// Tasks.
    pub total: u32,
    /// Answered.
    pub answered: u32,
    /// Given up.
    pub failed: u32,
    /// Under way.
    pub sent: u32,
    /// Waiting for another attempt after a failure.
    pub waiting: u32,
    /// Attempts beyond the first of each task.
    pub retries: u32,
    /// Tokens of requests, as services counted them, or as estimated.
    pub input_tokens: f64,
    /// The same for replies.
    pub output_tokens: f64,
    /// At the prices given, answers that could not be used among them.
    pub spent: f64,
    /// What the calls under way may cost at most.
    pub reserved: f64,
    /// Answers whose tokens the service did not count, so that the estimate stands in.
    pub uncounted: u32,
    /// Answers whose count cannot be right, so that the estimate stands in.
    pub implausible: u32,
    /// Answers per minute over the last two minutes.
    pub per_minute: f64,
    /// Seconds left at that rate; `None` where there is no rate yet.
    pub secs_left: Option<f64>,
    /// Whether the user has paused it.
    pub paused: bool,
    /// Why it stopped before its end.
    pub stopped: Option<String>,
    /// Whether nothing is left to do.
    pub finished: bool,
    /// What is to be known of a wait that the service asked for and that is longer than any that is kept.
    pub wait_note: Option<String>,
    /// Failed attempts by kind, the final ones among them.
    pub failures: BTreeMap<String, u32>,
}

/// What came of an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Received {
    /// No answer, or not so much as its status.
    Nothing,
    /// An answer of this status, and what it says of its tokens.
    Status(u16, Usage),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Not before this time.
    Due(f64),
    Sent,
    Ended,
    /// The task before it in its chain has not been answered.
    Blocked,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    state: State,
    attempts: u32,
    /// So many tasks of its chain follow it.
    followers: u32,
}

/// A job over numbered tasks.
#[derive(Clone, Debug)]
pub struct Job {
    limits: JobLimits,
    tasks: Vec<Task>,
    /// No task before this one is due and untried.
    first_open: usize,
    /// Begun attempts, newest last, as far back as the rate limit looks.
    begun: std::collections::VecDeque<f64>,
    /// Answers of the last two minutes.
    answers: std::collections::VecDeque<f64>,
    /// Nothing is sent before this time: a server asked for a pause.
    not_before: f64,
    /// The kind of the last failures in a row, and how many they are.
    in_a_row: (String, u32),
    purse: Purse,
    /// What a call that did not fit beside those under way may cost; it is tried again once one of them has ended.
    held_back: Option<f64>,
    random: SplitMix64,
    progress: JobProgress,
    is_cancelled: bool,
    /// Whether a chain goes on after a task of it was given up.
    goes_on: bool,
}

/// The first wait after a failure, doubled with each further one.
const FIRST_WAIT_MS: f64 = 1000.0;
/// The longest wait that is our own choice; a server's `Retry-After` may be longer.
const LONGEST_WAIT_MS: f64 = 60_000.0;
/// The longest `Retry-After` that is waited for.
const LONGEST_ASKED_MS: f64 = 15.0 * 60_000.0;
const MINUTE_MS: f64 = 60_000.0;

/// Says that a service asks for a longer wait than [`LONGEST_ASKED_MS`].
fn wait_note(asked_ms: f64) -> Option<String> {
    (asked_ms.is_finite() && asked_ms > LONGEST_ASKED_MS).then(|| {
        format!(
            "The service asks for a wait of {:.0} minutes (Retry-After). The job waits {:.0} minutes at most and then tries again; cancel it and go on later to wait longer.",
            (asked_ms / MINUTE_MS).ceil(),
            LONGEST_ASKED_MS / MINUTE_MS
        )
    })
}

impl Job {
    /// A job over `num_tasks` tasks that are paid for by tokens; the seed decides the jitter.
    ///
    /// # Errors
    /// There is a budget and no price to keep it by, or one of the numbers is none.
    pub fn new(num_tasks: u32, limits: JobLimits, seed: u64) -> Result<Self, Error> {
        let task = Task {
            state: State::Due(0.0),
            attempts: 0,
            followers: 0,
        };
        let tasks = vec![task; num_tasks as usize];
        Self::of(tasks, limits, Priced::Tokens, seed)
    }

    /// A job whose tasks stand in chains of these lengths, numbered chain after chain.
    ///
    /// A task is due once the one before it in its chain was answered; where one is given up, or [`Job::end_chain`] is
    /// called, what follows it in the chain is dropped and no longer counts in `total`; see [`Job::going_on`].
    ///
    /// # Errors
    /// As [`Job::new`], by what the calls are paid for.
    pub fn chained(
        lengths: &[u32],
        limits: JobLimits,
        priced: Priced,
        seed: u64,
    ) -> Result<Self, Error> {
        let tasks = lengths.iter().flat_map(|length| {
            (0..*length).map(move |at| Task {
                state: if at == 0 {
                    State::Due(0.0)
                } else {
                    State::Blocked
                },
                attempts: 0,
                followers: length - at - 1,
            })
        });
        Self::of(tasks.collect(), limits, priced, seed)
    }

    fn of(tasks: Vec<Task>, limits: JobLimits, priced: Priced, seed: u64) -> Result<Self, Error> {
        let total = u32::try_from(tasks.len()).unwrap_or(u32::MAX);
        Ok(Self {
            purse: Purse::new(&limits, priced)?,
            held_back: None,
            limits,
            tasks,
            first_open: 0,
            begun: std::collections::VecDeque::new(),
            answers: std::collections::VecDeque::new(),
            not_before: 0.0,
            in_a_row: (String::new(), 0),
            random: SplitMix64::new(seed),
            progress: JobProgress {
                total,
                ..JobProgress::default()
            },
            is_cancelled: false,
            goes_on: false,
        })
    }

    /// The same job whose chains go on after a task that is given up.
    #[must_use]
    pub fn going_on(self) -> Self {
        Self {
            goes_on: true,
            ..self
        }
    }

    /// What to do at this time, in milliseconds of any clock that only runs forward.
    pub fn next(&mut self, now_ms: f64) -> Next {
        let is_over = self.progress.stopped.is_some() || self.is_cancelled;
        let ended = self.progress.answered + self.progress.failed;
        if ended == self.progress.total || is_over {
            return if self.progress.sent == 0 {
                Next::Finished
            } else {
                Next::Wait
            };
        }
        if self.progress.paused || self.progress.sent >= self.limits.concurrency.max(1) {
            return Next::Wait;
        }
        if let Some(most) = self.held_back {
            if self.progress.sent > 0 {
                return Next::Wait;
            }
            let why = self.purse.refusal(most);
            self.stop(&why);
            return Next::Finished;
        }
        let earliest = self.not_before.max(self.rate_opens(now_ms));
        if earliest > now_ms {
            return Next::WaitUntil(earliest);
        }
        self.pick(now_ms)
    }

    fn pick(&mut self, now_ms: f64) -> Next {
        let mut soonest = f64::INFINITY;
        for at in self.first_open..self.tasks.len() {
            let State::Due(due) = self.tasks[at].state else {
                if at == self.first_open && self.tasks[at].state == State::Ended {
                    self.first_open += 1;
                }
                continue;
            };
            if due <= now_ms {
                self.begin(at, now_ms);
                return Next::Send(u32::try_from(at).unwrap_or(u32::MAX));
            }
            soonest = soonest.min(due);
        }
        if soonest.is_finite() {
            Next::WaitUntil(soonest)
        } else {
            Next::Wait
        }
    }

    fn begin(&mut self, at: usize, now_ms: f64) {
        let task = &mut self.tasks[at];
        if task.attempts > 0 {
            self.progress.waiting -= 1;
            self.progress.retries += 1;
        }
        task.attempts += 1;
        task.state = State::Sent;
        self.progress.sent += 1;
        self.begun.push_back(now_ms);
    }

    /// When the limit per minute lets the next attempt begin.
    fn rate_opens(&mut self, now_ms: f64) -> f64 {
        while self
            .begun
            .front()
            .is_some_and(|begun| begun + MINUTE_MS <= now_ms)
        {
            self.begun.pop_front();
        }
        let limit = self.limits.per_minute as usize;
        if limit == 0 || self.begun.len() < limit {
            return 0.0;
        }
        let first = self.begun.len() - limit;
        self.begun.get(first).map_or(0.0, |begun| begun + MINUTE_MS)
    }

    /// Sets aside what the call of a task may cost, right before it is sent; whether it may be sent.
    ///
    /// One that does not fit beside those under way goes back among the tasks that are due; where nothing is under way
    /// either, the job stops at its budget. Nor is anything sent that was being prepared when the job was stopped.
    pub fn reserve(&mut self, task: u32, call: Call<'_>) -> bool {
        if !self.is_sent(task) {
            return false;
        }
        let is_over = self.progress.stopped.is_some() || self.is_cancelled;
        let refused = match self.purse.reserve(task, call) {
            Ok(()) if is_over => None,
            Ok(()) => return true,
            Err(most) => Some(most),
        };
        self.purse.release(task);
        self.held_back = refused.or(self.held_back);
        let back = &mut self.tasks[task as usize];
        back.state = State::Due(0.0);
        back.attempts -= 1;
        if back.attempts > 0 {
            self.progress.waiting += 1;
            self.progress.retries -= 1;
        }
        self.progress.sent -= 1;
        self.first_open = self.first_open.min(task as usize);
        false
    }

    /// An attempt brought what it was to bring; it counts once, whatever it says. What was never reserved cost nothing.
    pub fn answered(&mut self, task: u32, now_ms: f64, usage: Usage) {
        if !self.end_attempt(task) {
            return;
        }
        self.charge(task, usage);
        self.tasks[task as usize].state = State::Ended;
        self.progress.answered += 1;
        self.open_next(task);
        self.in_a_row = (String::new(), 0);
        self.progress.wait_note = None;
        self.answers.push_back(now_ms);
    }

    /// The next task of a chain is due.
    fn open_next(&mut self, task: u32) {
        let next = task as usize + 1;
        if self.tasks[task as usize].followers > 0 {
            self.tasks[next].state = State::Due(0.0);
            self.first_open = self.first_open.min(next);
        }
    }

    fn charge(&mut self, task: u32, usage: Usage) {
        self.purse.charge(task, usage);
        let bill = self.purse.bill();
        self.progress.input_tokens = bill.input_tokens;
        self.progress.output_tokens = bill.output_tokens;
        self.progress.spent = bill.spent;
        self.progress.uncounted = bill.uncounted;
        self.progress.implausible = bill.implausible;
    }

    /// Nothing of this task's chain is to be done after it: an ended one has nothing left to wait for.
    pub fn end_chain(&mut self, task: u32) {
        let Some(followers) = self.tasks.get(task as usize).map(|task| task.followers) else {
            return;
        };
        let after = task as usize + 1;
        for follower in &mut self.tasks[after..after + followers as usize] {
            // One that was begun or has ended is counted already.
            let is_open =
                follower.attempts == 0 && matches!(follower.state, State::Blocked | State::Due(_));
            if is_open {
                follower.state = State::Ended;
                self.progress.total -= 1;
            }
        }
    }

    /// An attempt brought none; `retry_after_ms` is when the server says that it takes requests again, `answer` what
    /// came at all. Returns whether the task is given up with it.
    ///
    /// A success is paid for whatever its text was, and so may be a call that nobody waited for to its end.
    pub fn failed(
        &mut self,
        task: u32,
        now_ms: f64,
        failure: &Failure,
        retry_after_ms: Option<f64>,
        answer: Received,
    ) -> bool {
        if !self.end_attempt(task) {
            return false;
        }
        match answer {
            Received::Status(200..=299, usage) => self.charge(task, usage),
            Received::Nothing if failure.kind == FailureKind::Timeout => {
                self.charge(task, Usage::default());
            }
            Received::Status(..) | Received::Nothing => self.purse.release(task),
        }
        let kind = failure.kind.id();
        *self.progress.failures.entry(kind.to_owned()).or_default() += 1;
        if self.in_a_row.0 == kind {
            self.in_a_row.1 += 1;
        } else {
            self.in_a_row = (kind.to_owned(), 1);
        }
        let said = failure.message.trim_end_matches('.');
        let why = format!("{said}. {}", failure.kind.hint());
        let tries = self.tasks[task as usize].attempts;
        if failure.kind.stops_the_run() {
            // The task itself is not to blame: it is tried again when the job is begun anew.
            self.tasks[task as usize].state = State::Due(0.0);
            self.progress.waiting += 1;
            self.stop(&why);
            return false;
        }
        let is_last = !failure.kind.retries() || tries >= self.limits.max_attempts.max(1);
        if is_last {
            self.tasks[task as usize].state = State::Ended;
            self.progress.failed += 1;
            if self.goes_on {
                self.open_next(task);
            } else {
                self.end_chain(task);
            }
        } else {
            let wait = self.wait_ms(tries, retry_after_ms);
            self.progress.wait_note = retry_after_ms.and_then(wait_note);
            if retry_after_ms.is_some() {
                self.not_before = self.not_before.max(now_ms + wait);
            }
            self.tasks[task as usize].state = State::Due(now_ms + wait);
            self.progress.waiting += 1;
        }
        let limit = self.limits.stop_after;
        if limit > 0 && self.in_a_row.1 >= limit {
            self.stop(&format!("{limit} attempts in a row failed alike: {why}"));
        }
        is_last
    }

    /// Exponential back-off with jitter between half and the whole; what the server asks for counts at least.
    fn wait_ms(&mut self, tries: u32, asked: Option<f64>) -> f64 {
        let doubled = FIRST_WAIT_MS * f64::from(2u32.pow(tries.saturating_sub(1).min(16)));
        let own = doubled.min(LONGEST_WAIT_MS) * (0.5 + 0.5 * self.random.unit());
        asked.map_or(own, |asked| {
            let asked = if asked.is_finite() {
                asked.max(0.0)
            } else {
                0.0
            };
            asked.min(LONGEST_ASKED_MS).max(own.min(FIRST_WAIT_MS))
        })
    }

    /// Ends an attempt that is under way; what comes for any other is passed over.
    fn end_attempt(&mut self, task: u32) -> bool {
        let is_sent = self.is_sent(task);
        if is_sent {
            self.progress.sent -= 1;
            self.held_back = None;
        }
        is_sent
    }

    fn is_sent(&self, task: u32) -> bool {
        let task = self.tasks.get(task as usize);
        task.is_some_and(|task| task.state == State::Sent)
    }

    fn stop(&mut self, why: &str) {
        if self.progress.stopped.is_none() {
            self.progress.stopped = Some(why.to_owned());
        }
    }

    /// Sends nothing more until [`Job::resume`]; what is under way may end.
    pub fn pause(&mut self) {
        self.progress.paused = true;
    }

    /// Goes on after [`Job::pause`].
    pub fn resume(&mut self) {
        self.progress.paused = false;
    }

    /// Sends nothing more at all; what is under way may end.
    pub fn cancel(&mut self) {
        self.is_cancelled = true;
    }

    /// Where the job stands.
    pub fn progress(&mut self, now_ms: f64) -> JobProgress {
        let span = 2.0 * MINUTE_MS;
        while self
            .answers
            .front()
            .is_some_and(|answer| answer + span <= now_ms)
        {
            self.answers.pop_front();
        }
        let first = self.answers.front().copied().unwrap_or(now_ms);
        let minutes = ((now_ms - first) / MINUTE_MS).max(1.0 / 60.0);
        let per_minute = self.answers.len() as f64 / minutes;
        let ended = self.progress.answered + self.progress.failed;
        let left = f64::from(self.progress.total - ended);
        let is_over = self.is_cancelled || self.progress.stopped.is_some();
        JobProgress {
            per_minute,
            secs_left: (per_minute > 0.0).then(|| left / per_minute * 60.0),
            reserved: self.purse.reserved(),
            finished: self.progress.sent == 0 && (is_over || left == 0.0),
            ..self.progress.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::provider::FailureKind;

    fn failure(kind: FailureKind) -> Failure {
        Failure::new(kind, "It failed.")
    }

    fn passing() -> Failure {
        failure(FailureKind::Server)
    }

    fn job(num_tasks: u32, change: impl FnOnce(&mut JobLimits)) -> Job {
        let mut limits = JobLimits::default();
        change(&mut limits);
        Job::new(num_tasks, limits, 7).expect("such limits can be kept")
    }

    fn chained(lengths: &[u32]) -> Job {
        Job::chained(lengths, JobLimits::default(), Priced::Both, 7).expect("there is no budget")
    }

    fn tokens(input: f64, output: f64) -> Usage {
        Usage {
            input_tokens: Some(input),
            output_tokens: Some(output),
        }
    }

    #[test]
    fn so_many_are_under_way_at_once_and_no_more() {
        let mut job = job(5, |limits| limits.concurrency = 2);
        assert_eq!(
            (job.next(0.0), job.next(0.0)),
            (Next::Send(0), Next::Send(1))
        );
        assert_eq!(job.next(0.0), Next::Wait);
        job.answered(1, 5.0, tokens(10.0, 1.0));
        assert_eq!(job.next(5.0), Next::Send(2));
        assert_eq!(job.progress(5.0).sent, 2);
    }

    #[test]
    fn a_task_is_tried_again_later_and_later_and_given_up_in_the_end() {
        let mut job = job(1, |limits| limits.max_attempts = 3);
        let mut now = 0.0;
        let mut waits = Vec::new();
        for attempt in 1..=3 {
            assert_eq!(job.next(now), Next::Send(0));
            let is_last = job.failed(0, now, &passing(), None, Received::Nothing);
            assert_eq!(is_last, attempt == 3);
            if let Next::WaitUntil(until) = job.next(now) {
                waits.push(until - now);
                now = until;
            }
        }
        assert_eq!(job.next(now), Next::Finished);
        assert!((500.0..=1000.0).contains(&waits[0]), "{waits:?}");
        assert!((1000.0..=2000.0).contains(&waits[1]), "{waits:?}");
        let progress = job.progress(now);
        assert_eq!(
            (progress.failed, progress.retries, progress.waiting),
            (1, 2, 0)
        );
    }

    #[test]
    fn retry_after_holds_everything_back() {
        let mut job = job(2, |limits| limits.concurrency = 1);
        assert_eq!(job.next(0.0), Next::Send(0));
        job.failed(
            0,
            100.0,
            &failure(FailureKind::RateLimited),
            Some(30_000.0),
            Received::Nothing,
        );
        assert_eq!(job.next(100.0), Next::WaitUntil(30_100.0));
        assert!(matches!(job.next(30_100.0), Next::Send(_)));
    }

    #[test]
    fn a_wait_that_is_longer_than_any_that_is_kept_is_named_until_an_answer_comes() {
        let mut job = job(1, |_| ());
        assert_eq!(job.next(0.0), Next::Send(0));
        let limited = failure(FailureKind::RateLimited);
        let two_hours = Some(120.0 * MINUTE_MS);
        job.failed(0, 0.0, &limited, two_hours, Received::Nothing);
        assert_eq!(job.next(0.0), Next::WaitUntil(LONGEST_ASKED_MS));
        let note = job.progress(0.0).wait_note.expect("the ceiling is said");
        assert!(
            note.contains("120 minutes") && note.contains("15 minutes"),
            "{note}"
        );
        assert_eq!(job.next(LONGEST_ASKED_MS), Next::Send(0));
        job.answered(0, LONGEST_ASKED_MS, tokens(1.0, 1.0));
        assert_eq!(job.progress(LONGEST_ASKED_MS).wait_note, None);
        // One that is kept needs no word.
        let mut job = super::tests::job(1, |_| ());
        assert_eq!(job.next(0.0), Next::Send(0));
        job.failed(0, 0.0, &limited, Some(LONGEST_ASKED_MS), Received::Nothing);
        assert_eq!(job.progress(0.0).wait_note, None);
    }

    #[test]
    fn no_more_are_begun_within_a_minute_than_allowed() {
        let mut job = job(3, |limits| limits.per_minute = 2);
        assert_eq!(
            (job.next(0.0), job.next(10.0)),
            (Next::Send(0), Next::Send(1))
        );
        assert_eq!(job.next(20.0), Next::WaitUntil(60_000.0));
        assert_eq!(job.next(60_000.0), Next::Send(2));
    }

    #[test]
    fn a_wrong_key_stops_the_job_and_costs_no_task() {
        let mut job = job(9, |limits| limits.concurrency = 2);
        assert_eq!(
            (job.next(0.0), job.next(0.0)),
            (Next::Send(0), Next::Send(1))
        );
        assert!(!job.failed(
            0,
            1.0,
            &failure(FailureKind::BadKey),
            None,
            Received::Nothing
        ));
        assert_eq!(job.next(1.0), Next::Wait, "the other one may still end");
        job.answered(1, 2.0, tokens(0.0, 0.0));
        assert_eq!(job.next(2.0), Next::Finished);
        let progress = job.progress(2.0);
        assert!(
            progress
                .stopped
                .unwrap_or_default()
                .contains("Check that the key")
        );
        assert_eq!(
            (progress.answered, progress.failed, progress.finished),
            (1, 0, true)
        );
    }

    #[test]
    fn equal_failures_in_a_row_stop_the_job_and_one_answer_between_them_does_not() {
        let run = |answers: bool| {
            let mut job = job(20, |limits| {
                limits.concurrency = 1;
                limits.stop_after = 3;
                limits.max_attempts = 1;
            });
            for at in 0..20 {
                match job.next(0.0) {
                    Next::Send(task) if answers && at % 3 == 2 => {
                        job.answered(task, 0.0, tokens(0.0, 0.0));
                    }
                    Next::Send(task) => {
                        _ = job.failed(task, 0.0, &passing(), None, Received::Nothing);
                    }
                    _ => break,
                }
            }
            job.progress(0.0)
        };
        assert_eq!(run(false).failed, 3);
        assert!(
            run(false)
                .stopped
                .unwrap_or_default()
                .contains("3 attempts in a row")
        );
        assert_eq!(run(true).stopped, None);
    }

    /// A request of a thousand tokens at 2 and a reply of two hundred at 10: 0.004 in all.
    static TEXT: LazyLock<String> = LazyLock::new(|| "a".repeat(4000));

    fn asked() -> Call<'static> {
        Call::Text {
            body: &TEXT,
            pictures: 0,
        }
    }

    /// A job with prices and a budget of 0.01, of which each call is expected to take 0.004.
    fn priced(num_tasks: u32, change: impl FnOnce(&mut JobLimits)) -> Job {
        job(num_tasks, |limits| {
            limits.input_price = Some(2.0);
            limits.output_price = Some(10.0);
            limits.reply_tokens = 200.0;
            limits.budget = Some(0.01);
            change(limits);
        })
    }

    /// Begins the next task; whether it was let go.
    fn begun(job: &mut Job) -> Option<(u32, bool)> {
        match job.next(0.0) {
            Next::Send(task) => Some((task, job.reserve(task, asked()))),
            _ => None,
        }
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn nothing_is_sent_beyond_the_budget() {
        let mut job = priced(10, |limits| limits.concurrency = 1);
        let mut sent = 0;
        while let Some((task, is_sent)) = begun(&mut job) {
            if is_sent {
                sent += 1;
                job.answered(task, 0.0, tokens(1000.0, 200.0));
            }
        }
        assert_eq!(sent, 2, "a third one could exceed it");
        let progress = job.progress(0.0);
        assert!(close(progress.spent, 0.008) && progress.finished);
        let why = progress.stopped.unwrap_or_default();
        assert!(
            why.contains("budget") && why.contains("0.0080 of 0.01"),
            "{why}"
        );
        // The sibling: with more to spend all are sent.
        let mut rich = priced(10, |limits| limits.budget = Some(0.04));
        while let Some((task, true)) = begun(&mut rich) {
            rich.answered(task, 0.0, tokens(1000.0, 200.0));
        }
        assert_eq!(rich.progress(0.0).answered, 10);
    }

    #[test]
    fn calls_under_way_together_do_not_exceed_the_budget_and_the_rest_follows_as_they_end() {
        let mut job = priced(10, |limits| limits.concurrency = 8);
        let begins: Vec<_> = std::iter::from_fn(|| begun(&mut job)).collect();
        assert_eq!(begins, [(0, true), (1, true), (2, false)]);
        let progress = job.progress(0.0);
        assert!(close(progress.reserved, 0.008) && progress.stopped.is_none());
        assert_eq!((progress.sent, progress.waiting), (2, 0));
        // They were cheaper than expected, so there is room for another one.
        job.answered(0, 1.0, tokens(500.0, 50.0));
        assert_eq!(begun(&mut job), Some((2, true)));
        job.answered(1, 1.0, tokens(500.0, 50.0));
        job.answered(2, 1.0, tokens(500.0, 50.0));
        let spent = job.progress(1.0).spent;
        assert!(close(spent, 0.0045) && spent <= 0.01);
    }

    #[test]
    fn a_reply_that_may_be_long_is_reserved_at_its_longest() {
        let mut job = priced(2, |limits| limits.max_reply_tokens = Some(800.0));
        let begins: Vec<_> = std::iter::from_fn(|| begun(&mut job)).collect();
        assert_eq!(begins, [(0, true), (1, false)]);
        assert!(close(job.progress(0.0).reserved, 0.01));
    }

    #[test]
    fn after_a_dearer_answer_than_expected_as_much_is_reserved_for_each() {
        let mut job = priced(3, |limits| {
            limits.concurrency = 1;
            limits.budget = Some(0.03);
        });
        assert_eq!(begun(&mut job), Some((0, true)));
        job.answered(0, 0.0, tokens(1000.0, 1500.0)); // 0.017
        assert_eq!(begun(&mut job), Some((1, false)));
        assert!(job.next(0.0) == Next::Finished && job.progress(0.0).stopped.is_some());
    }

    #[test]
    fn a_service_that_counts_nothing_is_paid_by_the_estimate() {
        let nothing = Usage::default();
        let half = Usage {
            input_tokens: Some(1000.0),
            output_tokens: None,
        };
        for usage in [nothing, half, tokens(0.0, 0.0)] {
            let mut job = priced(9, |limits| limits.concurrency = 1);
            let mut sent = 0;
            while let Some((task, is_sent)) = begun(&mut job) {
                if is_sent {
                    sent += 1;
                    job.answered(task, 0.0, usage);
                }
            }
            let progress = job.progress(0.0);
            assert_eq!(
                (sent, progress.uncounted, progress.implausible),
                (2, 2, 0),
                "{usage:?}"
            );
            assert!(close(progress.spent, 0.008), "{usage:?}");
        }
    }

    #[test]
    fn a_count_that_cannot_be_right_is_replaced_by_the_estimate_and_told() {
        let absurd = [
            tokens(-5_000_000.0, 200.0),
            tokens(1000.0, -1.0),
            tokens(1e18, 200.0),
            tokens(f64::NAN, f64::INFINITY),
        ];
        for usage in absurd {
            let mut job = priced(1, |_| ());
            begun(&mut job);
            job.answered(0, 0.0, usage);
            let progress = job.progress(0.0);
            assert!(close(progress.spent, 0.004), "{usage:?}");
            assert_eq!((progress.implausible, progress.uncounted), (1, 0));
            assert!(close(progress.input_tokens, 1000.0), "{usage:?}");
        }
        // The sibling: one that thinks long is believed.
        let mut job = priced(1, |_| ());
        begun(&mut job);
        job.answered(0, 0.0, tokens(1000.0, 50_000.0));
        let progress = job.progress(0.0);
        assert!(close(progress.spent, 0.502) && progress.implausible == 0);
    }

    #[test]
    fn every_success_counts_and_so_does_one_that_cannot_be_read_or_was_not_waited_for() {
        let counted = tokens(2000.0, 100.0); // 0.005
        let cases = [
            (
                FailureKind::NotJson,
                Received::Status(200, Usage::default()),
                0.004,
            ),
            (FailureKind::Empty, Received::Status(200, counted), 0.005),
            (FailureKind::Refused, Received::Status(200, counted), 0.005),
            // The connection broke while the answer came.
            (
                FailureKind::Network,
                Received::Status(200, Usage::default()),
                0.004,
            ),
            (FailureKind::Timeout, Received::Nothing, 0.004),
            (FailureKind::Network, Received::Nothing, 0.0),
            (
                FailureKind::Server,
                Received::Status(500, Usage::default()),
                0.0,
            ),
            (
                FailureKind::RateLimited,
                Received::Status(429, counted),
                0.0,
            ),
        ];
        for (kind, received, spent) in cases {
            let mut job = priced(1, |_| ());
            begun(&mut job);
            job.failed(0, 0.0, &failure(kind), None, received);
            let progress = job.progress(0.0);
            assert!(
                close(progress.spent, spent),
                "{kind:?} {received:?} {progress:?}"
            );
            assert!(close(progress.reserved, 0.0));
        }
    }

    #[test]
    fn answers_that_cannot_be_read_use_the_budget_up() {
        let mut job = priced(50, |limits| {
            limits.concurrency = 1;
            limits.stop_after = 0;
        });
        let mut sent = 0;
        let mut now = 0.0;
        loop {
            match job.next(now) {
                Next::Send(task) if job.reserve(task, asked()) => {
                    sent += 1;
                    let received = Received::Status(200, Usage::default());
                    job.failed(task, now, &failure(FailureKind::NotJson), None, received);
                }
                Next::WaitUntil(until) => now = until,
                Next::Send(_) | Next::Wait => {}
                Next::Finished => break,
            }
        }
        assert_eq!(sent, 2);
        assert!(
            job.progress(now)
                .stopped
                .unwrap_or_default()
                .contains("budget")
        );
    }

    #[test]
    fn a_budget_without_prices_starts_nothing() {
        let refused = |change: fn(&mut JobLimits)| {
            let mut limits = JobLimits {
                input_price: Some(2.0),
                output_price: Some(10.0),
                budget: Some(1.0),
                ..JobLimits::default()
            };
            change(&mut limits);
            Job::new(1, limits, 7).err().map(|error| error.to_string())
        };
        assert_eq!(refused(|_| ()), None);
        assert_eq!(refused(|limits| limits.input_price = Some(0.0)), None);
        let words = refused(|limits| limits.output_price = None).unwrap_or_default();
        assert!(words.contains("needs prices") && words.contains("output tokens"));
        let free =
            refused(|limits| (limits.input_price, limits.output_price) = (Some(0.0), Some(0.0)));
        assert!(free.unwrap_or_default().contains("never reached"));
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            let limits = JobLimits {
                budget: Some(wrong),
                ..JobLimits::default()
            };
            assert!(Job::new(1, limits, 7).is_err(), "{wrong}");
        }
        // Without a budget no price is needed.
        assert_eq!(
            refused(|limits| (limits.output_price, limits.budget) = (None, None)),
            None
        );
    }

    #[test]
    fn pictures_need_their_own_price_and_are_charged_by_it() {
        let limits = JobLimits {
            budget: Some(0.1),
            ..JobLimits::default()
        };
        let refused = Job::chained(&[2], limits.clone(), Priced::Pictures, 7).err();
        assert!(refused.is_some_and(|error| error.to_string().contains("what a picture costs")));
        let limits = JobLimits {
            picture_price: Some(0.04),
            ..limits
        };
        let both = Job::chained(&[2], limits.clone(), Priced::Both, 7).err();
        assert!(both.is_some_and(|error| error.to_string().contains("needs prices")));
        let job = Job::chained(&[1, 1, 1], limits, Priced::Pictures, 7);
        let mut job = job.expect("pictures alone are made");
        let mut made = 0;
        while let Next::Send(task) = job.next(0.0) {
            if job.reserve(task, Call::Picture) {
                made += 1;
                job.answered(task, 0.0, Usage::default());
            }
        }
        let progress = job.progress(0.0);
        assert_eq!((made, progress.uncounted), (2, 0));
        assert!(close(progress.spent, 0.08));
    }

    #[test]
    fn what_was_being_prepared_when_the_job_was_stopped_is_not_sent() {
        let mut job = priced(3, |limits| limits.concurrency = 2);
        assert_eq!(job.next(0.0), Next::Send(0));
        job.cancel();
        assert!(!job.reserve(0, asked()));
        assert_eq!(job.next(0.0), Next::Finished);
        assert!(close(job.progress(0.0).reserved, 0.0));
    }

    #[test]
    fn an_attempt_counts_once_however_often_it_is_reported() {
        let mut job = job(1, |_| ());
        assert_eq!(begun(&mut job), Some((0, true)));
        job.answered(0, 1.0, tokens(5.0, 5.0));
        job.answered(0, 1.0, tokens(5.0, 5.0));
        assert!(!job.failed(0, 1.0, &passing(), None, Received::Nothing));
        let progress = job.progress(1.0);
        assert_eq!(
            (progress.answered, progress.failed, progress.sent),
            (1, 0, 0)
        );
        assert!((progress.input_tokens - 5.0).abs() < 1e-12);
    }

    #[test]
    fn a_paused_job_sends_nothing_and_a_cancelled_one_ends() {
        let mut job = job(3, |limits| limits.concurrency = 1);
        assert_eq!(job.next(0.0), Next::Send(0));
        job.pause();
        job.answered(0, 1.0, tokens(0.0, 0.0));
        assert_eq!(job.next(1.0), Next::Wait);
        job.resume();
        assert_eq!(job.next(1.0), Next::Send(1));
        job.cancel();
        assert_eq!(job.next(1.0), Next::Wait);
        job.failed(1, 2.0, &passing(), None, Received::Nothing);
        assert_eq!(job.next(2.0), Next::Finished);
    }

    /// Two thousand tasks under every fault: each ends once, and all that is waited for comes.
    #[test]
    fn under_faults_of_all_kinds_every_task_ends_once() {
        let mut job = job(2000, |limits| {
            limits.concurrency = 20;
            limits.stop_after = 0;
            limits.max_attempts = 4;
        });
        let mut under_way: Vec<(f64, u32)> = Vec::new();
        let (mut now, mut answered, mut given_up) = (0.0, vec![0; 2000], 0);
        let mut random = SplitMix64::new(3);
        loop {
            match job.next(now) {
                Next::Send(task) => under_way.push((now + 50.0 + 400.0 * random.unit(), task)),
                Next::Finished => break,
                wait => {
                    under_way.sort_by(|a, b| b.0.total_cmp(&a.0));
                    let ends = under_way.last().map_or(f64::INFINITY, |(at, _)| *at);
                    if let Next::WaitUntil(until) = wait
                        && until < ends
                    {
                        now = until;
                        continue;
                    }
                    let (at, task) = under_way.pop().expect("something is under way");
                    now = at;
                    if random.unit() < 0.7 {
                        answered[task as usize] += 1;
                        job.answered(task, now, tokens(1.0, 1.0));
                    } else {
                        let kind = if random.unit() < 0.1 {
                            FailureKind::Refused
                        } else {
                            FailureKind::Server
                        };
                        let after = (random.unit() < 0.2).then_some(300.0);
                        given_up += u32::from(job.failed(
                            task,
                            now,
                            &failure(kind),
                            after,
                            Received::Nothing,
                        ));
                    }
                }
            }
        }
        let progress = job.progress(now);
        assert!(answered.iter().all(|count| *count <= 1));
        let num_answered = answered.iter().sum::<u32>();
        assert_eq!(num_answered + given_up, 2000);
        assert_eq!(
            (progress.answered, progress.failed),
            (num_answered, given_up)
        );
        assert!(given_up > 0 && progress.retries > 100);
    }

    #[test]
    fn a_chain_that_goes_on_is_not_dropped_where_a_task_is_given_up() {
        let next_after_failure = |mut job: Job| {
            assert_eq!(job.next(0.0), Next::Send(0));
            let refused = failure(FailureKind::ContentFilter);
            assert!(job.failed(0, 1.0, &refused, None, Received::Nothing));
            (job.next(1.0), job.progress(1.0).total)
        };
        assert_eq!(
            next_after_failure(chained(&[2]).going_on()),
            (Next::Send(1), 2)
        );
        assert_eq!(next_after_failure(chained(&[2])), (Next::Finished, 1));
    }

    #[test]
    fn a_task_of_a_chain_waits_for_the_one_before_it() {
        let mut job = chained(&[3, 1]);
        assert_eq!(
            (job.next(0.0), job.next(0.0), job.next(0.0)),
            (Next::Send(0), Next::Send(3), Next::Wait)
        );
        job.answered(0, 1.0, Usage::default());
        assert_eq!((job.next(1.0), job.next(1.0)), (Next::Send(1), Next::Wait));
        job.answered(3, 2.0, tokens(0.0, 0.0));
        job.answered(1, 2.0, tokens(0.0, 0.0));
        assert_eq!(job.next(2.0), Next::Send(2));
        job.answered(2, 3.0, tokens(0.0, 0.0));
        let progress = job.progress(3.0);
        assert_eq!((progress.answered, progress.total), (4, 4));
        assert!(progress.spent == 0.0 && job.next(3.0) == Next::Finished);
    }

    #[test]
    fn what_follows_a_task_that_is_given_up_is_dropped_and_nothing_else() {
        let mut job = chained(&[3, 3]);
        assert_eq!(
            (job.next(0.0), job.next(0.0)),
            (Next::Send(0), Next::Send(3))
        );
        assert!(job.failed(
            0,
            1.0,
            &failure(FailureKind::Refused),
            None,
            Received::Nothing
        ));
        let progress = job.progress(1.0);
        assert_eq!((progress.failed, progress.total), (1, 4));
        job.answered(3, 2.0, tokens(0.0, 0.0));
        // A chain that has reached its aim ends early, as answered.
        job.end_chain(3);
        let progress = job.progress(2.0);
        assert_eq!((progress.answered, progress.total), (1, 2));
        assert_eq!(job.next(2.0), Next::Finished);
        // Tasks without a chain have nothing behind them.
        let mut plain = chained(&[1, 1]);
        plain.next(0.0);
        plain.end_chain(0);
        assert_eq!(plain.progress(0.0).total, 2);
    }
}
