//! What every suite has: files by path, an index of them, and pictures with flaws.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher as _};

use super::json::{Json, object, text};
use super::kit::{Flaw, Stage, flawed};
use super::paint::Canvas;
use super::random::Random;

/// Files by path below the suite's folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A page in place of a picture, as a busy service answers.
pub(crate) const WEB_PAGE: &str = "<!DOCTYPE html>\n<html><head><title>429 Too Many Requests</title></head>\n\
    <body><h1>Too many requests</h1><p>The picture service is busy. Try again later.</p></body></html>\n";

/// The list of a suite's files.
pub(crate) const INDEX: &str = "index.json";

/// The files with an index of them, by which the page finds them.
pub(crate) fn indexed(name: &str, mut files: Files) -> anyhow::Result<Files> {
    let (together, _) = together(&files);
    let entry = |(path, bytes): (&String, &Vec<u8>)| {
        object([("path", text(path)), ("size", Json::Number(bytes.len()))])
    };
    let index = object([
        ("name", text(name)),
        ("together", text(format!("../{together}"))),
        ("files", Json::List(files.iter().map(entry).collect())),
    ]);
    files.insert(INDEX.to_owned(), pretty(&index)?);
    Ok(files)
}

/// All that the index lists in one file, each behind the last, so that a suite is one request and not a hundred; with its
/// name, which tells its content: a list and files of two versions are never taken together.
pub(crate) fn together(files: &Files) -> (String, Vec<u8>) {
    let listed = files.iter().filter(|(path, _)| *path != INDEX);
    let bytes: Vec<u8> = listed.flat_map(|(_, bytes)| bytes).copied().collect();
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    (format!("files-{:016x}.bin", hasher.finish()), bytes)
}

/// JSON as people write it.
pub(crate) fn pretty(value: &Json) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A model's picture of a stage; noise falls elsewhere in every picture.
pub(crate) fn output(seed: u64, path: &str, stage: &Stage, flaws: &[Flaw]) -> Canvas {
    let (stage, finish) = flawed(stage, flaws);
    let mut canvas = stage.draw(seed);
    canvas.finish(finish, &mut Random::new(seed, path));
    canvas
}
