//! The judging edge: the job's state machine and the wire formats of `juror_core::judging`.

use juror_core::judging::job;
use juror_core::judging::provider::{self, Failure, Usage};
use juror_core::judging::spending::Call;
use juror_core::model::judge::Wire;
use wasm_bindgen::prelude::*;

use crate::error;
use crate::session::{from_js, to_js};

/// A judging job; see `juror_core::judging::job::Job`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Job(pub(crate) job::Job);

#[wasm_bindgen]
impl Job {
    /// A job over so many tasks (`JobLimits`); refused where a budget has no prices.
    #[wasm_bindgen(constructor)]
    pub fn new(tasks: u32, limits: JsValue, seed: u64) -> Result<Job, JsValue> {
        started(job::Job::new(tasks, from_js(limits)?, seed))
    }

    /// What to do now (`Next`).
    pub fn next(&mut self, now_ms: f64) -> Result<JsValue, JsValue> {
        to_js(&self.0.next(now_ms))
    }

    /// Sets aside what a call that is answered in text may cost; whether it may be sent.
    pub fn reserve_text(&mut self, task: u32, body: &str, pictures: u32) -> bool {
        self.0.reserve(task, Call::Text { body, pictures })
    }

    /// An attempt brought what it was to bring, with the tokens that the service counted.
    pub fn answered(&mut self, task: u32, now_ms: f64, usage: JsValue) -> Result<(), JsValue> {
        self.0.answered(task, now_ms, from_js(usage)?);
        Ok(())
    }

    /// An attempt brought none (`Failure`); whether the task is given up with it. `status` is that of the answer, if
    /// there was one, and `usage` what it says of its tokens (`Usage`).
    pub fn failed(
        &mut self,
        task: u32,
        now_ms: f64,
        failure: JsValue,
        retry_after_ms: Option<f64>,
        status: Option<u16>,
        usage: JsValue,
    ) -> Result<bool, JsValue> {
        let failure: Failure = from_js(failure)?;
        let usage: Option<Usage> = from_js(usage)?;
        let received = status.map_or(job::Received::Nothing, |status| {
            job::Received::Status(status, usage.unwrap_or_default())
        });
        Ok(self
            .0
            .failed(task, now_ms, &failure, retry_after_ms, received))
    }

    /// Sends nothing more until `resume`.
    pub fn pause(&mut self) {
        self.0.pause();
    }

    /// Goes on.
    pub fn resume(&mut self) {
        self.0.resume();
    }

    /// Sends nothing more at all.
    pub fn cancel(&mut self) {
        self.0.cancel();
    }

    /// Where the job stands (`JobProgress`).
    pub fn progress(&mut self, now_ms: f64) -> Result<JsValue, JsValue> {
        to_js(&self.0.progress(now_ms))
    }
}

/// A job, or why it does not start.
pub(crate) fn started(made: Result<job::Job, juror_core::error::Error>) -> Result<Job, JsValue> {
    made.map(Job)
        .map_err(|refused| error("bad_limits", &refused.to_string()))
}

/// How a key goes into a request (`Auth`).
#[wasm_bindgen]
pub fn auth(wire: JsValue) -> Result<JsValue, JsValue> {
    to_js(&provider::auth(from_js(wire)?))
}

/// The address that requests are posted to.
#[wasm_bindgen]
pub fn url(wire: JsValue, base: &str, model: &str) -> Result<String, JsValue> {
    let wire: Wire = from_js(wire)?;
    Ok(provider::url(wire, base, model))
}

/// Which limit of a service a request with pictures of these sizes, in bytes, breaks; nothing if none.
#[wasm_bindgen]
pub fn check_size(wire: JsValue, images: Vec<u32>) -> Result<Option<String>, JsValue> {
    let sizes: Vec<u64> = images.into_iter().map(u64::from).collect();
    Ok(provider::check_size(from_js(wire)?, &sizes)
        .err()
        .map(|refused| refused.to_string()))
}

/// As [`check_size`], of a request to a generator.
#[wasm_bindgen]
pub fn check_picture_size(wire: JsValue, images: Vec<u32>) -> Result<Option<String>, JsValue> {
    let sizes: Vec<u64> = images.into_iter().map(u64::from).collect();
    Ok(provider::check_picture_size(from_js(wire)?, &sizes)
        .err()
        .map(|refused| refused.to_string()))
}

/// The media type of a picture by its first bytes; by the ending of its path where they tell none.
#[wasm_bindgen]
pub fn media_type(head: &[u8], path: &str) -> String {
    juror_image::media_type(head)
        .unwrap_or_else(|| provider::media_type_of(path))
        .to_owned()
}

/// What an answer means (`Answer`).
#[wasm_bindgen]
pub fn read_answer(wire: JsValue, status: u16, body: &str) -> Result<JsValue, JsValue> {
    to_js(&provider::read(from_js(wire)?, status, body))
}

/// What an answer says of its tokens (`Usage`).
#[wasm_bindgen]
pub fn read_usage(wire: JsValue, body: &str) -> Result<JsValue, JsValue> {
    to_js(&provider::usage(from_js(wire)?, body))
}

/// The most tokens of a reply that a request with these parameters allows (`Params`); nothing where the service decides.
#[wasm_bindgen]
pub fn most_reply_tokens(wire: JsValue, params: JsValue) -> Result<Option<f64>, JsValue> {
    Ok(provider::most_reply_tokens(
        from_js(wire)?,
        &from_js(params)?,
    ))
}
