//! A seeded number stream, so that the demo is drawn the same on every run.

use juror_statistics::random::SplitMix64;

/// A stream of numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    /// A stream for one purpose: the same seed gives each name its own numbers.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        // FNV-1a over the name.
        let name = purpose
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self(SplitMix64::new(seed ^ name))
    }

    /// A number from 0 (inclusive) to `end` (exclusive); 0 for an empty range.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.0.bits() >> 33).unwrap_or(0) % end.max(1)
    }

    /// A number between two bounds.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        // 24 bits fit an f32 exactly.
        let part = (self.0.bits() >> 40) as f32 / 16_777_216.0;
        low + (high - low) * part
    }
}
