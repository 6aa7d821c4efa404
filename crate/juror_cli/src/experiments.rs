//! `juror experiments`: compares the levels of a factor, and those of a second one with it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use juror_session::view::experiments::{BY_CRITERION, ExperimentQuery};

use crate::agreement::LevelArg;
use crate::compare::CorrectionArg;
use crate::host::Host;
use crate::{ProfileArg, print, tell_in_short};

/// Which experiment, and how it is told.
#[derive(Debug, Args)]
pub(crate) struct ExperimentsArgs {
    /// Benchmark and model folders, in any order. A submission is a level where it is called MODEL@FACTOR=LEVEL (several
    /// with `,` or another `@`), or where a file variant.json in its folder says so:
    /// {"base": "MODEL", "levels": {"FACTOR": "LEVEL"}}.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Journals with more replies.
    #[arg(long)]
    replies: Vec<PathBuf>,
    /// The factor: one that submissions or names of judges state, `pack` for the prompt packs that one judge was asked with,
    /// `judge` for the judges; the first at hand if not given.
    #[arg(long, default_value = "")]
    factor: String,
    /// A second factor, whose levels are rows of the same table, each with its own differences. Where all four cells of two
    /// levels of both are there, the difference of the differences follows.
    #[arg(long, value_name = "FACTOR", default_value = "")]
    by_factor: String,
    /// What was varied: the name of a base, or of a model where judging is; everything if not given.
    #[arg(long, default_value = "")]
    base: String,
    /// The level that stands first, which the others are held against.
    #[arg(long, default_value = "")]
    first: String,
    /// Rows: `criterion`, or a scope such as domain, category or references.
    #[arg(long, default_value = BY_CRITERION)]
    by: String,
    /// The criterion of rows by a scope; the total if not given.
    #[arg(long, default_value = "")]
    criterion: String,
    /// Who judged the levels of submissions, several joined by " + "; whoever scored most of them if not given.
    #[arg(long)]
    judge: Option<String>,
    /// Says whether the difference of averages (or of the total where there are none) is smaller than this, on the printed
    /// scale.
    #[arg(long)]
    bound: Option<f64>,
    /// Which formulas.
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileArg,
    /// How p-values are adjusted for all differences of the table.
    #[arg(long, value_enum, default_value = "holm")]
    correction: CorrectionArg,
    /// Level of every interval, in percent.
    #[arg(long, value_enum, default_value = "95")]
    interval: LevelArg,
    /// Everything as JSON.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// One number on each row, with the paper's own at the end.
    #[arg(long, conflicts_with = "latex")]
    csv: bool,
    /// Tables for a paper.
    #[arg(long, conflicts_with = "json")]
    latex: bool,
}

/// Prints the experiment.
pub(crate) fn run(args: ExperimentsArgs) -> anyhow::Result<ExitCode> {
    if args
        .bound
        .is_some_and(|bound| !bound.is_finite() || bound <= 0.0)
    {
        bail!("--bound takes a number above 0, such as 0.5");
    }
    let mut host = Host::with_replies(&args.dirs, &args.replies)?;
    let query = ExperimentQuery {
        factor: args.factor,
        by_factor: args.by_factor,
        base: args.base,
        first: args.first,
        by: args.by,
        criterion: args.criterion,
        judge: args.judge,
        profile: args.profile.into(),
        correction: args.correction.into(),
        level: args.interval.into(),
        bound: args.bound,
    };
    let found = juror_session::experiments(&mut host.session, &query)?;
    tell_in_short(&mut host);
    print(&if args.json {
        serde_json::to_string_pretty(&found)? + "\n"
    } else if args.csv {
        found.to_csv()
    } else if args.latex {
        found.to_latex()
    } else {
        found.to_markdown()
    })?;
    Ok(host.exit_code())
}
