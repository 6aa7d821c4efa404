//! Resamples as `cv2.resize` does, because MultiRef's metrics bring references to the generated picture's size with it.
//!
//! Source: OpenCV's `resize.cpp`, re-stated; checked against 4.11 (4.10 to 5.0 agree): nearest, area and 8-bit linear
//! are equal to the byte, f64 planes to the last digits of a sum.
//! (With Intel's library, as in the wheels for x86, OpenCV takes another formula for linear f64: up to 2 · 10⁻⁶ off.)
//! Pillow's resampling is another one and lives with the pictures.

use std::ops::{AddAssign, Mul};

use crate::Image;
use crate::MetricError;
use crate::View;

/// How `cv2.resize` fills the new places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resampling {
    /// `INTER_NEAREST`: the place ⌊x · from / to⌋, no rounding to the middle.
    Nearest,
    /// `INTER_AREA`: means over areas when both sides shrink, else linear with its own places.
    Area,
    /// `INTER_LINEAR`: between the two nearest middles, without antialiasing.
    Linear,
}

/// A sample that OpenCV resamples: bytes in fixed point or f32, f64 as it is.
pub trait Sample: Copy + Default + private::Sealed {
    /// What areas are summed in.
    type Sum: Copy + Default + AddAssign + Mul<Output = Self::Sum>;
    /// The sample as a summand.
    #[doc(hidden)]
    fn summand(self) -> Self::Sum;
    /// A weight as a factor.
    #[doc(hidden)]
    fn factor(weight: f32) -> Self::Sum;
    /// The sum as a sample: bytes are rounded half to even.
    #[doc(hidden)]
    fn sample(sum: Self::Sum) -> Self;
    /// The mean of a whole number of places.
    #[doc(hidden)]
    fn mean(places: impl Iterator<Item = Self>, rows: usize, columns: usize) -> Self;
    /// A row between samples: `left · (1 − f) + right · f` at each place.
    #[doc(hidden)]
    fn between_rows(
        rows: [&[Self]; 2],
        columns: &[Between],
        row: &Between,
        channels: usize,
    ) -> Vec<Self>;
}

mod private {
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for f64 {}
}

/// The picture at another size.
///
/// Borders repeat the outermost sample; a picture of the same size is copied.
///
/// # Errors
/// [`MetricError::NoArea`] when a side is 0.
///
/// ```
/// use juror_metrics::{Resampling, View, resize};
/// let row = View::new(4, 1, 1, &[0, 10, 20, 31_u8])?;
/// assert_eq!(resize(&row, 2, 1, Resampling::Area)?.data(), [5, 26]); // 25.5 to even
/// assert_eq!(resize(&row, 2, 1, Resampling::Nearest)?.data(), [0, 20]);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn resize<T: Sample>(
    picture: &View<'_, T>,
    width: usize,
    height: usize,
    resampling: Resampling,
) -> Result<Image<T>, MetricError> {
    if width == 0 || height == 0 {
        return Err(MetricError::NoArea { width, height });
    }
    if picture.size() == (width, height) {
        return Ok(picture.to_image());
    }
    let to = (width, height);
    let data = match plan(picture.size(), to, resampling) {
        Plan::Nearest { columns, rows } => nearest(picture, &columns, &rows),
        Plan::WholeAreas { columns, rows } => whole_areas(picture, to, columns, rows),
        Plan::Areas { columns, rows } => areas(picture, to, &columns, &rows),
        Plan::Linear { columns, rows } => linear(picture, &columns, &rows),
    };
    Ok(Image::of(width, height, picture.channels(), data))
}

