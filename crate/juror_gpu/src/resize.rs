//! Twins of resampling: `OpenCV`'s by the plan of `juror_metrics`, Pillow's by the tables of `juror_image`.

use juror_metrics::{Between, Image, MetricError, Pixels, Plan, Resampling, Share, plan};

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, flat_groups};
use crate::plane::{Plane, word};
use crate::work::Work;

/// Where the weights of one new place begin among the old ones, and the weights: `juror_image::Taps` as they are.
#[derive(Clone, Copy, Debug)]
pub struct Taps<'a> {
    /// The first old place.
    pub start: usize,
    /// Fixed-point weights.
    pub weights: &'a [i32],
}

/// Samples that one invocation adds up at most: drivers cut loops that take too long, and some without a word.
const MOST_SAMPLES: usize = 4096;

/// Errors where a place is made of too many samples for one invocation.
fn require_few(samples: usize) -> Result<(), GpuError> {
    if samples <= MOST_SAMPLES {
        return Ok(());
    }
    Err(GpuError::NoTwin {
        metric: "a mean of more than 4,096 samples",
    })
}

/// The most shares that a place has.
fn most_shares(shares: &[Share]) -> usize {
    let runs = shares.chunk_by(|a, b| a.to == b.to);
    runs.map(<[Share]>::len).max().unwrap_or(0)
}

fn int(place: usize) -> i32 {
    i32::try_from(place).unwrap_or(i32::MAX)
}

impl Plane {
    /// A picture of another size, as [`juror_metrics::resize`]; of the same size itself.
    pub(crate) fn resized(
        &self,
        work: &mut Work<'_>,
        to: (usize, usize),
        resampling: Resampling,
    ) -> Result<Self, GpuError> {
        if self.size() == to {
            return Ok(self.clone());
        }
        match plan(self.size(), to, resampling) {
            Plan::Nearest { columns, rows } => {
                let [columns, rows] =
                    [columns, rows].map(|places| places.into_iter().map(int).collect::<Vec<_>>());
                self.filled(work, Kernel::ResizeNearest, to, [&columns, &rows], [0; 4])
            }
            Plan::Linear { columns, rows } => {
                let [columns, rows] = [columns, rows].map(|places| between(&places));
                self.filled(work, Kernel::ResizeLinear, to, [&columns, &rows], [0; 4])
            }
            Plan::WholeAreas { columns, rows } => {
                require_few(columns * rows)?;
                let factor = 1.0 / (rows * columns) as f32;
                let more = [word(columns), word(rows), factor.to_bits(), 0];
                self.filled(work, Kernel::ResizeMeans, to, [&[0], &[0]], more)
            }
            Plan::Areas { columns, rows } => {
                require_few(most_shares(&columns) * most_shares(&rows))?;
                let (columns, rows) = (shares(&columns, to.0), shares(&rows, to.1));
                self.filled(work, Kernel::ResizeAreas, to, [&columns, &rows], [0; 4])
            }
        }
    }

    /// One pass of Pillow's resampling along rows (`axis` 0) or columns (1).
    fn tapped(
        &self,
        work: &mut Work<'_>,
        taps: &[Taps<'_>],
        fraction_bits: u32,
        axis: u32,
    ) -> Result<Self, GpuError> {
        let longest = taps
            .iter()
            .map(|taps| taps.weights.len())
            .max()
            .unwrap_or(0);
        let stride = longest + 2;
        let mut table = Vec::with_capacity(stride * taps.len());
        for (idx, taps) in taps.iter().enumerate() {
            table.extend([int(taps.start), int(taps.weights.len())]);
            table.extend(taps.weights);
            table.resize((idx + 1) * stride, 0);
        }
        let none = [0];
        let (to, tables) = if axis == 0 {
            ((taps.len(), self.height), [table.as_slice(), &none])
        } else {
            ((self.width, taps.len()), [&none, table.as_slice()])
        };
        let more = [word(stride), axis, 0, fraction_bits];
        self.filled(work, Kernel::ResizeTaps, to, tables, more)
    }

    fn filled(
        &self,
        work: &mut Work<'_>,
        kernel: Kernel,
        to: (usize, usize),
        tables: [&[i32]; 2],
        more: [u32; 4],
    ) -> Result<Self, GpuError> {
        let out = Self::output(work, to, self.channels)?;
        let columns = work.table(tables[0])?;
        let rows = work.table(tables[1])?;
        let mut sizes = [self.width, self.height, self.channels, to.0, to.1]
            .map(word)
            .to_vec();
        sizes.extend(more);
        let buffers = [
            (1, &self.buffer),
            (3, &columns),
            (4, &rows),
            (2, &out.buffer),
        ];
        work.run(kernel, &sizes, &buffers, flat_groups(out.num_words()));
        Ok(out)
    }
}

fn between(places: &[Between]) -> Vec<i32> {
    let numbers = places.iter().flat_map(|place| {
        let [left, right] = place.weights();
        [int(place.left), int(place.right), left, right]
    });
    numbers.collect()
}

/// The positions of each new place's first share, one for the end, then the shares.
fn shares(shares: &[Share], to: usize) -> Vec<i32> {
    let mut table = Vec::with_capacity(to + 1 + 2 * shares.len());
    let mut idx = 0;
    for place in 0..=to {
        while shares.get(idx).is_some_and(|share| share.to < place) {
            idx += 1;
        }
        table.push(int(to + 1 + 2 * idx));
    }
    for share in shares {
        table.extend([int(share.from), share.weight.to_bits().cast_signed()]);
    }
    table
}

impl Gpu {
    /// Twin of [`juror_metrics::resize`] for bytes: nearest, linear and means of whole samples are exact, areas of parts
    /// of samples at most 1 grey level off.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::TooLarge`] beyond one buffer; [`GpuError::NoTwin`] where more
    /// than 4,096 samples become one.
    pub async fn resize(
        &self,
        picture: &Pixels<'_>,
        width: usize,
        height: usize,
        resampling: Resampling,
    ) -> Result<Image<u8>, GpuError> {
        if width == 0 || height == 0 {
            return Err(MetricError::NoArea { width, height }.into());
        }
        let mut work = Work::new(self)?;
        let plane = Plane::upload(&mut work, picture)?;
        let plane = plane.resized(&mut work, (width, height), resampling)?;
        let read = plane.read(&mut work);
        let (words, _held) = work.start().finish().await?;
        plane.image(&words, &read)
    }

    /// Twin of `juror_image::resize`, which is Pillow's: exact. The tables and their fraction bits are `juror_image`'s;
    /// a side without a table keeps its length.
    ///
    /// # Errors
    /// Those of the GPU; [`GpuError::TooLarge`] beyond one buffer; [`MetricError::NoArea`] for an empty table.
    pub async fn resample(
        &self,
        picture: &Pixels<'_>,
        columns: Option<&[Taps<'_>]>,
        rows: Option<&[Taps<'_>]>,
        fraction_bits: u32,
    ) -> Result<Image<u8>, GpuError> {
        let mut work = Work::new(self)?;
        let mut plane = Plane::upload(&mut work, picture)?;
        for (axis, taps) in [(0, columns), (1, rows)] {
            match taps {
                None => {}
                Some([]) => {
                    let (width, height) = if axis == 0 {
                        (0, plane.height)
                    } else {
                        (plane.width, 0)
                    };
                    return Err(MetricError::NoArea { width, height }.into());
                }
                Some(taps) => plane = plane.tapped(&mut work, taps, fraction_bits, axis)?,
            }
        }
        let read = plane.read(&mut work);
        let (words, _held) = work.start().finish().await?;
        plane.image(&words, &read)
    }
}
