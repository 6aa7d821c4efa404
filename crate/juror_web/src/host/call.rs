//! One call of a service: the key goes into a header and nowhere else, and no text comes back with it.
//!
//! `fetch` is called as it is: gloo-net (0.7) makes a `Request` twice to tell its absolute address, and where something is
//! thrown that is no `Error` (an abort's reason may be anything) it panics, which ends the engine with all that is open.

use js_sys::{Array, Promise, Uint8Array};
use juror_judging::keys::without_keys;
use juror_judging::provider::{Auth, Failure, FailureKind, text_of, unanswered};
use juror_reading::limits::RESPONSE_BYTES;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortSignal, Headers, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache,
    RequestCredentials, RequestInit, RequestRedirect, Response,
};

use super::pace::{CallOutcome, Run, Unsent, Work, message_of};

#[wasm_bindgen]
extern "C" {
    /// The global one, of a worker as of a page.
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}

/// Where a call goes, and how the key goes into it.
pub(super) struct Service<'a> {
    pub(super) url: &'a str,
    pub(super) auth: Auth,
    pub(super) key: &'a str,
    pub(super) timeout_secs: u32,
}

/// What a call brought: an answer's text of any status, or why there is none; with either, what is known of the answer.
pub(super) type Called = (Result<String, Failure>, CallOutcome);

/// What is sent.
pub(super) enum Body {
    /// A text.
    Text(js_sys::JsString),
    /// A form, which brings its own content type.
    Form(web_sys::FormData),
}

/// Posts the body of a task; nothing where that failed, which the job then deals with.
pub(super) async fn attempt<W: Work>(
    run: &Run<W>,
    at: u32,
    service: &Service<'_>,
    body: Body,
) -> Result<Option<(String, CallOutcome)>, Unsent> {
    let (text, came) = post(service, body).await?;
    match text {
        Ok(text) => {
            run.came(at, CallOutcome::with(came.status, None));
            Ok(Some((text, came)))
        }
        Err(failure) => {
            run.fail(at, failure, came).await;
            Ok(None)
        }
    }
}

/// Posts a body.
pub(super) async fn post(service: &Service<'_>, body: Body) -> Result<Called, Unsent> {
    let headers = Headers::new()?;
    for (name, value) in service.auth.fixed {
        headers.set(name, value)?;
    }
    let body: JsValue = match body {
        Body::Text(text) => text.into(),
        Body::Form(form) => {
            headers.delete("content-type")?;
            form.into()
        }
    };
    if !service.key.is_empty() {
        let value = format!("{}{}", service.auth.prefix, service.key);
        headers.set(service.auth.header, &value)?;
    }
    let (init, timeout) = plain(service.timeout_secs);
    init.set_method("POST");
    init.set_headers(&headers);
    init.set_body(&body);
    let mut came = CallOutcome::default();
    let text = answered(service.url, &init, &mut came).await;
    let text = text.map_err(|cause| Failure {
        kind: unanswered(timeout.aborted(), came.status),
        message: without_keys(&message_of(&cause), &[service.key]),
    });
    Ok((text, came))
}

async fn answered(
    url: &str,
    init: &RequestInit,
    came: &mut CallOutcome,
) -> Result<String, JsValue> {
    let response: Response = JsFuture::from(fetch(url, init)?).await?.dyn_into()?;
    came.status = Some(response.status());
    came.retry_after_ms = retry_after_ms(&response.headers())?;
    // What came of an answer that breaks off is paid for: it is read as far as it goes.
    let broken_off = if response.ok() {
        BrokenOff::Taken
    } else {
        BrokenOff::Refused
    };
    let bytes = bounded(&response, broken_off).await?;
    Ok(text_of(bytes.map(|bytes| bytes.to_vec())))
}

/// The limit in words.
const MEBIBYTES: usize = RESPONSE_BYTES >> 20;

/// Fetches the picture at an address that a service answered with, without any key.
pub(super) async fn fetch_picture(url: &str, timeout_secs: u32) -> Result<Uint8Array, Failure> {
    let (init, timeout) = plain(timeout_secs);
    let fetched = async {
        let response: Response = JsFuture::from(fetch(url, &init)?).await?.dyn_into()?;
        if !response.ok() {
            let status = response.status();
            return Ok(Err(Failure {
                kind: if status >= 500 {
                    FailureKind::Server
                } else {
                    FailureKind::BadPicture
                },
                message: format!("The picture’s address answers {status}."),
            }));
        }
        Ok(bounded(&response, BrokenOff::Refused)
            .await?
            .ok_or_else(|| Failure {
                kind: FailureKind::BadPicture,
                message: format!("The picture is larger than {MEBIBYTES} MiB and was not read."),
            }))
    };
    fetched.await.unwrap_or_else(|cause: JsValue| {
        Err(Failure {
            kind: unanswered(timeout.aborted(), None),
            message: format!("The picture could not be fetched: {}", message_of(&cause)),
        })
    })
}

/// Nothing about the page goes along, nobody is followed elsewhere, and after the time limit the call is aborted.
fn plain(timeout_secs: u32) -> (RequestInit, AbortSignal) {
    let init = RequestInit::new();
    init.set_credentials(RequestCredentials::Omit);
    init.set_referrer_policy(ReferrerPolicy::NoReferrer);
    init.set_cache(RequestCache::NoStore);
    init.set_redirect(RequestRedirect::Error);
    let timeout = AbortSignal::timeout_with_u32(timeout_secs.saturating_mul(1000));
    init.set_signal(Some(&timeout));
    (init, timeout)
}

/// What becomes of an answer whose connection ends before it does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BrokenOff {
    /// What came is taken.
    Taken,
    /// It is an error.
    Refused,
}

/// The bytes of an answer; `None` for one that is too long, whose rest is not fetched.
async fn bounded(
    response: &Response,
    broken_off: BrokenOff,
) -> Result<Option<Uint8Array>, JsValue> {
    let Some(body) = response.body() else {
        return Ok(Some(Uint8Array::new_with_length(0)));
    };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let parts = Array::new();
    let mut length = 0;
    loop {
        let read = match JsFuture::from(reader.read()).await {
            Err(_) if length > 0 && broken_off == BrokenOff::Taken => break,
            read => read?,
        };
        if js_sys::Reflect::get(&read, &"done".into())?.is_truthy() {
            break;
        }
        let part: Uint8Array = js_sys::Reflect::get(&read, &"value".into())?.dyn_into()?;
        length += part.length();
        if length as usize > RESPONSE_BYTES {
            JsFuture::from(reader.cancel()).await?;
            return Ok(None);
        }
        parts.push(&part);
    }
    let bytes = Uint8Array::new_with_length(length);
    let mut at = 0;
    for part in parts.iter() {
        let part: Uint8Array = part.unchecked_into();
        bytes.set(&part, at);
        at += part.length();
    }
    Ok(Some(bytes))
}

/// `Retry-After` in seconds or as a date; `retry-after-ms`, which some servers send.
fn retry_after_ms(headers: &Headers) -> Result<Option<f64>, JsValue> {
    let number = |text: &str| JsValue::from_str(text).unchecked_into_f64();
    if let Some(exact) = headers.get("retry-after-ms")? {
        let exact = number(&exact);
        if exact.is_finite() {
            return Ok(Some(exact));
        }
    }
    let Some(text) = headers.get("retry-after")? else {
        return Ok(None);
    };
    let seconds = number(&text);
    if seconds.is_finite() {
        return Ok(Some(seconds * 1000.0));
    }
    let date = js_sys::Date::parse(&text);
    Ok((!date.is_nan()).then(|| (date - js_sys::Date::now()).max(0.0)))
}
