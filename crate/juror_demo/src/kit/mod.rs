//! The pictures of the smaller suites: things on a stage, and the flaws that a model's picture of them may have.
//!
//! A suite says what a sample's picture shows and what is wrong with each model's; the picture and the judge's words and
//! scores all follow from that, so they never contradict each other.

mod figure;
mod flaw;
mod pen;
mod stage;
mod things;

pub(crate) use figure::{Limb, Pose};
pub(crate) use flaw::{Flaw, Kind, flawed, sentence};
pub(crate) use pen::Mode;
pub(crate) use stage::{Backdrop, Prop, Stage, prop};
pub(crate) use things::Thing;

/// The synthetic models of the smaller suites, from good to weak: names as in the first demo.
pub(crate) const MODELS: [&str; 3] = ["aurora-synth", "basalt-synth", "cinder-synth"];
