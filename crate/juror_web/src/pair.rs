//! Two files as the pictures that a metric takes, wherever that is computed.

use juror_image::{Filter, Limits, Rgb, decode_rgb, media_type, resize};
use juror_metrics::{Image, Input, Metric, Preparation};

use crate::thumbnail::thumbnail;

/// A decoded picture with what is to be known of its file.
pub(crate) fn of_file(bytes: &[u8], picture: Image<u8>) -> Input {
    match media_type(bytes) {
        Some("image/jpeg") => Input::Jpeg(picture),
        _ => Input::Picture(picture),
    }
}

/// What the metric wants instead of the pictures; `None` where it takes them as they are.
pub(crate) fn prepared(metric: Metric, sides: &[Input; 2]) -> Result<Option<[Input; 2]>, String> {
    if metric.preparation() == Preparation::AsIs {
        return Ok(None);
    }
    let small = |side: &Input| match side {
        Input::Picture(picture) | Input::Jpeg(picture) => {
            let (width, height) = picture.view().size();
            let rgb = Rgb {
                width: u32::try_from(width).map_err(|cause| cause.to_string())?,
                height: u32::try_from(height).map_err(|cause| cause.to_string())?,
                data: picture.data().to_vec(),
            };
            Ok::<_, String>(Input::Picture(thumbnail(&rgb)?))
        }
        Input::Array(array) => Ok(Input::Array(array.clone())),
    };
    let [reference, candidate] = sides;
    Ok(Some([small(reference)?, small(candidate)?]))
}

/// Both files as pictures; where that fails, which of them and why.
///
/// With `is_resized` a candidate of another size is brought to the reference's by Pillow's bicubic.
pub(crate) fn decoded(
    files: [&[u8]; 2],
    is_resized: bool,
) -> Result<[Image<u8>; 2], (usize, String)> {
    let read = |at: usize| {
        decode_rgb(files[at], &Limits::default()).map_err(|cause| (at, cause.message()))
    };
    let (reference, mut candidate) = (read(0)?, read(1)?);
    let (width, height) = (reference.width, reference.height);
    if is_resized && (candidate.width, candidate.height) != (width, height) {
        candidate = resize(&candidate, width, height, Filter::Bicubic)
            .map_err(|cause| (1, cause.message()))?;
    }
    let image = |at: usize, picture: Rgb| {
        let (width, height) = (picture.width as usize, picture.height as usize);
        Image::new(width, height, 3, picture.data).map_err(|cause| (at, cause.to_string()))
    };
    Ok([image(0, reference)?, image(1, candidate)?])
}
