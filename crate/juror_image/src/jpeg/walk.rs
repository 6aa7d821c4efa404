//! The marker segments of a JPEG (T.81, annex B), walked as libjpeg-turbo walks them: what it skips is skipped, what it
//! refuses is refused, and a file without its end is cut off.
//!
//! Entropy-coded data never makes that library refuse a picture: wrong codes are warnings, and what is missing before a
//! marker is filled with zeros. So whether a JPEG decodes is known from its markers and tables, and pixels need no decoding.

use std::ops::Range;

use super::planes::Enlargement;
use super::wrong;
use crate::Format;
use crate::ImageError;

/// More scans than this are an attack: each goes over all pixels; the largest real scripts have a dozen.
const MAX_SCANS: usize = 500;
/// The most samples that a component may have beside another one's (T.81, B.2.2).
const MAX_SAMPLING: u8 = 4;
/// The end marker.
const END: [u8; 2] = [0xff, 0xd9];
/// The most blocks in a unit of an interleaved scan (T.81, B.2.3).
const MAX_BLOCKS: u8 = 10;

/// What the frame header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Width in pixels.
    pub(crate) width: u32,
    /// Height in pixels.
    pub(crate) height: u32,
    /// 1 for grey, 3 for colour, 4 for CMYK and YCCK.
    pub(crate) num_components: u8,
}

/// A JPEG whose markers are in order.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    frame: Option<Frame>,
    kind: Kind,
    components: Vec<Component>,
    /// Quantisation tables that were defined.
    quantisers: [bool; 4],
    /// Huffman tables that were defined, for DC and AC: whether their codes are sound.
    huffman: [[Option<Result<(), &'static str>>; 4]; 2],
    num_scans: usize,
    /// Restart markers stand in the data to come.
    is_restarted: bool,
    /// The scan at hand is the whole picture.
    is_one_scan: bool,
    /// That scan was seen up to the marker behind it.
    is_filled: bool,
    /// What a decoder needs of the file, in order; metadata and stray bytes are no part of it.
    kept: Vec<Kept>,
    /// The first EXIF segment's content.
    exif: Option<Range<usize>>,
    /// What Adobe's segment before the pixels says of the colours.
    adobe: Option<u8>,
}

/// How coefficients are coded, as far as it matters here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Sequential,
    Progressive,
    Arithmetic,
    Lossless,
}

/// A part of the file that a decoder needs.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    /// It is copied.
    Bytes(Range<usize>),
    /// A Huffman table, which gets a segment of its own: a decoder that builds all tables refuses others of its segment.
    Table(Range<usize>),
    /// A segment of arithmetic coding, which files of another coding do not need.
    Conditioning(Range<usize>),
}

#[derive(Clone, Copy, Debug)]
struct Component {
    id: u8,
    /// Samples beside and below each other, where another component has 1.
    width: u8,
    height: u8,
    quantiser: u8,
    /// Scans of no other component.
    own_scans: usize,
    /// Scans of it and of others.
    shared_scans: usize,
}

/// Walks a whole file.
///
/// # Errors
/// [`ImageError::Truncated`] where the end marker is missing, [`ImageError::Data`] for what libjpeg-turbo refuses.
pub(crate) fn walk(bytes: &[u8]) -> Result<Walk, ImageError> {
    let mut walk = Walk::default();
    walk.keep(0..2);
    let mut at = 2;
    loop {
        match walk.step(bytes, at) {
            Ok(Some(next)) => at = next,
            Ok(None) => break,
            // All pixels were there before the file ended: Pillow takes it for whole.
            Err(ImageError::NoEnd { .. }) if walk.is_filled => break,
            Err(error) => return Err(error),
        }
    }
    match walk.frame {
        Some(_) if walk.num_scans > 0 => Ok(walk),
        _ => Err(wrong("no picture before the end marker")),
    }
}

