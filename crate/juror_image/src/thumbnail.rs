//! Small pictures that stand for large ones.

use crate::Filter;
use crate::ImageError;
use crate::Limits;
use crate::decode_rgb;
use crate::encode_jpeg;
use crate::resize;

/// A JPEG of the picture whose longer side is at most so many pixels; a smaller picture keeps its size.
///
/// The same file always gives the same bytes, natively and in Wasm.
///
/// # Errors
/// The file cannot be decoded.
///
/// ```
/// use juror_image::{Limits, Rgb, encode_png, probe, thumbnail};
/// let wide = encode_png(&Rgb::filled(640, 320, [9, 99, 199])?)?;
/// let small = thumbnail(&wide, 256)?;
/// let size = probe(&small, small.len() as u64, &Limits::default())?;
/// assert_eq!((size.width, size.height), (256, 128));
/// # Ok::<(), juror_image::ImageError>(())
/// ```
pub fn thumbnail(bytes: &[u8], max_px: u32) -> Result<Vec<u8>, ImageError> {
    let picture = decode_rgb(bytes, &Limits::default())?;
    let longer = picture.width.max(picture.height);
    if longer <= max_px {
        return encode_jpeg(&picture);
    }
    // Rounded half up and never to nothing.
    let small = |side: u32| {
        let side =
            (2 * u64::from(side) * u64::from(max_px) + u64::from(longer)) / (2 * u64::from(longer));
        u32::try_from(side).unwrap_or(max_px).max(1)
    };
    let (width, height) = (small(picture.width), small(picture.height));
    encode_jpeg(&resize(&picture, width, height, Filter::Lanczos)?)
}
