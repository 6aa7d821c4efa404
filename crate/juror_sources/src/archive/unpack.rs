//! One entry of a ZIP, unpacked piece by piece: hosts bring parts of the file, and take what comes out.
//!
//! What an entry says of itself is a claim: no more than it declares comes out, and a whole entry is held against its
//! checksum. Of an entry whose beginning alone is wanted, no more is asked for than that takes.

use flate2::{Decompress, FlushDecompress, Status};

use super::ArchiveEntry;
use super::checksum::Checksum;

pub(super) const LOCAL: [u8; 4] = *b"PK\x03\x04";
/// What stands before an entry's bytes, without its name.
pub(super) const LOCAL_BYTES: usize = 30;
/// What writers add to an entry's own header, usually.
const EXTRA_BYTES: u64 = 64;
/// Packed bytes of a deflated entry that are asked for at once.
const PIECE_BYTES: u64 = 1 << 20;
/// Bytes that are inflated at a time.
const OUT_BYTES: usize = 1 << 16;

/// Why what an entry holds is not what was packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// No header of an entry lies there.
    #[error("it does not begin where the ZIP’s list says")]
    Misplaced,
    /// No deflated bytes.
    #[error("its bytes do not inflate")]
    Garbled,
    /// Longer than its size.
    #[error("it inflates to more than it declares")]
    Longer,
    /// Shorter than what is wanted of it.
    #[error("it ends after {found} of {wanted} bytes")]
    Shorter {
        /// Bytes that came.
        found: u64,
        /// Bytes that should have.
        wanted: u64,
    },
    /// Other bytes.
    #[error("its bytes do not fit its checksum")]
    Other,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// First byte.
    pub at: u64,
    /// Bytes; fewer are there where the file ends before.
    pub length: u64,
}

/// An entry on its way.
#[derive(Debug)]
pub struct Unpacking {
    entry: Ends,
    /// How it is packed.
    inflater: Option<Box<Inflater>>,
    /// Its own header, as far as it has come; then where its packed bytes begin.
    begin: Begin,
    /// Packed bytes that came.
    taken: u64,
    /// Bytes that came out.
    found: u64,
    /// Bytes that are to come out.
    wanted: u64,
    checksum: Checksum,
    /// No more comes, or none is needed.
    is_over: bool,
}

/// What an entry claims.
#[derive(Clone, Copy, Debug)]
struct Ends {
    at: u64,
    packed: u64,
    size: u64,
    crc32: u32,
    name_bytes: u32,
}

#[derive(Debug)]
enum Begin {
    Header(Vec<u8>),
    Known(u64),
}

impl Unpacking {
    /// Of an entry, or of its first `head` bytes.
    pub fn of(entry: &ArchiveEntry, head: Option<u64>) -> Self {
        Self {
            entry: Ends {
                at: entry.at,
                packed: entry.packed,
                size: entry.size,
                crc32: entry.crc32,
                name_bytes: entry.name_bytes,
            },
            inflater: entry.is_deflated.then(Box::default),
            begin: Begin::Header(Vec::new()),
            taken: 0,
            found: 0,
            wanted: head.map_or(entry.size, |head| head.min(entry.size)),
            checksum: Checksum::default(),
            is_over: false,
        }
    }

    /// The part of the file where an entry lies, its header included.
    pub fn whole_part(entry: &ArchiveEntry) -> ByteRange {
        ByteRange {
            at: entry.at,
            length: LOCAL_BYTES as u64 + u64::from(entry.name_bytes) + EXTRA_BYTES + entry.packed,
        }
    }

    /// Bytes that are to come out.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }

    /// The part of the file that is to be brought next; `None` once all came out.
    pub fn next_part(&self) -> Option<ByteRange> {
        if self.is_over {
            return None;
        }
        let rest = match self.inflater {
            // Where nothing is gained by deflating, its headers are so much more.
            Some(_) if !self.is_whole() => {
                let rest = self.wanted - self.found;
                (rest + rest / 1024 + EXTRA_BYTES).min(PIECE_BYTES)
            }
            Some(_) => PIECE_BYTES,
            None => self.wanted - self.found,
        };
        let rest = rest.min(self.entry.packed - self.taken);
        Some(match &self.begin {
            Begin::Known(start) => ByteRange {
                at: start + self.taken,
                length: rest,
            },
            Begin::Header(came) => {
                let header = LOCAL_BYTES as u64 + u64::from(self.entry.name_bytes) + EXTRA_BYTES;
                ByteRange {
                    at: self.entry.at + came.len() as u64,
                    length: (header + rest).saturating_sub(came.len() as u64).max(1),
                }
            }
        })
    }

    /// Takes in what lies where [`next_part`](Self::next_part) says, all of it or its beginning; none, where the file has
    /// ended. What comes out is handed to `out`.
    ///
    /// # Errors
    /// The entry is damaged.
    pub fn take(&mut self, bytes: &[u8], out: &mut impl FnMut(&[u8])) -> Result<(), Damage> {
        if self.is_over {
            return Ok(());
        }
        if bytes.is_empty() {
            return self.end();
        }
        let Begin::Header(came) = &mut self.begin else {
            return self.unpack(bytes, out);
        };
        came.extend_from_slice(bytes);
        let Some(start) = start_of(came)? else {
            return Ok(());
        };
        let first = came.split_off(start.min(came.len()));
        self.begin = Begin::Known(self.entry.at + start as u64);
        self.unpack(&first, out)
    }

