//! The metrics by name, for hosts that let people choose one.

use std::borrow::Cow;

use crate::Array;
use crate::BoundingBox;
use crate::BoxRule;
use crate::Grey;
use crate::Image;
use crate::Map;
use crate::MetricError;
use crate::MsSsim;
use crate::View;
use crate::Window;
use crate::aesthetics;
use crate::change_map;
use crate::cosine;
use crate::drawn_box;
use crate::fid_multiref;
use crate::frechet;
use crate::grey;
use crate::mae;
use crate::mask_multiref;
use crate::metric_map::edges;
use crate::ms_ssim;
use crate::mse;
use crate::mse::require_finite;
use crate::mse_multiref;
use crate::mse_reals;
use crate::phash;
use crate::phash_distance;
use crate::pose_pixels;
use crate::psnr;
use crate::semantic_map;
use crate::ssim;
use crate::ssim_torchmetrics;

/// One side of a pair.
#[derive(Clone, Debug)]
pub enum Input {
    /// A decoded picture: red, green, blue.
    Picture(Image<u8>),
    /// The same of a JPEG file, of which OpenCV takes the luma that is stored where it reads a file as grey.
    Jpeg(Image<u8>),
    /// What an NPY file holds.
    Array(Array),
}

/// A metric of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Mean squared error.
    Mse,
    /// Peak signal-to-noise ratio.
    Psnr,
    /// Mean absolute error.
    Mae,
    /// SSIM, uniform 7 × 7, mean of the channels.
    Ssim,
    /// The same on OpenCV's grey.
    SsimGrey,
    /// SSIM, Gaussian σ = 1.5, mean of the channels.
    SsimGaussian,
    /// The same on OpenCV's grey.
    SsimGaussianGrey,
    /// SSIM as `torchmetrics` averages it.
    SsimTorchmetrics,
    /// MS-SSIM as `torchmetrics` computes it.
    MsSsim,
    /// MS-SSIM as `pytorch_msssim` computes it.
    MsSsimPytorch,
    /// MSE of the edge maps of two pictures.
    EdgeMse,
    /// Share of pixels that differ by more than [`Metric::CHANGE_THRESHOLD`].
    Changed,
    /// Bits in which two perceptual hashes differ.
    Phash,
    /// MultiRef's MSE of two depth maps.
    Depth,
    /// MultiRef's MSE of two sketches.
    Sketch,
    /// MultiRef's MSE of the candidate's edges and the reference's stored edge map.
    Canny,
    /// MultiRef's mask IoU; in an array of nothing but 0 and 1, booleans among them, 1 is inside.
    Mask,
    /// Box IoU, drawn boxes as intended.
    Bbox,
    /// Box IoU, drawn boxes as MultiRef's code finds them.
    BboxReleased,
    /// MultiRef's precision × recall of painted skeletons.
    Pose,
    /// MultiRef's matched IoU of region maps.
    SemanticMap,
    /// Cosine of two feature vectors.
    Cosine,
    /// Fréchet distance of two feature sets.
    Fid,
    /// MultiRef's single-image number, which it calls FID: of the candidate's features alone.
    FidMultiref,
    /// A linear head's rating of a CLIP feature; the reference is the head, or nothing where the candidate is a rating.
    Aesthetics,
}

/// What a host does to pictures before a metric sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// Nothing.
    AsIs,
    /// Pillow's "L", then Pillow's Lanczos to 32 × 32.
    Thumbnail,
}

impl Metric {
    /// All of them, in the order of the manual's table.
    pub const ALL: [Self; 25] = [
        Self::Mse,
        Self::Psnr,
        Self::Mae,
        Self::Ssim,
        Self::SsimGrey,
        Self::SsimGaussian,
        Self::SsimGaussianGrey,
        Self::SsimTorchmetrics,
        Self::MsSsim,
        Self::MsSsimPytorch,
        Self::EdgeMse,
        Self::Changed,
        Self::Phash,
        Self::Depth,
        Self::Sketch,
        Self::Canny,
        Self::Mask,
        Self::Bbox,
        Self::BboxReleased,
        Self::Pose,
        Self::SemanticMap,
        Self::Cosine,
        Self::Fid,
        Self::FidMultiref,
        Self::Aesthetics,
    ];

