//! The edge of people's ratings and of agreement: `juror_core::session`'s, in the whole engine alone.

use juror_core::session;
use wasm_bindgen::prelude::*;

use crate::session::{Session, from_js, session_error, to_js};

#[wasm_bindgen]
impl Session {
    /// Judges beside people and each other (`Agreement`).
    pub fn agreement(&mut self, options: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.agreement(&from_js(options)?))
    }

    /// One pairing in full (`PairDetail`).
    pub fn agreement_pair(&mut self, key: JsValue) -> Result<JsValue, JsValue> {
        let found = self.0.agreement_pair(&from_js(key)?);
        to_js(&found.map_err(session_error)?)
    }

    /// A CSV for people's ratings, to be filled in.
    pub fn ratings_template(&mut self) -> Vec<u8> {
        self.0.ratings_template().into_bytes()
    }

    /// What there is to rate, shuffled (`RatePlan`).
    pub fn rate_plan(&mut self, scope: JsValue) -> Result<JsValue, JsValue> {
        to_js(&self.0.rate_plan(&from_js(scope)?))
    }

    /// One output to rate, without its name (`RateItem`).
    pub fn rate_item(&mut self, key: JsValue) -> Result<JsValue, JsValue> {
        let found = self.0.rate_item(&from_js(key)?);
        to_js(&found.map_err(session_error)?)
    }

    /// Takes the ratings that the page keeps (`Rating[]`), instead of those of before.
    pub fn use_ratings(&mut self, ratings: JsValue) -> Result<(), JsValue> {
        self.0.use_ratings(from_js(ratings)?);
        Ok(())
    }

    /// The ratings of one rater, or of all, as CSV.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "optional text comes over the edge by value"
    )]
    pub fn ratings_csv(&mut self, rater: Option<String>) -> Vec<u8> {
        self.0.ratings_csv(rater.as_deref()).into_bytes()
    }
}

/// Reads a file of ratings (`RatingsFile`); `null` if it is something else.
#[wasm_bindgen]
pub fn read_ratings(path: &str, text: &str) -> Result<JsValue, JsValue> {
    to_js(&session::Session::read_ratings(path, text))
}
