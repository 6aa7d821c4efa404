//! A metric place by place, for readers who want to see where its value comes from.

use crate::Canny;
use crate::ChangeMap;
use crate::Extent;
use crate::Grey;
use crate::Image;
use crate::Metric;
use crate::MetricError;
use crate::Pixels;
use crate::Window;
use crate::canny::EdgeBits;
use crate::change_map;
use crate::grey;
use crate::ssim_with_map;

/// What a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    /// [`Metric::Ssim`] of each 7 × 7 window, mean of the channels.
    Ssim,
    /// [`Metric::SsimGaussian`] of each 11 × 11 window, mean of the channels.
    SsimGaussian,
    /// [`Metric::EdgeMse`]: which pictures have an edge at a pixel; 0 neither, 1 the reference, 2 the candidate, 3 both.
    Edges,
    /// [`Metric::Changed`]: a pixel's largest difference over its channels, 0 … 255.
    Change,
}

impl MapKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ssim, Self::SsimGaussian, Self::Edges, Self::Change];

    /// The metric whose value the map adds up to; its name is also the map's.
    pub fn metric(self) -> Metric {
        match self {
            Self::Ssim => Metric::Ssim,
            Self::SsimGaussian => Metric::SsimGaussian,
            Self::Edges => Metric::EdgeMse,
            Self::Change => Metric::Changed,
        }
    }

    /// The map of a metric by name.
    ///
    /// # Errors
    /// [`MetricError::UnknownMetric`] with the names of all that have a map.
    pub fn from_id(name: &str) -> Result<Self, MetricError> {
        let found = Self::ALL
            .into_iter()
            .find(|kind| kind.metric().id() == name);
        found.ok_or_else(|| MetricError::UnknownMetric {
            name: name.to_owned(),
            known: Self::ALL.map(|kind| kind.metric().id()).join(", "),
        })
    }
}

/// A metric place by place.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricMap {
    /// The metric of the whole pair, the very number of [`Metric::compute`].
    pub value: f64,
    /// One number for each place.
    pub places: Image<f64>,
    /// How far the first place lies from the left and from the upper border: a window's half.
    pub inset: usize,
}

impl MetricMap {
    /// The map of a pair of pictures of one size, red, green, blue.
    ///
    /// # Errors
    /// Those of the metric.
    ///
    /// ```
    /// use juror_metrics::{Image, MapKind, MetricMap};
    /// let (black, mut marked) = (Image::new(9, 8, 3, vec![0; 216])?, vec![0; 216]);
    /// marked[3 * (9 * 7 + 8)] = 90;
    /// let marked = Image::new(9, 8, 3, marked)?;
    /// let change = MetricMap::of(MapKind::Change, &black, &marked)?;
    /// assert_eq!((change.places.data()[71], change.inset), (90.0, 0));
    /// assert_eq!(change.value, 1.0 / 72.0);
    /// let ssim = MetricMap::of(MapKind::Ssim, &black, &marked)?;
    /// assert_eq!((ssim.places.view().size(), ssim.inset), ((3, 2), 3));
    /// // Only the window in the corner sees the mark.
    /// assert_eq!(ssim.places.data().iter().filter(|place| **place < 1.0).count(), 1);
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn of(
        kind: MapKind,
        reference: &Image<u8>,
        candidate: &Image<u8>,
    ) -> Result<Self, MetricError> {
        let (r, c) = (&reference.view(), &candidate.view());
        match kind {
            MapKind::Ssim => Self::ssim(Window::UNIFORM, r, c),
            MapKind::SsimGaussian => Self::ssim(Window::GAUSSIAN, r, c),
            MapKind::Edges => {
                r.require_same_size(c)?;
                let (r, c) = (edges(r)?, edges(c)?);
                let value = c.mse_multiref(&r);
                let (r, c) = (r.to_image(), c.to_image());
                let mark = |edge: u8, mark: f64| if edge > 0 { mark } else { 0.0 };
                let places = r.data().iter().zip(c.data());
                let places = places.map(|(r, c)| mark(*r, 1.0) + mark(*c, 2.0)).collect();
                let (width, height) = r.view().size();
                Ok(Self {
                    value,
                    places: Image::of(width, height, 1, places),
                    inset: 0,
                })
            }
            MapKind::Change => {
                let found = change_map(r, c, Metric::CHANGE_THRESHOLD, None)?;
                let (width, height) = found.map.view().size();
                let places = found.map.data().iter().map(|place| f64::from(*place));
                Ok(Self {
                    value: found.whole.changed_share().unwrap_or(0.0),
                    places: Image::of(width, height, 1, places.collect()),
                    inset: 0,
                })
            }
        }
    }

    fn ssim(
        window: Window,
        reference: &Pixels<'_>,
        candidate: &Pixels<'_>,
    ) -> Result<Self, MetricError> {
        let (ssim, map) = ssim_with_map(reference, candidate, window, 255.0)?;
        let (width, height) = map.view().size();
        let channels = map.view().channels();
        let mean = |place: &[f64]| place.iter().sum::<f64>() / channels as f64;
        let places = map.data().chunks_exact(channels).map(mean).collect();
        Ok(Self {
            value: ssim.value,
            places: Image::of(width, height, 1, places),
            inset: window.side()? / 2,
        })
    }

    /// The smallest number with its place in the picture, from 0; the first of equal ones.
    pub fn lowest(&self) -> Option<(f64, [usize; 2])> {
        let (width, _) = self.places.view().size();
        let all = self.places.data().iter().copied().enumerate();
        let (at, lowest) = all.min_by(|one, other| one.1.total_cmp(&other.1))?;
        Some((lowest, [at % width, at / width].map(|at| at + self.inset)))
    }
}