    /// Above what a JPEG file of good quality changes by itself.
    pub const CHANGE_THRESHOLD: u8 = 16;

    /// The name in reports and on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::Mse => "mse",
            Self::Psnr => "psnr",
            Self::Mae => "mae",
            Self::Ssim => "ssim",
            Self::SsimGrey => "ssim_grey",
            Self::SsimGaussian => "ssim_gaussian",
            Self::SsimGaussianGrey => "ssim_gaussian_grey",
            Self::SsimTorchmetrics => "ssim_torchmetrics",
            Self::MsSsim => "ms_ssim",
            Self::MsSsimPytorch => "ms_ssim_pytorch",
            Self::EdgeMse => "edge_mse",
            Self::Changed => "changed",
            Self::Phash => "phash",
            Self::Depth => "depth",
            Self::Sketch => "sketch",
            Self::Canny => "canny",
            Self::Mask => "mask",
            Self::Bbox => "bbox",
            Self::BboxReleased => "bbox_released",
            Self::Pose => "pose",
            Self::SemanticMap => "semantic_map",
            Self::Cosine => "cosine",
            Self::Fid => "fid",
            Self::FidMultiref => "fid_multiref",
            Self::Aesthetics => "aesthetics",
        }
    }

    /// The metric of this name.
    ///
    /// # Errors
    /// [`MetricError::UnknownMetric`] with all names.
    pub fn from_id(name: &str) -> Result<Self, MetricError> {
        let found = Self::ALL.into_iter().find(|metric| metric.id() == name);
        found.ok_or_else(|| MetricError::UnknownMetric {
            name: name.to_owned(),
            known: Self::ALL.map(Self::id).join(", "),
        })
    }

    /// What pictures must go through first.
    pub fn preparation(self) -> Preparation {
        match self {
            Self::Phash => Preparation::Thumbnail,
            _ => Preparation::AsIs,
        }
    }

    /// The value for a pair.
    ///
    /// # Errors
    /// Those of the metric's own function; [`MetricError::Kind`] for a picture where numbers are needed, or the other way
    /// round.
    pub fn compute(self, reference: &Input, candidate: &Input) -> Result<f64, MetricError> {
        match self {
            Self::Mse => self.mse(reference, candidate),
            Self::Cosine => {
                let [r, c] = [reference, candidate].map(|side| self.array(side));
                cosine(&r?.data, &c?.data)
            }
            Self::Fid => {
                let (r, c) = (self.array(reference)?, self.array(candidate)?);
                Ok(frechet(&features(r)?, &features(c)?)?.value())
            }
            Self::FidMultiref => {
                // Nothing is compared, but what is no vector was not meant as one.
                vector(self.array(reference)?)?;
                fid_multiref(inception(vector(self.array(candidate)?)?)?)
            }
            Self::Aesthetics => {
                let [head, feature] = [reference, candidate].map(|side| self.array(side));
                aesthetics(vector(feature?)?, vector(head?)?)
            }
            Self::Depth | Self::Sketch => {
                let [r, c] = [reference, candidate].map(Grid::of);
                mse_multiref(&c?.map(), &r?.map())
            }
            Self::Canny => {
                let edges = edges(&bytes(candidate)?.view())?.to_image();
                mse_multiref(&Map::Bytes(edges.view()), &Grid::of(reference)?.map())
            }
            Self::SemanticMap => {
                let read = grey(&bytes(reference)?.view(), reference.read_as_grey())?;
                let candidate = bytes(candidate)?;
                Ok(semantic_map(&candidate.view(), &read.view())?.mean_iou)
            }
            Self::Mask => {
                let (r, c) = (mask_of(reference)?, mask_of(candidate)?);
                self.of_pictures(&r, &c)
            }
            Self::Bbox => boxes(reference, candidate, BoxRule::Intended),
            Self::BboxReleased => boxes(reference, candidate, BoxRule::Released),
            _ => self.of_bytes(reference, candidate),
        }
    }

    fn of_bytes(self, reference: &Input, candidate: &Input) -> Result<f64, MetricError> {
        let (reference, candidate) = (bytes(reference)?, bytes(candidate)?);
        self.of_pictures(&reference, &candidate)
    }

    /// Metrics that know bytes only.
    fn of_pictures(self, reference: &Image<u8>, candidate: &Image<u8>) -> Result<f64, MetricError> {
        let (r, c) = (&reference.view(), &candidate.view());
        let ssim_of = |window, r: &Image<u8>, c: &Image<u8>| {
            Ok(ssim(&r.view(), &c.view(), window, 255.0)?.value)
        };
        let on_grey = |window| ssim_of(window, &grey(r, Grey::OpenCv)?, &grey(c, Grey::OpenCv)?);
        match self {
            Self::Psnr => psnr(r, c),
            Self::Mae => mae(r, c),
            Self::Ssim => ssim_of(Window::UNIFORM, reference, candidate),
            Self::SsimGrey => on_grey(Window::UNIFORM),
            Self::SsimGaussian => ssim_of(Window::GAUSSIAN, reference, candidate),
            Self::SsimGaussianGrey => on_grey(Window::GAUSSIAN),
            Self::SsimTorchmetrics => ssim_torchmetrics(r, c),
            Self::MsSsim => ms_ssim(r, c, MsSsim::Torchmetrics),
            Self::MsSsimPytorch => ms_ssim(r, c, MsSsim::PytorchMsssim),
            Self::EdgeMse => {
                r.require_same_size(c)?;
                let (r, c) = (edges(r)?, edges(c)?);
                Ok(c.mse_multiref(&r))
            }
            Self::Changed => {
                let found = change_map(r, c, Self::CHANGE_THRESHOLD, None)?;
                Ok(found.whole.changed_share().unwrap_or(0.0))
            }
            Self::Phash => Ok(f64::from(phash_distance(phash(r)?, phash(c)?))),
            Self::Mask => Ok(mask_multiref(c, r)?.iou()),
            Self::Pose => Ok(pose_pixels(c, r)?.value()),
            // The others have been answered before they come here.
            _ => mse(r, c),
        }
    }

    fn mse(self, reference: &Input, candidate: &Input) -> Result<f64, MetricError> {
        let is_real = |side: &Input| matches!(side, Input::Array(array) if !array.is_bytes);
        if !is_real(reference) && !is_real(candidate) {
            return self.of_bytes(reference, candidate);
        }
        let reals = |side: &Input| match side {
            Input::Array(array) => array.to_image(),
            Input::Picture(_) | Input::Jpeg(_) => {
                Err(self.unfit("two arrays or two pictures", "one of each"))
            }
        };
        mse_reals(&reals(reference)?.view(), &reals(candidate)?.view())
    }

    fn array(self, side: &Input) -> Result<&Array, MetricError> {
        match side {
            Input::Array(array) => Ok(array),
            Input::Picture(_) | Input::Jpeg(_) => {
                Err(self.unfit("an NPY array of features", "a picture"))
            }
        }
    }

    fn unfit(self, expected: &'static str, found: &'static str) -> MetricError {
        MetricError::Kind {
            metric: self.id(),
            expected,
            found,
        }
    }
}

