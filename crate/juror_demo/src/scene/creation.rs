//! Scenes of the category Creation: a house that is edited, a cat that gets a hat, a boat's story.

use crate::paint::palette as p;
use crate::paint::{Canvas, Point, WIDTH, mix, sheer};
use crate::random::Random;

const W: f32 = WIDTH as f32;

/// A house behind a fence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct House {
    pub(crate) fence: u32,
    /// The dog's coat and place.
    pub(crate) dog: Option<(u32, f32)>,
    pub(crate) evening: bool,
    pub(crate) wall: u32,
    pub(crate) roof: u32,
    pub(crate) tree: bool,
    /// Sky and hills are there.
    pub(crate) background: bool,
}

impl Default for House {
    fn default() -> Self {
        Self {
            fence: p::PAPER,
            dog: None,
            evening: false,
            wall: p::SAND,
            roof: p::CORAL,
            tree: true,
            background: true,
        }
    }
}

impl House {
    pub(crate) fn draw(&self, seed: u64) -> Canvas {
        let dark = |ink: u32| {
            if self.evening {
                mix(ink, 0x002a_2f5c, 0.42)
            } else {
                ink
            }
        };
        let sky = if self.evening { 0x004a_4f86 } else { p::SKY };
        let mut canvas = Canvas::new(if self.background { sky } else { 0x00d4_d4d4 });
        if self.background {
            self.draw_sky(&mut canvas, seed);
            canvas.land(
                &[
                    (0.0, 176.0),
                    (90.0, 150.0),
                    (200.0, 172.0),
                    (300.0, 146.0),
                    (W, 168.0),
                ],
                dark(p::MOSS),
            );
            canvas.land(
                &[(0.0, 206.0), (120.0, 198.0), (260.0, 204.0), (W, 196.0)],
                dark(p::LEAF),
            );
        }
        if self.tree {
            canvas.rect(310.0, 150.0, 12.0, 66.0, dark(p::BARK));
            canvas.disc((316.0, 126.0), 36.0, dark(p::PINE));
            canvas.disc((296.0, 142.0), 22.0, dark(p::PINE));
            canvas.disc((328.0, 112.0), 20.0, dark(p::MOSS));
        }
        self.draw_house(&mut canvas, &dark);
        self.draw_fence(&mut canvas, &dark);
        if let Some((coat, x)) = self.dog {
            dog(&mut canvas, dark(coat), x);
        }
        canvas
    }

    fn draw_sky(&self, canvas: &mut Canvas, seed: u64) {
        if self.evening {
            canvas.land(&[(0.0, 70.0), (W, 60.0)], 0x007d_5f93);
            canvas.land(&[(0.0, 112.0), (W, 104.0)], 0x00c9_777d);
            canvas.land(&[(0.0, 140.0), (W, 136.0)], 0x00ee_a56b);
            let mut random = Random::new(seed, "evening stars");
            for _ in 0..14 {
                let place = (random.between(6.0, W - 6.0), random.between(6.0, 62.0));
                canvas.disc(place, 1.3, sheer(p::PALE, 0.8));
            }
            return;
        }
        canvas.land(&[(0.0, 110.0), (W, 96.0)], mix(p::SKY, p::PALE, 0.7));
        canvas.disc((58.0, 52.0), 24.0, p::SUN);
        for (x, y) in [(250.0, 44.0), (150.0, 28.0)] {
            canvas.pill([x - 30.0, y, 62.0, 16.0], 8.0, p::WHITE);
            canvas.disc((x - 6.0, y + 2.0), 14.0, p::WHITE);
            canvas.disc((x + 12.0, y + 5.0), 10.0, p::WHITE);
        }
    }

