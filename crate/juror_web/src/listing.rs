//! Lists of files as they cross: in columns, as tens of thousands of objects take longer to read than their names do.

use js_sys::{Float64Array, Uint32Array};
use juror_model::host::FileMeta;
use wasm_bindgen::prelude::*;

use crate::error;

#[wasm_bindgen]
extern "C" {
    /// Files in columns, one entry for each (`FileColumns`).
    pub type FileColumns;

    /// Paths, with a NUL between two.
    #[wasm_bindgen(method, getter, structural)]
    fn paths(this: &FileColumns) -> String;

    /// Sizes in bytes; below 0 where one is not known before the file is read.
    #[wasm_bindgen(method, getter, structural)]
    fn sizes(this: &FileColumns) -> Float64Array;

    /// Numbers on the page, [`NOT_HELD`] for what it does not hold.
    #[wasm_bindgen(method, getter, structural)]
    fn held(this: &FileColumns) -> Uint32Array;

    /// Where the others lie (`{zips: {name, first, files}[], addresses: {file, url}[]}`).
    #[wasm_bindgen(method, getter, structural)]
    fn elsewhere(this: &FileColumns) -> JsValue;
}

/// Files by their paths and sizes.
pub(crate) fn metas(columns: &FileColumns) -> Result<Vec<FileMeta>, JsValue> {
    let sizes = columns.sizes().to_vec();
    if sizes.is_empty() {
        return Ok(Vec::new());
    }
    let paths = columns.paths();
    let paths: Vec<&str> = paths.split('\0').collect();
    if paths.len() != sizes.len() {
        return Err(error(
            "bad_argument",
            "There are not as many paths as sizes.",
        ));
    }
    let metas = paths.into_iter().zip(sizes).map(|(path, size)| FileMeta {
        path: path.to_owned(),
        size: bytes(size),
    });
    Ok(metas.collect())
}

/// A number of bytes of JavaScript; it has no whole numbers that large beyond 2^53.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is at least 0 and whole"
)]
fn bytes(size: f64) -> Option<u64> {
    (size >= 0.0).then_some(size as u64)
}

#[cfg(feature = "session")]
pub(crate) use places::{NOT_HELD, places};

#[cfg(feature = "session")]
mod places {
    use serde::Deserialize;
    use wasm_bindgen::prelude::*;

    use super::FileColumns;
    use crate::convert::from_js;

    /// The page does not hold the file.
    pub(crate) const NOT_HELD: u32 = u32::MAX;

    /// Where files lie that the page does not hold; one that is not named is kept by this browser.
    #[derive(Debug, Default, Deserialize)]
    pub(crate) struct Elsewhere {
        pub(crate) zips: Vec<ZipFiles>,
        pub(crate) addresses: Vec<Address>,
    }

    /// Files of a ZIP, one after another.
    #[derive(Debug, Deserialize)]
    pub(crate) struct ZipFiles {
        pub(crate) name: String,
        /// The place of its first file in the list.
        pub(crate) first: usize,
        pub(crate) files: usize,
    }

    /// A file at an address.
    #[derive(Debug, Deserialize)]
    pub(crate) struct Address {
        pub(crate) file: usize,
        pub(crate) url: String,
    }

    /// Where files lie: their numbers on the page, and where the others are.
    pub(crate) fn places(columns: &FileColumns) -> Result<(Vec<u32>, Elsewhere), JsValue> {
        Ok((columns.held().to_vec(), from_js(columns.elsewhere())?))
    }
}
