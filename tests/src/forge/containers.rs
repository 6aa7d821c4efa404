//! Ways to put something into the ZIP of a pack that is none of its files, and ways of writing one that add nothing.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Entries, zipped};

/// A way to write the files of a pack, in the words of a test that fails.
pub type KindOfZip = (&'static str, fn(&Entries) -> Vec<u8>);

const REMARK: &[u8] = b"Audited and found correct.";
const END_BYTES: usize = 22;

/// Ways that each verifier tells.
pub const KINDS_OF_ZIP: [KindOfZip; 12] = [
    ("a comment of the ZIP", |e| {
        let mut zip = zipped(e);
        let end = zip.len() - END_BYTES;
        put_u16(&mut zip, end + 20, REMARK.len());
        zip.extend(REMARK);
        zip
    }),
    ("a comment of a file in the ZIP", |e| {
        let mut zip = zipped(e);
        let record = directory(&zip);
        let [name, extra] = [28, 30].map(|field| u16_at(&zip, record + field));
        put_u16(&mut zip, record + 32, REMARK.len());
        let at = record + 46 + name + extra;
        zip.splice(at..at, REMARK.iter().copied());
        let end = zip.len() - END_BYTES;
        let length = u32_at(&zip, end + 12) + REMARK.len();
        put_u32(&mut zip, end + 12, length);
        zip
    }),
    ("bytes before the files of the ZIP", |e| {
        inserted(zipped(e), 0, REMARK)
    }),
    ("bytes between the files of the ZIP", |e| {
        let zip = zipped(e);
        let second = offsets(&zip)[1];
        inserted(zip.clone(), u32_at(&zip, second), REMARK)
    }),
    ("bytes before the list of the ZIP", |e| {
        let zip = zipped(e);
        let at = directory(&zip);
        inserted(zip, at, REMARK)
    }),
    ("a file that the list of the ZIP does not name", |e| {
        let other = zipped(&[("AUDIT.md".to_owned(), REMARK.to_vec())].into());
        let zip = zipped(e);
        let at = directory(&zip);
        inserted(zip, at, &other[..directory(&other)])
    }),
    ("an unknown field of a file in the ZIP", |e| {
        let mut zip = zipped(e);
        let record = directory(&zip);
        let field = unknown_field();
        let [name, extra] = [28, 30].map(|at| u16_at(&zip, record + at));
        put_u16(&mut zip, record + 30, extra + field.len());
        let at = record + 46 + name + extra;
        let end = zip.len() - END_BYTES;
        let length = u32_at(&zip, end + 12) + field.len();
        put_u32(&mut zip, end + 12, length);
        zip.splice(at..at, field);
        zip
    }),
    ("an unknown field in a file's own header", |e| {
        let mut zip = zipped(e);
        let header = u32_at(&zip, offsets(&zip)[0]);
        let field = unknown_field();
        let [name, extra] = [26, 28].map(|at| u16_at(&zip, header + at));
        put_u16(&mut zip, header + 28, extra + field.len());
        inserted(zip, header + 30 + name + extra, &field)
    }),
    ("another name in a file's own header", |e| {
        let mut zip = zipped(e);
        let header = u32_at(&zip, offsets(&zip)[0]);
        zip[header + 30] = b'_';
        zip
    }),
    ("another size in a file's own header", |e| {
        let mut zip = zipped(e);
        let header = u32_at(&zip, offsets(&zip)[0]);
        zip[header + 22] ^= 1;
        zip
    }),
    ("a folder with nothing in it", |e| {
        with_folders(e, &["Audited and found correct"])
    }),
    ("a file in a folder that is passed over", |e| {
        let mut entries = e.clone();
        entries.insert(".git/AUDIT.md".to_owned(), REMARK.to_vec());
        zipped(&entries)
    }),
];

/// Ways of writing a ZIP that add nothing.
pub const SOUND_ZIPS: [KindOfZip; 4] = [
    ("written as a stream", |e| {
        let mut zip = ZipWriter::new_stream(Vec::new());
        for (name, bytes) in e {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }),
    ("with sizes of 64 bits", |e| {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in e {
            let options = SimpleFileOptions::default().large_file(true);
            zip.start_file(name, options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }),
    ("with a list of 64 bits", |e| in_64_bits(zipped(e))),
    ("with what macOS adds", |e| {
        let mut entries = e.clone();
        entries.insert(
            "__MACOSX/._manifest.json".to_owned(),
            b"\0\x05\x16\x07".to_vec(),
        );
        entries.insert(".DS_Store".to_owned(), b"\0\0\0\x01Bud1".to_vec());
        let folders = entries.keys().filter_map(|path| path.rsplit_once('/'));
        let folders: std::collections::BTreeSet<&str> = folders.map(|(folder, _)| folder).collect();
        with_folders(&entries, &Vec::from_iter(folders))
    }),
];

/// A ZIP whose end says in 64 bits where its list is, as one of more files than 16 bits count has to.
fn in_64_bits(mut zip: Vec<u8>) -> Vec<u8> {
    let end = zip.len() - END_BYTES;
    let [count, size, offset] = [
        u16_at(&zip, end + 10),
        u32_at(&zip, end + 12),
        u32_at(&zip, end + 16),
    ];
    let wide = |number: usize| (number as u64).to_le_bytes();
    let mut tail = b"PK\x06\x06".to_vec();
    tail.extend(wide(44));
    tail.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [count, count, size, offset] {
        tail.extend(wide(number));
    }
    tail.extend(b"PK\x06\x07\0\0\0\0");
    tail.extend(wide(end));
    tail.extend([1, 0, 0, 0]);
    zip[end + 8..end + 20].fill(0xff);
    zip.splice(end..end, tail);
    zip
}

/// A field of no known kind that holds a remark.
fn unknown_field() -> Vec<u8> {
    [&[0x99, 0x99, 26, 0], REMARK].concat()
}

/// A ZIP of these files and these folders.
fn with_folders(entries: &Entries, folders: &[&str]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for folder in folders {
        zip.add_directory(*folder, options).unwrap();
    }
    for (name, bytes) in entries {
        zip.start_file(name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Puts bytes into a ZIP, which names all that lies behind them where it is then.
fn inserted(mut zip: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    let places = offsets(&zip).into_iter();
    for place in places.chain([zip.len() - END_BYTES + 16]) {
        let offset = u32_at(&zip, place);
        if offset >= at {
            put_u32(&mut zip, place, offset + bytes.len());
        }
    }
    zip.splice(at..at, bytes.iter().copied());
    zip
}

/// Where the list of a ZIP begins.
fn directory(zip: &[u8]) -> usize {
    u32_at(zip, zip.len() - END_BYTES + 16)
}

/// Where the list says where each file begins.
fn offsets(zip: &[u8]) -> Vec<usize> {
    let mut at = directory(zip);
    let mut found = Vec::new();
    while at < zip.len() - END_BYTES {
        found.push(at + 42);
        at += 46
            + [28, 30, 32]
                .map(|field| u16_at(zip, at + field))
                .iter()
                .sum::<usize>();
    }
    found
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u16_at(bytes, at) | u16_at(bytes, at + 2) << 16
}

fn put_u16(bytes: &mut [u8], at: usize, number: usize) {
    let number = u16::try_from(number).unwrap();
    bytes[at..at + 2].copy_from_slice(&number.to_le_bytes());
}

fn put_u32(bytes: &mut [u8], at: usize, number: usize) {
    let number = u32::try_from(number).unwrap();
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}
