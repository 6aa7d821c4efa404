//! Holds the image metrics against the Python tools' values on the golden pictures: `OpenCV`, scikit-image, Pillow,
//! torchmetrics, NumPy and SciPy.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test stops at broken vectors, says loudly what it skipped and counts what it ran"
)]

use std::path::PathBuf;

use juror_core::prompt::sha256;
use juror_image::{Filter, Limits, Rgb, decode_rgb};
use juror_metrics::{
    Canny, Grey, Image, Map, MetricError, MsSsim, Pixels, Resampling, View, Window, canny, grey,
    mae, ms_ssim, mse, mse_multiref, psnr, resize, ssim, ssim_torchmetrics, sum_of_squares,
};
use serde_json::Value;

/// The golden folder and its list of values, or `None` with one loud line.
struct Golden {
    root: PathBuf,
    values: Value,
}

impl Golden {
    fn open() -> Option<Self> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/metrics-golden");
        let path = root.join("golden.json");
        if !path.exists() {
            eprintln!("SKIPPED: {} is absent", path.display());
            return None;
        }
        let values = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        Some(Self { root, values })
    }

    fn bytes(&self, path: &Value) -> Vec<u8> {
        std::fs::read(self.root.join(path.as_str().unwrap())).unwrap()
    }

    fn rgb(&self, path: &Value) -> Image<u8> {
        owned(decode_rgb(&self.bytes(path), &Limits::default()).unwrap())
    }

    /// A stored grey picture.
    fn plane(&self, path: &Value) -> Image<u8> {
        self.rgb(path).view().channel(0).unwrap()
    }

    /// Raw little-endian numbers.
    fn numbers(&self, record: &Value) -> Vec<f64> {
        let bytes = self.bytes(&record["file"]);
        match record["dtype"].as_str().unwrap() {
            "<f4" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| f64::from(f32::from_le_bytes(*b)))
                .collect(),
            "<f8" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| f64::from_le_bytes(*b))
                .collect(),
            other => panic!("{other} is new"),
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&String, &Value, Image<u8>, Image<u8>)> {
        let pairs = self.values["pairs"].as_object().unwrap();
        assert_eq!(pairs.len(), 14);
        pairs
            .iter()
            .map(|(name, pair)| (name, pair, self.rgb(&pair["ref"]), self.rgb(&pair["gen"])))
    }
}

fn owned(picture: Rgb) -> Image<u8> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    Image::new(width, height, 3, picture.data).unwrap()
}

fn side(length: &Value) -> usize {
    usize::try_from(length.as_u64().unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some(other) => panic!("{other} is new"),
        None => value.as_f64().unwrap(),
    }
}

/// Within a part of the expected value.
fn relative(expected: f64, found: f64, tolerance: f64) -> bool {
    // Infinities are equal to themselves only.
    expected.to_bits() == found.to_bits() || (expected - found).abs() <= tolerance * expected.abs()
}

/// Equal to a number, or an error where Python raised.
fn agrees(expected: &Value, found: &Result<f64, MetricError>, tolerance: f64) -> bool {
    match found {
        Err(_) => expected.get("error").is_some(),
        Ok(found) => {
            expected.get("error").is_none() && (number(expected) - found).abs() <= tolerance
        }
    }
}

/// Whole sums: the last division alone can differ.
const MSE_TOLERANCE: f64 = 1e-15;
/// Logarithms of two libraries.
const PSNR_TOLERANCE: f64 = 1e-14;
/// scikit-image smooths with running sums in f64, which we replace by exact whole numbers.
const SSIM_TOLERANCE: f64 = 1e-12;
/// Near-flat bright pictures: two orders of an f64 sum, and torch's own convolution.
const TORCH_TOLERANCE: f64 = 1e-12;

