//! The maxima of a piece, eight pixels side by side, where SIMD128 is at hand: all four directions are tried at each.

use super::{CANNY_TANGENT, Maxima, PIECE, Piece};
use crate::lanes::I16x8;

/// As [`plain::maxima`](super::plain::maxima).
pub(super) fn maxima(piece: &Piece<'_>, [low, high]: [i16; 2]) -> Option<Maxima> {
    let [low, high] = [low, high].map(I16x8::splat);
    let halves = [0, 1].map(|half| Eight::of(piece, half));
    let [first, second] = halves.map(|half| half.magnitudes[1][1].exceeds(low));
    if !first.or(second).is_any() {
        return None;
    }
    let is_maximum = [(halves[0], first), (halves[1], second)]
        .map(|(half, is_above)| half.is_maximum().and(is_above));
    let is_edge =
        [0, 1].map(|half| is_maximum[half].and(halves[half].magnitudes[1][1].exceeds(high)));
    Some(Maxima {
        maxima: I16x8::high_bits(is_maximum),
        edges: I16x8::high_bits(is_edge),
    })
}

/// Half of a piece.
#[derive(Clone, Copy)]
struct Eight {
    magnitudes: [[I16x8; 3]; 3],
    dx: I16x8,
    dy: I16x8,
}

impl Eight {
    fn of(piece: &Piece<'_>, half: usize) -> Self {
        let load = |numbers: &[i16; PIECE]| I16x8::from_array(numbers.as_chunks().0[half]);
        Self {
            magnitudes: piece.magnitudes.map(|row| row.map(load)),
            dx: load(piece.dx),
            dy: load(piece.dy),
        }
    }

    /// All bits where m is a maximum across the edge.
    fn is_maximum(self) -> I16x8 {
        let [above, [left, m, right], below] = self.magnitudes;
        let (x, y) = (self.dx.abs(), self.dy.abs());
        // Where ∂x is not 0, tan 22.5° · |∂x| is no whole number, and below it is what does not exceed its whole part; where
        // both are 0, m is 0 and a maximum in no direction.
        let flat = x.scaled(CANNY_TANGENT);
        let is_not_flat = y.exceeds(flat);
        let is_steep = y.minus(x).minus(x).exceeds(flat);
        let is_rising = self.dx.xor(self.dy).is_negative();
        let both = |one: I16x8, other: I16x8| m.exceeds(one).and(m.exceeds(other));
        let earlier = |one: I16x8, other: I16x8| m.exceeds(one).and_not(other.exceeds(m));
        let choose = |mask: I16x8, yes: I16x8, no: I16x8| yes.and(mask).or(no.and_not(mask));
        let diagonal = choose(
            is_rising,
            both(above[2], below[0]),
            both(above[0], below[2]),
        );
        let oblique = choose(is_steep, earlier(above[1], below[1]), diagonal);
        choose(is_not_flat, oblique, earlier(left, right))
    }
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use super::super::plain;
    use super::*;

    /// Every ∂x meets neighbours that are a little smaller, as large, or a little larger.
    #[test]
    fn eight_pixels_at_a_time_have_the_maxima_of_the_plain_loop() {
        let mut state = 1_u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            i16::try_from((state >> 33) % end).unwrap_or(0)
        };
        let mut num_maxima = 0;
        for dx in -1020..=1020_i16 {
            let flat = i16::try_from((i32::from(dx) * i32::from(CANNY_TANGENT)) >> 15);
            let flat = flat.unwrap_or(0);
            for round in 0..16 {
                let dxs = [dx; PIECE];
                let dys: [i16; PIECE] = from_fn(|_| match round {
                    // About where the direction changes.
                    0 => flat - 4 + below(9),
                    1 => flat + 2 * dx - 4 + below(9),
                    2 => -flat - 4 + below(9),
                    3 => -flat - 2 * dx - 4 + below(9),
                    _ => below(2041) - 1020,
                });
                let here: [i16; PIECE] = from_fn(|at| dx.abs() + dys[at].abs());
                let around: [[[i16; PIECE]; 3]; 3] =
                    from_fn(|_| from_fn(|_| from_fn(|at| (here[at] + below(5) - 3).max(0))));
                let mut magnitudes = around.each_ref().map(<[_; 3]>::each_ref);
                magnitudes[1][1] = &here;
                let piece = Piece {
                    magnitudes,
                    dx: &dxs,
                    dy: &dys,
                };
                for thresholds in [[-1, -1], [0, 0], [100, 200], [700, 700], [2040, 2040]] {
                    let found = maxima(&piece, thresholds);
                    let plain = plain::maxima(&piece, thresholds);
                    assert_eq!(found, plain, "{dx} {dys:?} {thresholds:?}");
                    num_maxima += found.map_or(0, |found| found.maxima.count_ones());
                }
            }
        }
        assert!(num_maxima > 100_000, "{num_maxima}");
    }
}
