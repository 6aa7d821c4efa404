//! The engine's edge: one class over `juror_core::session::Session`.

#[cfg(not(feature = "protocols"))]
use juror_core::protocol::contract::Protocol;
#[cfg(not(feature = "protocols"))]
use juror_core::protocol::weave::Weave;
use juror_core::report;
use juror_core::session::{Probed, SessionError, Undecodable};
use juror_image::{ImageError, Limits};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::prelude::*;

use crate::error;

/// What the first demo suite needs; the linker leaves out the rest.
#[cfg(not(feature = "protocols"))]
const DEMO: &[&dyn Protocol] = &[&Weave];

/// One user's work; see `juror_core::session::Session`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session(pub(crate) juror_core::session::Session);

#[wasm_bindgen]
impl Session {
    /// A session without files.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript has no Default")]
    pub fn new() -> Session {
        #[cfg(feature = "protocols")]
        let session = juror_core::session::Session::new(probe);
        #[cfg(not(feature = "protocols"))]
        let session = juror_core::session::Session::with_protocols(probe, DEMO);
        Session(session)
    }

    /// Adds listed files (`FileMeta[]`); returns the number of the first.
    pub fn add_files(&mut self, files: JsValue) -> Result<u32, JsValue> {
        let files: Vec<juror_core::model::host::FileMeta> = from_js(files)?;
        Ok(self.0.add_files(&files))
    }

    /// The reads wanted now (`Want[]`), at most `limit`; each is handed out once.
    pub fn wants(&mut self, limit: usize) -> Result<JsValue, JsValue> {
        to_js(&self.0.wants(limit))
    }

    /// Puts the reads of these files before the others that were not handed out yet.
    pub fn hasten(&mut self, files: &[u32]) {
        self.0.hasten(files);
    }

    /// The bytes of a wanted read.
    pub fn provide(&mut self, file: u32, bytes: Vec<u8>) {
        self.0.provide(file, bytes);
    }

    /// What came of decoding a wanted picture: nothing wrong, or what and the mend.
    pub fn provide_decoded(&mut self, file: u32, message: Option<String>, hint: Option<String>) {
        let hint = hint.unwrap_or_default();
        let fault = message.map(|message| Undecodable { message, hint });
        self.0.provide_decoded(file, fault.map_or(Ok(()), Err));
    }

    /// A wanted read that did not work.
    pub fn failed(&mut self, file: u32, message: &str) {
        self.0.failed(file, message);
    }

    /// How far loading has come (`Progress`).
    pub fn progress(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.progress())
    }

    /// Everything that the overview shows (`Overview`).
    pub fn overview(&mut self, options: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.overview(&from_js(options)?))
    }

    /// The scores behind a score row, by its position (`RowUnits`).
    pub fn row_units(&mut self, options: JsValue, row: u32) -> Result<JsValue, JsValue> {
        to_js(&self.0.row_units(&from_js(options)?, row))
    }

    /// Samples worth looking at under a `HighlightQuery` (`Highlights`).
    pub fn highlights(&mut self, query: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.highlights(&from_js(query)?))
    }

    /// One sample (`SampleView`).
    pub fn sample(&mut self, id: &str, options: JsValue) -> Result<JsValue, JsValue> {
        to_js(
            &self
                .0
                .sample(id, &from_js(options)?)
                .map_err(session_error)?,
        )
    }

    /// One judge request (`RequestView`).
    pub fn request(&mut self, key: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.request(&from_js(key)?).map_err(session_error)?)
    }

    /// The bytes of a picture that a request hash needs.
    pub fn provide_picture(&mut self, file: u32, bytes: &[u8]) {
        self.0.provide_picture(file, bytes);
    }

    /// Reads a pasted reply and keeps nothing (`PasteResult`).
    pub fn parse(&mut self, reply: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.parse(&from_js(reply)?).map_err(session_error)?)
    }

    /// Reads a pasted reply and keeps it (`PasteResult`).
    pub fn paste(&mut self, reply: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.paste(&from_js(reply)?).map_err(session_error)?)
    }

    /// Takes a pasted reply out again; the records that were taken out (`Record[]`).
    pub fn remove_pasted(&mut self, reply: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.remove_pasted(&from_js(reply)?))
    }

    /// Takes note that an entry of a ZIP is damaged: the ZIP, the entry as it is called there, and why.
    pub fn damaged_entry(&mut self, file: u32, zip: &str, entry: &str, why: &str) {
        self.0.damaged_entry(file, zip, entry, why);
    }

    /// Asks again for every file whose reading failed; how many they are.
    pub fn retry_failures(&mut self) -> u32 {
        self.0.retry_failures()
    }

    /// What a generator is given for a turn (`InputView`).
    pub fn generator_input(&mut self, key: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.generator_input(&from_js(key)?))
    }

    /// The benchmarks that may be meant (`BenchmarkChoice[]`).
    pub fn benchmark_choices(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.benchmark_choices())
    }

    /// Says which benchmark counts, by the path of its list or of its `juror.json`; what it needs is wanted next.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "an optional text crosses the edge as its own"
    )]
    pub fn choose_benchmark(&mut self, path: Option<String>) -> Result<(), JsValue> {
        let chosen = self.0.choose_benchmark(path.as_deref());
        chosen.map_err(session_error)
    }

    /// Chooses the prompt pack that requests are made with.
    pub fn use_pack(&mut self, sha256: &str) -> Result<(), JsValue> {
        self.0.use_pack(sha256).map_err(session_error)
    }

    /// The report, as `json` or `csv`.
    pub fn report(&mut self, options: JsValue, format: &str) -> Result<Vec<u8>, JsValue> {
        let options = from_js(options)?;
        match format {
            "json" => Ok(self.0.report(&options).to_json().into_bytes()),
            "csv" => Ok(report::csv(self.0.score_rows(&options)).into_bytes()),
            other => Err(error(
                "unknown_format",
                &format!("Expected json or csv, found {other}."),
            )),
        }
    }

    /// The pasted replies as `journal.jsonl`.
    pub fn journal(&self) -> Vec<u8> {
        self.0.journal().into_bytes()
    }
}

