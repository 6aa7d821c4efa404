//! Where objects are in a picture, as a detector outside of Juror or a person wrote it down.
//!
//! A box file (`juror-boxes/1`) is JSON for one picture: who found the boxes, and each object's name with its box
//! `[left, top, right, bottom]` in pixels of the stored picture, or `null` where the object was not found.

use std::fmt;

use juror_image::{CropBox, Rgb};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::NeuralError;

/// The format's name and version.
pub const FORMAT: &str = "juror-boxes/1";
/// The largest box file.
const MAX_BYTES: usize = 1 << 20;

/// A box file.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxFile {
    /// Its path, for messages.
    pub file: String,
    /// Who found the boxes: a network with its thresholds, or a person.
    pub detector: String,
    /// Width and height of the picture, where the file states them.
    size: Option<[u32; 2]>,
    /// Objects in their order; `None` for those that were not found.
    objects: Vec<(String, Option<[f64; 4]>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    detector: String,
    #[serde(default)]
    size: Option<[u32; 2]>,
    boxes: Objects,
}

/// Names with boxes; a name that is there twice is an error, which a map would not notice.
struct Objects(Vec<(String, Option<[f64; 4]>)>);

impl<'de> Deserialize<'de> for Objects {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Objects;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a box [left, top, right, bottom] or null for each name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Objects, A::Error> {
                let mut objects: Vec<(String, Option<[f64; 4]>)> = Vec::new();
                while let Some((name, found)) = map.next_entry::<String, Option<[f64; 4]>>()? {
                    let name = name.trim().to_owned();
                    if name.is_empty() {
                        return Err(A::Error::custom("a box has no name; name its object"));
                    }
                    if objects.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!(
                            "{name:?} has two boxes; keep one, or give the objects two names"
                        )));
                    }
                    objects.push((name, found));
                }
                Ok(Objects(objects))
            }
        }

        from.deserialize_map(Read)
    }
}

impl BoxFile {
    /// Reads a box file; `file` is its path.
    ///
    /// # Errors
    /// [`NeuralError::Boxes`] for another format, no detector, and two boxes of one name.
    ///
    /// # Example
    /// ```
    /// use juror_neural::boxes::BoxFile;
    /// let text = br#"{"format": "juror-boxes/1", "detector": "by hand", "boxes": {"cat": [2, 1, 6, 5], "hat": null}}"#;
    /// let boxes = BoxFile::read("boxes/1.json", text)?;
    /// assert_eq!(boxes.names().collect::<Vec<_>>(), ["cat", "hat"]);
    /// let picture = juror_image::Rgb::filled(8, 6, [0; 3])?;
    /// assert_eq!(boxes.cut("cat", &picture)?.map(|cat| (cat.width, cat.height)), Some((4, 4)));
    /// assert!(boxes.cut("hat", &picture)?.is_none());
    /// # Ok::<(), juror_neural::NeuralError>(())
    /// ```
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, NeuralError> {
        let wrong = |why: String| NeuralError::Boxes {
            file: file.to_owned(),
            why,
        };
        if bytes.len() > MAX_BYTES {
            let why = format!("it has more than {MAX_BYTES} bytes; write one file per picture");
            return Err(wrong(why));
        }
        let written: Written = serde_json::from_slice(bytes).map_err(|error| {
            wrong(format!(
                "it is no box file: {error}; write {{\"format\": \"{FORMAT}\", \"detector\": \"…\", \"boxes\": {{\"NAME\": [left, top, right, bottom]}}}}"
            ))
        })?;
        if written.format != FORMAT {
            let found = written.format;
            return Err(wrong(format!(
                "expected the format {FORMAT}, found {found:?}; convert the file"
            )));
        }
        if written.detector.trim().is_empty() {
            let why = "it names no detector; write which network or person found the boxes";
            return Err(wrong(why.to_owned()));
        }
        Ok(Self {
            file: file.to_owned(),
            detector: written.detector.trim().to_owned(),
            size: written.size,
            objects: written.boxes.0,
        })
    }

