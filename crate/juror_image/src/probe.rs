//! Reads a picture's format and size from its first bytes, so that a hostile or broken file is refused before memory is spent on it.
//!
//! Sources: PNG (W3C, section 11.2.1), JPEG (ITU T.81, annex B), RIFF WebP container and VP8/VP8L headers (RFC 9649, RFC 6386),
//! `GIF89a`, and the Windows bitmap headers.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::ImageError;
use crate::gif;

/// What a picture may cost; both bounds are checked from the header alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most pixels (width times height); 0 refuses every picture.
    pub max_pixels: u64,
    /// Most bytes of the decoded pixels as the decoder stores them: up to 8 for a 16-bit PNG with alpha, 4 elsewhere.
    pub max_bytes: u64,
}

/// Pixels of a picture, unless the user allows more.
pub const MAX_PIXELS: u64 = 100_000_000;
/// Pixels of a picture that the user can allow.
pub const MAX_PIXELS_ALLOWED: u64 = 1_000_000_000;
/// Pixels for each byte of the file: so few bytes make work for a second at most.
pub const MAX_PIXELS_PER_BYTE: u64 = 10_000;
/// A smaller picture may have as few bytes as it likes.
const STEEP_FROM_PIXELS: u64 = 1 << 24;
/// Bytes of the decoded pixels, unless the user allows more pixels.
const MAX_BYTES: u64 = 1 << 30;

/// What the user allows.
static ALLOWED: AtomicU64 = AtomicU64::new(MAX_PIXELS);

/// Allows pictures of so many pixels from now on, at most [`MAX_PIXELS_ALLOWED`]: [`Limits::default`] has that number.
pub fn allow_pixels(max_pixels: u64) {
    ALLOWED.store(max_pixels.min(MAX_PIXELS_ALLOWED), Ordering::Relaxed);
}

impl Default for Limits {
    fn default() -> Self {
        let max_pixels = ALLOWED.load(Ordering::Relaxed);
        // No more than half of what a program can address, which is 4 GiB as Wasm.
        let most = (usize::MAX / 2) as u64;
        Self {
            max_pixels,
            max_bytes: (4 * max_pixels).clamp(MAX_BYTES, most.max(MAX_BYTES)),
        }
    }
}

/// A picture format, told by its first bytes and never by the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are the formats' own names")]
pub enum Format {
    Png,
    Jpeg,
    WebP,
    Gif,
    Bmp,
}

impl Format {
    /// The lower-case name used in reports: `png`, `jpeg`, `webp`, `gif`, `bmp`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::WebP => "webp",
            Self::Gif => "gif",
            Self::Bmp => "bmp",
        }
    }

    /// The media type: `image/png`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Gif => "image/gif",
            Self::Bmp => "image/bmp",
        }
    }

    /// The name as people write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
            Self::Gif => "GIF",
            Self::Bmp => "BMP",
        }
    }
}

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Format by the first bytes.
    pub format: Format,
    /// Width in pixels as stored, before any EXIF rotation.
    pub width: u32,
    /// Height in pixels as stored, before any EXIF rotation.
    pub height: u32,
}

/// Width and height of a file in pixels as its header says, before any EXIF rotation; `None` where it cannot be read.
pub fn stated_size(bytes: &[u8]) -> Option<[u32; 2]> {
    let found = probe(bytes, bytes.len() as u64, &Limits::default()).ok()?;
    Some([found.width, found.height])
}

/// The media type that a file's first bytes tell, whatever its name says; `None` for what is no picture.
///
/// ```
/// assert_eq!(juror_image::media_type(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
/// assert_eq!(juror_image::media_type(b"no picture"), None);
/// ```
pub fn media_type(head: &[u8]) -> Option<&'static str> {
    let format = sniff(head, head.len() as u64).ok()?;
    Some(format.media_type())
}

