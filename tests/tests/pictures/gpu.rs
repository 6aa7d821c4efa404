//! The GPU's metrics beside the CPU's: whole numbers to the bit, SSIM within its tolerance.
//!
//! Buffers for results are filled with ones before each shader runs, so that what none wrote is found.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, says loudly what it skipped and tells what it measured"
)]

use std::sync::OnceLock;

use juror_gpu::{Edges, Fill, Gpu, GpuError, Options, Pair, Taps, has_twin};
use juror_image::{Filter, PRECISION_BITS, Rgb, Rgba, merge, taps};
use juror_metrics::{
    Array, Call, Canny, Dar, Focus, Grey, Image, Input, Layout, Metric, MetricError, MsSsim,
    Pixels, Resampling, Tensor, View, Window, canny, change_map, grey, mask_overlap, resize, ssim,
    sum_of_squares,
};
use juror_tests::golden::dar::calls;
use juror_tests::golden::folder::Golden;
use juror_tests::golden::metrics::{Rules, pictures, run};
use juror_tests::golden::summary;
use pollster::block_on;

/// Sides around those of workgroups, and shapes that are all border.
const SIZES: [(usize, usize); 15] = [
    (1, 1),
    (7, 7),
    (8, 8),
    (9, 9),
    (63, 63),
    (64, 64),
    (65, 65),
    (257, 257),
    (1, 257),
    (257, 1),
    (7, 65),
    (64, 9),
    (16, 17),
    (5, 3),
    (180, 177),
];

/// f32 of whole sums: a window is off by some units in the last place; 2 · 10⁻⁵ is promised.
const SSIM_TOLERANCE: f64 = 2e-5;

const FILLED: Options = Options {
    max_buffer_bytes: None,
    fill: Fill::Ones,
};

/// The GPU that all tests share, or `None` with one loud line; `JUROR_REQUIRE_GPU=1` makes that a failure.
fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let found = GPU.get_or_init(|| match block_on(Gpu::with(FILLED)) {
        Ok(gpu) => {
            println!("GPU: {}", gpu.adapter());
            Some(gpu)
        }
        Err(error) => {
            let is_required = std::env::var_os("JUROR_REQUIRE_GPU").is_some_and(|on| on == "1");
            assert!(!is_required, "{error}");
            eprintln!("SKIPPED: {error}");
            None
        }
    });
    found.as_ref()
}

fn pair<'a>(reference: &'a Image<u8>, candidate: &'a Image<u8>) -> Pair<'a> {
    Pair {
        reference: reference.view(),
        candidate: candidate.view(),
    }
}

/// The last sample one level off.
fn nudged(picture: &Image<u8>) -> Image<u8> {
    let view = picture.view();
    let mut data = view.data().to_vec();
    *data.last_mut().unwrap() ^= 1;
    Image::new(view.width(), view.height(), view.channels(), data).unwrap()
}

/// Upside down and the wrong way round.
fn turned(picture: &Image<u8>) -> Image<u8> {
    let view = picture.view();
    let data = view.data().iter().rev().copied().collect();
    Image::new(view.width(), view.height(), view.channels(), data).unwrap()
}

/// Values of the metric that differ by more than `tolerance`, how many there are, and the largest difference, where the
/// GPU is given the candidate that `alter` makes.
fn differences(
    gpu: &Gpu,
    metric: Metric,
    tolerance: f64,
    alter: fn(&Image<u8>) -> Image<u8>,
) -> (usize, usize, f64) {
    let (mut wrong, mut count, mut largest) = (0, 0, 0.0_f64);
    for (width, height) in SIZES {
        let [reference, candidate] = pictures(width, height);
        let altered = alter(&candidate);
        let found = block_on(gpu.compute(metric, pair(&reference, &altered)));
        let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
        match (metric.compute(&r, &c), found) {
            (Ok(expected), Ok(found)) => {
                count += 1;
                let difference = (expected - found).abs();
                // Infinities are equal to themselves only.
                let is_equal = expected.to_bits() == found.to_bits();
                // NaN is as wrong as can be.
                let is_close = difference <= tolerance;
                wrong += usize::from(!is_equal && !is_close);
                if !is_equal {
                    largest = largest.max(difference);
                }
            }
            (Err(expected), found) => assert_eq!(found, Err(GpuError::Metric(expected))),
            (Ok(expected), Err(error)) => panic!("{width} × {height}: {expected} and {error}"),
        }
    }
    (wrong, count, largest)
}

