//! A value with what computed it: the CPU, or a GPU where it can.

#[cfg(feature = "gpu")]
use juror_gpu::GpuError;
use juror_metrics::{Input, Metric};

use crate::{MeasureError, measure_pair};

/// What computes a value.
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
    /// assert_eq!(juror_measure::Backend::Gpu.name(), "gpu");
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
    pub value: Result<f64, MeasureError>,
    /// What computed it.
    pub backend: Backend,
    /// Why the CPU computed it, where a GPU was asked to.
    pub fallback: Option<String>,
}

impl Computed {
    /// Computes on the CPU because no GPU was asked to.
    pub fn on_cpu(metric: Metric, sides: &[Input; 2]) -> Self {
        Self {
            value: measure_pair(metric, sides),
            backend: Backend::Cpu,
            fallback: None,
        }
    }

    /// Takes what a GPU brought; computes on the CPU where it brought nothing, or failed for a reason of its own.
    ///
    /// ```
    /// use juror_gpu::GpuError;
    /// use juror_measure::{Backend, Computed};
    /// use juror_metrics::{Image, Input, Metric};
    /// let side = || Ok::<_, juror_metrics::MetricError>(Input::Picture(Image::new(1, 1, 3, vec![4; 3])?));
    /// let sides = [side()?, side()?];
    /// let found = Computed::settle(Metric::Mse, &sides, Some(Ok(2.5)));
    /// assert_eq!((found.value, found.backend), (Ok(2.5), Backend::Gpu));
    /// let failed = Err(GpuError::NoTwin { metric: "pose" });
    /// let found = Computed::settle(Metric::Pose, &sides, Some(failed));
    /// assert_eq!((found.value, found.backend), (Ok(1.0), Backend::Cpu));
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    #[cfg(feature = "gpu")]
    pub fn settle(
        metric: Metric,
        sides: &[Input; 2],
        brought: Option<Result<f64, GpuError>>,
    ) -> Self {
        let value = match brought {
            None => return Self::on_cpu(metric, sides),
            Some(Ok(value)) => Ok(value),
            Some(Err(GpuError::Metric(error))) => Err(error.into()),
            Some(Err(error)) => {
                return Self {
                    fallback: Some(error.to_string()),
                    ..Self::on_cpu(metric, sides)
                };
            }
        };
        Self {
            value,
            backend: Backend::Gpu,
            fallback: None,
        }
    }
}
