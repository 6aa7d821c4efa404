//! People's ratings, and how judges agree with them and with each other.

use juror_session::Session;
use juror_session::view::agreement::{
    Agreement, AgreementQuery, AtomQuery, AtomRow, PairDetail, PairKey, Rankings, RankingsQuery,
};
use juror_session::view::rating::{RateItem, RateKey, RatePlan, RateScope, RatingsFile};

use super::{Budget, Bytes, Error, questions};

questions! {
    /// Judges beside people and each other.
    Agreement { query: AgreementQuery } -> Agreement [Ratings];
    /// What the paper prints about reliability beside the user's own figures, as CSV.
    PrintedCsv { query: AgreementQuery } -> Bytes [Ratings];
    /// One pairing in full.
    AgreementPair { key: PairKey } -> PairDetail [Ratings];
    /// Two judges beside each other, question by question; people are judges here as well.
    AtomAgreement { query: AtomQuery } -> Vec<AtomRow> [Ratings];
    /// The same as CSV.
    AtomCsv { query: AtomQuery } -> Bytes [Ratings];
    /// How two judges rank the models; people are judges here as well.
    Rankings { query: RankingsQuery } -> Rankings [Ratings];
    /// A CSV for people's ratings, to be filled in: of the samples that the scope draws, for all models and criteria.
    RatingsTemplate { scope: RateScope } -> Bytes [Read];
    /// What there is to rate, shuffled.
    RatePlan { scope: RateScope } -> RatePlan [Ratings];
    /// One output to rate, without its name.
    RateItem { key: RateKey } -> RateItem;
    /// The ratings of one rater, or of all, as CSV.
    RatingsCsv { rater: Option<String> } -> Bytes [Ratings];
    /// Reads a file of ratings; nothing if it is something else.
    ReadRatings { path: String, text: String } -> Option<RatingsFile>;
}

pub(super) fn answer(
    session: &mut Session,
    question: Question,
    _: Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::Agreement { query } => Answer::Agreement(juror_session::agreement(
            &session.study(&query.options),
            &query,
        )?),
        Question::PrintedCsv { query } => {
            let found = juror_session::agreement(&session.study(&query.options), &query)?;
            Answer::PrintedCsv(found.printed_csv().into())
        }
        Question::AgreementPair { key } => Answer::AgreementPair(juror_session::agreement_pair(
            &session.study(&key.options),
            &key,
        )?),
        Question::AtomAgreement { query } => {
            Answer::AtomAgreement(juror_session::atom_agreement(session, &query)?)
        }
        Question::AtomCsv { query } => {
            let rows = juror_session::atom_agreement(session, &query)?;
            Answer::AtomCsv(juror_session::atoms_csv(&rows).into())
        }
        Question::Rankings { query } => Answer::Rankings(juror_session::rankings(session, &query)?),
        Question::RatingsTemplate { scope } => {
            let subset = scope.subset();
            let text =
                juror_session::ratings_template(&session.linked(), scope.items, subset.as_ref());
            Answer::RatingsTemplate(text.into())
        }
        Question::RatePlan { scope } => {
            Answer::RatePlan(juror_session::rate_plan(&session.linked(), &scope))
        }
        Question::RateItem { key } => {
            Answer::RateItem(juror_session::rate_item(&session.linked(), &key)?)
        }
        Question::RatingsCsv { rater } => Answer::RatingsCsv(
            juror_session::ratings_csv(&session.linked(), rater.as_deref()).into(),
        ),
        Question::ReadRatings { path, text } => {
            Answer::ReadRatings(juror_session::read_ratings(&path, &text))
        }
    })
}
