//! MultiRef-Bench against the authors' functions, natively.
#![expect(
    clippy::print_stdout,
    reason = "the counts per group are part of what a test run says"
)]

use juror_tests::golden::{self, multiref};

#[test]
fn every_multiref_vector_agrees() {
    let tallies = multiref::run(&multiref::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    println!("multiref: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    if skipped > 0 {
        println!(
            "SKIPPED {skipped} cases: {} is absent",
            multiref::TEMPLATES_PATH
        );
    }
    for (group, count, reason) in multiref::LEFT_OUT {
        println!("LEFT OUT {group}, {count} cases: {reason}");
    }
    assert_eq!(failed, 0, "{lines}");
    let left_out: usize = multiref::LEFT_OUT.iter().map(|(_, count, _)| count).sum();
    assert_eq!(
        passed + skipped + left_out,
        123,
        "the authors' functions gave 123 cases"
    );
    let is_absent = multiref::templates().is_none();
    assert_eq!(skipped, if is_absent { 7 } else { 0 });
}

#[test]
fn errors_that_are_not_turned_over_fail() {
    let wrong = multiref::Rules {
        average: |columns| columns.iter().sum::<f64>() / 10.0,
        ..multiref::Rules::JUROR
    };
    let tallies = multiref::run(&wrong);
    assert_eq!(tallies["table4_avg"].failed.len(), 6);
    assert!(
        tallies
            .iter()
            .all(|(group, tally)| group == "table4_avg" || tally.failed.is_empty()),
        "and nothing else notices"
    );
}

#[test]
fn an_empty_selection_that_means_nothing_fails() {
    let wrong = multiref::Rules {
        plan: |selection, references| match selection {
            [] => Ok(Vec::new()),
            selection => (multiref::Rules::JUROR.plan)(selection, references),
        },
        ..multiref::Rules::JUROR
    };
    let tallies = multiref::run(&wrong);
    assert_eq!(tallies["evaluate_all"].failed.len(), 1);
}
