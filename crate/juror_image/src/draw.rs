//! Paints discs, lines, rectangles and triangles with smooth edges, so that cases made by a procedure can be written as pictures.
//!
//! A pixel is covered by as much as its centre lies inside of the edge, from half a pixel outside (nothing) to half a pixel
//! inside (all): a signed distance, clamped. Coordinates are pixels from the upper left; pixel (0, 0) has its centre at (½, ½).

use crate::Rgb;

/// A place in a picture.
pub type Place = (f64, f64);

/// Something to paint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape<'a> {
    /// An upright rectangle by its upper left corner, width and height.
    Rect([f64; 4]),
    /// A disc by its centre and radius.
    Disc(Place, f64),
    /// A line through points with a width; ends and joints are round.
    Line(&'a [Place], f64),
    /// A filled triangle; its corners may go round either way.
    Triangle([Place; 3]),
}

impl Rgb {
    /// Paints a shape over what is there; what lies outside of the picture is left out.
    ///
    /// # Example
    /// ```
    /// use juror_image::{Rgb, Shape};
    /// let mut image = Rgb::filled(4, 1, [0, 0, 0])?;
    /// // The third pixel is covered by half.
    /// image.paint(Shape::Rect([0.0, 0.0, 2.5, 1.0]), [200, 100, 0]);
    /// assert_eq!(image.data, [200, 100, 0, 200, 100, 0, 100, 50, 0, 0, 0, 0]);
    /// # Ok::<(), juror_image::ImageError>(())
    /// ```
    pub fn paint(&mut self, shape: Shape<'_>, colour: [u8; 3]) {
        let [left, top, right, bottom] = shape.bounds();
        let columns = inside(left, right, self.width);
        for y in inside(top, bottom, self.height) {
            for x in columns.clone() {
                let cover = shape.cover(f64::from(x) + 0.5, f64::from(y) + 0.5);
                if cover > 0.0 {
                    self.blend(x, y, colour, cover);
                }
            }
        }
    }

    fn blend(&mut self, x: u32, y: u32, colour: [u8; 3], cover: f64) {
        let at = 3 * (y as usize * self.width as usize + x as usize);
        let Some(pixel) = self.data.get_mut(at..at + 3) else {
            return;
        };
        for (channel, new) in pixel.iter_mut().zip(colour) {
            let old = f64::from(*channel);
            *channel = byte(old + (f64::from(new) - old) * cover);
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte"
)]
fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// The pixels of a side that a shape from `low` to `high` may cover.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the side"
)]
fn inside(low: f64, high: f64, side: u32) -> std::ops::Range<u32> {
    let clamped = |at: f64| at.clamp(0.0, f64::from(side)) as u32;
    clamped((low - 1.0).floor())..clamped((high + 1.0).ceil())
}