/// Reads format and size from the start of a file and holds them against the limits, without decoding anything.
///
/// `head` is the start of the file and `file_len` the length of the whole; 64 KiB are enough for all formats but a JPEG whose
/// metadata stands before its size: then [`ImageError::NeedMore`] names how much to read, and the call is repeated.
///
/// # Errors
/// [`ImageError::NotAPicture`] with what the bytes look like instead, [`ImageError::Truncated`], [`ImageError::NeedMore`],
/// [`ImageError::Header`], [`ImageError::NoArea`], [`ImageError::TooManyPixels`], [`ImageError::TooManyBytes`].
///
/// ```
/// use juror_image::{Limits, Rgb, encode_png, probe};
/// let png = encode_png(&Rgb::filled(3, 2, [0; 3])?)?;
/// let found = probe(&png[..33], png.len() as u64, &Limits::default())?;
/// assert_eq!((found.format.as_str(), found.width, found.height), ("png", 3, 2));
/// # Ok::<(), juror_image::ImageError>(())
/// ```
pub fn probe(head: &[u8], file_len: u64, limits: &Limits) -> Result<Probe, ImageError> {
    let format = sniff(head, file_len)?;
    let reader = Head {
        bytes: head,
        file_len: file_len.max(head.len() as u64),
        format,
    };
    let (width, height, pixel_bytes) = match format {
        Format::Png => png(reader)?,
        Format::Jpeg => jpeg(reader)?,
        Format::WebP => webp(reader)?,
        Format::Gif => {
            let first = gif::first(&|at| reader.byte(at))?;
            (first.width, first.height, 4)
        }
        Format::Bmp => bmp(reader)?,
    };
    check_limits(width, height, pixel_bytes, limits)?;
    Ok(Probe {
        format,
        width,
        height,
    })
}

/// Reads the header of a whole file that is to be decoded, and holds its pixels against its bytes as well.
pub(crate) fn probe_whole(bytes: &[u8], limits: &Limits) -> Result<Probe, ImageError> {
    let found = probe(bytes, bytes.len() as u64, limits)?;
    let Probe { width, height, .. } = found;
    let pixels = u64::from(width) * u64::from(height);
    if pixels > STEEP_FROM_PIXELS && pixels / MAX_PIXELS_PER_BYTE > bytes.len() as u64 {
        return Err(ImageError::TooFewBytes {
            width,
            height,
            found: bytes.len() as u64,
        });
    }
    Ok(found)
}

/// Holds a size against the limits.
pub(crate) fn check_limits(
    width: u32,
    height: u32,
    pixel_bytes: u64,
    limits: &Limits,
) -> Result<(), ImageError> {
    if width == 0 || height == 0 {
        return Err(ImageError::NoArea { width, height });
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.max_pixels {
        return Err(ImageError::TooManyPixels {
            width,
            height,
            pixels,
            limit: limits.max_pixels,
        });
    }
    let bytes = pixels.saturating_mul(pixel_bytes);
    if bytes > limits.max_bytes {
        return Err(ImageError::TooManyBytes {
            width,
            height,
            bytes,
            limit: limits.max_bytes,
        });
    }
    Ok(())
}

/// The start of a file with what its missing bytes mean.
#[derive(Clone, Copy)]
struct Head<'a> {
    bytes: &'a [u8],
    file_len: u64,
    format: Format,
}

/// JPEG segments are jumped over one by one; each request for more reads a whole block ahead.
const READ_AHEAD: u64 = 64 << 10;

impl Head<'_> {
    fn take<const N: usize>(&self, at: u64) -> Result<[u8; N], ImageError> {
        let end = at.saturating_add(N as u64);
        let slice = usize::try_from(at)
            .ok()
            .and_then(|start| self.bytes.get(start..start.checked_add(N)?));
        if let Some(found) = slice.and_then(|found| found.try_into().ok()) {
            return Ok(found);
        }
        if end > self.file_len {
            return Err(ImageError::Truncated {
                format: self.format,
                needed: end,
                found: self.file_len,
            });
        }
        Err(ImageError::NeedMore {
            bytes: end.saturating_add(READ_AHEAD).min(self.file_len),
        })
    }

    fn byte(&self, at: u64) -> Result<u8, ImageError> {
        self.take::<1>(at).map(|[byte]| byte)
    }

    fn le16(&self, at: u64) -> Result<u32, ImageError> {
        self.take(at)
            .map(|found| u32::from(u16::from_le_bytes(found)))
    }

    fn be16(&self, at: u64) -> Result<u32, ImageError> {
        self.take(at)
            .map(|found| u32::from(u16::from_be_bytes(found)))
    }

    fn le24(&self, at: u64) -> Result<u32, ImageError> {
        self.take(at)
            .map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }

    fn le32(&self, at: u64) -> Result<u32, ImageError> {
        self.take(at).map(u32::from_le_bytes)
    }

    fn be32(&self, at: u64) -> Result<u32, ImageError> {
        self.take(at).map(u32::from_be_bytes)
    }

    fn broken(&self, expected: &'static str, found: impl Into<String>) -> ImageError {
        ImageError::Header {
            format: self.format,
            expected,
            found: found.into(),
        }
    }
}

