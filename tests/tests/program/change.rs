//! `juror change`: counts inside and outside of a mask or box.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_image::{Rgb, encode_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

const WIDTH: u32 = 20;
const HEIGHT: u32 = 10;

/// A picture of one level, with a block of another from (4, 2) to (9, 5).
fn picture(level: u8, block: u8) -> Vec<u8> {
    let sample = |at: u32| {
        let (x, y) = (at % WIDTH, at / WIDTH);
        let is_block = (4..10).contains(&x) && (2..6).contains(&y);
        if is_block { block } else { level }
    };
    let data = (0..WIDTH * HEIGHT).flat_map(|at| [sample(at); 3]).collect();
    let picture = Rgb {
        width: WIDTH,
        height: HEIGHT,
        data,
    };
    encode_png(&picture).unwrap()
}

fn folder() -> Folder {
    let folder = Folder::default();
    folder.write("before.png", &picture(100, 100));
    folder.write("after.png", &picture(101, 150));
    folder.write("mask.png", &picture(0, 255));
    folder.write("other.png", &picture(255, 0));
    folder
}

fn answer(folder: &Folder, words: &str) -> Value {
    let (code, found, said) = folder.run(&format!("change before.png after.png{words}"));
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&found).unwrap()
}

#[test]
fn a_mask_and_the_box_of_the_same_pixels_count_alike() {
    let folder = folder();
    let masked = answer(&folder, " --mask mask.png");
    let inside = json!({"pixels": 24, "changed": 24, "share": 1.0, "mae": 50.0, "mse": 2500.0, "largest": 50});
    let outside =
        json!({"pixels": 176, "changed": 0, "share": 0.0, "mae": 1.0, "mse": 1.0, "largest": 1});
    assert_eq!((&masked["inside"], &masked["outside"]), (&inside, &outside));
    assert_eq!(masked["extent"], json!([4, 2, 9, 5]));
    assert_eq!(answer(&folder, " --box 4,2,9,5"), masked);
    assert_ne!(answer(&folder, " --box 4,2,9,4"), masked);
    let other = answer(&folder, " --mask other.png");
    assert_eq!((&other["inside"], &other["outside"]), (&outside, &inside));
}

#[test]
fn without_a_part_there_is_the_whole_and_the_threshold_is_what_is_exceeded() {
    let folder = folder();
    let whole = answer(&folder, "");
    assert_eq!(whole["whole"]["changed"], 24);
    assert!(whole.get("inside").is_none() && whole.get("outside").is_none());
    assert_eq!(answer(&folder, " --threshold 0")["whole"]["changed"], 200);
    assert_eq!(answer(&folder, " --threshold 50")["whole"]["changed"], 0);
    assert_eq!(answer(&folder, " --threshold 50")["extent"], Value::Null);
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = folder();
    let small = Rgb {
        width: 3,
        height: 3,
        data: vec![255; 27],
    };
    folder.write("small.png", &encode_png(&small).unwrap());
    folder.write("no.png", b"no picture");
    for (words, wanted) in [
        (" --mask small.png", "small.png"),
        (" --mask no.png", "no.png"),
        (" --mask gone.png", "cannot read gone.png"),
        (" --box 1,2,3", "left,top,right,bottom"),
        (" --mask mask.png --box 1,2,3,4", "cannot be used with"),
    ] {
        let (code, _, said) = folder.run(&format!("change before.png after.png{words}"));
        assert_eq!(code, 2, "{words}");
        assert!(said.contains(wanted), "{words}: {said}");
    }
    let (code, _, said) = folder.run("change before.png small.png");
    assert_eq!(code, 2);
    assert!(said.contains("before.png and small.png"), "{said}");
}
