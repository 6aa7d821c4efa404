//! Bytes looked at eight at a time, in a number: quick without vector instructions, which code built for size has none of.
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
pub(crate) fn has_controls(text: &str) -> bool {
    let chunks = text.as_bytes().chunks_exact(8);
    let rest = chunks.remainder();
    rest.iter().any(|byte| *byte < 0x20)
        || chunks.fold(0, |any, eight| any | controls(word(eight))) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

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
