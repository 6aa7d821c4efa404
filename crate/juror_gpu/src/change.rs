//! Twin of the change map: whole numbers, exact.

use juror_metrics::{Change, ChangeMap, Extent, Image, Pixels};

use crate::GpuError;
use crate::bands::band;
use crate::context::Gpu;
use crate::kernel::{CHANGE_SUMS, Kernel, flat_groups};
use crate::mse::shape;
use crate::plane::{Plane, Planes};
use crate::work::{Later, Work};

/// What comes of a pair, or of a band of it: map, sums and extent within the band.
pub(crate) struct Found {
    map: Vec<u8>,
    inside: Change,
    outside: Change,
    extent: Option<Extent>,
}

impl Found {
    /// Share of the pixels that changed.
    pub(crate) fn changed_share(&self) -> f64 {
        let whole = self.inside.with(self.outside);
        whole.changed_share().unwrap_or(0.0)
    }

    /// Takes in the next band, which begins at this row.
    fn add(&mut self, first: usize, other: Self) {
        self.map.extend(other.map);
        self.inside = self.inside.with(other.inside);
        self.outside = self.outside.with(other.outside);
        let moved = other
            .extent
            .map(|[x0, y0, x1, y1]| [x0, y0 + first, x1, y1 + first]);
        self.extent = match (self.extent, moved) {
            (Some(a), Some(b)) => Some(union(a, b)),
            (a, b) => a.or(b),
        };
    }
}

fn union([a, b, c, d]: Extent, [e, f, g, h]: Extent) -> Extent {
    [a.min(e), b.min(f), c.max(g), d.max(h)]
}

pub(crate) fn encode(
    work: &mut Work<'_>,
    planes: &Planes,
    threshold: u8,
    region: Option<&Pixels<'_>>,
) -> Result<Later<Found>, GpuError> {
    let [width, _, channels] = shape(planes);
    let map = Plane::output(work, planes.reference.size(), 1)?;
    let marks = match region {
        Some(region) => Plane::upload(work, region)?.buffer,
        None => work.upload("no region", &[0; 4])?,
    };
    let grid = flat_groups(map.num_words());
    let num_sums = u64::from(grid[0]) * u64::from(grid[1]) * u64::from(CHANGE_SUMS);
    let sums = work.output("partial sums", num_sums)?;
    let num_pixels = crate::plane::word(map.num_samples());
    let sizes = [
        num_pixels,
        width,
        channels,
        u32::from(threshold),
        u32::from(region.is_some()),
    ];
    let (r, c) = (&planes.reference.buffer, &planes.candidate.buffer);
    let buffers = [(1, r), (2, c), (3, &marks), (4, &map.buffer), (5, &sums)];
    work.run(Kernel::Change, &sizes, &buffers, grid);
    let map_read = map.read(work);
    let read = work.read(&sums, num_sums);
    let channels = planes.reference.channels;
    Ok(Box::new(move |words| {
        let mut found = Found {
            map: words.bytes(&map_read, map.num_samples()),
            inside: Change::default(),
            outside: Change::default(),
            extent: None,
        };
        for part in words.of(&read).as_chunks::<{ CHANGE_SUMS as usize }>().0 {
            let [parts @ .., x0, y0, x1, y1] = *part;
            let ([outside, inside], _) = parts.as_chunks::<5>() else {
                continue;
            };
            found.outside = found.outside.with(change(*outside, channels));
            found.inside = found.inside.with(change(*inside, channels));
            // The least of nothing exceeds the greatest.
            if x0 <= x1 {
                let extent = [x0, y0, x1, y1].map(|side| side as usize);
                found.extent = Some(found.extent.map_or(extent, |known| union(known, extent)));
            }
        }
        found
    }))
}

fn change([pixels, changed, absolute, squared, largest]: [u32; 5], channels: usize) -> Change {
    Change {
        pixels: pixels.into(),
        changed: changed.into(),
        absolute: absolute.into(),
        squared: squared.into(),
        samples: u64::from(pixels) * channels as u64,
        largest: u8::try_from(largest).unwrap_or(u8::MAX),
    }
}

impl Gpu {
    /// Twin of [`juror_metrics::change_map`], exact; any size, in bands where it must be; up to four channels.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::NoTwin`] for more channels.
    pub async fn change_map(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
        threshold: u8,
        region: Option<&Pixels<'_>>,
    ) -> Result<ChangeMap, GpuError> {
        let found = self
            .changes(reference, candidate, threshold, region)
            .await?;
        let (width, height) = reference.size();
        Ok(ChangeMap {
            map: Image::new(width, height, 1, found.map)?,
            whole: found.inside.with(found.outside),
            inside: found.inside,
            outside: found.outside,
            extent: found.extent,
        })
    }

    pub(crate) async fn changes(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
        threshold: u8,
        region: Option<&Pixels<'_>>,
    ) -> Result<Found, GpuError> {
        if let Some(region) = region {
            region.require_grey()?;
            reference.require_same_size(region)?;
        }
        if reference.channels() > 4 {
            return Err(GpuError::NoTwin {
                metric: "the change map of more than four channels",
            });
        }
        let mut found: Option<Found> = None;
        let encode = |work: &mut Work<'_>, planes: &Planes, first| {
            let rows = planes.reference.height;
            let region = region.map(|region| band(region, first, rows)).transpose()?;
            encode(work, planes, threshold, region.as_ref())
        };
        let add = |first, more: Found| match &mut found {
            None => found = Some(more),
            Some(found) => found.add(first, more),
        };
        self.in_bands(reference, candidate, 0, encode, add).await?;
        found.ok_or(GpuError::Refused {
            reason: "it gave no result".to_owned(),
        })
    }
}
