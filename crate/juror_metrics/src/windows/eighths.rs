//! Uniform windows of bytes, eight at a time: the numbers of the plain loops to the bit, where SIMD128 is at hand.
//!
//! The windows of a row are cut into eight parts and lane k walks along part k, so that sums slide along the row too: for
//! each window one column comes and one goes, whatever the side.
//! Loops are never inlined: with five sides in one function a browser runs out of registers.

use std::hint::black_box;

use super::{NUM_PARTS, windows_of_part};
use crate::View;
use crate::channel_sums::ChannelSums;
use crate::lanes::{F64x2, I16x8, I32x4, U8x16};

/// As [`super::uniform_u8`], for one side.
pub(super) fn uniform<const SIDE: usize>(
    reference: &View<'_, u8>,
    candidate: &View<'_, u8>,
    constants: [f64; 2],
    mut map: Option<&mut [f64]>,
) -> ChannelSums {
    let channels = reference.channels();
    let mut mean = ChannelSums::new(channels);
    let parts = Parts::new(reference.width(), SIDE, channels);
    let picture = || [0; 2].map(|_| vec![0; NUM_PARTS * parts.num_samples]);
    // Rows of zeros come before the picture, so that the first ones take nothing away.
    let mut rows: Vec<_> = (0..SIDE).map(|_| picture()).collect();
    let mut incoming = picture();
    let mut columns = vec![Sums::zero(); parts.num_samples];
    // Of one channel: few enough to stay in a processor's first cache.
    let mut values = vec![[F64x2::splat(0.0); NUM_PARTS / 2]; parts.num_windows];
    for y in 0..reference.height() {
        for (picture, bytes) in [reference, candidate].into_iter().zip(&mut incoming) {
            if y + 1 < picture.height() {
                fetch(picture.row(y + 1));
            }
            parts.interleave(picture.row(y), bytes);
        }
        let outgoing = &mut rows[y % SIDE];
        slide::<SIDE>(&mut columns, outgoing, &incoming);
        std::mem::swap(outgoing, &mut incoming);
        if y + 1 < SIDE {
            continue;
        }
        for channel in 0..channels {
            apply::<SIDE>(&columns[channel..], channels, constants, &mut values);
            for sum in parts.sums(&values) {
                mean.add_sum(channel, sum);
            }
            if let Some(map) = &mut map {
                let len = (reference.width() - SIDE + 1) * channels;
                let row = &mut map[(y + 1 - SIDE) * len..][..len];
                parts.lay_out(&values, &mut row[channel..]);
            }
        }
    }
    mean
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
    /// In each: windows, and the samples that they look at in all channels.
    num_windows: usize,
    num_samples: usize,
}

impl Parts {
    fn new(width: usize, side: usize, channels: usize) -> Self {
        let num_windows = width - side + 1;
        let len = windows_of_part(num_windows);
        let first = |k: usize| (k * len).min(num_windows - len);
        let num_samples = (len + side - 1) * channels;
        Self {
            channels,
            starts: std::array::from_fn(|k| first(k) * channels),
            common: std::array::from_fn(|k| (k * len - first(k)).min(len)),
            num_windows: len,
            num_samples,
        }
    }

    /// The parts of a row side by side: the first sample of each, the second of each, …
    fn interleave(&self, row: &[u8], out: &mut [u8]) {
        let parts = self.starts.map(|start| &row[start..][..self.num_samples]);
        let blocks = parts.map(|part| part.as_chunks().0);
        let (outs, _) = out.as_chunks_mut();
        for (idx, out) in outs.iter_mut().enumerate() {
            interleave(blocks.map(|blocks| U8x16::from_array(blocks[idx])), out);
        }
        for at in outs.len() * 16..self.num_samples {
            for (out, part) in out[NUM_PARTS * at..].iter_mut().zip(parts) {
                *out = part[at];
            }
        }
    }

    /// Of each part, without what it has in common with others.
    #[inline(never)]
    fn sums(&self, values: &[[F64x2; NUM_PARTS / 2]]) -> [f64; NUM_PARTS] {
        let mut sums = [F64x2::splat(0.0); NUM_PARTS / 2];
        let mut num_added = 0;
        let add = |sums: &mut [F64x2; NUM_PARTS / 2], values: &[[F64x2; NUM_PARTS / 2]]| {
            for values in values {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = sum.plus(*value);
                }
            }
        };
        for (k, num_common) in self.common.into_iter().enumerate() {
            add(&mut sums, &values[num_added..num_common]);
            num_added = num_common;
            // What this lane has come to is in the sums of others.
            let [even, odd] = sums[k / 2].to_array();
            let begun = if k.is_multiple_of(2) {
                [0.0, odd]
            } else {
                [even, 0.0]
            };
            sums[k / 2] = F64x2::from_array(begun);
        }
        add(&mut sums, &values[num_added..]);
        let [[a, b], [c, d], [e, f], [g, h]] = sums.map(F64x2::to_array);
        [a, b, c, d, e, f, g, h]
    }

    /// Puts the parts of a row one after another, as one of its channels.
    #[inline(never)]
    fn lay_out(&self, values: &[[F64x2; NUM_PARTS / 2]], row: &mut [f64]) {
        for (k, start) in self.starts.into_iter().enumerate() {
            let places = row[start..].iter_mut().step_by(self.channels);
            for (place, lanes) in places.zip(values) {
                *place = lanes[k / 2].to_array()[k % 2];
            }
        }
    }
}

