//! Bitmaps of Windows as Pillow (13.0) reads them: `BmpImagePlugin.py`, whose layouts and borders these are.
//!
//! Five or six bits of a colour become eight as there, `x · 255 / 31` rounded down, where others round to the nearest.

use image::ColorType;

use crate::Format;
use crate::ImageError;
use crate::decoded::Decoded;

const RAW: u32 = 0;
const RLE8: u32 = 1;
const RLE4: u32 = 2;
const BITFIELDS: u32 = 3;

/// How a row of pixels is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Numbers of colours of 1, 4 or 8 bits.
    Numbers(u32),
    /// Blue in the lower bits, five for each colour, or six for green.
    Bits { green: u32 },
    /// Bytes for each pixel, and where red, green, blue and alpha are among them.
    Bytes { step: usize, places: [usize; 4] },
}

/// No byte of a pixel has this colour.
const NONE: usize = usize::MAX;

/// Layouts of 32 bits by their masks.
const MASKS: [([u32; 4], [usize; 4]); 8] = [
    ([0xff_0000, 0xff00, 0xff, 0], [2, 1, 0, NONE]),
    ([0xff00_0000, 0xff_0000, 0xff00, 0], [3, 2, 1, NONE]),
    ([0xff00_0000, 0xff00, 0xff, 0], [3, 1, 0, NONE]),
    ([0xff00_0000, 0xff_0000, 0xff00, 0xff], [3, 2, 1, 0]),
    ([0xff, 0xff00, 0xff_0000, 0xff00_0000], [0, 1, 2, 3]),
    ([0xff_0000, 0xff00, 0xff, 0xff00_0000], [2, 1, 0, 3]),
    ([0xff00_0000, 0xff00, 0xff, 0xff_0000], [3, 1, 0, 2]),
    ([0, 0, 0, 0], [2, 1, 0, 3]),
];

impl Layout {
    /// Bits of a pixel.
    fn bits(self) -> usize {
        match self {
            Self::Numbers(bits) => bits as usize,
            Self::Bits { .. } => 16,
            Self::Bytes { step, .. } => 8 * step,
        }
    }

    fn has_alpha(self) -> bool {
        matches!(self, Self::Bytes { places, .. } if places[3] != NONE)
    }
}

/// What stands before the pixels.
struct Header {
    width: usize,
    height: usize,
    is_from_top: bool,
    bits: u32,
    compression: u32,
    layout: Layout,
    colours: Vec<[u8; 3]>,
    /// Where the pixels begin.
    at: usize,
}

fn refused(detail: impl Into<String>) -> ImageError {
    ImageError::Data {
        format: Format::Bmp,
        detail: detail.into(),
    }
}

fn cut_off() -> ImageError {
    refused("it ends before its pixels do")
}

