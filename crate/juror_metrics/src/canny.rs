//! Edges as `cv2.Canny` finds them, to the bit: MultiRef compares its edge maps pixel by pixel.
//!
//! Source: Canny, "A computational approach to edge detection", PAMI 8 (1986), as OpenCV (4.10 to 5.0) does it with
//! aperture 3 and the L1 gradient: whole numbers throughout, its own table of tangents, no smoothing first.

use crate::{Image, MetricError, Pixels};

/// Two thresholds on |∂x| + |∂y| of the 3 × 3 Sobel operator, 0 … 2040.
///
/// An edge begins above the upper one and is followed while it stays above the lower one; both are floored and exchanged
/// if they come in the wrong order.
/// At 0 every local maximum is an edge; at 2040 and above nothing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Canny {
    /// Where edges end.
    pub low: f64,
    /// Where edges begin.
    pub high: f64,
}

impl Canny {
    /// MultiRef's 100 and 200.
    pub const MULTIREF: Self = Self {
        low: 100.0,
        high: 200.0,
    };

    /// The lower and the upper threshold, floored and in order; m never exceeds 2040, so 2¹⁴ stands for all beyond it;
    /// NaN counts as 0.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "bounded by the clamp before it"
    )]
    pub fn whole(self) -> [i16; 2] {
        let (low, high) = if self.low > self.high {
            (self.high, self.low)
        } else {
            (self.low, self.high)
        };
        [low, high].map(|threshold| threshold.floor().clamp(-1.0, 16384.0) as i16)
    }
}

/// tan 22.5° · 2¹⁵; tan 67.5° is tan 22.5° + 2.
pub const CANNY_TANGENT: i32 = 13573;

/// Not an edge, or not looked at.
const NO: u8 = 0;
/// A local maximum above the lower threshold.
const MAYBE: u8 = 1;
/// An edge.
const EDGE: u8 = 255;

/// The edge map of a grey picture: 255 on edges, 0 elsewhere.
///
/// 1. Sobel with repeated borders; m = |∂x| + |∂y|, and 0 outside of the picture.
/// 2. A pixel above `low` stays if m is a maximum across the edge; the direction is quantised to four by tan 22.5° and
///    tan 67.5° in 15-bit fixed point.
///    Across columns and rows the earlier neighbour must be smaller and the later one not larger; across diagonals both smaller.
/// 3. What is connected, over eight neighbours, to a pixel above `high` is an edge.
///
/// Pixels at the border can be edges; a flat picture has none.
///
/// # Errors
/// [`MetricError::Channels`] unless the picture is grey: convert it with [`Grey::OpenCv`](crate::Grey::OpenCv) first.
///
/// ```
/// use juror_metrics::{Canny, View, canny};
/// // A step from 0 to 255 between the columns 1 and 2: |∂x| = 4 · 255 in both, the earlier wins.
/// let step = [0, 0, 255, 255_u8].repeat(3);
/// let edges = canny(&View::new(4, 3, 1, &step)?, Canny::MULTIREF)?;
/// assert_eq!(edges.data(), [0, 255, 0, 0].repeat(3));
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn canny(picture: &Pixels<'_>, thresholds: Canny) -> Result<Image<u8>, MetricError> {
    picture.require_grey()?;
    let (width, height) = picture.size();
    let [low, high] = thresholds.whole();
    // One pixel of frame on every side, so that neighbours need no bounds.
    let stride = width + 2;
    let mut map = vec![NO; stride * (height + 2)];
    let mut edges = Vec::new();
    let mut gradients = Gradients::new(width);
    gradients.push(picture, 0);
    for y in 0..height {
        if y + 1 < height {
            gradients.push(picture, y + 1);
        } else {
            gradients.push_nothing(y + 1);
        }
        let start = (y + 1) * stride + 1;
        let row = &mut map[start..start + width];
        gradients.suppress(y, [low, high], row, |x| edges.push(start + x));
    }
    follow(&mut map, edges, stride);
    let mut data = Vec::with_capacity(width * height);
    for row in map.chunks_exact(stride).skip(1).take(height) {
        let marks = row[1..=width].iter();
        data.extend(marks.map(|mark| if *mark == EDGE { EDGE } else { NO }));
    }
    Ok(Image::of(width, height, 1, data))
}

/// ∂x, ∂y and m of three rows, in a ring; m has a frame of one zero on both ends.
struct Gradients {
    dx: [Vec<i16>; 3],
    dy: [Vec<i16>; 3],
    magnitude: [Vec<i16>; 3],
    /// Of the row at hand, with its border repeated: above + 2 · here + below, and below − above.
    smooth: Vec<i16>,
    slope: Vec<i16>,
}

