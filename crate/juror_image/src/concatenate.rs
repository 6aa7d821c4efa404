//! Joins a turn's pictures into the one row that WEAVE gives to models which accept a single picture.
//!
//! Source: the WEAVE evaluation protocol, "Concatenation"; sizes, font size and scaling are fixed there, the numbers' face is not.

use crate::Filter;
use crate::ImageError;
use crate::Rgb;
use crate::numeral;
use crate::resize;

/// White columns between two pictures.
const SEPARATOR_PX: u32 = 5;
/// Where a number stands from the top left corner of its picture.
const NUMERAL_OFFSET_PX: u32 = 10;
/// The font size is the row's height divided by this, rounded down.
const FONT_DIVISOR: u32 = 12;
/// A row with a longer side is scaled down to it.
const MAX_SIDE_PX: u32 = 8192;
/// Below this brightness a place gets a white number.
const DARK_BELOW: u128 = 128;

/// The row, and what was done to make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concatenation {
    /// The pictures side by side.
    pub image: Rgb,
    /// Font size of the numbers before any scaling down; 0 means that none were drawn.
    pub font_px: u32,
    /// Whether the row was longer than 8192 pixels and has been scaled down.
    pub downscaled: bool,
}

/// Joins pictures in the order given: one row, each picture scaled (Lanczos) to the tallest height with its width rounded down,
/// 5 white columns between two, and each one's number, counted from 1, at (10, 10) from its corner.
///
/// The number's font size is ⌊height / 12⌋, so rows lower than 12 pixels carry none.
/// It is white where the square of the font size under it has a brightness √(.299 R² + .587 G² + .114 B²) of its mean colour
/// below 128, else black; the square is cut at the row's border.
/// The face is Juror's own: the protocol does not fix one, so pixels under a number differ from other programs'.
/// If the longer side exceeds 8192 the row is scaled down (Lanczos) to it, the other side rounded down but at least 1.
/// A single picture comes back unchanged and without a number.
///
/// # Errors
/// [`ImageError::NothingToJoin`] for no picture, [`ImageError::TooManyBytes`] when the row before scaling down would exceed
/// [`Limits::default`](crate::Limits), and what [`resize`] returns.
///
/// ```
/// use juror_image::{Rgb, concatenate};
/// // 40 × 20 grows to 120 × 60 beside 30 × 60: 120 + 5 + 30 = 155 columns, numbers of 60 / 12 = 5.
/// let row = concatenate(&[Rgb::filled(40, 20, [77; 3])?, Rgb::filled(30, 60, [199; 3])?])?;
/// assert_eq!((row.image.width, row.image.height, row.font_px, row.downscaled), (155, 60, 5, false));
/// # Ok::<(), juror_image::ImageError>(())
/// ```
pub fn concatenate(images: &[Rgb]) -> Result<Concatenation, ImageError> {
    let height = images
        .iter()
        .map(|image| image.height)
        .max()
        .ok_or(ImageError::NothingToJoin)?;
    for image in images {
        image.check()?;
    }
    if let [only] = images {
        return Ok(Concatenation {
            image: only.clone(),
            font_px: 0,
            downscaled: false,
        });
    }
    let widths: Vec<u32> = images
        .iter()
        .map(|image| scaled(image.width, height, image.height))
        .collect();
    let lefts = lefts(&widths);
    let total = widths.iter().fold(0_u32, |sum, &width| {
        sum.saturating_add(width).saturating_add(SEPARATOR_PX)
    }) - SEPARATOR_PX;
    let mut row = Rgb::filled(total, height, [255; 3])?;
    for ((image, &width), &left) in images.iter().zip(&widths).zip(&lefts) {
        paste(
            &mut row,
            &resize(image, width, height, Filter::Lanczos)?,
            left,
        );
    }
    let font_px = height / FONT_DIVISOR;
    for (idx, &left) in lefts.iter().enumerate() {
        let (x, y) = (left + NUMERAL_OFFSET_PX, NUMERAL_OFFSET_PX);
        let colour = if is_dark(&row, x, y, font_px) {
            [255; 3]
        } else {
            [0; 3]
        };
        numeral::draw(&mut row, idx + 1, x, y, font_px, colour);
    }
    let longest = total.max(height);
    if longest <= MAX_SIDE_PX {
        return Ok(Concatenation {
            image: row,
            font_px,
            downscaled: false,
        });
    }
    let shrink = |side: u32| scaled(side, MAX_SIDE_PX, longest).max(1);
    let image = resize(&row, shrink(total), shrink(height), Filter::Lanczos)?;
    Ok(Concatenation {
        image,
        font_px,
        downscaled: true,
    })
}

/// ⌊side · to / from⌋ in whole numbers, so that no float decides about a column.
fn scaled(side: u32, to: u32, from: u32) -> u32 {
    let exact = u64::from(side) * u64::from(to) / u64::from(from.max(1));
    u32::try_from(exact).unwrap_or(u32::MAX)
}

fn lefts(widths: &[u32]) -> Vec<u32> {
    let mut next = 0_u32;
    widths
        .iter()
        .map(|&width| {
            let left = next;
            next = next.saturating_add(width).saturating_add(SEPARATOR_PX);
            left
        })
        .collect()
}

fn paste(row: &mut Rgb, image: &Rgb, left: u32) {
    let (row_len, len) = (3 * row.width as usize, 3 * image.width as usize);
    let start = 3 * left as usize;
    for (target, source) in row
        .data
        .chunks_exact_mut(row_len)
        .zip(image.data.chunks_exact(len))
    {
        if let Some(place) = target.get_mut(start..start + len) {
            place.copy_from_slice(source);
        }
    }
}

