//! `juror make realworld`: requests that people posted → samples of MultiRef-Bench's real-world half.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use juror_make::realworld::{Project, begin, found_in_list, import};
use juror_make::{Copied, Kind};

use super::StepArgs;

/// What is made, of what.
#[derive(Debug, clap::Args)]
pub(crate) struct RealworldArgs {
    /// JSON list of `{"id", "text", "inputs": [paths], "outputs": [paths]}`; paths start from its folder. Only when a project
    /// begins.
    list: Option<PathBuf>,
    /// What this step brings and wants.
    #[command(flatten)]
    step: StepArgs,
}

/// Begins a project or carries it on.
pub(crate) fn run(args: &RealworldArgs) -> anyhow::Result<ExitCode> {
    let mut project = match (args.step.project()?, &args.list) {
        (Some(text), None) => {
            super::expect_kind(&text, Kind::Realworld)?;
            Project::read(&text, Kind::Realworld)?
        }
        (Some(_), Some(_)) => bail!(
            "{} holds a project already, whose items are fixed; leave the list out, or name another --out",
            args.step.out.display()
        ),
        (None, Some(list)) => start(list, &args.step.out)?,
        (None, None) => bail!("name the list of requests that the project begins with"),
    };
    super::go_on(&mut project, &args.step)
}

fn start(list: &Path, out: &Path) -> anyhow::Result<Project> {
    let base = list.parent().unwrap_or(Path::new(""));
    let mut items = Vec::new();
    for found in found_in_list(&list.display().to_string(), &super::read(list)?)? {
        let (item, copies) = import(found, |path| std::fs::read(base.join(path)).ok())?;
        for Copied { path, bytes } in copies {
            super::write(&out.join(path), &bytes)?;
        }
        items.push(item);
    }
    Ok(begin(items))
}
