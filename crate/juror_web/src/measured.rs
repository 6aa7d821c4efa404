//! What measures pictures has in common, whatever computes: files as inputs, and values as the page takes them.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use wasm_bindgen::prelude::*;

/// One metric of one pair.
#[derive(Serialize)]
pub(crate) struct Measured {
    pub(crate) metric: &'static str,
    /// `null` where there is none; infinity is a number in JavaScript.
    pub(crate) value: Option<f64>,
    pub(crate) backend: &'static str,
    /// Why there is no value.
    pub(crate) problem: Option<String>,
    /// Why the CPU stood in for the GPU.
    pub(crate) fallback: Option<String>,
    /// The reference's size; 0 where it cannot be read.
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// SHA-256 of the files, hex.
    pub(crate) reference: String,
    pub(crate) candidate: String,
    /// Which network computed it.
    pub(crate) network: Option<String>,
}

/// SHA-256, hex.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut hex = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// What is nothing is `null`.
pub(crate) fn plain(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let plain = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true);
    Ok(value.serialize(&plain)?)
}
