//! Judging: plans and bodies of jobs, replies that come together, the health of judges.

use juror_judging::health::JudgeHealth;
use juror_model::judge::{JudgePreset, Panel};
use juror_model::request::RequestKey;
use juror_session::Session;
use juror_session::view::{JobPlan, JobScope};

use super::{Budget, Error, questions};

questions! {
    /// Tells this benchmark from another; nothing while there is none.
    BenchmarkId {} -> Option<String>;
    /// The benchmark's own judge of this id or model.
    JudgeCalled { name: String } -> Option<JudgePreset>;
    /// The name of a panel, by which it is scored.
    PanelName { panel: Panel } -> String;
    /// What a judging job would ask.
    PlanJob { scope: JobScope } -> JobPlan;
    /// Judges with their parameters and the drift of their anchors.
    JudgeHealth {} -> Vec<JudgeHealth>;
    /// The heading of one request in a sheet of replies.
    SheetHeading { key: RequestKey, judge: String, run: u32 } -> String [Host];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::BenchmarkId {} => Answer::BenchmarkId(juror_session::benchmark_id(session)),
        Question::JudgeCalled { name } => {
            Answer::JudgeCalled(juror_session::judge_called(session, &name))
        }
        Question::PanelName { panel } => {
            Answer::PanelName(juror_session::panel_name(&session.linked(), panel)?)
        }
        Question::PlanJob { scope } => {
            Answer::PlanJob(juror_session::plan_job(&session.linked(), &scope))
        }
        Question::JudgeHealth {} => {
            Answer::JudgeHealth(juror_session::judge_health(&session.linked()))
        }
        Question::SheetHeading { key, judge, run } => Answer::SheetHeading(
            juror_session::sheet_heading(&session.linked(), &key, &judge, run)?,
        ),
    })
}
