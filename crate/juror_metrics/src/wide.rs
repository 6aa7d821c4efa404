//! Loops compiled once for each width of vectors, of which the machine's widest is taken when they run.
//!
//! Only how many numbers lie side by side differs: every sum keeps its order and nothing is fused, so that no value
//! depends on the machine.
//! Wasm has one width.

use std::sync::LazyLock;

use fearless_simd::Level;

/// Does some work.
#[cfg(target_arch = "wasm32")]
pub(crate) fn wide<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::wide;

/// The widest vectors of the machine.
pub(crate) fn level() -> Level {
    // To ask the machine is slow.
    static LEVEL: LazyLock<Level> = LazyLock::new(Level::new);
    *LEVEL
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use fearless_simd::{Simd, dispatch};

    use super::level;

    /// Does some work in the widest lanes; what it calls must always be inlined, or stays in narrow ones.
    pub(crate) fn wide<T>(work: impl FnOnce() -> T) -> T {
        dispatch!(level(), simd => with(simd, work))
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "else it would be compiled for the narrowest lanes"
    )]
    fn with<S: Simd, T>(_: S, work: impl FnOnce() -> T) -> T {
        work()
    }
}
