//! SSIM and MS-SSIM against the torch packages' values for pictures that are formulas, odd sides among them.
//!
//! The vectors are written by `tests/golden/torch_metrics.py`; the pictures are drawn here by the same formula.

use juror_metrics::{Image, MetricError, MsSsim, Pixels, ms_ssim, ssim_torchmetrics};
use serde_json::Value;

use super::metrics::pictures;
use super::{Tallies, Tally};

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/torch_metrics.json");

/// How many values the vectors hold.
pub const NUM_VALUES: usize = 62;
/// torch's convolution adds up in another order; the packages' own f64.
pub const TOLERANCE: f64 = 1e-12;

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// As `torchmetrics` averages it.
    pub ssim: fn(&Pixels<'_>, &Pixels<'_>) -> Result<f64, MetricError>,
    /// As either package computes it.
    pub ms_ssim: fn(&Pixels<'_>, &Pixels<'_>, MsSsim) -> Result<f64, MetricError>,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        ssim: ssim_torchmetrics,
        ms_ssim,
    };
}

/// The mean of a picture and of another one upside down.
fn mixed(picture: &Image<u8>, other: &Image<u8>) -> Image<u8> {
    let (width, height) = picture.view().size();
    let rows = other.data().chunks_exact(3 * width).rev();
    let mean = |(a, b): (&u8, &u8)| a.midpoint(*b);
    let data = picture.data().iter().zip(rows.flatten()).map(mean);
    Image::new(width, height, 3, data.collect()).expect("as before")
}

/// The reference of a case and its candidates, a near and a far one.
pub fn pictures_of(width: usize, height: usize) -> (Image<u8>, [Image<u8>; 2]) {
    let [reference, near] = pictures(width, height);
    let far = mixed(&near, &reference);
    (reference, [near, far])
}

/// Runs all cases; `null` stands for what a package refuses.
///
/// # Panics
/// If the vectors are not what `torch_metrics.py` writes.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let mut tallies = Tallies::new();
    for case in vectors["cases"].as_array().expect("a list of cases") {
        let [width, height] = ["width", "height"].map(|side| {
            let side = case[side].as_u64().expect("a length");
            usize::try_from(side).expect("a short length")
        });
        let (reference, candidates) = pictures_of(width, height);
        for (idx, candidate) in candidates.iter().enumerate() {
            let (r, c) = (reference.view(), candidate.view());
            for (key, value) in [
                ("ssim_torchmetrics", &|| (rules.ssim)(&r, &c)),
                ("ms_ssim", &|| (rules.ms_ssim)(&r, &c, MsSsim::Torchmetrics)),
                ("ms_ssim_pytorch", &|| {
                    (rules.ms_ssim)(&r, &c, MsSsim::PytorchMsssim)
                }),
            ] as [(&str, &dyn Fn() -> Result<f64, MetricError>); 3]
            {
                let Some(expected) = case.get(key).map(|values| &values[idx]) else {
                    continue;
                };
                let found = value();
                let agrees = match (expected.as_f64(), &found) {
                    (Some(expected), Ok(found)) => (expected - found).abs() <= TOLERANCE,
                    (None, Err(_)) => expected.is_null(),
                    _ => false,
                };
                let tally: &mut Tally = tallies.entry(key.to_owned()).or_default();
                if agrees {
                    tally.passed += 1;
                } else {
                    let line = format!("{width} × {height}: expected {expected}, found {found:?}");
                    tally.failed.push(line);
                }
            }
        }
    }
    tallies
}
