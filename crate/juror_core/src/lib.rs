#![doc = include_str!("../README.md")]

pub mod agents;
pub mod agreement;
pub mod archive;
mod bytes;
pub mod error;
pub mod escape;
pub mod journal;
pub mod judging;
mod keyed;
pub mod limits;
pub mod measure;
pub mod model;
pub mod pack;
pub mod prompt;
pub mod protocol;
pub mod py;
pub mod random;
pub mod ratings;
pub mod report;
pub mod session;
mod small;
pub mod statistics;
pub mod text;
pub mod tree;
pub mod trust;
pub mod view;
