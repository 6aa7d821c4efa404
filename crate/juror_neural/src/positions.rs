//! The table of positions that a vision transformer adds to its patches, brought to a picture's own patches.
//!
//! Source: DINOv2's `interpolate_pos_encoding`, as Depth Anything V2 calls it: bicubic (a = −0.75) without antialiasing, by the
//! factor (n + 0.1) / side. A graph takes the table as an input, because no runner has to resize it by a cubic kernel then.

use crate::cubic::{clamped, weights};
use crate::{NeuralError, Tensor, Values};

/// Added to the number of patches before it is divided by the table's side.
const OFFSET: f64 = 0.1;

/// The table for so many rows and columns of patches: 1 × (1 + rows · columns) × numbers, the class token's first.
///
/// `table` is 1 × (1 + side²) × numbers; at its own size it is taken as it is.
///
/// # Errors
/// [`NeuralError::Shape`] for a table that is no square.
pub(crate) fn positions(
    table: &Tensor,
    rows: usize,
    columns: usize,
) -> Result<Tensor, NeuralError> {
    let no_table = || NeuralError::Shape {
        expected: "a table of positions: (1, 1 + side², numbers)".to_owned(),
        found: table.shape.clone(),
    };
    let ([1, tokens @ (2..), width], Values::Reals(values)) = (&*table.shape, &table.values) else {
        return Err(no_table());
    };
    let side = (tokens - 1).isqrt();
    if side * side != tokens - 1 || rows == 0 || columns == 0 {
        return Err(no_table());
    }
    if (rows, columns) == (side, side) {
        return Ok(table.clone());
    }
    let (class, patches) = values.split_at(*width);
    let (down, along) = (taps(side, rows), taps(side, columns));
    let mut out = class.to_vec();
    for (top, weights_down) in &down {
        for (left, weights_along) in &along {
            for number in 0..*width {
                let of_row = |k: usize| {
                    let row = clamped(*top, k, side);
                    let sample = |j: usize| {
                        let column = clamped(*left, j, side);
                        weights_along[j] * patches[(row * side + column) * width + number]
                    };
                    weights_down[k] * (sample(0) + sample(1) + sample(2) + sample(3))
                };
                out.push(of_row(0) + of_row(1) + of_row(2) + of_row(3));
            }
        }
    }
    Tensor::reals(vec![1, 1 + rows * columns, *width], out)
}

/// The first of four places of the table, and their weights, for each new place.
fn taps(from: usize, to: usize) -> Vec<(isize, [f32; 4])> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "PyTorch holds the factor in f32"
    )]
    let scale = (1.0 / ((to as f64 + OFFSET) / from as f64)) as f32;
    (0..to)
        .map(|at| {
            let place = scale * (at as f32 + 0.5) - 0.5;
            #[expect(clippy::cast_possible_truncation, reason = "a place in a table")]
            let first = place.floor() as isize - 1;
            (first, weights(place - place.floor()))
        })
        .collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use serde_json::Value;

    const VECTORS: &str = include_str!("../../../tests/golden/neural.json");

    fn numbers(value: &Value) -> Vec<f32> {
        let numbers = value.as_array().unwrap().iter();
        #[expect(clippy::cast_possible_truncation, reason = "they were f32")]
        let numbers = numbers.map(|number| number.as_f64().unwrap() as f32);
        numbers.collect()
    }

    #[test]
    fn tables_are_brought_to_other_sizes_as_depth_anything_does_it() {
        let vectors: Value = serde_json::from_str(VECTORS).unwrap();
        let known = &vectors["positions"];
        let table = Tensor::reals(vec![1, 26, 2], numbers(&known["table"])).unwrap();
        let cases = known["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 4);
        for case in cases {
            let side = |name: &str| usize::try_from(case[name].as_u64().unwrap()).unwrap();
            let found = positions(&table, side("rows"), side("columns"))
                .unwrap()
                .numbers();
            let wanted = numbers(&case["positions"]);
            assert_eq!(found.len(), wanted.len());
            let apart = found
                .iter()
                .zip(&wanted)
                .map(|(a, b)| (a - f64::from(*b)).abs());
            // Places in f32 and sums in another order: 2.8e-6 here; the factor without its tenth is off by 0.07.
            assert!(apart.fold(0.0, f64::max) < 5e-6, "{case}");
            // Rows and columns exchanged are another table.
            let turned = positions(&table, side("columns"), side("rows"))
                .unwrap()
                .numbers();
            assert!(side("rows") == side("columns") || turned != found);
        }
        assert!(positions(&Tensor::reals(vec![1, 6, 1], vec![0.0; 6]).unwrap(), 2, 2).is_err());
    }
}
