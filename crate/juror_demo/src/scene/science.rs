//! Scenes of the category Science: a night sky, a prism, a titration, an island.

use crate::paint::palette as p;
use crate::paint::{Canvas, Point, WIDTH, mix, sheer};
use crate::random::Random;

const W: f32 = WIDTH as f32;

/// Stars above hills.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Night {
    /// How many of the seven lines of the Plough are drawn.
    pub(crate) lines: usize,
    /// Lines join the wrong stars.
    pub(crate) wrong_lines: bool,
    /// The moon's phase: 0 none, 1 crescent, 2 full.
    pub(crate) moon: u8,
    pub(crate) hills: bool,
    /// How far the seven stars stand from where they should.
    pub(crate) shift: Point,
    pub(crate) sky: u32,
}

impl Default for Night {
    fn default() -> Self {
        Self {
            lines: 0,
            wrong_lines: false,
            moon: 0,
            hills: true,
            shift: (0.0, 0.0),
            sky: p::NIGHT,
        }
    }
}

/// The seven stars from the handle's end to the bowl.
const PLOUGH: [Point; 7] = [
    (62.0, 74.0),
    (108.0, 62.0),
    (146.0, 80.0),
    (186.0, 96.0),
    (196.0, 136.0),
    (262.0, 136.0),
    (270.0, 88.0),
];

impl Night {
    pub(crate) fn draw(&self, seed: u64) -> Canvas {
        let mut canvas = Canvas::new(self.sky);
        for (idx, part) in [0.16, 0.32, 0.5].into_iter().enumerate() {
            let top = 96.0 + 44.0 * idx as f32;
            let band = [
                (0.0, top + 18.0),
                (120.0, top),
                (250.0, top + 14.0),
                (W, top - 6.0),
            ];
            canvas.land(&band, mix(self.sky, p::DUSK, part * 1.6));
        }
        let mut random = Random::new(seed, "stars");
        for _ in 0..70 {
            let place = (random.between(4.0, W - 4.0), random.between(4.0, 196.0));
            let size = random.between(0.5, 1.5);
            canvas.disc(place, size, sheer(p::PALE, random.between(0.45, 0.95)));
        }
        self.moon(&mut canvas);
        self.plough(&mut canvas);
        if self.hills {
            hills(&mut canvas);
        }
        canvas
    }

    fn moon(&self, canvas: &mut Canvas) {
        let centre = (322.0, 168.0);
        match self.moon {
            0 => {}
            1 => {
                let outer: Vec<Point> = arc(centre, 20.0, -60.0, 130.0);
                let inner: Vec<Point> = arc((312.5, 162.5), 20.6, 103.0, -33.0);
                canvas.poly(&[outer, inner].concat(), p::SUN);
            }
            _ => {
                canvas.disc((318.0, 64.0), 38.0, p::SUN);
                canvas.disc((306.0, 54.0), 7.0, mix(p::SUN, p::SAND, 0.7));
                canvas.disc((328.0, 74.0), 9.0, mix(p::SUN, p::SAND, 0.7));
            }
        }
    }

    fn plough(&self, canvas: &mut Canvas) {
        let stars = PLOUGH.map(|(x, y)| (x + self.shift.0, y + self.shift.1));
        let order = if self.wrong_lines {
            [0, 3, 6, 1, 5, 2, 4]
        } else {
            [0, 1, 2, 3, 4, 5, 6]
        };
        let ordered: Vec<Point> = order
            .iter()
            .filter_map(|&idx: &usize| stars.get(idx).copied())
            .collect();
        let ends = ordered.iter().skip(1).chain(ordered.get(3));
        for (from, to) in ordered.iter().zip(ends).take(self.lines) {
            canvas.line(&[*from, *to], 1.8, sheer(p::SKY, 0.8));
        }
        for star in stars {
            canvas.disc(star, 8.0, sheer(p::SKY, 0.16));
            canvas.disc(star, 3.6, p::PAPER);
        }
    }
}

