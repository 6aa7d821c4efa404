//! A job of agents: which call is sent next, and what is written down of its answer.

use std::collections::BTreeSet;

use anyhow::Context as _;
use juror_agents::{AgentBody, AgentKey, Came, Due, Framework, Kind, Record};
use juror_judging::job::{Job, Priced};
use juror_judging::keys::without_keys;
use juror_judging::provider::{self, Failure, FailureKind, Usage};
use juror_judging::spending::Call;
use juror_make::bytes_of_base64;
use juror_session::recording::words;

use super::folder::Folder;
use super::plan::{Plan, name};
use super::{Order, Reasons, body, ended};
use crate::host::{self, Host};
use crate::say;
use crate::sending::address;
use crate::sending::call::{Caller, Service};
use crate::sending::pace::{self, Outcome, Prepared, Run, Step, Work, time};

/// Loops that are carried out.
pub(super) struct Looping<'a> {
    pub(super) host: &'a mut Host,
    pub(super) order: &'a Order,
    pub(super) folder: Folder,
    /// The trajectory of each call, in chains.
    tasks: Vec<AgentKey>,
    planner: Caller,
    generator: Caller,
    keys: [String; 2],
    /// The records of the attempts that are running.
    drafts: Vec<Option<Record>>,
    /// Tasks whose last failure was written down with what was paid for.
    kept: BTreeSet<u32>,
    /// Tasks whose answer of an earlier job was read again.
    read_again: BTreeSet<u32>,
    /// Records that were written down.
    pub(super) records: Vec<Record>,
    /// Why a sample's loop does not go on.
    pub(super) reasons: Reasons,
    /// Why nothing more can be kept.
    pub(super) broken: Option<anyhow::Error>,
}

/// A call that is on its way.
pub(super) struct SentCall {
    body: AgentBody,
    /// An answer that names an address: its text, the generator's words, and what it says of its tokens.
    answer: Option<(String, String, Usage)>,
}

/// Runs a job to its end; its records, and the loops that are not at their end, each with the reason.
///
/// # Errors
/// Its limits contradict each other, or what came could not be kept.
pub(super) fn run(
    host: &mut Host,
    order: &Order,
    plan: &Plan,
    keys: [String; 2],
    folder: Folder,
) -> anyhow::Result<(Vec<Record>, Reasons)> {
    let calls = &plan.calls;
    let (mut tasks, mut lengths) = (Vec::new(), Vec::new());
    for task in &calls.tasks {
        lengths.push(u32::try_from(task.calls.len()).context("a loop is too long")?);
        tasks.extend(task.calls.iter().map(|_| order.key(&task.sample)));
    }
    u32::try_from(tasks.len()).context("there are too many requests")?;
    let priced = match (calls.pictures, calls.plans) {
        (0, _) => Priced::Tokens,
        (_, 0) => Priced::Pictures,
        _ => Priced::Both,
    };
    let job = Job::chained(&lengths, order.limits.clone(), priced, pace::seed())?;
    let services = &order.services;
    let looping = Looping {
        planner: Caller::new(Service {
            url: order.planner_url(),
            auth: provider::auth(services.planner_wire),
            key: keys[0].clone(),
            timeout_secs: order.limits.timeout_secs,
            option: "--planner-base",
        })?,
        generator: Caller::new(Service {
            url: order.generator_url(),
            auth: provider::picture_auth(services.generator_wire),
            key: keys[1].clone(),
            timeout_secs: order.limits.timeout_secs,
            option: "--generator-base",
        })?,
        host,
        order,
        folder,
        drafts: vec![None; tasks.len()],
        tasks,
        keys,
        kept: BTreeSet::new(),
        read_again: BTreeSet::new(),
        records: Vec::new(),
        reasons: Reasons::new(),
        broken: None,
    };
    let mut run = Run::new(looping, job);
    run.carry_out();
    ended::finished(run, plan)
}

