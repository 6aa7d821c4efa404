//! Bytes looked at eight at a time, in a number: quick without vector instructions, which code built for size has none of.
//!
//! Where a browser's vectors are at hand, the loop that goes through some 200 MB names them itself.
//!
//! Source: Warren, "Hacker's Delight", 2nd edition, 6-1 (Find First 0-Byte).

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Eight bytes in a number, the first one lowest; 0 for any other count.
#[inline]
pub(crate) fn word(eight: &[u8]) -> u64 {
    u64::from_le_bytes(eight.try_into().unwrap_or_default())
}

/// A byte eight times.
#[inline]
pub(crate) fn splat(byte: u8) -> u64 {
    ONES * u64::from(byte)
}

/// The high bit of each byte that is zero.
///
/// Exact for the lowest such byte; where there is one, bytes of 1 above it may be marked as well.
#[inline]
pub(crate) fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// The high bit of each byte that is a control character, below 0x20; exact as [`zeros`] is.
#[inline]
pub(crate) fn controls(word: u64) -> u64 {
    word.wrapping_sub(splat(0x20)) & !word & HIGH
}

/// Whether a text has a control character of ASCII.
pub fn has_controls(text: &str) -> bool {
    let chunks = text.as_bytes().chunks_exact(8);
    let rest = chunks.remainder();
    rest.iter().any(|byte| *byte < 0x20)
        || chunks.fold(0, |any, eight| any | controls(word(eight))) != 0
}

/// A byte, and the bits that are to be overlooked: set in `byte` as well, which has others besides.
#[derive(Clone, Copy, Debug)]
pub struct Masked {
    /// What the byte is but for the overlooked bits, which are set.
    pub byte: u8,
    /// The overlooked bits.
    pub mask: u8,
}

impl Masked {
    /// A block that begins with these bytes and has what it is not behind them.
    fn filled(self, start: &[u8]) -> [u8; LANES] {
        let mut block = [!self.byte; LANES];
        block[..start.len()].copy_from_slice(start);
        block
    }
}

/// Bytes that [`meeting`] looks at together.
pub const LANES: usize = 64;

/// Where the first block of [`LANES`] places begins at one of which the first text has the first byte and the second the
/// second; with a bit for each such place.
///
/// May name a place in vain, above a true one in the same eight; passes over none.
pub fn meeting(pair: [Masked; 2], [first, second]: [&[u8]; 2]) -> Option<(usize, u64)> {
    let ((x, x_rest), (y, y_rest)) = (first.as_chunks(), second.as_chunks());
    for (at, (x, y)) in x.iter().zip(y).enumerate() {
        let places = places(pair, x, y);
        if places != 0 {
            return Some((at * LANES, places));
        }
    }
    if x_rest.is_empty() || y_rest.is_empty() {
        return None;
    }
    let [last_x, last_y] = [pair[0].filled(x_rest), pair[1].filled(y_rest)];
    let places = places(pair, &last_x, &last_y);
    (places != 0).then_some((x.len().min(y.len()) * LANES, places))
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn places(pair: [Masked; 2], x: &[u8; LANES], y: &[u8; LANES]) -> u64 {
    // One bit of each byte, side by side in the highest one.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (x, y) = (x.as_chunks::<8>().0, y.as_chunks::<8>().0);
    let stands = |Masked { byte, mask }: Masked, eight: [u8; 8]| {
        zeros((u64::from_le_bytes(eight) | splat(mask)) ^ splat(byte))
    };
    let marks = |at: usize| stands(pair[0], x[at]) & stands(pair[1], y[at]);
    if (0..8).fold(0, |any, at| any | marks(at)) == 0 {
        return 0;
    }
    (0..8).fold(0, |all, at| {
        all | ((marks(at) >> 7).wrapping_mul(GATHER) >> 56) << (8 * at)
    })
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "in code built for size it would be a call for every 64 bytes of some 200 MB"
)]
fn places(pair: [Masked; 2], x: &[u8; LANES], y: &[u8; LANES]) -> u64 {
    use std::arch::wasm32::{u8x16_bitmask, v128_any_true, v128_or};
    let (x, y) = (x.as_chunks().0, y.as_chunks().0);
    // One by one: a loop over four would stay a loop.
    let a = sixteen(pair, &x[0], &y[0]);
    let b = sixteen(pair, &x[1], &y[1]);
    let c = sixteen(pair, &x[2], &y[2]);
    let d = sixteen(pair, &x[3], &y[3]);
    if !v128_any_true(v128_or(v128_or(a, b), v128_or(c, d))) {
        return 0;
    }
    let low = u64::from(u8x16_bitmask(a)) | u64::from(u8x16_bitmask(b)) << 16;
    let high = u64::from(u8x16_bitmask(c)) | u64::from(u8x16_bitmask(d)) << 16;
    low | high << 32
}

