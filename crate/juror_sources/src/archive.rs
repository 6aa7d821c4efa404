//! ZIP files as lists of entries: one reading of the directory, of names and of what is refused, for every host.
//!
//! Hosts bring the end of the file, then the directory that [`find`] names, and parts of entries from where [`read`]
//! says they lie, which [`Unpacking`](unpack::Unpacking) inflates; no name and no number in a ZIP is taken for more than a
//! claim. The rules:
//!
//! - A name is UTF-8 where its flag says so or where its bytes are that; other bytes are read as code page 437. The Unicode
//!   Path field goes before both, if its checksum is that of the name beside it.
//! - The count of entries, and beyond 4 GiB their offsets, may be written without their upper bits, as macOS writes them: the
//!   list itself says how many there are, and each entry's own header where it is.
//! - `\` stands between folders as `/` does; `.` and empty parts go.
//! - Names that leave the folder, start at a root, hold control characters or nothing at all are refused, and so are
//!   entries that are encrypted, links, packed by another method than deflate, or claim sizes beyond the limits. Such an entry
//!   is no missing file: it keeps its path, and hosts list it as one that cannot be read.
//! - Two entries of one name are two truths: such a file is refused as a whole.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use juror_model::tree::{self, BadPath, PACK_MANIFEST, download_of, leftover, may_be_folder};
use juror_reading::limits::{
    ZIP_BYTES, ZIP_DIRECTORY_BYTES, ZIP_ENTRIES, ZIP_ENTRY_BYTES, ZIP_RATIO, ZIP_STEEP_BYTES,
    ZIP_STEEP_RATIO,
};

mod checksum;
mod extra;
pub mod file;
pub mod outside;
pub mod unpack;

/// Below this size a ratio says nothing: a blank picture compresses well.
const RATIO_FROM_BYTES: u64 = 1 << 20;
/// So much of the end of a file is enough for [`find`].
pub const TAIL_BYTES: u64 = 96 << 10;

const END: u32 = 0x0605_4b50;
const END_BYTES: usize = 22;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
const RECORD: u32 = 0x0201_4b50;
const RECORD_BYTES: usize = 46;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Why a ZIP cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// No end record.
    #[error("This is no ZIP file, or its end is cut off. Download or copy it again.")]
    NoEnd,
    /// The directory is not where it is said to be, or not what it is said to be.
    #[error("The ZIP's list of files is damaged. Download or copy it again, or create it again.")]
    Damaged,
    /// In several parts.
    #[error(
        "This is one part of a ZIP in several parts. Join the parts, or create it again as one file."
    )]
    Parts,
    /// Beyond [`ZIP_ENTRIES`].
    #[error("The ZIP lists {found} files, more than {ZIP_ENTRIES}. Unpack it and open the folder.")]
    TooMany {
        /// How many it says.
        found: u64,
    },
    /// Beyond [`ZIP_DIRECTORY_BYTES`].
    #[error(
        "The ZIP's list of files has {found} bytes, more than {} MiB. Unpack it and open the folder.",
        ZIP_DIRECTORY_BYTES >> 20
    )]
    TooLong {
        /// How many it says.
        found: u64,
    },
    /// Two entries of one name.
    #[error(
        "The ZIP has two files of the name {name:?}. It is not clear which one is meant, so the ZIP is refused. Create it again."
    )]
    Twice {
        /// The name.
        name: String,
    },
}

impl ArchiveError {
    /// Stable name.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Twice { .. } => "zip_twice",
            Self::TooMany { .. } | Self::TooLong { .. } => "zip_too_many",
            Self::NoEnd | Self::Damaged | Self::Parts => "bad_zip",
        }
    }
}

/// Where a directory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ArchiveDirectory {
    /// First byte in the file.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub at: u64,
    /// Bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub length: u64,
    /// Entries.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub count: u64,
    /// Whether offsets and the count lack their upper bits.
    pub is_wrapped: bool,
}

