//! Carries agent loops out: a picture, the planner's word on it, the next picture; each kept on disk before it counts.
//!
//! Each trajectory is a chain of calls; the core says which call is due and what it holds. Keys go into headers only.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Map, Promise, Uint8Array};
use juror_agents::{
    AgentBody, AgentKey, AgentPicture, AgentScope, AgentServices, Came, Due, Framework, Kind,
    Record, SUCCESS,
};
use juror_judging::job::{Job, JobLimits, Priced};
use juror_judging::keys::without_keys;
use juror_judging::provider::{self, Failure, FailureKind, Usage};
use juror_judging::spending::Call;
use juror_session::recording::words;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, FormData};

use super::answered::{self, blob};
use super::call::{self, Body, Service};
use super::judge::Filled;
use super::pace::{CallOutcome, Run, Unsent, Work, message_of};
use super::turn::{StartedJob, Who};
use super::{JobPage, Place, Refused, Target, kept, seed, time};
use crate::error;
use crate::session::Open;

#[wasm_bindgen]
extern "C" {
    /// The global one, of a worker as of a page.
    #[wasm_bindgen(catch, js_name = createImageBitmap)]
    fn create_image_bitmap(picture: &Blob) -> Result<Promise, JsValue>;
}

/// What a job of agents needs to know. It has no `Debug`, as it holds the keys.
#[derive(Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AgentSettings {
    /// Which trajectories.
    scope: AgentScope,
    /// Whom to call.
    services: AgentServices,
    /// Never stored.
    planner_key: String,
    /// Never stored.
    generator_key: String,
    /// Hosts besides the generator's own that pictures may be fetched from.
    hosts: Vec<String>,
    /// What bounds the job.
    limits: JobLimits,
}

impl AgentSettings {
    /// Whose job it is.
    pub(super) fn who(&self) -> Who {
        Who::agents(&self.scope.set)
    }
}

/// A call that was given up.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct AgentIncident {
    /// Whose trajectory.
    sample: String,
    /// From 1.
    step: u32,
    /// What it was to bring.
    what: Kind,
    /// Why it did not.
    #[serde(flatten)]
    failure: Failure,
}

struct Task {
    key: AgentKey,
    /// The record of the attempt under way, once it is known.
    record: RefCell<Option<Record>>,
    /// Its last failure was written down with what was paid for.
    told: Cell<bool>,
    /// What was paid for in an earlier job was read again.
    read_again: Cell<bool>,
}

/// The tasks of a job of agents.
pub(super) struct Agents {
    target: Target,
    page: JobPage,
    settings: AgentSettings,
    place: Place,
    tasks: Vec<Task>,
}

/// A job over the trajectories that are not at their end.
pub(super) fn begin(
    open: &Rc<Open>,
    settings: AgentSettings,
    begun: StartedJob,
    loose: Map,
    page: JobPage,
) -> Result<Run<Agents>, Refused> {
    let AgentScope { set, steps, .. } = &settings.scope;
    let plan = juror_session::plan_agents(&open.session.borrow_mut().linked(), &settings.scope);
    if let Some(problem) = plan.problem {
        return Err(Refused::Set(problem));
    }
    let mut tasks = Vec::new();
    let mut lengths = Vec::new();
    for task in plan.tasks {
        lengths.push(u32::try_from(task.calls.len()).unwrap_or(u32::MAX));
        tasks.extend(task.calls.iter().map(|_| Task {
            key: AgentKey {
                set: set.clone(),
                sample: task.sample.clone(),
                steps: *steps,
            },
            record: RefCell::default(),
            told: Cell::default(),
            read_again: Cell::default(),
        }));
    }
    let services = &settings.services;
    let limits = JobLimits {
        max_reply_tokens: provider::most_reply_tokens(services.planner_wire, &services.planner),
        ..settings.limits.clone()
    };
    let priced = match (plan.pictures, plan.plans) {
        (0, _) => Priced::Tokens,
        (_, 0) => Priced::Pictures,
        _ => Priced::Both,
    };
    let job = Job::chained(&lengths, limits, priced, seed())?;
    let work = Agents {
        target: Target::of(open),
        page,
        settings,
        place: Place {
            benchmark: begun.benchmark,
            loose,
        },
        tasks,
    };
    Ok(Run::new(job, work, begun.turn))
}

