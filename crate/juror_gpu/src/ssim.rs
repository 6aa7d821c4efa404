//! Twins of SSIM: uniform windows from whole sums, Gaussian ones around each window's middle, both ending in f32.

use juror_metrics::{Grey, Pixels, Ssim, Window, require_mirror, ssim_constants};
use wgpu::Buffer;

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, MAX_SIDE, tile_groups};
use crate::mse::shape;
use crate::plane::Planes;
use crate::plane::word;
use crate::work::{Later, Work};

/// Which factors of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SsimFactors {
    Whole = 0,
    ContrastStructure = 1,
}

/// What an SSIM shader is told besides the pictures.
pub(crate) struct Windows {
    pub(crate) kernel: Kernel,
    pub(crate) side: usize,
    pub(crate) mirror: usize,
    pub(crate) part: SsimFactors,
    pub(crate) data_range: f64,
    /// Of a Gaussian, from the outermost to the middle.
    pub(crate) half_weights: Vec<f64>,
}

/// Σ S(w) by channel, and how many windows there were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    channels: Vec<f64>,
    windows: usize,
}

impl Sum {
    pub(crate) fn add(&mut self, other: Self) {
        self.windows += other.windows;
        if self.channels.is_empty() {
            self.channels = other.channels;
            return;
        }
        for (sum, more) in self.channels.iter_mut().zip(other.channels) {
            *sum += more;
        }
    }

    pub(crate) fn mean(self) -> Ssim {
        let windows = self.windows as f64;
        let channels: Vec<f64> = self.channels.iter().map(|sum| sum / windows).collect();
        Ssim {
            value: channels.iter().sum::<f64>() / channels.len() as f64,
            channels,
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the GPU computes in f32")]
fn bits(number: f64) -> u32 {
    (number as f32).to_bits()
}

impl Windows {
    /// Those of [`juror_metrics::ssim`]; `None` for windows that are wider than the shaders'.
    pub(crate) fn of(window: Window, data_range: f64) -> Result<Option<Self>, GpuError> {
        let side = window.side()?;
        let (kernel, half_weights) = match window {
            Window::Uniform(_) => (Kernel::SsimUniform, Vec::new()),
            Window::Gaussian(_) => (Kernel::SsimGaussian, window.half_weights()),
        };
        let windows = Self {
            kernel,
            side,
            mirror: 0,
            part: SsimFactors::Whole,
            data_range,
            half_weights,
        };
        Ok((side <= MAX_SIDE as usize).then_some(windows))
    }

    /// Those of [`juror_metrics::ssim_torchmetrics`].
    pub(crate) fn mirrored() -> Self {
        let half_weights = Window::GAUSSIAN.half_weights();
        let mirror = half_weights.len() - 1;
        Self {
            kernel: Kernel::SsimGaussian,
            side: 2 * mirror + 1,
            mirror,
            part: SsimFactors::Whole,
            data_range: 255.0,
            half_weights,
        }
    }

    /// Sums the formula over all windows of two buffers of a shape.
    pub(crate) fn encode(
        &self,
        work: &mut Work<'_>,
        [reference, candidate]: [&Buffer; 2],
        [width, height, channels]: [u32; 3],
    ) -> Result<Later<Sum>, GpuError> {
        let sides = [width, height].map(|side| side as usize + 2 * self.mirror + 1 - self.side);
        let groups = tile_groups(sides[0], sides[1], channels as usize);
        let num_sums: u64 = groups.iter().map(|side| u64::from(*side)).product();
        let sums = work.output("partial sums", num_sums)?;
        let mut sizes = vec![width, height, channels];
        sizes.extend([self.side, sides[0], sides[1], self.mirror].map(word));
        sizes.push(self.part as u32);
        sizes.extend(ssim_constants(self.data_range).map(bits));
        sizes.extend([0; 2]);
        let half = self.half_weights.iter();
        let weights = half.clone().chain(half.rev().skip(1));
        sizes.extend(weights.map(|weight| bits(*weight)));
        sizes.resize(24, 0);
        let buffers = [(1, reference), (2, candidate), (3, &sums)];
        work.run(self.kernel, &sizes, &buffers, groups);
        let read = work.read(&sums, num_sums);
        let tiles = (groups[0] * groups[1]) as usize;
        Ok(Box::new(move |words| {
            let mut channels = vec![0.0; groups[2] as usize];
            for (idx, sum) in words.reals(&read).enumerate() {
                channels[idx / tiles] += sum;
            }
            Sum {
                channels,
                windows: sides[0] * sides[1],
            }
        }))
    }

    pub(crate) fn encode_planes(
        &self,
        work: &mut Work<'_>,
        planes: &Planes,
    ) -> Result<Later<Sum>, GpuError> {
        let buffers = [&planes.reference.buffer, &planes.candidate.buffer];
        self.encode(work, buffers, shape(planes))
    }
}

impl Gpu {
    /// Twin of [`juror_metrics::ssim`], within 2 · 10⁻⁵; equal pictures have exactly 1.
    /// Windows of up to 11 places; any size, in bands where it must be.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::NoTwin`] for wider windows.
    pub async fn ssim(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
        window: Window,
        data_range: f64,
    ) -> Result<Ssim, GpuError> {
        let found = self.ssim_of(reference, candidate, window, data_range, None);
        found.await
    }

    /// The same of the pictures' greys, where a rounding is named.
    pub(crate) async fn ssim_of(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
        window: Window,
        data_range: f64,
        rounding: Option<Grey>,
    ) -> Result<Ssim, GpuError> {
        window.positions(reference, candidate, data_range)?;
        let Some(windows) = Windows::of(window, data_range)? else {
            return Err(GpuError::NoTwin {
                metric: "SSIM with a window of more than 11 places",
            });
        };
        let mut sum = Sum::default();
        let encode = |work: &mut Work<'_>, planes: &Planes, _| match rounding {
            None => windows.encode_planes(work, planes),
            Some(rounding) => {
                let greys = planes.grey(work, rounding)?;
                windows.encode_planes(work, &greys)
            }
        };
        self.in_bands(reference, candidate, windows.side - 1, encode, |_, more| {
            sum.add(more);
        })
        .await?;
        Ok(sum.mean())
    }

    /// Twin of [`juror_metrics::ssim_torchmetrics`], within 2 · 10⁻⁵.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::TooLarge`] beyond one buffer.
    pub async fn ssim_torchmetrics(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<f64, GpuError> {
        require_mirror(reference, candidate)?;
        let mut work = Work::new(self)?;
        let planes = Planes::upload(&mut work, reference, candidate)?;
        let later = Windows::mirrored().encode_planes(&mut work, &planes)?;
        let (words, _held) = work.start().finish().await?;
        Ok(later(&words).mean().value)
    }
}
