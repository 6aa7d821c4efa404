//! Things that can stand on a stage, each in two colours.

use super::pen::Pen;
use crate::paint::mix;
use crate::paint::palette as p;

/// What stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Mug,
    Lamp,
    Plant,
    Ball,
    Robot,
    Kite,
    Fish,
    Clock,
    Teapot,
    Umbrella,
    Boat,
    Balloon,
    Hat,
    Cat,
    Car,
    Tree,
    Gift,
    Flag,
    Chair,
    Cake,
    Vase,
}

impl Thing {
    /// Draws it with its foot at the pen's place.
    pub(crate) fn draw(self, pen: &mut Pen<'_>, a: u32, b: u32) {
        match self {
            Self::Mug => mug(pen, a, b),
            Self::Lamp => lamp(pen, a, b),
            Self::Plant => plant(pen, a, b),
            Self::Ball => ball(pen, a, b),
            Self::Robot => robot(pen, a, b),
            Self::Kite => kite(pen, a, b),
            Self::Fish => fish(pen, a, b),
            Self::Clock => clock(pen, a, b),
            Self::Teapot => teapot(pen, a, b),
            Self::Umbrella => umbrella(pen, a, b),
            Self::Boat => boat(pen, a, b),
            Self::Balloon => balloon(pen, a, b),
            Self::Hat => hat(pen, a, b),
            Self::Cat => cat(pen, a, b),
            Self::Car => car(pen, a, b),
            Self::Tree => tree(pen, a, b),
            Self::Gift => gift(pen, a, b),
            Self::Flag => flag(pen, a, b),
            Self::Chair => chair(pen, a, b),
            Self::Cake => cake(pen, a, b),
            Self::Vase => vase(pen, a, b),
        }
    }
}

fn mug(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(
        &[(0.3, 0.75), (0.58, 0.7), (0.58, 0.35), (0.3, 0.3)],
        0.09,
        a,
    );
    pen.rect([-0.36, 0.0, 0.72, 0.95], a);
    pen.rect([-0.36, 0.4, 0.72, 0.2], b);
    pen.oval((0.0, 0.95), (0.36, 0.08), mix(a, p::INK, 0.35));
}

fn lamp(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.oval((0.0, 0.05), (0.24, 0.06), b);
    pen.line(&[(0.0, 0.05), (0.0, 0.62)], 0.06, b);
    pen.poly(&[(-0.34, 0.55), (0.34, 0.55), (0.18, 1.0), (-0.18, 1.0)], a);
}

fn plant(pen: &mut Pen<'_>, a: u32, b: u32) {
    for (tip, bend) in [
        ((-0.42, 0.72), (-0.12, 0.72)),
        ((-0.2, 0.98), (0.02, 0.8)),
        ((0.14, 1.0), (0.16, 0.72)),
        ((0.44, 0.7), (0.26, 0.62)),
    ] {
        pen.blob(
            &[
                (0.0, 0.34),
                bend,
                tip,
                ((tip.0 + 0.02) * 0.55, tip.1 * 0.62),
            ],
            a,
        );
    }
    pen.poly(&[(-0.2, 0.0), (0.2, 0.0), (0.28, 0.38), (-0.28, 0.38)], b);
}

fn ball(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.disc((0.0, 0.5), 0.5, a);
    pen.detail(&[(-0.46, 0.66), (0.0, 0.76), (0.46, 0.66)], 0.07, b);
    pen.detail(&[(-0.46, 0.34), (0.0, 0.26), (0.46, 0.34)], 0.07, b);
    pen.shine((-0.2, 0.68), 0.09, a);
}

fn robot(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(&[(0.0, 0.92), (0.0, 1.0)], 0.03, b);
    pen.disc((0.0, 1.0), 0.04, b);
    pen.line(&[(-0.3, 0.48), (-0.42, 0.28)], 0.08, b);
    pen.line(&[(0.3, 0.48), (0.42, 0.28)], 0.08, b);
    pen.rect([-0.2, 0.0, 0.13, 0.16], b);
    pen.rect([0.07, 0.0, 0.13, 0.16], b);
    pen.rect([-0.3, 0.14, 0.6, 0.42], a);
    pen.rect([-0.24, 0.6, 0.48, 0.32], a);
    pen.disc((-0.1, 0.77), 0.06, b);
    pen.disc((0.1, 0.77), 0.06, b);
    pen.detail(&[(-0.1, 0.66), (0.1, 0.66)], 0.03, b);
    pen.detail(&[(-0.16, 0.36), (0.16, 0.36)], 0.04, b);
}

