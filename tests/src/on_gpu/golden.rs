//! The GPU's values beside those of the Python tools themselves: OpenCV, scikit-image, Pillow, torch, NumPy, and the
//! authors' functions.
#![expect(clippy::unwrap_used, reason = "a check fails by panicking")]

use juror_gpu::{Gpu, GpuError, has_twin};
use juror_image::{Filter, Rgba};
use juror_metrics::{Canny, Focus, Grey, Image, Input, Metric, Resampling, Window, resize};
use juror_model::prompt::{hex, sha256};
use serde_json::Value;

use super::pictures::pillow_on;
use super::{Alter, SSIM_TOLERANCE, SSIMS, pair, turned};
use crate::golden::folder::{Golden, owned};
use crate::golden::metrics::{MSE_TOLERANCE, PSNR_TOLERANCE, pictures};
use crate::golden::{dar, metrics, multiref_metrics, pillow, torch_metrics};
use crate::say;

/// Values that agree, and lines about those that do not.
#[derive(Default)]
struct Found {
    agree: usize,
    wrong: Vec<String>,
    /// By how much an SSIM is off at most.
    largest: f64,
}

impl Found {
    fn note(&mut self, agrees: bool, line: impl FnOnce() -> String) {
        if agrees {
            self.agree += 1;
        } else {
            self.wrong.push(line());
        }
    }

    /// `null` stands for what the tool refuses, "inf" for itself.
    fn number(
        &mut self,
        name: &str,
        expected: &Value,
        found: &Result<f64, GpuError>,
        allowed: f64,
    ) {
        let agrees = match (expected, found) {
            (Value::Null, Err(error)) => !error.is_about_gpu(),
            (Value::String(text), Ok(found)) => text.parse() == Ok(*found),
            (expected, Ok(found)) => expected.as_f64().is_some_and(|expected| {
                let difference = (expected - found).abs();
                if allowed.to_bits() == SSIM_TOLERANCE.to_bits() {
                    self.largest = self.largest.max(difference);
                }
                difference <= allowed
            }),
            _ => false,
        };
        self.note(agrees, || {
            format!("{name}: expected {expected}, found {found:?}")
        });
    }

    fn hash(&mut self, name: &str, expected: &Value, found: &[u8]) {
        self.note(*expected == sha256(found), || format!("{name} differs"));
    }

    /// Fails where a value disagrees, or not so many were compared.
    #[track_caller]
    fn require(&self, name: &str, count: usize) {
        say!(
            "{name}: {} of {count} agree, SSIM within {:.1e}",
            self.agree,
            self.largest
        );
        assert!(self.wrong.is_empty(), "{name}: {}", self.wrong.join("\n"));
        assert_eq!(self.agree, count, "{name}");
    }
}

fn lengths(case: &Value) -> (usize, usize) {
    let side = |key: &str| usize::try_from(case[key].as_u64().unwrap()).unwrap();
    (side("width"), side("height"))
}

/// The values of `metrics.json` that have a twin, of pictures up to a length, where the GPU is given altered ones.
async fn python_tools(gpu: &Gpu, longest: usize, alter: Alter) -> Found {
    let vectors: Value = serde_json::from_str(metrics::VECTORS).unwrap();
    let mut found = Found::default();
    for case in vectors["cases"].as_array().unwrap() {
        let (width, height) = lengths(case);
        if width.max(height) > longest {
            continue;
        }
        let [reference, candidate] = pictures(width, height);
        let altered = [&reference, &candidate].map(alter);
        errors(gpu, case, [&reference, &altered[1]], &mut found).await;
        ssims(gpu, case, [&reference, &altered[1]], &mut found).await;
        edges(gpu, case, &altered, &mut found).await;
        resizes(gpu, case, [&reference, &altered[0]], &mut found).await;
    }
    found
}