/// Which samples become which, and with what weights: what [`resize`] follows, and what its twins on other hardware are
/// given.
#[derive(Clone, Debug)]
pub enum Plan {
    /// For each new column and row the old one.
    Nearest {
        /// Along a row.
        columns: Vec<usize>,
        /// Down the picture.
        rows: Vec<usize>,
    },
    /// Means of so many whole samples along a row and down.
    WholeAreas {
        /// Along a row.
        columns: usize,
        /// Down the picture.
        rows: usize,
    },
    /// Means of parts of samples; sorted by the new place.
    Areas {
        /// Along a row.
        columns: Vec<Share>,
        /// Down the picture.
        rows: Vec<Share>,
    },
    /// Between two samples each.
    Linear {
        /// Along a row.
        columns: Vec<Between>,
        /// Down the picture.
        rows: Vec<Between>,
    },
}

/// The plan for a picture of one width and height that becomes another; both have an area.
pub fn plan(from: (usize, usize), to: (usize, usize), resampling: Resampling) -> Plan {
    let x = Side::new(from.0, to.0);
    let y = Side::new(from.1, to.1);
    match resampling {
        Resampling::Nearest => Plan::Nearest {
            columns: x.nearest(),
            rows: y.nearest(),
        },
        Resampling::Area if x.shrink >= 1.0 && y.shrink >= 1.0 => {
            match (x.whole_ratio(), y.whole_ratio()) {
                (Some(columns), Some(rows)) => Plan::WholeAreas { columns, rows },
                _ => Plan::Areas {
                    columns: x.shares(),
                    rows: y.shares(),
                },
            }
        }
        Resampling::Area => Plan::Linear {
            columns: x.between_areas(Axis::Columns),
            rows: y.between_areas(Axis::Rows),
        },
        Resampling::Linear => Plan::Linear {
            columns: x.between_middles(Axis::Columns),
            rows: y.between_middles(Axis::Rows),
        },
    }
}

/// One side of the picture: how long it is and how long it becomes.
#[derive(Clone, Copy)]
struct Side {
    from: usize,
    to: usize,
    /// to / from.
    grow: f64,
    /// 1 / (to / from): OpenCV takes the reciprocal, which is not always from / to.
    shrink: f64,
}

/// A place between two samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// The earlier sample.
    pub left: usize,
    /// The later one; at the border the same.
    pub right: usize,
    /// How much of the later one, 0 … 1.
    pub fraction: f32,
}

impl Between {
    /// Eleven fraction bits of the weights of both samples, each rounded half to even by itself.
    pub fn weights(&self) -> [i32; 2] {
        weights(self.fraction)
    }
}

/// A sample's share in an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The new place.
    pub to: usize,
    /// The sample.
    pub from: usize,
    /// Its part of the new place, 0 … 1.
    pub weight: f32,
}

/// ⌊x⌋ of a number that is no larger than a side.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounded by a side, and negative numbers are 0"
)]
fn floor(x: f64) -> usize {
    x.floor().max(0.0) as usize
}

impl Side {
    fn new(from: usize, to: usize) -> Self {
        let grow = to as f64 / from as f64;
        Self {
            from,
            to,
            grow,
            shrink: 1.0 / grow,
        }
    }

    /// The whole number of samples that become one.
    fn whole_ratio(self) -> Option<usize> {
        let whole = self.shrink.round_ties_even();
        ((self.shrink - whole).abs() < f64::EPSILON).then(|| floor(whole))
    }

    fn nearest(self) -> Vec<usize> {
        (0..self.to)
            .map(|to| floor(to as f64 * self.shrink).min(self.from - 1))
            .collect()
    }

    /// Which samples share in which area; shares below a thousandth of a sample are left out.
    fn shares(self) -> Vec<Share> {
        let mut shares = Vec::with_capacity(2 * self.from.max(self.to));
        for to in 0..self.to {
            let begin = to as f64 * self.shrink;
            let end = begin + self.shrink;
            let len = self.shrink.min(self.from as f64 - begin);
            let last = floor(end).min(self.from - 1);
            let first = floor(begin.ceil()).min(last);
            let mut push = |from, share: f64| {
                shares.push(Share {
                    to,
                    from,
                    weight: single(share / len),
                });
            };
            if first as f64 - begin > 1e-3 {
                push(first - 1, first as f64 - begin);
            }
            for from in first..last {
                push(from, 1.0);
            }
            if end - last as f64 > 1e-3 {
                push(last, (end - last as f64).min(1.0).min(len));
            }
        }
        shares
    }

