//! What a picture goes through before a network, step by step as the Python tools do it, because a crop that is off by one
//! pixel or a scale that is applied twice gives other features without anyone noticing.
//!
//! Source: Pillow's resampling (`juror_image`), `transformers` 4.47 (`CLIPImageProcessor`, `BitImageProcessor`), `torchvision`
//! (`Resize`, `CenterCrop`, `ToTensor`, `Normalize`), Depth Anything V2's own transforms over OpenCV.

use juror_image::{Filter, Limits, Rgb, decode_rgb, decode_rgba};
use serde::{Deserialize, Serialize};

use crate::cubic;
use crate::{NeuralError, Tensor};

/// How pixels are resampled, by the name that packs record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixelPath {
    /// Pillow's bicubic with antialiasing, rounded to bytes.
    PilBicubicU8,
    /// Pillow's bilinear with antialiasing, rounded to bytes.
    PilBilinearU8,
    /// Pillow's Lanczos, rounded to bytes.
    PilLanczosU8,
    /// OpenCV's cubic without antialiasing, on f64.
    CvCubicF64,
}

/// The size that a picture is brought to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resize {
    /// Its own.
    AsIs,
    /// The shorter side this long, the longer one in proportion and rounded down.
    ShortSide(u32),
    /// This width and height, whatever the proportions are.
    Exact([u32; 2]),
    /// The shorter side at least this long, both sides multiples of 14: [`depth_size`].
    Depth(u32),
}

/// Which way half a pixel goes where a crop cannot be centred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Towards the left and the top: `transformers`.
    Floor,
    /// Half to even: `torchvision`.
    HalfEven,
}

/// A square from the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crop {
    /// Its side in pixels, no longer than the picture's shorter side.
    pub side: u32,
    /// Where it lies if it cannot lie in the middle.
    pub rounding: Rounding,
}

/// How bytes become numbers from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rescale {
    /// Divided by 255 in f32: `torchvision`.
    Divide,
    /// Multiplied by 1/255 in f64, then rounded to f32: `transformers`. Of bytes it makes the numbers of [`Rescale::Divide`].
    Multiply,
    /// Divided by 255 in f64 and kept so: Depth Anything.
    DivideF64,
    /// By `torchvision`, then by `transformers` as if it were bytes again, and once more: what `torchmetrics`' `CLIPScore`
    /// makes of pictures from 0 to 1, which end nearly black.
    Twice,
}

/// In which orientation a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As it is stored: Pillow.
    Stored,
    /// As its EXIF orientation says: OpenCV.
    Upright,
}

/// Everything between a file and a network's input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pixels {
    /// How it is resampled.
    pub path: PixelPath,
    /// To which size.
    pub resize: Resize,
    /// What is cut out then; `None` for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<Crop>,
    /// How bytes become numbers.
    pub rescale: Rescale,
    /// Taken from each channel after that; zeros change nothing.
    #[serde(default)]
    pub mean: [f64; 3],
    /// What each channel is divided by last.
    #[serde(default = "ones")]
    pub std: [f64; 3],
}

fn ones() -> [f64; 3] {
    [1.0; 3]
}

/// The most pixels of one side of a network's input.
const MAX_SIDE: u32 = 16_384;

impl Pixels {
    /// How files are read for it: OpenCV turns a picture upright, Pillow does not.
    pub fn reading(&self) -> Reading {
        match self.path {
            PixelPath::CvCubicF64 => Reading::Upright,
            _ => Reading::Stored,
        }
    }

    /// A file as red, green and blue, in the orientation in which the path reads it.
    ///
    /// # Errors
    /// [`NeuralError::Picture`].
    pub fn decode(&self, bytes: &[u8]) -> Result<Rgb, NeuralError> {
        let limits = Limits::default();
        match self.reading() {
            Reading::Upright => Ok(decode_rgb(bytes, &limits)?),
            Reading::Stored => {
                let stored = decode_rgba(bytes, &limits)?;
                let colours = stored.data.chunks_exact(4);
                Ok(Rgb {
                    width: stored.width,
                    height: stored.height,
                    data: colours
                        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
                        .collect(),
                })
            }
        }
    }

