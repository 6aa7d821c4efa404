//! People's ratings, and how judges agree with them and with each other.

use juror_core::model::options::ScoreOptions;
use juror_core::ratings::Rating;
use juror_core::session::Session;
use juror_core::view::agreement::{Agreement, PairDetail, PairKey};
use juror_core::view::rating::{RateItem, RateKey, RatePlan, RateScope, RatingsFile};

use super::{Budget, Bytes, Done, Error, questions};

questions! {
    /// Judges beside people and each other.
    Agreement { options: ScoreOptions } -> Agreement [Ratings];
    /// One pairing in full.
    AgreementPair { key: PairKey } -> PairDetail [Ratings];
    /// A CSV for people's ratings, to be filled in.
    RatingsTemplate {} -> Bytes [Read];
    /// What there is to rate, shuffled.
    RatePlan { scope: RateScope } -> RatePlan [Ratings];
    /// One output to rate, without its name.
    RateItem { key: RateKey } -> RateItem;
    /// The ratings of one rater, or of all, as CSV.
    RatingsCsv { rater: Option<String> } -> Bytes [Ratings];
    /// Reads a file of ratings; nothing if it is something else.
    ReadRatings { path: String, text: String } -> Option<RatingsFile>;
    /// Takes the ratings that the page keeps, instead of those of before.
    UseRatings { ratings: Vec<Rating> } -> Done [Host];
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::Agreement { options } => {
            Answer::Agreement(juror_core::session::agreement(session, &options))
        }
        Question::AgreementPair { key } => {
            Answer::AgreementPair(juror_core::session::agreement_pair(session, &key)?)
        }
        Question::RatingsTemplate {} => {
            Answer::RatingsTemplate(juror_core::session::ratings_template(session).into())
        }
        Question::RatePlan { scope } => {
            Answer::RatePlan(juror_core::session::rate_plan(session, &scope))
        }
        Question::RateItem { key } => {
            Answer::RateItem(juror_core::session::rate_item(session, &key)?)
        }
        Question::RatingsCsv { rater } => {
            Answer::RatingsCsv(juror_core::session::ratings_csv(session, rater.as_deref()).into())
        }
        Question::ReadRatings { path, text } => {
            Answer::ReadRatings(juror_core::session::read_ratings(&path, &text))
        }
        Question::UseRatings { ratings } => {
            juror_core::session::use_ratings(session, ratings);
            Answer::UseRatings(Done)
        }
    })
}