    /// Names of objects in their order, those without a box among them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().map(|(name, _)| name.as_str())
    }

    /// An object's box, where it was found.
    fn found(&self, name: &str) -> Option<[f64; 4]> {
        let mut objects = self.objects.iter();
        objects.find(|(known, _)| known == name)?.1
    }

    /// Whether an object of this name was found.
    pub fn has(&self, name: &str) -> bool {
        self.found(name).is_some()
    }

    /// Cuts an object out of its picture; `None` where it was not found.
    ///
    /// Fractions are rounded half to even, as `Image.crop` of Pillow has it.
    ///
    /// # Errors
    /// [`NeuralError::Boxes`] for a box beyond the picture or without an area, and for a picture of another size than stated.
    pub fn cut(&self, name: &str, picture: &Rgb) -> Result<Option<Rgb>, NeuralError> {
        let wrong = |why: String| NeuralError::Boxes {
            file: self.file.clone(),
            why,
        };
        let (width, height) = (picture.width, picture.height);
        if let Some([w, h]) = self.size.filter(|size| *size != [width, height]) {
            return Err(wrong(format!(
                "its boxes are of a picture of {w} × {h} pixels, and the picture has {width} × {height}; find the boxes in that picture"
            )));
        }
        let Some(found) = self.found(name) else {
            return Ok(None);
        };
        let [left, top, right, bottom] = found.map(f64::round_ties_even);
        let is_inside =
            left >= 0.0 && top >= 0.0 && right <= f64::from(width) && bottom <= f64::from(height);
        if !is_inside {
            return Err(wrong(format!(
                "the box {found:?} of {name:?} is not inside its picture of {width} × {height} pixels; cut it at the picture's edges"
            )));
        }
        if left >= right || top >= bottom {
            return Err(wrong(format!(
                "the box {found:?} of {name:?} is empty; expected [left, top, right, bottom] with left < right and top < bottom, or null for an object that was not found"
            )));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole numbers inside a picture"
        )]
        let part = CropBox {
            left: left as u32,
            top: top as u32,
            right: right as u32,
            bottom: bottom as u32,
        };
        Ok(Some(juror_image::crop(picture, part)?))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn file(boxes: &str) -> Result<BoxFile, NeuralError> {
        let text = format!(r#"{{"format": "{FORMAT}", "detector": "d 1", "boxes": {boxes}}}"#);
        BoxFile::read("boxes/a.json", text.as_bytes())
    }

    /// Each pixel's colour is its place.
    fn places() -> Rgb {
        let mut picture = Rgb::filled(8, 6, [0; 3]).unwrap();
        for (at, pixel) in (0_u8..).zip(picture.data.chunks_exact_mut(3)) {
            pixel.copy_from_slice(&[at % 8, at / 8, 0]);
        }
        picture
    }

    #[test]
    fn a_box_is_cut_as_pillow_cuts_it_with_halves_to_even() {
        let boxes = file(r#"{"a": [0.5, 1.5, 6.5, 4.49], "b": [-0.4, 0, 8.3, 6]}"#).unwrap();
        let cut = boxes.cut("a", &places()).unwrap().unwrap();
        assert_eq!((cut.width, cut.height), (6, 2));
        assert_eq!(cut.pixel(0, 0), Some([0, 2, 0]));
        assert_eq!(cut.pixel(5, 1), Some([5, 3, 0]));
        let whole = boxes.cut("b", &places()).unwrap().unwrap();
        assert_eq!(whole, places());
        assert!(boxes.cut("c", &places()).unwrap().is_none());
    }

    #[test]
    fn a_box_beyond_the_picture_or_without_an_area_is_named_with_its_file() {
        for (found, word) in [
            ("[0, 0, 9, 6]", "not inside its picture of 8 × 6"),
            ("[-1, 0, 4, 4]", "not inside"),
            ("[4, 0, 4, 4]", "is empty"),
            ("[5, 0, 4, 4]", "is empty"),
            ("[1, 2.6, 4, 3.4]", "is empty"),
        ] {
            let boxes = file(&format!(r#"{{"cat": {found}}}"#)).unwrap();
            let error = boxes.cut("cat", &places()).unwrap_err().to_string();
            let is_named = error.starts_with("boxes/a.json: ") && error.contains("\"cat\"");
            assert!(is_named && error.contains(word), "{found}: {error}");
        }
    }

    #[test]
    fn what_is_no_box_file_is_named_with_the_fix() {
        let of = |text: &str| BoxFile::read("b.json", text.as_bytes()).unwrap_err();
        for (text, word) in [
            ("[1, 2]", "no box file"),
            (r#"{"format": "juror-boxes/1", "boxes": {}}"#, "detector"),
            (
                r#"{"format": "juror-boxes/2", "detector": "d", "boxes": {}}"#,
                "expected the format juror-boxes/1",
            ),
            (
                r#"{"format": "juror-boxes/1", "detector": " ", "boxes": {}}"#,
                "no detector",
            ),
        ] {
            let error = of(text).to_string();
            assert!(
                error.starts_with("b.json: ") && error.contains(word),
                "{error}"
            );
        }
        for (boxes, word) in [
            (r#"{"cat": [0, 0, 1, 1], "cat": [1, 1, 2, 2]}"#, "two boxes"),
            (r#"{"cat": [0, 0, 1, 1], " cat": null}"#, "two boxes"),
            (r#"{"": [0, 0, 1, 1]}"#, "no name"),
            (r#"{"cat": [0, 0, 1]}"#, "no box file"),
        ] {
            let error = file(boxes).unwrap_err().to_string();
            assert!(error.contains(word), "{boxes}: {error}");
        }
        assert!(file("{}").is_ok());
    }

    #[test]
    fn boxes_of_a_picture_of_another_size_are_refused() {
        let of = |size: &str| {
            let text = format!(
                r#"{{"format": "{FORMAT}", "detector": "d", "size": {size}, "boxes": {{"a": [0, 0, 2, 2]}}}}"#
            );
            let boxes = BoxFile::read("b.json", text.as_bytes()).unwrap();
            boxes.cut("a", &places())
        };
        assert!(of("[8, 6]").unwrap().is_some());
        let error = of("[6, 8]").unwrap_err().to_string();
        assert!(error.contains("6 × 8"), "{error}");
    }
}
