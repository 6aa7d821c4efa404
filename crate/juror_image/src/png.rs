//! Where Pillow reads a PNG and other decoders do not, and the other way round.
//!
//! Pillow (11.2) checks the checksum of every chunk before the pixels, and none of the chunks with pixels, but that of the
//! stream in them (Adler-32); a file may end behind them without its last chunk, and the stream behind some of the rows.

use std::io::{Cursor, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use image::ColorType;
use image::metadata::Orientation;
use png::{BitDepth, DecodeOptions, Decoder, DecodingError, Transformations};

use crate::decoded::Decoded;

const SIGNATURE_BYTES: usize = 8;
/// Length, name and checksum of a chunk.
const AROUND: usize = 12;

/// A chunk of a file.
struct Chunk<'a> {
    name: &'a [u8],
    /// Name and data, which the checksum is of.
    checked: &'a [u8],
    checksum: u32,
    /// The byte behind it.
    end: usize,
}

impl Chunk<'_> {
    fn is_sound(&self) -> bool {
        crc32fast::hash(self.checked) == self.checksum
    }
}

/// The chunk at a byte; `None` where none is whole.
fn chunk(bytes: &[u8], at: usize) -> Option<Chunk<'_>> {
    let len = u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?);
    let len = usize::try_from(len).ok()?;
    let end = at.checked_add(len)?.checked_add(AROUND)?;
    let checked = bytes.get(at + 4..end.checked_sub(4)?)?;
    let checksum = bytes.get(end - 4..)?.first_chunk()?;
    Some(Chunk {
        name: checked.get(..4)?,
        checked,
        checksum: u32::from_be_bytes(*checksum),
        end,
    })
}

/// Decodes a file; the `image` crate's own decoder leaves the checksum of the stream aside.
///
/// # Errors
/// It does not decode, or takes more than so many bytes, in the decoder's words.
pub(crate) fn decode(bytes: &[u8], most: u64) -> Result<(Decoded, Orientation), String> {
    let failed = |error: DecodingError| error.to_string();
    let mut options = DecodeOptions::default();
    options.set_ignore_adler32(false);
    options.set_ignore_text_chunk(true);
    let mut decoder = Decoder::new_with_options(Cursor::new(bytes), options);
    decoder.set_limits(png::Limits {
        bytes: usize::try_from(most).unwrap_or(usize::MAX),
    });
    decoder.set_transformations(transformations(bytes));
    let mut reader = decoder.read_info().map_err(failed)?;
    let (colour, depth) = reader.output_color_type();
    let is_deep = depth == BitDepth::Sixteen;
    let colour = match (colour, is_deep) {
        (png::ColorType::Grayscale, false) => ColorType::L8,
        (png::ColorType::GrayscaleAlpha, false) => ColorType::La8,
        (png::ColorType::Rgb, false) => ColorType::Rgb8,
        (png::ColorType::Rgba, false) => ColorType::Rgba8,
        (png::ColorType::Grayscale, true) => ColorType::L16,
        (png::ColorType::GrayscaleAlpha, true) => ColorType::La16,
        (png::ColorType::Rgb, true) => ColorType::Rgb16,
        (png::ColorType::Rgba, true) => ColorType::Rgba16,
        (png::ColorType::Indexed, _) => return Err("its palette was not expanded".to_owned()),
    };
    let info = reader.info();
    let (width, height) = (info.width, info.height);
    let exif = info.exif_metadata.as_deref();
    let orientation = exif
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms);
    let is_scaled_grey = matches!(info.bit_depth, BitDepth::Two | BitDepth::Four)
        && info.color_type == png::ColorType::Grayscale;
    let clear = match info.trns.as_deref() {
        Some(&[level]) if is_scaled_grey => Some(level),
        _ => None,
    };
    let length = reader.output_buffer_size();
    let mut data = vec![0; length.ok_or("its pixels need too much memory")?];
    reader.next_frame(&mut data).map_err(failed)?;
    if is_deep {
        // Stored with the high byte first, and handed on as the machine has them.
        for pair in data.as_chunks_mut::<2>().0 {
            *pair = u16::from_be_bytes(*pair).to_ne_bytes();
        }
    }
    if let (Some(clear), ColorType::La8) = (clear, colour) {
        // Pillow spreads two and four bits to eight, and seeks the clear level, which stays as it is, among those.
        for [level, alpha] in data.as_chunks_mut::<2>().0 {
            *alpha = if *level == clear { 0 } else { 255 };
        }
    }
    let decoded = Decoded {
        width,
        height,
        colour,
        data,
    };
    Ok((decoded, orientation))
}

