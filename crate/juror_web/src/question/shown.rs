//! What the first page asks: what was opened, its scores, one sample.

use juror_model::options::ScoreOptions;
use juror_session::Session;
use juror_session::groups::RowUnits;
use juror_session::view::{HighlightQuery, Highlights, Overview, SampleView};

use super::{Budget, Done, Error, questions};

questions! {
    /// Everything that the overview shows.
    Overview { options: ScoreOptions } -> Overview;
    /// The scores behind a score row, by its position.
    RowUnits { options: ScoreOptions, row: u32 } -> RowUnits;
    /// Samples worth looking at.
    Highlights { query: HighlightQuery } -> Highlights;
    /// One sample.
    Sample { id: String, options: ScoreOptions } -> SampleView;
    /// Chooses the prompt pack that requests are made with.
    UsePack { sha256: String } -> Done;
    /// Says which benchmark counts, by the path of its list or of its `juror.json`; what it needs is wanted next.
    ChooseBenchmark { path: String } -> Done [Host];
    /// Asks again for every file whose reading failed; how many they are.
    RetryFailures {} -> u32 [Host];
}

#[cfg(not(feature = "full"))]
impl Question {
    /// Leaves scores of a panel to the whole engine, which alone can put its judges' answers together, and the tolerant
    /// reading, which it alone has.
    fn refuse_others(&self) -> Result<(), Error> {
        let options = match self {
            Self::Overview { options }
            | Self::RowUnits { options, .. }
            | Self::Sample { options, .. } => options,
            Self::Highlights { query } => &query.options,
            _ => return Ok(()),
        };
        if !options.reading().is_strict() {
            return Err(Error::NotHere("the tolerant reading".to_owned()));
        }
        match &options.judge {
            Some(judge) if juror_model::judge::is_panel(judge) => {
                Err(Error::NotHere(judge.clone()))
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    #[cfg(not(feature = "full"))]
    question.refuse_others()?;
    Ok(match question {
        Question::Overview { options } => {
            Answer::Overview(juror_session::overview(&session.study(&options)))
        }
        Question::RowUnits { options, row } => {
            Answer::RowUnits(juror_session::row_units(&session.study(&options), row))
        }
        Question::Highlights { query } => Answer::Highlights(juror_session::highlights(
            &session.study(&query.options),
            &query,
        )),
        Question::Sample { id, options } => {
            Answer::Sample(juror_session::sample(&session.study(&options), &id)?)
        }
        Question::UsePack { sha256 } => {
            session.use_pack(&sha256)?;
            Answer::UsePack(Done)
        }
        Question::ChooseBenchmark { path } => {
            juror_session::choose_benchmark(session, Some(&path))?;
            Answer::ChooseBenchmark(Done)
        }
        Question::RetryFailures {} => Answer::RetryFailures(session.retry_failures()),
    })
}
