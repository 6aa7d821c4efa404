//! `juror agreement`: judges beside people, beside each other and beside themselves over runs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use juror_model::options::{Profile, ScoreOptions};
use juror_model::subset::Subset;
use juror_session::view::SampleQuery;
use juror_session::view::agreement::{AgreementQuery, AtomQuery, RankingsQuery};
use juror_session::view::rating::RateItems;
use juror_statistics::level::Level;
use serde::Serialize;

use crate::host::Host;
use crate::panel::PanelArgs;
use crate::{PerArgs, ProfileArg, check_choice, print, strictly, tell_in_short};

/// What to compare, and how.
#[derive(Debug, Args)]
pub(crate) struct AgreementArgs {
    /// Benchmark and model folders, and CSV files of ratings, in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Whose reading of the replies.
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileArg,
    /// Write an empty file of ratings for everything that can be rated, and compare nothing.
    #[arg(long)]
    template: Option<PathBuf>,
    /// With --template: only these samples, the same that `juror requests` and the page draw.
    #[command(flatten)]
    per: PerArgs,
    /// Compare two judges question by question; people are `people:NAME`, all of them `people`, several judges together
    /// `panel:median(a,b)`. With --template: the file asks the judge's questions instead of criteria, and takes no judges.
    #[arg(long, num_args = 0..=2, value_names = ["JUDGE", "OTHER"], conflicts_with = "panel")]
    questions: Option<Vec<String>>,
    /// Compare how two judges rank the models, on the samples that both rated; people as above.
    #[arg(long, num_args = 2, value_names = ["JUDGE", "OTHER"], conflicts_with_all = ["questions", "template", "panel"])]
    rankings: Option<Vec<String>>,
    /// With --rankings: the criterion; the total if not given.
    #[arg(long, default_value = "", requires = "rankings")]
    criterion: String,
    /// Rows for each group of a scope too: task, domain, category, turn, …
    #[arg(long, default_value = "", conflicts_with = "template")]
    scope: String,
    /// Level of every interval, in percent.
    #[arg(long, value_enum, default_value = "95")]
    interval: LevelArg,
    /// One judge more to compare: several together.
    #[command(flatten)]
    panel: PanelArgs,
    /// What the paper prints about reliability alone, beside the figures here that are of the same kind.
    #[arg(long, conflicts_with_all = ["questions", "rankings", "template"])]
    printed: bool,
    /// End with exit code 1 where anything was found that could change a figure.
    #[arg(long)]
    strict: bool,
    /// In which form; md with --rankings only, csv with --printed or --questions only.
    #[arg(long, value_enum, default_value = "json")]
    format: Format,
}

/// Level of intervals.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LevelArg {
    /// 90 %.
    #[value(name = "90")]
    P90,
    /// 95 %.
    #[value(name = "95")]
    P95,
    /// 99 %.
    #[value(name = "99")]
    P99,
}

impl From<LevelArg> for Level {
    fn from(arg: LevelArg) -> Self {
        match arg {
            LevelArg::P90 => Self::P90,
            LevelArg::P95 => Self::P95,
            LevelArg::P99 => Self::P99,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Everything.
    Json,
    /// Tables and sentences, rounded as printed.
    Md,
    /// One row for each figure.
    Csv,
}

/// Runs the command.
pub(crate) fn run(args: AgreementArgs) -> anyhow::Result<ExitCode> {
    let is_strict = args.strict;
    let mut host = Host::open(&args.dirs, &[])?;
    let is_clean = tell_in_short(&mut host);
    let code = compared(&mut host, args)?;
    Ok(strictly(code, is_strict, is_clean))
}

fn compared(host: &mut Host, args: AgreementArgs) -> anyhow::Result<ExitCode> {
    if args.format == Format::Md && args.rankings.is_none() {
        bail!("--format md takes --rankings JUDGE OTHER; everything else is JSON");
    }
    if args.format == Format::Csv && !args.printed && args.questions.is_none() {
        bail!("--format csv takes --printed or --questions JUDGE OTHER; everything else is JSON");
    }
    if args.template.is_none() && args.per.subset()?.is_some() {
        bail!("--per goes with --template FILE: it says which samples are to be rated");
    }
    let profile: Profile = args.profile.into();
    let level = args.interval.into();
    if let Some(out) = &args.template {
        let items = match args.questions {
            Some(_) => RateItems::Atoms,
            None => RateItems::Criteria,
        };
        let subset = drawn(host, &args.per)?;
        let sheet = juror_session::ratings_template(&host.session.linked(), items, subset.as_ref());
        std::fs::write(out, sheet).with_context(|| format!("cannot write {}", out.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(judges) = &args.questions {
        let [a, b] = two(host, judges)?;
        let query = AtomQuery {
            a,
            b,
            scope: args.scope,
            profile,
            level,
        };
        let found = juror_session::atom_agreement(&mut host.session, &query)?;
        if args.format == Format::Json {
            return json(&found);
        }
        print(&juror_session::atoms_csv(&found))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(judges) = &args.rankings {
        let [a, b] = two(host, judges)?;
        let query = RankingsQuery {
            a,
            b,
            criterion: args.criterion,
            scope: args.scope,
            profile,
            level,
        };
        let found = juror_session::rankings(&mut host.session, &query)?;
        if args.format == Format::Json {
            return json(&found);
        }
        print(&found.to_markdown())?;
        return Ok(ExitCode::SUCCESS);
    }
    let query = AgreementQuery {
        options: ScoreOptions {
            profile,
            judge: args.panel.name(host)?,
            reading: crate::host::reading(),
            ..ScoreOptions::default()
        },
        scope: args.scope,
        level,
    };
    let found = juror_session::agreement(&host.session.study(&query.options), &query)?;
    if !args.printed {
        return json(&found);
    }
    if args.format == Format::Json {
        return json(&found.printed);
    }
    print(&found.printed_csv())?;
    Ok(ExitCode::SUCCESS)
}

/// The samples that `--per` draws; `None` for all.
fn drawn(host: &mut Host, per: &PerArgs) -> anyhow::Result<Option<Subset>> {
    let Some(subset) = per.subset()? else {
        return Ok(None);
    };
    let query = SampleQuery {
        q: per.within("")?,
        ..SampleQuery::default()
    };
    let list = juror_session::samples(&host.session.study(&query.options), &query);
    if let Some(fault) = list.fault {
        bail!("--per: {} {}", fault.message, fault.hint);
    }
    Ok(Some(subset))
}

/// The two judges that an option names.
fn two(host: &mut Host, judges: &[String]) -> anyhow::Result<[String; 2]> {
    let [a, b] = judges else {
        bail!("--questions takes two judges, such as `--questions people gemini`");
    };
    for judge in [a, b] {
        let options = ScoreOptions {
            judge: Some(judge.clone()),
            ..ScoreOptions::default()
        };
        check_choice(host, &options)?;
    }
    Ok([a.clone(), b.clone()])
}

fn json(found: &impl Serialize) -> anyhow::Result<ExitCode> {
    print(&(serde_json::to_string_pretty(found)? + "\n"))?;
    Ok(ExitCode::SUCCESS)
}