    /// The network's input, 1 × 3 × height × width, red first.
    ///
    /// # Errors
    /// [`NeuralError::Picture`] for a size that cannot be made, [`NeuralError::Shape`] for a crop beyond the picture.
    pub fn tensor(&self, picture: &Rgb) -> Result<Tensor, NeuralError> {
        let (width, height) = self.size((picture.width, picture.height))?;
        if let PixelPath::CvCubicF64 = self.path {
            return self.cubic(picture, (width, height));
        }
        let filter = match self.path {
            PixelPath::PilBilinearU8 => Filter::Bilinear,
            PixelPath::PilLanczosU8 => Filter::Lanczos,
            _ => Filter::Bicubic,
        };
        let resized = juror_image::resize(picture, width, height, filter)?;
        let cut = self
            .crop
            .map_or(Ok(None), |crop| cropped(&resized, crop).map(Some))?;
        let bytes = cut.as_ref().unwrap_or(&resized);
        let numbers = rescaled(&bytes.data, self.rescale);
        let (mean, std) = (self.mean.map(to_f32), self.std.map(to_f32));
        let (w, h) = (bytes.width as usize, bytes.height as usize);
        let plane = |channel: usize| {
            let samples = numbers.iter().skip(channel).step_by(3);
            samples.map(move |value| (value - mean[channel]) / std[channel])
        };
        Tensor::reals(vec![1, 3, h, w], (0..3).flat_map(plane).collect())
    }

    /// Width and height before the crop.
    fn size(&self, (width, height): (u32, u32)) -> Result<(u32, u32), NeuralError> {
        let size = match self.resize {
            Resize::AsIs => (width, height),
            Resize::Exact([width, height]) => (width, height),
            Resize::Depth(least) => depth_size((width, height), least),
            Resize::ShortSide(side) => {
                let long = |long: u32, short: u32| {
                    u64::from(side) * u64::from(long) / u64::from(short.max(1))
                };
                let long = |a, b| u32::try_from(long(a, b)).unwrap_or(u32::MAX);
                if width <= height {
                    (side, long(height, width))
                } else {
                    (long(width, height), side)
                }
            }
        };
        if size.0.max(size.1) > MAX_SIDE || size.0.min(size.1) == 0 {
            return Err(NeuralError::Picture(format!(
                "a picture of {width} × {height} pixels would become {} × {}, which no network takes",
                size.0, size.1
            )));
        }
        Ok(size)
    }

    fn cubic(&self, picture: &Rgb, to: (u32, u32)) -> Result<Tensor, NeuralError> {
        let numbers: Vec<f64> = picture
            .data
            .iter()
            .map(|byte| f64::from(*byte) / 255.0)
            .collect();
        let from = (picture.width as usize, picture.height as usize);
        let to = (to.0 as usize, to.1 as usize);
        let resized = if from == to {
            numbers
        } else {
            cubic::resize(&numbers, from, to)
        };
        let plane = |channel: usize| {
            let samples = resized.iter().skip(channel).step_by(3);
            let (mean, std) = (self.mean[channel], self.std[channel]);
            samples.map(move |value| to_f32((value - mean) / std))
        };
        Tensor::reals(vec![1, 3, to.1, to.0], (0..3).flat_map(plane).collect())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "networks take f32")]
fn to_f32(value: f64) -> f32 {
    value as f32
}

/// The square in the middle.
fn cropped(picture: &Rgb, crop: Crop) -> Result<Rgb, NeuralError> {
    let side = crop.side;
    if side > picture.width || side > picture.height || side == 0 {
        return Err(NeuralError::Shape {
            expected: format!("a picture of at least {side} × {side} pixels"),
            found: vec![picture.width as usize, picture.height as usize],
        });
    }
    let start = |length: u32| {
        let spare = length - side;
        let half = spare / 2;
        // Of an odd rest, half to even takes the even one of the two places.
        match crop.rounding {
            Rounding::HalfEven if spare % 2 == 1 => half + half % 2,
            _ => half,
        }
    };
    let (left, top) = (
        start(picture.width) as usize,
        start(picture.height) as usize,
    );
    let rows = picture.data.chunks_exact(3 * picture.width as usize);
    let rows = rows.skip(top).take(side as usize);
    Ok(Rgb {
        width: side,
        height: side,
        data: rows
            .flat_map(|row| &row[3 * left..3 * (left + side as usize)])
            .copied()
            .collect(),
    })
}

fn rescaled(bytes: &[u8], rescale: Rescale) -> Vec<f32> {
    let once = |byte: f64| to_f32(byte * (1.0 / 255.0));
    let divided = |byte: u8| f32::from(byte) / 255.0;
    let table: Vec<f32> = match rescale {
        Rescale::Divide => (0..=255).map(divided).collect(),
        Rescale::Multiply => (0..=255_u8).map(|byte| once(f64::from(byte))).collect(),
        Rescale::DivideF64 => (0..=255_u8)
            .map(|byte| to_f32(f64::from(byte) / 255.0))
            .collect(),
        Rescale::Twice => twice(bytes),
    };
    bytes.iter().map(|byte| table[usize::from(*byte)]).collect()
}

