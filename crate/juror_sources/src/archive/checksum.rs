//! CRC-32 as ZIP files have it: the polynomial 0x04C11DB7, reflected.
//!
//! Eight bytes at a time, by tables that are computed once. The crate `crc32fast` carries its tables along: 17 kB of every
//! engine after gzip, which nothing compresses.

use std::sync::LazyLock;

/// What a byte does to the rest so many places before the end.
static TABLES: LazyLock<[[u32; 256]; 8]> = LazyLock::new(|| {
    let mut tables = [[0; 256]; 8];
    for (byte, entry) in (0_u32..).zip(&mut tables[0]) {
        *entry = (0..8).fold(byte, |rest, _| {
            let carry = if rest & 1 == 0 { 0 } else { 0xedb8_8320 };
            (rest >> 1) ^ carry
        });
    }
    for place in 1..8 {
        for byte in 0..256 {
            let before = tables[place - 1][byte];
            tables[place][byte] = (before >> 8) ^ tables[0][low(before)];
        }
    }
    tables
});

/// The lowest byte, as a place in a table.
fn low(rest: u32) -> usize {
    (rest & 0xff) as usize
}

/// The checksum of bytes that come piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checksum(u32);

impl Checksum {
    /// Takes in what comes next.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let tables = &*TABLES;
        let mut rest = !self.0;
        let (eights, last) = bytes.as_chunks::<8>();
        for eight in eights {
            let [a, b, c, d, more @ ..] = *eight;
            rest ^= u32::from_le_bytes([a, b, c, d]);
            let first = (0..4).fold(0, |sum, place| {
                sum ^ tables[7 - place][low(rest >> (8 * place))]
            });
            rest = (0..4).fold(first, |sum, place| {
                sum ^ tables[3 - place][usize::from(more[place])]
            });
        }
        for byte in last {
            rest = (rest >> 8) ^ tables[0][low(rest ^ u32::from(*byte))];
        }
        self.0 = !rest;
    }

    /// The checksum of everything that came.
    pub(super) fn sum(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pieces: &[&[u8]]) -> u32 {
        let mut checksum = Checksum::default();
        for piece in pieces {
            checksum.add(piece);
        }
        checksum.sum()
    }

    #[test]
    fn the_checksum_is_that_of_the_specification_however_the_bytes_are_cut() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(of(&[b"123456789"]), 0xcbf4_3926);
        assert_eq!(of(&[]), 0);
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let whole = of(&[&bytes]);
        for cut in [1, 7, 8, 9, 63, 64, 65, 999] {
            let (first, second) = bytes.split_at(cut);
            assert_eq!(of(&[first, second]), whole, "{cut}");
            assert_ne!(of(&[second, first]), whole, "{cut}");
        }
    }

    #[test]
    fn the_checksum_is_that_of_a_kept_library() {
        for length in [0, 1, 7, 8, 9, 15, 16, 17, 4096, 100_003] {
            let bytes: Vec<u8> = (0..length)
                .map(|at: u32| at.wrapping_mul(at).to_be_bytes()[1])
                .collect();
            let mut other = flate2::Crc::new();
            other.update(&bytes);
            assert_eq!(of(&[&bytes]), other.sum(), "{length}");
        }
    }
}
