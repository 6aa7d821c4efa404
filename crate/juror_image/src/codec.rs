//! Decodes picture files to RGB and encodes RGB as PNG: the only place that talks to the `image` crate.

use std::borrow::Cow;
use std::io::Cursor;

use image::codecs::{png::PngEncoder, webp::WebPDecoder};
use image::metadata::Orientation;
use image::{ColorType, ExtendedColorType, ImageDecoder, ImageEncoder};

use crate::Format;
use crate::ImageError;
use crate::Limits;
use crate::Probe;
use crate::Rgb;
use crate::Rgba;
use crate::bmp;
use crate::decoded::Decoded;
use crate::gif;
use crate::jpeg;
use crate::png;
use crate::probe::{check_limits, probe_whole};
use crate::webp;

/// Decodes a picture file to RGB, upright.
///
/// - EXIF orientation is applied, so width and height may change places against [`probe`](crate::probe).
/// - Alpha is dropped and the colour under it kept, as Pillow's `convert("RGB")` does; nothing is blended with a background.
/// - Grey is copied to the three channels, palettes are expanded, and of 16-bit samples the high byte is taken, as `OpenCV`
///   does (Pillow does the same for colour, but clips 16-bit grey at 255: [`decode_rgba`]).
/// - Of an animation the first frame counts. What it leaves open of a GIF has the transparent colour, or the first one where
///   there is none; of a WebP it is black.
/// - Colour profiles and gamma chunks are ignored, as Pillow and `OpenCV` ignore them.
/// - CMYK and YCCK JPEG become RGB as Pillow makes them, without a profile: (255 − C)(255 − K) / 255 and so on.
/// - JPEG pixels are those of libjpeg-turbo, as Pillow and `OpenCV` have them: every byte.
///
/// # Errors
/// Everything that [`probe`](crate::probe) returns and [`ImageError::TooFewBytes`], before any allocation; then [`ImageError::NoEnd`] for a JPEG without its end
/// and [`ImageError::Data`] for other damage. Bytes are never trusted: no input panics.
pub fn decode_rgb(bytes: &[u8], limits: &Limits) -> Result<Rgb, ImageError> {
    let raw = decode(bytes, limits)?;
    let Some(data) = rgb_from_raw(raw.data, raw.colour) else {
        return Err(unsupported(raw.format, raw.colour));
    };
    let image = Rgb {
        width: raw.width,
        height: raw.height,
        data,
    };
    image.check()?;
    Ok(upright(image, raw.orientation))
}

/// Decodes a picture file to RGBA as it is stored, as Pillow's `Image.open(…).convert("RGBA")` does.
///
/// As [`decode_rgb`], but EXIF orientation is not applied, 16-bit grey above 255 is white, and alpha is kept; where the file has
/// none it is 255.
///
/// # Errors
/// As [`decode_rgb`].
pub fn decode_rgba(bytes: &[u8], limits: &Limits) -> Result<Rgba, ImageError> {
    let raw = decode(bytes, limits)?;
    let raw = match raw.colour {
        ColorType::L16 => clipped(&raw),
        _ => raw,
    };
    let (width, height) = (raw.width, raw.height);
    let alpha = alpha_from_raw(&raw.data, raw.colour);
    let Some(colours) = rgb_from_raw(raw.data, raw.colour) else {
        return Err(unsupported(raw.format, raw.colour));
    };
    let mut image = Rgba::opaque(&Rgb {
        width,
        height,
        data: colours,
    })?;
    for (pixel, alpha) in image.data.chunks_exact_mut(4).zip(alpha) {
        pixel[3] = alpha;
    }
    Ok(image)
}

/// Whether a whole file decodes, as Pillow's `load()` finds out.
///
/// A sequential JPEG is walked from marker to marker up to its end, which finds everything that Pillow refuses: wrong or
/// missing codes within its data are mended there and here. All other pictures are decoded.
///
/// # Errors
/// As [`decode_rgb`].
pub fn check(bytes: &[u8], limits: &Limits) -> Result<Probe, ImageError> {
    let found = probe_whole(bytes, limits)?;
    match found.format {
        Format::Jpeg => jpeg::check(bytes, limits)?,
        _ => decode(bytes, limits).map(|_| ())?,
    }
    Ok(found)
}

