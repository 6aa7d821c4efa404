//! The edge of attention rebalancing: Q's and K's files in, the report out.

use juror_gpu::GpuError;
use juror_metrics::{
    Array, Axis, Call, Focus, MetricError, Reference, Tensor, Weighing, tensor_names,
};
use wasm_bindgen::prelude::*;

use crate::error;
use crate::gpu::Measurer;
use crate::pixels::DarAsked;

/// One attention call with its weights.
#[wasm_bindgen]
pub struct DarCall {
    call: Call,
    weighing: Weighing,
}

/// The names of a safetensors file's tensors; none for an NPY file.
#[wasm_bindgen]
pub fn names_of_tensors(bytes: &[u8]) -> Result<Vec<String>, JsValue> {
    tensor_names(bytes).map_err(tensor_error)
}

#[wasm_bindgen]
impl DarCall {
    /// Reads Q and K and weighs the reference tokens.
    #[wasm_bindgen(constructor)]
    pub fn new(q: &[u8], k: &[u8], asked: &str) -> Result<DarCall, JsValue> {
        let asked: DarAsked = serde_json::from_str(asked)
            .map_err(|cause| error("bad_question", &cause.to_string()))?;
        let call = call(q, k, asked).map_err(tensor_error)?;
        let weighing = call.weigh();
        Ok(Self { call, weighing })
    }

    /// The report as `{json, fallback}`: the text that `juror dar` prints, and why the CPU stood in for the GPU.
    pub async fn report(
        &self,
        measurer: &Measurer,
        row: Option<usize>,
        head: Option<usize>,
    ) -> Result<JsValue, JsValue> {
        let focus = Focus { row, head };
        let weights = &self.weighing.weights;
        let brought = match &measurer.gpu {
            Some(gpu) => Some(gpu.dar_maps(&self.call, weights, focus).await),
            None => None,
        };
        let (maps, backend, fallback) = match brought {
            Some(Ok(maps)) => (Ok(maps), "gpu", None),
            Some(Err(GpuError::Metric(cause))) => (Err(cause), "gpu", None),
            Some(Err(cause)) => (
                self.call.maps(weights, focus),
                "cpu",
                Some(cause.to_string()),
            ),
            None => (self.call.maps(weights, focus), "cpu", None),
        };
        let maps = maps.map_err(tensor_error)?;
        let report = self.call.report(&self.weighing, focus, &maps, backend);
        let out = js_sys::Object::new();
        let set = |key: &str, value: JsValue| js_sys::Reflect::set(&out, &key.into(), &value);
        set("json", report.json().into())?;
        set("fallback", fallback.into())?;
        Ok(out.into())
    }
}

#[wasm_bindgen]
impl DarCall {
    /// What each setting of a sweep changes, as `{json, csv}`: the texts that `juror dar --sweep` prints, for axes one a line.
    pub fn sweep(
        &self,
        axes: &str,
        row: Option<usize>,
        head: Option<usize>,
    ) -> Result<JsValue, JsValue> {
        let lines = axes.lines().filter(|line| !line.trim().is_empty());
        let axes: Result<Vec<Axis>, MetricError> = lines.map(str::parse).collect();
        let found = axes.and_then(|axes| self.call.sweep(&axes, Focus { row, head }));
        let found = found.map_err(tensor_error)?;
        let out = js_sys::Object::new();
        let set = |key: &str, value: JsValue| js_sys::Reflect::set(&out, &key.into(), &value);
        set("json", found.json().into())?;
        set("csv", found.csv().into())?;
        Ok(out.into())
    }
}

fn call(q: &[u8], k: &[u8], asked: DarAsked) -> Result<Call, MetricError> {
    let read = |what: &str, file: &str, bytes: &[u8], name: &str| {
        let array = Array::from_file(bytes, name)?;
        Tensor::new(&format!("{what} of {file}"), array, asked.layout)
    };
    let q = read("Q", &asked.q_file, q, &asked.q_tensor)?;
    let k = read("K", &asked.k_file, k, &asked.k_tensor)?;
    let references = match asked.references.trim() {
        "" => Vec::new(),
        list => Reference::list(list)?,
    };
    Call::new(q, k, references, asked.options)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err calls for"
)]
fn tensor_error(cause: MetricError) -> JsValue {
    error("bad_tensor", &cause.to_string())
}
