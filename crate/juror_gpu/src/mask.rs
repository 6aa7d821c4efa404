//! Twins of what two masks share: counts, exact.

use juror_metrics::{Grey, MASK_LEVEL, Overlap, Pixels, Resampling};

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::Kernel;
use crate::mse::encode_sums;
use crate::plane::{Plane, Planes};
use crate::work::{Later, Work};

/// |A|, |B| and |A ∩ B| as intersection and union.
pub(crate) fn overlap([reference, candidate, both]: [u64; 3]) -> Overlap {
    Overlap {
        intersection: both,
        union: reference + candidate - both,
    }
}

/// MultiRef's mask score: greys, the reference brought to the candidate's size, what lies above the level in both.
pub(crate) fn encode_multiref(
    work: &mut Work<'_>,
    generated: &Plane,
    reference: &Plane,
) -> Result<Later<Overlap>, GpuError> {
    let candidate = generated.grey(work, Grey::OpenCv)?;
    let reference = reference.grey(work, Grey::OpenCv)?;
    let reference = reference.resized(work, candidate.size(), Resampling::Nearest)?;
    let planes = Planes {
        reference,
        candidate,
    };
    let later = encode_sums(work, Kernel::Mask, MASK_LEVEL, &planes)?;
    Ok(Box::new(move |words| overlap(later(words))))
}

impl Gpu {
    /// Twin of [`juror_metrics::mask_overlap`], exact; any size, in bands where it must be.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU.
    pub async fn mask_overlap(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<Overlap, GpuError> {
        reference.require_grey()?;
        let counts = self.sums(Kernel::Mask, 0, reference, candidate).await?;
        Ok(overlap(counts))
    }

    /// Twin of [`juror_metrics::mask_multiref`], exact.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::TooLarge`] beyond one buffer.
    pub async fn mask_multiref(
        &self,
        generated: &Pixels<'_>,
        reference: &Pixels<'_>,
    ) -> Result<Overlap, GpuError> {
        let mut work = Work::new(self)?;
        let generated = Plane::upload(&mut work, generated)?;
        let reference = Plane::upload(&mut work, reference)?;
        let later = encode_multiref(&mut work, &generated, &reference)?;
        let (words, _held) = work.start().finish().await?;
        Ok(later(&words))
    }
}
