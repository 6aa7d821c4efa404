//! Holds the image metrics against the Python tools' values on the golden pictures: `OpenCV`, scikit-image, Pillow,
//! torchmetrics, NumPy and SciPy.
#![expect(clippy::unwrap_used, reason = "a test stops at broken vectors")]

use juror_image::{Filter, Limits, decode_rgb};
use juror_metrics::{
    Array, BoundingBox, BoxRule, Canny, Grey, Image, Input, LabelMap, MIN_REGION_PX, Map, Metric,
    MetricError, MsSsim, Overlap, Pixels, Resampling, View, Window, adaptive_threshold, assign,
    canny, cosine, drawn_box, fid_multiref, frechet, grey, mae, mask_multiref, match_regions,
    ms_ssim, mse, mse_multiref, pose_pixels, psnr, resize, semantic_map, ssim, ssim_torchmetrics,
    sum_of_squares,
};
use juror_model::prompt::sha256;
use juror_tests::golden::folder::{Golden, owned};
use juror_tests::say;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

use super::files::bytes;

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

#[wasm_bindgen_test(unsupported = test)]
fn three_greys_are_equal_to_the_byte() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_greys(&golden, grey);
    say!("greys: {} of {count} equal to the byte", count - wrong);
    assert_eq!((count, wrong), (84, 0));
}

#[wasm_bindgen_test(unsupported = test)]
fn one_grey_for_all_is_told_apart() {
    let Some(golden) = Golden::open() else { return };
    let (_, wrong) = wrong_greys(&golden, |picture, _| grey(picture, Grey::OpenCv));
    assert!(wrong >= 30, "{wrong}");
}

#[wasm_bindgen_test(unsupported = test)]
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
    say!("mse, mae, psnr: {count} values");
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

#[wasm_bindgen_test(unsupported = test)]
fn ssim_is_scikit_images() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_ssims(&golden, |r, c, window| Ok(ssim(r, c, window, 255.0)?.value));
    say!("ssim: {} of {count} values", count - wrong.len());
    assert_eq!(count, 14 * 8);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[wasm_bindgen_test(unsupported = test)]
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

#[wasm_bindgen_test(unsupported = test)]
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
            assert!(
                agrees(expected, &found, tolerance),
                "{name} {key}: {expected}"
            );
            count += 1;
        }
    }
    say!("torch: {count} values");
    assert_eq!(count, 10);
}

#[wasm_bindgen_test(unsupported = test)]
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

#[wasm_bindgen_test(unsupported = test)]
fn canny_is_opencvs_to_the_bit() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_edges(&golden, Grey::OpenCv, 0.0);
    say!("canny: {} of {count} maps equal to the bit", count - wrong);
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

#[wasm_bindgen_test(unsupported = test)]
fn canny_on_another_grey_or_some_levels_off_is_told_apart() {
    let Some(golden) = Golden::open() else { return };
    assert!(wrong_edges(&golden, Grey::OpenCvPngRead, 0.0).1 >= 5);
    assert!(wrong_edges(&golden, Grey::OpenCv, 8.0).1 >= 10);
}

#[wasm_bindgen_test(unsupported = test)]
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
    say!("mse of maps: {count} values");
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

#[wasm_bindgen_test(unsupported = test)]
fn area_and_nearest_resampling_are_opencvs_to_the_byte() {
    let Some(golden) = Golden::open() else { return };
    let (count, wrong) = wrong_resizes(&golden, |resampling| resampling);
    say!("cv2.resize: {} of {count} equal to the byte", count - wrong);
    assert_eq!((count, wrong), (24, 0));
}

#[wasm_bindgen_test(unsupported = test)]
fn linear_resampling_is_told_from_area_and_nearest() {
    let Some(golden) = Golden::open() else { return };
    // Pictures that keep their size are copies under each.
    assert!(wrong_resizes(&golden, |_| Resampling::Linear).1 >= 18);
}

#[wasm_bindgen_test(unsupported = test)]
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
    say!("after Lanczos: {count} values");
    assert_eq!(count, 8);
}

#[wasm_bindgen_test(unsupported = test)]
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
    say!("greys of files: {count} equal to the byte");
    assert_eq!(count, 12);
}

