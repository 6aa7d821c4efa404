//! MultiBanana against the authors' functions, natively.
#![expect(
    clippy::print_stdout,
    reason = "the counts per group are part of what a test run says"
)]

use juror_protocols::multibanana::LABELS;
use juror_tests::golden::{self, multibanana};

#[test]
fn every_multibanana_vector_agrees() {
    let tallies = multibanana::run(&multibanana::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    println!("multibanana: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    if skipped > 0 {
        println!(
            "SKIPPED {skipped} cases: {} is absent",
            multibanana::OFFICIAL_PROMPTS_PATH
        );
    }
    assert_eq!(failed, 0, "{lines}");
    assert_eq!(passed + skipped, 67, "the file holds 67 cases");
    let is_absent = multibanana::official().is_none();
    assert_eq!(skipped, if is_absent { 3 } else { 0 });
}

#[test]
fn equal_weights_in_the_papers_total_fail() {
    let wrong = multibanana::Rules {
        total: |_, scores| scores.iter().sum::<f64>() / 5.0,
        ..multibanana::Rules::JUROR
    };
    let tallies = multibanana::run(&wrong);
    assert!(!tallies["paper_total"].failed.is_empty());
    assert!(
        tallies
            .iter()
            .all(|(group, tally)| group == "paper_total" || tally.failed.is_empty()),
        "and nothing else notices"
    );
}

#[test]
fn the_last_occurrence_of_a_label_fails() {
    let wrong = multibanana::Rules {
        released: |reply| {
            let last = LABELS.map(|label| {
                let at = reply.rfind(&format!("{label}:"))? + label.len() + 1;
                let digits: String = reply[at..]
                    .trim_start()
                    .chars()
                    .take_while(char::is_ascii_digit)
                    .collect();
                digits.parse().ok()
            });
            let known: Option<Vec<f64>> = last.into_iter().collect();
            known?.try_into().ok()
        },
        ..multibanana::Rules::JUROR
    };
    let tallies = multibanana::run(&wrong);
    // Two cases repeat a label, two have digits of other scripts.
    assert_eq!(tallies["extract_scores"].failed.len(), 4);
    assert!(tallies["extract_results"].failed.is_empty());
}
