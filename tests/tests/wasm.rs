//! Juror against the authors' functions, compiled to Wasm and run in node.
#![cfg(target_arch = "wasm32")]

use juror_tests::golden::{self, vibe, weave};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

#[wasm_bindgen_test]
fn every_weave_vector_agrees_in_wasm() {
    let (passed, failed, skipped, lines) = golden::summary(&weave::run(&weave::Rules::JUROR));
    console_log!("weave in wasm: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    if skipped > 0 {
        console_log!(
            "SKIPPED {skipped} cases: {} is absent",
            juror_tests::OFFICIAL_WEAVE_PROMPTS_PATH
        );
    }
    assert_eq!(failed, 0, "{lines}");
    assert_eq!(passed + skipped, 129, "the file holds 129 cases");
}

#[wasm_bindgen_test]
fn weights_in_the_wrong_order_fail_in_wasm() {
    let wrong = weave::Rules {
        total: |[kp, vc, iq, acc]| (weave::Rules::JUROR.total)(&[*vc, *kp, *iq, *acc]),
        ..weave::Rules::JUROR
    };
    assert!(!weave::run(&wrong)["weights"].failed.is_empty());
}

#[wasm_bindgen_test]
fn every_vibe_vector_agrees_in_wasm() {
    let (passed, failed, skipped, lines) = golden::summary(&vibe::run(&vibe::Rules::JUROR));
    console_log!("vibe in wasm: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    if skipped > 0 {
        console_log!(
            "SKIPPED {skipped} cases: {} is absent",
            juror_tests::OFFICIAL_VIBE_PROMPTS_PATH
        );
    }
    assert_eq!(failed, 0, "{lines}");
    assert_eq!(passed + skipped, 258, "the file holds 258 cases");
}

#[wasm_bindgen_test]
fn every_multibanana_vector_agrees_in_wasm() {
    use juror_tests::golden::multibanana;
    let tallies = multibanana::run(&multibanana::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    console_log!(
        "multibanana in wasm: {passed} passed, {failed} failed, {skipped} skipped\n{lines}"
    );
    console_log!("SKIPPED {skipped} cases: no files can be read here, the authors' texts neither");
    assert_eq!(failed, 0, "{lines}");
    assert_eq!((passed, skipped), (64, 3), "the file holds 67 cases");
}

#[wasm_bindgen_test]
fn every_multiref_vector_agrees_in_wasm() {
    use juror_tests::golden::multiref;
    let tallies = multiref::run(&multiref::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    console_log!("multiref in wasm: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    console_log!(
        "SKIPPED {skipped} cases: no files can be read here, the authors' templates neither"
    );
    assert_eq!(failed, 0, "{lines}");
    assert_eq!((passed, skipped), (35, 7), "the file holds 42 cases");
}

#[wasm_bindgen_test]
fn every_micon_vector_agrees_in_wasm() {
    use juror_tests::golden::micon;
    let tallies = micon::run(&micon::Rules::juror());
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    console_log!("micon in wasm: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    console_log!("SKIPPED {skipped} cases: no files can be read here, the authors' texts neither");
    assert_eq!(failed, 0, "{lines}");
    assert_eq!((passed, skipped), (172, 6), "the file holds 178 cases");
}

#[wasm_bindgen_test]
fn every_vector_of_multirefs_picture_metrics_agrees_in_wasm() {
    use juror_tests::golden::multiref_metrics;
    let tallies = multiref_metrics::run(&multiref_metrics::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    console_log!("multiref metrics in wasm: {passed} passed, {failed} failed\n{lines}");
    assert_eq!(failed, 0, "{lines}");
    assert_eq!((passed, skipped), (81, 0), "the file holds 81 cases");
}

#[wasm_bindgen_test]
fn every_metric_vector_agrees_in_wasm() {
    use juror_tests::golden::metrics;
    let (passed, failed, skipped, lines) = golden::summary(&metrics::run(&metrics::Rules::JUROR));
    console_log!("metrics in wasm: {passed} passed, {failed} failed\n{lines}");
    assert_eq!(failed, 0, "{lines}");
    assert_eq!((passed, skipped), (metrics::NUM_VALUES, 0));
}

#[wasm_bindgen_test]
fn a_wrong_ssim_fails_in_wasm() {
    use juror_tests::golden::metrics;
    let wrong = metrics::Rules {
        ssim: |r, c, window, range| {
            (metrics::Rules::JUROR.ssim)(r, c, window, range * (1.0 + 1e-7))
        },
        ..metrics::Rules::JUROR
    };
    assert!(metrics::run(&wrong)["ssim_gaussian"].failed.len() >= 5);
}

#[wasm_bindgen_test]
fn every_vector_of_statistics_agrees_in_wasm() {
    use juror_tests::golden::statistics;
    let tallies = statistics::run(&statistics::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    console_log!("statistics in wasm: {passed} passed, {failed} failed\n{lines}");
    assert_eq!(failed, 0, "{lines}");
    assert_eq!((passed, skipped), (statistics::NUM_CASES, 0));
}

#[wasm_bindgen_test]
fn a_normal_interval_in_place_of_students_fails_in_wasm() {
    use juror_core::statistics::normal;
    use juror_tests::golden::statistics;
    let wrong = statistics::Rules {
        detectable: |error, _| (normal::quantile(0.975) + normal::quantile(0.8)) * error,
        ..statistics::Rules::JUROR
    };
    assert!(statistics::run(&wrong)["detectable"].failed.len() >= 8);
}

#[wasm_bindgen_test]
fn every_agreement_vector_agrees_in_wasm() {
    use juror_tests::golden::agreement;
    let tallies = agreement::run(&agreement::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    console_log!("agreement in wasm: {passed} passed, {failed} failed\n{lines}");
    assert_eq!(failed, 0, "{lines}");
    assert_eq!((passed, skipped), (agreement::NUM_VALUES, 0));
}