    /// Takes in packed bytes; those after the entry's are not its own.
    fn unpack(&mut self, bytes: &[u8], out: &mut impl FnMut(&[u8])) -> Result<(), Damage> {
        let own = usize::try_from(self.entry.packed - self.taken).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(own)];
        self.taken += bytes.len() as u64;
        let is_over = match self.inflater.take() {
            None => {
                self.come_out(bytes, out)?;
                self.found == self.wanted
            }
            Some(mut inflater) => {
                let is_over = inflater.inflate(bytes, &mut |some| self.come_out(some, out))?;
                self.inflater = Some(inflater);
                is_over
            }
        };
        if is_over || self.taken == self.entry.packed {
            return self.end();
        }
        Ok(())
    }

    /// Hands on what came out, as far as it is wanted; whether more is.
    fn come_out(&mut self, bytes: &[u8], out: &mut impl FnMut(&[u8])) -> Result<bool, Damage> {
        let room = self.wanted - self.found;
        if bytes.len() as u64 > room && self.is_whole() {
            return Err(Damage::Longer);
        }
        let bytes =
            &bytes[..usize::try_from(room).map_or(bytes.len(), |room| bytes.len().min(room))];
        self.found += bytes.len() as u64;
        if self.is_whole() {
            self.checksum.add(bytes);
        }
        out(bytes);
        // Of a whole entry one byte more would be one too many.
        Ok(self.is_whole() || self.found < self.wanted)
    }

    fn is_whole(&self) -> bool {
        self.wanted == self.entry.size
    }

    /// Nothing more comes.
    fn end(&mut self) -> Result<(), Damage> {
        self.is_over = true;
        if matches!(self.begin, Begin::Header(_)) {
            return Err(Damage::Misplaced);
        }
        if self.found < self.wanted {
            return Err(Damage::Shorter {
                found: self.found,
                wanted: self.wanted,
            });
        }
        if self.is_whole() && self.checksum.sum() != self.entry.crc32 {
            return Err(Damage::Other);
        }
        Ok(())
    }
}

/// How far from its header an entry's bytes begin; `None` where not all of the header came.
fn start_of(came: &[u8]) -> Result<Option<usize>, Damage> {
    let known = came.len().min(LOCAL.len());
    if came[..known] != LOCAL[..known] {
        return Err(Damage::Misplaced);
    }
    let length = |at: usize| {
        let field = came.get(at..)?.first_chunk()?;
        Some(usize::from(u16::from_le_bytes(*field)))
    };
    let lengths = length(26).zip(length(28));
    Ok(lengths.map(|(name, extra)| LOCAL_BYTES + name + extra))
}

/// What inflates.
struct Inflater {
    state: Decompress,
    out: Vec<u8>,
}

impl Default for Inflater {
    fn default() -> Self {
        Self {
            state: Decompress::new(false),
            out: vec![0; OUT_BYTES],
        }
    }
}

impl std::fmt::Debug for Inflater {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Inflater({})", self.state.total_in())
    }
}