fn hills(canvas: &mut Canvas) {
    let far = [
        (0.0, 226.0),
        (70.0, 206.0),
        (150.0, 228.0),
        (240.0, 202.0),
        (320.0, 224.0),
        (W, 208.0),
    ];
    let near = [
        (0.0, 252.0),
        (90.0, 240.0),
        (190.0, 258.0),
        (290.0, 238.0),
        (W, 250.0),
    ];
    canvas.land(&far, 0x002b_4858);
    canvas.land(&near, 0x001d_3342);
    for (x, y, size) in [
        (38.0, 250.0, 30.0),
        (58.0, 250.0, 22.0),
        (330.0, 246.0, 34.0),
        (352.0, 250.0, 24.0),
    ] {
        canvas.poly(
            &[(x - size * 0.3, y), (x, y - size), (x + size * 0.3, y)],
            0x0016_2835,
        );
    }
}

fn arc((x, y): Point, radius: f32, from: f32, to: f32) -> Vec<Point> {
    (0_u8..=24)
        .map(|step| {
            let angle = (from + (to - from) * f32::from(step) / 24.0).to_radians();
            (x + radius * angle.cos(), y + radius * angle.sin())
        })
        .collect()
}

/// What leaves the prism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Light {
    None,
    Spectrum,
    Reversed,
    Red,
    White,
}

/// A beam of light at a glass prism.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prism {
    pub(crate) out: Light,
    pub(crate) filter: bool,
    /// Colours that are drawn, from red on.
    pub(crate) colours: usize,
    /// Extra downward bend in pixels at the border.
    pub(crate) bend: f32,
    pub(crate) room: u32,
}

impl Default for Prism {
    fn default() -> Self {
        Self {
            out: Light::None,
            filter: false,
            colours: 7,
            bend: 0.0,
            room: 0x0022_2b3f,
        }
    }
}

const RAINBOW: [u32; 7] = [p::RED, p::ORANGE, p::SUN, p::LEAF, p::SEA, p::BLUE, p::PLUM];

impl Prism {
    pub(crate) fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(self.room);
        canvas.rect(0.0, 222.0, W, 66.0, mix(self.room, p::SLATE, 0.28));
        canvas.rect(0.0, 222.0, W, 3.0, mix(self.room, p::SLATE, 0.5));
        canvas.poly(
            &[
                (128.0, 232.0),
                (300.0, 232.0),
                (270.0, 246.0),
                (96.0, 246.0),
            ],
            sheer(0x0010_1622, 0.35),
        );
        let entry = (160.5, 143.0);
        let beam = |canvas: &mut Canvas, from: Point, to: Point, ink: u32| {
            canvas.line(&[from, to], 13.0, sheer(ink, 0.18));
            canvas.line(&[from, to], 6.0, ink);
        };
        if self.filter {
            beam(&mut canvas, (0.0, 178.0), (84.0, 160.0), p::PAPER);
            beam(&mut canvas, (84.0, 160.0), entry, p::RED);
        } else {
            beam(&mut canvas, (0.0, 178.0), entry, p::PAPER);
        }
        self.fan(&mut canvas, entry);
        let (top, left, right) = ((204.0, 62.0), (112.0, 232.0), (296.0, 232.0));
        canvas.poly(&[top, left, right], sheer(p::SKY, 0.2));
        canvas.poly(
            &[top, (204.0, 96.0), (136.0, 218.0), left],
            sheer(p::WHITE, 0.14),
        );
        canvas.line(&[top, left, right, top], 3.0, sheer(p::PALE, 0.85));
        if self.filter {
            canvas.pill([76.0, 126.0, 16.0, 106.0], 5.0, p::RED);
            canvas.pill([80.0, 132.0, 4.0, 94.0], 2.0, sheer(p::WHITE, 0.3));
        }
        canvas
    }

    fn fan(&self, canvas: &mut Canvas, entry: Point) {
        // Red is bent least, so it leaves highest.
        let exit = |part: f32| (239.0 + 9.0 * part, 126.0 + 16.0 * part);
        let end = |part: f32| (W, 150.0 + 84.0 * part + self.bend);
        let wedge = |canvas: &mut Canvas, from: f32, to: f32, ink: u32| {
            let inside = [entry, exit(from), exit(to)];
            canvas.poly(&inside, sheer(ink, 0.45));
            canvas.poly(&[exit(from), end(from), end(to), exit(to)], ink);
        };
        match self.out {
            Light::None => {}
            Light::White => wedge(canvas, 0.38, 0.5, p::PAPER),
            Light::Red => wedge(canvas, 0.0, 0.12, p::RED),
            Light::Spectrum | Light::Reversed => {
                let mut colours: Vec<u32> = RAINBOW.into_iter().take(self.colours).collect();
                if self.out == Light::Reversed {
                    colours.reverse();
                }
                let step = 1.0 / colours.len().max(1) as f32;
                for (idx, &ink) in colours.iter().enumerate() {
                    wedge(canvas, idx as f32 * step, (idx as f32 + 1.04) * step, ink);
                }
            }
        }
    }
}

