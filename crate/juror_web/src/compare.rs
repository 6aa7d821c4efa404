//! The comparison edge: models beside each other, as `juror_core::session::compare` has them.

use juror_core::session::compare::CompareQuery;
use wasm_bindgen::prelude::*;

use crate::session::{Session, from_js, session_error, to_js};

#[wasm_bindgen]
impl Session {
    /// Models beside each other under a `ScoreOptions` and a `CompareQuery` (`Comparison`).
    pub fn compare(&mut self, options: JsValue, query: JsValue) -> Result<JsValue, JsValue> {
        let query: CompareQuery = from_js(query)?;
        let found = self.0.compare(&from_js(options)?, &query);
        to_js(&found.map_err(session_error)?)
    }

    /// Where each model stands in a column of the score table under a `StandingsQuery` (`Standing[]`).
    pub fn standings(&mut self, query: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.standings(&from_js(query)?))
    }

    /// The same as CSV.
    pub fn compare_csv(&mut self, options: JsValue, query: JsValue) -> Result<Vec<u8>, JsValue> {
        let query: CompareQuery = from_js(query)?;
        let found = self.0.compare(&from_js(options)?, &query);
        Ok(found.map_err(session_error)?.to_csv().into_bytes())
    }

    /// The samples that two models are compared on, the largest difference first (`PairedSample[]`).
    pub fn paired_samples(
        &mut self,
        options: JsValue,
        query: JsValue,
        a: &str,
        b: &str,
    ) -> Result<JsValue, JsValue> {
        let query: CompareQuery = from_js(query)?;
        let found = self.0.paired_samples(&from_js(options)?, &query, (a, b));
        to_js(&found.map_err(session_error)?)
    }
}
