//! Image metrics by hand arithmetic, their laws, and what they say to input that has no good answer.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test fails by panicking, and whole numbers are exact"
)]

use juror_metrics::{
    Array, BoxRule, Canny, Change, Grey, Image, Input, LabelMap, Map, Metric, MetricError, MsSsim,
    Pixels, Resampling, View, Window, assign, canny, change_map, cosine, drawn_box, fid_multiref,
    frechet, grey, mae, mask_multiref, match_regions, ms_ssim, mse, mse_multiref, mse_reals, phash,
    pose_pixels, psnr, resize, ssim, ssim_map, ssim_reals, ssim_torchmetrics, sum_of_squares,
};
use juror_tests::generate::Random;
use juror_tests::golden::metrics::pictures;
use wasm_bindgen_test::wasm_bindgen_test;

/// The sizes at which windows, lanes and pieces begin and end.
const SIDES: [usize; 8] = [1, 7, 8, 9, 63, 64, 65, 257];

fn flat(width: usize, height: usize, colour: [u8; 3]) -> Image<u8> {
    Image::new(width, height, 3, colour.repeat(width * height)).unwrap()
}

fn noise(width: usize, height: usize, seed: u64) -> Image<u8> {
    let mut random = Random::new(seed);
    let samples = (0..3 * width * height).map(|_| u8::try_from(random.below(256)).unwrap());
    Image::new(width, height, 3, samples.collect()).unwrap()
}

/// SSIM of one channel, straight from the definition: every window by itself.
fn ssim_by_definition(r: &Pixels<'_>, c: &Pixels<'_>, side: usize) -> f64 {
    let (c1, c2) = (2.55_f64 * 2.55, 7.65_f64 * 7.65);
    let count = (side * side) as f64;
    let mut sum = 0.0;
    let windows = (r.width() - side + 1) * (r.height() - side + 1);
    for y in 0..=r.height() - side {
        for x in 0..=r.width() - side {
            let places = (0..side * side).map(|k| (y + k / side, x + k % side));
            let pairs: Vec<(f64, f64)> = places
                .map(|(y, x)| (f64::from(r.row(y)[x]), f64::from(c.row(y)[x])))
                .collect();
            let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
            let (mr, mc) = (mean(&|p| p.0), mean(&|p| p.1));
            let sample = count / (count - 1.0);
            let vr = sample * mean(&|p| (p.0 - mr) * (p.0 - mr));
            let vc = sample * mean(&|p| (p.1 - mc) * (p.1 - mc));
            let v = sample * mean(&|p| (p.0 - mr) * (p.1 - mc));
            sum +=
                (2.0 * mr * mc + c1) * (2.0 * v + c2) / ((mr * mr + mc * mc + c1) * (vr + vc + c2));
        }
    }
    sum / windows as f64
}

/// Lengths at which pieces of 256 samples begin and end.
const LENGTHS: [usize; 9] = [1, 8, 255, 256, 257, 511, 512, 513, 771];

