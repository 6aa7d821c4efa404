//! The engine's edge: one class over `juror_core::session::Session`, which takes files in and answers questions.

#[cfg(not(feature = "protocols"))]
use juror_core::protocol::contract::Protocol;
#[cfg(not(feature = "protocols"))]
use juror_core::protocol::weave::Weave;
#[cfg(feature = "protocols")]
use juror_core::session::lint::Fingerprint;
use juror_core::session::{Probed, Undecodable};
use juror_image::{ImageError, Limits};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::prelude::*;

use crate::error;
use crate::question::{self, Budget};

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

    /// Answers a question, `{topic: {name: {…}}}`, as `crate::question` lists them; `null` where a search has looked into so
    /// many bytes of replies and is not done: asked again, it goes on there.
    pub fn ask(&mut self, question: JsValue, bytes: f64) -> Result<JsValue, JsValue> {
        let answer = question::ask(&mut self.0, question, Budget(whole(bytes)));
        to_js(&answer.map_err(|cause| error(cause.code(), &cause.to_string()))?)
    }

    /// The bytes of a picture that a request hash needs.
    pub fn provide_picture(&mut self, file: u32, bytes: &[u8]) {
        juror_core::session::provide_picture(&mut self.0, file, bytes);
    }

    /// Takes note that an entry of a ZIP is damaged: the ZIP, the entry as it is called there, and why.
    pub fn damaged_entry(&mut self, file: u32, zip: &str, entry: &str, why: &str) {
        self.0.damaged_entry(file, zip, entry, why);
    }
}

#[cfg(feature = "protocols")]
#[wasm_bindgen]
impl Session {
    /// What a picture looks like, as the picture engine says.
    pub fn provide_print(&mut self, file: u32, hash: &str, cells: &[u8]) -> Result<(), JsValue> {
        let hash = u64::from_str_radix(hash, 16)
            .map_err(|cause| error("bad_argument", &cause.to_string()))?;
        let cells = cells.into();
        juror_core::session::provide_print(&mut self.0, file, Ok(Fingerprint { hash, cells }));
        Ok(())
    }

    /// A picture that cannot be decoded.
    pub fn no_print(&mut self, file: u32, message: &str) {
        juror_core::session::provide_print(
            &mut self.0,
            file,
            Err(juror_core::error::Error::Picture(message.to_owned())),
        );
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a budget: what is no number is none, and what is too large is all"
)]
fn whole(bytes: f64) -> u64 {
    bytes as u64
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
