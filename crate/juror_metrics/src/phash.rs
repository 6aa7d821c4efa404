//! A hash that stays nearly the same when a picture is scaled, compressed or slightly recoloured: it finds outputs that
//! are copies of a reference.
//!
//! Source: `imagehash.phash` (4.3) with its defaults, hash size 8 and factor 4.

use std::f64::consts::PI;

use crate::MetricError;
use crate::Pixels;

/// The side of the small picture that is hashed.
pub const PHASH_SIDE: usize = 32;

/// The side of the low frequencies.
const LOW: usize = 8;

/// The perceptual hash of a picture that was brought to 32 × 32 grey levels.
///
/// Make it grey as Pillow's "L", then resample as Pillow's Lanczos (`juror_image` does): the hash is then
/// `imagehash.phash`'s, most significant bit first.
///
/// Two-dimensional DCT-II of the grey levels; a bit for each of the 8 × 8 lowest frequencies, row-major, set if its
/// coefficient exceeds their median.
/// Coefficients below 10⁻⁶ count as 0: they are rounding noise, of which `imagehash` makes bits for flat pictures.
///
/// # Errors
/// [`MetricError::Channels`], [`MetricError::Shape`] for another size.
pub fn phash(small: &Pixels<'_>) -> Result<u64, MetricError> {
    small.require_grey()?;
    if small.size() != (PHASH_SIDE, PHASH_SIDE) {
        return Err(MetricError::Shape {
            expected: "32 × 32 grey levels",
            found: vec![small.height(), small.width()],
        });
    }
    let low = low_frequencies(small);
    let mut sorted = low;
    sorted.sort_unstable_by(f64::total_cmp);
    let median = f64::midpoint(sorted[LOW * LOW / 2 - 1], sorted[LOW * LOW / 2]);
    Ok(low
        .iter()
        .fold(0, |hash, value| hash << 1 | u64::from(*value > median)))
}

/// The means of 2 × 2 samples of the same small picture, rounded down: 16 × 16 cells, row by row.
///
/// The hash sees the whole picture; these tell whether a part of it is another one.
///
/// # Errors
/// As [`phash`].
pub fn phash_cells(small: &Pixels<'_>) -> Result<Vec<u8>, MetricError> {
    phash(small)?;
    let rows: Vec<&[u8]> = small.rows().collect();
    let cells = rows.chunks_exact(2).flat_map(|pair| {
        let columns = pair[0].chunks_exact(2).zip(pair[1].chunks_exact(2));
        columns.map(|(upper, lower)| {
            let sum: u32 = upper.iter().chain(lower).map(|grey| u32::from(*grey)).sum();
            u8::try_from(sum / 4).unwrap_or(u8::MAX)
        })
    });
    Ok(cells.collect())
}

/// In how many bits two hashes differ, 0 … 64.
///
/// ```
/// assert_eq!(juror_metrics::phash_distance(0b1011, 0b0010), 2);
/// ```
pub fn phash_distance(reference: u64, candidate: u64) -> u32 {
    (reference ^ candidate).count_ones()
}

/// `y_k = 2 Σ x_n cos(π k (2 n + 1) / 2 N)` down the columns, then along the rows, for the lowest k of both.
fn low_frequencies(small: &Pixels<'_>) -> [f64; LOW * LOW] {
    let waves: [[f64; PHASH_SIDE]; LOW] = std::array::from_fn(|k| {
        std::array::from_fn(|n| libm::cos(PI * (k * (2 * n + 1)) as f64 / (2 * PHASH_SIDE) as f64))
    });
    let mut low = [0.0; LOW * LOW];
    for (k, wave) in waves.iter().enumerate() {
        let mut column = [0.0; PHASH_SIDE];
        for (row, factor) in small.rows().zip(wave) {
            for (sum, sample) in column.iter_mut().zip(row) {
                *sum += 2.0 * factor * f64::from(*sample);
            }
        }
        for (value, wave) in low[k * LOW..].iter_mut().zip(&waves) {
            let sum: f64 = column
                .iter()
                .zip(wave)
                .map(|(sum, factor)| 2.0 * factor * sum)
                .sum();
            *value = if sum.abs() < 1e-6 { 0.0 } else { sum };
        }
    }
    low
}
