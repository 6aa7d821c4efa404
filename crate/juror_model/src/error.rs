//! Why something that was given cannot be used, in words that name the mend.

/// Why something that was given cannot be used, in words that name the mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A judge or a generator without a name of its model.
    #[error("Expected the name of a model, found none.")]
    NoModelName,
    /// An extra parameter of a judge or a generator that the request itself fills.
    #[error("{key} is filled by Juror and cannot be an extra parameter.")]
    OwnParameter {
        /// Its key.
        key: String,
    },
    /// What should be a subset and is not written as one.
    #[error(
        "Expected a subset such as task/30 (30 samples of each task), task/30/SEED or 30, found \u{201c}{0}\u{201d}."
    )]
    Subset(String),
    /// A file that should state a variant and is no JSON.
    #[error("Expected JSON, found something else: {cause}.")]
    VariantJson {
        /// What is wrong, and where.
        cause: String,
    },
    /// It is JSON of another kind.
    #[error("Expected an object with \"base\" and \"levels\", found {found}.")]
    VariantShape {
        /// The kind that it is.
        found: &'static str,
    },
    /// The base of a variant is no name.
    #[error("Expected the name of a submission as \"base\", found {found}.")]
    VariantBase {
        /// The text that was found.
        found: String,
    },
    /// A factor or a level of a variant cannot be one.
    #[error(
        "Expected each factor of \"levels\" with its level as a word or a number, without \"=\", \",\" and \"@\" in it, found {factor}: {found}."
    )]
    VariantLevel {
        /// The factor.
        factor: String,
        /// The text that was found.
        found: String,
    },
    /// Requests of the benchmark can be varied by nothing.
    #[error("This benchmark has no factors that its requests can be varied by.")]
    NoFactors,
    /// They can be varied by other factors.
    #[error("There is no factor {factor} here; there are {known}.")]
    UnknownFactor {
        /// The factor.
        factor: String,
        /// Those that there are.
        known: String,
    },
    /// The factor has other levels.
    #[error("{factor} has no level {level}; it has {known}.")]
    UnknownLevel {
        /// The factor.
        factor: String,
        /// The level.
        level: String,
        /// Those that there are.
        known: String,
    },
}
