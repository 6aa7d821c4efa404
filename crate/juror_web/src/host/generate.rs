//! Carries a generator's job out: what a benchmark gives it for each turn is sent, and its pictures or texts become a model's
//! outputs, each kept on disk with its record before it counts.
//!
//! The pictures of a dialogue follow each other where later turns are shown earlier ones. The key goes into a header only.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use js_sys::{Map, Reflect, Uint8Array};
use juror_judging::generating::{HashedPart, Record, State, request_hash};
use juror_judging::job::{Job, JobLimits};
use juror_judging::keys::without_keys;
use juror_judging::picture_marks;
use juror_judging::provider::{
    self, Answer, Content, Failure, FailureKind, Message, Payload, PictureAnswer, Usage, chat_of,
    check_picture_size, check_size, most_reply_tokens, payload_of, picture_auth, picture_url,
    read_picture, read_whole_or_cut,
};
use juror_judging::spending::{Call, Priced};
use juror_model::judge::Params;
use juror_model::prompt::sha256;
use juror_model::request::Treatment;
use juror_reading::count::counted;
use juror_session::generating::{GenerateScope, GeneratorCall, OutputTask};
use juror_session::input_folder::{GeneratorRequest, InputPicture, RequestedPart};
use juror_session::recording::words;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use web_sys::FormData;

use super::call::{self, Body, Service};
use super::judge::{Filled, is_taken};
use super::pace::{CallOutcome, Run, Unsent, Work, message_of, now};
use super::turn::{StartedJob, Who};
use super::{JobPage, Place, Refused, Target, answered, kept, seed, time};
use crate::session::{Open, to_js};

/// What a generator's job needs to know. It has no `Debug`, as it holds the key.
#[derive(Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GenerateSettings {
    /// Which outputs.
    scope: GenerateScope,
    /// Address of the service; the provider's own if empty.
    base: String,
    /// Never stored.
    key: String,
    /// Hosts besides the service's own that pictures may be fetched from.
    hosts: Vec<String>,
    /// What bounds the job.
    limits: JobLimits,
}

impl GenerateSettings {
    /// Whose job it is.
    pub(super) fn who(&self) -> Who {
        Who::generator(&self.scope.model())
    }
}

/// A request that was given up.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct GenerateIncident {
    /// Whose turn.
    sample: String,
    /// From 0.
    turn: u32,
    /// Why there is no picture.
    #[serde(flatten)]
    failure: Failure,
}

/// The tasks of a generator's job.
pub(super) struct Generating {
    target: Target,
    page: JobPage,
    settings: GenerateSettings,
    place: Place,
    /// Whether later turns are shown earlier pictures.
    is_own: bool,
    /// Whether nothing is shown that the model has not made.
    stops: bool,
    tasks: Vec<OutputTask>,
    /// What every record says.
    head: Record,
    /// What is known of calls that brought no picture.
    tried: RefCell<BTreeMap<u32, Record>>,
}

/// A picture as it is sent.
struct Sent {
    bytes: Uint8Array,
    sha256: String,
}

