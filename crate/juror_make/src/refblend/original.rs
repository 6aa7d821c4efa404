//! Originals with their references: found in folders by type, or read from the authors' intermediate files.

use std::collections::BTreeMap;

use juror_model::tree::leftover;
use juror_protocols::multiref::names::stem;
use juror_protocols::multiref::{CONDITIONS, condition};
use juror_reading::py::{self, Value};
use serde::{Deserialize, Serialize};

use super::matrix::RefType;
use super::rating::Ratings;
use crate::Error;
pub use crate::picture::Picture;

/// An original with what goes with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Original {
    /// Its file's name without extension.
    pub id: String,
    /// Itself: the golden answer.
    pub picture: Picture,
    /// The pictures of each type, in order; one for most types.
    pub references: BTreeMap<RefType, Vec<Picture>>,
    /// Empty without one.
    #[serde(default)]
    pub caption: String,
    /// What the files that it came from say of its references.
    #[serde(default)]
    pub ratings: Ratings,
    /// Types that were not taken in, each with the reason.
    #[serde(default)]
    pub refused: Vec<(RefType, String)>,
}

impl Original {
    /// The types that are there, in the matrix's order.
    pub fn types(&self) -> Vec<RefType> {
        let all = RefType::ALL.into_iter();
        all.filter(|one| match one {
            RefType::Caption => !self.caption.trim().is_empty(),
            one => !self.pictures(*one).is_empty(),
        })
        .collect()
    }

    /// The pictures of a type.
    pub fn pictures(&self, one: RefType) -> &[Picture] {
        self.references.get(&one).map_or(&[], Vec::as_slice)
    }

    /// What requests and decisions call its reference of a type.
    pub fn thing(&self, one: RefType) -> String {
        format!("{}/{}", self.id, one.id())
    }

    /// The key of a type in the benchmark's file with its paths; none for the caption.
    pub fn entry(&self, one: RefType) -> Option<(&'static str, Vec<&str>)> {
        let key = condition(one.id())?.key;
        let paths = self
            .pictures(one)
            .iter()
            .map(|picture| picture.path.as_str());
        Some((key, paths.collect()))
    }
}

/// An original as a list or a folder names it, before its pictures are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Path of the original.
    pub path: String,
    /// Paths of each type's pictures.
    pub references: BTreeMap<RefType, Vec<String>>,
    /// Empty without one.
    pub caption: String,
    /// What is said of its references.
    pub ratings: Ratings,
}

impl Found {
    /// Its file's name without extension.
    pub fn id(&self) -> &str {
        stem(&self.path)
    }
}

/// Folders that originals lie in.
const ORIGINALS: [&str; 4] = ["original", "originals", "original_images", "original_image"];
/// Folders that are called otherwise than the type.
const OTHER_NAMES: [(&str, &str); 4] = [
    ("single_mask", "mask"),
    ("semantic", "semantic_map"),
    ("subjects", "subject"),
    ("art_style", "style"),
];
const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// Originals by folder: `original/NAME.png` with `TYPE/NAME.png`, `caption/NAME.txt`, and several of one type as
/// `TYPE/NAME_2.png` or `TYPE/NAME/….png`.
///
/// `paths` are all files; texts of captions come by `text`.
pub fn found_in<'a>(
    paths: impl Iterator<Item = &'a str> + Clone,
    text: impl Fn(&str) -> Option<String>,
) -> Vec<Found> {
    // What systems leave beside files, such as `._cat.png`, is neither an original nor a reference.
    let mut paths: Vec<&str> = paths.filter(|path| leftover(path).is_none()).collect();
    paths.sort_unstable();
    let mut found: Vec<Found> = Vec::new();
    for path in &paths {
        let (folder, _) = path.rsplit_once('/').unwrap_or(("", path));
        let last = folder.rsplit('/').next().unwrap_or_default();
        let is_known = found.iter().any(|one| one.id() == stem(path));
        if ORIGINALS.contains(&last) && is_picture(path) && !is_known {
            found.push(Found {
                path: (*path).to_owned(),
                ..Found::default()
            });
        }
    }
    for path in &paths {
        let mut above = path.rsplit('/').skip(1);
        let (folder, over) = (
            above.next().unwrap_or_default(),
            above.next().unwrap_or_default(),
        );
        let by_file = type_of_folder(folder).map(|one| (one, stem(path)));
        let by_folder = type_of_folder(over).map(|one| (one, folder));
        let Some((one, name)) = by_file.or(by_folder) else {
            continue;
        };
        let Some(at) = belongs_to(&found, name) else {
            continue;
        };
        if one == RefType::Caption {
            if let Some(caption) = text(path) {
                caption.trim().clone_into(&mut found[at].caption);
            }
        } else if is_picture(path) {
            let known = found[at].references.entry(one).or_default();
            known.push((*path).to_owned());
        }
    }
    found
}