impl Work for Agents {
    type Incident = AgentIncident;

    fn page(&self) -> &JobPage {
        &self.page
    }

    async fn send(&self, run: &Run<Self>, at: u32) -> Result<(), Unsent> {
        let task = self.task(at);
        task.told.set(false);
        let services = &self.settings.services;
        let needs = self
            .target
            .ask(|session| juror_session::agent_call(&session.linked(), &task.key))??
            .needs;
        self.target.bring(&self.page, needs).await?;
        let body = self
            .target
            .ask(|session| juror_session::agent_body(&session.linked(), &task.key, services))??;
        let Some(body) = body else {
            // Somebody carried it out by hand meanwhile.
            run.answered(at, Usage::default());
            run.job(|job| job.end_chain(at));
            return Ok(());
        };
        task.record.replace(Some(body.record.clone()));
        if let Some(text) = self.readable(at, &body) {
            let came = CallOutcome::with(Some(SUCCESS), None);
            return self.came(run, at, body, &text, came).await;
        }
        let payload = self.payload(&body).await?;
        let pictures = u32::try_from(body.pictures.len()).unwrap_or(u32::MAX);
        let (call, key) = match body.record.kind {
            Kind::Plan => {
                let body = body.json.as_deref().unwrap_or_default();
                (Call::Text { body, pictures }, &self.settings.planner_key)
            }
            Kind::Picture => (Call::Picture, &self.settings.generator_key),
        };
        if !run.job(|job| job.reserve(at, call)) {
            return Ok(());
        }
        let service = Service {
            url: &body.url,
            auth: body.auth,
            key,
            timeout_secs: self.settings.limits.timeout_secs,
        };
        let answer = call::attempt(run, at, &service, payload).await?;
        let Some((text, came)) = answer else {
            return Ok(());
        };
        self.came(run, at, body, &text, came).await
    }

    fn clean(&self, text: &str) -> String {
        let AgentSettings {
            planner_key,
            generator_key,
            ..
        } = &self.settings;
        without_keys(text, &[planner_key, generator_key])
    }

    fn incident(&self, at: u32, failure: &Failure) -> AgentIncident {
        let Task { key, record, .. } = self.task(at);
        let record = record.borrow();
        AgentIncident {
            sample: key.sample.clone(),
            step: record.as_ref().map_or(1, |record| record.step),
            what: record.as_ref().map_or(Kind::Picture, |record| record.kind),
            failure: failure.clone(),
        }
    }

    async fn give_up(&self, run: &Run<Self>, at: u32, failure: &Failure) {
        // The record with what was paid for says it already.
        if self.task(at).told.replace(false) {
            return;
        }
        let Some(record) = self.task(at).record.borrow().clone() else {
            return;
        };
        let record = Record {
            error: Some(words(failure)),
            ..record
        };
        // Once everything was closed there is nobody to tell.
        let _ = self.keep(run, record, None).await;
    }
}

impl Agents {
    fn task(&self, at: u32) -> &Task {
        &self.tasks[at as usize]
    }

    /// What was paid for in an earlier job, where the readers know it by now; once only, so that it is never asked in a circle.
    fn readable(&self, at: u32, body: &AgentBody) -> Option<String> {
        body.paid.as_ref()?;
        let text = body.readable(&self.settings.services);
        let is_first = !self.task(at).read_again.replace(true);
        text.filter(|_| is_first).map(str::to_owned)
    }

