//! `juror make refblend`, `juror make micon`: a project in a folder, carried on by each call of the command.
//!
//! What is due and what a project comes to is `juror_make`'s; here files are read and written, and the clock.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use juror_judging::batch;
use juror_make::weave::{dialogues as whole, turns as extending, verify};
use juror_make::{Kind, Making, NAME, Reply, Wanted};
use juror_model::prompt::sha256;

pub(crate) mod annotation;
pub(crate) mod calls;
pub(crate) mod dialogues;
pub(crate) mod micon;
pub(crate) mod realworld;
pub(crate) mod refblend;
pub(crate) mod steps;
pub(crate) mod turns;
pub(crate) mod weave;

/// What is brought to a project, and what is wanted of it.
#[derive(Debug, clap::Args)]
pub(crate) struct StepArgs {
    /// Folder of the project; it is begun where there is none yet.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Files of replies: results of batch files, or lines {"request": HASH, "reply": TEXT, "by": NAME}.
    #[arg(long, value_name = "FILE")]
    replies: Vec<PathBuf>,
    /// People's decisions: CSV with thing, verdict (accept or reject), reason, by.
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Who decided and who made pictures by hand, where a file does not say.
    #[arg(long, default_value = "", value_name = "NAME")]
    by: String,
    /// File to write the calls to that are due.
    #[arg(long, value_name = "FILE")]
    requests: Option<PathBuf>,
    /// How calls are written.
    #[command(flatten)]
    calls: calls::CallArgs,
    /// File to write everything to that people may decide about, as CSV to fill in.
    #[arg(long, value_name = "FILE")]
    things: Option<PathBuf>,
    /// Print how far the project is as JSON.
    #[arg(long)]
    json: bool,
}

impl StepArgs {
    /// The text of the project file; `None` before the project begins.
    fn project(&self) -> anyhow::Result<Option<String>> {
        let path = self.out.join(NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }
}

/// Shows how far the project of a folder is.
pub(crate) fn progress(folder: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let path = folder.join(NAME);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}; name a project's folder", path.display()))?;
    let progress = match juror_make::kind_of(&text)? {
        kind @ Kind::WeaveEdits => verify::Project::read(&text, kind)?.progress(),
        kind @ Kind::WeaveTurns => extending::Project::read(&text, kind)?.progress(),
        kind @ Kind::WeaveDialogues => whole::Project::read(&text, kind)?.progress(),
        _ => juror_make::AnyProject::read(&text)?.progress(),
    };
    let text = if json {
        serde_json::to_string_pretty(&progress)? + "\n"
    } else {
        progress.markdown()
    };
    crate::printed(&text)
}

/// One step: what was brought goes in, what the project comes to is written, and how far it is is told.
fn go_on(project: &mut impl Making, args: &StepArgs) -> anyhow::Result<ExitCode> {
    bring(project, args)?;
    finish(project, args)
}

/// Takes in what was brought.
fn bring(project: &mut impl Making, args: &StepArgs) -> anyhow::Result<()> {
    let now = now();
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make {}", args.out.display()))?;
    for path in &args.replies {
        let text = read(path)?;
        let told = calls::take(project, &text, &args.out, &now)
            .with_context(|| format!("{}", path.display()))?;
        crate::say(&format!("juror: {}: {told}", path.display()));
    }
    take_pictures(project, args, &now)?;
    if let Some(path) = &args.decisions {
        let found = juror_make::decisions(&read(path)?, &args.by, &now)
            .with_context(|| format!("{}", path.display()))?;
        let count = found.len();
        project
            .decide(found)
            .with_context(|| format!("{}", path.display()))?;
        crate::say(&format!("juror: {}: {count} decisions", path.display()));
    }
    Ok(())
}

/// Writes what the project comes to, and how far it is.
fn finish(project: &impl Making, args: &StepArgs) -> anyhow::Result<ExitCode> {
    write(&args.out.join(NAME), project.text().as_bytes())?;
    write_files(project, &args.out)?;
    if let Some(path) = &args.things {
        let things = project.things().into_iter();
        let lines = things.map(|thing| juror_reading::escape::csv_field(&thing) + ",,,\n");
        let text = format!("thing,verdict,reason,by\n{}", lines.collect::<String>());
        write(path, text.as_bytes())?;
    }
    if let Some(path) = &args.requests {
        calls::write(&project.due(), &args.calls, &args.out, path)?;
    }
    let progress = project.progress();
    if args.json {
        return crate::printed(&(serde_json::to_string_pretty(&progress)? + "\n"));
    }
    crate::printed(&progress.markdown())
}

/// Writes what the project comes to, and removes what it came to before and no longer does.
fn write_files(project: &impl Making, folder: &Path) -> anyhow::Result<()> {
    let files = project.files()?;
    for file in &files {
        write(&folder.join(&file.path), file.text.as_bytes())?;
    }
    for place in project.places() {
        let path = folder.join(&place);
        if files.iter().all(|file| file.path != place) && path.is_file() {
            std::fs::remove_file(&path)
                .with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// Takes in the pictures that lie where a due call wants them.
fn take_pictures(project: &mut impl Making, args: &StepArgs, now: &str) -> anyhow::Result<()> {
    let by = match args.by.as_str() {
        "" => "hand",
        by => by,
    };
    for request in project.due() {
        let Wanted::Picture { path } = &request.wanted else {
            continue;
        };
        let Ok(bytes) = std::fs::read(args.out.join(path)) else {
            continue;
        };
        if let Err(error) = juror_image::check(&bytes, &juror_image::Limits::default()) {
            bail!("{path} is no picture that can be read: {}", error.message());
        }
        project.add_reply(Reply {
            request: request.sha256(),
            by: by.to_owned(),
            time: now.to_owned(),
            picture: sha256(&bytes),
            ..Reply::default()
        });
    }
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file whole or not at all, with the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let named = || format!("cannot write {}", path.display());
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above).with_context(named)?;
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    std::fs::write(&draft, bytes).with_context(named)?;
    std::fs::rename(&draft, path).with_context(named)
}

/// The ending of a path in lower case; `png` where it has none.
fn ending(path: &str) -> String {
    let ending = path.rsplit_once('.').map_or("png", |(_, ending)| ending);
    ending.to_ascii_lowercase()
}

/// The time as projects record it.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    batch::utc(since.map_or(0, |since| since.as_secs()))
}

/// The kind of the project in a folder must be the command's.
fn expect_kind(text: &str, kind: Kind) -> anyhow::Result<()> {
    let found = juror_make::kind_of(text)?;
    if found != kind {
        bail!("this folder holds a project that makes {found:?}, not {kind:?}; name another --out");
    }
    Ok(())
}
