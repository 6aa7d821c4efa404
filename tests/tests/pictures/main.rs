//! Decoding, resampling and metrics, on the CPU and on the GPU.

mod bad_pictures;
mod files;
mod formats;
mod golden;
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
mod gpu;
mod image;
mod jpeg;
mod rules;
