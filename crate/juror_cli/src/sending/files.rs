//! Pictures on disk: never half a one under its name.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use juror_model::prompt::sha256;

use super::kept::sync_folder;

/// Where a picture's bytes are before they have their name.
pub(crate) fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Writes a picture next to its place; it is on disk when this returns.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = part(path);
    let refusal = || format!("cannot write {}", part.display());
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above)
            .with_context(|| format!("cannot make {}", above.display()))?;
    }
    let mut file = File::create(&part).with_context(refusal)?;
    file.write_all(bytes).with_context(refusal)?;
    file.sync_all().with_context(refusal)
}

/// Gives a picture that was put next to its place its name.
pub(crate) fn name(path: &Path) -> anyhow::Result<()> {
    std::fs::rename(part(path), path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    sync_folder(path);
    Ok(())
}

/// SHA-256 of a file; `None` of an absent one.
///
/// # Errors
/// It cannot be read.
pub(crate) fn hash(path: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(sha256(&bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Gives a picture its name if its bytes are whole; whether it has that name now.
///
/// # Errors
/// A file cannot be read or renamed.
pub(crate) fn finish(path: &Path, sha256: &str) -> anyhow::Result<bool> {
    if hash(path)?.as_deref() == Some(sha256) {
        return Ok(true);
    }
    if hash(&part(path))?.as_deref() != Some(sha256) {
        return Ok(false);
    }
    name(path)?;
    Ok(true)
}
