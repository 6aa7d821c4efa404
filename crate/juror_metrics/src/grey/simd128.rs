//! Sixteen colours to grey at a time, with the intrinsics of SIMD128, which are safe to call in Wasm.

use std::arch::wasm32::{
    i8x16_shuffle, i16x8, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_shl, i32x4_shr,
    i32x4_splat, u16x8_shr, u64x2, u64x2_extract_lane, v128, v128_and, v128_or,
};

use super::FixedPoint;

/// The grey of sixteen colours, as [`super::Grey::of`] gives each.
pub(super) fn sixteen(colours: &[u8; 48], rounding: FixedPoint) -> [u8; 16] {
    let load = |start: usize| {
        let (words, _) = colours[start..].as_chunks::<8>();
        let [low, high] = [words[0], words[1]].map(u64::from_le_bytes);
        u64x2(low, high)
    };
    // Each begins with four colours.
    let last = load(32);
    let fours = [
        load(0),
        load(12),
        load(24),
        i8x16_shuffle::<4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3>(last, last),
    ]
    .map(|four| greys(four, rounding));
    // Byte k of lane l is colour l of four k; then l of k, which two narrowing instructions would cost more.
    let lanes = (0_u32..)
        .zip(fours)
        .fold(i32x4_splat(0), |lanes, (k, four)| {
            v128_or(lanes, i32x4_shl(four, 8 * k))
        });
    let greys = i8x16_shuffle::<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(lanes, lanes);
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&u64x2_extract_lane::<0>(greys).to_le_bytes());
    bytes[8..].copy_from_slice(&u64x2_extract_lane::<1>(greys).to_le_bytes());
    bytes
}

/// Of the first four colours, in four lanes.
///
/// Green is taken twice, by half of its weight each, because a weight must stay below 2¹⁵.
fn greys(colours: v128, rounding: FixedPoint) -> v128 {
    let FixedPoint {
        weights: [red, green, blue],
        add,
        shift,
    } = rounding;
    let pairs = |first: u32, second: u32| {
        let [first, second] = [first, second].map(|n| i16::try_from(n).unwrap_or(i16::MAX));
        i16x8(first, second, first, second, first, second, first, second)
    };
    let lanes =
        i8x16_shuffle::<0, 1, 2, 1, 3, 4, 5, 4, 6, 7, 8, 7, 9, 10, 11, 10>(colours, colours);
    let red_blue = v128_and(lanes, i16x8_splat(255));
    let sum = i32x4_add(
        i32x4_dot_i16x8(red_blue, pairs(red, blue)),
        i32x4_dot_i16x8(u16x8_shr(lanes, 8), pairs(green / 2, green - green / 2)),
    );
    let half = i32x4_splat(i32::try_from(add).unwrap_or(i32::MAX));
    i32x4_shr(i32x4_add(sum, half), shift)
}
