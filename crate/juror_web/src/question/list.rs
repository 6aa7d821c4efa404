//! The sample list and its filter.

use juror_model::options::ScoreOptions;
use juror_session::Session;
use juror_session::subset::SubsetScope;
use juror_session::view::{Completion, Facet, SampleList, SampleQuery};

use super::{Budget, Error, questions};

questions! {
    /// A window of the filtered sample list.
    Samples { query: SampleQuery } -> Option<SampleList> [Parts];
    /// The fields of a filter with their values, counted.
    Facets { query: SampleQuery } -> Option<Vec<Facet>> [Parts];
    /// What the samples of a group of score rows pass, and no others; nothing where no expression says it.
    GroupFilter { options: ScoreOptions, scope: String, key: String } -> Option<String>;
    /// By which groups of samples a subset can be drawn.
    SubsetScopes {} -> Vec<SubsetScope>;
    /// What may stand at the caret of a filter.
    CompleteFilter { source: String, caret: u32, options: ScoreOptions } -> Vec<Completion>;
}

#[expect(clippy::unnecessary_wraps, reason = "other topics can fail")]
pub(super) fn answer(
    session: &mut Session,
    question: Question,
    Budget(bytes): Budget,
) -> Result<Answer, Error> {
    Ok(match question {
        Question::Samples { query } => Answer::Samples(juror_session::samples_in_parts(
            &session.study(&query.options),
            &query,
            bytes,
        )),
        Question::Facets { query } => Answer::Facets(juror_session::facets_in_parts(
            &session.study(&query.options),
            &query,
            bytes,
        )),
        Question::GroupFilter {
            options,
            scope,
            key,
        } => Answer::GroupFilter(juror_session::group_filter(
            &session.study(&options),
            &scope,
            &key,
        )),
        Question::SubsetScopes {} => {
            Answer::SubsetScopes(juror_session::subset_scopes(&session.linked()))
        }
        Question::CompleteFilter {
            source,
            caret,
            options,
        } => Answer::CompleteFilter(juror_session::complete_filter(
            &session.study(&options),
            &source,
            caret,
        )),
    })
}
