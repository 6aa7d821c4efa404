//! ZIP files on disk or in memory, listed by the core's rules and inflated here.

use std::io::{Read, Seek, SeekFrom};

use anyhow::{Context as _, bail};
use flate2::Crc;
use flate2::read::DeflateDecoder;
use juror_core::archive::{self, Archive, ArchiveEntry};

/// What stands before an entry's bytes: `PK\3\4`, numbers, then its name and what a writer adds.
const LOCAL: [u8; 4] = *b"PK\x03\x04";
const LOCAL_BYTES: usize = 30;

/// A ZIP that was listed.
pub(crate) struct ZipFile<From> {
    from: From,
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
        Ok(Self { from, archive })
    }

    /// Inflates an entry, or its first `head` bytes; a whole one is held against its checksum.
    pub(crate) fn bytes(&mut self, at: usize, head: Option<u64>) -> anyhow::Result<Vec<u8>> {
        let entry = self
            .archive
            .entries
            .get(at)
            .context("there is no such entry")?;
        inflate(&mut self.from, entry, head)
            .with_context(|| format!("the entry {:?} is damaged", entry.path))
    }
}

fn inflate<From: Read + Seek>(
    from: &mut From,
    entry: &ArchiveEntry,
    head: Option<u64>,
) -> anyhow::Result<Vec<u8>> {
    let local = part(from, entry.at, LOCAL_BYTES as u64)?;
    let length = |at: usize| u64::from(u16::from_le_bytes([local[at], local[at + 1]]));
    if local[..4] != LOCAL {
        bail!("it does not begin where the ZIP's list says");
    }
    from.seek(SeekFrom::Current(i64::try_from(length(26) + length(28))?))?;
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
    if found > entry.size || found < entry.size.min(most) {
        bail!("it does not have the size that it declares");
    }
    if found == entry.size {
        let mut crc = Crc::new();
        crc.update(&bytes);
        if crc.sum() != entry.crc32 {
            bail!("its bytes do not fit its checksum");
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
