#![doc = include_str!("../README.md")]

pub mod annotation;
mod any;
pub mod billiards;
pub mod calls;
pub mod draws;
mod error;
pub mod micon;
pub mod multibanana;
mod ordered;
mod picture;
mod progress;
mod project;
pub mod realworld;
pub mod refblend;
mod reply;
mod request;
pub mod weave;

pub use any::{AnyProject, Begins, KindAbout};
pub use error::Error;
pub use picture::Copied;
pub use progress::{Due, Progress, ProgressRow};
pub use project::{
    Answer, Decision, FORMAT, Kind, Making, NAME, OutFile, Project, Reply, Verdict, decisions,
    kind_of,
};
pub use reply::bytes_of_base64;
pub use request::{PromptPart, Request, Wanted, sheet};
