//! Scenes of the category Logic: a function plot.

use crate::paint::palette as p;
use crate::paint::{Canvas, HEIGHT, Point, WIDTH, mix, sheer};

/// y = x² / 2 over −3 to 3, with a tangent and an area.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plot {
    /// The curve's factor; 0.5 is right.
    pub(crate) factor: f32,
    pub(crate) curve: bool,
    /// The tangent's point of contact and slope.
    pub(crate) tangent: Option<(f32, f32)>,
    /// The shaded area's bounds.
    pub(crate) area: Option<(f32, f32)>,
    pub(crate) grid: bool,
    pub(crate) ink: u32,
}

impl Default for Plot {
    fn default() -> Self {
        Self {
            factor: 0.5,
            curve: true,
            tangent: None,
            area: None,
            grid: true,
            ink: p::BLUE,
        }
    }
}

fn at(x: f32, y: f32) -> Point {
    (192.0 + 48.0 * x, 236.0 - 44.0 * y)
}

impl Plot {
    pub(crate) fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(p::PAPER);
        if self.grid {
            for idx in -4_i8..=4 {
                canvas.rect(
                    at(f32::from(idx), 0.0).0 - 0.5,
                    0.0,
                    1.0,
                    HEIGHT as f32,
                    0x00e6_dcc8,
                );
            }
            for idx in -1_i8..=5 {
                canvas.rect(
                    0.0,
                    at(0.0, f32::from(idx)).1 - 0.5,
                    WIDTH as f32,
                    1.0,
                    0x00e6_dcc8,
                );
            }
        }
        let value = |x: f32| self.factor * x * x;
        if let Some((from, to)) = self.area {
            let steps = (0..=30_u8).map(|step| from + (to - from) * f32::from(step) / 30.0);
            let above: Vec<Point> = steps.map(|x| at(x, value(x))).collect();
            let shape = [vec![at(from, 0.0)], above, vec![at(to, 0.0)]].concat();
            canvas.poly(&shape, mix(p::SUN, p::PAPER, 0.35));
            canvas.line(&[at(to, 0.0), at(to, value(to))], 2.0, p::ORANGE);
        }
        axes(&mut canvas);
        if self.curve {
            let points: Vec<Point> = (-31_i8..=31)
                .map(|step| f32::from(step) / 10.0)
                .map(|x| at(x, value(x)))
                .collect();
            canvas.line(&points, 4.5, self.ink);
        }
        if let Some((x, slope)) = self.tangent {
            let y = value(x);
            let end = |dx: f32| at(x + dx, y + slope * dx);
            canvas.line(&[end(-2.2), end(2.0)], 3.5, p::CORAL);
            canvas.disc(at(x, y), 8.0, sheer(p::CORAL, 0.3));
            canvas.disc(at(x, y), 5.0, p::CORAL);
        }
        canvas
    }
}

fn axes(canvas: &mut Canvas) {
    let (left, right) = (at(-3.7, 0.0), at(3.7, 0.0));
    let (bottom, top) = (at(0.0, -0.9), at(0.0, 5.0));
    canvas.line(&[left, right], 2.5, p::INK);
    canvas.line(&[bottom, top], 2.5, p::INK);
    canvas.poly(
        &[
            (right.0 + 6.0, right.1),
            (right.0 - 4.0, right.1 - 5.0),
            (right.0 - 4.0, right.1 + 5.0),
        ],
        p::INK,
    );
    canvas.poly(
        &[
            (top.0, top.1 - 6.0),
            (top.0 - 5.0, top.1 + 4.0),
            (top.0 + 5.0, top.1 + 4.0),
        ],
        p::INK,
    );
    canvas.glyph('x', (372.0, 254.0), 14.0, p::INK);
    canvas.glyph('y', (210.0, 18.0), 14.0, p::INK);
    for (numeral, place) in [('1', 1.0), ('2', 2.0), ('3', 3.0)] {
        let (x, y) = at(place, 0.0);
        canvas.rect(x - 1.0, y - 4.0, 2.0, 8.0, p::INK);
        canvas.glyph(numeral, (x, y + 15.0), 11.0, p::SLATE);
        let (x, y) = at(0.0, place);
        canvas.rect(x - 4.0, y - 1.0, 8.0, 2.0, p::INK);
        canvas.glyph(numeral, (x - 13.0, y), 11.0, p::SLATE);
    }
}