/// Brings a row near from one end to the other: that its parts are read by turns is nothing that a processor foresees.
fn fetch(row: &[u8]) {
    const CACHE_LINE: usize = 64;
    let bytes = row.iter().step_by(CACHE_LINE);
    black_box(bytes.fold(0, |all, byte| all | byte));
}

/// Sixteen samples of each part: two parts by turns, then four, then eight.
fn interleave([a, b, c, d, e, f, g, h]: [U8x16; NUM_PARTS], out: &mut [u8; 16 * NUM_PARTS]) {
    let even = four([a, c, e, g]);
    let odd = four([b, d, f, h]);
    let (outs, _) = out.as_chunks_mut::<32>();
    for (k, out) in outs.iter_mut().enumerate() {
        let [first, second] = even[k].zip(odd[k]).map(U8x16::to_array);
        out[..16].copy_from_slice(&first);
        out[16..].copy_from_slice(&second);
    }
}

/// a₀ b₀ c₀ d₀ a₁ …, in four pieces.
fn four([a, b, c, d]: [U8x16; 4]) -> [U8x16; 4] {
    let ([ac, ac_end], [bd, bd_end]) = (a.zip(c), b.zip(d));
    let ([first, second], [third, fourth]) = (ac.zip(bd), ac_end.zip(bd_end));
    [first, second, third, fourth]
}

/// Sums over a column, or over a window, in each lane: Σr, Σc, N Σ(r² + c²), 2 N Σrc.
///
/// At most 121 · 255 and 121 · 121 · 2 · 255², which fit.
#[derive(Clone, Copy)]
struct Sums {
    r: I16x8,
    c: I16x8,
    squares: [I32x4; 2],
    products: [I32x4; 2],
}

impl Sums {
    fn zero() -> Self {
        Self {
            r: I16x8::splat(0),
            c: I16x8::splat(0),
            squares: [I32x4::splat(0); 2],
            products: [I32x4::splat(0); 2],
        }
    }

    fn add(&mut self, other: &Self) {
        self.r = self.r.plus(other.r);
        self.c = self.c.plus(other.c);
        for half in [0, 1] {
            self.squares[half] = self.squares[half].plus(other.squares[half]);
            self.products[half] = self.products[half].plus(other.products[half]);
        }
    }

    fn take(&mut self, other: &Self) {
        self.r = self.r.minus(other.r);
        self.c = self.c.minus(other.c);
        for half in [0, 1] {
            self.squares[half] = self.squares[half].minus(other.squares[half]);
            self.products[half] = self.products[half].minus(other.products[half]);
        }
    }
}

/// Takes the row above away and adds the row below:
///
/// r₁² − r₀² + c₁² − c₀² = (r₁ − r₀)(r₁ + r₀) + (c₁ − c₀)(c₁ + c₀),
/// 2 (r₁c₁ − r₀c₀) = (r₁ − r₀)(c₁ + c₀) + (c₁ − c₀)(r₁ + r₀).
#[inline(never)]
fn slide<const SIDE: usize>(
    columns: &mut [Sums],
    [r_out, c_out]: &[Vec<u8>; 2],
    [r_in, c_in]: &[Vec<u8>; 2],
) {
    let num_places = I16x8::splat(i16::try_from(SIDE * SIDE).unwrap_or(i16::MAX));
    let [r_out, c_out, r_in, c_in] = [r_out, c_out, r_in, c_in].map(|row| row.as_chunks().0);
    let outs = r_out.iter().zip(c_out);
    let ins = r_in.iter().zip(c_in);
    for ((column, (r0, c0)), (r1, c1)) in columns.iter_mut().zip(outs).zip(ins) {
        let [r0, c0, r1, c1] = [*r0, *c0, *r1, *c1].map(I16x8::from_bytes);
        let (r_less, r_both) = (r1.minus(r0), r1.plus(r0));
        let (c_less, c_both) = (c1.minus(c0), c1.plus(c0));
        column.r = column.r.plus(r_less);
        column.c = column.c.plus(c_less);
        let less = r_less.times(num_places).zip(c_less.times(num_places));
        let [both, crossed] = [r_both.zip(c_both), c_both.zip(r_both)];
        for half in [0, 1] {
            column.squares[half] = column.squares[half].plus(less[half].dot(both[half]));
            column.products[half] = column.products[half].plus(less[half].dot(crossed[half]));
        }
    }
}

