//! Twin of the three greys: whole numbers, exact.

use juror_metrics::{FixedPoint, Grey, Image, MetricError, Pixels};

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, flat_groups};
use crate::plane::{Plane, Planes, word};
use crate::work::Work;

impl Plane {
    /// One channel; a picture that has one already is itself.
    pub(crate) fn grey(&self, work: &mut Work<'_>, rounding: Grey) -> Result<Self, GpuError> {
        if self.channels == 1 {
            return Ok(self.clone());
        }
        if self.channels != 3 {
            return Err(GpuError::Metric(MetricError::Channels {
                expected: "3 channels (red, green, blue)",
                found: self.channels,
            }));
        }
        let out = Self::output(work, self.size(), 1)?;
        let FixedPoint {
            weights: [red, green, blue],
            add,
            shift,
        } = rounding.fixed_point();
        let sizes = [word(out.num_samples()), red, green, blue, add, shift];
        let buffers = [(1, &self.buffer), (2, &out.buffer)];
        work.run(Kernel::Grey, &sizes, &buffers, flat_groups(out.num_words()));
        Ok(out)
    }
}

impl Planes {
    pub(crate) fn grey(&self, work: &mut Work<'_>, rounding: Grey) -> Result<Self, GpuError> {
        Ok(Self {
            reference: self.reference.grey(work, rounding)?,
            candidate: self.candidate.grey(work, rounding)?,
        })
    }
}

impl Gpu {
    /// Twin of [`juror_metrics::grey`], exact.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::TooLarge`] beyond one buffer.
    pub async fn grey(&self, picture: &Pixels<'_>, rounding: Grey) -> Result<Image<u8>, GpuError> {
        let mut work = Work::new(self)?;
        let grey = Plane::upload(&mut work, picture)?.grey(&mut work, rounding)?;
        let read = grey.read(&mut work);
        let (words, _held) = work.start().finish().await?;
        grey.image(&words, &read)
    }
}
