//! What is said once a job of agents has ended: plans that could not be read, and loops that are not at their end.

use std::collections::BTreeSet;
use std::process::ExitCode;

use juror_agents::{AgentQuery, AgentWhich, Due, Record};
use juror_model::options::ScoreOptions;
use juror_reading::count::counted;

use super::plan::{Plan, name};
use super::work::Looping;
use super::{Order, Reasons};
use crate::host::Host;
use crate::say;
use crate::sending::pace::{self, Run};

/// Says how a job ended, and writes the steps' folders; its records, and the loops that are not at their end, each with the
/// reason.
pub(super) fn finished(
    mut run: Run<Looping<'_>>,
    plan: &Plan,
) -> anyhow::Result<(Vec<Record>, Reasons)> {
    let now = run.now();
    let progress = run.job.progress(now);
    let work = run.work;
    pace::tell_ended(&progress, "the planner's service");
    if let Some(error) = work.broken {
        return Err(error.context(
            "a picture or its record could not be kept, so nothing more was sent. Make room and start again to go on with the rest",
        ));
    }
    if let Some(why) = pace::why_stopped(&progress) {
        say(&format!("juror: stopped: {why}"));
    }
    work.folder.write_steps(work.host)?;
    tell_steps(work.host, work.order, plan);
    let meant: BTreeSet<&str> = (plan.calls.tasks.iter())
        .map(|task| task.sample.as_str())
        .collect();
    let open = work.order.plan(work.host, |sample| meant.contains(sample));
    let mut missing = Reasons::new();
    for task in open.tasks {
        let known = work.reasons.get(&task.sample).cloned();
        let why = known.unwrap_or_else(|| {
            let next = juror_session::agent_call(
                &work.host.session.linked(),
                &work.order.key(&task.sample),
            );
            let call = next.ok().and_then(|call| call.record);
            let call = call.map_or("the next call".to_owned(), |it| name(it.kind, it.step));
            format!("{call}: not asked for, as the job stopped before")
        });
        missing.insert(task.sample, why);
    }
    Ok((work.records, missing))
}

/// Says how many loops are at their end, and names the plans that were not what they should be.
fn tell_steps(host: &mut Host, order: &Order, plan: &Plan) {
    let query = AgentQuery {
        set: order.scope.set.clone(),
        steps: order.scope.steps,
        options: ScoreOptions::default(),
        which: AgentWhich::Begun,
        text: String::new(),
        offset: 0,
        limit: u32::MAX,
    };
    let strips = juror_session::agent_strips(&host.session.study(&query.options), &query).strips;
    let (mut complete, mut stopped) = (0, 0);
    for strip in &strips {
        let is_stopped = matches!(strip.due, Due::Stopped { .. });
        complete += u32::from(is_stopped || strip.due == Due::Done);
        stopped += u32::from(is_stopped);
        if !(plan.calls.tasks.iter()).any(|task| task.sample == strip.sample) {
            continue;
        }
        for step in &strip.steps {
            if let Some(mark) = &step.mark {
                say(&format!(
                    "juror: sample {}, the plan for picture {}: {}: {}",
                    strip.sample, step.step, mark.kind, mark.message
                ));
            }
        }
    }
    say(&format!(
        "juror: {} in {}, {stopped} of them ended by the planner",
        counted(complete, "loop is at its end", "loops are at their end"),
        order.folder.display()
    ));
}

/// Names the samples whose loops are not at their end; exit code 1 where there is one.
pub(super) fn tell_missing(missing: &Reasons) -> ExitCode {
    for (sample, why) in missing {
        say(&format!("juror: missing: sample {sample}, {why}"));
    }
    ExitCode::from(u8::from(!missing.is_empty()))
}