/// Palettes and few bits are expanded, and a clear colour becomes alpha; but neither Pillow nor `OpenCV` heeds the clear level
/// of 16-bit grey.
fn transformations(bytes: &[u8]) -> Transformations {
    let is_deep_grey = chunk(bytes, SIGNATURE_BYTES)
        .is_some_and(|header| header.checked.get(12..14) == Some(&[16, 0]));
    if is_deep_grey {
        Transformations::IDENTITY
    } else {
        Transformations::EXPAND
    }
}

/// What is wrong with a chunk before the pixels: a wrong checksum, at which Pillow does not take the file for a picture.
pub(crate) fn wrong_before_pixels(bytes: &[u8]) -> Option<String> {
    let mut at = SIGNATURE_BYTES;
    while let Some(found) = chunk(bytes, at).filter(|found| found.name != b"IDAT") {
        if !found.is_sound() {
            let name = String::from_utf8_lossy(found.name).into_owned();
            return Some(format!("the checksum of its chunk {name} is wrong"));
        }
        at = found.end;
    }
    None
}

/// A file with right checksums of its pixels and with its last chunk, as Pillow minds neither; `None` where both are right.
pub(crate) fn as_pillow_reads(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut mended: Option<Vec<u8>> = None;
    let (mut at, mut has_pixels) = (SIGNATURE_BYTES, false);
    while let Some(found) = chunk(bytes, at) {
        if found.name == b"IEND" {
            return mended;
        }
        if found.name == b"IDAT" {
            has_pixels = true;
            if !found.is_sound() {
                let mended = mended.get_or_insert_with(|| bytes.to_vec());
                let checksum = crc32fast::hash(found.checked).to_be_bytes();
                mended[found.end - 4..found.end].copy_from_slice(&checksum);
            }
        }
        at = found.end;
    }
    let mut mended = mended.unwrap_or_else(|| bytes.to_vec());
    mended.truncate(at);
    // A chunk that the file breaks off in: if its pixels are all there, only checksums lack.
    if let Some(rest) = bytes
        .get(at..)
        .filter(|rest| rest.get(4..8) == Some(b"IDAT"))
    {
        let declared = u32::from_be_bytes(*rest.first_chunk()?);
        let data = rest.get(8..).unwrap_or_default();
        let len = data.len().min(usize::try_from(declared).ok()?);
        has_pixels = true;
        push_chunk(&mut mended, *b"IDAT", &data[..len])?;
    }
    if !has_pixels {
        return None;
    }
    push_chunk(&mut mended, *b"IEND", &[])?;
    Some(mended)
}

