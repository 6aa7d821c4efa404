//! What runs a graph. Everything else in this crate is the same whatever runs it.

use crate::NeuralError;
use crate::graph::Graph;

/// Numbers with a shape, the last axis running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Lengths along the axes; their product is the number of values.
    pub shape: Vec<usize>,
    /// The values.
    pub values: Values,
}

/// The values of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Real numbers.
    Reals(Vec<f32>),
    /// Whole numbers, such as token ids.
    Whole(Vec<i64>),
}

impl Tensor {
    /// Real numbers of this shape.
    ///
    /// # Errors
    /// [`NeuralError::Shape`] unless there are as many numbers as the shape says.
    pub fn reals(shape: Vec<usize>, values: Vec<f32>) -> Result<Self, NeuralError> {
        let expected = shape.iter().try_fold(1_usize, |a, b| a.checked_mul(*b));
        if expected == Some(values.len()) {
            return Ok(Self {
                shape,
                values: Values::Reals(values),
            });
        }
        Err(NeuralError::Shape {
            expected: format!("a shape of {} numbers", values.len()),
            found: shape,
        })
    }

    /// One row of token ids.
    pub fn ids(values: Vec<i64>) -> Self {
        Self {
            shape: vec![1, values.len()],
            values: Values::Whole(values),
        }
    }

    /// The numbers in f64, in which everything behind a network is computed.
    pub fn numbers(&self) -> Vec<f64> {
        match &self.values {
            Values::Reals(values) => values.iter().map(|value| f64::from(*value)).collect(),
            Values::Whole(values) => values.iter().map(|value| *value as f64).collect(),
        }
    }
}

/// Loads graphs; `rten` natively and in Wasm, others in a browser.
pub trait Runner {
    /// Name and version: `rten 0.27`.
    fn id(&self) -> &str;

    /// What it computes on, as records of values have it: `cpu` or `gpu`.
    fn backend(&self) -> &'static str;

    /// Why a graph would give wrong numbers here, and what mends it; `None` where it would not.
    fn refusal(&self, graph: &Graph) -> Option<(&'static str, &'static str)>;

    /// What of a graph may give other numbers here for some inputs, which golden cases need not show; `None` where nothing may.
    fn caution(&self, graph: &Graph) -> Option<&'static str>;

    /// Makes a graph ready to run; `weights` are its external files by name.
    ///
    /// # Errors
    /// [`NeuralError::Run`].
    fn load(
        &self,
        file: &str,
        graph: Vec<u8>,
        weights: Vec<(String, Vec<u8>)>,
    ) -> Result<Box<dyn Network>, NeuralError>;
}

/// A graph that is ready to run.
pub trait Network: Send + Sync {
    /// Runs it on inputs by name; the outputs come in the order in which they are asked for.
    ///
    /// # Errors
    /// [`NeuralError::Run`].
    fn run(&self, inputs: &[(&str, &Tensor)], outputs: &[&str])
    -> Result<Vec<Tensor>, NeuralError>;
}
