//! Times the image metrics in Wasm; `cargo xtask bench metrics` runs it and reads its lines.
//!
//! Node's engine is Chromium's. Asserts nothing about time.
#![cfg(target_arch = "wasm32")]

use juror_tests::bench::{SIDES, Scene, WORKS, fastest};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

#[wasm_bindgen_test]
fn image_metrics_are_timed() {
    for side in SIDES {
        let scene = Scene::draw(side).expect("a side");
        for (name, work) in WORKS {
            let (milliseconds, value) = fastest(work, &scene, now).expect("a large picture");
            assert!(value.is_finite());
            console_log!("TIMED\t{name} {side}\t{milliseconds}\t{}", value.to_bits());
        }
    }
}

/// Milliseconds with fractions.
fn now() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    let performance = performance.expect("every engine has it");
    let method = js_sys::Reflect::get(&performance, &"now".into()).expect("its one method");
    let method: js_sys::Function = method.into();
    let now = method.call0(&performance).expect("it takes nothing");
    now.as_f64().expect("a number")
}