fn kite(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(
        &[(0.0, 0.3), (-0.12, 0.18), (0.06, 0.08), (-0.1, 0.0)],
        0.025,
        b,
    );
    pen.poly(&[(0.0, 0.3), (0.34, 0.7), (0.0, 1.0), (-0.34, 0.7)], a);
    pen.poly(&[(0.0, 0.3), (0.34, 0.7), (0.0, 0.7)], b);
    pen.poly(&[(0.0, 1.0), (-0.34, 0.7), (0.0, 0.7)], b);
}

fn fish(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.poly(&[(-0.5, 0.5), (-0.86, 0.84), (-0.8, 0.5), (-0.86, 0.16)], b);
    pen.oval((0.05, 0.5), (0.66, 0.42), a);
    pen.poly(&[(-0.1, 0.88), (0.28, 0.88), (0.02, 1.0)], b);
    pen.disc((0.42, 0.6), 0.07, p::INK);
    pen.detail(&[(0.18, 0.82), (0.06, 0.5), (0.18, 0.18)], 0.06, b);
}

fn clock(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(&[(-0.24, 0.0), (-0.16, 0.14)], 0.07, b);
    pen.line(&[(0.24, 0.0), (0.16, 0.14)], 0.07, b);
    pen.disc((-0.26, 0.92), 0.1, b);
    pen.disc((0.26, 0.92), 0.1, b);
    pen.disc((0.0, 0.52), 0.44, a);
    pen.disc((0.0, 0.52), 0.33, p::PAPER);
    pen.detail(&[(0.0, 0.76), (0.0, 0.52), (0.16, 0.42)], 0.05, p::INK);
}

fn teapot(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(
        &[(-0.46, 0.66), (-0.76, 0.6), (-0.7, 0.26), (-0.42, 0.24)],
        0.08,
        a,
    );
    pen.poly(&[(0.36, 0.3), (0.8, 0.72), (0.7, 0.78), (0.36, 0.56)], a);
    pen.oval((0.0, 0.4), (0.52, 0.4), a);
    pen.oval((0.0, 0.78), (0.24, 0.07), b);
    pen.disc((0.0, 0.9), 0.09, b);
    pen.detail(&[(-0.46, 0.4), (0.46, 0.4)], 0.06, b);
}

fn umbrella(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(
        &[(0.0, 0.62), (0.0, 0.1), (0.07, 0.02), (0.14, 0.1)],
        0.04,
        p::INK,
    );
    pen.blob(
        &[
            (-0.6, 0.56),
            (-0.42, 0.86),
            (0.0, 1.0),
            (0.42, 0.86),
            (0.6, 0.56),
            (0.0, 0.62),
        ],
        a,
    );
    pen.poly(&[(-0.2, 0.6), (0.0, 0.99), (0.2, 0.6)], b);
}

fn boat(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(&[(0.0, 0.2), (0.0, 1.0)], 0.03, p::BARK);
    pen.poly(&[(0.05, 0.3), (0.46, 0.34), (0.05, 0.98)], b);
    pen.poly(&[(-0.05, 0.3), (-0.34, 0.34), (-0.05, 0.84)], b);
    pen.poly(&[(-0.6, 0.24), (0.6, 0.24), (0.42, 0.0), (-0.42, 0.0)], a);
}

fn balloon(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(&[(-0.1, 0.34), (-0.06, 0.18)], 0.015, p::INK);
    pen.line(&[(0.1, 0.34), (0.06, 0.18)], 0.015, p::INK);
    pen.rect([-0.1, 0.0, 0.2, 0.18], p::WOOD);
    pen.blob(
        &[
            (-0.12, 0.34),
            (-0.36, 0.62),
            (-0.24, 0.94),
            (0.0, 1.0),
            (0.24, 0.94),
            (0.36, 0.62),
            (0.12, 0.34),
        ],
        a,
    );
    pen.blob(
        &[
            (-0.04, 0.34),
            (-0.12, 0.66),
            (0.0, 0.99),
            (0.12, 0.66),
            (0.04, 0.34),
        ],
        b,
    );
}

fn hat(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.oval((0.0, 0.12), (0.7, 0.13), a);
    pen.poly(&[(-0.34, 0.14), (0.34, 0.14), (0.3, 0.98), (-0.3, 0.98)], a);
    pen.poly(
        &[(-0.34, 0.14), (0.34, 0.14), (0.33, 0.36), (-0.33, 0.36)],
        b,
    );
}

