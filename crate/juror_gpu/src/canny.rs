//! Twin of Canny: whole numbers, exact; edges are followed in passes until one changes nothing.

use juror_metrics::{Canny, Grey, Image, Pixels};
use wgpu::Buffer;

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, flat_groups, tile_groups};
use crate::mse::encode_sums;
use crate::plane::{Plane, Planes, word};
use crate::work::{Read, Words, Work};

/// Passes of the first submission: enough for most pictures, and each that is not needed costs next to nothing.
const FIRST_PASSES: u32 = 8;
/// Passes of every later submission.
const MORE_PASSES: u32 = 64;

/// An edge map and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    /// 255 on edges, 0 elsewhere.
    pub map: Image<u8>,
    /// Passes that spread edges, the last one, which changed nothing, included.
    pub passes: usize,
}

/// A picture's maxima, and how far its edges have been followed.
pub(crate) struct Maxima {
    states: Buffer,
    size: (usize, usize),
    counted: Option<Read>,
    passes: usize,
}

impl Maxima {
    /// Finds the maxima of a grey picture and follows its edges for some passes.
    pub(crate) fn encode(
        work: &mut Work<'_>,
        grey: &Plane,
        thresholds: Canny,
    ) -> Result<Self, GpuError> {
        let (width, height) = grey.size();
        let states = work.output("the maxima of a picture", (width * height) as u64)?;
        let thresholds = thresholds.whole().map(|t| i32::from(t).cast_unsigned());
        let sizes = [word(width), word(height), thresholds[0], thresholds[1]];
        let buffers = [(1, &grey.buffer), (2, &states)];
        let grid = tile_groups(width, height, 1);
        work.run(Kernel::CannySuppress, &sizes, &buffers, grid);
        let mut maxima = Self {
            states,
            size: (width, height),
            counted: None,
            passes: 0,
        };
        maxima.follow(work, FIRST_PASSES)?;
        Ok(maxima)
    }

    /// Follows edges for some more passes.
    pub(crate) fn follow(&mut self, work: &mut Work<'_>, passes: u32) -> Result<(), GpuError> {
        let (width, height) = self.size;
        let counters = work.upload("counters", &vec![0; 4 * passes as usize])?;
        for pass in 0..passes {
            let sizes = [word(width), word(height), pass];
            let buffers = [(1, &self.states), (2, &counters)];
            work.run(
                Kernel::CannyFollow,
                &sizes,
                &buffers,
                tile_groups(width, height, 1),
            );
        }
        self.counted = Some(work.read(&counters, u64::from(passes)));
        Ok(())
    }

    /// Whether a pass changed nothing, by the counters of the last submission, whose passes it adds to the others.
    pub(crate) fn is_settled(&mut self, words: &Words) -> bool {
        let Some(read) = self.counted.take() else {
            return true;
        };
        let counts = words.of(&read);
        let idle = counts.iter().position(|count| *count == 0);
        self.passes += idle.map_or(counts.len(), |idle| idle + 1);
        idle.is_some()
    }

    /// The map as it stands.
    pub(crate) fn edges(&self, work: &mut Work<'_>) -> Result<Plane, GpuError> {
        let out = Plane::output(work, self.size, 1)?;
        let sizes = [word(out.num_samples())];
        let buffers = [(1, &self.states), (2, &out.buffer)];
        work.run(
            Kernel::CannyEdges,
            &sizes,
            &buffers,
            flat_groups(out.num_words()),
        );
        Ok(out)
    }
}

/// The edge maps of a pair on their way to an edge MSE.
pub(crate) struct EdgePair {
    sides: [Maxima; 2],
    sums: crate::work::Later<[u64; 3]>,
    num_pixels: usize,
}

