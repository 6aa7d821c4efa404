//! Uniform windows of bytes, eight at a time: the numbers of the plain loops to the bit.
//!
//! The windows of a row are cut into eight parts and lane k walks along part k, so that sums slide along the row too: for
//! each window one column comes and one goes, whatever the side.
//! Loops take slices and not closures, which a compiler may leave in narrow lanes.

use std::hint::black_box;

use fearless_simd::{Simd, dispatch, prelude::*, u8x16, u16x8};

use super::width::{LANES, NUM_BLOCKS, Pairs, Reals, Wholes, crossed, pairs, reals};
use super::{NUM_PARTS, windows_of_part};
use crate::View;
use crate::channel_sums::ChannelSums;
use crate::wide::level;

/// Samples of each part that are interleaved at a time.
const PIECE: usize = 16;

/// One sample of each part: r₀ c₀ r₁ c₁ …
type Samples = [u8; 2 * NUM_PARTS];

/// As [`super::uniform_u8`].
pub(super) fn uniform(
    reference: &View<'_, u8>,
    candidate: &View<'_, u8>,
    side: usize,
    constants: [f64; 2],
    map: Option<&mut [f64]>,
) -> ChannelSums {
    let pair = [reference, candidate];
    dispatch!(level(), simd => row_by_row(simd, pair, side, constants, map))
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
fn row_by_row<S: Simd>(
    simd: S,
    [reference, candidate]: [&View<'_, u8>; 2],
    side: usize,
    constants: [f64; 2],
    mut map: Option<&mut [f64]>,
) -> ChannelSums {
    let channels = reference.channels();
    let mut mean = ChannelSums::new(channels);
    let parts = Parts::new(reference.width(), side, channels);
    let picture = || vec![[0; 2 * NUM_PARTS]; parts.num_columns * channels];
    // Rows of zeros come before the picture, so that the first ones take nothing away.
    let mut rows: Vec<_> = (0..side).map(|_| picture()).collect();
    let mut incoming = picture();
    let mut columns = vec![[Sums::zero(simd); NUM_BLOCKS]; parts.num_columns * channels];
    // Of one channel: few enough to stay in a processor's first cache.
    let mut values = vec![[0.0; LANES]; parts.num_windows * NUM_BLOCKS];
    for y in 0..reference.height() {
        if y + 1 < reference.height() {
            fetch(reference.row(y + 1));
            fetch(candidate.row(y + 1));
        }
        parts.interleave(simd, [reference.row(y), candidate.row(y)], &mut incoming);
        let outgoing = &mut rows[y % side];
        for channel in 0..channels {
            let range = channel * parts.num_columns..(channel + 1) * parts.num_columns;
            let columns = &mut columns[range.clone()];
            slide(
                simd,
                side,
                columns,
                &outgoing[range.clone()],
                &incoming[range],
            );
            if y + 1 < side {
                continue;
            }
            for block in 0..NUM_BLOCKS {
                let common = &parts.common[block * LANES..][..LANES];
                let values = &mut values[block * parts.num_windows..][..parts.num_windows];
                for sum in apply(simd, columns, block, side, constants, common, values) {
                    mean.add_sum(channel, sum);
                }
            }
            if let Some(map) = &mut map {
                let len = (reference.width() - side + 1) * channels;
                let row = &mut map[(y + 1 - side) * len..][..len];
                parts.lay_out(&values, &mut row[channel..]);
            }
        }
        std::mem::swap(outgoing, &mut incoming);
    }
    mean
}

/// Brings a row near from one end to the other: that its parts are read by turns is nothing that a processor foresees.
fn fetch(row: &[u8]) {
    const CACHE_LINE: usize = 64;
    for byte in row.iter().step_by(CACHE_LINE) {
        black_box(*byte);
    }
}

/// Where the parts of a row lie, one for each lane.
///
/// The last ones begin earlier than they should, where they would reach beyond the row.
struct Parts {
    channels: usize,
    /// The first sample of each.
    starts: [usize; NUM_PARTS],
    /// How many of its windows each has in common with those before it.
    common: [usize; NUM_PARTS],
    /// In each: windows, and the columns that they look at.
    num_windows: usize,
    num_columns: usize,
    /// Where each sample of a part is kept: those of a channel one after another.
    places: Vec<usize>,
}

impl Parts {
    fn new(width: usize, side: usize, channels: usize) -> Self {
        let num_windows = width - side + 1;
        let len = windows_of_part(num_windows);
        let first = |k: usize| (k * len).min(num_windows - len);
        let num_columns = len + side - 1;
        let place = |at: usize| at % channels * num_columns + at / channels;
        Self {
            channels,
            starts: std::array::from_fn(|k| first(k) * channels),
            common: std::array::from_fn(|k| (k * len - first(k)).min(len)),
            num_windows: len,
            num_columns,
            places: (0..num_columns * channels).map(place).collect(),
        }
    }

    /// The parts of two rows side by side, a sample of each.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
    fn interleave<S: Simd>(&self, simd: S, rows: [&[u8]; 2], out: &mut [Samples]) {
        let num_samples = self.places.len();
        let parts = rows.map(|row| self.starts.map(|start| &row[start..][..num_samples]));
        let Some(last) = num_samples.checked_sub(PIECE) else {
            for (at, place) in self.places.iter().enumerate() {
                for (k, pair) in out[*place].as_chunks_mut().0.iter_mut().enumerate() {
                    *pair = [parts[0][k][at], parts[1][k][at]];
                }
            }
            return;
        };
        for at in (0..num_samples).step_by(PIECE) {
            // The last piece begins earlier than it should.
            let at = at.min(last);
            let (low, high) = self.places[at..at + PIECE].split_at(PIECE / 2);
            turn_half(simd, &parts, at, SimdBase::zip_low, low, out);
            turn_half(simd, &parts, at, SimdBase::zip_high, high, out);
        }
    }

    /// Puts the parts of a row one after another, as one of its channels.
    fn lay_out(&self, values: &[[f64; LANES]], row: &mut [f64]) {
        for (k, start) in self.starts.into_iter().enumerate() {
            let values = &values[k / LANES * self.num_windows..][..self.num_windows];
            let places = row[start..].iter_mut().step_by(self.channels);
            for (place, lanes) in places.zip(values) {
                *place = lanes[k % LANES];
            }
        }
    }
}

/// Half a piece of each part: pairs of both rows, and of these the parts by turns.
#[inline(always)]
#[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
fn turn_half<S: Simd>(
    simd: S,
    [r, c]: &[[&[u8]; NUM_PARTS]; 2],
    at: usize,
    zip: impl Fn(u8x16<S>, u8x16<S>) -> u8x16<S>,
    places: &[usize],
    out: &mut [Samples],
) {
    let line = |k: usize| {
        let r = u8x16::from_slice(simd, &r[k][at..at + PIECE]);
        let c = u8x16::from_slice(simd, &c[k][at..at + PIECE]);
        zip(r, c).bitcast::<u16x8<S>>()
    };
    let lines = [
        line(0),
        line(1),
        line(2),
        line(3),
        line(4),
        line(5),
        line(6),
        line(7),
    ];
    let lines = turn(turn(turn(lines)));
    for k in 0..PIECE / 2 {
        out[places[k]] = lines[k].bitcast::<u8x16<S>>().into();
    }
}

/// The first four and the last four by turns.
#[inline(always)]
#[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
fn turn<S: Simd>([a, b, c, d, e, f, g, h]: [u16x8<S>; 8]) -> [u16x8<S>; 8] {
    [
        a.zip_low(e),
        a.zip_high(e),
        b.zip_low(f),
        b.zip_high(f),
        c.zip_low(g),
        c.zip_high(g),
        d.zip_low(h),
        d.zip_high(h),
    ]
}

/// Sums over a column, or over a window, in each lane: Σr and Σc by turns, N Σ(r² + c²), 2 N Σrc.
///
/// At most 121 · 255 and 121 · 121 · 2 · 255², which fit.
#[derive(Clone, Copy)]
struct Sums<S: Simd> {
    means: Pairs<S>,
    squares: Wholes<S>,
    products: Wholes<S>,
}

impl<S: Simd> Sums<S> {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
    fn zero(simd: S) -> Self {
        Self {
            means: Pairs::splat(simd, 0),
            squares: Wholes::splat(simd, 0),
            products: Wholes::splat(simd, 0),
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
    fn plus(self, other: Self) -> Self {
        Self {
            means: self.means + other.means,
            squares: self.squares + other.squares,
            products: self.products + other.products,
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
    fn minus(self, other: Self) -> Self {
        Self {
            means: self.means - other.means,
            squares: self.squares - other.squares,
            products: self.products - other.products,
        }
    }
}

/// Takes the row above away and adds the row below:
///
/// r₁² − r₀² + c₁² − c₀² = (r₁ − r₀)(r₁ + r₀) + (c₁ − c₀)(c₁ + c₀),
/// 2 (r₁c₁ − r₀c₀) = (r₁ − r₀)(c₁ + c₀) + (c₁ − c₀)(r₁ + r₀).
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::inline_always, reason = "what is done in wide lanes is")
)]
fn slide<S: Simd>(
    simd: S,
    side: usize,
    columns: &mut [[Sums<S>; NUM_BLOCKS]],
    outgoing: &[Samples],
    incoming: &[Samples],
) {
    let num_places = Pairs::splat(simd, i16::try_from(side * side).unwrap_or(i16::MAX));
    for ((column, outgoing), incoming) in columns.iter_mut().zip(outgoing).zip(incoming) {
        let outgoing = pairs(u8x16::load_array_ref(simd, outgoing));
        let incoming = pairs(u8x16::load_array_ref(simd, incoming));
        for block in 0..NUM_BLOCKS {
            let column = &mut column[block];
            let less = incoming[block] - outgoing[block];
            let both = incoming[block] + outgoing[block];
            column.means += less;
            let less = less * num_places;
            column.squares += less.pairwise_dot_product(both);
            column.products += less.pairwise_dot_product(crossed(both));
        }
    }
}

/// The formula for each window of a part, of one channel, and the sum of each part without what it has in common with
/// others.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::inline_always, reason = "what is done in wide lanes is")
)]
fn apply<S: Simd>(
    simd: S,
    columns: &[[Sums<S>; NUM_BLOCKS]],
    block: usize,
    side: usize,
    [c1, c2]: [f64; 2],
    common: &[usize],
    values: &mut [[f64; LANES]],
) -> [f64; LANES] {
    let (first, ahead) = columns.split_at(side - 1);
    let [c1, c2] = [Reals::splat(simd, c1), Reals::splat(simd, c2)];
    let mut window = Sums::zero(simd);
    for column in first {
        window = window.plus(column[block]);
    }
    let mut sums = Reals::splat(simd, 0.0);
    let mut num_added = 0;
    for (k, end) in common.iter().copied().chain([ahead.len()]).enumerate() {
        let behind = &columns[num_added..end];
        let pairs = ahead[num_added..end].iter().zip(behind);
        for ((incoming, outgoing), place) in pairs.zip(&mut values[num_added..end]) {
            window = window.plus(incoming[block]);
            let value = ssim(&window, [c1, c2]);
            sums += value;
            *place = value.into();
            window = window.minus(outgoing[block]);
        }
        if k < LANES && end > 0 {
            // What this lane has come to is in the sums of others.
            let mut lanes: [f64; LANES] = sums.into();
            lanes[k] = 0.0;
            sums = Reals::load_array(simd, lanes);
        }
        num_added = end;
    }
    sums.into()
}

/// S(w) as the plain loops compute it, from sums.
#[inline(always)]
#[expect(clippy::inline_always, reason = "what is done in wide lanes is")]
fn ssim<S: Simd>(window: &Sums<S>, [c1, c2]: [Reals<S>; 2]) -> Reals<S> {
    let square = window.means.pairwise_dot_product(window.means);
    let product = window.means.pairwise_dot_product(crossed(window.means));
    let upper = (reals(product) + c1) * (reals(window.products - product) + c2);
    let lower = (reals(square) + c1) * (reals(window.squares - square) + c2);
    upper / lower
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;
    use crate::wide::level;

    /// Width, height, channels, data of both pictures.
    struct Pair {
        width: usize,
        height: usize,
        channels: usize,
        data: [Vec<u8>; 2],
    }

    impl Pair {
        fn views(&self) -> [View<'_, u8>; 2] {
            let (width, height) = (self.width, self.height);
            let view = |data| View::new(width, height, self.channels, data);
            let views = self.data.each_ref().map(|data| view(data));
            views.map(|view| view.unwrap_or_else(|error| panic!("{error}")))
        }
    }

    /// Bits of the map, and of the sums.
    type Bits = [Vec<u64>; 2];

    fn bits(
        pair: &Pair,
        side: usize,
        sums: impl Fn([&View<'_, u8>; 2], &mut [f64]) -> ChannelSums,
    ) -> Bits {
        let [r, c] = pair.views();
        let num_windows = (pair.width - side + 1) * (pair.height - side + 1);
        let mut map = vec![f64::NAN; num_windows * pair.channels];
        let sums = sums([&r, &c], &mut map).into_sums();
        [map, sums].map(|values| values.into_iter().map(f64::to_bits).collect())
    }

    const CONSTANTS: [f64; 2] = [6.5, 58.5];

    fn in_plain_loops(pair: &Pair, side: usize) -> Bits {
        bits(pair, side, |[r, c], map| match side {
            3 => plain::uniform::<3>(r, c, CONSTANTS, Some(map)),
            5 => plain::uniform::<5>(r, c, CONSTANTS, Some(map)),
            7 => plain::uniform::<7>(r, c, CONSTANTS, Some(map)),
            9 => plain::uniform::<9>(r, c, CONSTANTS, Some(map)),
            _ => plain::uniform::<11>(r, c, CONSTANTS, Some(map)),
        })
    }

    fn in_vectors<S: Simd>(simd: S, pair: &Pair, side: usize) -> Bits {
        bits(pair, side, |pair, map| {
            row_by_row(simd, pair, side, CONSTANTS, Some(map))
        })
    }

    /// Bytes that look random; 0 and 255 are among them.
    fn noise(len: usize, factor: usize) -> Vec<u8> {
        let numbers = (0..len).map(|at| (at * at * factor) >> 3);
        numbers
            .map(|number| u8::try_from(number % 256).unwrap_or(0))
            .collect()
    }

    fn pairs_of_size(width: usize, height: usize, channels: usize) -> [Pair; 3] {
        let len = width * height * channels;
        let [black, white] = [0, u8::MAX].map(|level| vec![level; len]);
        let noises = [37, 91].map(|factor| noise(len, factor));
        // The largest sums that there are.
        [noises, [black, white.clone()], [white.clone(), white]].map(|data| Pair {
            width,
            height,
            channels,
            data,
        })
    }

    /// Side, width, height and channels of the pairs whose bits differ from those of the plain loops.
    fn differences(found: impl Fn(&Pair, usize) -> Bits) -> Vec<[usize; 4]> {
        let mut different = Vec::new();
        for side in [3, 5, 7, 9, 11] {
            let narrow = (0..10).map(|more| (side + more, side + 1));
            for (width, height) in narrow.chain([(side, 12), (64, 12), (77, 13), (213, 12)]) {
                for channels in 1..=4 {
                    for pair in pairs_of_size(width, height, channels) {
                        if found(&pair, side) != in_plain_loops(&pair, side) {
                            different.push([side, width, height, channels]);
                        }
                    }
                }
            }
        }
        different
    }

    #[test]
    fn eight_windows_at_a_time_are_the_plain_loops_to_the_bit() {
        let found = |pair: &Pair, side: usize| {
            bits(pair, side, |[r, c], map| {
                uniform(r, c, side, CONSTANTS, Some(map))
            })
        };
        assert_eq!(differences(found), <[[usize; 4]; 0]>::default());
    }

    #[test]
    fn sums_without_a_map_are_those_with_one() {
        for pair in pairs_of_size(77, 13, 3) {
            let [r, c] = pair.views();
            let [_, with_map] = in_plain_loops(&pair, 7);
            let without = uniform(&r, &c, 7, CONSTANTS, None).into_sums();
            let without: Vec<u64> = without.into_iter().map(f64::to_bits).collect();
            assert_eq!(without, with_map);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_of_every_width_come_to_the_same_bits() {
        let none = <[[usize; 4]; 0]>::default();
        if let Some(simd) = level().as_sse2() {
            assert_eq!(differences(|pair, side| in_vectors(simd, pair, side)), none);
        }
        if let Some(simd) = level().as_sse4_2() {
            assert_eq!(differences(|pair, side| in_vectors(simd, pair, side)), none);
        }
        if let Some(simd) = level().as_avx2() {
            assert_eq!(differences(|pair, side| in_vectors(simd, pair, side)), none);
        }
        if let Some(simd) = level().as_avx512() {
            assert_eq!(differences(|pair, side| in_vectors(simd, pair, side)), none);
        }
    }

    #[test]
    fn a_row_that_is_added_up_in_one_go_comes_to_other_bits() {
        let [pair, ..] = pairs_of_size(213, 12, 1);
        let [map, sums] = in_plain_loops(&pair, 7);
        let mut in_one_go = 0.0;
        for row in map.chunks(213 - 6) {
            in_one_go += row.iter().map(|bits| f64::from_bits(*bits)).sum::<f64>();
        }
        assert_ne!(sums, [in_one_go.to_bits()]);
    }
}