type Greys = fn(&Pixels<'_>, Grey) -> Result<Image<u8>, MetricError>;

/// Greys that differ from the tools' by hash, of 14 pairs in three roundings.
fn wrong_greys(golden: &Golden, grey: Greys) -> (usize, usize) {
    let (mut count, mut wrong) = (0, 0);
    for (_, pair, reference, candidate) in golden.pairs() {
        for (key, rounding) in [
            ("gray_cv2_sha256", Grey::OpenCv),
            ("gray_pilL_sha256", Grey::Pillow),
            ("imread_gray_sha256", Grey::OpenCvPngRead),
        ] {
            for (idx, picture) in [&reference, &candidate].into_iter().enumerate() {
                count += 1;
                let found = grey(&picture.view(), rounding).unwrap();
                wrong += usize::from(pair[key][idx] != sha256(found.data()));
            }
        }
    }
    (count, wrong)
}

#[test]
fn three_greys_are_equal_to_the_byte() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_greys(&golden, grey);
    println!("greys: {} of {count} equal to the byte", count - wrong);
    assert_eq!((count, wrong), (84, 0));
}

#[test]
fn one_grey_for_all_is_told_apart() {
    let Some(golden) = Golden::open() else { return };
    let (_, wrong) = wrong_greys(&golden, |picture, _| grey(picture, Grey::OpenCv));
    assert!(wrong >= 30, "{wrong}");
}

#[test]
fn mse_mae_and_psnr_are_scikit_images() {
    let Some(golden) = Golden::open() else { return };
    let mut count = 0;
    for (name, pair, reference, candidate) in golden.pairs() {
        let (r, c) = (reference.view(), candidate.view());
        let found = mse(&r, &c).unwrap();
        for (expected, found, tolerance) in [
            ("mse_255_rgb", found, MSE_TOLERANCE),
            // NumPy divides each sample by 255 first and adds up rounded squares.
            ("mse_unit_rgb", found / 65025.0, 1e-13),
            ("mae_255_rgb", mae(&r, &c).unwrap(), MSE_TOLERANCE),
            ("psnr_skimage_rgb", psnr(&r, &c).unwrap(), PSNR_TOLERANCE),
        ] {
            let expected_value = number(&pair[expected]);
            assert!(
                relative(expected_value, found, tolerance),
                "{name} {expected}: {expected_value} {found}"
            );
            count += 1;
        }
        assert_eq!(pair["sse_int_rgb"], sum_of_squares(&r, &c).unwrap());
        let [r, c] = [r, c].map(|picture| grey(&picture, Grey::OpenCv).unwrap());
        let found = mse(&r.view(), &c.view()).unwrap();
        assert!(relative(
            number(&pair["mse_255_gray"]),
            found,
            MSE_TOLERANCE
        ));
        // MultiRef's on two grey maps.
        let maps = [&c, &r].map(|map| Map::Bytes(map.view()));
        let found = mse_multiref(&maps[0], &maps[1]).unwrap();
        assert!(relative(number(&pair["sketch_depth_mse"]), found, 1e-13));
        count += 3;
    }
    println!("mse, mae, psnr: {count} values");
    assert_eq!(count, 14 * 7);
}

/// SSIM values that differ, under an implementation at hand: window, pictures → value.
fn wrong_ssims(
    golden: &Golden,
    ssim: impl Fn(&Pixels<'_>, &Pixels<'_>, Window) -> Result<f64, MetricError>,
) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, pair, reference, candidate) in golden.pairs() {
        let (r, c) = (reference.view(), candidate.view());
        let greys = [r, c].map(|picture| grey(&picture, Grey::OpenCv).unwrap());
        let (gr, gc) = (greys[0].view(), greys[1].view());
        let fitting = Window::fitting(r.width(), r.height());
        let mut check = |key: &str, expected: &Value, found: Result<f64, MetricError>| {
            count += 1;
            if !agrees(expected, &found, SSIM_TOLERANCE) {
                wrong.push(format!("{name} {key}: {expected} {found:?}"));
            }
        };
        check("bench", &pair["ssim_bench_rgb"], ssim(&c, &r, fitting));
        check(
            "uniform",
            &pair["ssim_u7_rgb"],
            ssim(&r, &c, Window::UNIFORM),
        );
        check(
            "grey",
            &pair["ssim_u7_gray"],
            ssim(&gr, &gc, Window::UNIFORM),
        );
        check(
            "gaussian",
            &pair["ssim_g15_rgb"],
            ssim(&r, &c, Window::GAUSSIAN),
        );
        check(
            "gaussian grey",
            &pair["ssim_g15_gray"],
            ssim(&gr, &gc, Window::GAUSSIAN),
        );
        for idx in 0..3 {
            let [r, c] = [r, c].map(|picture| picture.channel(idx).unwrap());
            let found = ssim(&r.view(), &c.view(), Window::UNIFORM);
            check("channel", &pair["ssim_u7_rgb_channels"][idx], found);
        }
    }
    (count, wrong)
}