#[wasm_bindgen_test(unsupported = test)]
fn masks_overlap_as_in_numpy() {
    let Some(golden) = Golden::open() else { return };
    let cases = golden.values["overlap"]["mask"].as_array().unwrap();
    for case in cases {
        let (r, c) = (golden.rgb(&case["ref"]), golden.rgb(&case["gen"]));
        let found = mask_multiref(&c.view(), &r.view()).unwrap();
        let expected = Overlap {
            intersection: case["inter"].as_u64().unwrap(),
            union: case["union"].as_u64().unwrap(),
        };
        assert_eq!(found, expected);
        assert!(relative(number(&case["iou"]), found.iou(), 1e-16));
    }
    say!("mask IoU: {} cases", cases.len());
    assert_eq!(cases.len(), 4);
    // The sibling that must fail: the candidate brought to the reference's size.
    let (r, c) = (golden.rgb(&cases[1]["ref"]), golden.rgb(&cases[1]["gen"]));
    let turned = mask_multiref(&r.view(), &c.view()).unwrap();
    assert_ne!(cases[1]["inter"], turned.intersection);
}

fn bounding_box(corners: &Value) -> BoundingBox {
    BoundingBox::new(serde_json::from_value(corners.clone()).unwrap())
}

#[wasm_bindgen_test(unsupported = test)]
fn boxes_overlap_as_continuous_areas() {
    let Some(golden) = Golden::open() else { return };
    let cases = golden.values["overlap"]["bbox_iou"].as_array().unwrap();
    let mut wrong_with_one_added = 0;
    for case in cases {
        let (a, b) = (bounding_box(&case["a"]), bounding_box(&case["b"]));
        let expected = number(&case["iou"]);
        assert!(relative(expected, a.iou(&b), 1e-15), "{case}");
        let wider = |of: BoundingBox| BoundingBox {
            x1: of.x1 + 1.0,
            y1: of.y1 + 1.0,
            ..of
        };
        wrong_with_one_added += usize::from(!relative(expected, wider(a).iou(&wider(b)), 1e-15));
    }
    say!("box IoU: {} cases", cases.len());
    assert_eq!(cases.len(), 49);
    assert!(wrong_with_one_added > 5, "{wrong_with_one_added}");
}

#[wasm_bindgen_test(unsupported = test)]
fn boxes_are_found_by_both_rules() {
    let Some(golden) = Golden::open() else { return };
    let cases = golden.values["overlap"]["bbox_from_image"]
        .as_array()
        .unwrap();
    for case in cases {
        let picture = golden.rgb(&case["src"]);
        let found = |rule| drawn_box(&picture.view(), rule).unwrap();
        assert_eq!(found(BoxRule::Released), bounding_box(&case["bbox_bench"]));
        assert_eq!(
            found(BoxRule::Intended),
            bounding_box(&case["bbox_nonzero"])
        );
        assert_ne!(found(BoxRule::Intended), found(BoxRule::Released));
        let brightest: Vec<u8> = picture
            .data()
            .chunks(3)
            .map(|place| *place.iter().max().unwrap())
            .collect();
        let (width, height) = picture.view().size();
        let brightest = View::new(width, height, 1, &brightest).unwrap();
        let passed = adaptive_threshold(&brightest).unwrap();
        assert_eq!(case["adaptive"]["sha256_raw"], sha256(passed.data()));
    }
    say!(
        "boxes in pictures: {} cases, thresholds equal to the bit",
        cases.len()
    );
    assert_eq!(cases.len(), 3);
}

#[wasm_bindgen_test(unsupported = test)]
fn regions_are_matched_as_scipy_matches_them() {
    let Some(golden) = Golden::open() else { return };
    let cases = golden.values["overlap"]["semantic_map"].as_array().unwrap();
    for case in cases {
        let (c, r) = (golden.rgb(&case["gen"]), golden.rgb(&case["ref"]));
        let reference = grey(&r.view(), Grey::OpenCvPngRead).unwrap();
        let found = semantic_map(&c.view(), &reference.view()).unwrap();
        let labels = LabelMap::new(&c.view()).unwrap();
        assert_eq!(case["labels_gen"], labels.num_labels());
        assert_eq!(
            (&case["kept_gen"], &case["kept_ref"]),
            (&found.kept[0].into(), &found.kept[1].into())
        );
        let expected: Vec<f64> =
            serde_json::from_value::<Vec<Vec<f64>>>(case["iou_matrix"].clone())
                .unwrap()
                .concat();
        assert_eq!(found.ious.len(), expected.len());
        let mut ious = expected.iter().zip(&found.ious);
        // The JSON reader may miss a number's last bit.
        assert!(ious.all(|(a, b)| relative(*a, *b, 3e-16)));
        let (rows, columns): (Vec<usize>, Vec<usize>) = found.pairs.iter().copied().unzip();
        assert_eq!(
            (&case["rows"], &case["cols"]),
            (&rows.into(), &columns.into())
        );
        assert!(relative(number(&case["mean_iou"]), found.mean_iou, 1e-15));
        // The sibling that must fail: only large regions count.
        let resized = resize(&reference.view(), 120, 96, Resampling::Nearest).unwrap();
        let reference = LabelMap::new(&resized.view()).unwrap();
        let fewer = match_regions(&labels, &reference, 1500).unwrap();
        let large = match_regions(&labels, &reference, MIN_REGION_PX).unwrap();
        assert!((fewer.mean_iou - number(&case["mean_iou"])).abs() > 1e-3);
        assert_eq!(large, found);
    }
    say!("region maps: {} cases", cases.len());
    assert_eq!(cases.len(), 2);
}

