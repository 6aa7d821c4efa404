//! What a host does with the GPU's word: takes its value, or computes on the CPU and says why.

use juror_metrics::{Input, Metric, MetricError};

use crate::GpuError;

/// What computed a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The definition.
    Cpu,
    /// Its twin.
    Gpu,
}

impl Backend {
    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(juror_gpu::Backend::Gpu.name(), "gpu");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// A value with where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// The value, or why there is none.
    pub value: Result<f64, MetricError>,
    /// What computed it.
    pub backend: Backend,
    /// Why the CPU stood in for the GPU.
    pub fallback: Option<GpuError>,
}

impl Computed {
    /// Takes what the GPU brought; where it failed for a reason of its own, computes on the CPU.
    ///
    /// ```
    /// use juror_gpu::{Backend, Computed, GpuError};
    /// use juror_metrics::{Image, Input, Metric};
    /// let side = Input::Picture(Image::new(1, 1, 3, vec![4; 3])?);
    /// let failed = Err(GpuError::NoTwin { metric: "pose" });
    /// let found = Computed::settle(Metric::Pose, failed, &side, &side);
    /// assert_eq!((found.value, found.backend), (Ok(1.0), Backend::Cpu));
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn settle(
        metric: Metric,
        outcome: Result<f64, GpuError>,
        reference: &Input,
        candidate: &Input,
    ) -> Self {
        let value = match outcome {
            Ok(value) => Ok(value),
            Err(GpuError::Metric(error)) => Err(error),
            Err(error) => {
                return Self {
                    fallback: Some(error),
                    ..Self::on_cpu(metric, reference, candidate)
                };
            }
        };
        Self {
            value,
            backend: Backend::Gpu,
            fallback: None,
        }
    }

    /// Computes on the CPU because nobody asked for anything else.
    pub fn on_cpu(metric: Metric, reference: &Input, candidate: &Input) -> Self {
        Self {
            value: metric.compute(reference, candidate),
            backend: Backend::Cpu,
            fallback: None,
        }
    }
}
