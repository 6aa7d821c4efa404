#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests say what they skip"))]
#![doc = include_str!("../README.md")]

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use extra::attention;

#[cfg(test)]
mod counted;
mod dialogue;
mod extra;
mod json;
mod judge;
mod kit;
#[cfg(test)]
mod loads;
mod micon;
mod multibanana;
mod multiref;
mod paint;
mod png;
mod random;
#[cfg(test)]
mod rated;
mod scene;
#[cfg(test)]
mod spoiled;
mod suite;
#[cfg(test)]
mod tests;
mod vibe;
mod weave;

/// The published demo's seed: another one moves stars, trees, rain, noise and the walls of the maze.
const SEED: u64 = 7;

/// Every suite by the name of its folder, WEAVEBench's first, with what draws it.
const SUITES: [(&str, Draw); 5] = [
    ("weave", weave::files),
    ("multibanana", multibanana::files),
    ("micon", micon::files),
    ("vibe", vibe::files),
    ("multiref", multiref::files),
];

type Draw = fn(u64) -> anyhow::Result<suite::Files>;

/// Writes every demo suite and its extra into folders below `out`, and next to them the same in one file each; other files stay.
///
/// # Errors
/// A file or a folder cannot be written; the message names it.
pub fn write(out: &Path) -> anyhow::Result<()> {
    for (suite, draw) in SUITES {
        let files = draw(SEED)?;
        let extra = extra::files(suite, SEED, &files)?;
        for (folder, files) in [(suite, files), (&extra::folder(suite), extra)] {
            let together = suite::together(&files);
            write_folder(out, folder, &files)?;
            write_folder(out, "", &[together].into())?;
        }
    }
    write_folder(out, attention::FOLDER, &attention::files(SEED)?)
}

/// Writes files into a folder below `out`.
fn write_folder(out: &Path, folder: &str, files: &suite::Files) -> anyhow::Result<()> {
    for (path, bytes) in files {
        let full = out.join(folder).join(path);
        let folder = full.parent().context("a file lies in a folder")?;
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(&full, bytes).with_context(|| format!("cannot write {}", full.display()))?;
    }
    Ok(())
}
