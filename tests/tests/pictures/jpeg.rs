//! JPEG files of every kind beside what Pillow makes of them: decoded, refused and written, byte for byte.
//!
//! The vectors are written by `tests/golden/jpeg.py`.
#![expect(clippy::unwrap_used, reason = "a test stops at broken vectors")]

use juror_image::{ImageError, Limits, Rgb, check, decode_rgb, encode_jpeg};
use juror_model::prompt::sha256;
use juror_tests::say;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

use super::files::bytes;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../golden/jpeg.json")).unwrap()
}

/// As the vectors say what a picture decodes to.
fn told(picture: &Rgb) -> String {
    let Rgb {
        width,
        height,
        data,
    } = picture;
    format!("{width}x{height} {}", sha256(data))
}

/// The picture that `jpeg.py` draws.
fn drawn(width: u32, height: u32) -> Rgb {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let colour = |(x, y): (u32, u32)| [7 * x + 13 * y, x * x + 3 * y, x * y + 5 * x];
    let data = places
        .flat_map(colour)
        .map(|level| u8::try_from(level % 256).unwrap());
    Rgb {
        width,
        height,
        data: data.collect(),
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn jpegs_of_every_kind_are_decoded_or_refused_as_pillow_does() {
    let limits = Limits::default();
    let (vectors, mut refused) = (vectors(), 0);
    let cases = vectors["decoded"].as_array().unwrap();
    for case in cases {
        let (name, file) = (case["name"].as_str().unwrap(), bytes(&case["jpeg"]));
        let found = decode_rgb(&file, &limits);
        // What a check of the whole file says is what decoding says.
        assert_eq!(check(&file, &limits).is_ok(), found.is_ok(), "{name}");
        refused += usize::from(found.is_err());
        let found = found.ok().map(|picture| told(&picture));
        assert_eq!(found.as_deref(), case["decoded"].as_str(), "{name}");
    }
    say!("{} files, {refused} of them refused", cases.len());
    assert_eq!((cases.len(), refused), (163, 30));
}

/// Pillow reads such a file. That Juror cannot is said when the file is checked, not when it is shown.
#[wasm_bindgen_test(unsupported = test)]
fn scans_that_cannot_be_decoded_are_not_called_whole() {
    let limits = Limits::default();
    let vectors = vectors();
    let mut cases = vectors["decoded"].as_array().unwrap().iter();
    let case = cases.find(|case| case["name"] == "33x17 4:2:0 baseline");
    let whole = bytes(&case.unwrap()["jpeg"]);
    let at = |code: u8| whole.windows(2).position(|two| two == [0xff, code]);
    let (scan, end) = (at(0xda).unwrap(), whole.len() - 2);
    let pixels = &whole[scan + 14..end];
    let of = |components: &[[u8; 2]]| {
        let (num, named) = (components.len(), components.concat());
        let length = u8::try_from(6 + 2 * num).unwrap();
        let head = [0xff, 0xda, 0, length, u8::try_from(num).unwrap()];
        [&head[..], &named, &[0, 63, 0], pixels].concat()
    };
    let file = |scans: &[Vec<u8>]| [&whole[..scan], &scans.concat(), &whole[end..]].concat();
    let [luma, blue, red] = [[1, 0x00], [2, 0x11], [3, 0x11]];
    assert_eq!(file(&[of(&[luma, blue, red])]), whole);
    for (scans, is_read) in [
        (vec![of(&[luma]), of(&[blue]), of(&[red])], true),
        (vec![of(&[luma]), of(&[blue, red])], false),
        (vec![of(&[luma, blue]), of(&[red])], false),
    ] {
        let file = file(&scans);
        assert_eq!(decode_rgb(&file, &limits).is_ok(), is_read);
        assert_eq!(check(&file, &limits).is_ok(), is_read);
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn jpegs_are_written_byte_for_byte_as_pillow_writes_them() {
    let vectors = vectors();
    let cases = vectors["encoded"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    let side = |length: &Value| u32::try_from(length.as_u64().unwrap()).unwrap();
    for case in cases {
        let picture = drawn(side(&case["width"]), side(&case["height"]));
        let written = encode_jpeg(&picture).unwrap();
        assert_eq!(sha256(&written), case["sha256"].as_str().unwrap());
        // The sibling that must fail: one level of one pixel, which decides over a coefficient of some block.
        let mut other = picture.clone();
        other.data[0] ^= 0x80;
        assert_ne!(sha256(&encode_jpeg(&other).unwrap()), sha256(&written));
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn a_jpeg_that_is_cut_off_is_said_to_lack_its_end() {
    let whole = encode_jpeg(&drawn(33, 31)).unwrap();
    let cut = &whole[..whole.len() - 40];
    let found = check(cut, &Limits::default()).unwrap_err();
    assert!(matches!(found, ImageError::NoEnd { .. }), "{found}");
    let bytes = format!("{},{:03}", cut.len() / 1000, cut.len() % 1000);
    assert_eq!(
        found.to_string(),
        format!(
            "expected the end of the JPEG, found none in its {bytes} bytes; it is cut off, copy or download it again"
        )
    );
}
