//! A judging job as a state machine: what to send next, when to try again, when to stop.
//!
//! It does no I/O and knows no clock: the host passes the time in, sends what [`Job::next`] names and reports how each
//! attempt ended. So the browser and the tests drive the very same rules, to the last branch.
//!
//! Every task ends exactly once, as answered or as failed; an attempt that ended is never reported twice.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::provider::Failure;
use crate::random::SplitMix64;

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
    /// Price of a million input tokens.
    pub input_price: f64,
    /// Price of a million output tokens.
    pub output_price: f64,
    /// What may be spent, in the currency of the prices; nothing is sent once it is reached. `None` for no cap.
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
            input_price: 0.0,
            output_price: 0.0,
            budget: None,
        }
    }
}

/// What the host is to do now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Send this task; report with [`Job::answered`] or [`Job::failed`].
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
    /// Tokens that servers counted.
    pub input_tokens: f64,
    /// The same for replies.
    pub output_tokens: f64,
    /// At the prices given.
    pub spent: f64,
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
    /// Failed attempts by kind, the final ones among them.
    pub failures: BTreeMap<String, u32>,
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
    random: SplitMix64,
    progress: JobProgress,
    is_cancelled: bool,
}

/// The first wait after a failure, doubled with each further one.
const FIRST_WAIT_MS: f64 = 1000.0;
/// The longest wait that is our own choice; a server's `Retry-After` may be longer.
const LONGEST_WAIT_MS: f64 = 60_000.0;
/// The longest `Retry-After` that is waited for.
const LONGEST_ASKED_MS: f64 = 15.0 * 60_000.0;
const MINUTE_MS: f64 = 60_000.0;

impl Job {
    /// A job over `num_tasks` tasks; the seed decides the jitter.
    pub fn new(num_tasks: u32, limits: JobLimits, seed: u64) -> Self {
        let task = Task {
            state: State::Due(0.0),
            attempts: 0,
            followers: 0,
        };
        Self::of(vec![task; num_tasks as usize], limits, seed)
    }

    /// A job whose tasks stand in chains of these lengths, numbered chain after chain.
    ///
    /// A task is due once the one before it in its chain was answered; where one is given up, or [`Job::end_chain`] is
    /// called, what follows it in the chain is dropped and no longer counts in `total`.
    pub fn chained(lengths: &[u32], limits: JobLimits, seed: u64) -> Self {
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
        Self::of(tasks.collect(), limits, seed)
    }

