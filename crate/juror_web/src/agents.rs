//! The edge of agent loops: `juror_core::agents` and the generators' wire formats.

use juror_core::agents::Record;
use juror_core::judging::job::{self, Priced};
use juror_core::judging::provider;
use juror_core::judging::spending::Call;
use wasm_bindgen::prelude::*;

use crate::error;
use crate::judging::{Job, started};
use crate::session::{Session, from_js, session_error, to_js};

#[wasm_bindgen]
impl Session {
    /// Takes records in that were kept (`TrajectoryRecord[]`).
    pub fn add_trajectories(&mut self, records: JsValue) -> Result<(), JsValue> {
        self.0.add_trajectories(from_js(records)?);
        Ok(())
    }

    /// What a job would call (`AgentPlan`).
    pub fn plan_agents(&mut self, scope: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.plan_agents(&from_js(scope)?))
    }

    /// The call that a trajectory waits for (`AgentCall`).
    pub fn agent_call(&mut self, key: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.agent_call(&from_js(key)?).map_err(session_error)?)
    }

    /// The same as it is sent (`AgentBody`), or `null`.
    pub fn agent_body(&mut self, key: JsValue, services: JsValue) -> Result<JsValue, JsValue> {
        let body = self.0.agent_body(&from_js(key)?, &from_js(services)?);
        to_js(&body.map_err(session_error)?)
    }

    /// Kept pictures that are not listed yet (`AgentFile[]`).
    pub fn agent_files(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.agent_files())
    }

    /// The pictures of an export (`AgentExport[]`).
    pub fn agent_export(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.agent_export())
    }

    /// Every record, as `trajectories.jsonl`.
    pub fn trajectories(&self) -> String {
        self.0.trajectories()
    }

    /// Who made trajectories (`AgentSetView[]`).
    pub fn agent_sets(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.agent_sets())
    }

    /// Trajectories step by step (`AgentStrips`).
    pub fn agent_strips(&mut self, query: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.agent_strips(&from_js(query)?))
    }
}

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
    to_js(&complete.map_err(|message| error("bad_picture", &message))?)
}