#[wasm_bindgen_test(unsupported = test)]
fn poses_are_counted_as_in_numpy() {
    let Some(golden) = Golden::open() else { return };
    let cases = golden.values["overlap"]["pose_pixel_ap"]
        .as_array()
        .unwrap();
    for case in cases {
        let (first, second) = (golden.rgb(&case["truth"]), golden.rgb(&case["pred"]));
        let found = pose_pixels(&first.view(), &second.view()).unwrap();
        let counts = [found.both, found.second_only, found.first_only];
        assert_eq!([&case["tp"], &case["fp"], &case["fn"]], counts);
        for (expected, found) in [
            ("precision", found.precision()),
            ("recall", found.recall()),
            ("ap", found.value()),
        ] {
            assert!(relative(number(&case[expected]), found, 1e-15), "{case}");
        }
    }
    say!("poses: {} cases", cases.len());
    assert_eq!(cases.len(), 5);
    // The sibling that must fail: precision alone is another number.
    assert!((number(&cases[1]["precision"]) - number(&cases[1]["ap"])).abs() > 0.1);
}

#[wasm_bindgen_test(unsupported = test)]
fn assignments_reach_scipys_sum() {
    let Some(golden) = Golden::open() else { return };
    let cases = golden.values["overlap"]["hungarian_max"]
        .as_array()
        .unwrap();
    let mut greedy_is_worse = 0;
    for case in cases {
        let profit: Vec<Vec<f64>> = serde_json::from_value(case["profit"].clone()).unwrap();
        let columns = profit[0].len();
        let pairs = assign(&profit.concat(), columns);
        let total: f64 = pairs
            .iter()
            .map(|(row, column)| profit[*row][*column])
            .sum();
        let expected = number(&case["total"]);
        assert!((expected - total).abs() < 1e-12, "{expected} {total}");
        assert_eq!(pairs.len(), profit.len().min(columns));
        if case.get("rows").is_some() {
            let (rows, columns): (Vec<usize>, Vec<usize>) = pairs.into_iter().unzip();
            assert_eq!(
                (&case["rows"], &case["cols"]),
                (&rows.into(), &columns.into())
            );
        }
        greedy_is_worse += usize::from(greedy(&profit) < expected - 1e-12);
    }
    say!(
        "assignments: {} cases, greedy pairing loses {greedy_is_worse}",
        cases.len()
    );
    assert_eq!(cases.len(), 7);
    // The sibling that must fail: taking the best pair first.
    assert!(greedy_is_worse >= 2);
}

fn greedy(profit: &[Vec<f64>]) -> f64 {
    let mut free: Vec<usize> = (0..profit[0].len()).collect();
    let mut total = 0.0;
    for row in profit {
        let Some(at) = (0..free.len()).max_by(|a, b| row[free[*a]].total_cmp(&row[free[*b]]))
        else {
            break;
        };
        total += row[free.swap_remove(at)];
    }
    total
}

/// Singular values against singular values; the usual matrix root is 1e-6 off where a set is rank deficient.
const FID_TOLERANCE: f64 = 1e-11;

