//! The image metrics against the Python tools, natively, without any file beside the repository.

use juror_image::Filter;
use juror_metrics::{Grey, Image, MsSsim, Resampling, Window, ssim};
use juror_tests::golden::{self, metrics, torch_metrics};

const RIGHT: metrics::Rules = metrics::Rules::JUROR;

#[test]
fn every_metric_vector_agrees() {
    let counts = golden::report("metrics", &metrics::run(&RIGHT));
    assert_eq!(counts, (metrics::NUM_VALUES, 0));
}

/// The groups that notice a wrong rule.
fn noticed(wrong: &metrics::Rules) -> Vec<String> {
    golden::noticed(metrics::run(wrong))
}

#[test]
fn each_wrong_rule_fails_where_it_matters() {
    let wrong = metrics::Rules {
        mse: |r, c| Ok((RIGHT.mse)(r, c)? * (1.0 + 1e-12)),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["mse"]);
    let wrong = metrics::Rules {
        thumbnail: Filter::Bilinear,
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["phash", "phash_distance"]);
    let wrong = metrics::Rules {
        resampling: |resampling| match resampling {
            Resampling::Area => Resampling::Linear,
            other => other,
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["area", "area_reals"]);
    let wrong = metrics::Rules {
        canny: |picture, thresholds| {
            // The picture upside down and back: ties go to the other neighbour.
            let picture = turned(&picture.to_image());
            Ok(turned(&(RIGHT.canny)(&picture.view(), thresholds)?))
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["canny", "edge_mse"]);
    let wrong = metrics::Rules {
        map: |kind, r, c| {
            // Rows from the last to the first.
            let mut map = (RIGHT.map)(kind, r, c)?;
            let (width, height) = map.places.view().size();
            let rows = map.places.data().chunks_exact(width).rev();
            map.places = Image::new(width, height, 1, rows.flatten().copied().collect())?;
            Ok(map)
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["ssim_gaussian_map", "ssim_map"]);
    let wrong = metrics::Rules {
        grey: |picture, _| (RIGHT.grey)(picture, Grey::OpenCvPngRead),
        ..RIGHT
    };
    assert!(noticed(&wrong).contains(&"grey".to_owned()));
}

fn turned(picture: &Image<u8>) -> Image<u8> {
    let view = picture.view();
    let data = view.data().iter().rev().copied().collect();
    Image::new(view.width(), view.height(), 1, data).expect("as before")
}

#[test]
fn a_wrong_ssim_is_noticed_in_every_window() {
    let all = [
        "ssim",
        "ssim_gaussian",
        "ssim_gaussian_grey",
        "ssim_gaussian_wide",
        "ssim_grey",
        "ssim_range_100",
        "ssim_window_13",
        "ssim_window_3",
    ];
    let wrong = metrics::Rules {
        ssim: |r, c, window, range| (RIGHT.ssim)(r, c, window, range * (1.0 + 1e-7)),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), all);
    let wrong = metrics::Rules {
        ssim: |r, c, window, range| match window {
            Window::Uniform(side) => (RIGHT.ssim)(r, c, Window::Uniform(side + 2), range),
            Window::Gaussian(sigma) => (RIGHT.ssim)(r, c, Window::Gaussian(sigma + 1e-6), range),
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), all);
}

#[test]
fn ssim_of_uniform_windows_is_exact() {
    use juror_tests::exact_ssim::{NUM_MAPS, differences};
    assert_eq!(differences(255.0), Ok(Vec::new()));
    assert_eq!(differences(254.0).map(|maps| maps.len()), Ok(NUM_MAPS));
}

const TORCH: torch_metrics::Rules = torch_metrics::Rules::JUROR;

#[test]
fn ssim_and_ms_ssim_of_the_torch_packages_agree_at_odd_sides_too() {
    let counts = golden::report("torch packages", &torch_metrics::run(&TORCH));
    assert_eq!(counts, (torch_metrics::NUM_VALUES, 0));
}

#[test]
fn a_wrong_torch_rule_is_noticed_in_every_size() {
    let failed = |rules: &torch_metrics::Rules, group: &str| {
        let tally = &torch_metrics::run(rules)[group];
        (tally.failed.len(), tally.passed)
    };
    // Windows inside, as scikit-image has them: refused below 11, another mean from there on.
    let wrong = torch_metrics::Rules {
        ssim: |r, c| Ok(ssim(r, c, Window::GAUSSIAN, 255.0)?.value),
        ..TORCH
    };
    assert_eq!(failed(&wrong, "ssim_torchmetrics"), (30, 0));
    // The other package's borders and halving; what both refuse, they refuse.
    let wrong = torch_metrics::Rules {
        ms_ssim: |r, c, variant| {
            let other = match variant {
                MsSsim::Torchmetrics => MsSsim::PytorchMsssim,
                MsSsim::PytorchMsssim => MsSsim::Torchmetrics,
            };
            (TORCH.ms_ssim)(r, c, other)
        },
        ..TORCH
    };
    assert_eq!(failed(&wrong, "ms_ssim"), (14, 2));
    assert_eq!(failed(&wrong, "ms_ssim_pytorch"), (14, 2));
    // Ten times what is allowed.
    let wrong = torch_metrics::Rules {
        ms_ssim: |r, c, variant| Ok((TORCH.ms_ssim)(r, c, variant)? + 1e-11),
        ..TORCH
    };
    assert_eq!(failed(&wrong, "ms_ssim").0, 10);
    assert_eq!(failed(&wrong, "ms_ssim_pytorch").0, 14);
}
