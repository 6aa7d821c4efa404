//! Multi-scale structural similarity, as the two Python packages compute it that papers use.
//!
//! Source: Wang, Simoncelli, Bovik, "Multiscale structural similarity for image quality assessment", Asilomar 2003;
//! `torchmetrics` 1.4 and `pytorch_msssim` 1.0 for what the paper leaves open: borders, odd sides, colour.

use crate::Image;
use crate::MetricError;
use crate::Pixels;
use crate::View;
use crate::channel_sums::ChannelSums;
use crate::ssim::{Area, Ssim};
use crate::windows::{Formula, Kernel, Moments, weighted};

/// Whose MS-SSIM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MsSsim {
    /// `torchmetrics.functional.image.multiscale_structural_similarity_index_measure(data_range=255)`:
    /// channels are averaged at each scale; the last scale's windows reach over a mirrored border; sides from 176.
    Torchmetrics,
    /// `pytorch_msssim.ms_ssim(data_range=255)`: channels are averaged at the end; windows stay inside;
    /// odd sides get a border of zeros before they are halved; kernel weights in f32; sides from 161.
    PytorchMsssim,
}

/// The exponents of the five scales, from the finest.
const BETAS: [f64; 5] = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333];
const RADIUS: u8 = 5;
const SIGMA: f64 = 1.5;
const DATA_RANGE: f64 = 255.0;

/// MS-SSIM of 8-bit pictures: S₅^β₅ · ∏ CSᵢ^βᵢ over scales 1 … 4.
///
/// CS = (2 σᵣ꜀ + C₂) / (σᵣ² + σ꜀² + C₂) and S as in [`ssim`](crate::ssim), each the mean over a scale,
/// negative means counted as 0; Gaussian window of 11 places, σ = 1.5; each scale halves the one before by 2 × 2 means.
///
/// Symmetric; 1 for equal pictures; 0 as soon as one scale's structure is opposed.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::ChannelMismatch`]; [`MetricError::TooSmall`] below the sides that the
/// packages refuse.
pub fn ms_ssim(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
    variant: MsSsim,
) -> Result<f64, MetricError> {
    variant.require(reference, candidate)?;
    let mut scales = vec![scale_value([reference, candidate], false, variant)];
    let mut pair = [reference, candidate].map(|side| halved(side, variant));
    loop {
        let is_last = scales.len() + 1 == MsSsim::NUM_SCALES;
        let [reference, candidate] = pair.each_ref().map(Image::view);
        scales.push(scale_value([&reference, &candidate], is_last, variant));
        if is_last {
            return Ok(variant.combined(&scales));
        }
        pair = [&reference, &candidate].map(|side| halved(side, variant));
    }
}

/// The parts of the two variants, which twins on other hardware share.
impl MsSsim {
    /// How many scales there are.
    pub const NUM_SCALES: usize = BETAS.len();

    /// Errors where the package refuses a pair.
    ///
    /// # Errors
    /// As [`ms_ssim`].
    pub fn require(
        self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<(), MetricError> {
        reference.require_same_shape(candidate)?;
        let (width, height) = reference.size();
        let (metric, needed) = match self {
            Self::Torchmetrics => ("MS-SSIM (torchmetrics)", 176),
            Self::PytorchMsssim => ("MS-SSIM (pytorch_msssim)", 161),
        };
        if width.min(height) < needed {
            return Err(MetricError::TooSmall {
                metric,
                needed,
                width,
                height,
            });
        }
        Ok(())
    }

    /// The Gaussian's weights, from the outermost to the middle.
    pub fn half_weights(self) -> Vec<f64> {
        self.kernel().half().to_vec()
    }

    fn kernel(self) -> Kernel {
        match self {
            Self::Torchmetrics => Kernel::gaussian(SIGMA),
            Self::PytorchMsssim => Kernel::gaussian_single(1.5, RADIUS),
        }
    }

    /// Zeros that a side gets on both ends before it is halved.
    pub fn padding(self, len: usize) -> usize {
        match self {
            Self::Torchmetrics => 0,
            Self::PytorchMsssim => len % 2,
        }
    }

    /// Places by which the last scale is mirrored beyond its border.
    pub fn mirror(self) -> usize {
        match self {
            Self::Torchmetrics => usize::from(RADIUS),
            Self::PytorchMsssim => 0,
        }
    }

    /// MS-SSIM from the means of its scales, from the finest: contrast and structure of all but the last, SSIM of that.
    pub fn combined(self, scales: &[Ssim]) -> f64 {
        match self {
            Self::Torchmetrics => product(scales.iter().map(|scale| scale.value), self),
            Self::PytorchMsssim => {
                let channels = scales.first().map_or(0, |scale| scale.channels.len());
                let of = |idx: usize| product(scales.iter().map(|scale| scale.channels[idx]), self);
                (0..channels).map(of).sum::<f64>() / channels as f64
            }
        }
    }
}

/// SSIM as `torchmetrics.functional.image.structural_similarity_index_measure(data_range=255)` averages it:
/// over windows at every pixel, the border mirrored without its edge, where scikit-image takes windows inside only.
///
/// # Errors
/// As [`ssim`](crate::ssim); `torchmetrics` needs sides of at least 6 to mirror.
pub fn ssim_torchmetrics(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
) -> Result<f64, MetricError> {
    require_mirror(reference, candidate)?;
    Ok(scale_value([reference, candidate], true, MsSsim::Torchmetrics).value)
}

/// Errors where [`ssim_torchmetrics`] has no value.
///
/// # Errors
/// As [`ssim_torchmetrics`].
pub fn require_mirror(reference: &Pixels<'_>, candidate: &Pixels<'_>) -> Result<(), MetricError> {
    reference.require_same_shape(candidate)?;
    let (width, height) = reference.size();
    let needed = usize::from(RADIUS) + 1;
    if width.min(height) < needed {
        return Err(MetricError::TooSmall {
            metric: "SSIM with mirrored borders",
            needed,
            width,
            height,
        });
    }
    Ok(())
}

fn product(values: impl Iterator<Item = f64>, variant: MsSsim) -> f64 {
    values
        .zip(BETAS)
        .map(|(value, beta)| {
            let beta = match variant {
                MsSsim::Torchmetrics => f64::from(single(beta)),
                MsSsim::PytorchMsssim => beta,
            };
            libm::pow(value.max(0.0), beta)
        })
        .product()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "torchmetrics keeps its exponents in f32"
)]
fn single(beta: f64) -> f32 {
    beta as f32
}

