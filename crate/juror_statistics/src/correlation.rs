//! How far two lists of numbers go together: Pearson's r, Spearman's ρ with its exact p-value, and Kendall's τ-b.
//!
//! Sources: Spearman, "The proof and measurement of association between two things", 1904; Kendall, "The treatment of ties in
//! ranking problems", 1945. Golden values from SciPy 1.17.1: `pearsonr`, `spearmanr`, `kendalltau`, and `permutation_test` of
//! pairings for the exact p-value.

use crate::small::SortSmall;

/// So many pairs at most have an exact p-value: there are 362,880 ways to pair nine with nine.
pub const MAX_EXACT: usize = 9;

/// Pearson's r of paired values; `None` below two pairs or where one side is constant.
///
/// # Example
/// ```
/// let r = juror_statistics::correlation::pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.5]).unwrap();
/// assert!((r - 4.5 / (2.0f64 * 10.166_666_666_666_666).sqrt()).abs() < 1e-12);
/// ```
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len().min(y.len());
    if n < 2 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / n as f64;
    let (mean_x, mean_y) = (mean(&x[..n]), mean(&y[..n]));
    let (mut sxx, mut syy, mut sxy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        let (dx, dy) = (a - mean_x, b - mean_y);
        sxx += dx * dx;
        syy += dy * dy;
        sxy += dx * dy;
    }
    let scale = sxx.sqrt() * syy.sqrt();
    (scale > 0.0).then(|| (sxy / scale).clamp(-1.0, 1.0))
}

/// Spearman's ρ: Pearson's r of the ranks, ties at their mean rank.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// Ranks from 1; equal values share the mean of theirs.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_small_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tied in order.chunk_by(|a, b| values[*a].total_cmp(&values[*b]).is_eq()) {
        let rank = (2 * start + tied.len() + 1) as f64 / 2.0;
        for at in tied {
            ranks[*at] = rank;
        }
        start += tied.len();
    }
    ranks
}

/// The chance of a Spearman's ρ at least as far out as this one, had the second side's ranks been dealt out anew: over all n!
/// ways to pair, twice the smaller of the shares with a ρ that is not smaller and with one that is not larger, 1 at most.
///
/// Exact, ties included. `None` below two pairs, above [`MAX_EXACT`], and where one side is constant.
///
/// # Example
/// ```
/// use juror_statistics::correlation::spearman_exact_p;
/// // Of the 24 ways to pair four with four, one has ρ = 1.
/// let p = spearman_exact_p(&[1.0, 2.0, 3.0, 4.0], &[10.0, 20.0, 30.0, 40.0]);
/// assert_eq!(p, Some(2.0 / 24.0));
/// ```
pub fn spearman_exact_p(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len().min(y.len());
    if n > MAX_EXACT {
        return None;
    }
    spearman(&x[..n], &y[..n])?;
    // Doubled ranks are whole, so that equal sums of products are seen as equal; ρ grows with the sum.
    let (x, mut y) = (doubled_ranks(&x[..n]), doubled_ranks(&y[..n]));
    let found: i64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    let (mut sum, mut all, mut not_smaller, mut not_larger) = (found, 0u32, 0u32, 0u32);
    let mut note = |sum: i64| {
        all += 1;
        not_smaller += u32::from(sum >= found);
        not_larger += u32::from(sum <= found);
    };
    note(sum);
    // Heap's order: each way differs from the one before by one exchange.
    let mut turns = vec![0; n];
    let mut at = 1;
    while at < n {
        if turns[at] == at {
            turns[at] = 0;
            at += 1;
            continue;
        }
        let other = if at % 2 == 0 { 0 } else { turns[at] };
        sum += (x[other] - x[at]) * (y[at] - y[other]);
        y.swap(other, at);
        note(sum);
        turns[at] += 1;
        at = 1;
    }
    let tail = f64::from(not_smaller.min(not_larger)) / f64::from(all);
    Some((2.0 * tail).min(1.0))
}

/// Twice the ranks of at most [`MAX_EXACT`] values.
#[expect(
    clippy::cast_possible_truncation,
    reason = "twice a rank is whole, and small"
)]
fn doubled_ranks(values: &[f64]) -> Vec<i64> {
    let ranks = ranks(values).into_iter();
    ranks.map(|rank| (2.0 * rank) as i64).collect()
}

/// Kendall's τ-b: `(C − D) / √((P − T)(P − U))` over all P pairs of places, of which C are in the same order on both sides, D in
/// opposite order, T are tied on the first side and U on the second.
///
/// −1 to 1; `None` where one side is constant, as is one of a single place.
///
/// # Example
/// ```
/// use juror_statistics::correlation::kendall_tau_b;
/// // Of three pairs two are in the same order and one is exchanged.
/// let tau = kendall_tau_b(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap();
/// assert!((tau - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Option<f64> {
    let (mut both, mut moving_x, mut moving_y) = (0.0, 0.0, 0.0);
    let places: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    for (at, (a, b)) in places.iter().enumerate() {
        for (c, d) in &places[at + 1..] {
            let (dx, dy) = (sign(a - c), sign(b - d));
            both += dx * dy;
            moving_x += dx * dx;
            moving_y += dy * dy;
        }
    }
    let scale: f64 = moving_x * moving_y;
    (scale > 0.0).then(|| both / scale.sqrt())
}

/// 1, −1, or 0 of nothing.
fn sign(difference: f64) -> f64 {
    match difference {
        d if d > 0.0 => 1.0,
        d if d < 0.0 => -1.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_defined_is_no_number() {
        assert_eq!(kendall_tau_b(&[], &[]), None);
        assert_eq!(kendall_tau_b(&[1.0], &[2.0]), None);
        assert_eq!(kendall_tau_b(&[1.0, 1.0], &[2.0, 3.0]), None);
        assert_eq!(spearman_exact_p(&[1.0], &[2.0]), None);
        assert_eq!(spearman_exact_p(&[1.0, 1.0, 1.0], &[2.0, 3.0, 4.0]), None);
        let ten: Vec<f64> = (0..10).map(f64::from).collect();
        assert_eq!(
            spearman_exact_p(&ten, &ten),
            None,
            "ten are not counted out"
        );
        assert!(spearman_exact_p(&ten[..9], &ten[..9]).is_some());
    }

    #[test]
    fn two_can_be_paired_in_two_ways_so_that_nothing_is_shown() {
        assert_eq!(spearman_exact_p(&[1.0, 2.0], &[3.0, 4.0]), Some(1.0));
        assert_eq!(spearman_exact_p(&[1.0, 2.0], &[4.0, 3.0]), Some(1.0));
    }
}
