//! Boxes: read from a picture in which one is drawn, and compared by their areas.
//!
//! Source: metric 3 of `multiref/README.md` in `juror_protocols`: what MultiRef's code does and what a comment in it intended.

use crate::Image;
use crate::MetricError;
use crate::Pixels;

/// Two corners in continuous coordinates: a box from 2 to 5 is 3 wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox {
    /// Left.
    pub x0: f64,
    /// Top.
    pub y0: f64,
    /// Right.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
}

impl BoundingBox {
    /// From left, top, right, bottom.
    pub fn new([x0, y0, x1, y1]: [f64; 4]) -> Self {
        Self { x0, y0, x1, y1 }
    }

    fn area(&self) -> f64 {
        (self.x1 - self.x0) * (self.y1 - self.y0)
    }

    /// |A ∩ B| / |A ∪ B| of continuous areas.
    ///
    /// 0 where the union is 0, where boxes only touch, and for a box whose corners are exchanged.
    /// Symmetric; 1 for equal boxes with an area.
    ///
    /// ```
    /// use juror_metrics::BoundingBox;
    /// let whole = BoundingBox::new([0.0, 0.0, 10.0, 10.0]);
    /// assert_eq!(whole.iou(&BoundingBox::new([2.5, 2.5, 7.5, 7.5])), 0.25);
    /// assert_eq!(whole.iou(&BoundingBox::new([10.0, 10.0, 20.0, 20.0])), 0.0);
    /// ```
    pub fn iou(&self, other: &Self) -> f64 {
        let (x0, y0) = (self.x0.max(other.x0), self.y0.max(other.y0));
        let (x1, y1) = (self.x1.min(other.x1), self.y1.min(other.y1));
        let intersection = if x1 < x0 || y1 < y0 {
            0.0
        } else {
            (x1 - x0) * (y1 - y0)
        };
        let union = self.area() + other.area() - intersection;
        if union == 0.0 {
            return 0.0;
        }
        intersection / union
    }
}

/// How a drawn box is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxRule {
    /// What is brighter than 10 in any channel: the rule that the authors' code has in a comment.
    Intended,
    /// What passes an adaptive threshold, widened by one pixel: a flat black ground passes too, so the box is all but
    /// always the whole picture.
    Released,
}

/// What a sample must exceed to be drawn.
const DRAWN: u8 = 10;

/// The box that is drawn in a picture: the extent of what [`BoxRule`] finds, in pixel indexes, nothing added to the far side.
///
/// # Errors
/// [`MetricError::NoBox`] where nothing is found, which only the intended rule can come to.
///
/// ```
/// use juror_metrics::{BoundingBox, BoxRule, View, drawn_box};
/// let mut picture = [0_u8; 40 * 30];
/// picture[12 * 40 + 15] = 255;
/// picture[14 * 40 + 18] = 255;
/// let picture = View::new(40, 30, 1, &picture)?;
/// assert_eq!(drawn_box(&picture, BoxRule::Intended)?, BoundingBox::new([15.0, 12.0, 18.0, 14.0]));
/// assert_eq!(drawn_box(&picture, BoxRule::Released)?, BoundingBox::new([0.0, 0.0, 39.0, 29.0]));
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn drawn_box(picture: &Pixels<'_>, rule: BoxRule) -> Result<BoundingBox, MetricError> {
    let brightest = brightest(picture);
    let (width, height) = picture.size();
    let found = match rule {
        BoxRule::Intended => extent(&brightest.view(), DRAWN),
        BoxRule::Released => {
            let passed = adaptive_threshold(&brightest.view())?;
            // A 3 × 3 dilation moves each side of the extent by one, as far as there is picture.
            extent(&passed.view(), 0).map(|[x0, y0, x1, y1]| {
                let (right, bottom) = (width - 1, height - 1);
                [
                    x0.saturating_sub(1),
                    y0.saturating_sub(1),
                    (x1 + 1).min(right),
                    (y1 + 1).min(bottom),
                ]
            })
        }
    };
    match found {
        Some(corners) => Ok(BoundingBox::new(corners.map(|corner| corner as f64))),
        None => Err(MetricError::NoBox { threshold: DRAWN }),
    }
}

/// The largest sample of each place.
fn brightest(picture: &Pixels<'_>) -> Image<u8> {
    let places = picture.data().chunks_exact(picture.channels());
    let data = places.map(|place| place.iter().copied().fold(0, u8::max));
    Image::of(picture.width(), picture.height(), 1, data.collect())
}

/// The first and last column and row with a sample above the threshold: left, top, right, bottom.
fn extent(picture: &Pixels<'_>, threshold: u8) -> Option<[usize; 4]> {
    let mut found: Option<[usize; 4]> = None;
    for (y, row) in picture.rows().enumerate() {
        let is_drawn = |sample: &u8| *sample > threshold;
        let (Some(first), Some(last)) = (
            row.iter().position(is_drawn),
            row.iter().rposition(is_drawn),
        ) else {
            continue;
        };
        found = Some(match found {
            None => [first, y, last, y],
            Some([x0, y0, x1, _]) => [x0.min(first), y0, x1.max(last), y],
        });
    }
    found
}

/// `cv2.adaptiveThreshold(…, 255, ADAPTIVE_THRESH_GAUSSIAN_C, THRESH_BINARY, 11, 2)` of a grey picture:
/// 255 where a sample exceeds the rounded Gaussian mean around it minus 2, 0 elsewhere.
///
/// The mean has 11 × 11 places, σ = 2, repeated borders.
/// A flat ground passes everywhere, black as well.
///
/// # Errors
/// [`MetricError::Channels`] unless the picture is grey.
pub fn adaptive_threshold(picture: &Pixels<'_>) -> Result<Image<u8>, MetricError> {
    picture.require_grey()?;
    let weights = gaussian();
    let (width, height) = picture.size();
    let reach = weights.len() / 2;
    // Along the rows, then along the columns.
    let smoothed: Vec<f64> = picture
        .rows()
        .flat_map(|row| {
            (0..width).map(move |x| {
                let sample =
                    |k: usize| f64::from(row[(x + k).saturating_sub(reach).min(width - 1)]);
                (0..weights.len()).map(|k| weights[k] * sample(k)).sum()
            })
        })
        .collect();
    let mut data = Vec::with_capacity(width * height);
    for (y, row) in picture.rows().enumerate() {
        let mut mean = vec![0.0; width];
        for (k, weight) in weights.iter().enumerate() {
            let from = (y + k).saturating_sub(reach).min(height - 1);
            for (mean, sample) in mean.iter_mut().zip(&smoothed[from * width..][..width]) {
                *mean += weight * sample;
            }
        }
        data.extend(row.iter().zip(&mean).map(|(sample, mean)| {
            let passes = f64::from(*sample) > mean.round_ties_even() - 2.0;
            if passes { 255 } else { 0 }
        }));
    }
    Ok(Image::of(width, height, 1, data))
}

/// exp(−x² / 2σ²) for 11 places and OpenCV's σ = 0.3 ((11 − 1) / 2 − 1) + 0.8 = 2, kept in f32 as there.
fn gaussian() -> [f64; 11] {
    let raw: [f64; 11] = std::array::from_fn(|k| {
        let x = k as f64 - 5.0;
        libm::exp(-0.5 * x * x / 4.0)
    });
    let sum: f64 = raw.iter().sum();
    raw.map(|weight| f64::from(single(weight / sum)))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "OpenCV keeps its weights in f32"
)]
fn single(weight: f64) -> f32 {
    weight as f32
}
