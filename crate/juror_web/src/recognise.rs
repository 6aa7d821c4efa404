//! The edge before an engine is chosen: which benchmark files are of, by their names alone.

use juror_model::tree::FileTree;
use juror_protocols::recognition;
use juror_protocols::registry::SIGNS;
use wasm_bindgen::prelude::*;

use crate::listing::{FileColumns, metas};

/// The id of the one benchmark that these files are of; nothing where that is not sure.
#[wasm_bindgen]
pub fn recognised(files: &FileColumns) -> Result<Option<String>, JsValue> {
    let mut tree = FileTree::default();
    for file in metas(files)? {
        // A refused name is a finding of the session's.
        let _ = tree.add(&file);
    }
    Ok(recognition::recognised(&tree, SIGNS).map(|found| found.id().to_owned()))
}
