//! Numbers side by side that one instruction works on: SIMD128, whose intrinsics are safe to call in Wasm.
//!
//! Elsewhere the same as arrays, for tests alone: compilers make them slower than plain loops.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use arrays::{F64x2, I16x8, I32x4, U8x16};
#[cfg(target_arch = "wasm32")]
pub(crate) use simd128::{F64x2, I16x8, I32x4, U8x16};

#[cfg(target_arch = "wasm32")]
mod simd128 {
    use std::arch::wasm32::{
        f64x2, f64x2_add, f64x2_convert_low_i32x4, f64x2_div, f64x2_extract_lane, f64x2_mul,
        f64x2_splat, i8x16_bitmask, i8x16_shuffle, i16x8, i16x8_abs, i16x8_add, i16x8_gt,
        i16x8_mul, i16x8_shr, i16x8_shuffle, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8,
        i32x4_shuffle, i32x4_splat, i32x4_sub, u16x8_extend_low_u8x16, u64x2, u64x2_extract_lane,
        v128, v128_and, v128_andnot, v128_any_true, v128_or, v128_xor,
    };

    #[derive(Clone, Copy)]
    pub(crate) struct U8x16(v128);

    #[derive(Clone, Copy)]
    pub(crate) struct I16x8(v128);

    #[derive(Clone, Copy)]
    pub(crate) struct I32x4(v128);

    #[derive(Clone, Copy)]
    pub(crate) struct F64x2(v128);

    impl U8x16 {
        pub(crate) fn from_array(bytes: [u8; 16]) -> Self {
            let (words, _) = bytes.as_chunks();
            let [first, second] = [0, 1].map(|half| u64::from_le_bytes(words[half]));
            Self(u64x2(first, second))
        }

        pub(crate) fn to_array(self) -> [u8; 16] {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&u64x2_extract_lane::<0>(self.0).to_le_bytes());
            bytes[8..].copy_from_slice(&u64x2_extract_lane::<1>(self.0).to_le_bytes());
            bytes
        }

