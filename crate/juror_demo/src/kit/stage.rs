//! A backdrop with things in front of it.

use super::figure::Pose;
use super::pen::{Mirror, Mode, Pen};
use super::things::Thing;
use crate::paint::palette as p;
use crate::paint::{Canvas, HEIGHT, Point, WIDTH, mix, sheer};
use crate::random::Random;

const W: f32 = WIDTH as f32;
const H: f32 = HEIGHT as f32;

/// What is behind the things.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Backdrop {
    /// A wall and a table.
    Room(u32, u32),
    Beach,
    Hills,
    Night,
    Snow,
    Street,
}

/// A thing at its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prop {
    /// What a judge calls it: `the red kite`.
    pub(crate) name: &'static str,
    pub(crate) thing: Thing,
    /// Its foot, in pixels.
    pub(crate) at: Point,
    /// Its height in pixels.
    pub(crate) size: f32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) mirror: Mirror,
    /// How far it leans, in degrees.
    pub(crate) tilt: f32,
}

/// A thing that stands upright and looks to the right.
pub(crate) fn prop(
    name: &'static str,
    thing: Thing,
    at: Point,
    size: f32,
    [a, b]: [u32; 2],
) -> Prop {
    Prop {
        name,
        thing,
        at,
        size,
        a,
        b,
        mirror: Mirror::No,
        tilt: 0.0,
    }
}

impl Prop {
    /// The same looking the other way.
    pub(crate) fn turned(mut self) -> Self {
        self.mirror = match self.mirror {
            Mirror::No => Mirror::Yes,
            Mirror::Yes => Mirror::No,
        };
        self
    }

    /// The same elsewhere and of another height.
    pub(crate) fn at(mut self, at: Point, size: f32) -> Self {
        (self.at, self.size) = (at, size);
        self
    }

    /// The same leaning.
    pub(crate) fn leaning(mut self, degrees: f32) -> Self {
        self.tilt = degrees;
        self
    }

    /// The same in other colours.
    pub(crate) fn dyed(mut self, [a, b]: [u32; 2]) -> Self {
        (self.a, self.b) = (a, b);
        self
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas, mode: Mode) {
        canvas.turned(self.tilt, self.at, |canvas| {
            let mut pen = Pen::new(canvas, self.at, self.size, self.mirror, mode);
            self.thing.draw(&mut pen, self.a, self.b);
        });
    }

    /// It alone, as a reference picture shows it.
    pub(crate) fn portrait(&self, background: u32, mode: Mode) -> Canvas {
        let mut canvas = Canvas::sized(224, 224, background);
        let mut alone = self.clone();
        // Some things are wider than high.
        let size = match self.thing {
            Thing::Fish | Thing::Car | Thing::Teapot | Thing::Hat | Thing::Boat | Thing::Cake => {
                104.0
            }
            _ => 150.0,
        };
        alone.at = (112.0, 112.0 + size * 0.5);
        alone.size = size;
        alone.tilt = 0.0;
        alone.draw(&mut canvas, mode);
        canvas
    }
}

/// A whole picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    pub(crate) backdrop: Backdrop,
    pub(crate) props: Vec<Prop>,
    /// A person by foot, height, pose, shirt and trousers.
    pub(crate) person: Option<(Point, f32, Pose, u32, u32)>,
    /// Where shadows fall: left of things below 0, right of them above; none at 0.
    pub(crate) shadow: f32,
    pub(crate) mode: Mode,
}

impl Stage {
    /// Things in front of a backdrop.
    pub(crate) fn new(backdrop: Backdrop, props: Vec<Prop>) -> Self {
        Self {
            backdrop,
            props,
            person: None,
            shadow: 0.0,
            mode: Mode::Full,
        }
    }

    /// The same drawn in another way.
    pub(crate) fn in_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// The same with a person.
    pub(crate) fn with_person(
        mut self,
        at: Point,
        size: f32,
        pose: Pose,
        colours: [u32; 2],
    ) -> Self {
        self.person = Some((at, size, pose, colours[0], colours[1]));
        self
    }

    /// The same with light from one side.
    pub(crate) fn lit(mut self, shadow: f32) -> Self {
        self.shadow = shadow;
        self
    }

    pub(crate) fn draw(&self, seed: u64) -> Canvas {
        let mut canvas = self.backdrop.draw(seed, self.mode);
        for prop in &self.props {
            if self.shadow != 0.0 {
                let (x, y) = prop.at;
                let reach = self.shadow * prop.size;
                let shade = sheer(p::NIGHT, 0.3);
                canvas.poly(
                    &[
                        (x - prop.size * 0.2, y),
                        (x + prop.size * 0.2, y),
                        (x + reach + prop.size * 0.1, y + 16.0),
                        (x + reach - prop.size * 0.1, y + 16.0),
                    ],
                    shade,
                );
            }
            prop.draw(&mut canvas, self.mode);
            if self.shadow != 0.0 {
                // The side towards the light is brighter.
                let side = -self.shadow.signum() * prop.size * 0.12;
                canvas.oval(
                    (prop.at.0 + side, prop.at.1 - prop.size * 0.62),
                    (prop.size * 0.07, prop.size * 0.12),
                    sheer(p::WHITE, 0.55),
                );
            }
        }
        self.draw_person(&mut canvas);
        canvas
    }

    fn draw_person(&self, canvas: &mut Canvas) {
        if let Some((at, size, pose, shirt, trousers)) = self.person {
            let mut pen = Pen::new(canvas, at, size, Mirror::No, self.mode);
            pose.person(&mut pen, shirt, trousers);
        }
    }

