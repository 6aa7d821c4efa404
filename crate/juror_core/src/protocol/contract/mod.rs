//! What every protocol offers to the session, and nothing else of it is seen.
//!
//! Four traits, each implemented in a file of the protocol's own: [`Layout`] in `layout`, [`Requests`] in `request`,
//! [`Reading`] in `verdict`, [`Scoring`] in `rows`. [`Protocol`] is their sum, with a name and what it can do beyond them.

use std::ops::Deref;
use std::sync::Arc;

use crate::model::ability::{Ability, Demo};
use crate::model::terms::Words;

mod layout;
mod reading;
mod requests;
mod scoring;

pub use layout::{Layout, Loaded};
pub use reading::Reading;
pub use requests::Requests;
pub use scoring::Scoring;

/// One evaluation system: how its files, requests, replies and scores read.
pub trait Protocol: Layout + Requests + Reading + Scoring + Send + Sync {
    /// Stable id: `weave`.
    fn id(&self) -> &str;

    /// Display name: `WEAVEBench`.
    fn title(&self) -> &str;

    /// Whether a file of the benchmark names this protocol, which outweighs what other names suggest.
    fn is_named_by_file(&self) -> bool {
        false
    }

    /// A hash of what declares it, where that is a file: one that reads replies in another way has another.
    #[expect(
        clippy::unnecessary_literal_bound,
        reason = "a declared protocol gives its own text"
    )]
    fn declaration(&self) -> &str {
        ""
    }

    /// What a sample and its groups are called.
    fn words(&self) -> Words;

    /// What it can do beyond the four: hosts and pages ask for these, never for an id.
    fn abilities(&self) -> &[Ability] {
        &[]
    }

    /// Whether it can do this.
    fn can(&self, ability: Ability) -> bool {
        self.abilities().contains(&ability)
    }

    /// Its demo suite, in the folder of its id.
    fn demo(&self) -> Option<Demo> {
        None
    }
}

/// A protocol in force: one in Rust, or one that a benchmark's own file declares.
#[derive(Clone, Debug)]
pub enum ProtocolHandle {
    /// In Rust.
    BuiltIn(&'static dyn Protocol),
    /// In a file.
    Declared(Arc<dyn Protocol>),
}

impl Deref for ProtocolHandle {
    type Target = dyn Protocol;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::BuiltIn(protocol) => *protocol,
            Self::Declared(protocol) => &**protocol,
        }
    }
}