    /// An answer came.
    async fn came(
        &self,
        run: &Run<Self>,
        at: u32,
        body: AgentBody,
        text: &str,
        came: CallOutcome,
    ) -> Result<(), Unsent> {
        let services = &self.settings.services;
        let status = came.status.unwrap_or_default();
        let (answer, usage) = services.read(body.record.kind, status, text);
        let (brought, said) = match answer {
            Came::Failed(failure) => {
                let came = came.counted(usage);
                return self.failed(run, at, body, (text, failure), came).await;
            }
            Came::Reply(reply) => {
                let record = Record {
                    reply: self.clean(&reply),
                    ..body.record
                };
                self.keep(run, record, None).await?;
                return self.answered(run, at, usage);
            }
            Came::Picture { base64, said } => (answered::inline(&base64), said),
            Came::Address { url, said } => {
                let AgentSettings { hosts, limits, .. } = &self.settings;
                let allowed = (hosts.as_slice(), limits.timeout_secs);
                let fetched = answered::fetched(&url, &body.url, allowed).await?;
                (fetched, said)
            }
        };
        let paid = CallOutcome::with(came.status, None);
        let bytes = match brought {
            Ok(bytes) => bytes,
            Err(failure) => {
                return self.failed(run, at, body, (text, failure), paid).await;
            }
        };
        if let Some(flaw) = flaw(&bytes).await? {
            return self.failed(run, at, body, (text, flaw), paid).await;
        }
        let record = Record {
            reply: self.clean(&said),
            ..body.record
        };
        let record = record
            .with_picture(&bytes.to_vec())
            .map_err(|cause| Unsent::Bad(cause.to_string()))?;
        self.keep(run, record, Some(bytes)).await?;
        self.answered(run, at, usage)
    }

    /// Nothing could be made of an answer: one that is paid for is written down as it came.
    async fn failed(
        &self,
        run: &Run<Self>,
        at: u32,
        body: AgentBody,
        (text, failure): (&str, Failure),
        came: CallOutcome,
    ) -> Result<(), Unsent> {
        let status = came.status.unwrap_or_default();
        let record = body.unusable(status, (text, &words(&failure)), &|text| self.clean(text));
        if let Some(record) = record {
            self.keep(run, record, None).await?;
            self.task(at).told.set(true);
            self.task(at).read_again.set(true);
        }
        run.fail(at, failure, came).await;
        Ok(())
    }

    /// The body with its pictures in it, each said to be what its bytes are.
    async fn payload(&self, body: &AgentBody) -> Result<Body, Unsent> {
        let mut filled = Filled::new(body.json.as_deref().unwrap_or_default());
        let form = FormData::new()?;
        for (name, value) in &body.fields {
            form.append_with_str(name, value)?;
        }
        for (at, picture) in body.pictures.iter().enumerate() {
            let bytes = self.picture(picture).await?;
            if body.json.is_some() {
                filled.put(&picture.media_token, &picture.token, &picture.path, &bytes)?;
                continue;
            }
            filled.sizes.push(u64::from(bytes.length()));
            answered::add_to_form(&form, &picture.field, (at, &bytes, &picture.path))?;
        }
        let services = &self.settings.services;
        let checked = match body.record.kind {
            Kind::Plan => provider::check_size(services.planner_wire, &filled.sizes),
            Kind::Picture => provider::check_picture_size(services.generator_wire, &filled.sizes),
        };
        checked.map_err(|cause| Unsent::Bad(cause.to_string()))?;
        Ok(match body.json {
            Some(_) => Body::Text(filled.text()),
            None => Body::Form(form),
        })
    }

    /// The bytes of a reference or of a generated picture.
    async fn picture(&self, picture: &AgentPicture) -> Result<Uint8Array, Unsent> {
        if let (Some(sha256), None) = (&picture.sha256, picture.file) {
            let Place { benchmark, loose } = &self.place;
            return Ok(kept::picture_bytes(loose, benchmark, sha256).await?);
        }
        let bytes = self
            .page
            .bytes(picture.file.map_or(-1.0, f64::from))
            .await?;
        Ok(bytes.into())
    }

