//! Attention before and after rebalancing.
#![expect(clippy::unwrap_used, reason = "a check fails by panicking")]

use juror_gpu::{Gpu, GpuError};
use juror_metrics::{Array, Call, Dar, Focus, Layout, Tensor};

use crate::golden::dar::cases;
use crate::say;

/// f32 logits below 100, and sums of blocks; 2 · 10⁻⁵ is promised.
pub(super) const DAR_TOLERANCE: f64 = 2e-5;

/// The largest difference of the GPU's maps from the CPU's, where the GPU is given the weights that `alter` makes.
async fn dar_difference(
    gpu: &Gpu,
    call: &Call,
    focus: Focus,
    alter: fn(&[f64]) -> Vec<f64>,
) -> f64 {
    let weights = call.weigh().weights;
    let expected = call.maps(&weights, focus).unwrap();
    let found = gpu.dar_maps(call, &alter(&weights), focus).await.unwrap();
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

pub(super) async fn attention_before_and_after_agrees_in_every_focus(gpu: &Gpu) {
    let same: fn(&[f64]) -> Vec<f64> = <[f64]>::to_vec;
    let mut largest = 0.0_f64;
    let golden = cases()
        .into_iter()
        .filter(|(name, ..)| name != "large logits");
    for call in golden.map(|(_, call, _)| call).chain(large_calls()) {
        let focus = Focus {
            row: Some(0),
            head: Some(0),
        };
        for focus in [Focus::default(), focus] {
            let found = dar_difference(gpu, &call, focus, same).await;
            assert!(found <= DAR_TOLERANCE, "{:?}: {found}", call.q().shape());
            largest = largest.max(found);
        }
    }
    say!("attention: largest difference {largest:.1e}");
}

pub(super) async fn attention_with_other_weights_is_told_apart(gpu: &Gpu) {
    for (name, call, _) in cases() {
        let found = dar_difference(gpu, &call, Focus::default(), |weights| {
            weights.iter().map(|weight| 2.0 - weight).collect()
        })
        .await;
        assert!(found > DAR_TOLERANCE, "{name}: {found}");
    }
}

pub(super) async fn numbers_beyond_f32_are_left_to_the_cpu(gpu: &Gpu) {
    let array = Array {
        shape: vec![2, 1, 1],
        data: vec![1e16, -1e16],
        is_bytes: false,
    };
    let tensor = || Tensor::new("", array.clone(), Layout::TokensHeads).unwrap();
    let call = Call::new(tensor(), tensor(), Vec::new(), Dar::default()).unwrap();
    let found = gpu.dar_maps(&call, &[1.0; 2], Focus::default()).await;
    assert!(matches!(found, Err(GpuError::NoTwin { .. })), "{found:?}");
    assert!(call.maps(&[1.0; 2], Focus::default()).is_ok());
}
