//! What a judging job writes down: the same record of the same answer, whichever host asked.

use juror_judging::journal::{FORMAT, PaidBody, Record};
use juror_judging::keys::without_keys;
use juror_judging::provider::{self, Answer, Failure, Usage};
use juror_model::judge::{Params, Wire};

use crate::view::{JobBody, JobTask, RecordHead};

/// Writes the records of one job. It has no `Debug`, as it holds the key.
pub struct Recorder {
    head: RecordHead,
    wire: Wire,
    judge: String,
    key: String,
    params: Option<Params>,
    /// When the job began: its anchors are filed under it.
    began: String,
}

/// What an answer comes to.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What is kept of it: a reply, or what was paid for and holds none. Nothing of an answer that costs nothing.
    pub record: Option<Record>,
    /// What the service says of its tokens.
    pub usage: Usage,
    /// Why there is no reply.
    pub failure: Option<Failure>,
}

/// What a record says besides its task.
#[derive(Default)]
struct Ended {
    request: Option<String>,
    reply: String,
    error: Option<String>,
    answered_by: Option<String>,
    /// What came, where it was paid for and no reply could be read of it.
    body: Option<String>,
}

impl Recorder {
    /// Writes for a judge that is asked with these parameters and this key, which goes into no record.
    pub fn new(head: RecordHead, judge: &str, asked: (Wire, &Params), key: &str) -> Self {
        let (wire, params) = asked;
        let sent = provider::as_sent(wire, params);
        let clean = serde_json::to_string(&sent).map(|text| without_keys(&text, &[key]));
        Self {
            head,
            wire,
            judge: judge.to_owned(),
            key: key.to_owned(),
            params: clean.ok().and_then(|text| serde_json::from_str(&text).ok()),
            began: String::new(),
        }
    }

    /// The same for a job that began at this time.
    #[must_use]
    pub fn begun(self, began: String) -> Self {
        Self { began, ..self }
    }

    /// A text without the key in it.
    pub fn clean(&self, text: &str) -> String {
        without_keys(text, &[&self.key])
    }

    /// What an answer of this status and text comes to, which came at this time.
    pub fn answer(
        &self,
        (task, body): (&JobTask, &JobBody),
        (status, text): (u16, &str),
        time: String,
    ) -> Recorded {
        let head = RecordHead {
            protocol: body.protocol.clone(),
            prompts: body.prompts.clone(),
        };
        let request = body.sha256.clone();
        let usage = provider::usage(self.wire, text);
        match provider::read(self.wire, status, text) {
            Answer::Failed(failure) => {
                let ended = Ended {
                    request,
                    error: Some(self.clean(&words(&failure))),
                    body: Some(self.clean(text)),
                    ..Ended::default()
                };
                // A success is paid for, whatever is in it.
                let is_paid = (200..300).contains(&status);
                Recorded {
                    record: is_paid.then(|| self.record(head, task, ended, time)),
                    usage,
                    failure: Some(failure),
                }
            }
            Answer::Reply { text, model, .. } => {
                let model = self.clean(&model);
                let ended = Ended {
                    request,
                    reply: self.clean(&text),
                    answered_by: (!model.is_empty()).then_some(model),
                    ..Ended::default()
                };
                Recorded {
                    record: Some(self.record(head, task, ended, time)),
                    usage,
                    failure: None,
                }
            }
        }
    }

    /// The record of a request that was given up.
    pub fn given_up(&self, task: &JobTask, failure: &Failure, time: String) -> Record {
        let ended = Ended {
            error: Some(self.clean(&words(failure))),
            ..Ended::default()
        };
        self.record(self.head.clone(), task, ended, time)
    }

    fn record(&self, head: RecordHead, task: &JobTask, ended: Ended, time: String) -> Record {
        let key = task.key.clone();
        Record {
            format: FORMAT.to_owned(),
            protocol: head.protocol,
            model: key.model,
            sample: key.sample,
            turn: key.turn,
            criterion: key.criterion,
            judge: self.judge.clone(),
            run: task.run,
            time,
            request: ended.request,
            prompts: head.prompts,
            reply: ended.reply,
            error: ended.error,
            params: self.params.clone(),
            answered_by: ended.answered_by,
            anchor: task.anchor.then(|| self.began.clone()),
            body: ended.body.map(|text| PaidBody {
                wire: self.wire,
                text,
            }),
        }
    }
}

/// A failure as a record has it.
pub fn words(failure: &Failure) -> String {
    format!("{}: {}", failure.kind.id(), failure.message)
}
