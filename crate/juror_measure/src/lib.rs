#![doc = include_str!("../README.md")]

mod computed;

pub use computed::{Backend, Computed};

use juror_image::{Filter, ImageError, Limits, Rgb, decode_rgb, media_type, resize};
use juror_metrics::{
    Array, Grey, Image, Input, Metric, MetricError, PHASH_SIDE, Preparation, View, grey, is_npy,
    phash, phash_cells,
};

/// Why there is no picture, or no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A file cannot be decoded, or a picture cannot be resized.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The metric has no value of the two.
    #[error(transparent)]
    Metric(#[from] MetricError),
}

impl MeasureError {
    /// What was expected and what was found, without what to do about it.
    pub fn message(&self) -> String {
        match self {
            Self::Image(cause) => cause.message(),
            Self::Metric(cause) => cause.to_string(),
        }
    }
}

/// A file of a pair, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {}", ["the reference", "the candidate"][usize::from(*.is_candidate)], .cause)]
pub struct SideError {
    /// Whether it is the candidate.
    pub is_candidate: bool,
    /// What is wrong.
    pub cause: MeasureError,
}

/// A decoded picture, three channels.
///
/// # Errors
/// The samples are no whole pixels.
pub fn image(picture: Rgb) -> Result<Image<u8>, MeasureError> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    Ok(Image::new(width, height, 3, picture.data)?)
}

/// A picture of a file with what metrics need to know of the file: some read a JPEG as grey in another way.
pub fn of_file(bytes: &[u8], picture: Image<u8>) -> Input {
    match media_type(bytes) {
        Some("image/jpeg") => Input::Jpeg(picture),
        _ => Input::Picture(picture),
    }
}

/// A file as one side of a pair: a picture, or an NPY array.
///
/// # Errors
/// It is neither, or cannot be read.
pub fn input(bytes: &[u8]) -> Result<Input, MeasureError> {
    if is_npy(bytes) {
        return Ok(Input::Array(Array::from_npy(bytes)?));
    }
    let picture = image(decode_rgb(bytes, &Limits::default())?)?;
    Ok(of_file(bytes, picture))
}

/// Reference and candidate as pictures.
///
/// With `is_resized` a candidate of another size is brought to the reference's by Pillow's bicubic.
///
/// # Errors
/// One of them is no picture, or cannot be decoded.
pub fn pictures(files: [&[u8]; 2], is_resized: bool) -> Result<[Image<u8>; 2], SideError> {
    let [reference, candidate] = files;
    let read = |bytes: &[u8], is_candidate| {
        let found = decode_rgb(bytes, &Limits::default());
        found.map_err(|cause| SideError::new(is_candidate, cause))
    };
    let (reference, mut candidate) = (read(reference, false)?, read(candidate, true)?);
    let (width, height) = (reference.width, reference.height);
    if is_resized && (candidate.width, candidate.height) != (width, height) {
        candidate = resize(&candidate, width, height, Filter::Bicubic)
            .map_err(|cause| SideError::new(true, cause))?;
    }
    let reference = image(reference).map_err(|cause| SideError::new(false, cause))?;
    let candidate = image(candidate).map_err(|cause| SideError::new(true, cause))?;
    Ok([reference, candidate])
}

impl SideError {
    fn new(is_candidate: bool, cause: impl Into<MeasureError>) -> Self {
        Self {
            is_candidate,
            cause: cause.into(),
        }
    }
}

/// Reference and candidate as metrics read them; arrays are never resized.
///
/// # Errors
/// One of them cannot be read.
///
/// ```
/// use juror_image::{Rgb, encode_png};
/// use juror_measure::{measure_pair, sides};
/// use juror_metrics::Metric;
///
/// let grey = |level| encode_png(&Rgb::filled(16, 16, [level; 3])?);
/// let sides = sides([&grey(100)?, &grey(103)?], false)?;
/// assert_eq!(measure_pair(Metric::from_id("mse")?, &sides)?, 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sides(files: [&[u8]; 2], is_resized: bool) -> Result<[Input; 2], SideError> {
    let [reference, candidate] = files;
    if is_npy(reference) || is_npy(candidate) {
        let read =
            |bytes, is_candidate| input(bytes).map_err(|cause| SideError::new(is_candidate, cause));
        return Ok([read(reference, false)?, read(candidate, true)?]);
    }
    let [r, c] = pictures(files, is_resized)?;
    Ok([of_file(reference, r), of_file(candidate, c)])
}

