//! Requests, replies that are pasted to them, and what leaves the page as a file: the report and the journal.

use juror_evidence::report;
use juror_model::options::ScoreOptions;
use juror_model::request::{InputKey, RequestKey, RequestView};
use juror_model::submission::Kind;
use juror_model::tolerance::Tolerance;
use juror_session::Session;
use juror_session::input_folder::{InputFolder, InputQuery};
use juror_session::view::{InputView, PasteResult, PastedReply};
use serde::Deserialize;

use super::{Budget, Bytes, Done, Error, questions};

questions! {
    /// One judge request.
    Request { key: RequestKey } -> RequestView [Pictures];
    /// What a generator is given for a turn.
    GeneratorInput { key: InputKey } -> InputView;
    /// The same of many samples, as a folder with its pictures.
    InputFolder { query: InputQuery } -> InputFolder [Read];
    /// Reads a pasted reply and keeps nothing.
    Parse { reply: PastedReply } -> PasteResult;
    /// Replies that the strict reading refuses and the tolerant one reads, by judge.
    Tolerance { options: ScoreOptions } -> Vec<Tolerance>;
    /// Says what a model is judged on, where its files do not tell it; nothing leaves it to them again.
    SetKind { model: String, kind: Option<Kind> } -> Done [Changes];
    /// The report.
    Report { options: ScoreOptions, format: ReportFormat } -> Bytes [Read];
    /// The pasted replies as `journal.jsonl`.
    Journal {} -> Bytes [Read];
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
        Question::Request { key } => {
            Answer::Request(juror_session::request(&session.linked(), &key)?)
        }
        Question::GeneratorInput { key } => {
            Answer::GeneratorInput(juror_session::generator_input(&session.linked(), &key))
        }
        Question::InputFolder { query } => {
            Answer::InputFolder(juror_session::input_folder::input_folder(
                &session.study(&query.samples.options),
                &query,
            )?)
        }
        Question::Parse { reply } => {
            Answer::Parse(juror_session::parse(&session.linked(), &reply)?)
        }
        Question::Tolerance { options } => {
            Answer::Tolerance(juror_session::tolerance(&session.study(&options)))
        }
        Question::SetKind { model, kind } => {
            juror_session::set_kind(session, &model, kind)?;
            Answer::SetKind(Done)
        }
        Question::Report { options, format } => {
            Answer::Report(report_as(session, &options, format).into())
        }
        Question::Journal {} => Answer::Journal(session.journal().into()),
    })
}

fn report_as(session: &mut Session, options: &ScoreOptions, format: ReportFormat) -> String {
    match format {
        ReportFormat::Json => juror_session::report(&session.study(options)).to_json(),
        ReportFormat::Csv => report::csv_as(
            juror_session::score_rows(&session.study(options)),
            options.reading(),
        ),
    }
}
