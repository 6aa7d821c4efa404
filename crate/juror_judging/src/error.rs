//! Why a judge cannot be asked, in words that name the mend.

/// Why a judge or a generator cannot be asked, in words that name the mend; [`Error::code`] is stable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Parameters of a judge or a generator that cannot be sent.
    #[error(transparent)]
    Given(#[from] juror_model::error::Error),
    /// A request or a line of a batch that is larger than its receiver takes.
    #[error("{0}")]
    TooLarge(String),
    /// Limits of a job that cannot be kept.
    #[error("{0}")]
    Limits(String),
}

impl Error {
    /// A stable name of the kind, for callers that branch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Given(_) => "bad_parameters",
            Self::TooLarge(_) => "too_large",
            Self::Limits(_) => "bad_limits",
        }
    }
}
