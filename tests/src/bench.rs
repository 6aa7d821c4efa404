//! What `cargo xtask bench metrics` times, natively, in Wasm and on WebGPU: the same pictures, the same work.

use std::cell::OnceCell;

use juror_image::{ImageError, Limits, Rgb, decode_rgb, encode_jpeg, encode_png};
use juror_metrics::{Canny, Grey, Image, Input, Metric, MetricError, canny, grey};

use crate::generate::Random;

/// Why a piece of work was not done; only pictures that nobody drew here bring one about.
pub type Trouble = Box<dyn std::error::Error>;

/// Both pictures of a pair: reference, candidate.
pub type Sides = [Input; 2];

/// A drawn pair.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Red, green, blue.
    pub colour: Sides,
    /// The same in OpenCV's grey.
    pub grey: Sides,
    png: [Vec<u8>; 2],
    jpeg: [Vec<u8>; 2],
    /// What a batch goes through; drawn at the first one, so that those that are timed do not copy pictures first.
    held: OnceCell<Vec<Sides>>,
}

/// The metrics of a whole pair: of decoded ones, and of files.
pub const WHOLE: [Metric; 3] = [Metric::Mse, Metric::Ssim, Metric::EdgeMse];

/// How often a batch meets the same pair: so many copies are held, more than a cache has room for.
const HELD_PAIRS: usize = 8;

/// Which pictures of a scene a metric gets.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Three channels.
    Colour,
    /// One.
    Grey,
}

/// Which files of a scene are decoded.
#[derive(Clone, Copy, Debug)]
pub enum Format {
    /// 8-bit RGB.
    Png,
    /// Quality 75, no channel halved.
    Jpeg,
}

