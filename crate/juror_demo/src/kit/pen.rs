//! Draws in a thing's own measure: its foot is (0, 0), its height 1, and up is up.

use crate::paint::palette as p;
use crate::paint::{Canvas, Point, mix};

/// How shapes are put on the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    /// Filled, without outlines.
    Full,
    /// Filled, with dark outlines.
    Cartoon,
    /// White, with dark outlines.
    Sketch,
    /// Everything in one colour: a silhouette.
    Flat(u32),
    /// Outlines alone, in one colour.
    Lines(u32),
}

/// A canvas seen from a thing's place.
pub(crate) struct Pen<'a> {
    canvas: &'a mut Canvas,
    at: Point,
    size: f32,
    side: f32,
    mode: Mode,
}

const OUTLINE: f32 = 2.0;

impl<'a> Pen<'a> {
    pub(crate) fn new(
        canvas: &'a mut Canvas,
        at: Point,
        size: f32,
        mirror: Mirror,
        mode: Mode,
    ) -> Self {
        Self {
            canvas,
            at,
            size,
            side: if mirror == Mirror::Yes { -1.0 } else { 1.0 },
            mode,
        }
    }

    fn place(&self, (u, v): Point) -> Point {
        (
            self.at.0 + self.side * u * self.size,
            self.at.1 - v * self.size,
        )
    }

    fn places(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|point| self.place(*point)).collect()
    }

    fn outlined(&mut self, mut points: Vec<Point>, colour: u32) {
        points.extend(points.first().copied());
        self.canvas.line(&points, OUTLINE, colour);
    }

    /// A filled polygon.
    pub(crate) fn poly(&mut self, points: &[Point], ink: u32) {
        let points = self.places(points);
        match self.mode {
            Mode::Full => self.canvas.poly(&points, ink),
            Mode::Flat(colour) => self.canvas.poly(&points, colour),
            Mode::Lines(colour) => self.outlined(points, colour),
            Mode::Cartoon | Mode::Sketch => {
                let fill = if self.mode == Mode::Sketch {
                    p::WHITE
                } else {
                    ink
                };
                self.canvas.poly(&points, fill);
                self.outlined(points, p::INK);
            }
        }
    }

    /// A filled shape with a smooth outline through points.
    pub(crate) fn blob(&mut self, points: &[Point], ink: u32) {
        let points = self.places(points);
        match self.mode {
            Mode::Full => self.canvas.blob(&points, ink),
            Mode::Flat(colour) => self.canvas.blob(&points, colour),
            Mode::Lines(colour) => self.canvas.blob_line(&points, OUTLINE, colour),
            Mode::Cartoon | Mode::Sketch => {
                let fill = if self.mode == Mode::Sketch {
                    p::WHITE
                } else {
                    ink
                };
                self.canvas.blob(&points, fill);
                self.canvas.blob_line(&points, OUTLINE, p::INK);
            }
        }
    }

    /// An upright rectangle by its lower left corner and size.
    pub(crate) fn rect(&mut self, [u, v, w, h]: [f32; 4], ink: u32) {
        self.poly(&[(u, v), (u + w, v), (u + w, v + h), (u, v + h)], ink);
    }

    /// An ellipse.
    pub(crate) fn oval(&mut self, (u, v): Point, (ru, rv): Point, ink: u32) {
        let points: Vec<Point> = (0..28_u8)
            .map(|step| {
                let angle = f32::from(step) / 28.0 * std::f32::consts::TAU;
                (u + ru * angle.cos(), v + rv * angle.sin())
            })
            .collect();
        self.poly(&points, ink);
    }

    /// A disc.
    pub(crate) fn disc(&mut self, at: Point, radius: f32, ink: u32) {
        self.oval(at, (radius, radius), ink);
    }

    /// A line with a width in the thing's measure.
    pub(crate) fn line(&mut self, points: &[Point], width: f32, ink: u32) {
        let points = self.places(points);
        let width = (width * self.size).max(1.5);
        match self.mode {
            Mode::Full => self.canvas.line(&points, width, ink),
            Mode::Cartoon => {
                self.canvas
                    .line(&points, width + 2.0 * OUTLINE - 1.0, p::INK);
                self.canvas.line(&points, width, ink);
            }
            Mode::Sketch => {
                self.canvas.line(&points, width + OUTLINE, p::INK);
                self.canvas
                    .line(&points, (width - OUTLINE).max(0.5), p::WHITE);
            }
            Mode::Flat(colour) => self.canvas.line(&points, width, colour),
            Mode::Lines(colour) => self.canvas.line(&points, OUTLINE, colour),
        }
    }

    /// A detail that silhouettes do not have.
    pub(crate) fn detail(&mut self, points: &[Point], width: f32, ink: u32) {
        let points = self.places(points);
        let width = (width * self.size).max(1.2);
        match self.mode {
            Mode::Full | Mode::Cartoon => self.canvas.line(&points, width, ink),
            Mode::Sketch => self.canvas.line(&points, 1.5, p::INK),
            Mode::Lines(colour) => self.canvas.line(&points, 1.2, colour),
            Mode::Flat(_) => {}
        }
    }

    /// A lighter spot, where pictures have light.
    pub(crate) fn shine(&mut self, at: Point, radius: f32, ink: u32) {
        if matches!(self.mode, Mode::Full | Mode::Cartoon) {
            let place = self.place(at);
            self.canvas
                .disc(place, radius * self.size, mix(ink, p::WHITE, 0.55));
        }
    }
}

/// Whether a thing looks the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mirror {
    No,
    Yes,
}
