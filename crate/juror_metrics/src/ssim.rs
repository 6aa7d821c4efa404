//! Structural similarity as scikit-image computes it, with its uniform and its Gaussian window.
//!
//! Source: Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to structural similarity",
//! IEEE Transactions on Image Processing 13 (2004), equation 13; `skimage.metrics.structural_similarity` (0.25) for what
//! the paper leaves open: borders, covariance, colour.

use crate::Image;
use crate::MetricError;
use crate::Pixels;
use crate::View;
use crate::channel_sums::ChannelSums;
use crate::mse::require_finite;
use crate::windows::{Formula, Kernel, Moments, uniform_u8, weighted};

/// What SSIM looks through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Window {
    /// A square of this odd side, every place alike, sample covariance (N − 1): scikit-image's default with 7.
    Uniform(usize),
    /// A Gaussian of this σ, cut at ⌊3.5 σ + ½⌋ places, population covariance: the paper's with 1.5 (11 places).
    Gaussian(f64),
}

impl Window {
    /// scikit-image's default: 7 × 7, uniform.
    pub const UNIFORM: Self = Self::Uniform(7);
    /// The paper's: σ = 1.5, 11 × 11.
    pub const GAUSSIAN: Self = Self::Gaussian(1.5);

    /// The widest odd uniform window up to 7 that fits a picture; 1, which is refused, where a side is 1 or 2.
    ///
    /// ```
    /// use juror_metrics::Window;
    /// assert_eq!(Window::fitting(100, 6), Window::Uniform(5));
    /// assert_eq!(Window::fitting(100, 100), Window::UNIFORM);
    /// ```
    pub fn fitting(width: usize, height: usize) -> Self {
        let least = width.min(height);
        Self::Uniform((least - usize::from(least.is_multiple_of(2) && least > 0)).min(7))
    }

    /// Places across.
    ///
    /// # Errors
    /// [`MetricError::Window`] for a window without a middle or without a variance.
    pub fn side(self) -> Result<usize, MetricError> {
        match self {
            Self::Uniform(side) if side >= 3 && side % 2 == 1 => Ok(side),
            Self::Uniform(found) => Err(MetricError::Window { found }),
            Self::Gaussian(sigma) => match Kernel::gaussian(sigma).side() {
                side if side >= 3 => Ok(side),
                found => Err(MetricError::Window { found }),
            },
        }
    }

    fn kernel(self) -> Kernel {
        match self {
            Self::Uniform(side) => Kernel::uniform(side),
            Self::Gaussian(sigma) => Kernel::gaussian(sigma),
        }
    }

    /// The weights along one side, which add up to 1, from the outermost to the middle.
    pub fn half_weights(self) -> Vec<f64> {
        self.kernel().half().to_vec()
    }

    /// How many window positions there are along and down a pair, or why SSIM has no value for it.
    ///
    /// # Errors
    /// As [`ssim`].
    pub fn positions<T>(
        self,
        reference: &View<'_, T>,
        candidate: &View<'_, T>,
        data_range: f64,
    ) -> Result<(usize, usize), MetricError> {
        let area = check(reference, candidate, self, data_range)?;
        Ok((area.width, area.height))
    }
}

/// SSIM of a picture and of each of its channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Ssim {
    /// The mean of `channels`.
    pub value: f64,
    /// The mean over all windows, channel by channel.
    pub channels: Vec<f64>,
}

/// SSIM of 8-bit pictures.
///
/// For each window position w that lies fully inside of the picture, for each channel:
///
/// S(w) = (2 μᵣ μ꜀ + C₁)(2 σᵣ꜀ + C₂) / ((μᵣ² + μ꜀² + C₁)(σᵣ² + σ꜀² + C₂)), C₁ = (0.01 R)², C₂ = (0.03 R)²,
///
/// then the mean over w, then the mean over the channels. R is `data_range`: 255, or the range that a paper states.
/// With R towards 0 flat windows divide 0 by 0; with R towards ∞ everything becomes alike.
///
/// Symmetric; at most 1, reached by equal pictures; negative where structures are opposed.
/// Two flat pictures have σ = 0 and are compared by their means alone.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::ChannelMismatch`]; [`MetricError::TooSmall`] where no window fits
/// (scikit-image raises); [`MetricError::Window`]; [`MetricError::DataRange`].
///
/// ```
/// use juror_metrics::{View, Window, ssim};
/// // Black against white: (C₁ / (255² + C₁)) · (C₂ / C₂) = 6.5025 / 65031.5025.
/// let (r, c) = (View::new(7, 7, 1, &[0_u8; 49])?, View::new(7, 7, 1, &[255_u8; 49])?);
/// let found = ssim(&r, &c, Window::UNIFORM, 255.0)?;
/// assert!((found.value - 6.5025 / 65031.5025).abs() < 1e-15);
/// assert_eq!(ssim(&r, &r, Window::UNIFORM, 255.0)?.value, 1.0);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn ssim(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
    window: Window,
    data_range: f64,
) -> Result<Ssim, MetricError> {
    let area = check(reference, candidate, window, data_range)?;
    Ok(sums(reference, candidate, window, data_range, None).over(area))
}

