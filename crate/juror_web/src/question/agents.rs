//! Agent loops: what they would call, what is due, what was made.

use juror_agents::{
    AgentCall, AgentFile, AgentKey, AgentPlan, AgentQuery, AgentScope, AgentSetView, AgentStrips,
};
use juror_session::Session;

use super::{Budget, Error, questions};

questions! {
    /// What a job of agents would call.
    PlanAgents { scope: AgentScope } -> AgentPlan;
    /// The call that a trajectory waits for.
    AgentCall { key: AgentKey } -> AgentCall [Pictures];
    /// Who made trajectories.
    AgentSets {} -> Vec<AgentSetView>;
    /// Trajectories step by step.
    AgentStrips { query: AgentQuery } -> AgentStrips;
    /// Kept pictures that are not listed yet.
    AgentFiles {} -> Vec<AgentFile> [Host];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::PlanAgents { scope } => {
            Answer::PlanAgents(juror_session::plan_agents(&session.linked(), &scope))
        }
        Question::AgentCall { key } => {
            Answer::AgentCall(juror_session::agent_call(&session.linked(), &key)?)
        }
        Question::AgentSets {} => Answer::AgentSets(juror_session::agent_sets(&session.linked())),
        Question::AgentStrips { query } => Answer::AgentStrips(juror_session::agent_strips(
            &session.study(&query.options),
            &query,
        )),
        Question::AgentFiles {} => {
            Answer::AgentFiles(juror_session::agent_files(&session.linked()))
        }
    })
}
