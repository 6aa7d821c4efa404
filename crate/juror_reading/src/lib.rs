#![doc = include_str!("../README.md")]

pub mod bytes;
pub mod count;
pub mod escape;
pub mod keyed;
pub mod limits;
pub mod names;
pub mod py;
pub mod text;
