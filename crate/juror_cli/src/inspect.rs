//! Tells what was found, or what the benchmark is made of.

use juror_reading::count::counted;
use std::path::PathBuf;
use std::process::ExitCode;

use juror_model::options::ScoreOptions;

use crate::host::Host;
use crate::{print, say, tell};

/// What to inspect, and how to tell it.
#[derive(Debug, clap::Args)]
pub(crate) struct InspectArgs {
    /// Benchmark and model folders, in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// What the benchmark is made of instead: samples by group, references, pictures, lengths and words of instructions,
    /// beside the totals that its paper prints.
    #[arg(long)]
    statistics: bool,
    /// The statistics as JSON.
    #[arg(long, requires = "statistics", conflicts_with = "csv")]
    json: bool,
    /// The statistics as CSV, one number on each row.
    #[arg(long, requires = "statistics")]
    csv: bool,
}

/// Prints what was found.
pub(crate) fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    if !args.statistics {
        return found(&mut Host::listing(&args.dirs, &[])?);
    }
    let mut host = Host::open(&args.dirs, &[])?;
    let statistics = juror_session::statistics(&host.session.linked())?;
    if args.json {
        print(&(serde_json::to_string_pretty(&statistics)? + "\n"))?;
    } else if args.csv {
        print(&statistics.to_csv())?;
    } else {
        print(&statistics.to_text())?;
    }
    Ok(host.exit_code())
}

/// Benchmark, models, replies, incidents and problems.
fn found(host: &mut Host) -> anyhow::Result<ExitCode> {
    let overview = juror_session::overview(&host.session.study(&ScoreOptions::default()));
    tell(&overview.problems);
    match &overview.benchmark {
        None => say("No benchmark was found."),
        Some(info) => say(&format!(
            "{}: {} {}{} in {}",
            info.title,
            info.samples,
            info.words.samples,
            if info.words.units == info.words.samples {
                String::new()
            } else {
                format!(
                    " with {} and {}",
                    counted(info.picture_turns, "picture turn", "picture turns"),
                    counted(info.text_turns, "text turn", "text turns")
                )
            },
            if info.path.is_empty() {
                "no sample list, implied by the replies"
            } else {
                &info.path
            }
        )),
    }
    for model in &overview.models {
        say(&format!(
            "{}: {} of {}, {} of {}, {} of {}, {}{}",
            model.name,
            model.pictures,
            counted(model.pictures_expected, "picture", "pictures"),
            model.answers,
            counted(model.answers_expected, "answer", "answers"),
            model.scored,
            counted(model.expected, "score", "scores"),
            counted(model.incidents, "incident", "incidents"),
            if model.is_unjudged {
                ". Not judged"
            } else {
                ""
            }
        ));
    }
    let found = serde_json::json!({
        "benchmark": overview.benchmark,
        "models": overview.models,
        "incidents": overview.incidents,
        "problems": overview.problems,
        "prompts": overview.packs,
        "unknown_files": overview.unknown_files,
        "num_unknown_files": overview.num_unknown_files,
    });
    print(&(serde_json::to_string_pretty(&found)? + "\n"))?;
    Ok(if overview.benchmark.is_some() {
        host.exit_code()
    } else {
        ExitCode::from(1)
    })
}