#[test]
fn ssim_is_scikit_images() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_ssims(&golden, |r, c, window| Ok(ssim(r, c, window, 255.0)?.value));
    println!("ssim: {} of {count} values", count - wrong.len());
    assert_eq!(count, 14 * 8);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ssim_with_another_data_range_or_window_is_told_apart() {
    let Some(golden) = Golden::open() else { return };
    let (_, wrong) = wrong_ssims(&golden, |r, c, window| Ok(ssim(r, c, window, 254.0)?.value));
    assert!(wrong.len() > 40, "{}", wrong.len());
    let (_, wrong) = wrong_ssims(&golden, |r, c, window| {
        let window = match window {
            Window::Gaussian(_) => Window::Gaussian(1.6),
            Window::Uniform(_) => Window::Uniform(5),
        };
        Ok(ssim(r, c, window, 255.0)?.value)
    });
    assert!(wrong.len() > 40, "{}", wrong.len());
}

#[test]
fn ssim_and_ms_ssim_of_the_torch_packages_agree() {
    let Some(golden) = Golden::open() else { return };
    let mut count = 0;
    for (name, pair, reference, candidate) in golden.pairs() {
        let (r, c) = (reference.view(), candidate.view());
        let torch = &pair["torch"];
        for (key, found, tolerance) in [
            (
                "torchmetrics_ssim_f64",
                ssim_torchmetrics(&r, &c),
                TORCH_TOLERANCE,
            ),
            (
                "torchmetrics_msssim_f64",
                ms_ssim(&r, &c, MsSsim::Torchmetrics),
                TORCH_TOLERANCE,
            ),
            (
                "pytorch_msssim_msssim_f64",
                ms_ssim(&r, &c, MsSsim::PytorchMsssim),
                TORCH_TOLERANCE,
            ),
        ] {
            let Some(expected) = torch.get(key) else {
                continue;
            };
            println!(
                "{name} {key}: {:e}",
                number(expected) - found.clone().unwrap()
            );
            assert!(
                agrees(expected, &found, tolerance),
                "{name} {key}: {expected}"
            );
            count += 1;
        }
    }
    println!("torch: {count} values");
    assert_eq!(count, 10);
}

#[test]
fn the_two_ms_ssims_are_told_apart() {
    let Some(golden) = Golden::open() else { return };
    let pair = &golden.values["pairs"]["p0"];
    let (r, c) = (golden.rgb(&pair["ref"]), golden.rgb(&pair["gen"]));
    let found = ms_ssim(&r.view(), &c.view(), MsSsim::PytorchMsssim);
    assert!(!agrees(
        &pair["torch"]["torchmetrics_msssim_f64"],
        &found,
        1e-5
    ));
}

