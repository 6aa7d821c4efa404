//! Resamples pictures byte for byte as Pillow up to 12.3 does, because the benchmarks were built and scored with it.
//!
//! Source: Pillow's documented convolution resampling with antialiasing, checked against its outputs: weights in f64,
//! rounded to 22-bit fixed point, horizontal pass first, bytes between the passes.
//! Pillow 13 changes the order of the passes for some sizes and then differs by 1 in some samples.

use std::f64::consts::PI;

use crate::ImageError;
use crate::Rgb;
use crate::checked_len;

/// A resampling kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Triangle of radius 1.
    Bilinear,
    /// Keys' cubic with a = −0.5, radius 2.
    Bicubic,
    /// sinc(x) · sinc(x / 3), radius 3.
    Lanczos,
}

impl Filter {
    fn radius(self) -> f64 {
        match self {
            Self::Bilinear => 1.0,
            Self::Bicubic => 2.0,
            Self::Lanczos => 3.0,
        }
    }

    fn weight(self, x: f64) -> f64 {
        let t = x.abs();
        match self {
            Self::Bilinear if t < 1.0 => 1.0 - t,
            // W(t) for a = −1/2, both polynomials in Horner form.
            Self::Bicubic if t < 1.0 => (1.5 * t - 2.5) * t * t + 1.0,
            Self::Bicubic if t < 2.0 => ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0,
            Self::Lanczos if (-3.0..3.0).contains(&x) => sinc(x) * sinc(x / 3.0),
            _ => 0.0,
        }
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 {
        1.0
    } else {
        (x * PI).sin() / (x * PI)
    }
}

/// Fraction bits of a weight: 32 minus 8 for the sample and 2 for overshoot.
pub const PRECISION_BITS: u32 = 22;

/// The weights of one output sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taps {
    /// Where they begin in the input.
    pub start: usize,
    /// The weights, with [`PRECISION_BITS`] fraction bits.
    pub weights: Vec<i32>,
}

/// Weights along one side, `scale = from / to`:
///
/// c = (i + ½) · scale; s = radius · max(scale, 1); taps from ⌊c − s + ½⌋ to ⌊c + s + ½⌋ inside of the picture;
/// w(x) = kernel((x − c + ½) / max(scale, 1)), divided by their sum.
///
/// [`resize`] follows them, first along rows, then along columns, each sum started at one half, shifted by
/// [`PRECISION_BITS`] and cut to a byte; twins on other hardware are given them.
pub fn taps(from: u32, to: u32, filter: Filter) -> Vec<Taps> {
    let scale = f64::from(from) / f64::from(to);
    let stretch = scale.max(1.0);
    let reach = filter.radius() * stretch;
    let inverse = 1.0 / stretch;
    (0..to)
        .map(|idx| {
            let centre = (f64::from(idx) + 0.5) * scale;
            let start = whole(centre - reach + 0.5, from);
            let end = whole(centre + reach + 0.5, from);
            let exact: Vec<f64> = (start..end)
                .map(|x| filter.weight((f64::from(x) - centre + 0.5) * inverse))
                .collect();
            let sum: f64 = exact.iter().sum();
            let unit = f64::from(1u32 << PRECISION_BITS);
            let weights = exact
                .iter()
                .map(|w| fixed(if sum == 0.0 { *w } else { w / sum }, unit))
                .collect();
            Taps {
                start: start as usize,
                weights,
            }
        })
        .collect()
}

/// Truncates towards zero and stays inside of 0 to `most`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a u32 range before"
)]
fn whole(x: f64, most: u32) -> u32 {
    x.clamp(0.0, f64::from(most)) as u32
}

/// Rounds half away from zero.
#[expect(
    clippy::cast_possible_truncation,
    reason = "normalised weights stay far below 2^31 / 2^22"
)]
fn fixed(weight: f64, unit: f64) -> i32 {
    (weight * unit).round() as i32
}

/// Adds up one sample; it starts at one half so that the shift rounds.
#[expect(clippy::cast_sign_loss, reason = "clamped to a byte")]
fn settle(sum: i32) -> u8 {
    ((sum + (1 << (PRECISION_BITS - 1))) >> PRECISION_BITS).clamp(0, 255) as u8
}

