//! What runs a graph. Everything else in this crate is the same whatever runs it.

use std::pin::Pin;

use crate::NeuralError;
use crate::graph::Graph;
use crate::pack::Weights;

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

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Reals(values) => values.len(),
            Values::Whole(values) => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers in f64, in which everything behind a network is computed.
    pub fn numbers(&self) -> Vec<f64> {
        match &self.values {
            Values::Reals(values) => values.iter().map(|value| f64::from(*value)).collect(),
            Values::Whole(values) => values.iter().map(|value| *value as f64).collect(),
        }
    }
}

/// What comes at once of `rten`, and later of a runner in JavaScript.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, NeuralError>> + 'a>>;

/// Loads graphs; `rten` natively and in Wasm, others in a browser.
pub trait Runner {
    /// Name and version: `rten 0.27`.
    fn id(&self) -> &str;

    /// What it computes on, as records of values have it: `cpu` or `gpu`.
    fn backend(&self) -> &'static str;

    /// The same with the GPU's name, as reports have it after the runner's: `cpu`, `webgpu nvidia ampere`.
    fn device(&self) -> &str;

    /// Why a graph would give wrong numbers here, and the fix; `None` where it would not.
    fn refusal(&self, graph: &Graph) -> Option<(&'static str, &'static str)>;

    /// What of a graph may give other numbers here for some inputs, which golden cases need not show; `None` where nothing may.
    fn caution(&self, graph: &Graph) -> Option<&'static str>;

    /// Makes a graph ready to run; messages name it as `name`. Its weights come slice by slice, so that a runner outside of this
    /// memory takes each one as it comes.
    ///
    /// # Errors
    /// [`NeuralError::Run`], and those of the files of weights.
    fn open<'a>(
        &'a self,
        name: &'a str,
        graph: Vec<u8>,
        weights: Weights<'a>,
    ) -> Later<'a, Box<dyn Network>>;
}

/// A graph that is ready to run.
pub trait Network {
    /// Runs it on inputs by name; the outputs come in the order in which they are asked for.
    ///
    /// # Errors
    /// [`NeuralError::Run`], [`NeuralError::Output`] for numbers of an unknown type.
    fn run<'a>(
        &'a self,
        inputs: &'a [(&'a str, &'a Tensor)],
        outputs: &'a [&'a str],
    ) -> Later<'a, Vec<Tensor>>;
}
