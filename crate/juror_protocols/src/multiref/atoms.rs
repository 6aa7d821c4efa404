//! What a verdict is made of: the three criteria of the real-world half; metrics are computed, and nobody is asked for them.

use super::{JUDGED, MultiRef, REQUEST};
use crate::atoms::of_criteria;
use crate::contract::Scoring;
use juror_model::terms::Atom;

/// The three criteria.
pub(super) fn of(request: &str) -> Vec<Atom> {
    if request != REQUEST {
        return Vec::new();
    }
    let criteria = MultiRef.criteria().into_iter();
    of_criteria(
        request,
        criteria.filter(|info| JUDGED.contains(&info.id.as_str())),
    )
}

/// The reply with these three scores.
pub(super) fn compose(values: &[f64]) -> String {
    let scores = JUDGED.iter().zip(values);
    let scores: Vec<String> = scores
        .map(|(name, score)| format!("\"{name}\": {score}"))
        .collect();
    format!("{{{}, \"reason\": \"\"}}", scores.join(", "))
}