/// The next marker's code and the place behind it; what lies before it belongs to nothing.
fn next_marker(bytes: &[u8], from: usize) -> Result<(u8, usize), ImageError> {
    let mut at = from;
    loop {
        while *bytes.get(at).ok_or_else(|| cut_off(bytes))? != 0xff {
            at += 1;
        }
        while *bytes.get(at).ok_or_else(|| cut_off(bytes))? == 0xff {
            at += 1;
        }
        match bytes.get(at) {
            Some(0) => at += 1,
            Some(&code) => return Ok((code, at + 1)),
            None => return Err(cut_off(bytes)),
        }
    }
}

fn cut_off(bytes: &[u8]) -> ImageError {
    ImageError::NoEnd {
        format: Format::Jpeg,
        found: bytes.len() as u64,
    }
}

/// The end of the segment whose length stands at `at`.
fn segment_end(bytes: &[u8], at: usize) -> Result<usize, ImageError> {
    let Some(&[high, low]) = bytes.get(at..at + 2) else {
        return Err(cut_off(bytes));
    };
    let len = u16::from_be_bytes([high, low]);
    if len < 2 {
        return Err(wrong(format!("a segment of {len} bytes")));
    }
    let end = at + usize::from(len);
    if end > bytes.len() {
        return Err(cut_off(bytes));
    }
    Ok(end)
}

/// Where entropy-coded data ends: at a marker that is not one of its own, or where the file does.
fn entropy_end(bytes: &[u8], from: usize, is_restarted: bool) -> usize {
    let mut at = from;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(0xff, rest)) {
        at += found;
        // Any number of fill bytes may stand before what follows.
        let mut code_at = at + 1;
        while bytes.get(code_at) == Some(&0xff) {
            code_at += 1;
        }
        match bytes.get(code_at) {
            Some(0 | 0xd0..=0xd7) => at = code_at + 1,
            // What is no marker is skipped on the way to the next restart.
            Some(0x01..=0xbf) if is_restarted => at = code_at + 1,
            Some(_) => return at,
            None => break,
        }
    }
    bytes.len()
}

impl Walk {
    /// Takes in what begins at `at`, and says where it ends; nothing at the end marker.
    fn step(&mut self, bytes: &[u8], at: usize) -> Result<Option<usize>, ImageError> {
        let (marker, after) = next_marker(bytes, at)?;
        let head = after - 2;
        match marker {
            0xd9 => return Ok(None),
            // The restart markers have no content, nor has TEM, which Pillow refuses before the pixels.
            0xd0..=0xd7 => return Ok(Some(after)),
            0x01 if self.num_scans > 0 => return Ok(Some(after)),
            0xd8 => return Err(wrong("a second start marker")),
            0xc0..=0xcf | 0xda..=0xdd | 0xe0..=0xef | 0xfe => {}
            other => return Err(wrong(format!("the unknown marker 0xFF{other:02X}"))),
        }
        let is_skipped = matches!(marker, 0xe0..=0xef | 0xfe);
        let end = segment_end(bytes, after).map_err(|error| match error {
            ImageError::NoEnd { .. } if self.is_filled && !is_skipped => {
                wrong("a broken segment behind the pixels")
            }
            other => other,
        })?;
        let content = bytes.get(after + 2..end).unwrap_or_default();
        self.segment(marker, content, head..end)?;
        if marker != 0xda {
            return Ok(Some(end));
        }
        let data_end = entropy_end(bytes, end, self.is_restarted);
        self.keep(end..data_end);
        self.is_filled = self.is_one_scan && data_end < bytes.len();
        Ok(Some(data_end))
    }

    /// Whether wrong codes within the pixels are mended, so that the markers alone say that a file decodes: one scan has all
    /// components, or each has one of its own. libjpeg-turbo reads others as well, the decoder here some of them.
    pub(crate) fn is_mendable(&self) -> bool {
        let is_alone = |one: &Component| (one.own_scans, one.shared_scans) == (1, 0);
        self.kind == Kind::Sequential && (self.is_one_scan || self.components.iter().all(is_alone))
    }

    /// What the frame header says.
    pub(crate) fn frame(&self) -> Option<Frame> {
        self.frame
    }

    /// Samples beside and below each other of the largest component.
    fn most(&self) -> (u8, u8) {
        let most = |side: fn(&Component) -> u8| self.components.iter().map(side).max().unwrap_or(1);
        (most(|one| one.width), most(|one| one.height))
    }

