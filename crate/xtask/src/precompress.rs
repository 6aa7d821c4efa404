//! Writes a file `NAME.br` next to each file of a built folder, for hosts that send such files as they are.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};

use anyhow::Context as _;
use brotli::{CompressorWriter, Decompressor};

use crate::build::files_below;

/// Files that browsers ask for by these endings shrink; pictures and demo packs are compressed already.
const ENDINGS: [&str; 9] = [
    "css",
    "html",
    "js",
    "json",
    "md",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
];
/// The best that Brotli does, and its usual window of 4 MB.
const QUALITY: u32 = 11;
const WINDOW: u32 = 22;
const BUFFER: usize = 1 << 16;

/// Bytes of the files that have one next to them now.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums {
    pub files: usize,
    pub raw: u64,
    pub brotli: u64,
}

/// Compresses what shrinks below `dir`, on every core; a file `NAME.br` of an earlier build goes.
pub(crate) fn folder(dir: &Path) -> anyhow::Result<Sums> {
    let (old, mut files): (Vec<PathBuf>, Vec<PathBuf>) = files_below(dir)?
        .into_iter()
        .partition(|path| ending(path) == "br");
    for path in old {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    files.retain(|path| ENDINGS.contains(&ending(path)));
    // The largest ones first, so that no core is left with one at the end.
    files.sort_by_cached_key(|path| fs::metadata(path).map_or(0, |found| found.len()));
    let open = Mutex::new(files);
    let next = || open.lock().ok()?.pop();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let all = thread::scope(|scope| {
        let work = || {
            let mut sums = Sums::default();
            while let Some(path) = next() {
                sums.add(file(&path)?);
            }
            Ok(sums)
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(ScopedJoinHandle::join);
        ended.collect::<Vec<thread::Result<anyhow::Result<Sums>>>>()
    });
    let mut sums = Sums::default();
    for one in all {
        sums.add(one.map_err(|_| anyhow::anyhow!("a compressor panicked"))??);
    }
    Ok(sums)
}

/// Compresses one file; what does not shrink has none next to it.
fn file(path: &Path) -> anyhow::Result<Sums> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let small = compressed(&bytes)?;
    if small.len() >= bytes.len() {
        return Ok(Sums::default());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".br");
    let target = PathBuf::from(name);
    fs::write(&target, &small).with_context(|| format!("cannot write {}", target.display()))?;
    Ok(Sums {
        files: 1,
        raw: bytes.len() as u64,
        brotli: small.len() as u64,
    })
}

/// The bytes after Brotli, once they were read back.
fn compressed(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut writer = CompressorWriter::new(Vec::new(), BUFFER, QUALITY, WINDOW);
    writer.write_all(bytes)?;
    let small = writer.into_inner();
    anyhow::ensure!(
        decompressed(&small)? == bytes,
        "Brotli did not give back what it was given"
    );
    Ok(small)
}

fn decompressed(small: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Decompressor::new(small, BUFFER).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn ending(path: &Path) -> &str {
    path.extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or("")
}

impl Sums {
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.raw += other.raw;
        self.brotli += other.brotli;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shrinks_has_the_same_bytes_in_brotli_and_an_old_one_goes() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        let text = "a line of a page\n".repeat(900);
        fs::create_dir(at("assets")).expect("a folder in it");
        fs::write(at("index.html"), &text).expect("a page");
        fs::write(at("assets/core.wasm"), vec![0; 70_000]).expect("a module");
        fs::write(at("assets/tiny.js"), "1").expect("a script");
        fs::write(at("picture.png"), &text).expect("a picture");
        fs::write(at("gone.js.br"), "of an earlier build").expect("an old one");
        let sums = folder(dir.path()).expect("compressed");
        assert_eq!((sums.files, sums.raw), (2, text.len() as u64 + 70_000));
        let small = fs::read(at("index.html.br")).expect("one next to the page");
        assert_eq!(decompressed(&small).expect("Brotli"), text.as_bytes());
        assert!(small.len() * 20 < text.len());
        for absent in ["assets/tiny.js.br", "picture.png.br", "gone.js.br"] {
            assert!(!at(absent).exists(), "{absent}");
        }
        // A second run begins from the same files.
        assert_eq!(folder(dir.path()).expect("compressed again"), sums);
    }

    #[test]
    fn damaged_brotli_is_not_taken_for_the_file() {
        let mut small = compressed("some text of a page".repeat(50).as_bytes()).expect("Brotli");
        small.truncate(small.len() / 2);
        assert!(decompressed(&small).is_err());
    }
}
