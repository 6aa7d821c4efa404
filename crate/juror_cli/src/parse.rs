//! `juror parse`: one reply → its verdict, as `juror score` would read it.

use std::io::Read as _;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use juror_model::options::{Profile, ReplyReading};
use juror_model::reply::ParsedReply;
use juror_model::sample::{Sample, Turn, TurnKind};
use juror_protocols::contract::Protocol;
use juror_protocols::declared::NAME;
use juror_protocols::tolerant;
use juror_reading::text::Encoding;

use crate::{ProfileArg, declared, host, named, print, say};

/// Which reply is read, and by which rules.
#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// Protocol id: `weave`, `multibanana`, `micon`, `vibe`, `multiref`; or a `juror.json`.
    #[arg(long)]
    protocol: String,
    /// Kind of request: WEAVEBench's criteria, `judge`, `checkpoints`, the names of VIBE's metrics, …
    #[arg(long)]
    request: String,
    /// The task of the sample, of MICON-Bench and VIBE: which checkpoints have to be there and which values are on the scale
    /// depend on it. Without it, only what every task refuses is refused.
    #[arg(long)]
    task: Option<String>,
    /// Which reader.
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileArg,
}

/// Reads the reply on stdin.
pub(crate) fn run(args: &ParseArgs) -> anyhow::Result<ExitCode> {
    let protocol = args.protocol.as_str();
    let of_file;
    let found: &dyn Protocol = if protocol.ends_with(NAME) {
        of_file = declared(protocol)?;
        &of_file
    } else {
        named(protocol)?
    };
    let request = args.request.as_str();
    let requests: Vec<String> = found.requests().into_iter().map(|info| info.id).collect();
    if !requests.iter().any(|id| id == request) {
        bail!(
            "{protocol} has no request {request}; known: {}",
            requests.join(", ")
        );
    }
    let sample = args.task.as_deref();
    let sample = sample
        .map(|task| of_task(found, task, request))
        .transpose()?;
    let profile: Profile = args.profile.into();
    check_reading(profile)?;
    let mut reply = Vec::new();
    std::io::stdin()
        .read_to_end(&mut reply)
        .context("cannot read the reply from stdin")?;
    // PowerShell pipes UTF-16.
    let read = juror_reading::text::read(reply.clone());
    let reply = match read.marks.encoding {
        Encoding::Utf8 => String::from_utf8_lossy(&reply).into_owned(),
        _ => read.text,
    };
    let mut parsed = found.parse(sample.as_ref(), request, profile, &reply);
    let is_refused = matches!(&parsed, ParsedReply::Incident { kind, .. } if kind != "failed_call");
    let tolerated = tolerant::read(found, sample.as_ref(), request, &reply);
    if let Some(tolerated) = tolerated
        .ok()
        .filter(|_| is_refused && profile == Profile::Paper)
    {
        let allowances = tolerated.cleaned.allowances.iter();
        let words: Vec<&str> = allowances.map(|allowance| allowance.words()).collect();
        let words = words.join(", ");
        if host::reading() == ReplyReading::Tolerant {
            say(&format!("juror: read tolerantly: {words}"));
            parsed = found.parse(sample.as_ref(), request, profile, &tolerated.cleaned.text);
        } else {
            say(&format!(
                "juror: --reading tolerant reads this reply: {words}"
            ));
        }
    }
    print(&(serde_json::to_string(&parsed)? + "\n"))?;
    Ok(match parsed {
        ParsedReply::Ok { .. } => ExitCode::SUCCESS,
        ParsedReply::Incident { .. } => ExitCode::from(1),
    })
}

/// The authors' reading is what their code does; nothing is taken off a reply there.
pub(crate) fn check_reading(profile: Profile) -> anyhow::Result<()> {
    ensure!(
        profile == Profile::Paper || host::reading() == ReplyReading::Strict,
        "--reading tolerant goes with --profile paper: the released profile reads replies as the authors' code does"
    );
    Ok(())
}

/// A sample of a task, of which this is asked.
fn of_task(protocol: &dyn Protocol, task: &str, request: &str) -> anyhow::Result<Sample> {
    let tasks = protocol.tasks();
    let id = protocol.id();
    ensure!(
        !tasks.is_empty(),
        "{id} reads the replies of all tasks alike; leave out --task"
    );
    ensure!(
        tasks.contains(&task),
        "{id} has no task {task}; known: {}",
        tasks.join(", ")
    );
    let turn = Turn {
        kind: TurnKind::Image,
        instruction: String::new(),
        answer: String::new(),
        picture: None,
        key_points: Vec::new(),
        output_name: String::new(),
    };
    let sample = Sample {
        id: String::new(),
        domain: task.to_owned(),
        category: "".into(),
        tags: Vec::new(),
        details: Vec::new(),
        pictures: Vec::new(),
        turns: vec![turn.clone()],
    };
    let asked = protocol.requests_of(&sample, &turn);
    ensure!(
        asked.contains(&request),
        "samples of {task} are not judged on {request}; they are on {}",
        asked.join(", ")
    );
    Ok(sample)
}