    /// The things alone, each in the way that `mode` says for it, on one colour: masks, depth, edges.
    pub(crate) fn shapes(&self, background: u32, mode: impl Fn(usize) -> Mode) -> Canvas {
        let mut canvas = Canvas::new(background);
        for (number, prop) in self.props.iter().enumerate() {
            prop.draw(&mut canvas, mode(number));
        }
        canvas
    }
}

impl Backdrop {
    fn draw(self, seed: u64, mode: Mode) -> Canvas {
        // A sketch's backdrop is paper with a line for the ground.
        if mode == Mode::Sketch {
            let mut canvas = Canvas::new(p::PAPER);
            canvas.curve(
                &[(0.0, 214.0), (130.0, 208.0), (260.0, 216.0), (W, 210.0)],
                2.0,
                p::INK,
            );
            return canvas;
        }
        match self {
            Self::Room(wall, table) => room(wall, table),
            Self::Beach => beach(),
            Self::Hills => hills(),
            Self::Night => night(seed),
            Self::Snow => snow(seed),
            Self::Street => street(),
        }
    }
}

fn room(wall: u32, table: u32) -> Canvas {
    let mut canvas = Canvas::new(wall);
    canvas.rect(36.0, 30.0, 92.0, 84.0, p::WHITE);
    canvas.rect(42.0, 36.0, 80.0, 72.0, p::SKY);
    canvas.rect(80.0, 36.0, 4.0, 72.0, p::WHITE);
    canvas.rect(0.0, 196.0, W, 92.0, table);
    canvas.rect(0.0, 196.0, W, 7.0, mix(table, p::WHITE, 0.25));
    canvas
}

fn beach() -> Canvas {
    let mut canvas = Canvas::new(p::SKY);
    canvas.disc((318.0, 54.0), 26.0, p::SUN);
    canvas.rect(0.0, 118.0, W, 70.0, p::SEA);
    for (x, y) in [
        (30.0, 134.0),
        (150.0, 148.0),
        (262.0, 132.0),
        (330.0, 158.0),
    ] {
        canvas.line(&[(x, y), (x + 34.0, y)], 3.0, mix(p::SEA, p::WHITE, 0.45));
    }
    canvas.land(
        &[(0.0, 186.0), (120.0, 178.0), (250.0, 190.0), (W, 180.0)],
        p::SAND,
    );
    canvas
}

fn hills() -> Canvas {
    let mut canvas = Canvas::new(p::SKY);
    canvas.oval((80.0, 52.0), (38.0, 13.0), p::WHITE);
    canvas.oval((110.0, 44.0), (26.0, 13.0), p::WHITE);
    canvas.oval((290.0, 74.0), (34.0, 11.0), p::WHITE);
    canvas.land(
        &[
            (0.0, 156.0),
            (90.0, 120.0),
            (200.0, 160.0),
            (300.0, 128.0),
            (W, 152.0),
        ],
        mix(p::LEAF, p::SKY, 0.35),
    );
    canvas.land(
        &[(0.0, 200.0), (140.0, 186.0), (270.0, 204.0), (W, 188.0)],
        p::LEAF,
    );
    canvas
}

fn night(seed: u64) -> Canvas {
    let mut canvas = Canvas::new(p::NIGHT);
    let mut random = Random::new(seed, "backdrop night");
    for _ in 0..34 {
        let at = (random.between(0.0, W), random.between(0.0, 180.0));
        canvas.disc(at, random.between(0.7, 1.7), p::PALE);
    }
    canvas.disc((316.0, 58.0), 24.0, p::PAPER);
    canvas.disc((306.0, 52.0), 21.0, p::NIGHT);
    canvas.land(
        &[(0.0, 206.0), (130.0, 190.0), (260.0, 208.0), (W, 196.0)],
        p::DUSK,
    );
    canvas
}

fn snow(seed: u64) -> Canvas {
    let mut canvas = Canvas::new(mix(p::SKY, p::STONE, 0.35));
    canvas.land(
        &[(0.0, 196.0), (130.0, 180.0), (260.0, 198.0), (W, 184.0)],
        p::WHITE,
    );
    let mut random = Random::new(seed, "backdrop snow");
    for _ in 0..46 {
        let at = (random.between(0.0, W), random.between(0.0, H));
        canvas.disc(at, random.between(1.2, 2.6), p::WHITE);
    }
    canvas
}

fn street() -> Canvas {
    let mut canvas = Canvas::new(p::PALE);
    for (x, w, top, ink) in [
        (0.0, 92.0, 60.0, p::ROSE),
        (92.0, 84.0, 36.0, p::SAND),
        (176.0, 112.0, 74.0, p::SEA),
        (288.0, 96.0, 48.0, p::CORAL),
    ] {
        canvas.rect(x, top, w, 150.0, mix(ink, p::WHITE, 0.25));
        for row in 0..3_u8 {
            for column in 0..3_u8 {
                let (dx, dy) = (
                    f32::from(column) * w / 3.2 + 10.0,
                    f32::from(row) * 36.0 + 14.0,
                );
                canvas.rect(x + dx, top + dy, 13.0, 18.0, mix(ink, p::INK, 0.45));
            }
        }
    }
    canvas.rect(0.0, 200.0, W, 12.0, p::STONE);
    canvas.rect(0.0, 212.0, W, 76.0, p::SLATE);
    for x in [20.0, 120.0, 220.0, 320.0] {
        canvas.rect(x, 250.0, 48.0, 5.0, p::PAPER);
    }
    canvas
}
