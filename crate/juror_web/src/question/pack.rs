//! Evidence packs, and the report as tables.

use juror_evidence::pack::{Manifest, PackItem};
use juror_evidence::report::tables::Intervals;
use juror_model::options::ScoreOptions;
use juror_session::Session;
use serde::Deserialize;

use super::{Budget, Bytes, Done, Error, questions};

questions! {
    /// The report as tables.
    Tables { options: ScoreOptions, format: TableFormat } -> Bytes [Read];
    /// The files that a pack holds.
    PackItems {} -> Vec<PackItem> [Host];
    /// Lists the files of a pack; their numbers begin with the one returned, in the order of the manifest.
    AddPack { manifest: String } -> u32 [Host];
    /// Takes in a pack's own journal.
    AddPackJournal { text: String } -> Done [Host];
}

/// Tables of a report as a file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "kebab-case")]
pub(super) enum TableFormat {
    /// Markdown.
    Md,
    /// LaTeX.
    Latex,
    /// LaTeX with intervals.
    LatexIntervals,
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::Tables { options, format } => {
            let tables = juror_session::tables(&session.study(&options));
            let text = match format {
                TableFormat::Md => tables.to_markdown(),
                TableFormat::Latex => tables.to_latex(Intervals::Hidden),
                TableFormat::LatexIntervals => tables.to_latex(Intervals::Shown),
            };
            Answer::Tables(text.into())
        }
        Question::PackItems {} => Answer::PackItems(juror_session::pack_items(&session.linked())?),
        Question::AddPack { manifest } => Answer::AddPack(juror_session::add_pack(
            session,
            &Manifest::read(&manifest)?,
        )),
        Question::AddPackJournal { text } => {
            juror_session::add_pack_journal(session, &text);
            Answer::AddPackJournal(Done)
        }
    })
}
