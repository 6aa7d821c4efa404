//! The edge of measured values: `juror_core::session::measures`', in the whole engine alone.

use juror_core::journal;
use juror_core::session::conditions::ConditionValue;
use wasm_bindgen::prelude::*;

use crate::error;
use crate::session::{Session, from_js, to_js};

#[wasm_bindgen]
impl Session {
    /// What can be measured (`MeasureOffer`).
    pub fn measure_offer(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.measure_offer())
    }

    /// What measuring this would take (`MeasurePlan`).
    pub fn measure_plan(&mut self, query: JsValue) -> Result<JsValue, JsValue> {
        let plan = self.0.measure_plan(&from_js(query)?);
        to_js(&plan.map_err(|problem| error("bad_measures", &problem))?)
    }

    /// What files made elsewhere can complete (`ConditionPlan`).
    pub fn condition_plan(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.condition_plan())
    }

    /// Values of such files (`ConditionValue[]`) as a journal, each reply at this time.
    pub fn condition_journal(&self, values: JsValue, time: &str) -> Result<String, JsValue> {
        let values: Vec<ConditionValue> = from_js(values)?;
        Ok(journal::write(&self.0.condition_records(&values, time)))
    }

    /// Takes measured values in (`Measure[]`).
    pub fn add_measures(&mut self, records: JsValue) -> Result<(), JsValue> {
        self.0.add_measures(from_js(records)?);
        Ok(())
    }

    /// Takes the text of a file of measured values in (`MeasureImport`).
    pub fn import_measures(&mut self, text: &str) -> Result<JsValue, JsValue> {
        let found = self.0.import_measures(text);
        to_js(&found.map_err(|problem| error("bad_measures", &problem))?)
    }

    /// Forgets what was measured in this session.
    pub fn drop_measures(&mut self) {
        self.0.drop_measures();
    }

    /// Every measured value as `juror-measures/1`.
    pub fn measures(&mut self) -> Vec<u8> {
        self.0.measures().into_bytes()
    }
}
