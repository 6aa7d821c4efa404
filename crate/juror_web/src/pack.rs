//! The edge of evidence packs and of reports as tables.

use juror_core::archive::{self, ArchiveError};
use juror_core::pack::{Manifest, OpenedPack, PackError, Packed, Pictures, compare::compare};
use juror_core::report::tables::Intervals;
use wasm_bindgen::prelude::*;

use crate::error;
use crate::session::{Session, from_js, to_js};

#[wasm_bindgen]
impl Session {
    /// The files that a pack holds (`PackItem[]`).
    pub fn pack_items(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.pack_items().map_err(pack_error)?)
    }

    /// The texts of a pack (`PackText[]`), the manifest last; `packed` is what was read (`Packed[]`).
    pub fn pack_texts(
        &mut self,
        options: JsValue,
        pictures: JsValue,
        packed: JsValue,
    ) -> Result<JsValue, JsValue> {
        let (pictures, packed): (Pictures, Vec<Packed>) = (from_js(pictures)?, from_js(packed)?);
        let texts = self.0.pack_texts(&from_js(options)?, pictures, &packed);
        to_js(&texts.map_err(pack_error)?)
    }

    /// Lists the files of a pack; their numbers begin with the one returned, in the order of `pack_sources`.
    pub fn add_pack(&mut self, manifest: &str) -> Result<u32, JsValue> {
        Ok(self
            .0
            .add_pack(&Manifest::read(manifest).map_err(pack_error)?))
    }

    /// The same, with the manifest's word for what its pictures are: to look at a pack, not to verify it.
    pub fn add_pack_as_stated(&mut self, manifest: &str) -> Result<u32, JsValue> {
        let manifest = Manifest::read(manifest).map_err(pack_error)?;
        Ok(self.0.add_pack_as_stated(&manifest))
    }

    /// Takes in a pack's own journal.
    pub fn add_pack_journal(&mut self, text: &str) {
        self.0.add_pack_journal(text);
    }

    /// Holds a pack (`OpenedPack`) against what is recomputed (`PackVerification`).
    pub fn verify_pack(&mut self, opened: JsValue) -> Result<JsValue, JsValue> {
        let opened: OpenedPack = from_js(opened)?;
        to_js(&self.0.verify_pack(&opened).map_err(pack_error)?)
    }

    /// The report as tables: `md`, or `latex`, or `latex-intervals`.
    pub fn tables(&mut self, options: JsValue, format: &str) -> Result<Vec<u8>, JsValue> {
        let tables = self.0.tables(&from_js(options)?);
        match format {
            "md" => Ok(tables.to_markdown().into_bytes()),
            "latex" => Ok(tables.to_latex(Intervals::Hidden).into_bytes()),
            "latex-intervals" => Ok(tables.to_latex(Intervals::Shown).into_bytes()),
            other => Err(error(
                "unknown_format",
                &format!("Expected md, latex or latex-intervals, found {other}."),
            )),
        }
    }
}

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
