//! Twin of the mean absolute error: the sum is exact.

use juror_metrics::Pixels;

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::Kernel;

impl Gpu {
    /// Twin of [`juror_metrics::mae`], equal to the bit; any size, in bands where it must be.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU.
    pub async fn mae(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<f64, GpuError> {
        let [sum, ..] = self.sums(Kernel::Mae, 0, reference, candidate).await?;
        Ok(sum as f64 / reference.data().len() as f64)
    }
}
