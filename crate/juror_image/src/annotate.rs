//! Writes a text into a picture beside the marks that are drawn in it: an instruction that a generator reads off the picture.
//!
//! Source: the VIBE paper's appendix C.4, which fixes a white box with black text beside the mark and never over it, a font
//! size of 2.2 % of the long side and at least 18 pixels, and wrapping. The face is Noto Sans, cut down to Latin letters.

use ab_glyph::{Font, FontRef, ScaleFont, point};

use crate::composite::{Rgba, merge, resize_rgba};
use crate::error::ImageError;
use crate::resize::Filter;
use marks::Marks;

mod marks;

/// Noto Sans (SIL Open Font License 1.1, see `font/OFL.txt`), without what Latin letters do not need.
const FACE: &[u8] = include_bytes!("../font/NotoSans-Latin.ttf");
/// The smallest font size.
const MIN_FONT_PX: f32 = 18.0;
/// The font size as a share of the long side.
const FONT_SHARE: f32 = 0.022;
/// How wide a box may be, as shares of the picture's width; narrower ones are tried first.
const WIDTHS: [f32; 5] = [0.3, 0.45, 0.6, 0.8, 1.0];

/// An upright rectangle in whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Columns left of it.
    pub left: u32,
    /// Rows above it.
    pub top: u32,
    /// Columns, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
}

/// A picture with a text in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotated {
    /// The picture with its marks and the text.
    pub image: Rgba,
    /// Where the white box stands, wholly inside of the picture.
    pub place: Area,
    /// The text as it is wrapped.
    pub lines: Vec<String>,
    /// Font size in pixels.
    pub font_px: f32,
}

/// Lays the marks over the picture as [`merge`] does and writes the text beside them, black in a white box.
///
/// The font size is 2.2 % of the long side and at least 18 pixels.
/// Of all places inside of the picture that no mark is in, nor the rectangle around one, the box takes that nearest to the
/// marks, as narrow as 30, 45, 60, 80 or 100 % of the width; where marks leave no such place, one inside of such a rectangle.
/// Marks are what the layer paints; where it is a whole picture, what it changes.
///
/// # Errors
/// [`ImageError::NoText`] for a text without letters, [`ImageError::NoGlyph`] for one with a letter that the face lacks,
/// [`ImageError::NoRoom`] where no box of the text fits beside the marks, and what [`merge`] returns.
///
/// # Example
/// ```
/// use juror_image::{Rgba, annotated};
/// let source = Rgba { width: 200, height: 100, data: vec![255; 200 * 100 * 4] };
/// let found = annotated(&source, &Rgba::blank(200, 100)?, "Remove it.")?;
/// assert_eq!((found.font_px, found.lines.len()), (18.0, 1));
/// # Ok::<(), juror_image::ImageError>(())
/// ```
pub fn annotated(source: &Rgba, layer: &Rgba, text: &str) -> Result<Annotated, ImageError> {
    let mut image = merge(source, layer)?;
    let (width, height) = (image.width, image.height);
    let layer = resize_rgba(layer, width, height, Filter::Bicubic)?;
    let marks = Marks::of(&layer, source);
    let face = FontRef::try_from_slice(FACE).map_err(|error| ImageError::Face {
        detail: error.to_string(),
    })?;
    let writing = Writing::new(&face, width.max(height), text)?;
    let boxes: Vec<Lines> = WIDTHS
        .iter()
        .filter_map(|share| writing.wrapped(share * width as f32))
        .filter(|lines| lines.width <= width && lines.height <= height)
        .collect();
    let no_room = || ImageError::NoRoom {
        width,
        height,
        font_px: whole(writing.font_px.ceil()),
    };
    let sizes = boxes.iter().map(|lines| (lines.width, lines.height));
    let (at, place) = marks.nearest(sizes, writing.gap()).ok_or_else(no_room)?;
    let lines = &boxes[at];
    writing.draw(&mut image, place, &lines.texts);
    Ok(Annotated {
        image,
        place,
        lines: lines.texts.clone(),
        font_px: writing.font_px,
    })
}

