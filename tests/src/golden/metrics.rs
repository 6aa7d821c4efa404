//! The image metrics against the Python tools' values for pictures that are formulas.
//!
//! The vectors are written by `tests/golden/metrics.py`; the pictures are drawn here by the same formula.

use juror_image::{Filter, Rgb};
use juror_metrics::{
    Canny, Grey, Image, Map, MapKind, MetricError, MetricMap, PHASH_SIDE, Pixels, Resampling, View,
    Window, adaptive_threshold, canny, grey, mae, mse, mse_multiref, phash, phash_distance, psnr,
    resize, ssim, ssim_reals,
};
use juror_model::prompt::sha256;
use serde_json::Value;

use super::{Tallies, Tally};

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/metrics.json");

/// How many values the vectors hold.
pub const NUM_VALUES: usize = 1368;
/// Whole sums: the last division alone can differ.
pub const MSE_TOLERANCE: f64 = 1e-15;
/// Decibels: logarithms of two libraries, relative.
pub const PSNR_TOLERANCE: f64 = 1e-14;
/// scikit-image smooths in f64; we have whole numbers, or another order of the same sums.
pub const SSIM_TOLERANCE: f64 = 1e-12;
/// Means of resampled real numbers: another order of the same sums, relative.
pub const RESIZE_TOLERANCE: f64 = 1e-13;

/// An SSIM of two pictures.
pub type SsimRule = fn(&Pixels<'_>, &Pixels<'_>, Window, f64) -> Result<f64, MetricError>;

/// A metric place by place.
pub type MapRule = fn(MapKind, &Image<u8>, &Image<u8>) -> Result<MetricMap, MetricError>;

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The grey of a colour picture.
    pub grey: fn(&Pixels<'_>, Grey) -> Result<Image<u8>, MetricError>,
    /// Mean squared error.
    pub mse: fn(&Pixels<'_>, &Pixels<'_>) -> Result<f64, MetricError>,
    /// Structural similarity.
    pub ssim: SsimRule,
    /// The same at each place.
    pub map: MapRule,
    /// Edge maps.
    pub canny: fn(&Pixels<'_>, Canny) -> Result<Image<u8>, MetricError>,
    /// Whose resampling stands in for each of OpenCV's.
    pub resampling: fn(Resampling) -> Resampling,
    /// What the hash is made of.
    pub thumbnail: Filter,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        grey,
        mse,
        ssim: |reference, candidate, window, range| {
            Ok(ssim(reference, candidate, window, range)?.value)
        },
        map: MetricMap::of,
        canny,
        resampling: |resampling| resampling,
        thumbnail: Filter::Lanczos,
    };
}

/// Reference and candidate: smooth ramps with sharp wraps, and the same with a small grid of errors.
///
/// # Panics
/// Never for sides up to 10,000.
pub fn pictures(width: usize, height: usize) -> [Image<u8>; 2] {
    let mut reference = Vec::with_capacity(3 * width * height);
    let mut candidate = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            for c in 0..3 {
                let base = (3 * x * x + 5 * y * y + 7 * x * y + 320 * c) >> 3 & 255;
                let error = (7 * x + 13 * y + 5 * c) % 23;
                let byte = |value: usize| u8::try_from(value).unwrap_or(255);
                reference.push(byte(base));
                candidate.push(byte((base + error).saturating_sub(11)));
            }
        }
    }
    [reference, candidate]
        .map(|data| Image::new(width, height, 3, data).expect("three samples for each place"))
}

/// Runs all cases.
///
/// # Panics
/// If the vectors are not what `metrics.py` writes.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let mut run = Run {
        rules,
        case: String::new(),
        tallies: Tallies::new(),
    };
    for case in vectors["cases"].as_array().expect("a list of cases") {
        let (width, height) = (side(&case["width"]), side(&case["height"]));
        run.case = format!("{width} × {height}");
        run.all(case, &pictures(width, height));
    }
    run.tallies
}

/// The mean of a map in which each place counts otherwise, so that none can stand for another.
fn slope(map: &MetricMap, (width, height): (usize, usize)) -> f64 {
    let (columns, rows) = map.places.view().size();
    let weigh = |(at, place): (usize, &f64)| {
        let (x, y) = ((at % columns + 1) as f64, (at / columns + 1) as f64);
        place * (x / width as f64 + 2.0 * y / height as f64)
    };
    let sum: f64 = map.places.data().iter().enumerate().map(weigh).sum();
    sum / (columns * rows) as f64
}