#[wasm_bindgen_test(unsupported = test)]
fn squares_add_up_exactly_at_every_length_around_a_piece() {
    for length in LENGTHS {
        let (r, c) = (noise(length, 1, 5), noise(length, 1, 6));
        let samples = r.data().iter().zip(c.data());
        let by_hand: u64 = samples.map(|(r, c)| u64::from(r.abs_diff(*c)).pow(2)).sum();
        assert_eq!(
            sum_of_squares(&r.view(), &c.view()),
            Ok(by_hand),
            "{length}"
        );
        let (black, white) = (flat(length, 1, [0; 3]), flat(length, 1, [255; 3]));
        let largest = 3 * 65025 * length as u64;
        let found = sum_of_squares(&black.view(), &white.view());
        assert_eq!(found, Ok(largest), "{length}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn one_grey_level_anywhere_around_a_piece_changes_the_sum() {
    for length in LENGTHS {
        let r = noise(length, 1, 5);
        for at in [0, length / 2, 3 * length - 1] {
            let mut data = r.data().to_vec();
            data[at] ^= 1;
            let c = Image::new(length, 1, 3, data).unwrap();
            assert_eq!(sum_of_squares(&r.view(), &c.view()), Ok(1), "{length} {at}");
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn the_widest_window_of_whole_numbers_holds_the_brightest_pictures() {
    let (r, mut c) = (vec![255_u8; 144], vec![255_u8; 144]);
    c[70] = 0;
    let (r, c) = (
        Image::new(12, 12, 1, r).unwrap(),
        Image::new(12, 12, 1, c).unwrap(),
    );
    let expected = ssim_by_definition(&r.view(), &c.view(), 11);
    let found = ssim(&r.view(), &c.view(), Window::Uniform(11), 255.0).unwrap();
    assert!(
        (found.value - expected).abs() < 1e-12,
        "{} {expected}",
        found.value
    );
    assert!(found.value < 0.999);
}

#[wasm_bindgen_test(unsupported = test)]
fn sliding_windows_equal_the_definition_at_every_size() {
    for (width, height) in [
        (7, 7),
        (8, 9),
        (9, 7),
        (63, 7),
        (64, 8),
        (65, 9),
        (257, 7),
        (7, 65),
    ] {
        let [r, c] = [noise(width, height, 1), noise(width, height, 2)]
            .map(|picture| picture.view().channel(1).unwrap());
        let expected = ssim_by_definition(&r.view(), &c.view(), 7);
        let found = ssim(&r.view(), &c.view(), Window::UNIFORM, 255.0)
            .unwrap()
            .value;
        assert!(
            (expected - found).abs() < 1e-13,
            "{width} × {height}: {expected} {found}"
        );
        // The sibling that must fail: another side.
        let other = ssim_by_definition(&r.view(), &c.view(), 5);
        assert!((other - found).abs() > 1e-4, "{width} × {height}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn bytes_and_reals_have_one_ssim() {
    for window in [
        Window::Uniform(3),
        Window::UNIFORM,
        Window::Uniform(11),
        Window::GAUSSIAN,
    ] {
        let [r, c] = pictures(65, 64);
        let reals = [&r, &c].map(|picture| {
            let data = picture
                .data()
                .iter()
                .map(|sample| f64::from(*sample))
                .collect();
            Image::new(65, 64, 3, data).unwrap()
        });
        let bytes = ssim(&r.view(), &c.view(), window, 255.0).unwrap();
        let reals = ssim_reals(&reals[0].view(), &reals[1].view(), window, 255.0).unwrap();
        assert!((bytes.value - reals.value).abs() < 1e-13, "{window:?}");
        assert_eq!(bytes.channels.len(), 3);
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn the_mean_of_an_ssim_map_is_the_ssim_and_no_place_is_left_out() {
    for window in [Window::UNIFORM, Window::GAUSSIAN] {
        for width in [11, 63, 64, 65, 257] {
            let [r, c] = pictures(width, 13);
            let map = ssim_map(&r.view(), &c.view(), window, 255.0).unwrap();
            let side = window.side().unwrap();
            assert_eq!(map.view().size(), (width - side + 1, 13 - side + 1));
            let mean = map.data().iter().sum::<f64>() / map.data().len() as f64;
            let value = ssim(&r.view(), &c.view(), window, 255.0).unwrap().value;
            // A place that no window filled would be NaN.
            assert!((mean - value).abs() < 1e-13, "{width}: {mean} {value}");
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn metrics_are_symmetric_and_best_for_equal_pictures() {
    for side in SIDES {
        let [r, c] = pictures(side, side);
        let (r, c) = (r.view(), c.view());
        assert_eq!(mse(&r, &c), mse(&c, &r));
        assert_eq!(mae(&r, &c), mae(&c, &r));
        assert_eq!(psnr(&r, &c), psnr(&c, &r));
        assert_eq!(psnr(&r, &r), Ok(f64::INFINITY));
        assert_eq!(mse(&r, &r), Ok(0.0));
        assert!(mse(&r, &c).unwrap() > 0.0);
        for window in [Window::UNIFORM, Window::GAUSSIAN] {
            let value = |r, c| ssim(r, c, window, 255.0).map(|found| found.value);
            assert_eq!(value(&r, &c), value(&c, &r));
            if side >= window.side().unwrap() {
                assert_eq!(value(&r, &r), Ok(1.0));
                assert!(value(&r, &c).unwrap() < 1.0);
            } else {
                assert!(matches!(value(&r, &c), Err(MetricError::TooSmall { .. })));
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn one_pixel_has_errors_and_greys_but_no_windows() {
    let (r, c) = (flat(1, 1, [10, 20, 30]), flat(1, 1, [10, 20, 36]));
    let (r, c) = (r.view(), c.view());
    assert_eq!(mse(&r, &c), Ok(12.0));
    assert_eq!(mae(&r, &c), Ok(2.0));
    let edges = canny(&grey(&r, Grey::OpenCv).unwrap().view(), Canny::MULTIREF).unwrap();
    assert_eq!(edges.data(), [0]);
    for found in [
        ssim(&r, &c, Window::UNIFORM, 255.0).map(|found| found.value),
        ssim_torchmetrics(&r, &c),
        ms_ssim(&r, &c, MsSsim::Torchmetrics),
    ] {
        assert!(
            matches!(found, Err(MetricError::TooSmall { .. })),
            "{found:?}"
        );
    }
    // The window that fits is 1, and has no variance.
    let found = ssim(&r, &c, Window::fitting(1, 1), 255.0);
    assert_eq!(found, Err(MetricError::Window { found: 1 }));
}

#[wasm_bindgen_test(unsupported = test)]
fn black_pictures_have_documented_values() {
    let black = flat(16, 12, [0, 0, 0]);
    let white = flat(16, 12, [255, 255, 255]);
    let (b, w) = (&black.view(), &white.view());
    assert_eq!(mse(b, w), Ok(65025.0));
    assert_eq!(psnr(b, w), Ok(0.0));
    assert_eq!(mask_multiref(b, b).unwrap().iou(), 0.0);
    assert_eq!(mask_multiref(w, w).unwrap().iou(), 1.0);
    assert_eq!(pose_pixels(b, b).unwrap().value(), 0.0);
    assert_eq!(
        drawn_box(b, BoxRule::Intended),
        Err(MetricError::NoBox { threshold: 10 })
    );
    let whole = drawn_box(b, BoxRule::Released).unwrap();
    assert_eq!(
        [whole.x0, whole.y0, whole.x1, whole.y1],
        [0.0, 0.0, 15.0, 11.0]
    );
    // 192 pixels are no region of 300.
    let map = LabelMap::new(b).unwrap();
    assert_eq!(match_regions(&map, &map, 300).unwrap().mean_iou, 0.0);
    assert_eq!(match_regions(&map, &map, 192).unwrap().mean_iou, 1.0);
    let found = ssim(b, b, Window::GAUSSIAN, 255.0).unwrap().value;
    assert_eq!(found, 1.0);
}

#[wasm_bindgen_test(unsupported = test)]
fn pictures_that_do_not_fit_each_other_are_refused() {
    let (a, b) = (flat(8, 8, [1; 3]), flat(9, 8, [1; 3]));
    let mismatch = MetricError::SizeMismatch {
        reference: (8, 8),
        candidate: (9, 8),
    };
    assert_eq!(mse(&a.view(), &b.view()), Err(mismatch.clone()));
    assert_eq!(psnr(&a.view(), &b.view()), Err(mismatch.clone()));
    let found = change_map(&a.view(), &b.view(), 0, None);
    assert_eq!(found, Err(mismatch));
    let grey = grey(&a.view(), Grey::Pillow).unwrap();
    let found = mae(&a.view(), &grey.view());
    assert_eq!(
        found,
        Err(MetricError::ChannelMismatch {
            reference: 3,
            candidate: 1
        })
    );
    assert!(matches!(
        canny(&a.view(), Canny::MULTIREF),
        Err(MetricError::Channels { .. })
    ));
    assert!(matches!(
        phash(&grey.view()),
        Err(MetricError::Shape { .. })
    ));
    assert!(View::new(0, 3, 1, &[0_u8; 0]).is_err());
    assert!(View::new(usize::MAX, 2, 1, &[0_u8; 4]).is_err());
    for range in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = ssim(&a.view(), &a.view(), Window::UNIFORM, range);
        assert!(
            matches!(found, Err(MetricError::DataRange { .. })),
            "{range}"
        );
    }
    for side in [0, 1, 2, 8] {
        let found = ssim(&a.view(), &a.view(), Window::Uniform(side), 255.0);
        assert_eq!(found, Err(MetricError::Window { found: side }));
    }
    assert!(ssim(&a.view(), &a.view(), Window::Gaussian(f64::NAN), 255.0).is_err());
    assert!(ssim(&a.view(), &a.view(), Window::Gaussian(1e300), 255.0).is_err());
    assert!(resize(&a.view(), 0, 4, Resampling::Area).is_err());
}

#[wasm_bindgen_test(unsupported = test)]
fn numbers_that_are_none_are_refused_by_position() {
    let good = View::new(2, 2, 1, &[0.0, 1.0, 2.0, 3.0]).unwrap();
    let bad = View::new(2, 2, 1, &[0.0, 1.0, f64::NAN, 3.0]).unwrap();
    let position = |found: Result<f64, MetricError>| match found {
        Err(MetricError::NotFinite { position, .. }) => Some(position),
        _ => None,
    };
    assert_eq!(position(mse_reals(&good, &bad)), Some(2));
    let maps = [Map::Reals(good), Map::Reals(bad)];
    assert_eq!(position(mse_multiref(&maps[0], &maps[1])), Some(2));
    assert_eq!(position(mse_multiref(&maps[1], &maps[0])), Some(2));
    assert_eq!(
        position(frechet(&good, &bad).map(|found| found.value())),
        Some(2)
    );
    assert_eq!(position(cosine(good.data(), bad.data())), Some(2));
    assert_eq!(position(fid_multiref(bad.data())), Some(2));
    assert_eq!(position(mse_reals(&good, &good)), None);
}

#[wasm_bindgen_test(unsupported = test)]
fn a_vector_of_zeros_has_no_cosine_and_a_tiny_or_huge_one_has() {
    let zeros = |side| Err(MetricError::ZeroVector { side });
    assert_eq!(cosine(&[0.0, -0.0], &[3.0, 4.0]), zeros("reference"));
    assert_eq!(cosine(&[3.0, 4.0], &[0.0, 0.0]), zeros("candidate"));
    assert_eq!(cosine(&[], &[]), zeros("reference"));
    for scale in [1e-320, 1e-200, 1e-160, 1.0, 1e160, 1e300] {
        let found = cosine(&[3.0 * scale, 4.0 * scale], &[4.0, 3.0]).unwrap();
        // Of 1e-320 itself f64 has three digits.
        let tolerance = if scale < 1e-300 { 1e-3 } else { 1e-15 };
        assert!((found - 0.96).abs() <= tolerance, "{scale}: {found}");
        let other = cosine(&[3.0 * scale, 4.1 * scale], &[4.0, 3.0]).unwrap();
        assert!((other - 0.96).abs() > tolerance, "{scale}: {other}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn scaling_by_the_own_maximum_breaks_where_the_released_code_does() {
    let map = |value: u8| Image::new(2, 2, 1, vec![value; 4]).unwrap();
    let found = |a: u8, b: u8| {
        mse_multiref(&Map::Bytes(map(a).view()), &Map::Bytes(map(b).view())).unwrap()
    };
    assert_eq!(found(255, 0), 1.0);
    assert_eq!(found(1, 255), 0.0);
    assert!((found(2, 1) - (1.0_f64 - 2.0 / 255.0).powi(2)).abs() < 1e-15);
    assert!((found(128, 64) - (64.0_f64 / 255.0).powi(2)).abs() < 1e-15);
}

#[wasm_bindgen_test(unsupported = test)]
fn changes_are_counted_inside_and_outside() {
    let reference = flat(4, 3, [100; 3]);
    let mut data = reference.data().to_vec();
    data[0] = 130; // (0, 0), red
    data[3 * 7 + 2] = 90; // (3, 1), blue
    let candidate = Image::new(4, 3, 3, data).unwrap();
    let mut region = vec![0_u8; 12];
    region[7] = 1;
    let region = Image::new(4, 3, 1, region).unwrap();
    let found = change_map(
        &reference.view(),
        &candidate.view(),
        9,
        Some(&region.view()),
    )
    .unwrap();
    let inside = Change {
        pixels: 1,
        changed: 1,
        absolute: 10,
        squared: 100,
        samples: 3,
        largest: 10,
    };
    assert_eq!(found.inside, inside);
    assert_eq!((found.outside.pixels, found.outside.changed), (11, 1));
    assert_eq!(found.whole.changed_share(), Some(2.0 / 12.0));
    assert_eq!(found.extent, Some([0, 0, 3, 1]));
    // The sibling that must fail: a threshold one higher loses a pixel.
    let higher = change_map(
        &reference.view(),
        &candidate.view(),
        10,
        Some(&region.view()),
    );
    assert_eq!(higher.unwrap().whole.changed, 1);
    // Sums are those of the metrics.
    let whole = mse(&reference.view(), &candidate.view()).unwrap();
    assert_eq!(found.whole.mse(), Some(whole));
}

#[wasm_bindgen_test(unsupported = test)]
fn assignments_beat_every_other_pairing() {
    let mut random = Random::new(7);
    for _ in 0..50 {
        let (rows, columns) = (1 + random.below(5), 1 + random.below(5));
        let profit: Vec<f64> = (0..rows * columns)
            .map(|_| random.below(6) as f64)
            .collect();
        let pairs = assign(&profit, columns);
        let total: f64 = pairs
            .iter()
            .map(|(row, column)| profit[row * columns + column])
            .sum();
        assert_eq!(pairs.len(), rows.min(columns));
        let best = best_pairing(&profit, rows, columns, 0, 0);
        assert_eq!(total, best, "{rows} × {columns} {profit:?}");
    }
    assert_eq!(assign(&[], 0), []);
}

/// Tries everything; `used` has a bit for each taken column.
fn best_pairing(profit: &[f64], rows: usize, columns: usize, row: usize, used: u32) -> f64 {
    if row == rows {
        return 0.0;
    }
    // A row may stay alone where there are more rows than columns.
    let alone = best_pairing(profit, rows, columns, row + 1, used);
    (0..columns)
        .filter(|column| used & (1 << column) == 0)
        .map(|column| {
            profit[row * columns + column]
                + best_pairing(profit, rows, columns, row + 1, used | 1 << column)
        })
        .fold(alone, f64::max)
}

#[wasm_bindgen_test(unsupported = test)]
fn a_frechet_distance_of_moved_and_stretched_sets_is_known() {
    let mut random = Random::new(3);
    let (rows, columns) = (40, 6);
    let x: Vec<f64> = (0..rows * columns)
        .map(|_| random.below(1000) as f64 / 100.0)
        .collect();
    let view = |data| View::new(columns, rows, 1, data).unwrap();
    // x + 2: only the means differ, by 2² in each of 6 numbers.
    let moved: Vec<f64> = x.iter().map(|value| value + 2.0).collect();
    let found = frechet(&view(&x), &view(&moved)).unwrap().value();
    assert!((found - 24.0).abs() < 1e-9, "{found}");
    // 3 x around the mean: tr Σ + 9 tr Σ − 2 · 3 tr Σ = 4 tr Σ, and means that differ by 2 μ.
    let wide: Vec<f64> = x.iter().map(|value| 3.0 * value).collect();
    let parts = frechet(&view(&x), &view(&wide)).unwrap();
    assert!((parts.value() - parts.means - 4.0 * parts.reference).abs() < 1e-9);
    assert_eq!(frechet(&view(&x), &view(&x)).unwrap().means, 0.0);
    assert!(frechet(&view(&x), &view(&x)).unwrap().value() < 1e-9);
    let one = View::new(6, 1, 1, &x[..6]).unwrap();
    assert!(matches!(
        frechet(&one, &view(&x)),
        Err(MetricError::FeatureSet { .. })
    ));
    let narrow = View::new(5, 48, 1, &x).unwrap();
    assert!(matches!(
        frechet(&narrow, &view(&x)),
        Err(MetricError::FeatureLength { .. })
    ));
}

/// A version 1 file around a header.
fn npy(header: &str, body: &[u8]) -> Vec<u8> {
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend(u16::try_from(header.len() + 1).unwrap().to_le_bytes());
    file.extend(header.as_bytes());
    file.push(b'\n');
    file.extend(body);
    file
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Bodies that NumPy 2.2.6 saves for ±[[1, 2, 3], [4, 5, 6]], and for [[1.5, −2, NaN], [4, 0, ∞]].
const NUMPY: [(&str, &str, f64); 14] = [
    ("|u1", "010203040506", 1.0),
    ("<u2", "010002000300040005000600", 1.0),
    (">u2", "000100020003000400050006", 1.0),
    ("<i2", "fffffefffdfffcfffbfffaff", -1.0),
    (
        "<u4",
        "010000000200000003000000040000000500000006000000",
        1.0,
    ),
    (
        "<i4",
        "fffffffffefffffffdfffffffcfffffffbfffffffaffffff",
        -1.0,
    ),
    (
        "<i8",
        "fffffffffffffffffefffffffffffffffdfffffffffffffffcfffffffffffffffbfffffffffffffffaffffffffffffff",
        -1.0,
    ),
    (
        "<u8",
        "010000000000000002000000000000000300000000000000040000000000000005000000000000000600000000000000",
        1.0,
    ),
    ("|i1", "fffefdfcfbfa", -1.0),
    ("<f2", "003e00c0007e00440000007c", 0.0),
    (
        "<f4",
        "0000c03f000000c00000c07f00008040000000000000807f",
        0.0,
    ),
    (
        ">f4",
        "3fc00000c00000007fc0000040800000000000007f800000",
        0.0,
    ),
    (
        "<f8",
        "000000000000f83f00000000000000c0000000000000f87f00000000000010400000000000000000000000000000f07f",
        0.0,
    ),
    (
        ">f8",
        "3ff8000000000000c0000000000000007ff8000000000000401000000000000000000000000000007ff0000000000000",
        0.0,
    ),
];

#[wasm_bindgen_test(unsupported = test)]
fn arrays_of_every_type_are_read_as_numpy_writes_them() {
    for (descr, hex, sign) in NUMPY {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2, 3), }}");
        let array = Array::from_npy(&npy(&header, &bytes(hex))).unwrap();
        assert_eq!(array.shape, [2, 3], "{descr}");
        assert_eq!(array.is_bytes, descr == "|u1");
        if sign == 0.0 {
            assert_eq!(array.data[..2], [1.5, -2.0], "{descr}");
            assert!(array.data[2].is_nan(), "{descr}");
            assert_eq!(array.data[3..], [4.0, 0.0, f64::INFINITY], "{descr}");
        } else {
            let expected: Vec<f64> = (1..=6).map(|value| sign * f64::from(value)).collect();
            assert_eq!(array.data, expected, "{descr}");
        }
    }
    let header = "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }";
    let array = Array::from_npy(&npy(header, &bytes("010004000200050003000600"))).unwrap();
    assert_eq!(array.data, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    // The sibling that must fail: the same bytes in the other order.
    let header = header.replace("True", "False");
    let other = Array::from_npy(&npy(&header, &bytes("010004000200050003000600"))).unwrap();
    assert_eq!(other.data, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let single = npy(
        "{'descr': '|b1', 'fortran_order': False, 'shape': (), }",
        &[1],
    );
    assert_eq!(Array::from_npy(&single).unwrap().data, [1.0]);
}

#[wasm_bindgen_test(unsupported = test)]
fn files_that_are_no_arrays_are_told_what_is_wrong() {
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
    let good = npy(header, &[0; 16]);
    assert!(Array::from_npy(&good).is_ok());
    // Every cut is noticed, none panics.
    for len in 0..good.len() {
        assert!(
            matches!(Array::from_npy(&good[..len]), Err(MetricError::Npy { .. })),
            "{len}"
        );
    }
    for (from, to, words) in [
        ("<f8", "|O", "|O"),
        ("<f8", "<c16", "<c16"),
        ("<f8", "<f1", "<f1"),
        ("False", "Maybe", "Maybe"),
        ("(2,)", "(2, -1)", "(2, -1)"),
        ("(2,)", "2", "a shape"),
        ("(2,)", "(3,)", "16 bytes"),
        // 2⁶⁴ numbers and more: nothing is allocated.
        ("(2,)", "(4294967296, 4294967296, 2)", "16 bytes"),
        ("descr", "type", "'descr'"),
        ("shape", "form", "'shape'"),
    ] {
        let file = npy(&header.replace(from, to), &[0; 16]);
        let found = Array::from_npy(&file).unwrap_err().to_string();
        assert!(found.contains(words), "{to}: {found}");
        assert!(found.contains("numpy.save"), "{found}");
    }
    let mut version = good;
    version[6] = 9;
    let found = Array::from_npy(&version).unwrap_err().to_string();
    assert!(found.contains("version 9"), "{found}");
}

#[wasm_bindgen_test(unsupported = test)]
fn arrays_become_planes_only_where_they_are_planes() {
    let array = |shape: &[usize]| Array {
        shape: shape.to_vec(),
        data: vec![1.0; shape.iter().product()],
        is_bytes: false,
    };
    let size = |shape: &[usize]| {
        let image = array(shape).to_image()?;
        let view = image.view();
        Ok::<_, MetricError>((view.width(), view.height(), view.channels()))
    };
    assert_eq!(size(&[2, 3]), Ok((3, 2, 1)));
    assert_eq!(size(&[2, 3, 4]), Ok((3, 2, 4)));
    assert_eq!(size(&[1, 1, 5, 6]), Ok((6, 5, 1)));
    assert_eq!(size(&[1, 1]), Ok((1, 1, 1)));
    assert!(size(&[]).is_err());
    assert!(size(&[7]).is_err());
    assert!(size(&[2, 3, 5]).is_err());
    assert!(size(&[0, 3]).is_err());
    assert!(array(&[2, 3]).to_bytes().is_ok());
    let mut half = array(&[2, 3]);
    half.data[4] = 0.5;
    assert!(half.to_bytes().is_err());
}

#[wasm_bindgen_test(unsupported = test)]
fn every_metric_by_name_takes_what_it_says_and_refuses_the_rest() {
    let features = Input::Array(Array {
        shape: vec![2, 1],
        data: vec![0.0, 2.0],
        is_bytes: false,
    });
    let [r, c] = pictures(64, 63).map(Input::Picture);
    for metric in Metric::ALL {
        let of_lengths = matches!(metric, Metric::FidMultiref | Metric::Aesthetics);
        let of_arrays = of_lengths || matches!(metric, Metric::Fid | Metric::Cosine);
        let found = metric.compute(&r, &c);
        let needs_more = matches!(
            metric,
            Metric::MsSsim | Metric::MsSsimPytorch | Metric::Phash
        );
        assert_eq!(
            found.is_err(),
            of_arrays || needs_more,
            "{metric:?} {found:?}"
        );
        assert_eq!(
            metric.compute(&features, &features).is_ok(),
            of_arrays && !of_lengths
                || matches!(
                    metric,
                    Metric::Mse
                        | Metric::Mae
                        | Metric::Psnr
                        | Metric::Changed
                        | Metric::Depth
                        | Metric::Sketch
                        | Metric::Canny
                        | Metric::EdgeMse
                        | Metric::Mask
                        | Metric::Pose
                        | Metric::SemanticMap
                ),
            "{metric:?}"
        );
        assert!(
            metric.compute(&r, &features).is_err()
                || matches!(
                    metric,
                    Metric::Depth
                        | Metric::Sketch
                        | Metric::Canny
                        | Metric::Mask
                        | Metric::Pose
                        | Metric::SemanticMap
                ),
            "{metric:?}"
        );
    }
}