/// A text as it is wrapped, with the size of its box.
struct Lines {
    texts: Vec<String>,
    width: u32,
    height: u32,
}

/// A text in a face of one size.
struct Writing<'a> {
    face: ab_glyph::PxScaleFont<&'a FontRef<'a>>,
    font_px: f32,
    words: Vec<&'a str>,
}

impl<'a> Writing<'a> {
    fn new(face: &'a FontRef<'a>, long_side: u32, text: &'a str) -> Result<Self, ImageError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            return Err(ImageError::NoText);
        }
        let mut letters = words.iter().flat_map(|word| word.chars());
        let missing = letters.find(|letter| face.glyph_id(*letter).0 == 0);
        if let Some(letter) = missing {
            return Err(ImageError::NoGlyph { letter });
        }
        let font_px = (FONT_SHARE * long_side as f32).max(MIN_FONT_PX);
        // A font size is that of the em square, where the library's is that from the lowest to the highest line.
        let em = face.units_per_em().unwrap_or(1000.0);
        let face = face.as_scaled(font_px * face.height_unscaled() / em);
        Ok(Self {
            face,
            font_px,
            words,
        })
    }

    /// White around the text, and the least distance from a mark.
    fn gap(&self) -> u32 {
        whole((self.font_px / 2.0).ceil())
    }

    fn line_height(&self) -> f32 {
        self.face.height() + self.face.line_gap()
    }

    fn length(&self, text: &str) -> f32 {
        let mut length = 0.0;
        for letter in text.chars() {
            length += self.face.h_advance(self.face.glyph_id(letter));
        }
        length
    }

    /// The text in lines that are not longer than this with the white around them; `None` where a word is.
    fn wrapped(&self, width: f32) -> Option<Lines> {
        let inner = width - 2.0 * self.gap() as f32;
        let mut texts: Vec<String> = Vec::new();
        for word in &self.words {
            if self.length(word) > inner {
                return None;
            }
            let longer = texts.last().map(|line| format!("{line} {word}"));
            match longer.filter(|line| self.length(line) <= inner) {
                Some(line) => *texts.last_mut()? = line,
                None => texts.push((*word).to_owned()),
            }
        }
        let longest = texts.iter().map(|line| self.length(line));
        let longest = longest.fold(0.0, f32::max);
        let height = texts.len() as f32 * self.line_height();
        Some(Lines {
            texts,
            width: whole(longest.ceil()) + 2 * self.gap(),
            height: whole(height.ceil()) + 2 * self.gap(),
        })
    }

    /// Paints the box and the text in it.
    fn draw(&self, image: &mut Rgba, place: Area, lines: &[String]) {
        for y in place.top..place.top + place.height {
            for x in place.left..place.left + place.width {
                set(image, x, y, 255);
            }
        }
        let left = (place.left + self.gap()) as f32;
        let mut baseline = (place.top + self.gap()) as f32 + self.face.ascent();
        for line in lines {
            let mut x = left;
            for letter in line.chars() {
                let id = self.face.glyph_id(letter);
                let glyph = id.with_scale_and_position(self.face.scale(), point(x, baseline));
                x += self.face.h_advance(id);
                let Some(outline) = self.face.outline_glyph(glyph) else {
                    continue;
                };
                let bounds = outline.px_bounds();
                outline.draw(|dx, dy, cover| {
                    let (x, y) = (bounds.min.x + dx as f32, bounds.min.y + dy as f32);
                    if cover > 0.0 && x >= 0.0 && y >= 0.0 {
                        darken(image, whole(x), whole(y), cover);
                    }
                });
            }
            baseline += self.line_height();
        }
    }
}

/// A length in pixels that is none below 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is below 0 becomes 0, and no picture is as long as the largest number"
)]
fn whole(length: f32) -> u32 {
    length as u32
}

