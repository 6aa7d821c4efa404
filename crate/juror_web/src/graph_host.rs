//! A runner of graphs in JavaScript: it loads and runs them, and everything before and after is the same as on the CPU.
//!
//! Graphs, weights and numbers are copied out of this memory and into it, once each: weights slice by slice as they are read.

use std::rc::Rc;

use js_sys::{Array, BigInt64Array, Float32Array, Int32Array, Uint8Array};
use juror_neural::pack::Weights;
use juror_neural::{Graph, Later, Network, NeuralError, Runner, Tensor, Values};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Loads and runs graphs outside of this memory.
    pub type GraphHost;

    /// Name and version: `onnxruntime-web 1.30.0`.
    #[wasm_bindgen(method, getter, structural)]
    fn id(this: &GraphHost) -> String;

    /// What it computes on: `webgpu nvidia ampere`.
    #[wasm_bindgen(method, getter, structural)]
    fn device(this: &GraphHost) -> String;

    /// Memory for a file of weights; throws where there is none.
    #[wasm_bindgen(method, catch, structural)]
    fn reserve(this: &GraphHost, bytes: u32) -> Result<Uint8Array, JsValue>;

    /// Makes a graph ready (`External[]` are its weights); resolves to the number that it is known by.
    #[wasm_bindgen(method, catch, structural)]
    async fn open(
        this: &GraphHost,
        graph: Uint8Array,
        externals: Array,
    ) -> Result<JsValue, JsValue>;

    /// Runs a graph on `HostTensor[]`; resolves to those that are asked for by name, in their order.
    #[wasm_bindgen(method, catch, structural)]
    async fn run(
        this: &GraphHost,
        handle: u32,
        inputs: JsValue,
        outputs: JsValue,
    ) -> Result<JsValue, JsValue>;

    /// Gives a graph's memory back.
    #[wasm_bindgen(method, structural)]
    fn close(this: &GraphHost, handle: u32);
}

/// A tensor with its name, as both sides have it.
#[derive(Serialize, Deserialize)]
struct HostTensor {
    name: String,
    shape: Vec<u32>,
    /// A `Float32Array`, or a `BigInt64Array` of whole numbers; of outputs also an `Int32Array`.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    values: JsValue,
}

/// A file of weights.
#[derive(Serialize)]
struct External {
    name: String,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    bytes: Uint8Array,
}

/// The runner that a page brings.
pub(crate) struct HostRunner {
    host: Rc<GraphHost>,
    id: String,
    device: String,
}

impl HostRunner {
    pub(crate) fn new(host: GraphHost) -> Self {
        Self {
            id: host.id(),
            device: host.device(),
            host: Rc::new(host),
        }
    }
}

impl Runner for HostRunner {
    fn id(&self) -> &str {
        &self.id
    }

    fn backend(&self) -> &'static str {
        "gpu"
    }

    fn device(&self) -> &str {
        &self.device
    }

    /// No fault of it is known; golden cases show the unknown ones.
    fn refusal(&self, _: &Graph) -> Option<(&'static str, &'static str)> {
        None
    }

    fn caution(&self, _: &Graph) -> Option<&'static str> {
        None
    }

    fn open<'a>(
        &'a self,
        name: &'a str,
        graph: Vec<u8>,
        weights: Weights<'a>,
    ) -> Later<'a, Box<dyn Network>> {
        Box::pin(async move { Ok(Box::new(self.opened(name, graph, weights).await?) as _) })
    }
}

impl HostRunner {
    async fn opened(
        &self,
        name: &str,
        graph: Vec<u8>,
        mut weights: Weights<'_>,
    ) -> Result<HostNetwork, NeuralError> {
        let failed = |cause: &JsValue| failed(&self.id, name, cause);
        let externals = Array::new();
        for (file, length) in weights.list() {
            let length = u32::try_from(length).map_err(|_| NeuralError::TooLarge {
                what: file.clone(),
                found: length,
                limit: u64::from(u32::MAX),
                mend: "split its weights into several files",
            })?;
            let bytes = self.host.reserve(length).map_err(|cause| failed(&cause))?;
            let mut at = 0;
            weights.slices(&file, &mut |slice| {
                let end = at + u32::try_from(slice.len()).unwrap_or(u32::MAX);
                bytes.subarray(at, end).copy_from(slice);
                at = end;
            })?;
            let external = External { name: file, bytes };
            externals.push(&plain(&external).map_err(|cause| failed(&cause))?);
        }
        let bytes = Uint8Array::from(&graph[..]);
        drop(graph);
        let handle = self.host.open(bytes, externals).await;
        let handle = handle.map_err(|cause| failed(&cause))?;
        let handle: u32 =
            serde_wasm_bindgen::from_value(handle).map_err(|cause| failed(&cause.into()))?;
        Ok(HostNetwork {
            host: self.host.clone(),
            runner: self.id.clone(),
            file: name.to_owned(),
            handle,
        })
    }
}