/// A file in a ZIP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ArchiveEntry {
    /// Path, with `/` between folders.
    pub path: String,
    /// Size in bytes, as it is claimed.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub size: u64,
    /// Bytes that it takes in the file.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub packed: u64,
    /// Where its own header begins, which stands before its bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub at: u64,
    /// Bytes of its name, which its own header has again.
    pub name_bytes: u32,
    /// Whether it is deflated; stored as it is otherwise.
    pub is_deflated: bool,
    /// CRC-32 of its bytes.
    pub crc32: u32,
    /// Whether a system or a tool has left it: it is never content.
    pub is_leftover: bool,
}

/// An entry that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RefusedEntry {
    /// Its name, without control characters.
    pub name: String,
    /// Its path, where it has one: it is a file that cannot be read.
    pub path: Option<String>,
    /// Size in bytes, as it is claimed.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub size: u64,
    /// Why.
    pub message: String,
}

impl RefusedEntry {
    /// Path and claimed size as a host lists it, where it has a path; what may be a folder ends in `/` and has no size.
    fn listed(&self) -> Option<(String, Option<u64>)> {
        let path = self.path.as_ref()?;
        Some(if self.message == LINK && may_be_folder(path) {
            (format!("{path}/"), None)
        } else {
            (path.clone(), Some(self.size))
        })
    }
}

/// Why a link is refused.
const LINK: &str = "The entry is a link to another file, which a ZIP cannot be followed to. Create the ZIP again with the files themselves.";

/// What a ZIP holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Archive {
    /// Files, in the order of the directory.
    pub entries: Vec<ArchiveEntry>,
    /// What is refused.
    pub refused: Vec<RefusedEntry>,
    /// What goes before every path: the ZIP's own name as a folder where there is no common one, so that two ZIPs do not
    /// fall together.
    pub root: String,
    /// Where the manifest of an evidence pack would lie: at the root, or in the only folder; `None` where there is no
    /// file of that name.
    pub pack: Option<String>,
}

impl Archive {
    /// Path and claimed size of each file, with what goes before it, in the order of their numbers: those that can be read, then
    /// those that are refused and have a path.
    pub fn listed(&self) -> impl Iterator<Item = (String, Option<u64>)> {
        let sound = (self.entries.iter()).map(|entry| (entry.path.clone(), Some(entry.size)));
        let refused = self.refused.iter().filter_map(RefusedEntry::listed);
        sound
            .chain(refused)
            .map(|(path, size)| (format!("{}{path}", self.root), size))
    }

    /// Why the file of this number cannot be read; `None` for one that can.
    pub fn refusal(&self, number: usize) -> Option<&RefusedEntry> {
        let number = number.checked_sub(self.entries.len())?;
        let mut refused = self.refused.iter().filter(|one| one.path.is_some());
        refused.nth(number)
    }
}

/// Finds the directory in the last bytes of a file, which begin at `at`.
///
/// # Errors
/// There is none, or it is said to be where it cannot be.
pub fn find(tail: &[u8], at: u64) -> Result<ArchiveDirectory, ArchiveError> {
    let place = end_of(tail)?;
    let short = |field| u16_at(tail, place + field).ok_or(ArchiveError::NoEnd);
    let long = |field| u32_at(tail, place + field).ok_or(ArchiveError::NoEnd);
    let (disk, first, here) = (short(4)?, short(6)?, short(8)?);
    let (count, length, start) = (short(10)?, long(12)?, long(16)?);
    let locator = place.checked_sub(20);
    let has_locator = locator.is_some_and(|locator| u32_at(tail, locator) == Some(LOCATOR64));
    let (found, end) = match locator {
        Some(locator) if has_locator => find64(tail, at, locator)?,
        _ if [disk, first].iter().any(|number| *number != 0) || here != count => {
            return Err(ArchiveError::Parts);
        }
        _ => {
            let end = at + place as u64;
            (of_end(end, start, length, count), end)
        }
    };
    if found.count > ZIP_ENTRIES {
        return Err(ArchiveError::TooMany { found: found.count });
    }
    if found.length > ZIP_DIRECTORY_BYTES {
        let found = found.length;
        return Err(ArchiveError::TooLong { found });
    }
    if found.at.checked_add(found.length) != Some(end) {
        return Err(ArchiveError::Damaged);
    }
    Ok(found)
}