/// Whether √(.299 R² + .587 G² + .114 B²) of a square's mean colour is below 128; true where nothing of it lies inside.
///
/// Compared as 299 (ΣR)² + 587 (ΣG)² + 114 (ΣB)² < 1000 · 128² · n² in whole numbers: with floats the weights add up to
/// less than 1, and a grey of exactly 128 would count as dark.
fn is_dark(image: &Rgb, x: u32, y: u32, side: u32) -> bool {
    let (mut sums, mut count) = ([0_u128; 3], 0_u128);
    for row in y..y.saturating_add(side).min(image.height) {
        for column in x..x.saturating_add(side).min(image.width) {
            let Some(pixel) = image.pixel(column, row) else {
                continue;
            };
            count += 1;
            for (sum, value) in sums.iter_mut().zip(pixel) {
                *sum += u128::from(value);
            }
        }
    }
    let [red, green, blue] = sums.map(|sum| sum * sum);
    count == 0
        || 299 * red + 587 * green + 114 * blue < 1000 * DARK_BELOW * DARK_BELOW * count * count
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot build its input should stop"
)]
mod tests {
    use super::*;

    fn flat(width: u32, height: u32, value: u8) -> Rgb {
        Rgb::filled(width, height, [value; 3]).unwrap()
    }

    #[test]
    fn separators_are_five_white_columns_between_pictures_only() {
        let row = concatenate(&[flat(4, 3, 10), flat(2, 3, 20), flat(1, 3, 30)])
            .unwrap()
            .image;
        let top: Vec<u8> = row
            .data
            .iter()
            .copied()
            .step_by(3)
            .take(row.width as usize)
            .collect();
        let expected = [
            vec![10; 4],
            vec![255; 5],
            vec![20; 2],
            vec![255; 5],
            vec![30],
        ]
        .concat();
        assert_eq!(top, expected);
    }

    #[test]
    fn widths_are_rounded_down() {
        // 7 × 13 at height 40 is 21.54 columns.
        let row = concatenate(&[flat(7, 13, 1), flat(20, 40, 2)]).unwrap();
        assert_eq!(
            (row.image.width, row.image.height, row.font_px),
            (21 + 5 + 20, 40, 3)
        );
    }

    #[test]
    fn numbers_are_white_on_dark_and_black_on_bright() {
        let row = concatenate(&[flat(60, 240, 127), flat(60, 240, 128)])
            .unwrap()
            .image;
        let tones = |from: u32| -> Vec<u8> {
            (10..30)
                .flat_map(|y| (from + 10..from + 30).map(move |x| (x, y)))
                .map(|(x, y)| row.pixel(x, y).unwrap()[0])
                .collect()
        };
        assert!(tones(0).contains(&255) && tones(0).iter().all(|&v| v >= 127));
        assert!(tones(65).contains(&0) && tones(65).iter().all(|&v| v <= 128));
    }

    #[test]
    fn brightness_weighs_green_most() {
        let dark = |colour| is_dark(&Rgb::filled(30, 30, colour).unwrap(), 10, 10, 8);
        // √.587 · 168 = 128.7 and √.587 · 167 = 127.9; √.114 · 255 = 86; √.299 · 255 = 139 and √.299 · 234 = 127.95.
        assert!(!dark([0, 168, 0]) && dark([0, 167, 0]));
        assert!(dark([0, 0, 255]));
        assert!(!dark([255, 0, 0]) && dark([234, 0, 0]));
        assert!(!dark([128; 3]) && dark([127; 3]));
        assert!(
            is_dark(&flat(9, 9, 200), 10, 10, 8),
            "nothing of the square lies inside"
        );
    }

    #[test]
    fn low_rows_carry_no_numbers() {
        let row = concatenate(&[flat(40, 11, 0), flat(40, 11, 0)]).unwrap();
        assert_eq!(row.font_px, 0);
        assert!((0..40).all(|x| row.image.pixel(x, 10) == Some([0; 3])));
    }

    #[test]
    fn a_single_picture_comes_back_unchanged_and_none_is_an_error() {
        let only = flat(9000, 40, 3);
        let row = concatenate(std::slice::from_ref(&only)).unwrap();
        assert_eq!((row.image, row.font_px, row.downscaled), (only, 0, false));
        assert_eq!(concatenate(&[]), Err(ImageError::NothingToJoin));
    }

    #[test]
    fn a_long_row_shrinks_to_8192_and_the_exact_limit_stays() {
        let exact = concatenate(&[flat(8000, 20, 1), flat(187, 20, 2)]).unwrap();
        assert_eq!(
            (exact.image.width, exact.image.height, exact.downscaled),
            (8192, 20, false)
        );
        let over = concatenate(&[flat(8000, 20, 1), flat(188, 20, 2)]).unwrap();
        assert_eq!(
            (over.image.width, over.image.height, over.downscaled),
            (8192, 19, true)
        );
    }

    #[test]
    fn shapes_that_would_explode_are_refused() {
        // The flat one would grow to 30000 rows and 9 · 10⁸ columns.
        let error = concatenate(&[flat(30_000, 1, 0), flat(1, 30_000, 0)]).unwrap_err();
        assert!(matches!(error, ImageError::TooManyBytes { .. }), "{error}");
    }
}
