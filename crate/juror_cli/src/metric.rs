//! One image metric of two files: pictures, or NPY arrays made elsewhere.

#[cfg(feature = "gpu")]
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use juror_measure::{Backend, Computed, MeasureError, input, measure_pair};
use juror_metrics::{Input, Metric};
use juror_session::lint::Fingerprint;
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
    let sides = [reference_input, read(candidate)?];
    let measurer = Measurer::new(backend);
    let found = measurer.value(metric, &sides);
    match &found.fallback {
        Some(reason) => say(&format!("computed on the CPU instead: {reason}")),
        None if found.backend == Backend::Gpu => {
            say(&format!("computed on the GPU: {}", measurer.adapter()));
        }
        None => {}
    }
    let backend = found.backend.name();
    let value = found.value.with_context(|| both(reference, candidate))?;
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

/// The value of two files on the CPU.
pub(crate) fn value(metric: Metric, reference: &Path, candidate: &Path) -> anyhow::Result<f64> {
    let sides = [read(reference)?, read(candidate)?];
    measure_pair(metric, &sides).with_context(|| both(reference, candidate))
}

fn both(reference: &Path, candidate: &Path) -> String {
    format!("{} and {}", reference.display(), candidate.display())
}

/// What computes values: the CPU, or a GPU that was opened once.
pub(crate) struct Measurer {
    #[cfg(feature = "gpu")]
    gpu: Option<juror_gpu::Gpu>,
    #[cfg(feature = "gpu")]
    fallbacks: RefCell<BTreeMap<String, usize>>,
}

/// What the GPU brought of a metric of a pair.
#[cfg(feature = "gpu")]
pub(crate) type MetricResult = Result<f64, juror_gpu::GpuError>;

#[cfg(feature = "gpu")]
pub(crate) use juror_gpu::has_twin;

/// What is under way on the GPU; nothing without one.
#[cfg(feature = "gpu")]
pub(crate) type Started<'m> = Option<juror_gpu::Started<'m>>;

#[cfg(feature = "gpu")]
impl Measurer {
    /// Opens the GPU where it is asked for; says why where there is none.
    pub(crate) fn new(backend: Backend) -> Self {
        let opened = (backend == Backend::Gpu).then(|| pollster::block_on(juror_gpu::Gpu::new()));
        let gpu = opened.and_then(|opened| {
            opened
                .inspect_err(|reason| say(&format!("computed on the CPU instead: {reason}")))
                .ok()
        });
        Self {
            gpu,
            fallbacks: RefCell::default(),
        }
    }

    /// Why the CPU stood in for the opened GPU, and for how many values.
    pub(crate) fn fallbacks(&self) -> BTreeMap<String, usize> {
        self.fallbacks.borrow().clone()
    }

    /// The GPU's name; empty without one.
    pub(crate) fn adapter(&self) -> &str {
        self.gpu.as_ref().map_or("", juror_gpu::Gpu::adapter)
    }

    /// Begins to compute metrics of pairs on the GPU, if there is one, and returns at once.
    ///
    /// All of them are on the GPU at the same time. [`Measurer::finish`] waits for what comes of them.
    pub(crate) fn start(&self, metrics: &[Metric], pairs: &[&[Input; 2]]) -> Started<'_> {
        let gpu = self.gpu.as_ref()?;
        // A session's pairs are pictures; `value` tells an array why it has no twin.
        let pictures = pairs.iter().filter_map(|pair| pictures(pair));
        let pictures: Vec<_> = pictures.collect();
        (pictures.len() == pairs.len()).then(|| gpu.start(metrics, &pictures))
    }

    /// What the GPU brought: for each pair a list with one outcome for each metric; nothing where nothing was begun.
    #[expect(
        clippy::unused_self,
        reason = "what was begun is the measurer's, and without a GPU nothing is"
    )]
    pub(crate) fn finish(&self, started: Started<'_>) -> Vec<Vec<MetricResult>> {
        started.map_or(Vec::new(), |started| pollster::block_on(started.finish()))
    }

    /// The value, or why there is none, with what computed it.
    pub(crate) fn value(&self, metric: Metric, sides: &[Input; 2]) -> Computed {
        let Some(gpu) = &self.gpu else {
            return Computed::on_cpu(metric, sides);
        };
        let brought = match pictures(sides) {
            Some(pair) => pollster::block_on(gpu.compute(metric, pair)),
            None => Err(juror_gpu::GpuError::NoTwin {
                metric: "a metric of arrays",
            }),
        };
        self.settled(metric, sides, brought)
    }

    /// What the GPU brought, or the CPU's value in its place with the reason, which is counted.
    pub(crate) fn settled(
        &self,
        metric: Metric,
        sides: &[Input; 2],
        brought: MetricResult,
    ) -> Computed {
        let found = Computed::settle(metric, sides, Some(brought));
        if let Some(reason) = &found.fallback {
            self.count(reason);
        }
        found
    }

    /// A value that the CPU computed because the metric has no twin.
    pub(crate) fn without_twin(
        &self,
        metric: Metric,
        value: Result<f64, MeasureError>,
    ) -> Computed {
        let reason = juror_gpu::GpuError::NoTwin {
            metric: metric.id(),
        };
        let reason = reason.to_string();
        self.count(&reason);
        Computed {
            value,
            backend: Backend::Cpu,
            fallback: Some(reason),
        }
    }

    fn count(&self, reason: &str) {
        let mut fallbacks = self.fallbacks.borrow_mut();
        *fallbacks.entry(reason.to_owned()).or_default() += 1;
    }
}

