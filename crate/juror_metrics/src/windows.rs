//! Local means, variances and covariances of a pair in sliding windows: the inner loops that every SSIM shares.
//!
//! Whole numbers where the pictures are bytes and the window is uniform: sums of bytes are exact, so windows slide
//! without drift, and σ² = (N Σx² − (Σx)²) / (N (N − 1)) loses no digit.
//! Otherwise two passes of a symmetric kernel in f64.
//! Loops run along rows without branches, so that SIMD128 and SSE2 can take them; uniform windows have vectors of their
//! own. No number depends on the machine.

use crate::View;
use crate::channel_sums::ChannelSums;
use crate::wide::wide;

mod eighths;
#[cfg(test)]
mod plain;
mod width;

/// A value from local moments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formula {
    c1: f64,
    c2: f64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Ssim,
    /// The second factor alone.
    ContrastStructure,
}

impl Formula {
    /// The whole index with K₁ = 0.01 and K₂ = 0.03.
    pub(crate) fn ssim(data_range: f64) -> Self {
        let square = |k: f64| (k * data_range) * (k * data_range);
        Self {
            c1: square(0.01),
            c2: square(0.03),
            kind: Kind::Ssim,
        }
    }

    pub(crate) fn constants(self) -> [f64; 2] {
        [self.c1, self.c2]
    }

    /// (2 σᵣ꜀ + C₂) / (σᵣ² + σ꜀² + C₂).
    pub(crate) fn contrast_structure(data_range: f64) -> Self {
        Self {
            kind: Kind::ContrastStructure,
            ..Self::ssim(data_range)
        }
    }
}

/// A symmetric kernel of odd length whose weights add up to 1; the two-dimensional one is its product with itself.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// From the outermost to the middle.
    half: Vec<f64>,
    /// What a variance is multiplied with: N / (N − 1) for a sample.
    covariance: f64,
}

impl Kernel {
    pub(crate) fn uniform(side: usize) -> Self {
        let count = (side * side) as f64;
        Self {
            half: vec![1.0 / side as f64; side / 2 + 1],
            covariance: count / (count - 1.0),
        }
    }

    /// exp(−x² / 2σ²), cut at ⌊3.5 σ + ½⌋.
    pub(crate) fn gaussian(sigma: f64) -> Self {
        let mut half: Vec<f64> = (0..=gaussian_radius(sigma))
            .rev()
            .map(|x| x as f64)
            .map(|x| libm::exp(-0.5 * (x * x) / (sigma * sigma)))
            .collect();
        let (middle, outer) = half.split_last().unwrap_or((&1.0, &[]));
        let sum = middle + 2.0 * outer.iter().sum::<f64>();
        for weight in &mut half {
            *weight /= sum;
        }
        Self {
            half,
            covariance: 1.0,
        }
    }

    /// The same with weights computed in f32, as `pytorch_msssim` makes them.
    pub(crate) fn gaussian_single(sigma: f32, radius: u8) -> Self {
        let half: Vec<f32> = (0..=radius)
            .rev()
            .map(|x| libm::expf(-f32::from(x).powi(2) / (2.0 * sigma * sigma)))
            .collect();
        let (middle, outer) = half.split_last().unwrap_or((&1.0, &[]));
        let sum = middle + 2.0 * outer.iter().sum::<f32>();
        Self {
            half: half.iter().map(|weight| f64::from(weight / sum)).collect(),
            covariance: 1.0,
        }
    }

    /// From the outermost weight to the middle.
    pub(crate) fn half(&self) -> &[f64] {
        &self.half
    }

    pub(crate) fn side(&self) -> usize {
        2 * self.half.len() - 1
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast of a float stops at the ends, and a window that large fits no picture"
)]
fn gaussian_radius(sigma: f64) -> usize {
    // The limit keeps the kernel's own memory small.
    ((3.5 * sigma + 0.5) as usize).min(1 << 16)
}

/// What [`weighted`] computes.
#[derive(Clone, Debug)]
pub(crate) struct Moments {
    kernel: Kernel,
    formula: Formula,
}

