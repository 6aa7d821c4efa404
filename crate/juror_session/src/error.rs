//! Why something that was asked of this crate cannot be done.

use juror_agents::AgentError;
use juror_evidence::pack::PackError;

/// Why something that was asked of this crate cannot be done, in words that name the mend; [`Error::code`] is stable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Parameters of a judge or a generator that cannot be sent.
    #[error(transparent)]
    Given(#[from] juror_model::error::Error),
    /// A request that no judge takes, or a job whose limits cannot be kept.
    #[error(transparent)]
    Judging(#[from] juror_judging::error::Error),
    /// Measured values that cannot be read or planned.
    #[error("{0}")]
    Measures(String),
    /// A file of seconds that cannot be read or lacks a model.
    #[error("{0}")]
    Costs(String),
    /// A picture that does not decode.
    #[error("{0}")]
    Picture(String),
    /// Nothing that was opened says what is expected.
    #[error("{0}")]
    NoBenchmark(String),
    /// A file that represents no benchmark.
    #[error("{path} stands for no benchmark; {known}.")]
    UnknownBenchmark {
        /// The file that was named.
        path: String,
        /// Which ones do.
        known: String,
    },
    /// No model of this name is open.
    #[error("{0}")]
    UnknownModel(String),
    /// The benchmark has no such sample.
    #[error("There is no sample {0} in what was opened.")]
    UnknownSample(String),
    /// The sample has no such turn.
    #[error("There is no turn {number} in sample {sample}.")]
    UnknownTurn {
        /// Its number, from 1.
        number: u32,
        /// Sample id.
        sample: String,
    },
    /// Nothing is judged or compared by it.
    #[error("{0}")]
    UnknownCriterion(String),
    /// No submission or judge states such a factor or level; in words.
    #[error("{0}")]
    UnknownFactor(String),
    /// The benchmark has no such group of samples.
    #[error("There is no group {scope} {key}.")]
    UnknownGroup {
        /// What the samples are divided by.
        scope: String,
        /// The group among them.
        key: String,
    },
    /// No reply is by this judge.
    #[error("There is no judge {0}.")]
    UnknownJudge(String),
    /// A panel of one judge.
    #[error("{0} has one judge only: name two or more, or people for everybody who rated.")]
    SmallPanel(String),
    /// No judge texts have this hash.
    #[error("No prompt pack has the hash {0}.")]
    UnknownPack(String),
    /// Two raters without a unit that both rated.
    #[error("{a} and {b} have no score in common here.")]
    UnknownPair {
        /// The one.
        a: String,
        /// The other.
        b: String,
    },
    /// What no judge can be called.
    #[error("{0}")]
    BadJudgeName(String),
    /// What cannot be a label of a failure.
    #[error("{0}")]
    BadLabel(String),
    /// The protocol cannot make the request; its words.
    #[error("{0}")]
    NoRequest(String),
    /// What a generator cannot be asked, or a model's folder that cannot be written; in words.
    #[error("{0}")]
    Generating(String),
    /// A step of an agent's loop that cannot be made.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// An evidence pack that cannot be written or read.
    #[error(transparent)]
    Pack(#[from] PackError),
}

impl Error {
    /// A stable name of the kind, for callers that branch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Given(_) => "bad_parameters",
            Self::Judging(cause) => cause.code(),
            Self::Measures(_) => "bad_measures",
            Self::Costs(_) => "bad_costs",
            Self::Picture(_) => "bad_picture",
            Self::NoBenchmark(_) => "no_benchmark",
            Self::UnknownBenchmark { .. } => "unknown_benchmark",
            Self::UnknownModel(_) => "unknown_model",
            Self::UnknownSample(_) => "unknown_sample",
            Self::UnknownTurn { .. } => "unknown_turn",
            Self::UnknownCriterion(_) => "unknown_criterion",
            Self::UnknownFactor(_) => "unknown_factor",
            Self::UnknownGroup { .. } => "unknown_group",
            Self::UnknownJudge(_) => "unknown_judge",
            Self::SmallPanel(_) => "small_panel",
            Self::UnknownPack(_) => "unknown_pack",
            Self::UnknownPair { .. } => "unknown_pair",
            Self::BadJudgeName(_) => "bad_judge_name",
            Self::BadLabel(_) => "bad_label",
            Self::NoRequest(_) => "no_request",
            Self::Generating(_) => "bad_generate",
            Self::Agent(cause) => cause.code(),
            Self::Pack(cause) => cause.code(),
        }
    }

    /// No model of this name was opened.
    pub(crate) fn no_model(name: &str) -> Self {
        Self::UnknownModel(format!("There is no model {name} in what was opened."))
    }

    /// The sample has no such turn; `turn` counts from 0.
    pub(crate) fn no_turn(turn: u32, sample: &str) -> Self {
        Self::UnknownTurn {
            number: turn + 1,
            sample: sample.to_owned(),
        }
    }
}
