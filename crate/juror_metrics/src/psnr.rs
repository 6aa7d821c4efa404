//! Peak signal-to-noise ratio, the logarithm of the mean squared error against white.
//!
//! Source: `skimage.metrics.peak_signal_noise_ratio` with `data_range=255`.

use crate::MetricError;
use crate::Pixels;
use crate::mse;

/// PSNR = 10 log₁₀(255² / MSE) in decibels over all samples of 8-bit pictures; higher is closer.
///
/// +∞ for identical pictures, as scikit-image has it (`cv2.PSNR` says 361.2 there); 0 for black against white.
/// The logarithm is `libm`'s, so natively and in Wasm it is the same number.
///
/// # Errors
/// As [`mse`].
///
/// ```
/// use juror_metrics::{View, psnr};
/// let (r, c) = (View::new(1, 1, 1, &[255_u8])?, View::new(1, 1, 1, &[0_u8])?);
/// assert_eq!(psnr(&r, &c)?, 0.0);
/// assert_eq!(psnr(&r, &r)?, f64::INFINITY);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn psnr(reference: &Pixels<'_>, candidate: &Pixels<'_>) -> Result<f64, MetricError> {
    Ok(psnr_of(mse(reference, candidate)?))
}

/// The same of a mean squared error on the scale 0 … 255².
pub fn psnr_of(mse: f64) -> f64 {
    if mse == 0.0 {
        return f64::INFINITY;
    }
    10.0 * libm::log10(65025.0 / mse)
}
