//! Image metrics on the CPU, each defined once in plain f64 Rust with the numbers of the Python tool that papers use.
//!
//! Samples come in as [`View`]s, numbers go out; this crate knows no file, clock, network, browser or randomness, and
//! no decoder: `juror_image` turns files into samples.
//! Every sum has a fixed order, and logarithms, exponentials and cosines are `libm`'s: natively and in Wasm a metric is
//! the same number to the bit.

mod canny;
mod error;
mod grey;
mod image;
mod mae;
mod ms_ssim;
mod mse;
mod psnr;
mod resize;
mod ssim;
mod windows;

pub use canny::{Canny, canny};
pub use error::MetricError;
pub use grey::{Grey, grey};
pub use image::{Image, Pixels, View};
pub use mae::mae;
pub use ms_ssim::{MsSsim, ms_ssim, ssim_torchmetrics};
pub use mse::{Map, mse, mse_multiref, mse_reals, sum_of_squares};
pub use psnr::psnr;
pub use resize::{Resampling, Sample, resize};
pub use ssim::{Ssim, Window, ssim, ssim_map, ssim_reals};
