//! Where things are and how they are configured: the repository's root, `wasm-pack.toml` and the commands that
//! start from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use cargo_metadata::{Metadata, MetadataCommand};
use serde::Deserialize;

use crate::process::Unmet;

/// `wasm-pack.toml`, our own file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) wasm: Wasm,
    pub(crate) wasm_opt: WasmOpt,
    pub(crate) tools: Tools,
    pub(crate) budget: Vec<Budget>,
}

impl Config {
    /// With a module and a budget for each word of theirs.
    fn expanded(mut self) -> Self {
        let modules = self.wasm.module.into_iter();
        self.wasm.module = modules.flat_map(Module::expanded).collect();
        self.budget = (self.budget.into_iter())
            .flat_map(Budget::expanded)
            .collect();
        self
    }
}

/// What is built as Wasm and where the result goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wasm {
    pub(crate) package: String,
    pub(crate) profile: String,
    pub(crate) local_profile: String,
    pub(crate) rustflags: Vec<String>,
    pub(crate) module: Vec<Module>,
}

/// One Wasm file: the crate with a part of its features.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Module {
    /// Words for which a module of its own is built: [`EACH`] in the other entries stands for the word.
    #[serde(default)]
    pub(crate) each: Vec<String>,
    pub(crate) out_dir: String,
    pub(crate) out_name: String,
    pub(crate) features: String,
    /// The level of wasm-opt; without one the module stays as rustc made it.
    pub(crate) wasm_opt: Option<String>,
    #[serde(default)]
    pub(crate) lto: Lto,
}

/// Over how much of a module's code rustc optimises at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lto {
    /// Crate by crate, as the profile says.
    #[default]
    Off,
    /// Over all crates, which takes as long as compiling them.
    Fat,
}

/// What stands for a word of `each`.
const EACH: &str = "{each}";

impl Module {
    /// One for each of its words, or it alone.
    fn expanded(self) -> Vec<Self> {
        let of = |word: &String| Self {
            each: vec![word.clone()],
            out_dir: self.out_dir.replace(EACH, word),
            out_name: self.out_name.replace(EACH, word),
            features: self.features.replace(EACH, word),
            ..self.clone()
        };
        if self.each.is_empty() {
            return vec![self];
        }
        self.each.iter().map(of).collect()
    }

    /// The step of its building.
    pub(crate) fn step(&self) -> String {
        format!("{} as Wasm", self.out_name)
    }
}

/// Arguments of wasm-opt besides the level.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WasmOpt {
    pub(crate) args: Vec<String>,
}

/// Versions of tools that no lock file pins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tools {
    pub(crate) node: String,
}

/// An upper limit for the size of a set of built files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Budget {
    /// Words for which there is a budget of its own: [`EACH`] in name, folder and `include` stands for the word.
    #[serde(default)]
    pub(crate) each: Vec<String>,
    pub(crate) name: String,
    /// The folder below `www`; without one, `dist`.
    #[serde(default = "Budget::dist")]
    pub(crate) dir: String,
    /// What a server sends at most; a budget has this or the next.
    pub(crate) gzip_bytes: Option<u64>,
    /// How much the files may be as they lie there.
    pub(crate) raw_bytes: Option<u64>,
    /// What a server should send at most; printed where it is missed, and does not fail.
    pub(crate) aim_gzip_bytes: Option<u64>,
    pub(crate) include: Vec<String>,
    #[serde(default)]
    pub(crate) exclude: Vec<Exclude>,
    /// Where README says the size: one cell, or one for each word.
    #[serde(default)]
    pub(crate) readme: Vec<ReadmeCell>,
}

impl Budget {
    fn dist() -> String {
        "dist".to_owned()
    }

    /// One for each of its words, or it alone.
    fn expanded(self) -> Vec<Self> {
        let of = |(at, word): (usize, &String)| Self {
            each: vec![word.clone()],
            readme: self.readme.get(at).cloned().into_iter().collect(),
            name: self.name.replace(EACH, word),
            dir: self.dir.replace(EACH, word),
            include: (self.include.iter())
                .map(|pattern| pattern.replace(EACH, word))
                .collect(),
            ..self.clone()
        };
        if self.each.is_empty() {
            return vec![self];
        }
        self.each.iter().enumerate().map(of).collect()
    }
}

