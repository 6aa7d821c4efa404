//! The edge of agent loops beside their questions: chained jobs, and the generators' wire formats.

use juror_core::agents::Record;
use juror_core::judging::job::{self, Priced};
use juror_core::judging::provider;
use juror_core::judging::spending::Call;
use wasm_bindgen::prelude::*;

use crate::error;
use crate::judging::{Job, started};
use crate::session::{from_js, to_js};

#[wasm_bindgen]
impl Job {
    /// A job whose tasks stand in chains of these lengths, some of which make pictures and some of which plan.
    pub fn chained(
        lengths: &[u32],
        limits: JsValue,
        pictures: u32,
        plans: u32,
        seed: u64,
    ) -> Result<Job, JsValue> {
        let priced = match (pictures, plans) {
            (0, _) => Priced::Tokens,
            (_, 0) => Priced::Pictures,
            _ => Priced::Both,
        };
        started(job::Job::chained(lengths, from_js(limits)?, priced, seed))
    }

    /// Sets aside what a picture costs; whether the call for it may be sent.
    pub fn reserve_picture(&mut self, task: u32) -> bool {
        self.0.reserve(task, Call::Picture)
    }

    /// Nothing of this task's chain is to be done after it.
    pub fn end_chain(&mut self, task: u32) {
        self.0.end_chain(task);
    }
}

/// What a generator's answer means (`PictureAnswer`).
#[wasm_bindgen]
pub fn read_picture_answer(wire: JsValue, status: u16, body: &str) -> Result<JsValue, JsValue> {
    to_js(&provider::read_picture(from_js(wire)?, status, body))
}

/// The record (`TrajectoryRecord`) with the picture that came.
#[wasm_bindgen]
pub fn with_picture(record: JsValue, bytes: &[u8]) -> Result<JsValue, JsValue> {
    let record: Record = from_js(record)?;
    let complete = record.with_picture(bytes);
    to_js(&complete.map_err(|refused| error("bad_picture", &refused.to_string()))?)
}
