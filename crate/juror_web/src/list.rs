//! The sample list at the edge.

use wasm_bindgen::prelude::*;

use crate::session::{Session, from_js, to_js};

#[wasm_bindgen]
impl Session {
    /// A window of the filtered sample list (`SampleList`).
    pub fn samples(&mut self, query: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.samples(&from_js(query)?))
    }

    /// The fields of a filter with their values, counted (`Facet[]`).
    pub fn facets(&mut self, query: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.facets(&from_js(query)?))
    }

    /// What the samples of a group of score rows pass, and no others; nothing where no expression says it.
    pub fn group_filter(
        &mut self,
        options: JsValue,
        scope: &str,
        key: &str,
    ) -> Result<Option<String>, JsValue> {
        Ok(self.0.group_filter(&from_js(options)?, scope, key))
    }

    /// What may stand at the caret of a filter (`Completion[]`).
    pub fn complete_filter(
        &mut self,
        source: &str,
        caret: u32,
        options: JsValue,
    ) -> Result<JsValue, JsValue> {
        to_js(&self.0.complete_filter(source, caret, &from_js(options)?))
    }
}