#[test]
fn metrics_of_whole_numbers_are_the_cpus_to_the_bit() {
    let Some(gpu) = gpu() else { return };
    for metric in [
        Metric::Mse,
        Metric::Psnr,
        Metric::Mae,
        Metric::EdgeMse,
        Metric::Changed,
        Metric::Mask,
    ] {
        let (wrong, count, largest) = differences(gpu, metric, 0.0, Clone::clone);
        println!(
            "{}: {count} values, largest difference {largest:e}",
            metric.id()
        );
        assert_eq!((wrong, count), (0, SIZES.len()), "{}", metric.id());
    }
}

#[test]
fn another_picture_is_told_apart_by_metrics_of_whole_numbers() {
    let Some(gpu) = gpu() else { return };
    for metric in [Metric::Mse, Metric::Psnr, Metric::Mae] {
        let (wrong, count, _) = differences(gpu, metric, 0.0, nudged);
        assert_eq!(wrong, count, "{}: one sample is one level off", metric.id());
    }
    for metric in [Metric::EdgeMse, Metric::Changed, Metric::Mask] {
        let (wrong, _, _) = differences(gpu, metric, 0.0, turned);
        assert!(wrong >= 6, "{}: {wrong}", metric.id());
    }
}

const SSIMS: [Metric; 7] = [
    Metric::Ssim,
    Metric::SsimGrey,
    Metric::SsimGaussian,
    Metric::SsimGaussianGrey,
    Metric::SsimTorchmetrics,
    Metric::MsSsim,
    Metric::MsSsimPytorch,
];

#[test]
fn ssim_and_ms_ssim_are_the_cpus_within_their_tolerance() {
    let Some(gpu) = gpu() else { return };
    for metric in SSIMS {
        let (wrong, count, largest) = differences(gpu, metric, SSIM_TOLERANCE, Clone::clone);
        println!(
            "{}: {count} values, largest difference {largest:.1e}",
            metric.id()
        );
        assert!(
            wrong == 0 && count >= 2,
            "{}: {wrong} of {count}",
            metric.id()
        );
    }
}

#[test]
fn another_picture_is_told_apart_by_every_ssim() {
    let Some(gpu) = gpu() else { return };
    for metric in SSIMS {
        let (wrong, count, _) = differences(gpu, metric, SSIM_TOLERANCE, turned);
        assert_eq!(wrong, count, "{}", metric.id());
    }
}

#[test]
fn equal_pictures_have_an_ssim_of_exactly_1() {
    let Some(gpu) = gpu() else { return };
    let [picture, _] = pictures(180, 177);
    for metric in SSIMS {
        let found = block_on(gpu.compute(metric, pair(&picture, &picture)));
        assert_eq!(found, Ok(1.0), "{}", metric.id());
    }
}

/// Bright and nearly flat, with a dark block: where E[x²] − E[x]² in f32 loses its digits.
#[test]
fn flat_bright_pictures_keep_their_digits() {
    let Some(gpu) = gpu() else { return };
    let (width, height) = (190, 181);
    let picture = |shift: usize| {
        let data = (0..width * height).map(|at| {
            let (x, y) = (at % width, at / width);
            let is_dark = (x / 8 + y / 8) % 5 == 0;
            let level = if is_dark { 0 } else { 253 };
            level + u8::try_from((x * 7 + y * 3 + shift) % 2).unwrap()
        });
        Image::new(width, height, 1, data.collect()).unwrap()
    };
    let (reference, candidate) = (picture(0), picture(1));
    for metric in SSIMS
        .into_iter()
        .filter(|metric| !metric.id().contains("grey"))
    {
        let found = block_on(gpu.compute(metric, pair(&reference, &candidate))).unwrap();
        let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
        let difference = (metric.compute(&r, &c).unwrap() - found).abs();
        println!("{} on flat bright pictures: {difference:.1e}", metric.id());
        assert!(
            difference <= SSIM_TOLERANCE,
            "{}: {difference:e}",
            metric.id()
        );
    }
}

