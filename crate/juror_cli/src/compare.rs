//! `juror compare`: models beside each other on the same samples.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use juror_model::judge::is_panel;
use juror_model::options::{Policy, ScoreOptions};
use juror_reading::text;
use juror_session::compare::{Cluster, CompareQuery, MAX_REPLICATES, REPLICATES};
use juror_session::view::costs::CostQuery;
use juror_session::view::groups::GroupMeansQuery;
use juror_statistics::correction::Correction;
use juror_statistics::level::Level;

use crate::PolicyArg;
use crate::ProfileArg;
use crate::agreement::LevelArg;
use crate::check_choice;
use crate::host;
use crate::panel::PanelArgs;
use crate::{tell, tell_in_short};

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
    /// Seconds of outputs, CSV with the columns model, sample and seconds: two models on the same samples, beside what the paper
    /// prints, in place of scores.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["by", "criterion", "judge", "key"])]
    seconds: Option<PathBuf>,
    /// With --seconds: the model that is compared with; the first of the file if not given.
    #[arg(long, value_name = "MODEL", default_value = "", requires = "seconds")]
    base: String,
    /// With --seconds: the other model; the second of the file if not given.
    #[arg(long, value_name = "MODEL", default_value = "", requires = "seconds")]
    other: String,
    /// Key within the scope; its first if not given.
    #[arg(long, default_value = "")]
    key: String,
    /// Each model's mean in every group of this scope, and whether the groups differ, in place of models beside each other:
    /// references, condition, class, origin, ….
    #[arg(long, value_name = "SCOPE", conflicts_with_all = ["scope", "key", "correction", "cluster", "seed", "replicates"])]
    by: Option<String>,
    /// 90, 95 or 99, what intervals are at in percent; if not given 95, with --by as the paper has them.
    #[arg(long, value_name = "PERCENT", value_enum)]
    interval: Option<LevelArg>,
    /// Criterion; the total if not given.
    #[arg(long, default_value = "")]
    criterion: String,
    /// Judge, or several joined by " + " for their mean; the one that most models have if not given.
    #[arg(long, conflicts_with = "panel")]
    judge: Option<String>,
    /// Several judges together, otherwise than by the mean of their scores.
    #[command(flatten)]
    panel: PanelArgs,
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
pub(crate) enum CorrectionArg {
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
    let mut host = host::Host::with_replies(&args.dirs, &args.replies)?;
    let judge = args.panel.judge(&mut host, args.judge.as_deref())?;
    let options = ScoreOptions {
        profile: args.profile.into(),
        policy: args.policy.map(Policy::from),
        // A panel is scored where it is chosen; of a judge or a mean, all are scored and one is looked at.
        judge: (judge.clone()).filter(|name| is_panel(name)),
        run: None,
        reading: crate::host::reading(),
    };
    check_choice(&mut host, &options)?;
    tell_in_short(&mut host);
    if let Some(path) = &args.seconds {
        let name = path.display().to_string();
        let query = CostQuery {
            text: text::read(std::fs::read(path).with_context(|| format!("cannot read {name}"))?)
                .text,
            path: name,
            base: args.base,
            other: args.other,
            scope: args.scope,
            level: args.interval.map(Level::from).unwrap_or_default(),
        };
        let found = juror_session::costs(&host.session.linked(), &query)?;
        return Ok(match args.format {
            Format::Json => serde_json::to_string_pretty(&found)? + "\n",
            Format::Csv => found.to_csv(),
            Format::Md => found.to_markdown(),
        });
    }
    if let Some(scope) = args.by {
        let query = GroupMeansQuery {
            options,
            scope,
            criterion: args.criterion,
            judge,
            level: args.interval.map(Level::from),
        };
        let found = juror_session::group_means(&host.session.study(&query.options), &query)?;
        return Ok(match args.format {
            Format::Json => serde_json::to_string_pretty(&found)? + "\n",
            Format::Csv => found.to_csv(),
            Format::Md => found.to_markdown(),
        });
    }
    let query = CompareQuery {
        scope: args.scope,
        key: args.key,
        criterion: args.criterion,
        judge,
        correction: args.correction.into(),
        cluster: args.cluster.into(),
        seed: args.seed,
        replicates: args.replicates,
        level: args.interval.map(Level::from).unwrap_or_default(),
    };
    let found = juror_session::compare(&host.session.study(&options), &query)?;
    if found.models.is_empty() {
        tell(&juror_session::problems(&host.session.linked()));
        bail!("no model was found; see juror inspect");
    }
    Ok(match args.format {
        Format::Json => serde_json::to_string_pretty(&found)? + "\n",
        Format::Csv => found.to_csv(),
        Format::Md => found.to_markdown(),
    })
}