/// Edge maps that differ from `OpenCV`'s.
fn wrong_edges(golden: &Golden, rounding: Grey, shift: f64) -> (usize, usize) {
    let edges = |picture: &Pixels<'_>, low: f64, high: f64| {
        let grey = grey(picture, rounding).unwrap();
        let thresholds = Canny {
            low: low + shift,
            high: high + shift,
        };
        canny(&grey.view(), thresholds).unwrap()
    };
    let (mut count, mut wrong) = (0, 0);
    for (_, pair, reference, candidate) in golden.pairs() {
        for (key, picture) in [("canny_ref", &reference), ("canny_gen", &candidate)] {
            let found = edges(&picture.view(), 100.0, 200.0);
            count += 1;
            wrong += usize::from(pair[key]["sha256_raw"] != sha256(found.data()));
        }
    }
    for case in golden.values["canny_extra"].as_array().unwrap() {
        let picture = golden.rgb(&case["input"]["file"]);
        let found = edges(&picture.view(), number(&case["lo"]), number(&case["hi"]));
        count += 1;
        wrong += usize::from(case["out"]["sha256_raw"] != sha256(found.data()));
    }
    (count, wrong)
}

#[test]
fn canny_is_opencvs_to_the_bit() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_edges(&golden, Grey::OpenCv, 0.0);
    println!("canny: {} of {count} maps equal to the bit", count - wrong);
    assert_eq!((count, wrong), (53, 0));
    for (name, pair, reference, candidate) in golden.pairs() {
        let [r, c] = [&reference, &candidate].map(|picture| {
            let grey = grey(&picture.view(), Grey::OpenCv).unwrap();
            canny(&grey.view(), Canny::MULTIREF).unwrap()
        });
        let differing = r.data().iter().zip(c.data()).filter(|(r, c)| r != c);
        assert_eq!(pair["edge_xor_px"], differing.count(), "{name}");
        let found = mse_multiref(&Map::Bytes(c.view()), &Map::Bytes(r.view())).unwrap();
        for key in ["canny_mse", "canny_mse_bench"] {
            assert!(relative(number(&pair[key]), found, 1e-13), "{name} {key}");
        }
    }
}

#[test]
fn canny_on_another_grey_or_some_levels_off_is_told_apart() {
    let Some(golden) = Golden::open() else { return };
    assert!(wrong_edges(&golden, Grey::OpenCvPngRead, 0.0).1 >= 5);
    assert!(wrong_edges(&golden, Grey::OpenCv, 8.0).1 >= 10);
}

#[test]
fn mse_of_maps_is_multirefs() {
    let Some(golden) = Golden::open() else { return };
    let mut count = 0;
    let reference = golden.rgb(&Value::from("images/p1_ref.png"));
    let reference = grey(&reference.view(), Grey::OpenCv).unwrap();
    for case in golden.values["mse_cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        if name == "area_f64_raw" {
            count += areas_of_reals(&golden, case);
            continue;
        }
        let (a, b, tolerance) = if case["a"].is_array() {
            (plane(&case["a"]), plane(&case["b"]), 1e-15)
        } else {
            let path = format!("images/{}_gen.png", name.trim_end_matches("_resized"));
            let candidate = golden.rgb(&Value::from(path));
            let candidate = grey(&candidate.view(), Grey::OpenCvPngRead).unwrap();
            // Sums of areas in another order.
            (reference.clone(), candidate, 1e-13)
        };
        let found = mse_multiref(&Map::Bytes(a.view()), &Map::Bytes(b.view())).unwrap();
        let expected = number(&case["value"]);
        assert!(
            relative(expected, found, tolerance),
            "{name}: {expected} {found}"
        );
        count += 1;
    }
    println!("mse of maps: {count} values");
    assert_eq!(count, 14);
}

fn plane(rows: &Value) -> Image<u8> {
    let rows: Vec<Vec<u8>> = serde_json::from_value(rows.clone()).unwrap();
    Image::new(rows[0].len(), rows.len(), 1, rows.concat()).unwrap()
}

fn areas_of_reals(golden: &Golden, case: &Value) -> usize {
    let source = golden.numbers(&case["src"]);
    let source = View::new(40, 30, 1, &source).unwrap();
    for key in ["down", "up", "half"] {
        let expected = golden.numbers(&case[key]);
        let shape = &case[key]["shape"];
        let (width, height) = (side(&shape[1]), side(&shape[0]));
        let found = resize(&source, width, height, Resampling::Area).unwrap();
        for (expected, found) in expected.iter().zip(found.data()) {
            assert!(
                relative(*expected, *found, 2e-15),
                "{key}: {expected} {found}"
            );
        }
    }
    3
}

