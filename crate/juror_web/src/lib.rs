#![doc = include_str!("../README.md")]

use wasm_bindgen::prelude::*;

#[cfg(any(
    feature = "session",
    feature = "pictures",
    feature = "gpu",
    feature = "networks"
))]
pub mod allowed;
#[cfg(feature = "session")]
pub mod benchmarks;
#[cfg(any(feature = "archive", feature = "session"))]
mod convert;
#[cfg(feature = "gpu")]
pub mod dar;
#[cfg(feature = "archive")]
pub mod download;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "networks")]
pub mod graph_host;
#[cfg(feature = "full")]
pub mod host;
#[cfg(any(feature = "recognise", feature = "session"))]
pub mod listing;
#[cfg(feature = "session")]
pub mod loading;
#[cfg(feature = "make")]
pub mod make;
#[cfg(feature = "gpu")]
pub mod maps;
#[cfg(any(feature = "gpu", feature = "networks"))]
mod measured;
#[cfg(any(feature = "networks", feature = "typescript"))]
#[cfg_attr(
    not(feature = "networks"),
    allow(
        dead_code,
        reason = "only their types are wanted, and in tests all of them"
    )
)]
mod network_pack;
#[cfg(feature = "networks")]
pub mod networks;
#[cfg(all(feature = "recognise", feature = "archive"))]
pub mod outline;
#[cfg(feature = "pictures")]
pub mod pictures;
#[cfg(any(feature = "gpu", feature = "networks", feature = "typescript"))]
#[cfg_attr(
    not(feature = "gpu"),
    expect(dead_code, reason = "only their types are wanted, or one of them")
)]
mod pixels;
#[cfg(feature = "session")]
mod question;
#[cfg(feature = "recognise")]
pub mod recognise;
#[cfg(feature = "session")]
pub mod session;
#[cfg(all(test, target_arch = "wasm32", feature = "session"))]
mod tests;
#[cfg(feature = "archive")]
pub mod zip;

fn error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh Error cannot fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