fn cat(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.line(
        &[(0.28, 0.1), (0.54, 0.14), (0.56, 0.44), (0.46, 0.52)],
        0.09,
        a,
    );
    pen.blob(
        &[
            (-0.3, 0.0),
            (-0.28, 0.36),
            (0.0, 0.54),
            (0.28, 0.36),
            (0.32, 0.0),
        ],
        a,
    );
    pen.poly(&[(-0.3, 0.72), (-0.27, 1.0), (-0.08, 0.86)], a);
    pen.poly(&[(0.3, 0.72), (0.27, 1.0), (0.08, 0.86)], a);
    pen.oval((0.0, 0.68), (0.32, 0.24), a);
    pen.oval((0.0, 0.2), (0.14, 0.18), b);
    pen.disc((-0.12, 0.72), 0.045, p::INK);
    pen.disc((0.12, 0.72), 0.045, p::INK);
    pen.detail(&[(-0.07, 0.61), (0.0, 0.57), (0.07, 0.61)], 0.025, p::INK);
}

fn car(pen: &mut Pen<'_>, a: u32, b: u32) {
    // Looks to the right: the bonnet is there.
    pen.poly(&[(-0.62, 0.5), (-0.48, 0.94), (0.22, 0.94), (0.44, 0.5)], a);
    pen.poly(
        &[(-0.5, 0.54), (-0.4, 0.85), (-0.12, 0.85), (-0.12, 0.54)],
        p::PALE,
    );
    pen.poly(
        &[(-0.02, 0.54), (-0.02, 0.85), (0.17, 0.85), (0.32, 0.54)],
        p::PALE,
    );
    pen.poly(
        &[
            (-0.9, 0.16),
            (-0.9, 0.52),
            (0.5, 0.52),
            (0.9, 0.4),
            (0.94, 0.16),
        ],
        a,
    );
    pen.disc((0.86, 0.36), 0.06, b);
    for x in [-0.54, 0.54] {
        pen.disc((x, 0.18), 0.18, p::INK);
        pen.disc((x, 0.18), 0.08, p::STONE);
    }
}

fn tree(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.rect([-0.06, 0.0, 0.12, 0.42], b);
    pen.blob(
        &[
            (-0.38, 0.5),
            (-0.3, 0.8),
            (0.0, 1.0),
            (0.3, 0.8),
            (0.38, 0.5),
            (0.0, 0.36),
        ],
        a,
    );
    pen.shine((-0.12, 0.76), 0.07, a);
}

fn gift(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.rect([-0.42, 0.0, 0.84, 0.62], a);
    pen.rect([-0.48, 0.58, 0.96, 0.2], a);
    pen.rect([-0.09, 0.0, 0.18, 0.78], b);
    pen.blob(&[(0.0, 0.78), (-0.3, 0.98), (-0.32, 0.8)], b);
    pen.blob(&[(0.0, 0.78), (0.3, 0.98), (0.32, 0.8)], b);
}

fn flag(pen: &mut Pen<'_>, a: u32, b: u32) {
    // Flies to the right.
    pen.line(&[(0.0, 0.0), (0.0, 1.0)], 0.035, p::SLATE);
    pen.blob(
        &[
            (0.02, 0.97),
            (0.2, 1.02),
            (0.4, 0.94),
            (0.62, 0.99),
            (0.62, 0.66),
            (0.4, 0.6),
            (0.2, 0.68),
            (0.02, 0.63),
        ],
        a,
    );
    pen.disc((0.3, 0.8), 0.09, b);
}

fn chair(pen: &mut Pen<'_>, a: u32, b: u32) {
    for x in [-0.28, 0.24] {
        pen.rect([x, 0.0, 0.06, 0.44], b);
    }
    pen.rect([-0.3, 0.42, 0.08, 0.56], b);
    pen.rect([-0.24, 0.62, 0.1, 0.34], a);
    pen.rect([-0.32, 0.42, 0.66, 0.12], a);
}

fn cake(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.oval((0.0, 0.05), (0.66, 0.07), p::STONE);
    pen.rect([-0.5, 0.06, 1.0, 0.3], a);
    pen.rect([-0.34, 0.36, 0.68, 0.28], b);
    for x in [-0.18, 0.0, 0.18] {
        pen.line(&[(x, 0.64), (x, 0.86)], 0.05, p::SEA);
        pen.disc((x, 0.93), 0.045, p::SUN);
    }
}

fn vase(pen: &mut Pen<'_>, a: u32, b: u32) {
    pen.blob(
        &[
            (-0.16, 0.0),
            (-0.34, 0.38),
            (-0.12, 0.72),
            (-0.2, 1.0),
            (0.2, 1.0),
            (0.12, 0.72),
            (0.34, 0.38),
            (0.16, 0.0),
        ],
        a,
    );
    pen.detail(&[(-0.3, 0.44), (0.3, 0.44)], 0.06, b);
    pen.detail(&[(-0.3, 0.32), (0.3, 0.32)], 0.06, b);
}
