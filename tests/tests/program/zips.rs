//! Made-up ZIPs, the same for the same seed: Juror's reading of them, which page and command line share, beside that of
//! another library; what the embed reads of them by itself is held against the vectors that are written here.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::io::{Cursor, Read as _};

use juror_judging::base64;
use juror_sources::archive::unpack::Unpacking;
use juror_sources::archive::{self, Archive, ArchiveError};
use juror_tests::generate::Random;
use serde_json::{Value, json};
use zip::ZipArchive;

/// ZIPs that are made.
const NUM_ZIPS: u64 = 2000;
/// Those of them that the embed is asked as well.
const NUM_VECTORS: u64 = 60;
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/zips.json");

/// Flag of a name in UTF-8.
const UTF8: u16 = 1 << 11;
const ENCRYPTED: u16 = 1;

/// Names and the flags that go with them.
const NAMES: [(&[u8], u16); 24] = [
    (b"report.json", 0),
    (b"manifest.json", 0),
    (b"a.png", 0),
    (b"a/b.png", 0),
    (b"a/B.png", 0),
    (b"a\\b.png", 0),
    (b"a//b.png", 0),
    (b"./a/b.png", 0),
    (b"a/c/d.png", 0),
    (b"folder/", 0),
    (b"folder\\", 0),
    ("ü/1.png".as_bytes(), UTF8),
    ("ü/1.png".as_bytes(), 0),
    (b"\x81/2.png", 0),
    (b"\xff.png", UTF8),
    (b"../up.png", 0),
    (b"a/../../up.png", 0),
    (b"/etc/passwd", 0),
    (b"C:\\x.png", 0),
    (b"a\nb.png", 0),
    (b"a\0b.png", 0),
    (b"secret.png", ENCRYPTED),
    (b"x/.DS_Store", 0),
    (b"__MACOSX/x/._a.png", 0),
];

struct Made {
    name: &'static [u8],
    flags: u16,
    content: Vec<u8>,
    is_deflated: bool,
    extra: Vec<u8>,
}

impl Made {
    fn new(random: &mut Random) -> Self {
        let (name, flags) = NAMES[random.below(NAMES.len())];
        let is_folder = name.ends_with(b"/") || name.ends_with(b"\\");
        let length = if is_folder { 0 } else { random.below(40) };
        let content = (0..length)
            .map(|_| u8::try_from(random.below(256)).unwrap())
            .collect();
        let num_extra = random.below(3) * 6;
        Self {
            name,
            flags,
            content,
            is_deflated: length > 0 && random.below(2) == 0,
            // A field of an id that nobody knows.
            extra: [0xfe, 0xca, 2, 0, 7, 7].repeat(num_extra / 6),
        }
    }

    /// The bytes as they lie in the file: stored, or in one block of deflate that is stored.
    fn packed(&self) -> Vec<u8> {
        if !self.is_deflated {
            return self.content.clone();
        }
        let length = u16::try_from(self.content.len()).unwrap();
        let mut packed = vec![1];
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(&self.content);
        packed
    }

    /// What header and record have in common, from the needed version to the length of the extra field.
    fn fields(&self) -> Vec<u8> {
        let mut fields = vec![20, 0];
        fields.extend(self.flags.to_le_bytes());
        fields.extend(if self.is_deflated { [8, 0] } else { [0, 0] });
        fields.extend([0, 0, 0x21, 0x5a]);
        fields.extend(crc32(&self.content).to_le_bytes());
        for length in [self.packed().len(), self.content.len()] {
            fields.extend(u32::try_from(length).unwrap().to_le_bytes());
        }
        for length in [self.name.len(), self.extra.len()] {
            fields.extend(u16::try_from(length).unwrap().to_le_bytes());
        }
        fields
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1));
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), step)
    });
    !crc
}

/// The file: entries, directory, end.
fn zipped(made: &[Made], comment: &[u8]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for one in made {
        let at = u32::try_from(file.len()).unwrap();
        file.extend(b"PK\x03\x04");
        file.extend(one.fields());
        file.extend(one.name);
        file.extend(&one.extra);
        file.extend(one.packed());
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(one.fields());
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(one.name);
        directory.extend(&one.extra);
    }
    let count = u16::try_from(made.len()).unwrap();
    let at = u32::try_from(file.len()).unwrap();
    let length = u32::try_from(directory.len()).unwrap();
    file.extend(directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    file.extend([length.to_le_bytes(), at.to_le_bytes()].concat());
    file.extend(u16::try_from(comment.len()).unwrap().to_le_bytes());
    file.extend(comment);
    file
}

/// Up to nine entries, and sometimes a comment.
fn drawn(seed: u64) -> (Vec<Made>, Vec<u8>) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(9);
    let made: Vec<Made> = (0..count).map(|_| Made::new(&mut random)).collect();
    let comment: [&[u8]; 3] = [b"", b"", b"A comment, PK\x05\x06 and more."];
    let comment = comment[random.below(3)];
    let file = zipped(&made, comment);
    (made, file)
}

fn listed(file: &[u8]) -> Result<Archive, ArchiveError> {
    let place = archive::find(file, 0)?;
    let at = usize::try_from(place.at).unwrap();
    let end = at + usize::try_from(place.length).unwrap();
    archive::read(&file[at..end], &place, "made.zip")
}

