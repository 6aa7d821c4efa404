//! MultiRef-Bench against the authors' functions, natively.
#![expect(
    clippy::print_stdout,
    reason = "the counts per group are part of what a test run says"
)]

use juror_metrics::{Canny, Grey};
use juror_tests::golden::{self, multiref, multiref_metrics};

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
    assert_eq!(failed, 0, "{lines}");
    assert_eq!(
        passed + skipped,
        42,
        "the authors' functions gave 123 cases, 81 of them for picture metrics"
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

#[test]
fn every_vector_of_multirefs_picture_metrics_agrees() {
    let tallies = multiref_metrics::run(&multiref_metrics::Rules::JUROR);
    let counts = golden::report("multiref metrics", &tallies);
    assert_eq!(counts, (81, 0), "the file holds 81 cases");
}

/// Which groups notice a wrong rule, and in how many cases.
fn noticed(wrong: &multiref_metrics::Rules) -> Vec<(String, usize)> {
    multiref_metrics::run(wrong)
        .into_iter()
        .filter(|(_, tally)| !tally.failed.is_empty())
        .map(|(group, tally)| (group, tally.failed.len()))
        .collect()
}

#[test]
fn each_wrong_rule_of_a_picture_metric_fails_in_its_own_group() {
    const RIGHT: multiref_metrics::Rules = multiref_metrics::Rules::JUROR;
    let of = |group: &str, count| vec![(group.to_owned(), count)];
    // The generated map is brought to the reference's size.
    let wrong = multiref_metrics::Rules {
        mse: |generated, reference| (RIGHT.mse)(reference, generated),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), of("mse", 3));
    // Both rules give the intended box.
    let wrong = multiref_metrics::Rules {
        drawn_box: |picture, _| (RIGHT.drawn_box)(picture, juror_metrics::BoxRule::Intended),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), of("bbox_from_image", 6));
    let wrong = multiref_metrics::Rules {
        thresholds: Canny {
            low: 50.0,
            high: 150.0,
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), of("canny", 1));
    let wrong = multiref_metrics::Rules {
        pose: |precision, _| precision,
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), of("pose", 5));
    let wrong = multiref_metrics::Rules {
        fid: |features| Ok((RIGHT.fid)(features)?.sqrt()),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), of("fid", 5));
    // No colours of equal luma: the reference's red alone.
    let wrong = multiref_metrics::Rules {
        grey: |picture, rounding| match rounding {
            Grey::OpenCvPngRead => picture.channel(0),
            rounding => (RIGHT.grey)(picture, rounding),
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), of("semantic_map", 1));
}
