//! What the list of samples rests on, kept while files, replies and options stay as they are.

use super::filter::{Counts, Memory, Schema, Scope};
use crate::view::{FilterFault, SampleQuery};
use juror_model::options::ScoreOptions;
use juror_model::score::Scores;

/// What the list rests on while files, replies and options stay as they are.
#[derive(Debug)]
pub(super) struct ListInputs {
    pub(super) options: ScoreOptions,
    pub(super) schema: Schema,
    pub(super) counts: Counts,
    pub(super) memory: Memory,
    /// Where judges are left out of the scores: the scores with theirs behind, and how many judges of each model count.
    pub(super) beyond: Option<(Scores, Vec<usize>)>,
    /// The list that was asked for last, apart from its window.
    pub(super) last: Option<(SampleQuery, Listed)>,
}

/// A list without its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    pub(super) matched: u32,
    /// Positions of the samples, with the value that they are sorted by.
    pub(super) order: Vec<(u32, Option<f64>)>,
    pub(super) scope: Option<Scope>,
    pub(super) pair: Option<(usize, usize)>,
    pub(super) fault: Option<FilterFault>,
}
