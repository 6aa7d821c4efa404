//! What is wrong with a model's picture: changed in the drawing, and named by the judge.

use super::stage::{Backdrop, Stage};
use crate::paint::palette as p;
use crate::paint::{Finish, Point};

/// One thing that is wrong; numbers are those of the things on the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flaw {
    /// It is not there.
    Missing(usize),
    /// It has other colours.
    Dyed(usize, [u32; 2]),
    /// It is so many times as high.
    Scaled(usize, f32),
    /// It is elsewhere.
    Moved(usize, Point),
    /// It looks the other way.
    Turned(usize),
    /// The backdrop is another one.
    Behind(Backdrop),
    /// A warm cast lies over everything.
    Warm,
    /// Coarse blocks are scattered: so many.
    Noise(usize),
}

/// What a flaw is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Missing,
    Identity,
    Size,
    Place,
    Backdrop,
    Cast,
    Noise,
}

impl Flaw {
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Missing(_) => Kind::Missing,
            Self::Dyed(..) => Kind::Identity,
            Self::Scaled(..) => Kind::Size,
            Self::Moved(..) | Self::Turned(_) => Kind::Place,
            Self::Behind(_) => Kind::Backdrop,
            Self::Warm => Kind::Cast,
            Self::Noise(_) => Kind::Noise,
        }
    }
}

/// The stage as a model draws it, and what is done to the finished picture.
pub(crate) fn flawed(stage: &Stage, flaws: &[Flaw]) -> (Stage, Finish) {
    let mut changed = stage.clone();
    let mut finish = Finish::Clean;
    let mut missing = Vec::new();
    for flaw in flaws {
        match *flaw {
            Flaw::Missing(number) => missing.push(number),
            Flaw::Dyed(number, inks) => changed.change(number, |prop| prop.dyed(inks)),
            Flaw::Scaled(number, by) => changed.change(number, |prop| {
                let (at, size) = (prop.at, prop.size * by);
                prop.at(at, size)
            }),
            Flaw::Moved(number, to) => changed.change(number, |prop| {
                let size = prop.size;
                prop.at(to, size)
            }),
            Flaw::Turned(number) => changed.change(number, super::stage::Prop::turned),
            Flaw::Behind(backdrop) => changed.backdrop = backdrop,
            Flaw::Warm => finish = Finish::Cast(p::ORANGE, 0.2),
            Flaw::Noise(count) => finish = Finish::Blocks(count),
        }
    }
    let mut number = 0;
    changed.props.retain(|_| {
        number += 1;
        !missing.contains(&(number - 1))
    });
    (changed, finish)
}

impl Stage {
    fn change(
        &mut self,
        number: usize,
        how: impl FnOnce(super::stage::Prop) -> super::stage::Prop,
    ) {
        if let Some(prop) = self.props.get_mut(number) {
            *prop = how(prop.clone());
        }
    }
}

/// What a judge says of a picture: a sentence for each flaw, or one of praise.
pub(crate) fn sentence(stage: &Stage, flaws: &[Flaw]) -> String {
    let name = |number: usize| stage.props.get(number).map_or("it", |prop| prop.name);
    let sentences: Vec<String> = flaws
        .iter()
        .map(|flaw| match *flaw {
            Flaw::Missing(number) => format!("{} is not there.", capital(name(number))),
            Flaw::Dyed(number, _) => format!(
                "{} has other colours than in its picture.",
                capital(name(number))
            ),
            Flaw::Scaled(number, by) if by > 1.0 => {
                format!("{} is far too large.", capital(name(number)))
            }
            Flaw::Scaled(number, _) => format!("{} is far too small.", capital(name(number))),
            Flaw::Moved(number, _) => {
                format!("{} is not where it should be.", capital(name(number)))
            }
            Flaw::Turned(number) => format!("{} faces the wrong way.", capital(name(number))),
            Flaw::Behind(_) => "The background is not the one asked for.".to_owned(),
            Flaw::Warm => "An orange cast lies over the whole picture.".to_owned(),
            Flaw::Noise(_) => "Coarse blocks are scattered over the picture.".to_owned(),
        })
        .collect();
    if sentences.is_empty() {
        return "Everything asked for is there, recognisable and clean.".to_owned();
    }
    sentences.join(" ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
