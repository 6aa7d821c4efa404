//! Numbers side by side that one instruction works on: SIMD128, whose intrinsics are safe to call in Wasm.
//!
//! Elsewhere the same as arrays, for tests alone: compilers make them slower than plain loops.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use arrays::I16x8;
#[cfg(target_arch = "wasm32")]
pub(crate) use simd128::I16x8;

#[cfg(target_arch = "wasm32")]
mod simd128 {
    use std::arch::wasm32::{
        i8x16_bitmask, i8x16_shuffle, i16x8, i16x8_abs, i16x8_gt, i16x8_shr, i16x8_shuffle,
        i16x8_splat, i16x8_sub, i32x4_extmul_high_i16x8, i32x4_extmul_low_i16x8, v128, v128_and,
        v128_andnot, v128_any_true, v128_or, v128_xor,
    };

    #[derive(Clone, Copy)]
    pub(crate) struct I16x8(v128);

    impl I16x8 {
        pub(crate) fn splat(number: i16) -> Self {
            Self(i16x8_splat(number))
        }

        pub(crate) fn from_array([a, b, c, d, e, f, g, h]: [i16; 8]) -> Self {
            Self(i16x8(a, b, c, d, e, f, g, h))
        }

        pub(crate) fn abs(self) -> Self {
            Self(i16x8_abs(self.0))
        }

        /// All bits where a number is larger than the other, else none.
        pub(crate) fn exceeds(self, other: Self) -> Self {
            Self(i16x8_gt(self.0, other.0))
        }

        /// All bits where a number is negative, else none.
        pub(crate) fn is_negative(self) -> Self {
            Self(i16x8_shr(self.0, 15))
        }

        pub(crate) fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }

        /// The bits that the other lacks.
        pub(crate) fn and_not(self, other: Self) -> Self {
            Self(v128_andnot(self.0, other.0))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }

        pub(crate) fn xor(self, other: Self) -> Self {
            Self(v128_xor(self.0, other.0))
        }

        /// Whether any bit is set.
        pub(crate) fn is_any(self) -> bool {
            v128_any_true(self.0)
        }

        /// ⌊n · `factor` / 2¹⁵⌋ of numbers from 0, for a factor below 2¹⁴.
        pub(crate) fn scaled(self, factor: i16) -> Self {
            // Of the double the upper halves; an instruction that narrows is turned into several.
            let factor = i16x8_splat(2 * factor);
            let low = i32x4_extmul_low_i16x8(self.0, factor);
            let high = i32x4_extmul_high_i16x8(self.0, factor);
            Self(i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high))
        }

        /// The highest bit of each lane of both, of the first lane in the lowest bit.
        pub(crate) fn high_bits([first, second]: [Self; 2]) -> u16 {
            i8x16_bitmask(i8x16_shuffle::<
                1,
                3,
                5,
                7,
                9,
                11,
                13,
                15,
                17,
                19,
                21,
                23,
                25,
                27,
                29,
                31,
            >(first.0, second.0))
        }

        pub(crate) fn minus(self, other: Self) -> Self {
            Self(i16x8_sub(self.0, other.0))
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod arrays {
    use std::array::from_fn;

    #[derive(Clone, Copy)]
    pub(crate) struct I16x8([i16; 8]);

    impl I16x8 {
        pub(crate) fn splat(number: i16) -> Self {
            Self([number; 8])
        }

        pub(crate) fn from_array(numbers: [i16; 8]) -> Self {
            Self(numbers)
        }

        pub(crate) fn abs(self) -> Self {
            Self(self.0.map(i16::abs))
        }

        pub(crate) fn exceeds(self, other: Self) -> Self {
            Self(from_fn(|k| if self.0[k] > other.0[k] { -1 } else { 0 }))
        }

        pub(crate) fn is_negative(self) -> Self {
            Self(self.0.map(|number| number >> 15))
        }

        pub(crate) fn and(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] & other.0[k]))
        }

        pub(crate) fn and_not(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] & !other.0[k]))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] | other.0[k]))
        }

        pub(crate) fn xor(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] ^ other.0[k]))
        }

        pub(crate) fn is_any(self) -> bool {
            self.0 != [0; 8]
        }

        pub(crate) fn scaled(self, factor: i16) -> Self {
            let scaled = |number: i16| (i32::from(number) * i32::from(factor)) >> 15;
            Self(
                self.0
                    .map(|number| i16::try_from(scaled(number)).unwrap_or(i16::MAX)),
            )
        }

        pub(crate) fn high_bits([first, second]: [Self; 2]) -> u16 {
            let all = first.0.into_iter().chain(second.0);
            let bits = all
                .enumerate()
                .map(|(k, number)| u16::from(number < 0) << k);
            bits.sum()
        }

        pub(crate) fn minus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] - other.0[k]))
        }
    }
}
