//! The edge of evidence packs and ZIPs beside their questions: what needs no session.

use juror_core::archive::{self, ArchiveError};
use juror_core::pack::{Manifest, OpenedPack, PackError, compare::compare};
use wasm_bindgen::prelude::*;

use crate::error;
use crate::session::{from_js, to_js};

/// Bytes of a ZIP's end that are enough for `zip_directory`.
#[wasm_bindgen]
pub fn zip_tail_bytes() -> f64 {
    f64::from(u32::try_from(archive::TAIL_BYTES).unwrap_or(u32::MAX))
}

/// Where a ZIP's directory lies (`ArchiveDirectory`), by the end of the file, which begins at `at`.
#[wasm_bindgen]
pub fn zip_directory(tail: &[u8], at: f64) -> Result<JsValue, JsValue> {
    // A file's length is a whole number below 2^53.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let at = at as u64;
    to_js(&archive::find(tail, at).map_err(archive_error)?)
}

/// What a ZIP holds (`Archive`), by its directory.
#[wasm_bindgen]
pub fn zip_entries(directory: &[u8], place: JsValue, name: &str) -> Result<JsValue, JsValue> {
    let archive = archive::read(directory, &from_js(place)?, name);
    to_js(&archive.map_err(archive_error)?)
}

/// The names of a pack's files as its manifest has them (`FoundNames`).
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "wasm_bindgen takes lists by value"
)]
pub fn settle_names(manifest: &str, paths: Vec<String>) -> Result<JsValue, JsValue> {
    to_js(&Manifest::read(manifest).map_err(pack_error)?.settle(&paths))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err calls for"
)]
fn archive_error(cause: ArchiveError) -> JsValue {
    error(cause.code(), &cause.to_string())
}

/// The paths of a pack's files in the order of `add_pack`.
#[wasm_bindgen]
pub fn pack_sources(manifest: &str) -> Result<Vec<String>, JsValue> {
    let manifest = Manifest::read(manifest).map_err(pack_error)?;
    Ok(manifest.sources().map(|entry| entry.path.clone()).collect())
}

/// Whether a pack has a journal of its own.
#[wasm_bindgen]
pub fn pack_has_journal(manifest: &str) -> Result<bool, JsValue> {
    Ok(Manifest::read(manifest).map_err(pack_error)?.has_journal())
}

/// Two packs (`OpenedPack`) beside each other, by what they state (`PackComparison`).
#[wasm_bindgen]
pub fn compare_packs(first: JsValue, second: JsValue) -> Result<JsValue, JsValue> {
    let (first, second): (OpenedPack, OpenedPack) = (from_js(first)?, from_js(second)?);
    to_js(&compare(&first, &second).map_err(pack_error)?)
}

/// Paths of files that both packs have, with other contents.
#[wasm_bindgen]
pub fn pack_conflicts(first: &str, second: &str) -> Result<Vec<String>, JsValue> {
    let read = |manifest| Manifest::read(manifest).map_err(pack_error);
    Ok(read(first)?.conflicts(&read(second)?))
}

/// SHA-256 of bytes, hex; the browser's own needs a secure address.
#[wasm_bindgen]
pub fn sha256(bytes: &[u8]) -> String {
    juror_core::prompt::sha256(bytes)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err calls for"
)]
fn pack_error(cause: PackError) -> JsValue {
    error(cause.code(), &cause.to_string())
}