/// A job over the pictures that are not there.
pub(super) fn begin(
    open: &Rc<Open>,
    settings: GenerateSettings,
    begun: StartedJob,
    loose: Map,
    page: JobPage,
) -> Result<Run<Generating>, Refused> {
    let scope = &settings.scope;
    let (plan, is_own, head) = {
        let session = &mut open.session.borrow_mut();
        let plan = juror_session::generating::generate_tasks(session, scope);
        let url = picture_url(scope.wire, &settings.base, &scope.params.model, 0);
        let host = web_sys::Url::new(&url).map_or(String::new(), |url| url.host());
        let head = juror_session::generating::generated_head(session, scope, &host);
        let level = scope.level.as_ref();
        let is_own = juror_session::generating::shows_own_outputs(session, level);
        (plan, is_own, head)
    };
    let plan = plan.map_err(|cause| Refused::Outputs(cause.to_string()))?;
    if let Some((first, why)) = plan.changed.first() {
        let count = u32::try_from(plan.changed.len()).unwrap_or(u32::MAX);
        return Err(Refused::Outputs(format!(
            "{} of {} cannot be kept as this job would have them (the first is {first}: {why}). Nothing was sent: tick “Ask again” to replace them, or write another name.",
            counted(count, "picture", "pictures"),
            head.model
        )));
    }
    let length = |chain: &Vec<OutputTask>| u32::try_from(chain.len()).unwrap_or(u32::MAX);
    let mut chains = plan.chains;
    chains.extend(plan.texts.into_iter().map(|task| vec![task]));
    if !is_own {
        // Nothing waits for anything.
        chains = chains
            .into_iter()
            .flatten()
            .map(|task| vec![task])
            .collect();
    }
    let lengths: Vec<u32> = chains.iter().map(length).collect();
    let (priced, max_reply_tokens) = if scope.texts {
        let most = most_reply_tokens(scope.wire.wire(), &scope.params);
        (Priced::Tokens, most)
    } else {
        (Priced::Pictures, None)
    };
    let limits = JobLimits {
        max_reply_tokens,
        ..settings.limits.clone()
    };
    let job = Job::chained(&lengths, limits, priced, seed())?;
    let stops = is_own && !scope.goes_on;
    let job = if stops { job } else { job.going_on() };
    let params = without_key(&head.params, &settings.key);
    let work = Generating {
        target: Target::of(open),
        page,
        place: Place {
            benchmark: begun.benchmark,
            loose,
        },
        is_own,
        stops,
        tasks: chains.into_iter().flatten().collect(),
        head: Record { params, ..head },
        settings,
        tried: RefCell::default(),
    };
    Ok(Run::new(job, work, begun.turn))
}

/// Parameters without the key in them.
fn without_key(params: &Params, key: &str) -> Params {
    let text = serde_json::to_string(params).unwrap_or_default();
    serde_json::from_str(&without_keys(&text, &[key])).unwrap_or_else(|_| params.clone())
}

impl Work for Generating {
    type Incident = GenerateIncident;

    fn page(&self) -> &JobPage {
        &self.page
    }

    async fn send(&self, run: &Run<Self>, at: u32) -> Result<(), Unsent> {
        let key = &self.task(at).key;
        let asked = self.target.ask(|session| {
            let call = juror_session::generating::generator_call(&session.linked(), key);
            let request = juror_session::input_folder::generator_request(session, &call.input);
            request.map(|request| (call, request))
        })?;
        let (call, request) = asked.map_err(|cause| Unsent::Bad(cause.to_string()))?;
        let GenerateScope {
            wire,
            params,
            texts,
            ..
        } = &self.settings.scope;
        let wire = *wire;
        if *texts && self.stops && !call.stand_ins.is_empty() {
            return Err(Unsent::Bad(UNMADE.to_owned()));
        }
        let mut sent = Vec::new();
        for picture in &request.pictures {
            sent.push(self.picture(picture).await?);
        }
        let sizes: Vec<u64> =
            (pictures_of(&request).map(|at| u64::from(sent[at].bytes.length()))).collect();
        let checked = if *texts {
            check_size(wire.wire(), &sizes)
        } else {
            check_picture_size(wire, &sizes)
        };
        checked.map_err(|cause| Unsent::Bad(cause.to_string()))?;
        let (payload, words) = self.payload(&request, &sent)?;
        let cost = match &words {
            None => Call::Picture,
            Some(body) => Call::Text {
                body,
                pictures: u32::try_from(sizes.len()).unwrap_or(u32::MAX),
            },
        };
        if !run.job(|job| job.reserve(at, cost)) {
            return Ok(());
        }
        let (url, auth) = if *texts {
            let url = provider::url(wire.wire(), &self.settings.base, &params.model);
            (url, provider::auth(wire.wire()))
        } else {
            let url = picture_url(wire, &self.settings.base, &params.model, sizes.len());
            (url, picture_auth(wire))
        };
        let service = Service {
            url: &url,
            auth,
            key: &self.settings.key,
            timeout_secs: self.settings.limits.timeout_secs,
        };
        let record = Record {
            request: self.hash(&request, &sent),
            leaked: !call.stand_ins.is_empty(),
            ..self.record(at, &call)
        };
        self.tried.borrow_mut().insert(at, record.clone());
        let began = now();
        let answer = call::attempt(run, at, &service, payload).await?;
        let Some((text, came)) = answer else {
            return Ok(());
        };
        let record = Record {
            seconds: ((now() - began).round() / 1000.0),
            time: time(),
            ..record
        };
        self.came(run, (at, record), (service.url, &text), came)
            .await
    }

