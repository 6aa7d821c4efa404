//! Holds resampling, decoding and concatenation against what Pillow, OpenCV and the WEAVE authors' code compute.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at broken vectors and says loudly what it skipped"
)]

use std::path::PathBuf;

use juror_image::{
    Concatenation, Filter, Format, Limits, Rgb, Rgba, concatenate, decode_rgb, merge, probe,
    resize, resize_rgba,
};
use serde_json::Value;

/// Where the large vectors lie, or `None` with one loud line.
fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("SKIPPED: {} is absent", full.display());
    None
}

fn load(path: &std::path::Path) -> Rgb {
    decode_rgb(&std::fs::read(path).unwrap(), &Limits::default()).unwrap()
}

/// A small picture whose bytes are a formula: (37 x + 91 y + 53 c + 11 x y (c + 1)) mod 256.
fn formula(width: u32, height: u32) -> Rgb {
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let samples = rows
        .flat_map(|(x, y)| (0..3).map(move |c| 37 * x + 91 * y + 53 * c + 11 * x * y * (c + 1)));
    let data = samples.map(|v| u8::try_from(v % 256).unwrap()).collect();
    Rgb {
        width,
        height,
        data,
    }
}

fn hex(image: &Rgb) -> String {
    use std::fmt::Write as _;
    image.data.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

type Vector = (Filter, (u32, u32), (u32, u32), &'static str);

/// `Image.frombytes("RGB", from, formula).resize(to, filter).tobytes().hex()` with Pillow 12.3.0.
const PILLOW: &[Vector] = &[
    (
        Filter::Bilinear,
        (7, 5),
        (4, 3),
        "3d6f777e658e7ca4b99ea048959459867186847e8176a960666c7f6f575d717a725b6d79",
    ),
    (
        Filter::Bicubic,
        (7, 5),
        (4, 3),
        "3870768162917ba7c49fa33e9998528c6e86857b7d74b05e646c8070565c737a6f586979",
    ),
    (
        Filter::Lanczos,
        (7, 5),
        (4, 3),
        "397275835f947ba7c99aa639989951946d83857a7772b2615f6a7e72585f72796c596678",
    ),
    (
        Filter::Lanczos,
        (7, 5),
        (11, 9),
        "002d53053274204da93381c240a4c95cb5de8dbdffb4eccec9ff30dd5e22e8004f103d951b647a3d845f64617a8c56a19c7dcb79a2fc65d5c688eb2fb98e29d1445a4771db57af797ec106a3372de20070e840a06175e90b9cb640bb2d7bd43793de719cdf8bc4c35fd682418e427e8c598bb3817b7250c75b3ea9858c2a57e74623ff88aaff19e19f3ce73498595ff223c8b867de5589699fc326a1e772286bbc5103d7994d8935738d2296774a7343d0866f97afc90f70bd766e7c9bbf61279f965b6bc6aa0a369d277a4b5ea306813c61c51262df68246cdb791bc3814e4724996f6bbdbbc13c81d16f659c934f474f6e2b4c4c5c8d2a9a9d98a25d9d5a15221e48547c86a6d86ec8e2b25bcec40c822b921b0087624b10eabf60c19b724503101a0f4c844e9ce2",
    ),
    (
        Filter::Bilinear,
        (5, 8),
        (9, 2),
        "5a8f7b6a886e857b5a7b6771695194896d899c85887a88ab668ac06ca18d768795865ba186589d825e9692747a9a8962829a5a73a455",
    ),
    (
        Filter::Bicubic,
        (5, 8),
        (9, 2),
        "538d7c66896b867f4f7a656a6850938c6b89a08687788ab3608acc6ca98e778c988a56a7884fa3825f959573789d895d809e5270a54d",
    ),
    (
        Filter::Lanczos,
        (5, 8),
        (9, 2),
        "508b7e668b6783814d7661686650918c6689a0858b7b8ab65c88d26cae8d7a8d988d58a68946a3815f969773779d8b59829f4c6da24b",
    ),
    (Filter::Bilinear, (3, 3), (1, 1), "767773"),
    (Filter::Bicubic, (3, 3), (1, 1), "737677"),
    (Filter::Lanczos, (3, 3), (1, 1), "737678"),
    (
        Filter::Bilinear,
        (6, 1),
        (2, 4),
        "2e63988bc0b52e63988bc0b52e63988bc0b52e63988bc0b5",
    ),
    (
        Filter::Bicubic,
        (6, 1),
        (2, 4),
        "2a5f9b8fc4b22a5f9b8fc4b22a5f9b8fc4b22a5f9b8fc4b2",
    ),
    (
        Filter::Lanczos,
        (6, 1),
        (2, 4),
        "275c9e92c7b3275c9e92c7b3275c9e92c7b3275c9e92c7b3",
    ),
];

#[test]
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
#[test]
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

#[test]
fn the_golden_pictures_are_resampled_byte_for_byte_as_pillow_does() {
    let Some(root) = shared("metrics-golden") else {
        return;
    };
    let golden: Value =
        serde_json::from_slice(&std::fs::read(root.join("golden.json")).unwrap()).unwrap();
    let side = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    let mut checked = 0;
    for case in golden["resize"].as_array().unwrap() {
        let Some(filter) = filter_of(case["op"].as_str().unwrap()) else {
            continue;
        };
        let (name, file) = (
            case["src"].as_str().unwrap(),
            case["out"]["file"].as_str().unwrap(),
        );
        let image = load(&root.join(name));
        let (width, height) = (side(&case["size"][0]), side(&case["size"][1]));
        let expected = load(&root.join(file));
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

/// Four levels: what zune-jpeg was measured to differ from libjpeg-turbo (4:2:0 upsampling and the inverse transform).
const JPEG_TOLERANCE: u8 = 4;

#[test]
fn jpegs_are_decoded_within_four_levels_of_libjpeg_turbo() {
    let Some(root) = shared("metrics-golden") else {
        return;
    };
    for name in ["j_444", "j_422", "j_420", "j_420prog", "j_gray"] {
        let ours = load(&root.join(format!("images/{name}.jpg")));
        let theirs = load(&root.join(format!("expected/{name}_pil.png")));
        let difference = largest_difference(&ours, &theirs).unwrap();
        assert!(difference <= JPEG_TOLERANCE, "{name}: {difference}");
    }
}

#[test]
fn exif_orientation_is_applied_as_opencv_applies_it() {
    let Some(root) = shared("metrics-golden") else {
        return;
    };
    let file = std::fs::read(root.join("images/j_exif6.jpg")).unwrap();
    let stored = probe(&file, file.len() as u64, &Limits::default()).unwrap();
    assert_eq!(
        (stored.format, stored.width, stored.height),
        (Format::Jpeg, 80, 96)
    );
    let ours = decode_rgb(&file, &Limits::default()).unwrap();
    let upright = load(&root.join("expected/j_exif6_cv2.png"));
    assert!(largest_difference(&ours, &upright).unwrap() <= JPEG_TOLERANCE);
    let as_stored = load(&root.join("expected/j_exif6_pil.png"));
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

#[test]
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
#[test]
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

/// A small picture with alpha whose bytes are the formula above over four channels, moved on by `shift`.
fn formula_rgba(width: u32, height: u32, shift: u32) -> Rgba {
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let samples = rows.flat_map(|(x, y)| {
        (0..4).map(move |c| 37 * x + 91 * y + 53 * c + 11 * x * y * (c + 1) + shift)
    });
    let data = samples.map(|v| u8::try_from(v % 256).unwrap()).collect();
    Rgba {
        width,
        height,
        data,
    }
}

type RgbaVector = ((u32, u32), (u32, u32), &'static str, &'static str);

/// `Image.resize(to, BICUBIC)` of the formula in RGBA with Pillow 12.3.0, and that laid over the formula shifted by 19.
const PILLOW_RGBA: &[RgbaVector] = &[
    (
        (7, 5),
        (4, 3),
        "336b8cb2805591a79e8da54a94ae458b9b7c728fa776747d9285618d8ba14fa16c416a75636b4f837e6f66777a685964",
        "2c6389e86a5c96f17091bdfd92af559a997d7695a5935cada75e62db8ba14fa18a7e58ad375e71f26b7e47ab7ab762ec",
    ),
    (
        (7, 5),
        (11, 9),
        "00225794083b73ac255b96d23f7cb2fa408ebe9e0005020099ffff14abe5b73dc3ff2c51e14b3069ee004478245793bd215e87ad2f6c7da0576796d27d5ca0ade43ea54dab7afa3468d5af3d80e22761a5963f89b66e58a2578dccff559ca4ae77b90d4da5214389cf1c74c5ee3a99ddac50c56f00ab974041bb23806edc4dbf82eb69e676b6b0b3a1988ca1e7605c81b0236b72a74f7ba7b47f80f09468a97a6b5e864e999924a178d447a75eff739dabff0d4ce2745f90ec398bcf8856d46736d0997466de55cc75978771cc3a7c60df7c24c3a39b3d8000e4a23a316e598b746b5491bd685a848e70ff228cc76345a5b923ba7db7686e70736e719c5a23f09b7c55b896bfbb750b3e82ac255e5a8d5ba30b560ec60012dd64103de06d1ba78db8636c389c6675654621e98e725fc8c0bbba98094b8d3686317872a63669b83980338f2e7846858d3292929978946e7497615e4337256e6d5d574fbfbac43400030000da0f9063b71f7ef23c7b38d80a7f53ae510de4879e57b06fac8f5f50000c2b290000000a00000000",
        "062f64df164981f22f659ffe3f7cb2fb4f99a5b9cc01366be5427099447a91c76ba27ae695778bffe0195b8b255894c0347177cb5d5476e1576796d27363aac7949163be941e97f58f91b871b6b018bd6aa446f3ab7c5fb6578dccff3d85a1f75dad0791937a53f0cd207ddaee448efa857db9a049572ede58ae34a885db69f27fe568ed629fa8ed96a075c9e35c618bd2564adb946c84cbb47f80f1ab90b2da40466892979928a581de4be576e187c1a1ef3d61da5875facd4b7ff57e42dcc567c295b261d253da73989281bf2a83f6b58227f2876a78cd65b58f91615353c2637a41c6b05881bfd7b3b88d668a68a0a5c126dc4ca23fb6694e92b89d5c26f8857156dc88c484bc174b8af1255e5a8d44aa27745a764f67d52e35a4b28122e597883fee3592607d654826ee95706cdf9a87bfd5407db95b52524bbd993953f7536d30a83d913ccba6526cf781697e9592cc57c22f8243fa7c6a5d86385e89bbeb20558ad0238f6cb8247ffa3d7c3bdc3a7d42e05214d197b93d8dce94ab6d6fa6a09ebe4384c53fcd7217bc",
    ),
    (
        (9, 4),
        (5, 6),
        "11477eba3a7db79cd2ffac22b2414174154880bd32718eb1914b8ba394949a4f83a648905a55a28d759b98a1d32f6aa58d71878267de55a5d05fee5dd974728e808d8f97a48d6087818a6e866337d96e84655f8390a767638d894792966e699a5f56b6900e62587ff191003a77813d9a9d7460b46e6fa4a9",
        "11477eea3977b0ef6da1c3fcac515886225576cf337290b5936478c5b74a79c883a648905161b2b185ae85c78f3a7af6787e63b26de45bf4c654e297956a7de47b9974c3a5866491b08c51e05579caa9836d6d92b66081f8659743e78c5b8cd8796babc2504752bc7d9c09987d6f62cbab826bd8676b99d3",
    ),
];

fn hex_rgba(image: &Rgba) -> String {
    juror_core::prompt::hex(&image.data)
}

#[test]
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
#[test]
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

/// All 65,536 pairs of alpha, with colours that change from pair to pair; the hash is that of Pillow 12.3.0's result.
#[test]
fn every_pair_of_alphas_blends_as_in_pillow() {
    let (mut top, mut bottom) = (Vec::new(), Vec::new());
    for a in 0..=255_u8 {
        for b in 0..=255_u8 {
            let sum = |x: u8, times_x: u8, y: u8, times_y: u8| {
                x.wrapping_mul(times_x)
                    .wrapping_add(y.wrapping_mul(times_y))
            };
            top.extend([sum(a, 7, b, 3), a.wrapping_mul(b), 255 - a, a]);
            bottom.extend([sum(a, 1, b, 5), b, a ^ b, b]);
        }
    }
    let picture = |data| Rgba {
        width: 256,
        height: 256,
        data,
    };
    let merged = merge(&picture(bottom), &picture(top)).unwrap();
    assert_eq!(
        juror_core::prompt::sha256(&merged.data),
        "8c9d1f89d7005b41e97cd628107bc50d755f2456e400d96d5332af98f262645e"
    );
}
