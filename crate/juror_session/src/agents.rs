//! The records of agent loops among the open files, and the loops' views of them.

use crate::study::{LinkedSession, Study};
use std::collections::HashSet;

use super::heard::AllowedModels;
use super::state::Session;
use crate::error::Error;
use juror_agents::{
    AgentBody, AgentCall, AgentData, AgentExport, AgentFile, AgentKey, AgentPlan, AgentQuery,
    AgentScope, AgentServices, AgentSetView, AgentStrips, FOLDER, Kind, Loops, Record, Set,
};
use juror_model::tree::{FileId, parent};
use juror_statistics::small::SortSmall;

/// Takes records in that were kept.
pub fn add_trajectories(session: &mut Session, records: Vec<Record>) {
    session.data.trajectories.extend(records);
}

/// Takes in those of some kept records that are not there yet; how many they are.
pub fn add_unknown_trajectories(session: &mut Session, mut kept: Vec<Record>) -> usize {
    let known: HashSet<Stamp<'_>> = session.data.trajectories.iter().map(stamp).collect();
    kept.retain(|record| !known.contains(&stamp(record)));
    let count = kept.len();
    if count > 0 {
        add_trajectories(session, kept);
    }
    count
}

/// What tells a call from every other: what was asked, and when the answer came.
type Stamp<'a> = ((&'a str, &'a str, Option<&'a str>), (&'a Set, u32, Kind));

fn stamp(record: &Record) -> Stamp<'_> {
    (
        (&record.time, &record.sample, record.request.as_deref()),
        (&record.set, record.step, record.kind),
    )
}

/// What a job of this scope would call.
pub fn plan_agents(session: &LinkedSession<'_>, scope: &AgentScope) -> AgentPlan {
    agents(session).plan(scope)
}

/// The same for those of the scope's samples that are meant, by their ids.
pub fn plan_agents_part(
    session: &LinkedSession<'_>,
    scope: &AgentScope,
    is_meant: &dyn Fn(&str) -> bool,
) -> AgentPlan {
    agents(session).plan_part(scope, is_meant)
}

/// The call that a trajectory waits for.
///
/// # Errors
/// There is no such sample, its prompt is not known, or the set's name cannot be used.
pub fn agent_call(session: &LinkedSession<'_>, key: &AgentKey) -> Result<AgentCall, Error> {
    Ok(agents(session).call(key)?)
}

/// The call that a trajectory waits for, as it is sent; `None` where it waits for none.
///
/// # Errors
/// As [`agent_call`](crate::agent_call), and a parameter that the request itself fills.
pub fn agent_body(
    session: &LinkedSession<'_>,
    key: &AgentKey,
    services: &AgentServices,
) -> Result<Option<AgentBody>, Error> {
    Ok(agents(session).body(key, services)?)
}

/// The pictures that the steps' models are made of and that are not listed yet.
pub fn agent_files(session: &LinkedSession<'_>) -> Vec<AgentFile> {
    agents(session).files()
}

/// The pictures of all steps, for an export next to [`trajectories`](crate::trajectories).
pub fn agent_export(session: &LinkedSession<'_>) -> Vec<AgentExport> {
    agents(session).export()
}

/// Every record, as `trajectories.jsonl`; one that is at hand twice is written once.
pub fn trajectories(session: &Session) -> String {
    agents(session).text()
}

/// Who made trajectories, and how far they came.
pub fn agent_sets(session: &LinkedSession<'_>) -> Vec<AgentSetView> {
    agents(session).sets()
}

/// Trajectories of one maker, step by step.
pub fn agent_strips(study: &Study<'_>, query: &AgentQuery) -> AgentStrips {
    study.expect(&query.options);
    agents(study).strips(query, &|file| study.picture_problem(file))
}

/// What the loops see of what is open.
fn agents(session: &Session) -> AgentData<'_> {
    // Beside the records in a model's own folder there are no other models' pictures.
    let of_nobody = |file: &FileId| matches!(session.heard(*file), AllowedModels::All);
    let files = session.loader.read.trajectories.keys();
    let folders = files.filter(|file| of_nobody(file));
    let folders = folders.map(|file| parent(session.loader.tree.path(*file)));
    AgentData {
        loops: Loops::of(&*session.loader.protocol),
        world: session.world(),
        kept: &session.data.trajectories,
        records: all_trajectories(session).collect(),
        folders: std::iter::once(FOLDER).chain(folders).collect(),
        hashes: &session.loader.read.hashes,
        scores: session.data.scores(),
    }
}

/// The records that were kept, then those of opened files by path.
fn all_trajectories(session: &Session) -> impl Iterator<Item = &Record> {
    let mut files: Vec<FileId> = session.loader.read.trajectories.keys().copied().collect();
    files.sort_small_by_key(|file| session.loader.tree.path(*file));
    let opened = files
        .into_iter()
        .filter_map(|file| {
            Some((
                session.heard(file),
                session.loader.read.trajectories.get(&file)?,
            ))
        })
        .flat_map(|(heard, file)| {
            let records = file.records.iter();
            records.filter(move |record| heard.includes(&record.set.model(record.step)))
        });
    session.data.trajectories.iter().chain(opened)
}

#[cfg(test)]
mod tests;
