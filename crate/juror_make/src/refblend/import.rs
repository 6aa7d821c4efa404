//! Originals taken in: their pictures looked at and copied to where the project has them, edge maps computed.

use std::collections::BTreeMap;

use juror_image::{Limits, Rgb, decode_rgb, encode_png};
use juror_metrics::{Canny, Grey, View, canny, grey};

use super::matrix::RefType;
use super::original::{Drawn, Found, Original, Picture, misdrawn};
use crate::Error;
use crate::picture::{Copied, ending};

/// Takes an original in with its references; `bytes` gives a file's bytes by its path, `None` where it is not there.
///
/// A reference that cannot be used is noted with the reason, and so is one that is not drawn as its type must be if
/// `is_checked`. An edge map that lacks is computed as the authors' code does it.
///
/// # Errors
/// The original is not there, or cannot be decoded.
pub fn import(
    found: &Found,
    is_checked: bool,
    bytes: impl Fn(&str) -> Option<Vec<u8>>,
) -> Result<(Original, Vec<Copied>), Error> {
    let path = &found.path;
    let read = bytes(path).ok_or_else(|| {
        Error::List(format!(
            "{path} is not there; name the folder that holds it as well."
        ))
    })?;
    let picture = decode_rgb(&read, &Limits::default())
        .map_err(|error| Error::List(format!("{path}: {}", error.message())))?;
    let id = found.id().to_owned();
    let mut taken = Taken {
        copies: Vec::new(),
        original: Original {
            picture: Picture {
                path: String::new(),
                sha256: String::new(),
            },
            references: BTreeMap::new(),
            caption: found.caption.clone(),
            ratings: found.ratings.clone(),
            refused: Vec::new(),
            id,
        },
    };
    let place = format!("images/original/{}.{}", taken.original.id, ending(path));
    taken.original.picture = taken.put(place, read);
    for (one, paths) in &found.references {
        for path in paths {
            match reference(*one, bytes(path), &picture, is_checked) {
                Ok(read) => {
                    let place = taken.place(*one, path);
                    let put = taken.put(place, read);
                    let references = &mut taken.original.references;
                    references.entry(*one).or_default().push(put);
                }
                Err(reason) => taken.original.refused.push((*one, reason)),
            }
        }
    }
    if !taken.original.references.contains_key(&RefType::Canny) {
        let place = format!("images/canny/{}.png", taken.original.id);
        let put = taken.put(place, edges(&picture)?);
        taken.original.references.insert(RefType::Canny, vec![put]);
    }
    Ok((taken.original, taken.copies))
}

/// What was taken in so far.
struct Taken {
    original: Original,
    copies: Vec<Copied>,
}

impl Taken {
    /// Where the next picture of a type lies.
    fn place(&self, one: RefType, path: &str) -> String {
        let number = match self.original.pictures(one).len() {
            0 => String::new(),
            known => format!("_{}", known + 1),
        };
        let id = &self.original.id;
        format!("images/{}/{id}{number}.{}", one.id(), ending(path))
    }

    fn put(&mut self, path: String, bytes: Vec<u8>) -> Picture {
        let copied = Copied { path, bytes };
        let picture = copied.picture();
        self.copies.push(copied);
        picture
    }
}

/// A reference's bytes, or why it is left out.
fn reference(
    one: RefType,
    bytes: Option<Vec<u8>>,
    of: &Rgb,
    is_checked: bool,
) -> Result<Vec<u8>, String> {
    let bytes = bytes.ok_or("file not found")?;
    let picture = decode_rgb(&bytes, &Limits::default()).map_err(|_| "cannot be decoded")?;
    let drawn = Drawn {
        size: (picture.width, picture.height),
        of_original: (of.width, of.height),
        rgb: &picture.data,
    };
    match misdrawn(one, &drawn) {
        Some(told) if is_checked => Err(told),
        _ => Ok(bytes),
    }
}

/// The edge map that MultiRef makes of an original, as PNG.
fn edges(picture: &Rgb) -> Result<Vec<u8>, Error> {
    let bad = |told: String| Error::List(format!("The edge map cannot be computed: {told}"));
    let (width, height) = (picture.width as usize, picture.height as usize);
    let made = View::new(width, height, 3, &picture.data[..])
        .and_then(|view| grey(&view, Grey::OpenCv))
        .and_then(|grey| canny(&grey.view(), Canny::MULTIREF))
        .map_err(|error| bad(error.to_string()))?;
    let map = Rgb {
        width: picture.width,
        height: picture.height,
        data: made.data().iter().flat_map(|edge| [*edge; 3]).collect(),
    };
    encode_png(&map).map_err(|error| bad(error.message()))
}