/// What the metric takes instead of these; `None` where it takes them as they are.
///
/// # Errors
/// A picture is too large to be made small, or has no pixels.
pub fn prepared(metric: Metric, sides: &[Input; 2]) -> Result<Option<[Input; 2]>, MeasureError> {
    if metric.preparation() == Preparation::AsIs {
        return Ok(None);
    }
    let small = |side: &Input| match side.picture() {
        Some(picture) => Ok::<_, MeasureError>(Input::Picture(cells_of(&picture.view())?)),
        None => Ok(side.clone()),
    };
    let [reference, candidate] = sides;
    Ok(Some([small(reference)?, small(candidate)?]))
}

/// The value of a pair on the CPU.
///
/// # Errors
/// The metric has no value of the two, which the message explains.
pub fn measure_pair(metric: Metric, sides: &[Input; 2]) -> Result<f64, MeasureError> {
    let small = prepared(metric, sides)?;
    let [reference, candidate] = small.as_ref().unwrap_or(sides);
    Ok(metric.compute(reference, candidate)?)
}

/// What perceptual hashes are made of: 32 × 32 grey levels, as Pillow makes them.
fn cells_of(picture: &View<'_, u8>) -> Result<Image<u8>, MeasureError> {
    let grey = grey(picture, Grey::Pillow)?;
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let spread = Rgb {
        width: side(picture.width()),
        height: side(picture.height()),
        data: grey.data().iter().flat_map(|sample| [*sample; 3]).collect(),
    };
    let small = resize(&spread, side(PHASH_SIDE), side(PHASH_SIDE), Filter::Lanczos)?;
    Ok(image(small)?.view().channel(0)?)
}

/// What a picture looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// Its perceptual hash.
    pub hash: u64,
    /// Grey levels of 16 × 16 cells, row by row.
    pub cells: Vec<u8>,
}

/// What the picture of a file looks like.
///
/// # Errors
/// It cannot be decoded.
pub fn print(bytes: &[u8]) -> Result<Print, MeasureError> {
    let picture = image(decode_rgb(bytes, &Limits::default())?)?;
    let small = cells_of(&picture.view())?;
    Ok(Print {
        hash: phash(&small.view())?,
        cells: phash_cells(&small.view())?,
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use juror_image::encode_png;

    use super::*;

    fn png(width: u32, height: u32, level: u8) -> Vec<u8> {
        encode_png(&Rgb::filled(width, height, [level; 3]).unwrap()).unwrap()
    }

    #[test]
    fn a_candidate_of_another_size_is_resized_only_where_that_is_asked_for() {
        let (reference, candidate) = (png(16, 16, 40), png(8, 8, 43));
        let mse = Metric::from_id("mse").unwrap();
        let resized = sides([&reference, &candidate], true).unwrap();
        assert_eq!(measure_pair(mse, &resized), Ok(9.0));
        let as_they_are = sides([&reference, &candidate], false).unwrap();
        assert!(measure_pair(mse, &as_they_are).is_err());
    }

    #[test]
    fn an_error_says_which_file_it_is_about() {
        let good = png(4, 4, 0);
        for is_candidate in [false, true] {
            let mut files = [good.as_slice(); 2];
            files[usize::from(is_candidate)] = b"%PDF-1.7";
            let found = sides(files, false).unwrap_err();
            assert_eq!(found.is_candidate, is_candidate);
            assert!(found.cause.message().contains("PDF"), "{found}");
        }
    }

    #[test]
    fn a_jpeg_is_known_by_its_bytes() {
        let picture = Rgb::filled(8, 8, [9, 99, 199]).unwrap();
        let jpeg = juror_image::encode_jpeg(&picture).unwrap();
        assert!(matches!(input(&jpeg), Ok(Input::Jpeg(_))));
        assert!(matches!(input(&png(8, 8, 9)), Ok(Input::Picture(_))));
    }

    #[test]
    fn perceptual_hashes_are_of_small_pictures_and_other_metrics_of_whole_ones() {
        let pair = sides([&png(64, 48, 10), &png(64, 48, 10)], false).unwrap();
        let small = prepared(Metric::from_id("phash").unwrap(), &pair).unwrap();
        let small = small.unwrap();
        assert_eq!(small[0].size(), (PHASH_SIDE, PHASH_SIDE));
        let whole = prepared(Metric::from_id("mse").unwrap(), &pair).unwrap();
        assert!(whole.is_none());
    }
}
