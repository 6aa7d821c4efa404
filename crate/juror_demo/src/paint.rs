//! A small canvas over tiny-skia: flat shapes in few colours, which keep the demo's pictures small.

use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use super::random::Random;

/// Every picture's size.
pub(crate) const WIDTH: u32 = 384;
pub(crate) const HEIGHT: u32 = 288;

/// The demo's few colours, as 0xRRGGBB.
pub(crate) mod palette {
    pub(crate) const INK: u32 = 0x0026_3247;
    pub(crate) const NIGHT: u32 = 0x001e_2a4a;
    pub(crate) const DUSK: u32 = 0x003d_4f7c;
    pub(crate) const SKY: u32 = 0x00bf_e0ea;
    pub(crate) const PALE: u32 = 0x00e4_f1f2;
    pub(crate) const PAPER: u32 = 0x00fb_f6ea;
    pub(crate) const SAND: u32 = 0x00f0_d9a8;
    pub(crate) const SUN: u32 = 0x00f6_c45b;
    pub(crate) const ORANGE: u32 = 0x00ee_954a;
    pub(crate) const CORAL: u32 = 0x00e2_6d5c;
    pub(crate) const RED: u32 = 0x00c9_4a4a;
    pub(crate) const ROSE: u32 = 0x00f2_b5bd;
    pub(crate) const PLUM: u32 = 0x007d_568c;
    pub(crate) const TEAL: u32 = 0x002f_8f8b;
    pub(crate) const SEA: u32 = 0x005f_a8c4;
    pub(crate) const BLUE: u32 = 0x003f_72af;
    pub(crate) const LEAF: u32 = 0x007f_b06b;
    pub(crate) const MOSS: u32 = 0x004f_855c;
    pub(crate) const PINE: u32 = 0x002f_5d50;
    pub(crate) const WOOD: u32 = 0x009a_6b4a;
    pub(crate) const BARK: u32 = 0x006b_4938;
    pub(crate) const STONE: u32 = 0x00a9_adb5;
    pub(crate) const SLATE: u32 = 0x006f_7888;
    pub(crate) const WHITE: u32 = 0x00ff_ffff;
}

/// A point in pixels from the top left.
pub(crate) type Point = (f32, f32);

/// A colour with an opacity.
#[derive(Clone, Copy)]
pub(crate) struct Ink(u32, f32);

impl From<u32> for Ink {
    fn from(rgb: u32) -> Self {
        Self(rgb, 1.0)
    }
}

/// A colour that lets what is below shine through.
pub(crate) fn sheer(rgb: u32, opacity: f32) -> Ink {
    Ink(rgb, opacity)
}

/// A colour between two: 0 gives the first, 1 the second.
pub(crate) fn mix(from: u32, to: u32, part: f32) -> u32 {
    let channel = |shift: u32| {
        let [a, b] = [from, to].map(|rgb| ((rgb >> shift) & 0xff) as f32);
        byte(a + (b - a) * part) << shift
    };
    channel(16) | channel(8) | channel(0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte"
)]
fn byte(value: f32) -> u32 {
    value.round().clamp(0.0, 255.0) as u32
}

/// What happens to a finished picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Finish {
    /// Nothing.
    Clean,
    /// All colours lean towards one, by a part of the way.
    Cast(u32, f32),
    /// Coarse coloured blocks are scattered over the picture: this many.
    Blocks(usize),
}

/// A picture being drawn.
#[derive(Clone)]
pub(crate) struct Canvas {
    pixels: Pixmap,
    turn: Transform,
}

impl Canvas {
    /// A picture of the demo's size, filled with a colour.
    pub(crate) fn new(background: u32) -> Self {
        Self::sized(WIDTH, HEIGHT, background)
    }

    /// A picture of any size; sides of 0 become 1.
    pub(crate) fn sized(width: u32, height: u32, background: u32) -> Self {
        let pixels = Pixmap::new(width.max(1), height.max(1));
        let Some(mut pixels) = pixels else {
            unreachable!("sides are positive and small");
        };
        let [_, r, g, b] = background.to_be_bytes();
        pixels.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
        Self {
            pixels,
            turn: Transform::identity(),
        }
    }

    /// A picture of the demo's size through which everything shines.
    pub(crate) fn clear() -> Self {
        let mut canvas = Self::new(0);
        canvas.pixels.fill(tiny_skia::Color::TRANSPARENT);
        canvas
    }

    /// Draws with everything turned by degrees about a point.
    pub(crate) fn turned(&mut self, degrees: f32, about: Point, draw: impl FnOnce(&mut Self)) {
        let before = self.turn;
        self.turn = before.pre_concat(Transform::from_rotate_at(degrees, about.0, about.1));
        draw(self);
        self.turn = before;
    }

    fn fill(&mut self, path: Option<Path>, ink: Ink) {
        if let Some(path) = path {
            let paint = paint(ink);
            self.pixels
                .fill_path(&path, &paint, FillRule::Winding, self.turn, None);
        }
    }

