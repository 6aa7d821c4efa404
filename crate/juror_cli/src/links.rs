//! Files that have a name and no bytes that could be read: links that lead out of what was opened or nowhere, pipes, sockets,
//! devices, and entries that a ZIP keeps to itself; and the cache of Hugging Face, whose snapshots are links.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use juror_reading::count::counted;
use juror_sources::archive::Archive;

/// Why a file has no bytes here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is a link to a place outside of all that was opened.
    Outside,
    /// It is a link, and what it leads to is not there.
    Dangling,
    /// It is a pipe, a socket or a device.
    NoFile,
}

/// A file without bytes.
#[derive(Debug)]
struct One {
    /// Its number, where it has one; of a folder another line is said.
    number: Option<usize>,
    /// What a line names of it.
    name: String,
    /// Why it has none, and what to do.
    message: String,
    /// Those of one kind are said together.
    kind: String,
}

/// All such files of a session.
#[derive(Debug, Default)]
pub(crate) struct Unfollowed(Vec<One>);

impl Unfollowed {
    /// Notes a file on disk, or a folder; returns why it cannot be read, in words.
    pub(crate) fn add_path(
        &mut self,
        (number, is_folder): (usize, bool),
        path: &Path,
        why: Why,
    ) -> String {
        let message = message(path, why);
        if !is_folder {
            self.0.push(One {
                number: Some(number),
                name: path.display().to_string(),
                kind: kind(&message, why),
                message: message.clone(),
            });
        }
        message
    }

    /// Notes what is refused of a ZIP whose first file has the number `first`.
    pub(crate) fn add_refused(&mut self, zip: &str, archive: &Archive, first: usize) {
        let mut listed = (first..).zip(archive.listed()).skip(archive.entries.len());
        for refused in &archive.refused {
            let one = refused.path.as_ref().and_then(|_| listed.next());
            if matches!(one, Some((_, (_, None)))) {
                continue;
            }
            let number = one.map(|(number, _)| number);
            self.0.push(One {
                number,
                name: format!("{zip}: {}", refused.name),
                message: refused.message.clone(),
                kind: format!("{zip}: {}", refused.message),
            });
        }
    }

    /// Says one line for each kind of those that did not fail: nothing has asked for them, and another line is said of those
    /// that did.
    pub(crate) fn say_but(&self, failed: &HashSet<usize>) {
        let mut kinds: Vec<(&One, u32)> = Vec::new();
        let is_failed = |one: &&One| one.number.is_some_and(|number| failed.contains(&number));
        // Of a snapshot all files are links, and one line says what to open.
        let has_told = self
            .0
            .iter()
            .any(|one| one.kind == CACHE && is_failed(&one));
        let is_told = |one: &One| has_told && one.kind == CACHE;
        for one in self.0.iter().filter(|one| !is_failed(one) && !is_told(one)) {
            match kinds.iter_mut().find(|(first, _)| first.kind == one.kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((one, 1)),
            }
        }
        for (first, count) in kinds {
            crate::say(&format!(
                "juror: {} left out (first {}): {}",
                counted(count, "file is", "files are"),
                first.name,
                first.message
            ));
        }
    }
}

/// The kind of links into the cache of Hugging Face.
const CACHE: &str = "cache";
const INTO_CACHE: &str =
    "This is a link from a snapshot in the cache of Hugging Face to its blobs.";

fn kind(message: &str, why: Why) -> String {
    if message.starts_with(INTO_CACHE) {
        CACHE.to_owned()
    } else {
        format!("{why:?}")
    }
}

fn message(path: &Path, why: Why) -> String {
    let target = std::fs::read_link(path).ok();
    if let Some(cache) = target.as_ref().and_then(|target| cache_of(path, target)) {
        return format!("{INTO_CACHE} Open {} instead.", cache.display());
    }
    let to = target.map_or_else(String::new, |target| format!(", {}", target.display()));
    match why {
        Why::Outside => format!(
            "This is a link to a place outside of the folders that were opened{to}. Open that place as well, or copy what the link leads to."
        ),
        Why::Dangling => format!(
            "This is a link to what is not there{to}. Mount the disk that holds it, or copy the file itself."
        ),
        Why::NoFile => {
            "This is no regular file but a pipe, a socket or a device. Put the file itself there."
                .to_owned()
        }
    }
}

/// The folder of a data set or model in the cache of Hugging Face, where a link leads from one of its snapshots to its blobs.
fn cache_of(link: &Path, target: &Path) -> Option<PathBuf> {
    let is_of_blobs = target.parent()?.file_name() == Some(OsStr::new("blobs"));
    let is_snapshot = |folder: &&Path| {
        folder.file_name() == Some(OsStr::new("snapshots")) && folder.parent().is_some_and(is_cache)
    };
    let snapshots = link.ancestors().find(is_snapshot).filter(|_| is_of_blobs)?;
    snapshots.parent().map(Path::to_owned)
}

fn is_cache(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    ["models--", "datasets--", "spaces--"]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// Whether a folder holds what a cache of Hugging Face keeps beside its snapshots: the links in these lead to all of it.
pub(crate) fn is_store(folder: &Path) -> bool {
    let is_named = ["blobs", "refs", ".no_exist"]
        .iter()
        .any(|name| folder.file_name() == Some(OsStr::new(name)));
    let cache = folder.parent().filter(|cache| is_named && is_cache(cache));
    cache.is_some_and(|cache| cache.join("snapshots").is_dir())
}
