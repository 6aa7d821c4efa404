//! Draws the demo suites: small benchmarks in the authors' layouts, deterministic to the byte.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

mod dialogue;
mod json;
mod judge;
mod paint;
mod png;
mod random;
mod scene;
#[cfg(test)]
mod tests;
mod weave;

/// The published demo's seed: another one moves stars, trees, rain, noise and the walls of the maze.
const SEED: u64 = 7;

/// Writes every demo suite below `out`; what lies there besides is left alone.
pub(crate) fn write(out: &Path) -> anyhow::Result<()> {
    for (path, bytes) in weave::files(SEED)? {
        let full = out.join(weave::FOLDER).join(path);
        let folder = full.parent().context("a file lies in a folder")?;
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(&full, bytes).with_context(|| format!("cannot write {}", full.display()))?;
    }
    Ok(())
}
