//! OpenCV's `INTER_CUBIC` on f64, which is how Depth Anything V2 brings a picture to its size.
//!
//! Source: OpenCV's documented cubic convolution with a = −0.75, without antialiasing, checked against its outputs: the
//! places and weights are f32, samples and sums f64, along rows first; borders repeat the outermost sample.

/// The first of the four samples (it may lie outside) and their weights, for each new place of a side.
fn taps(from: usize, to: usize) -> Vec<(isize, [f64; 4])> {
    let scale = 1.0 / (to as f64 / from as f64);
    (0..to)
        .map(|at| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "OpenCV holds places in f32"
            )]
            let place = ((at as f64 + 0.5) * scale - 0.5) as f32;
            let whole = place.floor();
            #[expect(clippy::cast_possible_truncation, reason = "a place in a picture")]
            let first = whole as isize - 1;
            (first, weights(place - whole).map(f64::from))
        })
        .collect()
}

/// Keys' cubic at the distances 1 + x, x, 1 − x and 2 − x, in f32 and in OpenCV's order.
pub(crate) fn weights(x: f32) -> [f32; 4] {
    const A: f32 = -0.75;
    let outer = ((A * (x + 1.0) - 5.0 * A) * (x + 1.0) + 8.0 * A) * (x + 1.0) - 4.0 * A;
    let inner = |t: f32| ((A + 2.0) * t - (A + 3.0)) * t * t + 1.0;
    let (second, third) = (inner(x), inner(1.0 - x));
    [outer, second, third, 1.0 - outer - second - third]
}

/// Where the k-th tap reads: the nearest sample of the side.
pub(crate) fn clamped(first: isize, k: usize, side: usize) -> usize {
    let at = first.saturating_add_unsigned(k).max(0);
    at.unsigned_abs().min(side - 1)
}

/// Three channels side by side, `from` and `to` as width and height; the sides must not be 0.
pub(crate) fn resize(data: &[f64], from: (usize, usize), to: (usize, usize)) -> Vec<f64> {
    let columns = taps(from.0, to.0);
    let wide: Vec<Vec<f64>> = data
        .chunks_exact(3 * from.0)
        .map(|row| {
            let mut out = Vec::with_capacity(3 * to.0);
            for (first, weights) in &columns {
                for channel in 0..3 {
                    let sample = |k: usize| row[3 * clamped(*first, k, from.0) + channel];
                    out.push(sum(weights, sample));
                }
            }
            out
        })
        .collect();
    let mut out = Vec::with_capacity(3 * to.0 * to.1);
    for (first, weights) in &taps(from.1, to.1) {
        let rows: [&Vec<f64>; 4] = std::array::from_fn(|k| &wide[clamped(*first, k, from.1)]);
        out.extend((0..3 * to.0).map(|at| sum(weights, |k| rows[k][at])));
    }
    out
}

/// In OpenCV's order: from the first tap to the last.
fn sum(weights: &[f64; 4], sample: impl Fn(usize) -> f64) -> f64 {
    sample(0) * weights[0]
        + sample(1) * weights[1]
        + sample(2) * weights[2]
        + sample(3) * weights[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Doubling a row of two: the places are −¼, ¼, ¾, 1¼; at ¼ the taps −1 … 2 read 0, 0, 1, 1 and weigh
    /// w(1¼), w(¼), w(¾), w(1¾), so the value is w(¾) + w(1¾) = 0.26171875 − 0.03515625.
    #[test]
    fn a_row_of_two_is_doubled_by_hand() {
        let row = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let out = resize(&row, (2, 1), (4, 1));
        let found: Vec<f64> = out.iter().copied().step_by(3).collect();
        let inner = 0.261_718_75 - 0.035_156_25;
        assert!((found[1] - inner).abs() < 1e-7, "{found:?}");
        assert!((found[2] - (1.0 - inner)).abs() < 1e-7, "{found:?}");
        // Beyond the border the outermost sample repeats, and the kernel overshoots.
        assert!(found[0] < 0.0 && found[3] > 1.0, "{found:?}");
    }
}
