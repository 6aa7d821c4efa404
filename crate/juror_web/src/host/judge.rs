//! Carries a judging job out: what to send, what came back, what is written down of it.
//!
//! The key goes into a header and nowhere else. A reply is on disk before it counts; what ended is never sent again.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use js_sys::{Array, JsString, Uint8Array};
use juror_judging::job::{Job, JobLimits};
use juror_judging::journal::Record;
use juror_judging::provider::{self, Failure};
use juror_judging::spending::Call;
use juror_model::judge::{Params, Wire};
use juror_model::request::{RequestKey, Treatment};
use juror_session::recording::Recorder;
use juror_session::view::{JobBody, JobScope, JobTask};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use super::call::{self, Body, Service};
use super::pace::{Run, Unsent, Work, message_of, now};
use super::turn::{StartedJob, Who};
use super::{JobPage, Refused, Target, base64, kept, seed, time};
use crate::session::{Open, to_js};

/// How often the page is told that replies changed the scores.
const JUDGED_EVERY_MS: f64 = 2000.0;
/// Enough to tell what a picture is.
const SNIFFED_BYTES: u32 = 64;

/// What a judging job needs to know besides what to ask. It has no `Debug`, as it holds the key.
#[derive(Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct JobSettings {
    /// How the service is spoken to.
    wire: Wire,
    /// Address of the service; empty for the provider's own.
    base: String,
    /// Never stored.
    key: String,
    /// What the judge is asked with.
    params: Params,
    /// What bounds the job.
    limits: JobLimits,
    /// What is asked.
    scope: JobScope,
    /// Judged requests that are asked again first, only to be compared.
    anchors: u32,
    /// Nothing but those.
    anchors_only: bool,
}

impl JobSettings {
    /// Whose job it is.
    pub(super) fn who(&self) -> Who {
        Who::judge(&self.scope.judge)
    }
}

/// A request that ended without a reply.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct JobIncident {
    /// Which request.
    #[serde(flatten)]
    key: RequestKey,
    /// Which repeat, from 1.
    run: u32,
    /// Why.
    #[serde(flatten)]
    failure: Failure,
}

/// The tasks of a judging job.
pub(super) struct Judging {
    target: Target,
    page: JobPage,
    settings: JobSettings,
    /// What replies are kept under.
    benchmark: String,
    tasks: Vec<JobTask>,
    recorder: Recorder,
    /// When the page was last told that the scores changed.
    judged: Cell<f64>,
    /// Tasks whose last failure was written down with what was paid for.
    told: RefCell<BTreeSet<u32>>,
}

/// A job over what is asked of this session.
pub(super) fn begin(
    open: &Rc<Open>,
    settings: JobSettings,
    begun: StartedJob,
    page: JobPage,
) -> Result<Run<Judging>, Refused> {
    let (tasks, head) = {
        let session = &mut open.session.borrow_mut();
        let mut tasks = match settings.anchors {
            0 => Vec::new(),
            anchors => juror_session::plan_anchors(&session.linked(), &settings.scope, anchors),
        };
        if !settings.anchors_only {
            tasks.extend(juror_session::plan_job(&session.linked(), &settings.scope).tasks);
        }
        (tasks, juror_session::record_head(session))
    };
    let limits = JobLimits {
        max_reply_tokens: provider::most_reply_tokens(settings.wire, &settings.params),
        ..settings.limits.clone()
    };
    let count = u32::try_from(tasks.len()).unwrap_or(u32::MAX);
    let job = Job::new(count, limits, seed())?;
    let work = Judging {
        target: Target::of(open),
        page,
        recorder: Recorder::new(
            head,
            &settings.scope.judge,
            (settings.wire, &settings.params),
            &settings.key,
        )
        .begun(time()),
        settings,
        benchmark: begun.benchmark,
        tasks,
        judged: Cell::new(f64::NEG_INFINITY),
        told: RefCell::default(),
    };
    Ok(Run::new(job, work, begun.turn))
}

impl Work for Judging {
    type Incident = JobIncident;

    fn page(&self) -> &JobPage {
        &self.page
    }

    async fn send(&self, run: &Run<Self>, at: u32) -> Result<(), Unsent> {
        let JobSettings {
            wire, base, params, ..
        } = &self.settings;
        let task = self.task(at);
        self.told.borrow_mut().remove(&at);
        let needs = self
            .target
            .ask(|session| juror_session::request(&session.linked(), &task.key))??
            .needs;
        self.target.bring(&self.page, needs).await?;
        let body = self.target.ask(|session| {
            juror_session::job_body(&session.linked(), &task.key, *wire, params)
        })??;
        let filled = self.filled(&body).await?;
        provider::check_size(*wire, &filled.sizes)
            .map_err(|cause| Unsent::Bad(cause.to_string()))?;
        let pictures = u32::try_from(body.pictures.len()).unwrap_or(u32::MAX);
        let call = Call::Text {
            body: &body.text,
            pictures,
        };
        if !run.job(|job| job.reserve(at, call)) {
            return Ok(());
        }
        let service = Service {
            url: &provider::url(*wire, base, &params.model),
            auth: provider::auth(*wire),
            key: &self.settings.key,
            timeout_secs: self.settings.limits.timeout_secs,
        };
        let answer = call::attempt(run, at, &service, Body::Text(filled.text())).await?;
        let Some((text, came)) = answer else {
            return Ok(());
        };
        let status = came.status.unwrap_or_default();
        let recorded = (self.recorder).answer((task, &body), (status, &text), time());
        if let Some(record) = recorded.record {
            self.keep(run, record).await;
        }
        if let Some(failure) = recorded.failure {
            if came.is_paid() {
                self.told.borrow_mut().insert(at);
            }
            run.fail(at, failure, came.counted(recorded.usage)).await;
        } else {
            run.answered(at, recorded.usage);
            run.tell();
        }
        Ok(())
    }

