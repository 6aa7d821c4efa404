#![doc = include_str!("../README.md")]

mod bands;
mod batch;
mod canny;
mod change;
mod composite;
mod context;
mod dar;
mod error;
mod grey;
mod kernel;
mod mae;
mod mask;
mod ms_ssim;
mod mse;
mod plane;
mod pool;
mod resize;
mod ssim;
#[cfg(not(target_arch = "wasm32"))]
mod staging;
mod work;

pub use batch::{Pair, Started, has_twin};
pub use canny::Edges;
pub use context::{Fill, Gpu, Options};
pub use error::GpuError;
pub use resize::Taps;
