//! What perceptual hashes are made of.

use juror_image::{Filter, Rgb};
use juror_metrics::{Grey, Image, PHASH_SIDE, View, grey};

/// 32 × 32 grey levels, as Pillow makes them.
pub(crate) fn thumbnail(picture: &Rgb) -> Result<Image<u8>, String> {
    let text = |cause: juror_metrics::MetricError| cause.to_string();
    let (width, height) = (picture.width, picture.height);
    let view = View::new(width as usize, height as usize, 3, &picture.data).map_err(text)?;
    let grey = grey(&view, Grey::Pillow).map_err(text)?;
    let data = grey.data().iter().flat_map(|sample| [*sample; 3]).collect();
    let grey = Rgb {
        width,
        height,
        data,
    };
    let side = u32::try_from(PHASH_SIDE).map_err(|cause| cause.to_string())?;
    let small = juror_image::resize(&grey, side, side, Filter::Lanczos)
        .map_err(|cause| cause.to_string())?;
    let small = Image::new(PHASH_SIDE, PHASH_SIDE, 3, small.data).map_err(text)?;
    small.view().channel(0).map_err(text)
}