    fn clean(&self, text: &str) -> String {
        without_keys(text, &[&self.settings.key])
    }

    fn incident(&self, at: u32, failure: &Failure) -> GenerateIncident {
        let key = &self.task(at).key;
        GenerateIncident {
            sample: key.sample.clone(),
            turn: key.turn,
            failure: failure.clone(),
        }
    }

    async fn give_up(&self, run: &Run<Self>, at: u32, failure: &Failure) {
        let tried = self.tried.borrow_mut().remove(&at);
        let key = &self.task(at).key;
        let record = tried.unwrap_or_else(|| Record {
            sample: key.sample.clone(),
            turn: key.turn,
            ..self.head.clone()
        });
        let record = Record {
            state: State::GivenUp,
            time: time(),
            kind: Some(failure.kind),
            error: Some(words(failure)),
            ..record
        };
        // Once everything was closed there is nobody to tell.
        let _ = self.keep(run, record, None).await;
    }
}

/// Why a text is not asked for.
const UNMADE: &str = "It is asked about pictures that the model has not made: make those first, or tick “Go on with the data set’s picture”.";

/// Positions of the pictures of a request, as its messages show them.
fn pictures_of(request: &GeneratorRequest) -> impl Iterator<Item = usize> {
    let parts = request.messages.iter().flat_map(|(_, parts)| parts);
    parts.filter_map(|part| match part {
        RequestedPart::Picture(at) => Some(*at),
        RequestedPart::Text(_) => None,
    })
}

impl Generating {
    fn task(&self, at: u32) -> &OutputTask {
        &self.tasks[at as usize]
    }

    /// What a record says of a task whatever comes of it.
    fn record(&self, at: u32, call: &GeneratorCall) -> Record {
        let key = &self.task(at).key;
        Record {
            sample: key.sample.clone(),
            turn: key.turn,
            file: call.place.clone(),
            ..self.head.clone()
        }
    }

    /// A picture in a form that the service takes.
    async fn picture(&self, picture: &InputPicture) -> Result<Sent, Unsent> {
        let files = &picture.files;
        let bytes: Uint8Array = if picture.is_row {
            self.page.row(files.clone()).await?.into()
        } else {
            let (file, other) = (files.first().copied(), files.get(1).copied());
            let treatment = to_js(&picture.treatment)?;
            let bytes: Uint8Array = self.page.picture(file, treatment, other).await?.into();
            let wire = self.settings.scope.wire.wire();
            if is_taken(wire, &bytes, &picture.place) {
                bytes
            } else {
                // As PNG, of one that moves the first frame; what cannot be converted is not sent, and nothing is paid.
                let as_png = to_js(&Treatment::RgbaPng)?;
                self.page.picture(file, as_png, None).await?.into()
            }
        };
        Ok(Sent {
            sha256: sha256(&bytes.to_vec()),
            bytes,
        })
    }

