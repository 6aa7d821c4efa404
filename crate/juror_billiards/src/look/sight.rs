//! A picture as what is looked for in it: brightness, and the colours of way and box.

use super::super::{HEIGHT, Point, WIDTH};
use super::NUM_PIXELS;

/// G − max(R, B) of a pixel of the way is more than this, in levels of 255.
const MIN_GREEN: i32 = 60;
/// R − max(G, B) of a pixel of the box is more than this, in levels of 255.
const MIN_RED: i32 = 80;

/// A picture of the table's size.
pub(super) struct Sight<'a> {
    rgb: &'a [u8],
    /// Brightness from 0 to 255, as the mean of 3 × 3 pixels: noise of single pixels is no edge.
    luma: Vec<i32>,
    /// Pixels of the way.
    pub(super) green: Vec<bool>,
    /// Pixels of the box.
    pub(super) red: Vec<bool>,
}

impl<'a> Sight<'a> {
    pub(super) fn new(rgb: &'a [u8]) -> Option<Self> {
        if rgb.len() != 3 * NUM_PIXELS {
            return None;
        }
        let pixels = || rgb.as_chunks::<3>().0.iter().map(|p| p.map(i32::from));
        let plain: Vec<i32> = pixels().map(luma).collect();
        Some(Self {
            rgb,
            luma: smooth(&plain),
            green: pixels().map(|[r, g, b]| g - r.max(b) > MIN_GREEN).collect(),
            red: pixels().map(|[r, g, b]| r - g.max(b) > MIN_RED).collect(),
        })
    }

    pub(super) fn colour(&self, at: usize) -> [i32; 3] {
        let pixel = self.rgb.get(3 * at..3 * at + 3).unwrap_or(&[0; 3]);
        [pixel[0], pixel[1], pixel[2]].map(i32::from)
    }

    /// Brightness of one pixel, without its neighbours.
    pub(super) fn bare_luma(&self, at: usize) -> i32 {
        luma(self.colour(at))
    }

    /// Brightness at a place; 0 outside of the picture.
    pub(super) fn luma(&self, at: Point) -> i32 {
        index(at).map_or(0, |at| self.luma[at])
    }

    /// Whether a place is a pixel of way or box, which may cover what was there.
    pub(super) fn is_drawn_over(&self, at: Point) -> bool {
        index(at).is_some_and(|at| self.is_drawn(at))
    }

    pub(super) fn is_drawn(&self, at: usize) -> bool {
        self.green[at] || self.red[at]
    }

    pub(super) fn is_green(&self, at: Point) -> bool {
        index(at).is_some_and(|at| self.green[at])
    }

    /// The mean colour of a disc without what is drawn over it, as far as `counts` lets pixels count, and the share of the
    /// pixels that count.
    pub(super) fn mean(
        &self,
        centre: Point,
        radius: f64,
        counts: impl Fn(Point) -> bool,
    ) -> ([f64; 3], f64) {
        let (mut sum, mut seen, mut all) = ([0_i32; 3], 0_u32, 0_u32);
        for offset in disc(radius) {
            all += 1;
            let at = Point::new(centre.x + offset.x, centre.y + offset.y);
            let Some(place) = index(at).filter(|place| !self.is_drawn(*place) && counts(offset))
            else {
                continue;
            };
            seen += 1;
            for (sum, channel) in sum.iter_mut().zip(self.colour(place)) {
                *sum += channel;
            }
        }
        let mean = sum.map(|sum| f64::from(sum) / f64::from(seen.max(1)));
        (mean, f64::from(seen) / f64::from(all.max(1)))
    }
}

/// Offsets of the whole pixels of a disc from its centre.
fn disc(radius: f64) -> Vec<Point> {
    let reach = i32::from(small(radius));
    let offsets =
        (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (f64::from(x), f64::from(y))));
    offsets
        .filter(|(x, y)| x * x + y * y <= radius * radius)
        .map(|(x, y)| Point::new(x, y))
        .collect()
}

/// A length below 256 as a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte before"
)]
pub(super) fn small(length: f64) -> u8 {
    length.clamp(0.0, 255.0) as u8
}

/// The number of the pixel at a place; `None` outside of the picture.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "inside of the picture, as was asked before"
)]
pub(super) fn index(at: Point) -> Option<usize> {
    let is_inside =
        at.x >= 0.0 && at.y >= 0.0 && at.x < f64::from(WIDTH) && at.y < f64::from(HEIGHT);
    is_inside.then(|| at.y as usize * WIDTH as usize + at.x as usize)
}

/// Where a pixel's centre is.
pub(super) fn place(at: usize) -> Point {
    let width = WIDTH as usize;
    Point::new((at % width) as f64 + 0.5, (at / width) as f64 + 0.5)
}

/// Brightness as ITU-R BT.601 weighs it.
fn luma([r, g, b]: [i32; 3]) -> i32 {
    (299 * r + 587 * g + 114 * b) / 1000
}

/// The mean of each pixel and its neighbours; borders repeat.
fn smooth(plain: &[i32]) -> Vec<i32> {
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let around = |at: usize, most: usize| [at.saturating_sub(1), at, (at + 1).min(most - 1)];
    let mut rows = vec![0; plain.len()];
    for (at, sum) in rows.iter_mut().enumerate() {
        let (x, y) = (at % width, at / width);
        *sum = around(x, width).map(|x| plain[y * width + x]).iter().sum();
    }
    let mut means = vec![0; plain.len()];
    for (at, mean) in means.iter_mut().enumerate() {
        let (x, y) = (at % width, at / width);
        let sum: i32 = around(y, height).map(|y| rows[y * width + x]).iter().sum();
        *mean = sum / 9;
    }
    means
}