/// Where the end record begins in the last bytes of a file.
fn end_of(tail: &[u8]) -> Result<usize, ArchiveError> {
    let is_end = |place: &usize| {
        u32_at(tail, *place) == Some(END)
            && u16_at(tail, place + 20).map(|comment| place + END_BYTES + usize::from(comment))
                == Some(tail.len())
    };
    let last = tail.len().checked_sub(END_BYTES);
    let mut places = (0..=last.ok_or(ArchiveError::NoEnd)?).rev();
    places.find(is_end).ok_or(ArchiveError::NoEnd)
}

/// What an end record says that begins at `end`; beyond 4 GiB it has the lower bits of where the directory begins.
fn of_end(end: u64, start: u32, length: u32, count: u16) -> ArchiveDirectory {
    let begin = end.checked_sub(length.into());
    let is_lower = |begin: &u64| *begin & u64::from(u32::MAX) == u64::from(start);
    ArchiveDirectory {
        at: begin.filter(is_lower).unwrap_or(start.into()),
        length: length.into(),
        count: count.into(),
        is_wrapped: true,
    }
}

/// The same of a ZIP with the records for more than 65,535 entries or 4 GiB: its end record, and where that begins.
fn find64(tail: &[u8], at: u64, locator: usize) -> Result<(ArchiveDirectory, u64), ArchiveError> {
    let end = u64_at(tail, locator + 8).ok_or(ArchiveError::Damaged)?;
    let place = end
        .checked_sub(at)
        .and_then(|place| usize::try_from(place).ok());
    let place = place
        .filter(|place| u32_at(tail, *place) == Some(END64))
        .ok_or(ArchiveError::Damaged)?;
    let field = |field| u64_at(tail, place + field).ok_or(ArchiveError::Damaged);
    let disks = [u32_at(tail, place + 16), u32_at(tail, place + 20)];
    let count = field(32)?;
    if disks != [Some(0), Some(0)] || field(24)? != count {
        return Err(ArchiveError::Parts);
    }
    let found = ArchiveDirectory {
        at: field(48)?,
        length: field(40)?,
        count,
        is_wrapped: false,
    };
    Ok((found, end))
}

/// Reads a directory; `name` is the ZIP's own.
///
/// # Errors
/// It is damaged, or has two entries of one name.
pub fn read(
    directory: &[u8],
    place: &ArchiveDirectory,
    name: &str,
) -> Result<Archive, ArchiveError> {
    let mut archive = Archive::default();
    let mut seen: HashSet<String> = HashSet::new();
    let mut at = 0;
    let mut total = Total::default();
    let mut count = 0;
    let mut offsets = Offsets::of(place);
    while at < directory.len() {
        let record =
            Record::read(directory, at, place, &mut offsets).ok_or(ArchiveError::Damaged)?;
        at = record.end;
        count += 1;
        if count > ZIP_ENTRIES {
            let found = (directory.len() / RECORD_BYTES) as u64;
            return Err(ArchiveError::TooMany { found });
        }
        if record.name.ends_with(['/', '\\']) {
            continue;
        }
        match record.entry(&mut total) {
            Ok(entry) => {
                if !entry.is_leftover && !seen.insert(entry.path.clone()) {
                    return Err(ArchiveError::Twice { name: entry.path });
                }
                archive.entries.push(entry);
            }
            Err(message) => archive.refused.push(RefusedEntry {
                name: shown(&record.name),
                path: record.path().ok(),
                size: record.size,
                message: message.to_owned(),
            }),
        }
    }
    let counted = if place.is_wrapped {
        count % (1 << 16)
    } else {
        count
    };
    if counted != place.count {
        return Err(ArchiveError::Damaged);
    }
    // A file that can be read beside one of its name that cannot are two truths as well; of two that cannot one is enough.
    let mut unread: HashSet<String> = HashSet::new();
    for refused in &mut archive.refused {
        match refused.path.take() {
            Some(path) if seen.contains(&path) => return Err(ArchiveError::Twice { name: path }),
            Some(path) if unread.insert(path.clone()) => refused.path = Some(path),
            _ => {}
        }
    }
    archive.place(name);
    Ok(archive)
}