    fn answered(&self, run: &Run<Self>, at: u32, usage: Usage) -> Result<(), Unsent> {
        run.answered(at, usage);
        let key = &self.task(at).key;
        if key.set.framework == Framework::Sra {
            let call = self
                .target
                .ask(|session| juror_session::agent_call(&session.linked(), key))??;
            if matches!(call.due, Due::Stopped { .. }) {
                run.job(|job| job.end_chain(at));
            }
        }
        run.tell();
        Ok(())
    }

    /// Writes a call down; one that cannot be kept is still handed to the session, and the job stops.
    async fn keep(
        &self,
        run: &Run<Self>,
        record: Record,
        bytes: Option<Uint8Array>,
    ) -> Result<(), Unsent> {
        let record = record.ended(time(), &|text| self.clean(text));
        if let Err(cause) = kept::keep_call(&self.place.benchmark, &record, bytes.as_ref()).await {
            if let (Some(made), Some(bytes)) = (&record.picture, &bytes) {
                let picture = kept::blob_of(bytes)?;
                self.place
                    .loose
                    .set(&made.sha256.as_str().into(), &picture.into());
            }
            run.stop(message_of(&cause));
        }
        self.target
            .ask(|session| juror_session::add_trajectories(session, vec![record]))?;
        self.page.came();
        Ok(())
    }
}

/// Why bytes are no whole picture; whoever looks at a trajectory later must not find half of one.
async fn flaw(bytes: &Uint8Array) -> Result<Option<Failure>, JsValue> {
    let picture = create_image_bitmap(&blob(bytes, "")?);
    let decoded = match picture {
        Ok(promise) => JsFuture::from(promise).await,
        Err(cause) => Err(cause),
    };
    Ok(match decoded {
        Ok(bitmap) => {
            // Its memory is given back now, not when it is collected.
            bitmap.unchecked_into::<web_sys::ImageBitmap>().close();
            None
        }
        Err(_) => Some(Failure {
            kind: FailureKind::BadPicture,
            message: format!(
                "Expected a picture, found {} bytes that the browser cannot decode.",
                bytes.length()
            ),
        }),
    })
}

/// Keeps what a person brings for the call that is due: the planner's reply as a text, or the picture as a `Blob`.
pub(super) async fn hand(
    target: &Target,
    key: &AgentKey,
    brought: JsValue,
    benchmark: &str,
) -> Result<(), JsValue> {
    let call = target.ask(|session| juror_session::agent_call(&session.linked(), key))?;
    let record = call.map_err(|cause| error(cause.code(), &cause.to_string()))?;
    let reply = brought.as_string();
    let Some(record) = (record.record).filter(|due| (due.kind == Kind::Plan) == reply.is_some())
    else {
        return Err(error(
            "not_due",
            "Another call is due here now; look again.",
        ));
    };
    let record = Record {
        time: time(),
        by: "hand".to_owned(),
        ..record
    };
    let (record, bytes) = if let Some(reply) = reply {
        (Record { reply, ..record }, None)
    } else {
        let bytes = JsFuture::from(brought.dyn_into::<Blob>()?.array_buffer()).await?;
        let bytes = Uint8Array::new(&bytes);
        if let Some(flaw) = flaw(&bytes).await? {
            return Err(error(flaw.kind.id(), &flaw.message));
        }
        let record = record.with_picture(&bytes.to_vec());
        let record = record.map_err(|cause| error("bad_picture", &cause.to_string()))?;
        (record, Some(bytes))
    };
    kept::keep_call(benchmark, &record, bytes.as_ref()).await?;
    Ok(target.ask(|session| juror_session::add_trajectories(session, vec![record]))?)
}
