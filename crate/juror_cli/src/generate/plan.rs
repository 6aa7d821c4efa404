//! Which outputs are to be made: what the journal and the folder have is not sent again.

use std::path::PathBuf;

use juror_judging::generating::{Record, State};
use juror_session::Session;
use juror_session::generating::{
    KnownOutput, KnowsOutputs, OutputKind, OutputPlan, OutputRules, OutputTask,
};
use juror_session::input_folder::InputQuery;

use super::Order;
use super::given::Given;
use crate::host::Host;
use crate::sending::files;

/// What has a dialogue go on that stopped.
pub(super) const GO_ON: &str = "--on-failure golden goes on with the data set's picture";

/// Where a task's output is on disk.
pub(super) fn path(task: &OutputTask, order: &Order) -> PathBuf {
    order.folder.join(&task.place)
}

/// What is to be done for the samples of the query.
///
/// # Errors
/// The filter cannot be read, a sample vanishes, or a picture cannot be read.
pub(super) fn plan(
    host: &mut Host,
    order: &Order,
    query: &InputQuery,
    records: &[Record],
) -> anyhow::Result<OutputPlan> {
    let list = juror_session::samples(&host.session.study(&query.samples.options), &query.samples);
    if let Some(fault) = list.fault {
        anyhow::bail!("--filter or --per: {} {}", fault.message, fault.hint);
    }
    let ids: Vec<String> = list.rows.into_iter().map(|row| row.id).collect();
    let rules = OutputRules {
        turns: order.turns,
        is_own: order.is_own,
        stops: order.stops(),
        is_again: order.is_again,
        limit: order.limit,
        go_on: GO_ON,
        ask_again: "--again",
    };
    let mut knows = OnDisk {
        host,
        order,
        records,
    };
    OutputPlan::new(&mut knows, &rules, (query, &ids))
}

/// What a journal and a model's folder tell.
struct OnDisk<'a> {
    host: &'a mut Host,
    order: &'a Order,
    records: &'a [Record],
}

impl KnowsOutputs for OnDisk<'_> {
    type Error = anyhow::Error;

    fn session(&mut self) -> &mut Session {
        &mut self.host.session
    }

    fn known(&mut self, task: &OutputTask, rests_on_new: bool) -> anyhow::Result<KnownOutput> {
        let Self {
            host,
            order,
            records,
        } = self;
        let own: Vec<&Record> = records.iter().filter(|it| task.is_of(it)).collect();
        let file = files::hash(&path(task, order))?;
        let made = own.iter().filter(|record| record.state == State::Made);
        let mut of_file = made.filter(|record| Some(&record.sha256) == file.as_ref());
        if file.is_some() && of_file.clone().next().is_none() {
            return Ok(KnownOutput::Changed(match task.kind {
                OutputKind::Picture => "there is a picture that its journal does not know",
                OutputKind::Text => "there is a text that its journal does not know",
            }));
        }
        if rests_on_new {
            return Ok(match file {
                Some(_) => KnownOutput::Changed("it rests on a picture that is asked for again"),
                None => KnownOutput::Due,
            });
        }
        if own.is_empty() {
            return Ok(KnownOutput::Due);
        }
        let input = juror_session::generator_call(&host.session.linked(), &task.key).input;
        // What cannot be sent fails when it is, with the reason.
        let Ok(given) = Given::of(host, (order.wire, task.kind), &input) else {
            return Ok(KnownOutput::Due);
        };
        let hash = given.hash(order.wire, order.params_of(task.kind));
        if file.is_some() {
            return Ok(if of_file.any(|record| record.request == hash) {
                KnownOutput::Made
            } else {
                KnownOutput::Changed("it was made for another request")
            });
        }
        let last = own
            .last()
            .filter(|last| last.is_declined() && last.request == hash);
        Ok(last.map_or(KnownOutput::Due, |last| {
            KnownOutput::Declined(last.error.clone().unwrap_or_default())
        }))
    }
}