impl Moments {
    pub(crate) fn new(kernel: Kernel, formula: Formula) -> Self {
        Self { kernel, formula }
    }

    /// Places across a window.
    pub(crate) fn side(&self) -> usize {
        self.kernel.side()
    }
}

/// Row of the windows, sample at which the piece begins (always of channel 0), values side by side as the samples.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(usize, usize, &[f64]);

/// Samples that are handled at a time, so that their intermediate numbers stay in the fastest cache.
const PIECE: usize = 192;

/// A row of uniform windows is added up in so many parts, each by itself, so that a part can be a lane.
const NUM_PARTS: usize = 8;

/// How many of so many windows in a row make a part; the last parts are shorter or empty.
fn windows_of_part(num_windows: usize) -> usize {
    num_windows.div_ceil(NUM_PARTS)
}

/// SSIM in every uniform window of an odd side from 3 to 11, from sums of whole numbers; `map` gets the values row by row.
///
/// 11 is the widest whose N Σ(r² + c²) = 121 · 121 · 2 · 255² stays below 2³¹.
pub(crate) fn uniform_u8(
    reference: &View<'_, u8>,
    candidate: &View<'_, u8>,
    side: usize,
    data_range: f64,
    map: Option<&mut [f64]>,
) -> ChannelSums {
    let Formula { c1, c2, .. } = Formula::ssim(data_range);
    let count = (side * side) as f64;
    let constants = [count * count * c1, count * (count - 1.0) * c2];
    eighths::uniform(reference, candidate, side, constants, map)
}

/// The four numbers that are smoothed: r, c, r² + c², rc. The two variances are only ever used as their sum.
const NUM_MOMENTS: usize = 4;

/// The formula in every window that lies fully inside, with a symmetric kernel along rows and then along columns.
///
/// The picture is walked in strips whose filtered rows stay in the cache.
pub(crate) fn weighted<T: Copy + Into<f64>>(
    reference: &View<'_, T>,
    candidate: &View<'_, T>,
    moments: &Moments,
    visit: Visit<'_>,
) {
    wide(
        #[inline(always)]
        || strip_by_strip(reference, candidate, moments, visit),
    );
}

#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::inline_always, reason = "what is done in wide lanes is")
)]
fn strip_by_strip<T: Copy + Into<f64>>(
    reference: &View<'_, T>,
    candidate: &View<'_, T>,
    moments: &Moments,
    visit: Visit<'_>,
) {
    let channels = reference.channels();
    let side = moments.kernel.side();
    let len_out = (reference.width() - side + 1) * channels;
    let strip = PIECE.max(channels) / channels * channels;
    let reach = (side - 1) * channels;
    let mut strips = Strip::new(strip, reach, moments);
    let mut at = 0;
    while at < len_out {
        let len = strip.min(len_out - at);
        for y in 0..reference.height() {
            let range = at..at + len + reach;
            strips.push(
                &reference.row(y)[range.clone()],
                &candidate.row(y)[range],
                y % side,
                channels,
            );
            if y + 1 >= side {
                let first = (y + 1) % side;
                visit(y + 1 - side, at, strips.values(first, len));
            }
        }
        at += len;
    }
}

/// The filtered rows of a strip that the window at hand covers, in a ring.
struct Strip<'a> {
    moments: &'a Moments,
    /// The four numbers of the row at hand, before filtering.
    raw: [Vec<f64>; NUM_MOMENTS],
    /// `side` rows of each of the four numbers, filtered along the row.
    ring: [Vec<f64>; NUM_MOMENTS],
    width: usize,
    smooth: [Vec<f64>; NUM_MOMENTS],
    values: Vec<f64>,
}

impl<'a> Strip<'a> {
    fn new(width: usize, reach: usize, moments: &'a Moments) -> Self {
        let of = |len: usize| std::array::from_fn(|_| vec![0.0; len]);
        Self {
            moments,
            raw: of(width + reach),
            ring: of(width * moments.kernel.side()),
            width,
            smooth: of(width),
            values: vec![0.0; width],
        }
    }