/// A titration: a flask below a burette.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flask {
    pub(crate) liquid: u32,
    /// How far the flask is filled, 0 to 1.
    pub(crate) level: f32,
    /// How far the burette is filled, 0 to 1.
    pub(crate) burette: f32,
    pub(crate) drop: bool,
    pub(crate) stand: bool,
    pub(crate) wall: u32,
    /// A beaker instead of a conical flask.
    pub(crate) beaker: bool,
}

impl Default for Flask {
    fn default() -> Self {
        Self {
            liquid: 0x00dc_eaee,
            level: 0.42,
            burette: 0.9,
            drop: false,
            stand: true,
            wall: p::PAPER,
            beaker: false,
        }
    }
}

impl Flask {
    pub(crate) fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(self.wall);
        canvas.disc((300.0, 92.0), 62.0, mix(self.wall, p::SAND, 0.35));
        canvas.rect(0.0, 246.0, W, 42.0, p::TEAL);
        canvas.rect(0.0, 246.0, W, 5.0, mix(p::TEAL, p::WHITE, 0.35));
        if self.stand {
            canvas.pill([84.0, 238.0, 150.0, 12.0], 5.0, p::SLATE);
            canvas.pill([98.0, 22.0, 8.0, 222.0], 4.0, p::SLATE);
            canvas.pill([98.0, 62.0, 92.0, 7.0], 3.0, p::STONE);
            canvas.pill([172.0, 55.0, 40.0, 20.0], 5.0, p::SLATE);
        }
        self.draw_burette(&mut canvas);
        if self.drop {
            canvas.blob(
                &[
                    (192.0, 128.0),
                    (196.5, 138.0),
                    (192.0, 143.0),
                    (187.5, 138.0),
                ],
                p::SEA,
            );
        }
        if self.beaker {
            self.draw_beaker(&mut canvas);
        } else {
            self.draw_flask(&mut canvas);
        }
        canvas
    }

    fn draw_burette(&self, canvas: &mut Canvas) {
        canvas.pill([184.0, 8.0, 16.0, 96.0], 5.0, sheer(p::SKY, 0.7));
        let height = 88.0 * self.burette;
        canvas.rect(186.0, 100.0 - height, 12.0, height, p::SEA);
        for step in 0..8_u8 {
            canvas.rect(192.0, 20.0 + 10.0 * f32::from(step), 6.0, 1.5, p::INK);
        }
        canvas.rect(189.0, 104.0, 6.0, 20.0, p::STONE);
        canvas.pill([182.0, 106.0, 20.0, 6.0], 3.0, p::CORAL);
    }

    fn draw_flask(&self, canvas: &mut Canvas) {
        let (mouth, shoulder, bottom) = (150.0, 174.0, 246.0);
        let half = |y: f32| {
            if y < shoulder {
                15.0
            } else {
                15.0 + (y - shoulder) * 0.68
            }
        };
        let surface = bottom - 8.0 - (bottom - shoulder) * self.level;
        let glass = [
            (177.0, mouth),
            (207.0, mouth),
            (207.0, shoulder),
            (192.0 + half(bottom - 8.0), bottom - 8.0),
            (192.0 + half(bottom) - 6.0, bottom),
            (192.0 - half(bottom) + 6.0, bottom),
            (192.0 - half(bottom - 8.0), bottom - 8.0),
            (177.0, shoulder),
        ];
        canvas.poly(&glass, sheer(p::SKY, 0.45));
        let inner = half(surface) - 3.0;
        let liquid = [
            (192.0 - inner, surface),
            (192.0 + inner, surface),
            (192.0 + half(bottom - 8.0) - 4.0, bottom - 9.0),
            (192.0 + half(bottom) - 10.0, bottom - 3.0),
            (192.0 - half(bottom) + 10.0, bottom - 3.0),
            (192.0 - half(bottom - 8.0) + 4.0, bottom - 9.0),
        ];
        canvas.poly(&liquid, self.liquid);
        canvas.oval(
            (192.0, surface),
            (inner, 4.0),
            mix(self.liquid, p::WHITE, 0.4),
        );
        canvas.line(
            &[(178.0, 180.0), (158.0, 226.0)],
            4.0,
            sheer(p::WHITE, 0.75),
        );
        let outline: Vec<Point> = glass
            .iter()
            .skip(2)
            .chain(glass.iter().take(1))
            .copied()
            .collect();
        canvas.line(&outline, 2.5, p::INK);
        canvas.line(&[(207.0, mouth), (207.0, shoulder)], 2.5, p::INK);
        canvas.pill([171.0, mouth - 5.0, 42.0, 7.0], 3.0, p::INK);
    }

    fn draw_beaker(&self, canvas: &mut Canvas) {
        let height = 84.0 * self.level;
        canvas.rect(148.0, 158.0, 88.0, 88.0, sheer(p::SKY, 0.45));
        canvas.rect(151.0, 243.0 - height, 82.0, height, self.liquid);
        canvas.line(
            &[
                (144.0, 156.0),
                (148.0, 160.0),
                (148.0, 246.0),
                (236.0, 246.0),
                (236.0, 156.0),
            ],
            3.0,
            p::INK,
        );
    }
}

