//! Twins of the mean squared error and of PSNR: the sum is exact, so both are the CPU's to the bit.

use juror_metrics::{Pixels, psnr_of};

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, LANES, WORDS};
use crate::plane::{Planes, word};
use crate::work::{Later, Work};

/// Adds up a kernel's three terms over a pair; what fills up the last word adds nothing.
pub(crate) fn encode_sums(
    work: &mut Work<'_>,
    kernel: Kernel,
    level: u8,
    planes: &Planes,
) -> Result<Later<[u64; 3]>, GpuError> {
    let num_words = planes.reference.num_words();
    let groups = num_words.div_ceil(u64::from(LANES * WORDS));
    let sums = work.output("partial sums", 3 * groups)?;
    let (r, c) = (&planes.reference.buffer, &planes.candidate.buffer);
    let sizes = [
        u32::try_from(num_words).unwrap_or(u32::MAX),
        u32::from(level),
    ];
    let grid = [u32::try_from(groups).unwrap_or(u32::MAX), 1, 1];
    work.run(kernel, &sizes, &[(1, r), (2, c), (3, &sums)], grid);
    let read = work.read(&sums, 3 * groups);
    Ok(Box::new(move |words| {
        let mut total = [0; 3];
        for part in words.of(&read).as_chunks::<3>().0 {
            for (total, part) in total.iter_mut().zip(part) {
                *total += u64::from(*part);
            }
        }
        total
    }))
}

impl Gpu {
    /// A kernel's sums over a pair of any size.
    pub(crate) async fn sums(
        &self,
        kernel: Kernel,
        level: u8,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<[u64; 3], GpuError> {
        let mut total = [0; 3];
        let encode =
            |work: &mut Work<'_>, planes: &Planes, _| encode_sums(work, kernel, level, planes);
        self.in_bands(reference, candidate, 0, encode, |_, sums| {
            for (total, sum) in total.iter_mut().zip(sums) {
                *total += sum;
            }
        })
        .await?;
        Ok(total)
    }

    /// Twin of [`juror_metrics::sum_of_squares`], exact; any size, in bands where it must be.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU.
    pub async fn sum_of_squares(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<u64, GpuError> {
        Ok(self.sums(Kernel::Mse, 0, reference, candidate).await?[0])
    }

    /// Twin of [`juror_metrics::mse`], equal to the bit.
    ///
    /// # Errors
    /// As [`Gpu::sum_of_squares`].
    pub async fn mse(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<f64, GpuError> {
        let sum = self.sum_of_squares(reference, candidate).await?;
        Ok(sum as f64 / reference.data().len() as f64)
    }

    /// Twin of [`juror_metrics::psnr`], equal to the bit.
    ///
    /// # Errors
    /// As [`Gpu::sum_of_squares`].
    pub async fn psnr(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<f64, GpuError> {
        Ok(psnr_of(self.mse(reference, candidate).await?))
    }
}

/// Sides of a band as every shader with windows counts them.
pub(crate) fn shape(planes: &Planes) -> [u32; 3] {
    let plane = &planes.reference;
    [plane.width, plane.height, plane.channels].map(word)
}
