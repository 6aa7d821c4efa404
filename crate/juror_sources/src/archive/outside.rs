//! What a ZIP holds besides its files: comments, folders with nothing in them, bytes of no entry, and names and sizes that an
//! entry's own header has otherwise than the list.
//!
//! Listing passes all of it over, and so does whoever unpacks by the list; a person who is shown a comment, and a program that
//! reads from the beginning, are told something else. Hosts bring the parts of the file that [`Outside::next_part`] names. Times
//! and owners, which tools note in extra fields, are not looked at.

use juror_model::tree::{BadPath, base_name, folders_of, leftover, normalize};

use super::unpack::{ByteRange, LOCAL, LOCAL_BYTES};
use super::{
    ArchiveDirectory, ArchiveError, END_BYTES, Offsets, RECORD_BYTES, Record, TAIL_BYTES, end_of,
    extra, find, shown, u16_at, u32_at,
};

/// The records of a ZIP for more than 65,535 entries or 4 GiB, which stand before its end.
const LARGE_END_BYTES: u64 = 56 + 20;
/// After an entry whose sizes were not known when its header was written: a mark, the checksum and both sizes.
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
const DESCRIPTOR_BYTES: u64 = 24;
/// More than tools note of a file in its own header.
const MOST_EXTRA_BYTES: u64 = 1 << 10;
/// The flag of such an entry.
const IS_DESCRIBED: u16 = 1 << 3;

/// Something that a ZIP holds besides its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Where it is: a name, a place.
    pub about: String,
    /// What it is.
    pub found: String,
}

/// A walk over a ZIP from its end to the last of its entries.
#[derive(Debug)]
pub struct Outside {
    next: Next,
    found: Vec<Stray>,
}

#[derive(Debug)]
enum Next {
    /// The end of the file, whose size this is.
    Tail(u64),
    /// The list.
    Directory(ArchiveDirectory),
    /// An entry's own header.
    Header(Walk),
    /// What stands after an entry's bytes.
    Descriptor(Walk),
    Nothing,
}

/// Entries in the order of their places.
#[derive(Debug)]
struct Walk {
    entries: std::vec::IntoIter<Held>,
    entry: Held,
    /// Where the entries so far end.
    end: u64,
    /// Where the list begins.
    directory: u64,
}

/// An entry as the list has it.
#[derive(Debug)]
struct Held {
    name: String,
    raw: Vec<u8>,
    at: u64,
    flags: u16,
    method: u16,
    crc32: u32,
    packed: u64,
    size: u64,
}

impl Outside {
    /// Of a file of this size.
    pub fn of(size: u64) -> Self {
        Self {
            next: Next::Tail(size),
            found: Vec::new(),
        }
    }

    /// The part of the file that is to be brought next; `None` once all was seen.
    pub fn next_part(&self) -> Option<ByteRange> {
        Some(match &self.next {
            Next::Tail(size) => ByteRange {
                at: size.saturating_sub(TAIL_BYTES),
                length: (*size).min(TAIL_BYTES),
            },
            Next::Directory(place) => ByteRange {
                at: place.at,
                length: place.length,
            },
            Next::Header(walk) => ByteRange {
                at: walk.entry.at,
                length: LOCAL_BYTES as u64 + walk.entry.raw.len() as u64 + MOST_EXTRA_BYTES,
            },
            Next::Descriptor(walk) => ByteRange {
                at: walk.end,
                length: DESCRIPTOR_BYTES,
            },
            Next::Nothing => return None,
        })
    }

