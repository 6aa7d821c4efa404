//! ZIP files whose bytes can be read anywhere at once: on disk, in memory, or of a browser's file in a worker.

use std::io::{self, Read, Seek, SeekFrom};

use super::outside::{Outside, Stray};
use super::unpack::{Damage, Unpacking};
use super::{Archive, ArchiveError, TAIL_BYTES, find, read};

/// So much of a file is read at a time.
const READ_BYTES: u64 = 1 << 20;

/// Why a ZIP file or an entry of it cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ZipFileError {
    /// The file's own bytes do not come.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no ZIP, or one that is refused.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// An entry that is refused.
    #[error("{0}")]
    Refused(String),
    /// The directory lists fewer entries.
    #[error("there is no such entry")]
    NoEntry,
    /// An entry whose bytes are not those that were packed.
    #[error("the entry {entry:?} is damaged: {damage}")]
    Damaged {
        /// The ZIP's own name.
        zip: String,
        /// The entry as it is called there.
        entry: String,
        /// In what way.
        damage: Damage,
    },
}

/// A ZIP that was listed.
#[derive(Debug)]
pub struct ZipFile<From> {
    from: From,
    name: String,
    /// What it holds.
    pub archive: Archive,
}

impl<From: Read + Seek> ZipFile<From> {
    /// Lists a ZIP; `name` is its own.
    ///
    /// # Errors
    /// It cannot be read, is no ZIP, or is refused as a whole.
    pub fn list(mut from: From, name: &str) -> Result<Self, ZipFileError> {
        let size = from.seek(SeekFrom::End(0))?;
        let at = size.saturating_sub(TAIL_BYTES);
        let tail = part(&mut from, at, size - at)?;
        let place = find(&tail, at)?;
        let directory = part(&mut from, place.at, place.length)?;
        let archive = read(&directory, &place, name)?;
        Ok(Self {
            from,
            name: name.to_owned(),
            archive,
        })
    }

    /// Inflates a file by its number in [`Archive::listed`], or its first `head` bytes; a whole one is held against its
    /// checksum.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn bytes(&mut self, at: usize, head: Option<u64>) -> Result<Vec<u8>, ZipFileError> {
        if let Some(refused) = self.archive.refusal(at) {
            return Err(ZipFileError::Refused(refused.message.clone()));
        }
        let entry = (self.archive.entries.get(at)).ok_or(ZipFileError::NoEntry)?;
        let mut unpacking = Unpacking::of(entry, head);
        let room = usize::try_from(unpacking.wanted().min(READ_BYTES)).map_err(io::Error::other)?;
        let mut bytes = Vec::with_capacity(room);
        while let Some(wanted) = unpacking.next_part() {
            self.from.seek(SeekFrom::Start(wanted.at))?;
            let mut read = Vec::new();
            let length = wanted.length.min(READ_BYTES);
            (&mut self.from).take(length).read_to_end(&mut read)?;
            let taken = unpacking.take(&read, &mut |some| bytes.extend_from_slice(some));
            taken.map_err(|damage| ZipFileError::Damaged {
                zip: self.name.clone(),
                entry: entry.path.clone(),
                damage,
            })?;
        }
        Ok(bytes)
    }

    /// What it holds besides its files.
    ///
    /// # Errors
    /// It cannot be read, or its list is damaged.
    pub fn outside(&mut self) -> Result<Vec<Stray>, ZipFileError> {
        let mut outside = Outside::of(self.from.seek(SeekFrom::End(0))?);
        while let Some(wanted) = outside.next_part() {
            self.from.seek(SeekFrom::Start(wanted.at))?;
            let mut read = Vec::new();
            (&mut self.from)
                .take(wanted.length)
                .read_to_end(&mut read)?;
            outside.take(&read)?;
        }
        Ok(outside.found())
    }
}

fn part<From: Read + Seek>(from: &mut From, at: u64, length: u64) -> io::Result<Vec<u8>> {
    from.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
