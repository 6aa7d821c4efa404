//! Pictures: probed, checked and decoded, whatever their format.
#![no_main]

use juror_fuzz::LIMITS;
use juror_image::{
    Rgb, Treatment, check, decode_rgb, decode_rgba, encode_jpeg, encode_png, media_type, prepare,
    probe, thumbnail,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let probed = probe(data, data.len() as u64, &LIMITS);
    let checked = check(data, &LIMITS);
    let decoded = decode_rgb(data, &LIMITS);
    assert_eq!(
        checked.is_ok(),
        decoded.is_ok(),
        "what counts as present can be shown: {checked:?}, {decoded:?}"
    );
    let (Ok(probed), Ok(picture)) = (probed, decoded) else {
        let _ = decode_rgba(data, &LIMITS);
        return;
    };
    assert_eq!(media_type(data), Some(probed.format.media_type()));
    let size = (picture.width, picture.height);
    let stored = (probed.width, probed.height);
    assert!(
        size == stored || size == (stored.1, stored.0),
        "{size:?} is not {stored:?}"
    );
    assert_eq!(
        picture.data.len(),
        3 * picture.width as usize * picture.height as usize
    );
    let rgba = decode_rgba(data, &LIMITS).expect("what decodes to RGB does to RGBA");
    assert_eq!((rgba.width, rgba.height), stored);
    let png = encode_png(&picture).expect("a sound picture can be written");
    assert_eq!(decode_rgb(&png, &LIMITS).expect("and read again"), picture);
    small(data, &picture);
});

/// What takes time, where the picture is small.
fn small(data: &[u8], picture: &Rgb) {
    if picture.data.len() > 64 << 10 {
        return;
    }
    let jpeg = encode_jpeg(picture).expect("a small picture fits");
    let again = decode_rgb(&jpeg, &LIMITS).expect("what is written is read again");
    assert_eq!((again.width, again.height), (picture.width, picture.height));
    let _ = thumbnail(data, 16).expect("a picture has a thumbnail");
    for id in [
        "jpeg",
        "rgba_png",
        "rgb_png",
        "merged",
        "stretched",
        "blank",
        "embedded_Remove what is marked.",
    ] {
        if let Some(treatment) = Treatment::named(id) {
            let _ = prepare(&treatment, data, data);
        }
    }
}