/// A map of an island with contour lines.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Island {
    /// How the river runs: 0 not at all, 1 from the peak to the south bay, 2 to the steep north coast.
    pub(crate) river: u8,
    /// Where the town stands.
    pub(crate) town: Option<Point>,
    pub(crate) contours: usize,
    pub(crate) woods: bool,
    pub(crate) sea: u32,
    pub(crate) scale: f32,
}

impl Default for Island {
    fn default() -> Self {
        Self {
            river: 0,
            town: None,
            contours: 5,
            woods: true,
            sea: p::SEA,
            scale: 1.0,
        }
    }
}

impl Island {
    fn ring(&self, part: f32) -> Vec<Point> {
        const SHAPE: [f32; 14] = [
            1.0, 0.94, 0.86, 0.98, 0.78, 0.92, 1.02, 0.95, 1.06, 0.9, 1.0, 0.92, 1.04, 0.96,
        ];
        let peak = (196.0 - 24.0 * (1.0 - part), 138.0 - 10.0 * (1.0 - part));
        SHAPE
            .iter()
            .enumerate()
            .map(|(idx, reach)| {
                let angle = idx as f32 / SHAPE.len() as f32 * std::f32::consts::TAU;
                let reach = (1.0 + (reach - 1.0) * part) * part * self.scale;
                (
                    peak.0 + 148.0 * reach * angle.cos(),
                    peak.1 + 108.0 * reach * angle.sin(),
                )
            })
            .collect()
    }

