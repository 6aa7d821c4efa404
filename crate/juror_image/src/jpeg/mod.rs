//! JPEG as Pillow reads and writes it: the same bytes as libjpeg-turbo with its slow integer transform and its smooth
//! enlargement of colours.
//!
//! The pixels are decoded and encoded by the crate `libjpeg-turbo-rs`; what it is given was walked here first, so that
//! what that library skips or refuses is known before anything is allocated.

mod planes;
mod walk;

use image::ColorType;
use image::metadata::Orientation;
use libjpeg_turbo_rs::{DecodeLimits, Decoder, Encoder, PixelFormat, Subsampling};

use planes::Enlargement;
use walk::{Frame, Walk, walk};

use crate::Format;
use crate::ImageError;
use crate::Limits;
use crate::Rgb;
use crate::probe::check_limits;

/// The pixels as they are stored, RGB or grey, and how they are turned.
pub(crate) struct Decoded {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) colour: ColorType,
    pub(crate) orientation: Orientation,
    pub(crate) data: Vec<u8>,
}

fn wrong(detail: impl Into<String>) -> ImageError {
    ImageError::Data {
        format: Format::Jpeg,
        detail: detail.into(),
    }
}

fn failed(error: &libjpeg_turbo_rs::JpegError) -> ImageError {
    wrong(error.to_string())
}

/// Whether a whole file decodes.
pub(crate) fn check(bytes: &[u8], limits: &Limits) -> Result<(), ImageError> {
    match walk(bytes)? {
        walked if walked.is_mendable() => Ok(()),
        _ => decode(bytes, limits).map(|_| ()),
    }
}

/// Decodes a whole file.
pub(crate) fn decode(bytes: &[u8], limits: &Limits) -> Result<Decoded, ImageError> {
    let walked = walk(bytes)?;
    let Some(frame) = walked.frame() else {
        return Err(ImageError::NoArea {
            width: 0,
            height: 0,
        });
    };
    let (width, height) = (frame.width, frame.height);
    check_limits(width, height, 4, limits)?;
    let orientation = walked
        .exif(bytes)
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms);
    let clean = walked.clean(bytes);
    let inner = DecodeLimits {
        max_pixels: limits.max_pixels,
        ..DecodeLimits::default()
    };
    let (format, colour) = match frame.num_components {
        1 => (PixelFormat::Grayscale, ColorType::L8),
        4 => (PixelFormat::Cmyk, ColorType::Rgb8),
        _ => (PixelFormat::Rgb, ColorType::Rgb8),
    };
    let decoder = Decoder::new_with_limits(&clean, inner).map_err(|error| failed(&error))?;
    let decoder = decoder.with_lenient(true).with_block_smoothing(true);
    let data = match format {
        PixelFormat::Cmyk => rgb_from_cmyk(&stored_cmyk(decoder, &walked, frame)?),
        _ => pixels(decoder, format)?,
    };
    Ok(Decoded {
        width,
        height,
        colour,
        orientation,
        data,
    })
}

fn pixels(decoder: Decoder<'_>, format: PixelFormat) -> Result<Vec<u8>, ImageError> {
    let image = decoder.with_output_format(format).decode_image();
    Ok(image.map_err(|error| failed(&error))?.data)
}

/// C, M, Y and K as they are stored; the library panics at those whose channels differ in size.
fn stored_cmyk(decoder: Decoder<'_>, walked: &Walk, frame: Frame) -> Result<Vec<u8>, ImageError> {
    let enlargements = walked.enlargements();
    let is_small = |one: &Enlargement| (one.across, one.down) != (1, 1);
    if !enlargements.iter().any(is_small) {
        return pixels(decoder, PixelFormat::Cmyk);
    }
    let raw = decoder.decode_raw().map_err(|error| failed(&error))?;
    planes::cmyk(&raw, frame, &enlargements, walked.is_ycck())
}

/// Pillow's `convert("RGB")` of what it takes for Adobe's inverted CMYK.
fn rgb_from_cmyk(stored: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(stored.len() / 4 * 3);
    for pixel in stored.as_chunks().0 {
        let &[cyan, magenta, yellow, light]: &[u8; 4] = pixel;
        data.extend([cyan, magenta, yellow].map(|stored| {
            // Pillow's MULDIV255: the product over 255, rounded.
            let product = u32::from(255 - stored) * u32::from(light) + 128;
            let share = ((product >> 8) + product) >> 8;
            u8::try_from(u32::from(light).saturating_sub(share)).unwrap_or(0)
        }));
    }
    data
}

/// Encodes as Pillow's `save(…, "JPEG")` does without options.
pub(crate) fn encode(image: &Rgb) -> Result<Vec<u8>, ImageError> {
    let (width, height) = (image.width as usize, image.height as usize);
    Encoder::new(&image.data, width, height, PixelFormat::Rgb)
        .quality(75)
        .subsampling(Subsampling::S420)
        .encode()
        .map_err(|error| ImageError::Encode {
            detail: error.to_string(),
        })
}
