//! Judging: plans and bodies of jobs, replies that come together, the health of judges.

use juror_core::journal::Record;
use juror_core::judging::health::{JudgeHealth, ReplyCheck};
use juror_core::model::judge::{JudgePreset, Params, Wire};
use juror_core::model::request::RequestKey;
use juror_core::session::Session;
use juror_core::view::{JobBody, JobPlan, JobScope, JobTask, JudgeName, PastedReplies, RecordHead};

use super::{Budget, Done, Error, questions};

questions! {
    /// Tells this benchmark from another; nothing while there is none.
    BenchmarkId {} -> Option<String>;
    /// The benchmark's own judge of this id or model.
    JudgeCalled { name: String } -> Option<JudgePreset>;
    /// What a judging job would ask.
    PlanJob { scope: JobScope } -> JobPlan;
    /// Judges with their parameters and the drift of their anchors.
    JudgeHealth {} -> Vec<JudgeHealth>;
    /// Names who judged in files of replies that do not state it.
    NameJudges { names: Vec<JudgeName> } -> Done [Host];
    /// Takes names of judges back, by their paths.
    UnnameJudges { places: Vec<String> } -> Done [Host];
    /// The body of a request without its pictures.
    JobBody { key: RequestKey, wire: Wire, params: Params } -> JobBody [Host];
    /// What records that are made now have in common.
    RecordHead {} -> RecordHead [Host];
    /// The anchors of a job.
    PlanAnchors { scope: JobScope, count: u32 } -> Vec<JobTask> [Host];
    /// Takes records in.
    AddRecords { records: Vec<Record> } -> Done [Host];
    /// The heading of one request in a sheet of replies.
    SheetHeading { key: RequestKey, judge: String, run: u32 } -> String [Host];
    /// Reads replies that come together and keeps nothing.
    ReadReplies { text: String, time: String } -> PastedReplies [Host];
    /// The files that `checkReplies` compares and that were not read yet.
    CheckNeeds {} -> Vec<u32> [Host];
    /// Holds every reply against its request as it is now.
    CheckReplies {} -> ReplyCheck [Host];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::BenchmarkId {} => Answer::BenchmarkId(session.benchmark_id()),
        Question::JudgeCalled { name } => Answer::JudgeCalled(session.judge_called(&name)),
        Question::PlanJob { scope } => Answer::PlanJob(session.plan_job(&scope)),
        Question::JudgeHealth {} => Answer::JudgeHealth(session.judge_health()),
        Question::NameJudges { names } => {
            session.name_judges(names)?;
            Answer::NameJudges(Done)
        }
        Question::UnnameJudges { places } => {
            session.unname_judges(&places);
            Answer::UnnameJudges(Done)
        }
        Question::JobBody { key, wire, params } => {
            Answer::JobBody(session.job_body(&key, wire, &params)?)
        }
        Question::RecordHead {} => Answer::RecordHead(session.record_head()),
        Question::PlanAnchors { scope, count } => {
            Answer::PlanAnchors(session.plan_anchors(&scope, count))
        }
        Question::AddRecords { records } => {
            session.add_records(records);
            Answer::AddRecords(Done)
        }
        Question::SheetHeading { key, judge, run } => {
            Answer::SheetHeading(session.sheet_heading(&key, &judge, run)?)
        }
        Question::ReadReplies { text, time } => {
            Answer::ReadReplies(session.read_replies(&text, &time))
        }
        Question::CheckNeeds {} => Answer::CheckNeeds(session.check_needs()),
        Question::CheckReplies {} => Answer::CheckReplies(session.check_replies()),
    })
}
