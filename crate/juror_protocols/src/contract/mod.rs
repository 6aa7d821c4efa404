//! What every protocol offers to the session, and nothing else of it is seen.
//!
//! Traits, each implemented in a file of the protocol's own: [`Signs`] in `signs`, [`Layout`] in `layout`, [`Requests`] in
//! `request`, [`Reading`] in `verdict`, [`Scoring`] in `rows`, [`Counting`] in `counting`. [`Protocol`] is their sum. What only
//! some benchmarks have is a trait of its own, as [`Conditions`], which these return.

use std::ops::Deref;
use std::sync::Arc;

use juror_model::ability::{Ability, Demo};
use juror_model::terms::Words;

mod abilities;
mod counting;
mod layout;
mod reading;
mod requests;
mod scored;
mod scoring;
mod signs;

pub use abilities::{AgentLoops, Conditions, TextsBySample, Variants};
#[cfg(feature = "generating")]
pub use abilities::{Dialogues, ListedOutput, OutputLists};
pub use counting::Counting;
pub use layout::{Layout, Loaded};
pub use reading::Reading;
pub use requests::Requests;
pub use scored::Scored;
pub use scoring::{Scoring, is_in, scale_ends, turns_of};
pub use signs::Signs;

/// One evaluation system: how its files, requests, replies and scores read.
pub trait Protocol: Signs + Layout + Requests + Reading + Scoring + Counting {
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

    /// What it can do beyond these traits: hosts and pages ask for these, never for an id.
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

impl std::fmt::Debug for dyn Protocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
