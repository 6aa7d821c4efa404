//! Why a step of a loop cannot be made.

/// Why a step of a loop cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The trajectories' name is taken, or none.
    #[error("{0}")]
    BadSet(String),
    /// The benchmark has no such sample, or its prompt is not known.
    #[error("There is no set {0} with a prompt here.")]
    UnknownSample(String),
    /// A reference that the call shows is not open.
    #[error("Reference {index} of {sample} is not among the files.")]
    MissingPicture {
        /// Its number, from 0.
        index: u32,
        /// Sample id.
        sample: String,
    },
    /// What came is no picture that the benchmark's scripts read.
    #[error("{0}")]
    BadPicture(String),
    /// A parameter that the request itself fills.
    #[error("{0}")]
    BadParameters(String),
}

impl AgentError {
    /// A stable name of the kind.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadSet(_) => "bad_set",
            Self::UnknownSample(_) => "unknown_sample",
            Self::MissingPicture { .. } => "missing_picture",
            Self::BadPicture(_) => "bad_picture",
            Self::BadParameters(_) => "bad_parameters",
        }
    }
}
