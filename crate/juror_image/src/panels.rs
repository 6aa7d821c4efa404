//! The panels of a picture that shows several: where they are likely cut, and cutting them out.

use crate::{ImageError, Rgb};

/// How panels are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Two above and two below.
    TwoByTwo,
    /// Four side by side.
    OneByFour,
}

impl Grid {
    /// Panels across and down.
    fn counts(self) -> (u32, u32) {
        match self {
            Self::TwoByTwo => (2, 2),
            Self::OneByFour => (4, 1),
        }
    }
}

/// A part of a picture: left, top, and the first column and row behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CropBox {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// Column behind the last.
    pub right: u32,
    /// Row behind the last.
    pub bottom: u32,
}

/// A line whose grey varies less than this is no part of a panel's picture: gutters and frames, with some noise of JPEG.
const FLAT: f64 = 4.0;
/// Of a panel at most this part of a side is taken for its frame.
const MAX_FRAME: u32 = 10;

/// Where the panels of a picture likely are, row by row from the top left.
///
/// A cut is the most uniform column or row within a fifth of a panel around the line where equal panels would meet, the
/// nearest to it of several; then flat lines at a panel's edges are left out, at most a tenth of its side.
/// A picture without any gutter is cut near the middle all the same: it is a proposal.
///
/// ```
/// use juror_image::{Grid, Rgb, panels};
/// let picture = Rgb::filled(40, 20, [9, 9, 9])?;
/// let parts = panels(&picture, Grid::TwoByTwo);
/// assert_eq!(parts.len(), 4);
/// assert_eq!((parts[0].left, parts[3].right, parts[3].bottom), (2, 38, 19));
/// # Ok::<(), juror_image::ImageError>(())
/// ```
pub fn panels(picture: &Rgb, grid: Grid) -> Vec<CropBox> {
    let (across, down) = grid.counts();
    let whole = CropBox {
        left: 0,
        top: 0,
        right: picture.width,
        bottom: picture.height,
    };
    let columns = cuts(picture.width, across, |x| {
        variance(picture, Line::Column(x), whole)
    });
    let rows = cuts(picture.height, down, |y| {
        variance(picture, Line::Row(y), whole)
    });
    let mut parts = Vec::new();
    for [top, bottom] in pairs(&rows) {
        for [left, right] in pairs(&columns) {
            let part = CropBox {
                left,
                top,
                right,
                bottom,
            };
            parts.push(trimmed(picture, part));
        }
    }
    parts
}

fn pairs(cuts: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    cuts.windows(2).filter_map(|pair| pair.try_into().ok())
}

/// The side's ends and the cuts between.
fn cuts(side: u32, count: u32, spread: impl Fn(u32) -> f64) -> Vec<u32> {
    let mut found = vec![0];
    let reach = side / count / 5;
    for number in 1..count {
        let middle = side * number / count;
        let mut best = (f64::INFINITY, middle);
        for distance in 0..=reach {
            for at in [middle.saturating_sub(distance), middle + distance] {
                let spread = if at < side { spread(at) } else { f64::INFINITY };
                if spread < best.0 {
                    best = (spread, at);
                }
            }
        }
        found.push(best.1);
    }
    found.push(side);
    found
}

#[derive(Clone, Copy)]
enum Line {
    Row(u32),
    Column(u32),
}

/// How much the grey (the channels' mean) of a line varies within a part.
fn variance(picture: &Rgb, line: Line, part: CropBox) -> f64 {
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    let mut add = |x, y| {
        let grey = picture
            .pixel(x, y)
            .map_or(0, |rgb| rgb.iter().map(|c| u32::from(*c)).sum());
        let grey = f64::from(grey) / 3.0;
        sum += grey;
        squares += grey * grey;
        count += 1.0;
    };
    match line {
        Line::Row(y) => (part.left..part.right).for_each(|x| add(x, y)),
        Line::Column(x) => (part.top..part.bottom).for_each(|y| add(x, y)),
    }
    let count = f64::max(count, 1.0);
    squares / count - (sum / count) * (sum / count)
}

