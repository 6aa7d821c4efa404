//! Why there is no pack, or why it cannot be read.

use super::FORMAT;

/// Why there is no pack, or why it cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A manifest of something else.
    #[error(
        "Expected a manifest of the format {FORMAT}, found {found}. This is no evidence pack of Juror's."
    )]
    Foreign {
        /// What it says.
        found: String,
    },
    /// A later version of the format.
    #[error(
        "This pack is of the format {found}, written by Juror {juror}; this Juror reads {FORMAT}. Check it with Juror {juror} or later, or ask for a pack in the older format."
    )]
    Newer {
        /// Its format.
        found: String,
        /// What wrote it.
        juror: String,
    },
    /// Not a manifest at all.
    #[error("The manifest cannot be read: {reason}. Ask for the pack again.")]
    Unreadable {
        /// Why.
        reason: String,
    },
    /// A file of the user's has the path of one of the pack's own.
    #[error(
        "The file {path} has the name of a part of the pack. Put it into a folder and open that."
    )]
    Taken {
        /// Its path.
        path: String,
    },
    /// A pack was unpacked whose pictures are not those that were judged.
    #[error(
        "{path} is of an evidence pack whose pictures went in {how}: if packed again, they would be taken for those that were judged. Pack the folders that it was made of."
    )]
    Partial {
        /// Where its manifest lies.
        path: String,
        /// How its pictures went in.
        how: &'static str,
    },
    /// Files could not be read, so nobody knows what the scores of the whole would be.
    #[error(
        "A pack holds all that its scores rest on, but {words} Read these files again, then pack."
    )]
    Incomplete {
        /// What is missing.
        words: String,
    },
    /// Nothing to put into a pack.
    #[error("There is no score to pack: no model and no replies were found.")]
    Empty,
}

impl PackError {
    /// Stable name.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Foreign { .. } => "foreign_pack",
            Self::Newer { .. } => "newer_pack",
            Self::Unreadable { .. } => "bad_manifest",
            Self::Taken { .. } => "path_taken",
            Self::Partial { .. } => "partial_pack",
            Self::Incomplete { .. } => "incomplete_pack",
            Self::Empty => "empty_pack",
        }
    }
}
