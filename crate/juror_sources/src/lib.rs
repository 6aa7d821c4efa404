#![doc = include_str!("../README.md")]

pub mod archive;
pub mod backlog;
