//! Colours of reference pictures exchanged, point by point: what variants of a benchmark's requests do to them.
//!
//! Source: the MultiRef paper's experiment on formats of references, which names white boxes, coloured depth and coloured
//! masks without their values; the values are Juror's choice, but for Turbo.

use crate::Rgb;

/// The highest channel of a point that counts as black ground.
const GROUND: u8 = 10;

/// White ground instead of black: a point whose highest channel is at most 10 becomes white, others keep their colour.
///
/// # Example
/// ```
/// use juror_image::{Rgb, whitened};
/// let boxes = Rgb { width: 3, height: 1, data: vec![0, 0, 10, 0, 11, 0, 255, 0, 0] };
/// assert_eq!(whitened(&boxes).data, [255, 255, 255, 0, 11, 0, 255, 0, 0]);
/// ```
pub fn whitened(picture: &Rgb) -> Rgb {
    each(picture, |point| {
        if point.into_iter().all(|channel| channel <= GROUND) {
            [255; 3]
        } else {
            point
        }
    })
}

/// The colours of Turbo instead of grey; a point in colour counts as its luma (ITU-R 601, as Pillow's `convert("L")`).
///
/// Source: the polynomial of degree 5 which d3-scale-chromatic publishes as `interpolateTurbo`, an approximation of A. Mikhailov's map of
/// 2019: `t` = grey / 255 gives channels 0 to 255, rounded half up and clamped. It may differ from the table of 256 colours in
/// `OpenCV` by a few levels.
///
/// # Example
/// ```
/// use juror_image::{Rgb, turbo};
/// let depth = Rgb { width: 2, height: 1, data: vec![0, 0, 0, 255, 255, 255] };
/// assert_eq!(turbo(&depth).data, [35, 23, 27, 144, 12, 0]);
/// ```
pub fn turbo(picture: &Rgb) -> Rgb {
    each(picture, |point| turbo_of(luma(point)))
}

/// A colour instead of white: each channel is scaled by the colour's, so that black stays black, white becomes the colour, and
/// a grey edge lies between them; rounded half up.
///
/// # Example
/// ```
/// use juror_image::{Rgb, tinted};
/// let mask = Rgb { width: 3, height: 1, data: vec![0, 0, 0, 255, 255, 255, 51, 51, 51] };
/// assert_eq!(tinted(&mask, [200, 128, 255]).data, [0, 0, 0, 200, 128, 255, 40, 26, 51]);
/// ```
pub fn tinted(picture: &Rgb, colour: [u8; 3]) -> Rgb {
    each(picture, |point| {
        let mut point = point;
        for (channel, of) in point.iter_mut().zip(colour) {
            let scaled = (u32::from(*channel) * u32::from(of) * 2 + 255) / 510;
            *channel = u8::try_from(scaled).unwrap_or(u8::MAX);
        }
        point
    })
}

fn each(picture: &Rgb, of: impl Fn([u8; 3]) -> [u8; 3]) -> Rgb {
    let mut changed = picture.clone();
    for point in changed.data.chunks_exact_mut(3) {
        point.copy_from_slice(&of([point[0], point[1], point[2]]));
    }
    changed
}

/// Red, green and blue weighted in 65,536ths.
fn luma([red, green, blue]: [u8; 3]) -> u8 {
    let sum = u32::from(red) * 19595 + u32::from(green) * 38470 + u32::from(blue) * 7471;
    u8::try_from((sum + 0x8000) >> 16).unwrap_or(u8::MAX)
}

/// Coefficients from the constant up.
const RED: [f64; 6] = [34.61, 1172.33, -10793.56, 33300.12, -38394.49, 14825.05];
const GREEN: [f64; 6] = [23.31, 557.33, 1225.33, -3574.96, 1073.77, 707.56];
const BLUE: [f64; 6] = [27.2, 3211.1, -15327.97, 27814.0, -22569.18, 6838.66];

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is clamped to 0 to 255 fits a byte"
)]
fn turbo_of(grey: u8) -> [u8; 3] {
    let t = f64::from(grey) / 255.0;
    [RED, GREEN, BLUE].map(|coefficients| {
        let value = coefficients.iter().rev().fold(0.0, |sum, of| sum * t + of);
        (value + 0.5).floor().clamp(0.0, 255.0) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(data: &[u8]) -> Rgb {
        Rgb {
            width: u32::try_from(data.len() / 3).unwrap_or(0),
            height: 1,
            data: data.to_vec(),
        }
    }

    #[test]
    fn ground_up_to_ten_turns_white_and_one_level_more_does_not() {
        let found = whitened(&row(&[10, 10, 10, 10, 10, 11, 0, 0, 0, 255, 0, 0]));
        assert_eq!(
            found.data,
            [255, 255, 255, 10, 10, 11, 255, 255, 255, 255, 0, 0]
        );
    }

    #[test]
    fn depth_runs_from_dark_blue_over_green_to_dark_red() {
        let [near, middle, far] = [0, 128, 255].map(turbo_of);
        assert_eq!((near, far), ([35, 23, 27], [144, 12, 0]));
        assert!(middle[1] > 240 && middle[2] < 100, "{middle:?}");
        // Beyond the ends it is clamped, between them every grey has a colour of its own.
        let mut all: Vec<_> = (0..=255).map(turbo_of).collect();
        all.sort_unstable();
        all.dedup();
        assert!(all.len() > 250, "{}", all.len());
    }

    #[test]
    fn a_depth_map_in_colour_counts_as_its_luma() {
        let (red, grey) = (row(&[255, 0, 0]), row(&[76, 76, 76]));
        assert_eq!(turbo(&red).data, turbo(&grey).data);
        assert_ne!(turbo(&red).data, turbo(&row(&[77, 77, 77])).data);
    }

    #[test]
    fn white_becomes_the_colour_and_black_stays() {
        let mask = row(&[255, 255, 255, 0, 0, 0]);
        assert_eq!(
            tinted(&mask, [255, 200, 128]).data,
            [255, 200, 128, 0, 0, 0]
        );
        assert_eq!(tinted(&mask, [255; 3]).data, mask.data);
    }
}
