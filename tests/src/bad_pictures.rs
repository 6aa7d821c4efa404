//! Pictures and arrays that are wrong or at the edge of what a metric is defined for, each with what must come of it.
//!
//! Plain Rust without files: the same cases run natively and in Wasm.
#![expect(
    clippy::cast_possible_truncation,
    reason = "colours are a formula that may wrap, and sizes are small"
)]

use juror_image::{Limits, Rgb, decode_rgb, encode_png, thumbnail};
use juror_metrics::{Array, Image, Input, Metric, is_npy};

/// What must come of a case.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// This very number.
    Value(f64),
    /// An error with all of these words.
    Refused(&'static [&'static str]),
}

/// Two files and a metric.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is wrong.
    pub name: &'static str,
    /// By its id.
    pub metric: &'static str,
    /// The reference's bytes.
    pub reference: Vec<u8>,
    /// The candidate's bytes.
    pub candidate: Vec<u8>,
    /// What must come of it.
    pub expected: Expected,
}

/// The largest file of a decompression bomb here, in bytes.
pub const LARGEST_BOMB: usize = 4096;

/// All cases.
///
/// # Panics
/// If a sound picture cannot be written.
pub fn cases() -> Vec<Case> {
    let mut cases = edges();
    cases.extend(arrays());
    let sound = png(9, 9, |x, y| [x as u8 * 20, y as u8 * 20, 77]);
    for (name, bytes, words) in broken(&sound) {
        let expected = Expected::Refused(words);
        cases.push(case(name, "mse", [&sound, &bytes], expected));
    }
    for (name, bytes) in bombs() {
        assert!(bytes.len() <= LARGEST_BOMB, "{name} is small");
        let expected = Expected::Refused(&["limit of 100,000,000", "60000 × 60000"]);
        cases.push(case(name, "mse", [&bytes, &sound], expected));
    }
    for (name, bytes, words) in liars() {
        let expected = Expected::Refused(words);
        cases.push(case(name, "mse", [&sound, &bytes], expected));
    }
    cases
}

/// One line for each case that does not come out as it must; `swap` gives each case the expectation of the next one.
pub fn failures(swap: bool) -> Vec<String> {
    let cases = cases();
    let next = |idx: usize| cases[(idx + usize::from(swap)) % cases.len()].expected;
    let mut failures = Vec::new();
    for (idx, case) in cases.iter().enumerate() {
        let found = measured(case);
        let is_right = match (next(idx), &found) {
            (Expected::Value(value), Ok(found)) => value.to_bits() == found.to_bits(),
            (Expected::Refused(words), Err(said)) => words.iter().all(|word| said.contains(word)),
            _ => false,
        };
        if !is_right {
            failures.push(format!("{}: {found:?}", case.name));
        }
    }
    failures
}

fn measured(case: &Case) -> Result<f64, String> {
    let metric = Metric::from_id(case.metric).map_err(|error| error.to_string())?;
    let [reference, candidate] = [&case.reference, &case.candidate].map(|bytes| input(bytes));
    metric
        .compute(&reference?, &candidate?)
        .map_err(|error| error.to_string())
}

fn input(bytes: &[u8]) -> Result<Input, String> {
    if is_npy(bytes) {
        let array = Array::from_npy(bytes).map_err(|error| error.to_string())?;
        return Ok(Input::Array(array));
    }
    let Rgb {
        width,
        height,
        data,
    } = decode_rgb(bytes, &Limits::default()).map_err(|error| error.to_string())?;
    Image::new(width as usize, height as usize, 3, data)
        .map(Input::Picture)
        .map_err(|error| error.to_string())
}

fn case(
    name: &'static str,
    metric: &'static str,
    [reference, candidate]: [&[u8]; 2],
    expected: Expected,
) -> Case {
    Case {
        name,
        metric,
        reference: reference.to_vec(),
        candidate: candidate.to_vec(),
        expected,
    }
}

fn png(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let data = rows.flat_map(|(x, y)| colour(x, y)).collect();
    let picture = Rgb {
        width,
        height,
        data,
    };
    encode_png(&picture).expect("a sound picture")
}