/// A graph that the page has ready.
struct HostNetwork {
    host: Rc<GraphHost>,
    runner: String,
    file: String,
    handle: u32,
}

impl Drop for HostNetwork {
    fn drop(&mut self) {
        self.host.close(self.handle);
    }
}

impl Network for HostNetwork {
    fn run<'a>(
        &'a self,
        inputs: &'a [(&'a str, &'a Tensor)],
        outputs: &'a [&'a str],
    ) -> Later<'a, Vec<Tensor>> {
        Box::pin(self.outputs(inputs, outputs))
    }
}

impl HostNetwork {
    async fn outputs(
        &self,
        inputs: &[(&str, &Tensor)],
        outputs: &[&str],
    ) -> Result<Vec<Tensor>, NeuralError> {
        let failed = |cause: &JsValue| failed(&self.runner, &self.file, cause);
        let given = inputs.iter().map(|(name, tensor)| given(name, tensor));
        let given = plain(&given.collect::<Vec<_>>()).map_err(|cause| failed(&cause))?;
        let wanted = plain(&outputs).map_err(|cause| failed(&cause))?;
        let found = self.host.run(self.handle, given, wanted).await;
        let found = found.map_err(|cause| failed(&cause))?;
        let found: Vec<HostTensor> =
            serde_wasm_bindgen::from_value(found).map_err(|cause| failed(&cause.into()))?;
        let taken = found.into_iter().map(|tensor| self.taken(tensor));
        taken.collect()
    }

    fn taken(
        &self,
        HostTensor {
            name,
            shape,
            values,
        }: HostTensor,
    ) -> Result<Tensor, NeuralError> {
        let values = if let Some(reals) = values.dyn_ref::<Float32Array>() {
            Values::Reals(reals.to_vec())
        } else if let Some(whole) = values.dyn_ref::<BigInt64Array>() {
            Values::Whole(whole.to_vec())
        } else if let Some(whole) = values.dyn_ref::<Int32Array>() {
            Values::Whole(whole.to_vec().into_iter().map(i64::from).collect())
        } else {
            return Err(NeuralError::Output {
                runner: self.runner.clone(),
                file: self.file.clone(),
                expected: format!("real or whole numbers of 32 or 64 bits as {name}"),
                found: "numbers of another type".to_owned(),
            });
        };
        let shape = shape.into_iter().map(|length| length as usize).collect();
        Ok(Tensor { shape, values })
    }
}

fn given(name: &str, tensor: &Tensor) -> HostTensor {
    let lengths = tensor.shape.iter();
    HostTensor {
        name: name.to_owned(),
        // Each has numbers in this memory, whose addresses are of 32 bits.
        shape: lengths
            .map(|length| u32::try_from(*length).unwrap_or(u32::MAX))
            .collect(),
        values: match &tensor.values {
            Values::Reals(values) => Float32Array::from(&values[..]).into(),
            Values::Whole(values) => BigInt64Array::from(&values[..]).into(),
        },
    }
}

fn plain(value: &(impl Serialize + ?Sized)) -> Result<JsValue, JsValue> {
    Ok(serde_wasm_bindgen::to_value(value)?)
}

/// What the page says of a failure, and how to go on.
fn failed(runner: &str, file: &str, cause: &JsValue) -> NeuralError {
    let message = js_sys::Reflect::get(cause, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    let message = message.or_else(|| cause.as_string());
    let message = message.unwrap_or_else(|| "no reason was given".to_owned());
    NeuralError::Run {
        runner: runner.to_owned(),
        file: file.to_owned(),
        why: format!(
            "{}. Choose the CPU as what networks run on, or a smaller network",
            message.trim_end_matches(['.', '\n', ' '])
        ),
    }
}
