//! The browser edge of Juror: bytes and one options object in, plain objects out; no logic.
//!
//! Built twice, as two Wasm modules: the engine (`session`), and the work on pixels (`pictures`) that few visits need.
//! Every error is a JavaScript `Error` with a stable `code` property.

use wasm_bindgen::prelude::*;

#[cfg(feature = "pictures")]
pub mod pictures;
#[cfg(feature = "session")]
pub mod session;

fn error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh Error cannot fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
