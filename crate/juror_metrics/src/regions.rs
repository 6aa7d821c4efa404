//! Region maps: flat colours as regions, matched with each other by their overlap.
//!
//! Source: metric 4 of `multiref/README.md` in `juror_protocols`: MultiRef's semantic-map IoU.

use crate::Image;
use crate::MetricError;
use crate::Overlap;
use crate::Pixels;
use crate::Resampling;
use crate::assign;
use crate::resize;

/// Which region each place belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelMap {
    width: usize,
    height: usize,
    labels: Vec<u32>,
    num_labels: u32,
}

impl LabelMap {
    /// One label for each exact colour, numbered from 1 in the order of the samples' own values, the first channel first.
    ///
    /// The authors' pictures have blue first; for red first the numbers differ, the regions do not.
    ///
    /// # Errors
    /// [`MetricError::Channels`] above four channels.
    ///
    /// ```
    /// use juror_metrics::{LabelMap, View};
    /// let map = LabelMap::new(&View::new(2, 2, 1, &[7, 0, 7, 9_u8])?)?;
    /// assert_eq!(map.labels(), [2, 1, 2, 3]);
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn new(picture: &Pixels<'_>) -> Result<Self, MetricError> {
        if picture.channels() > 4 {
            return Err(MetricError::Channels {
                expected: "at most 4 channels",
                found: picture.channels(),
            });
        }
        let places = picture.data().chunks_exact(picture.channels());
        let colours: Vec<u32> = places
            .map(|place| {
                place
                    .iter()
                    .fold(0, |key, sample| key << 8 | u32::from(*sample))
            })
            .collect();
        let mut known = colours.clone();
        known.dedup();
        known.sort_unstable();
        known.dedup();
        // Neighbours are mostly alike: search again only where the colour changes.
        let mut last = (None, 0);
        let labels = colours
            .into_iter()
            .map(|colour| {
                if last.0 != Some(colour) {
                    let before = known.partition_point(|other| *other < colour);
                    last = (Some(colour), index(before) + 1);
                }
                last.1
            })
            .collect();
        Ok(Self {
            width: picture.width(),
            height: picture.height(),
            labels,
            num_labels: index(known.len()),
        })
    }

    /// The label of each place, row-major, from 1.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// How many labels there are; they are 1 to this.
    pub fn num_labels(&self) -> u32 {
        self.num_labels
    }

    /// The areas of the regions that have at least `min_px` places, and for each label the position among them.
    fn kept(&self, min_px: u64) -> (Vec<u64>, Vec<Option<usize>>) {
        let mut areas = vec![0_u64; self.num_labels as usize + 1];
        for label in &self.labels {
            areas[*label as usize] += 1;
        }
        let mut kept = Vec::new();
        let positions = areas
            .iter()
            .map(|area| {
                (*area >= min_px.max(1)).then(|| {
                    kept.push(*area);
                    kept.len() - 1
                })
            })
            .collect();
        (kept, positions)
    }
}

/// A colour has 32 bits at most, so there are no more than 2³² of them.
fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// How the regions of two maps overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionMatch {
    /// Regions of the candidate that are large enough, and of the reference.
    pub kept: [usize; 2],
    /// IoU of each region of the candidate (rows) with each of the reference, in the order of their labels.
    pub ious: Vec<f64>,
    /// The pairs that maximise the sum of IoU.
    pub pairs: Vec<(usize, usize)>,
    /// Mean IoU of the pairs; 0 where there are none.
    pub mean_iou: f64,
}

/// The most regions of one map: a pairing of so many takes seconds, and a map of one megapixel with regions of 300 has
/// fewer than 3500.
const MAX_REGIONS: usize = 4096;

/// MultiRef's regions count from this area.
pub const MIN_REGION_PX: u64 = 300;

/// Pairs the regions of two maps so that the sum of IoU is largest, and averages over the pairs.
///
/// Regions below `min_px` places are left out, on both sides; the background is a region like any other.
/// The mean is over min(n, m) pairs: regions without a partner cost nothing.
/// With `min_px` 0 every colour counts.
///
/// # Errors
/// [`MetricError::SizeMismatch`], [`MetricError::TooManyRegions`].
pub fn match_regions(
    candidate: &LabelMap,
    reference: &LabelMap,
    min_px: u64,
) -> Result<RegionMatch, MetricError> {
    let sizes = [candidate, reference].map(|map| (map.width, map.height));
    if sizes[0] != sizes[1] {
        return Err(MetricError::SizeMismatch {
            reference: sizes[1],
            candidate: sizes[0],
        });
    }
    let (rows, row_of) = candidate.kept(min_px);
    let (columns, column_of) = reference.kept(min_px);
    let most = rows.len().max(columns.len());
    if most > MAX_REGIONS {
        return Err(MetricError::TooManyRegions {
            found: most,
            limit: MAX_REGIONS,
        });
    }
    let mut shared = vec![0_u64; rows.len() * columns.len()];
    for (a, b) in candidate.labels.iter().zip(&reference.labels) {
        if let (Some(row), Some(column)) = (row_of[*a as usize], column_of[*b as usize]) {
            shared[row * columns.len() + column] += 1;
        }
    }
    let ious: Vec<f64> = shared
        .iter()
        .enumerate()
        .map(|(idx, intersection)| {
            let areas = rows[idx / columns.len()] + columns[idx % columns.len()];
            Overlap {
                intersection: *intersection,
                union: areas - intersection,
            }
            .iou()
        })
        .collect();
    let pairs = assign(&ious, columns.len());
    let sum: f64 = pairs
        .iter()
        .map(|(row, column)| ious[row * columns.len() + column])
        .sum();
    let mean_iou = if pairs.is_empty() {
        0.0
    } else {
        sum / pairs.len() as f64
    };
    Ok(RegionMatch {
        kept: [rows.len(), columns.len()],
        ious,
        pairs,
        mean_iou,
    })
}

/// MultiRef's semantic-map score: a painted map against a reference that was read as grey.
///
/// The reference is brought to the candidate's size by `INTER_NEAREST`; since it is grey, colours of equal luma are one
/// region there, and even a map against itself can score below 1.
/// Then [`match_regions`] from [`MIN_REGION_PX`] on.
///
/// # Errors
/// [`MetricError::Channels`] unless the reference is grey (as the authors read it:
/// [`Grey::OpenCvPngRead`](crate::Grey::OpenCvPngRead)); [`MetricError::TooManyRegions`].
pub fn semantic_map(
    generated: &Pixels<'_>,
    reference: &Pixels<'_>,
) -> Result<RegionMatch, MetricError> {
    reference.require_grey()?;
    let (width, height) = generated.size();
    let reference: Image<u8> = resize(reference, width, height, Resampling::Nearest)?;
    match_regions(
        &LabelMap::new(generated)?,
        &LabelMap::new(&reference.view())?,
        MIN_REGION_PX,
    )
}