/// One pixel, black, identical, of another size.
fn edges() -> Vec<Case> {
    use Expected::{Refused, Value};
    let (dark, light) = (png(1, 1, |_, _| [0; 3]), png(1, 1, |_, _| [255; 3]));
    let black = png(12, 12, |_, _| [0; 3]);
    let drawn = png(12, 12, |x, y| [x as u8 * 20, y as u8 * 20, 99]);
    let wide = png(13, 12, |_, _| [0; 3]);
    let mut cases = vec![
        case("one pixel, MSE", "mse", [&dark, &light], Value(65025.0)),
        case("one pixel, PSNR", "psnr", [&dark, &light], Value(0.0)),
        case("one pixel, edges", "edge_mse", [&dark, &light], Value(0.0)),
        case(
            "one pixel, SSIM",
            "ssim",
            [&dark, &light],
            Refused(&["at least 7 × 7", "1 × 1"]),
        ),
        case(
            "one pixel, Gaussian",
            "ssim_gaussian",
            [&dark, &dark],
            Refused(&["at least 11 × 11"]),
        ),
        case("all black, SSIM", "ssim", [&black, &black], Value(1.0)),
        case("all black, mask", "mask", [&black, &black], Value(0.0)),
        case("all black, pose", "pose", [&black, &black], Value(0.0)),
        case("all black, depth", "depth", [&black, &black], Value(0.0)),
        case(
            "all black, box",
            "bbox",
            [&black, &black],
            Refused(&["brighter than 10"]),
        ),
        case("identical, MSE", "mse", [&drawn, &drawn], Value(0.0)),
        case(
            "identical, PSNR",
            "psnr",
            [&drawn, &drawn],
            Value(f64::INFINITY),
        ),
        case(
            "identical, SSIM",
            "ssim_gaussian",
            [&drawn, &drawn],
            Value(1.0),
        ),
        case(
            "identical, changed",
            "changed",
            [&drawn, &drawn],
            Value(0.0),
        ),
    ];
    for metric in [
        "mse",
        "mae",
        "psnr",
        "ssim",
        "ssim_gaussian",
        "edge_mse",
        "changed",
    ] {
        let expected = Refused(&["12 × 12", "13 × 12", "resize"]);
        cases.push(case("another size", metric, [&black, &wide], expected));
    }
    cases
}

/// NaN and arrays that do not fit each other.
#[expect(clippy::too_many_lines, reason = "a table of files")]
fn arrays() -> Vec<Case> {
    use Expected::{Refused, Value};
    let array = |shape: &[usize], data: Vec<f64>| {
        let shape = shape.to_vec();
        Array {
            shape,
            data,
            is_bytes: false,
        }
        .to_npy()
    };
    let nan = array(&[2, 2], vec![0.0, 1.0, f64::NAN, 2.0]);
    let infinite = array(&[2, 2], vec![0.0, f64::NEG_INFINITY, 1.0, 2.0]);
    let sound = array(&[2, 2], vec![0.0, 1.0, 2.0, 3.0]);
    let other = array(&[3, 2], vec![0.0; 6]);
    let fraction = array(&[2, 2], vec![0.0, 255.0, 1.0, 254.5]);
    let cut = &sound[..sound.len() - 3];
    let mut cases = vec![
        case(
            "NaN, MSE",
            "mse",
            [&sound, &nan],
            Refused(&["NaN at position 2"]),
        ),
        case(
            "NaN, depth",
            "depth",
            [&nan, &sound],
            Refused(&["NaN at position 2"]),
        ),
        case(
            "NaN, FID",
            "fid",
            [&sound, &nan],
            Refused(&["NaN at position 2"]),
        ),
        case(
            "NaN, cosine",
            "cosine",
            [&nan, &sound],
            Refused(&["NaN at position 2"]),
        ),
        case(
            "infinity, MSE",
            "mse",
            [&infinite, &sound],
            Refused(&["-inf at position 1"]),
        ),
        case(
            "other shape, MSE",
            "mse",
            [&sound, &other],
            Refused(&["2 × 2", "2 × 3"]),
        ),
        case(
            "cut array",
            "mse",
            [&sound, cut],
            Refused(&["bytes of [2, 2]", "29 bytes"]),
        ),
        case(
            "sound numbers of a box",
            "bbox",
            [&sound, &sound],
            Value(1.0),
        ),
    ];
    for metric in ["bbox", "bbox_released"] {
        for [a, b] in [[&nan, &sound], [&sound, &nan]] {
            let words = Refused(&["finite numbers", "NaN at position 2"]);
            cases.push(case("NaN, box", metric, [a, b], words));
        }
        let words = Refused(&["finite numbers", "-inf at position 1"]);
        cases.push(case("infinity, box", metric, [&sound, &infinite], words));
    }
    for metric in ["psnr", "mae", "changed", "mask", "pose", "ssim", "edge_mse"] {
        let words = Refused(&["whole numbers from 0 to 255", "NaN at position 2"]);
        cases.push(case("NaN, bytes", metric, [&sound, &nan], words));
        let words = Refused(&["whole numbers from 0 to 255", "254.5 at position 3"]);
        cases.push(case(
            "a fraction, bytes",
            metric,
            [&fraction, &sound],
            words,
        ));
    }
    cases
}

