//! Calls that are due as lines of batch files, and what came back.

use std::collections::BTreeMap;

use juror_judging::base64;
use juror_judging::batch::{Engine, Split, request_line};
use juror_judging::provider::{
    self, Answer, Content, Payload, PictureAnswer, PictureWire, payload, read_picture,
};
use juror_model::judge::{Params, Wire};
use juror_model::prompt::sha256;
use serde_json::Value;

use crate::{Copied, Error, Making, PromptPart, Reply, Request, Wanted, bytes_of_base64};

/// What stands before a request's hash in the id of a line.
const ID: &str = "juror-make/";

/// A batch file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchFile {
    /// One call on each line.
    pub text: String,
    /// How many.
    pub calls: usize,
}

/// What a file of replies came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Replies that were taken in.
    pub taken: usize,
    /// Calls that failed, and stay due.
    pub failed: usize,
    /// Replies to calls that are not due; they are left.
    pub unknown: usize,
}

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            taken,
            failed,
            unknown,
        } = self;
        let counted = |number: usize, one: &str, many: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {many}"),
        };
        f.write_str(&counted(*taken, "reply", "replies"))?;
        if *failed > 0 {
            let told = counted(
                *failed,
                "call failed and stays due",
                "calls failed and stay due",
            );
            write!(f, "; {told}")?;
        }
        if *unknown > 0 {
            let told = counted(
                *unknown,
                "line is of a call that is not due and was left",
                "lines are of calls that are not due and were left",
            );
            write!(f, "; {told}")?;
        }
        Ok(())
    }
}

/// Calls that become lines of batch files, within the engine's limits.
#[derive(Clone, Debug)]
pub struct Batch {
    engine: Engine,
    params: Params,
    split: Split,
}

impl Batch {
    /// For this engine, with these parameters.
    ///
    /// # Errors
    /// A parameter is one that calls fill themselves, or the model has no name.
    pub fn new(engine: Engine, params: Params) -> Result<Self, Error> {
        let bad = |error: juror_model::error::Error| Error::Call(error.to_string());
        params.check(engine.wire()).map_err(bad)?;
        Ok(Self {
            engine,
            params,
            split: Split::new(engine),
        })
    }

