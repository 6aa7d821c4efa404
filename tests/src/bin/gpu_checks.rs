//! The checks of the GPU's twins as a module for pages: `gpu-checks.spec.ts` runs them one by one in Chromium.
//!
//! Natively the same checks are tests of the target `pictures`.

#[cfg(all(target_arch = "wasm32", feature = "gpu"))]
#[expect(
    unreachable_pub,
    reason = "wasm-bindgen exports public functions alone"
)]
mod web {
    use std::cell::RefCell;
    use std::rc::Rc;

    use juror_gpu::{Gpu, GpuError};
    use juror_tests::on_gpu::{FILLED, NAMES};
    use juror_tests::say;
    use wasm_bindgen::prelude::*;

    thread_local! {
        /// The GPU that all checks of a page share, as all tests do natively: a browser compiles the shaders of each anew.
        static GPU: RefCell<Option<Rc<Gpu>>> = const { RefCell::new(None) };
    }

    async fn gpu() -> Result<Rc<Gpu>, GpuError> {
        if let Some(gpu) = GPU.with_borrow(Clone::clone) {
            return Ok(gpu);
        }
        let gpu = Rc::new(Gpu::with(FILLED).await?);
        GPU.set(Some(Rc::clone(&gpu)));
        Ok(gpu)
    }

    /// The checks' names.
    #[wasm_bindgen]
    pub fn names() -> Vec<String> {
        NAMES.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Runs a check and says the adapter's name; rejects where the browser gives none.
    /// A check that fails panics: what it says is an error of the console, and the page is of no use afterwards.
    #[wasm_bindgen]
    pub async fn check(name: String) -> Result<String, JsError> {
        std::panic::set_hook(Box::new(|panic| say!("PANIC: {panic}")));
        let gpu = gpu().await?;
        juror_tests::on_gpu::check(&name, &gpu).await;
        Ok(gpu.adapter().to_owned())
    }
}

fn main() {}
