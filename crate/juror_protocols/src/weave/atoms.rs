//! What a verdict is made of: its one criterion.

use super::Weave;
use crate::atoms::of_criteria;
use crate::contract::Scoring;
use juror_model::terms::Atom;

/// The criterion that a request asks for.
pub(super) fn of(request: &str) -> Vec<Atom> {
    let criteria = Weave.criteria().into_iter();
    let asked = criteria.filter(|info| info.id == request && info.id != "total");
    of_criteria(request, asked)
}

/// The reply with this score.
pub(super) fn compose(values: &[f64]) -> String {
    let score = values.first().copied().unwrap_or(f64::NAN);
    format!("{{\"score\": {score}, \"reasoning\": \"\"}}")
}
