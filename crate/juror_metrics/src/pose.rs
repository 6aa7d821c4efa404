//! Painted skeletons compared pixel by pixel: what MultiRef calls the mean average precision of a pose.
//!
//! Source: metric 5 of `multiref/README.md` in `juror_protocols`.

use crate::MetricError;
use crate::Pixels;
use crate::Resampling;
use crate::resize;

/// Painted pixels that two pictures share or do not share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PosePixels {
    /// Painted in both.
    pub both: u64,
    /// Painted in the first only.
    pub first_only: u64,
    /// Painted in the second only.
    pub second_only: u64,
}

impl PosePixels {
    /// Shared among the painted of the second; 0 where it has none.
    pub fn precision(&self) -> f64 {
        share(self.both, self.second_only)
    }

    /// Shared among the painted of the first; 0 where it has none.
    pub fn recall(&self) -> f64 {
        share(self.both, self.first_only)
    }

    /// Precision × recall, 0 … 1.
    ///
    /// ```
    /// use juror_metrics::PosePixels;
    /// let found = PosePixels { both: 30, first_only: 70, second_only: 70 };
    /// assert!((found.value() - 0.09).abs() < 1e-15);
    /// ```
    pub fn value(&self) -> f64 {
        self.precision() * self.recall()
    }
}

fn share(both: u64, alone: u64) -> f64 {
    if both + alone == 0 {
        return 0.0;
    }
    both as f64 / (both + alone) as f64
}

/// Counts painted pixels of two skeletons on black; the second is brought to the first's size by `INTER_NEAREST`.
///
/// A pixel is painted if any of its samples is above 0, so noise of a lossy file counts.
/// [`PosePixels::value`] is symmetric for pictures of one size.
///
/// # Errors
/// [`MetricError::NoArea`] cannot happen to a view; nothing else can fail.
pub fn pose_pixels(first: &Pixels<'_>, second: &Pixels<'_>) -> Result<PosePixels, MetricError> {
    let (width, height) = first.size();
    let second = resize(second, width, height, Resampling::Nearest)?;
    let mut found = PosePixels {
        both: 0,
        first_only: 0,
        second_only: 0,
    };
    let is_painted = |place: &[u8]| place.iter().any(|sample| *sample > 0);
    let places = first.data().chunks_exact(first.channels());
    let others = second.data().chunks_exact(second.view().channels());
    for (a, b) in places.zip(others) {
        match (is_painted(a), is_painted(b)) {
            (true, true) => found.both += 1,
            (true, false) => found.first_only += 1,
            (false, true) => found.second_only += 1,
            (false, false) => {}
        }
    }
    Ok(found)
}
