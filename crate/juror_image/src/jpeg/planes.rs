//! CMYK and YCCK whose channels differ in size: decoded plane by plane and enlarged here.
//!
//! The library enlarges three channels at the most. This is what libjpeg-turbo does with four, number for number: its smooth
//! enlargement (`jdsample.c`) and its way from YCCK to CMYK (`jdcolor.c`).

use libjpeg_turbo_rs::RawImage;

use super::walk::Frame;
use super::wrong;
use crate::ImageError;

/// How many times as wide and as high as its plane a channel is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Enlargement {
    pub(super) across: usize,
    pub(super) down: usize,
}

/// A channel as it was stored, without what fills its last blocks.
struct Plane<'a> {
    data: &'a [u8],
    stride: usize,
    width: usize,
    height: usize,
}

impl Plane<'_> {
    /// A row; beyond the first and the last one there is that one again.
    fn row(&self, y: isize) -> &[u8] {
        let last = self.height.saturating_sub(1);
        let y = usize::try_from(y).unwrap_or(0).min(last);
        let from = y * self.stride;
        self.data.get(from..from + self.width).unwrap_or_default()
    }
}

/// Four bytes a pixel as libjpeg-turbo gives them: C, M, Y, K as stored.
pub(super) fn cmyk(
    raw: &RawImage,
    frame: Frame,
    enlargements: &[Enlargement],
    is_ycck: bool,
) -> Result<Vec<u8>, ImageError> {
    let (width, height) = (frame.width as usize, frame.height as usize);
    let stored = raw.planes.iter().zip(&raw.plane_widths);
    let planes: Vec<(Plane<'_>, Enlargement)> = stored
        .zip(enlargements)
        .map(|((data, &stride), &enlargement)| {
            let plane = Plane {
                data,
                stride,
                width: width.div_ceil(enlargement.across),
                height: height.div_ceil(enlargement.down),
            };
            (plane, enlargement)
        })
        .collect();
    let is_whole = |(plane, _): &(Plane<'_>, Enlargement)| {
        plane.width <= plane.stride && plane.data.len() >= plane.stride * plane.height
    };
    if planes.len() != 4 || !planes.iter().all(is_whole) {
        return Err(wrong("channels that do not fill the picture"));
    }
    let mut out = Vec::with_capacity(width * height * 4);
    let mut rows: [Vec<u8>; 4] = std::array::from_fn(|_| Vec::new());
    for y in 0..height {
        for (row, (plane, enlargement)) in rows.iter_mut().zip(&planes) {
            row.clear();
            enlarge(plane, *enlargement, y, row);
        }
        let [first, second, third, fourth] = &rows;
        let pixels = first.iter().zip(second).zip(third).zip(fourth);
        for (((&c, &m), &y), &k) in pixels.take(width) {
            let [c, m, y] = if is_ycck {
                cmy_from_ycc([c, m, y])
            } else {
                [c, m, y]
            };
            out.extend([c, m, y, k]);
        }
    }
    Ok(out)
}

/// One row of a channel at the picture's size; perhaps somewhat longer.
fn enlarge(plane: &Plane<'_>, enlargement: Enlargement, y: usize, out: &mut Vec<u8>) {
    let Enlargement { across, down } = enlargement;
    let at = isize::try_from(y / down).unwrap_or(isize::MAX);
    let own = plane.row(at);
    // The other row that a pixel lies between: the upper one for the upper half.
    let is_upper = y.is_multiple_of(down);
    let other = plane.row(if is_upper { at - 1 } else { at + 1 });
    // Two samples are too few to blend in a row.
    let is_wide = plane.width > 2;
    match (across, down) {
        (2, 1) if is_wide => {
            let samples: Vec<u32> = own.iter().map(|&sample| u32::from(sample)).collect();
            blend_across(&samples, 4, (1, 2), out);
        }
        (2, 2) if is_wide => {
            let samples = own.iter().zip(other);
            let samples: Vec<u32> = samples.map(|(&own, &other)| sum(own, other)).collect();
            blend_across(&samples, 16, (8, 7), out);
        }
        (1, 2) => {
            let bias = if is_upper { 1 } else { 2 };
            let samples = own.iter().zip(other);
            out.extend(samples.map(|(&own, &other)| byte((sum(own, other) + bias) / 4)));
        }
        _ => out.extend(
            own.iter()
                .flat_map(|&sample| std::iter::repeat_n(sample, across)),
        ),
    }
}

/// Three parts of the nearer sample and one of the farther.
fn sum(near: u8, far: u8) -> u32 {
    3 * u32::from(near) + u32::from(far)
}

/// Two pixels of each sample, three parts of it and one of its neighbour on that side; the outermost have no neighbour but
/// themselves. `biases` are added before the division, to the left pixel and to the right one.
fn blend_across(samples: &[u32], divisor: u32, biases: (u32, u32), out: &mut Vec<u8>) {
    let last = samples.len().saturating_sub(1);
    for (x, &own) in samples.iter().enumerate() {
        let left = samples.get(x.saturating_sub(1)).copied().unwrap_or(own);
        let right = samples.get((x + 1).min(last)).copied().unwrap_or(own);
        out.push(byte((3 * own + left + biases.0) / divisor));
        out.push(byte((3 * own + right + biases.1) / divisor));
    }
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// `ycck_cmyk_convert`: to RGB in whole numbers, turned over.
fn cmy_from_ycc([y, cb, cr]: [u8; 3]) -> [u8; 3] {
    // 1.402, 0.34414, 0.71414 and 1.772, times 2 to the 16.
    const RED: i32 = 91_881;
    const GREEN: [i32; 2] = [22_554, 46_802];
    const BLUE: i32 = 116_130;
    const HALF: i32 = 1 << 15;
    let [y, cb, cr] = [i32::from(y), i32::from(cb) - 128, i32::from(cr) - 128];
    let red = y + ((RED * cr + HALF) >> 16);
    let green = y + ((-GREEN[0] * cb - GREEN[1] * cr + HALF) >> 16);
    let blue = y + ((BLUE * cb + HALF) >> 16);
    [red, green, blue].map(|light| u8::try_from((255 - light).clamp(0, 255)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(samples: &[u8], width: usize, across: usize, down: usize, of: [usize; 2]) -> Vec<u8> {
        let plane = Plane {
            data: samples,
            stride: width,
            width,
            height: samples.len() / width,
        };
        let mut out = Vec::new();
        for y in of[0]..of[1] {
            enlarge(&plane, Enlargement { across, down }, y, &mut out);
        }
        out
    }

    #[test]
    fn samples_are_blended_three_to_one_with_their_neighbours() {
        // (3·10 + 10 + 1) / 4, (3·10 + 20 + 2) / 4, (3·20 + 10 + 1) / 4, (3·20 + 40 + 2) / 4, …
        assert_eq!(
            rows(&[10, 20, 40], 3, 2, 1, [0, 1]),
            [10, 13, 17, 25, 35, 40]
        );
        // (3·10 + 10 + 1) / 4; (3·10 + 20 + 2) / 4; (3·20 + 10 + 1) / 4; (3·20 + 20 + 2) / 4.
        assert_eq!(rows(&[10, 20], 1, 1, 2, [0, 4]), [10, 13, 17, 20]);
    }

    #[test]
    fn two_samples_beside_each_other_and_other_sizes_are_repeated() {
        assert_eq!(rows(&[10, 20], 2, 2, 1, [0, 1]), [10, 10, 20, 20]);
        assert_eq!(
            rows(&[10, 20, 40], 3, 4, 1, [0, 1])[..5],
            [10, 10, 10, 10, 20]
        );
        assert_eq!(
            rows(&[10, 20], 2, 2, 2, [0, 2]),
            [10, 10, 20, 20, 10, 10, 20, 20]
        );
    }

    #[test]
    fn grey_of_ycck_has_equal_channels_and_colour_has_not() {
        assert_eq!(cmy_from_ycc([100, 128, 128]), [155; 3]);
        assert_eq!(cmy_from_ycc([100, 128, 255]), [0, 246, 155]);
    }
}
