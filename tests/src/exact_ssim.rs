//! SSIM of uniform windows from sums that are made anew for each window, to hold the fast ways against, natively and in Wasm.

use juror_metrics::{Image, MetricError, Window, ssim_constants, ssim_map};

/// Sides of windows whose sums are whole numbers.
const SIDES: [usize; 5] = [3, 5, 7, 9, 11];

/// Windows beyond the first along and down a picture: one, fewer than lanes, as many, more, and no multiple.
const BEYOND: [(usize, usize); 5] = [(0, 0), (4, 1), (7, 0), (8, 2), (66, 1)];

/// Which SSIM maps are not these numbers to the bit; with another `data_range` than 255 all must be others.
///
/// # Errors
/// Those of [`ssim_map`], which drawn pictures do not bring about.
pub fn differences(data_range: f64) -> Result<Vec<String>, MetricError> {
    let mut different = Vec::new();
    for side in SIDES {
        for (across, down) in BEYOND {
            for channels in 1..=4 {
                let (width, height) = (side + across, side + down);
                let picture = |factor: usize| {
                    let waves = (0..width * height * channels).map(|at| (at * at * factor) >> 3);
                    let bytes = waves.map(|wave| u8::try_from(wave % 256).unwrap_or(0));
                    Image::new(width, height, channels, bytes.collect())
                };
                let (r, c) = (picture(37)?, picture(91)?);
                let map = ssim_map(&r.view(), &c.view(), Window::Uniform(side), 255.0)?;
                let is_other = (0..map.data().len()).any(|at| {
                    let row = (across + 1) * channels;
                    let (y, sample) = (at / row, at % row);
                    let value = window_value([&r, &c], side, (sample, y), data_range);
                    map.data()[at].to_bits() != value.to_bits()
                });
                if is_other {
                    let size = format!("{width} × {height}, {channels} channels");
                    different.push(format!("window of {side}: {size}"));
                }
            }
        }
    }
    Ok(different)
}

/// How many maps there are.
pub const NUM_MAPS: usize = SIDES.len() * BEYOND.len() * 4;

/// S(w) of the window that begins at a sample of a row.
fn window_value(
    [r, c]: [&Image<u8>; 2],
    side: usize,
    (sample, y): (usize, usize),
    data_range: f64,
) -> f64 {
    let step = r.view().channels();
    let [mut sum_r, mut sum_c, mut squares, mut products] = [0_u32; 4];
    for y in y..y + side {
        let (r, c) = (r.view().row(y), c.view().row(y));
        for at in (0..side).map(|x| sample + x * step) {
            let (r, c) = (u32::from(r[at]), u32::from(c[at]));
            (sum_r, sum_c) = (sum_r + r, sum_c + c);
            (squares, products) = (squares + r * r + c * c, products + r * c);
        }
    }
    let [sum_r, sum_c, squares, products] = [sum_r, sum_c, squares, products].map(f64::from);
    let count = (side * side) as f64;
    let [c1, c2] = ssim_constants(data_range);
    let (c1, c2) = (count * count * c1, count * (count - 1.0) * c2);
    let (product, square) = (sum_r * sum_c, sum_r * sum_r + sum_c * sum_c);
    let upper = (2.0 * product + c1) * (2.0 * (count * products - product) + c2);
    upper / ((square + c1) * (count * squares - square + c2))
}