/// Decodes a bitmap, whose size was held against the limits.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let header = header(bytes)?;
    let rows = if matches!(header.compression, RLE8 | RLE4) {
        unpacked(&header, bytes)?
    } else {
        let stride = bytes_of(header.width, header.bits as usize, 31)? & !3;
        let packed = bytes.get(header.at..).ok_or_else(cut_off)?;
        rows(&header, header.layout, packed, stride)?
    };
    let colour = if header.layout.has_alpha() {
        ColorType::Rgba8
    } else {
        ColorType::Rgb8
    };
    let size = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    Ok(Decoded {
        width: size(header.width),
        height: size(header.height),
        colour,
        data: rows,
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u32, ImageError> {
    let field = bytes.get(at..).and_then(|rest| rest.first_chunk());
    field.map_or_else(
        || Err(cut_off()),
        |field| Ok(u16::from_le_bytes(*field).into()),
    )
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, ImageError> {
    let field = bytes.get(at..).and_then(|rest| rest.first_chunk());
    field.map_or_else(|| Err(cut_off()), |field| Ok(u32::from_le_bytes(*field)))
}

fn header(bytes: &[u8]) -> Result<Header, ImageError> {
    let size = u32_at(bytes, 14)? as usize;
    let mut end = 14 + size;
    if bytes.len() < end {
        return Err(cut_off());
    }
    let is_old = size == 12;
    if !is_old && !matches!(size, 40 | 52 | 56 | 64 | 108 | 124) {
        return Err(refused(format!(
            "a header of {size} bytes is none that is known"
        )));
    }
    let (width, height, bits) = if is_old {
        (u16_at(bytes, 18)?, u16_at(bytes, 20)?, u16_at(bytes, 24)?)
    } else {
        (u32_at(bytes, 18)?, u32_at(bytes, 22)?, u16_at(bytes, 28)?)
    };
    let is_from_top = !is_old && height >> 24 == 0xff;
    let height = if is_from_top {
        height.wrapping_neg()
    } else {
        height
    };
    if height == 0 || height > i32::MAX as u32 {
        return Err(refused(format!("a height of {height} is not read")));
    }
    let (compression, declared) = if is_old {
        (RAW, 0)
    } else {
        (u32_at(bytes, 30)?, u32_at(bytes, 46)?)
    };
    let masks = if compression == BITFIELDS {
        masks(bytes, size, &mut end)?
    } else {
        [0; 4]
    };
    let mut layout = layout(bits, compression, masks)?;
    let num_colours = if declared == 0 {
        1 << bits.min(16)
    } else {
        declared
    };
    let mut at = u32_at(bytes, 10)? as usize;
    let padding = if is_old { 3 } else { 4 };
    if at == 14 + size && bits <= 8 {
        at = at.saturating_add((num_colours as usize).saturating_mul(padding));
    }
    let mut colours = Vec::new();
    if bits <= 8 {
        (colours, layout) = palette(bytes, end, (num_colours as usize, padding), bits)?;
        end = (end + padding * num_colours as usize).min(bytes.len());
    }
    Ok(Header {
        width: width as usize,
        height: height as usize,
        is_from_top,
        bits,
        compression,
        layout,
        colours,
        at: if at == 0 { end } else { at },
    })
}

/// The masks of the colours; behind the shortest header they stand by themselves.
fn masks(bytes: &[u8], size: usize, end: &mut usize) -> Result<[u32; 4], ImageError> {
    let mask = |number: usize| u32_at(bytes, 54 + 4 * number);
    let alpha = if size >= 56 { mask(3)? } else { 0 };
    if size == 40 {
        *end += 12;
    }
    Ok([mask(0)?, mask(1)?, mask(2)?, alpha])
}

fn layout(bits: u32, compression: u32, masks: [u32; 4]) -> Result<Layout, ImageError> {
    let of_bytes = |step, places| Layout::Bytes { step, places };
    let unknown = || refused("its masks of colours are none that are known");
    match (compression, bits) {
        (RAW | RLE8 | RLE4, 1 | 4 | 8) => Ok(Layout::Numbers(bits)),
        (RAW, 16) => Ok(Layout::Bits { green: 5 }),
        (RAW, 24) => Ok(of_bytes(3, [2, 1, 0, NONE])),
        (RAW, 32) => Ok(of_bytes(4, [2, 1, 0, NONE])),
        (BITFIELDS, 16) => match masks[..3] {
            [0xf800, 0x7e0, 0x1f] => Ok(Layout::Bits { green: 6 }),
            [0x7c00, 0x3e0, 0x1f] => Ok(Layout::Bits { green: 5 }),
            _ => Err(unknown()),
        },
        (BITFIELDS, 24) if masks[..3] == [0xff_0000, 0xff00, 0xff] => {
            Ok(of_bytes(3, [2, 1, 0, NONE]))
        }
        (BITFIELDS, 32) => {
            let known = MASKS.iter().find(|(known, _)| *known == masks);
            known.map_or_else(|| Err(unknown()), |(_, places)| Ok(of_bytes(4, *places)))
        }
        (BITFIELDS, _) => Err(unknown()),
        (RAW | RLE8 | RLE4, _) => Err(refused(format!("{bits} bits for each pixel are not read"))),
        _ => Err(refused(format!("compression {compression} is not read"))),
    }
}

/// The colours, and how numbers of them are stored: Pillow takes a scale of greys for pixels of one bit or one byte.
fn palette(
    bytes: &[u8],
    at: usize,
    (count, padding): (usize, usize),
    bits: u32,
) -> Result<(Vec<[u8; 3]>, Layout), ImageError> {
    if !(1..=65_536).contains(&count) {
        return Err(refused(format!("a palette of {count} colours is not read")));
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let entries = &rest[..rest.len().min(count * padding)];
    let grey = |number: usize| {
        let value = if count == 2 { 255 * number } else { number };
        [value.to_le_bytes()[0]; 3]
    };
    let is_grey = (0..count).all(|number| {
        let entry = entries.get(number * padding..).unwrap_or_default();
        entry.first_chunk() == Some(&grey(number))
    });
    if is_grey {
        if count <= 2 {
            return Ok((vec![[0; 3], [255; 3]], Layout::Numbers(1)));
        }
        let scale = (0..=u8::MAX).map(|level| [level; 3]);
        return Ok((scale.collect(), Layout::Numbers(8)));
    }
    if entries.len() / padding > 256 {
        return Err(refused("a palette of more than 256 colours is not read"));
    }
    let colour = |entry: &[u8]| [entry[2], entry[1], entry[0]];
    let mut colours: Vec<[u8; 3]> = entries.chunks_exact(padding).map(colour).collect();
    colours.resize(256, [0; 3]);
    Ok((colours, Layout::Numbers(bits)))
}

/// Bytes of so many pixels, with so many bits added before the last ones are cut.
fn bytes_of(width: usize, bits: usize, more: usize) -> Result<usize, ImageError> {
    let bits = width
        .checked_mul(bits)
        .and_then(|bits| bits.checked_add(more));
    Ok(bits.ok_or_else(cut_off)? / 8)
}

/// Pixels of rows that lie one after another, from the top.
fn rows(
    header: &Header,
    layout: Layout,
    packed: &[u8],
    stride: usize,
) -> Result<Vec<u8>, ImageError> {
    let row_bytes = bytes_of(header.width, layout.bits(), 7)?;
    if row_bytes > stride {
        return Err(refused("its rows are shorter than its pixels need"));
    }
    let needed = (header.height - 1).checked_mul(stride);
    let needed = needed.and_then(|before| before.checked_add(row_bytes));
    let packed = needed.and_then(|needed| packed.get(..needed));
    let packed = packed.ok_or_else(cut_off)?;
    let step = if layout.has_alpha() { 4 } else { 3 };
    let mut data = Vec::with_capacity(header.width * header.height * step);
    for y in 0..header.height {
        let from = if header.is_from_top {
            y
        } else {
            header.height - 1 - y
        };
        let row = &packed[from * stride..][..row_bytes];
        match layout {
            Layout::Numbers(bits) => numbers(row, bits, header, &mut data),
            Layout::Bits { green } => {
                let (pairs, _) = row.as_chunks::<2>();
                data.extend(pairs.iter().flat_map(|pair| of_bits(*pair, green)));
            }
            Layout::Bytes { step, places } => {
                for pixel in row.chunks_exact(step) {
                    data.extend(places.iter().filter_map(|place| pixel.get(*place)));
                }
            }
        }
    }
    Ok(data)
}

fn numbers(row: &[u8], bits: u32, header: &Header, data: &mut Vec<u8>) {
    let each = 8 / bits;
    let mask = u8::MAX >> (8 - bits);
    let shifts = (1..=each).map(|place| 8 - place * bits);
    let all = row
        .iter()
        .flat_map(|byte| shifts.clone().map(move |shift| (byte >> shift) & mask));
    for number in all.take(header.width) {
        let colour = header.colours.get(usize::from(number));
        data.extend(colour.copied().unwrap_or_default());
    }
}

/// A pixel of 16 bits.
fn of_bits(pair: [u8; 2], green: u32) -> [u8; 3] {
    let pixel = u32::from(u16::from_le_bytes(pair));
    let part = |shift: u32, bits: u32| {
        let most = (1 << bits) - 1;
        (((pixel >> shift) & most) * 255 / most).to_le_bytes()[0]
    };
    [part(5 + green, 5), part(5, green), part(0, 5)]
}

/// Pixels of runs.
fn unpacked(header: &Header, bytes: &[u8]) -> Result<Vec<u8>, ImageError> {
    let (width, wanted) = (header.width, header.width * header.height);
    let half = |byte: u8, is_first: bool| if is_first { byte >> 4 } else { byte & 15 };
    let is_half = header.compression == RLE4;
    let mut pixels: Vec<u8> = Vec::with_capacity(wanted);
    let (mut at, mut x) = (header.at, 0);
    while pixels.len() < wanted {
        let Some(&[count, byte]) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else {
            break;
        };
        at += 2;
        match (count, byte) {
            (0, 0) => {
                pixels.resize(pixels.len().next_multiple_of(width), 0);
                x = 0;
            }
            (0, 1) => break,
            (0, 2) => {
                let Some(&[right, up]) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else {
                    break;
                };
                at += 2;
                let more = usize::from(right) + usize::from(up) * width;
                pixels.resize((pixels.len() + more).min(wanted), 0);
                x = pixels.len() % width;
            }
            (0, count) => {
                let taken = usize::from(count).min(wanted - pixels.len());
                let num_bytes = if is_half { taken.div_ceil(2) } else { taken };
                let rest = bytes.get(at..).unwrap_or_default();
                let some = &rest[..rest.len().min(num_bytes)];
                let end = pixels.len() + taken;
                if is_half {
                    pixels.extend(some.iter().flat_map(|byte| [byte >> 4, byte & 15]));
                } else {
                    pixels.extend(some);
                }
                pixels.truncate(end);
                if some.len() < num_bytes {
                    break;
                }
                x += usize::from(count);
                at += num_bytes;
                at += at % 2;
            }
            (count, byte) => {
                let count = usize::from(count).min(width.saturating_sub(x));
                let pixel = |place: usize| {
                    if is_half {
                        half(byte, place.is_multiple_of(2))
                    } else {
                        byte
                    }
                };
                pixels.extend((0..count).map(pixel));
                x += count;
            }
        }
    }
    if header.layout == Layout::Numbers(1) && header.colours.len() == 2 {
        return Err(refused("runs of black and white pixels are not read"));
    }
    rows(header, Layout::Numbers(8), &pixels, width)
}
