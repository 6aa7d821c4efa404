//! Models beside each other, levels of a factor, and plots.

use juror_model::options::ScoreOptions;
use juror_session::Session;
use juror_session::compare::{
    CompareQuery, Comparison, Interval, ModelRank, PairedSample, StandingsQuery,
};
use juror_session::plots::{Behind, Plot, PlotQuery, RowIntervalQuery};
use juror_session::view::costs::{CostQuery, Costs};
use juror_session::view::experiments::{ExperimentQuery, Experiments};
use juror_session::view::grouped::{Grouped, GroupedQuery};
use juror_session::view::groups::{GroupMeans, GroupMeansQuery};

use super::{Budget, Bytes, Error, questions};

questions! {
    /// Models beside each other.
    Compare { options: ScoreOptions, query: CompareQuery } -> Comparison;
    /// Where each model stands in a column of the score table.
    Standings { query: StandingsQuery } -> Vec<ModelRank>;
    /// Models beside each other as CSV.
    CompareCsv { options: ScoreOptions, query: CompareQuery } -> Bytes [Read];
    /// The samples that two models are compared on, the largest difference first.
    PairedSamples { options: ScoreOptions, query: CompareQuery, a: String, b: String } -> Vec<PairedSample>;
    /// Models' means in each group of a scope, and whether the groups differ.
    GroupMeans { query: GroupMeansQuery } -> GroupMeans;
    /// The same as CSV.
    GroupMeansCsv { query: GroupMeansQuery } -> Bytes [Read];
    /// Seconds of two models' outputs, paired by sample.
    Costs { query: CostQuery } -> Costs;
    /// The same as CSV.
    CostsCsv { query: CostQuery } -> Bytes;
    /// The levels of a factor beside each other.
    Experiments { query: ExperimentQuery } -> Experiments;
    /// The same as CSV.
    ExperimentsCsv { query: ExperimentQuery } -> Bytes [Read];
    /// One plot, counted.
    Plot { query: PlotQuery } -> Plot;
    /// Scores by two groupings at once.
    Grouped { query: GroupedQuery } -> Grouped;
    /// The intervals of the score rows at another level, in the order of the rows.
    RowIntervals { query: RowIntervalQuery } -> Vec<Option<Interval>>;
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
            Answer::Compare(juror_session::compare(&session.study(&options), &query)?)
        }
        Question::Standings { query } => Answer::Standings(juror_session::standings(
            &session.study(&query.options),
            &query,
        )),
        Question::CompareCsv { options, query } => Answer::CompareCsv(
            juror_session::compare(&session.study(&options), &query)?
                .to_csv()
                .into(),
        ),
        Question::GroupMeans { query } => Answer::GroupMeans(juror_session::group_means(
            &session.study(&query.options),
            &query,
        )?),
        Question::GroupMeansCsv { query } => Answer::GroupMeansCsv(
            juror_session::group_means(&session.study(&query.options), &query)?
                .to_csv()
                .into(),
        ),
        Question::Costs { query } => {
            Answer::Costs(juror_session::costs(&session.linked(), &query)?)
        }
        Question::CostsCsv { query } => Answer::CostsCsv(
            juror_session::costs(&session.linked(), &query)?
                .to_csv()
                .into(),
        ),
        Question::PairedSamples {
            options,
            query,
            a,
            b,
        } => Answer::PairedSamples(juror_session::paired_samples(
            &session.study(&options),
            &query,
            (&a, &b),
        )?),
        Question::Experiments { query } => {
            Answer::Experiments(juror_session::experiments(session, &query)?)
        }
        Question::ExperimentsCsv { query } => {
            Answer::ExperimentsCsv(juror_session::experiments(session, &query)?.to_csv().into())
        }
        Question::Plot { query } => {
            Answer::Plot(juror_session::plot(&session.study(&query.options), &query))
        }
        Question::Grouped { query } => Answer::Grouped(juror_session::grouped(
            &session.study(&query.options),
            &query,
        )?),
        Question::RowIntervals { query } => Answer::RowIntervals(juror_session::row_intervals(
            &session.study(&query.options),
            &query,
        )),
        Question::Behind { query, line, mark } => Answer::Behind(juror_session::behind(
            &session.study(&query.options),
            &query,
            line,
            mark,
        )),
    })
}
