//! The checks of the GPU's twins on this machine's GPU, or on what stands in for one.

use std::sync::OnceLock;

use juror_gpu::Gpu;
use juror_tests::on_gpu::{FILLED, check};
use juror_tests::say;
use pollster::block_on;

/// The GPU that all tests share, or `None` with one loud line; `JUROR_REQUIRE_GPU=1` makes that a failure.
fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let found = GPU.get_or_init(|| match block_on(Gpu::with(FILLED)) {
        Ok(gpu) => {
            say!("GPU: {}", gpu.adapter());
            Some(gpu)
        }
        Err(error) => {
            let is_required = std::env::var_os("JUROR_REQUIRE_GPU").is_some_and(|on| on == "1");
            assert!(!is_required, "{error}");
            say!("SKIPPED: {error}");
            None
        }
    });
    found.as_ref()
}

macro_rules! tests {
    ($($module:ident::$name:ident,)*) => {
        $(#[test]
        fn $name() {
            if let Some(gpu) = gpu() {
                block_on(check(stringify!($name), gpu));
            }
        })*
    };
}

juror_tests::for_each_check_on_gpu!(tests);
