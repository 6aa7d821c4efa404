//! Models beside each other, and plots.

use juror_core::model::options::ScoreOptions;
use juror_core::session::Session;
use juror_core::session::compare::{
    CompareQuery, Comparison, PairedSample, Standing, StandingsQuery,
};
use juror_core::session::plots::{Behind, Plot, PlotQuery};

use super::{Budget, Bytes, Error, questions};

questions! {
    /// Models beside each other.
    Compare { options: ScoreOptions, query: CompareQuery } -> Comparison;
    /// Where each model stands in a column of the score table.
    Standings { query: StandingsQuery } -> Vec<Standing>;
    /// Models beside each other as CSV.
    CompareCsv { options: ScoreOptions, query: CompareQuery } -> Bytes [Read];
    /// The samples that two models are compared on, the largest difference first.
    PairedSamples { options: ScoreOptions, query: CompareQuery, a: String, b: String } -> Vec<PairedSample>;
    /// One plot, counted.
    Plot { query: PlotQuery } -> Plot;
    /// The samples behind a plot's mark.
    Behind { query: PlotQuery, line: u32, mark: u32 } -> Behind;
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::Compare { options, query } => {
            Answer::Compare(juror_core::session::compare(session, &options, &query)?)
        }
        Question::Standings { query } => {
            Answer::Standings(juror_core::session::standings(session, &query))
        }
        Question::CompareCsv { options, query } => Answer::CompareCsv(
            juror_core::session::compare(session, &options, &query)?
                .to_csv()
                .into(),
        ),
        Question::PairedSamples {
            options,
            query,
            a,
            b,
        } => Answer::PairedSamples(juror_core::session::paired_samples(
            session,
            &options,
            &query,
            (&a, &b),
        )?),
        Question::Plot { query } => Answer::Plot(juror_core::session::plot(session, &query)),
        Question::Behind { query, line, mark } => {
            Answer::Behind(juror_core::session::behind(session, &query, line, mark))
        }
    })
}
