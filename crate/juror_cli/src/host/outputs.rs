//! Outputs that come while a session is open: a generator's next request may show its last picture.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use juror_model::host::FileMeta;

use super::{Host, Place, name_apart};

impl Host {
    /// Opens a model's folder in addition, if there is one and it is not open yet.
    pub(crate) fn add_outputs(&mut self, folder: &Path) -> anyhow::Result<()> {
        if !folder.is_dir() || self.is_listed(folder) {
            return Ok(());
        }
        let root = folder
            .canonicalize()
            .with_context(|| format!("cannot open {}", folder.display()))?;
        let mut roots: Vec<_> = self.opened.iter().map(|(root, _)| root.clone()).collect();
        roots.push(root.clone());
        let name = name_apart(&root, &roots);
        self.add(&root, &name, &roots)?;
        self.load();
        Ok(())
    }

    /// Whether any file of a folder is among those that are open.
    pub(crate) fn is_listed(&self, folder: &Path) -> bool {
        self.listed(folder).is_some()
    }

    /// Lists files under paths of their own, wherever they are on disk.
    pub(crate) fn list(&mut self, files: Vec<(String, PathBuf)>) {
        if files.is_empty() {
            return;
        }
        let mut metas = Vec::with_capacity(files.len());
        for (path, disk) in files {
            let size = disk.metadata().map(|found| found.len()).ok();
            metas.push(FileMeta { path, size });
            self.paths.push(Place::Disk(disk));
        }
        self.session.add_files(&metas);
        self.load();
    }

    /// Takes in a file that was written to a model's folder, for the first time or in place of another.
    pub(crate) fn add_output(&mut self, folder: &Path, place: &str) -> anyhow::Result<()> {
        let Some(listed) = self.listed(folder) else {
            return self.add_outputs(folder);
        };
        let path = folder
            .join(place)
            .canonicalize()
            .with_context(|| format!("cannot open {}", folder.join(place).display()))?;
        let size = path.metadata().map(|found| found.len()).ok();
        self.paths.push(Place::Disk(path));
        self.session.add_files(&[FileMeta {
            path: format!("{listed}/{place}"),
            size,
        }]);
        self.load();
        Ok(())
    }
}