#[test]
fn every_odd_window_up_to_11_has_a_twin_and_wider_ones_say_that_they_have_none() {
    let Some(gpu) = gpu() else { return };
    let [reference, candidate] = pictures(65, 33);
    let (r, c) = (reference.view(), candidate.view());
    let windows = [3, 5, 9, 11].map(Window::Uniform);
    for window in windows.into_iter().chain([0.8, 1.2].map(Window::Gaussian)) {
        for data_range in [255.0, 100.0] {
            let found = block_on(gpu.ssim(&r, &c, window, data_range)).unwrap();
            let expected = ssim(&r, &c, window, data_range).unwrap();
            assert_eq!(found.channels.len(), 3);
            for (found, expected) in found.channels.iter().zip(&expected.channels) {
                assert!(
                    (found - expected).abs() <= SSIM_TOLERANCE,
                    "{window:?} {data_range}"
                );
            }
        }
    }
    let wide = block_on(gpu.ssim(&r, &c, Window::Uniform(13), 255.0));
    assert!(matches!(wide, Err(GpuError::NoTwin { .. })), "{wide:?}");
}

/// The GPU in the place of the CPU, for the vectors of the Python tools.
fn on_gpu<T>(outcome: Result<T, GpuError>) -> Result<T, MetricError> {
    match outcome {
        Err(GpuError::Metric(error)) => Err(error),
        outcome => Ok(outcome.unwrap()),
    }
}

const GPU_RULES: Rules = Rules {
    grey: |picture, rounding| on_gpu(block_on(gpu().unwrap().grey(picture, rounding))),
    mse: |r, c| on_gpu(block_on(gpu().unwrap().mse(r, c))),
    canny: |picture, thresholds| {
        on_gpu(block_on(gpu().unwrap().canny(picture, thresholds))).map(|edges| edges.map)
    },
    ..Rules::JUROR
};

#[test]
fn the_gpu_has_the_python_tools_greys_errors_and_edge_maps() {
    if gpu().is_none() {
        return;
    }
    let (passed, failed, _, lines) = summary(&run(&GPU_RULES));
    println!("vectors with the GPU's greys, MSE and edges: {passed} passed, {failed} failed");
    assert_eq!(failed, 0, "{lines}");
    assert_eq!(passed, juror_tests::golden::metrics::NUM_VALUES);
}

#[test]
fn edges_that_are_found_upside_down_fail_the_vectors() {
    if gpu().is_none() {
        return;
    }
    let wrong = Rules {
        canny: |picture, thresholds| {
            // Ties go to the other neighbour.
            let picture = turned(&picture.to_image());
            Ok(turned(&(GPU_RULES.canny)(&picture.view(), thresholds)?))
        },
        ..GPU_RULES
    };
    assert!(!run(&wrong)["canny"].failed.is_empty());
}

#[test]
fn the_golden_pictures_score_alike_on_gpu_and_cpu() {
    let (Some(gpu), Some(golden)) = (gpu(), Golden::open()) else {
        return;
    };
    let metrics: Vec<Metric> = Metric::ALL
        .into_iter()
        .filter(|metric| has_twin(*metric))
        .collect();
    let (mut count, mut largest) = (0, 0.0_f64);
    for (name, _, reference, candidate) in golden.pairs() {
        let values = block_on(
            gpu.start(&metrics, &[pair(&reference, &candidate)])
                .finish(),
        );
        let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
        for (metric, found) in metrics.iter().zip(&values[0]) {
            match metric.compute(&r, &c) {
                Err(error) => assert_eq!(found, &Err(GpuError::Metric(error))),
                Ok(expected) => {
                    let found = found.clone().unwrap();
                    let is_equal = expected.to_bits() == found.to_bits();
                    let difference = if is_equal {
                        0.0
                    } else {
                        (expected - found).abs()
                    };
                    let allowed = if SSIMS.contains(metric) {
                        SSIM_TOLERANCE
                    } else {
                        0.0
                    };
                    assert!(
                        difference <= allowed,
                        "{name} {}: {expected} {found}",
                        metric.id()
                    );
                    largest = largest.max(difference);
                    count += 1;
                }
            }
        }
    }
    println!("golden pictures: {count} values, largest difference {largest:.1e}");
    assert!(count > 100, "{count}");
}

