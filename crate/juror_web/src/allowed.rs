//! How large pictures may be: each package holds its own number, which the page tells it when it starts.

use wasm_bindgen::prelude::*;

/// Reads pictures of up to so many megapixels from now on.
#[wasm_bindgen(js_name = allowMegapixels)]
pub fn allow_megapixels(megapixels: u32) {
    juror_image::allow_pixels(u64::from(megapixels) * 1_000_000);
}
