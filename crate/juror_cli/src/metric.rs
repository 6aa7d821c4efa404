//! One image metric of two files: pictures, or NPY arrays made elsewhere.

use std::path::Path;

use anyhow::Context as _;
use juror_core::session::lint::Print;
use juror_image::{Filter, Limits, Rgb, decode_rgb};
use juror_metrics::{
    Array, Grey, Image, Input, Metric, MetricError, PHASH_SIDE, Preparation, grey, is_npy, phash,
    phash_cells,
};
use serde::Serialize;

use crate::say;

/// What is printed.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    metric: &'static str,
    value: Value,
    width: usize,
    height: usize,
    backend: &'static str,
}

/// JSON has no infinity: identical pictures have the PSNR "inf".
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Number(f64),
    Word(String),
}

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    Cpu,
    /// The CPU where the GPU cannot, with a line that says why.
    Gpu,
}

/// Computes the metric of this name; width and height are the reference's.
pub(crate) fn compute(
    name: &str,
    reference: &Path,
    candidate: &Path,
    backend: Backend,
) -> anyhow::Result<Answer> {
    let metric = Metric::from_id(name)?;
    let reference_input = read(reference)?;
    let (width, height) = reference_input.size();
    let prepared =
        |path: &Path, input| prepare(input, metric).with_context(|| path.display().to_string());
    let reference_input = prepared(reference, reference_input)?;
    let candidate_input = prepared(candidate, read(candidate)?)?;
    let (value, backend) = match backend {
        Backend::Cpu => (metric.compute(&reference_input, &candidate_input), "cpu"),
        Backend::Gpu => on_gpu(metric, &reference_input, &candidate_input),
    };
    let value =
        value.with_context(|| format!("{} and {}", reference.display(), candidate.display()))?;
    Ok(Answer {
        metric: metric.id(),
        value: if value.is_finite() {
            Value::Number(value)
        } else {
            Value::Word(value.to_string().to_lowercase())
        },
        width,
        height,
        backend,
    })
}

/// The GPU's value and "gpu", or the CPU's in its place and "cpu"; says which GPU it was, or why it was none.
#[cfg(feature = "gpu")]
fn on_gpu(
    metric: Metric,
    reference: &Input,
    candidate: &Input,
) -> (Result<f64, MetricError>, &'static str) {
    use juror_gpu::{Computed, Gpu, GpuError, Pair};

    let outcome = match (reference, candidate) {
        (Input::Picture(reference), Input::Picture(candidate)) => pollster::block_on(async {
            let gpu = Gpu::new().await?;
            let pair = Pair {
                reference: reference.view(),
                candidate: candidate.view(),
            };
            let value = gpu.compute(metric, pair).await?;
            say(&format!("computed on the GPU: {}", gpu.adapter()));
            Ok(value)
        }),
        _ => Err(GpuError::NoTwin {
            metric: "a metric of arrays",
        }),
    };
    let found = Computed::settle(metric, outcome, reference, candidate);
    if let Some(reason) = found.fallback {
        say(&format!("computed on the CPU instead: {reason}"));
    }
    (found.value, found.backend.name())
}

/// What `--gpu` says where this program was built without a GPU's part.
#[cfg(not(feature = "gpu"))]
pub(crate) const WITHOUT_GPU: &str =
    "computed on the CPU instead: this program was built without the feature `gpu`";

/// This program was built without a GPU's part.
#[cfg(not(feature = "gpu"))]
fn on_gpu(
    metric: Metric,
    reference: &Input,
    candidate: &Input,
) -> (Result<f64, MetricError>, &'static str) {
    say(WITHOUT_GPU);
    (metric.compute(reference, candidate), "cpu")
}

fn read(path: &Path) -> anyhow::Result<Input> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let named = || path.display().to_string();
    if is_npy(&bytes) {
        return Ok(Input::Array(Array::from_npy(&bytes).with_context(named)?));
    }
    let picture = decode_rgb(&bytes, &Limits::default()).with_context(named)?;
    Ok(Input::Picture(image(picture)?))
}

fn image(picture: Rgb) -> anyhow::Result<Image<u8>> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    Ok(Image::new(width, height, 3, picture.data)?)
}

/// What the metric wants done to pictures first.
fn prepare(input: Input, metric: Metric) -> anyhow::Result<Input> {
    let (Input::Picture(picture), Preparation::Thumbnail) = (&input, metric.preparation()) else {
        return Ok(input);
    };
    Ok(Input::Picture(thumbnail(picture)?))
}

/// What perceptual hashes are made of: 32 × 32 grey levels.
fn thumbnail(picture: &Image<u8>) -> anyhow::Result<Image<u8>> {
    let picture = picture.view();
    let grey = grey(&picture, Grey::Pillow)?;
    let spread = Rgb {
        width: u32::try_from(picture.width())?,
        height: u32::try_from(picture.height())?,
        data: grey.data().iter().flat_map(|sample| [*sample; 3]).collect(),
    };
    let side = u32::try_from(PHASH_SIDE)?;
    let small = image(juror_image::resize(&spread, side, side, Filter::Lanczos)?)?;
    Ok(small.view().channel(0)?)
}

/// What a picture file looks like; the reason where it cannot be decoded.
pub(crate) fn print(bytes: &[u8]) -> Result<Print, String> {
    let picture = decode_rgb(bytes, &Limits::default()).map_err(|error| error.message())?;
    let of = |picture: Rgb| -> anyhow::Result<Print> {
        let small = thumbnail(&image(picture)?)?;
        Ok(Print {
            hash: phash(&small.view())?,
            cells: phash_cells(&small.view())?.into(),
        })
    };
    of(picture).map_err(|error| error.to_string())
}
