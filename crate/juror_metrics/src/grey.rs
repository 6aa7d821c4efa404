//! Colour to grey in the three roundings that the benchmarks' tools use, because each moves half of the pixels by one.
//!
//! Source: fixed-point coefficients of OpenCV (4.10 to 5.0), libpng as OpenCV calls it, and Pillow, checked against
//! all 2²⁴ colours where that was possible.

use crate::Image;
use crate::MetricError;
use crate::Pixels;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

/// Whose grey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grey {
    /// `cv2.cvtColor(…, COLOR_BGR2GRAY)`: (9798 R + 19235 G + 3735 B + 2¹⁴) >> 15.
    OpenCv,
    /// `cv2.imread(png, IMREAD_GRAYSCALE)`, which lets libpng truncate: (9797 R + 19234 G + 3737 B) >> 15.
    /// For JPEG the same call takes the decoder's luma plane, which is not reachable from RGB.
    OpenCvPngRead,
    /// `Image.convert("L")`: (19595 R + 38470 G + 7471 B + 2¹⁵) >> 16.
    Pillow,
}

/// A weighted mean of red, green and blue in whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    /// Of red, green, blue; they add up to 2 to the power of `shift`.
    pub weights: [u32; 3],
    /// What rounds.
    pub add: u32,
    /// How many fraction bits there are.
    pub shift: u32,
}

impl Grey {
    /// The grey of one colour.
    ///
    /// ```
    /// use juror_metrics::Grey;
    /// assert_eq!(Grey::OpenCv.of([0, 0, 255]), 29); // 3735 · 255 + 16384 = 968809, >> 15
    /// assert_eq!(Grey::Pillow.of([255, 255, 255]), 255);
    /// ```
    #[inline]
    pub fn of(self, [r, g, b]: [u8; 3]) -> u8 {
        let FixedPoint {
            weights: [red, green, blue],
            add,
            shift,
        } = self.fixed_point();
        let sum = red * u32::from(r) + green * u32::from(g) + blue * u32::from(b);
        low_byte((sum + add) >> shift)
    }

    /// The whole numbers of this rounding: grey = (Σ weightᵢ · sampleᵢ + `add`) >> `shift`.
    #[inline]
    pub const fn fixed_point(self) -> FixedPoint {
        let (weights, add, shift) = match self {
            Self::OpenCv => ([9798, 19235, 3735], 1 << 14, 15),
            Self::OpenCvPngRead => ([9797, 19234, 3737], 0, 15),
            Self::Pillow => ([19595, 38470, 7471], 1 << 15, 16),
        };
        FixedPoint {
            weights,
            add,
            shift,
        }
    }
}

/// The coefficients of a grey add up to one, so it fits a byte.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a weighted mean of bytes is a byte"
)]
#[inline]
fn low_byte(grey: u32) -> u8 {
    grey as u8
}

/// The grey of a picture: red, green, blue → one channel; a picture of one channel is copied.
///
/// # Errors
/// [`MetricError::Channels`] for anything but one or three channels.
pub fn grey(picture: &Pixels<'_>, rounding: Grey) -> Result<Image<u8>, MetricError> {
    if picture.channels() == 1 {
        return Ok(picture.to_image());
    }
    picture.require_rgb()?;
    let data = greys(picture.data(), rounding);
    Ok(Image::of(picture.width(), picture.height(), 1, data))
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn greys(samples: &[u8], rounding: Grey) -> Vec<u8> {
    let mut greys = vec![0; samples.len() / 3];
    let (sixteens, rest) = samples.as_chunks();
    let (outs, last) = greys.as_chunks_mut();
    let fixed_point = rounding.fixed_point();
    for (out, colours) in outs.iter_mut().zip(sixteens) {
        *out = simd128::sixteen(colours, fixed_point);
    }
    for (out, rgb) in last.iter_mut().zip(rest.as_chunks().0) {
        *out = rounding.of(*rgb);
    }
    greys
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn greys(samples: &[u8], rounding: Grey) -> Vec<u8> {
    let (places, _) = samples.as_chunks();
    // One loop for each rounding, so that each can be vectorised.
    match rounding {
        Grey::OpenCv => places.iter().map(|rgb| Grey::OpenCv.of(*rgb)).collect(),
        Grey::OpenCvPngRead => places
            .iter()
            .map(|rgb| Grey::OpenCvPngRead.of(*rgb))
            .collect(),
        Grey::Pillow => places.iter().map(|rgb| Grey::Pillow.of(*rgb)).collect(),
    }
}
