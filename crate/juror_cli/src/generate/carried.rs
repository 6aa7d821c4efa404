//! Calls carried out, or results of batch files taken in: what was made, and what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use juror_judging::generating::Record;
use juror_judging::job::{Job, JobLimits};
use juror_judging::keys::without_keys;
use juror_judging::provider::{auth, picture_auth};
use juror_judging::spending::Priced;
use juror_model::judge::Params;
use juror_reading::count::counted;

use super::batched::Results;
use super::lists::Lists;
use super::work::{Generating, Outputs};
use super::{Order, stopped_at, tell_missing};
use crate::host::Host;
use crate::say;
use crate::sending::call::{Caller, Service};
use crate::sending::kept::Journal;
use crate::sending::pace::{self, Run};
use juror_session::generating::{OutputKind, OutputPlan, OutputTask};

/// What came of a run.
pub(super) struct Ended {
    /// The last record.
    pub(super) last: Option<Record>,
    /// What is missing, each with the reason.
    pub(super) missing: Vec<(OutputTask, String)>,
    spent: f64,
    /// Whether it stopped before its end.
    is_stopped: bool,
    kept: (Journal, Lists),
}

/// Sends what is to be sent: pictures first, as texts may be asked about them.
pub(super) fn carry_out(
    host: &mut Host,
    order: &Order,
    plan: OutputPlan,
    (head, key): (Record, String),
    kept: (Journal, Lists),
) -> anyhow::Result<Ended> {
    let OutputPlan { chains, texts, .. } = plan;
    let nothing = Ended {
        last: None,
        missing: Vec::new(),
        spent: 0.0,
        is_stopped: false,
        kept,
    };
    let mut ended = if chains.is_empty() {
        nothing
    } else {
        let head = (head.clone(), key.clone());
        job(host, order, (OutputKind::Picture, chains), head, nothing)?
    };
    let mut chains = Vec::new();
    for text in texts {
        let is_before = |(task, _): &&(OutputTask, String)| {
            task.key.sample == text.key.sample && task.key.turn < text.key.turn
        };
        let failed = ended.missing.iter().find(is_before);
        let why = match failed.filter(|_| order.stops()) {
            Some((task, _)) => Some(stopped_at(task)),
            None => ended.is_stopped.then(|| NOT_ASKED.to_owned()),
        };
        match why {
            Some(why) => ended.missing.push((text, why)),
            None => chains.push(vec![text]),
        }
    }
    if chains.is_empty() {
        return Ok(ended);
    }
    job(host, order, (OutputKind::Text, chains), (head, key), ended)
}

/// Why what comes after the end of a job is missing.
const NOT_ASKED: &str = "not asked for, as the job stopped before";

/// Carries out calls of one kind, after others.
fn job(
    host: &mut Host,
    order: &Order,
    (kind, chains): (OutputKind, Vec<Vec<OutputTask>>),
    (head, key): (Record, String),
    before: Ended,
) -> anyhow::Result<Ended> {
    let length =
        |chain: &Vec<OutputTask>| u32::try_from(chain.len()).context("a dialogue is too long");
    let lengths: Vec<u32> = chains.iter().map(length).collect::<anyhow::Result<_>>()?;
    let limits = JobLimits {
        budget: order.limits.budget.map(|budget| budget - before.spent),
        ..order.limits.clone()
    };
    let (priced, auth) = match kind {
        OutputKind::Picture => (Priced::Pictures, picture_auth(order.wire)),
        OutputKind::Text => (Priced::Tokens, auth(order.wire.wire())),
    };
    let job = Job::chained(&lengths, limits, priced, pace::seed())?;
    let job = if order.stops() { job } else { job.going_on() };
    let caller = Caller::new(Service {
        url: order.url(),
        auth,
        key: key.clone(),
        timeout_secs: order.limits.timeout_secs,
        option: "--base",
    })?;
    let outputs = outputs(host, order, chains, (head, key), before.kept)?;
    let generating = Generating { outputs, caller };
    let mut run = Run::new(generating, job);
    run.carry_out();
    let mut ended = finished(run, kind)?;
    ended.last = ended.last.or(before.last);
    ended.spent += before.spent;
    ended.missing.splice(..0, before.missing);
    Ok(ended)
}

