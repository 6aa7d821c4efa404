#![doc = include_str!("../README.md")]

pub mod agreement;
pub mod error;
pub mod labels;
pub mod measure;
pub mod ratings;
pub mod recording;
pub mod session;
mod sheet;
pub mod view;
