//! Lists folders and brings the bytes that the session wants.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use juror_core::session::{Probed, Session};
use juror_core::tree::FileId;
use juror_core::view::FileMeta;
use juror_image::{ImageError, Limits};

/// A session over real folders.
pub(crate) struct Host {
    /// The session, loaded to the end.
    pub(crate) session: Session,
    paths: Vec<PathBuf>,
}

impl Host {
    /// Lists the folders and reads what the session wants; `more` are folders or single files beside them.
    pub(crate) fn open(dirs: &[PathBuf], more: &[PathBuf]) -> anyhow::Result<Self> {
        let mut host = Self {
            session: Session::new(probe),
            paths: Vec::new(),
        };
        for dir in dirs.iter().chain(more) {
            host.add(dir)?;
        }
        host.load();
        Ok(host)
    }

    fn add(&mut self, root: &Path) -> anyhow::Result<()> {
        let canonical = root
            .canonicalize()
            .with_context(|| format!("cannot open {}", root.display()))?;
        let above = canonical.parent().unwrap_or(Path::new("/"));
        let mut metas = Vec::new();
        // Sorted, so that numbers and reports do not depend on the file system's order.
        for entry in walkdir::WalkDir::new(&canonical)
            .sort_by_file_name()
            .follow_links(true)
        {
            let entry = entry.with_context(|| format!("cannot list {}", root.display()))?;
            if !entry.file_type().is_file() {
                continue;
            }
            let size = entry
                .metadata()
                .with_context(|| format!("cannot stat {}", entry.path().display()))?
                .len();
            let name = entry.path().strip_prefix(above).unwrap_or(entry.path());
            metas.push(FileMeta {
                path: name.to_string_lossy().into_owned(),
                size,
            });
            self.paths.push(entry.into_path());
        }
        self.session.add_files(&metas);
        Ok(())
    }

    fn load(&mut self) {
        loop {
            let wants = self.session.wants(64);
            if wants.is_empty() {
                return;
            }
            for want in wants {
                match self.read(want.file, want.head) {
                    Ok(bytes) => self.session.provide(want.file, bytes),
                    Err(error) => self
                        .session
                        .failed(want.file, &format!("The file cannot be read: {error}.")),
                }
            }
        }
    }

    /// Reads a picture whole, for its content hash.
    pub(crate) fn hash(&mut self, file: FileId) {
        if let Ok(bytes) = self.read(file, None) {
            self.session.provide_picture(file, &bytes);
        }
    }

    fn read(&self, file: FileId, head: Option<u64>) -> std::io::Result<Vec<u8>> {
        let path = self
            .paths
            .get(file as usize)
            .ok_or(std::io::ErrorKind::NotFound)?;
        let mut bytes = Vec::new();
        match head {
            Some(head) => std::fs::File::open(path)?
                .take(head)
                .read_to_end(&mut bytes)?,
            None => std::fs::File::open(path)?.read_to_end(&mut bytes)?,
        };
        Ok(bytes)
    }
}

fn probe(head: &[u8], size: u64) -> Probed {
    match juror_image::probe(head, size, &Limits::default()) {
        Ok(probe) => Probed::Picture {
            width: probe.width,
            height: probe.height,
        },
        Err(ImageError::NeedMore { bytes }) => Probed::NeedMore { bytes },
        Err(error) => Probed::Bad {
            message: error.to_string(),
            hint: String::new(),
        },
    }
}