/// 16-bit grey as Pillow converts it: levels above 255 are 255.
fn clipped(raw: &Raw) -> Raw {
    let levels = raw.data.as_chunks::<2>().0.iter();
    let data = levels.map(|pair| u8::try_from(u16::from_ne_bytes(*pair)).unwrap_or(u8::MAX));
    Raw {
        colour: ColorType::L8,
        data: data.collect(),
        ..*raw
    }
}

/// A picture as its decoder hands it out.
struct Raw {
    format: Format,
    width: u32,
    height: u32,
    colour: ColorType,
    orientation: Orientation,
    data: Vec<u8>,
}

fn unsupported(format: Format, colour: ColorType) -> ImageError {
    ImageError::Data {
        format,
        detail: format!("samples of kind {colour:?} are not supported"),
    }
}

fn decode(bytes: &[u8], limits: &Limits) -> Result<Raw, ImageError> {
    let Probe { format, .. } = probe_whole(bytes, limits)?;
    let source = Cursor::new(bytes);
    let failed = |error: image::ImageError| ImageError::Data {
        format,
        detail: error.to_string(),
    };
    match format {
        Format::Png => {
            if let Some(detail) = png::wrong_before_pixels(bytes) {
                return Err(ImageError::Data { format, detail });
            }
            let bytes = without_profile(bytes);
            let decoded = |bytes: &[u8]| {
                let decoded = png::decode(bytes, scratch_bytes(limits));
                let (decoded, orientation) =
                    decoded.map_err(|detail| ImageError::Data { format, detail })?;
                Ok(Raw {
                    orientation,
                    ..raw_of(decoded, format)
                })
            };
            let again = |error, mended: Option<Vec<u8>>| match mended {
                Some(mended) => decoded(&mended),
                None => Err(error),
            };
            decoded(&bytes)
                .or_else(|error| again(error, png::as_pillow_reads(&bytes)))
                .or_else(|error| again(error, png::with_all_rows(&bytes)))
        }
        Format::Jpeg => {
            let decoded = jpeg::decode(bytes, limits)?;
            Ok(Raw {
                format,
                width: decoded.width,
                height: decoded.height,
                colour: decoded.colour,
                orientation: decoded.orientation,
                data: decoded.data,
            })
        }
        Format::WebP => match webp::first_frame(bytes)? {
            None => read(WebPDecoder::new(source).map_err(failed)?, format, limits),
            Some(frame) => {
                let source = Cursor::new(frame.file.as_slice());
                let decoder = WebPDecoder::new(source).map_err(failed)?;
                let raw = read(decoder, format, limits)?;
                let alpha = alpha_from_raw(&raw.data, raw.colour);
                let size = (raw.width, raw.height);
                let rgb = rgb_from_raw(raw.data, raw.colour);
                let rgb = rgb.ok_or_else(|| unsupported(format, raw.colour))?;
                Ok(raw_of(frame.on_canvas(size, &rgb, &alpha)?, format))
            }
        },
        Format::Gif => Ok(raw_of(gif::decode(bytes)?, format)),
        Format::Bmp => Ok(raw_of(bmp::decode(bytes)?, format)),
    }
}

fn raw_of(decoded: Decoded, format: Format) -> Raw {
    Raw {
        format,
        width: decoded.width,
        height: decoded.height,
        colour: decoded.colour,
        orientation: Orientation::NoTransforms,
        data: decoded.data,
    }
}

/// A PNG without its colour profile, which nothing here goes by: unpacked it may be a thousand times as large as the file.
fn without_profile(bytes: &[u8]) -> Cow<'_, [u8]> {
    const SIGNATURE: usize = 8;
    let mut kept: Option<Vec<u8>> = None;
    let mut at = SIGNATURE;
    while let Some(&[a, b, c, d, ref name @ ..]) = bytes.get(at..at + SIGNATURE) {
        let len = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        // Length, name and check sum stand around the data.
        let end = at.saturating_add(len).saturating_add(12).min(bytes.len());
        if name == b"iCCP" {
            kept.get_or_insert_with(|| bytes[..at].to_vec());
        } else if let Some(kept) = &mut kept {
            kept.extend_from_slice(&bytes[at..end]);
        }
        at = end;
    }
    match kept {
        None => Cow::Borrowed(bytes),
        Some(mut kept) => {
            kept.extend_from_slice(bytes.get(at..).unwrap_or_default());
            Cow::Owned(kept)
        }
    }
}

