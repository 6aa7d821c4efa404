//! `juror labels`: failure labels as people set them, how often each was set, and how far people agree on them.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use juror_reading::escape::csv_field;
use juror_session::view::labels::LabelQuery;

use crate::agreement::LevelArg;
use crate::host::Host;
use crate::{print, tell_in_short};

/// What to print of which labels.
#[derive(Debug, Args)]
pub(crate) struct LabelsArgs {
    /// Benchmark and model folders, and CSV files of labels (sample, turn, model, label, rater), in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// What to print.
    #[arg(long, value_enum, default_value = "counts")]
    what: What,
    /// Only this person's labels.
    #[arg(long, default_value = "")]
    rater: String,
    /// Counts for each group of a scope too: task, domain, category, turn, …
    #[arg(long, default_value = "")]
    scope: String,
    /// Level of every interval, in percent.
    #[arg(long, value_enum, default_value = "95")]
    interval: LevelArg,
    /// In which form; the labels themselves are CSV.
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    /// File to write; stdout if not given.
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// How often each label was set, by group and model, with Wilson's intervals.
    Counts,
    /// How far each two people agree on each label: Cohen's κ.
    Agreement,
    /// The labels themselves, of all files as one.
    Set,
    /// The labels that the benchmark offers, and those in people's own words.
    Offered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One row on each line, full precision.
    Csv,
    /// Counts and agreement together.
    Json,
    /// The same as tables, rounded.
    Md,
}

/// Runs the command.
pub(crate) fn run(args: &LabelsArgs) -> anyhow::Result<ExitCode> {
    if args.format != Format::Csv && matches!(args.what, What::Set | What::Offered) {
        bail!("--what set and --what offered are CSV: leave --format out");
    }
    let mut host = Host::open(&args.dirs, &[])?;
    let text = text(&mut host, args)?;
    tell_in_short(&mut host);
    match &args.out {
        Some(out) => {
            std::fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))?;
        }
        None => print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text(host: &mut Host, args: &LabelsArgs) -> anyhow::Result<String> {
    let query = LabelQuery {
        scope: args.scope.clone(),
        rater: args.rater.clone(),
        level: args.interval.into(),
    };
    match args.what {
        What::Set => {
            let rater = Some(&*args.rater).filter(|rater| !rater.is_empty());
            return Ok(juror_session::labels_csv(&host.session.linked(), rater));
        }
        What::Offered => {
            let labels = juror_session::failure_labels(&host.session.linked()).into_iter();
            let lines = labels.map(|label| {
                [label.id, label.name, label.meaning]
                    .map(|text| csv_field(&text))
                    .join(",")
            });
            let head = "id,name,meaning".to_owned();
            let lines: Vec<String> = std::iter::once(head).chain(lines).collect();
            return Ok(lines.join("\n") + "\n");
        }
        What::Counts | What::Agreement => {}
    }
    let found = juror_session::label_counts(&host.session.study_under_any(), &query)?;
    Ok(match (args.format, args.what) {
        (Format::Json, _) => serde_json::to_string_pretty(&found)? + "\n",
        (Format::Md, _) => found.to_markdown(),
        (Format::Csv, What::Agreement) => found.agreement_csv(),
        (Format::Csv, _) => found.to_csv(),
    })
}
