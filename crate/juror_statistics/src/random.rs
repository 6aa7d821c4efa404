//! A seeded number stream, the same natively and in Wasm.
//!
//! Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014 (`SplitMix64`).

/// A stream of 64-bit numbers that its seed determines.
///
/// # Example
/// ```
/// use juror_statistics::random::SplitMix64;
/// let mut random = SplitMix64::new(1);
/// assert_eq!(random.bits(), 0x910a_2dec_8902_5cc1);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to and without 1, in steps of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number from 0 to `end` − 1; 0 where `end` is 0.
    ///
    /// Of the next 64 bits the upper half is scaled, so its bias is below `end` · 2⁻³².
    pub fn below(&mut self, end: u32) -> u32 {
        let scaled = (self.bits() >> 32) * u64::from(end);
        // The product is below 2⁶⁴ and its upper half below `end`.
        u32::try_from(scaled >> 32).unwrap_or(0)
    }
}