fn is_picture(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    PICTURES.contains(&ending.to_ascii_lowercase().as_str())
}

fn type_of_folder(name: &str) -> Option<RefType> {
    let other = OTHER_NAMES.iter().find(|(known, _)| *known == name);
    RefType::named(other.map_or(name, |(_, id)| id))
}

/// The original of this name, or of the name before `_2`.
fn belongs_to(found: &[Found], name: &str) -> Option<usize> {
    let named = |name: &str| found.iter().position(|one| one.id() == name);
    named(name).or_else(|| {
        let (before, number) = name.rsplit_once('_')?;
        number.parse::<u32>().ok()?;
        named(before)
    })
}

/// Originals of the authors' intermediate files: an object, or a list of them, with `original_image_path` and the
/// references either in `conditions` or beside it, and `judge` where they are rated already.
///
/// The members of `conditions` are taken out to the entry, as the authors' second script expects and their first does not
/// write; `single_mask_path` is the mask's; numbers of a box are dropped.
///
/// # Errors
/// The text is not JSON, or an entry names no original.
pub fn found_in_list(name: &str, text: &str) -> Result<Vec<Found>, Error> {
    let bad = |told: String| Error::List(format!("{name}: {told}"));
    let value = py::loads(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
        bad(format!(
            "line {}, column {}: this is not JSON: {}.",
            error.line, error.column, error.message
        ))
    })?;
    let items = match value {
        Value::List(items) => items,
        other => vec![other],
    };
    let mut found = Vec::new();
    for (number, item) in (1..).zip(&items) {
        let Some(path) = item.get("original_image_path").and_then(Value::as_str) else {
            return Err(bad(format!(
                "entry {number} has no original_image_path; expected what the extraction of references wrote."
            )));
        };
        let mut one = Found {
            path: path.to_owned(),
            ..Found::default()
        };
        let nested = item.get("conditions").unwrap_or(&Value::Null);
        for part in [item, nested] {
            take_references(part, &mut one);
        }
        if let Some(Value::Dict(judge)) = item.get("judge") {
            let rated = judge.iter();
            one.ratings
                .extend(rated.filter_map(|(key, x)| Some((key.clone(), x.as_number()?))));
        }
        found.push(one);
    }
    Ok(found)
}