/// Resampled pictures that differ from `OpenCV`'s.
fn wrong_resizes(golden: &Golden, chosen: impl Fn(Resampling) -> Resampling) -> (usize, usize) {
    let (mut count, mut wrong) = (0, 0);
    for case in golden.values["resize"].as_array().unwrap() {
        let resampling = match case["op"].as_str().unwrap() {
            "cv2.INTER_NEAREST" => Resampling::Nearest,
            "cv2.INTER_AREA" => Resampling::Area,
            _ => continue,
        };
        let mut source = golden.rgb(&case["src"]);
        if case["out"]["shape"].as_array().unwrap().len() == 2 {
            source = source.view().channel(0).unwrap();
        }
        let [width, height] = [0, 1].map(|idx| side(&case["size"][idx]));
        let found = resize(&source.view(), width, height, chosen(resampling)).unwrap();
        count += 1;
        wrong += usize::from(case["out"]["sha256_raw"] != sha256(found.data()));
    }
    (count, wrong)
}

#[test]
fn area_and_nearest_resampling_are_opencvs_to_the_byte() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_resizes(&golden, |resampling| resampling);
    println!("cv2.resize: {} of {count} equal to the byte", count - wrong);
    assert_eq!((count, wrong), (24, 0));
}

#[test]
fn linear_resampling_is_told_from_area_and_nearest() {
    let Some(golden) = Golden::open() else { return };
    // Pictures that keep their size are copies under each.
    assert!(wrong_resizes(&golden, |_| Resampling::Linear).1 >= 18);
}

#[test]
fn pictures_of_another_size_are_scored_after_pillows_lanczos() {
    let Some(golden) = Golden::open() else { return };
    let mut count = 0;
    for case in golden.values["resize"].as_array().unwrap() {
        if case["op"] != "bench_ssim_psnr_after_LANCZOS" {
            continue;
        }
        let reference = golden.rgb(&case["ref"]);
        let r = reference.view();
        let candidate = decode_rgb(&golden.bytes(&case["src"]), &Limits::default()).unwrap();
        let mismatch = ssim(&r, &owned(candidate.clone()).view(), Window::UNIFORM, 255.0);
        assert!(matches!(mismatch, Err(MetricError::SizeMismatch { .. })));
        let [width, height] = [r.width(), r.height()].map(|side| u32::try_from(side).unwrap());
        let resized = juror_image::resize(&candidate, width, height, Filter::Lanczos).unwrap();
        let candidate = owned(resized);
        let c = candidate.view();
        let window = Window::fitting(r.width(), r.height());
        let found = ssim(&c, &r, window, 255.0).map(|found| found.value);
        assert!(
            agrees(&case["ssim"], &found, SSIM_TOLERANCE),
            "{}",
            case["src"]
        );
        assert!(relative(
            number(&case["psnr"]),
            psnr(&r, &c).unwrap(),
            PSNR_TOLERANCE
        ));
        count += 2;
    }
    println!("after Lanczos: {count} values");
    assert_eq!(count, 8);
}

#[test]
fn greys_of_png_files_are_those_of_each_tool() {
    let Some(golden) = Golden::open() else { return };
    let mut count = 0;
    for (name, case) in golden.values["decode"].as_object().unwrap() {
        for (key, rounding) in [
            ("cv2_imread0", Grey::OpenCvPngRead),
            ("cv2_bgr2gray", Grey::OpenCv),
            ("pil_L", Grey::Pillow),
        ] {
            let Some(expected) = case.get(key) else {
                continue;
            };
            let picture = golden.rgb(&Value::from(format!("images/{name}")));
            let found = grey(&picture.view(), rounding).unwrap();
            assert_eq!(found, golden.plane(&expected["file"]), "{name} {key}");
            count += 1;
        }
    }
    println!("greys of files: {count} equal to the byte");
    assert_eq!(count, 12);
}
