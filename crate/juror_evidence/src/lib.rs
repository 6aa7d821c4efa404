#![doc = include_str!("../README.md")]

pub mod pack;
pub mod report;
