#![doc = include_str!("../README.md")]

mod assignment;
pub mod boxes;
mod cubic;
mod error;
mod golden;
mod graph;
mod maps;
mod nearest;
mod networks;
mod objects;
pub mod pack;
mod pixels;
mod pose;
mod positions;
#[cfg(feature = "rten")]
mod rten_runner;
mod runner;
mod score;
mod skeleton;
#[cfg(feature = "text")]
mod text;
#[cfg(feature = "zip")]
mod zipped;

pub use error::NeuralError;
pub use golden::{GoldenReport, check};
pub use graph::{Graph, Operator};
pub use maps::{depth_map, sketch_map};
pub use nearest::{Neighbour, nearest};
#[cfg(feature = "text")]
pub use networks::Caption;
pub use networks::{Against, Networks};
pub use objects::{BoxedPicture, CHOICES, Objects};
pub use pixels::{Crop, PixelPath, Pixels, Reading, Rescale, Resize, Rounding, depth_size};
pub use pose::{HeatMaps, Planes};
#[cfg(feature = "rten")]
pub use rten_runner::Rten;
pub use runner::{Later, Network, Runner, Tensor, Values};
pub use score::{
    Profile, aesthetic_rating, caption_score, dino_similarity, feature_cosine, perceptual_range,
};
pub use skeleton::{Person, skeleton};
#[cfg(feature = "text")]
pub use text::Tokens;
#[cfg(feature = "zip")]
pub use zipped::{ZippedPack, folder_of};