    /// How far each component is enlarged.
    pub(crate) fn enlargements(&self) -> Vec<Enlargement> {
        let (widest, highest) = self.most();
        let of = |one: &Component| Enlargement {
            across: usize::from(widest / one.width),
            down: usize::from(highest / one.height),
        };
        self.components.iter().map(of).collect()
    }

    /// Whether four components are luma, two of colour and black, rather than four inks.
    pub(crate) fn is_ycck(&self) -> bool {
        // An unknown word of Adobe's is taken for it, as by libjpeg.
        self.adobe.is_some_and(|transform| transform != 0)
    }

    /// The content of the first EXIF segment.
    pub(crate) fn exif<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        bytes.get(self.exif.clone()?)
    }

    /// The file without metadata and stray bytes, and with its end.
    pub(crate) fn clean(&self, bytes: &[u8]) -> Vec<u8> {
        let mut clean = Vec::with_capacity(bytes.len() + END.len());
        let part = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        for kept in &self.kept {
            match kept {
                Kept::Bytes(range) => clean.extend_from_slice(part(range)),
                Kept::Table(range) => {
                    // At most 2 + 17 + 256 bytes.
                    let [.., high, low] = (range.len() + 2).to_be_bytes();
                    clean.extend([0xff, 0xc4, high, low]);
                    clean.extend_from_slice(part(range));
                }
                Kept::Conditioning(range) if self.kind == Kind::Arithmetic => {
                    clean.extend_from_slice(part(range));
                }
                Kept::Conditioning(_) => {}
            }
        }
        clean.extend_from_slice(&END);
        clean
    }

    fn keep(&mut self, range: Range<usize>) {
        match self.kept.last_mut() {
            Some(Kept::Bytes(last)) if last.end == range.start => last.end = range.end,
            _ => self.kept.push(Kept::Bytes(range)),
        }
    }

    fn segment(
        &mut self,
        marker: u8,
        content: &[u8],
        whole: Range<usize>,
    ) -> Result<(), ImageError> {
        match marker {
            0xc4 => return self.huffman_tables(content, whole.end - content.len()),
            0xdb => self.quantisation_tables(content)?,
            0xdd => match content {
                &[high, low] => self.is_restarted = [high, low] != [0, 0],
                _ => return Err(wrong("a broken restart interval")),
            },
            0xcc => {
                check_conditioning(content)?;
                self.kept.push(Kept::Conditioning(whole));
                return Ok(());
            }
            0xda => self.scan(content)?,
            0xc0..=0xcf => self.start_frame(marker, content)?,
            // JFIF's and Adobe's segments say what the colours mean.
            0xe0 if content.starts_with(b"JFIF\0") => {}
            0xee if content.starts_with(b"Adobe") => {
                if self.num_scans == 0 {
                    self.adobe = content.get(11).copied().or(self.adobe);
                }
            }
            0xe1 if self.exif.is_none() && content.starts_with(b"Exif\0\0") => {
                self.exif = Some(whole.end - content.len() + 6..whole.end);
                return Ok(());
            }
            _ => return Ok(()),
        }
        self.keep(whole);
        Ok(())
    }

    fn start_frame(&mut self, marker: u8, content: &[u8]) -> Result<(), ImageError> {
        if self.frame.is_some() {
            return Err(wrong("a second frame header"));
        }
        self.kind = match marker {
            0xc0 | 0xc1 => Kind::Sequential,
            0xc2 => Kind::Progressive,
            0xc9 | 0xca => Kind::Arithmetic,
            0xc3 => Kind::Lossless,
            other => return Err(wrong(format!("coding 0xFF{other:02X} is not supported"))),
        };
        let &[bits, h1, h0, w1, w0, num, ref components @ ..] = content else {
            return Err(wrong("a frame header that is too short"));
        };
        if bits != 8 {
            return Err(wrong(format!("{bits} bits per sample are not supported")));
        }
        if !matches!(num, 1 | 3 | 4) {
            return Err(wrong(format!("{num} colour channels are not supported")));
        }
        if components.len() != 3 * usize::from(num) {
            return Err(wrong("a frame header of another length than it says"));
        }
        for component in components.chunks_exact(3) {
            let &[id, sampling, quantiser] = component else {
                continue;
            };
            let (width, height) = (sampling >> 4, sampling & 15);
            let is_sound = |side: u8| (1..=MAX_SAMPLING).contains(&side);
            if !is_sound(width) || !is_sound(height) {
                return Err(wrong(format!("a sampling factor of {sampling:#04x}")));
            }
            self.components.push(Component {
                id,
                width,
                height,
                quantiser,
                own_scans: 0,
                shared_scans: 0,
            });
        }
        let (widest, highest) = self.most();
        let is_whole = |one: &Component| widest % one.width == 0 && highest % one.height == 0;
        if !self.components.iter().all(is_whole) {
            return Err(wrong("channels whose sizes are no multiples of each other"));
        }
        self.frame = Some(Frame {
            width: u32::from(u16::from_be_bytes([w1, w0])),
            height: u32::from(u16::from_be_bytes([h1, h0])),
            num_components: num,
        });
        Ok(())
    }

    fn quantisation_tables(&mut self, mut content: &[u8]) -> Result<(), ImageError> {
        while let Some((&head, rest)) = content.split_first() {
            let len = if head >> 4 == 0 { 64 } else { 128 };
            let slot = self.quantisers.get_mut(usize::from(head & 15));
            let (Some(slot), Some(rest)) = (slot, rest.get(len..)) else {
                return Err(wrong("a broken quantisation table"));
            };
            *slot = true;
            content = rest;
        }
        Ok(())
    }

    /// Takes in the tables of a segment whose content begins at `at`. An unsound one is refused where a scan names it.
    fn huffman_tables(&mut self, mut content: &[u8], mut at: usize) -> Result<(), ImageError> {
        while let Some((&head, rest)) = content.split_first() {
            let broken = || wrong("a broken Huffman table");
            let (counts, rest) = rest.split_at_checked(16).ok_or_else(broken)?;
            let num: usize = counts.iter().copied().map(usize::from).sum();
            let (symbols, rest) = rest.split_at_checked(num).ok_or_else(broken)?;
            let (class, slot) = (usize::from(head >> 4), usize::from(head & 15));
            let tables = self.huffman.get_mut(class).ok_or_else(broken)?;
            let table = tables.get_mut(slot).ok_or_else(broken)?;
            if num > 256 {
                return Err(broken());
            }
            let codes = sound_codes(class == 0, counts, symbols);
            let end = at + 1 + counts.len() + num;
            if codes.is_ok() {
                self.kept.push(Kept::Table(at..end));
            }
            *table = Some(codes);
            (content, at) = (rest, end);
        }
        Ok(())
    }

    fn scan(&mut self, content: &[u8]) -> Result<(), ImageError> {
        let Some((&num, rest)) = content.split_first() else {
            return Err(wrong("a scan without components"));
        };
        let num = usize::from(num);
        if self.frame.is_none() {
            return Err(wrong("a scan before the frame header"));
        }
        if self.is_one_scan {
            return Err(wrong("a second scan of the whole picture"));
        }
        if !(1..=4).contains(&num) || rest.len() != 2 * num + 3 {
            return Err(wrong("a scan header of another length than it says"));
        }
        self.num_scans += 1;
        self.is_one_scan = self.num_scans == 1
            && num == self.components.len()
            && matches!(self.kind, Kind::Sequential | Kind::Lossless);
        if self.num_scans > MAX_SCANS {
            return Err(wrong(format!("more than {MAX_SCANS} scans")));
        }
        let (components, parameters) = rest.split_at(2 * num);
        let &[first, last, approximation] = parameters else {
            return Err(wrong("a scan without parameters"));
        };
        let (mut seen, mut num_blocks): (Vec<u8>, u8) = (Vec::new(), 0);
        for pair in components.chunks_exact(2) {
            let &[id, tables] = pair else { continue };
            let mut components = self.components.iter_mut();
            let Some(component) = components.find(|known| known.id == id) else {
                return Err(wrong("a scan of a component that the frame lacks"));
            };
            match num {
                1 => component.own_scans += 1,
                _ => component.shared_scans += 1,
            }
            let component = *component;
            if seen.contains(&id) {
                return Err(wrong("a scan that names a component twice"));
            }
            seen.push(id);
            self.scanned(component, tables, (first, approximation))?;
            num_blocks += component.width * component.height;
        }
        if num > 1 && num_blocks > MAX_BLOCKS {
            return Err(wrong(format!("a scan with units of {num_blocks} blocks")));
        }
        if self.kind == Kind::Progressive {
            check_progression(num, (first, last, approximation))?;
        }
        Ok(())
    }

    /// Whether the tables of a scan's component are there.
    fn scanned(
        &self,
        component: Component,
        tables: u8,
        (first, approximation): (u8, u8),
    ) -> Result<(), ImageError> {
        let quantiser = self.quantisers.get(usize::from(component.quantiser));
        if self.kind != Kind::Lossless && quantiser != Some(&true) {
            return Err(wrong("a scan without its quantisation table"));
        }
        let is_refined = approximation >> 4 != 0;
        let needed: [bool; 2] = match self.kind {
            Kind::Arithmetic => [false, false],
            Kind::Lossless => [true, false],
            Kind::Sequential => [true, true],
            Kind::Progressive => [first == 0 && !is_refined, first != 0],
        };
        for (class, slot) in [(0, tables >> 4), (1, tables & 15)] {
            if !needed[class] {
                continue;
            }
            match self.huffman[class].get(usize::from(slot)) {
                Some(Some(Ok(()))) => {}
                Some(Some(Err(detail))) => return Err(wrong(*detail)),
                // Motion JPEG leaves out the standard's own tables.
                Some(None) if self.kind != Kind::Progressive && slot < 2 => {}
                _ => return Err(wrong("a scan without its Huffman table")),
            }
        }
        Ok(())
    }
}

