//! Pictures on the GPU.

use juror_metrics::{Image, Pixels};
use wgpu::Buffer;

use crate::GpuError;
use crate::work::{Read, Words, Work};

/// An 8-bit picture in a buffer, four samples to a word.
#[derive(Clone)]
pub(crate) struct Plane {
    pub(crate) buffer: Buffer,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
}

impl Plane {
    pub(crate) fn upload(work: &mut Work<'_>, picture: &Pixels<'_>) -> Result<Self, GpuError> {
        Ok(Self {
            buffer: work.upload("a picture", picture.data())?,
            width: picture.width(),
            height: picture.height(),
            channels: picture.channels(),
        })
    }

    /// A picture that a shader will write.
    pub(crate) fn output(
        work: &mut Work<'_>,
        (width, height): (usize, usize),
        channels: usize,
    ) -> Result<Self, GpuError> {
        let words = (width * height * channels).div_ceil(4) as u64;
        Ok(Self {
            buffer: work.output("a picture", words)?,
            width,
            height,
            channels,
        })
    }

    pub(crate) fn num_samples(&self) -> usize {
        self.width * self.height * self.channels
    }

    pub(crate) fn num_words(&self) -> u64 {
        self.num_samples().div_ceil(4) as u64
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    pub(crate) fn read(&self, work: &mut Work<'_>) -> Read {
        work.read(&self.buffer, self.num_words())
    }

    pub(crate) fn image(&self, words: &Words, read: &Read) -> Result<Image<u8>, GpuError> {
        let bytes = words.bytes(read, self.num_samples());
        Ok(Image::new(self.width, self.height, self.channels, bytes)?)
    }
}

/// Both sides of a pair, of one shape.
#[derive(Clone)]
pub(crate) struct Planes {
    pub(crate) reference: Plane,
    pub(crate) candidate: Plane,
}

impl Planes {
    pub(crate) fn upload(
        work: &mut Work<'_>,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<Self, GpuError> {
        Ok(Self {
            reference: Plane::upload(work, reference)?,
            candidate: Plane::upload(work, candidate)?,
        })
    }
}

/// A side of a picture as the shaders count it; what does not fit was refused with its buffer before.
pub(crate) fn word(side: usize) -> u32 {
    u32::try_from(side).unwrap_or(u32::MAX)
}
