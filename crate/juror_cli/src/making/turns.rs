//! `juror make extend-dialogues`: WEAVE's dialogues, some with one text turn more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use juror_make::Kind;
use juror_make::weave::turns::{Picture, Project, Question, Settings, begin};

use super::StepArgs;

/// What is extended.
#[derive(Debug, clap::Args)]
pub(crate) struct ExtendArgs {
    /// Folders of WEAVE benchmarks with test.json, or such lists. Only when a project begins.
    dirs: Vec<PathBuf>,
    /// Kinds of question that are drawn from: caption, count, knowledge; all if not given. Only when a project begins.
    #[arg(long, value_name = "KIND", value_delimiter = ',', requires = "dirs")]
    kinds: Vec<Question>,
    /// Share of the dialogues without a text turn that get one; all if not given. Only when a project begins.
    #[arg(long, value_name = "X", requires = "dirs")]
    share: Option<f64>,
    /// Decides every random choice; 1 if not given. Only when a project begins.
    #[arg(long, requires = "dirs")]
    seed: Option<u64>,
    /// What this step brings and wants.
    #[command(flatten)]
    step: StepArgs,
}

/// Begins a project or carries it on.
pub(crate) fn run(args: &ExtendArgs) -> anyhow::Result<ExitCode> {
    let mut project = match (args.step.project()?, &*args.dirs) {
        (Some(text), []) => {
            super::expect_kind(&text, Kind::WeaveTurns)?;
            Project::read(&text, Kind::WeaveTurns)?
        }
        (Some(_), _) => bail!(
            "{} holds a project already, whose dialogues are fixed; name none, or another --out",
            args.step.out.display()
        ),
        (None, []) => bail!("name the folder of the WEAVE benchmark that the project begins with"),
        (None, dirs) => start(dirs, args)?,
    };
    super::go_on(&mut project, &args.step)
}

/// A project of these folders, with copies of their pictures.
fn start(dirs: &[PathBuf], args: &ExtendArgs) -> anyhow::Result<Project> {
    let mut lists = Vec::new();
    let mut hashes: BTreeMap<String, (String, PathBuf)> = BTreeMap::new();
    let mut bases = Vec::new();
    for dir in dirs {
        let path = list_of(dir)?;
        let text = super::read(&path)?;
        juror_make::weave::pictures(&text).with_context(|| path.display().to_string())?;
        bases.push((
            path.parent().unwrap_or(Path::new("")).to_owned(),
            text.clone(),
        ));
        lists.push(text);
    }
    let settings = Settings {
        lists,
        kinds: args.kinds.iter().copied().collect(),
        share: args.share.unwrap_or(1.0),
    };
    let seed = args.seed.unwrap_or(1);
    let named = || {
        let names = dirs.iter().map(|dir| dir.display().to_string());
        names.collect::<Vec<_>>().join(", ")
    };
    // Faults of the lists are named before a picture is copied.
    let unread = |path: &str| Picture {
        path: path.to_owned(),
        sha256: String::new(),
    };
    begin(seed, settings.clone(), unread).with_context(named)?;
    for (base, text) in &bases {
        for (path, sha256) in super::weave::copied(text, base, &args.step.out, "put it there")? {
            match hashes.get(&path) {
                Some((known, first)) if *known != sha256 => bail!(
                    "{path} is one picture in {} and another in {}; rename one in its folder and list",
                    first.display(),
                    base.display()
                ),
                _ => hashes.insert(path, (sha256, base.clone())),
            };
        }
    }
    let picture = |path: &str| Picture {
        path: path.to_owned(),
        sha256: hashes
            .get(path)
            .map(|(sha256, _)| sha256.clone())
            .unwrap_or_default(),
    };
    Ok(begin(seed, settings, picture)?)
}

/// The list of a benchmark's folder.
fn list_of(dir: &Path) -> anyhow::Result<PathBuf> {
    let inside = ["", "test.json", "test/test.json"].map(|place| match place {
        "" => dir.to_owned(),
        place => dir.join(place),
    });
    match inside.into_iter().find(|path| path.is_file()) {
        Some(path) => Ok(path),
        None => bail!(
            "{} holds no test.json; name a WEAVE benchmark's folder or its list",
            dir.display()
        ),
    }
}
