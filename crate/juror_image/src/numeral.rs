//! Draws the small numbers on concatenated pictures with a built-in face, so that no font file travels with the product.
//!
//! The protocol fixes place, size and colour of a number but not its face: ten digits made of strokes serve as well as any,
//! and pixels under a number may differ from what another program draws.

use crate::Rgb;

/// A digit's height, advance, stroke and the gap above it, as parts of the font size.
const HEIGHT: f64 = 0.72;
const ADVANCE: f64 = 0.6;
const STROKE: f64 = 0.1;
const ASCENT_GAP: f64 = 0.16;

/// Draws a number with its text box beginning at (x, y); a font size of 0 draws nothing, parts outside are cut.
pub(crate) fn draw(image: &mut Rgb, number: usize, x: u32, y: u32, font_px: u32, colour: [u8; 3]) {
    if font_px == 0 {
        return;
    }
    let size = f64::from(font_px);
    for (idx, digit) in number.to_string().bytes().enumerate() {
        let left = f64::from(x) + idx as f64 * ADVANCE * size;
        draw_digit(
            image,
            digit,
            left,
            f64::from(y) + ASCENT_GAP * size,
            size,
            colour,
        );
    }
}

fn draw_digit(image: &mut Rgb, digit: u8, left: f64, top: f64, size: f64, colour: [u8; 3]) {
    let strokes = strokes(digit);
    // Below one pixel a stroke would fade instead of getting thinner.
    let half_px = (STROKE * size / 2.0).max(0.5);
    let margin = half_px + 1.0;
    let columns = pixel_range(left - margin, left + ADVANCE * size + margin, image.width);
    let rows = pixel_range(top - margin, top + HEIGHT * size + margin, image.height);
    for y in rows {
        for x in columns.clone() {
            // The glyph box is 6 wide and 10 high.
            let unit = HEIGHT * size / 10.0;
            let point = (
                (f64::from(x) + 0.5 - left) / unit,
                (f64::from(y) + 0.5 - top) / unit,
            );
            let away = strokes
                .iter()
                .map(|stroke| distance(point, stroke))
                .fold(f64::INFINITY, f64::min);
            // Coverage: a one-pixel ramp around the stroke's edge.
            let cover = (half_px - away * unit + 0.5).clamp(0.0, 1.0);
            blend(image, x, y, colour, cover);
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the picture before"
)]
fn pixel_range(from: f64, to: f64, side: u32) -> std::ops::Range<u32> {
    let clamp = |at: f64| at.clamp(0.0, f64::from(side)) as u32;
    clamp(from.floor())..clamp(to.ceil())
}

fn blend(image: &mut Rgb, x: u32, y: u32, colour: [u8; 3], cover: f64) {
    let at = 3 * (y as usize * image.width as usize + x as usize);
    let Some(pixel) = image.data.get_mut(at..at + 3) else {
        return;
    };
    for (old, new) in pixel.iter_mut().zip(colour) {
        let mixed = f64::from(*old) * (1.0 - cover) + f64::from(new) * cover;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a mean of two bytes is a byte"
        )]
        let byte = mixed.round() as u8;
        *old = byte;
    }
}

type Point = (f64, f64);

/// Distance from a point to a polyline.
fn distance(point: Point, line: &[Point]) -> f64 {
    let pairs = line.iter().zip(line.iter().skip(1));
    pairs
        .map(|(&a, &b)| segment_distance(point, a, b))
        .fold(f64::INFINITY, f64::min)
}

fn segment_distance(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let along =
        (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / (dx * dx + dy * dy).max(1e-12)).clamp(0.0, 1.0);
    (p.0 - a.0 - along * dx).hypot(p.1 - a.1 - along * dy)
}

/// An arc of an ellipse in degrees, clockwise from the right because y points down.
fn arc(centre: Point, radii: Point, from: f64, to: f64) -> Vec<Point> {
    const STEPS: u32 = 16;
    (0..=STEPS)
        .map(|step| {
            let angle = (from + (to - from) * f64::from(step) / f64::from(STEPS)).to_radians();
            (
                centre.0 + radii.0 * angle.cos(),
                centre.1 + radii.1 * angle.sin(),
            )
        })
        .collect()
}

