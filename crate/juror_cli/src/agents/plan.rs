//! Which loops are gone on with, in which calls, and at which price.

use std::collections::HashSet;

use anyhow::ensure;
use juror_agents::{AgentKey, AgentPlan, AgentTask, Kind, Record};
use juror_reading::count::counted;

use super::folder::Folder;
use super::{Order, Reasons, body};
use crate::host::Host;
use crate::judge::CHARS_PER_TOKEN;
use crate::say;
use crate::sending::address;

/// What is to be done.
pub(super) struct Plan {
    pub(super) calls: AgentPlan,
    /// Samples whose call that is due was declined, each with the reason.
    pub(super) declined: Reasons,
    /// Samples beyond the limit.
    beyond: usize,
}

impl Plan {
    /// Goes through the samples that are meant.
    ///
    /// # Errors
    /// The name of the trajectories is taken or cannot be used, or a reference is not among the files.
    pub(super) fn new(host: &mut Host, order: &Order, folder: &Folder) -> anyhow::Result<Self> {
        let set = &order.scope.set;
        let own: Vec<&Record> = (folder.records.iter())
            .filter(|record| record.set == *set)
            .collect();
        let whole = order.plan(host, |_| true);
        ensure!(
            whole.problem.is_none(),
            "{} (--name, --planner-model, --generator-model)",
            whole.problem.unwrap_or_default()
        );
        let begun: HashSet<&str> = own.iter().map(|record| record.sample.as_str()).collect();
        for task in &whole.tasks {
            if begun.contains(task.sample.as_str()) {
                body::hash_references(host, &order.key(&task.sample))?;
            }
        }
        // Where a reference has changed, more is to be made than the records say.
        let whole = order.plan(host, |_| true);
        let mut declined = Reasons::new();
        for task in &whole.tasks {
            let has_failed =
                |record: &&&Record| record.sample == task.sample && record.is_declined();
            if order.is_again || !own.iter().any(|record| has_failed(&record)) {
                continue;
            }
            if let Some(why) = why_declined(host, order, task, &own)? {
                declined.insert(task.sample.clone(), why);
            }
        }
        let open = whole.tasks.iter().map(|task| &task.sample);
        let open = open.filter(|sample| !declined.contains_key(*sample));
        let (all, limit) = (open.clone().count(), order.limit.unwrap_or(usize::MAX));
        let meant: HashSet<&str> = open.take(limit).map(String::as_str).collect();
        let calls = AgentPlan {
            finished: whole.finished,
            impossible: whole.impossible,
            ..order.plan(host, |sample| meant.contains(sample))
        };
        Ok(Self {
            calls,
            declined,
            beyond: all - meant.len(),
        })
    }

    /// Requests, at most.
    pub(super) fn requests(&self) -> usize {
        self.calls.tasks.iter().map(|task| task.calls.len()).sum()
    }

    /// Says what is going to be sent to whom.
    pub(super) fn tell(&self, order: &Order) {
        let (calls, limits) = (&self.calls, &order.limits);
        let services = &order.services;
        let input = calls.planner_chars / CHARS_PER_TOKEN
            + f64::from(calls.pictures_to_planner) * limits.picture_tokens;
        let output = f64::from(calls.plans) * limits.reply_tokens;
        let prices = [
            limits.picture_price,
            limits.input_price,
            limits.output_price,
        ];
        let cost = if prices.iter().all(Option::is_none) {
            "no prices were given".to_owned()
        } else {
            let [picture, input_price, output_price] = prices.map(|price| price.unwrap_or(0.0));
            let tokens = (input * input_price + output * output_price) / 1e6;
            let cost = f64::from(calls.pictures) * picture + tokens;
            format!("about {cost:.4} at the prices given")
        };
        say(&format!(
            "juror: {}: at most {} by {} at {}, shown {}, and {} by {} at {}, shown {}, filed under {} in {}: about {input:.0} input and {output:.0} output tokens of the planner, {cost}",
            counted(
                u32::try_from(calls.tasks.len()).unwrap_or(u32::MAX),
                "sample",
                "samples"
            ),
            counted(calls.pictures, "picture", "pictures"),
            services.generator.model,
            address::host(&order.generator_url()),
            calls.pictures_to_generator,
            counted(calls.plans, "plan", "plans"),
            services.planner.model,
            address::host(&order.planner_url()),
            calls.pictures_to_planner,
            order.label(),
            order.folder.display(),
        ));
        let rest = [
            (calls.finished as usize, "at their end already"),
            (self.declined.len(), "whose next call was declined"),
            (self.beyond, "beyond the limit"),
            (calls.impossible as usize, "without a known prompt"),
        ];
        let rest: Vec<String> = (rest.iter().filter(|(count, _)| *count > 0))
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !rest.is_empty() {
            say(&format!(
                "juror: samples not among them: {}",
                rest.join(", ")
            ));
        }
    }

    /// Says how large the first request is.
    ///
    /// # Errors
    /// It cannot be put together.
    pub(super) fn tell_first(
        &self,
        host: &mut Host,
        order: &Order,
        folder: &Folder,
    ) -> anyhow::Result<()> {
        let Some(task) = self.calls.tasks.first() else {
            return Ok(());
        };
        let services = &order.services;
        let Some(due) = body::due(host, &order.key(&task.sample), services)? else {
            return Ok(());
        };
        let num_pictures = u32::try_from(due.pictures.len()).unwrap_or(u32::MAX);
        say(&format!(
            "juror: the first request, sample {}, {}, has {} bytes with {} and goes to {}; nothing was sent",
            task.sample,
            name(due.record.kind, due.record.step),
            body::filled((host, folder), &due, services)?.len(),
            counted(num_pictures, "picture", "pictures"),
            due.url,
        ));
        Ok(())
    }
}

impl Order {
    /// What of the scope is to be called for these samples.
    pub(super) fn plan(&self, host: &mut Host, is_meant: impl Fn(&str) -> bool) -> AgentPlan {
        let is_meant = |sample: &str| {
            let samples = self.samples.as_ref();
            samples.is_none_or(|ids| ids.contains(sample)) && is_meant(sample)
        };
        juror_session::plan_agents_part(&host.session.linked(), &self.scope, &is_meant)
    }

    /// The trajectory of a sample.
    pub(super) fn key(&self, sample: &str) -> AgentKey {
        AgentKey {
            set: self.scope.set.clone(),
            sample: sample.to_owned(),
            steps: self.scope.steps,
        }
    }

    /// What the steps' models are called, without the step.
    fn label(&self) -> String {
        let set = &self.scope.set;
        format!("{} +{}", set.name, set.framework.label())
    }
}

/// A call in words.
pub(super) fn name(kind: Kind, step: u32) -> String {
    match kind {
        Kind::Picture => format!("picture {step}"),
        Kind::Plan => format!("the plan after picture {step}"),
    }
}

/// Why the service declined the very call that is due, where it did.
fn why_declined(
    host: &mut Host,
    order: &Order,
    task: &AgentTask,
    own: &[&Record],
) -> anyhow::Result<Option<String>> {
    let Some(due) = body::due(host, &order.key(&task.sample), &order.services)? else {
        return Ok(None);
    };
    let last = own.iter().rev().find(|record| record.is_of(&due.record));
    let why = last.filter(|last| last.is_declined());
    Ok(why.and_then(|last| {
        let why = last.error.as_deref()?;
        let call = name(last.kind, last.step);
        Some(format!("{call}: {why} (--again asks once more)"))
    }))
}
