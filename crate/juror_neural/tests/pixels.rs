//! What pictures become before each network, bit for bit as `transformers`, `torchvision`, Pillow, OpenCV and Depth Anything's
//! own transforms make it.
//!
//! The vectors are written by `tests/golden/neural.py`.
#![expect(clippy::unwrap_used, reason = "a test stops at broken vectors")]

use std::fmt::Write as _;

use juror_neural::{Crop, PixelPath, Pixels, Rescale, Resize, Rounding, Tensor, Values};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

const VECTORS: &str = include_str!("../../../tests/golden/neural.json");
const CLIP: [[f64; 3]; 2] = [
    [0.481_454_66, 0.457_827_5, 0.408_210_73],
    [0.268_629_54, 0.261_302_58, 0.275_777_11],
];
const IMAGENET: [[f64; 3]; 2] = [[0.485, 0.456, 0.406], [0.229, 0.224, 0.225]];

fn pixels(path: PixelPath, resize: Resize, rescale: Rescale, [mean, std]: [[f64; 3]; 2]) -> Pixels {
    Pixels {
        path,
        resize,
        crop: None,
        rescale,
        mean,
        std,
    }
}

fn cut(pixels: &Pixels, side: u32, rounding: Rounding) -> Pixels {
    Pixels {
        crop: Some(Crop { side, rounding }),
        ..pixels.clone()
    }
}

/// How each network's pictures are prepared, by the names of the vectors.
fn path(name: &str) -> Pixels {
    let plain = [[0.0; 3], [1.0; 3]];
    let (cubic, short) = (PixelPath::PilBicubicU8, Resize::ShortSide);
    match name {
        "clip" => cut(
            &pixels(cubic, short(224), Rescale::Multiply, CLIP),
            224,
            Rounding::Floor,
        ),
        "clip_score" => cut(
            &pixels(cubic, short(224), Rescale::Twice, CLIP),
            224,
            Rounding::HalfEven,
        ),
        "dino" => cut(
            &pixels(cubic, short(256), Rescale::Multiply, IMAGENET),
            224,
            Rounding::Floor,
        ),
        "inception" => cut(
            &pixels(
                PixelPath::PilBilinearU8,
                short(299),
                Rescale::Divide,
                IMAGENET,
            ),
            299,
            Rounding::HalfEven,
        ),
        "sketch" => pixels(cubic, short(256), Rescale::Divide, plain),
        "pose" => pixels(cubic, Resize::Exact([512, 512]), Rescale::Divide, IMAGENET),
        "depth" => pixels(
            PixelPath::CvCubicF64,
            Resize::Depth(518),
            Rescale::DivideF64,
            IMAGENET,
        ),
        other => panic!("{other}"),
    }
}

fn bytes(hex: &Value) -> Vec<u8> {
    let digits = hex.as_str().unwrap().as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn hash(tensor: &Tensor) -> String {
    let Values::Reals(values) = &tensor.values else {
        panic!("pictures are real numbers")
    };
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let mut text = String::new();
    for byte in Sha256::digest(&bytes) {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

/// Names of the pictures whose tensor is not the reference's, and how many were compared.
fn apart(name: &str, pixels: &Pixels) -> (Vec<String>, usize) {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let mut wrong = Vec::new();
    let cases = vectors["cases"].as_array().unwrap();
    for case in cases {
        let wanted = &case["paths"][name];
        let picture = pixels.decode(&bytes(&case["file"])).unwrap();
        let found = pixels.tensor(&picture).unwrap();
        let shape: Vec<u64> = found.shape[1..].iter().map(|side| *side as u64).collect();
        let wanted_shape: Vec<u64> = (wanted["shape"].as_array().unwrap().iter())
            .map(|side| side.as_u64().unwrap())
            .collect();
        if shape != wanted_shape || wanted["sha256"] != hash(&found) {
            wrong.push(case["name"].as_str().unwrap().to_owned());
        }
    }
    (wrong, cases.len())
}

#[test]
fn eight_pictures_become_bit_for_bit_what_the_authors_packages_make_of_them() {
    for name in [
        "clip",
        "clip_score",
        "dino",
        "inception",
        "sketch",
        "pose",
        "depth",
    ] {
        let (wrong, compared) = apart(name, &path(name));
        assert_eq!((wrong, compared), (Vec::new(), 8), "{name}");
    }
}

#[test]
fn the_other_rounding_of_a_crop_is_one_pixel_off_and_found() {
    for (name, other) in [
        ("clip", Rounding::HalfEven),
        ("clip_score", Rounding::Floor),
        ("inception", Rounding::Floor),
    ] {
        let right = path(name);
        let side = right.crop.unwrap().side;
        let (wrong, _) = apart(name, &cut(&right, side, other));
        assert!(!wrong.is_empty(), "{name}");
        // A square has nothing to cut.
        assert!(!wrong.contains(&"square".to_owned()), "{name}: {wrong:?}");
    }
}

#[test]
fn a_scale_that_is_applied_once_too_often_or_too_seldom_is_found() {
    for (name, rescale) in [
        ("clip_score", Rescale::Multiply),
        ("clip", Rescale::Twice),
        ("inception", Rescale::Twice),
    ] {
        let other = Pixels {
            rescale,
            ..path(name)
        };
        let (wrong, compared) = apart(name, &other);
        assert_eq!(wrong.len(), compared, "{name} {rescale:?}");
    }
}

#[test]
fn pillow_reads_a_picture_as_it_is_stored_and_opencv_upright() {
    let turned = Pixels {
        path: PixelPath::PilBicubicU8,
        ..path("depth")
    };
    let (wrong, compared) = apart("depth", &turned);
    assert_eq!(wrong.len(), compared, "antialiasing is another number too");
}
