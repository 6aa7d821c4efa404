//! How far the judges of a panel answered together, request by request.

use std::collections::BTreeMap;

/// A request in a run: model, sample, turn, position of the request's kind among the model's, run.
pub(super) type RequestRun = (usize, u32, u32, u16, u32);

/// How far a panel's judges answered one request together.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// The request.
    pub(super) place: RequestRun,
    /// Whether all of the judges answered it.
    pub(super) has_all: bool,
    /// Questions by the criterion that they are of, `None` for those of the whole reply: answers put together, ties.
    pub(super) answers: BTreeMap<Option<String>, (u32, u32)>,
}

/// A panel's tallies by the paper's reading and by the released code's.
pub(super) type Tallies = [Vec<Tally>; 2];