/// The place of a pixel's bytes; `None` outside of the picture.
fn bytes(image: &mut Rgba, x: u32, y: u32) -> Option<&mut [u8]> {
    if x >= image.width || y >= image.height {
        return None;
    }
    let at = 4 * (y as usize * image.width as usize + x as usize);
    image.data.get_mut(at..at + 4)
}

fn set(image: &mut Rgba, x: u32, y: u32, grey: u8) {
    if let Some(pixel) = bytes(image, x, y) {
        pixel.copy_from_slice(&[grey, grey, grey, 255]);
    }
}

/// Lays black over a pixel of the box, which is grey; of two letters that touch the darker counts.
fn darken(image: &mut Rgba, x: u32, y: u32, cover: f32) {
    let grey = whole((255.0 * (1.0 - cover)).round());
    let grey = u8::try_from(grey).unwrap_or(u8::MAX);
    if let Some(pixel) = bytes(image, x, y)
        && grey < pixel[0]
    {
        pixel.copy_from_slice(&[grey, grey, grey, 255]);
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot build its input should stop"
)]
mod tests {
    use super::*;
    use crate::{Rgb, Shape};

    const TEXT: &str = "Remove the red cup on the left of the table and leave all else as it is.";

    fn grey(width: u32, height: u32) -> Rgba {
        let pixel = [120, 130, 140, 255];
        Rgba {
            width,
            height,
            data: pixel.repeat((width * height) as usize),
        }
    }

    /// A layer on which a ring is drawn in red.
    fn ring(width: u32, height: u32, centre: (f64, f64), radius: f64) -> Rgba {
        let mut drawn = Rgb::filled(width, height, [0; 3]).unwrap();
        let turn = |part: u32| f64::from(part) / 40.0 * std::f64::consts::TAU;
        let places: Vec<(f64, f64)> = (0..=40)
            .map(|part| {
                let (sin, cos) = turn(part).sin_cos();
                (centre.0 + radius * cos, centre.1 + radius * sin)
            })
            .collect();
        drawn.paint(Shape::Line(&places, 6.0), [255, 0, 0]);
        let pixels = drawn.data.chunks_exact(3);
        let data = pixels.flat_map(|pixel| [255, 0, 0, pixel[0]]).collect();
        Rgba {
            width,
            height,
            data,
        }
    }

    fn inside(place: Area, x: u32, y: u32) -> bool {
        (place.left..place.left + place.width).contains(&x)
            && (place.top..place.top + place.height).contains(&y)
    }

    /// Whether a place of a picture has a mark of the layer in it.
    fn covers(place: Area, layer: &Rgba) -> bool {
        let painted = layer.data.chunks_exact(4).enumerate();
        let mut painted = painted.filter(|(_, pixel)| pixel[3] > 0);
        painted.any(|(at, _)| {
            let at = u32::try_from(at).unwrap();
            inside(place, at % layer.width, at / layer.width)
        })
    }

    #[test]
    fn the_box_covers_no_mark_and_lies_inside_of_the_picture() {
        let (width, height) = (640, 480);
        for centre in [(320_u32, 240_u32), (90, 90), (600, 450), (320, 470)] {
            let middle = (f64::from(centre.0), f64::from(centre.1));
            let layer = ring(width, height, middle, 70.0);
            let source = grey(width, height);
            let found = annotated(&source, &layer, TEXT).unwrap();
            let place = found.place;
            assert!(place.left + place.width <= width && place.top + place.height <= height);
            assert!(!covers(place, &layer), "{centre:?}: {place:?}");
            // Beside the box everything is as it is without a text.
            let plain = merge(&source, &layer).unwrap();
            let pairs = found
                .image
                .data
                .chunks_exact(4)
                .zip(plain.data.chunks_exact(4));
            for (at, (own, other)) in pairs.enumerate() {
                let at = u32::try_from(at).unwrap();
                assert!(own == other || inside(place, at % width, at / width));
            }
            // The sibling: a box in the middle of the ring's edge would cover it.
            let on_edge = |column: u32| Area {
                left: column.clamp(1, width - 2),
                top: centre.1.min(height - 2),
                width: 2,
                height: 2,
            };
            let is_on_edge = |column| covers(on_edge(column), &layer);
            assert!(is_on_edge(centre.0 + 70) || is_on_edge(centre.0 - 70));
        }
    }