        /// a₀ b₀ … a₇ b₇ and a₈ b₈ … a₁₅ b₁₅.
        pub(crate) fn zip(self, other: Self) -> [Self; 2] {
            let (a, b) = (self.0, other.0);
            [
                Self(i8x16_shuffle::<
                    0,
                    16,
                    1,
                    17,
                    2,
                    18,
                    3,
                    19,
                    4,
                    20,
                    5,
                    21,
                    6,
                    22,
                    7,
                    23,
                >(a, b)),
                Self(i8x16_shuffle::<
                    8,
                    24,
                    9,
                    25,
                    10,
                    26,
                    11,
                    27,
                    12,
                    28,
                    13,
                    29,
                    14,
                    30,
                    15,
                    31,
                >(a, b)),
            ]
        }
    }

    impl I16x8 {
        pub(crate) fn splat(number: i16) -> Self {
            Self(i16x8_splat(number))
        }

        pub(crate) fn from_array([a, b, c, d, e, f, g, h]: [i16; 8]) -> Self {
            Self(i16x8(a, b, c, d, e, f, g, h))
        }

        pub(crate) fn from_bytes(bytes: [u8; 8]) -> Self {
            Self(u16x8_extend_low_u8x16(u64x2(u64::from_le_bytes(bytes), 0)))
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
            let (zero, factor) = (Self::splat(0), Self::splat(2 * factor));
            let [low, high] = self.zip(zero).map(|n| n.dot(factor).0);
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

        pub(crate) fn plus(self, other: Self) -> Self {
            Self(i16x8_add(self.0, other.0))
        }

        pub(crate) fn minus(self, other: Self) -> Self {
            Self(i16x8_sub(self.0, other.0))
        }

        pub(crate) fn times(self, other: Self) -> Self {
            Self(i16x8_mul(self.0, other.0))
        }

        /// a₀ b₀ a₁ b₁ a₂ b₂ a₃ b₃ and a₄ b₄ a₅ b₅ a₆ b₆ a₇ b₇.
        pub(crate) fn zip(self, other: Self) -> [Self; 2] {
            let (a, b) = (self.0, other.0);
            [
                Self(i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)),
                Self(i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)),
            ]
        }

        /// a₀ b₀ + a₁ b₁, a₂ b₂ + a₃ b₃, a₄ b₄ + a₅ b₅, a₆ b₆ + a₇ b₇.
        pub(crate) fn dot(self, other: Self) -> I32x4 {
            I32x4(i32x4_dot_i16x8(self.0, other.0))
        }
    }

    impl I32x4 {
        pub(crate) fn splat(number: i32) -> Self {
            Self(i32x4_splat(number))
        }

        pub(crate) fn plus(self, other: Self) -> Self {
            Self(i32x4_add(self.0, other.0))
        }

        pub(crate) fn minus(self, other: Self) -> Self {
            Self(i32x4_sub(self.0, other.0))
        }

        pub(crate) fn to_f64(self) -> [F64x2; 2] {
            let upper = i32x4_shuffle::<2, 3, 2, 3>(self.0, self.0);
            [self.0, upper].map(|numbers| F64x2(f64x2_convert_low_i32x4(numbers)))
        }
    }

    impl F64x2 {
        pub(crate) fn splat(number: f64) -> Self {
            Self(f64x2_splat(number))
        }

        pub(crate) fn plus(self, other: Self) -> Self {
            Self(f64x2_add(self.0, other.0))
        }

        pub(crate) fn times(self, other: Self) -> Self {
            Self(f64x2_mul(self.0, other.0))
        }

        pub(crate) fn over(self, other: Self) -> Self {
            Self(f64x2_div(self.0, other.0))
        }

        pub(crate) fn from_array([first, second]: [f64; 2]) -> Self {
            Self(f64x2(first, second))
        }

        pub(crate) fn to_array(self) -> [f64; 2] {
            [
                f64x2_extract_lane::<0>(self.0),
                f64x2_extract_lane::<1>(self.0),
            ]
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod arrays {
    use std::array::from_fn;

    #[derive(Clone, Copy)]
    pub(crate) struct U8x16([u8; 16]);

    #[derive(Clone, Copy)]
    pub(crate) struct I16x8([i16; 8]);

    #[derive(Clone, Copy)]
    pub(crate) struct I32x4([i32; 4]);

    #[derive(Clone, Copy)]
    pub(crate) struct F64x2([f64; 2]);

    impl U8x16 {
        pub(crate) fn from_array(bytes: [u8; 16]) -> Self {
            Self(bytes)
        }

        pub(crate) fn to_array(self) -> [u8; 16] {
            self.0
        }

        pub(crate) fn zip(self, other: Self) -> [Self; 2] {
            let of = |k: usize| if k.is_multiple_of(2) { self } else { other };
            [0, 8].map(|half| Self(from_fn(|k| of(k).0[half + k / 2])))
        }
    }

    impl I16x8 {
        pub(crate) fn splat(number: i16) -> Self {
            Self([number; 8])
        }

        pub(crate) fn from_array(numbers: [i16; 8]) -> Self {
            Self(numbers)
        }

        pub(crate) fn from_bytes(bytes: [u8; 8]) -> Self {
            Self(bytes.map(i16::from))
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

        pub(crate) fn plus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] + other.0[k]))
        }

        pub(crate) fn minus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] - other.0[k]))
        }

        pub(crate) fn times(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] * other.0[k]))
        }

        pub(crate) fn zip(self, other: Self) -> [Self; 2] {
            let of = |k: usize| if k.is_multiple_of(2) { self } else { other };
            [0, 4].map(|half| Self(from_fn(|k| of(k).0[half + k / 2])))
        }

        pub(crate) fn dot(self, other: Self) -> I32x4 {
            let product = |k: usize| i32::from(self.0[k]) * i32::from(other.0[k]);
            I32x4(from_fn(|k| product(2 * k) + product(2 * k + 1)))
        }
    }

    impl I32x4 {
        pub(crate) fn splat(number: i32) -> Self {
            Self([number; 4])
        }

        pub(crate) fn plus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k].wrapping_add(other.0[k])))
        }

        pub(crate) fn minus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k].wrapping_sub(other.0[k])))
        }

        pub(crate) fn to_f64(self) -> [F64x2; 2] {
            [0, 2].map(|half| F64x2(from_fn(|k| f64::from(self.0[half + k]))))
        }
    }

    impl F64x2 {
        pub(crate) fn splat(number: f64) -> Self {
            Self([number; 2])
        }

        pub(crate) fn plus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] + other.0[k]))
        }

        pub(crate) fn times(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] * other.0[k]))
        }

        pub(crate) fn over(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] / other.0[k]))
        }

        pub(crate) fn from_array(numbers: [f64; 2]) -> Self {
            Self(numbers)
        }

        pub(crate) fn to_array(self) -> [f64; 2] {
            self.0
        }
    }
}