/// The formula for each window of a part, for the channel that the columns begin with.
#[inline(never)]
fn apply<const SIDE: usize>(
    columns: &[Sums],
    channels: usize,
    [c1, c2]: [f64; 2],
    values: &mut [[F64x2; NUM_PARTS / 2]],
) {
    let reach = (SIDE - 1) * channels;
    let [c1, c2] = [c1, c2].map(F64x2::splat);
    let mut window = Sums::zero();
    for column in columns[..reach].iter().step_by(channels) {
        window.add(column);
    }
    let ahead = columns[reach..].iter().step_by(channels);
    let behind = columns.iter().step_by(channels);
    for ((value, incoming), outgoing) in values.iter_mut().zip(ahead).zip(behind) {
        window.add(incoming);
        *value = ssim(&window, c1, c2);
        window.take(outgoing);
    }
}

/// S(w) as the plain loops compute it, from sums.
fn ssim(window: &Sums, c1: F64x2, c2: F64x2) -> [F64x2; NUM_PARTS / 2] {
    let means = window.r.zip(window.c);
    let crossed = window.c.zip(window.r);
    let of_half = |half: usize| {
        let square = means[half].dot(means[half]);
        let product = means[half].dot(crossed[half]);
        let contrast = window.products[half].minus(product).to_f64();
        let lower_contrast = window.squares[half].minus(square).to_f64();
        let [luminance, lower_luminance] = [product, square].map(I32x4::to_f64);
        [0, 1].map(|two| {
            let upper = luminance[two].plus(c1).times(contrast[two].plus(c2));
            let lower = lower_luminance[two]
                .plus(c1)
                .times(lower_contrast[two].plus(c2));
            upper.over(lower)
        })
    };
    let [[a, b], [c, d]] = [of_half(0), of_half(1)];
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;

    type Uniform = fn(&View<'_, u8>, &View<'_, u8>, [f64; 2], Option<&mut [f64]>) -> ChannelSums;

    /// Bits of the map, and of the sums with a map and without one.
    fn bits(uniform: Uniform, [r, c]: [&View<'_, u8>; 2], num_values: usize) -> [Vec<u64>; 3] {
        let mut map = vec![f64::NAN; num_values];
        let sums = |map| uniform(r, c, [6.5, 58.5], map).into_sums();
        let [with_map, without] = [sums(Some(&mut map)), sums(None)];
        [map, with_map, without].map(|values| values.into_iter().map(f64::to_bits).collect())
    }

    /// Both ways' values where they differ: side, width, height, channels.
    fn differences<const SIDE: usize>() -> Vec<(usize, usize, usize, usize)> {
        let mut different = Vec::new();
        let sizes = [(SIDE, SIDE), (SIDE + 1, SIDE), (SIDE + 7, SIDE + 2)];
        for (width, height) in sizes
            .into_iter()
            .chain([(SIDE + 8, 12), (77, 13), (213, 12)])
        {
            for channels in 1..=4 {
                let len = width * height * channels;
                // Sequences that visit 0 and 255 as well; the largest sums that there are.
                let wave = |factor: usize| -> Vec<u8> {
                    let numbers = (0..len).map(|at| (at * at * factor) >> 3);
                    let bytes = numbers.map(|number| u8::try_from(number % 256).unwrap_or(0));
                    bytes.collect()
                };
                let [black, white] = [0, u8::MAX].map(|level| vec![level; len]);
                let pairs = [[&wave(37), &wave(91)], [&black, &white], [&white, &white]];
                for pair in pairs {
                    let views = pair.map(|data| View::new(width, height, channels, data));
                    let [Ok(r), Ok(c)] = views else {
                        unreachable!("the data are as many as the size asks for")
                    };
                    let num_values = (width - SIDE + 1) * (height - SIDE + 1) * channels;
                    let found = bits(uniform::<SIDE>, [&r, &c], num_values);
                    if found != bits(plain::uniform::<SIDE>, [&r, &c], num_values) {
                        different.push((SIDE, width, height, channels));
                    }
                }
            }
        }
        different
    }

    #[test]
    fn eight_windows_at_a_time_are_the_plain_loops_to_the_bit() {
        let all = [
            differences::<3>(),
            differences::<5>(),
            differences::<7>(),
            differences::<9>(),
            differences::<11>(),
        ];
        assert_eq!(all.concat(), []);
    }
}
