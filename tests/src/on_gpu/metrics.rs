//! Metrics of the GPU beside those of the CPU: whole numbers to the bit, SSIM within its tolerance.
#![expect(clippy::unwrap_used, reason = "a check fails by panicking")]

use juror_gpu::{Gpu, GpuError};
use juror_metrics::{Image, Input, Metric, Window, ssim};

use super::{Alter, SIZES, SSIM_TOLERANCE, SSIMS, nudged, pair, turned};
use crate::golden::metrics::pictures;
use crate::say;

/// Values of the metric that differ by more than `tolerance`, how many there are, and the largest difference, where the
/// GPU is given the candidate that `alter` makes.
async fn differences(
    gpu: &Gpu,
    metric: Metric,
    tolerance: f64,
    alter: Alter,
) -> (usize, usize, f64) {
    let (mut wrong, mut count, mut largest) = (0, 0, 0.0_f64);
    for (width, height) in SIZES {
        let [reference, candidate] = pictures(width, height);
        let altered = alter(&candidate);
        let found = gpu.compute(metric, pair(&reference, &altered)).await;
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

pub(super) async fn metrics_of_whole_numbers_are_the_cpus_to_the_bit(gpu: &Gpu) {
    for metric in [
        Metric::Mse,
        Metric::Psnr,
        Metric::Mae,
        Metric::EdgeMse,
        Metric::Changed,
        Metric::Mask,
    ] {
        let (wrong, count, largest) = differences(gpu, metric, 0.0, Clone::clone).await;
        say!(
            "{}: {count} values, largest difference {largest:e}",
            metric.id()
        );
        assert_eq!((wrong, count), (0, SIZES.len()), "{}", metric.id());
    }
}

pub(super) async fn another_picture_is_told_apart_by_metrics_of_whole_numbers(gpu: &Gpu) {
    for metric in [Metric::Mse, Metric::Psnr, Metric::Mae] {
        let (wrong, count, _) = differences(gpu, metric, 0.0, nudged).await;
        assert_eq!(wrong, count, "{}: one sample is one level off", metric.id());
    }
    for metric in [Metric::EdgeMse, Metric::Changed, Metric::Mask] {
        let (wrong, _, _) = differences(gpu, metric, 0.0, turned).await;
        assert!(wrong >= 6, "{}: {wrong}", metric.id());
    }
}

pub(super) async fn ssim_and_ms_ssim_are_the_cpus_within_their_tolerance(gpu: &Gpu) {
    for metric in SSIMS {
        let (wrong, count, largest) = differences(gpu, metric, SSIM_TOLERANCE, Clone::clone).await;
        say!(
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

pub(super) async fn another_picture_is_told_apart_by_every_ssim(gpu: &Gpu) {
    for metric in SSIMS {
        let (wrong, count, _) = differences(gpu, metric, SSIM_TOLERANCE, turned).await;
        assert_eq!(wrong, count, "{}", metric.id());
    }
}

pub(super) async fn equal_pictures_have_an_ssim_of_exactly_1(gpu: &Gpu) {
    let [picture, _] = pictures(180, 177);
    for metric in SSIMS {
        let found = gpu.compute(metric, pair(&picture, &picture)).await;
        assert_eq!(found, Ok(1.0), "{}", metric.id());
    }
}

/// Bright and nearly flat, with a dark block: where E[x²] − E[x]² in f32 loses its digits.
pub(super) async fn flat_bright_pictures_keep_their_digits(gpu: &Gpu) {
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
        let found = gpu
            .compute(metric, pair(&reference, &candidate))
            .await
            .unwrap();
        let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
        let difference = (metric.compute(&r, &c).unwrap() - found).abs();
        say!("{} on flat bright pictures: {difference:.1e}", metric.id());
        assert!(
            difference <= SSIM_TOLERANCE,
            "{}: {difference:e}",
            metric.id()
        );
    }
}

pub(super) async fn every_odd_window_up_to_11_has_a_twin_and_wider_ones_say_that_they_have_none(
    gpu: &Gpu,
) {
    let [reference, candidate] = pictures(65, 33);
    let (r, c) = (reference.view(), candidate.view());
    let windows = [3, 5, 9, 11].map(Window::Uniform);
    for window in windows.into_iter().chain([0.8, 1.2].map(Window::Gaussian)) {
        for data_range in [255.0, 100.0] {
            let found = gpu.ssim(&r, &c, window, data_range).await.unwrap();
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
    let wide = gpu.ssim(&r, &c, Window::Uniform(13), 255.0).await;
    assert!(matches!(wide, Err(GpuError::NoTwin { .. })), "{wide:?}");
}