fn take_references(part: &Value, found: &mut Found) {
    let Value::Dict(members) = part else { return };
    for (key, value) in members {
        if key == "caption" {
            let caption = value.as_str().unwrap_or_default();
            caption.trim().clone_into(&mut found.caption);
            continue;
        }
        let key = key.replace("single_mask", "mask");
        let known = CONDITIONS.iter().find(|known| {
            let bare = known.key.trim_end_matches('s');
            !known.token.is_empty() && (key == known.key || key.trim_end_matches('s') == bare)
        });
        let Some(one) = known.and_then(|known| RefType::named(known.id)) else {
            continue;
        };
        let paths: Vec<String> = match value {
            Value::Str(path) if !path.is_empty() => vec![path.clone()],
            Value::List(paths) => {
                let texts = paths.iter().filter_map(Value::as_str);
                texts.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        if !paths.is_empty() {
            found.references.insert(one, paths);
        }
    }
}

/// What a reference's file looks like, as far as it is checked.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// Width and height.
    pub size: (u32, u32),
    /// Those of the original.
    pub of_original: (u32, u32),
    /// RGB, row by row.
    pub rgb: &'a [u8],
}

/// What is not drawn as its type must be; `None` where nothing is.
///
/// Tolerance for JPEG: a pixel is white from 192 on, black up to 63, grey if its channels differ by at most 24; a twentieth of
/// the pixels may be otherwise.
pub fn misdrawn(one: RefType, drawn: &Drawn<'_>) -> Option<String> {
    let share = |is: fn(&[u8]) -> bool| {
        let pixels = drawn.rgb.chunks_exact(3);
        let count = pixels.len().max(1);
        pixels.filter(|pixel| is(pixel)).count() as f64 / count as f64
    };
    let is_grey: fn(&[u8]) -> bool = |p| {
        p.iter()
            .max()
            .zip(p.iter().min())
            .is_some_and(|(a, b)| a - b <= 24)
    };
    let is_two: fn(&[u8]) -> bool = |p| p.iter().all(|x| *x >= 192) || p.iter().all(|x| *x <= 63);
    let is_black: fn(&[u8]) -> bool = |p| p.iter().all(|x| *x <= 63);
    let (width, height) = drawn.size;
    let is_sized = drawn.size == drawn.of_original;
    let least = 0.95;
    let told = match one {
        RefType::Canny if share(is_two) < least => "expected white edges on black",
        RefType::Mask if share(is_two) < least => "expected white on black",
        RefType::Depth if share(is_grey) < least => "expected grey, bright where it is near",
        RefType::Sketch if share(is_grey) < least => "expected black lines on white",
        RefType::Sketch if share(is_black) > 0.5 => "expected black lines on white",
        RefType::Sketch if width.min(height) != 256 => {
            return Some(format!(
                "expected a shorter side of 256 pixels, as the authors' sketches have, found {width} × {height}"
            ));
        }
        RefType::Bbox | RefType::Pose if share(is_black) < 0.5 => {
            "expected coloured lines on black"
        }
        RefType::Canny | RefType::Mask | RefType::Depth | RefType::Bbox if !is_sized => {
            let (w, h) = drawn.of_original;
            return Some(format!(
                "expected the original's size {w} × {h}, found {width} × {height}"
            ));
        }
        _ => return None,
    };
    Some(told.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_by_their_folders() {
        use RefType::{Canny, Depth, Style, Subject};
        let paths = [
            "x/original/cat.jpg",
            "x/canny/cat.png",
            "x/subject/cat.png",
            "x/subject/cat_2.png",
            "x/style/cat/a.png",
            "x/style/cat/b.png",
            "x/caption/cat.txt",
            "x/depth/dog.png",
            "x/notes/cat.txt",
        ];
        let text = |_: &str| Some(" A cat.\n".to_owned());
        let found = found_in(paths.into_iter(), text);
        assert_eq!(found.len(), 1);
        let cat = &found[0];
        assert_eq!((cat.id(), cat.caption.as_str()), ("cat", "A cat."));
        let count = |one| cat.references.get(&one).map_or(0, Vec::len);
        assert_eq!([Canny, Subject, Style, Depth].map(count), [1, 2, 2, 0]);
    }

    #[test]
    fn the_authors_two_forms_come_to_the_same() -> Result<(), Error> {
        let nested = r#"{"original_image_path": "o/1.jpg", "conditions": {"single_mask_path": "m.png", "bbox_path": "b.png",
            "bbox_value": [1, 2, 3, 4], "subject_paths": ["s1.png", "s2.png"], "style_paths": ["t.png"], "caption": "A cat."}}"#;
        let flat = r#"[{"original_image_path": "o/1.jpg", "mask_path": "m.png", "bbox_path": "b.png",
            "subject_paths": ["s1.png", "s2.png"], "style_path": ["t.png"], "caption": "A cat.", "judge": {"Mask Alignment": 4}}]"#;
        let mut a = found_in_list("a.json", nested)?;
        let b = found_in_list("b.json", flat)?;
        assert!((b[0].ratings["Mask Alignment"] - 4.0).abs() < 1e-9);
        a[0].ratings.clone_from(&b[0].ratings);
        assert_eq!(a, b);
        assert_eq!(a[0].references.len(), 4);
        assert!(found_in_list("c.json", "[{}]").is_err());
        Ok(())
    }

    #[test]
    fn a_map_that_is_not_drawn_as_its_type_says_so() {
        let told = |one, value: [u8; 3], size| {
            let rgb = value.repeat(4);
            misdrawn(
                one,
                &Drawn {
                    size,
                    of_original: (2, 2),
                    rgb: &rgb,
                },
            )
        };
        assert_eq!(told(RefType::Canny, [0; 3], (2, 2)), None);
        assert!(told(RefType::Canny, [128; 3], (2, 2)).is_some());
        assert!(
            told(RefType::Canny, [0; 3], (4, 1)).is_some(),
            "another size"
        );
        assert_eq!(told(RefType::Depth, [128; 3], (2, 2)), None);
        assert!(told(RefType::Depth, [200, 0, 0], (2, 2)).is_some());
        assert!(
            told(RefType::Sketch, [255; 3], (2, 2)).is_some(),
            "too small"
        );
        assert!(told(RefType::Pose, [255; 3], (2, 2)).is_some());
        assert_eq!(told(RefType::Subject, [90, 10, 200], (7, 9)), None);
    }
}
