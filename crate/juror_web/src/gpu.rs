//! The edge of image metrics: pictures' bytes in, values out, each with what computed it.

use juror_gpu::{Computed, Gpu, GpuError, Pair};
use juror_image::{Limits, decode_rgb};
use juror_metrics::{Image, Input, Metric};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error;

/// One metric of one pair.
#[derive(Serialize)]
struct Measured {
    metric: &'static str,
    /// `null` where there is none; infinity is a number in JavaScript.
    value: Option<f64>,
    backend: &'static str,
    /// Why there is no value.
    problem: Option<String>,
    /// Why the CPU stood in for the GPU.
    fallback: Option<String>,
}

/// What measures pictures: a GPU, or the CPU.
#[wasm_bindgen]
pub struct Measurer {
    pub(crate) gpu: Option<Gpu>,
}

#[wasm_bindgen]
impl Measurer {
    /// On the CPU alone.
    #[must_use]
    pub fn cpu() -> Self {
        Self { gpu: None }
    }

    /// On the GPU; rejects with the code `no_gpu` where the browser gives none.
    pub async fn gpu() -> Result<Self, JsValue> {
        let opened = Gpu::new().await;
        let gpu = opened.map_err(|cause| error("no_gpu", &cause.to_string()))?;
        Ok(Self { gpu: Some(gpu) })
    }

    /// The GPU's name and how it is reached; empty on the CPU.
    #[must_use]
    pub fn adapter(&self) -> String {
        self.gpu.as_ref().map_or("", Gpu::adapter).to_owned()
    }

    /// Measures pairs that lie one after another in `pictures`: reference, candidate, reference, …
    ///
    /// The GPU begins before this returns, so that the next pairs can be decoded meanwhile.
    /// Gives for each pair one entry for each metric; a picture that cannot be read is a problem of its pair alone.
    pub async fn measure(
        &self,
        metrics: Vec<String>,
        pictures: Vec<js_sys::Uint8Array>,
    ) -> Result<JsValue, JsValue> {
        let metrics: Result<Vec<Metric>, _> =
            metrics.iter().map(|name| Metric::from_id(name)).collect();
        let metrics = metrics.map_err(|cause| error("unknown_metric", &cause.to_string()))?;
        let decoded: Vec<Result<[Input; 2], String>> = pictures
            .chunks_exact(2)
            .map(|pair| Ok([decoded(&pair[0])?, decoded(&pair[1])?]))
            .collect();
        let mut values = match &self.gpu {
            Some(gpu) => started(gpu, &metrics, &decoded).finish().await,
            None => Vec::new(),
        }
        .into_iter();
        let mut rows = Vec::with_capacity(decoded.len());
        for pair in &decoded {
            rows.push(match pair {
                Err(problem) => metrics
                    .iter()
                    .map(|metric| unread(*metric, problem))
                    .collect(),
                Ok([reference, candidate]) => {
                    let mut brought = values.next().unwrap_or_default().into_iter();
                    let row = metrics.iter().map(|metric| {
                        let computed = match brought.next() {
                            Some(outcome) => {
                                Computed::settle(*metric, outcome, reference, candidate)
                            }
                            None => Computed::on_cpu(*metric, reference, candidate),
                        };
                        (*metric, computed).into()
                    });
                    row.collect::<Vec<Measured>>()
                }
            });
        }
        let plain = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true);
        Ok(rows.serialize(&plain)?)
    }
}

/// The pairs that can be read, handed to the GPU.
fn started<'g>(
    gpu: &'g Gpu,
    metrics: &[Metric],
    decoded: &[Result<[Input; 2], String>],
) -> juror_gpu::Started<'g> {
    let pairs: Vec<Pair<'_>> = decoded
        .iter()
        .flatten()
        .filter_map(|pair| match pair {
            [Input::Picture(reference), Input::Picture(candidate)] => Some(Pair {
                reference: reference.view(),
                candidate: candidate.view(),
            }),
            _ => None,
        })
        .collect();
    gpu.start(metrics, &pairs)
}

fn decoded(bytes: &js_sys::Uint8Array) -> Result<Input, String> {
    let picture =
        decode_rgb(&bytes.to_vec(), &Limits::default()).map_err(|cause| cause.to_string())?;
    let (width, height) = (picture.width as usize, picture.height as usize);
    let image = Image::new(width, height, 3, picture.data).map_err(|cause| cause.to_string())?;
    Ok(Input::Picture(image))
}

fn unread(metric: Metric, problem: &str) -> Measured {
    Measured {
        metric: metric.id(),
        value: None,
        backend: "cpu",
        problem: Some(problem.to_owned()),
        fallback: None,
    }
}

impl From<(Metric, Computed)> for Measured {
    fn from((metric, computed): (Metric, Computed)) -> Self {
        let (value, problem) = match computed.value {
            Ok(value) => (Some(value), None),
            Err(cause) => (None, Some(cause.to_string())),
        };
        Self {
            metric: metric.id(),
            value,
            backend: computed.backend.name(),
            problem,
            fallback: computed.fallback.as_ref().map(GpuError::to_string),
        }
    }
}