fn sniff(head: &[u8], file_len: u64) -> Result<Format, ImageError> {
    if file_len == 0 {
        return Err(ImageError::NotAPicture {
            looks_like: "an empty file",
            mend: "generate or copy it again",
        });
    }
    if head.is_empty() {
        return Err(ImageError::NeedMore {
            bytes: file_len.min(READ_AHEAD),
        });
    }
    let known: [(&[u8], Format); 5] = [
        (b"\x89PNG\r\n\x1a\n", Format::Png),
        (b"\xff\xd8\xff", Format::Jpeg),
        (b"GIF87a", Format::Gif),
        (b"GIF89a", Format::Gif),
        (b"BM", Format::Bmp),
    ];
    for (magic, format) in known {
        if head.starts_with(magic) {
            return Ok(format);
        }
        if magic.starts_with(head) {
            return Err(cut_magic(
                format,
                magic.len() as u64,
                file_len,
                head.len() as u64,
            ));
        }
    }
    if head.starts_with(b"RIFF") && (head.get(8..12) == Some(b"WEBP") || head.len() < 12) {
        return if head.len() < 12 {
            Err(cut_magic(Format::WebP, 12, file_len, head.len() as u64))
        } else {
            Ok(Format::WebP)
        };
    }
    Err(not_a_picture(head))
}

fn cut_magic(format: Format, needed: u64, file_len: u64, head_len: u64) -> ImageError {
    if head_len < file_len {
        return ImageError::NeedMore {
            bytes: file_len.min(READ_AHEAD),
        };
    }
    ImageError::Truncated {
        format,
        needed,
        found: file_len,
    }
}

/// Names the commonest things that end up under a picture's name.
fn not_a_picture(head: &[u8]) -> ImageError {
    const CONVERT: &str = "convert it to PNG";
    const REPLACE: &str = "put the picture itself in its place";
    const DOWNLOAD: &str = "a download probably saved an error page; download the picture again";
    let bare = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start();
    let start: Vec<u8> = bare.iter().take(512).map(u8::to_ascii_lowercase).collect();
    let has = |text: &[u8]| start.windows(text.len()).any(|part| part == text);
    let (looks_like, mend) = if start.is_empty() {
        ("only white space", REPLACE)
    } else if head.starts_with(b"%PDF") {
        ("a PDF document", CONVERT)
    } else if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        ("a ZIP archive", "unpack it")
    } else if head.starts_with(b"\x1f\x8b") {
        ("gzip-compressed data", "unpack it")
    } else if head.starts_with(b"II*\0") || head.starts_with(b"MM\0*") {
        ("a TIFF picture", CONVERT)
    } else if head.get(4..8) == Some(b"ftyp") {
        ("an AVIF, HEIC or video file", CONVERT)
    } else if head.starts_with(b"RIFF") {
        ("a RIFF file that is not WebP (sound or video)", REPLACE)
    } else if start.starts_with(b"version https://git-lfs") {
        ("a Git LFS pointer", "fetch the real file with git lfs pull")
    } else if has(b"<svg") {
        ("an SVG drawing", CONVERT)
    } else if has(b"<html") || has(b"<!doctype html") || has(b"<body") {
        ("an HTML page", DOWNLOAD)
    } else if start.starts_with(b"<?xml") {
        ("an XML document", DOWNLOAD)
    } else if start.starts_with(b"{") || start.starts_with(b"[") {
        ("JSON text", DOWNLOAD)
    } else if head.iter().take(512).all(|&byte| byte == 0) {
        (
            "only zero bytes",
            "the copy failed; copy or download it again",
        )
    } else if is_text(head) {
        ("plain text", REPLACE)
    } else {
        (
            "unknown binary data",
            "convert it to PNG, or download it again",
        )
    };
    ImageError::NotAPicture { looks_like, mend }
}

