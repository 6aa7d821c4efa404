//! The image metrics on a GPU: twins of `juror_metrics` that must prove that they agree with it.
//!
//! A metric is defined in `juror_metrics`; what stands here is a copy, held against it by the parity tests.
//! Where a metric is made of whole numbers its twin is exact; SSIM is f32 on the GPU and within 2 · 10⁻⁵.
//! [`Gpu::new`] asks for an adapter; everything that can fail is a [`GpuError`], so that a host computes on the CPU
//! instead and says so: the backend is a part of every report.
//!
//! One metric of one pair is a function of [`Gpu`]; many pairs go through [`Gpu::start`], which puts several into one
//! submission while the host decodes the next ones.

mod bands;
mod batch;
mod canny;
mod change;
mod composite;
mod context;
mod dar;
mod error;
mod fallback;
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
mod work;

pub use batch::{Pair, Started, has_twin};
pub use canny::Edges;
pub use context::{Fill, Gpu, Options};
pub use error::GpuError;
pub use fallback::{Backend, Computed};
pub use resize::Taps;