impl Shape<'_> {
    /// Left, top, right, bottom.
    fn bounds(&self) -> [f64; 4] {
        let around = |places: &[Place], by: f64| {
            let mut bounds = [
                f64::INFINITY,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NEG_INFINITY,
            ];
            for (x, y) in places {
                bounds = [
                    bounds[0].min(x - by),
                    bounds[1].min(y - by),
                    bounds[2].max(x + by),
                    bounds[3].max(y + by),
                ];
            }
            bounds
        };
        match self {
            Self::Rect([x, y, w, h]) => [*x, *y, x + w, y + h],
            Self::Disc(at, radius) => around(&[*at], *radius),
            Self::Line(places, width) => around(places, width / 2.0),
            Self::Triangle(corners) => around(corners, 0.0),
        }
    }

    /// How much of the pixel with this centre is covered, from 0 to 1.
    fn cover(&self, x: f64, y: f64) -> f64 {
        let smooth = |depth: f64| (depth + 0.5).clamp(0.0, 1.0);
        match self {
            Self::Rect([left, top, w, h]) => {
                // Exact for upright edges: the overlap of two intervals on each axis.
                let overlap = |low: f64, size: f64, at: f64| {
                    ((low + size).min(at + 0.5) - low.max(at - 0.5)).clamp(0.0, 1.0)
                };
                overlap(*left, *w, x) * overlap(*top, *h, y)
            }
            Self::Disc(at, radius) => smooth(radius - far((x, y), *at)),
            Self::Line(places, width) => {
                let gaps = places.windows(2).map(|ends| gap((x, y), ends[0], ends[1]));
                let single = places.first().map(|at| far((x, y), *at));
                let nearest = gaps.chain(single).fold(f64::INFINITY, f64::min);
                smooth(width / 2.0 - nearest)
            }
            Self::Triangle([a, b, c]) => {
                let turn = side(*a, *b, *c);
                if turn == 0.0 {
                    return 0.0;
                }
                let depths = [(*a, *b), (*b, *c), (*c, *a)]
                    .map(|(from, to)| side(from, to, (x, y)) * turn.signum() / far(from, to));
                smooth(depths.into_iter().fold(f64::INFINITY, f64::min))
            }
        }
    }
}

fn far(a: Place, b: Place) -> f64 {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    (x * x + y * y).sqrt()
}

/// Twice the signed area of a triangle.
fn side(a: Place, b: Place, c: Place) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// How far a place is from a segment.
fn gap(at: Place, from: Place, to: Place) -> f64 {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = x * x + y * y;
    if length == 0.0 {
        return far(at, from);
    }
    let part = ((at.0 - from.0) * x + (at.1 - from.1) * y) / length;
    let part = part.clamp(0.0, 1.0);
    far(at, (from.0 + part * x, from.1 + part * y))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// How much ink a shape leaves on a black picture, in pixels.
    fn area(shape: Shape<'_>) -> f64 {
        let mut image = Rgb::filled(64, 64, [0, 0, 0]).unwrap();
        image.paint(shape, [255, 255, 255]);
        let sum: u32 = image.data.iter().map(|value| u32::from(*value)).sum();
        f64::from(sum) / 255.0 / 3.0
    }

    #[test]
    fn a_shape_covers_its_area() {
        let close = |found: f64, expected: f64| {
            assert!(
                (found - expected).abs() < 0.01 * expected,
                "{found} is not {expected}"
            );
        };
        close(area(Shape::Rect([10.25, 10.0, 20.5, 7.5])), 20.5 * 7.5);
        close(
            area(Shape::Disc((31.3, 30.8), 20.0)),
            std::f64::consts::PI * 400.0,
        );
        // 30 long and 6 wide, with half a disc at each end.
        let line = [(15.0, 30.0), (45.0, 30.0)];
        close(
            area(Shape::Line(&line, 6.0)),
            180.0 + std::f64::consts::PI * 9.0,
        );
        let corners = [(10.0, 10.0), (50.0, 15.0), (20.0, 50.0)];
        close(
            area(Shape::Triangle(corners)),
            side(corners[0], corners[1], corners[2]) / 2.0,
        );
        let [a, b, c] = corners;
        assert!((area(Shape::Triangle([c, b, a])) - area(Shape::Triangle(corners))).abs() < 1e-9);
    }

    #[test]
    fn what_lies_outside_or_has_no_area_leaves_the_picture_as_it_is() {
        for shape in [
            Shape::Rect([-9.0, -9.0, 5.0, 5.0]),
            Shape::Disc((200.0, 3.0), 9.0),
            Shape::Line(&[], 4.0),
            Shape::Triangle([(1.0, 1.0), (5.0, 5.0), (9.0, 9.0)]),
        ] {
            assert!(area(shape).abs() < 1e-9, "{shape:?}");
        }
        // Half of it lies inside.
        assert!((area(Shape::Rect([-5.0, 0.0, 10.0, 2.0])) - 10.0).abs() < 1e-9);
    }
}
