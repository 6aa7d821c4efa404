//! Listed paths: separators, roots, dots, cases, leftovers.
#![no_main]

use juror_model::host::FileMeta;
use juror_model::tree::{FileTree, leftover};
use juror_protocols::registry::ALL;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // Any other character may be part of a name.
    let paths: Vec<&str> = text.split('\u{1f}').collect();
    let mut tree = FileTree::default();
    for (at, path) in paths.iter().enumerate() {
        let size = Some(at as u64);
        let path = (*path).to_owned();
        let (id, _) = tree.add(&FileMeta { path, size });
        assert_eq!(id as usize, at, "numbers follow the order");
    }
    assert_eq!(tree.len(), paths.len());
    for (id, entry) in tree.files() {
        let parts = || entry.path.split('/');
        assert!(
            parts().all(|part| !matches!(part, "" | "." | "..")),
            "{:?}",
            entry.path
        );
        assert!(!entry.path.contains('\0'));
        assert_eq!(leftover(&entry.path), None);
        assert_eq!(
            tree.find(&entry.path),
            Some(id),
            "{:?} finds itself",
            entry.path
        );
        // A listed path is one that is listed again.
        let path = entry.path.clone();
        let size = entry.size;
        let (_, again) = FileTree::default().add(&FileMeta { path, size });
        assert_eq!(again, Ok(()));
    }
    for protocol in ALL {
        let _ = protocol.candidates(&tree);
        let _ = protocol.submissions(&tree, None);
    }
});
