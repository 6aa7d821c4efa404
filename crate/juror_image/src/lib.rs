#![doc = include_str!("../README.md")]

mod annotate;
mod bmp;
mod codec;
mod composite;
mod concatenate;
mod decoded;
mod draw;
mod error;
mod fitted;
mod gif;
mod jpeg;
mod moving;
mod numeral;
mod panels;
mod png;
mod prepare;
mod probe;
mod resize;
mod retouch;
mod thumbnail;
mod webp;

pub use annotate::{Annotated, Area, annotated};
pub use codec::{check, decode_rgb, decode_rgba, encode_jpeg, encode_png, encode_png_rgba};
pub use composite::{Rgba, merge, resize_rgba};
pub use concatenate::{Concatenation, concatenate};
pub use draw::{Place, Shape};
pub use error::ImageError;
pub use fitted::{Fitted, fitted};
pub use moving::is_moving;
pub use panels::{CropBox, Grid, crop, panels};
pub use prepare::{Treatment, prepare};
pub use probe::{
    Format, Limits, MAX_PIXELS, MAX_PIXELS_ALLOWED, MAX_PIXELS_PER_BYTE, Probe, allow_pixels,
    media_type, probe, stated_size,
};
pub use resize::{Filter, PRECISION_BITS, Taps, resize, resize_lanczos, taps};
pub use retouch::{tinted, turbo, whitened};
pub use thumbnail::thumbnail;

/// An 8-bit RGB picture, row by row from the top, three bytes for each pixel, in the file's own encoding (sRGB for ordinary files).
///
/// The fields are open for building one by hand; every function here checks that `data` has `3 * width * height` bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Rgb {
    /// Pixels in a row; at least 1.
    pub width: u32,
    /// Rows; at least 1.
    pub height: u32,
    /// Red, green, blue of each pixel, row-major.
    pub data: Vec<u8>,
}

impl std::fmt::Debug for Rgb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A failed assertion should not print a million numbers.
        write!(
            f,
            "Rgb({} × {}, {} bytes)",
            self.width,
            self.height,
            self.data.len()
        )
    }
}

impl Rgb {
    /// A picture of one colour.
    ///
    /// # Errors
    /// [`ImageError::NoArea`] when a side is 0, [`ImageError::TooManyBytes`] above [`Limits::default`].
    ///
    /// ```
    /// let grey = juror_image::Rgb::filled(2, 1, [7, 8, 9])?;
    /// assert_eq!(grey.data, [7, 8, 9, 7, 8, 9]);
    /// # Ok::<(), juror_image::ImageError>(())
    /// ```
    pub fn filled(width: u32, height: u32, colour: [u8; 3]) -> Result<Self, ImageError> {
        let num_bytes = checked_len(width, height)?;
        let mut data = Vec::with_capacity(num_bytes);
        while data.len() < num_bytes {
            data.extend_from_slice(&colour);
        }
        Ok(Self {
            width,
            height,
            data,
        })
    }

    /// The colour at a place, or `None` outside of the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 3 * (y as usize * self.width as usize + x as usize);
        self.data.get(at..at + 3)?.try_into().ok()
    }

    /// Errors unless `data` has exactly the bytes that the size asks for.
    pub(crate) fn check(&self) -> Result<(), ImageError> {
        let expected = checked_len(self.width, self.height)?;
        if self.data.len() == expected {
            return Ok(());
        }
        Err(ImageError::BufferLength {
            width: self.width,
            height: self.height,
            expected: expected as u64,
            found: self.data.len() as u64,
        })
    }
}

/// Bytes of an RGB picture of this size, if it has an area and fits the default byte limit.
pub(crate) fn checked_len(width: u32, height: u32) -> Result<usize, ImageError> {
    if width == 0 || height == 0 {
        return Err(ImageError::NoArea { width, height });
    }
    let limit = Limits::default().max_bytes;
    // Two u32 factors and 3 need 66 bits, so the product saturates instead of wrapping.
    let bytes = (u64::from(width) * u64::from(height)).saturating_mul(3);
    let too_many = ImageError::TooManyBytes {
        width,
        height,
        bytes,
        limit,
    };
    if bytes > limit {
        return Err(too_many);
    }
    usize::try_from(bytes).map_err(|_| too_many)
}
