//! Mean absolute error, for readers who want grey levels instead of their squares.

use crate::MetricError;
use crate::Pixels;

/// Samples whose differences add up below 2³²: 2²⁴ · 255.
const PIECE: usize = 1 << 24;

/// MAE = 1/n Σ |r − c| over all samples of 8-bit pictures, in grey levels 0 … 255.
///
/// Symmetric; 0 for equal pictures; equal to NumPy's `mean(abs(r.astype(float) - c))`.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::ChannelMismatch`].
///
/// ```
/// use juror_metrics::{View, mae};
/// let (r, c) = (View::new(2, 1, 1, &[0, 10_u8])?, View::new(2, 1, 1, &[3, 6_u8])?);
/// assert_eq!(mae(&r, &c)?, 3.5);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn mae(reference: &Pixels<'_>, candidate: &Pixels<'_>) -> Result<f64, MetricError> {
    reference.require_same_shape(candidate)?;
    let pieces = reference.data().chunks(PIECE);
    let sum: u64 = pieces
        .zip(candidate.data().chunks(PIECE))
        .map(|(r, c)| {
            let sum: u32 = r
                .iter()
                .zip(c)
                .map(|(r, c)| u32::from(r.abs_diff(*c)))
                .sum();
            u64::from(sum)
        })
        .sum();
    Ok(sum as f64 / reference.data().len() as f64)
}
