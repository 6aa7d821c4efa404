//! Marks as strokes, and strokes as a transparent picture of the source's size.
//!
//! Pure red as the paper says; it says no width, so the width and the arrow's head are our choices.

use juror_image::{Place, Rgb, Rgba, Shape, encode_png_rgba};
use serde::Serialize;

use super::marks::{Mark, Marks, Point};
use crate::Error;

/// Pure red, as the paper's marks are.
pub const RED: [u8; 3] = [255, 0, 0];
/// The thinnest line in pixels; our choice.
pub const MIN_LINE: f64 = 3.0;
/// A line's width as a part of the picture's long side; our choice.
pub const LINE_OF_LONG_SIDE: f64 = 0.006;
/// An arrow's head is so many lines long, and as wide as long; our choice.
const HEAD_OF_LINE: f64 = 5.0;
/// A head takes at most this part of its arrow; our choice.
const MAX_HEAD: f64 = 0.5;

/// The width of lines over a picture of this size.
///
/// # Example
/// ```
/// use juror_make::annotation::line_width;
/// assert_eq!(line_width(400, 300), 3.0);
/// assert_eq!(line_width(1500, 2000), 12.0);
/// ```
pub fn line_width(width: u32, height: u32) -> f64 {
    MIN_LINE.max(LINE_OF_LONG_SIDE * f64::from(width.max(height)))
}

/// What a mark is drawn from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MarkStroke")
)]
pub enum Stroke {
    /// A line with round ends.
    Line([Place; 2]),
    /// A filled triangle.
    Head([Place; 3]),
}

fn place([x, y]: Point) -> Place {
    (f64::from(x), f64::from(y))
}

/// The strokes of a mark, for lines of this width.
pub fn strokes(mark: &Mark, width: f64) -> Vec<Stroke> {
    let through = |points: &[Point]| -> Vec<Stroke> {
        let pairs = points.windows(2);
        pairs
            .map(|ends| Stroke::Line([place(ends[0]), place(ends[1])]))
            .collect()
    };
    match mark {
        Mark::Box([left, top, right, bottom]) => through(&[
            [*left, *top],
            [*right, *top],
            [*right, *bottom],
            [*left, *bottom],
            [*left, *top],
        ]),
        Mark::Arrow([from, to]) => arrow(place(*from), place(*to), width),
        Mark::Frustum([apex, a, b, c, d]) => {
            let mut all = through(&[*a, *b, *c, *d, *a]);
            all.extend([a, b, c, d].map(|corner| Stroke::Line([place(*apex), place(*corner)])));
            all
        }
        Mark::Pen(points) => through(points),
    }
}

fn arrow(from: Place, to: Place, width: f64) -> Vec<Stroke> {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = (x * x + y * y).sqrt();
    if length == 0.0 {
        return vec![Stroke::Line([from, to])];
    }
    let (x, y) = (x / length, y / length);
    let head = (HEAD_OF_LINE * width).min(MAX_HEAD * length);
    let neck = (to.0 - head * x, to.1 - head * y);
    let half = head / 2.0;
    vec![
        Stroke::Line([from, neck]),
        Stroke::Head([
            to,
            (neck.0 - half * y, neck.1 + half * x),
            (neck.0 + half * y, neck.1 - half * x),
        ]),
    ]
}

/// The marks of all items as one transparent PNG of this size.
pub(super) fn layer([width, height]: [u32; 2], items: &[&Marks]) -> Result<Vec<u8>, Error> {
    let unpainted = |error: juror_image::ImageError| Error::Picture(error.message());
    // How much of each pixel is covered, painted white on black.
    let mut cover = Rgb::filled(width, height, [0; 3]).map_err(unpainted)?;
    for marks in items {
        let line = marks.line_width();
        for stroke in marks.marks.iter().flat_map(|mark| strokes(mark, line)) {
            match stroke {
                Stroke::Line(ends) => cover.paint(Shape::Line(&ends, line), [255; 3]),
                Stroke::Head(corners) => cover.paint(Shape::Triangle(corners), [255; 3]),
            }
        }
    }
    let pixels = cover.data.chunks_exact(3);
    let data = pixels.flat_map(|pixel| match pixel[0] {
        0 => [0; 4],
        alpha => [RED[0], RED[1], RED[2], alpha],
    });
    encode_png_rgba(&Rgba {
        width,
        height,
        data: data.collect(),
    })
    .map_err(unpainted)
}
