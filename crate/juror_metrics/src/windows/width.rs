//! How many parts of a row share a vector, and the steps that depend on it.

use fearless_simd::{Simd, prelude::*, u8x16};

use super::NUM_PARTS;

/// So many vectors hold all parts.
pub(super) const NUM_BLOCKS: usize = NUM_PARTS / LANES;

/// All parts: where the machine has narrower vectors, `fearless_simd` takes several.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const LANES: usize = 8;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use fearless_simd::{f64x8 as Reals, i16x16 as Pairs, i32x8 as Wholes};

/// Half of the parts: with all of them a browser runs out of registers.
#[cfg(target_arch = "wasm32")]
pub(super) const LANES: usize = 4;
#[cfg(target_arch = "wasm32")]
pub(super) use fearless_simd::{f64x4 as Reals, i16x8 as Pairs, i32x4 as Wholes};

/// A sample of each part as whole numbers of 16 bits.
#[inline(always)]
#[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
pub(super) fn pairs<S: Simd>(samples: u8x16<S>) -> [Pairs<S>; NUM_BLOCKS] {
    let (low, high) = samples.widen();
    #[cfg(not(target_arch = "wasm32"))]
    {
        [low.combine(high).bitcast()]
    }
    #[cfg(target_arch = "wasm32")]
    {
        [low.bitcast(), high.bitcast()]
    }
}

/// Each pair the other way round.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as above")]
pub(super) fn crossed<S: Simd>(pairs: Pairs<S>) -> Pairs<S> {
    #[cfg(not(target_arch = "wasm32"))]
    {
        // A compiler turns this into one instruction.
        let words = pairs.bitcast::<fearless_simd::u32x8<S>>();
        ((words << 16) | (words >> 16)).bitcast()
    }
    #[cfg(target_arch = "wasm32")]
    {
        let places = [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13];
        pairs.swizzle_dyn_within_blocks(u8x16::load_array(pairs.token(), places))
    }
}

/// The same numbers in f64.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as above")]
pub(super) fn reals<S: Simd>(numbers: Wholes<S>) -> Reals<S> {
    let wholes: [i32; LANES] = numbers.into();
    let mut reals = [0.0; LANES];
    for (real, whole) in reals.iter_mut().zip(wholes) {
        *real = f64::from(whole);
    }
    Reals::load_array(numbers.token(), reals)
}
