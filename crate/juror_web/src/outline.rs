//! The edge before an engine is chosen for an evidence pack: whose it is, and which engine can show it.
//!
//! A pack whose files say everything themselves is shown by the first engine of its benchmark, as a folder with the same files
//! would be; whatever a manifest says beside its files, the engine with every question alone takes in.

use std::collections::HashMap;
use std::rc::Rc;

use js_sys::{JSON, Promise};
use juror_evidence::pack::{Outline, is_manifest};
use juror_model::host::FileMeta;
use juror_model::options::ScoreOptions;
use juror_model::tree::FileTree;
use juror_protocols::recognition;
use juror_protocols::registry::SIGNS;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::convert::{from_js, promise, to_js};
use crate::zip::{Listed, PackSource, Zip};

/// A pack in outline, for the page.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
struct PackOutline {
    /// Its manifest, word for word.
    manifest: String,
    /// The benchmark that it states and that its files are of by their names as well; nothing where that is not sure.
    benchmark: Option<&'static str>,
    /// What the first engine of that benchmark needs to show it; nothing where the pack says more than its files do.
    files: Option<PackedFiles>,
}

/// A pack that says no more than its files.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
struct PackedFiles {
    /// In the order of the manifest.
    files: Vec<PackSource>,
    /// The choices that its scores rest on; a policy that is the profile's own is none.
    options: ScoreOptions,
}

/// The pack that a ZIP is, in outline (`PackOutline`); nothing where it is any other ZIP.
#[wasm_bindgen(js_name = outlineOf)]
pub fn outline_of(zip: &Zip) -> Promise {
    let zip = Rc::clone(&zip.0);
    promise(async move {
        let Some(place) = zip.manifest() else {
            return Ok(JsValue::UNDEFINED);
        };
        let text = zip.text(place).await?;
        if !is_manifest(&text) {
            return Ok(JsValue::UNDEFINED);
        }
        let outline = JSON::parse(&text).and_then(from_js::<Outline>).ok();
        let benchmark = outline.as_ref().and_then(benchmark);
        let files = outline
            .filter(|outline| benchmark.is_some() && outline.rests_on_files())
            .and_then(|outline| files(&zip, &outline));
        to_js(&PackOutline {
            manifest: text,
            benchmark,
            files,
        })
    })
}

/// The benchmark that names leave no doubt about, where it is the stated one.
fn benchmark(outline: &Outline) -> Option<&'static str> {
    let mut tree = FileTree::default();
    for path in outline.sources() {
        // A refused name is a finding of the session's.
        let _ = tree.add(&FileMeta {
            path: path.to_owned(),
            size: None,
        });
    }
    let found = recognition::recognised(&tree, SIGNS)?.id();
    (found == outline.protocol).then_some(found)
}

/// Its files, where the ZIP has all of them under their own names and nothing in it is refused.
fn files(zip: &Listed, outline: &Outline) -> Option<PackedFiles> {
    if !zip.archive.refused.is_empty() {
        return None;
    }
    let (places, paths) = zip.packed()?;
    let by_path: HashMap<String, u32> = paths.into_iter().zip(places).collect();
    let files = outline.sources().map(|path| {
        let entry = *by_path.get(path)?;
        Some(zip.pack_source(path.to_owned(), Some(entry)))
    });
    Some(PackedFiles {
        files: files.collect::<Option<_>>()?,
        options: outline.options().without_usual_policy(),
    })
}