async fn errors(gpu: &Gpu, case: &Value, [r, c]: [&Image<u8>; 2], found: &mut Found) {
    for (metric, tolerance) in [
        (Metric::Mse, MSE_TOLERANCE),
        (Metric::Mae, MSE_TOLERANCE),
        (Metric::Psnr, PSNR_TOLERANCE),
    ] {
        let expected = &case[metric.id()];
        let value = gpu.compute(metric, pair(r, c)).await;
        let allowed = tolerance * expected.as_f64().map_or(1.0, f64::abs);
        found.number(metric.id(), expected, &value, allowed);
    }
}

async fn ssims(gpu: &Gpu, case: &Value, [r, c]: [&Image<u8>; 2], found: &mut Found) {
    for metric in [
        Metric::Ssim,
        Metric::SsimGrey,
        Metric::SsimGaussian,
        Metric::SsimGaussianGrey,
    ] {
        let value = gpu.compute(metric, pair(r, c)).await;
        found.number(metric.id(), &case[metric.id()], &value, SSIM_TOLERANCE);
    }
    for (key, window, data_range) in [
        ("ssim_range_100", Window::UNIFORM, 100.0),
        ("ssim_window_3", Window::Uniform(3), 255.0),
    ] {
        let value = gpu.ssim(&r.view(), &c.view(), window, data_range).await;
        let value = value.map(|ssim| ssim.value);
        found.number(key, &case[key], &value, SSIM_TOLERANCE);
    }
}

async fn edges(gpu: &Gpu, case: &Value, [r, c]: &[Image<u8>; 2], found: &mut Found) {
    let luma = gpu.grey(&r.view(), Grey::Pillow).await.unwrap();
    found.hash("grey of Pillow", &case["grey"][1], luma.data());
    let r_grey = gpu.grey(&r.view(), Grey::OpenCv).await.unwrap();
    found.hash("grey of OpenCV", &case["grey"][0], r_grey.data());
    let c_grey = gpu.grey(&c.view(), Grey::OpenCv).await.unwrap();
    let low = Canny {
        low: 20.0,
        high: 60.0,
    };
    let wanted = [
        (&r_grey, Canny::MULTIREF),
        (&c_grey, Canny::MULTIREF),
        (&c_grey, low),
    ];
    for (idx, (picture, thresholds)) in wanted.into_iter().enumerate() {
        let edges = gpu.canny(&picture.view(), thresholds).await.unwrap();
        found.hash("canny", &case["canny"][idx], edges.map.data());
    }
    let value = gpu.compute(Metric::EdgeMse, pair(r, c)).await;
    found.number("edge_mse", &case["edge_mse"], &value, MSE_TOLERANCE);
}

/// Means of parts of samples are one level off at most, the others equal to the byte.
async fn resizes(gpu: &Gpu, case: &Value, [own, altered]: [&Image<u8>; 2], found: &mut Found) {
    for record in case["resize"].as_array().into_iter().flatten() {
        let [width, height] =
            [0, 1].map(|idx| usize::try_from(record["to"][idx].as_u64().unwrap()).unwrap());
        for (key, resampling) in [
            ("nearest", Resampling::Nearest),
            ("linear", Resampling::Linear),
            ("area", Resampling::Area),
        ] {
            // The CPU's bytes are OpenCV's, and stand for them where one level is allowed.
            let expected = resize(&own.view(), width, height, resampling).unwrap();
            found.hash(key, &record[key], expected.data());
            let view = altered.view();
            let resized = gpu.resize(&view, width, height, resampling).await;
            let resized = match resized {
                // The CPU stands in where more samples become one than a GPU's loop takes.
                Err(GpuError::NoTwin { .. }) if key == "area" => {
                    resize(&view, width, height, resampling).unwrap()
                }
                resized => resized.unwrap(),
            };
            let pairs = expected.data().iter().zip(resized.data());
            let most = pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            found.note(most <= u8::from(key == "area"), || {
                format!("{key}: {most} levels at {width} × {height}")
            });
        }
    }
}

pub(super) async fn the_gpu_has_the_python_tools_values(gpu: &Gpu) {
    let found = python_tools(gpu, usize::MAX, Clone::clone).await;
    // 18 cases of 15 values, and 100 sizes by three ways, on the CPU and on the GPU.
    found.require("metrics.json", 18 * 15 + 100 * 3 * 2);
}