/// A cell of README's table of sizes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadmeCell {
    /// The first cell of its row.
    pub(crate) row: String,
    /// Which cell of the row it is, the first being 1.
    #[serde(default = "ReadmeCell::third")]
    pub(crate) column: usize,
}

impl ReadmeCell {
    fn third() -> usize {
        3
    }
}

/// Files that a budget does not count, and why.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exclude {
    pub(crate) files: String,
    pub(crate) reason: String,
}

/// The repository and its configuration.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) config: Config,
}

impl Workspace {
    /// The workspace that this program was built from; cargo says which.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let crate_dir = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = crate_dir
            .ancestors()
            .nth(2)
            .context("xtask lies two folders below the root")?
            .to_path_buf();
        let path = root.join("wasm-pack.toml");
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let config: Config =
            toml::from_str(&text).with_context(|| format!("in {}", path.display()))?;
        Ok(Self {
            root,
            config: config.expanded(),
        })
    }

    /// The folder of the page.
    pub(crate) fn www(&self) -> PathBuf {
        self.root.join("www")
    }

    /// The built page.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("www/dist")
    }

    /// Where this program keeps its stamps: beside the npm packages, so that they go when the packages go.
    pub(crate) fn stamps(&self) -> PathBuf {
        self.root.join("www/node_modules/.juror")
    }

    /// The cargo that started this program, in the root.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// Like [`Self::cargo`], for wasm32 with the features that the page is built with.
    pub(crate) fn cargo_wasm(&self, arguments: &[&str]) -> Command {
        let mut command = self.cargo(arguments);
        command.args(["--target", WASM_TARGET]);
        self.set_wasm_flags(&mut command);
        command
    }

    /// Sets the rustc flags of `wasm-pack.toml`, after the user's own so that those do not replace ours.
    pub(crate) fn set_wasm_flags(&self, command: &mut Command) {
        let mut flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        for flag in &self.config.wasm.rustflags {
            flags.push(' ');
            flags.push_str(flag);
        }
        let mut flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        // Where a panic happened is told without the folders of the machine that built it. A trial with a cheaper profile
        // keeps its paths, so that it need not build everything anew.
        if !is_trial() {
            flags.extend(self.short_paths());
            // What a module that is optimised over all crates is made of.
            flags.push("-Cembed-bitcode=yes".to_owned());
        }
        command
            .env_remove("RUSTFLAGS")
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    }

    /// Has cargo build a native program without the builder's own folders in it.
    pub(crate) fn set_native_flags(&self, command: &mut Command) {
        let own = std::env::var("RUSTFLAGS").unwrap_or_default();
        let mut flags: Vec<String> = own.split_whitespace().map(str::to_owned).collect();
        flags.extend(self.short_paths());
        command
            .env_remove("RUSTFLAGS")
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    }

    /// Flags by which paths in a program begin with `juror` or `cargo` instead of with the builder's own folders.
    fn short_paths(&self) -> Vec<String> {
        let named = self.builders_folders().into_iter();
        named
            .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
            .collect()
    }

    /// The folders of the machine that builds which compilers write into programs, each with the word that stands for it.
    pub(crate) fn builders_folders(&self) -> Vec<(std::path::PathBuf, &'static str)> {
        let home = |name: &str, below: &str| {
            let own = std::env::var_os(name).map(std::path::PathBuf::from);
            own.or_else(|| Some(std::env::home_dir()?.join(below)))
        };
        let folders = [
            (Some(self.root.clone()), "juror"),
            (home("CARGO_HOME", ".cargo"), "cargo"),
            (home("RUSTUP_HOME", ".rustup"), "rustup"),
        ];
        folders
            .into_iter()
            .filter_map(|(folder, name)| Some((folder?, name)))
            .collect()
    }

    /// A program of an npm package, run by node itself: shell wrappers differ between systems and hide signals.
    pub(crate) fn node_script(&self, script: &str) -> anyhow::Result<Command> {
        let path = self.www().join("node_modules").join(script);
        if !path.is_file() {
            return Err(Unmet::new(format!(
                "www/node_modules/{script} is missing; its package belongs to the devDependencies of www/package.json"
            ))
            .into());
        }
        let mut command = Command::new("node");
        command.arg(path).current_dir(self.www());
        Ok(command)
    }

    /// `npm` in www.
    pub(crate) fn npm(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        command
            .args(arguments)
            .current_dir(self.www())
            // The browser tests lie outside of www and take their packages from there.
            .env("NODE_PATH", self.www().join("node_modules"));
        command
    }

    /// `npm run SCRIPT -- ARGUMENTS` in www, if www/package.json has that script.
    pub(crate) fn npm_script(&self, script: &str, arguments: &[&str]) -> anyhow::Result<Command> {
        if !self.has_npm_script(script)? {
            return Err(
                Unmet::new(format!("www/package.json has no script `{script}` yet")).into(),
            );
        }
        let mut command = self.npm(&["run", "--silent", script, "--"]);
        command.args(arguments);
        Ok(command)
    }

    /// Whether www/package.json has a script of this name.
    pub(crate) fn has_npm_script(&self, script: &str) -> anyhow::Result<bool> {
        let path = self.www().join("package.json");
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let package: serde_json::Value =
            serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
        Ok(package["scripts"][script].is_string())
    }

    /// The packages of the workspace, with the dependencies that each states itself.
    pub(crate) fn metadata(&self) -> anyhow::Result<Metadata> {
        MetadataCommand::new()
            .manifest_path(self.root.join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("cargo metadata")
    }

    /// A path below the root, as text for messages.
    pub(crate) fn relative(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        path.display().to_string().replace('\\', "/")
    }
}