    /// Takes in what lies where [`next_part`](Self::next_part) says; fewer bytes where the file ends before.
    ///
    /// # Errors
    /// It is no ZIP, or its list is damaged.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.next = match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Tail(size) => {
                let place = find(bytes, size.saturating_sub(TAIL_BYTES))?;
                self.tail(bytes, size, &place)?;
                Next::Directory(place)
            }
            Next::Directory(place) => self.directory(bytes, &place)?,
            Next::Header(walk) => self.header(walk, bytes),
            Next::Descriptor(mut walk) => {
                walk.end += walk.entry.descriptor(bytes);
                self.following(walk)
            }
            Next::Nothing => Next::Nothing,
        };
        Ok(())
    }

    /// What was found, once all was seen.
    pub fn found(self) -> Vec<Stray> {
        self.found
    }

    fn tell(&mut self, about: impl Into<String>, found: impl Into<String>) {
        let (about, found) = (about.into(), found.into());
        self.found.push(Stray { about, found });
    }

    fn bytes_between(&mut self, from: u64, to: u64) {
        if to > from {
            let about = format!("bytes {from} to {}", to - 1);
            self.tell(about, format!("{} bytes of no file", to - from));
        }
    }

    /// The comment, and what stands between the list and the end record.
    fn tail(
        &mut self,
        tail: &[u8],
        size: u64,
        place: &ArchiveDirectory,
    ) -> Result<(), ArchiveError> {
        let end = end_of(tail)?;
        let comment = &tail[end + END_BYTES..];
        if !comment.is_empty() {
            self.tell(
                "the ZIP's comment",
                shown(&String::from_utf8_lossy(comment)),
            );
        }
        let records = if place.is_wrapped { 0 } else { LARGE_END_BYTES };
        let end = size - (tail.len() - end) as u64;
        self.bytes_between(place.at + place.length + records, end);
        Ok(())
    }

    /// Comments of entries and folders with nothing in them; then the entries one by one.
    fn directory(
        &mut self,
        directory: &[u8],
        place: &ArchiveDirectory,
    ) -> Result<Next, ArchiveError> {
        let mut offsets = Offsets::of(place);
        let mut entries = Vec::new();
        let mut at = 0;
        while at < directory.len() {
            let record = Record::read(directory, at, place, &mut offsets);
            let record = record.ok_or(ArchiveError::Damaged)?;
            let length = u16_at(directory, at + 32).map_or(0, usize::from);
            let name = shown(&record.name);
            if let Some(comment) = directory.get(record.end - length..record.end)
                && length > 0
            {
                let comment = shown(&String::from_utf8_lossy(comment));
                self.tell(format!("{name}: the entry's comment"), comment);
            }
            let raw = at + RECORD_BYTES;
            let extra = raw + record.name_bytes as usize;
            let raw = directory[raw..extra].to_vec();
            if let Some(words) = extra::stray(&directory[extra..record.end - length], &raw) {
                self.tell(&name, words);
            }
            entries.push(Held {
                name,
                raw,
                at: record.at,
                flags: record.flags,
                method: record.method,
                crc32: record.crc32,
                packed: record.packed,
                size: record.size,
            });
            at = record.end;
        }
        self.names(&entries);
        entries.sort_by_key(|entry| entry.at);
        let mut entries = entries.into_iter();
        let Some(entry) = entries.next() else {
            self.bytes_between(0, place.at);
            return Ok(Next::Nothing);
        };
        self.bytes_between(0, entry.at);
        Ok(Next::Header(Walk {
            entries,
            entry,
            end: 0,
            directory: place.at,
        }))
    }

    /// Folders with nothing in them, and what is passed over though no system has left it.
    fn names(&mut self, entries: &[Held]) {
        let files = entries.iter().filter(|one| !one.is_folder());
        let files: Vec<String> = files.filter_map(|one| normalize(&one.name).ok()).collect();
        let folders = folders_of(files.iter().map(String::as_str));
        for entry in entries.iter().filter(|one| one.is_folder()) {
            let num_bytes = entry.size.max(entry.packed);
            let has_files = match normalize(entry.name.trim_end_matches(['/', '\\'])) {
                Ok(folder) => folders.contains(folder.as_str()),
                // `./` is where all of them are.
                Err(why) => why == BadPath::NoName,
            };
            if !has_files {
                self.tell(&entry.name, "a folder with nothing in it");
            } else if num_bytes > 0 {
                self.tell(&entry.name, format!("{num_bytes} bytes of a folder"));
            }
        }
        for file in &files {
            let is_passed_over = leftover(file).is_some();
            if is_passed_over && !is_of_a_system(file) {
                self.tell(file, "a file that nothing lists");
            }
        }
    }

    /// Holds an entry's own header against the list.
    fn header(&mut self, mut walk: Walk, bytes: &[u8]) -> Next {
        let Held { at, packed, .. } = walk.entry;
        if at < walk.end {
            self.tell(&walk.entry.name, "bytes of the entry before it");
        }
        let lengths = u16_at(bytes, 26).zip(u16_at(bytes, 28));
        let Some((name, extra)) = lengths.filter(|_| bytes.starts_with(&LOCAL)) else {
            self.tell(&walk.entry.name, "no header of its own");
            walk.end = walk.end.max(at + packed);
            return self.following(walk);
        };
        if let Some(words) = walk
            .entry
            .told_otherwise(bytes, [name, extra].map(usize::from))
        {
            self.tell(&walk.entry.name, words);
        }
        let header = LOCAL_BYTES as u64 + u64::from(name) + u64::from(extra);
        walk.end = walk.end.max(at + header + packed);
        if walk.entry.flags & IS_DESCRIBED != 0 {
            return Next::Descriptor(walk);
        }
        self.following(walk)
    }

    /// The entry after this one, and what lies between.
    fn following(&mut self, mut walk: Walk) -> Next {
        if let Some(entry) = walk.entries.next() {
            self.bytes_between(walk.end, entry.at);
            Next::Header(Walk { entry, ..walk })
        } else {
            self.bytes_between(walk.end, walk.directory);
            Next::Nothing
        }
    }
}