/// All bits of the places at which both bytes stand.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
#[allow(clippy::inline_always, reason = "as its caller, four times as often")]
fn sixteen(pair: [Masked; 2], x: &[u8; 16], y: &[u8; 16]) -> std::arch::wasm32::v128 {
    use std::arch::wasm32::{u8x16_eq, u8x16_splat, u64x2, v128_and, v128_or};
    let x = u64x2(word(&x[..8]), word(&x[8..]));
    let y = u64x2(word(&y[..8]), word(&y[8..]));
    let [a, b] = pair;
    let x = u8x16_eq(v128_or(x, u8x16_splat(a.mask)), u8x16_splat(a.byte));
    let y = u8x16_eq(v128_or(y, u8x16_splat(b.mask)), u8x16_splat(b.byte));
    v128_and(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bytes_meet_at_every_place_and_only_where_both_stand() {
        let (a, n) = (
            Masked {
                byte: b'a',
                mask: 0x20,
            },
            Masked {
                byte: b'-',
                mask: 0,
            },
        );
        for len in [1, 8, 63, 64, 65, 150] {
            for place in 0..len {
                for letter in [b'a', b'A'] {
                    let (mut x, mut y) = (vec![b'.'; len], vec![b'.'; len]);
                    x[place] = letter;
                    if len > 1 {
                        y[(place + 1) % len] = b'-';
                    }
                    assert_eq!(meeting([a, n], [&x, &y]), None, "{place} of {len}");
                    y[place] = b'-';
                    let found = (place / LANES * LANES, 1 << (place % LANES));
                    assert_eq!(meeting([a, n], [&x, &y]), Some(found), "{len}");
                    assert_eq!(meeting([n, a], [&x, &y]), None, "{place} of {len}");
                }
            }
        }
    }

    #[test]
    fn a_control_character_is_found_at_every_place_and_no_other_byte_is() {
        for len in 0..40 {
            for at in 0..len {
                for byte in 0..0x80 {
                    let mut text = vec![b'~'; len];
                    text[at] = byte;
                    let text = String::from_utf8_lossy(&text);
                    assert_eq!(has_controls(&text), byte < 0x20, "{text:?}");
                }
            }
        }
        assert!(!has_controls("ÿé€😀 “naïve” – ÿé€😀"));
        assert!(has_controls("ÿé€😀 “naïve”\t– ÿé€😀"));
    }

    #[test]
    fn the_lowest_zero_is_marked_exactly() {
        for at in 0..8 {
            for other in [1, 2, 0x7f, 0x80, 0xff] {
                let mut bytes = [other; 8];
                assert_eq!(zeros(word(&bytes)), 0);
                bytes[at] = 0;
                assert_eq!(zeros(word(&bytes)).trailing_zeros() as usize / 8, at);
            }
        }
        assert_eq!(word(b"short"), 0);
        assert_eq!(splat(b'a'), word(b"aaaaaaaa"));
    }
}
