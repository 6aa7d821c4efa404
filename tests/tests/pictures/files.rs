//! Picture files of unusual kinds beside what Pillow's `convert("RGB")` makes of them: few bits, 16 bits, palettes,
//! profiles, orientation, CMYK; and their alpha with that of `convert("RGBA")`.
//!
//! The vectors are written by `tests/golden/files.py`.
#![expect(clippy::unwrap_used, reason = "a test stops at broken vectors")]

use juror_image::{Limits, Rgb, decode_rgb, decode_rgba};
use juror_tests::say;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

const VECTORS: &str = include_str!("../../golden/files.json");

/// A file's bytes, and Pillow's pixels.
type Case = (String, Vec<u8>, Rgb);

/// What hexadecimal digits stand for.
pub(super) fn bytes(hex: &Value) -> Vec<u8> {
    let digits = hex.as_str().unwrap().as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn cases() -> Vec<Case> {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let side = |length: &Value| u32::try_from(length.as_u64().unwrap()).unwrap();
    let case = |case: &Value| {
        let rgb = Rgb {
            width: side(&case["width"]),
            height: side(&case["height"]),
            data: bytes(&case["rgb"]),
        };
        let name = case["name"].as_str().unwrap().to_owned();
        (name, bytes(&case["file"]), rgb)
    };
    vectors["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(case)
        .collect()
}

/// Most levels between two pictures of one size.
fn apart(a: &Rgb, b: &Rgb) -> u8 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let levels = a.data.iter().zip(&b.data).map(|(a, b)| a.abs_diff(*b));
    levels.max().unwrap()
}

/// A quarter to the right, as the tag 6 asks.
fn turned(picture: &Rgb) -> Rgb {
    let (width, height) = (picture.height, picture.width);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let data = places.flat_map(|(x, y)| {
        let at = 3 * ((picture.height - 1 - x) * picture.width + y) as usize;
        picture.data[at..at + 3].to_vec()
    });
    Rgb {
        width,
        height,
        data: data.collect(),
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn files_of_few_bits_palettes_profiles_and_cmyk_are_read_as_pillow_reads_them() {
    let (mut count, mut deep) = (0, 0);
    for (name, file, pillow) in cases() {
        let found = decode_rgb(&file, &Limits::default()).unwrap();
        let (expected, most) = match name.as_str() {
            // OpenCV takes the high byte of 16-bit grey, and so does the reading of metrics; Pillow clips at 255, and so does
            // the reading of networks.
            name if name.starts_with("grey of 16 bits") && !name.ends_with("alpha") => {
                assert!(apart(&found, &pillow) > 200);
                let stored = decode_rgba(&file, &Limits::default()).unwrap();
                let colours = stored.data.chunks(4).flat_map(|pixel| &pixel[..3]);
                assert!(colours.eq(&pillow.data), "{name}");
                assert!(stored.data.chunks(4).all(|pixel| pixel[3] == 255), "{name}");
                deep += 1;
                continue;
            }
            // OpenCV turns pictures upright, and so do we; Pillow does not.
            "JPEG on its side" => (turned(&pillow), 2),
            _ if name.contains("CMYK") || name.contains("YCCK") => (pillow, 1),
            _ if name.contains("JPEG") => (pillow, 2),
            _ => (pillow, 0),
        };
        let levels = apart(&found, &expected);
        say!("{name}: {levels} levels");
        assert!(levels <= most, "{name}: {levels}");
        count += 1;
    }
    assert_eq!((count, deep), (23, 3));
}

#[wasm_bindgen_test(unsupported = test)]
fn alpha_is_what_pillow_makes_of_channels_and_of_clear_colours() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    let mut clear = 0;
    for case in cases {
        let stored = decode_rgba(&bytes(&case["file"]), &Limits::default()).unwrap();
        let alpha: Vec<u8> = stored.data.chunks(4).map(|pixel| pixel[3]).collect();
        assert_eq!(alpha, bytes(&case["alpha"]), "{}", case["name"]);
        clear += usize::from(alpha.contains(&0));
    }
    assert_eq!((cases.len(), clear), (26, 5));
}

#[wasm_bindgen_test(unsupported = test)]
fn one_reading_for_another_is_told_apart() {
    let cases = cases();
    let found = |name: &str| {
        let (_, file, _) = cases.iter().find(|case| case.0 == name).unwrap();
        decode_rgb(file, &Limits::default()).unwrap()
    };
    // Levels for indexes, other depths, other inks, red for cyan; then a picture that lies as it is stored.
    for (a, b) in [
        ("palette of 2 bits", "grey of 2 bits"),
        ("palette of 4 bits", "palette of 8 bits"),
        ("CMYK JPEG", "YCCK JPEG"),
        ("CMYK JPEG", "JPEG with a profile"),
    ] {
        assert!(apart(&found(a), &found(b)) > 20, "{a} {b}");
    }
    let (_, _, stored) = cases
        .iter()
        .find(|case| case.0 == "JPEG on its side")
        .unwrap();
    assert_eq!(found("JPEG on its side").width, stored.height);
}
