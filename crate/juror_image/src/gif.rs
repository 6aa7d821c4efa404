//! The first frame of a GIF as Pillow (11.2) reads it.
//!
//! Sources: the GIF89a specification; Pillow's `GifImagePlugin.py` and `GifDecode.c`, whose order and borders these are. The
//! picture is as large as the screen, and as a frame that goes beyond it; what the frame leaves open has the transparent
//! colour, or the first one where there is none.

use image::ColorType;

use crate::Format;
use crate::ImageError;
use crate::decoded::Decoded;

/// Symbols of LZW have at most twelve bits.
const MAX_BITS: u32 = 12;
const TABLE: usize = 1 << MAX_BITS;

/// Where a part of the file lies.
#[derive(Clone, Copy, Debug)]
struct Span {
    at: u64,
    length: u64,
}

/// What stands before the pixels of the first frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First {
    /// Width of the picture.
    pub(crate) width: u32,
    /// Height of the picture.
    pub(crate) height: u32,
    left: u32,
    top: u32,
    frame_width: u32,
    frame_height: u32,
    is_interlaced: bool,
    global: Option<Span>,
    local: Option<Span>,
    transparent: Option<u8>,
    /// Bits of a pixel, behind which the packed ones begin.
    bits_at: u64,
}

/// Reads up to the first frame; `byte` gives a byte of the file, or why there is none.
pub(crate) fn first(byte: &impl Fn(u64) -> Result<u8, ImageError>) -> Result<First, ImageError> {
    let short = |at: u64| Ok(u32::from(u16::from_le_bytes([byte(at)?, byte(at + 1)?])));
    let flags = byte(10)?;
    let palette = |flags: u8, at: u64| {
        (flags & 0x80 != 0).then(|| Span {
            at,
            length: 3 << ((flags & 7) + 1),
        })
    };
    let global = palette(flags, 13);
    let mut at = 13 + global.map_or(0, |span| span.length);
    let mut transparent = None;
    loop {
        match byte(at)? {
            b'!' => at = extension(byte, at, &mut transparent)?,
            b',' => break,
            b';' => return Err(no_picture("there is no picture before its end")),
            // What nobody knows is passed over, as Pillow does.
            _ => at += 1,
        }
    }
    let (left, top) = (short(at + 1)?, short(at + 3)?);
    let (frame_width, frame_height) = (short(at + 5)?, short(at + 7)?);
    let flags = byte(at + 9)?;
    let local = palette(flags, at + 10);
    Ok(First {
        width: short(6)?.max(left + frame_width),
        height: short(8)?.max(top + frame_height),
        left,
        top,
        frame_width,
        frame_height,
        is_interlaced: flags & 0x40 != 0,
        global,
        local,
        transparent,
        bits_at: at + 10 + local.map_or(0, |span| span.length),
    })
}

/// Passes over an extension; one that says so gives the transparent colour.
fn extension(
    byte: &impl Fn(u64) -> Result<u8, ImageError>,
    start: u64,
    transparent: &mut Option<u8>,
) -> Result<u64, ImageError> {
    let (label, length) = (byte(start + 1)?, byte(start + 2)?);
    if label == 0xf9 && length > 0 {
        let flags = byte(start + 3)?;
        if length < 4 {
            return Err(no_picture("an extension before its pixels is too short"));
        }
        if flags & 1 != 0 {
            *transparent = Some(byte(start + 6)?);
        }
    }
    let mut at = start + 2;
    // An empty first block of all but a comment is passed over as one that is not empty.
    let mut is_over = length == 0 && label == 0xfe;
    at += u64::from(length) + 1;
    while !is_over {
        let length = byte(at)?;
        at += u64::from(length) + 1;
        is_over = length == 0;
    }
    Ok(at)
}

fn no_picture(detail: &str) -> ImageError {
    ImageError::Data {
        format: Format::Gif,
        detail: detail.to_owned(),
    }
}

/// Decodes the first frame, whose size was held against the limits.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let byte = |at: u64| {
        let at = usize::try_from(at).ok();
        let found = at.and_then(|at| bytes.get(at)).copied();
        found.ok_or_else(|| no_picture("it ends before its pixels"))
    };
    let first = first(&byte)?;
    let colours = Colours::of(bytes, &first);
    let (width, height) = (first.width as usize, first.height as usize);
    let mut canvas = vec![first.transparent.unwrap_or(0); width * height];
    let bits = u32::from(byte(first.bits_at)?);
    let packed = usize::try_from(first.bits_at + 1).unwrap_or(usize::MAX);
    let mut frame = Frame::new(&first, &mut canvas)?;
    let is_whole = unpack(bytes.get(packed..).unwrap_or_default(), bits, &mut frame);
    if !is_whole {
        return Err(no_picture("its pixels end too early or are damaged"));
    }
    let mut data = Vec::with_capacity(canvas.len() * first.transparent.map_or(3, |_| 4));
    for &pixel in &canvas {
        data.extend(colours.0[usize::from(pixel)]);
        if let Some(transparent) = first.transparent {
            data.push(if pixel == transparent { 0 } else { 255 });
        }
    }
    let colour = match first.transparent {
        None => ColorType::Rgb8,
        Some(_) => ColorType::Rgba8,
    };
    Ok(Decoded {
        width: first.width,
        height: first.height,
        colour,
        data,
    })
}

/// What the numbers of pixels stand for: themselves without a palette, and black beyond its end.
struct Colours([[u8; 3]; 256]);

