//! Failure labels: what can be set, what was set, and how often.

use juror_session::Session;
use juror_session::label_file::LabelRecord;
use juror_session::view::labels::{
    LabelChange, LabelCounts, LabelQuery, LabelSheet, LabelSheetQuery, LabelsFile,
};

use super::{Budget, Bytes, Error, questions};

questions! {
    /// The labels of a sample's outputs, and which ones can be set.
    LabelSheet { query: LabelSheetQuery } -> LabelSheet [Ratings];
    /// What is to be kept where a label is set or taken back.
    LabelChange { change: LabelChange } -> Vec<LabelRecord> [Ratings];
    /// How often each label was set, and how far people agree on it.
    LabelCounts { query: LabelQuery } -> LabelCounts [Ratings];
    /// The counts as CSV.
    LabelCountsCsv { query: LabelQuery } -> Bytes [Ratings];
    /// The agreement of people on labels as CSV.
    LabelAgreementCsv { query: LabelQuery } -> Bytes [Ratings];
    /// The labels of one person, or of all, as CSV.
    LabelsCsv { rater: Option<String> } -> Bytes [Ratings];
    /// Reads a file of labels; nothing if it is something else.
    ReadLabels { path: String, text: String } -> Option<LabelsFile>;
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::LabelSheet { query } => {
            Answer::LabelSheet(juror_session::label_sheet(&session.linked(), &query)?)
        }
        Question::LabelChange { change } => {
            Answer::LabelChange(juror_session::label_change(&session.linked(), &change)?)
        }
        Question::LabelCounts { query } => Answer::LabelCounts(juror_session::label_counts(
            &session.study_under_any(),
            &query,
        )?),
        Question::LabelCountsCsv { query } => Answer::LabelCountsCsv(
            juror_session::label_counts(&session.study_under_any(), &query)?
                .to_csv()
                .into(),
        ),
        Question::LabelAgreementCsv { query } => Answer::LabelAgreementCsv(
            juror_session::label_counts(&session.study_under_any(), &query)?
                .agreement_csv()
                .into(),
        ),
        Question::LabelsCsv { rater } => {
            Answer::LabelsCsv(juror_session::labels_csv(&session.linked(), rater.as_deref()).into())
        }
        Question::ReadLabels { path, text } => {
            Answer::ReadLabels(juror_session::read_labels(&path, &text))
        }
    })
}
