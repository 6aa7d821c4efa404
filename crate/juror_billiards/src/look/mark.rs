//! The red box and the ball in it.

use super::super::{HEIGHT, Layout, Point, RADIUS, WIDTH};
use super::Unreadable;
use super::sight::{Sight, place};

/// Fewer pixels than this are no box.
const MIN_PIXELS: usize = 40;
/// Pixels belong together within this distance in x and in y, in pixels: the gap between two dashes.
const JOIN: usize = 8;
/// Each side of a box is at least this long, in pixels.
const MIN_SIDE: f64 = RADIUS;
/// The outline is looked for within this distance of the border, in pixels.
const OUTLINE: f64 = 5.0;
/// At least this share of the outline is red; a circle has less.
const MIN_OUTLINE: f64 = 0.6;
/// At most this share of what is inside of the outline is red.
const MAX_INSIDE: f64 = 0.3;

/// A side of a box.
#[derive(Clone, Copy)]
enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

/// A box by its borders.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Frame {
    fn around(points: &[Point]) -> Self {
        let none = Self {
            left: f64::INFINITY,
            top: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::NEG_INFINITY,
        };
        points.iter().fold(none, |frame, at| Self {
            left: frame.left.min(at.x),
            top: frame.top.min(at.y),
            right: frame.right.max(at.x),
            bottom: frame.bottom.max(at.y),
        })
    }

    fn holds(self, at: Point) -> bool {
        (self.left..=self.right).contains(&at.x) && (self.top..=self.bottom).contains(&at.y)
    }

    /// How far inside a point is.
    fn depth(self, at: Point) -> f64 {
        (at.x - self.left)
            .min(self.right - at.x)
            .min(at.y - self.top)
            .min(self.bottom - at.y)
    }

    /// How far along a side, and how far from it, a point is.
    fn along(self, side: Side, at: Point) -> (f64, f64) {
        match side {
            Side::Top => (at.x - self.left, at.y - self.top),
            Side::Bottom => (at.x - self.left, self.bottom - at.y),
            Side::Left => (at.y - self.top, at.x - self.left),
            Side::Right => (at.y - self.top, self.right - at.x),
        }
    }

    /// Whether points are the outline of it: red all around, and not inside.
    fn is_outlined_by(self, points: &[Point]) -> bool {
        let (width, height) = (self.right - self.left, self.bottom - self.top);
        if width < MIN_SIDE || height < MIN_SIDE {
            return false;
        }
        let inner = points.iter().filter(|at| self.depth(**at) > 2.0 * OUTLINE);
        let area = (width - 4.0 * OUTLINE).max(0.0) * (height - 4.0 * OUTLINE).max(0.0);
        let shares = [Side::Top, Side::Bottom, Side::Left, Side::Right].map(|side| {
            let places = points.iter().map(|at| self.along(side, *at));
            let near = places.filter(|(_, aside)| *aside <= OUTLINE);
            let mut steps: Vec<u16> = near.map(|(along, _)| step(along)).collect();
            steps.sort_unstable();
            steps.dedup();
            let length = match side {
                Side::Top | Side::Bottom => width,
                Side::Left | Side::Right => height,
            };
            steps.len() as f64 / (length + 1.0)
        });
        shares.into_iter().all(|share| share >= MIN_OUTLINE)
            && inner.count() as f64 <= MAX_INSIDE * area
    }
}

/// A length as a whole number of pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to its range before"
)]
fn step(length: f64) -> u16 {
    length.clamp(0.0, 65_535.0) as u16
}

/// The number of the ball in the box; `None` if there is no box or no numbered ball in it.
pub(super) fn target(layout: &Layout, sight: &Sight<'_>) -> Result<Option<u8>, Unreadable> {
    let parts = parts(sight);
    let mut held = Vec::new();
    let (mut num_boxes, mut has_other) = (0, false);
    for part in &parts {
        let frame = Frame::around(part);
        if !frame.is_outlined_by(part) {
            has_other = true;
            continue;
        }
        num_boxes += 1;
        let inside = layout
            .balls
            .iter()
            .filter(|ball| frame.holds(ball.centre()));
        let inside: Vec<u8> = inside.map(|ball| ball.n).collect();
        match inside.as_slice() {
            [] => {}
            [one] => held.push(*one),
            _ => return Err(Unreadable::WideBox),
        }
    }
    if num_boxes == 0 && has_other {
        return Err(Unreadable::NoBox);
    }
    held.dedup();
    match held.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(Unreadable::ManyBoxes),
    }
}

/// The pixels of each thing that is red, without specks.
fn parts(sight: &Sight<'_>) -> Vec<Vec<Point>> {
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let mut is_left = sight.red.clone();
    let mut found = Vec::new();
    for first in 0..is_left.len() {
        if !is_left[first] {
            continue;
        }
        is_left[first] = false;
        let (mut part, mut waiting) = (Vec::new(), vec![first]);
        while let Some(at) = waiting.pop() {
            part.push(place(at));
            let (x, y) = (at % width, at / width);
            for y in y.saturating_sub(JOIN)..(y + JOIN + 1).min(height) {
                for x in x.saturating_sub(JOIN)..(x + JOIN + 1).min(width) {
                    let next = y * width + x;
                    if is_left[next] {
                        is_left[next] = false;
                        waiting.push(next);
                    }
                }
            }
        }
        if part.len() >= MIN_PIXELS {
            found.push(part);
        }
    }
    found
}
