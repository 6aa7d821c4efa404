//! GIF, BMP, moving WebP and PNG files, sound and damaged, beside what Pillow makes of them: decoded or refused, byte for byte.
//!
//! The vectors are written by `tests/golden/formats.py`.
#![expect(clippy::unwrap_used, reason = "a test stops at broken vectors")]

use juror_image::{Limits, check, decode_rgb, probe};
use juror_model::prompt::sha256;
use juror_tests::say;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

use super::files::bytes;

fn cases() -> Vec<(String, Vec<u8>, Option<String>)> {
    let vectors: Value = serde_json::from_str(include_str!("../../golden/formats.json")).unwrap();
    let case = |case: &Value| {
        let name = case["name"].as_str().unwrap().to_owned();
        (
            name,
            bytes(&case["file"]),
            case["decoded"].as_str().map(str::to_owned),
        )
    };
    vectors["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(case)
        .collect()
}

/// As the vectors say what a picture decodes to.
fn told(file: &[u8]) -> Option<String> {
    let picture = decode_rgb(file, &Limits::default()).ok()?;
    let (width, height) = (picture.width, picture.height);
    Some(format!("{width}x{height} {}", sha256(&picture.data)))
}

#[wasm_bindgen_test(unsupported = test)]
fn pictures_are_decoded_or_refused_as_pillow_does() {
    let (cases, mut refused) = (cases(), 0);
    let limits = Limits::default();
    let mut others = Vec::new();
    for (name, file, decoded) in &cases {
        if told(file) != *decoded || check(file, &limits).is_ok() != decoded.is_some() {
            others.push((name, told(file), decoded));
            continue;
        }
        refused += usize::from(decoded.is_none());
        // The size that a page shows before anything is decoded is that of the pixels.
        if let Some(decoded) = decoded {
            let found = probe(file, file.len() as u64, &limits).unwrap();
            let size = format!("{}x{} ", found.width, found.height);
            assert!(decoded.starts_with(&size), "{name}: {size}");
        }
    }
    say!("{} files, {refused} of them refused", cases.len());
    assert!(others.is_empty(), "{others:#?}");
    assert_eq!((cases.len(), refused), (266, 67));
}

#[wasm_bindgen_test(unsupported = test)]
fn one_other_byte_of_a_palette_or_of_the_pixels_is_another_picture() {
    let cases = cases();
    let mut changed = 0;
    for wanted in ["gif 8 bits", "bmp 555, levels", "bmp 8 bits, palette"] {
        let (name, file, decoded) = cases.iter().find(|(name, ..)| name == wanted).unwrap();
        // Of a GIF a colour of its palette, of the others the last byte of the pixels.
        let at = if name.starts_with("gif") {
            14
        } else {
            file.len() - 2
        };
        let mut other = file.clone();
        other[at] ^= 0x3f;
        assert_ne!(told(&other), *decoded, "{name}");
        changed += 1;
    }
    assert_eq!(changed, 3);
}

#[wasm_bindgen_test(unsupported = test)]
fn no_cut_or_changed_byte_of_any_of_them_panics() {
    let limits = Limits {
        max_pixels: 1 << 16,
        max_bytes: 1 << 20,
    };
    let mut state = 0x9e37_79b9_u32;
    let whole = cases()
        .into_iter()
        .filter(|(name, ..)| !name.ends_with("missing"));
    for (_, file, _) in whole {
        for end in 0..file.len() {
            let _ = probe(&file[..end], file.len() as u64, &limits);
            let _ = decode_rgb(&file[..end], &limits);
        }
        for at in 0..file.len() {
            // xorshift32: the same changes in every run.
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let mut broken = file.clone();
            broken[at] ^= state.to_be_bytes()[0] | 1;
            let _ = decode_rgb(&broken, &limits);
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn a_few_bytes_that_announce_a_huge_picture_are_refused_before_it_is_made() {
    let mut gif = b"GIF89a".to_vec();
    for side in [10_000_u16, 10_000] {
        gif.extend(side.to_le_bytes());
    }
    gif.extend(b"\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;");
    let limits = Limits::default();
    let refused = check(&gif, &limits).unwrap_err();
    assert!(
        refused.to_string().contains("10,000 for each byte"),
        "{refused}"
    );
    assert_eq!(decode_rgb(&gif, &limits), Err(refused));
    // A smaller one may have as few bytes as it likes.
    gif[6..10].copy_from_slice(&[0, 4, 0, 4]);
    assert!(check(&gif, &limits).is_ok());
}