/// A line that winds through the whole picture, dim but for its first pixels: its edges are followed all along.
fn winding(side: usize) -> Image<u8> {
    let mut data = vec![0; side * side];
    for y in 0..side {
        for x in 0..side {
            let is_run = y % 8 == 4;
            let is_turn = y % 8 > 4 && y / 8 < (side - 4) / 8 || y % 8 < 4 && y >= 8;
            let at_end = if (y + 4) / 8 % 2 == 1 {
                x + 5 == side
            } else {
                x == 4
            };
            if is_run && (4..side - 4).contains(&x) || is_turn && at_end {
                data[y * side + x] = 40;
            }
        }
    }
    data[4 * side + 4] = 255;
    Image::new(side, side, 1, data).unwrap()
}

#[test]
fn edges_are_followed_through_the_whole_picture_and_the_passes_counted() {
    let Some(gpu) = gpu() else { return };
    let picture = winding(257);
    let Edges { map, passes } = block_on(gpu.canny(&picture.view(), Canny::MULTIREF)).unwrap();
    let expected = canny(&picture.view(), Canny::MULTIREF).unwrap();
    let num_edges: usize = map
        .data()
        .iter()
        .map(|sample| usize::from(*sample == 255))
        .sum();
    println!("winding line: {num_edges} edge pixels in {passes} passes");
    assert_eq!(map, expected);
    // More than the eight of one submission, in whatever order the tiles are visited.
    assert!(num_edges > 5000 && passes > 8, "{num_edges} in {passes}");
    // The same through a batch, whose submissions go on until every pair stands still.
    let blank = Image::new(257, 257, 1, vec![0; 257 * 257]).unwrap();
    let pairs = [
        pair(&blank, &picture),
        pair(&picture, &blank),
        pair(&picture, &picture),
    ];
    let found = block_on(gpu.start(&[Metric::EdgeMse, Metric::Mse], &pairs).finish());
    let share = num_edges as f64 / (257.0 * 257.0);
    let edges: Vec<_> = found.iter().map(|row| row[0].clone()).collect();
    assert_eq!(edges, [Ok(share), Ok(share), Ok(0.0)]);
    assert_ne!(found[0][1], Ok(0.0));
}

type Alter = fn(&Image<u8>) -> Image<u8>;

/// Counts of masks that differ.
fn wrong_overlaps(gpu: &Gpu, alter: Alter) -> usize {
    let mut wrong = 0;
    for (width, height) in SIZES {
        let [r, c] = pictures(width, height).map(|picture| {
            let mut data = picture.view().channel(0).unwrap().into_data();
            for sample in &mut data {
                *sample &= 3;
            }
            Image::new(width, height, 1, data).unwrap()
        });
        let found = block_on(gpu.mask_overlap(&r.view(), &alter(&c).view())).unwrap();
        wrong += usize::from(found != mask_overlap(&r.view(), &c.view()).unwrap());
    }
    wrong
}

#[test]
fn overlaps_of_masks_are_counted_exactly_and_wrong_ones_told_apart() {
    let Some(gpu) = gpu() else { return };
    assert_eq!(wrong_overlaps(gpu, Clone::clone), 0);
    let emptied = |picture: &Image<u8>| {
        let (width, height) = picture.view().size();
        Image::new(width, height, 1, vec![0; width * height]).unwrap()
    };
    assert!(wrong_overlaps(gpu, emptied) >= SIZES.len() - 1);
}

/// Sizes that pictures are brought to, from each of `SIZES`.
const TARGETS: [(usize, usize); 5] = [(1, 1), (8, 5), (64, 65), (31, 90), (300, 7)];

