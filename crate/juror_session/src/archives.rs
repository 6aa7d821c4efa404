//! Archives among the files, which are not opened: what is in them counts nowhere, and nobody would know.

use super::state::Session;
use juror_model::problem::{Problem, Severity};
use juror_model::sample::Benchmark;
use juror_model::tree::base_name;

/// How names of archives and of compressed files end.
const ARCHIVES: [&str; 16] = [
    "zip", "zipx", "tar", "tgz", "tbz", "tbz2", "txz", "tzst", "7z", "rar", "gz", "bz2", "xz",
    "zst", "lz4", "lzma",
];

/// Whether a file's name says that it holds others, or a part of what does: `a.tar.gz`, `a.zip.001`, `a.z01`, `a.tgz.part-aa`.
fn is_archive(path: &str) -> bool {
    let name = base_name(path).to_lowercase();
    let mut ends = name.rsplit('.');
    let (Some(last), before) = (ends.next(), ends.next()) else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_archive = |end: &str| ARCHIVES.contains(&end);
    let is_part = last.starts_with("part") || is_number(last) || matches!(last, "aa" | "ab" | "ac");
    // Further volumes of ZIP and RAR.
    let is_volume = |text: &str| text.len() == 2 && is_number(text);
    let volume = last.strip_prefix('z').or_else(|| last.strip_prefix('r'));
    before.is_some()
        && (is_archive(last)
            || is_part && before.is_some_and(is_archive)
            || volume.is_some_and(is_volume))
}

/// The folder of the cache of Hugging Face that a blob lies in.
fn cache_of_blob(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let cache = folder.strip_suffix("/blobs")?;
    let is_cache = ["models--", "datasets--", "spaces--"]
        .iter()
        .any(|kind| base_name(cache).starts_with(kind));
    let is_hash = name.len() >= 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_cache && is_hash).then_some(cache)
}

impl Session {
    /// A word about each archive that nothing claims.
    pub(super) fn archives_beside(&self, benchmark: &Benchmark) -> Vec<Problem> {
        let unclaimed = self.loader.unclaimed(benchmark).into_iter();
        let paths = unclaimed.map(|file| self.loader.tree.path(file));
        let archives = paths.filter(|path| is_archive(path));
        let finding = |path| {
            Problem::new(
                path,
                ("archive_not_opened", Severity::Warning),
                String::new(),
                "This archive is not opened: what is in it counts nowhere.".to_owned(),
                "Unpack it, or delete it if it is not needed.",
            )
        };
        let mut found: Vec<Problem> = archives.map(finding).collect();
        found.extend(self.blobs_alone());
        found
    }

    /// A word about a cache of Hugging Face whose snapshots were not listed: they are links, which browsers pass over.
    fn blobs_alone(&self) -> Option<Problem> {
        let files = || {
            self.loader
                .tree
                .files()
                .map(|(_, entry)| entry.path.as_str())
        };
        let blob = files().find(|path| cache_of_blob(path).is_some())?;
        let snapshots = format!("{}/snapshots/", cache_of_blob(blob)?);
        let is_told = files().any(|path| path.starts_with(&snapshots));
        (!is_told).then(|| {
            Problem::new(
                blob,
                ("links_not_listed", Severity::Warning),
                String::new(),
                "This is the cache of Hugging Face, whose snapshots are links, and none of them is listed here.".to_owned(),
                "Copy the snapshot together with its files (cp -rL) and open the copy, or open the cache on the command line.",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{cache_of_blob, is_archive};

    #[test]
    fn a_blob_of_the_hugging_face_cache_is_told_by_its_folders_and_its_name() {
        let hash = "0a".repeat(32);
        let path = format!("hub/datasets--a--b/blobs/{hash}");
        assert_eq!(cache_of_blob(&path), Some("hub/datasets--a--b"));
        for other in ["datasets--a--b/blobs/a.png", "data/blobs/0a", &hash] {
            assert_eq!(cache_of_blob(other), None);
        }
    }

    #[test]
    fn archives_and_their_parts_are_told_by_their_names_and_other_files_are_none() {
        for path in [
            "a.zip",
            "a/B.ZIP",
            "a.tar",
            "a.tar.gz",
            "a.tgz",
            "a.7z",
            "a.rar",
            "a.tar.zst",
            "a.7z.001",
            "a.tar.gz.part-aa",
            "a.z01",
            "a.r00",
            "a.zip.aa",
            "test.json.gz",
        ] {
            assert!(is_archive(path), "{path}");
        }
        for path in [
            "zip",
            "a.zip/b.png",
            "a.png",
            "tar.json",
            "a.001",
            "a.z1",
            "a.jsonl",
            "a.parquet",
            "rar",
            "a.part1.png",
        ] {
            assert!(!is_archive(path), "{path}");
        }
    }
}