    fn draw_house(&self, canvas: &mut Canvas, dark: &dyn Fn(u32) -> u32) {
        let glass = if self.evening { p::SUN } else { p::SEA };
        canvas.rect(222.0, 74.0, 16.0, 34.0, dark(p::WOOD));
        canvas.rect(120.0, 128.0, 140.0, 92.0, dark(self.wall));
        canvas.rect(
            120.0,
            128.0,
            140.0,
            8.0,
            dark(mix(self.wall, p::BARK, 0.25)),
        );
        canvas.poly(
            &[(104.0, 132.0), (152.0, 82.0), (228.0, 82.0), (276.0, 132.0)],
            dark(self.roof),
        );
        canvas.poly(
            &[
                (104.0, 132.0),
                (110.0, 125.0),
                (270.0, 125.0),
                (276.0, 132.0),
            ],
            dark(mix(self.roof, p::INK, 0.25)),
        );
        canvas.pill([178.0, 162.0, 26.0, 60.0], 6.0, dark(p::BARK));
        canvas.disc((198.0, 194.0), 2.2, p::SUN);
        for x in [134.0, 218.0] {
            canvas.rect(x, 152.0, 30.0, 30.0, p::PAPER);
            canvas.rect(x + 3.0, 155.0, 11.0, 11.0, glass);
            canvas.rect(x + 16.0, 155.0, 11.0, 11.0, glass);
            canvas.rect(x + 3.0, 168.0, 11.0, 11.0, glass);
            canvas.rect(x + 16.0, 168.0, 11.0, 11.0, glass);
        }
    }

    fn draw_fence(&self, canvas: &mut Canvas, dark: &dyn Fn(u32) -> u32) {
        let ink = dark(self.fence);
        let shade = mix(ink, p::INK, 0.2);
        canvas.rect(0.0, 226.0, W, 6.0, shade);
        canvas.rect(0.0, 248.0, W, 6.0, shade);
        for idx in 0..16_u8 {
            let x = 4.0 + 24.4 * f32::from(idx);
            canvas.poly(
                &[
                    (x, 262.0),
                    (x, 220.0),
                    (x + 6.5, 211.0),
                    (x + 13.0, 220.0),
                    (x + 13.0, 262.0),
                ],
                ink,
            );
            canvas.rect(x + 10.0, 220.0, 3.0, 42.0, shade);
        }
    }
}

fn dog(canvas: &mut Canvas, coat: u32, x: f32) {
    let y = 246.0;
    let ear = mix(coat, p::INK, 0.35);
    canvas.oval((x, y + 33.0), (38.0, 5.0), sheer(p::INK, 0.25));
    canvas.curve(
        &[(x - 28.0, y), (x - 38.0, y - 8.0), (x - 40.0, y - 20.0)],
        6.0,
        coat,
    );
    for leg in [-24.0, -14.0, 12.0, 21.0] {
        canvas.pill([x + leg, y + 6.0, 8.0, 27.0], 3.0, mix(coat, p::INK, 0.12));
    }
    canvas.pill([x - 30.0, y - 10.0, 60.0, 26.0], 13.0, coat);
    canvas.disc((x + 32.0, y - 16.0), 15.0, coat);
    canvas.pill(
        [x + 36.0, y - 16.0, 20.0, 13.0],
        6.0,
        mix(coat, p::WHITE, 0.3),
    );
    canvas.disc((x + 54.0, y - 12.0), 3.4, p::INK);
    canvas.disc((x + 37.0, y - 20.0), 2.2, p::INK);
    canvas.blob(
        &[
            (x + 22.0, y - 28.0),
            (x + 29.0, y - 24.0),
            (x + 27.0, y - 6.0),
            (x + 19.0, y - 8.0),
        ],
        ear,
    );
    canvas.line(&[(x + 20.0, y - 2.0), (x + 30.0, y + 2.0)], 4.0, p::RED);
}

/// A hat's colours and how far it sits from the middle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hat {
    pub(crate) felt: u32,
    pub(crate) band: u32,
    pub(crate) aside: f32,
    pub(crate) up: f32,
}

impl Default for Hat {
    fn default() -> Self {
        Self {
            felt: p::TEAL,
            band: p::SUN,
            aside: 0.0,
            up: 0.0,
        }
    }
}

