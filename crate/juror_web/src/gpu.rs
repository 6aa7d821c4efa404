//! The edge of image metrics: pictures' bytes in, values out, each with what computed it.

use juror_gpu::{Gpu, GpuError, Pair, has_twin};
use juror_measure::{Backend, Computed, sides};
use juror_metrics::{Image, Input, Metric};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::error;
use crate::measured::{Measured, hash, plain};

/// Two pictures on their way.
struct Sides {
    hashes: [String; 2],
    /// The reference's size.
    size: (u32, u32),
    pictures: Result<[Input; 2], String>,
}

/// A pair that is decoded: the CPU computes some of its metrics here, or all, and the GPU of another worker the others.
#[wasm_bindgen]
pub struct DecodedPair(Sides);

/// What a worker hands to the one with the GPU.
#[derive(Serialize, Deserialize)]
struct Planes {
    hashes: [String; 2],
    /// Reference and candidate.
    pictures: [Plane; 2],
}

/// One decoded picture.
#[derive(Serialize, Deserialize)]
struct Plane {
    width: u32,
    height: u32,
    /// Some metrics read a JPEG as grey in another way.
    is_jpeg: bool,
    /// Three bytes for each pixel.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    samples: js_sys::Uint8Array,
}

/// A pair with what its decoder has computed of it.
#[derive(Deserialize)]
struct Brought {
    /// An entry for each metric; `null` for the GPU's.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    row: js_sys::Array,
    planes: Planes,
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

    /// Whether the GPU is a program on the CPU, which is slower than the CPU itself.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.gpu.as_ref().is_some_and(Gpu::is_software)
    }

    /// Completes the rows of pairs that other workers have decoded, as [`DecodedPair::row`] and [`DecodedPair::planes`]
    /// give them: `{row, planes}` for each pair.
    ///
    /// Their rows are of the same metrics, and have `null` in the same places. The GPU begins before this returns.
    pub async fn complete(
        &self,
        metrics: Vec<String>,
        pairs: Vec<JsValue>,
    ) -> Result<js_sys::Array, JsValue> {
        let metrics = named(metrics)?;
        let mut rows = Vec::with_capacity(pairs.len());
        let mut sides = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let Brought { row, planes } = serde_wasm_bindgen::from_value(pair)?;
            rows.push(row);
            sides.push(Sides::of(planes)?);
        }
        let is_open = |at| rows.first().is_some_and(|row| row.get(at).is_null());
        let open: Vec<(u32, Metric)> = (0..).zip(metrics).filter(|(at, _)| is_open(*at)).collect();
        let wanted: Vec<Metric> = open.iter().map(|(_, metric)| *metric).collect();
        let values = match &self.gpu {
            Some(gpu) => started(gpu, &wanted, &sides).finish().await,
            None => Vec::new(),
        };
        let mut values = values.into_iter();
        for (row, pair) in rows.iter().zip(&sides) {
            let mut brought = values.next().unwrap_or_default().into_iter();
            for (at, metric) in &open {
                row.set(*at, plain(&pair.measured(*metric, brought.next()))?);
            }
        }
        Ok(rows.into_iter().collect())
    }
}

#[wasm_bindgen]
impl DecodedPair {
    /// Reads two files; one that cannot be read is a problem of every metric.
    ///
    /// With `sizes` of `resized` a candidate is brought to its reference's size by Pillow's bicubic.
    #[wasm_bindgen(constructor)]
    pub fn new(reference: &[u8], candidate: &[u8], sizes: Option<String>) -> Self {
        let is_resized = sizes.is_some_and(|sizes| sizes == "resized");
        Self(Sides::read([reference, candidate], is_resized))
    }