/// Resampled pictures that differ, and the largest difference of a sample.
fn resampled(
    alter: Alter,
    cpu: impl Fn(&Image<u8>, usize, usize) -> Image<u8>,
    twin: impl Fn(&Image<u8>, usize, usize) -> Image<u8>,
) -> (usize, usize, u8) {
    let (mut wrong, mut count, mut largest) = (0, 0, 0);
    for ((width, height), (to_width, to_height)) in SIZES
        .into_iter()
        .flat_map(|from| TARGETS.map(|to| (from, to)))
    {
        let [_, picture] = pictures(width, height);
        let expected = cpu(&picture, to_width, to_height);
        let found = twin(&alter(&picture), to_width, to_height);
        assert_eq!(found.view().size(), (to_width, to_height));
        count += 1;
        wrong += usize::from(found != expected);
        let samples = found.data().iter().zip(expected.data());
        largest = samples.map(|(a, b)| a.abs_diff(*b)).fold(largest, u8::max);
    }
    (wrong, count, largest)
}

fn rgb(picture: &Image<u8>) -> Rgb {
    let (width, height) = picture.view().size();
    Rgb {
        width: u32::try_from(width).unwrap(),
        height: u32::try_from(height).unwrap(),
        data: picture.data().to_vec(),
    }
}

fn pillow(picture: &Image<u8>, width: usize, height: usize, filter: Filter) -> Image<u8> {
    let to = [width, height].map(|side| u32::try_from(side).unwrap());
    let resized = juror_image::resize(&rgb(picture), to[0], to[1], filter).unwrap();
    Image::new(width, height, 3, resized.data).unwrap()
}

fn pillow_on(gpu: &Gpu, picture: &Image<u8>, to: (usize, usize), filter: Filter) -> Image<u8> {
    let (width, height) = picture.view().size();
    let table = |from: usize, to: usize| {
        let [from, to] = [from, to].map(|side| u32::try_from(side).unwrap());
        taps(from, to, filter)
    };
    let (columns, rows) = (table(width, to.0), table(height, to.1));
    let views = [&columns, &rows].map(|table| {
        let borrowed = table.iter().map(|taps| Taps {
            start: taps.start,
            weights: &taps.weights,
        });
        borrowed.collect::<Vec<_>>()
    });
    // As the CPU leaves a side alone that keeps its length.
    let columns = (width != to.0).then_some(views[0].as_slice());
    let rows = (height != to.1).then_some(views[1].as_slice());
    block_on(gpu.resample(&picture.view(), columns, rows, PRECISION_BITS)).unwrap()
}

#[test]
fn pillows_resampling_is_exact() {
    let Some(gpu) = gpu() else { return };
    for filter in [Filter::Bilinear, Filter::Bicubic, Filter::Lanczos] {
        let cpu = |picture: &Image<u8>, width, height| pillow(picture, width, height, filter);
        let twin =
            |picture: &Image<u8>, width, height| pillow_on(gpu, picture, (width, height), filter);
        let (wrong, count, _) = resampled(Clone::clone, cpu, twin);
        println!(
            "Pillow {filter:?}: {} of {count} equal to the byte",
            count - wrong
        );
        assert_eq!((wrong, count), (0, SIZES.len() * TARGETS.len()));
        let (wrong, ..) = resampled(turned, cpu, twin);
        assert!(wrong > count / 2, "{wrong}");
    }
}

#[test]
fn opencvs_resampling_is_exact_but_for_areas_of_parts_which_are_one_level_off_at_most() {
    let Some(gpu) = gpu() else { return };
    for (resampling, allowed) in [
        (Resampling::Nearest, 0),
        (Resampling::Linear, 0),
        (Resampling::Area, 1),
    ] {
        let cpu = |picture: &Image<u8>, width, height| {
            resize(&picture.view(), width, height, resampling).unwrap()
        };
        let twin = |picture: &Image<u8>, width, height| {
            match block_on(gpu.resize(&picture.view(), width, height, resampling)) {
                // The CPU stands in where more samples become one than a GPU's loop takes.
                Err(GpuError::NoTwin { .. }) => {
                    assert!(picture.data().len() / 3 > 4096 * width * height);
                    cpu(picture, width, height)
                }
                found => found.unwrap(),
            }
        };
        let (wrong, count, largest) = resampled(Clone::clone, cpu, twin);
        println!(
            "OpenCV {resampling:?}: {} of {count} equal, largest difference {largest}",
            count - wrong
        );
        assert!(largest <= allowed, "{resampling:?}: {largest}");
        let (wrong, ..) = resampled(turned, cpu, twin);
        assert!(wrong > count / 2, "{wrong}");
    }
    // Means of whole samples are exact: rows and columns of 2, 3 and 5.
    let [_, picture] = pictures(120, 90);
    for (width, height) in [(60, 45), (40, 30), (24, 18), (60, 30), (120, 18)] {
        let found = block_on(gpu.resize(&picture.view(), width, height, Resampling::Area)).unwrap();
        let expected = resize(&picture.view(), width, height, Resampling::Area).unwrap();
        assert_eq!(found, expected, "{width} × {height}");
    }
}

