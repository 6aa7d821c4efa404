//! The benchmarks that this module knows: those that its features name, so that no other one is linked.

use std::sync::OnceLock;

use juror_protocols::contract::Protocol;
#[cfg(not(feature = "full"))]
use juror_protocols::contract::Scored;
#[cfg(feature = "micon")]
use juror_protocols::micon::Micon;
#[cfg(feature = "multibanana")]
use juror_protocols::multibanana::MultiBanana;
#[cfg(feature = "multiref")]
use juror_protocols::multiref::MultiRef;
#[cfg(feature = "declared")]
use juror_protocols::registry::DECLARED;
#[cfg(feature = "vibe")]
use juror_protocols::vibe::Vibe;
#[cfg(feature = "weave")]
use juror_protocols::weave::Weave;

/// Those of the features, in a first engine without what puts requests together, in the order of `juror_protocols::registry`, in which a source is tried against them.
const LINKED: &[&dyn Protocol] = &[
    #[cfg(all(feature = "weave", feature = "full"))]
    &Weave,
    #[cfg(all(feature = "weave", not(feature = "full")))]
    &Scored(Weave),
    #[cfg(all(feature = "micon", feature = "full"))]
    &Micon,
    #[cfg(all(feature = "micon", not(feature = "full")))]
    &Scored(Micon),
    #[cfg(all(feature = "vibe", feature = "full"))]
    &Vibe,
    #[cfg(all(feature = "vibe", not(feature = "full")))]
    &Scored(Vibe),
    #[cfg(all(feature = "multibanana", feature = "full"))]
    &MultiBanana,
    #[cfg(all(feature = "multibanana", not(feature = "full")))]
    &Scored(MultiBanana),
    #[cfg(all(feature = "multiref", feature = "full"))]
    &MultiRef,
    #[cfg(all(feature = "multiref", not(feature = "full")))]
    &Scored(MultiRef),
    #[cfg(feature = "declared")]
    &DECLARED,
];

static HANDED_IN: OnceLock<&'static [&'static dyn Protocol]> = OnceLock::new();

/// Has the sessions of this module know these benchmarks instead: for a module that links others, which calls this as it
/// starts. A second call changes nothing.
///
/// # Panics
/// The list is empty.
pub fn serve(benchmarks: &'static [&'static dyn Protocol]) {
    assert!(!benchmarks.is_empty(), "an engine knows a benchmark");
    HANDED_IN.get_or_init(|| benchmarks);
}

/// What a session is to know; there is at least one where a module names a benchmark or hands some in.
pub(crate) fn all() -> &'static [&'static dyn Protocol] {
    HANDED_IN.get().copied().unwrap_or(LINKED)
}
