//! What a picture looks like, in a few bytes.

/// Where all cells lie within fewer grey levels than this, the picture is a plain ground, whose hash says nothing.
const FLAT_LEVELS: u8 = 8;

/// What a picture looks like in 264 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Perceptual hash.
    pub hash: u64,
    /// Grey levels of 16 × 16 cells.
    pub cells: Box<[u8]>,
}

impl Fingerprint {
    /// Whether there is anything to see.
    pub(super) fn is_flat(&self) -> bool {
        let darkest = self.cells.iter().min().copied().unwrap_or_default();
        let lightest = self.cells.iter().max().copied().unwrap_or_default();
        lightest - darkest < FLAT_LEVELS
    }

    /// In how many bits the hashes differ, and the largest difference of two cells.
    pub(super) fn distance(&self, other: &Self) -> (u32, u8) {
        let cells = self.cells.iter().zip(&other.cells);
        let largest = cells.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(u8::MAX);
        ((self.hash ^ other.hash).count_ones(), largest)
    }
}