fn is_text(head: &[u8]) -> bool {
    let sample = head.get(..512).unwrap_or(head);
    let whole = match std::str::from_utf8(sample) {
        Ok(_) => true,
        // The sample may end within a character.
        Err(error) => error.error_len().is_none() && error.valid_up_to() > 0,
    };
    whole
        && sample
            .iter()
            .all(|&byte| byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c))
}

fn png(head: Head<'_>) -> Result<(u32, u32, u64), ImageError> {
    let kind: [u8; 4] = head.take(12)?;
    if &kind != b"IHDR" {
        return Err(head.broken(
            "the chunk IHDR",
            format!("{:?}", String::from_utf8_lossy(&kind)),
        ));
    }
    let [depth, colour] = head.take(24)?;
    // Palette pictures may carry transparency in a later chunk, so they count as four channels.
    let channels = match colour {
        0 => 2,
        2 | 3 | 4 | 6 => 4,
        other => return Err(head.broken("a colour type of 0, 2, 3, 4 or 6", other.to_string())),
    };
    // Four bytes of checksum close the header.
    let _whole: [u8; 4] = head.take(29)?;
    Ok((
        head.be32(16)?,
        head.be32(20)?,
        if depth == 16 { 2 * channels } else { channels },
    ))
}

/// Walks the marker segments up to the frame header (T.81, figure B.3).
fn jpeg(head: Head<'_>) -> Result<(u32, u32, u64), ImageError> {
    let mut at = 2;
    loop {
        // Stray bytes before a marker are skipped, as libjpeg does with a warning.
        if head.byte(at)? != 0xff {
            at += 1;
            continue;
        }
        at += 1;
        let marker = head.byte(at)?;
        match marker {
            // Any number of fill bytes may stand before a marker.
            0xff => {}
            // SOF0–15 without DHT, JPG and DAC.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Ok((head.be16(at + 6)?, head.be16(at + 4)?, 4));
            }
            0xd9 | 0xda => return Err(head.broken("a frame header before the pixels", "none")),
            // TEM, the restart markers and an escaped byte carry no length.
            0x00 | 0x01 | 0xd0..=0xd7 => at += 1,
            _ => {
                let len = head.be16(at + 1)?;
                if len < 2 {
                    return Err(head.broken("segments of at least 2 bytes", len.to_string()));
                }
                at += 1 + u64::from(len);
            }
        }
    }
}

fn webp(head: Head<'_>) -> Result<(u32, u32, u64), ImageError> {
    let kind: [u8; 4] = head.take(12)?;
    match &kind {
        // RFC 6386, 9.1: frame tag, start code, two 14-bit sides.
        b"VP8 " => {
            let start: [u8; 3] = head.take(23)?;
            if start != [0x9d, 0x01, 0x2a] {
                return Err(head.broken("the VP8 start code 9d 01 2a", format!("{start:02x?}")));
            }
            Ok((head.le16(26)? & 0x3fff, head.le16(28)? & 0x3fff, 4))
        }
        b"VP8L" => {
            let signature = head.byte(20)?;
            if signature != 0x2f {
                return Err(head.broken("the VP8L signature 0x2f", format!("{signature:#04x}")));
            }
            let bits = head.le32(21)?;
            Ok(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1, 4))
        }
        b"VP8X" => Ok((head.le24(24)? + 1, head.le24(27)? + 1, 4)),
        other => Err(head.broken(
            "the chunk VP8, VP8L or VP8X",
            format!("{:?}", String::from_utf8_lossy(other)),
        )),
    }
}

