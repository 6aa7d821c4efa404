//! What a tolerant reading of replies reads beyond the strict one, counted.

use serde::{Deserialize, Serialize};

/// One thing that was taken off replies, and of how many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AllowanceCount {
    /// In words: `thoughts set aside`.
    pub name: String,
    /// Replies that it was taken off; a reply counts under each of its allowances.
    pub replies: u32,
}

/// The replies of one judge that the strict reading refuses and the tolerant one reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Tolerance {
    /// Judge; empty where the replies name none.
    pub judge: String,
    /// How many replies.
    pub replies: u32,
    /// What made them readable, the most frequent first.
    pub allowances: Vec<AllowanceCount>,
}

impl Tolerance {
    /// The allowances with their counts: `thoughts set aside 40, bold 12`.
    pub fn words(&self) -> String {
        let allowances = self.allowances.iter();
        let words = allowances.map(|one| format!("{} {}", one.name, one.replies));
        words.collect::<Vec<_>>().join(", ")
    }

    /// The judge's name, or the words for one without.
    pub fn judge_words(&self) -> &str {
        match self.judge.as_str() {
            "" => "the judge without a name",
            name => name,
        }
    }
}
