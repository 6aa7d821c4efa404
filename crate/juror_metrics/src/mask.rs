//! Masks and how far two of them overlap.
//!
//! Source: metric 2 of `multiref/README.md` in `juror_protocols`: MultiRef's mask IoU.

use crate::Grey;
use crate::Image;
use crate::MetricError;
use crate::Pixels;
use crate::Resampling;
use crate::grey;
use crate::resize;

/// Places that two masks share, and places that either has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// |A ∩ B|
    pub intersection: u64,
    /// |A ∪ B|
    pub union: u64,
}

impl Overlap {
    /// |A ∩ B| / |A ∪ B|; 0 where both are empty.
    ///
    /// ```
    /// use juror_metrics::Overlap;
    /// assert_eq!(Overlap { intersection: 1, union: 4 }.iou(), 0.25);
    /// assert_eq!(Overlap { intersection: 0, union: 0 }.iou(), 0.0);
    /// ```
    pub fn iou(&self) -> f64 {
        if self.union == 0 {
            return 0.0;
        }
        self.intersection as f64 / self.union as f64
    }
}

/// The grey level that a mask lies above.
pub const MASK_LEVEL: u8 = 127;

/// 1 where OpenCV's grey is above [`MASK_LEVEL`], 0 elsewhere, for a picture of one or three channels.
///
/// # Errors
/// [`MetricError::Channels`].
pub fn mask(picture: &Pixels<'_>) -> Result<Image<u8>, MetricError> {
    let mut data = grey(picture, Grey::OpenCv)?.into_data();
    for sample in &mut data {
        *sample = u8::from(*sample > MASK_LEVEL);
    }
    Ok(Image::of(picture.width(), picture.height(), 1, data))
}

/// The overlap of two masks of one channel, in which everything but 0 is inside.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::Channels`].
///
/// ```
/// use juror_metrics::{View, mask_overlap};
/// let (a, b) = (View::new(4, 1, 1, &[1, 1, 0, 0_u8])?, View::new(4, 1, 1, &[0, 255, 255, 0_u8])?);
/// assert_eq!(mask_overlap(&a, &b)?.iou(), 1.0 / 3.0);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn mask_overlap(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
) -> Result<Overlap, MetricError> {
    reference.require_grey()?;
    reference.require_same_shape(candidate)?;
    let mut overlap = Overlap {
        intersection: 0,
        union: 0,
    };
    for (r, c) in reference.rows().zip(candidate.rows()) {
        let places = r.iter().zip(c);
        let both = places.clone().filter(|(r, c)| **r != 0 && **c != 0);
        overlap.intersection += both.count() as u64;
        overlap.union += places.filter(|(r, c)| **r | **c != 0).count() as u64;
    }
    Ok(overlap)
}

/// MultiRef's mask score of two pictures: masks of both, the reference brought to the generated one's size by
/// `INTER_NEAREST`, IoU.
///
/// 0 … 1; 0 where nothing is above 127 in either.
///
/// # Errors
/// [`MetricError::Channels`].
pub fn mask_multiref(
    generated: &Pixels<'_>,
    reference: &Pixels<'_>,
) -> Result<Overlap, MetricError> {
    let generated = mask(generated)?;
    let (width, height) = generated.view().size();
    let reference = mask(reference)?;
    let reference = resize(&reference.view(), width, height, Resampling::Nearest)?;
    mask_overlap(&reference.view(), &generated.view())
}
