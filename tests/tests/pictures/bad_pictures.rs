//! Pictures and arrays that are wrong come out as documented.

use juror_tests::bad_pictures::{cases, failures};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = test)]
fn every_edge_has_its_value_and_every_fault_its_words() {
    let failures = failures(false);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[wasm_bindgen_test(unsupported = test)]
fn another_expectation_is_told_apart() {
    // Neighbours may expect the same.
    assert!(3 * failures(true).len() > cases().len());
}
