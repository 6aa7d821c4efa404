//! What is said once a job has ended: replies that cannot be read, each by its name.

use std::collections::BTreeMap;
use std::process::ExitCode;

use juror_model::options::ScoreOptions;
use juror_reading::count::counted;
use juror_session::view::{JobTask, SampleView, VerdictView, Which};

use super::Order;
use crate::host::Host;
use crate::{print, say};

/// A request in words.
pub(super) fn name(task: &JobTask) -> String {
    let JobTask { key, run, anchor } = task;
    let run = match run {
        1 => String::new(),
        run => format!(", run {run}"),
    };
    let anchor = if *anchor { ", an anchor" } else { "" };
    format!(
        "model {}, sample {}, turn {}, {}{run}{anchor}",
        key.model,
        key.sample,
        key.turn + 1,
        key.criterion
    )
}

/// The samples that were looked at.
#[derive(Default)]
struct Samples(BTreeMap<String, Option<SampleView>>);

impl Samples {
    /// What was read of the replies to a task, by this judge.
    fn verdicts(&mut self, host: &mut Host, judge: &str, task: &JobTask) -> Vec<VerdictView> {
        let key = &task.key;
        let sample = self.0.entry(key.sample.clone()).or_insert_with(|| {
            juror_session::sample(&host.session.study(&options()), &key.sample).ok()
        });
        let turns = sample.iter().flat_map(|sample| &sample.turns);
        let outputs = turns
            .filter(|turn| turn.index == key.turn)
            .flat_map(|turn| &turn.outputs)
            .filter(|output| output.model == key.model);
        let verdicts = outputs.flat_map(|output| &output.verdicts);
        let is_it = |verdict: &&VerdictView| {
            verdict.criterion == key.criterion && verdict.run == task.run && verdict.judge == judge
        };
        verdicts.filter(is_it).cloned().collect()
    }
}

fn options() -> ScoreOptions {
    ScoreOptions {
        reading: crate::host::reading(),
        ..ScoreOptions::default()
    }
}

/// Names the replies that cannot be read: those of these tasks each, the others as a number. Exit code 1 where there is one.
pub(super) fn told(host: &mut Host, order: &Order, tasks: &[JobTask]) -> ExitCode {
    let judge = juror_session::judge_in_use(&host.session.linked(), &order.scope.judge);
    let mut order_of_all = order.clone();
    order_of_all.scope.limit = None;
    let unreadable = order_of_all.plan(host, Which::Unparsable).tasks;
    let (new, old): (Vec<JobTask>, Vec<JobTask>) = unreadable
        .into_iter()
        .partition(|task| tasks.contains(task));
    let mut samples = Samples::default();
    for task in &new {
        let verdicts = samples.verdicts(host, &judge, task);
        let why = verdicts.iter().find(|verdict| verdict.status != "ok");
        say(&format!(
            "juror: the reply cannot be read: {}: {}",
            name(task),
            why.map_or("see juror inspect", |verdict| &verdict.detail)
        ));
    }
    let count = |tasks: &[JobTask]| u32::try_from(tasks.len()).unwrap_or(u32::MAX);
    if !old.is_empty() {
        say(&format!(
            "juror: {} that came earlier cannot be read",
            counted(count(&old), "reply", "replies")
        ));
    }
    if new.is_empty() && old.is_empty() {
        return ExitCode::SUCCESS;
    }
    say("juror: what cannot be read is kept, and is not asked again unless by --which unparsable");
    ExitCode::from(1)
}

/// Prints the replies to these tasks with what was read of them, as JSON.
pub(super) fn print_replies(
    host: &mut Host,
    order: &Order,
    tasks: &[JobTask],
) -> anyhow::Result<()> {
    let judge = juror_session::judge_in_use(&host.session.linked(), &order.scope.judge);
    let mut samples = Samples::default();
    for task in tasks {
        for verdict in samples.verdicts(host, &judge, task) {
            print(&(serde_json::to_string_pretty(&verdict)? + "\n"))?;
        }
    }
    Ok(())
}