fn side(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a length")).expect("a short length")
}

struct Run<'a> {
    rules: &'a Rules,
    case: String,
    tallies: Tallies,
}

impl Run<'_> {
    fn check(&mut self, group: &str, expected: &Value, found: &str, agrees: bool) {
        let tally: &mut Tally = self.tallies.entry(group.to_owned()).or_default();
        if agrees {
            tally.passed += 1;
        } else {
            let line = format!("{}: expected {expected}, found {found}", self.case);
            tally.failed.push(line);
        }
    }

    fn hash(&mut self, group: &str, expected: &Value, found: &Image<u8>) {
        let found = sha256(found.data());
        self.check(group, expected, &found, *expected == found);
    }

    /// `null` stands for what the tool refuses, "inf" for itself.
    fn number(
        &mut self,
        group: &str,
        expected: &Value,
        found: &Result<f64, MetricError>,
        tolerance: f64,
    ) {
        let agrees = match (expected, found) {
            (Value::Null, found) => found.is_err(),
            (Value::String(text), Ok(found)) => text.parse() == Ok(*found),
            (expected, Ok(found)) => expected
                .as_f64()
                .is_some_and(|expected| (expected - found).abs() <= tolerance),
            _ => false,
        };
        self.check(group, expected, &format!("{found:?}"), agrees);
    }

    fn relative(
        &mut self,
        group: &str,
        expected: &Value,
        found: &Result<f64, MetricError>,
        tolerance: f64,
    ) {
        let scale = expected.as_f64().map_or(1.0, f64::abs);
        self.number(group, expected, found, tolerance * scale);
    }

    fn all(&mut self, case: &Value, pictures: &[Image<u8>; 2]) {
        let rules = self.rules;
        let [r, c] = pictures.each_ref().map(Image::view);
        for (picture, expected) in pictures
            .iter()
            .zip([&case["sha256"][0], &case["sha256"][1]])
        {
            self.hash("pictures", expected, picture);
        }
        self.relative("mse", &case["mse"], &(rules.mse)(&r, &c), MSE_TOLERANCE);
        self.relative("mae", &case["mae"], &mae(&r, &c), MSE_TOLERANCE);
        self.relative("psnr", &case["psnr"], &psnr(&r, &c), PSNR_TOLERANCE);
        let greys = [r, c].map(|picture| (rules.grey)(&picture, Grey::OpenCv).expect("RGB"));
        let luma = (rules.grey)(&r, Grey::Pillow).expect("RGB");
        self.hash("grey", &case["grey"][0], &greys[0]);
        self.hash("grey", &case["grey"][1], &luma);
        self.ssims(case, pictures, &greys);
        self.edges(case, &greys);
        self.resizes(case, &r, &greys[0]);
        self.hashes(case, pictures);
    }

    fn ssims(&mut self, case: &Value, [r, c]: &[Image<u8>; 2], [gr, gc]: &[Image<u8>; 2]) {
        let ssim = self.rules.ssim;
        for (key, r, c, window, range) in [
            ("ssim", r, c, Window::UNIFORM, 255.0),
            ("ssim_grey", gr, gc, Window::UNIFORM, 255.0),
            ("ssim_range_100", r, c, Window::UNIFORM, 100.0),
            ("ssim_window_3", r, c, Window::Uniform(3), 255.0),
            ("ssim_window_13", r, c, Window::Uniform(13), 255.0),
            ("ssim_gaussian", r, c, Window::GAUSSIAN, 255.0),
            ("ssim_gaussian_grey", gr, gc, Window::GAUSSIAN, 255.0),
            ("ssim_gaussian_wide", r, c, Window::Gaussian(2.5), 255.0),
        ] {
            let found = ssim(&r.view(), &c.view(), window, range);
            self.number(key, &case[key], &found, SSIM_TOLERANCE);
        }
        for (key, kind) in [
            ("ssim_map", MapKind::Ssim),
            ("ssim_gaussian_map", MapKind::SsimGaussian),
        ] {
            let found = (self.rules.map)(kind, r, c).map(|map| slope(&map, r.view().size()));
            self.number(key, &case[key], &found, SSIM_TOLERANCE);
        }
        let [r, c] = [gr, gc].map(unit);
        let found = ssim_reals(&r.view(), &c.view(), Window::GAUSSIAN, 1.0);
        let found = found.map(|found| found.value);
        self.number("ssim_reals", &case["ssim_reals"], &found, SSIM_TOLERANCE);
    }

    fn edges(&mut self, case: &Value, [r, c]: &[Image<u8>; 2]) {
        let low = Canny {
            low: 20.0,
            high: 60.0,
        };
        let edges =
            [(r, Canny::MULTIREF), (c, Canny::MULTIREF), (c, low)].map(|(picture, thresholds)| {
                (self.rules.canny)(&picture.view(), thresholds).expect("grey")
            });
        for (idx, edges) in edges.iter().enumerate() {
            self.hash("canny", &case["canny"][idx], edges);
        }
        let [r_edges, c_edges, _] = edges.each_ref().map(|edges| Map::Bytes(edges.view()));
        let found = mse_multiref(&c_edges, &r_edges);
        self.relative("edge_mse", &case["edge_mse"], &found, 1e-13);
        let passed = adaptive_threshold(&r.view()).expect("grey");
        self.hash("adaptive", &case["adaptive"], &passed);
    }

    fn resizes(&mut self, case: &Value, picture: &Pixels<'_>, grey: &Image<u8>) {
        let reals = unit(grey);
        for record in case["resize"].as_array().into_iter().flatten() {
            let (width, height) = (side(&record["to"][0]), side(&record["to"][1]));
            for (key, resampling) in [
                ("nearest", Resampling::Nearest),
                ("area", Resampling::Area),
                ("linear", Resampling::Linear),
            ] {
                let resampling = (self.rules.resampling)(resampling);
                let found = resize(picture, width, height, resampling).expect("an area");
                self.hash(key, &record[key], &found);
                let found = resize(&reals.view(), width, height, resampling).expect("an area");
                let key = format!("{key}_reals");
                for (idx, power) in [1, 2].into_iter().enumerate() {
                    let sum: f64 = found.data().iter().map(|value| value.powi(power)).sum();
                    let mean = sum / found.data().len() as f64;
                    self.relative(&key, &record[&key][idx], &Ok(mean), RESIZE_TOLERANCE);
                }
            }
        }
    }

    fn hashes(&mut self, case: &Value, pictures: &[Image<u8>; 2]) {
        let hashes = pictures.each_ref().map(|picture| {
            let small = thumbnail(picture, self.rules);
            phash(&small.view()).expect("32 × 32 grey levels")
        });
        for (idx, hash) in hashes.iter().enumerate() {
            let found = format!("{hash:016x}");
            let expected = &case["phash"][idx];
            self.check("phash", expected, &found, *expected == found);
        }
        let found = f64::from(phash_distance(hashes[0], hashes[1]));
        self.number("phash_distance", &case["phash_distance"], &Ok(found), 0.0);
    }
}

/// 0 … 255 as 0 … 1.
fn unit(picture: &Image<u8>) -> Image<f64> {
    let view = picture.view();
    let data = view.data().iter().map(|sample| f64::from(*sample) / 255.0);
    Image::new(view.width(), view.height(), view.channels(), data.collect()).expect("as before")
}

/// What perceptual hashes are made of: Pillow's grey, Pillow's Lanczos.
///
/// # Panics
/// The picture is not RGB.
pub fn thumbnail(picture: &Image<u8>, rules: &Rules) -> Image<u8> {
    let grey = (rules.grey)(&picture.view(), Grey::Pillow).expect("RGB");
    let view: View<'_, u8> = grey.view();
    let whole = |side: usize| u32::try_from(side).expect("a short length");
    let rgb = Rgb {
        width: whole(view.width()),
        height: whole(view.height()),
        data: view.data().iter().flat_map(|sample| [*sample; 3]).collect(),
    };
    let to = whole(PHASH_SIDE);
    let small = juror_image::resize(&rgb, to, to, rules.thumbnail).expect("an area");
    Image::new(PHASH_SIDE, PHASH_SIDE, 3, small.data)
        .and_then(|small| small.view().channel(0))
        .expect("three channels")
}
