//! How much a linear aesthetic predictor likes a picture, by the CLIP feature that a network made of it.
//!
//! Source: MultiRef's evaluator, which loads `aesthetics-predictor-v1-vit-large-patch14` (LAION's `sa_0_4_vit_l_14_linear`):
//! one linear layer over the feature of length 1.

use crate::MetricError;
use crate::mse::require_finite;

/// Numbers of a feature of CLIP ViT-L/14 after its projection.
pub const AESTHETIC_FEATURES: usize = 768;

/// f / ‖f‖ · w + b for a feature f of 768 numbers and a head of 769, its weights w before its bias b; a feature of one
/// number is the rating itself and needs no head.
///
/// About 1 … 10 for photographs, higher is better, without an end on either side: nothing is clipped.
///
/// # Errors
/// [`MetricError::Shape`] for other lengths, [`MetricError::ZeroVector`], [`MetricError::NotFinite`].
///
/// ```
/// use juror_metrics::aesthetics;
/// assert_eq!(aesthetics(&[5.25], &[])?, 5.25);
/// // A feature along the first axis, of any length, picks the first weight.
/// let (mut feature, mut head) = ([0.0; 768], [0.0; 769]);
/// (feature[0], head[0], head[768]) = (7.0, 3.0, 0.5);
/// assert_eq!(aesthetics(&feature, &head)?, 3.5);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn aesthetics(feature: &[f64], head: &[f64]) -> Result<f64, MetricError> {
    require_finite(feature)?;
    if let [rating] = *feature {
        return Ok(rating);
    }
    if feature.len() != AESTHETIC_FEATURES {
        return Err(MetricError::Shape {
            expected: "1 number (the rating) or 768 (the CLIP ViT-L/14 feature)",
            found: vec![feature.len()],
        });
    }
    let (weights, bias) = match head {
        [weights @ .., bias] if weights.len() == AESTHETIC_FEATURES => (weights, bias),
        _ => {
            return Err(MetricError::Shape {
                expected: "769 numbers of a head, 768 weights and the bias, beside a feature of 768: references/aesthetics/head.npy",
                found: vec![head.len()],
            });
        }
    };
    require_finite(head)?;
    let length = feature.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err(MetricError::ZeroVector { side: "candidate" });
    }
    let dot: f64 = feature.iter().zip(weights).map(|(x, w)| x * w).sum();
    Ok(dot / length + bias)
}