    fn trace(&mut self, path: Option<Path>, width: f32, ink: Ink) {
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let Some(path) = path {
            let paint = paint(ink);
            self.pixels
                .stroke_path(&path, &paint, &stroke, self.turn, None);
        }
    }

    /// An upright rectangle by its top left corner and size.
    pub(crate) fn rect(&mut self, x: f32, y: f32, w: f32, h: f32, ink: impl Into<Ink>) {
        let path = Rect::from_xywh(x, y, w, h).map(PathBuilder::from_rect);
        self.fill(path, ink.into());
    }

    /// A rectangle with round corners.
    pub(crate) fn pill(&mut self, [x, y, w, h]: [f32; 4], radius: f32, ink: impl Into<Ink>) {
        let r = radius.min(w / 2.0).min(h / 2.0);
        let mut path = PathBuilder::new();
        path.move_to(x + r, y);
        path.line_to(x + w - r, y);
        path.quad_to(x + w, y, x + w, y + r);
        path.line_to(x + w, y + h - r);
        path.quad_to(x + w, y + h, x + w - r, y + h);
        path.line_to(x + r, y + h);
        path.quad_to(x, y + h, x, y + h - r);
        path.line_to(x, y + r);
        path.quad_to(x, y, x + r, y);
        path.close();
        self.fill(path.finish(), ink.into());
    }

    /// A disc.
    pub(crate) fn disc(&mut self, (x, y): Point, radius: f32, ink: impl Into<Ink>) {
        self.fill(PathBuilder::from_circle(x, y, radius), ink.into());
    }

    /// An ellipse with upright axes.
    pub(crate) fn oval(&mut self, (x, y): Point, (rx, ry): Point, ink: impl Into<Ink>) {
        let path =
            Rect::from_xywh(x - rx, y - ry, 2.0 * rx, 2.0 * ry).and_then(PathBuilder::from_oval);
        self.fill(path, ink.into());
    }

    /// A filled polygon.
    pub(crate) fn poly(&mut self, points: &[Point], ink: impl Into<Ink>) {
        self.fill(joined(points, true), ink.into());
    }

    /// A polyline with round ends.
    pub(crate) fn line(&mut self, points: &[Point], width: f32, ink: impl Into<Ink>) {
        self.trace(joined(points, false), width, ink.into());
    }

    /// A smooth line through points.
    pub(crate) fn curve(&mut self, points: &[Point], width: f32, ink: impl Into<Ink>) {
        self.trace(smooth(points, false), width, ink.into());
    }

    /// A smooth closed shape through points.
    pub(crate) fn blob(&mut self, points: &[Point], ink: impl Into<Ink>) {
        self.fill(smooth(points, true), ink.into());
    }

    /// Its outline.
    pub(crate) fn blob_line(&mut self, points: &[Point], width: f32, ink: impl Into<Ink>) {
        self.trace(smooth(points, true), width, ink.into());
    }

    /// Land below a smooth skyline, down to the lower border.
    pub(crate) fn land(&mut self, skyline: &[Point], ink: impl Into<Ink>) {
        let (Some(first), Some(last)) = (skyline.first(), skyline.last()) else {
            return;
        };
        let mut path = PathBuilder::new();
        path.move_to(first.0, HEIGHT as f32);
        path.line_to(first.0, first.1);
        smooth_into(&mut path, skyline, false);
        path.line_to(last.0, HEIGHT as f32);
        path.close();
        self.fill(path.finish(), ink.into());
    }

    /// A letter or numeral, centred, drawn with strokes.
    pub(crate) fn glyph(&mut self, letter: char, (x, y): Point, height: f32, ink: impl Into<Ink>) {
        let unit = height / 6.0;
        let ink = ink.into();
        for stroke in strokes(letter) {
            let points: Vec<Point> = stroke
                .iter()
                .map(|&(px, py)| (x + (px - 2.0) * unit, y + (py - 3.0) * unit))
                .collect();
            self.line(&points, unit * 0.95, ink);
        }
    }

    /// Copies a cut-out of another picture to a place.
    pub(crate) fn stamp(&mut self, source: &Canvas, [x, y, w, h]: [f32; 4], to: Point) {
        let Some(cut) = Rect::from_xywh(to.0, to.1, w, h).map(PathBuilder::from_rect) else {
            return;
        };
        let pattern = tiny_skia::Pattern::new(
            source.pixels.as_ref(),
            tiny_skia::SpreadMode::Pad,
            tiny_skia::FilterQuality::Nearest,
            1.0,
            Transform::from_translate(to.0 - x, to.1 - y),
        );
        let paint = Paint {
            shader: pattern,
            anti_alias: false,
            ..Paint::default()
        };
        self.pixels
            .fill_path(&cut, &paint, FillRule::Winding, self.turn, None);
    }