    fn of(tasks: Vec<Task>, limits: JobLimits, seed: u64) -> Self {
        let total = u32::try_from(tasks.len()).unwrap_or(u32::MAX);
        Self {
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
        if self.is_spent() {
            self.stop("The budget is reached; raise it and start again to go on with the rest.");
            return self.next(now_ms);
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

    fn is_spent(&self) -> bool {
        self.limits
            .budget
            .is_some_and(|budget| self.progress.spent >= budget)
    }

    /// An attempt brought a reply; it counts once, whatever it says.
    pub fn answered(&mut self, task: u32, now_ms: f64, input_tokens: f64, output_tokens: f64) {
        let cost = (input_tokens * self.limits.input_price
            + output_tokens * self.limits.output_price)
            / 1e6;
        self.answered_for(task, now_ms, [input_tokens, output_tokens], cost);
    }

    /// The same at a price that the host knows better, as for a picture; the tokens are of request and reply.
    pub fn answered_for(&mut self, task: u32, now_ms: f64, tokens: [f64; 2], cost: f64) {
        if !self.end_attempt(task) {
            return;
        }
        self.tasks[task as usize].state = State::Ended;
        self.progress.answered += 1;
        self.progress.input_tokens += tokens[0];
        self.progress.output_tokens += tokens[1];
        self.progress.spent += cost;
        if self.tasks[task as usize].followers > 0 {
            self.tasks[task as usize + 1].state = State::Due(0.0);
            self.first_open = self.first_open.min(task as usize + 1);
        }
        self.in_a_row = (String::new(), 0);
        self.answers.push_back(now_ms);
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

    /// An attempt brought none; `retry_after_ms` is when the server says that it takes requests again.
    /// Returns whether the task is given up with it.
    pub fn failed(
        &mut self,
        task: u32,
        now_ms: f64,
        failure: &Failure,
        retry_after_ms: Option<f64>,
    ) -> bool {
        if !self.end_attempt(task) {
            return false;
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
            self.end_chain(task);
        } else {
            let wait = self.wait_ms(tries, retry_after_ms);
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
        let is_sent = self
            .tasks
            .get(task as usize)
            .is_some_and(|task| task.state == State::Sent);
        if is_sent {
            self.progress.sent -= 1;
        }
        is_sent
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
            finished: self.progress.sent == 0 && (is_over || left == 0.0),
            ..self.progress.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::provider::FailureKind;

    fn failure(kind: FailureKind) -> Failure {
        Failure::new(kind, "It failed.")
    }

    fn passing() -> Failure {
        failure(FailureKind::Server)
    }

    fn job(num_tasks: u32, change: impl FnOnce(&mut JobLimits)) -> Job {
        let mut limits = JobLimits::default();
        change(&mut limits);
        Job::new(num_tasks, limits, 7)
    }

    #[test]
    fn so_many_are_under_way_at_once_and_no_more() {
        let mut job = job(5, |limits| limits.concurrency = 2);
        assert_eq!(
            (job.next(0.0), job.next(0.0)),
            (Next::Send(0), Next::Send(1))
        );
        assert_eq!(job.next(0.0), Next::Wait);
        job.answered(1, 5.0, 10.0, 1.0);
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
            let is_last = job.failed(0, now, &passing(), None);
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
        job.failed(0, 100.0, &failure(FailureKind::RateLimited), Some(30_000.0));
        assert_eq!(job.next(100.0), Next::WaitUntil(30_100.0));
        assert!(matches!(job.next(30_100.0), Next::Send(_)));
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
        assert!(!job.failed(0, 1.0, &failure(FailureKind::BadKey), None));
        assert_eq!(job.next(1.0), Next::Wait, "the other one may still end");
        job.answered(1, 2.0, 0.0, 0.0);
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
                    Next::Send(task) if answers && at % 3 == 2 => job.answered(task, 0.0, 0.0, 0.0),
                    Next::Send(task) => _ = job.failed(task, 0.0, &passing(), None),
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

    #[test]
    fn nothing_is_sent_beyond_the_budget() {
        let mut job = job(10, |limits| {
            limits.concurrency = 1;
            limits.input_price = 2.0;
            limits.output_price = 10.0;
            limits.budget = Some(0.01);
        });
        let mut sent = 0;
        while let Next::Send(task) = job.next(0.0) {
            sent += 1;
            job.answered(task, 0.0, 1000.0, 200.0); // 0.002 + 0.002
        }
        assert_eq!(sent, 3);
        let progress = job.progress(0.0);
        assert!((progress.spent - 0.012).abs() < 1e-12);
        assert!(progress.stopped.unwrap_or_default().contains("budget"));
    }

    #[test]
    fn an_attempt_counts_once_however_often_it_is_reported() {
        let mut job = job(1, |_| ());
        assert_eq!(job.next(0.0), Next::Send(0));
        job.answered(0, 1.0, 5.0, 5.0);
        job.answered(0, 1.0, 5.0, 5.0);
        assert!(!job.failed(0, 1.0, &passing(), None));
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
        job.answered(0, 1.0, 0.0, 0.0);
        assert_eq!(job.next(1.0), Next::Wait);
        job.resume();
        assert_eq!(job.next(1.0), Next::Send(1));
        job.cancel();
        assert_eq!(job.next(1.0), Next::Wait);
        job.failed(1, 2.0, &passing(), None);
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
                        job.answered(task, now, 1.0, 1.0);
                    } else {
                        let kind = if random.unit() < 0.1 {
                            FailureKind::Refused
                        } else {
                            FailureKind::Server
                        };
                        let after = (random.unit() < 0.2).then_some(300.0);
                        given_up += u32::from(job.failed(task, now, &failure(kind), after));
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
    fn a_task_of_a_chain_waits_for_the_one_before_it() {
        let mut job = Job::chained(&[3, 1], JobLimits::default(), 7);
        assert_eq!(
            (job.next(0.0), job.next(0.0), job.next(0.0)),
            (Next::Send(0), Next::Send(3), Next::Wait)
        );
        job.answered_for(0, 1.0, [10.0, 2.0], 0.04);
        assert_eq!((job.next(1.0), job.next(1.0)), (Next::Send(1), Next::Wait));
        job.answered(3, 2.0, 0.0, 0.0);
        job.answered(1, 2.0, 0.0, 0.0);
        assert_eq!(job.next(2.0), Next::Send(2));
        job.answered(2, 3.0, 0.0, 0.0);
        let progress = job.progress(3.0);
        assert_eq!((progress.answered, progress.total), (4, 4));
        assert!((progress.spent - 0.04).abs() < 1e-12 && job.next(3.0) == Next::Finished);
    }

    #[test]
    fn what_follows_a_task_that_is_given_up_is_dropped_and_nothing_else() {
        let mut job = Job::chained(&[3, 3], JobLimits::default(), 7);
        assert_eq!(
            (job.next(0.0), job.next(0.0)),
            (Next::Send(0), Next::Send(3))
        );
        assert!(job.failed(0, 1.0, &failure(FailureKind::Refused), None));
        let progress = job.progress(1.0);
        assert_eq!((progress.failed, progress.total), (1, 4));
        job.answered(3, 2.0, 0.0, 0.0);
        // A chain that has reached its aim ends early, as answered.
        job.end_chain(3);
        let progress = job.progress(2.0);
        assert_eq!((progress.answered, progress.total), (1, 2));
        assert_eq!(job.next(2.0), Next::Finished);
        // Tasks without a chain have nothing behind them.
        let mut plain = Job::new(2, JobLimits::default(), 7);
        plain.next(0.0);
        plain.end_chain(0);
        assert_eq!(plain.progress(0.0).total, 2);
    }
}