    /// Filters a row into the ring.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(clippy::inline_always, reason = "what is done in wide lanes is")
    )]
    fn push<T: Copy + Into<f64>>(&mut self, r: &[T], c: &[T], slot: usize, step: usize) {
        let len = r.len();
        let [raw_r, raw_c, squares, products] = &mut self.raw;
        for (raw, r) in raw_r.iter_mut().zip(r) {
            *raw = (*r).into();
        }
        for (raw, c) in raw_c.iter_mut().zip(c) {
            *raw = (*c).into();
        }
        let raws = raw_r[..len].iter().zip(&raw_c[..len]);
        for ((square, product), (r, c)) in squares.iter_mut().zip(products).zip(raws) {
            *square = r * r + c * c;
            *product = r * c;
        }
        let half = &self.moments.kernel.half;
        let reach = 2 * (half.len() - 1) * step;
        let out = slot * self.width..slot * self.width + len - reach;
        for (raw, ring) in self.raw.iter().zip(&mut self.ring) {
            let rows = |k: usize| [&raw[k * step..], &raw[reach - k * step..]];
            smooth(half, rows, &mut ring[out.clone()]);
        }
    }

    /// Filters the ring along its columns, beginning with the oldest row, and applies the formula.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(clippy::inline_always, reason = "what is done in wide lanes is")
    )]
    fn values(&mut self, first: usize, len: usize) -> &[f64] {
        let half = &self.moments.kernel.half;
        let side = self.moments.kernel.side();
        let width = self.width;
        for (ring, smoothed) in self.ring.iter().zip(&mut self.smooth) {
            let row = |k: usize| &ring[(first + k) % side * width..];
            smooth(half, |k| [row(k), row(side - 1 - k)], &mut smoothed[..len]);
        }
        let [r, c, squares, products] = &self.smooth;
        let covariance = self.moments.kernel.covariance;
        let Formula { c1, c2, kind } = self.moments.formula;
        let means = r.iter().zip(c);
        let seconds = squares.iter().zip(products);
        let values = &mut self.values[..len];
        for ((value, (r, c)), (squares, products)) in values.iter_mut().zip(means).zip(seconds) {
            let (product, square) = (r * c, r * r + c * c);
            let upper = 2.0 * covariance * (products - product) + c2;
            let lower = covariance * (squares - square) + c2;
            *value = match kind {
                Kind::Ssim => (2.0 * product + c1) * upper / ((square + c1) * lower),
                Kind::ContrastStructure => upper / lower,
            };
        }
        values
    }
}

/// Σ wₖ (aₖ + bₖ) + w a, pairs of rows that lie opposite of the middle, from the outermost.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::inline_always, reason = "what is done in wide lanes is")
)]
fn smooth<'a>(half: &[f64], rows: impl Fn(usize) -> [&'a [f64]; 2], out: &mut [f64]) {
    let len = out.len();
    // The kernel of 11 in one sweep: the others read and write the sum once for each weight.
    if let [w0, w1, w2, w3, w4, middle] = half {
        let [[a0, b0], [a1, b1], [a2, b2], [a3, b3], [a4, b4]] =
            [0, 1, 2, 3, 4].map(|k| rows(k).map(|row| &row[..len]));
        let centre = &rows(5)[0][..len];
        for idx in 0..len {
            let outer = w0 * (a0[idx] + b0[idx]) + w1 * (a1[idx] + b1[idx]);
            let inner = w2 * (a2[idx] + b2[idx]) + w3 * (a3[idx] + b3[idx]);
            out[idx] = (outer + inner) + (w4 * (a4[idx] + b4[idx]) + middle * centre[idx]);
        }
        return;
    }
    let Some((middle, outer)) = half.split_last() else {
        return;
    };
    for (out, sample) in out.iter_mut().zip(rows(outer.len())[0]) {
        *out = middle * sample;
    }
    for (k, weight) in outer.iter().enumerate() {
        let [a, b] = rows(k);
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            *out += weight * (a + b);
        }
    }
}
