//! Edges as `cv2.Canny` finds them, to the bit: MultiRef compares its edge maps pixel by pixel.
//!
//! Source: Canny, "A computational approach to edge detection", PAMI 8 (1986), as OpenCV (4.10 to 5.0) does it with
//! aperture 3 and the L1 gradient: whole numbers throughout, its own table of tangents, no smoothing first.

use crate::Image;
use crate::MetricError;
use crate::Pixels;

#[cfg(any(test, all(target_arch = "wasm32", target_feature = "simd128")))]
mod eights;
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod plain;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use eights::maxima;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use plain::maxima;

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
pub const CANNY_TANGENT: i16 = 13573;

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
    Ok(EdgeBits::of(picture, thresholds).to_image())
}

/// An edge map of a bit for each pixel: eight times less memory to go through than bytes.
#[derive(Clone, Debug)]
pub(crate) struct EdgeBits {
    width: usize,
    height: usize,
    /// Words of a row, of which the first is 0.
    stride: usize,
    /// Rows of words, the first pixel in the lowest bit, with a row of zeros on both ends and another word behind them.
    words: Vec<u64>,
}

impl EdgeBits {
    /// The edges of a grey picture.
    pub(crate) fn of(picture: &Pixels<'_>, thresholds: Canny) -> Self {
        let (width, height) = picture.size();
        let thresholds = thresholds.whole();
        let stride = width.div_ceil(WORD) + 1;
        let mut maybe = vec![0; stride * (height + 2) + 1];
        let mut bits = Self {
            width,
            height,
            stride,
            words: maybe.clone(),
        };
        let mut gradients = Gradients::new(width);
        gradients.push(picture, 0);
        for y in 0..height {
            if y + 1 < height {
                gradients.push(picture, y + 1);
            } else {
                gradients.push_nothing(y + 1);
            }
            for (idx, piece) in gradients.pieces(y).enumerate() {
                let Some(found) = maxima(&piece, thresholds) else {
                    continue;
                };
                let at = idx * PIECE;
                let word = (y + 1) * stride + 1 + at / WORD;
                maybe[word] |= u64::from(found.maxima & !found.edges) << (at % WORD);
                bits.words[word] |= u64::from(found.edges) << (at % WORD);
            }
        }
        bits.follow(&mut maybe);
        bits
    }

    /// Spreads the edges to the maxima beside them, whole words at a time; the order does not change the outcome.
    fn follow(&mut self, maybe: &mut [u64]) {
        let all = self.words.iter().copied().enumerate();
        let mut open: Vec<(usize, u64)> = all.filter(|(_, bits)| *bits != 0).collect();
        while let Some((at, bits)) = open.pop() {
            for word in [at - self.stride, at, at + self.stride] {
                let reached = [
                    (word - 1, bits << (WORD - 1)),
                    (word, bits << 1 | bits | bits >> 1),
                    (word + 1, bits >> (WORD - 1)),
                ];
                for (word, reached) in reached {
                    let new = maybe[word] & reached;
                    if new != 0 {
                        maybe[word] ^= new;
                        self.words[word] |= new;
                        open.push((word, new));
                    }
                }
            }
        }
    }

    /// [`mse_multiref`](crate::mse_multiref) of two edge maps of one size, to the bit.
    pub(crate) fn mse_multiref(&self, other: &Self) -> f64 {
        let pairs = self.words.iter().zip(&other.words);
        let differences = pairs.map(|(one, other)| u64::from((one ^ other).count_ones()));
        let differences = differences.sum::<u64>() as f64;
        let num_pixels = (self.width * self.height) as f64;
        if self.is_empty() != other.is_empty() {
            return differences / num_pixels;
        }
        // Squares of bytes first, as there.
        differences * 65025.0 / num_pixels / 65025.0
    }

    fn is_empty(&self) -> bool {
        self.words.iter().all(|bits| *bits == 0)
    }

    /// 255 on edges, 0 elsewhere.
    pub(crate) fn to_image(&self) -> Image<u8> {
        let mut data = vec![0; self.width * self.height];
        let rows = data.chunks_exact_mut(self.width);
        for (row, words) in rows.zip(self.words.chunks_exact(self.stride).skip(1)) {
            let (pixels, last) = row.as_chunks_mut::<WORD>();
            for (pixels, bits) in pixels.iter_mut().zip(&words[1..]) {
                for (pixels, bits) in pixels.as_chunks_mut().0.iter_mut().zip(bits.to_le_bytes()) {
                    *pixels = bytes_of(bits);
                }
            }
            for (at, pixel) in last.iter_mut().enumerate() {
                *pixel = bytes_of((words[1 + pixels.len()] >> at).to_le_bytes()[0])[0];
            }
        }
        Image::of(self.width, self.height, 1, data)
    }
}

/// Bits of a word.
const WORD: usize = 64;

/// 255 for each bit that is set, the lowest first.
fn bytes_of(bits: u8) -> [u8; 8] {
    const EACH: u64 = u64::MAX / 255;
    // Bit k alone stays in byte k; what is not 0 there then reaches the highest bit.
    let alone = (u64::from(bits) * EACH) & 0x80_40_20_10_08_04_02_01;
    let high = (alone + EACH * 0x7f) & (EACH * 0x80);
    ((high >> 7) * 255).to_le_bytes()
}

/// ∂x, ∂y and m of three rows, in a ring, each filled up to whole pieces; m has a frame of one zero on both ends.
struct Gradients {
    width: usize,
    dx: [Vec<i16>; 3],
    dy: [Vec<i16>; 3],
    magnitude: [Vec<i16>; 3],
    /// Of the row at hand, with its border repeated: above + 2 · here + below, and below − above.
    smooth: Vec<i16>,
    slope: Vec<i16>,
}