    /// The hash by which the request is known.
    fn hash(&self, request: &GeneratorRequest, sent: &[Sent]) -> String {
        let hashed = |part: &RequestedPart| match part {
            RequestedPart::Text(text) => HashedPart::Text(text.clone()),
            RequestedPart::Picture(at) => HashedPart::Picture(sent[*at].sha256.clone()),
        };
        let messages = request.messages.iter();
        let messages: Vec<(String, Vec<HashedPart>)> = messages
            .map(|(role, parts)| (role.clone(), parts.iter().map(hashed).collect()))
            .collect();
        let GenerateScope { wire, params, .. } = &self.settings.scope;
        request_hash(*wire, params, &messages)
    }

    /// The body with its pictures in it, each said to be what its bytes are; of a call for a text also the body without them.
    fn payload(
        &self,
        request: &GeneratorRequest,
        sent: &[Sent],
    ) -> Result<(Body, Option<String>), Unsent> {
        let texts = request.messages.iter().flat_map(|(_, parts)| parts);
        let texts = texts.filter_map(|part| match part {
            RequestedPart::Text(text) => Some(text.as_str()),
            RequestedPart::Picture(_) => None,
        });
        let marks = picture_marks(&texts);
        let shown: Vec<usize> = pictures_of(request).collect();
        let tokens: Vec<(String, String)> = (0..shown.len()).map(|at| marks.of(at)).collect();
        let mut next = tokens.iter();
        let messages: Vec<Message<'_>> = (request.messages.iter())
            .map(|(role, parts)| Message {
                role,
                parts: (parts.iter())
                    .map(|part| match part {
                        RequestedPart::Text(text) => Content::Text(text),
                        RequestedPart::Picture(_) => {
                            let (token, media_token) =
                                next.next().map_or(("", ""), |(a, b)| (a, b));
                            Content::Image {
                                media_type: media_token,
                                base64: token,
                            }
                        }
                    })
                    .collect(),
            })
            .collect();
        let GenerateScope {
            wire,
            params,
            texts,
            ..
        } = &self.settings.scope;
        let payload = if *texts {
            Payload::Json(chat_of(wire.wire(), params, &messages))
        } else {
            payload_of(*wire, params, &messages)
        };
        match payload {
            Payload::Json(body) => {
                let body = body.to_string();
                let mut filled = Filled::new(&body);
                for (at, (token, media_token)) in shown.iter().zip(&tokens) {
                    let path = &request.pictures[*at].place;
                    filled.put(media_token, token, path, &sent[*at].bytes)?;
                }
                Ok((Body::Text(filled.text()), texts.then_some(body)))
            }
            Payload::Form { fields, field } => {
                let form = FormData::new()?;
                for (name, value) in &fields {
                    form.append_with_str(name, value)?;
                }
                for (number, at) in shown.iter().enumerate() {
                    let path = request.pictures[*at].place.as_str();
                    answered::add_to_form(&form, field, (number, &sent[*at].bytes, path))?;
                }
                Ok((Body::Form(form), None))
            }
        }
    }