impl Inflater {
    /// Inflates all of these bytes, until `come_out` wants no more; whether the end was reached.
    fn inflate(
        &mut self,
        mut bytes: &[u8],
        come_out: &mut impl FnMut(&[u8]) -> Result<bool, Damage>,
    ) -> Result<bool, Damage> {
        loop {
            let before = (self.state.total_in(), self.state.total_out());
            let status = self
                .state
                .decompress(bytes, &mut self.out, FlushDecompress::None)
                .map_err(|_| Damage::Garbled)?;
            let length = |now: u64, before: u64| usize::try_from(now - before).unwrap_or(0);
            let taken = length(self.state.total_in(), before.0);
            let made = length(self.state.total_out(), before.1);
            bytes = &bytes[taken..];
            let wants_more = made == 0 || come_out(&self.out[..made])?;
            if status == Status::StreamEnd || !wants_more {
                return Ok(true);
            }
            // More may wait inside where there was no room for it.
            if made < self.out.len() && bytes.is_empty() || (taken, made) == (0, 0) {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, Crc, write::DeflateEncoder};

    use super::*;

    /// A file that holds one entry behind a byte of something else, and what a directory would say of it.
    fn file(content: &[u8], is_deflated: bool) -> (Vec<u8>, ArchiveEntry) {
        let mut crc = Crc::new();
        crc.update(content);
        let packed = if is_deflated {
            let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
            deflated.write_all(content).unwrap();
            deflated.finish().unwrap()
        } else {
            content.to_vec()
        };
        let mut file = vec![0];
        file.extend(LOCAL);
        file.extend([0; 22]);
        file.extend([5, 0, 3, 0]);
        file.extend(b"a.txt");
        file.extend([0; 3]);
        file.extend(&packed);
        // The directory.
        file.extend([7; 200]);
        let entry = ArchiveEntry {
            path: "a.txt".to_owned(),
            size: content.len() as u64,
            packed: packed.len() as u64,
            at: 1,
            name_bytes: 5,
            is_deflated,
            crc32: crc.sum(),
            is_leftover: false,
        };
        (file, entry)
    }

    /// What comes out where the host brings at most so many bytes at once, and how many it was asked for.
    fn unpacked(
        file: &[u8],
        entry: &ArchiveEntry,
        head: Option<u64>,
        most: usize,
    ) -> (Result<Vec<u8>, Damage>, u64) {
        let mut unpacking = Unpacking::of(entry, head);
        let mut out = Vec::new();
        let mut asked = 0;
        while let Some(part) = unpacking.next_part() {
            asked += part.length;
            let at = usize::try_from(part.at).unwrap().min(file.len());
            let end = at + usize::try_from(part.length).unwrap();
            let end = end.min(file.len()).min(at.saturating_add(most));
            if let Err(damage) = unpacking.take(&file[at..end], &mut |some| out.extend(some)) {
                return (Err(damage), asked);
            }
        }
        (Ok(out), asked)
    }

    fn whole(file: &[u8], entry: &ArchiveEntry) -> Result<Vec<u8>, Damage> {
        unpacked(file, entry, None, usize::MAX).0
    }

    fn text() -> Vec<u8> {
        (0..40_000_u32).flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn an_entry_comes_out_as_it_went_in_however_it_is_brought() {
        for content in [&b""[..], b"a", &text()] {
            for is_deflated in [false, true] {
                let (file, entry) = file(content, is_deflated);
                for most in [1, 29, 30, 31, 38, 39, 4096, usize::MAX] {
                    let (out, _) = unpacked(&file, &entry, None, most);
                    assert_eq!(out.as_deref(), Ok(content), "{is_deflated} {most}");
                }
            }
        }
    }

    #[test]
    fn the_beginning_of_an_entry_takes_no_more_of_the_file_than_that() {
        let content = text();
        for is_deflated in [false, true] {
            let (file, entry) = file(&content, is_deflated);
            for head in [1, 1000, entry.size - 1] {
                let (out, asked) = unpacked(&file, &entry, Some(head), usize::MAX);
                let expected = &content[..usize::try_from(head).unwrap()];
                assert_eq!(out.as_deref(), Ok(expected), "{is_deflated} {head}");
                assert!(asked < head + head / 500 + 300, "{asked} for {head}");
            }
            let (out, _) = unpacked(&file, &entry, Some(entry.size + 9), usize::MAX);
            assert_eq!(out.as_deref(), Ok(&content[..]));
        }
    }

    #[test]
    fn entries_that_lie_about_their_size_are_found_out() {
        let (file, entry) = file(b"xxxxx", true);
        let with = |size| ArchiveEntry {
            size,
            ..entry.clone()
        };
        assert_eq!(whole(&file, &with(5)).as_deref(), Ok(&b"xxxxx"[..]));
        assert_eq!(whole(&file, &with(3)), Err(Damage::Longer));
        let short = Damage::Shorter {
            found: 5,
            wanted: 9,
        };
        assert_eq!(short.to_string(), "it ends after 5 of 9 bytes");
        assert_eq!(whole(&file, &with(9)), Err(short));
        // A bomb: no more comes out than is declared, and a piece of what inflates behind it.
        let (file, entry) = super::tests::file(&vec![0; 1 << 24], true);
        let bomb = ArchiveEntry { size: 10, ..entry };
        assert_eq!(whole(&file, &bomb), Err(Damage::Longer));
        assert_eq!(
            unpacked(&file, &bomb, Some(4), usize::MAX).0,
            Ok(vec![0; 4])
        );
    }

    #[test]
    fn damaged_entries_are_found_out() {
        for is_deflated in [false, true] {
            let (file, entry) = file(&text(), is_deflated);
            assert!(whole(&file, &entry).is_ok());
            let other = ArchiveEntry {
                crc32: entry.crc32 ^ 1,
                ..entry.clone()
            };
            assert_eq!(whole(&file, &other), Err(Damage::Other));
            for at in [0, 4, file.len() as u64, u64::from(u32::MAX)] {
                let moved = ArchiveEntry {
                    at,
                    ..entry.clone()
                };
                assert_eq!(whole(&file, &moved), Err(Damage::Misplaced), "{at}");
            }
            for cut in [1, 2, 4, 30] {
                assert_eq!(whole(&file[..cut], &entry), Err(Damage::Misplaced));
            }
            let cut = whole(&file[..1000], &entry);
            assert!(matches!(cut, Err(Damage::Shorter { .. })), "{cut:?}");
        }
        // A packed length that is cut, and a kind of block that deflate does not have.
        let (mut file, entry) = file(&text(), true);
        let cut = ArchiveEntry {
            packed: entry.packed - 5,
            ..entry.clone()
        };
        let found = whole(&file, &cut);
        assert!(matches!(found, Err(Damage::Shorter { .. })), "{found:?}");
        file[39] = 0xff;
        assert_eq!(whole(&file, &entry), Err(Damage::Garbled));
    }
}
