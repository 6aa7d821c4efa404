//! The formula: the mean of both criteria, at most the cap once the duel is lost.

/// The total of a round.
pub(super) fn total(duel: f64, look: f64, cap: f64) -> f64 {
    let mean = f64::midpoint(duel, look);
    if duel > 0.0 { mean } else { mean.min(cap) }
}