pub(super) async fn pictures_upside_down_fail_the_python_tools_values(gpu: &Gpu) {
    let found = python_tools(gpu, 65, turned).await;
    for name in [
        "mse",
        "mae",
        "psnr",
        "ssim",
        "ssim_grey",
        "ssim_gaussian",
        "ssim_gaussian_grey",
        "ssim_range_100",
        "ssim_window_3",
        "grey of Pillow",
        "grey of OpenCV",
        "canny",
        "edge_mse",
        "nearest",
        "linear",
        "area",
    ] {
        let begin = [": ", " differs"].map(|end| format!("{name}{end}"));
        let is_noticed = |line: &&String| begin.iter().any(|begin| line.starts_with(begin));
        let count = found.wrong.iter().filter(is_noticed).count();
        assert!(count >= 5, "{name}: {count}");
    }
}

pub(super) async fn the_gpu_has_the_torch_packages_values(gpu: &Gpu) {
    let vectors: Value = serde_json::from_str(torch_metrics::VECTORS).unwrap();
    let (mut found, mut other) = (Found::default(), Found::default());
    for case in vectors["cases"].as_array().unwrap() {
        let (width, height) = lengths(case);
        let (reference, candidates) = torch_metrics::pictures_of(width, height);
        for (idx, candidate) in candidates.iter().enumerate() {
            for metric in [
                Metric::SsimTorchmetrics,
                Metric::MsSsim,
                Metric::MsSsimPytorch,
            ] {
                let Some(expected) = case.get(metric.id()).map(|values| &values[idx]) else {
                    continue;
                };
                let value = gpu.compute(metric, pair(&reference, candidate)).await;
                found.number(metric.id(), expected, &value, SSIM_TOLERANCE);
                // A part of the vectors is enough for the sibling that must fail.
                if width <= 201 && idx == 1 {
                    let turned = turned(candidate);
                    let value = gpu.compute(metric, pair(&reference, &turned)).await;
                    other.number(metric.id(), expected, &value, SSIM_TOLERANCE);
                }
            }
        }
    }
    found.require("torch_metrics.json", torch_metrics::NUM_VALUES);
    // What is refused is refused either way.
    assert!(other.wrong.len() > other.agree, "{}", other.agree);
}

pub(super) async fn the_gpu_has_the_authors_edges_and_overlaps(gpu: &Gpu) {
    let mut found = Found::default();
    for (picture, expected) in multiref_metrics::edges_of_cases() {
        let grey = gpu.grey(&picture.view(), Grey::OpenCv).await.unwrap();
        let edges = gpu.canny(&grey.view(), Canny::MULTIREF).await.unwrap();
        let runs = multiref_metrics::runs(&edges.map);
        found.note(runs == expected, || format!("edges: {runs}"));
    }
    found.require("the authors' edges", 5);
    let (mut found, mut other) = (Found::default(), 0);
    for ([a, b], expected) in multiref_metrics::masks_of_cases() {
        let overlap = gpu.mask_overlap(&b.view(), &a.view()).await;
        let value = overlap.map(|overlap| overlap.iou());
        match expected.as_f64() {
            Some(iou) => {
                found.number("mask IoU", &expected, &value, 1e-15);
                let emptied = Image::new(b.view().width(), b.view().height(), 1, {
                    vec![0; b.data().len() / b.view().channels()]
                });
                let overlap = gpu.mask_overlap(&emptied.unwrap().view(), &a.view()).await;
                other +=
                    usize::from(overlap.is_ok_and(|overlap| (overlap.iou() - iou).abs() > 1e-15));
            }
            // The authors' function raises.
            None => found.note(value.is_err(), || format!("mask IoU: {value:?}")),
        }
    }
    found.require("the authors' overlaps of masks", 8);
    assert!(other >= 3, "{other}");
}

fn rgba(picture: &Rgba) -> Image<u8> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    Image::new(width, height, 4, picture.data.clone()).unwrap()
}

