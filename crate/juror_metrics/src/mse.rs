//! Mean squared error: the plain one, and MultiRef's with its scaling by each picture's own maximum.
//!
//! Source: `skimage.metrics.mean_squared_error`; for MultiRef metric 1 of `multiref/README.md` in `juror_protocols`.

use crate::Image;
use crate::MetricError;
use crate::Pixels;
use crate::Resampling;
use crate::View;
use crate::resize;
use crate::wide::wide;

/// Σ (r − c)² over all samples of two 8-bit pictures, exact.
///
/// At most 255² for each sample: no overflow below 2⁴⁸ samples.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::ChannelMismatch`].
///
/// ```
/// use juror_metrics::{View, sum_of_squares};
/// let (r, c) = (View::new(2, 1, 1, &[0, 10_u8])?, View::new(2, 1, 1, &[3, 6_u8])?);
/// assert_eq!(sum_of_squares(&r, &c)?, 25); // 3² + 4²
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn sum_of_squares(reference: &Pixels<'_>, candidate: &Pixels<'_>) -> Result<u64, MetricError> {
    reference.require_same_shape(candidate)?;
    let (reference, candidate) = (reference.data(), candidate.data());
    Ok(wide(
        #[inline(always)]
        || squares(reference, candidate),
    ))
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
fn squares(a: &[u8], b: &[u8]) -> u64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    let pieces = a.iter().zip(b).map(|(a, b)| squares_of_piece(a, b));
    let rest = a_rest.iter().zip(b_rest);
    pieces.sum::<u64>()
        + rest
            .map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2))
            .sum::<u64>()
}

/// In lanes of u16, twice as many as of u32: the high bytes of 256 squares add up to less than 2¹⁶, and so do their low
/// bytes, which are what all of it, modulo 2¹⁶, has beyond them.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as its caller")]
fn squares_of_piece(a: &[u8; 256], b: &[u8; 256]) -> u64 {
    let (mut all, mut high) = (0_u16, 0_u16);
    for (a, b) in a.iter().zip(b) {
        let difference = u16::from(a.abs_diff(*b));
        let square = difference * difference;
        all = all.wrapping_add(square);
        high += square >> 8;
    }
    let low = all.wrapping_sub(high << 8);
    u64::from(low) + (u64::from(high) << 8)
}

/// MSE = 1/n Σ (r − c)² over all samples, on the scale 0 … 255².
///
/// Symmetric; 0 for equal pictures; 65025 for black against white.
/// `skimage.metrics.mean_squared_error` of 8-bit pictures; divide by 255² for pictures scaled to 0 … 1.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::ChannelMismatch`].
pub fn mse(reference: &Pixels<'_>, candidate: &Pixels<'_>) -> Result<f64, MetricError> {
    let sum = sum_of_squares(reference, candidate)?;
    Ok(sum as f64 / reference.data().len() as f64)
}

/// The same for planes of real numbers, on their own scale squared.
///
/// # Errors
/// Also [`MetricError::NotFinite`].
pub fn mse_reals(reference: &View<'_, f64>, candidate: &View<'_, f64>) -> Result<f64, MetricError> {
    reference.require_same_shape(candidate)?;
    require_finite(reference.data())?;
    require_finite(candidate.data())?;
    // Row by row, so that the sum of a large plane does not lose the small rows.
    let sum: f64 = reference
        .rows()
        .zip(candidate.rows())
        .map(|(r, c)| r.iter().zip(c).map(|(r, c)| (r - c) * (r - c)).sum::<f64>())
        .sum();
    Ok(sum / reference.data().len() as f64)
}

/// Errors at the first number that is NaN or infinite.
pub(crate) fn require_finite(data: &[f64]) -> Result<(), MetricError> {
    match data.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(position) => Err(MetricError::NotFinite {
            value: data[position],
            position,
        }),
    }
}

/// A map as MultiRef loads it: an 8-bit picture, or an array of real numbers.
#[derive(Clone, Copy, Debug)]
pub enum Map<'a> {
    /// `uint8`.
    Bytes(Pixels<'a>),
    /// `float64`.
    Reals(View<'a, f64>),
}

/// MultiRef's MSE of depth, canny and sketch maps.
///
/// 1. Each map is divided by 255 if its own maximum exceeds 1: an all-black picture and one of 0 and 1 stay as they are,
///    so that 1 (of 255) counts as white beside a maximum of 1 and as black beside a maximum of 2.
/// 2. If the sizes differ, the reference is brought to the generated map's size by `INTER_AREA`, after the scaling.
/// 3. Mean of squared differences.
///
/// Symmetric but for the resizing; 0 … 1 for maps that begin as 0 … 255.
///
/// # Errors
/// [`MetricError::ChannelMismatch`] (the authors' code raises `ValueError`), [`MetricError::NotFinite`].
///
/// ```
/// use juror_metrics::{Map, View, mse_multiref};
/// let generated = Map::Bytes(View::new(1, 1, 1, &[128_u8])?);
/// let reference = Map::Bytes(View::new(1, 1, 1, &[64_u8])?);
/// let expected = (64.0_f64 / 255.0).powi(2); // 0.0630
/// assert!((mse_multiref(&generated, &reference)? - expected).abs() < 1e-15);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn mse_multiref(generated: &Map<'_>, reference: &Map<'_>) -> Result<f64, MetricError> {
    if let (Map::Bytes(generated), Map::Bytes(reference)) = (generated, reference)
        && generated.size() == reference.size()
        && is_scaled(generated) == is_scaled(reference)
    {
        // Both on one scale: whole numbers are exact.
        let scale = if is_scaled(generated) { 65025.0 } else { 1.0 };
        return Ok(mse(generated, reference)? / scale);
    }
    let size = match generated {
        Map::Bytes(view) => view.size(),
        Map::Reals(view) => view.size(),
    };
    let reference = scaled(reference, size)?;
    let generated = scaled(generated, size)?;
    mse_reals(&generated.view(), &reference.view())
}

fn is_scaled(picture: &Pixels<'_>) -> bool {
    picture.data().iter().any(|sample| *sample > 1)
}

/// Divided by 255 where that applies, then brought to the size.
fn scaled(map: &Map<'_>, (width, height): (usize, usize)) -> Result<Image<f64>, MetricError> {
    let reals = match map {
        Map::Bytes(view) if !is_scaled(view) => {
            // Stays 8-bit, so that areas are rounded to 0 or 1.
            let resized = resize(view, width, height, Resampling::Area)?;
            return divided(&resized.view(), 1.0);
        }
        Map::Bytes(view) => divided(view, 255.0)?,
        Map::Reals(view) => {
            require_finite(view.data())?;
            let max = view.data().iter().copied().fold(f64::MIN, f64::max);
            divided(view, if max > 1.0 { 255.0 } else { 1.0 })?
        }
    };
    resize(&reals.view(), width, height, Resampling::Area)
}

fn divided<T: Copy + Into<f64>>(view: &View<'_, T>, by: f64) -> Result<Image<f64>, MetricError> {
    let data = view.data().iter().map(|sample| (*sample).into() / by);
    Image::new(view.width(), view.height(), view.channels(), data.collect())
}
