//! ZIP files on disk or in memory, listed by the core's rules and inflated here.

use std::io::{ErrorKind, Read, Seek, SeekFrom};

use anyhow::Context as _;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use juror_core::archive::{self, Archive, ArchiveEntry};

/// What stands before an entry's bytes: `PK\3\4`, numbers, then its name and what a writer adds.
const LOCAL: [u8; 4] = *b"PK\x03\x04";
const LOCAL_BYTES: usize = 30;

/// An entry whose bytes are not those that were packed.
#[derive(Debug)]
pub(crate) struct Damaged {
    /// The ZIP's own name.
    pub(crate) zip: String,
    /// The entry as it is called there.
    pub(crate) entry: String,
    /// In words.
    pub(crate) why: String,
}

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the entry {:?} is damaged: {}", self.entry, self.why)
    }
}

impl std::error::Error for Damaged {}

/// Why an entry cannot be had.
enum Fault {
    /// Its bytes are others, and why.
    Damaged(String),
    /// The ZIP cannot be read just now.
    Unread(std::io::Error),
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidData | ErrorKind::InvalidInput => {
                Self::Damaged("its bytes do not inflate".to_owned())
            }
            ErrorKind::UnexpectedEof => {
                Self::Damaged("it does not begin where the ZIP’s list says".to_owned())
            }
            _ => Self::Unread(error),
        }
    }
}

/// A ZIP that was listed.
pub(crate) struct ZipFile<From> {
    from: From,
    name: String,
    /// What it holds.
    pub(crate) archive: Archive,
}

impl<From: Read + Seek> ZipFile<From> {
    /// Lists a ZIP; `name` is its own.
    pub(crate) fn list(mut from: From, name: &str) -> anyhow::Result<Self> {
        let size = from.seek(SeekFrom::End(0))?;
        let at = size.saturating_sub(archive::TAIL_BYTES);
        let tail = part(&mut from, at, size - at)?;
        let place = archive::find(&tail, at)?;
        let directory = part(&mut from, place.at, place.length)?;
        let archive = archive::read(&directory, &place, name)?;
        Ok(Self {
            from,
            name: name.to_owned(),
            archive,
        })
    }

    /// Inflates an entry, or its first `head` bytes; a whole one is held against its checksum.
    pub(crate) fn bytes(&mut self, at: usize, head: Option<u64>) -> anyhow::Result<Vec<u8>> {
        let entry = self
            .archive
            .entries
            .get(at)
            .context("there is no such entry")?;
        inflate(&mut self.from, entry, head).map_err(|fault| match fault {
            Fault::Damaged(why) => anyhow::Error::new(Damaged {
                zip: self.name.clone(),
                entry: entry.path.clone(),
                why,
            }),
            Fault::Unread(error) => anyhow::Error::new(error),
        })
    }
}

fn inflate<From: Read + Seek>(
    from: &mut From,
    entry: &ArchiveEntry,
    head: Option<u64>,
) -> Result<Vec<u8>, Fault> {
    let damaged = |why: &str| Err(Fault::Damaged(why.to_owned()));
    let local = part(from, entry.at, LOCAL_BYTES as u64)?;
    let length = |at: usize| u64::from(u16::from_le_bytes([local[at], local[at + 1]]));
    if local[..4] != LOCAL {
        return damaged("it does not begin where the ZIP’s list says");
    }
    let before = i64::try_from(length(26) + length(28)).unwrap_or(i64::MAX);
    from.seek(SeekFrom::Current(before))?;
    let packed = from.take(entry.packed);
    // Declared sizes are claims: no more is read than that, and one byte to tell.
    let most = head.map_or(entry.size + 1, |head| head.min(entry.size + 1));
    let mut bytes = Vec::new();
    if entry.is_deflated {
        DeflateDecoder::new(packed)
            .take(most)
            .read_to_end(&mut bytes)?;
    } else {
        packed.take(most).read_to_end(&mut bytes)?;
    }
    let found = bytes.len() as u64;
    if found > entry.size {
        return damaged("it inflates to more than it declares");
    }
    let wanted = entry.size.min(most);
    if found < wanted {
        return damaged(&format!("it ends after {found} of {wanted} bytes"));
    }
    if found == entry.size {
        let mut crc = Crc::new();
        crc.update(&bytes);
        if crc.sum() != entry.crc32 {
            return damaged("its bytes do not fit its checksum");
        }
    }
    Ok(bytes)
}

fn part<From: Read + Seek>(from: &mut From, at: u64, length: u64) -> std::io::Result<Vec<u8>> {
    from.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; usize::try_from(length).map_err(std::io::Error::other)?];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
