//! Checks a submission before anything is judged.

use juror_session::error::Error;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use juror_model::problem::Severity;
use juror_session::lint::rename_script;
use juror_session::view::lint::LintFinding;

use crate::host::Host;
use crate::metric;
use crate::networks::{NetworkArgs, Opened};
use crate::print;
use crate::say;
use crate::sentence;

/// What to check, and how to say it.
#[derive(Debug, clap::Args)]
pub(crate) struct LintArgs {
    /// Benchmark and model folders, in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// More model folders.
    #[arg(long)]
    outputs: Vec<PathBuf>,
    /// In which form: findings as JSON, in words, or the suggested renames as commands that nobody has run yet.
    #[arg(long, value_enum, default_value = "json")]
    format: LintFormat,
    /// A pack for clip or dino also finds outputs that its network hardly tells apart from what they should differ from.
    #[command(flatten)]
    networks: NetworkArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LintFormat {
    /// All findings.
    Json,
    /// The same, one on each line.
    Text,
    /// Suggested renames as `mv` commands.
    Sh,
}

/// Prints the findings; the exit code says whether there are any beyond notes.
pub(crate) fn run(args: LintArgs) -> anyhow::Result<ExitCode> {
    let LintArgs {
        dirs,
        outputs,
        format,
        networks,
    } = args;
    let mut opened = Opened::open(&networks)?;
    opened.expect_features()?;
    let mut host = Host::open(&dirs, &outputs)?;
    let prints: BTreeSet<u32> = juror_session::print_needs(&host.session.linked())
        .into_iter()
        .collect();
    let hashes = juror_session::lint_needs(&host.session.linked());
    let all: BTreeSet<u32> = hashes.into_iter().chain(prints.iter().copied()).collect();
    for file in all {
        let Ok(bytes) = host.bytes(file) else {
            continue;
        };
        juror_session::provide_picture(&mut host.session, file, &bytes);
        if prints.contains(&file) {
            juror_session::provide_print(
                &mut host.session,
                file,
                metric::print(&bytes).map_err(Error::Picture),
            );
        }
    }
    let needs = juror_session::feature_needs(&host.session.linked());
    let features = opened.features(&host, &needs)?;
    let found = juror_session::lint_with(&host.session.linked(), &features)?;
    let lines = found.iter().map(|finding| {
        let LintFinding {
            path,
            place,
            message,
            hint,
            ..
        } = finding;
        sentence(finding.severity, [path, place, message, hint])
    });
    match format {
        LintFormat::Text => print(&lines.map(|line| line + "\n").collect::<String>())?,
        LintFormat::Json => {
            lines.for_each(|line| say(&line));
            print(&(serde_json::to_string_pretty(&found)? + "\n"))?;
        }
        LintFormat::Sh => {
            let renames: Vec<(String, String)> = found
                .iter()
                .filter_map(|finding| real_rename(&host, finding))
                .collect();
            let pairs = renames
                .iter()
                .map(|(from, to)| (from.as_str(), to.as_str()));
            print(&rename_script(pairs))?;
        }
    }
    let is_clean = found
        .iter()
        .all(|finding| finding.severity == Severity::Note);
    Ok(if is_clean {
        host.exit_code()
    } else {
        ExitCode::from(1)
    })
}

/// A suggested rename by the paths of this machine.
fn real_rename(host: &Host, finding: &LintFinding) -> Option<(String, String)> {
    let (from, to) = (finding.rename_from.as_ref()?, finding.rename_to.as_ref()?);
    let path = host.path(finding.file?)?;
    let Some(real) = path.to_str() else {
        say(&format!(
            "juror: {} is not UTF-8, so it cannot be written into the script; rename it yourself",
            path.display()
        ));
        return None;
    };
    // What stands before the opened folder's name is the same for both.
    let before = real.strip_suffix(from.as_str())?.to_owned();
    Some((real.to_owned(), before + to))
}