fn decoder_limits(limits: &Limits) -> image::Limits {
    let mut inner = image::Limits::no_limits();
    // The decoder's own scratch buffers count besides the pixels; half as much again is plenty for them.
    inner.max_alloc = Some(scratch_bytes(limits));
    inner
}

/// What a decoder may take in all.
fn scratch_bytes(limits: &Limits) -> u64 {
    limits.max_bytes.saturating_add(limits.max_bytes / 2)
}

fn read<D: ImageDecoder>(
    mut decoder: D,
    format: Format,
    limits: &Limits,
) -> Result<Raw, ImageError> {
    let failed = |error: image::ImageError| ImageError::Data {
        format,
        detail: error.to_string(),
    };
    decoder.set_limits(decoder_limits(limits)).map_err(failed)?;
    // Unreadable metadata must not cost the pixels.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let (width, height) = decoder.dimensions();
    let colour = decoder.color_type();
    let bytes = decoder.total_bytes();
    // A container may announce another size than the picture inside of it.
    check_limits(width, height, u64::from(colour.bytes_per_pixel()), limits)?;
    let mut data = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
    decoder.read_image(&mut data).map_err(failed)?;
    Ok(Raw {
        format,
        width,
        height,
        colour,
        orientation,
        data,
    })
}

/// The alpha of each pixel: the high byte of 16-bit samples; nothing for pictures without alpha.
fn alpha_from_raw(raw: &[u8], colour: ColorType) -> Vec<u8> {
    let high = usize::from(cfg!(target_endian = "little"));
    let (step, at) = match colour {
        ColorType::La8 => (2, 1),
        ColorType::Rgba8 => (4, 3),
        ColorType::La16 => (4, 2 + high),
        ColorType::Rgba16 => (8, 6 + high),
        _ => return Vec::new(),
    };
    raw.iter().skip(at).step_by(step).copied().collect()
}

/// Drops alpha, spreads grey, keeps the high byte of 16-bit samples.
fn rgb_from_raw(raw: Vec<u8>, colour: ColorType) -> Option<Vec<u8>> {
    // 16-bit samples arrive in the machine's own byte order.
    let high = usize::from(cfg!(target_endian = "little"));
    let (step, at) = match colour {
        ColorType::Rgb8 => return Some(raw),
        ColorType::L8 => (1, [0, 0, 0]),
        ColorType::La8 => (2, [0, 0, 0]),
        ColorType::Rgba8 => (4, [0, 1, 2]),
        ColorType::L16 => (2, [high; 3]),
        ColorType::La16 => (4, [high; 3]),
        ColorType::Rgb16 => (6, [high, 2 + high, 4 + high]),
        ColorType::Rgba16 => (8, [high, 2 + high, 4 + high]),
        _ => return None,
    };
    let mut data = Vec::with_capacity(raw.len() / step * 3);
    for sample in raw.chunks_exact(step) {
        data.extend(at.map(|idx| sample.get(idx).copied().unwrap_or(0)));
    }
    Some(data)
}