    /// Places of `INTER_LINEAR`: (i + ½) · shrink − ½.
    fn between_middles(self, axis: Axis) -> Vec<Between> {
        (0..self.to)
            .map(|to| {
                let middle = single((to as f64 + 0.5) * self.shrink - 0.5);
                let left = middle.floor();
                if left < 0.0 {
                    return Between {
                        left: 0,
                        right: 0,
                        fraction: axis.at_border(middle - left),
                    };
                }
                self.between(floor(f64::from(left)), middle - left, axis)
            })
            .collect()
    }

    /// Places of `INTER_AREA` where a side grows.
    fn between_areas(self, axis: Axis) -> Vec<Between> {
        (0..self.to)
            .map(|to| {
                let left = floor(to as f64 * self.shrink);
                let reach = single((to + 1) as f64 - (left + 1) as f64 * self.grow);
                let fraction = if reach <= 0.0 {
                    0.0
                } else {
                    reach - reach.floor()
                };
                self.between(left, fraction, axis)
            })
            .collect()
    }

    fn between(self, left: usize, fraction: f32, axis: Axis) -> Between {
        let last = self.from - 1;
        if left < last {
            return Between {
                left,
                right: left + 1,
                fraction,
            };
        }
        Between {
            left: last,
            right: last,
            fraction: axis.at_border(fraction),
        }
    }
}

/// Beyond the outermost sample OpenCV takes that sample as it is along a row, but along a column twice with both
/// weights, whose f32 sum is not always 1.
#[derive(Clone, Copy)]
enum Axis {
    Columns,
    Rows,
}

impl Axis {
    fn at_border(self, fraction: f32) -> f32 {
        match self {
            Self::Columns => 0.0,
            Self::Rows => fraction,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "OpenCV keeps its weights in f32"
)]
fn single(x: f64) -> f32 {
    x as f32
}

fn nearest<T: Sample>(picture: &View<'_, T>, columns: &[usize], rows: &[usize]) -> Vec<T> {
    let channels = picture.channels();
    let mut data = Vec::with_capacity(columns.len() * rows.len() * channels);
    for from in rows {
        let row = picture.row(*from);
        for column in columns {
            data.extend_from_slice(&row[column * channels..(column + 1) * channels]);
        }
    }
    data
}

/// Areas of whole samples.
fn whole_areas<T: Sample>(
    picture: &View<'_, T>,
    (width, height): (usize, usize),
    columns: usize,
    rows: usize,
) -> Vec<T> {
    let channels = picture.channels();
    let mut data = Vec::with_capacity(width * height * channels);
    for to_y in 0..height {
        for to_x in 0..width {
            for channel in 0..channels {
                let places = (0..rows).flat_map(|dy| {
                    let row = picture.row(to_y * rows + dy);
                    (0..columns).map(move |dx| row[(to_x * columns + dx) * channels + channel])
                });
                data.push(T::mean(places, rows, columns));
            }
        }
    }
    data
}

/// Areas of parts of samples: each row is summed along x, then added to the output row with its share.
fn areas<T: Sample>(
    picture: &View<'_, T>,
    (width, height): (usize, usize),
    columns: &[Share],
    rows: &[Share],
) -> Vec<T> {
    let channels = picture.channels();
    let len = width * channels;
    let mut data = Vec::with_capacity(len * height);
    let mut sums = vec![T::Sum::default(); len];
    let mut previous = 0;
    let mut current = vec![T::Sum::default(); len];
    for (idx, share) in rows.iter().enumerate() {
        current.fill(T::Sum::default());
        let row = picture.row(share.from);
        for column in columns {
            let weight = T::factor(column.weight);
            let from = &row[column.from * channels..(column.from + 1) * channels];
            let to = &mut current[column.to * channels..(column.to + 1) * channels];
            for (sum, sample) in to.iter_mut().zip(from) {
                *sum += sample.summand() * weight;
            }
        }
        let weight = T::factor(share.weight);
        if share.to != previous {
            data.extend(sums.iter().map(|sum| T::sample(*sum)));
            previous = share.to;
        }
        // The first row of an area replaces what the area before left behind.
        let is_first = idx == 0 || rows[idx - 1].to != share.to;
        for (sum, row) in sums.iter_mut().zip(&current) {
            if is_first {
                *sum = *row * weight;
            } else {
                *sum += *row * weight;
            }
        }
    }
    data.extend(sums.iter().map(|sum| T::sample(*sum)));
    data
}

fn linear<T: Sample>(picture: &View<'_, T>, columns: &[Between], rows: &[Between]) -> Vec<T> {
    rows.iter()
        .flat_map(|row| {
            let pair = [picture.row(row.left), picture.row(row.right)];
            T::between_rows(pair, columns, row, picture.channels())
        })
        .collect()
}

impl Sample for u8 {
    type Sum = f32;

