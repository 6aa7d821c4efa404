//! Base64 by the browser: a picture becomes a text, and a text a picture, without passing through Wasm's memory.

use js_sys::{Array, Function, JsString, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    fn btoa(text: &JsString) -> Result<JsString, JsValue>;
    #[wasm_bindgen(catch)]
    fn atob(text: &str) -> Result<JsString, JsValue>;
}

/// A multiple of three bytes, so that the pieces join without padding.
const PIECE: u32 = 3 * 8192;

/// The base64 of bytes, by the browser's own function where it has one.
pub(super) fn encoded(bytes: &Uint8Array) -> Result<JsString, JsValue> {
    if let Some(native) = function(bytes, "toBase64") {
        return Ok(native.call0(bytes)?.unchecked_into());
    }
    let parts = Array::new();
    for from in (0..bytes.length()).step_by(PIECE as usize) {
        let piece = bytes.subarray(from, bytes.length().min(from + PIECE));
        // A piece is short enough for the arguments of a call.
        let letters: Vec<u16> = piece.to_vec().into_iter().map(u16::from).collect();
        parts.push(&btoa(&JsString::from_char_code(&letters))?.into());
    }
    Ok(parts.join(""))
}

/// The bytes of a base64 text; an error where it is none.
pub(super) fn decoded(text: &str) -> Result<Uint8Array, JsValue> {
    let class = Reflect::get(&js_sys::global(), &"Uint8Array".into())?;
    if let Some(native) = function(&class, "fromBase64") {
        return Ok(native.call1(&class, &text.into())?.unchecked_into());
    }
    let letters = atob(text)?;
    let bytes = Uint8Array::new_with_length(letters.length());
    for at in 0..letters.length() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "each letter of what atob gives is a byte"
        )]
        bytes.set_index(at, letters.char_code_at(at) as u8);
    }
    Ok(bytes)
}

/// A function that newer browsers have.
fn function(of: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(of, &name.into()).ok()?.dyn_into().ok()
}
