//! Why something that was asked of this crate cannot be done.

/// Why something that was asked of this crate cannot be done, in words that name the mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Parameters of a judge or a generator that cannot be sent.
    #[error("{0}")]
    Parameters(String),
    /// A request or a line of a batch that is larger than its receiver takes.
    #[error("{0}")]
    TooLarge(String),
    /// Limits of a job that cannot be kept.
    #[error("{0}")]
    Limits(String),
    /// Measured values that cannot be read or planned.
    #[error("{0}")]
    Measures(String),
    /// A picture that does not decode.
    #[error("{0}")]
    Picture(String),
}