impl Work for Looping<'_> {
    type Sent = SentCall;

    fn prepare(&mut self, at: u32) -> anyhow::Result<Step<SentCall>> {
        self.kept.remove(&at);
        let key = self.tasks[at as usize].clone();
        let services = &self.order.services;
        let Some(body) = body::due(self.host, &key, services)? else {
            return Ok(Step::Nothing);
        };
        self.drafts[at as usize] = Some(body.record.clone());
        // Once only, so that it is never asked in a circle.
        if body.paid.is_some() && self.read_again.insert(at) {
            let text = body.readable(services).map(str::to_owned);
            if let Some(text) = text {
                return Ok(Step::ReadAgain(SentCall { body, answer: None }, text));
            }
        }
        let posted = body::filled((self.host, &self.folder), &body, services)?;
        let caller = match body.record.kind {
            Kind::Plan => &self.planner,
            Kind::Picture => &self.generator,
        };
        Ok(Step::Send(Prepared {
            caller: caller.clone(),
            url: body.url.clone(),
            asked: SentCall { body, answer: None },
            body: posted,
        }))
    }

    fn cost(asked: &SentCall) -> Call<'_> {
        match asked.body.record.kind {
            Kind::Plan => Call::Text {
                body: asked.body.json.as_deref().unwrap_or_default(),
                pictures: u32::try_from(asked.body.pictures.len()).unwrap_or(u32::MAX),
            },
            Kind::Picture => Call::Picture,
        }
    }

    fn take(&mut self, at: u32, asked: SentCall, status: u16, text: &str) -> Outcome<SentCall> {
        let body = asked.body;
        let services = &self.order.services;
        let (came, usage) = services.read(body.record.kind, status, text);
        match came {
            Came::Failed(failure) => self.failed(at, &body, (status, text), failure, usage),
            Came::Reply(reply) => {
                let record = Record {
                    reply: self.clean(&reply),
                    ..body.record
                };
                self.keep(record, None);
                self.answered(at, usage)
            }
            Came::Picture { base64, said } => {
                let bytes = bytes_of_base64(&base64).ok_or_else(|| {
                    let message = "Expected a picture in base64, found something else.";
                    Failure::new(FailureKind::BadPicture, message)
                });
                self.made(at, &body, text, bytes, (&said, usage))
            }
            Came::Address { url, said } => match self.fetcher(&url, &body.url) {
                Ok(caller) => {
                    let answer = Some((text.to_owned(), said, usage));
                    Outcome::Fetch(SentCall { body, answer }, caller, url)
                }
                Err(failure) => self.failed(at, &body, (status, text), failure, Usage::default()),
            },
        }
    }

    fn fetched(
        &mut self,
        at: u32,
        asked: SentCall,
        bytes: Result<Vec<u8>, Failure>,
    ) -> Outcome<SentCall> {
        let (text, said, usage) = asked.answer.unwrap_or_default();
        self.made(at, &asked.body, &text, bytes, (&said, usage))
    }

    fn clean(&self, message: &str) -> String {
        let [planner, generator] = &self.keys;
        without_keys(message, &[planner, generator])
    }

    fn note(&mut self, at: u32, failure: &Failure) {
        let call = self.name(at);
        let why = format!("{}: {}", call.1, words(failure));
        self.reasons.insert(call.0, why);
    }

    fn give_up(&mut self, at: u32, failure: &Failure) {
        let (sample, call) = self.name(at);
        say(&format!(
            "juror: failed: sample {sample}, {call}: {}",
            words(failure)
        ));
        // The record with what was paid for says it already.
        if self.kept.remove(&at) {
            return;
        }
        if let Some(draft) = self.drafts[at as usize].clone() {
            let error = Some(words(failure));
            self.keep(Record { error, ..draft }, None);
        }
    }

    fn is_broken(&self) -> bool {
        self.broken.is_some()
    }
}

