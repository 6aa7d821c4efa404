//! The table itself: cell by cell, compared with the input.

use super::super::{HEIGHT, WIDTH};
use super::balls::MAX_COLOUR_GAP;
use super::sight::Sight;
use super::{Surface, Unreadable};

/// Side of a cell, in pixels; width and height are multiples of it.
const CELL: usize = 32;
/// Brightness of the plain cells of the input varies by more than this in half of them: noise, in levels of 255.
const MAX_NOISE: f64 = 25.0;
/// A cell of the input is plain whose brightness varies by less than this, in levels of 255.
const PLAIN: f64 = 2.0;
/// The table is another one where more than this share of the cells has another colour.
const CHANGED_SHARE: f64 = 0.10;
/// Up to this share of the cells may have another colour: as many as two added balls cover.
const SAME_SHARE: f64 = 0.03;

const _: () =
    assert!((WIDTH as usize).is_multiple_of(CELL) && (HEIGHT as usize).is_multiple_of(CELL));

/// The pixels of each cell.
fn cells() -> impl Iterator<Item = Vec<usize>> {
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let corners = (0..height / CELL).flat_map(move |y| (0..width / CELL).map(move |x| (x, y)));
    corners.map(move |(x, y)| {
        let rows = y * CELL..(y + 1) * CELL;
        rows.flat_map(|row| row * width + x * CELL..row * width + (x + 1) * CELL)
            .collect()
    })
}

/// Whether nothing can be made out for noise.
pub(super) fn is_noisy(input: &Sight<'_>, output: &Sight<'_>) -> bool {
    let plain = cells().filter(|cell| deviation(input, cell) < PLAIN);
    let mut found: Vec<f64> = plain.map(|cell| deviation(output, &cell)).collect();
    found.sort_by(f64::total_cmp);
    found
        .get(found.len() / 2)
        .is_some_and(|median| *median > MAX_NOISE)
}

/// The standard deviation of the brightness.
fn deviation(sight: &Sight<'_>, cell: &[usize]) -> f64 {
    let count = cell.len() as f64;
    let values = || cell.iter().map(|at| f64::from(sight.bare_luma(*at)));
    let mean = values().sum::<f64>() / count;
    let squares: f64 = values().map(|value| (value - mean) * (value - mean)).sum();
    (squares / count).sqrt()
}

/// Compares the mean colours of all cells, without what is drawn over them.
pub(super) fn compare(input: &Sight<'_>, output: &Sight<'_>) -> Result<Surface, Unreadable> {
    let (mut all, mut changed) = (0_u32, 0_u32);
    for cell in cells() {
        let (mut sums, mut count) = ([0_i32; 3], 0_i32);
        for at in cell.iter().filter(|at| !output.is_drawn(**at)) {
            count += 1;
            let colours = output.colour(*at).into_iter().zip(input.colour(*at));
            for (sum, (new, old)) in sums.iter_mut().zip(colours) {
                *sum += new - old;
            }
        }
        let gap = |sum: i32| f64::from(sum.abs()) / f64::from(count.max(1));
        all += 1;
        changed += u32::from(sums.into_iter().any(|sum| gap(sum) > MAX_COLOUR_GAP));
    }
    let share = f64::from(changed) / f64::from(all);
    if share > CHANGED_SHARE {
        return Ok(Surface::Changed);
    }
    if share > SAME_SHARE {
        return Err(Unreadable::Patch);
    }
    Ok(Surface::Same)
}