/// Whether a segment of arithmetic coding is one, which libjpeg-turbo looks at whatever the coding.
fn check_conditioning(content: &[u8]) -> Result<(), ImageError> {
    let (pairs, rest) = content.as_chunks::<2>();
    let is_sound = |&[table, value]: &[u8; 2]| match table {
        // DC: a lower and an upper bound.
        0..=15 => value & 15 <= value >> 4,
        16..=31 => true,
        _ => false,
    };
    if !rest.is_empty() || !pairs.iter().all(is_sound) {
        return Err(wrong("a broken segment of arithmetic coding"));
    }
    Ok(())
}

/// Whether code lengths leave room for all codes, and DC symbols are lengths of numbers (T.81, C.2 and F.1.2.1).
fn sound_codes(is_dc: bool, counts: &[u8], symbols: &[u8]) -> Result<(), &'static str> {
    let num_lengths = counts
        .iter()
        .rposition(|&count| count > 0)
        .map_or(0, |at| at + 1);
    let mut code: u32 = 0;
    for (len, &count) in (1..).zip(counts.iter().take(num_lengths)) {
        code += u32::from(count);
        // The code of ones alone is never given away.
        if code >= 1 << len {
            return Err("a Huffman table with more codes than there are");
        }
        code <<= 1;
    }
    if is_dc && symbols.iter().any(|&symbol| symbol > 15) {
        return Err("a Huffman table with symbols that DC values do not have");
    }
    Ok(())
}

/// The rules of a progressive scan's parameters (T.81, G.1.1.1.1), as far as libjpeg-turbo refuses those that break them.
fn check_progression(
    num: usize,
    (first, last, approximation): (u8, u8, u8),
) -> Result<(), ImageError> {
    let (high, low) = (approximation >> 4, approximation & 15);
    let is_band_sound = match first {
        0 => last == 0,
        _ => first <= last && last < 64 && num == 1,
    };
    if !is_band_sound || (high != 0 && low + 1 != high) || low > 13 {
        return Err(wrong("a scan with wrong parameters of progression"));
    }
    Ok(())
}