/// Composites that differ, over all alphas.
fn wrong_composites(gpu: &Gpu, alter: Alter) -> usize {
    let rgba = |picture: &Image<u8>| {
        let (width, height) = picture.view().size();
        Rgba {
            width: u32::try_from(width).unwrap(),
            height: u32::try_from(height).unwrap(),
            data: picture.data().to_vec(),
        }
    };
    let mut wrong = 0;
    for (width, height) in SIZES {
        let picture = |shift: usize| {
            let samples = (0..4 * width * height).map(|at| (at * 61 + at / 4 * 7 + shift) % 256);
            let data = samples.map(|sample| u8::try_from(sample).unwrap());
            Image::new(width, height, 4, data.collect()).unwrap()
        };
        let (bottom, top) = (picture(3), picture(130));
        let expected = merge(&rgba(&bottom), &rgba(&top)).unwrap();
        let found = block_on(gpu.composite(&bottom.view(), &alter(&top).view())).unwrap();
        wrong += usize::from(found.data() != expected.data);
    }
    wrong
}

#[test]
fn compositing_is_exact_and_another_layer_told_apart() {
    let Some(gpu) = gpu() else { return };
    assert_eq!(wrong_composites(gpu, Clone::clone), 0);
    assert_eq!(wrong_composites(gpu, turned), SIZES.len());
}

/// Change maps that differ, without and with a region.
fn wrong_changes(gpu: &Gpu, alter: Alter) -> usize {
    let mut wrong = 0;
    for (width, height) in SIZES {
        let [r, c] = pictures(width, height);
        let marks = (0..width * height).map(|at| u8::from(at % width > at / width));
        let region = Image::new(width, height, 1, marks.collect()).unwrap();
        let region = region.view();
        for (threshold, region) in [(0, None), (9, Some(&region)), (255, Some(&region))] {
            let expected = change_map(&r.view(), &c.view(), threshold, region).unwrap();
            let altered = alter(&c);
            let found = block_on(gpu.change_map(&r.view(), &altered.view(), threshold, region));
            wrong += usize::from(found.unwrap() != expected);
        }
    }
    wrong
}

#[test]
fn change_maps_are_exact_and_one_sample_more_is_told_apart() {
    let Some(gpu) = gpu() else { return };
    assert_eq!(wrong_changes(gpu, Clone::clone), 0);
    assert_eq!(wrong_changes(gpu, nudged), 3 * SIZES.len());
}

#[test]
fn a_picture_larger_than_a_buffer_is_looked_at_in_bands_with_the_same_value() {
    let Some(_) = gpu() else { return };
    let options = Options {
        max_buffer_bytes: Some(20_000),
        ..FILLED
    };
    let small = block_on(Gpu::with(options)).unwrap();
    let [reference, candidate] = pictures(257, 177);
    assert!(reference.data().len() as u64 > 6 * small.max_buffer_bytes());
    let both = pair(&reference, &candidate);
    let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
    for metric in Metric::ALL.into_iter().filter(|metric| has_twin(*metric)) {
        let found = block_on(small.compute(metric, both));
        let expected = metric.compute(&r, &c).unwrap();
        let is_banded = !matches!(
            metric,
            Metric::SsimTorchmetrics
                | Metric::MsSsim
                | Metric::MsSsimPytorch
                | Metric::EdgeMse
                | Metric::Mask
        );
        match found {
            Ok(found) => {
                let allowed = if SSIMS.contains(&metric) {
                    SSIM_TOLERANCE
                } else {
                    0.0
                };
                assert!(
                    (found - expected).abs() <= allowed,
                    "{}: {found} {expected}",
                    metric.id()
                );
                assert!(is_banded, "{}", metric.id());
            }
            Err(error) => {
                assert!(matches!(error, GpuError::TooLarge { .. }), "{error}");
                assert!(!is_banded, "{}: {error}", metric.id());
            }
        }
    }
    let (r, c) = (reference.view(), candidate.view());
    let found = block_on(small.change_map(&r, &c, 9, None)).unwrap();
    assert_eq!(found, change_map(&r, &c, 9, None).unwrap());
    let edges = block_on(small.canny(&grey(&r, Grey::OpenCv).unwrap().view(), Canny::MULTIREF));
    assert!(matches!(edges, Err(GpuError::TooLarge { .. })), "{edges:?}");
}

