//! The edge of image metrics: pictures' bytes in, values out, each with what computed it.

use juror_gpu::{Computed, Gpu, GpuError, Pair};
use juror_metrics::{Input, Metric, is_npy};
use wasm_bindgen::prelude::*;

use crate::error;
use crate::measured::{Measured, either, hash, plain};
use crate::pair::{decoded, of_file, prepared};

/// Two pictures on their way.
struct Sides {
    hashes: [String; 2],
    /// The reference's size.
    size: (u32, u32),
    pictures: Result<[Input; 2], String>,
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
    /// With `sizes` of `resized` a candidate is brought to its reference's size by Pillow's bicubic first.
    /// The GPU begins before this returns, so that the next pairs can be decoded meanwhile.
    /// Gives for each pair one entry for each metric; a picture that cannot be read is a problem of its pair alone.
    pub async fn measure(
        &self,
        metrics: Vec<String>,
        pictures: Vec<js_sys::Uint8Array>,
        sizes: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let metrics: Result<Vec<Metric>, _> =
            metrics.iter().map(|name| Metric::from_id(name)).collect();
        let metrics = metrics.map_err(|cause| error("unknown_metric", &cause.to_string()))?;
        let is_resized = sizes.as_deref() == Some("resized");
        let pairs: Vec<Sides> = pictures
            .chunks_exact(2)
            .map(|pair| Sides::read([&pair[0], &pair[1]], is_resized))
            .collect();
        let mut values = match &self.gpu {
            Some(gpu) => started(gpu, &metrics, &pairs).finish().await,
            None => Vec::new(),
        }
        .into_iter();
        let mut rows: Vec<Vec<Measured>> = Vec::with_capacity(pairs.len());
        for pair in &pairs {
            // The others were not handed over.
            let mut brought = match &pair.pictures {
                Ok(sides) if sides.iter().all(|side| side.picture().is_some()) => {
                    values.next().unwrap_or_default()
                }
                _ => Vec::new(),
            }
            .into_iter();
            let row = metrics
                .iter()
                .map(|metric| pair.measured(*metric, brought.next()));
            rows.push(row.collect());
        }
        plain(&rows)
    }
}

impl Sides {
    fn read(files: [&js_sys::Uint8Array; 2], is_resized: bool) -> Self {
        let files = files.map(js_sys::Uint8Array::to_vec);
        let [reference, candidate] = [&files[0], &files[1]].map(Vec::as_slice);
        let pictures = if is_npy(reference) || is_npy(candidate) {
            either(reference).and_then(|reference| Ok([reference, either(candidate)?]))
        } else {
            let sides = decoded([reference, candidate], is_resized);
            sides
                .map(|[r, c]| [of_file(reference, r), of_file(candidate, c)])
                .map_err(|(_, problem)| problem)
        };
        Self {
            hashes: [hash(&files[0]), hash(&files[1])],
            size: pictures.as_ref().map_or((0, 0), |[reference, _]| {
                let (width, height) = reference.size();
                let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
                (side(width), side(height))
            }),
            pictures,
        }
    }

    /// The value that the GPU brought, or the CPU's.
    fn measured(&self, metric: Metric, brought: Option<Result<f64, GpuError>>) -> Measured {
        let found = self.pictures.as_ref().map_err(Clone::clone);
        let found = found.and_then(|sides| {
            let small = prepared(metric, sides)?;
            let [reference, candidate] = small.as_ref().unwrap_or(sides);
            Ok(match brought {
                Some(outcome) => Computed::settle(metric, outcome, reference, candidate),
                None => Computed::on_cpu(metric, reference, candidate),
            })
        });
        let (value, backend, fallback) = match found {
            Ok(found) => (
                found.value.map_err(|cause| cause.to_string()),
                found.backend.name(),
                found.fallback,
            ),
            Err(problem) => (Err(problem), "cpu", None),
        };
        let [reference, candidate] = self.hashes.clone();
        Measured {
            metric: metric.id(),
            value: value.as_ref().ok().copied(),
            backend,
            problem: value.err(),
            fallback: fallback.as_ref().map(GpuError::to_string),
            width: self.size.0,
            height: self.size.1,
            reference,
            candidate,
            network: None,
        }
    }
}

/// The pairs that can be read, handed to the GPU.
fn started<'g>(gpu: &'g Gpu, metrics: &[Metric], pairs: &[Sides]) -> juror_gpu::Started<'g> {
    let pairs: Vec<Pair<'_>> = pairs
        .iter()
        .filter_map(|pair| pair.pictures.as_ref().ok())
        .filter_map(|[reference, candidate]| {
            Some(Pair {
                reference: reference.picture()?.view(),
                candidate: candidate.picture()?.view(),
            })
        })
        .collect();
    gpu.start(metrics, &pairs)
}