    /// One entry for each metric that the CPU computes, and `null` for each that is left to the GPU.
    ///
    /// Without `kept` the CPU computes all. With it the GPU computes what has a twin and is not in `kept`; a metric
    /// that has none and is not in it either says so. Of what is no picture, and of what cannot be read, nothing is left.
    pub fn row(&self, metrics: Vec<String>, kept: Option<Vec<String>>) -> Result<JsValue, JsValue> {
        let Self(sides) = self;
        let kept = kept.filter(|_| sides.has_pictures());
        let row = named(metrics)?.into_iter().map(|metric| {
            let brought = match &kept {
                Some(kept) if !kept.iter().any(|one| one == metric.id()) => {
                    if has_twin(metric) {
                        return None;
                    }
                    let metric = metric.id();
                    Some(Err(GpuError::NoTwin { metric }))
                }
                _ => None,
            };
            Some(sides.measured(metric, brought))
        });
        plain(&row.collect::<Vec<Option<Measured>>>())
    }

    /// What [`Measurer::complete`] takes in addition to the row: samples as arrays of their own, which can be transferred;
    /// `null` where the two are no pictures.
    pub fn planes(&self) -> Result<JsValue, JsValue> {
        plain(&self.0.planes())
    }
}

/// The metrics of these names.
fn named(metrics: Vec<String>) -> Result<Vec<Metric>, JsValue> {
    let metrics: Result<Vec<Metric>, _> = metrics
        .into_iter()
        .map(|name| Metric::from_id(&name))
        .collect();
    metrics.map_err(|cause| error("unknown_metric", &cause.to_string()))
}

impl Sides {
    fn read([reference, candidate]: [&[u8]; 2], is_resized: bool) -> Self {
        let pictures = sides([reference, candidate], is_resized);
        let pictures = pictures.map_err(|found| found.cause.message());
        Self {
            hashes: [hash(reference), hash(candidate)],
            size: pictures.as_ref().map_or((0, 0), |[reference, _]| {
                let (width, height) = reference.size();
                let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
                (side(width), side(height))
            }),
            pictures,
        }
    }

    /// Those that another worker has decoded.
    fn of(planes: Planes) -> Result<Self, JsValue> {
        let [reference, candidate] = planes.pictures;
        let size = (reference.width, reference.height);
        Ok(Self {
            hashes: planes.hashes,
            size,
            pictures: Ok([reference.input()?, candidate.input()?]),
        })
    }

    /// Whether both can be read and are pictures: only then the GPU measures them.
    fn has_pictures(&self) -> bool {
        let pictures = self.pictures.as_ref();
        pictures.is_ok_and(|sides| sides.iter().all(|side| side.picture().is_some()))
    }

    fn planes(&self) -> Option<Planes> {
        let [reference, candidate] = self.pictures.as_ref().ok()?;
        Some(Planes {
            hashes: self.hashes.clone(),
            pictures: [Plane::of(reference)?, Plane::of(candidate)?],
        })
    }

    /// The value that the GPU brought, or the CPU's.
    fn measured(&self, metric: Metric, brought: Option<Result<f64, GpuError>>) -> Measured {
        let (value, backend, fallback) = match &self.pictures {
            Ok(sides) => {
                let found = Computed::settle(metric, sides, brought);
                let value = found.value.map_err(|cause| cause.message());
                (value, found.backend, found.fallback)
            }
            Err(problem) => (Err(problem.clone()), Backend::Cpu, None),
        };
        let [reference, candidate] = self.hashes.clone();
        Measured {
            metric: metric.id(),
            value: value.as_ref().ok().copied(),
            backend: backend.name(),
            problem: value.err(),
            fallback,
            width: self.size.0,
            height: self.size.1,
            reference,
            candidate,
            network: None,
        }
    }
}

impl Plane {
    fn of(side: &Input) -> Option<Self> {
        let picture = side.picture()?;
        let (width, height) = picture.view().size();
        Some(Self {
            width: u32::try_from(width).ok()?,
            height: u32::try_from(height).ok()?,
            is_jpeg: matches!(side, Input::Jpeg(_)),
            samples: js_sys::Uint8Array::from(picture.data()),
        })
    }

    fn input(self) -> Result<Input, JsValue> {
        let (width, height) = (self.width as usize, self.height as usize);
        let picture = Image::new(width, height, 3, self.samples.to_vec())
            .map_err(|cause| error("bad_planes", &cause.to_string()))?;
        Ok(if self.is_jpeg {
            Input::Jpeg(picture)
        } else {
            Input::Picture(picture)
        })
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