fn strokes(digit: u8) -> Vec<Vec<Point>> {
    match digit {
        b'0' => vec![arc((3.0, 5.0), (2.6, 4.6), 0.0, 360.0)],
        b'1' => vec![
            vec![(1.2, 2.2), (3.2, 0.4), (3.2, 9.6)],
            vec![(1.2, 9.6), (5.2, 9.6)],
        ],
        b'2' => vec![
            [
                arc((3.0, 3.0), (2.5, 2.6), -170.0, 40.0),
                vec![(0.5, 9.6), (5.6, 9.6)],
            ]
            .concat(),
        ],
        b'3' => vec![
            arc((2.8, 2.7), (2.3, 2.3), -160.0, 90.0),
            [vec![(2.0, 5.0)], arc((2.8, 7.3), (2.6, 2.3), -90.0, 160.0)].concat(),
        ],
        b'4' => vec![vec![(4.3, 9.6), (4.3, 0.4), (0.3, 6.8), (5.8, 6.8)]],
        b'5' => vec![
            [
                vec![(5.2, 0.4), (1.1, 0.4), (0.8, 4.6)],
                arc((2.8, 6.7), (2.6, 2.9), -130.0, 150.0),
            ]
            .concat(),
        ],
        b'6' => vec![
            arc((3.0, 6.8), (2.5, 2.8), 0.0, 360.0),
            [
                vec![(4.6, 0.4)],
                arc((5.0, 6.6), (4.5, 4.6), -130.0, -185.0),
            ]
            .concat(),
        ],
        b'7' => vec![vec![(0.5, 0.4), (5.5, 0.4), (2.2, 9.6)]],
        b'8' => vec![
            arc((3.0, 2.7), (2.1, 2.3), 0.0, 360.0),
            arc((3.0, 7.3), (2.5, 2.3), 0.0, 360.0),
        ],
        b'9' => vec![
            arc((3.0, 3.2), (2.5, 2.8), 0.0, 360.0),
            [vec![(1.4, 9.6)], arc((1.0, 3.4), (4.5, 4.6), 50.0, -5.0)].concat(),
        ],
        _ => Vec::new(),
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot build its input should stop"
)]
mod tests {
    use super::*;

    fn drawn(number: usize, font_px: u32) -> Rgb {
        let mut image = Rgb::filled(80, 60, [255; 3]).unwrap();
        draw(&mut image, number, 10, 8, font_px, [0; 3]);
        image
    }

    #[test]
    fn every_digit_leaves_ink_and_no_two_look_alike() {
        let pictures: Vec<Rgb> = (0..10).map(|digit| drawn(digit, 24)).collect();
        for (idx, picture) in pictures.iter().enumerate() {
            let ink = picture.data.iter().filter(|&&v| v < 64).count() / 3;
            assert!((20..200).contains(&ink), "{idx} has {ink} dark pixels");
            for other in pictures.iter().skip(idx + 1) {
                assert_ne!(picture, other);
            }
        }
    }

    #[test]
    fn ink_stays_inside_the_text_box() {
        let picture = drawn(10, 24);
        for y in 0..60 {
            for x in 0..80 {
                let inside = (8..=40).contains(&x) && (8..=34).contains(&y);
                assert!(
                    inside || picture.pixel(x, y) == Some([255; 3]),
                    "ink at {x}, {y}"
                );
            }
        }
    }

    #[test]
    fn size_zero_draws_nothing_and_a_place_outside_is_cut() {
        assert_eq!(drawn(7, 0), Rgb::filled(80, 60, [255; 3]).unwrap());
        let mut small = Rgb::filled(5, 5, [9; 3]).unwrap();
        draw(&mut small, 8, 100, 100, 40, [0; 3]);
        assert_eq!(small, Rgb::filled(5, 5, [9; 3]).unwrap());
    }
}