#[wasm_bindgen_test(unsupported = test)]
fn frechet_distances_are_those_of_exact_singular_values() {
    let Some(golden) = Golden::open() else { return };
    let mut count = 0;
    for case in golden.values["fid"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let Some(expected) = case.get("fid_svd_exact") else {
            continue;
        };
        let expected = number(expected).max(0.0);
        let (x, y) = (golden.numbers(&case["x"]), golden.numbers(&case["y"]));
        let [n, m, d] = ["n", "m", "d"].map(|key| side(&case[key]));
        let x = View::new(d, n, 1, &x).unwrap();
        let y = View::new(d, m, 1, &y).unwrap();
        let found = frechet(&x, &y).unwrap();
        let tolerance = FID_TOLERANCE * (found.reference + found.candidate);
        assert!(
            (expected - found.value()).abs() <= tolerance,
            "{name}: {expected} {found:?}"
        );
        for (key, part) in [
            ("mean_sq", found.means),
            ("tr1", found.reference),
            ("tr2", found.candidate),
        ] {
            assert!(relative(number(&case[key]), part, 1e-13), "{name} {key}");
        }
        let usual = number(&case["fid_sqrtm"]);
        assert!(
            (usual - found.value()).abs() <= 1e-6 * usual.abs().max(1.0),
            "{name}"
        );
        // The sibling that must fail: covariances over N.
        let over_n = found.means
            + found.reference * (n - 1) as f64 / n as f64
            + found.candidate * (m - 1) as f64 / m as f64
            - 2.0 * found.root * (((n - 1) * (m - 1)) as f64 / (n * m) as f64).sqrt();
        assert!(name == "identical" || (over_n - expected).abs() > tolerance);
        count += 1;
    }
    say!("Fréchet distances: {count} cases");
    assert_eq!(count, 5);
}

#[wasm_bindgen_test(unsupported = test)]
fn single_image_numbers_and_cosines_agree() {
    let Some(golden) = Golden::open() else { return };
    let cases = golden.values["fid"].as_array().unwrap();
    let case = cases
        .iter()
        .find(|case| case["name"] == "single_image_bench")
        .unwrap();
    let features = golden.numbers(&case["feat"]);
    let found = fid_multiref(&features).unwrap();
    assert!(relative(number(&case["mean_squared_f64"]), found, 1e-14));
    // The authors' code averages in f32.
    assert!(relative(number(&case["value"]), found, 1e-7));
    // By its name it is the candidate's; the sibling that must fail is the reference's.
    let array = |data: Vec<f64>| {
        Input::Array(Array {
            shape: vec![1, data.len()],
            data,
            is_bytes: false,
        })
    };
    let (ones, features) = (array(vec![1.0; 2048]), array(features));
    let named = Metric::FidMultiref.compute(&ones, &features);
    assert_eq!(named, Ok(found));
    assert_eq!(Metric::FidMultiref.compute(&features, &ones), Ok(1.0));
    let case = cases.iter().find(|case| case["name"] == "cosine").unwrap();
    let features = golden.numbers(&case["feat"]);
    let vectors: Vec<&[f64]> = features.chunks(32).collect();
    for (a, row) in vectors.iter().zip(case["cosine"].as_array().unwrap()) {
        for (b, expected) in vectors.iter().zip(row.as_array().unwrap()) {
            assert!((number(expected) - cosine(a, b).unwrap()).abs() < 1e-15);
        }
    }
}

/// The JPEG files among the vectors.
const JPEGS: [&str; 6] = [
    "j_420.jpg",
    "j_420prog.jpg",
    "j_exif6.jpg",
    "j_422.jpg",
    "j_444.jpg",
    "j_gray.jpg",
];

