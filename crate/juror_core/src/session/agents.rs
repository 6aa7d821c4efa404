//! The records of agent loops among the open files, and the loops' views of them.

use super::{Session, SessionError};
use crate::agents::{
    AgentBody, AgentCall, AgentData, AgentError, AgentExport, AgentFile, AgentKey, AgentPlan,
    AgentQuery, AgentScope, AgentServices, AgentSetView, AgentStrips, FOLDER, Record,
};
use crate::small::SortSmall;
use crate::tree::{FileId, parent};

impl From<AgentError> for SessionError {
    fn from(error: AgentError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl Session {
    /// Takes records in that were kept.
    pub fn add_trajectories(&mut self, records: Vec<Record>) {
        self.trajectories.extend(records);
    }

    /// What a job of this scope would call.
    pub fn plan_agents(&mut self, scope: &AgentScope) -> AgentPlan {
        self.link();
        self.agents().plan(scope)
    }

    /// The call that a trajectory waits for.
    ///
    /// # Errors
    /// There is no such sample, its prompt is not known, or the set's name cannot be used.
    pub fn agent_call(&mut self, key: &AgentKey) -> Result<AgentCall, SessionError> {
        self.link();
        Ok(self.agents().call(key)?)
    }

    /// The call that a trajectory waits for, as it is sent; `None` where it waits for none.
    ///
    /// # Errors
    /// As [`Session::agent_call`], and a parameter that the request itself fills.
    pub fn agent_body(
        &mut self,
        key: &AgentKey,
        services: &AgentServices,
    ) -> Result<Option<AgentBody>, SessionError> {
        self.link();
        Ok(self.agents().body(key, services)?)
    }

    /// The pictures that the steps' models are made of and that are not listed yet.
    pub fn agent_files(&mut self) -> Vec<AgentFile> {
        self.link();
        self.agents().files()
    }

    /// The pictures of all steps, for an export beside [`Session::trajectories`].
    pub fn agent_export(&mut self) -> Vec<AgentExport> {
        self.link();
        self.agents().export()
    }

    /// Every record, as `trajectories.jsonl`; one that is at hand twice is written once.
    pub fn trajectories(&self) -> String {
        self.agents().text()
    }

    /// Who made trajectories, and how far they came.
    pub fn agent_sets(&mut self) -> Vec<AgentSetView> {
        self.link();
        self.agents().sets()
    }

    /// Trajectories of one maker, step by step.
    pub fn agent_strips(&mut self, query: &AgentQuery) -> AgentStrips {
        self.score(&query.options);
        self.agents()
            .strips(query, &|file| self.picture_problem(file))
    }

    /// What the loops see of what is open.
    fn agents(&self) -> AgentData<'_> {
        let folders = self.read.trajectories.keys();
        let folders = folders.map(|file| parent(self.tree.path(*file)));
        AgentData {
            world: self.world(),
            kept: &self.trajectories,
            records: self.all_trajectories().collect(),
            folders: std::iter::once(FOLDER).chain(folders).collect(),
            hashes: &self.read.hashes,
            scores: self.scores(),
        }
    }

    /// The records that were kept, then those of opened files by path.
    fn all_trajectories(&self) -> impl Iterator<Item = &Record> {
        let mut files: Vec<FileId> = self.read.trajectories.keys().copied().collect();
        files.sort_small_by_key(|file| self.tree.path(*file));
        let opened = files
            .into_iter()
            .filter_map(|file| Some((self.heard(file), self.read.trajectories.get(&file)?)))
            .flat_map(|(heard, file)| {
                let records = file.records.iter();
                records.filter(move |record| heard.includes(&record.set.model(record.step)))
            });
        self.trajectories.iter().chain(opened)
    }
}

#[cfg(test)]
mod tests;
