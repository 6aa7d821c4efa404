//! The demo benchmark's twelve dialogues, each with what three synthetic models made of it and what a judge said.

#![expect(
    clippy::too_many_lines,
    reason = "a dialogue is one table of data, read from top to bottom"
)]

mod creation;
mod game;
mod logic;
mod science;

use super::paint::Finish;
use super::scene::Scene;

/// The synthetic models, from good to weak; every turn holds one entry for each.
pub(crate) const MODELS: [&str; 3] = ["aurora-synth", "basalt-synth", "cinder-synth"];

/// A sample of the benchmark.
pub(crate) struct Dialogue {
    pub(crate) domain: &'static str,
    /// The dataset's pictures, from `Image #1` on.
    pub(crate) pictures: Vec<Scene>,
    pub(crate) turns: Vec<Turn>,
}

/// A question with its expected answer.
pub(crate) struct Turn {
    pub(crate) ask: String,
    pub(crate) answer: Answer,
}

/// What a turn asks for.
pub(crate) enum Answer {
    Picture {
        /// Which dataset picture has to be made, from 1.
        makes: usize,
        /// Key and requirement, in order.
        points: Vec<(&'static str, &'static str)>,
        takes: [Take; 3],
    },
    Text {
        standard: String,
        said: [Said; 3],
    },
}

/// One model's picture and what the judge said of it.
pub(crate) struct Take {
    pub(crate) scene: Scene,
    pub(crate) finish: Finish,
    /// Key points, visual consistency, image quality.
    pub(crate) scores: [u8; 3],
    /// Why the key points got their score.
    pub(crate) reason: &'static str,
}

/// One model's words and what the judge said of them.
pub(crate) struct Said {
    pub(crate) words: String,
    pub(crate) score: u8,
    pub(crate) reason: &'static str,
}

/// All dialogues in the order of the file; the seed decides the maze, whose steps are asked for.
pub(crate) fn all(seed: u64) -> Vec<Dialogue> {
    vec![
        science::astronomy(),
        science::optics(),
        science::chemistry(),
        science::geography(),
        creation::edit(),
        creation::fusion(),
        creation::story(),
        logic::mathematics(),
        game::chess(),
        game::jigsaw(),
        game::maze(seed),
        game::minecraft(),
    ]
}

fn picture(
    ask: &str,
    makes: usize,
    points: &[(&'static str, &'static str)],
    takes: [Take; 3],
) -> Turn {
    Turn {
        ask: ask.to_owned(),
        answer: Answer::Picture {
            makes,
            points: points.to_vec(),
            takes,
        },
    }
}

fn text(ask: &str, standard: impl Into<String>, said: [Said; 3]) -> Turn {
    Turn {
        ask: ask.to_owned(),
        answer: Answer::Text {
            standard: standard.into(),
            said,
        },
    }
}

fn take(scene: Scene, finish: Finish, scores: [u8; 3], reason: &'static str) -> Take {
    Take {
        scene,
        finish,
        scores,
        reason,
    }
}

fn said(words: impl Into<String>, score: u8, reason: &'static str) -> Said {
    Said {
        words: words.into(),
        score,
        reason,
    }
}

/// The middling model's warm cast.
const WARM: Finish = Finish::Cast(super::paint::palette::ORANGE, 0.16);
/// The weak model's noise.
const NOISE: Finish = Finish::Blocks(90);
const CLEAN: Finish = Finish::Clean;
