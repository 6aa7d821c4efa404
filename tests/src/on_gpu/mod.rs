//! The GPU's twins beside the CPU and the Python tools: whole numbers to the bit, SSIM within its tolerance.
//!
//! One list of checks for every GPU that is reached: natively, where the tests wait for each, and in a browser, where
//! nothing can be waited for.
//! Buffers for results are filled with ones before each shader runs, so that what none wrote is found.
#![expect(clippy::unwrap_used, reason = "a check fails by panicking")]

use juror_gpu::{Fill, Gpu, Options, Pair};
use juror_metrics::{Image, Metric};

mod dar;
mod golden;
mod host;
mod metrics;
mod pictures;

/// Hands the checks, each with its module, to a macro.
#[macro_export]
macro_rules! for_each_check_on_gpu {
    ($then:ident) => {
        $then! {
            metrics::metrics_of_whole_numbers_are_the_cpus_to_the_bit,
            metrics::another_picture_is_told_apart_by_metrics_of_whole_numbers,
            metrics::ssim_and_ms_ssim_are_the_cpus_within_their_tolerance,
            metrics::another_picture_is_told_apart_by_every_ssim,
            metrics::equal_pictures_have_an_ssim_of_exactly_1,
            metrics::flat_bright_pictures_keep_their_digits,
            metrics::every_odd_window_up_to_11_has_a_twin_and_wider_ones_say_that_they_have_none,
            golden::the_gpu_has_the_python_tools_values,
            golden::pictures_upside_down_fail_the_python_tools_values,
            golden::the_gpu_has_the_torch_packages_values,
            golden::the_gpu_has_the_authors_edges_and_overlaps,
            golden::the_gpu_has_pillows_pictures,
            golden::the_gpu_has_numpys_attention,
            golden::the_golden_pictures_score_alike_on_gpu_and_cpu,
            pictures::edges_are_followed_through_the_whole_picture_and_the_passes_counted,
            pictures::overlaps_of_masks_are_counted_exactly_and_wrong_ones_told_apart,
            pictures::pillows_resampling_is_exact,
            pictures::opencvs_resampling_is_exact_but_for_areas_of_parts_which_are_one_level_off_at_most,
            pictures::compositing_is_exact_and_another_layer_told_apart,
            pictures::change_maps_are_exact_and_one_sample_more_is_told_apart,
            host::a_picture_larger_than_a_buffer_is_looked_at_in_bands_with_the_same_value,
            host::a_batch_gives_each_pair_its_own_values_and_errors_and_its_buffers_serve_again,
            host::submissions_are_waited_for_in_any_order,
            host::a_picture_of_several_uploads_keeps_every_sample,
            host::a_pair_that_was_exchanged_in_a_batch_is_told_apart,
            host::a_gpu_that_is_lost_says_so_and_one_opened_anew_computes,
            host::what_the_cpu_refuses_the_gpu_refuses_in_the_same_words,
            dar::attention_before_and_after_agrees_in_every_focus,
            dar::attention_with_other_weights_is_told_apart,
            dar::numbers_beyond_f32_are_left_to_the_cpu,
        }
    };
}

macro_rules! list {
    ($($module:ident::$name:ident,)*) => {
        /// The checks' names.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// Runs a check on a GPU that was opened with [`FILLED`].
        ///
        /// # Panics
        /// What is checked is not so, or there is no such check.
        pub async fn check(name: &str, gpu: &Gpu) {
            match name {
                $(stringify!($name) => $module::$name(gpu).await,)*
                _ => panic!("{name} is not among the checks"),
            }
        }
    };
}

for_each_check_on_gpu!(list);

/// Sides around those of workgroups, and shapes that are all border.
pub(crate) const SIZES: [(usize, usize); 15] = [
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
pub(crate) const SSIM_TOLERANCE: f64 = 2e-5;

/// How the GPU is opened that checks are run on.
pub const FILLED: Options = Options {
    max_buffer_bytes: None,
    fill: Fill::Ones,
};

pub(crate) fn pair<'a>(reference: &'a Image<u8>, candidate: &'a Image<u8>) -> Pair<'a> {
    Pair {
        reference: reference.view(),
        candidate: candidate.view(),
    }
}

/// The last sample one level off.
pub(crate) fn nudged(picture: &Image<u8>) -> Image<u8> {
    let view = picture.view();
    let mut data = view.data().to_vec();
    *data.last_mut().unwrap() ^= 1;
    Image::new(view.width(), view.height(), view.channels(), data).unwrap()
}

/// Upside down and the wrong way round.
pub(crate) fn turned(picture: &Image<u8>) -> Image<u8> {
    let view = picture.view();
    let data = view.data().iter().rev().copied().collect();
    Image::new(view.width(), view.height(), view.channels(), data).unwrap()
}

pub(crate) const SSIMS: [Metric; 7] = [
    Metric::Ssim,
    Metric::SsimGrey,
    Metric::SsimGaussian,
    Metric::SsimGaussianGrey,
    Metric::SsimTorchmetrics,
    Metric::MsSsim,
    Metric::MsSsimPytorch,
];

/// What a check does to a picture that it expects to be told apart.
pub(crate) type Alter = fn(&Image<u8>) -> Image<u8>;