/// A cat, a hat, or both.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cat {
    /// The cat's fur; without a cat the hat lies on a table.
    pub(crate) fur: Option<u32>,
    pub(crate) stripes: bool,
    pub(crate) hat: Option<Hat>,
    pub(crate) eyes: u32,
    /// 0 plain, 1 a window with an evening sky, 2 nothing.
    pub(crate) behind: u8,
}

impl Default for Cat {
    fn default() -> Self {
        Self {
            fur: Some(p::ORANGE),
            stripes: true,
            hat: None,
            eyes: p::LEAF,
            behind: 0,
        }
    }
}

impl Cat {
    pub(crate) fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(match self.behind {
            0 => 0x00f3_e3d3,
            1 => 0x00d9_c4b8,
            _ => 0x00d4_d4d4,
        });
        self.draw_behind(&mut canvas);
        let Some(fur) = self.fur else {
            canvas.oval((192.0, 226.0), (96.0, 10.0), sheer(p::INK, 0.22));
            if let Some(hat) = &self.hat {
                hat_at(&mut canvas, hat, (192.0, 214.0), 1.5);
            }
            return canvas;
        };
        self.draw_cat(&mut canvas, fur);
        if let Some(hat) = &self.hat {
            canvas.turned(-5.0, (192.0, 84.0), |canvas| {
                hat_at(canvas, hat, (192.0 + hat.aside, 84.0 - hat.up), 1.0);
            });
        }
        canvas
    }

    fn draw_behind(&self, canvas: &mut Canvas) {
        match self.behind {
            0 => {
                canvas.disc((192.0, 150.0), 124.0, 0x00f8_eee2);
                canvas.rect(0.0, 232.0, W, 56.0, 0x00cf_9f7a);
                canvas.rect(0.0, 232.0, W, 5.0, 0x00e0_b894);
            }
            1 => {
                canvas.rect(62.0, 18.0, 260.0, 190.0, p::PAPER);
                canvas.rect(72.0, 28.0, 240.0, 170.0, 0x008a_6a9c);
                canvas.rect(72.0, 80.0, 240.0, 118.0, 0x00cf_7f88);
                canvas.rect(72.0, 126.0, 240.0, 72.0, 0x00f2_b077);
                canvas.disc((254.0, 150.0), 24.0, p::SUN);
                canvas.rect(72.0, 168.0, 240.0, 30.0, 0x005c_4f78);
                canvas.rect(188.0, 28.0, 8.0, 170.0, p::PAPER);
                canvas.rect(72.0, 106.0, 240.0, 7.0, p::PAPER);
                canvas.rect(0.0, 232.0, W, 56.0, 0x00b0_8264);
                canvas.rect(0.0, 232.0, W, 5.0, 0x00cb_a080);
            }
            _ => {}
        }
    }

    #[expect(clippy::too_many_lines, reason = "one drawing, stroke after stroke")]
    fn draw_cat(&self, canvas: &mut Canvas, fur: u32) {
        let (dark, light) = (mix(fur, p::BARK, 0.45), mix(fur, p::WHITE, 0.6));
        canvas.oval((192.0, 268.0), (92.0, 9.0), sheer(p::INK, 0.2));
        canvas.curve(
            &[
                (250.0, 252.0),
                (290.0, 250.0),
                (304.0, 222.0),
                (290.0, 202.0),
            ],
            17.0,
            fur,
        );
        canvas.curve(
            &[(299.0, 234.0), (302.0, 220.0), (290.0, 202.0)],
            17.0,
            dark,
        );
        canvas.blob(
            &[
                (192.0, 156.0),
                (248.0, 196.0),
                (258.0, 262.0),
                (192.0, 270.0),
                (126.0, 262.0),
                (136.0, 196.0),
            ],
            fur,
        );
        canvas.oval((192.0, 226.0), (34.0, 40.0), light);
        for x in [166.0, 218.0] {
            canvas.oval((x, 262.0), (20.0, 11.0), mix(fur, p::WHITE, 0.25));
        }
        for side in [-1.0, 1.0] {
            let ear = |reach: f32, high: f32| {
                [
                    (192.0 + side * reach, 108.0),
                    (192.0 + side * (reach + 8.0), 108.0 - high),
                    (192.0 + side * (reach - 40.0), 84.0),
                ]
            };
            canvas.poly(&ear(66.0, 56.0), fur);
            canvas.poly(
                &[
                    (192.0 + side * 60.0, 96.0),
                    (192.0 + side * 68.0, 66.0),
                    (192.0 + side * 42.0, 84.0),
                ],
                p::ROSE,
            );
        }
        canvas.oval((192.0, 126.0), (70.0, 56.0), fur);
        if self.stripes {
            for x in [-16.0, 0.0, 16.0] {
                canvas.line(&[(192.0 + x, 76.0), (192.0 + x * 0.8, 92.0)], 6.0, dark);
            }
            for (side, y) in [(-1.0, 128.0), (-1.0, 142.0), (1.0, 128.0), (1.0, 142.0)] {
                canvas.line(
                    &[(192.0 + side * 66.0, y - 2.0), (192.0 + side * 50.0, y)],
                    5.0,
                    dark,
                );
            }
        }
        canvas.oval((192.0, 148.0), (30.0, 21.0), light);
        for x in [164.0, 220.0] {
            canvas.oval((x, 122.0), (12.0, 13.0), p::PAPER);
            canvas.oval((x, 123.0), (9.5, 11.0), self.eyes);
            canvas.oval((x, 123.0), (3.6, 9.0), p::INK);
            canvas.disc((x + 3.0, 118.0), 2.4, p::WHITE);
        }
        canvas.poly(&[(185.0, 138.0), (199.0, 138.0), (192.0, 146.0)], p::CORAL);
        canvas.curve(
            &[
                (178.0, 153.0),
                (186.0, 156.0),
                (192.0, 147.0),
                (198.0, 156.0),
                (206.0, 153.0),
            ],
            2.4,
            p::BARK,
        );
        for (side, y) in [(-1.0, 146.0), (-1.0, 153.0), (1.0, 146.0), (1.0, 153.0)] {
            canvas.line(
                &[
                    (192.0 + side * 30.0, y),
                    (192.0 + side * 82.0, y + (y - 150.0) * 1.6),
                ],
                1.6,
                p::PAPER,
            );
        }
    }
}

