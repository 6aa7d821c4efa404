//! A picture as a judge is sent it: what a request part's treatment makes of the files' bytes.

use crate::Filter;
use crate::ImageError;
use crate::Limits;
use crate::Rgb;
use crate::Rgba;
use crate::annotated;
use crate::decode_rgb;
use crate::decode_rgba;
use crate::encode_jpeg;
use crate::encode_png;
use crate::encode_png_rgba;
use crate::merge;
use crate::resize_rgba;
use crate::retouch::{tinted, turbo, whitened};

/// What is done to a picture before it is sent; beside these there is nothing to do, and the file's own bytes are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Turned upright, made RGB and encoded as JPEG of quality 75.
    Jpeg,
    /// Encoded as PNG with an alpha channel.
    RgbaPng,
    /// Encoded as PNG without one.
    RgbPng,
    /// The other file is laid over it, resized to its size where they differ; PNG with an alpha channel.
    Merged,
    /// Resized to the size of the other file, whatever its shape; PNG with an alpha channel.
    Stretched,
    /// Not the picture, which is missing: a transparent one of the other file's size.
    Blank,
    /// Turned upright and made RGB, and whatever is nearly black made white: [`whitened`]; PNG.
    Whitened,
    /// Turned upright, and its grey made the colours of Turbo: [`turbo`]; PNG.
    Turbo,
    /// Turned upright and made RGB, and its white made this colour: [`tinted`]; PNG.
    Tinted([u8; 3]),
    /// The other file is laid over it, and this text written beside what that paints: [`annotated`]; PNG with an alpha channel.
    Embedded(String),
}

impl Treatment {
    /// By its stable name; `None` for `as_is` and for names that do not exist.
    pub fn named(id: &str) -> Option<Self> {
        if let Some(colour) = id.strip_prefix("tinted_") {
            let digits = Some(colour).filter(|colour| colour.len() == 6);
            let colour = u32::from_str_radix(digits?, 16).ok()?;
            let [_, red, green, blue] = colour.to_be_bytes();
            return Some(Self::Tinted([red, green, blue]));
        }
        if let Some(text) = id.strip_prefix("embedded_") {
            return Some(Self::Embedded(text.to_owned()));
        }
        Some(match id {
            "jpeg" => Self::Jpeg,
            "rgba_png" => Self::RgbaPng,
            "rgb_png" => Self::RgbPng,
            "merged" => Self::Merged,
            "stretched" => Self::Stretched,
            "blank" => Self::Blank,
            "whitened" => Self::Whitened,
            "turbo" => Self::Turbo,
            _ => return None,
        })
    }

    /// What the result is.
    pub fn media_type(&self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            _ => "image/png",
        }
    }
}

/// Carries a treatment out.
///
/// `picture` may be empty for [`Treatment::Blank`]; `other` is the layer of [`Treatment::Merged`] and [`Treatment::Embedded`]
/// and the size giver of [`Treatment::Stretched`] and [`Treatment::Blank`].
///
/// # Errors
/// A file is no picture that can be read, or a text cannot be written into it.
pub fn prepare(treatment: &Treatment, picture: &[u8], other: &[u8]) -> Result<Vec<u8>, ImageError> {
    let limits = Limits::default();
    let rgb = |bytes: &[u8]| -> Result<Rgb, ImageError> { decode_rgb(bytes, &limits) };
    let rgba = |bytes: &[u8]| -> Result<Rgba, ImageError> { decode_rgba(bytes, &limits) };
    match treatment {
        Treatment::Jpeg => encode_jpeg(&rgb(picture)?),
        Treatment::RgbPng => encode_png(&rgb(picture)?),
        Treatment::RgbaPng => encode_png_rgba(&rgba(picture)?),
        Treatment::Merged => encode_png_rgba(&merge(&rgba(picture)?, &rgba(other)?)?),
        Treatment::Stretched => {
            let frame = rgba(other)?;
            let source = rgba(picture)?;
            encode_png_rgba(&resize_rgba(
                &source,
                frame.width,
                frame.height,
                Filter::Bicubic,
            )?)
        }
        Treatment::Blank => {
            let frame = rgba(other)?;
            encode_png_rgba(&Rgba::blank(frame.width, frame.height)?)
        }
        Treatment::Whitened => encode_png(&whitened(&rgb(picture)?)),
        Treatment::Turbo => encode_png(&turbo(&rgb(picture)?)),
        Treatment::Tinted(colour) => encode_png(&tinted(&rgb(picture)?, *colour)),
        Treatment::Embedded(text) => {
            encode_png_rgba(&annotated(&rgba(picture)?, &rgba(other)?, text)?.image)
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot build its input should stop"
)]
mod tests {
    use super::*;

    #[test]
    fn each_treatment_gives_the_format_that_it_names() {
        let picture = encode_png(&Rgb::filled(9, 7, [200, 40, 10]).unwrap()).unwrap();
        let frame = encode_png(&Rgb::filled(3, 5, [0, 0, 0]).unwrap()).unwrap();
        for (id, size) in [
            ("jpeg", (9, 7)),
            ("rgba_png", (9, 7)),
            ("rgb_png", (9, 7)),
            ("merged", (9, 7)),
            ("stretched", (3, 5)),
            ("blank", (3, 5)),
            ("whitened", (9, 7)),
            ("turbo", (9, 7)),
            ("tinted_ff8000", (9, 7)),
        ] {
            let treatment = Treatment::named(id).unwrap();
            let made = prepare(&treatment, &picture, &frame).unwrap();
            let probe = crate::probe(&made, made.len() as u64, &Limits::default()).unwrap();
            assert_eq!((probe.width, probe.height), size, "{id}");
            assert_eq!(
                treatment.media_type() == "image/jpeg",
                made.starts_with(&[0xff, 0xd8]),
                "{id}"
            );
        }
        for id in [
            "as_is",
            "tinted_",
            "tinted_ff80",
            "tinted_ff80000",
            "tinted_gg8000",
        ] {
            assert_eq!(Treatment::named(id), None, "{id}");
        }
        assert!(prepare(&Treatment::Jpeg, b"no picture", &[]).is_err());
    }

    #[test]
    fn a_jpeg_shows_nearly_the_same_colour() {
        let picture = encode_png(&Rgb::filled(16, 16, [200, 40, 10]).unwrap()).unwrap();
        let jpeg = prepare(&Treatment::Jpeg, &picture, &[]).unwrap();
        let pixel = decode_rgb(&jpeg, &Limits::default())
            .unwrap()
            .pixel(8, 8)
            .unwrap();
        let is_near = pixel
            .iter()
            .zip([200, 40, 10])
            .all(|(a, b)| a.abs_diff(b) <= 4);
        assert!(is_near, "{pixel:?}");
    }
}
