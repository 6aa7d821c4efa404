//! The pictures of a model's folder: none is re-encoded with a loss.

use crate::{
    Format, ImageError, Limits, check, decode_rgb, decode_rgba, encode_png, encode_png_rgba,
    is_moving,
};

/// A picture as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The file.
    pub bytes: Vec<u8>,
    /// The format that it came in, where that is not the one of the file's name; empty otherwise.
    pub came_as: &'static str,
}

/// A picture in the format of a file's name: converted where that loses nothing, which is so for PNG, else as it came.
///
/// # Errors
/// It is no picture, or breaks off.
///
/// # Example
/// ```
/// use juror_image::{Rgb, encode_jpeg, fitted};
/// let jpeg = encode_jpeg(&Rgb::filled(8, 8, [9, 9, 9])?)?;
/// assert_eq!(fitted(jpeg.clone(), "a.png")?.came_as, "jpeg"); // made a PNG of
/// assert_eq!(fitted(jpeg, "a.jpg")?.came_as, ""); // as it came
/// # Ok::<(), juror_image::ImageError>(())
/// ```
pub fn fitted(bytes: Vec<u8>, place: &str) -> Result<Fitted, ImageError> {
    let limits = Limits::default();
    let format = check(&bytes, &limits)?.format;
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
    if named != Format::Png || is_moving(&bytes) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rgb, encode_jpeg};

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
