//! `juror metric` over real files: what it prints, where, and with which exit code.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use juror_image::{Limits, Rgb, decode_rgb, encode_jpeg, encode_png};
use juror_metrics::{Image, Metric};
use juror_tests::golden::metrics::pictures;
use juror_tests::program::program;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with the files of a test.
struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
    }

    fn picture(&self, name: &str, picture: &Image<u8>) {
        let (width, height) = picture.view().size();
        let picture = Rgb {
            width: u32::try_from(width).unwrap(),
            height: u32::try_from(height).unwrap(),
            data: picture.data().to_vec(),
        };
        self.write(name, &encode_png(&picture).unwrap());
    }

    fn npy(&self, name: &str, shape: &str, numbers: &[f64]) {
        let numbers: Vec<u8> = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
        self.npy_of("<f8", name, shape, &numbers);
    }

    /// Numbers of another type, as they lie in the file.
    fn npy_of(&self, descr: &str, name: &str, shape: &str, numbers: &[u8]) {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(numbers);
        self.write(name, &bytes);
    }

    /// Exit code, stdout, stderr.
    fn metric(&self, name: &str, reference: &str, candidate: &str) -> (i32, String, String) {
        Self::ran(self.command(name, reference, candidate))
    }

    fn command(&self, name: &str, reference: &str, candidate: &str) -> Command {
        let mut command = Command::new(program());
        command.args(["metric", name, reference, candidate]);
        command.current_dir(self.folder.path());
        command
    }

    fn ran(mut command: Command) -> (i32, String, String) {
        let output = command.output().unwrap();
        (
            output.status.code().unwrap_or(-1),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }

    #[track_caller]
    fn value(&self, name: &str, reference: &str, candidate: &str) -> Value {
        let (code, out, words) = self.metric(name, reference, candidate);
        assert_eq!(code, 0, "{words}");
        serde_json::from_str::<Value>(&out).unwrap()["value"].clone()
    }

    #[track_caller]
    fn refused(&self, name: &str, reference: &str, candidate: &str) -> String {
        let (code, out, words) = self.metric(name, reference, candidate);
        assert_eq!((code, out.as_str()), (2, ""), "{words}");
        words
    }
}

fn drawn() -> Files {
    let files = Files::new();
    let [reference, candidate] = pictures(65, 64);
    files.picture("r.png", &reference);
    files.picture("c.png", &candidate);
    files.picture("small.png", &pictures(6, 5)[0]);
    files
}

#[test]
fn a_metric_is_one_line_of_json_with_its_backend() {
    let files = Files::new();
    files.picture(
        "r.png",
        &Image::new(2, 1, 3, vec![0, 0, 0, 10, 10, 10]).unwrap(),
    );
    files.picture(
        "c.png",
        &Image::new(2, 1, 3, vec![3, 0, 0, 6, 10, 10]).unwrap(),
    );
    let (code, out, words) = files.metric("mae", "r.png", "c.png");
    assert_eq!((code, words.as_str()), (0, ""));
    // 3 and 4 over six samples.
    let expected = 7.0 / 6.0;
    assert_eq!(
        out,
        format!(
            "{{\"metric\":\"mae\",\"value\":{expected},\"width\":2,\"height\":1,\"backend\":\"cpu\"}}\n"
        )
    );
}

#[test]
fn identical_pictures_score_best_in_every_metric_of_pictures() {
    let files = drawn();
    for (name, best) in [
        ("mse", json!(0.0)),
        ("psnr", json!("inf")),
        ("mae", json!(0.0)),
        ("ssim", json!(1.0)),
        ("ssim_gaussian_grey", json!(1.0)),
        ("edge_mse", json!(0.0)),
        ("changed", json!(0.0)),
        ("phash", json!(0.0)),
        ("depth", json!(0.0)),
        ("mask", json!(1.0)),
        ("bbox", json!(1.0)),
        ("pose", json!(1.0)),
    ] {
        assert_eq!(files.value(name, "r.png", "r.png"), best, "{name}");
        let other = files.value(name, "r.png", "c.png");
        // Boxes and skeletons see little of a small error everywhere.
        let is_blind = ["bbox", "pose", "changed", "phash"].contains(&name);
        assert!(is_blind || other != best, "{name}: {other}");
    }
}