fn bmp(head: Head<'_>) -> Result<(u32, u32, u64), ImageError> {
    match head.le32(14)? {
        12 => Ok((head.le16(18)?, head.le16(20)?, 4)),
        40..=124 => {
            let width = head.le32(18)?;
            if width > i32::MAX as u32 {
                return Err(head.broken("a positive width", width.cast_signed().to_string()));
            }
            // A negative height means rows from the top.
            Ok((width, head.le32(22)?.cast_signed().unsigned_abs(), 4))
        }
        // "BM" is also an ordinary beginning of a text.
        other if is_text(head.bytes) => Err(head.broken(
            "an information header of 12 or 40 to 124 bytes",
            format!("text (read as {other})"),
        )),
        other => Err(head.broken(
            "an information header of 12 or 40 to 124 bytes",
            other.to_string(),
        )),
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot build its input should stop"
)]
mod tests {
    use super::*;

    fn ihdr(width: u32, height: u32, depth: u8, colour: u8) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        file.extend(width.to_be_bytes());
        file.extend(height.to_be_bytes());
        file.extend([depth, colour, 0, 0, 0, 1, 2, 3, 4]);
        file
    }

    fn whole(file: &[u8]) -> Result<Probe, ImageError> {
        probe(file, file.len() as u64, &Limits::default())
    }

    fn size(file: &[u8]) -> Result<(Format, u32, u32), ImageError> {
        whole(file).map(|found| (found.format, found.width, found.height))
    }

    #[test]
    fn sizes_are_read_from_hand_made_headers() {
        assert_eq!(size(&ihdr(640, 480, 8, 2)), Ok((Format::Png, 640, 480)));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\x01\x02\x03\x04\x03";
        assert_eq!(size(jpeg), Ok((Format::Jpeg, 0x304, 0x102)));
        assert_eq!(
            size(b"GIF89a\x02\x01\x04\x03\0\0\0,\0\0\0\0\x01\0\x01\0\0"),
            Ok((Format::Gif, 0x102, 0x304))
        );
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x10\x40\x20\x80";
        assert_eq!(size(lossy), Ok((Format::WebP, 16, 32)));
        // 14 bits of width − 1, then 14 of height − 1: 2 + 63 · 2^14.
        let lossless = [
            b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f".as_slice(),
            &(2_u32 | (63 << 14)).to_le_bytes(),
        ]
        .concat();
        assert_eq!(size(&lossless), Ok((Format::WebP, 3, 64)));
        let extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x09\0\0\x13\0\0";
        assert_eq!(size(extended), Ok((Format::WebP, 10, 20)));
        let bmp = [
            b"BM".as_slice(),
            &[0; 12],
            &40_u32.to_le_bytes(),
            &7_i32.to_le_bytes(),
            &(-5_i32).to_le_bytes(),
        ]
        .concat();
        assert_eq!(size(&bmp), Ok((Format::Bmp, 7, 5)));
        let old_bmp = [
            b"BM".as_slice(),
            &[0; 12],
            &12_u32.to_le_bytes(),
            &[8, 0, 9, 0],
        ]
        .concat();
        assert_eq!(size(&old_bmp), Ok((Format::Bmp, 8, 9)));
    }

    #[test]
    fn a_giant_header_is_refused_and_the_limit_itself_is_allowed() {
        let error = whole(&ihdr(20_000, 20_000, 8, 6)).unwrap_err();
        assert!(
            error.to_string().starts_with(
                "20000 × 20000 pixels are 400,000,000, above the limit of 100,000,000;"
            ),
            "{error}"
        );
        assert_eq!(
            size(&ihdr(10_000, 10_000, 8, 6)),
            Ok((Format::Png, 10_000, 10_000))
        );
        assert!(matches!(
            whole(&ihdr(10_000, 10_001, 8, 6)),
            Err(ImageError::TooManyPixels { .. })
        ));
        assert!(matches!(
            whole(&ihdr(u32::MAX, u32::MAX, 16, 6)),
            Err(ImageError::TooManyPixels { .. })
        ));
    }

    #[test]
    fn sixteen_bits_cost_twice_the_bytes() {
        let limits = Limits {
            max_pixels: 100,
            max_bytes: 400,
        };
        let with = |depth| {
            let file = ihdr(10, 10, depth, 6);
            probe(&file, file.len() as u64, &limits)
        };
        assert!(with(8).is_ok());
        assert_eq!(
            with(16),
            Err(ImageError::TooManyBytes {
                width: 10,
                height: 10,
                bytes: 800,
                limit: 400
            })
        );
    }

    #[test]
    fn other_files_are_called_by_their_name() {
        let looks: [(&[u8], &str); 16] = [
            (b"", "an empty file"),
            (b"  \n", "only white space"),
            (b"\xef\xbb\xbf \n<!DOCTYPE html><p>404", "an HTML page"),
            (b"<?xml version='1.0'?><svg/>", "an SVG drawing"),
            (b"<?xml version='1.0'?><Error>", "an XML document"),
            (b"%PDF-1.7", "a PDF document"),
            (b"PK\x03\x04\x14", "a ZIP archive"),
            (b"\x1f\x8b\x08", "gzip-compressed data"),
            (b"II*\0\x08", "a TIFF picture"),
            (b"\0\0\0\x20ftypavif", "an AVIF, HEIC or video file"),
            (
                b"RIFF\x04\0\0\0WAVEfmt ",
                "a RIFF file that is not WebP (sound or video)",
            ),
            (
                b"version https://git-lfs.github.com/spec/v1",
                "a Git LFS pointer",
            ),
            (b"{\"error\": 1}", "JSON text"),
            (b"\0\0\0\0\0", "only zero bytes"),
            ("größer".as_bytes(), "plain text"),
            (b"\x07\x00\xff\xfe\x80", "unknown binary data"),
        ];
        for (bytes, expected) in looks {
            let error = whole(bytes).unwrap_err();
            assert!(
                matches!(error, ImageError::NotAPicture { looks_like, .. } if looks_like == expected),
                "{expected}: {error}"
            );
        }
    }

    #[test]
    fn a_cut_header_is_truncated_and_a_short_head_asks_for_more() {
        let file = ihdr(4, 4, 8, 2);
        for len in 1..file.len() {
            let head = file.get(..len).unwrap_or_default();
            assert!(
                matches!(
                    probe(head, len as u64, &Limits::default()),
                    Err(ImageError::Truncated { .. })
                ),
                "{len}"
            );
            let more = probe(head, file.len() as u64, &Limits::default());
            assert_eq!(
                more,
                Err(ImageError::NeedMore {
                    bytes: file.len() as u64
                }),
                "{len}"
            );
        }
    }

    #[test]
    fn a_jpeg_with_much_metadata_asks_until_it_has_its_frame_header() {
        let mut file = vec![0xff, 0xd8];
        for _ in 0..4 {
            file.extend([0xff, 0xe2, 0xff, 0xff]);
            file.extend(vec![0; 65_533]);
        }
        file.extend(b"\xff\xc0\0\x11\x08\0\x10\0\x20\x03");
        let (mut len, mut reads) = (65_536, 0);
        let found = loop {
            reads += 1;
            match probe(
                file.get(..len).unwrap_or_default(),
                file.len() as u64,
                &Limits::default(),
            ) {
                Err(ImageError::NeedMore { bytes }) => {
                    assert!(bytes > len as u64, "every request goes further");
                    len = usize::try_from(bytes).unwrap_or(usize::MAX);
                }
                other => break other,
            }
        };
        assert_eq!(found.map(|found| (found.width, found.height)), Ok((32, 16)));
        assert!(reads <= 5, "{reads} reads");
    }

    #[test]
    fn contradictions_in_a_header_are_told_apart() {
        assert!(matches!(
            whole(&ihdr(0, 4, 8, 2)),
            Err(ImageError::NoArea {
                width: 0,
                height: 4
            })
        ));
        assert!(matches!(
            whole(&ihdr(4, 4, 8, 5)),
            Err(ImageError::Header {
                format: Format::Png,
                ..
            })
        ));
        assert!(matches!(
            whole(b"\xff\xd8\xff\xda\0\x02"),
            Err(ImageError::Header {
                format: Format::Jpeg,
                ..
            })
        ));
        assert!(matches!(
            whole(b"BMW makes cars, not pictures"),
            Err(ImageError::Header {
                format: Format::Bmp,
                ..
            })
        ));
    }
}
