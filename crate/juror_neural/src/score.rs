//! From a network's outputs to a metric's number, in the two profiles.

use juror_metrics::{aesthetics, cosine};
use serde::{Deserialize, Serialize};

use crate::{NeuralError, Tensor};

/// Which of two readings of a metric a number follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// As the authors' code computes it, its slips included.
    #[default]
    Released,
    /// As the metric's own paper defines it.
    Standard,
}

impl Profile {
    /// As packs and reports write it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Released => "released",
            Self::Standard => "standard",
        }
    }
}

/// Cosine of two features, −1 … 1: subject, style, and of a caption before it is scaled.
///
/// # Errors
/// [`NeuralError::Metric`] for other lengths, zeros and NaN.
pub fn feature_cosine(reference: &Tensor, candidate: &Tensor) -> Result<f64, NeuralError> {
    Ok(cosine(&reference.numbers(), &candidate.numbers())?)
}

/// CLIPScore: 100 max(0, cosine).
///
/// # Errors
/// As [`feature_cosine`].
pub fn caption_score(text: &Tensor, picture: &Tensor) -> Result<f64, NeuralError> {
    Ok(100.0 * feature_cosine(text, picture)?.max(0.0))
}

/// The rating of a linear head on a CLIP ViT-L/14 feature; the graph may have the head inside, and then gives one number.
///
/// # Errors
/// [`NeuralError::Metric`].
pub fn aesthetic_rating(feature: &Tensor, head: &[f64]) -> Result<f64, NeuralError> {
    Ok(aesthetics(&feature.numbers(), head)?)
}

/// How alike two pictures are by DINOv2's tokens, 1 × tokens × numbers each, the class token first.
///
/// Released: the means over all tokens, (cos + 1) / 2. Standard: the cosine of the class tokens.
///
/// # Errors
/// [`NeuralError::Shape`], [`NeuralError::Metric`].
pub fn dino_similarity(
    reference: &Tensor,
    candidate: &Tensor,
    profile: Profile,
) -> Result<f64, NeuralError> {
    let of = |tensor| dino_descriptor(tensor, profile);
    let value = cosine(&of(reference)?, &of(candidate)?)?;
    Ok(dino_value(value, profile))
}

/// What of DINOv2's tokens is compared: their mean, or the class token.
pub(crate) fn dino_descriptor(tensor: &Tensor, profile: Profile) -> Result<Vec<f64>, NeuralError> {
    let [1, tokens @ (1..), width @ (1..)] = *tensor.shape.as_slice() else {
        return Err(NeuralError::Shape {
            expected: "the tokens of one picture: (1, tokens, numbers)".to_owned(),
            found: tensor.shape.clone(),
        });
    };
    let numbers = tensor.numbers();
    if profile == Profile::Standard {
        return Ok(numbers[..width].to_vec());
    }
    let mut mean = vec![0.0; width];
    for token in numbers.chunks_exact(width) {
        for (sum, value) in mean.iter_mut().zip(token) {
            *sum += value;
        }
    }
    for sum in &mut mean {
        *sum /= tokens as f64;
    }
    Ok(mean)
}

/// The similarity that a cosine of descriptors makes.
pub(crate) fn dino_value(cosine: f64, profile: Profile) -> f64 {
    match profile {
        Profile::Released => f64::midpoint(cosine, 1.0),
        Profile::Standard => cosine,
    }
}

/// What LPIPS is given: numbers from 0 to 1 as the authors' code has them, or from −1 to 1 as the metric is defined.
pub fn perceptual_range(mut picture: Tensor, profile: Profile) -> Tensor {
    if let (crate::Values::Reals(values), Profile::Standard) = (&mut picture.values, profile) {
        for value in values {
            *value = 2.0 * *value - 1.0;
        }
    }
    picture
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn tokens(values: &[f32]) -> Tensor {
        Tensor::reals(vec![1, values.len() / 2, 2], values.to_vec()).unwrap()
    }

    /// Means (1, 1) and (1, 0): cos 45°; class tokens (2, 0) and (1, 0): cos 0°.
    #[test]
    fn the_two_profiles_of_dino_look_at_all_tokens_or_at_the_class_token() {
        let (a, b) = (tokens(&[2.0, 0.0, 0.0, 2.0]), tokens(&[1.0, 0.0, 1.0, 0.0]));
        let released = dino_similarity(&a, &b, Profile::Released).unwrap();
        assert!((released - f64::midpoint(0.5_f64.sqrt(), 1.0)).abs() < 1e-12);
        let standard = dino_similarity(&a, &b, Profile::Standard).unwrap();
        assert!((standard - 1.0).abs() < 1e-12);
        assert!(dino_similarity(&Tensor::ids(vec![1]), &a, Profile::Standard).is_err());
    }

    #[test]
    fn a_caption_is_a_hundred_times_the_cosine_and_never_below_0() {
        let of = |values: &[f32]| Tensor::reals(vec![1, 2], values.to_vec()).unwrap();
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-5, "{found}");
        close(
            caption_score(&of(&[3.0, 4.0]), &of(&[4.0, 3.0])).unwrap(),
            96.0,
        );
        close(
            caption_score(&of(&[3.0, 4.0]), &of(&[-4.0, -3.0])).unwrap(),
            0.0,
        );
    }

    #[test]
    fn lpips_gets_the_range_of_its_profile() {
        let unit = Tensor::reals(vec![2], vec![0.0, 1.0]).unwrap();
        let of = |profile| perceptual_range(unit.clone(), profile).numbers();
        assert_eq!(of(Profile::Released), [0.0, 1.0]);
        assert_eq!(of(Profile::Standard), [-1.0, 1.0]);
    }
}
