//! Runs graphs by the crate `rten`, natively and as Wasm.

use rten::{Model, ModelOptions, Value};
use rten_tensor::prelude::*;

use crate::pack::Weights;
use crate::{Graph, Later, Network, NeuralError, Runner, Tensor, Values};

/// Name and version, as reports have them.
const ID: &str = "rten 0.27";

/// The runner on the CPU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rten;

impl Runner for Rten {
    fn id(&self) -> &'static str {
        ID
    }

    fn backend(&self) -> &'static str {
        "cpu"
    }

    fn device(&self) -> &'static str {
        self.backend()
    }

    /// Cubic `Resize` is computed as linear by rten 0.27, without a word.
    fn refusal(&self, graph: &Graph) -> Option<(&'static str, &'static str)> {
        graph.has_with("Resize", "mode", "cubic").then_some((
            "it resizes by a cubic kernel, which this runner computes as a linear one",
            "export it with its position embedding frozen or as an input, as the exporters here do",
        ))
    }

    /// Of equal largest numbers ONNX takes the first place, and rten 0.27 the last.
    fn caution(&self, graph: &Graph) -> Option<&'static str> {
        graph.has("ArgMax").then_some(
            "it has an ArgMax, which takes the last of equal largest numbers on this runner and should take the first",
        )
    }

    fn open<'a>(
        &'a self,
        name: &'a str,
        graph: Vec<u8>,
        weights: Weights<'a>,
    ) -> Later<'a, Box<dyn Network>> {
        Box::pin(async move { Ok(Box::new(loaded(name, graph, weights)?) as Box<dyn Network>) })
    }
}

fn loaded(name: &str, graph: Vec<u8>, mut weights: Weights<'_>) -> Result<Loaded, NeuralError> {
    let mut options = ModelOptions::with_all_ops();
    // Packed copies of the weights would take as much memory again.
    options.prepack_weights(false);
    for (file, _) in weights.list() {
        let bytes = weights.whole(&file)?;
        options.external_data(&file, bytes);
    }
    let model = options.load(graph).map_err(|error| failed(name, &error))?;
    Ok(Loaded {
        file: name.to_owned(),
        model,
    })
}

struct Loaded {
    file: String,
    model: Model,
}

fn failed(file: &str, error: &impl std::fmt::Display) -> NeuralError {
    NeuralError::Run {
        runner: ID.to_owned(),
        file: file.to_owned(),
        why: error.to_string(),
    }
}

impl Network for Loaded {
    fn run<'a>(
        &'a self,
        inputs: &'a [(&'a str, &'a Tensor)],
        outputs: &'a [&'a str],
    ) -> Later<'a, Vec<Tensor>> {
        Box::pin(async move { self.outputs(inputs, outputs) })
    }
}

impl Loaded {
    fn outputs(
        &self,
        inputs: &[(&str, &Tensor)],
        outputs: &[&str],
    ) -> Result<Vec<Tensor>, NeuralError> {
        let failed = |error: &dyn std::fmt::Display| failed(&self.file, &error.to_string());
        let mut given = Vec::new();
        for (name, tensor) in inputs {
            let id = self.model.node_id(name).map_err(|error| failed(&error))?;
            let value: Value = match &tensor.values {
                Values::Reals(values) => Value::from_shape(tensor.shape.as_slice(), values.clone())
                    .map_err(|error| failed(&error))?,
                Values::Whole(values) => {
                    // It takes 64-bit ids as 32-bit ones.
                    let values: Result<Vec<i32>, _> =
                        values.iter().map(|value| i32::try_from(*value)).collect();
                    let values = values.map_err(|error| failed(&error))?;
                    Value::from_shape(tensor.shape.as_slice(), values)
                        .map_err(|error| failed(&error))?
                }
            };
            given.push((id, value.into()));
        }
        let ids: Result<Vec<_>, _> = outputs
            .iter()
            .map(|name| self.model.node_id(name))
            .collect();
        let ids = ids.map_err(|error| failed(&error))?;
        let found = self
            .model
            .run(given, &ids, None)
            .map_err(|error| failed(&error))?;
        found
            .into_iter()
            .map(|value| taken(value, &self.file))
            .collect()
    }
}

fn taken(value: Value, file: &str) -> Result<Tensor, NeuralError> {
    match value {
        Value::FloatTensor(tensor) => Tensor::reals(tensor.shape().to_vec(), tensor.to_vec()),
        Value::Int32Tensor(tensor) => Ok(Tensor {
            shape: tensor.shape().to_vec(),
            values: Values::Whole(tensor.iter().map(|value| i64::from(*value)).collect()),
        }),
        _ => Err(NeuralError::Output {
            runner: ID.to_owned(),
            file: file.to_owned(),
            expected: "real numbers or whole ones".to_owned(),
            found: "another type".to_owned(),
        }),
    }
}
