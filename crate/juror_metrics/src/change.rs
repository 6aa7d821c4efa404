//! Where and how much a candidate differs from its reference: contextual preservation made visible.
//!
//! Source: plain counting; no published formula is claimed.

use crate::Image;
use crate::MetricError;
use crate::Pixels;

/// How much a part of the picture changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Change {
    /// Pixels of the part.
    pub pixels: u64,
    /// Pixels whose largest difference exceeds the threshold.
    pub changed: u64,
    /// Σ |r − c| over the part's samples.
    pub absolute: u64,
    /// Σ (r − c)² over the part's samples.
    pub squared: u64,
    /// Samples of the part.
    pub samples: u64,
    /// The largest difference of a sample.
    pub largest: u8,
}

impl Change {
    /// Changed pixels among all of the part, 0 … 1; `None` for an empty part.
    pub fn changed_share(&self) -> Option<f64> {
        ratio(self.changed, self.pixels)
    }

    /// Mean absolute difference in grey levels; `None` for an empty part.
    pub fn mae(&self) -> Option<f64> {
        ratio(self.absolute, self.samples)
    }

    /// Mean squared difference, 0 … 255²; `None` for an empty part.
    pub fn mse(&self) -> Option<f64> {
        ratio(self.squared, self.samples)
    }

    /// Two parts together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            pixels: self.pixels + other.pixels,
            changed: self.changed + other.changed,
            absolute: self.absolute + other.absolute,
            squared: self.squared + other.squared,
            samples: self.samples + other.samples,
            largest: self.largest.max(other.largest),
        }
    }

    fn add(&mut self, difference: u8, is_changed: bool, place: impl Iterator<Item = u8>) {
        self.pixels += 1;
        self.changed += u64::from(is_changed);
        self.largest = self.largest.max(difference);
        for difference in place {
            let difference = u64::from(difference);
            self.samples += 1;
            self.absolute += difference;
            self.squared += difference * difference;
        }
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Left, top, right, bottom, all inside.
pub type Extent = [usize; 4];

/// Differences pixel by pixel, and their sums.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeMap {
    /// The largest difference of each pixel's samples, 0 … 255.
    pub map: Image<u8>,
    /// The whole picture.
    pub whole: Change,
    /// What the region covers; nothing without a region.
    pub inside: Change,
    /// What the region leaves out; the whole picture without a region.
    pub outside: Change,
    /// The smallest box around the changed pixels.
    pub extent: Option<Extent>,
}

/// Compares two 8-bit pictures pixel by pixel.
///
/// A pixel's difference is the largest |r − c| of its samples; it has changed if that exceeds `threshold`.
/// At 0 every difference counts; about 16 leaves out what JPEG does to a picture; at 255 nothing has changed.
/// `region` is a mask of one channel in which everything but 0 is inside, as the part that an instruction asks to edit.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::ChannelMismatch`], [`MetricError::Channels`] for the region.
///
/// ```
/// use juror_metrics::{View, change_map};
/// let (r, c) = (View::new(3, 1, 1, &[10, 10, 10_u8])?, View::new(3, 1, 1, &[10, 14, 40_u8])?);
/// let region = View::new(3, 1, 1, &[0, 0, 1_u8])?;
/// let found = change_map(&r, &c, 8, Some(&region))?;
/// assert_eq!(found.map.data(), [0, 4, 30]);
/// assert_eq!((found.whole.changed, found.inside.changed, found.outside.changed), (1, 1, 0));
/// assert_eq!(found.outside.mae(), Some(2.0));
/// assert_eq!(found.extent, Some([2, 0, 2, 0]));
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn change_map(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
    threshold: u8,
    region: Option<&Pixels<'_>>,
) -> Result<ChangeMap, MetricError> {
    reference.require_same_shape(candidate)?;
    if let Some(region) = region {
        region.require_grey()?;
        reference.require_same_size(region)?;
    }
    let (width, height) = reference.size();
    let channels = reference.channels();
    let mut map = Vec::with_capacity(width * height);
    let (mut inside, mut outside) = (Change::default(), Change::default());
    let mut extent: Option<Extent> = None;
    for y in 0..height {
        let marks = region.map(|region| region.row(y));
        let places = reference.row(y).chunks_exact(channels);
        let others = candidate.row(y).chunks_exact(channels);
        for (x, (r, c)) in places.zip(others).enumerate() {
            let differences = r.iter().zip(c).map(|(r, c)| r.abs_diff(*c));
            let largest = differences.clone().fold(0, u8::max);
            let is_changed = largest > threshold;
            let is_inside = marks.is_some_and(|marks| marks[x] != 0);
            let part = if is_inside { &mut inside } else { &mut outside };
            part.add(largest, is_changed, differences);
            map.push(largest);
            if is_changed {
                extent = Some(match extent {
                    None => [x, y, x, y],
                    Some([x0, y0, x1, _]) => [x0.min(x), y0, x1.max(x), y],
                });
            }
        }
    }
    Ok(ChangeMap {
        map: Image::of(width, height, 1, map),
        whole: inside.with(outside),
        inside,
        outside,
        extent,
    })
}