/// Where entries lie whose records may have the lower 32 bits alone: one after another, as whoever writes such records does.
struct Offsets {
    /// What is added to what a record says; `None` where it says all.
    upper: Option<u64>,
    last: u64,
}

impl Offsets {
    fn of(place: &ArchiveDirectory) -> Self {
        let is_beyond = place.at > u64::from(u32::MAX);
        Self {
            upper: (place.is_wrapped && is_beyond).then_some(0),
            last: 0,
        }
    }

    /// Where an entry lies; each entry's own header is held against it when it is read.
    fn whole(&mut self, said: u64) -> u64 {
        let Some(upper) = &mut self.upper else {
            return said;
        };
        if *upper + said < self.last {
            *upper += 1 << 32;
        }
        self.last = *upper + said;
        self.last
    }
}

impl Archive {
    /// Finds what goes before every path, and where a pack's manifest would lie.
    fn place(&mut self, name: &str) {
        let content = || self.entries.iter().filter(|entry| !entry.is_leftover);
        let top = |entry: &ArchiveEntry| {
            let (top, _) = entry.path.split_once('/')?;
            Some(top.to_owned())
        };
        let mut tops: HashSet<Option<String>> = content().map(top).collect();
        let only = match tops.len() {
            1 => tops.drain().next().flatten(),
            _ => None,
        };
        let stem = name.len().checked_sub(4).filter(|cut| {
            let end = name.get(*cut..);
            end.is_some_and(|end| end.eq_ignore_ascii_case(".zip"))
        });
        let stem = stem.map_or(name, |cut| &name[..cut]);
        let has = |path: &str| content().any(|entry| entry.path == path);
        let folder = only.as_ref().map(|only| format!("{only}/"));
        let places = [Some(String::new()), folder].into_iter().flatten();
        self.pack = places
            .into_iter()
            .find(|folder| has(&format!("{folder}{PACK_MANIFEST}")));
        self.root = match (only, download_of(stem)) {
            // Parts of one download continue each other, whether or not a part has one folder alone.
            (_, Some(download)) => format!("{download}/"),
            (Some(_), None) => String::new(),
            (None, None) => format!("{stem}/"),
        };
    }
}

/// Bytes that the entries so far come to.
#[derive(Default)]
struct Total {
    bytes: u64,
    /// Those of entries that grow so much that few bytes of a ZIP would keep a reader busy.
    steep: u64,
}

/// One record of a directory.
struct Record {
    name: String,
    name_bytes: u32,
    is_name_broken: bool,
    flags: u16,
    method: u16,
    crc32: u32,
    packed: u64,
    size: u64,
    at: u64,
    is_link: bool,
    /// Where the next one begins.
    end: usize,
}