#[cfg(feature = "protocols")]
#[wasm_bindgen]
impl Session {
    /// The benchmark's own judge of this id or model (`JudgePreset | null`).
    pub fn judge_called(&self, name: &str) -> Result<JsValue, JsValue> {
        to_js(&self.0.judge_called(name))
    }

    /// Names who judged (`JudgeName[]`) in files of replies that do not state it.
    pub fn name_judges(&mut self, names: JsValue) -> Result<(), JsValue> {
        self.0.name_judges(from_js(names)?).map_err(session_error)
    }

    /// Takes names of judges back, by their paths (`string[]`).
    pub fn unname_judges(&mut self, places: JsValue) -> Result<(), JsValue> {
        self.0.unname_judges(&from_js::<Vec<String>>(places)?);
        Ok(())
    }

    /// A hash that tells this benchmark from another.
    pub fn benchmark_id(&self) -> Option<String> {
        self.0.benchmark_id()
    }

    /// The requests that a job would send (`JobPlan`).
    pub fn plan_job(&mut self, scope: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.plan_job(&from_js(scope)?))
    }

    /// The body of a request without its pictures (`JobBody`).
    pub fn job_body(
        &mut self,
        key: JsValue,
        wire: JsValue,
        params: JsValue,
    ) -> Result<JsValue, JsValue> {
        let body = self
            .0
            .job_body(&from_js(key)?, from_js(wire)?, &from_js(params)?);
        to_js(&body.map_err(session_error)?)
    }

    /// One plot, counted (`Plot`).
    pub fn plot(&mut self, query: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.plot(&from_js(query)?))
    }

    /// The samples behind a plot's mark (`Behind`).
    pub fn behind(&mut self, query: JsValue, line: u32, mark: u32) -> Result<JsValue, JsValue> {
        to_js(&self.0.behind(&from_js(query)?, line, mark))
    }

    /// What records that are made now have in common (`RecordHead`).
    pub fn record_head(&self) -> Result<JsValue, JsValue> {
        to_js(&self.0.record_head())
    }

    /// The heading of one request in a sheet of replies.
    pub fn sheet_heading(
        &mut self,
        key: JsValue,
        judge: &str,
        run: u32,
    ) -> Result<String, JsValue> {
        let heading = self.0.sheet_heading(&from_js(key)?, judge, run);
        heading.map_err(session_error)
    }

    /// Reads replies that come together and keeps nothing (`PastedReplies`).
    pub fn read_replies(&mut self, text: &str, time: &str) -> Result<JsValue, JsValue> {
        to_js(&self.0.read_replies(text, time))
    }

    /// The files that `check_replies` compares and that were not read yet.
    pub fn check_needs(&mut self) -> Vec<u32> {
        self.0.check_needs()
    }

    /// Holds every reply against its request as it is now (`ReplyCheck`).
    pub fn check_replies(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.check_replies())
    }

    /// Judges with their parameters and the drift of their anchors (`JudgeHealth[]`).
    pub fn judge_health(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.judge_health())
    }

    /// The anchors of a job (`JobTask[]`).
    pub fn plan_anchors(&mut self, scope: JsValue, num_anchors: u32) -> Result<JsValue, JsValue> {
        to_js(&self.0.plan_anchors(&from_js(scope)?, num_anchors))
    }

    /// Takes records in (`JournalRecord[]`).
    pub fn add_records(&mut self, records: JsValue) -> Result<(), JsValue> {
        self.0.add_records(from_js(records)?);
        Ok(())
    }
}

fn probe(head: &[u8], size: u64) -> Probed {
    juror_image::probe(head, size, &Limits::default()).map_or_else(bad_picture, |probe| {
        Probed::Picture {
            width: probe.width,
            height: probe.height,
        }
    })
}

fn bad_picture(error: ImageError) -> Probed {
    match error {
        ImageError::NeedMore { bytes } => Probed::NeedMore { bytes },
        other => Probed::Bad {
            message: other.message(),
            hint: other.hint(),
        },
    }
}

pub(crate) fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|cause| error("bad_argument", &cause.to_string()))
}

pub(crate) fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let plain = serde_wasm_bindgen::Serializer::new()
        .serialize_maps_as_objects(true)
        .serialize_missing_as_null(true);
    value
        .serialize(&plain)
        .map_err(|cause| error("bad_result", &cause.to_string()))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err calls for"
)]
pub(crate) fn session_error(cause: SessionError) -> JsValue {
    error(cause.code, &cause.message)
}
