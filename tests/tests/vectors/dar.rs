//! Dynamic Attention Rebalancing against NumPy, natively.

use juror_tests::golden::dar::{Expected, NUM_CASES, NUM_SWEEPS, run};
use juror_tests::golden::report;

#[test]
fn every_vector_of_attention_rebalancing_agrees() {
    let counts = report("attention rebalancing", &run(Expected::Right));
    assert_eq!(counts, (NUM_CASES + NUM_SWEEPS, 0));
}

#[test]
fn sweeps_of_half_the_values_fail_in_every_case() {
    let tallies = run(Expected::Wrong("halved"));
    assert_eq!(tallies["sweep"].failed.len(), NUM_SWEEPS);
    assert_eq!(tallies["dar"].failed.len(), 0);
}

#[test]
fn attention_without_the_root_of_d_fails_in_every_case() {
    let tallies = run(Expected::Wrong("without_root"));
    assert_eq!(tallies["dar"].failed.len(), NUM_CASES);
}

#[test]
fn a_softmax_over_rows_instead_of_keys_fails_in_every_case() {
    let tallies = run(Expected::Wrong("over_rows"));
    assert_eq!(tallies["dar"].failed.len(), NUM_CASES);
}
