//! What the GPU makes of pictures: edges, overlaps, other sizes, layers and maps of change.
#![expect(clippy::unwrap_used, reason = "a check fails by panicking")]

use juror_gpu::{Edges, Gpu, GpuError, Taps};
use juror_image::{Filter, PRECISION_BITS, Rgb, Rgba, merge, taps};
use juror_metrics::{Canny, Image, Metric, Resampling, canny, change_map, mask_overlap, resize};

use super::{Alter, SIZES, nudged, pair, turned};
use crate::golden::metrics::pictures;
use crate::say;

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

pub(super) async fn edges_are_followed_through_the_whole_picture_and_the_passes_counted(gpu: &Gpu) {
    let picture = winding(161);
    let Edges { map, passes } = gpu.canny(&picture.view(), Canny::MULTIREF).await.unwrap();
    let expected = canny(&picture.view(), Canny::MULTIREF).unwrap();
    let num_edges: usize = map
        .data()
        .iter()
        .map(|sample| usize::from(*sample == 255))
        .sum();
    say!("winding line: {num_edges} edge pixels in {passes} passes");
    assert_eq!(map, expected);
    // More than the eight of one submission, in whatever order the tiles are visited.
    assert!(num_edges > 5000 && passes > 8, "{num_edges} in {passes}");
    // The same through a batch, whose submissions go on until every pair stands still.
    let blank = Image::new(161, 161, 1, vec![0; 161 * 161]).unwrap();
    let pairs = [
        pair(&blank, &picture),
        pair(&picture, &blank),
        pair(&picture, &picture),
    ];
    let found = gpu
        .start(&[Metric::EdgeMse, Metric::Mse], &pairs)
        .finish()
        .await;
    let share = num_edges as f64 / (161.0 * 161.0);
    let edges: Vec<_> = found.iter().map(|row| row[0].clone()).collect();
    assert_eq!(edges, [Ok(share), Ok(share), Ok(0.0)]);
    assert_ne!(found[0][1], Ok(0.0));
}

/// Counts of masks that differ.
async fn wrong_overlaps(gpu: &Gpu, alter: Alter) -> usize {
    let mut wrong = 0;
    for (width, height) in SIZES {
        let [r, c] = pictures(width, height).map(|picture| {
            let mut data = picture.view().channel(0).unwrap().into_data();
            for sample in &mut data {
                *sample &= 3;
            }
            Image::new(width, height, 1, data).unwrap()
        });
        let found = gpu
            .mask_overlap(&r.view(), &alter(&c).view())
            .await
            .unwrap();
        wrong += usize::from(found != mask_overlap(&r.view(), &c.view()).unwrap());
    }
    wrong
}

pub(super) async fn overlaps_of_masks_are_counted_exactly_and_wrong_ones_told_apart(gpu: &Gpu) {
    assert_eq!(wrong_overlaps(gpu, Clone::clone).await, 0);
    let emptied = |picture: &Image<u8>| {
        let (width, height) = picture.view().size();
        Image::new(width, height, 1, vec![0; width * height]).unwrap()
    };
    assert!(wrong_overlaps(gpu, emptied).await >= SIZES.len() - 1);
}

/// Sizes that pictures are brought to, from each of `SIZES`.
const TARGETS: [(usize, usize); 5] = [(1, 1), (8, 5), (64, 65), (31, 90), (300, 7)];