impl Record {
    fn read(
        bytes: &[u8],
        at: usize,
        place: &ArchiveDirectory,
        offsets: &mut Offsets,
    ) -> Option<Self> {
        if u32_at(bytes, at)? != RECORD {
            return None;
        }
        let short = |field| u16_at(bytes, at + field);
        let long = |field| u32_at(bytes, at + field);
        let lengths = [short(28)?, short(30)?, short(32)?].map(usize::from);
        let name_at = at + RECORD_BYTES;
        let extra_at = name_at + lengths[0];
        let end = extra_at + lengths[1] + lengths[2];
        let raw = bytes.get(name_at..extra_at)?;
        let extra = bytes.get(extra_at..extra_at + lengths[1])?;
        bytes.get(..end)?;
        let flags = short(8)?;
        let (name, is_name_broken) = match extra::unicode_path(extra, raw) {
            Some(name) => (name.to_owned(), false),
            None => name_of(raw, flags & (1 << 11) != 0),
        };
        let mut sizes = [long(24)?, long(20)?, long(42)?].map(u64::from);
        if offsets.upper.is_none() {
            extra::large(extra, &mut sizes)?;
        }
        let [size, packed, local] = sizes;
        let local = offsets.whole(local);
        // Unix keeps the kind of file in the upper half of the outer attributes.
        let is_unix = short(4)? >> 8 == 3;
        let is_link = is_unix && (long(38)? >> 16) & 0o170_000 == 0o120_000;
        // An entry lies before the directory.
        (local < place.at && packed <= place.at - local).then_some(())?;
        Some(Self {
            name,
            name_bytes: u32::try_from(lengths[0]).ok()?,
            is_name_broken,
            flags,
            method: short(10)?,
            crc32: long(16)?,
            packed,
            size,
            at: local,
            is_link,
            end,
        })
    }

    /// Its path, or why it has none.
    fn path(&self) -> Result<String, &'static str> {
        if self.is_name_broken {
            return Err("The name is said to be UTF-8 and is not; the entry was refused.");
        }
        if self.name.chars().any(char::is_control) {
            return Err("The name contains control characters; the entry was refused.");
        }
        tree::normalize(&self.name).map_err(|reason| match reason {
            BadPath::Parent => "The name would leave the folder (..); the entry was refused.",
            BadPath::Absolute => {
                "The name is an absolute path, which would leave the folder; the entry was refused."
            }
            BadPath::TooLong => "The name is too long for a path; the entry was refused.",
            BadPath::NoName => "The entry has no usable name; it was refused.",
        })
    }

    /// The entry, or why it is refused.
    fn entry(&self, total: &mut Total) -> Result<ArchiveEntry, &'static str> {
        let path = self.path()?;
        let is_leftover = leftover(&path).is_some();
        if !is_leftover {
            self.check(total)?;
        }
        Ok(ArchiveEntry {
            path,
            size: self.size,
            packed: self.packed,
            at: self.at,
            name_bytes: self.name_bytes,
            is_deflated: self.method == DEFLATED,
            crc32: self.crc32,
            is_leftover,
        })
    }

    fn check(&self, total: &mut Total) -> Result<(), &'static str> {
        if self.flags & 1 != 0 {
            return Err(
                "The entry is encrypted. Unpack the ZIP with its password and open the folder.",
            );
        }
        if self.is_link {
            return Err(LINK);
        }
        if self.method != STORED && self.method != DEFLATED {
            return Err(
                "The entry is packed by a method other than deflate. Create the ZIP again with the usual one.",
            );
        }
        if self.method == STORED && self.size != self.packed {
            return Err("The entry does not have the size that it declares; it was refused.");
        }
        if self.size > ZIP_ENTRY_BYTES {
            return Err("The entry declares more than 1 GiB; it was refused.");
        }
        if self.size > RATIO_FROM_BYTES && self.size / ZIP_RATIO > self.packed {
            return Err(
                "The entry declares more than 1000 times its compressed size; it was refused.",
            );
        }
        if total.bytes + self.size > ZIP_BYTES {
            return Err(
                "The ZIP declares more than 20 GiB; this entry and those after it that do not fit were left out.",
            );
        }
        if self.size / ZIP_STEEP_RATIO > self.packed {
            if total.steep + self.size > ZIP_STEEP_BYTES {
                return Err(
                    "Entries that declare more than 100 times their compressed size come to more than 64 MiB with this one. Unpack the ZIP and open the folder.",
                );
            }
            total.steep += self.size;
        }
        total.bytes += self.size;
        Ok(())
    }
}

