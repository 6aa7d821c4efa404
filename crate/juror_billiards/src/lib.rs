//! Billiards cases made by a procedure: a table, a shot, the way that the white ball goes, and what it hits.
//!
//! Source: VIBE's description of the task. The table is fixed, the white ball is struck along a black arrow, five grey
//! balls carry distinct numbers, and two to seven cushions are touched before a grey ball is hit. The picture to edit shows
//! balls and arrow; the golden answer adds the way as a green dashed line and a red box around the ball that is hit.
//! The authors' script is not public and they sorted out ambiguous cases by hand, so sizes and the rules of
//! `verify` are choices of this project, each with its number in a constant.
//!
//! What is assumed: the ball does not spin or slow down, its centre moves in the table less one radius on each side,
//! and a cushion reflects like a mirror. Coordinates are pixels from the top left of the picture. Directions are degrees
//! as the eye reads them: 0 to the right, 90 up.
//!
//! `juror_protocols::vibe::checker` scores answers against these cases.

use serde::{Deserialize, Serialize};

mod draw;
mod generate;
mod look;
mod trace;

pub use draw::{PROMPT, Rgb, Shape, boxed, table, way_line};
pub use generate::{Exhausted, Rejection, case, case_over, cases, verify};
pub use look::{Context, Drawn, Seen, Surface, UNKNOWN_BALL, Unreadable, look};
pub use trace::{Cushion, Way, trace};

/// Width of the pictures.
pub const WIDTH: u32 = 1024;
/// Height of the pictures.
pub const HEIGHT: u32 = 640;
/// How far the table's cushions lie inside the picture.
pub const INSET: f64 = 40.0;
/// R: the radius of every ball.
pub const RADIUS: f64 = 22.0;
/// Grey balls on the table.
pub const NUM_BALLS: usize = 5;
/// Grey balls carry numbers from 1 to this one.
pub const MAX_NUMBER: u8 = 15;
/// How many cushions may be touched before the collision.
pub const NUM_CUSHIONS: std::ops::RangeInclusive<u32> = 2..=7;

/// A place in the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// From the left border.
    pub x: f64,
    /// From the upper border.
    pub y: f64,
}

impl Point {
    /// A place by its coordinates.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// How far another place is.
    pub fn distance(self, other: Self) -> f64 {
        libm::hypot(other.x - self.x, other.y - self.y)
    }
}

/// A grey ball.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ball {
    /// Its number.
    pub n: u8,
    /// Its centre, from the left border.
    pub x: f64,
    /// Its centre, from the upper border.
    pub y: f64,
}

impl Ball {
    /// Its centre.
    pub fn centre(self) -> Point {
        Point::new(self.x, self.y)
    }
}

/// Where the balls lie.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Centre of the white ball.
    pub cue: Point,
    /// The grey balls.
    pub balls: Vec<Ball>,
}

/// A case with its answer.
///
/// This is what stands beside a sample in the list that `juror make billiards` writes. Layout and direction alone give back
/// everything else, so an answer can be checked without looking at a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// `Billiards_0001`, ….
    pub id: String,
    /// How many cushions are touched.
    pub k: u32,
    /// Which, in order: `T`, `B`, `L`, `R`.
    pub cushions: String,
    /// Number of the ball that is hit.
    pub target: u8,
    /// Direction of the arrow in degrees: 0 to the right, 90 up.
    pub theta: f64,
    /// Where the balls lie.
    #[serde(flatten)]
    pub layout: Layout,
}

impl Case {
    /// The way that the white ball goes.
    pub fn way(&self) -> Way {
        trace(&self.layout, self.theta, self.k)
    }
}