/// Resampled pictures that differ, and the largest difference of a sample.
async fn resampled(
    alter: Alter,
    cpu: impl Fn(&Image<u8>, usize, usize) -> Image<u8>,
    twin: impl AsyncFn(&Image<u8>, usize, usize) -> Image<u8>,
) -> (usize, usize, u8) {
    let (mut wrong, mut count, mut largest) = (0, 0, 0);
    for ((width, height), (to_width, to_height)) in SIZES
        .into_iter()
        .flat_map(|from| TARGETS.map(|to| (from, to)))
    {
        let [_, picture] = pictures(width, height);
        let expected = cpu(&picture, to_width, to_height);
        let found = twin(&alter(&picture), to_width, to_height).await;
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

/// As Pillow resamples.
pub(super) async fn pillow_on(
    gpu: &Gpu,
    picture: &Image<u8>,
    to: [usize; 2],
    filter: Filter,
) -> Image<u8> {
    let (width, height) = picture.view().size();
    let table = |from: usize, to: usize| {
        let [from, to] = [from, to].map(|side| u32::try_from(side).unwrap());
        taps(from, to, filter)
    };
    let (columns, rows) = (table(width, to[0]), table(height, to[1]));
    let views = [&columns, &rows].map(|table| {
        let borrowed = table.iter().map(|taps| Taps {
            start: taps.start,
            weights: &taps.weights,
        });
        borrowed.collect::<Vec<_>>()
    });
    // As the CPU leaves a side alone that keeps its length.
    let columns = (width != to[0]).then_some(views[0].as_slice());
    let rows = (height != to[1]).then_some(views[1].as_slice());
    gpu.resample(&picture.view(), columns, rows, PRECISION_BITS)
        .await
        .unwrap()
}

pub(super) async fn pillows_resampling_is_exact(gpu: &Gpu) {
    for filter in [Filter::Bilinear, Filter::Bicubic, Filter::Lanczos] {
        let cpu = |picture: &Image<u8>, width, height| pillow(picture, width, height, filter);
        let twin = async |picture: &Image<u8>, width, height| {
            pillow_on(gpu, picture, [width, height], filter).await
        };
        let (wrong, count, _) = resampled(Clone::clone, cpu, &twin).await;
        say!(
            "Pillow {filter:?}: {} of {count} equal to the byte",
            count - wrong
        );
        assert_eq!((wrong, count), (0, SIZES.len() * TARGETS.len()));
        let (wrong, ..) = resampled(turned, cpu, &twin).await;
        assert!(wrong > count / 2, "{wrong}");
    }
}

pub(super) async fn opencvs_resampling_is_exact_but_for_areas_of_parts_which_are_one_level_off_at_most(
    gpu: &Gpu,
) {
    for (resampling, allowed) in [
        (Resampling::Nearest, 0),
        (Resampling::Linear, 0),
        (Resampling::Area, 1),
    ] {
        let cpu = |picture: &Image<u8>, width, height| {
            resize(&picture.view(), width, height, resampling).unwrap()
        };
        let twin = async |picture: &Image<u8>, width, height| {
            match gpu.resize(&picture.view(), width, height, resampling).await {
                // The CPU stands in where more samples become one than a GPU's loop takes.
                Err(GpuError::NoTwin { .. }) => {
                    assert!(picture.data().len() / 3 > 4096 * width * height);
                    cpu(picture, width, height)
                }
                found => found.unwrap(),
            }
        };
        let (wrong, count, largest) = resampled(Clone::clone, cpu, &twin).await;
        say!(
            "OpenCV {resampling:?}: {} of {count} equal, largest difference {largest}",
            count - wrong
        );
        assert!(largest <= allowed, "{resampling:?}: {largest}");
        let (wrong, ..) = resampled(turned, cpu, &twin).await;
        assert!(wrong > count / 2, "{wrong}");
    }
    // Means of whole samples are exact: rows and columns of 2, 3 and 5.
    let [_, picture] = pictures(120, 90);
    for (width, height) in [(60, 45), (40, 30), (24, 18), (60, 30), (120, 18)] {
        let found = gpu
            .resize(&picture.view(), width, height, Resampling::Area)
            .await
            .unwrap();
        let expected = resize(&picture.view(), width, height, Resampling::Area).unwrap();
        assert_eq!(found, expected, "{width} × {height}");
    }
}

/// Composites that differ, over all alphas.
async fn wrong_composites(gpu: &Gpu, alter: Alter) -> usize {
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
        let found = gpu
            .composite(&bottom.view(), &alter(&top).view())
            .await
            .unwrap();
        wrong += usize::from(found.data() != expected.data);
    }
    wrong
}

pub(super) async fn compositing_is_exact_and_another_layer_told_apart(gpu: &Gpu) {
    assert_eq!(wrong_composites(gpu, Clone::clone).await, 0);
    assert_eq!(wrong_composites(gpu, turned).await, SIZES.len());
}

/// Change maps that differ, without and with a region.
async fn wrong_changes(gpu: &Gpu, alter: Alter) -> usize {
    let mut wrong = 0;
    for (width, height) in SIZES {
        let [r, c] = pictures(width, height);
        let marks = (0..width * height).map(|at| u8::from(at % width > at / width));
        let region = Image::new(width, height, 1, marks.collect()).unwrap();
        let region = region.view();
        for (threshold, region) in [(0, None), (9, Some(&region)), (255, Some(&region))] {
            let expected = change_map(&r.view(), &c.view(), threshold, region).unwrap();
            let altered = alter(&c);
            let found = gpu
                .change_map(&r.view(), &altered.view(), threshold, region)
                .await;
            wrong += usize::from(found.unwrap() != expected);
        }
    }
    wrong
}

pub(super) async fn change_maps_are_exact_and_one_sample_more_is_told_apart(gpu: &Gpu) {
    assert_eq!(wrong_changes(gpu, Clone::clone).await, 0);
    assert_eq!(wrong_changes(gpu, nudged).await, 3 * SIZES.len());
}
