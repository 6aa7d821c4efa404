//! Why something cannot be made, in words that name the mend.

/// Why something cannot be made, in words that name the mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A project file that cannot be read.
    #[error("{0}")]
    Project(String),
    /// A setting that cannot be kept.
    #[error("{0}")]
    Setting(String),
    /// A list of originals, personas, templates or pools that cannot be read.
    #[error("{0}")]
    List(String),
    /// A decision about something that the project does not have, or that is none.
    #[error("{0}")]
    Decision(String),
    /// A call that cannot be written or sent, or a file of replies that is none.
    #[error("{0}")]
    Call(String),
    /// A picture that cannot be read, has another size, or cannot be painted.
    #[error("{0}")]
    Picture(String),
    /// A reply that does not say what it was asked for.
    #[error("{0}")]
    Reply(String),
}

impl Error {
    /// What a reply lacks, in words.
    pub(crate) fn reply(words: impl Into<String>) -> Self {
        Self::Reply(words.into())
    }
}
