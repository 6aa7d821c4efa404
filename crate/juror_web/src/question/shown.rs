//! What the first page asks: what was opened, its scores, one sample, one reply.

use juror_core::journal::Record;
use juror_core::model::options::ScoreOptions;
use juror_core::model::request::{InputKey, RequestKey, RequestView};
use juror_core::report;
use juror_core::session::Session;
use juror_core::session::groups::RowUnits;
use juror_core::view::{
    HighlightQuery, Highlights, InputView, Overview, PasteResult, PastedReply, SampleView,
};
use serde::Deserialize;

use super::{Budget, Bytes, Done, Error, questions};

questions! {
    /// Everything that the overview shows.
    Overview { options: ScoreOptions } -> Overview;
    /// The scores behind a score row, by its position.
    RowUnits { options: ScoreOptions, row: u32 } -> RowUnits;
    /// Samples worth looking at.
    Highlights { query: HighlightQuery } -> Highlights;
    /// One sample.
    Sample { id: String, options: ScoreOptions } -> SampleView;
    /// One judge request.
    Request { key: RequestKey } -> RequestView [Pictures];
    /// Reads a pasted reply and keeps nothing.
    Parse { reply: PastedReply } -> PasteResult;
    /// What a generator is given for a turn.
    GeneratorInput { key: InputKey } -> InputView;
    /// Chooses the prompt pack that requests are made with.
    UsePack { sha256: String } -> Done;
    /// The report.
    Report { options: ScoreOptions, format: ReportFormat } -> Bytes [Read];
    /// The pasted replies as `journal.jsonl`.
    Journal {} -> Bytes [Read];
    /// Reads a pasted reply and keeps it in the session.
    Paste { reply: PastedReply } -> PasteResult [Host];
    /// Takes a pasted reply out of the session; the records that were taken out.
    RemovePasted { reply: PastedReply } -> Vec<Record> [Host];
    /// Says which benchmark counts, by the path of its list or of its `juror.json`; what it needs is wanted next.
    ChooseBenchmark { path: String } -> Done [Host];
    /// Asks again for every file whose reading failed; how many they are.
    RetryFailures {} -> u32 [Host];
}

/// A report as a file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub(super) enum ReportFormat {
    /// Everything.
    Json,
    /// The scores of the samples.
    Csv,
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::Overview { options } => {
            Answer::Overview(juror_core::session::overview(session, &options))
        }
        Question::RowUnits { options, row } => {
            Answer::RowUnits(juror_core::session::row_units(session, &options, row))
        }
        Question::Highlights { query } => {
            Answer::Highlights(juror_core::session::highlights(session, &query))
        }
        Question::Sample { id, options } => {
            Answer::Sample(juror_core::session::sample(session, &id, &options)?)
        }
        Question::Request { key } => Answer::Request(juror_core::session::request(session, &key)?),
        Question::Parse { reply } => Answer::Parse(juror_core::session::parse(session, &reply)?),
        Question::GeneratorInput { key } => {
            Answer::GeneratorInput(juror_core::session::generator_input(session, &key))
        }
        Question::UsePack { sha256 } => {
            session.use_pack(&sha256)?;
            Answer::UsePack(Done)
        }
        Question::Report { options, format } => {
            Answer::Report(report_as(session, &options, format).into())
        }
        Question::Journal {} => Answer::Journal(session.journal().into()),
        Question::Paste { reply } => Answer::Paste(juror_core::session::paste(session, &reply)?),
        Question::RemovePasted { reply } => {
            Answer::RemovePasted(juror_core::session::remove_pasted(session, &reply))
        }
        Question::ChooseBenchmark { path } => {
            juror_core::session::choose_benchmark(session, Some(&path))?;
            Answer::ChooseBenchmark(Done)
        }
        Question::RetryFailures {} => Answer::RetryFailures(session.retry_failures()),
    })
}

fn report_as(session: &mut Session, options: &ScoreOptions, format: ReportFormat) -> String {
    match format {
        ReportFormat::Json => juror_core::session::report(session, options).to_json(),
        ReportFormat::Csv => report::csv(juror_core::session::score_rows(session, options)),
    }
}
