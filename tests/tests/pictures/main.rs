//! Decoding, resampling and metrics, on the CPU and on the GPU.

mod bad_pictures;
mod files;
mod formats;
mod golden;
#[cfg(feature = "gpu")]
mod gpu;
mod image;
mod jpeg;
mod rules;