/// Turns and mirrors as the EXIF tag asks for.
fn upright(image: Rgb, orientation: Orientation) -> Rgb {
    let (w, h) = (image.width as usize, image.height as usize);
    // Where does the upright pixel (x, y) come from? `right` and `bottom` are the last column and row.
    let (right, bottom) = (w.saturating_sub(1), h.saturating_sub(1));
    let from: fn(usize, usize, usize, usize) -> (usize, usize) = match orientation {
        Orientation::NoTransforms => return image,
        Orientation::FlipHorizontal => |x, y, right, _| (right - x, y),
        Orientation::Rotate180 => |x, y, right, bottom| (right - x, bottom - y),
        Orientation::FlipVertical => |x, y, _, bottom| (x, bottom - y),
        Orientation::Rotate90FlipH => |x, y, _, _| (y, x),
        Orientation::Rotate90 => |x, y, _, bottom| (y, bottom - x),
        Orientation::Rotate270FlipH => |x, y, right, bottom| (right - y, bottom - x),
        Orientation::Rotate270 => |x, y, right, _| (right - y, x),
    };
    let turned = matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    let (new_w, new_h) = if turned { (h, w) } else { (w, h) };
    let mut data = Vec::with_capacity(image.data.len());
    for y in 0..new_h {
        for x in 0..new_w {
            let (from_x, from_y) = from(x, y, right, bottom);
            let at = 3 * (from_y * w + from_x);
            data.extend_from_slice(image.data.get(at..at + 3).unwrap_or(&[0; 3]));
        }
    }
    let (width, height) = if turned {
        (image.height, image.width)
    } else {
        (image.width, image.height)
    };
    Rgb {
        width,
        height,
        data,
    }
}

/// Encodes a picture as a JPEG, byte for byte as Pillow's `save(…, "JPEG")` does without options: quality 75, colours at
/// half the resolution (4:2:0), the standard's Huffman tables, a JFIF header and no other metadata.
///
/// # Errors
/// As [`encode_png`]; the format ends at 65,500 pixels a side.
pub fn encode_jpeg(image: &Rgb) -> Result<Vec<u8>, ImageError> {
    image.check()?;
    jpeg::encode(image)
}

/// Encodes a picture as an 8-bit RGB PNG without metadata; the same picture always gives the same bytes.
///
/// # Errors
/// [`ImageError::BufferLength`] or [`ImageError::NoArea`] for a picture that contradicts itself.
pub fn encode_png(image: &Rgb) -> Result<Vec<u8>, ImageError> {
    image.check()?;
    encoded(|out| {
        PngEncoder::new(out).write_image(
            &image.data,
            image.width,
            image.height,
            ExtendedColorType::Rgb8,
        )
    })
}

/// Encodes a picture as an 8-bit RGBA PNG without metadata; the same picture always gives the same bytes.
///
/// # Errors
/// As [`encode_png`].
pub fn encode_png_rgba(image: &Rgba) -> Result<Vec<u8>, ImageError> {
    image.check()?;
    encoded(|out| {
        PngEncoder::new(out).write_image(
            &image.data,
            image.width,
            image.height,
            ExtendedColorType::Rgba8,
        )
    })
}

/// What an encoder writes.
fn encoded(
    write: impl FnOnce(&mut Vec<u8>) -> image::ImageResult<()>,
) -> Result<Vec<u8>, ImageError> {
    let mut out = Vec::new();
    write(&mut out).map_err(|error| ImageError::Encode {
        detail: error.to_string(),
    })?;
    Ok(out)
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot build its input should stop"
)]
mod tests {
    use super::*;
    use crate::probe;
    use image::codecs::{bmp::BmpEncoder, gif::GifEncoder, webp::WebPEncoder};