    /// The line of a call with the number of its file, from 1; `bytes` gives a picture of the project's folder by its path.
    ///
    /// # Errors
    /// A picture is not there or cannot be sent, or the call takes a form, which no batch file can hold.
    pub fn line(
        &mut self,
        request: &Request,
        bytes: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<(u32, String), Error> {
        let line = line(self.engine, request, &self.params, bytes)?;
        let number = self.split.place(line.len() as u64);
        Ok((
            number.map_err(|error| Error::Call(error.to_string()))?,
            line,
        ))
    }
}

/// Calls as batch files.
///
/// # Errors
/// Those of [`Batch`].
pub fn batch(
    due: &[Request],
    engine: Engine,
    params: &Params,
    mut bytes: impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Vec<BatchFile>, Error> {
    let mut batch = Batch::new(engine, params.clone())?;
    let mut files: BTreeMap<u32, BatchFile> = BTreeMap::new();
    for request in due {
        let (number, line) = batch.line(request, &mut bytes)?;
        let file = files.entry(number).or_default();
        file.text += &line;
        file.calls += 1;
    }
    Ok(files.into_values().collect())
}

fn line(
    engine: Engine,
    request: &Request,
    params: &Params,
    bytes: impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<String, Error> {
    let id = format!("{ID}{}", request.sha256());
    let Payload::Json(body) = body(engine.wire(), request, params, bytes)? else {
        return Err(Error::Call(format!(
            "{} needs a form, which a batch file cannot hold",
            request.title()
        )));
    };
    let url = match &request.wanted {
        Wanted::Text => "/v1/chat/completions",
        Wanted::Picture { .. } => "/v1/images/generations",
    };
    Ok(request_line(engine, &id, url, &body))
}

/// What is sent for a call.
///
/// # Errors
/// A picture is not there or cannot be sent, or the service makes no pictures.
fn body(
    wire: Wire,
    request: &Request,
    params: &Params,
    mut bytes: impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Payload, Error> {
    if let Wanted::Picture { .. } = request.wanted {
        let wire = picture_wire(wire)?;
        let mut shown = Vec::new();
        for part in &request.parts {
            // A person cuts panels; no service is shown them.
            if let PromptPart::Picture { path, .. } = part
                && request.kind != "crop"
            {
                shown.push(sendable(path, &mut bytes)?);
            }
        }
        let shown: Vec<(&str, &str)> = shown
            .iter()
            .map(|(media_type, base64)| (*media_type, base64.as_str()))
            .collect();
        return Ok(payload(wire, params, &request.prompt(), &shown));
    }
    let mut pictures: BTreeMap<&str, (&'static str, String)> = BTreeMap::new();
    for part in &request.parts {
        if let PromptPart::Picture { path, .. } = part {
            pictures.insert(path, sendable(path, &mut bytes)?);
        }
    }
    let content = request.parts.iter().filter_map(|part| match part {
        PromptPart::Text { text } => Some(Content::Text(text)),
        PromptPart::Picture { path, .. } => {
            let (media_type, base64) = pictures.get(path.as_str())?;
            Some(Content::Image { media_type, base64 })
        }
    });
    let content: Vec<Content<'_>> = content.collect();
    let system = request.system.as_deref();
    Ok(Payload::Json(provider::body(
        wire, params, system, &content,
    )))
}

/// A picture of the project's folder as it is sent: media type and base64.
fn sendable(
    path: &str,
    bytes: &mut impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<(&'static str, String), Error> {
    let read = bytes(path).ok_or_else(|| Error::Call(format!("cannot read {path}")))?;
    let media_type = juror_image::media_type(&read)
        .ok_or_else(|| Error::Call(format!("{path} is no picture that can be sent")))?;
    Ok((media_type, base64(&read)))
}

/// The form in which a service is asked for pictures.
///
/// # Errors
/// It makes none.
fn picture_wire(wire: Wire) -> Result<PictureWire, Error> {
    match wire {
        Wire::Gemini => Ok(PictureWire::Gemini),
        Wire::OpenAi => Ok(PictureWire::OpenAi),
        Wire::Anthropic => Err(Error::Call(
            "this service makes no pictures; choose another for calls that want one".to_owned(),
        )),
    }
}

/// Takes in a file of replies: results of a batch file, or lines `{"request": HASH, "reply": TEXT, "by": NAME}`. `put` is
/// handed each picture before its reply counts.
///
/// # Errors
/// A line is none, or those of `put`; what stands before it was taken in.
pub fn take<E: From<Error>>(
    project: &mut (impl Making + ?Sized),
    text: &str,
    time: &str,
    mut put: impl FnMut(Copied) -> Result<(), E>,
) -> Result<Taken, E> {
    let mut told = Taken::default();
    // A reply may make the next call due, which the same file answers as well.
    let mut due = by_hash(project.due());
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(line).map_err(|_| {
            Error::Call(format!(
                "line {number} is not JSON; expected one object on each line"
            ))
        })?;
        let hash = hash_of(&value).ok_or_else(|| {
            Error::Call(format!(
                "line {number} names no request: expected request, custom_id or key"
            ))
        })?;
        if !due.contains_key(&hash) {
            due = by_hash(project.due());
        }
        let Some(request) = due.get(&hash) else {
            told.unknown += 1;
            continue;
        };
        let (reply, picture) = replied(request, &value);
        if reply.error.is_some() {
            told.failed += 1;
        } else {
            told.taken += 1;
        }
        if let Some(picture) = picture {
            put(picture)?;
        }
        project.add_reply(Reply {
            request: hash,
            time: time.to_owned(),
            ..reply
        });
    }
    Ok(told)
}

fn by_hash(requests: Vec<Request>) -> BTreeMap<String, Request> {
    let requests = requests.into_iter();
    requests
        .map(|request| (request.sha256(), request))
        .collect()
}

fn hash_of(value: &Value) -> Option<String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let named = text("custom_id").or_else(|| text("key"));
    let named = named.or_else(|| value.pointer("/metadata/key")?.as_str());
    match named.and_then(|id| id.strip_prefix(ID)) {
        Some(hash) => Some(hash.to_owned()),
        None => text("request").map(str::to_owned),
    }
}

/// What a line says in reply to a request, and the picture that goes where the request wants it.
fn replied(request: &Request, value: &Value) -> (Reply, Option<Copied>) {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    if let Some(reply) = text("reply") {
        let reply = Reply {
            by: text("by").unwrap_or("hand").to_owned(),
            text: reply.to_owned(),
            ..Reply::default()
        };
        return (reply, None);
    }
    let response = value.get("response").filter(|response| !response.is_null());
    let Some(response) = response else {
        let error = value
            .get("error")
            .map_or_else(|| "no response".to_owned(), Value::to_string);
        return (failed(error), None);
    };
    let (wire, status, body) = match response.get("body") {
        Some(body) => {
            let status = response
                .get("status_code")
                .and_then(Value::as_u64)
                .unwrap_or(200);
            (Wire::OpenAi, u16::try_from(status).unwrap_or(500), body)
        }
        None => (Wire::Gemini, 200, response),
    };
    let body = match body {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    answered(wire, status, &body, request)
}

/// What a service's answer of any status says in reply to a request, and the picture that goes where the request wants it.
fn answered(wire: Wire, status: u16, body: &str, request: &Request) -> (Reply, Option<Copied>) {
    match &request.wanted {
        Wanted::Text => (
            match provider::read(wire, status, body) {
                Answer::Reply { text, model, .. } => Reply {
                    by: model,
                    text,
                    ..Reply::default()
                },
                Answer::Failed(failure) => failed(failure.message),
            },
            None,
        ),
        Wanted::Picture { path } => match picture_wire(wire) {
            Ok(wire) => made(read_picture(wire, status, body), path),
            Err(error) => (failed(error.to_string()), None),
        },
    }
}

fn made(answer: PictureAnswer, path: &str) -> (Reply, Option<Copied>) {
    let (base64, url, text) = match answer {
        PictureAnswer::Picture {
            base64, url, text, ..
        } => (base64, url, text),
        PictureAnswer::Failed(failure) => return (failed(failure.message), None),
    };
    if base64.is_empty() {
        let told = format!("The picture lies at {url}; fetch it and put it at {path}.");
        return (failed(told), None);
    }
    let Some(bytes) = bytes_of_base64(&base64) else {
        return (failed("The picture is no base64.".to_owned()), None);
    };
    if let Err(error) = juror_image::check(&bytes, &juror_image::Limits::default()) {
        let told = format!("The picture cannot be read: {}", error.message());
        return (failed(told), None);
    }
    let reply = Reply {
        // A generator does not name itself.
        by: "batch".to_owned(),
        text,
        picture: sha256(&bytes),
        ..Reply::default()
    };
    let path = path.to_owned();
    (reply, Some(Copied { path, bytes }))
}

fn failed(error: String) -> Reply {
    Reply {
        error: Some(error),
        ..Reply::default()
    }
}