/// A hat whose brim's middle stands at a point.
fn hat_at(canvas: &mut Canvas, hat: &Hat, (x, y): Point, scale: f32) {
    let s = scale;
    let crown = [
        (x - 42.0 * s, y - 2.0 * s),
        (x - 38.0 * s, y - 56.0 * s),
        (x - 14.0 * s, y - 64.0 * s),
        (x, y - 58.0 * s),
        (x + 14.0 * s, y - 64.0 * s),
        (x + 38.0 * s, y - 56.0 * s),
        (x + 42.0 * s, y - 2.0 * s),
    ];
    canvas.oval((x, y), (78.0 * s, 13.0 * s), mix(hat.felt, p::INK, 0.25));
    canvas.oval((x, y - 3.0 * s), (78.0 * s, 11.0 * s), hat.felt);
    canvas.blob(&crown, hat.felt);
    canvas.poly(
        &[
            (x - 41.0 * s, y - 6.0 * s),
            (x - 39.5 * s, y - 24.0 * s),
            (x + 39.5 * s, y - 24.0 * s),
            (x + 41.0 * s, y - 6.0 * s),
        ],
        hat.band,
    );
    canvas.curve(
        &[
            (x + 26.0 * s, y - 22.0 * s),
            (x + 40.0 * s, y - 46.0 * s),
            (x + 58.0 * s, y - 62.0 * s),
        ],
        5.0 * s,
        p::CORAL,
    );
    canvas.curve(
        &[
            (x + 32.0 * s, y - 30.0 * s),
            (x + 44.0 * s, y - 50.0 * s),
            (x + 56.0 * s, y - 60.0 * s),
        ],
        2.0 * s,
        p::PAPER,
    );
}