#[test]
fn arrays_are_compared_as_numbers() {
    let files = Files::new();
    files.npy("x.npy", "(2, 1)", &[0.0, 2.0]);
    files.npy("y.npy", "(2, 1)", &[0.0, 4.0]);
    // Variances 2 and 8, means 1 and 2: 1 + 2 + 8 − 2 · 4.
    let found = files.value("fid", "x.npy", "y.npy").as_f64().unwrap();
    assert!((found - 3.0).abs() < 1e-12, "{found}");
    assert_eq!(files.value("mse", "x.npy", "y.npy"), 2.0);
    // MultiRef's worked number, and a mean that is another; two pictures' features are not one's.
    files.npy("inception.npy", "(1, 2048)", &[0.33; 2048]);
    let found = files.value("fid_multiref", "y.npy", "inception.npy");
    assert!((found.as_f64().unwrap() - 0.1089).abs() < 1e-12, "{found}");
    files.npy("double.npy", "(2048,)", &[2.0; 2048]);
    let found = files.value("fid_multiref", "inception.npy", "double.npy");
    assert_eq!(found, 4.0);
    let words = files.refused("fid_multiref", "inception.npy", "y.npy");
    assert!(words.contains("2048 numbers"), "{words}");
    files.npy("two.npy", "(2, 2)", &[0.0; 4]);
    let words = files.refused("fid_multiref", "two.npy", "two.npy");
    assert!(words.contains("features of one picture"), "{words}");
    // A rating is itself; a CLIP feature needs the head, whose last number is the bias.
    files.npy("rating.npy", "(1,)", &[5.5]);
    assert_eq!(files.value("aesthetics", "rating.npy", "rating.npy"), 5.5);
    files.npy("clip.npy", "(1, 768)", &[0.25; 768]);
    let mut head = [0.5; 769];
    head[768] = 1.0;
    files.npy("head.npy", "(769,)", &head);
    let found = files.value("aesthetics", "head.npy", "clip.npy");
    let wanted = 0.5 * 768_f64.sqrt() + 1.0;
    assert!((found.as_f64().unwrap() - wanted).abs() < 1e-12, "{found}");
    let words = files.refused("aesthetics", "clip.npy", "clip.npy");
    assert!(words.contains("references/aesthetics/head.npy"), "{words}");
    files.npy("a.npy", "(4,)", &[0.0, 0.0, 10.0, 10.0]);
    files.npy("b.npy", "(4,)", &[2.5, 2.5, 7.5, 7.5]);
    assert_eq!(files.value("bbox", "a.npy", "b.npy"), 0.25);
    // The range of depths is 0 … 1 in one and 0 … 255 in the other.
    files.npy("unit.npy", "(1, 2)", &[0.0, 1.0]);
    files.npy("wide.npy", "(1, 2)", &[0.0, 255.0]);
    assert_eq!(files.value("depth", "unit.npy", "wide.npy"), 0.0);
    assert_eq!(
        files.value("mse", "unit.npy", "wide.npy"),
        254.0 * 254.0 / 2.0
    );
}

