//! What networks paint, as bytes: depth from near to far, and a sketch.
//!
//! Source: Depth Anything V2's and informative-drawings' own scripts, as MultiRef's evaluator calls them; the recipes stand in
//! the README of `juror_protocols`' multiref.

use juror_metrics::Image;

use crate::{NeuralError, Tensor};

/// A plane of numbers, brought to a size between its outermost samples and spread from 0 to 255, cut off to bytes.
///
/// `tensor` is 1 × H × W or 1 × 1 × H × W; the answer has `width` × `height` places, bright where the number is large.
/// A flat plane has no spread: the authors divide 0 by 0, here it is an error.
///
/// # Errors
/// [`NeuralError::Shape`], [`NeuralError::Picture`] for a flat plane or one with NaN.
pub fn depth_map(tensor: &Tensor, width: usize, height: usize) -> Result<Image<u8>, NeuralError> {
    let (plane, from) = plane(tensor)?;
    let resized = aligned(&plane, from, (width, height));
    let (least, most) = resized.iter().fold(
        (f32::INFINITY, f32::NEG_INFINITY),
        |(least, most), value| (least.min(*value), most.max(*value)),
    );
    let is_flat = most <= least || !(most - least).is_finite();
    if is_flat || resized.iter().any(|value| value.is_nan()) {
        return Err(NeuralError::Picture(
            "the network sees the same depth everywhere, so that there is no map".to_owned(),
        ));
    }
    let spread = most - least;
    let bytes = resized
        .iter()
        .map(|value| byte((value - least) / spread * 255.0));
    Ok(Image::new(width, height, 1, bytes.collect())?)
}

/// Numbers from 0 to 1 as bytes, cut off and not rounded: 1 × 1 × H × W, black lines on white.
///
/// # Errors
/// [`NeuralError::Shape`].
pub fn sketch_map(tensor: &Tensor) -> Result<Image<u8>, NeuralError> {
    let (plane, (width, height)) = plane(tensor)?;
    let bytes = plane.iter().map(|value| byte(value * 255.0));
    Ok(Image::new(width, height, 1, bytes.collect())?)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and cutting off is the rule"
)]
fn byte(value: f32) -> u8 {
    value as u8
}

/// The one plane of a tensor with its width and height.
pub(crate) fn plane(tensor: &Tensor) -> Result<(Vec<f32>, (usize, usize)), NeuralError> {
    let outer = tensor.shape.len().saturating_sub(2);
    let is_one = tensor.shape.iter().take(outer).all(|length| *length == 1);
    match (&tensor.values, &tensor.shape[outer..]) {
        (crate::Values::Reals(values), &[height, width]) if is_one && height * width > 0 => {
            Ok((values.clone(), (width, height)))
        }
        _ => Err(NeuralError::Shape {
            expected: "one plane of real numbers: (1, height, width)".to_owned(),
            found: tensor.shape.clone(),
        }),
    }
}

/// Bilinear between the outermost samples (`align_corners`), in f32 as PyTorch does it.
fn aligned(plane: &[f32], from: (usize, usize), to: (usize, usize)) -> Vec<f32> {
    let places = |from: usize, to: usize| -> Vec<(usize, usize, f32)> {
        let step = if to > 1 {
            (from - 1) as f32 / (to - 1) as f32
        } else {
            0.0
        };
        (0..to)
            .map(|at| {
                let place = step * at as f32;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a place in a picture"
                )]
                let left = (place as usize).min(from - 1);
                (left, (left + 1).min(from - 1), place - left as f32)
            })
            .collect()
    };
    let (columns, rows) = (places(from.0, to.0), places(from.1, to.1));
    let mut out = Vec::with_capacity(to.0 * to.1);
    for (top, bottom, down) in &rows {
        let row = |y: &usize| &plane[y * from.0..(y + 1) * from.0];
        let (top, bottom) = (row(top), row(bottom));
        for (left, right, along) in &columns {
            let between = |row: &[f32]| (1.0 - along) * row[*left] + along * row[*right];
            out.push((1.0 - down) * between(top) + down * between(bottom));
        }
    }
    out
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_depth_map_spans_0_to_255_between_its_outermost_samples() {
        let tensor = Tensor::reals(vec![1, 2, 2], vec![1.0, 3.0, 1.0, 3.0]).unwrap();
        let map = depth_map(&tensor, 3, 2).unwrap();
        assert_eq!(map.data(), [0, 127, 255, 0, 127, 255]);
    }

    #[test]
    fn a_flat_plane_is_no_map() {
        let tensor = Tensor::reals(vec![1, 1, 2, 2], vec![2.0; 4]).unwrap();
        assert!(depth_map(&tensor, 2, 2).is_err());
        let tensor = Tensor::reals(vec![2, 1, 2], vec![2.0; 4]).unwrap();
        assert!(matches!(
            depth_map(&tensor, 2, 2),
            Err(NeuralError::Shape { .. })
        ));
    }

    #[test]
    fn a_sketch_is_cut_off_and_not_rounded() {
        let tensor = Tensor::reals(vec![1, 1, 1, 3], vec![0.0, 0.999, 1.0]).unwrap();
        assert_eq!(sketch_map(&tensor).unwrap().data(), [0, 254, 255]);
    }
}
