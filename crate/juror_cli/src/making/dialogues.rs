//! `juror make dialogues`: WEAVE's dialogues from nothing, by the paper's four routes.

use std::process::ExitCode;

use anyhow::bail;
use juror_make::Kind;
use juror_make::weave::dialogues::{Count, Project, Settings, begin};

use super::StepArgs;

/// What is made.
#[derive(Debug, clap::Args)]
pub(crate) struct DialoguesArgs {
    /// So many dialogues of a route: fusion=2, remove=2, derivative=2, sequential=2; may be given several times. Only when a project
    /// begins.
    #[arg(long, value_name = "ROUTE=DIALOGUES")]
    count: Vec<Count>,
    /// Categories of scenes that are drawn from; all twelve if not given. Only when a project begins.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    categories: Vec<String>,
    /// Decides every random choice; 1 if not given. Only when a project begins.
    #[arg(long)]
    seed: Option<u64>,
    /// What this step brings and wants.
    #[command(flatten)]
    step: StepArgs,
}

/// Begins a project or carries it on.
pub(crate) fn run(args: &DialoguesArgs) -> anyhow::Result<ExitCode> {
    let mut project = match args.step.project()? {
        Some(text) => {
            super::expect_kind(&text, Kind::WeaveDialogues)?;
            if !args.count.is_empty() || !args.categories.is_empty() || args.seed.is_some() {
                bail!(
                    "{} holds a project already, whose dialogues are fixed; name no --count, --categories and --seed, or another --out",
                    args.step.out.display()
                );
            }
            Project::read(&text, Kind::WeaveDialogues)?
        }
        None => begin(
            args.seed.unwrap_or(1),
            Settings {
                counts: args.count.clone(),
                categories: args.categories.iter().cloned().collect(),
            },
        )?,
    };
    super::go_on(&mut project, &args.step)
}
