//! Agent loops: what they would call, what is due, what was made.

use juror_core::agents::{
    AgentBody, AgentCall, AgentExport, AgentFile, AgentKey, AgentPlan, AgentQuery, AgentScope,
    AgentServices, AgentSetView, AgentStrips, Record,
};
use juror_core::session::Session;

use super::{Budget, Done, Error, questions};

questions! {
    /// What a job of agents would call.
    PlanAgents { scope: AgentScope } -> AgentPlan;
    /// The call that a trajectory waits for.
    AgentCall { key: AgentKey } -> AgentCall [Pictures];
    /// Who made trajectories.
    AgentSets {} -> Vec<AgentSetView>;
    /// Trajectories step by step.
    AgentStrips { query: AgentQuery } -> AgentStrips;
    /// Takes records in that were kept.
    AddTrajectories { records: Vec<Record> } -> Done [Host];
    /// The call that is due as it is sent, if there is one.
    AgentBody { key: AgentKey, services: AgentServices } -> Option<AgentBody> [Host];
    /// Kept pictures that are not listed yet.
    AgentFiles {} -> Vec<AgentFile> [Host];
    /// The pictures of an export.
    AgentExport {} -> Vec<AgentExport> [Host];
    /// Every record, as `trajectories.jsonl`.
    Trajectories {} -> String [Host];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::PlanAgents { scope } => {
            Answer::PlanAgents(juror_core::session::plan_agents(session, &scope))
        }
        Question::AgentCall { key } => {
            Answer::AgentCall(juror_core::session::agent_call(session, &key)?)
        }
        Question::AgentSets {} => Answer::AgentSets(juror_core::session::agent_sets(session)),
        Question::AgentStrips { query } => {
            Answer::AgentStrips(juror_core::session::agent_strips(session, &query))
        }
        Question::AddTrajectories { records } => {
            juror_core::session::add_trajectories(session, records);
            Answer::AddTrajectories(Done)
        }
        Question::AgentBody { key, services } => {
            Answer::AgentBody(juror_core::session::agent_body(session, &key, &services)?)
        }
        Question::AgentFiles {} => Answer::AgentFiles(juror_core::session::agent_files(session)),
        Question::AgentExport {} => Answer::AgentExport(juror_core::session::agent_export(session)),
        Question::Trajectories {} => {
            Answer::Trajectories(juror_core::session::trajectories(session))
        }
    })
}
