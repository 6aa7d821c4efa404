//! Pictures that are larger than a buffer, in bands of rows: for metrics whose sums add up.

use juror_metrics::{MetricError, Pixels, View};

use crate::GpuError;
use crate::context::Gpu;
use crate::plane::Planes;
use crate::work::{Later, Work};

impl Gpu {
    /// Encodes a pair, or each of its bands one after another, and hands what came of each to `add`, with its first row.
    ///
    /// `overlap` rows belong to two bands, as a window that begins in one ends in the next.
    pub(crate) async fn in_bands<T>(
        &self,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
        overlap: usize,
        encode: impl Fn(&mut Work<'_>, &Planes, usize) -> Result<Later<T>, GpuError>,
        mut add: impl FnMut(usize, T),
    ) -> Result<(), GpuError> {
        reference.require_same_shape(candidate)?;
        for (first, rows) in bands(reference, overlap, self.max_buffer_bytes())? {
            let mut work = Work::new(self)?;
            let planes = Planes::upload(
                &mut work,
                &band(reference, first, rows)?,
                &band(candidate, first, rows)?,
            )?;
            let later = encode(&mut work, &planes, first)?;
            let (words, held) = work.start().finish().await?;
            add(first, later(&words));
            drop(held);
        }
        Ok(())
    }
}

/// Some rows of a picture.
pub(crate) fn band<'a>(
    picture: &Pixels<'a>,
    first: usize,
    rows: usize,
) -> Result<Pixels<'a>, MetricError> {
    let len = picture.width() * picture.channels();
    let data = &picture.data()[first * len..(first + rows) * len];
    View::new(picture.width(), rows, picture.channels(), data)
}

/// First row and number of rows of each band that fits `limit` bytes.
fn bands(
    picture: &Pixels<'_>,
    overlap: usize,
    limit: u64,
) -> Result<Vec<(usize, usize)>, GpuError> {
    let height = picture.height();
    let row = (picture.width() * picture.channels()) as u64;
    // A word more, as the last one is filled up.
    let fitting = usize::try_from(limit.saturating_sub(3) / row).unwrap_or(usize::MAX);
    if fitting >= height {
        return Ok(vec![(0, height)]);
    }
    if fitting <= overlap {
        return Err(GpuError::TooLarge {
            what: "the rows of one window",
            needed: row * (overlap as u64 + 1),
            limit,
        });
    }
    let firsts = (0..height - overlap).step_by(fitting - overlap);
    Ok(firsts
        .map(|first| (first, fitting.min(height - first)))
        .collect())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_every_window_once_and_fit() {
        for (width, height, overlap, limit) in [(5, 100, 0, 64), (5, 100, 6, 64), (5, 13, 12, 68)] {
            let data = vec![0; width * height];
            let picture = View::new(width, height, 1, &data).unwrap();
            let found = bands(&picture, overlap, limit).unwrap();
            let mut windows = 0;
            for (first, rows) in found {
                assert_eq!(
                    first, windows,
                    "no window is left out and none is counted twice"
                );
                assert!(rows > overlap && (width * rows) as u64 <= limit);
                windows += rows - overlap;
            }
            assert_eq!(windows, height - overlap);
        }
    }

    #[test]
    fn a_row_too_wide_is_an_error_with_its_bytes() {
        let data = vec![0; 200];
        let picture = View::new(100, 2, 1, &data).unwrap();
        assert_eq!(
            bands(&picture, 1, 150),
            Err(GpuError::TooLarge {
                what: "the rows of one window",
                needed: 200,
                limit: 150
            })
        );
    }
}
