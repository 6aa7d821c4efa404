//! Directories of ZIP files.
#![no_main]

use std::collections::HashSet;
use std::io::Cursor;

use juror_model::host::FileMeta;
use juror_model::tree::FileTree;
use juror_reading::limits::ZIP_BYTES;
use juror_sources::archive::file::ZipFile;
use juror_sources::archive::{TAIL_BYTES, find, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let at = data
        .len()
        .saturating_sub(usize::try_from(TAIL_BYTES).unwrap_or(usize::MAX));
    let Ok(place) = find(&data[at..], at as u64) else {
        return;
    };
    let end = place.at.checked_add(place.length).expect("a place is one");
    let range = usize::try_from(place.at)
        .ok()
        .zip(usize::try_from(end).ok());
    let Some(directory) = range.and_then(|(from, to)| data.get(from..to)) else {
        return;
    };
    let Ok(archive) = read(directory, &place, "some.zip") else {
        return;
    };
    assert!(archive.entries.len() + archive.refused.len() <= directory.len() / 46);
    let mut seen = HashSet::new();
    let mut total = 0_u64;
    for entry in &archive.entries {
        assert!(
            entry.at + entry.packed <= place.at,
            "an entry lies before the directory"
        );
        total = total.checked_add(entry.size).expect("sizes are bounded");
        let path = entry.path.clone();
        let (_, added) = FileTree::default().add(&FileMeta { path, size: None });
        assert_eq!(added, Ok(()), "{:?} is a path", entry.path);
        assert!(!entry.path.contains(['\\', '\0', '\n']));
        assert!(
            entry.is_leftover || seen.insert(&entry.path),
            "{:?} twice",
            entry.path
        );
    }
    assert!(total <= ZIP_BYTES);
    for refused in &archive.refused {
        assert!(!refused.name.contains(char::is_control));
    }
    let mut zip = ZipFile::list(Cursor::new(data), "some.zip").expect("it was listed");
    for stray in zip.outside().expect("what is listed can be walked") {
        assert!(!stray.about.contains(char::is_control));
        assert!(!stray.found.contains(char::is_control));
    }
});