    pub(crate) fn draw(&self, seed: u64) -> Canvas {
        let mut canvas = Canvas::new(self.sea);
        for row in 0..6_u8 {
            let y = 22.0 + 50.0 * f32::from(row);
            for (from, to) in [(10.0, 34.0), (348.0, 372.0)] {
                let wave = [
                    (from, y),
                    (from + 6.0, y - 3.0),
                    (from + 12.0, y),
                    (from + 18.0, y - 3.0),
                    (to, y),
                ];
                canvas.curve(&wave, 2.0, mix(self.sea, p::WHITE, 0.4));
            }
        }
        canvas.blob(&self.ring(1.08), mix(self.sea, p::WHITE, 0.3));
        canvas.blob(&self.ring(1.0), p::SAND);
        let heights = [
            0x00c7_d79a,
            0x00a3_c486,
            0x0086_b076,
            0x00c9_b083,
            0x00a9_8a68,
        ];
        for (idx, ink) in heights.into_iter().enumerate().take(self.contours) {
            let ring = self.ring(0.9 - 0.17 * idx as f32);
            canvas.blob(&ring, ink);
            canvas.blob_line(&ring, 1.2, sheer(p::BARK, 0.45));
        }
        if self.woods {
            self.draw_woods(&mut canvas, seed);
        }
        self.draw_river(&mut canvas);
        if let Some((x, y)) = self.town {
            for (dx, dy, roof) in [
                (-13.0, 2.0, p::CORAL),
                (0.0, -6.0, p::RED),
                (12.0, 4.0, p::ORANGE),
            ] {
                let (x, y) = (x + dx, y + dy);
                canvas.rect(x - 5.0, y, 10.0, 9.0, p::PAPER);
                canvas.poly(&[(x - 7.5, y), (x, y - 8.0), (x + 7.5, y)], roof);
            }
        }
        compass(&mut canvas);
        canvas
    }

    fn draw_woods(&self, canvas: &mut Canvas, seed: u64) {
        let mut random = Random::new(seed, "woods");
        for _ in 0..16 {
            let angle = random.between(-0.9, 0.9);
            let reach = random.between(0.58, 0.8) * self.scale;
            let (x, y) = (
                190.0 + 148.0 * reach * angle.cos(),
                136.0 + 108.0 * reach * angle.sin(),
            );
            canvas.disc((x, y + 1.5), 5.0, sheer(p::BARK, 0.3));
            canvas.disc((x, y), 5.0, p::MOSS);
        }
    }

    fn draw_river(&self, canvas: &mut Canvas) {
        let course: &[Point] = match self.river {
            0 => return,
            1 => &[
                (176.0, 132.0),
                (168.0, 152.0),
                (178.0, 172.0),
                (164.0, 192.0),
                (172.0, 214.0),
                (162.0, 234.0),
                (160.0, 252.0),
            ],
            _ => &[
                (330.0, 120.0),
                (286.0, 108.0),
                (248.0, 126.0),
                (206.0, 96.0),
                (170.0, 70.0),
                (150.0, 40.0),
            ],
        };
        canvas.curve(course, 7.0, mix(p::SEA, p::WHITE, 0.35));
        canvas.curve(course, 4.5, p::BLUE);
    }
}

fn compass(canvas: &mut Canvas) {
    let (x, y) = (350.0, 250.0);
    canvas.disc((x, y), 20.0, sheer(p::WHITE, 0.75));
    canvas.poly(&[(x, y - 16.0), (x + 5.0, y), (x - 5.0, y)], p::RED);
    canvas.poly(&[(x, y + 16.0), (x + 5.0, y), (x - 5.0, y)], p::INK);
    canvas.disc((x, y), 2.0, p::WHITE);
}
