//! What a test says besides passing: to standard output, or in Wasm, where that goes nowhere, to the console.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn log(line: &str);
}

/// Says a line.
#[cfg(target_arch = "wasm32")]
pub fn line(line: &str) {
    log(line);
}

/// Says a line.
#[cfg(not(target_arch = "wasm32"))]
#[expect(
    clippy::print_stdout,
    reason = "what was measured and left out is part of what a test run says"
)]
pub fn line(line: &str) {
    println!("{line}");
}

/// Says a formatted line, natively and in Wasm.
#[macro_export]
macro_rules! say {
    ($($format:tt)*) => {
        $crate::said::line(&format!($($format)*))
    };
}