impl Gradients {
    fn new(width: usize) -> Self {
        let rows = |len: usize| std::array::from_fn(|_| vec![0; len]);
        Self {
            dx: rows(width),
            dy: rows(width),
            magnitude: rows(width + 2),
            smooth: vec![0; width + 2],
            slope: vec![0; width + 2],
        }
    }

    /// Sobel, first along the columns, then along the row: whole numbers up to 1020.
    fn push(&mut self, picture: &Pixels<'_>, y: usize) {
        let width = picture.width();
        let above = picture.row(y.saturating_sub(1));
        let here = picture.row(y);
        let below = picture.row((y + 1).min(picture.height() - 1));
        let columns = above.iter().zip(here).zip(below);
        let outs = self.smooth[1..].iter_mut().zip(&mut self.slope[1..]);
        for ((smooth, slope), ((above, here), below)) in outs.zip(columns) {
            let [above, here, below] = [*above, *here, *below].map(i16::from);
            *smooth = above + 2 * here + below;
            *slope = below - above;
        }
        for padded in [&mut self.smooth, &mut self.slope] {
            padded[0] = padded[1];
            padded[width + 1] = padded[width];
        }
        let slot = y % 3;
        let (smooth, slope) = (&self.smooth[..width + 2], &self.slope[..width + 2]);
        let dx = &mut self.dx[slot][..width];
        let dy = &mut self.dy[slot][..width];
        let magnitude = &mut self.magnitude[slot][1..=width];
        for x in 0..width {
            dx[x] = smooth[x + 2] - smooth[x];
            dy[x] = slope[x] + 2 * slope[x + 1] + slope[x + 2];
            magnitude[x] = dx[x].abs() + dy[x].abs();
        }
    }

    /// The row below the picture.
    fn push_nothing(&mut self, y: usize) {
        self.magnitude[y % 3].fill(0);
    }

    /// Marks the local maxima of a row and calls `edge` for those above the upper threshold.
    fn suppress(
        &self,
        y: usize,
        [low, high]: [i16; 2],
        row: &mut [u8],
        mut edge: impl FnMut(usize),
    ) {
        let [above, here, below] = [y + 2, y, y + 1].map(|y| &self.magnitude[y % 3][..]);
        let (dx, dy) = (&self.dx[y % 3], &self.dy[y % 3]);
        for (piece, magnitudes) in here[1..=row.len()].chunks(PIECE).enumerate() {
            // Most of a picture is no edge.
            if magnitudes.iter().copied().fold(i16::MIN, i16::max) <= low {
                continue;
            }
            for (place, m) in magnitudes.iter().copied().enumerate() {
                if m <= low {
                    continue;
                }
                let x = piece * PIECE + place;
                let is_maximum = match Across::of(dx[x], dy[x]) {
                    Across::Columns => m > here[x] && m >= here[x + 2],
                    Across::Rows => m > above[x + 1] && m >= below[x + 1],
                    Across::Falling => m > above[x] && m > below[x + 2],
                    Across::Rising => m > above[x + 2] && m > below[x],
                };
                if !is_maximum {
                    continue;
                }
                if m > high {
                    row[x] = EDGE;
                    edge(x);
                } else {
                    row[x] = MAYBE;
                }
            }
        }
    }
}

/// Pixels that are looked at together.
const PIECE: usize = 16;

/// The direction of the gradient.
enum Across {
    Columns,
    Rows,
    /// From the upper left to the lower right.
    Falling,
    Rising,
}

impl Across {
    fn of(dx: i16, dy: i16) -> Self {
        let (x, y) = (i32::from(dx).abs(), i32::from(dy).abs() << 15);
        let flat = x * CANNY_TANGENT;
        if y < flat {
            return Self::Columns;
        }
        if y > flat + (x << 16) {
            return Self::Rows;
        }
        if (dx ^ dy) < 0 {
            Self::Rising
        } else {
            Self::Falling
        }
    }
}

/// Spreads the edges to the maxima beside them; the order does not change the outcome.
fn follow(map: &mut [u8], mut edges: Vec<usize>, stride: usize) {
    while let Some(at) = edges.pop() {
        let neighbours = [
            at - stride - 1,
            at - stride,
            at - stride + 1,
            at - 1,
            at + 1,
            at + stride - 1,
            at + stride,
            at + stride + 1,
        ];
        for neighbour in neighbours {
            if map[neighbour] == MAYBE {
                map[neighbour] = EDGE;
                edges.push(neighbour);
            }
        }
    }
}