    /// An answer came.
    async fn came(
        &self,
        run: &Run<Self>,
        (at, record): (u32, Record),
        (service, text): (&str, &str),
        came: CallOutcome,
    ) -> Result<(), Unsent> {
        let status = came.status.unwrap_or_default();
        if self.settings.scope.texts {
            return self.came_text(run, (at, record), text, came).await;
        }
        let answer = read_picture(self.settings.scope.wire, status, text);
        let (bytes, said, usage) = match answer {
            PictureAnswer::Failed(failure) => {
                return self.failed(run, (at, record), failure, came).await;
            }
            PictureAnswer::Picture {
                base64,
                url,
                text,
                input_tokens,
                output_tokens,
            } => {
                let tokens = |count: Option<u64>| count.map(|count| count as f64);
                let usage = Usage {
                    input_tokens: tokens(input_tokens),
                    output_tokens: tokens(output_tokens),
                };
                let GenerateSettings { hosts, limits, .. } = &self.settings;
                let bytes = if url.is_empty() {
                    answered::inline(&base64)
                } else {
                    answered::fetched(&url, service, (hosts, limits.timeout_secs)).await?
                };
                (bytes, text, usage)
            }
        };
        let came = came.counted(usage);
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(failure) => return self.failed(run, (at, record), failure, came).await,
        };
        let (bytes, came_as) = match self.fitted(bytes, &record.file).await {
            Ok(fitted) => fitted,
            Err(cause) => {
                let failure = Failure {
                    kind: FailureKind::BadPicture,
                    message: message_of(&cause),
                };
                return self.failed(run, (at, record), failure, came).await;
            }
        };
        let record = Record {
            came_as,
            text: self.clean(&said),
            ..record
        };
        self.made(run, (at, record), bytes, usage).await?;
        if self.is_own {
            // The next turn may be shown it.
            self.page.list();
        }
        Ok(())
    }

    /// An answer came that is to be a text.
    async fn came_text(
        &self,
        run: &Run<Self>,
        (at, record): (u32, Record),
        text: &str,
        came: CallOutcome,
    ) -> Result<(), Unsent> {
        let wire = self.settings.scope.wire.wire();
        let (answer, is_cut) = read_whole_or_cut(wire, came.status.unwrap_or_default(), text);
        let usage = provider::usage(wire, text);
        match answer {
            Answer::Failed(failure) => {
                let came = came.counted(usage);
                self.failed(run, (at, record), failure, came).await
            }
            Answer::Reply { text, .. } => {
                let bytes = Uint8Array::from(self.clean(&text).as_bytes());
                let record = Record {
                    cut: is_cut,
                    ..record
                };
                self.made(run, (at, record), bytes, usage).await
            }
        }
    }

    /// An output is there: it is kept, and the job has its answer.
    async fn made(
        &self,
        run: &Run<Self>,
        (at, record): (u32, Record),
        bytes: Uint8Array,
        usage: Usage,
    ) -> Result<(), Unsent> {
        let record = Record {
            state: State::Made,
            sha256: sha256(&bytes.to_vec()),
            ..record
        };
        self.tried.borrow_mut().remove(&at);
        self.keep(run, record, Some(bytes)).await?;
        self.page.came();
        run.answered(at, usage);
        run.tell();
        Ok(())
    }

    /// A picture in the format of its file's name, and the format that it came in where that is another one.
    async fn fitted(&self, bytes: Uint8Array, name: &str) -> Result<(Uint8Array, String), JsValue> {
        let fitted = self.page.fit(bytes, name).await?;
        let came_as = Reflect::get(&fitted, &"came_as".into())?;
        let bytes = Reflect::get(&fitted, &"bytes".into())?;
        Ok((bytes.into(), came_as.as_string().unwrap_or_default()))
    }

    /// An answer was no picture: one that is paid for is written down.
    async fn failed(
        &self,
        run: &Run<Self>,
        (at, record): (u32, Record),
        failure: Failure,
        came: CallOutcome,
    ) -> Result<(), Unsent> {
        let record = Record {
            file: String::new(),
            ..record
        };
        if came.is_paid() {
            let failed = Record {
                kind: Some(failure.kind),
                error: Some(self.clean(&words(&failure))),
                ..record.clone()
            };
            self.keep(run, failed, None).await?;
        }
        self.tried.borrow_mut().insert(at, record);
        run.fail(at, failure, came).await;
        Ok(())
    }

    /// Writes a record down; one that cannot be kept is still handed to the session, and the job stops.
    async fn keep(
        &self,
        run: &Run<Self>,
        record: Record,
        bytes: Option<Uint8Array>,
    ) -> Result<(), Unsent> {
        let kept = kept::keep_generated(&self.place.benchmark, &record, bytes.as_ref()).await;
        if let Err(cause) = kept {
            if let Some(bytes) = &bytes {
                let picture = kept::blob_of(bytes)?;
                self.place
                    .loose
                    .set(&record.sha256.as_str().into(), &picture.into());
            }
            run.stop(message_of(&cause));
        }
        self.target.ask(|session| {
            juror_session::generating::add_generated(session, vec![record]);
        })?;
        Ok(())
    }
}
