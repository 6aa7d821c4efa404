//! Juror against the authors' functions, natively.
#![expect(
    clippy::print_stdout,
    reason = "the counts per group are part of what a test run says"
)]

use juror_tests::golden::{self, Tallies, weave};

fn report(name: &str, tallies: &Tallies) -> (usize, usize, usize) {
    let (passed, failed, skipped, lines) = golden::summary(tallies);
    println!("{name}: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    if skipped > 0 {
        println!(
            "SKIPPED {skipped} cases: {} is absent",
            juror_tests::OFFICIAL_WEAVE_PROMPTS_PATH
        );
    }
    (passed, failed, skipped)
}

#[test]
fn every_weave_vector_agrees() {
    let tallies = weave::run(&weave::Rules::JUROR);
    let (passed, failed, skipped) = report("weave", &tallies);
    assert_eq!(failed, 0);
    assert_eq!(passed + skipped, 129, "the file holds 129 cases");
    assert!(
        skipped == 0 || juror_tests::OFFICIAL_WEAVE_PROMPTS.is_none(),
        "only the authors' texts may be missing"
    );
}

#[test]
fn weights_in_the_wrong_order_fail() {
    let wrong = weave::Rules {
        total: |[kp, vc, iq, acc]| (weave::Rules::JUROR.total)(&[*vc, *kp, *iq, *acc]),
        ..weave::Rules::JUROR
    };
    let tallies = weave::run(&wrong);
    assert!(
        !tallies["weights"].failed.is_empty(),
        "the weights' own vectors notice"
    );
    assert!(
        !tallies["summarize"].failed.is_empty(),
        "the summary's vectors notice"
    );
    assert!(
        tallies["parse_json"].failed.is_empty(),
        "and nothing else does"
    );
}

#[test]
fn renumbering_by_order_of_mention_fails() {
    let wrong = weave::Rules {
        refine: |text, pattern| {
            let mut next = 0;
            let mut out = text.to_owned();
            for number in juror_protocols::weave::request::context::image_numbers(text) {
                next += 1;
                let to = pattern
                    .unwrap_or("Image #{num}")
                    .replace("{num}", &next.to_string());
                out = out.replacen(&format!("Image #{number}"), &to, 1);
            }
            out
        },
        ..weave::Rules::JUROR
    };
    assert!(!weave::run(&wrong)["refine_instruction"].failed.is_empty());
}

#[test]
fn dataset_references_where_the_models_own_belong_fail() {
    if juror_tests::OFFICIAL_WEAVE_PROMPTS.is_none() {
        println!(
            "SKIPPED: {} is absent",
            juror_tests::OFFICIAL_WEAVE_PROMPTS_PATH
        );
        return;
    }
    let wrong = weave::Rules {
        generated_role: "GT",
        ..weave::Rules::JUROR
    };
    assert!(!weave::run(&wrong)["judge_requests"].failed.is_empty());
}

#[test]
fn the_comparison_itself_can_fail() {
    use serde_json::json;
    assert!(golden::agree(
        &json!({"a": [0.1]}),
        &json!({"a": [0.1 + 1e-12]}),
        1e-9
    ));
    assert!(!golden::agree(
        &json!({"a": [0.1]}),
        &json!({"a": [0.1001]}),
        1e-9
    ));
    assert!(!golden::agree(
        &json!({"a": 1}),
        &json!({"a": 1, "b": 2}),
        1e-9
    ));
    assert!(!golden::agree(&json!([1, 2]), &json!([1]), 1e-9));
}