impl Input {
    /// The pixels; `None` for an array.
    pub fn picture(&self) -> Option<&Image<u8>> {
        match self {
            Self::Picture(picture) | Self::Jpeg(picture) => Some(picture),
            Self::Array(_) => None,
        }
    }

    /// The grey that OpenCV reads of such a file.
    ///
    /// Rounded to the nearest level, red, green and blue of a JPEG give its luma back, but for what decoders round.
    fn read_as_grey(&self) -> Grey {
        match self {
            Self::Jpeg(_) => Grey::OpenCv,
            Self::Picture(_) | Self::Array(_) => Grey::OpenCvPngRead,
        }
    }

    /// Width and height of a picture or of an array's last plane; the other way round for rows of features.
    pub fn size(&self) -> (usize, usize) {
        match self {
            Self::Picture(picture) | Self::Jpeg(picture) => picture.view().size(),
            Self::Array(array) => match *array.shape.as_slice() {
                [] => (1, 1),
                [length] => (length, 1),
                [.., height, width, 2..=4] if array.shape.len() > 2 => (width, height),
                [.., height, width] => (width, height),
            },
        }
    }
}

/// A box is drawn in a picture, or four finite numbers of an array.
fn boxes(reference: &Input, candidate: &Input, rule: BoxRule) -> Result<f64, MetricError> {
    let of = |side: &Input| match side {
        Input::Picture(picture) | Input::Jpeg(picture) => drawn_box(&picture.view(), rule),
        Input::Array(array) => match *array.data.as_slice() {
            [x0, y0, x1, y1] => {
                require_finite(&array.data)?;
                Ok(BoundingBox::new([x0, y0, x1, y1]))
            }
            _ => Err(MetricError::Shape {
                expected: "4 numbers: left, top, right, bottom",
                found: array.shape.clone(),
            }),
        },
    };
    Ok(of(reference)?.iou(&of(candidate)?))
}