/// A file whose stream ends, as it should, behind some of the rows: Pillow takes the others for zeros; `None` for any other.
pub(crate) fn with_all_rows(bytes: &[u8]) -> Option<Vec<u8>> {
    let header = chunk(bytes, SIGNATURE_BYTES)?;
    let side = |at: usize| {
        let side = u32::from_be_bytes(*header.checked.get(at..)?.first_chunk()?);
        usize::try_from(side).ok()
    };
    let (width, height) = (side(4)?, side(8)?);
    let &[bits, colour, _, _, 0] = header.checked.get(12..17)? else {
        return None;
    };
    let samples = match colour {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let row = width.checked_mul(samples * usize::from(bits))?.div_ceil(8) + 1;
    let whole = row.checked_mul(height)?;
    let (mut before, mut packed) = (None, Vec::new());
    let mut at = header.end;
    while let Some(found) = chunk(bytes, at) {
        if found.name == b"IDAT" {
            before.get_or_insert(at);
            packed.extend(&found.checked[4..]);
        }
        at = found.end;
    }
    let mut rows = Vec::new();
    let mut stream = ZlibDecoder::new(packed.as_slice()).take(u64::try_from(whole).ok()?);
    stream.read_to_end(&mut rows).ok()?;
    if rows.is_empty() || rows.len() == whole || rows.len() % row > 0 {
        return None;
    }
    rows.resize(whole, 0);
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&rows).ok()?;
    let mut mended = bytes.get(..before?)?.to_vec();
    push_chunk(&mut mended, *b"IDAT", &encoder.finish().ok()?)?;
    push_chunk(&mut mended, *b"IEND", &[])?;
    Some(mended)
}

/// Writes a chunk with its length and its checksum; `None` where it is too long for one.
fn push_chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) -> Option<()> {
    file.extend(u32::try_from(data.len()).ok()?.to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let checksum = crc32fast::hash(&file[start..]);
    file.extend(checksum.to_be_bytes());
    Some(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::{Limits, Rgb, check, decode_rgb, encode_png};

    /// A picture with a text before its pixels, and where its chunks begin by name.
    fn sample() -> (Vec<u8>, Rgb, impl Fn(&[u8]) -> usize) {
        let data = (0..48_u8).map(|byte| byte.wrapping_mul(37)).collect();
        let image = Rgb {
            width: 4,
            height: 4,
            data,
        };
        let png = encode_png(&image).unwrap();
        let header_end = SIGNATURE_BYTES + AROUND + 13;
        let text = b"tEXtComment\0made";
        let mut bytes = png[..header_end].to_vec();
        bytes.extend(u32::try_from(text.len() - 4).unwrap().to_be_bytes());
        bytes.extend(text);
        bytes.extend(crc32fast::hash(text).to_be_bytes());
        bytes.extend(&png[header_end..]);
        let copy = bytes.clone();
        let place = move |name: &[u8]| {
            let mut at = SIGNATURE_BYTES;
            loop {
                let found = chunk(&copy, at).unwrap();
                if found.name == name {
                    return found.end;
                }
                at = found.end;
            }
        };
        (bytes, image, place)
    }

    fn read(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let limits = Limits::default();
        let decoded = decode_rgb(bytes, &limits).map_err(|error| error.message());
        assert_eq!(check(bytes, &limits).is_ok(), decoded.is_ok());
        decoded.map(|image| image.data)
    }

    #[test]
    fn pixels_count_whatever_their_checksum_says_and_without_a_last_chunk() {
        let (bytes, image, behind) = sample();
        assert_eq!(read(&bytes), Ok(image.data.clone()));
        let mut wrong = bytes.clone();
        wrong[behind(b"IDAT") - 1] ^= 0xff;
        assert_eq!(read(&wrong), Ok(image.data.clone()));
        assert_eq!(read(&bytes[..behind(b"IDAT")]), Ok(image.data.clone()));
        assert_eq!(read(&bytes[..behind(b"IDAT") + 5]), Ok(image.data.clone()));
        // Within the checksum of the pixels' own stream, which is the last of it.
        assert_eq!(read(&bytes[..behind(b"IDAT") - 5]), Ok(image.data));
    }

    #[test]
    fn a_wrong_checksum_before_the_pixels_and_missing_pixels_are_refused() {
        let (bytes, _, behind) = sample();
        for name in [b"IHDR", b"tEXt"] {
            let mut wrong = bytes.clone();
            wrong[behind(name) - 1] ^= 0xff;
            assert!(read(&wrong).is_err());
        }
        for cut in [behind(b"IDAT") - 16, behind(b"tEXt"), behind(b"IHDR")] {
            assert!(read(&bytes[..cut]).is_err(), "{cut}");
        }
    }
}