/// SSIM of the last scale, contrast and structure of the others.
fn scale_value<T: Copy + Into<f64>>(
    pair: [&View<'_, T>; 2],
    is_last: bool,
    variant: MsSsim,
) -> Ssim {
    let formula = if is_last {
        Formula::ssim(DATA_RANGE)
    } else {
        Formula::contrast_structure(DATA_RANGE)
    };
    let kernel = variant.kernel();
    if is_last && variant == MsSsim::Torchmetrics {
        let [reference, candidate] = pair.map(mirrored);
        return mean(&reference.view(), &candidate.view(), kernel, formula);
    }
    let [reference, candidate] = pair;
    mean(reference, candidate, kernel, formula)
}

fn mean<T: Copy + Into<f64>>(
    reference: &View<'_, T>,
    candidate: &View<'_, T>,
    kernel: Kernel,
    formula: Formula,
) -> Ssim {
    let side = kernel.side();
    let mut mean = ChannelSums::new(reference.channels());
    let moments = Moments::new(kernel, formula);
    weighted(reference, candidate, &moments, &mut |_, _, values| {
        mean.add(values);
    });
    mean.over(Area {
        width: reference.width() - side + 1,
        height: reference.height() - side + 1,
    })
}

/// A border of 5 on all sides: … 2 1 | 0 1 2 …, the edge itself not repeated.
fn mirrored<T: Copy>(picture: &View<'_, T>) -> Image<T> {
    let radius = usize::from(RADIUS);
    let channels = picture.channels();
    let (width, height) = picture.size();
    // Sides are longer than the border.
    let before = || (0..radius).map(|k| radius - k);
    let after = |len: usize| (0..radius).map(move |k| len - 2 - k);
    let mut data = Vec::with_capacity((width + 2 * radius) * (height + 2 * radius) * channels);
    for y in before().chain(0..height).chain(after(height)) {
        let row = picture.row(y);
        let place = |x: usize| &row[x * channels..][..channels];
        before().for_each(|x| data.extend_from_slice(place(x)));
        data.extend_from_slice(row);
        after(width).for_each(|x| data.extend_from_slice(place(x)));
    }
    Image::of(width + 2 * radius, height + 2 * radius, channels, data)
}

/// 2 × 2 means. An odd side loses its last row in `torchmetrics`; in `pytorch_msssim` it gets zeros on both ends.
fn halved<T: Copy + Into<f64>>(picture: &View<'_, T>, variant: MsSsim) -> Image<f64> {
    let channels = picture.channels();
    let (width, height) = picture.size();
    let (left, top) = (variant.padding(width), variant.padding(height));
    let (to_width, to_height) = (width / 2 + left, height / 2 + top);
    let mut data = Vec::with_capacity(to_width * to_height * channels);
    let mut rows = [0, 1].map(|_| vec![0.0; 2 * to_width * channels]);
    for y in 0..to_height {
        for (dy, row) in rows.iter_mut().enumerate() {
            match (2 * y + dy).checked_sub(top).filter(|y| *y < height) {
                Some(y) => {
                    let inside = &mut row[left * channels..];
                    for (to, sample) in inside.iter_mut().zip(picture.row(y)) {
                        *to = (*sample).into();
                    }
                }
                None => row.fill(0.0),
            }
        }
        let [above, below] = rows.each_ref().map(|row| row.chunks_exact(2 * channels));
        for (above, below) in above.zip(below) {
            for channel in 0..channels {
                let [above, below] =
                    [above, below].map(|row| row[channel] + row[channel + channels]);
                data.push((above + below) * 0.25);
            }
        }
    }
    Image::of(to_width, to_height, channels, data)
}