type Named = (&'static str, Vec<u8>, &'static [&'static str]);

/// Files that end too early, or are no pictures.
fn broken(sound: &[u8]) -> Vec<Named> {
    let jpeg = thumbnail(
        &png(64, 64, |x, y| [x as u8 * 4, y as u8 * 4, (x * y) as u8]),
        64,
    );
    let jpeg = jpeg.expect("a sound JPEG");
    vec![
        (
            "a JPEG cut in its header",
            jpeg[..16].to_vec(),
            &["cut off"],
        ),
        (
            "a JPEG cut in the middle",
            jpeg[..jpeg.len() / 2].to_vec(),
            &["cut off"],
        ),
        (
            "a JPEG without its last bytes",
            jpeg[..jpeg.len() - 2].to_vec(),
            &["cut off"],
        ),
        (
            "a PNG cut in the middle",
            sound[..sound.len() / 2].to_vec(),
            &["PNG"],
        ),
        ("an empty file", Vec::new(), &["an empty file"]),
    ]
}

const SIDE: u32 = 60_000;

/// 3.6 · 10⁹ pixels announced in a few bytes.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let [low, high] = [(SIDE & 0xff) as u8, (SIDE >> 8) as u8];
    let mut gif = b"GIF89a".to_vec();
    gif.extend([low, high, low, high, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
    gif.extend([
        0x2c, 0, 0, 0, 0, low, high, low, high, 0, 2, 2, 0x4c, 0x01, 0, 0x3b,
    ]);
    let mut webp = extended_webp(SIDE);
    webp.extend(lossless_chunk(1));
    vec![
        ("a PNG bomb", png_of(SIDE, 8)),
        ("a PNG bomb of one bit", png_of(SIDE, 1)),
        ("a GIF bomb", gif),
        ("a WebP bomb", riff(webp)),
    ]
}

/// Files that announce a small picture around a large one, or the most that the format has.
fn liars() -> Vec<Named> {
    let [low, high] = [(SIDE & 0xff) as u8, (SIDE >> 8) as u8];
    let mut gif = b"GIF89a".to_vec();
    gif.extend([9, 0, 9, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
    gif.extend([
        0x2c, 0, 0, 0, 0, low, high, low, high, 0, 2, 2, 0x4c, 0x01, 0, 0x3b,
    ]);
    let mut webp = extended_webp(9);
    webp.extend(lossless_chunk(16_384));
    let mut jpeg = vec![
        0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xea, 0x60, 0xea, 0x60, 1, 1, 0x11, 0,
    ];
    jpeg.extend([0xff, 0xd9]);
    vec![
        // As Pillow has it, the picture is as large as the frame.
        (
            "a GIF of a frame beyond its screen",
            gif,
            &["limit of 100,000,000", "60000 × 60000"],
        ),
        (
            "a WebP of a picture beyond its canvas",
            riff(webp),
            &["WebP"],
        ),
        (
            "the largest WebP",
            riff(lossless_chunk(16_384)),
            &["limit of 100,000,000", "16384 × 16384"],
        ),
        (
            "a JPEG bomb",
            jpeg,
            &["limit of 100,000,000", "60000 × 60000"],
        ),
    ]
}

/// A square grey PNG with its checksums and the beginning of its pixels.
fn png_of(side: u32, bits: u8) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [side.to_be_bytes(), side.to_be_bytes()].concat();
    header.extend([bits, 0, 0, 0, 0]);
    // One stored block of zeros.
    let mut pixels = vec![0x78, 0x01, 0x01, 0x00, 0x04, 0xff, 0xfb];
    pixels.extend([0; 1024]);
    pixels.extend([0x04, 0x00, 0x00, 0x01]);
    for (kind, data) in [
        (b"IHDR", &header),
        (b"IDAT", &pixels),
        (b"IEND", &Vec::new()),
    ] {
        file.extend((data.len() as u32).to_be_bytes());
        let chunk = [kind.as_slice(), data].concat();
        file.extend(&chunk);
        file.extend(crc32(&chunk).to_be_bytes());
    }
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1))
        })
    })
}

fn riff(chunks: Vec<u8>) -> Vec<u8> {
    let mut file = b"RIFF".to_vec();
    file.extend((chunks.len() as u32 + 4).to_le_bytes());
    file.extend(b"WEBP");
    file.extend(chunks);
    file
}

fn extended_webp(side: u32) -> Vec<u8> {
    let mut chunk = b"VP8X\x0a\0\0\0\0\0\0\0".to_vec();
    for _ in 0..2 {
        chunk.extend(&(side - 1).to_le_bytes()[..3]);
    }
    chunk
}

/// A lossless picture of this side whose pixels are missing.
fn lossless_chunk(side: u32) -> Vec<u8> {
    let sizes = (side - 1) | (side - 1) << 14;
    let mut chunk = b"VP8L\x06\0\0\0\x2f".to_vec();
    chunk.extend(sizes.to_le_bytes());
    chunk.push(0);
    chunk
}