/// What comes out of an entry.
fn unpacked(file: &[u8], entry: &archive::ArchiveEntry) -> Vec<u8> {
    let mut unpacking = Unpacking::of(entry, None);
    let mut bytes = Vec::new();
    while let Some(part) = unpacking.next_part() {
        let at = usize::try_from(part.at).unwrap().min(file.len());
        let end = (at + usize::try_from(part.length).unwrap()).min(file.len());
        let taken = unpacking.take(&file[at..end], &mut |some| bytes.extend_from_slice(some));
        taken.unwrap();
    }
    bytes
}

/// An entry's path where it is sure without Juror's own rules: ASCII without anything odd, folders apart by one slash.
fn plain(name: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(name).ok()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let is_sure = name.split('/').all(|part| !["", ".", ".."].contains(&part));
    (name.chars().all(is_plain) && is_sure).then_some(name)
}

#[test]
fn what_is_taken_of_a_zip_is_what_another_library_finds_there_and_the_rest_is_named() {
    let (mut num_taken, mut num_refused, mut num_twice) = (0, 0, 0);
    for seed in 0..NUM_ZIPS {
        let (made, file) = drawn(seed);
        let found = match listed(&file) {
            Ok(found) => found,
            Err(ArchiveError::Twice { name }) => {
                // Two records mean the same file: by their bytes, or by the parts of their paths.
                let parts = |made: &Made| {
                    let name = String::from_utf8_lossy(made.name).replace('\\', "/");
                    let parts = name.split('/').filter(|part| !["", "."].contains(part));
                    parts.collect::<Vec<_>>().join("/")
                };
                let mut seen = HashSet::new();
                let is_there = made.iter().any(|one| !seen.insert(parts(one)));
                assert!(is_there, "{seed}: {name}");
                num_twice += 1;
                continue;
            }
            Err(error) => panic!("{seed}: {error}"),
        };
        let mut other = ZipArchive::new(Cursor::new(&file)).unwrap();
        let folders = made
            .iter()
            .filter(|one| one.name.ends_with(b"/") || one.name.ends_with(b"\\"));
        assert_eq!(
            found.entries.len() + found.refused.len() + folders.count(),
            made.len(),
            "{seed}"
        );
        // What a system left may be there twice, and nobody reads it.
        for entry in found.entries.iter().filter(|entry| !entry.is_leftover) {
            let content = unpacked(&file, entry);
            let theirs = (0..other.len()).find_map(|at| {
                let mut theirs = other.by_index(at).ok()?;
                (theirs.header_start() == entry.at).then_some(())?;
                let mut bytes = Vec::new();
                theirs.read_to_end(&mut bytes).ok()?;
                Some((bytes, theirs.size(), theirs.crc32(), theirs.enclosed_name()))
            });
            let (bytes, size, crc, enclosed) =
                theirs.unwrap_or_else(|| panic!("{seed}: {entry:?}"));
            assert_eq!(
                (content, entry.size, entry.crc32),
                (bytes, size, crc),
                "{seed}"
            );
            // What it would write outside of a folder is taken by nobody.
            assert!(enclosed.is_some(), "{seed}: {entry:?}");
            num_taken += 1;
        }
        let taken: HashSet<&str> = found
            .entries
            .iter()
            .map(|entry| entry.path.as_str())
            .collect();
        for one in made.iter().filter(|one| one.flags & ENCRYPTED == 0) {
            let Some(name) = plain(one.name) else {
                continue;
            };
            assert!(taken.contains(name), "{seed}: {name}");
        }
        num_refused += found.refused.len();
    }
    // Enough of each came up for the above to say something.
    assert!(num_taken > 1000 && num_refused > 500 && num_twice > 100);
    assert!(num_twice < NUM_ZIPS / 2);
}

/// The ZIPs and what Juror reads of them, for those who read them otherwise.
fn vectors() -> String {
    let one = |seed: u64| {
        let (_, file) = drawn(seed);
        let found: Value = match listed(&file) {
            Ok(archive) => {
                let entry = |entry: &archive::ArchiveEntry| {
                    json!([
                        entry.path,
                        entry.at,
                        entry.size,
                        entry.packed,
                        entry.crc32,
                        entry.is_deflated
                    ])
                };
                json!({"entries": archive.entries.iter().map(entry).collect::<Vec<_>>(), "refused": archive.refused.len()})
            }
            Err(error) => json!({"refusal": error.code()}),
        };
        format!("{{\"zip\":\"{}\",\"found\":{found}}}", base64(&file))
    };
    let all: Vec<String> = (0..NUM_VECTORS).map(one).collect();
    format!("[\n{}\n]\n", all.join(",\n"))
}

/// `JUROR_WRITE_VECTORS=1` writes them anew.
#[test]
fn the_vectors_that_the_embed_is_held_against_are_what_juror_reads_today() {
    let now = vectors();
    if std::env::var_os("JUROR_WRITE_VECTORS").is_some() {
        std::fs::write(VECTORS, &now).unwrap();
    }
    let written = std::fs::read_to_string(VECTORS).unwrap();
    assert!(
        written == now,
        "{VECTORS} is not what is read now; write it with JUROR_WRITE_VECTORS=1"
    );
    for word in ["entries", "zip_twice"] {
        assert!(now.contains(word), "no ZIP with {word}");
    }
}