/// Pixels that are looked at together.
const PIECE: usize = 16;

/// A piece of a row: m of the rows above, here and below, each from the pixel to the left, from here and to the right.
struct Piece<'a> {
    magnitudes: [[&'a [i16; PIECE]; 3]; 3],
    dx: &'a [i16; PIECE],
    dy: &'a [i16; PIECE],
}

/// What a piece holds, a bit for each pixel, the first pixel's the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Maxima {
    /// Local maxima above the lower threshold.
    maxima: u16,
    /// Those above the upper one.
    edges: u16,
}

impl Gradients {
    fn new(width: usize) -> Self {
        let rows = |len: usize| std::array::from_fn(|_| vec![0; len]);
        let len = width.next_multiple_of(PIECE);
        Self {
            width,
            dx: rows(len),
            dy: rows(len),
            magnitude: rows(len + 2),
            smooth: vec![0; width + 2],
            slope: vec![0; width + 2],
        }
    }

    /// Sobel of row `y`, first along the columns, then along the row: whole numbers up to 1020.
    fn push(&mut self, picture: &Pixels<'_>, y: usize) {
        let width = self.width;
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

    /// A row outside of the picture.
    fn push_nothing(&mut self, y: usize) {
        self.magnitude[y % 3].fill(0);
    }

    /// The pieces of row `y`.
    fn pieces(&self, y: usize) -> impl Iterator<Item = Piece<'_>> {
        let [above, here, below] = [y + 2, y, y + 1].map(|y| {
            let row = &self.magnitude[y % 3];
            let [left, here, right] = [0, 1, 2].map(|right| row[right..].as_chunks().0.iter());
            left.zip(here)
                .zip(right)
                .map(|((left, here), right)| [left, here, right])
        });
        let [dx, dy] = [&self.dx, &self.dy].map(|rows| rows[y % 3].as_chunks().0);
        let magnitudes = above.zip(here).zip(below);
        magnitudes
            .zip(dx)
            .zip(dy)
            .map(|((((above, here), below), dx), dy)| Piece {
                magnitudes: [above, here, below],
                dx,
                dy,
            })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[expect(
    clippy::float_cmp,
    reason = "the numbers are to be the same, not close"
)]
mod tests {
    use super::*;
    use crate::Map;
    use crate::mse_multiref;

    /// Blocks with noise: edges of all directions, many of which are only followed.
    fn picture(width: usize, height: usize, seed: usize) -> Image<u8> {
        let level = |at: usize| {
            let (x, y) = (at % width, at / width);
            let block = (x / 7 * 5 + y / 5 * 3 + (x + y) / 11 + seed) % 6;
            let noise = (at * at * 31 + at * (17 + seed)) >> 3;
            u8::try_from(30 * block + noise % 50).unwrap()
        };
        Image::new(width, height, 1, (0..width * height).map(level).collect()).unwrap()
    }

    fn bits(picture: &Image<u8>) -> EdgeBits {
        EdgeBits::of(&picture.view(), Canny::MULTIREF)
    }

    #[test]
    fn bits_are_compared_as_maps_of_bytes_are() {
        let mut found = Vec::new();
        for (width, height) in [
            (1, 1),
            (1, 9),
            (15, 4),
            (16, 5),
            (64, 3),
            (65, 9),
            (130, 40),
        ] {
            let [one, other] = [1, 4].map(|seed| picture(width, height, seed));
            let flat = Image::new(width, height, 1, vec![9; width * height]).unwrap();
            for (r, c) in [
                (&one, &other),
                (&one, &one),
                (&flat, &one),
                (&one, &flat),
                (&flat, &flat),
            ] {
                let (r, c) = (bits(r), bits(c));
                let maps = [c.to_image(), r.to_image()];
                let [c_map, r_map] = maps.each_ref().map(|map| Map::Bytes(map.view()));
                let own = c.mse_multiref(&r);
                assert_eq!(
                    own,
                    mse_multiref(&c_map, &r_map).unwrap(),
                    "{width} × {height}"
                );
                found.push(own);
            }
        }
        let num_different = found.iter().filter(|value| **value > 0.0).count();
        assert!(num_different > 12, "{found:?}");
    }

    #[test]
    fn edges_are_followed_from_word_to_word_in_every_direction() {
        // A stripe that is an edge at one pixel only and a maximum everywhere else.
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1_isize)] {
            let (width, height) = (200, 200);
            let mut maybe = vec![0_u64; 5 * 202 + 1];
            let mut bits = EdgeBits {
                width,
                height,
                stride: 5,
                words: maybe.clone(),
            };
            for step in -90..90_isize {
                let [x, y] = [(dx, step), (dy, step)]
                    .map(|(d, step)| usize::try_from(100 + d * step).unwrap());
                let (word, bit) = ((y + 1) * 5 + 1 + x / WORD, 1 << (x % WORD));
                if step == 3 {
                    bits.words[word] |= bit;
                } else {
                    maybe[word] |= bit;
                }
            }
            // One that nothing leads to.
            maybe[5 + 1] |= 1;
            bits.follow(&mut maybe);
            let map = bits.to_image();
            let num_edges: u32 = map.data().iter().map(|mark| u32::from(*mark) / 255).sum();
            let num_left: u32 = maybe.iter().map(|bits| bits.count_ones()).sum();
            assert_eq!((num_edges, num_left), (180, 1));
        }
    }
}
