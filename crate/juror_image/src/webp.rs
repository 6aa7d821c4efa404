//! The first frame of a moving WebP as Pillow (11.2) reads it: on a canvas that is empty, whatever colour the file names for it.
//!
//! Source: the container of RFC 9649, and libwebp's `anim_decode.c`, which leaves the colour of the background aside and takes
//! the pixels of a first frame as they are, also those that are transparent.

use image::ColorType;

use crate::Format;
use crate::ImageError;
use crate::decoded::Decoded;

const HEADER: usize = 12;
const MOVES: u8 = 2;
const HAS_ALPHA: u8 = 16;

/// A frame of a moving picture.
pub(crate) struct Frame {
    /// The frame as a file of its own.
    pub(crate) file: Vec<u8>,
    canvas: (u32, u32),
    has_alpha: bool,
    left: u32,
    top: u32,
    size: (u32, u32),
}

/// Name, data and end of the chunk at a byte; `None` where none is whole.
fn chunk(bytes: &[u8], at: usize) -> Option<(&[u8; 4], &[u8], usize)> {
    let name = bytes.get(at..)?.first_chunk()?;
    let length = u32::from_le_bytes(*bytes.get(at + 4..)?.first_chunk()?);
    let length = usize::try_from(length).ok()?;
    let end = (at + 8).checked_add(length)?;
    Some((name, bytes.get(at + 8..end)?, end + length % 2))
}

fn u24(bytes: &[u8], at: usize) -> Option<u32> {
    let [a, b, c] = *bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes([a, b, c, 0]))
}

fn damaged() -> ImageError {
    ImageError::Data {
        format: Format::WebP,
        detail: "its first frame is missing or damaged".to_owned(),
    }
}

/// The first frame of a moving picture; `None` for one that stands still.
///
/// # Errors
/// It says that it moves, and has no whole frame.
pub(crate) fn first_frame(bytes: &[u8]) -> Result<Option<Frame>, ImageError> {
    let Some((b"VP8X", head, mut at)) = chunk(bytes, HEADER) else {
        return Ok(None);
    };
    let Some(&flags) = head.first().filter(|flags| *flags & MOVES != 0) else {
        return Ok(None);
    };
    let frame = loop {
        let (name, data, end) = chunk(bytes, at).ok_or_else(damaged)?;
        if name == b"ANMF" {
            break data;
        }
        at = end;
    };
    frame_of(head, flags, frame).ok_or_else(damaged).map(Some)
}

fn frame_of(head: &[u8], flags: u8, frame: &[u8]) -> Option<Frame> {
    let canvas = (u24(head, 4)? + 1, u24(head, 7)? + 1);
    let (left, top) = (2 * u24(frame, 0)?, 2 * u24(frame, 3)?);
    let size = (u24(frame, 6)? + 1, u24(frame, 9)? + 1);
    (left + size.0 <= canvas.0 && top + size.1 <= canvas.1).then_some(())?;
    let mut parts: Vec<u8> = Vec::new();
    let (mut at, mut own_flags) = (16, 0);
    while let Some((name, _, end)) = chunk(frame, at) {
        if matches!(name, b"ALPH" | b"VP8 " | b"VP8L") {
            parts.extend(frame.get(at..end.min(frame.len()))?);
            if name == b"ALPH" {
                own_flags = HAS_ALPHA;
            }
        }
        at = end;
    }
    let mut file = b"RIFF\0\0\0\0WEBP".to_vec();
    if own_flags != 0 {
        file.extend(b"VP8X\x0a\0\0\0");
        file.extend([own_flags, 0, 0, 0]);
        file.extend(&frame[6..12]);
    }
    file.extend(parts);
    if !file.len().is_multiple_of(2) {
        file.push(0);
    }
    let length = u32::try_from(file.len() - 8).ok()?;
    file[4..8].copy_from_slice(&length.to_le_bytes());
    Some(Frame {
        file,
        canvas,
        has_alpha: flags & HAS_ALPHA != 0,
        left,
        top,
        size,
    })
}

impl Frame {
    /// The whole picture, by the pixels of the frame; without alpha they are opaque.
    ///
    /// # Errors
    /// The frame has another size than it is said to have.
    pub(crate) fn on_canvas(
        &self,
        size: (u32, u32),
        rgb: &[u8],
        alpha: &[u8],
    ) -> Result<Decoded, ImageError> {
        if size != self.size {
            return Err(damaged());
        }
        let (width, height) = self.canvas;
        let step = if self.has_alpha { 4 } else { 3 };
        let mut data = vec![0; width as usize * height as usize * step];
        let row_bytes = size.0 as usize * 3;
        let rows = (self.top as usize..).zip(rgb.chunks_exact(row_bytes));
        for (number, (y, row)) in rows.enumerate() {
            let from = (y * width as usize + self.left as usize) * step;
            let places = data[from..].chunks_exact_mut(step);
            for (x, (place, pixel)) in places.zip(row.chunks_exact(3)).enumerate() {
                place[..3].copy_from_slice(pixel);
                if let [_, _, _, place] = place {
                    let at = number * size.0 as usize + x;
                    *place = alpha.get(at).copied().unwrap_or(255);
                }
            }
        }
        let colour = if self.has_alpha {
            ColorType::Rgba8
        } else {
            ColorType::Rgb8
        };
        Ok(Decoded {
            width,
            height,
            colour,
            data,
        })
    }
}