#[test]
fn a_batch_gives_each_pair_its_own_values_and_errors_and_its_buffers_serve_again() {
    let Some(gpu) = gpu() else { return };
    let owned: Vec<[Image<u8>; 2]> = SIZES.map(|(width, height)| pictures(width, height)).into();
    let metrics = [Metric::Mse, Metric::Ssim, Metric::EdgeMse, Metric::Fid];
    let pairs: Vec<Pair<'_>> = owned.iter().map(|[r, c]| pair(r, c)).collect();
    // Both are under way at once; the second one's buffers are not the first one's.
    let first = gpu.start(&metrics, &pairs);
    let second = gpu.start(&metrics, &pairs);
    let (first, second) = (block_on(first.finish()), block_on(second.finish()));
    assert_eq!(first, second);
    for ([r, c], row) in owned.iter().zip(&first) {
        assert_eq!(
            row[0],
            Ok(sum_of_squares(&r.view(), &c.view()).unwrap() as f64 / r.data().len() as f64)
        );
        let expected = ssim(&r.view(), &c.view(), Window::UNIFORM, 255.0);
        match (&row[1], expected) {
            (Ok(found), Ok(expected)) => assert!((found - expected.value).abs() <= SSIM_TOLERANCE),
            (found, expected) => assert_eq!(found, &Err(GpuError::Metric(expected.unwrap_err()))),
        }
        assert!(row[2].is_ok());
        assert_eq!(row[3], Err(GpuError::NoTwin { metric: "fid" }));
    }
    assert_eq!(block_on(gpu.start(&metrics, &pairs).finish()), first);
}

#[test]
fn a_gpu_that_is_lost_says_so_and_one_opened_anew_computes() {
    let Some(_) = gpu() else { return };
    let [r, c] = pictures(65, 64);
    let lost = block_on(Gpu::with(FILLED)).unwrap();
    assert!(block_on(lost.mse(&r.view(), &c.view())).is_ok());
    let under_way = lost.start(&[Metric::Mse], &[pair(&r, &c)]);
    lost.close();
    let is_lost =
        |error: &GpuError| matches!(error, GpuError::DeviceLost { .. }) && error.is_about_gpu();
    for outcome in block_on(under_way.finish()).into_iter().flatten() {
        assert!(is_lost(&outcome.unwrap_err()));
    }
    assert!(is_lost(
        &block_on(lost.mse(&r.view(), &c.view())).unwrap_err()
    ));
    assert!(is_lost(
        &block_on(lost.canny(&r.view().channel(0).unwrap().view(), Canny::MULTIREF)).unwrap_err()
    ));
    let again = block_on(Gpu::with(FILLED)).unwrap();
    assert!(block_on(again.mse(&r.view(), &c.view())).is_ok());
}

#[test]
fn what_the_cpu_refuses_the_gpu_refuses_in_the_same_words() {
    let Some(gpu) = gpu() else { return };
    let [r, _] = pictures(9, 8);
    let [_, c] = pictures(8, 9);
    let (r, c): (Pixels<'_>, Pixels<'_>) = (r.view(), c.view());
    let expected = GpuError::Metric(sum_of_squares(&r, &c).unwrap_err());
    assert!(!expected.is_about_gpu());
    assert_eq!(block_on(gpu.mse(&r, &c)), Err(expected.clone()));
    assert_eq!(
        block_on(gpu.ssim(&r, &c, Window::UNIFORM, 255.0)),
        Err(expected.clone())
    );
    assert_eq!(
        block_on(gpu.ms_ssim(&r, &c, MsSsim::Torchmetrics)),
        Err(expected.clone())
    );
    assert_eq!(block_on(gpu.composite(&r, &c)), Err(expected.clone()));
    assert_eq!(block_on(gpu.edge_mse(&r, &c)), Err(expected));
    let two = View::new(2, 1, 2, &[0, 1, 2, 3_u8]).unwrap();
    let refused = block_on(gpu.grey(&two, Grey::Pillow)).unwrap_err();
    assert_eq!(
        refused,
        GpuError::Metric(grey(&two, Grey::Pillow).unwrap_err())
    );
}