impl Colours {
    fn of(bytes: &[u8], first: &First) -> Self {
        let palette = |span: Option<Span>| {
            let Span { at, length } = span?;
            let (at, length) = (usize::try_from(at).ok()?, usize::try_from(length).ok()?);
            let (colours, _) = bytes.get(at..at + length)?.as_chunks::<3>();
            // One in which each colour is its own number is no palette to Pillow.
            let mut each = (0..=u8::MAX).zip(colours);
            each.any(|(number, colour)| *colour != [number; 3])
                .then_some(colours)
        };
        let mut all = [[0; 3]; 256];
        match palette(first.local).or_else(|| palette(first.global)) {
            Some(colours) => all[..colours.len()].copy_from_slice(colours),
            None => {
                for (number, colour) in (0..=u8::MAX).zip(&mut all) {
                    *colour = [number; 3];
                }
            }
        }
        Self(all)
    }
}

/// Rows of a frame as they come.
struct Frame<'a> {
    canvas: &'a mut [u8],
    canvas_width: usize,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    x: usize,
    y: usize,
    /// Rows from one to the next, and how many passes are still to come.
    step: usize,
    passes: u8,
}

impl<'a> Frame<'a> {
    fn new(first: &First, canvas: &'a mut [u8]) -> Result<Self, ImageError> {
        if first.frame_width == 0 || first.frame_height == 0 {
            return Err(no_picture("its first frame has no pixels"));
        }
        let (step, passes) = if first.is_interlaced { (8, 3) } else { (1, 0) };
        Ok(Self {
            canvas,
            canvas_width: first.width as usize,
            left: first.left as usize,
            top: first.top as usize,
            width: first.frame_width as usize,
            height: first.frame_height as usize,
            x: 0,
            y: 0,
            step,
            passes,
        })
    }

    /// Takes a pixel; whether all have come.
    fn take(&mut self, pixel: u8) -> bool {
        let at = (self.top + self.y) * self.canvas_width + self.left + self.x;
        if let Some(place) = self.canvas.get_mut(at) {
            *place = pixel;
        }
        self.x += 1;
        if self.x < self.width {
            return false;
        }
        self.x = 0;
        self.y += self.step;
        while self.y >= self.height {
            match self.passes {
                0 => return true,
                3 => self.y = 4,
                passes => {
                    self.step = usize::from(passes) * 2;
                    self.y = usize::from(passes);
                }
            }
            self.passes -= 1;
        }
        false
    }
}

/// Bits of the blocks of a file, the lowest first.
struct Symbols<'a> {
    rest: &'a [u8],
    block: &'a [u8],
    bits: u32,
    count: u32,
}

impl Symbols<'_> {
    /// The next one of so many bits; `None` where a block is cut off.
    fn next(&mut self, size: u32) -> Option<usize> {
        while self.count < size {
            let Some((byte, block)) = self.block.split_first() else {
                let (length, rest) = self.rest.split_first()?;
                (self.block, self.rest) = rest.split_at_checked(usize::from(*length))?;
                continue;
            };
            self.bits |= u32::from(*byte) << self.count;
            self.count += 8;
            self.block = block;
        }
        let symbol = self.bits & ((1 << size) - 1);
        self.bits >>= size;
        self.count -= size;
        Some(symbol as usize)
    }
}

/// Unpacks a frame; whether all of its pixels came.
fn unpack(packed: &[u8], bits: u32, frame: &mut Frame<'_>) -> bool {
    if bits > MAX_BITS {
        return false;
    }
    let (clear, end) = (1_usize << bits, (1_usize << bits) + 1);
    let mut symbols = Symbols {
        rest: packed,
        block: &[],
        bits: 0,
        count: 0,
    };
    let (mut links, mut last_of) = (vec![0_u16; TABLE], vec![0_u8; TABLE]);
    let (mut next, mut size) = (clear + 2, bits + 1);
    // The string of the symbol before, and its first pixel; none behind a clearing.
    let mut before: Option<(usize, u8)> = None;
    let mut string: Vec<u8> = Vec::new();
    while let Some(symbol) = symbols.next(size) {
        if symbol == clear {
            (next, size, before) = (clear + 2, bits + 1, None);
            continue;
        }
        if symbol == end {
            return false;
        }
        string.clear();
        let Some((before_symbol, before_first)) = before else {
            if symbol > clear {
                return false;
            }
            let pixel = low(symbol);
            before = Some((symbol, pixel));
            if frame.take(pixel) {
                return true;
            }
            continue;
        };
        if symbol > next {
            return false;
        }
        let mut at = symbol;
        if symbol == next {
            string.push(before_first);
            at = before_symbol;
        }
        while at >= clear {
            if string.len() >= TABLE || at >= TABLE {
                return false;
            }
            string.push(last_of[at]);
            at = usize::from(links[at]);
        }
        let first = low(at);
        string.push(first);
        if next < TABLE {
            last_of[next] = first;
            links[next] = u16::try_from(before_symbol).unwrap_or(0);
            if next == (1 << size) - 1 && size < MAX_BITS {
                size += 1;
            }
            next += 1;
        }
        before = Some((symbol, first));
        if string.iter().rev().any(|&pixel| frame.take(pixel)) {
            return true;
        }
    }
    false
}

/// A pixel's number; of symbols with more than eight bits the lower ones.
fn low(symbol: usize) -> u8 {
    symbol.to_le_bytes()[0]
}
