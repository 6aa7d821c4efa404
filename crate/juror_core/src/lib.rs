//! Protocols, requests, verdicts, scores, statistics and reports of Juror.
//!
//! This crate never touches a file, a clock, the network, a browser or a GPU:
//! hosts list files, the engine says which bytes it wants, hosts bring them.

pub mod report;
pub mod view;
pub mod prompt;
pub mod py;
pub mod statistics;
pub mod tree;
pub mod protocol;
pub mod journal;
pub mod session;
