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
        Question::Compare { options, query } => Answer::Compare(session.compare(&options, &query)?),
        Question::Standings { query } => Answer::Standings(session.standings(&query)),
        Question::CompareCsv { options, query } => {
            Answer::CompareCsv(session.compare(&options, &query)?.to_csv().into())
        }
        Question::PairedSamples {
            options,
            query,
            a,
            b,
        } => Answer::PairedSamples(session.paired_samples(&options, &query, (&a, &b))?),
        Question::Plot { query } => Answer::Plot(session.plot(&query)),
        Question::Behind { query, line, mark } => {
            Answer::Behind(session.behind(&query, line, mark))
        }
    })
}
