//! Juror against the authors' functions, compiled to Wasm and run in node.
#![cfg(target_arch = "wasm32")]

use juror_tests::golden::{self, Tallies, vibe, weave};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

#[track_caller]
fn report(name: &str, tallies: &Tallies) -> (usize, usize) {
    golden::report_to(name, tallies, |said| console_log!("{said}"))
}

#[wasm_bindgen_test]
fn every_weave_vector_agrees_in_wasm() {
    let (passed, skipped) = report("weave in wasm", &weave::run(&weave::Rules::JUROR));
    if skipped > 0 {
        console_log!(
            "SKIPPED {skipped} cases: {} is absent",
            juror_tests::OFFICIAL_WEAVE_PROMPTS_PATH
        );
    }
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
    let (passed, skipped) = report("vibe in wasm", &vibe::run(&vibe::Rules::JUROR));
    if skipped > 0 {
        console_log!(
            "SKIPPED {skipped} cases: {} is absent",
            juror_tests::OFFICIAL_VIBE_PROMPTS_PATH
        );
    }
    assert_eq!(passed + skipped, 258, "the file holds 258 cases");
}

#[wasm_bindgen_test]
fn every_multibanana_vector_agrees_in_wasm() {
    use juror_tests::golden::multibanana;
    let tallies = multibanana::run(&multibanana::Rules::JUROR);
    let (passed, skipped) = report("multibanana in wasm", &tallies);
    console_log!("SKIPPED {skipped} cases: no files can be read here, the authors' texts neither");
    assert_eq!((passed, skipped), (64, 3), "the file holds 67 cases");
}

#[wasm_bindgen_test]
fn every_multiref_vector_agrees_in_wasm() {
    use juror_tests::golden::multiref;
    let tallies = multiref::run(&multiref::Rules::JUROR);
    let (passed, skipped) = report("multiref in wasm", &tallies);
    console_log!(
        "SKIPPED {skipped} cases: no files can be read here, the authors' templates neither"
    );
    assert_eq!((passed, skipped), (35, 7), "the file holds 42 cases");
}

#[wasm_bindgen_test]
fn every_micon_vector_agrees_in_wasm() {
    use juror_tests::golden::micon;
    let tallies = micon::run(&micon::Rules::juror());
    let (passed, skipped) = report("micon in wasm", &tallies);
    console_log!("SKIPPED {skipped} cases: no files can be read here, the authors' texts neither");
    assert_eq!((passed, skipped), (172, 6), "the file holds 178 cases");
}

#[wasm_bindgen_test]
fn every_vector_of_multirefs_picture_metrics_agrees_in_wasm() {
    use juror_tests::golden::multiref_metrics;
    let tallies = multiref_metrics::run(&multiref_metrics::Rules::JUROR);
    let counts = report("multiref metrics in wasm", &tallies);
    assert_eq!(counts, (81, 0), "the file holds 81 cases");
}

#[wasm_bindgen_test]
fn every_metric_vector_agrees_in_wasm() {
    use juror_tests::golden::metrics;
    let counts = report("metrics in wasm", &metrics::run(&metrics::Rules::JUROR));
    assert_eq!(counts, (metrics::NUM_VALUES, 0));
}

#[wasm_bindgen_test]
fn every_vector_of_the_torch_packages_agrees_in_wasm() {
    use juror_tests::golden::torch_metrics;
    let tallies = torch_metrics::run(&torch_metrics::Rules::JUROR);
    let counts = report("torch packages in wasm", &tallies);
    assert_eq!(counts, (torch_metrics::NUM_VALUES, 0));
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
fn ssim_of_uniform_windows_is_exact_in_wasm() {
    use juror_tests::exact_ssim::{NUM_MAPS, differences};
    assert_eq!(differences(255.0), Ok(Vec::new()));
    assert_eq!(differences(254.0).map(|maps| maps.len()), Ok(NUM_MAPS));
}

#[wasm_bindgen_test]
fn every_vector_of_statistics_agrees_in_wasm() {
    use juror_tests::golden::statistics;
    let tallies = statistics::run(&statistics::Rules::JUROR);
    let counts = report("statistics in wasm", &tallies);
    assert_eq!(counts, (statistics::NUM_CASES, 0));
}

#[wasm_bindgen_test]
fn a_normal_interval_in_place_of_students_fails_in_wasm() {
    use juror_statistics::normal;
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
    let counts = report("agreement in wasm", &tallies);
    assert_eq!(counts, (agreement::NUM_VALUES, 0));
}

#[wasm_bindgen_test]
fn every_vector_of_rankings_agrees_in_wasm() {
    use juror_tests::golden::rankings;
    let counts = report("rankings in wasm", &rankings::run(&rankings::Rules::JUROR));
    assert_eq!(counts, (rankings::NUM_CASES, 0));
}

#[wasm_bindgen_test]
fn every_vector_of_attention_rebalancing_agrees_in_wasm() {
    use juror_tests::golden::dar::{Expected, NUM_CASES, NUM_SWEEPS, run};
    let counts = report("attention rebalancing in wasm", &run(Expected::Right));
    assert_eq!(counts, (NUM_CASES + NUM_SWEEPS, 0));
    let wrong = run(Expected::Wrong("over_rows"));
    assert_eq!(wrong["dar"].failed.len(), NUM_CASES);
}