    #[test]
    fn nothing_is_written_into_a_ring_while_there_is_room_beside_it() {
        let layer = ring(900, 900, (450.0, 450.0), 240.0);
        let place = annotated(&grey(900, 900), &layer, "Remove it.")
            .unwrap()
            .place;
        let middle = (place.left + place.width / 2, place.top + place.height / 2);
        let away = f64::from(middle.0.abs_diff(450)).hypot(f64::from(middle.1.abs_diff(450)));
        assert!(away > 240.0, "{place:?}");
        // A ring around everything leaves no other room than inside of it.
        let layer = ring(900, 900, (450.0, 450.0), 445.0);
        let place = annotated(&grey(900, 900), &layer, "Remove it.")
            .unwrap()
            .place;
        assert!(!covers(place, &layer), "{place:?}");
    }

    #[test]
    fn letters_are_black_on_white_inside_of_the_box_and_as_large_as_the_picture_asks() {
        for (width, height, font_px) in [(640, 480, 18.0), (1000, 2000, 44.0)] {
            let layer = ring(width, height, (100.0, 100.0), 40.0);
            let found = annotated(&grey(width, height), &layer, TEXT).unwrap();
            assert!((found.font_px - font_px).abs() < 1e-3, "{}", found.font_px);
            assert_eq!(found.lines.join(" "), TEXT);
            let place = found.place;
            let mut dark = 0;
            for y in place.top..place.top + place.height {
                for x in place.left..place.left + place.width {
                    let at = 4 * (y * width + x) as usize;
                    let pixel = &found.image.data[at..at + 4];
                    assert!(pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[3] == 255);
                    let is_rim = x == place.left || y == place.top;
                    let is_rim = is_rim || x + 1 == place.left + place.width;
                    let is_rim = is_rim || y + 1 == place.top + place.height;
                    assert!(!is_rim || pixel[0] == 255, "a letter touches the rim");
                    dark += u32::from(pixel[0] < 60);
                }
            }
            let share = f64::from(dark) / f64::from(place.width * place.height);
            assert!((0.03..0.3).contains(&share), "{share}");
        }
    }

    #[test]
    fn a_layer_that_is_a_whole_picture_marks_what_it_changes() {
        let source = grey(600, 400);
        let marks = ring(600, 400, (300.0, 100.0), 60.0);
        let whole = merge(&source, &marks).unwrap();
        let place = annotated(&source, &whole, "Remove it.").unwrap().place;
        assert_eq!(
            place,
            annotated(&source, &marks, "Remove it.").unwrap().place
        );
        assert!(!covers(place, &marks));
    }

    #[test]
    fn what_cannot_be_written_says_why() {
        let source = grey(300, 200);
        let layer = ring(300, 200, (60.0, 60.0), 30.0);
        let told = |text: &str| annotated(&source, &layer, text).unwrap_err();
        assert_eq!(told(" \n "), ImageError::NoText);
        assert_eq!(told("删除杯子"), ImageError::NoGlyph { letter: '删' });
        let long = TEXT.repeat(20);
        let no_room = ImageError::NoRoom {
            width: 300,
            height: 200,
            font_px: 18,
        };
        assert_eq!(told(&long), no_room);
        assert!(no_room.to_string().contains("300 × 200"), "{no_room}");
        assert!(annotated(&source, &layer, "Ätzend: naïve “quotes” – fine.").is_ok());
    }
}
