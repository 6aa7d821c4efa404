//! The sample list at the edge.

use wasm_bindgen::prelude::*;

use crate::session::{Session, from_js, to_js};

#[wasm_bindgen]
impl Session {
    /// A window of the filtered sample list (`SampleList`), or `null` where a search has looked into so many bytes of replies
    /// and is not done: asked again, it goes on there.
    pub fn samples(&mut self, query: JsValue, bytes: f64) -> Result<JsValue, JsValue> {
        to_js(&self.0.samples_in_parts(&from_js(query)?, whole(bytes)))
    }

    /// The fields of a filter with their values, counted (`Facet[]`), or `null` as in `samples`.
    pub fn facets(&mut self, query: JsValue, bytes: f64) -> Result<JsValue, JsValue> {
        to_js(&self.0.facets_in_parts(&from_js(query)?, whole(bytes)))
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

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a budget: what is no number is none, and what is too large is all"
)]
fn whole(bytes: f64) -> u64 {
    bytes as u64
}