#[test]
fn one_is_inside_in_a_mask_of_zeros_and_ones() {
    let files = Files::new();
    let ones = [1, 1, 0, 0, 0, 0];
    let levels = ones.map(|one| 255 * one);
    files.npy_of("|b1", "bool.npy", "(2, 3)", &ones);
    files.npy_of("|u1", "bytes.npy", "(1, 2, 3)", &ones);
    files.npy("reals.npy", "(2, 3)", &ones.map(f64::from));
    files.npy_of("|u1", "levels.npy", "(2, 3)", &levels);
    let spread: Vec<u8> = levels.iter().flat_map(|level| [*level; 3]).collect();
    files.picture("mask.png", &Image::new(3, 2, 3, spread).unwrap());
    for mask in [
        "bool.npy",
        "bytes.npy",
        "reals.npy",
        "levels.npy",
        "mask.png",
    ] {
        assert_eq!(files.value("mask", "bool.npy", mask), 1.0, "{mask}");
        assert_eq!(files.value("mask", mask, "bool.npy"), 1.0, "{mask}");
    }
    // The siblings that must differ: another mask, one without a place, levels that are not 0 and 1, a picture of 0 and 1.
    files.npy_of("|b1", "other.npy", "(2, 3)", &[0, 1, 1, 1, 0, 0]);
    assert_eq!(files.value("mask", "bool.npy", "other.npy"), 0.25);
    files.npy_of("|b1", "empty.npy", "(2, 3)", &[0; 6]);
    assert_eq!(files.value("mask", "bool.npy", "empty.npy"), 0.0);
    files.npy_of("|u1", "dark.npy", "(2, 3)", &[2, 1, 0, 0, 0, 0]);
    assert_eq!(files.value("mask", "bool.npy", "dark.npy"), 0.0);
    let spread: Vec<u8> = ones.iter().flat_map(|one| [*one; 3]).collect();
    files.picture("dark.png", &Image::new(3, 2, 3, spread).unwrap());
    assert_eq!(files.value("mask", "bool.npy", "dark.png"), 0.0);
}

#[test]
fn what_has_no_value_is_told_with_the_file_and_what_to_do() {
    let files = drawn();
    files.write("cut.jpg", &[0xff, 0xd8, 0xff, 0xe0, 0, 16]);
    files.write("notes.txt", b"not a picture");
    files.npy("nan.npy", "(2, 1)", &[0.0, f64::NAN]);
    files.npy("short.npy", "(3, 1)", &[0.0, 1.0]);
    files.npy("box.npy", "(4,)", &[0.0, 0.0, 4.0, 4.0]);
    files.npy("zeros.npy", "(4,)", &[0.0; 4]);
    files.npy("nan_box.npy", "(4,)", &[0.0, 0.0, 4.0, f64::NAN]);
    for (name, reference, candidate, words) in [
        (
            "sim",
            "r.png",
            "c.png",
            ["no metric sim", "ssim_gaussian_grey"],
        ),
        ("mse", "r.png", "gone.png", ["gone.png", "cannot read"]),
        ("mse", "r.png", "cut.jpg", ["cut.jpg", "cut off"]),
        ("mse", "notes.txt", "r.png", ["notes.txt", "expected a PNG"]),
        ("ssim", "r.png", "small.png", ["small.png", "65 × 64"]),
        (
            "ssim",
            "small.png",
            "small.png",
            ["at least 7 × 7", "6 × 5"],
        ),
        ("ms_ssim", "r.png", "c.png", ["at least 176", "65 × 64"]),
        (
            "fid",
            "nan.npy",
            "nan.npy",
            ["nan.npy", "found NaN at position 1"],
        ),
        (
            "fid",
            "r.png",
            "c.png",
            ["an NPY array of features", "r.png"],
        ),
        ("fid", "short.npy", "nan.npy", ["short.npy", "16 bytes"]),
        (
            "cosine",
            "box.npy",
            "zeros.npy",
            ["nothing but zeros in the candidate", "zeros.npy"],
        ),
        (
            "ssim",
            "nan.npy",
            "nan.npy",
            [
                "whole numbers from 0 to 255, found NaN at position 1",
                "nan.npy",
            ],
        ),
        (
            "bbox",
            "box.npy",
            "nan_box.npy",
            ["found NaN at position 3", "nan_box.npy"],
        ),
    ] {
        let found = files.refused(name, reference, candidate);
        for word in words {
            assert!(
                found.contains(word),
                "{name} {reference} {candidate}: {found}"
            );
        }
    }
}