pub(super) async fn the_gpu_has_pillows_pictures(gpu: &Gpu) {
    let mut other = 0;
    for &(filter, (w, h), (width, height), expected) in pillow::PILLOW {
        let picture = owned(pillow::formula(w, h));
        let to = [width, height].map(|side| side as usize);
        let found = pillow_on(gpu, &picture, to, filter).await;
        assert_eq!(hex(found.data()), expected, "{filter:?} {w} × {h}");
        let wrong = match filter {
            Filter::Bicubic => Filter::Lanczos,
            _ => Filter::Bicubic,
        };
        let found = pillow_on(gpu, &picture, to, wrong).await;
        other += usize::from(hex(found.data()) != expected);
    }
    assert_eq!(other, pillow::PILLOW.len());
    for &((w, h), (width, height), _, merged) in pillow::PILLOW_RGBA {
        let layer = pillow::formula_rgba(w, h, 0);
        let layer = juror_image::resize_rgba(&layer, width, height, Filter::Bicubic).unwrap();
        let bottom = rgba(&pillow::formula_rgba(width, height, 19));
        let top = rgba(&layer);
        let found = gpu.composite(&bottom.view(), &top.view()).await.unwrap();
        assert_eq!(hex(found.data()), merged, "{w} × {h}");
        let found = gpu.composite(&top.view(), &bottom.view()).await.unwrap();
        assert_ne!(hex(found.data()), merged, "{w} × {h}");
    }
    let [bottom, top] = pillow::alphas().map(|layer| rgba(&layer));
    let found = gpu.composite(&bottom.view(), &top.view()).await.unwrap();
    assert_eq!(sha256(found.data()), pillow::PILLOW_ALPHAS);
}

pub(super) async fn the_gpu_has_numpys_attention(gpu: &Gpu) {
    let mut count = 0;
    for (name, call, expected) in dar::cases() {
        // Logits beyond 100 are more than f32 can hold to.
        if name == "large logits" {
            continue;
        }
        let weights = call.weigh().weights;
        let maps = gpu
            .dar_maps(&call, &weights, Focus::default())
            .await
            .unwrap();
        for (key, found) in [("before", &maps.before), ("after", &maps.after)] {
            let expected: Vec<f64> = serde_json::from_value(expected[key].clone()).unwrap();
            assert_eq!(found.len(), expected.len(), "{name} {key}");
            // NaN is not within the tolerance of anything.
            let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= super::dar::DAR_TOLERANCE;
            assert!(expected.iter().zip(found).all(is_close), "{name} {key}");
        }
        count += 1;
    }
    assert_eq!(count, dar::NUM_CASES - 1);
}

pub(super) async fn the_golden_pictures_score_alike_on_gpu_and_cpu(gpu: &Gpu) {
    let Some(golden) = Golden::open() else { return };
    let metrics: Vec<Metric> = Metric::ALL
        .into_iter()
        .filter(|metric| has_twin(*metric))
        .collect();
    let (mut count, mut largest) = (0, 0.0_f64);
    for (name, _, reference, candidate) in golden.pairs() {
        let values = gpu
            .start(&metrics, &[pair(&reference, &candidate)])
            .finish()
            .await;
        let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
        for (metric, found) in metrics.iter().zip(&values[0]) {
            match metric.compute(&r, &c) {
                Err(error) => assert_eq!(found, &Err(GpuError::Metric(error))),
                Ok(expected) => {
                    let found = found.clone().unwrap();
                    let is_equal = expected.to_bits() == found.to_bits();
                    let difference = if is_equal {
                        0.0
                    } else {
                        (expected - found).abs()
                    };
                    let allowed = if SSIMS.contains(metric) {
                        SSIM_TOLERANCE
                    } else {
                        0.0
                    };
                    assert!(
                        difference <= allowed,
                        "{name} {}: {expected} {found}",
                        metric.id()
                    );
                    largest = largest.max(difference);
                    count += 1;
                }
            }
        }
    }
    say!("golden pictures: {count} values, largest difference {largest:.1e}");
    assert!(count > 100, "{count}");
}
