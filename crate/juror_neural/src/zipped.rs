//! A pack in a ZIP.

use std::io::{Read, Seek};

use juror_sources::archive::file::ZipFile;

use crate::NeuralError;
use crate::pack::{MANIFEST, PackFiles};

/// A pack in a ZIP, at its root or in its one folder; the entry that was read last stays inflated.
#[derive(Debug)]
pub struct ZippedPack<From> {
    zip: ZipFile<From>,
    /// Where `pack.json` lies, with the slash.
    folder: String,
    last: (String, Vec<u8>),
}

impl<From: Read + Seek> ZippedPack<From> {
    /// Lists the ZIP; `name` is its own.
    ///
    /// # Errors
    /// [`NeuralError::Unreadable`] where it is no ZIP, or holds no `pack.json` or several.
    pub fn open(from: From, name: &str) -> Result<Self, NeuralError> {
        let zip =
            ZipFile::list(from, name).map_err(|error| NeuralError::unreadable(name, &error))?;
        let paths = zip.archive.entries.iter().map(|entry| entry.path.as_str());
        Ok(Self {
            folder: folder_of(paths)?,
            zip,
            last: Default::default(),
        })
    }

    fn place(&self, file: &str) -> Result<usize, NeuralError> {
        let entries = &self.zip.archive.entries;
        let found = entries
            .iter()
            .position(|entry| entry.path.strip_prefix(&self.folder) == Some(file));
        found.ok_or_else(|| NeuralError::unreadable(file, &"the ZIP has no such entry"))
    }
}

impl<From: Read + Seek> PackFiles for ZippedPack<From> {
    fn length(&mut self, file: &str) -> Result<u64, NeuralError> {
        let at = self.place(file)?;
        Ok(self.zip.archive.entries[at].size)
    }

    fn read(&mut self, file: &str, offset: u64, into: &mut [u8]) -> Result<usize, NeuralError> {
        if self.last.0 != file {
            let at = self.place(file)?;
            // Before the next one comes: two would need the memory of both.
            self.last = Default::default();
            let bytes = (self.zip.bytes(at, None))
                .map_err(|error| NeuralError::unreadable(file, &error))?;
            self.last = (file.to_owned(), bytes);
        }
        let bytes = &self.last.1;
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let from = bytes.get(start..).unwrap_or_default();
        let length = into.len().min(from.len());
        into[..length].copy_from_slice(&from[..length]);
        Ok(length)
    }
}

/// Where among these paths the one `pack.json` lies, with the slash; empty at the root. What an operating system adds
/// beside it is not looked at.
///
/// # Errors
/// [`NeuralError::Unreadable`] where there is none, or several.
pub fn folder_of<'a>(paths: impl Iterator<Item = &'a str>) -> Result<String, NeuralError> {
    let folder = |path: &'a str| path.strip_suffix(MANIFEST);
    let is_folder = |folder: &&str| folder.is_empty() || folder.ends_with('/');
    let found: Vec<&str> = paths.filter_map(folder).filter(is_folder).collect();
    match found[..] {
        [folder] => Ok(folder.to_owned()),
        [] => Err(NeuralError::unreadable(MANIFEST, &"it is not there")),
        _ => Err(NeuralError::unreadable(
            MANIFEST,
            &"there are several packs; open one at a time",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_lies_at_the_root_or_in_one_folder_and_two_are_one_too_many() {
        let of = |paths: &[&str]| folder_of(paths.iter().copied());
        assert_eq!(of(&["a.onnx", "pack.json"]), Ok(String::new()));
        let within = ["clip/pack.json", "clip/a.onnx", "__MACOSX/clip/._pack.json"];
        assert_eq!(of(&within), Ok("clip/".to_owned()));
        assert!(of(&["a/pack.json", "b/pack.json"]).is_err());
        assert!(of(&["unpack.json"]).is_err());
    }
}
