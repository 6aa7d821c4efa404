//! The engine of the page with a sixth benchmark: `sixth.spec.ts` puts it in the place of the built one.
//!
//! The benchmark is the folder `tests/rules/sixth/duel`, and the list below is its registration: all else is `juror_web`.

#[cfg(all(target_arch = "wasm32", feature = "page"))]
#[path = "../../tests/rules/sixth/duel/mod.rs"]
#[expect(dead_code, reason = "the tests have a second form of the benchmark")]
mod duel;

#[cfg(all(target_arch = "wasm32", feature = "page"))]
#[expect(
    unreachable_pub,
    reason = "wasm-bindgen exports public functions alone"
)]
mod web {
    use juror_protocols::contract::Protocol;
    use juror_protocols::registry::{ALL, demos_of};
    use wasm_bindgen::prelude::*;

    use crate::duel::{DUEL, demo};

    /// Every built-in benchmark, and the sixth.
    fn benchmarks() -> &'static [&'static dyn Protocol] {
        let sixth: &dyn Protocol = &DUEL;
        Vec::leak([ALL, &[sixth]].concat())
    }

    /// Has the engine know them.
    pub fn register() {
        juror_web::benchmarks::serve(benchmarks());
    }

    /// The page's list of demo suites as JSON, as `cargo xtask bless` writes it for the built-in benchmarks.
    #[wasm_bindgen]
    pub fn suites() -> String {
        serde_json::to_string(&demos_of(benchmarks())).unwrap_or_default()
    }

    /// The paths of the demo suite's files.
    #[wasm_bindgen]
    pub fn demo_paths() -> Vec<String> {
        demo::files().into_iter().map(|(path, _)| path).collect()
    }

    /// The content of one of them.
    #[wasm_bindgen]
    pub fn demo_bytes(at: usize) -> Vec<u8> {
        demo::files().swap_remove(at).1
    }
}

/// wasm-bindgen calls it before anything else.
fn main() {
    #[cfg(all(target_arch = "wasm32", feature = "page"))]
    web::register();
}
