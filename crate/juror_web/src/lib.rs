#![doc = include_str!("../README.md")]

use wasm_bindgen::prelude::*;

#[cfg(feature = "protocols")]
pub mod agents;
#[cfg(feature = "gpu")]
pub mod dar;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "protocols")]
pub mod judging;
#[cfg(feature = "gpu")]
pub mod maps;
#[cfg(feature = "protocols")]
pub mod pack;
#[cfg(feature = "pictures")]
pub mod pictures;
#[cfg(feature = "session")]
mod question;
#[cfg(feature = "session")]
pub mod session;
#[cfg(all(test, target_arch = "wasm32", feature = "session"))]
mod tests;
#[cfg(any(feature = "pictures", feature = "gpu"))]
mod thumbnail;

fn error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh Error cannot fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
