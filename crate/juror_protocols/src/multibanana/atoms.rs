//! What a verdict is made of: the five criteria.

use super::{LABELS, MultiBanana};
use crate::atoms::of_criteria;
use crate::contract::Scoring;
use juror_model::terms::Atom;

/// The five criteria.
pub(super) fn of(request: &str) -> Vec<Atom> {
    let criteria = MultiBanana.criteria().into_iter();
    of_criteria(request, criteria.filter(|info| info.id != "total"))
}

/// The reply with these five scores.
pub(super) fn compose(values: &[f64]) -> String {
    let lines = LABELS.iter().zip(values);
    let lines = lines.map(|(label, score)| format!("\n{label}: {score}"));
    format!("Reasoning:{}", lines.collect::<String>())
}
