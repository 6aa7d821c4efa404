//! `juror compare`: models beside each other on the same samples.

use juror_core::session;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use juror_core::model::options::{Policy, ScoreOptions};
use juror_core::session::compare::{Cluster, CompareQuery, MAX_REPLICATES, REPLICATES};
use juror_core::statistics::correction::Correction;

use crate::{PolicyArg, ProfileArg, host, tell};

/// What to compare, and how.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Benchmark and model folders, in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Journals with more replies.
    #[arg(long)]
    replies: Vec<PathBuf>,
    /// Which formulas.
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileArg,
    /// What incidents count as; the profile's own policy if not given.
    #[arg(long, value_enum)]
    policy: Option<PolicyArg>,
    /// Scope of the score rows: overall, category, domain, references, …; the widest if not given.
    #[arg(long, default_value = "")]
    scope: String,
    /// Key within the scope; its first if not given.
    #[arg(long, default_value = "")]
    key: String,
    /// Criterion; the total if not given.
    #[arg(long, default_value = "")]
    criterion: String,
    /// Judge, or several joined by " + " for their mean; the one that most models have if not given.
    #[arg(long)]
    judge: Option<String>,
    /// How p-values are adjusted for the number of pairs.
    #[arg(long, value_enum, default_value = "holm")]
    correction: CorrectionArg,
    /// What may err together: standard errors are clustered by it, and the bootstrap draws it anew.
    #[arg(long, value_enum, default_value = "sample")]
    cluster: ClusterArg,
    /// Seed of the bootstrap.
    #[arg(long, default_value = "1")]
    seed: u32,
    /// Replicates of the bootstrap; 0 for none.
    #[arg(long, default_value_t = REPLICATES, value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_REPLICATES)))]
    replicates: u32,
    /// In which form.
    #[arg(long, value_enum, default_value = "json")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CorrectionArg {
    /// Holm: no false separation at all, with a chance of 95 %.
    Holm,
    /// Benjamini–Hochberg: of the separations, 5 % false ones at most, on average.
    Bh,
    /// None.
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ClusterArg {
    /// Each sample stands for itself.
    Sample,
    /// Samples with the same reference pictures.
    ReferenceSet,
    /// Samples of one domain or task.
    Domain,
    /// Samples of one category.
    Category,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Everything.
    Json,
    /// One row per model and pair.
    Csv,
    /// Tables and sentences, rounded as printed.
    Md,
}

impl From<CorrectionArg> for Correction {
    fn from(arg: CorrectionArg) -> Self {
        match arg {
            CorrectionArg::Holm => Self::Holm,
            CorrectionArg::Bh => Self::BenjaminiHochberg,
            CorrectionArg::None => Self::None,
        }
    }
}

impl From<ClusterArg> for Cluster {
    fn from(arg: ClusterArg) -> Self {
        match arg {
            ClusterArg::Sample => Self::Sample,
            ClusterArg::ReferenceSet => Self::ReferenceSet,
            ClusterArg::Domain => Self::Domain,
            ClusterArg::Category => Self::Category,
        }
    }
}

/// The comparison as text in the form asked for.
pub(crate) fn run(args: CompareArgs) -> anyhow::Result<String> {
    let mut host = host::Host::open(&args.dirs, &args.replies)?;
    let options = ScoreOptions {
        profile: args.profile.into(),
        policy: args.policy.map(Policy::from),
        judge: None,
        run: None,
    };
    let query = CompareQuery {
        scope: args.scope,
        key: args.key,
        criterion: args.criterion,
        judge: args.judge,
        correction: args.correction.into(),
        cluster: args.cluster.into(),
        seed: args.seed,
        replicates: args.replicates,
    };
    let found = session::compare(&mut host.session, &options, &query)?;
    if found.models.is_empty() {
        tell(&session::problems(&mut host.session));
        bail!("no model was found; see juror inspect");
    }
    Ok(match args.format {
        Format::Json => serde_json::to_string_pretty(&found)? + "\n",
        Format::Csv => found.to_csv(),
        Format::Md => found.to_markdown(),
    })
}