/// A piece of work that comes to a number.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// Adds up all bytes of both pictures: what memory allows.
    Read,
    /// A metric of the pair.
    Metric(Metric, Kind),
    /// The edge map of the reference in grey; its number is how many pixels are edges.
    Canny,
    /// These metrics of the decoded pair in colour; the number is their sum.
    Metrics(&'static [Metric]),
    /// Both files become pixels; the number is a sum of a few samples.
    Decode(Format),
    /// That, and these metrics of them; the number is their sum.
    Whole(Format, &'static [Metric]),
}

/// The work by name; the names are also those of `bench_metrics.py` and `bench-page.mjs`.
pub const WORKS: [(&str, Work); 17] = [
    ("reading both, RGB", Work::Read),
    ("MSE, RGB", Work::Metric(Metric::Mse, Kind::Colour)),
    ("SSIM 7 × 7, RGB", Work::Metric(Metric::Ssim, Kind::Colour)),
    ("SSIM 7 × 7, grey", Work::Metric(Metric::Ssim, Kind::Grey)),
    (
        "SSIM Gaussian, RGB",
        Work::Metric(Metric::SsimGaussian, Kind::Colour),
    ),
    (
        "SSIM Gaussian, grey",
        Work::Metric(Metric::SsimGaussian, Kind::Grey),
    ),
    (
        "SSIM torchmetrics, RGB",
        Work::Metric(Metric::SsimTorchmetrics, Kind::Colour),
    ),
    ("MS-SSIM, RGB", Work::Metric(Metric::MsSsim, Kind::Colour)),
    ("Canny, grey", Work::Canny),
    ("MSE, SSIM 7 × 7 RGB, Canny", Work::Metrics(&WHOLE)),
    ("seven metrics, RGB", Work::Metrics(&SEVEN)),
    ("decode two PNG", Work::Decode(Format::Png)),
    (
        "decode two PNG; MSE, SSIM 7 × 7 RGB, Canny",
        Work::Whole(Format::Png, &WHOLE),
    ),
    (
        "decode two PNG; MSE, SSIM 7 × 7 grey, Canny",
        Work::Whole(Format::Png, &WHOLE_GREY),
    ),
    ("decode two JPEG", Work::Decode(Format::Jpeg)),
    (
        "decode two JPEG; MSE, SSIM 7 × 7 RGB, Canny",
        Work::Whole(Format::Jpeg, &WHOLE),
    ),
    (
        "decode two JPEG; MSE, SSIM 7 × 7 grey, Canny",
        Work::Whole(Format::Jpeg, &WHOLE_GREY),
    ),
];

const SEVEN: [Metric; 7] = [
    Metric::Mse,
    Metric::Mae,
    Metric::Ssim,
    Metric::SsimGaussian,
    Metric::SsimTorchmetrics,
    Metric::MsSsim,
    Metric::EdgeMse,
];

const WHOLE_GREY: [Metric; 3] = [Metric::Mse, Metric::SsimGrey, Metric::EdgeMse];

/// The work of a name.
pub fn work(name: &str) -> Option<Work> {
    let found = WORKS.iter().find(|(known, _)| *known == name);
    found.map(|(_, work)| *work)
}

impl Scene {
    /// Gradients, rectangles and noise; the candidate has more noise.
    ///
    /// # Errors
    /// Where the side is 0.
    pub fn draw(side: usize) -> Result<Self, Trouble> {
        let mut random = Random::new(12345);
        let (mut reference, mut candidate) = (Vec::new(), Vec::new());
        for y in 0..side {
            for x in 0..side {
                let is_light = (x / 37 * 7 + y / 53 * 5).is_multiple_of(4);
                for channel in 0..3 {
                    let base = x * 120 / side + y * 60 / side + 20 * channel + random.below(9);
                    let base = base + if is_light { 90 } else { 0 };
                    let byte = |value: usize| u8::try_from(value).unwrap_or(255);
                    reference.push(byte(base));
                    candidate.push(byte((base + random.below(21)).saturating_sub(10)));
                }
            }
        }
        let file = |data: &Vec<u8>| -> Result<[Vec<u8>; 2], Trouble> {
            let side = u32::try_from(side)?;
            let picture = Rgb {
                width: side,
                height: side,
                data: data.clone(),
            };
            Ok([encode_png(&picture)?, encode_jpeg(&picture)?])
        };
        let [r_png, r_jpeg] = file(&reference)?;
        let [c_png, c_jpeg] = file(&candidate)?;
        let reference = Image::new(side, side, 3, reference)?;
        let candidate = Image::new(side, side, 3, candidate)?;
        let in_grey = |picture: &Image<u8>| grey(&picture.view(), Grey::OpenCv);
        Ok(Self {
            grey: [in_grey(&reference)?, in_grey(&candidate)?].map(Input::Picture),
            colour: [reference, candidate].map(Input::Picture),
            png: [r_png, c_png],
            jpeg: [r_jpeg, c_jpeg],
            held: OnceCell::new(),
        })
    }

    /// The samples of a picture as other tools get them: `r` and `c` in colour, `gr` and `gc` in grey.
    pub fn samples(&self, name: &str) -> Option<&[u8]> {
        let picture = match name {
            "r" => &self.colour[0],
            "c" => &self.colour[1],
            "gr" => &self.grey[0],
            "gc" => &self.grey[1],
            _ => return None,
        };
        Some(data(picture))
    }

    /// The pictures that a metric gets.
    pub fn sides(&self, kind: Kind) -> &Sides {
        match kind {
            Kind::Colour => &self.colour,
            Kind::Grey => &self.grey,
        }
    }

    /// Does a piece of work on the CPU.
    ///
    /// # Errors
    /// Those of decoders and metrics.
    pub fn run(&self, work: Work) -> Result<f64, Trouble> {
        match work {
            Work::Read => Ok(self.colour.iter().map(|side| total(data(side))).sum()),
            Work::Metric(metric, kind) => {
                let [reference, candidate] = self.sides(kind);
                Ok(metric.compute(reference, candidate)?)
            }
            Work::Metrics(metrics) => Ok(sum_of(metrics, &self.colour)?),
            Work::Canny => {
                let reference = self.grey[0].picture().ok_or("a scene holds pictures")?;
                Ok(num_edges(&canny(&reference.view(), Canny::MULTIREF)?))
            }
            Work::Decode(format) => {
                let sides = self.decoded(format)?;
                let few = |side: &Input| {
                    data(side)
                        .iter()
                        .step_by(4099)
                        .copied()
                        .map(f64::from)
                        .sum::<f64>()
                };
                Ok(sides.iter().map(few).sum())
            }
            Work::Whole(format, metrics) => Ok(sum_of(metrics, &self.decoded(format)?)?),
        }
    }

    /// The metrics of [`WHOLE`] for so many decoded pairs, one after another.
    ///
    /// # Errors
    /// Those of the metrics.
    pub fn batch(&self, num_pairs: usize) -> Result<f64, MetricError> {
        let pairs = self.held().iter().cycle().take(num_pairs);
        pairs.map(|pair| sum_of(&WHOLE, pair)).sum()
    }

    fn held(&self) -> &[Sides] {
        self.held
            .get_or_init(|| vec![self.colour.clone(); HELD_PAIRS])
    }

    fn decoded(&self, format: Format) -> Result<Sides, Trouble> {
        let files = match format {
            Format::Png => &self.png,
            Format::Jpeg => &self.jpeg,
        };
        let decoded = |file: &Vec<u8>| -> Result<Input, Trouble> {
            let picture = decode_rgb(file, &Limits::default())
                .map_err(|cause: ImageError| cause.message())?;
            let (width, height) = (picture.width as usize, picture.height as usize);
            Ok(Input::Picture(Image::new(width, height, 3, picture.data)?))
        };
        Ok([decoded(&files[0])?, decoded(&files[1])?])
    }
}

#[cfg(feature = "gpu")]
mod on_gpu {
    use juror_gpu::{Gpu, Pair};
    use juror_metrics::{Input, Metric};

    use super::{Kind, Scene, Sides, Trouble, Work};

    /// Pairs of a submission, of which two are under way, as in a run over a suite.
    const PIECE: usize = 4;

    /// What the GPU is given of a pair.
    ///
    /// # Errors
    /// One of its sides is no picture.
    pub fn pair([reference, candidate]: &Sides) -> Result<Pair<'_>, Trouble> {
        match (reference, candidate) {
            (Input::Picture(reference), Input::Picture(candidate)) => Ok(Pair {
                reference: reference.view(),
                candidate: candidate.view(),
            }),
            _ => Err("a scene holds pictures".into()),
        }
    }

    /// The metrics of a work that has twins on the GPU, and the pictures that they get.
    pub fn twins(work: Work) -> Option<(Vec<Metric>, Kind)> {
        match work {
            Work::Metric(metric, kind) => Some((vec![metric], kind)),
            Work::Metrics(metrics) => Some((metrics.to_vec(), Kind::Colour)),
            _ => None,
        }
    }

    impl Scene {
        /// Metrics of so many decoded pairs on the GPU, upload and reading back included; the number is the sum of all.
        ///
        /// # Errors
        /// Those of the GPU.
        pub async fn batch_on_gpu(
            &self,
            gpu: &Gpu,
            (metrics, kind): (&[Metric], Kind),
            num_pairs: usize,
        ) -> Result<f64, Trouble> {
            let sides = match kind {
                Kind::Colour => self.held(),
                Kind::Grey => std::slice::from_ref(&self.grey),
            };
            let pairs = sides.iter().cycle().take(num_pairs).map(pair);
            let pairs: Vec<Pair<'_>> = pairs.collect::<Result<_, _>>()?;
            let mut pieces = pairs.chunks(PIECE);
            let mut present = pieces.next().map(|piece| gpu.start(metrics, piece));
            let mut sum = 0.0;
            while let Some(started) = present {
                present = pieces.next().map(|piece| gpu.start(metrics, piece));
                for value in started.finish().await.into_iter().flatten() {
                    sum += value?;
                }
            }
            Ok(sum)
        }
    }
}

#[cfg(feature = "gpu")]
pub use on_gpu::{pair, twins};

/// How many pixels of an edge map are edges.
pub fn num_edges(map: &Image<u8>) -> f64 {
    map.data().iter().filter(|mark| **mark > 0).count() as f64
}

fn sum_of(metrics: &[Metric], [reference, candidate]: &Sides) -> Result<f64, MetricError> {
    let values = metrics
        .iter()
        .map(|metric| metric.compute(reference, candidate));
    values.sum()
}

fn data(side: &Input) -> &[u8] {
    side.picture().map_or(&[], Image::data)
}

/// Adds words of eight bytes, as wide as the machine loads them, and folds what comes out to 32 bits: it is only to depend on every byte.
fn total(bytes: &[u8]) -> f64 {
    let (words, _) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(0_u64, |sum, word| {
        sum.wrapping_add(u64::from_le_bytes(*word))
    });
    (sum >> 32) as f64
}
