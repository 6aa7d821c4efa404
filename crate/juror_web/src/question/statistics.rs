//! What the benchmark is made of.

use juror_session::Session;
use juror_session::view::statistics::BenchmarkStatistics;

use super::{Budget, Bytes, Error, questions};

questions! {
    /// Counts of samples, pictures and instructions, beside the paper's.
    Statistics {} -> BenchmarkStatistics;
    /// The same as CSV.
    StatisticsCsv {} -> Bytes [Read];
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "every topic is handed its question"
)]
pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    let statistics = juror_session::statistics(&session.linked())?;
    Ok(match question {
        Question::Statistics {} => Answer::Statistics(statistics),
        Question::StatisticsCsv {} => Answer::StatisticsCsv(statistics.to_csv().into()),
    })
}