/// What each byte becomes by [`Rescale::Twice`]; a picture of nothing but 0 and 255 passes for bytes after the first
/// division, so that its 1 stays a 1 and is divided once.
fn twice(bytes: &[u8]) -> Vec<f32> {
    let is_plain = bytes.iter().all(|byte| matches!(byte, 0 | 255));
    let of = |byte: u8| {
        let unit = f32::from(byte) / 255.0;
        if is_plain {
            return to_f32(f64::from(unit.trunc()) * (1.0 / 255.0));
        }
        // To bytes again, cut off and not rounded.
        let back = to_f32(f64::from(unit) * 255.0).trunc();
        let once = to_f32(f64::from(back) * (1.0 / 255.0));
        to_f32(f64::from(once) * (1.0 / 255.0))
    };
    (0..=255).map(of).collect()
}

/// The size at which Depth Anything V2 looks at a picture: both sides times max(least / w, least / h), brought to the
/// nearest multiple of 14 (half to even), and to the next one where that is below `least`.
///
/// ```
/// // 600 · 518 / 400 is 55.5 times 14, and 56 is the even one.
/// assert_eq!(juror_neural::depth_size((600, 400), 518), (784, 518));
/// assert_eq!(juror_neural::depth_size((512, 512), 518), (518, 518));
/// ```
pub fn depth_size((width, height): (u32, u32), least: u32) -> (u32, u32) {
    let (w, h, least) = (f64::from(width), f64::from(height), f64::from(least));
    let scale = (least / w).max(least / h);
    let side = |side: f64| {
        let exact = scale * side / 14.0;
        let nearest = exact.round_ties_even() * 14.0;
        let side = if nearest < least {
            exact.ceil() * 14.0
        } else {
            nearest
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates, and sizes are checked"
        )]
        let side = side as u32;
        side
    };
    (side(w), side(h))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn ramp(width: u32, height: u32) -> Rgb {
        let data = (0..width * height).flat_map(|at| {
            let x = u8::try_from(at % width).unwrap();
            [x, x, x]
        });
        Rgb {
            width,
            height,
            data: data.collect(),
        }
    }

    #[test]
    fn an_odd_rest_is_cut_one_pixel_apart_by_the_two_roundings_where_the_half_is_odd() {
        let left = |width, rounding| {
            let cut = cropped(&ramp(width, 4), Crop { side: 4, rounding }).unwrap();
            cut.data[0]
        };
        // Rests of 3 and 5: 1.5 goes to 2 and 2.5 to 2.
        assert_eq!(
            (left(7, Rounding::Floor), left(7, Rounding::HalfEven)),
            (1, 2)
        );
        assert_eq!(
            (left(9, Rounding::Floor), left(9, Rounding::HalfEven)),
            (2, 2)
        );
        assert_eq!(
            (left(8, Rounding::Floor), left(8, Rounding::HalfEven)),
            (2, 2)
        );
    }

    #[test]
    fn twice_rescaled_pictures_are_nearly_black_and_black_and_white_ones_are_not_cut_twice() {
        let grey = rescaled(&[0, 100, 255], Rescale::Twice);
        assert!((grey[1] - 100.0 / 255.0 / 255.0).abs() < 1e-8 && grey[2] < 0.004);
        let plain = rescaled(&[0, 255, 0], Rescale::Twice);
        assert_eq!(plain, [0.0, to_f32(1.0 / 255.0), 0.0]);
    }

    #[test]
    fn a_crop_beyond_the_picture_and_a_size_that_nobody_takes_are_errors() {
        let pixels = Pixels {
            path: PixelPath::PilBicubicU8,
            resize: Resize::AsIs,
            crop: Some(Crop {
                side: 224,
                rounding: Rounding::Floor,
            }),
            rescale: Rescale::Multiply,
            mean: [0.0; 3],
            std: [1.0; 3],
        };
        assert!(matches!(
            pixels.tensor(&ramp(9, 9)),
            Err(NeuralError::Shape { .. })
        ));
        let wide = Pixels {
            resize: Resize::ShortSide(224),
            ..pixels
        };
        let line = Rgb::filled(2000, 2, [0; 3]).unwrap();
        assert!(matches!(wide.tensor(&line), Err(NeuralError::Picture(_))));
    }
}