/// A name as text, and whether it is not what its flag says.
fn name_of(raw: &[u8], is_flagged: bool) -> (String, bool) {
    match std::str::from_utf8(raw) {
        Ok(name) => (name.to_owned(), false),
        Err(_) if is_flagged => (String::from_utf8_lossy(raw).into_owned(), true),
        Err(_) => (raw.iter().map(|byte| cp437(*byte)).collect(), false),
    }
}

/// A byte of code page 437, in which names stand that are not said to be UTF-8.
fn cp437(byte: u8) -> char {
    const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
    match byte {
        0..=0x7f => char::from(byte),
        _ => UPPER
            .chars()
            .nth(usize::from(byte - 0x80))
            .unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// A name for a message.
fn shown(name: &str) -> String {
    name.chars()
        .map(|letter| {
            if letter.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                letter
            }
        })
        .take(200)
        .collect()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*field))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*field))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*field))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// A directory of entries that hold one stored byte each, and the end record after it.
    fn zip(entries: &[(&[u8], u16)]) -> Vec<u8> {
        let mut directory = Vec::new();
        for (at, (name, flags)) in (0_u32..).zip(entries) {
            let length = u16::try_from(name.len()).unwrap();
            directory.extend(RECORD.to_le_bytes());
            directory.extend([20, 0, 20, 0]);
            directory.extend(flags.to_le_bytes());
            directory.extend([0; 6]);
            directory.extend([0; 4]);
            directory.extend(1_u32.to_le_bytes());
            directory.extend(1_u32.to_le_bytes());
            directory.extend(length.to_le_bytes());
            directory.extend([0; 12]);
            directory.extend(at.to_le_bytes());
            directory.extend(*name);
        }
        let count = u16::try_from(entries.len() % (1 << 16)).unwrap();
        let mut file = vec![0; entries.len() + 1];
        let at = u32::try_from(file.len()).unwrap();
        let length = u32::try_from(directory.len()).unwrap();
        file.extend(directory);
        file.extend(END.to_le_bytes());
        file.extend([0; 4]);
        file.extend(count.to_le_bytes());
        file.extend(count.to_le_bytes());
        file.extend(length.to_le_bytes());
        file.extend(at.to_le_bytes());
        file.extend([0; 2]);
        file
    }

    fn listed(entries: &[(&[u8], u16)]) -> Result<Archive, ArchiveError> {
        let file = zip(entries);
        let place = find(&file, 0)?;
        let (at, end) = (
            usize::try_from(place.at).unwrap(),
            usize::try_from(place.at + place.length).unwrap(),
        );
        read(&file[at..end], &place, "Some.ZIP")
    }

    fn paths(archive: &Archive) -> Vec<&str> {
        archive
            .entries
            .iter()
            .map(|entry| entry.path.as_str())
            .collect()
    }

    #[test]
    fn names_are_read_by_one_rule() {
        let archive = listed(&[
            (b"a\\b.png", 0),
            ("ü/1.png".as_bytes(), 1 << 11),
            ("ü/2.png".as_bytes(), 0),
            (b"\x81/3.png", 0),
            (b"./c//d.png", 0),
            (b"folder/", 0),
        ])
        .unwrap();
        assert_eq!(
            paths(&archive),
            ["a/b.png", "ü/1.png", "ü/2.png", "ü/3.png", "c/d.png"]
        );
        assert_eq!(archive.refused, []);
        assert_eq!((archive.root.as_str(), archive.pack), ("Some/", None));
    }

    /// A record of an entry of one stored byte at an offset, with an extra field.
    fn record(name: &[u8], at: u32, extra: &[u8]) -> Vec<u8> {
        let mut record = RECORD.to_le_bytes().to_vec();
        record.extend([20, 0, 20, 0]);
        record.extend([0; 12]);
        record.extend([1, 0, 0, 0, 1, 0, 0, 0]);
        record.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        record.extend(u16::try_from(extra.len()).unwrap().to_le_bytes());
        record.extend([0; 10]);
        record.extend(at.to_le_bytes());
        record.extend(name);
        record.extend(extra);
        record
    }

    /// The field of a name in Unicode, with the checksum of a name.
    fn unicode_path(version: u8, of: &[u8], name: &[u8]) -> Vec<u8> {
        let mut field = vec![version];
        field.extend(crc32fast(of).to_le_bytes());
        field.extend(name);
        let mut extra = b"UT\x01\0\0up".to_vec();
        extra.extend(u16::try_from(field.len()).unwrap().to_le_bytes());
        extra.extend(field);
        extra
    }

    fn crc32fast(bytes: &[u8]) -> u32 {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    }

    #[test]
    fn a_name_in_unicode_beside_another_is_the_name_if_it_is_of_that_one() {
        let raw = b"\x81/\x81.png";
        let named = |extra: &[u8]| {
            let directory = record(raw, 0, extra);
            let place = ArchiveDirectory {
                at: 99,
                length: directory.len() as u64,
                count: 1,
                is_wrapped: true,
            };
            let archive = read(&directory, &place, "z.zip").unwrap();
            archive.entries[0].path.clone()
        };
        let path = "мир/猫.png".as_bytes();
        assert_eq!(named(&unicode_path(1, raw, path)), "мир/猫.png");
        // Somebody has renamed the entry, or the field is none that is known.
        for other in [
            unicode_path(1, b"other.png", path),
            unicode_path(2, raw, path),
            unicode_path(1, raw, b"\xff.png"),
            unicode_path(1, raw, b""),
            unicode_path(1, raw, path)[..12].to_vec(),
        ] {
            assert_eq!(named(&other), "ü/ü.png");
        }
    }

    #[test]
    fn more_than_65535_files_without_the_records_for_so_many_are_all_listed() {
        let names: Vec<String> = (0..70_000).map(|at| format!("{at}.png")).collect();
        let entries: Vec<(&[u8], u16)> = names.iter().map(|name| (name.as_bytes(), 0)).collect();
        assert_eq!(listed(&entries).unwrap().entries.len(), 70_000);
        let file = zip(&entries[..9]);
        let place = find(&file, 0).unwrap();
        let directory = &file[10..10 + usize::try_from(place.length).unwrap()];
        for count in [8, 10, 70_000] {
            let other = ArchiveDirectory { count, ..place };
            assert_eq!(read(directory, &other, "z.zip"), Err(ArchiveError::Damaged));
        }
        // With those records the count is whole.
        let whole = ArchiveDirectory {
            count: 9,
            is_wrapped: false,
            ..place
        };
        assert!(read(directory, &whole, "z.zip").is_ok());
    }

    #[test]
    fn offsets_beyond_4_gib_without_the_records_for_so_much_are_found() {
        const GIB: u64 = 1 << 30;
        let lower = |at: u64| u32::try_from(at % (4 * GIB)).unwrap();
        let places = [0, GIB, 3 * GIB, 4 * GIB + 5, 7 * GIB, 9 * GIB];
        let mut tail: Vec<u8> = (places.iter().enumerate())
            .flat_map(|(at, place)| record(format!("{at}.png").as_bytes(), lower(*place), &[]))
            .collect();
        let (at, length) = (10 * GIB, u32::try_from(tail.len()).unwrap());
        tail.extend(END.to_le_bytes());
        tail.extend([0, 0, 0, 0, 6, 0, 6, 0]);
        tail.extend(length.to_le_bytes());
        tail.extend(lower(at).to_le_bytes());
        tail.extend([0, 0]);
        let place = find(&tail, at).unwrap();
        assert_eq!((place.at, place.length), (at, length.into()));
        let archive = read(&tail[..length as usize], &place, "z.zip").unwrap();
        let found: Vec<u64> = archive.entries.iter().map(|entry| entry.at).collect();
        assert_eq!(found, places);
        // Bytes that somebody has put before a ZIP are no such thing.
        assert_eq!(find(&tail, at + 1), Err(ArchiveError::Damaged));
    }

    #[test]
    fn what_is_refused_under_a_path_is_listed_as_a_file_that_cannot_be_read() {
        let archive = listed(&[
            (b"secret.png", 1),
            (b"good.png", 0),
            (b"../a.png", 0),
            (b"secret.txt", 1),
            (b"secret.txt", 1),
        ])
        .unwrap();
        let found: Vec<(String, Option<u64>)> = archive.listed().collect();
        let paths = ["good.png", "secret.png", "secret.txt"];
        assert_eq!(found, paths.map(|path| (format!("Some/{path}"), Some(1))));
        assert_eq!(archive.refusal(0), None);
        assert_eq!(archive.refusal(2).unwrap().name, "secret.txt");
        assert_eq!(archive.refusal(3), None);
        let twice = listed(&[(b"a.png", 1), (b"a.png", 0)]);
        assert!(matches!(twice, Err(ArchiveError::Twice { .. })));
    }

    #[test]
    fn names_that_leave_the_folder_or_hide_something_are_refused_one_by_one() {
        let archive = listed(&[
            (b"../a.png", 0),
            (b"a\\..\\..\\b.png", 0),
            (b"/etc/passwd", 0),
            (b"C:\\x.png", 0),
            (b"a\nb.png", 0),
            (b"a\0b.png", 0),
            (b"\xff.png", 1 << 11),
            (b"secret.png", 1),
            (b"good.png", 0),
        ])
        .unwrap();
        assert_eq!(paths(&archive), ["good.png"]);
        assert_eq!(archive.refused.len(), 8);
        assert!(
            archive.refused[0]
                .message
                .contains("would leave the folder")
        );
        assert_eq!(archive.refused[4].name, "a\u{fffd}b.png");
    }

    #[test]
    fn two_entries_of_one_name_refuse_the_file_however_they_are_written() {
        for other in [&b"a/b.png"[..], b"a\\b.png", b"a//b.png", b"./a/b.png"] {
            let found = listed(&[(b"a/b.png", 0), (other, 0)]);
            assert_eq!(
                found,
                Err(ArchiveError::Twice {
                    name: "a/b.png".to_owned()
                })
            );
        }
        // Another case is another name, and what a system leaves is none.
        assert!(listed(&[(b"a/b.png", 0), (b"a/B.png", 0)]).is_ok());
        assert!(listed(&[(b"a/.DS_Store", 0), (b"a/.DS_Store", 0)]).is_ok());
    }

    #[test]
    fn a_pack_in_its_only_folder_is_found_there() {
        let archive = listed(&[(b"x/manifest.json", 0), (b"__MACOSX/x/._manifest.json", 0)]);
        let archive = archive.unwrap();
        assert_eq!(
            (archive.root.as_str(), archive.pack.as_deref()),
            ("", Some("x/"))
        );
        let archive = listed(&[(b"manifest.json", 0), (b"x/manifest.json", 0)]).unwrap();
        assert_eq!(archive.pack.as_deref(), Some(""));
        let archive = listed(&[(b"x/manifest.json", 0), (b"y/a.png", 0)]).unwrap();
        assert_eq!(archive.pack, None);
    }

    #[test]
    fn a_damaged_or_cut_directory_is_no_list() {
        let file = zip(&[(b"a.png", 0)]);
        assert!(find(&file, 0).is_ok());
        for end in 0..file.len() {
            assert!(find(&file[..end], 0).is_err(), "{end}");
        }
        let place = find(&file, 0).unwrap();
        let at = usize::try_from(place.at).unwrap();
        let end = at + usize::try_from(place.length).unwrap();
        assert_eq!(
            read(&file[at..end - 1], &place, "z"),
            Err(ArchiveError::Damaged)
        );
        assert_eq!(
            read(&file[at + 1..end], &place, "z"),
            Err(ArchiveError::Damaged)
        );
        let many = ArchiveDirectory { count: 2, ..place };
        assert_eq!(read(&file[at..end], &many, "z"), Err(ArchiveError::Damaged));
    }
}
