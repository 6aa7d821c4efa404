//! A person made of limbs, and the same pose as a stick figure.

use super::pen::Pen;
use crate::paint::palette as p;
use crate::paint::{Canvas, Point};

/// A limb, as VIBE's judge names it: seen from the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limb {
    LeftArm,
    RightArm,
    LeftLeg,
    RightLeg,
}

impl Limb {
    pub(crate) const ALL: [Self; 4] =
        [Self::LeftArm, Self::RightArm, Self::LeftLeg, Self::RightLeg];
}

/// Where hands and feet are, each by elbow or knee and end, in the figure's measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose(pub(crate) [[Point; 2]; 4]);

const SHOULDERS: [Point; 2] = [(-0.13, 0.74), (0.13, 0.74)];
const HIPS: [Point; 2] = [(-0.07, 0.42), (0.07, 0.42)];

impl Pose {
    /// Arms down, legs straight.
    pub(crate) const STANDING: Self = Self([
        [(-0.2, 0.56), (-0.2, 0.4)],
        [(0.2, 0.56), (0.2, 0.4)],
        [(-0.09, 0.22), (-0.09, 0.03)],
        [(0.09, 0.22), (0.09, 0.03)],
    ]);
    /// One arm up in greeting.
    pub(crate) const WAVING: Self = Self([
        [(-0.2, 0.56), (-0.2, 0.4)],
        [(0.28, 0.78), (0.3, 0.98)],
        [(-0.09, 0.22), (-0.09, 0.03)],
        [(0.09, 0.22), (0.09, 0.03)],
    ]);
    /// A jump with everything apart.
    pub(crate) const STAR: Self = Self([
        [(-0.3, 0.82), (-0.42, 0.96)],
        [(0.3, 0.82), (0.42, 0.96)],
        [(-0.2, 0.25), (-0.32, 0.08)],
        [(0.2, 0.25), (0.32, 0.08)],
    ]);

    /// The same with one limb as it is in another pose.
    pub(crate) fn with(mut self, limb: Limb, of: Self) -> Self {
        self.0[limb as usize] = of.0[limb as usize];
        self
    }

    fn roots() -> [Point; 4] {
        [SHOULDERS[0], SHOULDERS[1], HIPS[0], HIPS[1]]
    }

    /// A person with a shirt and trousers.
    pub(crate) fn person(&self, pen: &mut Pen<'_>, shirt: u32, trousers: u32) {
        let roots = Self::roots();
        for limb in [Limb::LeftLeg, Limb::RightLeg] {
            let [middle, end] = self.0[limb as usize];
            pen.line(&[roots[limb as usize], middle, end], 0.09, trousers);
            pen.oval(
                (end.0 + end.0.signum() * 0.02, end.1 - 0.01),
                (0.07, 0.035),
                p::INK,
            );
        }
        for limb in [Limb::LeftArm, Limb::RightArm] {
            let [middle, end] = self.0[limb as usize];
            pen.line(&[roots[limb as usize], middle, end], 0.075, shirt);
            pen.disc(end, 0.042, SKIN);
        }
        pen.blob(
            &[
                (-0.14, 0.78),
                (-0.12, 0.42),
                (0.12, 0.42),
                (0.14, 0.78),
                (0.0, 0.8),
            ],
            shirt,
        );
        pen.disc((0.0, 0.92), 0.095, SKIN);
        pen.blob(
            &[
                (-0.1, 0.93),
                (-0.08, 1.02),
                (0.06, 1.03),
                (0.1, 0.95),
                (0.02, 0.985),
            ],
            p::BARK,
        );
    }

    /// The stick figure of the pose, as pose detectors draw it: one colour for each limb, on black.
    pub(crate) fn sticks(&self, canvas: &mut Canvas, at: Point, size: f32) {
        let place = |(u, v): Point| (at.0 + u * size, at.1 - v * size);
        let bone = |canvas: &mut Canvas, ends: [Point; 2], colour: u32| {
            canvas.line(&ends.map(place), 5.0, colour);
        };
        let neck = (0.0, 0.78);
        bone(canvas, [(0.0, 0.92), neck], p::STONE);
        for (side, colour) in SHOULDERS.into_iter().zip([p::SEA, p::CORAL]) {
            bone(canvas, [neck, side], colour);
        }
        for (side, colour) in HIPS.into_iter().zip([p::LEAF, p::SUN]) {
            bone(canvas, [neck, side], colour);
        }
        let colours = [p::SEA, p::CORAL, p::LEAF, p::SUN];
        for ((root, limb), colour) in Self::roots().into_iter().zip(self.0).zip(colours) {
            bone(canvas, [root, limb[0]], colour);
            bone(canvas, limb, colour);
        }
        let ends = self.0.iter().flatten().copied();
        for joint in ends.chain(Self::roots()).chain([neck, (0.0, 0.92)]) {
            canvas.disc(place(joint), 4.0, p::WHITE);
        }
    }
}

const SKIN: u32 = 0x00d9_a07a;
