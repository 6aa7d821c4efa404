//! The pictures of a model's folder: never half a one under its name, and none re-encoded with a loss.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use juror_image::{Format, Limits, decode_rgb, decode_rgba, encode_png, encode_png_rgba};
use juror_model::prompt::sha256;

use crate::sending::kept::sync_folder;

/// A picture as it is written.
pub(super) struct Fitted {
    pub(super) bytes: Vec<u8>,
    /// The format that it came in, where that is not the one of the file's name.
    pub(super) came_as: &'static str,
}

/// A picture in the format of a file's name: converted where that loses nothing, which is so for PNG, else as it came.
///
/// # Errors
/// It is no picture, or breaks off.
pub(super) fn fitted(bytes: Vec<u8>, place: &str) -> Result<Fitted, juror_image::ImageError> {
    let limits = Limits::default();
    let format = juror_image::check(&bytes, &limits)?.format;
    let named = match place.rsplit_once('.').map(|(_, end)| end.to_lowercase()) {
        Some(end) if end == "png" => Format::Png,
        Some(end) if end == "jpg" || end == "jpeg" => Format::Jpeg,
        _ => format,
    };
    if format == named {
        return Ok(Fitted { bytes, came_as: "" });
    }
    let came_as = format.as_str();
    // Of a moving picture all but one would be lost.
    if named != Format::Png || juror_image::is_moving(&bytes) {
        return Ok(Fitted { bytes, came_as });
    }
    let has_alpha = format != Format::Jpeg && {
        let whole = decode_rgba(&bytes, &limits)?;
        whole
            .data
            .iter()
            .skip(3)
            .step_by(4)
            .any(|alpha| *alpha < 255)
    };
    let png = if has_alpha {
        encode_png_rgba(&decode_rgba(&bytes, &limits)?)?
    } else {
        encode_png(&decode_rgb(&bytes, &limits)?)?
    };
    Ok(Fitted {
        bytes: png,
        came_as,
    })
}

/// Where a picture's bytes are before they have their name.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Writes a picture next to its place; it is on disk when this returns.
pub(super) fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = part(path);
    let refusal = || format!("cannot write {}", part.display());
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above)
            .with_context(|| format!("cannot make {}", above.display()))?;
    }
    let mut file = File::create(&part).with_context(refusal)?;
    file.write_all(bytes).with_context(refusal)?;
    file.sync_all().with_context(refusal)
}

/// Gives a picture that was put next to its place its name.
pub(super) fn name(path: &Path) -> anyhow::Result<()> {
    std::fs::rename(part(path), path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    sync_folder(path);
    Ok(())
}

/// SHA-256 of a file; `None` of an absent one.
///
/// # Errors
/// It cannot be read.
pub(super) fn hash(path: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(sha256(&bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Gives a picture its name if its bytes are whole; whether it has that name now.
///
/// # Errors
/// A file cannot be read or renamed.
pub(super) fn finish(path: &Path, sha256: &str) -> anyhow::Result<bool> {
    if hash(path)?.as_deref() == Some(sha256) {
        return Ok(true);
    }
    if hash(&part(path))?.as_deref() != Some(sha256) {
        return Ok(false);
    }
    name(path)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_image::{Rgb, encode_jpeg};

    fn grey() -> Rgb {
        Rgb::filled(8, 8, [90, 90, 90]).expect("a small picture")
    }

    #[test]
    fn only_a_png_is_made_of_another_format_and_its_pixels_stay() {
        let png = encode_png(&grey()).expect("it can be encoded");
        let jpeg = encode_jpeg(&grey()).expect("it can be encoded");
        let fit = |bytes: &[u8], place| fitted(bytes.to_vec(), place).expect("it is a picture");
        let same = fit(&png, "a.png");
        assert_eq!((same.bytes.as_slice(), same.came_as), (&*png, ""));
        let made = fit(&jpeg, "a.png");
        assert_eq!((made.came_as, &made.bytes[1..4]), ("jpeg", &b"PNG"[..]));
        let pixels = |bytes: &[u8]| decode_rgb(bytes, &Limits::default()).expect("it decodes");
        assert_eq!(pixels(&made.bytes).data, pixels(&jpeg).data);
        let kept = fit(&png, "a_generated.jpg");
        assert_eq!((kept.bytes.as_slice(), kept.came_as), (&*png, "png"));
        assert!(fitted(jpeg[..jpeg.len() / 2].to_vec(), "a.png").is_err());
    }
}