impl Looping<'_> {
    /// The sample of a task, and its call in words.
    fn name(&self, at: u32) -> (String, String) {
        let sample = self.tasks[at as usize].sample.clone();
        let draft = self.drafts[at as usize].as_ref();
        let call = draft.map_or("the next call".to_owned(), |draft| {
            name(draft.kind, draft.step)
        });
        (sample, call)
    }

    /// Nothing could be made of an answer: one that is paid for is written down as it came.
    fn failed(
        &mut self,
        at: u32,
        body: &AgentBody,
        (status, text): (u16, &str),
        failure: Failure,
        usage: Usage,
    ) -> Outcome<SentCall> {
        let record = body.unusable(status, (text, &words(&failure)), &|text| self.clean(text));
        if let Some(record) = record {
            self.keep(record, None);
            self.kept.insert(at);
            self.read_again.insert(at);
        }
        Outcome::Failed(failure, usage)
    }

    /// The bytes of a picture came, with the generator's words and what the answer says of its tokens.
    fn made(
        &mut self,
        at: u32,
        body: &AgentBody,
        text: &str,
        bytes: Result<Vec<u8>, Failure>,
        (said, usage): (&str, Usage),
    ) -> Outcome<SentCall> {
        let whole = bytes.and_then(|bytes| {
            let bad = |why: &str| Failure::new(FailureKind::BadPicture, why);
            host::decoded(&bytes).map_err(|why| bad(&why.message))?;
            let record = Record {
                reply: self.clean(said),
                ..body.record.clone()
            };
            let record = record.with_picture(&bytes);
            Ok((record.map_err(|why| bad(&why.to_string()))?, bytes))
        });
        match whole {
            Ok((record, bytes)) => {
                self.keep(record, Some(&bytes));
                self.answered(at, usage)
            }
            Err(failure) => {
                let answer = (juror_agents::SUCCESS, text);
                self.failed(at, body, answer, failure, Usage::default())
            }
        }
    }

    /// Who fetches the picture at an address, if that is at the service itself or at a host that the user named.
    fn fetcher(&self, url: &str, service: &str) -> Result<Caller, Failure> {
        let Order { hosts, limits, .. } = self.order;
        let (place, host) = (address::authority(url), address::host(url));
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        let is_named = place == address::authority(service)
            || hosts.iter().any(|named| named == place || named == host);
        if !is_web || !is_named {
            let message = format!(
                "The picture is at {place}, a host that was not named: name it by --host, or have the bytes in the answer, with most services by --generator-extra {{\"response_format\":\"b64_json\"}}."
            );
            return Err(Failure::new(FailureKind::UnnamedHost, &message));
        }
        Caller::new(Service {
            url: url.to_owned(),
            auth: provider::picture_auth(self.order.services.generator_wire),
            key: String::new(),
            timeout_secs: limits.timeout_secs,
            option: "--host",
        })
        .map_err(|error| Failure::new(FailureKind::Network, &format!("{error:#}")))
    }

    /// A call brought what it was to bring; a planner that chooses no reference ends its loop.
    fn answered(&mut self, at: u32, usage: Usage) -> Outcome<SentCall> {
        let key = &self.tasks[at as usize];
        self.reasons.remove(&key.sample);
        if key.set.framework == Framework::Sra {
            let call = juror_session::agent_call(&self.host.session.linked(), key);
            if call.is_ok_and(|call| matches!(call.due, Due::Stopped { .. })) {
                return Outcome::Ended(usage);
            }
        }
        Outcome::Answered(usage)
    }

    /// Writes a call down.
    fn keep(&mut self, record: Record, bytes: Option<&[u8]>) {
        let record = record.ended(time(), &|text| self.clean(text));
        match self.folder.keep(self.host, record.clone(), bytes) {
            Ok(()) => self.records.push(record),
            Err(error) => drop(self.broken.get_or_insert(error)),
        }
    }
}
