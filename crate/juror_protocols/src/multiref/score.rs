//! Metrics and judged scores → the columns and averages of the paper's tables.
//!
//! Source: MultiRef, Tables 4 and 11; the released code prints no average at all.

use super::CONDITIONS;
use juror_model::options::Profile;
use juror_model::terms::Direction;

/// The synthetic half's `AVG`: the mean of the ten columns, errors turned over.
///
/// `AVG = (Σ up + Σ (1 − down)) / 10` with depth, canny and sketch down.
/// `columns` are in the order of [`CONDITIONS`]; each is the mean over the samples that have the condition,
/// so the average weighs kinds of reference alike, however many samples each has.
/// FID, aesthetics and the judged scores are not part of it. A missing column (NaN) gives NaN.
///
/// # Example
/// ```
/// use juror_protocols::multiref::score::average;
/// // Show-o in Table 4: bbox, semantic map, mask, depth, canny, sketch, caption, pose, subject, style.
/// let show_o = [0.051, 0.263, 0.332, 0.104, 0.061, 0.203, 0.569, 0.008, 0.532, 0.301];
/// assert_eq!(format!("{:.3}", average(&show_o)), "0.469");
/// ```
pub fn average(columns: &[f64; 10]) -> f64 {
    let sum: f64 = CONDITIONS
        .iter()
        .zip(columns)
        .map(|(condition, x)| upward(condition.direction, *x))
        .sum();
    sum / columns.len() as f64
}

/// A metric with its good end up: `1 − x` for an error.
///
/// # Example
/// ```
/// use juror_protocols::multiref::{Direction, score::upward};
/// assert_eq!((upward(Direction::Up, 0.25), upward(Direction::Down, 0.25)), (0.25, 0.75));
/// ```
pub fn upward(direction: Direction, x: f64) -> f64 {
    match direction {
        Direction::Up | Direction::Neither => x,
        Direction::Down => 1.0 - x,
    }
}

/// A caption score on the scale of 0 to 1.
///
/// The released code writes `100·cos`; its hundredth is the cosine.
/// The paper prints 0.38 to 0.61 and does not say how it was normalised; `min(1, 2.5·cos)`, the convention of `CLIPScore`, comes near that.
/// A number of 1 or below is taken as normalised already.
///
/// # Example
/// ```
/// use juror_model::options::Profile;
/// use juror_protocols::multiref::score::caption;
/// assert_eq!(caption(Profile::Paper, 20.0), 0.5);
/// assert_eq!(caption(Profile::Released, 20.0), 0.2);
/// assert_eq!(caption(Profile::Paper, 0.584), 0.584);
/// ```
pub fn caption(profile: Profile, x: f64) -> f64 {
    match profile {
        _ if x <= 1.0 => x,
        Profile::Paper => (2.5 * x / 100.0).min(1.0),
        Profile::Released => x / 100.0,
    }
}

/// A judged score on the printed scale: a fifth of the judge's 1 to 5, so never below 0.2.
///
/// # Example
/// ```
/// assert_eq!(juror_protocols::multiref::score::judged(4.0), 0.8);
/// ```
pub fn judged(score: f64) -> f64 {
    score / 5.0
}

/// The real-world half's `Overall`: the unweighted mean of the five category means, not weighted by 529, 246, 111, 73 and 41.
///
/// `None` of nothing.
///
/// # Example
/// ```
/// use juror_protocols::multiref::score::macro_mean;
/// assert_eq!(macro_mean(&[0.25, 0.5, 0.75]), Some(0.5));
/// ```
pub fn macro_mean(categories: &[f64]) -> Option<f64> {
    (!categories.is_empty()).then(|| categories.iter().sum::<f64>() / categories.len() as f64)
}