/// What becomes of the answers to calls.
fn outputs<'a>(
    host: &'a mut Host,
    order: &'a Order,
    chains: Vec<Vec<OutputTask>>,
    (head, key): (Record, String),
    (journal, lists): (Journal, Lists),
) -> anyhow::Result<Outputs<'a>> {
    let mut tasks: Vec<(OutputTask, u32)> = Vec::new();
    for chain in chains {
        let end =
            u32::try_from(tasks.len() + chain.len()).context("there are too many requests")?;
        tasks.extend(chain.into_iter().map(|task| (task, end - 1)));
    }
    let stated = |kind: OutputKind| -> anyhow::Result<Params> {
        let params = serde_json::to_string(order.params_of(kind))?;
        Ok(serde_json::from_str(&without_keys(&params, &[&key]))?)
    };
    Ok(Outputs {
        params: stated(OutputKind::Picture)?,
        text_params: stated(OutputKind::Text)?,
        host,
        order,
        tasks,
        head,
        key,
        journal,
        lists,
        made: BTreeSet::new(),
        reasons: BTreeMap::new(),
        came_as: BTreeMap::new(),
        leaked: 0,
        cut: Vec::new(),
        tried: BTreeMap::new(),
        last: None,
        broken: None,
    })
}

/// Takes the results of batch files in, and says which outputs are missing then.
pub(super) fn take_in(
    host: &mut Host,
    order: &Order,
    plan: OutputPlan,
    head: Record,
    kept: (Journal, Lists),
    (paths, records): (&[PathBuf], &[Record]),
) -> anyhow::Result<ExitCode> {
    let OutputPlan {
        chains,
        texts,
        mut lacking,
        ..
    } = plan;
    let mut chains = chains;
    chains.extend(texts.into_iter().map(|text| vec![text]));
    let outputs = outputs(host, order, chains, (head, String::new()), kept)?;
    let mut results = Results::new(outputs, records, &lacking);
    for path in paths {
        results.take(path)?;
    }
    let (outputs, faults) = results.finish();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    say(&format!(
        "juror: {} of {} made of these results",
        outputs.made.len(),
        counted(count(outputs.tasks.len()), "output", "outputs")
    ));
    tell_changed(&outputs);
    let ended = left(outputs, "no line of the results answers it")?;
    lacking.extend(faults);
    lacking.extend(
        ended
            .missing
            .into_iter()
            .map(|(task, why)| (task.name(), why)),
    );
    Ok(tell_missing(&lacking))
}

/// What came of a run, as far as its outputs tell.
fn left(outputs: Outputs<'_>, unasked: &str) -> anyhow::Result<Ended> {
    if let Some(error) = outputs.broken {
        return Err(error.context(
            "an output or its record could not be kept, so nothing more was sent. Make room and start again to go on with the rest",
        ));
    }
    let mut missing = Vec::new();
    for (at, (task, _)) in (0..).zip(outputs.tasks) {
        if outputs.made.contains(&at) {
            continue;
        }
        let known = outputs.reasons.get(&at).cloned();
        missing.push((task, known.unwrap_or_else(|| unasked.to_owned())));
    }
    Ok(Ended {
        last: outputs.last,
        missing,
        spent: 0.0,
        is_stopped: false,
        kept: (outputs.journal, outputs.lists),
    })
}

/// Says how a job ended.
fn finished(mut run: Run<Generating<'_>>, kind: OutputKind) -> anyhow::Result<Ended> {
    let now = run.now();
    let progress = run.job.progress(now);
    let work = run.work.outputs;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let all = match kind {
        OutputKind::Picture => counted(count(work.tasks.len()), "picture", "pictures"),
        OutputKind::Text => counted(count(work.tasks.len()), "text", "texts"),
    };
    let secs = now / 1000.0;
    let mut parts = vec![format!("{} of {all} made in {secs:.1} s", work.made.len())];
    if progress.retries > 0 {
        parts.push(counted(progress.retries, "retry", "retries"));
    }
    if work.leaked > 0 {
        parts.push(format!("{} marked as leaked", work.leaked));
    }
    if progress.spent > 0.0 {
        parts.push(format!("{:.4} spent", progress.spent));
    }
    say(&format!("juror: {}", parts.join(", ")));
    tell_changed(&work);
    let ended = left(work, NOT_ASKED)?;
    let stopped = pace::why_stopped(&progress);
    if let Some(why) = &stopped {
        say(&format!("juror: stopped: {why}"));
    }
    Ok(Ended {
        spent: progress.spent,
        is_stopped: stopped.is_some(),
        ..ended
    })
}

/// Says which outputs are not written as services usually give them.
fn tell_changed(work: &Outputs<'_>) {
    for ((format, end), count) in &work.came_as {
        let what = match end.as_str() {
            "png" => "converted to PNG, which loses nothing",
            _ => "written as they came under that name, as another format would lose something",
        };
        let count = counted(*count, "picture", "pictures");
        say(&format!(
            "juror: {count} came as {format} for .{end}: {what}"
        ));
    }
    if let Some(first) = work.cut.first() {
        let count = u32::try_from(work.cut.len()).unwrap_or(u32::MAX);
        say(&format!(
            "juror: {} at the limit of tokens and kept as far as it came (the first is {first}): --text-max-tokens gives more room",
            counted(count, "text ended", "texts ended")
        ));
    }
}