/// f32 logits below 100, and sums of blocks; 2 · 10⁻⁵ is promised.
const DAR_TOLERANCE: f64 = 2e-5;

/// The largest difference of the GPU's maps from the CPU's, where the GPU is given the weights that `alter` makes.
fn dar_difference(gpu: &Gpu, call: &Call, focus: Focus, alter: fn(&[f64]) -> Vec<f64>) -> f64 {
    let weights = call.weigh().weights;
    let expected = call.maps(&weights, focus).unwrap();
    let found = block_on(gpu.dar_maps(call, &alter(&weights), focus)).unwrap();
    let pairs = expected.before.iter().zip(&found.before);
    let pairs = pairs.chain(expected.after.iter().zip(&found.after));
    // NaN, which buffers are filled with, is further off than anything.
    pairs
        .map(|(one, other)| (one - other).abs())
        .fold(0.0, |most, one| if one <= most { most } else { one })
}

/// More rows than are looked at at once, sides around those of workgroups.
fn large_calls() -> Vec<Call> {
    let tensor = |shape: [usize; 3], step: usize| {
        let array = Array {
            shape: shape.to_vec(),
            data: (0..shape.iter().product::<usize>())
                .map(|at| ((at * step % 1009) as f64 - 504.0) / 251.0)
                .collect(),
            is_bytes: false,
        };
        Tensor::new("", array, Layout::TokensHeads).unwrap()
    };
    let call = |rows, keys, heads, dim| {
        let (q, k) = (
            tensor([rows, heads, dim], 37),
            tensor([keys, heads, dim], 53),
        );
        Call::new(q, k, Vec::new(), Dar::default()).unwrap()
    };
    vec![
        call(1030, 17, 2, 17),
        call(65, 257, 1, 16),
        call(1, 1, 1, 1),
        call(33, 300, 3, 5),
    ]
}

#[test]
fn attention_before_and_after_agrees_in_every_focus() {
    let Some(gpu) = gpu() else { return };
    let same: fn(&[f64]) -> Vec<f64> = <[f64]>::to_vec;
    let mut largest = 0.0_f64;
    let golden = calls()
        .into_iter()
        .filter(|(name, _)| name != "large logits");
    for call in golden.map(|(_, call)| call).chain(large_calls()) {
        let focus = Focus {
            row: Some(0),
            head: Some(0),
        };
        for focus in [Focus::default(), focus] {
            let found = dar_difference(gpu, &call, focus, same);
            assert!(found <= DAR_TOLERANCE, "{:?}: {found}", call.q().shape());
            largest = largest.max(found);
        }
    }
    println!("attention: largest difference {largest:.1e}");
}

#[test]
fn attention_with_other_weights_is_told_apart() {
    let Some(gpu) = gpu() else { return };
    for (name, call) in calls() {
        let found = dar_difference(gpu, &call, Focus::default(), |weights| {
            weights.iter().map(|weight| 2.0 - weight).collect()
        });
        assert!(found > DAR_TOLERANCE, "{name}: {found}");
    }
}

#[test]
fn numbers_beyond_f32_are_left_to_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let array = Array {
        shape: vec![2, 1, 1],
        data: vec![1e16, -1e16],
        is_bytes: false,
    };
    let tensor = || Tensor::new("", array.clone(), Layout::TokensHeads).unwrap();
    let call = Call::new(tensor(), tensor(), Vec::new(), Dar::default()).unwrap();
    let found = block_on(gpu.dar_maps(&call, &[1.0; 2], Focus::default()));
    assert!(matches!(found, Err(GpuError::NoTwin { .. })), "{found:?}");
    assert!(call.maps(&[1.0; 2], Focus::default()).is_ok());
}
