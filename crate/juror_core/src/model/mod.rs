//! The words that everything else is told in: plain data, no logic above it.

pub mod ability;
pub mod compact;
pub mod host;
pub mod incident;
pub mod judge;
pub mod linked;
pub mod options;
pub mod origin;
pub mod problem;
pub mod published;
pub mod reply;
pub mod request;
pub mod row;
pub mod sample;
pub mod score;
pub mod submission;
pub mod terms;
