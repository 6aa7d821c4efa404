//! Uniform windows of bytes in plain loops, for tests: the order of every sum, and the numbers that vectors must come to.

use std::ops::Range;

use super::{PIECE, windows_of_part};
use crate::View;
use crate::channel_sums::ChannelSums;

/// As [`super::uniform_u8`], for one side.
pub(super) fn uniform<const SIDE: usize>(
    reference: &View<'_, u8>,
    candidate: &View<'_, u8>,
    constants: [f64; 2],
    mut map: Option<&mut [f64]>,
) -> ChannelSums {
    let channels = reference.channels();
    let num_windows = reference.width() - SIDE + 1;
    let len = num_windows * channels;
    let part = windows_of_part(num_windows) * channels;
    let mut mean = ChannelSums::new(channels);
    let mut sums = ColumnSums::new(reference.width() * channels);
    let mut own = vec![0.0; len];
    let row = |y: usize| [reference.row(y), candidate.row(y)];
    for y in 0..reference.height() {
        let [r, c] = row(y);
        if y < SIDE {
            sums.add(r, c);
        } else {
            sums.slide(row(y - SIDE), [r, c]);
        }
        if y + 1 < SIDE {
            continue;
        }
        let values = match &mut map {
            Some(map) => &mut map[(y + 1 - SIDE) * len..][..len],
            None => &mut own[..],
        };
        for (idx, piece) in values.chunks_mut(PIECE).enumerate() {
            uniform_piece::<SIDE>(&sums, idx * PIECE, channels, constants, piece);
        }
        for part in values.chunks(part) {
            mean.add(part);
        }
    }
    mean
}

/// S(w) with N² and N (N − 1) multiplied through, so that all but the constants is whole:
///
/// (2 Σr Σc + N² C₁)(2 (N Σrc − Σr Σc) + N (N − 1) C₂) /
/// (((Σr)² + (Σc)² + N² C₁)(N Σ(r² + c²) − (Σr)² − (Σc)² + N (N − 1) C₂)).
fn uniform_piece<const SIDE: usize>(
    sums: &ColumnSums,
    at: usize,
    step: usize,
    [c1, c2]: [f64; 2],
    values: &mut [f64],
) {
    let num_places = i32::try_from(SIDE * SIDE).unwrap_or(i32::MAX);
    let len = values.len();
    let mut luminance = [[0_i32; PIECE]; 2];
    let mut contrast = [[0_i32; PIECE]; 2];
    // Slices of one length each, so that the loop below needs no bounds.
    let shifted: [Range<usize>; SIDE] = std::array::from_fn(|k| at + k * step..at + k * step + len);
    let r = shifted.clone().map(|range| &sums.r[range]);
    let c = shifted.clone().map(|range| &sums.c[range]);
    let squares = shifted.clone().map(|range| &sums.squares[range]);
    let products = shifted.map(|range| &sums.products[range]);
    let narrow = |columns: &[&[i16]; SIDE], idx: usize| -> i32 {
        i32::from(columns.iter().map(|column| column[idx]).sum::<i16>())
    };
    let window = |columns: &[&[u32]; SIDE], idx: usize| -> i32 {
        columns
            .iter()
            .map(|column| column[idx])
            .sum::<u32>()
            .cast_signed()
    };
    for idx in 0..len {
        let (r, c) = (narrow(&r, idx), narrow(&c, idx));
        let (product, square) = (r * c, r * r + c * c);
        luminance[0][idx] = 2 * product;
        luminance[1][idx] = square;
        contrast[0][idx] = 2 * (num_places * window(&products, idx) - product);
        contrast[1][idx] = num_places * window(&squares, idx) - square;
    }
    let [luminance, lower_luminance] = [&luminance[0][..len], &luminance[1][..len]];
    let [contrast, lower_contrast] = [&contrast[0][..len], &contrast[1][..len]];
    for idx in 0..len {
        let upper = (f64::from(luminance[idx]) + c1) * (f64::from(contrast[idx]) + c2);
        let lower = (f64::from(lower_luminance[idx]) + c1) * (f64::from(lower_contrast[idx]) + c2);
        values[idx] = upper / lower;
    }
}

/// Sums over the rows of a window, for each sample of a row: Σr, Σc, Σ(r² + c²), Σrc.
///
/// 121 bytes add up to less than 2¹⁵: narrow lanes are more lanes.
#[derive(Clone)]
struct ColumnSums {
    r: Vec<i16>,
    c: Vec<i16>,
    squares: Vec<u32>,
    products: Vec<u32>,
}

impl ColumnSums {
    fn new(len: usize) -> Self {
        Self {
            r: vec![0; len],
            c: vec![0; len],
            squares: vec![0; len],
            products: vec![0; len],
        }
    }

    fn add(&mut self, r: &[u8], c: &[u8]) {
        for (sum, r) in self.r.iter_mut().zip(r) {
            *sum += i16::from(*r);
        }
        for (sum, c) in self.c.iter_mut().zip(c) {
            *sum += i16::from(*c);
        }
        let samples = r.iter().zip(c);
        for ((sum, product), (r, c)) in self.squares.iter_mut().zip(&mut self.products).zip(samples)
        {
            let (r, c) = (u32::from(*r), u32::from(*c));
            *sum += r * r + c * c;
            *product += r * c;
        }
    }

    /// Takes the row above away and adds the row below.
    fn slide(&mut self, [r_out, c_out]: [&[u8]; 2], [r_in, c_in]: [&[u8]; 2]) {
        for ((sum, out), r) in self.r.iter_mut().zip(r_out).zip(r_in) {
            *sum += i16::from(*r) - i16::from(*out);
        }
        for ((sum, out), c) in self.c.iter_mut().zip(c_out).zip(c_in) {
            *sum += i16::from(*c) - i16::from(*out);
        }
        let sums = self.squares.iter_mut().zip(&mut self.products);
        let outs = r_out.iter().zip(c_out);
        let ins = r_in.iter().zip(c_in);
        for (((sum, product), (r0, c0)), (r1, c1)) in sums.zip(outs).zip(ins) {
            let [r0, c0, r1, c1] = [*r0, *c0, *r1, *c1].map(u32::from);
            *sum = *sum + r1 * r1 + c1 * c1 - r0 * r0 - c0 * c0;
            *product = *product + r1 * c1 - r0 * c0;
        }
    }
}
