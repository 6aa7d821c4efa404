//! Twin of MS-SSIM: pictures are halved exactly, each scale is an SSIM of the GPU, the product is the CPU's.

use juror_metrics::{MsSsim, Pixels};
use wgpu::Buffer;

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, flat_groups};
use crate::mse::shape;
use crate::plane::{Planes, word};
use crate::ssim::{SsimFactors, Windows};
use crate::work::{Later, Work};

/// Samples of a scale, bytes at first and f32 then.
struct Scale {
    sides: [Buffer; 2],
    shape: [u32; 3],
    is_bytes: bool,
}

impl Scale {
    fn halved(&self, work: &mut Work<'_>, variant: MsSsim) -> Result<Self, GpuError> {
        let [width, height, channels] = self.shape;
        let [left, top] = [width, height].map(|side| word(variant.padding(side as usize)));
        let (to_width, to_height) = (width / 2 + left, height / 2 + top);
        let num_samples = u64::from(to_width) * u64::from(to_height) * u64::from(channels);
        let sizes = [width, height, channels, to_width, to_height, left, top];
        let kernel = if self.is_bytes {
            Kernel::Halve
        } else {
            Kernel::HalveReals
        };
        let mut halve = |from: &Buffer| -> Result<Buffer, GpuError> {
            let to = work.output("a halved picture", num_samples)?;
            work.run(
                kernel,
                &sizes,
                &[(1, from), (2, &to)],
                flat_groups(num_samples),
            );
            Ok(to)
        };
        Ok(Self {
            sides: [halve(&self.sides[0])?, halve(&self.sides[1])?],
            shape: [to_width, to_height, channels],
            is_bytes: false,
        })
    }
}

/// All scales of a pair that [`MsSsim::require`] has let through.
pub(crate) fn encode(
    work: &mut Work<'_>,
    planes: &Planes,
    variant: MsSsim,
) -> Result<Later<f64>, GpuError> {
    let half_weights = variant.half_weights();
    let mut scale = Scale {
        sides: [
            planes.reference.buffer.clone(),
            planes.candidate.buffer.clone(),
        ],
        shape: shape(planes),
        is_bytes: true,
    };
    let mut laters = Vec::with_capacity(MsSsim::NUM_SCALES);
    for idx in 0..MsSsim::NUM_SCALES {
        if idx > 0 {
            scale = scale.halved(work, variant)?;
        }
        let is_last = idx + 1 == MsSsim::NUM_SCALES;
        let windows = Windows {
            kernel: if scale.is_bytes {
                Kernel::SsimGaussian
            } else {
                Kernel::SsimGaussianReals
            },
            side: 2 * half_weights.len() - 1,
            mirror: if is_last { variant.mirror() } else { 0 },
            part: if is_last {
                SsimFactors::Whole
            } else {
                SsimFactors::ContrastStructure
            },
            data_range: 255.0,
            half_weights: half_weights.clone(),
        };
        laters.push(windows.encode(work, scale.sides.each_ref(), scale.shape)?);
    }
    Ok(Box::new(move |words| {
        let scales: Vec<_> = laters
            .into_iter()
            .map(|later| later(words).mean())
            .collect();
        variant.combined(&scales)
    }))
}

impl Gpu {
    /// Twin of [`juror_metrics::ms_ssim`], within 2 · 10⁻⁵.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::TooLarge`] beyond one buffer.
    pub async fn ms_ssim(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
        variant: MsSsim,
    ) -> Result<f64, GpuError> {
        variant.require(reference, candidate)?;
        let mut work = Work::new(self)?;
        let planes = Planes::upload(&mut work, reference, candidate)?;
        let later = encode(&mut work, &planes, variant)?;
        let (words, _held) = work.start().finish().await?;
        Ok(later(&words))
    }
}
