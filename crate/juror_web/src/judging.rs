//! The judging edge: the job's state machine and the wire formats of `juror_core::judging`.

use juror_core::judging::job;
use juror_core::judging::provider::{self, Failure, Wire};
use wasm_bindgen::prelude::*;

use crate::session::{from_js, to_js};

/// A judging job; see `juror_core::judging::job::Job`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Job(pub(crate) job::Job);

#[wasm_bindgen]
impl Job {
    /// A job over so many tasks.
    #[wasm_bindgen(constructor)]
    pub fn new(tasks: u32, limits: JsValue, seed: u64) -> Result<Job, JsValue> {
        Ok(Job(job::Job::new(tasks, from_js(limits)?, seed)))
    }

    /// What to do now (`Next`).
    pub fn next(&mut self, now_ms: f64) -> Result<JsValue, JsValue> {
        to_js(&self.0.next(now_ms))
    }

    /// An attempt brought a reply.
    pub fn answered(&mut self, task: u32, now_ms: f64, input_tokens: f64, output_tokens: f64) {
        self.0.answered(task, now_ms, input_tokens, output_tokens);
    }

    /// An attempt brought none (`Failure`); whether the task is given up with it.
    pub fn failed(
        &mut self,
        task: u32,
        now_ms: f64,
        failure: JsValue,
        retry_after_ms: Option<f64>,
    ) -> Result<bool, JsValue> {
        let failure: Failure = from_js(failure)?;
        Ok(self.0.failed(task, now_ms, &failure, retry_after_ms))
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
    Ok(provider::check_size(from_js(wire)?, &sizes).err())
}

/// As [`check_size`], of a request to a generator.
#[wasm_bindgen]
pub fn check_picture_size(wire: JsValue, images: Vec<u32>) -> Result<Option<String>, JsValue> {
    let sizes: Vec<u64> = images.into_iter().map(u64::from).collect();
    Ok(provider::check_picture_size(from_js(wire)?, &sizes).err())
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