/// Resamples to an exact size with Lanczos; see [`resize`].
///
/// # Errors
/// As [`resize`].
pub fn resize_lanczos(image: &Rgb, width: u32, height: u32) -> Result<Rgb, ImageError> {
    resize(image, width, height, Filter::Lanczos)
}

/// Resamples to an exact size, byte for byte as Pillow's `Image.resize((width, height), filter)` for RGB.
///
/// When a side shrinks its kernel widens by the factor (antialiasing); at borders the kernel is cut and renormalised.
/// The proportions are the caller's affair. The same size returns the picture unchanged.
///
/// # Errors
/// [`ImageError::NoArea`] when a side is 0, [`ImageError::BufferLength`] for a picture that contradicts itself,
/// [`ImageError::TooManyBytes`] when the result or the picture between the two passes exceeds [`Limits::default`](crate::Limits).
///
/// ```
/// use juror_image::{Filter, Rgb, resize};
/// // Two pixels to one: both lie at the same distance from the centre, so the result is their mean, 15.
/// let pair = Rgb { width: 2, height: 1, data: vec![10, 10, 10, 20, 20, 20] };
/// assert_eq!(resize(&pair, 1, 1, Filter::Bilinear)?.data, [15, 15, 15]);
/// # Ok::<(), juror_image::ImageError>(())
/// ```
pub fn resize(image: &Rgb, width: u32, height: u32, filter: Filter) -> Result<Rgb, ImageError> {
    image.check()?;
    checked_len(width, height)?;
    checked_len(width, image.height)?;
    let wide = if width == image.width {
        None
    } else {
        Some(horizontal(image, width, filter))
    };
    let between = wide.as_ref().unwrap_or(image);
    if height == between.height {
        return Ok(wide.unwrap_or_else(|| image.clone()));
    }
    Ok(vertical(between, height, filter))
}

fn horizontal(image: &Rgb, width: u32, filter: Filter) -> Rgb {
    let taps = taps(image.width, width, filter);
    let mut data = Vec::with_capacity(3 * width as usize * image.height as usize);
    for row in image.data.chunks_exact(3 * image.width as usize) {
        for tap in &taps {
            let mut sums = [0_i32; 3];
            let samples = row.get(3 * tap.start..).unwrap_or_default().chunks_exact(3);
            for (sample, &weight) in samples.zip(&tap.weights) {
                for (sum, &value) in sums.iter_mut().zip(sample) {
                    *sum += weight * i32::from(value);
                }
            }
            data.extend(sums.map(settle));
        }
    }
    Rgb {
        width,
        height: image.height,
        data,
    }
}

