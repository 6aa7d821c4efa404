//! What `cargo xtask bench metrics` times, natively and in Wasm: the same pictures, the same work.

use juror_metrics::{
    Canny, Grey, Image, MetricError, MsSsim, Window, canny, grey, ms_ssim, mse, ssim,
};

use crate::generate::Random;

/// The sides of the square pictures.
pub const SIDES: [usize; 3] = [512, 1024, 2048];

/// A pair in colour and in grey.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Reference and candidate.
    pub colour: [Image<u8>; 2],
    /// The same in OpenCV's grey.
    pub grey: [Image<u8>; 2],
}

impl Scene {
    /// Gradients, rectangles and noise; the candidate has more noise.
    ///
    /// # Errors
    /// Where the side is 0.
    pub fn draw(side: usize) -> Result<Self, MetricError> {
        let mut random = Random::new(12345);
        let (mut reference, mut candidate) = (Vec::new(), Vec::new());
        for y in 0..side {
            for x in 0..side {
                let is_light = (x / 37 * 7 + y / 53 * 5).is_multiple_of(4);
                for channel in 0..3 {
                    let base = x * 120 / side + y * 60 / side + 20 * channel + random.below(9);
                    let base = base + if is_light { 90 } else { 0 };
                    let byte = |value: usize| u8::try_from(value).unwrap_or(255);
                    reference.push(byte(base));
                    candidate.push(byte((base + random.below(21)).saturating_sub(10)));
                }
            }
        }
        let reference = Image::new(side, side, 3, reference)?;
        let candidate = Image::new(side, side, 3, candidate)?;
        let greys = [
            grey(&reference.view(), Grey::OpenCv)?,
            grey(&candidate.view(), Grey::OpenCv)?,
        ];
        Ok(Self {
            colour: [reference, candidate],
            grey: greys,
        })
    }
}

/// A piece of work: a number from a scene.
pub type Work = fn(&Scene) -> Result<f64, MetricError>;

/// The work by name; the names are also those of `bench_metrics.py`.
pub const WORKS: [(&str, Work); 7] = [
    ("MSE, RGB", |scene| {
        let [r, c] = &scene.colour;
        mse(&r.view(), &c.view())
    }),
    ("SSIM 7 × 7, RGB", |scene| {
        of(&scene.colour, Window::UNIFORM)
    }),
    ("SSIM 7 × 7, grey", |scene| {
        of(&scene.grey, Window::UNIFORM)
    }),
    ("SSIM Gaussian, RGB", |scene| {
        of(&scene.colour, Window::GAUSSIAN)
    }),
    ("SSIM Gaussian, grey", |scene| {
        of(&scene.grey, Window::GAUSSIAN)
    }),
    ("MS-SSIM, RGB", |scene| {
        let [r, c] = &scene.colour;
        ms_ssim(&r.view(), &c.view(), MsSsim::Torchmetrics)
    }),
    ("Canny, grey", |scene| {
        let edges = canny(&scene.grey[0].view(), Canny::MULTIREF)?;
        Ok(edges.data().iter().filter(|mark| **mark > 0).count() as f64)
    }),
];

fn of([r, c]: &[Image<u8>; 2], window: Window) -> Result<f64, MetricError> {
    Ok(ssim(&r.view(), &c.view(), window, 255.0)?.value)
}

/// How often each work is done; the fastest time counts.
pub const RUNS: usize = 9;

/// The fastest of [`RUNS`] in milliseconds, and the value; `now` is in milliseconds.
///
/// # Errors
/// The work's own.
pub fn fastest(
    work: Work,
    scene: &Scene,
    mut now: impl FnMut() -> f64,
) -> Result<(f64, f64), MetricError> {
    let (mut best, mut value) = (f64::INFINITY, f64::NAN);
    for _ in 0..RUNS {
        let start = now();
        value = work(scene)?;
        best = best.min(now() - start);
    }
    Ok((best, value))
}