/// The weather of a panel of the boat's story.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Weather {
    Morning,
    Storm,
    Evening,
}

/// A sailing boat at sea.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Boat {
    pub(crate) weather: Weather,
    pub(crate) sail: u32,
    pub(crate) stripe: bool,
    pub(crate) hull: u32,
    pub(crate) lighthouse: bool,
    pub(crate) tilt: f32,
    /// The boat is there.
    pub(crate) afloat: bool,
}

impl Default for Boat {
    fn default() -> Self {
        Self {
            weather: Weather::Morning,
            sail: p::PAPER,
            stripe: true,
            hull: p::CORAL,
            lighthouse: true,
            tilt: -3.0,
            afloat: true,
        }
    }
}

impl Boat {
    pub(crate) fn draw(&self, seed: u64) -> Canvas {
        let (sky, glow, sea) = match self.weather {
            Weather::Morning => (0x00bf_e0ea, 0x00e4_f1f2, 0x004f_9db5),
            Weather::Storm => (0x004b_586e, 0x005f_6d83, 0x002f_5568),
            Weather::Evening => (0x008a_6a9c, 0x00f2_b077, 0x004a_5f93),
        };
        let mut canvas = Canvas::new(sky);
        canvas.land(&[(0.0, 92.0), (W, 84.0)], mix(sky, glow, 0.5));
        canvas.land(&[(0.0, 134.0), (W, 130.0)], glow);
        self.draw_sky(&mut canvas, seed);
        if self.lighthouse {
            self.draw_lighthouse(&mut canvas);
        }
        let high = if self.weather == Weather::Storm {
            11.0
        } else {
            3.0
        };
        wave(&mut canvas, 186.0, high * 0.6, 0.0, mix(sea, glow, 0.3));
        if self.afloat {
            let about = (176.0, 206.0);
            canvas.turned(self.tilt, about, |canvas| self.draw_boat(canvas));
        }
        wave(&mut canvas, 222.0, high, 26.0, sea);
        wave(&mut canvas, 246.0, high, 70.0, mix(sea, p::INK, 0.2));
        wave(&mut canvas, 268.0, high, 10.0, mix(sea, p::INK, 0.38));
        canvas
    }

    fn draw_sky(&self, canvas: &mut Canvas, seed: u64) {
        match self.weather {
            Weather::Morning => {
                canvas.disc((74.0, 66.0), 26.0, p::SUN);
                for (x, y) in [(214.0, 42.0), (300.0, 70.0)] {
                    canvas.pill([x - 34.0, y, 68.0, 15.0], 8.0, p::WHITE);
                    canvas.disc((x - 4.0, y), 14.0, p::WHITE);
                }
                for (x, y) in [(140.0, 80.0), (160.0, 70.0), (262.0, 100.0)] {
                    canvas.curve(
                        &[
                            (x - 8.0, y - 3.0),
                            (x - 3.0, y - 4.0),
                            (x, y),
                            (x + 3.0, y - 4.0),
                            (x + 8.0, y - 3.0),
                        ],
                        2.0,
                        p::SLATE,
                    );
                }
            }
            Weather::Storm => {
                for (x, y, size) in [
                    (70.0, 34.0, 34.0),
                    (130.0, 22.0, 42.0),
                    (210.0, 30.0, 38.0),
                    (290.0, 20.0, 46.0),
                    (350.0, 38.0, 32.0),
                ] {
                    canvas.disc((x, y), size, 0x0036_4155);
                }
                canvas.rect(0.0, 0.0, W, 30.0, 0x0036_4155);
                canvas.poly(
                    &[
                        (262.0, 58.0),
                        (240.0, 108.0),
                        (256.0, 106.0),
                        (238.0, 154.0),
                        (276.0, 96.0),
                        (260.0, 97.0),
                        (276.0, 58.0),
                    ],
                    p::SUN,
                );
                let mut random = Random::new(seed, "rain");
                for _ in 0..46 {
                    let (x, y) = (random.between(0.0, W), random.between(60.0, 200.0));
                    canvas.line(&[(x, y), (x - 5.0, y + 14.0)], 1.4, sheer(p::SKY, 0.5));
                }
            }
            Weather::Evening => {
                canvas.disc((112.0, 168.0), 38.0, p::SUN);
                canvas.pill([190.0, 58.0, 96.0, 12.0], 6.0, sheer(p::ROSE, 0.7));
                canvas.pill([240.0, 76.0, 110.0, 10.0], 5.0, sheer(p::ROSE, 0.5));
            }
        }
    }

