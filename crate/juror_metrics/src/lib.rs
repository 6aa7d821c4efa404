#![doc = include_str!("../README.md")]

mod aesthetics;
mod assignment;
mod bounding_box;
mod canny;
mod change;
mod channel_sums;
mod dar;
mod error;
mod fid;
mod grey;
mod image;
#[cfg(any(test, all(target_arch = "wasm32", target_feature = "simd128")))]
mod lanes;
mod mae;
mod mask;
mod metric;
mod metric_map;
mod ms_ssim;
mod mse;
mod npy;
mod phash;
mod pose;
mod psnr;
mod regions;
mod resize;
mod safetensors;
mod ssim;
mod tensor;
mod wide;
mod windows;

pub use aesthetics::{AESTHETIC_FEATURES, aesthetics};
pub use assignment::assign;
pub use bounding_box::{BoundingBox, BoxRule, adaptive_threshold, drawn_box};
pub use canny::{CANNY_TANGENT, Canny, canny};
pub use change::{Change, ChangeMap, Extent, change_map};
pub use dar::{
    Against, Axis, Call, Dar, Flat, Focus, Heads, Maps, Others, Over, Parameter, PrintedScores,
    Reference, ReferenceRow, Report, Side, SweepReport, SweepRow, Tokens, Weighing, printed_scores,
    sampled_rows,
};
pub use error::MetricError;
pub use fid::{Frechet, cosine, fid_multiref, frechet};
pub use grey::{FixedPoint, Grey, grey};
pub use image::{Image, Pixels, View};
pub use mae::mae;
pub use mask::{MASK_LEVEL, Overlap, mask, mask_multiref, mask_overlap};
pub use metric::{Input, Metric, Preparation};
pub use metric_map::{MapKind, MetricMap, change_in_box};
pub use ms_ssim::{MsSsim, ms_ssim, require_mirror, ssim_torchmetrics};
pub use mse::{Map, mse, mse_multiref, mse_reals, sum_of_squares};
pub use npy::{Array, is_npy};
pub use phash::{PHASH_SIDE, phash, phash_cells, phash_distance};
pub use pose::{PosePixels, pose_pixels};
pub use psnr::{psnr, psnr_of};
pub use regions::{LabelMap, MIN_REGION_PX, RegionMatch, match_regions, semantic_map};
pub use resize::{Between, Plan, Resampling, Sample, Share, plan, resize};
pub use safetensors::tensor_names;
pub use ssim::{Ssim, Window, ssim, ssim_constants, ssim_map, ssim_reals, ssim_with_map};
pub use tensor::{Layout, Tensor};