/// A part without the flat lines at its edges.
fn trimmed(picture: &Rgb, part: CropBox) -> CropBox {
    let is_flat = |line| variance(picture, line, part) < FLAT;
    let most = |side: u32| side / MAX_FRAME;
    let run = |lines: &mut dyn Iterator<Item = Line>, most: u32| -> u32 {
        let flat = lines.take(most as usize).take_while(|line| is_flat(*line));
        u32::try_from(flat.count()).unwrap_or(0)
    };
    let (width, height) = (part.right - part.left, part.bottom - part.top);
    CropBox {
        left: part.left + run(&mut (part.left..part.right).map(Line::Column), most(width)),
        top: part.top + run(&mut (part.top..part.bottom).map(Line::Row), most(height)),
        right: part.right
            - run(
                &mut (part.left..part.right).rev().map(Line::Column),
                most(width),
            ),
        bottom: part.bottom
            - run(
                &mut (part.top..part.bottom).rev().map(Line::Row),
                most(height),
            ),
    }
}

/// A part of a picture as a picture.
///
/// # Errors
/// [`ImageError::NoArea`] where nothing of the part lies inside.
pub fn crop(picture: &Rgb, part: CropBox) -> Result<Rgb, ImageError> {
    let right = part.right.min(picture.width);
    let bottom = part.bottom.min(picture.height);
    let (width, height) = (
        right.saturating_sub(part.left),
        bottom.saturating_sub(part.top),
    );
    let mut made = Rgb::filled(width, height, [0; 3])?;
    let row_bytes = 3 * width as usize;
    for (to, y) in made.data.chunks_exact_mut(row_bytes).zip(part.top..) {
        let start = 3 * (y as usize * picture.width as usize + part.left as usize);
        if let Some(from) = picture.data.get(start..start + row_bytes) {
            to.copy_from_slice(from);
        }
    }
    Ok(made)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// Stripes, so that no line of a panel is flat.
    fn striped(width: u32, height: u32) -> Rgb {
        let mut picture = Rgb::filled(width, height, [0; 3]).unwrap();
        for (at, pixel) in picture.data.chunks_exact_mut(3).enumerate() {
            let (x, y) = (at % width as usize, at / width as usize);
            pixel.fill(if (x + y) % 2 == 0 { 200 } else { 40 });
        }
        picture
    }

    fn white(picture: &mut Rgb, at: [f64; 4]) {
        picture.paint(crate::Shape::Rect(at), [255; 3]);
    }

    #[test]
    fn gutters_off_the_middle_are_found_and_left_out() {
        let mut picture = striped(100, 80);
        white(&mut picture, [46.0, 0.0, 3.0, 80.0]);
        white(&mut picture, [0.0, 42.0, 100.0, 2.0]);
        let parts = panels(&picture, Grid::TwoByTwo);
        let edges: Vec<[u32; 4]> = parts
            .iter()
            .map(|p| [p.left, p.top, p.right, p.bottom])
            .collect();
        assert_eq!(
            edges,
            [
                [0, 0, 46, 42],
                [49, 0, 100, 42],
                [0, 44, 46, 80],
                [49, 44, 100, 80]
            ]
        );
    }

    #[test]
    fn four_side_by_side_are_found_and_a_part_is_cut_out_to_the_pixel() {
        let mut picture = striped(200, 30);
        for x in [48.0, 102.0, 150.0] {
            white(&mut picture, [x, 0.0, 2.0, 30.0]);
        }
        let parts = panels(&picture, Grid::OneByFour);
        let edges: Vec<(u32, u32)> = parts.iter().map(|p| (p.left, p.right)).collect();
        assert_eq!(edges, [(0, 48), (50, 102), (104, 150), (152, 200)]);
        let made = crop(&picture, parts[1]).unwrap();
        assert_eq!((made.width, made.height), (52, 30));
        assert_eq!(made.pixel(0, 0), picture.pixel(50, 0));
        assert_eq!(made.pixel(51, 29), picture.pixel(101, 29));
        let outside = CropBox {
            left: 300,
            top: 0,
            right: 310,
            bottom: 5,
        };
        assert!(crop(&picture, outside).is_err());
    }
}