    fn draw_lighthouse(&self, canvas: &mut Canvas) {
        canvas.blob(
            &[
                (274.0, 200.0),
                (300.0, 172.0),
                (346.0, 170.0),
                (392.0, 188.0),
                (398.0, 210.0),
                (300.0, 214.0),
            ],
            0x005c_6874,
        );
        if self.weather != Weather::Morning {
            canvas.poly(
                &[(324.0, 102.0), (200.0, 78.0), (200.0, 120.0)],
                sheer(p::SUN, 0.35),
            );
        }
        canvas.poly(
            &[
                (312.0, 174.0),
                (317.0, 110.0),
                (335.0, 110.0),
                (340.0, 174.0),
            ],
            p::PAPER,
        );
        canvas.poly(
            &[
                (313.5, 156.0),
                (314.8, 140.0),
                (337.2, 140.0),
                (338.5, 156.0),
            ],
            p::RED,
        );
        canvas.poly(
            &[
                (316.0, 126.0),
                (317.0, 112.0),
                (335.0, 112.0),
                (336.0, 126.0),
            ],
            p::RED,
        );
        canvas.rect(319.0, 96.0, 14.0, 14.0, p::SUN);
        canvas.poly(&[(314.0, 97.0), (326.0, 84.0), (338.0, 97.0)], p::INK);
        canvas.rect(313.0, 108.0, 26.0, 4.0, p::INK);
    }

    fn draw_boat(&self, canvas: &mut Canvas) {
        canvas.rect(174.0, 74.0, 5.0, 132.0, p::BARK);
        canvas.blob(
            &[
                (181.0, 78.0),
                (214.0, 120.0),
                (246.0, 190.0),
                (181.0, 192.0),
                (184.0, 130.0),
            ],
            self.sail,
        );
        if self.stripe {
            canvas.poly(
                &[
                    (184.0, 140.0),
                    (223.0, 140.0),
                    (231.0, 157.0),
                    (183.0, 157.0),
                ],
                p::BLUE,
            );
        }
        canvas.blob(
            &[
                (172.0, 92.0),
                (146.0, 150.0),
                (122.0, 190.0),
                (171.0, 192.0),
            ],
            mix(self.sail, p::STONE, 0.25),
        );
        canvas.poly(&[(178.0, 74.0), (178.0, 62.0), (200.0, 68.0)], p::RED);
        canvas.poly(
            &[
                (104.0, 202.0),
                (258.0, 202.0),
                (234.0, 236.0),
                (130.0, 236.0),
            ],
            self.hull,
        );
        canvas.rect(104.0, 199.0, 154.0, 7.0, p::PAPER);
        for x in [150.0, 181.0, 212.0] {
            canvas.disc((x, 217.0), 5.0, p::PALE);
        }
    }
}

fn wave(canvas: &mut Canvas, y: f32, high: f32, phase: f32, ink: u32) {
    let skyline: Vec<Point> = (0..14_u8)
        .map(|idx| {
            let x = -30.0 + 34.0 * f32::from(idx);
            let lift = if idx % 2 == 0 { high } else { -high };
            (x + phase * 0.3, y + lift)
        })
        .collect();
    let first = (-10.0, y);
    canvas.land(&[vec![first], skyline, vec![(W + 40.0, y)]].concat(), ink);
}