    fn summand(self) -> f32 {
        f32::from(self)
    }

    fn factor(weight: f32) -> f32 {
        weight
    }

    fn sample(sum: f32) -> Self {
        byte(sum)
    }

    fn mean(places: impl Iterator<Item = Self>, rows: usize, columns: usize) -> Self {
        let sum: u64 = places.map(u64::from).sum();
        if (rows, columns) == (2, 2) {
            // Halves go up here, and to even everywhere else.
            return u8::try_from((sum + 2) >> 2).unwrap_or(Self::MAX);
        }
        byte(single(sum as f64) * (1.0 / single((rows * columns) as f64)))
    }

    fn between_rows(
        rows: [&[Self]; 2],
        columns: &[Between],
        row: &Between,
        channels: usize,
    ) -> Vec<Self> {
        let [above, below] = weights(row.fraction);
        let mut data = Vec::with_capacity(columns.len() * channels);
        for place in columns {
            let [left, right] = weights(place.fraction);
            for channel in 0..channels {
                let [upper, lower] = rows.map(|row| {
                    i32::from(row[place.left * channels + channel]) * left
                        + i32::from(row[place.right * channels + channel]) * right
                });
                let sum = ((above * (upper >> 4)) >> 16) + ((below * (lower >> 4)) >> 16);
                data.push(u8::try_from((sum + 2) >> 2).unwrap_or(Self::MAX));
            }
        }
        data
    }
}

/// Eleven fraction bits of both weights, each rounded half to even by itself.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a weight is between 0 and 2048"
)]
fn weights(fraction: f32) -> [i32; 2] {
    [1.0 - fraction, fraction].map(|weight| (weight * 2048.0).round_ties_even() as i32)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f32 stops at the ends of a byte, as OpenCV does"
)]
fn byte(value: f32) -> u8 {
    value.round_ties_even() as u8
}

impl Sample for f64 {
    type Sum = f64;

    fn summand(self) -> f64 {
        self
    }

    fn factor(weight: f32) -> f64 {
        f64::from(weight)
    }

    fn sample(sum: f64) -> Self {
        sum
    }

    fn mean(places: impl Iterator<Item = Self>, rows: usize, columns: usize) -> Self {
        places.sum::<f64>() * f64::from(1.0 / single((rows * columns) as f64))
    }

    fn between_rows(
        rows: [&[Self]; 2],
        columns: &[Between],
        row: &Between,
        channels: usize,
    ) -> Vec<Self> {
        let [above, below] = [1.0 - row.fraction, row.fraction].map(f64::from);
        let mut data = Vec::with_capacity(columns.len() * channels);
        for place in columns {
            let [left, right] = [1.0 - place.fraction, place.fraction].map(f64::from);
            for channel in 0..channels {
                let [upper, lower] = rows.map(|row| {
                    row[place.left * channels + channel] * left
                        + row[place.right * channels + channel] * right
                });
                data.push(upper * above + lower * below);
            }
        }
        data
    }
}