/// The answer with `--gpu`, and what was told beside it.
#[track_caller]
fn on_gpu(files: &Files, name: &str, has_drivers: bool) -> (Value, String) {
    let mut command = files.command(name, "r.png", "c.png");
    command.arg("--gpu");
    if !has_drivers {
        // Vulkan's loader then knows no driver at all.
        command.env("VK_DRIVER_FILES", "none.json");
        command.env("VK_ICD_FILENAMES", "none.json");
    }
    let (code, out, words) = Files::ran(command);
    assert_eq!(code, 0, "{words}");
    (serde_json::from_str(&out).unwrap(), words)
}

#[test]
fn the_gpu_is_named_where_it_computes_and_missed_aloud_where_it_does_not() {
    let files = drawn();
    for name in ["mse", "psnr", "edge_mse", "mask"] {
        let (answer, words) = on_gpu(&files, name, true);
        let told = match answer["backend"].as_str().unwrap() {
            "gpu" => "computed on the GPU: ",
            "cpu" => "computed on the CPU instead: ",
            other => panic!("{other}"),
        };
        assert!(words.contains(told), "{words}");
        assert_eq!(
            answer["value"],
            files.value(name, "r.png", "c.png"),
            "{name}"
        );
    }
    let (answer, _) = on_gpu(&files, "ssim", true);
    let found = answer["value"].as_f64().unwrap();
    let expected = files.value("ssim", "r.png", "c.png").as_f64().unwrap();
    assert!((found - expected).abs() <= 2e-5, "{found} {expected}");
}

#[test]
fn the_cpu_stands_in_for_a_missing_gpu_and_for_a_missing_twin() {
    let files = drawn();
    let mut cases = vec![("pose", true), ("pose", false)];
    if cfg!(target_os = "linux") {
        cases.push(("ssim", false));
    }
    for (name, has_drivers) in cases {
        let (answer, words) = on_gpu(&files, name, has_drivers);
        assert_eq!(answer["backend"], "cpu");
        assert!(words.contains("computed on the CPU instead: "), "{words}");
        assert_eq!(answer["value"], files.value(name, "r.png", "c.png"));
    }
    // What is wrong with the pictures is wrong on every backend.
    let mut command = files.command("ssim", "r.png", "small.png");
    command.arg("--gpu");
    let (code, out, words) = Files::ran(command);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(words.contains("65 × 64"), "{words}");
}

#[test]
fn every_metric_has_a_name_of_its_own() {
    let mut names = Metric::ALL.map(Metric::id);
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    for metric in Metric::ALL {
        assert_eq!(Metric::from_id(metric.id()), Ok(metric));
    }
}

#[test]
fn the_grey_of_a_jpeg_reference_is_not_rounded_as_that_of_a_png_of_its_pixels() {
    let files = Files::new();
    let [reference, candidate] = pictures(64, 48);
    let jpeg = encode_jpeg(&Rgb {
        width: 64,
        height: 48,
        data: reference.into_data(),
    });
    let jpeg = jpeg.unwrap();
    files.write("reference.jpg", &jpeg);
    let pixels = decode_rgb(&jpeg, &Limits::default()).unwrap();
    files.picture(
        "reference.png",
        &Image::new(64, 48, 3, pixels.data).unwrap(),
    );
    files.picture("candidate.png", &candidate);
    let value = |metric, reference| files.value(metric, reference, "candidate.png");
    for metric in ["depth", "sketch", "canny"] {
        let found = ["reference.jpg", "reference.png"].map(|name| value(metric, name));
        assert_ne!(found[0], found[1], "{metric}");
    }
    // What reads no grey of a file is the same.
    for metric in ["mse", "ssim_grey", "edge_mse", "pose", "mask"] {
        let found = ["reference.jpg", "reference.png"].map(|name| value(metric, name));
        assert_eq!(found[0], found[1], "{metric}");
    }
}
