//! What a host meets: pictures that are too large, batches, a GPU that is lost, and input that is refused.
#![expect(clippy::unwrap_used, reason = "a check fails by panicking")]

use juror_gpu::{Gpu, GpuError, Options, Pair, has_twin};
use juror_metrics::{
    Canny, Grey, Image, Input, Metric, MsSsim, Pixels, View, Window, change_map, grey, ssim,
    sum_of_squares,
};

use super::{FILLED, SIZES, SSIM_TOLERANCE, SSIMS, pair};
use crate::golden::metrics::pictures;

pub(super) async fn a_picture_larger_than_a_buffer_is_looked_at_in_bands_with_the_same_value(
    _: &Gpu,
) {
    let options = Options {
        max_buffer_bytes: Some(20_000),
        ..FILLED
    };
    let small = Gpu::with(options).await.unwrap();
    let [reference, candidate] = pictures(257, 177);
    assert!(reference.data().len() as u64 > 6 * small.max_buffer_bytes());
    let both = pair(&reference, &candidate);
    let [r, c] = [&reference, &candidate].map(|side| Input::Picture(side.clone()));
    for metric in Metric::ALL.into_iter().filter(|metric| has_twin(*metric)) {
        let found = small.compute(metric, both).await;
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
    let found = small.change_map(&r, &c, 9, None).await.unwrap();
    assert_eq!(found, change_map(&r, &c, 9, None).unwrap());
    let edges = small
        .canny(&grey(&r, Grey::OpenCv).unwrap().view(), Canny::MULTIREF)
        .await;
    assert!(matches!(edges, Err(GpuError::TooLarge { .. })), "{edges:?}");
}

pub(super) async fn a_batch_gives_each_pair_its_own_values_and_errors_and_its_buffers_serve_again(
    gpu: &Gpu,
) {
    let owned: Vec<[Image<u8>; 2]> = SIZES.map(|(width, height)| pictures(width, height)).into();
    let metrics = [Metric::Mse, Metric::Ssim, Metric::EdgeMse, Metric::Fid];
    let pairs: Vec<Pair<'_>> = owned.iter().map(|[r, c]| pair(r, c)).collect();
    // Both are under way at once; the second one's buffers are not the first one's.
    let first = gpu.start(&metrics, &pairs);
    let second = gpu.start(&metrics, &pairs);
    let (first, second) = (first.finish().await, second.finish().await);
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
    assert_eq!(gpu.start(&metrics, &pairs).finish().await, first);
}

pub(super) async fn submissions_are_waited_for_in_any_order(gpu: &Gpu) {
    let owned: Vec<[Image<u8>; 2]> = [(65, 64), (257, 177), (9, 8)]
        .map(|(width, height)| pictures(width, height))
        .into();
    let metrics = [Metric::Mse, Metric::EdgeMse];
    let pairs: Vec<[Pair<'_>; 1]> = owned.iter().map(|[r, c]| [pair(r, c)]).collect();
    let [first, second, third] = [0, 1, 2].map(|idx| gpu.start(&metrics, &pairs[idx]));
    let third = third.finish().await;
    let first = first.finish().await;
    let second = second.finish().await;
    for ([r, c], found) in owned.iter().zip([first, second, third]) {
        let sides = [r, c].map(|side| Input::Picture(side.clone()));
        let expected = metrics.map(|metric| Ok(metric.compute(&sides[0], &sides[1]).unwrap()));
        assert_eq!(found, [expected]);
    }
}

/// Sides whose bytes are several uploads, no whole number of words, and more than one upload may have.
const LARGE: [(usize, usize, usize); 2] = [(701, 701, 3), (8191, 8201, 1)];

pub(super) async fn a_picture_of_several_uploads_keeps_every_sample(gpu: &Gpu) {
    for (width, height, channels) in LARGE {
        let len = width * height * channels;
        if len as u64 > gpu.max_buffer_bytes() {
            continue;
        }
        assert_ne!(len % 4, 0);
        let flat = Image::new(width, height, channels, vec![7; len]).unwrap();
        let mut marked = vec![7; len];
        let mut expected = 0;
        let places = [0, (1 << 20) - 1, 1 << 20, len / 2, len - 2, len - 1];
        for (at, level) in places.into_iter().zip(1..) {
            marked[at] += level;
            expected += u64::from(level) * u64::from(level);
        }
        let marked = Image::new(width, height, channels, marked).unwrap();
        let (flat, marked) = (flat.view(), marked.view());
        assert_eq!(gpu.sum_of_squares(&flat, &marked).await, Ok(expected));
        assert_eq!(gpu.sum_of_squares(&marked, &marked).await, Ok(0));
    }
}

pub(super) async fn a_pair_that_was_exchanged_in_a_batch_is_told_apart(gpu: &Gpu) {
    let owned: Vec<[Image<u8>; 2]> = SIZES.map(|(width, height)| pictures(width, height)).into();
    let mut pairs: Vec<Pair<'_>> = owned.iter().map(|[r, c]| pair(r, c)).collect();
    let metrics = [Metric::Mse, Metric::Ssim, Metric::Mae];
    let own = gpu.start(&metrics, &pairs).finish().await;
    pairs.swap(3, 11);
    let exchanged = gpu.start(&metrics, &pairs).finish().await;
    for (idx, (own, exchanged)) in own.iter().zip(&exchanged).enumerate() {
        // No two of the pictures score alike.
        assert_eq!(own != exchanged, [3, 11].contains(&idx), "{idx}");
    }
    assert_eq!((&own[3], &own[11]), (&exchanged[11], &exchanged[3]));
}

pub(super) async fn a_gpu_that_is_lost_says_so_and_one_opened_anew_computes(_: &Gpu) {
    let [r, c] = pictures(65, 64);
    let lost = Gpu::with(FILLED).await.unwrap();
    assert!(lost.mse(&r.view(), &c.view()).await.is_ok());
    let under_way = lost.start(&[Metric::Mse], &[pair(&r, &c)]);
    lost.close();
    let is_lost =
        |error: &GpuError| matches!(error, GpuError::DeviceLost { .. }) && error.is_about_gpu();
    for outcome in under_way.finish().await.into_iter().flatten() {
        assert!(is_lost(&outcome.unwrap_err()));
    }
    assert!(is_lost(&lost.mse(&r.view(), &c.view()).await.unwrap_err()));
    assert!(is_lost(
        &lost
            .canny(&r.view().channel(0).unwrap().view(), Canny::MULTIREF)
            .await
            .unwrap_err()
    ));
    let again = Gpu::with(FILLED).await.unwrap();
    assert!(again.mse(&r.view(), &c.view()).await.is_ok());
}

pub(super) async fn what_the_cpu_refuses_the_gpu_refuses_in_the_same_words(gpu: &Gpu) {
    let [r, _] = pictures(9, 8);
    let [_, c] = pictures(8, 9);
    let (r, c): (Pixels<'_>, Pixels<'_>) = (r.view(), c.view());
    let expected = GpuError::Metric(sum_of_squares(&r, &c).unwrap_err());
    assert!(!expected.is_about_gpu());
    assert_eq!(gpu.mse(&r, &c).await, Err(expected.clone()));
    assert_eq!(
        gpu.ssim(&r, &c, Window::UNIFORM, 255.0).await,
        Err(expected.clone())
    );
    assert_eq!(
        gpu.ms_ssim(&r, &c, MsSsim::Torchmetrics).await,
        Err(expected.clone())
    );
    assert_eq!(gpu.composite(&r, &c).await, Err(expected.clone()));
    assert_eq!(gpu.edge_mse(&r, &c).await, Err(expected));
    let two = View::new(2, 1, 2, &[0, 1, 2, 3_u8]).unwrap();
    let refused = gpu.grey(&two, Grey::Pillow).await.unwrap_err();
    assert_eq!(
        refused,
        GpuError::Metric(grey(&two, Grey::Pillow).unwrap_err())
    );
}
