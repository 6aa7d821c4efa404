//! Numbers side by side that one instruction works on: SIMD128, whose intrinsics are safe to call in Wasm.
//!
//! Elsewhere the same as arrays, for tests alone: compilers make them slower than plain loops.

#[cfg(not(target_arch = "wasm32"))]
pub(super) use arrays::{F64x2, I16x8, I32x4, U8x16};
#[cfg(target_arch = "wasm32")]
pub(super) use simd128::{F64x2, I16x8, I32x4, U8x16};

#[cfg(target_arch = "wasm32")]
mod simd128 {
    use std::arch::wasm32::{
        f64x2, f64x2_add, f64x2_div, f64x2_extract_lane, f64x2_mul, f64x2_splat, f64x2_sub,
        i8x16_shuffle, i16x8_add, i16x8_mul, i16x8_shuffle, i16x8_splat, i16x8_sub, i32x4_add,
        i32x4_dot_i16x8, i32x4_shuffle, i32x4_splat, i32x4_sub, u16x8_extend_low_u8x16, u64x2,
        u64x2_extract_lane, v128,
    };

    #[derive(Clone, Copy)]
    pub(in super::super) struct U8x16(v128);

    #[derive(Clone, Copy)]
    pub(in super::super) struct I16x8(v128);

    #[derive(Clone, Copy)]
    pub(in super::super) struct I32x4(v128);

    #[derive(Clone, Copy)]
    pub(in super::super) struct F64x2(v128);

    impl U8x16 {
        pub(in super::super) fn from_array(bytes: [u8; 16]) -> Self {
            let (words, _) = bytes.as_chunks();
            let [first, second] = [0, 1].map(|half| u64::from_le_bytes(words[half]));
            Self(u64x2(first, second))
        }

        pub(in super::super) fn to_array(self) -> [u8; 16] {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&u64x2_extract_lane::<0>(self.0).to_le_bytes());
            bytes[8..].copy_from_slice(&u64x2_extract_lane::<1>(self.0).to_le_bytes());
            bytes
        }