/// Differences of a pair, those in a box apart from the rest: left, top, right and bottom pixel, all in the box.
///
/// Of a box that reaches out of the picture, the part in it counts.
///
/// # Errors
/// As [`change_map`].
pub fn change_in_box(
    reference: &Pixels<'_>,
    candidate: &Pixels<'_>,
    threshold: u8,
    [left, top, right, bottom]: Extent,
) -> Result<ChangeMap, MetricError> {
    let (width, height) = reference.size();
    let inside = |at: usize| {
        let (x, y) = (at % width, at / width);
        u8::from((left..=right).contains(&x) && (top..=bottom).contains(&y))
    };
    let region = Image::of(width, height, 1, (0..width * height).map(inside).collect());
    change_map(reference, candidate, threshold, Some(&region.view()))
}

/// The edges that [`Metric::EdgeMse`] compares.
pub(crate) fn edges(picture: &Pixels<'_>) -> Result<EdgeBits, MetricError> {
    let grey = grey(picture, Grey::OpenCv)?;
    Ok(EdgeBits::of(&grey.view(), Canny::MULTIREF))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[expect(
    clippy::float_cmp,
    reason = "the numbers are to be the same, not close"
)]
mod tests {
    use super::*;
    use crate::Input;

    /// Two pictures of stripes, of which the second has a square that the first lacks.
    fn pair() -> [Image<u8>; 2] {
        let draw = |has_square: bool| {
            let pixel = |at: usize| {
                let (x, y) = (at % 40, at / 40);
                let is_square = has_square && (10..20).contains(&x) && (8..16).contains(&y);
                let level = if is_square {
                    240
                } else {
                    40 + 140 * u8::from(x > 30)
                };
                [level, level / 2, 60]
            };
            Image::new(40, 30, 3, (0..1200).flat_map(pixel).collect()).unwrap()
        };
        [draw(false), draw(true)]
    }

    #[test]
    fn the_value_of_a_map_is_the_metrics_own() {
        let [reference, candidate] = pair();
        for kind in MapKind::ALL {
            let map = MetricMap::of(kind, &reference, &candidate).unwrap();
            let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
            assert_eq!(
                map.value,
                kind.metric().compute(&r, &c).unwrap(),
                "{kind:?}"
            );
            assert_ne!(
                map.value,
                kind.metric().compute(&r, &r).unwrap(),
                "{kind:?}"
            );
        }
    }

    #[test]
    fn the_places_of_a_map_add_up_to_its_value() {
        let [reference, candidate] = pair();
        for kind in [MapKind::Ssim, MapKind::SsimGaussian] {
            let map = MetricMap::of(kind, &reference, &candidate).unwrap();
            let places = map.places.data();
            let mean = places.iter().sum::<f64>() / places.len() as f64;
            assert!((mean - map.value).abs() < 1e-12, "{kind:?}");
            let (lowest, [x, y]) = map.lowest().unwrap();
            assert!(lowest < map.value && (6..24).contains(&x) && (4..20).contains(&y));
        }
        let map = MetricMap::of(MapKind::Change, &reference, &candidate).unwrap();
        let changed = map.places.data().iter().filter(|place| **place > 16.0);
        assert_eq!(changed.count() as f64 / 1200.0, map.value);
    }

    #[test]
    fn edges_say_whose_they_are() {
        let [reference, candidate] = pair();
        let count = |r: &Image<u8>, c: &Image<u8>, mark: f64| {
            let map = MetricMap::of(MapKind::Edges, r, c).unwrap();
            map.places
                .data()
                .iter()
                .filter(|place| **place == mark)
                .count()
        };
        assert!(
            count(&reference, &candidate, 3.0) > 20,
            "the stripe is in both"
        );
        assert!(
            count(&reference, &candidate, 2.0) > 20,
            "the square is the candidate's"
        );
        assert_eq!(count(&reference, &candidate, 1.0), 0);
        assert_eq!(
            count(&candidate, &reference, 1.0),
            count(&reference, &candidate, 2.0)
        );
    }

    #[test]
    fn a_box_divides_the_change() {
        let [reference, candidate] = pair();
        let (r, c) = (reference.view(), candidate.view());
        let found = change_in_box(&r, &c, 16, [10, 8, 19, 15]).unwrap();
        assert_eq!((found.inside.pixels, found.inside.changed), (80, 80));
        assert_eq!((found.outside.pixels, found.outside.changed), (1120, 0));
        let smaller = change_in_box(&r, &c, 16, [10, 8, 19, 14]).unwrap();
        assert_eq!(smaller.outside.changed, 10);
        let reaching = change_in_box(&r, &c, 16, [35, 28, 90, 90]).unwrap();
        assert_eq!((reaching.inside.pixels, reaching.inside.changed), (10, 0));
        let empty = change_in_box(&r, &c, 16, [6, 0, 5, 29]).unwrap();
        assert_eq!((empty.inside.mae(), empty.outside.changed), (None, 80));
    }

    #[test]
    fn only_some_metrics_have_a_map() {
        assert_eq!(MapKind::from_id("edge_mse").unwrap(), MapKind::Edges);
        let refused = MapKind::from_id("mse").unwrap_err().to_string();
        assert!(
            refused.contains("ssim, ssim_gaussian, edge_mse, changed"),
            "{refused}"
        );
    }
}