    /// A chunk of a PNG with its check sum.
    fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
        let named = [&name[..], data].concat();
        let mut sum = u32::MAX;
        for byte in &named {
            sum ^= u32::from(*byte);
            for _ in 0..8 {
                sum = (sum >> 1) ^ (0xedb8_8320 * (sum & 1));
            }
        }
        let len = u32::try_from(data.len()).unwrap();
        [&len.to_be_bytes()[..], &named, &(!sum).to_be_bytes()].concat()
    }

    #[test]
    fn a_colour_profile_that_unpacks_to_a_thousand_times_its_size_is_not_unpacked() {
        let picture = sample(3, 2);
        let png = encode_png(&picture).unwrap();
        // Stored blocks of zlib: 8 MiB, more than the limit below allows for the whole picture.
        let mut packed = vec![0x78, 0x01];
        for _ in 0..128 {
            packed.extend([0, 0xff, 0xff, 0, 0]);
            packed.extend(std::iter::repeat_n(0, 0xffff));
        }
        packed.extend([1, 0, 0, 0xff, 0xff]);
        let profile = chunk(*b"iCCP", &[&b"name\0\0"[..], &packed].concat());
        let header = 8 + 25;
        let with = [&png[..header], &profile, &png[header..]].concat();
        let small = Limits {
            max_bytes: 1 << 20,
            ..Limits::default()
        };
        assert_eq!(decode_rgb(&with, &small).unwrap(), picture);
        assert_eq!(*without_profile(&with), *png);
        assert!(matches!(without_profile(&png), Cow::Borrowed(_)));
        // What is cut off or lies about its length is still refused, not read beyond.
        for len in 0..with.len().min(header + 40) {
            assert!(decode_rgb(&with[..len], &small).is_err());
        }
    }

    /// A picture without symmetry: no turn or mirror of it is itself.
    fn sample(width: u32, height: u32) -> Rgb {
        let data = (0..height)
            .flat_map(|y| (0..width).flat_map(move |x| [x * 20, y * 30, x * y + 7]))
            .map(|v| u8::try_from(v % 256).unwrap());
        Rgb {
            width,
            height,
            data: data.collect(),
        }
    }

    #[test]
    fn alpha_survives_a_round_trip_and_is_full_where_there_is_none() {
        let image = Rgba {
            width: 2,
            height: 1,
            data: vec![10, 20, 30, 0, 40, 50, 60, 200],
        };
        let limits = Limits::default();
        assert_eq!(
            decode_rgba(&encode_png_rgba(&image).unwrap(), &limits).unwrap(),
            image
        );
        let rgb = sample(3, 2);
        let read = decode_rgba(&encode_png(&rgb).unwrap(), &limits).unwrap();
        assert_eq!(read, Rgba::opaque(&rgb).unwrap());
    }

    fn encoded(format: Format, image: &Rgb) -> Vec<u8> {
        let mut out = Vec::new();
        let (data, w, h, kind) = (
            &image.data,
            image.width,
            image.height,
            ExtendedColorType::Rgb8,
        );
        match format {
            Format::Png => out = encode_png(image).unwrap(),
            Format::Jpeg => {
                let format = libjpeg_turbo_rs::PixelFormat::Rgb;
                out = libjpeg_turbo_rs::Encoder::new(data, w as usize, h as usize, format)
                    .quality(95)
                    .subsampling(libjpeg_turbo_rs::Subsampling::S444)
                    .encode()
                    .unwrap();
            }
            Format::WebP => WebPEncoder::new_lossless(&mut out)
                .write_image(data, w, h, kind)
                .unwrap(),
            Format::Gif => GifEncoder::new(&mut out).encode(data, w, h, kind).unwrap(),
            Format::Bmp => BmpEncoder::new(&mut out)
                .write_image(data, w, h, kind)
                .unwrap(),
        }
        out
    }

    const ALL: [Format; 5] = [
        Format::Png,
        Format::Jpeg,
        Format::WebP,
        Format::Gif,
        Format::Bmp,
    ];

    #[test]
    fn lossless_formats_come_back_exactly() {
        let image = sample(9, 7);
        for format in [Format::Png, Format::WebP, Format::Bmp, Format::Gif] {
            assert_eq!(
                decode_rgb(&encoded(format, &image), &Limits::default()).unwrap(),
                image,
                "{format:?}"
            );
        }
        let mut other = image.clone();
        if let Some(last) = other.data.last_mut() {
            *last ^= 1;
        }
        assert_ne!(
            decode_rgb(&encoded(Format::Png, &other), &Limits::default()).unwrap(),
            image
        );
    }

    #[test]
    fn alpha_is_dropped_and_the_colour_under_it_kept() {
        let mut png = Vec::new();
        let pixels = [200, 100, 50, 0, 1, 2, 3, 128];
        PngEncoder::new(&mut png)
            .write_image(&pixels, 2, 1, ExtendedColorType::Rgba8)
            .unwrap();
        assert_eq!(
            decode_rgb(&png, &Limits::default()).unwrap().data,
            [200, 100, 50, 1, 2, 3]
        );
    }

    #[test]
    fn grey_is_spread_and_deep_samples_keep_their_high_byte() {
        let samples: Vec<u8> = [0x12ff_u16, 0x3400, 0xffff]
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        let mut png = Vec::new();
        PngEncoder::new(&mut png)
            .write_image(&samples, 1, 1, ExtendedColorType::Rgb16)
            .unwrap();
        assert_eq!(
            decode_rgb(&png, &Limits::default()).unwrap().data,
            [0x12, 0x34, 0xff]
        );
        let mut grey = Vec::new();
        PngEncoder::new(&mut grey)
            .write_image(&samples, 3, 1, ExtendedColorType::L16)
            .unwrap();
        assert_eq!(
            decode_rgb(&grey, &Limits::default()).unwrap().data,
            [0x12, 0x12, 0x12, 0x34, 0x34, 0x34, 0xff, 0xff, 0xff]
        );
        let mut small = Vec::new();
        PngEncoder::new(&mut small)
            .write_image(&[7, 0], 1, 1, ExtendedColorType::La8)
            .unwrap();
        assert_eq!(
            decode_rgb(&small, &Limits::default()).unwrap().data,
            [7, 7, 7]
        );
    }

    /// The eight EXIF orientations of the 2 × 3 picture `a b / c d / e f`, read off the TIFF definition by hand.
    #[test]
    fn every_orientation_turns_as_its_definition_says() {
        let expected: [(u8, u32, &[u8; 6]); 8] = [
            (1, 2, b"abcdef"),
            (2, 2, b"badcfe"),
            (3, 2, b"fedcba"),
            (4, 2, b"efcdab"),
            (5, 3, b"acebdf"),
            (6, 3, b"ecafdb"),
            (7, 3, b"fdbeca"),
            (8, 3, b"bdface"),
        ];
        for (tag, width, letters) in expected {
            let image = Rgb {
                width: 2,
                height: 3,
                data: b"abcdef".iter().flat_map(|&v| [v; 3]).collect(),
            };
            let out = upright(image, Orientation::from_exif(tag).unwrap());
            assert_eq!(out.width, width, "orientation {tag}");
            assert_eq!(
                out.data.iter().copied().step_by(3).collect::<Vec<_>>(),
                letters,
                "orientation {tag}"
            );
        }
    }

    #[test]
    fn a_cut_file_is_an_error_in_every_format() {
        for format in ALL {
            let file = encoded(format, &sample(40, 30));
            let cut = file.get(..file.len() * 2 / 3).unwrap();
            assert!(decode_rgb(cut, &Limits::default()).is_err(), "{format:?}");
            assert!(decode_rgb(&file, &Limits::default()).is_ok(), "{format:?}");
        }
    }

    /// Every prefix and every single-byte change of a small file in every format: an answer or an error, never a panic.
    #[test]
    fn no_truncation_or_flipped_byte_panics() {
        let limits = Limits {
            max_pixels: 1 << 16,
            max_bytes: 1 << 20,
        };
        let mut state = 0x9e37_79b9_u32;
        for format in ALL {
            let file = encoded(format, &sample(9, 7));
            for len in 0..file.len() {
                let _ = decode_rgb(file.get(..len).unwrap(), &limits);
                let _ = probe(file.get(..len).unwrap(), file.len() as u64, &limits);
            }
            for at in 0..file.len() {
                for _ in 0..4 {
                    // xorshift32: the same changes in every run.
                    state ^= state << 13;
                    state ^= state >> 17;
                    state ^= state << 5;
                    let mut broken = file.clone();
                    *broken.get_mut(at).unwrap() ^= (state >> 24) as u8 | 1;
                    if let Ok(image) = decode_rgb(&broken, &limits) {
                        image.check().unwrap();
                        assert!(
                            u64::from(image.width) * u64::from(image.height) <= limits.max_pixels
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_png_of_a_picture_is_always_the_same() {
        let image = sample(50, 20);
        assert_eq!(encode_png(&image).unwrap(), encode_png(&image).unwrap());
        assert!(matches!(
            encode_png(&Rgb {
                width: 1,
                height: 1,
                data: vec![]
            }),
            Err(ImageError::BufferLength { .. })
        ));
    }
}
