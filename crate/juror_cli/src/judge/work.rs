//! A judging job: what is asked of a judge, and what is written down of the answers.

use std::collections::BTreeSet;

use anyhow::Context as _;
use juror_judging::job::Job;
use juror_judging::journal::{self, Record};
use juror_judging::provider::{self, Failure};
use juror_judging::spending::Call;
use juror_reading::count::counted;
use juror_session::recording::{Recorder, words};
use juror_session::view::{JobBody, JobTask};

use super::{Order, body, ended};
use crate::batch::Pictures;
use crate::host::Host;
use crate::say;
use crate::sending::call::{Caller, Posted, Service};
use crate::sending::kept::{Journal, Line};
use crate::sending::pace::{self, Outcome, Prepared, Run, Step, Work, time};

impl Line for Record {
    const FORMAT: &'static str = journal::FORMAT;
    const COMMAND: &'static str = "juror judge";
    const ELSEWHERE: &'static str = "name another file by --out";
    const WORDS: [&'static str; 2] = ["reply", "replies"];

    fn read(text: &str) -> (Vec<Self>, Option<(u32, String)>) {
        let read = journal::read_records(text);
        let bad = read.bad_lines.first().cloned();
        let records = read.records.iter().map(|(_, record)| record.to_record());
        (records.collect(), bad)
    }

    fn line(&self) -> String {
        journal::write(std::slice::from_ref(self))
    }
}

/// What a judge is asked.
struct Judging<'a> {
    host: &'a mut Host,
    order: &'a Order,
    tasks: Vec<JobTask>,
    recorder: Recorder,
    journal: Journal,
    caller: Caller,
    pictures: Pictures,
    /// Tasks whose last failure was written down with what was paid for.
    told: BTreeSet<u32>,
    /// What was written down.
    records: Vec<Record>,
    /// Why nothing more can be kept, and what came since.
    broken: Option<(anyhow::Error, u32)>,
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
    let head = juror_session::record_head(&host.session);
    let asked_with = (order.wire, &order.params);
    let job = Job::new(count, order.limits.clone(), pace::seed())?;
    let recorder = Recorder::new(head, &order.scope.judge, asked_with, &key).begun(time());
    let caller = Caller::new(Service {
        url: order.url.clone(),
        auth: provider::auth(order.wire),
        key,
        timeout_secs: order.limits.timeout_secs,
        option: "--base",
    })?;
    let judging = Judging {
        host,
        order,
        tasks,
        recorder,
        journal,
        caller,
        pictures: Pictures::inline(order.wire),
        told: BTreeSet::new(),
        records: Vec::new(),
        broken: None,
    };
    let mut run = Run::new(judging, job);
    run.carry_out();
    finish(run)
}

impl Work for Judging<'_> {
    type Sent = JobBody;

    fn prepare(&mut self, at: u32) -> anyhow::Result<Step<JobBody>> {
        let task = self.tasks[at as usize].clone();
        self.told.remove(&at);
        let (asked, text) = body::filled(self.host, self.order, &mut self.pictures, &task)?;
        Ok(Step::Send(Prepared {
            asked,
            caller: self.caller.clone(),
            url: self.order.url.clone(),
            body: Posted::Json(text),
        }))
    }

    fn cost(asked: &JobBody) -> Call<'_> {
        Call::Text {
            body: &asked.text,
            pictures: u32::try_from(asked.pictures.len()).unwrap_or(u32::MAX),
        }
    }

    fn take(&mut self, at: u32, body: JobBody, status: u16, text: &str) -> Outcome<JobBody> {
        let task = &self.tasks[at as usize];
        let recorded = (self.recorder).answer((task, &body), (status, text), time());
        let is_kept = recorded.record.is_some();
        if let Some(record) = recorded.record {
            self.keep(record);
        }
        match recorded.failure {
            Some(failure) => {
                if is_kept {
                    self.told.insert(at);
                }
                Outcome::Failed(failure, recorded.usage)
            }
            None => Outcome::Answered(recorded.usage),
        }
    }

    fn clean(&self, message: &str) -> String {
        self.recorder.clean(message)
    }

    fn give_up(&mut self, at: u32, failure: &Failure) {
        let task = &self.tasks[at as usize];
        say(&format!(
            "juror: failed: {}: {}",
            ended::name(task),
            words(failure)
        ));
        // The record with what was paid for says it already.
        if !self.told.remove(&at) {
            let record = self.recorder.given_up(task, failure, time());
            self.keep(record);
        }
    }

    fn is_broken(&self) -> bool {
        self.broken.is_some()
    }
}

impl Judging<'_> {
    /// Writes a record down.
    fn keep(&mut self, record: Record) {
        match self.journal.append(&record) {
            Ok(()) => self.records.push(record),
            Err(error) => {
                let broken = self.broken.get_or_insert((error, 0));
                broken.1 += 1;
            }
        }
    }
}

/// Gives the session what came, and says how it ended; whether every task was answered.
fn finish(mut run: Run<Judging<'_>>) -> anyhow::Result<bool> {
    let now = run.now();
    let progress = run.job.progress(now);
    let work = run.work;
    work.pictures.tell_converted();
    juror_session::add_records(&mut work.host.session, work.records);
    pace::tell_ended(&progress, "the service");
    if let Some((error, lost)) = work.broken {
        return Err(error.context(format!(
            "{} could not be kept, so nothing more was sent. Make room and start again to go on with the rest",
            counted(lost, "answer", "answers")
        )));
    }
    if let Some(why) = pace::why_stopped(&progress) {
        say(&format!("juror: stopped: {why}"));
    }
    Ok(progress.answered == progress.total)
}
