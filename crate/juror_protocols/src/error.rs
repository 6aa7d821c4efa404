//! Why something that was asked of a protocol cannot be done.

/// Why something that was asked of a protocol cannot be done, in words that name the mend or quote the authors' program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The benchmark has nothing of this name.
    #[error("There is no {what} {name}.")]
    Unknown {
        /// What it should be, in the benchmark's own word: a sample, a set, a task, a request.
        what: String,
        /// The name that was asked for.
        name: String,
    },
    /// The sample has no such turn, or there is no such sample.
    #[error("There is no turn {number} in {what} {name}.")]
    UnknownTurn {
        /// Its number, from 1.
        number: u32,
        /// The benchmark's word for a sample.
        what: &'static str,
        /// The sample that was asked for.
        name: String,
    },
    /// The turn exists and is not judged by this kind of request.
    #[error("{0}")]
    NotAsked(String),
    /// The judge texts lack the one that the request needs.
    #[error("{0}")]
    NoPrompt(String),
    /// A file that the request cannot do without is not among those that were opened.
    #[error("{0}")]
    MissingFile(String),
    /// Choices that exclude each other.
    #[error("{0}")]
    Options(String),
    /// The authors' program stops here; what it says.
    #[error("{0}")]
    Stops(String),
    /// A reply that has not the form which was asked for.
    #[error("{0}")]
    Form(String),
    /// An answer that was checked and is not right.
    #[error("{0}")]
    Wrong(String),
}

impl Error {
    /// The benchmark has no `what` of this name.
    pub fn unknown(what: &str, name: &str) -> Self {
        Self::Unknown {
            what: what.to_owned(),
            name: name.to_owned(),
        }
    }

    /// The sample has no such turn; `turn` counts from 0.
    pub fn no_turn(turn: u32, what: &'static str, sample: &str) -> Self {
        Self::UnknownTurn {
            number: turn + 1,
            what,
            name: sample.to_owned(),
        }
    }

    /// The judge texts have none of this kind.
    pub fn no_prompt(kind: &str) -> Self {
        Self::NoPrompt(format!("The prompt pack has no text for {kind}."))
    }
}
