//! Queries and keys of one attention call, checked once and laid out head by head.

use serde::{Deserialize, Serialize};

use crate::Array;
use crate::MetricError;

/// In which order a file has the axes; those of length 1 before three others are dropped, and two are one head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "TensorLayout")
)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// (tokens, heads, numbers), as the paper writes it.
    #[default]
    TokensHeads,
    /// (heads, tokens, numbers), as PyTorch's `scaled_dot_product_attention` takes it.
    HeadsTokens,
}

/// Q or K: so many tokens, heads, and numbers of a head, all finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    tokens: usize,
    heads: usize,
    dim: usize,
    /// Head by head, token by token.
    data: Vec<f64>,
}

impl Tensor {
    /// The most numbers of a tensor: 1 GiB as f64.
    pub const MAX_NUMBERS: usize = 1 << 27;

    /// Takes an array; `name` is what errors call it.
    ///
    /// # Errors
    /// [`MetricError::Tensor`] for another number of axes, an axis of 0, or more than [`Tensor::MAX_NUMBERS`];
    /// [`MetricError::TensorNumber`] for NaN and infinities.
    pub fn new(name: &str, array: Array, layout: Layout) -> Result<Self, MetricError> {
        let Array { shape, data, .. } = array;
        let refused = |expected: String| MetricError::Tensor {
            tensor: name.to_owned(),
            expected,
            found: shape.clone(),
        };
        if data.len() > Self::MAX_NUMBERS {
            return Err(refused(format!("at most {} numbers", Self::MAX_NUMBERS)));
        }
        let ones = shape.iter().take_while(|side| **side == 1).count();
        let inner = &shape[ones.min(shape.len().saturating_sub(3))..];
        let (tokens, heads, dim) = match (inner, layout) {
            (&[tokens, dim], _) => (tokens, 1, dim),
            (&[tokens, heads, dim], Layout::TokensHeads)
            | (&[heads, tokens, dim], Layout::HeadsTokens) => (tokens, heads, dim),
            _ => return Err(refused(words(layout).to_owned())),
        };
        if data.is_empty() || data.len() != tokens * heads * dim {
            return Err(refused(format!("{}, none of them 0", words(layout))));
        }
        if let Some(at) = data.iter().position(|number| !number.is_finite()) {
            return Err(MetricError::TensorNumber {
                tensor: name.to_owned(),
                value: data[at],
                index: place(at, &shape),
            });
        }
        let data = match layout {
            Layout::HeadsTokens => data,
            Layout::TokensHeads => (0..heads)
                .flat_map(|head| (0..tokens).map(move |token| token * heads + head))
                .flat_map(|row| &data[row * dim..][..dim])
                .copied()
                .collect(),
        };
        Ok(Self {
            tokens,
            heads,
            dim,
            data,
        })
    }

    /// Tokens, heads, numbers of a head.
    pub fn shape(&self) -> [usize; 3] {
        [self.tokens, self.heads, self.dim]
    }

    /// A token's numbers in a head.
    pub fn row(&self, head: usize, token: usize) -> &[f64] {
        &self.data[(head * self.tokens + token) * self.dim..][..self.dim]
    }
}

fn words(layout: Layout) -> &'static str {
    match layout {
        Layout::TokensHeads => "(tokens, heads, numbers) or (tokens, numbers)",
        Layout::HeadsTokens => "(heads, tokens, numbers) or (tokens, numbers)",
    }
}

/// Where a number of an array in C order stands along its axes.
fn place(at: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = at;
    let mut index = vec![0; shape.len()];
    for (idx, side) in index.iter_mut().zip(shape).rev() {
        *idx = rest % side;
        rest /= side;
    }
    index
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn counted(shape: &[usize]) -> Array {
        Array {
            shape: shape.to_vec(),
            data: (0..shape.iter().product())
                .map(|at: usize| at as f64)
                .collect(),
            is_bytes: false,
        }
    }

    #[test]
    fn both_layouts_find_the_same_row() {
        let first = Tensor::new("Q", counted(&[3, 2, 4]), Layout::TokensHeads).unwrap();
        assert_eq!(first.shape(), [3, 2, 4]);
        assert_eq!(first.row(1, 2), [20.0, 21.0, 22.0, 23.0]);
        let second = Tensor::new("Q", counted(&[1, 2, 3, 4]), Layout::HeadsTokens).unwrap();
        assert_eq!(second.shape(), [3, 2, 4]);
        assert_eq!(second.row(1, 2), [20.0, 21.0, 22.0, 23.0]);
        assert_ne!(first.row(1, 0), second.row(1, 0));
    }

    #[test]
    fn a_number_that_is_not_finite_is_told_by_its_place_in_the_file() {
        let mut array = counted(&[1, 3, 2, 4]);
        array.data[21] = f64::NAN;
        let error = Tensor::new("K of k.npy", array, Layout::TokensHeads).unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("K of k.npy, found NaN at [0, 2, 1, 1]"),
            "{said}"
        );
    }

    #[test]
    fn other_axes_are_refused_with_the_shape() {
        for shape in [&[4][..], &[2, 3, 2, 4], &[3, 0, 4], &[]] {
            let error = Tensor::new("K", counted(shape), Layout::TokensHeads).unwrap_err();
            assert!(error.to_string().contains(&format!("{shape:?}")), "{error}");
        }
        assert_eq!(
            Tensor::new("K", counted(&[5, 4]), Layout::HeadsTokens)
                .unwrap()
                .shape(),
            [5, 1, 4]
        );
    }
}
