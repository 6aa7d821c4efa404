//! The demo's pictures as scenes with parameters: a model's output is the same scene with other parameters.

mod creation;
mod game;
mod logic;
mod science;

pub(crate) use creation::{Boat, Cat, Hat, House, Weather};
pub(crate) use game::{Blocks, Chess, Jigsaw, Maze, Route};
pub(crate) use logic::Plot;
pub(crate) use science::{Flask, Island, Light, Night, Prism};

use super::paint::{Canvas, Finish};
use super::random::Random;

/// A drawing with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scene {
    Night(Night),
    Prism(Prism),
    Flask(Flask),
    Island(Island),
    House(House),
    Cat(Cat),
    Boat(Boat),
    Plot(Plot),
    Chess(Chess),
    Jigsaw(Jigsaw),
    Maze(Maze),
    Blocks(Blocks),
}

impl Scene {
    /// Draws the scene; the seed decides what is scattered (stars, trees, walls of the maze).
    pub(crate) fn draw(&self, seed: u64, finish: Finish) -> Canvas {
        let mut canvas = match self {
            Self::Night(scene) => scene.draw(seed),
            Self::Prism(scene) => scene.draw(),
            Self::Flask(scene) => scene.draw(),
            Self::Island(scene) => scene.draw(seed),
            Self::House(scene) => scene.draw(seed),
            Self::Cat(scene) => scene.draw(),
            Self::Boat(scene) => scene.draw(seed),
            Self::Plot(scene) => scene.draw(),
            Self::Chess(scene) => scene.draw(),
            Self::Jigsaw(scene) => scene.draw(seed),
            Self::Maze(scene) => scene.draw(seed),
            Self::Blocks(scene) => scene.draw(),
        };
        canvas.finish(finish, &mut Random::new(seed, "finish"));
        canvas
    }
}