/// SSIM of planes of real numbers, as [`ssim`]; `data_range` is the span that the numbers could take.
///
/// # Errors
/// As [`ssim`], and [`MetricError::NotFinite`].
pub fn ssim_reals(
    reference: &View<'_, f64>,
    candidate: &View<'_, f64>,
    window: Window,
    data_range: f64,
) -> Result<Ssim, MetricError> {
    let area = check(reference, candidate, window, data_range)?;
    require_finite(reference.data())?;
    require_finite(candidate.data())?;
    let moments = Moments::new(window.kernel(), Formula::ssim(data_range));
    let mut mean = ChannelSums::new(reference.channels());
    weighted(reference, candidate, &moments, &mut |_, _, values| {
        mean.add(values);
    });
    Ok(mean.over(area))
}

/// S(w) at every window position: a map that is `side − 1` narrower and lower than the picture, channel by channel as
/// the picture; the value at (x, y) belongs to the window whose upper left corner is (x, y).
///
/// # Errors
/// As [`ssim`].
pub fn ssim_map(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
    window: Window,
    data_range: f64,
) -> Result<Image<f64>, MetricError> {
    Ok(ssim_with_map(reference, candidate, window, data_range)?.1)
}

/// SSIM and its map in one pass: the numbers of [`ssim`] and of [`ssim_map`], to the bit.
///
/// # Errors
/// As [`ssim`].
pub fn ssim_with_map(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
    window: Window,
    data_range: f64,
) -> Result<(Ssim, Image<f64>), MetricError> {
    let area = check(reference, candidate, window, data_range)?;
    let channels = reference.channels();
    // Places that no window fills would show as NaN.
    let mut data = vec![f64::NAN; area.width * area.height * channels];
    let sums = sums(reference, candidate, window, data_range, Some(&mut data));
    let map = Image::of(area.width, area.height, channels, data);
    Ok((sums.over(area), map))
}

/// Of S(w) of every window of 8-bit pictures, in whole numbers where these serve; `map` gets the values row by row.
fn sums(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
    window: Window,
    data_range: f64,
    mut map: Option<&mut [f64]>,
) -> ChannelSums {
    match window {
        Window::Uniform(side) if is_exact(side, reference) => {
            uniform_u8(reference, candidate, side, data_range, map)
        }
        window => {
            let moments = Moments::new(window.kernel(), Formula::ssim(data_range));
            let channels = reference.channels();
            let len = (reference.width() + 1 - moments.side()) * channels;
            let mut mean = ChannelSums::new(channels);
            weighted(reference, candidate, &moments, &mut |y, at, values| {
                mean.add(values);
                if let Some(map) = &mut map {
                    map[y * len + at..][..values.len()].copy_from_slice(values);
                }
            });
            mean
        }
    }
}

/// Whether sums of whole numbers serve: windows up to 11, and no more channels than pictures have.
fn is_exact(side: usize, picture: &Pixels<'_>) -> bool {
    side <= 11 && picture.channels() <= 4
}

/// C₁ and C₂ of the formula: (0.01 R)² and (0.03 R)².
///
/// ```
/// let [c1, c2] = juror_metrics::ssim_constants(255.0);
/// assert!((c1 - 6.5025).abs() < 1e-12 && (c2 - 58.5225).abs() < 1e-12);
/// ```
pub fn ssim_constants(data_range: f64) -> [f64; 2] {
    Formula::ssim(data_range).constants()
}

/// How many windows there are.
#[derive(Clone, Copy)]
pub(crate) struct Area {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

fn check<T>(
    reference: &View<'_, T>,
    candidate: &View<'_, T>,
    window: Window,
    data_range: f64,
) -> Result<Area, MetricError> {
    reference.require_same_shape(candidate)?;
    if !(data_range > 0.0 && data_range.is_finite()) {
        return Err(MetricError::DataRange { found: data_range });
    }
    let side = window.side()?;
    let (width, height) = reference.size();
    if width.min(height) < side {
        return Err(MetricError::TooSmall {
            metric: "SSIM",
            needed: side,
            width,
            height,
        });
    }
    Ok(Area {
        width: width - side + 1,
        height: height - side + 1,
    })
}

impl ChannelSums {
    /// The mean over an area of windows.
    pub(crate) fn over(self, area: Area) -> Ssim {
        let channels = self.means(area.width * area.height);
        Ssim {
            value: channels.iter().sum::<f64>() / channels.len() as f64,
            channels,
        }
    }
}