    fn clean(&self, text: &str) -> String {
        self.recorder.clean(text)
    }

    fn incident(&self, at: u32, failure: &Failure) -> JobIncident {
        let JobTask { key, run, .. } = self.task(at);
        JobIncident {
            key: key.clone(),
            run: *run,
            failure: failure.clone(),
        }
    }

    async fn give_up(&self, run: &Run<Self>, at: u32, failure: &Failure) {
        // The record with what was paid for says it already.
        if self.told.borrow_mut().remove(&at) {
            return;
        }
        let record = (self.recorder).given_up(self.task(at), failure, time());
        self.keep(run, record).await;
    }
}

impl Judging {
    fn task(&self, at: u32) -> &JobTask {
        &self.tasks[at as usize]
    }

    /// The body with its pictures in it, each in a form that the service takes.
    async fn filled(&self, body: &JobBody) -> Result<Filled, Unsent> {
        let mut filled = Filled::new(&body.text);
        for picture in &body.pictures {
            let treatment = to_js(&picture.treatment)?;
            let brought = self
                .page
                .picture(picture.file, treatment, picture.other)
                .await?;
            let mut bytes: Uint8Array = brought.into();
            if !is_taken(self.settings.wire, &bytes, &picture.path) {
                // As PNG, of one that moves the first frame; what cannot be converted is not sent, and nothing is paid.
                let as_png = to_js(&Treatment::RgbaPng)?;
                bytes = self.page.picture(picture.file, as_png, None).await?.into();
            }
            filled.put(&picture.media_token, &picture.token, &picture.path, &bytes)?;
        }
        Ok(filled)
    }

    /// Writes a record down; a reply that cannot be kept is still handed to the session, and the job stops.
    async fn keep(&self, run: &Run<Self>, record: Record) {
        let kept = kept::keep_replies(&self.benchmark, std::slice::from_ref(&record)).await;
        if let Err(cause) = kept {
            run.stop(message_of(&cause));
        }
        // Once everything was closed there is nobody to tell.
        let Ok(open) = self.target.open() else {
            return;
        };
        open.fresh.borrow_mut().push(record);
        if now() - self.judged.get() >= JUDGED_EVERY_MS {
            self.judged.set(now());
            self.page.came();
        }
    }
}

/// A body that gets its pictures: their base64 is put in by the browser, as Wasm's memory never shrinks again.
pub(super) struct Filled {
    text: String,
    /// What stands for a picture's base64, and that base64.
    pictures: Vec<(String, JsString)>,
    /// Bytes of each picture.
    pub(super) sizes: Vec<u64>,
}

impl Filled {
    pub(super) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            pictures: Vec::new(),
            sizes: Vec::new(),
        }
    }

    /// Puts a picture in. What the bytes are is told by them, whatever the file is called: services refuse a picture that
    /// is not what it says.
    pub(super) fn put(
        &mut self,
        media_token: &str,
        token: &str,
        path: &str,
        bytes: &Uint8Array,
    ) -> Result<(), JsValue> {
        self.sizes.push(u64::from(bytes.length()));
        self.text = self.text.replacen(media_token, sniffed(bytes, path), 1);
        self.pictures
            .push((token.to_owned(), base64::encoded(bytes)?));
        Ok(())
    }

    /// The body as it is sent.
    pub(super) fn text(&self) -> JsString {
        let mut places: Vec<(usize, &str, &JsString)> = (self.pictures.iter())
            .filter_map(|(token, base64)| Some((self.text.find(token)?, token.as_str(), base64)))
            .collect();
        places.sort_by_key(|(place, ..)| *place);
        let parts = Array::new();
        let mut from = 0;
        for (place, token, base64) in places {
            parts.push(&JsValue::from_str(&self.text[from..place]));
            parts.push(base64);
            from = place + token.len();
        }
        parts.push(&JsValue::from_str(&self.text[from..]));
        parts.join("")
    }
}

/// The media type of a picture by its first bytes; by the ending of its path where they tell none.
pub(super) fn sniffed(bytes: &Uint8Array, path: &str) -> &'static str {
    let head = bytes.subarray(0, SNIFFED_BYTES.min(bytes.length()));
    juror_image::media_type(&head.to_vec()).unwrap_or_else(|| provider::media_type_of(path))
}

/// Whether a service takes a picture as it is.
pub(super) fn is_taken(wire: Wire, bytes: &Uint8Array, path: &str) -> bool {
    let media_type = sniffed(bytes, path);
    // Only of these two the whole file tells whether it moves.
    let may_move = matches!(media_type, "image/gif" | "image/webp");
    let is_moving = may_move && juror_image::is_moving(&bytes.to_vec());
    provider::takes(wire, media_type, is_moving)
}
