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
        Question::BenchmarkId {} => Answer::BenchmarkId(juror_core::session::benchmark_id(session)),
        Question::JudgeCalled { name } => {
            Answer::JudgeCalled(juror_core::session::judge_called(session, &name))
        }
        Question::PlanJob { scope } => {
            Answer::PlanJob(juror_core::session::plan_job(session, &scope))
        }
        Question::JudgeHealth {} => Answer::JudgeHealth(juror_core::session::judge_health(session)),
        Question::NameJudges { names } => {
            juror_core::session::name_judges(session, names)?;
            Answer::NameJudges(Done)
        }
        Question::UnnameJudges { places } => {
            juror_core::session::unname_judges(session, &places);
            Answer::UnnameJudges(Done)
        }
        Question::JobBody { key, wire, params } => {
            Answer::JobBody(juror_core::session::job_body(session, &key, wire, &params)?)
        }
        Question::RecordHead {} => Answer::RecordHead(juror_core::session::record_head(session)),
        Question::PlanAnchors { scope, count } => {
            Answer::PlanAnchors(juror_core::session::plan_anchors(session, &scope, count))
        }
        Question::AddRecords { records } => {
            juror_core::session::add_records(session, records);
            Answer::AddRecords(Done)
        }
        Question::SheetHeading { key, judge, run } => Answer::SheetHeading(
            juror_core::session::sheet_heading(session, &key, &judge, run)?,
        ),
        Question::ReadReplies { text, time } => {
            Answer::ReadReplies(juror_core::session::read_replies(session, &text, &time))
        }
        Question::CheckNeeds {} => Answer::CheckNeeds(juror_core::session::check_needs(session)),
        Question::CheckReplies {} => {
            Answer::CheckReplies(juror_core::session::check_replies(session))
        }
    })
}