        /// a₀ b₀ … a₇ b₇ and a₈ b₈ … a₁₅ b₁₅.
        pub(in super::super) fn zip(self, other: Self) -> [Self; 2] {
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
        pub(in super::super) fn splat(number: i16) -> Self {
            Self(i16x8_splat(number))
        }

        pub(in super::super) fn from_bytes(bytes: [u8; 8]) -> Self {
            Self(u16x8_extend_low_u8x16(u64x2(u64::from_le_bytes(bytes), 0)))
        }

        pub(in super::super) fn plus(self, other: Self) -> Self {
            Self(i16x8_add(self.0, other.0))
        }

        pub(in super::super) fn minus(self, other: Self) -> Self {
            Self(i16x8_sub(self.0, other.0))
        }

        pub(in super::super) fn times(self, other: Self) -> Self {
            Self(i16x8_mul(self.0, other.0))
        }

        /// a₀ b₀ a₁ b₁ a₂ b₂ a₃ b₃ and a₄ b₄ a₅ b₅ a₆ b₆ a₇ b₇.
        pub(in super::super) fn zip(self, other: Self) -> [Self; 2] {
            let (a, b) = (self.0, other.0);
            [
                Self(i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)),
                Self(i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)),
            ]
        }

        /// a₀ b₀ + a₁ b₁, a₂ b₂ + a₃ b₃, a₄ b₄ + a₅ b₅, a₆ b₆ + a₇ b₇.
        pub(in super::super) fn dot(self, other: Self) -> I32x4 {
            I32x4(i32x4_dot_i16x8(self.0, other.0))
        }
    }

    impl I32x4 {
        pub(in super::super) fn splat(number: i32) -> Self {
            Self(i32x4_splat(number))
        }

        pub(in super::super) fn plus(self, other: Self) -> Self {
            Self(i32x4_add(self.0, other.0))
        }

        pub(in super::super) fn minus(self, other: Self) -> Self {
            Self(i32x4_sub(self.0, other.0))
        }

        /// Of numbers of either sign, to which 2³¹ was added.
        pub(in super::super) fn raised_to_f64(self) -> [F64x2; 2] {
            below_exponent(self.0, TWO_52 + 2_147_483_648.0)
        }

        /// Of numbers from 0.
        pub(in super::super) fn unsigned_to_f64(self) -> [F64x2; 2] {
            below_exponent(self.0, TWO_52)
        }
    }

    /// The unit of the last place is 1.
    const TWO_52: f64 = 4_503_599_627_370_496.0;

    /// 2⁵² + n is the exponent's word above that of n; then `offset` is taken away, exactly.
    ///
    /// The upper two lanes need no shuffle, which `f64x2.convert_low` would.
    fn below_exponent(numbers: v128, offset: f64) -> [F64x2; 2] {
        let (exponent, offset) = (i32x4_splat(0x4330_0000), f64x2_splat(offset));
        [
            i32x4_shuffle::<0, 4, 1, 5>(numbers, exponent),
            i32x4_shuffle::<2, 6, 3, 7>(numbers, exponent),
        ]
        .map(|raised| F64x2(f64x2_sub(raised, offset)))
    }

    impl F64x2 {
        pub(in super::super) fn splat(number: f64) -> Self {
            Self(f64x2_splat(number))
        }

        pub(in super::super) fn plus(self, other: Self) -> Self {
            Self(f64x2_add(self.0, other.0))
        }

        pub(in super::super) fn times(self, other: Self) -> Self {
            Self(f64x2_mul(self.0, other.0))
        }

        pub(in super::super) fn over(self, other: Self) -> Self {
            Self(f64x2_div(self.0, other.0))
        }

        pub(in super::super) fn from_array([first, second]: [f64; 2]) -> Self {
            Self(f64x2(first, second))
        }

        pub(in super::super) fn to_array(self) -> [f64; 2] {
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
    pub(in super::super) struct U8x16([u8; 16]);

    #[derive(Clone, Copy)]
    pub(in super::super) struct I16x8([i16; 8]);

    #[derive(Clone, Copy)]
    pub(in super::super) struct I32x4([i32; 4]);

    #[derive(Clone, Copy)]
    pub(in super::super) struct F64x2([f64; 2]);

    impl U8x16 {
        pub(in super::super) fn from_array(bytes: [u8; 16]) -> Self {
            Self(bytes)
        }

        pub(in super::super) fn to_array(self) -> [u8; 16] {
            self.0
        }

        pub(in super::super) fn zip(self, other: Self) -> [Self; 2] {
            let of = |k: usize| if k.is_multiple_of(2) { self } else { other };
            [0, 8].map(|half| Self(from_fn(|k| of(k).0[half + k / 2])))
        }
    }

    impl I16x8 {
        pub(in super::super) fn splat(number: i16) -> Self {
            Self([number; 8])
        }

        pub(in super::super) fn from_bytes(bytes: [u8; 8]) -> Self {
            Self(bytes.map(i16::from))
        }

        pub(in super::super) fn plus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] + other.0[k]))
        }

        pub(in super::super) fn minus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] - other.0[k]))
        }

        pub(in super::super) fn times(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] * other.0[k]))
        }

        pub(in super::super) fn zip(self, other: Self) -> [Self; 2] {
            let of = |k: usize| if k.is_multiple_of(2) { self } else { other };
            [0, 4].map(|half| Self(from_fn(|k| of(k).0[half + k / 2])))
        }

        pub(in super::super) fn dot(self, other: Self) -> I32x4 {
            let product = |k: usize| i32::from(self.0[k]) * i32::from(other.0[k]);
            I32x4(from_fn(|k| product(2 * k) + product(2 * k + 1)))
        }
    }

    impl I32x4 {
        pub(in super::super) fn splat(number: i32) -> Self {
            Self([number; 4])
        }

        pub(in super::super) fn plus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k].wrapping_add(other.0[k])))
        }

        pub(in super::super) fn minus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k].wrapping_sub(other.0[k])))
        }

        pub(in super::super) fn raised_to_f64(self) -> [F64x2; 2] {
            Self(self.0.map(|number| number ^ i32::MIN)).unsigned_to_f64()
        }

        pub(in super::super) fn unsigned_to_f64(self) -> [F64x2; 2] {
            [0, 2].map(|half| F64x2(from_fn(|k| f64::from(self.0[half + k]))))
        }
    }

    impl F64x2 {
        pub(in super::super) fn splat(number: f64) -> Self {
            Self([number; 2])
        }

        pub(in super::super) fn plus(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] + other.0[k]))
        }

        pub(in super::super) fn times(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] * other.0[k]))
        }

        pub(in super::super) fn over(self, other: Self) -> Self {
            Self(from_fn(|k| self.0[k] / other.0[k]))
        }

        pub(in super::super) fn from_array(numbers: [f64; 2]) -> Self {
            Self(numbers)
        }

        pub(in super::super) fn to_array(self) -> [f64; 2] {
            self.0
        }
    }
}
