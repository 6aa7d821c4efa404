//! Twin of the compositing of two RGBA pictures, as Pillow's `alpha_composite`: whole numbers, exact.

use juror_metrics::{Image, MetricError, Pixels};

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, flat_groups};
use crate::plane::{Plane, word};
use crate::work::Work;

impl Gpu {
    /// Lays `top` over `bottom`, two RGBA pictures of one size with straight alpha: what `juror_image::merge` does with a
    /// layer that needs no resizing.
    ///
    /// # Errors
    /// [`MetricError::SizeMismatch`], [`MetricError::Channels`], and those of the GPU; [`GpuError::TooLarge`] beyond one
    /// buffer.
    pub async fn composite(
        &self,
        bottom: &Pixels<'_>,
        top: &Pixels<'_>,
    ) -> Result<Image<u8>, GpuError> {
        bottom.require_same_shape(top)?;
        if bottom.channels() != 4 {
            return Err(GpuError::Metric(MetricError::Channels {
                expected: "4 channels (red, green, blue, alpha)",
                found: bottom.channels(),
            }));
        }
        let mut work = Work::new(self)?;
        let bottom = Plane::upload(&mut work, bottom)?;
        let top = Plane::upload(&mut work, top)?;
        let out = Plane::output(&mut work, bottom.size(), 4)?;
        let sizes = [word(bottom.width * bottom.height)];
        let buffers = [(1, &top.buffer), (2, &bottom.buffer), (3, &out.buffer)];
        work.run(
            Kernel::Composite,
            &sizes,
            &buffers,
            flat_groups(out.num_words()),
        );
        let read = out.read(&mut work);
        let (words, _held) = work.start().finish().await?;
        out.image(&words, &read)
    }
}