/// A picture as it is: a copy of it would cost more than some metrics do.
fn bytes(side: &Input) -> Result<Cow<'_, Image<u8>>, MetricError> {
    match side {
        Input::Picture(picture) | Input::Jpeg(picture) => Ok(Cow::Borrowed(picture)),
        Input::Array(array) => array.to_bytes().map(Cow::Owned),
    }
}

/// The same for a mask: an array of nothing but 0 and 1 is one already, so its 1 is inside as a picture's 255 is.
/// MultiRef's code takes the segmenter's array as it is, too, and holds only the reference's picture against a level.
fn mask_of(side: &Input) -> Result<Cow<'_, Image<u8>>, MetricError> {
    let picture = bytes(side)?;
    if side.picture().is_some() || picture.data().iter().any(|sample| *sample > 1) {
        return Ok(picture);
    }
    let view = picture.view();
    let data = view.data().iter().map(|sample| 255 * sample).collect();
    Image::new(view.width(), view.height(), view.channels(), data).map(Cow::Owned)
}

fn features(array: &Array) -> Result<View<'_, f64>, MetricError> {
    match *array.shape.as_slice() {
        [rows, columns] => View::new(columns, rows, 1, &array.data),
        _ => Err(MetricError::Shape {
            expected: "(vectors, numbers of a vector)",
            found: array.shape.clone(),
        }),
    }
}

/// The features of one picture: at most one axis is longer than 1.
fn vector(array: &Array) -> Result<&[f64], MetricError> {
    if array.shape.iter().filter(|length| **length > 1).count() > 1 {
        return Err(MetricError::Shape {
            expected: "(numbers) or (1, numbers): the features of one picture",
            found: array.shape.clone(),
        });
    }
    Ok(&array.data)
}

/// Features of Inception-v3's last pooling: another network's vector has a mean as well, which would say nothing.
fn inception(features: &[f64]) -> Result<&[f64], MetricError> {
    if features.len() == INCEPTION_FEATURES {
        return Ok(features);
    }
    Err(MetricError::Shape {
        expected: "2048 numbers: the features of Inception-v3 before its last layer",
        found: vec![features.len()],
    })
}

/// Numbers of a picture's features in Inception-v3.
const INCEPTION_FEATURES: usize = 2048;

/// A map with one number at each place.
enum Grid {
    Bytes(Image<u8>),
    Reals(Image<f64>),
}

impl Grid {
    fn of(side: &Input) -> Result<Self, MetricError> {
        let rounding = side.read_as_grey();
        Ok(match side {
            Input::Picture(picture) | Input::Jpeg(picture) => {
                Self::Bytes(grey(&picture.view(), rounding)?)
            }
            Input::Array(array) if array.is_bytes => {
                Self::Bytes(grey(&array.to_bytes()?.view(), rounding)?)
            }
            Input::Array(array) => Self::Reals(array.to_image()?),
        })
    }

    fn map(&self) -> Map<'_> {
        match self {
            Self::Bytes(image) => Map::Bytes(image.view()),
            Self::Reals(image) => Map::Reals(image.view()),
        }
    }
}
