//! Plain objects of JavaScript from and to the types of the core.

#[cfg(any(feature = "session", feature = "archive"))]
use std::{future::Future, pin::Pin};

#[cfg(any(feature = "session", feature = "archive"))]
use js_sys::Promise;
use serde::Serialize;
#[cfg(any(feature = "session", feature = "archive"))]
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::error;

#[cfg(any(feature = "session", feature = "archive"))]
pub(crate) fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|cause| error("bad_argument", &cause.to_string()))
}

pub(crate) fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let plain = serde_wasm_bindgen::Serializer::new()
        .serialize_maps_as_objects(true)
        .serialize_missing_as_null(true);
    value
        .serialize(&plain)
        .map_err(|cause| error("bad_result", &cause.to_string()))
}

/// What work comes to, as a promise of JavaScript.
///
/// All work is of one type here: each further type that becomes a promise is a kilobyte and a half of code.
#[cfg(any(feature = "session", feature = "archive"))]
pub(crate) fn promise(work: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    let work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(work);
    wasm_bindgen_futures::future_to_promise(work)
}

#[cfg(any(feature = "session", feature = "archive"))]
#[wasm_bindgen]
extern "C" {
    /// What JavaScript makes of whatever is to be a text.
    #[wasm_bindgen(js_name = String)]
    fn string_of(value: &JsValue) -> String;
}

/// The words of whatever was thrown.
#[cfg(any(feature = "session", feature = "archive"))]
pub(crate) fn message_of(cause: &JsValue) -> String {
    match cause.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => string_of(cause),
    }
}
