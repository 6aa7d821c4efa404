//! Numbers that may be absent, without the room that an `Option` takes: a long run holds millions of them.

use std::fmt;

/// An `Option<u32>` in four bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Index(u32);

impl Index {
    /// No index.
    pub const NONE: Self = Self(u32::MAX);

    /// The index, unless it is absent.
    pub fn get(self) -> Option<u32> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl From<Option<u32>> for Index {
    fn from(index: Option<u32>) -> Self {
        index.map_or(Self::NONE, Self)
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// An `Option<f64>` in eight bytes that stand at any place; two are equal where their bits are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number([u8; 8]);

impl Number {
    /// No number: a signalling NaN, which neither arithmetic nor a reader of numbers gives.
    pub const NONE: Self = Self(0x7ff4_0000_0000_0001_u64.to_le_bytes());

    /// The number, unless it is absent.
    pub fn get(self) -> Option<f64> {
        (self != Self::NONE).then(|| f64::from_le_bytes(self.0))
    }
}

impl From<Option<f64>> for Number {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::NONE, |number| Self(number.to_le_bytes()))
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linked::LinkedReply;
    use crate::reply::StoredReply;
    use crate::score::Unit;

    #[test]
    fn every_number_comes_back_with_its_bits_and_none_stays_none() {
        for number in [
            0.0,
            -0.0,
            0.1,
            f64::INFINITY,
            f64::NAN,
            -f64::NAN,
            f64::MIN_POSITIVE / 2.0,
        ] {
            let back = Number::from(Some(number)).get();
            assert_eq!(back.map(f64::to_bits), Some(number.to_bits()), "{number}");
        }
        assert_eq!(Number::from(None).get(), None);
        assert_ne!(Number::from(Some(f64::NAN)), Number::NONE);
        assert_eq!(Index::from(Some(0)).get(), Some(0));
        assert_eq!(Index::from(None).get(), None);
    }

    /// A million replies are as many of each: what is added here, a browser's memory pays a million times.
    #[test]
    fn records_that_there_are_millions_of_have_no_padding() {
        assert_eq!(size_of::<StoredReply>(), 28);
        assert_eq!(size_of::<LinkedReply>(), 48);
        assert_eq!(size_of::<Unit>(), 28);
    }
}
