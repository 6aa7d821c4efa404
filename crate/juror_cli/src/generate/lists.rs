//! Lists that the authors' programs read in addition to the pictures: they name what is on disk, after each picture and after a
//! run that was killed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use juror_session::OutputList;

use crate::host::Host;
use crate::sending::files;

/// The lists of a model's folder.
pub(super) struct Lists {
    folder: PathBuf,
    all: Vec<OutputList>,
    /// Positions of lists by the places of the outputs that they name.
    by_place: BTreeMap<String, usize>,
}

impl Lists {
    /// The lists of a folder, none of which is written.
    pub(super) fn of(host: &mut Host, folder: &Path) -> Self {
        let all = juror_session::output_lists(&host.session.linked());
        let mut by_place = BTreeMap::new();
        for (at, list) in all.iter().enumerate() {
            by_place.extend(list.places().map(|place| (place.to_owned(), at)));
        }
        Self {
            folder: folder.to_owned(),
            all,
            by_place,
        }
    }

    /// Has every list name what is there: a run that was killed after a picture and before its list left that out.
    ///
    /// # Errors
    /// One cannot be read or written, or is something else.
    pub(super) fn write_all(&self, host: &mut Host) -> anyhow::Result<()> {
        (self.all.iter()).try_for_each(|list| self.write(host, list))
    }

    /// Has the list of an output name it.
    ///
    /// # Errors
    /// As of [`Self::write_all`].
    pub(super) fn add(&self, host: &mut Host, place: &str) -> anyhow::Result<()> {
        match self.by_place.get(place) {
            Some(at) => self.write(host, &self.all[*at]),
            None => Ok(()),
        }
    }

    fn write(&self, host: &mut Host, list: &OutputList) -> anyhow::Result<()> {
        let path = self.folder.join(&list.path);
        let old = match std::fs::read(&path) {
            Ok(bytes) => Some(
                String::from_utf8(bytes)
                    .with_context(|| refusal(&path) + ": it is not in UTF-8")?,
            ),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let is_there = |place: &str| self.folder.join(place).is_file();
        // No list names nothing.
        if old.is_none() && !list.places().any(is_there) {
            return Ok(());
        }
        let text = old.as_deref().unwrap_or_default();
        let new = list
            .listed(&host.session.linked(), text, &is_there)
            .with_context(|| refusal(&path))?;
        if old.as_ref() == Some(&new) {
            return Ok(());
        }
        files::put(&path, new.as_bytes())?;
        files::name(&path)
    }
}

fn refusal(path: &Path) -> String {
    format!(
        "{} has to name the pictures that are made and cannot be gone on with: correct it, or move it away to have it written from the pictures that are there",
        path.display()
    )
}