impl Held {
    fn is_folder(&self) -> bool {
        self.name.ends_with(['/', '\\'])
    }

    /// What its own header says otherwise than the list.
    fn told_otherwise(
        &self,
        header: &[u8],
        [name_bytes, extra_bytes]: [usize; 2],
    ) -> Option<String> {
        let end = LOCAL_BYTES + name_bytes;
        let name = header.get(LOCAL_BYTES..end).unwrap_or_default();
        if name != self.raw {
            let name = shown(&String::from_utf8_lossy(name));
            return Some(format!("the name {name:?} in its own header"));
        }
        let extra = header.get(end..end + extra_bytes);
        let Some(extra) = extra.filter(|extra| extra.len() as u64 <= MOST_EXTRA_BYTES) else {
            return Some(format!(
                "{extra_bytes} bytes of extra fields in its own header"
            ));
        };
        if let Some(words) = extra::stray(extra, &self.raw) {
            return Some(words + " in its own header");
        }
        let is_method = u16_at(header, 8) == Some(self.method);
        let is_known = u16_at(header, 6).is_some_and(|flags| flags & IS_DESCRIBED == 0);
        // Beyond 4 GiB there is a mark in their place, or their lower bits.
        let is_size = |at: usize, size: u64| {
            let low = u32_at(header, at);
            low == Some(u32::MAX) || low.map(u64::from) == Some(size & u64::from(u32::MAX))
        };
        let is_same = u32_at(header, 14) == Some(self.crc32)
            && is_size(18, self.packed)
            && is_size(22, self.size);
        (!is_method || (is_known && !is_same))
            .then(|| "another content in its own header".to_owned())
    }

    /// How many of these bytes say again what it holds.
    fn descriptor(&self, bytes: &[u8]) -> u64 {
        let written = |mark: &[u8], is_large: bool| {
            let mut written = [mark, &self.crc32.to_le_bytes()].concat();
            for size in [self.packed, self.size] {
                let size = size.to_le_bytes();
                written.extend_from_slice(if is_large { &size } else { &size[..4] });
            }
            written
        };
        // The longest first: one begins as another does.
        let forms = [
            written(&DESCRIPTOR, true),
            written(&[], true),
            written(&DESCRIPTOR, false),
            written(&[], false),
        ];
        let found = forms.iter().find(|form| bytes.starts_with(form));
        found.map_or(0, |form| form.len() as u64)
    }
}

/// Whether a file is one that an operating system adds to a ZIP.
fn is_of_a_system(path: &str) -> bool {
    let name = base_name(path);
    name.starts_with("._") || [".DS_Store", "Thumbs.db", "desktop.ini"].contains(&name)
}