impl EdgePair {
    /// Both pictures' maxima, edges as far as they go, and the counts of both maps.
    pub(crate) fn encode(work: &mut Work<'_>, greys: &Planes) -> Result<Box<Self>, GpuError> {
        let thresholds = Canny::MULTIREF;
        let sides = [
            Maxima::encode(work, &greys.reference, thresholds)?,
            Maxima::encode(work, &greys.candidate, thresholds)?,
        ];
        Self::counted(work, sides)
    }

    fn counted(work: &mut Work<'_>, sides: [Maxima; 2]) -> Result<Box<Self>, GpuError> {
        let planes = Planes {
            reference: sides[0].edges(work)?,
            candidate: sides[1].edges(work)?,
        };
        Ok(Box::new(Self {
            num_pixels: planes.reference.num_samples(),
            sums: encode_sums(work, Kernel::Mask, 0, &planes)?,
            sides,
        }))
    }

    /// The MSE of both maps, or the pair again where edges are still to be followed.
    pub(crate) fn value(mut self: Box<Self>, words: &Words) -> Result<f64, Box<Self>> {
        // Both must take note of their passes.
        let settled = self.sides.each_mut().map(|side| side.is_settled(words));
        if settled == [true, true] {
            let Self {
                sums, num_pixels, ..
            } = *self;
            return Ok(edge_mse(sums(words), num_pixels));
        }
        Err(self)
    }

    /// The next passes.
    pub(crate) fn go_on(mut self, work: &mut Work<'_>) -> Result<Box<Self>, GpuError> {
        for side in &mut self.sides {
            side.follow(work, MORE_PASSES)?;
        }
        Self::counted(work, self.sides)
    }
}

/// MultiRef's MSE of two maps of 0 and 255: each is divided by 255 unless it has no edge, and then it is 0 anyway.
/// In the order of the CPU's operations, so that the value is the same to the bit.
fn edge_mse([reference, candidate, both]: [u64; 3], num_pixels: usize) -> f64 {
    let different = reference + candidate - 2 * both;
    if (reference > 0) == (candidate > 0) {
        return (65025 * different) as f64 / num_pixels as f64 / 65025.0;
    }
    different as f64 / num_pixels as f64
}

impl Gpu {
    /// Twin of [`juror_metrics::canny`], exact.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::TooLarge`] where four bytes for each pixel do not fit one
    /// buffer: edges are followed through the whole picture.
    pub async fn canny(&self, picture: &Pixels<'_>, thresholds: Canny) -> Result<Edges, GpuError> {
        picture.require_grey()?;
        let mut work = Work::new(self)?;
        let grey = Plane::upload(&mut work, picture)?;
        let mut maxima = Maxima::encode(&mut work, &grey, thresholds)?;
        loop {
            let map = maxima.edges(&mut work)?;
            let read = map.read(&mut work);
            let (words, held) = work.start().finish().await?;
            if maxima.is_settled(&words) {
                return Ok(Edges {
                    map: map.image(&words, &read)?,
                    passes: maxima.passes,
                });
            }
            work = Work::new(self)?;
            work.keep(held);
            maxima.follow(&mut work, MORE_PASSES)?;
        }
    }

    /// Twin of the metric `edge_mse`: both pictures' edges by 100 and 200 on `OpenCV`'s grey; equal to the bit.
    ///
    /// # Errors
    /// As [`Gpu::canny`].
    pub async fn edge_mse(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<f64, GpuError> {
        reference.require_same_size(candidate)?;
        let mut work = Work::new(self)?;
        let planes = Planes::upload(&mut work, reference, candidate)?;
        let greys = planes.grey(&mut work, Grey::OpenCv)?;
        let mut pair = EdgePair::encode(&mut work, &greys)?;
        loop {
            let (words, held) = work.start().finish().await?;
            pair = match pair.value(&words) {
                Ok(value) => return Ok(value),
                Err(pair) => pair,
            };
            work = Work::new(self)?;
            work.keep(held);
            pair = pair.go_on(&mut work)?;
        }
    }
}