/// A JPEG file: name, libjpeg-turbo's decode and ours, and the grey that `OpenCV` reads.
type Jpeg = (&'static str, [Image<u8>; 2], Image<u8>);

/// The six JPEG files.
fn jpegs(golden: &Golden) -> Vec<Jpeg> {
    let cases = golden.values["decode"].as_object().unwrap();
    let jpegs = JPEGS.map(|name| {
        let case = &cases[name];
        // OpenCV turns pictures upright, and so do we; Pillow does not.
        let theirs = match case["cv2_color"].get("file") {
            Some(file) => golden.rgb(file),
            None => golden.rgb(&case["pil_rgb"]["file"]),
        };
        let ours = golden.rgb(&Value::from(format!("images/{name}")));
        (
            name,
            [theirs, ours],
            golden.plane(&case["cv2_gray"]["file"]),
        )
    });
    let known = cases.keys().filter(|name| name.starts_with("j_"));
    assert_eq!(known.count(), jpegs.len());
    jpegs.into()
}

#[wasm_bindgen_test(unsupported = test)]
fn jpegs_are_decoded_byte_for_byte_as_libjpeg_turbo_decodes_them() {
    let Some(golden) = Golden::open() else { return };
    let jpegs = jpegs(&golden);
    for (name, [theirs, ours], _) in jpegs.iter().chain(&large_jpegs()) {
        assert!(theirs.data() == ours.data(), "{name}");
    }
    // The sibling that must fail: the same picture in another file.
    let of = |name: &str| jpegs.iter().find(|(other, ..)| *other == name).unwrap();
    let (full, half) = (of("j_444.jpg"), of("j_420.jpg"));
    assert!(full.1[0].data() != half.1[1].data());
}

/// The two files: libjpeg-turbo's decode and ours. `tests/golden/jpeg.py` writes them.
fn large_jpegs() -> Vec<Jpeg> {
    let vectors: Value = serde_json::from_str(include_str!("../../golden/jpeg.json")).unwrap();
    let picture = |hex: &Value| owned(decode_rgb(&bytes(hex), &Limits::default()).unwrap());
    let files = vectors["files"].as_array().unwrap().iter();
    let files = files.map(|file| {
        let sides = [picture(&file["png"]), picture(&file["jpeg"])];
        let luma = grey(&sides[0].view(), Grey::OpenCv).unwrap();
        ("large", sides, luma)
    });
    files.collect()
}

/// What the manual states about a JPEG reference that `OpenCV` reads as grey: how far the value of our decode moves, and at
/// least how far it would if the file were taken for a PNG.
const MOVED_BY_LUMA: [(Metric, f64, f64); 4] = [
    (Metric::Depth, 1.7e-7, 6e-6),
    (Metric::Sketch, 1.7e-7, 6e-6),
    (Metric::Canny, 2.1e-5, 0.001),
    (Metric::SemanticMap, 0.0, 0.0),
];

/// Most levels and the share of pixels between `OpenCV`'s grey of a JPEG and ours.
fn beside_luma(ours: &Image<u8>, luma: &Image<u8>, rounding: Grey) -> (u8, f64) {
    let found = grey(&ours.view(), rounding).unwrap();
    let levels = found
        .data()
        .iter()
        .zip(luma.data())
        .map(|(a, b)| a.abs_diff(*b));
    let differing = levels.clone().filter(|levels| *levels > 0).count();
    let share = differing as f64 / luma.data().len() as f64;
    (levels.max().unwrap(), share)
}

#[wasm_bindgen_test(unsupported = test)]
fn the_grey_of_jpeg_references_is_as_far_from_opencvs_as_stated() {
    let Some(golden) = Golden::open() else { return };
    let jpegs = jpegs(&golden);
    let mut largest = 0;
    for (name, [_, ours], luma) in &jpegs {
        let (most, share) = beside_luma(ours, luma, Grey::OpenCv);
        say!("{name}: at most {most} levels in {share:.4} of the pixels");
        assert!(share < 0.0015, "{name}: {share}");
        largest = largest.max(most);
        // The sibling that must differ, but where there is nothing to round: as a PNG is read.
        let (_, share) = beside_luma(ours, luma, Grey::OpenCvPngRead);
        assert!(share > 0.4 || *name == "j_gray.jpg", "{name}: {share}");
    }
    assert_eq!(largest, 4);
    for (metric, stated, otherwise) in MOVED_BY_LUMA {
        let (mut found, mut other) = (0.0_f64, 0.0_f64);
        for (_, [_, ours], luma) in &jpegs {
            let (width, height) = luma.view().size();
            let luma = Input::Array(Array {
                shape: vec![height, width],
                data: luma.data().iter().map(|level| f64::from(*level)).collect(),
                is_bytes: true,
            });
            let candidate = Input::Picture(ours.clone());
            let value = |reference: &Input| metric.compute(reference, &candidate).unwrap();
            let theirs = value(&luma);
            found = found.max((theirs - value(&Input::Jpeg(ours.clone()))).abs());
            other = other.max((theirs - value(&candidate)).abs());
        }
        say!(
            "{} of a JPEG reference: {found:.3e} of {stated:e}, {other:.3e} as a PNG",
            metric.id()
        );
        assert!(found <= stated, "{}: {found}", metric.id());
        assert!(other >= otherwise, "{}: {other}", metric.id());
    }
}
