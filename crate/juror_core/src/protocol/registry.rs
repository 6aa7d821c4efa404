//! The protocols that a source is tried against.

use crate::protocol::contract::Protocol;
use crate::protocol::{declared, micon, multibanana, multiref, vibe, weave};

/// The protocols that a source is tried against, in order.
pub const ALL: &[&dyn Protocol] = &[
    &weave::Weave,
    &micon::Micon,
    &vibe::Vibe,
    &multibanana::MultiBanana,
    &multiref::MultiRef,
    &DECLARED,
];

/// Finds the protocols that benchmarks bring along as a file.
static DECLARED: declared::Declared = declared::Declared::finder();