    /// Applies a finish to the whole picture.
    pub(crate) fn finish(&mut self, finish: Finish, random: &mut Random) {
        use palette::{CORAL, LEAF, PLUM, STONE, SUN};
        match finish {
            Finish::Clean => {}
            Finish::Cast(colour, part) => {
                self.rect(0.0, 0.0, WIDTH as f32, HEIGHT as f32, sheer(colour, part));
            }
            Finish::Blocks(count) => {
                let inks = [CORAL, LEAF, PLUM, STONE, SUN];
                for _ in 0..count {
                    let (column, row) = (random.below(48), random.below(36));
                    let ink = inks.get(random.below(inks.len())).copied().unwrap_or(STONE);
                    let opacity = random.between(0.25, 0.6);
                    self.rect(
                        column as f32 * 8.0,
                        row as f32 * 8.0,
                        8.0,
                        8.0,
                        sheer(ink, opacity),
                    );
                }
            }
        }
    }

    /// Width and height.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.pixels.width(), self.pixels.height()]
    }

    /// A pixel of a picture through which nothing shines; black outside of it.
    pub(crate) fn rgb(&self, x: u32, y: u32) -> [u8; 3] {
        let pixel = self.pixels.pixel(x, y);
        pixel.map_or([0; 3], |pixel| [pixel.red(), pixel.green(), pixel.blue()])
    }

    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> anyhow::Result<Vec<u8>> {
        super::png::encode(
            self.pixels.width(),
            self.pixels.height(),
            self.pixels.data(),
        )
    }
}

fn paint(Ink(rgb, opacity): Ink) -> Paint<'static> {
    let [_, r, g, b] = rgb.to_be_bytes();
    let mut paint = Paint::default();
    let alpha = u8::try_from(byte(opacity * 255.0)).unwrap_or(255);
    paint.set_color_rgba8(r, g, b, alpha);
    paint
}

fn joined(points: &[Point], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (idx, &(x, y)) in points.iter().enumerate() {
        if idx == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn smooth(points: &[Point], closed: bool) -> Option<Path> {
    let &(x, y) = points.first()?;
    let mut path = PathBuilder::new();
    path.move_to(x, y);
    smooth_into(&mut path, points, closed);
    if closed {
        path.close();
    }
    path.finish()
}

/// Catmull–Rom through the points, as cubic Bézier pieces; the path already stands at the first point.
fn smooth_into(path: &mut PathBuilder, points: &[Point], closed: bool) {
    let count = points.len();
    let at = |idx: usize, back: usize| -> Point {
        let place = if closed {
            (idx + count - back) % count.max(1)
        } else {
            idx.saturating_sub(back).min(count.saturating_sub(1))
        };
        points.get(place).copied().unwrap_or_default()
    };
    let pieces = if closed {
        count
    } else {
        count.saturating_sub(1)
    };
    for idx in 0..pieces {
        let (before, from) = (at(idx, 1), at(idx, 0));
        let (to, after) = (at(idx + 1, 0), at(idx + 2, 0));
        path.cubic_to(
            from.0 + (to.0 - before.0) / 6.0,
            from.1 + (to.1 - before.1) / 6.0,
            to.0 - (after.0 - from.0) / 6.0,
            to.1 - (after.1 - from.1) / 6.0,
            to.0,
            to.1,
        );
    }
}

/// The few letters that the demo writes, on a grid 4 wide and 6 high.
fn strokes(letter: char) -> &'static [&'static [Point]] {
    match letter {
        'A' => &[
            &[(0.0, 6.0), (2.0, 0.0), (4.0, 6.0)],
            &[(0.8, 4.0), (3.2, 4.0)],
        ],
        'B' => &[
            &[
                (0.2, 0.0),
                (0.2, 6.0),
                (2.6, 6.0),
                (3.7, 5.3),
                (3.7, 3.8),
                (2.6, 3.0),
                (0.2, 3.0),
            ],
            &[(0.2, 0.0), (2.4, 0.0), (3.4, 0.7), (3.4, 2.2), (2.6, 3.0)],
        ],
        'C' => &[&[
            (3.8, 1.0),
            (2.8, 0.0),
            (1.4, 0.0),
            (0.2, 1.4),
            (0.2, 4.6),
            (1.4, 6.0),
            (2.8, 6.0),
            (3.8, 5.0),
        ]],
        'x' => &[&[(0.4, 2.0), (3.6, 6.0)], &[(3.6, 2.0), (0.4, 6.0)]],
        'y' => &[&[(0.4, 2.0), (2.0, 5.0)], &[(3.6, 2.0), (1.2, 6.9)]],
        '1' => &[&[(0.9, 1.3), (2.3, 0.0), (2.3, 6.0)]],
        '2' => &[&[
            (0.4, 1.4),
            (1.2, 0.1),
            (2.9, 0.1),
            (3.6, 1.3),
            (3.3, 2.7),
            (0.3, 6.0),
            (3.8, 6.0),
        ]],
        '3' => &[&[
            (0.5, 0.6),
            (1.6, 0.0),
            (3.2, 0.3),
            (3.4, 2.0),
            (1.8, 2.9),
            (3.5, 3.7),
            (3.5, 5.3),
            (2.0, 6.0),
            (0.4, 5.4),
        ]],
        _ => &[],
    }
}