fn vertical(image: &Rgb, height: u32, filter: Filter) -> Rgb {
    let row_len = 3 * image.width as usize;
    let mut data = Vec::with_capacity(row_len * height as usize);
    let mut sums = vec![0_i32; row_len];
    for tap in taps(image.height, height, filter) {
        sums.fill(0);
        let rows = image
            .data
            .get(tap.start * row_len..)
            .unwrap_or_default()
            .chunks_exact(row_len);
        for (row, &weight) in rows.zip(&tap.weights) {
            for (sum, &value) in sums.iter_mut().zip(row) {
                *sum += weight * i32::from(value);
            }
        }
        data.extend(sums.iter().map(|&sum| settle(sum)));
    }
    Rgb {
        width: image.width,
        height,
        data,
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot build its input should stop"
)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32, values: &[u8]) -> Rgb {
        Rgb {
            width,
            height,
            data: values.iter().flat_map(|&v| [v; 3]).collect(),
        }
    }

    fn values(image: &Rgb) -> Vec<u8> {
        image.data.iter().copied().step_by(3).collect()
    }

    /// 2 → 4 columns, scale ½: centres ¼, ¾, 1¼, 1¾; the triangle weighs a tap by 1 − |x + ½ − c|.
    /// First: taps [0, 1) only, so 0. Second: taps 0 and 1 at distances ¼ and ¾, so 100 · ¼ = 25.
    #[test]
    fn bilinear_doubling_by_hand() {
        let out = resize(&grey(2, 1, &[0, 100]), 4, 1, Filter::Bilinear).unwrap();
        assert_eq!(values(&out), [0, 25, 75, 100]);
    }

    /// 4 → 2 rows, scale 2, radius 2: centre 1 with taps 0, 1, 2 at distances ½, ½, 1½ of 2, weights ¾, ¾, ¼ over 7/4:
    /// (0 · 3 + 70 · 3 + 140 · 1) / 7 = 50.
    #[test]
    fn bilinear_halving_widens_the_kernel_and_cuts_it_at_the_border() {
        let out = resize(&grey(1, 4, &[0, 70, 140, 210]), 1, 2, Filter::Bilinear).unwrap();
        assert_eq!(values(&out), [50, 160]);
    }

    /// Keys' cubic over four taps at distances 1¾, 1¼, … gives 255 · (1 ± 0.07): beyond both ends, where a byte stops.
    #[test]
    fn bicubic_overshoot_is_clipped_to_a_byte() {
        let out = values(&resize(&grey(4, 1, &[0, 0, 255, 255]), 8, 1, Filter::Bicubic).unwrap());
        assert_eq!(out.get(..3), Some([0; 3].as_slice()));
        assert_eq!(out.get(5..), Some([255; 3].as_slice()));
    }

    #[test]
    fn the_kernels_have_their_textbook_values() {
        assert!((Filter::Bicubic.weight(0.5) - 0.5625).abs() < 1e-15);
        assert!((Filter::Bicubic.weight(-1.5) + 0.0625).abs() < 1e-15);
        // sinc(½) sinc(1/6) = (2/π)(6/π · ½) = 6/π².
        assert!((Filter::Lanczos.weight(0.5) - 6.0 / (PI * PI)).abs() < 1e-15);
        assert!(Filter::Lanczos.weight(1.0).abs() < 1e-15);
        assert!(Filter::Lanczos.weight(3.0).abs() < 1e-15);
    }

    #[test]
    fn a_flat_picture_stays_flat_under_every_filter_and_size() {
        let flat = Rgb::filled(9, 7, [0, 131, 255]).unwrap();
        for filter in [Filter::Bilinear, Filter::Bicubic, Filter::Lanczos] {
            for (width, height) in [(1, 1), (7, 9), (9, 7), (8, 64), (65, 3), (257, 1)] {
                let out = resize(&flat, width, height, filter).unwrap();
                assert_eq!(out, Rgb::filled(width, height, [0, 131, 255]).unwrap());
            }
        }
    }

    #[test]
    fn channels_do_not_mix() {
        let image = Rgb {
            width: 2,
            height: 1,
            data: vec![255, 0, 9, 255, 0, 9],
        };
        assert_eq!(
            resize_lanczos(&image, 5, 4).unwrap().pixel(2, 2),
            Some([255, 0, 9])
        );
    }

    #[test]
    fn sums_fit_32_bits_for_all_small_sizes() {
        for filter in [Filter::Bilinear, Filter::Bicubic, Filter::Lanczos] {
            for (from, to) in (1..70).flat_map(|from| (1..70).map(move |to| (from, to))) {
                for tap in taps(from, to, filter) {
                    let size: i64 = tap.weights.iter().map(|w| i64::from(w.abs()) * 255).sum();
                    assert!(
                        size < i64::from(i32::MAX) - (1 << PRECISION_BITS),
                        "{filter:?} {from} → {to}"
                    );
                }
            }
        }
    }

    #[test]
    fn impossible_sizes_are_errors_not_allocations() {
        let line = Rgb::filled(1, 60_000, [0; 3]).unwrap();
        assert!(matches!(
            resize_lanczos(&line, 0, 5),
            Err(ImageError::NoArea {
                width: 0,
                height: 5
            })
        ));
        // The result would be small, the picture between the passes 60000 × 60000.
        assert!(matches!(
            resize_lanczos(&line, 60_000, 1),
            Err(ImageError::TooManyBytes { .. })
        ));
        let short = Rgb {
            width: 2,
            height: 2,
            data: vec![0; 11],
        };
        assert!(matches!(
            resize_lanczos(&short, 1, 1),
            Err(ImageError::BufferLength {
                expected: 12,
                found: 11,
                ..
            })
        ));
    }
}
