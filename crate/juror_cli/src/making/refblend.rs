//! `juror make refblend`: originals with typed references → samples of MultiRef-Bench.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use juror_make::Kind;
use juror_make::refblend::import::import;
use juror_make::refblend::original::{Found, Original, found_in, found_in_list};
use juror_make::refblend::{
    Filter, Project, Rater, Rewriting, Rule, Settings, Wording, begin, voices_of,
};
use juror_model::tree::leftover;
use walkdir::WalkDir;

use super::StepArgs;

/// What is made, of what.
#[derive(Debug, clap::Args)]
pub(crate) struct RefblendArgs {
    /// Folders with originals and references by type (original/NAME.png, canny/NAME.png, caption/NAME.txt, …), or the JSON
    /// files that the authors' extraction wrote. Only when a project begins.
    dirs: Vec<PathBuf>,
    /// How the project begins.
    #[command(flatten)]
    begin: BeginArgs,
    /// What this step brings and wants.
    #[command(flatten)]
    step: StepArgs,
}

/// Chosen once, when a project begins.
#[derive(Debug, clap::Args)]
struct BeginArgs {
    /// Decides every random choice; 1 if not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Which combinations: kinds has the benchmark's 33, matrix the 44 legal ones, matrix-four also those of four (51),
    /// released draws as the authors' program. kinds if not given.
    #[arg(long, value_enum)]
    rule: Option<RuleArg>,
    /// Which references are good enough: none rated below 3 (paper), or by the keys of the authors' program (released).
    #[arg(long, value_enum)]
    filter: Option<FilterArg>,
    /// Ask a judge for the ratings that lack.
    #[arg(long)]
    rate: bool,
    /// Rewrite each instruction in somebody's voice.
    #[arg(long)]
    rewrite: bool,
    /// The authors' `condition_mapping.json`: instructions as their program puts them together, instead of our own wording.
    #[arg(long, value_name = "FILE")]
    templates: Option<PathBuf>,
    /// Voices: a JSON list of {"persona": TEXT}, or one on each line; our own forty if not given.
    #[arg(long, value_name = "FILE")]
    personas: Option<PathBuf>,
    /// Samples of each combination, the rest goes to train.json; one of each original if not given.
    #[arg(long, value_name = "N")]
    quota: Option<u32>,
    /// Take references in that are not drawn as their type must be.
    #[arg(long)]
    unchecked: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RuleArg {
    Kinds,
    Matrix,
    MatrixFour,
    Released,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FilterArg {
    Paper,
    Released,
}

impl BeginArgs {
    fn is_given(&self) -> bool {
        self.seed.is_some()
            || self.rule.is_some()
            || self.filter.is_some()
            || self.rate
            || self.rewrite
            || self.templates.is_some()
            || self.personas.is_some()
            || self.quota.is_some()
            || self.unchecked
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let templates = self.templates.as_deref().map(super::read).transpose()?;
        let voices = match &self.personas {
            Some(path) => {
                voices_of(&super::read(path)?).with_context(|| format!("{}", path.display()))?
            }
            None => Vec::new(),
        };
        Ok(Settings {
            rule: match self.rule {
                None | Some(RuleArg::Kinds) => Rule::Kinds,
                Some(RuleArg::Matrix) => Rule::Matrix,
                Some(RuleArg::MatrixFour) => Rule::MatrixFour,
                Some(RuleArg::Released) => Rule::Released,
            },
            filter: match self.filter {
                None | Some(FilterArg::Paper) => Filter::Paper,
                Some(FilterArg::Released) => Filter::Released,
            },
            rater: if self.rate {
                Rater::Asked
            } else {
                Rater::Given
            },
            wording: if templates.is_some() {
                Wording::Released
            } else {
                Wording::Ours
            },
            rewriting: if self.rewrite {
                Rewriting::Persona
            } else {
                Rewriting::Plain
            },
            quota: self.quota.unwrap_or(0),
            templates,
            voices,
        })
    }
}

/// Begins a project or carries it on.
pub(crate) fn run(args: &RefblendArgs) -> anyhow::Result<ExitCode> {
    let mut project = match args.step.project()? {
        Some(text) => {
            super::expect_kind(&text, Kind::Refblend)?;
            if !args.dirs.is_empty() || args.begin.is_given() {
                bail!(
                    "{} holds a project already, whose originals and settings are fixed; leave them out, or name another --out",
                    args.step.out.display()
                );
            }
            Project::read(&text, Kind::Refblend)?
        }
        None => start(args)?,
    };
    super::go_on(&mut project, &args.step)
}

fn start(args: &RefblendArgs) -> anyhow::Result<Project> {
    let settings = args.begin.settings()?;
    settings.check()?;
    let mut originals: Vec<Original> = Vec::new();
    for (found, base) in find(&args.dirs)? {
        if originals.iter().any(|known| known.id == found.id()) {
            bail!(
                "two originals are called {}; rename one, as samples go by their names",
                found.id()
            );
        }
        let bases: Vec<&Path> = base
            .iter()
            .chain(&args.dirs)
            .map(PathBuf::as_path)
            .collect();
        let (original, copies) = import(&found, !args.begin.unchecked, |path| {
            let places = bases.iter().map(|base| base.join(path));
            let mut files = places.filter(|path| path.is_file());
            std::fs::read(files.next()?).ok()
        })?;
        for copied in copies {
            super::write(&args.step.out.join(&copied.path), &copied.bytes)?;
        }
        originals.push(original);
    }
    if originals.is_empty() {
        bail!(
            "no original was found: expected pictures in a folder original/ with references by type beside it, or the JSON files of the authors' extraction"
        );
    }
    Ok(begin(args.begin.seed.unwrap_or(1), settings, originals)?)
}

/// What folders and lists name, each with the folder that its paths start from.
fn find(dirs: &[PathBuf]) -> anyhow::Result<Vec<(Found, Option<PathBuf>)>> {
    let mut all = Vec::new();
    for dir in dirs {
        if dir.is_file() {
            all.extend(of_list(dir)?);
            continue;
        }
        let mut paths = Vec::new();
        for entry in WalkDir::new(dir).sort_by_file_name() {
            let entry = entry.with_context(|| format!("cannot read {}", dir.display()))?;
            if entry.file_type().is_file() {
                let path = entry.path().strip_prefix(dir).unwrap_or(entry.path());
                let path = path.to_string_lossy().replace('\\', "/");
                if leftover(&path).is_none() {
                    paths.push(path);
                }
            }
        }
        let is_list = |path: &&String| path.starts_with("json/") && super::ending(path) == "json";
        let lists: Vec<&String> = paths.iter().filter(is_list).collect();
        for list in &lists {
            all.extend(of_list(&dir.join(list))?);
        }
        if lists.is_empty() {
            let text = |path: &str| std::fs::read_to_string(dir.join(path)).ok();
            let found = found_in(paths.iter().map(String::as_str), text);
            all.extend(found.into_iter().map(|one| (one, Some(dir.clone()))));
        }
    }
    Ok(all)
}

fn of_list(path: &Path) -> anyhow::Result<Vec<(Found, Option<PathBuf>)>> {
    let found = found_in_list(&path.display().to_string(), &super::read(path)?)?;
    let base = path.parent().map(Path::to_path_buf);
    Ok(found.into_iter().map(|one| (one, base.clone())).collect())
}