/// A pair as a GPU takes it; `None` where a side is an array.
#[cfg(feature = "gpu")]
fn pictures([reference, candidate]: &[Input; 2]) -> Option<juror_gpu::Pair<'_>> {
    Some(juror_gpu::Pair {
        reference: reference.picture()?.view(),
        candidate: candidate.picture()?.view(),
    })
}

/// What `--gpu` says where this program was built without a GPU's part.
#[cfg(not(feature = "gpu"))]
pub(crate) const WITHOUT_GPU: &str =
    "computed on the CPU instead: this program was built without the feature `gpu`";

/// What a GPU brought: there is none.
#[cfg(not(feature = "gpu"))]
#[derive(Clone, Copy, Debug)]
pub(crate) enum MetricResult {}

/// Whether a GPU computes the metric: none is there.
#[cfg(not(feature = "gpu"))]
pub(crate) fn has_twin(_: Metric) -> bool {
    false
}

/// What is under way on a GPU: nothing.
#[cfg(not(feature = "gpu"))]
pub(crate) type Started<'m> = Option<&'m MetricResult>;

#[cfg(not(feature = "gpu"))]
impl Measurer {
    /// This program was built without a GPU's part, which it says where one is asked for.
    pub(crate) fn new(backend: Backend) -> Self {
        if backend == Backend::Gpu {
            say(WITHOUT_GPU);
        }
        Self {}
    }

    /// Why the CPU stood in for an opened GPU: none was.
    #[expect(clippy::unused_self, reason = "the same call with and without a GPU")]
    pub(crate) fn fallbacks(&self) -> BTreeMap<String, usize> {
        BTreeMap::new()
    }

    /// The GPU's name: there is none.
    #[expect(clippy::unused_self, reason = "the same call with and without a GPU")]
    pub(crate) fn adapter(&self) -> &'static str {
        ""
    }

    /// The value, or why there is none, with what computed it.
    #[expect(clippy::unused_self, reason = "the same call with and without a GPU")]
    pub(crate) fn value(&self, metric: Metric, sides: &[Input; 2]) -> Computed {
        Computed::on_cpu(metric, sides)
    }

    /// Begins nothing.
    #[expect(clippy::unused_self, reason = "the same call with and without a GPU")]
    pub(crate) fn start(&self, _: &[Metric], _: &[&[Input; 2]]) -> Started<'_> {
        None
    }

    /// Nothing was begun.
    #[expect(clippy::unused_self, reason = "the same call with and without a GPU")]
    pub(crate) fn finish(&self, _: Started<'_>) -> Vec<Vec<MetricResult>> {
        Vec::new()
    }

    /// A value that was computed before.
    #[expect(clippy::unused_self, reason = "the same call with and without a GPU")]
    pub(crate) fn without_twin(&self, _: Metric, value: Result<f64, MeasureError>) -> Computed {
        Computed {
            value,
            backend: Backend::Cpu,
            fallback: None,
        }
    }

    /// Never: nothing can be brought.
    #[expect(clippy::unused_self, reason = "the same call with and without a GPU")]
    pub(crate) fn settled(&self, _: Metric, _: &[Input; 2], brought: MetricResult) -> Computed {
        match brought {}
    }
}

fn read(path: &Path) -> anyhow::Result<Input> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    input(&bytes).with_context(|| path.display().to_string())
}

/// What a picture file looks like; the reason where it cannot be decoded.
pub(crate) fn print(bytes: &[u8]) -> Result<Fingerprint, String> {
    let found = juror_measure::print(bytes).map_err(|cause| cause.message())?;
    Ok(Fingerprint {
        hash: found.hash,
        cells: found.cells.into(),
    })
}
