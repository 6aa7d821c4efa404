//! Which Wasm modules are as their present sources would make them.
//!
//! Cargo gives every set of features one file name for a library of this kind, and so compiles each module anew when
//! several are built in turn: here each has a stamp of its own.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::build::{Audience, files_below, hash_of_files, write_stamp};
use crate::process::ask;
use crate::workspace::{Module, Workspace};

/// What a module was made of last, and what came out.
#[derive(Debug)]
pub(crate) struct Stamp {
    path: PathBuf,
    /// The repository, which sources are told from.
    root: PathBuf,
    out_dir: PathBuf,
    /// Everything but the sources: compiler, flags, profile, locked crates.
    around: u64,
}

impl Stamp {
    /// The stamp of a module, beside what is [`around`] all of them.
    pub(crate) fn of(
        workspace: &Workspace,
        module: &Module,
        audience: Audience,
        around: u64,
    ) -> Self {
        let mut hasher = DefaultHasher::new();
        around.hash(&mut hasher);
        format!("{audience:?}").hash(&mut hasher);
        format!("{module:?}").hash(&mut hasher);
        Self {
            path: workspace.stamps().join(format!("wasm-{}", module.out_name)),
            root: workspace.root.clone(),
            out_dir: workspace.root.join(&module.out_dir),
            around: hasher.finish(),
        }
    }

    /// Whether nothing that the module was made of has changed since, nor what came out.
    pub(crate) fn holds(&self) -> bool {
        let Ok(text) = fs::read_to_string(&self.path) else {
            return false;
        };
        let mut lines = text.lines();
        let hash = lines.next();
        let sources: Vec<PathBuf> = lines.map(|line| self.root.join(line)).collect();
        let now = self.hash(&sources);
        now.is_ok_and(|now| hash == Some(&format!("{now:016x}")))
    }

    /// Notes that the module was made of these sources just now.
    pub(crate) fn set(&self, sources: &[PathBuf]) -> anyhow::Result<()> {
        let mut text = format!("{:016x}", self.hash(sources)?);
        for source in sources {
            let own = source.strip_prefix(&self.root).unwrap_or(source);
            text.push('\n');
            text.push_str(&own.to_string_lossy());
        }
        write_stamp(&self.path, &text)
    }

    fn hash(&self, sources: &[PathBuf]) -> anyhow::Result<u64> {
        let mut hasher = DefaultHasher::new();
        self.around.hash(&mut hasher);
        for source in sources {
            source
                .strip_prefix(&self.root)
                .unwrap_or(source)
                .hash(&mut hasher);
            fs::read(source)
                .with_context(|| format!("cannot read {}", source.display()))?
                .hash(&mut hasher);
        }
        hash_of_files(&self.out_dir)?.hash(&mut hasher);
        Ok(hasher.finish())
    }
}

/// A hash of everything that every module is made with but its sources: compiler, flags, profile, locked crates.
pub(crate) fn around(workspace: &Workspace) -> anyhow::Result<u64> {
    let mut hasher = DefaultHasher::new();
    ask("rustc", &["-vV"]).hash(&mut hasher);
    let config = &workspace.config;
    format!("{:?} {:?}", config.wasm, config.wasm_opt).hash(&mut hasher);
    for (name, value) in std::env::vars() {
        if name == "RUSTFLAGS" || name.starts_with("CARGO_PROFILE_WASM_") {
            (name, value).hash(&mut hasher);
        }
    }
    for path in manifests(&workspace.root)? {
        fs::read(&path)
            .with_context(|| format!("cannot read {}", path.display()))?
            .hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// What says which crates are compiled, and how.
fn manifests(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let own = ["Cargo.lock", "Cargo.toml", "www/package-lock.json"].map(|name| root.join(name));
    let crates = files_below(&root.join("crate"))?.into_iter();
    let manifests = crates.filter(|path| path.ends_with("Cargo.toml"));
    Ok(own.into_iter().chain(manifests).collect())
}

/// The sources of a built file, from the list that cargo writes beside it.
pub(crate) fn sources_of(built: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let list = built.with_extension("d");
    let text =
        fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    Ok(sources_in(&text))
}

/// The paths behind the colon; a blank in a path is written with a backslash before it.
fn sources_in(text: &str) -> Vec<PathBuf> {
    const BLANK: char = '\0';
    let line = text.lines().next().unwrap_or_default();
    let line = line.replace("\\ ", &BLANK.to_string());
    let (_, sources) = line.split_once(": ").unwrap_or_default();
    let paths = sources.split_whitespace();
    paths
        .map(|path| PathBuf::from(path.replace(BLANK, " ")))
        .collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_sources_may_have_blanks_in_its_paths() {
        let text = "/a b/x.wasm: /a\\ b/lib.rs /c/d.rs\n";
        let text = text.replacen("/a b/x", "/a\\ b/x", 1);
        let expected = ["/a b/lib.rs", "/c/d.rs"].map(PathBuf::from);
        assert_eq!(sources_in(&text), expected);
        assert_eq!(sources_in("/x.wasm:\n"), [] as [PathBuf; 0]);
    }

    #[test]
    fn a_stamp_holds_until_a_source_or_what_came_out_changes() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("out")).unwrap();
        fs::write(at("out/module.wasm"), "made").unwrap();
        fs::write(at("lib.rs"), "one").unwrap();
        let stamp = Stamp {
            path: at("stamp"),
            root: dir.path().to_owned(),
            out_dir: at("out"),
            around: 1,
        };
        assert!(!stamp.holds());
        stamp.set(&[at("lib.rs")]).unwrap();
        assert!(stamp.holds());
        fs::write(at("lib.rs"), "two").unwrap();
        assert!(!stamp.holds());
        stamp.set(&[at("lib.rs")]).unwrap();
        fs::write(at("out/module.wasm"), "other").unwrap();
        assert!(!stamp.holds());
        stamp.set(&[at("lib.rs")]).unwrap();
        let other = Stamp { around: 2, ..stamp };
        assert!(!other.holds());
    }
}