/// Whether the Wasm is built for a try alone, with a cheaper profile than the page is served with.
pub(crate) fn is_trial() -> bool {
    std::env::var_os("CARGO_PROFILE_WASM_LTO").is_some()
}

/// The one target of the page.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn config(each: &str) -> Config {
        let text = format!(
            r#"
            [wasm]
            package = "edge"
            profile = "wasm"
            local_profile = "wasm-local"
            rustflags = []

            [[wasm.module]]
            {each}
            out_dir = "pkg/{{each}}"
            out_name = "edge_{{each}}"
            features = "session {{each}}"

            [wasm_opt]
            args = []

            [tools]
            node = "20.0.0"

            [[budget]]
            {each}
            name = "the engine of {{each}}"
            dir = "pkg/{{each}}"
            gzip_bytes = 9
            include = ["edge_{{each}}*"]
            "#
        );
        let read: Config = toml::from_str(&text).unwrap();
        read.expanded()
    }

    #[test]
    fn a_module_and_a_budget_are_there_for_each_word() {
        let config = config(r#"each = ["apple", "pear"]"#);
        let modules = config.wasm.module.iter();
        let modules: Vec<_> = modules
            .map(|one| {
                (
                    one.out_dir.as_str(),
                    one.out_name.as_str(),
                    one.features.as_str(),
                )
            })
            .collect();
        assert_eq!(
            modules,
            [
                ("pkg/apple", "edge_apple", "session apple"),
                ("pkg/pear", "edge_pear", "session pear")
            ]
        );
        let budgets: Vec<_> = (config.budget.iter())
            .map(|one| (one.name.as_str(), one.dir.as_str(), one.include[0].as_str()))
            .collect();
        assert_eq!(
            budgets,
            [
                ("the engine of apple", "pkg/apple", "edge_apple*"),
                ("the engine of pear", "pkg/pear", "edge_pear*")
            ]
        );
    }

    #[test]
    fn without_words_there_is_one_of_each_as_it_stands() {
        let config = config("");
        assert_eq!(config.wasm.module.len(), 1);
        assert_eq!(config.wasm.module[0].out_dir, "pkg/{each}");
        assert_eq!(config.budget.len(), 1);
    }

    #[test]
    fn a_module_is_neither_optimised_over_all_crates_nor_by_wasm_opt_unless_it_says_so() {
        let module = &config("").wasm.module[0];
        assert_eq!((module.lto, module.wasm_opt.as_deref()), (Lto::Off, None));
    }
}
