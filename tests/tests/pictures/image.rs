//! Holds resampling, decoding and concatenation against what Pillow, OpenCV and the WEAVE authors' code compute.
#![expect(clippy::unwrap_used, reason = "a test stops at broken vectors")]

use juror_image::{
    Concatenation, Filter, Format, Limits, Rgb, Rgba, concatenate, decode_rgb, merge, probe,
    resize, resize_rgba,
};
use juror_model::prompt::sha256;
use juror_tests::golden::folder::Golden;
use juror_tests::golden::pillow::{
    PILLOW, PILLOW_ALPHAS, PILLOW_RGBA, alphas, formula, formula_rgba,
};
#[cfg(not(target_arch = "wasm32"))]
use juror_tests::say;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

/// Where large vectors lie, or `None` with one loud line.
#[cfg(not(target_arch = "wasm32"))]
fn shared(path: &str) -> Option<std::path::PathBuf> {
    let full = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(path);
    if full.exists() {
        return Some(full);
    }
    say!("SKIPPED: {} is absent", full.display());
    None
}

fn load(golden: &Golden, path: &str) -> Rgb {
    decode_rgb(&golden.bytes(&path.into()), &Limits::default()).unwrap()
}

fn hex(image: &Rgb) -> String {
    use std::fmt::Write as _;
    image.data.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[wasm_bindgen_test(unsupported = test)]
fn small_pictures_are_resampled_byte_for_byte_as_pillow_does() {
    for &(filter, (w, h), (width, height), expected) in PILLOW {
        let out = resize(&formula(w, h), width, height, filter).unwrap();
        assert_eq!(
            hex(&out),
            expected,
            "{filter:?} {w} × {h} → {width} × {height}"
        );
    }
}

/// The sibling that must fail: vertical pass first differs in a byte of these very vectors.
#[wasm_bindgen_test(unsupported = test)]
fn the_order_of_the_passes_shows_in_the_vectors() {
    let mut differing = 0;
    for &(filter, (w, h), (width, height), expected) in PILLOW {
        let rows_first = resize(&formula(w, h), w, height, filter).unwrap();
        let out = resize(&rows_first, width, height, filter).unwrap();
        differing += usize::from(hex(&out) != expected);
    }
    assert!(differing > 0);
}

fn filter_of(op: &str) -> Option<Filter> {
    match op {
        "PIL.BILINEAR" => Some(Filter::Bilinear),
        "PIL.BICUBIC" => Some(Filter::Bicubic),
        "PIL.LANCZOS" => Some(Filter::Lanczos),
        _ => None,
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn the_golden_pictures_are_resampled_byte_for_byte_as_pillow_does() {
    let Some(golden) = Golden::open() else { return };
    let side = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    let mut checked = 0;
    for case in golden.values["resize"].as_array().unwrap() {
        let Some(filter) = filter_of(case["op"].as_str().unwrap()) else {
            continue;
        };
        let (name, file) = (
            case["src"].as_str().unwrap(),
            case["out"]["file"].as_str().unwrap(),
        );
        let image = load(&golden, name);
        let (width, height) = (side(&case["size"][0]), side(&case["size"][1]));
        let expected = load(&golden, file);
        assert!(
            resize(&image, width, height, filter).unwrap() == expected,
            "{file} differs"
        );
        // The sibling that must fail; one case keeps its size, where every filter copies.
        let wrong = if filter == Filter::Bicubic {
            Filter::Lanczos
        } else {
            Filter::Bicubic
        };
        let copied = (width, height) == (image.width, image.height);
        let told_apart = resize(&image, width, height, wrong).unwrap() != expected;
        assert!(told_apart != copied, "{file} and {wrong:?}");
        checked += 1;
    }
    assert_eq!(checked, 26);
}

/// The largest difference of two samples, or `None` for different sizes.
fn largest_difference(a: &Rgb, b: &Rgb) -> Option<u8> {
    if (a.width, a.height) != (b.width, b.height) {
        return None;
    }
    a.data
        .iter()
        .zip(&b.data)
        .map(|(a, b)| a.abs_diff(*b))
        .max()
}

#[wasm_bindgen_test(unsupported = test)]
fn jpegs_are_decoded_as_pillow_decodes_them() {
    let Some(golden) = Golden::open() else { return };
    for name in ["j_444", "j_422", "j_420", "j_420prog", "j_gray"] {
        let ours = load(&golden, &format!("images/{name}.jpg"));
        let theirs = load(&golden, &format!("expected/{name}_pil.png"));
        let difference = largest_difference(&ours, &theirs).unwrap();
        assert_eq!(difference, 0, "{name}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn exif_orientation_is_applied_as_opencv_applies_it() {
    let Some(golden) = Golden::open() else { return };
    let file = golden.bytes(&"images/j_exif6.jpg".into());
    let stored = probe(&file, file.len() as u64, &Limits::default()).unwrap();
    assert_eq!(
        (stored.format, stored.width, stored.height),
        (Format::Jpeg, 80, 96)
    );
    let ours = decode_rgb(&file, &Limits::default()).unwrap();
    let upright = load(&golden, "expected/j_exif6_cv2.png");
    assert_eq!(largest_difference(&ours, &upright), Some(0));
    let as_stored = load(&golden, "expected/j_exif6_pil.png");
    assert_eq!(largest_difference(&ours, &as_stored), None);
}

struct Row {
    sizes: &'static [(u32, u32)],
    size: (u32, u32),
    font_px: u32,
    bottom_mean: f64,
}

/// Group `concatenate` of the WEAVE vectors: sizes, font size and mean of the bottom row, made with the authors' code at
/// commit dfc17dd from flat greys 77, 199, 98, 155.
const ROWS: [Row; 6] = [
    Row {
        sizes: &[(40, 20), (30, 60)],
        size: (155, 60),
        font_px: 5,
        bottom_mean: 106.355,
    },
    Row {
        sizes: &[(100, 100), (100, 100), (100, 100)],
        size: (310, 100),
        font_px: 8,
        bottom_mean: 128.871,
    },
    Row {
        sizes: &[(10, 5), (20, 40), (7, 13)],
        size: (131, 40),
        font_px: 3,
        bottom_mean: 112.58,
    },
    Row {
        sizes: &[(9000, 50), (300, 100)],
        size: (8192, 44),
        font_px: 8,
        bottom_mean: 79.046,
    },
    Row {
        sizes: &[(64, 64), (64, 64), (64, 64), (64, 64)],
        size: (271, 64),
        font_px: 5,
        bottom_mean: 139.044,
    },
    Row {
        sizes: &[(33, 48), (48, 33)],
        size: (107, 48),
        font_px: 4,
        bottom_mean: 163.991,
    },
];

fn joined(row: &Row) -> Concatenation {
    let greys = [77, 199, 98, 155];
    let images: Vec<Rgb> = row
        .sizes
        .iter()
        .zip(greys)
        .map(|(&(w, h), grey)| Rgb::filled(w, h, [grey; 3]).unwrap())
        .collect();
    concatenate(&images).unwrap()
}

fn bottom_mean(image: &Rgb) -> f64 {
    let len = 3 * image.width as usize;
    let row = image.data.chunks_exact(len).next_back().unwrap();
    row.iter().map(|&v| f64::from(v)).sum::<f64>() / len as f64
}

/// The vectors print means with three decimals.
const MEAN_TOLERANCE: f64 = 5.01e-4;

#[wasm_bindgen_test(unsupported = test)]
fn concatenated_rows_have_the_authors_sizes_font_and_bottom_row() {
    for row in &ROWS {
        let out = joined(row);
        assert_eq!(
            (out.image.width, out.image.height),
            row.size,
            "{:?}",
            row.sizes
        );
        assert_eq!(out.font_px, row.font_px, "{:?}", row.sizes);
        let mean = bottom_mean(&out.image);
        assert!(
            (mean - row.bottom_mean).abs() < MEAN_TOLERANCE,
            "{:?}: {mean}",
            row.sizes
        );
        assert_eq!(out.downscaled, row.size.0 == 8192);
    }
}

/// The sibling that must fail: grey separators, one step off white, are told apart in every row.
#[wasm_bindgen_test(unsupported = test)]
fn the_bottom_row_tells_a_separator_of_another_colour() {
    for row in ROWS.iter().filter(|row| row.size.0 < 8192) {
        let mut image = joined(row).image;
        for value in image.data.iter_mut().filter(|value| **value == 255) {
            *value = 200;
        }
        assert!(
            (bottom_mean(&image) - row.bottom_mean).abs() > MEAN_TOLERANCE,
            "{:?}",
            row.sizes
        );
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn the_committed_rows_are_the_ones_of_the_shared_vectors() {
    let Some(path) = shared("spec/golden/weave.json") else {
        return;
    };
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let groups = golden["groups"].as_array().unwrap();
    let group = groups
        .iter()
        .find(|group| group["group"] == "concatenate")
        .unwrap();
    let cases = group["cases"].as_array().unwrap();
    assert_eq!(cases.len(), ROWS.len());
    for (case, row) in cases.iter().zip(&ROWS) {
        let sizes: Vec<(u32, u32)> =
            serde_json::from_value(case["input"]["sizes_wh"].clone()).unwrap();
        assert_eq!(sizes, row.sizes);
        let expected = &case["expected"];
        assert_eq!(
            serde_json::from_value::<(u32, u32)>(expected["size_wh"].clone()).unwrap(),
            row.size
        );
        assert_eq!(expected["font_size"], row.font_px);
        assert_eq!(expected["bottom_row_means"][0], row.bottom_mean);
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn the_real_sample_pictures_are_probed_from_64_kib_and_small_ones_decode_to_that_size() {
    let Some(root) = shared("data/weavebench-sample/test/imgs") else {
        return;
    };
    let (mut probed, mut decoded) = (0, 0);
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let file = std::fs::read(&path).unwrap();
        let head = file.get(..1 << 16).unwrap_or(&file);
        let found = probe(head, file.len() as u64, &Limits::default()).unwrap();
        probed += 1;
        // Unoptimised builds are slow on megapixels.
        if file.len() > 100_000 {
            continue;
        }
        let image = decode_rgb(&file, &Limits::default()).unwrap();
        assert_eq!(
            (image.width, image.height),
            (found.width, found.height),
            "{}",
            path.display()
        );
        decoded += 1;
    }
    assert!(
        probed >= 40 && decoded >= 5,
        "{probed} probed, {decoded} decoded"
    );
}

fn hex_rgba(image: &Rgba) -> String {
    juror_model::prompt::hex(&image.data)
}

#[wasm_bindgen_test(unsupported = test)]
fn layers_are_resized_and_laid_over_pictures_as_pillow_does_it() {
    for &((w, h), (width, height), resized, merged) in PILLOW_RGBA {
        let layer = formula_rgba(w, h, 0);
        let out = resize_rgba(&layer, width, height, Filter::Bicubic).unwrap();
        assert_eq!(hex_rgba(&out), resized, "{w} × {h} → {width} × {height}");
        let source = formula_rgba(width, height, 19);
        let out = merge(&source, &layer).unwrap();
        assert_eq!(hex_rgba(&out), merged, "{w} × {h} over {width} × {height}");
    }
}

/// The sibling that must fail: colours resampled without their alpha are other colours.
#[wasm_bindgen_test(unsupported = test)]
fn resampling_colours_without_their_alpha_is_told_from_pillows() {
    for &((w, h), (width, height), resized, _) in PILLOW_RGBA {
        let mut opaque = formula_rgba(w, h, 0);
        for pixel in opaque.data.chunks_exact_mut(4) {
            pixel[3] = 255;
        }
        let out = resize_rgba(&opaque, width, height, Filter::Bicubic).unwrap();
        let colours = |hex: &str| -> String {
            let pixels = hex.as_bytes().chunks_exact(8);
            pixels
                .map(|pixel| String::from_utf8_lossy(&pixel[..6]))
                .collect()
        };
        assert_ne!(colours(&hex_rgba(&out)), colours(resized));
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn every_pair_of_alphas_blends_as_in_pillow() {
    let [bottom, top] = alphas();
    let merged = merge(&bottom, &top).unwrap();
    assert_eq!(sha256(&merged.data), PILLOW_ALPHAS);
}
