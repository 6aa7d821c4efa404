//! Says why the GPU gave no value, so that the host can fall back to the CPU and tell the reason.

use juror_metrics::MetricError;

/// Why the GPU gave no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter, or the browser has no WebGPU.
    #[error("expected a GPU that WebGPU or Vulkan can use, found none: {reason}")]
    NoAdapter {
        /// What the system says.
        reason: String,
    },
    /// There is an adapter, but it gave no device.
    #[error("expected the GPU {adapter} to start, but it refused: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// What the system says.
        reason: String,
    },
    /// The driver was restarted, the GPU taken away, or [`Gpu::close`](crate::Gpu::close) was called.
    #[error("the GPU was lost: {reason}; open it again")]
    DeviceLost {
        /// What the system says.
        reason: String,
    },
    /// The GPU refused an operation, as for lack of memory.
    #[error("the GPU refused to compute: {reason}")]
    Refused {
        /// What the system says.
        reason: String,
    },
    /// A picture that does not fit into one buffer, in a metric that cannot look at it piece by piece.
    #[error("expected at most {limit} bytes in one buffer of this GPU, found {needed} for {what}")]
    TooLarge {
        /// What the buffer is for, in words.
        what: &'static str,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that the GPU has in one piece.
        limit: u64,
    },
    /// The metric, or this form of it, is computed on the CPU alone.
    #[error("{metric} is computed on the CPU alone")]
    NoTwin {
        /// Its name.
        metric: &'static str,
    },
    /// The metric has no value for the pair, on the CPU neither.
    #[error(transparent)]
    Metric(#[from] MetricError),
}

impl GpuError {
    /// Whether the CPU may still have a value: for all but what is wrong with the pictures themselves.
    ///
    /// ```
    /// use juror_gpu::GpuError;
    /// use juror_metrics::MetricError;
    /// assert!(GpuError::NoTwin { metric: "fid" }.is_about_gpu());
    /// assert!(!GpuError::from(MetricError::NoArea { width: 0, height: 1 }).is_about_gpu());
    /// ```
    pub fn is_about_gpu(&self) -> bool {
        !matches!(self, Self::Metric(_))
    }
}
